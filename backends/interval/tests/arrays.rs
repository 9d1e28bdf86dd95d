//! Automata as array constraints mean the same as the automata, on all words up to a bound.

#![expect(clippy::unwrap_used, reason = "tests")]

use backends_api::Budget;
use backends_graph::{IntVertex, StringGraph, StringVertex};
use backends_interval::language::{Automaton, IntervalContext};
use backends_interval::to_arrays::{Encoding, Lengths, UNROLLED, encode, facts, unrolled};
use backends_parray::{ArrayProblem, Forall, Formula, formula};
use harness_model::int::Int;
use harness_model::{Alphabet, CharSet, Regex, SmtString};

#[path = "../src/testkit.rs"]
mod testkit;

use testkit::{all_words, letter};

fn graph() -> (StringGraph, StringVertex) {
    let mut graph = StringGraph::new(Alphabet::Ascii);
    graph.restrict_characters(&CharSet::from_ranges([(0x61, 0x63)]));
    let s = graph.declare_string("s");
    graph.length(s);
    (graph, s)
}

/// What was said, with the values of a word put in.
struct Said {
    formulas: Vec<Formula>,
    foralls: Vec<Forall>,
    /// Fresh integers that no quantifier binds.
    free: Vec<IntVertex>,
    length: IntVertex,
}

impl Said {
    fn new(problem: &ArrayProblem, graph: &StringGraph, s: StringVertex) -> Self {
        let bound: Vec<IntVertex> = problem.foralls().iter().map(|f| f.variable).collect();
        let free =
            (graph.ints().len()..problem.ints()).map(IntVertex::at).filter(|v| !bound.contains(v)).collect();
        Self {
            formulas: problem.ground().to_vec(),
            foralls: problem.foralls().to_vec(),
            free,
            length: graph.length_of(s).unwrap(),
        }
    }

    fn holds(&self, word: &SmtString, values: &[i64]) -> bool {
        let value = |v: IntVertex| match self.free.iter().position(|&f| f == v) {
            Some(at) => Int::from(values[at]),
            None if v == self.length => Int::from(word.len()),
            None => Int::ZERO,
        };
        // Beyond its length an array may hold anything.
        let code =
            |_: StringVertex, at: &Int| match at.position(word.len()).and_then(|at| word.chars().get(at)) {
                Some(c) => Int::from(c.0),
                None => Int::from(-77_i64),
            };
        self.formulas.iter().all(|f| formula::eval(f, &value, &code))
            && self.foralls.iter().all(|f| f.eval(100, &value, &code).unwrap())
    }

    /// Whether some values of the free integers, up to `most`, make it true.
    fn satisfiable(&self, word: &SmtString, most: i64) -> bool {
        let mut values = vec![0; self.free.len()];
        loop {
            if self.holds(word, &values) {
                return true;
            }
            let Some(at) = values.iter().position(|&v| v < most) else { return false };
            values[at] += 1;
            values[..at].fill(0);
        }
    }
}

fn expressions() -> Vec<Regex> {
    let (a, b, c) = (letter('a'), letter('b'), letter('c'));
    let ab = || Regex::concat([a.clone(), b.clone()]);
    let any = || Regex::set(CharSet::from_ranges([(0x61, 0x63)]));
    vec![
        Regex::Epsilon,
        Regex::Empty,
        a.clone().star(),
        Regex::concat([a.clone().repeat(1, None), b.clone()]),
        Regex::concat([a.clone().star(), c.clone(), b.clone().star()]),
        ab().star(),
        Regex::concat([c.clone(), ab().repeat(1, None)]),
        Regex::union([ab(), Regex::concat([c.clone(), any()])]).star(),
        Regex::union([Regex::concat([a.clone(), b.clone().star()]), Regex::concat([c, a.clone()])]),
        Regex::concat([any().star(), a.clone(), b.clone(), any().star()]),
        Regex::concat([b.clone().star(), ab().star()]),
    ]
}

fn automata(context: &IntervalContext, regex: &Regex) -> (Automaton, Automaton) {
    let raw = backends_automata::trim(&context.regex(regex).unwrap(), &Budget::unlimited()).unwrap();
    (context.minimise(&raw).unwrap(), raw)
}

fn has(context: &IntervalContext, automaton: &Automaton, word: &SmtString) -> bool {
    backends_automata::accepts(context.algebra(), automaton, word, &context.budget).unwrap()
}

#[test]
fn well_formed_automata_are_said_exactly() {
    let context = IntervalContext::new(Alphabet::Ascii, u64::MAX);
    let all = all_words(4);
    for regex in expressions() {
        let (minimal, raw) = automata(&context, &regex);
        let (graph, s) = graph();
        let mut problem = ArrayProblem::new(&graph);
        let encoding = encode(&context, &mut problem, s, &[&minimal, &raw], None).unwrap();
        assert_eq!(encoding, Encoding::Exact, "{regex:?}");
        let said = Said::new(&problem, &graph, s);
        assert!(said.free.len() <= 6, "{regex:?}");
        for word in &all {
            assert_eq!(said.satisfiable(word, 4), has(&context, &minimal, word), "{regex:?} {word}");
        }
    }
}

/// An unrolling up to a limit is always noted, and one that is given up in the middle says nothing: neither
/// may make a refutation of what has a solution.
#[test]
fn an_unrolling_restricts_and_one_that_is_given_up_says_nothing() {
    let (a, b, c) = (letter('a'), letter('b'), letter('c'));
    let odd = Regex::union([Regex::concat([a, b]), c]).star();
    let (minimal, _) = automata(&IntervalContext::new(Alphabet::Ascii, u64::MAX), &odd);
    let mut given_up = 0;
    for steps in 0..400 {
        let (graph, s) = graph();
        let mut problem = ArrayProblem::new(&graph);
        let before = problem.ground().len();
        match unrolled(&IntervalContext::new(Alphabet::Ascii, steps), &mut problem, s, &minimal, None) {
            Ok(encoding) => {
                assert!(matches!(encoding, Encoding::Unrolled(_)));
                assert_eq!(problem.restricted(), [UNROLLED]);
                assert!(problem.ground().len() > before);
            }
            Err(_) => {
                given_up += 1;
                assert_eq!(
                    (problem.ground().len(), problem.restricted().len()),
                    (before, 0),
                    "{steps} steps"
                );
            }
        }
    }
    assert!((10..390).contains(&given_up), "{given_up}");
}

/// Loops of different lengths are unrolled. The states after each character are those of the deterministic
/// automaton's run.
#[test]
fn other_automata_are_unrolled() {
    let context = IntervalContext::new(Alphabet::Ascii, u64::MAX);
    let (a, b, c) = (letter('a'), letter('b'), letter('c'));
    let odd = Regex::union([Regex::concat([a.clone(), b.clone()]), c.clone()]).star();
    let finite = Regex::union([Regex::concat([a, b.clone()]), c, b]).repeat(0, Some(3));
    for (regex, longest, exact) in [(&odd, None, false), (&odd, Some(5), true), (&finite, None, true)] {
        let (minimal, _) = automata(&context, regex);
        let (graph, s) = graph();
        let mut problem = ArrayProblem::new(&graph);
        let encoding = encode(&context, &mut problem, s, &[&minimal], longest).unwrap();
        assert_eq!(encoding == Encoding::Exact, exact, "{regex:?} {longest:?}");
        let said = Said::new(&problem, &graph, s);
        if said.foralls.is_empty() && said.free.len() > 8 || longest.is_some() {
            for word in all_words(5) {
                let expected = has(&context, &minimal, &word);
                // The run, as far as it goes; what comes after is not asked for.
                let mut state = Some(minimal.initial());
                let mut values = Vec::new();
                for &x in word.chars() {
                    state = state.and_then(|q| {
                        let mut moves = minimal.moves_from(q).iter();
                        let found = moves.find(|m| {
                            use backends_algebra::BooleanAlgebra;
                            context.algebra().contains(minimal.label(m.label), x).unwrap()
                        });
                        found.map(|m| m.target)
                    });
                    values.push(state.map_or(0, |q| i64::from(q.0)));
                }
                values.resize(said.free.len(), 0);
                assert_eq!(said.holds(&word, &values), expected, "{regex:?} {word}");
                // Other states are not a run.
                for other in 0..3 {
                    assert!(
                        expected || !said.holds(&word, &vec![other; said.free.len()]),
                        "{regex:?} {word}"
                    );
                }
            }
        }
    }
}

#[test]
fn facts_are_true_and_say_something() {
    let context = IntervalContext::new(Alphabet::Ascii, u64::MAX);
    let all = all_words(5);
    let mut told = 0;
    let mut excluded = 0;
    for regex in expressions() {
        let (minimal, _) = automata(&context, &regex);
        let (graph, s) = graph();
        let mut problem = ArrayProblem::new(&graph);
        told += facts(&context, &mut problem, s, &minimal).unwrap();
        let said = Said::new(&problem, &graph, s);
        for word in &all {
            let possible = said.satisfiable(word, 5);
            assert!(possible || !has(&context, &minimal, word), "{regex:?} {word}");
            excluded += usize::from(!possible);
        }
    }
    assert!(told > 15 && excluded > 400, "{told} {excluded}");
}

#[test]
fn lengths_of_a_language_repeat() {
    let context = IntervalContext::new(Alphabet::Ascii, u64::MAX);
    let all = all_words(6);
    for regex in expressions() {
        let (minimal, _) = automata(&context, &regex);
        let lengths = Lengths::of(&context, &minimal).unwrap().unwrap();
        for length in 0..=6 {
            let mut same = all.iter().filter(|w| w.len() == length);
            let expected = same.any(|w| has(&context, &minimal, w));
            assert_eq!(
                lengths.has(i64::try_from(length).unwrap()),
                expected,
                "{regex:?} {length}: {lengths:?}"
            );
        }
    }
}

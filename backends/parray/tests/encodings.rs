//! Each encoding against evaluation: all short words and small integers, quantifiers by brute force over
//! their ranges, fresh integers by search.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::cell::Cell as Counter;
use std::sync::Arc;

use backends_api::{BackendError, Budget};
use backends_graph::evaluate::edge_holds;
use backends_graph::testkit::random::words;
use backends_graph::{Edge, IntVertex, Relation, StringGraph, StringVertex, Sum, Vertex};
use backends_parray::{ArrayProblem, Body, Formula, encode, formula};
use harness_model::int::Int;
use harness_model::{Alphabet, Char, CharSet, Regex, SmtString};
use harness_theory::{Form, Op};

/// One relation between fresh vertices, over a few letters.
struct Trial {
    graph: StringGraph,
    letters: &'static str,
    length: usize,
    ints: std::ops::RangeInclusive<i64>,
    strings: Vec<StringVertex>,
    numbers: Vec<IntVertex>,
}

impl Trial {
    fn new(letters: &'static str, length: usize) -> Self {
        let mut graph = StringGraph::new(Alphabet::Ascii);
        graph.restrict_characters(&CharSet::from_ranges(letters.bytes().map(|b| (b.into(), b.into()))));
        Self { graph, letters, length, ints: -2..=4, strings: Vec::new(), numbers: Vec::new() }
    }

    fn string(&mut self) -> StringVertex {
        let s = self.graph.declare_string(format!("s{}", self.strings.len()));
        self.strings.push(s);
        s
    }

    fn int(&mut self) -> IntVertex {
        let i = self.graph.declare_int(format!("i{}", self.numbers.len()));
        self.numbers.push(i);
        i
    }

    /// Compares on every assignment, of which one satisfies the edge; gives how many do and how many do not.
    fn run(self, edge: &Edge) -> [usize; 2] {
        let text = self.graph.edge_text(edge);
        let counts = self.compare(edge);
        assert!(counts[0] > 0, "never true: {text}");
        counts
    }

    /// Compares on every assignment; gives how many satisfy the edge and how many do not.
    fn compare(mut self, edge: &Edge) -> [usize; 2] {
        self.graph.add_edge(edge.clone());
        self.graph.add_lengths();
        let mut problem = ArrayProblem::new(&self.graph);
        encode(&self.graph, &mut problem, &mut |_, _| Ok(false), &Budget::unlimited()).unwrap();
        assert!(problem.restricted().is_empty());
        let pool = words(&self.graph, self.length);
        assert!(!pool.is_empty() && !self.letters.is_empty());
        let range: Vec<i64> = self.ints.clone().collect();
        let mut counts = [0, 0];
        let total = pool.len().pow(self.strings.len().try_into().unwrap())
            * range.len().pow(self.numbers.len().try_into().unwrap());
        for mut number in 0..total {
            let mut digit = |base: usize| {
                let digit = number % base;
                number /= base;
                digit
            };
            let chosen: Vec<&SmtString> = self.strings.iter().map(|_| &pool[digit(pool.len())]).collect();
            let ints: Vec<i64> = self.numbers.iter().map(|_| range[digit(range.len())]).collect();
            let word = |s: StringVertex| match self.strings.iter().position(|v| *v == s) {
                Some(place) => chosen[place].clone(),
                None => self.graph.word(s).unwrap().clone(),
            };
            let int = |i: IntVertex| match self.numbers.iter().position(|v| *v == i) {
                Some(place) => Int::from(ints[place]),
                None => self.graph.number(i).cloned().unwrap_or(Int::ZERO),
            };
            let wanted = edge_holds(&self.graph, edge, word, int).unwrap();
            // What stands outside a word must not matter.
            for outside in [-1_i64, 97] {
                let found = satisfied(&self.graph, &problem, &word, &int, outside);
                let text = self.graph.edge_text(edge);
                assert_eq!(found, wanted, "{text} with {chosen:?} {ints:?}, {outside} outside");
            }
            counts[usize::from(!wanted)] += 1;
        }
        counts
    }
}

/// The same edge alone in a graph of its own.
fn alone(graph: &StringGraph, edge: &Edge) -> (Trial, Edge) {
    let mut trial = Trial::new("a7", 2);
    let mut strings: Vec<(StringVertex, StringVertex)> = Vec::new();
    for s in edge.relation.strings() {
        let new = match graph.word(s) {
            Some(word) => trial.graph.constant(word.clone()),
            None => trial.string(),
        };
        strings.push((s, new));
    }
    let mut ints: Vec<(IntVertex, IntVertex)> = Vec::new();
    for i in edge.relation.ints() {
        let new = match graph.number(i) {
            Some(number) => trial.graph.constant_int(number.clone()),
            None => trial.int(),
        };
        ints.push((i, new));
    }
    let string = |s| strings.iter().find(|(old, _)| *old == s).unwrap().1;
    let int = |i| ints.iter().find(|(old, _)| *old == i).unwrap().1;
    (trial, Edge { relation: edge.relation.map(string, int), positive: edge.positive })
}

/// Every operation that a relation stands for, in each of its forms. So a new relation is tried, or has to be
/// named here as one that is refused.
#[test]
fn every_operation_of_the_table() {
    let mut refused: Vec<&str> = Vec::new();
    for op in Op::all().filter(|op| Relation::stands_for(*op)) {
        let (mut seen, mut taken) = ([0, 0], false);
        for problem in Form::of(op).iter().flat_map(Form::problems) {
            let Ok(graph) = StringGraph::of_problem(&problem, Alphabet::Ascii) else { continue };
            for edge in graph.edges().iter().filter(|edge| edge.relation.op() == Some(op)) {
                let (trial, edge) = alone(&graph, edge);
                let mut only = trial.graph.clone();
                only.add_edge(edge.clone());
                only.add_lengths();
                let mut array = ArrayProblem::new(&only);
                match encode(&only, &mut array, &mut |_, _| Ok(false), &Budget::unlimited()) {
                    Ok(()) => {
                        taken = true;
                        let counts = trial.compare(&edge);
                        seen = [seen[0] + counts[0], seen[1] + counts[1]];
                    }
                    Err(BackendError::Unsupported(what)) => assert!(what.contains(op.name()), "{what}"),
                    Err(error) => panic!("{error}"),
                }
            }
        }
        if taken {
            assert!(seen[0] > 0 && seen[1] > 0, "{}: {seen:?}", op.name());
        } else {
            refused.push(op.name());
        }
    }
    assert_eq!(refused, ["str.replace_re", "str.replace_re_all"]);
}

/// Whether the constraints hold for some values of the fresh integers.
fn satisfied(
    graph: &StringGraph,
    problem: &ArrayProblem,
    word: &impl Fn(StringVertex) -> SmtString,
    int: &impl Fn(IntVertex) -> Int,
    outside: i64,
) -> bool {
    let mut bound = Vec::new();
    for forall in problem.foralls() {
        bound.push(forall.variable);
        if let Body::Exists { variable, .. } = &forall.body {
            bound.push(*variable);
        }
    }
    let fresh: Vec<IntVertex> =
        (graph.ints().len()..problem.ints()).map(IntVertex::at).filter(|v| !bound.contains(v)).collect();
    let choices: Vec<i64> = (-2..=4).collect();
    let state = Counter::new(0_usize);
    let value = |v: IntVertex| {
        if let Some(place) = fresh.iter().position(|f| *f == v) {
            let digit = state.get() / choices.len().pow(place.try_into().unwrap()) % choices.len();
            return Int::from(choices[digit]);
        }
        if v.index() < graph.ints().len()
            && let backends_graph::IntKind::Length(s) = graph.int(v)
        {
            return Int::from(word(*s).len());
        }
        int(v)
    };
    let code = |s: StringVertex, index: &Int| {
        let word = word(s);
        match index.small().and_then(|i| usize::try_from(i).ok()).and_then(|i| word.chars().get(i)) {
            Some(c) => Int::from(c.0),
            None => Int::from(outside),
        }
    };
    (0..choices.len().pow(fresh.len().try_into().unwrap())).any(|number| {
        state.set(number);
        problem.ground().iter().all(|f| formula::eval(f, &value, &code))
            && problem.foralls().iter().all(|f| f.eval(50, &value, &code).unwrap())
    })
}

type Make = fn(StringVertex, StringVertex) -> Relation;

#[test]
fn predicates_of_two_words() {
    let all: [Make; 6] = [
        |a, b| Relation::Equal { a, b },
        |s, t| Relation::StartsWith { s, t },
        |s, t| Relation::EndsWith { s, t },
        |s, t| Relation::Contains { s, t },
        |s, t| Relation::Less { s, t },
        |s, t| Relation::LessEqual { s, t },
    ];
    for make in all {
        for positive in [true, false] {
            let edge = |relation| Edge { relation, positive };
            let mut trial = Trial::new("ab", 3);
            let (s, t) = (trial.string(), trial.string());
            assert!(trial.run(&edge(make(s, t)))[1] > 0);
            for constant in ["", "a", "ab", "aba"] {
                for turned in [false, true] {
                    let mut trial = Trial::new("ab", 4);
                    let (s, c) = (trial.string(), trial.graph.constant(constant));
                    // Some of these hold of every word, or of none: the empty prefix, say.
                    let relation = if turned { make(c, s) } else { make(s, c) };
                    let possible = words(&trial.graph, 4).into_iter().any(|w| {
                        let word = |v| if v == s { w.clone() } else { SmtString::from(constant) };
                        edge_holds(&trial.graph, &edge(relation.clone()), word, |_| Int::ZERO).unwrap()
                    });
                    if possible {
                        trial.run(&edge(relation));
                    }
                }
            }
        }
    }
}

#[test]
fn constants_that_refute() {
    // Nothing is without the empty word: the case ¬contains("").
    let mut trial = Trial::new("ab", 3);
    let (s, t) = (trial.string(), trial.graph.constant(""));
    let edge = Edge::negative(Relation::Contains { s, t });
    trial.graph.add_edge(edge);
    trial.graph.add_lengths();
    let mut problem = ArrayProblem::new(&trial.graph);
    encode(&trial.graph, &mut problem, &mut |_, _| Ok(false), &Budget::unlimited()).unwrap();
    for word in words(&trial.graph, 3) {
        let of = |v| if v == s { word.clone() } else { SmtString::empty() };
        assert!(!satisfied(&trial.graph, &problem, &of, &|_| Int::ZERO, -1));
    }
}

#[test]
fn long_words_are_quantified() {
    // Beyond the size that is written out, constants are arrays like others.
    let long = "ab".repeat(70);
    let mut trial = Trial::new("ab", 2);
    let (s, c) = (trial.string(), trial.graph.constant(long.as_str()));
    trial.graph.add_edge(Edge::negative(Relation::Contains { s: c, t: s }));
    trial.graph.add_lengths();
    let mut problem = ArrayProblem::new(&trial.graph);
    encode(&trial.graph, &mut problem, &mut |_, _| Ok(false), &Budget::unlimited()).unwrap();
    assert!(!problem.foralls().is_empty());
    for word in words(&trial.graph, 2) {
        let of = |v| if v == s { word.clone() } else { SmtString::from(long.as_str()) };
        let holds = problem.ground().iter().all(|f| formula::eval(f, &|_| Int::ZERO, &|_, _| Int::ZERO));
        assert!(holds);
        let length = Int::from(word.len());
        let code = |v, i: &Int| {
            let word: SmtString = of(v);
            i.small()
                .and_then(|i| word.chars().get(usize::try_from(i).ok()?).copied())
                .map_or(Int::MINUS_ONE, |c| Int::from(c.0))
        };
        let found = problem.foralls().iter().all(|f| f.eval(200, &|_| length.clone(), &code).unwrap());
        assert_eq!(found, !long.contains(&word.to_string()), "{word}");
    }
}

#[test]
fn concatenation_and_parts() {
    let mut trial = Trial::new("ab", 3);
    let (a, b, r) = (trial.string(), trial.string(), trial.string());
    trial.run(&Edge::positive(Relation::Concat { a, b, r }));
    let mut trial = Trial::new("ab", 4);
    let (s, r) = (trial.string(), trial.string());
    trial.run(&Edge::positive(Relation::Concat { a: s, b: s, r }));
    let mut trial = Trial::new("ab", 3);
    let (s, i, r) = (trial.string(), trial.int(), trial.string());
    trial.run(&Edge::positive(Relation::At { s, i, r }));
    // The empty substring, which the printed encoding excludes, is among these.
    let mut trial = Trial::new("ab", 3);
    let (s, from, count, r) = (trial.string(), trial.int(), trial.int(), trial.string());
    trial.run(&Edge::positive(Relation::Substr { s, from, count, r }));
    let mut trial = Trial::new("ab", 3);
    trial.ints = -1..=99;
    let (s, i, c) = (trial.string(), trial.int(), trial.int());
    trial.run(&Edge::positive(Relation::CharAt { s, i, c }));
}

#[test]
fn positions() {
    // "abab".indexOf("ab") is 0 and not 2, and -1 says that there is none at all.
    for constant in [None, Some(""), Some("a"), Some("ab")] {
        for last in [false, true] {
            let mut trial = Trial::new("ab", if constant.is_some() { 4 } else { 3 });
            let s = trial.string();
            let t = match constant {
                Some(word) => trial.graph.constant(word),
                None => {
                    trial.length = 2;
                    trial.string()
                }
            };
            let (from, i) = (trial.int(), trial.int());
            let relation = if last {
                Relation::LastIndexOf { s, t, from, i }
            } else {
                Relation::IndexOf { s, t, from, i }
            };
            trial.run(&Edge::positive(relation));
        }
    }
    let mut trial = Trial::new("ab", 3);
    let (t, from, i) = (trial.string(), trial.int(), trial.int());
    let s = trial.graph.constant("abaab");
    trial.run(&Edge::positive(Relation::IndexOf { s, t, from, i }));
}

#[test]
fn blanks() {
    // A word that is all blank leaves nothing, and U+0009 is blank too.
    let mut trial = Trial::new(" a\t", 3);
    let (s, r) = (trial.string(), trial.string());
    trial.run(&Edge::positive(Relation::Trim { s, r }));
    let mut trial = Trial::new(" a!\u{7}", 4);
    let (s, r) = (trial.string(), trial.graph.constant("a"));
    trial.run(&Edge::positive(Relation::Trim { s, r }));
}

#[test]
fn replacement() {
    let mut trial = Trial::new("ab", 2);
    let [s, t, by, r] = [(); 4].map(|()| trial.string());
    trial.run(&Edge::positive(Relation::Replace { s, t, by, r }));
    let mut trial = Trial::new("ab", 4);
    let (s, r) = (trial.string(), trial.string());
    let (t, by) = (trial.graph.constant("ab"), trial.graph.constant("b"));
    trial.run(&Edge::positive(Relation::Replace { s, t, by, r }));
    for (old, new) in [("a", "b"), ("b", "b"), ("", "ab")] {
        let mut trial = Trial::new("ab", 4);
        let (s, r) = (trial.string(), trial.string());
        let (t, by) = (trial.graph.constant(old), trial.graph.constant(new));
        trial.run(&Edge::positive(Relation::ReplaceAll { s, t, by, r }));
    }
}

#[test]
fn letters_and_codes() {
    for upper in [false, true] {
        let mut trial = Trial::new("aAz@", 2);
        let (s, r) = (trial.string(), trial.string());
        let relation = if upper { Relation::ToUpper { s, r } } else { Relation::ToLower { s, r } };
        trial.run(&Edge::positive(relation));
    }
    let mut trial = Trial::new("ab", 2);
    trial.ints = -2..=200;
    let (s, c) = (trial.string(), trial.int());
    trial.run(&Edge::positive(Relation::ToCode { s, c }));
    let mut trial = Trial::new("ab", 2);
    trial.ints = -2..=200;
    let (c, r) = (trial.int(), trial.string());
    trial.graph.restrict_characters(&CharSet::full(Alphabet::Ascii));
    trial.run(&Edge::positive(Relation::FromCode { c, r }));
    let mut trial = Trial::new("abc", 3);
    trial.ints = -3..=3;
    let (s, t, i) = (trial.string(), trial.string(), trial.int());
    trial.run(&Edge::positive(Relation::CompareTo { s, t, i }));
    for positive in [true, false] {
        let mut trial = Trial::new("09a", 3);
        let s = trial.string();
        trial.run(&Edge { relation: Relation::IsDigit { s }, positive });
    }
}

#[test]
fn numbers() {
    // Leading zeros, characters that are no digits, nothing at all.
    let mut trial = Trial::new("01x", 4);
    trial.ints = -2..=112;
    let (s, i) = (trial.string(), trial.int());
    trial.run(&Edge::positive(Relation::ToInt { s, i }));
    let mut trial = Trial::new("0123", 3);
    trial.ints = -12..=340;
    let (i, r) = (trial.int(), trial.string());
    trial.run(&Edge::positive(Relation::FromInt { i, r }));
}

#[test]
fn numbers_have_no_bound_below_ten_digits_after_leading_zeros() {
    let text = "000000000000000000000000000000001234567890";
    let (zeros, right) = (32_i64, Int::from(1_234_567_890_i64));
    // A number that is a variable, and constants, which have no bound at all.
    let cases = [None, Some(right.clone()), Some(Int::from(1_234_567_891_i64)), Some(Int::ZERO)];
    for constant in cases {
        let mut graph = StringGraph::new(Alphabet::Ascii);
        let s = graph.declare_string("s");
        let i = match &constant {
            Some(number) => graph.constant_int(number.clone()),
            None => graph.declare_int("i"),
        };
        graph.add_edge(Edge::positive(Relation::ToInt { s, i }));
        graph.add_lengths();
        let mut problem = ArrayProblem::new(&graph);
        encode(&graph, &mut problem, &mut |_, _| Ok(false), &Budget::unlimited()).unwrap();
        assert_eq!(problem.weakened().is_empty(), constant.is_some());
        let word = SmtString::from(text);
        // Where the digits that count start; a position of something that is no digit is not asked for.
        let holds = |number: &Int| {
            let value = |v: IntVertex| match v {
                _ if Some(v) == graph.length_of(s) => Int::from(text.len()),
                _ if v == i => number.clone(),
                _ => Int::from(zeros),
            };
            let code = |_, index: &Int| match index.position(text.len() - 1) {
                Some(place) => Int::from(word.chars()[place].0),
                None => Int::MINUS_ONE,
            };
            problem.ground().iter().all(|f| formula::eval(f, &value, &code))
                && problem.foralls().iter().all(|f| f.eval(100, &value, &code).unwrap())
        };
        match constant {
            Some(number) => assert_eq!(holds(&number), number == right, "{number}"),
            None => {
                assert!(holds(&right));
                assert!(!holds(&Int::from(1_234_567_891_i64)) && !holds(&Int::MINUS_ONE));
            }
        }
    }
}

#[test]
fn numbers_that_are_known_or_bounded() {
    for constant in [-1_i64, 0, 1, 10, 11, 101, 110] {
        let mut trial = Trial::new("01x", 4);
        let (s, i) = (trial.string(), trial.graph.constant_int(constant));
        trial.run(&Edge::positive(Relation::ToInt { s, i }));
        let mut trial = Trial::new("01x", 4);
        let (r, i) = (trial.string(), trial.graph.constant_int(constant));
        trial.run(&Edge::positive(Relation::FromInt { i, r }));
    }
    // The digits of a number are no more than a bound of it or of the word allows.
    let mut graph = StringGraph::new(Alphabet::Ascii);
    let (s, i) = (graph.declare_string("s"), graph.declare_int("i"));
    graph.add_edge(Edge::positive(Relation::ToInt { s, i }));
    let length = graph.length(s);
    for sum in [Sum::from(i), Sum::from(length)] {
        let mut graph = graph.clone();
        graph.add_formula(sum.le(&Sum::from(9_i64)));
        let mut problem = ArrayProblem::new(&graph);
        encode(&graph, &mut problem, &mut |_, _| Ok(false), &Budget::unlimited()).unwrap();
        assert!(problem.weakened().is_empty());
    }
}

#[test]
fn numerals() {
    let digit = Regex::set(CharSet::from_ranges([(48, 57)]));
    let sign = Regex::union([Regex::literal(&SmtString::from("-")), Regex::literal(&SmtString::from("+"))]);
    let integer = Regex::concat([sign.repeat(0, Some(1)), digit.clone().repeat(1, None)]);
    for regex in [integer, digit.star()] {
        for positive in [true, false] {
            let mut trial = Trial::new("0-9x", 3);
            let s = trial.string();
            trial.run(&Edge { relation: Relation::InRe { s, regex: Arc::new(regex.clone()) }, positive });
        }
    }
}

#[test]
fn finite_shapes_of_regular_languages() {
    let digit = Regex::set(CharSet::from_ranges([(48, 49)]));
    let regex = Regex::union([
        Regex::concat([Regex::literal(&SmtString::from("a")), digit.clone()]),
        digit.repeat(3, Some(3)),
        Regex::Epsilon,
    ]);
    for positive in [true, false] {
        let mut trial = Trial::new("01a", 4);
        let s = trial.string();
        trial.run(&Edge { relation: Relation::InRe { s, regex: Arc::new(regex.clone()) }, positive });
    }
}

fn refusal(make: impl FnOnce(&mut StringGraph) -> Relation) -> String {
    let mut graph = StringGraph::new(Alphabet::Ascii);
    let relation = make(&mut graph);
    graph.add_edge(Edge::positive(relation));
    graph.add_lengths();
    let mut problem = ArrayProblem::new(&graph);
    match encode(&graph, &mut problem, &mut |_, _| Ok(false), &Budget::unlimited()) {
        Err(BackendError::Unsupported(name)) => name,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_refused_is_named() {
    let loops = Arc::new(Regex::set(CharSet::single(Char::from(b'a'))).star());
    assert_eq!(
        refusal(|g| Relation::InRe { s: g.declare_string("s"), regex: loops.clone() }),
        "inRe (str.in_re)"
    );
    let replace = |g: &mut StringGraph| (g.declare_string("s"), g.declare_string("t"), g.declare_string("r"));
    let name = refusal(|g| {
        let (s, by, r) = replace(g);
        Relation::ReplaceRe { s, regex: loops.clone(), by, r }
    });
    assert_eq!(name, "replaceRe (str.replace_re)");
    let name = refusal(|g| {
        let (s, t, r) = replace(g);
        Relation::ReplaceAll { s, t, by: g.constant("ab"), r }
    });
    assert_eq!(name, "replaceAll (str.replace_all)");
}

#[test]
fn a_hook_comes_first() {
    let mut graph = StringGraph::new(Alphabet::Ascii);
    let s = graph.declare_string("s");
    let loops = Arc::new(Regex::set(CharSet::single(Char::from(b'a'))).star());
    graph.add_edge(Edge::positive(Relation::InRe { s, regex: loops }));
    graph.add_lengths();
    let mut problem = ArrayProblem::new(&graph);
    let mut asked = 0;
    let mut hook = |problem: &mut ArrayProblem, edge: &Edge| {
        asked += edge.relation.vertices().filter(|v| *v == Vertex::String(s)).count();
        problem.require(Formula::Bool(true));
        Ok(true)
    };
    encode(&graph, &mut problem, &mut hook, &Budget::unlimited()).unwrap();
    assert_eq!(asked, 1);
}

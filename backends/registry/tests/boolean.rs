//! Boolean structure over strings, for every family: what is said of it is what Z3 and brute force say, each
//! model holds for the trusted evaluator, and what a refutation names is unsatisfiable.

#![cfg(feature = "z3")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::time::Duration;

use backends_api::{BackendError, Budget, Probe, Strategy};
use backends_boolean::{Conjunctions, Decision, Unknowns};
use backends_graph::testkit::Draw;
use backends_z3::NativeStrategy;
use harness_check::ModelVerdict;
use harness_model::{Alphabet, Answer, Question, Verdict, Witness};
use harness_theory::Problem;

const DECLARATIONS: &str = "(declare-const a Bool)(declare-const b Bool)\
    (declare-const s String)(declare-const t String)(declare-const i Int)";
/// What brute force may try: as small as the problems say.
const BOUNDS: &str = "(assert (str.in_re s ((_ re.loop 0 2) (re.range \"a\" \"c\"))))\
    (assert (str.in_re t ((_ re.loop 0 2) (re.range \"a\" \"c\"))))(assert (<= (- 1) i 3))";

const PREDICATES: [&str; 22] = [
    "a",
    "b",
    "(= s t)",
    "(= s \"ab\")",
    "(= t \"b\")",
    "(distinct s t \"a\")",
    "(str.prefixof \"a\" s)",
    "(str.suffixof t s)",
    "(str.contains s \"b\")",
    "(str.in_re t (re.+ (str.to_re \"ab\")))",
    "(str.in_re s (re.++ (str.to_re t) (re.opt (re.range \"a\" \"b\"))))",
    "(str.in_re s (re.union (str.to_re t) (re.diff (re.* re.allchar) (str.to_re \"c\"))))",
    "(= (str.len s) 2)",
    "(= (str.indexof s \"b\" 0) i)",
    "(= i 1)",
    "(< (str.len t) i)",
    "(= (str.replace s \"a\" \"c\") t)",
    "(str.< s t \"bb\")",
    "(= (re.++ (re.* (str.to_re \"a\")) (str.to_re \"b\")) (re.union (str.to_re \"b\") (str.to_re \"ab\")))",
    "(str.in_re \"abab\" (re.+ (re.union (str.to_re s) (str.to_re \"b\"))))",
    "(str.in_re \"aba\" (re.++ (re.* (str.to_re t)) (re.comp (re.* (str.to_re s)))))",
    "(= (re.+ (str.to_re \"a\")) (re.++ (str.to_re \"a\") (re.* (str.to_re \"a\"))))",
];

/// One of each family that takes scripts, and variants that refute in other ways.
const STRATEGIES: [&str; 11] = [
    "graph-automata-ranges",
    "graph-automata-free-ranges",
    "graph-bitvector",
    "automata-only",
    "parray-qelim-iterative",
    "parray-concrete",
    "parray+automata",
    "parray+automata+qelim",
    "hybrid",
    "hybrid-relaxed",
    "brute-force",
];

fn string(draw: &mut Draw, depth: usize) -> String {
    match draw.below(if depth == 0 { 4 } else { 7 }) {
        0 | 1 => "s".to_owned(),
        2 => "t".to_owned(),
        3 => ["\"\"", "\"a\"", "\"bc\""][draw.below(3)].to_owned(),
        4 => {
            let condition = formula(draw, depth - 1);
            format!("(ite {condition} {} {})", string(draw, depth - 1), string(draw, depth - 1))
        }
        5 => format!("(str.++ {} {})", string(draw, depth - 1), string(draw, depth - 1)),
        _ => format!("(str.at {} {})", string(draw, depth - 1), integer(draw, depth - 1)),
    }
}

fn integer(draw: &mut Draw, depth: usize) -> String {
    match draw.below(if depth == 0 { 3 } else { 5 }) {
        0 | 1 => "i".to_owned(),
        2 => draw.below(3).to_string(),
        3 => format!("(str.len {})", string(draw, depth - 1)),
        _ => {
            let condition = formula(draw, depth - 1);
            format!("(ite {condition} {} {})", integer(draw, depth - 1), integer(draw, depth - 1))
        }
    }
}

/// A Boolean term.
fn formula(draw: &mut Draw, depth: usize) -> String {
    if depth == 0 || draw.below(5) == 0 {
        let atom = PREDICATES[draw.below(PREDICATES.len())];
        return if draw.below(3) == 0 { format!("(not {atom})") } else { atom.to_owned() };
    }
    let chosen = draw.below(13);
    if chosen < 3 {
        return match chosen {
            0 => format!("(= {} {})", string(draw, depth), string(draw, depth)),
            1 => format!("(str.prefixof {} {})", string(draw, depth), string(draw, depth)),
            _ => format!("(<= {} {})", integer(draw, depth), integer(draw, depth)),
        };
    }
    let mut next = || formula(draw, depth - 1);
    let (x, y, z) = (next(), next(), next());
    match chosen {
        3 => format!("(=> {x} {y})"),
        4 => format!("(=> {x} {y} {z})"),
        5 | 6 => format!("(or {x} {y} {z})"),
        7 => format!("(and {x} {y})"),
        8 => format!("(xor {x} {y} {z})"),
        9 => format!("(= {x} {y})"),
        10 => format!("(distinct {x} {y})"),
        11 => format!("(let ((l {x})) (or (and l {y}) (and (not l) {z})))"),
        _ => format!("(ite {x} {y} {z})"),
    }
}

fn script(assertions: &[String]) -> String {
    let assertions: String = assertions.iter().map(|a| format!("(assert {a})")).collect();
    format!("{DECLARATIONS}{BOUNDS}{assertions}(check-sat)")
}

/// The answer to a script; `None` where it takes too long or is refused.
fn answer(strategy: &dyn Strategy, text: &str, time: Duration) -> Option<Answer> {
    let question = Question::of_script(Alphabet::Ascii, text.to_owned(), 1);
    let (budget, probe) = (Budget::with_time(time), Probe::new());
    match strategy.prepare(&question, &budget, &probe).unwrap().run(&probe) {
        Ok(outcome) => outcome.answers.into_iter().next(),
        Err(BackendError::Stopped(_) | BackendError::Unsupported(_)) => None,
        Err(error) => panic!("{}: {error}: {text}", strategy.info().name),
    }
}

fn problem(text: &str) -> Problem {
    harness_smtlib::read(text.as_bytes()).unwrap().queries.swap_remove(0).problem
}

/// Whether the trusted evaluator finds the model right.
fn holds(text: &str, answer: &Answer) -> bool {
    let Some(Witness::Model(model)) = &answer.witness else { return false };
    let problem = problem(text);
    let terms = harness_smtlib::model::read(model.as_bytes(), &problem, Alphabet::Ascii).unwrap().unwrap();
    let assignment = harness_check::model::evaluate(&terms, &problem, Alphabet::Ascii).unwrap();
    matches!(harness_check::model::check(&problem, &assignment, Alphabet::Ascii), ModelVerdict::Holds)
}

#[test]
fn every_family_answers_as_z3_and_brute_force() {
    let registry = backends::registry();
    let strategies = STRATEGIES.map(|name| registry.resolve(name).unwrap().build());
    let time = Duration::from_millis(300);
    let (mut sat, mut unsat) = ([0; STRATEGIES.len()], [0; STRATEGIES.len()]);
    for seed in 0..40 {
        let mut draw = Draw::new(seed);
        let count = 1 + draw.below(4);
        let drawn: Vec<String> = (0..count).map(|_| formula(&mut draw, 3)).collect();
        let text = script(&drawn);
        let z3 = answer(&NativeStrategy, &text, time).map(|a| a.verdict);
        let Some(right @ (Verdict::Sat | Verdict::Unsat)) = z3 else { continue };
        for (place, strategy) in strategies.iter().enumerate() {
            let Some(said) = answer(strategy.as_ref(), &text, time) else { continue };
            match said.verdict {
                verdict @ (Verdict::Sat | Verdict::Unsat) => {
                    assert_eq!(verdict, right, "{}, seed {seed}: {text}", STRATEGIES[place]);
                    (if verdict == Verdict::Sat { &mut sat } else { &mut unsat })[place] += 1;
                }
                Verdict::UnsatWithinBound => {
                    assert_eq!(right, Verdict::Unsat, "{}: {text}", STRATEGIES[place]);
                }
                Verdict::Unknown | Verdict::Empty | Verdict::Nonempty => {}
            }
            if said.verdict == Verdict::Sat {
                assert!(holds(&text, &said), "{}, seed {seed}: {text}: {said:?}", STRATEGIES[place]);
            }
        }
    }
    for (place, name) in STRATEGIES.iter().enumerate() {
        // Relaxed solving never finds values.
        let least = if *name == "hybrid-relaxed" { 1 } else { 3 };
        assert!(sat[place] + unsat[place] >= least, "{name}: {sat:?} {unsat:?}");
    }
    assert!(unsat.iter().sum::<usize>() >= 15, "{unsat:?}");
}

/// Atoms that systems of regular constraints have.
const MEMBERSHIPS: [&str; 9] = [
    "a",
    "b",
    "(= s \"ab\")",
    "(= (str.++ t s) \"abc\")",
    "(str.in_re t (re.+ (str.to_re \"ab\")))",
    "(str.in_re (str.++ s t) (re.* (str.to_re \"ab\")))",
    "(str.in_re (str.++ t \"c\" s) (re.++ re.allchar (re.* (re.range \"b\" \"c\"))))",
    "(str.in_re (str.++ s s) (re.comp (re.++ re.all (str.to_re \"a\") re.all)))",
    "(str.in_re s (re.diff (re.* re.allchar) (str.to_re \"c\")))",
];

/// A Boolean term over them.
fn structure(draw: &mut Draw, depth: usize) -> String {
    if depth == 0 || draw.below(5) == 0 {
        let atom = MEMBERSHIPS[draw.below(MEMBERSHIPS.len())];
        return if draw.below(3) == 0 { format!("(not {atom})") } else { atom.to_owned() };
    }
    let mut next = || structure(draw, depth - 1);
    let (x, y, z) = (next(), next(), next());
    match draw.below(6) {
        0 => format!("(=> {x} {y})"),
        1 => format!("(or {x} {y} {z})"),
        2 => format!("(and {x} (or {y} {z}))"),
        3 => format!("(xor {x} {y} {z})"),
        4 => format!("(let ((l {x})) (or (and l {y}) (and (not l) {z})))"),
        _ => format!("(ite {x} {y} {z})"),
    }
}

#[test]
fn structure_over_memberships_is_taken_apart_for_systems() {
    let registry = backends::registry();
    let names = ["strsolve", "strsolve-bdd", "strsolve-published"];
    let strategies = names.map(|name| registry.resolve(name).unwrap().build());
    let brute_force = registry.resolve("brute-force").unwrap().build();
    let time = Duration::from_secs(20);
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..60 {
        let mut draw = Draw::new(seed);
        let mut text =
            "(declare-const a Bool)(declare-const b Bool)(declare-const s String)(declare-const t String)\
                        (assert (str.in_re s ((_ re.loop 0 3) (re.range \"a\" \"c\"))))\
                        (assert (str.in_re t ((_ re.loop 0 3) (re.range \"a\" \"c\"))))"
                .to_owned();
        for _ in 0..2 + draw.below(5) {
            text.push_str(&format!("(assert {})", structure(&mut draw, 2)));
        }
        text.push_str("(check-sat)");
        let right = answer(brute_force.as_ref(), &text, time).unwrap().verdict.is_positive();
        *(if right { &mut sat } else { &mut unsat }) += 1;
        for strategy in &strategies {
            let said = answer(strategy.as_ref(), &text, time).unwrap();
            assert_eq!(said.verdict, if right { Verdict::Sat } else { Verdict::Unsat }, "{seed}: {text}");
            assert!(!right || holds(&text, &said), "{seed}: {text}: {said:?}");
        }
    }
    assert!(sat > 10 && unsat > 5, "{sat} {unsat}");
    // What is no membership is refused by its name.
    let text = "(declare-const s String)(assert (or (= s \"a\") (str.contains s s)))(assert (< (str.len s) 1))(check-sat)";
    let question = Question::of_script(Alphabet::Ascii, text.to_owned(), 1);
    let (budget, probe) = (Budget::unlimited(), Probe::new());
    let refused = strategies[0].prepare(&question, &budget, &probe).unwrap().run(&probe);
    let Err(BackendError::Unsupported(what)) = refused else { panic!("{refused:?}") };
    assert!(what.contains("is no membership"), "{what}");
}

/// Conjunctions decided by Z3's own strings, which explain nothing.
struct ByZ3;

impl Conjunctions for ByZ3 {
    fn decide(
        &mut self,
        problem: &Problem,
        budget: &Budget,
        probe: &Probe,
    ) -> Result<Decision, BackendError> {
        let question =
            Question::of_script(Alphabet::Ascii, harness_smtlib::print::problem(problem, "ALL", None), 1);
        let outcome = NativeStrategy.prepare(&question, budget, probe)?.run(probe)?;
        Ok(match outcome.answers[0].verdict {
            Verdict::Sat => Decision::Sat(harness_theory::Assignment::new()),
            Verdict::Unsat => Decision::Unsat(None),
            Verdict::UnsatWithinBound | Verdict::Unknown | Verdict::Empty | Verdict::Nonempty => {
                Decision::Unknown("z3".to_owned())
            }
        })
    }
}

#[test]
fn refutations_name_assertions_that_clash() {
    let (mut cores, mut smaller) = (0, 0);
    for seed in 500..600 {
        let mut draw = Draw::new(seed);
        let count = 3 + draw.below(4);
        let drawn: Vec<String> = (0..count).map(|_| formula(&mut draw, 2)).collect();
        let problem = problem(&script(&drawn));
        let (budget, probe) = (Budget::with_time(Duration::from_secs(1)), Probe::new());
        let decided =
            backends_boolean::solve(&problem, Alphabet::Ascii, Unknowns::GoOn, &mut ByZ3, &budget, &probe);
        let Ok(Decision::Unsat(Some(core))) = decided else { continue };
        // Three assertions are the bounds.
        let named: Vec<String> = core.iter().filter(|a| *a >= 3).map(|a| drawn[a - 3].clone()).collect();
        let said = answer(&NativeStrategy, &script(&named), Duration::from_secs(30)).map(|a| a.verdict);
        assert_ne!(said, Some(Verdict::Sat), "{seed}: {named:?} of {drawn:?}");
        if said == Some(Verdict::Unsat) {
            cores += 1;
            smaller += u32::from(named.len() < drawn.len());
        }
    }
    assert!(cores > 8 && smaller > 5, "{cores} cores, {smaller} of them smaller than the problem");
}

/// A division by zero has any value, so nothing that only one of them contradicts is refuted.
#[test]
fn divisions_by_zero_refute_nothing() {
    for name in ["graph-automata-free-ranges", "graph-automata-ranges", "hybrid", "automata-only"] {
        let strategy = backends::registry().resolve(name).unwrap().build();
        for (assertion, refuted) in [
            ("(> (mod (str.len x) n) 939)", false),
            ("(not (<= (mod (str.len x) n) 939))", false),
            ("(> (div (str.len x) n) 900)", false),
            ("(and (= n 0) (= (div (str.len x) n) 1) (= (mod (str.len x) n) 2))", false),
            ("(and (distinct n 0) (> (mod (str.len x) n) 939))", true),
        ] {
            let text = format!(
                "(declare-const x String)(declare-const n Int)(assert (<= (- 9) n 9))(assert (<= (str.len x) 20))
                 (assert {assertion})(check-sat)"
            );
            let said = answer(&*strategy, &text, Duration::from_secs(5)).map(|answer| answer.verdict);
            assert!(said != Some(Verdict::Unsat) || refuted, "{name}: {assertion}");
            assert!(
                !refuted || said == Some(Verdict::Unsat) || name == "automata-only",
                "{name}: {assertion} {said:?}"
            );
        }
    }
}

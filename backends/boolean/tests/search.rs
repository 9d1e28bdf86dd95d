//! The loop against the evaluation of whole problems, with a decider that tries a few values for each
//! variable.

#![expect(clippy::unwrap_used, reason = "a test")]

use backends_api::{BackendError, Budget, Probe, Reasons};
use backends_boolean::{Conjunctions, Decision, Unknowns, solve};
use backends_fold::{Evaluator, OwnCheck, check};
use harness_model::Alphabet;
use harness_theory::{Assignment, Problem, Sort, Value};

/// The assignment of a few values that makes every assertion true, if there is one.
fn search(problem: &Problem) -> Option<Assignment> {
    let values = |sort| match sort {
        Sort::Bool => [false, true].map(Value::Bool).to_vec(),
        Sort::Int => [-1, 0, 1, 2].map(|i: i64| Value::Int(i.into())).to_vec(),
        Sort::String => ["", "a", "b", "ab"].map(|word| Value::String(word.into())).to_vec(),
        Sort::RegLan => Vec::new(),
    };
    let all = problem.variables.iter().fold(vec![Assignment::new()], |all, &variable| {
        let values = values(problem.terms.variables()[variable.index()].sort);
        let with = |assignment: &Assignment, value: &Value| {
            let mut longer = assignment.clone();
            longer.insert(variable, value.clone());
            longer
        };
        all.iter().flat_map(|some| values.iter().map(|value| with(some, value)).collect::<Vec<_>>()).collect()
    });
    let mut evaluator = Evaluator::new(&problem.terms, &problem.assertions, Alphabet::Ascii);
    all.into_iter().find(|some| evaluator.all_true(some) == Ok(true))
}

/// Decides by [`search`].
struct Few {
    /// Whether a refutation names the first assertions that clash.
    explains: bool,
    /// What it refuses, and what it does not know.
    refuses: Option<&'static str>,
    doubts: Option<&'static str>,
}

impl Few {
    const fn plain() -> Self {
        Self { explains: false, refuses: None, doubts: None }
    }
}

impl Conjunctions for Few {
    fn decide(&mut self, problem: &Problem, _: &Budget, _: &Probe) -> Result<Decision, BackendError> {
        let text = harness_smtlib::print::problem(problem, "ALL", None);
        if let Some(what) = self.refuses.filter(|what| text.contains(*what)) {
            return Err(BackendError::Unsupported(what.to_owned()));
        }
        if let Some(what) = self.doubts.filter(|what| text.contains(*what)) {
            return Ok(Decision::Unknown(what.to_owned()));
        }
        if let Some(found) = search(problem) {
            return Ok(Decision::Sat(found));
        }
        let clash = (1..=problem.assertions.len()).find(|&count| {
            let first = Problem { assertions: problem.assertions[..count].to_vec(), ..problem.clone() };
            search(&first).is_none()
        });
        let core = clash.filter(|_| self.explains).map(|count| {
            let mut core = Reasons::new();
            (0..count).for_each(|place| core.insert(place));
            core
        });
        Ok(Decision::Unsat(core))
    }
}

fn problem(text: &str) -> Problem {
    harness_smtlib::read(text.as_bytes()).unwrap().queries.swap_remove(0).problem
}

const DECLARED: &str = "(declare-const a Bool)(declare-const b Bool)(declare-const s String)(declare-const t String)\
    (declare-const i Int)";

fn decide(assertions: &str, few: &mut Few, probe: &Probe) -> Result<Decision, BackendError> {
    let problem = problem(&format!("{DECLARED}{assertions}(check-sat)"));
    solve(&problem, Alphabet::Ascii, Unknowns::GoOn, few, &Budget::unlimited(), probe)
}

struct Draw(usize);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn atom(&mut self) -> &'static str {
        const ATOMS: [&str; 14] = [
            "a",
            "b",
            "(= s t)",
            "(= s \"a\")",
            "(= \"ab\" t)",
            "(distinct s t \"b\")",
            "(str.prefixof s t)",
            "(str.contains t \"b\")",
            "(str.in_re s (re.++ (re.opt (str.to_re \"a\")) (str.to_re t)))",
            "(= i (str.len s))",
            "(< i 1)",
            "(<= (str.len t) i (str.len s))",
            "(str.<= s t \"ab\")",
            "(str.in_re t (re.comp (re.union (str.to_re s) (str.to_re \"b\"))))",
        ];
        ATOMS[self.below(ATOMS.len())]
    }

    fn word(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 3 } else { 5 }) {
            0 => "s".to_owned(),
            1 => "t".to_owned(),
            2 => "\"b\"".to_owned(),
            _ => {
                format!("(ite {} {} {})", self.formula(depth - 1), self.word(depth - 1), self.word(depth - 1))
            }
        }
    }

    fn formula(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.atom().to_owned();
        }
        let depth = depth - 1;
        match self.below(10) {
            0 => format!("(not {})", self.formula(depth)),
            1 => format!("(and {} {})", self.formula(depth), self.formula(depth)),
            2 | 3 => format!("(or {} {} {})", self.formula(depth), self.formula(depth), self.formula(depth)),
            4 => format!("(=> {} {})", self.formula(depth), self.formula(depth)),
            5 => format!("(xor {} {})", self.formula(depth), self.formula(depth)),
            6 => format!("(= {} {} {})", self.formula(depth), self.formula(depth), self.formula(depth)),
            7 => format!("(ite {} {} {})", self.formula(depth), self.formula(depth), self.formula(depth)),
            8 => format!("(str.suffixof {} (str.++ t {}))", self.word(depth), self.word(depth)),
            _ => format!("(= {} (ite {} i 1))", self.below(3), self.formula(depth)),
        }
    }
}

#[test]
fn decisions_are_those_of_the_whole_problem() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..150 {
        let mut draw = Draw(seed);
        let count = 1 + draw.below(4);
        let drawn: Vec<String> = (0..count).map(|_| draw.formula(3)).collect();
        let asserted = |drawn: &[String]| drawn.iter().map(|a| format!("(assert {a})")).collect::<String>();
        let whole = problem(&format!("{DECLARED}{}(check-sat)", asserted(&drawn)));
        let right = search(&whole);
        for explains in [false, true] {
            let probe = Probe::new();
            match decide(&asserted(&drawn), &mut Few { explains, ..Few::plain() }, &probe).unwrap() {
                Decision::Sat(model) => {
                    assert_eq!(check(&whole, &model, Alphabet::Ascii), OwnCheck::Holds, "{seed}: {drawn:?}");
                    sat += 1;
                }
                Decision::Unsat(Some(core)) => {
                    assert_eq!(right, None, "{seed}: {drawn:?}");
                    let named: Vec<String> = core.iter().map(|place| drawn[place].clone()).collect();
                    let core = problem(&format!("{DECLARED}{}(check-sat)", asserted(&named)));
                    assert_eq!(search(&core), None, "{seed}: {named:?} of {drawn:?}");
                    unsat += 1;
                }
                other => panic!("{seed}: {other:?}"),
            }
        }
    }
    assert!(sat > 150 && unsat > 30, "{sat} {unsat}");
}

#[test]
fn what_is_open_or_refused_is_outweighed_by_a_model_alone() {
    let either = "(assert (or (= s \"a\") (str.contains t \"b\")))";
    let doubts = || Few { doubts: Some("contains"), ..Few::plain() };
    let refuses = || Few { refuses: Some("contains"), ..Few::plain() };
    let probe = Probe::new();
    assert!(matches!(decide(either, &mut doubts(), &probe), Ok(Decision::Sat(_))));
    assert!(matches!(decide(either, &mut refuses(), &probe), Ok(Decision::Sat(_))));
    let neither =
        format!("{either}(assert (not (= s \"a\")))(assert (or a (str.contains t s)))(assert (not a))");
    assert_eq!(decide(&neither, &mut doubts(), &probe), Ok(Decision::Unknown("contains".to_owned())));
    let refused = decide(&neither, &mut refuses(), &probe);
    assert_eq!(refused, Err(BackendError::Unsupported("contains".to_owned())));
}

#[test]
fn a_language_with_two_open_parts_is_refused_by_name() {
    let two =
        "(assert (or a (str.in_re s (re.++ (re.* re.allchar) (str.to_re t) (re.* (str.to_re \"b\"))))))";
    let refused = decide(two, &mut Few::plain(), &Probe::new());
    let what = "str.in_re with a regular language that depends on a variable";
    assert_eq!(refused, Err(BackendError::Unsupported(what.to_owned())));
}

/// Each level doubles what would be walked without a bound. A declared language is one, too.
#[test]
fn nested_languages_over_terms_are_refused_in_time() {
    let what = "str.in_re with a regular language that depends on a variable";
    let mut language = "(str.to_re t)".to_owned();
    for _ in 0..40 {
        language = format!("(let ((r {language})) (ite a (re.union r (re.comp r)) re.none))");
    }
    for language in [language.as_str(), "(re.opt l)"] {
        let text = format!("(declare-const l RegLan)(assert (str.in_re s {language}))");
        let refused = decide(&text, &mut Few::plain(), &Probe::new());
        assert_eq!(refused, Err(BackendError::Unsupported(what.to_owned())), "{language}");
    }
}

/// Two parts that share no variable are decided once each, however often the other one changes.
#[test]
fn parts_are_decided_once() {
    let probe = Probe::new();
    let text = "(assert (or (= s \"a\") (= s \"b\") (= s \"ab\")))(assert (not (str.in_re s (re.opt re.allchar))))\
        (assert (or (str.contains t \"a\") a))(assert (not a))";
    assert!(matches!(decide(text, &mut Few::plain(), &probe), Ok(Decision::Sat(_))));
    let (phases, counters) = probe.into_parts();
    assert!(phases.contains_key("boolean"));
    // What is equal to a constant decides the membership before anything is asked.
    assert_eq!((counters["boolean_assignments"], counters["boolean_calls"]), (1, 2), "{counters:?}");
}

//! Brute force against loops that know nothing: no bounds read off, no order, no definitions, every
//! assignment in turn.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use backends_api::{BackendError, Budget, Family as _, Probe, Stop, Strategy as _};
use backends_bounded::{Bounds, BruteForce, BruteForceFamily};
use harness_check::eval::Evaluator;
use harness_check::model::ModelVerdict;
use harness_model::{Alphabet, Answer, Question, SmtString, Verdict, Witness};
use harness_smtlib::model;
use harness_theory::Problem;
use harness_theory::sort::Sort;
use harness_theory::{Assignment, Value};
use proptest::prelude::*;

fn question(text: &str) -> Question {
    let queries = harness_smtlib::read(text.as_bytes()).map_or(0, |s| s.queries.len());
    Question::of_script(Alphabet::Ascii, text, queries)
}

fn answers(strategy: &BruteForce, text: &str, budget: &Budget) -> Result<Vec<Answer>, BackendError> {
    let question = question(text);
    let probe = Probe::new();
    let mut run = strategy.prepare(&question, budget, &probe)?;
    Ok(run.run(&probe)?.answers)
}

fn verdict(text: &str) -> Verdict {
    let [answer] = answers(&BruteForce::default(), text, &Budget::unlimited()).unwrap().try_into().unwrap();
    if let Some(Witness::Model(witness)) = &answer.witness {
        let problem = problem(text);
        let model = model::read(witness.as_bytes(), &problem, Alphabet::Unicode).unwrap().unwrap();
        let assignment = harness_check::model::evaluate(&model, &problem, Alphabet::Ascii).unwrap();
        assert_eq!(
            harness_check::model::check(&problem, &assignment, Alphabet::Ascii),
            ModelVerdict::Holds,
            "{text}"
        );
    }
    assert_eq!(answer.verdict == Verdict::Sat, answer.witness.is_some());
    answer.verdict
}

fn problem(text: &str) -> Problem {
    harness_smtlib::read(text.as_bytes()).unwrap().queries.remove(0).problem
}

/// Words over a and b of up to three letters.
fn words() -> Vec<SmtString> {
    let mut all = vec![String::new()];
    let mut start = 0;
    for _ in 0..3 {
        let end = all.len();
        for i in start..end {
            all.extend(["a", "b"].map(|letter| format!("{}{letter}", all[i])));
        }
        start = end;
    }
    all.iter().map(|w| SmtString::from(w.as_str())).collect()
}

/// Whether some assignment of `words` and integers from -1 to 4 makes all assertions true.
fn naive(problem: &Problem) -> bool {
    let choices = |sort| match sort {
        Sort::String => words().into_iter().map(Value::String).collect::<Vec<_>>(),
        Sort::Int => (-1_i64..=4).map(|i| Value::Int(i.into())).collect(),
        _ => vec![Value::Bool(false), Value::Bool(true)],
    };
    let domains: Vec<Vec<Value>> =
        problem.variables.iter().map(|v| choices(problem.terms.variables()[v.index()].sort)).collect();
    let mut evaluator = Evaluator::new(&problem.terms, &problem.assertions, Alphabet::Ascii);
    let mut indices = vec![0; domains.len()];
    loop {
        let values = problem.variables.iter().zip(&domains).zip(&indices);
        let assignment: Assignment = values.map(|((v, domain), &i)| (*v, domain[i].clone())).collect();
        if evaluator.all_true(&assignment).unwrap() {
            return true;
        }
        let Some(place) = (0..indices.len()).rev().find(|&p| indices[p] + 1 < domains[p].len()) else {
            return false;
        };
        indices[place] += 1;
        indices[place + 1..].fill(0);
    }
}

const STRINGS: [&str; 3] = ["x", "y", "z"];

fn string_term() -> impl Strategy<Value = String> + Clone {
    let leaf = prop_oneof![
        3 => prop::sample::select(&STRINGS[..]).prop_map(str::to_owned),
        1 => "[ab]{0,2}".prop_map(|w| format!("\"{w}\"")),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        let int = int_term();
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(str.++ {a} {b})")),
            (inner.clone(), int.clone(), int.clone())
                .prop_map(|(s, i, n)| format!("(str.substr {s} {i} {n})")),
            (inner.clone(), int).prop_map(|(s, i)| format!("(str.at {s} {i})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(s, t, u)| format!("(str.replace {s} {t} {u})")),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(s, t, u)| format!("(str.replace_all {s} {t} {u})")),
        ]
    })
}

fn int_term() -> impl Strategy<Value = String> + Clone {
    prop_oneof![
        Just("i".to_owned()),
        (-1_i64..4).prop_map(|n| if n < 0 { format!("(- {})", -n) } else { n.to_string() }),
        prop::sample::select(&STRINGS[..]).prop_map(|s| format!("(str.len {s})")),
        (prop::sample::select(&STRINGS[..]), prop::sample::select(&STRINGS[..]))
            .prop_map(|(s, t)| format!("(str.indexof {s} {t} 0)")),
        (prop::sample::select(&STRINGS[..]), 0_i64..3).prop_map(|(s, n)| format!("(- (str.len {s}) {n})")),
        (prop::sample::select(&STRINGS[..]), 0_i64..3).prop_map(|(s, n)| format!("(+ (str.len {s}) i {n})")),
    ]
}

fn literal() -> impl Strategy<Value = String> + Clone {
    let (s, i) = (string_term(), int_term());
    prop_oneof![
        (s.clone(), s.clone()).prop_map(|(a, b)| format!("(= {a} {b})")),
        (s.clone(), s.clone()).prop_map(|(a, b)| format!("(str.prefixof {a} {b})")),
        (s.clone(), s.clone()).prop_map(|(a, b)| format!("(str.suffixof {a} {b})")),
        (s.clone(), s.clone()).prop_map(|(a, b)| format!("(str.contains {a} {b})")),
        (s.clone(), s.clone()).prop_map(|(a, b)| format!("(not (str.contains {a} {b}))")),
        (s.clone(), s.clone()).prop_map(|(a, b)| format!("(not (= {a} {b}))")),
        s.prop_map(|a| format!("(str.in_re {a} (re.+ (str.to_re \"ab\")))")),
        (i.clone(), i.clone()).prop_map(|(a, b)| format!("(= {a} {b})")),
        (i.clone(), i.clone()).prop_map(|(a, b)| format!("(< {a} {b})")),
        (i.clone(), i).prop_map(|(a, b)| format!("(not (<= {a} {b}))")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn agrees_with_loops(literals in prop::collection::vec(literal(), 1..5)) {
        let mut text = String::from("(declare-const i Int)(assert (<= (- 1) i 4))");
        for name in STRINGS {
            text.push_str(&format!(
                "(declare-const {name} String)(assert (<= (str.len {name}) 3))
                 (assert (str.in_re {name} (re.* (re.range \"a\" \"b\"))))"
            ));
        }
        for literal in literals {
            text.push_str(&format!("\n(assert {literal})"));
        }
        text.push_str("(check-sat)");
        // Every variable is confined, so it is one or the other.
        let expected = if naive(&problem(&text)) { Verdict::Sat } else { Verdict::Unsat };
        prop_assert_eq!(verdict(&text), expected, "{}", text);
    }
}

#[test]
fn bounds_are_called_bounds() {
    let unbounded = "(declare-const s String)(assert (= (str.len s) 5))(check-sat)";
    assert_eq!(verdict(unbounded), Verdict::UnsatWithinBound);
    let longer = BruteForce::new(Bounds { length: 8, ..Bounds::DEFAULT });
    let answer = answers(&longer, unbounded, &Budget::unlimited()).unwrap().remove(0);
    assert_eq!(answer.verdict, Verdict::Sat);
    // A contradiction elsewhere is one, whatever was not tried.
    let shown = "(declare-const s String)(declare-const b Bool)(assert (= (str.len s) 5))(assert b)(assert (not b))(check-sat)";
    assert_eq!(verdict(shown), Verdict::Unsat);
    assert_eq!(verdict("(assert (= \"a\" \"b\"))(check-sat)"), Verdict::Unsat);
    assert_eq!(verdict("(declare-const idle String)(check-sat)"), Verdict::Sat);
    assert_eq!(verdict("(declare-const i Int)(assert (> i 1000))(check-sat)"), Verdict::Sat);
}

#[test]
fn literals_give_their_characters() {
    assert_eq!(
        verdict(
            "(declare-const s String)(assert (str.contains s \"~?\"))(assert (str.prefixof \"%\" s))(check-sat)"
        ),
        Verdict::Sat
    );
    assert_eq!(
        verdict("(declare-const s String)(assert (= (str.to_code s) 113))(check-sat)"),
        Verdict::UnsatWithinBound,
        "q is no literal"
    );
}

#[test]
fn what_has_no_value_is_unknown() {
    let by_zero = "(declare-const i Int)(assert (<= 0 i 3))(assert (= (div i 0) 7))(check-sat)";
    assert_eq!(verdict(by_zero), Verdict::Unknown);
    let elsewhere = "(declare-const i Int)(assert (<= 0 i 3))(assert (= (div 6 i) 3))(check-sat)";
    assert_eq!(verdict(elsewhere), Verdict::Sat);
}

#[test]
fn refusals() {
    let refused = |text: &str| answers(&BruteForce::default(), text, &Budget::unlimited()).unwrap_err();
    assert!(matches!(refused("(declare-const r RegLan)(assert (str.in_re \"a\" (re.* r)))(check-sat)"),
        BackendError::Unsupported(what) if what.contains("RegLan")));
    assert!(matches!(refused("(assert"), BackendError::Input(what) if what.starts_with("line 1")));
    let letters: String = ('a'..='z').collect();
    let free = format!(
        "(declare-const s String)(assert (not (= s \"{letters}{}\")))(check-sat)",
        letters.to_uppercase()
    );
    let given_up = |text: &str| {
        let mut all = answers(&BruteForce::default(), text, &Budget::unlimited()).unwrap();
        let answer = all.remove(0);
        assert_eq!(answer.verdict, Verdict::Unknown, "{text}");
        answer.reason.unwrap()
    };
    assert_eq!(given_up(&free), "more than 300000 values over 54 characters for 's'");
    let many: String = (0..65).map(|i| format!("(declare-const b{i} Bool)(assert b{i})")).collect();
    assert_eq!(given_up(&format!("{many}(check-sat)")), "a search would need more than 64 variables");
    let regexes = Question::of_operations(Alphabet::Ascii, Vec::new(), Vec::new());
    let (budget, probe) = (Budget::unlimited(), Probe::new());
    assert!(matches!(
        BruteForce::default().prepare(&regexes, &budget, &probe).err(),
        Some(BackendError::Unsupported(_))
    ));
}

#[test]
fn budgets_stop_it() {
    let large =
        "(declare-const s String)(declare-const t String)(assert (not (= s (str.++ t \"abcdefgh\") t)))
        (assert (= (str.len s) (+ 7 (str.len t))))(check-sat)";
    let stopped = answers(&BruteForce::default(), large, &Budget::with_steps(1000)).unwrap_err();
    assert_eq!(stopped, BackendError::Stopped(Stop::Steps(1000)));
}

#[test]
fn every_query_is_answered_by_itself() {
    let text = "(declare-const s String)(assert (= (str.len s) 1))(push)(assert (= s \"ab\"))(check-sat)(pop)(check-sat)";
    let got: Vec<Verdict> = answers(&BruteForce::default(), text, &Budget::unlimited())
        .unwrap()
        .iter()
        .map(|a| a.verdict)
        .collect();
    assert_eq!(got, [Verdict::Unsat, Verdict::Sat]);
    let names: Vec<String> = BruteForceFamily::new().listed().iter().map(|s| s.info().name).collect();
    assert_eq!(names, ["brute-force", "brute-force-8"]);
}

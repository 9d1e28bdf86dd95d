//! A limit for each `check-sat`: a query that never ends is unknown, and those around it are answered.
#![cfg(feature = "z3")]
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use backends_api::{Budget, Probe, Stop};
use harness_model::{Alphabet, Answer, Question, Verdict};

/// The second query is an equation that nobody here settles: there is always another guess of the lengths.
const SCRIPT: &str = "(declare-const x String)(declare-const y String)(declare-const n Int)
    (push)(assert (= (str.len x) n))(assert (> n 2))(check-sat)(pop)
    (push)(assert (= (str.++ x x \"aabb\" y y) (str.++ y \"abab\" x y x)))(check-sat)(pop)
    (assert (= (str.at x 1) \"q\"))(assert (str.prefixof x \"pr\"))(check-sat)";

fn answers(name: &str, budget: &Budget) -> Result<Vec<Answer>, backends_api::BackendError> {
    let strategy = backends::registry().resolve(name).unwrap().build();
    let question = Question::of_script(Alphabet::Ascii, SCRIPT.to_owned(), 3);
    let probe = Probe::new();
    strategy.prepare(&question, budget, &probe)?.run(&probe).map(|outcome| outcome.answers)
}

/// Families that have the option, with the presets of table 4.1 among theirs.
const NAMES: [&str; 5] = [
    "graph-automata-ranges",
    "graph-automata-free-ranges",
    "graph-automata-ranges-published",
    "graph-bitvector-published",
    "graph-bitvector-core",
];

#[test]
fn a_query_that_meets_the_limit_is_unknown_and_the_script_goes_on() {
    for name in NAMES {
        let all = answers(&format!("{name}-check-limit-3s"), &Budget::unlimited()).unwrap();
        let verdicts: Vec<Verdict> = all.iter().map(|answer| answer.verdict).collect();
        assert_eq!(verdicts, [Verdict::Sat, Verdict::Unknown, Verdict::Unsat], "{name}");
        assert_eq!(all[1].reason.as_deref(), Some("the limit of 3s for a check-sat was met"), "{name}");
        let late = all.iter().map(|answer| answer.counters.get("out_of_time").copied());
        assert_eq!(late.collect::<Vec<_>>(), [None, Some(1), None], "{name}");
        // What is counted for an answer is its own.
        assert_eq!(all[0].counters.get("interchanges"), Some(&1), "{name}: {:?}", all[0].counters);
        assert!(all[1].counters["interchanges"] > 1 && all[1].counters["string_ns"] > 0, "{name}");
    }
}

#[test]
fn a_budget_that_ends_sooner_ends_the_script() {
    let budget = Budget::with_time(std::time::Duration::from_millis(700));
    let stopped = answers("graph-automata-ranges-check-limit-1h", &budget);
    assert_eq!(stopped.unwrap_err(), backends_api::BackendError::Stopped(Stop::Time));
}

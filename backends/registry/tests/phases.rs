//! The phases that strategies have in common, reported alike by all.

#![cfg(feature = "z3")]
#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::time::Instant;

use backends_api::{Budget, Probe, Resolved, Strategy};
use harness_model::{Alphabet, Question, Verdict};

/// Satisfiable, and no rule of preprocessing decides it.
const SCRIPT: &str =
    "(declare-const s String)(declare-const t String)(assert (str.in_re s (re.+ (str.to_re \"ab\"))))
    (assert (= (str.++ s t) \"ababc\"))(assert (not (= t \"c\")))(check-sat)";

/// The verdict and the phases of one strategy, on a thread that has not touched Z3; nothing of Z3's start is
/// in `prepare`, and none of the phases of a string graph has it inside.
fn phases(strategy: Box<dyn Strategy>) -> (Option<Verdict>, BTreeMap<String, u64>) {
    let work = move || {
        let question = Question::of_script(Alphabet::Ascii, SCRIPT.to_owned(), 1);
        let (budget, preparing, probe) = (Budget::unlimited(), Probe::new(), Probe::new());
        let mut solved = 0;
        let verdict = strategy
            .prepare(&question, &budget, &preparing)
            .and_then(|mut run| {
                let begun = Instant::now();
                let outcome = run.run(&probe);
                solved = begun.elapsed().as_nanos();
                outcome
            })
            .map(|outcome| outcome.answers[0].verdict);
        let (prepared, phases) = (preparing.into_parts().0, probe.into_parts().0);
        // Of families that build automata over Z3's predicates when they read the question, reports know it.
        let builds_early =
            ["dprle", "strsolve"].iter().any(|family| strategy.info().name.starts_with(family));
        assert!(builds_early || !prepared.contains_key("start_z3"), "reports take it for a part of solve");
        if strategy.info().name.starts_with("graph-") {
            // Were one inside of another, the start of Z3 would count twice and make this sum the larger one.
            let parts = ["start_z3", "preprocess", "integer", "string", "validate"];
            let sum: u128 =
                parts.iter().filter_map(|phase| phases.get(*phase)).map(|ns| u128::from(*ns)).sum();
            assert!(sum <= solved, "{sum} of {solved}: {phases:?}");
        }
        (verdict.ok(), phases)
    };
    std::thread::spawn(work).join().unwrap()
}

#[test]
fn the_start_of_z3_and_the_check_of_a_model_are_phases_of_their_own() {
    let (mut with_model, mut with_z3) = (0, 0);
    for strategy in backends::registry().listed().iter().map(Resolved::build) {
        let name = strategy.info().name;
        if name.starts_with("test-") || name.contains("thesis") || name.contains("spf") {
            continue;
        }
        let (verdict, phases) = phases(strategy);
        let uses_z3 = ["z3", "graph-", "hybrid", "parray"].iter().any(|family| name.starts_with(family));
        if verdict.is_some() && uses_z3 {
            assert!(phases.contains_key("start_z3"), "{name}: {phases:?}");
            with_z3 += 1;
        }
        if verdict == Some(Verdict::Sat) && !name.starts_with("brute-force") {
            assert!(phases.contains_key("validate"), "{name}: {phases:?}");
            with_model += 1;
        }
        assert!(uses_z3 || !phases.contains_key("start_z3"), "{name}: {phases:?}");
    }
    assert!(with_model >= 15 && with_z3 >= 15, "{with_model} {with_z3}");
}

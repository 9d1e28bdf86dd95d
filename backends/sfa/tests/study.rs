//! The operations of the study, answered by its strategies and checked word by word.

mod common;

use backends_algebra::AlgebraList as _;
use backends_api::{BackendError, Budget, Probe};
use common::{
    ALGEBRAS, answer, answers_soon, check, operations, question, shortest, strategies, strategy, study,
};
use harness_model::{Alphabet, Operation, OperationKind, SmtString, Witness};

/// Neither A6 nor A8, whose counters make them large.
fn easy(operation: &Operation) -> bool {
    [operation.left, operation.right].iter().all(|&i| i != 6 && i != 8)
}

#[test]
fn ranges_answer_all_155_in_ascii() {
    let question = question(Alphabet::Ascii, &study(), operations());
    let (answers, _) = answer(&*strategy("sfa-ranges-lazy-refine"), &question);
    check(&question, &answers, shortest);
}

#[test]
fn decision_diagrams_answer_all_155_in_unicode() {
    let question = question(Alphabet::Unicode, &study(), operations());
    let (answers, _) = answer(&*strategy("sfa-bdd-lazy"), &question);
    check(&question, &answers, shortest);
}

/// The study has no times of its ranges in a wide alphabet. Answers they have.
#[test]
fn pairs_answer_the_easy_products_in_utf16() {
    let is_easy_product = |o: &Operation| o.kind == OperationKind::Product && easy(o);
    let question =
        question(Alphabet::Utf16, &study(), operations().into_iter().filter(is_easy_product).collect());
    let (answers, _) = answer(&*strategy("sfa-pairs-lazy"), &question);
    check(&question, &answers, shortest);
}

/// Each expression against the same one written differently: no word in either difference.
#[test]
fn variants_are_the_same_languages() {
    let options = corpora::Options {
        operations: vec![OperationKind::Difference],
        variants: true,
        alphabets: vec![Alphabet::Ascii, Alphabet::Utf16],
        ..corpora::Options::default()
    };
    let tasks = corpora::load("regexes/li2009", &options).unwrap();
    assert_eq!(tasks.len(), 40);
    for task in tasks {
        let (answers, _) = answer(&*strategy("sfa-bdd-lazy-refine-once"), &task.question);
        check(&task.question, &answers, |_| None);
    }
}

#[test]
fn every_strategy_answers_the_easy_ones() {
    for alphabet in [Alphabet::Ascii, Alphabet::Latin1] {
        let question = question(alphabet, &study(), operations().into_iter().filter(easy).collect());
        for strategy in strategies() {
            let name = strategy.info().name;
            // Equal labels kept apart: see below.
            if name.ends_with("-separate") {
                continue;
            }
            let (answers, _) = answer(&*strategy, &question);
            check(&question, &answers, shortest);
            if name.contains("eager") || name.ends_with("bfs") {
                for (operation, answer) in question.as_operations().unwrap().operations.iter().zip(&answers) {
                    let length = answer.witness.as_ref().and_then(Witness::word).map(SmtString::len);
                    assert_eq!(length, shortest(*operation), "{name}: {operation:?}");
                }
            }
        }
    }
}

/// Equal labels kept apart change no answer, where there is one.
#[test]
fn equal_labels_apart_give_the_same_answers() {
    let mut answered = 0;
    let differences = operations().into_iter().filter(|o| easy(o) && o.kind == OperationKind::Difference);
    for (place, operation) in differences.enumerate() {
        let question = question(Alphabet::Ascii, &study(), vec![operation]);
        // Each algebra and mode in its turn.
        let separate: Vec<_> =
            strategies().into_iter().filter(|s| s.info().name.ends_with("-separate")).collect();
        let Some(answers) = answers_soon(&*separate[place % separate.len()], &question) else { continue };
        check(&question, &answers, shortest);
        answered += 1;
    }
    assert!(answered > 16, "{answered} of 64");
}

/// Lazily, a product of large automata is searched only as far as the first word: depth first, a straight way
/// down.
#[test]
fn depth_first_goes_straight_down() {
    let family = |n: usize| [format!("[a-c]*a[a-c]{{{}}}", n + 1), format!("[a-c]*b[a-c]{{{n}}}")];
    let operation = Operation { kind: OperationKind::Product, left: 0, right: 1 };
    let ask = |n: usize, name: &str| {
        let patterns = family(n);
        let question = question(Alphabet::Ascii, &patterns, vec![operation]);
        let (answers, counter) = answer(&*strategy(name), &question);
        check(&question, &answers, |_| Some(n + 2));
        counter("states")
    };
    for algebra in ALGEBRAS.names() {
        let states = ask(1000, &format!("sfa-{algebra}-lazy"));
        assert!((1002..1100).contains(&states), "{algebra} explored {states} states");
        let states = ask(40, &format!("sfa-{algebra}-lazy-bfs"));
        assert!(states > 40 * 40, "{algebra} explored only {states} states");
    }
}

/// A second run must not find anything of the first one.
#[test]
fn runs_repeat_their_work() {
    let operation = Operation { kind: OperationKind::Difference, left: 4, right: 0 };
    let question = question(Alphabet::Utf16, &study(), vec![operation]);
    for strategy in strategies().iter().filter(|s| s.info().name.starts_with("sfa-ranges-")) {
        let budget = Budget::unlimited();
        let mut run = strategy.prepare(&question, &budget, &Probe::new()).unwrap();
        let counters = [(); 2].map(|()| {
            let probe = Probe::new();
            run.run(&probe).unwrap();
            probe.into_parts().1
        });
        assert_eq!(counters[0], counters[1]);
        assert!(counters[0]["set_ops"] > 0);
    }
}

#[test]
fn sizes_of_the_operands_are_counters() {
    let operation = Operation { kind: OperationKind::Product, left: 7, right: 9 };
    let question = question(Alphabet::Ascii, &study(), vec![operation]);
    let (_, counter) = answer(&*strategy("sfa-ranges-lazy"), &question);
    let names = ["states", "epsilon_moves", "moves"];
    assert_eq!(names.map(|name| counter(&format!("left_{name}"))), [104, 99, 96]);
    assert_eq!(names.map(|name| counter(&format!("right_{name}"))), [42, 32, 40]);
}

#[test]
fn bad_questions_are_refused() {
    let operation = Operation { kind: OperationKind::Product, left: 0, right: 1 };
    let refusal = |patterns: &[&str]| {
        let patterns: Vec<String> = patterns.iter().map(|&p| p.to_owned()).collect();
        let question = question(Alphabet::Ascii, &patterns, vec![operation]);
        let (budget, probe) = (Budget::unlimited(), Probe::new());
        strategy("sfa-bdd-lazy").prepare(&question, &budget, &probe).err().unwrap()
    };
    assert!(matches!(refusal(&["a"]), BackendError::Input(text) if text.contains("below 1, found 1")));
    assert!(
        matches!(refusal(&["a", "(b"]), BackendError::Input(text) if text.starts_with("expression 'A1'"))
    );
    assert!(
        matches!(refusal(&["a", "(u{1000}){1000}"]), BackendError::Stopped(stop) if stop.to_string().contains("1000000 states"))
    );
}

#[test]
fn a_budget_ends_a_run() {
    let operation = Operation { kind: OperationKind::Difference, left: 8, right: 8 };
    let question = question(Alphabet::Ascii, &study(), vec![operation]);
    for strategy in strategies() {
        let (budget, probe) = (Budget::with_steps(100_000), Probe::new());
        let mut run = strategy.prepare(&question, &budget, &probe).unwrap();
        assert!(matches!(run.run(&probe), Err(BackendError::Stopped(_))), "{}", strategy.info().name);
    }
}

#[test]
fn names_are_distinct_and_the_studys_are_among_them() {
    let mut names: Vec<String> = strategies().iter().map(|s| s.info().name).collect();
    for algebra in ALGEBRAS.names() {
        for mode in ["eager", "lazy"] {
            assert!(names.contains(&format!("sfa-{algebra}-{mode}")));
        }
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}

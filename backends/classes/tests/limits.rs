//! Long strings, large counters, budgets, and questions that cannot be answered.

use std::collections::BTreeMap;

use backends_api::{BackendError, Budget, Probe, Stop, Strategy};
use backends_classes::Classes;
use harness_model::{
    Alphabet, Answer, Dialect, Operation, OperationKind, Question, QuestionKind, RegexSource, Verdict,
    Witness,
};

fn question(left: &str, kind: OperationKind, right: &str) -> Question {
    let source = |pattern: &str| RegexSource {
        find: false,
        name: "R".to_owned(),
        pattern: pattern.to_owned(),
        dialect: Dialect::default(),
    };
    Question::of_operations(
        Alphabet::Ascii,
        vec![source(left), source(right)],
        vec![Operation { kind, left: 0, right: 1 }],
    )
}

fn run(
    strategy: Classes,
    question: &Question,
    budget: &Budget,
) -> Result<(Answer, BTreeMap<String, u64>), BackendError> {
    let probe = Probe::new();
    let outcome = strategy.prepare(question, budget, &probe)?.run(&probe)?;
    Ok((outcome.answers[0].clone(), probe.into_parts().1))
}

#[test]
fn the_long_family_needs_as_many_states_as_its_word_has_characters() {
    let n = 1000;
    let (a, b) = (format!("[a-c]*a[a-c]{{{}}}", n + 1), format!("[a-c]*b[a-c]{{{n}}}"));
    for (left, right) in [(&a, &b), (&b, &a)] {
        let question = question(left, OperationKind::Product, right);
        for strategy in Classes::ALL {
            let (answer, counters) = run(strategy, &question, &Budget::unlimited()).unwrap();
            let Some(Witness::Word(word)) = answer.witness else { unreachable!("{:?}", answer.verdict) };
            assert_eq!(word.len(), n + 2);
            assert!(counters["states"] < 1100, "{strategy:?}: {counters:?}");
        }
    }
}

#[test]
fn large_nested_counters() {
    let question = question(r"(\w{1,63}){1,25}", OperationKind::Difference, r"(\w{1,63}){1,24}");
    let (answer, counters) = run(Classes::LAZY, &question, &Budget::unlimited()).unwrap();
    let Some(Witness::Word(word)) = answer.witness else { unreachable!("{:?}", answer.verdict) };
    assert!(word.len() > 63 * 24 && word.len() <= 63 * 25);
    assert_eq!(counters["positions"], 63 * (25 + 24));
    assert!(counters["moves"] < 4 * counters["positions"], "{counters:?}");
}

#[test]
fn antichains_save_subsets() {
    // Determinised, the right side has a state for each subset of the last 15 letters.
    let left = "[ab]*a[ab]{14}";
    let question = question(left, OperationKind::Difference, &format!("{left}|b"));
    let (plain, without) = run(Classes::LAZY, &question, &Budget::unlimited()).unwrap();
    let (pruned, with) = run(Classes::ANTICHAIN, &question, &Budget::unlimited()).unwrap();
    assert_eq!((plain.verdict, pruned.verdict), (Verdict::Empty, Verdict::Empty));
    assert!(without["states"] > 100 * with["states"], "{without:?} {with:?}");
    assert!(with["pruned"] > 0);
}

#[test]
fn antichains_keep_words_shortest() {
    // After "ab" the right side is in fewer states than after "b", which is still waiting when "ab" is met.
    let question = question("(bc|aa?)*", OperationKind::Difference, "a*|a?bd|be");
    let (answer, counters) = run(Classes::ANTICHAIN, &question, &Budget::unlimited()).unwrap();
    let Some(Witness::Word(word)) = answer.witness else { unreachable!("{:?}", answer.verdict) };
    assert_eq!(word.to_string(), "bc", "{counters:?}");
}

#[test]
fn what_would_explode_is_refused_before_it_is_built() {
    let question = question("(u{1000}){1000}", OperationKind::Product, "u*");
    let budget = Budget::with_steps(100_000);
    let refused = run(Classes::LAZY, &question, &budget).unwrap_err();
    assert!(matches!(refused, BackendError::Stopped(Stop::Size { .. })), "{refused}");
    assert!(refused.to_string().contains("positions"), "{refused}");
}

#[test]
fn budgets_stop_every_phase() {
    let left = "[ab]*a[ab]{14}";
    let question = question(left, OperationKind::Difference, &format!("{left}|b"));
    for strategy in Classes::ALL {
        for steps in [0, 1, 5, 20, 50, 100, 200] {
            let stopped = run(strategy, &question, &Budget::with_steps(steps)).unwrap_err();
            assert_eq!(stopped, BackendError::Stopped(Stop::Steps(steps)));
        }
    }
}

#[test]
fn every_run_does_all_of_the_work() {
    let question = question("[ab]*a[ab]{9}", OperationKind::Difference, "[ab]*a[ab]{9}|b");
    let budget = Budget::unlimited();
    let mut run = Classes::LAZY.prepare(&question, &budget, &Probe::new()).unwrap();
    let counters = [(); 2].map(|()| {
        let probe = Probe::new();
        run.run(&probe).unwrap();
        probe.into_parts().1
    });
    assert!(counters[0]["subsets"] > 500);
    assert_eq!(counters[0], counters[1]);
}

#[test]
fn bad_input_is_an_error_that_says_where() {
    let unreadable =
        run(Classes::LAZY, &question("a(b", OperationKind::Product, "a"), &Budget::unlimited()).unwrap_err();
    assert!(
        matches!(&unreadable, BackendError::Input(what) if what.starts_with("expression 'R' (dotnet): at character "))
    );
    let QuestionKind::Operations(mut asked) = question("a", OperationKind::Product, "a").kind else {
        unreachable!("a question of operations")
    };
    asked.operations[0].right = 2;
    let unknown = Question::of_operations(Alphabet::Ascii, asked.regexes, asked.operations);
    let error = run(Classes::LAZY, &unknown, &Budget::unlimited()).unwrap_err();
    assert_eq!(
        error,
        BackendError::Input(
            "operation 0, a product: expected the index of an expression, below 2, found 2".to_owned()
        )
    );
}

//! The ten expressions of the representation study: every variant of the strategy gives the 155 known
//! verdicts in every alphabet, with witnesses that the trusted matcher accepts and, where it promises so,
//! that are shortest; and finds each expression and the same one written differently equal.

#![expect(clippy::unwrap_used, reason = "a test")]

use backends_api::{Budget, Probe, Strategy};
use backends_classes::Classes;
use backends_classes::search::Order;
use corpora::{Batch, Options};
use harness_check::matcher::matches;
use harness_model::{Alphabet, Answer, OperationKind, Regex, Task, Verdict, Witness};

fn batches(variants: bool) -> Vec<Task> {
    let options =
        Options { alphabets: Alphabet::ALL.to_vec(), batch: Batch::PerKind, variants, ..Options::default() };
    corpora::load("regexes/li2009", &options).unwrap()
}

fn answers(strategy: Classes, task: &Task) -> Vec<Answer> {
    let budget = Budget::unlimited();
    let probe = Probe::new();
    let mut run = strategy.prepare(&task.question, &budget, &probe).unwrap();
    run.run(&probe).unwrap().answers
}

fn terms(task: &Task) -> Vec<Regex> {
    let question = &task.question;
    (question.as_operations().unwrap().regexes.iter())
        .map(|r| harness_regex::parse(&r.pattern, r.dialect, question.alphabet).unwrap())
        .collect()
}

#[test]
fn verdicts_and_witnesses() {
    let known = corpora::study::answers().unwrap();
    let mut checked = 0;
    for task in batches(false) {
        let question = &task.question;
        let terms = terms(&task);
        let expected = &task.expected.as_ref().unwrap().verdicts;
        for strategy in Classes::ALL {
            for ((operation, answer), expected) in question
                .as_operations()
                .unwrap()
                .operations
                .iter()
                .zip(answers(strategy, &task))
                .zip(expected)
            {
                let names = [operation.left, operation.right]
                    .map(|i| question.as_operations().unwrap().regexes[i].name.clone());
                let what = format!("{strategy:?} {} {names:?} in {}", operation.kind, question.alphabet);
                assert_eq!(answer.verdict, *expected, "{what}");
                checked += 1;
                if answer.verdict == Verdict::Empty {
                    continue;
                }
                let Some(Witness::Word(word)) = answer.witness else { panic!("{what}: no witness") };
                assert_eq!(word.foreign_to(question.alphabet), None, "{what}");
                assert!(matches(&terms[operation.left], &word), "{what}: {word} is not in the left language");
                let in_right = matches(&terms[operation.right], &word);
                assert_eq!(in_right, operation.kind == OperationKind::Product, "{what}: {word}");
                if strategy.order != Order::DepthFirst {
                    let [left, right] = names;
                    let shortest = known[&(operation.kind, left, right)].shortest;
                    assert_eq!(Some(word.len()), shortest, "{what}: {word}");
                }
            }
        }
    }
    assert_eq!(checked, 4 * 155 * Classes::ALL.len());
}

#[test]
fn the_same_language_written_differently() {
    let mut differences = 0;
    for task in batches(true) {
        let expected = &task.expected.as_ref().unwrap().verdicts;
        for strategy in Classes::ALL {
            let verdicts: Vec<Verdict> = answers(strategy, &task).iter().map(|a| a.verdict).collect();
            assert_eq!(verdicts, *expected, "{strategy:?}: {}", task.id);
        }
        let kinds = task.question.as_operations().unwrap().operations.iter().map(|o| o.kind);
        differences += kinds.filter(|k| *k == OperationKind::Difference).count();
    }
    assert_eq!(differences, 4 * 20);
}

#[test]
fn an_expression_minus_itself_is_searched() {
    // Nothing is decided by comparing terms: the search visits states in proportion to the automaton.
    let options = Options { include: vec!["A8".into()], ..Options::default() };
    let tasks = corpora::load("regexes/li2009", &options).unwrap();
    let task = tasks
        .iter()
        .find(|t| t.question.as_operations().unwrap().operations[0].kind == OperationKind::Difference)
        .unwrap();
    let budget = Budget::unlimited();
    let probe = Probe::new();
    Classes::LAZY.prepare(&task.question, &budget, &probe).unwrap().run(&probe).unwrap();
    let (_, counters) = probe.into_parts();
    assert_eq!(counters["positions"], 258);
    assert!(counters["states"] > 1000, "{counters:?}");
}

#[test]
fn sizes_of_the_position_automata() {
    // Nested optional counters; positions and the initial state, and moves.
    let expected = [
        (25, 51),
        (25, 41),
        (29, 43),
        (12, 21),
        (6, 9),
        (11, 27),
        (147, 283),
        (85, 184),
        (259, 705),
        (15, 38),
    ];
    let task = &batches(false)[0];
    let budget = Budget::unlimited();
    let terms = terms(task);
    let (table, partition) =
        backends_classes::strategy::classes(&terms, task.question.alphabet, &budget).unwrap();
    for (term, sizes) in terms.iter().zip(expected) {
        let automaton = backends_classes::glushkov::build(term, &table, &partition, &budget).unwrap();
        assert_eq!((automaton.states(), automaton.moves()), sizes);
    }
}

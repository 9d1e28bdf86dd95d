//! The rules one by one: proof beats expectation beats comparison, and what counts at all.

mod common;

use common::{answered, bare, difference, empty, empty_with, ended, expecting, product, task, unknown, word};
use harness_judge::{Severity, Verdicts, judge};
use harness_model::record::{Record, Termination, TimeLimit};
use harness_model::{Alphabet, Answer, OperationKind, Status, Task, Verdict};

const EMPTY: Status = Status::Answered(Verdict::Empty);
const NONEMPTY: Status = Status::Answered(Verdict::Nonempty);

fn judge_one(task: &Task, records: &[Record]) -> Verdicts {
    judge(std::slice::from_ref(task), records)
}

/// The statuses of one answer each.
fn statuses(task: &Task, answers: Vec<Answer>) -> (Vec<Status>, Verdicts) {
    let records: Vec<Record> =
        answers.into_iter().enumerate().map(|(i, a)| answered(task, &format!("s{i}"), vec![a])).collect();
    let found = judge_one(task, &records);
    (found.judgements.iter().map(|j| j.status).collect(), found)
}

#[test]
fn a_checked_witness_needs_no_company() {
    let task = difference("t", "[ab]+", "a+");
    let (status, found) = statuses(&task, vec![word("ab")]);
    assert_eq!(status, [NONEMPTY]);
    assert_eq!(found.severity(), Severity::Fine);
    assert_eq!((found.notes.len(), found.disagreements.len()), (0, 0));
    let judgement = &found.judgements[0];
    assert_eq!(judgement.witness.as_deref(), Some("ab"));
    assert_eq!((judgement.expected, judgement.detail.as_str()), (None, ""));
}

#[test]
fn the_empty_word_is_a_witness() {
    let (status, found) = statuses(&product("t", "a*", "b*"), vec![word(""), empty()]);
    assert_eq!(status, [NONEMPTY, Status::Wrong]);
    assert_eq!(found.judgements[0].witness.as_deref(), Some(""));
}

#[test]
fn each_way_in_which_a_witness_fails() {
    let product = product("t", "[ab]+", "b+");
    let difference = difference("t", "[ab]+", "b+");
    for (task, text, detail) in [
        (&product, "c", "the witness \"c\" is not in A"),
        (&product, "ab", "the witness \"ab\" is not in B"),
        (&difference, "c", "the witness \"c\" is not in A"),
        (&difference, "bb", "the witness \"bb\" is in B"),
        (&product, "\u{e9}", "the witness \"\\u{e9}\" contains U+00E9, which is not in ascii"),
    ] {
        let (status, found) = statuses(task, vec![word(text)]);
        assert_eq!(status, [Status::InvalidModel]);
        assert_eq!(found.judgements[0].detail, detail);
        assert_eq!(found.severity(), Severity::InvalidModel);
    }
}

#[test]
fn a_bad_witness_does_not_make_a_wrong_verdict_less_wrong() {
    let task = expecting(product("t", "a", "b"), &[Verdict::Empty]);
    let (status, found) = statuses(&task, vec![word("a"), empty()]);
    assert_eq!(status, [Status::Wrong, EMPTY]);
    assert_eq!(
        found.judgements[0].detail,
        "said nonempty, but empty is expected (a corpus); the witness \"a\" is not in B"
    );
    assert_eq!(found.disagreements[0].settled.as_deref(), Some("'empty' is expected (a corpus)"));
}

#[test]
fn the_corpus_settles_what_no_witness_proves() {
    let task = expecting(product("t", "a", "a"), &[Verdict::Nonempty]);
    let (status, found) = statuses(&task, vec![bare(), empty(), unknown()]);
    assert_eq!(status, [NONEMPTY, Status::Wrong, Status::Answered(Verdict::Unknown)]);
    assert_eq!(found.judgements[0].detail, "no witness: the library gives none");
    assert_eq!(found.judgements[1].detail, "said empty, but nonempty is expected (a corpus)");
    assert_eq!(found.judgements[2].detail, "gave up");
    assert_eq!(found.severity(), Severity::Wrong);
}

#[test]
fn a_lone_liar_against_the_corpus_is_in_the_list_of_disagreements() {
    let task = expecting(product("t", "a", "a"), &[Verdict::Nonempty]);
    let (status, found) = statuses(&task, vec![empty()]);
    assert_eq!(status, [Status::Wrong]);
    assert_eq!(
        found.disagreements[0].said,
        [("s0".to_owned(), Verdict::Empty), ("expected".to_owned(), Verdict::Nonempty)]
    );
}

#[test]
fn a_checked_witness_refutes_the_corpus_loudly() {
    let task = expecting(product("corpus/entry", "a+", "aa"), &[Verdict::Empty]);
    let (status, found) = statuses(&task, vec![word("aa"), empty()]);
    assert_eq!(status, [NONEMPTY, Status::Wrong]);
    let settled = found.disagreements[0].settled.as_deref().unwrap();
    assert!(settled.contains("is wrong, which corpus/entry expects"), "{settled}");
    assert_eq!(found.severity(), Severity::Wrong);
    // Even if nobody else says a word against it.
    let (status, found) = statuses(&task, vec![word("aa")]);
    assert_eq!((status.as_slice(), found.disagreements.len()), ([NONEMPTY].as_slice(), 1));
}

#[test]
fn without_proof_nobody_is_convicted() {
    let task = product("t", "a", "a");
    let (status, found) = statuses(&task, vec![bare(), empty(), empty()]);
    assert_eq!(status, [NONEMPTY, EMPTY, EMPTY]);
    let [disagreement] = found.disagreements.as_slice() else { panic!("{:?}", found.disagreements) };
    assert_eq!((disagreement.said.len(), &disagreement.settled), (3, &None));
    assert_eq!(found.severity(), Severity::Wrong);
}

#[test]
fn an_empty_verdict_with_a_witness_convicts_itself() {
    let (status, _) = statuses(&product("t", "a", "a"), vec![empty_with("a"), empty()]);
    assert_eq!(status, [Status::Wrong, Status::Wrong]);
    let (status, _) = statuses(&product("t", "a", "b"), vec![empty_with("a"), empty()]);
    assert_eq!(status, [EMPTY, EMPTY]);
}

#[test]
fn a_late_verdict_does_not_count_but_a_late_proof_proves() {
    let task = product("t", "a", "a");
    let late = |answer| ended(&task, "late", Termination::Timeout(TimeLimit::Cpu), vec![answer]);
    let found = judge_one(&task, &[late(empty()), answered(&task, "s", vec![word("a")])]);
    assert_eq!(found.judgements.iter().map(|j| j.status).collect::<Vec<_>>(), [Status::Timeout, NONEMPTY]);
    assert_eq!(found.severity(), Severity::Fine);
    let found = judge_one(&task, &[late(word("a")), answered(&task, "s", vec![empty()])]);
    assert_eq!(
        found.judgements[0].detail,
        "CPU limit, after 0.000900000 s; late verdict nonempty, not counted"
    );
    assert_eq!(found.judgements[1].status, Status::Wrong);
    assert_eq!(found.disagreements[0].said[0].0, "late (too late)");
    let found = judge_one(&task, &[late(bare()), answered(&task, "s", vec![empty()])]);
    assert_eq!(found.severity(), Severity::Fine);
}

#[test]
fn ends_have_their_status() {
    let task = product("t", "a", "a");
    let ends = [
        (Termination::Memout, Status::Memout, "memory limit, peak 5 MiB"),
        (Termination::Signal(6), Status::Crash, "SIGABRT: thread panicked"),
        (Termination::Signal(64), Status::Crash, "signal 64: thread panicked"),
        (Termination::Exit(3), Status::Crash, "exit code 3 without an answer: thread panicked"),
        (Termination::Error("no".into()), Status::Error, "no"),
        (Termination::Unsupported("difference".into()), Status::Unsupported, "difference"),
    ];
    for (end, status, detail) in ends {
        let record = Record { stderr: "first\nthread panicked\n\n".into(), ..ended(&task, "s", end, vec![]) };
        let found = judge_one(&task, &[record]);
        assert_eq!((found.judgements[0].status, found.judgements[0].detail.as_str()), (status, detail));
        assert_eq!(found.severity(), Severity::Fine);
    }
}

#[test]
fn a_batch_is_as_bad_as_its_worst_operation() {
    const OPERATIONS: [(OperationKind, usize, usize); 3] = [
        (OperationKind::Product, 0, 1),
        (OperationKind::Difference, 0, 1),
        (OperationKind::Difference, 1, 0),
    ];
    let batch = task("t", &["a+", "a{2}"], &OPERATIONS);
    let runs = [
        vec![word("aa"), word("a"), empty()],
        vec![word("aa"), word("aa"), empty()],
        vec![word("aa"), word("aa"), word("aa")],
        vec![empty(), empty(), empty()],
        vec![unknown(), unknown(), empty()],
    ];
    let records: Vec<Record> =
        runs.into_iter().enumerate().map(|(i, run)| answered(&batch, &format!("s{i}"), run)).collect();
    let batch = expecting(batch, &[Verdict::Nonempty, Verdict::Nonempty, Verdict::Empty]);
    let found = judge_one(&batch, &records);
    let of = |i: usize| {
        let j = &found.judgements[i];
        (j.status, j.witness.as_deref(), j.detail.as_str())
    };
    assert_eq!(of(0), (NONEMPTY, Some("2"), "1 empty, 2 nonempty"));
    assert_eq!(
        of(1),
        (
            Status::InvalidModel,
            Some("2"),
            "1 empty, 1 invalid-model, 1 nonempty; first difference(A, B): the witness \"aa\" is in B"
        )
    );
    assert_eq!((of(2).0, of(2).1), (Status::Wrong, Some("3")));
    assert!(of(2).2.contains("first difference(B, A): said nonempty, but empty is expected"), "{}", of(2).2);
    assert_eq!((of(3).0, of(3).1), (Status::Wrong, None));
    assert!(of(3).2.starts_with("1 empty, 2 wrong; first product(A, B): said empty, but \"aa\" is in it"));
    assert_eq!(of(4), (Status::Answered(Verdict::Unknown), None, "1 empty, 2 unknown"));
    assert!(found.judgements.iter().all(|j| j.expected == Some(Verdict::Nonempty)));
}

#[test]
fn answers_to_another_question_do_not_count() {
    let task = product("t", "a", "a");
    let mut elsewhere = answered(&task, "s", vec![word("a")]);
    elsewhere.alphabet = Alphabet::Unicode;
    let stranger = Record { key: answered(&product("u", "", ""), "s", vec![]).key, ..elsewhere.clone() };
    let sat = Answer { verdict: Verdict::Sat, ..bare() };
    let records = [
        elsewhere,
        stranger,
        answered(&task, "s", vec![word("a"), word("a")]),
        answered(&task, "s", vec![sat]),
        answered(&task, "other", vec![empty()]),
    ];
    let found = judge_one(&task, &records);
    let details: Vec<&str> = found.judgements[..4].iter().map(|j| j.detail.as_str()).collect();
    assert_eq!(
        details,
        [
            "ran in unicode, but the task is in ascii",
            "there is no task u: its answers cannot be judged",
            "incomplete: answered 2 of 1 operations",
            "answered 'sat' to product(A, B), which is no verdict of an operation",
        ]
    );
    assert!(found.judgements[..4].iter().all(|j| j.status == Status::Error));
}

#[test]
fn mistakes_in_tasks_are_noted_and_nothing_breaks() {
    let short = expecting(product("short", "a", "a"), &[]);
    let odd = expecting(product("odd", "a", "a"), &[Verdict::Sat]);
    let outside = task("outside", &["a"], &[(OperationKind::Product, 0, 7)]);
    let unreadable = product("unreadable", "(", "a");
    let tasks = [short, odd, outside, unreadable];
    let records: Vec<Record> = tasks.iter().map(|t| answered(t, "s", vec![word("a")])).collect();
    let found = judge(&tasks, &records);
    let unknown = Status::Answered(Verdict::Unknown);
    let status: Vec<Status> = found.judgements.iter().map(|j| j.status).collect();
    assert_eq!(status, [NONEMPTY, NONEMPTY, unknown, unknown]);
    assert!(found.judgements[3].detail.contains("not checked"), "{}", found.judgements[3].detail);
    let notes = [found.notes, found.alone].concat().join("\n");
    for part in ["short expects 0 verdicts of 1", "odd expects 'sat'", "expression A of unreadable"] {
        assert!(notes.contains(part), "{notes}");
    }
    assert!(notes.contains("'nonempty' 2 times with no checked witness"), "{notes}");
}

#[test]
fn what_nothing_confirms_is_noted() {
    let tasks = [product("t", "a", "b"), product("u", "a", "c")];
    let mut records = vec![answered(&tasks[0], "s", vec![empty()]), answered(&tasks[1], "s", vec![empty()])];
    records.push(answered(&tasks[1], "r", vec![empty()]));
    let found = judge(&tasks, &records);
    assert_eq!(
        found.notes,
        [
            "2 times 'empty' was said with no checked witness and no expected verdict, and at least one other strategy said \
             the same",
        ]
    );
    assert_eq!(
        found.alone,
        ["s: 'empty' once with no checked witness, no expected verdict and no other strategy to support it"]
    );
}

#[test]
fn a_long_witness_is_checked_like_a_short_one() {
    let task = product("t", "a*", "a*");
    let (status, found) = statuses(&task, vec![word(&"a".repeat(70_000)), empty()]);
    assert_eq!(status, [NONEMPTY, Status::Wrong]);
    assert!(found.disagreements[0].settled.is_some());
    let (status, _) = statuses(&task, vec![word(&"z".repeat(70_000))]);
    assert_eq!(status, [Status::InvalidModel]);
}

#[test]
fn expressions_as_deep_as_the_reader_allows() {
    let depth = harness_regex::NESTING_LIMIT - 1;
    let deep = format!("{}b{}", "(?:a|".repeat(depth), ")*c?".repeat(depth));
    let task = difference("t", &deep, "d");
    let (status, found) = statuses(&task, vec![word("aabcca")]);
    assert_eq!(found.notes, Vec::<String>::new());
    assert_eq!(status, [NONEMPTY]);
}

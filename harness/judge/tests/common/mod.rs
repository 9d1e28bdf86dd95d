//! Tasks and records to judge, made in a few words.
#![allow(dead_code, reason = "each test program uses a part")]

use harness_model::record::{Record, RecordVersion, RunKey, Termination, Usage};
use harness_model::{
    Alphabet, Answer, Dialect, Expected, Operation, OperationKind, Question, RegexSource, SmtString, Task,
    Verdict, Witness,
};

/// A task on expressions named A, B, C, …
pub fn task(id: &str, patterns: &[&str], operations: &[(OperationKind, usize, usize)]) -> Task {
    let name = |i: usize| char::from(b'A' + u8::try_from(i).unwrap_or(25)).to_string();
    Task {
        parameters: Default::default(),
        id: id.into(),
        family: "t".into(),
        question: Question::of_operations(
            Alphabet::Ascii,
            patterns
                .iter()
                .enumerate()
                .map(|(i, p)| RegexSource {
                    find: false,
                    name: name(i),
                    pattern: (*p).into(),
                    dialect: Dialect::Dotnet,
                })
                .collect(),
            operations.iter().map(|&(kind, left, right)| Operation { kind, left, right }).collect(),
        ),
        expected: None,
    }
}

/// The product of two expressions.
pub fn product(id: &str, left: &str, right: &str) -> Task {
    task(id, &[left, right], &[(OperationKind::Product, 0, 1)])
}

/// The difference of two expressions.
pub fn difference(id: &str, left: &str, right: &str) -> Task {
    task(id, &[left, right], &[(OperationKind::Difference, 0, 1)])
}

/// With the verdicts that a corpus expects.
pub fn expecting(mut task: Task, verdicts: &[Verdict]) -> Task {
    task.expected = Some(Expected { verdicts: verdicts.to_vec(), source: "a corpus".into() });
    task
}

/// A run that answered.
pub fn answered(task: &Task, strategy: &str, answers: Vec<Answer>) -> Record {
    ended(task, strategy, Termination::Answered, answers)
}

/// A run that ended in some way.
pub fn ended(task: &Task, strategy: &str, termination: Termination, answers: Vec<Answer>) -> Record {
    Record {
        version: RecordVersion::CURRENT,
        key: RunKey { task: task.id.clone(), strategy: strategy.into(), repeat: 0 },
        family: task.family.as_str().into(),
        alphabet: task.question.alphabet,
        termination,
        answers,
        usage: Some(Usage { wall_ns: 1_000_000, cpu_ns: 900_000, peak_rss_bytes: 5 << 20 }),
        method: "wait4".into(),
        phases: [].into(),
        counters: [].into(),
        stderr: String::new(),
        started_unix_s: 0.0,
        core: None,
    }
}

/// `nonempty`, with a witness.
pub fn word(text: &str) -> Answer {
    Answer::word(text.into())
}

/// `empty`.
pub const fn empty() -> Answer {
    Answer::empty()
}

/// `nonempty` of a library that gives no witness.
pub fn bare() -> Answer {
    Answer { reason: Some("the library gives none".into()), ..Answer::of(Verdict::Nonempty) }
}

/// `unknown`.
pub fn unknown() -> Answer {
    Answer::unknown("gave up".into())
}

/// `empty`, contradicted by its own witness.
pub fn empty_with(text: &str) -> Answer {
    Answer { witness: Some(Witness::Word(SmtString::from(text))), ..Answer::empty() }
}

/// A script in `unicode` with so many queries.
pub fn script(id: &str, text: &str, queries: usize) -> Task {
    Task {
        parameters: Default::default(),
        id: id.into(),
        family: "t".into(),
        question: Question::of_script(Alphabet::Unicode, text, queries),
        expected: None,
    }
}

/// `sat`, with a model.
pub fn model(text: &str) -> Answer {
    Answer::proved(Verdict::Sat, Witness::Model(text.into()))
}

/// A verdict alone.
pub fn says(verdict: Verdict) -> Answer {
    Answer::of(verdict)
}

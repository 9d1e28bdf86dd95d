//! The digest that tells whether two plans are the same.
//!
//! Every value is fed with its length or in a fixed width, never through a serialiser: the digest changes
//! when the plan does and not when a format gains a key.

use std::time::Duration;

use harness_model::limits::Sampling;
use harness_model::{Limits, OperationKind, Operations, QuestionKind, Task};
use sha2::{Digest, Sha256};

/// Version of the way in which values are fed.
const SCHEME: u64 = 1;

/// Digest of tasks without what is expected of them, to notice that they were changed behind a run's back.
pub fn tasks_digest(tasks: &[Task]) -> String {
    let nothing = Limits { wall: Duration::ZERO, cpu: Duration::ZERO, memory: 0 };
    fingerprint(tasks, std::iter::empty::<&str>(), 0, nothing, None, 0)
}

/// Digest of all that decides the plan: tasks and strategies in their order, repeats, limits, sampling and
/// seed; 64 hexadecimal digits (SHA-256). What is expected of a task is left out: it decides no run, and gets
/// better over time. Linear in the size of the tasks, some 200 MB/s.
pub fn fingerprint(
    tasks: &[Task],
    strategies: impl IntoIterator<Item: AsRef<str>>,
    repeats: u32,
    limits: Limits,
    sampling: Option<Sampling>,
    seed: u64,
) -> String {
    let mut feed = Feed(Sha256::new());
    feed.number(SCHEME);
    feed.length(tasks.len());
    for task in tasks {
        feed.task(task);
    }
    let mut count = 0;
    for strategy in strategies {
        feed.text(strategy.as_ref());
        count += 1;
    }
    feed.length(count);
    feed.number(repeats.into());
    feed.duration(limits.wall);
    feed.duration(limits.cpu);
    feed.number(limits.memory);
    match sampling {
        None => feed.number(0),
        Some(sampling) => {
            feed.number(1);
            feed.duration(sampling.total);
            feed.number(sampling.max_samples.into());
        }
    }
    feed.number(seed);
    feed.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

struct Feed(Sha256);

impl Feed {
    fn number(&mut self, value: u64) {
        self.0.update(value.to_le_bytes());
    }

    fn length(&mut self, value: usize) {
        self.number(value as u64);
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.update(text);
    }

    fn duration(&mut self, value: Duration) {
        self.number(value.as_secs());
        self.number(value.subsec_nanos().into());
    }

    fn task(&mut self, task: &Task) {
        self.text(&task.id);
        self.text(&task.family);
        self.text(task.question.alphabet.name());
        // Earlier runs have digests of a question as two lists, both empty for a script, and then the script
        // if there is one. The marker after the lists keeps another kind of question apart from the id of the
        // task that follows, since no text is that long; a further kind takes the next lower number.
        match &task.question.kind {
            QuestionKind::Operations(asked) => self.operations(asked),
            QuestionKind::Script(script) => {
                self.length(0);
                self.length(0);
                self.number(u64::MAX);
                self.text(&script.text);
                self.length(script.queries);
            }
            QuestionKind::System(system) => {
                self.length(0);
                self.length(0);
                self.number(u64::MAX - 1);
                self.text(&system.text);
                self.text(system.format.name());
                self.length(system.queries);
                self.text(system.solution.name());
            }
            QuestionKind::Grammars(asked) => {
                self.length(0);
                self.length(0);
                self.number(u64::MAX - 2);
                self.length(asked.grammars.len());
                for grammar in &asked.grammars {
                    self.text(&grammar.name);
                    self.text(&grammar.text);
                }
                self.number(asked.shortest.into());
                self.number(asked.longest.into());
            }
        }
    }

    fn operations(&mut self, asked: &Operations) {
        self.length(asked.regexes.len());
        for regex in &asked.regexes {
            self.text(&regex.name);
            self.text(&regex.pattern);
            self.text(regex.dialect.name());
            // Nothing where it is not so: the digests of earlier builds stand.
            if regex.find {
                self.text("find");
            }
        }
        self.length(asked.operations.len());
        for operation in &asked.operations {
            self.number(match operation.kind {
                OperationKind::Product => 0,
                OperationKind::Difference => 1,
            });
            self.length(operation.left);
            self.length(operation.right);
        }
    }
}

#[cfg(test)]
mod tests {
    use harness_model::{Alphabet, Dialect, Expected, Operation, Question, RegexSource, Verdict};

    use super::*;

    fn task() -> Task {
        let regex = |name: &str, pattern: &str| RegexSource {
            find: false,
            name: name.into(),
            pattern: pattern.into(),
            dialect: Dialect::Dotnet,
        };
        Task {
            parameters: Default::default(),
            id: "t/1".into(),
            family: "t".into(),
            question: Question::of_operations(
                Alphabet::Ascii,
                vec![regex("A", "a+"), regex("B", "b")],
                vec![Operation { kind: OperationKind::Product, left: 0, right: 1 }],
            ),
            expected: None,
        }
    }

    fn asked(task: &mut Task) -> &mut Operations {
        let QuestionKind::Operations(asked) = &mut task.question.kind else { panic!("no operations") };
        asked
    }

    const LIMITS: Limits =
        Limits { wall: Duration::from_secs(60), cpu: Duration::from_secs(50), memory: 1 << 30 };

    fn of(task: Task) -> String {
        fingerprint(&[task], ["s1", "s2"], 3, LIMITS, None, 7)
    }

    /// A change here makes every directory of an earlier build one of another plan.
    #[test]
    fn it_stays_the_same_from_build_to_build() {
        assert_eq!(of(task()), "f685d52650581af433f53c35365e7afd76433cf379465029bf7ced464d843654");
    }

    #[test]
    fn what_is_expected_is_left_out() {
        let mut expecting = task();
        expecting.expected = Some(Expected { verdicts: vec![Verdict::Empty], source: "by hand".into() });
        assert_eq!(of(expecting), of(task()));
    }

    #[test]
    fn everything_else_counts() {
        let change = |with: fn(&mut Task)| {
            let mut changed = task();
            with(&mut changed);
            of(changed)
        };
        let tasks = [task()];
        let sampling = Sampling { total: Duration::from_millis(5), max_samples: 9 };
        let variants = [
            of(task()),
            change(|t| t.id.push('x')),
            change(|t| t.family.push('x')),
            change(|t| t.question.alphabet = Alphabet::Utf16),
            change(|t| asked(t).regexes[0].pattern = "a".into()),
            change(|t| asked(t).regexes[0].name = "a".into()),
            change(|t| asked(t).regexes[1].dialect = Dialect::Java),
            change(|t| asked(t).regexes[1].find = true),
            change(|t| asked(t).operations[0].kind = OperationKind::Difference),
            change(|t| asked(t).operations[0].left = 1),
            change(|t| asked(t).operations.clear()),
            change(|t| t.question = Question::of_script(Alphabet::Ascii, "(check-sat)", 1)),
            change(|t| t.question = Question::of_script(Alphabet::Ascii, "(check-sat) ", 1)),
            change(|t| t.question = Question::of_script(Alphabet::Ascii, "(check-sat)", 2)),
            fingerprint(&[task(), task()], ["s1", "s2"], 3, LIMITS, None, 7),
            fingerprint(&tasks, ["s2", "s1"], 3, LIMITS, None, 7),
            fingerprint(&tasks, ["s1s2"], 3, LIMITS, None, 7),
            fingerprint(&tasks, ["s1"], 3, LIMITS, None, 7),
            fingerprint(&tasks, ["s1", "s2"], 4, LIMITS, None, 7),
            fingerprint(&tasks, ["s1", "s2"], 3, Limits { memory: 1, ..LIMITS }, None, 7),
            fingerprint(&tasks, ["s1", "s2"], 3, Limits { cpu: LIMITS.wall, ..LIMITS }, None, 7),
            fingerprint(&tasks, ["s1", "s2"], 3, LIMITS, Some(sampling), 7),
            fingerprint(&tasks, ["s1", "s2"], 3, LIMITS, None, 8),
        ];
        let distinct: std::collections::HashSet<&String> = variants.iter().collect();
        assert_eq!(distinct.len(), variants.len());
    }
}

//! What became of one run: its record held against what is known of each operation.

use harness_model::judgement::Judgement;
use harness_model::record::{Record, Termination};
use harness_model::{Answer, SmtString, Status, Task, Verdict};

use crate::evidence::{Evidence, Truth};
use crate::membership::{Check, Membership, word_of};
use crate::text;

/// A record with the checks of its witnesses.
pub struct Judged<'a> {
    index: usize,
    record: &'a Record,
    /// One an operation that was answered, in order.
    checks: Vec<Option<Check>>,
    /// Why its answers do not count; `None` when they do.
    status: Option<(Status, String)>,
}

/// What one counted answer amounts to.
enum Finding {
    Fine(Verdict),
    Invalid(String),
    Wrong(String),
}

impl<'a> Judged<'a> {
    /// Looks at record number `index`, which is one of task number `number`.
    pub fn of(
        index: usize,
        number: usize,
        task: &Task,
        record: &'a Record,
        membership: &Membership<'_>,
    ) -> Self {
        // Answers to more operations than there are cannot be checked; answers in another alphabet are to another
        // question.
        let mut checks = Vec::new();
        if record.alphabet == task.question.alphabet {
            let answered = record.answers.iter().take(task.question.operations.len()).enumerate();
            checks.extend(answered.map(|(i, answer)| membership.look_up(number, task, i, answer)));
        }
        Self { index, record, checks, status: unanswered(task, record) }
    }

    /// The record's number.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Who ran.
    pub fn strategy(&self) -> &'a str {
        &self.record.key.strategy
    }

    /// The verdict on operation number `operation` if it counts and is definite.
    pub fn claim(&self, operation: usize) -> Option<Verdict> {
        let verdict = self.counted(operation)?.verdict;
        matches!(verdict, Verdict::Empty | Verdict::Nonempty).then_some(verdict)
    }

    /// Whether its verdict on operation number `operation` is `nonempty` by a witness that fails.
    pub fn is_void(&self, operation: usize) -> bool {
        self.claim(operation) == Some(Verdict::Nonempty) && self.check(operation).is_some_and(Check::refutes)
    }

    /// The word that it gave for operation number `operation`, if that is a proof, however the run ended.
    pub fn proof(&self, operation: usize) -> Option<&'a SmtString> {
        (self.check(operation)? == Check::Inside).then(|| word_of(self.record.answers.get(operation)?))?
    }

    fn check(&self, operation: usize) -> Option<Check> {
        self.checks.get(operation).copied()?
    }

    fn counted(&self, operation: usize) -> Option<&'a Answer> {
        if self.status.is_some() { None } else { self.record.answers.get(operation) }
    }

    /// The judgement, given what the corpus expects and what is known of each operation.
    pub fn judge(&self, task: &Task, expected: &[Option<Verdict>], evidence: &[Evidence<'_>]) -> Judgement {
        let expected = expected_of(expected);
        if let Some((status, detail)) = &self.status {
            return Judgement { status: *status, expected, witness: None, detail: detail.clone() };
        }
        let findings: Vec<Finding> =
            evidence.iter().enumerate().map(|(i, known)| self.finding(task, i, known)).collect();
        let status = if findings.iter().any(|f| matches!(f, Finding::Wrong(_))) {
            Status::Wrong
        } else if findings.iter().any(|f| matches!(f, Finding::Invalid(_))) {
            Status::InvalidModel
        } else {
            Status::Answered(verdict_of(&self.record.answers))
        };
        let detail = match (self.record.answers.as_slice(), findings.as_slice()) {
            ([answer], [finding]) => self.detail_of_one(task, answer, finding),
            _ => detail_of_batch(task, &findings),
        };
        let words: Vec<&SmtString> = self.record.answers.iter().filter_map(word_of).collect();
        let witness = match (words.as_slice(), self.record.answers.len()) {
            ([], _) => None,
            ([word], 1) => Some(word.to_string()),
            (many, _) => Some(many.len().to_string()),
        };
        Judgement { status, expected, witness, detail }
    }

    fn finding(&self, task: &Task, operation: usize, known: &Evidence<'_>) -> Finding {
        let Some(answer) = self.counted(operation) else { return Finding::Fine(Verdict::Unknown) };
        let failed = self
            .check(operation)
            .filter(|check| check.refutes())
            .and_then(|check| text::failure(task, operation, check, word_of(answer)?));
        let Some(said) = self.claim(operation) else { return Finding::Fine(answer.verdict) };
        match (known.truth(), failed) {
            (Some(truth), failed) if truth.verdict() != said => {
                let mut why = format!("said {said}, but {}", ground(task, truth));
                if let Some(failed) = failed {
                    why = format!("{why}; {failed}");
                }
                Finding::Wrong(why)
            }
            (_, Some(failed)) if said == Verdict::Nonempty => Finding::Invalid(failed),
            _ => Finding::Fine(said),
        }
    }

    /// Detail of a run of one operation: nothing when all is well and confirmed.
    fn detail_of_one(&self, task: &Task, answer: &Answer, finding: &Finding) -> String {
        let reason = answer.reason.as_deref();
        match finding {
            Finding::Wrong(why) | Finding::Invalid(why) => why.clone(),
            Finding::Fine(Verdict::Unknown) => reason.unwrap_or("no reason given").to_owned(),
            Finding::Fine(Verdict::Nonempty) => match (self.check(0), word_of(answer)) {
                (Some(check), Some(word)) => text::failure(task, 0, check, word).unwrap_or_default(),
                _ => format!("no witness: {}", reason.unwrap_or("no reason given")),
            },
            Finding::Fine(_) => String::new(),
        }
    }
}

/// Why `truth` is so.
fn ground(task: &Task, truth: Truth<'_>) -> String {
    match truth {
        Truth::Witness { word, strategy } => {
            format!("{} is in it (witness of {strategy}, checked)", text::word(word))
        }
        Truth::Expected(verdict) => {
            let source = task.expected.as_ref().map_or("", |e| e.source.as_str());
            format!("{verdict} is expected ({source})")
        }
    }
}

fn detail_of_batch(task: &Task, findings: &[Finding]) -> String {
    let counts = text::counted(findings.iter().map(|f| match f {
        Finding::Fine(verdict) => verdict.name(),
        Finding::Invalid(_) => Status::InvalidModel.name(),
        Finding::Wrong(_) => Status::Wrong.name(),
    }));
    let first = |wanted: fn(&Finding) -> Option<&str>| {
        findings.iter().enumerate().find_map(|(i, f)| Some((i, wanted(f)?)))
    };
    let wrong = first(|f| if let Finding::Wrong(why) = f { Some(why) } else { None });
    let invalid = first(|f| if let Finding::Invalid(why) = f { Some(why) } else { None });
    match wrong.or(invalid) {
        Some((i, why)) => format!("{counts}; first {}: {why}", text::operation(task, i)),
        None => counts,
    }
}

/// Status and detail of a run whose answers do not count; `None` when they do.
fn unanswered(task: &Task, record: &Record) -> Option<(Status, String)> {
    if record.alphabet != task.question.alphabet {
        let detail = format!("ran in {}, but the task is in {}", record.alphabet, task.question.alphabet);
        return Some((Status::Error, detail));
    }
    if record.termination != Termination::Answered {
        return Some(ended(record));
    }
    let (answered, asked) = (record.answers.len(), task.question.operations.len());
    if answered != asked {
        return Some((Status::Error, format!("incomplete: answered {answered} of {asked} operations")));
    }
    record
        .answers
        .iter()
        .position(|a| !matches!(a.verdict, Verdict::Empty | Verdict::Nonempty | Verdict::Unknown))
        .map(|i| {
            let (what, verdict) = (text::operation(task, i), record.answers[i].verdict);
            (Status::Error, format!("answered '{verdict}' to {what}, which is no verdict of an operation"))
        })
}

/// Status and detail of a run that stopped otherwise than by answering.
fn ended(record: &Record) -> (Status, String) {
    let status = match record.termination {
        Termination::Answered | Termination::Error(_) => Status::Error,
        Termination::Timeout(_) => Status::Timeout,
        Termination::Memout => Status::Memout,
        Termination::Signal(_) | Termination::Exit(_) => Status::Crash,
        Termination::Unsupported(_) => Status::Unsupported,
    };
    (status, text::termination(record) + &text::late(&record.answers))
}

/// The judgement of a record whose task is not known: nothing can be said of its answers.
pub fn without_task(record: &Record) -> Judgement {
    let (status, detail) = match record.termination {
        Termination::Answered => {
            (Status::Error, format!("there is no task {}: its answers cannot be judged", record.key.task))
        }
        _ => ended(record),
    };
    Judgement { status, expected: None, witness: None, detail }
}

/// The verdict on a run as a whole: `nonempty` when one is, else `unknown` when one is, else `empty`.
fn verdict_of(answers: &[Answer]) -> Verdict {
    let has = |wanted| answers.iter().any(|a| a.verdict == wanted);
    [Verdict::Nonempty, Verdict::Unknown].into_iter().find(|&v| has(v)).unwrap_or(Verdict::Empty)
}

/// The expected verdict on a run as a whole, where enough is known.
fn expected_of(expected: &[Option<Verdict>]) -> Option<Verdict> {
    if expected.contains(&Some(Verdict::Nonempty)) {
        return Some(Verdict::Nonempty);
    }
    (!expected.is_empty() && !expected.contains(&None)).then_some(Verdict::Empty)
}

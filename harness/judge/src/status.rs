//! What became of one run: its record held against what is known of each operation.

use harness_model::judgement::Judgement;
use harness_model::record::{Record, Termination};
use harness_model::{Answer, QuestionKind, Status, Task, Verdict, Witness};

use crate::evidence::{Evidence, Truth};
use crate::kind::{Checked, KindJudge};
use crate::text;

/// A record with the checks of its witnesses.
pub struct Judged<'a> {
    index: usize,
    record: &'a Record,
    /// One an operation or query that was answered, in order.
    checks: Vec<Option<Checked>>,
    /// Why it is no answer to the task; `None` when it is one.
    status: Option<(Status, String)>,
    /// Whether it was stopped in the middle of several questions: what it had answered until then can still
    /// be wrong.
    early: bool,
}

/// What one counted answer amounts to.
enum Finding {
    Fine(Verdict),
    /// A positive verdict whose witness could not be checked, where nothing else is known: as good as
    /// `unknown`.
    Unchecked(String),
    Invalid(String),
    Wrong(String),
}

impl<'a> Judged<'a> {
    /// Looks at record number `index`, which is one of `task`.
    pub fn of(index: usize, task: &Task, record: &'a Record, judge: &mut dyn KindJudge<'a>) -> Self {
        // Answers to more questions than there are cannot be checked; answers in another alphabet are to
        // another question.
        let mut checked = Vec::new();
        if record.alphabet == task.question.alphabet {
            let answered = record.answers.iter().take(task.question.asked()).enumerate();
            checked.extend(answered.map(|(i, answer)| judge.check(i, answer)));
        }
        let illegal = judge.illegal();
        let early = illegal.is_none() && was_stopped_early(task, record);
        let status = match illegal {
            Some(why) if record.termination == Termination::Answered => Some((Status::Error, why)),
            _ => unanswered(task, judge, record),
        };
        Self { index, record, checks: checked, status, early }
    }

    /// The record's number.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Who ran.
    pub fn strategy(&self) -> &'a str {
        &self.record.key.strategy
    }

    /// The verdict on operation or query number `operation` if it was given in time and is definite. What
    /// holds up to a bound only is not: it claims nothing beyond.
    pub fn claim(&self, operation: usize) -> Option<Verdict> {
        let verdict = self.counted(operation)?.verdict;
        verdict.is_definite().then_some(verdict)
    }

    /// Whether its verdict is `unsat-within-bound`, and was given in time.
    pub fn is_bounded(&self, operation: usize) -> bool {
        self.counted(operation).is_some_and(|answer| answer.verdict == Verdict::UnsatWithinBound)
    }

    /// Whether its verdict on operation number `operation` is a positive one by a witness that fails.
    pub fn is_void(&self, operation: usize) -> bool {
        self.claim(operation).is_some_and(Verdict::is_positive)
            && matches!(self.check(operation), Some(Checked::Refuted(_)))
    }

    /// The witness that it gave for operation number `operation`, if that is a proof, however the run ended.
    pub fn proof(&self, operation: usize) -> Option<&'a Witness> {
        (*self.check(operation)? == Checked::Proof)
            .then(|| self.record.answers.get(operation)?.witness.as_ref())?
    }

    fn check(&self, operation: usize) -> Option<&Checked> {
        self.checks.get(operation)?.as_ref()
    }

    fn counted(&self, operation: usize) -> Option<&'a Answer> {
        if self.status.is_some() && !self.early { None } else { self.record.answers.get(operation) }
    }

    /// The judgement, given what the corpus expects and what is known of each operation.
    pub fn judge(
        &self,
        task: &Task,
        judge: &dyn KindJudge<'_>,
        expected: &[Option<Verdict>],
        evidence: &[Evidence<'_>],
    ) -> Judgement {
        let expected = expected_of(expected);
        let findings: Vec<Finding> =
            evidence.iter().enumerate().map(|(i, known)| self.finding(task, i, known)).collect();
        let fault = if findings.iter().any(|f| matches!(f, Finding::Wrong(_))) {
            Some(Status::Wrong)
        } else if findings.iter().any(|f| matches!(f, Finding::Invalid(_))) {
            Some(Status::InvalidModel)
        } else {
            None
        };
        if let Some((status, detail)) = &self.status {
            let detail = match fault {
                Some(_) => {
                    format!("{}; {detail}", detail_of_batch(judge, &findings[..self.record.answers.len()]))
                }
                None => detail.clone(),
            };
            return Judgement { status: fault.unwrap_or(*status), expected, witness: None, detail };
        }
        let status = match fault {
            Some(fault) => fault,
            None if findings.iter().any(|f| matches!(f, Finding::Unchecked(_))) => {
                Status::Answered(Verdict::Unknown)
            }
            None => Status::Answered(verdict_of(&task.question.kind, &self.record.answers)),
        };
        let detail = match (self.record.answers.as_slice(), findings.as_slice()) {
            ([answer], [finding]) => self.detail_of_one(answer, finding),
            _ => detail_of_batch(judge, &findings),
        };
        let witnesses: Vec<&Witness> =
            self.record.answers.iter().filter_map(|answer| answer.witness.as_ref()).collect();
        let witness = match (witnesses.as_slice(), self.record.answers.len()) {
            ([], _) => None,
            ([one], 1) => Some(text::shown(one)),
            (many, _) => Some(many.len().to_string()),
        };
        Judgement { status, expected, witness, detail }
    }

    fn finding(&self, task: &Task, operation: usize, known: &Evidence<'_>) -> Finding {
        let Some(answer) = self.counted(operation) else { return Finding::Fine(Verdict::Unknown) };
        let failed = match self.check(operation) {
            Some(Checked::Refuted(why)) => Some(why),
            _ => None,
        };
        let Some(said) = self.claim(operation) else { return Finding::Fine(answer.verdict) };
        match (known.truth(), failed) {
            (Some(truth), failed) if truth.verdict() != said => {
                let mut why = format!("said {said}, but {}", ground(task, truth));
                if let Some(failed) = failed {
                    why = format!("{why}; {failed}");
                }
                Finding::Wrong(why)
            }
            (_, Some(failed)) if said.is_positive() => Finding::Invalid(failed.clone()),
            (None, None) if said.is_positive() => match self.check(operation) {
                Some(Checked::Unchecked(why)) => {
                    Finding::Unchecked(format!("said {said}, which nothing confirms: {why}"))
                }
                _ => Finding::Fine(said),
            },
            _ => Finding::Fine(said),
        }
    }

    /// Detail of a run of one operation or query: nothing when all is well and confirmed.
    fn detail_of_one(&self, answer: &Answer, finding: &Finding) -> String {
        let reason = answer.reason.as_deref();
        match finding {
            Finding::Wrong(why) | Finding::Invalid(why) | Finding::Unchecked(why) => why.clone(),
            Finding::Fine(Verdict::Unknown) => reason.unwrap_or("no reason given").to_owned(),
            Finding::Fine(Verdict::UnsatWithinBound) => reason.unwrap_or_default().to_owned(),
            Finding::Fine(verdict) if verdict.is_positive() => match self.check(0) {
                Some(check) => check.why_not().unwrap_or_default().to_owned(),
                None => format!("no witness: {}", reason.unwrap_or("no reason given")),
            },
            Finding::Fine(_) => String::new(),
        }
    }
}

/// Why `truth` is so.
fn ground(task: &Task, truth: Truth<'_>) -> String {
    match truth {
        Truth::Witness { witness, strategy } => text::ground(witness, strategy),
        Truth::Expected(verdict) => {
            let source = task.expected.as_ref().map_or("", |e| e.source.as_str());
            format!("{verdict} is expected ({source})")
        }
    }
}

fn detail_of_batch(judge: &dyn KindJudge<'_>, findings: &[Finding]) -> String {
    let counts = text::counted(findings.iter().map(|f| match f {
        Finding::Fine(verdict) => verdict.name(),
        Finding::Invalid(_) => Status::InvalidModel.name(),
        Finding::Unchecked(_) => "not checked",
        Finding::Wrong(_) => Status::Wrong.name(),
    }));
    let first = |wanted: fn(&Finding) -> Option<&str>| {
        findings.iter().enumerate().find_map(|(i, f)| Some((i, wanted(f)?)))
    };
    let wrong = first(|f| if let Finding::Wrong(why) = f { Some(why) } else { None });
    let invalid = first(|f| if let Finding::Invalid(why) = f { Some(why) } else { None });
    match wrong.or(invalid) {
        Some((i, why)) => format!("{counts}; first {}: {why}", judge.describe(i)),
        None => counts,
    }
}

/// Whether a run gave some of the answers that were asked for and was then stopped, or failed.
fn was_stopped_early(task: &Task, record: &Record) -> bool {
    let (answered, possible) = (record.answers.len(), task.question.kind.verdicts());
    record.alphabet == task.question.alphabet
        && record.termination != Termination::Answered
        && (1..task.question.asked()).contains(&answered)
        && record.answers.iter().all(|answer| possible.contains(&answer.verdict))
}

/// Status and detail of a run that does not answer its task; `None` when it does.
fn unanswered(task: &Task, judge: &dyn KindJudge<'_>, record: &Record) -> Option<(Status, String)> {
    if record.alphabet != task.question.alphabet {
        let detail = format!("ran in {}, but the task is in {}", record.alphabet, task.question.alphabet);
        return Some((Status::Error, detail));
    }
    if record.termination != Termination::Answered {
        return Some(ended(record, Some(task.question.asked())));
    }
    let (answered, wanted) = (record.answers.len(), task.question.asked());
    if answered != wanted {
        let parts = judge.nouns().parts;
        return Some((Status::Error, format!("incomplete: answered {answered} of {wanted} {parts}")));
    }
    let possible = task.question.kind.verdicts();
    record.answers.iter().position(|answer| !possible.contains(&answer.verdict)).map(|i| {
        let (what, verdict) = (judge.describe(i), record.answers[i].verdict);
        let subject = judge.nouns().subject;
        (Status::Error, format!("answered '{verdict}' to {what}, which is no verdict of {subject}"))
    })
}

/// Status and detail of a run that stopped otherwise than by answering; `asked` is how many answers there
/// should be, if that is known.
fn ended(record: &Record, asked: Option<usize>) -> (Status, String) {
    let status = match record.termination {
        Termination::Answered | Termination::Error(_) => Status::Error,
        Termination::Timeout(_) => Status::Timeout,
        Termination::Memout => Status::Memout,
        Termination::Signal(_) | Termination::Exit(_) => Status::Crash,
        Termination::Unsupported(_) => Status::Unsupported,
    };
    (status, text::termination(record) + &text::not_counted(&record.answers, asked))
}

/// The judgement of a record whose task is not known: nothing can be said of its answers.
pub fn without_task(record: &Record) -> Judgement {
    let (status, detail) = match record.termination {
        Termination::Answered => {
            (Status::Error, format!("there is no task {}: its answers cannot be judged", record.key.task))
        }
        _ => ended(record, None),
    };
    Judgement { status, expected: None, witness: None, detail }
}

/// The verdict on a run as a whole: the first of those that its kind of question can have that one of its
/// answers has, else the last.
#[expect(clippy::expect_used, reason = "the list of verdicts of a kind is a constant that is not empty")]
fn verdict_of(kind: &QuestionKind, answers: &[Answer]) -> Verdict {
    let possible = kind.verdicts();
    let first = possible.iter().find(|&&verdict| answers.iter().any(|answer| answer.verdict == verdict));
    *first.or(possible.last()).expect("a kind of question has verdicts")
}

/// The expected verdict on a run as a whole, where enough is known.
fn expected_of(expected: &[Option<Verdict>]) -> Option<Verdict> {
    let known = || expected.iter().copied().flatten();
    if let Some(positive) = known().find(|v| v.is_positive()) {
        return Some(positive);
    }
    if expected.contains(&None) { None } else { known().next() }
}

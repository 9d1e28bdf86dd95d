//! What is kept while a question shrinks: which strategy shows what.
//!
//! An [`Interest`] names strategies and what each of them showed of the question as it was given: the status
//! that the judge gave it, the verdict that it claimed, and where it failed. A smaller question shows the
//! same only if all of that is equal, so that shrinking does not slip from one fault to another. The judge is
//! asked anew about every candidate and is told of no expected verdict, for that one belongs to the question
//! that was given.

use harness_judge::judge;
use harness_model::record::{Record, Termination};
use harness_model::{Question, Status, Task, Verdict};

use crate::outlier::Outlier;

/// What one strategy showed of one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What the judge makes of it.
    pub status: Status,
    /// What it claimed of the question as a whole, however that was judged; `None` without answers to all of
    /// it.
    pub said: Option<Verdict>,
    /// Why it failed, without what differs from question to question: numbers and quoted pieces.
    pub cause: Option<String>,
    /// Whether it gave a witness: only such a verdict refutes another one.
    pub witnessed: bool,
    /// What the judge says of it, for people.
    pub detail: String,
}

impl Shown {
    /// The same fault, or the same answer.
    fn is_like(&self, other: &Self) -> bool {
        (self.status, self.said, &self.cause) == (other.status, other.said, &other.cause)
    }

    /// In a word or two: `unsat`, `wrong (said unsat)`.
    pub fn in_words(&self) -> String {
        let status = self.status.name();
        match self.said {
            Some(said) if said.name() != status => format!("{status} (said {said})"),
            _ => status.to_owned(),
        }
    }
}

/// What the records of one question, by all strategies of interest, show. They may be those of a run, whose
/// tasks have other names.
pub fn shown(question: &Question, records: &[Record]) -> Vec<Shown> {
    let id = records.first().map_or(TASK, |record| &record.key.task).to_owned();
    let task = Task {
        parameters: Default::default(),
        id,
        family: TASK.to_owned(),
        question: question.clone(),
        expected: None,
    };
    let verdicts = judge(std::slice::from_ref(&task), records);
    let judged = records.iter().zip(verdicts.judgements);
    judged
        .map(|(record, judgement)| Shown {
            status: judgement.status,
            said: said(question, record),
            cause: cause(record),
            witnessed: judgement.witness.is_some(),
            detail: judgement.detail,
        })
        .collect()
}

/// The id of the task that a candidate is judged as.
pub(crate) const TASK: &str = "shrink";

/// What a record claims of the question as a whole.
fn said(question: &Question, record: &Record) -> Option<Verdict> {
    if record.termination != Termination::Answered || record.answers.len() != question.asked() {
        return None;
    }
    let verdicts = question.kind.verdicts();
    verdicts.iter().copied().find(|verdict| record.answers.iter().any(|answer| answer.verdict == *verdict))
}

/// Why a record has no answer, in words that a smaller question leaves alone.
fn cause(record: &Record) -> Option<String> {
    match &record.termination {
        Termination::Answered | Termination::Timeout(_) | Termination::Memout => None,
        Termination::Signal(number) => Some(crash(&format!("signal {number}"), &record.stderr)),
        Termination::Exit(code) => Some(crash(&format!("exit code {code}"), &record.stderr)),
        Termination::Error(why) => Some(match panicked(why) {
            Some(place) => place.to_owned(),
            None => bare(why),
        }),
        Termination::Unsupported(what) => Some(bare(what)),
    }
}

fn crash(how: &str, stderr: &str) -> String {
    match panicked(stderr) {
        Some(place) => format!("{how}, {place}"),
        None => how.to_owned(),
    }
}

/// The place in the source that a panic names: `panicked at FILE:LINE:COLUMN`.
fn panicked(text: &str) -> Option<&str> {
    let from = text.find("panicked at ")?;
    let place = text[from..].lines().next()?;
    Some(place.trim_end_matches(':'))
}

/// A message without numbers and quoted pieces, which name parts of the question.
fn bare(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    let mut quote = None;
    for c in message.chars() {
        match (quote, c) {
            (Some(end), _) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '|' | '`') => quote = Some(c),
            (None, c) if c.is_ascii_digit() => {}
            (None, c) => text.push(c),
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The kinds of what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A verdict that another strategy's checked witness refutes.
    Wrong,
    /// A witness that does not satisfy the question.
    InvalidModel,
    /// Contrary verdicts that nothing settles.
    Disagreement,
    /// A process that ended without an answer.
    Crash,
    /// A failure that the strategy itself tells of.
    Error,
    /// A limit that struck where another strategy answers.
    Limit,
    /// No verdict where another strategy has one.
    Unknown,
    /// A strategy that is slower than another one by a factor, or has counted more.
    Outlier,
    /// The statuses that somebody asked for.
    Asked,
}

impl Kind {
    /// For people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wrong => "a wrong verdict",
            Self::InvalidModel => "a model that does not satisfy its problem",
            Self::Disagreement => "a disagreement",
            Self::Crash => "a crash",
            Self::Error => "an error",
            Self::Limit => "a limit that only one of them meets",
            Self::Unknown => "a verdict that only one of them has",
            Self::Outlier => "an outlier",
            Self::Asked => "the statuses that were asked for",
        }
    }
}

/// A strategy, by its place among those that are run, and what it has to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Want {
    /// Its place.
    pub strategy: usize,
    /// What it showed.
    pub shown: Shown,
}

/// What every smaller question has to show.
#[derive(Clone, Debug, PartialEq)]
pub struct Interest {
    /// What kind it is.
    pub kind: Kind,
    /// Who shows what; the order is that in which strategies are run on a candidate.
    pub wants: Vec<Want>,
    /// Who is slower than whom, where that is what is kept.
    pub outlier: Option<Outlier>,
}

impl Interest {
    /// The worst fault among what strategies showed; `None` when all is well, or the only one.
    pub fn find(all: &[Shown]) -> Option<Self> {
        FAULTS.into_iter().find_map(|kind| Self::of_kind(kind, all))
    }

    /// The worst fault among several lists of what strategies showed, with the number of the first list that
    /// has it.
    pub fn worst(lists: &[Vec<Shown>]) -> Option<(usize, Self)> {
        let first = |kind: Kind| {
            let mut lists = lists.iter().enumerate();
            lists.find_map(|(number, all)| Some((number, Self::of_kind(kind, all)?)))
        };
        FAULTS.into_iter().find_map(first)
    }

    /// A fault of this kind: the first strategy that shows it, and the one that speaks against it.
    pub fn of_kind(kind: Kind, all: &[Shown]) -> Option<Self> {
        let with = |strategies: &[usize]| {
            let want = |&strategy: &usize| Want { strategy, shown: all[strategy].clone() };
            Self { kind, wants: strategies.iter().map(want).collect(), outlier: None }
        };
        let first = |status: Status| (0..all.len()).find(|&i| all[i].status == status);
        match kind {
            Kind::Wrong => (0..all.len())
                .filter(|&i| all[i].status == Status::Wrong)
                .find_map(|wrong| Some(with(&[wrong, refuter(wrong, all)?]))),
            Kind::InvalidModel => first(Status::InvalidModel).map(|i| with(&[i])),
            Kind::Disagreement => {
                let claims = |i: usize| all[i].said.filter(|said| said.is_definite());
                let pair = |i: usize| {
                    let other = (i + 1..all.len())
                        .find(|&j| claims(j).is_some_and(|said| Some(said) != claims(i)))?;
                    Some(with(&[i, other]))
                };
                (0..all.len()).filter(|&i| claims(i).is_some()).find_map(pair)
            }
            Kind::Crash => first(Status::Crash).map(|i| with(&[i])),
            Kind::Error => first(Status::Error).map(|i| with(&[i])),
            Kind::Limit => {
                let limited = first(Status::Timeout).or_else(|| first(Status::Memout))?;
                let other = (0..all.len()).find(|&i| all[i].is_definite())?;
                Some(with(&[other, limited]))
            }
            Kind::Unknown => {
                let unknown = first(Status::Answered(Verdict::Unknown))?;
                let other = (0..all.len()).find(|&i| all[i].is_definite())?;
                Some(with(&[unknown, other]))
            }
            Kind::Outlier | Kind::Asked => None,
        }
    }

    /// The statuses that somebody wants kept, of the strategies at these places.
    ///
    /// # Errors
    ///
    /// The first strategy that has another status.
    pub fn asked(conditions: &[(usize, Status)], all: &[Shown]) -> Result<Self, usize> {
        let unlike =
            conditions.iter().find(|(i, status)| all.get(*i).is_none_or(|shown| shown.status != *status));
        if let Some((strategy, _)) = unlike {
            return Err(*strategy);
        }
        let mut strategies: Vec<usize> = conditions.iter().map(|(strategy, _)| *strategy).collect();
        // Whether one is wrong is known from another one.
        for (wrong, _) in conditions.iter().filter(|(_, status)| *status == Status::Wrong) {
            match refuter(*wrong, all) {
                Some(right) => strategies.push(right),
                // Of several queries it may be any.
                None => strategies.extend((0..all.len()).filter(|&i| all[i].is_definite())),
            }
        }
        let mut wants: Vec<Want> = Vec::new();
        for strategy in strategies {
            if wants.iter().all(|want| want.strategy != strategy) {
                wants.push(Want { strategy, shown: all[strategy].clone() });
            }
        }
        Ok(Self { kind: Kind::Asked, wants, outlier: None })
    }

    /// Whether a record of the strategy of want number `number` can still show it, as far as can be told
    /// without the records of the others.
    pub(crate) fn may_hold(&self, number: usize, question: &Question, record: &Record) -> bool {
        let Want { shown, .. } = &self.wants[number];
        said(question, record) == shown.said
            && cause(record) == shown.cause
            && is_limit(record) == shown.is_limit()
    }

    /// Whether a record of the strategy of want number `number` tells nothing, for its process was killed, as
    /// the system or a person does, and that is not what is to be shown.
    pub(crate) fn was_killed(&self, number: usize, record: &Record) -> bool {
        record.termination == Termination::Signal(KILL) && cause(record) != self.wants[number].shown.cause
    }

    /// Whether all of it is shown by records in the order of the wants.
    pub(crate) fn holds(&self, question: &Question, records: &[Record]) -> bool {
        let now = shown(question, records);
        self.wants.len() == now.len()
            && self.wants.iter().zip(&now).all(|(want, now)| want.shown.is_like(now))
    }
}

/// The strategy that speaks against a wrong verdict: one with a witness, where there is one.
fn refuter(wrong: usize, all: &[Shown]) -> Option<usize> {
    let mut others = (0..all.len()).filter(|&i| all[i].is_definite() && all[i].said != all[wrong].said);
    let first = others.next()?;
    if all[first].witnessed { Some(first) } else { others.find(|&i| all[i].witnessed).or(Some(first)) }
}

/// The signal that no process can catch.
const KILL: i32 = 9;

/// Faults that are looked for, the worst one first.
const FAULTS: [Kind; 7] = [
    Kind::Wrong,
    Kind::InvalidModel,
    Kind::Disagreement,
    Kind::Crash,
    Kind::Error,
    Kind::Limit,
    Kind::Unknown,
];

impl Shown {
    /// Whether it is a verdict that counts.
    fn is_definite(&self) -> bool {
        matches!(self.status, Status::Answered(verdict) if verdict.is_definite())
    }

    fn is_limit(&self) -> Option<Status> {
        [Status::Timeout, Status::Memout].into_iter().find(|status| *status == self.status)
    }
}

fn is_limit(record: &Record) -> Option<Status> {
    match record.termination {
        Termination::Timeout(_) => Some(Status::Timeout),
        Termination::Memout => Some(Status::Memout),
        Termination::Answered
        | Termination::Signal(_)
        | Termination::Exit(_)
        | Termination::Error(_)
        | Termination::Unsupported(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(status: Status, said: Option<Verdict>) -> Shown {
        Shown { status, said, cause: None, witnessed: said == Some(Verdict::Sat), detail: String::new() }
    }

    fn answered(verdict: Verdict) -> Shown {
        shown(Status::Answered(verdict), Some(verdict))
    }

    fn places(interest: &Interest) -> Vec<usize> {
        interest.wants.iter().map(|want| want.strategy).collect()
    }

    #[test]
    fn the_worst_fault_is_kept_with_what_speaks_against_it() {
        let wrong = shown(Status::Wrong, Some(Verdict::Unsat));
        let crash = shown(Status::Crash, None);
        let unchecked = shown(Status::Answered(Verdict::Unknown), Some(Verdict::Sat));
        let (sat, unsat) = (answered(Verdict::Sat), answered(Verdict::Unsat));
        let bare = Shown { witnessed: false, ..sat.clone() };
        for (all, kind, wanted) in [
            (vec![crash.clone(), wrong.clone(), sat.clone()], Kind::Wrong, &[1, 2][..]),
            (vec![wrong, bare, sat.clone()], Kind::Wrong, &[0, 2]),
            (vec![crash.clone(), unchecked, unsat.clone()], Kind::Disagreement, &[1, 2]),
            (vec![sat.clone(), crash], Kind::Crash, &[1]),
            (vec![shown(Status::Timeout, None), unsat], Kind::Limit, &[1, 0]),
            (vec![answered(Verdict::Unknown), sat.clone()], Kind::Unknown, &[0, 1]),
        ] {
            let found = Interest::find(&all).unwrap();
            assert_eq!((found.kind, places(&found).as_slice()), (kind, wanted), "{all:?}");
        }
        assert_eq!(Interest::find(&[sat.clone(), sat.clone()]), None);
        let lists =
            [vec![sat.clone()], vec![answered(Verdict::Unknown), sat], vec![shown(Status::Crash, None)]];
        let (number, worst) = Interest::worst(&lists).unwrap();
        assert_eq!((number, worst.kind), (2, Kind::Crash));
    }

    #[test]
    fn statuses_that_are_asked_for_have_to_be_there() {
        let all = [answered(Verdict::Sat), shown(Status::Wrong, Some(Verdict::Unsat))];
        let found = Interest::asked(&[(1, Status::Wrong)], &all).unwrap();
        assert_eq!(places(&found), [1, 0], "the one that refutes it is kept");
        assert_eq!(Interest::asked(&[(0, Status::Crash)], &all), Err(0));
        let bare = Shown { witnessed: false, ..all[0].clone() };
        let found = Interest::asked(&[(1, Status::Wrong)], &[bare, all[1].clone(), all[0].clone()]).unwrap();
        assert_eq!(places(&found), [1, 2], "one without a witness refutes nothing");
    }

    #[test]
    fn messages_are_compared_without_what_they_quote() {
        assert_eq!(bare("term 17 'x_4' is  too deep"), "term is too deep");
        assert_eq!(
            panicked("thread 'main' panicked at src/a.rs:1:2:\nindex out of bounds"),
            Some("panicked at src/a.rs:1:2")
        );
    }
}

//! What is answered. Why a run stopped ([`crate::record::Termination`]), what it said ([`Verdict`]) and
//! whether that was right ([`Status`], which only the judge makes) are three things.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::string::SmtString;

/// What a strategy says of a problem or of an automata operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// There is none up to the strategy's bound.
    UnsatWithinBound,
    /// It could not tell; the reason is beside it.
    Unknown,
    /// The language is empty.
    Empty,
    /// The language has a word.
    Nonempty,
}

impl Verdict {
    /// The name in tables and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sat => "sat",
            Self::Unsat => "unsat",
            Self::UnsatWithinBound => "unsat-within-bound",
            Self::Unknown => "unknown",
            Self::Empty => "empty",
            Self::Nonempty => "nonempty",
        }
    }

    /// Whether it claims something of the whole question: not `unknown`, and not up to a bound only.
    pub const fn is_definite(self) -> bool {
        match self {
            Self::Sat | Self::Unsat | Self::Empty | Self::Nonempty => true,
            Self::UnsatWithinBound | Self::Unknown => false,
        }
    }

    /// Whether it claims that something exists, which a witness can prove.
    pub const fn is_positive(self) -> bool {
        matches!(self, Self::Sat | Self::Nonempty)
    }

    /// Whether it claims that nothing exists.
    pub const fn is_negative(self) -> bool {
        matches!(self, Self::Unsat | Self::UnsatWithinBound | Self::Empty)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What proves a positive verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Witness {
    /// A word of the language.
    Word(SmtString),
    /// A model of a problem, as SMT solvers print it: `(define-fun x () Sort value)`, a list.
    Model(String),
    /// Assignments of languages to the variables of a system of regular constraints; at least one.
    Languages(Vec<Languages>),
}

/// A language for each variable of a system of regular constraints: by name, as an automaton in DPRLE's
/// notation.
pub type Languages = BTreeMap<String, String>;

impl Witness {
    /// The verdict that it proves.
    pub const fn proves(&self) -> Verdict {
        match self {
            Self::Word(_) => Verdict::Nonempty,
            Self::Model(_) | Self::Languages(_) => Verdict::Sat,
        }
    }

    /// The word, if it is one.
    pub const fn word(&self) -> Option<&SmtString> {
        match self {
            Self::Word(word) => Some(word),
            Self::Model(_) | Self::Languages(_) => None,
        }
    }

    /// The model, if it is one.
    pub const fn model(&self) -> Option<&str> {
        match self {
            Self::Model(model) => Some(model.as_str()),
            Self::Word(_) | Self::Languages(_) => None,
        }
    }

    /// The assignments of languages, if it is some.
    pub const fn languages(&self) -> Option<&Vec<Languages>> {
        match self {
            Self::Languages(all) => Some(all),
            Self::Word(_) | Self::Model(_) => None,
        }
    }
}

/// One of the answers to a question: to an operation, or to a `check-sat`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// What it says.
    pub verdict: Verdict,
    /// What proves it. A strategy that cannot give one says so in `reason`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// Why the verdict is `unknown`, or why there is no witness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was counted for this answer alone, where the strategy says so: `iterations`. Counters of the
    /// whole run are the record's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, u64>,
}

impl Answer {
    /// No more than `verdict`.
    pub const fn of(verdict: Verdict) -> Self {
        Self { verdict, witness: None, reason: None, counters: BTreeMap::new() }
    }

    /// It is unknown, because of `reason`.
    pub const fn unknown(reason: String) -> Self {
        Self { verdict: Verdict::Unknown, witness: None, reason: Some(reason), counters: BTreeMap::new() }
    }

    /// `verdict`, which `witness` proves.
    pub const fn proved(verdict: Verdict, witness: Witness) -> Self {
        Self { verdict, witness: Some(witness), reason: None, counters: BTreeMap::new() }
    }

    /// The language is empty.
    pub const fn empty() -> Self {
        Self::of(Verdict::Empty)
    }

    /// `word` is in the language.
    pub const fn word(word: SmtString) -> Self {
        Self::proved(Verdict::Nonempty, Witness::Word(word))
    }
}

/// The answers to a question, as many as [`crate::Question::asked`] says, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Outcome {
    /// In the order in which the question asks for them.
    pub answers: Vec<Answer>,
}

/// What became of one run, after checking: the column `status` of `results.csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Answered, and nothing contradicts it. Of several answers the verdict is the first of
    /// [`crate::QuestionKind::verdicts`] that one of them has.
    Answered(Verdict),
    /// Wall or CPU limit.
    Timeout,
    /// Memory limit.
    Memout,
    /// Ended by a signal or with an exit code of its own.
    Crash,
    /// It reported an error.
    Error,
    /// It cannot do this task, and said so.
    Unsupported,
    /// The verdict is wrong.
    Wrong,
    /// The verdict may be right, but its witness does not satisfy the question.
    InvalidModel,
}

impl Status {
    /// All statuses.
    pub const ALL: [Self; 13] = [
        Self::Answered(Verdict::Sat),
        Self::Answered(Verdict::Unsat),
        Self::Answered(Verdict::UnsatWithinBound),
        Self::Answered(Verdict::Unknown),
        Self::Answered(Verdict::Empty),
        Self::Answered(Verdict::Nonempty),
        Self::Timeout,
        Self::Memout,
        Self::Crash,
        Self::Error,
        Self::Unsupported,
        Self::Wrong,
        Self::InvalidModel,
    ];

    /// The name in tables and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answered(verdict) => verdict.name(),
            Self::Timeout => "timeout",
            Self::Memout => "memout",
            Self::Crash => "crash",
            Self::Error => "error",
            Self::Unsupported => "unsupported",
            Self::Wrong => "wrong",
            Self::InvalidModel => "invalid-model",
        }
    }

    /// Whether the run's time may enter an average: a verdict other than `unknown` that nothing contradicts.
    pub const fn is_solved(self) -> bool {
        matches!(self, Self::Answered(v) if !matches!(v, Verdict::Unknown))
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_statuses_are_listed() {
        let place = |status| match status {
            Status::Answered(Verdict::Sat) => 0,
            Status::Answered(Verdict::Unsat) => 1,
            Status::Answered(Verdict::UnsatWithinBound) => 2,
            Status::Answered(Verdict::Unknown) => 3,
            Status::Answered(Verdict::Empty) => 4,
            Status::Answered(Verdict::Nonempty) => 5,
            Status::Timeout => 6,
            Status::Memout => 7,
            Status::Crash => 8,
            Status::Error => 9,
            Status::Unsupported => 10,
            Status::Wrong => 11,
            Status::InvalidModel => 12,
        };
        assert_eq!(Status::ALL.map(place), std::array::from_fn(|i| i));
    }
}

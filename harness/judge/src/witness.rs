//! What the check of a witness comes to, whatever kind of question it answers.

use harness_model::Task;

use crate::membership::{Membership, word_of};
use crate::models::{Asked, Models};
use crate::text;

/// What the check of a witness says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// It is what it claims to be: a proof.
    Proof,
    /// It certainly is not, and why.
    Refuted(String),
    /// It cannot be told, and why.
    Unchecked(String),
}

impl Checked {
    /// Why it is no proof; `None` when it is one.
    pub fn why_not(&self) -> Option<&str> {
        match self {
            Self::Proof => None,
            Self::Refuted(why) | Self::Unchecked(why) => Some(why),
        }
    }
}

/// The checks of the witnesses for one task.
pub struct Checks<'a> {
    number: usize,
    task: &'a Task,
    membership: &'a Membership<'a>,
    models: Option<Models<'a>>,
}

impl<'a> Checks<'a> {
    /// For task number `number`. Reads its script, if it has one.
    pub fn new(number: usize, task: &'a Task, membership: &'a Membership<'a>) -> Self {
        Self { number, task, membership, models: Models::of(task) }
    }

    /// The check of the witness that `answer` to question number `operation` gives, if it does. Models are evaluated the first
    /// time that they are met.
    pub fn check(&mut self, operation: usize, answer: &'a harness_model::Answer) -> Option<Checked> {
        if let Some(models) = &mut self.models {
            return models.check(operation, answer);
        }
        let word = word_of(answer)?;
        let check = self.membership.look_up(self.number, self.task, operation, answer)?;
        Some(match text::failure(self.task, operation, check, word) {
            None => Checked::Proof,
            Some(why) if check.refutes() => Checked::Refuted(why),
            Some(why) => Checked::Unchecked(why),
        })
    }

    /// The script, where it can be read; `None` too when the task has none.
    pub fn asked(&self) -> Option<&Asked> {
        self.models.as_ref()?.asked()
    }

    /// Why no verdict on the script may count: it is not legal.
    pub fn illegal(&self) -> Option<&str> {
        self.models.as_ref()?.illegal()
    }
}

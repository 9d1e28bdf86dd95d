//! What the judge has to know of a kind of question: one implementation of [`KindJudge`] for each, chosen in
//! one place.
//!
//! A new kind takes, in this order (ARCHITECTURE.md, "A kind of question", has the files):
//!
//! 1. `harness-model`, `question.rs`: a variant of [`QuestionKind`] with its data, and its key in JSON. The
//!    compiler then names each place that has to know it: how many answers it asks for, which verdicts they
//!    can have and how several make one, its name, its part of the fingerprint (`harness-store`), its row of
//!    `tasks.tsv` (`harness generate`), and [`judge_of`] here.
//! 2. `harness-model`, `verdict.rs`, where positive verdicts need another proof than a word or a model: a
//!    variant of [`Witness`](harness_model::Witness), with the verdict that it proves. The compiler then
//!    names the wordings in `text.rs` here.
//! 3. A file here that implements [`KindJudge`]. It reads the question by itself, with readers of `harness/`,
//!    and trusts nothing of a strategy. Where a witness is a language, [`harness_check::inclusion`] compares
//!    languages.
//! 4. `backends-input`: a file that reads it for strategies. A strategy that takes one kind of question
//!    answers `unsupported` to the new one, with its name; one that takes several has an arm for it.
//! 5. FORMATS.md: the key in `question`, and the form of the witness.

use harness_model::{Answer, QuestionKind, Task, Verdict};

use crate::grammars::GrammarsJudge;
use crate::membership::Membership;
use crate::operations::OperationsJudge;
use crate::script::ScriptJudge;
use crate::system::SystemJudge;

/// The result of checking a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// It is what it claims to be: a proof.
    Proof,
    /// It certainly is not, and why.
    Refuted(String),
    /// It could not be checked, and why.
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

/// The words for a kind of question in messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nouns {
    /// What each answer is an answer to, in the plural: `operations`.
    pub parts: &'static str,
    /// What a verdict is about, with its article: `an operation`.
    pub subject: &'static str,
}

/// The judge of one task's question.
pub trait KindJudge<'a> {
    /// Checks the witness that `answer` to part `number` of the question gives; `None` when it gives none of
    /// the form that this kind of question takes. Each distinct witness is checked once.
    fn check(&mut self, number: usize, answer: &'a Answer) -> Option<Checked>;

    /// Why no verdict on the question may count: it is not legal.
    fn illegal(&self) -> Option<String>;

    /// Whether a corpus may give `verdict`, which is not definite, to leave a part of the question open.
    fn leaves_open(&self, verdict: Verdict) -> bool;

    /// Where the question itself states a verdict and another one is expected: a clause for each such place.
    fn contradictions(&self, expected: &[Option<Verdict>]) -> Vec<String>;

    /// Part `number` of the question in messages, such as `difference(A0, A1)`.
    fn describe(&self, number: usize) -> String;

    /// The words for it.
    fn nouns(&self) -> Nouns;
}

/// The judge of task number `number`.
pub fn judge_of<'a>(
    number: usize,
    task: &'a Task,
    membership: &'a Membership<'a>,
) -> Box<dyn KindJudge<'a> + 'a> {
    let alphabet = task.question.alphabet;
    match &task.question.kind {
        QuestionKind::Operations(asked) => {
            Box::new(OperationsJudge::new(number, asked, alphabet, membership))
        }
        QuestionKind::Script(source) => Box::new(ScriptJudge::new(source, alphabet)),
        QuestionKind::System(source) => Box::new(SystemJudge::new(source, alphabet)),
        QuestionKind::Grammars(asked) => Box::new(GrammarsJudge::new(asked, alphabet)),
    }
}

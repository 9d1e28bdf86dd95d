//! A question with a name and an expected answer. A task never holds limits or strategies.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::question::Question;
use crate::verdict::Verdict;

/// A question with a name and, where one is known, the right answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Unique in a run; a path such as `regexes/li2009/ascii/product/A0-A1`.
    pub id: String,
    /// What it is grouped under in tables, such as `regexes/li2009/product`.
    pub family: String,
    /// What a backend sees.
    pub question: Question,
    /// The sizes that a generator made it of, such as `n`, by their names: what curves are drawn over.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, i64>,
    /// The right answer, where one is known.
    pub expected: Option<Expected>,
}

/// The right answer, and who says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// One for each answer that the question asks for, in order.
    pub verdicts: Vec<Verdict>,
    /// Who says so, or why it is so by construction.
    pub source: String,
}

/// How the source of an expected verdict begins when it is only the script's own `(set-info :status …)`.
/// Anyone may have written that, so the judge reports where it contradicts a verdict but does not take it as
/// a proof.
pub const STATUS_LINE: &str = "set-info :status";

/// How the source of an expected verdict begins when it is only what the script's folder is called, `sat` or
/// `unsat`: as good as a [`STATUS_LINE`].
pub const FOLDER_NAME: &str = "the name of the folder";

impl Expected {
    /// Whether this is no more than a claim, which proves nothing.
    pub fn is_claim(&self) -> bool {
        [STATUS_LINE, FOLDER_NAME].iter().any(|start| self.source.starts_with(start))
    }
}

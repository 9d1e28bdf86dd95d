//! What the judge makes of a record. Never stored: made anew whenever records are read.

use crate::verdict::{Status, Verdict};

/// What became of one run, after checking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The column `status`.
    pub status: Status,
    /// The column `expected`: the right verdict, where one is known. For a batch, `nonempty` when one of them
    /// is.
    pub expected: Option<Verdict>,
    /// The column `witness`, as text with SMT-LIB escapes; empty when there is none. For a batch: the number
    /// of witnesses.
    pub witness: Option<String>,
    /// The column `detail`: what was wrong, which limit struck, what is unsupported; empty when all is well.
    pub detail: String,
}

/// Strategies that cannot all be right on one operation of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The task's id.
    pub task: String,
    /// Which of its operations, from 0.
    pub operation: usize,
    /// What each strategy said.
    pub said: Vec<(String, Verdict)>,
    /// What settles it: a checked witness or the expected verdict. `None`: nothing does.
    pub settled: Option<String>,
}

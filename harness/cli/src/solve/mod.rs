//! `harness solve`: what is asked of files, and what strategies say.
//!
//! - [`inputs`]: which files are meant, and what each is written in
//! - [`asked`]: a file as a question, read once for all strategies; `script`, `grammar` and
//!   [`system`](crate::cmd::system) turn answers into text, each after its kind
//! - [`stats`]: what a run took
//!
//! No `sat` is printed before the judge has found that the solution is one.

pub mod asked;
mod grammar;
pub mod inputs;
mod script;
pub mod stats;

/// One answer of a strategy, as it is printed.
pub struct Said {
    /// What goes to standard output: `sat`, `unsat` or `unknown`, then what was asked for.
    pub text: String,
    /// Whether there is a solution, where that is certain to the strategy: a `sat` here was checked.
    pub verdict: Option<bool>,
    /// Why the solution that it gave is none: of what it was, and the reason.
    pub refuted: Option<String>,
    /// What a reader should know besides.
    pub note: Option<String>,
}

impl Said {
    /// An answer of which nothing else is to be told.
    pub const fn new(text: String, verdict: Option<bool>) -> Self {
        Self { text, verdict, refuted: None, note: None }
    }
}

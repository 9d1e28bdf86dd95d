//! Questions made smaller as long as strategies still show the same fault.
//!
//! A question is changed as text, the form that a task holds and that is written in the end, by changes that
//! know its structure; whether what comes out is legal is for the readers of `harness-smtlib` and
//! `harness-regex` to say, before it is run. A script with several `check-sat`s, `let`s or definitions is
//! first tried in its plain form: one query, as it is printed for external solvers.
//!
//! - [`interest`]: which strategy has to show what; [`outlier`]: which one has to be slow
//! - [`mod@bench`]: candidates run in worker processes, several at once, the first interesting one found
//! - [`search`]: from a question to a small one; [`pass`]: what is tried, in which order, and what is smaller
//! - [`mod@script`], [`outline`]: changes of scripts, and the structure that they go by; [`pattern`]: changes
//!   of regular expressions; [`edit`]: changes of a text
//!
//! Runs nothing by itself but what an executor of `harness-exec` is given, and trusts the judge alone. Must
//! never depend on a backend.

pub mod bench;
pub mod edit;
pub mod interest;
pub mod outlier;
pub mod outline;
pub mod pass;
pub mod pattern;
pub mod script;
pub mod search;

pub use bench::{Bench, Broken, Contender, End, Ends};
pub use interest::{Interest, Kind, Shown, Want, shown};
pub use outlier::{Measure, Outlier};
pub use search::{Plan, Shrunk, Step, parts, shrink};

//! The vocabulary of the project and the checker that decides whether a witness is right.
//!
//! Depends on nothing internal and does no I/O. A backend may use the vocabulary ([`Alphabet`], [`SmtString`],
//! [`Regex`], [`Task`], [`Verdict`]); it must never use [`matcher`], which exists to check backends.
//!
//! - [`alphabet`]: characters and the four alphabets
//! - [`string`]: strings over them, and the SMT-LIB escapes in which they are written
//! - [`charset`]: sets of characters as written in a regular expression
//! - [`regex`]: regular expressions as terms
//! - [`matcher`]: the trusted membership test
//! - [`question`]: what is asked, and [`task`]: with a name and an expected answer; [`verdict`]: what is answered
//! - [`limits`], [`record`], [`run`]: how it went; [`judgement`]: whether it was right
//! - [`rules`]: what is worse than before

pub mod alphabet;
pub mod charset;
pub mod eval;
pub mod int;
pub mod judgement;
pub mod limits;
pub mod matcher;
pub mod op;
pub mod question;
pub mod record;
pub mod regex;
pub mod rules;
pub mod run;
pub mod sort;
pub mod string;
pub mod task;
pub mod term;
pub mod theory;
pub mod verdict;

pub use alphabet::{Alphabet, Char};
pub use charset::CharSet;
pub use limits::Limits;
pub use question::{
    Dialect, Operation, OperationKind, Operations, Question, QuestionKind, RegexSource, ScriptSource,
};
pub use regex::Regex;
pub use string::SmtString;
pub use task::{Expected, Task};
pub use verdict::{Answer, Outcome, Status, Verdict, Witness};

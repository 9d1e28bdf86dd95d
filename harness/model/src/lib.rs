//! The vocabulary of the project: what is asked, what is answered, how it went.
//!
//! Depends on nothing internal, does no I/O and decides nothing.
//!
//! - [`alphabet`]: characters and the four alphabets
//! - [`string`]: strings over them, and the SMT-LIB escapes in which they are written
//! - [`charset`]: sets of characters as written in a regular expression
//! - [`regex`]: regular expressions as terms
//! - [`question`]: what is asked, and [`task`]: with a name and an expected answer; [`verdict`]: what is
//!   answered
//! - [`limits`], [`record`], [`run`]: how it went; [`judgement`]: whether it was right
//! - [`calibration`]: what a run measures of the machine
//! - [`rules`]: what is worse than before
//! - [`name`]: names that many records share; [`named`]: small maps by them

pub mod alphabet;
pub mod calibration;
pub mod charset;
pub mod int;
pub mod judgement;
pub mod limits;
pub mod name;
pub mod named;
pub mod question;
pub mod record;
pub mod regex;
pub mod rules;
pub mod run;
pub mod string;
pub mod task;
pub mod verdict;

pub use alphabet::{Alphabet, Char};
pub use charset::CharSet;
pub use limits::Limits;
pub use name::Name;
pub use named::Named;
pub use question::{
    Dialect, GrammarSource, GrammarsSource, Operation, OperationKind, Operations, Question, QuestionKind,
    RegexSource, ScriptSource, SolutionKind, SystemFormat, SystemSource,
};
pub use regex::Regex;
pub use string::SmtString;
pub use task::{Expected, Task};
pub use verdict::{Answer, Languages, Outcome, Status, Verdict, Witness};

//! What is asked. A task never holds limits or strategies, and a backend is handed only its [`Question`]: it cannot
//! know what answer is expected.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::alphabet::Alphabet;
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
    /// The right answer, where one is known.
    pub expected: Option<Expected>,
}

/// What a backend is given: operations on expressions, or a script of string constraints; never both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The characters that strings are made of.
    pub alphabet: Alphabet,
    /// The expressions that the operations name, as text: reading it is part of every strategy's work.
    pub regexes: Vec<RegexSource>,
    /// What to do with them, in order. Mostly one; a batch of several lets a strategy share work between them.
    pub operations: Vec<Operation>,
    /// String constraints to decide. Then there are no operations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<ScriptSource>,
}

/// How the source of an expected verdict begins that is nothing but the script's own `(set-info :status …)`. Anyone may
/// have written that, so the judge lets it contradict a verdict and never refute one.
pub const STATUS_LINE: &str = "set-info :status";

impl Question {
    /// How many answers it asks for: one for each operation, or for each `check-sat` of the script.
    pub fn asked(&self) -> usize {
        self.script.as_ref().map_or(self.operations.len(), |script| script.queries)
    }
}

/// An SMT-LIB script as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ScriptSource {
    /// The text.
    pub text: String,
    /// How many `check-sat` commands it has.
    pub queries: usize,
}

/// A regular expression as text. It denotes the words that match as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RegexSource {
    /// Its name in tables.
    pub name: String,
    /// The text.
    pub pattern: String,
    /// Whose syntax and classes.
    pub dialect: Dialect,
}

/// Whose regular expressions: syntax, classes and quirks differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// .NET's `System.Text.RegularExpressions`, with the classes of the representation study.
    #[default]
    Dotnet,
    /// `java.util.regex`
    Java,
    /// PCRE2, UTF mode without Unicode properties for `\w` and the like
    Pcre2,
    /// The Rust crate `regex`
    Rust,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Dotnet, Self::Java, Self::Pcre2, Self::Rust];

    /// The name used in configs and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dotnet => "dotnet",
            Self::Java => "java",
            Self::Pcre2 => "pcre2",
            Self::Rust => "rust",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|d| d.name() == name)
            .ok_or_else(|| format!("no dialect '{name}': there are dotnet, java, pcre2 and rust"))
    }
}

/// An operation on two of the question's expressions, followed by a test for emptiness with a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Operation {
    /// Which.
    pub kind: OperationKind,
    /// Index into [`Question::regexes`].
    pub left: usize,
    /// Index into [`Question::regexes`].
    pub right: usize,
}

/// The two operations of the representation study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OperationKind {
    /// The words in both languages.
    Product,
    /// The words of the left language that are not in the right one.
    Difference,
}

impl OperationKind {
    /// The name used in configs and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Product => "product",
            Self::Difference => "difference",
        }
    }
}

impl fmt::Display for OperationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The right answer, and on whose word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// One for each operation, in order.
    pub verdicts: Vec<Verdict>,
    /// Who says so, or why it is so by construction.
    pub source: String,
}

//! Problems, and the scripts that ask them.

use std::sync::Arc;

use harness_model::Verdict;

use crate::sort::Sort;
use crate::term::{TermId, Terms, VarId};

/// String constraints to decide: is there an assignment that makes every assertion true?
#[derive(Clone, Debug)]
pub struct Problem {
    /// Where the assertions live; shared between the problems of a script.
    pub terms: Arc<Terms>,
    /// The declared constants in scope, in order.
    pub variables: Vec<VarId>,
    /// What must hold.
    pub assertions: Vec<TermId>,
}

/// One `check-sat` and what is asked after it.
#[derive(Clone, Debug)]
pub struct Query {
    /// What to decide; assumptions are among the assertions.
    pub problem: Problem,
    /// What the script itself claims.
    pub status: Option<Verdict>,
    /// Where the command is.
    pub position: Position,
    /// Where each assertion of the problem comes from, in bytes: the term of its `assert`, or the assumption.
    pub assertion_offsets: Vec<usize>,
    /// Whether `get-model` follows.
    pub get_model: bool,
    /// The terms of `get-value` commands that follow, with their text.
    pub get_value: Vec<(String, TermId)>,
    /// What the script has that the problem does not have.
    pub origins: Origins,
}

/// Functions and sorts of a script, for a model in the script's own terms.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// How many variables of the problem are the script's; those after them stand for applications, or were
    /// made to say what these are.
    pub declared: usize,
    /// Variables of sorts that problems do not have.
    pub sorts: Vec<(VarId, ValueSort)>,
    /// What the script's functions, and its arrays, are applied to.
    pub applications: Vec<Application>,
}

/// A function of the script applied to arguments.
#[derive(Clone, Debug)]
pub struct Application {
    /// The function; `select` for what an array is read at, which is the first argument.
    pub function: String,
    /// The sorts of the arguments.
    pub parameters: Vec<ValueSort>,
    /// The sort of the result.
    pub result: ValueSort,
    /// The arguments, as terms of the problem.
    pub arguments: Vec<TermId>,
    /// The variable of the problem that is the result.
    pub constant: VarId,
}

/// A sort of a script, as values of it are written. All but the first are integers in the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueSort {
    /// One that problems have.
    Plain(Sort),
    /// Bit-vectors of so many bits.
    Bits(u32),
    /// Floating-point numbers, by the bits of their encoding.
    Float {
        /// Bits of the exponent.
        exponent: u32,
        /// Bits of the significand, the hidden one included.
        significand: u32,
    },
    /// The ways to round.
    Rounding,
    /// A sort that the script declares, as it writes it.
    Element(String),
    /// Arrays, as the script writes their sort.
    Array(String),
}

/// A script, read.
#[derive(Clone, Debug)]
pub struct Script {
    /// What is asked, in order.
    pub queries: Vec<Query>,
    /// The logic it names.
    pub logic: Option<String>,
    /// The dialect it is written in.
    pub dialect: ScriptDialect,
}

/// The dialect of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScriptDialect {
    /// SMT-LIB 2.6 and later.
    Current,
    /// Before 2.6: dotted or Z3-str names, escapes of C.
    Old,
}

/// Where something is in a text, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

impl Position {
    /// The place of the byte at `offset`, at most the end of `text`. Linear in the text before it.
    pub fn at(text: &[u8], offset: usize) -> Self {
        Self { line: 1, column: 1 }.after(&text[..offset.min(text.len())])
    }

    /// The place after `text`, which begins here.
    pub fn after(self, text: &[u8]) -> Self {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let characters = |text: &[u8]| count(String::from_utf8_lossy(text).chars().count());
        // A line ends with a line feed, a carriage return, or both.
        let ends = |at: usize| match text[at] {
            b'\n' => true,
            b'\r' => text.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        match (0..text.len()).rev().find(|&at| ends(at)) {
            None => Self { line: self.line, column: self.column.saturating_add(characters(text)) },
            Some(last) => {
                let lines = count((0..=last).filter(|&at| ends(at)).count());
                let column = characters(&text[last + 1..]).saturating_add(1);
                Self { line: self.line.saturating_add(lines), column }
            }
        }
    }
}

/// The values that a model gives variables of a problem, as ground terms that are not evaluated yet.
#[derive(Debug, Default)]
pub struct ModelTerms {
    /// Where the values live: an arena of their own.
    pub terms: Terms,
    /// Each variable that has a value, once, in the order of the text.
    pub values: Vec<(VarId, TermId)>,
}

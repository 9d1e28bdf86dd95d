//! The way back from a simplified graph to the original one.
//!
//! A search that tests candidates asks [`Restoration::model`], which evaluates the original graph. A solver
//! that has one answer takes [`Restoration::values`]: the strategy checks them once, on the problem as it was
//! asked.

use std::cell::OnceCell;

use backends_api::{BackendError, Stop};
use backends_fold::Failure;
use harness_model::SmtString;
use harness_model::int::Int;
use harness_theory::Problem;
use harness_theory::sort::Sort;
use harness_theory::{Assignment, Value};

use crate::edge::{IntVertex, StringVertex, Vertex};
use crate::evaluate::GraphEvaluator;
use crate::graph::StringGraph;
use crate::simplify::{Codes, Simplified, code_at};

/// Values of a graph's declared variables, in their order; `None` for a variable that the graph does not
/// have.
pub type Values = Vec<Option<Value>>;

/// From words and integers of a simplified graph to values of the original's variables.
#[derive(Debug)]
pub struct Restoration<'a> {
    original: &'a StringGraph,
    simplified: &'a Simplified,
    codes: Option<&'a Codes>,
    /// The original as a problem, once it is asked for.
    problem: OnceCell<Problem>,
}

impl<'a> Restoration<'a> {
    /// From `simplified` to `original`.
    pub const fn new(original: &'a StringGraph, simplified: &'a Simplified) -> Self {
        Self { original, simplified, codes: None, problem: OnceCell::new() }
    }

    /// The same where integers of the original that are codes of characters were made characters.
    #[must_use]
    pub fn with_codes(self, codes: &'a Codes) -> Self {
        Self { codes: Some(codes), ..self }
    }

    /// The original, written as a problem.
    pub fn problem(&self) -> &Problem {
        self.problem.get_or_init(|| self.original.to_problem())
    }

    /// The values of the original's variables, unchecked: `words` by place of the simplified graph's string
    /// vertices, a word that is missing being empty; `number` is asked for integer vertices that are no
    /// constants.
    pub fn values(&self, words: &[SmtString], number: &dyn Fn(IntVertex) -> Int) -> Values {
        let Simplified { graph, strings, ints } = self.simplified;
        let new_word = |new: StringVertex| {
            graph.word(new).or_else(|| words.get(new.index())).cloned().unwrap_or_default()
        };
        let new_number = |new: IntVertex| graph.number(new).cloned().unwrap_or_else(|| number(new));
        let word =
            |s: StringVertex| strings.get(s.index()).copied().flatten().map(new_word).unwrap_or_default();
        let integer = |i: IntVertex| {
            if let Some((s, index)) = self.codes.and_then(|codes| codes.get(&i)) {
                return code_at(&new_word(*s), &index.eval(new_number));
            }
            ints.get(i.index()).and_then(Option::as_ref).map_or(Int::ZERO, |sum| sum.eval(new_number))
        };
        let declared = self.original.declarations().iter();
        let value = declared.map(|declaration| match (declaration.vertex?, declaration.sort) {
            (Vertex::String(s), _) => Some(Value::String(word(s))),
            (Vertex::Int(i), Sort::Bool) => Some(Value::Bool(integer(i).small() == Some(1))),
            (Vertex::Int(i), _) => Some(Value::Int(integer(i))),
        });
        value.collect()
    }

    /// [`Self::values`] where they are a solution of the original; `None` where they are not.
    ///
    /// # Errors
    ///
    /// A limit ([`BackendError::into_answer`]) where the evaluator meets one of its own; a fault where the
    /// values are of the wrong kind.
    pub fn model(
        &self,
        words: &[SmtString],
        number: &dyn Fn(IntVertex) -> Int,
    ) -> Result<Option<Values>, BackendError> {
        let values = self.values(words, number);
        let problem = self.problem();
        let assignment = assignment(problem, values.clone());
        match GraphEvaluator::new(problem, self.original.alphabet()).all_true(&assignment) {
            Ok(holds) => Ok(holds.then_some(values)),
            Err(Failure::Limit(_)) => {
                Err(BackendError::Stopped(Stop::Solver("a model is too large for the evaluator")))
            }
            Err(Failure::DivisionByZero) => {
                Err(BackendError::Stopped(Stop::Solver("a model divides by zero, which may give any value")))
            }
            Err(error) => Err(BackendError::Internal(format!("a model cannot be evaluated: {error}"))),
        }
    }
}

/// The values of a problem's variables, in their order, by variable.
pub fn assignment(problem: &Problem, values: Values) -> Assignment {
    let mut assignment = Assignment::new();
    for (variable, value) in problem.variables.iter().zip(values) {
        if let Some(value) = value {
            assignment.insert(*variable, value);
        }
    }
    assignment
}

//! Whether a model satisfies a problem.
//!
//! A value that cannot be evaluated makes the model unvalidated, not wrong. Variables without a value may
//! have any.

use harness_model::Alphabet;
use harness_theory::term::{Term, VarId};
use harness_theory::{Assignment, ModelTerms, Problem};

use crate::eval::Evaluator;

/// What a model says of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelVerdict {
    /// Every assertion is true.
    Holds,
    /// This assertion (from 0) is false.
    Fails(usize),
    /// This assertion (from 0) is false where the variable, which the model gives no value, has the default
    /// of its sort. It need not be the value that was meant.
    Open(usize, VarId),
    /// It cannot be told, and why.
    Unvalidated(String),
}

/// Evaluates the values of a model that was read.
///
/// # Errors
///
/// Why a value cannot be evaluated.
pub fn evaluate(model: &ModelTerms, problem: &Problem, alphabet: Alphabet) -> Result<Assignment, String> {
    let mut assignment = Assignment::new();
    for &(variable, term) in &model.values {
        let name = &problem.terms.variables()[variable.index()].name;
        let mut evaluator = Evaluator::new(&model.terms, &[term], alphabet);
        match evaluator.run(&Assignment::new()).and_then(|()| evaluator.value(0)) {
            Ok(Some(value)) => assignment.insert(variable, value),
            Ok(None) => return Err(format!("the value of '{name}' is not a literal")),
            Err(error) => return Err(format!("the value of '{name}' cannot be evaluated: {error}")),
        };
    }
    Ok(assignment)
}

/// Evaluates every assertion of `problem` under `assignment`. One that is false whatever the variables
/// without a value are is looked for first.
pub fn check(problem: &Problem, assignment: &Assignment, alphabet: Alphabet) -> ModelVerdict {
    let mut evaluator = Evaluator::new(&problem.terms, &problem.assertions, alphabet);
    if let Err(error) = evaluator.run(assignment) {
        return ModelVerdict::Unvalidated(error.to_string());
    }
    let (mut unknown, mut open) = (None, None);
    for assertion in 0..problem.assertions.len() {
        match evaluator.bool(assertion) {
            Ok(true) => {}
            Ok(false) => match unassigned(problem, assertion, assignment) {
                None => return ModelVerdict::Fails(assertion),
                Some(variable) => open = open.or(Some(ModelVerdict::Open(assertion, variable))),
            },
            Err(error) => unknown = Some(error.to_string()),
        }
    }
    open.unwrap_or_else(|| unknown.map_or(ModelVerdict::Holds, ModelVerdict::Unvalidated))
}

/// A variable of an assertion that has no value.
fn unassigned(problem: &Problem, assertion: usize, assignment: &Assignment) -> Option<VarId> {
    if problem.variables.iter().all(|variable| assignment.contains_key(variable)) {
        return None;
    }
    let cone = problem.terms.cone(&problem.assertions[assertion..=assertion]);
    cone.iter().find_map(|&id| match problem.terms.get(id) {
        Term::Var(variable) if !assignment.contains_key(variable) => Some(*variable),
        Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::String(_) | Term::App(..) => None,
    })
}

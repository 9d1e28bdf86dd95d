//! Whether a model that a strategy found satisfies the problem: the strategy's own check, before it answers.

use harness_model::Alphabet;
use harness_theory::{Assignment, Problem};

use crate::evaluator::Evaluator;

/// What a strategy finds of its own model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnCheck {
    /// Every assertion is true.
    Holds,
    /// This assertion, from 0, is false: a defect of the strategy.
    Fails(usize),
    /// It was not computed, and why.
    Unknown(String),
}

/// Evaluates the assertions of `problem` under `assignment`. A variable without a value has its sort's
/// default.
pub fn check(problem: &Problem, assignment: &Assignment, alphabet: Alphabet) -> OwnCheck {
    let mut evaluator = Evaluator::new(&problem.terms, &problem.assertions, alphabet);
    if let Err(failure) = evaluator.run(assignment) {
        return OwnCheck::Unknown(failure.to_string());
    }
    let mut unknown = None;
    for assertion in 0..problem.assertions.len() {
        match evaluator.bool(assertion) {
            Ok(true) => {}
            Ok(false) => return OwnCheck::Fails(assertion),
            Err(failure) => unknown = Some(failure.to_string()),
        }
    }
    unknown.map_or(OwnCheck::Holds, OwnCheck::Unknown)
}

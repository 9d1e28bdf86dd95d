//! One Z3 solver under a budget.

use backends_api::{Budget, Stop};
use harness_model::{Char, SmtString};
use harness_theory::Value;
use harness_theory::sort::Sort;
use z3::ast::{Ast, Dynamic};
use z3::{Model, Params, SatResult, Solver};

use crate::raw;

/// What a check found.
#[derive(Debug)]
pub(crate) enum CheckResult {
    /// There is a model.
    Sat(Model),
    /// There is none.
    Unsat,
    /// Z3 gave up, in its own words.
    Unknown(String),
}

/// A solver of the current context that leaves the interrupt signal to the program; for one logic, if it is
/// named.
pub(crate) fn solver(logic: Option<&str>) -> Solver {
    let solver = logic.and_then(Solver::new_for_logic).unwrap_or_default();
    let mut params = Params::new();
    params.set_bool("ctrl_c", false);
    solver.set_params(&params);
    solver
}

/// What is left of the budget as a time limit for Z3. One millisecond more than that: zero would be no limit,
/// and when Z3 stops, the budget must be used up, or it would look as if Z3 had given up by itself.
pub(crate) fn milliseconds(budget: &Budget) -> Option<u32> {
    let left = budget.remaining()?.as_millis();
    Some(u32::try_from(left).unwrap_or(u32::MAX).saturating_add(1))
}

/// Checks what `solver` holds, at most until the deadline of `budget`.
pub(crate) fn check(solver: &Solver, budget: &Budget) -> Result<CheckResult, Stop> {
    budget.look()?;
    if let Some(milliseconds) = milliseconds(budget) {
        let mut params = Params::new();
        params.set_u32("timeout", milliseconds);
        solver.set_params(&params);
    }
    match solver.check() {
        SatResult::Unsat => Ok(CheckResult::Unsat),
        SatResult::Sat => match solver.get_model() {
            Some(model) => Ok(CheckResult::Sat(model)),
            None => Ok(CheckResult::Unknown("Z3 says sat but has no model".to_owned())),
        },
        SatResult::Unknown => {
            budget.look()?;
            Ok(CheckResult::Unknown(solver.get_reason_unknown().unwrap_or_else(|| "no reason".to_owned())))
        }
    }
}

/// The value of a constant or another term in a model, with values for what the model leaves open. `None`
/// where Z3 gives no literal, or one that is no value of ours.
pub(crate) fn value(model: &Model, term: &Dynamic, sort: Sort) -> Option<Value> {
    literal(&model.eval(term, true)?, sort)
}

/// A literal as a value.
pub(crate) fn literal(term: &Dynamic, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Bool => term.as_bool()?.as_bool().map(Value::Bool),
        Sort::Int => raw::int_value(term)?.parse().ok().map(Value::Int),
        Sort::String => {
            // A model may hold a concatenation of single characters.
            let codes = raw::string_value(term).or_else(|| raw::string_value(&term.simplify()))?;
            let word: SmtString = codes.into_iter().map(Char).collect();
            (word.foreign_to(harness_model::Alphabet::Unicode).is_none()).then_some(Value::String(word))
        }
        Sort::RegLan => None,
    }
}

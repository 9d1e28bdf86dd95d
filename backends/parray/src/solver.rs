//! The solver of array constraints as a trait: this crate links none.

use backends_api::{BackendError, Budget, Probe, Stop};
use backends_graph::{StringVertex, Sum};
use harness_model::int::Int;

use crate::formula::{Forall, Formula};

/// What an [`ArraySolver`] says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArrayAnswer {
    /// There is a model, which [`ArraySolver::int`] and [`ArraySolver::code`] read until the next call of
    /// another method.
    Sat,
    /// There is none.
    Unsat,
    /// It could not tell, and why.
    Unknown(String),
}

/// An incremental solver for linear integer arithmetic with arrays that are only read.
pub trait ArraySolver {
    /// Asserts the formula, up to the `pop` that undoes the present level.
    fn assert(&mut self, formula: &Formula);

    /// Asserts the quantified formula. Only a solver made for quantifiers is asked this.
    fn assert_forall(&mut self, forall: &Forall);

    /// Opens a level.
    fn push(&mut self);

    /// Drops the assertions of the last level.
    fn pop(&mut self);

    /// Whether everything asserted can hold.
    fn check(&mut self, budget: &Budget) -> Result<ArrayAnswer, Stop>;

    /// The same with little effort: where that is not enough, it could not tell. The effort is counted in
    /// steps of the solver, not in time.
    fn check_briefly(&mut self, budget: &Budget) -> Result<ArrayAnswer, Stop>;

    /// The sum's value in the model.
    fn int(&mut self, sum: &Sum) -> Int;

    /// The code that the array has at the index in the model.
    fn code(&mut self, array: StringVertex, index: &Int) -> Int;
}

/// Makes array solvers.
pub trait ArraySolvers: Send + Sync {
    /// Starts the library behind the solvers unless it runs, as a phase of its own: what the first solver of
    /// a process would pay for all. Called before the first solver is made, outside other phases. Most have
    /// nothing to start.
    fn start(&self, _probe: &Probe) {}

    /// A solver that knows nothing yet; for quantified formulas too, if `quantified`.
    fn solver(&self, quantified: bool) -> Result<Box<dyn ArraySolver + '_>, BackendError>;
}

//! The solver of formulas over bit-vectors and Booleans as traits: this crate links none.
//!
//! Four traits, since a solver's terms may need a place to live in: [`BitVectorSolvers`] starts a library and
//! opens sessions; a [`BitVectorSession`] owns what its terms live in; inside of it, [`BitVectorTerms`] makes
//! terms and solvers; a [`BitVectorSolver`] takes assertions and answers. Terms are the solver's own, so that
//! formulas are built once, without a copy in between.

use backends_api::{Budget, Probe};

/// The answer of a [`BitVectorSolver`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BitVectorAnswer {
    /// There is a model, which [`BitVectorSolver::value`] reads until the next assertion or check.
    Sat,
    /// There is none; [`BitVectorSolver::core`] names the assumptions that the refutation used.
    Unsat,
    /// The solver gave up, and why.
    Unknown(String),
}

/// An incremental solver for quantifier-free formulas over bit-vectors.
pub trait BitVectorSolver {
    /// A formula.
    type Bool;
    /// A bit-vector.
    type Bits;

    /// Asserts the formula for good.
    fn assert(&mut self, formula: &Self::Bool);

    /// Opens a level: more assertions follow what was asserted so far. No level is ever closed.
    fn push(&mut self);

    /// Whether everything asserted can hold together with the assumptions, which are Boolean variables. What
    /// is unknown when the budget is used up was stopped by it; a check ends within twice what is left of
    /// that.
    fn check(&mut self, assumptions: &[Self::Bool], budget: &Budget) -> BitVectorAnswer;

    /// After `Unsat`: the indices, in increasing order, of those of the last check's assumptions that do not
    /// hold together. The set need not be minimal.
    fn core(&self, assumptions: &[Self::Bool]) -> Vec<usize>;

    /// After `Sat`: the value of a bit-vector of at most 64 bits in the model; any value if the model leaves
    /// it open. `None` if the solver has no model after all.
    fn value(&mut self, bits: &Self::Bits) -> Option<u64>;
}

/// Makes terms and solvers within one session. Numbers are unsigned.
pub trait BitVectorTerms {
    /// A formula.
    type Bool: Clone;
    /// A bit-vector. Equal terms denote equal bit-vectors; the converse need not hold.
    type Bits: Clone + PartialEq;
    /// A solver for such formulas.
    type Solver: BitVectorSolver<Bool = Self::Bool, Bits = Self::Bits>;

    /// A solver without assertions.
    fn solver(&self) -> Self::Solver;

    /// The Boolean variable of this name.
    fn bool_variable(&self, name: &str) -> Self::Bool;

    /// The conjunction of at least two formulas.
    fn and(&self, parts: &[Self::Bool]) -> Self::Bool;

    /// The disjunction of at least two formulas.
    fn or(&self, parts: &[Self::Bool]) -> Self::Bool;

    /// The negation.
    fn not(&self, formula: &Self::Bool) -> Self::Bool;

    /// The implication.
    fn implies(&self, premise: &Self::Bool, conclusion: &Self::Bool) -> Self::Bool;

    /// The bit-vector variable of this name, of `width` bits, at least one.
    fn variable(&self, name: &str, width: u32) -> Self::Bits;

    /// The number as a bit-vector of `width` bits, at least one and enough for it.
    fn number(&self, value: u64, width: u32) -> Self::Bits;

    /// The constant of these bits, at least one, the lowest first.
    fn constant(&self, bits: &[bool]) -> Self::Bits;

    /// The number of bits.
    fn width(&self, bits: &Self::Bits) -> u32;

    /// The bits from `high` down to `low`, both included; the lowest bit is 0.
    fn extract(&self, bits: &Self::Bits, high: u32, low: u32) -> Self::Bits;

    /// The same number in `more` more bits.
    fn zero_extend(&self, bits: &Self::Bits, more: u32) -> Self::Bits;

    /// The sum modulo 2 to the power of the width.
    fn add(&self, a: &Self::Bits, b: &Self::Bits) -> Self::Bits;

    /// `a` where the condition holds, else `b`.
    fn if_then_else(&self, condition: &Self::Bool, a: &Self::Bits, b: &Self::Bits) -> Self::Bits;

    /// `a = b`.
    fn equal(&self, a: &Self::Bits, b: &Self::Bits) -> Self::Bool;

    /// `a < b`.
    fn less(&self, a: &Self::Bits, b: &Self::Bits) -> Self::Bool;

    /// `a ≥ b`.
    fn at_least(&self, a: &Self::Bits, b: &Self::Bits) -> Self::Bool;

    /// `a ≤ b`.
    fn at_most(&self, a: &Self::Bits, b: &Self::Bits) -> Self::Bool;
}

/// Owns what the terms of one string solver live in; a clone is the same session.
pub trait BitVectorSession: Clone {
    /// What makes terms.
    type Terms: BitVectorTerms;

    /// Runs `work` with what makes terms. Terms stay inside of `work`.
    fn enter<R>(&self, work: impl FnOnce(&Self::Terms) -> R) -> R;
}

/// Opens sessions.
pub trait BitVectorSolvers: Send + Sync {
    /// A session.
    type Session: BitVectorSession;

    /// The solver's name, for the summaries of strategies.
    fn name(&self) -> &'static str;

    /// Starts the library behind the solvers unless it runs, as a phase of its own: what the first solver of
    /// a process would pay for all. Called before the first session is opened, outside other phases. Most
    /// have nothing to start.
    fn start(&self, _probe: &Probe) {}

    /// A session without terms.
    fn session(&self) -> Self::Session;
}

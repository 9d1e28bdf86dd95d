//! The integer side of the interchange on Z3's integer arithmetic: incremental, small values first.
//! Almost all of it is linear; products and quotients of unknowns are Z3's to solve, and it may not know.
//!
//! Source: the study's section 3.3 ("best guess" integers) and figure 3.7. It asks for values that are small,
//! for a string solver's work grows with the lengths; [`IntegerSolver::solve`] says in which sense.
//!
//! The optimiser of Z3 costs more than the interchange can pay, so small values are found with plain checks:
//! the sum by bisection between a proved lower bound and the value at hand, then each vertex in turn. Three
//! things keep the checks few: bounds that the asserted formulas state of one vertex are read off; the least
//! sum of the last call is a lower bound for the next as long as no `pop` lies between, for assertions only
//! ever remove solutions, and while the sum stays what it was, so are the least values in their order, up to
//! the first that grows; and after [`Z3Integers::checks`] checks the values at hand are good enough. That
//! limit counts checks, not time, so the guesses are the same on every machine.
//!
//! Invariant: the solver's scopes are one base scope and one for each open level; scopes of a search are
//! closed when it ends.

use std::collections::HashMap;

use backends_api::{BackendError, Budget, OptionSpec, Options, Probe, Stop};
use backends_graph::{
    Comparison, IntAnswer, IntDefinition, IntFormula, IntValues, IntVertex, IntegerSolver, IntegerSolvers,
    Sum,
};
use harness_model::int::Int;
use z3::ast::{Bool, Dynamic};
use z3::{Model, Params, SatResult, Solver, ast};

use crate::context::{self, OwnContext};
use crate::raw;
use crate::session;

/// Makes integer solvers on Z3. Nothing is touched until the first one is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Z3Integers {
    /// How many checks one call may spend on making values smaller.
    pub checks: u32,
}

impl Default for Z3Integers {
    fn default() -> Self {
        Self { checks: 40 }
    }
}

/// The name of the option for [`Z3Integers::checks`].
const CHECKS: &str = "integer-checks";

impl IntegerSolvers for Z3Integers {
    fn specs() -> Vec<OptionSpec> {
        vec![OptionSpec::integer(
            CHECKS,
            Self::default().checks,
            0,
            u32::MAX.into(),
            "checks that the integer solver may spend on making the values of one assignment smaller",
        )]
    }

    fn with_options(self, options: &Options) -> Self {
        Self { checks: options.number(CHECKS) }
    }

    fn start(&self, probe: &Probe) {
        context::start(probe);
    }

    fn solver(&self) -> Result<Box<dyn IntegerSolver + '_>, BackendError> {
        Ok(Box::new(LinearSolver::new(self.checks)))
    }
}

/// What is known of one level, beside what the solver holds.
#[derive(Debug, Default)]
struct Level {
    /// Lower bounds that formulas state.
    low: HashMap<IntVertex, Int>,
    /// What the last call at this level found to be least.
    least: Option<Least>,
}

/// What was proved least under the formulas at the time. Later ones only remove solutions.
#[derive(Clone, Debug)]
struct Least {
    /// Vertices that were wanted small, sorted.
    of: Vec<IntVertex>,
    sum: Int,
    /// Their values: the first in the order of words among those with this sum. None where that was not
    /// proved.
    values: Vec<Int>,
}

/// An [`IntegerSolver`] on Z3, in a context of its own.
#[derive(Debug)]
pub struct LinearSolver {
    solver: Solver,
    /// By vertex.
    constants: Vec<Option<ast::Int>>,
    declared: Vec<IntVertex>,
    /// The base level, then one for each `push`.
    levels: Vec<Level>,
    /// How many checks one call may spend on making values smaller.
    most_checks: u32,
    checks: u64,
    /// Scopes of the present search.
    opened: u32,
    context: OwnContext,
}

/// What a check says; the reason of an unknown is asked for where it matters.
enum BareResult {
    Sat(Model),
    Unsat,
    Unknown,
}

impl LinearSolver {
    /// Knows nothing yet; one call may spend `most_checks` checks on making values smaller. A few
    /// milliseconds, for the context, unless a string solver has one already.
    pub fn new(most_checks: u32) -> Self {
        let context = OwnContext::shared();
        let solver = context.inside(|| {
            let solver = Solver::new_for_logic("QF_LIA").unwrap_or_default();
            let mut params = Params::new();
            params.set_bool("ctrl_c", false);
            solver.set_params(&params);
            // In a scope Z3 uses its incremental core from the first check on.
            solver.push();
            solver
        });
        let levels = vec![Level::default()];
        let (constants, declared) = (Vec::new(), Vec::new());
        Self { solver, constants, declared, levels, most_checks, checks: 0, opened: 0, context }
    }

    /// How many checks it made.
    pub const fn checks(&self) -> u64 {
        self.checks
    }

    fn constant(&mut self, vertex: IntVertex) -> ast::Int {
        let index = vertex.index();
        if self.constants.len() <= index {
            self.constants.resize(index + 1, None);
        }
        let make = || ast::Int::new_const(u32::try_from(index).unwrap_or(u32::MAX));
        self.constants[index].get_or_insert_with(make).clone()
    }

    fn sum(&mut self, sum: &Sum) -> ast::Int {
        let mut parts: Vec<ast::Int> = sum
            .terms()
            .iter()
            .map(|(vertex, factor)| {
                let constant = self.constant(*vertex);
                if factor.small() == Some(1) { constant } else { ast::Int::mul(&[number(factor), constant]) }
            })
            .collect();
        if *sum.constant() != Int::ZERO || parts.is_empty() {
            parts.push(number(sum.constant()));
        }
        match parts.as_slice() {
            [part] => part.clone(),
            parts => ast::Int::add(parts),
        }
    }

    /// As deep as the formula.
    fn formula(&mut self, formula: &IntFormula) -> Bool {
        match formula {
            IntFormula::Bool(value) => Bool::from_bool(*value),
            IntFormula::Atom(sum, comparison) => {
                // The constant to the other side: bounds stay bounds for the solver.
                let constant = sum.constant().neg();
                let left = self.sum(&sum.sub(&Sum::from(sum.constant().clone())));
                let right = number(&constant);
                match comparison {
                    Comparison::AtMostZero => left.le(&right),
                    Comparison::Zero => left.eq(&right),
                    Comparison::NotZero => left.eq(&right).not(),
                }
            }
            IntFormula::And(parts) => Bool::and(&parts.iter().map(|p| self.formula(p)).collect::<Vec<_>>()),
            IntFormula::Or(parts) => Bool::or(&parts.iter().map(|p| self.formula(p)).collect::<Vec<_>>()),
        }
    }

    /// Reads off a lower bound of one vertex.
    fn learn(&mut self, formula: &IntFormula) {
        match formula {
            IntFormula::And(parts) => parts.iter().for_each(|p| self.learn(p)),
            IntFormula::Atom(sum, comparison) => {
                if let Some((vertex, bound)) = lower_bound(sum, *comparison)
                    && let Some(level) = self.levels.last_mut()
                {
                    let entry = level.low.entry(vertex).or_insert_with(|| bound.clone());
                    if *entry < bound {
                        *entry = bound;
                    }
                }
            }
            IntFormula::Bool(_) | IntFormula::Or(_) => {}
        }
    }

    /// The value below which the vertex need not be tried: its bound, or zero where none is known.
    fn goal(&self, vertex: IntVertex) -> Int {
        self.levels.iter().filter_map(|level| level.low.get(&vertex)).max().cloned().unwrap_or(Int::ZERO)
    }

    fn open(&mut self) {
        self.solver.push();
        self.opened += 1;
    }

    fn close(&mut self, scopes: u32) {
        self.solver.pop(scopes);
        self.opened -= scopes;
    }

    fn check(&mut self) -> BareResult {
        self.checks += 1;
        match self.solver.check() {
            SatResult::Unsat => BareResult::Unsat,
            SatResult::Sat => self.solver.get_model().map_or(BareResult::Unknown, BareResult::Sat),
            SatResult::Unknown => BareResult::Unknown,
        }
    }

    /// A model with a `sum` of at most `bound`. If there is one, the scope with the bound stays open.
    fn check_at_most(&mut self, term: &ast::Int, bound: &Int) -> BareResult {
        self.open();
        self.solver.assert(term.le(number(bound)));
        let seen = self.check();
        if !matches!(seen, BareResult::Sat(_)) {
            self.close(1);
        }
        seen
    }

    fn unknown(&self) -> IntAnswer {
        let reason = self.solver.get_reason_unknown();
        IntAnswer::Unknown(format!("Z3: {}", reason.unwrap_or_else(|| "no reason".to_owned())))
    }

    /// The value of `term` in `model`; zero if Z3 gave something that is no number.
    fn value(model: &Model, term: &ast::Int) -> Int {
        let value = model.eval(term, true);
        value.and_then(|v| raw::int_value(&Dynamic::from_ast(&v))?.parse().ok()).unwrap_or(Int::ZERO)
    }

    fn search(&mut self, small: &[IntVertex], budget: &Budget) -> Result<IntAnswer, Stop> {
        let mut small = small.to_vec();
        small.sort_unstable();
        small.dedup();
        let all = Sum::default();
        let all = small.iter().fold(all, |sum, v| sum.add(&Sum::from(*v)));
        let total = self.sum(&all);
        let goal = small.iter().fold(Int::ZERO, |sum, &v| sum.add(&self.goal(v)));
        let before = self.levels.iter().filter_map(|l| l.least.as_ref()).filter(|least| least.of == small);
        let before = before.max_by(|a, b| a.sum.cmp(&b.sum)).cloned();
        let known = before.as_ref().map(|least| least.sum.clone());
        let mut low = known.clone().map_or(goal.clone(), |known| known.max(goal));
        let last = self.checks + u64::from(self.most_checks);

        // The last call's least sum is often still possible; else it is one too small.
        let mut model = None;
        if let Some(known) = known {
            match self.check_at_most(&total, &known) {
                BareResult::Sat(found) => model = Some(found),
                BareResult::Unsat => low = known.add(&one()).max(low),
                BareResult::Unknown => {}
            }
        }
        let mut model = match model {
            Some(model) => model,
            None => match self.check() {
                BareResult::Sat(model) => model,
                BareResult::Unsat => return Ok(IntAnswer::Unsat),
                BareResult::Unknown => return Ok(self.unknown()),
            },
        };

        let (mut high, mut first, mut proved) = (Self::value(&model, &total), true, true);
        while low < high {
            budget.look()?;
            if self.checks >= last {
                proved = false;
                break;
            }
            // Z3's first model is often a least one already, which one check proves.
            let probe = if std::mem::take(&mut first) { high.sub(&one()) } else { middle(&low, &high) };
            match self.check_at_most(&total, &probe) {
                BareResult::Sat(found) => {
                    model = found;
                    high = Self::value(&model, &total).min(probe);
                }
                BareResult::Unsat => low = probe.add(&one()),
                BareResult::Unknown => {
                    proved = false;
                    break;
                }
            }
        }

        let sum_proved = proved;

        // The sum stays where it is while each vertex in turn gets smaller.
        self.open();
        self.solver.assert(total.le(number(&high)));
        // As long as all are what they were, the next one is at least what it was.
        let mut bounds = before.filter(|least| proved && least.sum == high).map(|least| least.values);
        let mut values = Vec::with_capacity(small.len());
        let sum = high;
        for (place, &vertex) in small.iter().enumerate() {
            let (term, goal) = (self.constant(vertex), self.goal(vertex));
            let bound = bounds.as_ref().and_then(|bounds| bounds.get(place)).cloned();
            let mut low = bound.clone().map_or(goal.clone(), |bound| bound.max(goal));
            let (mut high, mut first) = (Self::value(&model, &term), true);
            while low < high {
                budget.look()?;
                if self.checks >= last {
                    proved = false;
                    break;
                }
                let probe = match (std::mem::take(&mut first), &bound) {
                    // It is often what it was.
                    (true, Some(_)) => low.clone(),
                    (true, None) => high.sub(&one()),
                    (false, _) => middle(&low, &high),
                };
                match self.check_at_most(&term, &probe) {
                    BareResult::Sat(found) => {
                        model = found;
                        high = Self::value(&model, &term).min(probe);
                    }
                    BareResult::Unsat => low = probe.add(&one()),
                    BareResult::Unknown => {
                        proved = false;
                        break;
                    }
                }
            }
            self.solver.assert(term.le(number(&high)));
            if bound.is_none_or(|bound| bound != high) {
                bounds = None;
            }
            values.push(high);
        }
        if sum_proved && let Some(level) = self.levels.last_mut() {
            let values = if proved { values } else { Vec::new() };
            level.least = Some(Least { of: small, sum, values });
        }
        let mut values = IntValues::default();
        for &vertex in &self.declared {
            if let Some(term) = &self.constants[vertex.index()] {
                values.set(vertex, Self::value(&model, term));
            }
        }
        Ok(IntAnswer::Sat(values))
    }
}

impl Default for LinearSolver {
    fn default() -> Self {
        Self::new(Z3Integers::default().checks)
    }
}

fn one() -> Int {
    Int::from(1_i64)
}

/// Between two values, below the larger one.
fn middle(low: &Int, high: &Int) -> Int {
    low.add(high).div(&Int::from(2_i64)).unwrap_or_else(|| low.clone())
}

/// A number as a term.
fn number(value: &Int) -> ast::Int {
    match value.small() {
        Some(small) => ast::Int::from_i64(small),
        // Decimal digits always parse; the fallback is never reached.
        None => value.to_string().parse().unwrap_or_else(|()| ast::Int::from_i64(0)),
    }
}

/// The bound that the atom states, if it is one of one vertex.
fn lower_bound(sum: &Sum, comparison: Comparison) -> Option<(IntVertex, Int)> {
    let [(vertex, factor)] = sum.terms() else { return None };
    let constant = sum.constant();
    match comparison {
        // factor * v + constant <= 0 with a negative factor: v >= constant / -factor, rounded up.
        Comparison::AtMostZero if factor.is_negative() => {
            Some((*vertex, constant.neg().div(&factor.neg())?.neg()))
        }
        Comparison::Zero if factor.abs() == one() => Some((*vertex, constant.neg().mul(factor))),
        _ => None,
    }
}

impl IntegerSolver for LinearSolver {
    fn declare(&mut self, vertex: IntVertex) {
        let context = self.context.clone();
        context.inside(|| self.constant(vertex));
        self.declared.push(vertex);
    }

    fn assert(&mut self, formula: &IntFormula) {
        self.learn(formula);
        let context = self.context.clone();
        context.inside(|| {
            let term = self.formula(formula);
            self.solver.assert(&term);
        });
    }

    fn define(&mut self, vertex: IntVertex, definition: &IntDefinition) {
        let context = self.context.clone();
        context.inside(|| {
            let value = match definition {
                IntDefinition::Product(x, y) => ast::Int::mul(&[self.sum(x), self.sum(y)]),
                IntDefinition::Ratio(x, y) => self.sum(x).div(self.sum(y)),
                // Their formulas say all.
                IntDefinition::Sum(_) | IntDefinition::Choice(..) | IntDefinition::Quotient(..) => return,
            };
            let constant = self.constant(vertex);
            self.solver.assert(constant.eq(&value));
        });
    }

    fn push(&mut self) {
        self.levels.push(Level::default());
        self.solver.push();
    }

    fn pop(&mut self) {
        if self.levels.len() > 1 {
            self.levels.pop();
            self.solver.pop(1);
        }
    }

    fn solve(&mut self, small: &[IntVertex], budget: &Budget) -> Result<IntAnswer, Stop> {
        budget.look()?;
        let context = self.context.clone();
        context.inside(|| {
            if let Some(milliseconds) = session::milliseconds(budget) {
                let mut params = Params::new();
                params.set_u32("timeout", milliseconds);
                self.solver.set_params(&params);
            }
            let answer = self.search(small, budget);
            self.close(self.opened);
            if matches!(answer, Ok(IntAnswer::Unknown(_))) {
                budget.look()?;
            }
            answer
        })
    }
}

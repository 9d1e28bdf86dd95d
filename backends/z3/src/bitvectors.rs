//! Bit-vectors on Z3, for the encodings of `backends-bitvector`. A term of the traits is a term of Z3.

use std::collections::HashSet;

use backends_api::{Budget, Probe};
use backends_bitvector::{
    BitVectorAnswer, BitVectorSession, BitVectorSolver, BitVectorSolvers, BitVectorTerms,
};
use z3::ast::{Ast, BV, Bool};
use z3::{Model, Params, SatResult, Solver};

use crate::context::{self, OwnContext};
use crate::session;

/// Makes bit-vector solvers on Z3. Nothing is touched until the first session is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Z3BitVectors;

impl BitVectorSolvers for Z3BitVectors {
    type Session = Session;

    fn name(&self) -> &'static str {
        "Z3"
    }

    fn start(&self, probe: &Probe) {
        context::start(probe);
    }

    fn session(&self) -> Session {
        Session { context: OwnContext::shared() }
    }
}

/// A Z3 context, which the solver of integers shares if it is on Z3 too.
#[derive(Clone, Debug)]
pub struct Session {
    context: OwnContext,
}

impl BitVectorSession for Session {
    type Terms = Terms;

    fn enter<R>(&self, work: impl FnOnce(&Terms) -> R) -> R {
        self.context.inside(|| work(&Terms { _inside: () }))
    }
}

/// Makes terms. Only [`Session::enter`] has one, inside of the session's context.
#[derive(Debug)]
pub struct Terms {
    _inside: (),
}

impl BitVectorTerms for Terms {
    type Bool = Bool;
    type Bits = BV;
    type Solver = FixedWidthSolver;

    fn solver(&self) -> FixedWidthSolver {
        let solver = Solver::new_for_logic("QF_BV").unwrap_or_default();
        let mut params = Params::new();
        params.set_bool("ctrl_c", false);
        solver.set_params(&params);
        FixedWidthSolver { solver, model: None, timeout: u32::MAX }
    }

    fn bool_variable(&self, name: &str) -> Bool {
        Bool::new_const(name)
    }

    fn and(&self, parts: &[Bool]) -> Bool {
        Bool::and(parts)
    }

    fn or(&self, parts: &[Bool]) -> Bool {
        Bool::or(parts)
    }

    fn not(&self, formula: &Bool) -> Bool {
        formula.not()
    }

    fn implies(&self, premise: &Bool, conclusion: &Bool) -> Bool {
        premise.implies(conclusion)
    }

    fn variable(&self, name: &str, width: u32) -> BV {
        BV::new_const(name, width)
    }

    fn number(&self, value: u64, width: u32) -> BV {
        BV::from_u64(value, width)
    }

    #[expect(clippy::expect_used, reason = "the trait asks for at least one bit")]
    fn constant(&self, bits: &[bool]) -> BV {
        BV::from_bits(bits).expect("a constant has at least one bit")
    }

    fn width(&self, bits: &BV) -> u32 {
        bits.get_size()
    }

    fn extract(&self, bits: &BV, high: u32, low: u32) -> BV {
        bits.extract(high, low)
    }

    fn zero_extend(&self, bits: &BV, more: u32) -> BV {
        bits.zero_ext(more)
    }

    fn add(&self, a: &BV, b: &BV) -> BV {
        a.bvadd(b)
    }

    fn if_then_else(&self, condition: &Bool, a: &BV, b: &BV) -> BV {
        condition.ite(a, b)
    }

    fn equal(&self, a: &BV, b: &BV) -> Bool {
        Ast::eq(a, b)
    }

    fn less(&self, a: &BV, b: &BV) -> Bool {
        a.bvult(b)
    }

    fn at_least(&self, a: &BV, b: &BV) -> Bool {
        a.bvuge(b)
    }

    fn at_most(&self, a: &BV, b: &BV) -> Bool {
        a.bvule(b)
    }
}

/// A solver for `QF_BV`.
#[derive(Debug)]
pub struct FixedWidthSolver {
    solver: Solver,
    /// The model of the last check. Made when a value is asked for, not after each check: it costs as much as
    /// a check.
    model: Option<Model>,
    /// Z3's own time limit for a check, in milliseconds.
    timeout: u32,
}

impl FixedWidthSolver {
    /// Sets Z3's limit to what is left of the budget, unless it is at most twice that already: most checks
    /// are over in less time than setting it takes.
    fn limit(&mut self, budget: &Budget) {
        let Some(milliseconds) = session::milliseconds(budget) else { return };
        if milliseconds < self.timeout / 2 || self.timeout == u32::MAX {
            let mut params = Params::new();
            params.set_u32("timeout", milliseconds);
            self.solver.set_params(&params);
            self.timeout = milliseconds;
        }
    }
}

impl BitVectorSolver for FixedWidthSolver {
    type Bool = Bool;
    type Bits = BV;

    fn assert(&mut self, formula: &Bool) {
        self.model = None;
        self.solver.assert(formula);
    }

    fn push(&mut self) {
        self.solver.push();
    }

    fn check(&mut self, assumptions: &[Bool], budget: &Budget) -> BitVectorAnswer {
        self.limit(budget);
        self.model = None;
        let result = match assumptions {
            [] => self.solver.check(),
            some => self.solver.check_assumptions(some),
        };
        match result {
            SatResult::Sat => BitVectorAnswer::Sat,
            SatResult::Unsat => BitVectorAnswer::Unsat,
            SatResult::Unknown => {
                let reason = self.solver.get_reason_unknown();
                BitVectorAnswer::Unknown(format!("Z3: {}", reason.unwrap_or_else(|| "no reason".to_owned())))
            }
        }
    }

    fn core(&self, assumptions: &[Bool]) -> Vec<usize> {
        let used: HashSet<Bool> = self.solver.get_unsat_core().into_iter().collect();
        (0..assumptions.len()).filter(|&i| used.contains(&assumptions[i])).collect()
    }

    fn value(&mut self, bits: &BV) -> Option<u64> {
        if self.model.is_none() {
            self.model = self.solver.get_model();
        }
        self.model.as_ref()?.eval(bits, true)?.as_u64()
    }
}

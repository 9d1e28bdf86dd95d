//! Bit-vectors on a SAT solver of our own choice: each bit a literal, each operation clauses (Tseitin). It
//! serves whatever needs a solver of bit-vectors and links no library.
//!
//! Formulas are made once where they are built; that a solver asserts one is a clause that holds while that
//! solver is asked, so several solvers of a session do not disturb each other.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use backends_api::Budget;
use backends_bitvector::{
    BitVectorAnswer, BitVectorSession, BitVectorSolver, BitVectorSolvers, BitVectorTerms,
};
use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use rustc_hash::FxHashMap;

/// Makes bit-vector solvers on batsat.
#[derive(Clone, Copy, Debug, Default)]
pub struct SatBits;

impl BitVectorSolvers for SatBits {
    type Session = SatSession;

    fn name(&self) -> &'static str {
        "batsat"
    }

    fn session(&self) -> SatSession {
        SatSession { core: Rc::new(RefCell::new(Core::new())) }
    }
}

/// One SAT solver with the clauses of all terms.
#[derive(Clone)]
pub struct SatSession {
    core: Rc<RefCell<Core>>,
}

impl BitVectorSession for SatSession {
    type Terms = SatTerms;

    fn enter<R>(&self, work: impl FnOnce(&SatTerms) -> R) -> R {
        work(&SatTerms { core: Rc::clone(&self.core) })
    }
}

struct Core {
    solver: BasicSolver,
    /// Always true.
    yes: Lit,
    names: FxHashMap<String, Vec<Lit>>,
    gates: FxHashMap<Vec<Lit>, Lit>,
}

impl Core {
    fn new() -> Self {
        let mut solver = BasicSolver::default();
        let yes = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![yes]);
        Self { solver, yes, names: FxHashMap::default(), gates: FxHashMap::default() }
    }

    fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }

    fn named(&mut self, name: &str, width: u32) -> Vec<Lit> {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let made: Vec<Lit> = (0..width).map(|_| self.fresh()).collect();
        self.names.insert(name.to_owned(), made.clone());
        made
    }

    fn constant(&self, value: bool) -> Lit {
        self.yes.apply_sign(value)
    }

    fn and(&mut self, parts: impl IntoIterator<Item = Lit>) -> Lit {
        let mut kept: Vec<Lit> = parts.into_iter().filter(|&part| part != self.yes).collect();
        kept.sort_unstable();
        kept.dedup();
        let contradicts = |pair: &[Lit]| pair[0] == !pair[1];
        if kept.contains(&!self.yes) || kept.windows(2).any(contradicts) {
            return !self.yes;
        }
        match kept.as_slice() {
            [] => return self.yes,
            [only] => return *only,
            _ => {}
        }
        if let Some(&known) = self.gates.get(&kept) {
            return known;
        }
        let gate = self.fresh();
        for &part in &kept {
            self.clause(&[!gate, part]);
        }
        let mut clause: Vec<Lit> = kept.iter().map(|&part| !part).collect();
        clause.push(gate);
        self.clause(&clause);
        self.gates.insert(kept, gate);
        gate
    }

    fn or(&mut self, parts: impl IntoIterator<Item = Lit>) -> Lit {
        let none = self.and(parts.into_iter().map(|part| !part).collect::<Vec<_>>());
        !none
    }

    fn same(&mut self, a: Lit, b: Lit) -> Lit {
        let (both, neither) = (self.and([a, b]), self.and([!a, !b]));
        self.or([both, neither])
    }

    fn choice(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        let (yes, no) = (self.and([condition, a]), self.and([!condition, b]));
        self.or([yes, no])
    }

    fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = self.constant(false);
        // The lowest bit first: a higher one that differs decides.
        for (&a, &b) in a.iter().zip(b) {
            let (here, same) = (self.and([!a, b]), self.same(a, b));
            let below = self.and([same, less]);
            less = self.or([here, below]);
        }
        less
    }

    fn sum(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let mut carry = self.constant(false);
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let same = self.same(a, b);
            let differ = self.same(same, carry);
            sum.push(differ);
            let (both, one) = (self.and([a, b]), self.and([!same, carry]));
            carry = self.or([both, one]);
        }
        sum
    }
}

/// Makes terms: a formula is a literal, a bit-vector its literals, the lowest first.
pub struct SatTerms {
    core: Rc<RefCell<Core>>,
}

impl BitVectorTerms for SatTerms {
    type Bool = Lit;
    type Bits = Vec<Lit>;
    type Solver = SatSolver;

    fn solver(&self) -> SatSolver {
        let mut core = self.core.borrow_mut();
        let active = core.fresh();
        SatSolver { core: Rc::clone(&self.core), active, has_model: false }
    }

    fn bool_variable(&self, name: &str) -> Lit {
        self.core.borrow_mut().named(name, 1)[0]
    }

    fn and(&self, parts: &[Lit]) -> Lit {
        self.core.borrow_mut().and(parts.iter().copied())
    }

    fn or(&self, parts: &[Lit]) -> Lit {
        self.core.borrow_mut().or(parts.iter().copied())
    }

    fn not(&self, formula: &Lit) -> Lit {
        !*formula
    }

    fn implies(&self, premise: &Lit, conclusion: &Lit) -> Lit {
        self.core.borrow_mut().or([!*premise, *conclusion])
    }

    fn variable(&self, name: &str, width: u32) -> Vec<Lit> {
        self.core.borrow_mut().named(name, width)
    }

    fn number(&self, value: u64, width: u32) -> Vec<Lit> {
        let core = self.core.borrow();
        (0..width).map(|bit| core.constant(bit < 64 && value >> bit & 1 == 1)).collect()
    }

    fn constant(&self, bits: &[bool]) -> Vec<Lit> {
        let core = self.core.borrow();
        bits.iter().map(|&bit| core.constant(bit)).collect()
    }

    fn width(&self, bits: &Vec<Lit>) -> u32 {
        u32::try_from(bits.len()).unwrap_or(u32::MAX)
    }

    fn extract(&self, bits: &Vec<Lit>, high: u32, low: u32) -> Vec<Lit> {
        bits[low as usize..=high as usize].to_vec()
    }

    fn zero_extend(&self, bits: &Vec<Lit>, more: u32) -> Vec<Lit> {
        let no = self.core.borrow().constant(false);
        bits.iter().copied().chain((0..more).map(|_| no)).collect()
    }

    fn add(&self, a: &Vec<Lit>, b: &Vec<Lit>) -> Vec<Lit> {
        self.core.borrow_mut().sum(a, b)
    }

    fn if_then_else(&self, condition: &Lit, a: &Vec<Lit>, b: &Vec<Lit>) -> Vec<Lit> {
        let mut core = self.core.borrow_mut();
        a.iter().zip(b).map(|(&a, &b)| core.choice(*condition, a, b)).collect()
    }

    fn equal(&self, a: &Vec<Lit>, b: &Vec<Lit>) -> Lit {
        let mut core = self.core.borrow_mut();
        let same: Vec<Lit> = a.iter().zip(b).map(|(&a, &b)| core.same(a, b)).collect();
        core.and(same)
    }

    fn less(&self, a: &Vec<Lit>, b: &Vec<Lit>) -> Lit {
        self.core.borrow_mut().less(a, b)
    }

    fn at_least(&self, a: &Vec<Lit>, b: &Vec<Lit>) -> Lit {
        !self.core.borrow_mut().less(a, b)
    }

    fn at_most(&self, a: &Vec<Lit>, b: &Vec<Lit>) -> Lit {
        !self.core.borrow_mut().less(b, a)
    }
}

/// Assertions of one solver.
pub struct SatSolver {
    core: Rc<RefCell<Core>>,
    /// True while this solver is asked.
    active: Lit,
    has_model: bool,
}

impl BitVectorSolver for SatSolver {
    type Bool = Lit;
    type Bits = Vec<Lit>;

    fn assert(&mut self, formula: &Lit) {
        self.has_model = false;
        self.core.borrow_mut().clause(&[!self.active, *formula]);
    }

    fn push(&mut self) {}

    fn check(&mut self, assumptions: &[Lit], budget: &Budget) -> BitVectorAnswer {
        let mut core = self.core.borrow_mut();
        match budget.remaining().and_then(|left| Instant::now().checked_add(left)) {
            Some(deadline) => core.solver.cb_mut().set_stop(move || Instant::now() >= deadline),
            None => core.solver.cb_mut().set_stop(|| false),
        }
        let all: Vec<Lit> = [self.active].into_iter().chain(assumptions.iter().copied()).collect();
        let said = core.solver.solve_limited(&all);
        self.has_model = said == lbool::TRUE;
        if said == lbool::TRUE {
            BitVectorAnswer::Sat
        } else if said == lbool::FALSE {
            BitVectorAnswer::Unsat
        } else {
            BitVectorAnswer::Unknown("the SAT solver stopped".to_owned())
        }
    }

    fn core(&self, assumptions: &[Lit]) -> Vec<usize> {
        let core = self.core.borrow();
        let named = |literal: Lit| {
            core.solver.unsat_core_contains_lit(literal) || core.solver.unsat_core_contains_lit(!literal)
        };
        (0..assumptions.len()).filter(|&place| named(assumptions[place])).collect()
    }

    fn value(&mut self, bits: &Vec<Lit>) -> Option<u64> {
        if !self.has_model || bits.len() > 64 {
            return None;
        }
        let core = self.core.borrow();
        let one =
            |(place, bit): (usize, &Lit)| u64::from(core.solver.value_lit(*bit) == lbool::TRUE) << place;
        Some(bits.iter().enumerate().map(one).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All numbers of three bits, as a solver of arithmetic has it.
    #[test]
    fn operations_are_those_of_numbers() {
        SatBits.session().enter(|terms| {
            for (a, b) in (0..64u64).map(|pair| (pair / 8, pair % 8)) {
                let [x, y] = ["x", "y"].map(|name| terms.variable(name, 3));
                let mut solver = terms.solver();
                let three = |value| terms.number(value, 3);
                solver.assert(&terms.equal(&x, &three(a)));
                solver.assert(&terms.equal(&y, &three(b)));
                let sum = terms.add(&x, &y);
                let formulas = [
                    (terms.less(&x, &y), a < b),
                    (terms.at_least(&x, &y), a >= b),
                    (terms.at_most(&x, &y), a <= b),
                    (terms.equal(&x, &y), a == b),
                    (terms.equal(&sum, &three((a + b) % 8)), true),
                    (terms.implies(&terms.less(&x, &y), &terms.less(&y, &x)), a >= b),
                ];
                let asked = [terms.bool_variable("p"), terms.bool_variable("q")];
                for (formula, expected) in formulas {
                    let mut other = terms.solver();
                    other.assert(&terms.equal(&x, &three(a)));
                    other.assert(&terms.equal(&y, &three(b)));
                    other.assert(&formula);
                    let said = other.check(&[], &Budget::unlimited());
                    assert_eq!(said == BitVectorAnswer::Sat, expected, "{a} {b}");
                }
                let chosen =
                    terms.if_then_else(&asked[0], &x, &terms.zero_extend(&terms.extract(&y, 0, 0), 2));
                solver.assert(&asked[0]);
                assert_eq!(solver.check(&[], &Budget::unlimited()), BitVectorAnswer::Sat);
                assert_eq!((solver.value(&sum), solver.value(&chosen)), (Some((a + b) % 8), Some(a)));
                solver.assert(&terms.not(&asked[1]));
                assert_eq!(solver.check(&asked, &Budget::unlimited()), BitVectorAnswer::Unsat);
                assert_eq!(solver.core(&asked), [1]);
            }
        });
    }
}

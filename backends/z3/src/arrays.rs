//! Array constraints on Z3: arrays that are only read are functions from integers to integers.
//!
//! Nothing ever writes to a parameterised array, so the theory of arrays has nothing to do: uninterpreted
//! functions with linear arithmetic (`QF_UFLIA`) say the same, and quantified constraints on them are what
//! Z3's model-based instantiation is made for. Characters are integers, not bit-vectors, because they meet
//! integers in sums (digits, `charAt`, `compareTo`), where a bit-vector would have to be converted.
//!
//! Source: PASS, section 3.1, which hands such constraints to Yices; Z3 stands in for it.

use std::collections::HashMap;

use backends_api::{BackendError, Budget, Probe, Stop};
use backends_graph::{Comparison, IntVertex, StringVertex, Sum};
use backends_parray::{ArrayAnswer, ArraySolver, ArraySolvers, Body, Case, Cell, Forall, Formula, Term};
use harness_model::int::Int;
use z3::ast::{Ast, Bool, Dynamic, exists_const, forall_const};
use z3::{FuncDecl, Model, Params, Solver, Sort, Symbol, ast};

use crate::context::{self, OwnContext};
use crate::raw;
use crate::session::{self, CheckResult};

/// Z3's steps for a check that is not worth more.
const BRIEF: u32 = 400_000;

/// Makes array solvers on Z3. Nothing is touched until the first one is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Z3Arrays;

impl ArraySolvers for Z3Arrays {
    fn start(&self, probe: &Probe) {
        context::start(probe);
    }

    fn solver(&self, quantified: bool) -> Result<Box<dyn ArraySolver + '_>, BackendError> {
        Ok(Box::new(FunctionSolver::new(quantified)))
    }
}

/// An [`ArraySolver`] on Z3, in a context of its own. Levels are the solver's scopes.
#[derive(Debug)]
struct FunctionSolver {
    solver: Solver,
    /// By vertex.
    constants: HashMap<IntVertex, ast::Int>,
    functions: HashMap<StringVertex, FuncDecl>,
    levels: u32,
    model: Option<Model>,
    context: OwnContext,
}

impl FunctionSolver {
    fn new(quantified: bool) -> Self {
        let context = OwnContext::new();
        let solver = context.inside(|| {
            let solver = session::solver(Some(if quantified { "UFLIA" } else { "QF_UFLIA" }));
            if quantified {
                let mut params = Params::new();
                params.set_bool("mbqi", true);
                solver.set_params(&params);
            } else {
                // In a scope Z3 uses its incremental core from the first check on.
                solver.push();
            }
            solver
        });
        let (constants, functions) = (HashMap::new(), HashMap::new());
        Self { solver, constants, functions, levels: 0, model: None, context }
    }

    fn constant(&mut self, vertex: IntVertex) -> ast::Int {
        let make = || ast::Int::new_const(u32::try_from(vertex.index()).unwrap_or(u32::MAX));
        self.constants.entry(vertex).or_insert_with(make).clone()
    }

    fn apply(&mut self, array: StringVertex, index: &ast::Int) -> ast::Int {
        let function = self.functions.entry(array).or_insert_with(|| {
            FuncDecl::new(Symbol::String(format!("a{}", array.index())), &[&Sort::int()], &Sort::int())
        });
        let applied = function.apply(&[index as &dyn Ast]);
        // The function's range is Int by its declaration; the fallback is never reached.
        applied.as_int().unwrap_or_else(|| ast::Int::from_i64(0))
    }

    fn parts(&mut self, sum: &Sum) -> Vec<ast::Int> {
        sum.terms().iter().map(|(vertex, factor)| scaled(self.constant(*vertex), factor)).collect()
    }

    fn sum(&mut self, sum: &Sum) -> ast::Int {
        let mut parts = self.parts(sum);
        if *sum.constant() != Int::ZERO || parts.is_empty() {
            parts.push(number(sum.constant()));
        }
        total(&parts)
    }

    fn cell(&mut self, cell: &Cell) -> ast::Int {
        let index = self.sum(&cell.index);
        let code = self.apply(cell.array, &index);
        let (low, high, by) = match cell.case {
            Case::Plain => return code,
            Case::Lower => (65, 90, 32),
            Case::Upper => (97, 122, -32),
        };
        let letter = |n: i64| ast::Int::from_i64(n);
        let inside = Bool::and(&[letter(low).le(&code), code.le(letter(high))]);
        inside.ite(&ast::Int::add(&[code.clone(), letter(by)]), &code)
    }

    /// The term without its constant.
    fn open(&mut self, term: &Term) -> ast::Int {
        let mut parts = self.parts(term.sum());
        for (cell, factor) in term.cells() {
            let cell = self.cell(cell);
            parts.push(scaled(cell, factor));
        }
        if parts.is_empty() { ast::Int::from_i64(0) } else { total(&parts) }
    }

    fn atom(&mut self, term: &Term, comparison: Comparison) -> Bool {
        // Two characters are compared with each other, not their difference with zero: equalities are what
        // functions are good at.
        if let ([(left, a), (right, b)], Some(value)) = (term.cells(), term.sum().value())
            && *value == Int::ZERO
            && a.add(b) == Int::ZERO
            && a.abs() == Int::from(1_i64)
            && comparison != Comparison::AtMostZero
        {
            let equal = self.cell(left).eq(self.cell(right));
            return if comparison == Comparison::Zero { equal } else { equal.not() };
        }
        let right = number(&term.sum().constant().neg());
        let left = self.open(term);
        match comparison {
            Comparison::AtMostZero => left.le(&right),
            Comparison::Zero => left.eq(&right),
            Comparison::NotZero => left.eq(&right).not(),
        }
    }

    /// As deep as the formula.
    fn formula(&mut self, formula: &Formula) -> Bool {
        match formula {
            Formula::Bool(value) => Bool::from_bool(*value),
            Formula::Atom(term, comparison) => self.atom(term, *comparison),
            Formula::And(parts) => Bool::and(&parts.iter().map(|p| self.formula(p)).collect::<Vec<_>>()),
            Formula::Or(parts) => Bool::or(&parts.iter().map(|p| self.formula(p)).collect::<Vec<_>>()),
        }
    }

    fn quantified(&mut self, forall: &Forall) -> Bool {
        // Whatever is known of a constant is asserted of its cells.
        let body = match (forall.body.written_out(&|_| None), &forall.body) {
            (Some(formula), _) => self.formula(&formula),
            (None, Body::Plain(formula)) => self.formula(formula),
            (None, Body::Exists { variable, low, high, body, .. }) => {
                let n = Sum::from(*variable);
                let range = Formula::and([low.le(&n).widen(), n.lt(high).widen()]);
                let inside = Bool::and(&[self.formula(&range), self.formula(body)]);
                exists_const(&[&self.constant(*variable)], &[], &inside)
            }
        };
        let says = self.formula(&forall.assumption()).implies(&body);
        forall_const(&[&self.constant(forall.variable)], &[], &says)
    }

    /// Limits the steps of the next checks; zero is no limit.
    fn effort(&self, steps: u32) {
        self.context.inside(|| {
            let mut params = Params::new();
            params.set_u32("rlimit", steps);
            self.solver.set_params(&params);
        });
    }

    fn checked(&mut self, budget: &Budget) -> Result<ArrayAnswer, Stop> {
        self.model = None;
        self.context.clone().inside(|| {
            Ok(match session::check(&self.solver, budget)? {
                CheckResult::Sat(model) => {
                    self.model = Some(model);
                    ArrayAnswer::Sat
                }
                CheckResult::Unsat => ArrayAnswer::Unsat,
                CheckResult::Unknown(why) => ArrayAnswer::Unknown(format!("Z3: {why}")),
            })
        })
    }

    fn value(&self, term: &ast::Int) -> Int {
        let value = self.model.as_ref().and_then(|model| model.eval(term, true));
        value.and_then(|v| raw::int_value(&Dynamic::from_ast(&v))?.parse().ok()).unwrap_or(Int::ZERO)
    }
}

impl ArraySolver for FunctionSolver {
    fn assert(&mut self, formula: &Formula) {
        self.context.clone().inside(|| {
            let term = self.formula(formula);
            self.solver.assert(&term);
        });
    }

    fn assert_forall(&mut self, forall: &Forall) {
        self.context.clone().inside(|| {
            let term = self.quantified(forall);
            self.solver.assert(&term);
        });
    }

    fn push(&mut self) {
        self.levels += 1;
        self.solver.push();
    }

    fn pop(&mut self) {
        if self.levels > 0 {
            self.levels -= 1;
            self.solver.pop(1);
        }
    }

    fn check(&mut self, budget: &Budget) -> Result<ArrayAnswer, Stop> {
        self.checked(budget)
    }

    fn check_briefly(&mut self, budget: &Budget) -> Result<ArrayAnswer, Stop> {
        self.effort(BRIEF);
        let answer = self.checked(budget);
        self.effort(0);
        answer
    }

    fn int(&mut self, sum: &Sum) -> Int {
        self.context.clone().inside(|| {
            let term = self.sum(sum);
            self.value(&term)
        })
    }

    fn code(&mut self, array: StringVertex, index: &Int) -> Int {
        self.context.clone().inside(|| {
            let term = self.apply(array, &number(index));
            self.value(&term)
        })
    }
}

fn scaled(term: ast::Int, factor: &Int) -> ast::Int {
    if factor.small() == Some(1) { term } else { ast::Int::mul(&[number(factor), term]) }
}

fn total(parts: &[ast::Int]) -> ast::Int {
    match parts {
        [part] => part.clone(),
        parts => ast::Int::add(parts),
    }
}

/// A number as a term.
fn number(value: &Int) -> ast::Int {
    match value.small() {
        Some(small) => ast::Int::from_i64(small),
        // Decimal digits always parse; the fallback is never reached.
        None => value.to_string().parse().unwrap_or_else(|()| ast::Int::from_i64(0)),
    }
}

//! Instances of quantified constraints: what is asserted, the index sets of it, and what is to be
//! instantiated next.
//!
//! Invariant: everything asserted follows from the array problem (with fresh witnesses and quotients), so
//! when it is unsatisfiable, so is the problem.

use std::collections::HashMap;

use backends_graph::{Comparison, IntVertex, StringVertex, Sum};
use harness_model::int::Int;
use rustc_hash::FxHashSet;

use crate::candidate::character;
use crate::formula::{Body, Case, Cell, Forall, Formula, each_cell, substitute};
use crate::index_set::{Access, IndexSets};
use crate::problem::{ArrayKind, ArrayProblem};
use crate::solver::ArraySolver;

/// An instance that is not asserted yet: `assumption ⇒ conclusion`.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) assumption: Formula,
    pub(crate) conclusion: Formula,
}

/// The unquantified side: what a solver was told, and the indices in it.
pub(crate) struct Ground<'a> {
    problem: &'a ArrayProblem,
    pub(crate) solver: Box<dyn ArraySolver + 'a>,
    pub(crate) sets: IndexSets,
    /// Indices that no constraint was instantiated for yet.
    fresh: Vec<(StringVertex, Sum)>,
    accesses: Vec<Vec<Access>>,
    done: FxHashSet<(usize, Sum)>,
    quotients: HashMap<(Sum, Int), Sum>,
    /// Cells that were asserted to be one character, whatever else holds.
    fixed: HashMap<(StringVertex, Sum), Int>,
    /// Arrays whose codes are compared or computed with: their cells are bounded at once.
    reckoned: FxHashSet<StringVertex>,
    /// Cells of words that were asserted to be characters.
    bounded: FxHashSet<(StringVertex, Sum)>,
    /// Whether all are.
    bounds_all: bool,
    /// Constants whose characters were asserted.
    told: FxHashSet<StringVertex>,
    /// Integers so far, witnesses and quotients included.
    pub(crate) ints: usize,
    pub(crate) instances: u64,
}

impl<'a> Ground<'a> {
    /// Tells the solver what the problem says without quantifiers.
    pub(crate) fn new(problem: &'a ArrayProblem, solver: Box<dyn ArraySolver + 'a>) -> Self {
        let mut this = Self {
            problem,
            solver,
            sets: IndexSets::default(),
            fresh: Vec::new(),
            accesses: problem.foralls().iter().map(Access::all).collect(),
            done: FxHashSet::default(),
            quotients: HashMap::new(),
            fixed: HashMap::new(),
            reckoned: reckoned(problem),
            bounded: FxHashSet::default(),
            bounds_all: false,
            told: FxHashSet::default(),
            ints: problem.ints(),
            instances: 0,
        };
        for formula in problem.ground() {
            this.add(formula);
        }
        this
    }

    /// Asserts a formula and takes its indices.
    pub(crate) fn add(&mut self, formula: &Formula) {
        self.solver.assert(formula);
        self.learn(formula);
        let mut cells = Vec::new();
        each_cell(formula, &mut |cell| cells.push((cell.array, cell.index.clone())));
        for (array, index) in cells {
            self.add_index(array, &index);
        }
    }

    /// Reads off which cells are one character.
    fn learn(&mut self, formula: &Formula) {
        match formula {
            Formula::And(parts) => parts.iter().for_each(|part| self.learn(part)),
            Formula::Atom(term, Comparison::Zero) => {
                if let ([(cell, factor)], Some(constant)) = (term.cells(), term.sum().value())
                    && cell.case == Case::Plain
                    && factor.abs() == Int::from(1_i64)
                {
                    let code = constant.neg().mul(factor);
                    self.fixed.insert((cell.array, cell.index.clone()), code);
                }
            }
            _ => {}
        }
    }

    /// Bounds every cell there is, and from now on every new one; whether that had not been done yet. For a
    /// candidate that has failed and has codes of no character.
    pub(crate) fn bound_all(&mut self) -> bool {
        if self.bounds_all {
            return false;
        }
        self.bounds_all = true;
        let arrays = (0..self.problem.arrays().len()).map(StringVertex::at);
        let cells: Vec<(StringVertex, Sum)> = arrays
            .flat_map(|array| self.sets.of(array).iter().map(move |index| (array, index.clone())))
            .collect();
        cells.iter().for_each(|(array, index)| self.bound_cell(*array, index));
        true
    }

    /// Asserts that a word's cell is a character, once.
    fn bound_cell(&mut self, array: StringVertex, index: &Sum) {
        let word = matches!(self.problem.arrays().get(array.index()), Some(ArrayKind::Word));
        // What is equal to a character is one.
        let known = self.fixed.get(&(array, index.clone()));
        let equal = known.is_some_and(|code| character(self.problem, code).is_some());
        if word && !equal && self.bounded.insert((array, index.clone())) {
            self.solver.assert(&self.problem.character(array, index));
        }
    }

    /// Takes an index, with what is known of any cell there.
    pub(crate) fn add_index(&mut self, array: StringVertex, index: &Sum) {
        if !self.sets.add(array, index) {
            return;
        }
        self.fresh.push((array, index.clone()));
        if self.bounds_all || self.reckoned.contains(&array) {
            self.bound_cell(array, index);
        }
        match self.problem.arrays().get(array.index()) {
            // The characters of a constant are facts, and each fact reads an index.
            Some(ArrayKind::Constant(word)) if self.told.insert(array) => {
                for fact in self.problem.facts(array) {
                    self.solver.assert(&fact);
                }
                for k in (0..word.len()).map(Sum::from) {
                    if self.sets.add(array, &k) {
                        self.fresh.push((array, k));
                    }
                }
            }
            _ => {}
        }
    }

    /// Each range's last index, through each access: PASS's upper-bound rule. And every constant that is read
    /// under a quantifier.
    pub(crate) fn start(&mut self) -> Vec<Instance> {
        let mut instances = Vec::new();
        let problem = self.problem;
        for (i, forall) in problem.foralls().iter().enumerate() {
            let last = forall.high.sub(&Sum::from(1_i64));
            for access in self.accesses[i].clone() {
                self.add_index(access.array, &access.at(&last));
            }
            instances.extend(self.instance(i, &last));
        }
        instances
    }

    /// The instances of all constraints for the indices that are new since the last call.
    pub(crate) fn next(&mut self) -> Vec<Instance> {
        let mut instances = Vec::new();
        for (array, index) in std::mem::take(&mut self.fresh) {
            for i in 0..self.accesses.len() {
                for access in self.accesses[i].clone() {
                    if access.array == array {
                        let n = self.inverse(&access, &index);
                        instances.extend(self.instance(i, &n));
                    }
                }
            }
        }
        instances
    }

    /// The value of the bound variable for which the access reads `index`; where the factor does not divide
    /// it, the quotient, which is as good: if the division leaves a rest, the index is not read at all.
    fn inverse(&mut self, access: &Access, index: &Sum) -> Sum {
        if let Some(n) = access.inverse(index) {
            return n;
        }
        let wanted = index.sub(&access.rest);
        let key = (wanted.clone(), access.factor.clone());
        if let Some(quotient) = self.quotients.get(&key) {
            return quotient.clone();
        }
        let quotient = Sum::from(self.fresh_int());
        let low = quotient.times(&access.factor);
        let high = low.add(&Sum::from(access.factor.abs()));
        self.solver.assert(&low.le(&wanted).widen());
        self.solver.assert(&wanted.lt(&high).widen());
        self.quotients.insert(key, quotient.clone());
        quotient
    }

    fn fresh_int(&mut self) -> IntVertex {
        self.ints += 1;
        IntVertex::at(self.ints - 1)
    }

    /// The constraint of this number for `n`; `None` if it was made before or says nothing.
    pub(crate) fn instance(&mut self, number: usize, n: &Sum) -> Option<Instance> {
        if !self.done.insert((number, n.clone())) {
            return None;
        }
        let problem = self.problem;
        let forall: &Forall = problem.foralls().get(number)?;
        // An instance that only repeats what is asserted is not made.
        let fixed = &self.fixed;
        let known = |cell: &Cell| {
            let code = || fixed.get(&(cell.array, cell.index.clone())).map(|code| cell.case.of(code));
            problem.known(cell).or_else(code)
        };
        let put = |v: IntVertex| if v == forall.variable { n.clone() } else { Sum::from(v) };
        let assumption = substitute(&forall.assumption(), &put, &known);
        if assumption == Formula::Bool(false) {
            return None;
        }
        let conclusion = match (forall.body.written_out(&known), &forall.body) {
            (Some(formula), _) => substitute(&formula, &put, &known),
            (None, Body::Plain(formula)) => substitute(formula, &put, &known),
            (None, Body::Exists { variable, low, high, body, .. }) => {
                self.ints += 1;
                let witness = Sum::from(IntVertex::at(self.ints - 1));
                let put = |v: IntVertex| if v == *variable { witness.clone() } else { put(v) };
                let (low, high) = (low.substitute(put), high.substitute(put));
                Formula::and([
                    low.le(&witness).widen(),
                    witness.lt(&high).widen(),
                    substitute(body, &put, &known),
                ])
            }
        };
        (conclusion != Formula::Bool(true)).then(|| {
            self.instances += 1;
            Instance { assumption, conclusion }
        })
    }
}

/// The arrays whose codes are compared or computed with somewhere. Where codes are only equal or not to one
/// another and to constants, a model's codes can be renamed ([`crate::candidate::Candidate`]), and bounds
/// would only draw thousands of equalities into the arithmetic.
fn reckoned(problem: &ArrayProblem) -> FxHashSet<StringVertex> {
    let mut found = FxHashSet::default();
    let bodies = problem.foralls().iter().map(|forall| forall.body.formula());
    problem.ground().iter().chain(bodies).for_each(|formula| reckoned_in(formula, &mut found));
    found
}

fn reckoned_in(formula: &Formula, found: &mut FxHashSet<StringVertex>) {
    match formula {
        Formula::Bool(_) => {}
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| reckoned_in(part, found)),
        Formula::Atom(term, comparison) => {
            let plain = term.cells().iter().all(|(cell, _)| cell.case == Case::Plain);
            let alike = match term.cells() {
                [_] => term.sum().value().is_some(),
                [(_, a), (_, b)] => a.add(b) == Int::ZERO && term.sum().value() == Some(&Int::ZERO),
                _ => false,
            };
            if *comparison == Comparison::AtMostZero || !plain || !alike {
                found.extend(term.cells().iter().map(|(cell, _)| cell.array));
            }
        }
    }
}

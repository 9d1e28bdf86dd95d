//! Array constraints in the making: what is said of one graph's strings and integers, with fresh integers and
//! arrays.
//!
//! Invariants: integers and arrays of the graph keep their places, fresh ones come after them; each bound
//! variable is bound once; every non-constant array of characters holds characters of the graph's set within
//! its length.

use backends_graph::{Comparison, IntVertex, StringGraph, StringVertex, Sum};
use harness_model::int::Int;
use harness_model::{Char, CharSet, SmtString};

use crate::formula::{Body, Case, Cell, Forall, Formula, Term};

/// What an array is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArrayKind {
    /// This word.
    Constant(SmtString),
    /// A word: its cells are of the graph's characters.
    Word,
}

/// Quantified and unquantified constraints over arrays and integers.
#[derive(Clone, Debug)]
pub struct ArrayProblem {
    characters: CharSet,
    arrays: Vec<ArrayKind>,
    lengths: Vec<Sum>,
    ints: usize,
    ground: Vec<Formula>,
    foralls: Vec<Forall>,
    weakened: Vec<&'static str>,
    exact: Vec<Formula>,
    restricted: Vec<&'static str>,
}

impl ArrayProblem {
    /// Nothing is said yet of the arrays of `graph` but what its integers say: definitions, formulas, and
    /// that lengths are not negative. A string vertex without a length vertex gets a fresh length.
    pub fn new(graph: &StringGraph) -> Self {
        let mut this = Self {
            characters: graph.characters().clone(),
            arrays: Vec::new(),
            lengths: Vec::new(),
            ints: graph.ints().len(),
            ground: Vec::new(),
            foralls: Vec::new(),
            weakened: Vec::new(),
            exact: Vec::new(),
            restricted: Vec::new(),
        };
        for s in graph.string_vertices() {
            let length = match (graph.word(s), graph.length_of(s)) {
                (Some(word), _) => Sum::from(word.len()),
                (None, Some(length)) => graph.sum_of(length),
                (None, None) => this.natural(),
            };
            this.lengths.push(length);
            this.arrays.push(match graph.word(s) {
                Some(word) => ArrayKind::Constant(word.clone()),
                None => ArrayKind::Word,
            });
        }
        let number = |v: IntVertex| graph.sum_of(v);
        for formula in graph.definition_formulas().iter().chain(graph.formulas()) {
            this.require(formula.substitute(&number).widen());
        }
        this
    }

    /// The characters that words are made of.
    pub const fn characters(&self) -> &CharSet {
        &self.characters
    }

    /// What each array is; those of the graph first.
    pub fn arrays(&self) -> &[ArrayKind] {
        &self.arrays
    }

    /// How many integers there are, those of the graph first, bound variables among the rest.
    pub const fn ints(&self) -> usize {
        self.ints
    }

    /// The word, if the array is a constant.
    pub fn word(&self, array: StringVertex) -> Option<&SmtString> {
        match self.arrays.get(array.index()) {
            Some(ArrayKind::Constant(word)) => Some(word),
            _ => None,
        }
    }

    /// The length of the array.
    pub fn length(&self, array: StringVertex) -> &Sum {
        &self.lengths[array.index()]
    }

    /// A fresh integer.
    pub fn fresh(&mut self) -> IntVertex {
        self.ints += 1;
        IntVertex::at(self.ints - 1)
    }

    /// A fresh natural number.
    pub fn natural(&mut self) -> Sum {
        let new = Sum::from(self.fresh());
        self.require(Sum::from(0_i64).le(&new).widen());
        new
    }

    /// The character of the array at the index: a constant where both are.
    pub fn at(&self, array: StringVertex, index: &Sum) -> Term {
        self.mapped(array, index, Case::Plain)
    }

    /// The same after a mapping.
    pub fn mapped(&self, array: StringVertex, index: &Sum, case: Case) -> Term {
        let cell = Cell { array, index: index.clone(), case };
        match self.known(&cell) {
            Some(code) => Term::from(Sum::from(code)),
            None => Term::from(cell),
        }
    }

    /// The code that a cell has whatever the integers: inside a constant at a constant index.
    pub fn known(&self, cell: &Cell) -> Option<Int> {
        let word = self.word(cell.array)?;
        let place = cell.index.value()?.position(word.len())?;
        Some(cell.case.of(&Int::from(word.chars().get(place)?.0)))
    }

    /// Says this.
    pub fn require(&mut self, formula: Formula) {
        match formula {
            Formula::Bool(true) => {}
            Formula::And(parts) => self.ground.extend(parts),
            other => self.ground.push(other),
        }
    }

    /// Says that under `guard` each index from `low` up to but not `high` has the property that `body` makes
    /// of it.
    pub fn for_all(
        &mut self,
        guard: Formula,
        low: Sum,
        high: Sum,
        body: impl FnOnce(&mut Self, &Sum) -> Body,
    ) {
        let variable = self.fresh();
        let body = body(self, &Sum::from(variable));
        if guard != Formula::Bool(false) && body != Body::Plain(Formula::Bool(true)) {
            self.foralls.push(Forall { variable, guard, low, high, body });
        }
    }

    /// A bound that is stated of the sum, which is a constant or one integer: its greatest value. Cost:
    /// linear in what was said without quantifiers.
    pub fn upper_bound(&self, sum: &Sum) -> Option<Int> {
        if let Some(value) = sum.value() {
            return Some(value.clone());
        }
        let vertex = sum.vertex()?;
        let bounds = self.ground.iter().filter_map(|formula| {
            let Formula::Atom(term, comparison) = formula else { return None };
            let [(of, factor)] = term.sum().terms() else { return None };
            if *of != vertex || !term.cells().is_empty() {
                return None;
            }
            let constant = term.sum().constant();
            match comparison {
                // factor * v + constant <= 0: v <= -constant / factor, rounded down.
                Comparison::AtMostZero if !factor.is_negative() => constant.neg().div(factor),
                Comparison::Zero => constant.neg().div(factor),
                _ => None,
            }
        });
        bounds.min()
    }

    /// The same for its least value.
    pub fn lower_bound(&self, sum: &Sum) -> Option<Int> {
        if let Some(value) = sum.value() {
            return Some(value.clone());
        }
        let vertex = sum.vertex()?;
        let bounds = self.ground.iter().filter_map(|formula| {
            let Formula::Atom(term, Comparison::AtMostZero) = formula else { return None };
            let [(of, factor)] = term.sum().terms() else { return None };
            // factor * v + constant <= 0 with a negative factor: v >= constant / -factor, rounded up.
            let applies = *of == vertex && term.cells().is_empty() && factor.is_negative();
            applies.then(|| term.sum().constant().neg().div(&factor.neg())).flatten().map(|low| low.neg())
        });
        bounds.max()
    }

    /// Notes that something was said more weakly than it is meant: what is refuted stays refuted, but what
    /// fits need not be a solution.
    pub fn weaken(&mut self, what: &'static str) {
        if !self.weakened.contains(&what) {
            self.weakened.push(what);
        }
    }

    /// Notes that something was said more weakly than it is meant, but where `exact` holds.
    pub fn weaken_unless(&mut self, what: &'static str, exact: Formula) {
        self.weaken(what);
        self.exact.push(exact);
    }

    /// Notes that something was said more strongly than it is meant, such as up to a limit: what fits is a
    /// solution, but what is refuted may have one.
    pub fn restrict(&mut self, what: &'static str) {
        if !self.restricted.contains(&what) {
            self.restricted.push(what);
        }
    }

    /// What was said without quantifiers.
    pub fn ground(&self) -> &[Formula] {
        &self.ground
    }

    /// What was said of all indices of a range.
    pub fn foralls(&self) -> &[Forall] {
        &self.foralls
    }

    /// What was said more weakly than it is meant.
    pub fn weakened(&self) -> &[&'static str] {
        &self.weakened
    }

    /// Where all of these hold, some of that was not said more weakly ([`Self::weaken_unless`]).
    pub fn exact(&self) -> &[Formula] {
        &self.exact
    }

    /// What was said more strongly than it is meant.
    pub fn restricted(&self) -> &[&'static str] {
        &self.restricted
    }

    /// What must be said of a constant's cells when an index is not constant: its characters, one by one.
    pub fn facts(&self, array: StringVertex) -> Vec<Formula> {
        let characters = self.word(array).map_or(&[][..], |word| word.chars());
        let fact = |(k, &c): (usize, &Char)| {
            let cell = Cell { array, index: Sum::from(k), case: Case::Plain };
            Term::from(cell).eq(&Term::from(c))
        };
        characters.iter().enumerate().map(fact).collect()
    }

    /// What is said of a word's cell at any index: it is a character. It may be said outside the word too,
    /// where the value is nobody's business. `true` for other arrays.
    pub fn character(&self, array: StringVertex, index: &Sum) -> Formula {
        match self.arrays.get(array.index()) {
            Some(ArrayKind::Word) => self.at(array, index).within(&self.characters),
            _ => Formula::Bool(true),
        }
    }
}

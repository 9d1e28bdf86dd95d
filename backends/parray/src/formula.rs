//! Array formulas: linear arithmetic over integers and the characters that arrays hold, and what holds for
//! every index of a range.
//!
//! A [`Term`] is a linear sum of integers and of [`Cell`]s, a cell being the code of the character at an
//! index of an array. An index is a [`Sum`], so a cell never stands inside an index. Formulas are in negation
//! normal form, as [`backends_graph::IntFormula`] is. Bound variables are integer vertices like all others,
//! each bound in one place only; so putting a sum in the place of one is plain substitution.
//!
//! An array is a string vertex, and has a value at every integer, also beyond the word: no encoding may
//! depend on those values.
//!
//! Source: PASS, section 3, "quantified array constraints" of the form `∀n. L(n) ⇒ P(n)`.

use std::fmt;

use backends_graph::{Comparison, IntVertex, Linear, StringVertex, Sum};
use harness_model::int::Int;
use harness_model::{Char, CharSet};

/// What is done to a character before it is compared: Java's mapping of ASCII letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Case {
    /// Nothing.
    #[default]
    Plain,
    /// A capital letter becomes small.
    Lower,
    /// A small letter becomes capital.
    Upper,
}

impl Case {
    /// The code after the mapping.
    #[must_use]
    pub fn of(self, code: &Int) -> Int {
        let Some(small) = code.small() else { return code.clone() };
        match self {
            Self::Lower if (65..=90).contains(&small) => Int::from(small + 32),
            Self::Upper if (97..=122).contains(&small) => Int::from(small - 32),
            _ => code.clone(),
        }
    }
}

/// The character at an index of an array, as its code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The array.
    pub array: StringVertex,
    /// The index.
    pub index: Sum,
    /// What is done to the character.
    pub case: Case,
}

/// A linear sum of integers and characters. Invariant: no cell twice, no factor zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Term {
    sum: Sum,
    cells: Vec<(Cell, Int)>,
}

impl From<Sum> for Term {
    fn from(sum: Sum) -> Self {
        Self { sum, cells: Vec::new() }
    }
}

impl From<Cell> for Term {
    fn from(cell: Cell) -> Self {
        Self { sum: Sum::default(), cells: vec![(cell, Int::from(1_i64))] }
    }
}

impl From<i64> for Term {
    fn from(constant: i64) -> Self {
        Self::from(Sum::from(constant))
    }
}

impl From<Char> for Term {
    fn from(c: Char) -> Self {
        Self::from(Sum::from(Int::from(c.0)))
    }
}

impl Term {
    /// The part without characters.
    pub const fn sum(&self) -> &Sum {
        &self.sum
    }

    /// The characters and their factors.
    pub fn cells(&self) -> &[(Cell, Int)] {
        &self.cells
    }

    /// `self + factor * other`. Cost: the product of the numbers of cells.
    #[must_use]
    pub fn plus(&self, other: &Self, factor: &Int) -> Self {
        let mut new = Self { sum: self.sum.plus(&other.sum, factor), cells: self.cells.clone() };
        for (cell, times) in &other.cells {
            new.add_cell(cell.clone(), &times.mul(factor));
        }
        new
    }

    fn add_cell(&mut self, cell: Cell, times: &Int) {
        match self.cells.iter().position(|(old, _)| *old == cell) {
            Some(place) => {
                let sum = self.cells[place].1.add(times);
                if sum == Int::ZERO {
                    self.cells.remove(place);
                } else {
                    self.cells[place].1 = sum;
                }
            }
            None if *times == Int::ZERO => {}
            None => self.cells.push((cell, times.clone())),
        }
    }

    /// `self + other`.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        self.plus(other, &Int::from(1_i64))
    }

    /// `self - other`.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        self.plus(other, &Int::MINUS_ONE)
    }

    /// `factor * self`.
    #[must_use]
    pub fn times(&self, factor: &Int) -> Self {
        Self::default().plus(self, factor)
    }

    /// The formula `self <= other`.
    pub fn le(&self, other: &Self) -> Formula {
        Formula::atom(self.sub(other), Comparison::AtMostZero)
    }

    /// The formula `self < other`.
    pub fn lt(&self, other: &Self) -> Formula {
        self.add(&Self::from(1)).le(other)
    }

    /// The formula `self = other`.
    pub fn eq(&self, other: &Self) -> Formula {
        Formula::atom(self.sub(other), Comparison::Zero)
    }

    /// The formula `self != other`.
    pub fn ne(&self, other: &Self) -> Formula {
        Formula::atom(self.sub(other), Comparison::NotZero)
    }

    /// The formula that the code is that of a character of `set`.
    pub fn within(&self, set: &CharSet) -> Formula {
        let code = |code: u32| Self::from(Char(code));
        Formula::or(set.ranges().iter().map(|&(low, high)| {
            if low == high {
                self.eq(&code(low))
            } else {
                Formula::and([code(low).le(self), self.le(&code(high))])
            }
        }))
    }

    /// The formula that the code is not that of a character of `set`.
    pub fn outside(&self, set: &CharSet) -> Formula {
        self.within(set).negate()
    }

    /// With each vertex replaced by a sum, and each cell that `known` knows by its code.
    #[must_use]
    pub fn substitute(&self, by: &impl Fn(IntVertex) -> Sum, known: &impl Fn(&Cell) -> Option<Int>) -> Self {
        let mut new = Self::from(self.sum.substitute(by));
        for (cell, factor) in &self.cells {
            let cell = Cell { array: cell.array, index: cell.index.substitute(by), case: cell.case };
            match known(&cell) {
                Some(code) => new.sum = new.sum.add(&Sum::from(code.mul(factor))),
                None => new.add_cell(cell, factor),
            }
        }
        new
    }

    /// Its value when `value` gives that of each vertex and `code` that of an array at an index.
    pub fn eval(&self, value: &impl Fn(IntVertex) -> Int, code: &impl Fn(StringVertex, &Int) -> Int) -> Int {
        self.cells.iter().fold(self.sum.eval(value), |sum, (cell, factor)| {
            let code = code(cell.array, &cell.index.eval(value));
            sum.add(&cell.case.of(&code).mul(factor))
        })
    }
}

/// A Boolean combination of comparisons of terms with zero, without quantifiers.
pub type Formula = backends_graph::Formula<Term>;

impl Linear for Term {
    fn value(&self) -> Option<&Int> {
        self.sum.value().filter(|_| self.cells.is_empty())
    }

    fn one_minus(&self) -> Self {
        Self::from(1).sub(self)
    }
}

/// Calls `f` with each cell in the formula, as often as it occurs.
pub fn each_cell(formula: &Formula, f: &mut impl FnMut(&Cell)) {
    formula.each_term(&mut |term| term.cells.iter().for_each(|(cell, _)| f(cell)));
}

/// The formula with each vertex replaced by a sum, and each cell that `known` knows by its code.
#[must_use]
pub fn substitute(
    formula: &Formula,
    by: &impl Fn(IntVertex) -> Sum,
    known: &impl Fn(&Cell) -> Option<Int>,
) -> Formula {
    formula.map_terms(&|term: &Term| term.substitute(by, known))
}

/// The truth of the formula when `value` gives the value of each vertex and `code` that of an array at an
/// index.
pub fn eval(
    formula: &Formula,
    value: &impl Fn(IntVertex) -> Int,
    code: &impl Fn(StringVertex, &Int) -> Int,
) -> bool {
    formula.eval_terms(&|term: &Term| term.eval(value, code))
}

/// `∀ variable. guard ∧ low <= variable < high ⇒ body`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Forall {
    /// The bound variable: an integer vertex that is nothing else.
    pub variable: IntVertex,
    /// On what it depends that anything is said. The variable is not in it.
    pub guard: Formula,
    /// The first index.
    pub low: Sum,
    /// The first index that is too large.
    pub high: Sum,
    /// What holds of each.
    pub body: Body,
}

/// What a [`Forall`] says of each index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// A formula.
    Plain(Formula),
    /// `∃ variable. low <= variable < high ∧ body`.
    Exists {
        /// The bound variable.
        variable: IntVertex,
        /// The first index.
        low: Sum,
        /// The first index that is too large.
        high: Sum,
        /// How many indices the range has at most, where that is known.
        most: Option<usize>,
        /// What holds of one of them.
        body: Formula,
    },
}

impl Body {
    /// Without a quantifier, where the range has a known size. `known` is as for [`Formula::substitute`].
    pub fn written_out(&self, known: &impl Fn(&Cell) -> Option<Int>) -> Option<Formula> {
        match self {
            Self::Plain(formula) => Some(formula.clone()),
            Self::Exists { variable, low, high, most, body } => {
                let any = (0..(*most)?).map(|k| {
                    let n = low.add(&Sum::from(k));
                    let put = |v: IntVertex| if v == *variable { n.clone() } else { Sum::from(v) };
                    Formula::and([n.lt(high).widen(), substitute(body, &put, known)])
                });
                Some(Formula::or(any))
            }
        }
    }

    /// The formula inside.
    pub const fn formula(&self) -> &Formula {
        match self {
            Self::Plain(formula) | Self::Exists { body: formula, .. } => formula,
        }
    }
}

impl Forall {
    /// The assumption `L`: the guard, and the variable inside its range.
    pub fn assumption(&self) -> Formula {
        let n = Sum::from(self.variable);
        Formula::and([self.guard.clone(), self.low.le(&n).widen(), n.lt(&self.high).widen()])
    }

    /// Its truth under values as for [`Formula::eval`]: every index of the range is tried, and every inner
    /// one. `None` for a range of more than `most` indices.
    pub fn eval(
        &self,
        most: i64,
        value: &impl Fn(IntVertex) -> Int,
        code: &impl Fn(StringVertex, &Int) -> Int,
    ) -> Option<bool> {
        Some(self.violations(1, most, value, code)?.is_empty())
    }

    /// The first indices, up to `enough` of them, of which it is not true; `None` for a range of more than
    /// `most` indices.
    pub fn violations(
        &self,
        enough: usize,
        most: i64,
        value: &impl Fn(IntVertex) -> Int,
        code: &impl Fn(StringVertex, &Int) -> Int,
    ) -> Option<Vec<Int>> {
        let mut wrong = Vec::new();
        if !eval(&self.guard, value, code) {
            return Some(wrong);
        }
        for n in range(&self.low.eval(value), &self.high.eval(value), most)? {
            let n = Int::from(n);
            let here = |v: IntVertex| if v == self.variable { n.clone() } else { value(v) };
            let holds = match &self.body {
                Body::Plain(formula) => eval(formula, &here, code),
                Body::Exists { variable, low, high, body, .. } => {
                    range(&low.eval(here), &high.eval(here), most)?.any(|k| {
                        let k = Int::from(k);
                        eval(body, &|v: IntVertex| if v == *variable { k.clone() } else { here(v) }, code)
                    })
                }
            };
            if !holds {
                wrong.push(n);
                if wrong.len() >= enough {
                    break;
                }
            }
        }
        Some(wrong)
    }
}

/// The numbers from `low` up to `high`; `None` for more than `most`.
fn range(low: &Int, high: &Int, most: i64) -> Option<std::ops::Range<i64>> {
    if high <= low {
        return Some(0..0);
    }
    let (low, high) = (low.small()?, high.small()?);
    (high.checked_sub(low)? <= most).then_some(low..high)
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell, factor) in &self.cells {
            let case = match cell.case {
                Case::Plain => "",
                Case::Lower => "lower ",
                Case::Upper => "upper ",
            };
            write!(f, "{factor}*{case}a{}[{}] + ", cell.array.index(), cell.index)?;
        }
        self.sum.fmt(f)
    }
}

impl fmt::Display for Forall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.variable.index();
        write!(f, "∀i{n}. {} and {} <= i{n} < {} ⇒ ", self.guard, self.low, self.high)?;
        match &self.body {
            Body::Plain(formula) => formula.fmt(f),
            Body::Exists { variable, low, high, body, .. } => {
                let m = variable.index();
                write!(f, "∃i{m}. {low} <= i{m} < {high} and {body}")
            }
        }
    }
}

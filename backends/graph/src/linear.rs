//! Linear integer arithmetic over integer vertices: sums, atoms, and Boolean combinations of atoms.
//!
//! Formulas are in negation normal form: [`IntFormula::negate`] pushes a negation down to the atoms, where over the
//! integers it disappears.

use std::fmt;

use harness_model::int::Int;

use crate::edge::IntVertex;

/// A sum of multiples of vertices and a constant. Invariant: sorted by vertex, no vertex twice, no factor zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Sum {
    terms: Vec<(IntVertex, Int)>,
    constant: Constant,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Constant(Int);

impl Default for Constant {
    fn default() -> Self {
        Self(Int::ZERO)
    }
}

impl From<IntVertex> for Sum {
    fn from(vertex: IntVertex) -> Self {
        Self { terms: vec![(vertex, Int::from(1_i64))], constant: Constant::default() }
    }
}

impl From<Int> for Sum {
    fn from(constant: Int) -> Self {
        Self { terms: Vec::new(), constant: Constant(constant) }
    }
}

impl From<i64> for Sum {
    fn from(constant: i64) -> Self {
        Self::from(Int::from(constant))
    }
}

impl From<usize> for Sum {
    fn from(constant: usize) -> Self {
        Self::from(Int::from(constant))
    }
}

impl Sum {
    /// The multiples: vertex and factor, sorted by vertex.
    pub fn terms(&self) -> &[(IntVertex, Int)] {
        &self.terms
    }

    /// The constant.
    pub const fn constant(&self) -> &Int {
        &self.constant.0
    }

    /// Its value, if no vertex is in it.
    pub fn value(&self) -> Option<&Int> {
        self.terms.is_empty().then_some(&self.constant.0)
    }

    /// The vertex, if it is one and nothing more.
    pub fn vertex(&self) -> Option<IntVertex> {
        match self.terms.as_slice() {
            [(vertex, factor)] if factor.small() == Some(1) && self.constant.0 == Int::ZERO => Some(*vertex),
            _ => None,
        }
    }

    /// `self + factor * other`.
    #[must_use]
    pub fn plus(&self, other: &Self, factor: &Int) -> Self {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (vertex, value) = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some((l, lf)), Some((r, rf))) if l == r => {
                    let both = (*l, lf.add(&rf.mul(factor)));
                    left.next();
                    right.next();
                    both
                }
                (Some((l, lf)), r) if r.is_none_or(|(r, _)| l < r) => {
                    let one = (*l, lf.clone());
                    left.next();
                    one
                }
                (_, Some((r, rf))) => {
                    let one = (*r, rf.mul(factor));
                    right.next();
                    one
                }
                (Some(_), None) => break,
            };
            if value != Int::ZERO {
                terms.push((vertex, value));
            }
        }
        Self { terms, constant: Constant(self.constant.0.add(&other.constant.0.mul(factor))) }
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

    /// The value when `value` gives that of each vertex.
    pub fn eval(&self, value: impl Fn(IntVertex) -> Int) -> Int {
        self.terms.iter().fold(self.constant.0.clone(), |sum, (v, factor)| sum.add(&factor.mul(&value(*v))))
    }

    /// With each vertex replaced by a sum.
    #[must_use]
    pub fn substitute(&self, by: impl Fn(IntVertex) -> Self) -> Self {
        self.terms
            .iter()
            .fold(Self::from(self.constant.0.clone()), |sum, (v, factor)| sum.plus(&by(*v), factor))
    }

    /// The formula `self <= other`.
    pub fn le(&self, other: &Self) -> IntFormula {
        IntFormula::atom(self.sub(other), Comparison::AtMostZero)
    }

    /// The formula `self < other`.
    pub fn lt(&self, other: &Self) -> IntFormula {
        self.add(&Self::from(1_i64)).le(other)
    }

    /// The formula `self = other`.
    pub fn eq(&self, other: &Self) -> IntFormula {
        IntFormula::atom(self.sub(other), Comparison::Zero)
    }

    /// The formula `self != other`.
    pub fn ne(&self, other: &Self) -> IntFormula {
        IntFormula::atom(self.sub(other), Comparison::NotZero)
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (vertex, factor) in &self.terms {
            write!(f, "{factor}*i{} + ", vertex.index())?;
        }
        write!(f, "{}", self.constant.0)
    }
}

/// How a sum compares with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `sum <= 0`
    AtMostZero,
    /// `sum = 0`
    Zero,
    /// `sum != 0`
    NotZero,
}

/// A Boolean combination of linear atoms, in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum IntFormula {
    /// True or false.
    Bool(bool),
    /// A comparison of a sum, in which there is a vertex, with zero.
    Atom(Sum, Comparison),
    /// All of them: at least two, none of them a conjunction or a constant.
    And(Vec<IntFormula>),
    /// Any of them: at least two, none of them a disjunction or a constant.
    Or(Vec<IntFormula>),
}

impl IntFormula {
    /// The comparison, decided at once if there is no vertex in the sum.
    pub fn atom(sum: Sum, comparison: Comparison) -> Self {
        match sum.value() {
            Some(value) => Self::Bool(compare(value, comparison)),
            None => Self::Atom(sum, comparison),
        }
    }

    /// All of them.
    pub fn and(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Self::Bool(true) => {}
                Self::Bool(false) => return Self::Bool(false),
                Self::And(inner) => all.extend(inner),
                other => all.push(other),
            }
        }
        match all.len() {
            0 => Self::Bool(true),
            1 => all.swap_remove(0),
            _ => Self::And(all),
        }
    }

    /// Any of them.
    pub fn or(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Self::Bool(false) => {}
                Self::Bool(true) => return Self::Bool(true),
                Self::Or(inner) => all.extend(inner),
                other => all.push(other),
            }
        }
        match all.len() {
            0 => Self::Bool(false),
            1 => all.swap_remove(0),
            _ => Self::Or(all),
        }
    }

    /// `self` implies `other`.
    #[must_use]
    pub fn implies(&self, other: Self) -> Self {
        Self::or([self.negate(), other])
    }

    /// The opposite.
    #[must_use]
    pub fn negate(&self) -> Self {
        match self {
            Self::Bool(b) => Self::Bool(!b),
            Self::Atom(sum, Comparison::AtMostZero) => {
                // not (sum <= 0) is sum >= 1
                Self::Atom(Sum::from(1_i64).sub(sum), Comparison::AtMostZero)
            }
            Self::Atom(sum, Comparison::Zero) => Self::Atom(sum.clone(), Comparison::NotZero),
            Self::Atom(sum, Comparison::NotZero) => Self::Atom(sum.clone(), Comparison::Zero),
            Self::And(parts) => Self::or(parts.iter().map(Self::negate)),
            Self::Or(parts) => Self::and(parts.iter().map(Self::negate)),
        }
    }

    /// Its truth when `value` gives the value of each vertex.
    pub fn eval(&self, value: &impl Fn(IntVertex) -> Int) -> bool {
        match self {
            Self::Bool(b) => *b,
            Self::Atom(sum, comparison) => compare(&sum.eval(value), *comparison),
            Self::And(parts) => parts.iter().all(|p| p.eval(value)),
            Self::Or(parts) => parts.iter().any(|p| p.eval(value)),
        }
    }

    /// With each vertex replaced by a sum.
    #[must_use]
    pub fn substitute(&self, by: &impl Fn(IntVertex) -> Sum) -> Self {
        match self {
            Self::Bool(b) => Self::Bool(*b),
            Self::Atom(sum, comparison) => Self::atom(sum.substitute(by), *comparison),
            Self::And(parts) => Self::and(parts.iter().map(|p| p.substitute(by))),
            Self::Or(parts) => Self::or(parts.iter().map(|p| p.substitute(by))),
        }
    }

    /// Calls `f` with each vertex in it, as often as it occurs.
    pub fn each_vertex(&self, f: &mut impl FnMut(IntVertex)) {
        match self {
            Self::Bool(_) => {}
            Self::Atom(sum, _) => sum.terms().iter().for_each(|(v, _)| f(*v)),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|p| p.each_vertex(f)),
        }
    }

    /// How many nodes it has.
    pub fn size(&self) -> usize {
        match self {
            Self::Bool(_) | Self::Atom(..) => 1,
            Self::And(parts) | Self::Or(parts) => 1 + parts.iter().map(Self::size).sum::<usize>(),
        }
    }

    /// How deeply it is nested.
    pub fn depth(&self) -> usize {
        match self {
            Self::Bool(_) | Self::Atom(..) => 1,
            Self::And(parts) | Self::Or(parts) => 1 + parts.iter().map(Self::depth).max().unwrap_or(0),
        }
    }
}

fn compare(value: &Int, comparison: Comparison) -> bool {
    match comparison {
        Comparison::AtMostZero => *value <= Int::ZERO,
        Comparison::Zero => *value == Int::ZERO,
        Comparison::NotZero => *value != Int::ZERO,
    }
}

impl fmt::Display for IntFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, parts: &[Self], word: &str| {
            f.write_str("(")?;
            for (i, part) in parts.iter().enumerate() {
                write!(f, "{}{part}", if i == 0 { "" } else { word })?;
            }
            f.write_str(")")
        };
        match self {
            Self::Bool(b) => write!(f, "{b}"),
            Self::Atom(sum, Comparison::AtMostZero) => write!(f, "{sum} <= 0"),
            Self::Atom(sum, Comparison::Zero) => write!(f, "{sum} = 0"),
            Self::Atom(sum, Comparison::NotZero) => write!(f, "{sum} != 0"),
            Self::And(parts) => list(f, parts, " and "),
            Self::Or(parts) => list(f, parts, " or "),
        }
    }
}

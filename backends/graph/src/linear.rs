//! Linear integer arithmetic over integer vertices: sums, and how they compare with zero. Boolean
//! combinations of such comparisons are [`IntFormula`]s.

use std::fmt;

use harness_model::int::Int;

use crate::edge::IntVertex;
use crate::formula::IntFormula;

/// A sum of multiples of vertices and a constant. Invariant: sorted by vertex, no vertex twice, no factor
/// zero.
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

impl Comparison {
    /// Whether a sum of this value compares so with zero.
    pub fn holds(self, value: &Int) -> bool {
        match self {
            Self::AtMostZero => *value <= Int::ZERO,
            Self::Zero => *value == Int::ZERO,
            Self::NotZero => *value != Int::ZERO,
        }
    }
}

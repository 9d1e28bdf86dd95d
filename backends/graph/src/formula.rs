//! Boolean combinations of comparisons with zero, in negation normal form, over any kind of linear term.
//!
//! [`Formula::negate`] pushes a negation down to the comparisons, where over the integers it disappears.
//! Invariants of [`Formula`] hold for whatever its constructors make: constants stand alone, conjunctions and
//! disjunctions are flat and have at least two parts.

use std::fmt;

use harness_model::int::Int;

use crate::edge::IntVertex;
use crate::linear::{Comparison, Sum};

/// A linear term over the integers, as formulas compare it with zero.
pub trait Linear {
    /// Its value, if it is constant.
    fn value(&self) -> Option<&Int>;

    /// `1 - self`.
    #[must_use]
    fn one_minus(&self) -> Self;
}

impl Linear for Sum {
    fn value(&self) -> Option<&Int> {
        Self::value(self)
    }

    fn one_minus(&self) -> Self {
        Self::from(1_i64).sub(self)
    }
}

/// A Boolean combination of comparisons of terms `L` with zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula<L> {
    /// True or false.
    Bool(bool),
    /// A comparison with zero of a term that is not constant.
    Atom(L, Comparison),
    /// All of them: at least two, none of them a conjunction or a constant.
    And(Vec<Self>),
    /// Any of them: at least two, none of them a disjunction or a constant.
    Or(Vec<Self>),
}

/// A formula about integer vertices.
pub type IntFormula = Formula<Sum>;

impl<L> Formula<L> {
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

    /// Its truth when `value` gives the value of each term.
    pub fn eval_terms(&self, value: &impl Fn(&L) -> Int) -> bool {
        match self {
            Self::Bool(b) => *b,
            Self::Atom(term, comparison) => comparison.holds(&value(term)),
            Self::And(parts) => parts.iter().all(|p| p.eval_terms(value)),
            Self::Or(parts) => parts.iter().any(|p| p.eval_terms(value)),
        }
    }

    /// With each term replaced by another one, of the same kind or not.
    #[must_use]
    pub fn map_terms<M: Linear>(&self, by: &impl Fn(&L) -> M) -> Formula<M> {
        match self {
            Self::Bool(b) => Formula::Bool(*b),
            Self::Atom(term, comparison) => Formula::atom(by(term), *comparison),
            Self::And(parts) => Formula::and(parts.iter().map(|p| p.map_terms(by))),
            Self::Or(parts) => Formula::or(parts.iter().map(|p| p.map_terms(by))),
        }
    }

    /// Calls `f` with each term in it.
    pub fn each_term(&self, f: &mut impl FnMut(&L)) {
        match self {
            Self::Bool(_) => {}
            Self::Atom(term, _) => f(term),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|p| p.each_term(f)),
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

impl<L: Linear> Formula<L> {
    /// The comparison, decided at once if the term is constant.
    pub fn atom(term: L, comparison: Comparison) -> Self {
        match term.value() {
            Some(value) => Self::Bool(comparison.holds(value)),
            None => Self::Atom(term, comparison),
        }
    }
}

impl<L: Linear + Clone> Formula<L> {
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
            // not (term <= 0) is 1 - term <= 0
            Self::Atom(term, Comparison::AtMostZero) => Self::Atom(term.one_minus(), Comparison::AtMostZero),
            Self::Atom(term, Comparison::Zero) => Self::Atom(term.clone(), Comparison::NotZero),
            Self::Atom(term, Comparison::NotZero) => Self::Atom(term.clone(), Comparison::Zero),
            Self::And(parts) => Self::or(parts.iter().map(Self::negate)),
            Self::Or(parts) => Self::and(parts.iter().map(Self::negate)),
        }
    }
}

impl IntFormula {
    /// Its truth when `value` gives the value of each vertex.
    pub fn eval(&self, value: &impl Fn(IntVertex) -> Int) -> bool {
        self.eval_terms(&|sum: &Sum| sum.eval(value))
    }

    /// With each vertex replaced by a sum.
    #[must_use]
    pub fn substitute(&self, by: &impl Fn(IntVertex) -> Sum) -> Self {
        self.map_terms(&|sum: &Sum| sum.substitute(by))
    }

    /// Calls `f` with each vertex in it, as often as it occurs.
    pub fn each_vertex(&self, f: &mut impl FnMut(IntVertex)) {
        self.each_term(&mut |sum| sum.terms().iter().for_each(|(v, _)| f(*v)));
    }

    /// The same formula over terms that may be more than sums.
    #[must_use]
    pub fn widen<L: Linear + From<Sum>>(&self) -> Formula<L> {
        self.map_terms(&|sum: &Sum| L::from(sum.clone()))
    }
}

impl<L: fmt::Display> fmt::Display for Formula<L> {
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
            Self::Atom(term, Comparison::AtMostZero) => write!(f, "{term} <= 0"),
            Self::Atom(term, Comparison::Zero) => write!(f, "{term} = 0"),
            Self::Atom(term, Comparison::NotZero) => write!(f, "{term} != 0"),
            Self::And(parts) => list(f, parts, " and "),
            Self::Or(parts) => list(f, parts, " or "),
        }
    }
}

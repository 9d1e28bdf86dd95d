//! The functions of the theories: the core, integers, Unicode strings and regular expressions of SMT-LIB 2.7,
//! and Java's.
//!
//! Each function stands once, in the table of its group: [`core`], [`arith`], [`str`](mod@str), [`re`],
//! [`java`]. A row has the function's names, the arguments that it takes and the sort of its result.
//! Everything else about names and sorts is computed from the rows.

mod table;

pub mod arith;
pub mod core;
pub mod java;
pub mod re;
pub mod str;

pub use arith::ArithOp;
pub use core::CoreOp;
pub use java::JavaOp;
pub use re::ReOp;
pub use str::StrOp;

use crate::sort::Sort;

/// A function symbol, indices included. Constants and variables are terms of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// Of the core theory.
    Core(CoreOp),
    /// Of integer arithmetic.
    Arith(ArithOp),
    /// Of strings.
    Str(StrOp),
    /// Of regular languages: all functions whose result is one.
    Re(ReOp),
    /// Of Java.
    Java(JavaOp),
}

/// How many arguments a function takes, and how more than two are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Exactly these.
    Fixed(&'static [Sort]),
    /// So many of these from the left; the others may be left out.
    AtLeast(usize, &'static [Sort]),
    /// Two or more of one sort, grouped from the left (`:left-assoc`) or, for `=>`, from the right.
    Many(Sort),
    /// Two or more of one sort: every neighbouring pair is related (`:chainable`).
    Chain(Sort),
    /// Two or more of any one sort, chainable or pairwise.
    Equality,
    /// A condition and two of any one sort.
    Choice,
}

impl Op {
    /// Every function, those with indices once, with indices 0.
    pub fn all() -> impl Iterator<Item = Self> {
        let core = CoreOp::ALL.iter().copied().map(Self::Core);
        let arith = ArithOp::ALL.iter().copied().map(Self::Arith);
        let str = StrOp::ALL.iter().copied().map(Self::Str);
        let re = ReOp::ALL.iter().copied().map(Self::Re);
        let java = JavaOp::ALL.iter().copied().map(Self::Java);
        core.chain(arith).chain(str).chain(re).chain(java)
    }

    /// Its name in scripts, without indices.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Core(op) => op.name(),
            Self::Arith(op) => op.name(),
            Self::Str(op) => op.name(),
            Self::Re(op) => op.name(),
            Self::Java(op) => op.name(),
        }
    }

    /// Its indices, in their order: `2` and `5` of `(_ re.loop 2 5)`.
    pub fn indices(self) -> Vec<u32> {
        match self {
            Self::Core(op) => op.indices(),
            Self::Arith(op) => op.indices(),
            Self::Str(op) => op.indices(),
            Self::Re(op) => op.indices(),
            Self::Java(op) => op.indices(),
        }
    }

    /// The function with each index replaced by the next value of `next`.
    #[must_use]
    pub fn with_indices(self, next: impl FnMut() -> u32) -> Self {
        match self {
            Self::Core(op) => Self::Core(op.with_indices(next)),
            Self::Arith(op) => Self::Arith(op.with_indices(next)),
            Self::Str(op) => Self::Str(op.with_indices(next)),
            Self::Re(op) => Self::Re(op.with_indices(next)),
            Self::Java(op) => Self::Java(op.with_indices(next)),
        }
    }

    /// Its other names, which are read and never written.
    pub const fn other_names(self) -> &'static [OtherName] {
        match self {
            Self::Core(op) => op.other_names(),
            Self::Arith(op) => op.other_names(),
            Self::Str(op) => op.other_names(),
            Self::Re(op) => op.other_names(),
            Self::Java(op) => op.other_names(),
        }
    }

    /// Whether it is one of Java's: SMT-LIB does not have it.
    pub const fn is_java(self) -> bool {
        matches!(self, Self::Java(_))
    }

    /// What it takes.
    pub const fn shape(self) -> Shape {
        match self {
            Self::Core(op) => op.shape(),
            Self::Arith(op) => op.shape(),
            Self::Str(op) => op.shape(),
            Self::Re(op) => op.shape(),
            Self::Java(op) => op.shape(),
        }
    }

    /// The sort of its result; `None` for `ite`, whose branches decide.
    pub const fn result(self) -> Option<Sort> {
        match self {
            Self::Core(op) => op.result(),
            Self::Arith(op) => op.result(),
            Self::Str(op) => op.result(),
            Self::Re(op) => op.result(),
            Self::Java(op) => op.result(),
        }
    }
}

/// Another name of a function, which only scripts from before SMT-LIB 2.6 use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherName {
    /// The name.
    pub name: &'static str,
    /// Whether its two arguments are the other way round.
    pub swapped: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_means_one_function() {
        let mut names: Vec<&str> = Op::all()
            .flat_map(|op| std::iter::once(op.name()).chain(op.other_names().iter().map(|other| other.name)))
            .collect();
        names.sort_unstable();
        let twice: Vec<&str> =
            names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        // Negation and subtraction are told apart by the number of arguments.
        assert_eq!(twice, ["-"]);
    }

    #[test]
    fn indices_are_those_of_the_variant() {
        let mut next = 1;
        let each = || {
            next += 1;
            next
        };
        let op = Op::Re(ReOp::Loop(0, 0)).with_indices(each);
        assert_eq!((op, op.indices()), (Op::Re(ReOp::Loop(2, 3)), vec![2, 3]));
        assert_eq!(Op::Re(ReOp::Star).with_indices(|| 1).indices(), []);
    }

    #[test]
    fn every_language_has_a_function_of_its_group() {
        for op in Op::all() {
            assert_eq!(op.result() == Some(Sort::RegLan), matches!(op, Op::Re(_)), "{}", op.name());
        }
    }
}

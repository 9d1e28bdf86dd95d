//! Hyperedges: one operation each, with the vertices that it relates.
//!
//! A predicate has a polarity: a negative edge says that the predicate is false. A function is the relation
//! between its arguments and its result, and always positive. All functions are total, so a function's edge
//! may be added to any graph without changing whether it is satisfiable, as long as its result is a vertex of
//! its own. [`Relation::CharAt`] is the one partial function: it says that the index is inside.
//!
//! Source: the study's section 3.4.1, whose operations are given SMT-LIB's total meaning here.

use std::fmt;

pub use crate::relation::Relation;

/// A string vertex of one graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StringVertex(pub(crate) u32);

/// An integer vertex of one graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntVertex(pub(crate) u32);

/// An edge of one graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub(crate) u32);

macro_rules! index {
    ($($id:ident),*) => {$(
        impl $id {
            /// Its place in the graph's list.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The one at this place.
            pub fn at(index: usize) -> Self {
                Self(u32::try_from(index).expect("a graph has fewer than 2^32 vertices and edges"))
            }
        }
    )*};
}

index!(StringVertex, IntVertex, EdgeId);

/// A vertex of either sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vertex {
    /// A string.
    String(StringVertex),
    /// An integer.
    Int(IntVertex),
}

/// An operation on vertices.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// What it says.
    pub relation: Relation,
    /// Whether it holds or, for predicates only, does not.
    pub positive: bool,
}

impl Edge {
    /// The predicate or function holds.
    pub const fn positive(relation: Relation) -> Self {
        Self { relation, positive: true }
    }

    /// The predicate does not hold. For a function there is no such edge: the caller passes predicates only.
    pub const fn negative(relation: Relation) -> Self {
        Self { relation, positive: false }
    }
}

impl fmt::Display for Edge {
    /// Such as `!contains`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.positive { "" } else { "!" }, self.relation.name())
    }
}

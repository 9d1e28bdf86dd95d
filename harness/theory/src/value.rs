//! Values of terms, and assignments of values to variables.

use std::collections::HashMap;

use harness_model::SmtString;
use harness_model::int::Int;

use crate::sort::Sort;
use crate::term::VarId;

/// A value of one of the sorts that have literals.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Int),
    /// A string.
    String(SmtString),
}

impl Value {
    /// Its sort.
    pub const fn sort(&self) -> Sort {
        match self {
            Self::Bool(_) => Sort::Bool,
            Self::Int(_) => Sort::Int,
            Self::String(_) => Sort::String,
        }
    }

    /// A value of the sort, for a variable that a model leaves out; `RegLan` has none.
    pub fn default_of(sort: Sort) -> Option<Self> {
        match sort {
            Sort::Bool => Some(Self::Bool(false)),
            Sort::Int => Some(Self::Int(Int::ZERO)),
            Sort::String => Some(Self::String(SmtString::empty())),
            Sort::RegLan => None,
        }
    }
}

/// Values of variables. A variable without one gets [`Value::default_of`] its sort: a model may leave out
/// what does not matter.
pub type Assignment = HashMap<VarId, Value>;

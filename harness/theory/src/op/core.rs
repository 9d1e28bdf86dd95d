//! The core theory.

use super::table::operations;

operations! {
    /// A function of the core theory.
    CoreOp in Core {
        Not "not": Fixed(&[Bool]) => Some(Bool);
        And "and": Many(Bool) => Some(Bool);
        Or "or": Many(Bool) => Some(Bool);
        Xor "xor": Many(Bool) => Some(Bool);
        Implies "=>": Many(Bool) => Some(Bool);
        Eq "=": Equality => Some(Bool);
        Distinct "distinct": Equality => Some(Bool);
        Ite "ite": Choice => None;
    }
}

//! The counters that algebras keep of their own work. Plain cells: an increment costs less than a nanosecond.

use std::cell::Cell;

/// Work done so far. Counts only grow.
#[derive(Debug, Default)]
pub struct OpCounts {
    set_ops: Cell<u64>,
    emptiness_checks: Cell<u64>,
    minterms: Cell<u64>,
}

impl OpCounts {
    /// Counts a union, an intersection, a difference or a complement.
    #[inline]
    pub fn set_op(&self) {
        self.set_ops.set(self.set_ops.get() + 1);
    }

    /// Counts a question whether a set is empty, or whether two are equal.
    #[inline]
    pub fn check(&self) {
        self.emptiness_checks.set(self.emptiness_checks.get() + 1);
    }

    /// Counts minterms that were given out.
    pub fn minterms(&self, how_many: usize) {
        self.minterms.set(self.minterms.get() + how_many as u64);
    }

    /// Names and values, for [`BooleanAlgebra::counters`](crate::BooleanAlgebra::counters).
    pub fn list(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("set_ops", self.set_ops.get()),
            ("set_checks", self.emptiness_checks.get()),
            ("minterms", self.minterms.get()),
        ]
    }
}

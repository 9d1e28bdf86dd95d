//! Sets of characters as binary decision diagrams.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, section 3.2.1: bits are decided from the
//! most to the least significant, because character classes are ranges. A set is the id of its node, so that
//! equality costs one comparison; operations share all nodes of one [`BddAlgebra`] and a table of their
//! results.
//!
//! Invariant: a set is a subset of the alphabet. In `unicode`, which ends at 2FFFF of 3FFFF, the full set is
//! therefore not the constant true, and complement is the difference from it.

mod manager;

use std::cell::RefCell;
use std::fmt;

use backends_api::{Budget, Stop};
use harness_model::{Alphabet, Char};
use rustc_hash::FxHashSet;

use crate::counts::OpCounts;
use crate::{BooleanAlgebra, Minterm, MintermWay, minterm};
use manager::{FALSE, Id, Manager, TRUE};

/// A set of characters: the root of its diagram in the algebra that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bdd(Id);

/// What the root of a diagram does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    /// The constant of this value.
    Constant(bool),
    /// Decides on a bit of the character.
    Decision {
        /// Its position; 0 is the least significant.
        bit: u32,
        /// Where to go when it is 0.
        low: Bdd,
        /// Where to go when it is 1.
        high: Bdd,
    },
}

/// The algebra of [`Bdd`]s over one alphabet. Nodes are kept as long as it lives.
pub struct BddAlgebra {
    alphabet: Alphabet,
    full: Bdd,
    manager: RefCell<Manager>,
    counts: OpCounts,
}

impl BddAlgebra {
    /// Over the characters of `alphabet`, with one decision for each of its bits.
    pub fn new(alphabet: Alphabet) -> Self {
        let mut manager = Manager::new(alphabet.bits());
        let full = Bdd(manager.of_ranges(&[(0, alphabet.max().0)]));
        Self { alphabet, full, manager: RefCell::new(manager), counts: OpCounts::default() }
    }

    /// What the root of `set` does. For translations to other forms; subdiagrams are functions of the bits
    /// below, not subsets of the alphabet, and no operations' input.
    pub fn branch(&self, set: Bdd) -> Branch {
        match set.0 {
            FALSE | TRUE => Branch::Constant(set.0 == TRUE),
            id => {
                let node = self.manager.borrow().node(id);
                Branch::Decision {
                    bit: self.alphabet.bits() - 1 - node.level,
                    low: Bdd(node.low),
                    high: Bdd(node.high),
                }
            }
        }
    }

    /// How many decisions the diagram of `set` has; shared ones once. Linear in that number.
    pub fn size(&self, set: Bdd) -> usize {
        let manager = self.manager.borrow();
        let mut seen = FxHashSet::default();
        let mut open = vec![set.0];
        while let Some(id) = open.pop() {
            if id > TRUE && seen.insert(id) {
                let node = manager.node(id);
                open.extend([node.low, node.high]);
            }
        }
        seen.len()
    }

    /// Counts an operation and does it if there is room.
    #[inline]
    fn operate(&self, operation: impl FnOnce(&mut Manager) -> Id) -> Result<Bdd, Stop> {
        self.counts.set_op();
        let mut manager = self.manager.borrow_mut();
        manager.has_room()?;
        Ok(Bdd(operation(&mut manager)))
    }
}

impl fmt::Debug for BddAlgebra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BddAlgebra")
            .field("alphabet", &self.alphabet)
            .field("nodes", &self.manager.borrow().len())
            .finish_non_exhaustive()
    }
}

impl BooleanAlgebra for BddAlgebra {
    type Set = Bdd;

    const CANONICAL: bool = true;
    const NAME: &'static str = "bdd";

    fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    fn empty(&self) -> Bdd {
        Bdd(FALSE)
    }

    fn full(&self) -> Bdd {
        self.full
    }

    fn of_ranges(&self, ranges: &[(u32, u32)]) -> Result<Bdd, Stop> {
        let mut manager = self.manager.borrow_mut();
        manager.has_room()?;
        let max = self.alphabet.max().0;
        let inside = &ranges[..ranges.partition_point(|&(low, _)| low <= max)];
        let id = manager.of_ranges(inside);
        // A last range that reaches over the end of an alphabet that does not use all its bits.
        Ok(Bdd(if inside.last().is_some_and(|&(_, high)| high > max) {
            manager.and(id, self.full.0)
        } else {
            id
        }))
    }

    fn union(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.operate(|manager| manager.or(a.0, b.0))
    }

    fn intersection(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.operate(|manager| manager.and(a.0, b.0))
    }

    fn complement(&self, a: &Bdd) -> Result<Bdd, Stop> {
        self.operate(|manager| manager.difference(self.full.0, a.0))
    }

    fn difference(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.operate(|manager| manager.difference(a.0, b.0))
    }

    fn is_empty(&self, a: &Bdd) -> Result<bool, Stop> {
        self.counts.check();
        Ok(a.0 == FALSE)
    }

    fn equal(&self, a: &Bdd, b: &Bdd) -> Result<bool, Stop> {
        self.counts.check();
        Ok(a == b)
    }

    fn contains(&self, a: &Bdd, c: Char) -> Result<bool, Stop> {
        if !self.alphabet.contains(c) {
            return Ok(false);
        }
        let manager = self.manager.borrow();
        let top = self.alphabet.bits() - 1;
        let mut id = a.0;
        while id > TRUE {
            let node = manager.node(id);
            id = if c.0 >> (top - node.level) & 1 == 0 { node.low } else { node.high };
        }
        Ok(id == TRUE)
    }

    /// The smallest one: bits that are not decided on, or that may be 0, are 0.
    fn pick(&self, a: &Bdd) -> Result<Option<Char>, Stop> {
        if a.0 == FALSE {
            return Ok(None);
        }
        let manager = self.manager.borrow();
        let top = self.alphabet.bits() - 1;
        let (mut id, mut c) = (a.0, 0);
        while id > TRUE {
            let node = manager.node(id);
            if node.low == FALSE {
                c |= 1 << (top - node.level);
                id = node.high;
            } else {
                id = node.low;
            }
        }
        Ok(Some(Char(c)))
    }

    fn minterms(&self, sets: &[Bdd], way: MintermWay, budget: &Budget) -> Result<Vec<Minterm<Bdd>>, Stop> {
        let minterms = minterm::compute(self, sets, way, budget)?;
        self.counts.minterms(minterms.len());
        Ok(minterms)
    }

    /// Forgets the results of operations. Nodes stay, since sets refer to them; making a node that is there
    /// costs as much as making a new one, so the next operations are as slow as the first time.
    fn forget(&self) {
        self.manager.borrow_mut().forget();
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let mut counters = self.counts.list();
        counters.push(("bdd_nodes", self.manager.borrow().len() as u64));
        counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_is_not_the_constant_in_unicode() {
        let algebra = BddAlgebra::new(Alphabet::Unicode);
        assert_eq!(algebra.size(algebra.full()), 2);
        assert_eq!(algebra.complement(&algebra.empty()), Ok(algebra.full()));
        assert_eq!(algebra.of_ranges(&[(0, u32::MAX)]), Ok(algebra.full()));
        assert_eq!(algebra.contains(&algebra.full(), Char(0x3_0000)), Ok(false));
    }

    #[test]
    fn branches_lead_to_the_constants() {
        let algebra = BddAlgebra::new(Alphabet::Ascii);
        let upper_half = algebra.of_ranges(&[(64, 127)]).unwrap();
        let Branch::Decision { bit: 6, low, high } = algebra.branch(upper_half) else {
            panic!("the highest bit decides")
        };
        assert_eq!(algebra.branch(low), Branch::Constant(false));
        assert_eq!(algebra.branch(high), Branch::Constant(true));
    }
}

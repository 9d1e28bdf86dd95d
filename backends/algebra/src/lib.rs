//! Effective Boolean algebras over characters: the label sets of symbolic automata.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, section 3.2.1. Automata are generic over
//! [`BooleanAlgebra`], so that every representation runs the very same algorithms; that is the point of the
//! study. No representation may take a short cut behind another's back: no shared cache of minterms, no
//! conversion to ranges on the side.
//!
//! - [`bdd`]: binary decision diagrams, [`BddAlgebra`]
//! - [`ranges`]: sorted disjoint ranges, [`RangeAlgebra`], which the study does not have
//! - [`hashset`]: hash sets of single characters, [`HashSetAlgebra`]
//! - [`pairs`]: hash sets of pairs of characters, the study's ranges, [`PairAlgebra`]
//! - [`hashed`]: what both hash sets rest upon
//! - [`list`]: algebras by name; [`Algebras`], those of this crate
//! - [`minterm`]: the two ways to compute minterms, generic over the algebra
//! - [`counts`]: the counters that algebras keep of their own work
//! - `testkit` (feature `testkit`): the laws, as one battery of properties for every algebra
//!
//! Predicates decided by Z3 are in `backends-z3`, so that nothing here links it. This crate depends on the
//! vocabulary and on [`Budget`] only; never on automata, strategies or the runner.

pub mod bdd;
pub mod counts;
pub mod hashed;
pub mod hashset;
pub mod list;
pub mod minterm;
pub mod pairs;
pub mod ranges;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;

use std::fmt::Debug;
use std::hash::Hash;

use backends_api::{Budget, Probe, Stop};
use harness_model::{Alphabet, Char};

pub use bdd::BddAlgebra;
pub use hashset::HashSetAlgebra;
pub use list::{AlgebraList, WithAlgebra};
pub use pairs::PairAlgebra;
pub use ranges::RangeAlgebra;

algebra_list! {
    /// The algebras of this crate, which need no other library. Every family of strategies over an algebra
    /// has them all.
    pub Algebras:
    BddAlgebra,
    RangeAlgebra,
    HashSetAlgebra,
}

algebra_list! {
    /// What only the representation study has: its family has these too. To others they would be slower
    /// ranges.
    pub StudyAlgebras:
    PairAlgebra,
}

/// How the minterms of a sequence of sets are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MintermMethod {
    /// Combinations in rank order: figure 3.4; where the algebra is decided by a solver, cube enumeration
    /// (see [`minterm`]).
    RankOrder,
    /// A partition of the alphabet, split by one set after the other.
    Refinement,
}

impl MintermMethod {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::RankOrder, Self::Refinement];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RankOrder => "rank-order",
            Self::Refinement => "refinement",
        }
    }
}

/// What becomes of equal sets in a sequence whose minterms are computed. The minterms are the same either
/// way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum EqualSets {
    /// Sets that are equal values enter the computation once.
    #[default]
    Merged,
    /// Each place of the sequence enters for itself.
    Separate,
}

impl EqualSets {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Merged, Self::Separate];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Merged => "merged",
            Self::Separate => "separate",
        }
    }
}

/// How minterms are computed. A method alone merges equal sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MintermWay {
    /// The algorithm.
    pub method: MintermMethod,
    /// What becomes of equal sets.
    pub equal_sets: EqualSets,
}

impl From<MintermMethod> for MintermWay {
    fn from(method: MintermMethod) -> Self {
        Self { method, equal_sets: EqualSets::default() }
    }
}

/// A minterm: the indices, ascending, of the sets that it is inside of, and its characters (never none).
pub type Minterm<S> = (Vec<usize>, S);

/// Sets of characters with the operations that automata need.
///
/// The value is the context (memo tables, solver); sets belong to the context that made them. Operations take
/// the context by shared reference and may fail when a budget or a solver gives out.
pub trait BooleanAlgebra {
    /// A set. Equal values denote equal sets; the converse holds where [`Self::CANONICAL`].
    type Set: Clone + Debug + Eq + Hash;

    /// Whether equal sets are equal values.
    const CANONICAL: bool;

    /// Name used in strategies: `bdd`, `ranges`, `hashset`, `pairs`, `predicate`.
    const NAME: &'static str;

    /// Starts the library behind the algebra unless it runs, as a phase of its own: what the first algebra of
    /// a process would pay for all. Called before an algebra is made, outside other phases. Most have nothing
    /// to start.
    fn start(_probe: &Probe) {}

    /// The characters that complement is relative to.
    fn alphabet(&self) -> Alphabet;

    /// No character.
    fn empty(&self) -> Self::Set;

    /// Every character.
    fn full(&self) -> Self::Set;

    /// The characters of inclusive, sorted, disjoint ranges; what is outside the alphabet is cut off.
    fn of_ranges(&self, ranges: &[(u32, u32)]) -> Result<Self::Set, Stop>;

    /// In either.
    fn union(&self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stop>;

    /// In both.
    fn intersection(&self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stop>;

    /// Not in it.
    fn complement(&self, a: &Self::Set) -> Result<Self::Set, Stop>;

    /// In `a` and not in `b`. What the representation does for `a ∩ ∁b` in one go, where it can.
    fn difference(&self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stop> {
        self.intersection(a, &self.complement(b)?)
    }

    /// Whether there is no character in it.
    fn is_empty(&self, a: &Self::Set) -> Result<bool, Stop>;

    /// Whether they have the same characters.
    fn equal(&self, a: &Self::Set, b: &Self::Set) -> Result<bool, Stop>;

    /// Whether `c` is in it.
    fn contains(&self, a: &Self::Set, c: Char) -> Result<bool, Stop>;

    /// A character of it, if there is one. Always the same one for the same set and the same history.
    fn pick(&self, a: &Self::Set) -> Result<Option<Char>, Stop>;

    /// The minterms of a sequence of sets (definition 3.2): for every combination of the sets and their
    /// complements that is not empty, the indices of the sets taken as they are, and the characters. Together
    /// they partition the alphabet. The order is the method's; [`minterm`] tells it, and what each algebra
    /// does for each method and for equal sets.
    ///
    /// Empty sets and sets that occur twice are allowed: nothing is inside the former, and whatever is inside
    /// the latter has both indices.
    fn minterms(
        &self,
        sets: &[Self::Set],
        way: MintermWay,
        budget: &Budget,
    ) -> Result<Vec<Minterm<Self::Set>>, Stop>;

    /// Forgets memoised results, so that the next operation costs what it costs the first time.
    fn forget(&self);

    /// How many operations of each kind were done so far, by name: `set_ops`, `solver_calls`, `bdd_nodes`, …
    fn counters(&self) -> Vec<(&'static str, u64)>;
}

/// A borrowed algebra is the algebra: whoever owns a context may lend it.
impl<A: BooleanAlgebra> BooleanAlgebra for &A {
    type Set = A::Set;

    const CANONICAL: bool = A::CANONICAL;

    const NAME: &'static str = A::NAME;

    fn alphabet(&self) -> Alphabet {
        (**self).alphabet()
    }

    fn empty(&self) -> Self::Set {
        (**self).empty()
    }

    fn full(&self) -> Self::Set {
        (**self).full()
    }

    fn of_ranges(&self, ranges: &[(u32, u32)]) -> Result<Self::Set, Stop> {
        (**self).of_ranges(ranges)
    }

    fn union(&self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stop> {
        (**self).union(a, b)
    }

    fn intersection(&self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stop> {
        (**self).intersection(a, b)
    }

    fn complement(&self, a: &Self::Set) -> Result<Self::Set, Stop> {
        (**self).complement(a)
    }

    fn difference(&self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stop> {
        (**self).difference(a, b)
    }

    fn is_empty(&self, a: &Self::Set) -> Result<bool, Stop> {
        (**self).is_empty(a)
    }

    fn equal(&self, a: &Self::Set, b: &Self::Set) -> Result<bool, Stop> {
        (**self).equal(a, b)
    }

    fn contains(&self, a: &Self::Set, c: Char) -> Result<bool, Stop> {
        (**self).contains(a, c)
    }

    fn pick(&self, a: &Self::Set) -> Result<Option<Char>, Stop> {
        (**self).pick(a)
    }

    fn minterms(
        &self,
        sets: &[Self::Set],
        way: MintermWay,
        budget: &Budget,
    ) -> Result<Vec<Minterm<Self::Set>>, Stop> {
        (**self).minterms(sets, way, budget)
    }

    fn forget(&self) {
        (**self).forget();
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        (**self).counters()
    }
}

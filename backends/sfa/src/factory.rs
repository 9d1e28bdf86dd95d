//! Where a strategy gets its algebra from: a fresh one for every question, so that nothing is left from one question to
//! the next.

use backends_algebra::{BddAlgebra, BooleanAlgebra, HashSetAlgebra, RangeAlgebra};
use harness_model::Alphabet;

/// Makes an algebra for the alphabet of a question. Any function from alphabets to algebras is one.
pub trait AlgebraFactory: Send + Sync {
    /// What it makes.
    type Algebra: BooleanAlgebra;

    /// A new algebra, with no memory of any other.
    fn make(&self, alphabet: Alphabet) -> Self::Algebra;
}

impl<A: BooleanAlgebra, F: Fn(Alphabet) -> A + Send + Sync> AlgebraFactory for F {
    type Algebra = A;

    fn make(&self, alphabet: Alphabet) -> A {
        self(alphabet)
    }
}

/// Binary decision diagrams.
pub fn bdd(alphabet: Alphabet) -> BddAlgebra {
    BddAlgebra::new(alphabet)
}

/// Character ranges.
pub fn ranges(alphabet: Alphabet) -> RangeAlgebra {
    RangeAlgebra::new(alphabet)
}

/// Hash sets of single characters.
pub fn hashset(alphabet: Alphabet) -> HashSetAlgebra {
    HashSetAlgebra::new(alphabet)
}

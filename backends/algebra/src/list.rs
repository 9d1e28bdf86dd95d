//! Algebras by name: what families of strategies are generic over.
//!
//! A list is made with [`algebra_list!`](crate::algebra_list), one line for each algebra. Two lists together
//! are a list again: so the registry adds an algebra of another crate to those of this one. A strategy makes
//! a fresh algebra for every question, so that nothing is left from one question to the next.

use harness_model::Alphabet;

use crate::BooleanAlgebra;

/// Something that can be done with any algebra.
pub trait WithAlgebra {
    /// What comes of it.
    type Output;

    /// Does it, with the function that makes an algebra for an alphabet.
    fn with<A: BooleanAlgebra + 'static>(self, make: fn(Alphabet) -> A) -> Self::Output;
}

/// Algebras, each with a name of its own.
pub trait AlgebraList: Send + Sync {
    /// The names, in the order in which they are listed.
    fn names(&self) -> Vec<&'static str>;

    /// Does `work` with the algebra of that name; gives `work` back when there is none.
    ///
    /// # Errors
    ///
    /// When there is none.
    fn with<W: WithAlgebra>(&self, name: &str, work: W) -> Result<W::Output, W>;
}

/// Both lists, one after the other.
impl<L: AlgebraList, R: AlgebraList> AlgebraList for (L, R) {
    fn names(&self) -> Vec<&'static str> {
        [self.0.names(), self.1.names()].concat()
    }

    fn with<W: WithAlgebra>(&self, name: &str, work: W) -> Result<W::Output, W> {
        self.0.with(name, work).or_else(|work| self.1.with(name, work))
    }
}

/// Declares a type that is a list of algebras, each of which is made with its function `new`.
#[macro_export]
macro_rules! algebra_list {
    ($(#[$meta:meta])* $vis:vis $list:ident: $($algebra:ty,)*) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default)]
        $vis struct $list;

        impl $crate::AlgebraList for $list {
            fn names(&self) -> Vec<&'static str> {
                vec![$(<$algebra as $crate::BooleanAlgebra>::NAME),*]
            }

            fn with<W: $crate::WithAlgebra>(&self, name: &str, work: W) -> Result<W::Output, W> {
                match name {
                    $(name if name == <$algebra as $crate::BooleanAlgebra>::NAME => {
                        Ok(work.with(<$algebra>::new))
                    })*
                    _ => Err(work),
                }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BddAlgebra, HashSetAlgebra, RangeAlgebra};

    algebra_list! {
        /// One.
        One: BddAlgebra,
    }
    algebra_list! {
        /// Two more.
        Two: HashSetAlgebra, RangeAlgebra,
    }

    struct Alphabets;

    impl WithAlgebra for Alphabets {
        type Output = (&'static str, Alphabet);

        fn with<A: BooleanAlgebra>(self, make: fn(Alphabet) -> A) -> Self::Output {
            (A::NAME, make(Alphabet::Latin1).alphabet())
        }
    }

    #[test]
    fn each_algebra_is_found_by_its_name() {
        let list = (One, Two);
        assert_eq!(list.names(), ["bdd", "hashset", "ranges"]);
        for name in list.names() {
            assert_eq!(list.with(name, Alphabets).ok(), Some((name, Alphabet::Latin1)));
        }
        assert!(list.with("predicate", Alphabets).is_err());
    }
}

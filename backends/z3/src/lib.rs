//! Everything that links Z3, so that the rest of the workspace builds without it.
//!
//! - [`rex`]: the family `rex`, automata as acceptance predicates (`acceptance`)
//! - [`arrays`]: array constraints for `backends-parray`
//! - [`bitvectors`]: bit-vectors for `backends-bitvector`
//! - [`family`]: the family `z3`
//! - [`integers`]: linear integer arithmetic for the interchange of string graphs
//! - [`native`]: the strategy `z3`, the whole question given to Z3's own theory of strings
//! - [`predicate`]: sets of characters as predicates over bit-vectors, [`PredicateAlgebra`]
//! - `term`: the terms that ranges become
//! - `context`: one Z3 context for each user, although the `z3` crate keeps one for each thread
//! - `encode`, `languages`: our terms and expressions as Z3's; `raw`: the C functions that the `z3` crate
//!   leaves out
//! - `session`: a solver under a budget, values of models
//!
//! Nothing here touches Z3 before the first operation, so that a process may fork until then.

mod acceptance;
pub mod arrays;
pub mod bitvectors;
mod context;
mod encode;
pub mod family;
#[cfg(test)]
mod ground;
pub mod integers;
mod languages;
pub mod native;
pub mod predicate;
mod raw;
pub mod rex;
mod session;
mod term;

pub use arrays::Z3Arrays;
pub use bitvectors::Z3BitVectors;
pub use family::NativeFamily;
pub use integers::Z3Integers;
pub use native::NativeStrategy;
pub use predicate::PredicateAlgebra;
pub use rex::RexFamily;

/// The full version of the Z3 library that this program runs with, as the library tells it.
pub fn version() -> &'static str {
    z3::full_version()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_linked_library_is_recent_enough() {
        let version = super::version();
        let number: Vec<u32> = version
            .trim_start_matches(|c: char| !c.is_ascii_digit())
            .split('.')
            .map_while(|part| part.parse().ok())
            .collect();
        assert!(number >= vec![5, 4], "{version}");
    }
}

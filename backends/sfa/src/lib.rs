//! The strategies of the representation study (Hooimeijer, *Decision Procedures for String Constraints*, chapter 3):
//! products and differences of symbolic automata, eager and lazy, for each representation of character sets.
//!
//! All of them are one generic [`SfaStrategy`]; an algebra is all that `sfa-bdd-lazy` and `sfa-ranges-lazy` differ in.
//! An algebra of another crate becomes a family of strategies through [`strategies_of`]. Must never depend on another
//! backend.
//!
//! - [`strategy`]: the strategy and its phases
//! - [`options`]: eager or lazy, how to search, minterms; the names
//! - [`factory`]: where the algebra comes from

pub mod factory;
pub mod options;
pub mod strategy;

use backends_algebra::BooleanAlgebra;
use backends_api::Strategy;

pub use factory::AlgebraFactory;
pub use options::{Mode, SfaOptions};
pub use strategy::SfaStrategy;

/// The strategies over the algebras of this workspace that need no foreign library: the study's, and their variants.
pub fn strategies() -> Vec<Box<dyn Strategy>> {
    let mut all = strategies_of(&factory::bdd, &SfaOptions::ALL);
    all.extend(strategies_of(&factory::ranges, &SfaOptions::ALL));
    all.extend(strategies_of(&factory::hashset, &SfaOptions::ALL));
    all
}

/// A strategy over the algebras of `factory` for each of `options`, under the usual names.
pub fn strategies_of<F>(factory: &F, options: &[SfaOptions]) -> Vec<Box<dyn Strategy>>
where
    F: AlgebraFactory + Clone + 'static,
{
    options
        .iter()
        .map(|&options| {
            let name = options.name(F::Algebra::NAME);
            Box::new(SfaStrategy::new(name, factory.clone(), options)) as Box<dyn Strategy>
        })
        .collect()
}

//! What strategies over the same algebra differ in, and the names that this gives them.

use backends_algebra::MintermMethod;
use backends_automata::{Order, Search};

/// Whether the automaton of an operation is built as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Build it, then test it for emptiness and take a shortest word.
    Eager,
    /// Stop at the first word that is found by this search.
    Lazy(Search),
}

/// How a strategy works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SfaOptions {
    /// Eager or lazy.
    pub mode: Mode,
    /// How the minterms of a difference are computed. Products have none.
    pub minterms: MintermMethod,
}

/// The published search, and its variants.
const DEPTH_FIRST: Mode = Mode::Lazy(Search { order: Order::DepthFirst, once: false });
const DEPTH_FIRST_ONCE: Mode = Mode::Lazy(Search { order: Order::DepthFirst, once: true });
const BREADTH_FIRST: Mode = Mode::Lazy(Search { order: Order::BreadthFirst, once: false });

impl SfaOptions {
    /// The study's eager algorithms.
    pub const EAGER: Self = Self { mode: Mode::Eager, minterms: MintermMethod::RankOrder };
    /// The study's lazy algorithms.
    pub const LAZY: Self = Self { mode: DEPTH_FIRST, minterms: MintermMethod::RankOrder };
    /// Eager, minterms by refinement.
    pub const EAGER_REFINE: Self = Self { mode: Mode::Eager, minterms: MintermMethod::Refinement };
    /// Lazy, minterms by refinement.
    pub const LAZY_REFINE: Self = Self { mode: DEPTH_FIRST, minterms: MintermMethod::Refinement };
    /// Lazy, breadth first.
    pub const LAZY_BFS: Self = Self { mode: BREADTH_FIRST, minterms: MintermMethod::RankOrder };
    /// Lazy, and nothing is done twice: [`Search::once`].
    pub const LAZY_ONCE: Self = Self { mode: DEPTH_FIRST_ONCE, minterms: MintermMethod::RankOrder };
    /// The same, minterms by refinement.
    pub const LAZY_REFINE_ONCE: Self = Self { mode: DEPTH_FIRST_ONCE, minterms: MintermMethod::Refinement };
    /// The study's two, then the variants.
    pub const ALL: [Self; 7] = [
        Self::EAGER,
        Self::LAZY,
        Self::EAGER_REFINE,
        Self::LAZY_REFINE,
        Self::LAZY_BFS,
        Self::LAZY_ONCE,
        Self::LAZY_REFINE_ONCE,
    ];

    /// The strategy's name over the algebra of that name: `sfa-bdd-lazy`, `sfa-ranges-lazy-refine-bfs`. What the study
    /// did has no suffix.
    pub fn name(self, algebra: &str) -> String {
        let mode = match self.mode {
            Mode::Eager => "eager",
            Mode::Lazy(_) => "lazy",
        };
        let minterms = match self.minterms {
            MintermMethod::RankOrder => "",
            MintermMethod::Refinement => "-refine",
        };
        let search = match self.mode {
            Mode::Eager => Search::default(),
            Mode::Lazy(search) => search,
        };
        let order = if search.order == Order::BreadthFirst { "-bfs" } else { "" };
        let once = if search.once { "-once" } else { "" };
        format!("sfa-{algebra}-{mode}{minterms}{order}{once}")
    }

    /// One line for lists.
    pub(crate) fn summary(self, algebra: &str) -> String {
        let mode = match self.mode {
            Mode::Eager => "whole automaton, then emptiness",
            Mode::Lazy(Search { order: Order::DepthFirst, .. }) => "depth first up to the first witness",
            Mode::Lazy(Search { order: Order::BreadthFirst, .. }) => "breadth first up to the first witness",
        };
        let once = match self.mode {
            Mode::Lazy(Search { once: true, .. }) => ", nothing done twice",
            _ => "",
        };
        let minterms = match self.minterms {
            MintermMethod::RankOrder => "as published",
            MintermMethod::Refinement => "by partition refinement",
        };
        format!("symbolic automata over {algebra}: {mode}{once}; minterms {minterms}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct() {
        let names = SfaOptions::ALL.map(|options| options.name("bdd"));
        assert_eq!(
            names,
            [
                "sfa-bdd-eager",
                "sfa-bdd-lazy",
                "sfa-bdd-eager-refine",
                "sfa-bdd-lazy-refine",
                "sfa-bdd-lazy-bfs",
                "sfa-bdd-lazy-once",
                "sfa-bdd-lazy-refine-once"
            ]
        );
    }
}

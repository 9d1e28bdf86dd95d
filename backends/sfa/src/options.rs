//! What strategies over the same algebra differ in, and the names that this gives them.

use backends_algebra::MintermMethod;
use backends_automata::Order;

/// Whether the automaton of an operation is built as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Build it, then test it for emptiness and take a shortest word.
    Eager,
    /// Stop at the first word that is found, in this order.
    Lazy(Order),
}

/// How a strategy works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SfaOptions {
    /// Eager or lazy.
    pub mode: Mode,
    /// How the minterms of a difference are computed. Products have none.
    pub minterms: MintermMethod,
}

impl SfaOptions {
    /// The study's eager algorithms.
    pub const EAGER: Self = Self { mode: Mode::Eager, minterms: MintermMethod::RankOrder };
    /// The study's lazy algorithms.
    pub const LAZY: Self = Self { mode: Mode::Lazy(Order::DepthFirst), minterms: MintermMethod::RankOrder };
    /// The study's two, then the variants: other minterms, other order.
    pub const ALL: [Self; 6] = [
        Self::EAGER,
        Self::LAZY,
        Self { mode: Mode::Eager, minterms: MintermMethod::Refinement },
        Self { mode: Mode::Lazy(Order::DepthFirst), minterms: MintermMethod::Refinement },
        Self { mode: Mode::Lazy(Order::BreadthFirst), minterms: MintermMethod::RankOrder },
        Self { mode: Mode::Lazy(Order::BreadthFirst), minterms: MintermMethod::Refinement },
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
        let order = match self.mode {
            Mode::Lazy(Order::BreadthFirst) => "-bfs",
            Mode::Eager | Mode::Lazy(Order::DepthFirst) => "",
        };
        format!("sfa-{algebra}-{mode}{minterms}{order}")
    }

    /// One line for lists.
    pub(crate) fn summary(self, algebra: &str) -> String {
        let mode = match self.mode {
            Mode::Eager => "whole automaton, then emptiness",
            Mode::Lazy(Order::DepthFirst) => "depth first up to the first witness",
            Mode::Lazy(Order::BreadthFirst) => "breadth first up to the first witness",
        };
        let minterms = match self.minterms {
            MintermMethod::RankOrder => "rank order",
            MintermMethod::Refinement => "partition refinement",
        };
        format!("symbolic automata over {algebra}: {mode}; minterms by {minterms}")
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
                "sfa-bdd-lazy-refine-bfs"
            ]
        );
    }
}

//! What strategies over the same algebra differ in.

use backends_algebra::{EqualSets, MintermMethod, MintermWay};
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
    pub minterms: MintermWay,
}

impl SfaOptions {
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
        let minterms = match self.minterms.method {
            MintermMethod::RankOrder => "as published",
            MintermMethod::Refinement => "by partition refinement",
        };
        let equal = match self.minterms.equal_sets {
            EqualSets::Merged => "",
            EqualSets::Separate => ", equal labels kept apart",
        };
        format!("symbolic automata over {algebra}: {mode}{once}; minterms {minterms}{equal}")
    }
}

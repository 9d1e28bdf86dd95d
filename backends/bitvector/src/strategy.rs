//! String graphs by bit-vectors: one for each string vertex, its length fixed by the guess.
//!
//! Source: the study's figure 3.15 and table 3.2 (the module `encoding` lists what is corrected). The
//! encoding of an edge is exact, so `unsat` is shown for the guess; the interchange chooses the lengths.
//! Three ways to hand the edges over:
//!
//! - [`Mode::EdgeByEdge`], strategy `graph-bitvector`: figure 3.15. Each edge is pushed and checked, so that
//!   the first edge that does not fit is known. The guess is refuted by those of the edges so far that are
//!   connected with that one by string vertices other than constants ([`Refusals::Connected`]): the others
//!   have a solution of their own. Strategy `graph-bitvector-published`: by all of the edges so far
//!   ([`Refusals::Taken`]), as the study tells of its two extreme graphs in section 4.2.
//! - [`Mode::All`], `graph-bitvector-all`: the alternative that section 3.6.2 names. One check of all edges;
//!   a refutation names them all.
//! - [`Mode::Core`], `graph-bitvector-core`, not in the study: all edges as assumptions, and a refutation
//!   names a minimal set of them that does not fit, so that the integers learn more from each failure.
//!
//! Except with [`Refusals::Taken`] an edge that the lengths and integers alone make false refutes the guess
//! by itself, before the solver is asked.

use backends_api::{BackendError, Budget, Probe, StrategyInfo, Taken};
use backends_graph::{
    EdgeId, FixedSolver, FixedSolvers, GraphStrategy, IntegerSolvers, Options, StringGraph,
};

use crate::search::Search;
use crate::solver::BitVectorSolvers;

/// How the edges are handed to the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// One after the other, with a check after each.
    EdgeByEdge(Refusals),
    /// All at once.
    All,
    /// All at once as assumptions, with a minimal core of those that do not fit.
    Core,
}

impl Default for Mode {
    fn default() -> Self {
        Self::EdgeByEdge(Refusals::default())
    }
}

impl Mode {
    /// All of them, where edge by edge refuses guesses in this way.
    pub const fn all(refusals: Refusals) -> [Self; 3] {
        [Self::EdgeByEdge(refusals), Self::All, Self::Core]
    }

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EdgeByEdge(_) => "edge-by-edge",
            Self::All => "all",
            Self::Core => "core",
        }
    }

    const fn summary(self) -> &'static str {
        match self {
            Self::EdgeByEdge(Refusals::Connected) => "edge by edge with a check after each",
            Self::EdgeByEdge(Refusals::Taken) => {
                "edge by edge with a check after each, refuses guesses as published"
            }
            Self::All => "one check of all edges",
            Self::Core => "all edges with a minimal core of those that fail",
        }
    }
}

/// What is refused with a guess, edge by edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Refusals {
    /// The integers of the edges so far that are connected with the one that does not fit.
    #[default]
    Connected,
    /// The integers of all edges so far.
    Taken,
}

impl Refusals {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Connected, Self::Taken];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Connected => "connected",
            Self::Taken => "taken",
        }
    }
}

/// The strategy of this mode with these options, under the name that its family gives it.
pub fn strategy<B: BitVectorSolvers, I: IntegerSolvers>(
    name: String,
    mode: Mode,
    options: Options,
    bitvectors: B,
    integers: I,
) -> GraphStrategy<BitVectors<B>, I> {
    let summary = format!("string graph, {} bit-vectors, {}", bitvectors.name(), mode.summary());
    let info = StrategyInfo {
        name,
        backend: "graph-bitvector",
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: summary + &options.summary(),
        source: "the string-graph study, figure 3.15 and table 3.2",
    };
    GraphStrategy::new(info, options, BitVectors { mode, bitvectors }, integers)
}

/// Makes solvers of string graphs on a solver of bit-vectors.
#[derive(Clone, Copy, Debug, Default)]
pub struct BitVectors<B> {
    /// How edges are handed over.
    pub mode: Mode,
    /// The solver of bit-vectors.
    pub bitvectors: B,
}

impl<B: BitVectorSolvers> FixedSolvers for BitVectors<B> {
    fn start(&self, probe: &Probe) {
        self.bitvectors.start(probe);
    }

    /// Every relation has a formula that is equivalent to it.
    fn takes(&self, _: &StringGraph) -> Taken {
        Taken::Exactly
    }

    fn solver<'a>(
        &'a self,
        graph: &'a StringGraph,
        order: &'a [EdgeId],
        budget: &'a Budget,
    ) -> Result<Box<dyn FixedSolver + 'a>, BackendError> {
        Ok(Box::new(Search::new(self.mode, graph, order, budget, self.bitvectors.session())))
    }
}

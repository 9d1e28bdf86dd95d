//! What the strategies of this crate have in common: reading the patterns, and a name for each way to use a
//! library.

use backends_api::{
    BackendError, Budget, Op, OptionSpec, Options, Probe, Run, Strategy, StrategyInfo, Treatment,
};
use backends_input::{Expressions, expressions, expressions_of};
use harness_model::{Outcome, Question};

use crate::{byte_automata, regexsolver, smt_strings};

/// Answers a question whose expressions were read. All work but reading happens here, in each call again.
pub type Answering = fn(&Expressions, &Limits, &Budget, &Probe) -> Result<Outcome, BackendError>;

/// Limits of size: the libraries cannot be interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States of an automaton of `regexsolver`, which refuses larger ones itself.
    pub states: usize,
    /// Mebibytes of an automaton of `regex-automata`.
    pub memory: usize,
    /// Pairs of states that a search on automata of `regex-automata` visits.
    pub pairs: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 1 << 20, memory: 512, pairs: 1 << 25 }
    }
}

impl Limits {
    /// The limits as options of a family of strategies.
    pub fn specs() -> [OptionSpec; 3] {
        let usual = Self::default();
        [
            OptionSpec::integer(
                "states",
                usual.states,
                1,
                1 << 30,
                "states of the largest automaton of regexsolver",
            ),
            OptionSpec::integer(
                "memory",
                usual.memory,
                1,
                1 << 20,
                "MiB of the largest automaton of regex-automata",
            ),
            OptionSpec::integer(
                "pairs",
                usual.pairs,
                1,
                1 << 30,
                "the most pairs of states that a search on automata of regex-automata visits",
            ),
        ]
    }

    /// What a family with [`Limits::specs`] was asked for.
    pub fn of(options: &Options) -> Self {
        Self {
            states: options.number("states"),
            memory: options.number("memory"),
            pairs: options.number("pairs"),
        }
    }
}

/// One way to use a library.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// The strategy's name.
    pub name: &'static str,
    /// The library and its version.
    pub version: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Who is behind it.
    pub source: &'static str,
    /// How it is used.
    pub answer: Answering,
    /// The options of [`Limits`] that limit it.
    pub limited_by: &'static [&'static str],
}

/// A way to use a library, within limits.
#[derive(Clone, Debug)]
pub struct PeerStrategy {
    /// The canonical name.
    pub name: String,
    /// The way.
    pub peer: Peer,
    /// The limits.
    pub limits: Limits,
}

/// Every way, by library.
pub const PEERS: [Peer; 5] = [
    Peer {
        name: "peer-regexsolver",
        version: "regexsolver 1.1.0",
        summary: "regexsolver: has_intersection, complements made once; gives no witness",
        source: "the crate regexsolver",
        answer: regexsolver::answer_lazily,
        limited_by: &["states"],
    },
    Peer {
        name: "peer-regexsolver-eager",
        version: "regexsolver 1.1.0",
        summary: "regexsolver: the whole intersection, and a shortest word of it",
        source: "the crate regexsolver",
        answer: regexsolver::answer_eagerly,
        limited_by: &["states"],
    },
    Peer {
        name: "peer-aws-smt-strings",
        version: "aws-smt-strings 0.8.0",
        summary: "aws-smt-strings: derivatives; equal terms are one term, so A minus A is not searched",
        source: "the crate aws-smt-strings",
        answer: smt_strings::answer,
        limited_by: &[],
    },
    Peer {
        name: "peer-regex-automata",
        version: "regex-automata 0.4.19",
        summary: "regex-automata: dense automata over UTF-8, searched in pairs breadth first by us",
        source: "the crate regex-automata",
        answer: byte_automata::answer_dense,
        limited_by: &["memory", "pairs"],
    },
    Peer {
        name: "peer-regex-automata-lazy",
        version: "regex-automata 0.4.19",
        summary: "regex-automata: lazy automata over UTF-8, searched in pairs breadth first by us",
        source: "the crate regex-automata",
        answer: byte_automata::answer_hybrid,
        limited_by: &["memory", "pairs"],
    },
];

impl Strategy for PeerStrategy {
    fn info(&self) -> StrategyInfo {
        StrategyInfo {
            name: self.name.clone(),
            backend: "peers",
            version: self.peer.version.to_owned(),
            summary: self.peer.summary.to_owned(),
            source: self.peer.source,
        }
    }

    fn operation(&self, op: Op) -> Option<Treatment> {
        expressions::treatment(op)
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let asked = expressions_of(question, probe)?;
        let systems = asked.systems();
        Ok(systems.answered_by(Box::new(Prepared { strategy: self, asked, budget })))
    }
}

struct Prepared<'a> {
    strategy: &'a PeerStrategy,
    asked: Expressions,
    budget: &'a Budget,
}

impl Run for Prepared<'_> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        (self.strategy.peer.answer)(&self.asked, &self.strategy.limits, self.budget, probe)
    }
}

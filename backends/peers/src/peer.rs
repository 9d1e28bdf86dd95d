//! What the strategies of this crate have in common: reading the patterns, and a name for each way to use a
//! library.

use backends_api::{BackendError, Budget, Op, Probe, Run, Strategy, StrategyInfo, Treatment};
use backends_input::{Expressions, expressions, expressions_of};
use harness_model::{Outcome, Question};

use crate::{byte_automata, regexsolver, smt_strings};

/// Answers a question whose expressions were read. All work but reading happens here, anew in each call.
pub type Answering = fn(&Expressions<'_>, &Budget, &Probe) -> Result<Outcome, BackendError>;

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
}

/// Every way, by library.
pub const PEERS: [Peer; 5] = [
    Peer {
        name: "peer-regexsolver",
        version: "regexsolver 1.1.0",
        summary: "regexsolver: has_intersection, complements made once; gives no witness",
        source: "the crate regexsolver",
        answer: regexsolver::answer_lazily,
    },
    Peer {
        name: "peer-regexsolver-eager",
        version: "regexsolver 1.1.0",
        summary: "regexsolver: the whole intersection, and a shortest word of it",
        source: "the crate regexsolver",
        answer: regexsolver::answer_eagerly,
    },
    Peer {
        name: "peer-aws-smt-strings",
        version: "aws-smt-strings 0.8.0",
        summary: "aws-smt-strings: derivatives; equal terms are one term, so A minus A is not searched",
        source: "the crate aws-smt-strings",
        answer: smt_strings::answer,
    },
    Peer {
        name: "peer-regex-automata",
        version: "regex-automata 0.4.19",
        summary: "regex-automata: dense automata over UTF-8, searched in pairs breadth first by us",
        source: "the crate regex-automata",
        answer: byte_automata::answer_dense,
    },
    Peer {
        name: "peer-regex-automata-lazy",
        version: "regex-automata 0.4.19",
        summary: "regex-automata: lazy automata over UTF-8, searched in pairs breadth first by us",
        source: "the crate regex-automata",
        answer: byte_automata::answer_hybrid,
    },
];

impl Strategy for Peer {
    fn info(&self) -> StrategyInfo {
        StrategyInfo {
            name: self.name.to_owned(),
            backend: "peers",
            version: self.version.to_owned(),
            summary: self.summary.to_owned(),
            source: self.source,
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
        Ok(Box::new(Prepared { peer: *self, asked, budget }))
    }
}

struct Prepared<'a> {
    peer: Peer,
    asked: Expressions<'a>,
    budget: &'a Budget,
}

impl Run for Prepared<'_> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        (self.peer.answer)(&self.asked, self.budget, probe)
    }
}

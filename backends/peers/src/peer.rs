//! What the strategies of this crate have in common: reading the patterns, and a name for each way to use a library.

use backends_api::{BackendError, Budget, Probe, Run, Strategy, StrategyInfo};
use harness_model::{Operation, Outcome, Question, Regex};

use crate::{byte_automata, regexsolver, smt_strings};

/// Answers a question whose expressions were read. All work but reading happens here, anew in each call.
pub type Answering = fn(&Question, &[Regex], &Budget, &Probe) -> Result<Outcome, BackendError>;

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

/// Every strategy of this crate.
pub fn strategies() -> Vec<Box<dyn Strategy>> {
    PEERS.into_iter().map(|peer| Box::new(peer) as Box<dyn Strategy>).collect()
}

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

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        if question.script.is_some() {
            return Err(BackendError::Unsupported("string constraints".to_owned()));
        }
        let regexes = probe.phase("parse", || {
            question
                .regexes
                .iter()
                .map(|source| {
                    harness_regex::parse(&source.pattern, source.dialect, question.alphabet)
                        .map_err(|error| BackendError::Input(format!("{}: {error}", source.name)))
                })
                .collect::<Result<Vec<_>, _>>()
        })?;
        Ok(Box::new(Prepared { peer: *self, question, regexes, budget }))
    }
}

struct Prepared<'a> {
    peer: Peer,
    question: &'a Question,
    regexes: Vec<Regex>,
    budget: &'a Budget,
}

impl Run for Prepared<'_> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        (self.peer.answer)(self.question, &self.regexes, self.budget, probe)
    }
}

/// Refuses operations on expressions that the question does not have.
pub(crate) fn check_operations(question: &Question, regexes: usize) -> Result<(), BackendError> {
    match question.operations.iter().find(|o| o.left.max(o.right) >= regexes) {
        None => Ok(()),
        Some(Operation { kind, left, right }) => {
            Err(BackendError::Input(format!("{kind} of expressions {left} and {right}: there are {regexes}")))
        }
    }
}

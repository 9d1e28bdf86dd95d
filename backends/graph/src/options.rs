//! What can be chosen: rule set, edge order, length bound, limit of a query.

use std::time::Duration;

use backends_api::{OptionSpec, time_text};

use crate::edge::{Edge, EdgeId};
use crate::graph::StringGraph;

/// Which preprocessing rules are used, and what is taken for granted with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum RuleSet {
    /// Only rules that are proved: what they refute has no solution.
    #[default]
    Sound,
    /// The rules that the study's text states, unsound ones included, with its restrictions: variables are
    /// not empty, have at most 30 characters, and those from U+0020 to U+007E.
    Thesis,
    /// The rules of the implementation that was published later (Symbolic PathFinder), unsound ones included,
    /// with the same restrictions.
    Spf,
}

/// In which order a string solver takes the edges: the study's open question (section 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum EdgeOrder {
    /// As the constraints came.
    #[default]
    AsGiven,
    /// Positive edges before negative ones.
    PositiveFirst,
    /// Edges that fix characters at known places first, edges that choose between many places later, negative
    /// edges last.
    CheapestFirst,
}

/// How a graph is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Options {
    /// Preprocessing.
    pub rules: RuleSet,
    /// Order of edges.
    pub order: EdgeOrder,
    /// The greatest length of a vertex that is not constant. `None`: no bound with the sound rules, where the
    /// loop then may run for ever; 30 with the study's.
    pub max_length: Option<u32>,
    /// With the implementation's rules: also its automata back end's rule that what `trim` leaves has two
    /// characters or more.
    pub trim_two: bool,
    /// How long one `check-sat` of a script may take. It is unknown then, and the script goes on.
    pub check_limit: Option<Duration>,
}

/// The study's bound on lengths and indices.
pub const THESIS_MAX_LENGTH: u32 = 30;

impl Options {
    /// The bound on lengths that is in force.
    pub fn bound(&self) -> Option<u32> {
        match self.rules {
            RuleSet::Sound => self.max_length,
            RuleSet::Thesis | RuleSet::Spf => Some(self.max_length.unwrap_or(THESIS_MAX_LENGTH)),
        }
    }

    /// These options as those of a family of strategies: `rules`, `order`, `max` and
    /// `check-limit`.
    pub fn specs() -> [OptionSpec; 4] {
        [
            OptionSpec::choice(
                "rules",
                RuleSet::ALL.map(RuleSet::name),
                "preprocessing: proved rules, those of the study's text, or those of its implementation as published \
                 later; only the first are sound",
            )
            .paper("thesis"),
            OptionSpec::choice(
                "order",
                EdgeOrder::ALL.map(EdgeOrder::name),
                "in which order edges are taken",
            )
            .paper("as-given"),
            OptionSpec::bound(
                "max",
                1 << 20,
                "the greatest length of a word that is not constant; none with the study's rules: 30",
            )
            .paper("30"),
            OptionSpec::time(
                "check-limit",
                "how long one check-sat may take; when it is over, the answer is unknown, and the next one is asked",
            )
            .paper("3s"),
        ]
    }

    /// What a family with the options [`Options::specs`] was asked for.
    pub fn of(options: &backends_api::Options) -> Self {
        Self {
            rules: options.one_of("rules", &RuleSet::ALL, RuleSet::name),
            order: options.one_of("order", &EdgeOrder::ALL, EdgeOrder::name),
            max_length: options.number_or_none("max"),
            trim_two: false,
            check_limit: options.time_or_none("check-limit"),
        }
    }

    /// What a strategy with these options does otherwise than one without, as the ending of its description.
    pub fn summary(&self) -> String {
        let mut out = String::new();
        match self.rules {
            RuleSet::Sound => {}
            RuleSet::Thesis => out.push_str("; rules and bounds of the study's text, unsound"),
            RuleSet::Spf => out.push_str("; rules and bounds of the study's implementation, unsound"),
        }
        match self.order {
            EdgeOrder::AsGiven => {}
            EdgeOrder::PositiveFirst => out.push_str("; positive edges first"),
            EdgeOrder::CheapestFirst => out.push_str("; cheapest edges first"),
        }
        if let Some(max) = self.max_length {
            out.push_str(&format!("; words of up to {max} characters"));
        }
        if let Some(limit) = self.check_limit {
            out.push_str(&format!("; at most {} for a check-sat", time_text(limit)));
        }
        out
    }
}

impl RuleSet {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Sound, Self::Thesis, Self::Spf];

    /// Whether it is one of the study's, with its restrictions.
    pub const fn is_restricted(self) -> bool {
        match self {
            Self::Sound => false,
            Self::Thesis | Self::Spf => true,
        }
    }

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Thesis => "thesis",
            Self::Spf => "spf",
        }
    }
}

impl EdgeOrder {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::AsGiven, Self::PositiveFirst, Self::CheapestFirst];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AsGiven => "as-given",
            Self::PositiveFirst => "positive-first",
            Self::CheapestFirst => "cheapest-first",
        }
    }
}

impl EdgeOrder {
    /// The edges of `graph` in this order. Stable: edges that rank alike stay as given.
    pub fn arrange(self, graph: &StringGraph) -> Vec<EdgeId> {
        let mut ids: Vec<EdgeId> = graph.edge_ids().collect();
        match self {
            Self::AsGiven => {}
            Self::PositiveFirst => ids.sort_by_key(|&id| !graph.edge(id).positive),
            Self::CheapestFirst => ids.sort_by_key(|&id| cost(graph, graph.edge(id))),
        }
        ids
    }
}

/// A rank: how many ways there are to satisfy the edge once lengths are fixed, roughly; edges with constants
/// are cheaper.
fn cost(graph: &StringGraph, edge: &Edge) -> u32 {
    let open = edge.relation.strings().filter(|&s| graph.word(s).is_none()).count();
    let open = u32::try_from(open).unwrap_or(4).min(4);
    edge.relation.cost() * 5 + open + if edge.positive { 0 } else { 100 }
}

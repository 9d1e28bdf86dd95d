//! What this build has: names, versions, features.

use std::collections::BTreeMap;

use backends_api::StrategyInfo;
use harness_config::{Unavailable, Vocabulary};

use crate::sources;

/// A feature that adds strategies.
pub struct Feature {
    /// Of Cargo.
    pub name: &'static str,
    /// Whether this build has it.
    pub on: bool,
    /// The names of its strategies, as patterns.
    pub patterns: &'static [&'static str],
    /// What they are.
    pub about: &'static str,
}

/// The features of the build that users choose.
pub const FEATURES: [Feature; 2] = [
    Feature {
        name: "z3",
        on: cfg!(feature = "z3"),
        patterns: &["z3", "graph-*", "sfa-predicate-*"],
        about: "what Z3 solves: whole problems, the integers of string graphs, sets of characters as predicates",
    },
    Feature { name: "peers", on: cfg!(feature = "peers"), patterns: &["peer-*"], about: "public libraries" },
];

impl Feature {
    /// How to get it, as the end of a sentence.
    pub fn way_out(&self) -> String {
        format!("build with 'cargo build --release --features {}' ({})", self.name, self.about)
    }
}

/// What every strategy says of itself, in the registry's order.
pub fn strategies() -> Vec<StrategyInfo> {
    backends::infos()
}

/// The names that a configuration may use.
pub fn vocabulary() -> Vocabulary {
    Vocabulary {
        strategies: strategies().into_iter().map(|info| info.name).collect(),
        unavailable: FEATURES
            .iter()
            .filter(|feature| !feature.on)
            .flat_map(|feature| {
                let unavailable =
                    |pattern: &&str| Unavailable { pattern: (*pattern).to_owned(), why: feature.way_out() };
                feature.patterns.iter().map(unavailable).collect::<Vec<_>>()
            })
            .collect(),
        corpora: sources::corpora().into_iter().map(|(name, _)| name).collect(),
        generators: sources::generators().into_iter().map(|(name, _)| name).collect(),
        problems: sources::problems(),
        layouts: reports::layout::ALL.iter().map(|layout| layout.name().to_owned()).collect(),
    }
}

/// Of the program, of the compiler that built it, and of the libraries and solvers that are linked.
pub fn versions() -> BTreeMap<String, String> {
    let mut versions: BTreeMap<String, String> = backends::versions().into_iter().collect();
    versions.insert("harness".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    versions.insert("rustc".to_owned(), env!("HARNESS_RUSTC").to_owned());
    versions.insert("profile".to_owned(), env!("HARNESS_PROFILE").to_owned());
    versions
}

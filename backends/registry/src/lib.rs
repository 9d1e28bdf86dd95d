//! The one list of strategies. Concrete backends meet only here, and the runner's worker asks for nothing else.
//!
//! Features decide what is linked: `z3` (default) the predicate algebra and all string graphs, whose integers Z3 solves,
//! `peers` public libraries, `misbehaving` strategies that lie, sleep, crash and eat memory, for tests.
//!
//! - [`picture`]: string graphs drawn

pub mod picture;

use std::collections::BTreeMap;

use backends_api::{Strategy, StrategyInfo};

/// Every strategy that this build has, in the order in which they are listed. Names are unique. Cheap: nothing is
/// initialised, no solver is touched.
pub fn strategies() -> Vec<Box<dyn Strategy>> {
    let mut all = backends_sfa::strategies();
    #[cfg(feature = "z3")]
    all.extend(
        backends_sfa::strategies_of(&predicate, &backends_sfa::SfaOptions::ALL)
            .into_iter()
            .map(backends_z3::started),
    );
    all.extend(backends_classes::strategies());
    #[cfg(feature = "z3")]
    {
        all.extend(graph_automata(&backends_algebra::BddAlgebra::new));
        all.extend(graph_automata(&backends_algebra::RangeAlgebra::new));
        all.extend(graph_automata(&backends_algebra::HashSetAlgebra::new));
        all.extend(graph_automata(&predicate));
        all.extend(backends_hybrid::strategies_of(
            &backends_graph_automata::AutomataSolvers::free(backends_algebra::RangeAlgebra::new),
            &backends_z3::Z3Integers,
        ));
        all.extend(backends_z3::strategies());
        all.extend(backends_interval::arrays::strategies_of(
            &backends_z3::Z3Arrays,
            &backends_z3::Z3Integers,
        ));
    }
    all.extend(backends_interval::strategy::strategies());
    all.extend(backends_bounded::strategies());
    #[cfg(feature = "peers")]
    all.extend(backends_peers::strategies());
    #[cfg(feature = "misbehaving")]
    all.extend(harness_exec::misbehave::strategies());
    all
}

/// String graphs on automata over an algebra, with Z3 for the integers: the default rules in each edge order, and the study's
/// rules.
#[cfg(feature = "z3")]
fn graph_automata<A, F>(make: &F) -> Vec<Box<dyn Strategy>>
where
    A: backends_algebra::BooleanAlgebra + 'static,
    F: Fn(harness_model::Alphabet) -> A + Clone + Send + Sync + 'static,
{
    use backends_graph::{EdgeOrder, Options, RuleSet};
    let order = |order| Options { order, ..Options::default() };
    let options = [
        Options::default(),
        order(EdgeOrder::PositiveFirst),
        order(EdgeOrder::CheapestFirst),
        Options { rules: RuleSet::Thesis, trim_two: true, ..Options::default() },
    ];
    backends_graph_automata::strategies_of(make, &backends_z3::Z3Integers, &options)
}

#[cfg(feature = "z3")]
fn predicate(alphabet: harness_model::Alphabet) -> backends_z3::PredicateAlgebra {
    backends_z3::PredicateAlgebra::new(alphabet)
}

/// What the strategies say of themselves, in the same order.
pub fn infos() -> Vec<StrategyInfo> {
    strategies().iter().map(|s| s.info()).collect()
}

/// Versions of the solvers that are linked, by name. Asks the libraries themselves, so call it in a process that forks no
/// worker afterwards.
pub fn versions() -> BTreeMap<String, String> {
    #[cfg(feature = "z3")]
    return [("z3".to_owned(), backends_z3::version().to_owned())].into();
    #[cfg(not(feature = "z3"))]
    BTreeMap::new()
}

/// What this build leaves out and how to get it: one line each.
pub fn left_out() -> Vec<&'static str> {
    let mut lines = Vec::new();
    if cfg!(not(feature = "z3")) {
        lines
            .push("z3, graph-*, hybrid*, parray*, sfa-predicate-*: built without the feature 'z3' (cargo build --features z3)");
    }
    if cfg!(not(feature = "peers")) {
        lines.push("peer-*: built without the feature 'peers' (cargo build --features peers)");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_well_formed() {
        let infos = infos();
        let mut names: Vec<&str> = infos.iter().map(|i| i.name.as_str()).collect();
        assert!(names.len() >= 19);
        for info in &infos {
            // The study of parameterised arrays joins methods by '+'.
            let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-+".contains(c);
            assert!(info.name.chars().all(good), "{}", info.name);
            assert!(
                !info.summary.is_empty() && !info.version.is_empty() && !info.source.is_empty(),
                "{}",
                info.name
            );
        }
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}

//! The second half of preprocessing: integer constraints that edges imply, alone and in pairs.
//!
//! A rule is one small function in a table: it looks at an edge, or at two edges of one source vertex, and
//! gives a formula over integer vertices. In the `sound` set the formula holds in every solution of the
//! edges; each rule's comment says why, and a test tries it on all words of a small alphabet. The `thesis`
//! set has the rules that the study's text states, the `spf` set those of its implementation as published
//! later; both are marked `[U]` where they refute what has solutions.
//!
//! Source: the study's section 3.4.2, table 3.1 and figure 3.10, and its published implementation.

pub mod numerals;
pub mod order;
pub mod pairs;
pub mod parts;
pub mod single;
pub mod spf;
pub mod thesis;
#[cfg(test)]
mod unsound;
pub mod view;

use std::collections::BTreeMap;

use backends_api::{Budget, Probe, Stop};

use crate::edge::Edge;
use crate::formula::IntFormula;
use crate::graph::StringGraph;
use crate::options::{Options, RuleSet};
use crate::reasons::Reasons;
use crate::relation::Relation;
pub use view::View;

/// How often each rule was applied, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<&'static str, u64>);

impl Counts {
    /// Once more.
    pub fn add(&mut self, rule: &'static str) {
        *self.0.entry(rule).or_default() += 1;
    }

    /// How often the rule was applied.
    pub fn get(&self, rule: &str) -> u64 {
        self.0.get(rule).copied().unwrap_or(0)
    }

    /// Adds all to the probe's counters.
    pub fn report(&self, probe: &Probe) {
        for (rule, count) in &self.0 {
            probe.count(rule, *count);
        }
    }
}

/// A rule for one edge.
#[derive(Clone, Copy, Debug)]
pub struct EdgeRule {
    /// Its name: the counter that counts its applications.
    pub name: &'static str,
    /// What the edge implies; `true` when the rule does not concern it.
    pub apply: fn(&View<'_>, &Edge) -> IntFormula,
}

/// A rule for two edges. It is tried on both orders of every pair of edges that have the same source vertex.
#[derive(Clone, Copy, Debug)]
pub struct PairRule {
    /// Its name: the counter that counts its applications.
    pub name: &'static str,
    /// What the edges imply; `true` when the rule does not concern them.
    pub apply: fn(&View<'_>, &Edge, &Edge) -> IntFormula,
}

/// The rules of a set for single edges.
pub const fn edge_rules(set: RuleSet) -> &'static [EdgeRule] {
    match set {
        RuleSet::Sound => single::RULES,
        RuleSet::Thesis => thesis::EDGE_RULES,
        RuleSet::Spf => spf::EDGE_RULES,
    }
}

/// The rules of a set for pairs of edges.
pub fn pair_rules(set: RuleSet) -> impl Iterator<Item = &'static PairRule> + Clone {
    let (first, rest): (&[PairRule], &[PairRule]) = match set {
        RuleSet::Sound => (pairs::RULES, &[]),
        RuleSet::Thesis => (thesis::PAIR_RULES, &[]),
        RuleSet::Spf => (spf::parts::RULES, spf::index::RULES),
    };
    first.iter().chain(rest)
}

/// A formula and the edges, by place, that imply it.
pub type Derived = (IntFormula, Reasons);

/// The name of a rule and the edges, by place, that it refutes.
pub type Refuting = (&'static str, Reasons);

/// Rules for one edge that look at all edges of the graph.
const WHOLE_GRAPH: &[&str] = &[parts::NAME, parts::PROPER_PART, numerals::NAME];

/// What the edges of `graph` imply by the rules that `options` name, each formula with the edges that imply
/// it. `Ok(Err((rule, edges)))` when that rule refutes these edges. Every string vertex of the graph has a
/// length vertex. Cost: rules times pairs of edges that share a source.
pub fn derive(
    graph: &StringGraph,
    options: &Options,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<Vec<Derived>, Refuting>, Stop> {
    let view = View::new(graph);
    // A view knows which strings are made of codes, and some rules look at more than the edges that they are
    // given.
    let (mut always, mut all) = (Reasons::new(), Reasons::new());
    for (place, edge) in graph.edges().iter().enumerate() {
        all.insert(place);
        if matches!(edge.relation, Relation::FromCode { .. }) {
            always.insert(place);
        }
    }
    let by = |rule: &'static str, edges: &[usize]| {
        if options.rules.is_restricted() || WHOLE_GRAPH.contains(&rule) {
            return all.clone();
        }
        let mut reasons = always.clone();
        edges.iter().for_each(|&edge| reasons.insert(edge));
        reasons
    };
    let mut derived: Vec<Derived> = Vec::new();
    let mut take = |name: &'static str, formula: IntFormula, edges: &[usize]| match formula {
        IntFormula::Bool(true) => Ok(()),
        IntFormula::Bool(false) => {
            counts.add(name);
            Err((name, by(name, edges)))
        }
        formula => {
            counts.add(name);
            derived.push((formula, by(name, edges)));
            Ok(())
        }
    };
    let set = options.rules;
    let trim_two = (set == RuleSet::Spf && options.trim_two).then_some(&spf::TRIM_RULE);
    for (place, edge) in graph.edges().iter().enumerate() {
        budget.tick()?;
        for rule in edge_rules(set).iter().chain(trim_two) {
            if let Err(refuted) = take(rule.name, (rule.apply)(&view, edge), &[place]) {
                return Ok(Err(refuted));
            }
        }
    }
    for group in by_source(graph) {
        for (i, &(here, first)) in group.iter().enumerate() {
            for (j, &(there, second)) in group.iter().enumerate() {
                if i == j {
                    continue;
                }
                budget.tick()?;
                for rule in pair_rules(set) {
                    if let Err(refuted) = take(rule.name, (rule.apply)(&view, first, second), &[here, there])
                    {
                        return Ok(Err(refuted));
                    }
                }
            }
        }
    }
    if set == RuleSet::Sound {
        let parts = parts::Parts::new(&view);
        for edge in graph.edges() {
            budget.tick()?;
            if let Err(refuted) = take(parts::NAME, parts.apply(&view, edge), &[]) {
                return Ok(Err(refuted));
            }
        }
        for formula in numerals::apply(&view, &parts) {
            if let Err(refuted) = take(numerals::NAME, formula, &[]) {
                return Ok(Err(refuted));
            }
        }
        if let Some(edges) = order::contradiction(&view, budget)?
            && let Err(refuted) = take(order::NAME, IntFormula::Bool(false), &edges)
        {
            return Ok(Err(refuted));
        }
    }
    if set == RuleSet::Spf {
        for first in graph.edges() {
            for second in graph.edges() {
                budget.tick()?;
                let rule = &spf::parts::CROSS_RULE;
                if let Err(refuted) = take(rule.name, (rule.apply)(&view, first, second), &[]) {
                    return Ok(Err(refuted));
                }
            }
        }
    }
    let mut seen = std::collections::HashSet::new();
    derived.retain(|(formula, _)| seen.insert(formula.clone()));
    Ok(Ok(derived))
}

/// The edges grouped by their source: the first string vertex. `concat` has none, for neither of its parts is
/// one.
fn by_source(graph: &StringGraph) -> Vec<Vec<(usize, &Edge)>> {
    let mut groups: Vec<Vec<(usize, &Edge)>> = vec![Vec::new(); graph.strings().len()];
    for (place, edge) in graph.edges().iter().enumerate() {
        if let Some(source) = View::source(edge) {
            groups[source.index()].push((place, edge));
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

//! The first half of preprocessing: merging vertices and folding constants, to a fixed point.
//!
//! Each step replaces the graph by one with the same solutions: what is merged has equal values in every
//! solution, what is dropped holds in every solution of the rest. Or it finds an edge that no values satisfy.
//!
//! - `vertices`: what the vertices were merged into, and why
//! - `constants`, `congruence`, `equations`, `idempotent`: the rules; `ends`, `identities`, `words`,
//!   `substrings`, `cases`: those that are not for all
//! - `codes`: codes that become characters; `compaction`: the graph that is left
//!
//! Source: the study's section 3.4.2, "Simplifying" and "Detecting unsatisfiability" 1 and 2.

use std::collections::HashMap;

use backends_api::{Budget, Stop};

use crate::edge::{Edge, IntVertex, Relation, StringVertex};
use crate::formula::IntFormula;
use crate::graph::StringGraph;
use crate::linear::Sum;
use crate::options::RuleSet;
use crate::reasons::Reasons;
use crate::rules::Counts;

mod cases;
mod codes;
mod compaction;
mod congruence;
mod constants;
mod digits;
mod ends;
mod equations;
mod idempotent;
mod identities;
mod places;
mod substrings;
mod vertices;
mod words;

pub use codes::code_at;

/// A simpler graph and how to read its solutions.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// Every string vertex has a length vertex; every vertex is a declared variable or occurs in an edge or a
    /// formula.
    pub graph: StringGraph,
    /// For each string vertex of the original: the vertex with its word. `None`: any word will do.
    pub strings: Vec<Option<StringVertex>>,
    /// For each integer vertex of the original: its value. `None`: any number will do.
    pub ints: Vec<Option<Sum>>,
}

/// For integer vertices of the original that are codes: the word and the position whose character they are
/// the code of ([`code_at`]). Goes before [`Simplified::ints`].
pub type Codes = HashMap<IntVertex, (StringVertex, Sum)>;

/// Why preprocessing says that there is no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// The rule that refutes the graph.
    pub rule: &'static str,
    /// The assertions that it needs for that; `None` for a graph that was not made of assertions.
    pub core: Option<Reasons>,
}

/// Simplifies `original`. `Ok(Err(_))` when a rule refutes it.
pub fn simplify(
    original: &StringGraph,
    rules: RuleSet,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<Simplified, Refuted>, Stop> {
    simplify_settled(original, rules, false, counts, budget)
}

/// As [`simplify`], with the rules about parts of words: two that one word begins, or ends, with are merged
/// where they are equally long, equations of words are cut and counted, and functions of equal or empty words
/// are what they are.
pub fn simplify_with_ends(
    original: &StringGraph,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<Simplified, Refuted>, Stop> {
    simplify_settled(original, RuleSet::Sound, true, counts, budget)
}

fn simplify_settled(
    original: &StringGraph,
    rules: RuleSet,
    ends: bool,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<Simplified, Refuted>, Stop> {
    let work = match settle(original, rules, ends, counts, budget)? {
        Ok(work) => work,
        Err(refuted) => return Ok(Err(refuted)),
    };
    Ok(Ok(work.compact(original, &[]).0))
}

/// As [`simplify`], for a solver that guesses integers: codes that only positions and bounds concern become
/// characters, which need no guess.
pub fn simplify_for_guesses(
    original: &StringGraph,
    rules: RuleSet,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<(Simplified, Codes), Refuted>, Stop> {
    let mut work = match settle(original, rules, rules == RuleSet::Sound, counts, budget)? {
        Ok(work) => work,
        Err(refuted) => return Ok(Err(refuted)),
    };
    let codes = if rules == RuleSet::Sound { codes::as_characters(&mut work, counts) } else { Vec::new() };
    Ok(Ok(work.compact(original, &codes)))
}

/// Merges and folds until nothing changes.
fn settle(
    original: &StringGraph,
    rules: RuleSet,
    ends: bool,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<Work, Refuted>, Stop> {
    let mut work = Work {
        graph: original.clone(),
        edges: original
            .edge_ids()
            .map(|id| Sourced { value: original.edge(id).clone(), from: original.edge_sources(id).clone() })
            .collect(),
        string_of: original.string_vertices().collect(),
        int_of: original.int_vertices().collect(),
        formulas: original
            .formulas()
            .iter()
            .enumerate()
            .map(|(i, formula)| Sourced { value: formula.clone(), from: original.formula_sources(i).clone() })
            .collect(),
        string_links: vec![Reasons::new(); original.strings().len()],
        int_links: vec![Reasons::new(); original.ints().len()],
        present: Reasons::new(),
        rules,
        ends,
        changed: true,
        within_case: false,
    };
    while std::mem::take(&mut work.changed) {
        budget.tick()?;
        if let Err(rule) = work.round(counts, budget)? {
            counts.add(rule);
            let core = (original.has_sources() && rules == RuleSet::Sound).then(|| work.present.clone());
            return Ok(Err(Refuted { rule, core }));
        }
    }
    Ok(Ok(work))
}

/// Something that holds because of assertions.
#[derive(Clone, Debug)]
struct Sourced<T> {
    value: T,
    from: Reasons,
}

#[derive(Clone)]
struct Work {
    /// The original, with constants that folding made.
    graph: StringGraph,
    edges: Vec<Sourced<Edge>>,
    /// Union-find: what each vertex was merged into, or itself.
    string_of: Vec<StringVertex>,
    int_of: Vec<IntVertex>,
    /// Why each vertex equals what it was merged into.
    string_links: Vec<Reasons>,
    int_links: Vec<Reasons>,
    formulas: Vec<Sourced<IntFormula>>,
    /// What the present step holds because of: where it refutes the graph, the core.
    present: Reasons,
    rules: RuleSet,
    /// Whether rules `equal_ends`, `identity`, `word_equation` and `case_refuted` are among them.
    ends: bool,
    changed: bool,
    /// Whether this is a case that is tried.
    within_case: bool,
}

/// The name of the rule that refutes.
type RuleName = &'static str;

impl Work {
    fn round(&mut self, counts: &mut Counts, budget: &Budget) -> Result<Result<(), RuleName>, Stop> {
        let mut kept = Vec::with_capacity(self.edges.len());
        let mut known: HashMap<Edge, ()> = HashMap::new();
        for edge in std::mem::take(&mut self.edges) {
            budget.tick()?;
            let edge = self.edge(&edge);
            self.present = edge.from.clone();
            match self.step(&edge.value, counts) {
                Ok(true) => {
                    if known.insert(edge.value.clone(), ()).is_none() {
                        kept.push(edge);
                    }
                }
                Ok(false) => {}
                Err(refuted) => return Ok(Err(refuted)),
            }
        }
        self.edges = kept;
        if self.rules == RuleSet::Sound {
            if let Err(rule) = self.congruent(counts) {
                return Ok(Err(rule));
            }
            if let Err(rule) = idempotent::merge(self, counts) {
                return Ok(Err(rule));
            }
            if let Err(rule) = self.equations(counts) {
                return Ok(Err(rule));
            }
            if self.ends
                && let Err(rule) = self.settled_ends(counts, budget)?
            {
                return Ok(Err(rule));
            }
        }
        Ok(Ok(()))
    }

    /// The rules that only solvers with rules of ours have.
    fn settled_ends(&mut self, counts: &mut Counts, budget: &Budget) -> Result<Result<(), RuleName>, Stop> {
        if let Err(rule) = ends::merge(self, counts, budget)? {
            return Ok(Err(rule));
        }
        if let Err(rule) = identities::merge(self, counts) {
            return Ok(Err(rule));
        }
        if let Err(rule) = words::merge(self, counts, budget)? {
            return Ok(Err(rule));
        }
        if let Err(rule) = substrings::merge(self, counts, budget)? {
            return Ok(Err(rule));
        }
        // What is cheaper first.
        if self.within_case || self.changed { Ok(Ok(())) } else { cases::merge(self, counts, budget) }
    }

    /// One edge; whether it stays.
    fn step(&mut self, edge: &Edge, counts: &mut Counts) -> Result<bool, RuleName> {
        if let Relation::Equal { a, b } = edge.relation {
            return self.equal(edge, a, b, counts);
        }
        self.fold(edge, counts)
    }
}

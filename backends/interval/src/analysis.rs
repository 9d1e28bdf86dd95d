//! From a preprocessed graph to its fixed point: values, then relations, then values again while relations
//! give new edges.

use backends_api::{BackendError, Budget, Probe, Stop};
use backends_graph::IntFormula;
use backends_graph::interchange::Prepared;
use backends_graph::reasons::Reasons;

use crate::refine::{Limits, Refiner};
use crate::relations::{Relations, places};

/// What is known of a graph at the fixed point.
#[derive(Debug)]
pub struct Analysis<'g> {
    /// Values.
    pub refiner: Refiner<'g>,
    /// What relations say of integers, in all solutions.
    pub numbers: Vec<IntFormula>,
    /// Whether values or relations show that there is no solution.
    pub refuted: bool,
}

impl Analysis<'_> {
    /// The assertions that a refutation by values needs; `None` where the graph was not made of assertions,
    /// or relations refuted it, which do not say what they come from.
    pub fn core(&self) -> Option<Reasons> {
        self.refiner.conflict().and_then(|facts| self.refiner.graph.sources_of(facts))
    }
}

/// Values and relations take turns at most this often.
const TURNS: usize = 4;

/// Steps for what values say of relations, in one turn.
const RELATION_STEPS: u64 = 1_000_000;

/// Refines the graph of `prepared`. Counters: `refinements`, `refinement_rounds`, `states` (of the largest
/// automaton), `relations` (inferred), `left_out` (rules that reached a limit), `refuted_by_automata`,
/// `refuted_by_relations`.
pub fn analyse<'g>(
    prepared: &'g Prepared,
    limits: Limits,
    budget: &'g Budget,
    probe: &Probe,
) -> Result<Analysis<'g>, BackendError> {
    let graph = &prepared.simplified.graph;
    graph.refuse_foreign()?;
    graph.refuse_nonlinear()?;
    let derived: Vec<_> =
        prepared.derived.iter().cloned().zip(prepared.derived_from.iter().cloned()).collect();
    let mut refiner = Refiner::new(graph, &derived, limits, budget)?;
    let mut inferred = 0;
    let mut numbers = Vec::new();
    let refuted = turns(&mut refiner, &mut inferred, &mut numbers, budget)?;
    if let Some(counter) = refuted {
        probe.count(counter, 1);
    }
    let tally = refiner.tally;
    probe.count("refinements", tally.refinements);
    probe.count("refinement_rounds", tally.rounds);
    probe.peak("states", tally.states);
    probe.count("left_out", refiner.left_out());
    probe.count("relations", inferred + numbers.len() as u64);
    Ok(Analysis { refiner, numbers, refuted: refuted.is_some() })
}

/// The counter of what refuted the graph.
fn turns(
    refiner: &mut Refiner<'_>,
    inferred: &mut u64,
    numbers: &mut Vec<IntFormula>,
    budget: &Budget,
) -> Result<Option<&'static str>, Stop> {
    for _ in 0..TURNS {
        if refiner.settle()? {
            return Ok(Some("refuted_by_automata"));
        }
        refiner.refill(RELATION_STEPS);
        let mut news = false;
        for (formula, reasons) in places(refiner) {
            if refiner.add_formula(formula.clone(), reasons) {
                numbers.push(formula);
                news = true;
            }
        }
        let Some(mut relations) = Relations::of(refiner) else { break };
        relations.settle(budget)?;
        *inferred = (*inferred).max(relations.inferred);
        if relations.refuted.is_some() {
            return Ok(Some("refuted_by_relations"));
        }
        let new: Vec<_> = relations
            .edges(refiner.graph)
            .into_iter()
            .filter(|edge| !refiner.edges().any(|known| known == edge))
            .collect();
        if new.is_empty() && !news {
            break;
        }
        // Relations do not say which facts they come from.
        let all = refiner.all_reasons();
        new.into_iter().for_each(|edge| refiner.add_edge(edge, all.clone()));
    }
    Ok(None)
}

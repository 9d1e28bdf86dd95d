//! Relaxed solving: each domain alone, with the rules' constraints exchanged, and no values.
//!
//! The numeric constraints, with what the rules derive from strings, are solved; then the string constraints,
//! with what the rules derive from numbers, are narrowed to a fixed point of automata. What is refuted on the
//! way has no solution, for everything that was exchanged holds in every solution. What is not refuted is
//! only tentatively satisfiable.
//!
//! Full solving begins in the same way and goes on from [`Relaxed::Tentative`].
//!
//! Source: JST, section IV-D; its section IV-B for the fixed point.

use backends_api::{BackendError, Budget, Probe};
use backends_graph::rules::Counts;
use backends_graph::simplify::{Simplified, simplify, simplify_with_ends};
use backends_graph::{IntAnswer, IntFormula, IntegerSolver, IntegerSolvers, RuleSet, StringGraph, Sum};

use crate::bounds::Bounds;
use backends_propagate::LengthAbstraction;

use crate::domain::StringDomain;
use crate::facts::{Facts, Parsed, parsed_after};
use crate::options::Options;
use crate::relational::representatives;
use crate::rules;

/// What relaxed solving says.
#[derive(Debug)]
pub enum Relaxed {
    /// There is no solution.
    Unsat,
    /// Neither domain alone refutes it.
    Tentative(Box<Exchanged>),
    /// The numeric solver could not tell, and why.
    Unknown(String),
}

/// Both domains' constraints after the exchange.
#[derive(Debug)]
pub struct Exchanged {
    /// The graph after merging and folding, with the edges that the rules derived; and how to read its
    /// solutions.
    pub simplified: Simplified,
    /// Everything that is known of integers: each formula holds in every solution.
    pub numeric: Vec<IntFormula>,
    /// The strings that are parsed.
    pub parsed: Vec<Parsed>,
}

/// The numbers' side: the graph after merging and folding, and what the numeric solver is given. `None` when
/// a rule of folding refutes the graph.
fn numeric(
    original: &StringGraph,
    options: &Options,
    budget: &Budget,
    probe: &Probe,
) -> Result<Option<Exchanged>, BackendError> {
    // The counters of folding are those of string graphs and none of this library's.
    let mut counts = Counts::default();
    let simplified = if options.rules {
        simplify_with_ends(original, &mut counts, budget)?
    } else {
        simplify(original, RuleSet::Sound, &mut counts, budget)?
    };
    let Ok(mut simplified) = simplified else {
        return Ok(None);
    };
    if options.rules {
        simplified.graph.bound_places();
    }
    let order = if options.rules { representatives(&mut simplified.graph) } else { Vec::new() };
    probe.count("order_constraints", order.len() as u64);
    let parsed = parsed_after(original, &simplified);
    let graph = &simplified.graph;
    let mut known = graph.definition_formulas();
    known.extend(graph.formulas().iter().cloned());
    known.extend(order);
    if options.rules {
        let bounds = Bounds::of(graph, &known);
        let facts = Facts::new(graph, &bounds, &parsed);
        known.extend(rules::to_numbers(&facts, budget, probe)?);
    }
    known.retain(|formula| *formula != IntFormula::Bool(true));
    Ok(Some(Exchanged { simplified, numeric: known, parsed }))
}

/// A numeric solver that knows every vertex of the graph, and every formula given.
pub(crate) fn solver<'i>(
    exchanged: &Exchanged,
    integers: &'i dyn IntegerSolvers,
) -> Result<Box<dyn IntegerSolver + 'i>, BackendError> {
    let mut solver = integers.solver()?;
    for vertex in exchanged.simplified.graph.int_vertices() {
        solver.declare(vertex);
    }
    let definitions = exchanged.simplified.graph.definitions().iter();
    definitions.filter(|(_, d)| !d.is_linear()).for_each(|(vertex, d)| solver.define(*vertex, d));
    exchanged.numeric.iter().for_each(|formula| solver.assert(formula));
    Ok(solver)
}

/// Solves `graph` in relaxed mode. Phases: `exchange`, `numeric`, `string`; counters: `refuted_numeric`,
/// `refuted_string`, `order_constraints`, `learned_lengths`, one for each rule.
pub fn solve(
    graph: &StringGraph,
    options: &Options,
    integers: &dyn IntegerSolvers,
    strings: &dyn StringDomain,
    budget: &Budget,
    probe: &Probe,
) -> Result<Relaxed, BackendError> {
    let exchanged = probe.phase("exchange", || numeric(graph, options, budget, probe))?;
    let Some(mut exchanged) = exchanged else { return Ok(Relaxed::Unsat) };
    integers.start(probe);
    let answer = probe.phase("numeric", || -> Result<IntAnswer, BackendError> {
        Ok(solver(&exchanged, integers)?.solve(&[], budget)?)
    })?;
    match answer {
        IntAnswer::Unsat => {
            probe.count("refuted_numeric", 1);
            return Ok(Relaxed::Unsat);
        }
        IntAnswer::Unknown(why) => return Ok(Relaxed::Unknown(why)),
        IntAnswer::Sat(_) => {}
    }
    if options.rules {
        probe.phase("exchange", || -> Result<(), BackendError> {
            let graph = &exchanged.simplified.graph;
            let bounds = Bounds::of(graph, &exchanged.numeric);
            let facts = Facts::new(graph, &bounds, &exchanged.parsed);
            let edges = rules::to_strings(&facts, budget, probe)?;
            edges.into_iter().for_each(|edge| exchanged.simplified.graph.add_edge(edge));
            Ok(())
        })?;
    }
    let graph = &exchanged.simplified.graph;
    let lengths = match probe.phase("string", || strings.length_abstraction(graph, budget))? {
        LengthAbstraction::Refuted(_) => {
            probe.count("refuted_string", 1);
            return Ok(Relaxed::Unsat);
        }
        LengthAbstraction::Lengths(lengths) => lengths,
    };
    if options.rules {
        // For full solving: what the automata know of lengths (the paper's example: "the automata enforce
        // that").
        let mut learned = 0;
        for (s, (least, greatest)) in graph.string_vertices().zip(lengths) {
            let Some(length) = graph.length_of(s).filter(|l| graph.number(*l).is_none()) else { continue };
            let length = Sum::from(length);
            let most = greatest.map(|most| length.le(&Sum::from(most)));
            let least = (least > 0).then(|| Sum::from(least).le(&length));
            for formula in most.into_iter().chain(least) {
                exchanged.numeric.push(formula);
                learned += 1;
            }
        }
        probe.count("learned_lengths", learned);
    }
    Ok(Relaxed::Tentative(Box::new(exchanged)))
}

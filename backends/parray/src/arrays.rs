//! Graphs and array constraints, solved: the entry points.

use backends_api::{BackendError, Budget, Probe, Taken};
use backends_graph::rules::Counts;
use backends_graph::simplify::{Refuted, Simplified, simplify};
use backends_graph::{GraphSolver, IntegerSolvers, Restoration, RuleSet, Solution, StringGraph, Sum};

use crate::candidate::Accept;
use crate::concrete::concrete;
use crate::eliminate::{eliminate, quantified};
use crate::encode::encode;
use crate::options::{Method, Options};
use crate::problem::ArrayProblem;
use crate::solver::ArraySolvers;

/// Solves string graphs by array constraints.
#[derive(Clone, Debug)]
pub struct Arrays<A, I> {
    /// How.
    pub options: Options,
    /// What solves array constraints.
    pub arrays: A,
    /// What solves lengths, for [`Method::Concrete`] only.
    pub integers: I,
}

impl<A: ArraySolvers, I: IntegerSolvers> Arrays<A, I> {
    /// Decides array constraints: `accept` has the last word on every candidate. What was refuted under a
    /// restriction is unknown, with its name.
    pub fn decide(
        &self,
        problem: &ArrayProblem,
        accept: &mut Accept<'_>,
        budget: &Budget,
        probe: &Probe,
    ) -> Result<Solution, BackendError> {
        probe.count("quantified_constraints", problem.foralls().len() as u64);
        // None, unless the method makes some: that none were made is what the count is for.
        probe.count("length_trials", 0);
        let options = &self.options;
        self.arrays.start(probe);
        let solution = probe.phase("arrays", || match options.method {
            Method::Mbqi => quantified(problem, options, &self.arrays, accept, budget, probe),
            Method::Basic | Method::Iterative | Method::Guided => {
                eliminate(problem, options, &self.arrays, accept, budget, probe)
            }
            Method::Concrete => {
                concrete(problem, options, &self.arrays, &self.integers, accept, budget, probe)
            }
        })?;
        Ok(match (solution, problem.restricted()) {
            (Solution::Unsat(_), [_, ..]) => {
                Solution::Unknown(format!("refuted only up to {}", problem.restricted().join(" and ")))
            }
            (solution, _) => solution,
        })
    }
}

impl<A, I> Arrays<A, I> {
    /// The graph with equal vertices merged, if that is asked for; or what refutes it.
    fn simplified(
        &self,
        graph: &StringGraph,
        budget: &Budget,
    ) -> Result<Result<Simplified, Refuted>, BackendError> {
        if self.options.simplify {
            Ok(simplify(graph, RuleSet::Sound, &mut Counts::default(), budget)?)
        } else {
            Ok(Ok(unchanged(graph)))
        }
    }
}

/// What array constraints say of a graph with lengths.
fn encoded(graph: &StringGraph, budget: &Budget) -> Result<ArrayProblem, BackendError> {
    let mut problem = ArrayProblem::new(graph);
    encode(graph, &mut problem, &mut |_, _| Ok(false), budget)?;
    Ok(problem)
}

/// Whether array constraints say what is meant.
pub fn faithful(problem: &ArrayProblem) -> Taken {
    match (problem.weakened(), problem.restricted()) {
        ([], []) => Taken::Exactly,
        ([_, ..], _) | ([], [_, ..]) => Taken::Roughly,
    }
}

/// The graph as it is, with lengths.
fn unchanged(graph: &StringGraph) -> Simplified {
    let mut with_lengths = graph.clone();
    with_lengths.add_lengths();
    let strings = graph.string_vertices().map(Some).collect();
    let ints = graph.int_vertices().map(|v| Some(Sum::from(v))).collect();
    Simplified { graph: with_lengths, strings, ints }
}

impl<A: ArraySolvers, I: IntegerSolvers> GraphSolver for Arrays<A, I> {
    /// Phases: `preprocess`, `encode`, `arrays`.
    fn solve(&self, graph: &StringGraph, budget: &Budget, probe: &Probe) -> Result<Solution, BackendError> {
        probe.count("edges", graph.edges().len() as u64);
        let simplified = match probe.phase("preprocess", || self.simplified(graph, budget))? {
            Ok(simplified) => simplified,
            Err(refuted) => {
                probe.count("refuted_by_preprocessing", 1);
                return Ok(Solution::Unsat(refuted.core));
            }
        };
        let problem = probe.phase("encode", || encoded(&simplified.graph, budget))?;
        let restoration = Restoration::new(graph, &simplified);
        self.decide(
            &problem,
            &mut |words, ints| restoration.model(words, &|vertex| ints.get(vertex).clone()),
            budget,
            probe,
        )
    }

    fn takes(&self, graph: &StringGraph, budget: &Budget) -> Result<Taken, BackendError> {
        match self.simplified(graph, budget)? {
            Ok(simplified) => Ok(faithful(&encoded(&simplified.graph, budget)?)),
            Err(_) => Ok(Taken::Exactly),
        }
    }
}

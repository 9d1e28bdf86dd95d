//! Graphs and array constraints, solved: the entry points.

use backends_api::{BackendError, Budget, Probe, StrategyInfo};
use backends_graph::rules::Counts;
use backends_graph::simplify::{Simplified, simplify};
use backends_graph::{
    Edge, GraphSolver, IntegerSolvers, Restoration, RuleSet, Solution, SolverStrategy, StringGraph, Sum,
};

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

/// What others say in the place of, or in addition to, this crate's encodings: automata, above all.
pub trait More {
    /// Says an edge in its own way: `true` when it did. Asked before this crate's own encoding.
    fn edge(&mut self, problem: &mut ArrayProblem, edge: &Edge) -> Result<bool, BackendError>;

    /// Says what it knows of the whole graph, after all edges.
    fn graph(&mut self, problem: &mut ArrayProblem, graph: &StringGraph) -> Result<(), BackendError>;
}

/// Nothing more.
#[derive(Clone, Copy, Debug, Default)]
pub struct NothingMore;

impl More for NothingMore {
    fn edge(&mut self, _: &mut ArrayProblem, _: &Edge) -> Result<bool, BackendError> {
        Ok(false)
    }

    fn graph(&mut self, _: &mut ArrayProblem, _: &StringGraph) -> Result<(), BackendError> {
        Ok(())
    }
}

impl<A: ArraySolvers, I: IntegerSolvers> Arrays<A, I> {
    /// Solves a graph, with what `more` adds. Phases: `preprocess`, `encode`, `arrays`.
    pub fn solve_with(
        &self,
        graph: &StringGraph,
        more: &mut dyn More,
        budget: &Budget,
        probe: &Probe,
    ) -> Result<Solution, BackendError> {
        probe.count("edges", graph.edges().len() as u64);
        let simplified = if self.options.simplify {
            let simple = probe
                .phase("preprocess", || simplify(graph, RuleSet::Sound, &mut Counts::default(), budget))?;
            match simple {
                Ok(simplified) => simplified,
                Err(_) => {
                    probe.count("refuted_by_preprocessing", 1);
                    return Ok(Solution::Unsat);
                }
            }
        } else {
            unchanged(graph)
        };
        self.solve_simplified(graph, &simplified, more, budget, probe)
    }

    /// Solves a graph that somebody has simplified already; every string vertex of the simplified graph has a length vertex.
    pub fn solve_simplified(
        &self,
        original: &StringGraph,
        simplified: &Simplified,
        more: &mut dyn More,
        budget: &Budget,
        probe: &Probe,
    ) -> Result<Solution, BackendError> {
        let graph = &simplified.graph;
        let problem = probe.phase("encode", || {
            let mut problem = ArrayProblem::new(graph);
            encode(graph, &mut problem, &mut |problem, edge| more.edge(problem, edge), budget)?;
            more.graph(&mut problem, graph)?;
            Ok::<_, BackendError>(problem)
        })?;
        let restoration = Restoration::new(original, simplified);
        self.decide(
            &problem,
            &mut |words, ints| restoration.model(words, &|vertex| ints.get(vertex).clone()),
            budget,
            probe,
        )
    }

    /// Decides array constraints: `accept` has the last word on every candidate. What was refuted under a restriction is
    /// unknown, with its name.
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
        let solution = probe.phase("arrays", || match options.method {
            Method::Mbqi => quantified(problem, &self.arrays, accept, budget, probe),
            Method::Basic | Method::Iterative | Method::Guided => {
                eliminate(problem, options, &self.arrays, accept, budget, probe)
            }
            Method::Concrete => {
                concrete(problem, options, &self.arrays, &self.integers, accept, budget, probe)
            }
        })?;
        Ok(match (solution, problem.restricted()) {
            (Solution::Unsat, [_, ..]) => {
                Solution::Unknown(format!("refuted only up to {}", problem.restricted().join(" and ")))
            }
            (solution, _) => solution,
        })
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
    fn solve(&self, graph: &StringGraph, budget: &Budget, probe: &Probe) -> Result<Solution, BackendError> {
        self.solve_with(graph, &mut NothingMore, budget, probe)
    }
}

/// The strategy of this method with its default limits.
pub fn strategy<A, I>(method: Method, arrays: A, integers: I) -> SolverStrategy<Arrays<A, I>>
where
    A: ArraySolvers,
    I: IntegerSolvers,
{
    let info = StrategyInfo {
        name: method.name().to_owned(),
        backend: "parray",
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: method.summary().to_owned(),
        source: method.source(),
    };
    SolverStrategy::of(info, Arrays { options: Options::new(method), arrays, integers })
}

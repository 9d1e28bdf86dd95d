//! One system decided: its automata, the search, and the check of what was found.

use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::{BackendError, Budget, Probe, Stop};
use harness_model::SmtString;
use harness_systems::{Language, Piece, Relation, System};
use rustc_hash::FxHashMap;

use crate::acceptor::Acceptor;
use crate::explore::Trace;
use crate::graph::FollowGraph;
use crate::search::{Search, Work};
use crate::strategy::StrSolveOptions;

/// A system with the automata of its languages.
pub(crate) struct Ready<A: BooleanAlgebra> {
    pub(crate) system: System,
    graph: FollowGraph,
    /// One for each path of the graph.
    acceptors: Vec<Rc<Acceptor<A>>>,
}

impl<A: BooleanAlgebra> Ready<A> {
    pub(crate) fn new(system: System, algebra: &A, budget: &Budget) -> Result<Self, Stop> {
        let (mut paths, mut acceptors) = (Vec::new(), Vec::new());
        let mut nodes = system.variables.len();
        let acceptor =
            |language: &Language, relation| Acceptor::new(language, relation, algebra, budget).map(Rc::new);
        for constraint in &system.constraints {
            let mut path = Vec::with_capacity(constraint.pieces.len());
            for piece in &constraint.pieces {
                path.push(match piece {
                    Piece::Variable(variable) => variable.0,
                    Piece::Word(word) => {
                        paths.push(vec![nodes]);
                        acceptors.push(acceptor(&Language::word(word), Relation::In)?);
                        nodes += 1;
                        nodes - 1
                    }
                });
            }
            paths.push(path);
            acceptors.push(acceptor(&constraint.language, constraint.relation)?);
        }
        Ok(Self { graph: FollowGraph::new(nodes, paths), system, acceptors })
    }
}

/// Decides systems over one algebra.
pub(crate) struct Solver<'a, A> {
    pub(crate) algebra: &'a A,
    pub(crate) options: StrSolveOptions,
    pub(crate) budget: &'a Budget,
}

impl<A: BooleanAlgebra> Solver<'_, A> {
    /// Words for the variables of a system; `None` when there are none. Phases: `search`, `validate`.
    pub(crate) fn words(
        &self,
        ready: &Ready<A>,
        probe: &Probe,
    ) -> Result<Option<Vec<SmtString>>, BackendError> {
        let Ready { system, graph, acceptors } = ready;
        let acceptors: Vec<Rc<Acceptor<A>>> = acceptors.iter().map(Acceptor::fresh).collect();
        let (found, work) = probe.phase("search", || self.search(graph, &acceptors))?;
        probe.count("states", work.visited);
        probe.count("backtracks", work.backtracks);
        probe.count("guesses", work.guesses);
        probe.count("advances", work.advances);
        probe.count("remembered", work.remembered);
        probe.count("subsets", acceptors.iter().map(|acceptor| acceptor.subsets() as u64).sum());
        let Some(traces) = found else { return Ok(None) };
        probe.phase("validate", || self.validate(graph, &acceptors, &traces))?;
        Ok(Some(traces.into_iter().take(system.variables.len()).map(|trace| trace.word).collect()))
    }

    /// Words for all nodes with their ways through the automata, and what was done.
    fn search(
        &self,
        graph: &FollowGraph,
        acceptors: &[Rc<Acceptor<A>>],
    ) -> Result<(Option<Vec<Trace>>, Work), BackendError> {
        // A constraint of no pieces is about the empty word; one without words refutes the system at once.
        let closed = |(path, acceptor): (&Vec<usize>, &Rc<Acceptor<A>>)| {
            acceptor.is_empty() || path.is_empty() && !acceptor.is_final(acceptor.initial())
        };
        if graph.paths.iter().zip(acceptors).any(closed) {
            return Ok((None, Work::default()));
        }
        let mut search = Search::new(graph, acceptors, self.options.manner, self.algebra, self.budget);
        // What is in no constraint is empty.
        let open = Trace { word: SmtString::empty(), states: Vec::new() };
        let mut traces = vec![open; graph.occurrences.len()];
        for group in graph.order(self.options.pick) {
            let Some(found) = search.run(&group)? else { return Ok((None, search.work)) };
            for (node, trace) in group.into_iter().zip(found) {
                traces[node] = trace;
            }
        }
        Ok((Some(traces), search.work))
    }

    /// That the words satisfy every constraint: each step of their ways is a move of the automaton, from the
    /// initial state to a final one. Linear in the words; looking for a way anew is not.
    fn validate(
        &self,
        graph: &FollowGraph,
        acceptors: &[Rc<Acceptor<A>>],
        traces: &[Trace],
    ) -> Result<(), BackendError> {
        let mut runs: FxHashMap<(usize, usize), &[u32]> = FxHashMap::default();
        for (occurrences, trace) in graph.occurrences.iter().zip(traces) {
            runs.extend(occurrences.iter().copied().zip(trace.states.iter().map(Vec::as_slice)));
        }
        for (constraint, (path, acceptor)) in graph.paths.iter().zip(acceptors).enumerate() {
            let mut state = acceptor.initial();
            for (place, &node) in path.iter().enumerate() {
                let word = traces[node].word.chars();
                let Some([first, rest @ ..]) = runs.get(&(constraint, place)).copied() else {
                    return Err(no_solution());
                };
                if *first != state || rest.len() != word.len() {
                    return Err(no_solution());
                }
                for (&c, &next) in word.iter().zip(rest) {
                    if !acceptor.leads(state, c, next, self.algebra, self.budget)? {
                        return Err(no_solution());
                    }
                    state = next;
                }
            }
            if !acceptor.is_final(state) {
                return Err(no_solution());
            }
        }
        Ok(())
    }
}

fn no_solution() -> BackendError {
    BackendError::Internal("the words found are no solution".to_owned())
}

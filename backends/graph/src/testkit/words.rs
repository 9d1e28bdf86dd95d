//! Words of fixed lengths by enumeration.

use backends_api::{BackendError, Budget, Probe};
use harness_check::eval::Evaluator;
use harness_model::{Char, SmtString};
use harness_theory::Problem;
use harness_theory::sort::Sort;
use harness_theory::{Assignment, Value};

use crate::edge::{Edge, EdgeId, StringVertex, Vertex};
use crate::graph::StringGraph;
use crate::solver::{FixedAnswer, FixedSolver, FixedSolvers, Guess, Refutation};

/// Makes string solvers that try all words over the graph's characters: few, or it takes for ever.
#[derive(Clone, Copy, Debug, Default)]
pub struct EnumeratedWords;

impl FixedSolvers for EnumeratedWords {
    fn solver<'a>(
        &'a self,
        graph: &'a StringGraph,
        _order: &'a [EdgeId],
        budget: &'a Budget,
    ) -> Result<Box<dyn FixedSolver + 'a>, BackendError> {
        let letters: Vec<Char> =
            graph.characters().ranges().iter().flat_map(|&(low, high)| (low..=high).map(Char)).collect();
        Ok(Box::new(Enumeration { graph, budget, letters }))
    }
}

struct Enumeration<'a> {
    graph: &'a StringGraph,
    budget: &'a Budget,
    letters: Vec<Char>,
}

/// An edge alone, between declared variables, and its vertices in the order of the variables.
struct Alone {
    problem: Problem,
    vertices: Vec<Vertex>,
}

impl Alone {
    fn new(graph: &StringGraph, edge: &Edge) -> Self {
        let mut alone = StringGraph::new(graph.alphabet());
        let mut vertices: Vec<Vertex> = Vec::new();
        let mut new = Vec::new();
        for vertex in edge.relation.vertices() {
            if !vertices.contains(&vertex) {
                let sort = if matches!(vertex, Vertex::String(_)) { Sort::String } else { Sort::Int };
                new.push(alone.declare(format!("v{}", new.len()), sort));
                vertices.push(vertex);
            }
        }
        let find = |vertex: Vertex| vertices.iter().position(|v| *v == vertex).and_then(|i| new[i]);
        let relation = edge.relation.map(
            |s| if let Some(Vertex::String(n)) = find(Vertex::String(s)) { n } else { s },
            |i| if let Some(Vertex::Int(n)) = find(Vertex::Int(i)) { n } else { i },
        );
        alone.add_edge(Edge { relation, positive: edge.positive });
        Self { problem: alone.to_problem(), vertices }
    }
}

struct Search<'a, 'p> {
    graph: &'a StringGraph,
    budget: &'a Budget,
    letters: &'a [Char],
    edges: Vec<(Evaluator<'p>, &'p Alone)>,
    guess: &'a Guess<'a>,
    words: Vec<Option<SmtString>>,
}

impl Search<'_, '_> {
    /// Whether no edge whose words are all known is violated. Only edges of `last` can be, if it is given.
    fn consistent(&mut self, last: Option<StringVertex>) -> bool {
        for (evaluator, alone) in &mut self.edges {
            if last.is_some_and(|s| !alone.vertices.contains(&Vertex::String(s))) {
                continue;
            }
            let mut assignment = Assignment::new();
            let mut known = true;
            for (variable, vertex) in alone.problem.variables.iter().zip(&alone.vertices) {
                let value = match vertex {
                    Vertex::Int(i) => Value::Int(self.guess.int(*i).clone()),
                    Vertex::String(s) => match &self.words[s.index()] {
                        Some(word) => Value::String(word.clone()),
                        None => {
                            known = false;
                            break;
                        }
                    },
                };
                assignment.insert(*variable, value);
            }
            if known && evaluator.all_true(&assignment) != Ok(true) {
                return false;
            }
        }
        true
    }

    fn search(&mut self, from: usize) -> Result<bool, BackendError> {
        self.budget.tick()?;
        let Some(place) = (from..self.words.len()).find(|&i| self.words[i].is_none()) else {
            return Ok(true);
        };
        let vertex = StringVertex::at(place);
        let length = self.guess.length(vertex);
        let mut digits = vec![0; length];
        loop {
            self.words[place] = Some(digits.iter().map(|&d: &usize| self.letters[d]).collect());
            if self.consistent(Some(vertex)) && self.search(place + 1)? {
                return Ok(true);
            }
            // The next word.
            let Some(i) = (0..length).rev().find(|&i| digits[i] + 1 < self.letters.len()) else { break };
            digits[i] += 1;
            digits[i + 1..].fill(0);
        }
        self.words[place] = None;
        Ok(false)
    }
}

impl FixedSolver for Enumeration<'_> {
    fn solve(&mut self, guess: &Guess<'_>, _probe: &Probe) -> Result<FixedAnswer, BackendError> {
        let alone: Vec<Alone> = self.graph.edges().iter().map(|e| Alone::new(self.graph, e)).collect();
        let edges = alone
            .iter()
            .map(|a| (Evaluator::new(&a.problem.terms, &a.problem.assertions, self.graph.alphabet()), a))
            .collect();
        let words = self.graph.string_vertices().map(|s| self.graph.word(s).cloned()).collect();
        let mut search =
            Search { graph: self.graph, budget: self.budget, letters: &self.letters, edges, guess, words };
        if search.consistent(None) && search.search(0)? {
            let words = search.words.into_iter().map(Option::unwrap_or_default).collect();
            return Ok(FixedAnswer::Sat(words));
        }
        Ok(FixedAnswer::Unsat(Refutation::touching(search.graph, search.graph.edge_ids())))
    }
}

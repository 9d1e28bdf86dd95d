//! Automata as the string solver of the interchange.

use backends_algebra::BooleanAlgebra;
use backends_api::{BackendError, Budget, Probe};
use backends_automata::layered::MAX_LENGTH;
use backends_graph::evaluate::edge_holds;
use backends_graph::{
    EdgeId, FixedAnswer, FixedSolver, FixedSolvers, Guess, IntFormula, Refutation, StringGraph, Sum,
};
use harness_model::{Alphabet, SmtString};

use crate::bench::Bench;
use crate::reasons::Reasons;
use crate::search::Effort;

/// Makes string solvers that work on automata over one algebra of labels: `make` gives a fresh one for an alphabet.
#[derive(Clone, Copy, Debug)]
pub struct AutomataSolvers<F> {
    make: F,
}

impl<A: BooleanAlgebra, F: Fn(Alphabet) -> A + Send + Sync> AutomataSolvers<F> {
    /// Over the algebras that `make` makes.
    pub const fn new(make: F) -> Self {
        Self { make }
    }
}

impl<A: BooleanAlgebra + 'static, F: Fn(Alphabet) -> A + Send + Sync> FixedSolvers for AutomataSolvers<F> {
    fn solver<'a>(
        &'a self,
        graph: &'a StringGraph,
        order: &'a [EdgeId],
        budget: &'a Budget,
    ) -> Result<Box<dyn FixedSolver + 'a>, BackendError> {
        refuse_foreign(graph)?;
        let bench = Bench::new(graph, order, budget, (self.make)(graph.alphabet()));
        Ok(Box::new(AutomataSolver { bench }))
    }
}

/// Labels are sets of characters of the alphabet, so constants must be made of those.
fn refuse_foreign(graph: &StringGraph) -> Result<(), BackendError> {
    for vertex in graph.string_vertices() {
        if let Some(c) = graph.word(vertex).and_then(|word| word.foreign_to(graph.alphabet())) {
            return Err(BackendError::Unsupported(format!("{c:?} in a task over {}", graph.alphabet())));
        }
    }
    Ok(())
}

/// Once there are so many nodes, those of earlier guesses are forgotten.
const MAX_NODES: usize = 1 << 21;
/// Refutations of graphs with more edges are not looked at again.
const MAX_MINIMISED: usize = 32;
/// How many further refutations of one guess are looked for.
const MAX_CLAUSES: usize = 3;

struct AutomataSolver<'a, A: BooleanAlgebra> {
    bench: Bench<'a, A>,
}

impl<A: BooleanAlgebra> FixedSolver for AutomataSolver<'_, A> {
    /// Phases: `recipes`, `search`, `minimise`; counters: `states` (peak), `recipes`, `words_tried`, `search_nodes`.
    fn solve(&mut self, guess: &Guess<'_>, probe: &Probe) -> Result<FixedAnswer, BackendError> {
        let graph = self.bench.graph;
        if let Some(vertex) = graph.string_vertices().find(|&v| guess.length(v) > MAX_LENGTH) {
            return Ok(FixedAnswer::Unknown(format!(
                "'{}' would have {} characters, more than {MAX_LENGTH}",
                graph.string_name(vertex),
                guess.length(vertex)
            )));
        }
        if self.bench.layers.len() > MAX_NODES {
            self.bench.layers.forget();
        }
        let recipes = self.bench.recipes;
        let mut effort = Effort::default();
        let answer = self.answer(guess, probe, &mut effort);
        probe.count("recipes", self.bench.recipes - recipes);
        probe.count("words_tried", effort.words);
        probe.count("search_nodes", effort.nodes);
        probe.peak("states", self.bench.layers.len() as u64);
        answer
    }
}

impl<A: BooleanAlgebra> AutomataSolver<'_, A> {
    fn answer(
        &mut self,
        guess: &Guess<'_>,
        probe: &Probe,
        effort: &mut Effort,
    ) -> Result<FixedAnswer, BackendError> {
        let bench = &mut self.bench;
        let mut state = bench.start(guess)?;
        let empty = state.languages.iter().any(|language| language.is_empty());
        if empty {
            // No characters at all, and a length that is not zero: the edges are not to blame.
            return Ok(FixedAnswer::Unsat(self.lengths_alone()));
        }
        let conflict = probe.phase("recipes", || bench.settle(guess, &mut state))?;
        if let Some(core) = conflict {
            return probe.phase("minimise", || self.explain(guess, core)).map(FixedAnswer::Unsat);
        }
        match probe.phase("search", || bench.search(guess, state, effort))? {
            Err(core) => Ok(FixedAnswer::Unsat(self.refutation(&core))),
            Ok(found) => {
                let words = bench.words(&found)?;
                self.check(guess, &words)?;
                Ok(FixedAnswer::Sat(words))
            }
        }
    }

    fn refutation(&self, core: &Reasons) -> Refutation {
        let graph = self.bench.graph;
        Refutation::touching(graph, core.below(graph.edges().len()).map(EdgeId::at))
    }

    /// Every length matters.
    fn lengths_alone(&self) -> Refutation {
        let graph = self.bench.graph;
        let ints = graph.string_vertices().filter_map(|s| graph.length_of(s));
        let ints = ints.filter(|&i| graph.number(i).is_none()).collect();
        Refutation { edges: Vec::new(), ints, learned: Vec::new() }
    }

    /// From edges that the recipes alone refute to few edges that touch few integers; and what else the guess is refuted by,
    /// apart from these edges, as clauses of its own. All of this is queries of the languages, which cost little beside
    /// another guess (the study's section 3.7).
    fn explain(&mut self, guess: &Guess<'_>, core: Reasons) -> Result<Refutation, BackendError> {
        let graph = self.bench.graph;
        let edges = graph.edges().len();
        if edges > MAX_MINIMISED {
            return Ok(self.refutation(&core));
        }
        // Edges that touch many integers are left out first.
        let mut order: Vec<(usize, usize)> =
            (0..edges).map(|e| (Refutation::touching(graph, [EdgeId::at(e)]).ints.len(), e)).collect();
        order.sort_by_key(|&(ints, e)| (std::cmp::Reverse(ints), e));
        let mut rest = Reasons::new();
        (0..edges).for_each(|e| rest.insert(e));
        let first = self.minimise(guess, &rest, &order)?;
        let Some(first) = first else { return Ok(self.refutation(&core)) };
        let mut refutation = self.refutation(&first);
        let mut last = first;
        for _ in 0..MAX_CLAUSES {
            for edge in last.below(edges) {
                rest.remove(edge);
            }
            let Some(next) = self.minimise(guess, &rest, &order)? else { break };
            let ints = self.refutation(&next).ints;
            let differs = ints.iter().map(|&i| Sum::from(i).ne(&Sum::from(guess.int(i).clone())));
            refutation.learned.push(IntFormula::or(differs));
            last = next;
        }
        Ok(refutation)
    }

    /// Edges among `all` that the recipes refute, and all of which that takes: each in turn is left out, to see whether it
    /// was needed. `None` if the recipes do not refute all of them together.
    fn minimise(
        &mut self,
        guess: &Guess<'_>,
        all: &Reasons,
        order: &[(usize, usize)],
    ) -> Result<Option<Reasons>, BackendError> {
        let mut state = self.bench.start(guess)?;
        if self.bench.settle_only(guess, &mut state, all)?.is_none() {
            return Ok(None);
        }
        let mut core = all.clone();
        for &(_, edge) in order {
            let mut fewer = core.clone();
            if !fewer.remove(edge) {
                continue;
            }
            let mut state = self.bench.start(guess)?;
            if let Some(conflict) = self.bench.settle_only(guess, &mut state, &fewer)? {
                core = conflict;
            }
        }
        Ok(Some(core))
    }

    /// The trusted evaluator's word on what was found.
    fn check(&self, guess: &Guess<'_>, words: &[SmtString]) -> Result<(), BackendError> {
        let graph = self.bench.graph;
        for edge in graph.edges() {
            let word = |s: backends_graph::StringVertex| words[s.index()].clone();
            let number = |i| guess.int(i).clone();
            match edge_holds(graph, edge, word, number) {
                Ok(true) => {}
                Ok(false) => {
                    let text = graph.edge_text(edge);
                    return Err(BackendError::Internal(format!("the words found violate {text}")));
                }
                Err(error) => return Err(BackendError::Internal(error.to_string())),
            }
        }
        Ok(())
    }
}

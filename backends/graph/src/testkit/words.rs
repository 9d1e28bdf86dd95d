//! Words of fixed lengths by enumeration.

use backends_api::{BackendError, Budget, Probe, Taken};
use harness_model::{Char, SmtString};

use crate::edge::{EdgeId, StringVertex};
use crate::evaluate::edge_holds;
use crate::graph::StringGraph;
use crate::solver::{FixedAnswer, FixedSolver, FixedSolvers, IntAssignment, Refutation};

/// Makes string solvers that try all words over the graph's characters: few, or it takes for ever.
#[derive(Clone, Copy, Debug, Default)]
pub struct EnumeratedWords;

impl FixedSolvers for EnumeratedWords {
    /// All words are tried.
    fn takes(&self, _: &StringGraph) -> Taken {
        Taken::Exactly
    }

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

struct Search<'a> {
    graph: &'a StringGraph,
    budget: &'a Budget,
    letters: &'a [Char],
    guess: &'a IntAssignment<'a>,
    words: Vec<Option<SmtString>>,
}

impl Search<'_> {
    /// Whether no edge whose words are all known is violated. Only edges of `last` can be, if it is given.
    fn consistent(&self, last: Option<StringVertex>) -> bool {
        let known = |s: StringVertex| self.words[s.index()].as_ref();
        self.graph.edges().iter().all(|edge| {
            let strings = || edge.relation.strings();
            if last.is_some_and(|last| strings().all(|s| s != last)) || strings().any(|s| known(s).is_none())
            {
                return true;
            }
            let word = |s| known(s).cloned().unwrap_or_default();
            edge_holds(self.graph, edge, word, |i| self.guess.int(i).clone()) == Ok(true)
        })
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
    fn solve(&mut self, guess: &IntAssignment<'_>, _probe: &Probe) -> Result<FixedAnswer, BackendError> {
        let words = self.graph.string_vertices().map(|s| self.graph.word(s).cloned()).collect();
        let mut search =
            Search { graph: self.graph, budget: self.budget, letters: &self.letters, guess, words };
        if search.consistent(None) && search.search(0)? {
            let words = search.words.into_iter().map(Option::unwrap_or_default).collect();
            return Ok(FixedAnswer::Sat(words));
        }
        Ok(FixedAnswer::Unsat(Refutation::touching(search.graph, search.graph.edge_ids())))
    }
}

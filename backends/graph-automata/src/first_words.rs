//! Negative edges after the fixed point, as the study has them: the first words of each language, tried
//! together.
//!
//! Source: the study's figure 3.13 (`CHECKNEGATIVEEDGES`): as many words of each language as there are
//! automata that negative edges concern, and every combination of them, until one satisfies all edges. The
//! study takes it that there is no solution when none of them does. That is so only where each language has
//! no further word, so [`FirstWords::Exhausted`] tells these two apart.
//!
//! Where the study is silent: combinations are of all vertices that are not constant, since words that fit
//! each positive edge need not fit together, and at least one word of each language is taken, with or without
//! negative edges. The last vertex changes fastest.
//!
//! Cost: up to `k` to the power of the number of vertices, for `k` words each. That is the study's method, so
//! nothing is pruned.

use backends_algebra::BooleanAlgebra;
use backends_api::{BackendError, Stop};
use backends_automata::Node;
use backends_graph::evaluate::edge_holds;
use backends_graph::{IntAssignment, StringVertex};
use harness_model::SmtString;
use rustc_hash::FxHashSet;

use crate::propagator::{Propagator, State};
use crate::search::Effort;

/// What the first words show.
pub(crate) enum FirstWords {
    /// A word for each vertex, which satisfy all edges together.
    Found(Vec<SmtString>),
    /// No combination does.
    Exhausted {
        /// Whether some language has words that were not tried.
        assumed: bool,
    },
}

impl<A: BooleanAlgebra> Propagator<'_, A> {
    /// Tries the first words of every language together. `state` is a fixed point of the positive edges.
    pub fn first_words(
        &mut self,
        guess: &IntAssignment<'_>,
        state: &State,
        effort: &mut Effort,
    ) -> Result<FirstWords, BackendError> {
        let most = self.concerned_by_negative_edges().max(1);
        let mut candidates = Vec::with_capacity(state.languages.len());
        let mut assumed = false;
        for &language in &state.languages {
            let (words, rest) = self.least_words(language, most)?;
            assumed |= !rest.is_empty();
            candidates.push(words);
        }
        let mut places = vec![0; candidates.len()];
        loop {
            self.budget.tick()?;
            effort.words += 1;
            let word = |s: StringVertex| candidates[s.index()][places[s.index()]].clone();
            if self.all_edges_hold(guess, &word)? {
                let vertices = self.graph.string_vertices();
                return Ok(FirstWords::Found(vertices.map(word).collect()));
            }
            // The next combination, counted with the last vertex as the lowest digit.
            let next = (0..places.len()).rev().find(|&i| places[i] + 1 < candidates[i].len());
            let Some(next) = next else { return Ok(FirstWords::Exhausted { assumed }) };
            places[next] += 1;
            places[next + 1..].fill(0);
        }
    }

    /// How many automata negative edges concern: the study's `k`.
    fn concerned_by_negative_edges(&self) -> usize {
        let negative = self.graph.edges().iter().filter(|edge| !edge.positive);
        negative.flat_map(|edge| edge.relation.strings()).collect::<FxHashSet<_>>().len()
    }

    /// The first words of a language that is not empty, in the order of their characters, up to `most` of
    /// them; and the language of all others.
    fn least_words(&mut self, language: Node, most: usize) -> Result<(Vec<SmtString>, Node), Stop> {
        let (mut words, mut rest) = (Vec::new(), language);
        while words.len() < most
            && let Some(word) = self.engine.lattice.layers.least_word(rest, self.budget)?
        {
            let only = self.engine.lattice.layers.word(word.chars())?;
            rest = self.engine.lattice.layers.difference(rest, only, self.budget)?;
            words.push(word);
        }
        Ok((words, rest))
    }

    /// Whether all edges hold for these words and the guessed integers: the study's `verify`.
    fn all_edges_hold(
        &self,
        guess: &IntAssignment<'_>,
        word: &impl Fn(StringVertex) -> SmtString,
    ) -> Result<bool, BackendError> {
        for edge in self.graph.edges() {
            let holds = edge_holds(self.graph, edge, word, |i| guess.int(i).clone());
            if !holds.map_err(|error| BackendError::Internal(error.to_string()))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

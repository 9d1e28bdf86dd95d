//! From a fixed point of the transfer functions to words, or to the edges that exclude them.
//!
//! First edges are looked for that exclude any words by equal characters alone (`cells`). Then a dive: one
//! word after the other is chosen, smallest languages first, and after each the transfer functions run, so
//! that an edge whose other sides are chosen computes its last side, and a negative edge takes the chosen
//! word from the other side. Where languages are larger than the number of words that they must avoid, this
//! never fails. Then, if it did, a complete search: at the first place where a word has a choice, one
//! character is tried; when that fails, it is taken away with every character that no language of the failed
//! part tells from it, for what is true of one is true of all of them.
//!
//! Source: the place of the study's figure 3.13 (`CHECKNEGATIVEEDGES`), which tries the first k words of each
//! language and so may miss solutions. Choices that a failure does not depend on are jumped over, as in
//! conflict-directed backjumping (Prosser, *Hybrid algorithms for the constraint satisfaction problem*,
//! 1993).

use backends_algebra::BooleanAlgebra;
use backends_api::{BackendError, Stop};
use backends_automata::Node;
use backends_graph::{IntAssignment, Relation, StringVertex};
use harness_model::{Char, SmtString};

use crate::cells;
use crate::propagator::{Propagator, State};
use backends_graph::reasons::Reasons;
use backends_propagate::transfer::BLANKS;

/// How often the dive may fail before the complete search starts.
const DIVE_FAILURES: u32 = 8;

/// A choice that can be taken back.
struct Choice {
    /// Before it.
    state: State,
    vertex: StringVertex,
    place: usize,
    character: Char,
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    /// Words chosen on dives.
    pub words: u64,
    /// Choices of the complete search.
    pub nodes: u64,
}

impl<A: BooleanAlgebra> Propagator<'_, A> {
    /// Words for all vertices, or what excludes them. `state` is a fixed point.
    pub fn search(
        &mut self,
        guess: &IntAssignment<'_>,
        state: State,
        effort: &mut Effort,
    ) -> Result<Result<State, Reasons>, BackendError> {
        if let Some(core) = cells::refuted(self.graph, guess, self.budget)? {
            return Ok(Err(core));
        }
        if let Some(found) = self.dive(guess, state.clone(), effort)? {
            return Ok(Ok(found));
        }
        self.exhaust(guess, state, effort)
    }

    /// Of the vertices with more than one word, the one with the fewest; of those with equally many, the one
    /// with the shortest.
    fn open_vertex(&mut self, state: &State) -> Result<Option<StringVertex>, Stop> {
        let mut best: Option<((u64, usize), StringVertex)> = None;
        for (i, &language) in state.languages.iter().enumerate() {
            let count = self.engine.lattice.layers.count(language, self.budget)?;
            // Counts end at a largest number, which long words soon reach.
            let size = (count, self.engine.lattice.layers.length(language));
            if count > 1 && best.is_none_or(|(least, _)| size < least) {
                best = Some((size, StringVertex::at(i)));
            }
        }
        Ok(best.map(|(_, vertex)| vertex))
    }

    /// Chooses words greedily; `None` when that led nowhere.
    fn dive(
        &mut self,
        guess: &IntAssignment<'_>,
        mut state: State,
        effort: &mut Effort,
    ) -> Result<Option<State>, Stop> {
        let mut failures = 0;
        while let Some(vertex) = self.open_vertex(&state)? {
            self.budget.tick()?;
            effort.words += 1;
            let language = state.languages[vertex.index()];
            let Some(word) = self.engine.lattice.layers.least_word(language, self.budget)? else {
                return Ok(None);
            };
            let word = self.engine.lattice.layers.word(word.chars())?;
            let before = state.clone();
            state.languages[vertex.index()] = word;
            if self.resettle(guess, &mut state, vertex)?.is_none() {
                continue;
            }
            failures += 1;
            state = before;
            let others = self.engine.lattice.layers.difference(language, word, self.budget)?;
            state.languages[vertex.index()] = others;
            if failures > DIVE_FAILURES
                || others.is_empty()
                || self.resettle(guess, &mut state, vertex)?.is_some()
            {
                return Ok(None);
            }
        }
        Ok(Some(state))
    }

    /// Looks at everything.
    fn exhaust(
        &mut self,
        guess: &IntAssignment<'_>,
        mut state: State,
        effort: &mut Effort,
    ) -> Result<Result<State, Reasons>, BackendError> {
        let mut choices: Vec<Choice> = Vec::new();
        let edges = self.graph.edges().len();
        while let Some(vertex) = self.open_vertex(&state)? {
            effort.nodes += 1;
            let Some((place, character)) = self.first_choice(state.languages[vertex.index()])? else {
                return Err(BackendError::Internal("several words, but no place with a choice".to_owned()));
            };
            let before = state.clone();
            let single = self.engine.lattice.layers.single(character)?;
            let language = self.engine.lattice.layers.with_char(
                state.languages[vertex.index()],
                place,
                &single,
                self.budget,
            )?;
            state.languages[vertex.index()] = language;
            state.reasons[vertex.index()].insert(edges + choices.len());
            choices.push(Choice { state: before, vertex, place, character });
            let mut conflict = self.resettle(guess, &mut state, vertex)?;
            while let Some(mut core) = conflict {
                self.budget.tick()?;
                let Some(choice) = choices.pop() else { return Ok(Err(core)) };
                if !core.remove(edges + choices.len()) {
                    conflict = Some(core);
                    continue;
                }
                (state, conflict) = self.take_back(guess, choice, core)?;
            }
        }
        Ok(Ok(state))
    }

    /// The state before the choice, without the characters that failed, and the conflict that this leads to,
    /// if any. `core` is what the failure depends on besides the choice.
    fn take_back(
        &mut self,
        guess: &IntAssignment<'_>,
        choice: Choice,
        mut core: Reasons,
    ) -> Result<(State, Option<Reasons>), Stop> {
        let Choice { mut state, vertex, place, character } = choice;
        let failed = self.alike(&state, vertex, character, &mut core)?;
        let others = self.engine.lattice.layers.algebra().complement(&failed)?;
        let language = state.languages[vertex.index()];
        let rest = self.engine.lattice.layers.with_char(language, place, &others, self.budget)?;
        core.extend(&state.reasons[vertex.index()]);
        if rest.is_empty() {
            return Ok((state, Some(core)));
        }
        state.languages[vertex.index()] = rest;
        state.reasons[vertex.index()] = core;
        let conflict = self.resettle(guess, &mut state, vertex)?;
        Ok((state, conflict))
    }

    /// The first place at which the words of a language have a choice, and one of its characters there.
    fn first_choice(&mut self, language: Node) -> Result<Option<(usize, Char)>, Stop> {
        let mut at = language;
        let mut place = 0;
        while at != Node::EPSILON {
            let moves = self.engine.lattice.layers.moves(at);
            let Some(&(label, target)) = moves.first() else { return Ok(None) };
            let spread = self.engine.lattice.layers.spread(label, self.budget)?;
            let least = spread.least();
            if moves.len() > 1 || spread.only().is_none() {
                return Ok(least.map(|c| (place, c)));
            }
            at = target;
            place += 1;
        }
        Ok(None)
    }

    /// The characters that may be exchanged for `character` in the part of the problem that failed: those
    /// that no language of its vertices tells from it, nor an edge by itself. What these languages depend on
    /// is added to `core`.
    ///
    /// Why: exchanging two such characters everywhere maps the languages to themselves and solutions of the
    /// edges to solutions. Edges that look at one word only have had their effect on its language already.
    fn alike(
        &mut self,
        state: &State,
        vertex: StringVertex,
        character: Char,
        core: &mut Reasons,
    ) -> Result<A::Set, Stop> {
        let graph = self.graph;
        let mut class = self.engine.lattice.layers.algebra().full();
        let mut touched = vec![false; state.languages.len()];
        touched[vertex.index()] = true;
        for edge in core.below(graph.edges().len()) {
            let relation = &graph.edges()[edge].relation;
            relation.strings().for_each(|s| touched[s.index()] = true);
            match relation {
                Relation::Less { .. } | Relation::LessEqual { .. } | Relation::CompareTo { .. } => {
                    return self.engine.lattice.layers.single(character);
                }
                Relation::ToLower { .. } | Relation::ToUpper { .. } => {
                    let letters =
                        self.engine.lattice.layers.algebra().of_ranges(&[(0x41, 0x5A), (0x61, 0x7A)])?;
                    if self.engine.lattice.layers.algebra().contains(&letters, character)? {
                        return self.engine.lattice.layers.single(character);
                    }
                    class = self.engine.lattice.layers.algebra().difference(&class, &letters)?;
                }
                Relation::Trim { .. } => {
                    let blanks = self.engine.lattice.layers.algebra().of_ranges(&[BLANKS])?;
                    class = self.side(&class, &blanks, character)?;
                }
                Relation::ReplaceRe { regex, .. } | Relation::ReplaceReAll { regex, .. } => {
                    let pattern = self.pattern(backends_graph::EdgeId::at(edge), regex)?;
                    for label in pattern.whole.labels() {
                        class = self.side(&class, label, character)?;
                    }
                }
                // What these say is kept when characters are exchanged, or the languages have it already. A
                // relation of which neither is sure belongs to the first arm, which tells all characters
                // apart.
                Relation::Equal { .. }
                | Relation::StartsWith { .. }
                | Relation::EndsWith { .. }
                | Relation::Contains { .. }
                | Relation::InRe { .. }
                | Relation::IsDigit { .. }
                | Relation::Concat { .. }
                | Relation::CharAt { .. }
                | Relation::At { .. }
                | Relation::Substr { .. }
                | Relation::IndexOf { .. }
                | Relation::LastIndexOf { .. }
                | Relation::Replace { .. }
                | Relation::ReplaceAll { .. }
                | Relation::ToCode { .. }
                | Relation::FromCode { .. }
                | Relation::ToInt { .. }
                | Relation::FromInt { .. } => {}
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        let mut labels = rustc_hash::FxHashSet::default();
        for (i, &language) in state.languages.iter().enumerate().filter(|(i, _)| touched[*i]) {
            core.extend(&state.reasons[i]);
            let mut waiting = vec![language];
            while let Some(node) = waiting.pop() {
                for &(label, target) in self.engine.lattice.layers.moves(node).iter() {
                    self.budget.tick()?;
                    if labels.insert(label) {
                        let set = self.engine.lattice.layers.label(label).clone();
                        class = self.side(&class, &set, character)?;
                    }
                    if seen.insert(target) {
                        waiting.push(target);
                    }
                }
            }
        }
        Ok(class)
    }

    /// What of `class` is on the same side of `set` as the character.
    fn side(&self, class: &A::Set, set: &A::Set, character: Char) -> Result<A::Set, Stop> {
        let algebra = self.engine.lattice.layers.algebra();
        if algebra.contains(set, character)? {
            algebra.intersection(class, set)
        } else {
            algebra.difference(class, set)
        }
    }

    /// The words of a state in which each vertex has one left.
    pub fn words(&mut self, state: &State) -> Result<Vec<SmtString>, BackendError> {
        let mut words = Vec::with_capacity(state.languages.len());
        for (place, &language) in state.languages.iter().enumerate() {
            if let Some(word) = self.graph.word(StringVertex::at(place)) {
                words.push(word.clone());
                continue;
            }
            match self.engine.lattice.layers.only_word(language, self.budget)? {
                Some(word) => words.push(word),
                None => return Err(BackendError::Internal("a vertex has no single word".to_owned())),
            }
        }
        Ok(words)
    }
}

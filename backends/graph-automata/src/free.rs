//! Languages without a guess: one automaton for each string vertex, for words of every length.
//!
//! The transfer functions are those of table 3.2 where they are right, weakened where an integer is not
//! known: whatever is not known may be anything. So an empty language shows that the edges it depends on have
//! no solution, whatever the integers; and with some integers *pinned* to their guessed values, that they
//! have none with these. Nothing is complete here: a transfer function whose automata become too large is
//! left out, and the work list stops after a while.

use std::collections::VecDeque;
use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use backends_automata::{AutomataContext, Sfa};
use backends_graph::{EdgeId, Guess, IntVertex, StringGraph, StringVertex};
use harness_model::Regex;
use harness_model::int::Int;

use crate::free_transfer;
use crate::reasons::Reasons;

/// A language of words of any length.
pub(crate) type Language<S> = Rc<Sfa<S>>;

/// The languages of all vertices, by place, and the edges that each depends on.
pub(crate) struct FreeState<S> {
    pub languages: Vec<Language<S>>,
    pub reasons: Vec<Reasons>,
}

/// Steps that one transfer function may take before it is left out.
const STEPS: u64 = 100_000;
/// States of the largest language that is kept.
const MAX_STATES: usize = 400;
/// Times that each edge is looked at.
const ROUNDS: usize = 4;

/// Narrows languages; `pins` are the integers that are known besides constants.
pub(crate) struct Free<'f, A: BooleanAlgebra> {
    pub graph: &'f StringGraph,
    /// What makes automata; its budget is that of the present rule.
    pub context: AutomataContext<&'f A>,
    pub budget: &'f Budget,
    pub guess: Option<(&'f Guess<'f>, &'f [IntVertex])>,
    pub state: FreeState<A::Set>,
    edge: EdgeId,
    changed: Vec<StringVertex>,
    conflict: Option<Reasons>,
}

impl<'f, A: BooleanAlgebra> Free<'f, A> {
    /// Every word over the graph's characters for each vertex, of the pinned length where that is pinned.
    pub fn new(
        graph: &'f StringGraph,
        algebra: &'f A,
        budget: &'f Budget,
        guess: Option<(&'f Guess<'f>, &'f [IntVertex])>,
    ) -> Result<Self, Stop> {
        let state = FreeState { languages: Vec::new(), reasons: vec![Reasons::new(); graph.strings().len()] };
        let mut this = Self {
            graph,
            context: AutomataContext::new(algebra, STEPS),
            budget,
            guess,
            state,
            edge: EdgeId::at(0),
            changed: Vec::new(),
            conflict: None,
        };
        let letter = Regex::set(graph.characters().clone());
        let any = Rc::new(this.context.regex(&letter.clone().star())?);
        for vertex in graph.string_vertices() {
            let length = graph.length_of(vertex).and_then(|l| this.number(l));
            let length = length.and_then(|l| u32::try_from(l.small()?).ok());
            let language = match (graph.word(vertex), length) {
                (Some(word), _) => Rc::new(this.context.regex(&Regex::literal(word))?),
                (None, Some(n)) => Rc::new(this.context.regex(&letter.clone().repeat(n, Some(n)))?),
                (None, None) => Rc::clone(&any),
            };
            this.state.languages.push(language);
        }
        Ok(this)
    }

    /// Applies the transfer functions of the edges, or of those in `only`, for a while. What an empty
    /// language depends on, if one is.
    pub fn settle(&mut self, only: Option<&Reasons>) -> Result<Option<Reasons>, Stop> {
        let wanted = |e: &EdgeId| only.is_none_or(|only| only.contains(e.index()));
        let mut waiting: VecDeque<EdgeId> = self.graph.edge_ids().filter(wanted).collect();
        let mut rounds = vec![0; self.graph.edges().len()];
        let neighbours = self.graph.edges_by_string();
        let mut is_waiting = vec![true; rounds.len()];
        while let Some(edge) = waiting.pop_front() {
            self.budget.look()?;
            is_waiting[edge.index()] = false;
            rounds[edge.index()] += 1;
            self.edge = edge;
            self.context.refill(STEPS);
            match free_transfer::apply(self, self.graph.edge(edge)) {
                // Too large: what was narrowed so far is right, the rest is left out.
                Ok(()) | Err(Stop::Steps(_) | Stop::Size { .. }) => {}
                Err(stop) => return Err(stop),
            }
            if let Some(core) = self.conflict.take() {
                return Ok(Some(core));
            }
            for vertex in std::mem::take(&mut self.changed) {
                for next in neighbours[vertex.index()].iter().filter(|e| wanted(e)) {
                    let again = rounds[next.index()] < ROUNDS && !is_waiting[next.index()];
                    if again {
                        is_waiting[next.index()] = true;
                        waiting.push_back(*next);
                    }
                }
            }
        }
        Ok(None)
    }

    /// The vertex' value, if it is a constant or pinned.
    pub fn number(&self, vertex: IntVertex) -> Option<Int> {
        if let Some(number) = self.graph.number(vertex) {
            return Some(number.clone());
        }
        let (guess, pins) = self.guess?;
        pins.contains(&vertex).then(|| guess.int(vertex).clone())
    }

    /// The language of the vertex.
    pub fn language(&self, vertex: StringVertex) -> Language<A::Set> {
        Rc::clone(&self.state.languages[vertex.index()])
    }

    /// Words of a number of characters, or of any number.
    pub fn padding(&self, length: Option<u32>) -> Result<Sfa<A::Set>, Stop> {
        let letter = self.context.letter();
        self.context.regex(&match length {
            Some(n) => letter.repeat(n, Some(n)),
            None => letter.star(),
        })
    }

    /// Leaves the vertex only words of `by`, which was made from the languages of `from`.
    pub fn narrow(
        &mut self,
        vertex: StringVertex,
        by: &Sfa<A::Set>,
        from: &[StringVertex],
    ) -> Result<(), Stop> {
        if self.conflict.is_some() {
            return Ok(());
        }
        let old = self.language(vertex);
        if self.context.is_subset(&old, by)? {
            return Ok(());
        }
        let new = self.context.intersection(&old, by)?;
        self.set(vertex, &new, from)
    }

    /// Takes the words of `what`, which was made from the languages of `from`, from the vertex.
    pub fn remove(
        &mut self,
        vertex: StringVertex,
        what: &Sfa<A::Set>,
        from: &[StringVertex],
    ) -> Result<(), Stop> {
        if self.conflict.is_some() {
            return Ok(());
        }
        let old = self.language(vertex);
        if self.context.is_disjoint(&old, what)? {
            return Ok(());
        }
        let new = self.context.difference(&old, what)?;
        self.set(vertex, &new, from)
    }

    fn set(&mut self, vertex: StringVertex, new: &Sfa<A::Set>, from: &[StringVertex]) -> Result<(), Stop> {
        let mut reasons = self.state.reasons[vertex.index()].clone();
        reasons.insert(self.edge.index());
        for v in from {
            reasons.extend(&self.state.reasons[v.index()]);
        }
        if self.context.is_empty(new)? {
            self.conflict = Some(reasons);
            return Ok(());
        }
        let new = self.context.minimise(new)?;
        if new.states() <= MAX_STATES {
            self.state.languages[vertex.index()] = Rc::new(new);
            self.state.reasons[vertex.index()] = reasons;
            self.changed.push(vertex);
        }
        Ok(())
    }

    /// The edge cannot hold with the numbers that are known.
    pub fn refute(&mut self) {
        if self.conflict.is_none() {
            let mut reasons = Reasons::new();
            reasons.insert(self.edge.index());
            self.conflict = Some(reasons);
        }
    }
}

/// The lengths next to `length` below and above that words of the language have; `length` itself is not among
/// them.
pub(crate) fn lengths_beside<S>(
    language: &Sfa<S>,
    length: usize,
    budget: &Budget,
) -> Result<(Option<usize>, Option<usize>), Stop> {
    let mut layer = vec![language.initial()];
    let (mut below, mut at) = (None, 0);
    // In a trim automaton every state is as many steps from a final one as there are states, or fewer.
    while !layer.is_empty() && at <= length + language.states() {
        if at != length && layer.iter().any(|&q| language.is_final(q)) {
            if at > length {
                return Ok((below, Some(at)));
            }
            below = Some(at);
        }
        let mut next = Vec::new();
        for &state in &layer {
            for m in language.moves_from(state) {
                budget.tick()?;
                next.push(m.target);
            }
        }
        next.sort_unstable();
        next.dedup();
        layer = next;
        at += 1;
    }
    Ok((below, None))
}

//! What a transfer function sees: the languages of its edge's vertices, the numbers, and the operations on
//! both.
//!
//! A transfer function only ever narrows: every change is an intersection with, or a difference from, the
//! language that a vertex has. It names the vertices whose languages it used, so that an empty language can
//! be traced to edges.

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use backends_automata::{Layers, Node, Sfa};
use backends_graph::{EdgeId, Guess, IntVertex, StringVertex};
use harness_model::int::Int;
use harness_model::{Char, SmtString};

use crate::propagator::{Propagator, State};
use crate::reasons::Reasons;

/// The place where one transfer function is applied.
pub(crate) struct PropagationContext<'d, 'a, A: BooleanAlgebra> {
    pub propagator: &'d mut Propagator<'a, A>,
    pub guess: &'d Guess<'d>,
    pub state: &'d mut State,
    pub edge: EdgeId,
    /// Whose languages became smaller.
    pub changed: Vec<StringVertex>,
    /// Set once a language is empty, or the numbers alone contradict the edge.
    pub conflict: Option<Reasons>,
}

impl<A: BooleanAlgebra> PropagationContext<'_, '_, A> {
    /// The language of the vertex.
    pub fn language(&self, v: StringVertex) -> Node {
        self.state.languages[v.index()]
    }

    /// The length of the vertex' words.
    pub fn length(&self, v: StringVertex) -> usize {
        self.guess.length(v)
    }

    /// The value of the vertex.
    pub fn int(&self, v: IntVertex) -> &Int {
        self.guess.int(v)
    }

    /// The value of the vertex as a position in, or just after, a word of `length` characters.
    pub fn position(&self, v: IntVertex, length: usize) -> Option<usize> {
        self.int(v).position(length)
    }

    /// The only word that the vertex may still be.
    pub fn only(&mut self, v: StringVertex) -> Result<Option<SmtString>, Stop> {
        self.propagator.layers.only_word(self.state.languages[v.index()], self.propagator.budget)
    }

    /// Leaves the vertex only words of `node`, which was made from the languages of `from`.
    pub fn narrow(&mut self, v: StringVertex, node: Node, from: &[StringVertex]) -> Result<(), Stop> {
        if self.conflict.is_some() {
            return Ok(());
        }
        let new = self.propagator.layers.intersection(self.language(v), node, self.propagator.budget)?;
        self.set(v, new, from)
    }

    /// Takes the words of `node`, which was made from the languages of `from`, from the vertex.
    pub fn remove(&mut self, v: StringVertex, node: Node, from: &[StringVertex]) -> Result<(), Stop> {
        if self.conflict.is_some() {
            return Ok(());
        }
        let new = self.propagator.layers.difference(self.language(v), node, self.propagator.budget)?;
        self.set(v, new, from)
    }

    /// Makes `new`, which is part of the vertex' language, its language.
    pub fn set(&mut self, v: StringVertex, new: Node, from: &[StringVertex]) -> Result<(), Stop> {
        let old = self.language(v);
        if self.conflict.is_some()
            || new == old
            || (!A::CANONICAL && self.propagator.layers.is_subset(old, new, self.propagator.budget)?)
        {
            return Ok(());
        }
        let mut reasons = self.state.reasons[v.index()].clone();
        reasons.insert(self.edge.index());
        for &u in from {
            reasons.extend(&self.state.reasons[u.index()]);
        }
        if new.is_empty() {
            self.conflict = Some(reasons);
            return Ok(());
        }
        self.state.languages[v.index()] = new;
        self.state.reasons[v.index()] = reasons;
        self.changed.push(v);
        Ok(())
    }

    /// The edge cannot hold, whatever the words: lengths and numbers contradict it.
    pub fn refute(&mut self) {
        if self.conflict.is_none() {
            let mut reasons = Reasons::new();
            reasons.insert(self.edge.index());
            self.conflict = Some(reasons);
        }
    }

    /// Refutes the edge unless `holds`; whether it did.
    pub fn require(&mut self, holds: bool) -> bool {
        if !holds {
            self.refute();
        }
        holds
    }

    pub const fn budget(&self) -> &Budget {
        self.propagator.budget
    }

    pub const fn layers(&mut self) -> &mut Layers<A> {
        &mut self.propagator.layers
    }

    pub fn all_words(&mut self, length: usize) -> Result<Node, Stop> {
        self.propagator.layers.all_words(length)
    }

    pub fn word(&mut self, word: &[Char]) -> Result<Node, Stop> {
        self.propagator.layers.word(word)
    }

    pub fn intersection(&mut self, a: Node, b: Node) -> Result<Node, Stop> {
        self.propagator.layers.intersection(a, b, self.propagator.budget)
    }

    pub fn union(&mut self, a: Node, b: Node) -> Result<Node, Stop> {
        self.propagator.layers.union(a, b, self.propagator.budget)
    }

    pub fn concat(&mut self, a: Node, b: Node) -> Result<Node, Stop> {
        self.propagator.layers.concat(a, b, self.propagator.budget)
    }

    /// `[before] inner [after]` in the notation of the study.
    pub fn padded(&mut self, before: usize, inner: Node, after: usize) -> Result<Node, Stop> {
        self.propagator.layers.padded(before, inner, after, self.propagator.budget)
    }

    pub fn slice(&mut self, a: Node, from: usize, count: usize) -> Result<Node, Stop> {
        self.propagator.layers.slice(a, from, count, self.propagator.budget)
    }

    pub fn cut(&mut self, a: Node, from: usize, count: usize) -> Result<Node, Stop> {
        self.propagator.layers.cut(a, from, count, self.propagator.budget)
    }

    pub fn insert(&mut self, a: Node, at: usize, inner: Node) -> Result<Node, Stop> {
        self.propagator.layers.insert(a, at, inner, self.propagator.budget)
    }

    pub fn restrict(&mut self, a: Node, automaton: &Sfa<A::Set>, accepted: bool) -> Result<Node, Stop> {
        self.propagator.layers.restrict(a, automaton, accepted, self.propagator.budget)
    }

    /// The words of `a` that have an infix in `inner`, or none.
    pub fn with_infix(&mut self, a: Node, inner: Node, present: bool) -> Result<Node, Stop> {
        let automaton = self.propagator.layers.containing(inner, self.propagator.budget)?;
        self.restrict(a, &automaton, present)
    }

    /// The infixes of `count` characters that start at a position of `starts`.
    pub fn infixes(
        &mut self,
        a: Node,
        starts: impl Iterator<Item = usize>,
        count: usize,
    ) -> Result<Node, Stop> {
        let mut all = Node::EMPTY;
        for from in starts {
            let part = self.slice(a, from, count)?;
            all = self.union(all, part)?;
            if self.propagator.layers.is_full(all) && !all.is_empty() {
                break;
            }
        }
        Ok(all)
    }
}

//! What a transfer function sees: the languages of its edge's vertices, the numbers, and the operations on
//! both.
//!
//! A transfer function only ever narrows: every change is an intersection with, or a difference from, the
//! language that a vertex has. It names the vertices whose languages it used, so that an empty language can
//! be traced to edges.

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use backends_automata::{Layers, Node, Sfa};
use backends_graph::reasons::Reasons;
use backends_graph::{EdgeId, IntAssignment, IntVertex, StringVertex};
use backends_propagate::{Engine, LayerLattice, Rules};
use harness_model::int::Int;
use harness_model::{Char, SmtString};

use crate::propagator::Propagator;
use crate::transfer;

/// The place where one transfer function is applied.
pub(crate) struct PropagationContext<'d, 'a, A: BooleanAlgebra> {
    pub propagator: &'d mut Propagator<'a, A>,
    pub guess: &'d IntAssignment<'d>,
    pub edge: EdgeId,
}

impl<'a, A: BooleanAlgebra> Rules for PropagationContext<'_, 'a, A> {
    type Lattice = LayerLattice<'a, A>;

    fn engine(&mut self) -> &mut Engine<Self::Lattice> {
        &mut self.propagator.engine
    }

    fn begin(&mut self, edge: usize) -> Result<(), Stop> {
        self.propagator.budget.tick()?;
        self.propagator.applications += 1;
        self.propagator.taken.insert(edge);
        self.edge = EdgeId::at(edge);
        self.propagator.engine.present = Reasons::of(edge);
        Ok(())
    }

    fn apply(&mut self, _edge: usize) -> Result<(), Stop> {
        transfer::apply(self)
    }

    fn has_allowance(&self) -> bool {
        false
    }
}

impl<A: BooleanAlgebra> PropagationContext<'_, '_, A> {
    /// The language of the vertex.
    pub fn language(&self, v: StringVertex) -> Node {
        self.propagator.engine.language(v)
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
        let language = self.language(v);
        self.propagator.engine.lattice.layers.only_word(language, self.propagator.budget)
    }

    /// Leaves the vertex only words of `node`, which was made from the languages of `from`.
    pub fn narrow(&mut self, v: StringVertex, node: Node, from: &[StringVertex]) -> Result<(), Stop> {
        self.propagator.engine.narrow(v, &node, from).map(drop)
    }

    /// Takes the words of `node`, which was made from the languages of `from`, from the vertex.
    pub fn remove(&mut self, v: StringVertex, node: Node, from: &[StringVertex]) -> Result<(), Stop> {
        self.propagator.engine.remove(v, &node, from).map(drop)
    }

    /// Makes `new`, which is part of the vertex' language, its language.
    pub fn set(&mut self, v: StringVertex, new: Node, from: &[StringVertex]) -> Result<(), Stop> {
        self.propagator.engine.replace(v, &new, from).map(drop)
    }

    /// The edge cannot hold, whatever the words: lengths and numbers contradict it.
    pub fn refute(&mut self) {
        self.propagator.engine.refute();
    }

    /// Refutes the edge unless `holds`; whether it did.
    pub fn require(&mut self, holds: bool) -> bool {
        self.propagator.engine.require(holds)
    }

    /// Whether there is a conflict already.
    pub const fn is_refuted(&self) -> bool {
        self.propagator.engine.is_refuted()
    }

    pub const fn budget(&self) -> &Budget {
        self.propagator.budget
    }

    pub const fn layers(&mut self) -> &mut Layers<A> {
        &mut self.propagator.engine.lattice.layers
    }

    pub fn all_words(&mut self, length: usize) -> Result<Node, Stop> {
        self.propagator.engine.lattice.layers.all_words(length)
    }

    pub fn word(&mut self, word: &[Char]) -> Result<Node, Stop> {
        self.propagator.engine.lattice.layers.word(word)
    }

    pub fn intersection(&mut self, a: Node, b: Node) -> Result<Node, Stop> {
        self.propagator.engine.lattice.layers.intersection(a, b, self.propagator.budget)
    }

    pub fn union(&mut self, a: Node, b: Node) -> Result<Node, Stop> {
        self.propagator.engine.lattice.layers.union(a, b, self.propagator.budget)
    }

    pub fn concat(&mut self, a: Node, b: Node) -> Result<Node, Stop> {
        self.propagator.engine.lattice.layers.concat(a, b, self.propagator.budget)
    }

    /// `[before] inner [after]` in the notation of the study.
    pub fn padded(&mut self, before: usize, inner: Node, after: usize) -> Result<Node, Stop> {
        self.propagator.engine.lattice.layers.padded(before, inner, after, self.propagator.budget)
    }

    pub fn slice(&mut self, a: Node, from: usize, count: usize) -> Result<Node, Stop> {
        self.propagator.engine.lattice.layers.slice(a, from, count, self.propagator.budget)
    }

    pub fn cut(&mut self, a: Node, from: usize, count: usize) -> Result<Node, Stop> {
        self.propagator.engine.lattice.layers.cut(a, from, count, self.propagator.budget)
    }

    pub fn insert(&mut self, a: Node, at: usize, inner: Node) -> Result<Node, Stop> {
        self.propagator.engine.lattice.layers.insert(a, at, inner, self.propagator.budget)
    }

    pub fn restrict(&mut self, a: Node, automaton: &Sfa<A::Set>, accepted: bool) -> Result<Node, Stop> {
        self.propagator.engine.lattice.layers.restrict(a, automaton, accepted, self.propagator.budget)
    }

    /// The words of `a` that have an infix in `inner`, or none.
    pub fn with_or_without_infix(&mut self, a: Node, inner: Node, present: bool) -> Result<Node, Stop> {
        let automaton = self.propagator.engine.lattice.layers.containing(inner, self.propagator.budget)?;
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
            if self.propagator.engine.lattice.layers.is_full(all) && !all.is_empty() {
                break;
            }
        }
        Ok(all)
    }
}

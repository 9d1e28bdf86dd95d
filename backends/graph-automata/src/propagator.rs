//! The languages of all vertices, and the worklist of figure 3.12 that narrows them to a fixed point.

use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use backends_automata::{Layers, Node, Sfa, construct, eliminate, trim};
use backends_graph::reasons::Reasons;
use backends_graph::{EdgeId, IntAssignment, StringGraph, StringVertex};
use backends_propagate::{Engine, LayerLattice, Schedule, Worklist, settle};
use harness_model::{CharSet, Regex};

use crate::context::PropagationContext;
use crate::limits::PartLimits;

/// The languages at one moment, by place of the vertex, and what each depends on.
pub(crate) type State = backends_propagate::State<Node>;

/// The automata of an edge's expression.
#[derive(Debug)]
pub(crate) struct Pattern<S> {
    /// Of the expression.
    pub whole: Sfa<S>,
    /// Of what has an infix in it.
    pub inside: Sfa<S>,
}

/// Everything that stays from one guess to the next.
pub(crate) struct Propagator<'a, A: BooleanAlgebra> {
    pub graph: &'a StringGraph,
    pub budget: &'a Budget,
    pub engine: Engine<LayerLattice<'a, A>>,
    order: &'a [EdgeId],
    patterns: Vec<Option<Rc<Pattern<A::Set>>>>,
    /// The limits of words with unknown parts; none where the languages are to be the published ones.
    pub parts: Option<PartLimits>,
    /// How many transfer functions were applied.
    pub applications: u64,
    /// The edges whose transfer functions were applied since the present guess was started.
    pub taken: Reasons,
}

impl<'a, A: BooleanAlgebra> Propagator<'a, A> {
    /// For the edges of `graph`, to be taken in `order`.
    pub fn new(graph: &'a StringGraph, order: &'a [EdgeId], budget: &'a Budget, algebra: A) -> Self {
        let mut worklist = Worklist::new(graph.strings().len(), Schedule::Queue, None);
        graph.edges().iter().for_each(|edge| worklist.add_edge(edge.relation.strings()));
        let lattice = LayerLattice { layers: Layers::new(algebra), budget };
        Self {
            graph,
            budget,
            engine: Engine::new(lattice, Vec::new(), worklist),
            order,
            patterns: vec![None; graph.edges().len()],
            parts: Some(PartLimits::default()),
            applications: 0,
            taken: Reasons::new(),
        }
    }

    /// Every word of the guessed length for each vertex, a constant's own for a constant; one that no edge is
    /// about is nobody's business, however long it is, and stands as the empty word.
    pub fn start(&mut self, guess: &IntAssignment<'_>) -> Result<State, Stop> {
        self.taken = Reasons::new();
        let characters = self.engine.lattice.layers.set(self.graph.characters())?;
        let mut languages = Vec::with_capacity(self.graph.strings().len());
        for vertex in self.graph.string_vertices() {
            languages.push(match self.graph.word(vertex) {
                Some(_) if self.engine.worklist.edges_at(vertex).is_empty() => Node::EPSILON,
                Some(word) => self.engine.lattice.layers.word(word.chars())?,
                None => self.engine.lattice.layers.power(&characters, guess.length(vertex))?,
            });
        }
        Ok(State::new(languages))
    }

    /// Applies the transfer functions of all edges until nothing changes.
    pub fn settle(&mut self, guess: &IntAssignment<'_>, state: &mut State) -> Result<Option<Reasons>, Stop> {
        let all = self.order.iter().map(|e| e.index()).collect();
        self.propagate(guess, state, all, None)
    }

    /// The same with positive edges alone.
    pub fn settle_positive(
        &mut self,
        guess: &IntAssignment<'_>,
        state: &mut State,
    ) -> Result<Option<Reasons>, Stop> {
        let mut positive = Reasons::new();
        self.graph.edge_ids().filter(|&id| self.graph.edge(id).positive).for_each(|id| {
            positive.insert(id.index());
        });
        self.settle_only(guess, state, &positive)
    }

    /// The same with the edges of `only` alone.
    pub fn settle_only(
        &mut self,
        guess: &IntAssignment<'_>,
        state: &mut State,
        only: &Reasons,
    ) -> Result<Option<Reasons>, Stop> {
        let some = self.order.iter().map(|e| e.index()).filter(|&e| only.contains(e)).collect();
        self.propagate(guess, state, some, Some(only))
    }

    /// After the language of `vertex` was changed by a decision.
    pub fn resettle(
        &mut self,
        guess: &IntAssignment<'_>,
        state: &mut State,
        vertex: StringVertex,
    ) -> Result<Option<Reasons>, Stop> {
        let touched = self.engine.worklist.edges_at(vertex).to_vec();
        self.propagate(guess, state, touched, None)
    }

    /// Figure 3.12: applies the transfer functions of the edges in `waiting`, and again those of every edge
    /// at a vertex that changed. What an empty language depends on, if one is.
    fn propagate(
        &mut self,
        guess: &IntAssignment<'_>,
        state: &mut State,
        waiting: Vec<usize>,
        only: Option<&Reasons>,
    ) -> Result<Option<Reasons>, Stop> {
        std::mem::swap(&mut self.engine.state, state);
        self.engine.worklist.start(waiting, only.cloned());
        let refuted = settle(&mut PropagationContext { propagator: self, guess, edge: EdgeId::at(0) });
        std::mem::swap(&mut self.engine.state, state);
        refuted?;
        Ok(self.engine.take_conflict())
    }

    /// The automata of the edge's expression, built when first asked for.
    pub fn pattern(&mut self, edge: EdgeId, regex: &Regex) -> Result<Rc<Pattern<A::Set>>, Stop> {
        if let Some(known) = &self.patterns[edge.index()] {
            return Ok(Rc::clone(known));
        }
        let any = Regex::set(CharSet::full(self.graph.alphabet())).star();
        let inside = Regex::concat([any.clone(), regex.clone(), any]);
        let pattern = Pattern { whole: self.automaton(regex)?, inside: self.automaton(&inside)? };
        let pattern = Rc::new(pattern);
        self.patterns[edge.index()] = Some(Rc::clone(&pattern));
        Ok(pattern)
    }

    fn automaton(&self, regex: &Regex) -> Result<Sfa<A::Set>, Stop> {
        let algebra = self.engine.lattice.layers.algebra();
        let automaton = eliminate(algebra, &construct(algebra, regex, self.budget)?, self.budget)?;
        trim(&automaton, self.budget)
    }
}

//! Languages without a guess: one automaton for each string vertex, for words of every length.
//!
//! The transfer functions are those of table 3.2 where they are right, weakened where an integer is not
//! known: whatever is not known may be anything. So an empty language shows that the edges it depends on have
//! no solution, whatever the integers; and with some integers *pinned* to their guessed values, that they
//! have none with these. Nothing is complete here: a transfer function whose automata become too large is
//! left out, and the worklist stops after a while.

use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use backends_automata::{AutomataContext, Sfa};
use backends_graph::reasons::Reasons;
use backends_graph::{IntAssignment, IntVertex, Relation, StringGraph, StringVertex};
use backends_propagate::transfer::AutomataPropagator;
use backends_propagate::{Engine, Rules, Schedule, SfaLattice, Worklist, settle};
use harness_model::Regex;
use harness_model::int::Int;

use crate::free_transfer;
use crate::limits::FreeLimits;

/// A language of words of any length.
pub(crate) type Language<S> = Rc<Sfa<S>>;

/// The languages of all vertices, by place, and the edges that each depends on.
pub(crate) type FreeState<S> = backends_propagate::State<Language<S>>;

/// Narrows languages; `pins` are the integers that are known besides constants.
pub(crate) struct Free<'f, A: BooleanAlgebra> {
    pub graph: &'f StringGraph,
    pub engine: Engine<SfaLattice<&'f A>>,
    limits: FreeLimits,
    budget: &'f Budget,
    guess: Option<(&'f IntAssignment<'f>, &'f [IntVertex])>,
}

impl<'f, A: BooleanAlgebra> Free<'f, A> {
    /// Every word over the graph's characters for each vertex, of the pinned length where that is pinned.
    pub fn new(
        graph: &'f StringGraph,
        algebra: &'f A,
        limits: FreeLimits,
        budget: &'f Budget,
        guess: Option<(&'f IntAssignment<'f>, &'f [IntVertex])>,
    ) -> Result<Self, Stop> {
        let mut worklist = Worklist::new(graph.strings().len(), Schedule::Queue, Some(limits.rounds));
        graph.edges().iter().for_each(|edge| worklist.add_edge(edge.relation.strings()));
        let context = AutomataContext::new(algebra, limits.steps);
        let lattice = SfaLattice { context, states: limits.states };
        let engine = Engine::new(lattice, Vec::new(), worklist);
        let mut this = Self { graph, engine, limits, budget, guess };
        let letter = Regex::set(graph.characters().clone());
        let any = Rc::new(this.context().regex(&letter.clone().star())?);
        let mut languages = Vec::with_capacity(graph.strings().len());
        for vertex in graph.string_vertices() {
            let length = graph.length_of(vertex).and_then(|l| this.number(l));
            let length = length.and_then(|l| u32::try_from(l.small()?).ok());
            languages.push(match (graph.word(vertex), length) {
                (Some(word), _) => Rc::new(this.context().word(word)?),
                (None, Some(n)) => Rc::new(this.context().regex(&letter.clone().repeat(n, Some(n)))?),
                (None, None) => Rc::clone(&any),
            });
        }
        this.engine.state = FreeState::new(languages);
        Ok(this)
    }

    /// Applies the transfer functions of the edges, or of those in `only`, for a while. What an empty
    /// language depends on, if one is.
    pub fn settle(&mut self, only: Option<&Reasons>) -> Result<Option<Reasons>, Stop> {
        let edges = 0..self.graph.edges().len();
        self.engine.worklist.start(edges, only.cloned());
        settle(self)?;
        Ok(self.engine.take_conflict())
    }

    /// The vertex' value, if it is a constant or pinned.
    pub fn number(&self, vertex: IntVertex) -> Option<Int> {
        if let Some(number) = self.graph.number(vertex) {
            return Some(number.clone());
        }
        let (guess, pins) = self.guess?;
        pins.contains(&vertex).then(|| guess.int(vertex).clone())
    }

    /// Words of a number of characters, or of any number.
    pub fn padding(&self, length: Option<u32>) -> Result<Sfa<A::Set>, Stop> {
        let letter = self.context().letter();
        self.context().regex(&match length {
            Some(n) => letter.repeat(n, Some(n)),
            None => letter.star(),
        })
    }
}

impl<'f, A: BooleanAlgebra> Rules for Free<'f, A> {
    type Lattice = SfaLattice<&'f A>;

    fn engine(&mut self) -> &mut Engine<Self::Lattice> {
        &mut self.engine
    }

    fn begin(&mut self, edge: usize) -> Result<(), Stop> {
        self.budget.look()?;
        self.engine.present = Reasons::of(edge);
        // A membership may take more: nothing but itself says what it says.
        let factor = if matches!(self.graph.edges()[edge].relation, Relation::InRe { .. }) { 10 } else { 1 };
        self.engine.lattice.context.refill(self.limits.steps.saturating_mul(factor));
        Ok(())
    }

    fn apply(&mut self, edge: usize) -> Result<(), Stop> {
        let graph = self.graph;
        free_transfer::apply(self, &graph.edges()[edge])
    }

    fn has_allowance(&self) -> bool {
        true
    }
}

impl<'f, A: BooleanAlgebra> AutomataPropagator for Free<'f, A> {
    type Algebra = &'f A;

    fn context(&self) -> &AutomataContext<&'f A> {
        &self.engine.lattice.context
    }

    fn language(&self, vertex: StringVertex) -> Language<A::Set> {
        self.engine.language(vertex)
    }

    /// Only constants are taken for single words.
    fn is_single(&self, vertex: StringVertex) -> bool {
        self.graph.word(vertex).is_some()
    }

    fn narrow(&mut self, vertex: StringVertex, by: &Sfa<A::Set>, from: &[StringVertex]) -> Result<(), Stop> {
        self.engine.narrow(vertex, by, from).map(drop)
    }

    fn remove(
        &mut self,
        vertex: StringVertex,
        what: &Sfa<A::Set>,
        from: &[StringVertex],
    ) -> Result<(), Stop> {
        self.engine.remove(vertex, what, from).map(drop)
    }

    fn refute(&mut self) {
        self.engine.refute();
    }
}

//! Refinement of values: one automaton for each string vertex, narrowed by the rule of each edge until no
//! automaton changes.
//!
//! What always holds: each automaton accepts every word that its vertex has in a solution, each interval
//! every number. So an empty one shows that there is no solution. The fixed point may be out of reach: `r = a
//! + b` around a cycle can shrink for ever, a product can become too large. Each rule therefore has an
//! allowance of steps, each automaton a greatest number of states, and each edge a number of rounds
//! ([`Limits`]); what is given up is only sharpness, and is counted.
//!
//! Source: Li and Ghosh, PASS, section 4, "Automaton Refinement", first set of rules.

use std::rc::Rc;

use backends_algebra::RangeAlgebra;
use backends_api::{Budget, OptionSpec, Options, Stop};
use backends_automata::AutomataContext;
use backends_graph::evaluate::{edge_holds, function_value};
use backends_graph::reasons::Reasons;
use backends_graph::{Edge, IntFormula, IntVertex, Relation, StringGraph, StringVertex, Vertex};
use backends_propagate::transfer::AutomataPropagator;
use backends_propagate::{Change, Engine, Rules, Schedule, Worklist, settle};
use harness_model::int::Int;
use harness_model::{Regex, SmtString};
use harness_theory::Value;

use crate::bounds::{Bounds, Interval};
use crate::language::{Automaton, IntervalContext, IntervalLattice, Language, MAX_PADDING, Measured};
use crate::rules;

/// How far refinement goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How often each edge is looked at.
    pub rounds: usize,
    /// Steps that one rule may take before it is left out.
    pub steps: u64,
    /// States of the largest automaton that is kept.
    pub states: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rounds: 16, steps: 200_000, states: 600 }
    }
}

impl Limits {
    /// The limits as options of a family of strategies.
    pub fn specs() -> [OptionSpec; 3] {
        let usual = Self::default();
        [
            OptionSpec::integer(
                "refine-rounds",
                usual.rounds,
                0,
                1 << 20,
                "how often each edge is looked at in refinement",
            ),
            OptionSpec::integer(
                "refine-steps",
                usual.steps,
                1,
                1_000_000_000_000,
                "steps that a rule of refinement may take before it is left out",
            ),
            OptionSpec::integer(
                "refine-states",
                usual.states,
                1,
                1 << 30,
                "states of the largest automaton that refinement keeps",
            ),
        ]
    }

    /// What a family with [`Limits::specs`] was asked for.
    pub fn of(options: &Options) -> Self {
        Self {
            rounds: options.number("refine-rounds"),
            steps: options.number("refine-steps"),
            states: options.number("refine-states"),
        }
    }
}

/// What is known of all vertices at one moment. Cheap to clone: automata are shared.
#[derive(Clone, Debug)]
pub struct State {
    strings: backends_propagate::State<Measured>,
    bounds: Bounds,
    int_reasons: Vec<Reasons>,
}

/// What refinement did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tally {
    /// Automata that were replaced by smaller languages.
    pub refinements: u64,
    /// Times that all waiting edges were looked at.
    pub rounds: u64,
    /// States of the largest automaton.
    pub states: u64,
}

/// Narrows what is known of one graph. The facts that languages, bounds and a refutation depend on are
/// numbered: the edges of the graph by place, then its formulas.
#[derive(Debug)]
pub struct Refiner<'g> {
    /// Whose vertices they are.
    pub graph: &'g StringGraph,
    /// What was done.
    pub tally: Tally,
    engine: Engine<IntervalLattice>,
    bounds: Bounds,
    /// What the bounds of each integer depend on, by place.
    int_reasons: Vec<Reasons>,
    edges: Vec<(Edge, Reasons)>,
    formulas: Vec<IntFormula>,
    /// What each formula depends on.
    formula_reasons: Vec<Reasons>,
    limits: Limits,
    budget: &'g Budget,
    /// By place of the edge: whether the languages are known to be within what the edge says of its one
    /// vertex.
    absorbed: Vec<bool>,
    by_int: Vec<Vec<usize>>,
}

impl<'g> Refiner<'g> {
    /// For a graph with a length vertex for every string vertex, whose constants are words over its alphabet.
    /// `derived` are formulas that hold in all solutions, beside the graph's own, each with the edges that
    /// imply it.
    pub fn new(
        graph: &'g StringGraph,
        derived: &[(IntFormula, Reasons)],
        limits: Limits,
        budget: &'g Budget,
    ) -> Result<Self, Stop> {
        let mut formulas = graph.definition_formulas();
        let mut formula_reasons = vec![Reasons::new(); formulas.len()];
        for (place, formula) in graph.formulas().iter().enumerate() {
            formulas.push(formula.clone());
            formula_reasons.push(Reasons::of(graph.edges().len() + place));
        }
        for (formula, reasons) in derived {
            formulas.push(formula.clone());
            formula_reasons.push(reasons.clone());
        }
        let context = IntervalContext::new(graph.alphabet(), limits.steps);
        let any = context.minimise(&context.regex(&Regex::set(graph.characters().clone()).star())?)?;
        let everything = (0, if graph.characters().is_empty() { Some(0) } else { None });
        let any = Measured { automaton: Rc::new(any), lengths: everything };
        let mut languages = Vec::new();
        for vertex in graph.string_vertices() {
            languages.push(match graph.word(vertex) {
                Some(word) => {
                    // A word of any length must be there: it is the vertex.
                    let context = IntervalContext::new(graph.alphabet(), u64::MAX);
                    let length = i64::try_from(word.len()).unwrap_or(i64::MAX);
                    let automaton = Rc::new(context.minimise(&context.word(word)?)?);
                    Measured { automaton, lengths: (length, Some(length)) }
                }
                None => any.clone(),
            });
        }
        let worklist = Worklist::new(graph.strings().len(), Schedule::Sweeps, Some(limits.rounds));
        let lattice = IntervalLattice { context, states: limits.states };
        let mut this = Self {
            graph,
            tally: Tally::default(),
            engine: Engine::new(lattice, languages, worklist),
            bounds: Bounds::new(graph),
            int_reasons: vec![Reasons::new(); graph.ints().len()],
            edges: Vec::new(),
            formulas,
            formula_reasons,
            limits,
            budget,
            absorbed: Vec::new(),
            by_int: vec![Vec::new(); graph.ints().len()],
        };
        for (place, edge) in graph.edges().iter().enumerate() {
            this.add_edge(edge.clone(), Reasons::of(place));
        }
        Ok(this)
    }

    /// Another edge that holds in all solutions of what `reasons` names.
    pub fn add_edge(&mut self, edge: Edge, reasons: Reasons) {
        let place = self.edges.len();
        self.engine.worklist.add_edge(edge.relation.strings());
        for i in edge.relation.ints() {
            self.by_int[i.index()].push(place);
        }
        self.edges.push((edge, reasons));
        self.absorbed.push(false);
    }

    /// Another formula that holds in all solutions of what `reasons` names; whether it is new.
    pub fn add_formula(&mut self, formula: IntFormula, reasons: Reasons) -> bool {
        let new = !self.formulas.contains(&formula);
        if new {
            self.formulas.push(formula);
            self.formula_reasons.push(reasons);
        }
        new
    }

    /// The edges of the graph, in its order, and those that were added.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = &Edge> {
        self.edges.iter().map(|(edge, _)| edge)
    }

    /// The edge at a place.
    pub fn edge(&self, place: usize) -> Option<&Edge> {
        self.edges.get(place).map(|(edge, _)| edge)
    }

    /// What is known of the vertices of the edge at a place, and the edge itself, depends on these facts.
    pub fn reasons_at(&self, place: usize) -> Reasons {
        let (edge, reasons) = &self.edges[place];
        let mut all = reasons.clone();
        edge.relation.strings().for_each(|s| all.extend(&self.engine.state.reasons[s.index()]));
        edge.relation.ints().for_each(|i| all.extend(&self.int_reasons[i.index()]));
        all
    }

    /// All edges and formulas of the graph: the reasons of what may depend on everything.
    pub fn all_reasons(&self) -> Reasons {
        let mut all = Reasons::new();
        (0..self.graph.edges().len() + self.graph.formulas().len()).for_each(|fact| all.insert(fact));
        all
    }

    /// What makes and combines automata.
    pub fn context(&self) -> &IntervalContext {
        &self.engine.lattice.context
    }

    /// A fresh allowance of steps for what [`Self::context`] makes.
    pub fn refill(&mut self, steps: u64) {
        self.engine.lattice.context.refill(steps);
    }

    /// Whether the languages alone say all that the graph's edge says, which can be so for an edge of one
    /// vertex.
    pub fn is_absorbed(&self, place: usize) -> bool {
        self.absorbed.get(place).copied().unwrap_or(false)
    }

    /// The formulas on integers that hold in all solutions.
    pub fn formulas(&self) -> &[IntFormula] {
        &self.formulas
    }

    /// Applies the rules of all waiting edges until nothing waits or a limit is reached. Whether the graph is
    /// refuted.
    pub fn settle(&mut self) -> Result<bool, Stop> {
        self.engine.worklist.start_sweeps();
        settle(self)
    }

    /// Whether some vertex has no value left: there is no solution.
    pub const fn is_refuted(&self) -> bool {
        self.engine.is_refuted()
    }

    /// The facts that the refutation depends on, if there is one.
    pub const fn conflict(&self) -> Option<&Reasons> {
        self.engine.conflict()
    }

    /// How many rules were left out because a limit was reached.
    pub const fn left_out(&self) -> u64 {
        self.engine.left_out
    }

    /// What is known now.
    pub fn state(&self) -> State {
        State {
            strings: self.engine.state.clone(),
            bounds: self.bounds.clone(),
            int_reasons: self.int_reasons.clone(),
        }
    }

    /// A function of known values has a known result, and a relation between known values holds or not.
    fn fold(&mut self, edge: &Edge) -> Result<(), Stop> {
        if self.is_refuted() {
            return Ok(());
        }
        let result = edge.relation.result();
        let known = |vertex: Vertex| match vertex {
            Vertex::String(s) => self.only(s).map(Value::String),
            Vertex::Int(i) => self.int(i).only().map(|n| Value::Int(Int::from(n))),
        };
        let vertices: Vec<Vertex> = edge.relation.vertices().collect();
        let arguments = if result.is_some() { vertices.len() - 1 } else { vertices.len() };
        let values: Vec<Option<Value>> = vertices.iter().map(|&v| known(v)).collect();
        if values.iter().take(arguments).any(Option::is_none) {
            return Ok(());
        }
        let value =
            |vertex: Vertex| vertices.iter().position(|&v| v == vertex).and_then(|at| values[at].clone());
        let word = |s| match value(Vertex::String(s)) {
            Some(Value::String(word)) => word,
            _ => SmtString::empty(),
        };
        let number = |i| match value(Vertex::Int(i)) {
            Some(Value::Int(number)) => number,
            _ => Int::ZERO,
        };
        if values.iter().all(Option::is_some) {
            if let Ok(false) = edge_holds(self.graph, edge, word, number) {
                self.refute();
            }
            return Ok(());
        }
        match (result, function_value(self.graph, &edge.relation, word, number)) {
            (Some(Vertex::String(r)), Some(Value::String(word))) => {
                self.narrow(r, &self.context().word(&word)?)
            }
            (Some(Vertex::Int(i)), Some(Value::Int(value))) => {
                if let Some(value) = value.small() {
                    self.bound(i, Interval::one(value));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Carries bounds along the formulas and into the languages.
    fn settle_numbers(&mut self) -> Result<(), Stop> {
        let Self { bounds, int_reasons, engine, formulas, formula_reasons, by_int, .. } = self;
        bounds.settle(formulas, self.limits.rounds, self.budget, &mut |place, touched, conflict| {
            let mut reasons = formula_reasons[place].clone();
            formulas[place].each_vertex(&mut |v| reasons.extend(&int_reasons[v.index()]));
            for vertex in touched {
                int_reasons[vertex.index()].extend(&reasons);
                by_int[vertex.index()].iter().for_each(|&edge| engine.worklist.wake(edge));
            }
            if conflict {
                engine.refute_by(reasons);
            }
        })?;
        for vertex in self.graph.string_vertices() {
            let Some(length) = self.graph.length_of(vertex).filter(|_| !self.is_refuted()) else {
                continue;
            };
            let Interval { low, high } = self.bounds.get(length);
            let (least, greatest) = self.lengths(vertex);
            let longer = low.is_some_and(|low| low > least && least < i64::from(MAX_PADDING));
            let shorter = high.is_some_and(|high| {
                greatest.is_none_or(|greatest| high < greatest) && high <= i64::from(MAX_PADDING)
            });
            if longer || shorter {
                self.refill(self.limits.steps);
                self.engine.present = self.int_reasons[length.index()].clone();
                let fits = self.context().words_of_length(low.unwrap_or(0), high);
                match fits.and_then(|fits| self.narrow(vertex, &fits)) {
                    Ok(()) => {}
                    Err(Stop::Steps(_) | Stop::Size { .. }) => self.engine.left_out += 1,
                    Err(stop) => return Err(stop),
                }
            }
        }
        Ok(())
    }

    /// The language of the vertex.
    pub fn language(&self, vertex: StringVertex) -> Language {
        Rc::clone(&self.engine.state.languages[vertex.index()].automaton)
    }

    /// What is known of the integer.
    pub fn int(&self, vertex: IntVertex) -> Interval {
        self.bounds.get(vertex)
    }

    /// The only word that the vertex may still be.
    pub fn only(&self, vertex: StringVertex) -> Option<SmtString> {
        let language = &self.engine.state.languages[vertex.index()].automaton;
        self.graph.word(vertex).cloned().or_else(|| self.context().only_word(language))
    }

    /// The lengths that words of the vertex have.
    pub fn lengths(&self, vertex: StringVertex) -> (i64, Option<i64>) {
        self.engine.state.languages[vertex.index()].lengths
    }

    /// Leaves the vertex only words of `by`.
    pub fn narrow(&mut self, vertex: StringVertex, by: &Automaton) -> Result<(), Stop> {
        let change = self.engine.narrow(vertex, by, &[])?;
        self.note(vertex, change);
        Ok(())
    }

    /// Takes the words of `what` from the vertex.
    pub fn remove(&mut self, vertex: StringVertex, what: &Automaton) -> Result<(), Stop> {
        let change = self.engine.remove(vertex, what, &[])?;
        self.note(vertex, change);
        Ok(())
    }

    /// Counts a change, and carries the lengths of the words to the length.
    fn note(&mut self, vertex: StringVertex, change: Change) {
        if change != Change::Narrowed {
            return;
        }
        let Measured { automaton, lengths: (least, greatest) } = &self.engine.state.languages[vertex.index()];
        self.tally.refinements += 1;
        self.tally.states = self.tally.states.max(automaton.states() as u64);
        let lengths = Interval { low: Some(*least), high: *greatest };
        if let Some(length) = self.graph.length_of(vertex) {
            let reasons = self.engine.state.reasons[vertex.index()].clone();
            self.bound_by(length, lengths, &reasons);
        }
    }

    /// The integer is inside.
    pub fn bound(&mut self, vertex: IntVertex, to: Interval) {
        let reasons = self.engine.present.clone();
        self.bound_by(vertex, to, &reasons);
    }

    /// The integer is inside, because of these facts.
    fn bound_by(&mut self, vertex: IntVertex, to: Interval, reasons: &Reasons) {
        let before = self.bounds.changes;
        self.bounds.narrow(vertex, to);
        if self.bounds.changes != before {
            self.int_reasons[vertex.index()].extend(reasons);
        }
        if self.bounds.conflict {
            self.engine.refute_by(self.int_reasons[vertex.index()].clone());
        }
    }

    /// There is no solution.
    pub fn refute(&mut self) {
        self.engine.refute();
    }

    /// Refutes the graph unless `holds`.
    pub fn require(&mut self, holds: bool) {
        self.engine.require(holds);
    }

    /// Leaves the vertex this word alone, as a search does.
    pub fn choose(&mut self, vertex: StringVertex, word: &SmtString) -> Result<(), Stop> {
        self.refill(self.limits.steps);
        self.engine.present = Reasons::new();
        let one = self.context().word(word)?;
        self.narrow(vertex, &one)
    }

    /// Leaves the integer this value alone, as a search does.
    pub fn choose_int(&mut self, vertex: IntVertex, value: i64) {
        self.engine.present = Reasons::new();
        self.bounds.take_touched();
        self.bound(vertex, Interval::one(value));
        self.wake_touched();
    }

    /// The edges at integers whose bounds came closer wait again.
    fn wake_touched(&mut self) {
        for vertex in self.bounds.take_touched() {
            self.by_int[vertex.index()].iter().for_each(|&edge| self.engine.worklist.wake(edge));
        }
    }

    /// Puts a fixed point back: no edge waits, and nothing is refuted.
    pub fn restart(&mut self, state: State) {
        self.engine.state = state.strings;
        self.bounds = state.bounds;
        self.int_reasons = state.int_reasons;
        self.engine.take_conflict();
        self.engine.worklist.clear();
    }
}

impl Rules for Refiner<'_> {
    type Lattice = IntervalLattice;

    fn engine(&mut self) -> &mut Engine<IntervalLattice> {
        &mut self.engine
    }

    fn before_sweep(&mut self) -> Result<(), Stop> {
        self.tally.rounds += 1;
        self.settle_numbers()
    }

    /// A rule looks at the languages and bounds of its vertices, all of them.
    fn begin(&mut self, edge: usize) -> Result<(), Stop> {
        self.budget.look()?;
        self.refill(self.limits.steps);
        self.engine.present = self.reasons_at(edge);
        self.bounds.take_touched();
        Ok(())
    }

    fn apply(&mut self, edge: usize) -> Result<(), Stop> {
        let (edge, _) = self.edges[edge].clone();
        rules::apply(self, &edge)?;
        self.fold(&edge)
    }

    fn end(&mut self, edge: usize, wholly: bool) {
        let (Edge { relation, .. }, _) = &self.edges[edge];
        self.absorbed[edge] |= wholly && matches!(relation, Relation::InRe { .. } | Relation::IsDigit { .. });
        self.wake_touched();
    }

    fn has_allowance(&self) -> bool {
        true
    }
}

impl AutomataPropagator for Refiner<'_> {
    type Algebra = RangeAlgebra;

    fn context(&self) -> &AutomataContext<RangeAlgebra> {
        Refiner::context(self)
    }

    fn language(&self, vertex: StringVertex) -> Language {
        Refiner::language(self, vertex)
    }

    fn is_single(&self, vertex: StringVertex) -> bool {
        self.only(vertex).is_some()
    }

    /// The reasons of a step are those of all vertices of its edge already.
    fn narrow(&mut self, vertex: StringVertex, by: &Automaton, _from: &[StringVertex]) -> Result<(), Stop> {
        Refiner::narrow(self, vertex, by)
    }

    fn remove(&mut self, vertex: StringVertex, what: &Automaton, _from: &[StringVertex]) -> Result<(), Stop> {
        Refiner::remove(self, vertex, what)
    }

    fn refute(&mut self) {
        Refiner::refute(self);
    }
}

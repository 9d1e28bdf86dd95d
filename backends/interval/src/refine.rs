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

use backends_api::{Budget, OptionSpec, Options, Stop};
use backends_graph::evaluate::{edge_holds, function_value};
use backends_graph::{Edge, IntFormula, IntVertex, Relation, StringGraph, StringVertex, Vertex};
use harness_model::int::Int;
use harness_model::{Regex, SmtString};
use harness_theory::Value;

use crate::bounds::{Bounds, Interval};
use crate::language::{Automaton, IntervalContext, Language, MAX_PADDING};
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
    /// By place of the string vertex.
    pub languages: Vec<Language>,
    /// Lengths of the shortest and the longest words, by place of the string vertex.
    pub lengths: Vec<(i64, Option<i64>)>,
    /// Of the integers.
    pub bounds: Bounds,
    /// Some vertex has no value left: there is no solution.
    pub conflict: bool,
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
    /// Rules that were left out because a limit was reached.
    pub left_out: u64,
}

/// Narrows what is known of one graph.
#[derive(Debug)]
pub struct Refiner<'g> {
    /// Whose vertices they are.
    pub graph: &'g StringGraph,
    /// What is known now.
    pub state: State,
    /// What was done.
    pub tally: Tally,
    pub(crate) context: IntervalContext,
    edges: Vec<Edge>,
    formulas: Vec<IntFormula>,
    limits: Limits,
    budget: &'g Budget,
    /// By place of the edge: whether the languages are known to be within what the edge says of its one
    /// vertex.
    absorbed: Vec<bool>,
    by_string: Vec<Vec<usize>>,
    by_int: Vec<Vec<usize>>,
    waiting: Vec<bool>,
    /// The present rule met an automaton that was too large to keep.
    oversize: bool,
}

impl<'g> Refiner<'g> {
    /// For a graph with a length vertex for every string vertex, whose constants are words over its alphabet.
    /// `derived` are formulas that hold in all solutions, beside the graph's own.
    pub fn new(
        graph: &'g StringGraph,
        derived: &[IntFormula],
        limits: Limits,
        budget: &'g Budget,
    ) -> Result<Self, Stop> {
        let mut formulas = graph.definition_formulas();
        formulas.extend(graph.formulas().iter().chain(derived).cloned());
        let context = IntervalContext::new(graph.alphabet(), limits.steps);
        let any = Rc::new(context.minimise(&context.regex(&Regex::set(graph.characters().clone()).star())?)?);
        let mut languages = Vec::new();
        for vertex in graph.string_vertices() {
            languages.push(match graph.word(vertex) {
                Some(word) => {
                    // A word of any length must be there: it is the vertex.
                    let context = IntervalContext::new(graph.alphabet(), u64::MAX);
                    Rc::new(context.minimise(&context.word(word)?)?)
                }
                None => Rc::clone(&any),
            });
        }
        let everything = (0, if graph.characters().is_empty() { Some(0) } else { None });
        let lengths = graph
            .string_vertices()
            .map(|v| match graph.word(v) {
                Some(word) => {
                    let length = i64::try_from(word.len()).unwrap_or(i64::MAX);
                    (length, Some(length))
                }
                None => everything,
            })
            .collect();
        let state = State { languages, lengths, bounds: Bounds::new(graph), conflict: false };
        let mut this = Self {
            graph,
            state,
            tally: Tally::default(),
            context,
            edges: Vec::new(),
            formulas,
            limits,
            budget,
            absorbed: Vec::new(),
            by_string: vec![Vec::new(); graph.strings().len()],
            by_int: vec![Vec::new(); graph.ints().len()],
            waiting: Vec::new(),
            oversize: false,
        };
        for edge in graph.edges() {
            this.add_edge(edge.clone());
        }
        Ok(this)
    }

    /// Another edge that holds in all solutions.
    pub fn add_edge(&mut self, edge: Edge) {
        let place = self.edges.len();
        for s in edge.relation.strings() {
            self.by_string[s.index()].push(place);
        }
        for i in edge.relation.ints() {
            self.by_int[i.index()].push(place);
        }
        self.edges.push(edge);
        self.absorbed.push(false);
        self.waiting.push(true);
    }

    /// Another formula that holds in all solutions; whether it is new.
    pub fn add_formula(&mut self, formula: IntFormula) -> bool {
        let new = !self.formulas.contains(&formula);
        if new {
            self.formulas.push(formula);
        }
        new
    }

    /// The edges of the graph, in its order, and those that were added.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
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
        let mut looked = vec![0; self.edges.len()];
        while !self.state.conflict {
            self.tally.rounds += 1;
            self.settle_numbers()?;
            let mut any = false;
            for (place, times) in looked.iter_mut().enumerate() {
                if self.state.conflict {
                    break;
                }
                if *times >= self.limits.rounds || !std::mem::take(&mut self.waiting[place]) {
                    continue;
                }
                *times += 1;
                any = true;
                self.look(place)?;
            }
            if !any {
                break;
            }
        }
        Ok(self.state.conflict)
    }

    fn look(&mut self, place: usize) -> Result<(), Stop> {
        self.budget.look()?;
        self.context.refill(self.limits.steps);
        self.oversize = false;
        let before = self.state.bounds.clone();
        let edge = self.edges[place].clone();
        let applied = rules::apply(self, &edge).and_then(|()| self.fold(&edge));
        match applied {
            Ok(()) if !self.oversize => {
                self.absorbed[place] |=
                    matches!(edge.relation, Relation::InRe { .. } | Relation::IsDigit { .. });
            }
            // What was narrowed so far is right, the rest is left out.
            Ok(()) | Err(Stop::Steps(_) | Stop::Size { .. }) => self.tally.left_out += 1,
            Err(stop) => return Err(stop),
        }
        self.wake(&before);
        Ok(())
    }

    /// A function of known values has a known result, and a relation between known values holds or not.
    fn fold(&mut self, edge: &Edge) -> Result<(), Stop> {
        if self.state.conflict {
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
                self.narrow(r, &self.context.word(&word)?)
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

    /// Edges at integers that are known better than before wait again.
    fn wake(&mut self, before: &Bounds) {
        if before.changes != self.state.bounds.changes {
            for vertex in self.graph.int_vertices() {
                if before.get(vertex) != self.state.bounds.get(vertex) {
                    for &place in &self.by_int[vertex.index()] {
                        self.waiting[place] = true;
                    }
                }
            }
        }
    }

    /// Carries bounds along the formulas and into the languages.
    fn settle_numbers(&mut self) -> Result<(), Stop> {
        let before = self.state.bounds.clone();
        self.state.bounds.settle(&self.formulas, self.limits.rounds, self.budget)?;
        self.wake(&before);
        self.state.conflict |= self.state.bounds.conflict;
        for vertex in self.graph.string_vertices() {
            let Some(length) = self.graph.length_of(vertex).filter(|_| !self.state.conflict) else {
                continue;
            };
            let Interval { low, high } = self.state.bounds.get(length);
            let (least, greatest) = self.state.lengths[vertex.index()];
            let longer = low.is_some_and(|low| low > least && least < i64::from(MAX_PADDING));
            let shorter = high.is_some_and(|high| {
                greatest.is_none_or(|greatest| high < greatest) && high <= i64::from(MAX_PADDING)
            });
            if longer || shorter {
                self.context.refill(self.limits.steps);
                let fits = self.context.words_of_length(low.unwrap_or(0), high);
                match fits.and_then(|fits| self.narrow(vertex, &fits)) {
                    Ok(()) => {}
                    Err(Stop::Steps(_) | Stop::Size { .. }) => self.tally.left_out += 1,
                    Err(stop) => return Err(stop),
                }
            }
        }
        Ok(())
    }

    /// The language of the vertex.
    pub fn language(&self, vertex: StringVertex) -> Language {
        Rc::clone(&self.state.languages[vertex.index()])
    }

    /// What is known of the integer.
    pub fn int(&self, vertex: IntVertex) -> Interval {
        self.state.bounds.get(vertex)
    }

    /// The only word that the vertex may still be.
    pub fn only(&self, vertex: StringVertex) -> Option<SmtString> {
        self.graph
            .word(vertex)
            .cloned()
            .or_else(|| self.context.only_word(&self.state.languages[vertex.index()]))
    }

    /// The lengths that words of the vertex have.
    pub fn lengths(&self, vertex: StringVertex) -> (i64, Option<i64>) {
        self.state.lengths[vertex.index()]
    }

    /// Leaves the vertex only words of `by`.
    pub fn narrow(&mut self, vertex: StringVertex, by: &Automaton) -> Result<(), Stop> {
        let old = self.language(vertex);
        if self.state.conflict || self.context.is_subset(&old, by)? {
            return Ok(());
        }
        let new = self.context.intersection(&old, by)?;
        self.set(vertex, &new)
    }

    /// Takes the words of `what` from the vertex.
    pub fn remove(&mut self, vertex: StringVertex, what: &Automaton) -> Result<(), Stop> {
        let old = self.language(vertex);
        if self.state.conflict || self.context.is_disjoint(&old, what)? {
            return Ok(());
        }
        let new = self.context.difference(&old, what)?;
        self.set(vertex, &new)
    }

    /// Makes `new`, which is part of the vertex' language and smaller, its language.
    fn set(&mut self, vertex: StringVertex, new: &Automaton) -> Result<(), Stop> {
        if self.context.is_empty(new)? {
            self.refute();
            return Ok(());
        }
        let new = self.context.minimise(new)?;
        if new.states() > self.limits.states {
            self.oversize = true;
            return Ok(());
        }
        let Some((least, greatest)) = self.context.lengths(&new)? else { return Ok(()) };
        self.tally.refinements += 1;
        self.tally.states = self.tally.states.max(new.states() as u64);
        self.state.languages[vertex.index()] = Rc::new(new);
        self.state.lengths[vertex.index()] = (least, greatest);
        if let Some(length) = self.graph.length_of(vertex) {
            self.bound(length, Interval { low: Some(least), high: greatest });
        }
        for &place in &self.by_string[vertex.index()] {
            self.waiting[place] = true;
        }
        Ok(())
    }

    /// The integer is inside.
    pub fn bound(&mut self, vertex: IntVertex, to: Interval) {
        self.state.bounds.narrow(vertex, to);
        self.state.conflict |= self.state.bounds.conflict;
    }

    /// There is no solution.
    pub fn refute(&mut self) {
        self.state.conflict = true;
    }

    /// Refutes the graph unless `holds`.
    pub fn require(&mut self, holds: bool) {
        self.state.conflict |= !holds;
    }

    /// Leaves the vertex this word alone, as a search does.
    pub fn choose(&mut self, vertex: StringVertex, word: &SmtString) -> Result<(), Stop> {
        self.context.refill(self.limits.steps);
        let one = self.context.word(word)?;
        self.narrow(vertex, &one)
    }

    /// Leaves the integer this value alone, as a search does.
    pub fn choose_int(&mut self, vertex: IntVertex, value: i64) {
        let before = self.state.bounds.clone();
        self.bound(vertex, Interval::one(value));
        self.wake(&before);
    }

    /// Puts a fixed point back: no edge waits.
    pub fn restart(&mut self, state: State) {
        self.state = state;
        self.waiting.fill(false);
    }
}

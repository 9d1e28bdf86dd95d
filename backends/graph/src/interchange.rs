//! The interchange: integers are guessed, strings are solved for them, and what fails is ruled out, until
//! something fits or no guess is left.
//!
//! Invariants: a clause that is added is false for the present guess, so no guess comes twice; with the sound
//! rules every formula that is asserted outside the bounds holds in every solution of the graph, so integers
//! that are unsatisfiable without the bounds mean that there is none. The values of an answer are checked by
//! whoever asked ([`crate::strategy::proved`]), and in builds with debug assertions here too, where the edge
//! at fault is known.
//!
//! Source: the study's figures 3.7, 3.12 and 3.15, and section 3.7.

use backends_api::{BackendError, Budget, Probe};
use harness_model::int::Int;
use harness_model::{CharSet, SmtString};

use crate::edge::{IntVertex, StringVertex};
use crate::evaluate::edge_holds;
use crate::formula::IntFormula;
use crate::graph::{IntKind, StringGraph};
use crate::linear::Sum;
use crate::options::{Options, RuleSet};
use crate::reasons::Reasons;
use crate::rules::{Counts, derive};
use crate::simplify::{Codes, Refuted, Simplified, simplify, simplify_for_guesses, simplify_with_ends};
use crate::solution::{Restoration, Values};
use crate::solver::{
    FixedAnswer, FixedSolvers, IntAnswer, IntAssignment, IntValues, IntegerSolver, IntegerSolvers, Refutation,
};

/// The lengths that are tried where others would be too long.
const SHORTER: i64 = 1024;

/// What the interchange says of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// A value for each declared variable, in order; `None` for one of sort RegLan.
    Sat(Values),
    /// There is none; the assertions of the problem that show it, by place, where the solver knows which.
    Unsat(Option<Reasons>),
    /// There is none up to the bounds.
    UnsatWithinBound,
    /// It could not tell, and why.
    Unknown(String),
}

/// A preprocessed graph with what is known of its integers.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The graph and how to read its solutions.
    pub simplified: Simplified,
    /// Integers of the original that are not in it, but codes of characters.
    pub codes: Codes,
    /// What its edges imply.
    pub derived: Vec<IntFormula>,
    /// The edges that imply it, for each of these.
    pub derived_from: Vec<Reasons>,
    /// What is taken for granted: bounds of lengths.
    pub bounds: Vec<IntFormula>,
    /// Whether the bounds, or a restriction to some characters, may lose solutions.
    pub restricted_characters: bool,
}

impl Prepared {
    /// A graph that was merged and folded only.
    pub fn without_rules(simplified: Simplified) -> Self {
        Self {
            simplified,
            codes: Codes::new(),
            derived: Vec::new(),
            derived_from: Vec::new(),
            bounds: Vec::new(),
            restricted_characters: false,
        }
    }
}

/// Preprocesses a graph: merging, folding, then the constraints that edges imply. `Ok(Err(_))` when a rule
/// refutes it.
pub fn prepare(
    graph: &StringGraph,
    options: &Options,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<Prepared, Refuted>, BackendError> {
    let simplified = if options.rules == RuleSet::Sound {
        simplify_with_ends(graph, counts, budget)?
    } else {
        simplify(graph, options.rules, counts, budget)?
    };
    match simplified {
        Ok(simplified) => imply(simplified, Codes::new(), options, counts, budget),
        Err(refuted) => Ok(Err(refuted)),
    }
}

/// As [`prepare`], with codes that only positions and bounds concern made characters
/// ([`simplify_for_guesses`]) and, with our own rules, places in constant words bounded and
/// digits of numerals related to them.
pub fn prepare_for_guesses(
    graph: &StringGraph,
    options: &Options,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<Prepared, Refuted>, BackendError> {
    match simplify_for_guesses(graph, options.rules, counts, budget)? {
        Ok((mut simplified, codes)) => {
            if options.rules == RuleSet::Sound {
                simplified.graph.bound_places();
                simplified.graph.relate_digits();
            }
            imply(simplified, codes, options, counts, budget)
        }
        Err(refuted) => Ok(Err(refuted)),
    }
}

/// The constraints that edges imply, and bounds.
fn imply(
    mut simplified: Simplified,
    codes: Codes,
    options: &Options,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<Prepared, Refuted>, BackendError> {
    let mut restricted_characters = false;
    if options.rules.is_restricted() {
        simplified.graph.restrict_characters(&CharSet::from_ranges([(32, 126)]));
        restricted_characters = true;
    }
    let derived = match derive(&simplified.graph, options, counts, budget)? {
        Ok(derived) => derived,
        Err((rule, edges)) => {
            let core = simplified.graph.sources_of(&edges).filter(|_| options.rules == RuleSet::Sound);
            return Ok(Err(Refuted { rule, core }));
        }
    };
    let (derived, derived_from) = derived.into_iter().unzip();
    let mut bounds = Vec::new();
    if let Some(most) = options.bound() {
        for vertex in simplified.graph.int_vertices() {
            if let IntKind::Length(_) = simplified.graph.int(vertex) {
                let length = Sum::from(vertex);
                bounds.push(length.le(&Sum::from(i64::from(most))));
                if options.rules.is_restricted() {
                    bounds.push(Sum::from(1_i64).le(&length));
                }
            }
        }
    }
    Ok(Ok(Prepared { simplified, codes, derived, derived_from, bounds, restricted_characters }))
}

/// Solves a graph. Phases: `preprocess`, `integer`, `string`, and what the integer solver's start is;
/// counters: `interchanges`, `integer_constraints`, `edges`, `edges_preprocessed`,
/// `refuted_by_preprocessing`, one for each rule.
pub fn solve(
    graph: &StringGraph,
    options: &Options,
    integers: &dyn IntegerSolvers,
    strings: &dyn FixedSolvers,
    budget: &Budget,
    probe: &Probe,
) -> Result<Solution, BackendError> {
    probe.count("edges", graph.edges().len() as u64);
    let mut counts = Counts::default();
    let prepared = probe.phase("preprocess", || prepare_for_guesses(graph, options, &mut counts, budget));
    counts.report(probe);
    let prepared = match prepared? {
        Ok(prepared) => prepared,
        Err(refuted) => {
            probe.count("refuted_by_preprocessing", 1);
            return Ok(Solution::Unsat(refuted.core));
        }
    };
    probe.count("edges_preprocessed", prepared.simplified.graph.edges().len() as u64);
    let order = options.order.arrange(&prepared.simplified.graph);
    integers.start(probe);
    strings.start(probe);
    let mut string_solver =
        probe.phase("string", || strings.solver(&prepared.simplified.graph, &order, budget))?;
    let mut interchange = probe.phase("integer", || Interchange::new(graph, &prepared, integers))?;
    probe.count("integer_constraints", interchange.constraints);
    loop {
        budget.look()?;
        probe.count("interchanges", 1);
        let answer = probe.phase("integer", || interchange.integers.solve(&interchange.small, budget))?;
        let values = match answer {
            IntAnswer::Sat(values) => values,
            IntAnswer::Unsat => return probe.phase("integer", || interchange.exhausted(budget)),
            IntAnswer::Unknown(why) => return Ok(Solution::Unknown(why)),
        };
        let values = match values.too_long(&interchange.prepared.simplified.graph) {
            None => values,
            // The integer solver may stop short of the least values.
            Some(why) => match probe.phase("integer", || interchange.shorter(budget))? {
                Some(values) => values,
                None => return Ok(Solution::Unknown(why)),
            },
        };
        let guess = IntAssignment::new(&prepared.simplified.graph, &values);
        match probe.phase("string", || string_solver.solve(&guess, probe))? {
            FixedAnswer::Sat(words) => return interchange.model(&words, &values).map(Solution::Sat),
            FixedAnswer::Unknown(why) => return Ok(Solution::Unknown(why)),
            FixedAnswer::Unsat(refutation) => {
                interchange.assumed |= refutation.assumed;
                interchange.note_core(&refutation);
                let added = probe.phase("integer", || interchange.refuse(&refutation, &values))?;
                probe.count("integer_constraints", added);
            }
        }
        let lengths = string_solver.suggestion();
        if lengths.is_empty() {
            continue;
        }
        probe.count("interchanges", 1);
        let Some(values) = probe.phase("integer", || interchange.suggested(&lengths, budget))? else {
            continue;
        };
        let guess = IntAssignment::new(&prepared.simplified.graph, &values);
        match probe.phase("string", || string_solver.solve(&guess, probe))? {
            FixedAnswer::Sat(words) => return interchange.model(&words, &values).map(Solution::Sat),
            FixedAnswer::Unknown(_) => {}
            FixedAnswer::Unsat(refutation) => {
                interchange.assumed |= refutation.assumed;
                interchange.note_core(&refutation);
                let added = probe.phase("integer", || interchange.refuse(&refutation, &values))?;
                probe.count("integer_constraints", added);
            }
        }
    }
}

struct Interchange<'a> {
    original: &'a StringGraph,
    prepared: &'a Prepared,
    integers: Box<dyn IntegerSolver + 'a>,
    /// Whose values should be small: lengths, then everything else that edges name.
    small: Vec<IntVertex>,
    /// Everything that was added since the level of the bounds was opened.
    clauses: Vec<IntFormula>,
    /// How many constraints the integer solver was given at first.
    constraints: u64,
    /// The assertions that a refutation without any integer needs.
    core: Option<Reasons>,
    /// Whether a guess was ruled out that may have had a solution.
    assumed: bool,
}

impl<'a> Interchange<'a> {
    fn new(
        original: &'a StringGraph,
        prepared: &'a Prepared,
        integers: &'a dyn IntegerSolvers,
    ) -> Result<Self, BackendError> {
        let graph = &prepared.simplified.graph;
        let mut solver = integers.solver()?;
        for vertex in graph.int_vertices() {
            solver.declare(vertex);
        }
        for (vertex, definition) in graph.definitions().iter().filter(|(_, d)| !d.is_linear()) {
            solver.define(*vertex, definition);
        }
        let definitions = graph.definition_formulas();
        let known = definitions.iter().chain(graph.formulas()).chain(&prepared.derived);
        let mut constraints = 0;
        for formula in known.filter(|f| **f != IntFormula::Bool(true)) {
            solver.assert(formula);
            constraints += 1;
        }
        solver.push();
        for formula in &prepared.bounds {
            solver.assert(formula);
            constraints += 1;
        }
        let lengths = graph.int_vertices().filter(|&v| matches!(graph.int(v), IntKind::Length(_)));
        let mut small: Vec<IntVertex> = lengths.collect();
        for edge in graph.edges() {
            for vertex in edge.relation.ints() {
                if graph.number(vertex).is_none() && !small.contains(&vertex) {
                    small.push(vertex);
                }
            }
        }
        Ok(Self {
            original,
            prepared,
            integers: solver,
            small,
            clauses: Vec::new(),
            constraints,
            core: None,
            assumed: false,
        })
    }

    /// Values with words that are not too long, if there are any.
    fn shorter(&mut self, budget: &Budget) -> Result<Option<IntValues>, BackendError> {
        let graph = &self.prepared.simplified.graph;
        self.integers.push();
        for vertex in graph.int_vertices().filter(|&v| matches!(graph.int(v), IntKind::Length(_))) {
            self.integers.assert(&Sum::from(vertex).le(&Sum::from(SHORTER)));
        }
        let answer = self.integers.solve(&self.small, budget);
        self.integers.pop();
        Ok(match answer? {
            IntAnswer::Sat(values) => Some(values),
            IntAnswer::Unsat | IntAnswer::Unknown(_) => None,
        })
    }

    /// Values with these lengths, if there are any.
    fn suggested(
        &mut self,
        lengths: &[(StringVertex, usize)],
        budget: &Budget,
    ) -> Result<Option<IntValues>, BackendError> {
        let graph = &self.prepared.simplified.graph;
        self.integers.push();
        for &(vertex, length) in lengths {
            if let Some(vertex) = graph.length_of(vertex) {
                self.integers.assert(&Sum::from(vertex).eq(&Sum::from(length)));
            }
        }
        let answer = self.integers.solve(&self.small, budget);
        self.integers.pop();
        Ok(match answer? {
            IntAnswer::Sat(values) if values.too_long(graph).is_none() => Some(values),
            IntAnswer::Sat(_) | IntAnswer::Unsat | IntAnswer::Unknown(_) => None,
        })
    }

    /// The integers have no further solution. Without the bounds too?
    fn exhausted(&mut self, budget: &Budget) -> Result<Solution, BackendError> {
        if self.assumed {
            return Ok(Solution::Unknown(
                "some guesses were ruled out without proof, and no guess is left".to_owned(),
            ));
        }
        if self.prepared.bounds.is_empty() && !self.prepared.restricted_characters {
            return Ok(Solution::Unsat(self.core.take()));
        }
        if self.prepared.restricted_characters && !self.clauses.is_empty() {
            // Refutations by the string solver are about the restricted characters only.
            return Ok(Solution::UnsatWithinBound);
        }
        self.integers.pop();
        for clause in &self.clauses {
            self.integers.assert(clause);
        }
        Ok(match self.integers.solve(&self.small, budget)? {
            IntAnswer::Unsat => Solution::Unsat(None),
            IntAnswer::Sat(_) | IntAnswer::Unknown(_) => Solution::UnsatWithinBound,
        })
    }

    /// Remembers what a refutation that holds whatever the integers depends on. Then no guess is left.
    fn note_core(&mut self, refutation: &Refutation) {
        if refutation.ints.is_empty() && !refutation.edges.is_empty() {
            let mut edges = Reasons::new();
            refutation.edges.iter().for_each(|edge| edges.insert(edge.index()));
            self.core = self.prepared.simplified.graph.sources_of(&edges);
        }
    }

    /// Rules the guess out: not all of the vertices that were used have these values again. How many
    /// constraints were added.
    fn refuse(&mut self, refutation: &Refutation, values: &IntValues) -> Result<u64, BackendError> {
        let graph = &self.prepared.simplified.graph;
        let used = refutation.ints.iter().filter(|v| graph.number(**v).is_none());
        let clause = IntFormula::or(used.map(|&v| Sum::from(v).ne(&Sum::from(values.get(v).clone()))));
        let mut added = 0;
        for formula in refutation.learned.iter().chain([&clause]) {
            if *formula == IntFormula::Bool(true) {
                continue;
            }
            self.integers.assert(formula);
            self.clauses.push(formula.clone());
            added += 1;
        }
        Ok(added)
    }

    /// The values of the original's declared variables.
    fn model(&self, words: &[SmtString], values: &IntValues) -> Result<Values, BackendError> {
        let Prepared { simplified, codes, .. } = &self.prepared;
        let restoration = Restoration::new(self.original, simplified).with_codes(codes);
        let number = |vertex| values.get(vertex).clone();
        if cfg!(debug_assertions) && restoration.model(words, &number)?.is_none() {
            return Err(BackendError::Internal(self.blame(words, values)));
        }
        Ok(restoration.values(words, &number))
    }

    /// Which edge a model violates.
    fn blame(&self, words: &[SmtString], values: &IntValues) -> String {
        let graph = &self.prepared.simplified.graph;
        let word =
            |s| graph.word(s).or_else(|| words.get(StringVertex::index(s))).cloned().unwrap_or_default();
        let number = |i| graph.number(i).unwrap_or_else(|| values.get(i)).clone();
        let broken = graph.edges().iter().find(|edge| edge_holds(graph, edge, word, number) != Ok(true));
        match broken {
            Some(edge) => format!("the string solver's words violate {}", graph.edge_text(edge)),
            None => {
                let number = |i| number(i);
                let lengths = graph
                    .string_vertices()
                    .find(|&s| graph.length_of(s).is_some_and(|l| number(l) != Int::from(word(s).len())));
                let formula = graph.formulas().iter().find(|f| !f.eval(&number));
                match (lengths, formula) {
                    (Some(s), _) => {
                        format!("'{}' does not have the length that was asked for", graph.string_name(s))
                    }
                    (None, Some(formula)) => {
                        format!("the integer solver's values violate {}", graph.formula_text(formula))
                    }
                    (None, None) => {
                        "the model satisfies the preprocessed graph but not the original one".to_owned()
                    }
                }
            }
        }
    }
}

//! Full solving: numbers are proposed, strings are solved for them, and what is refused is learned, until
//! something fits, nothing is left, or the limit on iterations is reached.
//!
//! Invariants: what the numeric solver is given for good holds in every solution, so when it says that
//! nothing is left without any narrowed case, there is no solution; each refusal excludes the values that
//! were refused, so no values come twice. The values of an answer are checked by the strategy, and in builds
//! with debug assertions here too.
//!
//! Source: JST, section IV-A, figure 3, and section IV-C.

use backends_api::{BackendError, Budget, Probe};
use backends_graph::{
    FixedAnswer, IntAnswer, IntAssignment, IntDefinition, IntFormula, IntKind, IntVertex, IntegerSolver,
    IntegerSolvers, Restoration, Solution, StringGraph, Sum,
};
use harness_model::int::Int;

use crate::domain::StringDomain;
use crate::options::{Options, Split};
use crate::relational::post_topological;
use crate::relaxed::{self, Exchanged};
use crate::split::{Cases, clause};

/// Every so many guesses no case is assumed.
const PLAIN_EVERY: u64 = 4;
/// A fault of the string solver.
const NO_MODEL: &str = "the words and numbers found do not satisfy the graph";

/// Goes on from where relaxed solving of `original` ended: what it found, and after how many iterations.
/// Phases: `numeric`, `string`; counters: `iterations`, `iterations_max` (of one question), `narrow_cases`,
/// `learned`.
pub fn solve(
    original: &StringGraph,
    mut exchanged: Exchanged,
    options: &Options,
    integers: &dyn IntegerSolvers,
    strings: &dyn StringDomain,
    budget: &Budget,
    probe: &Probe,
) -> Result<(Solution, u64), BackendError> {
    let small = small(&mut exchanged);
    let order = post_topological(&exchanged.simplified.graph);
    let graph = &exchanged.simplified.graph;
    let mut string_solver = probe.phase("string", || strings.solver(graph, &order, budget))?;
    let mut numbers = Numbers {
        solver: probe.phase("numeric", || relaxed::solver(&exchanged, integers))?,
        small,
        split: options.split,
        cases: Cases::default(),
        guesses: 0,
        tried: 0,
    };
    let mut iterations: u64 = 0;
    let solution = loop {
        budget.look()?;
        if iterations >= u64::from(options.iterations) {
            break Solution::Unknown(format!("iterations: the limit of {} is reached", options.iterations));
        }
        iterations += 1;
        let values = match probe.phase("numeric", || numbers.guess(budget))? {
            IntAnswer::Sat(values) => values,
            IntAnswer::Unsat => break Solution::Unsat(None),
            IntAnswer::Unknown(why) => break Solution::Unknown(why),
        };
        if let Some(why) = values.too_long(graph) {
            break Solution::Unknown(why);
        }
        let guess = IntAssignment::new(graph, &values);
        match probe.phase("string", || string_solver.solve(&guess, probe))? {
            FixedAnswer::Sat(words) => {
                let restoration = Restoration::new(original, &exchanged.simplified);
                let number = |vertex| values.get(vertex).clone();
                if cfg!(debug_assertions) && restoration.model(&words, &number)?.is_none() {
                    return Err(BackendError::Internal(NO_MODEL.to_owned()));
                }
                break Solution::Sat(restoration.values(&words, &number));
            }
            FixedAnswer::Unknown(why) => break Solution::Unknown(why),
            FixedAnswer::Unsat(refutation) if refutation.assumed => {
                break Solution::Unknown("the string solver ruled numbers out without proof".to_owned());
            }
            FixedAnswer::Unsat(refutation) => {
                let used = refutation.ints.iter().filter(|v| graph.number(**v).is_none());
                let refused: Vec<(IntVertex, Int)> = used.map(|&v| (v, values.get(v).clone())).collect();
                let learned = numbers.refuse(&refused, &refutation.learned);
                probe.count("learned", learned);
            }
        }
    };
    probe.count("iterations", iterations);
    probe.peak("iterations_max", iterations);
    probe.count("narrow_cases", numbers.tried);
    Ok((solution, iterations))
}

/// The vertices that should be close to zero: lengths, and what edges name, as its distance from zero.
/// Defines these distances.
fn small(exchanged: &mut Exchanged) -> Vec<IntVertex> {
    let graph = &mut exchanged.simplified.graph;
    let mut lengths = Vec::new();
    let mut others: Vec<IntVertex> = Vec::new();
    for vertex in graph.int_vertices() {
        if matches!(graph.int(vertex), IntKind::Length(_)) {
            lengths.push(vertex);
        }
    }
    for edge in graph.edges() {
        for vertex in edge.relation.ints() {
            if graph.number(vertex).is_none() && !lengths.contains(&vertex) && !others.contains(&vertex) {
                others.push(vertex);
            }
        }
    }
    for vertex in others {
        let (value, zero) = (Sum::from(vertex), Sum::from(0_i64));
        let distance = IntDefinition::Choice(zero.le(&value), value.clone(), zero.sub(&value));
        let formula = |v| distance.formula(v);
        let vertex = graph.defined_int(distance.clone());
        exchanged.numeric.push(formula(vertex));
        // So that the solver need not look below.
        exchanged.numeric.push(zero.le(&Sum::from(vertex)));
        lengths.push(vertex);
    }
    lengths
}

/// The numeric domain with everything that it learned.
struct Numbers<'i> {
    solver: Box<dyn IntegerSolver + 'i>,
    small: Vec<IntVertex>,
    split: Split,
    cases: Cases,
    guesses: u64,
    /// How many narrowed cases were asked for.
    tried: u64,
}

impl Numbers<'_> {
    /// The next values. `Unsat` is said of everything known alone, never of a case.
    fn guess(&mut self, budget: &Budget) -> Result<IntAnswer, BackendError> {
        self.guesses += 1;
        let plain = self.split == Split::Plain || self.guesses.is_multiple_of(PLAIN_EVERY);
        while let Some(case) = self.cases.present().filter(|_| !plain) {
            budget.look()?;
            self.tried += 1;
            self.solver.push();
            self.solver.assert(&case);
            let answer = self.solver.solve(&self.small, budget);
            self.solver.pop();
            match answer? {
                IntAnswer::Sat(values) => return Ok(IntAnswer::Sat(values)),
                IntAnswer::Unsat | IntAnswer::Unknown(_) => self.cases.next(),
            }
        }
        Ok(self.solver.solve(&self.small, budget)?)
    }

    /// Learns that these values, and whatever `learned` excludes, are not part of a solution. How many
    /// formulas that are.
    fn refuse(&mut self, refused: &[(IntVertex, Int)], learned: &[IntFormula]) -> u64 {
        let clause = clause(refused);
        let mut count = 0;
        for formula in learned.iter().chain([&clause]).filter(|f| **f != IntFormula::Bool(true)) {
            self.solver.assert(formula);
            count += 1;
        }
        if self.split == Split::Narrow {
            self.cases.refine(refused);
        }
        count
    }
}

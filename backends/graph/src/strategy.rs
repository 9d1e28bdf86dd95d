//! Solvers of string graphs as strategies, the interchange first of all: scripts in, verdicts with models
//! out.

use std::time::Duration;

use backends_api::{
    BackendError, Budget, Probe, Run, Stop, Strategy, StrategyInfo, Taken, Treatment, time_text,
};
use backends_boolean::{Conjunctions, Decision, Unknowns};
use backends_fold::{OwnCheck, check};
use backends_input::script_of;
use harness_model::{Alphabet, Answer, Outcome, Question, Verdict, Witness};
use harness_smtlib::model;
use harness_theory::Assignment;
use harness_theory::{Op, Problem, Script, lower};

use crate::graph::StringGraph;
use crate::interchange::{Solution, solve};
use crate::options::Options;
use crate::relation::Relation;
use crate::solution::assignment;
use crate::solver::{FixedSolvers, IntegerSolvers};

/// Anything that solves string graphs: what a [`SolverStrategy`] makes a strategy of.
pub trait GraphSolver: Send + Sync {
    /// Solves a graph. The values of an answer are not checked yet: that is [`proved`]'s business, once for
    /// each answer.
    fn solve(&self, graph: &StringGraph, budget: &Budget, probe: &Probe) -> Result<Solution, BackendError>;

    /// Whether [`Self::solve`] decides such a graph as it is meant, given time, or something weaker or
    /// stronger in its place. No solver is touched. `Unsupported` as by [`Self::solve`].
    fn takes(&self, graph: &StringGraph, budget: &Budget) -> Result<Taken, BackendError>;
}

/// What a solver of string graphs does with an operation: graphs are made of its forms, or of the literals
/// that Boolean structure is taken apart into, which [`StringGraph`] may refuse already, and `takes` is asked
/// about each.
pub fn treatment(op: Op, takes: impl Fn(&StringGraph) -> Result<Taken, BackendError>) -> Treatment {
    let alone = |problem: &Problem| match StringGraph::of_problem(problem, Alphabet::Ascii) {
        Ok(graph) => Some(takes(&graph).unwrap_or(Taken::NotAtAll)),
        Err(_) => None,
    };
    let take = |problem: &Problem| {
        if let Some(taken) = alone(problem) {
            return taken;
        }
        // As scripts are read.
        let unfolded = lower::unfold(problem, Alphabet::Ascii, Relation::stands_for);
        let problem = unfolded.as_ref().unwrap_or(problem);
        let Ok(literals) = backends_boolean::literals(problem, Alphabet::Ascii) else {
            return Taken::NotAtAll;
        };
        let each = literals.iter().map(|literal| alone(literal).unwrap_or(Taken::NotAtAll));
        each.max().unwrap_or(Taken::Exactly)
    };
    Treatment::of(op, op.is_java() && !Relation::stands_for(op), take)
}

/// The interchange between a string solver and an integer solver. Each `check-sat` of a script is answered by
/// itself.
pub type GraphStrategy<S, I> = SolverStrategy<Interchange<S, I>>;

/// The interchange as a solver of graphs.
#[derive(Clone, Debug)]
pub struct Interchange<S, I> {
    options: Options,
    strings: S,
    integers: I,
}

impl<S: FixedSolvers, I: IntegerSolvers> GraphSolver for Interchange<S, I> {
    fn solve(&self, graph: &StringGraph, budget: &Budget, probe: &Probe) -> Result<Solution, BackendError> {
        solve(graph, &self.options, &self.integers, &self.strings, budget, probe)
    }

    /// As the string solvers do; with a bound on lengths, longer words are not looked for.
    fn takes(&self, graph: &StringGraph, _: &Budget) -> Result<Taken, BackendError> {
        let bounded = self.options.bound().is_some() && !graph.strings().is_empty();
        Ok(if bounded { Taken::Roughly } else { self.strings.takes(graph) })
    }
}

impl<S: FixedSolvers, I: IntegerSolvers> SolverStrategy<Interchange<S, I>> {
    /// `info.name` is the canonical name, which the family gives.
    pub const fn new(info: StrategyInfo, options: Options, strings: S, integers: I) -> Self {
        Self { info, check_limit: options.check_limit, solver: Interchange { options, strings, integers } }
    }
}

/// A solver of string graphs as a strategy: scripts in, verdicts with models out. Each `check-sat` of a
/// script is answered by itself, and each model is checked on the problem as it was asked, in the phase
/// `validate`.
#[derive(Clone, Debug)]
pub struct SolverStrategy<G> {
    info: StrategyInfo,
    check_limit: Option<Duration>,
    solver: G,
}

impl<G: GraphSolver> SolverStrategy<G> {
    /// Under this name, without a limit for a query.
    pub const fn of(info: StrategyInfo, solver: G) -> Self {
        Self { info, check_limit: None, solver }
    }
}

impl<G: GraphSolver> Strategy for SolverStrategy<G> {
    fn info(&self) -> StrategyInfo {
        self.info.clone()
    }

    fn operation(&self, op: Op) -> Option<Treatment> {
        Some(treatment(op, |graph| self.solver.takes(graph, &Budget::unlimited())))
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let script = script_of(question, Relation::stands_for, probe)?;
        let (solver, check_limit) = (&self.solver, self.check_limit);
        Ok(Box::new(GraphRun { solver, script, alphabet: question.alphabet, budget, check_limit }))
    }
}

struct GraphRun<'a, G> {
    solver: &'a G,
    script: Script,
    alphabet: Alphabet,
    budget: &'a Budget,
    check_limit: Option<Duration>,
}

impl<G: GraphSolver> Run for GraphRun<'_, G> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        let has_several = self.script.queries.len() > 1;
        let answers = self.script.queries.iter().enumerate().map(|(place, query)| {
            let before = Spent::by_now(probe);
            let answer = self.answer_in_time(&query.problem, probe);
            let mut answer = answer.or_else(BackendError::into_answer)?;
            if has_several {
                answer.counters.extend(Spent::by_now(probe).since(&before));
            }
            probe.answered(place, &answer);
            Ok(answer)
        });
        Ok(Outcome { answers: answers.collect::<Result<_, BackendError>>()? })
    }
}

/// The counter of an answer that the limit of a query ended.
const OUT_OF_TIME: &str = "out_of_time";

/// What of a record's phases and counters is told for each answer too, where a script has several. Times are
/// in nanoseconds.
const PHASES: [(&str, &str); 2] = [("string", "string_ns"), ("integer", "integer_ns")];
const COUNTERS: [&str; 2] = ["interchanges", "refuted_by_preprocessing"];

/// How far these had come at a moment.
struct Spent([(&'static str, u64); PHASES.len() + COUNTERS.len()]);

impl Spent {
    fn by_now(probe: &Probe) -> Self {
        let time = |(phase, name)| (name, u64::try_from(probe.time_of(phase).as_nanos()).unwrap_or(u64::MAX));
        let [string, integer] = PHASES.map(time);
        let [interchanges, refuted] = COUNTERS.map(|name| (name, probe.counted(name)));
        Self([string, integer, interchanges, refuted])
    }

    /// What came to it, without what did not change.
    fn since(&self, before: &Self) -> impl Iterator<Item = (String, u64)> {
        let pairs = self.0.iter().zip(&before.0);
        let more = pairs.map(|((name, now), (_, then))| ((*name).to_owned(), now.saturating_sub(*then)));
        more.filter(|(_, more)| *more > 0)
    }
}

impl<G: GraphSolver> GraphRun<'_, G> {
    /// The answer to a query, or that the limit for one was met.
    fn answer_in_time(&self, problem: &Problem, probe: &Probe) -> Result<Answer, BackendError> {
        let Some(limit) = self.check_limit else { return self.answer(problem, self.budget, probe) };
        let part = self.budget.part(limit);
        let answer = self.answer(problem, &part, probe);
        self.budget.go_on_after(&part);
        match answer {
            // Where the whole is over too, nothing is left to go on with.
            Err(BackendError::Stopped(Stop::Time)) if self.budget.look().is_ok() => {
                let why = format!("the limit of {} for a check-sat was met", time_text(limit));
                let mut answer = Answer::unknown(why);
                answer.counters.insert(OUT_OF_TIME.to_owned(), 1);
                Ok(answer)
            }
            other => other,
        }
    }

    fn answer(&self, problem: &Problem, budget: &Budget, probe: &Probe) -> Result<Answer, BackendError> {
        let mut solve = |graph: &StringGraph, budget: &Budget| self.solver.solve(graph, budget, probe);
        Ok(match decide(problem, self.alphabet, Unknowns::GoOn, &mut solve, budget, probe)? {
            Decision::Unsat(_) => Answer::of(Verdict::Unsat),
            Decision::UnsatWithinBound => Answer::of(Verdict::UnsatWithinBound),
            Decision::Unknown(why) => Answer::unknown(why),
            Decision::Sat(model) => proved(problem, &model, self.alphabet, probe)?,
        })
    }
}

/// Decides a problem: as one graph if it is one, else by the conjunctions that its Boolean structure has
/// ([`backends_boolean::solve`]), each as a graph. The values of an answer are not checked yet.
///
/// # Errors
///
/// As those of `solve`; `Unsupported` with what graphs do not have.
pub fn decide(
    problem: &Problem,
    alphabet: Alphabet,
    unknowns: Unknowns,
    solve: &mut dyn FnMut(&StringGraph, &Budget) -> Result<Solution, BackendError>,
    budget: &Budget,
    probe: &Probe,
) -> Result<Decision, BackendError> {
    let mut graphs = Graphs { alphabet, solve };
    match probe.phase("graph", || StringGraph::of_problem(problem, alphabet)) {
        Ok(graph) => graphs.solved(problem, &graph, budget),
        Err(_) => backends_boolean::solve(problem, alphabet, unknowns, &mut graphs, budget, probe),
    }
}

/// Conjunctions as graphs.
struct Graphs<'s> {
    alphabet: Alphabet,
    solve: &'s mut dyn FnMut(&StringGraph, &Budget) -> Result<Solution, BackendError>,
}

impl Graphs<'_> {
    fn solved(
        &mut self,
        problem: &Problem,
        graph: &StringGraph,
        budget: &Budget,
    ) -> Result<Decision, BackendError> {
        graph.refuse_foreign()?;
        // What is divided by zero may be anything, so such a model proves nothing; but without them there may
        // be another one.
        if let Some(fixed) = graph.without_zero_divisors()
            && let Solution::Sat(values) = (self.solve)(&fixed, budget)?
        {
            return Ok(Decision::Sat(assignment(problem, values)));
        }
        Ok(match (self.solve)(graph, budget)? {
            Solution::Unsat(core) => Decision::Unsat(core),
            Solution::UnsatWithinBound => Decision::UnsatWithinBound,
            Solution::Unknown(why) => Decision::Unknown(why),
            Solution::Sat(values) => Decision::Sat(assignment(problem, values)),
        })
    }
}

impl Conjunctions for Graphs<'_> {
    fn decide(
        &mut self,
        problem: &Problem,
        budget: &Budget,
        probe: &Probe,
    ) -> Result<Decision, BackendError> {
        let graph = probe
            .phase("graph", || StringGraph::of_problem(problem, self.alphabet))
            .map_err(|refusal| BackendError::Unsupported(refusal.0))?;
        self.solved(problem, &graph, budget)
    }
}

/// The answer `sat` with its model, once that was found right for the problem itself: what a solver knows is
/// a graph, from which an assertion may have been lost. `unknown` where it cannot be computed. Phase:
/// `validate`.
///
/// # Errors
///
/// When an assertion is false: a defect of the solver.
pub fn proved(
    problem: &Problem,
    assignment: &Assignment,
    alphabet: Alphabet,
    probe: &Probe,
) -> Result<Answer, BackendError> {
    match probe.phase("validate", || check(problem, assignment, alphabet)) {
        OwnCheck::Holds => Ok(Answer::proved(Verdict::Sat, Witness::Model(model::text(problem, assignment)))),
        OwnCheck::Fails(assertion) => Err(BackendError::Internal(format!(
            "the model satisfies the graph but not assertion {assertion} of the problem"
        ))),
        OwnCheck::Unknown(why) => Ok(Answer::unknown(why)),
    }
}

//! The strategies: scripts and path trees in, verdicts with models out.
//!
//! A script that is a path tree ([`harness_smtlib::tree`]) has one answer for each node. A node below one
//! that is refuted is refuted without any solving, as an executor would never have come there. A node that
//! relaxed solving does not refute is answered `unknown`, tentatively satisfiable; if a node below it gets a
//! model, so does it, for that model satisfies its conditions too. So no verdict is a guess, and the counters
//! tell what the tables count.

use backends_api::{BackendError, Budget, Probe, Run, Strategy, StrategyInfo, Taken, Treatment};
use backends_graph::{
    Decision, IntegerSolvers, Relation, Solution, StringGraph, Unknowns, decide, proved, strategy::treatment,
};
use backends_input::{read_script, script_source};
use harness_model::{Alphabet, Answer, Outcome, Question, Verdict};
use harness_smtlib::tree::{self, NodeKind, PathTree};
use harness_theory::Assignment;
use harness_theory::{Op, Problem, Script};

use crate::domain::StringDomain;
use crate::full;
use crate::options::{Mode, Options};
use crate::relaxed::{self, Relaxed};

/// What the reason of an answer of relaxed solving says.
pub const TENTATIVE: &str = "relaxed: tentatively satisfiable";

/// Numbers and strings in iteration.
#[derive(Clone, Debug)]
pub struct Hybrid<S, I> {
    info: StrategyInfo,
    options: Options,
    strings: S,
    integers: I,
}

impl<S: StringDomain, I: IntegerSolvers> Hybrid<S, I> {
    /// With a name of its own.
    pub const fn new(info: StrategyInfo, options: Options, strings: S, integers: I) -> Self {
        Self { info, options, strings, integers }
    }
}

impl<S: StringDomain, I: IntegerSolvers> Strategy for Hybrid<S, I> {
    fn info(&self) -> StrategyInfo {
        self.info.clone()
    }

    /// A graph outside of a path tree is solved in full, unless the mode is relaxed.
    fn operation(&self, op: Op) -> Option<Treatment> {
        let taken = match self.options.mode {
            Mode::Staged | Mode::Full => Taken::Exactly,
            Mode::Relaxed => Taken::Roughly,
        };
        Some(treatment(op, |_| Ok(taken)))
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let source = script_source(question, probe)?;
        let script = read_script(&source, question.alphabet, Relation::stands_for, probe)?;
        let tree = probe.phase("parse", || tree::read(source.text.as_bytes()));
        let tree = tree.map_err(|error| BackendError::Input(error.to_string()))?;
        Ok(Box::new(HybridRun { strategy: self, script, tree, alphabet: question.alphabet, budget }))
    }
}

struct HybridRun<'a, S, I> {
    strategy: &'a Hybrid<S, I>,
    script: Script,
    tree: Option<PathTree>,
    alphabet: Alphabet,
    budget: &'a Budget,
}

/// An answer with the model behind it.
struct Found {
    answer: Answer,
    model: Option<Assignment>,
    /// Whether relaxed solving left it open.
    tentative: bool,
}

impl Found {
    const fn of(verdict: Verdict) -> Self {
        Self { answer: Answer::of(verdict), model: None, tentative: false }
    }

    fn unknown(reason: String) -> Self {
        Self { answer: Answer::unknown(reason), ..Self::of(Verdict::Unknown) }
    }
}

impl<S: StringDomain, I: IntegerSolvers> Run for HybridRun<'_, S, I> {
    /// Besides the counters of solving: `nodes_relaxed`, `nodes_full`, `nodes_pruned`, and of a path tree
    /// `paths_true`, `paths_exception` (ends with a model) and `paths_tentative` (ends that throw nothing and
    /// are not refuted in relaxed mode).
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        let mode = self.strategy.options.mode;
        let mut found: Vec<Found> = Vec::with_capacity(self.script.queries.len());
        for (place, query) in self.script.queries.iter().enumerate() {
            let node = self.tree.as_ref().and_then(|tree| tree.nodes.get(place));
            let parent = node.and_then(|node| node.parent).and_then(|parent| found.get(parent));
            if parent.is_some_and(|parent| parent.answer.verdict == Verdict::Unsat) {
                probe.count("nodes_pruned", 1);
                probe.answered(place, &Answer::of(Verdict::Unsat));
                found.push(Found::of(Verdict::Unsat));
                continue;
            }
            let full = match (mode, node) {
                (Mode::Full, _) | (Mode::Staged, None) => true,
                (Mode::Relaxed, _) => false,
                (Mode::Staged, Some(node)) => node.kind.is_end(),
            };
            probe.count(if full { "nodes_full" } else { "nodes_relaxed" }, 1);
            let answer = self.answer(&query.problem, full, probe).or_else(|error| {
                let answer = error.into_answer()?;
                Ok::<_, BackendError>(Found { answer, model: None, tentative: true })
            })?;
            if let Some(node) = node {
                let sat = answer.answer.verdict == Verdict::Sat;
                match node.kind {
                    NodeKind::Leaf => {
                        probe.count("paths_true", u64::from(sat));
                        probe.count("paths_tentative", u64::from(answer.tentative));
                    }
                    NodeKind::Exception => probe.count("paths_exception", u64::from(sat)),
                    NodeKind::Inner => {}
                }
            }
            probe.answered(place, &answer.answer);
            found.push(answer);
            if let Some(tree) = &self.tree {
                self.model_upwards(tree, &mut found, probe)?;
            }
        }
        Ok(Outcome { answers: found.into_iter().map(|found| found.answer).collect() })
    }
}

impl<S: StringDomain, I: IntegerSolvers> HybridRun<'_, S, I> {
    fn answer(&self, problem: &Problem, full: bool, probe: &Probe) -> Result<Found, BackendError> {
        let Hybrid { options, strings, integers, .. } = self.strategy;
        // Of full solving, where it was begun.
        let mut iterations: Option<u64> = None;
        let mut solve = |graph: &StringGraph, budget: &Budget| -> Result<Solution, BackendError> {
            let exchanged = match relaxed::solve(graph, options, integers, strings, budget, probe)? {
                Relaxed::Unsat => return Ok(Solution::Unsat(None)),
                Relaxed::Unknown(why) => return Ok(Solution::Unknown(why)),
                Relaxed::Tentative(exchanged) => exchanged,
            };
            if !full {
                return Ok(Solution::Unknown(TENTATIVE.to_owned()));
            }
            let (solution, more) = full::solve(graph, *exchanged, options, integers, strings, budget, probe)?;
            iterations = Some(iterations.unwrap_or(0) + more);
            Ok(solution)
        };
        // Relaxed solving never finds values: what it leaves open once is open.
        let unknowns = if full { Unknowns::GoOn } else { Unknowns::Stop };
        let decision = decide(problem, self.alphabet, unknowns, &mut solve, self.budget, probe)?;
        // An end is tentative unless relaxed solving refutes it, even if no literal had to be solved.
        let tentative =
            iterations.is_some() || !matches!(decision, Decision::Unsat(_) | Decision::UnsatWithinBound);
        let mut found = match decision {
            Decision::Unsat(_) => Found::of(Verdict::Unsat),
            Decision::UnsatWithinBound => Found::of(Verdict::UnsatWithinBound),
            Decision::Unknown(why) => Found::unknown(why),
            Decision::Sat(model) => self.checked(problem, model, probe)?,
        };
        found.tentative = tentative;
        if let Some(iterations) = iterations {
            found.answer.counters.insert("iterations".to_owned(), iterations);
        }
        Ok(found)
    }

    /// The model as an answer, once it was found right.
    fn checked(
        &self,
        problem: &Problem,
        assignment: Assignment,
        probe: &Probe,
    ) -> Result<Found, BackendError> {
        let answer = proved(problem, &assignment, self.alphabet, probe)?;
        let model = (answer.verdict == Verdict::Sat).then_some(assignment);
        Ok(Found { answer, model, tentative: false })
    }

    /// A model of a node is one of each node above it, whose conditions are among the node's own: gives that
    /// of the last node to those that have none.
    fn model_upwards(&self, tree: &PathTree, found: &mut [Found], probe: &Probe) -> Result<(), BackendError> {
        let mut place = found.len() - 1;
        while let Some(parent) = tree.nodes.get(place).and_then(|node| node.parent)
            && let Some(model) = found[place].model.clone()
            && found[parent].answer.verdict == Verdict::Unknown
        {
            let problem = &self.script.queries[parent].problem;
            let mut above = Assignment::new();
            for variable in &problem.variables {
                if let Some(value) = model.get(variable) {
                    above.insert(*variable, value.clone());
                }
            }
            let counters = std::mem::take(&mut found[parent].answer.counters);
            found[parent] = self.checked(problem, above, probe)?;
            found[parent].answer.counters = counters;
            probe.answered(parent, &found[parent].answer);
            place = parent;
        }
        Ok(())
    }
}

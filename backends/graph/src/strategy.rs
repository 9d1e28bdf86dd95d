//! A string solver and an integer solver as a strategy: scripts in, verdicts with models out.

use backends_api::{BackendError, Budget, Probe, Run, Strategy, StrategyInfo};
use harness_model::eval::Assignment;
use harness_model::{Alphabet, Answer, Outcome, Question, Verdict, Witness};
use harness_smtlib::model::{self, ModelVerdict};
use harness_smtlib::{ErrorKind, Problem, Script};

use crate::graph::StringGraph;
use crate::interchange::{Solution, solve};
use crate::options::Options;
use crate::solver::{FixedSolvers, IntegerSolvers};

/// The interchange between a string solver and an integer solver. Each `check-sat` of a script is answered by itself.
#[derive(Clone, Debug)]
pub struct GraphStrategy<S, I> {
    info: StrategyInfo,
    options: Options,
    strings: S,
    integers: I,
}

impl<S: FixedSolvers, I: IntegerSolvers> GraphStrategy<S, I> {
    /// `info.name` is the whole name, [`Options::suffix`] included.
    pub const fn new(info: StrategyInfo, options: Options, strings: S, integers: I) -> Self {
        Self { info, options, strings, integers }
    }
}

impl<S: FixedSolvers, I: IntegerSolvers> Strategy for GraphStrategy<S, I> {
    fn info(&self) -> StrategyInfo {
        self.info.clone()
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let Some(source) = &question.script else {
            let operation =
                question.operations.first().map_or("operations on regular expressions", |o| o.kind.name());
            return Err(BackendError::Unsupported(operation.to_owned()));
        };
        let script = probe.phase("parse", || harness_smtlib::read(source.text.as_bytes()));
        let script = script.map_err(|error| match error.kind {
            ErrorKind::Illegal => BackendError::Input(error.to_string()),
            ErrorKind::Unsupported => BackendError::Unsupported(error.to_string()),
        })?;
        Ok(Box::new(GraphRun { strategy: self, script, alphabet: question.alphabet, budget }))
    }
}

struct GraphRun<'a, S, I> {
    strategy: &'a GraphStrategy<S, I>,
    script: Script,
    alphabet: Alphabet,
    budget: &'a Budget,
}

impl<S: FixedSolvers, I: IntegerSolvers> Run for GraphRun<'_, S, I> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        let answers = self.script.queries.iter().map(|query| {
            let answer = self.answer(&query.problem, probe);
            answer.or_else(BackendError::into_answer)
        });
        Ok(Outcome { answers: answers.collect::<Result<_, _>>()? })
    }
}

impl<S: FixedSolvers, I: IntegerSolvers> GraphRun<'_, S, I> {
    fn answer(&self, problem: &Problem, probe: &Probe) -> Result<Answer, BackendError> {
        let graph = probe
            .phase("graph", || StringGraph::of_problem(problem, self.alphabet))
            .map_err(|refusal| BackendError::Unsupported(refusal.0))?;
        let strategy = self.strategy;
        let solution =
            solve(&graph, &strategy.options, &strategy.integers, &strategy.strings, self.budget, probe)?;
        let plain = |verdict| Answer { verdict, witness: None, reason: None };
        Ok(match solution {
            Solution::Unsat => plain(Verdict::Unsat),
            Solution::UnsatWithinBound => plain(Verdict::UnsatWithinBound),
            Solution::Unknown(why) => Answer { reason: Some(why), ..plain(Verdict::Unknown) },
            Solution::Sat(values) => {
                let mut assignment = Assignment::new();
                for (variable, value) in problem.variables.iter().zip(values) {
                    if let Some(value) = value {
                        assignment.insert(*variable, value);
                    }
                }
                match model::check(problem, &assignment, self.alphabet) {
                    ModelVerdict::Holds => {}
                    ModelVerdict::Fails(assertion) => {
                        return Err(BackendError::Internal(format!(
                            "the model satisfies the graph but not assertion {assertion} of the problem"
                        )));
                    }
                    ModelVerdict::Unvalidated(why) => return Err(BackendError::Internal(why)),
                }
                Answer {
                    witness: Some(Witness::Model(model::text(problem, &assignment))),
                    ..plain(Verdict::Sat)
                }
            }
        })
    }
}

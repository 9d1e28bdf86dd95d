//! The trait that every strategy implements.

use std::fmt;

use harness_model::{Answer, Outcome, Question};
use harness_theory::Op;

use crate::budget::{Budget, Stop};
use crate::probe::Probe;
use crate::treatment::Treatment;

/// What a strategy says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyInfo {
    /// The stable name, such as `sfa-bdd-lazy`: lower-case words joined by `-`, methods that work together by
    /// `+`.
    pub name: String,
    /// The backend behind it, such as `sfa`.
    pub backend: &'static str,
    /// Of the backend and, where one is linked, of the library behind it.
    pub version: String,
    /// One line for `harness list strategies`.
    pub summary: String,
    /// The work and section that the algorithm is from.
    pub source: &'static str,
}

/// Why there is no outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackendError {
    /// It cannot do this; the operation's or the feature's name.
    Unsupported(String),
    /// A budget was used up from inside.
    Stopped(Stop),
    /// The question cannot be read; what, where and why.
    Input(String),
    /// Something went wrong in it: a defect.
    Internal(String),
    /// A program that it started failed, and said so: what it said.
    Program(String),
    /// A program that it started ended without an answer.
    Ended(Ending),
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this code.
    Exit(i32),
    /// By this signal.
    Signal(i32),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit(code) => write!(f, "ended with exit code {code}"),
            Self::Signal(signal) => write!(f, "was ended by signal {signal}"),
        }
    }
}

impl BackendError {
    /// The answer of one query, where a limit of the strategy's own was met: something would grow too large,
    /// or a solver that it relies on gave up. That is `unknown` with the limit as its reason. Every other
    /// error, the caller's budget among them, is given back.
    pub fn into_answer(self) -> Result<Answer, Self> {
        match self {
            Self::Stopped(limit @ (Stop::Size { .. } | Stop::Solver(_))) => {
                Ok(Answer::unknown(limit.to_string()))
            }
            other => Err(other),
        }
    }
}

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(what) => write!(f, "unsupported: {what}"),
            Self::Stopped(stop) => stop.fmt(f),
            Self::Input(what) | Self::Program(what) => f.write_str(what),
            Self::Internal(what) => write!(f, "internal error: {what}"),
            Self::Ended(ending) => write!(f, "the program {ending} without an answer"),
        }
    }
}

impl std::error::Error for BackendError {}

impl From<Stop> for BackendError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// One complete way to do a task.
pub trait Strategy: Send + Sync {
    /// Name, version and origin. Cheap.
    fn info(&self) -> StrategyInfo;

    /// The version of what runs on this machine, or why nothing does: a program that is not installed. It may
    /// start that program, so it is asked once a run and not in a worker.
    ///
    /// # Errors
    ///
    /// When the strategy cannot run here: why, and how to mend it.
    fn found(&self) -> Result<String, String> {
        Ok(self.info().version)
    }

    /// What it does with an operation, as the code has it that makes questions ready; `None` where no
    /// question that it takes can hold the operation, or where only another program knows. No solver is
    /// touched.
    fn operation(&self, op: Op) -> Option<Treatment>;

    /// Reads the question and builds what it is about (phases `parse` and `build`), so that [`Run::run`] can
    /// do the operation itself. What a paper leaves out of its times belongs here, all else into `run`.
    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError>;
}

/// A question made ready to be answered, as often as wanted.
pub trait Run {
    /// Answers every operation. Each call does the whole work anew: what an earlier call computed, memo
    /// tables included, must not make a later one cheaper.
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError>;
}

#[cfg(test)]
mod tests {
    use harness_model::Verdict;

    use super::*;

    #[test]
    fn own_limits_are_answers_and_the_callers_are_not() {
        let size = Stop::Size { what: "the search", limit: 7, unit: "states" };
        let answer = BackendError::from(size).into_answer();
        let reason = answer.as_ref().ok().and_then(|a| a.reason.as_deref());
        assert_eq!(reason, Some("the search would need more than 7 states"));
        assert!(matches!(answer, Ok(Answer { verdict: Verdict::Unknown, witness: None, .. })));
        assert!(BackendError::from(Stop::Solver("no reason")).into_answer().is_ok());
        for error in [
            Stop::Time.into(),
            Stop::Steps(3).into(),
            BackendError::Unsupported("div".into()),
            BackendError::Input("line 1".into()),
            BackendError::Internal("a defect".into()),
            BackendError::Program("segmentation fault".into()),
            BackendError::Ended(Ending::Signal(11)),
        ] {
            assert_eq!(error.clone().into_answer(), Err(error));
        }
    }
}

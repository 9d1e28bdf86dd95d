//! What the exit status means. Other people's scripts rely on it.

use std::fmt;
use std::process::ExitCode;

use harness_judge::Severity;
use harness_regress::Decision;
use harness_store::StoreError;

/// How a command ended. Where several apply, the first one of this list except [`Exit::Fine`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0
    Fine,
    /// 2: a script that is not legal; told on standard output, as SMT solvers do.
    Input,
    /// 10: a verdict is wrong, or two strategies disagree.
    Wrong,
    /// 11: a witness does not satisfy its question.
    InvalidModel,
    /// 20: slower, a task lost, or a counter that counts.
    Regression,
    /// 30: records are missing.
    Incomplete,
    /// 40: the runs may not be compared.
    NotComparable,
}

impl Exit {
    /// Both ways to end at once: the one that counts.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Fine, one) | (one, Self::Fine) => one,
            (one, two) => one.min(two),
        }
    }

    /// What a run's verdicts and its completeness make of it.
    pub const fn of(severity: Severity, complete: bool) -> Self {
        match severity {
            Severity::Wrong => Self::Wrong,
            Severity::InvalidModel => Self::InvalidModel,
            Severity::Fine if complete => Self::Fine,
            Severity::Fine => Self::Incomplete,
        }
    }
}

impl From<Decision> for Exit {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Wrong => Self::Wrong,
            Decision::InvalidModel => Self::InvalidModel,
            Decision::Regression => Self::Regression,
            Decision::Incomplete => Self::Incomplete,
            Decision::Fine => Self::Fine,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Fine => 0,
            Exit::Input => 2,
            Exit::Wrong => 10,
            Exit::InvalidModel => 11,
            Exit::Regression => 20,
            Exit::Incomplete => 30,
            Exit::NotComparable => 40,
        })
    }
}

/// An error that leaves a run incomplete, with status 30; every other error is one of usage, config or input,
/// with status 2.
#[derive(Debug)]
pub struct Unfinished(pub String);

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unfinished {}

/// An error that runs may not stand together, with status 40.
#[derive(Debug)]
pub struct Incomparable(pub String);

impl fmt::Display for Incomparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Incomparable {}

/// The status that goes with an error.
pub fn of_error(error: &anyhow::Error) -> ExitCode {
    match error.downcast_ref() {
        Some(StoreError::OtherConditions { .. }) => Exit::NotComparable.into(),
        _ if error.is::<Incomparable>() => Exit::NotComparable.into(),
        _ if error.is::<Unfinished>() => Exit::Incomplete.into(),
        _ => ExitCode::from(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_worse_comes_first() {
        assert_eq!(Exit::Fine.and(Exit::Incomplete), Exit::Incomplete);
        assert_eq!(Exit::Incomplete.and(Exit::Wrong).and(Exit::Fine), Exit::Wrong);
        assert_eq!(Exit::of(Severity::Wrong, false), Exit::Wrong);
        assert_eq!(Exit::of(Severity::InvalidModel, false), Exit::InvalidModel);
        assert_eq!(Exit::of(Severity::Fine, false), Exit::Incomplete);
        assert_eq!(Exit::of(Severity::Fine, true), Exit::Fine);
    }
}

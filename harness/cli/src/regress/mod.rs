//! Two runs compared, as `harness regress` does it.
//!
//! - [`stored`]: a run that is there, read, judged and made compact
//! - [`baseline`]: what is compared with, and whether it may be
//! - [`trial`]: the study run, alone or alternately with another build, and suspects run again
//! - [`copies`]: both programs copied alike before they are timed
//! - [`outputs`]: the files that are asked for, which take nobody's place
//! - [`show`]: what people read

pub mod baseline;
pub mod copies;
pub mod outputs;
pub mod show;
pub mod stored;
pub mod trial;

use std::fmt;

use crate::exit::Exit;

/// Two runs that are not compared.
#[derive(Debug)]
pub enum Refused {
    /// They were made under conditions that differ: each with its name.
    Differ(String),
    /// The baseline lacks records.
    Holes(String),
    /// One of these, and verdicts or models of the current run are bad, which matters more.
    Bad(Exit, String),
}

impl Refused {
    /// The status that goes with it.
    pub const fn exit(&self) -> Exit {
        match self {
            Self::Differ(_) => Exit::NotComparable,
            Self::Holes(_) => Exit::Incomplete,
            Self::Bad(exit, _) => *exit,
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Differ(text) | Self::Holes(text) | Self::Bad(_, text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Refused {}

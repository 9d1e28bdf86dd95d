//! What one record may use.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The limits of one record, enforced from outside by the runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// Time by the clock.
    pub wall: Duration,
    /// Processor time of the whole process tree.
    pub cpu: Duration,
    /// Resident memory of the whole process tree, in bytes.
    pub memory: u64,
}

/// When and how long to repeat a short run warm, after the run that is accounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sampling {
    /// Repeat until the samples together took this long.
    pub total: Duration,
    /// But at most so many times.
    pub max_samples: u32,
}

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

impl Limits {
    /// The shorter one of the two time limits: what reports call the limit. A record that waits for a
    /// processor may take longer by the clock.
    pub fn time(&self) -> Duration {
        self.wall.min(self.cpu)
    }
}

/// When and how long to repeat a short run warm, after the run that is accounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sampling {
    /// Repeat until the samples together took this long.
    pub total: Duration,
    /// But at most so many times.
    pub max_samples: u32,
}

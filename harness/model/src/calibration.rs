//! What a run measures of the machine beside its records: a line of `calibration.jsonl`.
//!
//! Nothing here depends on a strategy or a task, so that what differs between two runs of one program is the
//! machine.

use serde::{Deserialize, Serialize};

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CalibrationKind {
    /// A record without work of its own: what each record costs before and after it.
    Empty,
    /// A fixed piece of work.
    Kernel,
}

impl CalibrationKind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Empty, Self::Kernel];

    /// The name by which a worker is asked for it. No strategy has a name with brackets.
    pub const fn request(self) -> &'static str {
        match self {
            Self::Empty => "(empty)",
            Self::Kernel => "(kernel)",
        }
    }

    /// Of which of them this is the name.
    pub fn of_request(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.request() == name)
    }
}

/// A measurement of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// What was measured.
    pub kind: CalibrationKind,
    /// User and system time of its process.
    pub cpu_ns: u64,
    /// From the start of the process to its end.
    pub wall_ns: u64,
    /// Start, in seconds since 1970.
    pub started_unix_s: f64,
    /// On which core, where that is known.
    pub core: Option<u32>,
}

/// What the measurements of a run come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// Median processor time of a record without work of its own, in nanoseconds.
    pub empty_ns: Option<u64>,
    /// Median processor time of the fixed piece of work, without what an empty record takes.
    pub kernel_ns: Option<u64>,
}

/// Fewer measurements of a kind tell nothing.
pub const LEAST_CALIBRATIONS: usize = 5;

impl Pace {
    /// Of so many measurements; `None` of a kind that has fewer than [`LEAST_CALIBRATIONS`].
    pub fn of(measured: &[Calibration]) -> Self {
        let middle = |kind| {
            let mut times: Vec<u64> = measured.iter().filter(|c| c.kind == kind).map(|c| c.cpu_ns).collect();
            times.sort_unstable();
            (times.len() >= LEAST_CALIBRATIONS).then(|| times[times.len() / 2])
        };
        let empty_ns = middle(CalibrationKind::Empty);
        let kernel = middle(CalibrationKind::Kernel);
        let kernel_ns = kernel.zip(empty_ns).map(|(kernel, empty)| kernel.saturating_sub(empty));
        Self { empty_ns, kernel_ns: kernel_ns.filter(|ns| *ns > 0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(kind: CalibrationKind, cpu_ns: u64) -> Calibration {
        Calibration { kind, cpu_ns, wall_ns: cpu_ns, started_unix_s: 0.0, core: None }
    }

    #[test]
    fn medians_of_enough_measurements() {
        let (empty, kernel) = (CalibrationKind::Empty, CalibrationKind::Kernel);
        let mut all: Vec<Calibration> = [9, 1, 5, 4].map(|ns| measured(empty, ns)).into();
        assert_eq!(Pace::of(&all), Pace::default());
        all.push(measured(empty, 100));
        assert_eq!(Pace::of(&all), Pace { empty_ns: Some(5), kernel_ns: None });
        all.extend([50, 51, 52, 53, 54].map(|ns| measured(kernel, ns)));
        assert_eq!(Pace::of(&all), Pace { empty_ns: Some(5), kernel_ns: Some(47) });
    }

    #[test]
    fn requests_are_read_back() {
        for kind in CalibrationKind::ALL {
            assert_eq!(CalibrationKind::of_request(kind.request()), Some(kind));
        }
        assert_eq!(CalibrationKind::of_request("z3"), None);
    }
}

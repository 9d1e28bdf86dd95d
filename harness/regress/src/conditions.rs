//! Whether two runs may be compared: what they have to have in common, and what differs.

use std::fmt;
use std::str::FromStr;

use harness_model::run::RunInfo;

/// What two runs have to have in common, unless it is allowed to differ by this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// The questions.
    Tasks,
    /// The strategies, their order, and where they are left out.
    Strategies,
    /// Records for each task and strategy.
    Repeats,
    /// When short runs are repeated warm.
    Sampling,
    /// From which the order is drawn.
    Seed,
    /// Time and memory of a record.
    Limits,
    /// Processor and number of cores.
    Machine,
    /// The kernel and its release.
    Kernel,
    /// Records made at a time.
    Workers,
    /// Optimised or not.
    Profile,
    /// The baseline lacks records.
    Holes,
    /// The build of a run that is taken up again. Two runs that are compared may differ in it: that is what
    /// comparing is for.
    Program,
}

/// A condition that is not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which.
    pub condition: Condition,
    /// What it is in the baseline, and now.
    pub what: String,
}

impl Condition {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Tasks,
        Self::Strategies,
        Self::Repeats,
        Self::Sampling,
        Self::Seed,
        Self::Limits,
        Self::Machine,
        Self::Kernel,
        Self::Workers,
        Self::Profile,
        Self::Holes,
        Self::Program,
    ];

    /// The name by which it is allowed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tasks => "tasks",
            Self::Strategies => "strategies",
            Self::Repeats => "repeats",
            Self::Sampling => "sampling",
            Self::Seed => "seed",
            Self::Limits => "limits",
            Self::Machine => "machine",
            Self::Kernel => "kernel",
            Self::Workers => "workers",
            Self::Profile => "profile",
            Self::Holes => "holes",
            Self::Program => "program",
        }
    }

    /// Whether times of two runs that differ in it say nothing of each other. Then they are shown and decide
    /// nothing.
    pub const fn spoils_times(self) -> bool {
        matches!(self, Self::Machine | Self::Kernel | Self::Workers | Self::Profile | Self::Sampling)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|condition| condition.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|condition| condition.name()).collect();
            format!("there is no condition '{text}': {}", names.join(", "))
        })
    }
}

/// What differs between two runs, in the order of [`Condition::ALL`]; records are not looked at. `redigest`
/// gives the digest that the current plan would have with the limits, repeats, sampling and seed of the
/// baseline.
pub fn differences(
    before: &RunInfo,
    now: &RunInfo,
    redigest: impl FnOnce(&RunInfo) -> String,
) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut differ = |condition, what: String| found.push(Difference { condition, what });
    // What the digest alone holds: once the numbers are made equal, tasks or strategies are left.
    if before.fingerprint != now.fingerprint && redigest(before) != before.fingerprint {
        let tasks = |info: &RunInfo| info.tasks_digest.clone();
        let same_tasks = tasks(before) == tasks(now) && tasks(now).is_some();
        if !same_tasks {
            differ(
                Condition::Tasks,
                format!("{} tasks then, {} now, not the same ones", before.tasks, now.tasks),
            );
        }
        let names = |info: &RunInfo| info.strategies.iter().map(|s| s.name.clone()).collect::<Vec<_>>();
        let (then, today) = (names(before), names(now));
        if then != today {
            differ(Condition::Strategies, only_in(&then, &today));
        } else if same_tasks {
            differ(Condition::Strategies, "what is left out, or the order, differs".to_owned());
        }
    }
    if before.repeats != now.repeats {
        differ(Condition::Repeats, format!("{} then, {} now", before.repeats, now.repeats));
    }
    if before.sampling != now.sampling {
        let show = |info: &RunInfo| {
            info.sampling.map_or_else(
                || "none".to_owned(),
                |sampling| format!("{:?}, at most {}", sampling.total, sampling.max_samples),
            )
        };
        differ(Condition::Sampling, format!("{} then, {} now", show(before), show(now)));
    }
    if before.seed != now.seed {
        differ(Condition::Seed, format!("{} then, {} now", before.seed, now.seed));
    }
    if before.limits != now.limits {
        let show = |info: &RunInfo| {
            let limits = info.limits;
            format!("wall {:?}, cpu {:?}, {} MiB", limits.wall, limits.cpu, limits.memory >> 20)
        };
        differ(Condition::Limits, format!("{} then, {} now", show(before), show(now)));
    }
    let (then, today) = (&before.machine, &now.machine);
    if (&then.cpu, then.cores) != (&today.cpu, today.cores) {
        let show = |m: &harness_model::run::Machine| format!("'{}' with {} cores", m.cpu, m.cores);
        differ(Condition::Machine, format!("{} then, {} now", show(then), show(today)));
    }
    if then.kernel != today.kernel {
        differ(Condition::Kernel, format!("'{}' then, '{}' now", then.kernel, today.kernel));
    }
    if before.workers != now.workers {
        differ(Condition::Workers, format!("{} then, {} now", before.workers, now.workers));
    }
    let profile = |info: &RunInfo| info.versions.get("profile").cloned();
    if let (Some(then), Some(today)) = (profile(before), profile(now))
        && then != today
    {
        differ(Condition::Profile, format!("a {then} build then, a {today} build now"));
    }
    found
}

/// Which names are only in one of two lists.
fn only_in(then: &[String], now: &[String]) -> String {
    let only = |a: &[String], b: &[String]| -> Vec<String> {
        a.iter().filter(|name| !b.contains(name)).cloned().collect()
    };
    let (gone, new) = (only(then, now), only(now, then));
    let mut parts = Vec::new();
    if !gone.is_empty() {
        parts.push(format!("only then: {}", gone.join(", ")));
    }
    if !new.is_empty() {
        parts.push(format!("only now: {}", new.join(", ")));
    }
    if parts.is_empty() { "in another order".to_owned() } else { parts.join("; ") }
}

/// Versions that differ: told, since comparing versions is what a comparison is for.
pub fn versions(before: &RunInfo, now: &RunInfo) -> Vec<String> {
    let mut names: Vec<&String> = before.versions.keys().chain(now.versions.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let of =
        |info: &RunInfo, name: &str| info.versions.get(name).cloned().unwrap_or_else(|| "none".to_owned());
    names
        .into_iter()
        .filter(|name| !["profile", "program"].contains(&name.as_str()))
        .filter(|name| of(before, name) != of(now, name))
        .map(|name| format!("{name}: {} then, {} now", of(before, name), of(now, name)))
        .collect()
}

//! The times of a strategy over runs that may be compared.
//!
//! A point is the geometric mean, over tasks that the strategy solved in *every* run of the series, of the
//! run's median time of the task: so that a run that solved more does not look slower for it. Runs belong to
//! one series when they have the same plan (tasks, strategies, limits, repeats, seed), processor, number of
//! cores, number of workers and profile of the build. What else differs, kernel and versions, is what a
//! series is there to show.
//!
//! Of the metric `own`, what an empty record takes is taken off where all runs of a series have measured it,
//! and off none where one has not: else the runs that have would look faster for it. A time is told from
//! nothing above a fifth of an empty record, and above the clock's resolution: shorter ones stand as that,
//! and a task that takes no longer in any run is left out.
//!
//! What the machine did to all strategies alike is taken out of the points: by what most strategies have in
//! common, and where the fixed piece of work that the runs measured says something else, by that. So a step
//! of one strategy is found where it is, and one of all strategies is a step only where the machine took
//! none.

use std::collections::{BTreeMap, BTreeSet};

use harness_model::Status;
use harness_model::record::Record;
use harness_model::rules::Metric;
use harness_model::run::RunInfo;
use harness_stats::{median, sample::count};

use crate::drift;
use crate::history::Head;
use crate::steps::{MOST, Rule, Step, steps};

/// A run of which the strategy solved less than this share of what it solves in the middle one is left out,
/// rather than that it takes the tasks away from all others.
const LEAST_SHARE: f64 = 0.5;

/// What a trend needs of a run: a time for each strategy and task that it solved.
#[derive(Clone, Debug)]
pub struct Times {
    /// Which run.
    pub head: Head,
    metric: Metric,
    /// Nanoseconds as they were measured, by strategy and task: the median of the solved repeats, where more
    /// than half of them are solved.
    solved: BTreeMap<String, BTreeMap<String, f64>>,
    /// Family of each task.
    families: BTreeMap<String, String>,
}

impl Times {
    /// The times of a run, from its records and what the judge made of each.
    pub fn new<'a>(
        head: Head,
        judged: impl IntoIterator<Item = (&'a Record, Status)>,
        metric: Metric,
    ) -> Self {
        let mut cells: BTreeMap<(&str, &str), (Vec<f64>, usize)> = BTreeMap::new();
        let mut families = BTreeMap::new();
        for (record, status) in judged {
            let (strategy, task) = (record.key.strategy.as_str(), record.key.task.as_str());
            let (times, repeats) = cells.entry((strategy, task)).or_default();
            *repeats += 1;
            if status.is_solved() {
                times.extend(time(record, metric));
            }
            if !families.contains_key(task) {
                families.insert(task.to_owned(), record.family.as_str().to_owned());
            }
        }
        let mut solved: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
        for ((strategy, task), (times, repeats)) in cells {
            // A strategy that solved nothing has an empty row, so that the run is known to have tried.
            let row = solved.entry(strategy.to_owned()).or_default();
            if 2 * times.len() > repeats
                && let Some(middle) = median(&times)
            {
                row.insert(task.to_owned(), middle);
            }
        }
        Self { head, metric, solved, families }
    }

    /// The strategy's times in the family, or in all of them.
    fn of<'a>(&'a self, strategy: &str, family: Option<&str>) -> Option<BTreeMap<&'a str, f64>> {
        let in_family =
            |task: &str| family.is_none_or(|name| self.families.get(task).is_some_and(|own| own == name));
        let row = self.solved.get(strategy)?;
        Some(
            row.iter()
                .filter(|(task, _)| in_family(task))
                .map(|(task, time)| (task.as_str(), *time))
                .collect(),
        )
    }
}

/// Nanoseconds, where they were measured.
#[expect(clippy::cast_precision_loss, reason = "2^53 ns are 104 days")]
fn time(record: &Record, metric: Metric) -> Option<f64> {
    let ns = match metric {
        Metric::Own | Metric::Cpu => record.usage?.cpu_ns,
        Metric::Solve => record.phases.get("solve")?.shown_ns(),
    };
    Some(ns as f64)
}

/// How the times of a series are read: all in one way.
struct Clock {
    /// By run, what is taken off; none of a run that is not in it.
    off: BTreeMap<i64, f64>,
    /// What a time has to be above, to be told from nothing.
    least: f64,
    /// The runs that did not measure what would be taken off, so that nothing is.
    unmeasured: Vec<i64>,
}

impl Clock {
    /// For these runs, which are those of a series.
    #[expect(clippy::cast_precision_loss, reason = "2^53 ns are 104 days")]
    fn of(runs: &[&Times]) -> Self {
        // The kernel gives processor time in microseconds; reading the monotonic clock takes some tens of
        // nanoseconds.
        let solve = runs.iter().all(|run| run.metric == Metric::Solve);
        let resolution = if solve { 100.0 } else { 1_000.0 };
        let own: Vec<&&Times> = runs.iter().filter(|run| run.metric == Metric::Own).collect();
        let unmeasured: Vec<i64> =
            own.iter().filter(|run| run.head.pace.empty_ns.is_none()).map(|run| run.head.number).collect();
        let off: BTreeMap<i64, f64> = if unmeasured.is_empty() {
            own.iter().filter_map(|run| Some((run.head.number, run.head.pace.empty_ns? as f64))).collect()
        } else {
            BTreeMap::new()
        };
        // What is left when an empty record is taken off has the noise of both.
        let least = off.values().fold(resolution, |least: f64, off| least.max(off / 5.0));
        Self { off, least, unmeasured }
    }

    /// A time of the run that is told from nothing, or the longest one that is not.
    fn read(&self, run: &Times, ns: f64) -> f64 {
        (ns - self.off.get(&run.head.number).copied().unwrap_or(0.0)).max(self.least)
    }
}

/// A strategy in one run of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The run's number.
    pub run: i64,
    /// The run's commit, where it was told.
    pub commit: Option<String>,
    /// When the run began, in seconds since 1970.
    pub started_unix_s: f64,
    /// The geometric mean, in seconds, without what the machine did to all strategies alike.
    pub seconds: f64,
    /// By what it was divided for that; 1 where nothing is known of it.
    pub machine: f64,
    /// Tasks solved in this run, among them those that others did not solve.
    pub solved: usize,
}

/// A run that has no point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The run's number.
    pub run: i64,
    /// The run's commit, where it was told.
    pub commit: Option<String>,
    /// Why.
    pub why: String,
}

/// The times of a strategy over runs that may be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name of the configuration.
    pub config: String,
    /// Digest of the plan.
    pub plan: String,
    /// Processor and cores.
    pub machine: String,
    /// Records made at a time.
    pub workers: u32,
    /// Of the build, such as `release`; empty where it was not told.
    pub profile: String,
    /// The strategy's name.
    pub strategy: String,
    /// The family; `None`: all.
    pub family: Option<String>,
    /// In the order in which the runs began.
    pub points: Vec<Point>,
    /// Tasks that every run solved, in a time that one of them can tell: those that the points are made from.
    pub common: usize,
    /// Tasks that every run solved, though none in a time that can be told from nothing.
    pub too_short: usize,
    /// Runs that did not measure what an empty record takes, for which it is taken off no run's times.
    pub unmeasured: Vec<i64>,
    /// Tasks that at least one run with a point solved.
    pub any: usize,
    /// Runs without a point.
    pub left_out: Vec<Left>,
    /// Which run takes away most of the tasks that are not common; `None` where there are none.
    pub takes_most: Option<Lacks>,
    /// Where the series takes a step; counted in points.
    pub steps: Vec<Step>,
    /// The first point that steps are looked for from: a long series is not looked at as a whole.
    pub from: usize,
}

/// A run that did not solve tasks that others did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacks {
    /// The run's number.
    pub run: i64,
    /// The run's commit, where it was told.
    pub commit: Option<String>,
    /// The number of tasks.
    pub tasks: usize,
}

/// What runs of one series have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    config: String,
    plan: String,
    machine: String,
    workers: u32,
    profile: String,
}

impl Key {
    fn of(info: &RunInfo) -> Self {
        Self {
            config: info.name.clone(),
            plan: info.fingerprint.clone(),
            machine: format!("{}, {} cores", info.machine.cpu, info.machine.cores),
            workers: info.workers,
            profile: info.versions.get("profile").cloned().unwrap_or_default(),
        }
    }
}

/// The series of `runs`, in the order of their configurations, plans and machines and then of the strategies
/// in the plan: of all strategies or of `strategy`, over all families or in `family`. Strategies that solved
/// nothing in common have none. With `as_measured`, nothing is taken out for the machine.
pub fn trend(
    runs: &[Times],
    strategy: Option<&str>,
    family: Option<&str>,
    rule: &Rule,
    as_measured: bool,
) -> Vec<Series> {
    let mut groups: BTreeMap<Key, Vec<&Times>> = BTreeMap::new();
    for run in runs {
        groups.entry(Key::of(&run.head.info)).or_default().push(run);
    }
    let mut all = Vec::new();
    for (key, mut group) in groups {
        group.sort_by(|a, b| {
            let start = |run: &Times| run.head.info.started_unix_s;
            start(a).total_cmp(&start(b)).then(a.head.number.cmp(&b.head.number))
        });
        let mut names: Vec<&str> = Vec::new();
        for run in &group {
            let planned = run.head.info.strategies.iter().map(|row| row.name.as_str());
            for name in planned.chain(run.solved.keys().map(String::as_str)) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let clock = Clock::of(&group);
        let machine = if as_measured {
            BTreeMap::new()
        } else {
            let whole: Vec<Series> =
                names.iter().filter_map(|name| series(&key, &group, &clock, name, None)).collect();
            drift::of(&whole, &group.iter().map(|run| &run.head).collect::<Vec<_>>(), rule.least)
        };
        for name in names.into_iter().filter(|name| strategy.is_none_or(|wanted| wanted == *name)) {
            let Some(mut series) = series(&key, &group, &clock, name, family) else { continue };
            for point in &mut series.points {
                point.machine = machine.get(&point.run).copied().unwrap_or(1.0);
                point.seconds /= point.machine;
            }
            let values: Vec<f64> = series.points.iter().map(|point| point.seconds).collect();
            series.steps = steps(&values, rule);
            all.push(series);
        }
    }
    all
}

/// The series of a strategy as it was measured, without steps.
fn series(key: &Key, runs: &[&Times], clock: &Clock, strategy: &str, family: Option<&str>) -> Option<Series> {
    let mut left_out = Vec::new();
    let mut leave = |run: &Times, why: String| {
        left_out.push(Left { run: run.head.number, commit: run.head.commit.clone(), why });
    };
    let mut rows: Vec<(&Times, BTreeMap<&str, f64>)> = Vec::new();
    for &run in runs {
        match run.of(strategy, family) {
            Some(row) => rows.push((run, row)),
            None => leave(run, "has no record of it".to_owned()),
        }
    }
    let sizes: Vec<f64> = rows.iter().map(|(_, row)| count(row.len())).collect();
    let usual = median(&sizes)?;
    rows.retain(|(run, row)| {
        let enough = count(row.len()) >= LEAST_SHARE * usual && !row.is_empty();
        if !enough {
            let noun = if row.len() == 1 { "task" } else { "tasks" };
            leave(run, format!("solved {} {noun}, the middle run {usual}", row.len()));
        }
        enough
    });
    let any: BTreeSet<&str> = rows.iter().flat_map(|(_, row)| row.keys().copied()).collect();
    let mut rest = rows.iter().map(|(_, row)| row);
    let mut common: BTreeSet<&str> = rest.next()?.keys().copied().collect();
    for row in rest {
        common.retain(|task| row.contains_key(task));
    }
    let of_all = common.len();
    common.retain(|task| {
        let told = |(run, row): &(&Times, BTreeMap<&str, f64>)| {
            row.get(task).is_some_and(|ns| clock.read(run, *ns) > clock.least)
        };
        rows.iter().any(told)
    });
    if common.is_empty() {
        return None;
    }
    let points: Vec<Point> = rows
        .iter()
        .map(|(run, row)| {
            let times = common.iter().filter_map(|task| row.get(task));
            let logs: f64 = times.map(|ns| (clock.read(run, *ns) / 1e9).ln()).sum();
            Point {
                run: run.head.number,
                commit: run.head.commit.clone(),
                started_unix_s: run.head.info.started_unix_s,
                seconds: (logs / count(common.len())).exp(),
                machine: 1.0,
                solved: row.len(),
            }
        })
        .collect();
    // Of several, the first.
    let lacks = |(run, row): &(&Times, BTreeMap<&str, f64>)| {
        let tasks = any.iter().filter(|task| !row.contains_key(*task)).count();
        Lacks { run: run.head.number, commit: run.head.commit.clone(), tasks }
    };
    let takes_most = rows.iter().map(lacks).rev().max_by_key(|lacks| lacks.tasks);
    Some(Series {
        config: key.config.clone(),
        plan: key.plan.clone(),
        machine: key.machine.clone(),
        workers: key.workers,
        profile: key.profile.clone(),
        strategy: strategy.to_owned(),
        family: family.map(str::to_owned),
        steps: Vec::new(),
        from: points.len().saturating_sub(MOST),
        takes_most: takes_most.filter(|lacks| lacks.tasks > 0),
        points,
        common: common.len(),
        too_short: of_all - common.len(),
        unmeasured: clock.unmeasured.clone(),
        any: any.len(),
        left_out,
    })
}

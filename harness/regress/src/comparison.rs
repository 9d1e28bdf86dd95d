//! What a comparison of two runs found: the value that is printed, rendered and turned into an exit status.
//!
//! A plain value without references into the runs. Everything in it is either measured or decided; nothing is
//! rounded. Times are nanoseconds. A ratio is *current over baseline*: 1.2 is a slow-down of 20 %, 0.5 is
//! twice as fast. What could not be computed is `None`, never NaN, never infinite.

use std::fmt;
use std::sync::Arc;

use harness_model::Status;
use harness_model::calibration::Pace;
use harness_model::rules::Rules;
use harness_model::run::Machine;
use serde::{Deserialize, Serialize};

/// Two runs of one study, compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Of the study.
    pub name: String,
    /// What is compared with.
    pub baseline: Side,
    /// What is looked at.
    pub current: Side,
    /// What counts as a regression.
    pub rules: Rules,
    /// Whether both were run at the same time, record by record.
    pub interleaved: bool,
    /// Whether times decide, or are only shown since they were measured under conditions that differ.
    pub times_decide: bool,
    /// By what factor everything was slower at once, or faster where it is below 1, where that is taken for
    /// the machine and was taken out of the ratios.
    pub drift: Option<f64>,
    /// By strategy and family, each strategy's row over all its families first, in the config's order.
    pub groups: Vec<Group>,
    /// By task and strategy: regressions first, the largest change first; then all others by task and
    /// strategy.
    pub tasks: Vec<TaskRow>,
    /// Tasks of which something else became than before.
    pub statuses: Vec<StatusChange>,
    /// Counters that differ, by strategy, counter and task; those that count first. At most
    /// [`MOST_COUNTERS`], and beyond those an example for each entry of `counter_counts` that counts.
    pub counters: Vec<CounterChange>,
    /// How many counters differ, and how many of them count: also those that the list has no room for.
    pub counters_differ: (u64, u64),
    /// The same by strategy, family and counter, where any differ.
    pub counter_counts: Vec<CounterCount>,
    /// Counters that differ between repeats of the baseline, and so are not compared.
    pub unsteady: Vec<Unsteady>,
    /// How much there was to compare.
    pub extent: Extent,
    /// Whether two strategies of the current run contradict each other, or one is known to be wrong.
    pub disagreement: bool,
    /// Whether a model of the current run does not satisfy its problem, be the record on both sides or not.
    pub invalid_model: bool,
    /// Who contradicts whom, and which models do not hold.
    pub faults: Faults,
    /// Whether the current run has all its records.
    pub complete: bool,
    /// What a reader should know beside; one sentence each.
    pub notes: Vec<String>,
    /// What comes of it.
    pub decision: Decision,
}

/// The most differing counters that are kept. A change of a library can make all of them differ, which as
/// many lines do not tell better.
pub const MOST_COUNTERS: usize = 10_000;

/// How much there was to compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// Tasks by strategies that are on both sides.
    pub pairs: u64,
    /// Those of them that were solved on both sides, so that verdicts and counters are compared.
    pub solved: u64,
    /// Those of them that have times on both sides, whether above the clock's resolution or not.
    pub timed: u64,
}

/// Faults of the current run, be their records on both sides or not: at most [`MOST_FAULTS`] lines of each
/// kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// Task, who said what, and what settles it.
    pub contradictions: Vec<String>,
    /// Task, strategy, and what is wrong with the model.
    pub invalid_models: Vec<String>,
}

/// The most lines kept for a kind of fault.
pub const MOST_FAULTS: usize = 10;

impl Faults {
    /// Keeps a line, unless it is there or there are enough.
    pub fn keep(lines: &mut Vec<String>, line: String) {
        if lines.len() < MOST_FAULTS && !lines.contains(&line) {
            lines.push(line);
        }
    }
}

/// One of the two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// What it is called: a directory, a commit, a program.
    pub label: String,
    /// The commit, where known.
    pub commit: Option<String>,
    /// Where it ran.
    pub machine: Machine,
    /// Start, in seconds since 1970.
    pub started_unix_s: f64,
    /// Records that were read.
    pub records: u64,
    /// Records that the plan has.
    pub planned: u64,
    /// What was measured of the machine meanwhile.
    #[serde(default)]
    pub pace: Pace,
}

/// What is made of a difference in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Slower, and each time that it was run again.
    Slower,
    /// Slower at first, but not when run again: taken for noise.
    Unconfirmed,
    /// No difference that could not be noise, or none that matters.
    Same,
    /// Faster.
    Faster,
    /// There is no pair of times to compare.
    NotComparable,
}

impl Standing {
    /// The word in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Unconfirmed => "unconfirmed",
            Self::Same => "same",
            Self::Faster => "faster",
            Self::NotComparable => "not comparable",
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A strategy on a family, or on all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// The strategy's name.
    pub strategy: Arc<str>,
    /// The family; `None`: all.
    pub family: Option<Arc<str>>,
    /// Tasks that have a time on both sides.
    pub tasks: u64,
    /// Tasks that were solved on both sides and whose times are no larger than the clock's resolution on one.
    pub below_resolution: u64,
    /// Tasks solved in the baseline: in more than half of the repeats.
    pub solved_before: u64,
    /// Tasks solved now.
    pub solved_after: u64,
    /// Sum over the paired tasks of the median time, before.
    pub before_ns: f64,
    /// Sum over the paired tasks of the median time, now.
    pub after_ns: f64,
    /// Geometric mean over the paired tasks of the ratio of medians.
    pub ratio: Option<f64>,
    /// Bootstrap interval of the ratio: from, to.
    pub interval: Option<(f64, f64)>,
    /// What is made of it.
    pub standing: Standing,
}

/// A strategy on a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskRow {
    /// The task's id.
    pub task: Arc<str>,
    /// Its family.
    pub family: Arc<str>,
    /// The strategy's name.
    pub strategy: Arc<str>,
    /// Median time of the solved repeats in the baseline.
    pub before_ns: Option<f64>,
    /// Median time of the solved repeats now.
    pub after_ns: Option<f64>,
    /// How many solved repeats there are: before, now.
    pub samples: (u32, u32),
    /// Of the medians.
    pub ratio: Option<f64>,
    /// Of the rank test, corrected for the number of tests; absent where there are too few repeats for it to
    /// say anything.
    pub p: Option<f64>,
    /// What is made of it.
    pub standing: Standing,
}

/// What became of a task is not what it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatusChange {
    /// The task's id.
    pub task: Arc<str>,
    /// Its family.
    pub family: Arc<str>,
    /// The strategy's name.
    pub strategy: Arc<str>,
    /// Of most repeats in the baseline; the worse one where there are as many of two.
    pub before: Status,
    /// Of most repeats now, in the same way; `wrong` or `invalid-model` if one of them is.
    pub after: Status,
    /// What it means.
    pub kind: StatusKind,
    /// What the judge says of it; may be empty.
    pub detail: String,
}

/// What a changed status means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatusKind {
    /// Wrong, or two builds that contradict each other.
    Wrong,
    /// Its model does not satisfy the problem.
    InvalidModel,
    /// It was solved, and is not any more.
    Lost,
    /// It was solved and was not at first, but was when run again.
    Unconfirmed,
    /// It is solved now.
    Gained,
    /// Another way of not being solved, or another correct verdict.
    Other,
}

impl StatusKind {
    /// The word in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wrong => "wrong",
            Self::InvalidModel => "invalid model",
            Self::Lost => "lost",
            Self::Unconfirmed => "unconfirmed",
            Self::Gained => "gained",
            Self::Other => "changed",
        }
    }
}

/// A counter that is not what it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterChange {
    /// The task's id.
    pub task: Arc<str>,
    /// Its family.
    pub family: Arc<str>,
    /// The strategy's name.
    pub strategy: Arc<str>,
    /// The counter's name.
    pub counter: Arc<str>,
    /// In the baseline; `None`: it was not reported.
    pub before: Option<u64>,
    /// Now. Where `unsteady`, the least value of the repeats.
    pub after: Option<u64>,
    /// Whether the repeats of the current run do not agree, though those of the baseline do.
    pub unsteady: bool,
    /// Whether the rules take it for a regression.
    pub counts: bool,
}

impl CounterChange {
    /// Both values for people; `none` stands for what was not reported.
    pub fn values(&self, none: &str) -> (String, String) {
        let value = |value: Option<u64>| value.map_or_else(|| none.to_owned(), |value| value.to_string());
        let after = value(self.after);
        (value(self.before), if self.unsteady { format!("{after} or more") } else { after })
    }
}

/// How many tasks have another value of a counter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CounterCount {
    /// The strategy's name.
    pub strategy: Arc<str>,
    /// The family.
    pub family: Arc<str>,
    /// The counter's name.
    pub counter: Arc<str>,
    /// Tasks where it differs.
    pub differ: u64,
    /// Those of them that the rules take for a regression.
    pub count: u64,
}

/// A counter whose repeats in the baseline differ, so that it cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsteady {
    /// The strategy's name.
    pub strategy: Arc<str>,
    /// The family.
    pub family: Arc<str>,
    /// The counter's name.
    pub counter: Arc<str>,
    /// In how many tasks.
    pub tasks: u64,
    /// The first of them.
    pub task: Arc<str>,
}

/// What comes of a comparison. Where several apply, the first one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// A verdict is wrong or contradicted: exit status 10.
    Wrong,
    /// A model does not satisfy its problem: 11.
    InvalidModel,
    /// Slower, a task lost, or a counter that counts: 20.
    Regression,
    /// Records are missing, or there was nothing to compare: 30.
    Incomplete,
    /// Nothing of this: 0.
    Fine,
}

impl Decision {
    /// For the command line.
    pub const fn exit_status(self) -> u8 {
        match self {
            Self::Wrong => 10,
            Self::InvalidModel => 11,
            Self::Regression => 20,
            Self::Incomplete => 30,
            Self::Fine => 0,
        }
    }
}

impl Comparison {
    /// Why there was nothing to compare; `None` where there was something.
    pub fn nothing_compared(&self) -> Option<&'static str> {
        let Extent { pairs, solved, timed } = self.extent;
        // A task that was gained or lost is reported without a time.
        let told = self.statuses.iter().any(|change| {
            matches!(change.kind, StatusKind::Gained | StatusKind::Lost | StatusKind::Unconfirmed)
        });
        if pairs == 0 {
            Some("no strategy has a task that is in both runs")
        } else if told {
            None
        } else if solved == 0 {
            Some("no task was solved in both runs")
        } else if self.times_decide && timed == 0 {
            Some("no task that was solved in both runs has a time in both")
        } else {
            None
        }
    }

    /// The groups that are slower, the worst first; none where times decide nothing.
    pub fn slower_groups(&self) -> Vec<&Group> {
        let mut slower: Vec<&Group> =
            self.groups.iter().filter(|g| self.times_decide && g.standing == Standing::Slower).collect();
        slower.sort_by(|a, b| b.ratio.unwrap_or(0.0).total_cmp(&a.ratio.unwrap_or(0.0)));
        slower
    }

    /// The tasks that are slower by themselves, the worst first; none where times decide nothing.
    pub fn slower_tasks(&self) -> impl Iterator<Item = &TaskRow> {
        self.tasks.iter().take_while(|row| self.times_decide && row.standing == Standing::Slower)
    }
}

//! Arguments of `history`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use harness_history::Selector;
use harness_model::rules::Metric;

/// Arguments of `history`.
#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// What to do
    #[command(subcommand)]
    pub command: HistoryCommand,
    /// File of the history
    #[arg(long, value_name = "FILE", global = true, default_value = harness_history::DEFAULT_FILE)]
    pub db: PathBuf,
}

/// What to do with the history.
#[derive(Debug, Subcommand)]
pub enum HistoryCommand {
    /// Adds runs; one that is there already is not added twice
    #[command(after_help = "Example: harness history add out/ci --commit $(git rev-parse HEAD)")]
    Add {
        /// Directories that 'harness compare' or 'harness regress' made
        #[arg(required = true)]
        dirs: Vec<PathBuf>,
        /// The commit that they measured
        #[arg(long, value_parser = commit)]
        commit: Option<String>,
        /// Also where the history has records of a run that its directory lacks: they are thrown away
        #[arg(long)]
        replace: bool,
    },
    /// Lists the runs, a line each, in the order in which they began
    #[command(after_help = "Example: harness history list")]
    List,
    /// Shows a run: its conditions, and a line for each strategy
    #[command(after_help = "Example: harness history show latest
         harness history show '#3'
         harness history show 3f2a9c")]
    Show {
        /// 'latest', a commit (also the first letters of one), or a number as in '#3'
        selector: Selector,
    },
    /// Shows times from run to run, and where they take a step that is not noise
    #[command(after_help = TREND_EXAMPLE)]
    Trend(TrendArgs),
}

const TREND_EXAMPLE: &str = "\
A time is the geometric mean over the tasks that the strategy solved in every run of the series. Runs are in one series when
plan, processor, cores, workers and the build's profile are the same. A step is reported when at most one in a hundred random
orders of the same runs has one as large, and when it is at least 5 %.

Example: harness history trend --out out/trend
         harness history trend --strategy classes-lazy --family regexes/li2009";

/// Arguments of `history trend`.
#[derive(Debug, Args)]
pub struct TrendArgs {
    /// Only this strategy
    #[arg(long, value_name = "NAME")]
    pub strategy: Option<String>,
    /// Only tasks of this family
    #[arg(long, value_name = "NAME")]
    pub family: Option<String>,
    /// Only runs of the configuration with this name
    #[arg(long, value_name = "NAME")]
    pub config: Option<String>,
    /// Which time
    #[arg(long, value_enum, default_value = "cpu")]
    pub metric: Time,
    /// Shows times as they were measured: what the machine did to all strategies alike stays in them
    #[arg(long)]
    pub as_measured: bool,
    /// Directory for the picture and the tables
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Which time is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Time {
    /// Processor time of the whole record without that of an empty one
    Own,
    /// Processor time of the whole record
    Cpu,
    /// The phase solve, by the clock
    Solve,
}

impl From<Time> for Metric {
    fn from(time: Time) -> Self {
        match time {
            Time::Own => Self::Own,
            Time::Cpu => Self::Cpu,
            Time::Solve => Self::Solve,
        }
    }
}

/// A name that can be asked for again.
fn commit(text: &str) -> Result<String, String> {
    match text.parse()? {
        Selector::Commit(name) if name == text => Ok(name),
        _ => Err(format!("'{text}' cannot be the name of a commit")),
    }
}

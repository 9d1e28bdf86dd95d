//! The command line.

pub mod fetch;
pub mod history;
pub mod shrink;
pub mod submit;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use harness_model::{Alphabet, SolutionKind};
use harness_regress::Condition;
use harness_store::Shard;

use crate::{complete, embedded};

/// Compares strategies for solving string constraints, side by side, on the same tasks, in one run.
#[derive(Debug, Parser)]
#[command(name = "harness", version, max_term_width = 100, after_help = STATUSES)]
pub struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

const STATUSES: &str = "\
Exit status:
   0  fine
   2  usage, config or input error
  10  a wrong verdict, or two strategies that disagree
  11  a model that does not satisfy its problem
  20  a regression
  30  the run is incomplete
  40  runs that may not be compared: other machine, other limits, other config

Example: harness compare configs/quick.yaml --out out/quick";

/// Below this a worker cannot even start.
const LEAST_MEMORY: u64 = 16 << 20;

/// The commands.
#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one of it")]
pub enum Command {
    /// Runs a study: plans, runs, checks and reports. Resumes where an earlier run into DIR stopped
    #[command(after_help = "Example: harness compare configs/quick.yaml --out out/quick --workers 2")]
    Compare {
        /// YAML file, or the name of a configuration that is built in (see 'harness list configs')
        #[arg(add = complete::configs())]
        config: PathBuf,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Runs the study behind a published table; published figures stand beside measured ones
    #[command(after_help = "Example: harness reproduce figure-3.8 --out out/figure-3.8 --timeout 60s")]
    Reproduce {
        /// The published table or figure
        #[arg(value_parser = PossibleValuesParser::new(embedded::papers().map(paper)))]
        name: String,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Answers problems with one strategy or several, as an SMT solver does; every 'sat' is checked before it
    /// is printed
    #[command(after_help = SOLVE_EXAMPLE)]
    Solve(SolveArgs),
    /// Evaluates a model against a problem; no solver has a part in it
    #[command(after_help = CHECK_EXAMPLE)]
    Check(CheckArgs),
    /// Prints a problem without Java's operations, in SMT-LIB that any solver reads
    #[command(after_help = "Example: harness lower problem.smt2 > lowered.smt2")]
    Lower {
        /// SMT-LIB script; - for standard input
        file: PathBuf,
        /// Characters that strings are made of: ascii, latin1, utf16 or unicode
        #[arg(long, value_name = "ALPHABET", default_value = "unicode")]
        alphabet: Alphabet,
        /// Reads characters in literals as UTF-8, and prints them as SMT-LIB has them: as escapes, \\u{e9}
        #[arg(long)]
        utf8: bool,
    },
    /// Draws a problem as a string graph
    #[command(after_help = "Example: harness draw problem.smt2 --out graph.svg")]
    Draw(DrawArgs),
    /// Judges the records in DIR again and makes the reports again; runs nothing
    #[command(
        after_help = "Example: harness report out/quick\n         harness report out/now --against out/before"
    )]
    Report(ReportArgs),
    /// Judges the records in DIR again and writes them in a format that other tools read
    #[command(after_help = EXPORT_EXAMPLE)]
    Export(ExportArgs),
    /// Puts runs of one plan together that were made in shards, then judges and reports the whole
    #[command(after_help = MERGE_EXAMPLE)]
    Merge(MergeArgs),
    /// Runs a study in shards, as jobs on a cluster, and merges them; the same command again goes on after any
    /// loss
    #[command(after_help = submit::EXAMPLE)]
    Submit(submit::SubmitArgs),
    /// Shows what has become of the shards of a study that was submitted, and what to do next
    #[command(after_help = submit::STATUS_EXAMPLE)]
    Status(submit::StatusArgs),
    /// Runs a study and compares it with an earlier run, or with another build of this program
    #[command(after_help = REGRESS_EXAMPLE)]
    Regress(RegressArgs),
    /// Keeps runs over time: by commit, machine and configuration; shows how times went from run to run
    #[command(after_help = "Example: harness history add out/ci --commit $(git rev-parse HEAD)
         harness history trend --out out/trend")]
    History(history::HistoryArgs),
    /// Brings public corpora into a cache, for configurations to use; without names, shows what there is
    #[command(after_help = fetch::EXAMPLE)]
    Fetch(fetch::FetchArgs),
    /// Writes the tasks of a study as files; runs nothing
    #[command(after_help = "Example: harness generate configs/long.yaml --out tasks")]
    Generate {
        /// YAML file, or the name of a configuration that is built in
        #[arg(add = complete::configs())]
        config: PathBuf,
        /// Directory for tasks.jsonl (what a worker is given, one task a line), tasks.tsv (for reading) and a
        /// file for each script
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Shows what there is, with one line each
    #[command(
        after_help = "Example: harness list strategies\n         harness list options z3 'parray*'\n         harness list operations java. 'parray*'"
    )]
    List {
        /// Only these
        what: Option<Listed>,
        /// Only those of these names (with * for any letters); of options: families, or strategies; of
        /// operations: those with this in their names, or the strategies of this name
        #[arg(requires = "what", add = complete::listed())]
        names: Vec<String>,
    },
    /// Shows versions, the limits that work here, and what will be skipped and why
    #[command(after_help = "Example: harness doctor")]
    Doctor,
    /// Makes chosen records of a run again, such as those that the system killed; the old ones are kept and
    /// marked
    #[command(after_help = RERUN_EXAMPLE)]
    Rerun(RerunArgs),
    /// Makes a question smaller for as long as strategies still show the same fault: a wrong verdict, a
    /// disagreement, a crash, an outlier
    #[command(after_help = shrink::EXAMPLE)]
    Shrink(shrink::ShrinkArgs),
    /// Looks at single tasks of a run
    #[command(subcommand, after_help = TASK_EXAMPLE)]
    Task(TaskCommand),
    /// Prints a script that completes command lines
    #[command(
        after_help = "Example: harness completions bash > ~/.local/share/bash-completion/completions/harness"
    )]
    Completions {
        /// For which shell
        shell: Shell,
    },
    /// Serves requests as a worker process: one JSON value a line, in and out
    #[command(hide = true)]
    Worker {
        /// Makes a strategy slower by so many percent: NAME=PERCENT
        #[cfg(feature = "planted")]
        #[arg(long, hide = true, value_parser = plant)]
        plant: Option<(String, u32)>,
    },
}

/// A study behind a published table, with what it is for.
fn paper(config: &'static embedded::Builtin) -> PossibleValue {
    PossibleValue::new(config.name).help(config.about())
}

#[cfg(feature = "planted")]
fn plant(text: &str) -> Result<(String, u32), String> {
    let (name, percent) = text.split_once('=').ok_or("NAME=PERCENT is wanted")?;
    Ok((name.to_owned(), percent.parse().map_err(|error| format!("{percent}: {error}"))?))
}

const SOLVE_EXAMPLE: &str = "\
Prints sat, unsat or unknown for each check-sat, then, where the script asks for it, the model or the values of terms.
After unknown stands the reason: timeout, memout, (unsupported \"the operation\"), or what the strategy says.
Where there are several files or strategies, a comment above each answer names the two. Strategies that contradict each
other give status 10.

Example: harness solve problem.smt2 --strategy z3 --timeout 10s --model
         harness solve problems/ 'more/*.smt2' --strategy z3 --strategy 'graph-automata-free-*' --stats";

const CHECK_EXAMPLE: &str = "\
Exit status: 0 the model satisfies the problem, or the answer is unsat or unknown and there is none;
11 it does not; 30 it cannot be told, and why.

Example: harness check problem.smt2 model.txt
         z3 -model problem.smt2 | harness check problem.smt2 -";

const REGRESS_EXAMPLE: &str = "\
A strategy is slower when the geometric mean of its time ratios is at least 'regress.ratio' (1.10
where the configuration says nothing), the interval of that mean lies above 1, and both are so again
each time that it is run again. Lost and wrong verdicts and counters that grew are told exactly.
Files that are to be written (--markdown, --junit, --json, ...) may be there already only if an
earlier comparison wrote them. These are removed once all that is read is there and right, so that
none is left of an earlier comparison when this one is refused (status 30 or 40).

Example: harness regress configs/ci.yaml --against old/harness
         harness regress configs/ci.yaml --baseline out/before --out out/now
         harness regress out/now --baseline out/before";

const RERUN_EXAMPLE: &str = "\
A record is chosen when all conditions hold. Fields: status (of results.csv, such as crash, timeout, memout), strategy,
task, family, alphabet, repeat; = for equal, != for different; with * for any letters. The records are made with the
tasks, limits and strategies of the run, whatever became of its configuration.

Example: harness rerun out/quick --where status=crash
         harness rerun out/quick --where status=timeout,strategy='sfa-*'";

const MERGE_EXAMPLE: &str = "\
The directories are only read. A directory or a record that is missing leaves a gap: the rest is merged, and the status is
30; the same command again, or 'harness compare' into the merged directory, fills it. Records that two directories have of
one run of the plan and that are not the same are an error (2). Runs of other plans, limits, machines or programs do not
stand together (40).

Example: harness merge out/1 out/2 --out out/whole
   after harness compare study.yaml --shard 1/2 --out out/1
     and harness compare study.yaml --shard 2/2 --out out/2";

const EXPORT_EXAMPLE: &str = "\
csv, parquet: records (the columns of results.csv), tasks and strategies, a file each. sqlite: one database.
benchexec: a result file for each strategy, which table-generator opens. smtcomp: SMT-COMP's results as JSON.
FORMATS.md describes them. Exit status: 0 when the files are written, whatever is wrong in the run.

Example: harness export --format parquet out/quick
         duckdb -c \"select status, count(*) from 'out/quick/export/records.parquet' group by 1\"";

const TASK_EXAMPLE: &str = "\
Example: harness task show out/quick regexes/li2009/ascii/product/A0-A1
         harness task show --json out/quick regexes/li2009/ascii/product/A0-A1 | harness worker";

/// The commands about single tasks.
#[derive(Debug, Subcommand)]
pub enum TaskCommand {
    /// Prints a task of a run: what is asked, what is expected, what became of each record
    #[command(after_help = TASK_EXAMPLE)]
    Show(ShowArgs),
}

/// What 'task show' is told.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Directory that 'harness compare' made
    pub dir: PathBuf,
    /// Id of the task: first column of results.csv
    pub id: String,
    /// Only of this strategy; with --json, by default the first one of the run
    #[arg(long, value_name = "NAME", add = complete::strategies())]
    pub strategy: Option<String>,
    /// Prints the line that a worker was given instead, so that a run can be repeated by hand
    #[arg(long)]
    pub json: bool,
}

/// Options of the commands that run a study.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Directory for records and reports; made if need be, resumed if it holds the same study
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Worker processes at a time, at most one a core; instead of the configuration's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub workers: Option<u32>,
    /// Wall and CPU limit of each record, such as 60s or 2m; instead of the configuration's
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub timeout: Option<Duration>,
    /// Goes on with a run in DIR though this differs: program (another build)
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',', hide_possible_values = true)]
    pub allow: Vec<Allowed>,
    /// Adds to the run in DIR: strategies and repeats that it does not have; all else has to be the same
    #[arg(long)]
    pub extend: bool,
    /// Makes only a part of the records, such as 2/4, the second of four, into a DIR of its own: for runs on
    /// several machines, which 'harness merge' puts together
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Cores for the workers, such as 0,2-5; without it those that no other run has, from the first one on
    #[arg(long, value_name = "LIST", value_parser = cores)]
    pub cores: Option<Listing>,
    /// Shows no progress
    #[arg(long)]
    pub no_progress: bool,
}

/// What may differ from the first part of a run that is taken up again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Allowed {
    /// Commit and digest of the program
    Program,
}

/// What 'regress' is told.
#[derive(Debug, Args)]
pub struct RegressArgs {
    /// YAML file, name of a configuration that is built in, or directory of a run that is there already
    #[arg(add = complete::configs())]
    pub config: PathBuf,
    /// Directory of an earlier run, or one of the history: history for the latest, history@COMMIT,
    /// history@#NUMBER
    #[arg(long, value_name = "DIR|history[@RUN]", conflicts_with = "against")]
    pub baseline: Option<PathBuf>,
    /// Another build of this program: both are run, alternately, record by record. The honest way on a noisy
    /// machine
    #[arg(long, value_name = "PROGRAM")]
    pub against: Option<PathBuf>,
    /// Directory for records and reports, as of 'harness compare'; records of the other build are in its
    /// folder 'against', those of rounds that confirm in 'confirm-1' and so on ('harness report' makes their
    /// reports). Without it, all are thrown away
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// How often a suspected regression is run again before it counts; instead of the configuration's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=20))]
    pub confirm: Option<u32>,
    /// What may differ from the baseline, separated by commas: tasks, strategies, repeats, sampling, seed,
    /// limits, machine, kernel, workers, profile, holes. Where times say nothing then, they are shown and
    /// decide nothing. And program: a run in DIR is taken up again with another build
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub allow: Vec<Condition>,
    /// Worker processes at a time, at most one a core; instead of the configuration's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub workers: Option<u32>,
    /// Cores for the workers, such as 0,2-5; without it those that no other run has, from the first one on
    #[arg(long, value_name = "LIST", value_parser = cores)]
    pub cores: Option<Listing>,
    /// Makes a strategy of this build slower by so many percent, to see whether that is found: NAME=PERCENT
    #[cfg(feature = "planted")]
    #[arg(long, hide = true, value_parser = plant)]
    pub plant: Option<(String, u32)>,
    /// File of the history, for '--baseline history'
    #[arg(long, value_name = "FILE", default_value = harness_history::DEFAULT_FILE)]
    pub db: PathBuf,
    /// Writes a summary for a pull request to FILE, as Markdown of at most 60,000 bytes
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// What the Markdown has a row for
    #[arg(long, value_name = "LAYOUT", value_enum, default_value = "family")]
    pub layout: Rows,
    /// Writes what failed to FILE, as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Writes the times to FILE, as JSON of github-action-benchmark (customSmallerIsBetter)
    #[arg(long, value_name = "FILE")]
    pub benchmark: Option<PathBuf>,
    /// Writes the times to FILE, in the Bencher Metric Format
    #[arg(long, value_name = "FILE")]
    pub bencher: Option<PathBuf>,
    /// Prints what failed as annotations of GitHub too
    #[arg(long)]
    pub annotations: bool,
    /// Writes all that was found to FILE, as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Shows no progress
    #[arg(long)]
    pub no_progress: bool,
}

/// What 'rerun' is told.
#[derive(Debug, Args)]
pub struct RerunArgs {
    /// Directory that 'harness compare' made
    pub dir: PathBuf,
    /// Which records: FIELD=VALUE or FIELD!=VALUE, separated by commas
    #[arg(long = "where", value_name = "CONDITIONS", required = true, value_delimiter = ',')]
    pub conditions: Vec<crate::chosen::Choice>,
    /// Worker processes at a time, at most one a core; instead of the run's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub workers: Option<u32>,
    /// Cores for the workers, such as 0,2-5; without it those that no other run has, from the first one on
    #[arg(long, value_name = "LIST", value_parser = cores)]
    pub cores: Option<Listing>,
    /// Makes them though this differs from the run: program (another build)
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',', hide_possible_values = true)]
    pub allow: Vec<Allowed>,
    /// Shows no progress
    #[arg(long)]
    pub no_progress: bool,
}

/// What 'report' is told.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Directory that 'harness compare' made
    pub dir: PathBuf,
    /// Directory of another run, to compare with in index.html, task by task
    #[arg(long, value_name = "DIR")]
    pub against: Option<PathBuf>,
    /// What may differ between the two runs though times then say little, separated by commas: limits,
    /// machine, kernel, workers, profile, sampling
    #[arg(long, value_name = "WHAT", value_delimiter = ',', requires = "against")]
    pub allow: Vec<Condition>,
}

/// What 'merge' is told.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Directories that 'harness compare --shard' made
    #[arg(required = true, value_name = "DIR")]
    pub dirs: Vec<PathBuf>,
    /// Directory for the whole; made if need be, added to if it holds the same study
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// What may differ between the runs, separated by commas: machine (processor, number of cores), kernel,
    /// program (another build). It is told in the reports
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',', hide_possible_values = true)]
    pub allow: Vec<MergeAllowed>,
}

/// What may differ between runs that are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MergeAllowed {
    /// Processor and number of cores
    Machine,
    /// The kernel
    Kernel,
    /// Commit and digest of the program
    Program,
}

/// What 'export' is told.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Directory that 'harness compare' made
    pub dir: PathBuf,
    /// For which tools
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub format: ExportFormat,
    /// Directory for the files, instead of the folder 'export' of DIR; files of the same names are replaced
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Formats of other tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// Comma-separated values
    Csv,
    /// A database of SQLite
    Sqlite,
    /// Result files of BenchExec
    Benchexec,
    /// SMT-COMP's results, of scripts with one check-sat
    Smtcomp,
    /// Apache Parquet, for DuckDB, pandas and R
    Parquet,
}

/// What 'solve' is told.
#[derive(Debug, Args)]
pub struct SolveArgs {
    /// SMT-LIB scripts; systems of regular constraints, files that end in .dprle or .hmp; grammars, files that
    /// end in .cfg. Also folders, patterns such as 'a/**/*.smt2', and - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Name of the strategy (see 'harness list strategies'), with * for any letters; again for another one
    #[arg(long = "strategy", value_name = "NAME", required = true, add = complete::strategies())]
    pub strategies: Vec<String>,
    /// Characters that strings are made of: ascii, latin1, utf16 or unicode [default: unicode, of systems and
    /// grammars latin1]
    #[arg(long, value_name = "ALPHABET")]
    pub alphabet: Option<Alphabet>,
    /// What is wanted of systems: words, first (a largest language for each variable) or all [default: words]
    #[arg(long, value_name = "KIND")]
    pub solution: Option<SolutionKind>,
    /// What the files are written in, whatever their names end in: smtlib, dprle, hampi or cfg
    #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true)]
    pub format: Option<FileFormat>,
    /// The most characters of a word of a grammar
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(..=1000))]
    pub longest: u32,
    /// Reads characters in literals of scripts as UTF-8, as many solvers do; SMT-LIB has escapes there, \\u{e9}
    #[arg(long)]
    pub utf8: bool,
    /// Wall and CPU limit of each run, such as 10s or 2m
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10s")]
    pub timeout: Duration,
    /// Memory limit, such as 512MiB
    #[arg(long, value_name = "SIZE", value_parser = memory, default_value = "2GiB")]
    pub memory: u64,
    /// Prints the model after every sat, whether or not the script asks for it
    #[arg(long)]
    pub model: bool,
    /// Prints what each run took, as comments: times, memory, phases, counters; of several runs the sums, too
    #[arg(long)]
    pub stats: bool,
}

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
    /// An SMT-LIB script
    Smtlib,
    /// Systems of DPRLE
    Dprle,
    /// Systems of HAMPI
    Hampi,
    /// A grammar of CFG Analyzer
    Cfg,
}

/// What 'check' is told.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// SMT-LIB script
    pub file: PathBuf,
    /// The model, or all that a solver printed; - for standard input
    pub model: PathBuf,
    /// Characters that strings are made of: ascii, latin1, utf16 or unicode
    #[arg(long, value_name = "ALPHABET", default_value = "unicode")]
    pub alphabet: Alphabet,
    /// Reads characters in literals of the script as UTF-8; SMT-LIB has escapes there, \\u{e9}
    #[arg(long)]
    pub utf8: bool,
    /// To which check-sat of the script the model belongs, from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub query: Option<u32>,
}

/// What 'draw' is told.
#[derive(Debug, Args)]
pub struct DrawArgs {
    /// SMT-LIB script; - for standard input
    pub file: PathBuf,
    /// The picture: a file whose name ends in .svg, .png, or .dot for Graphviz
    #[arg(long, value_name = "PICTURE")]
    pub out: PathBuf,
    /// Characters that strings are made of: ascii, latin1, utf16 or unicode
    #[arg(long, value_name = "ALPHABET", default_value = "unicode")]
    pub alphabet: Alphabet,
    /// Which check-sat of the script, from 1
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub query: u32,
}

/// What a table has a row for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rows {
    /// A strategy in a family
    Family,
    /// A strategy on a task
    Task,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Listed {
    /// Complete ways to do a task
    Strategies,
    /// Options of families of strategies: type, default, meaning, the paper's value
    Options,
    /// What each family of strategies does with each operation: native, lowered, weakened, partial, refused
    Operations,
    /// Curated sets of tasks
    Corpora,
    /// Public corpora that 'harness fetch' can bring
    Recipes,
    /// Families of tasks made from parameters
    Generators,
    /// Configurations that are built in
    Configs,
    /// Tables and figures of papers that a configuration may ask for
    Layouts,
    /// The JSON schema of configurations, for editors
    Schema,
}

/// Numbers of cores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing(Vec<u32>);

impl std::ops::Deref for Listing {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.0
    }
}

/// The highest number of a core that is read; no kernel knows more.
const MOST_CORES: u32 = 8192;

fn cores(text: &str) -> Result<Listing, String> {
    let number = |text: &str| -> Result<u32, String> {
        let found: u32 = text.trim().parse().map_err(|_| format!("'{text}' is no number of a core"))?;
        if found < MOST_CORES { Ok(found) } else { Err(format!("there is no core {found}")) }
    };
    let mut cores = Vec::new();
    for part in text.split(',') {
        let (first, last) = match part.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(part)?, number(part)?),
        };
        if first > last {
            return Err(format!("'{part}' ends before it begins"));
        }
        for core in first..=last {
            if cores.contains(&core) {
                return Err(format!("core {core} is there twice"));
            }
            cores.push(core);
        }
    }
    Ok(Listing(cores))
}

fn time(text: &str) -> Result<Duration, String> {
    let time = harness_config::units::duration(text)?;
    if time.is_zero() { Err("the time must be more than zero".to_owned()) } else { Ok(time) }
}

fn memory(text: &str) -> Result<u64, String> {
    let bytes = harness_config::units::size(text)?;
    if bytes < LEAST_MEMORY { Err("the memory limit must be at least 16MiB".to_owned()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn lists_of_cores() {
        assert_eq!(cores("0,2-4, 7"), Ok(Listing(vec![0, 2, 3, 4, 7])));
        for (text, why) in [
            ("", "no number"),
            ("1,,2", "no number"),
            ("-1", "no number"),
            ("3-1", "ends before"),
            ("1,0-2", "twice"),
            ("0-4294967295", "no core"),
        ] {
            assert!(cores(text).unwrap_err().contains(why), "{text}");
        }
    }

    #[test]
    fn every_command_has_an_example() {
        for command in Cli::command().get_subcommands().filter(|c| !c.is_hide_set()) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(
                help.contains(&format!("Example: harness {}", command.get_name())),
                "{}",
                command.get_name()
            );
        }
    }
}

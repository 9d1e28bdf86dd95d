//! What a checked configuration holds.
//!
//! Every name in it is known, every list that must not be empty is not, every number is in its range.
//! Positions are kept where a later stage may still find fault (a file that is missing, a parameter that a
//! generator refuses), so that it can point at the place.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use harness_model::limits::Sampling;
use harness_model::rules::Rules;
use harness_model::run::ReportSpec;
use harness_model::{Alphabet, Dialect, Limits, OperationKind, SolutionKind, SystemFormat};

use crate::error::{ConfigError, Position};
use crate::vocabulary::Vocabulary;

/// A study: tasks, strategies, limits, reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The file, as it was named; for messages.
    pub path: PathBuf,
    /// Its text, as read.
    pub text: String,
    /// Where paths in it start.
    pub base: PathBuf,
    /// Key `name`: of the study.
    pub name: String,
    /// Key `seed`: all that is drawn is drawn from it.
    pub seed: u64,
    /// Key `workers`: processes at a time; absent: as many as there are cores.
    pub workers: Option<u32>,
    /// Key `limits`: of each record.
    pub limits: Limits,
    /// Key `repeats`: records for each task and strategy; at least 1.
    pub repeats: u32,
    /// Key `sampling`: whether short runs are repeated warm.
    pub sampling: Option<Sampling>,
    /// Key `tasks`; at least one entry.
    pub tasks: Vec<TaskEntry>,
    /// Key `strategies`: patterns and options resolved, in the file's order, each name once; at least one.
    pub strategies: Vec<Contender>,
    /// Key `leave_out`: cells of the grid that are not run.
    pub leave_out: Vec<LeaveOut>,
    /// Key `on_bad_task`: what a regular expression that does not parse does to the run.
    pub on_bad_task: OnBadTask,
    /// Key `report`: tables and plots beside the usual ones.
    pub report: ReportSpec,
    /// Key `regress`: what counts as worse than a baseline.
    pub regress: Rules,
}

/// A strategy of the study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    /// The name in records and tables: key `as`, or else the canonical name.
    pub name: String,
    /// The id of its family.
    pub family: String,
    /// Every option of the family with its value as text.
    pub options: BTreeMap<String, String>,
    /// The name that family and options give it, by which a worker is asked for it.
    pub canonical: String,
}

/// Where tasks come from.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskEntry {
    /// Of the entry.
    pub at: Position,
    /// Key `alphabets`, of the entry or else of the whole file; at least one, each once.
    pub alphabets: Vec<Alphabet>,
    /// Where from.
    pub source: TaskSource,
}

/// The kinds of sources.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskSource {
    /// Entry `corpus`.
    Corpus(CorpusEntry),
    /// Entry `regexes`.
    Regexes(RegexesEntry),
    /// Entry `scripts`.
    Scripts(ScriptsEntry),
    /// Entry `systems`.
    Systems(SystemsEntry),
    /// Entry `grammars`.
    Grammars(GrammarsEntry),
    /// Entry `fetched`.
    Fetched(FetchedEntry),
    /// Entry `generator`.
    Generator(GeneratorEntry),
}

/// Tasks of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorpusEntry {
    /// A corpus of the vocabulary.
    pub name: String,
    /// At least one, each once.
    pub operations: Vec<OperationKind>,
    /// Only these expressions, by name; empty: all.
    pub include: Vec<String>,
    /// Not these.
    pub exclude: Vec<String>,
    /// All operations of a kind as one task, so that a strategy can share work between them.
    pub batch: bool,
    /// The expressions against the same ones written differently, instead of against each other.
    pub variants: bool,
}

/// Tasks made of a user's own expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexesEntry {
    /// Of the key `file`.
    pub at: Position,
    /// Relative paths are taken from the configuration's folder already.
    pub file: PathBuf,
    /// Whose syntax.
    pub dialect: Dialect,
    /// Whether a match may be anywhere in a word.
    pub find: bool,
    /// At least one, each once.
    pub operations: Vec<OperationKind>,
    /// Only these expressions, by name; empty: all.
    pub include: Vec<String>,
    /// Not these.
    pub exclude: Vec<String>,
    /// All operations of a kind as one task.
    pub batch: bool,
}

/// Tasks made of a user's own SMT-LIB files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptsEntry {
    /// Paths as they were written, or patterns: `*` stands for any characters in a name, `**` for any
    /// folders. At least one.
    pub files: Vec<(Position, String)>,
    /// Not these files: paths, folders and patterns as in `files`, and names without folders.
    pub exclude: Vec<(Position, String)>,
    /// A table of what is expected.
    pub expected: Option<(Position, PathBuf)>,
    /// Key `where`: conditions that a script has to meet, all of them; a later stage reads them.
    pub conditions: Vec<(Position, String)>,
    /// How many of the scripts that are left, and the seed that decides which.
    pub sample: Option<(u32, u64)>,
    /// Whether literals of strings may hold characters as UTF-8.
    pub utf8: bool,
    /// Where relative paths start.
    pub base: PathBuf,
}

/// Tasks made of a user's own systems of regular constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemsEntry {
    /// Paths and patterns as those of scripts; none is a folder. At least one.
    pub files: Vec<(Position, String)>,
    /// What they are written in; without it, their endings say so.
    pub format: Option<SystemFormat>,
    /// What is wanted of each.
    pub solution: SolutionKind,
    /// Not these files.
    pub exclude: Vec<(Position, String)>,
    /// A table of what is expected.
    pub expected: Option<(Position, PathBuf)>,
    /// Where relative paths start.
    pub base: PathBuf,
}

/// Tasks made of a user's own context-free grammars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarsEntry {
    /// Paths and patterns as those of scripts; none is a folder. At least one.
    pub files: Vec<(Position, String)>,
    /// The least length of words.
    pub shortest: u32,
    /// The greatest length of words.
    pub longest: u32,
    /// Which grammars are asked about together.
    pub pairs: Pairs,
    /// How many of these, and the seed that decides which.
    pub sample: Option<(u32, u64)>,
    /// Not these files.
    pub exclude: Vec<(Position, String)>,
    /// Where relative paths start.
    pub base: PathBuf,
}

/// Which grammars are asked about together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairs {
    /// Each two.
    All,
    /// The first and the second file, the third and the fourth.
    Listed,
    /// Each alone.
    Single,
}

impl Pairs {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::All, Self::Listed, Self::Single];

    /// The name used in configs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Listed => "listed",
            Self::Single => "single",
        }
    }
}

/// Tasks made of a public corpus that was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedEntry {
    /// A recipe's name; a later stage looks for it, since recipes may be in a file of the user's own.
    pub name: (Position, String),
    /// Not these files: paths, folders and patterns below the corpus's folder, and names without folders.
    pub exclude: Vec<(Position, String)>,
    /// Key `where`: conditions that a script has to meet, all of them; a later stage reads them.
    pub conditions: Vec<(Position, String)>,
    /// How many of the scripts that are left, and the seed that decides which.
    pub sample: Option<(u32, u64)>,
}

/// Tasks made from parameters and a seed.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratorEntry {
    /// A generator of the vocabulary.
    pub name: String,
    /// By name; the generator checks them.
    pub params: BTreeMap<String, Param>,
    /// Its own or the configuration's.
    pub seed: u64,
}

/// The value of a generator's parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Param {
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// `true` or `false`.
    Bool(bool),
    /// Anything else that is not a list.
    Text(String),
    /// Several.
    List(Vec<Param>),
}

/// Strategies that are not run in some alphabets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaveOut {
    /// Names with patterns resolved: those that are among the strategies of the file; at least one.
    pub strategies: Vec<String>,
    /// At least one.
    pub alphabets: Vec<Alphabet>,
    /// Why; it is printed and stored.
    pub because: String,
}

/// What a task that cannot be made does to the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OnBadTask {
    /// Nothing is run.
    #[default]
    Stop,
    /// It is listed and left out.
    Skip,
}

impl Config {
    /// Reads and checks the file at `path`. Paths in it are relative to its folder.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is not YAML, or says something that cannot be.
    pub fn read(path: &Path, vocabulary: &Vocabulary) -> Result<Self, ConfigError> {
        let unreadable = |why: String| {
            ConfigError::single(path, "", None, format!("the configuration cannot be read: {why}"))
        };
        let bytes = harness_files::read(path, harness_files::CONFIG)
            .map_err(|error| unreadable(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
        let base = path.parent().unwrap_or(Path::new("")).to_owned();
        Self::parse(&text, path, &base, vocabulary)
    }

    /// Checks `text`. `path` is what errors call it; paths in it are relative to `base`.
    ///
    /// # Errors
    ///
    /// When it is not YAML or says something that cannot be.
    pub fn parse(text: &str, path: &Path, base: &Path, vocabulary: &Vocabulary) -> Result<Self, ConfigError> {
        let wire =
            crate::syntax::read(text).map_err(|diagnostic| ConfigError::new(path, text, vec![diagnostic]))?;
        crate::check::check(wire, text, path, base, vocabulary)
            .map_err(|diagnostics| ConfigError::new(path, text, diagnostics))
    }

    /// An error about this file, for what only later stages can find.
    pub fn error(&self, at: Position, message: impl Into<String>) -> ConfigError {
        ConfigError::single(&self.path, &self.text, Some(at), message)
    }

    /// Why `strategy` is not run in `alphabet`, if it is not.
    pub fn left_out(&self, strategy: &str, alphabet: Alphabet) -> Option<&LeaveOut> {
        self.leave_out
            .iter()
            .find(|l| l.alphabets.contains(&alphabet) && l.strategies.iter().any(|s| s == strategy))
    }
}

impl LeaveOut {
    /// One line for people.
    pub fn describe(&self) -> String {
        if self.alphabets.len() == Alphabet::ALL.len() {
            return format!("{}: {}", self.strategies.join(", "), self.because);
        }
        let alphabets: Vec<&str> = self.alphabets.iter().map(|a| a.name()).collect();
        format!("{} in {}: {}", self.strategies.join(", "), alphabets.join(", "), self.because)
    }
}

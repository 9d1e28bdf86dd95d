//! Curated tasks, and tasks made of a user's own expressions and scripts.
//!
//! - [`names`], [`load`]: the corpora, by name; [`study`] has regular expressions, `scripts` the corpora of
//!   SMT-LIB scripts that `corpora/manifest.csv` lists
//! - [`user`]: a user's file of expressions; [`user_scripts`]: a user's scripts, in the files that
//!   [`script_files`] finds, chosen by [`features`]; [`claims`]: what is expected of them elsewhere
//! - [`recipes`]: where public corpora are and what is known of them; [`fetched`]: those that are in the
//!   cache
//! - [`pairs`]: how pairs of expressions become tasks
//! - [`error`]: what can go wrong
//!
//! Depends on the model, on the theory, on `harness-regex` and on `harness-smtlib`, never on a backend. Data
//! is part of the program; every folder of data has a note of its origin. The folder `published` holds
//! figures that papers published, which the crate `reports` reads.

pub mod claims;
pub mod error;
pub mod features;
pub mod fetched;
pub mod pairs;
pub mod recipes;
pub mod script_files;
mod scripts;
pub mod study;
mod study_systems;
pub mod user;
pub mod user_grammars;
pub mod user_scripts;
pub mod user_systems;

use harness_model::{Alphabet, OperationKind, Task};

pub use claims::{Claims, TaskFile};
pub use error::CorpusError;
pub use features::{Condition, Features};
pub use fetched::{Cache, Fetched};
pub use pairs::Batch;
pub use recipes::{Recipe, Recipes};
pub use script_files::ScriptFiles;
pub use user::{BadRegex, UserRegexes};
pub use user_grammars::{GrammarChoice, Pairing, UserGrammars};
pub use user_scripts::{BadScript, Choice, Sample, UserScripts};
pub use user_systems::{SystemChoice, UserSystems};

/// A corpus in one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorpusInfo {
    /// What [`load`] takes.
    pub name: &'static str,
    /// For `harness list corpora`.
    pub summary: &'static str,
    /// Whether its tasks are scripts (string constraints), and not operations on regular expressions.
    pub scripts: bool,
}

/// The corpora, with a line each.
pub fn names() -> Vec<CorpusInfo> {
    let study = CorpusInfo {
        name: study::NAME,
        summary: "ten expressions from real code, A0 to A9: 55 products, 100 differences, each also against itself \
                  written differently",
        scripts: false,
    };
    let scripts = scripts::COLLECTIONS.iter();
    let scripts = scripts.map(|c| CorpusInfo { name: c.name, summary: c.summary, scripts: true });
    let systems = CorpusInfo {
        name: study_systems::NAME,
        summary: "the same operations as systems of one variable, which is in both languages, or in one and not the other",
        scripts: false,
    };
    [study, systems].into_iter().chain(scripts).collect()
}

/// Which of a corpus's tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// One set of tasks for each.
    pub alphabets: Vec<Alphabet>,
    /// Which operations, in which order.
    pub operations: Vec<OperationKind>,
    /// Only expressions or scripts of these names; empty: all.
    pub include: Vec<String>,
    /// No expressions or scripts of these names.
    pub exclude: Vec<String>,
    /// How operations are put into tasks.
    pub batch: Batch,
    /// Each expression against the same one written differently, instead of all pairs: `A minus Av` and `Av
    /// minus A`, both empty, and the product, which is as empty as `A` is.
    pub variants: bool,
}

impl Default for Options {
    /// Both operations on all pairs, a task each, in `ascii`.
    fn default() -> Self {
        Self {
            alphabets: vec![Alphabet::Ascii],
            operations: vec![OperationKind::Product, OperationKind::Difference],
            include: Vec::new(),
            exclude: Vec::new(),
            batch: Batch::Single,
            variants: false,
        }
    }
}

impl Options {
    /// Whether the expression `name` is wanted.
    pub(crate) fn keeps(&self, name: &str) -> bool {
        let included = self.include.is_empty() || self.include.iter().any(|n| n == name);
        included && !self.exclude.iter().any(|n| n == name)
    }
}

/// The tasks of the corpus `name` that `options` ask for, always in the same order.
///
/// # Errors
/// When there is no such corpus, expression or script (with the nearest right name), or nothing is left.
///
/// ```
/// let tasks = corpora::load("regexes/li2009", &corpora::Options::default())?;
/// assert_eq!(tasks.len(), 155);
/// assert_eq!(tasks[1].id, "regexes/li2009/ascii/product/A0-A1");
/// # Ok::<(), corpora::CorpusError>(())
/// ```
pub fn load(name: &str, options: &Options) -> Result<Vec<Task>, CorpusError> {
    if name == study::NAME {
        return study::load(options);
    }
    if name == study_systems::NAME {
        return study_systems::load(options);
    }
    match scripts::COLLECTIONS.iter().find(|c| c.name == name) {
        Some(collection) => collection.load(options),
        None => Err(CorpusError::UnknownCorpus {
            name: name.to_owned(),
            hint: error::hint(name, names().iter().map(|c| c.name)),
        }),
    }
}

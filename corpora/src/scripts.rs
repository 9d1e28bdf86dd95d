//! Collections of SMT-LIB scripts: names, texts, right answers.
//!
//! The data is part of the program: the build script links what `corpora/manifest.csv` names. Every script is
//! one task, with as many answers as it has `check-sat` commands.

use std::collections::BTreeMap;
use std::path::PathBuf;

use harness_model::{Alphabet, Expected, Question, Task, Verdict};

use crate::Options;
use crate::error::{CorpusError, hint};

/// A script with its name, which is its file's without the ending.
pub(crate) struct Script {
    pub(crate) name: &'static str,
    pub(crate) bytes: &'static [u8],
}

/// Scripts with right answers.
pub(crate) struct Collection {
    /// What [`crate::load`] takes.
    pub(crate) name: &'static str,
    /// For `harness list corpora`.
    pub(crate) summary: &'static str,
    /// The alphabets in which the right answers are known.
    pub(crate) alphabets: &'static [Alphabet],
    pub(crate) scripts: &'static [Script],
    /// The text of `expected.csv`: a name, which may have its ending, the verdicts joined by a comma, and the
    /// reason.
    pub(crate) expected: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/collections.rs"));

/// The text of a script. One that is not UTF-8 (old files have names of people in comments) is read byte by
/// byte as Latin-1: no two different names become the same, and what is not ASCII in a literal is refused in
/// either reading.
pub(crate) fn text_of(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        // A byte order mark does no harm.
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

impl Collection {
    fn damaged(&self, line: usize, what: String) -> CorpusError {
        CorpusError::Line { file: PathBuf::from(format!("corpora/{}/expected.csv", self.name)), line, what }
    }

    /// The right answers and the reasons for them, by name; rows that name no verdict are left out.
    pub(crate) fn answers(&self) -> Result<BTreeMap<String, (Vec<Verdict>, String)>, CorpusError> {
        let mut answers = BTreeMap::new();
        let mut reader = csv::Reader::from_reader(self.expected.as_bytes());
        for (index, record) in reader.records().enumerate() {
            let line = index + 2;
            let record = record.map_err(|error| self.damaged(line, error.to_string()))?;
            let [name, right, why] = record
                .iter()
                .collect::<Vec<_>>()
                .try_into()
                .map_err(|_| self.damaged(line, "three columns are wanted".into()))?;
            if right.starts_with("error") {
                continue;
            }
            let verdict = |word: &str| match word {
                "sat" => Ok(Verdict::Sat),
                "unsat" => Ok(Verdict::Unsat),
                other => Err(self.damaged(line, format!("'{other}' is no verdict"))),
            };
            let verdicts = right.split(", ").map(verdict).collect::<Result<_, _>>()?;
            answers.insert(name.trim_end_matches(".smt2").to_owned(), (verdicts, why.to_owned()));
        }
        Ok(answers)
    }

    /// One task for each script that `options` keep, in each alphabet. Operations, batches and variants do
    /// not apply.
    pub(crate) fn load(&self, options: &Options) -> Result<Vec<Task>, CorpusError> {
        for name in options.include.iter().chain(&options.exclude) {
            if !self.scripts.iter().any(|s| s.name == name) {
                return Err(CorpusError::UnknownScript {
                    place: format!("corpus {}", self.name),
                    name: name.clone(),
                    hint: hint(name, self.scripts.iter().map(|s| s.name)),
                });
            }
        }
        let answers = self.answers()?;
        let mut tasks = Vec::new();
        for &alphabet in &options.alphabets {
            for script in self.scripts.iter().filter(|s| options.keeps(s.name)) {
                let Some((verdicts, why)) = answers.get(script.name) else {
                    return Err(self.damaged(1, format!("there is no answer for '{}'", script.name)));
                };
                let known = self.alphabets.contains(&alphabet);
                tasks.push(Task {
                    parameters: Default::default(),
                    id: format!("{}/{alphabet}/{}", self.name, script.name),
                    family: self.name.to_owned(),
                    question: Question::of_script(alphabet, text_of(script.bytes), verdicts.len()),
                    expected: known.then(|| Expected { verdicts: verdicts.clone(), source: why.clone() }),
                });
            }
        }
        if tasks.is_empty() {
            let why = if options.alphabets.is_empty() {
                "no alphabet is chosen"
            } else {
                "every script is excluded"
            };
            return Err(CorpusError::Empty { place: format!("corpus {}", self.name), why });
        }
        Ok(tasks)
    }
}

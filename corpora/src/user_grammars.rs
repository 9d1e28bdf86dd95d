//! Tasks made of a user's own context-free grammars, in the format of CFG Analyzer.
//!
//! Each choice of grammars is a task: whether they have a word within bounds in common. A file that cannot be
//! read is told, with its place, and left out. Names are those of scripts, after paths below the folder that
//! the user gave.

use std::collections::BTreeSet;

use harness_model::{Alphabet, GrammarSource, GrammarsSource, Question, Task};
use sha2::{Digest, Sha256};

use crate::script_files::ScriptFiles;
use crate::scripts::text_of;
use crate::user_scripts::{BadScript, Roots, Sample};

/// Which grammars are asked about together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pairing {
    /// Each two of them.
    All,
    /// The first and the second file, the third and the fourth.
    Listed,
    /// Each alone: whether it has such a word at all.
    Single,
}

impl Pairing {
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

/// What is asked of grammars.
#[derive(Clone, Copy)]
pub struct GrammarChoice<'a> {
    /// The patterns that named the files, as they were written.
    pub patterns: &'a [&'a str],
    /// The least length of words.
    pub shortest: u32,
    /// The greatest length of words.
    pub longest: u32,
    /// Which of them together.
    pub pairing: Pairing,
    /// So many of these; all without it.
    pub sample: Option<Sample>,
}

/// A user's grammars, read in one alphabet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserGrammars {
    /// In the order of the files.
    pub tasks: Vec<Task>,
    /// What is wrong with files, in their order.
    pub bad: Vec<BadScript>,
}

impl UserGrammars {
    /// Reads `files`, whose characters are of `alphabet`. Ids and families begin with `grammars`.
    pub fn read(files: &ScriptFiles, choice: &GrammarChoice<'_>, alphabet: Alphabet) -> Self {
        let mut this = Self::default();
        let roots = Roots::new(files.base(), choice.patterns);
        let mut names = BTreeSet::new();
        // A file that cannot be read keeps its place, so that pairs of others stay what they are.
        let mut read: Vec<Option<GrammarSource>> = Vec::new();
        for (file, trouble) in &files.files() {
            let bad = |position, message: String| BadScript {
                file: file.to_path_buf(),
                position,
                unsupported: false,
                message,
            };
            let one = match trouble {
                Some(trouble) => Err(bad(None, (*trouble).to_owned())),
                None => grammar(file, alphabet).map_err(|(position, message)| bad(position, message)),
            };
            read.push(match one {
                Ok(text) => {
                    let clean = roots.name(file, None);
                    let numbers = (2..).map(|number| format!("{clean}-{number}"));
                    let name =
                        std::iter::once(clean.clone()).chain(numbers).find(|name| names.insert(name.clone()));
                    name.map(|name| GrammarSource { name, text })
                }
                Err(bad) => {
                    this.bad.push(bad);
                    None
                }
            });
        }
        let mut together = together(&read, choice.pairing);
        if let Some(sample) = choice.sample {
            let rank = |group: &Vec<&GrammarSource>| -> [u8; 32] {
                let mut hash = Sha256::new();
                hash.update(sample.seed.to_le_bytes());
                for grammar in group {
                    hash.update(grammar.name.as_bytes());
                    hash.update([0]);
                }
                hash.finalize().into()
            };
            let mut ranks: Vec<[u8; 32]> = together.iter().map(rank).collect();
            ranks.sort_unstable();
            if let Some(limit) = ranks.get(sample.count).copied() {
                together.retain(|group| rank(group) < limit);
            }
        }
        for group in together {
            let joined: Vec<&str> = group.iter().map(|grammar| grammar.name.as_str()).collect();
            let GrammarChoice { shortest, longest, .. } = *choice;
            let asked = GrammarsSource {
                grammars: group.iter().map(|&grammar| grammar.clone()).collect(),
                shortest,
                longest,
            };
            this.tasks.push(Task {
                parameters: Default::default(),
                id: format!("grammars/{alphabet}/{}/len{longest}", joined.join("+")),
                family: "grammars".to_owned(),
                question: Question::of_grammars(alphabet, asked),
                expected: None,
            });
        }
        this
    }
}

/// Line and column, and what is wrong.
type Fault = (Option<(u32, u32)>, String);

fn grammar(file: &std::path::Path, alphabet: Alphabet) -> Result<String, Fault> {
    let bytes =
        harness_files::read(file, harness_files::LISTED).map_err(|error| (None, error.to_string()))?;
    let text: String = text_of(&bytes);
    let read = harness_grammar::read(&text).map_err(|error| {
        let [line, column] =
            [error.line, error.column].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        (Some((line, column)), error.what)
    })?;
    match read.foreign_to(alphabet) {
        Some(c) => {
            Err((None, format!("it has U+{:04X}, which is not in {alphabet}: name another alphabet", c.0)))
        }
        None => Ok(text),
    }
}

fn together(read: &[Option<GrammarSource>], pairing: Pairing) -> Vec<Vec<&GrammarSource>> {
    let both =
        |one: &'_ Option<GrammarSource>, other: &'_ Option<GrammarSource>| one.is_some() && other.is_some();
    match pairing {
        Pairing::Single => read.iter().flatten().map(|grammar| vec![grammar]).collect(),
        Pairing::Listed => read
            .chunks_exact(2)
            .filter(|pair| both(&pair[0], &pair[1]))
            .map(|pair| pair.iter().flatten().collect())
            .collect(),
        Pairing::All => {
            let all: Vec<&GrammarSource> = read.iter().flatten().collect();
            (0..all.len())
                .flat_map(|one| (one + 1..all.len()).map(move |other| (one, other)))
                .map(|(one, other)| vec![all[one], all[other]])
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_become_tasks_and_faults_are_told() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("a.cfg", "S : \"a\" S ; : ;"),
            ("b.cfg", "S : \"b\" ;"),
            ("c.cfg", "S : \"a\"\n S"),
            ("d.cfg", "S : \"\u{3b1}\" ;"),
            ("e.cfg", "S : S ;"),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let mut files = ScriptFiles::new(folder.path());
        files.add("*.cfg").unwrap();
        let choice = GrammarChoice {
            patterns: &["*.cfg"],
            shortest: 1,
            longest: 7,
            pairing: Pairing::All,
            sample: None,
        };
        let ids = |choice: &GrammarChoice<'_>| {
            let read = UserGrammars::read(&files, choice, Alphabet::Latin1);
            (read.tasks.iter().map(|task| task.id.clone()).collect::<Vec<_>>(), read)
        };
        let (all, read) = ids(&choice);
        assert_eq!(all, ["grammars/latin1/a+b/len7", "grammars/latin1/a+e/len7", "grammars/latin1/b+e/len7"]);
        let asked = read.tasks[1].question.as_grammars().unwrap();
        assert_eq!((asked.shortest, asked.longest, asked.grammars[1].text.as_str()), (1, 7, "S : S ;"));
        let bad: Vec<String> = read.bad.iter().map(ToString::to_string).collect();
        assert!(bad[0].contains("c.cfg:2:3: expected a symbol, or ';' after the alternative"), "{bad:?}");
        assert!(bad[1].contains("U+03B1, which is not in latin1"), "{bad:?}");
        // Others keep their partners.
        assert_eq!(
            ids(&GrammarChoice { pairing: Pairing::Listed, ..choice }).0,
            ["grammars/latin1/a+b/len7"]
        );
        assert_eq!(ids(&GrammarChoice { pairing: Pairing::Single, ..choice }).0.len(), 3);
        let drawn = |seed| ids(&GrammarChoice { sample: Some(Sample { count: 1, seed }), ..choice }).0;
        assert_eq!((drawn(1).len(), drawn(1)), (1, drawn(1)));
        assert!((2..20).any(|seed| drawn(seed) != drawn(1)));
    }
}

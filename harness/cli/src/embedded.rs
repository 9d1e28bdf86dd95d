//! The configurations that are part of the program, so that it works from anywhere.

use std::path::{Path, PathBuf};

use harness_config::{Config, ConfigError, Vocabulary};

/// A configuration that is part of the program.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Of the file, without `.yaml`.
    pub name: &'static str,
    /// Whether it is the study behind a published table.
    pub paper: bool,
    /// The file's place in the repository.
    path: &'static str,
    text: &'static str,
}

macro_rules! builtin {
    ($folder:literal, $name:literal, $paper:literal) => {
        Builtin {
            name: $name,
            paper: $paper,
            path: concat!($folder, $name, ".yaml"),
            text: include_str!(concat!("../../../", $folder, $name, ".yaml")),
        }
    };
}

/// All of them.
pub const ALL: &[Builtin] = &[
    builtin!("configs/", "quick", false),
    builtin!("configs/", "all-alphabets", false),
    builtin!("configs/", "variants", false),
    builtin!("configs/", "long", false),
    builtin!("configs/", "speed", false),
    builtin!("configs/", "peers", false),
    builtin!("configs/", "solvers", false),
    builtin!("configs/", "ci", false),
    builtin!("configs/", "ci-strings", false),
    builtin!("configs/", "random-graphs", false),
    builtin!("configs/", "smtlib", false),
    builtin!("configs/", "differential", false),
    builtin!("configs/", "differential-boolean", false),
    builtin!("configs/", "differential-hybrid", false),
    builtin!("configs/", "differential-hybrid-sample", false),
    builtin!("configs/", "differential-solvers", false),
    builtin!("configs/paper/", "figure-2.11", true),
    builtin!("configs/paper/", "figure-3.7", true),
    builtin!("configs/paper/", "figure-3.8", true),
    builtin!("configs/paper/", "figure-3.9", true),
    builtin!("configs/paper/", "figure-3.10", true),
    builtin!("configs/paper/", "experiment-1", true),
    builtin!("configs/paper/", "experiment-2", true),
    builtin!("configs/paper/", "experiment-3", true),
    builtin!("configs/paper/", "experiment-4", true),
    builtin!("configs/paper/", "table-4.1", true),
    builtin!("configs/paper/", "table-4.2", true),
    builtin!("configs/paper/", "table-4.2-sample", true),
    builtin!("configs/paper/", "figure-4.1-4.2", true),
    builtin!("configs/paper/", "pass-table-1", true),
    builtin!("configs/paper/", "pass-figure-4", true),
    builtin!("configs/paper/", "pass-comparison", true),
    builtin!("configs/paper/", "jst-table-4", true),
    builtin!("configs/paper/", "jst-table-5", true),
];

/// The studies behind published tables.
pub fn papers() -> impl Iterator<Item = &'static Builtin> {
    ALL.iter().filter(|builtin| builtin.paper)
}

/// The one of that name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|builtin| builtin.name == name)
}

impl Builtin {
    /// Checked. Paths in it would be relative to the working directory.
    pub fn config(&self, vocabulary: &Vocabulary) -> Result<Config, ConfigError> {
        Config::parse(self.text, Path::new(self.path), &PathBuf::new(), vocabulary)
    }

    /// What it is for: the first sentence of the comment that it begins with.
    pub fn about(&self) -> String {
        let comment = self.text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
        let text = comment.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        match text.split_once(". ") {
            Some((first, _)) => first.to_owned(),
            None => text.trim_end_matches('.').to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_one_makes_its_tasks() {
        let vocabulary = crate::inventory::vocabulary();
        for builtin in ALL {
            let config = match builtin.config(&vocabulary) {
                Ok(config) => config,
                Err(error) => {
                    let needs = |feature: &str| error.to_string().contains(&format!("--features {feature}"));
                    let missing = (needs("peers") && !cfg!(feature = "peers"))
                        || (needs("z3") && !cfg!(feature = "z3"));
                    assert!(missing, "{}: {error}", builtin.path);
                    continue;
                }
            };
            let study = crate::study::Study::of(&config).unwrap();
            assert!(study.bad.is_empty(), "{}: {:?}", builtin.path, study.bad);
        }
    }

    #[test]
    fn every_file_is_built_in() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut files = BTreeSet::new();
        for folder in ["configs/", "configs/paper/"] {
            for entry in std::fs::read_dir(root.join(folder)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                // The example has a file of its own beside it.
                if name.ends_with(".yaml") && !name.contains(".example.") {
                    files.insert(format!("{folder}{name}"));
                }
            }
        }
        assert_eq!(ALL.iter().map(|b| b.path.to_owned()).collect::<BTreeSet<_>>(), files);
    }

    #[test]
    fn each_says_what_it_is_for_and_how_long_it_takes() {
        for builtin in ALL {
            assert!(builtin.about().len() > 20, "{}", builtin.path);
            let comment: String = builtin.text.lines().take_while(|line| line.starts_with('#')).collect();
            assert!(comment.contains("second") || comment.contains("minute") || comment.contains("hour"));
        }
    }
}

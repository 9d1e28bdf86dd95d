//! Tasks made of a user's own SMT-LIB scripts.
//!
//! Each file that can be read is a task. What `(set-info :status …)` claims for every query of a file is what
//! is expected, on the file's own word. A file that cannot be read is told, with its place, and left out.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use harness_model::{Alphabet, Expected, Question, QuestionKind, ScriptSource, Task, Verdict};
use harness_smtlib::ErrorKind;

use crate::script_files::ScriptFiles;
use crate::scripts::text_of;

/// A user's scripts, read once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserScripts {
    good: Vec<UserScript>,
    bad: Vec<BadScript>,
}

/// One script that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
struct UserScript {
    /// Unique; the file's path without its ending.
    name: String,
    /// As the user gave it.
    file: PathBuf,
    source: ScriptSource,
    /// What it claims, if it does for each query.
    status: Option<Vec<Verdict>>,
}

/// A script that cannot be used: which, where, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadScript {
    /// The file.
    pub file: PathBuf,
    /// Line and column, both from 1, where it is about a place.
    pub position: Option<(u32, u32)>,
    /// Whether the script may be right, but has what is not built here.
    pub unsupported: bool,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for BadScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if let Some((line, column)) = self.position {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.message)
    }
}

impl std::error::Error for BadScript {}

impl UserScripts {
    /// Reads `files`, whose names in tasks are relative to their base where they are below it. Costs one
    /// reading of each.
    pub fn read(files: &ScriptFiles) -> Self {
        let mut this = Self { good: Vec::new(), bad: Vec::new() };
        let mut names = BTreeSet::new();
        for (file, trouble) in files.files() {
            if let Some(trouble) = trouble {
                let message = trouble.to_owned();
                this.bad.push(BadScript {
                    file: file.to_owned(),
                    position: None,
                    unsupported: false,
                    message,
                });
                continue;
            }
            match read(files.base(), file) {
                Ok(mut script) => {
                    // Two files may differ only in characters that names leave out.
                    let clean = script.name.clone();
                    for number in 2.. {
                        if names.insert(script.name.clone()) {
                            break;
                        }
                        script.name = format!("{clean}-{number}");
                    }
                    this.good.push(script);
                }
                Err(bad) => this.bad.push(bad),
            }
        }
        this
    }

    /// What is wrong with the files that cannot be used, in their order.
    pub fn bad(&self) -> &[BadScript] {
        &self.bad
    }

    /// One task for each script that can be used, in each alphabet.
    pub fn tasks(&self, alphabets: &[Alphabet]) -> Vec<Task> {
        let task = |alphabet: Alphabet, script: &UserScript| Task {
            id: format!("scripts/{alphabet}/{}", script.name),
            family: match script.name.rsplit_once('/') {
                Some((folder, _)) => format!("scripts/{folder}"),
                None => "scripts".to_owned(),
            },
            question: Question { alphabet, kind: QuestionKind::Script(script.source.clone()) },
            // A claim is about SMT-LIB's strings, whose alphabet this is.
            expected: script.status.clone().filter(|_| alphabet == Alphabet::Unicode).map(|verdicts| {
                let source = format!("set-info :status in {}", script.file.display());
                Expected { verdicts, source }
            }),
        };
        alphabets.iter().flat_map(|&a| self.good.iter().map(move |s| task(a, s))).collect()
    }
}

fn read(base: &Path, file: &Path) -> Result<UserScript, BadScript> {
    let bad = |position, unsupported, message: String| BadScript {
        file: file.to_owned(),
        position,
        unsupported,
        message,
    };
    let bytes = std::fs::read(file).map_err(|error| bad(None, false, error.to_string()))?;
    let text = text_of(&bytes);
    let refused = |error: harness_smtlib::ReadError| {
        let place = (error.position.line, error.position.column);
        bad(Some(place), error.kind == ErrorKind::Unsupported, error.message)
    };
    let script = harness_smtlib::read(text.as_bytes()).map_err(refused)?;
    // What says that it is a path tree must be one.
    harness_smtlib::tree::read(text.as_bytes()).map_err(refused)?;
    if script.queries.is_empty() {
        return Err(bad(None, false, "there is no 'check-sat' in it".into()));
    }
    Ok(UserScript {
        name: name(base, file),
        file: file.to_owned(),
        source: ScriptSource { queries: script.queries.len(), text },
        status: script.queries.iter().map(|q| q.status).collect(),
    })
}

/// The file's path below `base`, else whole, without its ending; only characters that ids have.
fn name(base: &Path, file: &Path) -> String {
    let short = file.strip_prefix(base).unwrap_or(file).with_extension("");
    let parts = short.components().filter_map(|c| match c {
        std::path::Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
        _ => None,
    });
    let clean = |c: char| if c.is_alphanumeric() || "_.-+".contains(c) { c } else { '_' };
    parts.map(|p| p.chars().map(clean).collect::<String>()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_become_tasks_and_faults_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        };
        write("a/one.smt2", b"(set-info :status sat)(check-sat)");
        write("a/two x.smt2", b"; \xE9t\xE9\n(declare-const s String)(check-sat)(check-sat)");
        write("a/two_x.smt2", b"(check-sat)");
        write("bad.smt2", b"(declare-const s String)\n(assert (= s 1))");
        write("later.smt2", b"(declare-datatype T ((c)))(check-sat)");
        write("none.smt2", b"(set-logic QF_S)");
        write("notes.txt", b"no script");
        write("open.smt2", b"(set-info :path-tree t)\n(push 1)\n(check-sat)");
        std::os::unix::fs::symlink("gone", folder.path().join("z.smt2")).unwrap();
        let mut files = ScriptFiles::new(folder.path());
        files.add("").unwrap();
        assert_eq!(files.files().len(), 8);
        let scripts = UserScripts::read(&files);
        let tasks = scripts.tasks(&[Alphabet::Unicode]);
        let ids: Vec<&str> = tasks.iter().map(|t| t.id.as_str()).collect();
        assert_eq!(ids, ["scripts/unicode/a/one", "scripts/unicode/a/two_x", "scripts/unicode/a/two_x-2"]);
        assert_eq!(tasks[0].expected.as_ref().unwrap().verdicts, [Verdict::Sat]);
        assert_eq!((tasks[1].expected.as_ref(), tasks[1].question.asked()), (None, 2));
        assert_eq!(tasks[0].family, "scripts/a");
        assert!(scripts.tasks(&[Alphabet::Ascii])[0].expected.is_none());
        let bad: Vec<String> = scripts.bad().iter().map(ToString::to_string).collect();
        assert!(
            bad[0].ends_with("bad.smt2:2:9: argument 2 of '=' must be of sort String, not Int"),
            "{bad:?}"
        );
        assert!(scripts.bad()[1].unsupported && !scripts.bad()[0].unsupported);
        assert!(bad[2].ends_with("none.smt2: there is no 'check-sat' in it"));
        assert!(bad[3].ends_with("open.smt2:2:1: this 'push' is never popped"), "{bad:?}");
        assert!(bad[4].ends_with("z.smt2: the link leads nowhere: there is no 'gone'"), "{bad:?}");
    }
}

//! Tasks made of a user's own SMT-LIB scripts.
//!
//! Each file that can be read is a task. What is expected of it is what a table of statuses or a task file of
//! BenchExec says, or else what `(set-info :status …)` claims for every query, on the file's own word. A file
//! that cannot be read is told, with its place, and left out. Of the others, conditions and a sample choose.
//!
//! Names, and families with them, are paths below the folder that the user gave, and never say where on the
//! machine that is. A script elsewhere that a task file names is called as it is written there.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Component, Path, PathBuf};

use harness_model::task::STATUS_LINE;
use harness_model::{Alphabet, Expected, Question, QuestionKind, ScriptSource, Task, Verdict};
use harness_smtlib::ErrorKind;
use sha2::{Digest as _, Sha256};

use crate::claims::{self, Claims};
use crate::error::hint;
use crate::features::{Condition, Features};
use crate::script_files::{Named, ScriptFiles, absolute};
use crate::scripts::text_of;

/// A user's scripts, read once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserScripts {
    good: Vec<UserScript>,
    bad: Vec<BadScript>,
}

/// Which of the scripts that can be read, and what is expected of them.
#[derive(Clone, Copy)]
pub struct Choice<'a> {
    /// The patterns that named the files, as they were written.
    pub patterns: &'a [&'a str],
    /// All of these have to hold.
    pub conditions: &'a [Condition],
    /// So many of those that are left; all without it.
    pub sample: Option<Sample>,
    /// A table of what is expected.
    pub claims: Option<&'a Claims>,
    /// What is expected of a script that neither the table nor a task file speaks of: [`own_word`], where
    /// nothing else is known.
    pub word: Word<'a>,
    /// Whether literals of strings may hold characters as UTF-8: they become escapes.
    pub utf8: bool,
}

/// What is expected of a script at a path, given what it says of each `check-sat`, if it does for all, and
/// how many there are.
pub type Word<'a> = &'a dyn Fn(&Path, Option<Vec<Verdict>>, usize) -> Option<Expected>;

/// What `(set-info :status …)` claims.
pub fn own_word(file: &Path, stated: Option<Vec<Verdict>>, _asked: usize) -> Option<Expected> {
    Some(Expected { verdicts: stated?, source: format!("{STATUS_LINE} in {}", file.display()) })
}

/// How many scripts are drawn, and from what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// How many.
    pub count: usize,
    /// Decides which.
    pub seed: u64,
}

impl Sample {
    /// By what scripts are drawn: those with the least numbers. It depends on the script's name and the seed
    /// alone, so that other files change the draw no more than they must.
    fn rank(self, name: &str) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.seed.to_le_bytes());
        hash.update(name.as_bytes());
        hash.finalize().into()
    }
}

/// A script that is to be read.
struct Listed {
    file: PathBuf,
    /// How a task file names it, if it was found through one.
    written: Option<String>,
    /// What task files expect, or how they contradict each other.
    expected: Result<Option<Expected>, String>,
}

impl Listed {
    /// The same script, found in another way too.
    fn join(&mut self, other: Self) {
        // What was found by itself has its own name and path.
        if other.written.is_none() && self.written.take().is_some() {
            self.file = other.file;
        }
        let joined = match (&self.expected, other.expected) {
            (Ok(Some(one)), Ok(Some(two))) if one.verdicts != two.verdicts => Err(format!(
                "{} says {}, but {} says {}: exclude one of the two",
                one.source,
                words(&one.verdicts),
                two.source,
                words(&two.verdicts)
            )),
            (Ok(None), two) => two,
            (Ok(Some(_)) | Err(_), Ok(_) | Err(_)) => return,
        };
        self.expected = joined;
    }
}

fn words(verdicts: &[Verdict]) -> String {
    verdicts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// One script that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
struct UserScript {
    /// Unique; the file's path without its ending.
    name: String,
    source: ScriptSource,
    features: Features,
    /// What it says itself, if it does for each query, or another file says of it.
    expected: Option<Expected>,
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

impl BadScript {
    pub(crate) fn whole(file: &Path, message: String) -> Self {
        Self { file: file.to_owned(), position: None, unsupported: false, message }
    }
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
    /// Reads `files` and makes a choice of them. Costs one reading of each.
    ///
    /// # Errors
    ///
    /// When the table of what is expected is about none of them.
    pub fn read(files: &ScriptFiles, choice: &Choice<'_>) -> Result<Self, String> {
        let mut this = Self { good: Vec::new(), bad: Vec::new() };
        let roots = Roots::new(files.base(), choice.patterns);
        let mut names = BTreeSet::new();
        let mut in_table = 0_usize;
        let listed = this.listed(files);
        for Listed { file, written, expected } in &listed {
            let in_claims = choice.claims.and_then(|claims| claims.of(file));
            in_table += usize::from(in_claims.is_some());
            let name = roots.name(file, written.as_deref());
            let read = match (in_claims, expected) {
                (None, Err(message)) => Err(BadScript::whole(file, message.clone())),
                (claimed, of_task) => {
                    let claimed = claimed.or(of_task.as_ref().ok().and_then(Option::as_ref));
                    read(name, file, claimed, choice)
                }
            };
            match read {
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
        if choice.claims.is_some() && in_table == 0 && !listed.is_empty() {
            return Err("it is about none of these files: paths in it are relative to its folder".to_owned());
        }
        if let Some(claims) = choice.claims {
            let folder = claims.table().parent().unwrap_or(Path::new(""));
            let names: BTreeSet<String> = listed
                .iter()
                .filter_map(|one| one.file.strip_prefix(folder).ok())
                .map(|name| name.to_string_lossy().into_owned())
                .collect();
            this.bad.extend(claims.astray().iter().map(|(line, name)| BadScript {
                file: claims.table().to_owned(),
                position: Some((*line, 1)),
                unsupported: false,
                message: format!(
                    "there is no file '{name}' in the folder of this table{}",
                    hint(name, names.iter().map(String::as_str))
                ),
            }));
        }
        this.bad.sort_by(|one, other| one.file.cmp(&other.file));
        this.good
            .retain(|script| choice.conditions.iter().all(|condition| condition.holds(&script.features)));
        if let Some(sample) = choice.sample {
            let mut ranks: Vec<[u8; 32]> = this.good.iter().map(|script| sample.rank(&script.name)).collect();
            ranks.sort_unstable();
            if let Some(last) = ranks.get(sample.count) {
                this.good.retain(|script| sample.rank(&script.name) < *last);
            }
        }
        Ok(this)
    }

    /// The scripts among `files`, those that task files name among them, each once, with what a task file
    /// expects.
    fn listed(&mut self, files: &ScriptFiles) -> Vec<Listed> {
        let mut listed: Vec<Listed> = Vec::new();
        let mut places: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for (file, trouble) in files.files() {
            if let Some(trouble) = trouble {
                self.bad.push(BadScript::whole(file, trouble.to_owned()));
                continue;
            }
            let one = match files.task(file) {
                None => Listed { file: file.to_owned(), written: None, expected: Ok(None) },
                Some(Ok(named)) if files.is_excluded(&named.script) => continue,
                Some(Ok(Named { written, script, expected })) => Listed {
                    file: script.clone(),
                    written: Some(written.clone()),
                    expected: Ok(expected.clone()),
                },
                Some(Err(why)) => {
                    self.bad.push(BadScript::whole(file, why.to_owned()));
                    continue;
                }
            };
            match places.entry(claims::place(&one.file)) {
                Entry::Vacant(place) => {
                    place.insert(listed.len());
                    listed.push(one);
                }
                Entry::Occupied(place) => listed[*place.get()].join(one),
            }
        }
        listed
    }

    /// What is wrong with the files that cannot be used, in their order.
    pub fn bad(&self) -> &[BadScript] {
        &self.bad
    }

    /// One task for each script that can be used, in each alphabet. Ids and families begin with `place`, such
    /// as `scripts`.
    pub fn tasks(&self, place: &str, alphabets: &[Alphabet]) -> Vec<Task> {
        let task = |alphabet: Alphabet, script: &UserScript| Task {
            parameters: Default::default(),
            id: format!("{place}/{alphabet}/{}", script.name),
            family: match script.name.rsplit_once('/') {
                Some((folder, _)) => format!("{place}/{folder}"),
                None => place.to_owned(),
            },
            question: Question { alphabet, kind: QuestionKind::Script(script.source.clone()) },
            // A claim is about SMT-LIB's strings, whose alphabet this is.
            expected: script.expected.clone().filter(|_| alphabet == Alphabet::Unicode),
        };
        alphabets.iter().flat_map(|&a| self.good.iter().map(move |s| task(a, s))).collect()
    }
}

/// Reads a script to be called `name`; `claimed` is what another file says of it, and the choice
/// tells what is expected where none does.
fn read(
    name: String,
    file: &Path,
    claimed: Option<&Expected>,
    choice: &Choice<'_>,
) -> Result<UserScript, BadScript> {
    let word = choice.word;
    let bad = |position, unsupported, message: String| BadScript {
        file: file.to_owned(),
        position,
        unsupported,
        message,
    };
    let bytes = harness_files::read(file, harness_files::LISTED)
        .map_err(|error| bad(None, false, error.to_string()))?;
    let mut text = text_of(&bytes);
    if choice.utf8 {
        text = harness_smtlib::utf8::escaped(&text).into_owned();
    }
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
    let asked = script.queries.len();
    if let Some(Expected { verdicts, source }) = claimed.filter(|claimed| claimed.verdicts.len() != asked) {
        let said = verdicts.len();
        let message = format!("{source} says {said} statuses, but the script has {asked} check-sats");
        return Err(bad(None, false, message));
    }
    let own = || word(file, script.queries.iter().map(|query| query.status).collect(), asked);
    Ok(UserScript {
        name,
        expected: claimed.cloned().or_else(own),
        features: Features::of(&script, text.len()),
        source: ScriptSource { queries: asked, text },
    })
}

/// Where names of files begin.
pub(crate) struct Roots {
    /// From the root on.
    base: PathBuf,
    /// Folders outside of the base that patterns name, from the root on, the deepest first; and what stands in
    /// front of names within them.
    outside: Vec<(PathBuf, PathBuf)>,
}

impl Roots {
    pub(crate) fn new(base: &Path, patterns: &[&str]) -> Self {
        let is_glob = |part: &Component<'_>| part.as_os_str().to_string_lossy().contains(['*', '?', '[']);
        let root = |pattern: &&str| {
            let whole = base.join(pattern);
            if whole.is_dir() {
                return whole;
            }
            // The base is no pattern, whatever characters it has, nor is what exists.
            let plain: PathBuf = Path::new(pattern).components().take_while(|part| !is_glob(part)).collect();
            let plain = if whole.symlink_metadata().is_ok() { whole.clone() } else { base.join(plain) };
            // A file is named below the folder that it is in.
            if plain == whole { plain.parent().unwrap_or(&plain).to_owned() } else { plain }
        };
        let own = |folder: PathBuf| {
            let own = match folder.components().next_back() {
                Some(Component::Normal(name)) => PathBuf::from(name),
                // Of '..' the name is the machine's.
                _ => PathBuf::new(),
            };
            (absolute(&folder), own)
        };
        // However the base is written: 'study.yaml' and './study.yaml' are one study.
        let base = absolute(base);
        let mut outside: Vec<(PathBuf, PathBuf)> = patterns.iter().map(root).map(own).collect();
        outside.retain(|(folder, _)| !folder.starts_with(&base));
        outside.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.components().count()));
        Self { base, outside }
    }

    /// The file's path below the base, or below the folder that it was found in, with that folder's name in
    /// front where it was given; without its ending, and only with characters that ids have. A file that a
    /// task file names is `written` so there; where it is in none of these folders, that is its name, without
    /// steps up, or of a path from the root on its last part.
    pub(crate) fn name(&self, file: &Path, written: Option<&str>) -> String {
        let file = &absolute(file);
        let outside =
            self.outside.iter().find_map(|(folder, own)| Some(own.join(file.strip_prefix(folder).ok()?)));
        let elsewhere = || match written.map(Path::new) {
            Some(written) if written.is_relative() => written.to_owned(),
            Some(_) => file.file_name().map(PathBuf::from).unwrap_or_default(),
            None => file.clone(),
        };
        let inside = || file.strip_prefix(&self.base).map(Path::to_owned).ok();
        let short = outside.or_else(inside).unwrap_or_else(elsewhere);
        let short = short.with_extension("");
        let parts = short.components().filter_map(|part| match part {
            Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
        });
        let clean = |c: char| if c.is_alphanumeric() || "_.-+".contains(c) { c } else { '_' };
        parts.map(|p| p.chars().map(clean).collect::<String>()).collect::<Vec<_>>().join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::TaskFile;

    /// A task file's text: its script, and whether that is satisfiable.
    fn task(text: &str) -> Result<TaskFile, String> {
        let (script, verdict) = text.split_once(' ').ok_or("it has no verdict")?;
        let verdict = Some(if verdict == "sat" { Verdict::Sat } else { Verdict::Unsat });
        Ok(TaskFile { inputs: vec![script.to_owned()], verdict })
    }

    /// A folder with these files.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn what_task_files_name_is_excluded_as_any_other_and_has_no_path_of_the_machine() {
        let outer = folder(&[
            ("data/tasks/a.yml", "../programs/a.smt2 sat"),
            ("data/tasks/b.yml", "b.smt2 unsat"),
            ("data/tasks/b.smt2", "(check-sat)"),
            ("data/programs/a.smt2", "(check-sat)"),
            ("far/c.smt2", "(check-sat)"),
            ("study/own/d.yml", "../e/d.smt2 sat"),
            ("study/e/d.smt2", "(check-sat)"),
        ]);
        let far = outer.path().join("far/c.smt2");
        std::fs::write(outer.path().join("data/tasks/c.yml"), format!("{} sat", far.display())).unwrap();
        let base = outer.path().join("study");
        let patterns = ["../data/tasks/*.yml", "own/*.yml"];
        let names = |exclude: &[&str]| {
            let mut files = ScriptFiles::new(&base);
            patterns.iter().for_each(|pattern| files.add(pattern).unwrap());
            files.read_task_files(&task);
            for pattern in exclude {
                files.exclude(pattern).map_err(|error| error.to_string())?;
            }
            Ok::<_, String>(ids(&UserScripts::read(&files, &all(&patterns)).unwrap()))
        };
        let all = ["programs/a", "tasks/b", "c", "e/d"].map(|name| format!("scripts/unicode/{name}"));
        assert_eq!(names(&[]).unwrap(), all);
        let absolute = far.to_str().unwrap();
        for (pattern, gone) in [
            ("a.smt2", 0),
            ("../data/programs", 0),
            ("b.smt2", 1),
            ("b.yml", 1),
            ("c.smt2", 2),
            (absolute, 2),
            ("e/*.smt2", 3),
        ] {
            let mut kept = all.to_vec();
            kept.remove(gone);
            assert_eq!(names(&[pattern]).unwrap(), kept, "{pattern}");
        }
        assert!(names(&["f.smt2"]).unwrap_err().contains("excludes nothing"));
    }

    #[test]
    fn a_script_that_is_found_by_itself_has_its_name_wherever_its_task_file_sorts() {
        for task_file in ["own/d.yml", "zz/d.yml"] {
            let folder = folder(&[(task_file, "../z/d.smt2 sat"), ("z/d.smt2", "(check-sat)")]);
            let patterns = ["*/*.yml", "z/*.smt2"];
            let mut files = ScriptFiles::new(folder.path());
            patterns.iter().for_each(|pattern| files.add(pattern).unwrap());
            files.read_task_files(&task);
            let scripts = UserScripts::read(&files, &all(&patterns)).unwrap();
            assert_eq!(ids(&scripts), ["scripts/unicode/z/d"], "{task_file}");
        }
    }

    #[test]
    fn task_files_that_contradict_each_other_are_both_named() {
        let folder = folder(&[
            ("one.yml", "a.smt2 sat"),
            ("two.yml", "./a.smt2 unsat"),
            ("three.yml", "b.smt2 sat"),
            ("four.yml", "b.smt2 sat"),
            ("a.smt2", "(check-sat)"),
            ("b.smt2", "(check-sat)"),
        ]);
        let mut files = ScriptFiles::new(folder.path());
        files.add("*.yml").unwrap();
        files.read_task_files(&task);
        let scripts = UserScripts::read(&files, &all(&["*.yml"])).unwrap();
        assert_eq!(ids(&scripts), ["scripts/unicode/b"]);
        let said = scripts.bad()[0].to_string();
        let parts = ["a.smt2: expected_verdict in", "one.yml says sat", "two.yml says unsat", "exclude one"];
        assert!(parts.iter().all(|part| said.contains(part)) && scripts.bad().len() == 1, "{said}");
        // What a table says of the script settles it.
        std::fs::write(folder.path().join("t.csv"), "file,status\na.smt2,sat\n").unwrap();
        let claims = Claims::read(&folder.path().join("t.csv")).unwrap();
        let settled = Choice { claims: Some(&claims), ..all(&["*.yml"]) };
        assert_eq!(UserScripts::read(&files, &settled).unwrap().bad(), []);
        files.exclude("two.yml").unwrap();
        assert_eq!(UserScripts::read(&files, &all(&["*.yml"])).unwrap().bad(), []);
    }

    #[test]
    fn rows_about_files_that_are_not_there_are_told() {
        let folder = folder(&[
            ("s/right.smt2", "(check-sat)"),
            ("s/other.smt2", "(check-sat)"),
            ("t.csv", "file,status\ns/right.smt2,sat\ns/other.smt2,sat\ns/rihgt.smt2,unsat\n"),
        ]);
        let claims = Claims::read(&folder.path().join("t.csv")).unwrap();
        let mut files = ScriptFiles::new(folder.path());
        // A row about a file that is there, and not meant here, is no fault.
        files.add("s/right.smt2").unwrap();
        let choice = Choice { claims: Some(&claims), ..all(&["s/right.smt2"]) };
        let scripts = UserScripts::read(&files, &choice).unwrap();
        let said: Vec<String> = scripts.bad().iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains("t.csv:4:1: there is no file 's/rihgt.smt2'"), "{said:?}");
        assert!(said[0].contains("did you mean 's/right.smt2'?"), "{said:?}");
    }

    #[test]
    fn a_base_with_characters_of_patterns_is_a_base_like_any_other() {
        let outer =
            folder(&[("[a]*/study/own/a.smt2", "(check-sat)"), ("[a]*/data/[b]/b.smt2", "(check-sat)")]);
        let base = outer.path().join("[a]*/study");
        for (pattern, name) in
            [("own/*.smt2", "own/a"), ("../data/[b]/b.smt2", "_b_/b"), ("../data/**/b.smt2", "data/_b_/b")]
        {
            let mut files = ScriptFiles::new(&base);
            files.add(pattern).unwrap();
            let scripts = UserScripts::read(&files, &all(&[pattern])).unwrap();
            assert_eq!(ids(&scripts), [format!("scripts/unicode/{name}")], "{pattern}");
        }
    }

    fn all<'a>(patterns: &'a [&'a str]) -> Choice<'a> {
        Choice { patterns, conditions: &[], sample: None, claims: None, word: &own_word, utf8: false }
    }

    fn ids(scripts: &UserScripts) -> Vec<String> {
        scripts.tasks("scripts", &[Alphabet::Unicode]).into_iter().map(|task| task.id).collect()
    }

    #[test]
    fn names_are_below_the_folder_that_was_given() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["study/own/a.smt2", "data/kaluza/sat/b.smt2", "data/kaluza/unsat/c.smt2", "data/d.smt2"]
        {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "(check-sat)").unwrap();
        }
        let absolute = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (kaluza, unsat) = (absolute("data/kaluza"), absolute("data/kaluza/unsat/*.smt2"));
        for (pattern, expected) in [
            ("own", &["own/a"][..]),
            ("own/a.smt2", &["own/a"]),
            ("../data/kaluza", &["kaluza/sat/b", "kaluza/unsat/c"]),
            ("../data/**/*.smt2", &["data/d", "data/kaluza/sat/b", "data/kaluza/unsat/c"]),
            ("../data/d.smt2", &["data/d"]),
            ("..", &["data/d", "data/kaluza/sat/b", "data/kaluza/unsat/c", "study/own/a"]),
            (kaluza.as_str(), &["kaluza/sat/b", "kaluza/unsat/c"]),
            (unsat.as_str(), &["unsat/c"]),
        ] {
            let mut files = ScriptFiles::new(&folder.path().join("study"));
            files.add(pattern).unwrap();
            let scripts = UserScripts::read(&files, &all(&[pattern])).unwrap();
            let mut names = ids(&scripts);
            names.sort();
            let expected: Vec<String> =
                expected.iter().map(|name| format!("scripts/unicode/{name}")).collect();
            assert_eq!(names, expected, "{pattern}");
        }
    }

    #[test]
    fn names_do_not_depend_on_how_the_folder_of_the_study_is_written() {
        // The folder in which tests run, and files of the package.
        let here = std::env::current_dir().unwrap();
        let sources = here.join("src/*.rs");
        let sources = sources.to_str().unwrap();
        let manifest = here.join("Cargo.toml");
        let names = |base: &Path, pattern: &str, file: &Path| Roots::new(base, &[pattern]).name(file, None);
        let bases = [PathBuf::new(), PathBuf::from("."), PathBuf::from("src/.."), here.clone()];
        for base in &bases {
            assert_eq!(names(base, sources, &here.join("src/lib.rs")), "src/lib", "{base:?}");
            assert_eq!(names(base, "src/*.rs", &base.join("src/lib.rs")), "src/lib", "{base:?}");
        }
        for base in ["src", "./src", "src/../src"] {
            let name = names(Path::new(base), manifest.to_str().unwrap(), &manifest);
            let own = here.file_name().unwrap().to_str().unwrap();
            assert_eq!(name, format!("{own}/Cargo"), "{base}");
        }
    }

    #[test]
    fn scripts_are_chosen_and_claims_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        for number in 0..20 {
            let word = if number % 2 == 0 { "(str.len x)" } else { "(str.to_int x)" };
            write(
                &format!("{number:02}.smt2"),
                &format!("(set-info :status sat)(declare-const x String)(assert (= {word} 1))(check-sat)"),
            );
        }
        let mut files = ScriptFiles::new(folder.path());
        files.add("*.smt2").unwrap();
        let read = |choice: &Choice<'_>| ids(&UserScripts::read(&files, choice).unwrap());
        let patterns = ["*.smt2"];
        let conditions = [Condition::parse("has(str.len)").unwrap()];
        let even = read(&Choice { conditions: &conditions, ..all(&patterns) });
        assert_eq!((even.len(), even[1].as_str()), (10, "scripts/unicode/02"));
        let drawn = |count, seed| {
            read(&Choice { conditions: &conditions, sample: Some(Sample { count, seed }), ..all(&patterns) })
        };
        let some = drawn(4, 1);
        assert_eq!((some.len(), &some), (4, &drawn(4, 1)));
        assert!(some.iter().all(|id| even.contains(id) && drawn(5, 1).contains(id)));
        assert!((2..9).any(|seed| drawn(4, seed) != some));
        assert_eq!(drawn(11, 1), even);

        // A table goes before a task file, and that before the script itself.
        let table = folder.path().join("t.csv");
        std::fs::write(&table, "file,status\n00.smt2,unsat\n").unwrap();
        write("x.yml", "one");
        write("y.yml", "two");
        write("z.yml", "three");
        files.add("*.yml").unwrap();
        let task_file = |text: &str| match text {
            "one" => Ok(TaskFile { inputs: vec!["02.smt2".into()], verdict: Some(Verdict::Unsat) }),
            "two" => Ok(TaskFile { inputs: vec!["00.smt2".into()], verdict: Some(Verdict::Sat) }),
            _ => Err("it says nothing".to_owned()),
        };
        let claims = Claims::read(&table).unwrap();
        files.read_task_files(&task_file);
        let choice = Choice { claims: Some(&claims), ..all(&patterns) };
        let scripts = UserScripts::read(&files, &choice).unwrap();
        let tasks = scripts.tasks("scripts", &[Alphabet::Unicode]);
        let expected = |place: usize| {
            let expected = tasks[place].expected.as_ref().unwrap();
            (expected.verdicts[0], expected.source.split(' ').next().unwrap_or_default())
        };
        assert_eq!(tasks.len(), 20);
        assert_eq!(expected(0), (Verdict::Unsat, "line"));
        assert_eq!(expected(1), (Verdict::Sat, "set-info"));
        assert_eq!(expected(2), (Verdict::Unsat, "expected_verdict"));
        assert!(scripts.bad()[0].to_string().ends_with("z.yml: it says nothing"), "{}", scripts.bad()[0]);

        std::fs::write(&table, "file,status\nelsewhere.smt2,unsat\n").unwrap();
        let claims = Claims::read(&table).unwrap();
        let other = Choice { claims: Some(&claims), ..choice };
        assert!(UserScripts::read(&files, &other).unwrap_err().contains("about none of these files"));
        std::fs::write(&table, "file,status\n00.smt2,unsat sat\n").unwrap();
        let claims = Claims::read(&table).unwrap();
        let scripts = UserScripts::read(&files, &Choice { claims: Some(&claims), ..choice }).unwrap();
        assert!(
            scripts.bad().iter().any(|bad| bad.message.contains("says 2 statuses, but the script has 1"))
        );
    }

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
        let scripts = UserScripts::read(&files, &all(&[""])).unwrap();
        let tasks = scripts.tasks("scripts", &[Alphabet::Unicode]);
        let ids: Vec<&str> = tasks.iter().map(|t| t.id.as_str()).collect();
        assert_eq!(ids, ["scripts/unicode/a/one", "scripts/unicode/a/two_x", "scripts/unicode/a/two_x-2"]);
        assert_eq!(tasks[0].expected.as_ref().unwrap().verdicts, [Verdict::Sat]);
        assert_eq!((tasks[1].expected.as_ref(), tasks[1].question.asked()), (None, 2));
        assert_eq!(tasks[0].family, "scripts/a");
        assert!(scripts.tasks("scripts", &[Alphabet::Ascii])[0].expected.is_none());
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

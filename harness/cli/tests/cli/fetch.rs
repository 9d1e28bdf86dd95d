//! Public corpora: fetched from repositories of this machine, used in a study, and all that can go wrong
//! between. Where git is missing, there is nothing to test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::{command, expect, records, stderr, stdout};

const SAT: &str =
    "(set-info :status sat)\n(declare-const w String)\n(assert (= (str.len w) 1))\n(check-sat)\n";
const UNSAT: &str = "(assert (= \"a\" \"b\"))\n(check-sat)\n";
const HEADER: &str =
    "name,repository,commit,folder,below,ending,files,licence,stated,dialect,status,wrong,summary\n";

/// A git that is at work for as long as a file is there.
const SLOW_GIT: &str = "#!/bin/sh
case \"$*\" in *read-tree*)
  : > \"$AT_WORK\"
  while [ -e \"$AT_WORK\" ]; do sleep 0.05; done
  exit 1;;
esac
PATH=\"$USUAL\" exec git \"$@\"
";

/// A folder with a repository `upstream` of one commit, a cache and recipes.
struct Place {
    dir: tempfile::TempDir,
    commit: String,
}

impl Place {
    /// `None`, with a word about it, where git is missing.
    #[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
    fn new() -> Option<Self> {
        if Command::new("git").arg("--version").output().is_err() {
            println!("skipped: git is not installed");
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        let mut this = Self { dir, commit: String::new() };
        for (name, text) in [
            ("suite/sat/a.smt2", SAT),
            ("suite/sat/deep/b.smt2", SAT),
            ("suite/unsat/c.smt2", UNSAT),
            ("suite/notes.txt", "no script\n"),
            ("top", SAT),
            ("other/d.smt2", "(nonsense"),
            // Would change what is written, if it counted.
            (".gitattributes", "* text eol=crlf ident\n"),
        ] {
            this.write(&format!("upstream/{name}"), text);
        }
        std::os::unix::fs::symlink("a.smt2", this.path("upstream/suite/sat/link.smt2")).unwrap();
        this.git(&["init", "--quiet", "."]);
        // As public servers are.
        this.git(&["config", "uploadpack.allowFilter", "true"]);
        this.commit();
        this.commit = this.git(&["rev-parse", "HEAD"]);
        // The pinned commit is not the last one.
        this.write("upstream/suite/sat/later.smt2", SAT);
        this.commit();
        this.recipe("p/suite", &this.commit[..12], "suite", "MIT", "declared");
        Some(this)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        git.arg("-C").arg(self.path("upstream")).args([
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@example.org",
        ]);
        let output = git.args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        stdout(&output).trim().to_owned()
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message=x"]);
    }

    /// Makes a file with this one recipe.
    fn recipe(&self, name: &str, commit: &str, folder: &str, licence: &str, status: &str) {
        let row = self.row(name, commit, folder, licence, status);
        self.write("recipes.csv", &format!("{HEADER}{row}"));
    }

    fn row(&self, name: &str, commit: &str, folder: &str, licence: &str, status: &str) -> String {
        let upstream = self.path("upstream");
        format!(
            "{name},file://{},{commit},{folder},yes,.smt2,3,{licence},LICENSE,smtlib-2.6,{status},,some\n",
            upstream.display()
        )
    }

    fn harness(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(self.dir.path(), arguments);
        command.env("HARNESS_CACHE", self.path("cache")).env("HARNESS_RECIPES", self.path("recipes.csv"));
        command
    }

    /// Fetches, which must end with `status`; what is said on standard error.
    #[track_caller]
    fn fetch(&self, arguments: &[&str], status: i32) -> String {
        let output = self.harness(&[&["fetch"], arguments].concat());
        expect(&output, status);
        stderr(&output)
    }

    fn entry(&self) -> PathBuf {
        self.path("cache/fetched/p+suite")
    }

    /// Runs a study of `entry`, which must end with `status`.
    #[track_caller]
    fn compare(&self, entry: &str, status: i32) -> Output {
        let text = format!("name: s\ntasks:\n  - fetched: {entry}\nstrategies: [brute-force]\n");
        self.write("c.yaml", &text);
        let _ = fs::remove_dir_all(self.path("run"));
        let output = self.harness(&["compare", "c.yaml", "--out", "run"]);
        expect(&output, status);
        output
    }

    fn tasks(&self) -> Vec<String> {
        let mut tasks: Vec<String> = records(&self.path("run"))
            .iter()
            .map(|record| record["task"].as_str().unwrap().to_owned())
            .collect();
        tasks.sort();
        tasks
    }

    /// What is left of fetches that did not come to an end.
    fn unfinished(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path("cache/fetched")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with(".tmp")).collect()
    }
}

fn names_below(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_corpus_is_fetched_and_used() {
    let Some(place) = Place::new() else { return };
    let said = place.compare("{name: p/suite}", 2);
    assert!(
        stderr(&said).contains("c.yaml:3:21: the corpus 'p/suite' is not fetched: 'harness fetch p/suite'"),
        "{}",
        stderr(&said)
    );
    let output = place.harness(&["fetch", "p/suite"]);
    expect(&output, 0);
    let line = format!("p/suite: fetched: 3 files at {}, licence MIT, in ", place.commit);
    assert!(stdout(&output).starts_with(&line), "{}", stdout(&output));
    assert!(
        stderr(&output).contains("note: left out, since they are links or have unusable names: 1"),
        "{}",
        stderr(&output)
    );
    // Nothing of the repository but the scripts, as they were committed.
    assert_eq!(names_below(&place.entry()), ["files", "manifest.csv", "receipt.json"]);
    assert_eq!(names_below(&place.entry().join("files")), ["sat", "unsat"]);
    assert_eq!(fs::read_to_string(place.entry().join("files/sat/a.smt2")).unwrap(), SAT);
    place.compare("{name: p/suite}", 0);
    let all = [
        "fetched/p/suite/unicode/sat/a",
        "fetched/p/suite/unicode/sat/deep/b",
        "fetched/p/suite/unicode/unsat/c",
    ];
    assert_eq!(place.tasks(), all);
    let results = fs::read_to_string(place.path("run/results.csv")).unwrap();
    assert!(
        results.contains("fetched/p/suite/unicode/sat/deep/b,fetched/p/suite/sat/deep,unicode,"),
        "{results}"
    );
    let tasks = fs::read_to_string(place.path("run/tasks.jsonl")).unwrap();
    assert!(
        tasks.contains(&format!("set-info :status in fetched/p/suite/sat/a.smt2 at {}", place.commit)),
        "{tasks}"
    );
    assert!(!tasks.contains(place.dir.path().to_str().unwrap()), "no path of the machine: {tasks}");
    // It is chosen from as a user's own scripts are.
    place.compare("{name: p/suite, exclude: [deep, unsat/c.smt2]}", 0);
    assert_eq!(place.tasks(), all[..1]);
    place.compare("{name: p/suite, sample: {count: 2}, where: [check-sats = 1]}", 0);
    assert_eq!(place.tasks().len(), 2);
    let said = stderr(&place.compare("{name: p/suite, exclude: [gone]}", 2));
    assert!(said.contains("c.yaml:3:40: gone: excludes nothing"), "{said}");
    let again = place.harness(&["fetch", "p/suite"]);
    expect(&again, 0);
    assert!(stdout(&again).contains("p/suite: is there already: 3 files"), "{}", stdout(&again));
}

#[test]
fn names_are_found_or_the_nearest_one_is_told() {
    let Some(place) = Place::new() else { return };
    let said = place.fetch(&["p/suit"], 2);
    assert!(said.contains("there is no recipe 'p/suit': did you mean 'p/suite'?"), "{said}");
    let said = stderr(&place.compare("{name: p/suit}", 2));
    assert!(said.contains("c.yaml:3:21: there is no recipe 'p/suit': did you mean 'p/suite'?"), "{said}");
    place.fetch(&["p/suite"], 0);
    let table = stdout(&place.harness(&["list", "recipes"]));
    assert_eq!(table, stdout(&place.harness(&["fetch"])));
    let row = |name: &str| table.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert_eq!(row("p/suite").split_whitespace().collect::<Vec<_>>()[1..5], ["3", "MIT", "yes", "some"]);
    assert!(row("zaligvinder/pisa").contains("none-stated"), "{table}");
    place.write("recipes.csv", &format!("{HEADER}p/suite,here\n"));
    let said = place.fetch(&["p/suite"], 2);
    assert!(said.contains("recipes.csv: CSV error"), "{said}");
}

#[test]
fn a_licence_that_is_not_permissive_is_accepted_by_name() {
    let Some(place) = Place::new() else { return };
    place.recipe("p/suite", &place.commit, "suite", "GPL-3.0", "declared");
    for arguments in [&["p/suite"][..], &["p/suite", "--accept", "GPL-2.0"]] {
        let said = place.fetch(arguments, 2);
        assert!(said.contains("its licence is GPL-3.0 (stated by: LICENSE)"), "{said}");
        assert!(said.contains("'harness fetch p/suite --accept GPL-3.0'"), "{said}");
    }
    assert!(!place.path("cache").exists(), "nothing was fetched");
    place.fetch(&["p/suite", "--accept", "GPL-3.0"], 0);
    let receipt = fs::read_to_string(place.entry().join("receipt.json")).unwrap();
    assert!(receipt.contains("\"accepted\": true"), "{receipt}");
    place.fetch(&["p/suite", "--again"], 0);
    place.recipe("p/suite", &place.commit, "suite", "none-stated", "declared");
    let said = place.fetch(&["p/suite", "--again"], 2);
    assert!(said.contains("no licence is stated") && said.contains("--accept none-stated"), "{said}");
    place.fetch(&["p/suite", "--again", "--accept", "none-stated"], 0);
}

#[test]
fn a_commit_or_folder_that_is_not_there_leaves_nothing() {
    let Some(place) = Place::new() else { return };
    let gone = "0123456789abcdef0123456789abcdef01234567";
    for (commit, folder, why) in [
        (gone, "suite", "the repository has no commit 0123456789abcdef0123456789abcdef01234567"),
        (&gone[..12], "suite", "the repository has no commit that begins with 0123456789ab"),
        (place.commit.as_str(), "suit", "the repository has no folder 'suit' at "),
        (place.commit.as_str(), "suite/notes.txt", "the repository has no folder 'suite/notes.txt' at "),
    ] {
        place.recipe("p/suite", commit, folder, "MIT", "declared");
        let said = place.fetch(&["p/suite"], 2);
        assert!(said.contains(&format!("error: p/suite: {why}")), "{said}");
        assert!(!place.entry().exists() && place.unfinished().is_empty(), "{said}");
    }
    // Nor does a commit count that a server still has, but no branch any more.
    let old = place.commit.clone();
    place.git(&["checkout", "--quiet", "--orphan", "new"]);
    place.commit();
    for branch in place.git(&["branch", "--format=%(refname:short)"]).lines().filter(|name| *name != "new") {
        place.git(&["branch", "--quiet", "-D", branch]);
    }
    place.recipe("p/suite", &old[..12], "suite", "MIT", "declared");
    let said = place.fetch(&["p/suite"], 2);
    assert!(
        said.contains("has no commit that begins with") && said.contains("its history was rewritten"),
        "{said}"
    );
}

#[test]
fn an_address_that_does_not_answer_is_told_in_gits_words() {
    let Some(place) = Place::new() else { return };
    fs::rename(place.path("upstream"), place.path("moved")).unwrap();
    let said = place.fetch(&["p/suite"], 2);
    assert!(said.contains("p/suite: the repository cannot be fetched: fatal: "), "{said}");
    assert!(said.contains("does not appear to be a git repository"), "{said}");
    assert!(!place.entry().exists() && place.unfinished().is_empty());
    // Others are fetched all the same, and what is there stays.
    fs::rename(place.path("moved"), place.path("upstream")).unwrap();
    let rows = [
        place.row("p/gone", &place.commit, "gone", "MIT", "none"),
        place.row("p/suite", &place.commit, "suite", "MIT", "none"),
    ];
    place.write("recipes.csv", &format!("{HEADER}{}", rows.concat()));
    let said = place.fetch(&["p/gone", "p/suite"], 2);
    assert!(said.contains("p/gone: the repository has no folder"), "{said}");
    place.compare("{name: p/suite}", 0);
    fs::rename(place.path("upstream"), place.path("moved")).unwrap();
    place.fetch(&["p/suite", "--again"], 2);
    place.compare("{name: p/suite}", 0);
}

#[test]
fn without_git_the_way_out_is_told() {
    let Some(place) = Place::new() else { return };
    let output = place.command(&["fetch", "p/suite"]).env("PATH", place.path("nothing")).output().unwrap();
    expect(&output, 2);
    assert!(
        stderr(&output).contains("the program 'git' is needed and not there: install it"),
        "{}",
        stderr(&output)
    );
    assert!(place.unfinished().is_empty());
}

#[test]
fn what_has_changed_is_not_used_before_it_is_fetched_again() {
    let Some(place) = Place::new() else { return };
    place.fetch(&["p/suite"], 0);
    fs::write(place.entry().join("files/sat/a.smt2"), UNSAT).unwrap();
    fs::write(place.entry().join("files/new.smt2"), SAT).unwrap();
    let said = stderr(&place.compare("{name: p/suite}", 2));
    assert!(said.contains("c.yaml:3:21: the corpus 'p/suite' in "), "{said}");
    assert!(
        said.contains("new.smt2 was added, sat/a.smt2 has changed; 'harness fetch p/suite --again'"),
        "{said}"
    );
    let said = place.fetch(&["p/suite"], 2);
    assert!(said.contains("sat/a.smt2 has changed"), "{said}");
    place.fetch(&["p/suite", "--again"], 0);
    place.compare("{name: p/suite}", 0);
    assert!(place.unfinished().is_empty());
    // A recipe that names another commit asks for it.
    place.recipe("p/suite", &place.git(&["rev-parse", "HEAD"]), "suite", "MIT", "declared");
    let said = stderr(&place.compare("{name: p/suite}", 2));
    assert!(said.contains("is not that of the recipe: its commit is ") && said.contains("--again"), "{said}");
    let said = place.fetch(&["p/suite", "--again"], 0);
    assert!(said.contains("note: the recipe says that there are 3 files"), "{said}");
    place.compare("{name: p/suite}", 0);
    assert_eq!(place.tasks().len(), 4);
}

#[test]
fn a_fetch_that_was_killed_counts_for_nothing() {
    let Some(place) = Place::new() else { return };
    // What is left of one, made of a whole corpus: the worst case.
    place.fetch(&["p/suite"], 0);
    let left = place.path("cache/fetched/.tmp~p+suite~x");
    fs::create_dir(&left).unwrap();
    fs::rename(place.entry(), left.join("entry")).unwrap();
    let said = stderr(&place.compare("{name: p/suite}", 2));
    assert!(said.contains("is not fetched"), "{said}");
    // One that is killed while git is at work.
    let git = place.path("bin/git");
    place.write("bin/git", SLOW_GIT);
    fs::set_permissions(&git, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let (usual, at_work) = (std::env::var("PATH").unwrap(), place.path("at-work"));
    let mut fetch = place.command(&["fetch", "p/suite"]);
    fetch.env("PATH", format!("{}:{usual}", place.path("bin").display())).env("USUAL", &usual);
    let mut child = fetch.env("AT_WORK", &at_work).stderr(Stdio::null()).spawn().unwrap();
    while !at_work.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(stderr(&place.compare("{name: p/suite}", 2)).contains("is being fetched at this moment"));
    child.kill().unwrap();
    child.wait().unwrap();
    fs::remove_file(&at_work).unwrap();
    assert_eq!(place.unfinished().len(), 1, "its own; the other one was removed before");
    let said = stderr(&place.compare("{name: p/suite}", 2));
    assert!(said.contains("is not fetched"), "{said}");
    // That of another corpus is not touched.
    let other = place.path("cache/fetched/.tmp~p+suite+more~x");
    fs::create_dir(&other).unwrap();
    place.fetch(&["p/suite"], 0);
    assert_eq!(place.unfinished(), [".tmp~p+suite+more~x"]);
    place.compare("{name: p/suite}", 0);
}

#[test]
fn two_fetches_at_once_do_not_meet() {
    let Some(place) = Place::new() else { return };
    let start = || {
        place
            .command(&["fetch", "p/suite", "--again"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let both = [start(), start(), start()];
    for mut child in both {
        assert!(child.wait().unwrap().success());
    }
    assert!(place.unfinished().is_empty());
    place.compare("{name: p/suite}", 0);
}

#[test]
fn a_suite_may_be_the_files_of_one_folder_with_any_names() {
    let Some(place) = Place::new() else { return };
    let upstream = place.path("upstream");
    let (upstream, commit) = (upstream.display(), &place.commit);
    place.write(
        "recipes.csv",
        &format!(
            "{HEADER}p/suite,file://{upstream},{commit},.,no,,,MIT,x,,declared,top=unsat gone=sat,some\n"
        ),
    );
    let output = place.harness(&["fetch", "p/suite", "--cache", "elsewhere"]);
    expect(&output, 0);
    assert!(
        stderr(&output).contains("note: the recipe speaks of gone, which is not there"),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).contains("with HARNESS_CACHE=elsewhere"), "{}", stderr(&output));
    let files = place.path("elsewhere/fetched/p+suite/files");
    assert_eq!(names_below(&files), [".gitattributes", "top"]);
    fs::rename(place.path("elsewhere"), place.path("cache")).unwrap();
    place.compare("{name: p/suite, exclude: [.gitattributes]}", 10);
    assert_eq!(place.tasks(), ["fetched/p/suite/unicode/top"]);
    let tasks = fs::read_to_string(place.path("run/tasks.jsonl")).unwrap();
    assert!(tasks.contains("the recipe p/suite: the status that top has is known to be wrong"), "{tasks}");
}

#[test]
fn what_folders_say_is_expected_where_the_recipe_says_so() {
    let Some(place) = Place::new() else { return };
    place.recipe("p/suite", &place.commit, "suite", "MIT", "folder");
    place.fetch(&["p/suite"], 0);
    place.compare("{name: p/suite}", 0);
    let results = crate::results(&place.path("run"));
    let mut expected: Vec<&str> = results.iter().map(|row| row[6].as_str()).collect();
    expected.sort_unstable();
    assert_eq!(expected, ["sat", "sat", "unsat"]);
}

//! The scripts of a recipe's commit, brought by `git` into a folder.
//!
//! Of the history nothing is fetched but the one commit, and of that no file outside of the suite's folder,
//! where the server can do that. A commit of which the recipe has only the first digits is looked for among
//! the commits of all branches and tags first.
//!
//! Invariant: every file that is given has the digest that the commit says, computed by `git` from the bytes
//! on disk.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use corpora::Recipe;
use corpora::recipes::WHOLE_HASH;

use super::git::{Git, GitError};

/// The name of the other side.
const ORIGIN: &str = "origin";
/// All branches and tags.
const ALL: [&str; 2] = ["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"];
/// Nothing is converted when a file is written, whatever the repository says.
const ATTRIBUTES: &str = "* -text -eol -ident -filter -working-tree-encoding\n";
/// How a server says that it has no such commit.
const NOT_THERE: [&str; 2] = ["not our ref", "not a valid object"];
/// How a server says that a commit is fetched with its branch only.
const NOT_ALONE: [&str; 2] = ["unadvertised object", "not advertised"];

/// The scripts of a commit.
#[derive(Debug)]
pub struct Checkout {
    /// The whole hash.
    pub commit: String,
    /// Where the paths start.
    pub folder: PathBuf,
    /// The scripts, by their paths below the suite's folder.
    pub scripts: Vec<String>,
    /// What belongs to the suite by its name but is a link, or has a name that no task could have.
    pub left_out: usize,
}

/// Why there is no checkout.
#[derive(Debug)]
pub enum Trouble {
    /// Git is not there.
    Git(GitError),
    /// The repository cannot be fetched.
    Unreachable(String),
    /// It has no such commit.
    NoCommit(String),
    /// The commit has no such folder, or no script in it.
    NoScripts(String),
    /// What is on disk is not what the commit says.
    Damaged(String),
    /// A file cannot be written.
    Disk(PathBuf, io::Error),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Git(error) => error.fmt(f),
            Self::Unreachable(said) => {
                write!(
                    f,
                    "the repository cannot be fetched: {said}; none of it was kept: try again when that is mended"
                )
            }
            Self::NoCommit(what) => {
                write!(
                    f,
                    "{what}: its history was rewritten, or it was moved; a recipe of your own \
                     (HARNESS_RECIPES) may name another commit or repository"
                )
            }
            Self::NoScripts(what) => f.write_str(what),
            Self::Damaged(what) => write!(f, "what was fetched is damaged: {what}; try again"),
            Self::Disk(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

/// Something that belongs to the suite by its name.
struct Listed {
    is_file: bool,
    object: String,
    path: Vec<u8>,
}

/// Brings the recipe's scripts into a new repository in `folder`, an empty folder.
pub fn checkout(recipe: &Recipe, folder: &Path) -> Result<Checkout, Trouble> {
    let commit = if recipe.commit.len() == WHOLE_HASH {
        recipe.commit.clone()
    } else {
        whole_hash(recipe, &folder.join("commits"))?
    };
    let git = new_repository(recipe, &folder.join("repository"))?;
    fetch_commit(&git, &commit)?;
    git.run(&["update-ref", "--no-deref", "HEAD", &commit]).map_err(failed(Trouble::Damaged))?;
    let head = git.line(&["rev-parse", "--verify", "HEAD^{commit}"]).map_err(failed(Trouble::Damaged))?;
    if head != commit {
        return Err(Trouble::Damaged(format!("its commit is {head}, and not {commit}")));
    }
    let all = list(&git, recipe, &commit)?;
    if all.is_empty() {
        return Err(Trouble::NoScripts(format!(
            "the folder '{}' has no file *{} at {commit}",
            recipe.folder, recipe.ending
        )));
    }
    let total = all.len();
    let files: Vec<(String, String)> = all
        .into_iter()
        .filter(|one| one.is_file)
        .filter_map(|one| Some((String::from_utf8(one.path).ok()?, one.object)))
        .filter(|(path, _)| !path.contains(char::is_control))
        .collect();
    write_files(&git, recipe)?;
    compare(&git, recipe, &files)?;
    let left_out = total - files.len();
    let scripts = files.into_iter().map(|(path, _)| path).collect();
    Ok(Checkout { commit, folder: git.folder().join(&recipe.folder), scripts, left_out })
}

/// The error of a call that failed; that git is missing stays what it is.
fn failed(trouble: impl Fn(String) -> Trouble) -> impl Fn(GitError) -> Trouble {
    move |error| match error {
        GitError::Program(_) => Trouble::Git(error),
        GitError::Failed(said) => trouble(said),
    }
}

fn new_repository(recipe: &Recipe, folder: &Path) -> Result<Git, Trouble> {
    fs::create_dir(folder).map_err(|error| Trouble::Disk(folder.to_owned(), error))?;
    let git = Git::at(folder);
    git.run(&["init", "--quiet", "--template=", "."]).map_err(failed(Trouble::Unreachable))?;
    git.run(&["remote", "add", ORIGIN, &recipe.repository]).map_err(failed(Trouble::Unreachable))?;
    Ok(git)
}

/// The one commit whose hash begins as the recipe says. Commits alone are fetched for it.
fn whole_hash(recipe: &Recipe, folder: &Path) -> Result<String, Trouble> {
    let git = new_repository(recipe, folder)?;
    let fetch = ["fetch", "--quiet", "--no-tags", "--filter=tree:0", ORIGIN];
    git.run(&[&fetch[..], &ALL].concat()).map_err(failed(Trouble::Unreachable))?;
    let object = format!("{}^{{commit}}", recipe.commit);
    let found = git.line(&["rev-parse", "--quiet", "--verify", &object]);
    let missing = format!("the repository has no commit that begins with {}", recipe.commit);
    found.map_err(failed(|_| Trouble::NoCommit(missing.clone())))
}

fn fetch_commit(git: &Git, commit: &str) -> Result<(), Trouble> {
    let fetch = ["fetch", "--quiet", "--no-tags", "--filter=blob:none", ORIGIN];
    let said = match git.run(&[&fetch[..4], &["--depth=1", ORIGIN, commit]].concat()) {
        Ok(_) => return Ok(()),
        Err(GitError::Failed(said)) => said,
        Err(error) => return Err(Trouble::Git(error)),
    };
    let missing = || Trouble::NoCommit(format!("the repository has no commit {commit}"));
    if NOT_THERE.iter().any(|word| said.contains(word)) {
        return Err(missing());
    }
    if !NOT_ALONE.iter().any(|word| said.contains(word)) {
        return Err(Trouble::Unreachable(said));
    }
    git.run(&[&fetch[..], &ALL].concat()).map_err(failed(Trouble::Unreachable))?;
    let object = format!("{commit}^{{commit}}");
    git.run(&["cat-file", "-e", &object]).map_err(failed(|_| missing()))?;
    Ok(())
}

/// What the commit says is in the suite's folder.
fn list(git: &Git, recipe: &Recipe, commit: &str) -> Result<Vec<Listed>, Trouble> {
    let tree = if recipe.folder == "." { commit.to_owned() } else { format!("{commit}:{}", recipe.folder) };
    let printed = git.run(&["ls-tree", "-r", "-z", "--full-tree", &tree]).map_err(failed(|said| {
        Trouble::NoScripts(format!("the repository has no folder '{}' at {commit}: {said}", recipe.folder))
    }))?;
    let strange = || Trouble::Damaged("git lists files in an unknown form".to_owned());
    let mut listed = Vec::new();
    for line in printed.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
        let tab = line.iter().position(|byte| *byte == b'\t').ok_or_else(strange)?;
        let (head, path) = (String::from_utf8_lossy(&line[..tab]), line[tab + 1..].to_vec());
        let mut words = head.split(' ');
        let (Some(mode), Some(_), Some(object)) = (words.next(), words.next(), words.next()) else {
            return Err(strange());
        };
        // A link, 120000, could lead anywhere; another repository, 160000, has no file.
        let is_file = ["100644", "100755"].contains(&mode);
        if recipe.takes(&String::from_utf8_lossy(&path)) {
            listed.push(Listed { is_file, object: object.to_owned(), path });
        }
    }
    Ok(listed)
}

/// Writes the files of the suite's folder, and as few others as a pattern can say.
fn write_files(git: &Git, recipe: &Recipe) -> Result<(), Trouble> {
    let info = git.folder().join(".git/info");
    let write = |name: &str, text: &str| {
        let path = info.join(name);
        fs::create_dir_all(&info)
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| Trouble::Disk(path.clone(), error))
    };
    let folder = if recipe.folder == "." { String::new() } else { format!("/{}", recipe.folder) };
    let patterns = if recipe.below {
        format!("{folder}/**/*{}\n", recipe.ending)
    } else {
        format!("{folder}/*{}\n!{folder}/*/\n", recipe.ending)
    };
    write("sparse-checkout", &patterns)?;
    write("attributes", ATTRIBUTES)?;
    git.run(&["read-tree", "-m", "-u", "HEAD"]).map_err(failed(Trouble::Unreachable))?;
    Ok(())
}

/// Compares the files on disk with the commit.
fn compare(git: &Git, recipe: &Recipe, files: &[(String, String)]) -> Result<(), Trouble> {
    let mut input = Vec::new();
    for (path, _) in files {
        let below = Path::new(&recipe.folder).join(path);
        let data = git.folder().join(&below).symlink_metadata();
        if !data.is_ok_and(|data| data.is_file()) {
            return Err(Trouble::Damaged(format!("{path} is not there")));
        }
        input.extend_from_slice(below.to_string_lossy().as_bytes());
        input.push(b'\n');
    }
    let printed = git
        .run_with(&["hash-object", "--no-filters", "--stdin-paths"], input)
        .map_err(failed(Trouble::Damaged))?;
    let found = String::from_utf8_lossy(&printed);
    let mut found = found.lines();
    for (path, object) in files {
        if found.next() != Some(object) {
            return Err(Trouble::Damaged(format!("{path} is not that of the commit")));
        }
    }
    Ok(())
}

//! Public corpora that were fetched: where they lie in the cache, and whether they still are what was
//! fetched.
//!
//! Below the cache, `fetched/ENTRY` is one corpus, where `ENTRY` is the recipe's name with `+` for `/`:
//! `files/` holds the scripts as they lie below the suite's folder, `manifest.csv` their lengths and digests,
//! `receipt.json` the [`Receipt`]. Beside it are `.lock~ENTRY` and, while it is fetched,
//! `.tmp~ENTRY~…`, which counts for nothing.
//!
//! Invariants: an entry is made whole or not at all, for whoever makes one does so beside it and renames it,
//! holding the lock; whoever reads one shares the lock and has compared every file with the manifest, and the
//! manifest with the receipt. Nothing here uses the network.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use harness_model::Expected;
use harness_model::Verdict;
use harness_model::task::{FOLDER_NAME, STATUS_LINE};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::recipes::{Recipe, Status};

/// The folder of the cache with the corpora.
const CORPORA: &str = "fetched";
/// Of an entry: the scripts.
pub const FILES: &str = "files";
/// Of an entry: lengths and digests.
const MANIFEST: &str = "manifest.csv";
/// Of an entry: what was fetched.
const RECEIPT: &str = "receipt.json";
/// The version of both.
const VERSION: u32 = 1;
/// How many files that differ are named.
const MOST_NAMED: usize = 5;

/// Where corpora that were fetched lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache(PathBuf);

/// What was fetched, and what was accepted for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// Of this file and of the manifest.
    version: u32,
    /// The recipe's.
    pub name: String,
    /// The recipe's.
    pub repository: String,
    /// The whole hash.
    pub commit: String,
    /// The recipe's.
    pub folder: String,
    /// The recipe's.
    pub below: bool,
    /// The recipe's.
    pub ending: String,
    /// How many files there are.
    pub files: u64,
    /// The recipe's.
    pub licence: String,
    /// Whether the user accepted it by name.
    pub accepted: bool,
    /// The digest of the manifest.
    manifest: String,
}

/// A file of a corpus, as the manifest has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    path: String,
    bytes: u64,
    sha256: String,
}

/// Why a corpus cannot be used. All but [`Trouble::Unreadable`] and [`Trouble::Busy`] are mended by fetching.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// It is not there.
    #[error("the corpus '{name}' is not fetched: 'harness fetch {name}' does that")]
    Absent {
        /// Of the recipe.
        name: String,
    },
    /// It is there, but not as the recipe says.
    #[error(
        "the corpus '{name}' in {} is not that of the recipe: {what}; 'harness fetch {name} --again' makes \
         it anew",
        place.display()
    )]
    Other {
        /// Of the recipe.
        name: String,
        /// The entry.
        place: PathBuf,
        /// What differs.
        what: String,
    },
    /// It is not what was fetched.
    #[error(
        "the corpus '{name}' in {} is not what was fetched: {what}; 'harness fetch {name} --again' makes it \
         anew",
        place.display()
    )]
    Changed {
        /// Of the recipe.
        name: String,
        /// The entry.
        place: PathBuf,
        /// What differs.
        what: String,
    },
    /// Somebody fetches it at this moment.
    #[error("the corpus '{name}' is being fetched at this moment: try again when that is done")]
    Busy {
        /// Of the recipe.
        name: String,
    },
    /// It cannot be looked at.
    #[error("{}: {why}", place.display())]
    Unreadable {
        /// What cannot be read, written or locked.
        place: PathBuf,
        /// Why.
        why: io::Error,
    },
}

/// What is in the cache under a recipe's name, at a glance: no file was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glance {
    /// Nothing.
    Absent,
    /// What the recipe says.
    Present,
    /// Something else.
    Other,
}

/// A corpus that is what was fetched, locked against being fetched anew.
#[derive(Debug)]
pub struct Fetched<'a> {
    recipe: &'a Recipe,
    receipt: Receipt,
    files: PathBuf,
    _lock: File,
}

impl Cache {
    /// The cache in this folder, which need not be there.
    pub fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// Where the corpora are.
    pub fn corpora(&self) -> PathBuf {
        self.0.join(CORPORA)
    }

    /// Where the recipe's corpus is or would be.
    pub fn entry(&self, recipe: &Recipe) -> PathBuf {
        self.corpora().join(entry_name(recipe))
    }

    /// The file that is locked by whoever reads or makes the corpus.
    pub fn lock_file(&self, recipe: &Recipe) -> PathBuf {
        self.corpora().join(format!(".lock~{}", entry_name(recipe)))
    }

    /// How the names of folders begin in which the corpus is made.
    pub fn unfinished(recipe: &Recipe) -> String {
        format!(".tmp~{}~", entry_name(recipe))
    }

    /// What is there.
    pub fn glance(&self, recipe: &Recipe) -> Glance {
        match receipt(&self.entry(recipe)) {
            Ok(receipt) if receipt.fits(recipe).is_ok() => Glance::Present,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !self.entry(recipe).exists() => {
                Glance::Absent
            }
            Ok(_) | Err(_) => Glance::Other,
        }
    }

    /// Whether the recipe's licence was accepted when its corpus was fetched.
    pub fn accepted(&self, recipe: &Recipe) -> bool {
        receipt(&self.entry(recipe))
            .is_ok_and(|receipt| receipt.accepted && receipt.licence == recipe.licence)
    }

    /// The recipe's corpus, each file of it compared with what was fetched.
    ///
    /// # Errors
    ///
    /// When it is not there, not that of the recipe, not what was fetched, or being fetched.
    pub fn open<'a>(&self, recipe: &'a Recipe) -> Result<Fetched<'a>, Trouble> {
        let place = self.lock_file(recipe);
        let lock = match File::open(&place) {
            Ok(lock) => lock,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Trouble::Absent { name: recipe.name.clone() });
            }
            Err(why) => return Err(Trouble::Unreadable { place, why }),
        };
        match lock.try_lock_shared() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Trouble::Busy { name: recipe.name.clone() }),
            Err(TryLockError::Error(why)) => return Err(Trouble::Unreadable { place, why }),
        }
        let receipt = self.check(recipe)?;
        Ok(Fetched { recipe, receipt, files: self.entry(recipe).join(FILES), _lock: lock })
    }

    /// Compares what is there with the recipe and with what was fetched. The caller holds the lock.
    ///
    /// # Errors
    ///
    /// As of [`Self::open`].
    pub fn check(&self, recipe: &Recipe) -> Result<Receipt, Trouble> {
        let place = self.entry(recipe);
        let name = || recipe.name.clone();
        let changed = |what: String| Trouble::Changed { name: name(), place: place.clone(), what };
        if place.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return Err(Trouble::Absent { name: name() });
        }
        let receipt = receipt(&place).map_err(|error| changed(format!("{RECEIPT}: {error}")))?;
        receipt.fits(recipe).map_err(|what| Trouble::Other { name: name(), place: place.clone(), what })?;
        let manifest = harness_files::read(&place.join(MANIFEST), harness_files::LISTED)
            .map_err(|error| changed(format!("{MANIFEST}: {error}")))?;
        if digest(&manifest) != receipt.manifest {
            return Err(changed(format!("{MANIFEST} has changed")));
        }
        let listed: Result<Vec<Row>, _> =
            csv::Reader::from_reader(manifest.as_slice()).deserialize().collect();
        let listed = listed.map_err(|error| changed(format!("{MANIFEST}: {error}")))?;
        let listed = listed.into_iter().map(|row| (row.path.clone(), row)).collect();
        let files = place.join(FILES);
        let found = walk(&files).map_err(|why| Trouble::Unreadable { place: files.clone(), why })?;
        let differences = differences(&files, &listed, &found);
        if differences.is_empty() {
            return Ok(receipt);
        }
        let rest = differences.len().saturating_sub(MOST_NAMED);
        let mut what = differences.into_iter().take(MOST_NAMED).collect::<Vec<_>>().join(", ");
        if rest > 0 {
            what.push_str(&format!(", and {rest} more"));
        }
        Err(changed(what))
    }
}

/// What an entry that is being made needs beside its files: writes the manifest of all files in
/// `folder/files`, and the receipt. Gives the receipt.
///
/// # Errors
///
/// When a file cannot be read or written.
pub fn seal(folder: &Path, recipe: &Recipe, commit: &str, accepted: bool) -> io::Result<Receipt> {
    let files = folder.join(FILES);
    let mut manifest = csv::Writer::from_writer(Vec::new());
    let mut count = 0;
    for path in walk(&files)? {
        let (bytes, sha256) = measure(&files.join(&path))?;
        manifest.serialize(Row { path, bytes, sha256 }).map_err(io::Error::other)?;
        count += 1;
    }
    let manifest = manifest.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    let receipt = Receipt {
        version: VERSION,
        name: recipe.name.clone(),
        repository: recipe.repository.clone(),
        commit: commit.to_owned(),
        folder: recipe.folder.clone(),
        below: recipe.below,
        ending: recipe.ending.clone(),
        files: count,
        licence: recipe.licence.clone(),
        accepted,
        manifest: digest(&manifest),
    };
    fs::write(folder.join(MANIFEST), &manifest)?;
    let text = serde_json::to_string_pretty(&receipt)?;
    fs::write(folder.join(RECEIPT), format!("{text}\n"))?;
    Ok(receipt)
}

impl Receipt {
    /// Whether this is what the recipe asks for; else what differs.
    fn fits(&self, recipe: &Recipe) -> Result<(), String> {
        let below = |below: bool| if below { "yes" } else { "no" };
        for (what, found, wanted) in [
            ("its name", self.name.as_str(), recipe.name.as_str()),
            ("its repository", &self.repository, &recipe.repository),
            ("its folder", &self.folder, &recipe.folder),
            ("its column 'below'", below(self.below), below(recipe.below)),
            ("its ending", &self.ending, &recipe.ending),
            ("its licence", &self.licence, &recipe.licence),
        ] {
            if found != wanted {
                return Err(format!("{what} is '{found}', and not '{wanted}'"));
            }
        }
        if self.commit.starts_with(&recipe.commit) {
            Ok(())
        } else {
            Err(format!("its commit is {}, and not {}", self.commit, recipe.commit))
        }
    }
}

impl Fetched<'_> {
    /// Where ids and families of its tasks begin.
    pub fn place(&self) -> String {
        format!("fetched/{}", self.recipe.name)
    }

    /// The folder with its scripts.
    pub fn files(&self) -> &Path {
        &self.files
    }

    /// The pattern, from that folder, that names all of them.
    pub fn pattern(&self) -> String {
        format!("**/*{}", self.recipe.ending)
    }

    /// What was fetched.
    pub fn receipt(&self) -> &Receipt {
        &self.receipt
    }

    /// What is expected of the script `file`, which says `stated` itself and asks so many questions: what the
    /// recipe says of such statuses. The source names the corpus and never the machine.
    pub fn word(&self, file: &Path, stated: Option<Vec<Verdict>>, asked: usize) -> Option<Expected> {
        let path = file.strip_prefix(&self.files).ok()?.to_str()?;
        let recipe = self.recipe;
        let named = format!("{}/{path} at {}", self.place(), self.receipt.commit);
        if let Some(wrong) = recipe.wrong.iter().find(|wrong| wrong.file == path) {
            let right = wrong.right.filter(|_| asked == 1)?;
            let source =
                format!("the recipe {}: the status that {path} has is known to be wrong", recipe.name);
            return Some(Expected { verdicts: vec![right], source });
        }
        match recipe.status {
            Status::None => None,
            Status::Declared => {
                Some(Expected { verdicts: stated?, source: format!("{STATUS_LINE} in {named}") })
            }
            Status::Folder => {
                let (verdict, folder) = recipe.folder_verdict(path).filter(|_| asked == 1)?;
                let source = format!("{FOLDER_NAME} {folder} above {named}");
                Some(Expected { verdicts: vec![verdict], source })
            }
        }
    }
}

fn entry_name(recipe: &Recipe) -> String {
    recipe.name.replace('/', "+")
}

fn receipt(entry: &Path) -> io::Result<Receipt> {
    let bytes = harness_files::read(&entry.join(RECEIPT), harness_files::CONFIG)?;
    let receipt: Receipt = serde_json::from_slice(&bytes)?;
    if receipt.version == VERSION {
        Ok(receipt)
    } else {
        Err(io::Error::other(format!("it has version {}, and this program reads {VERSION}", receipt.version)))
    }
}

/// The paths below `folder` of everything there that is no folder, in order.
fn walk(folder: &Path) -> io::Result<Vec<String>> {
    fn below(folder: &Path, prefix: &str, found: &mut Vec<String>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                below(&entry.path(), &format!("{path}/"), found)?;
            } else {
                found.push(path);
            }
        }
        Ok(())
    }
    let mut found = Vec::new();
    below(folder, "", &mut found)?;
    found.sort();
    Ok(found)
}

/// What differs between the files and the manifest, a phrase a file.
fn differences(files: &Path, listed: &BTreeMap<String, Row>, found: &[String]) -> Vec<String> {
    let missing = listed.keys().filter(|path| found.binary_search(path).is_err());
    let mut differences: Vec<String> = missing.map(|path| format!("{path} is missing")).collect();
    for path in found {
        let Some(row) = listed.get(path) else {
            differences.push(format!("{path} was added"));
            continue;
        };
        let file = files.join(path);
        // A link may lead to the right bytes today.
        let is_file = file.symlink_metadata().is_ok_and(|data| data.is_file());
        match measure(&file) {
            Ok((bytes, sha256)) if is_file && bytes == row.bytes && sha256 == row.sha256 => {}
            Ok(_) => differences.push(format!("{path} has changed")),
            Err(error) => differences.push(format!("{path} cannot be read ({error})")),
        }
    }
    differences
}

fn measure(file: &Path) -> io::Result<(u64, String)> {
    let bytes = harness_files::read(file, harness_files::PROBLEM)?;
    Ok((bytes.len() as u64, digest(&bytes)))
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipes::KnownWrong;

    fn recipe(status: Status) -> Recipe {
        Recipe {
            name: "a/b".to_owned(),
            repository: "https://example.org/r".to_owned(),
            commit: "0123456789".to_owned(),
            folder: "s".to_owned(),
            below: true,
            ending: ".smt2".to_owned(),
            files: None,
            licence: "MIT".to_owned(),
            stated: "LICENSE".to_owned(),
            dialect: String::new(),
            status,
            wrong: Vec::new(),
            summary: "some".to_owned(),
        }
    }

    /// A cache with the corpus of [`recipe`], and the entry.
    fn cache(recipe: &Recipe) -> (tempfile::TempDir, Cache, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().to_owned());
        let entry = cache.entry(recipe);
        for (name, text) in [("x.smt2", "(check-sat)"), ("sat/y.smt2", "(exit)")] {
            let path = entry.join(FILES).join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        seal(&entry, recipe, "0123456789abcdef0123456789abcdef01234567", true).unwrap();
        fs::write(cache.lock_file(recipe), "").unwrap();
        (folder, cache, entry)
    }

    #[test]
    fn whatever_differs_is_told() {
        let recipe = recipe(Status::Declared);
        let (_folder, cache, entry) = cache(&recipe);
        assert_eq!(cache.open(&recipe).unwrap().receipt().files, 2);
        assert!(cache.accepted(&recipe));
        assert_eq!(cache.glance(&recipe), Glance::Present);
        let file = |name: &str| entry.join(FILES).join(name);
        let said = || cache.open(&recipe).unwrap_err().to_string();
        fs::write(file("x.smt2"), "(check-sat) ").unwrap();
        assert!(
            said().contains("is not what was fetched: x.smt2 has changed; 'harness fetch a/b --again'"),
            "{}",
            said()
        );
        fs::write(file("sat/z.smt2"), "").unwrap();
        fs::remove_file(file("x.smt2")).unwrap();
        assert!(said().contains("x.smt2 is missing, sat/z.smt2 was added;"), "{}", said());
        fs::remove_file(file("sat/z.smt2")).unwrap();
        std::os::unix::fs::symlink("sat/y.smt2", file("x.smt2")).unwrap();
        assert!(said().contains("x.smt2 has changed"), "{}", said());
        let manifest = fs::read_to_string(entry.join(MANIFEST)).unwrap();
        fs::write(entry.join(MANIFEST), manifest.replace("sat/", "Sat/")).unwrap();
        assert!(said().contains("manifest.csv has changed"), "{}", said());
        fs::write(entry.join(RECEIPT), "{}").unwrap();
        assert!(said().contains("receipt.json: missing field"), "{}", said());
        assert_eq!(cache.glance(&recipe), Glance::Other);
        fs::remove_dir_all(&entry).unwrap();
        assert!(said().contains("is not fetched: 'harness fetch a/b' does that"), "{}", said());
        assert_eq!(cache.glance(&recipe), Glance::Absent);
    }

    #[test]
    fn another_recipe_of_the_same_name_is_told() {
        let recipe = recipe(Status::Declared);
        let (_folder, cache, _) = cache(&recipe);
        for (other, what) in [
            (Recipe { commit: "ffff456789".to_owned(), ..recipe.clone() }, "its commit is 0123456789abcdef"),
            (Recipe { folder: ".".to_owned(), ..recipe.clone() }, "its folder is 's', and not '.'"),
            (Recipe { licence: "GPL-3.0".to_owned(), ..recipe }, "its licence is 'MIT'"),
        ] {
            let said = cache.open(&other).unwrap_err().to_string();
            assert!(said.contains(what) && said.contains("--again"), "{said}");
            assert_eq!(cache.glance(&other), Glance::Other);
        }
    }

    #[test]
    fn who_fetches_locks_readers_out() {
        let recipe = recipe(Status::Declared);
        let (_folder, cache, _) = cache(&recipe);
        let lock = File::open(cache.lock_file(&recipe)).unwrap();
        lock.lock().unwrap();
        assert!(matches!(cache.open(&recipe), Err(Trouble::Busy { .. })));
        drop(lock);
        let reader = cache.open(&recipe).unwrap();
        assert!(cache.open(&recipe).is_ok(), "readers share it");
        drop(reader);
    }

    #[test]
    fn expectations_are_as_good_as_the_recipe_says() {
        let word = |recipe: &Recipe, path: &str, asked: usize| {
            let (_folder, cache, entry) = cache(recipe);
            let fetched = cache.open(recipe).unwrap();
            let stated = Some(vec![Verdict::Unsat; asked]);
            fetched.word(&entry.join(FILES).join(path), stated, asked)
        };
        let declared = word(&recipe(Status::Declared), "x.smt2", 2).unwrap();
        assert_eq!(declared.verdicts, [Verdict::Unsat, Verdict::Unsat]);
        assert_eq!(
            declared.source,
            "set-info :status in fetched/a/b/x.smt2 at 0123456789abcdef0123456789abcdef01234567"
        );
        assert!(declared.is_claim());
        let folder = word(&recipe(Status::Folder), "sat/y.smt2", 1).unwrap();
        assert_eq!(folder.verdicts, [Verdict::Sat]);
        assert!(folder.is_claim(), "{}", folder.source);
        assert_eq!(word(&recipe(Status::Folder), "sat/y.smt2", 2), None);
        assert_eq!(word(&recipe(Status::Folder), "x.smt2", 1), None);
        assert_eq!(word(&recipe(Status::None), "x.smt2", 1), None);
        let known = |right| {
            let wrong = vec![KnownWrong { file: "x.smt2".to_owned(), right }];
            word(&Recipe { wrong, ..recipe(Status::Declared) }, "x.smt2", 1)
        };
        assert_eq!(known(None), None);
        let right = known(Some(Verdict::Sat)).unwrap();
        assert_eq!(right.verdicts, [Verdict::Sat]);
        assert!(!right.is_claim() && right.source.contains("known to be wrong"), "{}", right.source);
    }
}

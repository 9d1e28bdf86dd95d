//! Which files a user's patterns name.
//!
//! A pattern is a path or a glob with `*`, `?`, `[…]` and `**`, relative to a base folder. What exists under
//! a pattern's own text is meant literally, also where the text has such characters. A folder stands for
//! every `.smt2` file below it.
//!
//! Invariant: everything whose name fits a pattern is either a file to read or a trouble with a name. That is
//! why the walk is our own: the crate for globs, which matches names here, omits on its own walks what is not
//! Unicode and every link that leads nowhere, and follows a link that leads back until the system refuses;
//! one for walks tells of these, but follows a link to a folder above the first one through all that is
//! there. A file is read once, and a trouble told once, however many patterns or links name it; a file that
//! is excluded by its own path is excluded under every name. The scripts that task files name are excluded as
//! any other, also where no pattern finds them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use harness_model::Expected;

use crate::claims::TaskFile;
use crate::error::{CorpusError, hint};

/// The ending of scripts in folders.
const SCRIPTS: &str = "*.smt2";

/// Files and troubles, by path.
#[derive(Clone, Debug)]
pub struct ScriptFiles {
    base: PathBuf,
    /// What a folder stands for.
    endings: &'static [&'static str],
    found: BTreeMap<PathBuf, Found>,
    /// Scripts that task files among the found ones name, and whether they are excluded.
    named: BTreeMap<PathBuf, bool>,
}

/// What stands under a path that fits a pattern.
#[derive(Clone, Debug, Default)]
struct Found {
    /// Why it cannot be read, if that is known already.
    trouble: Option<String>,
    excluded: bool,
    /// What is said in it, where it is a task file.
    task: Option<Result<Named, String>>,
}

/// What a task file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its script, as the file names it.
    pub written: String,
    /// Where that is.
    pub script: PathBuf,
    /// What it expects.
    pub expected: Option<Expected>,
}

impl ScriptFiles {
    /// No files yet. Patterns are relative to `base`.
    pub fn new(base: &Path) -> Self {
        Self { base: base.to_owned(), endings: &[SCRIPTS], found: BTreeMap::new(), named: BTreeMap::new() }
    }

    /// Folders stand for the files below them whose names fit one of these, instead of scripts.
    #[must_use]
    pub fn with_endings(self, endings: &'static [&'static str]) -> Self {
        Self { endings, ..self }
    }

    /// Where relative patterns start.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// Adds what `pattern` names.
    ///
    /// # Errors
    /// When the pattern is wrong or names nothing.
    pub fn add(&mut self, pattern: &str) -> Result<(), CorpusError> {
        let wrong = |what: String| CorpusError::File { file: PathBuf::from(pattern), what };
        let whole = self.base.join(pattern);
        let here = whole.symlink_metadata();
        let mut is_folder = false;
        let (root, choices) = if here.is_ok() {
            match fs::metadata(&whole) {
                Ok(data) if data.is_dir() => {
                    is_folder = true;
                    let choice = |ending: &&str| Ok(Parts(vec![Part::Folders, part(ending)?]));
                    let choices: Result<Vec<Parts>, String> = self.endings.iter().map(choice).collect();
                    (whole, choices.map_err(wrong)?)
                }
                Ok(data) => {
                    let trouble = (!data.is_file()).then(not_a_file);
                    self.found.insert(whole, Found { trouble, ..Found::default() });
                    return Ok(());
                }
                Err(error) => {
                    let trouble = Some(unfollowed(&whole, &error));
                    self.found.insert(whole, Found { trouble, ..Found::default() });
                    return Ok(());
                }
            }
        } else {
            let (root, parts) = search(&self.base, pattern).map_err(wrong)?;
            (root, vec![parts])
        };
        if choices.iter().any(|parts| parts.0.is_empty()) {
            return Err(wrong(match here {
                Err(error) if error.kind() != io::ErrorKind::NotFound => error.to_string(),
                Ok(_) | Err(_) => "no file has such a name".into(),
            }));
        }
        let mut found = BTreeMap::new();
        let mut folders = false;
        for parts in &choices {
            let mut walk = Walk { parts, found: BTreeMap::new(), folders: false };
            match fs::canonicalize(on_disk(&root)) {
                Ok(real) => walk.folder(&root, &parts.start(), &mut vec![real]),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(wrong(format!("{}: {error}", root.display()))),
            }
            folders |= walk.folders;
            found.extend(walk.found);
        }
        if found.is_empty() {
            let endings = self.endings.join(", ");
            return Err(wrong(if is_folder {
                format!("no script ({endings}) is in this folder or one below it")
            } else if folders {
                format!("only folders have such a name: '{pattern}/**/{SCRIPTS}' takes the scripts in them")
            } else {
                "no file has such a name".to_owned()
            }));
        }
        self.found.extend(found);
        Ok(())
    }

    /// Reads the task files among what was added; `read` is given the text of each. Before anything is
    /// excluded, for the scripts that they name may be.
    pub fn read_task_files(&mut self, read: &dyn Fn(&str) -> Result<TaskFile, String>) {
        for (file, found) in &mut self.found {
            if found.trouble.is_some() || !TaskFile::is_one(file) {
                continue;
            }
            let text = harness_files::read(file, harness_files::LISTED)
                .map_err(|error| error.to_string())
                .and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned()));
            let named = text.and_then(|text| read(&text)).and_then(|task| {
                let (script, written) = task.script(file)?;
                Ok(Named { written: written.to_owned(), script, expected: task.expected(file) })
            });
            if let Ok(named) = &named {
                self.named.insert(named.script.clone(), false);
            }
            found.task = Some(named);
        }
    }

    /// Excludes what `pattern` names, and what is in folders that it names. A pattern without `/` is about
    /// the names of files and folders at any depth.
    ///
    /// # Errors
    /// When the pattern is wrong or nothing that was added fits it.
    pub fn exclude(&mut self, pattern: &str) -> Result<(), CorpusError> {
        let wrong = |what: String| CorpusError::File { file: PathBuf::from(pattern), what };
        let by_name = !pattern.contains('/');
        let found = self.found.iter().map(|(path, found)| found.place(path));
        let named = self.named.keys().map(|path| Found::default().place(path));
        let places: Vec<PathBuf> = found.chain(named).collect();
        let is_named = |path: &PathBuf| path.file_name() == Some(OsStr::new(pattern));
        // As in `files`, what exists is meant before what a pattern could mean.
        let exists = self.found.keys().chain(self.named.keys()).chain(&places).any(is_named);
        let parts = |base: &Path| match () {
            () if !by_name => below(base, pattern),
            () if exists => Ok(Parts(vec![Part::Folders, Part::Exact(pattern.into())])),
            () => Ok(Parts(vec![Part::Folders, part(pattern)?])),
        };
        let named = absolute(&self.base);
        let real = fs::canonicalize(on_disk(&self.base)).unwrap_or_else(|_| named.clone());
        let (named_parts, real_parts) = (parts(&named).map_err(wrong)?, parts(&real).map_err(wrong)?);
        let fits = |base: &Path, parts: &Parts, path: &Path| {
            // Folders that the base is in too have names that say nothing of what is in `files`.
            let common = base.components().zip(path.components()).take_while(|(a, b)| by_name && a == b);
            let own: PathBuf = path.components().skip(common.count()).collect();
            parts.fit_some_start(if by_name { &own } else { path })
        };
        let mut any = false;
        let found = self.found.iter_mut().map(|(path, found)| (path, &mut found.excluded));
        for ((path, excluded), place) in found.chain(&mut self.named).zip(places) {
            if fits(&named, &named_parts, &absolute(path)) || fits(&real, &real_parts, &place) {
                any = true;
                *excluded = true;
            }
        }
        if any {
            return Ok(());
        }
        let all = self.found.keys().chain(self.named.keys());
        let names: BTreeSet<String> = all.filter_map(|path| self.name(path, by_name)).collect();
        Err(wrong(format!(
            "excludes nothing: no file of 'files' has such a name{}",
            hint(pattern, names.iter().map(String::as_str))
        )))
    }

    /// What a pattern could say for `path`.
    fn name(&self, path: &Path, by_name: bool) -> Option<String> {
        let short = path.strip_prefix(&self.base).unwrap_or(path);
        let name = if by_name { short.file_name()? } else { short.as_os_str() };
        Some(name.to_string_lossy().into_owned())
    }

    /// Files to read and, where it is known already, why one cannot be read; in the order of their paths. Of
    /// several paths of the same file the one with the fewest links is kept.
    pub fn files(&self) -> Vec<(&Path, Option<&str>)> {
        let mut by_place: BTreeMap<PathBuf, (usize, &Path, &Found)> = BTreeMap::new();
        for (path, found) in self.found.iter().filter(|(_, found)| !found.excluded) {
            let links = self.links(path);
            let first = by_place.entry(found.place(path)).or_insert((links, path, found));
            if links < first.0 {
                *first = (links, path, found);
            }
        }
        let kept = by_place.into_values().map(|(_, path, found)| (path, found.trouble.as_deref()));
        let mut kept: Vec<(&Path, Option<&str>)> = kept.collect();
        kept.sort_unstable();
        kept
    }

    /// What the task file `path` says; `None` where it is none, or [`Self::read_task_files`] was not called.
    pub fn task(&self, path: &Path) -> Option<Result<&Named, &str>> {
        let task = self.found.get(path)?.task.as_ref()?;
        Some(task.as_ref().map_err(String::as_str))
    }

    /// Whether a script that a task file names is excluded, by the path written there or by where that leads.
    pub fn is_excluded(&self, script: &Path) -> bool {
        self.named.get(script).is_some_and(|excluded| *excluded)
    }

    /// How many links `path` goes through below the base.
    fn links(&self, path: &Path) -> usize {
        let is_link = |path: &&Path| path.symlink_metadata().is_ok_and(|data| data.is_symlink());
        path.ancestors().take_while(|above| *above != self.base).filter(is_link).count()
    }
}

impl Found {
    /// Where what stands under `path` is, without links; of a trouble, where its own name stands.
    fn place(&self, path: &Path) -> PathBuf {
        let real = match (&self.trouble, path.parent(), path.file_name()) {
            (Some(_), Some(folder), Some(name)) => fs::canonicalize(on_disk(folder)).map(|f| f.join(name)),
            (None, _, _) | (Some(_), _, _) => fs::canonicalize(path),
        };
        real.unwrap_or_else(|_| absolute(path))
    }
}

/// One part of a pattern, between slashes.
#[derive(Clone, Debug)]
enum Part {
    /// This name.
    Exact(OsString),
    /// Names of this form.
    Like(glob::Pattern),
    /// `**`: any folders, also none; at the end of a pattern, any files below them too.
    Folders,
}

impl Part {
    fn fits(&self, name: &OsStr) -> bool {
        match self {
            Self::Exact(exact) => exact == name,
            // A byte that is not Unicode is read as a character that only `*`, `?` and `[!…]` fit.
            Self::Like(pattern) => pattern.matches(&name.to_string_lossy()),
            Self::Folders => true,
        }
    }
}

/// A pattern's parts. A path is read name by name, with the set of all places in the parts that it may have
/// come to.
#[derive(Clone, Debug)]
struct Parts(Vec<Part>);

impl Parts {
    fn start(&self) -> BTreeSet<usize> {
        self.skip_folders(BTreeSet::from([0]))
    }

    fn step(&self, places: &BTreeSet<usize>, name: &OsStr) -> BTreeSet<usize> {
        let next = places.iter().filter_map(|&place| {
            let part = self.0.get(place).filter(|part| part.fits(name))?;
            Some(if matches!(part, Part::Folders) { place } else { place + 1 })
        });
        self.skip_folders(next.collect())
    }

    /// With the places behind each `**`, which may stand for no folder.
    fn skip_folders(&self, mut places: BTreeSet<usize>) -> BTreeSet<usize> {
        for (place, part) in self.0.iter().enumerate() {
            if matches!(part, Part::Folders) && places.contains(&place) {
                places.insert(place + 1);
            }
        }
        places
    }

    fn end(&self, places: &BTreeSet<usize>) -> bool {
        places.contains(&self.0.len())
    }

    /// Whether `path` or a folder that it is in fits.
    fn fit_some_start(&self, path: &Path) -> bool {
        let mut places = self.start();
        path.components().any(|component| {
            places = self.step(&places, component.as_os_str());
            self.end(&places)
        })
    }
}

fn part(text: &str) -> Result<Part, String> {
    if text == "**" {
        Ok(Part::Folders)
    } else if text.contains(['*', '?', '[']) {
        glob::Pattern::new(text).map(Part::Like).map_err(|error| error.to_string())
    } else {
        Ok(Part::Exact(text.into()))
    }
}

/// The folder in which the search for `pattern` starts, and the parts from the first that is no plain name.
fn search(base: &Path, pattern: &str) -> Result<(PathBuf, Parts), String> {
    let mut root = base.to_owned();
    let mut parts = Vec::new();
    for component in Path::new(pattern).components() {
        match component {
            Component::Normal(name) => {
                let part = part(&name.to_string_lossy())?;
                if parts.is_empty() && matches!(part, Part::Exact(_)) {
                    root.push(name);
                } else {
                    parts.push(part);
                }
            }
            Component::CurDir => {}
            Component::ParentDir if !parts.is_empty() => return Err("'..' cannot follow a pattern".into()),
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => root.push(component),
        }
    }
    Ok((root, Parts(parts)))
}

/// The parts of `pattern` from the root of all paths on; `base` is absolute.
fn below(base: &Path, pattern: &str) -> Result<Parts, String> {
    let exact = |component: Component<'_>| Part::Exact(component.as_os_str().to_owned());
    let literal = base.join(pattern);
    if literal.symlink_metadata().is_ok() {
        return Ok(Parts(absolute(&literal).components().map(exact).collect()));
    }
    let mut parts: Vec<Part> = base.components().map(exact).collect();
    for component in Path::new(pattern).components() {
        match component {
            Component::Normal(name) => parts.push(part(&name.to_string_lossy())?),
            Component::CurDir => {}
            Component::ParentDir => {
                if !matches!(parts.pop(), Some(Part::Exact(_))) {
                    return Err("'..' cannot follow a pattern".into());
                }
            }
            Component::RootDir | Component::Prefix(_) => parts = vec![exact(component)],
        }
    }
    Ok(Parts(parts))
}

/// A search below a folder.
struct Walk<'a> {
    parts: &'a Parts,
    found: BTreeMap<PathBuf, Found>,
    /// Whether a folder's name fits.
    folders: bool,
}

impl Walk<'_> {
    /// Searches `folder`, which the pattern reaches at `places`; `above` are its real path and those of the
    /// folders that it was reached through.
    fn folder(&mut self, folder: &Path, places: &BTreeSet<usize>, above: &mut Vec<PathBuf>) {
        let names: io::Result<BTreeSet<OsString>> = fs::read_dir(on_disk(folder))
            .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.file_name())).collect());
        let names = match names {
            Ok(names) => names,
            Err(error) => {
                return self.trouble(folder.to_owned(), format!("the folder cannot be read: {error}"));
            }
        };
        for name in names {
            let next = self.parts.step(places, &name);
            if next.is_empty() {
                continue;
            }
            let path = folder.join(&name);
            match fs::metadata(&path) {
                Ok(data) if data.is_dir() => self.enter(&path, &next, above),
                Ok(_) if !self.parts.end(&next) => {}
                Ok(data) if data.is_file() => {
                    self.found.insert(path, Found::default());
                }
                Ok(_) => self.trouble(path, not_a_file()),
                // Where a link should lead is not known: perhaps to a folder with what is searched for.
                Err(error) => self.trouble(path.clone(), unfollowed(&path, &error)),
            }
        }
    }

    fn enter(&mut self, path: &Path, places: &BTreeSet<usize>, above: &mut Vec<PathBuf>) {
        self.folders |= self.parts.end(places);
        if places.iter().all(|&place| place == self.parts.0.len()) {
            return;
        }
        match fs::canonicalize(path) {
            // A folder that holds one of those above it holds this search again.
            Ok(real) if above.iter().any(|folder| folder.starts_with(&real)) => {
                let what = format!("the link leads back to a folder that it is in, {}", real.display());
                self.trouble(path.to_owned(), what);
            }
            Ok(real) => {
                above.push(real);
                self.folder(path, places, above);
                above.pop();
            }
            Err(error) => self.trouble(path.to_owned(), unfollowed(path, &error)),
        }
    }

    fn trouble(&mut self, path: PathBuf, what: String) {
        self.found.insert(path, Found { trouble: Some(what), ..Found::default() });
    }
}

fn not_a_file() -> String {
    "it is neither a file nor a folder".to_owned()
}

/// Why nothing is known of what is at `path`.
fn unfollowed(path: &Path, error: &io::Error) -> String {
    match fs::read_link(path) {
        Ok(target) if error.kind() == io::ErrorKind::NotFound => {
            format!("the link leads nowhere: there is no '{}'", target.display())
        }
        Ok(target) => format!("the link to '{}' cannot be followed: {error}", target.display()),
        Err(_) => error.to_string(),
    }
}

/// The folder as the system names it: the empty path is where the program was started.
fn on_disk(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// The path from the root on, with each `..` taken back as it is written.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    let whole = Path::new(".").join(path);
    let whole = std::path::absolute(&whole).unwrap_or(whole);
    let mut clean = PathBuf::new();
    for component in whole.components() {
        if component == Component::ParentDir {
            clean.pop();
        } else {
            clean.push(component);
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    use super::*;

    /// A folder with empty files of these names.
    fn tree(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    /// The files below `base` that are left, with `!` before those that cannot be read.
    fn left(base: &Path, files: &[&str], exclude: &[&str]) -> Result<Vec<String>, String> {
        let mut all = ScriptFiles::new(base);
        for pattern in files {
            all.add(pattern).map_err(|error| error.to_string())?;
        }
        for pattern in exclude {
            all.exclude(pattern).map_err(|error| error.to_string())?;
        }
        let name = |(path, trouble): (&Path, Option<&str>)| {
            let mark = if trouble.is_some() { "!" } else { "" };
            format!("{mark}{}", path.strip_prefix(base).unwrap().to_string_lossy())
        };
        Ok(all.files().into_iter().map(name).collect())
    }

    #[test]
    fn patterns_find_files_once() {
        let folder =
            tree(&["a.smt2", "b.smt2", "c.txt", "d/a.smt2", "d/e/f.smt2", "d/g.txt", "[x].smt2", "x.smt2"]);
        let base = folder.path();
        for (files, found) in [
            (&["a*", "*.smt2"][..], &["[x].smt2", "a.smt2", "b.smt2", "x.smt2"][..]),
            (&["a.smt2", "./a.smt2", "d/../a.smt2"], &["a.smt2"]),
            (&["c.txt"], &["c.txt"]),
            (&["d"], &["d/a.smt2", "d/e/f.smt2"]),
            (&["d/**"], &["d/a.smt2", "d/e/f.smt2", "d/g.txt"]),
            (&["**/a.smt2"], &["a.smt2", "d/a.smt2"]),
            (&["*/*/?.smt2"], &["d/e/f.smt2"]),
            (&["**/[!a-e].smt2"], &["d/e/f.smt2", "x.smt2"]),
            // What exists is meant before what a pattern could mean.
            (&["[x].smt2"], &["[x].smt2"]),
        ] {
            assert_eq!(left(base, files, &[]).unwrap(), found, "{files:?}");
        }
        for (wrong, why) in [
            ("y*", "no file has such a name"),
            ("no/such/*.smt2", "no file has such a name"),
            ("[y", "invalid range pattern"),
            ("a**", "recursive wildcards"),
            ("*/../a.smt2", "'..' cannot follow"),
            ("?", "only folders have such a name: '?/**/*.smt2'"),
        ] {
            let said = left(base, &[wrong], &[]).unwrap_err();
            assert!(said.starts_with(wrong) && said.contains(why), "{said}");
        }
    }

    #[test]
    fn folders_above_the_base_are_not_excluded_by_name() {
        let folder = tree(&["work/configs/a.yaml", "work/s/a.smt2", "work/s/old/b.smt2"]);
        let base = folder.path().join("work/configs");
        let of = |pattern: &str| {
            let mut all = ScriptFiles::new(&base);
            all.add("../s/**/*.smt2").unwrap();
            all.exclude(pattern).map(|()| all.files().len()).map_err(|error| error.to_string())
        };
        assert!(of("work").unwrap_err().contains("excludes nothing"));
        assert_eq!(of("old"), Ok(1));
        assert_eq!(of("*.smt2"), Ok(0));
    }

    #[test]
    fn exclusions_are_names_paths_folders_or_globs() {
        let folder =
            tree(&["s/keep.smt2", "s/drop.smt2", "s/old/drop.smt2", "s/old/gone.smt2", "s/[1].smt2"]);
        let base = folder.path();
        let others = |without: &[&str]| -> Vec<&str> {
            let all = ["s/[1].smt2", "s/drop.smt2", "s/keep.smt2", "s/old/drop.smt2", "s/old/gone.smt2"];
            all.into_iter().filter(|name| !without.contains(name)).collect()
        };
        let absolute = base.join("s/old/drop.smt2").to_str().unwrap().to_owned();
        for (exclude, without) in [
            ("drop.smt2", &["s/drop.smt2", "s/old/drop.smt2"][..]),
            ("dro?.smt2", &["s/drop.smt2", "s/old/drop.smt2"]),
            ("[dg]*", &["s/drop.smt2", "s/old/drop.smt2", "s/old/gone.smt2"]),
            ("s/old/drop.smt2", &["s/old/drop.smt2"]),
            ("./s/x/../old/drop.smt2", &["s/old/drop.smt2"]),
            (&absolute, &["s/old/drop.smt2"]),
            ("s/*.smt2", &["s/[1].smt2", "s/drop.smt2", "s/keep.smt2"]),
            ("s/[1].smt2", &["s/[1].smt2"]),
            ("[1].smt2", &["s/[1].smt2"]),
            ("s/old/*", &["s/old/drop.smt2", "s/old/gone.smt2"]),
            ("s/old", &["s/old/drop.smt2", "s/old/gone.smt2"]),
            ("s/old/", &["s/old/drop.smt2", "s/old/gone.smt2"]),
            ("old", &["s/old/drop.smt2", "s/old/gone.smt2"]),
            ("**/old/*.smt2", &["s/old/drop.smt2", "s/old/gone.smt2"]),
            ("**/drop.smt2", &["s/drop.smt2", "s/old/drop.smt2"]),
        ] {
            assert_eq!(left(base, &["s/**/*.smt2"], &[exclude]).unwrap(), others(without), "{exclude}");
        }
        // Exclusions do not hide files from one another.
        assert_eq!(left(base, &["s"], &["old", "drop.smt2"]).unwrap(), ["s/[1].smt2", "s/keep.smt2"]);
        let said = left(base, &["s"], &["s/old/dropp.smt2"]).unwrap_err();
        assert_eq!(
            said,
            "s/old/dropp.smt2: excludes nothing: no file of 'files' has such a name: did you mean 's/old/drop.smt2'?"
        );
        assert!(left(base, &["s"], &["nonsense"]).unwrap_err().contains("there are "));
        assert!(left(base, &["s"], &["["]).unwrap_err().contains("invalid range pattern"));
    }

    #[test]
    fn links_and_odd_names_are_told_or_read_once() {
        let folder = tree(&["s/a.smt2", "s/sub/b.smt2"]);
        let base = folder.path();
        let link = |target: &str, name: &str| symlink(target, base.join(name)).unwrap();
        link("a.smt2", "s/Again.smt2");
        link("sub", "s/other");
        link("nowhere", "s/dangling.smt2");
        link("round.smt2", "s/round.smt2");
        link("..", "s/sub/up");
        link("../..", "s/above");
        fs::write(base.join(OsStr::from_bytes(b"s/\xE9.smt2")), "").unwrap();
        std::os::unix::net::UnixListener::bind(base.join("s/socket.smt2")).unwrap();
        // 'other/up' is 'sub/up', and is told once.
        let troubles = ["!s/above", "!s/dangling.smt2", "!s/round.smt2", "!s/socket.smt2", "!s/sub/up"];
        let mut all: Vec<String> = troubles.map(str::to_owned).to_vec();
        all.extend(["s/a.smt2", "s/sub/b.smt2", "s/\u{FFFD}.smt2"].map(str::to_owned));
        for files in [&["s/**/*.smt2"][..], &["s"], &["s", "s/*/*.smt2", "s/Again.smt2"]] {
            let mut found = left(base, files, &[]).unwrap();
            found.sort();
            assert_eq!(found, all, "{files:?}");
        }
        assert_eq!(
            left(base, &["s"], &["above", "up", "socket.smt2", "*n*.smt2"]).unwrap(),
            ["s/a.smt2", "s/sub/b.smt2", "s/\u{FFFD}.smt2"]
        );
        assert_eq!(
            left(base, &["s/dangling.smt2", "s/Again.smt2"], &[]).unwrap(),
            ["s/Again.smt2", "!s/dangling.smt2"]
        );
        for twice in
            [&["s/dangling.smt2", "./s/dangling.smt2"][..], &["s/dangling.smt2", "s/other/../dangling.smt2"]]
        {
            assert_eq!(left(base, twice, &[]).unwrap().len(), 1, "{twice:?}");
        }
        let mut files = ScriptFiles::new(base);
        files.add("s").unwrap();
        let said: Vec<&str> = files.files().into_iter().filter_map(|(_, trouble)| trouble).collect();
        assert!(said.iter().any(|s| s.contains("leads nowhere: there is no 'nowhere'")), "{said:?}");
        assert!(said.iter().any(|s| s.contains("leads back to a folder that it is in")), "{said:?}");
        assert!(said.iter().any(|s| s.contains("'round.smt2' cannot be followed")), "{said:?}");
        assert!(said.iter().any(|s| s.contains("neither a file nor a folder")), "{said:?}");
    }

    #[test]
    fn an_excluded_file_runs_under_no_name() {
        let folder = tree(&["s/a.smt2", "s/sub/b.smt2", "s/c.smt2"]);
        let base = folder.path();
        symlink("a.smt2", base.join("s/again.smt2")).unwrap();
        symlink("sub", base.join("s/other")).unwrap();
        for (exclude, kept) in [
            ("a.smt2", &["s/c.smt2", "s/sub/b.smt2"][..]),
            ("s/a.smt2", &["s/c.smt2", "s/sub/b.smt2"]),
            ("sub", &["s/a.smt2", "s/c.smt2"]),
            ("s/sub/*", &["s/a.smt2", "s/c.smt2"]),
            // Who excludes a link excludes that name.
            ("again.smt2", &["s/a.smt2", "s/c.smt2", "s/sub/b.smt2"]),
            ("s/other", &["s/a.smt2", "s/c.smt2", "s/sub/b.smt2"]),
        ] {
            assert_eq!(left(base, &["s"], &[exclude]).unwrap(), kept, "{exclude}");
        }
        assert_eq!(left(base, &["s/again.smt2", "s/c.smt2"], &["s/a.smt2"]).unwrap(), ["s/c.smt2"]);
    }

    #[test]
    fn a_base_behind_a_link_is_a_base_like_any_other() {
        let folder = tree(&["real/s/a.smt2", "real/s/old/b.smt2"]);
        symlink("a.smt2", folder.path().join("real/s/0.smt2")).unwrap();
        symlink("real", folder.path().join("link")).unwrap();
        let base = folder.path().join("link");
        assert_eq!(left(&base, &["s"], &[]).unwrap(), ["s/a.smt2", "s/old/b.smt2"]);
        let real = fs::canonicalize(folder.path()).unwrap().join("real/s/old/b.smt2");
        for exclude in ["s/old", "old", "s/old/b.smt2", real.to_str().unwrap()] {
            assert_eq!(left(&base, &["s"], &[exclude]).unwrap(), ["s/a.smt2"], "{exclude}");
        }
        assert!(left(&base, &["s"], &["real"]).unwrap_err().contains("excludes nothing"));
    }

    #[test]
    fn what_cannot_be_looked_at_says_why() {
        let folder = tree(&["empty/readme.txt", "x.smt2"]);
        let base = folder.path();
        symlink("round", base.join("round")).unwrap();
        let long = format!("{}.smt2", "n".repeat(300));
        for (wrong, why) in [
            ("empty", "no script (*.smt2) is in this folder"),
            ("round/a.smt2", "symbolic links"),
            ("x.smt2/a.smt2", "Not a directory"),
            (long.as_str(), "name too long"),
        ] {
            let said = left(base, &[wrong], &[]).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
    }
}

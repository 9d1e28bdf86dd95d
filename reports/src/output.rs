//! Where files go: each is written beside its place and then moved into it, so that it is whole or not there.
//!
//! Nothing is forced to the disk: reports are made from the records, and can be made again.
//!
//! A list of what was written stays in the directory, so that the next report takes away what it does not
//! write again: a picture that is not asked for any more would be taken for one of this report. What is not
//! in the list is nobody's business here, and neither is what a list names outside of the places of reports.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file or folder could not be made.
    #[error("cannot write {}: {source}; the records are untouched: free some space or mend the permissions, then run `harness report` on the directory", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A picture could not be drawn: a defect.
    #[error("cannot draw {name}: {reason}")]
    Draw {
        /// The file's name.
        name: String,
        /// What went wrong.
        reason: String,
    },
    /// Published figures cannot be read: a defect of the corpus.
    #[error(transparent)]
    Published(#[from] crate::published::PublishedError),
}

/// A directory that reports are written to, and what has been written.
#[derive(Debug)]
pub(crate) struct Output {
    dir: PathBuf,
    written: Vec<PathBuf>,
    /// Their names, in order.
    names: Vec<String>,
    /// What an earlier report has left.
    before: BTreeSet<String>,
}

/// The list of what was written, in the directory.
const LIST: &str = ".reports";

/// Longer lists are none of ours.
const LONGEST_LIST: u64 = 16 << 20;

/// What an earlier report says that it wrote. A list that cannot be read names nothing.
fn listed(dir: &Path) -> BTreeSet<String> {
    let mut text = String::new();
    let read = File::open(dir.join(LIST)).and_then(|file| file.take(LONGEST_LIST).read_to_string(&mut text));
    if read.is_err() {
        return BTreeSet::new();
    }
    text.lines().filter(|name| is_ours(name)).map(str::to_owned).collect()
}

/// Whether a report writes files of such a name.
fn is_ours(name: &str) -> bool {
    let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    match name.split('/').collect::<Vec<_>>()[..] {
        [file] => ["results.csv", "summary.md", "index.html"].contains(&file),
        ["plots" | "tables", file] => plain(file),
        _ => false,
    }
}

impl Output {
    /// Into `dir`; nothing is made before the first file.
    pub(crate) fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), written: Vec::new(), names: Vec::new(), before: listed(dir) }
    }

    /// Adds a name to the list before its file is written, so that a kill leaves no file that no list has.
    fn note(&mut self, name: &str) -> io::Result<()> {
        if is_ours(name) && !self.before.contains(name) {
            let mut list = OpenOptions::new().create(true).append(true).open(self.dir.join(LIST))?;
            list.write_all(format!("{name}\n").as_bytes())?;
        }
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Takes away what an earlier report wrote and this one did not.
    pub(crate) fn clear(&mut self) -> Result<(), ReportError> {
        let failed = |path: PathBuf| move |source| ReportError::Write { path, source };
        let kept: BTreeSet<&str> = self.names.iter().map(String::as_str).collect();
        for name in self.before.iter().filter(|name| !kept.contains(name.as_str())) {
            let path = self.dir.join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(path)(error)),
                _ => {}
            }
        }
        let list: String = kept.iter().filter(|name| is_ours(name)).map(|name| format!("{name}\n")).collect();
        let path = self.dir.join(LIST);
        replace(&path, |file| file.write_all(list.as_bytes())).map_err(failed(path))
    }

    /// Writes the file `name` (with `/` between folders, relative to the directory), replacing it whole.
    pub(crate) fn write(&mut self, name: &str, content: impl AsRef<[u8]>) -> Result<(), ReportError> {
        self.write_with(name, |file| file.write_all(content.as_ref()))
    }

    /// The same, of content that is made while it is written.
    pub(crate) fn write_with(
        &mut self,
        name: &str,
        content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), ReportError> {
        let path = self.dir.join(name);
        let folder = path.parent().unwrap_or(&self.dir);
        fs::create_dir_all(folder)
            .map_err(|source| ReportError::Write { path: folder.to_owned(), source })?;
        self.note(name).map_err(|source| ReportError::Write { path: self.dir.join(LIST), source })?;
        replace(&path, content).map_err(|source| ReportError::Write { path: path.clone(), source })?;
        self.written.push(path);
        Ok(())
    }

    /// What has been written, in order.
    pub(crate) fn into_written(self) -> Vec<PathBuf> {
        self.written
    }
}

/// Writes a file whole or not at all. One run reports at a time into a directory, so a fixed name beside the
/// file is enough, and a temporary file left by a kill is overwritten by the next report.
fn replace(path: &Path, content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let mut temporary = path.to_owned().into_os_string();
    temporary.push(".part");
    let temporary = PathBuf::from(temporary);
    let written = File::create(&temporary).and_then(|file| {
        let mut file = BufWriter::new(file);
        content(&mut file)?;
        file.flush()
    });
    written.and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        // The half-written file is of no use to anyone; that it could not be removed adds nothing to the
        // error.
        let _ = fs::remove_file(&temporary);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_whole_and_leaves_nothing_beside() {
        let dir = tempfile::tempdir().unwrap();
        let mut output = Output::new(dir.path());
        output.write("a/b.csv", "long content").unwrap();
        output.write("a/b.csv", "short").unwrap();
        assert_eq!(fs::read_to_string(dir.path().join("a/b.csv")).unwrap(), "short");
        assert_eq!(fs::read_dir(dir.path().join("a")).unwrap().count(), 1);
    }

    #[test]
    fn what_a_report_does_not_write_again_is_taken_away_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let report = |names: &[&str]| {
            let mut output = Output::new(dir.path());
            names.iter().for_each(|name| output.write(name, "x").unwrap());
            output.clear().unwrap();
        };
        let there = |name: &str| dir.path().join(name).exists();
        report(&["summary.md", "plots/a.svg", "plots/b.svg", "tables/t.csv"]);
        fs::write(dir.path().join("plots/mine.svg"), "x").unwrap();
        fs::write(dir.path().join("records.jsonl"), "x").unwrap();
        // Somebody had a hand in the list.
        let mut list = fs::read_to_string(dir.path().join(LIST)).unwrap();
        list.push_str("records.jsonl\nplots/../records.jsonl\n/etc/hostname\nplots/..\n");
        fs::write(dir.path().join(LIST), list).unwrap();
        report(&["summary.md", "plots/b.svg"]);
        assert!(!there("plots/a.svg") && !there("tables/t.csv"));
        assert!(there("plots/b.svg") && there("plots/mine.svg") && there("records.jsonl"));
        // A report that was killed in the middle.
        let mut killed = Output::new(dir.path());
        killed.write("plots/c.svg", "x").unwrap();
        drop(killed);
        report(&["summary.md"]);
        assert!(!there("plots/c.svg") && !there("plots/b.svg") && there("plots/mine.svg"));
    }

    #[test]
    fn an_error_names_the_file() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("plots"), "a file where a folder should be").unwrap();
        let error = Output::new(dir.path()).write("plots/x.svg", "").unwrap_err().to_string();
        assert!(error.contains("plots") && error.contains("harness report"), "{error}");
    }
}

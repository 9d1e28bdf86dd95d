//! Where files go: each is written beside its place and then moved into it, so that it is whole or not there.
//!
//! Nothing is forced to the disk: reports are made from the records, and can be made again.

use std::fs;
use std::io;
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
}

impl Output {
    /// Into `dir`; nothing is made before the first file.
    pub(crate) fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), written: Vec::new() }
    }

    /// Writes the file `name` (with `/` between folders, relative to the directory), replacing it whole.
    pub(crate) fn write(&mut self, name: &str, content: impl AsRef<[u8]>) -> Result<(), ReportError> {
        let path = self.dir.join(name);
        let folder = path.parent().unwrap_or(&self.dir);
        fs::create_dir_all(folder)
            .map_err(|source| ReportError::Write { path: folder.to_owned(), source })?;
        // One run reports at a time into a directory, so a fixed name beside the file is enough, and a
        // temporary file left by a kill is overwritten by the next report.
        let mut temporary = path.clone().into_os_string();
        temporary.push(".part");
        let temporary = PathBuf::from(temporary);
        fs::write(&temporary, content).and_then(|()| fs::rename(&temporary, &path)).map_err(|source| {
            // The half-written file is of no use to anyone; that it could not be removed adds nothing to the
            // error.
            let _ = fs::remove_file(&temporary);
            ReportError::Write { path: path.clone(), source }
        })?;
        self.written.push(path);
        Ok(())
    }

    /// What has been written, in order.
    pub(crate) fn into_written(self) -> Vec<PathBuf> {
        self.written
    }
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
    fn an_error_names_the_file() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("plots"), "a file where a folder should be").unwrap();
        let error = Output::new(dir.path()).write("plots/x.svg", "").unwrap_err().to_string();
        assert!(error.contains("plots") && error.contains("harness report"), "{error}");
    }
}

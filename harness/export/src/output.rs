//! Files in the directory of an export: each is written beside its place and moved into it when it is whole.

use std::fs;
use std::path::{Path, PathBuf};

use crate::ExportError;

/// The directory, and what has been written.
pub(crate) struct Output {
    dir: PathBuf,
    written: Vec<PathBuf>,
}

impl Output {
    /// Makes the directory.
    pub(crate) fn new(dir: &Path) -> Result<Self, ExportError> {
        fs::create_dir_all(dir).map_err(|source| ExportError::Write { path: dir.to_owned(), source })?;
        Ok(Self { dir: dir.to_owned(), written: Vec::new() })
    }

    /// Makes the file `name`: `fill` is given the path beside its place, where nothing is.
    pub(crate) fn file(
        &mut self,
        name: &str,
        fill: impl FnOnce(&Path) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let path = self.dir.join(name);
        let part = self.dir.join(format!("{name}.part"));
        let failed = |source| ExportError::Write { path: path.clone(), source };
        match fs::remove_file(&part) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
            Ok(()) | Err(_) => {}
        }
        let made = fill(&part).and_then(|()| fs::rename(&part, &path).map_err(failed));
        if made.is_err() {
            // The half-written file is of no use to anyone.
            let _ = fs::remove_file(&part);
        }
        made?;
        self.written.push(path);
        Ok(())
    }

    /// Makes the file `name` of `content`.
    pub(crate) fn write(&mut self, name: &str, content: impl AsRef<[u8]>) -> Result<(), ExportError> {
        self.file(name, |part| {
            fs::write(part, content).map_err(|source| ExportError::Write { path: part.to_owned(), source })
        })
    }

    pub(crate) fn into_written(self) -> Vec<PathBuf> {
        self.written
    }
}

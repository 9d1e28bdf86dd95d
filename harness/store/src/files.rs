//! Whole files, replaced in one step: a reader finds the old one or the new one, never a part, whenever the
//! writer is killed.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::error::StoreError;

/// Ends the names of files that are not finished.
pub const TEMPORARY: &str = ".tmp";

/// Writes `dir/name` by way of a temporary file in the same directory: write, sync, rename, sync the
/// directory. When it fails, the old file is untouched and the temporary one is gone.
pub fn replace(
    dir: &Path,
    name: &str,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), StoreError> {
    let target = dir.join(name);
    let temporary = dir.join(format!("{name}{TEMPORARY}"));
    let written = (|| {
        let mut out = BufWriter::new(File::create(&temporary)?);
        write(&mut out)?;
        out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&temporary, &target)
    })();
    if let Err(error) = written {
        let _ = fs::remove_file(&temporary);
        return Err(StoreError::io(&target, "write")(error));
    }
    sync_dir(dir)
}

/// Makes the names in `dir` durable.
pub fn sync_dir(dir: &Path) -> Result<(), StoreError> {
    File::open(dir).and_then(|d| d.sync_all()).map_err(StoreError::io(dir, "sync"))
}

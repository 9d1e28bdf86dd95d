//! Where the child that makes a record may write files: a folder that goes with it.
//!
//! The name follows from the number of the process, so that whoever ends the process can remove what it left,
//! without being told of it. A strategy makes the folder when it needs it, and removes it; the worker removes
//! what a child that was killed has left.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

/// The folder of the process with this number, which need not be there.
pub fn of(process: u32) -> PathBuf {
    std::env::temp_dir().join(format!("harness-scratch-{process}"))
}

/// Removes the folder of the process with this number, if it is there. A link in its place is not followed.
pub fn remove(process: u32) {
    let path = of(process);
    // Mostly there is none, and this is all.
    if fs::symlink_metadata(&path).is_ok_and(|data| data.is_dir()) {
        let _ = fs::remove_dir_all(&path);
    }
}

/// The folder of this process, which is removed with this value.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Makes it anew, for this user alone. One of that name is what an earlier process with this number left.
    ///
    /// # Errors
    ///
    /// When it cannot be made.
    pub fn new() -> io::Result<Self> {
        let path = of(std::process::id());
        let make = || fs::DirBuilder::new().mode(0o700).create(&path);
        match make() {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                remove(std::process::id());
                make()?;
            }
            made => made?,
        }
        Ok(Self { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

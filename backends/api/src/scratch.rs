//! Where the child that makes a record may write files: a folder that goes with it.
//!
//! The name follows from the number of the process, so that whoever ends the process can remove what it left,
//! without being told of it, and from what tells its number from the same one elsewhere: the user, the name
//! space of processes and the boot of the machine, for a folder of temporary files may be shared between
//! them. A strategy makes the folder when it needs it, and removes it; the worker removes what a child that
//! was killed has left.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The folder of the process with this number, which need not be there.
pub fn of(process: u32) -> PathBuf {
    std::env::temp_dir().join(format!("harness-scratch-{:016x}-{process}", place()))
}

/// The user, the name space of processes and the boot of the machine; what the system does not tell is none.
/// A child that is forked has those of its parent.
fn place() -> u64 {
    static PLACE: OnceLock<u64> = OnceLock::new();
    *PLACE.get_or_init(|| {
        let mut hasher = DefaultHasher::new();
        fs::metadata("/proc/self").ok().map(|data| data.uid()).hash(&mut hasher);
        fs::read_link("/proc/self/ns/pid").ok().hash(&mut hasher);
        fs::read("/proc/sys/kernel/random/boot_id").ok().hash(&mut hasher);
        hasher.finish()
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_goes_with_its_process_and_is_nobody_elses() {
        let pid = std::process::id();
        // As a process with this number in another container has it, which shares the temporary files.
        let others = std::env::temp_dir().join(format!("harness-scratch-{pid}"));
        let _ = fs::create_dir(&others);
        let scratch = Scratch::new().unwrap();
        assert_eq!((scratch.path(), others.is_dir()), (of(pid).as_path(), true));
        fs::remove_dir(&others).unwrap();
        // What an earlier process with this number left is replaced.
        fs::write(scratch.path().join("left"), "").unwrap();
        std::mem::forget(scratch);
        let again = Scratch::new().unwrap();
        assert_eq!(fs::read_dir(again.path()).unwrap().count(), 0);
        drop(again);
        assert!(!of(pid).exists() && of(pid) != of(pid + 1));
    }
}

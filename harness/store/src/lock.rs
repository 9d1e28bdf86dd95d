//! The lock on a run's directory: advisory, held by an open file, so that it is gone with its process however
//! that ends. The file stays; only the lock on it matters.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::Path;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::error::StoreError;

/// Holds the lock until dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of the directory `dir` through its file `name`, or says who has it. Never waits.
    pub fn take(dir: &Path, name: &str) -> Result<Self, StoreError> {
        let path = dir.join(name);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(StoreError::io(&path, "open"))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => {
                let mut text = String::new();
                // Who it is only makes the message better.
                let holder = file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
                return Err(StoreError::Locked { path: dir.to_owned(), holder });
            }
            Err(error) => return Err(StoreError::io(&path, "lock")(error.into())),
        }
        // A full disk must not keep anybody from resuming or reading: the number is a courtesy.
        let _ = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(Self { _file: file })
    }
}

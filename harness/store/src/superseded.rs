//! Records that were made again on purpose: the old ones stay in `records.jsonl`, and are marked here.
//!
//! Every line of a key is marked: of several lines, the first one without a mark counts. A mark names the
//! line of the old record and its key; a mark of another line than its key is on says nothing. Marks are
//! written before the records are made again, so that a kill in between leaves records that are missing,
//! which the run makes when it is taken up again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, ErrorKind};
use std::path::Path;

use harness_model::record::RunKey;
use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::lines::Lines;
use crate::log::Log;

/// Marks a record that does not count any more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Superseded {
    /// Where it is in `records.jsonl`, from 1.
    pub line: u64,
    /// Of which run it is.
    pub key: RunKey,
    /// Why it was made again.
    pub why: String,
    /// When that was asked for, in seconds since 1970.
    pub marked_unix_s: f64,
}

/// The marks in the file `path`; none where there is none. Lines that cannot be read are passed over: the
/// record stands then.
pub(crate) fn read(path: &Path) -> Result<Vec<Superseded>, StoreError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io(path, "open")(error)),
    };
    let mut lines = Lines::<_, Superseded>::new(BufReader::new(file));
    let mut marks = Vec::new();
    while let Some((_, line)) = lines.next_line().map_err(StoreError::io(path, "read"))? {
        marks.extend(line.ok());
    }
    Ok(marks)
}

/// The keys of marks by line.
pub(crate) fn by_line(marks: Vec<Superseded>) -> HashMap<u64, RunKey> {
    marks.into_iter().map(|mark| (mark.line, mark.key)).collect()
}

/// Appends marks, for good once this returns.
pub(crate) fn append(path: &Path, marks: &[Superseded]) -> Result<(), StoreError> {
    let whole = match File::open(path) {
        Ok(file) => {
            let mut lines = Lines::<_, Superseded>::new(BufReader::new(file));
            while lines.next_line().map_err(StoreError::io(path, "read"))?.is_some() {}
            lines.whole()
        }
        Err(error) if error.kind() == ErrorKind::NotFound => 0,
        Err(error) => return Err(StoreError::io(path, "open")(error)),
    };
    let file =
        OpenOptions::new().create(true).append(true).open(path).map_err(StoreError::io(path, "open"))?;
    file.set_len(whole).map_err(StoreError::io(path, "cut the unfinished last line off"))?;
    let mut log = Log::new(file, whole);
    for mark in marks {
        log.append(mark).map_err(StoreError::io(path, "write"))?;
    }
    log.sync().map_err(StoreError::io(path, "sync"))
}

//! How far a run is, at a glance: its head, and how many records it has.
//!
//! Only the keys of records are read, and neither tasks nor marks are held against the plan: what counts in
//! the end is said by those who read the records. Takes no lock.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;

use harness_model::record::{RecordVersion, RunKey};
use harness_model::run::RunInfo;
use serde::Deserialize;

use crate::error::StoreError;
use crate::keys::Keys;
use crate::lines::{Lines, explain};
use crate::reader::read_info;
use crate::{RECORDS_FILE, SUPERSEDED_FILE, superseded};

/// How far a run is.
#[derive(Clone, Debug, PartialEq)]
pub struct Glance {
    /// The head of the run.
    pub info: RunInfo,
    /// How many records there are: lines that can be read, each key once, without those that are marked as
    /// made again.
    pub made: u64,
}

/// What is read of a record.
#[derive(Deserialize)]
struct Keyed {
    version: RecordVersion,
    task: String,
    strategy: String,
    repeat: u32,
}

/// Looks into the directory `dir`; `None` where no run has begun in it. Linear in the size of its records,
/// with some 40 bytes of memory each.
pub fn glance(dir: &Path) -> Result<Option<Glance>, StoreError> {
    let Some(info) = read_info(dir)? else { return Ok(None) };
    let path = dir.join(RECORDS_FILE);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Some(Glance { info, made: 0 })),
        Err(error) => return Err(StoreError::io(&path, "open")(error)),
    };
    let marks = superseded::by_line(superseded::read(&dir.join(SUPERSEDED_FILE))?);
    let mut lines = Lines::with_reader(BufReader::new(file), |bytes| {
        let Keyed { version, task, strategy, repeat } =
            serde_json::from_slice(bytes).map_err(|error| explain(&error))?;
        version.check().map(|()| RunKey { task, strategy, repeat })
    });
    let (mut keys, mut made) = (Keys::default(), 0);
    while let Some((line, key)) = lines.next_line().map_err(StoreError::io(&path, "read"))? {
        if let Ok(key) = key
            && marks.get(&line) != Some(&key)
            && keys.insert(&key)
        {
            made += 1;
        }
    }
    Ok(Some(Glance { info, made }))
}

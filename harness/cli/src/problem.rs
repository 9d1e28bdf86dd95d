//! Problem files as the commands on single problems take them.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use anyhow::Context as _;
use harness_smtlib::{ErrorKind, ReadError};
use harness_theory::Script;

use crate::exit::Exit;
use crate::{out, reply};

/// A script with its text.
pub struct ProblemFile {
    /// As read. One that is not UTF-8, which a legal script is in comments only, is taken for Latin-1.
    pub text: String,
    /// What it asks; offsets in it are those of `text`.
    pub script: Script,
}

/// Reads `path`, or standard input for `-`.
pub fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
        return Ok(bytes);
    }
    fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))
}

/// Reads the script in `path`. What cannot be read of it is printed as SMT solvers do, and gives the exit
/// status. What says that it is a path tree must be one.
pub fn read(path: &Path) -> anyhow::Result<Result<ProblemFile, Exit>> {
    match parse(bytes(path)?) {
        Ok(file) => Ok(Ok(file)),
        Err(error) => refused(&error).map(Err),
    }
}

fn parse(bytes: Vec<u8>) -> Result<ProblemFile, ReadError> {
    let mut script = harness_smtlib::read(&bytes)?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let text: String = error.into_bytes().into_iter().map(char::from).collect();
            // Legal as it was: only comments have changed, and with them places.
            script = harness_smtlib::read(text.as_bytes())?;
            text
        }
    };
    harness_smtlib::tree::read(text.as_bytes())?;
    Ok(ProblemFile { text, script })
}

/// An illegal script is an error; of a legal one that uses what is not built here, nothing is known.
fn refused(error: &ReadError) -> anyhow::Result<Exit> {
    match error.kind {
        ErrorKind::Illegal => {
            out::print(reply::error(&error.to_string()))?;
            Ok(Exit::Input)
        }
        ErrorKind::Unsupported => {
            out::print(reply::unknown(&reply::Reason::Unsupported(error.to_string())))?;
            Ok(Exit::Fine)
        }
    }
}

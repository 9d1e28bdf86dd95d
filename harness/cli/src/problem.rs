//! Problem files as the commands on single problems take them.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use anyhow::{Context as _, bail};
use harness_model::Alphabet;
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
        return harness_files::within(io::stdin().lock(), harness_files::PROBLEM.bytes)
            .context("cannot read standard input");
    }
    harness_files::read(path, harness_files::PROBLEM)
        .with_context(|| format!("{}: cannot be read", path.display()))
}

/// The name of a file in messages.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// The end of a message about a text that is no script, where it begins as none does.
fn other_kind(text: &[u8]) -> &'static str {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'(' | b';') | None => "",
        Some(_) => {
            " (no SMT-LIB script begins like this: files of DPRLE end in .dprle, of HAMPI in .hmp, grammars in .cfg, or \
             'harness solve' is told --format)"
        }
    }
}

/// How the text of a script is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// The characters of its strings.
    pub alphabet: Alphabet,
    /// Whether its literals may hold characters as UTF-8.
    pub utf8: bool,
}

impl Text {
    /// As SMT-LIB has it.
    pub const fn of(alphabet: Alphabet) -> Self {
        Self { alphabet, utf8: false }
    }
}

/// What a command makes of a legal script that uses what is not supported here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// It answers `unknown` as SMT solvers do, and ends with this status.
    Unknown(Exit),
    /// It has nothing to write: an error.
    Error,
}

/// So much of a text is looked at to tell what it is.
const BEGINNING: usize = 4096;

/// Reads the script in `path`. One that is not legal is an error, printed as SMT solvers do, and gives the
/// exit status. What says that it is a path tree must be one.
pub fn read(path: &Path, how: Text, unsupported: Unsupported) -> anyhow::Result<Result<ProblemFile, Exit>> {
    let mut text = bytes(path)?;
    if how.utf8
        && let Ok(written) = str::from_utf8(&text)
        && let Cow::Owned(escaped) = harness_smtlib::utf8::escaped(written)
    {
        text = escaped.into_bytes();
    }
    let start: Vec<u8> = text.iter().copied().take(BEGINNING).collect();
    let error = match parse(text, how.alphabet) {
        Ok(file) => return Ok(Ok(file)),
        Err(error) => error,
    };
    match (error.kind, unsupported) {
        (ErrorKind::Illegal, _) => {
            let way_out = if error.message.contains("outside printable ASCII") && !how.utf8 {
                ", or say --utf8"
            } else {
                other_kind(&start)
            };
            out::print(reply::error(&format!("{}: {error}{way_out}", name(path))))?;
            Ok(Err(Exit::Input))
        }
        (ErrorKind::Unsupported, Unsupported::Unknown(exit)) => {
            out::print(reply::unknown(&reply::Reason::Unsupported(error.to_string())))?;
            Ok(Err(exit))
        }
        (ErrorKind::Unsupported, Unsupported::Error) => bail!("{}: {error}", path.display()),
    }
}

/// Reads the bytes of a script.
pub fn parse(mut bytes: Vec<u8>, alphabet: Alphabet) -> Result<ProblemFile, ReadError> {
    // A byte order mark does no harm.
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..3);
    }
    let mut script = harness_smtlib::read_in(&bytes, alphabet)?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let text: String = error.into_bytes().into_iter().map(char::from).collect();
            // Legal as it was: only comments have changed, and with them places.
            script = harness_smtlib::read_in(text.as_bytes(), alphabet)?;
            text
        }
    };
    harness_smtlib::tree::read(text.as_bytes())?;
    Ok(ProblemFile { text, script })
}

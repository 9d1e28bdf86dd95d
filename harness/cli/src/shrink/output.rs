//! The files that `harness shrink` is asked to write.
//!
//! Looked at before the search, so that none is in vain: there has to be room for a result, and it takes the
//! place of nothing that is read. Two of a pair's three files are not named by anybody, so that they take the
//! place only of files that carry the mark of an earlier result. In the end all files are written beside
//! their places first, and put there once all of them are whole.

use std::fs::{self, OpenOptions, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use harness_model::{Question, QuestionKind};
use tempfile::NamedTempFile;

use super::{is_config, result};
use crate::regress::outputs;

/// How the files of a pair begin, behind the sign of a comment.
pub const MARK: &str = "Made smaller by 'harness shrink'.";

/// The files of a pair of expressions.
pub struct Pair {
    /// The configuration.
    pub config: PathBuf,
    /// The expressions.
    pub expressions: PathBuf,
    /// The same question as a script.
    pub script: PathBuf,
}

impl Pair {
    /// Of a configuration at `config`.
    pub fn of(config: &Path) -> Self {
        let beside = |end: &str| config.with_extension(end);
        Self { config: config.to_owned(), expressions: beside("txt"), script: beside("smt2") }
    }
}

/// Refuses a file for the smaller `question` that cannot be written, or takes the place of something else,
/// such as what was `read`. Changes nothing.
pub fn check(out: &Path, question: &Question, read: &[PathBuf]) -> anyhow::Result<()> {
    match &question.kind {
        QuestionKind::Script(_) | QuestionKind::System(_) | QuestionKind::Grammars(_) => {
            if is_config(out) {
                bail!(
                    "{}: the result is a script, which is taken for a configuration under this name: name a file that ends in .smt2",
                    out.display()
                );
            }
            place(out)?;
            outputs::check_content(out, read, "nobody", &|_| true)
        }
        QuestionKind::Operations(asked) => {
            if !is_config(out) || out.file_name().is_none_or(|name| name.to_str().is_none()) {
                bail!(
                    "{}: the name of the configuration must be UTF-8 and end in .yaml, for its expressions are in files that end in .txt \
                     and .smt2",
                    out.display()
                );
            }
            result::dialect(asked)?;
            let Pair { config, expressions, script } = Pair::of(out);
            for file in [config, expressions, script] {
                place(&file)?;
                outputs::check_content(&file, read, "no call of 'harness shrink'", &is_marked)?;
            }
            Ok(())
        }
    }
}

fn is_marked(bytes: &[u8]) -> bool {
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let first = String::from_utf8_lossy(first);
    ["# ", "; "].iter().any(|sign| first.strip_prefix(sign) == Some(MARK))
}

/// Refuses a place where no file can be written.
fn place(file: &Path) -> anyhow::Result<()> {
    outputs::check_place(file, None)?;
    let place = outputs::place(file);
    let folder = match place.parent() {
        Some(folder) if file != Path::new("-") => folder,
        _ => bail!("{}: is no name of a file; without --out, the result is printed", file.display()),
    };
    if !folder.is_dir() {
        bail!(
            "{}: there is no folder {}; make it, or name another file with --out",
            file.display(),
            folder.display()
        );
    }
    let refused = || format!("{}: cannot be written; name another file with --out", file.display());
    if let Ok(found) = fs::metadata(&place) {
        if !found.is_file() {
            bail!(
                "{}: is a folder or a device; name a file with --out, or leave it out for standard output",
                file.display()
            );
        }
        OpenOptions::new().append(true).open(&place).with_context(refused)?;
    }
    beside(&place).with_context(refused)?;
    Ok(())
}

/// A file that takes the place of another one later; it goes where it does not.
fn beside(place: &Path) -> std::io::Result<NamedTempFile> {
    let folder = place.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".harness-shrink-").permissions(Permissions::from_mode(0o666)).tempfile_in(folder)
}

/// Writes files: all of them, or none but where one cannot take its place in the end.
pub fn save(files: &[(&Path, &str)]) -> anyhow::Result<()> {
    let failed = |file: &Path| format!("{}: cannot be written", file.display());
    let mut written = Vec::new();
    for (file, text) in files {
        let place = outputs::place(file);
        let mut whole = beside(&place).with_context(|| failed(file))?;
        whole.write_all(text.as_bytes()).with_context(|| failed(file))?;
        written.push((file, place, whole));
    }
    for (file, place, whole) in written {
        whole.persist(place).with_context(|| failed(file))?;
    }
    Ok(())
}

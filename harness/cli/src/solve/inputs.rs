//! The files that a command line names: paths, folders, patterns, and `-` for standard input.
//!
//! A path that is there is meant as it is, whatever characters it has. A folder stands for the files below
//! it whose ending is known, in the order of their paths. A file is taken once, where it is named first.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::bail;
use corpora::ScriptFiles;
use harness_model::SystemFormat;

use crate::args::{FileFormat, SolveArgs};

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An SMT-LIB script.
    Script,
    /// Systems of regular constraints.
    System(SystemFormat),
    /// A context-free grammar.
    Grammar,
}

/// A file to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Where it is; `-` is standard input.
    pub path: PathBuf,
    /// What it is written in.
    pub kind: Kind,
}

impl Input {
    /// Its name in messages.
    pub fn name(&self) -> String {
        if self.path == Path::new("-") {
            return "standard input".to_owned();
        }
        self.path.display().to_string()
    }
}

/// The endings of files that a folder stands for, as patterns.
pub const ENDINGS: &[&str] = &["*.smt2", "*.dprle", "*.hmp", "*.cfg"];

/// The files of a command line, at least one.
///
/// # Errors
///
/// When a pattern or a folder has no file in it, or standard input is named twice.
pub fn of(args: &SolveArgs) -> anyhow::Result<Vec<Input>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for named in &args.files {
        if named == Path::new("-") && paths.contains(named) {
            bail!("standard input can be read only once: '-' is there twice");
        }
        for path in expanded(named)? {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    Ok(paths.into_iter().map(|path| Input { kind: kind(&path, args), path }).collect())
}

/// What a path, a folder or a pattern stands for.
fn expanded(named: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let is_folder = named.is_dir();
    let Some(pattern) = named.to_str().filter(|text| is_folder || text.contains(['*', '?', '['])) else {
        return Ok(vec![named.to_owned()]);
    };
    if !is_folder && named.symlink_metadata().is_ok() {
        return Ok(vec![named.to_owned()]);
    }
    let mut files = ScriptFiles::new(Path::new("")).with_endings(ENDINGS);
    files.add(pattern)?;
    Ok(files.files().into_iter().map(|(path, _)| path.to_owned()).collect())
}

fn kind(path: &Path, args: &SolveArgs) -> Kind {
    let of = |format: FileFormat| match format {
        FileFormat::Dprle => Kind::System(SystemFormat::Dprle),
        FileFormat::Hampi => Kind::System(SystemFormat::Hampi),
        FileFormat::Cfg => Kind::Grammar,
        // Memberships alone, where languages are wanted.
        FileFormat::Smtlib if args.solution.is_some() => Kind::System(SystemFormat::Smtlib),
        FileFormat::Smtlib => Kind::Script,
    };
    if let Some(format) = args.format {
        return of(format);
    }
    match path.extension().and_then(OsStr::to_str) {
        Some("dprle") => of(FileFormat::Dprle),
        Some("hmp") => of(FileFormat::Hampi),
        Some("cfg") => of(FileFormat::Cfg),
        Some("smt2") => of(FileFormat::Smtlib),
        _ => Kind::Script,
    }
}

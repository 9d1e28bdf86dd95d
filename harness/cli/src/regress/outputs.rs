//! The files that `harness regress` is asked to write: they take the place of files of earlier comparisons
//! only.
//!
//! Looked at before anything else: a file is refused when it is one that is read or part of a run, or when it
//! has something in it that no comparison wrote. Files of earlier comparisons are removed once all that is
//! read is there and right: where nothing comes of this comparison then, an older one would be taken for it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use harness_files::Limit;
use serde_json::Value;

use crate::args::RegressArgs;
use crate::cmd::regress::same;

/// The last line of a summary in Markdown, by which it is known again; nobody sees it.
pub const MARK: &str = "<!-- harness regress -->\n";

/// Longer files are none of ours.
const LONGEST: Limit = Limit { bytes: 1 << 30, pipe: false };

/// What a file is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Markdown,
    Junit,
    Benchmark,
    Bencher,
    Json,
}

/// The files that are asked for.
fn files(args: &RegressArgs) -> impl Iterator<Item = (Form, &PathBuf)> {
    let asked = [
        (Form::Markdown, &args.markdown),
        (Form::Junit, &args.junit),
        (Form::Benchmark, &args.benchmark),
        (Form::Bencher, &args.bencher),
        (Form::Json, &args.json),
    ];
    asked.into_iter().filter_map(|(form, file)| Some((form, file.as_ref()?)))
}

/// Those of them that are there as files.
fn there(args: &RegressArgs) -> impl Iterator<Item = (Form, &PathBuf)> {
    files(args).filter(|(_, file)| fs::symlink_metadata(file).is_ok_and(|found| found.is_file()))
}

/// Refuses files that take the place of something else. Changes nothing.
pub fn check(args: &RegressArgs) -> anyhow::Result<()> {
    let asked: Vec<&PathBuf> = files(args).map(|(_, file)| file).collect();
    for (number, file) in asked.iter().enumerate() {
        if asked[..number].iter().any(|other| same(other, file) || place(other) == place(file)) {
            bail!("{}: would be written twice: name a file for each", file.display());
        }
        check_place(file, args.out.as_deref())?;
    }
    let read = [Some(&args.config), Some(&args.db), args.against.as_ref(), args.baseline.as_ref()];
    for (form, file) in files(args) {
        check_content(file, read.into_iter().flatten(), "no comparison", &|bytes| is_ours(form, bytes))?;
    }
    Ok(())
}

/// Refuses a file that is a link to nothing or part of a run. `out` is the directory of a run that is to be
/// made.
pub fn check_place(file: &Path, out: Option<&Path>) -> anyhow::Result<()> {
    if file.is_symlink() && !file.exists() {
        bail!("{}: is a link to a file that is not there: name the file itself", file.display());
    }
    if let Some(run) = run_around(file, out) {
        bail!(
            "{}: is a part of the run {}, which only the run itself writes: name another file",
            file.display(),
            run.display()
        );
    }
    Ok(())
}

/// Refuses a file that is there, itself or behind a link, and is one of those that are `read`, or holds what
/// `is_ours` does not know; `nobody` of ours has written that then.
pub fn check_content<'a>(
    file: &Path,
    read: impl IntoIterator<Item = &'a PathBuf>,
    nobody: &str,
    is_ours: &dyn Fn(&[u8]) -> bool,
) -> anyhow::Result<()> {
    if !fs::metadata(file).is_ok_and(|found| found.is_file()) {
        return Ok(());
    }
    if read.into_iter().any(|other| same(file, other)) {
        bail!("{}: would be written over, and is what is read", file.display());
    }
    let bytes = harness_files::read(file, LONGEST)
        .with_context(|| format!("{}: would be written over, and cannot be read", file.display()))?;
    if !bytes.is_empty() && !is_ours(&bytes) {
        bail!(
            "{}: would be written over, and holds something that {nobody} wrote: name another file, or remove it",
            file.display()
        );
    }
    Ok(())
}

/// Removes files of earlier comparisons.
pub fn clear(args: &RegressArgs) -> anyhow::Result<()> {
    for (_, file) in there(args) {
        fs::remove_file(file).with_context(|| {
            format!("{}: cannot be removed, and would be taken for what comes of this", file.display())
        })?;
    }
    Ok(())
}

/// Where a file is or would be, whatever links and folders on the way are called.
pub fn place(file: &Path) -> PathBuf {
    if let Ok(whole) = fs::canonicalize(file) {
        return whole;
    }
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else { return file.to_owned() };
    place(if folder == Path::new("") { Path::new(".") } else { folder }).join(name)
}

/// What a run writes at the top of its directory; the folders there are its own too.
const OF_A_RUN: [&str; 10] = [
    harness_store::RUN_FILE,
    harness_store::TASKS_FILE,
    harness_store::RECORDS_FILE,
    harness_store::CALIBRATION_FILE,
    harness_store::SUPERSEDED_FILE,
    harness_store::LOCK_FILE,
    "results.csv",
    "summary.md",
    "index.html",
    ".reports",
];

/// The run of which a file is or would be a part: one of its own files, or something in one of its folders.
/// `out` is the directory of a run that is to be made.
fn run_around(file: &Path, out: Option<&Path>) -> Option<PathBuf> {
    let (file, out) = (place(file), out.map(place));
    let folder = file.parent()?;
    let is_run = |folder: &&Path| {
        folder.join(harness_store::RUN_FILE).is_file() || out.as_deref().is_some_and(|out| out == *folder)
    };
    let run = folder.ancestors().find(is_run)?;
    let own = run != folder || OF_A_RUN.iter().any(|name| file.file_name().is_some_and(|own| own == *name));
    own.then(|| run.to_owned())
}

/// Whether an earlier comparison may have written this.
fn is_ours(form: Form, bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let json = || serde_json::from_slice::<Value>(bytes).ok();
    match form {
        Form::Markdown => text.ends_with(MARK),
        Form::Junit => text.contains("<testsuites name=\"harness regress"),
        Form::Benchmark => json().is_some_and(|value| {
            let has = |entry: &Value| ["name", "unit", "value"].iter().all(|key| entry.get(key).is_some());
            value.as_array().is_some_and(|entries| !entries.is_empty() && entries.iter().all(has))
        }),
        Form::Bencher => json().is_some_and(|value| {
            value
                .as_object()
                .is_some_and(|rows| !rows.is_empty() && rows.values().all(|row| row.get("solved").is_some()))
        }),
        Form::Json => json().is_some_and(|value| {
            ["baseline", "current", "groups", "decision"].iter().all(|key| value.get(key).is_some())
        }),
    }
}

//! From a recipe to a corpus in the cache: made beside it and renamed, so that a fetch that was killed leaves
//! nothing that counts, and locked, so that two at once do not meet.

use std::fs::{self, File, TryLockError};
use std::path::Path;

use anyhow::{Context as _, anyhow};
use corpora::fetched::{self, FILES, Receipt, Trouble};
use corpora::{Cache, Recipe};

use super::checkout::{self, Checkout};
use crate::out;

/// What became of a fetch.
#[derive(Debug)]
pub enum Outcome {
    /// It was there, and is what was fetched.
    There(Receipt),
    /// It is there now.
    Fetched {
        /// What was fetched.
        receipt: Receipt,
        /// What belongs to the suite by its name and was left out.
        left_out: usize,
    },
}

/// Fetches the recipe's corpus, unless it is there.
///
/// # Errors
///
/// When it cannot be fetched, or is there and not what was fetched, and `again` is not said.
pub fn fetch(cache: &Cache, recipe: &Recipe, accepted: bool, again: bool) -> anyhow::Result<Outcome> {
    let corpora = cache.corpora();
    fs::create_dir_all(&corpora).with_context(|| format!("{}: it cannot be made", corpora.display()))?;
    let _lock = lock(cache, recipe)?;
    remove_unfinished(&corpora, recipe);
    if !again {
        match cache.check(recipe) {
            Ok(receipt) => return Ok(Outcome::There(receipt)),
            Err(Trouble::Absent { .. }) => {}
            Err(trouble) => return Err(trouble.into()),
        }
    }
    out::tell(format_args!("fetching {} from {}", recipe.name, recipe.repository));
    let work = tempfile::Builder::new()
        .prefix(&Cache::unfinished(recipe))
        .tempdir_in(&corpora)
        .with_context(|| format!("{}: no folder can be made in it", corpora.display()))?;
    let found =
        checkout::checkout(recipe, work.path()).map_err(|trouble| anyhow!("{}: {trouble}", recipe.name))?;
    let made = work.path().join("entry");
    move_scripts(&found, &made.join(FILES))?;
    let receipt = fetched::seal(&made, recipe, &found.commit, accepted)
        .with_context(|| format!("{}: the corpus cannot be written", made.display()))?;
    put(&made, &cache.entry(recipe), work.path())?;
    // Only now: what is left in it is of no more use.
    let _ = work.close();
    Ok(Outcome::Fetched { receipt, left_out: found.left_out })
}

/// Waits until nobody else fetches or reads the corpus.
fn lock(cache: &Cache, recipe: &Recipe) -> anyhow::Result<File> {
    let place = cache.lock_file(recipe);
    let cannot = || format!("{}: it cannot be locked", place.display());
    let file = File::options().create(true).truncate(false).write(true).open(&place).with_context(cannot)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            out::tell(format_args!("{}: waiting for another process that fetches or reads it", recipe.name));
            file.lock().with_context(cannot)?;
        }
        Err(TryLockError::Error(error)) => return Err(anyhow!(error).context(cannot())),
    }
    Ok(file)
}

/// Removes what fetches that were killed have left. The caller holds the lock, so nobody is at work there.
fn remove_unfinished(corpora: &Path, recipe: &Recipe) {
    let prefix = Cache::unfinished(recipe);
    let Ok(entries) = fs::read_dir(corpora) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            // It counts for nothing; one that cannot be removed only takes room.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn move_scripts(found: &Checkout, files: &Path) -> anyhow::Result<()> {
    for path in &found.scripts {
        let to = files.join(path);
        let folder = to.parent().unwrap_or(files);
        fs::create_dir_all(folder)
            .and_then(|()| fs::rename(found.folder.join(path), &to))
            .with_context(|| format!("{}: it cannot be written", to.display()))?;
    }
    Ok(())
}

/// Puts what was made into its place, and what was there into `work`, which is removed.
fn put(made: &Path, entry: &Path, work: &Path) -> anyhow::Result<()> {
    let cannot = || format!("{}: it cannot be put in its place", entry.display());
    if entry.symlink_metadata().is_ok() {
        fs::rename(entry, work.join("before")).with_context(cannot)?;
    }
    fs::rename(made, entry).with_context(cannot)
}

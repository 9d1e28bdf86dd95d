//! Which cache, and which recipes: what the command line says, or else the environment.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use corpora::{Cache, CorpusError, Recipes};

/// The folder of the cache.
pub const CACHE: &str = "HARNESS_CACHE";
/// A file of the user's own recipes.
pub const RECIPES: &str = "HARNESS_RECIPES";

/// The cache: `folder`, or what the environment says.
///
/// # Errors
///
/// When nothing says where it is.
pub fn cache(folder: Option<&Path>) -> Result<Cache, String> {
    if let Some(folder) = folder {
        return Ok(Cache::new(folder.to_owned()));
    }
    let folder = chosen(set(CACHE), set("XDG_CACHE_HOME"), set("HOME"));
    folder.map(Cache::new).ok_or_else(|| {
        format!("there is no folder for the cache: neither {CACHE} nor XDG_CACHE_HOME nor HOME is set")
    })
}

/// The recipes that are built in, and those of `file` or of the file that the environment names.
///
/// # Errors
///
/// When that file is no file of recipes.
pub fn recipes(file: Option<&Path>) -> Result<Recipes, CorpusError> {
    let built_in = Recipes::built_in()?;
    match file.map(Path::to_owned).or_else(|| set(RECIPES).map(PathBuf::from)) {
        Some(file) => built_in.with(&file),
        None => Ok(built_in),
    }
}

/// A variable that is set to something.
fn set(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// As the base directories of freedesktop.org have it, a relative `XDG_CACHE_HOME` is none.
fn chosen(own: Option<OsString>, xdg: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let xdg = xdg.map(PathBuf::from).filter(|folder| folder.is_absolute());
    own.map(PathBuf::from)
        .or_else(|| Some(xdg?.join("harness")))
        .or_else(|| Some(PathBuf::from(home?).join(".cache/harness")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_folder_that_is_said_is_the_cache() {
        let some = |text: &str| Some(OsString::from(text));
        for (own, xdg, home, folder) in [
            (some("c"), some("/x"), some("/h"), Some("c")),
            (None, some("/x"), some("/h"), Some("/x/harness")),
            (None, some("x"), some("/h"), Some("/h/.cache/harness")),
            (None, None, some("/h"), Some("/h/.cache/harness")),
            (None, None, None, None),
        ] {
            assert_eq!(chosen(own, xdg, home), folder.map(PathBuf::from));
        }
    }
}

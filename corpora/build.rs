//! Makes the table of the corpora of scripts from `corpora/manifest.csv`, with every text linked into the
//! program.
//!
//! A row names a corpus, its folder (from the root of the repository), the alphabets in which its answers are
//! known, its scripts, and a line about it. The column `scripts` is empty for all scripts of the folder in
//! order of name, or lists names, or names with `-` in front: all but these.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Why there is no table: a message for the person who edited the manifest.
type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let crate_folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let root = crate_folder.parent().ok_or("the crate has no parent folder")?;
    let manifest = crate_folder.join("manifest.csv");
    println!("cargo::rerun-if-changed={}", manifest.display());

    let mut table = String::from("/// The corpora of scripts, in the order of `corpora/manifest.csv`.\n");
    table.push_str("pub(crate) const COLLECTIONS: &[Collection] = &[\n");
    for (index, row) in csv::Reader::from_path(&manifest)?.records().enumerate() {
        let collection = collection(root, &row?)
            .map_err(|error| format!("{}, line {}: {error}", manifest.display(), index + 2))?;
        table.push_str(&collection);
    }
    table.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("collections.rs"), table)?;
    Ok(())
}

/// The entry of the table for one row of the manifest.
fn collection(root: &Path, row: &csv::StringRecord) -> Result<String, Error> {
    let columns: Vec<&str> = row.iter().collect();
    let [name, folder, alphabets, chosen, summary] = columns[..] else {
        return Err(format!("expected 5 columns, found {}", columns.len()).into());
    };
    let alphabets = match alphabets {
        "all" => "&Alphabet::ALL",
        "unicode" => "&[Alphabet::Unicode]",
        other => return Err(format!("expected the alphabets 'all' or 'unicode', found '{other}'").into()),
    };
    let folder = root.join(folder);
    println!("cargo::rerun-if-changed={}", folder.display());
    let names = scripts(&folder)?;
    let mut entry = format!(
        "Collection {{ name: {name:?}, summary: {summary:?}, alphabets: {alphabets}, \
         expected: include_str!({:?}), scripts: &[\n",
        folder.join("expected.csv"),
    );
    for script in choose(&names, chosen)? {
        let file = folder.join(format!("{script}.smt2"));
        writeln!(entry, "    Script {{ name: {script:?}, bytes: include_bytes!({file:?}) }},")?;
    }
    entry.push_str("] },\n");
    Ok(entry)
}

/// The names of the folder's scripts, without the ending.
fn scripts(folder: &Path) -> Result<BTreeSet<String>, Error> {
    let mut names = BTreeSet::new();
    for file in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        if let Some(name) = file?.file_name().to_str().and_then(|name| name.strip_suffix(".smt2")) {
            names.insert(name.to_owned());
        }
    }
    Ok(names)
}

/// The scripts that the column `scripts` asks for, in its order.
fn choose<'a>(names: &'a BTreeSet<String>, chosen: &'a str) -> Result<Vec<&'a str>, Error> {
    let mut left_out = BTreeSet::new();
    let mut listed = Vec::new();
    for word in chosen.split_whitespace() {
        let name = word.strip_prefix('-').unwrap_or(word);
        if !names.contains(name) {
            return Err(format!("the folder has no script '{name}.smt2'").into());
        }
        if word.starts_with('-') {
            left_out.insert(name);
        } else {
            listed.push(name);
        }
    }
    match (listed.is_empty(), left_out.is_empty()) {
        (true, _) => Ok(names.iter().map(String::as_str).filter(|name| !left_out.contains(name)).collect()),
        (false, true) => Ok(listed),
        (false, false) => Err("the scripts are either listed or left out, not both".into()),
    }
}

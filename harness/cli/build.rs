//! Tells the program where Z3's library is, which compiler built it, and from which commit.
//!
//! `.cargo/config.toml` sets a run path relative to the program, which serves inside the workspace. A program
//! that `cargo install` copies elsewhere needs the absolute one as well. One that is packed with its library
//! (`scripts/bundle.sh`, by the variable `HARNESS_BUNDLE`) finds it in the folder `lib` beside its own, and
//! has no path of the machine that built it.

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// The folders and files that the program is made of, from this one; when one changes, so may the commit, or
/// whether there are changes since.
const MADE_OF: [&str; 8] = [
    "../../harness",
    "../../backends",
    "../../generators",
    "../../corpora",
    "../../reports",
    "../../configs",
    "../../Cargo.toml",
    "../../Cargo.lock",
];

/// What git says of this folder; nothing outside a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// The commit, with `-dirty` where files have changed since; `unknown` outside a repository.
fn commit() -> String {
    let Some(commit) = git(&["rev-parse", "HEAD"]) else { return "unknown".to_owned() };
    for watched in ["HEAD", "logs/HEAD"] {
        if let Some(file) = git(&["rev-parse", "--git-path", watched]) {
            println!("cargo::rerun-if-changed={file}");
        }
    }
    for part in MADE_OF {
        println!("cargo::rerun-if-changed={part}");
    }
    match git(&["status", "--porcelain", "--untracked-files=no"]) {
        Some(changes) if changes.is_empty() => commit,
        _ => format!("{commit}-dirty"),
    }
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok().filter(|output| output.status.success());
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo::rustc-env=HARNESS_RUSTC={}", version.as_deref().map_or("unknown", str::trim));
    println!("cargo::rustc-env=HARNESS_COMMIT={}", commit());
    println!("cargo::rustc-env=HARNESS_PROFILE={}", env::var("PROFILE").unwrap_or_default());
    let linux = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux");
    println!("cargo::rerun-if-env-changed=HARNESS_BUNDLE");
    if linux && env::var_os("HARNESS_BUNDLE").is_some() {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,$ORIGIN/../lib");
    } else if let (true, Some(_), Some(here)) =
        (linux, env::var_os("CARGO_FEATURE_Z3"), env::var_os("CARGO_MANIFEST_DIR"))
    {
        let library = PathBuf::from(here).join("../../.z3/lib");
        if let Ok(library) = library.canonicalize() {
            println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{}", library.display());
        }
    }
}

//! Tells the program where Z3's library is and which compiler built it.
//!
//! `.cargo/config.toml` sets a run path relative to the program, which serves inside the workspace. A program that
//! `cargo install` copies elsewhere needs the absolute one as well.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok().filter(|output| output.status.success());
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo::rustc-env=HARNESS_RUSTC={}", version.as_deref().map_or("unknown", str::trim));
    println!("cargo::rustc-env=HARNESS_PROFILE={}", env::var("PROFILE").unwrap_or_default());
    let linux = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux");
    if let (true, Some(_), Some(here)) =
        (linux, env::var_os("CARGO_FEATURE_Z3"), env::var_os("CARGO_MANIFEST_DIR"))
    {
        let library = PathBuf::from(here).join("../../.z3/lib");
        if let Ok(library) = library.canonicalize() {
            println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{}", library.display());
        }
    }
}

//! The committed JSON schema of configurations is the one that the program prints.

use std::fs;
use std::path::Path;

use crate::{expect, harness, stdout};

/// Only of a build with all strategies: the committed schema names them all.
#[test]
#[cfg_attr(not(all(feature = "z3", feature = "peers")), ignore = "needs the features 'z3' and 'peers'")]
fn the_committed_schema_is_the_one_of_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let output = harness(dir.path(), &["list", "schema"]);
    expect(&output, 0);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/schema.json");
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        stdout(&output) == committed,
        "configs/schema.json is out of date: cargo run --features peers -- list schema > configs/schema.json"
    );
}

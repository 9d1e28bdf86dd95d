//! The table of Java's operations in FORMATS.md has exactly those that the theory has.

use harness_theory::op::JavaOp;

#[test]
fn the_table_of_formats_names_every_java_operation_once() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../FORMATS.md")).unwrap();
    let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let names = cells.filter(|cell| cell.starts_with("`java.")).flat_map(|cell| cell.split(", "));
    let mut written: Vec<&str> = names.map(|name| name.trim_matches('`')).collect();
    let mut known: Vec<&str> = JavaOp::ALL.iter().map(|op| op.name()).collect();
    written.sort_unstable();
    known.sort_unstable();
    assert_eq!(written, known, "left: FORMATS.md; right: harness/theory/src/op/java.rs");
}

//! Records in the formats of other tools.

use std::fs;

use crate::{expect, harness, small, stderr, stdout};

#[test]
fn every_format_is_written_beside_the_run_or_elsewhere() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), small("[sfa-ranges-lazy, classes-lazy]")).unwrap();
    expect(&harness(dir.path(), &["compare", "a.yaml", "--out", "run", "--no-progress"]), 0);
    for (format, files) in [
        ("csv", &["records.csv", "tasks.csv", "strategies.csv"][..]),
        ("parquet", &["records.parquet", "tasks.parquet", "strategies.parquet"]),
        ("sqlite", &["run.sqlite"]),
        ("benchexec", &["small.sfa-ranges-lazy.results.xml", "small.classes-lazy.results.xml"]),
        ("smtcomp", &["results.json"]),
    ] {
        let output = harness(dir.path(), &["export", "--format", format, "run"]);
        expect(&output, 0);
        let listed: Vec<String> = stdout(&output).lines().map(str::to_owned).collect();
        for file in files {
            let path = format!("run/export/{file}");
            assert!(dir.path().join(&path).is_file() && listed.contains(&path), "{path}: {listed:?}");
        }
        assert_eq!(listed.len(), files.len());
    }
    let text = |path: &str| fs::read_to_string(dir.path().join(path)).unwrap();
    assert_eq!(text("run/export/records.csv"), text("run/results.csv"));

    let output = harness(dir.path(), &["export", "--format", "smtcomp", "run", "--out", "elsewhere"]);
    expect(&output, 0);
    assert!(stderr(&output).contains("tasks that are no scripts"), "{}", stderr(&output));
    assert_eq!(text("elsewhere/results.json"), text("run/export/results.json"));

    // The folder is nobody's business: the run is reported and resumed as before.
    expect(&harness(dir.path(), &["compare", "a.yaml", "--out", "run", "--no-progress"]), 0);
    let output = harness(dir.path(), &["export", "--format", "csv", "nowhere"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("nowhere"), "{}", stderr(&output));
}

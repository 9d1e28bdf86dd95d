//! Two runs in one page.

use std::fs;

use crate::{expect, harness, small, stderr};

#[test]
fn two_runs_are_in_one_page_when_they_may_be_compared() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), small("[sfa-ranges-lazy, classes-lazy]")).unwrap();
    for out in ["before", "now"] {
        expect(&harness(dir.path(), &["compare", "a.yaml", "--out", out, "--no-progress"]), 0);
    }
    let page = || fs::read_to_string(dir.path().join("now/index.html")).unwrap();
    assert!(!page().contains("block-against"));
    expect(&harness(dir.path(), &["report", "now", "--against", "before"]), 0);
    assert!(page().contains("block-against"));
    // The next report is of one run again.
    expect(&harness(dir.path(), &["report", "now"]), 0);
    let alone = page();
    assert!(!alone.contains("block-against"));

    let head = dir.path().join("before/run.json");
    let mut info: serde_json::Value = serde_json::from_str(&fs::read_to_string(&head).unwrap()).unwrap();
    info["machine"]["cpu"] = "Another <b>processor</b>".into();
    fs::write(&head, info.to_string()).unwrap();
    let output = harness(dir.path(), &["report", "now", "--against", "before"]);
    expect(&output, 40);
    assert!(stderr(&output).contains("machine: 'Another <b>processor</b>'"), "{}", stderr(&output));
    assert_eq!(page(), alone, "no report was made");
    expect(&harness(dir.path(), &["report", "now", "--against", "before", "--allow", "machine"]), 0);
    assert!(page().contains("Another &lt;b&gt;processor&lt;/b&gt;"));

    expect(&harness(dir.path(), &["report", "now", "--against", "nowhere"]), 2);
}

#[test]
fn runs_without_a_common_task_say_so() {
    let dir = tempfile::tempdir().unwrap();
    let text = small("[sfa-ranges-lazy]");
    fs::write(dir.path().join("a.yaml"), &text).unwrap();
    fs::write(dir.path().join("b.yaml"), text.replace("A3, A4", "A5")).unwrap();
    for name in ["a", "b"] {
        let config = format!("{name}.yaml");
        expect(&harness(dir.path(), &["compare", &config, "--out", name, "--no-progress"]), 0);
    }
    let output = harness(dir.path(), &["report", "a", "--against", "b"]);
    expect(&output, 0);
    assert!(stderr(&output).contains("note: a and b have no task in common"), "{}", stderr(&output));
}

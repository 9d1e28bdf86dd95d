//! Runs in shards, and what they make together.

use std::fs;
use std::path::Path;

use crate::{expect, harness, planned, records, results, small, stderr, stdout, verdicts};

const STRATEGIES: &str = "[sfa-ranges-lazy, classes-lazy, sfa-bdd-lazy]";

fn shard(dir: &Path, shard: &str, out: &str) {
    let args = ["compare", "a.yaml", "--shard", shard, "--out", out, "--no-progress"];
    expect(&harness(dir, &args), 0);
}

/// A study, and its three shards in directories of their own.
fn three() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), small(STRATEGIES)).unwrap();
    for (index, out) in [(1, "one"), (2, "two"), (3, "three")] {
        shard(dir.path(), &format!("{index}/3"), out);
    }
    dir
}

#[test]
fn shards_together_are_the_run_on_one_machine() {
    let dir = three();
    let at = |name: &str| dir.path().join(name);
    expect(&harness(dir.path(), &["compare", "a.yaml", "--out", "all", "--no-progress"]), 0);
    let parts = ["one", "two", "three"].map(|name| planned(&at(name)));
    assert!(parts.iter().all(|part| *part > 0), "{parts:?}");
    assert_eq!(parts.iter().sum::<usize>(), planned(&at("all")));

    let before = ["one", "two", "three"].map(|name| fs::read(at(name).join("records.jsonl")).unwrap());
    let output = harness(dir.path(), &["merge", "three", "one", "two", "--out", "whole"]);
    expect(&output, 0);
    assert_eq!(verdicts(&at("whole")), verdicts(&at("all")));
    let after = ["one", "two", "three"].map(|name| fs::read(at(name).join("records.jsonl")).unwrap());
    assert!(before == after, "shards are only read");
    assert!(stdout(&output).contains("put together from three (shard 3/3)"), "{}", stdout(&output));

    // Again: nothing is new, nothing is there twice.
    expect(&harness(dir.path(), &["merge", "one", "two", "three", "--out", "whole"]), 0);
    assert_eq!(records(&at("whole")).len(), planned(&at("whole")));
}

#[test]
fn a_shard_is_told_as_such_and_kept_apart_from_others() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), small(STRATEGIES)).unwrap();
    let args = ["compare", "a.yaml", "--shard", "1/3", "--out", "one", "--no-progress"];
    let output = harness(dir.path(), &args);
    expect(&output, 0);
    assert!(stdout(&output).contains("this is shard 1/3 of the plan"), "{}", stdout(&output));
    for other in [&["--shard", "2/3"][..], &[]] {
        let args = [&["compare", "a.yaml", "--out", "one", "--no-progress"], other].concat();
        let output = harness(dir.path(), &args);
        expect(&output, 2);
        assert!(stderr(&output).contains("shard: 1/3 then"), "{}", stderr(&output));
    }
    let output = harness(dir.path(), &["compare", "a.yaml", "--shard", "4/3", "--out", "x"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("there is no shard 4/3"), "{}", stderr(&output));
}

#[test]
fn a_missing_shard_is_a_gap_that_is_filled_later() {
    let dir = three();
    let output = harness(dir.path(), &["merge", "one", "three", "--out", "whole"]);
    expect(&output, 30);
    let missing = planned(&dir.path().join("two"));
    let told = format!("shard 2/3 is missing, with {missing} records");
    assert!(stderr(&output).contains(&told), "{}", stderr(&output));
    assert!(stdout(&output).contains("Incomplete"), "{}", stdout(&output));

    expect(&harness(dir.path(), &["merge", "one", "three", "two", "--out", "whole"]), 0);
    assert_eq!(results(&dir.path().join("whole")).len(), planned(&dir.path().join("whole")));
}

#[test]
fn a_shard_that_is_there_twice_counts_once_or_is_an_error() {
    let dir = three();
    let copy = dir.path().join("copy");
    fs::create_dir(&copy).unwrap();
    for file in ["run.json", "tasks.jsonl", "records.jsonl"] {
        fs::copy(dir.path().join("two").join(file), copy.join(file)).unwrap();
    }
    let output = harness(dir.path(), &["merge", "one", "two", "three", "copy", "--out", "whole"]);
    expect(&output, 0);
    for told in ["shard 2/3 is there 2 times: two, copy", "there already, with the same content"] {
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
    assert_eq!(records(&dir.path().join("whole")).len(), planned(&dir.path().join("whole")));

    // The same shard, run a second time: other times, so two measurements of one thing.
    shard(dir.path(), "2/3", "again");
    let output = harness(dir.path(), &["merge", "one", "two", "three", "again", "--out", "other"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("made twice, with different results"), "{}", stderr(&output));
    assert!(!dir.path().join("other").exists(), "nothing is written");
    let output = harness(dir.path(), &["merge", "one", "again", "three", "--out", "whole"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("in whole and again"), "{}", stderr(&output));

    let output = harness(dir.path(), &["merge", "one", "./one", "--out", "x"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("is the same directory"), "{}", stderr(&output));
    let output = harness(dir.path(), &["merge", "one", "two", "--out", "two"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("is merged and written to"), "{}", stderr(&output));
}

#[test]
fn records_that_were_cut_off_are_missing_and_told() {
    let dir = three();
    let file = dir.path().join("two/records.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, &text[..text.len() - 40]).unwrap();
    let output = harness(dir.path(), &["merge", "one", "two", "three", "--out", "whole"]);
    expect(&output, 30);
    for told in ["two: records.jsonl: line", "two: 1 of its"] {
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
    // The shard goes on where it stopped, and then nothing is missing.
    shard(dir.path(), "2/3", "two");
    expect(&harness(dir.path(), &["merge", "one", "two", "three", "--out", "whole"]), 0);
}

#[test]
fn runs_that_may_not_stand_together_are_refused() {
    let dir = three();
    let refused = |args: &[&str], told: &str| {
        let output = harness(dir.path(), args);
        expect(&output, 40);
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
        assert!(!dir.path().join("whole").exists());
    };
    let limits = small(STRATEGIES).replace("wall: 10s", "wall: 9s");
    fs::write(dir.path().join("a.yaml"), limits).unwrap();
    shard(dir.path(), "3/3", "limits");
    refused(&["merge", "one", "two", "limits", "--out", "whole"], "wall limit: 10s then, 9s now");
    fs::write(dir.path().join("a.yaml"), small("[sfa-ranges-lazy, classes-lazy]")).unwrap();
    shard(dir.path(), "3/3", "config");
    refused(&["merge", "one", "two", "config", "--out", "whole"], "strategies only then: sfa-bdd-lazy");

    let head = dir.path().join("three/run.json");
    let text = fs::read_to_string(&head).unwrap();
    let mut info: serde_json::Value = serde_json::from_str(&text).unwrap();
    info["machine"]["cpu"] = "Another processor".into();
    info["versions"]["program"] = "0000".into();
    fs::write(&head, info.to_string()).unwrap();
    let all = ["merge", "one", "two", "three", "--out", "whole"];
    refused(&all, "'Another processor' now");
    refused(&[&all[..], &["--allow", "machine"]].concat(), "program:");
    let allowed = [&all[..], &["--allow", "machine,program"]].concat();
    let output = harness(dir.path(), &allowed);
    expect(&output, 0);
    assert!(stdout(&output).contains("these differ, which was allowed"), "{}", stdout(&output));
    // Both builds are named, and once, however often it is merged.
    expect(&harness(dir.path(), &allowed), 0);
    let text = fs::read_to_string(dir.path().join("whole/run.json")).unwrap();
    let info: serde_json::Value = serde_json::from_str(&text).unwrap();
    let programs = info["versions"]["program"].as_str().unwrap();
    assert!(programs.ends_with(", then 0000") && programs.matches("0000").count() == 1, "{programs}");
}

#[test]
fn damage_in_a_shard_is_told_by_its_line_and_costs_its_record_only() {
    let dir = three();
    let file = dir.path().join("two/records.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&file, text.replacen(lines[1], "{\"task\": \u{0}\u{0}", 1)).unwrap();
    let output = harness(dir.path(), &["merge", "one", "two", "three", "--out", "whole"]);
    expect(&output, 30);
    for told in ["two: records.jsonl: line 2: column ", "two: 1 of its"] {
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
    let whole = dir.path().join("whole");
    assert_eq!(records(&whole).len(), planned(&whole) - 1);
    // The report of the shard itself says so too, and is made.
    let output = harness(dir.path(), &["report", "two"]);
    expect(&output, 30);
    assert!(stdout(&output).contains("records.jsonl: line 2: column "), "{}", stdout(&output));
    let page = fs::read_to_string(dir.path().join("two/index.html")).unwrap();
    assert!(page.contains("records.jsonl: line 2: column "));

    shard(dir.path(), "2/3", "two");
    expect(&harness(dir.path(), &["merge", "one", "two", "three", "--out", "whole"]), 0);
    assert_eq!(records(&whole).len(), planned(&whole));
}

#[test]
fn what_is_no_shard_of_the_run_is_refused_and_nothing_is_written() {
    let dir = three();
    let refused = |args: &[&str], told: &str| {
        let output = harness(dir.path(), &[args, &["--out", "whole"]].concat());
        expect(&output, 2);
        assert!(stderr(&output).contains(told), "{told}: {}", stderr(&output));
        assert!(!dir.path().join("whole").exists());
    };
    refused(&["merge", "one", "nowhere", "two"], "nowhere");
    // Shards of another division have records in common with these, which were measured twice.
    shard(dir.path(), "1/2", "half");
    refused(&["merge", "one", "two", "three", "half"], "made twice, with different results");
    let damage = |file: &str, change: &dyn Fn(&str) -> String, told: &str| {
        let path = dir.path().join("two").join(file);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, change(&text)).unwrap();
        refused(&["merge", "one", "two", "three"], told);
        fs::write(&path, text).unwrap();
    };
    damage("run.json", &|text| text[..text.len() / 2].to_owned(), "two/run.json");
    damage("run.json", &|text| text.replacen("\"major\": 1", "\"major\": 9", 1), "update harness");
    damage("tasks.jsonl", &|text| text[..text.len() - 9].to_owned(), "two/tasks.jsonl");
    damage(
        "tasks.jsonl",
        &|text| text.replacen("\"ascii\"", "\"utf16\"", 1),
        "is not what the run was made with",
    );
    expect(&harness(dir.path(), &["merge", "one", "two", "three", "--out", "whole"]), 0);
}

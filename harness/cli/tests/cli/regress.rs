//! Runs compared with earlier runs and with other builds. Times of such small runs say nothing, so that the ratio from
//! which on they count is set out of reach wherever a test is not about it.

use std::fs;
use std::path::Path;

use crate::{expect, harness, planned, records, small, stderr, stdout};

/// A small study in which no time counts.
fn calm(strategies: &str) -> String {
    small(strategies) + "regress: {ratio: 1000, task_ratio: 1000}\n"
}

/// A directory with a configuration `a.yaml` and its run `before`.
fn with_baseline() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), calm("[sfa-ranges-lazy, classes-lazy]")).unwrap();
    expect(&harness(dir.path(), &["compare", "a.yaml", "--out", "before", "--no-progress"]), 0);
    dir
}

/// Changes a file as text; fails when nothing is changed.
fn edit(file: &Path, change: impl FnOnce(&str) -> String) {
    let text = fs::read_to_string(file).unwrap();
    let changed = change(&text);
    assert_ne!(changed, text, "{}", file.display());
    fs::write(file, changed).unwrap();
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for file in ["run.json", "tasks.jsonl", "records.jsonl"] {
        fs::copy(from.join(file), to.join(file)).unwrap();
    }
}

#[test]
fn the_same_again_is_no_regression() {
    let dir = with_baseline();
    let args = ["regress", "a.yaml", "--baseline", "before", "--out", "now", "--json", "now/all.json"];
    let output = harness(dir.path(), &args);
    expect(&output, 0);
    let said = stdout(&output);
    assert!(said.starts_with("No regression\n"), "{said}");
    assert!(said.contains("classes-lazy") && said.contains("against before (14 records)"), "{said}");
    let now = dir.path().join("now");
    assert_eq!(records(&now).len(), planned(&now));
    let json: serde_json::Value = serde_json::from_slice(&fs::read(now.join("all.json")).unwrap()).unwrap();
    assert_eq!(
        (json["decision"].as_str(), json["counters"].as_array().map(Vec::len)),
        (Some("fine"), Some(0))
    );

    // Again: nothing is left to run, and the same is said.
    let before = fs::read(now.join("records.jsonl")).unwrap();
    let again = harness(dir.path(), &args);
    expect(&again, 0);
    assert_eq!((stdout(&again), fs::read(now.join("records.jsonl")).unwrap()), (said, before));
    // The run is one like any other.
    expect(&harness(dir.path(), &["report", "now"]), 0);
    // And so are two runs that are there already.
    expect(&harness(dir.path(), &["regress", "now", "--baseline", "before"]), 0);
    // Without a directory, nothing is left behind.
    let files = || fs::read_dir(dir.path()).unwrap().count();
    let count = files();
    expect(&harness(dir.path(), &["regress", "a.yaml", "--baseline", "before", "--no-progress"]), 0);
    assert_eq!(files(), count);
}

#[test]
fn against_another_build_both_are_run() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), calm("[sfa-ranges-lazy, classes-lazy]")).unwrap();
    let program = assert_cmd::cargo::cargo_bin!("harness").to_str().unwrap();
    let output =
        harness(dir.path(), &["regress", "a.yaml", "--against", program, "--out", "now", "--no-progress"]);
    expect(&output, 0);
    assert!(stdout(&output).contains("run alternately"), "{}", stdout(&output));
    let (now, other) = (dir.path().join("now"), dir.path().join("now/against"));
    assert_eq!((records(&now).len(), records(&other).len()), (14, 14));
    // Alternately: the other build had not ended before this one began, and the other way round.
    let times = |run: &Path| -> Vec<f64> {
        let mut times: Vec<f64> =
            records(run).iter().map(|record| record["started_unix_s"].as_f64().unwrap()).collect();
        // They are written as they end.
        times.sort_by(f64::total_cmp);
        times
    };
    let (a, b) = (times(&now), times(&other));
    assert!(a[0] < b[13] && b[0] < a[13], "{a:?} {b:?}");
    // The other build's run serves as a baseline.
    expect(&harness(dir.path(), &["regress", "now", "--baseline", "now/against"]), 0);

    for (program, why) in
        [("/bin/echo", "is no build of this program"), ("nowhere", "there is no such program")]
    {
        let output = harness(dir.path(), &["regress", "a.yaml", "--against", program]);
        expect(&output, 2);
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
    expect(&harness(dir.path(), &["regress", "a.yaml"]), 2);
    expect(&harness(dir.path(), &["regress", "a.yaml", "--against", program, "--baseline", "now"]), 2);
    let output = harness(dir.path(), &["regress", "a.yaml", "--baseline", "nowhere"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("no run here"), "{}", stderr(&output));
}

#[test]
fn what_differs_is_named_and_can_be_allowed() {
    let dir = with_baseline();
    let text = calm("[sfa-ranges-lazy, classes-lazy]");
    let cases = [
        (text.replace("wall: 10s", "wall: 11s"), "limits"),
        (text.replace("limits:", "repeats: 2\nlimits:"), "repeats"),
        (text.replace("limits:", "seed: 9\nlimits:"), "seed"),
        (text.replace("[A3, A4]", "[A3]"), "tasks"),
        (text.replace("classes-lazy", "sfa-bdd-lazy"), "strategies"),
    ];
    for (text, name) in cases {
        fs::write(dir.path().join("b.yaml"), text).unwrap();
        let args = ["regress", "b.yaml", "--baseline", "before", "--no-progress"];
        let output = harness(dir.path(), &args);
        expect(&output, 40);
        let said = stderr(&output);
        assert!(
            said.contains(&format!("\n  {name}: ")) && said.contains(&format!("--allow {name}\n")),
            "{said}"
        );
        assert_eq!(said.matches("\n  ").count(), 1, "only {name}: {said}");
        let output = harness(dir.path(), &[&args[..], &["--allow", name]].concat());
        expect(&output, 0);
        assert!(stdout(&output).contains(&format!("differs, as allowed: {name}: ")), "{}", stdout(&output));
    }
    let output = harness(dir.path(), &["regress", "a.yaml", "--baseline", "before", "--allow", "moon"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("there is no condition 'moon'"), "{}", stderr(&output));
}

#[test]
fn another_machine_and_another_format() {
    let dir = with_baseline();
    let info = dir.path().join("before/run.json");
    let args = ["regress", "a.yaml", "--baseline", "before", "--no-progress"];
    edit(&info, |text| text.replace("\"cores\": ", "\"cores\": 9"));
    let output = harness(dir.path(), &args);
    expect(&output, 40);
    assert!(stderr(&output).contains("--allow machine"), "{}", stderr(&output));
    let output = harness(dir.path(), &[&args[..], &["--allow", "kernel,machine"]].concat());
    expect(&output, 0);
    assert!(stdout(&output).contains("times are shown and decide nothing"), "{}", stdout(&output));
    edit(&info, |text| text.replace("\"major\": 1", "\"major\": 7"));
    let output = harness(dir.path(), &args);
    expect(&output, 40);
    assert!(stderr(&output).contains("record format 7.0 is newer"), "{}", stderr(&output));
}

#[test]
fn a_baseline_with_holes_and_damage() {
    let dir = with_baseline();
    let file = dir.path().join("before/records.jsonl");
    copy(&dir.path().join("before"), &dir.path().join("whole-before"));
    // The second line is cut off in the middle, the last one has no end.
    edit(&file, |text| {
        let lines: Vec<&str> = text.lines().collect();
        let cut = &lines[1][..lines[1].len() / 2];
        let last = lines.len() - 1;
        let rest = lines[2..last].join("\n");
        format!("{}\n{cut}\n{rest}\n{}", lines[0], &lines[last][..50])
    });
    let args = ["regress", "a.yaml", "--baseline", "before", "--no-progress"];
    let output = harness(dir.path(), &args);
    expect(&output, 30);
    let said = stderr(&output);
    assert!(said.contains("the baseline has holes: 2 records are missing"), "{said}");
    assert_eq!(said.matches("missing: regexes/li2009/ascii/").count(), 2, "{said}");
    assert!(
        said.contains("before/records.jsonl:2: ") && said.contains("before/records.jsonl:14: "),
        "{said}"
    );
    let output = harness(dir.path(), &[&args[..], &["--allow", "holes"]].concat());
    expect(&output, 0);
    assert!(stdout(&output).contains("2 records of the baseline are missing"), "{}", stdout(&output));
    assert!(stdout(&output).contains("passed over: before/records.jsonl:2: "), "{}", stdout(&output));
    // A record that is not of the plan does not stand in for one that is.
    let stranger = dir.path().join("stranger");
    copy(&dir.path().join("whole-before"), &stranger);
    edit(&stranger.join("records.jsonl"), |text| text.replacen("\"repeat\":0", "\"repeat\":99", 1));
    let output = harness(dir.path(), &["regress", "whole-before", "--baseline", "stranger"]);
    expect(&output, 30);
    assert!(stderr(&output).contains("the baseline has holes: 1 records are missing"), "{}", stderr(&output));
    expect(&harness(dir.path(), &["regress", "stranger", "--baseline", "whole-before"]), 30);
    // A current run that is incomplete.
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "whole", "--no-progress"]);
    expect(&output, 0);
    expect(&harness(dir.path(), &["regress", "before", "--baseline", "whole"]), 30);
}

#[test]
fn more_work_a_lost_task_and_a_wrong_verdict() {
    let dir = with_baseline();
    let change = |name: &str, change: fn(&str) -> String| {
        let copied = dir.path().join(name);
        copy(&dir.path().join("before"), &copied);
        edit(&copied.join("records.jsonl"), change);
    };
    let compare = |now: &str, before: &str, status: i32| {
        let output = harness(dir.path(), &["regress", now, "--baseline", before]);
        expect(&output, status);
        stdout(&output)
    };
    // A counter one more, in one record.
    change("work", |text| text.replacen("\"counters\":{", "\"counters\":{\"added\":1,", 1));
    change("more", |text| text.replacen("\"counters\":{", "\"counters\":{\"added\":2,", 1));
    let said = compare("more", "work", 20);
    assert!(said.starts_with("REGRESSION: 1 counters differ\n"), "{said}");
    assert!(said.contains("1 then, 2 now") && said.contains("counter: added of "), "{said}");
    let said = compare("work", "more", 0);
    assert!(said.contains("counter (does not count): added of "), "{said}");

    change("lost", |text| {
        text.replacen("\"termination\":\"answered\"", "\"termination\":{\"timeout\":\"wall\"}", 1)
    });
    let said = compare("lost", "before", 20);
    assert!(
        said.starts_with("REGRESSION: 1 tasks are not solved any more\n") && said.contains("\nlost: "),
        "{said}"
    );
    assert!(said.contains("then, timeout now"), "{said}");
    assert!(compare("before", "lost", 0).contains("\ngained: "));

    change("wrong", |text| {
        let line = text.lines().find(|line| line.contains("difference/A3-A3")).unwrap();
        text.replace(line, &line.replace("\"verdict\":\"empty\"", "\"verdict\":\"nonempty\""))
    });
    let said = compare("wrong", "before", 10);
    assert!(said.starts_with("WRONG: "), "{said}");
    assert!(said.contains("wrong: regexes/li2009/ascii/difference/A3-A3 by "), "{said}");
}

#[cfg(feature = "planted")]
#[test]
fn a_planted_slow_down_is_found_confirmed_and_named() {
    let dir = tempfile::tempdir().unwrap();
    // A fifth would do; seven times as slow is found whatever else the machine does.
    let text = small("[sfa-ranges-lazy, classes-lazy]") + "repeats: 3\nregress: {ratio: 3, confirm: 1}\n";
    fs::write(dir.path().join("a.yaml"), text).unwrap();
    let program = assert_cmd::cargo::cargo_bin!("harness").to_str().unwrap();
    let args = ["regress", "a.yaml", "--against", program, "--plant", "classes-lazy=600", "--out", "now"];
    let output = harness(dir.path(), &[&args[..], &["--no-progress"]].concat());
    expect(&output, 20);
    let said = stdout(&output);
    assert!(said.starts_with("REGRESSION: "), "{said}");
    let slower: Vec<&str> = said.lines().filter(|line| line.ends_with("  slower")).collect();
    assert!(!slower.is_empty() && slower.iter().all(|line| line.starts_with("classes-lazy")), "{said}");
    assert!(stderr(&output).contains("run again, 1 of 1"), "{}", stderr(&output));
    // Only what was suspected was run again, by both builds.
    for run in ["now/confirm-1", "now/confirm-1/against"] {
        let again = records(&dir.path().join(run));
        assert_eq!(again.len(), planned(&dir.path().join(run)));
        assert!(again.iter().all(|record| record["strategy"] == "classes-lazy"));
    }
    // The other way round it is faster.
    let output = harness(dir.path(), &["regress", "now/against", "--baseline", "now"]);
    expect(&output, 0);
    assert!(stdout(&output).contains("  faster\n"), "{}", stdout(&output));
}

#[test]
fn a_baseline_from_the_history_and_every_format() {
    let dir = with_baseline();
    let add = ["history", "add", "before", "--commit", "abcdef1"];
    expect(&harness(dir.path(), &add), 0);
    let formats = [
        ("--markdown", "a.md", "## No regression"),
        ("--junit", "a.xml", "<testsuites"),
        ("--benchmark", "a.json", "["),
        ("--bencher", "b.json", "{"),
    ];
    let mut args =
        vec!["regress", "a.yaml", "--no-progress", "--annotations", "--baseline", "history@abcdef1"];
    args.extend(formats.iter().flat_map(|(option, file, _)| [*option, *file]));
    let output = harness(dir.path(), &args);
    expect(&output, 0);
    assert!(stdout(&output).contains("run 1 of history.sqlite (abcdef1)"), "{}", stdout(&output));
    for (_, file, begins) in formats {
        let text = fs::read_to_string(dir.path().join(file)).unwrap();
        assert!(text.contains(begins), "{file}: {text}");
    }
    for baseline in ["history@nothing", "history@"] {
        let output = harness(dir.path(), &["regress", "a.yaml", "--baseline", baseline]);
        expect(&output, 2);
        assert!(stderr(&output).starts_with("error: "), "{}", stderr(&output));
    }
}

//! Runs compared with earlier runs and with other builds. Times of such small runs say nothing, so that the
//! ratio from which on they count is set out of reach wherever a test is not about it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::{command, expect, harness, planned, records, small, stderr, stdout};

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
    assert!(stderr(&again).contains("now: nothing left to run"), "{}", stderr(&again));
    assert_eq!((stdout(&again), fs::read(now.join("records.jsonl")).unwrap()), (said, before));
    assert!(now.join("summary.md").is_file() && now.join("plots").is_dir(), "there are reports");
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
    // Both are runs of their own for the history, though the program is one, and neither is its own baseline.
    let added = harness(dir.path(), &["history", "add", "now", "now/against"]);
    expect(&added, 0);
    assert!(
        stdout(&added).contains("now: run #1") && stdout(&added).contains("against: run #2"),
        "{added:?}"
    );
    let output = harness(dir.path(), &["regress", "now", "--baseline", "history"]);
    expect(&output, 0);
    assert!(stdout(&output).contains("against run 2 of history.sqlite"), "{}", stdout(&output));
    let output = harness(dir.path(), &["regress", "now", "--baseline", "history@#1"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("the very run that is compared"), "{}", stderr(&output));

    for (program, why) in
        [("/bin/echo", "is no build of this program"), ("nowhere", "there is no such program")]
    {
        let output = harness(dir.path(), &["regress", "a.yaml", "--against", program]);
        expect(&output, 2);
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
    let output = harness(dir.path(), &["regress", "a.yaml"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("--baseline") && stderr(&output).contains("--against"), "{output:?}");
    expect(&harness(dir.path(), &["regress", "a.yaml", "--against", program, "--baseline", "now"]), 2);
    let output = harness(dir.path(), &["regress", "a.yaml", "--baseline", "nowhere"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("no run here"), "{}", stderr(&output));
    for (args, why) in [
        (&["a.yaml", "--baseline", "/etc/passwd"][..], "is no run, which is a directory with run.json"),
        (&["/tmp", "--baseline", "now"], "without run.json"),
        (&["now", "--baseline", "now"], "its own baseline"),
        (&["a.yaml", "--baseline", "now", "--out", "./now"], "--out or --baseline"),
    ] {
        let output = harness(dir.path(), &[&["regress"], args].concat());
        expect(&output, 2);
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
    // A build whose workers do nothing: records that nobody asked to keep are gone.
    let fake = dir.path().join("fake");
    fs::write(&fake, "#!/bin/sh\n[ \"$1\" = --version ] || exit 3\necho harness 0.0.1\n").unwrap();
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    let output = harness(dir.path(), &["regress", "a.yaml", "--against", "./fake", "--no-progress"]);
    expect(&output, 30);
    assert!(stderr(&output).contains("are gone: with --out DIR they are kept"), "{}", stderr(&output));
}

/// Workers of copies find their libraries beside them; a solver that they start must not.
#[test]
fn a_solver_finds_its_libraries_where_the_user_said() {
    let dir = tempfile::tempdir().unwrap();
    let solver = dir.path().join("solver");
    let text =
        "#!/bin/sh\necho \"${LD_LIBRARY_PATH-none}\" >> \"$(dirname \"$0\")/searched\"\necho unknown\n";
    fs::write(&solver, text).unwrap();
    fs::set_permissions(&solver, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(dir.path().join("t.smt2"), "(declare-const x String)\n(check-sat)\n").unwrap();
    let config = "name: s\nlimits: {wall: 60s, memory: 1GiB}\ntasks: [scripts: {files: [t.smt2]}]\nstrategies:\n  - {family: external, \
                  as: s, options: {command: [./solver], version: [echo, '1']}}\n";
    fs::write(dir.path().join("a.yaml"), config).unwrap();
    let program = assert_cmd::cargo::cargo_bin!("harness").to_str().unwrap();
    let args = ["regress", "a.yaml", "--against", program, "--out", "now", "--no-progress"];
    let output = harness(dir.path(), &args);
    let users = std::env::var("LD_LIBRARY_PATH").ok().filter(|path| !path.is_empty());
    let searched = fs::read_to_string(dir.path().join("searched")).unwrap_or_default();
    assert!(!searched.is_empty(), "{}", stderr(&output));
    for line in searched.lines() {
        assert_eq!(line, users.as_deref().unwrap_or("none"));
    }
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
    assert!(stderr(&output).contains("record format 7.2 is newer"), "{}", stderr(&output));
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
    assert!(stderr(&output).contains("the baseline has holes: 1 record is missing"), "{}", stderr(&output));
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
    assert!(said.starts_with("REGRESSION: 1 counter differs\n"), "{said}");
    assert!(said.contains("1 then, 2 now") && said.contains("counter: added of "), "{said}");
    let said = compare("work", "more", 0);
    assert!(said.contains("counter (does not count): added of "), "{said}");

    change("lost", |text| {
        text.replacen("\"termination\":\"answered\"", "\"termination\":{\"timeout\":\"wall\"}", 1)
    });
    let said = compare("lost", "before", 20);
    assert!(
        said.starts_with("REGRESSION: 1 task is not solved any more\n") && said.contains("\nlost: "),
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
    assert!(said.contains("\ncontradiction: regexes/li2009/ascii/difference/A3-A3: "), "{said}");

    // Wrong where the baseline has no partner: named in every format, and worse than a baseline with holes or
    // of another machine.
    change("hole", |text| {
        text.lines()
            .filter(|line| !line.contains("difference/A3-A3"))
            .map(|line| format!("{line}\n"))
            .collect()
    });
    let files = ["--markdown", "w.md", "--junit", "w.xml", "--annotations"];
    let output = harness(dir.path(), &["regress", "wrong", "--baseline", "hole"]);
    expect(&output, 10);
    let said = stderr(&output);
    assert!(
        said.contains("verdicts are wrong or contradicted:\n  regexes/li2009/ascii/difference/A3-A3: "),
        "{said}"
    );
    assert!(said.contains("the baseline has holes: 2 records are missing"), "{said}");
    let args = [&["regress", "wrong", "--baseline", "hole", "--allow", "holes"], &files[..]].concat();
    let output = harness(dir.path(), &args);
    expect(&output, 10);
    let read = |file: &str| fs::read_to_string(dir.path().join(file)).unwrap();
    for text in [stdout(&output), read("w.md"), read("w.xml")] {
        assert!(text.contains("difference/A3-A3: ") && !text.contains("Nothing is slower"), "{text}");
    }
    edit(&dir.path().join("hole/run.json"), |text| text.replace("\"cores\": ", "\"cores\": 9"));
    let output = harness(dir.path(), &["regress", "wrong", "--baseline", "hole"]);
    expect(&output, 10);
    assert!(stderr(&output).contains("--allow machine"), "{}", stderr(&output));
    expect(&harness(dir.path(), &["regress", "before", "--baseline", "hole"]), 40);
}

/// No output takes the place of what is read, of a part of a run, or of what somebody else wrote.
#[test]
fn outputs_take_nobodys_place() {
    let dir = with_baseline();
    fs::write(dir.path().join("keep.md"), "my own notes").unwrap();
    fs::write(dir.path().join("empty.json"), "").unwrap();
    fs::write(dir.path().join("list.json"), "[]").unwrap();
    std::os::unix::fs::symlink("before/records.jsonl", dir.path().join("link.json")).unwrap();
    std::os::unix::fs::symlink("new/records.jsonl", dir.path().join("dangling.json")).unwrap();
    let whole = |run: &str| fs::read(dir.path().join(run).join("records.jsonl")).unwrap();
    let before = whole("before");
    for (args, why) in [
        (&["a.yaml", "--junit", "before/records.jsonl"][..], "is a part of the run"),
        (&["a.yaml", "--junit", "before/plots/new.xml"], "is a part of the run"),
        (&["a.yaml", "--json", "link.json"], "is a part of the run"),
        (&["a.yaml", "--out", "new", "--json", "new/run.json"], "is a part of the run"),
        (&["a.yaml", "--out", "new", "--json", "dangling.json"], "name the file itself"),
        (&["a.yaml", "--benchmark", "list.json"], "no comparison wrote"),
        (&["a.yaml", "--markdown", "keep.md"], "no comparison wrote"),
        (&["nosuch.yaml", "--markdown", "keep.md"], "no comparison wrote"),
        (&["a.yaml", "--json", "a.yaml"], "is what is read"),
        (&["a.yaml", "--json", "x.json", "--bencher", "./x.json"], "written twice"),
        (&["nosuch.yaml", "--json", "empty.json"], "nosuch.yaml"),
    ] {
        let output = harness(dir.path(), &[&["regress"], args, &["--baseline", "before"]].concat());
        expect(&output, 2);
        assert!(stderr(&output).contains(why), "{why}: {}", stderr(&output));
    }
    assert_eq!(whole("before"), before);
    assert_eq!(fs::read_to_string(dir.path().join("keep.md")).unwrap(), "my own notes");
    assert!(dir.path().join("empty.json").exists() && !dir.path().join("x.json").exists());
}

/// A program that does not answer is not waited for.
#[test]
fn a_program_that_says_nothing_is_given_up() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), calm("[classes-lazy]")).unwrap();
    let sleeper = dir.path().join("sleeper");
    fs::write(&sleeper, "#!/bin/sh\nexec sleep 1000\n").unwrap();
    fs::set_permissions(&sleeper, fs::Permissions::from_mode(0o755)).unwrap();
    let output = harness(dir.path(), &["regress", "a.yaml", "--against", "./sleeper"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("does not answer to '--version'"), "{}", stderr(&output));
    let chatter = dir.path().join("chatter");
    fs::write(&chatter, "#!/bin/sh\nexec yes\n").unwrap();
    fs::set_permissions(&chatter, fs::Permissions::from_mode(0o755)).unwrap();
    let output = harness(dir.path(), &["regress", "a.yaml", "--against", "./chatter"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("is no build of this program"), "{}", stderr(&output));
}

/// Files that are asked for are of this comparison or not there, and a standard output that is full hides
/// nothing.
#[test]
fn files_of_an_earlier_comparison_and_a_full_disk() {
    let dir = with_baseline();
    let (before, now) = (dir.path().join("before"), dir.path().join("now"));
    copy(&before, &now);
    let files = ["--junit", "j.xml", "--markdown", "m.md", "--json", "c.json"];
    let args = [&["regress", "now", "--baseline", "before"], &files[..]].concat();
    expect(&harness(dir.path(), &args), 0);
    let there = || ["j.xml", "m.md", "c.json"].map(|file| dir.path().join(file).exists());
    assert_eq!(there(), [true; 3]);
    let refused = [&["regress", "now", "--baseline", "nowhere"], &files[..]].concat();
    // What is read is not there: nothing is touched.
    expect(&harness(dir.path(), &refused), 2);
    assert_eq!(there(), [true; 3]);
    // What is read may not be compared.
    edit(&now.join("run.json"), |text| text.replace("\"workers\": ", "\"workers\": 1"));
    expect(&harness(dir.path(), &args), 40);
    assert_eq!(there(), [false; 3]);
    edit(&now.join("run.json"), |text| text.replace("\"workers\": 1", "\"workers\": "));
    // What is read is not removed, and neither is what is no file.
    let output = harness(dir.path(), &["regress", "a.yaml", "--baseline", "before", "--json", "./a.yaml"]);
    expect(&output, 2);
    assert!(dir.path().join("a.yaml").is_file(), "{}", stderr(&output));

    edit(&now.join("records.jsonl"), |text| {
        text.replacen("\"termination\":\"answered\"", "\"termination\":{\"timeout\":\"wall\"}", 1)
    });
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command(dir.path(), &[&args[..], &["--bencher", "/dev/full"]].concat())
        .stdout(full())
        .output()
        .unwrap();
    expect(&output, 20);
    assert_eq!(there(), [true; 3]);
    let said = stderr(&output);
    assert!(said.contains("/dev/full: cannot be written") && said.contains("standard output"), "{said}");
    // Where nothing is wrong, that is an error.
    let same = [&["regress", "before", "--baseline", "other"], &files[..]].concat();
    copy(&before, &dir.path().join("other"));
    expect(&command(dir.path(), &same).stdout(full()).output().unwrap(), 2);
    assert_eq!(there(), [true; 3]);
}

#[test]
fn nothing_in_common_is_no_success() {
    let dir = with_baseline();
    let other = dir.path().join("other");
    copy(&dir.path().join("before"), &other);
    for file in ["tasks.jsonl", "records.jsonl"] {
        edit(&other.join(file), |text| text.replace("/ascii/", "/renamed/"));
    }
    edit(&other.join("run.json"), |text| {
        let info: serde_json::Value = serde_json::from_str(text).unwrap();
        text.replace(info["tasks_digest"].as_str().unwrap(), "x")
            .replace("\"tasks_digest\": \"x\"", "\"tasks_digest\": null")
    });
    let output = harness(dir.path(), &["regress", "other", "--baseline", "before", "--allow", "tasks"]);
    expect(&output, 30);
    assert!(stdout(&output).starts_with("NOTHING COMPARED: no strategy has a task"), "{}", stdout(&output));
    assert!(stdout(&output).contains("14 tasks are only") || stdout(&output).contains("7 tasks are only"));
}

/// What a configuration leaves out is no hole, and a record of it fills none.
#[test]
fn what_is_left_out_on_purpose() {
    let dir = tempfile::tempdir().unwrap();
    let text = calm("[sfa-ranges-lazy, classes-lazy]").replace("[ascii]", "[ascii, latin1]")
        + "leave_out:\n  - {strategies: [classes-lazy], alphabets: [latin1], because: \"of this test\"}\n";
    fs::write(dir.path().join("a.yaml"), &text).unwrap();
    fs::write(dir.path().join("b.yaml"), text + "seed: 9\n").unwrap();
    for (config, run) in [("a.yaml", "before"), ("b.yaml", "seed")] {
        expect(&harness(dir.path(), &["compare", config, "--out", run, "--no-progress"]), 0);
    }
    // They differ in the seed alone.
    let output = harness(dir.path(), &["regress", "seed", "--baseline", "before"]);
    expect(&output, 40);
    let said = stderr(&output);
    assert!(said.contains("--allow seed\n") && said.matches("\n  ").count() == 1, "{said}");
    // A record of what is left out takes the place of one that is not.
    let foreign = dir.path().join("foreign");
    copy(&dir.path().join("before"), &foreign);
    let gone = "regexes/li2009/ascii/product/A3-A4";
    edit(&foreign.join("records.jsonl"), |text| {
        let line = text.lines().find(|line| line.contains(gone) && line.contains("classes-lazy")).unwrap();
        text.replace(line, &line.replace("/ascii/", "/latin1/").replace("\"ascii\"", "\"latin1\""))
    });
    let output = harness(dir.path(), &["regress", "before", "--baseline", "foreign"]);
    expect(&output, 30);
    let said = stderr(&output);
    assert!(said.contains("1 record is missing") && said.contains(&format!("missing: {gone}")), "{said}");
    assert!(!said.contains("is a guess"), "{said}");
    expect(&harness(dir.path(), &["report", "foreign"]), 30);
    // In a run from before the cells were kept, whose configuration cannot be read, it is a guess, and says
    // so.
    edit(&foreign.join("run.json"), |text| {
        text.replace("\"left_out\"", "\"unknown_key\"").replace("because:", "becausé:")
    });
    edit(&foreign.join("records.jsonl"), |text| {
        text.lines().skip(1).map(|line| format!("{line}\n")).collect()
    });
    let output = harness(dir.path(), &["regress", "before", "--baseline", "foreign"]);
    expect(&output, 30);
    assert!(stderr(&output).contains("is a guess"), "{}", stderr(&output));
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

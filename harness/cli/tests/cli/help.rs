//! What the program says of itself.

use crate::{command, expect, harness, stderr, stdout};

#[test]
fn help_of_every_command() {
    let dir = tempfile::tempdir().unwrap();
    let mut all = String::new();
    for args in [
        &["--help"][..],
        &["compare", "--help"],
        &["reproduce", "--help"],
        &["solve", "--help"],
        &["check", "--help"],
        &["lower", "--help"],
        &["draw", "--help"],
        &["report", "--help"],
        &["merge", "--help"],
        &["submit", "--help"],
        &["status", "--help"],
        &["export", "--help"],
        &["rerun", "--help"],
        &["shrink", "--help"],
        &["fetch", "--help"],
        &["generate", "--help"],
        &["list", "--help"],
        &["doctor", "--help"],
        &["task", "show", "--help"],
        &["completions", "--help"],
    ] {
        let output = harness(dir.path(), args);
        expect(&output, 0);
        all.push_str(&format!("$ harness {}\n{}\n", args.join(" "), stdout(&output)));
    }
    insta::assert_snapshot!("help", all);
}

#[test]
fn the_readme_names_every_table_and_the_page_of_configs_every_layout() {
    let dir = tempfile::tempdir().unwrap();
    let names = |what: &str| -> Vec<String> {
        let listed = stdout(&harness(dir.path(), &["list", what]));
        listed.lines().filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
    };
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let page = |name: &str| std::fs::read_to_string(format!("{root}/{name}")).unwrap();
    let (readme, configs) = (page("README.md"), page("configs/README.md"));
    for name in names("layouts") {
        assert!(readme.contains(&format!("`{name}`")), "README.md does not name {name}");
        assert!(configs.contains(&format!("`{name}`")), "configs/README.md does not name {name}");
        assert!(names("configs").contains(&name), "no config in configs/paper is called {name}");
    }
}

#[test]
fn usage_errors_have_status_2() {
    let dir = tempfile::tempdir().unwrap();
    for args in [
        &[][..],
        &["frobnicate"],
        &["compare"],
        &["compare", "x.yaml"],
        &["compare", "quick", "--out", "x", "--workers", "0"],
        &["compare", "quick", "--out", "x", "--timeout", "10"],
        &["list", "strategy"],
    ] {
        let output = harness(dir.path(), args);
        expect(&output, 2);
        assert!(!stderr(&output).is_empty());
    }
    let output = harness(dir.path(), &["compare", "variants", "--out", "x", "--workers", "9999"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("at most one worker a core"), "{}", stderr(&output));
    let output = harness(dir.path(), &["reproduce", "figure-38", "--out", "x"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("a similar value exists: 'figure-3.8'"), "{}", stderr(&output));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "nothing may be left behind");
}

#[test]
fn lists() {
    let dir = tempfile::tempdir().unwrap();
    let of = |what: &str| {
        let output = harness(dir.path(), &["list", what]);
        expect(&output, 0);
        stdout(&output)
    };
    for name in ["sfa-bdd-eager", "sfa-ranges-lazy", "sfa-hashset-lazy", "classes-lazy"] {
        assert!(of("strategies").lines().any(|line| line.split_whitespace().next() == Some(name)), "{name}");
    }
    assert!(of("corpora").contains("regexes/li2009"));
    assert!(of("generators").contains("long"));
    for name in ["quick", "figure-3.7", "figure-3.10"] {
        assert!(of("configs").contains(name), "{name}");
    }
    let output = harness(dir.path(), &["list"]);
    expect(&output, 0);
    for title in ["Strategies\n", "Corpora\n", "Generators\n", "Configs\n", "Layouts\n"] {
        assert!(stdout(&output).contains(title));
    }
}

/// The row of an operation in the table: its marks, without the blanks between them.
fn marks(table: &str, operation: &str) -> Option<String> {
    let row = table.lines().find(|line| line.split_whitespace().next_back() == Some(operation))?;
    Some(row.chars().filter(|c| *c != ' ').take_while(|c| "nlwpr".contains(*c)).collect())
}

#[test]
fn the_table_of_operations() {
    let dir = tempfile::tempdir().unwrap();
    let of = |names: &[&str]| {
        let output = harness(dir.path(), &[&["list", "operations"], names].concat());
        expect(&output, 0);
        stdout(&output)
    };
    let all = of(&[]);
    for row in ["ite", "mod", "str.++", "str.in_re", "java.trim", "java.replaceChar"] {
        assert!(marks(&all, row).is_some_and(|marks| !marks.is_empty()), "{row}: {all}");
    }
    for name in ["sfa", "automata-only", "brute-force", "native", "refused"] {
        assert!(all.contains(name), "{name}: {all}");
    }
    // Names choose rows and columns.
    let some = of(&["java.", "str.len", "brute-*"]);
    assert!(some.contains("brute-force-8") && !some.contains("sfa") && !some.contains("str.at"), "{some}");
    assert_eq!(marks(&some, "str.len").as_deref(), Some("nn"));
    assert_eq!(marks(&some, "java.concat").as_deref(), Some("ll"));
    for wrong in [&["list", "operations", "nothing"][..], &["list", "options", "z3"]] {
        let output = harness(dir.path(), wrong);
        expect(&output, 2);
        assert!(!stderr(&output).is_empty());
    }
}

#[test]
fn the_doctor_names_versions_and_what_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let output = harness(dir.path(), &["doctor"]);
    expect(&output, 0);
    let text = stdout(&output);
    for part in ["Versions", "harness", "rustc", "Machine", "kernel", "Limits", "pidfd", "Strategies: "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(text.contains("  z3 "), cfg!(feature = "z3"), "{text}");
    assert_eq!(text.contains("--features peers"), !cfg!(feature = "peers"), "{text}");
}

#[test]
fn completions_name_the_commands() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let output = harness(dir.path(), &["completions", shell]);
        expect(&output, 0);
        for command in ["compare", "reproduce", "doctor"] {
            assert!(stdout(&output).contains(command), "{shell} {command}");
        }
    }
}

#[test]
fn a_reader_who_goes_away_is_no_error() {
    let dir = tempfile::tempdir().unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command(dir.path(), &["list"]).stdout(writer).output().unwrap();
    expect(&output, 0);
    assert_eq!(stderr(&output), "");
}

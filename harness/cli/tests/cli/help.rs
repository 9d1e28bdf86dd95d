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

#[test]
fn lists_are_narrowed_by_names() {
    let dir = tempfile::tempdir().unwrap();
    let of = |args: &[&str]| {
        let output = harness(dir.path(), &[&["list"], args].concat());
        expect(&output, 0);
        stdout(&output)
    };
    let heads = |text: &str| -> Vec<String> {
        let heads = text.lines().filter(|line| !line.is_empty() && !line.starts_with(' '));
        heads.filter_map(|line| Some(line.split_once(':')?.0.to_owned())).collect()
    };
    assert_eq!(heads(&of(&["options", "brute-force"])), ["brute-force"]);
    // A strategy stands for its family.
    assert_eq!(heads(&of(&["options", "classes-lazy-bfs", "sfa"])), ["sfa", "classes"]);
    assert_eq!(heads(&of(&["options"])).len(), heads(&of(&["options", "*"])).len());
    let some = of(&["strategies", "sfa-bdd-lazy", "brute-force*"]);
    let names: Vec<&str> = some.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["sfa-bdd-lazy", "brute-force", "brute-force-8"]);
    for (args, why) in [
        (&["options", "brute-farce"][..], "there is no family 'brute-farce': did you mean 'brute-force'?"),
        (&["corpora", "regexes/li2008"], "did you mean 'regexes/li2009'?"),
        (&["generators", "lng"], "nothing here is called 'lng'"),
    ] {
        let output = harness(dir.path(), &[&["list"], args].concat());
        expect(&output, 2);
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
    for command in ["compare", "generate"] {
        let output = harness(dir.path(), &[command, "quik", "--out", "x"]);
        expect(&output, 2);
        let said = stderr(&output);
        assert!(said.contains("did you mean 'quick'?") && said.contains("harness list configs"), "{said}");
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
    for wrong in [&["list", "operations", "nothing"][..], &["list", "schema", "z3"]] {
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

/// What a shell is offered for the last of these words.
fn offered(dir: &std::path::Path, words: &[&str]) -> Vec<String> {
    let index = (words.len() - 1).to_string();
    let mut asked = command(dir, &["--"]);
    asked.args(words).env("HARNESS_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", index);
    asked.env("_CLAP_COMPLETE_COMP_TYPE", "9").env("_CLAP_COMPLETE_SPACE", "true").env("_CLAP_IFS", "\n");
    let output = asked.output().unwrap();
    expect(&output, 0);
    stdout(&output).lines().map(str::to_owned).collect()
}

#[test]
fn shells_complete_names_of_this_build() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = harness(dir.path(), &["completions", shell]);
        expect(&output, 0);
        assert!(stdout(&output).contains("HARNESS_COMPLETE"), "{shell}: {}", stdout(&output));
    }
    std::fs::write(dir.path().join("quarrel.yaml"), "").unwrap();
    assert_eq!(offered(dir.path(), &["harness", "reprod"]), ["reproduce"]);
    assert_eq!(offered(dir.path(), &["harness", "compare", "qu"]), ["quick", "quarrel.yaml"]);
    let all = offered(dir.path(), &["harness", "solve", "x.smt2", "--strategy", "brute"]);
    assert_eq!(all, ["brute-force", "brute-force-8"]);
    assert_eq!(offered(dir.path(), &["harness", "list", "corpora", "regexes/"]), ["regexes/li2009"]);
    assert!(offered(dir.path(), &["harness", "reproduce", "figure-3"]).contains(&"figure-3.7".to_owned()));
    assert!(offered(dir.path(), &["harness", "regress", "ci-"]).contains(&"ci-strings".to_owned()));
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

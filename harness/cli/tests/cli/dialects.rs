//! What a text means that is read in another way than the usual one: expressions that are found in words, and
//! UTF-8 in literals of scripts.

use std::fs;

use crate::{expect, harness, results, stderr, stdout};

/// Anchors look at the whole word also where a match may be anywhere.
#[test]
fn expressions_are_found_in_words() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("e.txt"), "starts\t^a\nends\tb$\nhas\tc\nword\ta\n").unwrap();
    let config = |find: &str, name: &str| {
        let text = format!(
            "name: {name}\nlimits: {{wall: 10s, memory: 1GiB}}\nalphabets: [ascii]\ntasks:\n  - regexes: {{file: e.txt, \
             dialect: rust{find}}}\nstrategies: [sfa-ranges-lazy, classes-lazy, peer-regex-automata]\n"
        );
        let text = if cfg!(feature = "peers") { text } else { text.replace(", peer-regex-automata", "") };
        fs::write(dir.path().join(format!("{name}.yaml")), text).unwrap();
        let output = harness(dir.path(), &["compare", &format!("{name}.yaml"), "--out", name]);
        expect(&output, 0);
        let rows = results(&dir.path().join(name));
        move |task: &str| {
            let id = format!("user/e/ascii/{task}");
            let found: Vec<String> =
                rows.iter().filter(|row| row[0] == id).map(|row| row[5].clone()).collect();
            assert!(found.len() > 1 && found.iter().all(|status| *status == found[0]), "{task}: {found:?}");
            found[0].clone()
        }
    };
    let whole = config("", "whole");
    assert_eq!(whole("product/starts-ends"), "empty");
    assert_eq!(whole("product/starts-word"), "nonempty");
    assert_eq!(whole("difference/word-has"), "nonempty");
    let found = config(", find: true", "found");
    assert_eq!(found("product/starts-ends"), "nonempty");
    assert_eq!(found("product/ends-has"), "nonempty");
    // What begins with an a has one; what has one need not begin with it.
    assert_eq!(found("difference/starts-word"), "empty");
    assert_eq!(found("difference/word-starts"), "nonempty");
    let shown = stdout(&harness(dir.path(), &["task", "show", "found", "user/e/ascii/product/starts-ends"]));
    assert!(shown.contains("\nstarts (rust, found in words)\n    ^a\n"), "{shown}");
    // Judged again from what was written.
    expect(&harness(dir.path(), &["report", "found"]), 0);
}

#[test]
fn utf_8_in_literals_is_an_option() {
    let dir = tempfile::tempdir().unwrap();
    let text = "; \u{e9}\n(declare-const s String)\n(assert (= s \"\u{e9}\u{20ac}\"))\n(check-sat)\n";
    fs::write(dir.path().join("p.smt2"), text).unwrap();
    let of = |args: &[&str]| harness(dir.path(), args);
    let refused = of(&["solve", "p.smt2", "--strategy", "brute-force"]);
    expect(&refused, 2);
    assert!(stdout(&refused).contains("--utf8"), "{}", stdout(&refused));
    let output = of(&["solve", "p.smt2", "--strategy", "brute-force", "--utf8", "--model"]);
    expect(&output, 0);
    assert!(stdout(&output).contains("(define-fun s () String \"\\u{e9}\\u{20ac}\")"), "{}", stdout(&output));
    fs::write(dir.path().join("m.txt"), stdout(&output)).unwrap();
    expect(&of(&["check", "p.smt2", "m.txt", "--utf8"]), 0);
    let lowered = of(&["lower", "p.smt2", "--utf8"]);
    expect(&lowered, 0);
    assert!(stdout(&lowered).contains("\"\\u{e9}\\u{20ac}\""), "{}", stdout(&lowered));
    let config = "name: u\nlimits: {wall: 10s, memory: 1GiB}\ntasks:\n  - scripts: {files: [p.smt2], utf8: true}\n\
                  strategies: [brute-force]\n";
    fs::write(dir.path().join("u.yaml"), config).unwrap();
    expect(&of(&["compare", "u.yaml", "--out", "run"]), 0);
    assert_eq!(results(&dir.path().join("run"))[0][5], "sat");
    fs::write(dir.path().join("v.yaml"), config.replace(", utf8: true", "")).unwrap();
    let output = of(&["compare", "v.yaml", "--out", "other"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("p.smt2:3:"), "{}", stderr(&output));
}

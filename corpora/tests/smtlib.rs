//! The scripts of `corpora/smtlib` say themselves what `expected.csv` says of them, and cover the theory.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeSet;

use corpora::{Options, load, names};
use harness_model::{Alphabet, Task, Verdict};
use harness_theory::Op;

/// The tasks of the corpora in the folder, with the texts of their scripts.
fn tasks() -> Vec<(Task, String)> {
    let own = |name: &&str| name.starts_with("smtlib/") && *name != "smtlib/cases";
    let corpora = names().into_iter().map(|corpus| corpus.name).filter(own);
    let options = Options { alphabets: vec![Alphabet::Unicode], ..Options::default() };
    let with_text = |task: Task| {
        let text = task.question.as_script().unwrap().text.clone();
        (task, text)
    };
    corpora.flat_map(|name| load(name, &options).unwrap()).map(with_text).collect()
}

/// The argument that opens a script, in one line.
fn argument(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("; "));
    lines.collect::<Vec<_>>().join(" ")
}

/// What the script states before each of its questions.
fn stated(text: &str) -> Vec<Verdict> {
    let of_line = |line: &str| match line {
        "(set-info :status sat)" => Some(Verdict::Sat),
        "(set-info :status unsat)" => Some(Verdict::Unsat),
        _ => None,
    };
    text.lines().filter_map(of_line).collect()
}

#[test]
fn every_script_states_its_answers_and_argues_for_them() {
    let tasks = tasks();
    for (task, text) in &tasks {
        let expected = task.expected.as_ref().unwrap();
        assert_eq!(stated(text), expected.verdicts, "{}", task.id);
        assert_eq!(argument(text), expected.source, "{}", task.id);
        assert!(expected.source.ends_with('.'), "{}", task.id);
        assert!(text.lines().count() <= 30 && text.lines().all(|line| line.len() <= 400), "{}", task.id);
    }
    assert!(tasks.len() >= 200, "{}", tasks.len());
}

#[test]
fn no_question_is_asked_twice() {
    let mut questions = BTreeSet::new();
    for (task, text) in tasks() {
        let asserted: Vec<&str> = text.lines().filter(|line| !line.starts_with(';')).collect();
        assert!(questions.insert(asserted.join("\n")), "{}", task.id);
    }
}

/// The functions of SMT-LIB in `harness-theory`, of which Java's are the only others.
#[test]
fn every_function_of_the_theory_is_in_both_answers() {
    let functions: Vec<&str> = Op::all().map(Op::name).filter(|name| !name.starts_with("java.")).collect();
    let mut missing: BTreeSet<(&str, Verdict)> =
        functions.iter().flat_map(|&f| [(f, Verdict::Sat), (f, Verdict::Unsat)]).collect();
    for (task, text) in tasks() {
        let verdicts = &task.expected.as_ref().unwrap().verdicts;
        let lines = text.lines().filter(|line| !line.starts_with(';'));
        let words: BTreeSet<String> =
            lines.flat_map(|line| line.split(['(', ')', ' '])).map(str::to_owned).collect();
        missing.retain(|&(function, verdict)| !(words.contains(function) && verdicts.contains(&verdict)));
    }
    assert_eq!(missing, BTreeSet::new());
}

/// How many questions the reader finds in a script.
fn asked(text: &str) -> usize {
    harness_smtlib::read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}")).queries.len()
}

#[test]
fn some_scripts_ask_several_questions() {
    let several = tasks().iter().filter(|(_, text)| asked(text) > 1).count();
    assert!(several >= 3, "{several}");
}

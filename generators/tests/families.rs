//! The families: same seed, same bytes; answers that are true by construction; mistakes.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::{BTreeMap, BTreeSet};

use generators::{GeneratorError, ParamValue, generate, names};
use harness_check::matcher;
use harness_model::{Alphabet, Dialect, OperationKind, SmtString, Task, Verdict};

fn params(list: &[(&str, ParamValue)]) -> BTreeMap<String, ParamValue> {
    list.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn ints(numbers: &[i64]) -> ParamValue {
    ParamValue::List(numbers.iter().map(|&n| ParamValue::Int(n)).collect())
}

/// Every word over the letters of up to `length` letters.
fn words(letters: &str, length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..length {
        last = last.iter().flat_map(|w| letters.chars().map(move |c| format!("{w}{c}"))).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// A shortest word of the task's only operation, up to `length` letters, by trying all.
fn shortest(task: &Task, letters: &str, length: usize) -> Option<usize> {
    let operation = task.question.as_operations().unwrap().operations[0];
    let read = |index: usize| {
        let source = &task.question.as_operations().unwrap().regexes[index];
        harness_regex::parse(&source.pattern, source.dialect, task.question.alphabet).unwrap()
    };
    let (left, right) = (read(operation.left), read(operation.right));
    words(letters, length).into_iter().find_map(|word| {
        let text = SmtString::from(word.as_str());
        let other = matcher::matches(&right, &text) == (operation.kind == OperationKind::Product);
        (matcher::matches(&left, &text) && other).then_some(word.len())
    })
}

#[test]
fn every_family_has_unique_ids_and_the_same_bytes_again() {
    for info in names() {
        let make = |seed| generate(info.name, &BTreeMap::new(), seed, &Alphabet::ALL).unwrap();
        let tasks = make(5);
        assert_eq!(tasks, make(5), "{}", info.name);
        let ids: BTreeSet<&str> = tasks.iter().map(|t| t.id.as_str()).collect();
        assert_eq!(ids.len(), tasks.len(), "{}", info.name);
        assert!(tasks.iter().all(|t| t.id.starts_with(info.name) && t.family.starts_with(info.name)));
    }
}

#[test]
fn long_has_the_answer_that_it_states() {
    let tasks = generate("long", &params(&[("n", ints(&[1, 2, 3, 5]))]), 0, &[Alphabet::Ascii]).unwrap();
    for (task, n) in tasks.iter().zip([1, 2, 3, 5]) {
        assert_eq!(task.id, format!("long/ascii/n{n}"));
        assert_eq!(task.expected.as_ref().unwrap().verdicts, [Verdict::Nonempty]);
        assert_eq!(shortest(task, "abc", n + 2), Some(n + 2));
    }
}

#[test]
fn nested_counters_have_the_answers_that_they_state() {
    let sizes = params(&[("m", ints(&[1, 2, 3])), ("n", ints(&[1, 2, 4]))]);
    let tasks = generate("nested-counters", &sizes, 0, &[Alphabet::Ascii]).unwrap();
    assert_eq!(tasks.len(), 9 * 3 - 1);
    for task in tasks {
        let found = shortest(&task, "ab", 12).is_some();
        let expected = task.expected.as_ref().unwrap().verdicts == [Verdict::Nonempty];
        assert_eq!(found, expected, "{}", task.id);
    }
}

#[test]
fn random_grammars_have_the_lengths_and_the_answers_that_they_state() {
    let given = params(&[("pairs", ParamValue::Int(12)), ("lengths", ints(&[3, 8]))]);
    let tasks = generate("random-grammars", &given, 3, &[Alphabet::Ascii]).unwrap();
    assert_eq!(tasks.len(), 24);
    let mut verdicts = BTreeSet::new();
    for task in &tasks {
        let asked = task.question.as_grammars().unwrap();
        assert_eq!(asked.shortest, asked.longest);
        let length = asked.longest as usize;
        let read: Vec<_> =
            asked.grammars.iter().map(|grammar| harness_grammar::read(&grammar.text).unwrap()).collect();
        let all = words("ab", length).into_iter().filter(|word| word.len() == length);
        let counts = all.map(|word| {
            let word = SmtString::from(word.as_str());
            read.iter()
                .map(|one| harness_grammar::contains(one, &word, u64::MAX).unwrap())
                .collect::<Vec<_>>()
        });
        let counts: Vec<Vec<bool>> = counts.collect();
        assert!((0..2).all(|side| counts.iter().any(|inside| inside[side])), "{}", task.id);
        let common = counts.iter().any(|inside| inside[0] && inside[1]);
        let expected = if common { Verdict::Nonempty } else { Verdict::Empty };
        assert_eq!(task.expected.as_ref().unwrap().verdicts, [expected], "{}", task.id);
        verdicts.insert(expected.name());
    }
    assert_eq!(verdicts.len(), 2);
    // What would take too long to try is left open.
    let long = params(&[("pairs", ParamValue::Int(1)), ("lengths", ints(&[12]))]);
    assert!(generate("random-grammars", &long, 3, &[Alphabet::Ascii]).unwrap()[0].expected.is_none());
    let none = params(&[("letters", ParamValue::Int(0))]);
    assert!(matches!(
        generate("random-grammars", &none, 3, &[Alphabet::Ascii]),
        Err(GeneratorError::BadParam { .. })
    ));
}

#[test]
fn random_expressions_are_pinned() {
    let given = params(&[
        ("pairs", ParamValue::Int(2)),
        ("size", ParamValue::Int(5)),
        ("counts", ParamValue::Int(3)),
    ]);
    let tasks = generate("random-regexes", &given, 42, &[Alphabet::Ascii]).unwrap();
    let patterns: Vec<&str> = tasks
        .iter()
        .filter(|t| t.id.ends_with("product"))
        .flat_map(|t| t.question.as_operations().unwrap().regexes.iter().map(|r| r.pattern.as_str()))
        .collect();
    assert_eq!(patterns, PINNED);
}

const PINNED: [&str; 4] = [
    "(?:(?:(?:b|a)[cb])(?:(?:[bc][cb]?)+))",
    "(?:(?:[ab]|(?:(?:a[ba])a))b)",
    "(?:(?:b|(?:c[ac]))|(?:a|c{1,3}))",
    "(?:(?:(?:(?:[ba]b)|c)(?:(?:c|c)?))*)",
];

#[test]
fn random_expressions_are_legal_and_mean_the_same_in_every_dialect() {
    let given = params(&[
        ("pairs", ParamValue::Int(50)),
        ("letters", ParamValue::Text("ab]^-\\&".into())),
        ("counts", ParamValue::Int(4)),
    ]);
    let tasks = generate("random-regexes", &given, 1, &[Alphabet::Latin1]).unwrap();
    let words = words("ab]-", 4);
    for source in tasks.iter().flat_map(|t| &t.question.as_operations().unwrap().regexes) {
        let read =
            |dialect: Dialect| harness_regex::parse(&source.pattern, dialect, Alphabet::Latin1).unwrap();
        let dotnet = read(Dialect::Dotnet);
        for other in [Dialect::Java, Dialect::Pcre2, Dialect::Rust] {
            let other = read(other);
            for word in words.iter().step_by(7) {
                let word = SmtString::from(word.as_str());
                assert_eq!(
                    matcher::matches(&dotnet, &word),
                    matcher::matches(&other, &word),
                    "{}",
                    source.pattern
                );
            }
        }
    }
}

#[test]
fn a_longer_list_keeps_the_first_pairs() {
    let make = |pairs| {
        let given = params(&[("pairs", ParamValue::Int(pairs))]);
        generate("random-regexes", &given, 3, &[Alphabet::Ascii]).unwrap()
    };
    assert_eq!(make(4)[..], make(9)[..8]);
}

#[test]
fn mistakes_are_named() {
    let fail = |name: &str, list: &[(&str, ParamValue)]| {
        generate(name, &params(list), 0, &[Alphabet::Ascii]).unwrap_err().to_string()
    };
    assert_eq!(fail("lnog", &[]), "there is no generator 'lnog': did you mean 'long'?");
    assert_eq!(
        fail("random-regexes", &[("sise", ParamValue::Int(1))]),
        "generator 'random-regexes' has no parameter 'sise': did you mean 'size'?"
    );
    assert!(
        fail("long", &[("n", ParamValue::Text("x".into()))]).contains("parameter 'n': a whole number from 1")
    );
    assert!(fail("long", &[("n", ints(&[3, 3]))]).contains("3 is there twice"));
    assert!(fail("long", &[("n", ParamValue::Int(i64::MAX))]).contains("whole number"));
    assert!(fail("long", &[("n", ParamValue::Float(1.5))]).contains("not 1.5"));
    assert!(
        fail("random-regexes", &[("operations", ParamValue::Text("union".into()))])
            .contains("not one of product")
    );
    assert!(
        fail("random-regexes", &[("letters", ParamValue::Text("é".into()))])
            .contains("not in the alphabet ascii")
    );
    assert!(fail("random-regexes", &[("letters", ParamValue::Text(String::new()))]).contains("at least one"));
    let zero = [("concat", ParamValue::Int(0)), ("union", ParamValue::Int(0))];
    assert!(fail("random-regexes", &zero).contains("cannot both be 0"));
    assert_eq!(generate("long", &BTreeMap::new(), 0, &[]), Err(GeneratorError::Empty { generator: "long" }));
    assert!(fail("long", &[("n", ints(&[]))]).contains("makes no task"));
}

#[test]
fn pages_have_the_constraints_of_the_figure() {
    for fixed in [false, true] {
        let tasks =
            generate("sql-injection", &params(&[("fixed", ParamValue::Bool(fixed))]), 1, &[Alphabet::Latin1]);
        let tasks = tasks.unwrap();
        let inclusions = |task: &Task| task.question.as_system().unwrap().text.matches(" < ").count();
        let counts: Vec<usize> = tasks.iter().map(inclusions).collect();
        assert_eq!(counts, [29, 16, 16, 156, 102, 10, 4, 10, 10, 31, 41, 81, 10, 66, 387, 10, 10]);
        let expected = if fixed { Verdict::Unsat } else { Verdict::Sat };
        assert!(tasks.iter().all(|task| task.expected.as_ref().unwrap().verdicts == [expected]));
    }
}

#[test]
fn random_systems_have_cycles_and_shared_variables() {
    let count = params(&[("count", ParamValue::Int(300))]);
    let tasks = generate("random-systems", &count, 1, &[Alphabet::Latin1]).unwrap();
    let lefts = |task: &Task| -> Vec<Vec<String>> {
        let text = &task.question.as_system().unwrap().text;
        let left = |line: &str| line.split_once(" < ").map(|(left, _)| left.to_owned());
        let parts = |left: String| left.split(" . ").map(str::to_owned).collect();
        text.lines().filter_map(left).map(parts).collect()
    };
    // v0 before v1 somewhere, and v1 before v0.
    let follows = |paths: &[Vec<String>], a: &str, b: &str| {
        paths.iter().any(|path| path.windows(2).any(|pair| pair[0] == a && pair[1] == b))
    };
    let cycles =
        tasks.iter().map(lefts).filter(|paths| follows(paths, "v0", "v1") && follows(paths, "v1", "v0"));
    assert!(cycles.count() > 20);
    let squares = tasks
        .iter()
        .map(lefts)
        .filter(|paths| paths.iter().any(|path| path.windows(2).any(|p| p[0] == p[1])));
    assert!(squares.count() > 20);
}

//! Files that cannot be used, and the exact words that say so.

mod sfa;

use std::fmt::Write as _;
use std::path::Path;

use harness_config::{Config, Unavailable, Vocabulary};

use sfa::sfa;

fn vocabulary() -> Vocabulary {
    let own = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect();
    Vocabulary {
        families: vec![sfa(&["sfa-bdd-eager", "sfa-bdd-lazy", "sfa-ranges-eager", "sfa-ranges-lazy"])],
        unavailable: vec![Unavailable {
            pattern: "peer-*".into(),
            why: "build with '--features peers'".into(),
        }],
        corpora: own(&["regexes/li2009"]),
        recipes: own(&[]),
        generators: own(&["long", "random-regexes", "random-graphs"]),
        problems: own(&["random-graphs"]),
        layouts: own(&["figure-3.8", "table-4.2"]),
    }
}

/// A good file; each case replaces one piece of it.
const GOOD: &str = "\
name: quick
seed: 7
workers: 2
limits: {wall: 10s, memory: 1GiB}
repeats: 1
sampling: {total: 50ms, max_samples: 20}
alphabets: [ascii]
tasks:
  - corpus:
      name: regexes/li2009
      operations: [product]
      exclude: [A6]
  - generator:
      name: long
      params: {n: [1, 10]}
strategies: [sfa-bdd-lazy, 'sfa-*-eager']
on_bad_task: skip
report:
  layouts: [figure-3.8]
  scatter: [[sfa-bdd-lazy, sfa-bdd-eager]]
";

/// What is replaced, and by what.
const CASES: &[(&str, &str)] = &[
    // the shape
    ("seed: 7", "sed: 7"),
    ("seed: 7", "frobnicate: 7"),
    ("seed: 7", "seed: seven"),
    ("seed: 7", "seed: -7"),
    ("seed: 7", "seed: 7\nseed: 8"),
    ("seed: 7", "seed: [7"),
    ("seed: 7", "seed: [7]"),
    ("seed: 7", "seed: {from: 7}"),
    ("seed: 7", "seed:"),
    ("repeats: 1", "repeats: ~"),
    ("max_samples: 20", "max_samples: [20]"),
    ("max_samples: 20", "max_samples: "),
    ("      exclude: [A6]", "      batch:"),
    ("      exclude: [A6]", "      variants: # all"),
    ("      exclude: [A6]", "      variants: [true]"),
    ("seed: 7", "seed: '7'"),
    ("seed: 7", "seed: 18446744073709551616"),
    ("seed: 7", "seed: true"),
    ("workers: 2", "workers: \"2\""),
    ("repeats: 1", "repeats: \"3\""),
    ("repeats: 1", "repeats: 4294967296"),
    ("max_samples: 20", "max_samples: '20'"),
    ("      exclude: [A6]", "      batch: \"true\""),
    ("      exclude: [A6]", "      variants: 1"),
    ("      params: {n: [1, 10]}", "      seed: \"1\""),
    ("name: quick", "# no name"),
    ("name: quick", "name:"),
    ("name: quick", "name: Quick Run"),
    ("limits: {wall: 10s, memory: 1GiB}", "limits: 10s"),
    ("wall: 10s", "walls: 10s"),
    ("wall: 10s", "wall: 10"),
    ("wall: 10s", "wall: 10 seconds"),
    ("wall: 10s", "wall: 0s"),
    ("memory: 1GiB", "memory: 1GB"),
    ("memory: 1GiB", "memory: 1MiB"),
    ("workers: 2", "workers: 0"),
    ("repeats: 1", "repeats: 0"),
    ("repeats: 1", "repeats: 1.5"),
    ("max_samples: 20", "max_samples: 0"),
    ("on_bad_task: skip", "on_bad_task: skipp"),
    ("  - corpus:", "  - corpsu:"),
    ("  - corpus:\n", "  corpus:\n"),
    ("      operations: [product]", "      operation: [product]"),
    // names
    ("alphabets: [ascii]", "alphabets: [asci]"),
    ("alphabets: [ascii]", "alphabets: [ascii, ascii]"),
    ("alphabets: [ascii]", "alphabets: []"),
    ("alphabets: [ascii]", "alphabets: ascii"),
    ("alphabets: [ascii]", ""),
    ("regexes/li2009", "regexes/li2008"),
    ("regexes/li2009", "regexes/kaluza"),
    ("[product]", "[intersection]"),
    ("[product]", "[products]"),
    ("name: long", "name: lnog"),
    ("exclude: [A6]", "exclude: [A6, A6]"),
    ("{n: [1, 10]}", "{n: {a: 1}}"),
    ("{n: [1, 10]}", "{n: [[1]]}"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[sfa-bdd-lzay]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[z3-seq]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "['sfa-*-bfs']"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[peer-regexsolver]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[sfa-bdd-lazy, sfa-bdd-eager, sfa-bdd-lazy]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "*nowhere"),
    ("figure-3.8", "figure-38"),
    ("figure-3.8", "figure-3.8, figure-3.8"),
    ("[[sfa-bdd-lazy, sfa-bdd-eager]]", "[[sfa-bdd-lazy]]"),
    ("[[sfa-bdd-lazy, sfa-bdd-eager]]", "[[sfa-bdd-lazy, sfa-ranges-lazy]]"),
    // families
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[{family: sfo}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[{family: peer-z}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[{as: mine}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[{family: sfa, option: {}}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[{family: sfa, options: {mod: lazy}}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[{family: sfa, options: {mode: eagre, limit: 100}}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[{family: sfa, options: {once: [1, x]}}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[{family: sfa, options: {mode: eager, once: true}}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[{family: sfa, options: {limit: \"50\"}}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[{family: sfa, options: {limit: 50.0}}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[{family: sfa, options: {once: 'true'}}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[{family: sfa, as: My Own}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[{family: sfa, as: sfa-bdd-eager}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[sfa-bdd-lazy, {family: sfa}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[{family: sfa, as: a}, {family: sfa, as: a, options: {limit: 9}}]"),
    ("[sfa-bdd-lazy, 'sfa-*-eager']", "[sfa-bdd-lazy, [sfa-bdd-eager]]"),
    ("on_bad_task: skip", "leave_out: [{strategies: ['sfa-*'], alphabets: [ascii], because: too slow}]"),
    ("on_bad_task: skip", "leave_out: [{strategies: ['sfa-*'], alphabets: [utf16], because: ''}]"),
    ("on_bad_task: skip", "leave_out: [{strategies: [sfa-ranges-lazy], alphabets: [utf16], because: slow}]"),
    ("on_bad_task: skip", "leave_out: [{strategies: [sfa-rangs-lazy], alphabets: [utf16], because: slow}]"),
    // what is worse
    ("on_bad_task: skip", "regress: {ratio: \"1.1\"}"),
    ("on_bad_task: skip", "regress: {task_ratio: '2'}"),
    ("on_bad_task: skip", "regress: {alpha: '0.05'}"),
    ("on_bad_task: skip", "regress: {confirm: '2'}"),
    ("on_bad_task: skip", "regress: {ratio: 1.0}"),
    ("on_bad_task: skip", "regress: {ratio: .nan}"),
    ("on_bad_task: skip", "regress: {ratio: 10 %}"),
    ("on_bad_task: skip", "regress: {task_ratio: 0.5}"),
    ("on_bad_task: skip", "regress: {alpha: 0.9}"),
    ("on_bad_task: skip", "regress: {confirm: 100}"),
    ("on_bad_task: skip", "regress: {metric: wall}"),
    ("on_bad_task: skip", "regress: {counters: more}"),
    ("on_bad_task: skip", "regress: {ignore: [states, states]}"),
    ("on_bad_task: skip", "regress: {threshold: 1.1}"),
];

fn parse(text: &str) -> Result<Config, String> {
    Config::parse(text, Path::new("a.yaml"), Path::new("base"), &vocabulary()).map_err(|e| e.to_string())
}

#[test]
fn every_bad_file_says_where_and_why() {
    assert!(parse(GOOD).is_ok(), "{:?}", parse(GOOD));
    let mut all = String::new();
    for (piece, bad) in CASES {
        assert_eq!(GOOD.matches(piece).count(), 1, "'{piece}' should be there once");
        match parse(&GOOD.replace(piece, bad)) {
            Ok(config) => panic!("'{bad}' was accepted: {config:?}"),
            Err(error) => {
                assert!(error.starts_with("a.yaml:"), "{error}");
                let _ = writeln!(all, "## {piece:?} -> {bad:?}\n{error}\n");
            }
        }
    }
    insta::assert_snapshot!("bad", all);
}

#[test]
fn all_problems_of_a_file_are_found_at_once() {
    let text = GOOD.replace("wall: 10s", "wall: 10").replace("figure-3.8", "figure-3.11");
    let error = parse(&text).unwrap_err();
    assert_eq!(error.matches("a.yaml:").count(), 2, "{error}");
}

#[test]
fn no_tasks_and_no_file() {
    let text = "name: x\nalphabets: [ascii]\ntasks: []\nstrategies: [sfa-bdd-lazy]\n";
    assert_eq!(
        parse(text).unwrap_err(),
        "a.yaml:3:8: there are no tasks: 'tasks' needs at least one entry\n  3 | tasks: []\n    |        ^"
    );
    assert!(parse("").unwrap_err().starts_with("a.yaml:"));
    let missing = Config::read(Path::new("no/such.yaml"), &vocabulary()).unwrap_err().to_string();
    assert!(missing.starts_with("no/such.yaml: the configuration cannot be read: "), "{missing}");
}

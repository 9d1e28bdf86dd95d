//! Files that can be used, and what they become.

#![expect(clippy::panic, reason = "helpers of tests fail like tests")]

mod sfa;

use std::path::{Path, PathBuf};
use std::time::Duration;

use backends_api::FamilySpec;
use harness_config::{Config, OnBadTask, Pairs, Param, TaskSource, Vocabulary};
use harness_model::rules::{CounterRule, Metric, Rules};
use harness_model::{Alphabet, Dialect, OperationKind};

use sfa::sfa;

fn tried(text: &str) -> Result<Config, String> {
    let own = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect();
    let vocabulary = Vocabulary {
        families: vec![
            sfa(&["sfa-bdd-eager", "sfa-bdd-lazy", "sfa-ranges-lazy"]),
            FamilySpec::new("classes", "", Vec::new()).preset("classes-lazy", &[]),
        ],
        unavailable: Vec::new(),
        corpora: own(&["regexes/li2009"]),
        recipes: own(&["a/b"]),
        generators: own(&["long"]),
        problems: own(&[]),
        layouts: own(&["figure-3.7", "figure-3.10"]),
    };
    Config::parse(text, Path::new("dir/a.yaml"), Path::new("dir"), &vocabulary)
        .map_err(|error| error.to_string())
}

fn parse(text: &str) -> Config {
    tried(text).unwrap_or_else(|error| panic!("{error}"))
}

fn names(config: &Config) -> Vec<&str> {
    config.strategies.iter().map(|contender| contender.name.as_str()).collect()
}

#[test]
fn families_with_options() {
    let config = parse(
        "name: x\nalphabets: [ascii, utf16]\ntasks: [corpus: {name: regexes/li2009}]\nstrategies:\n\
         - sfa-bdd-lazy\n- {family: sfa, as: my-own, options: {once: true, limit: 9, algebra: ranges}}\n\
         - family: sfa\n  options: {limit: 12}\n- sfa-ranges-lazy-limit-7\n- classes-*\n\
         leave_out: [{strategies: [my-own], alphabets: [utf16], because: slow}]\n\
         report: {scatter: [[my-own, sfa-bdd-lazy-limit-12]]}\n",
    );
    assert_eq!(
        names(&config),
        ["sfa-bdd-lazy", "my-own", "sfa-bdd-lazy-limit-12", "sfa-ranges-lazy-limit-7", "classes-lazy"]
    );
    let own = &config.strategies[1];
    assert_eq!((own.family.as_str(), own.canonical.as_str()), ("sfa", "sfa-ranges-lazy-once-true-limit-9"));
    let options: Vec<(&str, &str)> = own.options.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(options, [("algebra", "ranges"), ("limit", "9"), ("mode", "lazy"), ("once", "true")]);
    assert_eq!(config.strategies[0].options["limit"], "8");
    assert!(config.left_out("my-own", Alphabet::Utf16).is_some());
    assert_eq!(parse(&config.text), config);
}

#[test]
fn what_is_not_said_has_its_default() {
    let text = "name: x\nalphabets: [ascii]\ntasks: [corpus: {name: regexes/li2009}]\nstrategies: ['*']\n";
    let config = parse(text);
    assert_eq!((config.seed, config.repeats, config.workers, config.sampling), (1, 1, None, None));
    assert_eq!(config.limits.wall, Duration::from_secs(60));
    assert_eq!((config.limits.cpu, config.limits.memory), (config.limits.wall, 2 << 30));
    assert_eq!(names(&config), ["sfa-bdd-eager", "sfa-bdd-lazy", "sfa-ranges-lazy", "classes-lazy"]);
    assert_eq!(config.on_bad_task, OnBadTask::Stop);
    assert_eq!(config.regress, Rules::default());
    let TaskSource::Corpus(corpus) = &config.tasks[0].source else { panic!("not a corpus") };
    assert_eq!(corpus.operations, [OperationKind::Product, OperationKind::Difference]);
    assert!(!corpus.batch && !corpus.variants && corpus.include.is_empty());
    // What a run stores of its configuration is the text; read again it is the same.
    assert_eq!(parse(&config.text), config);
}

#[test]
fn everything_that_can_be_said() {
    let config = parse(
        "name: figure-3.8\nseed: 42\nworkers: 3\nlimits: {wall: 1.5s, cpu: 2m, memory: 512MiB}\nrepeats: 5\n\
         sampling: {total: 50ms, max_samples: 20}\nalphabets: [utf16, ascii]\ntasks:\n\
         - corpus: {name: regexes/li2009, alphabets: [unicode], include: [A1], exclude: [A2], batch: true, variants: true}\n\
         - regexes: {file: sub/mine.txt, dialect: java, operations: [difference], include: [a]}\n\
         - generator: {name: long, params: {n: [1, 2], x: 1.5, y: true, z: text}, seed: 7}\n\
         - generator: {name: long}\n\
         strategies: [sfa-bdd-lazy, 'sfa-*']\non_bad_task: skip\n\
         leave_out: [{strategies: ['*-lazy'], alphabets: [utf16], because: ' slow '}]\n\
         report: {layouts: [figure-3.10, figure-3.7], scatter: [[sfa-bdd-lazy, sfa-bdd-eager]]}\n\
         regress: {metric: solve, ratio: 1.05, task_ratio: 2, alpha: 0.01, confirm: 0, counters: exact, ignore: ['z3_*']}\n",
    );
    assert_eq!(config.limits.wall, Duration::from_millis(1500));
    assert_eq!((config.limits.cpu, config.limits.memory), (Duration::from_secs(120), 512 << 20));
    // A pattern adds what it matches, in the vocabulary's order, each once.
    assert_eq!(names(&config), ["sfa-bdd-lazy", "sfa-bdd-eager", "sfa-ranges-lazy"]);
    assert_eq!(config.tasks[0].alphabets, [Alphabet::Unicode]);
    assert_eq!(config.tasks[1].alphabets, [Alphabet::Utf16, Alphabet::Ascii]);
    let TaskSource::Regexes(regexes) = &config.tasks[1].source else { panic!("not a file") };
    assert_eq!(regexes.file, PathBuf::from("dir/sub/mine.txt"));
    assert_eq!((regexes.dialect, regexes.at.line), (Dialect::Java, 10));
    let TaskSource::Generator(generator) = &config.tasks[2].source else { panic!("not a generator") };
    assert_eq!(generator.seed, 7);
    assert_eq!(generator.params["n"], Param::List(vec![Param::Int(1), Param::Int(2)]));
    assert_eq!(generator.params["x"], Param::Float(1.5));
    assert_eq!(generator.params["y"], Param::Bool(true));
    assert_eq!(generator.params["z"], Param::Text("text".into()));
    let TaskSource::Generator(generator) = &config.tasks[3].source else { panic!("not a generator") };
    assert_eq!(generator.seed, 42, "the file's seed stands in");
    // Of a pattern, what is not among the strategies of the file is not left out either.
    assert_eq!(config.leave_out[0].strategies, ["sfa-bdd-lazy", "sfa-ranges-lazy"]);
    assert_eq!(config.leave_out[0].describe(), "sfa-bdd-lazy, sfa-ranges-lazy in utf16: slow");
    assert!(config.left_out("sfa-bdd-lazy", Alphabet::Utf16).is_some());
    assert!(config.left_out("sfa-bdd-lazy", Alphabet::Ascii).is_none());
    assert!(config.left_out("sfa-bdd-eager", Alphabet::Utf16).is_none());
    let rules = &config.regress;
    assert_eq!((rules.metric, rules.counters, rules.confirm), (Metric::Solve, CounterRule::Exact, 0));
    assert_eq!((rules.ratio, rules.task_ratio, rules.alpha), (1.05, 2.0, 0.01));
    assert_eq!(rules.ignore, ["z3_*"]);
    assert_eq!(config.report.layouts, ["figure-3.10", "figure-3.7"]);
    assert_eq!(parse(&config.text), config);
}

#[test]
fn grammars_have_bounds_pairs_and_the_seed_of_the_file() {
    let text = "name: x\nseed: 5\ntasks:\n- grammars: {files: ['*.cfg', a/b.cfg], longest: 12, shortest: 2, pairs: listed, \
         sample: {count: 3}, exclude: [old]}\n- grammars: {files: [c.cfg], longest: 4, alphabets: [ascii]}\nstrategies: ['*']\n";
    let config = parse(text);
    assert_eq!(config.tasks[0].alphabets, [Alphabet::Latin1]);
    let TaskSource::Grammars(grammars) = &config.tasks[0].source else { panic!("no grammars") };
    assert_eq!((grammars.shortest, grammars.longest, grammars.pairs), (2, 12, Pairs::Listed));
    assert_eq!((grammars.files.len(), grammars.exclude[0].1.as_str()), (2, "old"));
    assert_eq!(grammars.sample, Some((3, 5)));
    let TaskSource::Grammars(grammars) = &config.tasks[1].source else { panic!("no grammars") };
    assert_eq!((grammars.shortest, grammars.pairs, grammars.sample), (0, Pairs::All, None));
    assert_eq!(config.tasks[1].alphabets, [Alphabet::Ascii]);
    for (from, to, part) in [
        ("longest: 12, ", "", "longest"),
        ("longest: 12", "longest: 1001", "words have at most 1000 characters"),
        ("shortest: 2", "shortest: 13", "'shortest' is 13, but 'longest' is 12"),
        ("listed", "lsted", "there is no choice of pairs 'lsted': did you mean 'listed'?"),
        ("['*.cfg', a/b.cfg]", "[]", "at least one path or pattern"),
    ] {
        let error = tried(&text.replacen(from, to, 1)).err().unwrap_or_default();
        assert!(error.contains(part), "{to}: {error}");
    }
}

#[test]
fn what_was_fetched_needs_no_alphabet_and_has_the_seed_of_the_file() {
    let config = parse(
        "name: x\nseed: 5\ntasks:\n- fetched: {name: a/b, exclude: [old], where: [terms < 9], sample: {count: 3}}\n\
         - fetched: {name: my/own, alphabets: [ascii]}\nstrategies: ['*']\n",
    );
    assert_eq!(config.tasks[0].alphabets, [Alphabet::Unicode]);
    let TaskSource::Fetched(fetched) = &config.tasks[0].source else { panic!("not fetched") };
    assert_eq!((fetched.name.0.line, fetched.name.1.as_str()), (4, "a/b"));
    assert_eq!(fetched.exclude[0].1, "old");
    assert_eq!(fetched.conditions[0].1, "terms < 9");
    assert_eq!(fetched.sample, Some((3, 5)));
    // Whether there is such a recipe is found when its corpus is looked for.
    let TaskSource::Fetched(fetched) = &config.tasks[1].source else { panic!("not fetched") };
    assert_eq!((fetched.name.1.as_str(), fetched.sample), ("my/own", None));
}

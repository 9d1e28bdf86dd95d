//! Cases of judging, one file each under `cases/`: what happened, and what has to be made of it. Formulas
//! over strings are put as the operation on expressions that says the same.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use common::{answered, empty, ended, product, task, word};
use harness_judge::{Severity, judge};
use harness_model::record::{Record, Termination, TimeLimit, Usage};
use harness_model::{Answer, OperationKind, SmtString, Status, Task, Verdict};
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
struct Case<G, E> {
    given: G,
    expect: E,
}

fn case<G: DeserializeOwned, E: DeserializeOwned>(file: &str) -> (G, E) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(file);
    let case: Case<G, E> = serde_saphyr::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    (case.given, case.expect)
}

fn one_task() -> Task {
    product("t", "a", "a")
}

/// Seconds and millions of bytes as the kernel accounts them.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small figures of a test")]
fn usage(wall_s: f64, cpu_s: f64, peak_mb: u64) -> Usage {
    Usage {
        wall_ns: (wall_s * 1e9) as u64,
        cpu_ns: (cpu_s * 1e9) as u64,
        peak_rss_bytes: peak_mb * 1_000_000,
    }
}

#[test]
fn case_159_memory_kill_or_time_kill() {
    #[derive(Deserialize)]
    struct Given {
        signal: i32,
        wall_s: f64,
        cpu_s: f64,
        peak_mb: u64,
        mem_limit_mb: u64,
        killed_by_harness: bool,
    }
    #[derive(Deserialize)]
    struct Expect {
        classes: Vec<String>,
    }
    let (given, expect): (Vec<Given>, Expect) = case("159-memory-kill-or-time-kill.yaml");
    let records: Vec<Record> = given
        .iter()
        .map(|g| {
            // All three died of the same signal. The runner knows which of its limits struck and writes it
            // down.
            let cause = if g.peak_mb >= g.mem_limit_mb {
                Termination::Memout
            } else if g.killed_by_harness {
                Termination::Timeout(TimeLimit::Wall)
            } else {
                Termination::Signal(g.signal)
            };
            Record {
                usage: Some(usage(g.wall_s, g.cpu_s, g.peak_mb)),
                ..ended(&one_task(), "s", cause, vec![])
            }
        })
        .collect();
    let judgements = judge(&[one_task()], &records).judgements;
    for (judgement, class) in judgements.iter().zip(&expect.classes) {
        let (status, part) = match class.as_str() {
            "out-of-memory" => (Status::Memout, "memory limit, peak 1907 MiB"),
            "timeout" => (Status::Timeout, "wall limit, after 60.200 s"),
            "killed-from-outside" => (Status::Crash, "SIGKILL from outside"),
            other => panic!("{other}"),
        };
        assert_eq!(judgement.status, status);
        assert!(judgement.detail.contains(part), "{}", judgement.detail);
    }
    assert_eq!(judgements.len(), expect.classes.len());
}

#[test]
fn case_164_incomplete_run() {
    #[derive(Deserialize)]
    struct Given {
        expected_queries: usize,
        stdout: String,
    }
    #[derive(Deserialize)]
    struct Expect {
        class: String,
        answered: usize,
    }
    let (given, expect): (Given, Expect) = case("164-incomplete-incremental-run.yaml");
    let asked = vec![(OperationKind::Product, 0, 0); given.expected_queries];
    let five = task("t", &["a*"], &asked);
    let answers: Vec<Answer> = given
        .stdout
        .lines()
        .map(|line| match line {
            "sat" => word("a"),
            "unsat" => empty(),
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(answers.len(), expect.answered);
    let found = judge(std::slice::from_ref(&five), &[answered(&five, "s", answers)]);
    let judgement = &found.judgements[0];
    assert!(!judgement.status.is_solved(), "its time must not be compared");
    assert_eq!(judgement.status, Status::Error);
    assert_eq!(
        judgement.detail,
        format!("{}: answered {} of {} operations", expect.class, expect.answered, given.expected_queries)
    );
}

#[test]
fn case_168_solver_ignores_its_timeout() {
    #[derive(Deserialize)]
    struct Given {
        harness_limit_s: f64,
        wall_s: f64,
    }
    #[derive(Deserialize)]
    struct Expect {
        class: String,
    }
    let (given, expect): (Given, Expect) = case("168-solver-ignores-its-timeout.yaml");
    assert!(given.wall_s > given.harness_limit_s);
    // It did answer, after the limit.
    let late = ended(&one_task(), "s", Termination::Timeout(TimeLimit::Wall), vec![empty()]);
    let late = Record { usage: Some(usage(given.wall_s, 1.0, 10)), ..late };
    let judgement = judge(&[one_task()], &[late]).judgements.remove(0);
    assert_eq!(judgement.status.name(), expect.class);
    assert_eq!(judgement.detail, "wall limit, after 10.300 s; late verdict empty, not counted");
}

#[derive(Deserialize)]
struct Said {
    verdict: String,
    #[serde(default)]
    model: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Formula {
    formula: String,
    answers: BTreeMap<String, Said>,
}

impl Formula {
    /// The task that says the same as the formula.
    fn task(&self) -> Task {
        match self.formula.as_str() {
            r#"(= s (str.++ "a" "b"))"# => product("t", "ab", "ab"),
            r#"(and (str.prefixof "a" s) (= (str.len s) 2))"# => product("t", "a[^z]*", "[^z]{2}"),
            other => panic!("{other}"),
        }
    }

    fn records(&self) -> Vec<Record> {
        let task = self.task();
        let record = |(strategy, said): (&String, &Said)| match said.verdict.as_str() {
            "sat" => answered(&task, strategy, vec![word(&said.model["s"])]),
            "unsat" => answered(&task, strategy, vec![empty()]),
            "timeout" => ended(&task, strategy, Termination::Timeout(TimeLimit::Wall), vec![]),
            other => panic!("{other}"),
        };
        self.answers.iter().map(record).collect()
    }
}

#[test]
fn case_170_majority_is_not_proof() {
    #[derive(Deserialize)]
    struct Expect {
        verdict: String,
        wrong: Vec<String>,
    }
    let (given, expect): (Formula, Expect) = case("170-majority-is-not-proof.yaml");
    assert_eq!(expect.verdict, "sat");
    let records = given.records();
    let found = judge(&[given.task()], &records);
    for (record, judgement) in records.iter().zip(&found.judgements) {
        let wrong = expect.wrong.contains(&record.key.strategy);
        let status = if wrong { Status::Wrong } else { Status::Answered(Verdict::Nonempty) };
        assert_eq!(judgement.status, status, "{}", record.key);
    }
    let [disagreement] = found.disagreements.as_slice() else { panic!("{:?}", found.disagreements) };
    assert_eq!(disagreement.settled.as_deref(), Some("\"ab\" of A is in the language, checked"));
    assert_eq!(found.severity(), Severity::Wrong);
}

#[test]
fn case_171_sat_with_a_bad_model() {
    #[derive(Deserialize)]
    struct Expect {
        verdict: String,
        flags: BTreeMap<String, String>,
    }
    let (given, expect): (Formula, Expect) = case("171-sat-with-bad-model.yaml");
    assert_eq!(expect.verdict, "undecided");
    let mut records = given.records();
    let found = judge(&[given.task()], &records);
    for (record, judgement) in records.iter().zip(&found.judgements) {
        let flag = expect.flags.get(&record.key.strategy).map_or("timeout", String::as_str);
        assert_eq!(judgement.status.name(), flag, "{}", record.key);
    }
    assert_eq!(found.judgements[0].detail, "the witness \"ba\" is not in A");
    assert_eq!((found.severity(), found.disagreements.len()), (Severity::InvalidModel, 0));
    // Undecided: a third one may say either without being contradicted.
    for answer in [empty(), word("ab")] {
        let own = answer.verdict;
        records.push(answered(&given.task(), "C", vec![answer]));
        let found = judge(&[given.task()], &records);
        assert_eq!(found.judgements[0].status, Status::InvalidModel);
        assert_eq!(found.judgements[2].status, Status::Answered(own));
        records.pop();
    }
}

#[test]
fn case_173_a_witness_of_two_characters_that_look_like_an_escape() {
    #[derive(Deserialize)]
    struct Given {
        value: String,
    }
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Expect {
        length: Option<usize>,
        codes: Option<Vec<u32>>,
    }
    let (given, expect): (Vec<Given>, Vec<Expect>) = case("173-model-value-forms.yaml");
    let literal = given[3].value.trim_matches('"');
    let text = SmtString::unescape(literal).unwrap();
    let codes: Vec<u32> = text.chars().iter().map(|c| c.0).collect();
    assert_eq!(Some(text.len()), expect[3].length);
    assert_eq!(Some(&codes), expect[3].codes.as_ref());
    let two = product("t", r"\\\x00", "[^z]{2}");
    let found = judge(std::slice::from_ref(&two), &[answered(&two, "s", vec![Answer::word(text)])]);
    assert_eq!(found.judgements[0].status, Status::Answered(Verdict::Nonempty));
    assert_eq!(found.judgements[0].witness.as_deref(), Some(r"\u{5c}\u{0}"));
}

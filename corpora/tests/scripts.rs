//! The corpora of scripts: they are read, and their answers are right as far as models and brute force can
//! tell.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::path::{Path, PathBuf};

use backends_api::{BackendError, Budget, Probe, Strategy};
use backends_bounded::{Bounds, BruteForce};
use corpora::{Options, load, names};
use harness_check::model::ModelVerdict;
use harness_model::{Alphabet, Task, Verdict};
use harness_smtlib::model;
use harness_theory::Query;

/// The corpora of scripts, all but the path trees, which have tests of their own.
fn corpora() -> Vec<&'static str> {
    let of_scripts =
        |name: &&str| !["regexes/li2009", "systems/li2009"].contains(name) && !name.starts_with("jst/");
    names().into_iter().map(|corpus| corpus.name).filter(of_scripts).collect()
}

fn tasks(name: &str, alphabet: Alphabet) -> Vec<Task> {
    load(name, &Options { alphabets: vec![alphabet], ..Options::default() }).unwrap()
}

fn queries(task: &Task) -> Vec<Query> {
    let text = &task.question.as_script().unwrap().text;
    harness_smtlib::read(text.as_bytes()).unwrap_or_else(|e| panic!("{}: {e}", task.id)).queries
}

fn expected(task: &Task) -> &[Verdict] {
    &task.expected.as_ref().unwrap().verdicts
}

/// Name of the script that a task is about.
fn entry(task: &Task) -> &str {
    task.id.rsplit('/').next().unwrap()
}

#[test]
fn every_script_is_read_and_has_as_many_answers_as_queries() {
    let mut scripts = 0;
    for name in corpora() {
        for task in tasks(name, Alphabet::Unicode) {
            let queries = queries(&task).len();
            assert_eq!(queries, expected(&task).len(), "{}", task.id);
            assert_eq!(queries, task.question.asked(), "{}", task.id);
            scripts += 1;
        }
    }
    assert!(scripts >= 299, "{scripts}");
}

/// The text of each model beside a corpus; `None` for a corpus without a folder of models.
fn models(name: &str) -> Option<Vec<(String, Vec<u8>)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(name.trim_end_matches("/smt")).join("models");
    let files = std::fs::read_dir(folder).ok()?.map(|file| file.unwrap().path());
    let model = |p: PathBuf| (p.file_stem().unwrap().to_str().unwrap().to_owned(), std::fs::read(p).unwrap());
    Some(files.map(model).collect())
}

/// Whether the model is one of the query; a model of other variables is not.
fn satisfies(query: &Query, text: &[u8], alphabet: Alphabet) -> bool {
    let Ok(Ok(model)) = model::read(text, &query.problem, Alphabet::Unicode) else { return false };
    let Ok(assignment) = harness_check::model::evaluate(&model, &query.problem, alphabet) else {
        return false;
    };
    harness_check::model::check(&query.problem, &assignment, alphabet) == ModelVerdict::Holds
}

#[test]
fn what_is_satisfiable_has_a_model_beside_it() {
    let mut checked = 0;
    for name in corpora() {
        let Some(models) = models(name) else { continue };
        for alphabet in [Alphabet::Ascii, Alphabet::Unicode] {
            for task in tasks(name, alphabet) {
                let own = entry(&task).trim_end_matches("-cap30");
                for (number, (query, verdict)) in queries(&task).iter().zip(expected(&task)).enumerate() {
                    let mut fitting = models.iter().filter(|(_, text)| satisfies(query, text, alphabet));
                    match verdict {
                        Verdict::Sat if own.starts_with("tree") => {
                            assert!(fitting.next().is_some(), "{} query {number}", task.id);
                        }
                        Verdict::Sat => {
                            assert!(fitting.any(|(name, _)| name == own), "{}", task.id);
                        }
                        _ => assert_eq!(fitting.next(), None, "{} query {number}", task.id),
                    }
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 540, "{checked}");
}

/// What brute force says of each query, or why it says nothing.
fn brute_force(task: &Task, steps: u64) -> Result<Vec<Verdict>, BackendError> {
    let strategy = BruteForce::new(Bounds::DEFAULT);
    let (budget, probe) = (Budget::with_steps(steps), Probe::new());
    let mut run = strategy.prepare(&task.question, &budget, &probe)?;
    Ok(run.run(&probe)?.answers.iter().map(|a| a.verdict).collect())
}

#[test]
fn brute_force_contradicts_no_answer() {
    let mut solved = 0;
    for name in corpora() {
        for task in tasks(name, Alphabet::Unicode) {
            let Ok(verdicts) = brute_force(&task, 200_000) else { continue };
            for (said, right) in verdicts.iter().zip(expected(&task)) {
                match said {
                    Verdict::Sat | Verdict::Unsat => assert_eq!(said, right, "{}", task.id),
                    _ => {}
                }
                solved += usize::from(said == right);
            }
        }
    }
    assert!(solved >= 40, "{solved}");
}

#[test]
fn the_extreme_of_figure_4_2_is_shown_by_brute_force() {
    let tasks = tasks("programs/extremes", Alphabet::Ascii);
    assert_eq!(entry(&tasks[1]), "figure-4.2");
    assert_eq!(brute_force(&tasks[1], 1_000_000), Ok(vec![Verdict::Unsat]));
}

#[test]
fn answers_are_given_where_they_are_known() {
    assert!(tasks("programs/easychair", Alphabet::Utf16).iter().all(|t| t.expected.is_some()));
    assert!(tasks("smtlib/cases", Alphabet::Ascii).iter().all(|t| t.expected.is_none()));
}

#[test]
fn choosing_by_name() {
    let only = |include: &[&str], exclude: &[&str]| {
        let names = |list: &[&str]| list.iter().map(|&n| n.to_owned()).collect();
        load(
            "programs/wu-ftpd",
            &Options { include: names(include), exclude: names(exclude), ..Options::default() },
        )
    };
    let ids = |tasks: Vec<Task>| tasks.into_iter().map(|t| t.id).collect::<Vec<_>>();
    assert_eq!(ids(only(&["w2"], &[]).unwrap()), ["programs/wu-ftpd/ascii/w2"]);
    assert_eq!(only(&[], &["w2", "tree"]).unwrap().len(), 18);
    let error = only(&["w2-cap3"], &[]).unwrap_err().to_string();
    assert_eq!(error, "corpus programs/wu-ftpd has no script 'w2-cap3': did you mean 'w2-cap30'?");
    assert!(only(&["w1"], &["w1"]).unwrap_err().to_string().contains("every script is excluded"));
    assert!(load("programs/wuftpd", &Options::default()).unwrap_err().to_string().contains("did you mean"));
}

//! The path trees: they are trees, and inputs reach every node that is said to be feasible.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use corpora::{Options, load};
use harness_check::eval::Evaluator;
use harness_model::{Alphabet, SmtString, Task, Verdict};
use harness_smtlib::tree::{self, NodeKind};
use harness_theory::op::{CoreOp, Op};
use harness_theory::term::{Term, TermId, VarId};
use harness_theory::{Assignment, Value};
use harness_theory::{Problem, Query};

const TREES: [(&str, usize); 6] = [
    ("jst/example-a", 5),
    ("jst/example-b", 6),
    ("jst/example-c", 4),
    ("jst/example-c/no-models", 4),
    ("jst/example-d", 4),
    ("jst/figure-5", 4),
];

fn tasks(name: &str) -> Vec<Task> {
    load(name, &Options { alphabets: vec![Alphabet::Ascii], ..Options::default() }).unwrap()
}

fn text(task: &Task) -> &[u8] {
    task.question.as_script().unwrap().text.as_bytes()
}

fn expected(task: &Task) -> &[Verdict] {
    &task.expected.as_ref().unwrap().verdicts
}

fn entry(task: &Task) -> &str {
    task.id.rsplit('/').next().unwrap()
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

#[test]
fn every_script_is_a_tree_with_an_answer_for_each_node() {
    for (name, count) in TREES {
        let tasks = tasks(name);
        assert_eq!(tasks.len(), count, "{name}");
        for task in tasks {
            let tree = tree::read(text(&task)).unwrap().unwrap();
            assert_eq!(tree.name, entry(&task));
            let answers = expected(&task);
            assert_eq!(tree.nodes.len(), answers.len(), "{}", task.id);
            for (node, answer) in tree.nodes.iter().zip(answers) {
                if let Some(parent) = node.parent {
                    assert!(answers[parent] == Verdict::Sat || *answer == Verdict::Unsat, "{}", task.id);
                }
                assert!(!node.kind.is_end() || !node.name.is_empty(), "{}: an end without a name", task.id);
            }
            assert!(tree.nodes.iter().any(|n| n.kind == NodeKind::Leaf), "{}", task.id);
        }
        let files = std::fs::read_dir(folder(name)).unwrap();
        let scripts = files.filter(|f| f.as_ref().unwrap().path().extension().is_some_and(|e| e == "smt2"));
        assert_eq!(scripts.count(), count, "a file of {name} is not in the list");
    }
}

/// The inputs beside a tree: names of variables, then a row of values each.
fn inputs(name: &str, entry: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader =
        csv::Reader::from_path(folder(name).join("inputs").join(format!("{entry}.csv"))).unwrap();
    let names = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows = reader.records().map(|r| r.unwrap().iter().map(str::to_owned).collect()).collect();
    (names, rows)
}

/// The definitions of a problem in order: a variable and the term that it equals.
fn definitions(problem: &Problem, known: &HashSet<VarId>) -> Vec<(VarId, TermId)> {
    let mut known = known.clone();
    let mut found = Vec::new();
    for &assertion in &problem.assertions {
        let Term::App(Op::Core(CoreOp::Eq), sides) = problem.terms.get(assertion) else { continue };
        if let [left, right] = sides[..]
            && let Term::Var(variable) = *problem.terms.get(left)
            && known.insert(variable)
        {
            found.push((variable, right));
        }
    }
    found
}

/// Whether the program with these inputs comes to the node.
fn reaches(query: &Query, names: &[String], row: &[String]) -> bool {
    let problem = &query.problem;
    let variable = |name: &str| {
        let of = |v: &&VarId| problem.terms.variables()[v.index()].name == name;
        problem.variables.iter().find(of).copied()
    };
    let mut assignment = Assignment::new();
    for (name, value) in names.iter().zip(row) {
        let variable = variable(name).unwrap_or_else(|| panic!("there is no input '{name}'"));
        assignment.insert(variable, Value::String(SmtString::from(value.as_str())));
    }
    let known: HashSet<VarId> = assignment.keys().copied().collect();
    for (variable, term) in definitions(problem, &known) {
        let mut evaluator = Evaluator::new(&problem.terms, &[term], Alphabet::Ascii);
        if evaluator.run(&assignment).is_err() {
            return false;
        }
        let Ok(Some(value)) = evaluator.value(0) else { return false };
        assignment.insert(variable, value);
    }
    let missing = problem.variables.iter().any(|v| !assignment.contains_key(v));
    assert!(!missing, "a variable without a definition");
    Evaluator::new(&problem.terms, &problem.assertions, Alphabet::Ascii).all_true(&assignment).unwrap()
}

#[test]
fn inputs_reach_exactly_the_feasible_nodes() {
    for (name, _) in TREES {
        for task in tasks(name) {
            let queries = harness_smtlib::read(text(&task)).unwrap().queries;
            let tree = tree::read(text(&task)).unwrap().unwrap();
            let (names, rows) = inputs(name, entry(&task));
            let mut open: HashMap<usize, Verdict> = expected(&task).iter().copied().enumerate().collect();
            for row in &rows {
                // Who does not come to a node does not come to those below it.
                let mut reached = vec![false; queries.len()];
                for (place, query) in queries.iter().enumerate() {
                    let comes_here = tree.nodes[place].parent.is_none_or(|parent| reached[parent]);
                    reached[place] = comes_here && reaches(query, &names, row);
                    if reached[place] {
                        let verdict = expected(&task)[place];
                        assert_eq!(verdict, Verdict::Sat, "{} node {place}: {row:?}", task.id);
                        open.remove(&place);
                    }
                }
            }
            let left: Vec<_> = open.iter().filter(|(_, v)| **v == Verdict::Sat).collect();
            assert!(left.is_empty(), "{}: no input reaches {left:?}", task.id);
        }
    }
}

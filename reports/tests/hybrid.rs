//! The layouts of PASS and JST on made-up records: which records count where, and what stands beside what.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod support;

use harness_model::{Alphabet, Answer, OperationKind, Question, Status, Task, Verdict};
use reports::analysis::Analysis;
use reports::layout::{jst, nodes, pass};
use reports::table::Table;
use reports::{Dataset, Row, write_all};
use support::{row, run_info};

const SAT: Status = Status::Answered(Verdict::Sat);
const UNSAT: Status = Status::Answered(Verdict::Unsat);
const BOUND: Status = Status::Answered(Verdict::UnsatWithinBound);
const UNKNOWN: Status = Status::Answered(Verdict::Unknown);

const PASS: &str = "parray+automata+qelim";
const CONCRETE: &str = "parray-concrete";
const AUTOMATA: &str = "automata-only";

fn script(family: &str, name: &str, queries: usize) -> Task {
    let task = support::task(Alphabet::Latin1, OperationKind::Product, "A0", "A0");
    Task {
        parameters: Default::default(),
        id: format!("{family}/latin1/{name}"),
        family: family.to_owned(),
        question: Question::of_script(task.question.alphabet, "(check-sat)", queries),
        expected: None,
    }
}

fn counted(mut row: Row, counters: &[(&str, u64)]) -> Row {
    row.record.counters = counters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    row
}

/// The exact cells of the rows that begin with `head`, without these cells.
fn cells(table: &Table, head: &[&str]) -> Vec<Vec<String>> {
    let exact =
        |row: &Vec<reports::table::Cell>| row.iter().map(|cell| cell.exact.clone()).collect::<Vec<_>>();
    let rows = table.rows().iter().map(exact).filter(|row| row.iter().zip(head).all(|(cell, h)| cell == h));
    rows.map(|row| row[head.len()..].to_vec()).collect()
}

fn dataset(strategies: &[&str], layouts: &[&str], tasks: Vec<Task>, rows: Vec<Row>) -> Dataset {
    let mut run = run_info("made-up", strategies, tasks.len() as u64, rows.len() as u64);
    run.report.layouts = layouts.iter().map(|name| (*name).to_owned()).collect();
    Dataset::new(run, tasks, rows, Vec::new(), Vec::new())
}

fn conditions() -> Dataset {
    let families =
        ["pass/easychair", "pass/stress/set-1", "pass/stress/set-1", "pass/stress/set-2", "hybrid/x"];
    let tasks: Vec<Task> =
        families.iter().enumerate().map(|(i, family)| script(family, &format!("c{i}"), 1)).collect();
    let rows = vec![
        counted(row(&tasks[0], PASS, SAT, 0.5), &[("rounds", 3), ("solver_calls", 4), ("length_trials", 0)]),
        counted(row(&tasks[0], CONCRETE, SAT, 2.0), &[("length_trials", 17)]),
        row(&tasks[0], AUTOMATA, UNKNOWN, 0.5),
        row(&tasks[1], PASS, UNSAT, 0.25),
        row(&tasks[1], CONCRETE, BOUND, 25.0),
        row(&tasks[1], AUTOMATA, Status::Unsupported, 0.5),
        row(&tasks[2], PASS, SAT, 1.0),
        row(&tasks[2], CONCRETE, SAT, 0.25),
        row(&tasks[2], AUTOMATA, SAT, 2.0),
        row(&tasks[3], PASS, SAT, 1.0),
        row(&tasks[3], CONCRETE, Status::Timeout, 60.0),
        row(&tasks[3], AUTOMATA, Status::Wrong, 1.0),
        row(&tasks[4], PASS, Status::Timeout, 60.0),
        row(&tasks[4], CONCRETE, Status::Timeout, 60.0),
        row(&tasks[4], AUTOMATA, UNSAT, 1.0),
    ];
    let layouts = ["pass-table-1", "pass-figure-4", "pass-comparison"];
    dataset(&[PASS, CONCRETE, AUTOMATA], &layouts, tasks, rows)
}

#[test]
fn table_1_has_trials_only_where_they_are_reported() {
    let table = pass::table_1::table(&conditions()).unwrap();
    let of = |strategy: &str| cells(&table, &["easychair"]).into_iter().find(|r| r[1] == strategy).unwrap();
    assert_eq!(of(PASS), ["parray+automaton+qelim", PASS, "1", "1", "0", "0.5", "0.5", "0", "3", "", "4"]);
    assert_eq!(of(CONCRETE), ["", CONCRETE, "1", "1", "0", "2", "2", "17", "", "", ""]);
    assert_eq!(of(AUTOMATA)[..8], ["automaton", AUTOMATA, "1", "0", "0", "", "", ""]);
    assert_eq!(
        cells(&table, &["example (a)", "parray", "published"]),
        [["7", "7", "", "7.3", "", "", "", "", ""]]
    );
    // A program that the run does not have keeps its published rows and ratios, and says so.
    let absent = cells(&table, &["lastIndexOf"]);
    assert_eq!(absent.len(), 6);
    assert_eq!(absent[3][..2], ["parray : parray+qelim", "published"]);
    assert_eq!(absent[5][1], "not measured: not in this run");
}

#[test]
fn figure_4_counts_by_set_and_by_what_went_wrong() {
    let table = pass::figure_4::table(&conditions()).unwrap();
    let of = |method: &str, source: &str| cells(&table, &[method, source]).remove(0);
    assert_eq!(of("parray+automaton+qelim", PASS), ["2", "1.25", "1", "1", "3", "0", "0", "0", "0", "0"]);
    assert_eq!(of("", CONCRETE), ["2", "25.25", "0", "", "2", "1", "0", "0", "1", "0"]);
    // A wrong verdict is not solved and has no time.
    assert_eq!(of("automaton", AUTOMATA), ["1", "2", "0", "", "1", "0", "0", "1", "0", "1"]);
    assert_eq!(of("parray", "published")[..5], ["53", "17.6", "0", "", "53"]);
    let rows = table.rows();
    assert_eq!(rows[0][0].exact, "parray");
    assert_eq!(rows[rows.len() - 1][1].exact, CONCRETE, "what the paper does not have comes last");
}

#[test]
fn the_comparison_is_of_what_both_solved() {
    let table = pass::comparison::table(&Analysis::new(&conditions())).unwrap();
    let concrete = cells(&table, &["concrete lengths", CONCRETE]).remove(0);
    // Both solved c0 (4 times faster), c1 (100 times) and c2 (4 times slower); only PASS c3; neither c4.
    assert_eq!(concrete[..4], ["3", "1", "0", "1"]);
    // Nothing is unsupported.
    assert_eq!(concrete[4..6], ["0", "0.75"]);
    let number = |cell: &str| cell.parse::<f64>().unwrap();
    assert!((number(&concrete[6]) - 100.0).abs() < 1e-9 && (number(&concrete[7]) - 4.0).abs() < 1e-9);
    assert!((number(&concrete[8]) - 100f64.powf(1.0 / 3.0)).abs() < 1e-9);
    // One of the three that both solved.
    assert!((number(&concrete[9]) - 1.0 / 3.0).abs() < 1e-9);
    let automata = cells(&table, &["automaton", AUTOMATA]).remove(0);
    // What the other got wrong (c3) or does not support is no win of PASS: it is left out.
    assert_eq!(automata[..5], ["1", "1", "1", "0", "2"]);
    assert!((number(&automata[5]) - 2.0 / 3.0).abs() < 1e-9);
    assert_eq!(cells(&table, &["concrete lengths", "published"])[0][5..8], ["0.8", "150", "4"]);
}

fn answers(row: Row, verdicts: &[Verdict]) -> Row {
    let mut row = row;
    row.record.answers = verdicts.iter().map(|&verdict| Answer::of(verdict)).collect();
    row
}

fn trees() -> Dataset {
    use Verdict::{Sat, Unknown, Unsat};
    let tasks = vec![
        script("jst/example-b", "one", 5),
        script("jst/example-b", "two-1", 9),
        script("jst/example-a", "figure-1", 3),
        script("jst/example-c", "one", 2),
        script("jst/example-c/no-models", "one", 2),
        script("jst/figure-5", "height-1", 2),
    ];
    let counters = [
        ("paths_true", 2),
        ("paths_tentative", 3),
        ("paths_exception", 1),
        ("nodes_full", 4),
        ("nodes_relaxed", 1),
        ("iterations", 12),
        ("iterations_max", 7),
    ];
    let rows = vec![
        counted(answers(row(&tasks[0], "hybrid", SAT, 0.5), &[Unknown, Sat, Sat, Sat, Unsat]), &counters),
        counted(answers(row(&tasks[0], "hybrid-full", SAT, 2.0), &[Sat, Sat, Sat, Sat, Unsat]), &counters),
        row(&tasks[1], "hybrid", Status::Timeout, 60.0),
        counted(
            answers(row(&tasks[1], "hybrid-full", UNKNOWN, 2.0), &[Unknown; 9]),
            &[("paths_tentative", 4)],
        ),
        counted(answers(row(&tasks[2], "hybrid", SAT, 0.25), &[Sat, Sat, Unsat]), &counters),
        counted(answers(row(&tasks[3], "hybrid", SAT, 0.25), &[Sat, Sat]), &counters),
        counted(answers(row(&tasks[4], "hybrid", SAT, 4.0), &[Sat, Unknown]), &counters),
        counted(answers(row(&tasks[5], "hybrid", SAT, 0.25), &[Sat, Sat]), &counters),
        counted(answers(row(&tasks[5], "hybrid-no-rules", SAT, 8.0), &[Sat, Sat]), &counters),
    ];
    dataset(&["hybrid-no-rules", "hybrid-full", "hybrid"], &["jst-table-4", "jst-table-5"], tasks, rows)
}

#[test]
fn trees_are_counted_from_their_records() {
    let table = jst::table_4::table(&trees()).unwrap();
    assert_eq!(
        cells(&table, &["1", "relaxed", "hybrid"]),
        [["2", "3", "1", "1", "5", "4", "1", "0", "12", "7", "", "0.5"]]
    );
    assert_eq!(cells(&table, &["1", "full", "hybrid-full"])[0][3], "0");
    let late = &cells(&table, &["2 (subset 1)", "relaxed", "hybrid"])[0];
    assert_eq!(late[..], ["", "", "", "", "9", "", "", "", "", "", "time-out", ""]);
    // What is unknown all over is counted and has no time.
    let open = &cells(&table, &["2 (subset 1)", "full", "hybrid-full"])[0];
    assert_eq!(open[..], ["0", "4", "0", "9", "9", "0", "0", "0", "0", "0", "", ""]);
    assert_eq!(cells(&table, &["2 (subset 1)", "full", "published"])[0][..3], ["15", "", "15"]);
    assert_eq!(cells(&table, &["3 (subset 1)", "full", "published"])[0][10], "time-out");
    assert_eq!(cells(&table, &["example A, figure-1", "relaxed", "hybrid"]).len(), 1);
    // Within one choice of inputs: published with their ratio, then relaxed, then full, whatever the config's
    // order, and their ratio.
    let sources: Vec<&str> = table.rows()[..6].iter().map(|r| r[2].exact.as_str()).collect();
    assert_eq!(
        sources,
        ["published", "published", "published", "hybrid", "hybrid-full", "hybrid-full : hybrid"]
    );
    assert_eq!(cells(&table, &["1", "full : relaxed"])[1][12], "4");
    assert_eq!(cells(&table, &["1", "full : relaxed", "published"])[0][11], "5");
    // Table III beside example A; what has no tree says so.
    assert_eq!(cells(&table, &["example A, 4", "relaxed", "published"])[0][..3], ["1971", "", "95"]);
    assert_eq!(cells(&table, &["example A, 4", ""])[0][0], "not measured: no such tree");
    assert_eq!(cells(&table, &["5", ""])[0][0], "not measured: no such tree");
    assert_eq!(cells(&table, &["4 (subset 1)", ""])[0][0], "not measured: not in this run");
    // Trees of our own come last, with the ways that the run has.
    let last: Vec<[&str; 3]> = table.rows()[table.rows().len() - 3..]
        .iter()
        .map(|row| [row[0].exact.as_str(), row[1].exact.as_str(), row[2].exact.as_str()])
        .collect();
    assert_eq!(
        last,
        [
            ["figure 5, height-1", "relaxed", "hybrid"],
            ["figure 5, height-1", "full, no rules", "hybrid-no-rules"],
            ["figure 5, height-1", "full, no rules : relaxed", "hybrid-no-rules : hybrid"],
        ]
    );
}

/// Two branches under a root, the second one with an end below it.
const TREE: &str = r#"(set-info :path-tree "made up")
(declare-const s String)
(push 1)(set-info :path-name "root")(assert (str.prefixof "a" s))(check-sat)
(push 1)(set-info :path-kind exception)(assert (= s "b"))(check-sat)(pop 1)
(push 1)(assert (= s "ab"))(check-sat)
(push 1)(set-info :path-name "end")(assert (= (str.len s) 2))(check-sat)(pop 1)
(pop 1)
(pop 1)
"#;

#[test]
fn the_nodes_of_any_path_tree_are_told_one_by_one() {
    use Verdict::{Sat, Unknown, Unsat};
    let mut tree = script("mine", "tree", 4);
    tree.question = Question::of_script(tree.question.alphabet, TREE, 4);
    let plain = script("mine", "no-tree", 1);
    let mut full = answers(row(&tree, "hybrid-full", SAT, 0.5), &[Sat, Unsat, Sat, Sat]);
    for (node, count) in [(0, 3), (2, 7), (3, 7)] {
        full.record.answers[node].counters.insert("iterations".to_owned(), count);
    }
    let mut again = full.clone();
    again.record.key.repeat = 1;
    let relaxed = answers(row(&tree, "hybrid-relaxed", UNKNOWN, 0.5), &[Unknown, Unsat, Unknown, Unknown]);
    let relaxed = counted(relaxed, &[("nodes_relaxed", 4)]);
    // What it had answered when it was stopped; what came after the limit does not count.
    let stopped = answers(row(&tree, "z3", Status::Timeout, 60.0), &[Sat, Unsat]);
    let late = answers(row(&tree, "late", Status::Timeout, 60.0), &[Sat, Unsat, Sat, Sat]);
    let rows = vec![full, again, relaxed, stopped, late, row(&plain, "hybrid-full", SAT, 0.5)];
    let strategies = ["hybrid-full", "hybrid-relaxed", "z3", "late"];
    let dataset = dataset(&strategies, &[], vec![tree.clone(), plain], rows);

    let table = nodes::path_nodes(&dataset).unwrap();
    assert_eq!(table.rows().len(), 4, "first repeats of trees only");
    // The first of the nodes with the most iterations has no name: it is the third one.
    assert_eq!(
        cells(&table, &[&tree.id, "hybrid-full"]),
        [["sat", "4", "3", "1", "0", "0", "", "", "", "17", "7", "7", "3", "0.5"]]
    );
    let open = &cells(&table, &[&tree.id, "hybrid-relaxed"])[0];
    assert_eq!(open[..13], ["unknown", "4", "0", "1", "3", "0", "0", "4", "0", "", "", "", ""]);

    let stopped = &cells(&table, &[&tree.id, "z3"])[0];
    assert_eq!(stopped[..6], ["timeout", "4", "1", "1", "0", "2"]);
    assert!(stopped[6..].iter().all(String::is_empty), "{stopped:?}");
    let late = &cells(&table, &[&tree.id, "late"])[0];
    assert!(late[2..].iter().all(String::is_empty), "{late:?}");

    let csv = table.csv();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "tree,strategy,node,parent,depth,kind,name,verdict,iterations,reason");
    assert_eq!(lines.len(), 17);
    assert_eq!(lines[13], format!("{},z3,1,,0,inner,root,sat,,", tree.id));
    assert_eq!(lines[15], format!("{},z3,3,1,1,inner,,,,", tree.id));
    assert_eq!(lines[9], format!("{},late,1,,0,inner,root,,,", tree.id));
    let id = &tree.id;
    assert_eq!(lines[1], format!("{id},hybrid-full,1,,0,inner,root,sat,3,"));
    assert_eq!(lines[2], format!("{id},hybrid-full,2,1,1,exception,,unsat,,"));
    assert_eq!(lines[4], format!("{id},hybrid-full,4,3,2,leaf,end,sat,7,"));
    assert!(nodes::path_nodes(&trees()).is_none(), "no script there is marked as a path tree");
}

#[test]
fn paths_that_were_found_before_a_limit_are_counted() {
    use Verdict::Sat;
    let mut tree = script("jst/example-b", "one", 4);
    tree.question = Question::of_script(tree.question.alphabet, TREE, 4);
    let rows = vec![
        answers(row(&tree, "hybrid", Status::Timeout, 60.0), &[Sat, Sat, Sat]),
        // All answers, too late: none counts.
        answers(row(&tree, "hybrid-full", Status::Timeout, 60.0), &[Sat; 4]),
    ];
    let dataset = dataset(&["hybrid", "hybrid-full"], &["jst-table-4"], vec![tree], rows);
    let table = jst::table_4::table(&dataset).unwrap();
    let stopped = &cells(&table, &["1", "relaxed", "hybrid"])[0];
    assert_eq!(stopped[..5], ["0", "", "1", "", "4"]);
    let late = &cells(&table, &["1", "full", "hybrid-full"])[0];
    assert_eq!(late[..5], ["", "", "", "", "4"]);
}

#[test]
fn models_of_rounding_stand_beside_none() {
    let table = jst::table_5::table(&trees()).unwrap();
    assert_eq!(cells(&table, &["1", "linear models", "hybrid"])[0][11], "0.25");
    let none = &cells(&table, &["1", "none", "hybrid"])[0];
    assert_eq!((none[3].as_str(), none[11].as_str()), ("1", "4"));
    assert_eq!(cells(&table, &["3", "none", "published"])[0][..3], ["31", "", "10"]);
}

#[test]
fn a_layout_says_where_nothing_of_it_was_measured() {
    let summary = |layout, family: &str| {
        let dir = tempfile::tempdir().unwrap();
        let task = script(family, "c", 1);
        let rows = vec![row(&task, PASS, SAT, 0.5)];
        write_all(&dataset(&[PASS], &[layout], vec![task], rows), dir.path()).unwrap();
        std::fs::read_to_string(dir.path().join("summary.md")).unwrap()
    };
    for (layout, family) in [
        ("table-4.1", "programs/wu-ftpd"),
        ("pass-table-1", "pass/example-b"),
        ("pass-figure-4", "pass/stress/set-2"),
        ("jst-table-4", "jst/example-a"),
        ("jst-table-5", "jst/example-c/no-models"),
    ] {
        assert!(!summary(layout, family).contains("Nothing is measured here"), "{layout:?}");
        assert!(summary(layout, "mine").contains("Nothing is measured here"), "{layout:?}");
    }
}

#[test]
fn the_reports_are_written() {
    let dir = tempfile::tempdir().unwrap();
    write_all(&conditions(), dir.path()).unwrap();
    write_all(&trees(), &dir.path().join("trees")).unwrap();
    for file in [
        "tables/pass-table-1.csv",
        "tables/pass-figure-4.csv",
        "tables/pass-comparison.csv",
        "trees/tables/jst-table-4.csv",
        "trees/tables/jst-table-5.csv",
        "trees/index.html",
    ] {
        assert!(dir.path().join(file).exists(), "{file}");
    }
}

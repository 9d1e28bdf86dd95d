//! The layouts of the string-graph study: which records count, in which group, and what stands beside what.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod support;

use std::collections::BTreeMap;

use harness_model::record::PhaseTime;
use harness_model::{Alphabet, Answer, OperationKind, Question, Status, Task, Verdict};
use reports::layout::table_4_2::{self, fates, interchanges, outliers};
use reports::layout::{extremes, table_4_1};
use reports::table::Table;
use reports::{Dataset, Row, write_all};
use support::{row, run_info};

const AUTOMATA: &str = "graph-automata-ranges";
const BITS: &str = "graph-bitvector";

fn script(family: &str, name: &str, queries: usize) -> Task {
    let task = support::task(Alphabet::Ascii, OperationKind::Product, "A0", "A0");
    Task {
        parameters: Default::default(),
        id: format!("{family}/{name}"),
        family: family.to_owned(),
        question: Question::of_script(task.question.alphabet, "(check-sat)", queries),
        expected: None,
    }
}

/// A record with milliseconds in the string solver and in the integer solver, and so many interchanges.
fn graph(
    task: &Task,
    strategy: &str,
    status: Status,
    (string_ms, integer_ms): (u64, u64),
    interchanges: u64,
) -> Row {
    let mut row = row(task, strategy, status, 0.5);
    if status == Status::Timeout {
        return row;
    }
    let phase = |ms: u64| PhaseTime { cold_ns: ms * 1_000_000, warm: None };
    row.record.phases.insert("string".to_owned(), phase(string_ms));
    row.record.phases.insert("integer".to_owned(), phase(integer_ms));
    row.record.counters = [
        ("edges", 5),
        ("edges_preprocessed", 4),
        ("interchanges", interchanges),
        ("integer_constraints", 10 + interchanges),
        ("refuted_by_preprocessing", u64::from(interchanges == 0)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    row
}

const SAT: Status = Status::Answered(Verdict::Sat);
const UNSAT: Status = Status::Answered(Verdict::Unsat);
const BOUND: Status = Status::Answered(Verdict::UnsatWithinBound);

/// Six graphs of five edges, and one of ten: satisfiable ones, one refuted by preprocessing, one by its
/// integers, one within the bound, one that automata lose.
fn dataset() -> Dataset {
    let tasks: Vec<Task> = (0..7)
        .map(|i| script(if i == 6 { "random-graphs/ten" } else { "random-graphs/five" }, &i.to_string(), 1))
        .collect();
    let rows = vec![
        graph(&tasks[0], AUTOMATA, SAT, (10, 4), 1),
        graph(&tasks[0], BITS, SAT, (20, 4), 1),
        graph(&tasks[1], AUTOMATA, SAT, (30, 6), 3),
        graph(&tasks[1], BITS, SAT, (3000, 6), 5),
        graph(&tasks[2], AUTOMATA, UNSAT, (0, 0), 0),
        graph(&tasks[2], BITS, UNSAT, (0, 0), 0),
        graph(&tasks[3], AUTOMATA, UNSAT, (1, 2), 1),
        graph(&tasks[3], BITS, UNSAT, (1, 2), 1),
        graph(&tasks[4], AUTOMATA, BOUND, (7, 8), 9),
        graph(&tasks[4], BITS, UNSAT, (14, 8), 2),
        graph(&tasks[5], AUTOMATA, Status::Timeout, (0, 0), 0),
        graph(&tasks[5], BITS, UNSAT, (2, 1), 2),
        graph(&tasks[6], AUTOMATA, SAT, (5, 5), 2),
        graph(&tasks[6], BITS, Status::Wrong, (5, 5), 2),
    ];
    let mut run = run_info("graphs", &[AUTOMATA, BITS], 7, 14);
    run.report.layouts = ["table-4.1", "table-4.2"].map(str::to_owned).to_vec();
    Dataset::new(run, tasks, rows, Vec::new(), Vec::new())
}

/// The exact cells of the rows that begin with `head`, without these cells.
fn cells(table: &Table, head: &[&str]) -> Vec<Vec<String>> {
    let exact =
        |row: &Vec<reports::table::Cell>| row.iter().map(|cell| cell.exact.clone()).collect::<Vec<_>>();
    let rows = table.rows().iter().map(exact).filter(|row| row.iter().zip(head).all(|(cell, h)| cell == h));
    rows.map(|row| row[head.len()..].to_vec()).collect()
}

#[test]
fn only_graphs_that_reached_a_string_solver_count() {
    let table = table_4_2::table(&dataset()).unwrap();
    let of = |group: &str, statistic: &str, approach: &str, source: &str| {
        cells(&table, &[group, statistic, approach, source]).remove(0)
    };
    assert_eq!(
        of("5 edges, sat", "average", "automata", AUTOMATA),
        ["2", "5", "4", "2", "20", "5", "12", "0"]
    );
    assert_eq!(of("5 edges, sat", "max", "bit-vectors", BITS)[..4], ["2", "5", "4", "5"]);
    // The graph within the bound counts as unsat; the time-out is known to be unsat by the other approach.
    assert_eq!(
        of("5 edges, unsat", "average", "automata", AUTOMATA),
        ["1", "5", "4", "9", "7", "8", "19", "1"]
    );
    assert_eq!(of("5 edges, unsat", "median", "bit-vectors", BITS)[..5], ["2", "5", "4", "2", "8"]);
    // A wrong verdict has no time.
    assert!(cells(&table, &["10 edges, sat", "average", "bit-vectors", BITS]).is_empty());
    assert_eq!(of("all", "average", "automata", AUTOMATA)[0], "4");
    assert_eq!(
        of("10 edges, unsat", "average", "bit-vectors", "published")[1..],
        ["9.94", "8.41", "31.06", "662.84", "7988.26", "48.03", "80"]
    );
    assert_eq!(of("10 edges, unsat", "median", "automata", "published")[5], "", "it is not legible");
}

#[test]
fn fates_add_up() {
    let table = fates::table(&dataset()).unwrap();
    let of: BTreeMap<String, Vec<String>> = table
        .rows()
        .iter()
        .map(|row| (row[0].exact.clone(), row[1..].iter().map(|c| c.exact.clone()).collect()))
        .collect();
    assert_eq!(of["graphs"], ["30328", "7", "7"]);
    assert_eq!(of["refuted_by_preprocessing"], ["13398", "1", "1"]);
    assert_eq!(of["passed_preprocessing"], ["16930", "6", "6"]);
    assert_eq!(of["sat"], ["6619", "3", "2"]);
    assert_eq!(of["unsat"], ["10139", "2", "3"]);
    assert_eq!(of["unsat_without_string_solver"], ["9398", "1", "1"]);
    assert_eq!(of["unsat_within_bound"], ["", "1", "0"]);
    assert_eq!(of["time_outs"], ["339", "1", "0"]);
    assert_eq!(of["others"], ["", "0", "1"]);
}

#[test]
fn outliers_are_a_hundredfold_apart() {
    let dataset = dataset();
    assert_eq!(outliers::pairs(&dataset), [(AUTOMATA.to_owned(), BITS.to_owned())]);
    let table = outliers::table(&dataset).unwrap();
    let rows = cells(&table, &[&format!("{AUTOMATA} and {BITS}")]);
    assert_eq!(
        rows,
        [
            ["random-graphs/five/5", "unsat", "timeout", "2", "", "bit-vectors", "", "2"],
            ["random-graphs/five/1", "sat", "30", "3000", "100", "automata", "3", "5"],
        ]
    );
    assert_eq!(outliers::tasks(&dataset), ["random-graphs/five/5", "random-graphs/five/1"]);
    assert!(table.notes[0].contains("1 outlier of 3 graphs"), "{}", table.notes[0]);
    assert!(
        table.notes[0].contains("8.50 ms on average by automata and 17.0 ms by bit-vectors"),
        "{}",
        table.notes[0]
    );
}

#[test]
fn strategies_are_paired_by_their_options() {
    let names = [
        "graph-automata-bdd-thesis",
        "graph-automata-ranges",
        "graph-automata-ranges-cheapest-first",
        "graph-bitvector",
        "graph-bitvector-all",
        "graph-bitvector-cheapest-first",
    ];
    let dataset = Dataset::new(run_info("p", &names, 0, 0), [], Vec::new(), Vec::new(), Vec::new());
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(
        outliers::pairs(&dataset),
        [
            pair("graph-automata-ranges", "graph-bitvector"),
            pair("graph-automata-ranges-cheapest-first", "graph-bitvector-cheapest-first"),
        ]
    );
    // Back ends as published go together where the run has both, else with what is nearest.
    let names = [
        "graph-automata-ranges",
        "graph-automata-ranges-published",
        "graph-bitvector",
        "graph-bitvector-published",
    ];
    let paired = |names: &[&str]| {
        let dataset = Dataset::new(run_info("p", names, 0, 0), [], Vec::new(), Vec::new(), Vec::new());
        outliers::pairs(&dataset)
    };
    let ours = pair("graph-automata-ranges", "graph-bitvector");
    let published = pair("graph-automata-ranges-published", "graph-bitvector-published");
    assert_eq!(paired(&names), [ours.clone(), published]);
    assert_eq!(paired(&names[..3]), [ours, pair("graph-automata-ranges-published", "graph-bitvector")]);
}

#[test]
fn path_conditions_are_added_up_over_what_neither_lost() {
    let tasks = [
        script("programs/easychair", "tree", 3),
        script("programs/easychair", "e0", 1),
        script("programs/easychair", "e1", 1),
        script("programs/easychair/smt", "e0", 1),
        script("programs/extremes", "figure-4.1", 1),
    ];
    let rows = vec![
        graph(&tasks[0], AUTOMATA, SAT, (10, 4), 5),
        graph(&tasks[0], BITS, SAT, (12, 5), 3),
        graph(&tasks[1], AUTOMATA, SAT, (1, 2), 1),
        graph(&tasks[1], BITS, SAT, (3, 4), 2),
        graph(&tasks[2], AUTOMATA, Status::Timeout, (0, 0), 0),
        graph(&tasks[2], BITS, UNSAT, (100, 100), 7),
        graph(&tasks[3], BITS, SAT, (9, 9), 9),
        graph(&tasks[4], BITS, UNSAT, (9, 9), 9),
    ];
    let run = run_info("paths", &[AUTOMATA, BITS, "z3"], 5, 8);
    let dataset = Dataset::new(run, tasks, rows, Vec::new(), Vec::new());
    let table = table_4_1::table(&dataset).unwrap();
    assert_eq!(
        cells(&table, &["EasyChair", "automata"]),
        [
            ["published", "one after the other", "4668", "756", "21", "15", "1", "0", "", "", ""],
            [AUTOMATA, "together", "10", "4", "2", "3", "0", "0", "0", "0", "0"],
            [AUTOMATA, "one by one", "1", "2", "0", "1", "0", "1", "0", "1", "0"],
        ]
    );
    assert_eq!(
        cells(&table, &["EasyChair", "bit-vectors", BITS, "one by one"]),
        [["3", "4", "1", "1", "0", "0", "1", "1", "0"]]
    );
    // Published, published ratio, and that nothing of it is measured.
    let mystery = cells(&table, &["Mystery"]);
    assert_eq!(mystery.len(), 4);
    assert_eq!(mystery[3][..2], ["", "not measured: not published"]);
    assert_eq!(
        cells(&table, &["WU_FTPD", "", "not measured: not in this run"]).len(),
        1,
        "a program of which the run has no task says so"
    );
    let ratio = |source: &str, asked: &str| {
        cells(&table, &["EasyChair", "automata : bit-vectors", source, asked]).remove(0)[..2].to_vec()
    };
    assert_eq!(ratio("published", "one after the other")[0], (4668.0 / 1066.0).to_string());
    let measured = format!("{AUTOMATA} : {BITS}");
    assert_eq!(ratio(&measured, "together"), [(10.0 / 12.0).to_string(), (4.0 / 5.0).to_string()]);
    assert_eq!(ratio(&measured, "one by one"), [(1.0 / 3.0).to_string(), (2.0 / 4.0).to_string()]);
    let table = extremes::extremes(&dataset).unwrap();
    assert_eq!(cells(&table, &["programs/extremes/figure-4.1", BITS, "unsat"]).len(), 1);
    assert!(extremes::extremes(&self::dataset()).is_none());
}

/// An answer with what was counted for it alone.
fn answer(verdict: Verdict, counters: &[(&str, u64)]) -> Answer {
    let counters = counters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    Answer { counters, ..Answer::of(verdict) }
}

#[test]
fn a_time_out_of_one_path_condition_leaves_the_others_of_its_script() {
    let tasks = [script("programs/easychair", "tree", 4), script("programs/easychair", "e0", 1)];
    let solved = |verdict, string_ms: u64, interchanges| {
        let counters =
            [("string_ns", string_ms * 1_000_000), ("integer_ns", 2_000_000), ("interchanges", interchanges)];
        answer(verdict, &counters)
    };
    let late = || {
        answer(Verdict::Unknown, &[("string_ns", 3_000_000_000), ("interchanges", 70), ("out_of_time", 1)])
    };
    let refuted = || answer(Verdict::Unsat, &[("refuted_by_preprocessing", 1)]);
    let mut automata = graph(&tasks[0], AUTOMATA, SAT, (9999, 9999), 99);
    automata.record.answers = vec![
        solved(Verdict::Sat, 10, 3),
        refuted(),
        solved(Verdict::Unsat, 20, 4),
        solved(Verdict::Unsat, 40, 5),
    ];
    // Nothing satisfiable was found by the time-out: the record as a whole is unknown, and counts all the
    // same.
    let mut bits = graph(&tasks[0], BITS, Status::Answered(Verdict::Unknown), (9999, 9999), 99);
    bits.record.answers =
        vec![late(), refuted(), solved(Verdict::UnsatWithinBound, 7, 1), solved(Verdict::Unsat, 8, 2)];
    let mut single = graph(&tasks[1], BITS, Status::Answered(Verdict::Unknown), (3000, 1), 70);
    single.record.answers = vec![late()];
    let rows = vec![automata, bits, graph(&tasks[1], AUTOMATA, UNSAT, (1, 1), 2), single];
    let mut run = run_info("paths", &[AUTOMATA, BITS], 2, 4);
    for strategy in &mut run.strategies {
        strategy.options.insert("check-limit".to_owned(), "3s".to_owned());
    }
    let dataset = Dataset::new(run, tasks, rows, Vec::new(), Vec::new());
    let table = table_4_1::table(&dataset).unwrap();
    let of = |approach, strategy, asked| cells(&table, &["EasyChair", approach, strategy, asked]);
    // Time, integers, iterations, path conditions, preprocessed, time-outs, unsatisfiable, as the study
    // counts, others.
    assert_eq!(of("automata", AUTOMATA, "together"), [["60", "4", "7", "3", "1", "0", "3", "3", "0"]]);
    assert_eq!(of("bit-vectors", BITS, "together"), [["15", "4", "1", "3", "1", "1", "3", "4", "0"]]);
    assert_eq!(of("automata", AUTOMATA, "one by one"), [["", "", "", "", "0", "0", "1", "1", "0"]]);
    assert_eq!(of("bit-vectors", BITS, "one by one"), [["", "", "", "", "0", "1", "0", "1", "0"]]);
    let said = |text: &str| table.notes.iter().any(|note| note.contains(text));
    assert!(said("measured, 3s for a path condition and"), "{:?}", table.notes);
}

#[test]
fn the_reports_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let mut dataset = dataset();
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"></svg>".to_owned();
    dataset.drawings = vec![reports::Drawing { task: "random-graphs/five/1".to_owned(), svg }];
    write_all(&dataset, dir.path()).unwrap();
    for file in [
        "tables/table-4.1.csv",
        "tables/table-4.2.csv",
        "tables/table-4.2-graphs.csv",
        "tables/table-4.2-outliers.csv",
        "plots/table-4.2-interchanges.svg",
        "plots/table-4.2-interchanges.png",
        "plots/graph-random-graphs-five-1.svg",
        "plots/graph-random-graphs-five-1.png",
    ] {
        assert!(dir.path().join(file).exists(), "{file}");
    }
    let summary = std::fs::read_to_string(dir.path().join("summary.md")).unwrap();
    let outliers = summary.find("differ most").unwrap();
    assert_eq!(summary.matches("graph-random-graphs-five-1.").count(), 1, "shown once, with the outliers");
    assert!(summary.find("graph-random-graphs-five-1.").unwrap() > outliers);
    let plot = interchanges::plot(&dataset).unwrap();
    let histogram = plot.picture().unwrap();
    for label in ["graph-automata-ranges (4)", "graph-bitvector (4)", "9–16"] {
        assert!(histogram.svg.contains(label), "{label}");
    }
}

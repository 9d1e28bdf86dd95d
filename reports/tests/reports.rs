//! What is left in a run's directory: fixed texts for a small run, properties for a large one.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use harness_model::judgement::Disagreement;
use harness_model::run::StrategyRow;
use harness_model::{Alphabet, OperationKind, Status, Verdict};
use reports::layout::representation::{Label, Mode, place};
use reports::{Dataset, write_all};
use support::{large, row, run_info, task};

/// Three tasks by two strategies: answers, a time-out, a wrong verdict, a disagreement, and a record that is
/// missing.
fn small() -> Dataset {
    let empty = Status::Answered(Verdict::Empty);
    let nonempty = Status::Answered(Verdict::Nonempty);
    let tasks = [
        task(Alphabet::Ascii, OperationKind::Product, "A0", "A0"),
        task(Alphabet::Ascii, OperationKind::Product, "A0", "A1"),
        task(Alphabet::Ascii, OperationKind::Product, "A0", "A6"),
    ];
    let rows = vec![
        row(&tasks[2], "sfa-bdd-lazy", Status::Timeout, 0.0),
        row(&tasks[1], "sfa-bdd-lazy", Status::Wrong, 0.004),
        row(&tasks[0], "sfa-bdd-lazy", nonempty, 0.000_123_456),
        row(&tasks[0], "classes-lazy", nonempty, 0.000_012_5),
        row(&tasks[1], "classes-lazy", empty, 0.25),
    ];
    let disagreement = Disagreement {
        task: tasks[1].id.clone(),
        operation: 0,
        said: vec![
            ("classes-lazy".to_owned(), Verdict::Empty),
            ("sfa-bdd-lazy".to_owned(), Verdict::Nonempty),
        ],
        settled: None,
    };
    let mut run = run_info("small", &["sfa-bdd-lazy", "classes-lazy"], 3, 6);
    run.report.layouts = ["figure-3.10"].map(str::to_owned).to_vec();
    run.report.scatter = vec![("classes-lazy".to_owned(), "absent".to_owned())];
    run.skipped = vec!["sfa-predicate-lazy: not linked".to_owned()];
    Dataset::new(run, tasks, rows, vec![disagreement], vec!["line 7 is damaged".to_owned()])
}

fn text(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

#[test]
fn results_of_a_small_run() {
    let dir = tempfile::tempdir().unwrap();
    write_all(&small(), dir.path()).unwrap();
    insta::assert_snapshot!("results", text(dir.path(), "results.csv"));
}

#[test]
fn summary_of_a_small_run() {
    let dir = tempfile::tempdir().unwrap();
    write_all(&small(), dir.path()).unwrap();
    insta::assert_snapshot!("summary", text(dir.path(), "summary.md"));
    insta::assert_snapshot!("strategies", text(dir.path(), "tables/strategies.csv"));
}

#[test]
fn only_faithful_strategies_are_the_studys() {
    let mut run = run_info("p", &["sfa-predicate-eager", "sfa-bdd-lazy", "sfa-bdd-lazy-refine", "x"], 0, 0);
    // A name that looks like one of the study's says nothing.
    run.strategies.push(StrategyRow { name: "sfa-ranges-lazy".to_owned(), ..StrategyRow::default() });
    let dataset = Dataset::new(run, [], Vec::new(), Vec::new(), Vec::new());
    let other = |name: &str| (Label::Other(name.to_owned()), Mode::Lazy);
    assert_eq!(place(&dataset, "sfa-predicate-eager"), (Label::Study(1), Mode::Eager));
    assert_eq!(place(&dataset, "sfa-bdd-lazy"), (Label::Study(0), Mode::Lazy));
    for name in ["sfa-bdd-lazy-refine", "x", "sfa-ranges-lazy", "of no run"] {
        assert_eq!(place(&dataset, name), other(name));
    }
}

#[test]
fn a_layout_that_this_build_does_not_have_is_a_note() {
    let mut dataset = small();
    dataset.run.report.layouts.push("table-99".to_owned());
    let dir = tempfile::tempdir().unwrap();
    write_all(&dataset, dir.path()).unwrap();
    let summary = text(dir.path(), "summary.md");
    let (before, notes) = summary.split_once("## Notes").unwrap();
    assert!(notes.contains("the layout 'table-99', which this build does not have"), "{notes}");
    assert!(before.contains("as figure 3.10"), "the other layouts are made");
}

#[test]
fn what_is_unsupported_is_counted_by_operation() {
    let task = |n: usize| task(Alphabet::Ascii, OperationKind::Product, "A0", &format!("A{n}"));
    let tasks: Vec<_> = (1..=14).map(task).collect();
    let strategies = ["parray-qe", "parray-z3", "parray-concrete", "a", "b", "c", "d", "e"];
    let mut rows = Vec::new();
    for (i, task) in tasks.iter().enumerate() {
        for (j, strategy) in strategies.iter().enumerate() {
            let mut row = row(task, strategy, Status::Unsupported, 0.0);
            row.judgement.detail = match i {
                0..3 => "inRe (str.in_re)".to_owned(),
                3 if j > 5 => format!("line {j} column 4: \"seq\" is no sort that is known"),
                _ if i == j + 4 => format!("operation {i}"),
                _ => {
                    row.judgement.status = Status::Timeout;
                    String::new()
                }
            };
            rows.push(row);
        }
    }
    let mut extra = rows[0].clone();
    for repeat in 1..4 {
        extra.record.key.repeat = repeat;
        extra.judgement.detail = format!("other {repeat}");
        rows.push(extra.clone());
    }
    let run = run_info("unsupported", &strategies, 14, 200);
    let table = reports::unsupported::unsupported(&Dataset::new(run, tasks, rows, vec![], vec![])).unwrap();
    insta::assert_snapshot!("unsupported", reports::markdown::table(&table));
    assert!(table.csv().starts_with("operation,strategy,records\ninRe (str.in_re),parray-qe,3\n"));
    assert!(reports::unsupported::unsupported(&small()).is_none());
}

#[test]
fn the_first_columns_are_the_contract() {
    let csv = reports::results::results_csv(&large(1, 8, &[Alphabet::Ascii], true));
    let first =
        "task,family,alphabet,strategy,repeat,status,expected,wall_s,cpu_s,peak_rss_kib,witness,detail,";
    assert!(csv.starts_with(first), "{}", csv.lines().next().unwrap());
}

#[test]
fn made_again_every_file_has_the_same_bytes() {
    let files = |dataset: &Dataset| -> BTreeMap<String, Vec<u8>> {
        let dir = tempfile::tempdir().unwrap();
        let written = write_all(dataset, dir.path()).unwrap();
        let name = |path: &Path| path.strip_prefix(dir.path()).unwrap().to_str().unwrap().to_owned();
        written.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
    };
    let dataset = large(3, 9, &[Alphabet::Ascii, Alphabet::Unicode], true);
    let once = files(&dataset);
    assert_eq!(once, files(&dataset));

    // The order in which the records were made leaves no trace.
    let mut rows = dataset.rows().to_vec();
    rows.reverse();
    let tasks: Vec<_> = rows.iter().filter_map(|row| dataset.task(row.task()).cloned()).collect();
    let shuffled = Dataset::new(dataset.run.clone(), tasks, rows, dataset.disagreements, Vec::new());
    assert_eq!(once, files(&shuffled));

    for (name, bytes) in &once {
        if name.ends_with(".png") {
            assert!(bytes.starts_with(b"\x89PNG\r\n"), "{name}");
            continue;
        }
        let text = std::str::from_utf8(bytes).unwrap();
        // Behind it are the program of the page and its data.
        let text = text.split("<script").next().unwrap();
        for word in ["NaN", "inf,", "inf ", "inf|"] {
            assert!(!text.contains(word), "{name} has {word}");
        }
        if name.ends_with(".csv") {
            // The reader refuses rows of different lengths.
            let rows = csv::Reader::from_reader(text.as_bytes()).records().count();
            assert!(csv::Reader::from_reader(text.as_bytes()).records().all(|row| row.is_ok()), "{name}");
            assert!(rows > 0, "{name} is empty");
        }
        if name.ends_with(".svg") {
            assert!(text.contains("µs") || text.contains("ms"), "{name} has no labelled axis");
        }
    }
    assert!(once.contains_key("index.html") && once.contains_key("plots/figure-3.9.png"));
}

#[test]
fn nothing_wrong_is_said_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    write_all(&large(1, 4, &[Alphabet::Ascii], false), dir.path()).unwrap();
    let summary = text(dir.path(), "summary.md");
    let second = summary.lines().filter(|line| !line.is_empty()).nth(1).unwrap();
    assert_eq!(
        second,
        "No wrong verdict, no invalid model and no disagreement between strategies in 620 records."
    );
    assert!(summary.contains("Of the 30 numbers, 30 are equal"), "{summary}");
    assert!(!summary.contains("INCOMPLETE"));
}

#[test]
fn what_is_wrong_comes_before_all_else_and_has_no_time() {
    let dataset = small();
    let dir = tempfile::tempdir().unwrap();
    write_all(&dataset, dir.path()).unwrap();
    let summary = text(dir.path(), "summary.md");
    let at = |what: &str| summary.find(what).unwrap_or_else(|| panic!("no '{what}' in {summary}"));
    assert!(at("1 DISAGREEMENT") < at("1 WRONG VERDICT") && at("1 WRONG VERDICT") < at("What was run"));
    let wrong = dataset.rows().iter().find(|row| row.status() == Status::Wrong).unwrap();
    assert_eq!(wrong.solve_s(), None);
}

#[test]
fn a_run_without_records_says_so_and_draws_nothing() {
    let mut run = run_info("none", &["classes-lazy"], 3, 3);
    run.report.layouts =
        ["figure-3.7", "figure-3.8", "figure-3.9", "figure-3.10"].map(str::to_owned).to_vec();
    let dir = tempfile::tempdir().unwrap();
    write_all(&Dataset::new(run, [], Vec::new(), Vec::new(), Vec::new()), dir.path()).unwrap();
    assert!(!dir.path().join("plots").exists());
    let summary = text(dir.path(), "summary.md");
    assert!(summary.contains("No plot figure-3.9: no record has a time."), "{summary}");
    assert!(summary.contains("INCOMPLETE"));
    assert_eq!(text(dir.path(), "results.csv").lines().count(), 1);
}

#[test]
fn repeats_count_as_solved_only_together() {
    let task = task(Alphabet::Ascii, OperationKind::Product, "A0", "A0");
    let repeat = |n: u32, status, time| {
        let mut row = row(&task, "s", status, time);
        row.record.key.repeat = n;
        row
    };
    let solved = Status::Answered(Verdict::Empty);
    let dataset = |rows| Dataset::new(run_info("r", &["s"], 1, 3), [], rows, Vec::new(), Vec::new());
    let all = dataset(vec![repeat(0, solved, 1.0), repeat(1, solved, 3.0), repeat(2, solved, 2.0)]);
    assert_eq!(reports::attempt::attempts(&all)[0].solve_s, Some(2.0));
    let some = dataset(vec![repeat(0, solved, 1.0), repeat(1, Status::Timeout, 0.0)]);
    let attempts = reports::attempt::attempts(&some);
    assert_eq!((attempts.len(), attempts[0].status, attempts[0].solve_s), (1, Status::Timeout, None));

    let caching = [0.731, 0.011, 0.729, 0.012, 0.733, 0.011];
    let rows = caching.into_iter().zip(0..).map(|(time, n)| repeat(n, solved, time)).collect();
    let dir = tempfile::tempdir().unwrap();
    write_all(&dataset(rows), dir.path()).unwrap();
    assert!(
        text(dir.path(), "summary.md")
            .contains("the repeats are in two groups, 3 around 11.0 ms and 3 around 731 ms")
    );
}

/// A strategy that exhausts its bound does not win by it, and one that is refuted is told.
#[test]
fn answers_within_a_bound_stand_beside_those_that_are_solved() {
    let tasks = [
        task(Alphabet::Ascii, OperationKind::Product, "A0", "A0"),
        task(Alphabet::Ascii, OperationKind::Product, "A0", "A1"),
        task(Alphabet::Ascii, OperationKind::Product, "A0", "A6"),
    ];
    let (sat, unsat) = (Status::Answered(Verdict::Sat), Status::Answered(Verdict::Unsat));
    let bound = Status::Answered(Verdict::UnsatWithinBound);
    let rows = vec![
        row(&tasks[0], "full", sat, 0.4),
        row(&tasks[1], "full", unsat, 0.4),
        row(&tasks[2], "full", sat, 0.4),
        row(&tasks[0], "bounded", bound, 0.1),
        row(&tasks[1], "bounded", bound, 0.1),
        row(&tasks[2], "bounded", sat, 0.1),
    ];
    let run = run_info("bounds", &["full", "bounded"], 3, 6);
    let dataset = Dataset::new(run, tasks.to_vec(), rows, Vec::new(), Vec::new());
    let dir = tempfile::tempdir().unwrap();
    write_all(&dataset, dir.path()).unwrap();
    let table = text(dir.path(), "tables/strategies.csv");
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let of =
        |line: &[&str], column: &str| line[head.iter().position(|name| *name == column).unwrap()].to_owned();
    for line in lines {
        let (solved, within) = if line.contains(&"bounded") { ("1", "2") } else { ("3", "0") };
        assert_eq!(
            (of(&line, "solved").as_str(), of(&line, "unsat-within-bound").as_str()),
            (solved, within)
        );
    }
    let summary = text(dir.path(), "summary.md");
    assert!(summary.contains("1 of the 2 answers within a bound are refuted"), "{summary}");
    // They are compared where both answered the whole question.
    let common = text(dir.path(), "tables/common.csv");
    assert!(common.lines().skip(1).all(|line| line.split(',').nth(3) == Some("1")), "{common}");
}

#[test]
fn every_table_is_there_for_programs_people_and_papers_and_every_plot_with_its_data() {
    let dir = tempfile::tempdir().unwrap();
    let written = write_all(&large(1, 8, &[Alphabet::Ascii], true), dir.path()).unwrap();
    let with = |folder: &str, extension: &str| -> Vec<String> {
        let mut stems: Vec<String> = written
            .iter()
            .filter(|path| path.parent() == Some(&dir.path().join(folder)))
            .filter(|path| path.extension().is_some_and(|own| own == extension))
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        stems.sort();
        stems
    };
    let tables = with("tables", "csv");
    assert!(tables.contains(&"strategies".to_owned()));
    assert_eq!((with("tables", "md"), with("tables", "tex")), (tables.clone(), tables.clone()));
    assert_eq!(with("plots", "csv"), with("plots", "svg"));

    for name in tables {
        let tex = text(dir.path(), &format!("tables/{name}.tex"));
        let Some((head, rest)) = tex.split_once("\\begin{tabular}{") else { continue };
        assert!(head.lines().all(|line| line.starts_with('%')), "{tex}");
        let (sides, rest) = rest.split_once("}\n").unwrap();
        let (body, _) = rest.split_once("\\end{tabular}").unwrap();
        for row in body.lines().filter(|line| !line.starts_with("\\multicolumn") && line.ends_with("\\\\")) {
            let cells = row.replace("\\&", "").matches('&').count() + 1;
            assert_eq!(cells, sides.len(), "{name}: {row}");
        }
        let braces = |c: char| tex.replace("\\{", "").replace("\\}", "").matches(c).count();
        assert_eq!(braces('{'), braces('}'), "{tex}");
        let rules = ["\\toprule", "\\midrule", "\\bottomrule"].map(|rule| body.matches(rule).count());
        assert!(rules[0] == 1 && rules[1] >= 1 && rules[2] == 1, "{tex}");
    }
}

//! The papers' findings on made-up records: each verdict, what counts as a win, and which time is compared.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "helpers of tests, with small numbers"
)]

mod support;

use std::collections::BTreeSet;

use harness_model::record::{PhaseTime, WarmTime};
use harness_model::{Alphabet, Answer, OperationKind, Question, Status, Task, Verdict};
use reports::analysis::Analysis;
use reports::claim::{self, Finding};
use reports::layout::{ALL, find};
use reports::{Dataset, Row, write_all};
use support::{large, row, run_info, task};

const SAT: Status = Status::Answered(Verdict::Sat);
const UNSAT: Status = Status::Answered(Verdict::Unsat);

const AUTOMATA: &str = "graph-automata-ranges";
const BITS: &str = "graph-bitvector";
const PASS: &str = "parray+automata+qelim";
const CONCRETE: &str = "parray-concrete";
const ONLY: &str = "automata-only";

fn script(family: &str, name: &str, queries: usize) -> Task {
    let task = task(Alphabet::Ascii, OperationKind::Product, "A0", "A0");
    Task {
        parameters: Default::default(),
        id: format!("{family}/ascii/{name}"),
        family: family.to_owned(),
        question: Question::of_script(task.question.alphabet, "(check-sat)", queries),
        expected: None,
    }
}

fn scripts(family: &str, n: usize) -> Vec<Task> {
    (0..n).map(|i| script(family, &format!("c{i}"), 1)).collect()
}

fn with_phase(mut row: Row, phase: &str, ms: f64) -> Row {
    row.record.phases.insert(phase.to_owned(), PhaseTime { cold_ns: (ms * 1e6) as u64, warm: None });
    row
}

fn with_counter(mut row: Row, name: &str, count: u64) -> Row {
    row.record.counters.insert(name.to_owned(), count);
    row
}

fn dataset(strategies: &[&str], tasks: Vec<Task>, rows: Vec<Row>) -> Dataset {
    let run = run_info("made-up", strategies, tasks.len() as u64, rows.len() as u64);
    Dataset::new(run, tasks, rows, Vec::new(), Vec::new())
}

fn claims(layout: &str, dataset: &Dataset) -> Vec<Finding> {
    find(layout).unwrap().claims(&Analysis::new(dataset)).unwrap()
}

fn finding(layout: &str, id: &str, dataset: &Dataset) -> Finding {
    claims(layout, dataset).into_iter().find(|finding| finding.claim.id == id).unwrap()
}

/// A graph by both approaches, with milliseconds in the string solver, and 10 ms of the start of Z3 for both.
fn graph(task: &Task, [automata, bits]: [f64; 2]) -> [Row; 2] {
    [(AUTOMATA, automata), (BITS, bits)].map(|(strategy, ms)| {
        let row = with_phase(row(task, strategy, SAT, 0.5), "string", ms);
        with_counter(with_phase(row, "start_z3", 10.0), "interchanges", 3)
    })
}

fn graphs(times: impl Fn(f64) -> [f64; 2]) -> Dataset {
    let tasks = scripts("random-graphs/five", 12);
    let rows = tasks.iter().zip(0..12u32).flat_map(|(task, i)| graph(task, times(f64::from(i + 1))));
    let rows = rows.collect();
    dataset(&[AUTOMATA, BITS], tasks, rows)
}

#[test]
fn every_layout_states_claims_and_none_is_measured_by_an_empty_run() {
    let empty = dataset(&[], Vec::new(), Vec::new());
    let mut all = 0;
    for layout in ALL {
        let findings = layout.claims(&Analysis::new(&empty)).unwrap();
        let ids: BTreeSet<&str> = findings.iter().map(|finding| finding.claim.id).collect();
        assert!(!ids.is_empty() && ids.len() == findings.len(), "{}: {ids:?}", layout.name());
        for finding in &findings {
            assert_eq!(finding.verdict, claim::Verdict::NotMeasured, "{}", finding.claim.id);
            assert!(!finding.why().is_empty(), "{}", finding.claim.id);
        }
        all += findings.len();
    }
    assert!(all > 40, "{all}");
}

#[test]
fn each_of_the_four_verdicts_is_given() {
    // Bit-vectors take twice as long: the median agrees with the study, the average does not.
    let twice = graphs(|i| [i, 2.0 * i]);
    let median = finding("table-4.2", "median", &twice);
    assert_eq!(median.verdict, claim::Verdict::Agrees);
    let measured = median.measured.unwrap();
    assert!((measured.value - 2.0).abs() < 1e-9 && measured.items == 12, "{measured:?}");
    assert_eq!(measured.compared, format!("{BITS} : {AUTOMATA}"));
    let average = finding("table-4.2", "same-average", &twice);
    assert_eq!(average.verdict, claim::Verdict::Reversed);
    assert!(average.why().contains("brics"), "{}", average.why());
    let slower = finding("table-4.2", "median", &graphs(|i| [2.0 * i, i]));
    assert_eq!((slower.verdict, slower.why().as_str()), (claim::Verdict::Reversed, "not explained"));
    // Now the one and now the other is faster.
    let mixed = graphs(|i| if (i as u32).is_multiple_of(2) { [3.0, 1.0] } else { [1.0, 3.0] });
    assert_eq!(finding("table-4.2", "median", &mixed).verdict, claim::Verdict::NotSeparable);
    assert_eq!(finding("table-4.1", "easychair", &mixed).verdict, claim::Verdict::NotMeasured);
}

#[test]
fn outliers_are_taken_out_of_the_average_and_counted() {
    let one_outlier = graphs(|i| if i > 11.5 { [1.0, 500.0] } else { [1.0, 1.0] });
    let without = finding("table-4.2", "same-without-outliers", &one_outlier);
    assert_eq!(without.verdict, claim::Verdict::Agrees);
    assert!((without.measured.unwrap().value - 1.0).abs() < 1e-9);
    let share = finding("table-4.2", "few-outliers", &one_outlier).measured.unwrap().value;
    assert!((share - 1.0 / 12.0).abs() < 1e-9);
}

#[test]
fn what_the_other_does_not_support_is_left_out_and_counted() {
    let tasks = scripts("hybrid/x", 20);
    let rows = tasks.iter().enumerate().flat_map(|(i, task)| {
        let other = if i < 12 {
            row(task, CONCRETE, Status::Unsupported, 0.0)
        } else {
            row(task, CONCRETE, SAT, 0.1)
        };
        [row(task, PASS, SAT, 0.5), other]
    });
    let rows = rows.collect();
    let dataset = dataset(&[PASS, CONCRETE], tasks, rows);
    let faster = finding("pass-comparison", "faster-than-concrete", &dataset);
    let measured = faster.measured.clone().unwrap();
    assert_eq!((measured.value, measured.items), (0.0, 8));
    assert_eq!(measured.remark, format!("left out: 12 unsupported ({CONCRETE})"));
    assert_eq!(faster.verdict, claim::Verdict::Reversed);
    let slower = finding("pass-comparison", "never-much-slower", &dataset).measured.unwrap();
    assert!((slower.value - 5.0).abs() < 1e-6, "{slower:?}");
}

#[test]
fn the_start_of_z3_is_no_time_of_arrays() {
    let tasks = scripts("hybrid/x", 8);
    let rows: Vec<Row> = tasks
        .iter()
        .flat_map(|task| {
            [with_phase(row(task, PASS, UNSAT, 0.5), "start_z3", 400.0), row(task, ONLY, UNSAT, 0.2)]
        })
        .collect();
    let measured = |rows: Vec<Row>| {
        let dataset = dataset(&[PASS, ONLY], tasks.clone(), rows);
        finding("pass-comparison", "faster-than-automata", &dataset).measured.unwrap().value
    };
    // 0.2 s against 0.1 s, not against 0.5 s.
    assert!((measured(rows.clone()) - 2.0).abs() < 1e-6);
    // A warm time has no start in it.
    let warm = |mut row: Row| {
        let warm = WarmTime { samples: 5, median_ns: 500_000_000, mad_ns: 0, min_ns: 1, max_ns: 1 };
        if row.strategy() == PASS {
            row.record.phases.get_mut("solve").unwrap().warm = Some(warm);
        }
        row
    };
    assert!((measured(rows.into_iter().map(warm).collect()) - 0.4).abs() < 1e-6);
}

#[test]
fn a_witness_looked_for_in_a_whole_automaton_is_no_time_of_the_study() {
    let (eager, lazy) = ("sfa-bdd-eager", "sfa-bdd-lazy");
    let tasks: Vec<Task> =
        (0..8).map(|i| task(Alphabet::Ascii, OperationKind::Product, "A0", &format!("A{i}"))).collect();
    let nonempty = Status::Answered(Verdict::Nonempty);
    let rows = tasks.iter().flat_map(|task| {
        [with_phase(row(task, eager, nonempty, 1.0), "witness", 700.0), row(task, lazy, nonempty, 0.1)]
    });
    let rows: Vec<Row> = rows.collect();
    let dataset = dataset(&[eager, lazy], tasks, rows);
    let measured = finding("figure-3.8", "lazy-over-eager", &dataset).measured.unwrap();
    assert!((measured.value - 3.0).abs() < 1e-6, "{measured:?}");
    // The phase itself is what it was.
    assert_eq!(dataset.rows()[0].solve_s(), Some(1.0));
    // An algebra of Z3 starts it in prepare, of which solve has nothing.
    let (pred, task) = ("sfa-predicate-lazy", task(Alphabet::Ascii, OperationKind::Product, "A0", "A1"));
    let rows = vec![with_phase(row(&task, pred, nonempty, 0.25), "start_z3", 200.0)];
    let run = run_info("made-up", &[pred], 1, 1);
    let dataset = Dataset::new(run, [task], rows, Vec::new(), Vec::new());
    assert_eq!(dataset.own_s(&dataset.rows()[0]), Some(0.25));
}

#[test]
fn the_library_in_java_is_measured_where_it_runs_and_its_own_objects_are_no_time_of_it() {
    let (bdd, brics) = ("sfa-bdd-lazy", "brics-lazy");
    let tasks: Vec<Task> =
        (0..6).map(|i| task(Alphabet::Utf16, OperationKind::Difference, "A0", &format!("A{i}"))).collect();
    let nonempty = Status::Answered(Verdict::Nonempty);
    let rows = tasks.iter().flat_map(|task| {
        [row(task, bdd, nonempty, 0.1), with_phase(row(task, brics, nonempty, 1.0), "rebuild", 600.0)]
    });
    let dataset = dataset(&[bdd, brics], tasks.clone(), rows.collect());
    let found = finding("figure-3.10", "bdd-over-brics", &dataset);
    let measured = found.measured.clone().unwrap();
    assert!((measured.value - 4.0).abs() < 1e-6 && measured.items == 6, "{measured:?}");
    assert_eq!(found.verdict, claim::Verdict::Agrees);
    // A run without it says so.
    let run = run_info("made-up", &[bdd], 0, 0);
    let without =
        finding("figure-3.10", "bdd-over-brics", &Dataset::new(run, [], Vec::new(), Vec::new(), Vec::new()));
    assert_eq!(without.why(), "no strategy of this run is brics, a library in Java");
}

#[test]
fn equal_labels_apart_are_rows_of_their_own() {
    let (eager, lazy) = ("sfa-pairs-eager-separate", "sfa-pairs-lazy-separate");
    let tasks: Vec<Task> =
        (0..10).map(|i| task(Alphabet::Ascii, OperationKind::Difference, &format!("A{i}"), "A6")).collect();
    let nonempty = Status::Answered(Verdict::Nonempty);
    let rows = tasks.iter().enumerate().flat_map(|(i, task)| {
        let status = if i < 4 { Status::Memout } else { nonempty };
        [row(task, eager, status, 1.0), row(task, lazy, nonempty, 0.1)]
    });
    let rows: Vec<Row> = rows.collect();
    let dataset = dataset(&[eager, lazy], tasks, rows);
    let apart = finding("figure-3.8", "lazy-solves-more-apart", &dataset);
    let measured = apart.measured.clone().unwrap();
    assert!((measured.value - 0.4).abs() < 1e-9 && measured.items == 10, "{measured:?}");
    assert_eq!((apart.verdict, apart.claim.published), (claim::Verdict::Agrees, Some((0.09, 0.09))));
    // They are no rows of the study's own that merge equal labels.
    for id in ["lazy-solves-more", "lazy-over-eager"] {
        assert_eq!(finding("figure-3.8", id, &dataset).verdict, claim::Verdict::NotMeasured, "{id}");
    }
}

#[test]
fn a_time_out_of_the_slower_side_is_a_lower_bound() {
    let models = scripts("jst/example-c", 4);
    let none = scripts("jst/example-c/no-models", 4);
    let mut rows: Vec<Row> = models.iter().map(|task| row(task, "hybrid", SAT, 0.5)).collect();
    rows.extend(none.iter().map(|task| row(task, "hybrid", Status::Timeout, 60.0)));
    let dataset = dataset(&["hybrid"], models.into_iter().chain(none).collect(), rows);
    let faster = finding("jst-table-5", "models-faster", &dataset);
    assert_eq!(faster.verdict, claim::Verdict::Agrees);
    let measured = faster.measured.unwrap();
    assert!((measured.value - 120.0).abs() < 1e-6, "{measured:?}");
    assert!(measured.compared.contains("4 time-outs counted as the limit"), "{}", measured.compared);
}

#[test]
fn relaxed_solving_is_compared_on_the_trees_made_for_it() {
    let [figure_5, example_d, example_b] =
        ["jst/figure-5", "jst/example-d", "jst/example-b"].map(|family| scripts(family, 4));
    let ways = ["hybrid", "hybrid-full", "hybrid-no-rules"];
    let mut rows = Vec::new();
    for (place, task) in figure_5.iter().enumerate() {
        rows.push(row(task, ways[0], SAT, 0.1));
        let full = if place < 3 { (SAT, 40.0) } else { (Status::Timeout, 60.0) };
        rows.push(row(task, ways[1], full.0, full.1));
    }
    for task in example_d.iter().chain(&example_b) {
        let tentative = if task.family == "jst/example-d" { 4 } else { 2 };
        let relaxed = with_counter(row(task, ways[0], SAT, 0.5), "paths_tentative", tentative);
        rows.push(with_counter(with_counter(relaxed, "paths_true", 2), "iterations_max", 65));
    }
    rows.extend(example_b.iter().map(|task| row(task, ways[2], Status::Timeout, 60.0)));
    let tasks: Vec<Task> = [figure_5, example_d, example_b].concat();
    let dataset = dataset(&ways, tasks.clone(), rows.clone());

    let of = |claim: &str| finding("jst-table-4", claim, &dataset);
    let saved = of("relaxed-figure-5");
    assert_eq!(saved.verdict, claim::Verdict::Agrees);
    let measured = saved.measured.unwrap();
    assert!((measured.value - (3.0 * 40.0 + 60.0) / 0.4).abs() < 1e-6, "{measured:?}");
    assert_eq!(measured.bound, claim::Bound::AtLeast);

    let without = of("relaxed-over-none");
    assert_eq!(without.verdict, claim::Verdict::Agrees);
    assert!((without.measured.unwrap().value - 120.0).abs() < 1e-6);

    // Over the trees of both examples: 4 of 2 in four of them, 2 of 2 in the others.
    assert!((of("tentative-paths").measured.unwrap().value - 1.5).abs() < 1e-6);

    // The most iterations are those of all trees only if all of them ended.
    assert_eq!(of("iterations-b").verdict, claim::Verdict::Agrees);
    let late = tasks.iter().rfind(|task| task.family == "jst/example-b").unwrap();
    rows.retain(|row| row.task() != late.id);
    rows.push(row(late, ways[0], Status::Timeout, 60.0));
    let dataset = self::dataset(&ways, tasks.clone(), rows);
    assert_eq!(finding("jst-table-4", "iterations-b", &dataset).verdict, claim::Verdict::NotSeparable);
}

#[test]
fn one_condition_asked_alone_counts_for_programs_and_scripts_of_many_do_not() {
    let mut tasks = scripts("programs/easychair", 8);
    tasks.push(script("programs/easychair", "tree", 9));
    let mut rows: Vec<Row> = tasks[..8].iter().flat_map(|task| graph(task, [4.0, 1.0])).collect();
    rows.extend(graph(&tasks[8], [1.0, 900.0]));
    let dataset = dataset(&[AUTOMATA, BITS], tasks, rows);
    let easychair = finding("table-4.1", "easychair", &dataset);
    assert_eq!(easychair.verdict, claim::Verdict::Agrees);
    assert!((easychair.measured.unwrap().value - 4.0).abs() < 1e-9);
    assert_eq!(easychair.claim.published, Some((4668.0 / 1066.0, 4668.0 / 1066.0)));
    assert_eq!(finding("table-4.1", "mystery", &dataset).why(), "the program was not published");
}

#[test]
fn the_studys_own_automata_are_compared_where_the_run_has_them() {
    let tasks = scripts("random-graphs/five", 8);
    let mut rows: Vec<Row> = tasks.iter().flat_map(|task| graph(task, [1.0, 4.0])).collect();
    let published = "graph-automata-ranges-published";
    rows.extend(tasks.iter().map(|task| {
        with_counter(with_phase(row(task, published, SAT, 0.5), "string", 4.0), "interchanges", 3)
    }));
    let mut dataset = dataset(&[AUTOMATA, BITS, published], tasks, rows);
    let own = dataset.run.strategies.iter_mut().find(|row| row.name == published).unwrap();
    let changed = [("negatives", "first-words"), ("refusals", "connected")];
    own.options.extend(changed.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let average = finding("table-4.2", "same-average", &dataset);
    assert_eq!(average.verdict, claim::Verdict::Agrees);
    assert_eq!(average.measured.unwrap().compared, format!("{published} : {BITS}"));
}

#[test]
fn an_extreme_graph_that_preprocessing_settled_tells_nothing_of_the_two() {
    let task = script("programs/extremes", "figure-4.1", 1);
    let rows = |refuted: u64| -> Vec<Row> {
        let repeat = |(strategy, time): (&str, f64), n: u32| {
            let mut row =
                with_counter(row(&task, strategy, UNSAT, time), "refuted_by_preprocessing", refuted);
            row.record.key.repeat = n;
            row
        };
        (0..6).flat_map(|n| [(AUTOMATA, 2.0), (BITS, 0.5)].map(|of| repeat(of, n))).collect()
    };
    let of = |refuted| {
        let dataset = dataset(&[AUTOMATA, BITS], vec![task.clone()], rows(refuted));
        finding("figure-4.1-4.2", "figure-4.1", &dataset)
    };
    assert_eq!(of(0).verdict, claim::Verdict::Agrees);
    assert!((of(0).measured.unwrap().value - 4.0).abs() < 1e-6);
    assert_eq!(of(1).verdict, claim::Verdict::NotMeasured);
    assert!(of(1).why().contains("6 refuted by preprocessing"), "{}", of(1).why());
    // A strategy that has no guess left and cannot tell took its time nevertheless; one that met a limit did
    // not.
    let unknown = |strategy: &str, why: &str, time, n| {
        let mut row = row(&task, strategy, Status::Answered(Verdict::Unknown), time);
        row.record.key.repeat = n;
        let reason = Some(why.to_owned());
        row.record.answers = vec![Answer { reason, ..Answer::of(Verdict::Unknown) }];
        row
    };
    let of = |why: &str| {
        let rows = (0..6).flat_map(|n| {
            let [automata, mut bits] =
                [(AUTOMATA, 3.0), (BITS, 1.0)].map(|(name, time)| unknown(name, why, time, n));
            bits.record.phases.insert("start_z3".to_owned(), PhaseTime { cold_ns: 500_000_000, warm: None });
            [automata, bits]
        });
        let dataset = dataset(&[AUTOMATA, BITS], vec![task.clone()], rows.collect());
        finding("figure-4.1-4.2", "figure-4.1", &dataset).measured
    };
    let measured = of("some guesses were ruled out without proof, and no guess is left").unwrap();
    assert!((measured.value - 6.0).abs() < 1e-6);
    assert!(of("more than 1000 guesses").is_err());
}

#[test]
fn example_b_is_solved_by_arrays_with_automata() {
    let tasks = scripts("pass/example-b", 6);
    let both = "parray+automata";
    let mut rows: Vec<Row> =
        tasks.iter().flat_map(|task| [row(task, both, SAT, 0.6), row(task, PASS, SAT, 0.2)]).collect();
    rows.extend(tasks.iter().map(|task| row(task, "parray-mbqi", Status::Unsupported, 0.0)));
    let dataset = dataset(&[both, PASS, "parray-mbqi"], tasks, rows);
    let elimination = finding("pass-table-1", "qelim-over-parray", &dataset).measured.unwrap();
    assert!((elimination.value - 3.0).abs() < 1e-6, "{elimination:?}");
    let table = reports::layout::pass::table_1::table(&dataset).unwrap();
    let methods: Vec<[&str; 2]> = table
        .rows()
        .iter()
        .filter(|row| row[0].exact == "example (b)")
        .map(|row| [row[1].exact.as_str(), row[2].exact.as_str()])
        .collect();
    assert!(methods.contains(&["parray", both]) && methods.contains(&["parray+qelim", PASS]), "{methods:?}");
    assert!(methods.contains(&["", "parray-mbqi"]), "{methods:?}");
}

#[test]
fn claims_stand_before_all_other_tables_and_after_what_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let dataset = large(3, 9, &[Alphabet::Ascii, Alphabet::Utf16], true);
    write_all(&dataset, dir.path()).unwrap();
    let text = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    for file in ["summary.md", "index.html"] {
        let text = text(file);
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("no '{what}' in {file}"));
        let claims = at("What the papers found");
        assert!(at("DISAGREEMENT") < claims && claims < at("What was run"), "{file}");
        assert!(at("lazy algorithms take less time than eager ones") > claims);
        assert!(text.contains("How the claims about it were tested"), "{file}");
    }
    let csv = text("tables/claims.csv");
    let stated: usize = dataset.run.report.layouts.iter().map(|name| claims(name, &dataset).len()).sum();
    assert_eq!(csv.lines().count(), stated + 1);
}

/// The options of a strategy.
type Chosen<'a> = &'a [(&'a str, &'a str)];

/// Strategies of a run as those of a family with options.
fn of_family(mut dataset: Dataset, all: &[(&str, &str, Chosen<'_>)]) -> Dataset {
    for (row, (name, family, options)) in dataset.run.strategies.iter_mut().zip(all) {
        assert_eq!(row.name, *name);
        (*family).clone_into(&mut row.family);
        row.options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    }
    dataset
}

#[test]
fn parts_of_hampis_time_are_compared_by_length() {
    let tasks = scripts("systems/li2009/difference", 8);
    let names = ["k1", "k15"];
    let run = |encode: [f64; 2], solving: f64| {
        let rows = tasks.iter().flat_map(|task| {
            names.iter().zip(encode).map(|(name, encode)| {
                // Of 100 ms; 10 more are the start of Z3.
                let row = with_phase(row(task, name, UNSAT, 0.11), "start_z3", 10.0);
                let row = with_phase(with_phase(row, "encode", encode), "solving", solving);
                with_phase(row, "other", 100.0 - encode - solving)
            })
        });
        let fixed = |k: &'static str| [("min-length", k), ("max-length", k), ("engine", "sat")];
        of_family(
            dataset(&names, tasks.clone(), rows.collect()),
            &[("k1", "hampi", &fixed("1")), ("k15", "hampi", &fixed("15"))],
        )
    };
    let published = run([40.0, 80.0], 5.0);
    for id in ["solving-is-little", "encoding-grows"] {
        assert_eq!(finding("experiment-2", id, &published).verdict, claim::Verdict::Agrees, "{id}");
    }
    let grown = finding("experiment-2", "encoding-grows", &published).measured.unwrap().value;
    assert!((grown - 2.0).abs() < 1e-9, "{grown}");
    let other = run([40.0, 20.0], 30.0);
    for id in ["solving-is-little", "encoding-grows"] {
        assert_eq!(finding("experiment-2", id, &other).verdict, claim::Verdict::Reversed, "{id}");
    }
    let parts = find("experiment-2").unwrap().build(&Analysis::new(&published)).unwrap();
    assert!(matches!(&parts[0], reports::layout::Part::Table(table) if table.rows().len() == 2));
    assert!(matches!(&parts[1], reports::layout::Part::Plot(plot) if plot.picture().is_some()));
}

#[test]
fn long_strings_are_compared_with_all_others_by_length() {
    let lengths = [10_u64, 100, 1000];
    let task = |n: u64| Task { id: format!("long-systems/latin1/n{n}"), ..script("long-systems", "x", 1) };
    let names = ["d", "s", "h", "r"];
    let run = |hampi: f64, rex: f64| {
        let rows = lengths.iter().flat_map(|&n| {
            let long = n as f64;
            let times = [1e-6 * long * long, 1e-6 * long, hampi * long, 1e-2 * long.powf(rex)];
            let states = [n * n, n, 0, 0];
            names.iter().zip(times).zip(states).map(move |((name, time), states)| {
                with_counter(row(&task(n), name, SAT, time), "states", states)
            })
        });
        of_family(
            dataset(&names, lengths.iter().map(|&n| task(n)).collect(), rows.collect()),
            &[
                ("d", "dprle", &[("minimise", "false")]),
                ("s", "strsolve", &[]),
                ("h", "hampi", &[("engine", "sat")]),
                ("r", "sfa", &[("algebra", "predicate"), ("mode", "lazy")]),
            ],
        )
    };
    let published = run(5e-5, 1.0);
    for (id, value) in [
        ("fraction-of-states", 1000.0),
        ("strsolve-linear", 1.0),
        ("dprle-poorer", 2.0),
        ("faster-than-hampi", 50.0),
        ("dprle-beats-hampi-at-first", 10.0),
        ("rex-slower", 10_000.0),
        ("rex-linear", 1.0),
    ] {
        let finding = finding("experiment-3", id, &published);
        assert_eq!(finding.verdict, claim::Verdict::Agrees, "{id}");
        let measured = finding.measured.unwrap().value;
        assert!((measured / value - 1.0).abs() < 1e-3, "{id}: {measured}");
    }
    let other = run(1e-7, 2.0);
    for id in ["faster-than-hampi", "dprle-beats-hampi-at-first", "rex-linear"] {
        assert_eq!(finding("experiment-3", id, &other).verdict, claim::Verdict::Reversed, "{id}");
    }
}

#[test]
fn words_of_grammars_are_compared_with_both_encodings() {
    let tasks: Vec<Task> = (0..8)
        .map(|i| Task {
            parameters: Default::default(),
            id: format!("random-grammars/ascii/s1/{i}/len5"),
            ..script("random-grammars", "x", 1)
        })
        .collect();
    let names = ["c", "h", "s"];
    let rows = tasks.iter().flat_map(|task| {
        let times = [0.4, 1.2, 0.2];
        names.iter().zip(times).map(|(name, time)| row(task, name, Status::Answered(Verdict::Empty), time))
    });
    let dataset = of_family(
        dataset(&names, tasks.clone(), rows.collect()),
        &[("c", "cfg", &[]), ("h", "hampi", &[("engine", "sat")]), ("s", "strsolve", &[])],
    );
    for (id, factor) in [("faster-than-cfg-analyzer", 2.0), ("faster-than-hampi", 6.0)] {
        let finding = finding("experiment-4", id, &dataset);
        assert_eq!(finding.verdict, claim::Verdict::Agrees, "{id}");
        assert!((finding.measured.unwrap().value - factor).abs() < 1e-9, "{id}");
    }
}

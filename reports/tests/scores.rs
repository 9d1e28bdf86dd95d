//! Scores over a run whose figures can be added up by hand.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "helpers of tests"
)]

mod support;

use harness_model::{Alphabet, OperationKind, Status, Task, Verdict};
use reports::scores::scores;
use reports::{Dataset, Row};
use support::{row, run_info, task};

const RIGHT: Status = Status::Answered(Verdict::Empty);

/// A row with these times of the whole record, in seconds.
fn timed(task: &Task, strategy: &str, status: Status, repeat: u32, (cpu, wall): (f64, f64)) -> Row {
    let mut row = row(task, strategy, status, wall);
    let usage = row.record.usage.as_mut().unwrap();
    (usage.cpu_ns, usage.wall_ns) = ((cpu * 1e9) as u64, (wall * 1e9) as u64);
    row.record.key.repeat = repeat;
    row
}

#[test]
fn scores_are_those_that_a_hand_adds_up() {
    let tasks =
        ["A0", "A1", "A2", "A3"].map(|left| task(Alphabet::Ascii, OperationKind::Product, left, "A0"));
    let [a, b, c, d] = &tasks;
    let rows = vec![
        // Both solve the first; `one` is faster by processor time, `two` by the clock.
        timed(a, "one", RIGHT, 0, (1.0, 30.0)),
        timed(a, "two", RIGHT, 0, (2.0, 2.0)),
        // `one` alone solves the second.
        timed(b, "one", RIGHT, 0, (4.0, 4.0)),
        timed(b, "two", Status::Timeout, 0, (60.0, 60.0)),
        // `two` is wrong once in two repeats of the third: not solved, and an error.
        timed(c, "one", Status::Unsupported, 0, (0.1, 0.1)),
        timed(c, "two", RIGHT, 0, (1.0, 1.0)),
        timed(c, "two", Status::Wrong, 1, (1.0, 1.0)),
        // `two` solves the fourth in 3 s, the median of its repeats.
        timed(d, "one", Status::Answered(Verdict::Unknown), 0, (1.0, 1.0)),
        timed(d, "two", RIGHT, 0, (2.0, 2.0)),
        timed(d, "two", RIGHT, 1, (3.0, 3.0)),
        timed(d, "two", RIGHT, 2, (9.0, 9.0)),
    ];
    let dataset =
        Dataset::new(run_info("scores", &["one", "two"], 4, 12), tasks.clone(), rows, Vec::new(), Vec::new());
    let table = scores(&dataset).unwrap();
    let csv: Vec<Vec<String>> =
        table.csv().lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
    let value = |strategy: &str, column: &str| {
        let place = csv[0].iter().position(|name| name == column).unwrap();
        let row = csv.iter().find(|row| row[0] == strategy).unwrap();
        row[place].parse::<f64>().unwrap()
    };
    let close = |strategy: &str, column: &str, expected: f64| {
        let found = value(strategy, column);
        assert!((found - expected).abs() < 1e-6, "{strategy} {column}: {found}, not {expected}");
    };
    for (column, one, two) in [
        ("tasks", 4.0, 4.0),
        ("errors", 0.0, 1.0),
        ("solved", 2.0, 2.0),
        ("solved_alone", 1.0, 1.0),
        ("fastest", 2.0, 1.0),
        ("sequential", 2.0, 2.0),
        ("parallel", 2.0, 2.0),
        ("within_24_s", 1.0, 2.0),
        ("cpu_s", 5.0, 5.0),
        ("wall_s", 34.0, 5.0),
        // Two unsolved tasks at 120 s each, over four.
        ("par2_cpu_s", 245.0 / 4.0, 245.0 / 4.0),
        // The virtual best: 1, 4, unsolved, 3. Without `one` 2, unsolved, unsolved, 3; without `two` 1, 4 and
        // two unsolved.
        ("contribution_s", (245.0 - 128.0) / 4.0, (245.0 - 128.0) / 4.0),
    ] {
        close("one", column, one);
        close("two", column, two);
    }
    close("virtual best", "solved", 3.0);
    close("virtual best", "par2_cpu_s", 128.0 / 4.0);
}

#[test]
fn a_strategy_alone_has_no_scores() {
    let task = task(Alphabet::Ascii, OperationKind::Product, "A0", "A0");
    let rows = vec![row(&task, "one", RIGHT, 1.0)];
    let dataset = Dataset::new(run_info("alone", &["one"], 1, 1), [task], rows, Vec::new(), Vec::new());
    assert!(scores(&dataset).is_none());
}

//! Times on the tasks that every strategy solved, the only fair ones to put side by side, always with their
//! number.

use std::collections::BTreeMap;

use harness_model::Alphabet;

use crate::analysis::Analysis;
use crate::attempt::Attempt;
use crate::format;
use crate::overview::total;
use crate::stats::{self, Interval, Ratio};
use crate::table::{Cell, Column, Table};

/// Added to each time before the geometric mean is taken, and subtracted after it. Well below it lies what no
/// two runs agree on.
const SHIFT_S: f64 = 10e-6;

/// Below this a time is not compared: the monotonic clock ticks in nanoseconds.
const RESOLUTION_S: f64 = 1e-9;

/// Resamples for each interval.
const ROUNDS: usize = 1000;

/// One strategy on the common tasks.
struct Line<'a> {
    strategy: &'a str,
    times: Vec<f64>,
    mean: f64,
}

/// One row for each strategy that solved anything, fastest first, for each family and alphabet with at least
/// two of them.
pub fn common(analysis: &Analysis<'_>) -> Table {
    let mut table = Table::new(
        "common",
        2,
        vec![
            Column::text("family", "family"),
            Column::text("alphabet", "alphabet"),
            Column::text("strategy", "strategy"),
            Column::number("common_tasks", "common tasks"),
            Column::number("left_out", "left out"),
            Column::number("total_solve_s", "total solve"),
            Column::number("median_solve_s", "median solve"),
            Column::number("geometric_mean_s", "geometric mean"),
            Column::number("times_fastest", "× fastest"),
            Column::text("times_fastest_95", "95 % interval"),
        ],
    );
    let mut groups: BTreeMap<(&str, Alphabet), Vec<&Attempt<'_>>> = BTreeMap::new();
    for attempt in &analysis.attempts {
        groups.entry((attempt.family, attempt.alphabet)).or_default().push(attempt);
    }
    for ((family, alphabet), group) in groups {
        let mut tasks: BTreeMap<&str, BTreeMap<&str, f64>> = BTreeMap::new();
        let mut names = Vec::new();
        for attempt in group {
            let solved = tasks.entry(attempt.task).or_default();
            if let Some(time) = attempt.full_s() {
                solved.insert(attempt.strategy, time);
                names.push(attempt.strategy);
            }
        }
        names.sort_unstable();
        names.dedup();
        if names.len() < 2 {
            continue;
        }
        let all = tasks.len();
        tasks.retain(|_, solved| solved.len() == names.len());
        let mut lines: Vec<Line<'_>> = names
            .into_iter()
            .map(|strategy| {
                let times: Vec<f64> = tasks.values().filter_map(|t| t.get(strategy).copied()).collect();
                let mean = stats::shifted_geometric_mean(&times, SHIFT_S).unwrap_or(f64::INFINITY);
                Line { strategy, times, mean }
            })
            .collect();
        lines.sort_by(|a, b| a.mean.total_cmp(&b.mean).then(a.strategy.cmp(b.strategy)));
        for i in 0..lines.len() {
            let mut cells = vec![
                Cell::text(family),
                Cell::text(alphabet.name()),
                Cell::text(lines[i].strategy),
                Cell::count(tasks.len()),
                Cell::count(all - tasks.len()),
                Cell::seconds(total(&lines[i].times)),
                Cell::seconds(stats::median(&lines[i].times)),
                Cell::seconds(stats::shifted_geometric_mean(&lines[i].times, SHIFT_S)),
            ];
            cells.extend(against(&lines[i], &lines[0], i == 0, analysis.dataset.run.seed));
            table.push(cells);
        }
    }
    table.note(
        "Times are of the phase solve, on the tasks that all strategies of the table solved; a strategy that solved \
         no task of a family and alphabet is not in its table and leaves no task out. Left out: the other tasks.",
    );
    table.note(format!(
        "Geometric means are shifted by {}. The interval is of the ratio of these means: percentile bootstrap over \
         tasks, {ROUNDS} resamples.",
        format::duration(SHIFT_S)
    ));
    table
}

/// The ratio to the fastest and its interval.
fn against(line: &Line<'_>, fastest: &Line<'_>, is_fastest: bool, seed: u64) -> [Cell; 2] {
    if line.times.is_empty() {
        return [Cell::absent(), Cell::absent()];
    }
    let Ratio::Times(times) = stats::ratio(line.mean, fastest.mean, RESOLUTION_S) else {
        return [Cell::pair("not comparable", ""), Cell::absent()];
    };
    let ratio = Cell::pair(format::significant(times), times.to_string());
    if is_fastest {
        return [ratio, Cell::absent()];
    }
    let logarithm = |time: f64| (time + SHIFT_S).ln();
    let items: Vec<(f64, f64)> =
        line.times.iter().zip(&fastest.times).map(|(a, b)| (logarithm(*a), logarithm(*b))).collect();
    let interval = stats::bootstrap(
        &items,
        |items| {
            let n = stats::sample::count(items.len());
            let (a, b) = items.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
            let mean = |sum: f64| (sum / n).exp() - SHIFT_S;
            match stats::ratio(mean(a), mean(b), RESOLUTION_S) {
                Ratio::Times(times) => Some(times),
                Ratio::NotComparable => None,
            }
        },
        0.95,
        ROUNDS,
        seed,
    );
    let interval = interval.map_or_else(Cell::absent, |Interval { low, high }| {
        Cell::pair(
            format!("{} to {}", format::significant(low), format::significant(high)),
            format!("{low} to {high}"),
        )
    });
    [ratio, interval]
}

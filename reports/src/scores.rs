//! Scores as competitions and portfolios have them: what each strategy solves alone, what it adds to the
//! others, and SMT-COMP's counts by processor time, by the clock and within 24 seconds.
//!
//! A task with repeats is solved by a strategy that answers it correctly every time; its time is the median.
//! Times are those of whole records, from the start of the process to its end: that is what competitions
//! count.

use std::collections::BTreeMap;

use harness_model::Status;

use crate::dataset::{Dataset, seconds};
use crate::format;
use crate::stats;
use crate::table::{Cell, Column, Table};

/// SMT-COMP's short limit, in seconds by the clock.
const SHORT_S: f64 = 24.0;

/// What a strategy did with one task.
#[derive(Clone, Copy, Debug, Default)]
struct Done {
    /// Processor time and time by the clock, in seconds; `None` unless it is solved.
    solved: Option<(f64, f64)>,
    /// Whether an answer was wrong.
    wrong: bool,
}

/// Of each strategy, the tasks that it has records of, by their number among those that have any.
type Results<'d> = BTreeMap<&'d str, Vec<(usize, Done)>>;

/// The least processor times of a task.
#[derive(Clone, Copy, Debug, Default)]
struct Best<'d> {
    /// The least one, and whose it is.
    first: Option<(f64, &'d str)>,
    /// The least one of all other strategies.
    second: Option<f64>,
}

impl<'d> Best<'d> {
    fn add(&mut self, strategy: &'d str, cpu: f64) {
        match self.first {
            Some((first, _)) if first <= cpu => {
                self.second = Some(self.second.map_or(cpu, |second| second.min(cpu)));
            }
            Some((first, _)) => {
                self.second = Some(first);
                self.first = Some((cpu, strategy));
            }
            None => self.first = Some((cpu, strategy)),
        }
    }

    /// The least one of all strategies.
    fn of_all(self) -> Option<f64> {
        self.first.map(|(cpu, _)| cpu)
    }

    /// The least one of all strategies but this one.
    fn without(self, strategy: &str) -> Option<f64> {
        self.first.and_then(|(cpu, whose)| if whose == strategy { self.second } else { Some(cpu) })
    }
}

/// One row for each strategy, and one for the best of all on each task. `None` for a run of one strategy.
/// Linear in the records.
pub fn scores(dataset: &Dataset) -> Option<Table> {
    let strategies = dataset.strategies();
    if strategies.len() < 2 {
        return None;
    }
    let (tasks, results) = results(dataset);
    let mut best: Vec<Best<'_>> = vec![Best::default(); tasks];
    for (strategy, done) in &results {
        for (task, done) in done {
            if let Some((cpu, _)) = done.solved {
                best[*task].add(strategy, cpu);
            }
        }
    }
    let limits = &dataset.run.limits;
    let (limit, cpu_limit, wall_limit) =
        (limits.time().as_secs_f64(), limits.cpu.as_secs_f64(), limits.wall.as_secs_f64());
    let mut table = Table::new(
        "scores",
        0,
        vec![
            Column::text("strategy", "strategy"),
            Column::number("tasks", "tasks"),
            Column::number("errors", "errors").optional(),
            Column::number("solved", "solved"),
            Column::number("solved_alone", "solved alone"),
            Column::number("fastest", "fastest"),
            Column::number("contribution_s", "contribution"),
            Column::number("sequential", "sequential"),
            Column::number("parallel", "parallel"),
            Column::number("within_24_s", "within 24 s"),
            Column::number("cpu_s", "CPU"),
            Column::number("wall_s", "wall"),
            Column::number("par2_cpu_s", "PAR-2 (CPU)"),
        ],
    );
    let par2 = |times: &[Option<f64>]| stats::par2(times, limit);
    let of_all: Vec<Option<f64>> = best.iter().map(|best| best.of_all()).collect();
    for &name in &strategies {
        let Some(done) = results.get(name) else { continue };
        let solved: Vec<(f64, f64)> = done.iter().filter_map(|(_, done)| done.solved).collect();
        let count =
            |fits: &dyn Fn(&(f64, f64)) -> bool| Cell::count(solved.iter().filter(|s| fits(s)).count());
        let without: Vec<Option<f64>> = best.iter().map(|best| best.without(name)).collect();
        let solves = || done.iter().filter_map(|(task, done)| Some((best[*task], done.solved?.0)));
        let alone = solves().filter(|(best, _)| best.without(name).is_none());
        let fastest = solves().filter(|(best, cpu)| best.of_all() == Some(*cpu));
        let own: Vec<Option<f64>> = done.iter().map(|(_, done)| done.solved.map(|solved| solved.0)).collect();
        let contribution = par2(&without).zip(par2(&of_all)).map(|(without, all)| without - all);
        table.push(vec![
            Cell::text(name),
            Cell::count(done.len()),
            Cell::count(done.iter().filter(|(_, done)| done.wrong).count()),
            Cell::count(solved.len()),
            Cell::count(alone.count()),
            Cell::count(fastest.count()),
            Cell::seconds(contribution),
            count(&|&(cpu, _)| cpu <= cpu_limit),
            count(&|&(_, wall)| wall <= wall_limit),
            count(&|&(_, wall)| wall <= SHORT_S),
            Cell::seconds((!solved.is_empty()).then(|| solved.iter().map(|s| s.0).sum())),
            Cell::seconds((!solved.is_empty()).then(|| solved.iter().map(|s| s.1).sum())),
            Cell::seconds(par2(&own)),
        ]);
    }
    let solved: Vec<f64> = of_all.iter().copied().flatten().collect();
    table.push(vec![
        Cell::text("virtual best"),
        Cell::count(best.len()),
        Cell::absent(),
        Cell::count(solved.len()),
        Cell::absent(),
        Cell::absent(),
        Cell::absent(),
        Cell::absent(),
        Cell::absent(),
        Cell::absent(),
        Cell::seconds((!solved.is_empty()).then(|| solved.iter().sum())),
        Cell::absent(),
        Cell::seconds(par2(&of_all)),
    ]);
    notes(&mut table, limit);
    Some(table)
}

fn notes(table: &mut Table, limit: f64) {
    table.note(
        "Times are of whole records, from the start of the process to its end. A task with repeats counts as solved if every \
         repeat is; its time is the median.",
    );
    table.note(
        "Solved alone: by no other strategy of this run. Fastest: the least CPU time of those that solve the task. Virtual best: \
         on each task the fastest. Contribution: by how much the PAR-2 of the virtual best is worse, per task, without the \
         strategy.",
    );
    table.note(format!(
        "Sequential, parallel and within 24 s are SMT-COMP's counts: correct answers within the limit by CPU time, by the clock, \
         and within {SHORT_S} s by the clock; fewer errors come first, then more answers, then less time. PAR-2 counts an unsolved \
         task as twice the limit of {}.",
        format::chosen(std::time::Duration::from_secs_f64(limit))
    ));
}

/// How many tasks have records, and the results on them.
fn results(dataset: &Dataset) -> (usize, Results<'_>) {
    let mut results = Results::new();
    let (mut tasks, mut last) = (0, None);
    // Rows are sorted by task and strategy.
    for rows in dataset.rows().chunk_by(|a, b| a.task() == b.task() && a.strategy() == b.strategy()) {
        let Some(first) = rows.first() else { continue };
        if last.replace(first.task()) != Some(first.task()) {
            tasks += 1;
        }
        let wrong = rows.iter().any(|row| matches!(row.status(), Status::Wrong | Status::InvalidModel));
        let times: Option<Vec<(f64, f64)>> = rows
            .iter()
            .map(|row| {
                let usage = row.record.usage.filter(|_| row.is_full())?;
                Some((seconds(usage.cpu_ns), seconds(usage.wall_ns)))
            })
            .collect();
        let solved = times.and_then(|times| {
            let (cpu, wall): (Vec<f64>, Vec<f64>) = times.into_iter().unzip();
            stats::median(&cpu).zip(stats::median(&wall))
        });
        results.entry(first.strategy()).or_default().push((tasks - 1, Done { solved, wrong }));
    }
    (tasks, results)
}

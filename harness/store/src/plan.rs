//! What differs between two plans, and whether one is the other with more in it.

use harness_model::run::{RunInfo, StrategyRow};

use crate::shard::Shard;

/// What differs between the plan of `before` and that of `now`, each in words; nothing where only the digest
/// does.
pub fn plan_differences(before: &RunInfo, now: &RunInfo) -> Vec<String> {
    let mut differ = Vec::new();
    if before.tasks_digest.is_none() || before.tasks_digest != now.tasks_digest {
        differ.push(if before.tasks == now.tasks {
            format!("the {} tasks are not the same", now.tasks)
        } else {
            format!("tasks: {} then, {} now", before.tasks, now.tasks)
        });
    }
    let without = |rows: &[StrategyRow], others: &[StrategyRow]| -> Vec<String> {
        let missing = rows.iter().filter(|row| !others.iter().any(|other| same(row, other)));
        missing.map(|row| row.name.clone()).collect()
    };
    let (gone, new) =
        (without(&before.strategies, &now.strategies), without(&now.strategies, &before.strategies));
    for (what, names) in [("only then", &gone), ("only now", &new)] {
        if !names.is_empty() {
            differ.push(format!("strategies {what}: {}", names.join(", ")));
        }
    }
    if gone.is_empty() && new.is_empty() && before.left_out == now.left_out && !same_order(before, now) {
        differ.push("the strategies are in another order".to_owned());
    }
    if !left_out_alike(before, now) {
        differ.push("what is left out ('leave_out')".to_owned());
    }
    let mut value = |name: &str, then: String, today: String| {
        if then != today {
            differ.push(format!("{name}: {then} then, {today} now"));
        }
    };
    value("repeats", before.repeats.to_string(), now.repeats.to_string());
    value("wall limit", format!("{:?}", before.limits.wall), format!("{:?}", now.limits.wall));
    value("cpu limit", format!("{:?}", before.limits.cpu), format!("{:?}", now.limits.cpu));
    value("memory limit", format!("{} bytes", before.limits.memory), format!("{} bytes", now.limits.memory));
    let sampling = |info: &RunInfo| {
        info.sampling.map_or_else(
            || "none".to_owned(),
            |sampling| format!("{:?} or {} samples", sampling.total, sampling.max_samples),
        )
    };
    value("sampling", sampling(before), sampling(now));
    value("seed", before.seed.to_string(), now.seed.to_string());
    value("shard", shard(before), shard(now));
    differ
}

/// Whether `now` has all records of `before`, under the same conditions, and others beside: more strategies
/// or repeats.
pub(crate) fn extends(before: &RunInfo, now: &RunInfo) -> bool {
    before.tasks_digest.is_some()
        && before.tasks_digest == now.tasks_digest
        && before.strategies.iter().all(|row| now.strategies.iter().any(|other| same(row, other)))
        && left_out_alike(before, now)
        && before.repeats <= now.repeats
        && before.limits == now.limits
        && before.sampling == now.sampling
        && before.seed == now.seed
        && Shard::of(before) == Shard::of(now)
}

/// Which part of the plan a run is.
fn shard(info: &RunInfo) -> String {
    Shard::of(info).map_or_else(|| "the whole plan".to_owned(), |shard| shard.to_string())
}

/// Whether two rows are one strategy.
fn same(a: &StrategyRow, b: &StrategyRow) -> bool {
    a.name == b.name && a.canonical == b.canonical
}

fn same_order(before: &RunInfo, now: &RunInfo) -> bool {
    before.strategies.iter().map(|row| &row.name).eq(now.strategies.iter().map(|row| &row.name))
}

/// Whether the strategies that are in both are left out in the same places.
fn left_out_alike(before: &RunInfo, now: &RunInfo) -> bool {
    let cells = |of: &RunInfo, other: &RunInfo| -> Vec<(String, &'static str)> {
        let mut cells: Vec<_> = of
            .left_out
            .iter()
            .filter(|cell| other.strategies.iter().any(|row| row.name == cell.strategy))
            .map(|cell| (cell.strategy.clone(), cell.alphabet.name()))
            .collect();
        cells.sort_unstable();
        cells
    };
    cells(before, now) == cells(now, before)
}

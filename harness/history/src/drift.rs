//! What the machine did to all strategies alike, run by run.

use std::collections::BTreeMap;

use harness_stats::{median, sample::densest_half};

use crate::history::Head;
use crate::series::Series;

/// Of fewer strategies, what they have in common would be the change itself.
const LEAST: usize = 4;

/// The factor between what the strategies have in common and the fixed piece of work from which on they do
/// not agree.
const AGREE: f64 = 1.10;

/// By run: the factor by which the machine was slower than in the middle run. A run of which nothing is known
/// is not in it.
pub(crate) fn of(series: &[Series], heads: &[&Head]) -> BTreeMap<i64, f64> {
    let mut logs: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
    for one in series {
        let own: Vec<(i64, f64)> = one.points.iter().map(|point| (point.run, point.seconds.ln())).collect();
        let Some(middle) = median(&own.iter().map(|(_, log)| *log).collect::<Vec<_>>()) else { continue };
        for (run, log) in own {
            logs.entry(run).or_default().push(log - middle);
        }
    }
    let strategies: BTreeMap<i64, f64> = logs
        .into_iter()
        .filter(|(_, logs)| logs.len() >= LEAST)
        .filter_map(|(run, logs)| Some((run, densest_half(&logs)?)))
        .collect();
    let kernels = kernels(heads);
    let mut runs: Vec<i64> = strategies.keys().chain(kernels.keys()).copied().collect();
    runs.sort_unstable();
    runs.dedup();
    let factor = |run: i64| match (strategies.get(&run), kernels.get(&run)) {
        (Some(strategies), Some(kernel)) if (strategies - kernel).abs() > AGREE.ln() => Some(*kernel),
        (strategies, kernel) => strategies.or(kernel).copied(),
    };
    runs.into_iter().filter_map(|run| Some((run, factor(run)?.exp()))).collect()
}

/// The logarithm of the fixed piece of work by run, over that of the middle run: where all runs measured it.
fn kernels(heads: &[&Head]) -> BTreeMap<i64, f64> {
    #[expect(clippy::cast_precision_loss, reason = "2^53 ns are 104 days")]
    let measured: Vec<(i64, f64)> = heads
        .iter()
        .filter_map(|head| Some((head.number, (head.pace.kernel_ns? as f64).ln())))
        .filter(|(_, log)| log.is_finite())
        .collect();
    match median(&measured.iter().map(|(_, log)| *log).collect::<Vec<_>>()) {
        Some(middle) if measured.len() == heads.len() => {
            measured.into_iter().map(|(run, log)| (run, log - middle)).collect()
        }
        _ => BTreeMap::new(),
    }
}

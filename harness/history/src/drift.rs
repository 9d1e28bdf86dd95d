//! What the machine did to all strategies alike, run by run.
//!
//! There are two witnesses: what most strategies have in common, and the fixed piece of work. One of them is
//! heard for all runs of a series, since their factors differ, and where one took over from the other there
//! would be a step that nothing made.

use std::collections::BTreeMap;

use harness_stats::{median, sample::densest_half};

use crate::history::Head;
use crate::series::Series;

/// Of fewer strategies, what they have in common would be the change itself.
const LEAST: usize = 4;

/// The factor that the strategies' ratio to the fixed piece of work may change by: where it changes by more,
/// what they have in common is not the machine alone.
const AGREE: f64 = 1.10;

/// So many times as much as from one run to the next it has to change in the middle, else it is noise.
const ABOVE_NOISE: f64 = 5.0;

/// By run: the factor by which the machine was slower than in the middle run. A run of which nothing is known
/// is not in it. `heads` are in the order in which the runs began; fewer than `least` runs make no step.
pub(crate) fn of(series: &[Series], heads: &[&Head], least: usize) -> BTreeMap<i64, f64> {
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
    let ratios: Option<Vec<f64>> =
        heads.iter().map(|head| Some(strategies.get(&head.number)? - kernels.get(&head.number)?)).collect();
    // Where one of the two does not know all runs, the other one is heard.
    let heard = match ratios {
        Some(ratios) if !changes(&ratios, least) => strategies,
        Some(_) => kernels,
        None if kernels.is_empty() => strategies,
        None => kernels,
    };
    heard.into_iter().map(|(run, log)| (run, log.exp())).collect()
}

/// Whether `least` of the logarithms or more, in the order of the runs, are apart from as many others by more
/// than [`AGREE`] and than their noise.
fn changes(logs: &[f64], least: usize) -> bool {
    let mut sorted = logs.to_vec();
    sorted.sort_by(f64::total_cmp);
    let side = least.min(logs.len() / 2).max(1);
    let (Some(low), Some(high)) = (sorted.get(side - 1), sorted.get(logs.len().saturating_sub(side))) else {
        return false;
    };
    let steps: Vec<f64> = logs.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    // Of fewer, the one in the middle may be the change itself.
    let noise = if steps.len() >= 3 { median(&steps).unwrap_or(0.0) } else { 0.0 };
    high - low > AGREE.ln().max(ABOVE_NOISE * noise)
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

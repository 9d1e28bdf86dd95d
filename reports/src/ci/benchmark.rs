//! JSON of github-action-benchmark, tool `customSmallerIsBetter`: a list of objects with `name`, `unit`,
//! `value` and, shown when one points at the value, `extra`.

use harness_regress::Comparison;
use serde_json::{Value, json};

use super::percent;
use crate::format;

/// One value for each strategy (`NAME`) and each of its families (`NAME/FAMILY`): the sum in milliseconds,
/// over the tasks that both runs solved, of the median times of the current run. A group without such a task
/// has none.
pub fn benchmark(comparison: &Comparison) -> String {
    let entry = |group: &harness_regress::Group| -> Option<Value> {
        let ms = group.after_ns / 1e6;
        if group.tasks == 0 || !ms.is_finite() {
            return None;
        }
        let name = match &group.family {
            Some(family) => format!("{}/{family}", group.strategy),
            None => group.strategy.to_string(),
        };
        let ratio = group
            .ratio
            .filter(|ratio| ratio.is_finite())
            .map(|ratio| format!("geometric mean of the ratios to the baseline: {}\n", percent(ratio)))
            .unwrap_or_default();
        let extra = format!(
            "{ratio}tasks: {}\nsolved: {} (before: {})\nbaseline: {}",
            group.tasks,
            group.solved_after,
            group.solved_before,
            format::duration(group.before_ns / 1e9),
        );
        Some(json!({"name": name, "unit": "ms", "value": ms, "extra": extra}))
    };
    let entries: Vec<Value> = comparison.groups.iter().filter_map(entry).collect();
    format!("{:#}\n", Value::Array(entries))
}

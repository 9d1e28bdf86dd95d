//! The Bencher Metric Format, adapter `json`: benchmarks by name, in each measures by name, in each `value`
//! and where known `lower_value` and `upper_value`.

use harness_regress::{Comparison, Group};
use serde_json::{Map, Value, json};

/// The longest name of a benchmark that Bencher takes, in characters.
const LONGEST: usize = 1024;

/// For each strategy (`NAME`) and each of its families (`NAME/FAMILY`): `latency`, which Bencher takes for
/// nanoseconds, the sum of the median times over the tasks that both runs solved, with the bounds of the
/// ratio to the baseline; and `solved`, the tasks solved. A group without times has only the latter.
pub fn bencher(comparison: &Comparison) -> String {
    let mut benchmarks = Map::new();
    for group in &comparison.groups {
        let name = match &group.family {
            Some(family) => format!("{}/{family}", group.strategy),
            None => group.strategy.to_string(),
        };
        let mut measures = Map::new();
        if let Some(latency) = latency(group) {
            measures.insert("latency".to_owned(), latency);
        }
        measures.insert("solved".to_owned(), json!({"value": group.solved_after}));
        benchmarks.insert(fitting(&name, &benchmarks), Value::Object(measures));
    }
    format!("{:#}\n", Value::Object(benchmarks))
}

fn latency(group: &Group) -> Option<Value> {
    let ns = group.after_ns;
    if group.tasks == 0 || !ns.is_finite() {
        return None;
    }
    let mut metric = Map::new();
    metric.insert("value".to_owned(), json!(ns));
    if let (Some((low, high)), Some(ratio)) = (group.interval, group.ratio) {
        let (lower, upper) = (ns * low / ratio, ns * high / ratio);
        if lower.is_finite() && upper.is_finite() && lower <= ns && ns <= upper {
            metric.insert("lower_value".to_owned(), json!(lower));
            metric.insert("upper_value".to_owned(), json!(upper));
        }
    }
    Some(Value::Object(metric))
}

/// A name that is not too long, and that no other benchmark has.
fn fitting(name: &str, taken: &Map<String, Value>) -> String {
    let cut = |most: usize| name.chars().take(most).collect::<String>();
    let mut fitting = cut(LONGEST);
    let mut number = 2;
    while taken.contains_key(&fitting) {
        let end = format!("~{number}");
        fitting = cut(LONGEST - end.len()) + &end;
        number += 1;
    }
    fitting
}

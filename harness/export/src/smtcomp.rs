//! SMT-COMP's results: JSON as its tools keep the results of earlier years, `results-sq-YEAR.json`.
//!
//! `{"results": [{"track", "solver", "file": {"incremental", "logic", "family", "name"}, "result",
//! "cpu_time", "wallclock_time", "memory_usage"}]}`: one query a script, one result a solver and script,
//! times in seconds, memory in bytes. A result is what the strategy claims; that it is wrong is for the
//! benchmark's status to say.

use harness_model::record::Termination;
use harness_model::{Task, Verdict};
use reports::dataset::seconds;
use reports::question::contents;
use reports::{Dataset, Row};
use serde_json::{Value, json};

use crate::ExportError;
use crate::output::Output;
use crate::verdict::claimed;

pub(crate) fn write(dataset: &Dataset, output: &mut Output) -> Result<Vec<String>, ExportError> {
    let (mut results, mut left) = (Vec::new(), Left::default());
    let mut file: Option<(&str, Option<Value>)> = None;
    for row in dataset.rows() {
        // Rows are sorted by task: each is looked through once.
        if file.as_ref().is_none_or(|(task, _)| *task != row.task()) {
            file = Some((row.task(), dataset.task(row.task()).and_then(|task| benchmark(task, &mut left))));
        }
        let Some((_, Some(file))) = &file else { continue };
        if row.record.key.repeat > 0 {
            left.repeats += 1;
            continue;
        }
        match result(dataset, row, file) {
            Some(result) => results.push(result),
            None => left.unmeasured += 1,
        }
    }
    output.write("results.json", json!({ "results": results }).to_string())?;
    Ok(left.sentences())
}

/// What has no place in the format.
#[derive(Default)]
struct Left {
    operations: usize,
    several: usize,
    without_logic: usize,
    repeats: usize,
    unmeasured: usize,
}

impl Left {
    fn sentences(&self) -> Vec<String> {
        let kinds = [
            (self.operations, "tasks that are no scripts"),
            (self.several, "scripts without exactly one check-sat"),
            (self.without_logic, "scripts that set no logic"),
            (self.repeats, "records of repeats after the first"),
            (self.unmeasured, "records without a process, which have no times"),
        ];
        let told = kinds.into_iter().filter(|(count, _)| *count > 0);
        told.map(|(count, what)| format!("not in SMT-COMP's format: {count} {what}")).collect()
    }
}

fn benchmark(task: &Task, left: &mut Left) -> Option<Value> {
    let contents = contents(&task.question);
    if task.question.as_script().is_none() {
        left.operations += 1;
        return None;
    }
    if contents.asked != 1 {
        left.several += 1;
        return None;
    }
    let Some(logic) = contents.logic else {
        left.without_logic += 1;
        return None;
    };
    let mut parts: Vec<&str> = task.id.split('/').collect();
    let name = parts.pop()?;
    Some(json!({ "incremental": false, "logic": logic, "family": parts, "name": name }))
}

fn result(dataset: &Dataset, row: &Row, file: &Value) -> Option<Value> {
    let usage = row.record.usage?;
    let answered = row.record.termination == Termination::Answered;
    let result = match claimed(dataset, row).filter(|_| answered) {
        Some(Verdict::Sat | Verdict::Nonempty) => "sat",
        Some(Verdict::Unsat | Verdict::Empty) => "unsat",
        Some(Verdict::UnsatWithinBound | Verdict::Unknown) | None => "unknown",
    };
    Some(json!({
        "track": "SingleQuery",
        "solver": row.strategy(),
        "file": file,
        "result": result,
        "cpu_time": seconds(usage.cpu_ns),
        "wallclock_time": seconds(usage.wall_ns),
        "memory_usage": usage.peak_rss_bytes,
    }))
}

//! `harness report DIR [--against DIR]`

use std::collections::HashSet;
use std::path::Path;

use harness_regress::{Condition, differences};
use harness_store::RunReader;

use crate::args::ReportArgs;
use crate::exit::{Exit, Incomparable};
use crate::out;
use crate::session::{self, Other};

/// Judges and reports what is in the directory, with another run beside it where one is named.
pub fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let Some(other) = &args.against else { return session::conclude(&args.dir) };
    let warnings = compared(&args.dir, other, &args.allow)?;
    let dataset = session::judged(other)?.dataset;
    session::conclude_against(&args.dir, Some(&Other { dataset, warnings }))
}

/// What differs between the conditions of two runs, where they may be compared all the same.
fn compared(dir: &Path, other: &Path, allow: &[Condition]) -> anyhow::Result<Vec<String>> {
    let (now, before) = (RunReader::open(dir)?, RunReader::open(other)?);
    let ids: HashSet<&str> = before.tasks().iter().map(|task| task.id.as_str()).collect();
    if !now.tasks().iter().any(|task| ids.contains(task.id.as_str())) {
        out::tell(format_args!(
            "note: {} and {} have no task in common: index.html has both, and nothing to compare",
            dir.display(),
            other.display()
        ));
    }
    // Tasks and strategies may differ: the page compares those that both have, and counts the others.
    let differ = differences(before.info(), now.info(), |before| before.fingerprint.clone());
    let refused: Vec<String> = differ
        .iter()
        .filter(|difference| difference.condition.spoils_times() || difference.condition == Condition::Limits)
        .filter(|difference| !allow.contains(&difference.condition))
        .map(|difference| format!("{}: {}", difference.condition, difference.what))
        .collect();
    if !refused.is_empty() {
        return Err(anyhow::Error::new(Incomparable(format!(
            "{} and {} may not be compared ({}); no report was made. '--allow' with these names compares them, and the page says so",
            dir.display(),
            other.display(),
            refused.join("; ")
        ))));
    }
    Ok(differ
        .into_iter()
        .map(|difference| format!("{}: {}", difference.condition, difference.what))
        .collect())
}

//! What a run is compared with, and whether it may be.

use std::path::Path;

use harness_history::{History, Selector};
use harness_model::rules::Metric;
use harness_model::run::RunInfo;
use harness_regress::{Condition, conditions, differences};
use harness_store::StoreError;

use crate::out;
use crate::regress::stored::{Observed, Reading};
use crate::regress::{Refused, show};

/// Reads the run that `name` means: that of a directory, or one of the history in the file `db`; there the
/// latest that can be compared with the head `like`, if there is one. A directory of that name goes before
/// the history.
///
/// # Errors
///
/// When there is none; [`Refused`] when it was written in a format that this build does not read.
pub fn read(name: &Path, db: &Path, like: &RunInfo, metric: Metric) -> anyhow::Result<Observed> {
    let selector = name.to_str().filter(|_| !name.exists()).and_then(Selector::of_baseline);
    if let Some(selector) = selector {
        let selector = selector.map_err(|why| anyhow::anyhow!("--baseline {}: {why}", name.display()))?;
        let run = History::open(db)?.run(&selector, Some(like))?;
        let label = match &run.head.commit {
            Some(commit) => format!("run {} of {} ({commit})", run.head.number, db.display()),
            None => format!("run {} of {}", run.head.number, db.display()),
        };
        let damaged = run.damaged.iter().map(|damage| format!("{label}: {damage}")).collect();
        let mut reading = Reading::new(run.head.info, run.tasks, metric);
        run.records.into_iter().for_each(|record| reading.add(record));
        let mut observed = reading.finish(label);
        observed.side.commit = run.head.commit;
        observed.damaged = damaged;
        observed.side.pace = run.head.pace;
        return Ok(observed);
    }
    if name.exists() && !name.is_dir() {
        anyhow::bail!(
            "--baseline {}: is no run, which is a directory with {}",
            name.display(),
            harness_store::RUN_FILE
        );
    }
    Observed::read(name, metric).map_err(|error| match error.downcast_ref::<StoreError>() {
        Some(StoreError::Version { .. }) => Refused::Differ(error.to_string()).into(),
        _ => error,
    })
}

/// What was found of two runs that may be compared.
pub struct Checked {
    /// Whether their times say something of each other.
    pub times_decide: bool,
    /// What differs, and what is missing.
    pub notes: Vec<String>,
}

/// Looks whether `before` and a run with the head `now` may be compared. `redigest` as in [`differences`].
///
/// # Errors
///
/// [`Refused`] with all that differs and is not allowed, or with the records that the baseline lacks.
pub fn check(
    before: &Observed,
    now: &RunInfo,
    allowed: &[Condition],
    redigest: impl FnOnce(&RunInfo) -> String,
) -> anyhow::Result<Checked> {
    let differ = differences(&before.info, now, redigest);
    let (mine, not): (Vec<_>, Vec<_>) = differ.into_iter().partition(|d| allowed.contains(&d.condition));
    if !not.is_empty() {
        let lines: Vec<String> =
            not.iter().map(|d| format!("  {}: {}", d.condition, out::line(&d.what))).collect();
        let names: Vec<&str> = not.iter().map(|d| d.condition.name()).collect();
        return Err(Refused::Differ(format!(
            "{}: cannot be compared with this run, since these differ:\n{}\nMake a baseline under the same conditions, use --against, \
             or allow it: --allow {}",
            before.side.label,
            lines.join("\n"),
            names.join(",")
        ))
        .into());
    }
    let missing = &before.missing;
    if !missing.is_empty() && !allowed.contains(&Condition::Holes) {
        let mut text = format!(
            "{}: the baseline has holes: {}",
            before.side.label,
            show::are_missing(missing.len(), "")
        );
        for line in before.missing("").into_iter().skip(1).chain(before.damaged.iter().cloned()) {
            text.push_str("\n  ");
            text.push_str(&out::line(&line));
        }
        text.push_str(
            "\nThe command that made it goes on where it stopped; or compare what there is: --allow holes",
        );
        return Err(Refused::Holes(text).into());
    }
    let mut notes: Vec<String> =
        mine.iter().map(|d| format!("differs, as allowed: {}: {}", d.condition, d.what)).collect();
    notes.extend(
        conditions::versions(&before.info, now).into_iter().map(|line| format!("another version: {line}")),
    );
    notes.extend(before.damage());
    notes.extend(before.missing("the baseline"));
    // Whoever allows another machine does not want times to decide where it happens to be the same one.
    let times_decide = !allowed.iter().any(|condition| condition.spoils_times());
    if !times_decide {
        notes.push(
            "times are shown and decide nothing: the conditions they were measured under may differ"
                .to_owned(),
        );
    }
    Ok(Checked { times_decide, notes })
}

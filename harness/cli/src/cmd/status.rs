//! `harness status DIR`

use std::fmt::Write as _;

use anyhow::bail;
use harness_judge::Severity;
use serde_json::json;

use crate::args::submit::StatusArgs;
use crate::exit::Exit;
use crate::out;
use crate::submit::state::{self, State, Survey};
use crate::submit::{Engine, Place, Submission, ranges};

/// The most shards that are shown one by one.
const SHOWN: usize = 40;

/// Shows what has become of the shards of a submission, and what to do next.
pub fn run(args: &StatusArgs) -> anyhow::Result<Exit> {
    let place = Place::new(std::path::absolute(&args.dir)?);
    let Some(submission) = Submission::read(&place)? else {
        bail!(
            "{}: there is no submit.json, so 'harness submit' did not make it; 'harness report DIR' looks at the directory of a run",
            args.dir.display()
        );
    };
    let survey = state::survey(&place, &submission)?;
    let next = next(&place, &submission, &survey);
    if args.json {
        let text = serde_json::to_string_pretty(&json!({
            "study": submission.plan.name,
            "engine": submission.engine,
            "made": survey.made(),
            "planned": submission.records(),
            "is_merged": survey.is_merged(),
            "merged": survey.merged.as_ref().map(|run| json!({"made": run.made, "planned": run.info.planned})),
            "merge_status": survey.merge.as_ref().and_then(|merge| merge.status),
            "shards": survey.shards.iter().map(state::Shard::json).collect::<Vec<_>>(),
            "jobs": submission.jobs,
            "next": next,
        }))?;
        out::print(format_args!("{text}\n"))?;
    } else {
        out::print(text(&place, &submission, &survey, &next))?;
    }
    Ok(exit(&survey))
}

/// A wrong verdict of any shard, or of the whole, goes before what is missing: it stays wrong.
fn exit(survey: &Survey) -> Exit {
    let said =
        survey.shards.iter().map(|shard| shard.status).chain([survey.merge.as_ref().and_then(|m| m.status)]);
    let said: Vec<i32> = said.flatten().collect();
    let severity = if said.contains(&10) {
        Severity::Wrong
    } else if said.contains(&11) {
        Severity::InvalidModel
    } else {
        Severity::Fine
    };
    Exit::of(severity, survey.is_merged())
}

fn text(place: &Place, submission: &Submission, survey: &Survey, next: &[String]) -> String {
    let mut text = format!(
        "{}: {} shards, {} of {} records\n",
        out::line(&submission.plan.name),
        survey.shards.len(),
        survey.made(),
        submission.records()
    );
    let counts: Vec<String> = State::ALL
        .into_iter()
        .map(|state| (state, survey.shards.iter().filter(|shard| shard.state == state).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(state, count)| format!("{count} {state}"))
        .collect();
    let _ = writeln!(text, "shards: {}", counts.join(", "));
    if let Some(run) = &survey.merged {
        let _ = writeln!(
            text,
            "merged: {} of {} records in {}",
            run.made,
            run.info.planned,
            place.merged().display()
        );
    }
    let mut rows = vec![["shard", "state", "records", "job", "host", "note"].map(str::to_owned).to_vec()];
    // With few of them all are shown, with many those that somebody may have to do something about.
    let few = survey.shards.len() <= SHOWN;
    let told = |shard: &&state::Shard| few || !matches!(shard.state, State::Complete | State::Waiting);
    let shown: Vec<&state::Shard> = survey.shards.iter().filter(told).collect();
    for shard in shown.iter().take(SHOWN) {
        rows.push(vec![
            shard.number.to_string(),
            shard.state.name().to_owned(),
            format!("{} of {}", shard.made, shard.planned),
            shard.job.clone().unwrap_or_else(|| "-".to_owned()),
            shard.host.clone().unwrap_or_else(|| "-".to_owned()),
            shard.why.clone(),
        ]);
    }
    if rows.len() > 1 {
        let _ = write!(text, "\n{}", out::table(&rows));
    }
    if shown.len() > SHOWN {
        let _ = writeln!(text, "… and {} more; --json has all of them", shown.len() - SHOWN);
    }
    text.push('\n');
    for line in next {
        let _ = writeln!(text, "{}", out::line(line));
    }
    text
}

/// What to do, a sentence each.
fn next(place: &Place, submission: &Submission, survey: &Survey) -> Vec<String> {
    let again = submission.command(place);
    if survey.is_merged() {
        return vec![format!(
            "All shards are complete and merged: read {}",
            place.merged().join("summary.md").display()
        )];
    }
    let mut next = Vec::new();
    let under_way = survey.numbers(|shard| shard.is_under_way);
    let failed = survey.numbers(|shard| shard.state == State::Failed);
    let left =
        survey.numbers(|shard| !shard.is_under_way && matches!(shard.state, State::Killed | State::Waiting));
    if !failed.is_empty() {
        let first = failed.first().copied().unwrap_or(1);
        next.push(format!(
            "{} failed: {} says why (shard-{first}-…); what is wrong there comes again until it is mended, then: {again}",
            shards(&failed),
            place.log().display()
        ));
    }
    // Without a queue, the command that runs one shard makes the others after it.
    let is_local = match submission.engine {
        Engine::Local => true,
        Engine::Slurm => false,
    };
    if is_local && !under_way.is_empty() {
        let verb = if under_way.len() == 1 { "is" } else { "are" };
        next.push(format!(
            "{} {verb} running on a machine: wait until that command has ended",
            shards(&under_way)
        ));
        return next;
    }
    if !left.is_empty() {
        let verb = if left.len() == 1 { "has" } else { "have" };
        next.push(format!("{} {verb} to be submitted: {again}", shards(&left)));
    }
    if !under_way.is_empty() {
        let (verb, them) = if under_way.len() == 1 { ("is", "it") } else { ("are", "them") };
        next.push(format!("{} {verb} in the queue or running: wait for {them}", shards(&under_way)));
    }
    if survey.is_complete() {
        next.push(format!(
            "All shards are complete, and are to be merged: {again}, or bash {}",
            place.merge().display()
        ));
    }
    next
}

/// "Shard 3", "Shards 1,3-5".
fn shards(numbers: &[u32]) -> String {
    format!("{} {}", if numbers.len() == 1 { "Shard" } else { "Shards" }, ranges::show(numbers))
}

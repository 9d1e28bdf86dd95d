//! `harness task show DIR ID`

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use backends_api::protocol::Request;
use harness_config::names;
use harness_judge::judge;
use harness_model::judgement::Judgement;
use harness_model::record::Record;
use harness_model::{QuestionKind, Task};
use harness_store::RunReader;
use reports::format;

use crate::args::ShowArgs;
use crate::exit::Exit;
use crate::out;

/// Prints what a run knows of a task; or the request that a worker was given for it.
pub fn show(args: &ShowArgs) -> anyhow::Result<Exit> {
    let (dir, id) = (&args.dir, args.id.as_str());
    let run = RunReader::open(dir)?;
    let Some(task) = run.tasks().iter().find(|task| task.id == id) else {
        let hint = names::hint(id, run.tasks().iter().map(|task| task.id.as_str()));
        bail!(
            "{}: there is no task '{id}'{hint} (the ids are in the first column of results.csv)",
            dir.display()
        );
    };
    let all = || run.info().strategies.iter().map(|row| row.name.as_str());
    if let Some(name) = args.strategy.as_deref().filter(|name| all().all(|known| known != *name)) {
        bail!("{}: there is no strategy '{name}' in this run{}", dir.display(), names::hint(name, all()));
    }
    let text = if args.json {
        line(&run, task, args.strategy.as_deref())?
    } else {
        readable(dir, &run, task, args.strategy.as_deref())?
    };
    out::print(text)?;
    Ok(Exit::Fine)
}

/// The request as a line of JSON; of the first strategy of the run where none is named.
fn line(run: &RunReader, task: &Task, strategy: Option<&str>) -> anyhow::Result<String> {
    let info = run.info();
    let first = || info.strategies.first().map(|row| row.name.as_str());
    let strategy = strategy.or_else(first).context("the run has no strategy")?;
    // A worker knows canonical names; runs from before there were others have no such field.
    let row = info.strategies.iter().find(|row| row.name == strategy && !row.canonical.is_empty());
    let request = Request {
        id: 0,
        strategy: row.map_or(strategy, |row| row.canonical.as_str()).to_owned(),
        question: Arc::new(task.question.clone()),
        limits: info.limits,
        sampling: info.sampling,
    };
    Ok(serde_json::to_string(&request)? + "\n")
}

/// The task and its records, as people read them.
fn readable(dir: &Path, run: &RunReader, task: &Task, strategy: Option<&str>) -> anyhow::Result<String> {
    let mut records = Vec::new();
    for record in run.records()? {
        // What cannot be read is told where the whole run is read.
        if let Ok(record) = record?
            && record.key.task == task.id
        {
            records.push(record);
        }
    }
    let order = |record: &Record| {
        let place = run.info().strategies.iter().position(|row| row.name == record.key.strategy);
        (place.unwrap_or(usize::MAX), record.key.strategy.clone(), record.key.repeat)
    };
    records.sort_by_key(order);
    let verdicts = judge(std::slice::from_ref(task), &records);
    let mut text = head(task);
    question(&mut text, task);
    let shown: Vec<(&Record, &Judgement)> = records
        .iter()
        .zip(&verdicts.judgements)
        .filter(|(record, _)| strategy.is_none_or(|name| name == record.key.strategy))
        .collect();
    text.push_str(&table(&shown));
    for disagreement in &verdicts.disagreements {
        let said: Vec<String> =
            disagreement.said.iter().map(|(who, verdict)| format!("{who} {verdict}")).collect();
        let settled = disagreement.settled.as_ref().map_or_else(String::new, |why| format!("; {why}"));
        let what = task.question.kind.describe(disagreement.operation).unwrap_or_default();
        let _ = writeln!(text, "they disagree about {what}: {}{}", said.join(", "), out::line(&settled));
    }
    for note in verdicts.notes.iter().chain(&verdicts.alone) {
        let _ = writeln!(text, "note: {}", out::line(note));
    }
    let name = strategy.map_or_else(String::new, |name| format!(" --strategy {name}"));
    let _ = writeln!(
        text,
        "\nAgain, by hand:  harness task show --json{name} {} {} | harness worker",
        quoted(&dir.display().to_string()),
        quoted(&task.id)
    );
    Ok(text)
}

/// For a shell.
fn quoted(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), |quoted| quoted.into_owned())
}

/// What the task is, and what is expected.
fn head(task: &Task) -> String {
    let mut rows = vec![
        ("task", task.id.clone()),
        ("family", task.family.clone()),
        ("alphabet", task.question.alphabet.to_string()),
    ];
    match &task.expected {
        Some(expected) => {
            let verdicts: Vec<&str> = expected.verdicts.iter().map(|verdict| verdict.name()).collect();
            let claim = if expected.is_claim() { "only claimed: " } else { "" };
            rows.push(("expected", format!("{} ({claim}{})", verdicts.join(" "), expected.source)));
        }
        None => rows.push(("expected", "not known".to_owned())),
    }
    rows.iter().map(|(name, value)| format!("{name:8}  {}\n", out::line(value))).collect()
}

/// What is asked, each text below its name.
fn question(text: &mut String, task: &Task) {
    match &task.question.kind {
        QuestionKind::Operations(asked) => {
            let all: Vec<String> = (0..asked.operations.len())
                .filter_map(|number| task.question.kind.describe(number))
                .collect();
            for described in &all {
                let _ = writeln!(text, "asks      {}", out::line(described));
            }
            for regex in &asked.regexes {
                let find = if regex.find { ", found in words" } else { "" };
                let _ = writeln!(text, "\n{} ({}{find})", out::line(&regex.name), regex.dialect.name());
                block(text, &regex.pattern);
            }
        }
        QuestionKind::Script(script) => {
            let _ = writeln!(
                text,
                "asks      {}\n",
                format::counted(script.queries, "check-sat", "times check-sat")
            );
            block(text, &script.text);
        }
        QuestionKind::System(system) => {
            let solution = system.solution.name();
            let _ = writeln!(
                text,
                "asks      {solution} of systems in the language of {}\n",
                system.format.name()
            );
            block(text, &system.text);
        }
        QuestionKind::Grammars(asked) => {
            if let Some(described) = task.question.kind.describe(0) {
                let _ = writeln!(text, "asks      {}", out::line(&described));
            }
            for grammar in &asked.grammars {
                let _ = writeln!(text, "\n{}", out::line(&grammar.name));
                block(text, &grammar.text);
            }
        }
    }
    text.push('\n');
}

/// A text of strangers, indented.
fn block(text: &mut String, content: &str) {
    for one in content.lines() {
        let _ = writeln!(text, "    {}", out::line(one).replace("\\t", "\t"));
    }
}

/// A row for each record; below it, the witness and what was wrong.
fn table(records: &[(&Record, &Judgement)]) -> String {
    if records.is_empty() {
        return "no records yet\n".to_owned();
    }
    let repeats = records.iter().any(|(record, _)| record.key.repeat > 0);
    let mut head = vec!["strategy", "status", "wall", "cpu", "memory"];
    if repeats {
        head.insert(1, "repeat");
    }
    let mut rows = vec![head.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for (record, judgement) in records {
        let time = |ns: u64| format::duration(ns as f64 / 1e9);
        let usage = record.usage;
        let mut row = vec![record.key.strategy.clone()];
        if repeats {
            row.push(record.key.repeat.to_string());
        }
        row.push(judgement.status.name().to_owned());
        row.push(usage.map_or_else(String::new, |usage| time(usage.wall_ns)));
        row.push(usage.map_or_else(String::new, |usage| time(usage.cpu_ns)));
        row.push(usage.map_or_else(String::new, |usage| format::bytes(usage.peak_rss_bytes)));
        rows.push(row);
    }
    let lines = out::table(&rows);
    let mut text = String::new();
    let mut last: Option<(&str, &str, &str)> = None;
    for (number, row) in lines.lines().enumerate() {
        let _ = writeln!(text, "{row}");
        let Some((record, judgement)) = number.checked_sub(1).and_then(|place| records.get(place)) else {
            continue;
        };
        let below = (
            record.key.strategy.as_str(),
            judgement.witness.as_deref().unwrap_or_default(),
            judgement.detail.as_str(),
        );
        // Repeats mostly find the same.
        if last == Some(below) {
            continue;
        }
        last = Some(below);
        for (name, what) in [("witness", below.1), ("detail", below.2)] {
            if !what.is_empty() {
                let _ = writeln!(text, "    {name}: {}", out::line(what));
            }
        }
        if !record.stderr.is_empty() {
            let _ = writeln!(text, "    standard error: {}", out::line(record.stderr.trim_end()));
        }
    }
    text
}

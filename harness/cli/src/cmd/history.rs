//! `harness history add|list|show|trend`

mod trend;

use std::collections::BTreeMap;
use std::path::Path;

use harness_history::{Added, History, Run, Selector};
use harness_store::RunReader;
use reports::format;

use crate::args::history::{HistoryArgs, HistoryCommand};
use crate::exit::Exit;
use crate::out;

/// Does what `args` say.
pub fn run(args: &HistoryArgs) -> anyhow::Result<Exit> {
    match &args.command {
        HistoryCommand::Add { dirs, commit, replace } => {
            // Before a file is made: a directory that holds no run is an error of usage.
            for dir in dirs {
                RunReader::open(dir)?;
            }
            let mut history = History::create(&args.db)?;
            for dir in dirs {
                add(&mut history, dir, commit.as_deref(), *replace)?;
            }
        }
        HistoryCommand::List => list(&History::open(&args.db)?)?,
        HistoryCommand::Show { selector } => show(&History::open(&args.db)?, selector)?,
        HistoryCommand::Trend(trend) => trend::run(&History::open(&args.db)?, trend)?,
    }
    Ok(Exit::Fine)
}

fn add(history: &mut History, dir: &Path, commit: Option<&str>, replace: bool) -> anyhow::Result<()> {
    let added = if replace { history.replace(dir, commit) } else { history.add(dir, commit) }?;
    let number = added.number();
    let head = history.find(&Selector::Number(number), None)?;
    let of = head.commit.as_ref().map(|commit| format!(" of commit {commit}")).unwrap_or_default();
    let what = match &added {
        Added::New { .. } => "added".to_owned(),
        Added::Same { .. } => "is there already".to_owned(),
        Added::Replaced { before, commit: None, .. } => format!("replaced, it had {before} records"),
        Added::Replaced { commit: Some(before), .. } => format!("replaced, it was of commit {before}"),
    };
    out::print(format_args!(
        "{}: run #{number}{of}, {} of {} records: {what}\n",
        dir.display(),
        head.records,
        head.info.planned
    ))?;
    if head.damaged > 0 {
        let run = history.load(head)?;
        for damage in &run.damaged {
            out::tell(format_args!(
                "passed over: {}: {damage}",
                dir.join(harness_store::RECORDS_FILE).display()
            ));
        }
    }
    Ok(())
}

fn list(history: &History) -> anyhow::Result<()> {
    let head = ["run", "commit", "config", "began", "records", "plan", "machine"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for run in history.list()? {
        let machine = &run.info.machine;
        rows.push(vec![
            format!("#{}", run.number),
            run.commit.as_deref().map_or_else(|| "–".to_owned(), shortened),
            run.info.name.clone(),
            format::utc(run.info.started_unix_s),
            format!("{} of {}", run.records, run.info.planned),
            run.info.fingerprint.chars().take(8).collect(),
            format!(
                "{}, {}, {}",
                machine.cpu,
                counted(machine.cores, "core", "cores"),
                counted(run.info.workers, "worker", "workers")
            ),
        ]);
    }
    if rows.len() == 1 {
        return out::print("There are no runs yet: harness history add DIR\n");
    }
    out::print(out::table(&rows))
}

fn show(history: &History, selector: &Selector) -> anyhow::Result<()> {
    let run = history.run(selector, None)?;
    let info = &run.head.info;
    let limits = info.limits;
    let mut text = format!("run #{}: {}\n", run.head.number, out::line(&info.name));
    let mut fact = |name: &str, value: String| text.push_str(&format!("  {name:<9}{}\n", out::line(&value)));
    fact("commit", run.head.commit.clone().unwrap_or_else(|| "not told".to_owned()));
    fact("began", format::utc(info.started_unix_s));
    fact("records", format!("{} of {}", run.records.len(), info.planned));
    fact("tasks", info.tasks.to_string());
    fact("plan", info.fingerprint.clone());
    fact(
        "limits",
        format!(
            "wall {}, cpu {}, memory {}",
            format::chosen(limits.wall),
            format::chosen(limits.cpu),
            format::bytes(limits.memory)
        ),
    );
    let machine = &info.machine;
    let cores = counted(machine.cores, "core", "cores");
    fact("machine", format!("{}, {cores}, {}, {}", machine.cpu, machine.kernel, machine.os));
    fact("workers", info.workers.to_string());
    for (name, version) in &info.versions {
        fact("version", format!("{name} {version}"));
    }
    text.push('\n');
    text.push_str(&out::table(&strategies(&run)));
    for damage in &run.damaged {
        text.push_str(&format!("passed over: {}, {damage}\n", harness_store::RECORDS_FILE));
    }
    out::print(text)
}

fn counted(n: u32, one: &str, many: &str) -> String {
    format::counted(usize::try_from(n).unwrap_or(usize::MAX), one, many)
}

/// A line for each strategy: what became of its records.
fn strategies(run: &Run) -> Vec<Vec<String>> {
    let verdicts = harness_judge::judge(&run.tasks, &run.records);
    type Counts<'a> = (usize, BTreeMap<&'a str, usize>, Vec<f64>);
    let mut by_name: BTreeMap<&str, Counts<'_>> = BTreeMap::new();
    for (record, judgement) in run.records.iter().zip(&verdicts.judgements) {
        let (records, others, times) = by_name.entry(&record.key.strategy).or_default();
        *records += 1;
        if judgement.status.is_solved() {
            times.extend(record.usage.map(|usage| reports::dataset::seconds(usage.cpu_ns)));
        } else {
            *others.entry(judgement.status.name()).or_default() += 1;
        }
    }
    let head = ["strategy", "records", "solved", "median cpu", "not solved"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (name, (records, others, times)) in by_name {
        let not: usize = others.values().sum();
        let others: Vec<String> = others.iter().map(|(status, n)| format!("{n} {status}")).collect();
        rows.push(vec![
            name.to_owned(),
            records.to_string(),
            (records - not).to_string(),
            reports::stats::median(&times).map_or_else(|| "–".to_owned(), format::duration),
            if others.is_empty() { "–".to_owned() } else { others.join(", ") },
        ]);
    }
    rows
}

/// The first letters of a commit, as many as are usually enough; other names as they are, if they are not too
/// long.
fn shortened(commit: &str) -> String {
    let digits = commit.len() >= 20 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    let most = if digits { 9 } else { 24 };
    if commit.chars().count() <= most { commit.to_owned() } else { commit.chars().take(most).collect() }
}

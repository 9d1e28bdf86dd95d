//! `harness history add|list|show|trend`

use std::collections::BTreeMap;
use std::path::Path;

use harness_history::{Added, Head, History, HistoryError, Rule, Run, Selector, Series, Times};
use harness_model::Status;
use harness_model::rules::Metric;
use harness_store::RunReader;
use reports::format;
use reports::plot::trend::Mark;
use reports::trend::{Line, Trend, write_trends};

use crate::args::history::{HistoryArgs, HistoryCommand, TrendArgs};
use crate::exit::Exit;
use crate::out;

/// Does what `args` say.
pub fn run(args: &HistoryArgs) -> anyhow::Result<Exit> {
    match &args.command {
        HistoryCommand::Add { dirs, commit } => {
            // Before a file is made: a directory that holds no run is an error of usage.
            for dir in dirs {
                RunReader::open(dir)?;
            }
            let mut history = History::create(&args.db)?;
            for dir in dirs {
                add(&mut history, dir, commit.as_deref())?;
            }
        }
        HistoryCommand::List => list(&History::open(&args.db)?)?,
        HistoryCommand::Show { selector } => show(&History::open(&args.db)?, selector)?,
        HistoryCommand::Trend(trend) => self::trend(&History::open(&args.db)?, trend)?,
    }
    Ok(Exit::Fine)
}

fn add(history: &mut History, dir: &Path, commit: Option<&str>) -> anyhow::Result<()> {
    let added = history.add(dir, commit)?;
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
            format!("{}, {} cores", machine.cpu, machine.cores),
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
    let mut text = format!("run #{}: {}\n", run.head.number, info.name);
    let mut fact = |name: &str, value: String| text.push_str(&format!("  {name:<9}{value}\n"));
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
    fact("machine", format!("{}, {} cores, {}, {}", machine.cpu, machine.cores, machine.kernel, machine.os));
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

fn trend(history: &History, args: &TrendArgs) -> anyhow::Result<()> {
    let metric = Metric::from(args.metric);
    let heads: Vec<Head> = history
        .list()?
        .into_iter()
        .filter(|head| args.config.as_ref().is_none_or(|name| *name == head.info.name))
        .collect();
    if heads.is_empty() {
        anyhow::bail!(
            "{}: there are no runs{}: `harness history list` shows what there is",
            history.path().display(),
            args.config.as_ref().map(|name| format!(" of a configuration '{name}'")).unwrap_or_default()
        );
    }
    // One run in memory at a time.
    let runs: Vec<Times> = heads
        .iter()
        .map(|head| Ok(times(history.load(head.clone())?, metric)))
        .collect::<Result<_, HistoryError>>()?;
    let found =
        harness_history::trend(&runs, args.strategy.as_deref(), args.family.as_deref(), &Rule::default());
    if found.is_empty() {
        anyhow::bail!(
            "{}: no series: no strategy{}{} solved a task in every run of a plan and machine",
            history.path().display(),
            args.strategy.as_ref().map(|name| format!(" '{name}'")).unwrap_or_default(),
            args.family.as_ref().map(|name| format!(" in a family '{name}'")).unwrap_or_default(),
        );
    }
    let trends: Vec<Trend> = found.chunk_by(together).map(|series| shown(series, &heads, metric)).collect();
    for trend in &trends {
        out::print(text(trend))?;
    }
    if let Some(dir) = &args.out {
        write_trends(&trends, dir)?;
        out::print(format_args!("Picture and tables: {}\n", dir.join("trend.html").display()))?;
    }
    Ok(())
}

fn times(run: Run, metric: Metric) -> Times {
    let verdicts = harness_judge::judge(&run.tasks, &run.records);
    let judged = run.records.iter().zip(&verdicts.judgements);
    let judged: Vec<(_, Status)> = judged.map(|(record, judgement)| (record, judgement.status)).collect();
    Times::new(run.head, judged, metric)
}

/// Whether two series are of the same runs.
fn together(a: &Series, b: &Series) -> bool {
    let key = |series: &Series| {
        (
            series.config.clone(),
            series.plan.clone(),
            series.machine.clone(),
            series.workers,
            series.profile.clone(),
        )
    };
    key(a) == key(b)
}

/// Series of the same runs, as the report has them.
fn shown(series: &[Series], heads: &[Head], metric: Metric) -> Trend {
    let in_order: Vec<&Head> = heads
        .iter()
        .filter(|head| series.iter().any(|one| one.points.iter().any(|point| point.run == head.number)))
        .collect();
    let labels: Vec<String> = in_order.iter().map(|head| label(head)).collect();
    let runs: Vec<reports::trend::Run> = in_order
        .iter()
        .enumerate()
        .map(|(i, head)| reports::trend::Run {
            number: head.number,
            label: if labels.iter().filter(|other| **other == labels[i]).count() > 1 {
                format!("{} #{}", labels[i], head.number)
            } else {
                labels[i].clone()
            },
            started_unix_s: head.info.started_unix_s,
            changes: i.checked_sub(1).map(|before| changes(in_order[before], head)).unwrap_or_default(),
        })
        .collect();
    let place = |number: i64| runs.iter().position(|run| run.number == number);
    let line = |one: &Series| {
        let mut values = vec![None; runs.len()];
        for point in &one.points {
            if let Some(at) = place(point.run) {
                values[at] = Some(point.seconds);
            }
        }
        let steps = one.steps.iter().filter_map(|step| {
            let at = place(one.points.get(step.at)?.run)?;
            Some((Mark { at, before: step.before, after: step.after }, step.p))
        });
        let (steps, chances) = steps.unzip();
        let left_out = one.left_out.iter().map(|left| {
            let commit = left.commit.as_deref().map(|name| format!(" ({})", shortened(name)));
            format!("run #{}{} is left out: {}", left.run, commit.unwrap_or_default(), left.why)
        });
        Line {
            strategy: one.strategy.clone(),
            values,
            tasks: one.common,
            steps,
            chances,
            left_out: left_out.collect(),
        }
    };
    let first = &series[0];
    Trend {
        config: first.config.clone(),
        machine: format!(
            "{}, {} workers{}",
            first.machine,
            first.workers,
            if first.profile.is_empty() { String::new() } else { format!(", {} build", first.profile) }
        ),
        family: first.family.clone(),
        metric: metric.name().to_owned(),
        lines: series.iter().map(line).collect(),
        runs,
    }
}

/// What is not as it was, beside the commit.
fn changes(before: &Head, now: &Head) -> Vec<String> {
    let mut changes = harness_regress::conditions::versions(&before.info, &now.info);
    let kernel = |head: &Head| head.info.machine.kernel.clone();
    if kernel(before) != kernel(now) {
        changes.push(format!("kernel: {} then, {} now", kernel(before), kernel(now)));
    }
    changes
}

/// What a run is called in tables and pictures.
fn label(head: &Head) -> String {
    head.commit.as_deref().map_or_else(|| format!("#{}", head.number), shortened)
}

/// The first letters of a commit, as many as are usually enough; other names as they are, if they are not too long.
fn shortened(commit: &str) -> String {
    let digits = commit.len() >= 20 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    let most = if digits { 9 } else { 24 };
    if commit.chars().count() <= most { commit.to_owned() } else { commit.chars().take(most).collect() }
}

/// A trend in a terminal.
fn text(trend: &Trend) -> String {
    let mut text = format!(
        "{}\n{}, from {} to {}\n\n",
        trend.title(),
        format::counted(trend.runs.len(), "run", "runs"),
        trend.runs.first().map(|run| run.label.clone()).unwrap_or_default(),
        trend.runs.last().map(|run| run.label.clone()).unwrap_or_default(),
    );
    for table in [trend.table("trend"), trend.steps("steps")] {
        for part in table.parts() {
            let mut rows: Vec<Vec<String>> =
                vec![part.columns.iter().map(|column| column.title.clone()).collect()];
            rows.extend(part.rows.iter().map(|row| row.iter().map(|&cell| cell.to_owned()).collect()));
            text.push_str(&out::table(&rows));
        }
        for note in &table.notes {
            text.push_str(note);
            text.push('\n');
        }
        text.push('\n');
    }
    if trend.lines.iter().all(|line| line.steps.is_empty()) {
        text.push_str("No strategy takes a step.\n\n");
    }
    text
}

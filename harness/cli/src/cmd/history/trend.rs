//! `harness history trend`: series of the history, as reports have them.

use harness_history::{Head, History, HistoryError, Rule, Run, Series, Times};
use harness_model::Status;
use harness_model::rules::Metric;
use reports::format;
use reports::plot::trend::Mark;
use reports::trend::{Line, Trend, write_trends};

use super::shortened;
use crate::args::history::TrendArgs;
use crate::out;

/// Shows the series that `args` ask for, and writes their pictures and tables.
pub fn run(history: &History, args: &TrendArgs) -> anyhow::Result<()> {
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
    let found = harness_history::trend(
        &runs,
        args.strategy.as_deref(),
        args.family.as_deref(),
        &Rule::default(),
        args.as_measured,
    );
    if found.is_empty() {
        anyhow::bail!(
            "{}: no series: no strategy{}{} solved a task in every run of a plan and machine, in a time that can be told from nothing",
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
            left_out: left_out.chain(tasks_left_out(one)).chain(too_short(one)).collect(),
            from: one.points.get(one.from).and_then(|point| place(point.run)).unwrap_or(0),
            looked_at: one.points.len() - one.from.min(one.points.len()),
        }
    };
    let first = &series[0];
    Trend {
        config: first.config.clone(),
        machine: format!(
            "{}, {}{}{}",
            first.machine,
            format::counted(usize::try_from(first.workers).unwrap_or(usize::MAX), "worker", "workers"),
            if first.profile.is_empty() { String::new() } else { format!(", {} build", first.profile) },
            taken_out(series) + &with_empty(first, heads)
        ),
        family: first.family.clone(),
        metric: metric.name().to_owned(),
        lines: series.iter().map(line).collect(),
        runs,
    }
}

/// What was taken out for the machine.
fn taken_out(series: &[Series]) -> String {
    let factors = || series.iter().flat_map(|one| &one.points).map(|point| point.machine);
    let (least, most) = (factors().fold(1.0, f64::min), factors().fold(1.0, f64::max));
    if least == 1.0 && most == 1.0 {
        return String::new();
    }
    format!("; without what the machine did to all strategies alike, times {least:.2} to {most:.2}")
}

/// That times are with what an empty record takes, and why.
fn with_empty(series: &Series, heads: &[Head]) -> String {
    let Some(first) = heads.iter().find(|head| series.unmeasured.contains(&head.number)) else {
        return String::new();
    };
    format!(
        "; times are with what an empty record takes, since {} did not measure it, such as {}",
        format::counted(series.unmeasured.len(), "run", "runs"),
        label(first)
    )
}

/// That tasks are left out since no run takes long enough for them.
fn too_short(series: &Series) -> Option<String> {
    (series.too_short > 0).then(|| {
        format!(
            "{} left out, since no run took a time for them that can be told from an empty record's, or from the clock's resolution",
            if series.too_short == 1 { "1 task is".to_owned() } else { format!("{} tasks are", series.too_short) }
        )
    })
}

/// That tasks are left out, and by which run most of them.
fn tasks_left_out(series: &Series) -> Option<String> {
    let most = series.takes_most.as_ref()?;
    let commit = most.commit.as_deref().map(|name| format!(" ({})", shortened(name)));
    Some(format!(
        "{} of {} left out, since not every run solved them; run #{}{} did not solve {}",
        series.any - series.common - series.too_short,
        if series.any == 1 { "1 task is".to_owned() } else { format!("{} tasks are", series.any) },
        most.run,
        commit.unwrap_or_default(),
        most.tasks
    ))
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

/// A trend in a terminal.
fn text(trend: &Trend) -> String {
    let mut text = format!(
        "{}\n{}\n{}, from {} to {}\n\n",
        out::line(&trend.title()),
        out::line(&trend.machine),
        format::counted(trend.runs.len(), "run", "runs"),
        trend.runs.first().map(|run| out::line(&run.label)).unwrap_or_default(),
        trend.runs.last().map(|run| out::line(&run.label)).unwrap_or_default(),
    );
    for table in [trend.table("trend"), trend.steps("steps")] {
        for part in table.parts() {
            let mut rows: Vec<Vec<String>> =
                vec![part.columns.iter().map(|column| column.title.clone()).collect()];
            rows.extend(part.rows.iter().map(|row| row.iter().map(|&cell| cell.to_owned()).collect()));
            text.push_str(&out::table(&rows));
        }
        if !table.rows().is_empty() {
            text.extend(table.notes.iter().map(|note| format!("{}\n", out::line(note))));
            text.push('\n');
        }
    }
    if trend.lines.iter().all(|line| line.steps.is_empty()) {
        text.push_str(&format!("{}\n\n", trend.no_step()));
    }
    text
}

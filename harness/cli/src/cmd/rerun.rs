//! `harness rerun DIR --where CONDITIONS`
//!
//! Records are chosen before the run is locked, since judging takes time. They are marked under the lock; one
//! that another process has made again meanwhile is passed over. What an earlier rerun marked, and was killed
//! before it made it, is made too.

use std::collections::HashSet;

use anyhow::bail;
use harness_exec::{PlanSpec, PlannedStrategy, machine};
use harness_model::record::RunKey;
use harness_model::run::RunInfo;
use harness_store::{RunDir, RunReader, Superseded};

use crate::args::{Allowed, RerunArgs};
use crate::cells::Cells;
use crate::exit::Exit;
use crate::session::Planned;
use crate::{inventory, out, session};

/// Makes the chosen records again, in the order that they have in the plan, and reports.
pub fn run(args: &RerunArgs) -> anyhow::Result<Exit> {
    let reader = RunReader::open(&args.dir)?;
    session::same_tasks(&reader)?;
    let info = inventory::completed(reader.info().clone());
    let Chosen { marks, left } = chosen(&reader, &info, args)?;
    if marks.is_empty() && left.is_empty() {
        out::tell(format_args!("{}: no record is meant by that: nothing is made again", args.dir.display()));
        return session::conclude(&args.dir);
    }
    let registry = backends::registry();
    let mut strategies = Vec::new();
    for row in &info.strategies {
        let canonical = if row.canonical.is_empty() { &row.name } else { &row.canonical };
        let mut keys = marks.iter().map(|mark| &mark.key).chain(&left);
        let is_meant = keys.any(|key| key.strategy == row.name);
        let Some(found) = registry.resolve(canonical) else {
            if !is_meant {
                continue;
            }
            bail!(
                "{}: this build has no strategy '{}', by which records are to be made",
                args.dir.display(),
                row.name
            );
        };
        let version = match found.build().found() {
            Ok(version) => version,
            Err(_) if !is_meant => continue,
            Err(why) => bail!("{}: '{}' cannot make records: {why}", args.dir.display(), row.name),
        };
        strategies.push((
            PlannedStrategy { name: row.name.clone(), canonical: canonical.as_str().into() },
            version,
        ));
    }
    let spec =
        PlanSpec { repeats: info.repeats, seed: info.seed, limits: info.limits, sampling: info.sampling };
    let planned: Vec<PlannedStrategy> = strategies.iter().map(|(planned, _)| planned.clone()).collect();
    let mut jobs = harness_exec::plan(reader.tasks(), &planned, &spec);
    let workers = args.workers.unwrap_or(info.workers);
    let cores = session::cores(workers, args.cores.as_deref())?;
    // The head as this build and machine would write it, so that it is refused where these differ.
    let mut now = RunInfo { machine: machine::machine(), versions: inventory::versions(), workers, ..info };
    for row in &mut now.strategies {
        if let Some((_, version)) = strategies.iter().find(|(planned, _)| planned.name == row.name) {
            row.version.clone_from(version);
        }
    }
    let other_build = args.allow.contains(&Allowed::Program);
    let mut dir = RunDir::create_or_go_on(&args.dir, &now, reader.tasks(), other_build)?;
    let mut again = dir.supersede(&marks)?;
    if !again.is_empty() {
        out::tell(format_args!(
            "{}: {} made again; those before are kept and marked",
            args.dir.display(),
            counted(again.len())
        ));
    }
    if !left.is_empty() {
        out::tell(format_args!(
            "{}: {} made that an earlier rerun marked and did not make",
            args.dir.display(),
            counted(left.len())
        ));
    }
    again.extend(left);
    jobs.retain(|job| again.contains(&job.key));
    let cells = Cells::of(dir.info(), reader.tasks());
    let planned = Planned::of(dir.info(), &cells, reader.tasks());
    let there = dir.done().iter().filter(|key| planned.has(key)).count();
    session::make(dir, jobs, there, cores, args.no_progress)?;
    session::conclude(&args.dir)
}

fn counted(records: usize) -> String {
    if records == 1 { "1 record is".to_owned() } else { format!("{records} records are") }
}

/// What is to be made.
struct Chosen {
    /// Marks of the records that are meant.
    marks: Vec<Superseded>,
    /// Keys that are marked already, without a record in their stead.
    left: HashSet<RunKey>,
}

fn chosen(reader: &RunReader, info: &RunInfo, args: &RerunArgs) -> anyhow::Result<Chosen> {
    let cells = Cells::of(info, reader.tasks());
    let planned = Planned::of(info, &cells, reader.tasks());
    let mut read = reader.records()?;
    let (mut records, mut lines) = (Vec::new(), Vec::new());
    while let Some(item) = read.next() {
        if let Ok(record) = item? {
            records.push(record);
            lines.push(read.line());
        }
    }
    let verdicts = harness_judge::judge(reader.tasks(), &records);
    let why = args.conditions.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let marked_unix_s = session::now();
    let judged = records.iter().zip(lines).zip(&verdicts.judgements);
    let mut marks: Vec<Superseded> = judged
        .filter(|((record, _), judgement)| {
            planned.has(&record.key)
                && args.conditions.iter().all(|condition| condition.holds(record, judgement.status))
        })
        .map(|((record, line), _)| Superseded {
            line,
            key: record.key.clone(),
            why: why.clone(),
            marked_unix_s,
        })
        .collect();
    let there: HashSet<&RunKey> = records.iter().map(|record| &record.key).collect();
    let mut left: HashSet<RunKey> = HashSet::new();
    for record in reader.superseded_records()? {
        let key = record?.key;
        if !there.contains(&key) && planned.has(&key) {
            left.insert(key);
        }
    }
    // The same command again, since it was killed: what it has made already is not made a second time.
    if reader.superseded()?.iter().any(|mark| mark.why == why && left.contains(&mark.key)) {
        marks.clear();
    }
    Ok(Chosen { marks, left })
}

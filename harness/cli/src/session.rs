//! A study run from beginning to end: planned, run, judged and reported.
//!
//! What is judged and reported is always read back from the directory, so that `harness report` says the very
//! same of a run as the run itself did.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail};
use harness_config::{Config, Contender, units};
use harness_exec::{Job, PlanSpec, PlannedStrategy, Pool, RunError, WorkerCommand, machine};
use harness_model::Task;
use harness_model::record::{RecordVersion, RunKey};
use harness_model::run::RunInfo;
use harness_store::{RunDir, RunReader};
use reports::{Dataset, Row};

use crate::args::{Allowed, RunArgs};
use crate::cells::Cells;
use crate::exit::{Exit, Unfinished};
use crate::progress::Progress;
use crate::study::Study;
use crate::{cells, drawings, interrupt, inventory, out, summary};

/// Runs `config` into the directory that `args` name, or what is left of it, then judges and reports.
pub fn run(mut config: Config, args: &RunArgs) -> anyhow::Result<Exit> {
    let overrides = overridden(&mut config, args.timeout, args.workers);
    let study = Study::of(&config)?;
    tell_missing(&mut config, &study);
    within_reason(&config, &study)?;
    for line in &study.bad {
        out::tell(format_args!("left out: {line}"));
    }
    let jobs = plan(&config, &study);
    let info = RunInfo { overrides, ..describe(&config, &study, jobs.len()) };
    let pool = Pool {
        command: WorkerCommand::this_program(),
        workers: usize::try_from(info.workers).unwrap_or(usize::MAX),
        pin: true,
    };
    // Before anything is written: a number of workers that cannot be is an error of usage.
    let executors = pool.executors()?;
    let stop = interrupt::stop_flag()?;
    let other_build = args.allow.contains(&Allowed::Program);
    let mut dir = RunDir::create_or_go_on(&args.out, &info, &study.tasks, other_build)?;
    for notice in dir.notices() {
        out::tell(format_args!("note: {notice}"));
    }
    let jobs = harness_exec::remaining(jobs, dir.done());
    if dir.resumed() {
        out::tell(format_args!(
            "{}: resumed, {} of {} records are there",
            args.out.display(),
            dir.done().len(),
            info.planned
        ));
    }
    let mut progress = Progress::new(&info, dir.done().len(), args.no_progress);
    let mut sink = |_: &Job, record| dir.append(&record).map_err(Into::into);
    let ran = if jobs.is_empty() {
        Ok(())
    } else {
        harness_exec::run(&jobs, executors, &mut sink, &mut progress, &stop).map(drop)
    };
    progress.finish();
    let finished = dir.finish();
    if let Err(error) = ran {
        return Err(broken_off(Some(&args.out), &error));
    }
    finished?;
    conclude(&args.out)
}

/// Puts what the command line says into the configuration; gives it by option.
pub fn overridden(
    config: &mut Config,
    timeout: Option<Duration>,
    workers: Option<u32>,
) -> BTreeMap<String, String> {
    let mut overrides = BTreeMap::new();
    if let Some(time) = timeout {
        config.limits.wall = time;
        config.limits.cpu = time;
        overrides.insert("timeout".to_owned(), units::show_duration(time));
    }
    if let Some(workers) = workers {
        config.workers = Some(workers);
        overrides.insert("workers".to_owned(), workers.to_string());
    }
    overrides
}

/// The run ended before its time, though not because someone asked. What is there is not judged: the disk may
/// be full. The records are in `dir`, where they are kept.
pub fn broken_off(dir: Option<&Path>, error: &RunError) -> anyhow::Error {
    let mut message = format!("the run broke off: {error}");
    // What the store says of a record that it could not keep has the way out already.
    match dir {
        Some(dir) if !matches!(error, RunError::Sink(_)) => message.push_str(&format!(
            "\nThe records made until then are kept in {}; the same command goes on from there",
            dir.display()
        )),
        Some(_) => {}
        None => message.push_str(
            "\nThe records made until then are gone: with --out DIR they are kept, and the same command goes on from there",
        ),
    }
    anyhow::Error::new(Unfinished(message))
}

/// Leaves out the strategies that cannot run on this machine, and says so: they are no error of the run.
pub fn tell_missing(config: &mut Config, study: &Study) {
    for (name, why) in inventory::leave_out_missing(config) {
        let tasks = study.tasks.len() as u64 * u64::from(config.repeats);
        let plural = if tasks == 1 { "" } else { "s" };
        out::tell(format_args!("left out: {name} with {tasks} record{plural}: {why}"));
    }
}

/// A plan that could not be finished in a lifetime is a slip of the pen, and its list alone would fill the
/// memory.
const MOST_RECORDS: u128 = 5_000_000;

/// Refuses absurd plans, and says when the limits are more than the machine has.
pub fn within_reason(config: &Config, study: &Study) -> anyhow::Result<()> {
    let records = study.tasks.len() as u128 * config.strategies.len() as u128 * u128::from(config.repeats);
    if records > MOST_RECORDS {
        bail!(
            "{}: {} tasks x {} strategies x {} repeats are {records} records, more than {MOST_RECORDS}: take fewer of one of \
             them ('include', 'exclude' and 'batch' of a task source make fewer tasks)",
            config.path.display(),
            study.tasks.len(),
            config.strategies.len(),
            config.repeats
        );
    }
    let machine = machine::machine();
    let workers = config.workers.unwrap_or(machine.cores);
    if u128::from(config.limits.memory) * u128::from(workers) > u128::from(machine.memory_bytes)
        && machine.memory_bytes > 0
    {
        let who = if workers == 1 {
            "1 worker may use more memory".to_owned()
        } else {
            format!("{workers} workers may use more memory together")
        };
        out::tell(format_args!(
            "note: {who} than this machine has; when it runs out, the kernel may end any process. Lower 'limits.memory' or \
             'workers'"
        ));
    }
    Ok(())
}

/// The jobs of a study in their order, without what the configuration leaves out.
pub fn plan(config: &Config, study: &Study) -> Vec<Job> {
    let spec = PlanSpec {
        repeats: config.repeats,
        seed: config.seed,
        limits: config.limits,
        sampling: config.sampling,
    };
    let strategies: Vec<PlannedStrategy> = config.strategies.iter().map(planned).collect();
    let mut jobs = harness_exec::plan(&study.tasks, &strategies, &spec);
    jobs.retain(|job| config.left_out(&job.key.strategy, job.question.alphabet).is_none());
    jobs
}

fn planned(contender: &Contender) -> PlannedStrategy {
    PlannedStrategy { name: contender.name.clone(), canonical: contender.canonical.as_str().into() }
}

/// The head of the run.
pub fn describe(config: &Config, study: &Study, planned: usize) -> RunInfo {
    let machine = machine::machine();
    RunInfo {
        version: RecordVersion::CURRENT,
        name: config.name.clone(),
        config: config.text.clone(),
        fingerprint: fingerprint(config, study),
        tasks_digest: Some(harness_store::tasks_digest(&study.tasks)),
        seed: config.seed,
        workers: config.workers.unwrap_or(machine.cores),
        limits: config.limits,
        sampling: config.sampling,
        repeats: config.repeats,
        planned: planned as u64,
        tasks: study.tasks.len() as u64,
        strategies: config.strategies.iter().filter_map(inventory::row).collect(),
        skipped: study.skipped(config),
        left_out: inventory::left_out(config),
        overrides: BTreeMap::new(),
        machine,
        versions: inventory::versions(),
        started_unix_s: now(),
        report: config.report.clone(),
    }
}

/// Seconds since 1970.
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// Digest of the plan of a configuration.
pub fn fingerprint(config: &Config, study: &Study) -> String {
    let names =
        config.strategies.iter().map(|contender| (contender.name.as_str(), contender.canonical.as_str()));
    harness_store::fingerprint(
        &study.tasks,
        cells::digested(names, &inventory::left_out(config)),
        config.repeats,
        config.limits,
        config.sampling,
        config.seed,
    )
}

/// Refuses a run whose tasks were changed behind its back.
pub fn same_tasks(run: &RunReader) -> anyhow::Result<()> {
    let digest = run.info().tasks_digest.as_ref();
    if digest.is_some_and(|digest| *digest != harness_store::tasks_digest(run.tasks())) {
        bail!(
            "{}: tasks.jsonl is not what the run was made with, so nothing can be said of its records; the command that made the \
             run writes it anew",
            run.path().display()
        );
    }
    Ok(())
}

/// What is said of records that are not of a run's plan.
pub fn strangers_note(count: usize, first: &str) -> String {
    if count == 1 {
        return format!("1 record belongs to no run of this plan, {first}; it does not count as made");
    }
    format!("{count} records belong to no run of this plan, such as {first}; they do not count as made")
}

/// A run, judged and reported.
struct Reported {
    dataset: Dataset,
    exit: Exit,
    /// The files made.
    written: anyhow::Result<Vec<PathBuf>>,
}

/// Judges what is in `dir` and makes the reports.
///
/// # Errors
///
/// Also when they cannot be made.
pub fn report(dir: &Path) -> anyhow::Result<()> {
    reported(dir)?.written.map(drop)
}

/// Judges what is in `dir`, makes the reports and prints the summary.
pub fn conclude(dir: &Path) -> anyhow::Result<Exit> {
    let Reported { dataset, exit, written } = reported(dir)?;
    out::print(summary::text(&dataset, dir, written.as_deref().unwrap_or_default()))?;
    match written {
        // That something is wrong matters more than that its report could not be written.
        Err(error) if matches!(exit, Exit::Wrong | Exit::InvalidModel) => {
            out::tell(format_args!("error: {error:#}"));
            Ok(exit)
        }
        Err(error) => Err(error),
        Ok(_) => Ok(exit),
    }
}

fn reported(dir: &Path) -> anyhow::Result<Reported> {
    let run = RunReader::open(dir)?;
    let loaded = run.load()?;
    let info = inventory::completed(run.info().clone());
    same_tasks(&run)?;
    let verdicts = harness_judge::judge(run.tasks(), &loaded.records);
    let severity = verdicts.severity();
    let recorded = loaded.records.len() as u64;
    if verdicts.judgements.len() != loaded.records.len() {
        bail!("the judge made {} judgements of {recorded} records: a defect", verdicts.judgements.len());
    }
    // Records of a plan are those of its tasks, strategies and repeats; others have come in some other way.
    let cells = Cells::of(&info, run.tasks());
    let tasks: HashMap<&str, &Task> = run.tasks().iter().map(|task| (task.id.as_str(), task)).collect();
    let of_plan = |key: &RunKey| {
        let strategy = info.strategies.iter().position(|strategy| strategy.name == key.strategy);
        let task = tasks.get(key.task.as_str());
        task.zip(strategy).is_some_and(|(task, strategy)| cells.has(task, strategy))
            && key.repeat < info.repeats
    };
    let strangers: Vec<String> =
        loaded.records.iter().filter(|r| !of_plan(&r.key)).map(|r| r.key.to_string()).collect();
    let planned_here = recorded - strangers.len() as u64;
    let complete = planned_here >= info.planned && info.planned > 0;
    let foreign = strangers.first().map(|first| strangers_note(strangers.len(), first));
    let rows = loaded.records.into_iter().zip(verdicts.judgements);
    let rows = rows.map(|(record, judgement)| Row { record, judgement }).collect();
    let damaged = loaded.damaged.iter().map(|damage| format!("records.jsonl: {damage}"));
    let notes: Vec<String> = verdicts.notes.into_iter().chain(foreign).chain(damaged).collect();
    let mut dataset = Dataset::new(info, run.tasks().to_vec(), rows, verdicts.disagreements, notes);
    dataset.drawings = drawings::of(&dataset);
    let written = reports::write_all(&dataset, dir).context("the records are kept, but there is no report");
    Ok(Reported { dataset, exit: Exit::of(severity, complete), written })
}

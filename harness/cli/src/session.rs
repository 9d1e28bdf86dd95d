//! A study run from beginning to end: planned, run, judged and reported.
//!
//! What is judged and reported is always read back from the directory, so that `harness report` says the very
//! same of a run as the run itself did.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail};
use harness_config::{Config, Contender, units};
use harness_exec::{
    Cores, Job, PlanSpec, PlannedStrategy, Pool, RunError, WorkerCommand, calibrate, machine,
};
use harness_model::Task;
use harness_model::judgement::Judgement;
use harness_model::record::{Record, RecordVersion, RunKey};
use harness_model::run::RunInfo;
use harness_store::{MERGED, RunDir, RunReader, SHARD, Shard, StoreError};
use reports::{Against, Dataset, Row};

use crate::args::{Allowed, RunArgs};
use crate::cells::Cells;
use crate::exit::{Exit, Unfinished};
use crate::progress::Progress;
use crate::study::Study;
use crate::{cells, drawings, interrupt, inventory, out, summary};

/// Runs `config` into the directory that `args` name, or what is left of it, then judges and reports.
pub fn run(mut config: Config, args: &RunArgs) -> anyhow::Result<Exit> {
    let mut overrides = overridden(&mut config, args.timeout, args.workers);
    if let Some(shard) = args.shard {
        overrides.insert(SHARD.to_owned(), shard.to_string());
    }
    let study = Study::of(&config)?;
    tell_missing(&mut config, &study);
    within_reason(&config, &study)?;
    for line in &study.bad {
        out::tell(format_args!("left out: {line}"));
    }
    let mut jobs = plan(&config, &study);
    if let Some(shard) = args.shard {
        jobs.retain(|job| shard.holds(&job.key.task, &job.key.strategy));
    }
    let info = RunInfo { overrides, ..describe(&config, &study, jobs.len()) };
    // Before anything is written: a number of workers that cannot be is an error of usage.
    let cores = cores(info.workers, args.cores.as_deref())?;
    let other_build = args.allow.contains(&Allowed::Program);
    let open = if args.extend { RunDir::create_or_extend } else { RunDir::create_or_go_on };
    let dir = open(args.out.clone(), &info, &study.tasks, other_build)?;
    let there = jobs.iter().filter(|job| dir.done().contains(&job.key)).count();
    make(dir, jobs, there, cores, args.no_progress)?;
    conclude(&args.out)
}

/// As many cores as there are to be workers, of `wanted` or of all; a note where other runs have some of
/// them.
pub fn cores(workers: u32, wanted: Option<&[u32]>) -> anyhow::Result<Cores> {
    let cores = Cores::take(usize::try_from(workers).unwrap_or(usize::MAX), wanted)?;
    let busy: Vec<String> = cores.busy().iter().map(ToString::to_string).collect();
    if !busy.is_empty() {
        out::tell(format_args!(
            "note: another run has {} {} too, so times of both are those of a busy machine; take fewer --workers, or wait until it ends",
            if busy.len() == 1 { "core" } else { "cores" },
            busy.join(", ")
        ));
    }
    Ok(cores)
}

/// Makes those of the records that are not in `dir` yet, one worker on each of the cores; `there` records of
/// the plan are.
pub fn make(
    mut dir: RunDir,
    jobs: Vec<Job>,
    there: usize,
    cores: Cores,
    no_progress: bool,
) -> anyhow::Result<()> {
    let path = dir.path().to_owned();
    let info = dir.info().clone();
    let pool = Pool { command: WorkerCommand::this_program(), cores };
    let stop = interrupt::stop_flag()?;
    for notice in dir.notices() {
        out::tell(format_args!("note: {notice}"));
    }
    let jobs = harness_exec::remaining(jobs, dir.done());
    let jobs = calibrate::calibrated(jobs);
    if dir.resumed() {
        out::tell(format_args!("{}: resumed, {there} of {} records are there", path.display(), info.planned));
    }
    let mut progress = Progress::new(&info, there, no_progress);
    let mut sink = |job: &Job, record| keep(&mut dir, job, &record).map_err(Into::into);
    let ran = if jobs.is_empty() {
        Ok(())
    } else {
        harness_exec::run(&jobs, pool.executors(), &mut sink, &mut progress, &stop).map(drop)
    };
    progress.finish();
    let finished = dir.finish();
    if let Err(error) = ran {
        return Err(broken_off(Some(&path), &error));
    }
    Ok(finished?)
}

/// Appends a record to a run, or what it measured of the machine.
pub fn keep(dir: &mut RunDir, job: &Job, record: &Record) -> Result<(), StoreError> {
    if job.calibration().is_none() {
        return dir.append(record);
    }
    match calibrate::measured(job, record) {
        Some(measured) => dir.append_calibration(&measured),
        // A build that does not know of it: nothing was measured.
        None => Ok(()),
    }
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

/// Refuses absurd plans.
pub fn few_enough(config: &Config, study: &Study) -> anyhow::Result<()> {
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
    Ok(())
}

/// Refuses absurd plans, and says when the limits are more than the machine has.
pub fn within_reason(config: &Config, study: &Study) -> anyhow::Result<()> {
    few_enough(config, study)?;
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

/// Which records a plan has.
pub struct Planned<'a> {
    cells: &'a Cells,
    tasks: HashMap<&'a str, &'a Task>,
    strategies: HashMap<&'a str, usize>,
}

impl<'a> Planned<'a> {
    /// Those of a run's head and tasks.
    pub fn of(info: &'a RunInfo, cells: &'a Cells, tasks: &'a [Task]) -> Self {
        let strategies = info.strategies.iter().enumerate().map(|(place, row)| (row.name.as_str(), place));
        Self {
            cells,
            tasks: tasks.iter().map(|task| (task.id.as_str(), task)).collect(),
            strategies: strategies.collect(),
        }
    }

    /// Whether it has this one.
    pub fn has(&self, key: &RunKey) -> bool {
        let found = self.tasks.get(key.task.as_str()).zip(self.strategies.get(key.strategy.as_str()));
        found.is_some_and(|(task, strategy)| self.cells.has_record(task, *strategy, key.repeat))
    }
}

/// That records were made again, and where those before are; that some are still to be, where `made` lacks
/// them. A record that was made again more than once is one.
fn superseded_note(run: &RunReader, made: &[Record]) -> anyhow::Result<Option<String>> {
    let marks = run.superseded()?;
    if marks.is_empty() {
        return Ok(None);
    }
    let marked = run
        .superseded_records()?
        .map(|item| Ok(item?.key))
        .collect::<Result<HashSet<RunKey>, StoreError>>()?;
    let again = made.iter().filter(|record| marked.contains(&record.key)).count();
    let mut reasons: Vec<&str> = marks.iter().map(|mark| mark.why.as_str()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    let mut notes = Vec::new();
    if again > 0 {
        notes.push(format!(
            "{} made again ({}); those before stay in records.jsonl and are marked in {}",
            if again == 1 { "1 record was".to_owned() } else { format!("{again} records were") },
            reasons.join("; "),
            harness_store::SUPERSEDED_FILE
        ));
    }
    let left = marked.len() - again;
    if left > 0 {
        notes.push(format!(
            "{} marked to be made again and not there yet: harness rerun makes what is left",
            if left == 1 { "1 record is".to_owned() } else { format!("{left} records are") },
        ));
    }
    Ok((!notes.is_empty()).then(|| notes.join("; ")))
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
    reported(dir, None)?.written.map(drop)
}

/// Judges what is in `dir`, makes the reports and prints the summary.
pub fn conclude(dir: &Path) -> anyhow::Result<Exit> {
    conclude_against(dir, None)
}

/// A run that another one is compared with.
pub struct Other {
    /// Its records, judged.
    pub dataset: Dataset,
    /// What differs between the conditions of the two.
    pub warnings: Vec<String>,
}

/// [`conclude`], with another run beside this one in the page.
pub fn conclude_against(dir: &Path, other: Option<&Other>) -> anyhow::Result<Exit> {
    let Reported { dataset, exit, written } = reported(dir, other)?;
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

fn reported(dir: &Path, other: Option<&Other>) -> anyhow::Result<Reported> {
    let Judged { mut dataset, exit } = judged(dir)?;
    dataset.drawings = drawings::of(&dataset);
    let against = other.map(|other| Against { dataset: &other.dataset, warnings: &other.warnings });
    let written = reports::write_against(&dataset, against, dir)
        .context("the records are kept, but there is no report");
    Ok(Reported { dataset, exit, written })
}

/// A run, judged.
pub struct Judged {
    /// Its records and what became of them.
    pub dataset: Dataset,
    /// What its verdicts and its completeness mean for an exit status.
    pub exit: Exit,
}

/// Each record with its judgement, in no order. Half a million of them are never there twice: the list that
/// they come from gets shorter as the one that they go to gets longer.
fn rows(mut records: Vec<Record>, mut judgements: Vec<Judgement>) -> Vec<Row> {
    const AT_ONCE: usize = 1 << 14;
    let mut rows = Vec::with_capacity(records.len());
    while let (Some(mut record), Some(judgement)) = (records.pop(), judgements.pop()) {
        // Words and models were checked; the judgement has what reports show of them.
        record.answers.iter_mut().for_each(|answer| answer.witness = None);
        rows.push(Row { record, judgement });
        if rows.len() % AT_ONCE == 0 {
            records.shrink_to_fit();
        }
    }
    rows
}

/// Reads what is in `dir` and judges it.
pub fn judged(dir: &Path) -> anyhow::Result<Judged> {
    let run = RunReader::open(dir)?;
    let loaded = run.load()?;
    let info = inventory::completed(run.info().clone());
    same_tasks(&run)?;
    let damaged = loaded.damaged;
    // Records of a plan are those of its tasks, strategies and repeats; others have come in some other way,
    // and have no say in anything.
    let cells = Cells::of(&info, run.tasks());
    let planned = Planned::of(&info, &cells, run.tasks());
    let (mut records, mut strangers, mut stranger) = (loaded.records, 0, None);
    records.retain(|record| {
        let has = planned.has(&record.key);
        if !has {
            strangers += 1;
            stranger.get_or_insert_with(|| record.key.to_string());
        }
        has
    });
    let verdicts = harness_judge::judge(run.tasks(), &records);
    let severity = verdicts.severity();
    let recorded = records.len() as u64;
    if verdicts.judgements.len() != records.len() {
        bail!("the judge made {} judgements of {recorded} records: a defect", verdicts.judgements.len());
    }
    let complete = recorded >= info.planned && info.planned > 0;
    let superseded = superseded_note(&run, &records)?;
    let foreign = stranger.map(|first| strangers_note(strangers, &first));
    let part = Shard::of(&info).map(|shard| {
        format!("this is shard {shard} of the plan, and all numbers are of that part; 'harness merge' puts shards together")
    });
    let merged = info.overrides.get(MERGED).map(|merged| format!("put together from {merged}"));
    let rows = rows(records, verdicts.judgements);
    let damaged = damaged.iter().map(|damage| format!("records.jsonl: {damage}"));
    // Who else says so may be in another shard.
    let alone = verdicts.alone.into_iter().filter(|_| part.is_none());
    let alone: Vec<String> = alone.collect();
    let notes: Vec<String> = verdicts
        .notes
        .into_iter()
        .chain(alone)
        .chain(part)
        .chain(merged)
        .chain(superseded)
        .chain(foreign)
        .chain(damaged)
        .collect();
    drop(planned);
    let (_, _, tasks) = run.into_parts();
    let dataset = Dataset::new(info, tasks, rows, verdicts.disagreements, notes);
    Ok(Judged { dataset, exit: Exit::of(severity, complete) })
}

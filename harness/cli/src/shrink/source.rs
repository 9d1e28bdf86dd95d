//! Where a question that is to shrink comes from, and who has to show what on it: a script, a run's
//! directory, a configuration.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use corpora::script_files::ScriptFiles;
use harness_config::{Config, Contender, TaskSource, names};
use harness_model::record::Record;
use harness_model::{Alphabet, Limits, Question, Status, Task};
use harness_shrink::{Interest, Kind};
use harness_store::RunReader;
use harness_theory::Position;

use super::is_config;
use crate::args::shrink::ShrinkArgs;
use crate::cmd::compare;
use crate::problem;
use crate::study::Study;
use crate::{inventory, out, session};

/// What is shrunk, with whom.
pub struct Source {
    /// As it was given.
    pub question: Question,
    /// The strategies that take part, each once: name for people, canonical name.
    pub contenders: Vec<harness_shrink::Contender>,
    /// Of each run of a strategy.
    pub limits: Limits,
    /// The files that it comes from.
    pub read: Vec<PathBuf>,
    /// What the records of a run show, where the strategies were chosen by that: for people.
    pub recorded: Option<String>,
}

/// How many tasks with faults are named when one has to be chosen.
const NAMED: usize = 10;

/// Limits where nothing else says any.
const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(10);
const MEMORY: u64 = 2 << 30;

/// Finds it.
pub fn find(args: &ShrinkArgs) -> anyhow::Result<Source> {
    let is_config = is_config(&args.from);
    if args.from.is_dir() || is_config {
        for (given, option) in [(args.config.is_some(), "--config"), (args.alphabet.is_some(), "--alphabet")]
        {
            if given {
                bail!("{option} is for scripts: {} has its own", args.from.display());
            }
        }
        return if is_config { of_config(args) } else { of_run(args) };
    }
    of_script(args)
}

fn of_script(args: &ShrinkArgs) -> anyhow::Result<Source> {
    if args.task.is_some() {
        bail!("--task names a task of a run or a configuration, and {} is a script", args.from.display());
    }
    let alphabet = args.alphabet.unwrap_or(Alphabet::Unicode);
    let (known, limits) = match &args.config {
        None => (Vec::new(), None),
        Some(path) => {
            let config = compare::read(path)?;
            (config.strategies, Some(config.limits))
        }
    };
    let wanted = wanted(args);
    if wanted.is_empty() && known.is_empty() {
        bail!(
            "no strategy takes part: name at least one with --strategy NAME, or --config CONFIG for those of one"
        );
    }
    let contenders = contenders(&wanted, &known)?;
    let is_standard_input = args.from == Path::new("-");
    let file = problem::parse(problem::bytes(&args.from)?, alphabet).map_err(|error| {
        let name = if is_standard_input { "standard input".into() } else { args.from.display().to_string() };
        let Position { line, column } = error.position;
        anyhow::anyhow!("{name}:{line}:{column}: {}", error.message)
    })?;
    let queries = file.script.queries.len();
    if queries == 0 {
        bail!("{}: there is no check-sat, so that nothing is asked", args.from.display());
    }
    let question = Question::of_script(alphabet, file.text, queries);
    // What standard input is read from may be a file.
    let from = if is_standard_input { PathBuf::from("/proc/self/fd/0") } else { args.from.clone() };
    let read = std::iter::once(from).chain(args.config.clone()).collect();
    Ok(Source { question, contenders, limits: limited(args, limits), read, recorded: None })
}

fn of_config(args: &ShrinkArgs) -> anyhow::Result<Source> {
    let config = compare::read(&args.from)?;
    let study = Study::of(&config)?;
    let task = match (&args.task, study.tasks.as_slice()) {
        (Some(id), tasks) => named(&args.from, id, tasks)?,
        (None, [only]) => only,
        (None, tasks) => {
            let first = tasks.iter().take(NAMED).map(|task| format!("\n  {}", task.id)).collect::<String>();
            bail!(
                "{}: it makes {} tasks: say with --task ID which one. The first ones:{first}",
                args.from.display(),
                tasks.len()
            );
        }
    };
    let contenders = contenders(&wanted(args), &config.strategies)?;
    let limits = limited(args, Some(config.limits));
    let read = files(&config);
    Ok(Source { question: task.question.clone(), contenders, limits, read, recorded: None })
}

/// The files that a configuration and its tasks are read from.
fn files(config: &Config) -> Vec<PathBuf> {
    let mut all = vec![config.path.clone()];
    for entry in &config.tasks {
        match &entry.source {
            TaskSource::Regexes(regexes) => all.push(regexes.file.clone()),
            TaskSource::Scripts(scripts) => {
                let mut found = ScriptFiles::new(&scripts.base);
                for (_, pattern) in &scripts.files {
                    // One that names nothing has been told, when tasks were made.
                    let _ = found.add(pattern);
                }
                all.extend(found.files().into_iter().map(|(path, _)| scripts.base.join(path)));
                all.extend(scripts.expected.iter().map(|(_, table)| table.clone()));
            }
            TaskSource::Corpus(_)
            | TaskSource::Systems(_)
            | TaskSource::Grammars(_)
            | TaskSource::Fetched(_)
            | TaskSource::Generator(_) => {}
        }
    }
    all
}

fn of_run(args: &ShrinkArgs) -> anyhow::Result<Source> {
    let reader = RunReader::open(&args.from)?;
    session::same_tasks(&reader)?;
    let info = inventory::completed(reader.info().clone());
    let records = reader.load()?.records;
    let task = match &args.task {
        Some(id) => named(&args.from, id, reader.tasks())?,
        None => faulty(&args.from, reader.tasks(), &records)?,
    };
    let known: Vec<Contender> = info
        .strategies
        .iter()
        .map(|row| Contender {
            name: row.name.clone(),
            family: row.family.clone(),
            options: row.options.clone(),
            canonical: if row.canonical.is_empty() { row.name.clone() } else { row.canonical.clone() },
        })
        .collect();
    let mut wanted = wanted(args);
    let mut recorded = None;
    if wanted.is_empty() {
        let interest = of_records(&args.from, task, &records)?;
        recorded = Some(format!("{} ({})", interest.kind.name(), interest.names.join(", ")));
        wanted = interest.names;
    }
    let contenders = contenders(&wanted, &known)?;
    let limits = limited(args, Some(info.limits));
    // The run itself is guarded by the files that it has.
    Ok(Source { question: task.question.clone(), contenders, limits, read: Vec::new(), recorded })
}

/// A fault that records show, and the strategies that have a part in it.
struct Recorded {
    kind: Kind,
    names: Vec<String>,
}

/// The worst fault of a task that the records of one repeat show.
fn of_records(dir: &Path, task: &Task, records: &[Record]) -> anyhow::Result<Recorded> {
    let own = || records.iter().filter(|record| record.key.task == task.id);
    let mut repeats: BTreeMap<u32, Vec<Record>> = BTreeMap::new();
    for record in own() {
        repeats.entry(record.key.repeat).or_default().push(record.clone());
    }
    let repeats: Vec<Vec<Record>> = repeats.into_values().collect();
    let shown: Vec<_> =
        repeats.iter().map(|records| harness_shrink::shown(&task.question, records)).collect();
    if let Some((repeat, interest)) = Interest::worst(&shown) {
        let name = |want: &harness_shrink::Want| repeats[repeat][want.strategy].key.strategy.clone();
        return Ok(Recorded { kind: interest.kind, names: interest.wants.iter().map(name).collect() });
    }
    let records: Vec<Record> = own().cloned().collect();
    let wrong = harness_judge::judge(std::slice::from_ref(task), &records);
    if let Some((record, judgement)) =
        records.iter().zip(&wrong.judgements).find(|(_, judgement)| judgement.status == Status::Wrong)
    {
        bail!(
            "{}: {} is wrong by the expected verdict alone, which a smaller question does not have ({}); name with --strategy one \
             that takes part too and gives a model",
            dir.display(),
            record.key.strategy,
            judgement.detail
        );
    }
    bail!(
        "{}: the records of {} show no fault; say with --while or --ratio what is to be kept, or name strategies with --strategy",
        dir.display(),
        task.id
    )
}

/// The only task with a verdict that is wrong or contested, a model that is none, a crash or an error.
fn faulty<'t>(dir: &Path, tasks: &'t [Task], records: &[Record]) -> anyhow::Result<&'t Task> {
    let verdicts = harness_judge::judge(tasks, records);
    let is_fault =
        |status| matches!(status, Status::Wrong | Status::InvalidModel | Status::Crash | Status::Error);
    let by_status =
        records.iter().zip(&verdicts.judgements).filter(|(_, judgement)| is_fault(judgement.status));
    let mut ids: HashSet<&str> = by_status.map(|(record, _)| record.key.task.as_str()).collect();
    ids.extend(verdicts.disagreements.iter().map(|disagreement| disagreement.task.as_str()));
    let faulty: Vec<&Task> = tasks.iter().filter(|task| ids.contains(task.id.as_str())).collect();
    match faulty.as_slice() {
        [] => bail!(
            "{}: no task has a wrong verdict, a disagreement, a model that is none, a crash or an error; say with --task ID which one is \
             meant, and with --while or --ratio what is to be kept",
            dir.display()
        ),
        [only] => Ok(only),
        many => {
            let first = many.iter().take(NAMED).map(|task| format!("\n  {}", task.id)).collect::<String>();
            bail!(
                "{}: {} tasks show faults: say with --task ID which one. The first ones:{first}",
                dir.display(),
                many.len()
            )
        }
    }
}

fn named<'t>(from: &Path, id: &str, tasks: &'t [Task]) -> anyhow::Result<&'t Task> {
    tasks.iter().find(|task| task.id == id).with_context(|| {
        let hint = names::hint(id, tasks.iter().map(|task| task.id.as_str()));
        format!("{}: there is no task '{id}'{hint}", from.display())
    })
}

/// The strategies that the command line names, each once, in its order.
fn wanted(args: &ShrinkArgs) -> Vec<String> {
    let conditions = args.conditions.iter().map(|(name, _)| name);
    let all = args.strategy.iter().chain(conditions).chain(&args.slow).chain(&args.fast);
    let mut seen = HashSet::new();
    all.filter(|name| seen.insert(name.as_str())).cloned().collect()
}

/// The strategies of these names, among those that are known or else those of this build; all that are known,
/// where none is named, but for those that cannot run on this machine.
fn contenders(wanted: &[String], known: &[Contender]) -> anyhow::Result<Vec<harness_shrink::Contender>> {
    let vocabulary = inventory::vocabulary();
    let mut all: Vec<Contender> = Vec::new();
    for name in wanted {
        let found = known.iter().find(|contender| contender.name == *name).cloned();
        let Some(found) = found.or_else(|| vocabulary.resolve(name)) else {
            let listed: Vec<&str> =
                known.iter().map(|contender| contender.name.as_str()).chain(vocabulary.listed()).collect();
            bail!("there is no strategy '{name}'{}", names::hint(name, listed.iter().copied()));
        };
        all.push(Contender { name: name.clone(), ..found });
    }
    for contender in &all {
        inventory::found(contender)
            .map_err(|why| anyhow::anyhow!("'{}' cannot run here: {why}", contender.name))?;
    }
    if wanted.is_empty() {
        for contender in known {
            match inventory::found(contender) {
                Ok(_) => all.push(contender.clone()),
                Err(why) => out::tell(format_args!("left out: {}: {why}", contender.name)),
            }
        }
    }
    if all.is_empty() {
        bail!("none of the strategies can run here");
    }
    let of = |contender: Contender| harness_shrink::Contender {
        name: contender.name,
        canonical: contender.canonical.as_str().into(),
    };
    Ok(all.into_iter().map(of).collect())
}

/// The limits of each run, with what the command line says instead.
fn limited(args: &ShrinkArgs, limits: Option<Limits>) -> Limits {
    let mut limits = limits.unwrap_or(Limits { wall: TIMEOUT, cpu: TIMEOUT, memory: MEMORY });
    if let Some(time) = args.timeout {
        (limits.wall, limits.cpu) = (time, time);
    }
    limits.memory = args.memory.unwrap_or(limits.memory);
    limits
}

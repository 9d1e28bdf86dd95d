//! `harness submit --engine slurm CONFIG --out DIR`
//!
//! What is submitted is decided by what is there: the first time all shards, later those that nothing works
//! on and that are not complete. So the same command is the way out of every kind of loss.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};
use harness_config::{Config, units};
use harness_exec::Job;
use harness_model::run::RunInfo;
use harness_store::Shard;

use crate::args::submit::{EngineName, SubmitArgs};
use crate::cmd::compare;
use crate::exit::{Exit, Incomparable, Unfinished};
use crate::study::Study;
use crate::submit::script::Scripts;
use crate::submit::slurm::{self, SlurmError};
use crate::submit::state::{self, Survey};
use crate::submit::{Engine, Place, Submission, Submitted, ranges};
use crate::{out, session};

/// One shard for so many records, where the user does not say.
const RECORDS_OF_A_SHARD: u64 = 1000;

/// As many tasks as an array of SLURM has where nobody has set another limit.
const MOST_BY_DEFAULT: u64 = 1000;

/// Writes the scripts and submits the shards that are not complete.
pub fn run(args: &SubmitArgs) -> anyhow::Result<Exit> {
    let mut config = compare::read(&args.config)?;
    let overrides = session::overridden(&mut config, args.timeout, args.workers);
    let study = Study::of(&config)?;
    session::tell_missing(&mut config, &study);
    session::few_enough(&config, &study)?;
    let jobs = session::plan(&config, &study);
    let plan = RunInfo { overrides, ..session::describe(&config, &study, jobs.len()) };

    let place = Place::new(std::path::absolute(&args.out)?);
    let _lock = place.prepare()?;
    let engine = Engine::from(args.engine);
    let before = Submission::read(&place)?;
    let shards = number_of_shards(args, before.as_ref(), jobs.len() as u64)?;
    let mut submission = Submission::new(engine, config_of(&args.config)?, this_program()?, plan);
    submission.planned = planned(&jobs, shards);
    submission.options = options(args);
    if let Some(before) = before {
        same_study(&place, &before, &submission)?;
        submission.jobs = before.jobs;
    }
    let survey = state::survey(&place, &submission)?;
    let left = survey.numbers(|shard| shard.state != state::State::Complete && !shard.is_under_way);
    write(&place, &submission, &config, args)?;
    match args.engine {
        EngineName::Slurm => on_slurm(&place, &mut submission, &survey, &left, &config),
        EngineName::Local => here(&place, &survey, &left),
    }
}

/// What the jobs are to be beside engine, configuration and directory, as it stands on the command line.
fn options(args: &SubmitArgs) -> Vec<String> {
    let named = [
        ("--time", args.time.clone()),
        ("--partition", args.partition.clone()),
        ("--account", args.account.clone()),
        ("--workers", args.workers.map(|workers| workers.to_string())),
        ("--timeout", args.timeout.map(units::show_duration)),
    ];
    let named = named.into_iter().filter_map(|(option, value)| Some([option.to_owned(), value?]));
    let further = args.sbatch.iter().map(|option| format!("--sbatch={option}"));
    named.flatten().chain(further).collect()
}

/// What SLURM is told beside cores, memory and places: options as sbatch has them.
fn wanted(args: &SubmitArgs) -> Vec<String> {
    let named = [("time", &args.time), ("partition", &args.partition), ("account", &args.account)];
    let named =
        named.into_iter().filter_map(|(option, value)| Some(format!("--{option}={}", value.as_ref()?)));
    named.chain(args.sbatch.iter().cloned()).collect()
}

/// That of the command line, of the first submission, or one that fits the number of records.
fn number_of_shards(args: &SubmitArgs, before: Option<&Submission>, records: u64) -> anyhow::Result<u32> {
    match (args.shards, before) {
        (Some(wanted), Some(before)) if wanted != before.shards() => bail!(
            "{}: has {} shards, and another number would divide the study in another way: leave --shards {wanted} out, or choose another \
             --out",
            args.out.display(),
            before.shards()
        ),
        (Some(wanted), _) => Ok(wanted),
        (None, Some(before)) => Ok(before.shards()),
        (None, None) => {
            let wanted = records.div_ceil(RECORDS_OF_A_SHARD).clamp(1, MOST_BY_DEFAULT);
            Ok(u32::try_from(wanted)?)
        }
    }
}

/// How many records each shard has.
fn planned(jobs: &[Job], shards: u32) -> Vec<u64> {
    let mut planned = vec![0; shards as usize];
    for job in jobs {
        planned[Shard::place(&job.key.task, &job.key.strategy, shards) as usize] += 1;
    }
    planned
}

/// The configuration as the jobs find it from wherever they run.
fn config_of(path: &Path) -> anyhow::Result<String> {
    // As 'compare' looks for it: a file first, then a built-in one.
    if !path.is_file() {
        return text_of(path);
    }
    text_of(&fs::canonicalize(path).with_context(|| format!("{}: cannot be found", path.display()))?)
}

fn this_program() -> anyhow::Result<String> {
    text_of(&std::env::current_exe().context("the path of this program cannot be found")?)
}

fn text_of(path: &Path) -> anyhow::Result<String> {
    let text = path.to_str().map(str::to_owned);
    text.with_context(|| format!("{}: is no path in UTF-8, and cannot stand in a script", path.display()))
}

/// Refuses to go on with another study.
fn same_study(place: &Place, before: &Submission, now: &Submission) -> anyhow::Result<()> {
    if before.plan.fingerprint == now.plan.fingerprint {
        return Ok(());
    }
    let differ = harness_store::plan_differences(&before.plan, &now.plan).join("; ");
    let differ = if differ.is_empty() { "tasks, strategies or limits".to_owned() } else { differ };
    bail!(
        "{}: was submitted with another plan: {differ} ('then' is that one). Choose another --out, or undo the change",
        place.head().display()
    )
}

/// The scripts, and what they are of.
fn write(place: &Place, submission: &Submission, config: &Config, args: &SubmitArgs) -> anyhow::Result<()> {
    let having: Vec<u32> = (1..)
        .zip(&submission.planned)
        .filter(|(_, planned)| **planned > 0)
        .map(|(number, _)| number)
        .collect();
    let timeout = args.timeout.map(units::show_duration);
    let wanted = wanted(args);
    let scripts = Scripts {
        name: &config.name,
        program: &submission.program,
        config: &submission.config,
        dir: place.dir(),
        shards: submission.shards(),
        array: &ranges::show(&having),
        workers: config.workers.unwrap_or(1),
        memory: config.limits.memory,
        timeout: timeout.as_deref(),
        wanted: &wanted,
    };
    place.write(&place.job(), &scripts.job()?)?;
    place.write(&place.merge(), &scripts.merge()?)?;
    submission.write(place)
}

/// Submits an array of the shards that are left, and the merge behind it.
fn on_slurm(
    place: &Place,
    submission: &mut Submission,
    survey: &Survey,
    left: &[u32],
    config: &Config,
) -> anyhow::Result<Exit> {
    let dir = place.dir().display();
    if survey.is_merged() {
        out::print(format_args!("{dir}: all shards are complete and merged: nothing to submit\n"))?;
        return Ok(Exit::Fine);
    }
    let under_way = survey.numbers(|shard| shard.is_under_way);
    if left.is_empty() && !under_way.is_empty() {
        out::print(format_args!(
            "{dir}: nothing to submit: shards {} are in the queue or running; 'harness status {dir}' shows them\n",
            ranges::show(&under_way)
        ))?;
        return Ok(Exit::Fine);
    }
    // What the last job of these wrote is not about the next one.
    for number in left {
        let _ = fs::remove_file(place.state(&number.to_string()));
    }
    let mut after: Vec<String> = Vec::new();
    if !left.is_empty() {
        let array = format!("--array={}", ranges::show(left));
        let id = slurm::submit(&place.job(), &[array]).map_err(|error| refused(place, error))?;
        after.push(id.clone());
        submission.jobs.push(Submitted {
            id,
            shards: ranges::show(left),
            merge: None,
            submitted_unix_s: session::now(),
        });
        submission.write(place)?;
    }
    // One merge, behind everything that is under way.
    for job in &submission.jobs {
        if under_way.iter().any(|&number| ranges::has(&job.shards, number)) && !after.contains(&job.id) {
            after.push(job.id.clone());
        }
    }
    for merge in submission.jobs.iter().filter_map(|job| job.merge.as_deref()) {
        slurm::withdraw(merge);
    }
    let _ = fs::remove_file(place.state("merge"));
    let options: Vec<String> = if after.is_empty() {
        Vec::new()
    } else {
        vec![format!("--dependency=afterany:{}", after.join(":"))]
    };
    let merge = slurm::submit(&place.merge(), &options).map_err(|error| refused(place, error))?;
    if let Some(last) = submission.jobs.last_mut() {
        last.merge = Some(merge.clone());
    }
    submission.write(place)?;
    let mut text = String::new();
    if let (Some(job), false) = (submission.jobs.last(), left.is_empty()) {
        let records: u64 =
            survey.shards.iter().filter(|s| left.contains(&s.number)).map(|s| s.planned - s.made).sum();
        text.push_str(&format!(
            "{dir}: job {} submitted: shards {} of {}, {records} records, at most {} of work in a shard at the limits of the records\n",
            job.id,
            job.shards,
            submission.shards(),
            longest(survey, left, config)
        ));
    }
    text.push_str(&format!(
        "{dir}: job {merge} submitted: merges the shards afterwards, into {}\n",
        place.merged().display()
    ));
    text.push_str(&format!("'harness status {dir}' shows how far it is\n"));
    out::print(text)?;
    Ok(Exit::Fine)
}

/// What the longest of the shards takes where each record meets its limit, in words.
fn longest(survey: &Survey, left: &[u32], config: &Config) -> String {
    let shards = survey.shards.iter().filter(|shard| left.contains(&shard.number));
    let records = shards.map(|shard| shard.planned - shard.made).max().unwrap_or(0);
    let workers = u64::from(config.workers.unwrap_or(1));
    let seconds = config.limits.wall.as_secs_f64() * records.div_ceil(workers) as f64;
    match seconds {
        s if s >= 3600.0 => format!("{:.1} hours", s / 3600.0),
        s if s >= 60.0 => format!("{:.0} minutes", s / 60.0),
        s => format!("{s:.0} seconds"),
    }
}

/// The scripts are there, and SLURM does not take them.
fn refused(place: &Place, error: SlurmError) -> anyhow::Error {
    let (job, merge) = (shell(&place.job()), shell(&place.merge()));
    let by_hand = format!(
        "on a machine of the cluster: sbatch {job}, then sbatch --dependency=afterany:NUMBER {merge}; without SLURM: the same command with \
         --engine local, or for each shard bash {job} SHARD, then bash {merge}"
    );
    match error {
        SlurmError::Missing(program) => anyhow::anyhow!(
            "there is no program '{program}' on this machine, so nothing was submitted. The scripts are written. To run them {by_hand}"
        ),
        SlurmError::Refused { program, said } => anyhow::anyhow!(
            "{program} refuses: {said}\nThe scripts are written: change the options and submit again, or {by_hand}"
        ),
    }
}

fn shell(path: &Path) -> String {
    let text = path.to_string_lossy();
    shlex::try_quote(&text).map_or_else(|_| text.to_string(), std::borrow::Cow::into_owned)
}

/// Runs the shards that are left one after the other, and merges.
fn here(place: &Place, survey: &Survey, left: &[u32]) -> anyhow::Result<Exit> {
    let under_way = survey.numbers(|shard| shard.is_under_way);
    if !under_way.is_empty() {
        bail!(
            "{}: shards {} are running or in a queue: wait until they end ('harness status' shows them)",
            place.dir().display(),
            ranges::show(&under_way)
        );
    }
    for number in left {
        out::tell(format_args!("shard {number} of {}", survey.shards.len()));
        match bash(&place.job(), &[&number.to_string()])? {
            0 | 10 | 11 => {}
            30 => {
                return Err(anyhow::Error::new(Unfinished(format!(
                    "shard {number} was stopped; the same command goes on there"
                ))));
            }
            // A signal, as a shell tells of it.
            status @ 129.. => {
                return Err(anyhow::Error::new(Unfinished(format!(
                    "shard {number} was ended by signal {}; the same command goes on there",
                    status - 128
                ))));
            }
            status => bail!(
                "shard {number} ended with status {status}, and its message is above; the same command goes on there"
            ),
        }
    }
    match bash(&place.merge(), &[])? {
        0 => Ok(Exit::Fine),
        10 => Ok(Exit::Wrong),
        11 => Ok(Exit::InvalidModel),
        30 => Ok(Exit::Incomplete),
        40 => Err(anyhow::Error::new(Incomparable(
            "the shards may not be merged; the reason is above".to_owned(),
        ))),
        status => bail!("the merge ended with status {status}, and its message is above"),
    }
}

/// Runs a script of ours to its end; gives its exit status.
fn bash(script: &Path, arguments: &[&str]) -> anyhow::Result<i32> {
    let status = Command::new("bash")
        .arg(script)
        .args(arguments)
        .status()
        .with_context(|| format!("bash, which runs {}, cannot be started", script.display()))?;
    Ok(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
}

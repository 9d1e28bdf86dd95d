//! `harness merge DIR… --out DIR`
//!
//! Nothing is written before all runs were read once: what may not stand together leaves no directory behind.
//! The runs themselves are only read.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::{fs, io};

use anyhow::bail;
use harness_model::record::{Record, RunKey};
use harness_model::run::RunInfo;
use harness_store::{Difference, Differs, MERGED, RunDir, RunReader, SHARD, Shard};
use reports::format::counted;

use crate::args::{MergeAllowed, MergeArgs};
use crate::cells::Cells;
use crate::exit::{Exit, Incomparable};
use crate::out;
use crate::session::{self, Planned};

/// The most of a kind that is told one by one.
const TOLD: usize = 10;

/// Puts the runs together, judges and reports the whole.
pub fn run(args: &MergeArgs) -> anyhow::Result<Exit> {
    distinct(args)?;
    let mut runs: Vec<RunReader> = Vec::with_capacity(args.dirs.len());
    for dir in &args.dirs {
        let mut run = RunReader::open(dir)?;
        session::same_tasks(&run)?;
        if let Some(first) = runs.first() {
            run.share_tasks(first);
        }
        runs.push(run);
    }
    let allowed = stand_together(&runs, &args.allow)?;
    let mut merge = Merge::default();
    // Merged before: what is there stays and must be the same.
    let before = match args.out.join(harness_store::RUN_FILE).exists() {
        true => Some(RunReader::open(&args.out)?),
        false => None,
    };
    if let Some(before) = &before {
        merge.read(before, true)?;
    }
    let info = whole(&runs, &allowed, before.as_ref());
    for run in &runs {
        merge.read(run, false)?;
    }
    merge.refuse_doubles(&args.out)?;
    let other_build = args.allow.contains(&MergeAllowed::Program);
    let mut dir = RunDir::create_or_go_on(&args.out, &info, runs[0].tasks(), other_build)?;
    for notice in dir.notices() {
        out::tell(format_args!("note: {notice}"));
    }
    let had_calibration = dir.resumed();
    for run in &runs {
        let cells = Cells::of(run.info(), run.tasks());
        let planned = Planned::of(run.info(), &cells, run.tasks());
        for record in run.records()? {
            if let Ok(record) = record?
                && planned.has(&record.key)
                && !dir.done().contains(&record.key)
            {
                dir.append(&record)?;
            }
        }
        // What was measured of the machines is taken once: it has no keys.
        if !had_calibration {
            for measured in run.calibrations()? {
                dir.append_calibration(&measured)?;
            }
        }
    }
    dir.finish()?;
    for line in merge.notes.iter().chain(&gaps(&runs, &info)) {
        out::tell(format_args!("note: {}", out::line(line)));
    }
    // The reports need the memory.
    drop((merge, before, runs));
    session::conclude(&args.out)
}

/// Refuses a directory that is named twice, or is the one to write to.
fn distinct(args: &MergeArgs) -> anyhow::Result<()> {
    // One that does not exist has its own error later.
    let place = |dir: &Path| fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
    let mut seen: HashMap<PathBuf, &Path> = HashMap::new();
    let target = place(&args.out);
    for dir in &args.dirs {
        if place(dir) == target {
            bail!("{}: is merged and written to; choose another --out", dir.display());
        }
        if let Some(before) = seen.insert(place(dir), dir) {
            bail!("{}: is the same directory as {}; name each once", dir.display(), before.display());
        }
    }
    Ok(())
}

/// Refuses runs of other plans, and runs that were made under other conditions than those that are allowed.
/// Gives the differences that are.
fn stand_together(runs: &[RunReader], allow: &[MergeAllowed]) -> anyhow::Result<Vec<String>> {
    let is_allowed = |difference: &Difference| match difference.what {
        Differs::Machine => allow.contains(&MergeAllowed::Machine),
        Differs::Kernel => allow.contains(&MergeAllowed::Kernel),
        Differs::Program => allow.contains(&MergeAllowed::Program),
        Differs::Version => false,
    };
    let (first, others) = (&runs[0], &runs[1..]);
    let mut allowed = Vec::new();
    for run in others {
        let between = format!("{} and {}", first.path().display(), run.path().display());
        if first.info().fingerprint != run.info().fingerprint {
            // Shards differ in being shards; that is no difference of plans.
            let plan = |info: &RunInfo| {
                let mut info = info.clone();
                info.overrides.remove(SHARD);
                info
            };
            let differ = harness_store::plan_differences(&plan(first.info()), &plan(run.info())).join("; ");
            let differ = if differ.is_empty() { "tasks, strategies or limits".to_owned() } else { differ };
            return Err(anyhow::Error::new(Incomparable(format!(
                "{between} are runs of different plans: {differ} ('then' is the first). Only shards of one configuration, with \
                 the same limits and tasks, can be merged"
            ))));
        }
        let (fine, bad): (Vec<Difference>, Vec<Difference>) =
            harness_store::condition_differences(first.info(), run.info()).into_iter().partition(is_allowed);
        if !bad.is_empty() {
            let texts: Vec<String> = bad.into_iter().map(|difference| difference.text).collect();
            return Err(anyhow::Error::new(Incomparable(format!(
                "{between} were made under other conditions ({}), and times from both may not be mixed ('then' is the first). \
                 '--allow machine', 'kernel' or 'program' merges what differs in that only, and says so in the reports",
                texts.join("; ")
            ))));
        }
        allowed.extend(fine.into_iter().map(|difference| difference.text));
        if first.info().workers != run.info().workers {
            out::tell(format_args!(
                "note: {between} had {} and {} workers at a time",
                first.info().workers,
                run.info().workers
            ));
        }
    }
    allowed.sort_unstable();
    allowed.dedup();
    Ok(allowed)
}

/// The head of the whole run.
fn whole(runs: &[RunReader], allowed: &[String], before: Option<&RunReader>) -> RunInfo {
    let mut info = runs[0].info().clone();
    info.overrides.remove(SHARD);
    for name in harness_store::BUILD {
        let mut builds: Vec<&str> = Vec::new();
        for build in runs.iter().filter_map(|run| run.info().versions.get(name)) {
            if !builds.contains(&build.as_str()) {
                builds.push(build);
            }
        }
        let mut all = builds.join(harness_store::THEN);
        if before.and_then(|before| before.info().versions.get(name)) == Some(&all) {
            // The store adds the build that is at work to those that it has.
            all = builds.last().map_or_else(String::new, ToString::to_string);
        }
        if !builds.is_empty() {
            info.versions.insert(name.to_owned(), all);
        }
    }
    let part = |run: &RunReader| match Shard::of(run.info()) {
        Some(shard) => format!("{} (shard {shard})", run.path().display()),
        None => run.path().display().to_string(),
    };
    let mut merged: Vec<String> = runs.iter().take(TOLD).map(part).collect();
    if runs.len() > TOLD {
        merged.push(format!("{} more", runs.len() - TOLD));
    }
    let mut merged = merged.join(", ");
    if !allowed.is_empty() {
        merged.push_str(&format!("; these differ, which was allowed: {}", allowed.join("; ")));
    }
    info.overrides.insert(MERGED.to_owned(), merged);
    info.started_unix_s = runs.iter().map(|run| run.info().started_unix_s).fold(f64::INFINITY, f64::min);
    info.planned = planned(&info, runs[0].tasks());
    info
}

/// How many records the whole plan has, or the shard that `info` names.
fn planned(info: &RunInfo, tasks: &[harness_model::Task]) -> u64 {
    Cells::planned(info).records(info, tasks)
}

/// What was read of all runs.
#[derive(Default)]
struct Merge {
    /// By key: a digest of the record, and where it is; nowhere else than in what was merged before: `None`.
    records: HashMap<RunKey, (u64, Option<Rc<Path>>)>,
    /// Records that two runs have, or a run and what was merged before, and that are not the same.
    doubles: Vec<(RunKey, Option<Rc<Path>>, Rc<Path>)>,
    /// What is told.
    notes: Vec<String>,
}

impl Merge {
    /// Reads the records of a run that is to be merged, or of what was `merged` before.
    fn read(&mut self, run: &RunReader, merged: bool) -> anyhow::Result<()> {
        let cells = Cells::of(run.info(), run.tasks());
        let of_plan = Planned::of(run.info(), &cells, run.tasks());
        let place: Rc<Path> = run.path().into();
        let (mut made, mut again, mut strangers) = (0_u64, 0_usize, 0_usize);
        for item in run.records()? {
            let record = match item? {
                Ok(record) => record,
                Err(damage) => {
                    self.notes.push(format!("{}: records.jsonl: {damage}", place.display()));
                    continue;
                }
            };
            if !of_plan.has(&record.key) {
                strangers += 1;
                continue;
            }
            made += 1;
            let digest = digest(&record)?;
            match self.records.get(&record.key) {
                Some((before, None)) if *before == digest => {}
                Some((before, Some(_))) if *before == digest => again += 1,
                Some((_, before)) => self.doubles.push((record.key, before.clone(), Rc::clone(&place))),
                None => {
                    self.records.insert(record.key, (digest, (!merged).then(|| Rc::clone(&place))));
                }
            }
        }
        if merged {
            return Ok(());
        }
        if strangers > 0 {
            let what = counted(strangers, "record belongs", "records belong");
            self.notes.push(format!("{}: {what} to no run of its plan; left out", place.display()));
        }
        if again > 0 {
            let what = counted(again, "record is", "records are");
            self.notes.push(format!(
                "{}: {what} there already, with the same content; taken once",
                place.display()
            ));
        }
        let short = run.info().planned.saturating_sub(made);
        if short > 0 {
            self.notes.push(format!(
                "{}: {short} of its {} records are missing; the command that made it goes on where it stopped",
                place.display(),
                run.info().planned
            ));
        }
        Ok(())
    }

    /// Two measurements of one run of the plan: which of them stands is not for a program to say.
    fn refuse_doubles(&self, merged: &Path) -> anyhow::Result<()> {
        let Some((key, one, other)) = self.doubles.first() else { return Ok(()) };
        let place = |of: &Option<Rc<Path>>| of.as_deref().unwrap_or(merged).display().to_string();
        let mut pairs: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (_, one, other) in &self.doubles {
            *pairs.entry((place(one), other.display().to_string())).or_default() += 1;
        }
        let pairs: Vec<String> = pairs
            .into_iter()
            .take(TOLD)
            .map(|((one, other), count)| format!("{count} in {one} and {other}"))
            .collect();
        bail!(
            "{} made twice, with different results, such as {key} in {} and {}: {}. Leave one of the directories out",
            counted(self.doubles.len(), "record was", "records were"),
            place(one),
            other.display(),
            pairs.join(", ")
        )
    }
}

/// A digest of all of a record, to tell a copy from another measurement.
fn digest(record: &Record) -> anyhow::Result<u64> {
    struct To(DefaultHasher);
    impl io::Write for To {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    // As it would be written: a copy is the same whatever order its keys had in the file.
    let mut to = To(DefaultHasher::new());
    serde_json::to_writer(&mut to, record)?;
    Ok(to.0.finish())
}

/// The shards that are missing, and those that are there twice.
fn gaps(runs: &[RunReader], whole: &RunInfo) -> Vec<String> {
    let mut by_shard: BTreeMap<Shard, Vec<String>> = BTreeMap::new();
    for run in runs {
        if let Some(shard) = Shard::of(run.info()) {
            by_shard.entry(shard).or_default().push(run.path().display().to_string());
        }
    }
    let mut notes: Vec<String> = by_shard
        .iter()
        .filter(|(_, dirs)| dirs.len() > 1)
        .map(|(shard, dirs)| format!("shard {shard} is there {} times: {}", dirs.len(), dirs.join(", ")))
        .collect();
    let mut counts: Vec<u32> = by_shard.keys().map(|shard| shard.count()).collect();
    counts.dedup();
    // With shards of several sizes, what is missing is told by the reports.
    if let [count] = counts[..]
        && by_shard.len() == runs.len()
    {
        let missing: Vec<Shard> = (1..=count)
            .filter_map(|index| Shard::new(index, count))
            .filter(|shard| !by_shard.contains_key(shard))
            .collect();
        for shard in missing.iter().take(TOLD) {
            let mut info = whole.clone();
            info.overrides.insert(SHARD.to_owned(), shard.to_string());
            notes.push(format!("shard {shard} is missing, with {} records", planned(&info, runs[0].tasks())));
        }
        if missing.len() > TOLD {
            notes.push(format!("{} more shards are missing", missing.len() - TOLD));
        }
    }
    notes
}

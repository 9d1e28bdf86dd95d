//! `harness regress CONFIG --baseline DIR` and `harness regress CONFIG --against PROGRAM`

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use harness_model::rules::Rules;
use harness_regress::{Comparison, Decision};
use reports::ci;

use crate::args::{RegressArgs, Rows};
use crate::exit::Exit;
use crate::out;
use crate::regress::stored::{Observed, redigest};
use crate::regress::{Refused, baseline, show, trial};

/// Runs, compares, confirms, and says what comes of it.
pub fn run(args: &RegressArgs) -> anyhow::Result<Exit> {
    let compared = if args.config.join(harness_store::RUN_FILE).is_file() {
        compare_stored(args)
    } else {
        trial::run(args)
    };
    let comparison = match compared {
        Ok(comparison) => comparison,
        Err(error) => {
            let Some(refused) = error.downcast_ref::<Refused>() else { return Err(error) };
            out::tell(format_args!("error: {refused}"));
            return Ok(refused.exit());
        }
    };
    out::print(show::text(&comparison))?;
    if args.annotations {
        out::print(ci::annotations(&comparison))?;
    }
    if let Err(error) = write_all(args, &comparison) {
        // That something is wrong or slower matters more than a file that could not be written.
        if matches!(comparison.decision, Decision::Fine | Decision::Incomplete) {
            return Err(error);
        }
        out::tell(format_args!("error: {}", out::causes(&error)));
    }
    Ok(comparison.decision.into())
}

/// Writes what was asked for.
fn write_all(args: &RegressArgs, comparison: &Comparison) -> anyhow::Result<()> {
    let layout = match args.layout {
        Rows::Family => ci::Layout::Family,
        Rows::Task => ci::Layout::Task,
    };
    let json = serde_json::to_string_pretty(comparison)?;
    let files: [(&Option<PathBuf>, &dyn Fn() -> String); 5] = [
        (&args.markdown, &|| ci::markdown(comparison, layout, ci::CAP)),
        (&args.junit, &|| ci::junit(comparison)),
        (&args.benchmark, &|| ci::benchmark(comparison)),
        (&args.bencher, &|| ci::bencher(comparison)),
        (&args.json, &|| json.clone()),
    ];
    for (file, text) in files {
        if let Some(file) = file {
            write(file, text().as_bytes())?;
        }
    }
    Ok(())
}

/// Compares two runs that are there; runs nothing, so that nothing is confirmed.
fn compare_stored(args: &RegressArgs) -> anyhow::Result<Comparison> {
    let Some(baseline) = &args.baseline else {
        anyhow::bail!(
            "{}: is a run that is there already, so name another one with --baseline",
            args.config.display()
        );
    };
    let run = Observed::open(&args.config)?;
    let mut notes = Vec::new();
    let rules = match super::compare::read_text(&run.info().config, &args.config) {
        Ok(config) => config.regress,
        Err(_) => {
            notes.push(
                "this build does not read the run's configuration: the usual rules stand in for its own"
                    .into(),
            );
            Rules::default()
        }
    };
    let like = run.info().clone();
    let (now, before) = rayon::join(
        || Observed::of(run, rules.metric),
        || baseline::read(baseline, &args.db, &like, rules.metric),
    );
    let (now, before) = (now?, before?);
    let checked = baseline::check(&before, &now.info, &args.allow, |other| redigest(&args.config, other))?;
    notes.extend(checked.notes);
    notes.extend(now.damage());
    notes.extend(show::missing("the current run", &now.missing));
    let times_decide = checked.times_decide;
    Ok(trial::Pair { before: &before, now: &now, rules, interleaved: false, times_decide }.compare(notes))
}

fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if let Some(folder) = file.parent().filter(|folder| *folder != Path::new("")) {
        fs::create_dir_all(folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
    }
    fs::write(file, bytes).with_context(|| format!("{}: cannot be written", file.display()))
}

//! `harness regress CONFIG --baseline DIR` and `harness regress CONFIG --against PROGRAM`

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use harness_judge::Severity;
use harness_model::rules::Rules;
use harness_regress::{Comparison, Decision};
use reports::ci;

use crate::args::{RegressArgs, Rows};
use crate::exit::Exit;
use crate::regress::stored::{Observed, redigest};
use crate::regress::{Refused, baseline, outputs, show, trial};
use crate::{embedded, out, session};

/// Runs, compares, confirms, and says what comes of it.
pub fn run(args: &RegressArgs) -> anyhow::Result<Exit> {
    outputs::check(args)?;
    let stored = args.config.join(harness_store::RUN_FILE).is_file();
    if args.baseline.is_none() && args.against.is_none() {
        bail!(
            "what to compare with is missing: --baseline DIR for an earlier run, --baseline history for the latest one of the history, \
             or --against PROGRAM for another build"
        );
    }
    not_itself(args, stored)?;
    let compared = if stored { compare_stored(args) } else { trial::run(args) };
    let comparison = match compared {
        Ok(comparison) => comparison,
        Err(error) => {
            let Some(refused) = error.downcast_ref::<Refused>() else { return Err(error) };
            outputs::clear(args)?;
            out::tell(format_args!("error: {refused}"));
            return Ok(refused.exit());
        }
    };
    // What cannot be written does not keep the rest from being written.
    let mut failed = write_all(args, &comparison);
    if let (Some(dir), false) = (&args.out, stored) {
        match session::report(dir) {
            Ok(()) => out::tell(format_args!("{}: reports of this run", dir.join("summary.md").display())),
            Err(error) => failed.push(error),
        }
    }
    failed.extend(out::print(show::text(&comparison)).err());
    if args.annotations {
        failed.extend(out::print(ci::annotations(&comparison)).err());
    }
    let mut failed = failed.into_iter();
    // That something is wrong or slower matters more than what could not be written.
    if matches!(comparison.decision, Decision::Fine | Decision::Incomplete)
        && let Some(error) = failed.next_back()
    {
        failed.for_each(|error| out::tell(format_args!("error: {}", out::causes(&error))));
        return Err(error);
    }
    failed.for_each(|error| out::tell(format_args!("error: {}", out::causes(&error))));
    Ok(comparison.decision.into())
}

/// Whether both are there and are one.
pub fn same(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// Refuses a run as its own baseline, and what is neither a run nor a configuration.
fn not_itself(args: &RegressArgs, stored: bool) -> anyhow::Result<()> {
    let name = args.config.display();
    if !stored && args.config.is_dir() && args.config.to_str().and_then(embedded::find).is_none() {
        bail!(
            "{name}: is a directory without {}, so it is no run, and no configuration either: name a run, a YAML file, or a built-in \
             configuration (harness list configs)",
            harness_store::RUN_FILE
        );
    }
    let run = if stored { Some(&args.config) } else { args.out.as_ref() };
    if let (Some(run), Some(baseline)) = (run, &args.baseline)
        && same(run, baseline)
    {
        bail!(
            "{}: is the run and its own baseline: name another directory with {}",
            run.display(),
            if stored { "--baseline" } else { "--out or --baseline" }
        );
    }
    if stored && args.out.is_some() {
        out::tell("note: two runs that are there are compared; nothing is run, so --out is not used");
    }
    Ok(())
}

/// Makes what stands in a file.
type Text<'a> = &'a dyn Fn() -> anyhow::Result<String>;

/// Writes what was asked for. Gives what could not be written.
fn write_all(args: &RegressArgs, comparison: &Comparison) -> Vec<anyhow::Error> {
    let layout = match args.layout {
        Rows::Family => ci::Layout::Family,
        Rows::Task => ci::Layout::Task,
    };
    let files: [(&Option<PathBuf>, Text<'_>); 5] = [
        (&args.markdown, &|| {
            Ok(ci::markdown(comparison, layout, ci::CAP - outputs::MARK.len()) + outputs::MARK)
        }),
        (&args.junit, &|| Ok(ci::junit(comparison))),
        (&args.benchmark, &|| Ok(ci::benchmark(comparison))),
        (&args.bencher, &|| Ok(ci::bencher(comparison))),
        (&args.json, &|| Ok(serde_json::to_string_pretty(comparison)?)),
    ];
    let write = |(file, text): (&Option<PathBuf>, Text<'_>)| {
        let file = file.as_ref()?;
        text().and_then(|text| write(file, text.as_bytes())).err()
    };
    files.into_iter().filter_map(write).collect()
}

/// Compares two runs that are there; runs nothing, so that nothing is confirmed.
fn compare_stored(args: &RegressArgs) -> anyhow::Result<Comparison> {
    let Some(baseline) = &args.baseline else {
        bail!(
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
    let now = now?;
    let before = before.map_err(|error| worse(error, &now))?;
    outputs::clear(args)?;
    let checked = baseline::check(&before, &now.info, &args.allow, |other| redigest(&args.config, other))
        .map_err(|error| worse(error, &now))?;
    notes.extend(checked.notes);
    notes.extend(now.damage());
    notes.extend(now.missing("the current run"));
    let times_decide = checked.times_decide;
    Ok(trial::Pair { before: &before, now: &now, rules, interleaved: false, times_decide }.compare(notes))
}

/// That the runs may not be compared, unless verdicts or models of the current one are bad: then that comes
/// first.
fn worse(error: anyhow::Error, now: &Observed) -> anyhow::Error {
    let Some(refused) = error.downcast_ref::<Refused>().filter(|_| now.severity != Severity::Fine) else {
        return error;
    };
    let (what, lines) = match now.severity {
        Severity::Wrong => ("verdicts are wrong or contradicted", &now.faults.contradictions),
        _ => ("models do not satisfy their problems", &now.faults.invalid_models),
    };
    let lines: String = lines.iter().map(|line| format!("\n  {}", out::line(line))).collect();
    let text = format!("{}: {what}:{lines}\nWhat is more, {refused}", now.side.label);
    Refused::Bad(Exit::of(now.severity, true), text).into()
}

fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if let Some(folder) = file.parent().filter(|folder| *folder != Path::new("")) {
        fs::create_dir_all(folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
    }
    fs::write(file, bytes).with_context(|| format!("{}: cannot be written", file.display()))
}

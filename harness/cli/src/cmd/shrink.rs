//! `harness shrink FROM`

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::bail;
use harness_exec::{Executor, Pool, WorkerCommand, machine};
use harness_model::record::Record;
use harness_model::{Question, Status};
use harness_shrink::{
    Bench, End, Ends, Interest, Kind, Measure, Outlier, Plan, Shown, Shrunk, Step, pass, shown,
};
use reports::format::counted;

use crate::args::shrink::ShrinkArgs;
use crate::exit::{Exit, Unfinished};
use crate::shrink::output;
use crate::shrink::result::{self, Result};
use crate::shrink::source::{self, Source};
use crate::{interrupt, out, session};

/// How often progress is told.
const EVERY: Duration = Duration::from_secs(1);

/// How many queries of one script are looked at alone.
const MOST_PARTS: usize = 100;

/// What an outlier takes at least where nothing else is said, in seconds or as a count.
const LEAST_TIME: f64 = 0.05;
const LEAST_COUNT: f64 = 1.0;

/// Finds what strategies show of a question, and the smallest question on which they still do.
pub fn run(args: &ShrinkArgs) -> anyhow::Result<Exit> {
    let outlier = outlier(args)?;
    let Source { question, contenders, limits, read, recorded } = source::find(args)?;
    if question.as_system().is_some() {
        bail!(
            "systems of regular constraints are not made smaller: where a strategy of scripts shows the fault, give it \
             the SMT-LIB script that 'harness lower' makes of the system"
        );
    }
    if let Some(file) = &args.out {
        output::check(file, &question, &read)?;
    }
    let started = Instant::now();
    let workers = args.workers.unwrap_or_else(|| machine::machine().cores.max(1));
    let pool = Pool {
        command: WorkerCommand::this_program(),
        cores: session::cores(workers, args.cores.as_deref())?,
    };
    let stop = interrupt::stop_flag()?;
    let ends = Ends {
        deadline: started.checked_add(args.budget),
        most: args.tries.unwrap_or(u64::MAX),
        stop: Arc::clone(&stop),
    };
    let mut bench = Bench::new(pool.executors(), contenders, limits, ends);
    let before = pass::length(&question);
    let Some(Seen { question, records, interest }) = look(args, outlier.as_ref(), &mut bench, &question)?
    else {
        if args.look {
            out::tell("no fault is shown");
            return Ok(Exit::Fine);
        }
        bail!(
            "{}: there is nothing to shrink: {}",
            args.from.display(),
            why_nothing(recorded.as_deref(), bench.contenders().len())
        );
    };
    if interest.outlier.is_some()
        && !bench.holds(&question, &interest).map_err(broken)?.ok_or_else(stopped)?
    {
        bail!("{}: there is nothing to shrink: {}", args.from.display(), no_outlier(&interest, &records));
    }
    let who: Vec<String> =
        interest.wants.iter().map(|want| bench.contenders()[want.strategy].name.clone()).collect();
    out::tell(format_args!("kept: {} ({})", interest.kind.name(), who.join(", ")));
    if !args.conditions.is_empty() {
        for name in args.strategy.iter().filter(|name| !who.contains(name)) {
            out::tell(format_args!("note: {name} has no part in that, and does not run any more"));
        }
    }
    if args.look {
        return Ok(severity(&interest));
    }
    let waits = |want: &harness_shrink::Want| want.shown.status == Status::Timeout;
    if interest.outlier.is_none() && interest.wants.iter().any(waits) {
        out::tell(
            "note: each candidate that shows it takes the whole limit; a shorter --timeout, or --ratio, is faster",
        );
    }
    let mut progress = Progress { quiet: args.no_progress, next: Instant::now() + EVERY };
    let plan = Plan { seed: args.seed, confirm: args.confirm };
    let shrunk =
        harness_shrink::shrink(&mut bench, question, interest, plan, &mut |step| progress.show(step))
            .map_err(broken)?;
    tell(&shrunk, before, started.elapsed());
    let contenders = bench.contenders();
    let found = Result {
        question: &shrunk.question,
        interest: &shrunk.interest,
        contenders: shrunk.interest.wants.iter().map(|want| &contenders[want.strategy]).collect(),
        limits,
    };
    result::write(&found, args)?;
    let (times, held) = shrunk.confirmed;
    Ok(if stop.load(Ordering::Relaxed) || held < times { Exit::Incomplete } else { Exit::Fine })
}

fn stopped() -> anyhow::Error {
    anyhow::Error::new(Unfinished("stopped".to_owned()))
}

fn broken(why: harness_shrink::Broken) -> anyhow::Error {
    anyhow::Error::new(Unfinished(why.0))
}

/// A question with what is to be kept of it.
struct Seen {
    question: Question,
    records: Vec<Record>,
    interest: Interest,
}

/// Runs all strategies on a question and says what they show; on its parts too, where the whole shows
/// nothing, for it may hide what one of several queries shows.
fn look<E: Executor>(
    args: &ShrinkArgs,
    outlier: Option<&Outlier>,
    bench: &mut Bench<E>,
    whole: &Question,
) -> anyhow::Result<Option<Seen>> {
    let places: Vec<usize> = (0..bench.contenders().len()).collect();
    let parts = harness_shrink::parts(whole).take(if whole.asked() > 1 { MOST_PARTS } else { 0 });
    let parts = parts.map(|(number, part)| (Some(number), part));
    let mut nothing = Ok(None);
    for (part, question) in std::iter::once((None, whole.clone())).chain(parts) {
        if let Some(number) = part {
            out::tell(format_args!("{} alone:", whole.kind.describe(number).unwrap_or_default()));
        }
        let records = bench.records(&question, &places).map_err(broken)?.ok_or_else(stopped)?;
        let all = shown(&question, &records);
        for (contender, shown) in bench.contenders().iter().zip(&all) {
            let detail = if shown.detail.is_empty() {
                String::new()
            } else {
                format!(": {}", out::line(&shown.detail))
            };
            out::tell(format_args!("{}: {}{detail}", contender.name, shown.in_words()));
        }
        match interest(args, outlier, bench, &all, &records) {
            Ok(Some(interest)) => return Ok(Some(Seen { question, records, interest })),
            Ok(None) => {}
            // What is said of the whole is said in the end.
            Err(why) if part.is_none() => nothing = Err(why),
            Err(_) => {}
        }
    }
    nothing
}

/// What is kept: what the command line says, or else the worst fault.
fn interest<E: Executor>(
    args: &ShrinkArgs,
    outlier: Option<&Outlier>,
    bench: &Bench<E>,
    all: &[Shown],
    records: &[Record],
) -> anyhow::Result<Option<Interest>> {
    let place =
        |name: &str| bench.contenders().iter().position(|contender| contender.name == name).unwrap_or(0);
    let name = |place: usize| &bench.contenders()[place].name;
    if let (Some(outlier), Some(slow), Some(fast)) = (outlier, &args.slow, &args.fast) {
        let (slow, fast) = (place(slow), place(fast));
        let found = Interest::outlier(outlier.clone(), slow, fast, all)
            .map_err(|why| anyhow::anyhow!("{}: there is nothing to shrink: {why}", args.from.display()))?;
        let lacks = |&place: &usize| outlier.measure.of(&records[place]).is_none();
        if let Some(place) = [slow, fast].into_iter().find(lacks) {
            bail!("{}: {}", name(place), unmeasured(outlier, &all[place], &records[place]));
        }
        return Ok(Some(found));
    }
    if args.conditions.is_empty() {
        return Ok(Interest::find(all));
    }
    let conditions: Vec<_> = args.conditions.iter().map(|(name, status)| (place(name), *status)).collect();
    Interest::asked(&conditions, all).map(Some).map_err(|strategy| {
        let unlike = |(place, status): &&(usize, Status)| *place == strategy && all[strategy].status != *status;
        let wanted = conditions.iter().find(unlike).map_or("", |(_, status)| status.name());
        let way = if wanted == Status::Wrong.name() {
            "; a verdict is wrong only beside a strategy with a model that refutes it: name one with --strategy"
        } else {
            ""
        };
        anyhow::anyhow!(
            "{}: there is nothing to shrink: --while asks for {}={wanted}, but it is {}{way}",
            args.from.display(),
            name(strategy),
            all[strategy].in_words()
        )
    })
}

/// Why a record does not have what is to be compared, and the way out.
fn unmeasured(outlier: &Outlier, shown: &Shown, record: &Record) -> String {
    let measure = outlier.measure.name();
    if !matches!(shown.status, Status::Answered(_)) {
        return format!(
            "it has no {measure}, for it ended with {}; --measure cpu or wall works without an answer",
            shown.in_words()
        );
    }
    let known: Vec<&str> = record.counters.keys().map(|name| name.as_str()).collect();
    let has =
        if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
    format!("there is no counter '{measure}': {has}")
}

/// The outlier that the command line asks for.
fn outlier(args: &ShrinkArgs) -> anyhow::Result<Option<Outlier>> {
    let Some(ratio) = args.ratio else { return Ok(None) };
    if args.slow == args.fast {
        bail!("--slow and --fast name the same strategy");
    }
    let measure = Measure::of_name(&args.measure);
    Ok(Some(Outlier { least: least(args, &measure)?, measure, ratio }))
}

fn least(args: &ShrinkArgs, measure: &Measure) -> anyhow::Result<f64> {
    let Some(text) = &args.least else {
        return Ok(if measure.is_time() { LEAST_TIME } else { LEAST_COUNT });
    };
    if measure.is_time() {
        let time = harness_config::units::duration(text).map_err(|why| anyhow::anyhow!("--least: {why}"))?;
        return Ok(time.as_secs_f64());
    }
    let count: u32 = text.parse().map_err(|_| anyhow::anyhow!("--least: '{text}' is no count"))?;
    Ok(f64::from(count))
}

fn why_nothing(recorded: Option<&str>, strategies: usize) -> String {
    let why = if strategies == 1 {
        "the strategy shows no fault by itself; name another one with --strategy, or say with --while what is to be kept"
    } else {
        "the strategies show no fault; say with --while or --ratio what is to be kept"
    };
    match recorded {
        Some(recorded) => format!(
            "the records show {recorded}, which is not shown when run again; name with --strategy who takes part, or say with --while \
             what is to be kept"
        ),
        None => why.to_owned(),
    }
}

fn no_outlier(interest: &Interest, records: &[Record]) -> String {
    let (Some(outlier), [slow, fast]) = (&interest.outlier, interest.wants.as_slice()) else {
        return String::new();
    };
    let is_time = outlier.measure.is_time();
    let shown = |value: f64| if is_time { format!("{value:.3} s") } else { format!("{value}") };
    let of = |place: usize| shown(outlier.measure.of(&records[place]).unwrap_or_default());
    format!(
        "of {}, the slow strategy takes {} and the fast one {}, which is not {} times as much each time, or less than --least ({})",
        outlier.measure.name(),
        of(slow.strategy),
        of(fast.strategy),
        outlier.ratio,
        shown(outlier.least)
    )
}

/// What a fault means for the exit status of a look.
fn severity(interest: &Interest) -> Exit {
    let has = |status| interest.wants.iter().any(|want| want.shown.status == status);
    match interest.kind {
        Kind::Wrong | Kind::Disagreement => Exit::Wrong,
        Kind::InvalidModel => Exit::InvalidModel,
        Kind::Asked if has(Status::Wrong) => Exit::Wrong,
        Kind::Asked if has(Status::InvalidModel) => Exit::InvalidModel,
        Kind::Crash | Kind::Error | Kind::Limit | Kind::Unknown | Kind::Outlier | Kind::Asked => Exit::Fine,
    }
}

/// Says how the search ended.
fn tell(shrunk: &Shrunk, before: usize, took: Duration) {
    let tried = usize::try_from(shrunk.tried).unwrap_or(usize::MAX);
    out::tell(format_args!(
        "shrunk from {before} to {} bytes: {} in {:.1} s",
        pass::length(&shrunk.question),
        counted(tried, "candidate", "candidates"),
        took.as_secs_f64()
    ));
    let why = match shrunk.end {
        None => None,
        Some(End::Deadline) => Some("--budget is used up"),
        Some(End::Tried) => Some("--tries is used up"),
        Some(End::Stopped) => Some("stopped"),
    };
    if let Some(why) = why {
        out::tell(format_args!("note: {why}, so that there may be a smaller one; shrink the result again"));
    }
    let (times, held) = shrunk.confirmed;
    if shrunk.unsteady > 0 {
        let unsteady = counted(shrunk.unsteady, "smaller question", "smaller questions");
        out::tell(format_args!("note: {unsteady} did not show it every time"));
    }
    if shrunk.end == Some(End::Stopped) && held < times {
        out::tell(format_args!("note: stopped before the result was run again {times} times"));
    } else {
        out::tell(format_args!("shown {held} of {times} times when run again"));
    }
}

/// Lines about how far the search is, on standard error.
struct Progress {
    quiet: bool,
    next: Instant,
}

impl Progress {
    fn show(&mut self, step: Step) {
        if self.quiet || Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + EVERY;
        let tried = usize::try_from(step.tried).unwrap_or(usize::MAX);
        let tried = counted(tried, "candidate", "candidates");
        out::tell(format_args!("{} bytes after {tried} ({})", step.bytes, step.pass));
    }
}

//! What this build has: names and versions.

use std::collections::BTreeMap;
use std::sync::Mutex;

use backends_api::StrategyInfo;
use harness_config::{Config, Contender, LeaveOut, Unavailable, Vocabulary};
use harness_model::Alphabet;
use harness_model::run::{LeftOut, RunInfo, StrategyRow};

use crate::{receipt, sources};

/// What every strategy says of itself, in the registry's order.
pub fn strategies() -> Vec<StrategyInfo> {
    backends::infos()
}

/// The names that a configuration may use.
pub fn vocabulary() -> Vocabulary {
    Vocabulary {
        families: backends::registry().families().map(|family| family.spec().clone()).collect(),
        unavailable: backends::FEATURES
            .iter()
            .filter(|feature| !feature.on)
            .flat_map(|feature| {
                let unavailable =
                    |pattern: &&str| Unavailable { pattern: (*pattern).to_owned(), why: feature.way_out() };
                feature.patterns.iter().map(unavailable).collect::<Vec<_>>()
            })
            .collect(),
        corpora: sources::corpora().into_iter().map(|(name, _)| name).collect(),
        recipes: sources::recipes(),
        generators: sources::generators().into_iter().map(|(name, _)| name).collect(),
        problems: sources::problems(),
        layouts: reports::layout::ALL.iter().map(|layout| layout.name().to_owned()).collect(),
    }
}

/// Of the program (with its commit and a digest of its file), of the compiler that built it, and of the
/// libraries and solvers that are linked.
pub fn versions() -> BTreeMap<String, String> {
    let mut versions: BTreeMap<String, String> = backends::versions().into_iter().collect();
    versions.insert("harness".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    versions.insert("rustc".to_owned(), env!("HARNESS_RUSTC").to_owned());
    versions.insert("profile".to_owned(), env!("HARNESS_PROFILE").to_owned());
    versions.insert("commit".to_owned(), env!("HARNESS_COMMIT").to_owned());
    versions.insert("program".to_owned(), receipt::of_this_program().to_owned());
    versions
}

/// A strategy as `run.json` has it. One whose program is missing has no version.
pub fn row(contender: &Contender) -> Option<StrategyRow> {
    let info = backends::registry().resolve(&contender.canonical)?.build().info();
    Some(StrategyRow {
        name: contender.name.clone(),
        backend: info.backend.to_owned(),
        version: found(contender).unwrap_or_else(|_| "none".to_owned()),
        summary: info.summary,
        family: contender.family.clone(),
        options: contender.options.clone(),
        canonical: contender.canonical.clone(),
    })
}

/// The version of the strategy on this machine, or why it cannot run here: a program that is not installed.
/// Each program is asked once in a process: asking takes time, and two answers could differ.
pub fn found(contender: &Contender) -> Result<String, String> {
    static KNOWN: Mutex<BTreeMap<String, Result<String, String>>> = Mutex::new(BTreeMap::new());
    let ask = || match backends::registry().resolve(&contender.canonical) {
        Some(resolved) => resolved.build().found(),
        None => Err(format!("this build has no strategy '{}'", contender.canonical)),
    };
    match KNOWN.lock() {
        Ok(mut known) => known.entry(contender.canonical.clone()).or_insert_with(ask).clone(),
        Err(_) => ask(),
    }
}

/// Leaves out the strategies that cannot run here; gives their names, and why.
pub fn leave_out_missing(config: &mut Config) -> Vec<(String, String)> {
    let cannot = |contender: &Contender| Some((contender.name.clone(), found(contender).err()?));
    let missing: Vec<(String, String)> = config.strategies.iter().filter_map(cannot).collect();
    // First, so that this is the reason where the file has another one too.
    let cells = missing.iter().map(|(name, why)| LeaveOut {
        strategies: vec![name.clone()],
        alphabets: Alphabet::ALL.to_vec(),
        because: why.clone(),
    });
    config.leave_out.splice(0..0, cells);
    missing
}

/// The cells that a configuration leaves out.
pub fn left_out(config: &Config) -> Vec<LeftOut> {
    let cells =
        config.strategies.iter().flat_map(|contender| Alphabet::ALL.map(|alphabet| (contender, alphabet)));
    cells
        .filter_map(|(contender, alphabet)| {
            let entry = config.left_out(&contender.name, alphabet)?;
            let because = entry.because.clone();
            Some(LeftOut { strategy: contender.name.clone(), alphabet, because })
        })
        .collect()
}

/// The head of a run of any age, with what newer ones have: families and options of strategies whose names
/// this build knows, and the cells that its configuration leaves out, where this build reads that.
pub fn completed(mut info: RunInfo) -> RunInfo {
    if info.version.minor >= 2 {
        return info;
    }
    let registry = backends::registry();
    for row in info.strategies.iter_mut().filter(|row| row.family.is_empty()) {
        if let Some(found) = registry.resolve(&row.name) {
            row.family = found.family.spec().id.to_owned();
            row.options = found.options.texts();
            row.canonical = found.name();
        }
    }
    if let Ok(config) = Config::parse(&info.config, "run.json".as_ref(), "".as_ref(), &vocabulary()) {
        info.left_out = left_out(&config);
    }
    info
}

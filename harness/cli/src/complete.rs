//! What a shell is offered to complete names with. It asks the program each time, so that the names are
//! always those of this build.

use std::ffi::OsStr;

use clap_complete::CompletionCandidate;
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter, PathCompleter, ValueCompleter as _};
use reports::layout;

use crate::{embedded, inventory, sources};

fn candidate(name: impl Into<String>, about: &str) -> CompletionCandidate {
    let about = Some(about.to_owned()).filter(|about| !about.is_empty());
    CompletionCandidate::new(name.into()).help(about.map(Into::into))
}

/// Strategies that are listed.
pub fn strategies() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let all = inventory::strategies();
        all.into_iter().map(|info| candidate(info.name, &info.summary)).collect()
    })
}

/// Recipes of public corpora.
pub fn recipes() -> ArgValueCandidates {
    ArgValueCandidates::new(|| sources::recipes().into_iter().map(|name| candidate(name, "")).collect())
}

/// Configurations that are built in, and files.
pub fn configs() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let start = current.to_string_lossy();
        let fits = embedded::ALL.iter().filter(|config| config.name.starts_with(start.as_ref()));
        let mut all: Vec<_> = fits.map(|config| candidate(config.name, &config.about())).collect();
        all.extend(PathCompleter::file().complete(current));
        all
    })
}

/// What `list` takes after a kind: names of all kinds, since it is not known here which one that is.
pub fn listed() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let families = backends::registry();
        let families = families.families().map(|family| {
            let spec = family.spec();
            (spec.id.to_owned(), spec.summary.to_owned())
        });
        let layouts = layout::ALL.iter().map(|layout| (layout.name().to_owned(), layout.about().to_owned()));
        let operations = harness_theory::Op::all().map(|op| (op.name().to_owned(), String::new()));
        let mut all: Vec<(String, String)> = families
            .chain(sources::corpora())
            .chain(sources::generators())
            .chain(layouts)
            .chain(operations)
            .collect();
        all.sort_unstable();
        all.dedup_by(|one, other| one.0 == other.0);
        all.into_iter().map(|(name, about)| candidate(name, &about)).collect()
    })
}

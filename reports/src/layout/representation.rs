//! Which row and column of the representation study a strategy belongs to.

use harness_model::Alphabet;

use crate::analysis::Analysis;
use crate::attempt::{Attempt, Pair, pair};
use crate::claim::measure::{Side, of_attempt};
use crate::dataset::Dataset;
use crate::strategy::{Kind, makes_all, option};

/// The family whose tasks are the study's pairs starts so.
const STUDY: &str = "regexes/li2009/";

/// The study's abbreviation, our option `algebra`, and what tables show; in the order of the figures.
///
/// The study's ranges are hash sets of pairs of characters (section 3.3). The last one is the library that
/// the study compared itself with, which is a family of its own.
pub const REPRESENTATIONS: [(&str, &str, &str); 5] = [
    ("bdd", "bdd", "BDD"),
    ("pred", "predicate", "Pred"),
    ("range", "pairs", "Range"),
    ("hash", "hashset", "Hash"),
    ("brics", "", "brics"),
];

/// Representations that the study does not have, which run by its algorithms: the name in files, our option
/// `algebra`, and what tables show.
pub const OWN: [(&str, &str, &str); 1] = [("sorted-ranges", "ranges", "Sorted ranges")];

/// How much of an operation's result is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// The whole automaton.
    Eager,
    /// As far as the first witness.
    Lazy,
}

impl Mode {
    /// Both, in the order of the figures.
    pub const ALL: [Self; 2] = [Self::Eager, Self::Lazy];

    /// The name in published files and in the strategies' options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Eager => "eager",
            Self::Lazy => "lazy",
        }
    }
}

/// A row of the study's tables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// One of the study's own, by its place in [`REPRESENTATIONS`].
    Study(usize),
    /// One of the study's own with equal labels kept apart in minterms.
    Apart(usize),
    /// One of ours beside them, by its place in [`OWN`].
    Own(usize),
    /// A strategy that the study did not have.
    Other(String),
}

impl Label {
    /// As in the figures: `BDD-ASCII`; one of ours beside them says so; another strategy by its own name:
    /// `classes-lazy, ascii`.
    pub fn shown(&self, alphabet: Alphabet) -> String {
        let wide = alphabet.name().to_uppercase();
        match self {
            Self::Study(place) => format!("{}-{wide}", REPRESENTATIONS[*place].2),
            Self::Apart(place) => format!("{}-{wide}, equal labels apart", REPRESENTATIONS[*place].2),
            Self::Own(place) => format!("{}-{wide} (ours)", OWN[*place].2),
            Self::Other(name) => format!("{name}, {alphabet}"),
        }
    }

    /// As in files.
    pub fn name(&self) -> String {
        match self {
            Self::Study(place) => REPRESENTATIONS[*place].0.to_owned(),
            Self::Apart(place) => format!("{}-apart", REPRESENTATIONS[*place].0),
            Self::Own(place) => OWN[*place].0.to_owned(),
            Self::Other(name) => name.clone(),
        }
    }
}

/// The strategies that use the library.
pub const BRICS_STRATEGIES: Kind = Kind::new("driver", &[("library", "brics")]);

/// What the study's own strategies have in common, and ours beside them.
const FAITHFUL: Kind =
    Kind::new("sfa", &[("minterms", "rank-order"), ("order", "depth-first"), ("once", "false")]);

/// The row and the column of the strategy `name` of a run. A strategy that does not make whole results is
/// lazy, since it owes no more than an answer.
pub fn place(dataset: &Dataset, name: &str) -> (Label, Mode) {
    let strategy = dataset.strategy(name);
    let algebra = strategy.filter(|row| FAITHFUL.has(row)).and_then(|row| option(row, "algebra"));
    let among = |rows: &[(&str, &str, &str)]| rows.iter().position(|(_, own, _)| Some(*own) == algebra);
    // Runs from before the option was there merged equal labels.
    let apart = strategy.is_some_and(|row| option(row, "equal-labels") == Some("separate"));
    let study = among(&REPRESENTATIONS);
    let known = if apart {
        study.map(Label::Apart)
    } else {
        study.map(Label::Study).or_else(|| among(&OWN).map(Label::Own))
    };
    let is_library = strategy.is_some_and(|row| BRICS_STRATEGIES.has(row));
    let known = if is_library { Some(Label::Study(BRICS)) } else { known };
    let eager = strategy.is_some_and(makes_all);
    let label = known.unwrap_or_else(|| Label::Other(name.to_owned()));
    (label, if eager { Mode::Eager } else { Mode::Lazy })
}

/// The attempts at the study's pairs, each with its pair. Their times are their own ones: no study looks for
/// a witness in a whole automaton.
pub fn study_pairs<'a>(analysis: &'a Analysis<'a>) -> impl Iterator<Item = (Attempt<'a>, Pair<'a>)> {
    let own = |attempt: &Attempt<'a>| Attempt { solve_s: attempt.own_s, ..attempt.clone() };
    analysis
        .attempts
        .iter()
        .filter(|attempt| attempt.family.starts_with(STUDY))
        .filter_map(move |attempt| Some((own(attempt), pair(analysis.dataset, attempt.task)?)))
}

/// The places of the study's representations in [`REPRESENTATIONS`].
pub const BDD: usize = 0;
/// Predicates of Z3.
pub const PRED: usize = 1;
/// Sets of pairs.
pub const RANGE: usize = 2;
/// Sets of characters.
pub const HASH: usize = 3;
/// The library in Java.
pub const BRICS: usize = 4;

/// What one of the study's representations did in one alphabet and mode, on the attempts that `keep` keeps.
pub fn side(
    analysis: &Analysis<'_>,
    (representation, alphabet, mode): (usize, Alphabet, Mode),
    keep: impl Fn(&Attempt<'_>, &Pair<'_>) -> bool,
) -> Side {
    side_of(analysis, &Label::Study(representation), (alphabet, mode), keep)
}

/// What the strategies of a row did in one alphabet and mode, on the attempts that `keep` keeps.
pub fn side_of(
    analysis: &Analysis<'_>,
    label: &Label,
    (alphabet, mode): (Alphabet, Mode),
    keep: impl Fn(&Attempt<'_>, &Pair<'_>) -> bool,
) -> Side {
    let values = study_pairs(analysis)
        .filter(|(attempt, pair)| attempt.alphabet == alphabet && keep(attempt, pair))
        .filter(|(attempt, _)| place(analysis.dataset, attempt.strategy) == (label.clone(), mode))
        .map(|(attempt, _)| (attempt.task.to_owned(), of_attempt(&attempt)))
        .collect();
    Side { name: format!("{} {}", label.shown(alphabet), mode.name()), values }
}

/// The representations with their alphabets together as one side, item by item; `name` says what they have in
/// common.
pub fn sides(
    name: &str,
    analysis: &Analysis<'_>,
    of: &[(usize, Alphabet, Mode)],
    keep: impl Fn(&Attempt<'_>, &Pair<'_>) -> bool,
) -> Side {
    // Items of two modes or representations have to meet, so they are called by their place in `of` alone.
    let one = |(place, of): (usize, &(usize, Alphabet, Mode))| {
        side(analysis, *of, &keep).called(&place.to_string())
    };
    Side::together(name, of.iter().enumerate().map(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_named_as_in_the_figures() {
        assert_eq!(Label::Study(0).shown(Alphabet::Utf16), "BDD-UTF16");
        assert_eq!(Label::Apart(2).shown(Alphabet::Ascii), "Range-ASCII, equal labels apart");
        assert_eq!(Label::Own(0).shown(Alphabet::Ascii), "Sorted ranges-ASCII (ours)");
        assert_eq!(Label::Other("x".to_owned()).shown(Alphabet::Ascii), "x, ascii");
    }
}

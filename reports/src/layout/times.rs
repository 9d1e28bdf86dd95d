//! What figures 3.8 and 3.10 share: total and median by representation and alphabet, published beside
//! measured.

use std::collections::{BTreeMap, BTreeSet};

use harness_model::alphabet::UnknownAlphabet;
use harness_model::{Alphabet, OperationKind, Status, Verdict};

use super::processor;
use super::representation::{
    BDD, BRICS_STRATEGIES, Label, Mode, OWN, PRED, REPRESENTATIONS, place, study_pairs,
};
use crate::analysis::Analysis;
use crate::claim::measure::ratio_of_totals;
use crate::dataset::Dataset;
use crate::format;
use crate::overview::total;
use crate::published::Row;
use crate::stats;
use crate::table::{Cell, Column, Table};

/// What one way of representing sets of characters took for the pairs with one answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// The operation.
    pub operation: OperationKind,
    /// As the study abbreviates it: `bdd`, `pred`, `range`, `hash`, or the library `brics`.
    pub representation: String,
    /// Of the strings.
    pub alphabet: Alphabet,
    /// Eager or lazy.
    pub mode: Mode,
    /// Whether it is about the pairs whose result is empty.
    pub empty: bool,
    /// How many pairs were solved.
    pub solved: u64,
    /// Seconds for all of them.
    pub total_s: f64,
    /// Seconds for the middle one.
    pub median_s: f64,
}

impl Times {
    /// Read from a row of a published file. Columns 0 to 2 and those from `result` on are alike in the two
    /// figures.
    ///
    /// # Errors
    ///
    /// What was expected and what was found.
    pub fn read(row: &Row, mode: Mode, result: usize) -> Result<Self, String> {
        let operations = [OperationKind::Product, OperationKind::Difference].map(|kind| (kind.name(), kind));
        Ok(Self {
            operation: row.one_of(0, &operations)?,
            representation: row.text(1).to_owned(),
            alphabet: row.text(2).parse().map_err(|e: UnknownAlphabet| e.to_string())?,
            mode,
            empty: row.one_of(result, &[("empty", true), ("nonempty", false)])?,
            solved: row.number(result + 1)?,
            total_s: row.number(result + 2)?,
            median_s: row.number(result + 3)?,
        })
    }
}

/// The smallest and the largest ratio of published totals, of each cell that `over` keeps over those that
/// `under` keeps, `are_twins` of each other, and which are of the same number of pairs.
pub(super) fn published_range(
    times: &[Times],
    over: impl Fn(&Times) -> bool,
    under: impl Fn(&Times) -> bool,
    are_twins: impl Fn(&Times, &Times) -> bool,
) -> Option<(f64, f64)> {
    let pairs = times.iter().filter(|cell| over(cell)).flat_map(|one| {
        let twins = times.iter().filter(|other| under(other) && are_twins(one, other));
        twins.filter(|other| other.solved == one.solved).map(|other| one.total_s / other.total_s)
    });
    pairs.fold(None, |range, ratio| {
        let (low, high) = range.unwrap_or((ratio, ratio));
        Some((f64::min(low, ratio), f64::max(high, ratio)))
    })
}

/// Whether two cells differ in nothing but the representation.
pub(super) fn same_but_representation(one: &Times, other: &Times) -> bool {
    (one.operation, one.alphabet, one.mode, one.empty)
        == (other.operation, other.alphabet, other.mode, other.empty)
}

/// Where a number stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    operation: OperationKind,
    label: Label,
    alphabet: Alphabet,
    mode: Mode,
    empty: bool,
}

/// Pairs solved, total and median.
#[derive(Clone, Copy, Debug)]
struct Entry {
    solved: u64,
    total_s: f64,
    median_s: f64,
}

impl Entry {
    /// As the study prints it, `(n) total/median`, with the digits that were published or with three of ours.
    fn shown(self, published: bool) -> String {
        let digits = |s: f64| if published { s.to_string() } else { format::plain_seconds(s) };
        format!("({}) {}/{}", self.solved, digits(self.total_s), digits(self.median_s))
    }
}

/// What a figure holds beside its entries.
pub(super) struct Figure {
    name: &'static str,
    modes: &'static [Mode],
    published: BTreeMap<Place, Entry>,
    measured: BTreeMap<Place, Entry>,
    /// The times behind `measured`, by task without its alphabet and so on.
    times: BTreeMap<Place, BTreeMap<String, f64>>,
    /// Attempts that are not solved, by row and column, with their number for each reason.
    failed: BTreeMap<(OperationKind, Label, Alphabet, Mode), BTreeMap<&'static str, usize>>,
}

/// What differs between the study and this run, and what the cells mean.
pub(super) fn notes(table: &mut Table, dataset: &Dataset) {
    let run = &dataset.run;
    table.note(
        "Cells are (pairs solved) total/median in seconds. Both leave out reading the expressions and building the \
         automata with epsilon moves, and take in epsilon elimination and the operation: the phase solve, without the search for \
         a witness in a whole automaton, which the study does not do.",
    );
    table.note(
        "Totals over different numbers of pairs do not compare. Pairs that are not solved are counted, with the \
         reason, in the columns \"not solved\"; the study gives none.",
    );
    table.note(format!(
        "Machine: published, a laptop with an Intel Core 2 Duo T7500 at 2.2 GHz; measured, {} with {}.",
        processor(dataset),
        format::counted(usize::try_from(run.machine.cores).unwrap_or(usize::MAX), "core", "cores"),
    ));
    table.note(format!(
        "Limits for each pair: published, 20 min by the clock; measured, {} by the clock, {} of processor time and \
         {} of memory.",
        format::chosen(run.limits.wall),
        format::chosen(run.limits.cpu),
        format::bytes(run.limits.memory)
    ));
    table.note("Language: published, C# on .NET, and Java for brics; measured, Rust, and Z3 for Pred.");
    table.note(
        "Range is, in the study and here, hash sets of pairs of characters (strategies sfa-pairs-*). How they are united, \
         intersected and complemented the study does not say. Sorted ranges (sfa-ranges-*) are lists of disjoint ranges in order, \
         merged in one pass: a representation of ours, with nothing published.",
    );
    if run.strategies.iter().any(|strategy| BRICS_STRATEGIES.has(strategy)) {
        table.note(
            "brics is given the same automata with epsilon moves as our strategies, and its own way to eliminate those is in its times, as \
             in the study's. A Java machine is started for each record, which is in none of the times; but in it nothing is compiled yet, \
             so that what is measured of a short pair is mostly the interpreter. Lazily, a difference is its test for inclusion and a product \
             is made, as in the study.",
        );
    } else {
        table.note("brics is not run here: its cells are published ones only, and said not to be measured.");
    }
    table.note(
        "A row such as Pred-ASCII : BDD-ASCII has ratios of totals: published where both cells are of the same number of pairs, \
         measured on the pairs that both solved.",
    );
    if let Some(sampling) = run.sampling {
        table.note(format!(
            "Short pairs were repeated in a warm process until {} or {} samples; their time is the median. The \
             study does not say that it repeated any.",
            format::chosen(sampling.total),
            sampling.max_samples
        ));
    }
}

impl Figure {
    /// The figure `name` of the published `times` and the attempts at pairs that `keep` keeps.
    pub(super) fn new(
        name: &'static str,
        modes: &'static [Mode],
        times: Vec<Times>,
        analysis: &Analysis<'_>,
        keep: impl Fn(&str, &str) -> bool,
    ) -> Self {
        let published = times
            .into_iter()
            .map(|cell| {
                let known = REPRESENTATIONS.iter().position(|(study, ..)| *study == cell.representation);
                let label = known.map_or(Label::Other(cell.representation), Label::Study);
                let (operation, alphabet, mode, empty) =
                    (cell.operation, cell.alphabet, cell.mode, cell.empty);
                let entry = Entry { solved: cell.solved, total_s: cell.total_s, median_s: cell.median_s };
                (Place { operation, label, alphabet, mode, empty }, entry)
            })
            .collect();

        let mut times: BTreeMap<Place, BTreeMap<String, f64>> = BTreeMap::new();
        let mut failed: BTreeMap<_, BTreeMap<&'static str, usize>> = BTreeMap::new();
        for (attempt, pair) in study_pairs(analysis) {
            let (label, mode) = place(analysis.dataset, attempt.strategy);
            if !modes.contains(&mode) || !keep(pair.left, pair.right) {
                continue;
            }
            let (operation, alphabet) = (pair.kind, attempt.alphabet);
            match (attempt.status, attempt.solve_s) {
                (Status::Answered(verdict), Some(time)) => {
                    let empty = verdict == Verdict::Empty;
                    let place = Place { operation, label, alphabet, mode, empty };
                    times.entry(place).or_default().insert(attempt.task.to_owned(), time);
                }
                (status, _) => {
                    let reasons = failed.entry((operation, label, alphabet, mode)).or_default();
                    *reasons.entry(status.name()).or_default() += 1;
                }
            }
        }
        let measured = times
            .iter()
            .filter_map(|(place, times)| {
                let times: Vec<f64> = times.values().copied().collect();
                let entry = Entry {
                    solved: times.len() as u64,
                    total_s: total(&times)?,
                    median_s: stats::median(&times)?,
                };
                Some((place.clone(), entry))
            })
            .collect();
        Self { name, modes, published, measured, times, failed }
    }

    /// The columns: mode, and whether the result is empty.
    fn results(&self) -> impl Iterator<Item = (Mode, bool)> {
        self.modes.iter().flat_map(|&mode| [(mode, true), (mode, false)])
    }

    /// For people; its file has [`Figure::long`].
    pub(super) fn table(&self) -> Table {
        let mut columns =
            vec![Column::text("operation", "operation"), Column::text("representation", "representation")];
        for (mode, empty) in self.results() {
            let result = if empty { Verdict::Empty } else { Verdict::Nonempty };
            let head = format!("{} {result}", mode.name());
            columns.push(Column::number(&format!("{head} published"), &format!("{head}, published")));
            columns.push(Column::number(&format!("{head} measured"), &format!("{head}, measured")));
        }
        for mode in self.modes {
            let head = format!("{} not solved", mode.name());
            columns.push(Column::text(&head, &head));
        }
        let mut table = Table::new(self.name, 1, columns);
        let rows: BTreeSet<(OperationKind, Label, Alphabet)> = self
            .published
            .keys()
            .chain(self.measured.keys())
            .map(|place| (place.operation, place.label.clone(), place.alphabet))
            .chain(self.failed.keys().map(|(o, label, a, _)| (*o, label.clone(), *a)))
            .collect();
        for (place, (operation, label, alphabet)) in rows.iter().cloned().enumerate() {
            let mut cells = vec![Cell::text(operation.name()), Cell::text(label.shown(alphabet))];
            for (mode, empty) in self.results() {
                let place = Place { operation, label: label.clone(), alphabet, mode, empty };
                for (source, published) in [(&self.published, true), (&self.measured, false)] {
                    let entry = source.get(&place);
                    cells.push(entry.map_or_else(Cell::absent, |entry| Cell::text(entry.shown(published))));
                }
            }
            for &mode in self.modes {
                let reasons = self.failed.get(&(operation, label.clone(), alphabet, mode));
                cells.push(reasons.map_or_else(Cell::absent, |reasons| {
                    let texts: Vec<String> = reasons.iter().map(|(why, n)| format!("{n} {why}")).collect();
                    Cell::text(texts.join(", "))
                }));
                let is_here = |place: &Place| {
                    (place.operation, &place.label, place.alphabet, place.mode)
                        == (operation, &label, alphabet, mode)
                };
                if reasons.is_none()
                    && !self.measured.keys().any(is_here)
                    && self.published.keys().any(is_here)
                    && let Some(cell) = cells.last_mut()
                {
                    *cell = Cell::text("not measured");
                }
            }
            table.push(cells);
            if rows.iter().nth(place + 1).is_none_or(|(next, ..)| *next != operation) {
                self.ratios(operation, &mut table);
            }
        }
        table.programs_get(self.long());
        table
    }

    /// Rows of ratios of totals of one operation: each other representation over BDDs, in each alphabet.
    fn ratios(&self, operation: OperationKind, table: &mut Table) {
        for alphabet in [Alphabet::Ascii, Alphabet::Utf16] {
            let study = (PRED..REPRESENTATIONS.len()).map(Label::Study);
            for over in study.chain((0..OWN.len()).map(Label::Own)) {
                let under = Label::Study(BDD);
                let title = format!("{} : {}", over.shown(alphabet), under.shown(alphabet));
                let mut cells = vec![Cell::text(operation.name()), Cell::text(title)];
                let mut is_known = false;
                for (mode, empty) in self.results() {
                    let [over, under] = [&over, &under].map(|label| Place {
                        operation,
                        label: label.clone(),
                        alphabet,
                        mode,
                        empty,
                    });
                    for ratio in [self.published_ratio(&over, &under), self.measured_ratio(&over, &under)] {
                        is_known |= ratio.is_some();
                        cells.push(Cell::ratio(ratio));
                    }
                }
                if is_known {
                    table.push(cells);
                }
            }
        }
    }

    fn published_ratio(&self, over: &Place, under: &Place) -> Option<f64> {
        let [over, under] = [self.published.get(over)?, self.published.get(under)?];
        (over.solved == under.solved && under.total_s > 0.0).then(|| over.total_s / under.total_s)
    }

    fn measured_ratio(&self, over: &Place, under: &Place) -> Option<f64> {
        let [over, under] = [self.times.get(over)?, self.times.get(under)?];
        let both: Vec<(f64, f64)> =
            over.iter().filter_map(|(task, time)| Some((*time, *under.get(task)?))).collect();
        ratio_of_totals(&both)
    }

    /// One row a cell, with exact seconds.
    fn long(&self) -> Table {
        let columns = ["operation", "representation", "alphabet", "mode", "result", "source"];
        let numbers = ["solved", "total_s", "median_s"];
        let columns = columns.iter().map(|name| Column::text(name, name));
        let numbers = numbers.iter().map(|name| Column::number(name, name));
        let mut table = Table::new(self.name, 0, columns.chain(numbers).collect());
        for (source, entries) in [("published", &self.published), ("measured", &self.measured)] {
            for (place, entry) in entries {
                let result = if place.empty { Verdict::Empty } else { Verdict::Nonempty };
                table.push(vec![
                    Cell::text(place.operation.name()),
                    Cell::text(place.label.name()),
                    Cell::text(place.alphabet.name()),
                    Cell::text(place.mode.name()),
                    Cell::text(result.name()),
                    Cell::text(source),
                    Cell::text(entry.solved.to_string()),
                    Cell::text(entry.total_s.to_string()),
                    Cell::text(entry.median_s.to_string()),
                ]);
            }
        }
        table
    }
}

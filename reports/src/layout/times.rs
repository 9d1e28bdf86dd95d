//! What figures 3.8 and 3.10 share: total and median by representation and alphabet, published beside
//! measured.

use std::collections::{BTreeMap, BTreeSet};

use harness_model::alphabet::UnknownAlphabet;
use harness_model::{Alphabet, OperationKind, Status, Verdict};

use super::processor;
use super::representation::{Label, Mode, REPRESENTATIONS, place, study_pairs};
use crate::analysis::Analysis;
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
    /// Attempts that are not solved, by row and column, with their number for each reason.
    failed: BTreeMap<(OperationKind, Label, Alphabet, Mode), BTreeMap<&'static str, usize>>,
}

/// What differs between the study and this run, and what the cells mean.
pub(super) fn notes(table: &mut Table, dataset: &Dataset) {
    let run = &dataset.run;
    table.note(
        "Cells are (pairs solved) total/median in seconds. Both leave out reading the expressions and building the \
         automata with epsilon moves, and take in epsilon elimination and the operation: the phase solve.",
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
    table.note("brics is not run here: its cells are published ones only.");
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

        let mut times: BTreeMap<Place, Vec<f64>> = BTreeMap::new();
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
                    times.entry(Place { operation, label, alphabet, mode, empty }).or_default().push(time);
                }
                (status, _) => {
                    let reasons = failed.entry((operation, label, alphabet, mode)).or_default();
                    *reasons.entry(status.name()).or_default() += 1;
                }
            }
        }
        let measured = times
            .into_iter()
            .filter_map(|(place, times)| {
                let entry = Entry {
                    solved: times.len() as u64,
                    total_s: total(&times)?,
                    median_s: stats::median(&times)?,
                };
                Some((place, entry))
            })
            .collect();
        Self { name, modes, published, measured, failed }
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
        for (operation, label, alphabet) in rows {
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
            }
            table.push(cells);
        }
        table.programs_get(self.long());
        table
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
                let name = match &place.label {
                    Label::Study(i) => REPRESENTATIONS[*i].0,
                    Label::Other(name) => name,
                };
                let result = if place.empty { Verdict::Empty } else { Verdict::Nonempty };
                table.push(vec![
                    Cell::text(place.operation.name()),
                    Cell::text(name),
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

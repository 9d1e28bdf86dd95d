//! Figures 3.8 and 3.10: total and median by representation and alphabet, published beside measured.

use std::collections::{BTreeMap, BTreeSet};

use corpora::published::{self, Mode, PublishedError};
use harness_model::{Alphabet, OperationKind, Status, Verdict};

use super::representation::{Label, REPRESENTATIONS, place, study_pairs};
use crate::attempt::attempts;
use crate::dataset::Dataset;
use crate::format;
use crate::overview::total;
use crate::stats;
use crate::table::{Cell, Column, Table};

/// The automata that the study left out of figure 3.10, since its rival failed on them.
const HARD: [&str; 2] = ["A6", "A8"];

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
struct Figure {
    name: &'static str,
    modes: &'static [Mode],
    published: BTreeMap<Place, Entry>,
    measured: BTreeMap<Place, Entry>,
    /// Attempts that are not solved, by row and column, with their number for each reason.
    failed: BTreeMap<(OperationKind, Label, Alphabet, Mode), BTreeMap<&'static str, usize>>,
}

/// Figure 3.8: all pairs, eager and lazy.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn figure_3_8(dataset: &Dataset) -> Result<Table, PublishedError> {
    let figure = Figure::new("figure-3.8", &Mode::ALL, published::figure_3_8()?, dataset, |_, _| true);
    let mut table = figure.table();
    notes(&mut table, dataset);
    table.note(
        "Range-UTF16 and Hash-UTF16 have no published cells: the study reports that most of their pairs ran out of \
         time or memory. Rows in other alphabets, and strategies named in full, are not the study's.",
    );
    Ok(table)
}

/// Figure 3.10: the pairs without A6 and A8, lazily.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn figure_3_10(dataset: &Dataset) -> Result<Table, PublishedError> {
    let easy = |left: &str, right: &str| !HARD.contains(&left) && !HARD.contains(&right);
    let figure = Figure::new("figure-3.10", &[Mode::Lazy], published::figure_3_10()?, dataset, easy);
    let mut table = figure.table();
    notes(&mut table, dataset);
    table.note(
        "All pairs with A6 or A8 are left out, as in the study. It gives the numbers of pairs in its caption alone; \
         they are put into the published cells here.",
    );
    Ok(table)
}

/// What differs between the study and this run, and what the cells mean.
fn notes(table: &mut Table, dataset: &Dataset) {
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
        if run.machine.cpu.is_empty() { "an unknown processor" } else { &run.machine.cpu },
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
    fn new(
        name: &'static str,
        modes: &'static [Mode],
        cells: Vec<published::Cell>,
        dataset: &Dataset,
        keep: impl Fn(&str, &str) -> bool,
    ) -> Self {
        let published = cells
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

        let attempts = attempts(dataset);
        let mut times: BTreeMap<Place, Vec<f64>> = BTreeMap::new();
        let mut failed: BTreeMap<_, BTreeMap<&'static str, usize>> = BTreeMap::new();
        for (attempt, pair) in study_pairs(dataset, &attempts) {
            let (label, mode) = place(attempt.strategy);
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

    fn table(&self) -> Table {
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

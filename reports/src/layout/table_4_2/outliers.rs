//! The random graphs on which the two approaches differ most (the study's section 4.3).

use std::collections::BTreeMap;

use harness_model::Status;

pub use super::super::graphs::pairs;
use super::super::graphs::{Approach, Run};
use super::{number, runs, totals};
use crate::dataset::Dataset;
use crate::format;
use crate::published::PublishedError;
use crate::stats;
use crate::table::{Cell, Column, Table};

/// From which ratio of string times on the study calls a graph an outlier.
pub(super) const OUTLIER: f64 = 100.0;

/// The most outliers shown; all are in the file.
const SHOWN: usize = 60;

/// A graph that both strategies of a pair have a record of.
struct Both<'a> {
    task: &'a str,
    automata: Run<'a>,
    bit_vectors: Run<'a>,
}

impl Both<'_> {
    /// The larger string time over the smaller one; `None` unless the string solvers of both were asked.
    fn ratio(&self) -> Option<f64> {
        let ms = |run: &Run<'_>| {
            (run.is_sat().is_some() && run.has_guess()).then(|| run.phase_ms("string")).filter(|ms| *ms > 0.0)
        };
        let (a, b) = (ms(&self.automata)?, ms(&self.bit_vectors)?);
        Some((a / b).max(b / a))
    }

    fn is_outlier(&self) -> bool {
        self.ratio().is_some_and(|ratio| ratio >= OUTLIER)
    }

    /// Whether just one of the two ran out of time.
    fn is_half_lost(&self) -> bool {
        let late = |run: &Run<'_>| run.row.status() == Status::Timeout;
        let solved = |run: &Run<'_>| run.is_sat().is_some();
        late(&self.automata) && solved(&self.bit_vectors) || solved(&self.automata) && late(&self.bit_vectors)
    }
}

/// The ids of the graphs whose string times differ 100-fold, and of those that only one of the two solved in
/// time; worst first.
pub fn tasks(dataset: &Dataset) -> Vec<String> {
    let mut ids = Vec::new();
    for (automata, bit_vectors) in pairs(dataset) {
        for both in outlying(dataset, &automata, &bit_vectors) {
            if !ids.iter().any(|id| id == both.task) {
                ids.push(both.task.to_owned());
            }
        }
    }
    ids
}

fn both<'a>(dataset: &'a Dataset, automata: &str, bit_vectors: &str) -> Vec<Both<'a>> {
    let runs = runs(dataset);
    let first_of = |strategy: &str| -> BTreeMap<&'a str, Run<'a>> {
        runs.iter()
            .filter(|run| run.row.strategy() == strategy && run.row.record.key.repeat == 0)
            .map(|run| (run.row.task(), *run))
            .collect()
    };
    let mut others = first_of(bit_vectors);
    first_of(automata)
        .into_iter()
        .filter_map(|(task, automata)| Some(Both { task, automata, bit_vectors: others.remove(task)? }))
        .collect()
}

/// What only one solved in time first, then by falling ratio.
fn outlying<'a>(dataset: &'a Dataset, automata: &str, bit_vectors: &str) -> Vec<Both<'a>> {
    let mut found = both(dataset, automata, bit_vectors);
    found.retain(|both| both.is_outlier() || both.is_half_lost());
    found.sort_by(|a, b| {
        let key = |both: &Both<'_>| both.ratio().unwrap_or(f64::INFINITY);
        key(b).total_cmp(&key(a)).then(a.task.cmp(b.task))
    });
    found
}

/// The graphs on which the two approaches differ most.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table(dataset: &Dataset) -> Result<Table, PublishedError> {
    let published = totals()?;
    let columns = || {
        vec![
            Column::text("pair", "pair"),
            Column::text("task", "graph"),
            Column::text("verdict", "verdict"),
            Column::number("automata_string_ms", "automata, ms"),
            Column::number("bit_vectors_string_ms", "bit-vectors, ms"),
            Column::number("times", "times"),
            Column::text("faster", "faster"),
            Column::number("automata_interchanges", "interchanges, automata"),
            Column::number("bit_vectors_interchanges", "interchanges, bit-vectors"),
        ]
    };
    let mut table = Table::new("table-4.2-outliers", 1, columns());
    let mut long = Table::new("table-4.2-outliers", 0, columns());
    for (automata, bit_vectors) in pairs(dataset) {
        let pair = format!("{automata} and {bit_vectors}");
        let found = outlying(dataset, &automata, &bit_vectors);
        for (place, one) in found.iter().enumerate() {
            let cells = outlier_row(&pair, one);
            long.push(cells.clone());
            if place < SHOWN {
                table.push(cells);
            }
        }
        let all = both(dataset, &automata, &bit_vectors);
        let counted: Vec<&Both<'_>> = all.iter().filter(|both| both.ratio().is_some()).collect();
        let ordinary: Vec<&&Both<'_>> = counted.iter().filter(|both| !both.is_outlier()).collect();
        let mean = |of: fn(&Both<'_>) -> f64| {
            let times: Vec<f64> = ordinary.iter().map(|both| of(both)).collect();
            stats::sample::mean(&times)
                .map_or_else(|| "none".to_owned(), |ms| format!("{} ms", format::significant(ms)))
        };
        table.note(format!(
            "{pair}: {} of {} graphs on which both string solvers were asked; without them the string time is {} on average \
             by automata and {} by bit-vectors. Beside them {} of which one of the two ran out of time.",
            format::counted(counted.len() - ordinary.len(), "outlier", "outliers"),
            counted.len(),
            mean(|both| both.automata.phase_ms("string")),
            mean(|both| both.bit_vectors.phase_ms("string")),
            format::counted(found.len() - (counted.len() - ordinary.len()), "graph", "graphs"),
        ));
        if found.len() > SHOWN {
            table.note(format!(
                "{pair}: the first {SHOWN} of {} are shown; all are in the file.",
                found.len()
            ));
        }
    }
    let published = |name: &str| published.get(name).copied().unwrap_or(f64::NAN);
    table.note(format!(
        "An outlier: the times of the string solvers differ {OUTLIER}-fold or more; the start of Z3 is in neither. Published: {} outliers, without which the \
         averages are {} ms by automata and {} ms by bit-vectors.",
        published("outliers"),
        published("string_ms_without_outliers_automata"),
        published("string_ms_without_outliers_bit_vectors"),
    ));
    table.programs_get(long);
    Ok(table)
}

fn outlier_row(pair: &str, both: &Both<'_>) -> Vec<Cell> {
    let ms = |run: &Run<'_>| match run.is_sat() {
        Some(_) => number(Some(run.phase_ms("string"))),
        None => Cell::text(run.row.status().name()),
    };
    let time = |run: &Run<'_>| run.is_sat().map_or(f64::INFINITY, |_| run.phase_ms("string"));
    let verdict = [&both.automata, &both.bit_vectors].into_iter().find(|run| run.is_sat().is_some());
    let faster = if time(&both.automata) < time(&both.bit_vectors) {
        Approach::Automata
    } else {
        Approach::BitVectors
    };
    let interchanges = |run: &Run<'_>| {
        if run.is_sat().is_some() {
            Cell::text(run.counter("interchanges").to_string())
        } else {
            Cell::absent()
        }
    };
    vec![
        Cell::text(pair),
        Cell::text(both.task),
        verdict.map_or_else(Cell::absent, |run| Cell::text(run.row.status().name())),
        ms(&both.automata),
        ms(&both.bit_vectors),
        number(both.ratio()),
        Cell::text(faster.name()),
        interchanges(&both.automata),
        interchanges(&both.bit_vectors),
    ]
}

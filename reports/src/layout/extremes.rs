//! What each strategy did on the study's two extreme graphs (figures 4.1 and 4.2), phase by phase.

use crate::dataset::Dataset;
use crate::format;
use crate::table::{Cell, Column, Table};

/// The family whose tasks they are.
const FAMILY: &str = "programs/extremes";

/// Phases with their titles.
const PHASES: [(&str, &str); 5] = [
    ("prepare", "reading"),
    ("preprocess", "preprocessing"),
    ("integer", "integer solver"),
    ("string", "string solver"),
    ("solve", "all of solve"),
];

/// Counters with their titles.
const COUNTERS: [(&str, &str); 5] = [
    ("edges", "edges"),
    ("edges_preprocessed", "after preprocessing"),
    ("refuted_by_preprocessing", "refuted by preprocessing"),
    ("interchanges", "interchanges"),
    ("integer_constraints", "integer constraints"),
];

/// The ids of the graphs that the run has.
pub fn tasks(dataset: &Dataset) -> Vec<String> {
    let mut ids: Vec<String> = dataset
        .rows()
        .iter()
        .filter(|row| row.record.family == FAMILY)
        .map(|row| row.task().to_owned())
        .collect();
    ids.dedup();
    ids
}

/// A row for each strategy on each of the graphs; `None` when the run has none of them.
pub fn extremes(dataset: &Dataset) -> Option<Table> {
    let mut columns = vec![
        Column::text("task", "graph"),
        Column::text("strategy", "strategy"),
        Column::text("status", "verdict"),
    ];
    let number = |(name, title): &(&str, &str)| Column::number(name, title);
    columns.extend(PHASES.iter().map(|(name, title)| Column::number(&format!("{name}_s"), title)));
    columns.extend(COUNTERS.iter().map(number));
    let mut table = Table::new("extremes", 1, columns);
    for row in dataset.rows().iter().filter(|row| row.record.family == FAMILY) {
        let mut cells =
            vec![Cell::text(row.task()), Cell::text(row.strategy()), Cell::text(row.status().name())];
        cells.extend(PHASES.iter().map(|(name, _)| Cell::seconds(row.phase_s(name))));
        cells.extend(COUNTERS.iter().map(|(name, _)| {
            let value = row.record.counters.get(*name);
            value.map_or_else(Cell::absent, |value| Cell::text(value.to_string()))
        }));
        table.push(cells);
    }
    if table.rows().is_empty() {
        return None;
    }
    table.note(format!(
        "The study reports of the first graph (figure 4.1) that bit-vectors refuted it within a second, while automata ran out of \
         120 s: they took the negative edge last, and the length of the other string entered the search. Of the second one \
         (figure 4.2) it reports the opposite: bit-vectors went through all lengths, while automata saw at once that no part \
         of the constant ends as asked. Limit here: {}.",
        format::chosen(dataset.run.limits.time())
    ));
    table.note("A dash: the strategy does not report the phase or counter, or did not come so far.");
    Some(table)
}

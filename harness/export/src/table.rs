//! Records, tasks and strategies as tables of columns with types.
//!
//! A cell is absent where nothing was measured or is known, never 0 or an empty text in its stead. The
//! columns of [`records`] are those of `results.csv`, by the same names and in the same order, with one row a
//! record.

use std::collections::HashMap;

use harness_model::Verdict;
use reports::dataset::seconds;
use reports::question::contents;
use reports::results::{self, COLUMNS, Measured};
use reports::{Dataset, Row};

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The stem of its files.
    pub name: &'static str,
    /// The columns, all of one length.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Unique in its table.
    pub name: String,
    /// From the first row to the last.
    pub cells: Cells,
}

/// The cells of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Text.
    Text(Vec<Option<String>>),
    /// Counts.
    Count(Vec<Option<u64>>),
    /// Seconds.
    Seconds(Vec<Option<f64>>),
}

impl Cells {
    /// How many rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(cells) => cells.len(),
            Self::Count(cells) => cells.len(),
            Self::Seconds(cells) => cells.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Table {
    /// How many rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }
}

fn text<T>(name: &str, rows: &[T], cell: impl Fn(&T) -> Option<String>) -> Column {
    Column { name: name.to_owned(), cells: Cells::Text(rows.iter().map(cell).collect()) }
}

fn count<T>(name: &str, rows: &[T], cell: impl Fn(&T) -> Option<u64>) -> Column {
    Column { name: name.to_owned(), cells: Cells::Count(rows.iter().map(cell).collect()) }
}

fn time<T>(name: &str, rows: &[T], ns: impl Fn(&T) -> Option<u64>) -> Column {
    Column {
        name: name.to_owned(),
        cells: Cells::Seconds(rows.iter().map(|row| ns(row).map(seconds)).collect()),
    }
}

/// One row a record: the columns of `results.csv`.
pub fn records(dataset: &Dataset) -> Table {
    let rows = dataset.rows();
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let fixed = COLUMNS.map(|name| match name {
        "task" => text(name, rows, |row| some(row.task())),
        "family" => text(name, rows, |row| some(&row.record.family)),
        "alphabet" => text(name, rows, |row| some(row.record.alphabet.name())),
        "strategy" => text(name, rows, |row| some(row.strategy())),
        "repeat" => count(name, rows, |row| Some(u64::from(row.record.key.repeat))),
        "status" => text(name, rows, |row| some(row.status().name())),
        "expected" => text(name, rows, |row| row.judgement.expected.map(|verdict| verdict.name().to_owned())),
        "wall_s" => time(name, rows, |row| Some(row.record.usage?.wall_ns)),
        "cpu_s" => time(name, rows, |row| Some(row.record.usage?.cpu_ns)),
        "peak_rss_kib" => count(name, rows, |row| Some(row.record.usage?.peak_rss_bytes.div_ceil(1024))),
        "witness" => text(name, rows, |row| row.judgement.witness.clone()),
        _ => text(name, rows, |row| some(&row.judgement.detail)),
    });
    let mut columns = fixed.to_vec();
    columns.extend(measured(dataset));
    Table { name: "records", columns }
}

/// Phases and counters, a column where at least one record has it.
fn measured(dataset: &Dataset) -> Vec<Column> {
    let names = results::measured_columns(dataset);
    let places: HashMap<&str, usize> =
        names.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
    let rows = dataset.rows().len();
    let mut cells: Vec<Option<Cells>> = vec![None; names.len()];
    for (at, row) in dataset.rows().iter().enumerate() {
        for (name, value) in results::measured(&row.record) {
            let Some(&place) = places.get(name.as_str()) else { continue };
            let empty = || match value {
                Measured::Time(_) => Cells::Seconds(vec![None; rows]),
                Measured::Count(_) => Cells::Count(vec![None; rows]),
            };
            match (cells[place].get_or_insert_with(empty), value) {
                (Cells::Seconds(cells), Measured::Time(ns)) => cells[at] = Some(seconds(ns)),
                (Cells::Count(cells), Measured::Count(value)) => cells[at] = Some(value),
                // The names of times and counters begin differently.
                (
                    Cells::Seconds(_) | Cells::Count(_) | Cells::Text(_),
                    Measured::Time(_) | Measured::Count(_),
                ) => {}
            }
        }
    }
    let column = |(name, cells): (String, Option<Cells>)| Some(Column { name, cells: cells? });
    names.into_iter().zip(cells).filter_map(column).collect()
}

/// One row a task.
pub fn tasks(dataset: &Dataset) -> Table {
    let tasks: Vec<_> = dataset.tasks().map(|task| (task, contents(&task.question))).collect();
    let expected =
        |verdicts: &[Verdict]| verdicts.iter().map(|verdict| verdict.name()).collect::<Vec<_>>().join(" ");
    let columns = vec![
        text("task", &tasks, |(task, _)| Some(task.id.clone())),
        text("family", &tasks, |(task, _)| Some(task.family.clone())),
        text("alphabet", &tasks, |(task, _)| Some(task.question.alphabet.name().to_owned())),
        text("kind", &tasks, |(_, contents)| Some(contents.kind.to_owned())),
        count("answers", &tasks, |(_, contents)| Some(contents.asked as u64)),
        count("bytes", &tasks, |(_, contents)| Some(contents.size as u64)),
        text("logic", &tasks, |(_, contents)| contents.logic.clone()),
        text("operations", &tasks, |(_, contents)| Some(contents.operations.join(" "))),
        text("expected", &tasks, |(task, _)| Some(expected(&task.expected.as_ref()?.verdicts))),
        text("expected_source", &tasks, |(task, _)| Some(task.expected.as_ref()?.source.clone())),
    ];
    Table { name: "tasks", columns }
}

/// One row a strategy.
pub fn strategies(dataset: &Dataset) -> Table {
    let names: Vec<(u64, &str)> = (0..).zip(dataset.strategies()).collect();
    let row = |name: &str| dataset.strategy(name);
    let options = |name: &str| {
        let options = row(name)?.options.iter().map(|(option, value)| format!("{option}={value}"));
        Some(options.collect::<Vec<_>>().join(" ")).filter(|options| !options.is_empty())
    };
    let known = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let columns = vec![
        count("place", &names, |(place, _)| Some(*place)),
        text("strategy", &names, |(_, name)| known(name)),
        text("canonical", &names, |(_, name)| known(&row(name)?.canonical)),
        text("family", &names, |(_, name)| known(&row(name)?.family)),
        text("options", &names, |(_, name)| options(name)),
        text("backend", &names, |(_, name)| known(&row(name)?.backend)),
        text("version", &names, |(_, name)| known(&row(name)?.version)),
        text("summary", &names, |(_, name)| known(&row(name)?.summary)),
    ];
    Table { name: "strategies", columns }
}

/// All three.
pub fn all(dataset: &Dataset) -> [Table; 3] {
    [records(dataset), tasks(dataset), strategies(dataset)]
}

/// The rows of a dataset by strategy and repeat: strategies in the run's order.
pub(crate) fn by_run(dataset: &Dataset) -> Vec<((&str, u32), Vec<&Row>)> {
    let order: HashMap<&str, usize> =
        dataset.strategies().into_iter().enumerate().map(|(place, name)| (name, place)).collect();
    let mut runs: std::collections::BTreeMap<(usize, u32), Vec<&Row>> = std::collections::BTreeMap::new();
    for row in dataset.rows() {
        let place = order.get(row.strategy()).copied().unwrap_or(order.len());
        runs.entry((place, row.record.key.repeat)).or_default().push(row);
    }
    runs.into_iter()
        .filter_map(|((_, repeat), rows)| Some(((rows.first()?.strategy(), repeat), rows)))
        .collect()
}

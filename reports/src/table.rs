//! Tables as values: made once, shown as Markdown and HTML with rounded cells, and written as CSV with exact
//! ones.

use crate::csv_text::CsvText;
use crate::format;

/// What a cell shows and what it means exactly.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Cell {
    /// For people: rounded, with a unit.
    pub shown: String,
    /// For programs: exact, in the unit that the column's name states; empty when absent.
    pub exact: String,
}

impl Cell {
    /// The same text for both.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { shown: text.clone(), exact: text }
    }

    /// A text for people and another one for programs.
    pub fn pair(shown: impl Into<String>, exact: impl Into<String>) -> Self {
        Self { shown: shown.into(), exact: exact.into() }
    }

    /// A number of things.
    pub fn count(n: usize) -> Self {
        Self::text(n.to_string())
    }

    /// Seconds; `None` is shown as a dash.
    pub fn seconds(seconds: Option<f64>) -> Self {
        seconds.map_or_else(Self::absent, |s| Self::pair(format::duration(s), s.to_string()))
    }

    /// How many times; `None` is shown as a dash.
    pub fn ratio(ratio: Option<f64>) -> Self {
        let ratio = ratio.filter(|ratio| ratio.is_finite());
        ratio
            .map_or_else(Self::absent, |r| Self::pair(format!("{} ×", format::significant(r)), r.to_string()))
    }

    /// There is nothing to tell.
    pub fn absent() -> Self {
        Self::pair("–", "")
    }

    /// Whether it says no more than that there is nothing.
    fn is_nothing(&self) -> bool {
        matches!(self.exact.as_str(), "" | "0")
    }
}

/// On which side of its column a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// The head of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// In CSV, with the unit.
    pub name: String,
    /// For people.
    pub title: String,
    /// Of its cells.
    pub align: Align,
    /// Whether people are spared the column when all of its cells are absent or 0.
    pub optional: bool,
}

impl Column {
    /// A column of text.
    pub fn text(name: &str, title: &str) -> Self {
        Self { name: name.to_owned(), title: title.to_owned(), align: Align::Left, optional: false }
    }

    /// A column of numbers.
    pub fn number(name: &str, title: &str) -> Self {
        Self { align: Align::Right, ..Self::text(name, title) }
    }

    /// The same column, left out for people when it says nothing.
    #[must_use]
    pub fn optional(self) -> Self {
        Self { optional: true, ..self }
    }
}

/// A table. Invariant: every row has as many cells as there are columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Of its file: `tables/NAME.csv`.
    pub name: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// How many leading columns say which part of the table a row is in; people see one table for each part,
    /// under the cells of these columns as a heading.
    pub parts_by: usize,
    /// Its rows, those of one part together.
    rows: Vec<Vec<Cell>>,
    /// The same figures one a row, where that suits programs better.
    long: Option<Box<Table>>,
    /// What the reader must know to read it right.
    pub notes: Vec<String>,
}

/// One part of a table, as people see it.
#[derive(Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// What the rows have in common; empty when the table has no parts.
    pub heading: String,
    /// Titles and sides of the columns.
    pub columns: Vec<&'a Column>,
    /// The shown cells.
    pub rows: Vec<Vec<&'a str>>,
}

impl Table {
    /// A table without rows.
    pub fn new(name: &str, parts_by: usize, columns: Vec<Column>) -> Self {
        Self { name: name.to_owned(), columns, parts_by, rows: Vec::new(), long: None, notes: Vec::new() }
    }

    /// Adds a row: cells that are missing are absent, cells beyond the columns are dropped.
    pub fn push(&mut self, mut row: Vec<Cell>) {
        row.resize_with(self.columns.len(), Cell::absent);
        self.rows.push(row);
    }

    /// Adds what the reader must know.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Lets the file hold `long` instead of this table.
    pub fn programs_get(&mut self, long: Self) {
        self.long = Some(Box::new(long));
    }

    /// All rows.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The parts, in the order of their first rows, without the columns that say nothing anywhere in the
    /// table.
    pub fn parts(&self) -> Vec<Part<'_>> {
        let kept: Vec<usize> = (self.parts_by..self.columns.len())
            .filter(|&c| !self.columns[c].optional || self.rows.iter().any(|row| !row[c].is_nothing()))
            .collect();
        let mut parts: Vec<Part<'_>> = Vec::new();
        for row in &self.rows {
            let key: Vec<&str> = row[..self.parts_by].iter().map(|cell| cell.shown.as_str()).collect();
            let heading = key.join(", ");
            if parts.last().is_none_or(|part| part.heading != heading) {
                let columns = kept.iter().map(|&c| &self.columns[c]).collect();
                parts.push(Part { heading, columns, rows: Vec::new() });
            }
            if let Some(part) = parts.last_mut() {
                part.rows.push(kept.iter().map(|&c| row[c].shown.as_str()).collect());
            }
        }
        parts
    }

    /// All rows and columns with exact cells.
    pub fn csv(&self) -> String {
        if let Some(long) = &self.long {
            return long.csv();
        }
        let mut text = CsvText::with_header(self.columns.iter().map(|column| &column.name));
        for row in &self.rows {
            text.push(row.iter().map(|cell| &cell.exact));
        }
        text.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new(
            "sample",
            1,
            vec![
                Column::text("family", "family"),
                Column::text("strategy", "strategy"),
                Column::number("crash", "crashes").optional(),
                Column::number("total_s", "total"),
            ],
        );
        let row = |family: &str, strategy: &str, time| {
            vec![Cell::text(family), Cell::text(strategy), Cell::count(0), Cell::seconds(time)]
        };
        table.push(row("a", "x", Some(0.001_234_5)));
        table.push(row("a", "y", None));
        table.push(row("b", "x", Some(2.0)));
        table
    }

    #[test]
    fn people_see_parts_without_silent_columns() {
        let table = sample();
        let parts = table.parts();
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0].heading, "a");
        assert_eq!(parts[0].rows, [["x", "1.23 ms"], ["y", "–"]]);
        assert_eq!(parts[1].rows, [["x", "2.00 s"]]);
    }

    #[test]
    fn programs_see_all_of_it() {
        assert_eq!(sample().csv(), "family,strategy,crash,total_s\na,x,0,0.0012345\na,y,0,\nb,x,0,2\n");
    }
}

//! Figures that papers published, to be shown beside measured ones; they are never measured here and never compared as
//! equals: machine, language, limits and decade differ.
//!
//! Each figure is a CSV file in `corpora/published/` that names its origin in comment lines at the top. The files are part
//! of the program, so that a report needs no other file.

use csv::{ReaderBuilder, StringRecord, Trim};
use harness_model::{Alphabet, OperationKind};

/// A file of published figures that cannot be read: a defect of the corpus.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("corpora/published/{file}:{line}: {what}")]
pub struct PublishedError {
    /// Name of the file.
    pub file: &'static str,
    /// From 1.
    pub line: u64,
    /// What is wrong there.
    pub what: String,
}

/// The size of one automaton with epsilon moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// `A0` to `A9`.
    pub automaton: String,
    /// Number of states.
    pub states: u64,
    /// Number of epsilon moves.
    pub epsilon_moves: u64,
    /// Number of other moves.
    pub moves: u64,
}

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

    /// The name in the files and in names of strategies.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Eager => "eager",
            Self::Lazy => "lazy",
        }
    }
}

/// What one way of representing sets of characters took for the pairs with one answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
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

/// Figure 3.7: the sizes of the automata of the ten expressions `regexes/li2009`, in order.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figure_3_7() -> Result<Vec<Sizes>, PublishedError> {
    let table = Table::open("figure-3.7.csv", include_str!("../published/figure-3.7.csv"));
    table.rows(&["automaton", "states", "epsilon_moves", "moves"], |row| {
        Ok(Sizes {
            automaton: row.text(0).to_owned(),
            states: row.number(1)?,
            epsilon_moves: row.number(2)?,
            moves: row.number(3)?,
        })
    })
}

/// Figure 3.8: eager and lazy product and difference over all pairs.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figure_3_8() -> Result<Vec<Cell>, PublishedError> {
    let columns =
        ["operation", "representation", "alphabet", "mode", "result", "solved", "total_s", "median_s"];
    let table = Table::open("figure-3.8.csv", include_str!("../published/figure-3.8.csv"));
    table.rows(&columns, |row| {
        let mode = match row.text(3) {
            "eager" => Mode::Eager,
            "lazy" => Mode::Lazy,
            other => return Err(format!("no mode '{other}': there are eager and lazy")),
        };
        row.cell(mode, 4)
    })
}

/// Figure 3.10: lazy product and difference over the pairs without A6 and A8.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figure_3_10() -> Result<Vec<Cell>, PublishedError> {
    let columns = ["operation", "representation", "alphabet", "result", "solved", "total_s", "median_s"];
    let table = Table::open("figure-3.10.csv", include_str!("../published/figure-3.10.csv"));
    table.rows(&columns, |row| row.cell(Mode::Lazy, 3))
}

/// A file with `#` comments and a header row.
struct Table {
    file: &'static str,
    text: &'static str,
}

impl Table {
    const fn open(file: &'static str, text: &'static str) -> Self {
        Self { file, text }
    }

    /// Every row, read by `read`; the header must name `columns` in this order.
    fn rows<T>(
        &self,
        columns: &[&str],
        read: impl Fn(&Row) -> Result<T, String>,
    ) -> Result<Vec<T>, PublishedError> {
        let error = |line: u64, what: String| PublishedError { file: self.file, line, what };
        let mut reader =
            ReaderBuilder::new().comment(Some(b'#')).trim(Trim::All).from_reader(self.text.as_bytes());
        let line_of = |e: &csv::Error| e.position().map_or(1, csv::Position::line);
        let header = reader.headers().map_err(|e| error(line_of(&e), e.to_string()))?;
        if header.iter().ne(columns.iter().copied()) {
            let comments = self.text.lines().take_while(|line| line.starts_with('#'));
            return Err(error(
                comments.count() as u64 + 1,
                format!("the columns must be {}", columns.join(",")),
            ));
        }
        reader
            .records()
            .map(|record| {
                let record = record.map_err(|e| error(line_of(&e), e.to_string()))?;
                let line = record.position().map_or(1, csv::Position::line);
                read(&Row(record)).map_err(|what| error(line, what))
            })
            .collect()
    }
}

/// One row; the reader has checked that it has as many fields as the header.
struct Row(StringRecord);

impl Row {
    fn text(&self, column: usize) -> &str {
        self.0.get(column).unwrap_or_default()
    }

    fn number<N: std::str::FromStr>(&self, column: usize) -> Result<N, String> {
        self.text(column).parse().map_err(|_| format!("'{}' is not a number", self.text(column)))
    }

    /// Columns 0 to 2 and those from `result` on are alike in the two figures of times.
    fn cell(&self, mode: Mode, result: usize) -> Result<Cell, String> {
        Ok(Cell {
            operation: match self.text(0) {
                "product" => OperationKind::Product,
                "difference" => OperationKind::Difference,
                other => return Err(format!("no operation '{other}': there are product and difference")),
            },
            representation: self.text(1).to_owned(),
            alphabet: self
                .text(2)
                .parse()
                .map_err(|e: harness_model::alphabet::UnknownAlphabet| e.to_string())?,
            mode,
            empty: match self.text(result) {
                "empty" => true,
                "nonempty" => false,
                other => return Err(format!("no result '{other}': there are empty and nonempty")),
            },
            solved: self.number(result + 1)?,
            total_s: self.number(result + 2)?,
            median_s: self.number(result + 3)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_read() {
        let sizes = figure_3_7().unwrap();
        assert_eq!(sizes.len(), 10);
        assert_eq!(sizes.iter().map(|s| s.states).sum::<u64>(), 7090);
        assert_eq!(figure_3_8().unwrap().len(), 54);
        assert_eq!(figure_3_10().unwrap().len(), 24);
    }

    #[test]
    fn no_more_pairs_are_solved_than_there_are() {
        for cell in figure_3_8().unwrap().iter().filter(|cell| !cell.empty) {
            let same = |other: &&Cell| {
                other.empty
                    && (other.operation, &other.representation, other.alphabet, other.mode)
                        == (cell.operation, &cell.representation, cell.alphabet, cell.mode)
            };
            let both = cell.solved + figure_3_8().unwrap().iter().find(same).unwrap().solved;
            let all = if cell.operation == OperationKind::Product { 55 } else { 100 };
            assert!(both <= all, "{cell:?}");
        }
        let easy: u64 = figure_3_10()
            .unwrap()
            .iter()
            .filter(|cell| cell.representation == "bdd" && cell.alphabet == Alphabet::Ascii)
            .map(|cell| cell.solved)
            .sum();
        assert_eq!(easy, 36 + 64);
    }

    #[test]
    fn errors_name_file_and_line() {
        let table = Table::open("x.csv", "# origin\na,b\n1,2\n1,two\n");
        let error = table.rows(&["a", "b"], |row| row.number::<u64>(1)).unwrap_err();
        assert_eq!(error.to_string(), "corpora/published/x.csv:4: 'two' is not a number");
        let error = table.rows(&["a", "c"], |_| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), "corpora/published/x.csv:2: the columns must be a,c");
    }
}

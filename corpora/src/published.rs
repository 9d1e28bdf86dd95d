//! Figures that papers published, to be shown beside measured ones; they are never measured here and never compared as
//! equals: machine, language, limits and decade differ.
//!
//! Each figure is a CSV file in `corpora/published/` that names its origin in comment lines at the top. The files are part
//! of the program, so that a report needs no other file.
//!
//! - [`hybrid`]: those of the works on hybrid constraints; the others are here

pub mod hybrid;

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

/// One of the two ways to solve string graphs that the study compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Approach {
    /// A finite automaton for each string.
    Automata,
    /// A bit-vector for each string.
    BitVectors,
}

impl Approach {
    /// Both, in the order of the tables.
    pub const ALL: [Self; 2] = [Self::Automata, Self::BitVectors];

    /// The name in the files and in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Automata => "automata",
            Self::BitVectors => "bit-vectors",
        }
    }
}

/// A row of table 4.1: one program by one approach.
#[derive(Clone, Debug, PartialEq)]
pub struct Paths {
    /// As the study calls it.
    pub program: String,
    /// By which approach.
    pub approach: Approach,
    /// Milliseconds in the string solver, in total.
    pub string_ms: f64,
    /// Milliseconds in the integer solver, in total.
    pub integer_ms: f64,
    /// How often the string solver refused what the integer solver had guessed.
    pub iterations: u64,
    /// How many path conditions these figures are of.
    pub path_conditions: u64,
    /// How many path conditions preprocessing refuted.
    pub preprocessed: u64,
    /// How many ran out of time.
    pub time_outs: u64,
}

/// Table 4.1: path conditions of programs.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn table_4_1() -> Result<Vec<Paths>, PublishedError> {
    let columns = [
        "program",
        "approach",
        "string_ms",
        "integer_ms",
        "iterations",
        "path_conditions",
        "preprocessed",
        "time_outs",
    ];
    let table = Table::open("table-4.1.csv", include_str!("../published/table-4.1.csv"));
    table.rows(&columns, |row| {
        Ok(Paths {
            program: row.text(0).to_owned(),
            approach: row.approach(1)?,
            string_ms: row.number(2)?,
            integer_ms: row.number(3)?,
            iterations: row.number(4)?,
            path_conditions: row.number(5)?,
            preprocessed: row.number(6)?,
            time_outs: row.number(7)?,
        })
    })
}

/// Of many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Statistic {
    /// The mean.
    Average,
    /// The middle one.
    Median,
}

/// Which of the random graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GraphGroup {
    /// How many edges were asked for.
    pub edges: u64,
    /// Whether they are satisfiable.
    pub sat: bool,
}

/// A row of table 4.2: one statistic of one group of random graphs by one approach.
#[derive(Clone, Debug, PartialEq)]
pub struct Graphs {
    /// By which approach.
    pub approach: Approach,
    /// `None`: all of them.
    pub group: Option<GraphGroup>,
    /// What the values are.
    pub statistic: Statistic,
    /// Edges, edges after preprocessing, interchanges, milliseconds in the string solver and in the integer solver, integer
    /// constraints; `None` where the table is not legible.
    pub values: [Option<f64>; 6],
    /// How many graphs of the group ran out of time, where the study says so.
    pub time_outs: Option<u64>,
}

/// Table 4.2: random string graphs.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn table_4_2() -> Result<Vec<Graphs>, PublishedError> {
    let columns = [
        "approach",
        "edges",
        "result",
        "statistic",
        "mean_edges",
        "edges_preprocessed",
        "interchanges",
        "string_ms",
        "integer_ms",
        "integer_constraints",
        "time_outs",
    ];
    let table = Table::open("table-4.2.csv", include_str!("../published/table-4.2.csv"));
    table.rows(&columns, |row| {
        let mut values = [None; 6];
        for (i, value) in values.iter_mut().enumerate() {
            *value = row.number_or_none(4 + i)?;
        }
        Ok(Graphs {
            approach: row.approach(0)?,
            group: match (row.number_or_none(1)?, row.text(2)) {
                (None, "") => None,
                (Some(edges), "sat") => Some(GraphGroup { edges, sat: true }),
                (Some(edges), "unsat") => Some(GraphGroup { edges, sat: false }),
                (_, other) => return Err(format!("no result '{other}' of so many edges")),
            },
            statistic: match row.text(3) {
                "average" => Statistic::Average,
                "median" => Statistic::Median,
                other => return Err(format!("no statistic '{other}': there are average and median")),
            },
            values,
            time_outs: row.number_or_none(10)?,
        })
    })
}

/// What became of the random graphs of table 4.2, from the text around it: name and value, in order.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn table_4_2_graphs() -> Result<Vec<(String, f64)>, PublishedError> {
    let table = Table::open("table-4.2-graphs.csv", include_str!("../published/table-4.2-graphs.csv"));
    table.rows(&["quantity", "value"], |row| Ok((row.text(0).to_owned(), row.number(1)?)))
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

    fn number_or_none<N: std::str::FromStr>(&self, column: usize) -> Result<Option<N>, String> {
        if self.text(column).is_empty() { Ok(None) } else { self.number(column).map(Some) }
    }

    fn approach(&self, column: usize) -> Result<Approach, String> {
        let name = self.text(column);
        Approach::ALL
            .into_iter()
            .find(|approach| approach.name() == name)
            .ok_or_else(|| format!("no approach '{name}': there are automata and bit-vectors"))
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
    fn string_graphs_add_up() {
        let paths = table_4_1().unwrap();
        assert_eq!(paths.len(), 6);
        assert!(paths.chunks(3).all(|rows| rows.iter().map(|r| r.path_conditions).sum::<u64>() == 6170));
        let graphs = table_4_2().unwrap();
        assert_eq!(graphs.len(), 20);
        assert_eq!(graphs.iter().flat_map(|row| row.values).filter(Option::is_none).count(), 1);
        let totals: std::collections::BTreeMap<String, f64> =
            table_4_2_graphs().unwrap().into_iter().collect();
        assert_eq!(totals["refuted_by_preprocessing"] + totals["passed_preprocessing"], totals["graphs"]);
        // The study's numbers leave 172 graphs of those that passed, about half of the 339 time-outs of both approaches.
        assert_eq!(totals["passed_preprocessing"] - totals["sat"] - totals["unsat"], 172.0);
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

//! Figures of the two works on hybrid constraints: PASS (parameterised arrays and interval automata) and JST (numbers and
//! strings in iteration).

use super::{PublishedError, Table};

/// A row of PASS's table 1: one program by one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// As the paper calls it.
    pub program: String,
    /// `parray`, `parray+qelim` or `automaton`.
    pub method: String,
    /// How many path conditions.
    pub path_conditions: u64,
    /// Seconds for all of them.
    pub total_s: f64,
}

/// PASS's table 1: path conditions of five small programs.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn pass_table_1() -> Result<Vec<Conditions>, PublishedError> {
    let table = Table::open("pass-table-1.csv", include_str!("../../published/pass-table-1.csv"));
    table.rows(&["program", "method", "path_conditions", "total_s"], |row| {
        Ok(Conditions {
            program: row.text(0).to_owned(),
            method: row.text(1).to_owned(),
            path_conditions: row.number(2)?,
            total_s: row.number(3)?,
        })
    })
}

/// A row of PASS's figure 4: one method on the two sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Sets {
    /// `parray`, `parray+qelim`, `automaton`, `parray+automaton` or `parray+automaton+qelim`.
    pub method: String,
    /// Of each set: how many were solved, and the seconds for these.
    pub sets: [(u64, Option<f64>); 2],
}

/// PASS's figure 4: 70 and 30 tricky path conditions.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn pass_figure_4() -> Result<Vec<Sets>, PublishedError> {
    let columns = ["method", "set_1_solved", "set_1_s", "set_2_solved", "set_2_s"];
    let table = Table::open("pass-figure-4.csv", include_str!("../../published/pass-figure-4.csv"));
    table.rows(&columns, |row| {
        let set = |column| Ok::<_, String>((row.number(column)?, row.number_or_none(column + 1)?));
        Ok(Sets { method: row.text(0).to_owned(), sets: [set(1)?, set(3)?] })
    })
}

/// What PASS's text says of PASS against another method.
#[derive(Clone, Debug, PartialEq)]
pub struct Against {
    /// `concrete lengths` or `automaton`.
    pub against: String,
    /// The share of conditions on which PASS is faster.
    pub faster_share: Option<f64>,
    /// How many times faster at best.
    pub best_speedup: Option<f64>,
    /// How many times slower at worst.
    pub worst_slowdown: Option<f64>,
    /// How many times faster usually, in the paper's words; empty when it does not say.
    pub usual_speedup: String,
}

/// PASS's comparison with its two base lines.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn pass_comparison() -> Result<Vec<Against>, PublishedError> {
    let columns = ["against", "faster_share", "best_speedup", "worst_slowdown", "usual_speedup"];
    let table = Table::open("pass-comparison.csv", include_str!("../../published/pass-comparison.csv"));
    table.rows(&columns, |row| {
        Ok(Against {
            against: row.text(0).to_owned(),
            faster_share: row.number_or_none(1)?,
            best_speedup: row.number_or_none(2)?,
            worst_slowdown: row.number_or_none(3)?,
            usual_speedup: row.text(4).to_owned(),
        })
    })
}

/// The paths that one run of JST found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Ends of paths that throw nothing, with a test case; `None` when the run did not end.
    pub true_paths: Option<u64>,
    /// Ends that relaxed solving leaves open, the former among them, where the paper gives them.
    pub tentative: Option<u64>,
    /// Ends of paths that throw.
    pub exceptions: Option<u64>,
    /// As the paper prints it, spelled out; empty when it is not legible.
    pub time: String,
}

/// A row of JST's tables 4 and 5: two ways for one choice of symbolic inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways {
    /// Such as `2 (subset 1)`.
    pub inputs: String,
    /// In relaxed mode; with linear models of rounding.
    pub with: Found,
    /// Full everywhere; without them.
    pub without: Found,
}

/// JST's table 4: relaxed against full solving on example B.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn jst_table_4() -> Result<Vec<Ways>, PublishedError> {
    let columns = [
        "inputs",
        "relaxed_true",
        "relaxed_tentative",
        "relaxed_exceptions",
        "relaxed_time",
        "full_true",
        "full_exceptions",
        "full_time",
    ];
    let table = Table::open("jst-table-4.csv", include_str!("../../published/jst-table-4.csv"));
    table.rows(&columns, |row| {
        Ok(Ways {
            inputs: row.text(0).to_owned(),
            with: Found {
                true_paths: row.number_or_none(1)?,
                tentative: row.number_or_none(2)?,
                exceptions: row.number_or_none(3)?,
                time: row.text(4).to_owned(),
            },
            without: Found {
                true_paths: row.number_or_none(5)?,
                tentative: None,
                exceptions: row.number_or_none(6)?,
                time: row.text(7).to_owned(),
            },
        })
    })
}

/// JST's table 5: with and without linear models of rounding on example C.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn jst_table_5() -> Result<Vec<Ways>, PublishedError> {
    let columns = [
        "inputs",
        "models_true",
        "models_exceptions",
        "models_time",
        "none_true",
        "none_exceptions",
        "none_time",
    ];
    let table = Table::open("jst-table-5.csv", include_str!("../../published/jst-table-5.csv"));
    table.rows(&columns, |row| {
        let found = |column| {
            Ok::<_, String>(Found {
                true_paths: row.number_or_none(column)?,
                tentative: None,
                exceptions: row.number_or_none(column + 1)?,
                time: row.text(column + 2).to_owned(),
            })
        };
        Ok(Ways { inputs: row.text(0).to_owned(), with: found(1)?, without: found(4)? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_those_of_the_papers() {
        let table = pass_table_1().unwrap();
        assert_eq!(table.len(), 11);
        let elimination = table.iter().filter(|row| row.method == "parray+qelim");
        assert_eq!(elimination.map(|row| row.path_conditions).sum::<u64>(), 9 + 9 + 6 + 7 + 6);
        let figure = pass_figure_4().unwrap();
        assert_eq!(figure.len(), 5);
        assert!(figure.iter().all(|row| row.sets[0].0 <= 70 && row.sets[1].0 <= 30));
        assert_eq!(figure[4].sets.map(|(solved, _)| solved), [70, 26]);
        assert_eq!(figure[0].sets[1], (0, None));
        assert_eq!(pass_comparison().unwrap()[0].best_speedup, Some(150.0));
        let relaxed = jst_table_4().unwrap();
        assert_eq!(relaxed.len(), 8);
        assert_eq!(relaxed.iter().filter(|row| row.without.true_paths.is_none()).count(), 5);
        assert!(relaxed[..3].iter().all(|row| row.with.tentative > row.with.true_paths));
        assert_eq!(jst_table_5().unwrap().iter().map(|row| row.with.exceptions.unwrap()).sum::<u64>(), 82);
    }
}

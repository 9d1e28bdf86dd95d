//! Figure 3.8: eager and lazy product and difference over all pairs.

use super::representation::Mode;
use super::times::{Figure, Times, notes};
use super::{Layout, Part};
use crate::analysis::Analysis;
use crate::output::ReportError;
use crate::published::{PublishedError, published};

/// Figure 3.8.
#[derive(Debug)]
pub struct Figure38;

/// The published times.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figures() -> Result<Vec<Times>, PublishedError> {
    let columns =
        ["operation", "representation", "alphabet", "mode", "result", "solved", "total_s", "median_s"];
    let modes = Mode::ALL.map(|mode| (mode.name(), mode));
    published!("figure-3.8.csv").rows(&columns, |row| Times::read(row, row.one_of(3, &modes)?, 4))
}

impl Layout for Figure38 {
    fn name(&self) -> &'static str {
        "figure-3.8"
    }

    fn about(&self) -> &'static str {
        "Eager and lazy product and difference, as figure 3.8"
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        let mut table = Figure::new(self.name(), &Mode::ALL, figures()?, analysis, |_, _| true).table();
        notes(&mut table, analysis.dataset);
        table.note(
            "Range-UTF16 and Hash-UTF16 have no published cells: the study reports that most of their pairs ran out of \
             time or memory. Rows in other alphabets, and strategies named in full, are not the study's.",
        );
        Ok(vec![Part::Table(table)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness_model::OperationKind;

    #[test]
    fn no_more_pairs_are_solved_than_there_are() {
        assert_eq!(figures().unwrap().len(), 54);
        for cell in figures().unwrap().iter().filter(|cell| !cell.empty) {
            let same = |other: &&Times| {
                other.empty
                    && (other.operation, &other.representation, other.alphabet, other.mode)
                        == (cell.operation, &cell.representation, cell.alphabet, cell.mode)
            };
            let both = cell.solved + figures().unwrap().iter().find(same).unwrap().solved;
            let all = if cell.operation == OperationKind::Product { 55 } else { 100 };
            assert!(both <= all, "{cell:?}");
        }
    }
}

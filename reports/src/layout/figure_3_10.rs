//! Figure 3.10: lazy product and difference over the pairs without A6 and A8.

use super::representation::Mode;
use super::times::{Figure, Times, notes};
use super::{Layout, Part};
use crate::analysis::Analysis;
use crate::output::ReportError;
use crate::published::{PublishedError, published};

/// The automata that the study left out, since its rival failed on them.
const HARD: [&str; 2] = ["A6", "A8"];

/// Figure 3.10.
#[derive(Debug)]
pub struct Figure310;

/// The published times.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figures() -> Result<Vec<Times>, PublishedError> {
    let columns = ["operation", "representation", "alphabet", "result", "solved", "total_s", "median_s"];
    published!("figure-3.10.csv").rows(&columns, |row| Times::read(row, Mode::Lazy, 3))
}

impl Layout for Figure310 {
    fn name(&self) -> &'static str {
        "figure-3.10"
    }

    fn about(&self) -> &'static str {
        "Lazy product and difference without A6 and A8, as figure 3.10"
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        let easy = |left: &str, right: &str| !HARD.contains(&left) && !HARD.contains(&right);
        let mut table = Figure::new(self.name(), &[Mode::Lazy], figures()?, analysis, easy).table();
        notes(&mut table, analysis.dataset);
        table.note(
            "All pairs with A6 or A8 are left out, as in the study. It gives the numbers of pairs in its caption alone; \
             they are put into the published cells here.",
        );
        Ok(vec![Part::Table(table)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness_model::Alphabet;

    #[test]
    fn the_published_pairs_are_those_of_eight_automata() {
        let all = figures().unwrap();
        assert_eq!(all.len(), 24);
        let bdd = all.iter().filter(|cell| cell.representation == "bdd" && cell.alphabet == Alphabet::Ascii);
        assert_eq!(bdd.map(|cell| cell.solved).sum::<u64>(), 36 + 64);
    }
}

//! Figure 3.7: the sizes of the automata with epsilon moves, built for the ten expressions.

use std::collections::{BTreeMap, BTreeSet};

use super::representation::{Label, place};
use super::{Layout, Part};
use crate::analysis::Analysis;
use crate::attempt::pair;
use crate::dataset::Dataset;
use crate::output::ReportError;
use crate::published::{PublishedError, published};
use crate::table::{Cell, Column, Table};

/// Figure 3.7.
#[derive(Debug)]
pub struct Figure37;

impl Layout for Figure37 {
    fn name(&self) -> &'static str {
        "figure-3.7"
    }

    fn about(&self) -> &'static str {
        "Sizes of the automata, as figure 3.7"
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        Ok(vec![Part::Table(table(analysis.dataset)?)])
    }
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

/// The published sizes of the automata of the ten expressions `regexes/li2009`, in order.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figures() -> Result<Vec<Sizes>, PublishedError> {
    published!("figure-3.7.csv").rows(&["automaton", "states", "epsilon_moves", "moves"], |row| {
        Ok(Sizes {
            automaton: row.text(0).to_owned(),
            states: row.number(1)?,
            epsilon_moves: row.number(2)?,
            moves: row.number(3)?,
        })
    })
}

/// The counter, the published value and the name of each row.
type Quantity = (&'static str, fn(&Sizes) -> u64, &'static str);

const QUANTITIES: [Quantity; 3] = [
    ("left_states", |sizes| sizes.states, "states"),
    ("left_epsilon_moves", |sizes| sizes.epsilon_moves, "epsilon moves"),
    ("left_moves", |sizes| sizes.moves, "other moves"),
];

/// The published row above the measured one, with `=` or `≠` in each measured cell.
///
/// Measured are the counters of the study's own strategies, of every record whose left operand is the
/// expression: they are taken before the operation starts, so a record that ran out of time has them too.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table(dataset: &Dataset) -> Result<Table, PublishedError> {
    let sizes = figures()?;
    let mut measured: BTreeMap<(&str, &str), BTreeSet<u64>> = BTreeMap::new();
    for row in dataset.rows() {
        let study = matches!(place(dataset, row.strategy()).0, Label::Study(_));
        let Some(pair) = pair(dataset, row.task()).filter(|_| study) else { continue };
        for (counter, ..) in QUANTITIES {
            if let Some(&value) = row.record.counters.get(counter) {
                measured.entry((pair.left, counter)).or_default().insert(value);
            }
        }
    }

    let mut columns = vec![Column::text("quantity", "quantity"), Column::text("source", "source")];
    columns.extend(sizes.iter().map(|s| Column::number(&s.automaton, &s.automaton)));
    let mut table = Table::new("figure-3.7", 0, columns);
    let (mut equal, mut different, mut missing) = (0usize, 0usize, 0usize);
    for (counter, published, title) in QUANTITIES {
        let head = |source: &str| vec![Cell::text(title), Cell::text(source)];
        let mut above = head("published");
        let mut below = head("measured");
        for size in &sizes {
            let value = published(size);
            above.push(Cell::text(value.to_string()));
            below.push(match measured.get(&(size.automaton.as_str(), counter)) {
                None => {
                    missing += 1;
                    Cell::absent()
                }
                Some(found) => {
                    let same = found.iter().eq([&value]);
                    *(if same { &mut equal } else { &mut different }) += 1;
                    let text = found.iter().map(u64::to_string).collect::<Vec<_>>().join(" or ");
                    Cell::pair(format!("{} {text}", if same { "=" } else { "≠" }), text)
                }
            });
        }
        table.push(above);
        table.push(below);
    }
    table.note(format!(
        "Of the {} numbers, {equal} are equal to the published ones, {different} different, {missing} not measured.",
        equal + different + missing
    ));
    if measured.values().any(|found| found.len() > 1) {
        table.note("Several values in a cell: strategies or alphabets built automata of different sizes.");
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sizes_add_up() {
        let sizes = figures().unwrap();
        assert_eq!(sizes.len(), 10);
        assert_eq!(sizes.iter().map(|s| s.states).sum::<u64>(), 7090);
    }
}

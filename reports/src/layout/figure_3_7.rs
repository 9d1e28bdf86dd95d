//! Figure 3.7: the sizes of the automata with epsilon moves, built for the ten expressions.

use std::collections::{BTreeMap, BTreeSet};

use super::representation::{Label, place};
use super::{Layout, Part};
use crate::analysis::Analysis;
use crate::attempt::pair;
use crate::claim::measure::exact;
use crate::claim::{Claim, Expected, Finding, Unit};
use crate::dataset::Dataset;
use crate::output::ReportError;
use crate::published::{PublishedError, published};
use crate::stats::sample;
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

    fn claims(&self, analysis: &Analysis<'_>) -> Result<Vec<Finding>, ReportError> {
        let [equal, different, missing] = compared(analysis.dataset)?;
        let claim = Claim {
            id: "sizes",
            place: "Hooimeijer, section 3.3, figure 3.7",
            says: "the automata with epsilon moves of the ten expressions have these sizes",
            measure: "the share of the thirty numbers of states, epsilon moves and other moves that are equal",
            unit: Unit::Share,
            expected: Expected::Within(1.0, 1.0),
            published: None,
            reason: None,
        };
        let all = equal + different;
        // One number that differs settles it; only all thirty settle it the other way.
        let measured = if all == 0 || (different == 0 && missing > 0) {
            Err(format!("{missing} of the {} numbers are not measured", all + missing))
        } else {
            let share = sample::count(equal) / sample::count(all);
            Ok(exact(share, all, "the strategies that build the study's automata".to_owned(), String::new()))
        };
        Ok(vec![claim.judge(measured)])
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

/// Measured values, by automaton and counter.
type Counted<'a> = BTreeMap<(&'a str, &'static str), BTreeSet<u64>>;

/// The counters of the strategies that build the study's automata, whatever their labels are, of every record
/// whose left operand is the expression: they are taken before the operation starts, so a record that ran out
/// of time has them too.
fn measured(dataset: &Dataset) -> Counted<'_> {
    let mut measured: Counted<'_> = BTreeMap::new();
    for row in dataset.rows() {
        let counts =
            matches!(place(dataset, row.strategy()).0, Label::Study(_) | Label::Apart(_) | Label::Own(_));
        let Some(pair) = pair(dataset, row.task()).filter(|_| counts) else { continue };
        for (counter, ..) in QUANTITIES {
            if let Some(&value) = row.record.counters.get(counter) {
                measured.entry((pair.left, counter)).or_default().insert(value);
            }
        }
    }
    measured
}

/// How many of the published numbers were measured as equal, as different, and not at all.
fn compared(dataset: &Dataset) -> Result<[usize; 3], PublishedError> {
    let measured = measured(dataset);
    let mut counts = [0; 3];
    for size in figures()? {
        for (counter, published, _) in QUANTITIES {
            let found = measured.get(&(size.automaton.as_str(), counter));
            counts[found.map_or(2, |found| usize::from(!found.iter().eq([&published(&size)])))] += 1;
        }
    }
    Ok(counts)
}

/// The published row above the measured one, with `=` or `≠` in each measured cell.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table(dataset: &Dataset) -> Result<Table, PublishedError> {
    let sizes = figures()?;
    let measured = measured(dataset);
    let mut columns = vec![Column::text("quantity", "quantity"), Column::text("source", "source")];
    columns.extend(sizes.iter().map(|s| Column::number(&s.automaton, &s.automaton)));
    let mut table = Table::new("figure-3.7", 0, columns);
    let [equal, different, missing] = compared(dataset)?;
    for (counter, published, title) in QUANTITIES {
        let head = |source: &str| vec![Cell::text(title), Cell::text(source)];
        let mut above = head("published");
        let mut below = head("measured");
        for size in &sizes {
            let value = published(size);
            above.push(Cell::text(value.to_string()));
            below.push(match measured.get(&(size.automaton.as_str(), counter)) {
                None => Cell::text("not measured"),
                Some(found) => {
                    let same = found.iter().eq([&value]);
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

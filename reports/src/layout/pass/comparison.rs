//! PASS's comparison with its two base lines, concrete lengths and automata (section 5 of the paper).

use std::collections::{BTreeMap, BTreeSet};

use super::{AUTOMATON, PASS, side};
use crate::analysis::Analysis;
use crate::attempt::Attempt;
use crate::claim::measure::{Pairs, Value, of_attempt};
use crate::claim::{Claim, Expected, Finding, Unit};
use crate::format;
use crate::layout::{Layout, Part};
use crate::output::ReportError;
use crate::published::{PublishedError, published};
use crate::stats;
use crate::strategy::Kind;
use crate::table::{Cell, Column, Table};

/// PASS's comparison.
#[derive(Debug)]
pub struct PassComparison;

impl Layout for PassComparison {
    fn name(&self) -> &'static str {
        "pass-comparison"
    }

    fn about(&self) -> &'static str {
        "PASS against concrete lengths and against automata"
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        Ok(vec![Part::Table(table(analysis)?)])
    }

    fn claims(&self, analysis: &Analysis<'_>) -> Result<Vec<Finding>, ReportError> {
        let dataset = analysis.dataset;
        let published = figures()?;
        let row = |against: &str| published.iter().find(|row| row.against == against);
        let pairs = |place: usize| {
            let [other, pass] = [AGAINST[place].1, PASS].map(|kind| side(dataset, kind, |_| true));
            Pairs::new(&other, &pass, dataset.run.seed)
        };
        let one = |value: Option<f64>| value.map(|value| (value, value));
        let [faster, slower, usual] = CLAIMS;
        let concrete = row(AGAINST[0].0);
        let limit = dataset.run.limits.time().as_secs_f64();
        let worst = |place: usize| {
            let [pass, other] = [PASS, AGAINST[place].1].map(|kind| side(dataset, kind, |_| true));
            Pairs::new(&pass, &other, dataset.run.seed)?.with_limit(limit).largest()
        };
        let worst = match (worst(0), worst(1)) {
            (Ok(one), Ok(other)) => Ok(if one.value >= other.value { one } else { other }),
            (Ok(one), Err(_)) | (Err(_), Ok(one)) => Ok(one),
            (Err(why), Err(_)) => Err(why),
        };
        Ok(vec![
            Claim { published: one(concrete.and_then(|row| row.faster_share)), ..faster }
                .judge(pairs(0).and_then(|pairs| pairs.second_is_faster())),
            Claim { published: one(concrete.and_then(|row| row.worst_slowdown)), ..slower }.judge(worst),
            Claim { published: row(AGAINST[1].0).and_then(|row| range(&row.usual_speedup)), ..usual }
                .judge(pairs(1).and_then(|pairs| pairs.geometric_mean())),
        ])
    }
}

const PLACE: &str = "Li and Ghosh, section 5, method comparison";

/// What the paper found; published figures are put in where they are read.
const CLAIMS: [Claim; 3] = [
    Claim {
        id: "faster-than-concrete",
        place: PLACE,
        says: "PASS is faster than concrete lengths on most conditions",
        measure: "the share of conditions on which PASS is faster, of those that both support and one solved",
        unit: Unit::Share,
        expected: Expected::Above(0.5),
        published: None,
        reason: None,
    },
    Claim {
        id: "never-much-slower",
        place: PLACE,
        says: "where PASS is slower, it is up to 4 times slower",
        measure: "the largest factor by which PASS is slower than one of the two, on a condition that the other one solved; a time-out of PASS counts as the limit",
        unit: Unit::Times,
        expected: Expected::Within(0.0, 4.0),
        published: None,
        reason: Some(
            "by kind of condition: against concrete lengths alone PASS was at most 14 times slower; the large factors are against automata, on \
             conditions of the generated problems, and one of set 2, that are satisfied by one of the first words that refined automata \
             leave: 1 to 4 ms for trying them, where PASS gives every quantifier to the solver of arrays",
        ),
    },
    Claim {
        id: "faster-than-automata",
        place: PLACE,
        says: "PASS is usually a magnitude of 1 or 2 orders faster than automata",
        measure: "the geometric mean of automaton : PASS on the conditions that both solved",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: None,
        reason: Some(
            "counted: of 377 such conditions 207 are refuted before the two approaches differ, by preprocessing or by the refinement that both \
             begin with, and take both as long; on 150 one of the first ten words that refinement leaves is a solution, and trying them is \
             12 times faster than the solver of arrays; only 4 need more than a hundred words, and on these PASS is 1.1 times \
             faster: the paper's gain asks for conditions on which enumeration is long",
        ),
    },
];

/// Such as `10 to 100`.
fn range(text: &str) -> Option<(f64, f64)> {
    let (low, high) = text.split_once(" to ")?;
    Some((low.parse().ok()?, high.parse().ok()?))
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

/// The published comparison.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figures() -> Result<Vec<Against>, PublishedError> {
    let columns = ["against", "faster_share", "best_speedup", "worst_slowdown", "usual_speedup"];
    published!("pass-comparison.csv").rows(&columns, |row| {
        Ok(Against {
            against: row.text(0).to_owned(),
            faster_share: row.number_or_none(1)?,
            best_speedup: row.number_or_none(2)?,
            worst_slowdown: row.number_or_none(3)?,
            usual_speedup: row.text(4).to_owned(),
        })
    })
}

/// The paper's base lines.
const AGAINST: [(&str, Kind); 2] =
    [("concrete lengths", Kind::new("parray", &[("method", "concrete")])), ("automaton", AUTOMATON)];

/// The comparison of section 5: how often PASS is faster, by how much at best, and how much slower at worst;
/// against the paper's two base lines and every other strategy of the run.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table(analysis: &Analysis<'_>) -> Result<Table, PublishedError> {
    let columns = vec![
        Column::text("against", "against"),
        Column::text("source", "source"),
        Column::number("both", "both solved"),
        Column::number("only_pass", "only PASS"),
        Column::number("only_other", "only the other"),
        Column::number("neither", "neither"),
        Column::number("unsupported", "left out: unsupported, wrong or crashed"),
        Column::number("faster_share", "PASS faster"),
        Column::number("best_speedup", "best speed-up"),
        Column::number("worst_slowdown", "worst slow-down"),
        Column::number("mean_speedup", "usual speed-up"),
        Column::number("times_10", "10 × faster"),
    ];
    let mut table = Table::new("pass-comparison", 0, columns);
    let dataset = analysis.dataset;
    let published = figures()?;
    let pass = PASS.all(dataset).next();
    let rivals = AGAINST.map(|(against, kind)| (against, kind.all(dataset).next()));
    for (against, strategy) in rivals {
        for row in published.iter().filter(|row| row.against == against) {
            let number = |value: Option<f64>| value.map_or_else(Cell::absent, |v| Cell::text(v.to_string()));
            table.push(vec![
                Cell::text(against),
                Cell::text("published"),
                Cell::absent(),
                Cell::absent(),
                Cell::absent(),
                Cell::absent(),
                Cell::absent(),
                row.faster_share.map_or_else(Cell::absent, share),
                number(row.best_speedup),
                number(row.worst_slowdown),
                if row.usual_speedup.is_empty() { Cell::absent() } else { Cell::text(&row.usual_speedup) },
            ]);
        }
        table.push(versus(&analysis.attempts, pass, against, strategy));
    }
    for strategy in dataset.strategies() {
        if pass != Some(strategy) && rivals.iter().all(|(_, rival)| *rival != Some(strategy)) {
            table.push(versus(&analysis.attempts, pass, "another method", Some(strategy)));
        }
    }
    table.note(format!(
        "{}. A condition that only one of two strategies solved counts as faster for that one; ratios are over \
         those that both solved. Times are of the phase solve without the start of Z3, which only one of two may need. Conditions that \
         one of the two does not support, got wrong or crashed on are left out of all other columns, and those that neither solved of the share.",
        pass.map_or_else(|| "PASS is not in this run".to_owned(), |name| format!("PASS is {name} here"))
    ));
    table.note(format!(
        "The usual speed-up is the geometric mean where it is measured; the paper gives a range. Its slow-down is against any other \
         method. The paper compares on several hundred path conditions that are not published, and calls its own comparison preliminary; \
         the conditions here are ours. Its words for automata are \"a magnitude of 1 or 2 orders\". Limit here: {}.",
        format::chosen(dataset.run.limits.time())
    ));
    Ok(table)
}

fn share(value: f64) -> Cell {
    Cell::pair(format!("{} %", format::significant(value * 100.0)), value.to_string())
}

/// PASS against one strategy.
fn versus(attempts: &[Attempt<'_>], pass: Option<&str>, against: &str, strategy: Option<&str>) -> Vec<Cell> {
    let mut pairs: BTreeMap<&str, [Option<f64>; 2]> = BTreeMap::new();
    let mut seen: [BTreeSet<&str>; 2] = [BTreeSet::new(), BTreeSet::new()];
    let mut unfit: BTreeSet<&str> = BTreeSet::new();
    for attempt in attempts {
        let is_side = |name: &Option<&str>| *name == Some(attempt.strategy);
        let Some(side) = [pass, strategy].iter().position(is_side) else { continue };
        pairs.entry(attempt.task).or_default()[side] = attempt.own_s;
        seen[side].insert(attempt.task);
        if matches!(of_attempt(attempt), Value::Unfit(_)) {
            unfit.insert(attempt.task);
        }
    }
    let measured = strategy.filter(|_| !seen[1].is_empty());
    let mut cells = vec![Cell::text(against), Cell::text(measured.unwrap_or("not in this run"))];
    pairs.retain(|task, _| seen.iter().all(|side| side.contains(task)));
    let all = pairs.len();
    pairs.retain(|task, _| !unfit.contains(task));
    let left_out = all - pairs.len();
    let pairs: Vec<[Option<f64>; 2]> = pairs.into_values().collect();
    if all == 0 {
        return cells;
    }
    let of = |pass: bool, other: bool| {
        pairs.iter().filter(|[p, o]| p.is_some() == pass && o.is_some() == other).count()
    };
    // How many times faster PASS is.
    let ratios: Vec<f64> = pairs
        .iter()
        .filter_map(|pair| match pair {
            [Some(pass), Some(other)] if *pass > 0.0 && *other > 0.0 => Some(other / pass),
            _ => None,
        })
        .collect();
    let (only_pass, only_other) = (of(true, false), of(false, true));
    let faster = ratios.iter().filter(|r| **r > 1.0).count() + only_pass;
    let compared = ratios.len() + only_pass + only_other;
    let times = |value: Option<f64>| {
        value.map_or_else(Cell::absent, |v| Cell::pair(format::significant(v), v.to_string()))
    };
    let fraction = |part: usize, all: usize| {
        if all == 0 { Cell::absent() } else { share(stats::sample::count(part) / stats::sample::count(all)) }
    };
    let best = ratios.iter().copied().reduce(f64::max).filter(|r| *r > 1.0);
    let worst = ratios.iter().copied().reduce(f64::min).filter(|r| *r < 1.0);
    let mean = if ratios.is_empty() {
        None
    } else {
        Some((ratios.iter().map(|r| r.ln()).sum::<f64>() / stats::sample::count(ratios.len())).exp())
    };
    cells.extend([
        Cell::count(of(true, true)),
        Cell::count(only_pass),
        Cell::count(only_other),
        Cell::count(of(false, false)),
        Cell::count(left_out),
        fraction(faster, compared),
        times(best),
        times(worst.map(f64::recip)),
        times(mean),
        fraction(ratios.iter().filter(|r| **r >= 10.0).count(), ratios.len()),
    ]);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_those_of_the_paper() {
        assert_eq!(figures().unwrap()[0].best_speedup, Some(150.0));
    }
}

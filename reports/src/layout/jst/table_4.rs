//! JST's table 4: relaxed against full solving on path trees.

use super::{
    Found, INPUTS, STOPPED, Ways, columns, counter, limits, measured_row, published_factor, published_row,
    range, ratio_row, rows, side, strategies, strategy_of, tree, way,
};
use crate::analysis::Analysis;
use crate::claim::measure::{Pairs, Side, Value, exact};
use crate::claim::{Bound, Claim, Expected, Finding, Measured, Unit};
use crate::dataset::{Dataset, Row};
use crate::layout::{Layout, Part};
use crate::output::ReportError;
use crate::published::{PublishedError, published};
use crate::stats::sample;
use crate::table::{Cell, Table};

/// The families of the trees that stand for the paper's: example B, then example A.
const FAMILIES: [&str; 2] = ["jst/example-b", "jst/example-a"];

/// Trees of our own, each for one thing that the paper says of relaxed solving: what tables call them, and
/// their families.
const OURS: [(&str, &str); 2] = [("example D", EXAMPLE_D), ("figure 5", FIGURE_5)];

/// Trees with ends that relaxed solving lets through.
const EXAMPLE_D: &str = "jst/example-d";

/// Trees with one feasible end, whose inner nodes take many iterations.
const FIGURE_5: &str = "jst/figure-5";

/// Trees that example B has and example A has not.
const ONLY_B: [&str; 2] = ["three-1", "three-2"];

/// JST's table 4.
#[derive(Debug)]
pub struct JstTable4;

impl Layout for JstTable4 {
    fn name(&self) -> &'static str {
        "jst-table-4"
    }

    fn about(&self) -> &'static str {
        "Path trees in relaxed and in full mode, as JST's table 4"
    }

    fn families(&self) -> Vec<&'static str> {
        FAMILIES.into_iter().chain(OURS.map(|(_, family)| family)).collect()
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        Ok(vec![Part::Table(table(analysis.dataset)?)])
    }

    fn claims(&self, analysis: &Analysis<'_>) -> Result<Vec<Finding>, ReportError> {
        let dataset = analysis.dataset;
        let seed = dataset.run.seed;
        let published = figures()?;
        let [relaxed, full, without_rules] = [0, 1, 2].map(|way| strategy_of(dataset, way));
        let on = |strategy: &str, families: &[&str], number: &dyn Fn(&Row) -> Option<f64>| {
            side(dataset, strategy, families, "without a model", number)
        };
        let own = |row: &Row| dataset.own_s(row);
        let limit = dataset.run.limits.time().as_secs_f64();
        let times = |slower: &str, families: &[&str]| {
            Pairs::new(&on(slower, families, &own), &on(relaxed, families, &own), seed)
                .and_then(|pairs| pairs.with_limit(limit).totals())
        };
        let ended = || Pairs::new(&on(full, &FAMILIES[..1], &own), &on(relaxed, &FAMILIES[..1], &own), seed);
        let paths = |name: &'static str| {
            let count = move |row: &Row| counter(row, name);
            Pairs::new(&on(relaxed, &FAMILIES[..1], &count), &on(full, &FAMILIES[..1], &count), seed)
        };
        let tentative = || {
            let count = |name: &'static str| {
                on(relaxed, &[FAMILIES[0], EXAMPLE_D], &move |row: &Row| counter(row, name))
            };
            Pairs::new(&count("paths_tentative"), &count("paths_true"), seed)?.totals()
        };
        let most = |family: usize| {
            let counts = on(relaxed, &FAMILIES[family..=family], &|row: &Row| counter(row, "iterations_max"));
            most(&counts)
        };
        let [faster, without, figure_5, ends, open, same, iterations_b, iterations_a] = CLAIMS;
        let timed_out = published.iter().filter(|row| row.without.time == "time-out").count();
        let share = sample::count(timed_out) / sample::count(published.len());
        let table_3 = table_3()?.iter().map(|row| row.iterations_max).max();
        let highest = |most: Option<u64>| {
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            most.map(|most| (most as f64, most as f64))
        };
        Ok(vec![
            Claim { published: range(&published, published_factor), ..faster }.judge(times(full, &FAMILIES)),
            Claim { published: range(&published, published_factor), ..without }
                .judge(times(without_rules, &FAMILIES[..1])),
            figure_5.judge(times(full, &[FIGURE_5])),
            Claim { published: Some((share, share)), ..ends }
                .judge(ended().and_then(|pairs| pairs.second_solves_more())),
            Claim {
                published: range(&published, |row| {
                    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
                    let ratio = row.with.tentative? as f64 / row.with.true_paths? as f64;
                    Some(ratio)
                }),
                ..open
            }
            .judge(tentative()),
            same.judge(paths("paths_true").and_then(|pairs| pairs.share(is_equal)).map(Measured::as_fact)),
            Claim { published: Some((268.0, 268.0)), ..iterations_b }.judge(most(0)),
            Claim { published: highest(table_3), ..iterations_a }.judge(most(1)),
        ])
    }
}

const PLACE: &str = "Ghosh and others, section V, table IV";

/// What the paper found; published figures are put in where they are read.
const CLAIMS: [Claim; 8] = [
    Claim {
        id: "relaxed-over-full",
        place: PLACE,
        says: "relaxed solving of inner nodes makes a tree faster than full solving everywhere",
        measure: "the total time, full : relaxed, of the trees of examples B and A (the paper's are of B)",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: None,
        reason: None,
    },
    Claim {
        id: "relaxed-over-none",
        place: PLACE,
        says: "relaxed solving and the exchange of constraints by rules make a tree faster than neither of the two",
        measure: "the total time, full without rules : relaxed, of the trees of example B",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: None,
        reason: None,
    },
    Claim {
        id: "relaxed-figure-5",
        place: "Ghosh and others, section IV-D, figure 5",
        says: "where one end of a tree is feasible, relaxed solving saves the iterations of the inner nodes",
        measure: "the total time, full : relaxed, of the trees of figure 5",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: None,
        reason: None,
    },
    Claim {
        id: "relaxed-ends",
        place: PLACE,
        says: "relaxed solving ends where full solving runs out of time",
        measure: "the share of trees of example B that end, relaxed less full",
        unit: Unit::Points,
        expected: Expected::Above(0.0),
        published: None,
        reason: None,
    },
    Claim {
        id: "tentative-paths",
        place: PLACE,
        says: "relaxed solving leaves ends open that full solving refutes",
        measure: "tentative : true paths of the trees of examples B and D",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: None,
        reason: None,
    },
    Claim {
        id: "same-paths",
        place: PLACE,
        says: "relaxed and full solving find the same number of true paths where both end",
        measure: "the share of trees of example B with as many true paths both ways",
        unit: Unit::Share,
        expected: Expected::Within(1.0, 1.0),
        published: Some((1.0, 1.0)),
        reason: None,
    },
    Claim {
        id: "iterations-b",
        place: "Ghosh and others, section V",
        says: "on example B no node needs more than 268 iterations in relaxed mode",
        measure: "the most iterations of a node of the trees of example B",
        unit: Unit::Count,
        expected: Expected::Within(0.0, 268.0),
        published: None,
        reason: None,
    },
    Claim {
        id: "iterations-a",
        place: "Ghosh and others, section V, table III",
        says: "on example A no node needs more than 24 iterations in relaxed mode",
        measure: "the most iterations of a node of the trees of example A",
        unit: Unit::Count,
        expected: Expected::Within(0.0, 24.0),
        published: None,
        reason: None,
    },
];

/// Whether two counts are equal.
#[expect(clippy::float_cmp, reason = "counts are whole numbers, which a double holds exactly")]
fn is_equal((one, other): (f64, f64)) -> bool {
    one == other
}

/// The largest number of a side; a lower bound where a tree did not end.
fn most(side: &Side) -> Result<Measured, String> {
    let numbers: Vec<f64> = side
        .values
        .values()
        .filter_map(|value| match value {
            Value::Number(number) => Some(*number),
            Value::Lost(_) | Value::Unfit(_) => None,
        })
        .collect();
    let most = numbers.iter().copied().reduce(f64::max).ok_or("no tree of it was answered")?;
    let left = side.values.len() - numbers.len();
    let remark = if left == 0 { String::new() } else { format!("left out: {left} that did not end") };
    let bound = Bound::of_ratio(left > 0, false);
    Ok(Measured { bound, ..exact(most, numbers.len(), side.name.clone(), remark) })
}

/// A row of JST's table 3: example A in relaxed mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relaxed {
    /// Such as `2 (subset 1)`.
    pub inputs: String,
    /// What was found.
    pub found: Found,
    /// The most iterations that a path condition needed.
    pub iterations_max: u64,
}

/// The published rows of example A.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn table_3() -> Result<Vec<Relaxed>, PublishedError> {
    let columns = ["inputs", "true_paths", "exceptions", "time", "iterations_max"];
    published!("jst-table-3.csv").rows(&columns, |row| {
        Ok(Relaxed {
            inputs: row.text(0).to_owned(),
            found: Found {
                true_paths: Some(row.number(1)?),
                tentative: None,
                exceptions: Some(row.number(2)?),
                time: row.text(3).to_owned(),
            },
            iterations_max: row.number(4)?,
        })
    })
}

/// The published rows: relaxed against full solving on example B.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figures() -> Result<Vec<Ways>, PublishedError> {
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
    published!("jst-table-4.csv").rows(&columns, |row| {
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

/// The column of the most iterations.
const ITERATIONS_MAX: usize = 12;

/// What rows of ratios are of: the ways that are compared with the first one.
const RATIOS: [(usize, &str); 2] = [(1, RATIO), (2, "full, no rules : relaxed")];

/// What the published rows of ratios are of.
const RATIO: &str = "full : relaxed";

/// What stands where a published row has no measured one.
const fn not_measured(has_tree: bool) -> &'static str {
    if has_tree { "not measured: not in this run" } else { "not measured: no such tree" }
}

/// Rows of the ratios of times where both ways ended.
fn measured_ratios(table: &mut Table, dataset: &Dataset, inputs: &str, rows: &[&Row]) {
    let time = |way: usize| {
        let of_way = rows.iter().find(|row| row.strategy() == strategy_of(dataset, way));
        of_way.and_then(|row| dataset.own_s(row))
    };
    for (way, title) in RATIOS {
        if let (Some(relaxed), Some(slower)) = (time(0), time(way)) {
            let source = format!("{} : {}", strategy_of(dataset, way), strategy_of(dataset, 0));
            table.push(ratio_row(inputs, title, &source, Some(slower / relaxed)));
        }
    }
}

/// The measured rows of one tree, and their ratios.
fn measured(table: &mut Table, dataset: &Dataset, inputs: &str, rows: &[&Row]) {
    for row in rows {
        table.push(measured_row(dataset, inputs, way(dataset, row.strategy()), row));
    }
    measured_ratios(table, dataset, inputs, rows);
}

/// The trees of a family, each once, by name.
fn trees<'a>(dataset: &'a Dataset, family: &str) -> Vec<&'a str> {
    let mut trees: Vec<&str> =
        dataset.rows().iter().filter(|row| row.record.family == family).map(tree).collect();
    trees.sort_unstable();
    trees.dedup();
    trees
}

/// Table 4: published rows above measured ones, for each choice of symbolic inputs; then the trees of example
/// A, whose published figures (table III) are of relaxed mode only.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table(dataset: &Dataset) -> Result<Table, PublishedError> {
    let mut table = Table::new("jst-table-4", 0, columns("way", "way"));
    let names = strategies(dataset);
    for published in figures()? {
        let inputs = &published.inputs;
        table.push(published_row(inputs, "relaxed", &published.with));
        table.push(published_row(inputs, "full", &published.without));
        table.push(ratio_row(inputs, RATIO, "published", published_factor(&published)));
        let tree = INPUTS.iter().find(|(paper, _)| paper == inputs);
        let rows = tree.map_or_else(Vec::new, |(_, name)| rows(dataset, FAMILIES[0], name, &names));
        if rows.is_empty() {
            table.push([inputs.as_str(), "", not_measured(tree.is_some())].map(Cell::text).to_vec());
        }
        measured(&mut table, dataset, inputs, &rows);
    }
    let mut others = trees(dataset, FAMILIES[1]);
    for published in table_3()? {
        let inputs = format!("example A, {}", published.inputs);
        let mut cells = published_row(&inputs, "relaxed", &published.found);
        cells[ITERATIONS_MAX] = Cell::text(published.iterations_max.to_string());
        table.push(cells);
        let tree = INPUTS.iter().find(|(paper, _)| *paper == published.inputs).map(|(_, name)| *name);
        // The paper has two choices of three inputs, we have all three of them: they are not the same.
        let rows = tree.map_or_else(Vec::new, |name| rows(dataset, FAMILIES[1], name, &names));
        if rows.is_empty() {
            let has_tree = tree.is_some_and(|tree| !ONLY_B.contains(&tree));
            table.push([inputs.as_str(), "", not_measured(has_tree)].map(Cell::text).to_vec());
        }
        measured(&mut table, dataset, &inputs, &rows);
        others.retain(|other| Some(*other) != tree);
    }
    for name in others {
        let inputs = format!("example A, {name}");
        measured(&mut table, dataset, &inputs, &rows(dataset, FAMILIES[1], name, &names));
    }
    for (title, family) in OURS {
        for name in trees(dataset, family) {
            let inputs = format!("{title}, {name}");
            measured(&mut table, dataset, &inputs, &rows(dataset, family, name, &names));
        }
    }
    table.note(
        "The paper's example B is a financial application that is not public; the trees here are of small programs of our own. \
         Only the shape can be compared: how many tentative paths relaxed solving leaves, and what full solving at every \
         node costs. So it is with example A, whose published rows are those of the paper's table III, in relaxed mode. Example D and figure 5 are ours: \
         D has ends that relaxed solving lets through, figure 5 the shape of tree for which section IV-D counts iterations.",
    );
    table.note(
        "The paper says in its text that its runs without relaxed mode lack the exchange of constraints by rules, too; \
         \"full\" has it, \"full, no rules\" has not.",
    );
    table.note(
        "True paths and exception paths: ends of paths with a model that was checked. Tentative: ends that throw nothing \
         and that relaxed solving does not refute, the true ones among them. Nodes left open: neither a model nor a \
         refutation, most of them inner nodes above infeasible ends. Where no node has a model there is no time: nothing confirms the \
         run. Times are of the phase solve without the start of Z3; rows of ratios compare them.",
    );
    table.note(STOPPED);
    table.note(limits(dataset));
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_those_of_the_paper() {
        let relaxed = figures().unwrap();
        assert_eq!(relaxed.len(), 8);
        let figures = table_3().unwrap();
        assert_eq!(figures.iter().filter_map(|row| row.found.true_paths).sum::<u64>(), 3127);
        assert_eq!(columns("way", "way")[ITERATIONS_MAX].name, "iterations_max");
        assert_eq!(relaxed.iter().filter(|row| row.without.true_paths.is_none()).count(), 5);
        assert!(relaxed[..3].iter().all(|row| row.with.tentative > row.with.true_paths));
    }
}

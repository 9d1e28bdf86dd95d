//! The tables of JST, on numbers and strings in iteration: path trees by relaxed and by full solving
//! ([`table_4`]), and with and without linear models of rounding ([`table_5`]).

pub mod table_4;
pub mod table_5;

use harness_model::{Status, Verdict};
use harness_smtlib::tree::{self, NodeKind};

use super::processor;
use crate::claim::measure::{Side, Value};
use crate::dataset::{Dataset, Row};
use crate::format;
use crate::layout::nodes::was_stopped_early;
use crate::strategy::Kind;
use crate::table::{Cell, Column};

/// The paper's names for the choices of inputs, and those of our trees. The paper's largest ones have no
/// tree.
const INPUTS: [(&str, &str); 7] = [
    ("1", "one"),
    ("2 (subset 1)", "two-1"),
    ("2 (subset 2)", "two-2"),
    ("3", "three"),
    ("3 (subset 1)", "three-1"),
    ("3 (subset 2)", "three-2"),
    ("4 (subset 1)", "four"),
];

/// The strategies that follow the paper's ways, and the ways.
///
/// What the paper's runs without relaxed solving did at the ends of paths is told in two ways: they solve in
/// full (table IV), and they lack the exchange of constraints by rules (the text above it). So there are two.
const WAYS: [(Kind, &str); 3] = [
    (Kind::new("hybrid", &[("mode", "staged"), ("rules", "true"), ("split", "narrow")]), "relaxed"),
    (Kind::new("hybrid", &[("mode", "full"), ("rules", "true"), ("split", "narrow")]), "full"),
    (Kind::new("hybrid", &[("mode", "full"), ("rules", "false"), ("split", "narrow")]), "full, no rules"),
];

/// What the tables note of a tree that was not answered to its end.
const STOPPED: &str = "Of a run that ended otherwise than by answering: the true and exception paths that it had found until then.";

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

/// The columns from the way on, alike in the two tables.
fn columns(first: &str, title: &str) -> Vec<Column> {
    vec![
        Column::text("inputs", "symbolic inputs"),
        Column::text(first, title),
        Column::text("source", "source"),
        Column::number("true_paths", "true paths"),
        Column::number("tentative_paths", "tentative paths").optional(),
        Column::number("exception_paths", "exception paths"),
        Column::number("open_nodes", "nodes left open"),
        Column::number("nodes", "nodes"),
        Column::number("nodes_full", "solved in full"),
        Column::number("nodes_relaxed", "relaxed"),
        Column::number("nodes_pruned", "below refuted ones"),
        Column::number("iterations", "iterations"),
        Column::number("iterations_max", "most for a node"),
        Column::text("status", "ended"),
        Column::number("time_s", "time"),
    ]
}

fn published_row(inputs: &str, way: &str, found: &Found) -> Vec<Cell> {
    let number = |value: Option<u64>| value.map_or_else(Cell::absent, |value| Cell::text(value.to_string()));
    let mut cells = vec![
        Cell::text(inputs),
        Cell::text(way),
        Cell::text("published"),
        number(found.true_paths),
        number(found.tentative),
        number(found.exceptions),
    ];
    cells.resize_with(cells.len() + 7, Cell::absent);
    cells.push(Cell::text(if found.time == "time-out" { "time-out" } else { "" }));
    cells.push(match found.time.as_str() {
        "" | "time-out" => Cell::absent(),
        time => Cell::text(time),
    });
    cells
}

/// How many ends of each kind have a model, of a row that was stopped before it could count them itself;
/// `None` for any other.
fn found_before(dataset: &Dataset, row: &Row) -> Option<[usize; 2]> {
    let text = &dataset.task(row.task())?.question.as_script()?.text;
    let tree = tree::read(text.as_bytes()).ok()??;
    let feasible = |kind| {
        let nodes = tree.nodes.iter().zip(&row.record.answers);
        nodes.filter(|(node, answer)| node.kind == kind && answer.verdict == Verdict::Sat).count()
    };
    was_stopped_early(&tree, row).then(|| [NodeKind::Leaf, NodeKind::Exception].map(feasible))
}

fn measured_row(dataset: &Dataset, inputs: &str, way: &str, row: &Row) -> Vec<Cell> {
    // Relaxed solving alone answers with unknown at best, and is counted like the others.
    let answered = matches!(row.status(), Status::Answered(_));
    let counter = |name: &str| match row.record.counters.get(name) {
        Some(value) => Cell::text(value.to_string()),
        // A counter that never counted is not there; after an answer it is 0.
        None if answered => Cell::text("0"),
        None => Cell::absent(),
    };
    let answers = &row.record.answers;
    let open = answers.iter().filter(|answer| answer.verdict == Verdict::Unknown).count();
    let [true_paths, exceptions] = match found_before(dataset, row) {
        Some(found) => found.map(Cell::count),
        None => ["paths_true", "paths_exception"].map(counter),
    };
    let nodes = dataset.task(row.task()).map_or(answers.len(), |task| task.question.asked());
    vec![
        Cell::text(inputs),
        Cell::text(way),
        Cell::text(row.strategy()),
        true_paths,
        counter("paths_tentative"),
        exceptions,
        if answered { Cell::count(open) } else { Cell::absent() },
        Cell::count(nodes),
        counter("nodes_full"),
        counter("nodes_relaxed"),
        counter("nodes_pruned"),
        counter("iterations"),
        counter("iterations_max"),
        Cell::text(match row.status() {
            Status::Answered(_) => "",
            Status::Timeout => "time-out",
            status => status.name(),
        }),
        Cell::seconds(dataset.own_s(row)),
    ]
}

/// Seconds of a published time such as `2 h 37 min`; `None` of anything else.
fn seconds_of(time: &str) -> Option<f64> {
    let words: Vec<&str> = time.split_whitespace().collect();
    let part = |pair: &[&str]| {
        let [number, unit] = pair else { return None };
        let scale = match *unit {
            "s" => 1.0,
            "min" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        number.parse::<f64>().ok().map(|number| number * scale)
    };
    let parts: Option<Vec<f64>> = words.chunks(2).map(part).collect();
    parts.filter(|parts| !parts.is_empty()).map(|parts| parts.iter().sum())
}

/// The smallest and the largest of what `of` gives for the published rows.
fn range(published: &[Ways], of: impl Fn(&Ways) -> Option<f64>) -> Option<(f64, f64)> {
    published.iter().filter_map(of).fold(None, |range, value| {
        let (low, high) = range.unwrap_or((value, value));
        Some((f64::min(low, value), f64::max(high, value)))
    })
}

/// How many times longer the second way of a published row took; `None` where one of the times is not known.
fn published_factor(row: &Ways) -> Option<f64> {
    Some(seconds_of(&row.without.time)? / seconds_of(&row.with.time)?)
}

/// A row of ratios of times under the rows of one choice of inputs: published or measured.
fn ratio_row(inputs: &str, title: &str, source: &str, ratio: Option<f64>) -> Vec<Cell> {
    let mut cells = [inputs, title, source].map(Cell::text).to_vec();
    cells.resize_with(14, Cell::absent);
    cells.push(Cell::ratio(ratio));
    cells
}

/// A strategy on the trees of a family, by the tree's name: `number` of its rows.
fn side(
    dataset: &Dataset,
    strategy: &str,
    families: &[&str],
    without: &'static str,
    number: impl Fn(&Row) -> Option<f64>,
) -> Side {
    let is_here = |row: &Row| families.contains(&row.record.family.as_str());
    let side = Side::of(dataset, strategy, is_here, without, number);
    // Tasks of one tree lie in several families; where families are compared, there is one of each name.
    let by_tree = |(task, value): (String, Value)| match (families, task.rsplit('/').next()) {
        ([_], Some(tree)) => (tree.to_owned(), value),
        _ => (task, value),
    };
    Side { name: side.name.clone(), values: side.values.into_iter().map(by_tree).collect() }
}

/// The first strategy that follows one of the paper's ways; an empty name where the run has none.
fn strategy_of(dataset: &Dataset, way: usize) -> &str {
    WAYS[way].0.all(dataset).next().unwrap_or_default()
}

/// A counter of an answered row; 0 when it never counted.
fn counter(row: &Row, name: &str) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "counters are far below 2^53")]
    let value = row.record.counters.get(name).copied().unwrap_or(0) as f64;
    Some(value)
}

/// The name of the tree that a task is about.
fn tree(row: &Row) -> &str {
    row.task().rsplit('/').next().unwrap_or_default()
}

/// The place of the way that a strategy follows; `None` for one that the paper does not have.
fn place(dataset: &Dataset, strategy: &str) -> Option<usize> {
    let row = dataset.strategy(strategy)?;
    WAYS.iter().position(|(kind, _)| kind.has(row))
}

/// The way that a strategy follows; empty for one that the paper does not have.
fn way(dataset: &Dataset, strategy: &str) -> &'static str {
    place(dataset, strategy).map_or("", |place| WAYS[place].1)
}

/// The strategies of the run, those of the paper first.
fn strategies(dataset: &Dataset) -> Vec<&str> {
    let mut names = dataset.strategies();
    names.sort_by_key(|name| place(dataset, name).unwrap_or(WAYS.len()));
    names
}

/// The rows of a family about one tree, in the order of `names`.
fn rows<'a>(dataset: &'a Dataset, family: &str, name: &str, names: &[&str]) -> Vec<&'a Row> {
    let mut rows: Vec<&Row> =
        dataset.rows().iter().filter(|row| row.record.family == family && tree(row) == name).collect();
    rows.sort_by_key(|row| names.iter().position(|n| *n == row.strategy()));
    rows
}

fn limits(dataset: &Dataset) -> String {
    format!(
        "Limits: published, 2000 iterations for a path condition and 48 hours for a run; measured, {} for a tree. Machine: \
         published, a quad-core Intel i7 at 3.4 GHz; measured, {}.",
        format::chosen(dataset.run.limits.time()),
        processor(dataset)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_times_are_read() {
        assert_eq!(seconds_of("2 h 37 min"), Some(9420.0));
        assert_eq!(seconds_of("7 s"), Some(7.0));
        assert_eq!(seconds_of("time-out"), None);
        assert_eq!(seconds_of(""), None);
    }
}

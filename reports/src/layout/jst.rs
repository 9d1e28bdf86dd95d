//! The tables of JST: path trees by relaxed and by full solving (table 4), and with and without linear models of rounding
//! (table 5).

use corpora::published::PublishedError;
use corpora::published::hybrid::{self, Found};
use harness_model::{Status, Verdict};
use harness_smtlib::tree::{self, NodeKind};

use crate::dataset::{Dataset, Row};
use crate::format;
use crate::layout::nodes::was_stopped_early;
use crate::table::{Cell, Column, Table};

/// The paper's names for the choices of inputs, and those of our trees. The paper's larger ones have no tree.
const INPUTS: [(&str, &str); 6] = [
    ("1", "one"),
    ("2 (subset 1)", "two-1"),
    ("2 (subset 2)", "two-2"),
    ("3", "three"),
    ("3 (subset 1)", "three-1"),
    ("3 (subset 2)", "three-2"),
];

/// Which way of the paper a strategy follows.
const WAYS: [(&str, &str); 2] = [("hybrid", "relaxed"), ("hybrid-full", "full")];

/// The families that [`table_4`] shows.
pub const TABLE_4: [&str; 2] = ["jst/example-b", "jst/example-a"];

/// The families that [`table_5`] shows.
pub const TABLE_5: [&str; 2] = ["jst/example-c", "jst/example-c/no-models"];

/// What the tables note of a tree that was not answered to its end.
const STOPPED: &str = "Of a run that ended otherwise than by answering: the true and exception paths that it had found until then.";

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

/// How many ends of each kind have a model, of a row that was stopped before it could count them itself; `None` for any other.
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
        Cell::seconds(row.solve_s()),
    ]
}

/// The name of the tree that a task is about.
fn tree(row: &Row) -> &str {
    row.task().rsplit('/').next().unwrap_or_default()
}

/// The hybrid strategies of the run, those of the paper first.
fn strategies(dataset: &Dataset) -> Vec<&str> {
    let mut names = dataset.strategies();
    names.sort_by_key(|name| WAYS.iter().position(|(s, _)| s == name).unwrap_or(WAYS.len()));
    names
}

/// The rows of a family about one tree, in the order of `names`.
fn rows<'a>(dataset: &'a Dataset, family: &str, name: &str, names: &[&str]) -> Vec<&'a Row> {
    let mut rows: Vec<&Row> =
        dataset.rows().iter().filter(|row| row.record.family == family && tree(row) == name).collect();
    rows.sort_by_key(|row| names.iter().position(|n| *n == row.strategy()));
    rows
}

/// Table 4: published rows above measured ones, for each choice of symbolic inputs; then the trees of example A, whose
/// published figures (table III) are of relaxed mode only and are not shown.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table_4(dataset: &Dataset) -> Result<Table, PublishedError> {
    let mut table = Table::new("jst-table-4", 0, columns("way", "way"));
    let names = strategies(dataset);
    let way = |row: &Row| WAYS.iter().find(|(name, _)| *name == row.strategy()).map_or("", |(_, way)| way);
    for published in hybrid::jst_table_4()? {
        let inputs = &published.inputs;
        table.push(published_row(inputs, "relaxed", &published.with));
        table.push(published_row(inputs, "full", &published.without));
        if let Some((_, name)) = INPUTS.iter().find(|(paper, _)| paper == inputs) {
            for row in rows(dataset, TABLE_4[0], name, &names) {
                table.push(measured_row(dataset, inputs, way(row), row));
            }
        }
    }
    let mut others: Vec<&str> =
        dataset.rows().iter().filter(|row| row.record.family == TABLE_4[1]).map(tree).collect();
    others.sort_unstable();
    others.dedup();
    for name in others {
        for row in rows(dataset, TABLE_4[1], name, &names) {
            table.push(measured_row(dataset, &format!("example A, {name}"), way(row), row));
        }
    }
    table.note(
        "The paper's example B is a financial application that is not public; the trees here are of small programs of our own. \
         Only the shape can be compared: how many tentative paths relaxed solving leaves, and what full solving at every \
         node costs.",
    );
    table.note(
        "True paths and exception paths: ends of paths with a model that was checked. Tentative: ends that throw nothing \
         and that relaxed solving does not refute, the true ones among them. Nodes left open: neither a model nor a \
         refutation, most of them inner nodes above infeasible ends. Where no node has a model there is no time: nothing confirms the \
         run.",
    );
    table.note(STOPPED);
    table.note(limits(dataset));
    Ok(table)
}

/// Table 5: published rows above measured ones, with and without linear models.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table_5(dataset: &Dataset) -> Result<Table, PublishedError> {
    const LINEAR: &str = "linear models";
    const NONE: &str = "none";
    let mut table = Table::new("jst-table-5", 0, columns("rounding", "models of rounding"));
    let names = strategies(dataset);
    for published in hybrid::jst_table_5()? {
        let inputs = &published.inputs;
        table.push(published_row(inputs, LINEAR, &published.with));
        table.push(published_row(inputs, NONE, &published.without));
        if let Some((_, name)) = INPUTS.iter().find(|(paper, _)| paper == inputs) {
            for (family, way) in TABLE_5.into_iter().zip([LINEAR, NONE]) {
                for row in rows(dataset, family, name, &names) {
                    table.push(measured_row(dataset, inputs, way, row));
                }
            }
        }
    }
    table.note(
        "The paper's example C is not public; the trees here are ours. With linear models: BigDecimal.setScale as integer \
         arithmetic on scaled decimals. Without: theirs asks the non-linear solver Coral; here the same tree rounds digit by \
         digit, through the text of the number, as code does that no model stands for.",
    );
    table.note(STOPPED);
    table.note(limits(dataset));
    Ok(table)
}

fn limits(dataset: &Dataset) -> String {
    format!(
        "Limits: published, 2000 iterations for a path condition and 48 hours for a run; measured, {} for a tree. Machine: \
         published, a quad-core Intel i7 at 3.4 GHz; measured, {}.",
        format::chosen(dataset.run.limits.time()),
        if dataset.run.machine.cpu.is_empty() { "an unknown processor" } else { &dataset.run.machine.cpu }
    )
}

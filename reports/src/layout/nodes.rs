//! Path trees node by node: how many iterations between numbers and strings each node took, and what became
//! of it.
//!
//! Not of one paper's trees: any run with path trees has this table, a user's own too.

use harness_model::{Status, Verdict};
use harness_smtlib::tree::{self, PathTree};

use crate::dataset::{Dataset, Row};
use crate::table::{Cell, Column, Table};

/// The counter of an answer.
const ITERATIONS: &str = "iterations";
/// Counters of a record: how its nodes were dealt with.
const NODES: [&str; 3] = ["nodes_full", "nodes_relaxed", "nodes_pruned"];

/// A row for each strategy on each tree of the run, first repeats only; its file has a row for each node.
/// `None` when the run has no path tree.
pub fn path_nodes(dataset: &Dataset) -> Option<Table> {
    let columns = vec![
        Column::text("tree", "tree"),
        Column::text("strategy", "strategy"),
        Column::text("status", "verdict"),
        Column::number("nodes", "nodes"),
        Column::number("sat", "feasible"),
        Column::number("unsat", "infeasible"),
        Column::number("open", "open"),
        Column::number("missing", "not reached").optional(),
        Column::number("nodes_full", "solved in full"),
        Column::number("nodes_relaxed", "relaxed"),
        Column::number("nodes_pruned", "below refuted ones"),
        Column::number("iterations", "iterations"),
        Column::number("median", "median of a node"),
        Column::number("most", "most of a node"),
        Column::text("most_at", "at node"),
        Column::number("solve_s", "time"),
    ];
    let mut people = Table::new("path-nodes", 1, columns);
    let mut programs = Table::new(
        "path-nodes",
        0,
        vec![
            Column::text("tree", "tree"),
            Column::text("strategy", "strategy"),
            Column::number("node", "node"),
            Column::number("parent", "below"),
            Column::number("depth", "depth"),
            Column::text("kind", "kind"),
            Column::text("name", "name"),
            Column::text("verdict", "verdict"),
            Column::number(ITERATIONS, "iterations"),
            Column::text("reason", "reason"),
        ],
    );
    for task in dataset.tasks() {
        let Some(script) = task.question.as_script() else { continue };
        // What cannot be read as a tree was refused by the strategies, with the reason.
        let Ok(Some(tree)) = tree::read(script.text.as_bytes()) else { continue };
        let rows = dataset.rows().iter().filter(|row| row.task() == task.id && row.record.key.repeat == 0);
        for row in rows {
            people.push(sums(&tree, row));
            each(&tree, row, &mut programs);
        }
    }
    if people.rows().is_empty() {
        return None;
    }
    people.note(
        "Feasible: with a model that was checked; infeasible: refuted; open: neither, as relaxed solving leaves each node that it does \
         not refute, unless an end below it gets a model; not reached: the run was stopped before. The table's file has a row for \
         each node, with its reason where it is open.",
    );
    people.note(
        "Solved in full, relaxed, below refuted ones (not solved at all): of strategies that tell these apart, when they come to the \
         end of the tree. Iterations: how often numbers were proposed and strings solved for them, at a node that was solved in full \
         by a strategy that counts them for each node; a node that is refuted before has none.",
    );
    people.programs_get(programs);
    Some(people)
}

/// The iterations of the answers of a row, by node, as far as they were counted.
fn iterations(row: &Row) -> impl Iterator<Item = (usize, u64)> {
    let answers = row.record.answers.iter().enumerate();
    answers.filter_map(|(node, answer)| Some((node, *answer.counters.get(ITERATIONS)?)))
}

/// What people see of a row. Of one that ran out of time, what it had answered until then; of one that is
/// wrong, nothing.
fn sums(tree: &PathTree, row: &Row) -> Vec<Cell> {
    let head = [row.task(), row.strategy(), row.status().name()].map(Cell::text);
    if !counts(tree, row) {
        return [&head[..], &[Cell::count(tree.nodes.len())]].concat();
    }
    let answers = &row.record.answers;
    let said = |verdict| answers.iter().filter(|a| a.verdict == verdict).count();
    let (feasible, infeasible) = (said(Verdict::Sat), said(Verdict::Unsat));
    let mut each: Vec<u64> = iterations(row).map(|(_, count)| count).collect();
    each.sort_unstable();
    let number = |value: Option<&u64>| value.map_or_else(Cell::absent, |value| Cell::text(value.to_string()));
    // The first one, when several have as many.
    let most = each.last().and_then(|most| iterations(row).find(|(_, count)| count == most));
    // A counter that never counted is not there.
    let tells = NODES.iter().any(|name| row.record.counters.contains_key(name));
    let solved = NODES.map(|name| {
        let count = row.record.counters.get(name).copied().unwrap_or(0);
        if tells { Cell::text(count.to_string()) } else { Cell::absent() }
    });
    let [full, relaxed, pruned] = solved;
    let rest = [
        Cell::count(tree.nodes.len()),
        Cell::count(feasible),
        Cell::count(infeasible),
        Cell::count(answers.len() - feasible - infeasible),
        Cell::count(tree.nodes.len().saturating_sub(answers.len())),
        full,
        relaxed,
        pruned,
        // A dash where none is counted, as by strategies that do not iterate.
        number(each.last().map(|_| each.iter().fold(0_u64, |sum, n| sum.saturating_add(*n))).as_ref()),
        // The lower one of two, which is one that occurs.
        number(each.get(each.len().saturating_sub(1) / 2)),
        number(each.last()),
        most.map_or_else(Cell::absent, |(node, _)| Cell::text(called(tree, node))),
        Cell::seconds(row.solve_s()),
    ];
    [&head[..], &rest[..]].concat()
}

/// Whether the answers of a row are what it said in time, and nothing contradicts them.
fn counts(tree: &PathTree, row: &Row) -> bool {
    matches!(row.status(), Status::Answered(_)) || was_stopped_early(tree, row)
}

/// Whether a row was stopped before it had answered all nodes. Where all answers are there, they came after
/// the limit.
pub fn was_stopped_early(tree: &PathTree, row: &Row) -> bool {
    matches!(row.status(), Status::Timeout | Status::Memout | Status::Crash)
        && row.record.answers.len() < tree.nodes.len()
}

/// What reports call a node: its name, or its place from 1.
fn called(tree: &PathTree, node: usize) -> String {
    let name = tree.nodes.get(node).map(|node| node.name.as_str()).filter(|name| !name.is_empty());
    name.map_or_else(|| (node + 1).to_string(), str::to_owned)
}

/// A row for each node.
fn each(tree: &PathTree, row: &Row, table: &mut Table) {
    for (place, node) in tree.nodes.iter().enumerate() {
        let answer = row.record.answers.get(place).filter(|_| counts(tree, row));
        let count = answer.and_then(|answer| answer.counters.get(ITERATIONS));
        table.push(vec![
            Cell::text(row.task()),
            Cell::text(row.strategy()),
            Cell::count(place + 1),
            node.parent.map_or_else(Cell::absent, |parent| Cell::count(parent + 1)),
            Cell::count(node.depth),
            Cell::text(node.kind.name()),
            Cell::text(&node.name),
            Cell::text(answer.map_or("", |answer| answer.verdict.name())),
            count.map_or_else(Cell::absent, |count| Cell::text(count.to_string())),
            Cell::text(answer.and_then(|answer| answer.reason.as_deref()).unwrap_or_default()),
        ]);
    }
}

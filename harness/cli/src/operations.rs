//! The table of operations and strategies, as the strategies of this build answer for themselves.
//!
//! A column is a family with its default options. Where a listed strategy of the family does otherwise, a
//! line under the table says so. Columns of strategies that take scripts and of those that take expressions
//! stand side by side: an operation that no question of a strategy can hold has no mark there.

use std::collections::BTreeMap;

use anyhow::bail;
use backends_api::{Options, Resolved, Treatment};
use harness_config::names::matches;
use harness_theory::Op;

/// A strategy and what it does with each operation of the table.
struct Column {
    name: String,
    cells: Vec<Option<Treatment>>,
}

/// Operations by strategies.
pub struct Table {
    operations: Vec<Op>,
    columns: Vec<Column>,
    /// The listed strategies that differ from the column of their family, together with others that differ
    /// alike.
    others: Vec<(Vec<String>, Vec<Change>)>,
}

/// In how many operations a strategy does one thing where its family does another by default.
struct Change {
    from: Treatment,
    to: Treatment,
    operations: usize,
}

impl Table {
    /// Of the operations and strategies that `names` choose: all of those of which it chooses none.
    ///
    /// # Errors
    ///
    /// When a name chooses nothing.
    pub fn new(names: &[String]) -> anyhow::Result<Self> {
        let registry = backends::registry();
        let mut chosen: Vec<Resolved<'_>> = Vec::new();
        let mut parts: Vec<&str> = Vec::new();
        for name in names {
            let before = chosen.len();
            match registry.resolve(name) {
                Some(found) => chosen.push(found),
                None => chosen.extend(registry.listed().into_iter().filter(|s| matches(name, &s.name()))),
            }
            if chosen.len() > before {
                continue;
            }
            if !Op::all().any(|op| op.name().contains(name.as_str())) {
                bail!(
                    "'{name}' is neither a strategy nor a part of an operation's name; 'harness list strategies' and 'harness list \
                     operations' show what there is"
                );
            }
            parts.push(name);
        }
        let operations: Vec<Op> = Op::all()
            .filter(|op| parts.is_empty() || parts.iter().any(|part| op.name().contains(part)))
            .collect();
        let cells = |strategy: &Resolved<'_>| -> Vec<Option<Treatment>> {
            let strategy = strategy.build();
            operations.iter().map(|&op| strategy.operation(op)).collect()
        };
        let mut table = Self { columns: Vec::new(), others: Vec::new(), operations: Vec::new() };
        if chosen.is_empty() {
            for family in registry.families() {
                let spec = family.spec();
                let usual = cells(&Resolved { family, options: Options::defaults(&spec.options) });
                let mut alike: BTreeMap<Vec<Option<Treatment>>, Vec<String>> = BTreeMap::new();
                for preset in &spec.presets {
                    let cells = cells(&Resolved { family, options: preset.options.clone() });
                    if cells != usual {
                        alike.entry(cells).or_default().push(preset.name.clone());
                    }
                }
                table.others.extend(alike.into_iter().map(|(cells, names)| (names, changes(&usual, &cells))));
                table.columns.push(Column { name: spec.id.to_owned(), cells: usual });
            }
        } else {
            table.columns = chosen.iter().map(|s| Column { name: s.name(), cells: cells(s) }).collect();
        }
        // Those that take every question whatever is in it are no column.
        table.columns.retain(|column| column.cells.iter().any(Option::is_some));
        table.operations = operations;
        Ok(table)
    }

    /// For people: a column of marks for each strategy, with its name above it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for treatment in Treatment::ALL {
            text.push_str(&format!("{}  {treatment:<8}  {}\n", mark(treatment), treatment.meaning()));
        }
        text.push('\n');
        for (place, column) in self.columns.iter().enumerate() {
            text.push_str(&format!("{}{}\n", "| ".repeat(place), column.name));
        }
        let mut group = None;
        for (row, op) in self.operations.iter().enumerate() {
            if group.replace(group_of(*op)).is_some_and(|before| before != group_of(*op)) {
                text.push('\n');
            }
            for column in &self.columns {
                text.push(column.cells[row].map_or(' ', mark));
                text.push(' ');
            }
            text.push_str(&format!(" {}\n", op.name()));
        }
        for (place, (names, changes)) in self.others.iter().enumerate() {
            text.push_str(if place == 0 { "\nOtherwise than its family:\n" } else { "" });
            let changes: Vec<String> = changes
                .iter()
                .map(|Change { from, to, operations }| format!("{to} where it is {from} ({operations})"))
                .collect();
            text.push_str(&format!("  {}\n    {}\n", names.join(", "), changes.join(", ")));
        }
        text
    }
}

/// The letter that stands for it.
const fn mark(treatment: Treatment) -> char {
    match treatment {
        Treatment::Native => 'n',
        Treatment::Lowered => 'l',
        Treatment::Weakened => 'w',
        Treatment::Partial => 'p',
        Treatment::Refused => 'r',
    }
}

/// Rows of one group stand together.
const fn group_of(op: Op) -> u8 {
    match op {
        Op::Core(_) => 0,
        Op::Arith(_) => 1,
        Op::Str(_) => 2,
        Op::Re(_) => 3,
        Op::Java(_) => 4,
    }
}

/// What is otherwise, by kind.
fn changes(usual: &[Option<Treatment>], cells: &[Option<Treatment>]) -> Vec<Change> {
    let mut counts: BTreeMap<(Treatment, Treatment), usize> = BTreeMap::new();
    for (from, to) in usual.iter().zip(cells) {
        if let (Some(from), Some(to)) = (from, to)
            && from != to
        {
            *counts.entry((*from, *to)).or_default() += 1;
        }
    }
    counts.into_iter().map(|((from, to), operations)| Change { from, to, operations }).collect()
}

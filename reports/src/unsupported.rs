//! What strategies said they cannot do, and how often.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use harness_model::Status;

use crate::dataset::Dataset;
use crate::table::{Cell, Column, Table};

/// The most operations that have a row; all are in the file.
const ROWS: usize = 10;
/// The most strategies named in a row.
const NAMES: usize = 6;

/// A row for each operation that was unsupported, most frequent first; `None` when there was none.
pub fn unsupported(dataset: &Dataset) -> Option<Table> {
    let order = dataset.strategies();
    let place = |name: &str| order.iter().position(|other| *other == name).unwrap_or(order.len());
    let mut counts: BTreeMap<&str, BTreeMap<(usize, &str), usize>> = BTreeMap::new();
    for row in dataset.rows().iter().filter(|row| row.status() == Status::Unsupported) {
        let of = counts.entry(without_position(&row.judgement.detail)).or_default();
        *of.entry((place(row.strategy()), row.strategy())).or_default() += 1;
    }
    if counts.is_empty() {
        return None;
    }
    let mut operations: Vec<_> = counts.into_iter().collect();
    operations.sort_by_key(|(operation, of)| (Reverse(of.values().sum::<usize>()), *operation));
    let mut long = Table::new(
        "unsupported",
        0,
        vec![
            Column::text("operation", "operation"),
            Column::text("strategy", "strategy"),
            Column::number("records", "records"),
        ],
    );
    let mut table = Table::new(
        "unsupported",
        0,
        vec![
            Column::text("operation", "operation"),
            Column::number("records", "records"),
            Column::text("strategies", "by strategy"),
        ],
    );
    for (i, (operation, of)) in operations.iter().enumerate() {
        for ((_, name), n) in of {
            long.push(vec![Cell::text(*operation), Cell::text(*name), Cell::count(*n)]);
        }
        if i < ROWS {
            let mut names: Vec<String> = of.iter().map(|((_, name), n)| format!("{name} {n}")).collect();
            let more = names.len().saturating_sub(NAMES);
            names.truncate(NAMES);
            if more > 0 {
                names.push(format!("and {more} more"));
            }
            let records = of.values().sum();
            table.push(vec![Cell::text(*operation), Cell::count(records), Cell::text(names.join(", "))]);
        }
    }
    if operations.len() > ROWS {
        table.note(format!("And {} more: see tables/unsupported.csv.", operations.len() - ROWS));
    }
    table.programs_get(long);
    Some(table)
}

/// A refusal of a script's reader without its place, which is another in each script.
fn without_position(detail: &str) -> &str {
    let numbers = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let found = detail.strip_prefix("line ").and_then(|rest| {
        let (line, rest) = rest.split_once(" column ")?;
        let (column, what) = rest.split_once(": ")?;
        (numbers(line) && numbers(column)).then_some(what)
    });
    found.unwrap_or(detail)
}

#[cfg(test)]
mod tests {
    use super::without_position;

    #[test]
    fn the_place_in_a_script_is_left_out() {
        assert_eq!(without_position("line 3 column 17: 'foo' is no function"), "'foo' is no function");
        assert_eq!(without_position("inRe (str.in_re)"), "inRe (str.in_re)");
        assert_eq!(without_position("line 3: column"), "line 3: column");
    }
}

//! A document as Markdown that is readable as it stands: columns are padded to one width.

use crate::document::{Block, Document};
use crate::table::{Align, Part, Table};

/// The text of `document`; pictures are looked for in `plots/`.
pub fn markdown(document: &Document) -> String {
    let mut blocks = Vec::new();
    for block in &document.blocks {
        blocks.push(match block {
            Block::Heading(level, text) => format!("{} {}\n", "#".repeat(usize::from(*level)), escape(text)),
            Block::Paragraph(text) | Block::Calm(text) => format!("{}\n", escape(text)),
            Block::Alarm(title, items) => alarm(title, items),
            Block::List(items) => list(items, "- "),
            Block::Table(table) => self::table(table),
            Block::Picture { name, alt } => format!("![{}](plots/{name}.svg)\n", escape(alt)),
        });
    }
    blocks.join("\n")
}

fn alarm(title: &str, items: &[String]) -> String {
    let mut out = format!("> [!CAUTION]\n> **{}**\n>\n", escape(title));
    out.push_str(&list(items, "> - "));
    out
}

fn list(items: &[String], bullet: &str) -> String {
    items.iter().map(|item| format!("{bullet}{}\n", escape(item))).collect()
}

/// A table by itself, with its notes.
pub fn table(table: &Table) -> String {
    let mut out = String::new();
    for part in table.parts() {
        if !out.is_empty() {
            out.push('\n');
        }
        if !part.heading.is_empty() {
            out.push_str(&format!("**{}**\n\n", escape(&part.heading)));
        }
        out.push_str(&grid(&part));
    }
    if !table.notes.is_empty() {
        out.push('\n');
        out.push_str(&list(&table.notes, "- "));
    }
    out
}

fn grid(part: &Part<'_>) -> String {
    let titles: Vec<String> = part.columns.iter().map(|column| escape(&column.title)).collect();
    let rows: Vec<Vec<String>> =
        part.rows.iter().map(|row| row.iter().map(|cell| escape(cell)).collect()).collect();
    let width = |c: usize| {
        rows.iter().map(|row| &row[c]).chain([&titles[c]]).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..titles.len()).map(|c| width(c).max(3)).collect();
    let line = |cells: &[String]| {
        let padded =
            cells.iter().zip(&widths).zip(&part.columns).map(|((cell, &width), column)| match column.align {
                Align::Left => format!(" {cell:<width$} |"),
                Align::Right => format!(" {cell:>width$} |"),
            });
        format!("|{}\n", padded.collect::<String>())
    };
    let rule = widths.iter().zip(&part.columns).map(|(&width, column)| match column.align {
        Align::Left => format!("{}|", "-".repeat(width + 2)),
        Align::Right => format!("{}:|", "-".repeat(width + 1)),
    });
    let mut out = line(&titles);
    out.push_str(&format!("|{}\n", rule.collect::<String>()));
    out.extend(rows.iter().map(|row| line(row)));
    out
}

/// Text so that no character of it is markup. An underscore inside a word is none and stays as it is.
pub(crate) fn escape(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let letter = |at: Option<usize>| at.and_then(|i| chars.get(i)).is_some_and(|c| c.is_alphanumeric());
    for (i, &c) in chars.iter().enumerate() {
        match c {
            '\n' | '\r' => out.push(' '),
            '_' if letter(i.checked_sub(1)) && letter(Some(i + 1)) => out.push(c),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' => out.extend(['\\', c]),
            // Only at the start of a line.
            '#' | '+' if i == 0 => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Cell, Column};

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new("t", 0, vec![Column::text("a", "strategy"), Column::number("n", "n")]);
        table.push(vec![Cell::text("x|y"), Cell::count(12_345)]);
        table.note("a note");
        assert_eq!(
            super::table(&table),
            "| strategy |     n |\n|----------|------:|\n| x\\|y     | 12345 |\n\n- a note\n"
        );
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("peak_rss *a* <b>\n_c_"), "peak_rss \\*a\\* \\<b\\> \\_c\\_");
    }
}

//! A table as LaTeX, for papers: `\input` it inside of a `table` environment. Needs the package `booktabs`
//! and no other.
//!
//! It shows what the Markdown of the same table shows: rounded cells, parts under headings, notes below. The
//! exact figures are in the CSV beside it.

use crate::table::{Align, Table};

/// The `tabular` of `table`, with its notes below in small type.
pub fn latex(table: &Table) -> String {
    let parts = table.parts();
    let mut out =
        format!("% Table {}. Made by harness; needs \\usepackage{{booktabs}}.\n", comment(&table.name));
    let Some(first) = parts.first() else {
        out.push_str("% It has no rows.\n");
        return out;
    };
    let sides: String = first
        .columns
        .iter()
        .map(|column| match column.align {
            Align::Left => 'l',
            Align::Right => 'r',
        })
        .collect();
    out.push_str(&format!("\\begin{{tabular}}{{{sides}}}\n\\toprule\n"));
    let titles: Vec<String> = first.columns.iter().map(|column| escape(&column.title)).collect();
    out.push_str(&row(&titles));
    for part in &parts {
        out.push_str("\\midrule\n");
        if !part.heading.is_empty() {
            out.push_str(&format!(
                "\\multicolumn{{{}}}{{l}}{{\\textbf{{{}}}}} \\\\\n",
                first.columns.len(),
                escape(&part.heading)
            ));
        }
        for cells in &part.rows {
            out.push_str(&row(&cells.iter().map(|cell| escape(cell)).collect::<Vec<_>>()));
        }
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
    if !table.notes.is_empty() {
        out.push_str("\\par\\smallskip\n{\\footnotesize\n");
        for note in &table.notes {
            out.push_str(&format!("{}\\par\n", escape(note)));
        }
        out.push_str("}\n");
    }
    out
}

fn row(cells: &[String]) -> String {
    format!("{} \\\\\n", cells.join(" & "))
}

/// Text in a comment: one line.
fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Text so that LaTeX shows it as it is, with any of its encodings of fonts.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '#' | '$' | '%' | '&' | '_' => out.extend(['\\', c]),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("\\char34{}"),
            '\'' => out.push_str("\\char39{}"),
            '`' => out.push_str("\\char96{}"),
            // At the start of a row they would belong to the line break before it.
            '[' | ']' | '*' => out.extend(['{', c, '}']),
            // Two of them would become a dash, or a low quote.
            '-' | ',' if before == c => out.extend(['{', '}', c]),
            '–' => out.push_str("--"),
            '—' => out.push_str("---"),
            '…' => out.push_str("\\ldots{}"),
            '×' => out.push_str("$\\times$"),
            'µ' | 'μ' => out.push_str("$\\mu$"),
            '→' => out.push_str("$\\rightarrow$"),
            '≤' => out.push_str("$\\leq$"),
            '≥' => out.push_str("$\\geq$"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Cell, Column};

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(
            escape("50% of a_b & {c} # $x$ \\y ~ ^"),
            "50\\% of a\\_b \\& \\{c\\} \\# \\$x\\$ \\textbackslash{}y \\textasciitilde{} \\textasciicircum{}"
        );
        assert_eq!(escape("--a, [b] 1.2 µs – 3×"), "-{}-a, {[}b{]} 1.2 $\\mu$s -- 3$\\times$");
        assert_eq!(escape("a\nb"), "a b");
    }

    #[test]
    fn parts_stand_under_their_headings() {
        let mut table = Table::new(
            "t",
            1,
            vec![Column::text("family", "family"), Column::text("s", "strategy"), Column::number("n", "n")],
        );
        for (family, n) in [("a_1", 1), ("a_1", 2), ("b", 3)] {
            table.push(vec![Cell::text(family), Cell::text("[x]"), Cell::count(n)]);
        }
        table.note("100 % sure");
        assert_eq!(
            latex(&table),
            "% Table t. Made by harness; needs \\usepackage{booktabs}.\n\\begin{tabular}{lr}\n\\toprule\nstrategy & n \\\\\n\
             \\midrule\n\\multicolumn{2}{l}{\\textbf{a\\_1}} \\\\\n{[}x{]} & 1 \\\\\n{[}x{]} & 2 \\\\\n\
             \\midrule\n\\multicolumn{2}{l}{\\textbf{b}} \\\\\n{[}x{]} & 3 \\\\\n\\bottomrule\n\\end{tabular}\n\
             \\par\\smallskip\n{\\footnotesize\n100 \\% sure\\par\n}\n"
        );
        assert!(latex(&Table::new("none", 0, Vec::new())).contains("no rows"));
    }
}

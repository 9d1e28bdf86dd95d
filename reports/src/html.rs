//! Documents as markup, in which no text is read as such; and a document as a page of its own: styles inside,
//! no script, nothing fetched but the pictures beside it.

use crate::document::{Block, Document};
use crate::table::{Align, Part, Table};

/// Colours follow the reader's light or dark setting; pictures stay on white, as they are drawn for it.
const STYLE: &str = "
:root { color-scheme: light dark; --fg: #1b1f24; --bg: #ffffff; --line: #d0d7de; --soft: #f3f5f7; --bad: #b3261e; --good: #1a7f4b; }
@media (prefers-color-scheme: dark) { :root { --fg: #e6e8eb; --bg: #14171a; --line: #3a4048; --soft: #1e2328; --bad: #ff8a80; --good: #6fd79f; } }
body { margin: 0 auto; padding: 1.5rem; max-width: 80rem; background: var(--bg); color: var(--fg); font: 16px/1.5 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.2; margin: 2rem 0 .75rem; }
h1 { margin-top: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1rem; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .4rem 0; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { background: var(--soft); vertical-align: bottom; }
td.r, td:first-child { white-space: nowrap; }
.r { text-align: right; }
.alarm { border: 2px solid var(--bad); border-radius: 6px; padding: .25rem 1rem; margin: 1rem 0; }
.alarm strong { color: var(--bad); font-size: 1.2rem; }
.calm { border-left: 4px solid var(--good); padding-left: .75rem; }
.alarm li { overflow-wrap: anywhere; }
.notes { font-size: .85rem; }
figure { margin: 1rem 0; }
img { max-width: 100%; height: auto; background: #fff; border: 1px solid var(--line); border-radius: 4px; }
figcaption { font-size: .85rem; }
";

/// The page; pictures are looked for in `plots/`.
pub fn html(title: &str, document: &Document) -> String {
    let beside = |name: &str| Some(format!("plots/{}.svg", escape(name)));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
        escape(title),
        blocks(&document.blocks, &beside)
    )
}

/// Blocks as markup. `picture` gives the address of a picture, already escaped; one without is only linked
/// to.
pub(crate) fn blocks<'a>(
    blocks: impl IntoIterator<Item = &'a Block>,
    picture: &dyn Fn(&str) -> Option<String>,
) -> String {
    let mut out = String::new();
    for block in blocks {
        match block {
            Block::Heading(level, text) => out.push_str(&format!("<h{level}>{}</h{level}>\n", escape(text))),
            Block::Paragraph(text) => out.push_str(&format!("<p>{}</p>\n", escape(text))),
            Block::Calm(text) => out.push_str(&format!("<p class=\"calm\">{}</p>\n", escape(text))),
            Block::Alarm(title, items) => out.push_str(&format!(
                "<section class=\"alarm\" role=\"alert\">\n<p><strong>{}</strong></p>\n{}</section>\n",
                escape(title),
                list(items, "")
            )),
            Block::List(items) => out.push_str(&list(items, "")),
            Block::Table(table) => out.push_str(&self::table(table)),
            Block::Picture { name, alt } => {
                let image = picture(name)
                    .map(|address| {
                        format!("<img src=\"{address}\" alt=\"{}\" loading=\"lazy\">\n", escape(alt))
                    })
                    .unwrap_or_default();
                out.push_str(&format!(
                    "<figure>\n{image}<figcaption>{1} (<a href=\"plots/{0}.svg\">SVG</a>, <a href=\"plots/{0}.png\">PNG</a>)\
                     </figcaption>\n</figure>\n",
                    escape(name),
                    escape(alt)
                ));
            }
        }
    }
    out
}

fn list(items: &[String], class: &str) -> String {
    let items: String = items.iter().map(|item| format!("<li>{}</li>\n", escape(item))).collect();
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    format!("<ul{class}>\n{items}</ul>\n")
}

fn table(table: &Table) -> String {
    let mut out: String = table.parts().iter().map(grid).collect();
    if !table.notes.is_empty() {
        out.push_str(&list(&table.notes, "notes"));
    }
    out.push_str(&format!(
        "<p class=\"notes\">Exact figures: <a href=\"tables/{0}.csv\">tables/{0}.csv</a></p>\n",
        escape(&table.name)
    ));
    out
}

fn grid(part: &Part<'_>) -> String {
    let class = |c: usize| match part.columns[c].align {
        Align::Left => "",
        Align::Right => " class=\"r\"",
    };
    let mut out = "<div class=\"scroll\">\n<table>\n".to_owned();
    if !part.heading.is_empty() {
        out.push_str(&format!("<caption>{}</caption>\n", escape(&part.heading)));
    }
    out.push_str("<thead><tr>");
    for (c, column) in part.columns.iter().enumerate() {
        out.push_str(&format!("<th scope=\"col\"{}>{}</th>", class(c), escape(&column.title)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &part.rows {
        let cells: String = row
            .iter()
            .enumerate()
            .map(|(c, cell)| format!("<td{}>{}</td>", class(c), escape(cell)))
            .collect();
        out.push_str(&format!("<tr>{cells}</tr>\n"));
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    out
}

/// Text so that no character of it is markup, also inside quotes.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_witness_cannot_break_the_page() {
        let mut document = Document::default();
        document.paragraph("<script>alert(\"x\")</script>");
        let page = html("a & b", &document);
        assert!(page.contains("<title>a &amp; b</title>"));
        assert!(page.contains("&lt;script&gt;alert(&quot;x&quot;)"), "{page}");
    }
}

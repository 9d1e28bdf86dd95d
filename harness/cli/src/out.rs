//! Standard output and standard error, written so that a reader who goes away early is no error.

use std::env;
use std::fmt::{self, Display};
use std::io::{self, IsTerminal, Write};

/// Writes `text` to standard output.
///
/// # Errors
///
/// When it cannot be written; not when the reader has closed it, which is their right: `harness list | head
/// -1`.
pub fn print(text: impl Display) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match write!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("cannot write to standard output"))
        }
        _ => Ok(()),
    }
}

/// Tells people something on standard error; there is no way to tell that this failed.
pub fn tell(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// An error and its causes on one line. A cause that the message before it has told already is not told
/// again.
pub fn causes(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Text of strangers on one line: names, details, what a solver said. Line ends and other characters that
/// control a terminal are spelled out, and nothing in it is a command to GitHub, which reads what a job
/// prints: `::error::` and `##[error]`.
pub fn line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        // Separators of lines and paragraphs, and what turns the direction of text round.
        let hidden = matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || hidden {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line = line.replace("##[", "# #[");
    // Blanks before it would not hide it.
    if let Some(rest) = line.trim_start().strip_prefix("::") {
        line = format!(": :{rest}");
    }
    line
}

/// A message of several lines, which may quote what strangers wrote: what controls a terminal is spelled out.
/// Lines and tabs stay, since places in a file are shown below each other.
pub fn message(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let hidden = matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if hidden || (c.is_control() && !matches!(c, '\n' | '\t')) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Text that must be seen: bold and red where standard output is a terminal that wants colours.
pub struct Loud<T>(pub T);

impl<T: Display> Display for Loud<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if coloured() { write!(f, "\x1b[1;31m{}\x1b[0m", self.0) } else { self.0.fmt(f) }
    }
}

/// As <https://no-color.org> has it.
fn coloured() -> bool {
    io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A table of text: the columns as wide as their widest cell, the first one flush left, the others flush
/// right. Each row is one [line](line()), whatever is in its cells.
pub fn table(rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| line(cell)).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            if column == 0 {
                line.push_str(&format!("{cell:width$}"));
            } else {
                line.push_str(&format!("  {cell:>width$}"));
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A list of names with one line on each.
pub fn names<'a>(rows: impl IntoIterator<Item = (&'a str, &'a str)> + Clone) -> String {
    let width = rows.clone().into_iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let line = |(name, about): (&str, &str)| format!("  {name:width$}  {about}").trim_end().to_owned() + "\n";
    rows.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cause_is_told_twice() {
        let error = anyhow::anyhow!("disk full").context("a.txt: disk full").context("no report");
        assert_eq!(causes(&error), "no report: a.txt: disk full");
    }

    #[test]
    fn strangers_stay_on_their_line() {
        for (text, shown) in [
            ("a task", "a task"),
            ("boom\n::error::x", "boom\\n::error::x"),
            (" ::error::x", ": :error::x"),
            ("\u{1b}[31mred\r\u{202e}", "\\u{1b}[31mred\\r\\u{202e}"),
            ("x ##[add-mask]y", "x # #[add-mask]y"),
            ("ä µ 😀 a::b", "ä µ 😀 a::b"),
        ] {
            assert_eq!(line(text), shown);
        }
        assert_eq!(message("a\u{1b}[31m\n\tb\r\u{202e}"), "a\\u{1b}[31m\n\tb\\r\\u{202e}");
        assert_eq!(table(&[vec!["::a\nb".to_owned(), "1".to_owned()]]), ": :a\\nb  1\n");
    }

    #[test]
    fn columns_line_up() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = [row(["strategy", "solved", "µs"]), row(["a", "12", "3.5"]), row(["long-name-b", "", ""])];
        assert_eq!(table(&rows), "strategy     solved   µs\na                12  3.5\nlong-name-b\n");
        assert_eq!(names([("a", "first"), ("bcd", "")]), "  a    first\n  bcd\n");
    }
}

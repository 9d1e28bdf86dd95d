//! What is wrong with a configuration, and where.

use std::fmt;
use std::path::PathBuf;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// From 1.
    pub line: u64,
    /// In characters, from 1.
    pub column: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where; nowhere when it is about the file as a whole.
    pub at: Option<Position>,
    /// What, and the way out.
    pub message: String,
}

/// A configuration that cannot be used: everything that is wrong with it, in the order of the file.
///
/// A file that is not of the right shape has one diagnostic, since the rest cannot be read; a well-formed one
/// has as many as there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file, as it was named.
    pub path: PathBuf,
    /// At least one.
    pub diagnostics: Vec<Diagnostic>,
    /// The text of the file, for showing its lines; empty when it could not be read.
    text: String,
}

impl ConfigError {
    /// An error about `path`, whose text is `text`. Sorts the diagnostics by position.
    pub fn new(path: impl Into<PathBuf>, text: &str, mut diagnostics: Vec<Diagnostic>) -> Self {
        diagnostics.sort_by_key(|p| p.at);
        Self { path: path.into(), diagnostics, text: text.to_owned() }
    }

    /// One diagnostic.
    pub fn single(
        path: impl Into<PathBuf>,
        text: &str,
        at: Option<Position>,
        message: impl Into<String>,
    ) -> Self {
        Self::new(path, text, vec![Diagnostic { at, message: message.into() }])
    }
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.diagnostics.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{}:", self.path.display())?;
            let Some(at) = diagnostic.at else {
                write!(f, " {}", diagnostic.message)?;
                continue;
            };
            write!(f, "{at}: {}", diagnostic.message)?;
            let line = usize::try_from(at.line).ok().and_then(|n| self.text.lines().nth(n.checked_sub(1)?));
            if let Some(line) = line {
                show_line(f, at, line)?;
            }
        }
        Ok(())
    }
}

/// The line and a caret under the column. Tabs become blanks, so that the caret stands where it should; the
/// start of a line that is very long is left out.
fn show_line(f: &mut fmt::Formatter<'_>, at: Position, line: &str) -> fmt::Result {
    const WIDEST: usize = 100;
    let before = usize::try_from(at.column).unwrap_or(1).saturating_sub(1);
    let skip = if before < WIDEST { 0 } else { before - WIDEST / 2 };
    let shown: String =
        line.chars().skip(skip).take(WIDEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let gutter = at.line.to_string().len();
    write!(f, "\n  {} | {}", at.line, shown.trim_end())?;
    write!(f, "\n  {:gutter$} | {:indent$}^", "", "", indent = before - skip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_line() {
        let at = Position { line: 2, column: 3 };
        let error = ConfigError::single("a.yaml", "x: 1\n\t y: 2  \n", Some(at), "no such key");
        assert_eq!(error.to_string(), "a.yaml:2:3: no such key\n  2 |   y: 2\n    |   ^");
    }

    #[test]
    fn without_a_place_and_beyond_the_text() {
        let error = ConfigError::new(
            "a.yaml",
            "",
            vec![
                Diagnostic { at: Some(Position { line: 9, column: 1 }), message: "later".into() },
                Diagnostic { at: None, message: "first".into() },
            ],
        );
        assert_eq!(error.to_string(), "a.yaml: first\na.yaml:9:1: later");
    }

    #[test]
    fn a_long_line_is_cut() {
        let text = format!("{}?", "x".repeat(500));
        let at = Position { line: 1, column: 501 };
        let shown = ConfigError::single("a", &text, Some(at), "m").to_string();
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[1].find('?'), lines[2].find('^'));
        assert!(lines[1].len() < 120);
    }
}

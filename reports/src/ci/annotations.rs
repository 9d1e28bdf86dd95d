//! Workflow commands of GitHub Actions: `::error title=TITLE::MESSAGE`, which become annotations of the job
//! that prints them.
//!
//! Escapes are those of the runner (`actions/toolkit`, `core/src/command.ts`): in messages `%`, carriage
//! return and line feed; in properties also `:` and `,`.

use harness_regress::{Comparison, Decision};

use super::findings::{Finding, Level, findings};
use super::headline;
use crate::format::counted;

/// The most errors, and the most warnings, of one step that GitHub shows; it drops the others.
const SHOWN: usize = 10;

/// One line each of what was found, errors first, at most ten of them and ten warnings: where there are more,
/// the tenth says how many. A comparison that is fine gives one notice.
pub fn annotations(comparison: &Comparison) -> String {
    let found = findings(comparison);
    let (errors, warnings): (Vec<&Finding>, Vec<&Finding>) =
        found.iter().partition(|finding| finding.level == Level::Error);
    let mut out = String::new();
    push(&mut out, "error", &errors);
    push(&mut out, "warning", &warnings);
    if comparison.decision == Decision::Fine {
        let text =
            format!("{}: no regression against {}.", comparison.name, super::side(&comparison.baseline));
        out.push_str(&line("notice", headline(comparison), &text));
    }
    out
}

fn push(out: &mut String, level: &str, found: &[&Finding]) {
    let shown = if found.len() > SHOWN { SHOWN - 1 } else { found.len() };
    for finding in &found[..shown] {
        out.push_str(&line(level, &finding.title, &finding.text));
    }
    if found.len() > shown {
        let text = format!("{} are not shown here.", counted(found.len() - shown, "finding", "findings"));
        out.push_str(&line(level, "And more", &text));
    }
}

fn line(level: &str, title: &str, message: &str) -> String {
    format!("::{level} title={}::{}\n", property(title), data(message))
}

/// A message with its escapes.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property with its escapes.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(
            line("error", "a:b,c%\n", "x: 5 %, y\r\n::warning::z"),
            "::error title=a%3Ab%2Cc%25%0A::x: 5 %25, y%0D%0A::warning::z\n"
        );
    }
}

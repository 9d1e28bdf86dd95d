//! How a run of a history is named.

use std::fmt;
use std::str::FromStr;

/// Which run is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// The one that started last: `latest`, or `history` for a baseline.
    Latest,
    /// The last one of a commit, which the beginning of its name may stand for: `COMMIT`, or
    /// `history@COMMIT`.
    Commit(String),
    /// The one with a number of `harness history list`: `#7`.
    Number(i64),
}

/// The least number of letters that stand for a commit which goes on after them.
pub(crate) const LEAST_PREFIX: usize = 4;

impl Selector {
    /// The run that a baseline's name means, if it names one in a history: `history` or `history@COMMIT`, and
    /// `#N` for a number after the `@`.
    ///
    /// # Errors
    ///
    /// When nothing follows the `@`, or what follows names no run.
    pub fn of_baseline(name: &str) -> Option<Result<Self, String>> {
        let rest = name.strip_prefix("history")?;
        if rest.is_empty() {
            return Some(Ok(Self::Latest));
        }
        rest.strip_prefix('@').map(str::parse)
    }
}

impl FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix("history@").unwrap_or(text);
        if text == "latest" || text == "history" {
            return Ok(Self::Latest);
        }
        if let Some(number) = text.strip_prefix('#') {
            return number
                .parse()
                .ok()
                .filter(|number| *number > 0)
                .map(Self::Number)
                .ok_or_else(|| format!("'{text}' is no number of a run, such as #7"));
        }
        if text.is_empty() || text.len() > 200 || text.contains(|c: char| c.is_control() || c.is_whitespace())
        {
            return Err(format!("{text:?} names no run: use 'latest', a commit, or a number such as #7"));
        }
        Ok(Self::Commit(text.to_owned()))
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latest => f.write_str("latest"),
            Self::Commit(commit) => f.write_str(commit),
            Self::Number(number) => write!(f, "#{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_runs() {
        for (text, meant) in [
            ("latest", Selector::Latest),
            ("history", Selector::Latest),
            ("#12", Selector::Number(12)),
            ("3f2a9c", Selector::Commit("3f2a9c".into())),
            ("history@v1.2", Selector::Commit("v1.2".into())),
            ("history@#3", Selector::Number(3)),
        ] {
            assert_eq!(text.parse(), Ok(meant), "{text}");
        }
        for text in ["", "#", "#0", "#-1", "#x", "a b", "a\nb"] {
            assert!(text.parse::<Selector>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_baseline_is_a_run_of_the_history_or_something_else() {
        assert_eq!(Selector::of_baseline("history"), Some(Ok(Selector::Latest)));
        assert_eq!(Selector::of_baseline("history@abc1"), Some(Ok(Selector::Commit("abc1".into()))));
        assert!(Selector::of_baseline("history@").is_some_and(|parsed| parsed.is_err()));
        assert_eq!(Selector::of_baseline("history-of-runs"), None);
        assert_eq!(Selector::of_baseline("out/before"), None);
    }
}

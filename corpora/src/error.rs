//! What can go wrong between a name and its tasks.

use std::path::PathBuf;

/// Why there are no tasks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CorpusError {
    /// There is no such corpus.
    #[error("there is no corpus '{name}'{hint}")]
    UnknownCorpus {
        /// As asked for.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// There is no such recipe.
    #[error("there is no recipe '{name}'{hint}")]
    UnknownRecipe {
        /// As asked for.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// The corpus or file has no such expression.
    #[error("{place} has no expression '{name}'{hint}")]
    UnknownRegex {
        /// The corpus or file.
        place: String,
        /// As asked for.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// The corpus has no such script.
    #[error("{place} has no script '{name}'{hint}")]
    UnknownScript {
        /// The corpus.
        place: String,
        /// As asked for.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// Nothing is left to do.
    #[error("{place}: no task is left: {why}")]
    Empty {
        /// The corpus or file.
        place: String,
        /// What left nothing.
        why: &'static str,
    },
    /// A line of a file that cannot be read.
    #[error("{}:{line}: {what}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong, and the way out.
        what: String,
    },
    /// A file that cannot be read.
    #[error("{}: {what}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        what: String,
    },
}

/// The end of a message about a wrong name: the nearest right one, else all of them if they are few.
pub(crate) fn hint<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let close = known.iter().map(|name| (strsim::osa_distance(wrong, name), name)).min();
    match close {
        Some((distance, name)) if distance <= (name.len() / 3).max(1) => format!(": did you mean '{name}'?"),
        _ if !known.is_empty() && known.len() <= 12 => format!(": there are {}", known.join(", ")),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints() {
        assert_eq!(hint("A8w", ["A7", "A8v", "A9"]), ": did you mean 'A8v'?");
        assert_eq!(hint("unlike", ["A7", "A9"]), ": there are A7, A9");
        assert_eq!(hint("unlike", []), "");
    }
}

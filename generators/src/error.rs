//! What can go wrong between a family's name and its tasks.

/// Why there are no tasks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GeneratorError {
    /// There is no such family.
    #[error("there is no generator '{name}'{hint}")]
    UnknownGenerator {
        /// As asked for.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// The family has no such parameter.
    #[error("generator '{generator}' has no parameter '{name}'{hint}")]
    UnknownParam {
        /// The family.
        generator: &'static str,
        /// As given.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// A parameter's value cannot be used.
    #[error("generator '{generator}', parameter '{name}': {what}")]
    BadParam {
        /// The family.
        generator: &'static str,
        /// The parameter.
        name: &'static str,
        /// What is wrong, and what would be right.
        what: String,
    },
    /// Nothing comes of these parameters.
    #[error(
        "generator '{generator}' makes no task of these parameters; give at least one alphabet and one size"
    )]
    Empty {
        /// The family.
        generator: &'static str,
    },
}

/// The end of a message about a wrong name: the nearest right one, else all of them.
pub(crate) fn hint<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match known.iter().map(|name| (strsim::osa_distance(wrong, name), name)).min() {
        Some((distance, name)) if distance <= (name.len() / 3).max(1) => format!(": did you mean '{name}'?"),
        Some(_) => format!(": there are {}", known.join(", ")),
        None => String::new(),
    }
}

//! The names that a configuration may use.

/// Names known to this build. The caller collects them from the registry, the corpora, the generators and the
/// reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// Strategies, in the order in which they are listed.
    pub strategies: Vec<String>,
    /// Strategies that exist, though not in this build.
    pub unavailable: Vec<Unavailable>,
    /// Corpora.
    pub corpora: Vec<String>,
    /// Generators.
    pub generators: Vec<String>,
    /// Those of the corpora and generators that ask for string constraints; they need no alphabet to be named.
    pub problems: Vec<String>,
    /// Layouts of reports.
    pub layouts: Vec<String>,
}

/// Strategies that this build could have had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// Their names, as a pattern.
    pub pattern: String,
    /// Why they are not there, and how to get them; the end of a sentence.
    pub why: String,
}

//! What a run says of its strategies: families and options, by which tables know whose rows they are. Names
//! are for people and are never taken apart.
//!
//! Runs from before families were kept have neither; who reads them fills both in where the names are still
//! known.

use harness_model::run::StrategyRow;

use crate::dataset::Dataset;

/// A kind of strategy: a family, and the values of those of its options that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The id of the family.
    pub family: &'static str,
    /// Names and values; other options may be anything.
    pub options: &'static [(&'static str, &'static str)],
}

impl Kind {
    /// The strategies of `family` with these options.
    pub const fn new(family: &'static str, options: &'static [(&'static str, &'static str)]) -> Self {
        Self { family, options }
    }

    /// Whether a strategy is of this kind.
    pub fn has(&self, strategy: &StrategyRow) -> bool {
        strategy.family == self.family
            && self.options.iter().all(|(name, value)| option(strategy, name) == Some(value))
    }

    /// The strategies of the run that are of this kind, in its order.
    pub fn all<'a>(&self, dataset: &'a Dataset) -> impl Iterator<Item = &'a str> {
        dataset.run.strategies.iter().filter(move |row| self.has(row)).map(|row| row.name.as_str())
    }
}

/// The value of an option; `None` when the strategy's family does not have it, or is not known.
pub fn option<'a>(strategy: &'a StrategyRow, name: &str) -> Option<&'a str> {
    strategy.options.get(name).map(String::as_str)
}

/// Whether two strategies have the same values for these options.
pub fn agree(a: &StrategyRow, b: &StrategyRow, options: &[&str]) -> bool {
    options.iter().all(|name| option(a, name) == option(b, name))
}

/// Whether a strategy starts Z3 while it prepares. The others start it in `solve`, if at all.
pub fn starts_z3_in_prepare(strategy: &StrategyRow) -> bool {
    ["sfa", "dprle", "strsolve"].contains(&strategy.family.as_str())
}

/// Whether `value` of an option stands for making whole results at once: `eager`, or such a way of using a
/// library.
fn is_eager(value: &str) -> bool {
    value.split('-').any(|word| word == "eager")
}

/// Whether a strategy makes whole results before it answers.
pub fn makes_all(strategy: &StrategyRow) -> bool {
    strategy.options.values().any(|value| is_eager(value))
}

/// Whether `lazy` differs from `eager` in nothing but that it answers as soon as it can.
pub fn is_lazy_twin(lazy: &StrategyRow, eager: &StrategyRow) -> bool {
    let mut different = eager.options.iter().filter(|(name, value)| lazy.options.get(*name) != Some(value));
    let (Some((name, value)), None) = (different.next(), different.next()) else { return false };
    let Some(other) = option(lazy, name) else { return false };
    let lazily =
        || value.split('-').map(|word| if word == "eager" { "lazy" } else { word }).collect::<Vec<_>>();
    lazy.family == eager.family
        && is_eager(value)
        && !is_eager(other)
        && (value == "eager" || lazily().join("-") == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(family: &str, options: &[(&str, &str)]) -> StrategyRow {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        StrategyRow {
            family: family.to_owned(),
            options: options.iter().map(own).collect(),
            ..StrategyRow::default()
        }
    }

    #[test]
    fn a_kind_looks_at_its_own_options_only() {
        let kind = Kind::new("sfa", &[("mode", "lazy")]);
        assert!(kind.has(&row("sfa", &[("mode", "lazy"), ("algebra", "bdd")])));
        assert!(!kind.has(&row("sfa", &[("mode", "eager")])));
        assert!(!kind.has(&row("other", &[("mode", "lazy")])));
        assert!(!kind.has(&row("", &[])));
    }

    #[test]
    fn twins_differ_in_eagerness_alone() {
        let eager = row("sfa", &[("mode", "eager"), ("algebra", "bdd")]);
        assert!(is_lazy_twin(&row("sfa", &[("mode", "lazy"), ("algebra", "bdd")]), &eager));
        assert!(!is_lazy_twin(&row("sfa", &[("mode", "lazy"), ("algebra", "ranges")]), &eager));
        assert!(!is_lazy_twin(&eager, &eager));
        let library = row("peer", &[("library", "one-eager")]);
        assert!(is_lazy_twin(&row("peer", &[("library", "one-lazy")]), &library));
        assert!(!is_lazy_twin(&row("peer", &[("library", "two-lazy")]), &library));
        assert!(makes_all(&library) && makes_all(&eager));
    }
}

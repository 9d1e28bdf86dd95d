//! The family `brute-force`: its bounds as options.

use backends_api::{Family, FamilySpec, OptionSpec, Options, Strategy};

use crate::strategy::{Bounds, BruteForce};

/// Enumeration, with bounds of any size.
pub struct BruteForceFamily {
    spec: FamilySpec,
}

impl BruteForceFamily {
    /// The family.
    pub fn new() -> Self {
        let usual = Bounds::DEFAULT;
        let options = vec![
            OptionSpec::integer(
                "length",
                usual.length,
                0,
                64,
                "the longest word tried where the problem sets no limit",
            ),
            OptionSpec::integer(
                "low",
                usual.low,
                -1_000_000,
                0,
                "the least integer tried where the problem sets no limit",
            ),
            OptionSpec::integer(
                "high",
                usual.high,
                0,
                1_000_000,
                "the greatest integer tried where the problem sets no limit",
            ),
            OptionSpec::integer(
                "values",
                usual.values,
                1,
                1_000_000_000,
                "the most values of one variable; a problem that needs more is unknown",
            ),
        ];
        let summary =
            "brute force: assignments within bounds, each evaluated; the reference of differential runs";
        let spec = FamilySpec::new("brute-force", summary, options)
            .preset("brute-force", &[])
            .preset("brute-force-8", &[("length", "8"), ("high", "12"), ("values", "3000000")]);
        Self { spec }
    }
}

impl Default for BruteForceFamily {
    fn default() -> Self {
        Self::new()
    }
}

impl Family for BruteForceFamily {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        let bounds = Bounds {
            length: options.number("length"),
            low: options.number("low"),
            high: options.number("high"),
            values: options.number("values"),
        };
        Box::new(BruteForce::named(self.spec.name(options), bounds))
    }
}

//! The family `cfg`: how bounds are increased as an option.

use backends_api::{Family, FamilySpec, OptionSpec, Options, Strategy};

use crate::strategy::Cfg;

/// CFG Analyzer's bounded problems.
pub struct CfgFamily {
    spec: FamilySpec,
}

impl CfgFamily {
    /// The family.
    pub fn new() -> Self {
        let options = vec![
            OptionSpec::integer("step", 1, 1, 1_000, "how many lengths the SAT solver is asked for at once")
                .paper("1"),
        ];
        let summary =
            "words of bounded length of context-free grammars, by the invariants of a parser on a SAT solver";
        Self { spec: FamilySpec::new("cfg", summary, options).preset("cfg", &[]) }
    }
}

impl Default for CfgFamily {
    fn default() -> Self {
        Self::new()
    }
}

impl Family for CfgFamily {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        Box::new(Cfg::new(self.spec.name(options), options.number("step")))
    }
}

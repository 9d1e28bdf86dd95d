//! The families `z3`, which has no options, and `graph-bitvector`: mode, rules and order of edges as options.

use backends_api::{Conflict, Family, FamilySpec, OptionSpec, Options, Strategy};

use crate::bitvector::{self, Mode};
use crate::native::NativeStrategy;

/// Z3's own theory of strings.
pub struct NativeFamily {
    spec: FamilySpec,
}

impl NativeFamily {
    /// The family.
    pub fn new() -> Self {
        Self { spec: FamilySpec::new("z3", "Z3's own theory of strings", Vec::new()).preset("z3", &[]) }
    }
}

impl Default for NativeFamily {
    fn default() -> Self {
        Self::new()
    }
}

impl Family for NativeFamily {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, _: &Options) -> Box<dyn Strategy> {
        Box::new(NativeStrategy)
    }
}

/// String graphs on Z3's bit-vectors.
pub struct BitVectorFamily {
    spec: FamilySpec,
}

/// The strategies that are listed: the name, and what differs from the defaults.
const LISTED: [(&str, &[(&str, &str)]); 8] = [
    ("graph-bitvector", &[]),
    ("graph-bitvector-thesis", &[("rules", "thesis")]),
    ("graph-bitvector-positive-first", &[("order", "positive-first")]),
    ("graph-bitvector-cheapest-first", &[("order", "cheapest-first")]),
    ("graph-bitvector-all", &[("mode", "all")]),
    ("graph-bitvector-all-thesis", &[("mode", "all"), ("rules", "thesis")]),
    ("graph-bitvector-core", &[("mode", "core")]),
    ("graph-bitvector-core-thesis", &[("mode", "core"), ("rules", "thesis")]),
];

impl BitVectorFamily {
    /// The family.
    pub fn new() -> Self {
        let mut options = vec![
            OptionSpec::choice("mode", Mode::ALL.map(Mode::name), "how the edges are handed to the solver")
                .paper("edge-by-edge"),
        ];
        options.extend(backends_graph::Options::specs());
        let spec = FamilySpec::new("graph-bitvector", "string graphs solved by Z3's bit-vectors", options);
        let preset = |spec: FamilySpec, &(name, changes): &(&str, &[_])| spec.preset(name, changes);
        Self { spec: LISTED.iter().fold(spec.check(check), preset) }
    }
}

impl Default for BitVectorFamily {
    fn default() -> Self {
        Self::new()
    }
}

fn mode(options: &Options) -> Mode {
    options.one_of("mode", &Mode::ALL, Mode::name)
}

fn check(spec: &FamilySpec, options: &Options) -> Result<(), Conflict> {
    match mode(options) {
        Mode::EdgeByEdge => Ok(()),
        Mode::All | Mode::Core => spec.all_default(options, &["order"], "'mode: edge-by-edge'"),
    }
}

impl Family for BitVectorFamily {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        let graph = backends_graph::Options::of(options);
        Box::new(bitvector::strategy(self.spec.name(options), mode(options), graph))
    }
}

//! The family `graph-bitvector`: mode, rules and order of edges as options.

use backends_api::{Conflict, Family, FamilySpec, OptionSpec, Options, Strategy};
use backends_graph::IntegerSolvers;

use crate::solver::BitVectorSolvers;
use crate::strategy::{Mode, Refusals, strategy};

/// String graphs on bit-vectors, with a bit-vector solver and an integer solver of the caller's.
pub struct BitVectorFamily<B, I> {
    spec: FamilySpec,
    bitvectors: B,
    integers: I,
}

/// The strategies that are listed: the name, and what differs from the defaults.
const LISTED: [(&str, &[(&str, &str)]); 12] = [
    ("graph-bitvector", &[]),
    ("graph-bitvector-published", &[("refusals", "taken")]),
    ("graph-bitvector-thesis", &[("rules", "thesis")]),
    ("graph-bitvector-spf", &[("rules", "spf")]),
    ("graph-bitvector-positive-first", &[("order", "positive-first")]),
    ("graph-bitvector-cheapest-first", &[("order", "cheapest-first")]),
    ("graph-bitvector-all", &[("mode", "all")]),
    ("graph-bitvector-all-thesis", &[("mode", "all"), ("rules", "thesis")]),
    ("graph-bitvector-all-spf", &[("mode", "all"), ("rules", "spf")]),
    ("graph-bitvector-core", &[("mode", "core")]),
    ("graph-bitvector-core-thesis", &[("mode", "core"), ("rules", "thesis")]),
    ("graph-bitvector-core-spf", &[("mode", "core"), ("rules", "spf")]),
];

impl<B: BitVectorSolvers + Clone + 'static, I: IntegerSolvers + Clone + 'static> BitVectorFamily<B, I> {
    /// With these solvers.
    pub fn new(bitvectors: B, integers: I) -> Self {
        let mut options = vec![
            OptionSpec::choice("mode", Mode::all(Refusals::default()).map(Mode::name), "how the edges are handed to the solver")
                .paper("edge-by-edge"),
            OptionSpec::choice(
                "refusals",
                Refusals::ALL.map(Refusals::name),
                "edge by edge, a refuted guess is ruled out by the integers of the edges so far that are connected \
                 with the one that does not fit, or of all of them",
            )
            .paper("taken"),
        ];
        options.extend(backends_graph::Options::specs());
        options.extend(I::specs());
        let spec = FamilySpec::new("graph-bitvector", "string graphs solved by bit-vectors", options);
        let preset = |spec: FamilySpec, &(name, changes): &(&str, &[_])| spec.preset(name, changes);
        Self { spec: LISTED.iter().fold(spec.check(check), preset), bitvectors, integers }
    }
}

fn mode(options: &Options) -> Mode {
    let refusals = options.one_of("refusals", &Refusals::ALL, Refusals::name);
    options.one_of("mode", &Mode::all(refusals), Mode::name)
}

fn check(spec: &FamilySpec, options: &Options) -> Result<(), Conflict> {
    match mode(options) {
        Mode::EdgeByEdge(_) => Ok(()),
        Mode::All | Mode::Core => spec.all_default(options, &["order", "refusals"], "'mode: edge-by-edge'"),
    }
}

impl<B: BitVectorSolvers + Clone + 'static, I: IntegerSolvers + Clone + 'static> Family
    for BitVectorFamily<B, I>
{
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        let graph = backends_graph::Options::of(options);
        let integers = self.integers.clone().with_options(options);
        let bitvectors = self.bitvectors.clone();
        Box::new(strategy(self.spec.name(options), mode(options), graph, bitvectors, integers))
    }
}

//! The family `hybrid`: mode, rules, case splitting and number of iterations as options.

use backends_algebra::{AlgebraList, BooleanAlgebra, WithAlgebra};
use backends_api::{Family, FamilySpec, OptionSpec, Strategy, StrategyInfo};
use backends_graph::IntegerSolvers;
use backends_graph_automata::{AutomataSolvers, ExplainLimits, FreeLimits, PartLimits};
use harness_model::Alphabet;

use crate::options::{MAX_ITERATIONS, Mode, Options, Split};
use crate::strategy::Hybrid;

/// Numbers and strings in iteration: automata over the algebras of a list, and an integer solver of the
/// caller's.
pub struct HybridFamily<L, I> {
    spec: FamilySpec,
    algebras: L,
    integers: I,
}

impl<L: AlgebraList, I: IntegerSolvers + Clone + 'static> HybridFamily<L, I> {
    /// Over these algebras, `ranges` by default.
    pub fn new(algebras: L, integers: I) -> Self {
        let mut options = vec![
            OptionSpec::choice(
                "mode",
                Mode::ALL.map(Mode::name),
                "where a path tree is solved in full, and where relaxed",
            )
            .paper("staged"),
            OptionSpec::flag(
                "rules",
                true,
                "whether the rule library passes constraints between the domains",
            )
            .paper("true"),
            OptionSpec::choice(
                "split",
                Split::ALL.map(Split::name),
                "how cases are split after a candidate failed",
            )
            .paper("narrow"),
            OptionSpec::integer(
                "iterations",
                MAX_ITERATIONS,
                1,
                u32::MAX.into(),
                "the most candidates of the numeric solver for one question",
            )
            .paper("2000"),
            OptionSpec::choice("algebra", algebras.names(), "how sets of characters are represented")
                .by_default("ranges"),
        ];
        options.extend(FreeLimits::specs());
        options.extend(PartLimits::specs());
        options.extend(ExplainLimits::specs());
        options.extend(I::specs());
        let spec = FamilySpec::new("hybrid", "numbers and strings in iteration", options)
            .preset("hybrid", &[])
            .preset("hybrid-full", &[("mode", "full")])
            .preset("hybrid-relaxed", &[("mode", "relaxed")])
            .preset("hybrid-no-rules", &[("mode", "full"), ("rules", "false")])
            .preset("hybrid-plain-split", &[("mode", "full"), ("split", "plain")]);
        Self { spec, algebras, integers }
    }
}

/// Makes the strategy for an algebra.
struct Make<I> {
    name: String,
    options: Options,
    limits: (FreeLimits, PartLimits, ExplainLimits),
    integers: I,
}

impl<I: IntegerSolvers + 'static> WithAlgebra for Make<I> {
    type Output = Box<dyn Strategy>;

    fn with<A: BooleanAlgebra + 'static>(self, make: fn(Alphabet) -> A) -> Box<dyn Strategy> {
        let info = StrategyInfo {
            name: self.name,
            backend: "hybrid",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: summary(&self.options),
            source: "Ghosh et al., JST: An Automatic Test Generation Tool for Industrial Java Applications with Strings, section IV",
        };
        let (free, parts, explain) = self.limits;
        let strings = AutomataSolvers::free(make).within(free, parts, explain);
        Box::new(Hybrid::new(info, self.options, strings, self.integers))
    }
}

fn summary(options: &Options) -> String {
    let mode = match options.mode {
        Mode::Staged => "relaxed inside a path tree and full at its ends",
        Mode::Full => "full solving everywhere",
        Mode::Relaxed => "relaxed solving everywhere: refutes, or cannot tell",
    };
    let rules = if options.rules { "" } else { ", without the rule library" };
    let split = match options.split {
        Split::Narrow => "",
        Split::Plain => ", without narrowed case splitting",
    };
    format!("numbers and strings in iteration: {mode}{rules}{split}")
}

impl<L: AlgebraList, I: IntegerSolvers + Clone + 'static> Family for HybridFamily<L, I> {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &backends_api::Options) -> Box<dyn Strategy> {
        let make = Make {
            name: self.spec.name(options),
            options: Options {
                rules: options.flag("rules"),
                split: options.one_of("split", &Split::ALL, Split::name),
                mode: options.one_of("mode", &Mode::ALL, Mode::name),
                iterations: options.number("iterations"),
            },
            limits: (FreeLimits::of(options), PartLimits::of(options), ExplainLimits::of(options)),
            integers: self.integers.clone().with_options(options),
        };
        let made = self.algebras.with(options.word("algebra"), make);
        made.unwrap_or_else(|make| unreachable!("{}: the choices are the names of the list", make.name))
    }
}

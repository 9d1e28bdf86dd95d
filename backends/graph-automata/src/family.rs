//! The family `graph-automata`: algebra, languages, rules and order of edges as options.

use backends_algebra::{AlgebraList, BooleanAlgebra, WithAlgebra};
use backends_api::{Conflict, Family, FamilySpec, OptionSpec, Strategy, StrategyInfo};
use backends_graph::{GraphStrategy, IntegerSolvers, Options, RuleSet};
use harness_model::Alphabet;

use crate::limits::{ExplainLimits, FreeLimits, PartLimits};
use crate::solver::{AutomataSolvers, Negatives, Refusals};

/// Options that differ from the defaults.
type Changes = &'static [(&'static str, &'static str)];

/// For each algebra: the name without the algebra's, the ending after it, and what differs from the defaults.
const VARIANTS: [(&str, &str, Changes); 7] = [
    ("graph-automata", "", &[]),
    ("graph-automata", "-positive-first", &[("order", "positive-first")]),
    ("graph-automata", "-cheapest-first", &[("order", "cheapest-first")]),
    ("graph-automata", "-thesis", &[("rules", "thesis")]),
    ("graph-automata", "-spf", &[("rules", "spf"), ("trim-two", "true")]),
    ("graph-automata-free", "", &[("languages", "free")]),
    ("graph-automata", "-published", &[("negatives", "first-words"), ("refusals", "taken")]),
];

/// String graphs on automata over the algebras of a list, with an integer solver of the caller's.
pub struct GraphAutomataFamily<L, I> {
    spec: FamilySpec,
    algebras: L,
    integers: I,
}

impl<L: AlgebraList, I: IntegerSolvers + Clone + 'static> GraphAutomataFamily<L, I> {
    /// Over these algebras.
    pub fn new(algebras: L, integers: I) -> Self {
        let names = algebras.names();
        let mut options = vec![
            OptionSpec::choice("algebra", names.clone(), "how sets of characters are represented"),
            OptionSpec::choice(
                "languages",
                ["guessed", "free"],
                "languages of words of the guessed lengths only, or of every length first",
            )
            .paper("guessed"),
            OptionSpec::choice(
                "negatives",
                Negatives::ALL.map(Negatives::name),
                "negative edges narrow languages before a complete search, or wait until the first words of all \
                 languages are tried together",
            )
            .paper("first-words"),
            OptionSpec::choice(
                "refusals",
                Refusals::ALL.map(Refusals::name),
                "a refuted guess is ruled out by the integers of few edges, of all connected ones, or of all that \
                 were taken so far",
            )
            .paper("taken"),
        ];
        options.extend(Options::specs());
        options.push(OptionSpec::flag(
            "trim-two",
            false,
            "whether what 'trim' leaves has two characters or more",
        ));
        options.extend(FreeLimits::specs());
        options.extend(PartLimits::specs());
        options.extend(ExplainLimits::specs());
        options.extend(I::specs());
        let mut spec =
            FamilySpec::new("graph-automata", "string graphs solved by automata", options).check(check);
        for algebra in names {
            for (kind, ending, changes) in VARIANTS {
                let changes = [&[("algebra", algebra)], changes].concat();
                spec = spec.preset(format!("{kind}-{algebra}{ending}"), &changes);
            }
        }
        Self { spec, algebras, integers }
    }
}

fn check(spec: &FamilySpec, options: &backends_api::Options) -> Result<(), Conflict> {
    match Options::of(options).rules {
        RuleSet::Sound | RuleSet::Thesis => spec.all_default(options, &["trim-two"], "'rules: spf'")?,
        RuleSet::Spf => {}
    }
    match options.one_of("refusals", &Refusals::ALL, Refusals::name) {
        Refusals::Minimised => {}
        Refusals::Connected | Refusals::Taken => {
            spec.all_default(options, &ExplainLimits::NAMES, "'refusals: minimised'")?;
        }
    }
    match options.one_of("negatives", &Negatives::ALL, Negatives::name) {
        Negatives::Search => {}
        Negatives::FirstWords => spec.all_default(options, &PartLimits::NAMES, "'negatives: search'")?,
    }
    if is_free(options) {
        return Ok(());
    }
    spec.all_default(options, &FreeLimits::NAMES, "'languages: free'")
}

fn is_free(options: &backends_api::Options) -> bool {
    options.word("languages") == "free"
}

/// Makes the strategy for an algebra.
struct Make<I> {
    name: String,
    options: Options,
    free: bool,
    negatives: Negatives,
    refusals: Refusals,
    limits: (FreeLimits, PartLimits, ExplainLimits),
    integers: I,
}

impl<I: IntegerSolvers + 'static> WithAlgebra for Make<I> {
    type Output = Box<dyn Strategy>;

    fn with<A: BooleanAlgebra + 'static>(self, make: fn(Alphabet) -> A) -> Box<dyn Strategy> {
        let lengths = if self.free { "every length, then of guessed lengths" } else { "guessed lengths" };
        let method = match (self.negatives, self.refusals) {
            (Negatives::Search, Refusals::Minimised) => "",
            (Negatives::Search, Refusals::Connected) => "; refuses the integers of connected edges",
            (Negatives::Search, Refusals::Taken) => "; refuses guesses as published",
            (Negatives::FirstWords, Refusals::Minimised) => "; negative edges as published",
            (Negatives::FirstWords, Refusals::Connected) => {
                "; negative edges as published, refuses the integers of connected edges"
            }
            (Negatives::FirstWords, Refusals::Taken) => "; negative edges and refusals as published",
        };
        let info = StrategyInfo {
            name: self.name,
            backend: "graph-automata",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: format!(
                "string graph: automata over {} of {lengths}, integers by Z3{method}{}",
                A::NAME,
                self.options.summary()
            ),
            source: "Redelinghuys, Symbolic String Execution, section 3.6.1, table 3.2, figures 3.12 and 3.13",
        };
        let solvers = if self.free { AutomataSolvers::free(make) } else { AutomataSolvers::new(make) };
        let (free, parts, explain) = self.limits;
        let solvers = solvers.with(self.negatives, self.refusals).within(free, parts, explain);
        Box::new(GraphStrategy::new(info, self.options, solvers, self.integers))
    }
}

impl<L: AlgebraList, I: IntegerSolvers + Clone + 'static> Family for GraphAutomataFamily<L, I> {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &backends_api::Options) -> Box<dyn Strategy> {
        let make = Make {
            name: self.spec.name(options),
            options: Options { trim_two: options.flag("trim-two"), ..Options::of(options) },
            free: is_free(options),
            negatives: options.one_of("negatives", &Negatives::ALL, Negatives::name),
            refusals: options.one_of("refusals", &Refusals::ALL, Refusals::name),
            limits: (FreeLimits::of(options), PartLimits::of(options), ExplainLimits::of(options)),
            integers: self.integers.clone().with_options(options),
        };
        let made = self.algebras.with(options.word("algebra"), make);
        made.unwrap_or_else(|make| unreachable!("{}: the choices are the names of the list", make.name))
    }
}

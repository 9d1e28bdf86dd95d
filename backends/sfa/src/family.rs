//! The family `sfa`: its options and the names of the study's strategies and their variants.

use backends_algebra::{AlgebraList, BooleanAlgebra, EqualSets, MintermMethod, MintermWay, WithAlgebra};
use backends_api::{Conflict, Family, FamilySpec, OptionSpec, Options, Strategy};
use backends_automata::{Order, Search};
use harness_model::Alphabet;

use crate::options::{Mode, SfaOptions};
use crate::strategy::SfaStrategy;

/// For each algebra the study's two strategies, then the variants: the ending of the name, and what differs
/// from `lazy`.
const VARIANTS: [(&str, &[(&str, &str)]); 9] = [
    ("eager", &[("mode", "eager")]),
    ("lazy", &[]),
    ("eager-refine", &[("mode", "eager"), ("minterms", "refinement")]),
    ("lazy-refine", &[("minterms", "refinement")]),
    ("lazy-bfs", &[("order", "breadth-first")]),
    ("lazy-once", &[("once", "true")]),
    ("lazy-refine-once", &[("minterms", "refinement"), ("once", "true")]),
    ("eager-separate", &[("mode", "eager"), ("equal-labels", "separate")]),
    ("lazy-separate", &[("equal-labels", "separate")]),
];

/// Symbolic automata over the algebras of a list.
pub struct SfaFamily<L> {
    spec: FamilySpec,
    algebras: L,
}

impl<L: AlgebraList> SfaFamily<L> {
    /// Over these algebras.
    pub fn new(algebras: L) -> Self {
        let names = algebras.names();
        let options = vec![
            OptionSpec::choice("algebra", names.clone(), "how sets of characters are represented"),
            OptionSpec::choice(
                "mode",
                ["lazy", "eager"],
                "stop at the first witness, or build the whole automaton first",
            ),
            OptionSpec::choice(
                "minterms",
                MintermMethod::ALL.map(MintermMethod::name),
                "how the minterms of a difference are computed",
            )
            .paper("rank-order"),
            OptionSpec::choice(
                "equal-labels",
                EqualSets::ALL.map(EqualSets::name),
                "whether equal labels enter the minterms of a difference once, or once for each move",
            )
            // The text merges duplicates of decision diagrams only (section 3.2.1), and as something one can
            // do. The numbers of figure 3.8 are those of labels kept apart, for diagrams too: 8 empty and 78
            // nonempty differences solved eagerly, in each representation.
            .paper("separate"),
            OptionSpec::choice("order", Order::ALL.map(Order::name), "the order of a lazy search")
                .paper("depth-first"),
            OptionSpec::flag(
                "once",
                false,
                "whether a lazy search does nothing twice, and keeps more in memory",
            )
            .paper("false"),
        ];
        let summary =
            "symbolic automata: products and differences, for each representation of character sets";
        let mut spec = FamilySpec::new("sfa", summary, options).check(check);
        for algebra in names {
            for (ending, changes) in VARIANTS {
                let changes = [&[("algebra", algebra)], changes].concat();
                spec = spec.preset(format!("sfa-{algebra}-{ending}"), &changes);
            }
        }
        Self { spec, algebras }
    }
}

fn check(spec: &FamilySpec, options: &Options) -> Result<(), Conflict> {
    match options.word("mode") {
        "eager" => spec.all_default(options, &["order", "once"], "'mode: lazy'"),
        _ => Ok(()),
    }
}

/// Makes the strategy for an algebra.
struct Make {
    name: String,
    options: SfaOptions,
}

impl WithAlgebra for Make {
    type Output = Box<dyn Strategy>;

    fn with<A: BooleanAlgebra + 'static>(self, make: fn(Alphabet) -> A) -> Box<dyn Strategy> {
        Box::new(SfaStrategy::new(self.name, make, self.options))
    }
}

impl<L: AlgebraList> Family for SfaFamily<L> {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        let search =
            Search { order: options.one_of("order", &Order::ALL, Order::name), once: options.flag("once") };
        let make = Make {
            name: self.spec.name(options),
            options: SfaOptions {
                mode: if options.word("mode") == "eager" { Mode::Eager } else { Mode::Lazy(search) },
                minterms: MintermWay {
                    method: options.one_of("minterms", &MintermMethod::ALL, MintermMethod::name),
                    equal_sets: options.one_of("equal-labels", &EqualSets::ALL, EqualSets::name),
                },
            },
        };
        let made = self.algebras.with(options.word("algebra"), make);
        made.unwrap_or_else(|make| unreachable!("{}: the choices are the names of the list", make.name))
    }
}

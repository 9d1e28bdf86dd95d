//! The family `strsolve`: its options and their presets.

use backends_algebra::{AlgebraList, BooleanAlgebra, WithAlgebra};
use backends_api::{Family, FamilySpec, OptionSpec, Options, Strategy};
use harness_model::Alphabet;

use crate::explore::{Manner, Order};
use crate::graph::Pick;
use crate::strategy::{StrSolve, StrSolveOptions};

/// The representation that the prototype has (figure 3.2).
const PUBLISHED: &str = "ranges";

/// Lazy search over the algebras of a list.
pub struct StrSolveFamily<L> {
    spec: FamilySpec,
    algebras: L,
}

impl<L: AlgebraList> StrSolveFamily<L> {
    /// Over these algebras.
    pub fn new(algebras: L) -> Self {
        let names = algebras.names();
        let options = vec![
            OptionSpec::choice("algebra", names.clone(), "how sets of characters are represented")
                .paper(PUBLISHED),
            OptionSpec::choice(
                "order",
                Order::ALL.map(Order::name),
                "the order in which states are searched",
            )
            .paper("depth-first"),
            OptionSpec::flag(
                "lengths",
                true,
                "whether states are passed over from which constraints need words of different lengths",
            )
            .paper("false"),
            OptionSpec::choice("variables", Pick::ALL.map(Pick::name), "which variable is given a word next"),
        ];
        let summary = "systems of regular constraints by a lazy search with backtracking";
        let mut spec = FamilySpec::new("strsolve", summary, options);
        for algebra in names {
            let name =
                if algebra == PUBLISHED { "strsolve".to_owned() } else { format!("strsolve-{algebra}") };
            spec = spec.preset(name, &[("algebra", algebra)]);
        }
        spec = spec.preset(
            "strsolve-published",
            &[("algebra", PUBLISHED), ("order", "depth-first"), ("lengths", "false")],
        );
        Self { spec, algebras }
    }
}

/// Makes the strategy for an algebra.
struct Make {
    name: String,
    options: StrSolveOptions,
}

impl WithAlgebra for Make {
    type Output = Box<dyn Strategy>;

    fn with<A: BooleanAlgebra + 'static>(self, make: fn(Alphabet) -> A) -> Box<dyn Strategy> {
        Box::new(StrSolve::new(self.name, make, self.options))
    }
}

impl<L: AlgebraList> Family for StrSolveFamily<L> {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        let order = options.one_of("order", &Order::ALL, Order::name);
        let make = Make {
            name: self.spec.name(options),
            options: StrSolveOptions {
                manner: Manner { order, lengths: options.flag("lengths") },
                pick: options.one_of("variables", &Pick::ALL, Pick::name),
            },
        };
        let made = self.algebras.with(options.word("algebra"), make);
        made.unwrap_or_else(|make| unreachable!("{}: the choices are the names of the list", make.name))
    }
}

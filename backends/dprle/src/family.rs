//! The family `dprle`: its options and their presets.

use backends_algebra::{AlgebraList, BooleanAlgebra, WithAlgebra};
use backends_api::{Family, FamilySpec, OptionSpec, Options, Strategy};
use harness_model::Alphabet;

use crate::strategy::{Dprle, DprleOptions};

/// The representation that the prototype has (figure 3.2).
const PUBLISHED: &str = "hashset";

/// Systems by automata over the algebras of a list.
pub struct DprleFamily<L> {
    spec: FamilySpec,
    algebras: L,
}

impl<L: AlgebraList> DprleFamily<L> {
    /// Over these algebras.
    pub fn new(algebras: L) -> Self {
        let names = algebras.names();
        let options = vec![
            OptionSpec::choice("algebra", names.clone(), "how sets of characters are represented")
                .paper(PUBLISHED),
            OptionSpec::flag("minimise", false, "whether each automaton on the way is minimised")
                .paper("false"),
            OptionSpec::flag(
                "maximise",
                true,
                "whether languages that are asked for are made as large as they can be",
            )
            .paper("false"),
        ];
        let summary = "systems of regular constraints by whole automata, and all disjunctive solutions";
        let mut spec = FamilySpec::new("dprle", summary, options);
        for algebra in names {
            let name = if algebra == PUBLISHED { "dprle".to_owned() } else { format!("dprle-{algebra}") };
            spec = spec.preset(name, &[("algebra", algebra)]);
        }
        spec = spec
            .preset("dprle-minimise", &[("algebra", PUBLISHED), ("minimise", "true")])
            .preset("dprle-published", &[("algebra", PUBLISHED), ("maximise", "false")]);
        Self { spec, algebras }
    }
}

/// Makes the strategy for an algebra.
struct Make {
    name: String,
    options: DprleOptions,
}

impl WithAlgebra for Make {
    type Output = Box<dyn Strategy>;

    fn with<A: BooleanAlgebra + 'static>(self, make: fn(Alphabet) -> A) -> Box<dyn Strategy> {
        Box::new(Dprle::new(self.name, make, self.options))
    }
}

impl<L: AlgebraList> Family for DprleFamily<L> {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        let name = self.spec.name(options);
        let (minimise, maximise) = (options.flag("minimise"), options.flag("maximise"));
        let make = Make { name, options: DprleOptions { minimise, maximise } };
        let made = self.algebras.with(options.word("algebra"), make);
        made.unwrap_or_else(|make| unreachable!("{}: the choices are the names of the list", make.name))
    }
}

//! The family `parray`: the method and its limits as options.

use backends_api::{Conflict, Family, FamilySpec, OptionSpec, Strategy, StrategyInfo};
use backends_graph::IntegerSolvers;
use backends_graph::strategy::SolverStrategy;

use crate::arrays::Arrays;
use crate::options::{Method, Options};
use crate::solver::ArraySolvers;

/// Parameterised arrays, with an array solver and an integer solver of the caller's.
pub struct ParrayFamily<A, I> {
    spec: FamilySpec,
    arrays: A,
    integers: I,
}

impl<A: ArraySolvers + Clone + 'static, I: IntegerSolvers + Clone + 'static> ParrayFamily<A, I> {
    /// With these solvers.
    pub fn new(arrays: A, integers: I) -> Self {
        let usual = Options::new(Method::Mbqi);
        let mut options = vec![
            OptionSpec::choice("method", Method::ALL.map(Method::name), "what is done with quantifiers"),
            OptionSpec::flag(
                "simplify",
                usual.simplify,
                "whether equal vertices are merged and constants folded first",
            ),
        ];
        options.extend(Options::limits());
        options.push(OptionSpec::integer(
            "trials",
            usual.trials,
            1,
            1_000_000_000_000,
            "the most guesses of all lengths, where lengths are concrete",
        ));
        options.extend(I::specs());
        let spec =
            FamilySpec::new("parray", "strings as arrays of symbolic length", options).check(check::<I>);
        let preset = |spec: FamilySpec, method: Method| {
            spec.preset(format!("parray-{}", method.name()), &[("method", method.name())])
        };
        Self { spec: Method::ALL.into_iter().fold(spec, preset), arrays, integers }
    }
}

fn method(options: &backends_api::Options) -> Method {
    options.one_of("method", &Method::ALL, Method::name)
}

fn check<I: IntegerSolvers>(spec: &FamilySpec, options: &backends_api::Options) -> Result<(), Conflict> {
    // Only concrete lengths are guessed by a solver of integers.
    let guesses: Vec<&str> = I::specs().iter().map(|option| option.name).chain(["trials"]).collect();
    match method(options) {
        Method::Basic | Method::Iterative | Method::Guided => {
            spec.all_default(options, &guesses, "'method: concrete'")
        }
        Method::Concrete => {
            spec.all_default(options, &["rounds", "indices"], "a method with index sets (qelim…)")
        }
        Method::Mbqi => spec.all_default(options, &guesses, "'method: concrete'").and_then(|()| {
            spec.all_default(options, &["rounds", "indices"], "a method with index sets (qelim…)")
        }),
    }
}

impl<A: ArraySolvers + Clone + 'static, I: IntegerSolvers + Clone + 'static> Family for ParrayFamily<A, I> {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &backends_api::Options) -> Box<dyn Strategy> {
        let method = method(options);
        let info = StrategyInfo {
            name: self.spec.name(options),
            backend: "parray",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: method.summary().to_owned(),
            source: method.source(),
        };
        let integers = self.integers.clone().with_options(options);
        let arrays = self.arrays.clone();
        let limits = Options::of(method, options);
        let options =
            Options { simplify: options.flag("simplify"), trials: options.number("trials"), ..limits };
        Box::new(SolverStrategy::of(info, Arrays { options, arrays, integers }))
    }
}

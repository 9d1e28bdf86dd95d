//! The families `automata-only` and `parray+automata`: limits of refinement and of the search, and the method
//! for arrays, as options.

use backends_api::{Family, FamilySpec, OptionSpec, Options, Strategy};
use backends_graph::IntegerSolvers;
use backends_graph::strategy::SolverStrategy;
use backends_parray::{ArraySolvers, Arrays, Method};

use crate::arrays::ArraysWithAutomata;
use crate::refine::Limits;
use crate::search::SearchLimits;
use crate::strategy::{AutomataOnly, Preprocessing, info};

/// Interval automata alone.
pub struct AutomataOnlyFamily {
    spec: FamilySpec,
}

impl AutomataOnlyFamily {
    /// The family.
    pub fn new() -> Self {
        let usual = SearchLimits::default();
        let mut options: Vec<OptionSpec> = Limits::specs().into();
        options.push(Preprocessing::spec());
        options.push(OptionSpec::numbers(
            "widths",
            &usual.widths.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
            1 << 20,
            16,
            "the values that the search tries for one vertex, in one attempt after the other",
        ));
        options.push(OptionSpec::integer(
            "candidates",
            usual.candidates,
            1,
            1_000_000_000_000,
            "the most values that the search tries in all",
        ));
        options.push(OptionSpec::integer(
            "longer",
            usual.longer,
            0,
            1 << 20,
            "characters by which a word may be longer than the shortest one of its language",
        ));
        let spec =
            FamilySpec::new("automata-only", "interval automata, then concrete words from them", options);
        Self { spec: spec.preset("automata-only", &[]) }
    }
}

impl Default for AutomataOnlyFamily {
    fn default() -> Self {
        Self::new()
    }
}

impl Family for AutomataOnlyFamily {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        let summary = "interval automata refined to a fixed point, then concrete words";
        let search = SearchLimits {
            widths: options.numbers("widths"),
            candidates: options.number("candidates"),
            longer: options.number("longer"),
        };
        let solver =
            AutomataOnly { limits: Limits::of(options), search, preprocessing: Preprocessing::of(options) };
        Box::new(SolverStrategy::of(info(&self.spec.name(options), summary), solver))
    }
}

/// The methods for arrays that go together with automata.
const METHODS: [Method; 3] = [Method::Mbqi, Method::Iterative, Method::Guided];

/// Parameterised arrays and interval automata, with an array solver and an integer solver of the caller's.
pub struct ArraysWithAutomataFamily<A, I> {
    spec: FamilySpec,
    arrays: A,
    integers: I,
}

impl<A: ArraySolvers + Clone + 'static, I: IntegerSolvers + Clone + 'static> ArraysWithAutomataFamily<A, I> {
    /// With these solvers.
    pub fn new(arrays: A, integers: I) -> Self {
        let choices = METHODS.map(Method::name);
        let mut options = vec![OptionSpec::choice("method", choices, "what is done with quantifiers")];
        options.extend(backends_parray::Options::limits());
        options.extend(Limits::specs());
        options.push(Preprocessing::spec());
        let spec = FamilySpec::new(
            "parray+automata",
            "parameterised arrays and interval automata together",
            options,
        )
        .check(|spec, options| match options.word("method") {
            "mbqi" => spec.all_default(options, &["rounds", "indices"], "a method with index sets (qelim…)"),
            _ => Ok(()),
        })
        .preset("parray+automata", &[])
        .preset("parray+automata+qelim", &[("method", "qelim-iterative")])
        .preset("parray+automata+qelim-guided", &[("method", "qelim-guided")]);
        Self { spec, arrays, integers }
    }
}

fn summary(method: Method) -> &'static str {
    match method {
        Method::Mbqi => "parameterised arrays and interval automata, quantifiers left to Z3",
        Method::Guided => {
            "parameterised arrays and interval automata, algorithm 2 and instances where a candidate fails"
        }
        Method::Basic | Method::Iterative | Method::Concrete => {
            "parameterised arrays and interval automata, index sets and solving in turn (algorithm 2)"
        }
    }
}

impl<A, I> Family for ArraysWithAutomataFamily<A, I>
where
    A: ArraySolvers + Clone + 'static,
    I: IntegerSolvers + Clone + 'static,
{
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        let method = options.one_of("method", &METHODS, Method::name);
        let info = info(&self.spec.name(options), summary(method));
        let arrays = Arrays {
            options: backends_parray::Options::of(method, options),
            arrays: self.arrays.clone(),
            integers: self.integers.clone(),
        };
        Box::new(SolverStrategy::of(
            info,
            ArraysWithAutomata {
                arrays,
                limits: Limits::of(options),
                preprocessing: Preprocessing::of(options),
            },
        ))
    }
}

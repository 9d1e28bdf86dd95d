//! What can be chosen: how quantifiers are dealt with, and limits.

use backends_api::OptionSpec;

/// How the quantified constraints are dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// The solver's own instantiation gets them as they are.
    Mbqi,
    /// Algorithm 1 of PASS: instances for all indices, each after a check of its assumption, to a fixed
    /// point; then one check.
    Basic,
    /// Algorithm 2 of PASS: instances for the indices of the last round's instances, a check, and the
    /// evaluator's word on the candidate, in each round.
    Iterative,
    /// Algorithm 2, and where a candidate fails, instances for the indices at which it does: our own.
    Guided,
    /// Concrete lengths first, then every constraint written out for them, and the next lengths if that
    /// fails: the method of the bit-vector solvers that PASS is compared with.
    Concrete,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Mbqi, Self::Basic, Self::Iterative, Self::Guided, Self::Concrete];

    /// The name used in options; after `parray-` it is the strategy's.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mbqi => "mbqi",
            Self::Basic => "qelim",
            Self::Iterative => "qelim-iterative",
            Self::Guided => "qelim-guided",
            Self::Concrete => "concrete",
        }
    }

    /// One line.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Mbqi => "parameterised arrays, quantifiers left to Z3's model-based instantiation",
            Self::Basic => {
                "parameterised arrays, quantifiers instantiated over index sets to a fixed point (algorithm 1)"
            }
            Self::Iterative => "parameterised arrays, index sets and solving in turn (algorithm 2)",
            Self::Guided => "parameterised arrays, algorithm 2 and instances where a candidate fails",
            Self::Concrete => "arrays of concrete lengths, one guess of all lengths after the other",
        }
    }

    /// Where it is from.
    pub const fn source(self) -> &'static str {
        match self {
            Self::Mbqi => "PASS, section 3.1, with Z3 in the place of Yices",
            Self::Basic => "PASS, section 3.1, algorithm 1",
            Self::Iterative => "PASS, section 3.1, algorithm 2",
            Self::Guided => "PASS, section 3.1, algorithm 2, with model-based instantiation of our own",
            Self::Concrete => "PASS, section 2, bit-vector based model",
        }
    }
}

/// How array constraints are solved. A limit that is reached is the answer `unknown` with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// What is done with quantifiers.
    pub method: Method,
    /// Whether equal vertices are merged and constants folded first (the sound rules of the string graph's
    /// first half of preprocessing; PASS, section 4, has such simplification too). What edges imply for
    /// integers is never added: PASS has no such rules.
    pub simplify: bool,
    /// The most rounds of instantiation.
    pub rounds: u32,
    /// The most indices in all index sets together.
    pub indices: usize,
    /// The most guesses of lengths of [`Method::Concrete`].
    pub trials: u64,
    /// Whether a model is made as short as a tenth of a second makes it, for people to read.
    pub short_models: bool,
}

/// The option of models for people.
const SHORT_MODELS: &str = "short-models";

impl Options {
    /// The defaults: simplification, 64 rounds, 4,000 indices, a million guesses.
    pub const fn new(method: Method) -> Self {
        Self { method, simplify: true, rounds: 64, indices: 4_000, trials: 1_000_000, short_models: false }
    }

    /// What elimination has as options of a family of strategies: the limits `rounds` and `indices`, and
    /// `short-models`.
    pub fn limits() -> [OptionSpec; 3] {
        let usual = Self::new(Method::Mbqi);
        [
            OptionSpec::integer("rounds", usual.rounds, 1, 1 << 20, "the most rounds of instantiation"),
            OptionSpec::integer(
                "indices",
                usual.indices,
                1,
                1 << 24,
                "the most indices in all index sets together",
            ),
            OptionSpec::flag(
                SHORT_MODELS,
                usual.short_models,
                "whether a model is made as short as a tenth of a second makes it, as 'harness solve' asks for where it prints one",
            ),
        ]
    }

    /// What a family with [`Options::limits`] was asked for.
    pub fn of(method: Method, options: &backends_api::Options) -> Self {
        Self {
            rounds: options.number("rounds"),
            indices: options.number("indices"),
            short_models: options.flag(SHORT_MODELS),
            ..Self::new(method)
        }
    }
}

//! Limits of the work on automata: of languages of words of every length, of words with unknown parts, and of
//! the search for further refutations.
//!
//! No limit changes what a verdict means: a transfer function that is given up leaves a language as it was,
//! and a refutation that is not minimised names more edges.

use backends_api::{OptionSpec, Options};

/// Limits of languages of words of every length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeLimits {
    /// Steps that one transfer function may take before it is left out.
    pub steps: u64,
    /// States of the largest language that is kept.
    pub states: usize,
    /// Times that each edge is looked at.
    pub rounds: usize,
}

impl Default for FreeLimits {
    fn default() -> Self {
        Self { steps: 100_000, states: 400, rounds: 4 }
    }
}

impl FreeLimits {
    /// The names of the options.
    pub const NAMES: [&'static str; 3] = ["free-steps", "free-states", "free-rounds"];

    /// The limits as options of a family of strategies.
    pub fn specs() -> [OptionSpec; 3] {
        let usual = Self::default();
        let [steps, states, rounds] = Self::NAMES;
        [
            OptionSpec::integer(
                steps,
                usual.steps,
                1,
                1_000_000_000_000,
                "steps that a transfer function on words of every length may take before it is left out",
            ),
            OptionSpec::integer(
                states,
                usual.states,
                1,
                1 << 30,
                "states of the largest language of words of every length that is kept",
            ),
            OptionSpec::integer(
                rounds,
                usual.rounds,
                0,
                1 << 20,
                "how often each edge is applied to languages of words of every length",
            ),
        ]
    }

    /// What a family with [`FreeLimits::specs`] was asked for.
    pub fn of(options: &Options) -> Self {
        let [steps, states, rounds] = Self::NAMES;
        Self { steps: options.number(steps), states: options.number(states), rounds: options.number(rounds) }
    }
}

/// Limits of one application of `contains` while neither of its words is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartLimits {
    /// Steps that each side may take before its language is left as it is.
    pub steps: u64,
}

impl Default for PartLimits {
    fn default() -> Self {
        Self { steps: 100_000 }
    }
}

impl PartLimits {
    /// The names of the options.
    pub const NAMES: [&'static str; 1] = ["part-steps"];

    /// The limits as options of a family of strategies.
    pub fn specs() -> [OptionSpec; 1] {
        [OptionSpec::integer(
            Self::NAMES[0],
            Self::default().steps,
            0,
            1_000_000_000_000,
            "steps that 'contains' may take to narrow either of its words while neither is known, before it leaves it as it is",
        )]
    }

    /// What a family with [`PartLimits::specs`] was asked for.
    pub fn of(options: &Options) -> Self {
        Self { steps: options.number(Self::NAMES[0]) }
    }
}

/// Limits of what is done with a refutation by transfer functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplainLimits {
    /// Refutations of graphs with more edges are not minimised.
    pub edges: usize,
    /// How many further refutations of one assignment are looked for.
    pub further: usize,
}

impl Default for ExplainLimits {
    fn default() -> Self {
        Self { edges: 32, further: 3 }
    }
}

impl ExplainLimits {
    /// The names of the options.
    pub const NAMES: [&'static str; 2] = ["minimise-edges", "further-refutations"];

    /// The limits as options of a family of strategies.
    pub fn specs() -> [OptionSpec; 2] {
        let usual = Self::default();
        let [edges, further] = Self::NAMES;
        [
            OptionSpec::integer(
                edges,
                usual.edges,
                0,
                1 << 20,
                "the most edges of a graph whose refutations are minimised",
            ),
            OptionSpec::integer(
                further,
                usual.further,
                0,
                1 << 20,
                "how many further refutations of one assignment are looked for",
            ),
        ]
    }

    /// What a family with [`ExplainLimits::specs`] was asked for.
    pub fn of(options: &Options) -> Self {
        let [edges, further] = Self::NAMES;
        Self { edges: options.number(edges), further: options.number(further) }
    }
}

//! What can be chosen: rules, case splitting, mode, number of iterations.

/// How the next candidate values are looked for after the string solver refused some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Split {
    /// The values as a whole are excluded: `a != 5 or b != -7 or c != 0`.
    Plain,
    /// That, and before it the narrower cases `a > 5`, `b < -7`, `c != 0`, with all of them together first
    /// (section IV-C).
    #[default]
    Narrow,
}

impl Split {
    /// Both, the default first.
    pub const ALL: [Self; 2] = [Self::Narrow, Self::Plain];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Narrow => "narrow",
        }
    }
}

/// How thoroughly a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// In a path tree relaxed at inner nodes and full at the ends of paths; full where there is no tree
    /// (section IV-D).
    #[default]
    Staged,
    /// Full everywhere.
    Full,
    /// Relaxed everywhere.
    Relaxed,
}

impl Mode {
    /// All of them, the default first.
    pub const ALL: [Self; 3] = [Self::Staged, Self::Full, Self::Relaxed];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Staged => "staged",
            Self::Full => "full",
            Self::Relaxed => "relaxed",
        }
    }
}

/// How the two domains work together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Whether the rule library passes constraints between the domains.
    pub rules: bool,
    /// Case splitting.
    pub split: Split,
    /// Mode.
    pub mode: Mode,
    /// How many candidates the numeric solver may propose for one question.
    pub iterations: u32,
}

/// The limit on iterations of the paper's experiments (section V).
pub const MAX_ITERATIONS: u32 = 2000;

impl Default for Options {
    fn default() -> Self {
        Self { rules: true, split: Split::default(), mode: Mode::default(), iterations: MAX_ITERATIONS }
    }
}

//! The two solvers that the interchange stands between: one for integers, one for strings of fixed lengths.
//!
//! Both are traits: the loop knows neither Z3 nor automata. Neither may rely on the other; all that passes
//! between them is concrete integers one way and formulas the other way.

use std::collections::HashSet;

use backends_api::{BackendError, Budget, OptionSpec, Options, Probe, Stop, Taken};
use harness_model::SmtString;
use harness_model::int::Int;

use crate::edge::{EdgeId, IntVertex, StringVertex};
use crate::formula::IntFormula;
use crate::graph::{IntDefinition, IntKind, StringGraph};
use crate::relation::Relation;

/// No string solver is handed a longer word than this.
const MAX_WORD: i64 = 1 << 20;

/// Values of integer vertices.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct IntValues(Vec<Int>);

impl IntValues {
    /// By place of the vertex.
    pub const fn new(values: Vec<Int>) -> Self {
        Self(values)
    }

    /// The vertex's value; zero for a vertex that has none.
    pub fn get(&self, vertex: IntVertex) -> &Int {
        const ZERO: &Int = &Int::ZERO;
        self.0.get(vertex.index()).unwrap_or(ZERO)
    }

    /// Sets the vertex's value.
    pub fn set(&mut self, vertex: IntVertex, value: Int) {
        if self.0.len() <= vertex.index() {
            self.0.resize(vertex.index() + 1, Int::ZERO);
        }
        self.0[vertex.index()] = value;
    }

    /// The string vertex whose length is beyond what a string solver is handed (2^20 characters), in words,
    /// if there is one.
    pub fn too_long(&self, graph: &StringGraph) -> Option<String> {
        graph.int_vertices().find_map(|vertex| {
            let IntKind::Length(s) = graph.int(vertex) else { return None };
            let length = self.get(vertex);
            let fits = length.small().is_some_and(|length| length <= MAX_WORD);
            (!fits).then(|| {
                format!("'{}' would have {length} characters, more than {MAX_WORD}", graph.string_name(*s))
            })
        })
    }
}

/// Concrete integers for a graph: what a [`FixedSolver`] works under.
#[derive(Clone, Copy, Debug)]
pub struct IntAssignment<'a> {
    graph: &'a StringGraph,
    values: &'a IntValues,
}

impl<'a> IntAssignment<'a> {
    /// The graph has a length for every string vertex ([`StringGraph::add_lengths`]) and `values` a value for
    /// every integer vertex.
    pub const fn new(graph: &'a StringGraph, values: &'a IntValues) -> Self {
        Self { graph, values }
    }

    /// The length of the vertex. A length that is negative or beyond memory counts as zero; the interchange
    /// never passes such a guess on.
    pub fn length(&self, vertex: StringVertex) -> usize {
        if let Some(word) = self.graph.word(vertex) {
            return word.len();
        }
        let length = self.graph.length_of(vertex).and_then(|l| self.values.get(l).small());
        length.and_then(|l| usize::try_from(l).ok()).unwrap_or(0)
    }

    /// The value of the vertex.
    pub fn int(&self, vertex: IntVertex) -> &'a Int {
        self.graph.number(vertex).unwrap_or_else(|| self.values.get(vertex))
    }
}

/// What an [`IntegerSolver`] says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntAnswer {
    /// These values satisfy everything; a value for every declared vertex.
    Sat(IntValues),
    /// There are none.
    Unsat,
    /// It could not tell, and why.
    Unknown(String),
}

/// An incremental solver for integer arithmetic.
pub trait IntegerSolver {
    /// Makes the vertex known. Each vertex is declared once, before a formula names it, outside any `push`.
    fn declare(&mut self, vertex: IntVertex);

    /// Asserts the formula, up to the `pop` that undoes the present level.
    fn assert(&mut self, formula: &IntFormula);

    /// Learns what the vertex is, beyond what [the formula](IntDefinition::formula) of the definition says,
    /// which is asserted as well: the product or the quotient of unknowns. Called outside any `push`.
    fn define(&mut self, vertex: IntVertex, definition: &IntDefinition);

    /// Opens a level.
    fn push(&mut self);

    /// Drops the assertions of the last level.
    fn pop(&mut self);

    /// Values that satisfy everything asserted: the best guess. `small` names vertices whose values should be
    /// as small as possible, with the sum of all of them least first and then each in turn; a solver may stop
    /// short of the least values where finding them costs too much, but never answers `Unsat` for what has a
    /// solution.
    fn solve(&mut self, small: &[IntVertex], budget: &Budget) -> Result<IntAnswer, Stop>;
}

/// Makes integer solvers.
pub trait IntegerSolvers: Send + Sync {
    /// What can be chosen: options of each family that uses these solvers.
    fn specs() -> Vec<OptionSpec>
    where
        Self: Sized,
    {
        Vec::new()
    }

    /// The same with the options that [`IntegerSolvers::specs`] names.
    #[must_use]
    fn with_options(self, _options: &Options) -> Self
    where
        Self: Sized,
    {
        self
    }

    /// Starts the library behind the solvers unless it runs, as a phase of its own: what the first solver of
    /// a process would pay for all. Called before the first solver is made, outside other phases. Most have
    /// nothing to start.
    fn start(&self, _probe: &Probe) {}

    /// A solver that knows nothing yet.
    fn solver(&self) -> Result<Box<dyn IntegerSolver + '_>, BackendError>;
}

/// Why there are no words.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Refutation {
    /// The edges that were used: they alone, with `ints` at their guessed values, have no solution.
    pub edges: Vec<EdgeId>,
    /// The integer vertices (lengths among them) whose guessed values were used. Constants may be left out.
    /// None: the edges have no solution whatever the integers.
    pub ints: Vec<IntVertex>,
    /// What else was learned: formulas that hold in every solution of the graph.
    pub learned: Vec<IntFormula>,
    /// Whether this is only taken for granted: the edges may have a solution with these integers, which the
    /// solver did not look for. Once such a guess was ruled out, running out of guesses proves nothing.
    pub assumed: bool,
}

impl Refutation {
    /// The usual refutation: everything that the edges touch, namely their integer vertices and the lengths
    /// of their string vertices, as in section 3.7 of the study.
    pub fn touching(graph: &StringGraph, edges: impl IntoIterator<Item = EdgeId>) -> Self {
        let mut this = Self { edges: edges.into_iter().collect(), ..Self::default() };
        this.edges.sort_unstable();
        this.edges.dedup();
        for &id in &this.edges {
            let relation = &graph.edge(id).relation;
            this.ints.extend(relation.ints());
            this.ints.extend(relation.strings().filter_map(|s| graph.length_of(s)));
        }
        this.ints.retain(|&i| graph.number(i).is_none());
        this.ints.sort_unstable();
        this.ints.dedup();
        this
    }

    /// The refutation by all edges of `taken` and `core`, connected or not, which have no solution together:
    /// what the study's text tells of its two extreme graphs. `core` is what is refuted by itself; it may be
    /// empty only if each string has a word that is in all of the languages that it must be in.
    ///
    /// Left out is each positive membership outside of `core` of a string that no edge of another kind
    /// touches here: it has a solution of its own. The study has no such edges, for its strings are of its
    /// characters without one.
    pub fn taken(graph: &StringGraph, core: &[EdgeId], taken: impl IntoIterator<Item = EdgeId>) -> Self {
        let membership = |id: EdgeId| {
            let edge = graph.edge(id);
            let Relation::InRe { s, .. } = edge.relation else { return None };
            (edge.positive && !core.contains(&id)).then_some(s)
        };
        let all: Vec<EdgeId> = taken.into_iter().chain(core.iter().copied()).collect();
        let others = all.iter().filter(|&&id| membership(id).is_none());
        let touched: HashSet<StringVertex> =
            others.flat_map(|&id| graph.edge(id).relation.strings()).collect();
        Self::touching(
            graph,
            all.iter().copied().filter(|&id| membership(id).is_none_or(|s| touched.contains(&s))),
        )
    }

    /// The refutation by `core`, which must be refuted, and by those edges of `among` that are connected with
    /// it by string vertices other than constants. Edges that are not connected with it have no part in it.
    pub fn connected(graph: &StringGraph, core: &[EdgeId], among: impl IntoIterator<Item = EdgeId>) -> Self {
        let variables = |id: EdgeId| graph.edge(id).relation.strings().filter(|&s| graph.word(s).is_none());
        let mut inside = core.to_vec();
        let mut touched: HashSet<StringVertex> = core.iter().flat_map(|&id| variables(id)).collect();
        let mut rest: Vec<EdgeId> = among.into_iter().collect();
        loop {
            let (near, far): (Vec<EdgeId>, Vec<EdgeId>) =
                rest.into_iter().partition(|&id| variables(id).any(|s| touched.contains(&s)));
            if near.is_empty() {
                return Self::touching(graph, inside);
            }
            touched.extend(near.iter().flat_map(|&id| variables(id)));
            inside.extend(near);
            rest = far;
        }
    }
}

/// What a [`FixedSolver`] says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixedAnswer {
    /// A word for each string vertex, by place, of the guessed length; constants have their own.
    Sat(Vec<SmtString>),
    /// There are none under these integers.
    Unsat(Refutation),
    /// It could not tell, and why.
    Unknown(String),
}

/// A solver for the edges of one graph, once every integer (all lengths included) is fixed.
pub trait FixedSolver {
    /// Looks for words of the guessed lengths, over [`StringGraph::characters`], that satisfy every edge.
    /// Integer formulas are not its business. Called once an interchange; nothing that one call found may be
    /// wrong for another guess.
    fn solve(&mut self, guess: &IntAssignment<'_>, probe: &Probe) -> Result<FixedAnswer, BackendError>;

    /// Lengths of some words that are worth a guess, as far as the solver can tell: a suggestion, which nothing
    /// follows from. Asked for after a guess has failed; what was told once is not told again.
    fn suggestion(&mut self) -> Vec<(StringVertex, usize)> {
        Vec::new()
    }
}

/// Makes string solvers.
pub trait FixedSolvers: Send + Sync {
    /// Starts the library behind the solvers unless it runs, as a phase of its own: what the first solver of
    /// a process would pay for all. Called before the first solver is made, outside other phases. Most have
    /// nothing to start.
    fn start(&self, _probe: &Probe) {}

    /// Whether the solvers decide the edges of such a graph under every guess, or may not be able to tell.
    fn takes(&self, graph: &StringGraph) -> Taken;

    /// A solver for `graph`, every string vertex of which has a length vertex, that takes the edges in the
    /// order of `order` (each edge once) where that matters. `Unsupported` with the operation's name when it
    /// cannot do an edge.
    fn solver<'a>(
        &'a self,
        graph: &'a StringGraph,
        order: &'a [EdgeId],
        budget: &'a Budget,
    ) -> Result<Box<dyn FixedSolver + 'a>, BackendError>;
}

//! From a problem to a graph.
//!
//! Assertions are flattened into literals; a literal over strings becomes an edge, and every string or
//! integer function inside becomes an edge with an auxiliary result. Functions are total, so their edges may
//! stand outside the Boolean structure in which they occur. That structure itself must be about integers
//! alone, lengths and results of edges included (`s = ""` counts as `|s| = 0`); what does not fit is refused
//! with its name.
//!
//! Conditions of `ite` may be predicates over strings: each is an equation of integers in disguise (see
//! `Builder::reify`). An `ite` of strings is a substring of the concatenation of both, at a place that
//! depends on the condition.
//!
//! - `flatten`: assertions as literals, and what is known of terms before any vertex is made
//! - `strings`, `integers`: vertices, edges, sums and formulas of terms
//! - `literals`: literals as edges and formulas
//!
//! Nothing recurses over terms. Cost: linear in the terms, but for formulas whose sharing is undone up to a
//! small size, and for what is refused as it stands: see [`backends_boolean::guards`].

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "what has no arm is a relation by the table of relations, is refused by its name, or stays whole"
)]

mod flatten;
mod integers;
mod literals;
mod strings;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use harness_model::int::Int;
use harness_model::{Alphabet, Regex};
use harness_theory::sort::Sort;
use harness_theory::term::{TermId, Terms};
use harness_theory::{Problem, Value, lower};

use crate::edge::{StringVertex, Vertex};
use crate::formula::IntFormula;
use crate::graph::StringGraph;
use crate::linear::Sum;
use crate::reasons::Reasons;
use crate::relation::Relation;

/// Why a problem is not a string graph: the operation or the feature that graphs do not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

impl Refusal {
    fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

/// Formulas nested more deeply than this become definitions of their own, so that no formula is deep.
const MAX_DEPTH: usize = 24;
/// Formulas larger than this are not repeated, where an equivalence or a choice names them twice.
const MAX_REPEATED: usize = 12;
/// More parts than this of one concatenation are put together in halves.
const MANY_PARTS: usize = 16;

/// A term without variables.
enum Ground {
    Value(Value),
    Language(Arc<Regex>),
    Failed(Refusal),
}

impl StringGraph {
    /// The graph of a problem over `alphabet`: satisfiable exactly when the problem is, with the same values
    /// for the declared variables, whose order is the problem's. Operations of Java for which there is no
    /// relation are lowered; the fresh variables that describe some of them are declared after the problem's.
    pub fn of_problem(problem: &Problem, alphabet: Alphabet) -> Result<Self, Refusal> {
        if lower::has_other_than(problem, Relation::stands_for) {
            let (lowered, origins) = lower::lower_with_origins(problem, alphabet, Relation::stands_for);
            let origins: Vec<Reasons> = origins.into_iter().map(because).collect();
            return Self::of_guarded(&lowered, &origins, alphabet);
        }
        let origins: Vec<Reasons> = (0..problem.assertions.len()).map(Reasons::of).collect();
        Self::of_guarded(problem, &origins, alphabet)
    }

    /// The same for a problem of relations alone. Each of its assertions holds because of the given ones of
    /// another problem or, with none given, only says what a value is. A problem that is refused as it stands
    /// is tried once more with its assertions put into each other.
    fn of_guarded(problem: &Problem, origins: &[Reasons], alphabet: Alphabet) -> Result<Self, Refusal> {
        Self::of_assertions(problem, origins, alphabet).or_else(|refusal| {
            let (problem, origins) =
                backends_boolean::guards::propagate(problem, origins, alphabet).ok_or(refusal)?;
            Self::of_assertions(&problem, &origins, alphabet)
        })
    }

    /// As [`Self::of_guarded`], of the assertions as they stand.
    fn of_assertions(problem: &Problem, origins: &[Reasons], alphabet: Alphabet) -> Result<Self, Refusal> {
        let mut graph = Self::new(alphabet);
        let mut vertex_of_variable = HashMap::new();
        for &variable in &problem.variables {
            let declared = &problem.terms.variables()[variable.index()];
            vertex_of_variable.insert(variable.index(), graph.declare(declared.name.as_str(), declared.sort));
        }
        let mut builder = Builder {
            terms: &problem.terms,
            origins,
            graph,
            vertex_of_variable,
            ground: HashMap::new(),
            varies: Vec::new(),
            strings: HashMap::new(),
            sums: HashMap::new(),
            formulas: HashMap::new(),
            conditions: HashSet::new(),
            inside: HashMap::new(),
            absorbed: HashSet::new(),
        };
        builder.graph.hold_because(Reasons::new());
        builder.build(&problem.assertions)?;
        let mut graph = builder.graph;
        // Whatever a user adds may depend on anything.
        let mut all = Reasons::new();
        origins.iter().for_each(|some| all.extend(some));
        graph.hold_because(all);
        Ok(graph)
    }
}

struct Builder<'p> {
    terms: &'p Terms,
    /// By place of the assertion: the numbers that edges and formulas name what it follows from by; none
    /// where they hold whatever is asserted.
    origins: &'p [Reasons],
    graph: StringGraph,
    vertex_of_variable: HashMap<usize, Option<Vertex>>,
    /// The values of the largest terms without variables.
    ground: HashMap<TermId, Ground>,
    /// By place in the arena: whether a variable is in it.
    varies: Vec<bool>,
    strings: HashMap<TermId, StringVertex>,
    sums: HashMap<TermId, Sum>,
    formulas: HashMap<TermId, Result<IntFormula, Refusal>>,
    /// Boolean terms that a condition of an `ite` is made of.
    conditions: HashSet<TermId>,
    /// Applications of `str.to_code` to a character that is asserted to be inside its string.
    inside: HashMap<TermId, Reasons>,
    /// Applications of `str.at` that only those use.
    absorbed: HashSet<TermId>,
}

/// A Boolean term, whether it holds, and the place of the assertion that says so.
type Literal = (TermId, bool, usize);

/// Because of this assertion.
fn because(assertion: Option<usize>) -> Reasons {
    assertion.map(Reasons::of).unwrap_or_default()
}

impl Builder<'_> {
    fn build(&mut self, assertions: &[TermId]) -> Result<(), Refusal> {
        self.find_ground(assertions);
        let literals = self.flatten(assertions)?;
        let roots: Vec<TermId> = literals.iter().map(|(id, ..)| *id).collect();
        let cone = self.terms.cone(&roots);
        self.find_conditions(&cone);
        self.find_inside(&literals, &cone);
        for &id in &cone {
            if !self.varies[id.index()] || self.absorbed.contains(&id) {
                continue;
            }
            match self.terms.sort(id) {
                Sort::String => {
                    let vertex = self.make_string(id)?;
                    self.strings.insert(id, vertex);
                }
                Sort::Int => {
                    let sum = self.make_sum(id)?;
                    self.sums.insert(id, sum);
                }
                Sort::Bool => {
                    let formula = self.make_formula(id);
                    self.formulas.insert(id, formula);
                }
                Sort::RegLan => {}
            }
        }
        literals.into_iter().try_for_each(|literal| self.assert_literal(literal))
    }

    fn number(&self, id: TermId) -> Option<&Int> {
        match self.ground.get(&id) {
            Some(Ground::Value(Value::Int(i))) => Some(i),
            _ => None,
        }
    }
}

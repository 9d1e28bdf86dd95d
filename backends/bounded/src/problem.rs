//! A problem taken apart: conjuncts, the variables that matter, and equations that fix a variable.
//!
//! Sets of variables are bits of a word, so there are at most [`MAX_VARIABLES`] of them.

use std::collections::HashMap;

use backends_api::{BackendError, Stop};
use harness_model::Alphabet;
use harness_theory::Problem;
use harness_theory::op::{CoreOp, Op};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId, Terms, VarId};

/// Far more than can be tried.
pub(crate) const MAX_VARIABLES: usize = 64;

/// A set of variables, by their places in [`Parts::variables`].
pub(crate) type Set = u64;

/// The places in a set, smallest first.
pub(crate) fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..MAX_VARIABLES).filter(move |&v| set & (1 << v) != 0)
}

/// `variable` must have the value of `term`, in which it does not occur.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Definition {
    pub(crate) variable: usize,
    pub(crate) term: TermId,
    /// The variables of `term`.
    pub(crate) needs: Set,
    /// The conjunct that says so, if it says nothing else.
    pub(crate) whole: Option<usize>,
}

/// A problem taken apart.
#[derive(Debug)]
pub(crate) struct Parts<'p> {
    pub(crate) terms: &'p Terms,
    pub(crate) alphabet: Alphabet,
    /// Every term of the assertions, arguments first.
    pub(crate) cone: Vec<TermId>,
    /// What must hold, conjunctions undone.
    pub(crate) conjuncts: Vec<TermId>,
    /// The variables that occur.
    pub(crate) variables: Vec<VarId>,
    sets: HashMap<TermId, Set>,
    pub(crate) definitions: Vec<Definition>,
}

impl<'p> Parts<'p> {
    /// Takes `problem` apart; refuses what cannot be tried at all. Linear in the terms.
    pub(crate) fn of(problem: &'p Problem, alphabet: Alphabet) -> Result<Self, BackendError> {
        let terms = &*problem.terms;
        let cone = terms.cone(&problem.assertions);
        let mut variables = Vec::new();
        let mut sets: HashMap<TermId, Set> = HashMap::with_capacity(cone.len());
        for &id in &cone {
            let set = match terms.get(id) {
                Term::Var(v) => {
                    if terms.sort(id) == Sort::RegLan {
                        return Err(BackendError::Unsupported("a variable of sort RegLan".into()));
                    }
                    if variables.len() == MAX_VARIABLES {
                        let limit = MAX_VARIABLES as u64;
                        return Err(Stop::Size { what: "a search", limit, unit: "variables" }.into());
                    }
                    variables.push(*v);
                    1 << (variables.len() - 1)
                }
                Term::String(text) => {
                    if let Some(c) = text.foreign_to(alphabet) {
                        let what =
                            format!("a literal with {c:?}, which the alphabet {alphabet} does not have");
                        return Err(BackendError::Unsupported(what));
                    }
                    0
                }
                Term::App(_, arguments) => arguments.iter().fold(0, |set, a| set | sets[a]),
                Term::Bool(_) | Term::Int(_) => 0,
            };
            sets.insert(id, set);
        }
        let mut parts = Self {
            terms,
            alphabet,
            cone,
            conjuncts: conjuncts(terms, &problem.assertions),
            variables,
            sets,
            definitions: Vec::new(),
        };
        parts.definitions = parts.find_definitions();
        Ok(parts)
    }

    /// The variables of a term of the cone.
    pub(crate) fn set(&self, id: TermId) -> Set {
        self.sets.get(&id).copied().unwrap_or(0)
    }

    /// The place of the variable that `id` is.
    pub(crate) fn variable(&self, id: TermId) -> Option<usize> {
        matches!(self.terms.get(id), Term::Var(_)).then(|| members(self.set(id)).next())?
    }

    /// The sort of the variable at `place`.
    pub(crate) fn sort(&self, place: usize) -> Sort {
        self.terms.variables()[self.variables[place].index()].sort
    }

    /// Its name.
    pub(crate) fn name(&self, place: usize) -> &str {
        &self.terms.variables()[self.variables[place].index()].name
    }

    fn find_definitions(&self) -> Vec<Definition> {
        let mut found = Vec::new();
        for (index, &conjunct) in self.conjuncts.iter().enumerate() {
            let Term::App(Op::Core(CoreOp::Eq), arguments) = self.terms.get(conjunct) else { continue };
            for pair in arguments.windows(2) {
                for (side, term) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                    let needs = self.set(term);
                    if let Some(variable) = self.variable(side)
                        && needs & (1 << variable) == 0
                    {
                        let whole = (arguments.len() == 2).then_some(index);
                        found.push(Definition { variable, term, needs, whole });
                    }
                }
            }
        }
        found
    }
}

/// The assertions with conjunctions undone, each once, in order.
#[allow(clippy::wildcard_enum_match_arm, reason = "whatever is no conjunction stays whole")]
fn conjuncts(terms: &Terms, assertions: &[TermId]) -> Vec<TermId> {
    let mut all = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut todo: Vec<TermId> = assertions.iter().rev().copied().collect();
    while let Some(id) = todo.pop() {
        match terms.get(id) {
            Term::App(Op::Core(CoreOp::And), arguments) => todo.extend(arguments.iter().rev()),
            _ if seen.insert(id) => all.push(id),
            _ => {}
        }
    }
    all
}

//! Problems with fewer operations of Java: those that a strategy does not have itself are expressed in
//! SMT-LIB's functions.
//!
//! Lowering has two steps. [`unfold`] writes out every operation that is a term over its arguments, and
//! asserts, before each assertion, when the operations in it are defined. [`with_fresh_variables`] replaces
//! the others, each by a fresh variable with constraints that fix its value. A strategy that does an
//! operation natively says so, and gets it as it stands; when the operation is defined is asserted for it all
//! the same.
//!
//! - [`definition`]: what a definition is and how its terms are made
//! - [`primitive`]: the functions beside SMT-LIB's that definitions come down to
//! - [`defined`], [`text`](mod@text), `fresh`: when operations are defined, and what they and the primitives
//!   are

pub mod defined;
pub mod definition;
mod fresh;
pub mod primitive;
pub mod text;

use std::sync::Arc;

use harness_model::Alphabet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::op::{JavaOp, Op, Shape, StrOp};
use crate::problem::{Problem, Query, Script};
use crate::term::{Term, TermId, Terms};
pub use definition::{Definition, FreshMaker, Maker};
pub use primitive::{Case, Primitive};

/// Whether any of Java's operations that `native` does not take, or one with arguments left out, occurs in
/// the problem.
#[allow(clippy::wildcard_enum_match_arm, reason = "only Java's operations are written out")]
pub fn has_other_than(problem: &Problem, native: impl Fn(Op) -> bool) -> bool {
    let other = |id: &TermId| match problem.terms.get(*id) {
        Term::App(op @ Op::Java(java), arguments) => {
            let whole = match java.shape() {
                Shape::AtLeast(_, sorts) => sorts.len() == arguments.len(),
                Shape::Fixed(_) | Shape::Many(_) | Shape::Chain(_) | Shape::Equality | Shape::Choice => true,
            };
            !whole || !native(*op)
        }
        Term::App(..) | Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::String(_) => false,
    };
    problem.terms.cone(&problem.assertions).iter().any(other)
}

/// The problem with none of Java's operations but those that `native` takes, and with the conditions under
/// which they are defined as assertions of their own. Fresh variables come after the old ones.
pub fn lower(problem: &Problem, alphabet: Alphabet, native: impl Fn(Op) -> bool) -> Problem {
    lower_with_origins(problem, alphabet, native).0
}

/// As [`lower`]; with the place of the assertion that each new assertion comes from, as of
/// [`unfold_with_origins`]: `None` for a constraint that describes a primitive, which only says what a value
/// is.
pub fn lower_with_origins(
    problem: &Problem,
    alphabet: Alphabet,
    native: impl Fn(Op) -> bool,
) -> (Problem, Vec<Option<usize>>) {
    let (unfolded, places) = unfold_with_origins(problem, alphabet, &native)
        .unwrap_or_else(|| (problem.clone(), (0..problem.assertions.len()).collect()));
    let mut origins: Vec<Option<usize>> = places.into_iter().map(Some).collect();
    if !has_other_than(&unfolded, &native) {
        return (unfolded, origins);
    }
    let described = with_fresh_variables(&unfolded, alphabet, native);
    let constraints = described.assertions.len() - unfolded.assertions.len();
    origins.splice(0..0, std::iter::repeat_n(None, constraints));
    (described, origins)
}

/// The first step of lowering for one problem; `None` where it has none of Java's operations.
pub fn unfold(problem: &Problem, alphabet: Alphabet, native: impl Fn(Op) -> bool) -> Option<Problem> {
    unfold_with_origins(problem, alphabet, native).map(|(unfolded, _)| unfolded)
}

/// As [`unfold`]; with the place of the assertion that each new assertion comes from: its own, or that whose
/// operations it is a condition of.
pub fn unfold_with_origins(
    problem: &Problem,
    alphabet: Alphabet,
    native: impl Fn(Op) -> bool,
) -> Option<(Problem, Vec<usize>)> {
    let cone = problem.terms.cone(&problem.assertions);
    let unfolding = Unfolding::of(&problem.terms, &cone, alphabet, &native)?;
    let places: Vec<usize> = (0..problem.assertions.len()).collect();
    let (assertions, origins) = unfolding.assertions(&problem.assertions, &places);
    let variables = problem.variables.clone();
    Some((Problem { terms: Arc::new(unfolding.terms), variables, assertions }, origins))
}

/// The first step of lowering for all queries of a script, which share their terms afterwards too. The
/// conditions stand before the assertion that they belong to, at its place in the text.
pub fn unfold_script(script: Script, alphabet: Alphabet, native: impl Fn(Op) -> bool) -> Script {
    let Some(terms) = script.queries.first().map(|query| Arc::clone(&query.problem.terms)) else {
        return script;
    };
    let all: Vec<TermId> = terms.ids().collect();
    let Some(unfolding) = Unfolding::of(&terms, &all, alphabet, &native) else { return script };
    let queries: Vec<Query> = script
        .queries
        .into_iter()
        .map(|query| {
            let Problem { variables, assertions, .. } = query.problem;
            let (assertions, assertion_offsets) = unfolding.assertions(&assertions, &query.assertion_offsets);
            let problem = Problem { terms: Arc::default(), variables, assertions };
            let get_value =
                query.get_value.into_iter().map(|(text, id)| (text, unfolding.new[&id])).collect();
            let mut origins = query.origins;
            for argument in origins.applications.iter_mut().flat_map(|application| &mut application.arguments)
            {
                *argument = unfolding.new[argument];
            }
            Query { problem, assertion_offsets, get_value, origins, ..query }
        })
        .collect();
    let terms = Arc::new(unfolding.terms);
    let shared =
        |query: Query| Query { problem: Problem { terms: Arc::clone(&terms), ..query.problem }, ..query };
    Script { queries: queries.into_iter().map(shared).collect(), ..script }
}

/// The conditions under which the operations in `root` are defined, in the order in which they are read,
/// added to `terms`. They may hold operations of Java themselves.
#[allow(clippy::wildcard_enum_match_arm, reason = "only Java's operations are undefined anywhere")]
pub fn definedness(terms: &mut Terms, root: TermId, alphabet: Alphabet) -> Vec<TermId> {
    let applications = post_order(terms, root, |terms, id| match terms.get(id) {
        Term::App(Op::Java(op), arguments) => Some((*op, arguments.clone())),
        Term::App(..) | Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::String(_) => None,
    });
    let mut m = Maker { terms, alphabet };
    applications.into_iter().flat_map(|(op, arguments)| op.definedness(&mut m, &arguments)).collect()
}

/// The terms below `root` for which `choose` gives something, arguments first, from the left; each term once.
fn post_order<T>(terms: &Terms, root: TermId, choose: impl Fn(&Terms, TermId) -> Option<T>) -> Vec<T> {
    let (mut chosen, mut seen) = (Vec::new(), FxHashSet::default());
    let mut open: Vec<(TermId, usize)> = vec![(root, 0)];
    while let Some((id, next)) = open.pop() {
        match terms.arguments(id).get(next) {
            Some(&argument) => {
                open.push((id, next + 1));
                if seen.insert(argument) {
                    open.push((argument, 0));
                }
            }
            None => chosen.extend(choose(terms, id)),
        }
    }
    chosen
}

/// Terms of which those of Java's operations that are terms over their arguments are written out.
struct Unfolding<'t> {
    old: &'t Terms,
    terms: Terms,
    alphabet: Alphabet,
    /// Each old term as a new one.
    new: FxHashMap<TermId, TermId>,
    /// The conditions of each old application that has any.
    conditions: FxHashMap<TermId, Vec<TermId>>,
}

impl<'t> Unfolding<'t> {
    /// Unfolds these terms, arguments first; `None` where none of them is an operation of Java.
    fn of(old: &'t Terms, ids: &[TermId], alphabet: Alphabet, native: &impl Fn(Op) -> bool) -> Option<Self> {
        if !ids.iter().any(|&id| matches!(old.get(id), Term::App(Op::Java(_), _))) {
            return None;
        }
        let terms = Terms::with_variables(old.variables());
        let mut this =
            Self { old, terms, alphabet, new: FxHashMap::default(), conditions: FxHashMap::default() };
        for &id in ids {
            let new = match old.get(id) {
                Term::Var(variable) => this.terms.var(*variable),
                Term::Bool(value) => this.terms.bool(*value),
                Term::Int(value) => this.terms.int(value.clone()),
                Term::String(value) => this.terms.string(value.clone()),
                Term::App(op, arguments) => {
                    let arguments: Vec<TermId> = arguments.iter().map(|a| this.new[a]).collect();
                    match *op {
                        Op::Java(java) => this.java(id, java, &arguments, native(*op)),
                        op @ (Op::Core(_) | Op::Arith(_) | Op::Str(_) | Op::Re(_)) => {
                            Maker { terms: &mut this.terms, alphabet }.app(op, &arguments)
                        }
                    }
                }
            };
            this.new.insert(id, new);
        }
        Some(this)
    }

    /// An application of one of Java's operations.
    fn java(&mut self, old: TermId, op: JavaOp, arguments: &[TermId], native: bool) -> TermId {
        self.terms.int(0_i64);
        let mut m = Maker { terms: &mut self.terms, alphabet: self.alphabet };
        let conditions = op.definedness(&mut m, arguments);
        if !conditions.is_empty() {
            self.conditions.insert(old, conditions);
        }
        match op.definition() {
            Definition::Term(make) if !native => make(&mut m, arguments),
            Definition::Term(_) | Definition::Constraints(_) => {
                let mut arguments = arguments.to_vec();
                // What is left out is the end of the string.
                if op == JavaOp::LastIndexOf && arguments.len() == 2 {
                    arguments.push(m.app(StrOp::Len, &arguments[..1]));
                }
                m.app(op, &arguments)
            }
        }
    }

    /// The new assertions, each with the conditions of its operations before it; and their places, where
    /// there are any.
    fn assertions(&self, assertions: &[TermId], offsets: &[usize]) -> (Vec<TermId>, Vec<usize>) {
        let (mut new, mut places) = (Vec::new(), Vec::new());
        for (number, &assertion) in assertions.iter().enumerate() {
            if !self.conditions.is_empty() {
                new.extend(
                    post_order(self.old, assertion, |_, id| self.conditions.get(&id)).into_iter().flatten(),
                );
            }
            new.push(self.new[&assertion]);
            if let Some(&offset) = offsets.get(number) {
                places.resize(new.len(), offset);
            }
        }
        (new, places)
    }
}

/// The second step of lowering: a problem whose operations of Java are defined everywhere and all are
/// primitives. The constraints come before the assertions.
pub fn with_fresh_variables(problem: &Problem, alphabet: Alphabet, native: impl Fn(Op) -> bool) -> Problem {
    let mut terms = (*problem.terms).clone();
    let mut maker = FreshMaker::new(&mut terms, alphabet);
    let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
    for id in problem.terms.cone(&problem.assertions) {
        let lowered = match problem.terms.get(id) {
            Term::App(op, arguments) => {
                let arguments: Vec<TermId> = arguments.iter().map(|a| new[a]).collect();
                match *op {
                    Op::Java(java) if !native(*op) => match java.definition() {
                        Definition::Constraints(primitive) => primitive.describe(&mut maker, &arguments),
                        Definition::Term(_) => unreachable!("{} is unfolded before", java.name()),
                    },
                    op @ (Op::Core(_) | Op::Arith(_) | Op::Str(_) | Op::Re(_) | Op::Java(_)) => {
                        maker.app(op, &arguments)
                    }
                }
            }
            Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::String(_) => id,
        };
        new.insert(id, lowered);
    }
    let FreshMaker { variables: fresh, constraints: mut assertions, .. } = maker;
    assertions.extend(problem.assertions.iter().map(|a| new[a]));
    let variables = [problem.variables.as_slice(), &fresh].concat();
    Problem { terms: Arc::new(terms), variables, assertions }
}

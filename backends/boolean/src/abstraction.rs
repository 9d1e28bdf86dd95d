//! A problem as Boolean structure over atoms: what a strategy for conjunctions decides is a literal, an atom
//! or its opposite, and holds no structure of its own but of integers.
//!
//! - A part of the structure that is about integers alone, without a Boolean variable, is one atom, for
//!   solvers of integers take it as it stands.
//! - An `ite` of strings, or of integers under a condition over strings or Boolean variables, is put outside
//!   of the predicate that it is an argument of; where that would make many predicates of one, and inside of
//!   functions, a fresh variable stands for it. [`Abstraction::definitions`] says what it is: it has such a
//!   value whatever else holds, so its definition matters only where it occurs in a literal.
//! - Chains of strings (`=`, `distinct`, `str.<`) are conjunctions of pairs.
//! - Membership in a language that depends on terms is structure where it can be: see `language`.
//! - Two constant languages differ where a fresh variable can be in one of them alone. Whether that atom, of
//!   [`Abstraction::differences`], can hold is asked before the search: its negation would speak of one word,
//!   not of all.
//!
//! Recursion over terms is bounded: over the leaves of `ite`s by `MOST_LEAVES`, over languages in
//! `language`. Cost: for each atom linear in its term, times `MOST_LEAVES` at most; `distinct` is quadratic
//! in its arguments.

use std::sync::Arc;

use backends_api::Reasons;
use backends_fold::Evaluator;
use harness_model::Alphabet;
use harness_theory::op::{CoreOp, Op, ReOp, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId, Terms, VarId};
use harness_theory::{Assignment, Problem, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::language;
use crate::skeleton::{Formula, Node, Skeleton};

/// A predicate of `ite`s is split where that makes at most so many of it.
const MOST_LEAVES: usize = 16;

/// What a strategy is asked about.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The predicate; a Boolean variable is one too.
    pub term: TermId,
    /// Its opposite.
    pub opposite: TermId,
    /// The variables in it, ascending; fresh ones too.
    pub variables: Vec<VarId>,
    /// Which Boolean variable it is.
    pub boolean: Option<VarId>,
}

/// A problem as structure over atoms.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// Where the atoms live.
    pub terms: Arc<Terms>,
    /// The structure.
    pub skeleton: Skeleton,
    /// By place.
    pub atoms: Vec<Atom>,
    /// What is asserted, and the assertions that it holds because of.
    pub roots: Vec<(Formula, Reasons)>,
    /// What each fresh variable is.
    pub definitions: FxHashMap<VarId, Formula>,
    /// The atoms that hold for some value of their variable or do not hold at all.
    pub differences: Vec<usize>,
}

/// An `ite` that a fresh variable stands for.
#[derive(Clone, Copy, Debug)]
struct Lifted {
    variable: VarId,
    condition: Formula,
    yes: TermId,
    no: TermId,
    /// How many values it chooses from in the end.
    leaves: usize,
}

/// Makes an abstraction.
pub(crate) struct Builder {
    /// The terms of the problem, and those that are made.
    pub(crate) terms: Terms,
    pub(crate) skeleton: Skeleton,
    alphabet: Alphabet,
    atoms: Vec<Atom>,
    /// The formula of each atom's term.
    formula_of_atom: FxHashMap<TermId, Formula>,
    /// Each term of the problem that is a value or a language, without `ite`s that are lifted.
    values: FxHashMap<TermId, TermId>,
    /// Each Boolean term of the problem.
    formulas: FxHashMap<TermId, Formula>,
    lifted: FxHashMap<TermId, Lifted>,
    /// For two languages, that they differ.
    differences: FxHashMap<(TermId, TermId), Formula>,
    /// Inside a membership: how many languages may still be taken apart.
    pub(crate) languages_left: Option<usize>,
}

impl Abstraction {
    /// The abstraction of `problem`, whose assertions hold because of `origins`.
    ///
    /// # Errors
    ///
    /// The name of what has no place in it.
    pub fn new(problem: &Problem, origins: &[Reasons], alphabet: Alphabet) -> Result<Self, String> {
        let mut builder = Builder {
            terms: (*problem.terms).clone(),
            skeleton: Skeleton::default(),
            alphabet,
            atoms: Vec::new(),
            formula_of_atom: FxHashMap::default(),
            values: FxHashMap::default(),
            formulas: FxHashMap::default(),
            lifted: FxHashMap::default(),
            differences: FxHashMap::default(),
            languages_left: None,
        };
        let units = units(&problem.terms, &problem.assertions);
        let roots: Vec<TermId> = units.iter().map(|(term, ..)| *term).collect();
        for id in problem.terms.cone(&roots) {
            builder.read(&problem.terms, id)?;
        }
        let mut asserted = Vec::with_capacity(units.len());
        for (term, positive, place) in units {
            let formula = builder.formula(term)?;
            asserted.push((if positive { formula } else { !formula }, origins[place].clone()));
        }
        let definitions = builder.definitions()?;
        let atom = |formula: &Formula| match builder.skeleton.nodes()[formula.node] {
            Node::Atom(atom) => Some(atom),
            Node::True | Node::And(_) | Node::Choice(..) | Node::Same(..) => None,
        };
        let mut differences: Vec<usize> = builder.differences.values().filter_map(atom).collect();
        differences.sort_unstable();
        Ok(Self {
            differences,
            terms: Arc::new(builder.terms),
            skeleton: builder.skeleton,
            atoms: builder.atoms,
            roots: asserted,
            definitions,
        })
    }
}

/// The parts of the assertions, whether each holds, and the place of its assertion.
fn units(terms: &Terms, assertions: &[TermId]) -> Vec<(TermId, bool, usize)> {
    let mut units = Vec::new();
    let mut seen = FxHashSet::default();
    let mut todo: Vec<(TermId, bool, usize)> =
        assertions.iter().enumerate().rev().map(|(place, &term)| (term, true, place)).collect();
    while let Some((term, holds, place)) = todo.pop() {
        if !seen.insert((term, holds)) {
            continue;
        }
        match crate::guards::parts(terms, term, holds) {
            Some(parts) => todo.extend(parts.into_iter().rev().map(|(part, holds)| (part, holds, place))),
            None => units.push((term, holds, place)),
        }
    }
    units
}

impl Builder {
    #[expect(clippy::expect_used, reason = "arguments are replaced by others of the same sort")]
    pub(crate) fn app(&mut self, op: impl Into<Op>, arguments: &[TermId]) -> TermId {
        self.terms.app(op, arguments).expect("the new term has the sorts of the old one")
    }

    /// Reads a term whose arguments are read.
    fn read(&mut self, old: &Terms, id: TermId) -> Result<(), String> {
        let sort = old.sort(id);
        let (op, arguments) = match old.get(id) {
            Term::Bool(truth) => {
                self.values.insert(id, id);
                self.formulas.insert(id, Formula::of(*truth));
                return Ok(());
            }
            Term::Var(_) if sort == Sort::Bool => {
                let formula = self.atom(id)?;
                self.formulas.insert(id, formula);
                return Ok(());
            }
            Term::Var(_) | Term::Int(_) | Term::String(_) => {
                self.values.insert(id, id);
                return Ok(());
            }
            Term::App(op, arguments) => (*op, &**arguments),
        };
        let chooses = op == Op::Core(CoreOp::Ite);
        let lifts = match sort {
            Sort::String | Sort::RegLan => chooses,
            Sort::Int => chooses && !self.is_whole(arguments[0]),
            Sort::Bool => false,
        };
        if lifts {
            let condition = self.formula(arguments[0])?;
            let (yes, no) = (self.value(arguments[1])?, self.value(arguments[2])?);
            let value = self.choice(condition, yes, no);
            self.values.insert(id, value);
            return Ok(());
        }
        let boolean = arguments.first().is_some_and(|&a| old.sort(a) == Sort::Bool);
        // Whether it has no structure over strings or Boolean variables.
        let whole = arguments.iter().all(|&a| old.sort(a) != Sort::Bool || self.is_whole(a));
        if whole {
            let values = arguments.iter().map(|&a| self.value(a)).collect::<Result<Vec<_>, _>>()?;
            if sort != Sort::Bool {
                let value = if values == arguments { id } else { self.app(op, &values) };
                self.values.insert(id, value);
                return Ok(());
            }
            let numbers = matches!(op, Op::Core(_) | Op::Arith(_)) && old.sort(arguments[0]) == Sort::Int;
            // An `ite` that is put outside has structure of its own.
            let lifted = !boolean && values.iter().any(|value| self.lifted.contains_key(value));
            if lifted || !boolean && !numbers {
                let formula = self.predicate(op, &values)?;
                self.formulas.insert(id, formula);
                return Ok(());
            }
            let value = if values == arguments { id } else { self.app(op, &values) };
            self.values.insert(id, value);
            return Ok(());
        }
        let parts = arguments.iter().map(|&a| self.formula(a)).collect::<Result<Vec<_>, _>>()?;
        let formula = self.connective(op, &parts)?;
        self.formulas.insert(id, formula);
        Ok(())
    }

    /// Whether a Boolean term has a value: it is about integers alone.
    fn is_whole(&self, id: TermId) -> bool {
        self.values.contains_key(&id)
    }

    /// The term of a term that is read.
    fn value(&self, id: TermId) -> Result<TermId, String> {
        self.values.get(&id).copied().ok_or_else(|| "a term out of order".to_owned())
    }

    /// The formula of a Boolean term that is read.
    fn formula(&mut self, id: TermId) -> Result<Formula, String> {
        if let Some(&formula) = self.formulas.get(&id) {
            return Ok(formula);
        }
        let value = self.value(id)?;
        let formula = self.atom(value)?;
        self.formulas.insert(id, formula);
        Ok(formula)
    }

    fn connective(&mut self, op: Op, parts: &[Formula]) -> Result<Formula, String> {
        let skeleton = &mut self.skeleton;
        let Op::Core(core) = op else { return Err(op.name().to_owned()) };
        Ok(match core {
            CoreOp::Not => !parts[0],
            CoreOp::And => skeleton.and(parts.iter().copied()),
            CoreOp::Or => skeleton.or(parts.iter().copied()),
            CoreOp::Implies => {
                let last = parts.len() - 1;
                skeleton.or(parts.iter().enumerate().map(|(i, &part)| if i == last { part } else { !part }))
            }
            CoreOp::Xor => parts[1..].iter().fold(parts[0], |odd, &part| !skeleton.same(odd, part)),
            CoreOp::Eq => {
                let pairs: Vec<Formula> =
                    parts.windows(2).map(|pair| skeleton.same(pair[0], pair[1])).collect();
                skeleton.and(pairs)
            }
            // No three truth values are pairwise distinct.
            CoreOp::Distinct if parts.len() > 2 => Formula::FALSE,
            CoreOp::Distinct => !skeleton.same(parts[0], parts[1]),
            CoreOp::Ite => skeleton.choice(parts[0], parts[1], parts[2]),
        })
    }

    /// `yes` or `no`: one of them, or a variable that stands for the choice.
    fn choice(&mut self, condition: Formula, yes: TermId, no: TermId) -> TermId {
        match condition.truth() {
            Some(true) => return yes,
            Some(false) => return no,
            None if yes == no => return yes,
            None => {}
        }
        let leaves = self.leaves(yes).saturating_add(self.leaves(no));
        let name = format!("ite!{}", self.lifted.len());
        let variable = self.terms.variable(name, self.terms.sort(yes));
        let term = self.terms.var(variable);
        self.lifted.insert(term, Lifted { variable, condition, yes, no, leaves });
        term
    }

    /// Whether it is the variable that stands for an `ite`.
    pub(crate) fn is_choice(&self, term: TermId) -> bool {
        self.lifted.contains_key(&term)
    }

    fn leaves(&self, term: TermId) -> usize {
        self.lifted.get(&term).map_or(1, |lifted| lifted.leaves)
    }

    /// A predicate over values, `ite`s put outside of it.
    pub(crate) fn predicate(&mut self, op: Op, arguments: &[TermId]) -> Result<Formula, String> {
        let leaves = arguments.iter().fold(1_usize, |all, &a| all.saturating_mul(self.leaves(a)));
        // For a language no variable can stand.
        let language = |a: &TermId| self.terms.sort(*a) == Sort::RegLan && self.lifted.contains_key(a);
        let place = if leaves <= MOST_LEAVES {
            arguments.iter().position(|a| self.lifted.contains_key(a))
        } else {
            arguments.iter().position(language)
        };
        if place.is_some_and(|place| self.leaves(arguments[place]) > MOST_LEAVES) {
            return Err("ite of regular languages".to_owned());
        }
        let Some(place) = place else { return self.simple_predicate(op, arguments) };
        let Lifted { condition, yes, no, .. } = self.lifted[&arguments[place]];
        let mut branch = |value: TermId| {
            let mut arguments = arguments.to_vec();
            arguments[place] = value;
            self.predicate(op, &arguments)
        };
        let (yes, no) = (branch(yes)?, branch(no)?);
        Ok(self.skeleton.choice(condition, yes, no))
    }

    /// A predicate as it stands.
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "only these predicates are read otherwise than as they stand"
    )]
    fn simple_predicate(&mut self, op: Op, arguments: &[TermId]) -> Result<Formula, String> {
        let strings = self.terms.sort(arguments[0]) == Sort::String;
        let related = match op {
            Op::Core(CoreOp::Distinct) => {
                let later = |(i, &a): (usize, &TermId)| {
                    arguments[i + 1..].iter().map(move |&b| (a, b)).collect::<Vec<_>>()
                };
                let pairs: Vec<(TermId, TermId)> = arguments.iter().enumerate().flat_map(later).collect();
                let mut all = Vec::with_capacity(pairs.len());
                for (a, b) in pairs {
                    all.push(!self.equal(a, b)?);
                }
                return Ok(self.skeleton.and(all));
            }
            Op::Core(CoreOp::Eq) => {
                let mut all = Vec::with_capacity(arguments.len());
                for pair in arguments.windows(2) {
                    all.push(self.equal(pair[0], pair[1])?);
                }
                return Ok(self.skeleton.and(all));
            }
            Op::Str(StrOp::Lt | StrOp::Le) => strings && arguments.len() > 2,
            Op::Str(StrOp::InRe) if self.has_variable(arguments[1]) => {
                return language::membership(self, arguments[0], arguments[1]);
            }
            Op::Core(
                CoreOp::Not | CoreOp::And | CoreOp::Or | CoreOp::Implies | CoreOp::Xor | CoreOp::Ite,
            )
            | Op::Arith(_)
            | Op::Str(_)
            | Op::Re(_)
            | Op::Java(_) => false,
        };
        if related {
            let mut all = Vec::with_capacity(arguments.len());
            for pair in arguments.windows(2) {
                let term = self.app(op, pair);
                all.push(self.atom(term)?);
            }
            return Ok(self.skeleton.and(all));
        }
        let term = self.app(op, arguments);
        self.atom(term)
    }

    /// That two values are equal, `ite`s as their variables.
    pub(crate) fn equal(&mut self, a: TermId, b: TermId) -> Result<Formula, String> {
        if a == b {
            return Ok(Formula::TRUE);
        }
        if self.terms.sort(a) == Sort::RegLan {
            return Ok(!self.differ(a.min(b), a.max(b))?);
        }
        let term = self.app(CoreOp::Eq, &[a.min(b), a.max(b)]);
        self.atom(term)
    }

    /// That some word is in one of the languages alone.
    fn differ(&mut self, a: TermId, b: TermId) -> Result<Formula, String> {
        if let Some(&formula) = self.differences.get(&(a, b)) {
            return Ok(formula);
        }
        if self.has_variable(a) || self.has_variable(b) {
            return Err("= of regular languages that depend on a variable".to_owned());
        }
        let variable = self.terms.variable(format!("word!{}", self.differences.len()), Sort::String);
        let word = self.terms.var(variable);
        let only = [self.app(ReOp::Diff, &[a, b]), self.app(ReOp::Diff, &[b, a])];
        let one = self.app(ReOp::Union, &only);
        let term = self.app(StrOp::InRe, &[word, one]);
        let formula = self.atom(term)?;
        self.differences.insert((a, b), formula);
        Ok(formula)
    }

    /// Whether a variable is in the term.
    pub(crate) fn has_variable(&self, id: TermId) -> bool {
        self.terms.cone(&[id]).into_iter().any(|part| matches!(self.terms.get(part), Term::Var(_)))
    }

    /// The formula of a predicate, which is its truth where it has no variables.
    pub(crate) fn atom(&mut self, term: TermId) -> Result<Formula, String> {
        if let Some(&formula) = self.formula_of_atom.get(&term) {
            return Ok(formula);
        }
        let mut variables: Vec<VarId> = Vec::new();
        for part in self.terms.cone(&[term]) {
            match self.terms.get(part) {
                Term::Var(variable) => {
                    if self.terms.sort(part) == Sort::RegLan {
                        return Err("a regular language as a value".to_owned());
                    }
                    variables.push(*variable);
                }
                Term::App(..) | Term::Bool(_) | Term::Int(_) | Term::String(_) => {}
            }
        }
        let truth = if variables.is_empty() { self.evaluate(term) } else { None };
        let formula = match truth {
            Some(truth) => Formula::of(truth),
            None => {
                variables.sort_unstable();
                let opposite = self.app(CoreOp::Not, &[term]);
                let boolean = match self.terms.get(term) {
                    Term::Var(variable) => Some(*variable),
                    Term::App(..) | Term::Bool(_) | Term::Int(_) | Term::String(_) => None,
                };
                self.atoms.push(Atom { term, opposite, variables, boolean });
                self.skeleton.atom().1
            }
        };
        self.formula_of_atom.insert(term, formula);
        Ok(formula)
    }

    /// The truth of a predicate without variables; `None` where it cannot be computed, which whoever uses it
    /// is told by the strategy.
    fn evaluate(&self, term: TermId) -> Option<bool> {
        let mut evaluator = Evaluator::new(&self.terms, &[term], self.alphabet);
        evaluator.run(&Assignment::new()).ok()?;
        match evaluator.value(0) {
            Ok(Some(Value::Bool(truth))) => Some(truth),
            Ok(_) | Err(_) => None,
        }
    }

    /// What the fresh variables are that some atom has, and those that are in these definitions.
    fn definitions(&mut self) -> Result<FxHashMap<VarId, Formula>, String> {
        let by_variable: FxHashMap<VarId, TermId> =
            self.lifted.iter().map(|(&term, lifted)| (lifted.variable, term)).collect();
        let mut definitions = FxHashMap::default();
        let mut seen = 0;
        while seen < self.atoms.len() {
            let variables = self.atoms[seen].variables.clone();
            seen += 1;
            for variable in variables {
                let Some(term) = by_variable.get(&variable).filter(|_| !definitions.contains_key(&variable))
                else {
                    continue;
                };
                let Lifted { condition, yes, no, .. } = self.lifted[term];
                let (yes, no) = (self.equal(*term, yes)?, self.equal(*term, no)?);
                let definition = self.skeleton.choice(condition, yes, no);
                definitions.insert(variable, definition);
            }
        }
        Ok(definitions)
    }
}

//! The values of terms under an assignment.
//!
//! [`Evaluator::new`] lays out the terms once, arguments before the terms that use them, and computes what
//! has no variable in it; [`Evaluator::run`] walks over the rest, without recursion, as often as there are
//! assignments.
//!
//! A concatenation that only another concatenation uses is not put together by itself: its parts go into the
//! other one, so that a long chain of concatenations costs its length and not the square of it.

use std::collections::HashMap;
use std::sync::Arc;

use harness_model::int::Int;
use harness_model::{Alphabet, Regex};
use harness_theory::{Assignment, CoreOp, Op, Sort, StrOp, Term, TermId, Terms, Value, VarId};

use crate::apply::{Operand, Text, apply};
use crate::failure::{Failure, Limit, Limits};

/// How the value of a place is made.
#[derive(Debug)]
enum Step {
    Variable(VarId),
    Apply(Op, Box<[usize]>),
}

/// Terms laid out for evaluation.
#[derive(Debug)]
pub struct Evaluator<'t> {
    terms: &'t Terms,
    alphabet: Alphabet,
    limits: Limits,
    /// By place: the value in the last run.
    values: Vec<Result<Operand, Failure>>,
    /// What depends on variables: the place, and how its value is made. In order of places.
    steps: Vec<(usize, Step)>,
    /// The places of the roots.
    roots: Vec<usize>,
    /// The characters that constants hold.
    constant: usize,
    /// The characters that are held now.
    held: usize,
}

/// The terms of `cone` that are concatenations which one other concatenation uses, once, and nothing else.
fn inner_concatenations(terms: &Terms, cone: &[TermId], roots: &[TermId]) -> Vec<TermId> {
    let is_concatenation = |id: TermId| matches!(terms.get(id), Term::App(Op::Str(StrOp::Concat), _));
    // By term: how often it is used; twice stands for all uses that are no concatenation.
    let mut uses: HashMap<TermId, usize> = HashMap::new();
    for &id in cone {
        for &argument in terms.arguments(id).iter().filter(|argument| is_concatenation(**argument)) {
            *uses.entry(argument).or_default() += if is_concatenation(id) { 1 } else { 2 };
        }
    }
    for &root in roots {
        uses.remove(&root);
    }
    let mut inner: Vec<TermId> =
        uses.into_iter().filter(|(_, count)| *count == 1).map(|(id, _)| id).collect();
    inner.sort_unstable();
    inner
}

impl<'t> Evaluator<'t> {
    /// Lays out `roots` and all that they are made of. The alphabet says what `re.allchar` is and which codes
    /// are characters.
    pub fn new(terms: &'t Terms, roots: &[TermId], alphabet: Alphabet) -> Self {
        Self::within(terms, roots, alphabet, Limits::default())
    }

    /// As [`Self::new`], with limits other than the usual ones.
    pub fn within(terms: &'t Terms, roots: &[TermId], alphabet: Alphabet, limits: Limits) -> Self {
        let cone = terms.cone(roots);
        let inner = inner_concatenations(terms, &cone, roots);
        let mut place_of: HashMap<TermId, usize> = HashMap::with_capacity(cone.len());
        let mut varies: Vec<bool> = Vec::with_capacity(cone.len());
        let mut this = Self {
            terms,
            alphabet,
            limits,
            values: Vec::with_capacity(cone.len()),
            steps: Vec::new(),
            roots: Vec::new(),
            constant: 0,
            held: 0,
        };
        for id in cone {
            if inner.binary_search(&id).is_ok() {
                continue;
            }
            let place = this.values.len();
            let (value, step) = match terms.get(id) {
                Term::Bool(b) => (Some(Ok(Operand::Bool(*b))), None),
                Term::Int(i) => (Some(Ok(Operand::Int(i.clone()))), None),
                Term::String(s) => (Some(this.hold(Operand::String(Text::from(s.chars())))), None),
                Term::Var(variable) => (None, Some(Step::Variable(*variable))),
                Term::App(op, _) => {
                    let arguments: Box<[usize]> =
                        parts(terms, id, &inner).iter().map(|part| place_of[part]).collect();
                    if arguments.iter().any(|&argument| varies[argument]) {
                        (None, Some(Step::Apply(*op, arguments)))
                    } else {
                        (Some(this.apply(*op, &arguments)), None)
                    }
                }
            };
            varies.push(value.is_none());
            // Before the first run a variable has no value, and nobody asks for one.
            this.values.push(value.unwrap_or(Ok(Operand::Bool(false))));
            this.steps.extend(step.map(|step| (place, step)));
            place_of.insert(id, place);
        }
        this.constant = this.held;
        this.roots = roots.iter().map(|root| place_of[root]).collect();
        this
    }

    /// Evaluates everything under `assignment`. A variable without a value has [`Value::default_of`] its
    /// sort. Then [`Self::bool`], [`Self::value`] and [`Self::language`] give the values of the roots.
    ///
    /// # Errors
    ///
    /// When a value is of another sort than its variable or not over the alphabet. What else fails is an
    /// error of the roots that depend on it.
    pub fn run(&mut self, assignment: &Assignment) -> Result<(), Failure> {
        self.run_with(|variable| assignment.get(&variable))
    }

    /// As [`Self::run`], where `value` gives the values of variables.
    ///
    /// # Errors
    ///
    /// As for [`Self::run`].
    pub fn run_with<'v>(&mut self, value: impl Fn(VarId) -> Option<&'v Value>) -> Result<(), Failure> {
        self.held = self.constant;
        let steps = std::mem::take(&mut self.steps);
        let result = steps.iter().try_for_each(|(place, step)| {
            self.values[*place] = match step {
                Step::Variable(variable) => self.load(*variable, value(*variable))?,
                Step::Apply(op, arguments) => self.apply(*op, arguments),
            };
            Ok(())
        });
        self.steps = steps;
        result
    }

    /// Whether every root is true under `assignment`.
    ///
    /// # Errors
    ///
    /// As for [`Self::run`], and where a root has no value.
    pub fn all_true(&mut self, assignment: &Assignment) -> Result<bool, Failure> {
        self.all_true_with(|variable| assignment.get(&variable))
    }

    /// As [`Self::all_true`], with values as for [`Self::run_with`].
    ///
    /// # Errors
    ///
    /// As for [`Self::all_true`].
    pub fn all_true_with<'v>(&mut self, value: impl Fn(VarId) -> Option<&'v Value>) -> Result<bool, Failure> {
        self.run_with(value)?;
        (0..self.roots.len()).try_fold(true, |all, root| Ok(self.bool(root)? && all))
    }

    /// The truth value of the root at this place of the list of roots, in the last run.
    ///
    /// # Errors
    ///
    /// Where it has none.
    ///
    /// # Panics
    ///
    /// When the root is of another sort.
    #[expect(clippy::panic, reason = "the caller asks for the truth of something else than a condition")]
    pub fn bool(&self, root: usize) -> Result<bool, Failure> {
        match self.operand(root)? {
            Operand::Bool(b) => Ok(*b),
            other => panic!("a root of sort {} has no truth value", other.sort()),
        }
    }

    /// The value of a root in the last run; `None` for a regular language.
    ///
    /// # Errors
    ///
    /// Where it has none.
    pub fn value(&self, root: usize) -> Result<Option<Value>, Failure> {
        self.operand(root).map(Operand::value)
    }

    /// The regular language of a root in the last run, as an expression; `None` for a root of another sort.
    ///
    /// # Errors
    ///
    /// Where it has none.
    pub fn language(&self, root: usize) -> Result<Option<Arc<Regex>>, Failure> {
        Ok(match self.operand(root)? {
            Operand::Language(regex, _) => Some(Arc::clone(regex)),
            Operand::Bool(_) | Operand::Int(_) | Operand::String(_) => None,
        })
    }

    fn operand(&self, root: usize) -> Result<&Operand, Failure> {
        self.values[self.roots[root]].as_ref().map_err(Clone::clone)
    }

    /// Counts the characters of a new value.
    fn hold(&mut self, value: Operand) -> Result<Operand, Failure> {
        if let Operand::String(text) = &value {
            let length = text.chars().len();
            if length > self.limits.characters.saturating_sub(self.held) {
                return Err(Failure::Limit(Limit::Characters));
            }
            self.held += length;
        }
        Ok(value)
    }

    fn load(&mut self, variable: VarId, value: Option<&Value>) -> Result<Result<Operand, Failure>, Failure> {
        let declared = &self.terms.variables()[variable.index()];
        let name = || declared.name.clone();
        let Some(value) = value else {
            return Ok(match declared.sort {
                Sort::Bool => Ok(Operand::Bool(false)),
                Sort::Int => Ok(Operand::Int(Int::ZERO)),
                Sort::String => Ok(Operand::String(Text::from([]))),
                Sort::RegLan => Err(Failure::LanguageVariable(name())),
            });
        };
        if declared.sort == Sort::RegLan {
            return Ok(Err(Failure::LanguageVariable(name())));
        }
        if value.sort() != declared.sort {
            return Err(Failure::Sort { variable: name(), wanted: declared.sort, found: value.sort() });
        }
        if let Value::String(word) = value
            && let Some(character) = word.foreign_to(self.alphabet)
        {
            return Err(Failure::Foreign { variable: name(), character, alphabet: self.alphabet });
        }
        Ok(self.hold(Operand::from(value)))
    }

    /// The value of an application. An argument without a value decides nothing where another argument
    /// decides alone.
    fn apply(&mut self, op: Op, arguments: &[usize]) -> Result<Operand, Failure> {
        let is =
            |place: &usize, wanted: bool| matches!(self.values[*place], Ok(Operand::Bool(b)) if b == wanted);
        if let Op::Core(op) = op {
            match op {
                CoreOp::And if arguments.iter().any(|a| is(a, false)) => return Ok(Operand::Bool(false)),
                CoreOp::Or if arguments.iter().any(|a| is(a, true)) => return Ok(Operand::Bool(true)),
                CoreOp::Implies
                    if arguments.split_last().is_some_and(|(conclusion, premises)| {
                        is(conclusion, true) || premises.iter().any(|a| is(a, false))
                    }) =>
                {
                    return Ok(Operand::Bool(true));
                }
                CoreOp::Ite => {
                    self.values[arguments[0]].as_ref().map_err(Clone::clone)?;
                    return self.values[arguments[if is(&arguments[0], true) { 1 } else { 2 }]].clone();
                }
                CoreOp::And
                | CoreOp::Or
                | CoreOp::Implies
                | CoreOp::Not
                | CoreOp::Xor
                | CoreOp::Eq
                | CoreOp::Distinct => {}
            }
        }
        let at = |place: &usize| self.values[*place].as_ref().map_err(Clone::clone);
        let value = |operands: &[&Operand]| apply(op, operands, self.alphabet, &self.limits);
        // Most functions take few arguments, which need no list.
        let value = match arguments {
            [a] => value(&[at(a)?]),
            [a, b] => value(&[at(a)?, at(b)?]),
            [a, b, c] => value(&[at(a)?, at(b)?, at(c)?]),
            all => value(&all.iter().map(at).collect::<Result<Vec<_>, _>>()?),
        };
        self.hold(value?)
    }
}

/// The arguments of an application; for a concatenation those of inner ones in their place.
fn parts(terms: &Terms, id: TermId, inner: &[TermId]) -> Vec<TermId> {
    let mut parts = Vec::new();
    let mut todo: Vec<TermId> = terms.arguments(id).iter().rev().copied().collect();
    while let Some(part) = todo.pop() {
        if inner.binary_search(&part).is_ok() {
            todo.extend(terms.arguments(part).iter().rev());
        } else {
            parts.push(part);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_chain_of_concatenations_is_put_together_once() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::String);
        let (x, a) = (terms.var(x), terms.string("a"));
        let mut word = x;
        for _ in 0..100_000 {
            word = terms.app(StrOp::Concat, &[word, a]).unwrap();
        }
        let length = terms.app(StrOp::Len, &[word]).unwrap();
        let mut evaluator = Evaluator::new(&terms, &[length], Alphabet::Ascii);
        evaluator.run(&Assignment::new()).unwrap();
        assert_eq!(evaluator.value(0), Ok(Some(Value::Int(Int::from(100_000_i64)))));
    }

    #[test]
    fn what_cannot_be_computed_matters_only_where_it_decides() {
        let mut terms = Terms::new();
        let (one, zero) = (terms.int(1_i64), terms.int(0_i64));
        let quotient = terms.app(harness_theory::ArithOp::Div, &[one, zero]).unwrap();
        let open = terms.app(CoreOp::Eq, &[quotient, one]).unwrap();
        let (yes, no) = (terms.bool(true), terms.bool(false));
        let either = terms.app(CoreOp::Or, &[open, yes]).unwrap();
        let both = terms.app(CoreOp::And, &[no, open]).unwrap();
        let implied = terms.app(CoreOp::Implies, &[open, yes]).unwrap();
        let mut evaluator = Evaluator::new(&terms, &[open, either, both, implied], Alphabet::Ascii);
        evaluator.run(&Assignment::new()).unwrap();
        assert_eq!(evaluator.bool(0), Err(Failure::DivisionByZero));
        assert_eq!(
            (evaluator.bool(1), evaluator.bool(2), evaluator.bool(3)),
            (Ok(true), Ok(false), Ok(true))
        );
    }

    #[test]
    fn strings_beyond_the_limit_are_not_made() {
        let mut terms = Terms::new();
        let mut word = terms.string("ab");
        for _ in 0..60 {
            word = terms.app(StrOp::Concat, &[word, word]).unwrap();
        }
        let length = terms.app(StrOp::Len, &[word]).unwrap();
        let mut evaluator = Evaluator::new(&terms, &[length], Alphabet::Ascii);
        evaluator.run(&Assignment::new()).unwrap();
        assert_eq!(evaluator.value(0), Err(Failure::Limit(Limit::Characters)));
    }
}

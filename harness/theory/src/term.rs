//! Terms: hash-consed, typed, in one arena.
//!
//! Invariants of a [`Terms`]: arguments come before the terms that use them, equal terms are the same
//! [`TermId`], and every application is well-sorted. A term may be nested as deeply as memory allows: nothing
//! here, and nothing that walks the arena in order, recurses.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::op::{Op, Shape};
use crate::sort::Sort;
use harness_model::int::Int;
use harness_model::string::SmtString;

/// A term of one [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(u32);

impl TermId {
    /// Its place in the arena.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable of one [`Terms`]: an index into [`Terms::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(u32);

impl VarId {
    /// Its place in [`Terms::variables`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a term is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable.
    Var(VarId),
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(Int),
    /// A string.
    String(SmtString),
    /// A function applied to arguments.
    App(Op, Box<[TermId]>),
}

/// A declared constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name, without bars.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
}

/// Why an application is not a term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SortError {
    /// Wrong number of arguments.
    #[error("'{op}' takes {wanted}, not {found}")]
    Count {
        /// The function.
        op: &'static str,
        /// How many it takes.
        wanted: String,
        /// How many there are.
        found: usize,
    },
    /// An argument that is no literal of the right kind.
    #[error("'{op}': {message}")]
    Literal {
        /// The function.
        op: &'static str,
        /// What is wrong.
        message: String,
    },
    /// An argument of another sort.
    #[error("argument {argument} of '{op}' must be of sort {wanted}, not {found}")]
    Argument {
        /// The function.
        op: &'static str,
        /// Which argument, from 1.
        argument: usize,
        /// The right sort.
        wanted: Sort,
        /// Its sort.
        found: Sort,
    },
}

/// The number of a term or variable: another number would be another one's.
#[expect(clippy::expect_used, reason = "memory ends long before")]
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("an arena has fewer than 2^32 terms and variables")
}

/// An arena of terms.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    terms: Vec<Term>,
    sorts: Vec<Sort>,
    variables: Vec<Variable>,
    ids: FxHashMap<Term, TermId>,
}

impl Terms {
    /// No terms yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// No terms yet, over these variables.
    pub fn with_variables(variables: &[Variable]) -> Self {
        Self { variables: variables.to_vec(), ..Self::default() }
    }

    /// All terms, arguments first.
    pub fn ids(&self) -> impl Iterator<Item = TermId> + use<> {
        (0..number(self.terms.len())).map(TermId)
    }

    /// How many terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The term.
    pub fn get(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// Its sort.
    pub fn sort(&self, id: TermId) -> Sort {
        self.sorts[id.index()]
    }

    /// Its arguments; none unless it is an application.
    pub fn arguments(&self, id: TermId) -> &[TermId] {
        match self.get(id) {
            Term::App(_, arguments) => arguments,
            Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::String(_) => &[],
        }
    }

    /// The variables, in the order in which they were made.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    fn intern(&mut self, term: Term, sort: Sort) -> TermId {
        if let Some(&id) = self.ids.get(&term) {
            return id;
        }
        let id = TermId(number(self.terms.len()));
        self.ids.insert(term.clone(), id);
        self.terms.push(term);
        self.sorts.push(sort);
        id
    }

    /// A new variable; a second one of the same name is another variable (scripts may shadow after `pop`).
    pub fn variable(&mut self, name: impl Into<String>, sort: Sort) -> VarId {
        let id = VarId(number(self.variables.len()));
        self.variables.push(Variable { name: name.into(), sort });
        id
    }

    /// The variable as a term.
    pub fn var(&mut self, variable: VarId) -> TermId {
        let sort = self.variables[variable.index()].sort;
        self.intern(Term::Var(variable), sort)
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.intern(Term::Bool(value), Sort::Bool)
    }

    /// An integer.
    pub fn int(&mut self, value: impl Into<Int>) -> TermId {
        self.intern(Term::Int(value.into()), Sort::Int)
    }

    /// A string.
    pub fn string(&mut self, value: impl Into<SmtString>) -> TermId {
        self.intern(Term::String(value.into()), Sort::String)
    }

    /// `op` applied to `arguments`, as written: nothing is simplified. A function of many arguments accepts
    /// one only where [`Shape::Fixed`] says so.
    pub fn app(&mut self, op: impl Into<Op>, arguments: &[TermId]) -> Result<TermId, SortError> {
        let op = op.into();
        let sort = self.check(op, arguments)?;
        Ok(self.intern(Term::App(op, arguments.into()), sort))
    }

    fn check(&self, op: Op, arguments: &[TermId]) -> Result<Sort, SortError> {
        let count = |wanted: String| SortError::Count { op: op.name(), wanted, found: arguments.len() };
        let expect = |argument: usize, wanted: Sort| match self.sort(arguments[argument]) {
            found if found == wanted => Ok(()),
            found => Err(SortError::Argument { op: op.name(), argument: argument + 1, wanted, found }),
        };
        match op.shape() {
            Shape::Fixed(sorts) => {
                if sorts.len() != arguments.len() {
                    return Err(count(match sorts.len() {
                        0 => "no argument".to_owned(),
                        1 => "one argument".to_owned(),
                        n => format!("{n} arguments"),
                    }));
                }
                sorts.iter().enumerate().try_for_each(|(i, &sort)| expect(i, sort))?;
            }
            Shape::AtLeast(least, sorts) => {
                if !(least..=sorts.len()).contains(&arguments.len()) {
                    return Err(count(format!("{least} to {} arguments", sorts.len())));
                }
                (0..arguments.len()).try_for_each(|i| expect(i, sorts[i]))?;
            }
            Shape::Many(sort) | Shape::Chain(sort) => {
                if arguments.len() < 2 {
                    return Err(count("two or more arguments".to_owned()));
                }
                (0..arguments.len()).try_for_each(|i| expect(i, sort))?;
            }
            Shape::Equality => {
                if arguments.len() < 2 {
                    return Err(count("two or more arguments".to_owned()));
                }
                let sort = self.sort(arguments[0]);
                (1..arguments.len()).try_for_each(|i| expect(i, sort))?;
            }
            Shape::Choice => {
                if arguments.len() != 3 {
                    return Err(count("3 arguments".to_owned()));
                }
                expect(0, Sort::Bool)?;
                expect(2, self.sort(arguments[1]))?;
            }
        }
        if let Op::Java(java) = op {
            let literals = java.check_literals(self, arguments);
            literals.map_err(|message| SortError::Literal { op: op.name(), message })?;
        }
        Ok(op.result().unwrap_or_else(|| self.sort(arguments[1])))
    }

    /// The terms below `roots`, themselves included, arguments first; each once. A small cone costs what it
    /// is, however many terms there are beside it.
    pub fn cone(&self, roots: &[TermId]) -> Vec<TermId> {
        self.small_cone(roots).unwrap_or_else(|| self.large_cone(roots))
    }

    /// The largest of the terms that are left is next: all that use it were there before. `None` when there
    /// are many.
    fn small_cone(&self, roots: &[TermId]) -> Option<Vec<TermId>> {
        const SMALL: usize = 256;
        let mut waiting: BinaryHeap<TermId> = roots.iter().copied().collect();
        let mut cone: Vec<TermId> = Vec::new();
        while let Some(id) = waiting.pop() {
            if cone.last() == Some(&id) {
                continue;
            }
            let arguments = self.arguments(id);
            if cone.len() >= SMALL || waiting.len() + arguments.len() > SMALL {
                return None;
            }
            cone.push(id);
            waiting.extend(arguments);
        }
        cone.reverse();
        Some(cone)
    }

    /// By a mark for every term.
    fn large_cone(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut inside = vec![false; self.terms.len()];
        let mut stack: Vec<TermId> = roots.to_vec();
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut inside[id.index()], true) {
                stack.extend_from_slice(self.arguments(id));
            }
        }
        // Arguments have smaller ids than the terms that use them.
        (0u32..).zip(&inside).filter(|(_, inside)| **inside).map(|(i, _)| TermId(i)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::{ArithOp, CoreOp, ReOp, StrOp};

    #[test]
    fn equal_terms_are_one() {
        let mut t = Terms::new();
        let x = t.variable("x", Sort::String);
        let x = t.var(x);
        let a = t.app(Op::Str(StrOp::Len), &[x]).unwrap();
        let b = t.app(Op::Str(StrOp::Len), &[x]).unwrap();
        assert_eq!(a, b);
        assert_eq!(t.len(), 2);
        assert_eq!(t.sort(a), Sort::Int);
    }

    #[test]
    fn sorts_are_checked() {
        let mut t = Terms::new();
        let (s, n) = (t.string("a"), t.int(1_i64));
        let error = |t: &mut Terms, op, args: &[TermId]| t.app(op, args).unwrap_err().to_string();
        assert_eq!(
            error(&mut t, Op::Str(StrOp::Len), &[n]),
            "argument 1 of 'str.len' must be of sort String, not Int"
        );
        assert_eq!(error(&mut t, Op::Str(StrOp::Len), &[s, s]), "'str.len' takes one argument, not 2");
        assert_eq!(
            error(&mut t, Op::Str(StrOp::Concat), &[s]),
            "'str.++' takes two or more arguments, not 1"
        );
        assert_eq!(
            error(&mut t, Op::Core(CoreOp::Eq), &[s, n]),
            "argument 2 of '=' must be of sort String, not Int"
        );
        assert_eq!(error(&mut t, Op::Re(ReOp::All), &[s]), "'re.all' takes no argument, not 1");
        let yes = t.bool(true);
        assert_eq!(
            error(&mut t, Op::Core(CoreOp::Ite), &[yes, s, n]),
            "argument 3 of 'ite' must be of sort String, not Int"
        );
        let choice = t.app(Op::Core(CoreOp::Ite), &[yes, s, s]).unwrap();
        assert_eq!(t.sort(choice), Sort::String);
    }

    #[test]
    fn a_cone_is_in_order_and_deep_terms_do_not_overflow() {
        let mut t = Terms::new();
        let a = t.string("a");
        let mut word = a;
        for _ in 0..200_000 {
            word = t.app(Op::Str(StrOp::Concat), &[word, a]).unwrap();
        }
        let cone = t.cone(&[word]);
        assert_eq!(cone.len(), 200_001);
        assert!(cone.is_sorted());
    }
    #[test]
    fn small_cones_are_found_without_a_look_at_every_term() {
        let mut t = Terms::new();
        let mut all: Vec<TermId> = (0..4_i64).map(|i| t.int(i)).collect();
        let mut number = 7_usize;
        let mut next = |below: usize| {
            number = (number * 1_103_515_245 + 12_345) % (1 << 31);
            (number >> 8) % below
        };
        for _ in 0..400 {
            let (a, b) = (all[next(all.len())], all[next(all.len())]);
            all.push(t.app(Op::Arith(ArithOp::Add), &[a, b]).unwrap());
        }
        let mut small = 0;
        for _ in 0..400 {
            let roots = [all[next(all.len())], all[next(all.len())]];
            let found = t.small_cone(&roots);
            small += usize::from(found.is_some());
            assert!(found.is_none_or(|cone| cone == t.large_cone(&roots)));
        }
        assert!(small > 300, "{small}");
        let (first, last) = (all[0], all[403]);
        assert_eq!(t.cone(&[]), []);
        assert_eq!(t.cone(&[first, first]), [first]);
        assert_eq!(t.cone(&[last]), t.large_cone(&[last]));
    }
}

//! The trusted evaluator: the value of terms under an assignment, straight from the standard.
//!
//! It decides every `sat`: a model counts when every assertion evaluates to true. It is written from the
//! definitions in [`crate::meaning`] and shares no code with any backend.
//!
//! [`Evaluator::new`] lays the terms out once, arguments first, with all constants computed;
//! [`Evaluator::run`] then walks that list without recursion. Strings are ranges of one buffer that is reused
//! from run to run, so that evaluating a small conjunction takes well under a microsecond.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use crate::matcher::Matcher;
use crate::{java, meaning};
use harness_model::SmtString;
use harness_model::alphabet::{Alphabet, Char};
use harness_model::charset::CharSet;
use harness_model::int::Int;
use harness_model::regex::Regex;
use harness_theory::op::{ArithOp, CoreOp, JavaOp, Op, ReOp, StrOp};
use harness_theory::rounding::{MAX_SCALE, RoundingMode};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId, Terms, VarId};
use harness_theory::{Assignment, Value};

/// Why there is no value. Such a model is neither right nor wrong: it stays unvalidated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// The standard leaves it open, so a solver may choose any value for it.
    #[error("division by zero has no fixed value")]
    DivisionByZero,
    /// Java throws there.
    #[error("an operation of Java in it is undefined")]
    Undefined,
    /// Languages are compared by solving, not by evaluating.
    #[error("equality of regular languages cannot be evaluated")]
    LanguageEquality,
    /// Regular languages have no literals.
    #[error("'{0}' is a variable of sort RegLan, which has no literals")]
    LanguageVariable(String),
    /// The value given is of another sort.
    #[error("'{variable}' is of sort {wanted}, but its value is of sort {found}")]
    Sort {
        /// The variable.
        variable: String,
        /// Its sort.
        wanted: Sort,
        /// The value's.
        found: Sort,
    },
    /// The value given is not a string over the alphabet.
    #[error("the value of '{variable}' has {character:?}, which the alphabet {alphabet} does not have")]
    Foreign {
        /// The variable.
        variable: String,
        /// The character.
        character: Char,
        /// The alphabet.
        alphabet: Alphabet,
    },
    /// The value is beyond what is evaluated: a term of a few kilobytes can denote a string of terabytes.
    #[error("evaluating it would need {0}")]
    Limit(Limit),
}

/// How much is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// [`MAX_CHARACTERS`].
    #[error("strings of more than {MAX_CHARACTERS} characters in all")]
    Characters,
    /// [`MAX_BITS`].
    #[error("an integer of more than {MAX_BITS} bits")]
    Bits,
    /// [`MAX_NESTING`].
    #[error("a regular expression nested more than {MAX_NESTING} levels deep")]
    Nesting,
    /// [`MAX_STEPS`].
    #[error("more than {MAX_STEPS} steps for a regular expression")]
    Steps,
}

/// So many characters are held at most, those of constants included: 256 MiB.
pub const MAX_CHARACTERS: usize = 1 << 26;

/// So long may a product be.
pub const MAX_BITS: u64 = 1 << 22;

/// So deep may a regular expression be nested: much of what reads it is recursive.
pub const MAX_NESTING: u32 = 5000;

/// Up to so many levels a thread's own stack will do for matching; beyond, another one has [`STACK_OF_LEVEL`]
/// for each.
const SHALLOW: u32 = 400;

/// Bytes; several times what a build without optimisation takes.
const STACK_OF_LEVEL: usize = 4096;

/// So many steps may one membership test or replacement take ([`crate::matcher::matches_within`]): some ten
/// seconds.
pub const MAX_STEPS: u64 = 1 << 33;

/// The value of a term while it is evaluated. Strings are ranges of the evaluator's buffer.
#[derive(Clone, Debug)]
enum Slot {
    Bool(bool),
    Int(Int),
    Str(Range<usize>),
    /// With the levels of its nesting.
    Re(Arc<Regex>, u32),
    /// An operation of Java is undefined here or below.
    Undefined,
    /// Evaluation failed here; matters only if a root depends on it.
    Failed(Box<EvalError>),
}

/// What to do to fill a slot.
#[derive(Debug)]
enum Step {
    Var(VarId),
    App(Op, Box<[usize]>),
}

/// Terms laid out for evaluation, any number of times.
#[derive(Debug)]
pub struct Evaluator<'t> {
    terms: &'t Terms,
    alphabet: Alphabet,
    slots: Vec<Slot>,
    /// Slots that depend on variables, arguments first.
    steps: Vec<(usize, Step)>,
    /// Slot of each root.
    roots: Vec<usize>,
    /// Constants, and what the present run has made.
    buffer: Vec<Char>,
    /// The length of the part of the buffer that holds constants.
    constants: usize,
}

/// The concatenations that are used once, as an argument of another concatenation. Building them on their own
/// would copy their characters again at every level of nesting.
fn absorbed_concatenations(terms: &Terms, cone: &[TermId], roots: &[TermId]) -> HashSet<TermId> {
    let is_concat = |id: TermId| matches!(terms.get(id), Term::App(Op::Str(StrOp::Concat), _));
    let mut uses: HashMap<TermId, (u32, bool)> = HashMap::new();
    for &id in cone {
        for &a in terms.arguments(id).iter().filter(|a| is_concat(**a)) {
            let (count, only_concats) = uses.entry(a).or_insert((0, true));
            *count += 1;
            *only_concats &= is_concat(id);
        }
    }
    for root in roots {
        uses.remove(root);
    }
    uses.into_iter()
        .filter(|(_, (count, only_concats))| *count == 1 && *only_concats)
        .map(|(id, _)| id)
        .collect()
}

/// The parts of a concatenation, with the parts of absorbed ones in their place.
fn flat_parts(terms: &Terms, concat: TermId, absorbed: &HashSet<TermId>) -> Vec<TermId> {
    let mut parts = Vec::new();
    let mut todo: Vec<TermId> = terms.arguments(concat).iter().rev().copied().collect();
    while let Some(part) = todo.pop() {
        if absorbed.contains(&part) {
            todo.extend(terms.arguments(part).iter().rev());
        } else {
            parts.push(part);
        }
    }
    parts
}

/// Terms are well-sorted, so a value of another sort than the function takes is a defect here.
fn ill_sorted(slot: &Slot, wanted: Sort) -> ! {
    unreachable!("a value of sort {wanted} is here by the sorts of the terms, not {slot:?}")
}

impl<'t> Evaluator<'t> {
    /// Lays out `roots` and all below. The alphabet decides what `re.allchar` is and which code points are
    /// characters.
    pub fn new(terms: &'t Terms, roots: &[TermId], alphabet: Alphabet) -> Self {
        let cone = terms.cone(roots);
        let mut slot_of = HashMap::with_capacity(cone.len());
        let mut this = Self {
            terms,
            alphabet,
            slots: Vec::with_capacity(cone.len()),
            steps: Vec::new(),
            roots: Vec::new(),
            buffer: Vec::new(),
            constants: 0,
        };
        let mut varies = vec![false; cone.len()];
        let absorbed = absorbed_concatenations(terms, &cone, roots);
        for (slot, &id) in cone.iter().enumerate() {
            slot_of.insert(id, slot);
            if absorbed.contains(&id) {
                // Its parts are read by the concatenation that it is in; nothing else looks at its slot.
                this.slots.push(Slot::Str(0..0));
                continue;
            }
            let value = match terms.get(id) {
                Term::Bool(b) => Slot::Bool(*b),
                Term::Int(i) => Slot::Int(i.clone()),
                Term::String(s) => this.push(s.chars()),
                Term::Var(v) => {
                    varies[slot] = true;
                    this.steps.push((slot, Step::Var(*v)));
                    Slot::Bool(false)
                }
                Term::App(op, arguments) => {
                    let arguments: Box<[usize]> = if *op == Op::Str(StrOp::Concat) {
                        flat_parts(terms, id, &absorbed).iter().map(|a| slot_of[a]).collect()
                    } else {
                        arguments.iter().map(|a| slot_of[a]).collect()
                    };
                    if arguments.iter().any(|&a| varies[a]) {
                        varies[slot] = true;
                        this.steps.push((slot, Step::App(*op, arguments)));
                        Slot::Bool(false)
                    } else {
                        this.apply(*op, &arguments)
                    }
                }
            };
            this.slots.push(value);
        }
        this.constants = this.buffer.len();
        this.roots = roots.iter().map(|r| slot_of[r]).collect();
        this
    }

    /// Evaluates everything under `assignment`. The values of the roots are then asked for by [`Self::bool`]
    /// and [`Self::value`].
    pub fn run(&mut self, assignment: &Assignment) -> Result<(), EvalError> {
        self.run_with(|variable| assignment.get(&variable))
    }

    /// As [`Self::run`], where `value` gives the values of variables: for callers that have them in another
    /// shape.
    pub fn run_with<'v>(&mut self, value: impl Fn(VarId) -> Option<&'v Value>) -> Result<(), EvalError> {
        self.buffer.truncate(self.constants);
        let steps = std::mem::take(&mut self.steps);
        let result = steps.iter().try_for_each(|(slot, step)| {
            self.slots[*slot] = match step {
                Step::Var(v) => self.load(*v, value(*v))?,
                Step::App(op, arguments) => self.apply(*op, arguments),
            };
            Ok(())
        });
        self.steps = steps;
        result
    }

    /// As [`Self::all_true`], with values as for [`Self::run_with`].
    pub fn all_true_with<'v>(
        &mut self,
        value: impl Fn(VarId) -> Option<&'v Value>,
    ) -> Result<bool, EvalError> {
        self.run_with(value)?;
        self.all_roots()
    }

    /// Whether every root is true under `assignment`.
    pub fn all_true(&mut self, assignment: &Assignment) -> Result<bool, EvalError> {
        self.run(assignment)?;
        self.all_roots()
    }

    fn all_roots(&self) -> Result<bool, EvalError> {
        let mut all = true;
        for root in 0..self.roots.len() {
            all &= self.bool(root)?;
        }
        Ok(all)
    }

    /// The truth value of root number `root` (in the order given to [`Self::new`]) in the last run.
    pub fn bool(&self, root: usize) -> Result<bool, EvalError> {
        match &self.slots[self.roots[root]] {
            Slot::Bool(b) => Ok(*b),
            // What has an undefined operation in it does not hold.
            Slot::Undefined => Ok(false),
            Slot::Failed(error) => Err((**error).clone()),
            other => ill_sorted(other, Sort::Bool),
        }
    }

    /// The value of root number `root` in the last run; `None` for a regular language.
    pub fn value(&self, root: usize) -> Result<Option<Value>, EvalError> {
        Ok(match &self.slots[self.roots[root]] {
            Slot::Bool(b) => Some(Value::Bool(*b)),
            Slot::Int(i) => Some(Value::Int(i.clone())),
            Slot::Str(range) => Some(Value::String(self.buffer[range.clone()].to_vec().into())),
            Slot::Re(..) => None,
            Slot::Undefined => return Err(EvalError::Undefined),
            Slot::Failed(error) => return Err((**error).clone()),
        })
    }

    /// The regular language of root number `root` in the last run, as an expression; `None` for a root of
    /// another sort.
    pub fn language(&self, root: usize) -> Result<Option<Arc<Regex>>, EvalError> {
        match &self.slots[self.roots[root]] {
            Slot::Re(regex, _) => Ok(Some(Arc::clone(regex))),
            Slot::Failed(error) => Err((**error).clone()),
            _ => Ok(None),
        }
    }

    fn push(&mut self, chars: &[Char]) -> Slot {
        let start = self.buffer.len();
        if chars.len() > MAX_CHARACTERS.saturating_sub(start) {
            return Slot::Failed(Box::new(EvalError::Limit(Limit::Characters)));
        }
        self.buffer.extend_from_slice(chars);
        Slot::Str(start..self.buffer.len())
    }

    fn load(&mut self, variable: VarId, value: Option<&Value>) -> Result<Slot, EvalError> {
        let declared = &self.terms.variables()[variable.index()];
        let name = || declared.name.clone();
        Ok(match (declared.sort, value) {
            (Sort::RegLan, _) => Slot::Failed(Box::new(EvalError::LanguageVariable(name()))),
            (Sort::Bool, None) => Slot::Bool(false),
            (Sort::Int, None) => Slot::Int(Int::ZERO),
            (Sort::String, None) => Slot::Str(0..0),
            (Sort::Bool, Some(Value::Bool(b))) => Slot::Bool(*b),
            (Sort::Int, Some(Value::Int(i))) => Slot::Int(i.clone()),
            (Sort::String, Some(Value::String(s))) => {
                if let Some(character) = s.foreign_to(self.alphabet) {
                    return Err(EvalError::Foreign { variable: name(), character, alphabet: self.alphabet });
                }
                self.push(s.chars())
            }
            (wanted, Some(value)) => {
                return Err(EvalError::Sort { variable: name(), wanted, found: value.sort() });
            }
        })
    }

    fn str(&self, slot: usize) -> &[Char] {
        &self.buffer[self.range(slot)]
    }

    fn range(&self, slot: usize) -> Range<usize> {
        match &self.slots[slot] {
            Slot::Str(range) => range.clone(),
            other => ill_sorted(other, Sort::String),
        }
    }

    fn int(&self, slot: usize) -> &Int {
        match &self.slots[slot] {
            Slot::Int(i) => i,
            other => ill_sorted(other, Sort::Int),
        }
    }

    fn truth(&self, slot: usize) -> bool {
        match &self.slots[slot] {
            Slot::Bool(b) => *b,
            other => ill_sorted(other, Sort::Bool),
        }
    }

    /// Whether the value is this one; not when evaluation failed there.
    fn is(&self, slot: usize, wanted: bool) -> bool {
        matches!(self.slots[slot], Slot::Bool(b) if b == wanted)
    }

    fn language_of(&self, slot: usize) -> (&Arc<Regex>, u32) {
        match &self.slots[slot] {
            Slot::Re(regex, levels) => (regex, *levels),
            other => ill_sorted(other, Sort::RegLan),
        }
    }

    fn re(&self, slot: usize) -> Regex {
        (**self.language_of(slot).0).clone()
    }

    /// Runs `work` on a language with enough stack for it; `None` means that it took too many steps.
    fn on_deep_stack<R: Send>(
        &self,
        slot: usize,
        work: impl FnOnce(&Regex) -> Option<R> + Send,
    ) -> Result<R, EvalError> {
        let (regex, levels) = self.language_of(slot);
        let done = if levels <= SHALLOW {
            work(regex)
        } else {
            let stack = STACK_OF_LEVEL * levels as usize;
            std::thread::scope(|scope| {
                let thread =
                    std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, || work(regex));
                let thread = thread.map_err(|_| EvalError::Limit(Limit::Nesting))?;
                // A panic is the caller's, as it would be on its own stack.
                Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            })?
        };
        done.ok_or(EvalError::Limit(Limit::Steps))
    }

    /// Runs `make` with the end of the buffer to append to; what it appended is the string.
    fn made(&mut self, make: impl FnOnce(&Self, &mut Vec<Char>)) -> Slot {
        let mut out = Vec::new();
        make(self, &mut out);
        self.push(&out)
    }

    fn equal(&self, a: usize, b: usize) -> Result<bool, EvalError> {
        Ok(match (&self.slots[a], &self.slots[b]) {
            (Slot::Bool(x), Slot::Bool(y)) => x == y,
            (Slot::Int(x), Slot::Int(y)) => x == y,
            (Slot::Str(x), Slot::Str(y)) => x == y || self.buffer[x.clone()] == self.buffer[y.clone()],
            // Of deeper ones, parts that are shared would be compared again and again.
            (Slot::Re(x, levels), Slot::Re(y, _)) if Arc::ptr_eq(x, y) || (*levels <= 20 && x == y) => true,
            (Slot::Re(..), Slot::Re(..)) => return Err(EvalError::LanguageEquality),
            (x, y) => unreachable!("the sides of an equation are of one sort, not {x:?} and {y:?}"),
        })
    }

    /// The value of `op` on the values of `arguments`. What failed in an argument fails here, except where
    /// another argument alone decides (`and`, `or`, `=>`, `ite`).
    fn apply(&mut self, op: Op, arguments: &[usize]) -> Slot {
        if arguments.iter().any(|&a| matches!(self.slots[a], Slot::Undefined)) {
            return Slot::Undefined;
        }
        if let Some(slot) = self.apply_lazily(op, arguments) {
            return slot;
        }
        for &a in arguments {
            if let Slot::Failed(error) = &self.slots[a] {
                return Slot::Failed(error.clone());
            }
        }
        self.apply_to_values(op, arguments).unwrap_or_else(|error| Slot::Failed(Box::new(error)))
    }

    /// The value where some of the arguments decide it, whatever becomes of the others.
    fn apply_lazily(&self, op: Op, arguments: &[usize]) -> Option<Slot> {
        let Op::Core(op) = op else { return None };
        match op {
            CoreOp::And => arguments.iter().any(|&a| self.is(a, false)).then_some(Slot::Bool(false)),
            CoreOp::Or => arguments.iter().any(|&a| self.is(a, true)).then_some(Slot::Bool(true)),
            CoreOp::Implies => {
                let (&conclusion, premises) = arguments.split_last()?;
                let holds = self.is(conclusion, true) || premises.iter().any(|&p| self.is(p, false));
                holds.then_some(Slot::Bool(true))
            }
            CoreOp::Ite => Some(match &self.slots[arguments[0]] {
                Slot::Failed(error) => Slot::Failed(error.clone()),
                Slot::Bool(true) => self.slots[arguments[1]].clone(),
                Slot::Bool(false) => self.slots[arguments[2]].clone(),
                other => ill_sorted(other, Sort::Bool),
            }),
            CoreOp::Not | CoreOp::Xor | CoreOp::Eq | CoreOp::Distinct => None,
        }
    }

    // One call site; inlined, its result is made in place instead of copied twice.
    #[inline(always)]
    fn apply_to_values(&mut self, op: Op, arguments: &[usize]) -> Result<Slot, EvalError> {
        let arg = |i: usize| arguments[i];
        let neighbours = |holds: &dyn Fn(usize, usize) -> bool| {
            Slot::Bool(arguments.windows(2).all(|pair| holds(pair[0], pair[1])))
        };
        let fold = |f: fn(&Int, &Int) -> Int| {
            let first = self.int(arg(0)).clone();
            Slot::Int(arguments[1..].iter().fold(first, |sum, &a| f(&sum, self.int(a))))
        };
        Ok(match op {
            Op::Core(CoreOp::Not) => Slot::Bool(!self.truth(arg(0))),
            Op::Core(CoreOp::And) => Slot::Bool(arguments.iter().all(|&a| self.truth(a))),
            Op::Core(CoreOp::Or) => Slot::Bool(arguments.iter().any(|&a| self.truth(a))),
            Op::Core(CoreOp::Xor) => Slot::Bool(arguments.iter().fold(false, |odd, &a| odd ^ self.truth(a))),
            // Decided before, unless the premises hold and the conclusion does not.
            Op::Core(CoreOp::Implies) => Slot::Bool(false),
            Op::Core(CoreOp::Ite) => unreachable!("the condition decides which branch is looked at"),
            Op::Core(CoreOp::Eq) => {
                let mut all = true;
                for pair in arguments.windows(2) {
                    all &= self.equal(pair[0], pair[1])?;
                }
                Slot::Bool(all)
            }
            Op::Core(CoreOp::Distinct) => {
                let mut all = true;
                for (i, &a) in arguments.iter().enumerate() {
                    for &b in &arguments[i + 1..] {
                        all &= !self.equal(a, b)?;
                    }
                }
                Slot::Bool(all)
            }
            Op::Arith(ArithOp::Neg) => Slot::Int(self.int(arg(0)).neg()),
            Op::Arith(ArithOp::Abs) => Slot::Int(self.int(arg(0)).abs()),
            Op::Arith(ArithOp::Add) => fold(Int::add),
            Op::Arith(ArithOp::Sub) => fold(Int::sub),
            Op::Arith(ArithOp::Mul) => {
                let mut value = self.int(arg(0)).clone();
                for &a in &arguments[1..] {
                    if value.bits() + self.int(a).bits() > MAX_BITS {
                        return Err(EvalError::Limit(Limit::Bits));
                    }
                    value = value.mul(self.int(a));
                }
                Slot::Int(value)
            }
            Op::Arith(ArithOp::Div) => {
                let mut value = self.int(arg(0)).clone();
                for &a in &arguments[1..] {
                    value = value.div(self.int(a)).ok_or(EvalError::DivisionByZero)?;
                }
                Slot::Int(value)
            }
            Op::Arith(ArithOp::Mod) => {
                Slot::Int(self.int(arg(0)).modulo(self.int(arg(1))).ok_or(EvalError::DivisionByZero)?)
            }
            Op::Arith(ArithOp::Le) => neighbours(&|a, b| self.int(a) <= self.int(b)),
            Op::Arith(ArithOp::Lt) => neighbours(&|a, b| self.int(a) < self.int(b)),
            Op::Arith(ArithOp::Ge) => neighbours(&|a, b| self.int(a) >= self.int(b)),
            Op::Arith(ArithOp::Gt) => neighbours(&|a, b| self.int(a) > self.int(b)),
            Op::Str(StrOp::Lt) => neighbours(&|a, b| self.str(a) < self.str(b)),
            Op::Str(StrOp::Le) => neighbours(&|a, b| self.str(a) <= self.str(b)),
            Op::Str(StrOp::Concat) => {
                let start = self.buffer.len();
                let all = arguments.iter().fold(start, |sum, &a| sum.saturating_add(self.range(a).len()));
                if all > MAX_CHARACTERS {
                    return Err(EvalError::Limit(Limit::Characters));
                }
                for &a in arguments {
                    self.buffer.extend_from_within(self.range(a));
                }
                Slot::Str(start..self.buffer.len())
            }
            Op::Str(StrOp::Len) => Slot::Int(Int::from(self.range(arg(0)).len())),
            Op::Str(StrOp::At | StrOp::Substr) => {
                let one = Int::from(1_i64);
                let count = if op == Op::Str(StrOp::At) { &one } else { self.int(arg(2)) };
                let (base, part) =
                    (self.range(arg(0)).start, meaning::substr(self.str(arg(0)), self.int(arg(1)), count));
                Slot::Str(base + part.start..base + part.end)
            }
            Op::Str(StrOp::PrefixOf) => Slot::Bool(self.str(arg(1)).starts_with(self.str(arg(0)))),
            Op::Str(StrOp::SuffixOf) => Slot::Bool(self.str(arg(1)).ends_with(self.str(arg(0)))),
            Op::Str(StrOp::Contains) => Slot::Bool(meaning::contains(self.str(arg(0)), self.str(arg(1)))),
            Op::Str(StrOp::IndexOf) => {
                Slot::Int(meaning::indexof(self.str(arg(0)), self.str(arg(1)), self.int(arg(2))))
            }
            Op::Str(StrOp::Replace) => self.made(|this, out| {
                meaning::replace(this.str(arg(0)), this.str(arg(1)), this.str(arg(2)), out);
            }),
            Op::Str(StrOp::ReplaceAll) => self.made(|this, out| {
                meaning::replace_all(
                    this.str(arg(0)),
                    this.str(arg(1)),
                    this.str(arg(2)),
                    out,
                    MAX_CHARACTERS,
                );
            }),
            Op::Str(StrOp::ReplaceRe) => {
                let (s, by) = (self.str(arg(0)), self.str(arg(2)));
                let out = self.on_deep_stack(arg(1), |regex| {
                    let mut out = Vec::new();
                    meaning::replace_re(s, regex, by, &mut out, MAX_STEPS).map(|()| out)
                })?;
                self.push(&out)
            }
            Op::Str(StrOp::ReplaceReAll) => {
                let (s, by) = (self.str(arg(0)), self.str(arg(2)));
                let out = self.on_deep_stack(arg(1), |regex| {
                    let mut out = Vec::new();
                    meaning::replace_re_all(s, regex, by, &mut out, MAX_CHARACTERS, MAX_STEPS).map(|()| out)
                })?;
                self.push(&out)
            }
            Op::Str(StrOp::IsDigit) => Slot::Bool(meaning::is_digit(self.str(arg(0)))),
            Op::Str(StrOp::ToCode) => Slot::Int(meaning::to_code(self.str(arg(0)))),
            Op::Str(StrOp::FromCode) => {
                let character = meaning::from_code(self.int(arg(0)), self.alphabet);
                self.push(character.as_slice())
            }
            Op::Str(StrOp::ToInt) => Slot::Int(meaning::to_int(self.str(arg(0)))),
            Op::Str(StrOp::FromInt) => self.made(|this, out| meaning::from_int(this.int(arg(0)), out)),
            Op::Str(StrOp::InRe) => {
                let word = self.str(arg(0));
                Slot::Bool(self.on_deep_stack(arg(1), |regex| {
                    let matcher = Matcher::within(word, MAX_STEPS);
                    let found = matcher.matches(regex);
                    (!matcher.gave_up()).then_some(found)
                })?)
            }
            Op::Java(op) => self.apply_java(op, arguments).unwrap_or(Slot::Undefined),
            Op::Re(op) => {
                let level = |&a: &usize| if let Slot::Re(_, levels) = &self.slots[a] { *levels } else { 0 };
                let below = arguments.iter().map(level).max().unwrap_or(0);
                // A difference is an intersection with a complement.
                let levels = below + if op == ReOp::Diff { 2 } else { 1 };
                if levels > MAX_NESTING {
                    return Err(EvalError::Limit(Limit::Nesting));
                }
                Slot::Re(Arc::new(self.make_language(op, arguments)), levels)
            }
        })
    }

    /// The value of an operation of Java; `None` where it is undefined.
    fn apply_java(&mut self, op: JavaOp, arguments: &[usize]) -> Option<Slot> {
        let alphabet = self.alphabet;
        let str = |place: usize| self.str(arguments[place]);
        let int = |place: usize| self.int(arguments[place]);
        let scale = |place: usize| int(place).position(MAX_SCALE as usize);
        let whole = Int::from(arguments.first().map_or(0, |&a| match &self.slots[a] {
            Slot::Str(range) => range.len(),
            Slot::Bool(_) | Slot::Int(_) | Slot::Re(..) | Slot::Undefined | Slot::Failed(_) => 0,
        }));
        let int_or = |place: usize, default: &Int| {
            if place < arguments.len() { int(place).clone() } else { default.clone() }
        };
        let part = |this: &Self, part: Range<usize>| {
            let start = this.range(arguments[0]).start;
            Slot::Str(start + part.start..start + part.end)
        };
        let to_integer = |mode| java::set_scale(int(0), scale(1)?, 0, mode).map(Slot::Int);
        let made = match op {
            JavaOp::CharAt => return java::char_at(str(0), int(1)).map(Slot::Int),
            JavaOp::CodePointAt => return java::code_point_at(str(0), int(1)).map(Slot::Int),
            JavaOp::CompareTo => return Some(Slot::Int(java::compare_to(str(0), str(1)))),
            JavaOp::Contains => {
                return Some(Slot::Bool(java::index_of(str(0), str(1), &Int::ZERO) != Int::MINUS_ONE));
            }
            JavaOp::EndsWith => return Some(Slot::Bool(str(0).ends_with(str(1)))),
            JavaOp::Equals => return Some(Slot::Bool(str(0) == str(1))),
            JavaOp::EqualsIgnoreCase => {
                return java::equals_ignore_case(str(0), str(1)).map(Slot::Bool);
            }
            JavaOp::IndexOf => {
                return Some(Slot::Int(java::index_of(str(0), str(1), &int_or(2, &Int::ZERO))));
            }
            JavaOp::IndexOfChar => {
                let from = int_or(2, &Int::ZERO);
                return Some(Slot::Int(java::index_of_char(str(0), int(1), &from, alphabet)));
            }
            JavaOp::IsEmpty => return Some(Slot::Bool(str(0).is_empty())),
            JavaOp::LastIndexOf => {
                return Some(Slot::Int(java::last_index_of(str(0), str(1), &int_or(2, &whole))));
            }
            JavaOp::LastIndexOfChar => {
                let from = int_or(2, &whole);
                return Some(Slot::Int(java::last_index_of_char(str(0), int(1), &from, alphabet)));
            }
            JavaOp::Length => return Some(Slot::Int(whole)),
            JavaOp::ParseInt => return java::parse_int(str(0)).map(Slot::Int),
            JavaOp::RegionMatches => {
                let ignoring = arguments.get(5).is_some_and(|&a| matches!(self.slots[a], Slot::Bool(true)));
                return java::region_matches((str(0), int(1)), (str(2), int(3)), int(4), ignoring)
                    .map(Slot::Bool);
            }
            JavaOp::StartsWith => {
                return Some(Slot::Bool(java::starts_with(str(0), str(1), &int_or(2, &Int::ZERO))));
            }
            JavaOp::Substring => {
                let found = java::substring(str(0), int(1), &int_or(2, &whole))?;
                return Some(part(self, found));
            }
            JavaOp::Strip => return Some(part(self, java::strip(str(0)))),
            JavaOp::Trim => return Some(part(self, java::trim(str(0)))),
            JavaOp::Divide => return java::divide(int(0), int(1)).map(Slot::Int),
            JavaOp::Remainder => return java::remainder(int(0), int(1)).map(Slot::Int),
            JavaOp::FloorDiv => return java::floor_div(int(0), int(1)).map(Slot::Int),
            JavaOp::FloorMod => return java::floor_mod(int(0), int(1)).map(Slot::Int),
            JavaOp::Ceil => return to_integer(RoundingMode::Ceiling),
            JavaOp::Floor => return to_integer(RoundingMode::Floor),
            JavaOp::Round => return to_integer(RoundingMode::HalfCeiling),
            JavaOp::SetScale => {
                let mode = SmtString::from(str(3).to_vec()).to_string().parse().ok()?;
                return java::set_scale(int(0), scale(1)?, scale(2)?, mode).map(Slot::Int);
            }
            JavaOp::Decimal => return java::decimal(str(0), scale(1)?).map(Slot::Int),
            JavaOp::Concat => arguments.iter().flat_map(|&a| self.str(a)).copied().collect(),
            JavaOp::Repeat => java::repeat(str(0), int(1), MAX_CHARACTERS)?,
            JavaOp::Replace => java::replace(str(0), str(1), str(2), MAX_CHARACTERS)?,
            JavaOp::ReplaceChar => java::replace_char(str(0), int(1), int(2), alphabet)?,
            JavaOp::ToLowerCase => java::to_lower_case(str(0))?,
            JavaOp::ToUpperCase => java::to_upper_case(str(0))?,
            JavaOp::ValueOf => java::value_of(int(0)),
        };
        Some(self.push(&made))
    }

    /// The value of a function whose result is a regular language.
    fn make_language(&self, op: ReOp, arguments: &[usize]) -> Regex {
        let inner = || self.re(arguments[0]);
        let all = || Regex::set(CharSet::full(self.alphabet)).star();
        match op {
            ReOp::ToRe => Regex::literal(&self.str(arguments[0]).to_vec().into()),
            ReOp::All => all(),
            ReOp::AllChar => Regex::set(CharSet::full(self.alphabet)),
            ReOp::Concat => Regex::concat(arguments.iter().map(|&a| self.re(a))),
            ReOp::Union => Regex::union(arguments.iter().map(|&a| self.re(a))),
            ReOp::Inter => Regex::Inter(arguments.iter().map(|&a| self.re(a)).collect()),
            ReOp::Star => inner().star(),
            ReOp::Plus => inner().repeat(1, None),
            ReOp::Opt => inner().repeat(0, Some(1)),
            ReOp::Comp => Regex::Complement(Arc::new(inner())),
            ReOp::Diff => {
                let others = arguments[1..].iter().map(|&a| Regex::Complement(Arc::new(self.re(a))));
                Regex::Inter(std::iter::once(inner()).chain(others).collect())
            }
            ReOp::Range => match (self.str(arguments[0]), self.str(arguments[1])) {
                ([low], [high]) => Regex::set(CharSet::range(*low, *high)),
                _ => Regex::Empty,
            },
            ReOp::Power(n) => inner().repeat(n, Some(n)),
            ReOp::None => Regex::Empty,
            ReOp::Loop(low, high) if low <= high => inner().repeat(low, Some(high)),
            ReOp::Loop(..) => Regex::Empty,
        }
    }
}

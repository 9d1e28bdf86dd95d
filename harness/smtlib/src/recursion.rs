//! Recursive definitions that have a meaning without recursion.
//!
//! Tools write three functions by recursion over the characters of a string: one that strips characters from
//! the front, one that strips them from the back, and one that maps each character. All three are recognised
//! by their shape, whatever they are called:
//!
//! - `f(s) = if s = "" then "" else if P(first of s) then f(rest of s) else s`
//! - `f(s) = if s = "" then "" else if P(last of s) then f(s without it) else s`
//!   (and the same in one condition: `if s is not empty and P(first of s) then f(rest of s) else s`)
//! - `f(s) = if s = "" then "" else (if P(first of s) then first + k else first) ++ f(rest of s)`
//!
//! where `P` is a set of characters. The first two are the one string `r` of `s = p ++ r` with all of `p` in
//! `P` and the first of `r` not; the third replaces each character of `P`.

use harness_model::{Alphabet, Char, SmtString};
use harness_theory::op::{ArithOp, CoreOp, Op, ReOp, StrOp};
use harness_theory::term::{Term, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::numbers::literal;

/// A recursive function that is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recursion {
    /// Takes characters of a language away from the front.
    StripFront(TermId),
    /// Takes characters of a language away from the back.
    StripBack(TermId),
    /// Moves the characters from the first to the second by the third.
    Map(Char, Char, i64),
}

/// Codes, as intervals in order that are apart from each other.
pub type Intervals = Vec<(u32, u32)>;

/// So many characters are replaced one by one.
const MOST_MAPPED: u32 = 64;

/// A body that may be one of the shapes.
pub struct Body<'t> {
    /// Where it lives.
    pub terms: &'t mut Terms,
    /// The one parameter, a string.
    pub parameter: TermId,
    /// The recursive calls in it: the constant and the argument.
    pub calls: Vec<(TermId, TermId)>,
    /// The alphabet of strings.
    pub alphabet: Alphabet,
    /// The codes of conditions that were looked at.
    pub known: FxHashMap<(TermId, bool), Option<Intervals>>,
}

impl Body<'_> {
    /// The shape of `body`, if it is one of the three.
    pub fn shape(&mut self, body: TermId) -> Option<Recursion> {
        let [empty, nothing, step] = self.choice(body)?;
        if let Some(found) = self.guarded(empty, nothing, step) {
            return Some(found);
        }
        let is_empty = |this: &Self, id| {
            id == this.parameter || matches!(this.terms.get(id), Term::String(s) if s.is_empty())
        };
        let (nothing, step) = match self.is_empty(empty)? {
            true => (nothing, step),
            false => (step, nothing),
        };
        if !is_empty(self, nothing) {
            return None;
        }
        if let Some([condition, yes, no]) = self.choice(step) {
            return self.strip(condition, yes, no);
        }
        let (Op::Str(StrOp::Concat), [mapped, rest]) = self.application(step)? else { return None };
        let [first, more] = self.front();
        (self.call(rest)? == more || self.call(rest)? == self.rest_by_length()).then_some(())?;
        let [condition, yes, no] = self.choice(mapped)?;
        if !self.same(no, first) {
            return None;
        }
        let by = self.moved(yes)?;
        let (low, high) = self.span(condition)?;
        let image = |c: u32| u32::try_from(i64::from(c) + by).ok().filter(|&c| c <= self.alphabet.max().0);
        let (image_low, image_high) = (image(low.0)?, image(high.0)?);
        let apart = image_high < low.0 || high.0 < image_low;
        (apart && high.0 - low.0 < MOST_MAPPED).then_some(Recursion::Map(low, high, by))
    }

    /// `if s is not empty and P then f(rest) else s`, which is the first or the second shape in one condition;
    /// or `if s is empty or not P then s else f(rest)`.
    #[allow(clippy::wildcard_enum_match_arm, reason = "other conditions are none of the shapes")]
    fn guarded(&mut self, condition: TermId, yes: TermId, no: TermId) -> Option<Recursion> {
        let Term::App(Op::Core(op), parts) = self.terms.get(condition) else { return None };
        let (op, parts) = (*op, parts.clone());
        let (all, call) = match op {
            CoreOp::And if no == self.parameter => (true, yes),
            CoreOp::Or if yes == self.parameter => (false, no),
            _ => return None,
        };
        let rest: Vec<TermId> =
            parts.iter().copied().filter(|&part| self.is_empty(part) != Some(!all)).collect();
        if rest.len() == parts.len() {
            return None;
        }
        let mut rest = match rest.as_slice() {
            [] => self.terms.bool(all),
            [one] => *one,
            several => self.app(op, several),
        };
        if !all {
            rest = self.app(CoreOp::Not, &[rest]);
        }
        self.strip(rest, call, self.parameter)
    }

    fn strip(&mut self, condition: TermId, yes: TermId, no: TermId) -> Option<Recursion> {
        if no != self.parameter {
            return None;
        }
        let inner = self.call(yes)?;
        let [_, rest] = self.front();
        if inner == rest || inner == self.rest_by_length() {
            return self.class(condition, true).map(Recursion::StripFront);
        }
        (inner == self.without_last()).then_some(())?;
        self.class(condition, false).map(Recursion::StripBack)
    }

    fn application(&self, id: TermId) -> Option<(Op, [TermId; 2])> {
        match self.terms.get(id) {
            Term::App(op, arguments) => Some((*op, arguments.as_ref().try_into().ok()?)),
            Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::String(_) => None,
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "only `ite` is a choice")]
    fn choice(&self, id: TermId) -> Option<[TermId; 3]> {
        match self.terms.get(id) {
            Term::App(Op::Core(CoreOp::Ite), arguments) => arguments.as_ref().try_into().ok(),
            Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::String(_) | Term::App(..) => None,
        }
    }

    /// The argument of a recursive call.
    fn call(&self, id: TermId) -> Option<TermId> {
        self.calls.iter().find(|call| call.0 == id).map(|call| call.1)
    }

    #[expect(clippy::expect_used, reason = "the arguments are of the sorts of the functions")]
    fn app(&mut self, op: impl Into<Op>, arguments: &[TermId]) -> TermId {
        self.terms.app(op, arguments).expect("the arguments are of the right sorts")
    }

    /// `(- (str.len s) 1)`
    fn last_place(&mut self) -> TermId {
        let length = self.app(StrOp::Len, &[self.parameter]);
        let one = self.terms.int(1_i64);
        self.app(ArithOp::Sub, &[length, one])
    }

    /// The first character and the others, by `substr`.
    fn front(&mut self) -> [TermId; 2] {
        let (zero, one, less) = (self.terms.int(0_i64), self.terms.int(1_i64), self.last_place());
        let s = self.parameter;
        [self.app(StrOp::Substr, &[s, zero, one]), self.app(StrOp::Substr, &[s, one, less])]
    }

    /// The others, up to a place beyond the end.
    fn rest_by_length(&mut self) -> TermId {
        let (one, length) = (self.terms.int(1_i64), self.app(StrOp::Len, &[self.parameter]));
        self.app(StrOp::Substr, &[self.parameter, one, length])
    }

    fn without_last(&mut self) -> TermId {
        let (zero, less) = (self.terms.int(0_i64), self.last_place());
        self.app(StrOp::Substr, &[self.parameter, zero, less])
    }

    /// Whether `id` is the character that `first`, by `substr`, is: `str.at` says the same.
    fn same(&mut self, id: TermId, first: TermId) -> bool {
        let zero = self.terms.int(0_i64);
        id == first || id == self.app(StrOp::At, &[self.parameter, zero])
    }

    /// Whether `id` is the first character of the parameter, or its last.
    fn is_character(&mut self, id: TermId, front: bool) -> bool {
        if front {
            let [first, _] = self.front();
            return self.same(id, first);
        }
        let (place, one) = (self.last_place(), self.terms.int(1_i64));
        let s = self.parameter;
        id == self.app(StrOp::At, &[s, place]) || id == self.app(StrOp::Substr, &[s, place, one])
    }

    /// Whether the condition says that the parameter is empty (`true`) or that it is not (`false`).
    #[allow(clippy::wildcard_enum_match_arm, reason = "other conditions are none of the shapes")]
    fn is_empty(&mut self, condition: TermId) -> Option<bool> {
        let (mut condition, mut holds) = (condition, true);
        while let Term::App(Op::Core(CoreOp::Not), arguments) = self.terms.get(condition) {
            (condition, holds) = (arguments[0], !holds);
        }
        let length = self.app(StrOp::Len, &[self.parameter]);
        let (op, [a, b]) = self.application(condition)?;
        let number = |id| literal(self.terms, id).and_then(|n| n.small());
        let empty = |id| matches!(self.terms.get(id), Term::String(s) if s.is_empty());
        let empty = match op {
            Op::Core(CoreOp::Eq) if a == self.parameter && empty(b) || b == self.parameter && empty(a) => {
                Some(true)
            }
            Op::Core(CoreOp::Eq)
                if a == length && number(b) == Some(0) || b == length && number(a) == Some(0) =>
            {
                Some(true)
            }
            Op::Arith(ArithOp::Le) if a == length && number(b) == Some(0) => Some(true),
            Op::Arith(ArithOp::Lt) if a == length && number(b) == Some(1) => Some(true),
            Op::Arith(ArithOp::Gt) if a == length && number(b) == Some(0) => Some(false),
            Op::Arith(ArithOp::Ge) if a == length && number(b) == Some(1) => Some(false),
            _ => None,
        };
        empty.map(|empty| empty == holds)
    }

    /// By how much a mapped character is moved: `(str.from_code (+ (str.to_code c) k))`.
    #[allow(clippy::wildcard_enum_match_arm, reason = "other functions are none of the shapes")]
    fn moved(&mut self, mapped: TermId) -> Option<i64> {
        let Term::App(Op::Str(StrOp::FromCode), arguments) = self.terms.get(mapped) else { return None };
        let (op, [a, b]) = self.application(arguments[0])?;
        let number = |this: &Self, id| literal(this.terms, id).and_then(|n| n.small());
        let (code, by) = match op {
            Op::Arith(ArithOp::Add) => match number(self, b) {
                Some(by) => (a, by),
                None => (b, number(self, a)?),
            },
            Op::Arith(ArithOp::Sub) => (a, number(self, b)?.checked_neg()?),
            Op::Core(_) | Op::Arith(_) | Op::Str(_) | Op::Re(_) | Op::Java(_) => return None,
        };
        self.is_code(code, true).then_some(by)
    }

    /// Whether `id` is the code of the character.
    fn is_code(&mut self, id: TermId, front: bool) -> bool {
        let Term::App(Op::Str(StrOp::ToCode), arguments) = self.terms.get(id) else { return false };
        let inner = arguments[0];
        self.is_character(inner, front)
    }

    /// The characters of a condition that are one span.
    fn span(&mut self, condition: TermId) -> Option<(Char, Char)> {
        let all = self.intervals(condition, true)?;
        match all.as_slice() {
            &[(low, high)] => Some((Char(low), Char(high))),
            _ => None,
        }
    }

    /// The language of the characters for which the condition holds.
    fn class(&mut self, condition: TermId, front: bool) -> Option<TermId> {
        let intervals = self.intervals(condition, front)?;
        let mut parts = Vec::new();
        for (low, high) in intervals {
            let [low, high] = [low, high].map(|c| self.terms.string(SmtString::from(vec![Char(c)])));
            parts.push(match low == high {
                true => self.app(ReOp::ToRe, &[low]),
                false => self.app(ReOp::Range, &[low, high]),
            });
        }
        Some(match parts.as_slice() {
            [] => self.app(ReOp::None, &[]),
            [one] => *one,
            all => self.app(ReOp::Union, all),
        })
    }

    /// The codes for which the condition on the character holds, as intervals in order, apart from each
    /// other. Recursion ends with the condition, of which only small ones are looked at.
    fn intervals(&mut self, condition: TermId, front: bool) -> Option<Intervals> {
        (self.terms.cone(&[condition]).len() <= 200).then_some(())?;
        self.intervals_of(condition, front)
    }

    /// Each condition once: a small text can hold a large one many times.
    fn intervals_of(&mut self, condition: TermId, front: bool) -> Option<Intervals> {
        if let Some(known) = self.known.get(&(condition, front)) {
            return known.clone();
        }
        let intervals = self.new_intervals(condition, front);
        self.known.insert((condition, front), intervals.clone());
        intervals
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "other conditions are none of the shapes")]
    fn new_intervals(&mut self, condition: TermId, front: bool) -> Option<Intervals> {
        let top = self.alphabet.max().0;
        let (op, arguments) = match self.terms.get(condition) {
            Term::Bool(true) => return Some(vec![(0, top)]),
            Term::Bool(false) => return Some(Vec::new()),
            Term::App(op, arguments) => (*op, arguments.clone()),
            Term::Var(_) | Term::Int(_) | Term::String(_) => return None,
        };
        match op {
            Op::Core(CoreOp::Not) => Some(complement(&self.intervals_of(arguments[0], front)?, top)),
            Op::Core(CoreOp::Or) => {
                let mut all = Vec::new();
                for &part in &arguments {
                    all.extend(self.intervals_of(part, front)?);
                }
                Some(united(all))
            }
            Op::Core(CoreOp::And) => {
                let mut none = Vec::new();
                for &part in &arguments {
                    none.extend(complement(&self.intervals_of(part, front)?, top));
                }
                Some(complement(&united(none), top))
            }
            Op::Core(CoreOp::Eq) if arguments.len() == 2 => {
                let [a, b] = [arguments[0], arguments[1]];
                for (one, other) in [(a, b), (b, a)] {
                    if self.is_character(one, front)
                        && let Term::String(word) = self.terms.get(other)
                    {
                        let [c] = word.chars() else { return Some(Vec::new()) };
                        return Some(vec![(c.0, c.0)]);
                    }
                }
                self.compared(op, &arguments, front)
            }
            Op::Arith(ArithOp::Lt | ArithOp::Le | ArithOp::Gt | ArithOp::Ge) => {
                self.compared(op, &arguments, front)
            }
            Op::Str(StrOp::Lt | StrOp::Le) if arguments.len() == 2 => {
                self.before(op == Op::Str(StrOp::Lt), [arguments[0], arguments[1]], front)
            }
            _ => None,
        }
    }

    /// The character is before a constant of one character, or after it: as its code is.
    fn before(&mut self, strictly: bool, [a, b]: [TermId; 2], front: bool) -> Option<Intervals> {
        let single = |this: &Self, id| match this.terms.get(id) {
            Term::String(word) => match word.chars() {
                &[c] => Some(c.0),
                _ => None,
            },
            Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::App(..) => None,
        };
        let (low, high) = if let Some(most) = single(self, b).filter(|_| self.is_character(a, front)) {
            (0, if strictly { most.checked_sub(1) } else { Some(most) })
        } else {
            let least = single(self, a).filter(|_| self.is_character(b, front))?;
            (least + u32::from(strictly), Some(self.alphabet.max().0))
        };
        Some(high.filter(|&high| low <= high).map(|high| (low, high)).into_iter().collect())
    }

    /// A chain of comparisons of the code with numbers.
    #[allow(clippy::wildcard_enum_match_arm, reason = "called with comparisons alone")]
    fn compared(&mut self, op: Op, chain: &[TermId], front: bool) -> Option<Intervals> {
        let top = i64::from(self.alphabet.max().0);
        let (mut low, mut high) = (0_i64, top);
        for pair in chain.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let (number, code_first) = match (literal(self.terms, a), literal(self.terms, b)) {
                (None, Some(number)) if self.is_code(a, front) => (number.small()?, true),
                (Some(number), None) if self.is_code(b, front) => (number.small()?, false),
                _ => return None,
            };
            let (least, most) = match (op, code_first) {
                (Op::Core(CoreOp::Eq), _) => (number, number),
                (Op::Arith(ArithOp::Lt), true) | (Op::Arith(ArithOp::Gt), false) => {
                    (0, number.checked_sub(1)?)
                }
                (Op::Arith(ArithOp::Le), true) | (Op::Arith(ArithOp::Ge), false) => (0, number),
                (Op::Arith(ArithOp::Gt), true) | (Op::Arith(ArithOp::Lt), false) => {
                    (number.checked_add(1)?, top)
                }
                (Op::Arith(ArithOp::Ge), true) | (Op::Arith(ArithOp::Le), false) => (number, top),
                _ => return None,
            };
            (low, high) = (low.max(least), high.min(most));
        }
        if low > high {
            return Some(Vec::new());
        }
        Some(vec![(u32::try_from(low).ok()?, u32::try_from(high).ok()?)])
    }
}

/// The intervals in order, with those joined that touch.
fn united(mut all: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    all.sort_unstable();
    let mut out: Vec<(u32, u32)> = Vec::new();
    for (low, high) in all {
        match out.last_mut() {
            Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
            Some(_) | None => out.push((low, high)),
        }
    }
    out
}

/// The codes up to `top` that are in none of the intervals, which are in order.
fn complement(intervals: &[(u32, u32)], top: u32) -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    let mut next = 0;
    for &(low, high) in intervals {
        if low > next {
            out.push((next, low - 1));
        }
        next = high + 1;
    }
    if next <= top {
        out.push((next, top));
    }
    out
}

/// `source` with each character from `low` to `high` moved by `by`; no image is one of them.
pub fn mapped(terms: &mut Terms, source: TermId, low: Char, high: Char, by: i64) -> Option<TermId> {
    let mut result = source;
    for code in low.0..=high.0 {
        let image = u32::try_from(i64::from(code) + by).ok()?;
        let [from, to] = [code, image].map(|c| terms.string(SmtString::from(vec![Char(c)])));
        result = terms.app(StrOp::ReplaceAll, &[result, from, to]).ok()?;
    }
    Some(result)
}

/// What holds of `result`, which is `source` without its characters of `class` at one end, and of `taken`,
/// which is these characters.
pub fn stripped(
    terms: &mut Terms,
    [source, taken, result]: [TermId; 3],
    class: TermId,
    front: bool,
) -> Option<[TermId; 3]> {
    let order = if front { [taken, result] } else { [result, taken] };
    let whole = terms.app(StrOp::Concat, &order).ok()?;
    let whole = terms.app(CoreOp::Eq, &[source, whole]).ok()?;
    let star = terms.app(ReOp::Star, &[class]).ok()?;
    let taken = terms.app(StrOp::InRe, &[taken, star]).ok()?;
    let all = terms.app(ReOp::All, &[]).ok()?;
    let more = terms.app(ReOp::Concat, &if front { [class, all] } else { [all, class] }).ok()?;
    let more = terms.app(StrOp::InRe, &[result, more]).ok()?;
    let rest = terms.app(CoreOp::Not, &[more]).ok()?;
    Some([whole, taken, rest])
}

//! Words of fixed lengths as bit-vectors, and facts about them.
//!
//! A string vertex of length n is one bit-vector of n times the width of a character (7, 8, 16 or 18 bits, by alphabet),
//! the first character in the highest bits, so that the order of bit-vectors is the order of words of equal length. The
//! empty word has no bit-vector. Constants are known and compared here, not by the solver, wherever both sides are.
//!
//! Source: the study's section 3.6.2, which declares one bit-vector for each string vertex.

use harness_model::{Char, CharSet, SmtString};
use z3::ast::{Ast, BV, Bool};

/// What is said: decided already, or for the solver to decide.
#[derive(Clone, Debug)]
pub(crate) enum Fact {
    /// True or false whatever the words.
    Known(bool),
    /// Depends on the words.
    Open(Bool),
}

impl Fact {
    pub(crate) const YES: Self = Self::Known(true);
    pub(crate) const NO: Self = Self::Known(false);

    pub(crate) fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::join(parts, false)
    }

    pub(crate) fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::join(parts, true)
    }

    fn join(parts: impl IntoIterator<Item = Self>, any: bool) -> Self {
        let mut open = Vec::new();
        for part in parts {
            match part {
                Self::Known(value) if value == any => return Self::Known(any),
                Self::Known(_) => {}
                Self::Open(term) => open.push(term),
            }
        }
        match open.len() {
            0 => Self::Known(!any),
            1 => Self::Open(open.swap_remove(0)),
            _ if any => Self::Open(Bool::or(&open)),
            _ => Self::Open(Bool::and(&open)),
        }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self::all([self, other])
    }

    pub(crate) fn not(&self) -> Self {
        match self {
            Self::Known(value) => Self::Known(!value),
            Self::Open(term) => Self::Open(term.not()),
        }
    }

    pub(crate) fn implies(&self, other: Self) -> Self {
        Self::any([self.not(), other])
    }

    pub(crate) fn is_no(&self) -> bool {
        matches!(self, Self::Known(false))
    }
}

/// A character of a word.
#[derive(Clone, Debug)]
pub(crate) enum Letter {
    /// Of a constant.
    Known(Char),
    /// Of a variable.
    Open(BV),
}

/// A word of a fixed length.
#[derive(Clone, Debug)]
pub(crate) enum Word {
    /// A constant.
    Known(SmtString),
    /// A variable: its characters, and all of them as one unless there are none.
    Open {
        /// The whole.
        whole: Option<BV>,
        /// Its characters, parts of the whole.
        letters: Vec<BV>,
        /// Bits of a character.
        width: u32,
    },
}

impl Word {
    /// A variable of `length` characters of `width` bits.
    pub(crate) fn variable(name: &str, length: usize, width: u32) -> Self {
        let count = u32::try_from(length).unwrap_or(u32::MAX);
        let whole = (count > 0).then(|| BV::new_const(format!("{name}:{length}"), count * width));
        let letter = |whole: &BV, i: u32| {
            if count == 1 {
                whole.clone()
            } else {
                whole.extract((count - i) * width - 1, (count - i - 1) * width)
            }
        };
        let letters = whole.iter().flat_map(|whole| (0..count).map(|i| letter(whole, i))).collect();
        Self::Open { whole, letters, width }
    }

    /// How many characters.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Known(word) => word.len(),
            Self::Open { letters, .. } => letters.len(),
        }
    }

    /// The character at `at`; `None` outside.
    pub(crate) fn letter(&self, at: usize) -> Option<Letter> {
        match self {
            Self::Known(word) => word.chars().get(at).map(|&c| Letter::Known(c)),
            Self::Open { letters, .. } => letters.get(at).map(|l| Letter::Open(l.clone())),
        }
    }

    /// All characters.
    pub(crate) fn letters(&self) -> impl Iterator<Item = Letter> + '_ {
        (0..self.len()).filter_map(|i| self.letter(i))
    }

    /// The part of `count` characters from `from` on as a bit-vector; it is inside and `count` is positive. `width` is
    /// that of the characters.
    fn part(&self, from: usize, count: usize, width: u32) -> Option<BV> {
        match self {
            Self::Known(word) => bits(word.chars().get(from..from + count)?, width),
            Self::Open { letters, .. } if from == 0 && count == letters.len() => self.whole(),
            Self::Open { letters, .. } if count == 1 => letters.get(from).cloned(),
            Self::Open { letters, whole, .. } => {
                let after = u32::try_from(letters.len().checked_sub(from + count)?).ok()?;
                let count = u32::try_from(count).ok()?;
                Some(whole.as_ref()?.extract((after + count) * width - 1, after * width))
            }
        }
    }

    fn whole(&self) -> Option<BV> {
        match self {
            Self::Known(_) => None,
            Self::Open { whole, .. } => whole.clone(),
        }
    }

    fn width(&self) -> Option<u32> {
        match self {
            Self::Known(_) => None,
            Self::Open { width, .. } => Some(*width),
        }
    }
}

/// A constant as a bit-vector; `None` for the empty word.
fn bits(chars: &[Char], width: u32) -> Option<BV> {
    let bits: Vec<bool> =
        chars.iter().rev().flat_map(|c| (0..width).map(move |bit| c.0 >> bit & 1 == 1)).collect();
    // Lowest bit first.
    if bits.is_empty() { None } else { BV::from_bits(&bits) }
}

/// How two parts of equal length are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Same,
    Before,
}

fn compare(a: &Word, from_a: usize, b: &Word, from_b: usize, count: usize, order: Order) -> Fact {
    if from_a + count > a.len() || from_b + count > b.len() {
        return Fact::NO;
    }
    if count == 0 {
        return Fact::Known(order == Order::Same);
    }
    if let (Word::Known(a), Word::Known(b)) = (a, b) {
        let (a, b) = (&a.chars()[from_a..from_a + count], &b.chars()[from_b..from_b + count]);
        return Fact::Known(if order == Order::Same { a == b } else { a < b });
    }
    let width = a.width().or(b.width()).unwrap_or(0);
    match (a.part(from_a, count, width), b.part(from_b, count, width)) {
        (Some(a), Some(b)) => match order {
            Order::Same if a == b => Fact::YES,
            Order::Same => Fact::Open(Ast::eq(&a, &b)),
            Order::Before => Fact::Open(a.bvult(&b)),
        },
        _ => Fact::NO,
    }
}

/// That the `count` characters of `a` from `from_a` on are those of `b` from `from_b` on; false where either does not have
/// them.
pub(crate) fn same(a: &Word, from_a: usize, b: &Word, from_b: usize, count: usize) -> Fact {
    compare(a, from_a, b, from_b, count, Order::Same)
}

/// That the first `count` characters of `a` are before those of `b`.
pub(crate) fn before(a: &Word, b: &Word, count: usize) -> Fact {
    compare(a, 0, b, 0, count, Order::Before)
}

/// That `t` stands in `s` at position `at`.
pub(crate) fn stands_at(s: &Word, t: &Word, at: usize) -> Fact {
    same(s, at, t, 0, t.len())
}

/// That a character is in a set.
pub(crate) fn is_in(letter: &Letter, set: &CharSet) -> Fact {
    let bv = match letter {
        Letter::Known(c) => return Fact::Known(set.contains(*c)),
        Letter::Open(bv) => bv,
    };
    let width = bv.get_size();
    let last = u32::MAX >> (32 - width.clamp(1, 32));
    let number = |c: u32| BV::from_u64(u64::from(c), width);
    Fact::any(set.ranges().iter().filter(|(low, _)| *low <= last).map(|&(low, high)| {
        let above = if low == 0 { Fact::YES } else { Fact::Open(bv.bvuge(number(low))) };
        let below = if high >= last { Fact::YES } else { Fact::Open(bv.bvule(number(high))) };
        if low == high { Fact::Open(Ast::eq(bv, number(low))) } else { above.and(below) }
    }))
}

/// That a character is `c`.
pub(crate) fn is_char(letter: &Letter, c: Char) -> Fact {
    is_in(letter, &CharSet::single(c))
}

/// That two characters are the same, the first moved by `distance` where it is in `moved`.
pub(crate) fn is_moved(from: &Letter, moved: &CharSet, distance: i32, to: &Letter) -> Fact {
    let shift = |c: Char| if moved.contains(c) { Char(c.0.wrapping_add_signed(distance)) } else { c };
    match (from, to) {
        (Letter::Known(c), to) => is_char(to, shift(*c)),
        (Letter::Open(bv), Letter::Known(c)) => {
            // What may become `c`: itself unless it is moved away, and what is moved onto it.
            let mut sources = Vec::new();
            if !moved.contains(*c) {
                sources.push((c.0, c.0));
            }
            let source = Char(c.0.wrapping_add_signed(-distance));
            if moved.contains(source) {
                sources.push((source.0, source.0));
            }
            is_in(&Letter::Open(bv.clone()), &CharSet::from_ranges(sources))
        }
        (Letter::Open(a), Letter::Open(b)) => {
            let there = a.bvadd(BV::from_i64(i64::from(distance), a.get_size()));
            match is_in(from, moved) {
                Fact::Known(true) => Fact::Open(Ast::eq(b, &there)),
                Fact::Known(false) => Fact::Open(Ast::eq(b, a)),
                Fact::Open(inside) => Fact::Open(Ast::eq(b, inside.ite(&there, a))),
            }
        }
    }
}

/// That the code of the first character less that of the second is `difference`.
pub(crate) fn differ_by(a: &Letter, b: &Letter, difference: i64) -> Fact {
    if i32::try_from(difference).is_err() {
        return Fact::NO;
    }
    let moved = |c: &Char, by: i64| u32::try_from(i64::from(c.0) + by).ok().map(Char);
    match (a, b) {
        (Letter::Known(a), b) => moved(a, -difference).map_or(Fact::NO, |c| is_char(b, c)),
        (a, Letter::Known(b)) => moved(b, difference).map_or(Fact::NO, |c| is_char(a, c)),
        (Letter::Open(a), Letter::Open(b)) => {
            // Two more bits hold the sum of a character and any difference of characters without overflow.
            let width = a.get_size();
            if difference.unsigned_abs() >> width != 0 {
                return Fact::NO;
            }
            let sum = b.zero_ext(2).bvadd(BV::from_i64(difference, width + 2));
            Fact::Open(Ast::eq(&a.zero_ext(2), &sum))
        }
    }
}

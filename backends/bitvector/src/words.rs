//! Words of fixed lengths as bit-vectors, and formulas about them.
//!
//! A string vertex of length n is one bit-vector of n times the width of a character (7, 8, 16 or 18 bits, by
//! alphabet), the first character in the highest bits, so that the order of bit-vectors is the order of words
//! of equal length. The empty word has no bit-vector. Constants are known and compared here, not by the
//! solver, wherever both sides are.
//!
//! Source: the study's section 3.6.2, which declares one bit-vector for each string vertex.

use harness_model::{Char, CharSet, SmtString};

use crate::solver::BitVectorTerms;

/// A truth value: decided already, or a formula for the solver to decide.
#[derive(Clone, Debug)]
pub(crate) enum BoolTerm<B> {
    /// True or false whatever the words.
    Known(bool),
    /// Depends on the words.
    Open(B),
}

/// A truth value over the terms of `T`.
pub(crate) type Truth<T> = BoolTerm<<T as BitVectorTerms>::Bool>;

impl<B> BoolTerm<B> {
    pub(crate) const TRUE: Self = Self::Known(true);
    pub(crate) const FALSE: Self = Self::Known(false);

    pub(crate) const fn is_false(&self) -> bool {
        matches!(self, Self::Known(false))
    }
}

/// A character of a word.
#[derive(Clone, Debug)]
pub(crate) enum Letter<V> {
    /// Of a constant.
    Known(Char),
    /// Of a variable.
    Open(V),
}

/// A word of a fixed length.
#[derive(Clone, Debug)]
pub(crate) enum Word<V> {
    /// A constant.
    Known(SmtString),
    /// A variable: its characters, and all of them as one unless there are none.
    Open {
        /// The whole.
        whole: Option<V>,
        /// Its characters, parts of the whole.
        letters: Vec<V>,
        /// Bits of a character.
        width: u32,
    },
}

impl<V: Clone> Word<V> {
    /// How many characters.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Known(word) => word.len(),
            Self::Open { letters, .. } => letters.len(),
        }
    }

    /// The character at `at`; `None` outside.
    pub(crate) fn letter(&self, at: usize) -> Option<Letter<V>> {
        match self {
            Self::Known(word) => word.chars().get(at).map(|&c| Letter::Known(c)),
            Self::Open { letters, .. } => letters.get(at).map(|l| Letter::Open(l.clone())),
        }
    }

    /// All characters.
    pub(crate) fn letters(&self) -> impl Iterator<Item = Letter<V>> + '_ {
        (0..self.len()).filter_map(|i| self.letter(i))
    }

    const fn width(&self) -> Option<u32> {
        match self {
            Self::Known(_) => None,
            Self::Open { width, .. } => Some(*width),
        }
    }
}

/// How two parts of equal length are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Same,
    Before,
}

/// Builds formulas with a solver's terms, and decides what constants decide.
#[derive(Debug)]
pub(crate) struct Formulas<'t, T> {
    pub(crate) terms: &'t T,
}

impl<T> Clone for Formulas<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Formulas<'_, T> {}

impl<T: BitVectorTerms> Formulas<'_, T> {
    /// The conjunction.
    pub(crate) fn all(self, parts: impl IntoIterator<Item = Truth<T>>) -> Truth<T> {
        self.join(parts, false)
    }

    /// The disjunction.
    pub(crate) fn any(self, parts: impl IntoIterator<Item = Truth<T>>) -> Truth<T> {
        self.join(parts, true)
    }

    fn join(self, parts: impl IntoIterator<Item = Truth<T>>, any: bool) -> Truth<T> {
        let mut open = Vec::new();
        for part in parts {
            match part {
                BoolTerm::Known(value) if value == any => return BoolTerm::Known(any),
                BoolTerm::Known(_) => {}
                BoolTerm::Open(term) => open.push(term),
            }
        }
        match open.len() {
            0 => BoolTerm::Known(!any),
            1 => BoolTerm::Open(open.swap_remove(0)),
            _ if any => BoolTerm::Open(self.terms.or(&open)),
            _ => BoolTerm::Open(self.terms.and(&open)),
        }
    }

    /// Both.
    pub(crate) fn and(self, a: Truth<T>, b: Truth<T>) -> Truth<T> {
        self.all([a, b])
    }

    /// The negation.
    pub(crate) fn not(self, term: &Truth<T>) -> Truth<T> {
        match term {
            BoolTerm::Known(value) => BoolTerm::Known(!value),
            BoolTerm::Open(term) => BoolTerm::Open(self.terms.not(term)),
        }
    }

    /// The implication.
    pub(crate) fn implies(self, premise: &Truth<T>, conclusion: Truth<T>) -> Truth<T> {
        self.any([self.not(premise), conclusion])
    }

    /// A variable of `length` characters of `width` bits.
    #[expect(clippy::expect_used, reason = "a word of 2^32 characters does not fit into memory")]
    pub(crate) fn variable(self, name: &str, length: usize, width: u32) -> Word<T::Bits> {
        let count = u32::try_from(length).expect("a length has 32 bits");
        let whole = (count > 0).then(|| self.terms.variable(&format!("{name}:{length}"), count * width));
        let letter = |whole: &T::Bits, i: u32| {
            if count == 1 {
                whole.clone()
            } else {
                self.terms.extract(whole, (count - i) * width - 1, (count - i - 1) * width)
            }
        };
        let letters = whole.iter().flat_map(|whole| (0..count).map(|i| letter(whole, i))).collect();
        Word::Open { whole, letters, width }
    }

    /// The part of `count` characters from `from` on as a bit-vector; it is inside and `count` is positive.
    /// `width` is that of the characters.
    fn part(self, word: &Word<T::Bits>, from: usize, count: usize, width: u32) -> Option<T::Bits> {
        match word {
            Word::Known(word) => self.bits(word.chars().get(from..from + count)?, width),
            Word::Open { letters, whole, .. } if from == 0 && count == letters.len() => whole.clone(),
            Word::Open { letters, .. } if count == 1 => letters.get(from).cloned(),
            Word::Open { letters, whole, .. } => {
                let after = u32::try_from(letters.len().checked_sub(from + count)?).ok()?;
                let count = u32::try_from(count).ok()?;
                Some(self.terms.extract(whole.as_ref()?, (after + count) * width - 1, after * width))
            }
        }
    }

    /// A constant as a bit-vector; `None` for the empty word.
    fn bits(self, chars: &[Char], width: u32) -> Option<T::Bits> {
        let bits: Vec<bool> =
            chars.iter().rev().flat_map(|c| (0..width).map(move |bit| c.0 >> bit & 1 == 1)).collect();
        (!bits.is_empty()).then(|| self.terms.constant(&bits))
    }

    /// The number, modulo 2 to the power of `width`, which is below 64.
    fn number(self, value: i64, width: u32) -> T::Bits {
        self.terms.number(value.cast_unsigned() & ((1 << width) - 1), width)
    }

    fn compare(
        self,
        (a, from_a): (&Word<T::Bits>, usize),
        (b, from_b): (&Word<T::Bits>, usize),
        count: usize,
        order: Order,
    ) -> Truth<T> {
        if from_a + count > a.len() || from_b + count > b.len() {
            return BoolTerm::FALSE;
        }
        if count == 0 {
            return BoolTerm::Known(order == Order::Same);
        }
        if let (Word::Known(a), Word::Known(b)) = (a, b) {
            let (a, b) = (&a.chars()[from_a..from_a + count], &b.chars()[from_b..from_b + count]);
            return BoolTerm::Known(if order == Order::Same { a == b } else { a < b });
        }
        let width = a.width().or(b.width()).unwrap_or(0);
        match (self.part(a, from_a, count, width), self.part(b, from_b, count, width)) {
            (Some(a), Some(b)) => match order {
                Order::Same if a == b => BoolTerm::TRUE,
                Order::Same => BoolTerm::Open(self.terms.equal(&a, &b)),
                Order::Before => BoolTerm::Open(self.terms.less(&a, &b)),
            },
            _ => BoolTerm::FALSE,
        }
    }

    /// That the `count` characters of `a` from `from_a` on are those of `b` from `from_b` on; false where
    /// either does not have them.
    pub(crate) fn same(
        self,
        a: &Word<T::Bits>,
        from_a: usize,
        b: &Word<T::Bits>,
        from_b: usize,
        count: usize,
    ) -> Truth<T> {
        self.compare((a, from_a), (b, from_b), count, Order::Same)
    }

    /// That the first `count` characters of `a` are before those of `b`.
    pub(crate) fn before(self, a: &Word<T::Bits>, b: &Word<T::Bits>, count: usize) -> Truth<T> {
        self.compare((a, 0), (b, 0), count, Order::Before)
    }

    /// That `t` stands in `s` at position `at`.
    pub(crate) fn stands_at(self, s: &Word<T::Bits>, t: &Word<T::Bits>, at: usize) -> Truth<T> {
        self.same(s, at, t, 0, t.len())
    }

    /// That a character is in a set.
    pub(crate) fn is_in(self, letter: &Letter<T::Bits>, set: &CharSet) -> Truth<T> {
        let bits = match letter {
            Letter::Known(c) => return BoolTerm::Known(set.contains(*c)),
            Letter::Open(bits) => bits,
        };
        let terms = self.terms;
        let width = terms.width(bits);
        let last = u32::MAX >> (32 - width.clamp(1, 32));
        let number = |c: u32| terms.number(u64::from(c), width);
        self.any(set.ranges().iter().filter(|(low, _)| *low <= last).map(|&(low, high)| {
            let above =
                if low == 0 { BoolTerm::TRUE } else { BoolTerm::Open(terms.at_least(bits, &number(low))) };
            let below = if high >= last {
                BoolTerm::TRUE
            } else {
                BoolTerm::Open(terms.at_most(bits, &number(high)))
            };
            if low == high { BoolTerm::Open(terms.equal(bits, &number(low))) } else { self.and(above, below) }
        }))
    }

    /// That a character is `c`.
    pub(crate) fn is_char(self, letter: &Letter<T::Bits>, c: Char) -> Truth<T> {
        self.is_in(letter, &CharSet::single(c))
    }

    /// That two characters are the same, the first moved by `distance` where it is in `moved`.
    pub(crate) fn is_moved(
        self,
        from: &Letter<T::Bits>,
        moved: &CharSet,
        distance: i32,
        to: &Letter<T::Bits>,
    ) -> Truth<T> {
        let shift = |c: Char| if moved.contains(c) { Char(c.0.wrapping_add_signed(distance)) } else { c };
        match (from, to) {
            (Letter::Known(c), to) => self.is_char(to, shift(*c)),
            (Letter::Open(_), Letter::Known(c)) => {
                // What may become `c`: itself unless it is moved away, and what is moved onto it.
                let mut sources = Vec::new();
                if !moved.contains(*c) {
                    sources.push((c.0, c.0));
                }
                let source = Char(c.0.wrapping_add_signed(-distance));
                if moved.contains(source) {
                    sources.push((source.0, source.0));
                }
                self.is_in(from, &CharSet::from_ranges(sources))
            }
            (Letter::Open(a), Letter::Open(b)) => {
                let there = self.terms.add(a, &self.number(i64::from(distance), self.terms.width(a)));
                BoolTerm::Open(match self.is_in(from, moved) {
                    BoolTerm::Known(true) => self.terms.equal(b, &there),
                    BoolTerm::Known(false) => self.terms.equal(b, a),
                    BoolTerm::Open(inside) => {
                        self.terms.equal(b, &self.terms.if_then_else(&inside, &there, a))
                    }
                })
            }
        }
    }

    /// That the code of the first character less that of the second is `difference`.
    pub(crate) fn differ_by(self, a: &Letter<T::Bits>, b: &Letter<T::Bits>, difference: i64) -> Truth<T> {
        if i32::try_from(difference).is_err() {
            return BoolTerm::FALSE;
        }
        let moved = |c: &Char, by: i64| u32::try_from(i64::from(c.0) + by).ok().map(Char);
        match (a, b) {
            (Letter::Known(a), b) => moved(a, -difference).map_or(BoolTerm::FALSE, |c| self.is_char(b, c)),
            (a, Letter::Known(b)) => moved(b, difference).map_or(BoolTerm::FALSE, |c| self.is_char(a, c)),
            (Letter::Open(a), Letter::Open(b)) => {
                // Two more bits hold the sum of a character and any difference of characters without
                // overflow.
                let width = self.terms.width(a);
                if difference.unsigned_abs() >> width != 0 {
                    return BoolTerm::FALSE;
                }
                let b = self.terms.zero_extend(b, 2);
                let sum = self.terms.add(&b, &self.number(difference, width + 2));
                BoolTerm::Open(self.terms.equal(&self.terms.zero_extend(a, 2), &sum))
            }
        }
    }
}

//! The operations on words as formulas: comparison, search, replacement, letters and numbers.
//!
//! Each function says when a relation between words of fixed lengths and known integers holds. What is
//! corrected in the study's table: the module `encoding`.

use harness_model::int::Int;
use harness_model::{Alphabet, Char, CharSet};

use crate::solver::BitVectorTerms;
use crate::words::{BoolTerm, Formulas, Letter, Truth, Word};

pub(crate) fn digits() -> CharSet {
    CharSet::range(Char(0x30), Char(0x39))
}

/// The characters that Java's `trim` cuts off.
pub(crate) fn blanks() -> CharSet {
    CharSet::range(Char(0), Char(0x20))
}

/// As a position of a character.
pub(crate) fn inside(position: &Int, length: usize) -> Option<usize> {
    position.position(length).filter(|&p| p < length)
}

pub(crate) fn character(code: &Int, alphabet: Alphabet) -> Option<Char> {
    u32::try_from(code.small()?).ok().map(Char).filter(|&c| alphabet.contains(c))
}

/// Where `t` may stand in `s`.
pub(crate) fn places<V: Clone>(s: &Word<V>, t: &Word<V>) -> std::ops::Range<usize> {
    s.len().checked_sub(t.len()).map_or(0..0, |last| 0..last + 1)
}

impl<T: BitVectorTerms> Formulas<'_, T> {
    /// Both words are the same.
    pub(crate) fn equal(self, a: &Word<T::Bits>, b: &Word<T::Bits>) -> Truth<T> {
        if a.len() == b.len() { self.same(a, 0, b, 0, a.len()) } else { BoolTerm::FALSE }
    }

    /// The word is `chars`.
    pub(crate) fn spells(self, word: &Word<T::Bits>, chars: &[Char]) -> Truth<T> {
        if word.len() != chars.len() {
            return BoolTerm::FALSE;
        }
        self.all(word.letters().zip(chars).map(|(letter, &c)| self.is_char(&letter, c)))
    }

    /// There is a character, and `code` is its code.
    pub(crate) fn code_is(self, letter: Option<Letter<T::Bits>>, code: &Int) -> Truth<T> {
        let code = code.small().and_then(|c| u32::try_from(c).ok()).map(Char);
        match (letter, code) {
            (Some(letter), Some(code)) => self.is_char(&letter, code),
            _ => BoolTerm::FALSE,
        }
    }

    /// `s` is before `t`, or what they have in common is the same and `tie`.
    pub(crate) fn is_before(self, s: &Word<T::Bits>, t: &Word<T::Bits>, tie: bool) -> Truth<T> {
        let common = s.len().min(t.len());
        let equal = self.and(self.same(s, 0, t, 0, common), BoolTerm::Known(tie));
        self.any([self.before(s, t, common), equal])
    }

    /// `r` is the parts (word, start, count) one after the other.
    pub(crate) fn spliced(self, r: &Word<T::Bits>, parts: &[(&Word<T::Bits>, usize, usize)]) -> Truth<T> {
        if r.len() != parts.iter().map(|(_, _, count)| count).sum::<usize>() {
            return BoolTerm::FALSE;
        }
        let mut at = 0;
        self.all(parts.iter().map(|&(word, start, count)| {
            let part = self.same(word, start, r, at, count);
            at += count;
            part
        }))
    }

    /// `i` is the first of `places` where `t` stands in `s`, or -1 when it stands at none of them.
    pub(crate) fn first_place(
        self,
        s: &Word<T::Bits>,
        t: &Word<T::Bits>,
        places: &[usize],
        i: &Int,
    ) -> Truth<T> {
        let absent = |places: &[usize]| self.all(places.iter().map(|&p| self.not(&self.stands_at(s, t, p))));
        if *i == Int::MINUS_ONE {
            return absent(places);
        }
        match places.iter().position(|&p| Int::from(p) == *i) {
            Some(at) => self.and(self.stands_at(s, t, places[at]), absent(&places[..at])),
            None => BoolTerm::FALSE,
        }
    }

    /// `r` is `s` without the blanks at both ends.
    pub(crate) fn trimmed(self, s: &Word<T::Bits>, r: &Word<T::Bits>) -> Truth<T> {
        let blank = |at: usize| s.letter(at).map_or(BoolTerm::FALSE, |letter| self.is_in(&letter, &blanks()));
        let (Some(first), Some(last)) = (r.letter(0), r.letter(r.len().wrapping_sub(1))) else {
            return self.all((0..s.len()).map(blank));
        };
        let whole = self.any(places(s, r).map(|at| {
            let cut = (0..at).chain(at + r.len()..s.len()).map(blank);
            self.all(cut.chain([self.stands_at(s, r, at)]))
        }));
        let outside = |letter: &Letter<T::Bits>| self.not(&self.is_in(letter, &blanks()));
        self.all([outside(&first), outside(&last), whole])
    }

    /// `r` is `s` with the first `t` in it replaced by `by`.
    pub(crate) fn replaced(
        self,
        s: &Word<T::Bits>,
        t: &Word<T::Bits>,
        by: &Word<T::Bits>,
        r: &Word<T::Bits>,
    ) -> Truth<T> {
        let mut none = BoolTerm::TRUE;
        let mut cases = Vec::new();
        for at in places(s, t) {
            let here = self.stands_at(s, t, at);
            let after = at + t.len();
            let parts = [(s, 0, at), (by, 0, by.len()), (s, after, s.len() - after)];
            let first = self.and(none.clone(), here.clone());
            cases.push(self.implies(&first, self.spliced(r, &parts)));
            none = self.and(none, self.not(&here));
        }
        cases.push(self.implies(&none, self.equal(s, r)));
        self.all(cases)
    }

    /// `r` is `s` with the 26 letters from `first` on moved by `distance`.
    pub(crate) fn mapped(self, s: &Word<T::Bits>, r: &Word<T::Bits>, first: u8, distance: i32) -> Truth<T> {
        if s.len() != r.len() {
            return BoolTerm::FALSE;
        }
        let letters = CharSet::range(Char::from(first), Char::from(first + 25));
        self.all(s.letters().zip(r.letters()).map(|(from, to)| self.is_moved(&from, &letters, distance, &to)))
    }

    /// `i` is the number that `s` writes, -1 when it writes none.
    pub(crate) fn writes(self, s: &Word<T::Bits>, i: &Int) -> Truth<T> {
        if *i == Int::MINUS_ONE {
            let other = s.letters().map(|letter| self.not(&self.is_in(&letter, &digits())));
            return if s.len() == 0 { BoolTerm::TRUE } else { self.any(other) };
        }
        let text = i.to_string();
        match s.len().checked_sub(text.len()) {
            Some(zeros) if !i.is_negative() => {
                let padded = std::iter::repeat_n(b'0', zeros).chain(text.bytes());
                self.spells(s, &padded.map(Char::from).collect::<Vec<_>>())
            }
            _ => BoolTerm::FALSE,
        }
    }

    /// `i` is Java's `compareTo` of `s` and `t`.
    pub(crate) fn compared(self, s: &Word<T::Bits>, t: &Word<T::Bits>, i: &Int) -> Truth<T> {
        let common = s.len().min(t.len());
        let lengths = Int::from(s.len()).sub(&Int::from(t.len()));
        let tie = self.and(self.same(s, 0, t, 0, common), BoolTerm::Known(lengths == *i));
        let mut ways = vec![tie];
        if let Some(difference) = i.small().filter(|&i| i != 0) {
            for (at, (a, b)) in s.letters().zip(t.letters()).enumerate() {
                ways.push(self.and(self.same(s, 0, t, 0, at), self.differ_by(&a, &b, difference)));
            }
        }
        self.any(ways)
    }
}

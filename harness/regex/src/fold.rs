//! Matching without regard to case.
//!
//! All four engines compare single characters, so folding a set adds the characters that the engine takes for
//! equal to one in it. Which those are differs:
//!
//! - Rust and PCRE2 (UTF): all characters with the same simple case folding (`CaseFolding.txt`, statuses C
//!   and S);
//! - .NET: all with the same lower case, in the invariant culture; so `ſ` is not `s`, but the Kelvin sign is
//!   `k`;
//! - Java: ASCII letters only, and with flag `u` all whose upper case has the same lower case.
//!
//! A negated class is folded first and negated then, in all of them.

use harness_model::{Alphabet, Char, CharSet};
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use crate::node::merge;

/// When two characters are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Folding {
    /// Same simple case folding.
    Simple,
    /// Same lower case.
    Lower,
    /// Same ASCII letter.
    Ascii,
    /// Same lower case of the upper case.
    LowerOfUpper,
}

impl Folding {
    /// What stands for `c` and all that is equal to it; none for [`Self::Simple`], which has its tables.
    fn key(self, c: char) -> Option<char> {
        match self {
            Self::Simple => None,
            Self::Lower => Some(lower(c)),
            Self::Ascii => Some(c.to_ascii_lowercase()),
            Self::LowerOfUpper => Some(lower(upper(c))),
        }
    }

    /// `set` and all characters of `alphabet` that are equal to one in it.
    ///
    /// Cost: linear in the number of cased characters of `set`, at most some thousand.
    pub(crate) fn fold(self, set: &CharSet, alphabet: Alphabet) -> CharSet {
        let closure = simple(set);
        if self == Self::Simple {
            return merge(&closure, set).cut_to(alphabet);
        }
        // Equal characters have the same simple folding, so all candidates are in the closure.
        let added = closure.difference(set);
        let candidates = added.ranges().iter().flat_map(|&(low, high)| low..=high);
        let equal = candidates.filter(|&c| {
            char::from_u32(c).is_some_and(|c| {
                let orbit = simple(&CharSet::single(Char(u32::from(c))));
                orbit.intersection(set).ranges().iter().flat_map(|&(low, high)| low..=high).any(|member| {
                    char::from_u32(member).is_some_and(|member| self.key(member) == self.key(c))
                })
            })
        });
        merge(set, &CharSet::from_ranges(equal.map(|c| (c, c)))).cut_to(alphabet)
    }
}

/// The closure under simple case folding.
fn simple(set: &CharSet) -> CharSet {
    let mut class = ClassUnicode::empty();
    for &(low, high) in set.ranges() {
        // The surrogates, which `char` leaves out, have no case.
        for (low, high) in [(low, high.min(0xD7FF)), (low.max(0xE000), high)] {
            if let (true, Some(low), Some(high)) = (low <= high, char::from_u32(low), char::from_u32(high)) {
                class.push(ClassUnicodeRange::new(low, high));
            }
        }
    }
    class.case_fold_simple();
    CharSet::from_ranges(class.iter().map(|r| (u32::from(r.start()), u32::from(r.end()))))
}

/// The lower case, where it is one character.
fn lower(c: char) -> char {
    single(c.to_lowercase()).unwrap_or(c)
}

/// The upper case, where it is one character.
fn upper(c: char) -> char {
    single(c.to_uppercase()).unwrap_or(c)
}

fn single(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(folding: Folding, text: &str) -> String {
        let set = CharSet::from_ranges(text.chars().map(|c| (u32::from(c), u32::from(c))));
        let all = folding.fold(&set, Alphabet::Unicode);
        all.ranges().iter().flat_map(|&(low, high)| low..=high).filter_map(char::from_u32).collect()
    }

    #[test]
    fn what_is_equal_depends_on_the_engine() {
        assert_eq!(folded(Folding::Simple, "k"), "Kk\u{212A}");
        assert_eq!(folded(Folding::Simple, "s"), "Ssſ");
        assert_eq!(folded(Folding::Lower, "k"), "Kk\u{212A}");
        assert_eq!(folded(Folding::Lower, "s"), "Ss");
        assert_eq!(folded(Folding::Lower, "ς"), "ς");
        assert_eq!(folded(Folding::Lower, "Σ"), "Σσ");
        assert_eq!(folded(Folding::Ascii, "ké"), "Kké");
        assert_eq!(folded(Folding::LowerOfUpper, "s"), "Ssſ");
        assert_eq!(folded(Folding::LowerOfUpper, "é"), "Éé");
    }

    #[test]
    fn folding_is_cut_to_the_alphabet() {
        let k = CharSet::single(Char(u32::from('k')));
        assert_eq!(Folding::Simple.fold(&k, Alphabet::Ascii).len(), 2);
        assert_eq!(Folding::Lower.fold(&k, Alphabet::Unicode).len(), 3);
    }

    #[test]
    fn folding_is_idempotent() {
        for folding in [Folding::Simple, Folding::Lower, Folding::Ascii, Folding::LowerOfUpper] {
            let some = CharSet::from_ranges([(0x41, 0x5A), (0xC0, 0x17F), (0x370, 0x3FF)]);
            let once = folding.fold(&some, Alphabet::Unicode);
            assert_eq!(folding.fold(&once, Alphabet::Unicode), once, "{folding:?}");
        }
    }
}

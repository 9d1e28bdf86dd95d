//! Code points as Unicode scalar values.
//!
//! The alphabets of tasks have surrogates, which Rust's `char` has not. Everything from the first surrogate
//! on is moved up by the number of surrogates: an injective, order-preserving map, so ranges stay ranges. The
//! last code point of the largest alphabet, 2FFFF, becomes 307FF, far below the last scalar value.

use harness_model::{Char, CharSet, SmtString};

const FIRST_SURROGATE: u32 = 0xD800;
const SURROGATES: u32 = 0x800;

/// The scalar value that stands for `c`.
pub fn scalar(c: u32) -> char {
    let moved = if c < FIRST_SURROGATE { c } else { c.saturating_add(SURROGATES) };
    char::from_u32(moved).unwrap_or(char::MAX)
}

/// The code point that `c` stands for.
pub fn code_point(c: char) -> Char {
    let c = u32::from(c);
    Char(if c < FIRST_SURROGATE { c } else { c - SURROGATES })
}

/// The ranges of `set` as scalar values.
pub fn ranges(set: &CharSet) -> impl Iterator<Item = (char, char)> + '_ {
    set.ranges().iter().map(|&(low, high)| (scalar(low), scalar(high)))
}

/// The word that `text` stands for.
pub fn word(text: &str) -> SmtString {
    text.chars().map(code_point).collect()
}

#[cfg(test)]
mod tests {
    use harness_model::Alphabet;

    use super::*;

    #[test]
    fn every_code_point_comes_back_in_order() {
        let mut last = None;
        for c in 0..Alphabet::Unicode.size() {
            assert_eq!(code_point(scalar(c)), Char(c));
            assert!(Some(scalar(c)) > last);
            last = Some(scalar(c));
        }
    }
}

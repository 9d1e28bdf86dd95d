//! What the tests of this crate share: all short words over three letters, and a letter's language.

use harness_model::{Char, CharSet, Regex, SmtString};

/// One letter.
pub fn letter(c: char) -> Regex {
    Regex::set(CharSet::single(Char(u32::from(c))))
}

/// All words of up to `longest` letters among `a`, `b` and `c`, shortest first.
pub fn all_words(longest: usize) -> Vec<SmtString> {
    let mut all: Vec<Vec<Char>> = vec![Vec::new()];
    let mut start = 0;
    for _ in 0..longest {
        let end = all.len();
        for i in start..end {
            for c in [0x61, 0x62, 0x63] {
                let mut longer = all[i].clone();
                longer.push(Char(c));
                all.push(longer);
            }
        }
        start = end;
    }
    all.into_iter().map(SmtString::from).collect()
}

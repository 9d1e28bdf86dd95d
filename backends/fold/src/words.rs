//! The functions on words, as the backends compute them.
//!
//! Occurrences are found by the prefix function of the needle, so that a search costs the length of both
//! words and no more. All functions are total, with the meaning that SMT-LIB 2.7 and `java.lang.String` give
//! them.
//!
//! Source: Knuth, Morris and Pratt, *Fast pattern matching in strings*, SIAM J. Comput. 6(2), 1977.

use std::cmp::Ordering;
use std::ops::Range;

use harness_model::int::Int;
use harness_model::{Alphabet, Char, Regex};

use crate::failure::{Failure, Limit, Limits};
use crate::matcher::Derivatives;

/// A word that is looked for.
struct Needle<'a> {
    word: &'a [Char],
    /// For each prefix that is not empty: the length of its longest border.
    borders: Vec<usize>,
}

impl<'a> Needle<'a> {
    fn new(word: &'a [Char]) -> Self {
        let mut borders = vec![0; word.len()];
        let mut border = 0;
        for i in 1..word.len() {
            while border > 0 && word[i] != word[border] {
                border = borders[border - 1];
            }
            if word[i] == word[border] {
                border += 1;
            }
            borders[i] = border;
        }
        Self { word, borders }
    }

    /// Where it occurs in `text`, ascending, overlaps included.
    fn occurrences(&self, text: &'a [Char]) -> impl Iterator<Item = usize> {
        let mut matched = 0;
        // The empty word occurs before the first character too.
        let front = self.word.is_empty().then_some(0);
        front.into_iter().chain(text.iter().enumerate().filter_map(move |(i, c)| {
            while matched > 0 && (matched == self.word.len() || self.word[matched] != *c) {
                matched = self.borders[matched - 1];
            }
            if self.word.get(matched) == Some(c) {
                matched += 1;
            }
            (matched == self.word.len()).then(|| i + 1 - matched)
        }))
    }
}

/// `text.find(needle)` from position `from` on.
fn find(text: &[Char], needle: &[Char], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let at = match needle {
        [] => Some(0),
        [one] => rest.iter().position(|c| c == one),
        _ => Needle::new(needle).occurrences(rest).next(),
    };
    at.map(|at| from + at)
}

/// The part of `s` that `str.substr` gives.
pub(crate) fn part(s: &[Char], from: &Int, count: &Int) -> Range<usize> {
    let Some(from) = from.small().and_then(|from| usize::try_from(from).ok()) else { return 0..0 };
    if from >= s.len() || *count <= Int::ZERO {
        return 0..0;
    }
    // A count that does not fit is more than there are.
    let count = count.small().and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
    from..from.saturating_add(count).min(s.len())
}

/// `str.contains`.
pub(crate) fn contains(s: &[Char], t: &[Char]) -> bool {
    find(s, t, 0).is_some()
}

/// `str.prefixof`.
pub(crate) fn has_prefix(s: &[Char], prefix: &[Char]) -> bool {
    prefix.len() <= s.len() && std::iter::zip(s, prefix).all(|(a, b)| a == b)
}

/// `str.suffixof`.
pub(crate) fn has_suffix(s: &[Char], suffix: &[Char]) -> bool {
    suffix.len() <= s.len() && std::iter::zip(s.iter().rev(), suffix.iter().rev()).all(|(a, b)| a == b)
}

/// The order of `str.<`: by the first characters that differ, a prefix before what it starts.
pub(crate) fn order(s: &[Char], t: &[Char]) -> Ordering {
    s.iter().map(|c| c.0).cmp(t.iter().map(|c| c.0))
}

/// `str.indexof`.
pub(crate) fn index_of(s: &[Char], t: &[Char], from: &Int) -> Int {
    let from = from.small().and_then(|from| usize::try_from(from).ok());
    from.and_then(|from| find(s, t, from)).map_or(Int::MINUS_ONE, Int::from)
}

/// Java's `s.lastIndexOf(t, from)`.
pub(crate) fn last_index_of(s: &[Char], t: &[Char], from: &Int) -> Int {
    let needle = Needle::new(t);
    let up_to = needle.occurrences(s).map(Int::from).take_while(|at| at <= from);
    up_to.last().unwrap_or(Int::MINUS_ONE)
}

/// `str.replace`.
pub(crate) fn replace(s: &[Char], t: &[Char], by: &[Char]) -> Vec<Char> {
    match find(s, t, 0) {
        Some(at) => [&s[..at], by, &s[at + t.len()..]].concat(),
        None => s.to_vec(),
    }
}

/// A word that is put together, up to a limit.
struct Builder {
    word: Vec<Char>,
    most: usize,
}

impl Builder {
    const fn new(most: usize) -> Self {
        Self { word: Vec::new(), most }
    }

    fn push(&mut self, part: &[Char]) -> Result<(), Failure> {
        if part.len() > self.most - self.word.len() {
            return Err(Failure::Limit(Limit::Characters));
        }
        self.word.extend_from_slice(part);
        Ok(())
    }
}

/// `str.replace_all`.
pub(crate) fn replace_all(
    s: &[Char],
    t: &[Char],
    by: &[Char],
    limits: &Limits,
) -> Result<Vec<Char>, Failure> {
    let mut out = Builder::new(limits.characters);
    let mut done = 0;
    if !t.is_empty() {
        for at in Needle::new(t).occurrences(s) {
            if at >= done {
                out.push(&s[done..at])?;
                out.push(by)?;
                done = at + t.len();
            }
        }
    }
    out.push(&s[done..])?;
    Ok(out.word)
}

/// `str.replace_re`: the shortest of the leftmost matches.
pub(crate) fn replace_re(
    s: &[Char],
    regex: &Regex,
    by: &[Char],
    limits: &Limits,
) -> Result<Vec<Char>, Failure> {
    let mut derivatives = Derivatives::new(limits.steps);
    let forward = derivatives.of_regex(regex, false)?;
    let mirrored = derivatives.of_regex(regex, true)?;
    let starts = derivatives.starts(mirrored, s)?;
    let Some(start) = starts.iter().position(|starts| *starts) else { return Ok(s.to_vec()) };
    let length = derivatives.shortest_match(forward, &s[start..])?.unwrap_or(0);
    let mut out = Builder::new(limits.characters);
    out.push(&s[..start])?;
    out.push(by)?;
    out.push(&s[start + length..])?;
    Ok(out.word)
}

/// `str.replace_re_all`: from the left, the shortest of the leftmost non-empty matches.
pub(crate) fn replace_re_all(
    s: &[Char],
    regex: &Regex,
    by: &[Char],
    limits: &Limits,
) -> Result<Vec<Char>, Failure> {
    let mut derivatives = Derivatives::new(limits.steps);
    let forward = derivatives.of_regex(regex, false)?;
    let forward = derivatives.without_empty_word(forward)?;
    let mirrored = derivatives.of_regex(regex, true)?;
    let mirrored = derivatives.without_empty_word(mirrored)?;
    // Whether a match starts at a place depends only on what follows, so once is enough.
    let starts = derivatives.starts(mirrored, s)?;
    let mut out = Builder::new(limits.characters);
    let mut done = 0;
    for start in (0..s.len()).filter(|&start| starts[start]) {
        if start >= done
            && let Some(length) = derivatives.shortest_match(forward, &s[start..])?
        {
            out.push(&s[done..start])?;
            out.push(by)?;
            done = start + length;
        }
    }
    out.push(&s[done..])?;
    Ok(out.word)
}

/// `str.is_digit`.
pub(crate) fn is_digit(s: &[Char]) -> bool {
    s.len() == 1 && digit(s[0]).is_some()
}

fn digit(c: Char) -> Option<u32> {
    char::from_u32(c.0).filter(char::is_ascii_digit).and_then(|c| c.to_digit(10))
}

/// `str.to_code`.
pub(crate) fn to_code(s: &[Char]) -> Int {
    if s.len() == 1 { Int::from(s[0].0) } else { Int::MINUS_ONE }
}

/// `str.from_code`.
pub(crate) fn from_code(code: &Int, alphabet: Alphabet) -> Vec<Char> {
    let inside = *code >= Int::ZERO && *code <= Int::from(alphabet.max().0);
    let code = code.small().filter(|_| inside).and_then(|code| u32::try_from(code).ok());
    code.map(Char).into_iter().collect()
}

/// `str.to_int`. A long number is read by halves, so that its length does not count squared.
pub(crate) fn to_int(s: &[Char]) -> Int {
    fn read(digits: &[u32]) -> (Int, Int) {
        if digits.len() <= 17 {
            let value = digits.iter().fold(0_i64, |value, &d| 10 * value + i64::from(d));
            return (
                Int::from(value),
                (0..digits.len()).fold(Int::from(1_i64), |p, _| p.mul(&Int::from(10_i64))),
            );
        }
        let (high, low) = digits.split_at(digits.len() / 2);
        let ((high, high_power), (low, low_power)) = (read(high), read(low));
        (high.mul(&low_power).add(&low), high_power.mul(&low_power))
    }
    match s.iter().map(|&c| digit(c)).collect::<Option<Vec<u32>>>() {
        Some(digits) if !digits.is_empty() => read(&digits).0,
        _ => Int::MINUS_ONE,
    }
}

/// `str.from_int`.
pub(crate) fn from_int(value: &Int) -> Vec<Char> {
    if value.is_negative() { Vec::new() } else { value.to_string().chars().map(|c| Char(c.into())).collect() }
}

/// The part of `s` that is left without the characters in these ranges at both ends.
pub(crate) fn trimmed(s: &[Char], ranges: &[(u32, u32)]) -> Range<usize> {
    let blank = |c: &&Char| ranges.iter().any(|(low, high)| (*low..=*high).contains(&c.0));
    let front = s.iter().take_while(blank).count();
    let back = s[front..].iter().rev().take_while(blank).count();
    front..s.len() - back
}

/// Java's `toLowerCase`, on the letters of ASCII.
pub(crate) fn to_lower_case(s: &[Char]) -> Vec<Char> {
    in_ascii(s, |c| c.to_ascii_lowercase())
}

/// Java's `toUpperCase`, on the letters of ASCII.
pub(crate) fn to_upper_case(s: &[Char]) -> Vec<Char> {
    in_ascii(s, |c| c.to_ascii_uppercase())
}

fn in_ascii(s: &[Char], change: impl Fn(u8) -> u8) -> Vec<Char> {
    s.iter().map(|&c| u8::try_from(c.0).map_or(c, |byte| Char(change(byte).into()))).collect()
}

/// Java's `compareTo`.
pub(crate) fn compare_to(s: &[Char], t: &[Char]) -> Int {
    let common = std::iter::zip(s, t).take_while(|(a, b)| a == b).count();
    match (s.get(common), t.get(common)) {
        (Some(a), Some(b)) => Int::from(a.0).sub(&Int::from(b.0)),
        _ => Int::from(s.len()).sub(&Int::from(t.len())),
    }
}

#[cfg(test)]
mod tests {
    use harness_model::SmtString;

    use super::*;

    fn chars(text: &str) -> Vec<Char> {
        SmtString::from(text).chars().to_vec()
    }

    #[test]
    fn occurrences_overlap_and_the_empty_word_is_everywhere() {
        let all = |text: &str, needle: &str| {
            Needle::new(&chars(needle)).occurrences(&chars(text)).collect::<Vec<_>>()
        };
        assert_eq!(all("abababa", "aba"), [0, 2, 4]);
        assert_eq!(all("aabaaabaaab", "aabaa"), [0, 4]);
        assert_eq!(all("ab", ""), [0, 1, 2]);
        assert_eq!(all("ab", "abc"), [0; 0]);
    }

    #[test]
    fn long_numbers() {
        let text = format!("000{}", "1234567890".repeat(30));
        assert_eq!(from_int(&to_int(&chars(&text))), chars(text.trim_start_matches('0')));
        assert_eq!(to_int(&chars("12a")), Int::MINUS_ONE);
        assert_eq!(to_int(&chars("\u{661}")), Int::MINUS_ONE);
    }

    #[test]
    fn the_shortest_of_the_leftmost_matches() {
        let o = Regex::literal(&SmtString::from("o"));
        let (plus, star) = (o.clone().repeat(1, None), o.star());
        let limits = Limits::default();
        let by = chars("-");
        assert_eq!(replace_re(&chars("foog"), &plus, &by, &limits), Ok(chars("f-og")));
        assert_eq!(replace_re(&chars("foog"), &star, &by, &limits), Ok(chars("-foog")));
        assert_eq!(replace_re_all(&chars("foog"), &star, &by, &limits), Ok(chars("f--g")));
    }
}

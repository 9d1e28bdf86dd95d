//! The functions of the SMT-LIB theory of Unicode strings, version 2.7, one by one from their definitions.
//!
//! Each works on slices of characters and says what it means in the standard's words: total everywhere.

use std::ops::Range;

use crate::matcher::Matcher;
use harness_model::alphabet::{Alphabet, Char};
use harness_model::int::Int;
use harness_model::regex::Regex;

/// `str.substr`: from position `from`, `count` characters or as many as there are. Empty when `from` is not a
/// position of a character or `count` is not positive.
pub fn substr(s: &[Char], from: &Int, count: &Int) -> Range<usize> {
    let Some(from) = from.position(s.len()).filter(|&p| p < s.len()) else { return 0..0 };
    if *count <= Int::ZERO {
        return 0..0;
    }
    let left = s.len() - from;
    from..from + count.position(left).unwrap_or(left)
}

/// The first occurrence of `t` in `s` at or after position `from`.
fn find(s: &[Char], t: &[Char], from: usize) -> Option<usize> {
    let last = s.len().checked_sub(t.len())?;
    (from..=last).find(|&p| s[p..].starts_with(t))
}

/// `str.contains`.
pub fn contains(s: &[Char], t: &[Char]) -> bool {
    find(s, t, 0).is_some()
}

/// `str.indexof`: the first occurrence of `t` in `s` at or after `from`; -1 when there is none or `from` is
/// not between 0 and the length of `s`.
pub fn indexof(s: &[Char], t: &[Char], from: &Int) -> Int {
    from.position(s.len()).and_then(|from| find(s, t, from)).map_or(Int::MINUS_ONE, Int::from)
}

/// `str.replace`: the first occurrence of `t` in `s` becomes `by`; an empty `t` occurs at the front. Appends
/// to `out`.
pub fn replace(s: &[Char], t: &[Char], by: &[Char], out: &mut Vec<Char>) {
    match find(s, t, 0) {
        Some(at) => splice(s, at..at + t.len(), by, out),
        None => out.extend_from_slice(s),
    }
}

/// `s` with `part` become `by`.
fn splice(s: &[Char], part: Range<usize>, by: &[Char], out: &mut Vec<Char>) {
    out.extend_from_slice(&s[..part.start]);
    out.extend_from_slice(by);
    out.extend_from_slice(&s[part.end..]);
}

/// `str.replace_all`: every occurrence of a non-empty `t`, from the left, without overlap; for an empty `t`
/// nothing is replaced. Appends to `out`, and stops soon after that has more than `most` characters.
pub fn replace_all(s: &[Char], t: &[Char], by: &[Char], out: &mut Vec<Char>, most: usize) {
    let mut rest = s;
    if !t.is_empty() {
        while out.len() <= most
            && let Some(at) = find(rest, t, 0)
        {
            out.extend_from_slice(&rest[..at]);
            out.extend_from_slice(by);
            rest = &rest[at + t.len()..];
        }
    }
    out.extend_from_slice(rest);
}

/// The leftmost match of `regex` in `s`, and of those the shortest, of at least `least` characters. Outer
/// `None` when that takes more than the `steps` that are left, which become fewer.
fn shortest_leftmost(
    s: &[Char],
    regex: &Regex,
    least: usize,
    steps: &mut u64,
) -> Option<Option<Range<usize>>> {
    let matcher = Matcher::within(s, *steps);
    let found = (0..=s.len()).find_map(|start| {
        let end = matcher.ends_from(regex, start).find(|&end| end >= start + least)?;
        Some(start..end)
    });
    *steps = matcher.left();
    (!matcher.gave_up()).then_some(found)
}

/// `str.replace_re`: the shortest leftmost match of `regex` in `s` becomes `by`; the empty word matches at
/// the front if it is in the language. Appends to `out`. `None` when that takes more than `steps` of the
/// matcher.
pub fn replace_re(s: &[Char], regex: &Regex, by: &[Char], out: &mut Vec<Char>, mut steps: u64) -> Option<()> {
    match shortest_leftmost(s, regex, 0, &mut steps)? {
        Some(part) => splice(s, part, by, out),
        None => out.extend_from_slice(s),
    }
    Some(())
}

/// `str.replace_re_all`: from the left, every shortest leftmost non-empty match becomes `by`. Appends to
/// `out`, and stops soon after that has more than `most` characters. `None` when it takes more than `steps`
/// of the matcher.
pub fn replace_re_all(
    s: &[Char],
    regex: &Regex,
    by: &[Char],
    out: &mut Vec<Char>,
    most: usize,
    mut steps: u64,
) -> Option<()> {
    let mut rest = s;
    while out.len() <= most
        && let Some(part) = shortest_leftmost(rest, regex, 1, &mut steps)?
    {
        out.extend_from_slice(&rest[..part.start]);
        out.extend_from_slice(by);
        rest = &rest[part.end..];
    }
    out.extend_from_slice(rest);
    Some(())
}

/// `str.is_digit`: one character from `0` to `9`.
pub fn is_digit(s: &[Char]) -> bool {
    matches!(s, [Char(0x30..=0x39)])
}

/// `str.to_code`: the code point of a one-character string, else -1.
pub fn to_code(s: &[Char]) -> Int {
    match s {
        [Char(c)] => Int::from(*c),
        _ => Int::MINUS_ONE,
    }
}

/// `str.from_code`: the character of this code point, if the alphabet has it.
pub fn from_code(code: &Int, alphabet: Alphabet) -> Option<Char> {
    u32::try_from(code.small()?).ok().map(Char).filter(|&c| alphabet.contains(c))
}

/// `str.to_int`: the value of a non-empty string of digits, leading zeros allowed; else -1.
pub fn to_int(s: &[Char]) -> Int {
    Int::of_digits(s.iter().map(|c| c.0)).unwrap_or(Int::MINUS_ONE)
}

/// `str.from_int`: the decimal digits of a number from 0 on, without leading zeros; for a negative one the
/// empty string. Appends to `out`.
pub fn from_int(value: &Int, out: &mut Vec<Char>) {
    if !value.is_negative() {
        out.extend(value.to_string().bytes().map(Char::from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness_model::charset::CharSet;
    use harness_model::string::SmtString;

    fn chars(text: &str) -> Vec<Char> {
        SmtString::from(text).chars().to_vec()
    }

    fn int(value: i64) -> Int {
        Int::from(value)
    }

    #[test]
    fn substr_is_total() {
        let s = chars("abcde");
        let cases = [
            (0, 2, 0..2),
            (1, 100, 1..5),
            (4, 1, 4..5),
            (5, 1, 0..0),
            (-1, 2, 0..0),
            (2, 0, 0..0),
            (2, -3, 0..0),
        ];
        for (from, count, range) in cases {
            assert_eq!(substr(&s, &int(from), &int(count)), range, "{from} {count}");
        }
        let huge: Int = "36893488147419103233".parse().unwrap();
        assert_eq!(substr(&s, &int(1), &huge), 1..5);
        assert_eq!(substr(&s, &huge, &int(1)), 0..0);
    }

    #[test]
    fn indexof_is_total() {
        let s = chars("abcab");
        let cases =
            [("ab", 0, 0), ("ab", 1, 3), ("ab", 4, -1), ("", 0, 0), ("", 5, 5), ("", 6, -1), ("a", -1, -1)];
        for (t, from, at) in cases {
            assert_eq!(indexof(&s, &chars(t), &int(from)), int(at), "{t} {from}");
        }
        assert_eq!(indexof(&[], &[], &int(0)), int(0));
        assert_eq!(indexof(&[], &chars("a"), &int(0)), int(-1));
    }

    fn done(f: impl FnOnce(&mut Vec<Char>)) -> String {
        let mut out = Vec::new();
        f(&mut out);
        SmtString::from(out).to_string()
    }

    #[test]
    fn replacing() {
        let by = chars("-");
        assert_eq!(done(|o| replace(&chars("abab"), &chars("ab"), &by, o)), "-ab");
        assert_eq!(done(|o| replace(&chars("abab"), &chars(""), &by, o)), "-abab");
        assert_eq!(done(|o| replace(&chars("abab"), &chars("c"), &by, o)), "abab");
        assert_eq!(done(|o| replace_all(&chars("aaaaa"), &chars("aa"), &by, o, 99)), "--a");
        assert_eq!(done(|o| replace_all(&chars("ab"), &chars(""), &by, o, 99)), "ab");
    }

    #[test]
    fn replacing_by_expression_takes_the_leftmost_and_then_the_shortest() {
        let by = chars("-");
        let o = Regex::set(CharSet::single(Char(u32::from('o'))));
        let plus = o.clone().repeat(1, None);
        let star = o.star();
        assert_eq!(done(|out| replace_re_all(&chars("foog"), &plus, &by, out, 99, 9999).unwrap()), "f--g");
        assert_eq!(done(|out| replace_re(&chars("foog"), &plus, &by, out, 9999).unwrap()), "f-og");
        assert_eq!(done(|out| replace_re(&chars("foog"), &star, &by, out, 9999).unwrap()), "-foog");
        assert_eq!(done(|out| replace_re_all(&chars("foog"), &star, &by, out, 99, 9999).unwrap()), "f--g");
        assert_eq!(done(|out| replace_re(&chars("fg"), &plus, &by, out, 9999).unwrap()), "fg");
    }

    #[test]
    fn codes_and_numbers() {
        assert_eq!(to_code(&chars("A")), int(65));
        assert_eq!(to_code(&chars("")), int(-1));
        assert_eq!(to_code(&chars("AB")), int(-1));
        assert_eq!(from_code(&int(0x2_FFFF), Alphabet::Unicode), Some(Char::MAX));
        assert_eq!(from_code(&int(0x3_0000), Alphabet::Unicode), None);
        assert_eq!(from_code(&int(0x80), Alphabet::Ascii), None);
        assert_eq!(from_code(&int(-1), Alphabet::Ascii), None);
        assert!(is_digit(&chars("7")) && !is_digit(&chars("77")) && !is_digit(&chars("\u{661}")));
        assert_eq!(to_int(&chars("0012")), int(12));
        for text in ["", "-1", "+1", " 1", "1a", "\u{661}"] {
            assert_eq!(to_int(&chars(text)), int(-1), "{text}");
        }
        assert_eq!(done(|o| from_int(&int(0), o)), "0");
        assert_eq!(done(|o| from_int(&int(-5), o)), "");
        assert_eq!(done(|o| from_int(&int(120), o)), "120");
    }
}

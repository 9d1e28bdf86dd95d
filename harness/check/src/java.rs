//! What Java's operations mean, one by one, in the words of `java.lang.String`, `Integer`, `Math` and
//! `BigDecimal`.
//!
//! Written from those words and from nothing else: not from the way in which operations are expressed in
//! SMT-LIB's functions. `None` is "undefined": Java throws there, or means something that is not expressed
//! (case mapping outside of ASCII).

use std::cmp::Ordering;

use harness_model::int::Int;
use harness_model::{Alphabet, Char};
use harness_theory::rounding::RoundingMode;

/// Whether `t` stands at position `at` of `s`.
fn stands_at(s: &[Char], t: &[Char], at: usize) -> bool {
    s.get(at..).is_some_and(|rest| rest.starts_with(t))
}

/// A position, or -1.
fn position_or_none(found: Option<usize>) -> Int {
    found.map_or(Int::MINUS_ONE, Int::from)
}

/// The largest position up to `length` that is at most `from`; `None` for a negative one.
fn at_most(from: &Int, length: usize) -> Option<usize> {
    (!from.is_negative()).then(|| from.position(length).unwrap_or(length))
}

/// `s.charAt(i)`.
pub fn char_at(s: &[Char], i: &Int) -> Option<Int> {
    i.position(s.len()).and_then(|i| s.get(i)).map(|c| Int::from(c.0))
}

/// `s.codePointAt(i)`.
pub fn code_point_at(s: &[Char], i: &Int) -> Option<Int> {
    let i = i.position(s.len())?;
    let code = match s.get(i..)? {
        [Char(high @ 0xD800..=0xDBFF), Char(low @ 0xDC00..=0xDFFF), ..] => {
            0x1_0000 + (((high & 0x3FF) << 10) | (low & 0x3FF))
        }
        [first, ..] => first.0,
        [] => return None,
    };
    Some(Int::from(code))
}

/// `s.compareTo(t)`.
pub fn compare_to(s: &[Char], t: &[Char]) -> Int {
    match s.iter().zip(t).find(|(a, b)| a != b) {
        Some((a, b)) => Int::from(a.0).sub(&Int::from(b.0)),
        None => Int::from(s.len()).sub(&Int::from(t.len())),
    }
}

/// Whether every character is one of ASCII.
fn is_ascii(s: &[Char]) -> bool {
    s.iter().all(|c| c.0 < 0x80)
}

/// `s.toLowerCase()`.
pub fn to_lower_case(s: &[Char]) -> Option<Vec<Char>> {
    let lower = |c: &Char| if (0x41..=0x5A).contains(&c.0) { Char(c.0 + 0x20) } else { *c };
    is_ascii(s).then(|| s.iter().map(lower).collect())
}

/// `s.toUpperCase()`.
pub fn to_upper_case(s: &[Char]) -> Option<Vec<Char>> {
    let upper = |c: &Char| if (0x61..=0x7A).contains(&c.0) { Char(c.0 - 0x20) } else { *c };
    is_ascii(s).then(|| s.iter().map(upper).collect())
}

/// `s.equalsIgnoreCase(t)`.
pub fn equals_ignore_case(s: &[Char], t: &[Char]) -> Option<bool> {
    Some(to_lower_case(s)? == to_lower_case(t)?)
}

/// `s.indexOf(t, from)`: a start before the string is its beginning, one behind it its end.
pub fn index_of(s: &[Char], t: &[Char], from: &Int) -> Int {
    let from = at_most(from, s.len()).unwrap_or(0);
    position_or_none((from..=s.len()).find(|&at| stands_at(s, t, at)))
}

/// `s.lastIndexOf(t, from)`.
pub fn last_index_of(s: &[Char], t: &[Char], from: &Int) -> Int {
    let from = at_most(from, s.len());
    position_or_none(from.and_then(|from| (0..=from).rev().find(|&at| stands_at(s, t, at))))
}

/// The character of a code, where the alphabet has it.
fn character(code: &Int, alphabet: Alphabet) -> Option<Char> {
    code.small().and_then(|code| u32::try_from(code).ok()).map(Char).filter(|c| alphabet.contains(*c))
}

/// The word of a code: its character or, where characters are the units of UTF-16, the two surrogates of a
/// code above U+FFFF. `None` where the alphabet has no such word, and for what is no code.
fn word_of(code: &Int, alphabet: Alphabet) -> Option<Vec<Char>> {
    if let Some(character) = character(code, alphabet) {
        return Some(vec![character]);
    }
    let above =
        code.small().and_then(|code| u32::try_from(code).ok()).and_then(|c| c.checked_sub(0x1_0000))?;
    let pair = vec![Char(0xD800 + (above >> 10)), Char(0xDC00 + (above & 0x3FF))];
    (alphabet == Alphabet::Utf16 && above < 0x10_0000).then_some(pair)
}

/// `s.indexOf(code, from)`.
pub fn index_of_char(s: &[Char], code: &Int, from: &Int, alphabet: Alphabet) -> Int {
    word_of(code, alphabet).map_or(Int::MINUS_ONE, |wanted| index_of(s, &wanted, from))
}

/// `s.lastIndexOf(code, from)`.
pub fn last_index_of_char(s: &[Char], code: &Int, from: &Int, alphabet: Alphabet) -> Int {
    word_of(code, alphabet).map_or(Int::MINUS_ONE, |wanted| last_index_of(s, &wanted, from))
}

/// `Integer.parseInt(s)`, of digits of ASCII.
pub fn parse_int(s: &[Char]) -> Option<Int> {
    let (negative, digits) = match s {
        [Char(0x2D), digits @ ..] => (true, digits),
        [Char(0x2B), digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let value = Int::of_digits(digits.iter().map(|c| c.0))?;
    let value = if negative { value.neg() } else { value };
    let int = Int::from(i64::from(i32::MIN))..=Int::from(i64::from(i32::MAX));
    int.contains(&value).then_some(value)
}

/// `s.regionMatches(ignoring, from, t, other, length)`.
pub fn region_matches(
    (s, from): (&[Char], &Int),
    (t, other): (&[Char], &Int),
    length: &Int,
    ignoring: bool,
) -> Option<bool> {
    if ignoring && !(is_ascii(s) && is_ascii(t)) {
        return None;
    }
    let inside =
        |word: &[Char], from: &Int| !from.is_negative() && *from <= Int::from(word.len()).sub(length);
    if !inside(s, from) || !inside(t, other) {
        return Some(false);
    }
    // Of a negative length nothing is compared.
    let Some(length) = length.position(s.len()) else { return Some(true) };
    let (from, other) = (from.position(s.len())?, other.position(t.len())?);
    let (s, t) = (s.get(from..from + length)?, t.get(other..other + length)?);
    if ignoring { equals_ignore_case(s, t) } else { Some(s == t) }
}

/// `s.repeat(n)`. Stops when the result has more than `most` characters.
pub fn repeat(s: &[Char], n: &Int, most: usize) -> Option<Vec<Char>> {
    let n = n.small().and_then(|n| usize::try_from(n).ok())?;
    let length = s.len().saturating_mul(n).min(most.saturating_add(1));
    Some(s.iter().copied().cycle().take(length).collect())
}

/// `s.replace(t, by)` for a `t` that is not empty. Stops soon after the result has more than `most`
/// characters.
pub fn replace(s: &[Char], t: &[Char], by: &[Char], most: usize) -> Option<Vec<Char>> {
    if t.is_empty() {
        return None;
    }
    let (mut out, mut at) = (Vec::new(), 0);
    while at < s.len() && out.len() <= most {
        if stands_at(s, t, at) {
            out.extend_from_slice(by);
            at += t.len();
        } else {
            out.push(s[at]);
            at += 1;
        }
    }
    Some(out)
}

/// `s.replace(old, new)` of characters.
pub fn replace_char(s: &[Char], old: &Int, new: &Int, alphabet: Alphabet) -> Option<Vec<Char>> {
    let (old, new) = (character(old, alphabet)?, character(new, alphabet)?);
    Some(s.iter().map(|&c| if c == old { new } else { c }).collect())
}

/// `s.startsWith(t, from)`.
pub fn starts_with(s: &[Char], t: &[Char], from: &Int) -> bool {
    from.position(s.len()).is_some_and(|from| stands_at(s, t, from))
}

/// `s.substring(from, to)`: where it begins and ends.
pub fn substring(s: &[Char], from: &Int, to: &Int) -> Option<std::ops::Range<usize>> {
    let (from, to) = (from.position(s.len())?, to.position(s.len())?);
    (from <= to).then_some(from..to)
}

/// Whether `Character.isWhitespace` holds: a tab, line feed, vertical tab, form feed or carriage return, one
/// of the four separators of ASCII, or one that Unicode calls a separator and lets break a line.
const fn is_whitespace(c: Char) -> bool {
    let separates =
        matches!(c.0, 0x20 | 0xA0 | 0x1680 | 0x2000..=0x200A | 0x2028 | 0x2029 | 0x202F | 0x205F | 0x3000);
    let keeps_lines = matches!(c.0, 0xA0 | 0x2007 | 0x202F);
    matches!(c.0, 0x09..=0x0D | 0x1C..=0x1F) || separates && !keeps_lines
}

/// `s.strip()`: where it begins and ends.
pub fn strip(s: &[Char]) -> std::ops::Range<usize> {
    between(s, |c| !is_whitespace(*c))
}

/// `s.trim()`: where it begins and ends.
pub fn trim(s: &[Char]) -> std::ops::Range<usize> {
    between(s, |c| c.0 > 0x20)
}

/// From the first to the last character for which `dark` holds.
fn between(s: &[Char], dark: impl Fn(&Char) -> bool) -> std::ops::Range<usize> {
    match (s.iter().position(&dark), s.iter().rposition(&dark)) {
        (Some(first), Some(last)) => first..last + 1,
        _ => 0..0,
    }
}

/// `String.valueOf(i)`.
pub fn value_of(i: &Int) -> Vec<Char> {
    i.to_string().bytes().map(Char::from).collect()
}

/// Quotient, rounded towards zero, and remainder, of the dividend's sign.
fn divided(a: &Int, b: &Int) -> Option<(Int, Int)> {
    let quotient = a.abs().div(&b.abs())?;
    let quotient = if a.is_negative() == b.is_negative() { quotient } else { quotient.neg() };
    let remainder = a.sub(&quotient.mul(b));
    Some((quotient, remainder))
}

/// `a / b`.
pub fn divide(a: &Int, b: &Int) -> Option<Int> {
    divided(a, b).map(|(quotient, _)| quotient)
}

/// `a % b`.
pub fn remainder(a: &Int, b: &Int) -> Option<Int> {
    divided(a, b).map(|(_, remainder)| remainder)
}

/// `Math.floorDiv(a, b)`.
pub fn floor_div(a: &Int, b: &Int) -> Option<Int> {
    let (quotient, remainder) = divided(a, b)?;
    let rounded_up = remainder != Int::ZERO && a.is_negative() != b.is_negative();
    Some(if rounded_up { quotient.add(&Int::MINUS_ONE) } else { quotient })
}

/// `Math.floorMod(a, b)`.
pub fn floor_mod(a: &Int, b: &Int) -> Option<Int> {
    Some(a.sub(&floor_div(a, b)?.mul(b)))
}

/// Ten to the power of a scale.
fn power_of_ten(scale: usize) -> Int {
    (0..scale).fold(Int::from(1_i64), |power, _| power.mul(&Int::from(10_i64)))
}

/// `u.setScale(to, mode)` of a decimal of scale `from`, by comparing the distances to its two neighbours.
pub fn set_scale(u: &Int, from: usize, to: usize, mode: RoundingMode) -> Option<Int> {
    if to >= from {
        return Some(u.mul(&power_of_ten(to - from)));
    }
    let unit = power_of_ten(from - to);
    let below = floor_div(u, &unit)?;
    let to_below = u.sub(&below.mul(&unit));
    if to_below == Int::ZERO {
        return Some(below);
    }
    let above = below.add(&Int::from(1_i64));
    let to_above = unit.sub(&to_below);
    let (outward, inward) = if u.is_negative() { (&below, &above) } else { (&above, &below) };
    let nearest = |tie| match to_below.cmp(&to_above) {
        Ordering::Less => &below,
        Ordering::Greater => &above,
        Ordering::Equal => tie,
    };
    let is_even = |i: &Int| remainder(i, &Int::from(2_i64)) == Some(Int::ZERO);
    let rounded = match mode {
        RoundingMode::Up => outward,
        RoundingMode::Down => inward,
        RoundingMode::Ceiling => &above,
        RoundingMode::Floor => &below,
        RoundingMode::HalfUp => nearest(outward),
        RoundingMode::HalfDown => nearest(inward),
        RoundingMode::HalfEven => nearest(if is_even(&below) { &below } else { &above }),
        RoundingMode::HalfCeiling => nearest(&above),
        RoundingMode::Unnecessary => return None,
    };
    Some(rounded.clone())
}

/// `new BigDecimal(text)` at a scale that it fits.
pub fn decimal(text: &[Char], scale: usize) -> Option<Int> {
    let (negative, text) = match text {
        [Char(0x2D), rest @ ..] => (true, rest),
        [Char(0x2B), rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let point = text.iter().position(|c| c.0 == 0x2E).unwrap_or(text.len());
    let whole = Int::of_digits(text[..point].iter().map(|c| c.0))?;
    let mut value = whole.mul(&power_of_ten(scale));
    for (place, digit) in text.get(point + 1..).unwrap_or(&[]).iter().enumerate() {
        let digit = Int::from(digit.0.checked_sub(0x30).filter(|digit| *digit < 10)?);
        match scale.checked_sub(place + 1) {
            Some(left) => value = value.add(&digit.mul(&power_of_ten(left))),
            None if digit == Int::ZERO => {}
            None => return None,
        }
    }
    Some(if negative { value.neg() } else { value })
}

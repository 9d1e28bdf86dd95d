//! Java's operations that are short terms in SMT-LIB's functions.
//!
//! Each is right where the operation is defined ([`super::defined`]); elsewhere it has some value.

use harness_model::int::Int;
use harness_model::{Alphabet, Char, SmtString};

use super::definition::Maker;
use crate::op::{ArithOp, CoreOp, JavaOp, StrOp, java};
use crate::rounding::{self, RoundingMode};
use crate::term::{Term, TermId, Terms};

/// `s.charAt(i)`.
pub fn char_at(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    let character = m.app(StrOp::At, &[a[0], a[1]]);
    m.app(StrOp::ToCode, &[character])
}

/// `s.codePointAt(i)`: a high surrogate before a low one is ten bits of a code above U+FFFF, and the low one
/// is the other ten.
pub fn code_point_at(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    let one = m.terms.int(1_i64);
    let next = m.app(ArithOp::Add, &[a[1], one]);
    let (high, low) = (char_at(m, a), char_at(m, &[a[0], next]));
    let mut within = |least: i64, code: TermId, most: i64| {
        let (least, most) = (m.terms.int(least), m.terms.int(most));
        m.app(ArithOp::Le, &[least, code, most])
    };
    let is_pair = [within(0xD800, high, 0xDBFF), within(0xDC00, low, 0xDFFF)];
    let is_pair = m.app(CoreOp::And, &is_pair);
    let (factor, rest) = (m.terms.int(0x400_i64), m.terms.int(0x1_0000_i64 - 0xD800 * 0x400 - 0xDC00));
    let bits = m.app(ArithOp::Mul, &[factor, high]);
    let pair = m.app(ArithOp::Add, &[bits, low, rest]);
    m.app(CoreOp::Ite, &[is_pair, pair, high])
}

/// `s.concat(t)`.
pub fn concat(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    m.app(StrOp::Concat, a)
}

/// `s.contains(t)`.
pub fn contains(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    m.app(StrOp::Contains, a)
}

/// `s.endsWith(t)`.
pub fn ends_with(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    m.app(StrOp::SuffixOf, &[a[1], a[0]])
}

/// `s.equals(t)`.
pub fn equals(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    m.app(CoreOp::Eq, a)
}

/// `s.equalsIgnoreCase(t)`.
pub fn equals_ignore_case(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    let (s, t) = (m.app(JavaOp::ToLowerCase, &[a[0]]), m.app(JavaOp::ToLowerCase, &[a[1]]));
    m.app(CoreOp::Eq, &[s, t])
}

/// `s.indexOf(t)` and `s.indexOf(t, from)`.
pub fn index_of(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    let (s, t) = (a[0], a[1]);
    let zero = m.terms.int(0_i64);
    let Some(&from) = a.get(2) else { return m.app(StrOp::IndexOf, &[s, t, zero]) };
    let negative = m.app(ArithOp::Lt, &[from, zero]);
    let start = m.app(CoreOp::Ite, &[negative, zero, from]);
    let found = m.app(StrOp::IndexOf, &[s, t, start]);
    // The empty string is found at the end when the start is beyond it; SMT-LIB says -1 there.
    let (length, empty) = (m.app(StrOp::Len, &[s]), m.terms.string(SmtString::empty()));
    let is_empty = m.app(CoreOp::Eq, &[t, empty]);
    let beyond = m.app(ArithOp::Gt, &[start, length]);
    let both = m.app(CoreOp::And, &[is_empty, beyond]);
    m.app(CoreOp::Ite, &[both, length, found])
}

/// The one-character string of a code, and whether the code is that of a character.
pub fn character(m: &mut Maker<'_>, code: TermId) -> (TermId, TermId) {
    let s = m.app(StrOp::FromCode, &[code]);
    let (length, one) = (m.app(StrOp::Len, &[s]), m.terms.int(1_i64));
    (s, m.app(CoreOp::Eq, &[length, one]))
}

/// `s.indexOf(code)` and `s.indexOf(code, from)`.
pub fn index_of_char(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    position_of_code(m, a[1], |m, t| index_of(m, &[&[a[0], t], &a[2..]].concat()))
}

/// `s.lastIndexOf(code)` and `s.lastIndexOf(code, from)`.
pub fn last_index_of_char(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    position_of_code(m, a[1], |m, t| {
        let from = a.get(2).copied().unwrap_or_else(|| m.app(StrOp::Len, &[a[0]]));
        m.app(JavaOp::LastIndexOf, &[a[0], t, from])
    })
}

/// Where `find` finds the word of a code: its character or, where the alphabet is that of UTF-16, the two
/// surrogates of a code above U+FFFF. -1 for what is no code.
fn position_of_code(
    m: &mut Maker<'_>,
    code: TermId,
    find: impl Fn(&mut Maker<'_>, TermId) -> TermId,
) -> TermId {
    let literal = match m.terms.get(code) {
        Term::Int(code) => Some(code.clone()),
        Term::Var(_) | Term::Bool(_) | Term::String(_) | Term::App(..) => None,
    };
    if m.alphabet == Alphabet::Utf16
        && let Some([high, low]) = literal.as_ref().and_then(surrogates)
    {
        let pair = m.terms.string(vec![high, low]);
        return find(m, pair);
    }
    let (t, is_char) = character(m, code);
    let (found, none) = (find(m, t), m.terms.int(-1_i64));
    let of_character = m.app(CoreOp::Ite, &[is_char, found, none]);
    if m.alphabet != Alphabet::Utf16 || literal.is_some() {
        return of_character;
    }
    // First of all: to other solvers, which the lowered script is for, such a code is one character.
    let (least, most) = (m.terms.int(0x1_0000_i64), m.terms.int(0x10_FFFF_i64));
    let is_pair = m.app(ArithOp::Le, &[least, code, most]);
    let (bits, radix) = (m.app(ArithOp::Sub, &[code, least]), m.terms.int(0x400_i64));
    let mut surrogate = |op: ArithOp, first: i64| {
        let (part, first) = (m.app(op, &[bits, radix]), m.terms.int(first));
        let unit = m.app(ArithOp::Add, &[first, part]);
        m.app(StrOp::FromCode, &[unit])
    };
    let (high, low) = (surrogate(ArithOp::Div, 0xD800), surrogate(ArithOp::Mod, 0xDC00));
    let pair = m.app(StrOp::Concat, &[high, low]);
    let found = find(m, pair);
    m.app(CoreOp::Ite, &[is_pair, found, of_character])
}

/// The two units of UTF-16 that a code above U+FFFF is.
fn surrogates(code: &Int) -> Option<[Char; 2]> {
    let code = code.small().and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32)?;
    let mut units = [0; 2];
    match *code.encode_utf16(&mut units) {
        [high, low] => Some([Char(high.into()), Char(low.into())]),
        _ => None,
    }
}

/// `s.isEmpty()`.
pub fn is_empty(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    let empty = m.terms.string(SmtString::empty());
    m.app(CoreOp::Eq, &[a[0], empty])
}

/// `s.length()`.
pub fn length(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    m.app(StrOp::Len, a)
}

/// Whether `regionMatches` has a last argument that says so.
pub fn ignores_case(terms: &Terms, a: &[TermId]) -> bool {
    a.get(5).is_some_and(|&ignoring| matches!(terms.get(ignoring), Term::Bool(true)))
}

/// `s.regionMatches(from, t, other, length)`: both parts lie in their words and are equal. Parts of a
/// negative length are empty and may begin behind the end. A conjunction would do, but its opposite has an
/// equation of strings under `or`, for which string graphs have no place; as a condition it has one either
/// way.
pub fn region_matches(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    let (zero, length) = (m.terms.int(0_i64), a[4]);
    let mut all = Vec::new();
    let mut part = |m: &mut Maker<'_>, s: TermId, from: TermId| {
        let (end, whole) = (m.app(ArithOp::Add, &[from, length]), m.app(StrOp::Len, &[s]));
        all.extend([m.app(ArithOp::Le, &[zero, from]), m.app(ArithOp::Le, &[end, whole])]);
        let part = m.app(StrOp::Substr, &[s, from, length]);
        if ignores_case(m.terms, a) { m.app(JavaOp::ToLowerCase, &[part]) } else { part }
    };
    let (x, y) = (part(m, a[0], a[1]), part(m, a[2], a[3]));
    all.push(m.app(CoreOp::Eq, &[x, y]));
    let (all, yes, no) = (m.app(CoreOp::And, &all), m.terms.bool(true), m.terms.bool(false));
    m.app(CoreOp::Ite, &[all, yes, no])
}

/// `s.repeat(n)`, of words that are each the one before it twice.
#[expect(clippy::expect_used, reason = "literals are checked when a term is made")]
pub fn repeat(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    let mut left = java::count(m.terms, a[1]).expect("the count is a literal");
    let (mut doubled, mut made) = (a[0], None);
    while left > 0 {
        if left % 2 == 1 {
            made = Some(made.map_or(doubled, |made| m.app(StrOp::Concat, &[doubled, made])));
        }
        left /= 2;
        if left > 0 {
            doubled = m.app(StrOp::Concat, &[doubled, doubled]);
        }
    }
    made.unwrap_or_else(|| m.terms.string(SmtString::empty()))
}

/// `s.replace(t, by)`.
pub fn replace(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    m.app(StrOp::ReplaceAll, a)
}

/// `s.replace(old, new)` of characters.
pub fn replace_char(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    let (old, new) = (m.app(StrOp::FromCode, &[a[1]]), m.app(StrOp::FromCode, &[a[2]]));
    m.app(StrOp::ReplaceAll, &[a[0], old, new])
}

/// `s.startsWith(t)` and `s.startsWith(t, from)`.
pub fn starts_with(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    let (s, t) = (a[0], a[1]);
    let Some(&from) = a.get(2) else { return m.app(StrOp::PrefixOf, &[t, s]) };
    let zero = m.terms.int(0_i64);
    let (length, wanted) = (m.app(StrOp::Len, &[s]), m.app(StrOp::Len, &[t]));
    let inside = m.app(ArithOp::Le, &[zero, from, length]);
    let part = m.app(StrOp::Substr, &[s, from, wanted]);
    let equal = m.app(CoreOp::Eq, &[part, t]);
    m.app(CoreOp::And, &[inside, equal])
}

/// `s.substring(from)` and `s.substring(from, to)`.
pub fn substring(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    let (s, from) = (a[0], a[1]);
    let to = a.get(2).copied().unwrap_or_else(|| m.app(StrOp::Len, &[s]));
    let count = m.app(ArithOp::Sub, &[to, from]);
    m.app(StrOp::Substr, &[s, from, count])
}

/// `String.valueOf(i)`.
pub fn value_of(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    let i = a[0];
    let zero = m.terms.int(0_i64);
    let (minus, opposite) = (m.terms.string("-"), m.app(ArithOp::Neg, &[i]));
    let digits = m.app(StrOp::FromInt, &[opposite]);
    let (negative, text) = (m.app(StrOp::Concat, &[minus, digits]), m.app(StrOp::FromInt, &[i]));
    let below = m.app(ArithOp::Lt, &[i, zero]);
    m.app(CoreOp::Ite, &[below, negative, text])
}

/// `Integer.parseInt(s)`.
pub fn parse_int(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    let s = a[0];
    let one = m.terms.int(1_i64);
    let (plus, minus) = (m.terms.string("+"), m.terms.string("-"));
    let length = m.app(StrOp::Len, &[s]);
    let rest_length = m.app(ArithOp::Sub, &[length, one]);
    let rest = m.app(StrOp::Substr, &[s, one, rest_length]);
    let (whole, rest) = (m.app(StrOp::ToInt, &[s]), m.app(StrOp::ToInt, &[rest]));
    let opposite = m.app(ArithOp::Neg, &[rest]);
    let (is_plus, is_minus) = (m.app(StrOp::PrefixOf, &[plus, s]), m.app(StrOp::PrefixOf, &[minus, s]));
    let unsigned = m.app(CoreOp::Ite, &[is_plus, rest, whole]);
    m.app(CoreOp::Ite, &[is_minus, opposite, unsigned])
}

/// `a / b`.
pub fn divide(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    toward_zero(m, ArithOp::Div, a)
}

/// `a % b`.
pub fn remainder(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    toward_zero(m, ArithOp::Mod, a)
}

/// `Math.floorDiv(a, b)`.
pub fn floor_div(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    downwards(m, ArithOp::Div, a)
}

/// `Math.floorMod(a, b)`.
pub fn floor_mod(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    downwards(m, ArithOp::Mod, a)
}

/// A division that rounds towards zero. SMT-LIB's leaves a remainder that is not negative: it rounds towards
/// zero for a dividend that is not negative.
fn toward_zero(m: &mut Maker<'_>, op: ArithOp, arguments: &[TermId]) -> TermId {
    let (a, b) = (arguments[0], arguments[1]);
    let zero = m.terms.int(0_i64);
    let opposite = m.app(ArithOp::Neg, &[a]);
    let (straight, mirrored) = (m.app(op, &[a, b]), m.app(op, &[opposite, b]));
    let mirrored = m.app(ArithOp::Neg, &[mirrored]);
    let positive = m.app(ArithOp::Le, &[zero, a]);
    m.app(CoreOp::Ite, &[positive, straight, mirrored])
}

/// A division that rounds down, as SMT-LIB's does for a positive divisor.
fn downwards(m: &mut Maker<'_>, op: ArithOp, arguments: &[TermId]) -> TermId {
    let (a, b) = (arguments[0], arguments[1]);
    let zero = m.terms.int(0_i64);
    let literal = match m.terms.get(b) {
        Term::Int(i) if *i != Int::ZERO => Some(i.clone()),
        Term::Int(_) | Term::Var(_) | Term::Bool(_) | Term::String(_) | Term::App(..) => None,
    };
    let opposite = m.app(ArithOp::Neg, &[a]);
    let straight = m.app(op, &[a, b]);
    if literal.as_ref().is_some_and(|b| !b.is_negative()) {
        return straight;
    }
    // a / b is (-a) / (-b), whose divisor is positive when b is negative.
    let divisor = m.app(ArithOp::Neg, &[b]);
    let divisor = literal.as_ref().map_or(divisor, |b| m.terms.int(b.neg()));
    let mut mirrored = m.app(op, &[opposite, divisor]);
    if op == ArithOp::Mod {
        mirrored = m.app(ArithOp::Neg, &[mirrored]);
    }
    if literal.is_some() {
        return mirrored;
    }
    let positive = m.app(ArithOp::Lt, &[zero, b]);
    m.app(CoreOp::Ite, &[positive, straight, mirrored])
}

/// `new BigDecimal(text)` at a scale.
#[expect(clippy::expect_used, reason = "literals are checked when a term is made")]
pub fn decimal(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    let literal = java::string(m.terms, a[0], "the decimal").expect("a decimal is a literal");
    let value = rounding::decimal(&literal, scale(m, a[1])).expect("a decimal fits its scale");
    m.terms.int(value)
}

/// `u.setScale(to, mode)`.
#[expect(clippy::expect_used, reason = "literals are checked when a term is made")]
pub fn set_scale(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    let mode = java::mode(m.terms, a[3]).expect("a rounding mode is a literal");
    let (from, to) = (scale(m, a[1]), scale(m, a[2]));
    rounding::rescale(m, a[0], from, to, mode)
}

/// `Math.ceil`.
pub fn ceil(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    to_integer(m, a, RoundingMode::Ceiling)
}

/// `Math.floor`.
pub fn floor(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    to_integer(m, a, RoundingMode::Floor)
}

/// `Math.round`.
pub fn round(m: &mut Maker<'_>, a: &[TermId]) -> TermId {
    to_integer(m, a, RoundingMode::HalfCeiling)
}

fn to_integer(m: &mut Maker<'_>, a: &[TermId], mode: RoundingMode) -> TermId {
    let from = scale(m, a[1]);
    rounding::rescale(m, a[0], from, 0, mode)
}

#[expect(clippy::expect_used, reason = "literals are checked when a term is made")]
fn scale(m: &Maker<'_>, argument: TermId) -> u32 {
    java::scale(m.terms, argument).expect("a scale is a literal")
}

//! When Java's operations are defined: conditions on their arguments, as terms.

use harness_model::Char;
use harness_model::int::Int;

use super::text;
use crate::lower::definition::Maker;
use crate::op::{ArithOp, CoreOp, ReOp, StrOp, java};
use crate::rounding::{self, RoundingMode};
use crate::term::{Term, TermId};

/// `charAt(s, i)` and `codePointAt(s, i)`: `i` is the position of a character.
pub fn char_at(m: &mut Maker<'_>, arguments: &[TermId]) -> Vec<TermId> {
    let [s, i] = two(arguments);
    let zero = m.terms.int(0_i64);
    let length = m.app(StrOp::Len, &[s]);
    vec![m.app(ArithOp::Le, &[zero, i]), m.app(ArithOp::Lt, &[i, length])]
}

/// Every argument is a word of ASCII.
pub fn ascii(m: &mut Maker<'_>, arguments: &[TermId]) -> Vec<TermId> {
    let mut condition = |&s: &TermId| {
        let (low, high) = (m.terms.string(vec![Char(0)]), m.terms.string(vec![Char(0x7F)]));
        let range = m.app(ReOp::Range, &[low, high]);
        let all = m.app(ReOp::Star, &[range]);
        m.app(StrOp::InRe, &[s, all])
    };
    arguments.iter().map(&mut condition).collect()
}

/// A division: the divisor is not zero. There is no condition on a literal that is not.
pub fn divisor(m: &mut Maker<'_>, arguments: &[TermId]) -> Vec<TermId> {
    let [_, b] = two(arguments);
    let zero = m.terms.int(0_i64);
    if matches!(m.terms.get(b), Term::Int(i) if *i != Int::ZERO) {
        return Vec::new();
    }
    let is_zero = m.app(CoreOp::Eq, &[b, zero]);
    vec![m.app(CoreOp::Not, &[is_zero])]
}

/// `parseInt(s)`: the format, and the range of `int`.
pub fn parse_int(m: &mut Maker<'_>, arguments: &[TermId]) -> Vec<TermId> {
    let s = arguments[0];
    m.terms.int(1_i64);
    let (nine, zero_digit) = (m.terms.string("9"), m.terms.string("0"));
    let digit = m.app(ReOp::Range, &[zero_digit, nine]);
    let digits = m.app(ReOp::Plus, &[digit]);
    let (plus, minus) = (m.terms.string("+"), m.terms.string("-"));
    let (plus, minus) = (m.app(ReOp::ToRe, &[plus]), m.app(ReOp::ToRe, &[minus]));
    let sign = m.app(ReOp::Union, &[plus, minus]);
    let sign = m.app(ReOp::Opt, &[sign]);
    let format = m.app(ReOp::Concat, &[sign, digits]);
    let has_format = m.app(StrOp::InRe, &[s, format]);
    let value = text::parse_int(m, arguments);
    let (least, most) = (m.terms.int(i64::from(i32::MIN)), m.terms.int(i64::from(i32::MAX)));
    vec![has_format, m.app(ArithOp::Le, &[least, value, most])]
}

/// `regionMatches(s, from, t, other, length, ignoring)`: words of ASCII where case is ignored.
pub fn region(m: &mut Maker<'_>, arguments: &[TermId]) -> Vec<TermId> {
    if text::ignores_case(m.terms, arguments) { ascii(m, &[arguments[0], arguments[2]]) } else { Vec::new() }
}

/// `replace(s, t, by)`: `t` is not empty.
pub fn not_empty(m: &mut Maker<'_>, arguments: &[TermId]) -> Vec<TermId> {
    let t = arguments[1];
    let empty = m.terms.string("");
    let is_empty = m.app(CoreOp::Eq, &[t, empty]);
    vec![m.app(CoreOp::Not, &[is_empty])]
}

/// `replaceChar(s, old, new)`: both are codes of characters.
pub fn characters(m: &mut Maker<'_>, arguments: &[TermId]) -> Vec<TermId> {
    let (_, old) = text::character(m, arguments[1]);
    let (_, new) = text::character(m, arguments[2]);
    vec![old, new]
}

/// `substring(s, from)` and `substring(s, from, to)`: positions in order.
pub fn part(m: &mut Maker<'_>, arguments: &[TermId]) -> Vec<TermId> {
    let zero = m.terms.int(0_i64);
    let length = m.app(StrOp::Len, &[arguments[0]]);
    let positions = [&[zero], &arguments[1..], &[length]].concat();
    vec![m.app(ArithOp::Le, &positions)]
}

/// `setScale`: nothing is lost where nothing may be.
#[expect(clippy::expect_used, reason = "literals are checked when a term is made")]
pub fn set_scale(m: &mut Maker<'_>, arguments: &[TermId]) -> Vec<TermId> {
    let scale = |place: usize| java::scale(m.terms, arguments[place]).expect("a scale is a literal");
    let (from, to) = (scale(1), scale(2));
    let mode = java::mode(m.terms, arguments[3]).expect("a rounding mode is a literal");
    match from.checked_sub(to) {
        Some(places) if places > 0 && mode == RoundingMode::Unnecessary => {
            let zero = m.terms.int(0_i64);
            let divisor = m.terms.int(rounding::power_of_ten(places));
            let rest = m.app(ArithOp::Mod, &[arguments[0], divisor]);
            vec![m.app(CoreOp::Eq, &[rest, zero])]
        }
        Some(_) | None => Vec::new(),
    }
}

/// The arguments of an operation that takes two.
#[expect(clippy::expect_used, reason = "arguments are counted when a term is made")]
fn two(arguments: &[TermId]) -> [TermId; 2] {
    arguments.try_into().expect("the operation takes two arguments")
}

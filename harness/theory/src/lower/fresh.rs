//! The primitives ([`super::primitive`]), which need fresh variables, or a long term, in SMT-LIB's functions.
//!
//! Every primitive is total, so for each value of its arguments there is exactly one value of its
//! fresh result (and at least one of the helpers that describe it): a problem in which it is replaced is
//! satisfiable exactly when it was, with the same values for its own variables.
//!
//! In a task over a smaller alphabet than `unicode` only the variables of the problem are restricted to it:
//! what is computed may have characters of a literal that the alphabet does not have.

use harness_model::Char;

use super::definition::FreshMaker;
use crate::op::{ArithOp, CoreOp, ReOp, StrOp};
use crate::sort::Sort;
use crate::term::TermId;

fn smaller(m: &mut FreshMaker<'_>, a: TermId, b: TermId) -> TermId {
    let less = m.app(ArithOp::Le, &[a, b]);
    m.app(CoreOp::Ite, &[less, a, b])
}

/// k is the last place: with `high` the smaller of `from` and |s|-|t|, either `high` is negative and k is -1,
/// or t occurs at k and nowhere after it up to `high`, or it does not occur up to `high` and k is -1.
pub(super) fn last_index_of(m: &mut FreshMaker<'_>, a: &[TermId]) -> TermId {
    let (s, t, from) = (a[0], a[1], a[2]);
    let k = m.fresh(Sort::Int);
    let (zero, one, minus_one) =
        (m.maker.terms.int(0_i64), m.maker.terms.int(1_i64), m.maker.terms.int(-1_i64));
    let (s_length, t_length) = (m.app(StrOp::Len, &[s]), m.app(StrOp::Len, &[t]));
    let last = m.app(ArithOp::Sub, &[s_length, t_length]);
    let high = smaller(m, from, last);
    // The part of s in which a start up to `high` lies: `high + |t|` characters.
    let reach = m.app(ArithOp::Add, &[high, t_length]);
    let part = m.app(StrOp::Substr, &[s, zero, reach]);
    let is_none = m.app(CoreOp::Eq, &[k, minus_one]);
    let negative = m.app(ArithOp::Lt, &[high, zero]);
    let occurs = m.app(StrOp::Contains, &[part, t]);
    let absent = m.app(CoreOp::Not, &[occurs]);
    let nowhere = m.app(CoreOp::Or, &[negative, absent]);
    let none = m.app(CoreOp::And, &[is_none, nowhere]);

    let inside = m.app(ArithOp::Le, &[zero, k, high]);
    let here = m.app(StrOp::Substr, &[s, k, t_length]);
    let matches = m.app(CoreOp::Eq, &[here, t]);
    let after = m.app(ArithOp::Add, &[k, one]);
    let rest_length = m.app(ArithOp::Sub, &[reach, after]);
    let rest = m.app(StrOp::Substr, &[s, after, rest_length]);
    let again = m.app(StrOp::Contains, &[rest, t]);
    let never_again = m.app(CoreOp::Not, &[again]);
    // The empty string is at every place, so the last one is `high` itself.
    let is_high = m.app(CoreOp::Eq, &[k, high]);
    let last_one = m.app(CoreOp::Or, &[is_high, never_again]);
    let found = m.app(CoreOp::And, &[inside, matches, last_one]);
    let either = m.app(CoreOp::Or, &[none, found]);
    m.constraints.push(either);
    k
}

/// The characters in these ranges.
fn class(m: &mut FreshMaker<'_>, ranges: &[(u32, u32)]) -> TermId {
    let mut range = |&(low, high): &(u32, u32)| {
        let (low, high) = (m.maker.terms.string(vec![Char(low)]), m.maker.terms.string(vec![Char(high)]));
        m.app(ReOp::Range, &[low, high])
    };
    let all: Vec<TermId> = ranges.iter().map(&mut range).collect();
    match all.as_slice() {
        [] => m.app(ReOp::None, &[]),
        [one] => *one,
        many => m.app(ReOp::Union, many),
    }
}

/// The ranges between these and around them.
fn others(ranges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let lows = std::iter::once(0).chain(ranges.iter().map(|(_, high)| high + 1));
    let highs = ranges.iter().map(|(low, _)| *low).chain([Char::MAX.0 + 1]);
    lows.zip(highs).filter(|(low, next)| low < next).map(|(low, next)| (low, next - 1)).collect()
}

/// s = front t back, front and back of characters in the ranges only, t empty or with other characters at
/// both ends.
pub(super) fn trim(m: &mut FreshMaker<'_>, s: TermId, ranges: &[(u32, u32)]) -> TermId {
    let (front, t, back) = (m.fresh(Sort::String), m.fresh(Sort::String), m.fresh(Sort::String));
    let whole = m.app(StrOp::Concat, &[front, t, back]);
    let equal = m.app(CoreOp::Eq, &[s, whole]);
    let space = class(m, ranges);
    let spaces = m.app(ReOp::Star, &[space]);
    let (left, right) = (m.app(StrOp::InRe, &[front, spaces]), m.app(StrOp::InRe, &[back, spaces]));
    // Not in terms of `re.allchar` or `re.all`: over a smaller alphabet these do not have the characters of
    // literals that are not of it, which may be part of s.
    let none = m.app(ReOp::None, &[]);
    let all = m.app(ReOp::Comp, &[none]);
    let dark = class(m, &others(ranges));
    let longer = m.app(ReOp::Concat, &[dark, all, dark]);
    let body = m.app(ReOp::Union, &[dark, longer]);
    let body = m.app(ReOp::Opt, &[body]);
    let middle = m.app(StrOp::InRe, &[t, body]);
    m.constraints.extend([equal, left, right, middle]);
    t
}

/// One `str.replace_all` for each letter. No replacement makes a letter that a later one replaces.
pub(super) fn map_letters(m: &mut FreshMaker<'_>, s: TermId, from: u8, to: u8) -> TermId {
    (0..26).fold(s, |s, letter| {
        let old = m.maker.terms.string(vec![Char::from(from + letter)]);
        let new = m.maker.terms.string(vec![Char::from(to + letter)]);
        m.app(StrOp::ReplaceAll, &[s, old, new])
    })
}

/// With p the longest common prefix: one of the strings is p and the result is the difference of the lengths,
/// or both go on with different characters and the result is their difference.
pub(super) fn compare_to(m: &mut FreshMaker<'_>, a: &[TermId]) -> TermId {
    let (s, t) = (a[0], a[1]);
    let (p, result) = (m.fresh(Sort::String), m.fresh(Sort::Int));
    let (s_length, t_length) = (m.app(StrOp::Len, &[s]), m.app(StrOp::Len, &[t]));
    let length = m.app(StrOp::Len, &[p]);
    let (in_s, in_t) = (m.app(StrOp::PrefixOf, &[p, s]), m.app(StrOp::PrefixOf, &[p, t]));
    let (s_ends, t_ends) = (m.app(CoreOp::Eq, &[p, s]), m.app(CoreOp::Eq, &[p, t]));
    let ends = m.app(CoreOp::Or, &[s_ends, t_ends]);
    let difference = m.app(ArithOp::Sub, &[s_length, t_length]);
    let (s_char, t_char) = (m.app(StrOp::At, &[s, length]), m.app(StrOp::At, &[t, length]));
    let same = m.app(CoreOp::Eq, &[s_char, t_char]);
    let differ = m.app(CoreOp::Not, &[same]);
    let (s_code, t_code) = (m.app(StrOp::ToCode, &[s_char]), m.app(StrOp::ToCode, &[t_char]));
    let codes = m.app(ArithOp::Sub, &[s_code, t_code]);
    let value = m.app(CoreOp::Ite, &[ends, difference, codes]);
    let is_value = m.app(CoreOp::Eq, &[result, value]);
    let maximal = m.app(CoreOp::Or, &[ends, differ]);
    m.constraints.extend([in_s, in_t, maximal, is_value]);
    result
}

//! Which recipe an edge has.
//!
//! What every recipe keeps: it never removes a word that is part of a solution of its edge under the guessed numbers; and
//! when each of its vertices has one word left, it is exact: it refutes the edge or the edge holds.

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_graph::{Edge, Relation as R};

use crate::desk::Desk;

/// Applies the recipe of the desk's edge.
pub(crate) fn apply<A: BooleanAlgebra>(desk: &mut Desk<'_, '_, A>) -> Result<(), Stop> {
    let graph = desk.bench.graph;
    let Edge { relation, positive } = graph.edge(desk.edge);
    let positive = *positive;
    match *relation {
        R::Equal { a, b } => desk.equal(a, b, positive),
        R::StartsWith { s, t } => desk.starts_with(s, t, positive),
        R::EndsWith { s, t } => desk.ends_with(s, t, positive),
        R::Contains { s, t } => desk.contains(s, t, positive),
        R::Concat { a, b, r } => desk.concatenation(a, b, r),
        // Not before is the other one before or equal.
        R::Less { s, t } if positive => desk.less(s, t, false),
        R::Less { s, t } => desk.less(t, s, true),
        R::LessEqual { s, t } if positive => desk.less(s, t, true),
        R::LessEqual { s, t } => desk.less(t, s, false),
        R::CompareTo { s, t, i } => desk.compare_to(s, t, i),
        R::InRe { s, ref regex } => desk.in_re(s, regex, positive),
        R::IsDigit { s } => desk.is_digit(s, positive),
        R::CharAt { s, i, c } => desk.char_at(s, i, c),
        R::At { s, i, r } => desk.at(s, i, r),
        R::Substr { s, from, count, r } => desk.substr(s, from, count, r),
        R::IndexOf { s, t, from, i } => desk.index_of(s, t, from, i),
        R::LastIndexOf { s, t, from, i } => desk.last_index_of(s, t, from, i),
        R::Trim { s, r } => desk.trim(s, r),
        R::ToLower { s, r } => desk.case(s, r, b'A', b'a'),
        R::ToUpper { s, r } => desk.case(s, r, b'a', b'A'),
        R::Replace { s, t, by, r } => desk.replace(s, t, by, r),
        R::ReplaceAll { s, t, by, r } => desk.replace_all(s, t, by, r),
        R::ReplaceRe { s, ref regex, by, r } => desk.replace_re(s, regex, by, r),
        R::ReplaceReAll { s, ref regex, by, r } => desk.replace_re_all(s, regex, by, r),
        R::ToCode { s, c } => desk.code_of(s, c),
        R::FromCode { c, r } => desk.word_of_code(c, r),
        R::ToInt { s, i } => desk.number_of(s, i),
        R::FromInt { i, r } => desk.word_of_number(i, r),
    }
}

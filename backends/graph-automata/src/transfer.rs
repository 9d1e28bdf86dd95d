//! Which transfer function an edge has.
//!
//! What every transfer function keeps: it never removes a word that is part of a solution of its edge under
//! the guessed numbers; and when each of its vertices has one word left, it is exact: it refutes the edge or
//! the edge holds.

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_graph::{Edge, Relation as R};

use crate::context::PropagationContext;

/// Applies the transfer function of the context's edge.
pub(crate) fn apply<A: BooleanAlgebra>(context: &mut PropagationContext<'_, '_, A>) -> Result<(), Stop> {
    let graph = context.propagator.graph;
    let Edge { relation, positive } = graph.edge(context.edge);
    let positive = *positive;
    match *relation {
        R::Equal { a, b } => context.equal(a, b, positive),
        R::StartsWith { s, t } => context.starts_with(s, t, positive),
        R::EndsWith { s, t } => context.ends_with(s, t, positive),
        R::Contains { s, t } => context.contains(s, t, positive),
        R::Concat { a, b, r } => context.concatenation(a, b, r),
        // Not before is the other one before or equal.
        R::Less { s, t } if positive => context.less(s, t, false),
        R::Less { s, t } => context.less(t, s, true),
        R::LessEqual { s, t } if positive => context.less(s, t, true),
        R::LessEqual { s, t } => context.less(t, s, false),
        R::CompareTo { s, t, i } => context.compare_to(s, t, i),
        R::InRe { s, ref regex } => context.in_re(s, regex, positive),
        R::IsDigit { s } => context.is_digit(s, positive),
        R::CharAt { s, i, c } => context.char_at(s, i, c),
        R::At { s, i, r } => context.at(s, i, r),
        R::Substr { s, from, count, r } => context.substr(s, from, count, r),
        R::IndexOf { s, t, from, i } => context.index_of(s, t, from, i),
        R::LastIndexOf { s, t, from, i } => context.last_index_of(s, t, from, i),
        R::Trim { s, r } => context.trim(s, r),
        R::ToLower { s, r } => context.case(s, r, b'A', b'a'),
        R::ToUpper { s, r } => context.case(s, r, b'a', b'A'),
        R::Replace { s, t, by, r } => context.replace(s, t, by, r),
        R::ReplaceAll { s, t, by, r } => context.replace_all(s, t, by, r),
        R::ReplaceRe { s, ref regex, by, r } => context.replace_re(s, regex, by, r),
        R::ReplaceReAll { s, ref regex, by, r } => context.replace_re_all(s, regex, by, r),
        R::ToCode { s, c } => context.code_of(s, c),
        R::FromCode { c, r } => context.word_of_code(c, r),
        R::ToInt { s, i } => context.number_of(s, i),
        R::FromInt { i, r } => context.word_of_number(i, r),
    }
}

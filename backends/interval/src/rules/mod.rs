//! The rules: what an edge says of the language of each of its vertices, given the others.
//!
//! Each rule only narrows, and never takes a word or a number that occurs in a solution of its edge: tests
//! try each kind of edge on all words of a small alphabet. In the notation of the comments, `L(s)` is the
//! language of `s`, `*` every word.
//!
//! Where the paper's table (section 4) is changed:
//!
//! - "`¬s.contains("abc")` ⟹ `s' = s - {"abc"}`" takes one word; right and stronger is `s - (* abc *)`, and
//!   so for prefixes and suffixes. A side counts as constant once its language has one word left.
//! - `mk_all_accept(s)` has all prefixes of `s` only where every state leads to an end; otherwise it has
//!   more, which is sound but blunt. The prefixes here are the quotient `s / *`.
//! - `s' = s ∩ (s1 · s2)`, `s1' = first(s, s2)`: the new `s1` must also be in the old one.
//! - The negative rules need one side to be constant. For `¬beginsWith`, `¬endsWith` and `¬contains` the
//!   other side always loses the empty word, which is a part of every word.
//! - The order rules have no value rule in the paper; here each side gets exactly the words with a partner on
//!   the other side.
//!
//! - `index`: characters, parts and places; `letters`: kinds of characters; `number`: numerals; `order`;
//!   `replace`

mod index;
mod letters;
pub mod number;
mod order;
mod replace;

use backends_api::Stop;
use backends_graph::{Edge, Relation as R, StringVertex};
use backends_propagate::transfer::AutomataPropagator;

use crate::refine::Refiner;

/// Narrows what is known of the edge's vertices.
pub(crate) fn apply(refiner: &mut Refiner<'_>, edge: &Edge) -> Result<(), Stop> {
    let positive = edge.positive;
    match edge.relation {
        R::Equal { a, b } => refiner.equal(a, b, positive),
        R::StartsWith { s, t } => refiner.part(s, t, positive, false, true),
        R::EndsWith { s, t } => refiner.part(s, t, positive, true, false),
        R::Contains { s, t } => refiner.part(s, t, positive, true, true),
        R::Less { s, t } if positive => refiner.less(s, t, false),
        R::Less { s, t } => refiner.less(t, s, true),
        R::LessEqual { s, t } if positive => refiner.less(s, t, true),
        R::LessEqual { s, t } => refiner.less(t, s, false),
        R::CompareTo { s, t, i } => refiner.compare_to(s, t, i),
        R::InRe { s, ref regex } => refiner.in_re(s, regex, positive),
        R::IsDigit { s } => refiner.is_digit(s, positive),
        R::Concat { a, b, r } => refiner.concatenation(a, b, r),
        R::CharAt { s, i, c } => refiner.char_at(s, i, c),
        R::At { s, i, r } => refiner.at(s, i, r),
        R::Substr { s, from, count, r } => refiner.substr(s, from, count, r),
        R::IndexOf { s, t, from, i } => refiner.index_of(s, t, from, i),
        R::LastIndexOf { s, t, from, i } => refiner.last_index_of(s, t, from, i),
        R::Trim { s, r } => refiner.trim(s, r),
        R::ToLower { s, r } => refiner.case(s, r, 0x41, 0x61),
        R::ToUpper { s, r } => refiner.case(s, r, 0x61, 0x41),
        R::Replace { s, t, by, r } => refiner.replace(s, t, by, r),
        R::ReplaceAll { s, t, by, r } => refiner.replace_all(s, t, by, r),
        R::ReplaceRe { s, ref regex, by, r } => refiner.replace_re(s, regex, by, r, false),
        R::ReplaceReAll { s, ref regex, by, r } => refiner.replace_re(s, regex, by, r, true),
        R::ToCode { s, c } => refiner.code_of(s, c),
        R::FromCode { c, r } => refiner.word_of_code(c, r),
        R::ToInt { s, i } => refiner.number_of(s, i),
        R::FromInt { i, r } => refiner.word_of_number(i, r),
    }
}

impl Refiner<'_> {
    /// The argument and the result of an edge that changes no word that the argument may be: nothing to trim,
    /// no letter to map, nothing to replace. Equality of the two is more than their languages can say.
    pub(crate) fn unchanged(&self, edge: &Edge) -> Result<Option<(StringVertex, StringVertex)>, Stop> {
        let any = || self.context().all_words();
        let letters = |low, high| self.context().codes(low, high);
        let (s, r, touched) = match edge.relation {
            R::Trim { s, r } => {
                let blank = letters(0, 0x20)?;
                let front = self.context().concat(&blank, &any()?)?;
                (s, r, self.context().union(&front, &self.context().concat(&any()?, &blank)?)?)
            }
            R::ToLower { s, r } => {
                (s, r, self.context().concat_all([&any()?, &letters(0x41, 0x5A)?, &any()?])?)
            }
            R::ToUpper { s, r } => {
                (s, r, self.context().concat_all([&any()?, &letters(0x61, 0x7A)?, &any()?])?)
            }
            R::Replace { s, t, r, .. } | R::ReplaceAll { s, t, r, .. } => {
                (s, r, self.context().concat_all([&any()?, &*self.language(t), &any()?])?)
            }
            R::ReplaceRe { s, ref regex, r, .. } | R::ReplaceReAll { s, ref regex, r, .. } => {
                (s, r, self.context().concat_all([&any()?, &self.context().regex(regex)?, &any()?])?)
            }
            // None of these gives back its argument because of what is not in it.
            R::Equal { .. }
            | R::StartsWith { .. }
            | R::EndsWith { .. }
            | R::Contains { .. }
            | R::Less { .. }
            | R::LessEqual { .. }
            | R::InRe { .. }
            | R::IsDigit { .. }
            | R::Concat { .. }
            | R::CharAt { .. }
            | R::At { .. }
            | R::Substr { .. }
            | R::IndexOf { .. }
            | R::LastIndexOf { .. }
            | R::ToCode { .. }
            | R::FromCode { .. }
            | R::ToInt { .. }
            | R::FromInt { .. }
            | R::CompareTo { .. } => return Ok(None),
        };
        Ok(self.context().is_disjoint(&self.language(s), &touched)?.then_some((s, r)))
    }

    /// As [`AutomataPropagator::part_of`]. Negative: `t` is not empty, for the empty word is a part of every
    /// word.
    fn part(
        &mut self,
        s: StringVertex,
        t: StringVertex,
        positive: bool,
        before: bool,
        after: bool,
    ) -> Result<(), Stop> {
        self.part_of(s, t, positive, before, after)?;
        if !positive && s != t {
            self.remove(t, &self.context().only_empty_word()?)?;
        }
        Ok(())
    }
}

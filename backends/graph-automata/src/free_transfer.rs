//! Transfer functions for words of any length: see [`crate::free`]. Kinds without one narrow nothing.

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_automata::{Sfa, SfaBuilder};
use backends_graph::{Edge, IntDefinition, IntVertex, Relation as R, StringVertex, Sum};
use backends_propagate::transfer::AutomataPropagator;
use harness_model::int::Int;
use harness_model::{Char, CharSet, Regex, SmtString};

use crate::free::Free;

/// Narrows the languages of the edge's vertices.
pub(crate) fn apply<A: BooleanAlgebra>(free: &mut Free<'_, A>, edge: &Edge) -> Result<(), Stop> {
    let positive = edge.positive;
    match edge.relation {
        R::Equal { a, b } => free.equal(a, b, positive),
        R::StartsWith { s, t } => free.part_of(s, t, positive, false, true),
        R::EndsWith { s, t } => free.part_of(s, t, positive, true, false),
        R::Contains { s, t } => free.part_of(s, t, positive, true, true),
        R::InRe { s, ref regex } => free.in_re(s, regex, positive),
        R::IsDigit { s } => free.is_digit(s, positive),
        R::Concat { a, b, r } => free.concatenation(a, b, r),
        R::CharAt { s, i, c } => {
            let Some(before) = free.offset(i) else { return Ok(()) };
            let one = match free.number(c) {
                Some(code) => match free.code(&code) {
                    Some(c) => Regex::set(CharSet::single(c)),
                    None => {
                        free.refute();
                        return Ok(());
                    }
                },
                None => free.context().letter(),
            };
            let around = free.around(before, &free.context().regex(&one)?, true)?;
            free.narrow(s, &around, &[])
        }
        R::At { s, i, r } => {
            let short = free.context().regex(&free.context().letter().repeat(0, Some(1)))?;
            free.narrow(r, &short, &[])?;
            free.piece(s, i, false, r)
        }
        R::Substr { s, from, count, r } => {
            let to_end = free.reaches_end(s, from, count);
            free.piece(s, from, to_end, r)
        }
        R::IndexOf { s, t, from, i } => free.index_of(s, t, from, i),
        R::LastIndexOf { s, t, from, i } => match free.number(i) {
            Some(i) if i.is_negative() => {
                let whole = free.graph.length_of(s) == Some(from);
                if whole { free.part_of(s, t, false, true, true) } else { Ok(()) }
            }
            Some(_) => free.occurs_at(s, t, i),
            None => Ok(()),
        },
        R::Trim { s, r } => free.trim(s, r),
        R::ToLower { s, r } => free.case(s, r, 0x41, 0x61),
        R::ToUpper { s, r } => free.case(s, r, 0x61, 0x41),
        R::ReplaceAll { s, t, by, r } => free.replace_all(s, t, by, r),
        R::ToCode { s, c } => {
            let Some(code) = free.number(c) else { return Ok(()) };
            match free.code(&code) {
                Some(c) => {
                    let one = free.context().regex(&Regex::set(CharSet::single(c)))?;
                    free.narrow(s, &one, &[])
                }
                None if code == Int::MINUS_ONE => {
                    let one = free.context().regex(&free.context().letter())?;
                    free.remove(s, &one, &[])
                }
                None => {
                    free.refute();
                    Ok(())
                }
            }
        }
        R::FromCode { c, r } => {
            let short = match free.number(c) {
                Some(code) => free.code(&code).map_or(Regex::Epsilon, |c| Regex::set(CharSet::single(c))),
                None => free.context().letter().repeat(0, Some(1)),
            };
            let short = free.context().regex(&short)?;
            free.narrow(r, &short, &[])
        }
        R::ToInt { s, i } => {
            let Some(number) = free.number(i) else { return Ok(()) };
            if number == Int::MINUS_ONE {
                let digits = free.context().regex(&set(0x30, 0x39).repeat(1, None))?;
                return free.remove(s, &digits, &[]);
            }
            if number.is_negative() {
                free.refute();
                return Ok(());
            }
            let digits = Regex::literal(&SmtString::from(number.to_string().as_str()));
            let padded = free.context().regex(&Regex::concat([set(0x30, 0x30).star(), digits]))?;
            free.narrow(s, &padded, &[])
        }
        R::FromInt { i, r } => {
            let regex = match free.number(i) {
                Some(number) if number.is_negative() => Regex::Epsilon,
                Some(number) => Regex::literal(&SmtString::from(number.to_string().as_str())),
                None => Regex::union([
                    Regex::Epsilon,
                    set(0x30, 0x30),
                    Regex::concat([set(0x31, 0x39), set(0x30, 0x39).star()]),
                ]),
            };
            let language = free.context().regex(&regex)?;
            free.narrow(r, &language, &[])
        }
        R::Less { s, t } if positive => free.before(s, t, false),
        R::Less { s, t } => free.before(t, s, true),
        R::LessEqual { s, t } if positive => free.before(s, t, true),
        R::LessEqual { s, t } => free.before(t, s, false),
        R::CompareTo { .. } | R::Replace { .. } | R::ReplaceRe { .. } | R::ReplaceReAll { .. } => Ok(()),
    }
}

fn set(low: u32, high: u32) -> Regex {
    Regex::set(CharSet::range(Char(low), Char(high)))
}

/// Characters before a place: a known number, or any.
type Offset = Option<u32>;

impl<A: BooleanAlgebra> Free<'_, A> {
    /// `r` is `s` with every `t` become `by`: where both are known and `t` is one character.
    fn replace_all(
        &mut self,
        s: StringVertex,
        t: StringVertex,
        by: StringVertex,
        r: StringVertex,
    ) -> Result<(), Stop> {
        let (Some(old), Some(new)) = (self.graph.word(t).cloned(), self.graph.word(by).cloned()) else {
            return Ok(());
        };
        match (old.chars(), new.chars()) {
            (&[old], &[new]) if old == new => self.equal(s, r, true),
            (&[old], &[new]) => self.exchange(s, r, [old, new], [t, by]),
            // What is put in brings none back.
            (&[old], new) if !new.contains(&old) => {
                let others = CharSet::single(old).complement(self.graph.alphabet());
                let without = self.context().regex(&Regex::set(others).star())?;
                self.narrow(r, &without, &[t, by])
            }
            _ => Ok(()),
        }
    }

    /// `a` is before `b` in lexicographic order, or equal to it where `or_equal`: where one of them is known.
    fn before(&mut self, a: StringVertex, b: StringVertex, or_equal: bool) -> Result<(), Stop> {
        if let Some(word) = self.graph.word(b).cloned() {
            let all = self.all_before(&word, or_equal)?;
            self.narrow(a, &all, &[b])?;
        }
        if let Some(word) = self.graph.word(a).cloned() {
            let others = self.all_before(&word, !or_equal)?;
            self.remove(b, &others, &[a])?;
        }
        Ok(())
    }

    /// The words before this one, with itself where `or_equal`: a state for each of its beginnings, from which
    /// a smaller character leads to all words.
    fn all_before(&self, word: &SmtString, or_equal: bool) -> Result<Sfa<A::Set>, Stop> {
        let algebra = self.context().algebra();
        let mut builder = SfaBuilder::new();
        let all = builder.add_state(true)?;
        builder.add_move(all, algebra.full(), all)?;
        let initial = builder.add_state(or_equal || !word.is_empty())?;
        let mut state = initial;
        for (i, &c) in word.chars().iter().enumerate() {
            if c.0 > 0 {
                builder.add_move(state, algebra.of_ranges(&[(0, c.0 - 1)])?, all)?;
            }
            let next = builder.add_state(or_equal || i + 1 < word.len())?;
            builder.add_move(state, algebra.of_ranges(&[(c.0, c.0)])?, next)?;
            state = next;
        }
        Ok(builder.freeze(initial))
    }

    fn code(&self, code: &Int) -> Option<Char> {
        let c = u32::try_from(code.small()?).ok().map(Char)?;
        self.graph.alphabet().contains(c).then_some(c)
    }

    /// The characters before position `i`; `None` (and the edge is refuted) when it is no position.
    fn offset(&mut self, i: IntVertex) -> Option<Offset> {
        let Some(value) = self.number(i) else { return Some(None) };
        let value = value.small().and_then(|v| u32::try_from(v).ok());
        if value.is_none() {
            self.refute();
        }
        value.map(Some)
    }

    /// `[before] inner [*]`, or `[before] inner` where nothing may follow.
    fn around(&self, before: Offset, inner: &Sfa<A::Set>, more: bool) -> Result<Sfa<A::Set>, Stop> {
        let front = self.context().concat(&self.padding(before)?, inner)?;
        if more { self.context().concat(&front, &self.context().all_words()?) } else { Ok(front) }
    }

    /// `r` is empty, or what starts at `from` in `s`, up to its end or not.
    fn piece(&mut self, s: StringVertex, from: IntVertex, to_end: bool, r: StringVertex) -> Result<(), Stop> {
        // A position that is known to be outside leaves only the empty word.
        let before = match self.number(from) {
            None => None,
            Some(value) => match value.small().and_then(|v| u32::try_from(v).ok()) {
                Some(value) => Some(value),
                None => {
                    let nothing = self.context().regex(&Regex::Epsilon)?;
                    return self.narrow(r, &nothing, &[]);
                }
            },
        };
        let mut parts = self.context().left_quotient(&self.language(s), &self.padding(before)?)?;
        if !to_end {
            parts = self.context().right_quotient(&parts, &self.context().all_words()?)?;
        }
        let nothing = self.context().regex(&Regex::Epsilon)?;
        let parts = self.context().union(&parts, &nothing)?;
        self.narrow(r, &parts, &[s])?;
        let inner = self.language(r);
        if !inner.is_final(inner.initial()) {
            let around = self.around(before, &inner, !to_end)?;
            self.narrow(s, &around, &[r])?;
        }
        Ok(())
    }

    /// Whether `count` is defined as what is left of `s` from `from` on.
    fn reaches_end(&self, s: StringVertex, from: IntVertex, count: IntVertex) -> bool {
        let Some(length) = self.graph.length_of(s) else { return false };
        let left = self.graph.sum_of(length).sub(&self.graph.sum_of(from));
        left == self.graph.sum_of(count)
            || count == length
            || self.graph.definitions().iter().any(|(vertex, definition)| {
                *vertex == count && matches!(definition, IntDefinition::Sum(sum) if *sum == left)
            })
            || left == Sum::from(count)
    }

    /// `t` starts at place `i` of `s`.
    fn occurs_at(&mut self, s: StringVertex, t: StringVertex, i: IntVertex) -> Result<(), Stop> {
        let Some(before) = self.offset(i) else { return Ok(()) };
        let around = self.around(before, &self.language(t), true)?;
        self.narrow(s, &around, &[t])?;
        let after = self.context().left_quotient(&self.language(s), &self.padding(before)?)?;
        let parts = self.context().right_quotient(&after, &self.context().all_words()?)?;
        self.narrow(t, &parts, &[s])
    }

    fn index_of(
        &mut self,
        s: StringVertex,
        t: StringVertex,
        from: IntVertex,
        i: IntVertex,
    ) -> Result<(), Stop> {
        let Some(place) = self.number(i) else { return Ok(()) };
        let start = self.number(from).and_then(|f| u32::try_from(f.small()?).ok());
        if !place.is_negative() {
            self.occurs_at(s, t, i)?;
        }
        let (Some(start), Some(word)) = (start, self.graph.word(t)) else { return Ok(()) };
        let Ok(length) = u32::try_from(word.len()) else { return Ok(()) };
        let inside = self.around(None, &self.context().regex(&Regex::literal(word))?, true)?;
        if place == Int::MINUS_ONE {
            let late = self.context().concat(&self.padding(Some(start))?, &inside)?;
            return self.remove(s, &late, &[t]);
        }
        // From `start` to just before the end of the occurrence, the word is not there.
        let Some(place) = place.small().and_then(|p| u32::try_from(p).ok()) else { return Ok(()) };
        if length == 0 || place <= start {
            return Ok(());
        }
        let Some(reach) = place.checked_add(length - 1).map(|end| end - start) else { return Ok(()) };
        let reach = self.padding(Some(reach))?;
        let early = self.context().intersection(&reach, &inside)?;
        let early = self.context().concat(
            &self.context().concat(&self.padding(Some(start))?, &early)?,
            &self.context().all_words()?,
        )?;
        self.remove(s, &early, &[t])
    }
}

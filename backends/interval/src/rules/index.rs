//! Rules of single characters, parts of words, first and last places. "Similar to that for contains", says
//! the paper; places that are known, wholly or by bounds, narrow further.

use backends_api::Stop;
use backends_graph::{IntDefinition, IntVertex, StringVertex, Sum};
use harness_model::int::Int;

use crate::bounds::Interval;
use crate::language::{Automaton, codes};
use crate::refine::Refiner;

impl Refiner<'_> {
    /// Characters before a position that is `i`.
    fn offset(&self, i: IntVertex) -> Result<Automaton, Stop> {
        let Interval { low, high } = self.int(i);
        self.context().words_of_length(low.unwrap_or(0), high)
    }

    /// `0 <= i < |s|` and `c` is the code at `i`: `L(s) ∩ [i] {c} *`; `c` is one of the characters there, and
    /// `i` not before the first place that has one of them.
    pub(super) fn char_at(&mut self, s: StringVertex, i: IntVertex, c: IntVertex) -> Result<(), Stop> {
        let longest = self.lengths(s).1.map(|longest| longest - 1);
        self.bound(i, Interval { low: Some(0), high: longest });
        self.bound(c, Interval { low: Some(0), high: Some(i64::from(self.graph.alphabet().max().0)) });
        if self.is_refuted() {
            return Ok(());
        }
        let code = self.int(c);
        let (low, high) = (code.low.unwrap_or(0), code.high.unwrap_or(i64::MAX));
        let one = self.context().codes(low, high)?;
        let with = self.context().concat_all([&self.offset(i)?, &one, &self.context().all_words()?])?;
        self.narrow(s, &with)?;
        if self.is_refuted() {
            return Ok(());
        }
        let place = self.int(i);
        let there = self.context().characters(&self.language(s), place.low.unwrap_or(0), place.high)?;
        let ends = there.as_slice().first().zip(there.as_slice().last());
        match ends {
            Some((&(least, _), &(_, greatest))) => {
                self.bound(c, Interval { low: Some(i64::from(least)), high: Some(i64::from(greatest)) });
            }
            None => self.refute(),
        }
        if !self.is_refuted() {
            let set = codes(self.graph.alphabet(), low, high);
            match self.context().first_place(&self.language(s), &set)? {
                Some(first) => self.bound(i, Interval { low: Some(first), high: None }),
                None => self.refute(),
            }
        }
        Ok(())
    }

    /// The character at `i`; outside of the word, the empty word.
    pub(super) fn at(&mut self, s: StringVertex, i: IntVertex, r: StringVertex) -> Result<(), Stop> {
        let inside = self.is_inside(s, i);
        self.piece(s, i, Interval::one(1), inside, false, r)?;
        if !self.is_refuted() && self.lengths(r).1 == Some(0) && self.int(i).at_least(0) {
            // `i` is at the end or after it.
            let short = self.context().words_of_length(0, self.int(i).high)?;
            self.narrow(s, &short)?;
        }
        Ok(())
    }

    /// Whether `i` is a place of every word of `s`.
    fn is_inside(&self, s: StringVertex, i: IntVertex) -> bool {
        self.int(i).at_least(0) && self.int(i).at_most(self.lengths(s).0 - 1)
    }

    /// Up to `count` characters from `from` on.
    pub(super) fn substr(
        &mut self,
        s: StringVertex,
        from: IntVertex,
        count: IntVertex,
        r: StringVertex,
    ) -> Result<(), Stop> {
        let some = self.is_inside(s, from) && self.int(count).at_least(1);
        let to_end = self.reaches_end(s, from, count);
        self.piece(s, from, self.int(count), some, to_end, r)?;
        if !self.is_refuted() && self.lengths(r).0 > 0 {
            let least = self.lengths(r).0;
            self.bound(count, Interval { low: Some(least), high: None });
        }
        Ok(())
    }

    /// `r` is empty (not if `some`), or what starts at `from` in `s`, up to `count` characters of it, all of
    /// it if `to_end`.
    fn piece(
        &mut self,
        s: StringVertex,
        from: IntVertex,
        count: Interval,
        some: bool,
        to_end: bool,
        r: StringVertex,
    ) -> Result<(), Stop> {
        if self.int(from).at_most(-1) || count.at_most(0) {
            return self.narrow(r, &self.context().only_empty_word()?);
        }
        let mut parts = self.context().left_quotient(&self.language(s), &self.offset(from)?)?;
        if !to_end {
            parts = self.context().prefixes(&parts)?;
        }
        parts = self
            .context()
            .intersection(&parts, &self.context().words_of_length(i64::from(some), count.high)?)?;
        if !some {
            parts = self.context().union(&parts, &self.context().only_empty_word()?)?;
        }
        self.narrow(r, &parts)?;
        if self.is_refuted() || self.lengths(r).0 == 0 {
            return Ok(());
        }
        let longest = self.lengths(s).1.map(|longest| longest - self.lengths(r).0);
        self.bound(from, Interval { low: Some(0), high: longest });
        let mut around = self.context().concat(&self.offset(from)?, &self.language(r))?;
        if !to_end {
            around = self.context().concat(&around, &self.context().all_words()?)?;
        }
        self.narrow(s, &around)
    }

    /// Whether `count` is what is left of `s` from `from` on, or more.
    fn reaches_end(&self, s: StringVertex, from: IntVertex, count: IntVertex) -> bool {
        let Some(length) = self.graph.length_of(s) else { return false };
        let left = self.graph.sum_of(length).sub(&self.graph.sum_of(from));
        count == length || self.is_sum(count, &left)
    }

    /// Whether `vertex` is defined as that sum.
    fn is_sum(&self, vertex: IntVertex, sum: &Sum) -> bool {
        self.graph.sum_of(vertex) == *sum
            || self.graph.definitions().iter().any(|(v, definition)| {
                *v == vertex && matches!(definition, IntDefinition::Sum(defined) if defined == sum)
            })
    }

    /// Words that end with `word`, which occurs in them only there.
    pub(super) fn until(&self, word: &Automaton) -> Result<Automaton, Stop> {
        let any = self.context().all_words()?;
        let ending = self.context().concat(&any, word)?;
        let earlier = self.context().concat(&ending, &self.context().nonempty_words()?)?;
        self.context().difference(&ending, &earlier)
    }

    /// Words that start with `word`, which occurs in them only there.
    fn since(&self, word: &Automaton) -> Result<Automaton, Stop> {
        let any = self.context().all_words()?;
        let starting = self.context().concat(word, &any)?;
        let later = self.context().concat_all([&self.context().nonempty_words()?, word, &any])?;
        self.context().difference(&starting, &later)
    }

    /// `i` is the first place from `from` on where `t` occurs in `s`, or -1.
    pub(super) fn index_of(
        &mut self,
        s: StringVertex,
        t: StringVertex,
        from: IntVertex,
        i: IntVertex,
    ) -> Result<(), Stop> {
        let longest = self.lengths(s).1.map(|longest| longest - self.lengths(t).0);
        self.bound(i, Interval { low: Some(-1), high: longest.map(|longest| longest.max(-1)) });
        if self.is_refuted() {
            return Ok(());
        }
        let (start, word) = (self.int(from), self.only(t));
        let any = self.context().all_words()?;
        let least = start.low.unwrap_or(0).max(0);
        // Where it could be at all.
        let somewhere = self.context().concat_all([
            &self.context().words_of_length(least, None)?,
            &*self.language(t),
            &any,
        ])?;
        if start.at_most(-1) || self.context().is_disjoint(&self.language(s), &somewhere)? {
            self.bound(i, Interval::one(-1));
        }
        if word.is_some()
            && let Some(first) = start.only().filter(|&first| first >= 0)
        {
            let certain = self.context().concat_all([
                &self.context().words_of_length(first, None)?,
                &*self.language(t),
                &any,
            ])?;
            // Clipped paddings have more words, and would show too much.
            if first < i64::from(crate::language::MAX_PADDING)
                && self.context().is_subset(&self.language(s), &certain)?
            {
                self.bound(i, Interval { low: Some(first), high: None });
            }
        }
        let place = self.int(i);
        if place.at_least(0) && !self.is_refuted() {
            self.bound(i, Interval { low: Some(least), high: None });
            self.bound(from, Interval { low: Some(0), high: self.int(i).high });
            self.occurs_at(s, t, i)?;
            if let (Some(first), true) = (start.only(), word.as_ref().is_some_and(|w| !w.is_empty())) {
                let until = self.until(&self.language(t))?;
                let length = word.map_or(0, |w| i64::try_from(w.len()).unwrap_or(i64::MAX));
                let Interval { low, high } = self.int(i);
                let reach = |place: i64| (place - first).saturating_add(length);
                let span = self.context().words_of_length(low.map_or(length, reach), high.map(reach))?;
                let until = self.context().intersection(&until, &span)?;
                let whole = self.context().concat_all([
                    &self.context().words_of_length(first, Some(first))?,
                    &until,
                    &any,
                ])?;
                self.narrow(s, &whole)?;
            }
        } else if place.at_most(-1) && start.at_least(0) {
            let Some(last) = start.high.filter(|&last| last < i64::from(crate::language::MAX_PADDING)) else {
                return Ok(());
            };
            // An occurrence at `last` or later would be found.
            if word.is_some() {
                let late = self.context().concat_all([
                    &self.context().words_of_length(last, None)?,
                    &*self.language(t),
                    &any,
                ])?;
                self.remove(s, &late)?;
            } else if self.only(s).is_some() {
                let parts = self.context().parts(&self.language(s), last, None)?;
                self.remove(t, &parts)?;
            }
        }
        Ok(())
    }

    /// `i` is the last place up to `from` where `t` occurs in `s`, or -1.
    pub(super) fn last_index_of(
        &mut self,
        s: StringVertex,
        t: StringVertex,
        from: IntVertex,
        i: IntVertex,
    ) -> Result<(), Stop> {
        let longest = self.lengths(s).1.map(|longest| longest - self.lengths(t).0);
        self.bound(i, Interval { low: Some(-1), high: longest.map(|longest| longest.max(-1)) });
        if let Some(last) = self.int(from).high {
            self.bound(i, Interval { low: None, high: Some(last.max(-1)) });
        }
        if self.is_refuted() {
            return Ok(());
        }
        let any = self.context().all_words()?;
        let whole = self.is_whole(s, t, from);
        let somewhere = self.context().concat_all([&any, &*self.language(t), &any])?;
        if self.int(from).at_most(-1) || self.context().is_disjoint(&self.language(s), &somewhere)? {
            self.bound(i, Interval::one(-1));
        }
        if whole && self.only(t).is_some() && self.context().is_subset(&self.language(s), &somewhere)? {
            self.bound(i, Interval { low: Some(0), high: None });
        }
        let place = self.int(i);
        if place.at_least(0) && !self.is_refuted() {
            self.bound(from, Interval { low: place.low, high: None });
            self.occurs_at(s, t, i)?;
            if whole && self.only(t).is_some_and(|word| !word.is_empty()) {
                let since = self.since(&self.language(t))?;
                let last = self.context().concat(&self.offset(i)?, &since)?;
                self.narrow(s, &last)?;
            }
        } else if place.at_most(-1) && whole {
            self.part_of_nothing(s, t)?;
        }
        Ok(())
    }

    /// `t` occurs nowhere in `s`.
    fn part_of_nothing(&mut self, s: StringVertex, t: StringVertex) -> Result<(), Stop> {
        super::apply(self, &backends_graph::Edge::negative(backends_graph::Relation::Contains { s, t }))
    }

    /// Whether every place where `t` fits into `s` is at `from` or before.
    pub(crate) fn is_whole(&self, s: StringVertex, t: StringVertex, from: IntVertex) -> bool {
        let Some(length) = self.graph.length_of(s) else { return false };
        if from == length {
            return true;
        }
        let room = self.graph.sum_of(length);
        let least = self.lengths(t).0;
        (0..=least.min(64)).any(|less| self.is_sum(from, &room.sub(&Sum::from(Int::from(less)))))
            || self.lengths(s).1.is_some_and(|longest| self.int(from).at_least(longest - least))
    }

    /// `t` starts at place `i` of `s`.
    fn occurs_at(&mut self, s: StringVertex, t: StringVertex, i: IntVertex) -> Result<(), Stop> {
        if self.is_refuted() {
            return Ok(());
        }
        let around = self.context().concat_all([
            &self.offset(i)?,
            &*self.language(t),
            &self.context().all_words()?,
        ])?;
        self.narrow(s, &around)?;
        let Interval { low, high } = self.int(i);
        let parts = self.context().parts(&self.language(s), low.unwrap_or(0), high)?;
        self.narrow(t, &parts)
    }
}

//! Transfer functions of replacing the first occurrence of a word, or the shortest leftmost match of an
//! expression.
//!
//! The study leaves these operations out. What is replaced is cut out of both words; the rest must be the
//! same, so the languages of the rests are intersected, for each place where the replaced part can be.

use std::ops::Range;

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_automata::{Node, Sfa, StateId};
use backends_graph::StringVertex;
use harness_model::{Char, Regex};

use crate::context::PropagationContext;

/// What is left of the languages of `s`, of the replaced part, of `by` and of `r`.
struct Left {
    s: Node,
    part: Node,
    by: Node,
    r: Node,
}

impl Left {
    const NOTHING: Self = Self { s: Node::EMPTY, part: Node::EMPTY, by: Node::EMPTY, r: Node::EMPTY };
}

impl<A: BooleanAlgebra> PropagationContext<'_, '_, A> {
    /// `r` is `s` with the first occurrence of `t` become `by`; an empty `t` occurs at the front.
    pub fn replace(
        &mut self,
        s: StringVertex,
        t: StringVertex,
        by: StringVertex,
        r: StringVertex,
    ) -> Result<(), Stop> {
        let (n, m) = (self.length(s), self.length(t));
        if m == 0 {
            return self.concatenation(by, s, r);
        }
        let only_t = self.only(t)?;
        if let (Some(word), Some(inner)) = (self.only(s)?, &only_t) {
            let at = word.chars().windows(m).position(|window| window == inner.chars());
            let ranges: Vec<Range<usize>> = at.map(|at| at..at + m).into_iter().collect();
            return self.replaced(word.chars(), &ranges, &[s, t], by, r);
        }
        let mut left = Left::NOTHING;
        let part = self.language(t);
        if self.length(r) == n {
            let mut same = self.intersection(self.language(s), self.language(r))?;
            if only_t.is_some() {
                same = self.with_or_without_infix(same, part, false)?;
            }
            self.unchanged(&mut left, same, part, by)?;
        }
        if m <= n && self.length(r) + m == n + self.length(by) {
            for at in 0..=n - m {
                let mut here = self.language(s);
                if only_t.is_some() {
                    let first = self.without(part, 0..at, n)?;
                    here = self.intersection(here, first)?;
                }
                self.changed_at(&mut left, here, at, part, by, r)?;
            }
        }
        self.set(s, left.s, &[t, by, r])?;
        self.narrow(t, left.part, &[s, by, r])?;
        self.narrow(by, left.by, &[s, t, r])?;
        self.narrow(r, left.r, &[s, t, by])
    }

    /// `r` is `s` with the shortest leftmost match become `by`. An expression that has the empty word matches
    /// at the front. While `s` may still be more than one word, matches further left are not excluded.
    pub fn replace_re(
        &mut self,
        s: StringVertex,
        regex: &Regex,
        by: StringVertex,
        r: StringVertex,
    ) -> Result<(), Stop> {
        let pattern = self.propagator.pattern(self.edge, regex)?;
        if pattern.whole.is_final(pattern.whole.initial()) {
            return self.concatenation(by, s, r);
        }
        if let Some(word) = self.only(s)? {
            let found = self.first_match(&pattern.whole, word.chars(), 0)?;
            let ranges: Vec<Range<usize>> = found.into_iter().collect();
            return self.replaced(word.chars(), &ranges, &[s], by, r);
        }
        let (n, k, q) = (self.length(s), self.length(by), self.length(r));
        let mut left = Left::NOTHING;
        if n == q {
            let same = self.intersection(self.language(s), self.language(r))?;
            let same = self.restrict(same, &pattern.inside, false)?;
            self.unchanged(&mut left, same, Node::EPSILON, by)?;
        }
        // The length of the match follows from the others.
        if let Some(m) = (n + k).checked_sub(q).filter(|&m| 1 <= m && m <= n) {
            let any = self.all_words(m)?;
            let matches = self.restrict(any, &pattern.whole, true)?;
            for at in 0..=n - m {
                // The alternative that nothing matched has put an empty part in; only the part of matches
                // matters here.
                left.part = Node::EMPTY;
                self.changed_at(&mut left, self.language(s), at, matches, by, r)?;
            }
        }
        self.set(s, left.s, &[by, r])?;
        self.narrow(by, left.by, &[s, r])?;
        self.narrow(r, left.r, &[s, by])
    }

    /// Nothing is replaced in the words of `same`.
    fn unchanged(&mut self, left: &mut Left, same: Node, part: Node, by: StringVertex) -> Result<(), Stop> {
        if !same.is_empty() {
            left.s = self.union(left.s, same)?;
            left.r = self.union(left.r, same)?;
            left.part = part;
            left.by = self.language(by);
        }
        Ok(())
    }

    /// A word of `part` at place `at` of the words of `here` is replaced, if that is possible.
    fn changed_at(
        &mut self,
        left: &mut Left,
        here: Node,
        at: usize,
        part: Node,
        by: StringVertex,
        r: StringVertex,
    ) -> Result<(), Stop> {
        let (n, m) = (
            self.propagator.engine.lattice.layers.length(here),
            self.propagator.engine.lattice.layers.length(part),
        );
        let (k, q) = (self.length(by), self.length(r));
        if here.is_empty() || part.is_empty() {
            return Ok(());
        }
        let with = self.padded(at, part, n - m - at)?;
        let before = self.intersection(here, with)?;
        let with = self.padded(at, self.language(by), q - k - at)?;
        let after = self.intersection(self.language(r), with)?;
        if before.is_empty() || after.is_empty() {
            return Ok(());
        }
        let (rest, other) = (self.cut(before, at, m)?, self.cut(after, at, k)?);
        let rest = self.intersection(rest, other)?;
        if rest.is_empty() {
            return Ok(());
        }
        let with = self.insert(rest, at, part)?;
        let before = self.intersection(before, with)?;
        let with = self.insert(rest, at, self.language(by))?;
        let after = self.intersection(after, with)?;
        left.s = self.union(left.s, before)?;
        left.r = self.union(left.r, after)?;
        let inner = self.slice(before, at, m)?;
        left.part = self.union(left.part, inner)?;
        let inner = self.slice(after, at, k)?;
        left.by = self.union(left.by, inner)?;
        Ok(())
    }

    /// `r` is `word`, which was made from the languages of `from`, with each of these parts become `by`.
    /// Exact once `by` or `r` is one word.
    pub fn replaced(
        &mut self,
        word: &[Char],
        parts: &[Range<usize>],
        from: &[StringVertex],
        by: StringVertex,
        r: StringVertex,
    ) -> Result<(), Stop> {
        let k = self.length(by);
        let removed: usize = parts.iter().map(Range::len).sum();
        if self.length(r) != word.len() - removed + parts.len() * k {
            // The word itself is to blame, not the numbers alone.
            for &v in from {
                self.set(v, Node::EMPTY, from)?;
            }
            return Ok(());
        }
        let mut whole = Node::EPSILON;
        let mut starts = Vec::with_capacity(parts.len());
        let mut at = 0;
        for part in parts {
            let kept = self.word(&word[at..part.start])?;
            whole = self.concat(whole, kept)?;
            starts.push(self.propagator.engine.lattice.layers.length(whole));
            whole = self.concat(whole, self.language(by))?;
            at = part.end;
        }
        let kept = self.word(&word[at..])?;
        whole = self.concat(whole, kept)?;
        let mut used = from.to_vec();
        used.push(by);
        self.narrow(r, whole, &used)?;
        used.push(r);
        for start in starts {
            let inner = self.slice(self.language(r), start, k)?;
            self.narrow(by, inner, &used)?;
        }
        Ok(())
    }

    /// The shortest leftmost non-empty match in `word` that starts at `from` or later.
    pub fn first_match(
        &mut self,
        automaton: &Sfa<A::Set>,
        word: &[Char],
        from: usize,
    ) -> Result<Option<Range<usize>>, Stop> {
        for start in from..word.len() {
            let mut states = vec![automaton.initial()];
            for (i, &c) in word.iter().enumerate().skip(start) {
                let mut next: Vec<StateId> = Vec::new();
                for &state in &states {
                    for m in automaton.moves_from(state) {
                        self.budget().tick()?;
                        if self
                            .propagator
                            .engine
                            .lattice
                            .layers
                            .algebra()
                            .contains(automaton.label(m.label), c)?
                        {
                            next.push(m.target);
                        }
                    }
                }
                next.sort_unstable();
                next.dedup();
                if next.iter().any(|&q| automaton.is_final(q)) {
                    return Ok(Some(start..i + 1));
                }
                states = next;
            }
        }
        Ok(None)
    }
}

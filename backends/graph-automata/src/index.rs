//! Transfer functions of operations with positions: characters, substrings, first and last occurrences.
//!
//! Source: the rows `charAt`, `substring`, `indexOf` and `lastIndexOf` of table 3.2.

use std::ops::Range;

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_automata::Node;
use backends_graph::{IntVertex, StringVertex};
use harness_model::Char;
use harness_model::int::Int;

use crate::context::PropagationContext;

impl<A: BooleanAlgebra> PropagationContext<'_, '_, A> {
    /// The character of that code, if the alphabet has it.
    pub fn character(&self, code: IntVertex) -> Option<Char> {
        let code = u32::try_from(self.int(code).small()?).ok().map(Char)?;
        self.propagator.graph.alphabet().contains(code).then_some(code)
    }

    /// `M(s) :∩ [i] {c} [*]`; refuted when `i` is outside or `c` is no character.
    pub fn char_at(&mut self, s: StringVertex, i: IntVertex, c: IntVertex) -> Result<(), Stop> {
        let n = self.length(s);
        match (self.position(i, n).filter(|&i| i < n), self.character(c)) {
            (Some(i), Some(c)) => {
                let one = self.word(&[c])?;
                let with = self.padded(i, one, n - i - 1)?;
                self.narrow(s, with, &[])
            }
            _ => {
                self.refute();
                Ok(())
            }
        }
    }

    /// The character at `i`; outside of the word, the empty word.
    pub fn at(&mut self, s: StringVertex, i: IntVertex, r: StringVertex) -> Result<(), Stop> {
        let n = self.length(s);
        let part = self.position(i, n).filter(|&i| i < n).map_or(0..0, |i| i..i + 1);
        self.part(s, part, r)
    }

    /// `M(s) :∩ [from] M(r) [*]`, `M(r) :∩ substrings(M(s), from, from + count)`: with SMT-LIB's total
    /// meaning, where the study has Java's partial one.
    pub fn substr(
        &mut self,
        s: StringVertex,
        from: IntVertex,
        count: IntVertex,
        r: StringVertex,
    ) -> Result<(), Stop> {
        let n = self.length(s);
        let part = match self.position(from, n) {
            Some(from) if *self.int(count) > Int::ZERO => {
                let left = n - from;
                from..from + self.position(count, left).unwrap_or(left)
            }
            _ => 0..0,
        };
        self.part(s, part, r)
    }

    /// `r` is this part of `s`.
    fn part(&mut self, s: StringVertex, part: Range<usize>, r: StringVertex) -> Result<(), Stop> {
        if !self.require(self.length(r) == part.len()) {
            return Ok(());
        }
        let around = self.padded(part.start, self.language(r), self.length(s) - part.end)?;
        self.narrow(s, around, &[r])?;
        let inner = self.slice(self.language(s), part.start, part.len())?;
        self.narrow(r, inner, &[s])
    }

    /// `i` is the first place from `from` on where `t` occurs in `s`, or -1.
    ///
    /// Table 3.2 has `([x] ∩ ¬M(b)) M(b) [*]` for `s`: that excludes that the first `x` characters *are* `b`,
    /// not that `b` occurs before `x`, overlaps included; and `substrings(M(a), c, ..)` for `t`, with `c` for
    /// `x`. Here: `t` is at `i`, and is not in the part from `from` to just before its own end. The exclusion
    /// needs one side to be a single word.
    pub fn index_of(
        &mut self,
        s: StringVertex,
        t: StringVertex,
        from: IntVertex,
        i: IntVertex,
    ) -> Result<(), Stop> {
        let (n, m) = (self.length(s), self.length(t));
        let found = self.position(i, n);
        let Some(from) = self.position(from, n) else {
            self.require(*self.int(i) == Int::MINUS_ONE);
            return Ok(());
        };
        if let Some(at) = found {
            let possible = at >= from && at + m <= n;
            return if self.require(possible) { self.found(s, t, at, from..at) } else { Ok(()) };
        }
        if self.require(*self.int(i) == Int::MINUS_ONE) && from + m <= n {
            self.absent(s, t, from..n - m + 1)?;
        }
        Ok(())
    }

    /// `i` is the last place up to `from` where `t` occurs in `s`, or -1.
    ///
    /// Table 3.2 has `[*] M(b) ([c-ℓ_b] ∩ ¬([*] M(b) [*]))` for `s`: occurrences that overlap the last one
    /// are missed. Here as for the first occurrence, from the other end.
    pub fn last_index_of(
        &mut self,
        s: StringVertex,
        t: StringVertex,
        from: IntVertex,
        i: IntVertex,
    ) -> Result<(), Stop> {
        let (n, m) = (self.length(s), self.length(t));
        if m > n || self.int(from).is_negative() {
            self.require(*self.int(i) == Int::MINUS_ONE);
            return Ok(());
        }
        let last = self.position(from, n - m).unwrap_or(n - m);
        if let Some(at) = self.position(i, n) {
            return if self.require(at <= last) { self.found(s, t, at, at + 1..last + 1) } else { Ok(()) };
        }
        if self.require(*self.int(i) == Int::MINUS_ONE) {
            self.absent(s, t, 0..last + 1)?;
        }
        Ok(())
    }

    /// `t` occurs in `s` at `at`, and at no place of `elsewhere`.
    fn found(
        &mut self,
        s: StringVertex,
        t: StringVertex,
        at: usize,
        elsewhere: Range<usize>,
    ) -> Result<(), Stop> {
        let (n, m) = (self.length(s), self.length(t));
        let around = self.padded(at, self.language(t), n - m - at)?;
        self.narrow(s, around, &[t])?;
        let inner = self.slice(self.language(s), at, m)?;
        self.narrow(t, inner, &[s])?;
        self.absent(s, t, elsewhere)
    }

    /// `t` occurs in `s` at no place of `places`, at each of which it would fit.
    pub fn absent(&mut self, s: StringVertex, t: StringVertex, places: Range<usize>) -> Result<(), Stop> {
        let m = self.length(t);
        if self.is_refuted() || places.is_empty() {
            return Ok(());
        }
        if m == 0 {
            self.refute();
            return Ok(());
        }
        if self.only(t)?.is_some() {
            let without = self.without(self.language(t), places.clone(), self.length(s))?;
            self.narrow(s, without, &[t])?;
        }
        if !self.is_refuted() && self.only(s)?.is_some() {
            let infixes = self.infixes(self.language(s), places, m)?;
            self.remove(t, infixes, &[s])?;
        }
        Ok(())
    }

    /// Words of `length` characters in which no word of `inner` starts at a place of `places`, at each of
    /// which it would fit.
    pub fn without(&mut self, inner: Node, places: Range<usize>, length: usize) -> Result<Node, Stop> {
        if places.is_empty() {
            return self.all_words(length);
        }
        let m = self.propagator.engine.lattice.layers.length(inner);
        let reach = places.len() - 1 + m;
        let any = self.all_words(reach)?;
        let free = self.with_or_without_infix(any, inner, false)?;
        self.padded(places.start, free, length - places.start - reach)
    }
}

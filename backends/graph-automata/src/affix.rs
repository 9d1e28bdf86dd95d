//! Transfer functions of equality, prefixes, suffixes, infixes and concatenation.
//!
//! Source: the rows `equals`, `startsWith`, `endsWith`, `contains` and `concat` of table 3.2. In the notation
//! of the comments, `M(s)` is the language of `s`, `[n]` every word of `n` characters, `|s|` the guessed
//! length.

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_graph::StringVertex;

use crate::context::PropagationContext;
use crate::limits::PartLimits;

impl<A: BooleanAlgebra> PropagationContext<'_, '_, A> {
    /// `a = b`: both languages become their intersection. Negative: a side that is one word is taken from the
    /// other side (the second of the study's three cases in section 3.6.1; the third, that both have more
    /// words, is the search's).
    pub fn equal(&mut self, a: StringVertex, b: StringVertex, positive: bool) -> Result<(), Stop> {
        if positive {
            if a != b && self.require(self.length(a) == self.length(b)) {
                self.narrow(a, self.language(b), &[b])?;
                self.narrow(b, self.language(a), &[a])?;
            }
            return Ok(());
        }
        if a == b {
            self.refute();
        } else if self.length(a) == self.length(b) {
            if self.only(a)?.is_some() {
                self.remove(b, self.language(a), &[a])?;
            }
            if self.only(b)?.is_some() {
                self.remove(a, self.language(b), &[b])?;
            }
        }
        Ok(())
    }

    /// `M(s) :∩ M(t) [|s|-|t|]`, `M(t) :∩ prefixes(M(s))`. The table has the first without the intersection
    /// sign and writes `M_s` for the second's `M_a`: slips of the print. Negative: a side that is one word
    /// decides for the other.
    pub fn starts_with(&mut self, s: StringVertex, t: StringVertex, positive: bool) -> Result<(), Stop> {
        let (n, m) = (self.length(s), self.length(t));
        if self.is_settled(s, t, positive) {
            return Ok(());
        }
        if positive || self.only(t)?.is_some() {
            let with = self.padded(0, self.language(t), n - m)?;
            if positive { self.narrow(s, with, &[t])? } else { self.remove(s, with, &[t])? }
        }
        if positive || self.only(s)?.is_some() {
            let prefixes = self.slice(self.language(s), 0, m)?;
            if positive { self.narrow(t, prefixes, &[s])? } else { self.remove(t, prefixes, &[s])? }
        }
        Ok(())
    }

    /// `M(s) :∩ [|s|-|t|] M(t)`, `M(t) :∩ suffixes(M(s))`. Negative as for prefixes.
    pub fn ends_with(&mut self, s: StringVertex, t: StringVertex, positive: bool) -> Result<(), Stop> {
        let (n, m) = (self.length(s), self.length(t));
        if self.is_settled(s, t, positive) {
            return Ok(());
        }
        if positive || self.only(t)?.is_some() {
            let with = self.padded(n - m, self.language(t), 0)?;
            if positive { self.narrow(s, with, &[t])? } else { self.remove(s, with, &[t])? }
        }
        if positive || self.only(s)?.is_some() {
            let suffixes = self.slice(self.language(s), n - m, m)?;
            if positive { self.narrow(t, suffixes, &[s])? } else { self.remove(t, suffixes, &[s])? }
        }
        Ok(())
    }

    /// `M(s) :∩ [*] M(t) [*]`, `M(t) :∩ substrings(M(s), 0, ∞)`. Negative: a side that is one word decides
    /// for the other.
    pub fn contains(&mut self, s: StringVertex, t: StringVertex, positive: bool) -> Result<(), Stop> {
        let (n, m) = (self.length(s), self.length(t));
        if self.is_settled(s, t, positive) {
            return Ok(());
        }
        if positive
            && let Some(limits) = self.propagator.parts
            && self.only(t)?.is_none()
            && self.only(s)?.is_none()
        {
            return self.contains_some(s, t, limits);
        }
        if positive || self.only(t)?.is_some() {
            let (left, inner) = (self.language(s), self.language(t));
            let new = self.with_or_without_infix(left, inner, positive)?;
            self.set(s, new, &[t])?;
        }
        if !self.is_refuted() && (positive || self.only(s)?.is_some()) {
            let infixes = self.infixes(self.language(s), 0..=n - m, m)?;
            if positive { self.narrow(t, infixes, &[s])? } else { self.remove(t, infixes, &[s])? }
        }
        Ok(())
    }

    /// `contains` while neither word is known, within the limits. A side that meets them stays as it is; the
    /// edge is applied in full once one of the words is known.
    fn contains_some(&mut self, s: StringVertex, t: StringVertex, limits: PartLimits) -> Result<(), Stop> {
        let (places, steps) = (0..=self.length(s) - self.length(t), limits.steps);
        let (whole, part, budget) = (self.language(s), self.language(t), self.propagator.budget);
        if let Some(with) = self.layers().with_infix(whole, part, steps, budget)? {
            self.set(s, with, &[t])?;
        }
        if self.is_refuted() {
            return Ok(());
        }
        let whole = self.language(s);
        if let Some(parts) = self.layers().infixes_within(whole, places, part, steps, budget)? {
            self.set(t, parts, &[s])?;
        }
        Ok(())
    }

    /// Whether "`t` is a part of `s`" is decided already: a word is part of itself, the empty word of every
    /// word, a longer one of none. If so, the edge is refuted where it must be, and `|t| <= |s|` otherwise.
    fn is_settled(&mut self, s: StringVertex, t: StringVertex, positive: bool) -> bool {
        let (n, m) = (self.length(s), self.length(t));
        let holds = s == t || m == 0;
        if holds || m > n {
            self.require(holds == positive);
            return true;
        }
        false
    }

    /// `M(r) :∩ M(a) M(b)`, `M(a) :∩ prefixes`, `M(b) :∩ suffixes of M(r)`, at the place `|a|`. The table
    /// starts `b` at `ℓ_b`, and has no intersection sign: slips; `b` starts where `a` ends.
    pub fn concatenation(&mut self, a: StringVertex, b: StringVertex, r: StringVertex) -> Result<(), Stop> {
        let (first, second) = (self.length(a), self.length(b));
        if !self.require(first + second == self.length(r)) {
            return Ok(());
        }
        let both = self.concat(self.language(a), self.language(b))?;
        self.narrow(r, both, &[a, b])?;
        let front = self.slice(self.language(r), 0, first)?;
        self.narrow(a, front, &[r])?;
        let back = self.slice(self.language(r), first, second)?;
        self.narrow(b, back, &[r])
    }
}

//! Transfer functions of replacing every occurrence.
//!
//! The study leaves these operations out. For a known word to replace, `s` and `r` are read side by side: a
//! character is copied, or the word in `s` stands against the replacement in `r`. That occurrences are taken
//! from the left and without overlap is kept by an automaton that knows how much of the word the copied
//! characters end with (Knuth, Morris and Pratt).

use std::ops::Range;

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_automata::Node;
use backends_graph::StringVertex;
use harness_model::{Char, Regex};
use rustc_hash::FxHashMap;

use crate::context::PropagationContext;

impl<A: BooleanAlgebra> PropagationContext<'_, '_, A> {
    /// `r` is `s` with every occurrence of a non-empty `t` become `by`. Narrows once `t` is one word.
    pub fn replace_all(
        &mut self,
        s: StringVertex,
        t: StringVertex,
        by: StringVertex,
        r: StringVertex,
    ) -> Result<(), Stop> {
        let m = self.length(t);
        if m == 0 {
            return self.equal(s, r, true);
        }
        let Some(inner) = self.only(t)? else { return Ok(()) };
        if let Some(word) = self.only(s)? {
            let mut parts: Vec<Range<usize>> = Vec::new();
            let mut at = 0;
            while at + m <= word.len() {
                if word.chars()[at..].starts_with(inner.chars()) {
                    parts.push(at..at + m);
                    at += m;
                } else {
                    at += 1;
                }
            }
            return self.replaced(word.chars(), &parts, &[s, t], by, r);
        }
        let mut alignment = Alignment::new(inner.chars(), self.language(by), self.length(by));
        let (left, right) = alignment.walk(self, self.language(s), self.language(r), 0)?;
        self.narrow(s, left, &[t, by, r])?;
        self.narrow(r, right, &[s, t, by])
    }

    /// `r` is `s` with every shortest leftmost non-empty match become `by`. Narrows once `s` is one word.
    pub fn replace_re_all(
        &mut self,
        s: StringVertex,
        regex: &Regex,
        by: StringVertex,
        r: StringVertex,
    ) -> Result<(), Stop> {
        let Some(word) = self.only(s)? else { return Ok(()) };
        let pattern = self.propagator.pattern(self.edge, regex)?;
        let mut parts: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        while let Some(found) = self.first_match(&pattern.whole, word.chars(), at)? {
            at = found.end;
            parts.push(found);
        }
        self.replaced(word.chars(), &parts, &[s], by, r)
    }
}

/// Reads both words side by side.
struct Alignment<'w> {
    word: &'w [Char],
    by: Node,
    by_length: usize,
    /// How much of the word is left as a suffix when it was matched so far and then failed.
    fallback: Vec<usize>,
    /// By how much of the word the copied characters end with: whether the word may start now, so that no
    /// occurrence starts before it and ends in it.
    may_start: Vec<bool>,
    known: FxHashMap<(Node, Node, usize), (Node, Node)>,
}

impl<'w> Alignment<'w> {
    fn new(word: &'w [Char], by: Node, by_length: usize) -> Self {
        // fallback[q]: the longest proper border of the first q characters.
        let mut fallback = vec![0; word.len() + 1];
        let mut border = 0;
        for q in 1..word.len() {
            while border > 0 && word[q] != word[border] {
                border = fallback[border];
            }
            if word[q] == word[border] {
                border += 1;
            }
            fallback[q + 1] = border;
        }
        let mut this =
            Self { word, by, by_length, fallback, may_start: Vec::new(), known: FxHashMap::default() };
        this.may_start = (0..word.len())
            .map(|start| {
                let mut q = start;
                word.iter().enumerate().all(|(i, &c)| {
                    q = this.step(q, c);
                    let is_full = q == word.len();
                    is_full == (i + 1 == word.len())
                })
            })
            .collect();
        this
    }

    /// How much of the word is matched after one more character.
    fn step(&self, mut q: usize, c: Char) -> usize {
        loop {
            if self.word.get(q) == Some(&c) {
                return q + 1;
            }
            if q == 0 {
                return 0;
            }
            q = self.fallback[q];
        }
    }

    /// The words of `left` and of `right` that have a partner on the other side, when the copied characters
    /// before end with `q` characters of the word. Exact on the left where the replacement is one word.
    fn walk<A: BooleanAlgebra>(
        &mut self,
        context: &mut PropagationContext<'_, '_, A>,
        left: Node,
        right: Node,
        q: usize,
    ) -> Result<(Node, Node), Stop> {
        if left == Node::EPSILON {
            let both = if right == Node::EPSILON { Node::EPSILON } else { Node::EMPTY };
            return Ok((both, both));
        }
        if left.is_empty() || right.is_empty() {
            return Ok((Node::EMPTY, Node::EMPTY));
        }
        if let Some(&known) = self.known.get(&(left, right, q)) {
            return Ok(known);
        }
        let (mut lefts, mut rights) = (Vec::new(), Vec::new());
        for &(l, next_left) in context.layers().moves(left).iter() {
            for &(m, next_right) in context.layers().moves(right).iter() {
                context.budget().tick()?;
                let layers = context.layers();
                let common = layers.algebra().intersection(layers.label(l), layers.label(m))?;
                for (set, next) in self.split(context, common, q)? {
                    let (a, b) = self.walk(context, next_left, next_right, next)?;
                    lefts.push((set.clone(), a));
                    rights.push((set, b));
                }
            }
        }
        let mut result = (context.layers().node(lefts)?, context.layers().node(rights)?);
        let rest = context.layers().length(right).checked_sub(self.by_length).filter(|_| self.may_start[q]);
        if let Some(rest) = rest {
            let next_left = context.layers().derivative(left, self.word)?;
            let with = context.padded(0, self.by, rest)?;
            let starting = context.intersection(right, with)?;
            let next_right = context.slice(starting, self.by_length, rest)?;
            let (a, b) = self.walk(context, next_left, next_right, 0)?;
            if !a.is_empty() {
                let word = context.word(self.word)?;
                let a = context.concat(word, a)?;
                let b = context.concat(self.by, b)?;
                let b = context.intersection(starting, b)?;
                result = (context.union(result.0, a)?, context.union(result.1, b)?);
            }
        }
        self.known.insert((left, right, q), result);
        Ok(result)
    }

    /// A set of characters by how much of the word is matched after them, those that complete it left out.
    fn split<A: BooleanAlgebra>(
        &self,
        context: &mut PropagationContext<'_, '_, A>,
        set: A::Set,
        q: usize,
    ) -> Result<Vec<(A::Set, usize)>, Stop> {
        let mut rest = set;
        let mut parts = Vec::new();
        let mut seen: Vec<Char> = Vec::new();
        for &c in self.word {
            if seen.contains(&c) || !context.layers().algebra().contains(&rest, c)? {
                continue;
            }
            seen.push(c);
            let single = context.layers().single(c)?;
            rest = context.layers().algebra().difference(&rest, &single)?;
            let next = self.step(q, c);
            if next < self.word.len() {
                parts.push((single, next));
            }
        }
        if !context.layers().algebra().is_empty(&rest)? {
            parts.push((rest, 0));
        }
        Ok(parts)
    }
}

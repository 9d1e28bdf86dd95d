//! Transfer functions of lexicographic order. The study leaves these operations out.

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_automata::Node;
use backends_automata::layered::{Spread, deep};
use backends_graph::{IntVertex, StringVertex};
use harness_model::Char;
use rustc_hash::FxHashMap;

use crate::context::PropagationContext;

impl<A: BooleanAlgebra> PropagationContext<'_, '_, A> {
    /// `s` is before `t`, or equal to it where `or_equal`: `s` is before the greatest word of `t`, and `t`
    /// after the least of `s`. Exact for each side.
    pub fn less(&mut self, s: StringVertex, t: StringVertex, or_equal: bool) -> Result<(), Stop> {
        if s == t {
            self.require(or_equal);
            return Ok(());
        }
        let (language, budget) = (self.language(t), self.propagator.budget);
        let greatest = self.layers().greatest_word(language, budget)?;
        if let Some(word) = greatest {
            let before = self.beside(word.chars(), self.length(s), true, or_equal)?;
            self.narrow(s, before, &[t])?;
        }
        let language = self.language(s);
        let least = self.layers().least_word(language, budget)?;
        if let Some(word) = least {
            let after = self.beside(word.chars(), self.length(t), false, or_equal)?;
            self.narrow(t, after, &[s])?;
        }
        Ok(())
    }

    /// The words of `n` characters before `word` or, if not `before`, after it; with itself where `or_equal`.
    fn beside(&mut self, word: &[Char], n: usize, before: bool, or_equal: bool) -> Result<Node, Stop> {
        let common = n.min(word.len());
        // What may follow once the shorter one is used up: the shorter one is before the longer one.
        let mut node = match (n.cmp(&word.len()), before) {
            (std::cmp::Ordering::Equal, _) if or_equal => Node::EPSILON,
            (std::cmp::Ordering::Less, true) => Node::EPSILON,
            (std::cmp::Ordering::Greater, false) => self.all_words(n - common)?,
            _ => Node::EMPTY,
        };
        let max = self.propagator.graph.alphabet().max().0;
        for (i, &c) in word[..common].iter().enumerate().rev() {
            let range = match (before, c.0) {
                (true, 0) => None,
                (true, c) => Some((0, c - 1)),
                (false, c) if c >= max => None,
                (false, c) => Some((c + 1, max)),
            };
            let mut parts = vec![(self.layers().single(c)?, node)];
            if let Some(range) = range {
                let rest = self.all_words(n - i - 1)?;
                parts.push((self.layers().algebra().of_ranges(&[range])?, rest));
            }
            node = self.layers().node(parts)?;
        }
        Ok(node)
    }

    /// `i` is the difference of the first characters that differ, or of the lengths. Each side gets the words
    /// that have a partner on the other side: exact.
    pub fn compare_to(&mut self, s: StringVertex, t: StringVertex, i: IntVertex) -> Result<(), Stop> {
        let Some(difference) = self.int(i).small() else {
            self.refute();
            return Ok(());
        };
        if s == t {
            self.require(difference == 0);
            return Ok(());
        }
        let left = Partners::find(self, s, t, difference)?;
        self.narrow(s, left, &[t])?;
        let right = Partners::find(self, t, s, difference.saturating_neg())?;
        self.narrow(t, right, &[s])
    }
}

/// The walk over pairs of nodes that have been equal so far.
struct Partners {
    difference: i64,
    known: FxHashMap<(Node, Node), Node>,
}

impl Partners {
    fn find<A: BooleanAlgebra>(
        context: &mut PropagationContext<'_, '_, A>,
        s: StringVertex,
        t: StringVertex,
        difference: i64,
    ) -> Result<Node, Stop> {
        let mut this = Self { difference, known: FxHashMap::default() };
        let (left, right) = (context.language(s), context.language(t));
        this.walk(context, left, right)
    }

    /// The words of `left` that compare with some word of `right` by the difference.
    fn walk<A: BooleanAlgebra>(
        &mut self,
        context: &mut PropagationContext<'_, '_, A>,
        left: Node,
        right: Node,
    ) -> Result<Node, Stop> {
        if left == Node::EPSILON || right == Node::EPSILON {
            let (n, m) = (context.layers().length(left), context.layers().length(right));
            let by_length = i64::try_from(n).unwrap_or(i64::MAX) - i64::try_from(m).unwrap_or(i64::MAX);
            return Ok(if by_length == self.difference { left } else { Node::EMPTY });
        }
        if let Some(&known) = self.known.get(&(left, right)) {
            return Ok(known);
        }
        let mut parts = Vec::new();
        for &(l, next_left) in context.layers().moves(left).iter() {
            for &(m, next_right) in context.layers().moves(right).iter() {
                context.budget().tick()?;
                let layers = context.layers();
                let common = layers.algebra().intersection(layers.label(l), layers.label(m))?;
                if !layers.algebra().is_empty(&common)? {
                    let both = deep(|| self.walk(context, next_left, next_right))?;
                    parts.push((common, both));
                }
                if self.difference != 0 {
                    let budget = context.propagator.budget;
                    let spread = context.layers().spread(m, budget)?;
                    let max = context.propagator.graph.alphabet().max().0;
                    let moved = shifted(&spread, self.difference, max);
                    let layers = context.layers();
                    let moved = layers.algebra().of_ranges(&moved)?;
                    let apart = layers.algebra().intersection(layers.label(l), &moved)?;
                    parts.push((apart, next_left));
                }
            }
        }
        let budget = context.propagator.budget;
        let result = context.layers().join(parts, budget)?;
        self.known.insert((left, right), result);
        Ok(result)
    }
}

/// The characters `by` further on, as far as there are any up to `max`.
fn shifted(spread: &Spread, by: i64, max: u32) -> Vec<(u32, u32)> {
    let mut moved = Vec::new();
    for &(low, high) in spread.ranges() {
        let low = i64::from(low).saturating_add(by).max(0);
        let high = i64::from(high).saturating_add(by).min(i64::from(max));
        if let (Ok(low), Ok(high)) = (u32::try_from(low), u32::try_from(high))
            && low <= high
        {
            moved.push((low, high));
        }
    }
    moved
}

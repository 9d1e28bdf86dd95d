//! Concatenation, and parts of words: prefixes, suffixes, slices, what is left when a part is cut out.
//!
//! Source: the operations that table 3.2 of the study names; by sets of states at one distance from the
//! start.

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Layers, Memo, Node, deep};
use crate::rational::Image;

impl<A: BooleanAlgebra> Layers<A> {
    /// A word of `a`, then a word of `b`.
    pub fn concat(&mut self, a: Node, b: Node, budget: &Budget) -> Result<Node, Stop> {
        if a.is_empty() || b.is_empty() {
            return Ok(Node::EMPTY);
        }
        if a == Node::EPSILON {
            return Ok(b);
        }
        if b == Node::EPSILON {
            return Ok(a);
        }
        let key = (Memo::Concat, a.0, b.0);
        if let Some(&known) = self.memo.get(&key) {
            return Ok(known);
        }
        budget.tick()?;
        let mut parts = Vec::new();
        for &(label, target) in self.moves(a).iter() {
            let target = deep(|| self.concat(target, b, budget))?;
            parts.push((self.label(label).clone(), target));
        }
        let result = self.node(parts)?;
        self.memo.insert(key, result);
        Ok(result)
    }

    /// Words of `before` characters, then of `inner`, then of `after` characters.
    pub fn padded(
        &mut self,
        before: usize,
        inner: Node,
        after: usize,
        budget: &Budget,
    ) -> Result<Node, Stop> {
        let (before, after) = (self.all_words(before)?, self.all_words(after)?);
        let rest = self.concat(inner, after, budget)?;
        self.concat(before, rest, budget)
    }

    /// The first `count` characters of each word; all of them where there are no more.
    pub fn prefix(&mut self, a: Node, count: usize, budget: &Budget) -> Result<Node, Stop> {
        if a.is_empty() || count >= self.length(a) {
            return Ok(a);
        }
        if count == 0 {
            return Ok(Node::EPSILON);
        }
        let key = (Memo::Prefix, a.0, u32::try_from(count).unwrap_or(u32::MAX));
        if let Some(&known) = self.memo.get(&key) {
            return Ok(known);
        }
        budget.tick()?;
        let mut parts = Vec::new();
        for &(label, target) in self.moves(a).iter() {
            let target = deep(|| self.prefix(target, count - 1, budget))?;
            parts.push((self.label(label).clone(), target));
        }
        let result = self.node(parts)?;
        self.memo.insert(key, result);
        Ok(result)
    }

    /// Each word without its first `count` characters.
    pub fn without_prefix(&mut self, a: Node, count: usize, budget: &Budget) -> Result<Node, Stop> {
        if count == 0 || a.is_empty() {
            return Ok(a);
        }
        let key = (Memo::Suffix, a.0, u32::try_from(count).unwrap_or(u32::MAX));
        if let Some(&known) = self.memo.get(&key) {
            return Ok(known);
        }
        let mut result = Node::EMPTY;
        for node in self.at_depth(a, count, budget)? {
            result = self.union(result, node, budget)?;
        }
        self.memo.insert(key, result);
        Ok(result)
    }

    /// The states at this distance from the start, each once, ascending.
    pub fn at_depth(&self, a: Node, depth: usize, budget: &Budget) -> Result<Vec<Node>, Stop> {
        let mut layer = vec![a];
        for _ in 0..depth {
            let mut seen = FxHashSet::default();
            for &node in &layer {
                for &(_, target) in self.moves(node).iter() {
                    budget.tick()?;
                    seen.insert(target);
                }
            }
            layer = seen.into_iter().collect();
            layer.sort_unstable();
        }
        Ok(layer)
    }

    /// The `count` characters of each word from position `from` on, all of which exist.
    pub fn slice(&mut self, a: Node, from: usize, count: usize, budget: &Budget) -> Result<Node, Stop> {
        let start = self.prefix(a, from + count, budget)?;
        self.without_prefix(start, from, budget)
    }

    /// Each word without the `count` characters from position `from` on, all of which exist.
    pub fn cut(&mut self, a: Node, from: usize, count: usize, budget: &Budget) -> Result<Node, Stop> {
        self.at_position(a, from, budget, &mut |layers, node| layers.without_prefix(node, count, budget))
    }

    /// Each word with a word of `inner` put in before position `at`.
    pub fn insert(&mut self, a: Node, at: usize, inner: Node, budget: &Budget) -> Result<Node, Stop> {
        self.at_position(a, at, budget, &mut |layers, node| layers.concat(inner, node, budget))
    }

    /// The words of `a` that have a character of `set` at position `at`.
    pub fn with_char(&mut self, a: Node, at: usize, set: &A::Set, budget: &Budget) -> Result<Node, Stop> {
        self.at_position(a, at, budget, &mut |layers, node| {
            let mut parts = Vec::new();
            for &(label, target) in layers.moves(node).iter() {
                let label = layers.algebra.intersection(layers.label(label), set)?;
                if !layers.algebra.is_empty(&label)? {
                    parts.push((label, target));
                }
            }
            layers.node(parts)
        })
    }

    /// `a` with each state at distance `depth` from the start, which exists, replaced by what `change` makes
    /// of it: all of one length.
    pub fn at_position(
        &mut self,
        a: Node,
        depth: usize,
        budget: &Budget,
        change: &mut dyn FnMut(&mut Self, Node) -> Result<Node, Stop>,
    ) -> Result<Node, Stop> {
        self.change(a, depth, budget, change, &mut FxHashMap::default())
    }

    fn change(
        &mut self,
        a: Node,
        depth: usize,
        budget: &Budget,
        change: &mut dyn FnMut(&mut Self, Node) -> Result<Node, Stop>,
        known: &mut FxHashMap<Node, Node>,
    ) -> Result<Node, Stop> {
        if a.is_empty() {
            return Ok(a);
        }
        if depth == 0 {
            return change(self, a);
        }
        if let Some(&result) = known.get(&a) {
            return Ok(result);
        }
        budget.tick()?;
        let mut parts = Vec::new();
        for &(label, target) in self.moves(a).iter() {
            let target = deep(|| self.change(target, depth - 1, budget, change, known))?;
            parts.push((self.label(label).clone(), target));
        }
        let result = self.node(parts)?;
        known.insert(a, result);
        Ok(result)
    }

    /// Each word with every character replaced by one of `image` of the label that it was read by: the image
    /// of a whole label, so `image` must respect unions.
    pub fn map(&mut self, a: Node, image: &mut Image<'_, A>, budget: &Budget) -> Result<Node, Stop> {
        let mut images = FxHashMap::default();
        self.map_with(a, image, &mut images, &mut FxHashMap::default(), budget)
    }

    fn map_with(
        &mut self,
        a: Node,
        image: &mut Image<'_, A>,
        images: &mut FxHashMap<crate::LabelId, A::Set>,
        known: &mut FxHashMap<Node, Node>,
        budget: &Budget,
    ) -> Result<Node, Stop> {
        if a.is_empty() || a == Node::EPSILON {
            return Ok(a);
        }
        if let Some(&result) = known.get(&a) {
            return Ok(result);
        }
        budget.tick()?;
        let mut parts = Vec::new();
        for &(label, target) in self.moves(a).iter() {
            let target = deep(|| self.map_with(target, image, images, known, budget))?;
            let set = match images.get(&label) {
                Some(set) => set.clone(),
                None => {
                    let set = image(&self.algebra, self.label(label))?;
                    images.insert(label, set.clone());
                    set
                }
            };
            parts.push((set, target));
        }
        let result = self.join(parts, budget)?;
        known.insert(a, result);
        Ok(result)
    }
}

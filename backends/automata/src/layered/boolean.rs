//! Union, intersection and difference: one walk over pairs of nodes, each pair once.

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};

use super::{Layers, Memo, Node, deep};

impl<A: BooleanAlgebra> Layers<A> {
    /// The words in both; of different lengths, none.
    pub fn intersection(&mut self, a: Node, b: Node, budget: &Budget) -> Result<Node, Stop> {
        if a == b {
            return Ok(a);
        }
        if a.is_empty() || b.is_empty() || self.length(a) != self.length(b) {
            return Ok(Node::EMPTY);
        }
        if self.is_full(a) {
            return Ok(b);
        }
        if self.is_full(b) {
            return Ok(a);
        }
        let key = (Memo::Intersection, a.0.min(b.0), a.0.max(b.0));
        if let Some(&known) = self.memo.get(&key) {
            return Ok(known);
        }
        let mut parts = Vec::new();
        for &(l, left) in self.moves(a).iter() {
            for &(m, right) in self.moves(b).iter() {
                budget.tick()?;
                let common = self.common(l, m)?;
                if l == m || !self.algebra.is_empty(&common)? {
                    parts.push((common, deep(|| self.intersection(left, right, budget))?));
                }
            }
        }
        let result = self.node(parts)?;
        self.memo.insert(key, result);
        Ok(result)
    }

    /// The words of `a` that are not in `b`.
    pub fn difference(&mut self, a: Node, b: Node, budget: &Budget) -> Result<Node, Stop> {
        if a == b {
            return Ok(Node::EMPTY);
        }
        if a.is_empty() || b.is_empty() || self.length(a) != self.length(b) {
            return Ok(a);
        }
        if self.is_full(b) {
            return Ok(Node::EMPTY);
        }
        let key = (Memo::Difference, a.0, b.0);
        if let Some(&known) = self.memo.get(&key) {
            return Ok(known);
        }
        let mut parts = Vec::new();
        for &(l, left) in self.moves(a).iter() {
            let mut rest = self.label(l).clone();
            for &(m, right) in self.moves(b).iter() {
                budget.tick()?;
                let common = self.common(l, m)?;
                if l == m || !self.algebra.is_empty(&common)? {
                    rest = self.algebra.difference(&rest, &common)?;
                    parts.push((common, deep(|| self.difference(left, right, budget))?));
                }
            }
            if !self.algebra.is_empty(&rest)? {
                parts.push((rest, left));
            }
        }
        let result = self.node(parts)?;
        self.memo.insert(key, result);
        Ok(result)
    }

    /// The words in either. Both are of one length, or empty.
    pub fn union(&mut self, a: Node, b: Node, budget: &Budget) -> Result<Node, Stop> {
        if a == b || b.is_empty() || self.is_full(a) && !a.is_empty() {
            return Ok(a);
        }
        if a.is_empty() || self.is_full(b) {
            return Ok(b);
        }
        debug_assert_eq!(self.length(a), self.length(b), "a union is of words of one length");
        let key = (Memo::Union, a.0.min(b.0), a.0.max(b.0));
        if let Some(&known) = self.memo.get(&key) {
            return Ok(known);
        }
        let others = self.moves(b);
        let mut rests = Vec::with_capacity(others.len());
        for &(m, _) in others.iter() {
            rests.push(self.label(m).clone());
        }
        let mut parts = Vec::new();
        for &(l, left) in self.moves(a).iter() {
            let mut rest = self.label(l).clone();
            for (i, &(m, right)) in others.iter().enumerate() {
                budget.tick()?;
                let common = self.common(l, m)?;
                if l == m || !self.algebra.is_empty(&common)? {
                    rest = self.algebra.difference(&rest, &common)?;
                    rests[i] = self.algebra.difference(&rests[i], &common)?;
                    parts.push((common, deep(|| self.union(left, right, budget))?));
                }
            }
            if !self.algebra.is_empty(&rest)? {
                parts.push((rest, left));
            }
        }
        for (rest, &(_, right)) in rests.into_iter().zip(others.iter()) {
            if !self.algebra.is_empty(&rest)? {
                parts.push((rest, right));
            }
        }
        let result = self.node(parts)?;
        self.memo.insert(key, result);
        Ok(result)
    }

    /// Whether every word of `a` is in `b`.
    pub fn is_subset(&mut self, a: Node, b: Node, budget: &Budget) -> Result<bool, Stop> {
        Ok(self.difference(a, b, budget)?.is_empty())
    }

    /// The characters of both labels.
    fn common(&self, l: crate::LabelId, m: crate::LabelId) -> Result<A::Set, Stop> {
        if l == m {
            return Ok(self.label(l).clone());
        }
        self.algebra.intersection(self.label(l), self.label(m))
    }
}

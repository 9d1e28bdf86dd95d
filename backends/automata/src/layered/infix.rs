//! The words of fixed length that have an infix in another language of fixed length.
//!
//! What [`Layers::restrict`] does with the automaton of [`Layers::containing`], for languages of many words:
//! a set of states is the infixes that have begun. An infix that is longer than the rest of the word is
//! dropped. Where every rest of the word completes one that has begun, the walk ends. So `?????x????` in
//! words of any length takes as many sets as there are places, where the plain product has one for each set
//! of places of an `x`. With two known characters at a distance the smallest automaton is that large itself;
//! therefore the work is limited.
//!
//! Source: ours; the product is that of `restrict`.

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::{Layers, Node, deep};

/// What is left to be read of infixes that have begun: ascending, each once.
type Begun = Box<[Node]>;

/// The walk over `Layers` for one question.
struct Walk<'b> {
    inner: Node,
    budget: &'b Budget,
    /// The count of steps at which the walk is given up.
    end: u64,
    known: FxHashMap<(Node, Begun), Node>,
    completed: FxHashMap<(Node, Node), bool>,
}

impl<A: BooleanAlgebra> Layers<A> {
    /// The words of `a` that have an infix in `inner`; `None` when that takes more than about `steps` steps.
    pub fn with_infix(
        &mut self,
        a: Node,
        inner: Node,
        steps: u64,
        budget: &Budget,
    ) -> Result<Option<Node>, Stop> {
        let end = budget.steps().saturating_add(steps);
        let (known, completed) = (FxHashMap::default(), FxHashMap::default());
        Walk { inner, budget, end, known, completed }.with(self, a, Vec::new())
    }

    /// The words of `within` that are an infix of a word of `a` at one of `starts`; `None` when that takes
    /// more than about `steps` steps.
    pub fn infixes_within(
        &mut self,
        a: Node,
        starts: impl Iterator<Item = usize>,
        within: Node,
        steps: u64,
        budget: &Budget,
    ) -> Result<Option<Node>, Stop> {
        let end = budget.steps().saturating_add(steps);
        let (mut all, count) = (Node::EMPTY, self.length(within));
        for from in starts {
            let part = self.prefix(a, from + count, budget)?;
            if budget.steps() > end {
                return Ok(None);
            }
            for node in self.at_depth(part, from, budget)? {
                if budget.steps() > end {
                    return Ok(None);
                }
                let node = self.intersection(node, within, budget)?;
                all = self.union(all, node, budget)?;
                if all == within {
                    return Ok(Some(all));
                }
            }
        }
        Ok(Some(all))
    }
}

impl Walk<'_> {
    /// The words of `a` that complete an infix that has begun, or have a whole one.
    fn with<A: BooleanAlgebra>(
        &mut self,
        layers: &mut Layers<A>,
        a: Node,
        mut begun: Vec<Node>,
    ) -> Result<Option<Node>, Stop> {
        begun.push(self.inner);
        begun.retain(|&node| !node.is_empty() && layers.length(node) <= layers.length(a));
        if a.is_empty() || begun.is_empty() {
            return Ok(Some(Node::EMPTY));
        }
        begun.sort_unstable();
        begun.dedup();
        for &node in &begun {
            if self.is_completed(layers, a, node)? {
                return Ok(Some(a));
            }
        }
        let key = (a, begun.into_boxed_slice());
        if let Some(&known) = self.known.get(&key) {
            return Ok(Some(known));
        }
        let mut parts = Vec::new();
        for &(label, target) in layers.moves(a).iter() {
            let mut pieces: Vec<(A::Set, Vec<Node>)> = vec![(layers.label(label).clone(), Vec::new())];
            for &node in &key.1 {
                for &(label, next) in layers.moves(node).iter() {
                    for i in 0..pieces.len() {
                        self.budget.tick()?;
                        let characters = layers.label(label);
                        let inside = layers.algebra.intersection(&pieces[i].0, characters)?;
                        if layers.algebra.is_empty(&inside)? {
                            continue;
                        }
                        let outside = layers.algebra.difference(&pieces[i].0, characters)?;
                        if !layers.algebra.is_empty(&outside)? {
                            let begun = pieces[i].1.clone();
                            pieces.push((outside, begun));
                        }
                        pieces[i].0 = inside;
                        pieces[i].1.push(next);
                    }
                }
            }
            if self.budget.steps() > self.end {
                return Ok(None);
            }
            for (characters, begun) in pieces {
                let Some(rest) = deep(|| self.with(layers, target, begun))? else { return Ok(None) };
                parts.push((characters, rest));
            }
        }
        let result = layers.node(parts)?;
        self.known.insert(key, result);
        Ok(Some(result))
    }

    /// Whether every word of `a` begins with a word of `begun`.
    fn is_completed<A: BooleanAlgebra>(
        &mut self,
        layers: &Layers<A>,
        a: Node,
        begun: Node,
    ) -> Result<bool, Stop> {
        if begun == Node::EPSILON || a == begun || layers.is_full(begun) {
            return Ok(true);
        }
        if let Some(&known) = self.completed.get(&(a, begun)) {
            return Ok(known);
        }
        let completed = self.is_completed_by_each(layers, a, begun)?;
        self.completed.insert((a, begun), completed);
        Ok(completed)
    }

    fn is_completed_by_each<A: BooleanAlgebra>(
        &mut self,
        layers: &Layers<A>,
        a: Node,
        begun: Node,
    ) -> Result<bool, Stop> {
        // At the limit `with` gives up: to say no before that loses a shortcut alone.
        if self.budget.steps() > self.end {
            return Ok(false);
        }
        for &(label, target) in layers.moves(a).iter() {
            let mut rest = layers.label(label).clone();
            for &(label, next) in layers.moves(begun).iter() {
                self.budget.tick()?;
                let common = layers.algebra.intersection(&rest, layers.label(label))?;
                if layers.algebra.is_empty(&common)? {
                    continue;
                }
                if !deep(|| self.is_completed(layers, target, next))? {
                    return Ok(false);
                }
                rest = layers.algebra.difference(&rest, &common)?;
            }
            if !layers.algebra.is_empty(&rest)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

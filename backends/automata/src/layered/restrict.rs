//! The words of fixed length that an automaton of any kind accepts, or does not: a product with the
//! automaton, determinised on the way, so that only what the words can reach is looked at.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, figure 3.6, the left side acyclic.

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::{Layers, Node, deep};
use crate::builder::SfaBuilder;
use crate::sfa::{LabelId, Sfa, StateId};

type States = Box<[StateId]>;

impl<A: BooleanAlgebra> Layers<A> {
    /// The words of `a` that `automaton` accepts, or, when `accepted` is false, those that it does not
    /// accept.
    pub fn restrict(
        &mut self,
        a: Node,
        automaton: &Sfa<A::Set>,
        accepted: bool,
        budget: &Budget,
    ) -> Result<Node, Stop> {
        let start: States = Box::from([automaton.initial()]);
        self.walk(a, &start, automaton, accepted, budget, &mut FxHashMap::default())
    }

    fn walk(
        &mut self,
        a: Node,
        states: &States,
        automaton: &Sfa<A::Set>,
        accepted: bool,
        budget: &Budget,
        known: &mut FxHashMap<(Node, States), Node>,
    ) -> Result<Node, Stop> {
        if a.is_empty() {
            return Ok(a);
        }
        if states.is_empty() {
            return Ok(if accepted { Node::EMPTY } else { a });
        }
        if a == Node::EPSILON {
            let is_final = states.iter().any(|&q| automaton.is_final(q));
            return Ok(if is_final == accepted { a } else { Node::EMPTY });
        }
        let key = (a, states.clone());
        if let Some(&result) = known.get(&key) {
            return Ok(result);
        }
        // Targets by label of the automaton: equal labels split nothing twice.
        let mut groups: Vec<(LabelId, Vec<StateId>)> = Vec::new();
        for &state in states {
            for m in automaton.moves_from(state) {
                budget.tick()?;
                match groups.iter_mut().find(|(label, _)| *label == m.label) {
                    Some((_, targets)) => targets.push(m.target),
                    None => groups.push((m.label, vec![m.target])),
                }
            }
        }
        let mut parts = Vec::new();
        for &(label, target) in self.moves(a).iter() {
            let mut pieces: Vec<(A::Set, Vec<StateId>)> = vec![(self.label(label).clone(), Vec::new())];
            for (label, targets) in &groups {
                let characters = automaton.label(*label);
                for i in 0..pieces.len() {
                    budget.tick()?;
                    let inside = self.algebra.intersection(&pieces[i].0, characters)?;
                    if self.algebra.is_empty(&inside)? {
                        continue;
                    }
                    let outside = self.algebra.difference(&pieces[i].0, characters)?;
                    let mut reached = pieces[i].1.clone();
                    reached.extend(targets);
                    if !self.algebra.is_empty(&outside)? {
                        let before = std::mem::take(&mut pieces[i].1);
                        pieces.push((outside, before));
                    }
                    pieces[i] = (inside, reached);
                }
            }
            for (characters, mut reached) in pieces {
                reached.sort_unstable();
                reached.dedup();
                let reached = reached.into_boxed_slice();
                let rest = deep(|| self.walk(target, &reached, automaton, accepted, budget, known))?;
                parts.push((characters, rest));
            }
        }
        let result = self.node(parts)?;
        known.insert(key, result);
        Ok(result)
    }

    /// An automaton for any characters, then a word of `inner`, then any characters: what has an infix in
    /// `inner`. One final state; nondeterministic.
    pub fn containing(&self, inner: Node, budget: &Budget) -> Result<Sfa<A::Set>, Stop> {
        let mut builder = SfaBuilder::new();
        let initial = builder.add_state(inner == Node::EPSILON)?;
        let last = if inner == Node::EPSILON { initial } else { builder.add_state(true)? };
        builder.add_move(initial, self.algebra.full(), initial)?;
        if last != initial {
            builder.add_move(last, self.algebra.full(), last)?;
        }
        let mut names: FxHashMap<Node, StateId> = FxHashMap::default();
        names.insert(Node::EPSILON, last);
        names.insert(inner, initial);
        let mut waiting = vec![inner];
        while let Some(node) = waiting.pop() {
            for &(label, target) in self.moves(node).iter() {
                budget.tick()?;
                let to = match names.get(&target) {
                    Some(&name) => name,
                    None => {
                        let name = builder.add_state(false)?;
                        names.insert(target, name);
                        waiting.push(target);
                        name
                    }
                };
                builder.add_move(names[&node], self.label(label).clone(), to)?;
            }
        }
        Ok(builder.freeze(initial))
    }
}

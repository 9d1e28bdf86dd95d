//! Complement and intersection inside of expressions, as automata that [`crate::glushkov`] embeds.
//!
//! A complement is the whole subset automaton with acceptance turned round; an intersection the whole
//! product. Both are built entirely, since a search inside of a larger expression cannot stop early; limits
//! are those of positions and moves.

use backends_api::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Labels, NO_LABEL};
use crate::glushkov::{MOVE_LIMIT, POSITION_LIMIT, too_many_positions};
use crate::partition::{Partition, index};
use crate::subset::SubsetAutomaton;

/// An automaton under construction whose states are keys with the label of the moves into them.
struct Growing<K> {
    labels: Labels,
    number_of_mask: FxHashMap<Box<[u64]>, u32>,
    state_of: FxHashMap<(K, u32), u32>,
    /// In the order of their numbers; the initial state first.
    keys: Vec<K>,
    label: Vec<u32>,
    moves: Vec<(u32, u32)>,
}

impl<K: Copy + Eq + std::hash::Hash> Growing<K> {
    fn new(words: usize, initial: K) -> Self {
        Self {
            labels: Labels::new(words),
            number_of_mask: FxHashMap::default(),
            state_of: FxHashMap::default(),
            keys: vec![initial],
            label: vec![NO_LABEL],
            moves: Vec::new(),
        }
    }

    /// Adds a move under `mask` to the state of `key`, which is made where it is new.
    fn add(&mut self, source: u32, mask: &[u64], key: K) -> Result<(), Stop> {
        let number = match self.number_of_mask.get(mask) {
            Some(&number) => number,
            None => {
                let number = self.labels.push(mask);
                self.number_of_mask.insert(mask.into(), number);
                number
            }
        };
        let next = index(self.keys.len());
        let target = *self.state_of.entry((key, number)).or_insert(next);
        if target == next {
            if u64::from(next) > POSITION_LIMIT {
                return Err(too_many_positions());
            }
            self.keys.push(key);
            self.label.push(number);
        }
        if self.moves.len() >= MOVE_LIMIT {
            let limit = MOVE_LIMIT as u64;
            return Err(Stop::Size { what: "a complement or intersection", limit, unit: "moves" });
        }
        self.moves.push((source, target));
        Ok(())
    }

    fn finish(self, accepting: impl Fn(K) -> bool, budget: &Budget) -> Result<Automaton, Stop> {
        let accepting: Vec<u32> = (0..index(self.keys.len()))
            .zip(&self.keys)
            .filter(|(_, key)| accepting(**key))
            .map(|(state, _)| state)
            .collect();
        Automaton::new(self.labels, self.label, &self.moves, &accepting, budget)
    }
}

/// All words.
pub fn everything(partition: &Partition, budget: &Budget) -> Result<Automaton, Stop> {
    let mut growing = Growing::new(partition.words(), ());
    let mask = all_classes(partition);
    growing.add(0, &mask, ())?;
    growing.add(1, &mask, ())?;
    growing.finish(|()| true, budget)
}

fn all_classes(partition: &Partition) -> Vec<u64> {
    let mut mask = vec![0; partition.words()];
    for class in 0..partition.len() {
        mask[class / 64] |= 1u64 << (class % 64);
    }
    mask
}

/// The words that `inner` does not accept. Exponential in the worst case, as determinisation is.
pub fn complement(inner: &Automaton, partition: &Partition, budget: &Budget) -> Result<Automaton, Stop> {
    let mut subsets = SubsetAutomaton::new(inner, partition.len());
    let words = partition.words();
    let mut growing = Growing::new(words, SubsetAutomaton::INITIAL);
    let mut next = 0;
    let mut by_target: Vec<(u32, Vec<u64>)> = Vec::new();
    while let Some(&state) = growing.keys.get(next) {
        by_target.clear();
        for local in 0..subsets.classes() {
            let target = subsets.step(state, local, budget)?;
            let at = by_target.iter().position(|(t, _)| *t == target).unwrap_or_else(|| {
                by_target.push((target, vec![0; words]));
                by_target.len() - 1
            });
            subsets.add_members(local, &mut by_target[at].1);
        }
        for (target, mask) in &by_target {
            growing.add(index(next), mask, *target)?;
        }
        next += 1;
    }
    growing.finish(|state| !subsets.is_accepting(state), budget)
}

/// The words that both accept.
pub fn intersection(a: &Automaton, b: &Automaton, budget: &Budget) -> Result<Automaton, Stop> {
    let words = a.labels.words();
    let mut growing = Growing::new(words, (0u32, 0u32));
    let mut next = 0;
    let mut mask = vec![0u64; words];
    while let Some(&(left, right)) = growing.keys.get(next) {
        for &p in a.targets(left).iter().rev() {
            budget.tick()?;
            for &q in b.targets(right).iter().rev() {
                let both = a.labels.mask(a.label(p)).iter().zip(b.labels.mask(b.label(q)));
                for (word, (x, y)) in mask.iter_mut().zip(both) {
                    *word = x & y;
                }
                if mask.iter().any(|&w| w != 0) {
                    growing.add(index(next), &mask, (p, q))?;
                }
            }
        }
        next += 1;
    }
    growing.finish(|(p, q)| a.is_accepting(p) && b.is_accepting(q), budget)
}

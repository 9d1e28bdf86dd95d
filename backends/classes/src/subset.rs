//! The subset automaton of an automaton, determinised on the fly.
//!
//! Rabin and Scott's construction (1959), lazily and with everything remembered: a state is an interned
//! ascending list of states; its targets under any character are gathered once; a step under a class filters
//! them. Classes are merged to those that the automaton's own labels tell apart (A8 of the study: 5 of 16),
//! for a step is computed for each.
//!
//! The value lives as long as one question is being answered, so several differences with the same right side
//! share it.

use std::hash::Hasher;

use backends_api::{Budget, Stop};
use rustc_hash::FxHasher;

use crate::automaton::{Automaton, Labels, NEVER};
use crate::partition::{index, ones};

/// Not computed yet.
const UNKNOWN: u32 = u32::MAX;
/// Entries of the lists of states, or of the table of steps: 256 MiB each.
const SIZE_LIMIT: usize = 1 << 26;

/// A lazily determinised automaton.
#[derive(Debug)]
pub struct SubsetAutomaton<'a> {
    automaton: &'a Automaton,
    /// The local class of each shared class.
    local_of: Vec<u32>,
    classes: u32,
    /// For each label and local class, whether the label holds the class.
    holds: Vec<bool>,
    /// All lists of states, one after the other.
    members: Vec<u32>,
    states: Vec<Subset>,
    /// `classes` steps for each state.
    steps: Vec<u32>,
    /// Open addressing over `states`; its length is a power of two.
    table: Vec<u32>,
    /// For each state of the automaton, the last round in which it was gathered.
    gathered: Vec<u32>,
    round: u32,
    scratch: Vec<u32>,
}

/// A state. Places are in `members`.
#[derive(Clone, Copy, Debug)]
struct Subset {
    start: u32,
    end: u32,
    /// Targets under any character, ascending; `UNKNOWN` until they are needed.
    targets_start: u32,
    targets_end: u32,
    hash: u32,
    /// The length of a shortest word to acceptance, or [`NEVER`].
    shortest: u32,
}

impl<'a> SubsetAutomaton<'a> {
    /// The state before any character.
    pub const INITIAL: u32 = 0;

    /// Of `automaton`, over `shared` shared classes.
    pub fn new(automaton: &'a Automaton, shared: usize) -> Self {
        let (local_of, classes) = local_classes(&automaton.labels, shared);
        let mut holds = vec![false; automaton.labels.len() * classes as usize];
        for (label, mask) in automaton.labels.iter().enumerate() {
            for class in ones(mask) {
                holds[label * classes as usize + local_of[class as usize] as usize] = true;
            }
        }
        let mut subsets = Self {
            automaton,
            local_of,
            classes,
            holds,
            members: Vec::with_capacity(256),
            states: Vec::new(),
            steps: Vec::new(),
            table: vec![UNKNOWN; 64],
            gathered: vec![0; automaton.states() as usize],
            round: 0,
            scratch: vec![0],
        };
        subsets.intern();
        subsets
    }

    /// How many local classes.
    pub fn classes(&self) -> u32 {
        self.classes
    }

    /// How many states were built.
    pub fn states(&self) -> u32 {
        index(self.states.len())
    }

    /// Adds the shared classes of a local class to a mask.
    pub fn add_members(&self, local: u32, mask: &mut [u64]) {
        for (shared, _) in self.local_of.iter().enumerate().filter(|(_, l)| **l == local) {
            mask[shared / 64] |= 1 << (shared % 64);
        }
    }

    /// For each label of `left`: the local classes that it meets, each with one shared class that is in both.
    pub fn meet(&self, left: &Labels) -> Meets {
        let mut meets = Meets { starts: vec![0], classes: Vec::new() };
        let mut met = vec![UNKNOWN; self.classes as usize];
        for (label, mask) in (0u32..).zip(left.iter()) {
            for shared in ones(mask) {
                let local = self.local_of[shared as usize];
                if met[local as usize] != label {
                    met[local as usize] = label;
                    meets.classes.push((local, shared));
                }
            }
            meets.starts.push(index(meets.classes.len()));
        }
        meets
    }

    /// Whether a word may end in `state`.
    pub fn is_accepting(&self, state: u32) -> bool {
        self.shortest(state) == 0
    }

    /// The length of a shortest word from `state` to acceptance, or [`NEVER`].
    #[inline]
    pub fn shortest(&self, state: u32) -> u32 {
        self.states[state as usize].shortest
    }

    /// The states that `state` is made of, ascending.
    pub fn members(&self, state: u32) -> &[u32] {
        let subset = self.states[state as usize];
        &self.members[subset.start as usize..subset.end as usize]
    }

    /// Where `state` leads under a local class. Constant time the second time.
    #[inline]
    pub fn step(&mut self, state: u32, local: u32, budget: &Budget) -> Result<u32, Stop> {
        let known = self.steps[state as usize * self.classes as usize + local as usize];
        if known != UNKNOWN { Ok(known) } else { self.compute_step(state, local, budget) }
    }

    #[cold]
    fn compute_step(&mut self, state: u32, local: u32, budget: &Budget) -> Result<u32, Stop> {
        budget.tick()?;
        if self.members.len() > SIZE_LIMIT || self.steps.len() > SIZE_LIMIT {
            let limit = SIZE_LIMIT as u64;
            return Err(Stop::Size { what: "determinising on the fly", limit, unit: "states or steps" });
        }
        if self.states[state as usize].targets_start == UNKNOWN {
            self.gather(state, budget)?;
        }
        let subset = self.states[state as usize];
        self.scratch.clear();
        for &target in &self.members[subset.targets_start as usize..subset.targets_end as usize] {
            let label = self.automaton.label(target);
            if self.holds[label as usize * self.classes as usize + local as usize] {
                self.scratch.push(target);
            }
        }
        let target = self.intern();
        self.steps[state as usize * self.classes as usize + local as usize] = target;
        Ok(target)
    }

    /// Collects the live targets of all members, ascending and distinct.
    fn gather(&mut self, state: u32, budget: &Budget) -> Result<(), Stop> {
        self.round += 1;
        let start = self.members.len();
        let subset = self.states[state as usize];
        for at in subset.start..subset.end {
            budget.tick()?;
            for &target in self.automaton.targets(self.members[at as usize]) {
                let seen = &mut self.gathered[target as usize];
                if *seen != self.round && self.automaton.shortest(target) != NEVER {
                    *seen = self.round;
                    self.members.push(target);
                }
            }
        }
        self.members[start..].sort_unstable();
        let subset = &mut self.states[state as usize];
        subset.targets_start = index(start);
        subset.targets_end = index(self.members.len());
        Ok(())
    }

    /// The state of the ascending list in `scratch`.
    fn intern(&mut self) -> u32 {
        let hash = hash(&self.scratch);
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.table[slot];
            if entry == UNKNOWN {
                break;
            }
            let subset = self.states[entry as usize];
            if subset.hash == hash
                && self.members[subset.start as usize..subset.end as usize] == self.scratch[..]
            {
                return entry;
            }
            slot = (slot + 1) & mask;
        }
        let state = index(self.states.len());
        self.table[slot] = state;
        let start = index(self.members.len());
        self.members.extend_from_slice(&self.scratch);
        let shortest = self.scratch.iter().map(|&s| self.automaton.shortest(s)).min().unwrap_or(NEVER);
        self.states.push(Subset {
            start,
            end: index(self.members.len()),
            targets_start: UNKNOWN,
            targets_end: UNKNOWN,
            hash,
            shortest,
        });
        self.steps.resize(self.steps.len() + self.classes as usize, UNKNOWN);
        if self.states.len() * 2 > self.table.len() {
            self.grow_table();
        }
        state
    }

    fn grow_table(&mut self) {
        let size = self.table.len() * 4;
        self.table.clear();
        self.table.resize(size, UNKNOWN);
        for (state, subset) in (0u32..).zip(&self.states) {
            let mut slot = subset.hash as usize & (size - 1);
            while self.table[slot] != UNKNOWN {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = state;
        }
    }
}

/// What [`SubsetAutomaton::meet`] gives.
#[derive(Debug)]
pub struct Meets {
    starts: Vec<u32>,
    /// Local and shared class.
    classes: Vec<(u32, u32)>,
}

impl Meets {
    /// The range of `label`'s entries in [`Self::at`].
    #[inline]
    pub fn row(&self, label: u32) -> (u32, u32) {
        (self.starts[label as usize], self.starts[label as usize + 1])
    }

    /// A local class and a shared class in it.
    #[inline]
    pub fn at(&self, place: u32) -> (u32, u32) {
        self.classes[place as usize]
    }
}

fn hash(states: &[u32]) -> u32 {
    let mut hasher = FxHasher::default();
    for &state in states {
        hasher.write_u32(state);
    }
    let bits = hasher.finish();
    u32::try_from(bits >> 32).unwrap_or_default() ^ u32::try_from(bits & 0xFFFF_FFFF).unwrap_or_default()
}

/// Merges the shared classes that no label tells apart: the local class of each, and how many there are.
fn local_classes(labels: &Labels, shared: usize) -> (Vec<u32>, u32) {
    let mut local_of = vec![0u32; shared];
    let mut sizes = vec![index(shared)];
    let mut hits = vec![0u32];
    let mut split_to = vec![UNKNOWN];
    for mask in labels.iter() {
        hits.fill(0);
        for class in ones(mask) {
            hits[local_of[class as usize] as usize] += 1;
        }
        split_to.fill(UNKNOWN);
        for class in ones(mask) {
            let old = local_of[class as usize] as usize;
            if hits[old] == sizes[old] && split_to[old] == UNKNOWN {
                continue;
            }
            if split_to[old] == UNKNOWN {
                split_to[old] = index(sizes.len());
                sizes.push(0);
                hits.push(0);
                split_to.push(UNKNOWN);
            }
            let new = split_to[old];
            sizes[old] -= 1;
            sizes[new as usize] += 1;
            local_of[class as usize] = new;
        }
    }
    (local_of, index(sizes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::NO_LABEL;

    #[test]
    fn local_classes_are_what_labels_tell_apart() {
        let mut labels = Labels::new(2);
        labels.push(&[0b1111, 0]);
        labels.push(&[0b0110, 1]);
        labels.push(&[0b1111, 0]);
        let (local_of, count) = local_classes(&labels, 66);
        assert_eq!(count, 4);
        let same = |a: usize, b: usize| local_of[a] == local_of[b];
        assert!(same(0, 3) && same(1, 2) && same(4, 63) && same(4, 65));
        assert!(!same(0, 1) && !same(0, 64) && !same(64, 65) && !same(1, 64));
        assert!(local_of.iter().all(|&l| l < count));
    }

    #[test]
    fn no_labels_make_one_class() {
        assert_eq!(local_classes(&Labels::new(1), 3), (vec![0, 0, 0], 1));
    }

    #[test]
    fn the_nth_letter_from_the_end_needs_all_subsets() {
        // [ab]*a[ab]{3} over classes a, b, other.
        let mut labels = Labels::new(1);
        labels.push(&[0b011]);
        labels.push(&[0b001]);
        let label = vec![NO_LABEL, 0, 1, 0, 0, 0];
        let moves = [(0, 1), (0, 2), (1, 1), (1, 2), (2, 3), (3, 4), (4, 5)];
        let budget = Budget::unlimited();
        let automaton = Automaton::new(labels, label, &moves, &[5], &budget).unwrap();
        let mut subsets = SubsetAutomaton::new(&automaton, 3);
        assert_eq!(subsets.classes(), 3);
        let mut next = 0;
        while next < subsets.states() {
            for class in 0..3 {
                subsets.step(next, class, &budget).unwrap();
            }
            next += 1;
        }
        // The initial state, the empty one, and 2^4 for the last four letters.
        assert_eq!(subsets.states(), 18);
    }
}

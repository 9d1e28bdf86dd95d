//! Fragments of automata that are joined, merged and copied while an expression is turned into an automaton.
//!
//! A [`FragmentArena`] owns the states of all fragments; a [`Fragment`] is an automaton in the making with
//! one initial state. Merging two states is constant time: the one becomes an alias of the other, and whoever
//! reads a state asks [`FragmentArena::find`] first. Degrees are kept per state, because whether a state has
//! moves in or out decides which of two constructions is used (see [`crate::construct`]).
//!
//! Invariants: fragments share no state; every move of a fragment joins states of it; `in_degree` and
//! `out_degree` of a representative count the moves of its fragment, epsilon moves included.

use std::hash::Hash;

use backends_api::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::builder::{Labels, SfaBuilder, index};
use crate::sfa::{EpsilonSfa, LabelId, Sfa, StateId};

/// What a move of a fragment reads: characters, or nothing.
pub(crate) type Reads = Option<LabelId>;

/// An automaton in the making.
#[derive(Debug)]
pub(crate) struct Fragment {
    /// Where it starts.
    pub initial: u32,
    /// Where it may end; no state twice.
    pub finals: Vec<u32>,
    /// Source, what is read, target.
    pub moves: Vec<(u32, Reads, u32)>,
}

/// All states of all fragments, and the labels of their moves.
#[derive(Debug)]
pub(crate) struct FragmentArena<S> {
    pub labels: Labels<S>,
    alias: Vec<u32>,
    in_degree: Vec<u32>,
    out_degree: Vec<u32>,
}

impl<S: Clone + Eq + Hash> FragmentArena<S> {
    pub fn new() -> Self {
        Self { labels: Labels::default(), alias: Vec::new(), in_degree: Vec::new(), out_degree: Vec::new() }
    }

    /// A new state.
    pub fn state(&mut self) -> Result<u32, Stop> {
        let state = index("the automaton of an expression", self.alias.len(), "states")?;
        self.alias.push(state);
        self.in_degree.push(0);
        self.out_degree.push(0);
        Ok(state)
    }

    /// The state that `state` has become.
    pub fn find(&mut self, state: u32) -> u32 {
        let mut at = state;
        while self.alias[at as usize] != at {
            let up = self.alias[self.alias[at as usize] as usize];
            self.alias[at as usize] = up;
            at = up;
        }
        at
    }

    /// Makes `gone` an alias of `kept`.
    pub fn merge(&mut self, gone: u32, kept: u32) {
        let (gone, kept) = (self.find(gone), self.find(kept));
        if gone != kept {
            self.alias[gone as usize] = kept;
            self.in_degree[kept as usize] += self.in_degree[gone as usize];
            self.out_degree[kept as usize] += self.out_degree[gone as usize];
        }
    }

    /// Adds a move to `fragment`.
    pub fn add_move(&mut self, fragment: &mut Fragment, from: u32, reads: Reads, to: u32) {
        let (from, to) = (self.find(from), self.find(to));
        self.out_degree[from as usize] += 1;
        self.in_degree[to as usize] += 1;
        fragment.moves.push((from, reads, to));
    }

    /// Whether no move leads into the initial state.
    pub fn starts_at_source(&mut self, fragment: &Fragment) -> bool {
        let initial = self.find(fragment.initial);
        self.in_degree[initial as usize] == 0
    }

    /// The only final state, if no move leaves it.
    pub fn single_sink(&mut self, fragment: &Fragment) -> Option<u32> {
        let &[only] = fragment.finals.as_slice() else { return None };
        let only = self.find(only);
        (self.out_degree[only as usize] == 0).then_some(only)
    }

    /// Whether the empty word ends in the initial state itself.
    pub fn initial_is_final(&mut self, fragment: &Fragment) -> bool {
        let initial = self.find(fragment.initial);
        fragment.finals.iter().any(|&f| self.find(f) == initial)
    }

    /// A chain of `moves` moves that read `label`; it starts at the returned fragment's initial state and
    /// ends nowhere yet. Its states come second.
    pub fn chain(&mut self, label: LabelId, moves: u32) -> Result<(Fragment, Vec<u32>), Stop> {
        let initial = self.state()?;
        let mut fragment = Fragment { initial, finals: Vec::new(), moves: Vec::new() };
        let mut states = vec![initial];
        let mut at = initial;
        for _ in 0..moves {
            let next = self.state()?;
            self.add_move(&mut fragment, at, Some(label), next);
            states.push(next);
            at = next;
        }
        Ok((fragment, states))
    }

    /// A copy with states of its own.
    pub fn copy(&mut self, fragment: &Fragment, budget: &Budget) -> Result<Fragment, Stop> {
        let mut names = FxHashMap::default();
        let mut rename = |arena: &mut Self, state: u32| -> Result<u32, Stop> {
            let state = arena.find(state);
            if let Some(&name) = names.get(&state) {
                return Ok(name);
            }
            let name = arena.state()?;
            names.insert(state, name);
            Ok(name)
        };
        let mut copy = Fragment {
            initial: rename(self, fragment.initial)?,
            finals: Vec::with_capacity(fragment.finals.len()),
            moves: Vec::with_capacity(fragment.moves.len()),
        };
        for &(from, reads, to) in &fragment.moves {
            budget.tick()?;
            let (from, to) = (rename(self, from)?, rename(self, to)?);
            self.add_move(&mut copy, from, reads, to);
        }
        for &state in &fragment.finals {
            let state = rename(self, state)?;
            copy.finals.push(state);
        }
        Ok(copy)
    }

    /// Joins parallel moves into one that reads the union of what they read, drops epsilon moves from a state
    /// to itself, drops repeated epsilon moves and final states, and counts the degrees anew.
    pub fn normalise(
        &mut self,
        fragment: &mut Fragment,
        budget: &Budget,
        union: impl Fn(&S, &S) -> Result<S, Stop>,
    ) -> Result<(), Stop> {
        for i in 0..fragment.moves.len() {
            let (from, _, to) = fragment.moves[i];
            let (from, to) = (self.find(from), self.find(to));
            self.out_degree[from as usize] = 0;
            self.in_degree[to as usize] = 0;
        }
        let mut kept: Vec<(u32, Reads, u32)> = Vec::with_capacity(fragment.moves.len());
        let mut places = FxHashMap::default();
        for (from, reads, to) in std::mem::take(&mut fragment.moves) {
            budget.tick()?;
            let (from, to) = (self.find(from), self.find(to));
            if reads.is_none() && from == to {
                continue;
            }
            let next = kept.len();
            let place = *places.entry((from, to, reads.is_none())).or_insert(next);
            match (place < next).then(|| &mut kept[place].1) {
                None => kept.push((from, reads, to)),
                Some(Some(before)) => {
                    if let Some(label) = reads.filter(|label| label != before) {
                        let joined = union(self.labels.get(*before), self.labels.get(label))?;
                        *before = self.labels.intern(joined);
                    }
                }
                Some(None) => {}
            }
        }
        for (from, reads, to) in kept {
            self.add_move(fragment, from, reads, to);
        }
        let mut seen = FxHashSet::default();
        for state in std::mem::take(&mut fragment.finals) {
            let state = self.find(state);
            if seen.insert(state) {
                fragment.finals.push(state);
            }
        }
        fragment.initial = self.find(fragment.initial);
        Ok(())
    }

    /// Merges the states of every cycle of epsilon moves: Tarjan's strongly connected components over those
    /// moves, with a stack of its own. Leaves parallel moves for [`Self::normalise`].
    pub fn merge_epsilon_cycles(&mut self, fragment: &Fragment, budget: &Budget) -> Result<(), Stop> {
        let mut successors: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for &(from, reads, to) in &fragment.moves {
            if reads.is_none() {
                let (from, to) = (self.find(from), self.find(to));
                successors.entry(from).or_default().push(to);
            }
        }
        let mut roots: Vec<u32> = successors.keys().copied().collect();
        roots.sort_unstable();
        // Order of discovery, and the earliest state reachable that is still open; `u32::MAX` once closed.
        let mut seen: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        let mut open = Vec::new();
        let mut merges = Vec::new();
        let mut discovered = 0;
        for root in roots {
            if seen.contains_key(&root) {
                continue;
            }
            let mut path = vec![(root, 0usize)];
            while let Some((state, done)) = path.pop() {
                budget.tick()?;
                if done == 0 {
                    seen.insert(state, (discovered, discovered));
                    discovered += 1;
                    open.push(state);
                }
                let next = successors.get(&state).and_then(|all| all.get(done).copied());
                if let Some(next) = next {
                    path.push((state, done + 1));
                    match seen.get(&next).copied() {
                        None => path.push((next, 0)),
                        Some((order, low)) if low != u32::MAX => {
                            if let Some(entry) = seen.get_mut(&state) {
                                entry.1 = entry.1.min(order);
                            }
                        }
                        Some(_) => {}
                    }
                    continue;
                }
                let (order, low) = seen.get(&state).copied().unwrap_or_default();
                if order == low {
                    while let Some(member) = open.pop() {
                        if let Some(entry) = seen.get_mut(&member) {
                            entry.1 = u32::MAX;
                        }
                        if member == state {
                            break;
                        }
                        merges.push((member, state));
                    }
                } else if let Some((parent, _)) = path.last()
                    && let Some(entry) = seen.get_mut(parent)
                {
                    entry.1 = entry.1.min(low);
                }
            }
        }
        for (gone, kept) in merges {
            self.merge(gone, kept);
        }
        Ok(())
    }

    /// An automaton from elsewhere as a fragment.
    pub fn import(&mut self, sfa: &Sfa<S>) -> Result<Fragment, Stop> {
        let names: Vec<u32> = sfa.state_ids().map(|_| self.state()).collect::<Result<_, _>>()?;
        let labels: Vec<LabelId> =
            sfa.labels().iter().map(|label| self.labels.intern(label.clone())).collect();
        let mut fragment =
            Fragment { initial: names[sfa.initial().index()], finals: Vec::new(), moves: Vec::new() };
        for state in sfa.state_ids() {
            if sfa.is_final(state) {
                fragment.finals.push(names[state.index()]);
            }
            for m in sfa.moves_from(state) {
                self.add_move(
                    &mut fragment,
                    names[state.index()],
                    Some(labels[m.label.index()]),
                    names[m.target.index()],
                );
            }
        }
        Ok(fragment)
    }

    /// The finished automaton: the states of `fragment`, numbered from the initial state on in the order of
    /// its moves.
    pub fn freeze(mut self, fragment: &Fragment) -> Result<EpsilonSfa<S>, Stop> {
        let mut builder = SfaBuilder::with_labels(std::mem::take(&mut self.labels));
        let mut names: FxHashMap<u32, StateId> = FxHashMap::default();
        let initial = self.named(fragment.initial, &mut names, &mut builder)?;
        for &(from, reads, to) in &fragment.moves {
            let from = self.named(from, &mut names, &mut builder)?;
            let to = self.named(to, &mut names, &mut builder)?;
            match reads {
                Some(label) => builder.add_move_id(from, label, to)?,
                None => builder.add_epsilon(from, to)?,
            }
        }
        for &state in &fragment.finals {
            let state = self.named(state, &mut names, &mut builder)?;
            builder.set_final(state, true);
        }
        Ok(builder.freeze_with_epsilons(initial))
    }

    fn named(
        &mut self,
        state: u32,
        names: &mut FxHashMap<u32, StateId>,
        builder: &mut SfaBuilder<S>,
    ) -> Result<StateId, Stop> {
        let state = self.find(state);
        if let Some(&name) = names.get(&state) {
            return Ok(name);
        }
        let name = builder.add_state(false)?;
        names.insert(state, name);
        Ok(name)
    }
}

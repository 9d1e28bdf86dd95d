//! Makes automata: states and moves in any order, then [`SfaBuilder::freeze`].
//!
//! Labels are interned: two moves whose sets are equal (as the algebra's `Eq` sees it) share one label.
//! Nothing else is rewritten; parallel moves stay parallel.

use std::hash::Hash;

use backends_api::Stop;
use rustc_hash::FxHashMap;

use crate::sfa::{EpsilonSfa, LabelId, Move, Sfa, StateId};

/// No automaton grows beyond this many states or this many moves; indices have 32 bits, and memory ends
/// sooner.
pub const MAX_PARTS: usize = 1 << 30;

/// An automaton in the making.
#[derive(Clone, Debug)]
pub struct SfaBuilder<S> {
    labels: Labels<S>,
    finals: Vec<bool>,
    moves: Vec<(StateId, Move)>,
    epsilons: Vec<(StateId, StateId)>,
}

impl<S: Clone + Eq + Hash> Default for SfaBuilder<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Clone + Eq + Hash> SfaBuilder<S> {
    /// No state yet.
    pub fn new() -> Self {
        Self::with_labels(Labels::default())
    }

    /// No state yet, but labels known already.
    pub(crate) fn with_labels(labels: Labels<S>) -> Self {
        Self { labels, finals: Vec::new(), moves: Vec::new(), epsilons: Vec::new() }
    }

    /// How many states so far.
    pub fn states(&self) -> usize {
        self.finals.len()
    }

    /// How many moves so far, epsilon moves left out.
    pub fn moves(&self) -> usize {
        self.moves.len()
    }

    /// A new state.
    pub fn add_state(&mut self, is_final: bool) -> Result<StateId, Stop> {
        let state = index("an automaton", self.finals.len(), "states")?;
        self.finals.push(is_final);
        Ok(StateId(state))
    }

    /// Whether words may end in `state`, which must exist.
    pub fn set_final(&mut self, state: StateId, is_final: bool) {
        self.finals[state.index()] = is_final;
    }

    /// The set behind an index that [`Self::intern`] gave.
    pub fn label(&self, label: LabelId) -> &S {
        self.labels.get(label)
    }

    /// The index of `label`, which is added if it is new.
    pub fn intern(&mut self, label: S) -> LabelId {
        self.labels.intern(label)
    }

    /// A move between two existing states that reads a character of `label`.
    pub fn add_move(&mut self, from: StateId, label: S, to: StateId) -> Result<(), Stop> {
        let label = self.intern(label);
        self.add_move_id(from, label, to)
    }

    /// The same, with a label that was interned here.
    pub fn add_move_id(&mut self, from: StateId, label: LabelId, to: StateId) -> Result<(), Stop> {
        index("an automaton", self.moves.len(), "moves")?;
        self.moves.push((from, Move { label, target: to }));
        Ok(())
    }

    /// A move between two existing states that reads nothing.
    pub fn add_epsilon(&mut self, from: StateId, to: StateId) -> Result<(), Stop> {
        index("an automaton", self.epsilons.len(), "epsilon moves")?;
        self.epsilons.push((from, to));
        Ok(())
    }

    /// The automaton, without the epsilon moves; use [`Self::freeze_with_epsilons`] where there are any. An
    /// automaton without any state gets one, so that `initial` exists.
    pub fn freeze(mut self, initial: StateId) -> Sfa<S> {
        if self.finals.is_empty() {
            self.finals.push(false);
        }
        let states = self.finals.len();
        let (offsets, moves) = group(states, &self.moves);
        Sfa::from_parts(initial, self.finals, self.labels.into_vec(), offsets, moves)
    }

    /// The automaton with its epsilon moves.
    pub fn freeze_with_epsilons(mut self, initial: StateId) -> EpsilonSfa<S> {
        let epsilons = std::mem::take(&mut self.epsilons);
        let reading = self.freeze(initial);
        let (offsets, targets) = group(reading.states(), &epsilons);
        EpsilonSfa::from_parts(reading, offsets, targets)
    }
}

/// Items grouped by state with a counting sort, each group in the order of `items`.
fn group<T: Copy>(states: usize, items: &[(StateId, T)]) -> (Vec<u32>, Vec<T>) {
    let mut offsets = vec![0u32; states + 1];
    for (state, _) in items {
        offsets[state.index() + 1] += 1;
    }
    for q in 0..states {
        offsets[q + 1] += offsets[q];
    }
    let Some(&(_, filler)) = items.first() else { return (offsets, Vec::new()) };
    let mut next = offsets.clone();
    let mut grouped = vec![filler; items.len()];
    for &(state, item) in items {
        let at = &mut next[state.index()];
        grouped[*at as usize] = item;
        *at += 1;
    }
    (offsets, grouped)
}

/// `length` as an index, if one more still fits.
pub(crate) fn index(what: &'static str, length: usize, unit: &'static str) -> Result<u32, Stop> {
    match u32::try_from(length) {
        Ok(index) if length < MAX_PARTS => Ok(index),
        _ => Err(Stop::Size { what, limit: MAX_PARTS as u64, unit }),
    }
}

/// Distinct labels, each with its index.
#[derive(Clone, Debug)]
pub(crate) struct Labels<S> {
    all: Vec<S>,
    ids: FxHashMap<S, LabelId>,
}

impl<S> Default for Labels<S> {
    fn default() -> Self {
        Self { all: Vec::new(), ids: FxHashMap::default() }
    }
}

impl<S: Clone + Eq + Hash> Labels<S> {
    /// The labels of a frozen automaton, with the same indices.
    pub(crate) fn of(all: &[S]) -> Self {
        let mut labels = Self::default();
        for label in all {
            labels.intern(label.clone());
        }
        labels
    }

    /// The index of `label`, which is added if it is new.
    pub(crate) fn intern(&mut self, label: S) -> LabelId {
        if let Some(&id) = self.ids.get(&label) {
            return id;
        }
        // There are fewer labels than moves and states, whose number is limited.
        let id = LabelId(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        self.all.push(label.clone());
        self.ids.insert(label, id);
        id
    }

    /// The set behind an index.
    pub(crate) fn get(&self, id: LabelId) -> &S {
        &self.all[id.index()]
    }

    /// All of them, by index.
    pub(crate) fn into_vec(self) -> Vec<S> {
        self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_grouped_in_the_order_of_adding() {
        let mut builder = SfaBuilder::new();
        let p = builder.add_state(false).unwrap();
        let q = builder.add_state(true).unwrap();
        builder.add_move(q, 'x', p).unwrap();
        builder.add_move(p, 'y', q).unwrap();
        builder.add_move(q, 'y', q).unwrap();
        builder.add_epsilon(q, p).unwrap();
        let sfa = builder.freeze_with_epsilons(p);
        let labels = |state| -> Vec<char> {
            sfa.reading().moves_from(state).iter().map(|m| *sfa.reading().label(m.label)).collect()
        };
        assert_eq!(labels(p), ['y']);
        assert_eq!(labels(q), ['x', 'y']);
        assert_eq!(sfa.reading().labels(), ['x', 'y']);
        assert_eq!((sfa.epsilons_from(p), sfa.epsilons_from(q)), (&[][..], &[p][..]));
    }

    #[test]
    fn an_automaton_has_a_state() {
        let sfa = SfaBuilder::<char>::new().freeze(StateId(0));
        assert_eq!((sfa.states(), sfa.is_final(sfa.initial())), (1, false));
    }
}

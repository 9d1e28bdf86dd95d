//! Symbolic finite automata: the frozen forms, with and without epsilon moves.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, definition 3.1. A move carries a set of
//! characters; the automaton keeps each distinct set once and a move holds its index, so that moves are small
//! and equal labels are found without looking into them. Whether two labels are "distinct" is what the
//! algebra's `Eq` says.
//!
//! Invariants: states are `0..states()`; the moves of a state are adjacent, in the order in which they were
//! added (which is the order in which searches try them); every index is in range.

use std::fmt;

/// A state: an index below [`Sfa::states`] of its automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    /// As an index into a slice.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "q{}", self.0)
    }
}

/// A label: an index into [`Sfa::labels`] of its automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u32);

impl LabelId {
    /// As an index into a slice.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move, without the state that it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The characters that it reads.
    pub label: LabelId,
    /// Where it leads.
    pub target: StateId,
}

/// An automaton without epsilon moves; may be nondeterministic and partial.
#[derive(Clone, Debug)]
pub struct Sfa<S> {
    initial: StateId,
    finals: Vec<bool>,
    labels: Vec<S>,
    /// The moves of state `q` are `moves[offsets[q]..offsets[q + 1]]`.
    offsets: Vec<u32>,
    moves: Vec<Move>,
}

impl<S> Sfa<S> {
    /// From the parts; only builders make automata, and they keep the invariants.
    pub(crate) fn from_parts(
        initial: StateId,
        finals: Vec<bool>,
        labels: Vec<S>,
        offsets: Vec<u32>,
        moves: Vec<Move>,
    ) -> Self {
        debug_assert_eq!(offsets.len(), finals.len() + 1);
        debug_assert!(
            moves.iter().all(|m| m.target.index() < finals.len() && m.label.index() < labels.len())
        );
        Self { initial, finals, labels, offsets, moves }
    }

    /// Where every run starts.
    pub const fn initial(&self) -> StateId {
        self.initial
    }

    /// How many states.
    pub fn states(&self) -> usize {
        self.finals.len()
    }

    /// Every state, in order.
    pub fn state_ids(&self) -> impl Iterator<Item = StateId> + use<S> {
        state_ids(self.finals.len())
    }

    /// Whether a word may end in `state`.
    #[inline]
    pub fn is_final(&self, state: StateId) -> bool {
        self.finals[state.index()]
    }

    /// How many moves.
    pub fn moves(&self) -> usize {
        self.moves.len()
    }

    /// The moves that leave `state`, in the order in which searches try them.
    #[inline]
    pub fn moves_from(&self, state: StateId) -> &[Move] {
        let q = state.index();
        &self.moves[self.offsets[q] as usize..self.offsets[q + 1] as usize]
    }

    /// The set of characters that a label stands for.
    #[inline]
    pub fn label(&self, label: LabelId) -> &S {
        &self.labels[label.index()]
    }

    /// Every distinct label, used or not.
    pub fn labels(&self) -> &[S] {
        &self.labels
    }
}

/// The states `0..count`; more than `u32::MAX` cannot be built.
pub(crate) fn state_ids(count: usize) -> impl Iterator<Item = StateId> {
    (0..u32::try_from(count).unwrap_or(u32::MAX)).map(StateId)
}

/// An automaton with epsilon moves: [`Sfa`] and, beside it, the moves that read nothing.
#[derive(Clone, Debug)]
pub struct EpsilonSfa<S> {
    reading: Sfa<S>,
    /// The epsilon moves of state `q` lead to `targets[offsets[q]..offsets[q + 1]]`.
    offsets: Vec<u32>,
    targets: Vec<StateId>,
}

impl<S> EpsilonSfa<S> {
    /// From the parts; only builders make automata, and they keep the invariants.
    pub(crate) fn from_parts(reading: Sfa<S>, offsets: Vec<u32>, targets: Vec<StateId>) -> Self {
        debug_assert_eq!(offsets.len(), reading.states() + 1);
        Self { reading, offsets, targets }
    }

    /// The same states and the moves that read a character.
    pub const fn reading(&self) -> &Sfa<S> {
        &self.reading
    }

    /// How many states: row `|Q|` of figure 3.7.
    pub fn states(&self) -> usize {
        self.reading.states()
    }

    /// How many epsilon moves: the second row of figure 3.7.
    pub fn epsilon_moves(&self) -> usize {
        self.targets.len()
    }

    /// How many other moves: the third row of figure 3.7.
    pub fn moves(&self) -> usize {
        self.reading.moves()
    }

    /// Where the epsilon moves of `state` lead.
    #[inline]
    pub fn epsilons_from(&self, state: StateId) -> &[StateId] {
        let q = state.index();
        &self.targets[self.offsets[q] as usize..self.offsets[q + 1] as usize]
    }
}

impl<S> From<Sfa<S>> for EpsilonSfa<S> {
    /// The same automaton, no epsilon moves.
    fn from(reading: Sfa<S>) -> Self {
        let offsets = vec![0; reading.states() + 1];
        Self { reading, offsets, targets: Vec::new() }
    }
}

//! Epsilon elimination: an automaton without epsilon moves for the same language.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, section 3.1; the times of the study
//! include it. A state gets the moves of its epsilon closure, and is final if its closure has a final state.
//! Moves of a state with the same target become one whose label is the union. States that nothing leads to
//! any more are left out.

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};

use crate::builder::{Labels, SfaBuilder};
use crate::sfa::{EpsilonSfa, LabelId, Sfa, StateId};

/// No state has this number.
const NONE: u32 = u32::MAX;

/// The same language without epsilon moves, reachable states only. A state's own moves come first, then those
/// of its closure, nearest last added first. Time: for each state that remains, the size of its closure.
pub fn eliminate<A: BooleanAlgebra>(
    algebra: &A,
    automaton: &EpsilonSfa<A::Set>,
    budget: &Budget,
) -> Result<Sfa<A::Set>, Stop> {
    let reading = automaton.reading();
    let mut builder = SfaBuilder::with_labels(Labels::of(reading.labels()));
    // The new name of an old state, and the old states in the order of their new names.
    let mut names = vec![NONE; automaton.states()];
    let mut olds = vec![reading.initial()];
    names[reading.initial().index()] = builder.add_state(false)?.0;

    let mut closure = Closure::new(automaton.states());
    // Where in `moves` the move to an old state is, if it is one of the current state's.
    let mut places = vec![NONE; automaton.states()];
    let mut moves: Vec<(StateId, LabelId)> = Vec::new();
    let mut at = 0;
    while let Some(&old) = olds.get(at) {
        let new = StateId(names[old.index()]);
        at += 1;
        moves.clear();
        let mut is_final = false;
        closure.start(old);
        while let Some(state) = closure.next(automaton) {
            budget.tick()?;
            is_final |= reading.is_final(state);
            for m in reading.moves_from(state) {
                let place = &mut places[m.target.index()];
                if *place == NONE {
                    // At most one move for each state.
                    *place = u32::try_from(moves.len()).unwrap_or(NONE);
                    moves.push((m.target, m.label));
                } else if moves[*place as usize].1 != m.label {
                    let before = &mut moves[*place as usize].1;
                    let joined = algebra.union(builder.label(*before), builder.label(m.label))?;
                    *before = builder.intern(joined);
                }
            }
        }
        builder.set_final(new, is_final);
        for &(target, label) in &moves {
            places[target.index()] = NONE;
            if names[target.index()] == NONE {
                names[target.index()] = builder.add_state(false)?.0;
                olds.push(target);
            }
            builder.add_move_id(new, label, StateId(names[target.index()]))?;
        }
    }
    Ok(builder.freeze(StateId(0)))
}

/// Walks the epsilon closure of one state after the other, depth first.
struct Closure {
    /// In which round a state was last met.
    met: Vec<u32>,
    round: u32,
    stack: Vec<StateId>,
}

impl Closure {
    fn new(states: usize) -> Self {
        Self { met: vec![0; states], round: 0, stack: Vec::new() }
    }

    fn start(&mut self, state: StateId) {
        self.round += 1;
        self.stack.clear();
        self.stack.push(state);
        self.met[state.index()] = self.round;
    }

    fn next<S>(&mut self, automaton: &EpsilonSfa<S>) -> Option<StateId> {
        let state = self.stack.pop()?;
        for &target in automaton.epsilons_from(state) {
            if self.met[target.index()] != self.round {
                self.met[target.index()] = self.round;
                self.stack.push(target);
            }
        }
        Some(state)
    }
}

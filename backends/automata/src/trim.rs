//! Trimming: dropping the states that no accepted word passes through.

use std::hash::Hash;

use backends_api::{Budget, Stop};

use crate::builder::{Labels, SfaBuilder};
use crate::sfa::{Sfa, StateId};

/// The same language with only the states that can be reached and from which a final state can be reached, in
/// their old order; of the empty language, the initial state alone. Linear in the automaton.
pub fn trim<S: Clone + Eq + Hash>(automaton: &Sfa<S>, budget: &Budget) -> Result<Sfa<S>, Stop> {
    let mut sources: Vec<Vec<StateId>> = vec![Vec::new(); automaton.states()];
    for state in automaton.state_ids() {
        for m in automaton.moves_from(state) {
            budget.tick()?;
            sources[m.target.index()].push(state);
        }
    }
    let forward = reach(automaton.states(), [automaton.initial()], |state, visit| {
        automaton.moves_from(state).iter().for_each(|m| visit(m.target));
        budget.tick()
    })?;
    let finals = automaton.state_ids().filter(|&state| automaton.is_final(state));
    let backward = reach(automaton.states(), finals, |state, visit| {
        sources[state.index()].iter().for_each(|&source| visit(source));
        budget.tick()
    })?;

    let mut builder = SfaBuilder::with_labels(Labels::of(automaton.labels()));
    let mut names: Vec<Option<StateId>> = vec![None; automaton.states()];
    for state in automaton.state_ids() {
        let q = state.index();
        if (forward[q] && backward[q]) || state == automaton.initial() {
            names[q] = Some(builder.add_state(automaton.is_final(state))?);
        }
    }
    for state in automaton.state_ids() {
        let Some(from) = names[state.index()] else { continue };
        for m in automaton.moves_from(state) {
            if let Some(to) = names[m.target.index()].filter(|_| backward[m.target.index()]) {
                builder.add_move_id(from, m.label, to)?;
            }
        }
    }
    Ok(builder.freeze(names[automaton.initial().index()].unwrap_or(StateId(0))))
}

/// Which of `states` states can be reached from `starts`, where `next` shows the neighbours of a state.
fn reach(
    states: usize,
    starts: impl IntoIterator<Item = StateId>,
    next: impl Fn(StateId, &mut dyn FnMut(StateId)) -> Result<(), Stop>,
) -> Result<Vec<bool>, Stop> {
    let mut reached = vec![false; states];
    let mut stack: Vec<StateId> = starts.into_iter().collect();
    for state in &stack {
        reached[state.index()] = true;
    }
    while let Some(state) = stack.pop() {
        next(state, &mut |neighbour| {
            if !std::mem::replace(&mut reached[neighbour.index()], true) {
                stack.push(neighbour);
            }
        })?;
    }
    Ok(reached)
}

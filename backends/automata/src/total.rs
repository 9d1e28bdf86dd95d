//! Making an automaton total: in every state, every character of the alphabet has a move.

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};

use crate::builder::{Labels, SfaBuilder};
use crate::sfa::{Sfa, StateId};

/// The same automaton with, where characters have no move, moves into one more state that is not final and
/// that nothing leaves. Automata that are total already are copied as they are. One union for each move, one
/// complement for each state.
pub fn make_total<A: BooleanAlgebra>(
    algebra: &A,
    automaton: &Sfa<A::Set>,
    budget: &Budget,
) -> Result<Sfa<A::Set>, Stop> {
    let mut builder = SfaBuilder::with_labels(Labels::of(automaton.labels()));
    for state in automaton.state_ids() {
        builder.add_state(automaton.is_final(state))?;
    }
    let mut sink: Option<StateId> = None;
    for state in automaton.state_ids() {
        let mut covered = algebra.empty();
        let mut before = None;
        for m in automaton.moves_from(state) {
            budget.tick()?;
            builder.add_move_id(state, m.label, m.target)?;
            // Long runs of one label are common: counters make them.
            if before != Some(m.label) {
                covered = algebra.union(&covered, automaton.label(m.label))?;
                before = Some(m.label);
            }
        }
        let missing = algebra.complement(&covered)?;
        if !algebra.is_empty(&missing)? {
            let to = match sink {
                Some(sink) => sink,
                None => builder.add_state(false)?,
            };
            sink = Some(to);
            builder.add_move(state, missing, to)?;
        }
    }
    if let Some(sink) = sink {
        builder.add_move(sink, algebra.full(), sink)?;
    }
    Ok(builder.freeze(automaton.initial()))
}

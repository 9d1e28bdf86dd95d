//! Emptiness of a whole automaton, and a shortest word of its language.
//!
//! Labels of automata that this crate builds are never empty (automata are *clean* in the sense of
//! Hooimeijer, *Decision Procedures for String Constraints*, section 3.1), so reachability alone decides.

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use harness_model::SmtString;

use crate::search::word_of;
use crate::sfa::{LabelId, Sfa, StateId};

/// Whether no final state can be reached. Linear in the automaton.
pub fn is_empty<S>(automaton: &Sfa<S>, budget: &Budget) -> Result<bool, Stop> {
    Ok(shortest_path(automaton, budget)?.is_none())
}

/// A shortest word, or `None` if the language is empty: breadth first, the first moves of a state first, for
/// each move the character that the algebra picks. Linear in the automaton.
pub fn shortest_word<A: BooleanAlgebra>(
    algebra: &A,
    automaton: &Sfa<A::Set>,
    budget: &Budget,
) -> Result<Option<SmtString>, Stop> {
    match shortest_path(automaton, budget)? {
        None => Ok(None),
        Some(path) => word_of(algebra, path.into_iter().map(|label| Ok(automaton.label(label).clone()))),
    }
}

/// The labels on a shortest path to a final state.
fn shortest_path<S>(automaton: &Sfa<S>, budget: &Budget) -> Result<Option<Vec<LabelId>>, Stop> {
    // How a state was reached; the initial state by nothing.
    let mut reached: Vec<Option<(StateId, LabelId)>> = vec![None; automaton.states()];
    let mut queue = vec![automaton.initial()];
    let mut at = 0;
    while let Some(&state) = queue.get(at) {
        at += 1;
        if automaton.is_final(state) {
            let mut path = Vec::new();
            let mut back = state;
            while let Some((from, label)) = reached[back.index()].filter(|_| back != automaton.initial()) {
                path.push(label);
                back = from;
            }
            path.reverse();
            return Ok(Some(path));
        }
        for m in automaton.moves_from(state) {
            budget.tick()?;
            if m.target != automaton.initial() && reached[m.target.index()].is_none() {
                reached[m.target.index()] = Some((state, m.label));
                queue.push(m.target);
            }
        }
    }
    Ok(None)
}

/// Whether the automaton accepts `word`: the set of states after each character. At most states times moves a
/// character.
pub fn accepts<A: BooleanAlgebra>(
    algebra: &A,
    automaton: &Sfa<A::Set>,
    word: &SmtString,
    budget: &Budget,
) -> Result<bool, Stop> {
    let mut current = vec![automaton.initial()];
    for &c in word.chars() {
        let mut next = Vec::new();
        for &state in &current {
            for m in automaton.moves_from(state) {
                budget.tick()?;
                if algebra.contains(automaton.label(m.label), c)? {
                    next.push(m.target);
                }
            }
        }
        next.sort_unstable();
        next.dedup();
        current = next;
    }
    Ok(current.into_iter().any(|state| automaton.is_final(state)))
}

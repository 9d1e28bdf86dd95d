//! What languages say of the lengths of their words.

use backends_api::{Budget, Stop};
use backends_automata::{Sfa, StateId};
use backends_graph::EdgeId;

/// What is known of a graph's strings without any integer: lengths, or a refutation. Everything said holds in
/// every solution; that nothing is refuted shows nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LengthAbstraction {
    /// These edges have no solution, whatever the integers.
    Refuted(Vec<EdgeId>),
    /// The least length of the words of each string vertex, by place, and the greatest, if there is one.
    Lengths(Vec<(usize, Option<usize>)>),
}

/// The states that are reached from `states` by one move, each once.
pub fn step<S>(language: &Sfa<S>, states: &[StateId], budget: &Budget) -> Result<Vec<StateId>, Stop> {
    let mut next = Vec::new();
    for &state in states {
        for m in language.moves_from(state) {
            budget.tick()?;
            next.push(m.target);
        }
    }
    next.sort_unstable();
    next.dedup();
    Ok(next)
}

/// Whether the automaton has words of this length.
pub fn has_length<S>(language: &Sfa<S>, length: usize, budget: &Budget) -> Result<bool, Stop> {
    let mut layer = vec![language.initial()];
    for _ in 0..length {
        layer = step(language, &layer, budget)?;
    }
    Ok(layer.iter().any(|&q| language.is_final(q)))
}

/// The least and the greatest length of the words of a trim automaton, the latter if there is one; `None` for
/// the empty language.
pub fn lengths<S>(language: &Sfa<S>, budget: &Budget) -> Result<Option<(usize, Option<usize>)>, Stop> {
    let mut layer = vec![language.initial()];
    let mut at = 0;
    let (mut least, mut greatest) = (None, None);
    // With a loop on a path to a final state there are words longer than any number of states.
    while !layer.is_empty() && at <= language.states() {
        if layer.iter().any(|&q| language.is_final(q)) {
            least.get_or_insert(at);
            greatest = Some(at);
        }
        layer = step(language, &layer, budget)?;
        at += 1;
    }
    let bounded = layer.is_empty();
    Ok(least.map(|least| (least, greatest.filter(|_| bounded))))
}

/// The lengths next to `length` below and above that words of the trim automaton have; `length` itself is not
/// among them.
pub fn lengths_beside<S>(
    language: &Sfa<S>,
    length: usize,
    budget: &Budget,
) -> Result<(Option<usize>, Option<usize>), Stop> {
    let mut layer = vec![language.initial()];
    let (mut below, mut at) = (None, 0);
    // In a trim automaton every state is as many steps from a final one as there are states, or fewer.
    while !layer.is_empty() && at <= length + language.states() {
        if at != length && layer.iter().any(|&q| language.is_final(q)) {
            if at > length {
                return Ok((below, Some(at)));
            }
            below = Some(at);
        }
        layer = step(language, &layer, budget)?;
        at += 1;
    }
    Ok((below, None))
}

//! The intersection of two automata, by their product: the words in both languages.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, figure 3.5. [`intersection`] builds the
//! whole automaton; [`intersection_witness`] is its lazy equivalent, which tests disjointness and stops at
//! the first final state it finds.

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use harness_model::SmtString;

use crate::builder::SfaBuilder;
use crate::search::{Frontier, Order, Search, word_of};
use crate::sfa::{Move, Sfa, StateId};
use crate::tally::Tally;

/// The product automaton: reachable states only, dead ones included. Its states are numbered in the order of
/// discovery, depth first; a state is final if both of its parts are. For each reachable pair of states: one
/// intersection for each pair of their moves.
pub fn intersection<A: BooleanAlgebra>(
    algebra: &A,
    left: &Sfa<A::Set>,
    right: &Sfa<A::Set>,
    budget: &Budget,
    tally: &mut Tally,
) -> Result<Sfa<A::Set>, Stop> {
    let mut builder = SfaBuilder::new();
    let mut frontier = Frontier::new(Order::DepthFirst);
    let start = (left.initial(), right.initial());
    frontier.find((start.0.0, start.1.0))?;
    let initial = builder.add_state(left.is_final(start.0) && right.is_final(start.1))?;

    while let Some((source, (p, q))) = frontier.take() {
        for m in left.moves_from(StateId(p)) {
            for n in right.moves_from(StateId(q)) {
                budget.tick()?;
                let label = algebra.intersection(left.label(m.label), right.label(n.label))?;
                if algebra.is_empty(&label)? {
                    continue;
                }
                let (target, is_new) = frontier.find((m.target.0, n.target.0))?;
                if is_new {
                    builder.add_state(left.is_final(m.target) && right.is_final(n.target))?;
                }
                builder.add_move(StateId(source), label, StateId(target))?;
            }
        }
    }
    tally.states += frontier.len() as u64;
    tally.moves += builder.moves() as u64;
    Ok(builder.freeze(initial))
}

/// How a state of a lazy product was found: from which one, and by which moves.
#[derive(Clone, Copy)]
struct Step {
    parent: u32,
    left: Move,
    right: Move,
}

/// A word in both languages, or `None` if there is none. Stops when it discovers a final state, which it
/// looks for before it takes a state up. Memory: some bytes for each discovered state; labels of the path are
/// computed again for the word.
pub fn intersection_witness<A: BooleanAlgebra>(
    algebra: &A,
    left: &Sfa<A::Set>,
    right: &Sfa<A::Set>,
    search: Search,
    budget: &Budget,
    tally: &mut Tally,
) -> Result<Option<SmtString>, Stop> {
    let start = (left.initial(), right.initial());
    if left.is_final(start.0) && right.is_final(start.1) {
        tally.states += 1;
        return Ok(Some(SmtString::empty()));
    }
    let mut frontier = Frontier::new(search.order);
    frontier.find((start.0.0, start.1.0))?;
    let mut steps: Vec<Step> = Vec::new();
    let mut moves = 0;
    let mut last = None;

    'search: while let Some((source, (p, q))) = frontier.take() {
        for &m in left.moves_from(StateId(p)) {
            for &n in right.moves_from(StateId(q)) {
                budget.tick()?;
                if search.once && frontier.knows((m.target.0, n.target.0)) {
                    continue;
                }
                let label = algebra.intersection(left.label(m.label), right.label(n.label))?;
                if algebra.is_empty(&label)? {
                    continue;
                }
                moves += 1;
                let (target, is_new) = frontier.find((m.target.0, n.target.0))?;
                if !is_new {
                    continue;
                }
                steps.push(Step { parent: source, left: m, right: n });
                if left.is_final(m.target) && right.is_final(n.target) {
                    last = Some(target);
                    break 'search;
                }
            }
        }
    }
    tally.states += frontier.len() as u64;
    tally.moves += moves;

    let Some(mut at) = last else { return Ok(None) };
    // State 0 is the start; state k was found by step k - 1.
    let mut path = Vec::new();
    while let Some(step) = (at as usize).checked_sub(1).map(|k| steps[k]) {
        path.push(step);
        at = step.parent;
    }
    word_of(
        algebra,
        path.iter().rev().map(|s| algebra.intersection(left.label(s.left.label), right.label(s.right.label))),
    )
}

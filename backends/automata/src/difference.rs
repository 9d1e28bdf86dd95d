//! The difference of two automata: the words of the left language that are not in the right one.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, figure 3.6: a product with the
//! complement of the right automaton, which is determinised on the way, so that only what the left one can
//! reach is determinised. The right automaton is made total first, as the figure assumes. [`difference`]
//! builds the whole automaton; [`difference_witness`] is its lazy equivalent, which tests inclusion and stops
//! at the first final state it finds.

use backends_algebra::{BooleanAlgebra, MintermWay};
use backends_api::{Budget, Stop};
use harness_model::SmtString;

use crate::builder::SfaBuilder;
use crate::search::{Frontier, Order, Search, word_of};
use crate::sfa::{Sfa, StateId};
use crate::subsets::Subsets;
use crate::tally::Tally;
use crate::total::make_total;

/// The difference automaton: reachable states only, dead ones included, numbered in the order of discovery.
///
/// For each reachable pair of a left state and a set of right states: the minterms of the labels that leave
/// the set, and one intersection for each left move and minterm. Exponential in the right automaton at worst.
pub fn difference<A: BooleanAlgebra>(
    algebra: &A,
    left: &Sfa<A::Set>,
    right: &Sfa<A::Set>,
    way: impl Into<MintermWay>,
    budget: &Budget,
    tally: &mut Tally,
) -> Result<Sfa<A::Set>, Stop> {
    let total = make_total(algebra, right, budget)?;
    let mut subsets = Subsets::new(algebra, &total, way.into(), false);
    let mut builder = SfaBuilder::new();
    let mut frontier = Frontier::new(Order::DepthFirst);
    let start = (left.initial().0, subsets.initial()?);
    frontier.find(start)?;
    let initial = builder.add_state(left.is_final(left.initial()) && !subsets.is_final(start.1))?;

    while let Some((source, (p, set))) = frontier.take() {
        for &(ref minterm, next) in subsets.moves(set, budget, tally)?.iter() {
            for m in left.moves_from(StateId(p)) {
                budget.tick()?;
                let label = algebra.intersection(left.label(m.label), minterm)?;
                if algebra.is_empty(&label)? {
                    continue;
                }
                let (target, is_new) = frontier.find((m.target.0, next))?;
                if is_new {
                    builder.add_state(left.is_final(m.target) && !subsets.is_final(next))?;
                }
                builder.add_move(StateId(source), label, StateId(target))?;
            }
        }
    }
    tally.states += frontier.len() as u64;
    tally.moves += builder.moves() as u64;
    tally.subsets += subsets.len() as u64;
    Ok(builder.freeze(initial))
}

/// A word of the left language that is not in the right one, or `None` if the left language is included.
/// Stops when it discovers a final state. Memory: a label for each discovered state, and the sets of right
/// states met.
pub fn difference_witness<A: BooleanAlgebra>(
    algebra: &A,
    left: &Sfa<A::Set>,
    right: &Sfa<A::Set>,
    way: impl Into<MintermWay>,
    search: Search,
    budget: &Budget,
    tally: &mut Tally,
) -> Result<Option<SmtString>, Stop> {
    let total = make_total(algebra, right, budget)?;
    let mut subsets = Subsets::new(algebra, &total, way.into(), search.once);
    let start = (left.initial().0, subsets.initial()?);
    if left.is_final(left.initial()) && !subsets.is_final(start.1) {
        tally.states += 1;
        return Ok(Some(SmtString::empty()));
    }
    let mut frontier = Frontier::new(search.order);
    frontier.find(start)?;
    // How a state was found: from which one, reading what. State k was found by step k - 1.
    let mut steps: Vec<(u32, A::Set)> = Vec::new();
    let mut moves = 0;
    let mut last = None;

    'search: while let Some((source, (p, set))) = frontier.take() {
        for &(ref minterm, next) in subsets.moves(set, budget, tally)?.iter() {
            for m in left.moves_from(StateId(p)) {
                budget.tick()?;
                if search.once && frontier.knows((m.target.0, next)) {
                    continue;
                }
                let label = algebra.intersection(left.label(m.label), minterm)?;
                if algebra.is_empty(&label)? {
                    continue;
                }
                moves += 1;
                let (target, is_new) = frontier.find((m.target.0, next))?;
                if !is_new {
                    continue;
                }
                steps.push((source, label));
                if left.is_final(m.target) && !subsets.is_final(next) {
                    last = Some(target);
                    break 'search;
                }
            }
        }
    }
    tally.states += frontier.len() as u64;
    tally.moves += moves;
    tally.subsets += subsets.len() as u64;

    let Some(mut at) = last else { return Ok(None) };
    let mut path = Vec::new();
    while let Some((parent, label)) = (at as usize).checked_sub(1).map(|k| &steps[k]) {
        path.push(label.clone());
        at = *parent;
    }
    word_of(algebra, path.into_iter().rev().map(Ok))
}

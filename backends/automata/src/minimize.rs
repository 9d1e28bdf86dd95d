//! Minimisation: the deterministic automaton with the fewest states.
//!
//! Source: Hopcroft's algorithm over the minterms of all labels, as in D'Antoni and Veanes, *Minimization of
//! symbolic automata*, section 4: the minterms of an automaton's labels act as the letters of a finite
//! alphabet.

use backends_algebra::{BooleanAlgebra, MintermWay};
use backends_api::{Budget, Stop};

use crate::builder::SfaBuilder;
use crate::determinize::determinize;
use crate::sfa::{Sfa, StateId, state_ids};
use crate::tally::Tally;

/// The minimal deterministic total automaton for the same language, up to the numbering of its states and the
/// order of its moves. Determinises first. Then, for n states and k minterms, O(k n log n).
pub fn minimize<A: BooleanAlgebra>(
    algebra: &A,
    automaton: &Sfa<A::Set>,
    way: impl Into<MintermWay>,
    budget: &Budget,
    tally: &mut Tally,
) -> Result<Sfa<A::Set>, Stop> {
    let way = way.into();
    let total = determinize(algebra, automaton, way, budget, tally)?;
    let letters = algebra.minterms(total.labels(), way, budget)?;
    tally.minterms += letters.len() as u64;

    // Which letters a label is made of.
    let mut made_of: Vec<Vec<usize>> = vec![Vec::new(); total.labels().len()];
    for (letter, (inside, _)) in letters.iter().enumerate() {
        for &label in inside {
            made_of[label].push(letter);
        }
    }
    // successor[letter][state], and the inverse.
    let states = total.states();
    let mut sources: Vec<Vec<Vec<u32>>> = vec![vec![Vec::new(); states]; letters.len()];
    for state in total.state_ids() {
        for m in total.moves_from(state) {
            for &letter in &made_of[m.label.index()] {
                budget.tick()?;
                sources[letter][m.target.index()].push(state.0);
            }
        }
    }

    let blocks = refine(&total, &sources, budget)?;
    quotient(algebra, &total, &blocks, budget)
}

/// Sets of states that partition all of them.
struct Blocks {
    /// Of each state.
    block_of: Vec<usize>,
    members: Vec<Vec<u32>>,
}

/// Hopcroft's refinement of {final, not final}: the coarsest partition that every letter respects.
fn refine<S>(total: &Sfa<S>, sources: &[Vec<Vec<u32>>], budget: &Budget) -> Result<Blocks, Stop> {
    let (finals, others): (Vec<StateId>, Vec<StateId>) = total.state_ids().partition(|&q| total.is_final(q));
    let mut blocks = Blocks { block_of: vec![0; total.states()], members: Vec::new() };
    for half in [finals, others].into_iter().filter(|half| !half.is_empty()) {
        for state in &half {
            blocks.block_of[state.index()] = blocks.members.len();
        }
        blocks.members.push(half.into_iter().map(|state| state.0).collect());
    }
    let mut waiting: Vec<(usize, usize)> =
        (0..blocks.members.len()).flat_map(|block| (0..sources.len()).map(move |l| (block, l))).collect();
    let mut is_waiting = vec![vec![true; sources.len()]; blocks.members.len()];
    let mut hits: Vec<Vec<u32>> = vec![Vec::new(); blocks.members.len()];
    let letters = 0..sources.len();

    while let Some((splitter, letter)) = waiting.pop() {
        is_waiting[splitter][letter] = false;
        let mut touched = Vec::new();
        for &target in &blocks.members[splitter] {
            for &source in &sources[letter][target as usize] {
                budget.tick()?;
                let block = blocks.block_of[source as usize];
                if hits[block].is_empty() {
                    touched.push(block);
                }
                hits[block].push(source);
            }
        }
        for block in touched {
            let inside = std::mem::take(&mut hits[block]);
            if inside.len() == blocks.members[block].len() {
                continue;
            }
            let fresh = blocks.members.len();
            for &state in &inside {
                blocks.block_of[state as usize] = fresh;
            }
            let block_of = &blocks.block_of;
            blocks.members[block].retain(|&state| block_of[state as usize] == block);
            blocks.members.push(inside);
            hits.push(Vec::new());
            is_waiting.push(vec![false; sources.len()]);
            let smaller =
                if blocks.members[fresh].len() <= blocks.members[block].len() { fresh } else { block };
            for letter in letters.clone() {
                let chosen = if is_waiting[block][letter] { fresh } else { smaller };
                if !std::mem::replace(&mut is_waiting[chosen][letter], true) {
                    waiting.push((chosen, letter));
                }
            }
        }
    }
    Ok(blocks)
}

/// One state for each block, with the moves of its first member; moves with the same target are joined.
fn quotient<A: BooleanAlgebra>(
    algebra: &A,
    total: &Sfa<A::Set>,
    blocks: &Blocks,
    budget: &Budget,
) -> Result<Sfa<A::Set>, Stop> {
    let mut builder = SfaBuilder::new();
    let names: Vec<StateId> = state_ids(blocks.members.len()).collect();
    for members in &blocks.members {
        builder.add_state(members.first().is_some_and(|&q| total.is_final(StateId(q))))?;
    }
    for (members, &name) in blocks.members.iter().zip(&names) {
        let Some(&first) = members.first() else { continue };
        let mut joined: Vec<(usize, A::Set)> = Vec::new();
        for m in total.moves_from(StateId(first)) {
            budget.tick()?;
            let block = blocks.block_of[m.target.index()];
            match joined.iter_mut().find(|(target, _)| *target == block) {
                Some((_, label)) => *label = algebra.union(label, total.label(m.label))?,
                None => joined.push((block, total.label(m.label).clone())),
            }
        }
        for (block, label) in joined {
            builder.add_move(name, label, names[block])?;
        }
    }
    Ok(builder.freeze(names[blocks.block_of[total.initial().index()]]))
}

//! Determinisation and complement by the subset construction.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, section 3.2.2: the difference algorithm
//! with every word on the left complements and determinises its right side. Here without the left side.

use backends_algebra::{BooleanAlgebra, MintermWay};
use backends_api::{Budget, Stop};

use crate::builder::SfaBuilder;
use crate::sfa::{Sfa, StateId};
use crate::subsets::Subsets;
use crate::tally::Tally;
use crate::total::make_total;

/// A deterministic and total automaton for the same language: the labels that leave a state partition the
/// alphabet, and moves with the same target are one. Exponential at worst.
pub fn determinize<A: BooleanAlgebra>(
    algebra: &A,
    automaton: &Sfa<A::Set>,
    way: impl Into<MintermWay>,
    budget: &Budget,
    tally: &mut Tally,
) -> Result<Sfa<A::Set>, Stop> {
    subset_construction(algebra, automaton, false, way.into(), budget, tally)
}

/// A deterministic and total automaton for the words that are not in the language. Exponential at worst.
pub fn complement<A: BooleanAlgebra>(
    algebra: &A,
    automaton: &Sfa<A::Set>,
    way: impl Into<MintermWay>,
    budget: &Budget,
    tally: &mut Tally,
) -> Result<Sfa<A::Set>, Stop> {
    subset_construction(algebra, automaton, true, way.into(), budget, tally)
}

fn subset_construction<A: BooleanAlgebra>(
    algebra: &A,
    automaton: &Sfa<A::Set>,
    negated: bool,
    way: MintermWay,
    budget: &Budget,
    tally: &mut Tally,
) -> Result<Sfa<A::Set>, Stop> {
    let total = make_total(algebra, automaton, budget)?;
    let mut subsets = Subsets::new(algebra, &total, way, false);
    let initial = StateId(subsets.initial()?);
    let mut builder = SfaBuilder::new();
    let mut at = initial;
    // Sets are numbered as they are met, so that each is taken up in its turn.
    while at.index() < subsets.len() {
        builder.add_state(subsets.is_final(at.0) != negated)?;
        let mut joined: Vec<(u32, A::Set)> = Vec::new();
        for (minterm, next) in subsets.moves(at.0, budget, tally)?.iter() {
            match joined.iter_mut().find(|(target, _)| target == next) {
                Some((_, label)) => *label = algebra.union(label, minterm)?,
                None => joined.push((*next, minterm.clone())),
            }
        }
        for (next, label) in joined {
            builder.add_move(at, label, StateId(next))?;
        }
        at.0 += 1;
    }
    tally.states += builder.states() as u64;
    tally.moves += builder.moves() as u64;
    tally.subsets += subsets.len() as u64;
    Ok(builder.freeze(initial))
}

//! Languages made as large as they can be.
//!
//! Cuts at seams give languages that satisfy a system; but where the language on the right is in one of two
//! states at a seam, and words may go on in the same way from both, a variable could have the words that lead
//! to either. So each variable in turn gets all words that are possible with the languages of the others:
//! those `x` for which `L x M` is within `R`, where `L` and `M` are what stands around it. That is everything
//! but what stands between a word of `L` and one of `M` in a word outside of `R`. Making a later variable
//! larger leaves an earlier one maximal.

use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_automata::rational::{concat, left_quotient, right_quotient};
use backends_automata::trim;

use crate::group::Assignment;
use crate::machine::{Lang, Machine, Tools};

/// Whether a variable is twice in one concatenation: then this does not make its language maximal.
pub fn has_squares<A: BooleanAlgebra>(machine: &Machine<A>) -> bool {
    machine.inclusions.iter().any(|inclusion| {
        let own = |&&node: &&usize| node < machine.variables;
        let mut nodes: Vec<usize> = inclusion.nodes.iter().filter(own).copied().collect();
        nodes.sort_unstable();
        nodes.windows(2).any(|pair| pair[0] == pair[1])
    })
}

/// The assignment with each language as large as it can be.
pub fn maximise<A: BooleanAlgebra>(
    machine: &Machine<A>,
    mut assignment: Assignment<A>,
    tools: &Tools<'_, A>,
) -> Result<Assignment<A>, Stop> {
    for variable in 0..machine.variables {
        let mut largest: Option<Lang<A>> = None;
        for inclusion in &machine.inclusions {
            let Some(place) = inclusion.nodes.iter().position(|&node| node == variable) else { continue };
            let (before, after) = (&inclusion.nodes[..place], &inclusion.nodes[place + 1..]);
            let mut outside = tools.complement(&inclusion.right)?;
            if !after.is_empty() {
                let after = joined(after, &assignment, tools)?;
                outside = right_quotient(tools.algebra, &outside, &after, tools.budget)?;
            }
            if !before.is_empty() {
                let before = joined(before, &assignment, tools)?;
                outside = left_quotient(tools.algebra, &outside, &before, tools.budget)?;
            }
            let inside = trim(&tools.complement(&trim(&outside, tools.budget)?)?, tools.budget)?;
            largest = Some(match largest {
                None => inside,
                Some(known) => tools.intersection(&known, &inside)?,
            });
        }
        if let Some(largest) = largest {
            assignment[variable] = Rc::new(tools.smallest(&largest)?);
        }
    }
    Ok(assignment)
}

fn joined<A: BooleanAlgebra>(
    nodes: &[usize],
    assignment: &Assignment<A>,
    tools: &Tools<'_, A>,
) -> Result<Lang<A>, Stop> {
    let mut whole = (*assignment[nodes[0]]).clone();
    for &node in &nodes[1..] {
        whole = concat(tools.algebra, &whole, &assignment[node], tools.budget)?;
    }
    Ok(whole)
}

/// Those assignments that are not within another one; of equal ones the first.
pub fn largest<A: BooleanAlgebra>(
    variables: usize,
    all: Vec<Assignment<A>>,
    tools: &Tools<'_, A>,
) -> Result<Vec<Assignment<A>>, Stop> {
    let within = |one: &Assignment<A>, other: &Assignment<A>| {
        for variable in 0..variables {
            if !one[variable].is_subset(&other[variable], tools.algebra, tools.budget)? {
                return Ok(false);
            }
        }
        Ok::<bool, Stop>(true)
    };
    let mut kept: Vec<Assignment<A>> = Vec::new();
    for one in all {
        let mut covered = false;
        for other in &kept {
            covered |= within(&one, other)?;
        }
        if !covered {
            let mut rest = Vec::with_capacity(kept.len() + 1);
            for other in kept {
                if !within(&other, &one)? {
                    rest.push(other);
                }
            }
            rest.push(one);
            kept = rest;
        }
    }
    Ok(kept)
}

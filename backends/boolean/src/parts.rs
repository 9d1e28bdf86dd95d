//! Literals in parts that share no variable: each part is decided by itself, and what is known of a part is
//! known of it wherever it occurs again.

use harness_theory::Problem;
use harness_theory::term::VarId;
use rustc_hash::FxHashMap;

use std::sync::Arc;

use crate::abstraction::Abstraction;
use crate::skeleton::Literal;

/// The parts of these literals, each ascending, the smallest first.
pub(crate) fn parts(abstraction: &Abstraction, literals: &[Literal]) -> Vec<Vec<Literal>> {
    let mut owner: FxHashMap<VarId, usize> = FxHashMap::default();
    let mut parent: Vec<usize> = (0..literals.len()).collect();
    for (place, literal) in literals.iter().enumerate() {
        for &variable in &abstraction.atoms[literal.atom].variables {
            let other = *owner.entry(variable).or_insert(place);
            let (a, b) = (find(&mut parent, place), find(&mut parent, other));
            parent[a] = b;
        }
    }
    let mut place_of: FxHashMap<usize, usize> = FxHashMap::default();
    let mut parts: Vec<Vec<Literal>> = Vec::new();
    for (place, &literal) in literals.iter().enumerate() {
        let root = find(&mut parent, place);
        let part = *place_of.entry(root).or_insert_with(|| {
            parts.push(Vec::new());
            parts.len() - 1
        });
        parts[part].push(literal);
    }
    parts.iter_mut().for_each(|part| part.sort_unstable());
    parts.sort_by_key(Vec::len);
    parts
}

fn find(parent: &mut [usize], mut place: usize) -> usize {
    while parent[place] != place {
        parent[place] = parent[parent[place]];
        place = parent[place];
    }
    place
}

/// The conjunction of the literals as a problem, over their variables alone.
pub(crate) fn problem(abstraction: &Abstraction, literals: &[Literal]) -> Problem {
    let atom = |literal: &Literal| &abstraction.atoms[literal.atom];
    let mut variables: Vec<VarId> = literals.iter().flat_map(|l| &atom(l).variables).copied().collect();
    variables.sort_unstable();
    variables.dedup();
    let assertion = |literal| {
        let atom = atom(literal);
        if literal.positive { atom.term } else { atom.opposite }
    };
    let assertions = literals.iter().map(assertion).collect();
    Problem { terms: Arc::clone(&abstraction.terms), variables, assertions }
}

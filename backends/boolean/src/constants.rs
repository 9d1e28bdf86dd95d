//! What follows for other atoms where a variable is a constant: `(= x "a")` excludes `(= x "b")` and decides
//! `(str.prefixof "b" x)`.
//!
//! Every clause holds of the theory alone, so it is given to the SAT solver before any search.

use backends_fold::Evaluator;
use harness_model::Alphabet;
use harness_theory::op::{CoreOp, Op};
use harness_theory::term::{Term, Terms, VarId};
use harness_theory::{Assignment, Value};
use rustc_hash::FxHashMap;

use crate::abstraction::{Abstraction, Atom};
use crate::skeleton::Literal;

/// Not more atoms than this are evaluated, one for each constant counted.
const MOST_EVALUATED: usize = 20_000;

/// Pairs of literals that exclude each other.
pub(crate) fn exclusions(abstraction: &Abstraction, alphabet: Alphabet) -> Vec<[Literal; 2]> {
    let terms = &*abstraction.terms;
    // The atoms over each variable alone, and the equations with a constant among them.
    let mut about: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
    let mut order: Vec<VarId> = Vec::new();
    for (place, atom) in abstraction.atoms.iter().enumerate() {
        let ([variable], None) = (atom.variables.as_slice(), atom.boolean) else { continue };
        let places = about.entry(*variable).or_default();
        if places.is_empty() {
            order.push(*variable);
        }
        places.push(place);
    }
    let mut exclusions = Vec::new();
    let mut left = MOST_EVALUATED;
    for variable in order {
        let places = &about[&variable];
        let equations: Vec<(usize, Value)> = places
            .iter()
            .filter_map(|&place| Some((place, constant(terms, &abstraction.atoms[place])?)))
            .collect();
        let cost = equations.len() * places.len();
        if equations.is_empty() || places.len() < 2 || cost > left {
            continue;
        }
        left -= cost;
        let roots: Vec<_> = places.iter().map(|&place| abstraction.atoms[place].term).collect();
        let mut evaluator = Evaluator::new(terms, &roots, alphabet);
        for (equation, value) in equations {
            let assignment: Assignment = [(variable, value)].into_iter().collect();
            if evaluator.run(&assignment).is_err() {
                continue;
            }
            for (root, &place) in places.iter().enumerate().filter(|(_, place)| **place != equation) {
                if let Ok(truth) = evaluator.bool(root) {
                    let is = Literal { atom: equation, positive: true };
                    exclusions.push([is, Literal { atom: place, positive: !truth }]);
                }
            }
        }
    }
    exclusions
}

/// The constant that the atom says its variable is.
fn constant(terms: &Terms, atom: &Atom) -> Option<Value> {
    let Term::App(Op::Core(CoreOp::Eq), sides) = terms.get(atom.term) else { return None };
    let [a, b] = **sides else { return None };
    let value = |id| match terms.get(id) {
        Term::Int(number) => Some(Value::Int(number.clone())),
        Term::String(word) => Some(Value::String(word.clone())),
        Term::App(..) | Term::Var(_) | Term::Bool(_) => None,
    };
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "an equation of two terms that are no variables defines none"
    )]
    match (terms.get(a), terms.get(b)) {
        (Term::Var(_), _) => value(b),
        (_, Term::Var(_)) => value(a),
        _ => None,
    }
}

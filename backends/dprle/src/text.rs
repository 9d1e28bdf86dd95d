//! Automata in DPRLE's notation, with the characters that their labels have.

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_automata::StateId;
use harness_model::{Alphabet, Char, CharSet, Regex};
use harness_systems::automaton::Move;
use harness_systems::{Automaton, Language, System};

use crate::machine::Lang;

/// Ranges of characters that no language of a system tells apart: a label has all characters of one, or none.
pub struct Classes {
    alphabet: Alphabet,
    ranges: Vec<(u32, u32)>,
}

impl Classes {
    /// Of a system.
    pub fn of(system: &System, alphabet: Alphabet) -> Self {
        let mut bounds = std::collections::BTreeSet::from([0, alphabet.max().0 + 1]);
        let mut add = |set: &CharSet| {
            for &(low, high) in set.cut_to(alphabet).ranges() {
                bounds.extend([low, high + 1]);
            }
        };
        for constraint in &system.constraints {
            match &*constraint.language {
                Language::Automaton(automaton) => {
                    automaton.moves.iter().filter_map(|step| step.reads.as_ref()).for_each(&mut add);
                }
                Language::Regex(regex) => sets(regex, &mut add),
            }
            for piece in &constraint.pieces {
                match piece {
                    harness_systems::Piece::Variable(_) => {}
                    harness_systems::Piece::Word(word) => {
                        word.chars().iter().for_each(|&c| add(&CharSet::single(c)));
                    }
                }
            }
        }
        let bounds: Vec<u32> = bounds.into_iter().collect();
        Self { alphabet, ranges: bounds.windows(2).map(|pair| (pair[0], pair[1] - 1)).collect() }
    }

    /// The text of an automaton whose labels are made of those of the system.
    pub fn text<A: BooleanAlgebra>(&self, algebra: &A, language: &Lang<A>) -> Result<String, Stop> {
        let mut sets = Vec::with_capacity(language.labels().len());
        for label in language.labels() {
            let mut ranges = Vec::new();
            for &(low, high) in &self.ranges {
                if algebra.contains(label, Char(low))? {
                    ranges.push((low, high));
                }
            }
            sets.push(CharSet::from_ranges(ranges));
        }
        // One final state, so that there is one more than the language has, unless it has one only.
        let finals: Vec<StateId> = language.state_ids().filter(|&state| language.is_final(state)).collect();
        let place = |state: StateId| state.0 as usize;
        let count = language.states();
        let (states, end) = match finals.as_slice() {
            [only] => (count, place(*only)),
            _ => (count + 1, count),
        };
        let mut moves = Vec::with_capacity(language.moves());
        for state in language.state_ids() {
            for step in language.moves_from(state) {
                let reads = Some(sets[step.label.0 as usize].clone());
                moves.push(Move { from: place(state), reads, to: place(step.target) });
            }
        }
        if end == count {
            moves.extend(finals.iter().map(|&state| Move { from: place(state), reads: None, to: end }));
        }
        let automaton = Automaton { states, start: place(language.initial()), end, moves };
        Ok(automaton.text(self.alphabet, false))
    }
}

fn sets(regex: &Regex, add: &mut impl FnMut(&CharSet)) {
    let mut todo = vec![regex];
    while let Some(regex) = todo.pop() {
        match regex {
            Regex::Empty | Regex::Epsilon => {}
            Regex::Set(set) => add(set),
            Regex::Concat(parts) | Regex::Union(parts) | Regex::Inter(parts) => todo.extend(parts.iter()),
            Regex::Complement(inner) | Regex::Repeat { inner, .. } => todo.push(inner),
        }
    }
}

//! Systems: constraints over variables that they share.

use std::sync::Arc;

use harness_model::SmtString;
use harness_theory::Position;

use crate::language::Language;

/// A variable of one [`System`]: an index into [`System::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub usize);

/// Constraints of which all have to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// Their names, each once.
    pub variables: Vec<String>,
    /// What must hold.
    pub constraints: Vec<Constraint>,
    /// Names for concatenations, which a solution may be asked for. None is the name of a variable.
    pub definitions: Vec<Definition>,
}

/// The concatenation of some pieces is, or is not, in a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// One after the other; none: the empty word.
    pub pieces: Vec<Piece>,
    /// Which of the two.
    pub relation: Relation,
    /// The language.
    pub language: Arc<Language>,
    /// Where it is written.
    pub position: Position,
}

/// A part of a concatenation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// The value of a variable.
    Variable(VariableId),
    /// A word.
    Word(SmtString),
}

/// Inside or outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// In the language.
    In,
    /// Not in the language.
    NotIn,
}

/// A name for a concatenation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub pieces: Vec<Piece>,
}

impl System {
    /// The variable of this name, which is added where there is none.
    pub fn variable(&mut self, name: &str) -> VariableId {
        if let Some(place) = self.variables.iter().position(|known| known == name) {
            return VariableId(place);
        }
        self.variables.push(name.to_owned());
        VariableId(self.variables.len() - 1)
    }

    /// The word that `pieces` are for these values of the variables.
    pub fn word(pieces: &[Piece], values: &[SmtString]) -> SmtString {
        pieces
            .iter()
            .flat_map(|piece| match piece {
                Piece::Variable(variable) => values[variable.0].chars(),
                Piece::Word(word) => word.chars(),
            })
            .copied()
            .collect()
    }

    /// The variables in groups that no constraint connects, by number; each in order of their first variable.
    pub fn groups(&self) -> Vec<Vec<VariableId>> {
        let mut parent: Vec<usize> = (0..self.variables.len()).collect();
        fn root(parent: &mut [usize], mut one: usize) -> usize {
            while parent[one] != one {
                parent[one] = parent[parent[one]];
                one = parent[one];
            }
            one
        }
        for constraint in &self.constraints {
            let mut variables = constraint.variables();
            let Some(first) = variables.next() else { continue };
            for other in variables {
                let (a, b) = (root(&mut parent, first.0), root(&mut parent, other.0));
                parent[a.max(b)] = a.min(b);
            }
        }
        let mut groups: std::collections::BTreeMap<usize, Vec<VariableId>> = Default::default();
        for variable in 0..self.variables.len() {
            groups.entry(root(&mut parent, variable)).or_default().push(VariableId(variable));
        }
        groups.into_values().collect()
    }
}

impl Constraint {
    /// The variables in it, as often as they occur.
    pub fn variables(&self) -> impl Iterator<Item = VariableId> + '_ {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Variable(variable) => Some(*variable),
            Piece::Word(_) => None,
        })
    }
}

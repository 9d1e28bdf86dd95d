//! What Hampi is asked: one variable, and what concatenations of it and of words have to be, for one length
//! after the other.

use std::ops::RangeInclusive;

use backends_api::BackendError;
use backends_input::Grammars;
use harness_grammar::NormalForm;
use harness_model::{Alphabet, CharSet, SmtString};
use harness_systems::grammar::RuleId;
use harness_systems::hampi::{Claim as Asked, File, Node as Written, Part, Segments};
use harness_systems::{Document, Piece, Relation, System};
use rustc_hash::FxHashMap;

use crate::encode::Cell;
use crate::language::{ANY, Languages, Node, NodeId};

/// The longest value that a grammar is unrolled for.
const LONGEST: u64 = 1_000;

/// Which lengths are tried where a question sets no bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// What they are counted from.
    pub from: From,
    /// From it on, the first and the last one.
    pub lengths: RangeInclusive<u32>,
}

/// Where lengths are counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// The empty word.
    Zero,
    /// The least length that the expressions leave possible, each for itself.
    Shortest,
}

impl From {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Zero, Self::Shortest];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::Shortest => "shortest",
        }
    }
}

/// What has to hold of a concatenation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It is in this language.
    In(NodeId),
    /// It is this other concatenation.
    Same(Vec<Part>),
}

/// A question made ready.
pub struct Ready {
    /// With the names of the variables whose words are the answer.
    pub system: System,
    /// Lengths of these words, but for the last, which has what is left.
    pub segments: Vec<usize>,
    /// All languages.
    pub languages: Languages,
    /// Concatenation, whether what is claimed must not hold, and what is.
    pub claims: Vec<(Vec<Part>, bool, Claim)>,
    /// The lengths that are tried.
    pub lengths: RangeInclusive<u32>,
    /// Whether no other length is possible.
    pub is_whole: bool,
}

impl Ready {
    /// Of what a document asks, where these lengths are tried if it sets no bound itself.
    pub fn all(document: &Document, alphabet: Alphabet, tried: &Tried) -> Result<Vec<Self>, BackendError> {
        if let Some(file) = &document.hampi {
            return Ok(vec![Self::of_file(file, alphabet)?]);
        }
        let ready = |query: &harness_systems::Query| {
            let system = query.system.as_ref().map_err(|why| BackendError::Unsupported(why.clone()))?;
            Self::of_system(system, tried)
        };
        document.queries.iter().map(ready).collect()
    }

    fn of_system(system: &System, tried: &Tried) -> Result<Self, BackendError> {
        if system.variables.len() > 1 {
            // Without names, so that reports count all such systems together.
            return Err(BackendError::Unsupported(
                "a system of several variables: Hampi has exactly one".to_owned(),
            ));
        }
        let mut languages = Languages::default();
        let mut claims = Vec::with_capacity(system.constraints.len());
        let (mut shortest, mut longest) = (0, if system.variables.is_empty() { 0 } else { ANY });
        for constraint in &system.constraints {
            let node = languages.language(&constraint.language);
            let part = |piece: &Piece| match piece {
                Piece::Variable(_) => Part::Variable,
                Piece::Word(word) => Part::Word(word.clone()),
            };
            let parts: Vec<Part> = constraint.pieces.iter().map(part).collect();
            if constraint.relation == Relation::In && parts.contains(&Part::Variable) {
                let (low, high) = languages.bounds(node);
                shortest = shortest.max(least(&parts, low));
                longest = longest.min(high);
            }
            claims.push((parts, constraint.relation == Relation::NotIn, Claim::In(node)));
        }
        let first = match tried.from {
            From::Zero => 0,
            // There is no word at all: whatever is tried, nothing is found.
            From::Shortest if shortest == ANY => 0,
            From::Shortest => shortest,
        };
        let [start, end] =
            [tried.lengths.start(), tried.lengths.end()].map(|length| first.saturating_add(*length));
        Ok(Self {
            system: system.clone(),
            segments: Vec::new(),
            languages,
            claims,
            lengths: start..=longest.min(end),
            is_whole: longest <= end && start <= first,
        })
    }

    /// Of several grammars that are to have a word in common.
    pub fn of_grammars(asked: &Grammars) -> Result<Self, BackendError> {
        let mut languages = Languages::default();
        let longest = u32::try_from(asked.longest).unwrap_or(ANY);
        let shortest = u32::try_from(asked.shortest).unwrap_or(ANY);
        if u64::from(longest) > LONGEST {
            return Err(too_long(longest.into()));
        }
        let grammar = |(_, grammar): &(String, harness_grammar::Grammar)| {
            let node = languages.grammar(NormalForm::of(grammar), asked.longest);
            (vec![Part::Variable], false, Claim::In(node))
        };
        let claims = asked.grammars.iter().map(grammar).collect();
        Ok(Self {
            system: System::default(),
            segments: Vec::new(),
            languages,
            claims,
            lengths: shortest..=longest,
            is_whole: true,
        })
    }

    fn of_file(file: &File, alphabet: Alphabet) -> Result<Self, BackendError> {
        let segments = Segments::of(file).map_err(BackendError::Unsupported)?;
        let mut system = System::default();
        for (name, ..) in &segments.pieces {
            system.variable(name);
        }
        let sum = |bound: fn(&(String, u32, u32)) -> u32| segments.pieces.iter().map(bound).sum::<u32>();
        let lengths = sum(|piece| piece.1)..=sum(|piece| piece.2);
        let mut reader = Reader {
            file,
            alphabet,
            languages: Languages::default(),
            grammars: FxHashMap::default(),
            nodes: Vec::with_capacity(file.nodes.len()),
            longest: longest(file, *lengths.end()),
        };
        let claims = reader.claims()?;
        let fixed = segments.pieces.len().saturating_sub(1);
        Ok(Self {
            system,
            segments: segments.pieces[..fixed].iter().map(|piece| piece.1 as usize).collect(),
            languages: reader.languages,
            claims,
            lengths,
            is_whole: true,
        })
    }

    /// The characters of a concatenation for a variable of `length` characters; `None` where that is too
    /// short for a part.
    pub fn cells(parts: &[Part], length: usize) -> Option<Vec<Cell>> {
        let mut cells = Vec::new();
        for part in parts {
            match part {
                Part::Word(word) => cells.extend(word.chars().iter().map(|&c| Cell::Letter(c))),
                Part::Variable => cells.extend((0..length).map(Cell::Place)),
                Part::Slice(start, count) => {
                    let (start, count) = (*start as usize, *count as usize);
                    if start + count > length {
                        return None;
                    }
                    cells.extend((start..start + count).map(Cell::Place));
                }
            }
        }
        Some(cells)
    }

    /// The words of the system's variables for a value.
    pub fn words(&self, value: &SmtString) -> Vec<SmtString> {
        let mut rest = value.chars();
        let mut words = Vec::with_capacity(self.segments.len() + 1);
        for &length in &self.segments {
            let (word, after) = rest.split_at(length.min(rest.len()));
            words.push(SmtString::from(word.to_vec()));
            rest = after;
        }
        words.push(SmtString::from(rest.to_vec()));
        words
    }
}

/// The least length of a variable that is needed for a concatenation of `length` characters.
fn least(parts: &[Part], length: u32) -> u32 {
    let (mut words, mut times) = (0_usize, 0_u32);
    for part in parts {
        match part {
            Part::Word(word) => words += word.len(),
            // A part of the variable is at most as long as all of it.
            Part::Variable | Part::Slice(..) => times += 1,
        }
    }
    if length == ANY {
        return ANY;
    }
    length.saturating_sub(u32::try_from(words).unwrap_or(ANY)).div_ceil(times.max(1))
}

fn too_long(length: u64) -> BackendError {
    BackendError::Unsupported(format!("a grammar for words of {length} characters: at most {LONGEST}"))
}

/// The longest concatenation of a file.
fn longest(file: &File, variable: u32) -> u64 {
    let of = |parts: &Vec<Part>| {
        let length = |part: &Part| match part {
            Part::Word(word) => word.len() as u64,
            Part::Variable => u64::from(variable),
            Part::Slice(_, length) => u64::from(*length),
        };
        parts.iter().map(length).sum::<u64>()
    };
    file.assertions.iter().map(|assertion| of(&assertion.value)).max().unwrap_or(0)
}

/// Takes a file's expressions and grammars as they are.
struct Reader<'f> {
    file: &'f File,
    alphabet: Alphabet,
    languages: Languages,
    grammars: FxHashMap<RuleId, NodeId>,
    nodes: Vec<NodeId>,
    longest: u64,
}

impl Reader<'_> {
    fn claims(&mut self) -> Result<Vec<(Vec<Part>, bool, Claim)>, BackendError> {
        // Parts come before what they are parts of.
        for node in &self.file.nodes {
            let made = match node {
                Written::Word(word) => self.languages.word(word),
                Written::Set(set) => self.languages.set(set),
                Written::Rule(rule) => self.grammar(*rule)?,
                Written::Fix(rule, length) => {
                    let inner = self.grammar(*rule)?;
                    self.languages.add(Node::Long(inner, *length))
                }
                Written::Star(inner) => self.languages.repeat(self.nodes[*inner], 0, None),
                Written::Or(parts) => {
                    let parts = parts.iter().map(|&part| self.nodes[part]).collect();
                    self.languages.or(parts)
                }
                Written::Concat(parts) => {
                    let parts: Vec<NodeId> = parts.iter().map(|&part| self.nodes[part]).collect();
                    self.languages.concat(parts.into_iter())
                }
            };
            self.nodes.push(made);
        }
        let mut claims = Vec::with_capacity(self.file.assertions.len());
        for assertion in &self.file.assertions {
            let claim = match &assertion.claim {
                Asked::InLanguage(node) => Claim::In(self.nodes[*node]),
                Asked::InGrammar(rule) => Claim::In(self.grammar(*rule)?),
                Asked::Contains(word) => {
                    let any = self.languages.set(&CharSet::full(self.alphabet));
                    let any = self.languages.repeat(any, 0, None);
                    let word = self.languages.word(word);
                    Claim::In(self.languages.concat([any, word, any].into_iter()))
                }
                Asked::Equals(other) => Claim::Same(other.clone()),
            };
            claims.push((assertion.value.clone(), assertion.negated, claim));
        }
        Ok(claims)
    }

    fn grammar(&mut self, rule: RuleId) -> Result<NodeId, BackendError> {
        if let Some(&known) = self.grammars.get(&rule) {
            return Ok(known);
        }
        if self.longest > LONGEST {
            return Err(too_long(self.longest));
        }
        let grammar = self.file.grammar.context_free(rule).map_err(BackendError::Unsupported)?;
        let longest = usize::try_from(self.longest).unwrap_or(usize::MAX);
        let made = self.languages.grammar(NormalForm::of(&grammar), longest);
        self.grammars.insert(rule, made);
        Ok(made)
    }
}

//! Files as systems. Grammars that are not regular are bounded: values have a greatest length.
//!
//! A file that takes parts of its variable cuts it into variables of their own, one for each piece between
//! the ends of the parts, of fixed lengths but for the last; where two values that are not constant are
//! compared, into single characters. The variable is then a name for all pieces together.

use std::collections::BTreeSet;
use std::sync::Arc;

use harness_model::{Alphabet, CharSet, Regex, SmtString};
use harness_theory::Position;

use super::{Assertion, Claim, File, Node, Part};
use crate::eliminate::Measured;
use crate::grammar::{Grammar, RuleId};
use crate::language::Language;
use crate::system::{Constraint, Definition, Piece, Relation, System, VariableId};

/// The most pieces that a variable is cut into.
const PIECES: usize = 5_000;

/// The least and the greatest length of words that matter.
pub type Lengths = (u64, u64);

/// How the words of these lengths that a rule derives become a language, or why they do not. There may be
/// words of other lengths in it.
pub type Languages<'a> = &'a mut dyn FnMut(&Grammar, RuleId, Lengths) -> Result<Language, String>;

/// The system of a file.
///
/// # Errors
///
/// When something would be too large: what is written, or a grammar within its bounds.
pub fn lower(file: &File, alphabet: Alphabet) -> Result<System, String> {
    lower_with(file, alphabet, &mut Grammar::language)
}

/// The system of a file, with languages for what its grammars derive from elsewhere.
///
/// # Errors
///
/// When there is no such language, or something would be too large.
pub fn lower_with(file: &File, alphabet: Alphabet, languages: Languages<'_>) -> Result<System, String> {
    let segments = Segments::of(file)?;
    let mut system = System::default();
    let position = file.variable.position;
    for (name, low, high) in &segments.pieces {
        let variable = system.variable(name);
        let any = Regex::set(CharSet::full(alphabet)).repeat(*low, Some(*high));
        system.constraints.push(of_regex(vec![Piece::Variable(variable)], false, any, position));
    }
    let name =
        |name: &str, parts: &[Part]| Definition { name: name.to_owned(), pieces: segments.pieces_of(parts) };
    if segments.pieces.len() != 1 {
        system.definitions.push(name(&file.variable.name, &[Part::Variable]));
    }
    system.definitions.extend(file.values.iter().map(|(value, parts)| name(value, parts)));
    let mut lowering =
        Lowering { file, alphabet, segments: &segments, languages, made: vec![None; file.nodes.len()] };
    for assertion in &file.assertions {
        lowering.assertion(assertion, &mut system)?;
    }
    Ok(system)
}

fn of_regex(pieces: Vec<Piece>, negated: bool, regex: Regex, position: Position) -> Constraint {
    of_language(pieces, negated, Language::Regex(regex), position)
}

fn of_language(pieces: Vec<Piece>, negated: bool, language: Language, position: Position) -> Constraint {
    let relation = if negated { Relation::NotIn } else { Relation::In };
    Constraint { pieces, relation, language: Arc::new(language), position }
}

/// The pieces that the variable is cut into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segments {
    /// Names, and least and greatest lengths; in order.
    pub pieces: Vec<(String, u32, u32)>,
    /// Where each piece begins, and where the last one begins that may have several lengths.
    starts: Vec<u32>,
}

impl Segments {
    /// Those that a file needs.
    ///
    /// # Errors
    ///
    /// When there are too many, or two values are compared whose length is not fixed.
    pub fn of(file: &File) -> Result<Self, String> {
        let variable = &file.variable;
        let mut cuts: BTreeSet<u32> = BTreeSet::from([0]);
        let mut letters = false;
        let equated = file.assertions.iter().filter_map(|assertion| match &assertion.claim {
            Claim::Equals(other) => Some((assertion, other)),
            Claim::InLanguage(_) | Claim::InGrammar(_) | Claim::Contains(_) => None,
        });
        for (assertion, other) in equated {
            let is_constant = |parts: &[Part]| parts.iter().all(|part| matches!(part, Part::Word(_)));
            if !is_constant(&assertion.value) && !is_constant(other) {
                if variable.low != variable.high {
                    let line = assertion.position.line;
                    return Err(format!(
                        "line {line} compares two values that are not constant, which is supported for a variable of one length only"
                    ));
                }
                letters = true;
            }
        }
        if letters {
            if variable.high as usize > PIECES {
                return Err(format!("the variable would be cut into more than {PIECES} pieces"));
            }
            cuts.extend(0..=variable.high);
        }
        // Parts that only names that nothing is said of have are cut too: they are printed.
        let values =
            file.values.iter().map(|(_, parts)| parts).chain(file.assertions.iter().map(|a| &a.value));
        let others = file.assertions.iter().filter_map(|assertion| match &assertion.claim {
            Claim::Equals(other) => Some(other),
            Claim::InLanguage(_) | Claim::InGrammar(_) | Claim::Contains(_) => None,
        });
        for part in values.chain(others).flatten() {
            if let Part::Slice(start, length) = part {
                cuts.extend([*start, start + length]);
            }
        }
        if cuts.len() > PIECES {
            return Err(format!("the variable would be cut into more than {PIECES} pieces"));
        }
        let starts: Vec<u32> = cuts.into_iter().collect();
        if starts == [0] {
            return Ok(Self { pieces: vec![(variable.name.clone(), variable.low, variable.high)], starts });
        }
        // A part that ends beyond the least length rules out the lengths before its end.
        let mut pieces: Vec<(String, u32, u32)> = starts
            .windows(2)
            .map(|ends| {
                let length = ends[1] - ends[0];
                (format!("{}[{}:{length}]", variable.name, ends[0]), length, length)
            })
            .collect();
        let last = starts.last().copied().unwrap_or_default();
        let (low, high) = (variable.low.saturating_sub(last), variable.high - last);
        if high > 0 {
            pieces.push((format!("{}[{last}:]", variable.name), low, high));
        }
        Ok(Self { pieces, starts })
    }

    fn pieces_of(&self, parts: &[Part]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for part in parts {
            match part {
                Part::Word(word) if word.is_empty() => {}
                Part::Word(word) => pieces.push(Piece::Word(word.clone())),
                Part::Variable => {
                    pieces.extend((0..self.pieces.len()).map(|i| Piece::Variable(VariableId(i))));
                }
                Part::Slice(start, length) => {
                    let inside = |place: &usize| (*start..start + length).contains(&self.starts[*place]);
                    let places = (0..self.pieces.len()).filter(inside);
                    pieces.extend(places.map(|i| Piece::Variable(VariableId(i))));
                }
            }
        }
        pieces
    }

    /// The least and the greatest length of what parts stand for.
    fn lengths(&self, parts: &[Part]) -> Lengths {
        let all = self.pieces_of(parts);
        all.iter().fold((0, 0), |(low, high), piece| match piece {
            Piece::Word(word) => (low + word.len() as u64, high + word.len() as u64),
            Piece::Variable(variable) => {
                let (_, least, most) = &self.pieces[variable.0];
                (low + u64::from(*least), high + u64::from(*most))
            }
        })
    }
}

fn expression(language: &Language) -> Result<Regex, String> {
    language.regex().map(std::borrow::Cow::into_owned).map_err(|error| error.to_string())
}

struct Lowering<'a, 'l> {
    file: &'a File,
    alphabet: Alphabet,
    segments: &'a Segments,
    languages: Languages<'l>,
    /// Expressions of the nodes, where no rule with bounds of its own is in them.
    made: Vec<Option<Measured>>,
}

impl Lowering<'_, '_> {
    fn assertion(&mut self, assertion: &Assertion, system: &mut System) -> Result<(), String> {
        let Assertion { value, negated, claim, position } = assertion;
        let pieces = self.segments.pieces_of(value);
        let any = || Regex::set(CharSet::full(self.alphabet)).star();
        let language = match claim {
            Claim::InLanguage(node) => match self.file.nodes[*node] {
                // As it is, without a way over an expression, which may be much larger.
                Node::Fix(rule, length) => self.fixed(rule, length)?,
                Node::Rule(rule) => (self.languages)(&self.file.grammar, rule, self.segments.lengths(value))?,
                Node::Word(_) | Node::Set(_) | Node::Star(_) | Node::Or(_) | Node::Concat(_) => {
                    Language::Regex(self.node(*node, self.segments.lengths(value))?)
                }
            },
            Claim::InGrammar(rule) => {
                (self.languages)(&self.file.grammar, *rule, self.segments.lengths(value))?
            }
            Claim::Contains(word) => Language::Regex(Regex::concat([any(), Regex::literal(word), any()])),
            Claim::Equals(other) => return self.equals(pieces, other, *negated, *position, system),
        };
        system.constraints.push(of_language(pieces, *negated, language, *position));
        Ok(())
    }

    /// The words of this length that a rule derives.
    fn fixed(&mut self, rule: RuleId, length: u32) -> Result<Language, String> {
        let lengths = (u64::from(length), u64::from(length));
        match (self.languages)(&self.file.grammar, rule, lengths)? {
            Language::Regex(derived) => {
                let long = Regex::set(CharSet::full(self.alphabet)).repeat(length, Some(length));
                Ok(Language::Regex(Regex::Inter([derived, long].into())))
            }
            // It was made for this length alone.
            Language::Automaton(automaton) => Ok(Language::Automaton(automaton)),
        }
    }

    /// The expression of a node, for words of these lengths. Parts come before what they are parts of, so no
    /// call is needed for them.
    fn node(&mut self, root: usize, lengths: Lengths) -> Result<Regex, String> {
        let too_large =
            || "an expression is too large or nested too deeply once its names are written out".to_owned();
        let mut needed = vec![false; root + 1];
        needed[root] = true;
        for place in (0..=root).rev().filter(|&place| self.made[place].is_none()).collect::<Vec<_>>() {
            if !needed[place] {
                continue;
            }
            match &self.file.nodes[place] {
                Node::Star(inner) => needed[*inner] = true,
                Node::Or(parts) | Node::Concat(parts) => parts.iter().for_each(|&part| needed[part] = true),
                Node::Word(_) | Node::Set(_) | Node::Rule(_) | Node::Fix(..) => {}
            }
        }
        for (place, _) in needed.iter().enumerate().filter(|(_, needed)| **needed) {
            if self.made[place].is_some() {
                continue;
            }
            let part = |made: &[Option<Measured>], part: usize| made[part].clone().ok_or_else(too_large);
            let made = match &self.file.nodes[place] {
                Node::Word(word) if word.is_empty() => Measured::leaf(Regex::Epsilon),
                Node::Word(word) => Measured::of(Regex::literal(word))?,
                Node::Set(set) => Measured::leaf(Regex::set(set.clone())),
                Node::Rule(rule) => {
                    // A rule inside of an expression derives words no longer than the whole.
                    let language = (self.languages)(&self.file.grammar, *rule, (0, lengths.1))?;
                    Measured::of(expression(&language)?)?
                }
                Node::Fix(rule, length) => Measured::of(expression(&self.fixed(*rule, *length)?)?)?,
                Node::Star(inner) => part(&self.made, *inner)?.star(),
                Node::Or(parts) => {
                    let parts = parts.iter().map(|&p| part(&self.made, p)).collect::<Result<Vec<_>, _>>()?;
                    Measured::union(&parts)
                }
                Node::Concat(parts) => {
                    let mut whole = Measured::leaf(Regex::Epsilon);
                    for &p in parts {
                        whole = whole.then(&part(&self.made, p)?);
                        if !whole.fits() {
                            return Err(too_large());
                        }
                    }
                    whole
                }
            };
            if !made.fits() {
                return Err(too_large());
            }
            self.made[place] = Some(made);
        }
        let whole = self.made[root].as_ref().map(|made| made.regex.clone());
        if self.has_rule(root) {
            // Made for these lengths alone.
            self.made.iter_mut().for_each(|made| *made = None);
        }
        whole.ok_or_else(too_large)
    }

    /// Whether there is a rule without a length of its own at or before this node.
    fn has_rule(&self, root: usize) -> bool {
        self.file.nodes[..=root].iter().any(|node| matches!(node, Node::Rule(_)))
    }

    fn equals(
        &self,
        pieces: Vec<Piece>,
        other: &[Part],
        negated: bool,
        position: Position,
        system: &mut System,
    ) -> Result<(), String> {
        let other = self.segments.pieces_of(other);
        let constant = |pieces: &[Piece]| {
            let is_word = |piece: &Piece| matches!(piece, Piece::Word(_));
            pieces.iter().all(is_word).then(|| System::word(pieces, &[]))
        };
        let against = match (constant(&pieces), constant(&other)) {
            (_, Some(word)) => Some((pieces.clone(), word)),
            (Some(word), None) => Some((other.clone(), word)),
            (None, None) => None,
        };
        if let Some((pieces, word)) = against {
            system.constraints.push(of_regex(pieces, negated, Regex::literal(&word), position));
            return Ok(());
        }
        // Both are made of single characters.
        let letters = |pieces: &[Piece]| {
            let one = |piece: &Piece| match piece {
                Piece::Variable(_) => vec![piece.clone()],
                Piece::Word(word) => {
                    word.chars().iter().map(|&c| Piece::Word(SmtString::from(vec![c]))).collect::<Vec<_>>()
                }
            };
            pieces.iter().flat_map(one).collect::<Vec<_>>()
        };
        let (left, right) = (letters(&pieces), letters(&other));
        if left.len() != right.len() {
            if !negated {
                system.constraints.push(of_regex(pieces, false, Regex::Empty, position));
            }
            return Ok(());
        }
        let full = CharSet::full(self.alphabet);
        let (letter, size) = (Regex::set(full.clone()), full.len());
        if !negated {
            // Character by character: two that are the same.
            let same = full.ranges().iter().flat_map(|&(low, high)| low..=high);
            let twice = |c: u32| {
                let c = Regex::set(CharSet::single(harness_model::Char(c)));
                Regex::concat([c.clone(), c])
            };
            if size > 256 {
                return Err("two values that are not constant are compared over bytes only".to_owned());
            }
            let same = Regex::union(same.map(twice));
            let pairs = left.into_iter().zip(right).filter(|(a, b)| a != b);
            system
                .constraints
                .extend(pairs.map(|(a, b)| of_regex(vec![a, b], false, same.clone(), position)));
            return Ok(());
        }
        // Both after each other: somewhere there are two characters that differ.
        let length = u32::try_from(left.len()).unwrap_or(u32::MAX);
        if size > 256 || u64::from(length) * size > 50_000 {
            return Err(
                "two values that are not constant and long must not be equal, which is not supported"
                    .to_owned(),
            );
        }
        let mut ways = Vec::new();
        for place in 0..length {
            for c in full.ranges().iter().flat_map(|&(low, high)| low..=high) {
                let c = CharSet::single(harness_model::Char(c));
                let others = c.complement(self.alphabet);
                ways.push(Regex::concat([
                    letter.clone().repeat(place, Some(place)),
                    Regex::set(c),
                    letter.clone().repeat(length - 1, Some(length - 1)),
                    Regex::set(others),
                    letter.clone().repeat(length - 1 - place, Some(length - 1 - place)),
                ]));
            }
        }
        let all = left.into_iter().chain(right).collect();
        system.constraints.push(of_regex(all, false, Regex::union(ways), position));
        Ok(())
    }
}

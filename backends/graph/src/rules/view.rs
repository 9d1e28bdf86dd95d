//! What a rule sees of a graph: lengths and numbers as sums, constants as words, Java's operations behind
//! SMT-LIB's.

use std::collections::HashMap;

use harness_model::Char;
use harness_model::int::Int;

use crate::edge::{Edge, IntVertex, Relation, StringVertex};
use crate::formula::IntFormula;
use crate::graph::{IntDefinition, StringGraph};
use crate::linear::Sum;

/// A graph as the rules see it.
#[derive(Debug)]
pub struct View<'g> {
    graph: &'g StringGraph,
    /// The definitions of auxiliary integers that are sums.
    sums: HashMap<IntVertex, &'g Sum>,
    /// The codes of strings that are made from codes.
    codes: HashMap<StringVertex, IntVertex>,
}

/// A word that stands at a place of a string if a condition holds.
#[derive(Debug)]
pub struct Occurrence<'g> {
    /// The word; not empty.
    pub word: &'g [Char],
    /// Where it starts.
    pub at: Sum,
    /// When it stands there.
    pub when: IntFormula,
}

impl<'g> View<'g> {
    /// Every string vertex of `graph` has a length vertex.
    pub fn new(graph: &'g StringGraph) -> Self {
        let mut sums = HashMap::new();
        for (vertex, definition) in graph.definitions() {
            if let IntDefinition::Sum(sum) = definition {
                sums.insert(*vertex, sum);
            }
        }
        let mut codes = HashMap::new();
        for edge in graph.edges() {
            if let Relation::FromCode { c, r } = edge.relation {
                codes.insert(r, c);
            }
        }
        Self { graph, sums, codes }
    }

    /// The graph.
    pub const fn graph(&self) -> &'g StringGraph {
        self.graph
    }

    /// The vertex that an edge is about: its first string, for all but `concat`, `fromCode` and `fromInt`.
    pub fn source(edge: &Edge) -> Option<StringVertex> {
        match edge.relation {
            Relation::Concat { .. } | Relation::FromCode { .. } | Relation::FromInt { .. } => None,
            Relation::Equal { .. }
            | Relation::StartsWith { .. }
            | Relation::EndsWith { .. }
            | Relation::Contains { .. }
            | Relation::Less { .. }
            | Relation::LessEqual { .. }
            | Relation::InRe { .. }
            | Relation::IsDigit { .. }
            | Relation::CharAt { .. }
            | Relation::At { .. }
            | Relation::Substr { .. }
            | Relation::IndexOf { .. }
            | Relation::LastIndexOf { .. }
            | Relation::Trim { .. }
            | Relation::Replace { .. }
            | Relation::ReplaceAll { .. }
            | Relation::ReplaceRe { .. }
            | Relation::ReplaceReAll { .. }
            | Relation::ToLower { .. }
            | Relation::ToUpper { .. }
            | Relation::ToCode { .. }
            | Relation::ToInt { .. }
            | Relation::CompareTo { .. } => edge.relation.strings().next(),
        }
    }

    /// The length of a string.
    pub fn len(&self, s: StringVertex) -> Sum {
        match (self.graph.word(s), self.graph.length_of(s)) {
            (Some(word), _) => Sum::from(word.len()),
            (None, Some(length)) => self.graph.sum_of(length),
            // Not reached for graphs as `new` wants them; an unknown length implies nothing.
            (None, None) => Sum::from(0_i64),
        }
    }

    /// An integer vertex as a sum, its definition if that is one.
    pub fn int(&self, i: IntVertex) -> Sum {
        self.sums.get(&i).map_or_else(|| self.graph.sum_of(i), |sum| (*sum).clone())
    }

    /// The word of a constant.
    pub fn word(&self, s: StringVertex) -> Option<&'g [Char]> {
        self.graph.word(s).map(|word| word.chars())
    }

    /// The code of a string of one character, if the graph has it as a number: of a constant, or the argument
    /// of `fromCode`.
    pub fn code(&self, s: StringVertex) -> Option<Sum> {
        match self.word(s) {
            Some(&[Char(c)]) => Some(Sum::from(i64::from(c))),
            Some(_) => None,
            None => self.codes.get(&s).map(|&c| self.int(c)),
        }
    }

    /// The greatest code of a character.
    pub fn max_code(&self) -> Sum {
        Sum::from(i64::from(self.graph.alphabet().max().0))
    }

    /// The constant word that an edge says stands at a certain place of its source.
    #[allow(clippy::wildcard_enum_match_arm, reason = "no word has a place that others name")]
    pub fn occurrence(&self, edge: &Edge) -> Option<Occurrence<'g>> {
        if !edge.positive {
            return None;
        }
        let minus_one = Sum::from(Int::MINUS_ONE);
        let (word, at, when) = match edge.relation {
            Relation::StartsWith { t, .. } => (self.word(t)?, Sum::from(0_i64), IntFormula::Bool(true)),
            Relation::EndsWith { s, t } => {
                let word = self.word(t)?;
                (word, self.len(s).sub(&Sum::from(word.len())), IntFormula::Bool(true))
            }
            Relation::IndexOf { t, i, .. } | Relation::LastIndexOf { t, i, .. } => {
                (self.word(t)?, self.int(i), self.int(i).ne(&minus_one))
            }
            Relation::Substr { from, r, .. } => (self.word(r)?, self.int(from), IntFormula::Bool(true)),
            Relation::At { i, r, .. } => (self.word(r)?, self.int(i), IntFormula::Bool(true)),
            _ => return None,
        };
        (!word.is_empty()).then_some(Occurrence { word, at, when })
    }
}

/// The first place of `part` in `whole`.
pub fn find(whole: &[Char], part: &[Char]) -> Option<usize> {
    let last = whole.len().checked_sub(part.len())?;
    (0..=last).find(|&p| whole[p..].starts_with(part))
}

/// The last place of `part` in `whole`.
pub fn find_last(whole: &[Char], part: &[Char]) -> Option<usize> {
    let last = whole.len().checked_sub(part.len())?;
    (0..=last).rev().find(|&p| whole[p..].starts_with(part))
}

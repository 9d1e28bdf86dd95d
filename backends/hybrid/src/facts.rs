//! What a rule sees of a path condition: the graph, what is known of its integers, and which of them are numbers that strings
//! write.
//!
//! Java's `parseInt` (and `valueOf` of a string, `VOF` in the paper) is read as an SMT-LIB term over `str.to_int`, with the format of the
//! string as a constraint beside it. [`Facts::new`] finds that term again in the graph, so that rules can speak of it. Its
//! meaning has a sign; `str.to_int` alone has none, and is -1 for a string that is not digits.

use std::collections::HashMap;
use std::sync::Arc;

use backends_graph::rules::View;
use backends_graph::{
    Comparison, Edge, IntDefinition, IntFormula, IntVertex, Relation, StringGraph, StringVertex, Sum,
};
use harness_model::int::Int;
use harness_model::{Char, CharSet, Regex};

use crate::bounds::{Bounds, Range};

/// `value` is the number that `s` writes: an optional sign, then digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The string.
    pub s: StringVertex,
    /// Its number.
    pub value: IntVertex,
}

/// A path condition as the rules see it.
#[derive(Debug)]
pub struct Facts<'g> {
    /// Lengths and numbers as sums, constants as words.
    pub view: View<'g>,
    /// Where the integers are.
    pub bounds: &'g Bounds,
    parsed: Vec<Parsed>,
}

impl<'g> Facts<'g> {
    /// Every string vertex of `graph` has a length vertex. Cost: linear in the graph.
    pub fn new(graph: &'g StringGraph, bounds: &'g Bounds) -> Self {
        Self { view: View::new(graph), bounds, parsed: parsed(graph) }
    }

    /// The graph.
    pub const fn graph(&self) -> &'g StringGraph {
        self.view.graph()
    }

    /// The strings that are parsed, with their numbers.
    pub fn parsed(&self) -> &[Parsed] {
        &self.parsed
    }

    /// Where the vertex is.
    pub fn range(&self, vertex: IntVertex) -> Range {
        self.bounds.sum(&self.view.int(vertex))
    }

    /// Where the length is.
    pub fn length(&self, s: StringVertex) -> Range {
        self.bounds.sum(&self.view.len(s))
    }

    /// The code of the first character that an edge says `s` has.
    pub fn first(&self, edge: &Edge, s: StringVertex) -> Option<Char> {
        let word = match edge.relation {
            Relation::StartsWith { s: of, t } if edge.positive && of == s => self.view.word(t)?,
            Relation::At { s: of, i, r } if of == s && self.range(i).only() == Some(0) => {
                self.view.word(r)?
            }
            Relation::CharAt { s: of, i, c } if of == s && self.range(i).only() == Some(0) => {
                let code = self.range(c).only()?;
                return u32::try_from(code).ok().map(Char);
            }
            _ => return None,
        };
        word.first().copied()
    }
}

/// `[+-]?[0-9]+`, as the reader of Java's operations spells it.
fn is_format(regex: &Regex) -> bool {
    let set = |regex: &Regex| match regex {
        Regex::Set(set) => Some(Arc::clone(set)),
        Regex::Concat(parts) => match &**parts {
            [Regex::Set(set)] => Some(Arc::clone(set)),
            _ => None,
        },
        _ => None,
    };
    let Regex::Concat(parts) = regex else { return false };
    let [sign, digits] = &**parts else { return false };
    let (
        Regex::Repeat { inner: sign, min: 0, max: Some(1) },
        Regex::Repeat { inner: digit, min: 1, max: None },
    ) = (sign, digits)
    else {
        return false;
    };
    let signs = match &**sign {
        Regex::Union(signs) => signs.iter().map(set).collect::<Option<Vec<_>>>(),
        one => set(one).map(|set| vec![set]),
    };
    let Some(signs) = signs else { return false };
    let signs = signs.iter().fold(CharSet::empty(), |all, set| all.union(set));
    signs == CharSet::from_ranges([(0x2B, 0x2B), (0x2D, 0x2D)])
        && set(digit).is_some_and(|digit| *digit == CharSet::from_ranges([(0x30, 0x39)]))
}

/// Finds `ite(s starts with -, -int(rest), ite(s starts with +, int(rest), int(s)))` for strings `s` of the format.
fn parsed(graph: &StringGraph) -> Vec<Parsed> {
    let mut formatted: Vec<StringVertex> = Vec::new();
    let mut numbers: HashMap<IntVertex, StringVertex> = HashMap::new();
    let mut rests: HashMap<StringVertex, StringVertex> = HashMap::new();
    let mut signs: HashMap<IntVertex, (StringVertex, Char)> = HashMap::new();
    let view = View::new(graph);
    let (zero, one) = (Sum::from(0_i64), Sum::from(1_i64));
    for edge in graph.edges() {
        match &edge.relation {
            Relation::InRe { s, regex } if edge.positive && is_format(regex) => formatted.push(*s),
            Relation::ToInt { s, i } => {
                numbers.insert(*i, *s);
            }
            Relation::Substr { s, from, count, r }
                if view.int(*from) == one && view.int(*count) == view.len(*s).sub(&one) =>
            {
                rests.insert(*r, *s);
            }
            Relation::IndexOf { s, t, from, i } if view.int(*from) == zero => {
                if let Some([sign]) = view.word(*t) {
                    signs.insert(*i, (*s, *sign));
                }
            }
            _ => {}
        }
    }
    // The string that starts with the sign where the formula holds.
    let sign_of = |condition: &IntFormula| match condition {
        IntFormula::Atom(sum, Comparison::Zero) if *sum.constant() == Int::ZERO => match sum.terms() {
            [(vertex, _)] => signs.get(vertex).copied(),
            _ => None,
        },
        _ => None,
    };
    let unsigned = |sum: &Sum, s: StringVertex| {
        let Some(vertex) = sum.vertex() else { return false };
        let found = graph.definitions().iter().find(|(defined, _)| *defined == vertex);
        let Some((_, IntDefinition::Choice(plus, rest, whole))) = found else { return false };
        let rest = rest.vertex().and_then(|v| numbers.get(&v)).and_then(|r| rests.get(r));
        let whole = whole.vertex().and_then(|v| numbers.get(&v));
        sign_of(plus) == Some((s, Char::from(b'+'))) && rest == Some(&s) && whole == Some(&s)
    };
    let mut all = Vec::new();
    for (value, definition) in graph.definitions() {
        let IntDefinition::Choice(minus, opposite, rest) = definition else { continue };
        let Some((s, sign)) = sign_of(minus) else { continue };
        let magnitude = opposite.times(&Int::MINUS_ONE).vertex();
        let magnitude = magnitude.and_then(|v| numbers.get(&v)).and_then(|r| rests.get(r));
        if sign == Char::from(b'-') && magnitude == Some(&s) && unsigned(rest, s) && formatted.contains(&s) {
            all.push(Parsed { s, value: *value });
        }
    }
    all
}

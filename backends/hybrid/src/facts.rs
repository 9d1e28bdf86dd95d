//! What a rule sees of a path condition: the graph, what is known of its integers, and which of them are
//! numbers that strings write.
//!
//! Java's `parseInt` (and `valueOf` of a string, `VOF` in the paper) is read as an SMT-LIB term over
//! `str.to_int`, with the format of the string as a constraint beside it. [`parsed`] finds that term again in
//! the graph, so that rules can speak of it. Its meaning has a sign; `str.to_int` alone has none, and is -1
//! for a string that is not digits.

use std::collections::HashMap;
use std::sync::Arc;

use backends_graph::rules::View;
use backends_graph::simplify::Simplified;
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
    pub value: Sum,
    /// `str.to_int` of the string.
    pub whole: Sum,
    /// `str.to_int` of the string without its first character.
    pub rest: Sum,
    /// The first place of `-`.
    pub minus: Sum,
    /// The first place of `+`.
    pub plus: Sum,
}

impl Parsed {
    /// The same after merging and folding. `None` where the string or a number is not there any more.
    fn through(&self, simplified: &Simplified) -> Option<Self> {
        let sum = |sum: &Sum| {
            let vertex = sum.vertex()?;
            simplified.ints.get(vertex.index()).cloned().flatten()
        };
        Some(Self {
            s: simplified.strings.get(self.s.index()).copied().flatten()?,
            value: sum(&self.value)?,
            whole: sum(&self.whole)?,
            rest: sum(&self.rest)?,
            minus: sum(&self.minus)?,
            plus: sum(&self.plus)?,
        })
    }
}

/// The strings that `original` parses, with their numbers, as `simplified` has them. They are looked for
/// before merging, for a definition of a vertex that was merged with another is none any more. Cost: linear
/// in the graph.
pub fn parsed_after(original: &StringGraph, simplified: &Simplified) -> Vec<Parsed> {
    parsed(original).iter().filter_map(|parsed| parsed.through(simplified)).collect()
}

/// A path condition as the rules see it.
#[derive(Debug)]
pub struct Facts<'g> {
    /// Lengths and numbers as sums, constants as words.
    pub view: View<'g>,
    /// Where the integers are.
    pub bounds: &'g Bounds,
    parsed: &'g [Parsed],
}

impl<'g> Facts<'g> {
    /// Every string vertex of `graph` has a length vertex; `parsed` are the strings that are parsed.
    pub fn new(graph: &'g StringGraph, bounds: &'g Bounds, parsed: &'g [Parsed]) -> Self {
        Self { view: View::new(graph), bounds, parsed }
    }

    /// The graph.
    pub const fn graph(&self) -> &'g StringGraph {
        self.view.graph()
    }

    /// The strings that are parsed, with their numbers.
    pub const fn parsed(&self) -> &'g [Parsed] {
        self.parsed
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
    #[allow(clippy::wildcard_enum_match_arm, reason = "no first character follows from others")]
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
#[allow(clippy::wildcard_enum_match_arm, reason = "recognises one expression")]
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

/// The strings that `graph` parses, with their numbers: finds `ite(s starts with -, -int(rest), ite(s starts
/// with +, int(rest), int(s)))` for strings `s` of the format.
#[allow(clippy::wildcard_enum_match_arm, reason = "recognises the parts of one reading of a number")]
pub fn parsed(graph: &StringGraph) -> Vec<Parsed> {
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
                if graph.length_of(*s).is_some()
                    && view.int(*from) == one
                    && view.int(*count) == view.len(*s).sub(&one) =>
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
    // The place of a sign that the formula says is 0: the string, the sign and the vertex.
    let sign_of = |condition: &IntFormula| match condition {
        IntFormula::Atom(sum, Comparison::Zero) if *sum.constant() == Int::ZERO => match sum.terms() {
            [(vertex, _)] => signs.get(vertex).map(|(s, sign)| (*s, *sign, *vertex)),
            _ => None,
        },
        _ => None,
    };
    let rest_of = |sum: &Sum, s: StringVertex| {
        let vertex = sum.vertex()?;
        let rest = numbers.get(&vertex).and_then(|r| rests.get(r));
        (rest == Some(&s)).then_some(vertex)
    };
    let choice = |vertex: IntVertex| {
        let found = graph.definitions().iter().find(|(defined, _)| *defined == vertex)?;
        match &found.1 {
            IntDefinition::Choice(condition, yes, no) => Some((condition, yes, no)),
            _ => None,
        }
    };
    let read = |value: IntVertex| -> Option<Parsed> {
        let (condition, opposite, unsigned) = choice(value)?;
        let (s, sign, minus) = sign_of(condition)?;
        let rest = rest_of(&opposite.times(&Int::MINUS_ONE), s)?;
        let (condition, magnitude, whole) = choice(unsigned.vertex()?)?;
        let (same, other, plus) = sign_of(condition)?;
        let whole = whole.vertex().filter(|v| numbers.get(v) == Some(&s))?;
        let right = sign == Char::from(b'-')
            && other == Char::from(b'+')
            && same == s
            && rest_of(magnitude, s) == Some(rest)
            && formatted.contains(&s);
        right.then(|| Parsed {
            s,
            value: Sum::from(value),
            whole: Sum::from(whole),
            rest: Sum::from(rest),
            minus: Sum::from(minus),
            plus: Sum::from(plus),
        })
    };
    graph.definitions().iter().filter_map(|(value, _)| read(*value)).collect()
}

//! Small random graphs, the same on every platform, and all their assignments.

use std::sync::Arc;

use harness_model::int::Int;
use harness_model::{Alphabet, Char, CharSet, Regex, SmtString};
use harness_theory::Value;
use harness_theory::sort::Sort;

use crate::edge::{Edge, IntVertex, Relation, StringVertex, Vertex};
use crate::evaluate::{GraphEvaluator, function_value};
use crate::formula::IntFormula;
use crate::graph::{IntKind, StringGraph};
use crate::linear::Sum;

/// A stream of random numbers (splitmix64).
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    /// The stream of this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `count`, which is not zero.
    pub fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.number() % count as u64).unwrap_or(0)
    }

    /// One of them.
    pub fn one<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// Yes in one of `n` cases.
    pub fn rarely(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// Every letter set has three letters.
const LETTERS: [&str; 4] = ["ab ", "Aab", "01a", "abc"];
/// Declared integers are between these.
pub const INTS: std::ops::RangeInclusive<i64> = -1..=3;

/// How many kinds of edges `random_edge` knows.
pub const KINDS: usize = 26;

/// Kinds of edges by which words are parts of others, and equality.
pub const ABOUT_PARTS: [usize; 10] = [0, 0, 0, 1, 2, 3, 8, 10, 11, 14];

struct Maker<'d> {
    draw: &'d mut Draw,
    letters: Vec<Char>,
    graph: StringGraph,
    variables: Vec<StringVertex>,
    /// Strings that edges may be about: variables and results.
    open: Vec<StringVertex>,
    ints: Vec<IntVertex>,
}

/// A graph over three letters with `edges` edges of any kind, up to two string variables, up to one integer
/// variable (bounded by formulas to [`INTS`]), and some formulas.
pub fn random_graph(draw: &mut Draw, edges: usize) -> StringGraph {
    let kinds: Vec<usize> = (0..KINDS).collect();
    random_graph_of(draw, edges, &kinds)
}

/// As [`random_graph`], with edges of these kinds (numbers below [`KINDS`]) only.
pub fn random_graph_of(draw: &mut Draw, edges: usize, kinds: &[usize]) -> StringGraph {
    let letters: Vec<Char> = draw.one(&LETTERS).bytes().map(Char::from).collect();
    let mut graph = StringGraph::new(Alphabet::Ascii);
    graph.restrict_characters(&CharSet::from_ranges(letters.iter().map(|c| (c.0, c.0))));
    let count = 1 + draw.below(2);
    let variables: Vec<StringVertex> = (0..count).map(|i| graph.declare_string(format!("x{i}"))).collect();
    let mut ints = Vec::new();
    if draw.rarely(2) {
        let n = graph.declare_int("n");
        let sum = Sum::from(n);
        graph.add_formula(Sum::from(*INTS.start()).le(&sum));
        graph.add_formula(sum.le(&Sum::from(*INTS.end())));
        ints.push(n);
    }
    let open = variables.clone();
    let mut maker = Maker { draw, letters, graph, variables, open, ints };
    for _ in 0..edges {
        let kind = maker.draw.one(kinds);
        maker.edge(kind);
    }
    let formulas = maker.draw.below(3);
    for _ in 0..formulas {
        let formula = maker.formula();
        maker.graph.add_formula(formula);
    }
    maker.graph
}

impl Maker<'_> {
    fn word(&mut self) -> SmtString {
        let length = self.draw.below(4) % 3;
        (0..length).map(|_| self.draw.one(&self.letters)).collect()
    }

    fn string(&mut self) -> StringVertex {
        if self.draw.rarely(3) {
            let word = self.word();
            return self.graph.constant(word);
        }
        self.draw.one(&self.open)
    }

    fn source(&mut self) -> StringVertex {
        if self.draw.rarely(8) { self.string() } else { self.draw.one(&self.variables) }
    }

    fn int(&mut self) -> IntVertex {
        match self.draw.below(4) {
            0 if !self.ints.is_empty() => self.draw.one(&self.ints),
            1 => {
                let s = self.draw.one(&self.variables);
                self.graph.length(s)
            }
            2 => {
                let s = self.draw.one(&self.variables);
                let length = self.graph.length(s);
                let sum = Sum::from(length).sub(&Sum::from(1_i64));
                self.graph.int_of(&sum)
            }
            _ => {
                let value = self.draw.below(5) as i64 - 1;
                self.graph.constant_int(value)
            }
        }
    }

    fn regex(&mut self) -> Arc<Regex> {
        let letter = |this: &mut Self| Regex::set(CharSet::single(this.draw.one(&this.letters)));
        let (a, b) = (letter(self), letter(self));
        Arc::new(match self.draw.below(7) {
            0 => a.star(),
            1 => Regex::concat([a.star(), b]),
            2 => Regex::union([a.clone(), Regex::concat([a, b])]),
            3 => Regex::Complement(Arc::new(Regex::concat([a, b]))),
            4 => Regex::concat([a, b]).repeat(1, Some(2)),
            5 => Regex::Inter([Regex::concat([a.clone().star(), b]), a.repeat(2, None)].into()),
            _ => Regex::set(CharSet::full(Alphabet::Ascii)).repeat(2, Some(3)),
        })
    }

    /// The vertex for a result: mostly a new one, sometimes one that is there already.
    fn result(&mut self) -> StringVertex {
        if self.draw.rarely(3) {
            return self.string();
        }
        let r = self.graph.auxiliary();
        self.open.push(r);
        r
    }

    fn number(&mut self) -> IntVertex {
        if self.draw.rarely(3) {
            return self.int();
        }
        let r = self.graph.result_int();
        self.ints.push(r);
        r
    }

    fn edge(&mut self, kind: usize) {
        let (s, t) = (self.source(), self.string());
        let relation = match kind {
            0 => Relation::Equal { a: s, b: t },
            1 => Relation::StartsWith { s, t },
            2 => Relation::EndsWith { s, t },
            3 => Relation::Contains { s, t },
            4 => Relation::Less { s, t },
            5 => Relation::LessEqual { s, t },
            6 => Relation::InRe { s, regex: self.regex() },
            7 => Relation::IsDigit { s },
            8 => Relation::Concat { a: s, b: t, r: self.result() },
            9 => Relation::CharAt { s, i: self.int(), c: self.number() },
            10 => Relation::At { s, i: self.int(), r: self.result() },
            11 => Relation::Substr { s, from: self.int(), count: self.int(), r: self.result() },
            12 => {
                let from = if self.draw.rarely(2) { self.int() } else { self.graph.constant_int(0_i64) };
                Relation::IndexOf { s, t, from, i: self.number() }
            }
            13 => {
                let from = if self.draw.rarely(2) { self.int() } else { self.graph.length(s) };
                Relation::LastIndexOf { s, t, from, i: self.number() }
            }
            14 => Relation::Trim { s, r: self.result() },
            15 => Relation::Replace { s, t, by: self.string(), r: self.result() },
            16 => Relation::ReplaceAll { s, t, by: self.string(), r: self.result() },
            17 => Relation::ReplaceRe { s, regex: self.regex(), by: t, r: self.result() },
            18 => Relation::ReplaceReAll { s, regex: self.regex(), by: t, r: self.result() },
            19 => Relation::ToLower { s, r: self.result() },
            20 => Relation::ToUpper { s, r: self.result() },
            21 => Relation::ToCode { s, c: self.number() },
            22 => Relation::FromCode { c: self.int(), r: self.result() },
            23 => Relation::ToInt { s, i: self.number() },
            24 => Relation::FromInt { i: self.int(), r: self.result() },
            _ => Relation::CompareTo { s, t, i: self.number() },
        };
        let positive = !relation.is_predicate() || self.draw.below(3) > 0;
        self.graph.add_edge(Edge { relation, positive });
    }

    fn formula(&mut self) -> IntFormula {
        let (a, b) = (self.int(), self.int());
        let (a, b) = (self.graph.sum_of(a), self.graph.sum_of(b));
        let atom = match self.draw.below(4) {
            0 => a.le(&b),
            1 => a.eq(&b),
            2 => a.ne(&b),
            _ => a.lt(&b.add(&Sum::from(1_i64))),
        };
        if self.draw.rarely(3) {
            let other = self.int();
            let other = self.graph.sum_of(other).eq(&a);
            return IntFormula::or([atom, other]);
        }
        atom
    }
}

/// All words over the graph's characters of at most `length` letters.
pub fn words(graph: &StringGraph, length: usize) -> Vec<SmtString> {
    let letters: Vec<Char> =
        graph.characters().ranges().iter().flat_map(|&(low, high)| (low..=high).map(Char)).collect();
    let mut all: Vec<Vec<Char>> = vec![Vec::new()];
    let mut start = 0;
    for _ in 0..length {
        let end = all.len();
        for i in start..end {
            for &letter in &letters {
                let mut longer = all[i].clone();
                longer.push(letter);
                all.push(longer);
            }
        }
        start = end;
    }
    all.into_iter().map(SmtString::from).collect()
}

/// Every assignment of the declared variables with words of at most `length` letters and integers of
/// [`INTS`], to `visit` with whether the graph holds.
pub fn each_assignment(graph: &StringGraph, length: usize, visit: &mut impl FnMut(&[Value], bool)) {
    let problem = graph.to_problem();
    let mut evaluator = GraphEvaluator::new(&problem, graph.alphabet());
    let words: Vec<Value> = words(graph, length).into_iter().map(Value::String).collect();
    let ints: Vec<Value> = INTS.map(|i| Value::Int(Int::from(i))).collect();
    let bools = [Value::Bool(false), Value::Bool(true)];
    let domains: Vec<&[Value]> = graph
        .declarations()
        .iter()
        .map(|d| match d.sort {
            Sort::String => words.as_slice(),
            Sort::Int => ints.as_slice(),
            Sort::Bool | Sort::RegLan => &bools[..],
        })
        .collect();
    let mut places = vec![0; domains.len()];
    loop {
        let values: Vec<Value> =
            places.iter().zip(&domains).map(|(&p, d): (&usize, _)| d[p].clone()).collect();
        let holds = evaluator.holds(&values).unwrap_or(false);
        visit(&values, holds);
        let Some(i) = (0..places.len()).rev().find(|&i| places[i] + 1 < domains[i].len()) else { break };
        places[i] += 1;
        places[i + 1..].fill(0);
    }
}

/// Whether the graph has a solution with words of at most `length` letters and declared integers of [`INTS`].
/// Auxiliary vertices must be determined by edges; their words may have any length.
pub fn brute_force(graph: &StringGraph, length: usize) -> bool {
    let mut found = false;
    each_assignment(graph, length, &mut |_, holds| found |= holds);
    found
}

/// The words and numbers of all vertices under the values of the declared variables; `None` where edges and
/// definitions do not determine them all.
pub fn complete(graph: &StringGraph, values: &[Value]) -> Option<(Vec<SmtString>, Vec<Int>)> {
    let mut words: Vec<Option<SmtString>> = vec![None; graph.strings().len()];
    let mut numbers: Vec<Option<Int>> = vec![None; graph.ints().len()];
    for (declaration, value) in graph.declarations().iter().zip(values) {
        match (declaration.vertex, value) {
            (Some(Vertex::String(s)), Value::String(word)) => words[s.index()] = Some(word.clone()),
            (Some(Vertex::Int(i)), Value::Int(number)) => numbers[i.index()] = Some(number.clone()),
            (Some(Vertex::Int(i)), Value::Bool(b)) => numbers[i.index()] = Some(Int::from(i64::from(*b))),
            _ => {}
        }
    }
    for _ in 0..=graph.edges().len() + graph.definitions().len() {
        for s in graph.string_vertices() {
            if let Some(word) = graph.word(s) {
                words[s.index()] = Some(word.clone());
            }
        }
        for i in graph.int_vertices() {
            match graph.int(i) {
                IntKind::Constant(number) => numbers[i.index()] = Some(number.clone()),
                IntKind::Length(s) => {
                    numbers[i.index()] = words[s.index()].as_ref().map(|word| Int::from(word.len()));
                }
                _ => {}
            }
        }
        for (vertex, definition) in graph.definitions() {
            let mut known = true;
            let formula = definition.formula(*vertex);
            formula.each_vertex(&mut |v| known &= v == *vertex || numbers[v.index()].is_some());
            if known && numbers[vertex.index()].is_none() {
                let value = definition.eval(&|v: IntVertex| numbers[v.index()].clone().unwrap_or(Int::ZERO));
                numbers[vertex.index()] = Some(value);
            }
        }
        for edge in graph.edges() {
            follow(graph, &edge.relation, &mut words, &mut numbers);
        }
    }
    Some((words.into_iter().collect::<Option<_>>()?, numbers.into_iter().collect::<Option<_>>()?))
}

/// Computes a function's result if its arguments are known.
fn follow(
    graph: &StringGraph,
    relation: &Relation,
    words: &mut [Option<SmtString>],
    numbers: &mut [Option<Int>],
) -> Option<()> {
    let result = relation.result()?;
    let known = |vertex: Vertex| match vertex {
        Vertex::String(s) => words[s.index()].is_some(),
        Vertex::Int(i) => numbers[i.index()].is_some(),
    };
    let arguments: Vec<Vertex> = relation.vertices().collect();
    if !arguments[..arguments.len() - 1].iter().all(|&argument| known(argument)) {
        return None;
    }
    let word = |s: StringVertex| words[s.index()].clone().unwrap_or_default();
    let number = |i: IntVertex| numbers[i.index()].clone().unwrap_or(Int::ZERO);
    match (result, function_value(graph, relation, word, number)?) {
        (Vertex::String(s), Value::String(word)) => {
            words[s.index()].get_or_insert(word);
        }
        (Vertex::Int(i), Value::Int(value)) => {
            numbers[i.index()].get_or_insert(value);
        }
        _ => {}
    }
    Some(())
}

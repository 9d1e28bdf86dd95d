//! String graphs: a conjunction of string and integer constraints as a labelled directed hypergraph.
//!
//! Vertices are strings and integers; each hyperedge ([`Edge`]) is one operation. What concerns integers
//! alone stands beside the edges: [`IntDefinition`]s of auxiliary integers and [`IntFormula`]s that must
//! hold.
//!
//! Invariants of a [`StringGraph`]: equal constants are one vertex; an integer vertex is the length of at
//! most one string vertex, and a constant string's length is a constant; every id in an edge, definition or
//! formula is of this graph; negative edges are predicates; an auxiliary integer has one definition, in terms
//! of earlier vertices.
//!
//! Source: the definition in the study's section 3.4.

use std::collections::{HashMap, HashSet};

use backends_api::BackendError;
use harness_model::int::Int;
use harness_model::{Alphabet, CharSet, SmtString};
use harness_theory::sort::Sort;

use crate::edge::{Edge, EdgeId, IntVertex, Relation, StringVertex, Vertex};
use crate::formula::IntFormula;
use crate::linear::{Comparison, Sum};
use crate::reasons::Reasons;

/// Names show so many characters of a constant.
const LONG_NAME: usize = 60;

/// What a string vertex is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StringKind {
    /// A declared variable: index into [`StringGraph::declarations`].
    Declared(usize),
    /// This word.
    Constant(SmtString),
    /// The result of an operation inside a term.
    Auxiliary,
}

/// What an integer vertex is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum IntKind {
    /// A declared variable of sort Int: index into [`StringGraph::declarations`].
    Declared(usize),
    /// A declared variable of sort Bool, as 0 or 1: index into [`StringGraph::declarations`].
    Truth(usize),
    /// This number.
    Constant(Int),
    /// The length of a string vertex.
    Length(StringVertex),
    /// The result of an edge.
    Result,
    /// Given by its definition.
    Auxiliary,
}

/// A declared variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// Its vertex; `None` for an (unused) variable of sort RegLan, and for one that preprocessing replaced.
    pub vertex: Option<Vertex>,
}

/// What an auxiliary integer is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntDefinition {
    /// A sum.
    Sum(Sum),
    /// The first sum where the formula holds, else the second.
    Choice(IntFormula, Sum, Sum),
    /// The sum divided by a constant other than zero, as SMT-LIB's `div`.
    Quotient(Sum, Int),
    /// The product of two sums, neither of them constant.
    Product(Sum, Sum),
    /// The first sum divided by the second one, which is no constant, as SMT-LIB's `div`: any number where
    /// the second one is zero.
    Ratio(Sum, Sum),
}

/// A string graph.
#[derive(Clone, Debug)]
pub struct StringGraph {
    alphabet: Alphabet,
    /// The characters that words of vertices other than constants are made of.
    characters: CharSet,
    declarations: Vec<Declaration>,
    strings: Vec<StringKind>,
    ints: Vec<IntKind>,
    lengths: Vec<Option<IntVertex>>,
    edges: Vec<Edge>,
    definitions: Vec<(IntVertex, IntDefinition)>,
    formulas: Vec<IntFormula>,
    of_word: HashMap<SmtString, StringVertex>,
    of_number: HashMap<Int, IntVertex>,
    of_sum: HashMap<Sum, IntVertex>,
    known: HashSet<Edge>,
    /// By place of the edge, and of the formula: the assertions that it holds because of.
    edge_sources: Vec<Reasons>,
    formula_sources: Vec<Reasons>,
    /// The assertions because of which definitions are what they are.
    definition_sources: Reasons,
    /// The assertions because of which what is added next holds; `None` for a graph that was not made of
    /// assertions.
    present: Option<Reasons>,
}

impl StringGraph {
    /// No vertices yet, over the whole alphabet.
    pub fn new(alphabet: Alphabet) -> Self {
        Self {
            alphabet,
            characters: CharSet::full(alphabet),
            declarations: Vec::new(),
            strings: Vec::new(),
            ints: Vec::new(),
            lengths: Vec::new(),
            edges: Vec::new(),
            definitions: Vec::new(),
            formulas: Vec::new(),
            of_word: HashMap::new(),
            of_number: HashMap::new(),
            of_sum: HashMap::new(),
            known: HashSet::new(),
            edge_sources: Vec::new(),
            formula_sources: Vec::new(),
            definition_sources: Reasons::new(),
            present: None,
        }
    }

    /// The alphabet of the task: what `re.allchar` and `str.from_code` mean.
    pub const fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    /// Fails for a constant with a character that the alphabet does not have, which the rules and solvers of
    /// graphs do not reckon with: they take it that all words are over the alphabet.
    pub fn refuse_foreign(&self) -> Result<(), BackendError> {
        let words = self.strings.iter().filter_map(|kind| match kind {
            StringKind::Constant(word) => Some(word),
            _ => None,
        });
        match words.filter_map(|word| word.foreign_to(self.alphabet)).next() {
            Some(c) => Err(BackendError::Unsupported(format!("{c:?} in a task over {}", self.alphabet))),
            None => Ok(()),
        }
    }

    /// The characters that words of vertices other than constants may have: all of the alphabet, unless
    /// [`Self::restrict_characters`] left fewer.
    pub const fn characters(&self) -> &CharSet {
        &self.characters
    }

    /// Leaves only these characters to words other than constants.
    pub fn restrict_characters(&mut self, characters: &CharSet) {
        self.characters = self.characters.intersection(characters);
    }

    /// The declared variables, in order.
    pub fn declarations(&self) -> &[Declaration] {
        &self.declarations
    }

    /// What each string vertex is.
    pub fn strings(&self) -> &[StringKind] {
        &self.strings
    }

    /// All string vertices.
    pub fn string_vertices(&self) -> impl Iterator<Item = StringVertex> + use<> {
        (0..self.strings.len()).map(StringVertex::at)
    }

    /// What each integer vertex is.
    pub fn ints(&self) -> &[IntKind] {
        &self.ints
    }

    /// All integer vertices.
    pub fn int_vertices(&self) -> impl Iterator<Item = IntVertex> + use<> {
        (0..self.ints.len()).map(IntVertex::at)
    }

    /// What the vertex is.
    pub fn string(&self, vertex: StringVertex) -> &StringKind {
        &self.strings[vertex.index()]
    }

    /// What the vertex is.
    pub fn int(&self, vertex: IntVertex) -> &IntKind {
        &self.ints[vertex.index()]
    }

    /// The word of a constant vertex.
    pub fn word(&self, vertex: StringVertex) -> Option<&SmtString> {
        match self.string(vertex) {
            StringKind::Constant(word) => Some(word),
            _ => None,
        }
    }

    /// The number of a constant vertex.
    pub fn number(&self, vertex: IntVertex) -> Option<&Int> {
        match self.int(vertex) {
            IntKind::Constant(number) => Some(number),
            _ => None,
        }
    }

    /// The edges, in order.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// All edges' ids.
    pub fn edge_ids(&self) -> impl Iterator<Item = EdgeId> + use<> {
        (0..self.edges.len()).map(EdgeId::at)
    }

    /// The edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// The edges of each string vertex, each once, in order. Cost: linear in the graph.
    pub fn edges_by_string(&self) -> Vec<Vec<EdgeId>> {
        let mut lists = vec![Vec::new(); self.strings.len()];
        for id in self.edge_ids() {
            for s in self.edge(id).relation.strings() {
                let list: &mut Vec<EdgeId> = &mut lists[s.index()];
                if list.last() != Some(&id) {
                    list.push(id);
                }
            }
        }
        lists
    }

    /// The definitions of auxiliary integers, each in terms of vertices that come before or are no
    /// auxiliaries.
    pub fn definitions(&self) -> &[(IntVertex, IntDefinition)] {
        &self.definitions
    }

    /// The constraints on integers that were asserted.
    pub fn formulas(&self) -> &[IntFormula] {
        &self.formulas
    }

    /// The length of the vertex as an integer vertex, if there is one.
    pub fn length_of(&self, vertex: StringVertex) -> Option<IntVertex> {
        self.lengths[vertex.index()]
    }

    /// The length of the vertex as an integer vertex: a constant's is a constant.
    pub fn length(&mut self, vertex: StringVertex) -> IntVertex {
        if let Some(length) = self.lengths[vertex.index()] {
            return length;
        }
        let length = match self.word(vertex) {
            Some(word) => {
                let length = word.len();
                self.constant_int(Int::from(length))
            }
            None => self.new_int(IntKind::Length(vertex)),
        };
        self.lengths[vertex.index()] = Some(length);
        length
    }

    /// Gives every string vertex a length vertex.
    pub fn add_lengths(&mut self) {
        for vertex in self.string_vertices() {
            self.length(vertex);
        }
    }

    /// A constraint on integers alone that says what each definition defines and that truth values are 0 or 1
    /// and lengths are not negative; together with [`Self::formulas`] all that is known of the integers
    /// without an edge.
    pub fn definition_formulas(&self) -> Vec<IntFormula> {
        let mut all: Vec<IntFormula> =
            self.definitions.iter().map(|(vertex, definition)| definition.formula(*vertex)).collect();
        for vertex in self.int_vertices() {
            let sum = Sum::from(vertex);
            match self.int(vertex) {
                IntKind::Truth(_) => {
                    all.push(Sum::from(0_i64).le(&sum));
                    all.push(sum.le(&Sum::from(1_i64)));
                }
                IntKind::Length(_) => all.push(Sum::from(0_i64).le(&sum)),
                IntKind::Constant(number) => all.push(sum.eq(&Sum::from(number.clone()))),
                _ => {}
            }
        }
        all
    }

    /// The graph in which no divisor is zero; `None` if it has none that may be. Only what that one has for a
    /// solution has values that are fixed.
    pub(crate) fn without_zero_divisors(&self) -> Option<Self> {
        let divisors = self.definitions.iter().filter_map(|(_, definition)| match definition {
            IntDefinition::Ratio(_, divisor) => Some(divisor.ne(&Sum::from(0_i64))),
            IntDefinition::Sum(_)
            | IntDefinition::Choice(..)
            | IntDefinition::Quotient(..)
            | IntDefinition::Product(..) => None,
        });
        let formulas: Vec<IntFormula> = divisors.collect();
        if formulas.is_empty() {
            return None;
        }
        let mut graph = self.clone();
        formulas.into_iter().for_each(|formula| graph.add_formula(formula));
        Some(graph)
    }

    /// Fails for a graph with a product or a quotient of unknowns, by its name: for solvers that take linear
    /// integers alone.
    pub fn refuse_nonlinear(&self) -> Result<(), BackendError> {
        match self.definitions.iter().find(|(_, definition)| !definition.is_linear()) {
            Some((_, definition)) => Err(BackendError::Unsupported(definition.name().to_owned())),
            None => Ok(()),
        }
    }

    fn new_string(&mut self, kind: StringKind) -> StringVertex {
        self.strings.push(kind);
        self.lengths.push(None);
        StringVertex::at(self.strings.len() - 1)
    }

    fn new_int(&mut self, kind: IntKind) -> IntVertex {
        self.ints.push(kind);
        IntVertex::at(self.ints.len() - 1)
    }

    /// Declares a variable and gives its vertex: none for sort RegLan.
    pub fn declare(&mut self, name: impl Into<String>, sort: Sort) -> Option<Vertex> {
        let index = self.declarations.len();
        let vertex = match sort {
            Sort::String => Some(Vertex::String(self.new_string(StringKind::Declared(index)))),
            Sort::Int => Some(Vertex::Int(self.new_int(IntKind::Declared(index)))),
            Sort::Bool => Some(Vertex::Int(self.new_int(IntKind::Truth(index)))),
            Sort::RegLan => None,
        };
        self.declarations.push(Declaration { name: name.into(), sort, vertex });
        vertex
    }

    /// Declares a variable that no vertex stands for: what it is compared with stands for it.
    pub(crate) fn declare_without_vertex(&mut self, name: impl Into<String>, sort: Sort) {
        self.declarations.push(Declaration { name: name.into(), sort, vertex: None });
    }

    /// Declares a string variable.
    pub fn declare_string(&mut self, name: impl Into<String>) -> StringVertex {
        let vertex = self.new_string(StringKind::Declared(self.declarations.len()));
        let vertex_of = Some(Vertex::String(vertex));
        self.declarations.push(Declaration { name: name.into(), sort: Sort::String, vertex: vertex_of });
        vertex
    }

    /// Declares an integer variable.
    pub fn declare_int(&mut self, name: impl Into<String>) -> IntVertex {
        let vertex = self.new_int(IntKind::Declared(self.declarations.len()));
        let vertex_of = Some(Vertex::Int(vertex));
        self.declarations.push(Declaration { name: name.into(), sort: Sort::Int, vertex: vertex_of });
        vertex
    }

    /// The vertex of a word.
    pub fn constant(&mut self, word: impl Into<SmtString>) -> StringVertex {
        let word = word.into();
        if let Some(&vertex) = self.of_word.get(&word) {
            return vertex;
        }
        let vertex = self.new_string(StringKind::Constant(word.clone()));
        self.of_word.insert(word, vertex);
        vertex
    }

    /// The vertex of a number.
    pub fn constant_int(&mut self, number: impl Into<Int>) -> IntVertex {
        let number = number.into();
        if let Some(&vertex) = self.of_number.get(&number) {
            return vertex;
        }
        let vertex = self.new_int(IntKind::Constant(number.clone()));
        self.of_number.insert(number, vertex);
        vertex
    }

    /// A new string vertex for the result of an edge.
    pub fn auxiliary(&mut self) -> StringVertex {
        self.new_string(StringKind::Auxiliary)
    }

    /// A new integer vertex for the result of an edge.
    pub fn result_int(&mut self) -> IntVertex {
        self.new_int(IntKind::Result)
    }

    /// A new integer vertex with this definition.
    pub fn defined_int(&mut self, definition: IntDefinition) -> IntVertex {
        let vertex = self.new_int(IntKind::Auxiliary);
        self.definitions.push((vertex, definition));
        vertex
    }

    /// A vertex whose value is the sum's: the sum's own, a constant, or an auxiliary one.
    pub fn int_of(&mut self, sum: &Sum) -> IntVertex {
        if let Some(vertex) = sum.vertex() {
            return vertex;
        }
        if let Some(value) = sum.value() {
            return self.constant_int(value.clone());
        }
        if let Some(&vertex) = self.of_sum.get(sum) {
            return vertex;
        }
        let vertex = self.defined_int(IntDefinition::Sum(sum.clone()));
        self.of_sum.insert(sum.clone(), vertex);
        vertex
    }

    /// The vertex as a sum: a constant's number, else itself.
    pub fn sum_of(&self, vertex: IntVertex) -> Sum {
        match self.int(vertex) {
            IntKind::Constant(number) => Sum::from(number.clone()),
            _ => Sum::from(vertex),
        }
    }

    /// Adds an edge. An edge that is there already is not added again, and holds because of what it held
    /// because of.
    pub fn add_edge(&mut self, edge: Edge) {
        if self.known.insert(edge.clone()) {
            self.edges.push(edge);
            self.edge_sources.push(self.present.clone().unwrap_or_default());
        }
    }

    /// Puts another relation in the stead of that of the edge at a place.
    pub fn replace_relation(&mut self, place: usize, relation: Relation) {
        self.known.remove(&self.edges[place]);
        self.edges[place].relation = relation;
        self.known.insert(self.edges[place].clone());
    }

    /// Asserts a constraint on integers.
    pub fn add_formula(&mut self, formula: IntFormula) {
        match formula {
            IntFormula::Bool(true) => {}
            IntFormula::And(parts) => self.formulas.extend(parts),
            other => self.formulas.push(other),
        }
        self.formula_sources.resize(self.formulas.len(), self.present.clone().unwrap_or_default());
    }

    /// The graph without its formulas: what has no solution then has none whatever they say.
    #[must_use]
    pub fn without_formulas(&self) -> Self {
        let mut graph = self.clone();
        graph.formulas.clear();
        graph.formula_sources.clear();
        graph
    }

    /// What is added from here on holds because of these assertions. An edge or a formula that holds by
    /// itself, such as one that says what a function's result is, holds because of none.
    pub fn hold_because(&mut self, assertions: Reasons) {
        self.present = Some(assertions);
    }

    /// Definitions are what they are because of these assertions too.
    pub(crate) fn define_because(&mut self, assertions: &Reasons) {
        self.definition_sources.extend(assertions);
    }

    /// Whether edges and formulas name the assertions that they hold because of.
    pub const fn has_sources(&self) -> bool {
        self.present.is_some()
    }

    /// The assertions because of which the edge holds.
    pub fn edge_sources(&self, id: EdgeId) -> &Reasons {
        &self.edge_sources[id.index()]
    }

    /// The assertions because of which the formula at a place holds.
    pub fn formula_sources(&self, place: usize) -> &Reasons {
        &self.formula_sources[place]
    }

    /// The assertions because of which these facts hold: edges by place, then formulas. `None` for a graph
    /// that was not made of assertions.
    pub fn sources_of(&self, facts: &Reasons) -> Option<Reasons> {
        self.present.as_ref()?;
        let mut sources = self.definition_sources.clone();
        for fact in facts.below(self.edges.len() + self.formulas.len()) {
            sources.extend(match fact.checked_sub(self.edges.len()) {
                None => &self.edge_sources[fact],
                Some(formula) => &self.formula_sources[formula],
            });
        }
        Some(sources)
    }

    /// A short name of the vertex: a variable's own, a constant in quotes, `s'N` for an auxiliary.
    pub fn string_name(&self, vertex: StringVertex) -> String {
        match self.string(vertex) {
            StringKind::Declared(i) => self.declarations[*i].name.clone(),
            StringKind::Constant(word) if word.len() > LONG_NAME => {
                let start = SmtString::from(word.chars()[..LONG_NAME].to_vec());
                format!("\"{start}…\"")
            }
            StringKind::Constant(word) => format!("\"{word}\""),
            StringKind::Auxiliary => format!("s'{}", vertex.index()),
        }
    }

    /// A short name of the vertex: a variable's own, a number, `|s|` for a length, `i'N` else.
    pub fn int_name(&self, vertex: IntVertex) -> String {
        match self.int(vertex) {
            IntKind::Declared(i) | IntKind::Truth(i) => self.declarations[*i].name.clone(),
            IntKind::Constant(number) => number.to_string(),
            IntKind::Length(s) => format!("|{}|", self.string_name(*s)),
            IntKind::Result | IntKind::Auxiliary => format!("i'{}", vertex.index()),
        }
    }

    /// A short name of the vertex.
    pub fn vertex_name(&self, vertex: Vertex) -> String {
        match vertex {
            Vertex::String(s) => self.string_name(s),
            Vertex::Int(i) => self.int_name(i),
        }
    }

    /// The edge as text, such as `!contains(s, "ab")`.
    pub fn edge_text(&self, edge: &Edge) -> String {
        let names: Vec<String> = edge.relation.vertices().map(|v| self.vertex_name(v)).collect();
        format!("{edge}({})", names.join(", "))
    }

    /// The formula as text, such as `|s| + 1 <= i and n != 0`: what is subtracted stands on the right.
    pub fn formula_text(&self, formula: &IntFormula) -> String {
        let list = |parts: &[IntFormula], word: &str| {
            let parts: Vec<String> = parts
                .iter()
                .map(|part| match part {
                    IntFormula::And(_) | IntFormula::Or(_) => format!("({})", self.formula_text(part)),
                    _ => self.formula_text(part),
                })
                .collect();
            parts.join(word)
        };
        match formula {
            IntFormula::Bool(b) => b.to_string(),
            IntFormula::Atom(sum, comparison) => {
                let sign = match comparison {
                    Comparison::AtMostZero => "<=",
                    Comparison::Zero => "=",
                    Comparison::NotZero => "!=",
                };
                format!("{} {sign} {}", self.side(sum, false), self.side(sum, true))
            }
            IntFormula::And(parts) => list(parts, " and "),
            IntFormula::Or(parts) => list(parts, " or "),
        }
    }

    /// The definition as text, such as `i'1 = i + 1` or `i'2 = n if 0 <= n, else 0`.
    pub fn definition_text(&self, vertex: IntVertex, definition: &IntDefinition) -> String {
        let name = self.int_name(vertex);
        match definition {
            IntDefinition::Sum(sum) => format!("{name} = {}", self.sum_text(sum)),
            IntDefinition::Choice(condition, yes, no) => {
                let condition = self.formula_text(condition);
                format!("{name} = {} if {condition}, else {}", self.sum_text(yes), self.sum_text(no))
            }
            IntDefinition::Quotient(sum, divisor) => {
                format!("{name} = ({}) div {divisor}", self.sum_text(sum))
            }
            IntDefinition::Product(x, y) => {
                format!("{name} = ({}) * ({})", self.sum_text(x), self.sum_text(y))
            }
            IntDefinition::Ratio(x, y) => {
                format!("{name} = ({}) div ({})", self.sum_text(x), self.sum_text(y))
            }
        }
    }

    /// The sum as text, such as `|s| - 2 i + 1`.
    fn sum_text(&self, sum: &Sum) -> String {
        let mut out = String::new();
        let mut add = |negative: bool, text: &str| {
            let sign = match (out.is_empty(), negative) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            out.push_str(sign);
            out.push_str(text);
        };
        let mut terms: Vec<_> = sum.terms().iter().collect();
        terms.sort_by_key(|(_, factor)| factor.is_negative());
        for (vertex, factor) in terms {
            let (name, size) = (self.int_name(*vertex), factor.abs());
            let text = if size == Int::from(1_i64) { name } else { format!("{size} {name}") };
            add(factor.is_negative(), &text);
        }
        let constant = sum.constant();
        if *constant != Int::ZERO || sum.terms().is_empty() {
            add(constant.is_negative(), &constant.abs().to_string());
        }
        out
    }

    /// The terms of one sign, without it.
    fn side(&self, sum: &Sum, negative: bool) -> String {
        let mut parts = Vec::new();
        for (vertex, factor) in sum.terms().iter().filter(|(_, factor)| factor.is_negative() == negative) {
            let (name, factor) = (self.int_name(*vertex), factor.abs());
            parts.push(if factor == Int::from(1_i64) { name } else { format!("{factor} {name}") });
        }
        let constant = sum.constant();
        if *constant != Int::ZERO && constant.is_negative() == negative || parts.is_empty() {
            let shown = if constant.is_negative() == negative { constant.abs() } else { Int::ZERO };
            parts.push(shown.to_string());
        }
        parts.join(" + ")
    }
}

impl IntDefinition {
    /// The formula that `vertex` is what this defines; what follows from that, where it
    /// [is not linear](Self::is_linear).
    pub fn formula(&self, vertex: IntVertex) -> IntFormula {
        let v = Sum::from(vertex);
        match self {
            Self::Sum(sum) => v.eq(sum),
            Self::Choice(condition, yes, no) => {
                IntFormula::and([condition.implies(v.eq(yes)), condition.negate().implies(v.eq(no))])
            }
            // q = s div d exactly when d*q <= s <= d*q + |d| - 1.
            Self::Quotient(sum, divisor) => {
                let low = v.times(divisor);
                let high = low.add(&Sum::from(divisor.abs().sub(&Int::from(1_i64))));
                IntFormula::and([low.le(sum), sum.le(&high)])
            }
            Self::Product(x, y) => product_bounds(&v, x, y),
            Self::Ratio(x, y) => ratio_bounds(&v, x, y),
        }
    }

    /// Whether [`Self::formula`] says all that the definition says.
    pub const fn is_linear(&self) -> bool {
        match self {
            Self::Sum(_) | Self::Choice(..) | Self::Quotient(..) => true,
            Self::Product(..) | Self::Ratio(..) => false,
        }
    }

    /// What a refusal calls a definition that is not linear.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Sum(_) => "a sum",
            Self::Choice(..) => "ite",
            Self::Quotient(..) => "div by a constant",
            Self::Product(..) => "* of two terms that are not constant",
            Self::Ratio(..) => "div or mod by a term that is not a constant",
        }
    }

    /// The value when `value` gives those of the vertices that it is made of.
    pub fn eval(&self, value: &impl Fn(IntVertex) -> Int) -> Int {
        match self {
            Self::Sum(sum) => sum.eval(value),
            Self::Choice(condition, yes, no) => {
                if condition.eval(value) {
                    yes.eval(value)
                } else {
                    no.eval(value)
                }
            }
            Self::Quotient(sum, divisor) => sum.eval(value).div(divisor).unwrap_or(Int::ZERO),
            Self::Product(x, y) => x.eval(value).mul(&y.eval(value)),
            Self::Ratio(x, y) => x.eval(value).div(&y.eval(value)).unwrap_or(Int::ZERO),
        }
    }
}

/// Linear consequences of `p = x * y`: zero and signs, and that a product of two numbers of magnitude one or
/// more is at least as far from zero as their sum less one, from `(|x| - 1) (|y| - 1) >= 0`.
fn product_bounds(p: &Sum, x: &Sum, y: &Sum) -> IntFormula {
    let (zero, one) = (Sum::from(0_i64), Sum::from(1_i64));
    let negative = |s: &Sum| s.times(&Int::MINUS_ONE);
    let mut all = vec![x.eq(&zero).implies(p.eq(&zero)), y.eq(&zero).implies(p.eq(&zero))];
    for (x, x_sign) in [(x.clone(), 1_i64), (negative(x), -1)] {
        for (y, y_sign) in [(y.clone(), 1_i64), (negative(y), -1)] {
            let magnitude = p.times(&Int::from(x_sign * y_sign));
            let both = IntFormula::and([one.le(&x), one.le(&y)]);
            all.push(both.implies(x.add(&y).sub(&one).le(&magnitude)));
        }
    }
    IntFormula::and(all)
}

/// Linear consequences of `q = x div y`, nothing for `y = 0`: the quotient lies between zero and `x`, or on
/// the other side of zero, as the signs have it; what is divided below zero is rounded away from it.
fn ratio_bounds(q: &Sum, x: &Sum, y: &Sum) -> IntFormula {
    let (zero, one) = (Sum::from(0_i64), Sum::from(1_i64));
    let mut all = Vec::new();
    for sign in [1_i64, -1] {
        let divisor = y.times(&Int::from(sign));
        let quotient = q.times(&Int::from(sign));
        let case = |dividend: IntFormula, bounds: [IntFormula; 2]| {
            IntFormula::and([one.le(&divisor), dividend]).implies(IntFormula::and(bounds))
        };
        all.push(case(zero.le(x), [zero.le(&quotient), quotient.le(x)]));
        all.push(case(x.lt(&zero), [x.le(&quotient), quotient.lt(&zero)]));
    }
    IntFormula::and(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_constants_are_one_vertex_and_lengths_of_constants_are_constants() {
        let mut g = StringGraph::new(Alphabet::Ascii);
        let (a, b, s) = (g.constant("ab"), g.constant("ab"), g.declare_string("s"));
        assert_eq!(a, b);
        let (length, two) = (g.length(a), g.constant_int(2_i64));
        assert_eq!(length, two);
        assert_eq!(g.length(s), g.length(s));
        let more = Sum::from(g.length(s)).add(&Sum::from(1_i64));
        assert_eq!(g.int_of(&more), g.int_of(&more));
    }

    #[test]
    fn formulas_as_text() {
        let mut g = StringGraph::new(Alphabet::Ascii);
        let (s, n) = (g.declare_string("s"), g.declare_int("n"));
        let (length, n) = (Sum::from(g.length(s)), Sum::from(n));
        let twice = n.times(&Int::from(2_i64));
        let formula = IntFormula::or([length.add(&Sum::from(1_i64)).le(&twice), n.ne(&Sum::from(0_i64))]);
        assert_eq!(g.formula_text(&formula), "|s| + 1 <= 2 n or n != 0");
        assert_eq!(g.formula_text(&formula.negate()), "2 n <= |s| and n = 0");
        assert_eq!(g.formula_text(&n.eq(&Sum::from(-7_i64))), "n + 7 = 0");
        let difference = length.sub(&twice).add(&Sum::from(-1_i64));
        let vertex = g.int_of(&difference);
        assert_eq!(g.definition_text(vertex, &g.definitions()[0].1), "i'2 = |s| - 2 n - 1");
        let choice = IntDefinition::Choice(n.lt(&Sum::from(0_i64)), Sum::from(0_i64), n.clone());
        assert_eq!(g.definition_text(vertex, &choice), "i'2 = 0 if n + 1 <= 0, else n");
        let half = IntDefinition::Quotient(n.add(&Sum::from(3_i64)), Int::from(-2_i64));
        assert_eq!(g.definition_text(vertex, &half), "i'2 = (n + 3) div -2");
    }

    #[test]
    fn a_quotient_is_what_its_formula_says() {
        let mut g = StringGraph::new(Alphabet::Ascii);
        let (x, q) = (g.declare_int("x"), g.result_int());
        for divisor in [-3_i64, -1, 1, 2, 5] {
            let definition = IntDefinition::Quotient(Sum::from(x), Int::from(divisor));
            for value in -12_i64..=12 {
                let right = definition.eval(&|_| Int::from(value));
                let holds = |quotient: &Int| {
                    definition.formula(q).eval(&|v| if v == x { Int::from(value) } else { quotient.clone() })
                };
                let found: Vec<Int> =
                    (-20_i64..=20).map(Int::from).filter(|quotient| holds(quotient)).collect();
                assert_eq!(found, [right]);
            }
        }
    }

    #[test]
    fn what_is_said_of_products_and_ratios_holds() {
        let mut g = StringGraph::new(Alphabet::Ascii);
        let (x, y, v) = (g.declare_int("x"), g.declare_int("y"), g.result_int());
        let (a, b) = (Sum::from(x), Sum::from(y));
        for definition in [IntDefinition::Product(a.clone(), b.clone()), IntDefinition::Ratio(a, b)] {
            let formula = definition.formula(v);
            let mut excluded = 0;
            for (i, j) in (-9_i64..=9).flat_map(|i| (-9_i64..=9).map(move |j| (i, j))) {
                let of = |w: IntVertex| Int::from(if w == x { i } else { j });
                let right = definition.eval(&of);
                let holds = |value: &Int| formula.eval(&|w| if w == v { value.clone() } else { of(w) });
                assert!(holds(&right), "{i} {j}: {right}");
                excluded += (-100_i64..=100).filter(|value| !holds(&Int::from(*value))).count();
            }
            assert!(excluded > 50 * 19 * 19, "{excluded}");
        }
    }
}

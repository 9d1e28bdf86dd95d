//! From a graph back to a problem.
//!
//! Auxiliary vertices become the terms that define them, so that the problem has the graph's declared
//! variables and no others: an assignment of those decides it. Only where no edge determines an auxiliary
//! vertex, or edges determine each other in a circle (as merging can make them), a fresh variable stands for
//! the vertex.

use std::collections::HashSet;
use std::sync::Arc;

use harness_model::{Char, Regex};
use harness_theory::Problem;
use harness_theory::op::{ArithOp, CoreOp, Op, ReOp, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::{TermId, Terms, VarId};

use crate::edge::{Edge, IntVertex, StringVertex, Vertex};
use crate::formula::IntFormula;
use crate::graph::{IntDefinition, IntKind, StringGraph, StringKind};
use crate::linear::{Comparison, Sum};
use crate::relation::{Argument, Relation};

impl StringGraph {
    /// The problem that the graph says: the same declared variables, in order, and the same solutions. Fresh
    /// variables, where there must be some, come after them and are called `graph!N`.
    pub fn to_problem(&self) -> Problem {
        let mut writer = Writer {
            graph: self,
            terms: Terms::new(),
            variables: Vec::new(),
            assertions: Vec::new(),
            strings: vec![None; self.strings().len()],
            ints: vec![None; self.ints().len()],
        };
        writer.all();
        Problem { terms: Arc::new(writer.terms), variables: writer.variables, assertions: writer.assertions }
    }
}

struct Writer<'g> {
    graph: &'g StringGraph,
    terms: Terms,
    variables: Vec<VarId>,
    assertions: Vec<TermId>,
    strings: Vec<Option<TermId>>,
    ints: Vec<Option<TermId>>,
}

/// A definition or an edge that waits for its arguments.
#[derive(Clone, Copy)]
enum Waiting<'g> {
    Definition(IntVertex, &'g IntDefinition),
    Edge(&'g Edge),
}

impl<'g> Writer<'g> {
    /// `op` applied to arguments whose sorts the types of slots have settled.
    #[expect(clippy::panic, reason = "a term that is left out would change what the problem says")]
    fn app(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        match self.terms.app(op, arguments) {
            Ok(term) => term,
            Err(error) => panic!("a relation or a formula was written as a term that has no sort: {error}"),
        }
    }

    fn fresh(&mut self, sort: Sort) -> TermId {
        let taken: HashSet<&str> = self.graph.declarations().iter().map(|d| d.name.as_str()).collect();
        let name = (self.variables.len()..)
            .map(|n| format!("graph!{n}"))
            .find(|name| !taken.contains(name.as_str()))
            .unwrap_or_default();
        let variable = self.terms.variable(name, sort);
        self.variables.push(variable);
        self.terms.var(variable)
    }

    fn all(&mut self) {
        let graph = self.graph;
        for declaration in graph.declarations() {
            let variable = self.terms.variable(declaration.name.as_str(), declaration.sort);
            self.variables.push(variable);
            match declaration.vertex {
                Some(Vertex::String(s)) => self.strings[s.index()] = Some(self.terms.var(variable)),
                Some(Vertex::Int(i)) => {
                    let mut term = self.terms.var(variable);
                    if declaration.sort == Sort::Bool {
                        let (one, zero) = (self.terms.int(1_i64), self.terms.int(0_i64));
                        term = self.app(Op::Core(CoreOp::Ite), &[term, one, zero]);
                    }
                    self.ints[i.index()] = Some(term);
                }
                None => {}
            }
        }
        for vertex in graph.string_vertices() {
            if let StringKind::Constant(word) = graph.string(vertex) {
                self.strings[vertex.index()] = Some(self.terms.string(word.clone()));
            }
        }
        for vertex in graph.int_vertices() {
            if let IntKind::Constant(number) = graph.int(vertex) {
                self.ints[vertex.index()] = Some(self.terms.int(number.clone()));
            }
        }
        let definitions = graph.definitions().iter().map(|(v, d)| Waiting::Definition(*v, d));
        let mut waiting: Vec<Waiting<'g>> =
            definitions.chain(graph.edges().iter().map(Waiting::Edge)).collect();
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut still = Vec::new();
            for item in waiting {
                if !self.take(item) {
                    still.push(item);
                }
            }
            waiting = still;
            if waiting.len() == before {
                self.open_one(&waiting);
            }
        }
        for formula in graph.formulas() {
            let term = self.formula(formula);
            self.assertions.push(term);
        }
        self.restrict();
    }

    /// Words other than constants are made of the graph's characters.
    fn restrict(&mut self) {
        let graph = self.graph;
        if graph.characters().ranges() == [(0, graph.alphabet().max().0)] {
            return;
        }
        let regex = Regex::set(graph.characters().clone()).star();
        let language = self.regex(&regex);
        for vertex in graph.string_vertices() {
            if graph.word(vertex).is_none() {
                let word = self.string(vertex);
                let inside = self.app(Op::Str(StrOp::InRe), &[word, language]);
                self.assertions.push(inside);
            }
        }
    }

    /// A fresh variable for a vertex that something waits for.
    fn open_one(&mut self, waiting: &[Waiting<'g>]) {
        let mut missing = waiting.iter().flat_map(|item| self.arguments(*item));
        match missing.find(|v| !self.is_ready(*v)) {
            Some(Vertex::String(s)) => self.strings[s.index()] = Some(self.fresh(Sort::String)),
            Some(Vertex::Int(i)) => {
                // A length waits for its string.
                match self.graph.int(i) {
                    IntKind::Length(s) => self.strings[s.index()] = Some(self.fresh(Sort::String)),
                    _ => self.ints[i.index()] = Some(self.fresh(Sort::Int)),
                }
            }
            None => {}
        }
    }

    fn is_ready(&self, vertex: Vertex) -> bool {
        match vertex {
            Vertex::String(s) => self.strings[s.index()].is_some(),
            Vertex::Int(i) => match self.graph.int(i) {
                IntKind::Length(s) => self.strings[s.index()].is_some(),
                _ => self.ints[i.index()].is_some(),
            },
        }
    }

    /// The vertices whose terms the item needs.
    fn arguments(&self, item: Waiting<'g>) -> Vec<Vertex> {
        let mut all = Vec::new();
        match item {
            Waiting::Edge(edge) => {
                all.extend(edge.relation.vertices());
                if edge.relation.result().is_some() {
                    all.pop();
                }
            }
            Waiting::Definition(_, definition) => {
                let mut add = |v| all.push(Vertex::Int(v));
                match definition {
                    IntDefinition::Sum(sum) | IntDefinition::Quotient(sum, _) => {
                        sum.terms().iter().for_each(|(v, _)| add(*v));
                    }
                    IntDefinition::Choice(condition, yes, no) => {
                        condition.each_vertex(&mut add);
                        yes.terms().iter().chain(no.terms()).for_each(|(v, _)| add(*v));
                    }
                    IntDefinition::Product(x, y) | IntDefinition::Ratio(x, y) => {
                        x.terms().iter().chain(y.terms()).for_each(|(v, _)| add(*v));
                    }
                }
            }
        }
        all
    }

    /// Makes the item's term if its arguments are there.
    fn take(&mut self, item: Waiting<'g>) -> bool {
        if !self.arguments(item).iter().all(|v| self.is_ready(*v)) {
            return false;
        }
        match item {
            Waiting::Definition(vertex, definition) => {
                let term = match definition {
                    IntDefinition::Sum(sum) => self.sum(sum),
                    IntDefinition::Choice(condition, yes, no) => {
                        let condition = self.formula(condition);
                        let (yes, no) = (self.sum(yes), self.sum(no));
                        self.app(Op::Core(CoreOp::Ite), &[condition, yes, no])
                    }
                    IntDefinition::Quotient(sum, divisor) => {
                        let (sum, divisor) = (self.sum(sum), self.terms.int(divisor.clone()));
                        self.app(Op::Arith(ArithOp::Div), &[sum, divisor])
                    }
                    IntDefinition::Product(x, y) => {
                        let (x, y) = (self.sum(x), self.sum(y));
                        self.app(Op::Arith(ArithOp::Mul), &[x, y])
                    }
                    IntDefinition::Ratio(x, y) => {
                        let (x, y) = (self.sum(x), self.sum(y));
                        self.app(Op::Arith(ArithOp::Div), &[x, y])
                    }
                };
                self.give(Vertex::Int(vertex), term);
            }
            Waiting::Edge(edge) => self.edge(edge),
        }
        true
    }

    /// `vertex` is `term`: by definition if it has none yet, else as an assertion.
    fn give(&mut self, vertex: Vertex, term: TermId) {
        let old = match vertex {
            Vertex::String(s) => self.strings[s.index()].replace(term),
            Vertex::Int(i) => match self.graph.int(i) {
                IntKind::Length(_) => Some(self.int(i)),
                _ => self.ints[i.index()].replace(term),
            },
        };
        if let Some(old) = old {
            match vertex {
                Vertex::String(s) => self.strings[s.index()] = Some(old),
                Vertex::Int(i) => {
                    if !matches!(self.graph.int(i), IntKind::Length(_)) {
                        self.ints[i.index()] = Some(old);
                    }
                }
            }
            let equal = self.app(Op::Core(CoreOp::Eq), &[old, term]);
            self.assertions.push(equal);
        }
    }

    fn string(&mut self, vertex: StringVertex) -> TermId {
        match self.strings[vertex.index()] {
            Some(term) => term,
            None => {
                let term = self.fresh(Sort::String);
                self.strings[vertex.index()] = Some(term);
                term
            }
        }
    }

    fn int(&mut self, vertex: IntVertex) -> TermId {
        if let IntKind::Length(s) = self.graph.int(vertex) {
            let s = self.string(*s);
            return self.app(Op::Str(StrOp::Len), &[s]);
        }
        match self.ints[vertex.index()] {
            Some(term) => term,
            None => {
                let term = self.fresh(Sort::Int);
                self.ints[vertex.index()] = Some(term);
                term
            }
        }
    }

    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "each other relation is the application that its row names"
    )]
    fn edge(&mut self, edge: &Edge) {
        let relation = &edge.relation;
        let term = match *relation {
            Relation::CharAt { s, i, .. } => self.character_inside(s, i),
            _ => self.application(relation),
        };
        match relation.result() {
            Some(result) => self.give(result, term),
            None if edge.positive => self.assertions.push(term),
            None => {
                let not = self.app(Op::Core(CoreOp::Not), &[term]);
                self.assertions.push(not);
            }
        }
    }

    /// The code of the character at position `i`, which is asserted to be inside `s`.
    fn character_inside(&mut self, s: StringVertex, i: IntVertex) -> TermId {
        let (s, i) = (self.string(s), self.int(i));
        let (zero, length) = (self.terms.int(0_i64), self.app(Op::Str(StrOp::Len), &[s]));
        let low = self.app(Op::Arith(ArithOp::Le), &[zero, i]);
        let high = self.app(Op::Arith(ArithOp::Lt), &[i, length]);
        self.assertions.extend([low, high]);
        let character = self.app(Op::Str(StrOp::At), &[s, i]);
        self.app(Op::Str(StrOp::ToCode), &[character])
    }

    /// The function that the relation stands for, applied to its arguments.
    #[expect(
        clippy::expect_used,
        reason = "the caller has dealt with the one relation that is more than a function"
    )]
    fn application(&mut self, relation: &Relation) -> TermId {
        let arguments: Vec<TermId> = relation
            .arguments()
            .map(|argument| match argument {
                Argument::String(s) => self.string(s),
                Argument::Int(i) => self.int(i),
                Argument::Language(regex) => self.regex(regex),
            })
            .collect();
        self.app(relation.op().expect("all relations but charAt stand for a function"), &arguments)
    }

    fn sum(&mut self, sum: &Sum) -> TermId {
        let mut parts = Vec::with_capacity(sum.terms().len() + 1);
        for (vertex, factor) in sum.terms() {
            let term = self.int(*vertex);
            parts.push(if factor.small() == Some(1) {
                term
            } else {
                let factor = self.terms.int(factor.clone());
                self.app(Op::Arith(ArithOp::Mul), &[factor, term])
            });
        }
        if parts.is_empty() || sum.constant().small() != Some(0) {
            parts.push(self.terms.int(sum.constant().clone()));
        }
        match parts.as_slice() {
            [one] => *one,
            all => self.app(Op::Arith(ArithOp::Add), all),
        }
    }

    /// `truth = 1` and `truth != 1` as a literal.
    fn truth_literal(&mut self, sum: &Sum, comparison: Comparison) -> Option<TermId> {
        let [(vertex, factor)] = sum.terms() else { return None };
        let IntKind::Truth(declaration) = self.graph.int(*vertex) else { return None };
        if factor.small() != Some(1) || sum.constant().small() != Some(-1) {
            return None;
        }
        let literal = self.terms.var(self.variables[*declaration]);
        match comparison {
            Comparison::AtMostZero => None,
            Comparison::Zero => Some(literal),
            Comparison::NotZero => Some(self.app(Op::Core(CoreOp::Not), &[literal])),
        }
    }

    /// Formulas are shallow: [`crate::construct`] and the rules make no deep ones.
    fn formula(&mut self, formula: &IntFormula) -> TermId {
        match formula {
            IntFormula::Bool(b) => self.terms.bool(*b),
            IntFormula::Atom(sum, comparison) => {
                if let Some(literal) = self.truth_literal(sum, *comparison) {
                    return literal;
                }
                let (sum, zero) = (self.sum(sum), self.terms.int(0_i64));
                match comparison {
                    Comparison::AtMostZero => self.app(Op::Arith(ArithOp::Le), &[sum, zero]),
                    Comparison::Zero => self.app(Op::Core(CoreOp::Eq), &[sum, zero]),
                    Comparison::NotZero => self.app(Op::Core(CoreOp::Distinct), &[sum, zero]),
                }
            }
            IntFormula::And(parts) | IntFormula::Or(parts) => {
                let op = if matches!(formula, IntFormula::And(_)) {
                    Op::Core(CoreOp::And)
                } else {
                    Op::Core(CoreOp::Or)
                };
                let parts: Vec<TermId> = parts.iter().map(|p| self.formula(p)).collect();
                match parts.as_slice() {
                    [] => self.terms.bool(op == Op::Core(CoreOp::And)),
                    [one] => *one,
                    all => self.app(op, all),
                }
            }
        }
    }

    /// The expression as a term. Expressions come from terms, so they are no deeper than those were; the walk
    /// keeps its own stack.
    fn regex(&mut self, regex: &Regex) -> TermId {
        enum Todo<'r> {
            Visit(&'r Regex),
            Make(&'r Regex),
        }
        let mut todo = vec![Todo::Visit(regex)];
        let mut done: Vec<TermId> = Vec::new();
        while let Some(next) = todo.pop() {
            match next {
                Todo::Visit(regex) => {
                    todo.push(Todo::Make(regex));
                    match regex {
                        Regex::Concat(parts) | Regex::Union(parts) | Regex::Inter(parts) => {
                            todo.extend(parts.iter().rev().map(Todo::Visit));
                        }
                        Regex::Complement(inner) | Regex::Repeat { inner, .. } => {
                            todo.push(Todo::Visit(inner));
                        }
                        Regex::Empty | Regex::Epsilon | Regex::Set(_) => {}
                    }
                }
                Todo::Make(regex) => {
                    let term = self.regex_node(regex, &mut done);
                    done.push(term);
                }
            }
        }
        done.pop().unwrap_or_else(|| self.app(Op::Re(ReOp::None), &[]))
    }

    fn regex_node(&mut self, regex: &Regex, done: &mut Vec<TermId>) -> TermId {
        let mut many = |this: &mut Self, op: Op, count: usize, none: &dyn Fn(&mut Self) -> TermId| {
            let parts = done.split_off(done.len().saturating_sub(count));
            match parts.as_slice() {
                [] => none(this),
                [one] => *one,
                all => this.app(op, all),
            }
        };
        let epsilon = |this: &mut Self| {
            let empty = this.terms.string(Vec::<Char>::new());
            this.app(Op::Re(ReOp::ToRe), &[empty])
        };
        match regex {
            Regex::Empty => self.app(Op::Re(ReOp::None), &[]),
            Regex::Epsilon => epsilon(self),
            Regex::Set(set) => {
                let mut ranges = Vec::new();
                for &(low, high) in set.ranges() {
                    let (low, high) =
                        (self.terms.string(vec![Char(low)]), self.terms.string(vec![Char(high)]));
                    ranges.push(self.app(Op::Re(ReOp::Range), &[low, high]));
                }
                match ranges.as_slice() {
                    [] => self.app(Op::Re(ReOp::None), &[]),
                    [one] => *one,
                    all => self.app(Op::Re(ReOp::Union), all),
                }
            }
            Regex::Concat(parts) => many(self, Op::Re(ReOp::Concat), parts.len(), &epsilon),
            Regex::Union(parts) => {
                many(self, Op::Re(ReOp::Union), parts.len(), &|this| this.app(Op::Re(ReOp::None), &[]))
            }
            Regex::Inter(parts) => {
                many(self, Op::Re(ReOp::Inter), parts.len(), &|this| this.app(Op::Re(ReOp::All), &[]))
            }
            Regex::Complement(_) => {
                let inner = done.pop().unwrap_or_else(|| self.app(Op::Re(ReOp::None), &[]));
                self.app(Op::Re(ReOp::Comp), &[inner])
            }
            Regex::Repeat { min, max, .. } => {
                let inner = done.pop().unwrap_or_else(|| self.app(Op::Re(ReOp::None), &[]));
                match (*min, *max) {
                    (0, None) => self.app(Op::Re(ReOp::Star), &[inner]),
                    (1, None) => self.app(Op::Re(ReOp::Plus), &[inner]),
                    (min, None) => {
                        let (first, rest) = (
                            self.app(Op::Re(ReOp::Power(min)), &[inner]),
                            self.app(Op::Re(ReOp::Star), &[inner]),
                        );
                        self.app(Op::Re(ReOp::Concat), &[first, rest])
                    }
                    (min, Some(max)) => self.app(Op::Re(ReOp::Loop(min, max)), &[inner]),
                }
            }
        }
    }
}

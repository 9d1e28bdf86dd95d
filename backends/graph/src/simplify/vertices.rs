//! What the vertices of the original were merged into, and why: a union-find whose links hold because of
//! assertions.

use harness_model::SmtString;
use harness_model::int::Int;
use harness_theory::Value;

use super::{Sourced, Work};
use crate::edge::{Edge, IntVertex, Relation, StringVertex, Vertex};
use crate::formula::IntFormula;
use crate::graph::{IntDefinition, IntKind, StringKind};
use crate::linear::Sum;
use crate::reasons::Reasons;

impl Work {
    pub(super) fn string(&self, mut vertex: StringVertex) -> StringVertex {
        while let Some(&next) = self.string_of.get(vertex.index()).filter(|n| **n != vertex) {
            vertex = next;
        }
        vertex
    }

    pub(super) fn int(&self, mut vertex: IntVertex) -> IntVertex {
        while let Some(&next) = self.int_of.get(vertex.index()).filter(|n| **n != vertex) {
            vertex = next;
        }
        if let IntKind::Length(s) = self.graph.int(vertex) {
            let s = self.string(*s);
            if let Some(length) = self.graph.length_of(s) {
                return length;
            }
        }
        vertex
    }

    /// As [`Self::string`]; why the two are equal is added to `from`.
    pub(super) fn trace_string(&self, mut vertex: StringVertex, from: &mut Reasons) -> StringVertex {
        while let Some(&next) = self.string_of.get(vertex.index()).filter(|n| **n != vertex) {
            from.extend(&self.string_links[vertex.index()]);
            vertex = next;
        }
        vertex
    }

    /// As [`Self::int`]; why the two are equal is added to `from`.
    pub(super) fn trace_int(&self, mut vertex: IntVertex, from: &mut Reasons) -> IntVertex {
        while let Some(&next) = self.int_of.get(vertex.index()).filter(|n| **n != vertex) {
            from.extend(&self.int_links[vertex.index()]);
            vertex = next;
        }
        if let IntKind::Length(s) = self.graph.int(vertex) {
            self.trace_string(*s, from);
        }
        self.int(vertex)
    }

    /// The edge over the merged vertices.
    pub(super) fn edge(&self, edge: &Sourced<Edge>) -> Sourced<Edge> {
        let mut from = edge.from.clone();
        edge.value.relation.strings().for_each(|s| {
            self.trace_string(s, &mut from);
        });
        edge.value.relation.ints().for_each(|i| {
            self.trace_int(i, &mut from);
        });
        let relation = self.relation(&edge.value.relation);
        Sourced { value: Edge { relation, positive: edge.value.positive }, from }
    }

    /// The formula over the merged vertices.
    pub(super) fn formula(&self, formula: &Sourced<IntFormula>) -> Sourced<IntFormula> {
        let mut from = formula.from.clone();
        formula.value.each_vertex(&mut |v| {
            self.trace_int(v, &mut from);
        });
        Sourced { value: formula.value.substitute(&|v| self.graph.sum_of(self.int(v))), from }
    }

    /// Why the definition of the vertex, over the merged vertices, is what it is.
    pub(super) fn definition_sources(&self, vertex: IntVertex, definition: &IntDefinition) -> Reasons {
        let mut from = Reasons::new();
        definition.formula(vertex).each_vertex(&mut |v| {
            self.trace_int(v, &mut from);
        });
        from
    }

    pub(super) fn sum(&self, sum: &Sum) -> Sum {
        sum.substitute(|v| self.graph.sum_of(self.int(v)))
    }

    pub(super) fn relation(&self, relation: &Relation) -> Relation {
        relation.map(|s| self.string(s), |i| self.int(i))
    }

    pub(super) fn grow(&mut self) {
        for i in self.string_of.len()..self.graph.strings().len() {
            self.string_of.push(StringVertex::at(i));
            self.string_links.push(Reasons::new());
        }
        for i in self.int_of.len()..self.graph.ints().len() {
            self.int_of.push(IntVertex::at(i));
            self.int_links.push(Reasons::new());
        }
    }

    pub(super) fn constant(&mut self, word: SmtString) -> StringVertex {
        let vertex = self.graph.constant(word);
        self.graph.length(vertex);
        self.grow();
        vertex
    }

    pub(super) fn constant_int(&mut self, number: Int) -> IntVertex {
        let vertex = self.graph.constant_int(number);
        self.grow();
        vertex
    }

    /// Makes `a` and `b` one vertex: a constant, else a declared variable, else the one that came first.
    /// Fails for two constants.
    pub(super) fn unite_strings(&mut self, a: StringVertex, b: StringVertex) -> Result<(), ()> {
        let mut from = self.present.clone();
        let (a, b) = (self.trace_string(a, &mut from), self.trace_string(b, &mut from));
        if a == b {
            return Ok(());
        }
        let rank = |v: StringVertex| match self.graph.string(v) {
            StringKind::Constant(_) => (0, v),
            StringKind::Declared(_) => (1, v),
            StringKind::Auxiliary => (2, v),
        };
        let (keep, drop) = if rank(a) < rank(b) { (a, b) } else { (b, a) };
        if self.graph.word(drop).is_some() {
            self.present = from;
            return Err(());
        }
        // What becomes a constant was made of the graph's characters.
        let foreign = |word: &SmtString| word.chars().iter().any(|&c| !self.graph.characters().contains(c));
        if self.graph.word(keep).is_some_and(foreign) {
            self.present = from;
            return Err(());
        }
        // The length of what goes becomes the length of what stays, which must be there then.
        self.graph.length(keep);
        self.grow();
        self.string_of[drop.index()] = keep;
        self.string_links[drop.index()] = from;
        self.changed = true;
        Ok(())
    }

    /// As [`Self::unite_strings`]. A length is never merged into anything but a constant's length by way of
    /// its string: two lengths, or a length and a number, stay an equation.
    pub(super) fn unite_ints(&mut self, a: IntVertex, b: IntVertex) -> Result<bool, ()> {
        let mut from = self.present.clone();
        let (a, b) = (self.trace_int(a, &mut from), self.trace_int(b, &mut from));
        if a == b {
            return Ok(true);
        }
        let rank = |v: IntVertex| match self.graph.int(v) {
            IntKind::Constant(_) => (0, v),
            IntKind::Length(_) => (1, v),
            IntKind::Declared(_) | IntKind::Truth(_) => (2, v),
            IntKind::Result | IntKind::Auxiliary => (3, v),
        };
        let (keep, drop) = if rank(a) < rank(b) { (a, b) } else { (b, a) };
        let merges = match (self.graph.int(drop), self.graph.int(keep)) {
            (IntKind::Constant(_), _) => None,
            (IntKind::Length(_), _) => Some(false),
            (IntKind::Truth(_), IntKind::Constant(n)) if !matches!(n.small(), Some(0 | 1)) => None,
            (IntKind::Truth(_), IntKind::Constant(_) | IntKind::Truth(_)) => Some(true),
            (IntKind::Truth(_), _) => Some(false),
            _ => Some(true),
        };
        match merges {
            None => {
                self.present = from;
                return Err(());
            }
            Some(false) => return Ok(false),
            Some(true) => {}
        }
        self.int_of[drop.index()] = keep;
        self.int_links[drop.index()] = from;
        self.changed = true;
        Ok(true)
    }

    pub(super) fn unite(&mut self, result: Vertex, value: Value) -> Result<bool, ()> {
        match (result, value) {
            (Vertex::String(s), Value::String(word)) => {
                let constant = self.constant(word);
                self.unite_strings(s, constant).map(|()| true)
            }
            (Vertex::Int(i), Value::Int(number)) => {
                let constant = self.constant_int(number);
                self.unite_ints(i, constant)
            }
            _ => Ok(false),
        }
    }
}

//! A new graph of what is left when nothing can be merged any more, and how to read its solutions.

use super::{Codes, Simplified, Sourced, Work, codes};
use crate::edge::{Edge, IntVertex, StringVertex, Vertex};
use crate::formula::IntFormula;
use crate::graph::{IntDefinition, IntKind, StringGraph};
use crate::linear::Sum;
use crate::reasons::Reasons;

impl Work {
    /// A new graph of what is left.
    pub(super) fn compact(mut self, original: &StringGraph, codes: &[codes::Code]) -> (Simplified, Codes) {
        self.graph.add_lengths();
        self.grow();
        let mut new = Compaction {
            graph: StringGraph::new(original.alphabet()),
            strings: vec![None; self.graph.strings().len()],
            ints: vec![None; self.graph.ints().len()],
        };
        new.graph.restrict_characters(original.characters());
        for declaration in self.graph.declarations() {
            let stays = match declaration.vertex {
                Some(Vertex::String(s)) => self.string(s) == s,
                Some(Vertex::Int(i)) => self.int(i) == i,
                None => false,
            };
            if !stays {
                new.graph.declare_without_vertex(declaration.name.as_str(), declaration.sort);
                continue;
            }
            match (declaration.vertex, new.graph.declare(declaration.name.as_str(), declaration.sort)) {
                (Some(Vertex::String(s)), Some(Vertex::String(n))) => new.strings[s.index()] = Some(n),
                (Some(Vertex::Int(i)), Some(Vertex::Int(n))) => new.ints[i.index()] = Some(n),
                _ => {}
            }
        }
        let edges: Vec<Sourced<Edge>> = self.edges.iter().map(|e| self.edge(e)).collect();
        let formulas: Vec<Sourced<IntFormula>> = self.formulas.iter().map(|f| self.formula(f)).collect();
        let hold_because = |graph: &mut StringGraph, from: &Reasons| {
            if original.has_sources() {
                graph.hold_because(from.clone());
            }
        };
        let mut defined = Reasons::new();
        for (vertex, definition) in self.graph.definitions() {
            defined.extend(&self.definition_sources(*vertex, definition));
        }
        new.graph.define_because(&defined);
        let definitions: Vec<(IntVertex, IntDefinition)> =
            self.graph.definitions().iter().map(|(v, d)| (self.int(*v), self.definition(d))).collect();
        // Auxiliaries that stay, in the order of their definitions, which are in terms of earlier ones.
        for (vertex, definition) in &definitions {
            let is_own =
                matches!(self.graph.int(*vertex), IntKind::Auxiliary) && new.ints[vertex.index()].is_none();
            let definition = new.definition(&self, definition);
            if is_own {
                let made = match &definition {
                    IntDefinition::Sum(sum) => new.graph.int_of(sum),
                    _ => new.graph.defined_int(definition),
                };
                new.ints[vertex.index()] = Some(made);
            } else {
                // Merged with something else: what was a definition is now a constraint.
                let vertex = new.sum_of(&self, *vertex);
                // What no formula says keeps a vertex of its own, which is equal to the other one.
                let formula = if definition.is_linear() {
                    definition.formula(new.graph.int_of(&vertex))
                } else {
                    Sum::from(new.graph.defined_int(definition)).eq(&vertex)
                };
                let formula = formula.substitute(&|v| new.graph.sum_of(v));
                hold_because(&mut new.graph, &defined);
                new.graph.add_formula(formula);
            }
        }
        for Sourced { value: edge, from } in &edges {
            edge.relation.strings().for_each(|s| {
                new.string(&self, s);
            });
            edge.relation.ints().for_each(|i| {
                new.int(&self, i);
            });
            let relation = edge
                .relation
                .map(|s| new.strings[s.index()].unwrap_or(s), |i| new.ints[i.index()].unwrap_or(i));
            hold_because(&mut new.graph, from);
            new.graph.add_edge(Edge { relation, positive: edge.positive });
        }
        for Sourced { value: formula, from } in &formulas {
            formula.each_vertex(&mut |v| {
                new.int(&self, v);
            });
            let formula = formula
                .substitute(&|v| new.ints[v.index()].map_or_else(Sum::default, |n| new.graph.sum_of(n)));
            hold_because(&mut new.graph, from);
            new.graph.add_formula(formula);
        }
        // Whatever a user adds may depend on anything.
        let mut all = defined;
        edges.iter().for_each(|edge| all.extend(&edge.from));
        formulas.iter().for_each(|formula| all.extend(&formula.from));
        self.string_links.iter().chain(&self.int_links).for_each(|from| all.extend(from));
        hold_because(&mut new.graph, &all);
        let recovered: Codes = codes
            .iter()
            .map(|code| (code.code, (new.string(&self, code.s), new.sum_of(&self, code.i))))
            .collect();
        let recovered = original
            .int_vertices()
            .filter_map(|v| recovered.get(&self.int(v)).map(|code| (v, code.clone())))
            .collect();
        let strings = original.string_vertices().map(|v| self.string(v));
        let strings: Vec<Option<StringVertex>> = strings
            .map(|v| {
                new.strings[v.index()].or_else(|| self.graph.word(v).map(|w| new.graph.constant(w.clone())))
            })
            .collect();
        let ints = original.int_vertices().map(|v| self.int(v)).map(|v| match self.graph.int(v) {
            IntKind::Constant(number) => Some(Sum::from(number.clone())),
            IntKind::Length(s) => {
                let s = self.string(*s);
                self.graph
                    .word(s)
                    .map(|w| Sum::from(w.len()))
                    .or_else(|| new.strings[s.index()].map(|n| Sum::from(new.graph.length(n))))
            }
            _ => new.ints[v.index()].map(|n| new.graph.sum_of(n)),
        });
        let ints = ints.collect();
        new.graph.add_lengths();
        (Simplified { graph: new.graph, strings, ints }, recovered)
    }
}

/// A graph in the making, and where the old graph's vertices are in it.
struct Compaction {
    graph: StringGraph,
    strings: Vec<Option<StringVertex>>,
    ints: Vec<Option<IntVertex>>,
}

impl Compaction {
    /// The new vertex of an old one that was not merged away.
    fn string(&mut self, work: &Work, vertex: StringVertex) -> StringVertex {
        if let Some(new) = self.strings[vertex.index()] {
            return new;
        }
        let new = match work.graph.word(vertex) {
            Some(word) => self.graph.constant(word.clone()),
            None => self.graph.auxiliary(),
        };
        self.strings[vertex.index()] = Some(new);
        new
    }

    /// The new vertex of an old one that was not merged away.
    fn int(&mut self, work: &Work, vertex: IntVertex) -> IntVertex {
        if let Some(new) = self.ints[vertex.index()] {
            return new;
        }
        let new = match work.graph.int(vertex) {
            IntKind::Constant(number) => self.graph.constant_int(number.clone()),
            IntKind::Length(s) => {
                let s = self.string(work, work.string(*s));
                self.graph.length(s)
            }
            _ => self.graph.result_int(),
        };
        self.ints[vertex.index()] = Some(new);
        new
    }

    fn sum_of(&mut self, work: &Work, vertex: IntVertex) -> Sum {
        let new = self.int(work, vertex);
        self.graph.sum_of(new)
    }

    fn sum(&mut self, work: &Work, sum: &Sum) -> Sum {
        sum.terms()
            .iter()
            .fold(Sum::from(sum.constant().clone()), |all, (v, f)| all.plus(&self.sum_of(work, *v), f))
    }

    fn definition(&mut self, work: &Work, definition: &IntDefinition) -> IntDefinition {
        match definition {
            IntDefinition::Sum(sum) => IntDefinition::Sum(self.sum(work, sum)),
            IntDefinition::Choice(condition, yes, no) => {
                condition.each_vertex(&mut |v| {
                    self.int(work, v);
                });
                let condition = condition.substitute(&|v| {
                    self.ints[v.index()].map_or_else(Sum::default, |n| self.graph.sum_of(n))
                });
                IntDefinition::Choice(condition, self.sum(work, yes), self.sum(work, no))
            }
            IntDefinition::Quotient(sum, divisor) => {
                IntDefinition::Quotient(self.sum(work, sum), divisor.clone())
            }
            IntDefinition::Product(x, y) => IntDefinition::Product(self.sum(work, x), self.sum(work, y)),
            IntDefinition::Ratio(x, y) => IntDefinition::Ratio(self.sum(work, x), self.sum(work, y)),
        }
    }
}

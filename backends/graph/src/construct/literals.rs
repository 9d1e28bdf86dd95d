//! Literals as edges and formulas.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "what has no arm is a relation by the table of relations, is refused by its name, or stays whole"
)]

use harness_theory::op::{CoreOp, Op, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId};

use super::{Builder, Literal, Refusal};
use crate::edge::{Edge, StringVertex};
use crate::reasons::Reasons;
use crate::relation::Relation;

impl Builder<'_> {
    pub(super) fn assert_literal(&mut self, (id, positive, source): Literal) -> Result<(), Refusal> {
        self.graph.hold_because(self.origins[source].clone());
        let asserted = self.assert_alone(id, positive);
        self.graph.hold_because(Reasons::new());
        asserted
    }

    pub(super) fn assert_alone(&mut self, id: TermId, positive: bool) -> Result<(), Refusal> {
        let (op, a) = match self.terms.get(id) {
            Term::App(op, arguments) => (*op, &**arguments),
            _ => return self.assert_formula(id, positive),
        };
        let strings = a.first().is_some_and(|&x| self.terms.sort(x) == Sort::String);
        // These take any number of arguments and, but for the order of words, of any sort.
        if matches!(op, Op::Core(CoreOp::Eq | CoreOp::Distinct) | Op::Str(StrOp::Lt | StrOp::Le)) {
            return if strings {
                self.assert_chain(op, a, positive)
            } else {
                self.assert_formula(id, positive)
            };
        }
        let Some(relation) = self.relation(op, a)? else {
            return self.assert_formula(id, positive);
        };
        self.graph.add_edge(Edge { relation, positive });
        Ok(())
    }

    /// Equality, distinctness or order of two or more strings.
    pub(super) fn assert_chain(&mut self, op: Op, a: &[TermId], positive: bool) -> Result<(), Refusal> {
        let vertices = a.iter().map(|&x| self.string(x)).collect::<Result<Vec<_>, _>>()?;
        if vertices.len() > 2 && !positive {
            return Err(Refusal(format!("{} of more than two strings, negated", op.name())));
        }
        let mut pairs: Vec<(StringVertex, StringVertex)> =
            vertices.windows(2).map(|pair| (pair[0], pair[1])).collect();
        if op == Op::Core(CoreOp::Distinct) {
            let later = |(i, &x): (usize, &StringVertex)| {
                vertices[i + 1..].iter().map(move |&y| (x, y)).collect::<Vec<_>>()
            };
            pairs = vertices.iter().enumerate().flat_map(later).collect();
        }
        for (s, t) in pairs {
            let (relation, holds) = match op {
                Op::Str(StrOp::Lt) => (Relation::Less { s, t }, positive),
                Op::Str(StrOp::Le) => (Relation::LessEqual { s, t }, positive),
                Op::Core(CoreOp::Eq) => (Relation::Equal { a: s, b: t }, positive),
                _ => (Relation::Equal { a: s, b: t }, !positive),
            };
            self.graph.add_edge(Edge { relation, positive: holds });
        }
        Ok(())
    }

    pub(super) fn assert_formula(&mut self, id: TermId, positive: bool) -> Result<(), Refusal> {
        let formula = self.formula(id)?;
        self.graph.add_formula(if positive { formula } else { formula.negate() });
        Ok(())
    }
}

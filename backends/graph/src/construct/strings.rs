//! Vertices of string terms, and the edges of the functions that they are results of.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "what has no arm is a relation by the table of relations, is refused by its name, or stays whole"
)]

use std::sync::Arc;

use harness_model::Regex;
use harness_theory::Value;
use harness_theory::op::{CoreOp, Op, StrOp};
use harness_theory::term::{Term, TermId};

use super::{Builder, Ground, MANY_PARTS, Refusal};
use crate::edge::{Edge, IntVertex, StringVertex, Vertex};
use crate::formula::IntFormula;
use crate::graph::IntDefinition;
use crate::linear::Sum;
use crate::relation::{Arguments, Relation};

impl Builder<'_> {
    /// The vertex of a string term whose arguments are made.
    pub(super) fn string(&mut self, id: TermId) -> Result<StringVertex, Refusal> {
        match self.ground.get(&id) {
            Some(Ground::Value(Value::String(word))) => Ok(self.graph.constant(word.clone())),
            Some(Ground::Failed(refusal)) => Err(refusal.clone()),
            _ => self.strings.get(&id).copied().ok_or_else(|| Refusal::new("a string term out of order")),
        }
    }

    /// The sum of an integer term whose arguments are made.
    pub(super) fn sum(&self, id: TermId) -> Result<Sum, Refusal> {
        match self.ground.get(&id) {
            Some(Ground::Value(Value::Int(i))) => Ok(Sum::from(i.clone())),
            Some(Ground::Failed(refusal)) => Err(refusal.clone()),
            _ => self.sums.get(&id).cloned().ok_or_else(|| Refusal::new("an integer term out of order")),
        }
    }

    pub(super) fn int(&mut self, id: TermId) -> Result<IntVertex, Refusal> {
        let sum = self.sum(id)?;
        Ok(self.graph.int_of(&sum))
    }

    pub(super) fn formula(&self, id: TermId) -> Result<IntFormula, Refusal> {
        if let Some(truth) = self.truth(id)? {
            return Ok(IntFormula::Bool(truth));
        }
        self.formulas.get(&id).cloned().unwrap_or_else(|| Err(Refusal::new("a Boolean term out of order")))
    }

    pub(super) fn language(&self, op: Op, id: TermId) -> Result<Arc<Regex>, Refusal> {
        match self.ground.get(&id) {
            Some(Ground::Language(regex)) => Ok(Arc::clone(regex)),
            Some(Ground::Failed(refusal)) => Err(refusal.clone()),
            _ => Err(Refusal(format!("{} with a regular language that depends on a variable", op.name()))),
        }
    }

    pub(super) fn length(&mut self, vertex: StringVertex) -> Sum {
        let length = self.graph.length(vertex);
        self.graph.sum_of(length)
    }

    pub(super) fn concat(&mut self, a: StringVertex, b: StringVertex) -> StringVertex {
        let r = self.graph.auxiliary();
        self.graph.add_edge(Edge::positive(Relation::Concat { a, b, r }));
        r
    }

    /// Many vertices one after the other, put together in halves. From the left, the words on the way, which
    /// are all kept where they are constants, would need quadratic space: a gigabyte for 2,000 words of 120
    /// characters.
    pub(super) fn halves(&mut self, parts: &[StringVertex]) -> StringVertex {
        match parts {
            [] => self.graph.constant(""),
            [part] => *part,
            _ => {
                let (left, right) = parts.split_at(parts.len() / 2);
                let (a, b) = (self.halves(left), self.halves(right));
                self.concat(a, b)
            }
        }
    }

    pub(super) fn make_string(&mut self, id: TermId) -> Result<StringVertex, Refusal> {
        let (op, a) = match self.terms.get(id) {
            Term::Var(v) => {
                return match self.vertex_of_variable.get(&v.index()) {
                    Some(Some(Vertex::String(vertex))) => Ok(*vertex),
                    _ => Err(Refusal::new("a variable that is not declared")),
                };
            }
            Term::App(op, arguments) => (*op, &**arguments),
            _ => return Err(Refusal::new("a literal out of order")),
        };
        let relation = match op {
            Op::Str(StrOp::Concat) => {
                if a.len() > MANY_PARTS {
                    let parts = a.iter().map(|&part| self.string(part)).collect::<Result<Vec<_>, _>>()?;
                    return Ok(self.halves(&parts));
                }
                let mut left = self.string(a[0])?;
                for &part in &a[1..] {
                    let b = self.string(part)?;
                    left = self.concat(left, b);
                }
                return Ok(left);
            }
            Op::Core(CoreOp::Ite) => return self.choice_of_strings(a),
            _ => self.relation(op, a)?.ok_or_else(|| Refusal::new(op.name()))?,
        };
        let result = relation.result();
        self.graph.add_edge(Edge::positive(relation));
        match result {
            Some(Vertex::String(r)) => Ok(r),
            _ => Err(Refusal::new(op.name())),
        }
    }

    /// The relation that an application with a row in the table stands for, its arguments made.
    pub(super) fn relation(&mut self, op: Op, arguments: &[TermId]) -> Result<Option<Relation>, Refusal> {
        Relation::of_application(op, &mut Application { builder: self, op, left: arguments.iter() })
    }

    /// `ite(c, x, y)` is the part of `x y` that starts at 0 and has `|x|` characters if `c`, else starts at
    /// `|x|` and has `|y|`.
    pub(super) fn choice_of_strings(&mut self, arguments: &[TermId]) -> Result<StringVertex, Refusal> {
        let (condition, x, y) = (arguments[0], arguments[1], arguments[2]);
        match self.formula(condition)? {
            IntFormula::Bool(true) => self.string(x),
            IntFormula::Bool(false) => self.string(y),
            condition => {
                let (x, y) = (self.string(x)?, self.string(y)?);
                let (x_length, y_length) = (self.length(x), self.length(y));
                let both = self.graph.auxiliary();
                self.graph.add_edge(Edge::positive(Relation::Concat { a: x, b: y, r: both }));
                let start = IntDefinition::Choice(condition.clone(), Sum::from(0_i64), x_length.clone());
                let from = self.graph.defined_int(start);
                let count = self.graph.defined_int(IntDefinition::Choice(condition, x_length, y_length));
                let r = self.graph.auxiliary();
                self.graph.add_edge(Edge::positive(Relation::Substr { s: both, from, count, r }));
                Ok(r)
            }
        }
    }
}

/// The arguments of an application, as its relation takes them.
struct Application<'b, 'p> {
    builder: &'b mut Builder<'p>,
    op: Op,
    left: std::slice::Iter<'b, TermId>,
}

impl Application<'_, '_> {
    #[expect(clippy::expect_used, reason = "terms are well-sorted, and a row takes what its function takes")]
    fn next(&mut self) -> TermId {
        *self.left.next().expect("an application has the arguments of its row in the table of relations")
    }
}

impl Arguments for Application<'_, '_> {
    type Error = Refusal;

    fn next_string(&mut self) -> Result<StringVertex, Refusal> {
        let argument = self.next();
        self.builder.string(argument)
    }

    fn next_int(&mut self) -> Result<IntVertex, Refusal> {
        let argument = self.next();
        self.builder.int(argument)
    }

    fn next_language(&mut self) -> Result<Arc<Regex>, Refusal> {
        let argument = self.next();
        self.builder.language(self.op, argument)
    }

    fn string_result(&mut self) -> StringVertex {
        self.builder.graph.auxiliary()
    }

    fn int_result(&mut self) -> IntVertex {
        self.builder.graph.result_int()
    }
}

//! Sums and formulas of integer and Boolean terms.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "what has no arm is a relation by the table of relations, is refused by its name, or stays whole"
)]

use harness_model::int::Int;
use harness_theory::Value;
use harness_theory::op::{ArithOp, CoreOp, Op, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId};

use super::{Builder, Ground, MAX_DEPTH, MAX_REPEATED, Refusal};
use crate::edge::{Edge, Vertex};
use crate::formula::IntFormula;
use crate::graph::IntDefinition;
use crate::linear::Sum;
use crate::reasons::Reasons;
use crate::relation::Relation;

/// What both sides of a division are multiplied by where a second quotient of theirs is wanted: a number that no
/// script has there.
const OTHER_SCALE: i64 = 1_000_003;

impl Builder<'_> {
    pub(super) fn make_sum(&mut self, id: TermId) -> Result<Sum, Refusal> {
        let (op, a) = match self.terms.get(id) {
            Term::Var(v) => {
                return match self.vertex_of_variable.get(&v.index()) {
                    Some(Some(Vertex::Int(vertex))) => Ok(Sum::from(*vertex)),
                    _ => Err(Refusal::new("a variable that is not declared")),
                };
            }
            Term::App(op, arguments) => (*op, &**arguments),
            _ => return Err(Refusal::new("a literal out of order")),
        };
        let relation = match op {
            Op::Arith(ArithOp::Neg) => return Ok(self.sum(a[0])?.times(&Int::MINUS_ONE)),
            Op::Arith(ArithOp::Add) => {
                return a[1..].iter().try_fold(self.sum(a[0])?, |sum, &b| Ok(sum.add(&self.sum(b)?)));
            }
            Op::Arith(ArithOp::Sub) => {
                return a[1..].iter().try_fold(self.sum(a[0])?, |sum, &b| Ok(sum.sub(&self.sum(b)?)));
            }
            Op::Arith(ArithOp::Mul) => {
                return a[1..].iter().try_fold(self.sum(a[0])?, |product, &b| {
                    let factor = self.sum(b)?;
                    Ok(self.product(&product, &factor))
                });
            }
            Op::Arith(ArithOp::Div | ArithOp::Mod) => {
                let mut sum = self.sum(a[0])?;
                for &b in &a[1..] {
                    let divisor = self.sum(b)?;
                    let quotient = match divisor.value() {
                        Some(value) if *value == Int::ZERO => {
                            return Err(Refusal(format!("{} by zero", op.name())));
                        }
                        Some(value) => IntDefinition::Quotient(sum.clone(), value.clone()),
                        None => IntDefinition::Ratio(sum.clone(), divisor.clone()),
                    };
                    let quotient = Sum::from(self.graph.defined_int(quotient));
                    sum = if op == Op::Arith(ArithOp::Div) {
                        quotient
                    } else {
                        let rest = sum.sub(&self.product(&quotient, &divisor));
                        match divisor.value() {
                            Some(_) => rest,
                            // What is left of a division by zero is any number, as is its quotient. It is the
                            // quotient of the same numbers times a constant, since equal definitions are merged.
                            None => {
                                let scale = Int::from(OTHER_SCALE);
                                let any = IntDefinition::Ratio(sum.times(&scale), divisor.times(&scale));
                                let any = Sum::from(self.graph.defined_int(any));
                                self.choice(divisor.eq(&Sum::from(0_i64)), any, rest)
                            }
                        }
                    };
                }
                return Ok(sum);
            }
            Op::Arith(ArithOp::Abs) => {
                let sum = self.sum(a[0])?;
                let opposite = sum.times(&Int::MINUS_ONE);
                return Ok(self.choice(Sum::from(0_i64).le(&sum), sum, opposite));
            }
            Op::Core(CoreOp::Ite) => {
                let condition = self.formula(a[0])?;
                let (yes, no) = (a[1], a[2]);
                let (yes, no) = (self.sum(yes)?, self.sum(no)?);
                return Ok(self.choice(condition, yes, no));
            }
            Op::Str(StrOp::Len) => {
                let s = self.string(a[0])?;
                return Ok(self.length(s));
            }
            Op::Str(StrOp::ToCode) if self.inside.contains_key(&id) => {
                let at = self.terms.arguments(a[0]);
                let (s, i) = (at[0], at[1]);
                let relation =
                    Relation::CharAt { s: self.string(s)?, i: self.int(i)?, c: self.graph.result_int() };
                // That there is a character is what the assertions say.
                self.graph.hold_because(self.inside.get(&id).cloned().unwrap_or_default());
                let code = self.function(relation);
                self.graph.hold_because(Reasons::new());
                return code;
            }
            _ => self.relation(op, a)?.ok_or_else(|| Refusal::new(op.name()))?,
        };
        self.function(relation)
    }

    /// Adds the edge of a function with an integer result.
    pub(super) fn function(&mut self, relation: Relation) -> Result<Sum, Refusal> {
        let result = relation.result();
        let name = relation.full_name();
        self.graph.add_edge(Edge::positive(relation));
        match result {
            Some(Vertex::Int(i)) => Ok(Sum::from(i)),
            _ => Err(Refusal::new(name)),
        }
    }

    fn product(&mut self, x: &Sum, y: &Sum) -> Sum {
        match (x.value(), y.value()) {
            (_, Some(value)) => x.times(value),
            (Some(value), _) => y.times(value),
            _ => Sum::from(self.graph.defined_int(IntDefinition::Product(x.clone(), y.clone()))),
        }
    }

    pub(super) fn choice(&mut self, condition: IntFormula, yes: Sum, no: Sum) -> Sum {
        match condition {
            IntFormula::Bool(true) => yes,
            IntFormula::Bool(false) => no,
            _ if yes == no => yes,
            condition => Sum::from(self.graph.defined_int(IntDefinition::Choice(condition, yes, no))),
        }
    }

    /// The formula itself, or the truth of a 0-1 vertex that is defined by it.
    pub(super) fn named(&mut self, formula: IntFormula) -> IntFormula {
        let one = Sum::from(1_i64);
        self.choice(formula, one.clone(), Sum::from(0_i64)).eq(&one)
    }

    pub(super) fn make_formula(&mut self, id: TermId) -> Result<IntFormula, Refusal> {
        let (op, a) = match self.terms.get(id) {
            Term::Var(v) => {
                return match self.vertex_of_variable.get(&v.index()) {
                    Some(Some(Vertex::Int(vertex))) => Ok(Sum::from(*vertex).eq(&Sum::from(1_i64))),
                    _ => Err(Refusal::new("a variable that is not declared")),
                };
            }
            Term::App(op, arguments) => (*op, &**arguments),
            _ => return Err(Refusal::new("a literal out of order")),
        };
        let argument_sort = a.first().map(|&x| self.terms.sort(x));
        let formula = match (op, argument_sort) {
            (Op::Core(CoreOp::Not), _) => self.formula(a[0])?.negate(),
            (Op::Core(CoreOp::And), _) => IntFormula::and(self.all_formulas(a)?),
            (Op::Core(CoreOp::Or), _) => IntFormula::or(self.all_formulas(a)?),
            (Op::Core(CoreOp::Implies), _) => {
                let mut parts = self.all_formulas(a)?;
                let last = parts.pop().unwrap_or(IntFormula::Bool(true));
                IntFormula::or(parts.iter().map(IntFormula::negate).chain([last]))
            }
            (Op::Core(CoreOp::Xor), _) => {
                let parts = self.repeatable(a)?;
                let odd = |x: IntFormula, y: &IntFormula| same(&x, y).negate();
                let mut odd_so_far = IntFormula::Bool(false);
                for part in &parts {
                    odd_so_far = odd(odd_so_far, part);
                    if odd_so_far.size() > MAX_REPEATED {
                        odd_so_far = self.named(odd_so_far);
                    }
                }
                odd_so_far
            }
            (Op::Core(CoreOp::Eq), Some(Sort::Bool)) => {
                let parts = self.repeatable(a)?;
                IntFormula::and(parts.windows(2).map(|pair| same(&pair[0], &pair[1])))
            }
            // No three Booleans are pairwise distinct.
            (Op::Core(CoreOp::Distinct), Some(Sort::Bool)) if a.len() > 2 => IntFormula::Bool(false),
            (Op::Core(CoreOp::Distinct), Some(Sort::Bool)) => {
                let parts = self.repeatable(a)?;
                same(&parts[0], &parts[1]).negate()
            }
            (Op::Core(CoreOp::Ite), _) => {
                let parts = self.repeatable(a)?;
                IntFormula::and([
                    parts[0].implies(parts[1].clone()),
                    parts[0].negate().implies(parts[2].clone()),
                ])
            }
            (
                Op::Core(CoreOp::Eq | CoreOp::Distinct)
                | Op::Arith(ArithOp::Le | ArithOp::Lt | ArithOp::Ge | ArithOp::Gt),
                Some(Sort::Int),
            ) => {
                let sums = a.iter().map(|&x| self.sum(x)).collect::<Result<Vec<_>, _>>()?;
                let chain = |relate: fn(&Sum, &Sum) -> IntFormula| {
                    IntFormula::and(sums.windows(2).map(|pair| relate(&pair[0], &pair[1])))
                };
                match op {
                    Op::Core(CoreOp::Eq) => chain(Sum::eq),
                    Op::Arith(ArithOp::Le) => chain(Sum::le),
                    Op::Arith(ArithOp::Lt) => chain(Sum::lt),
                    Op::Arith(ArithOp::Ge) => chain(|x, y| y.le(x)),
                    Op::Arith(ArithOp::Gt) => chain(|x, y| y.lt(x)),
                    _ => IntFormula::and(
                        sums.iter().enumerate().flat_map(|(i, x)| sums[i + 1..].iter().map(|y| x.ne(y))),
                    ),
                }
            }
            (Op::Core(CoreOp::Eq), Some(Sort::String)) if a.len() == 2 && self.emptiness(a).is_some() => {
                let other = self.emptiness(a).unwrap_or(a[0]);
                let s = self.string(other)?;
                self.length(s).eq(&Sum::from(0_i64))
            }
            _ if self.conditions.contains(&id) => self.reify(op, a)?,
            _ => return Err(Refusal(format!("{} inside a Boolean structure", op.name()))),
        };
        Ok(if formula.depth() > MAX_DEPTH { self.named(formula) } else { formula })
    }

    /// The other side of an equation with the empty string.
    pub(super) fn emptiness(&self, sides: &[TermId]) -> Option<TermId> {
        let is_empty = |id: &TermId| matches!(self.ground.get(id), Some(Ground::Value(Value::String(word))) if word.is_empty());
        match sides {
            [x, y] if is_empty(x) => Some(*y),
            [x, y] if is_empty(y) => Some(*x),
            _ => None,
        }
    }

    pub(super) fn all_formulas(&self, ids: &[TermId]) -> Result<Vec<IntFormula>, Refusal> {
        ids.iter().map(|&id| self.formula(id)).collect()
    }

    /// Formulas that are small enough to be repeated.
    pub(super) fn repeatable(&mut self, ids: &[TermId]) -> Result<Vec<IntFormula>, Refusal> {
        let formulas = self.all_formulas(ids)?;
        let small = |this: &mut Self, f: IntFormula| if f.size() > MAX_REPEATED { this.named(f) } else { f };
        Ok(formulas.into_iter().map(|f| small(self, f)).collect())
    }

    /// A predicate over strings as an equation of integers, by an edge for a function: `t` occurs in `s` when
    /// its first index is not -1, is a prefix when that index is 0, a suffix when its last index is
    /// `|s|-|t|`; words are equal when they are equally long and one is a prefix of the other; the order is
    /// the sign of `compareTo`.
    pub(super) fn reify(&mut self, op: Op, a: &[TermId]) -> Result<IntFormula, Refusal> {
        let zero = Sum::from(0_i64);
        match (op, a) {
            (Op::Str(StrOp::Contains), &[s, t]) => Ok(zero.le(&self.first_index(s, t)?)),
            (Op::Str(StrOp::PrefixOf), &[t, s]) => Ok(self.first_index(s, t)?.eq(&zero)),
            (Op::Str(StrOp::SuffixOf), &[t, s]) => {
                let (s, t) = (self.string(s)?, self.string(t)?);
                let (from, i) = (self.graph.length(s), self.graph.result_int());
                let index = self.function(Relation::LastIndexOf { s, t, from, i })?;
                let end = self.length(s).sub(&self.length(t));
                Ok(IntFormula::and([zero.le(&end), index.eq(&end)]))
            }
            (Op::Core(CoreOp::Eq | CoreOp::Distinct), &[s, t]) if self.terms.sort(s) == Sort::String => {
                let prefix = self.first_index(s, t)?.eq(&zero);
                let (s, t) = (self.string(s)?, self.string(t)?);
                let equal = IntFormula::and([self.length(s).eq(&self.length(t)), prefix]);
                Ok(if op == Op::Core(CoreOp::Eq) { equal } else { equal.negate() })
            }
            (Op::Str(StrOp::Lt | StrOp::Le), &[s, t]) => {
                let (s, t, i) = (self.string(s)?, self.string(t)?, self.graph.result_int());
                let order = self.function(Relation::CompareTo { s, t, i })?;
                Ok(if op == Op::Str(StrOp::Lt) { order.lt(&zero) } else { order.le(&zero) })
            }
            (Op::Str(StrOp::IsDigit), &[s]) => {
                let relation = Relation::ToCode { s: self.string(s)?, c: self.graph.result_int() };
                let code = self.function(relation)?;
                let (low, high) = (Sum::from(0x30_i64), Sum::from(0x39_i64));
                Ok(IntFormula::and([low.le(&code), code.le(&high)]))
            }
            _ => Err(Refusal(format!("{} in a condition", op.name()))),
        }
    }

    pub(super) fn first_index(&mut self, s: TermId, t: TermId) -> Result<Sum, Refusal> {
        let (s, t) = (self.string(s)?, self.string(t)?);
        let (from, i) = (self.graph.constant_int(0_i64), self.graph.result_int());
        self.function(Relation::IndexOf { s, t, from, i })
    }
}

/// Both or neither.
fn same(x: &IntFormula, y: &IntFormula) -> IntFormula {
    IntFormula::and([x.implies(y.clone()), y.implies(x.clone())])
}

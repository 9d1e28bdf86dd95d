//! From a problem to a graph.
//!
//! Assertions are flattened into literals; a literal over strings becomes an edge, and every string or
//! integer function inside becomes an edge with an auxiliary result. Functions are total, so their edges may
//! stand outside the Boolean structure in which they occur. That structure itself must be about integers
//! alone, lengths and results of edges included (`s = ""` counts as `|s| = 0`); what does not fit is refused
//! with its name.
//!
//! Conditions of `ite` may be predicates over strings: each is an equation of integers in disguise (see
//! `Builder::reify`). An `ite` of strings is a substring of the concatenation of both, at a place that
//! depends on the condition.
//!
//! Nothing recurses over terms. Cost: linear in the terms, but for formulas whose sharing is undone up to a
//! small size.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "what has no arm is a relation by the table of relations, is refused by its name, or stays whole"
)]

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use backends_fold::{Evaluator, Failure};
use harness_model::int::Int;
use harness_model::{Alphabet, Regex};
use harness_theory::op::{ArithOp, CoreOp, Op, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId, Terms};
use harness_theory::{Assignment, Value};
use harness_theory::{Problem, lower};

use crate::edge::{Edge, IntVertex, StringVertex, Vertex};
use crate::formula::IntFormula;
use crate::graph::{IntDefinition, StringGraph};
use crate::linear::Sum;
use crate::reasons::Reasons;
use crate::relation::{Arguments, Relation};

/// Why a problem is not a string graph: the operation or the feature that graphs do not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

impl Refusal {
    fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

/// Formulas nested more deeply than this become definitions of their own, so that no formula is deep.
const MAX_DEPTH: usize = 24;
/// Formulas larger than this are not repeated, where an equivalence or a choice names them twice.
const MAX_REPEATED: usize = 12;
/// More parts than this of one concatenation are put together in halves.
const MANY_PARTS: usize = 16;

/// A term without variables.
enum Ground {
    Value(Value),
    Language(Arc<Regex>),
    Failed(Refusal),
}

impl StringGraph {
    /// The graph of a problem over `alphabet`: satisfiable exactly when the problem is, with the same values
    /// for the declared variables, whose order is the problem's. Operations of Java for which there is no
    /// relation are lowered; the fresh variables that describe some of them are declared after the problem's.
    pub fn of_problem(problem: &Problem, alphabet: Alphabet) -> Result<Self, Refusal> {
        if lower::has_other_than(problem, Relation::stands_for) {
            let (lowered, origins) = lower::lower_with_origins(problem, Relation::stands_for);
            return Self::of_assertions(&lowered, &origins, alphabet);
        }
        let origins: Vec<Option<usize>> = (0..problem.assertions.len()).map(Some).collect();
        Self::of_assertions(problem, &origins, alphabet)
    }

    /// The same for a problem of relations alone, each of whose assertions comes from the one at a place of
    /// another problem, or only says what a value is.
    fn of_assertions(
        problem: &Problem,
        origins: &[Option<usize>],
        alphabet: Alphabet,
    ) -> Result<Self, Refusal> {
        let mut graph = Self::new(alphabet);
        let mut vertex_of_variable = HashMap::new();
        for &variable in &problem.variables {
            let declared = &problem.terms.variables()[variable.index()];
            vertex_of_variable.insert(variable.index(), graph.declare(declared.name.as_str(), declared.sort));
        }
        let mut builder = Builder {
            terms: &problem.terms,
            origins,
            graph,
            vertex_of_variable,
            ground: HashMap::new(),
            varies: Vec::new(),
            strings: HashMap::new(),
            sums: HashMap::new(),
            formulas: HashMap::new(),
            conditions: HashSet::new(),
            inside: HashMap::new(),
            absorbed: HashSet::new(),
        };
        builder.graph.hold_because(Reasons::new());
        builder.build(&problem.assertions)?;
        let mut graph = builder.graph;
        // Whatever a user adds may depend on anything.
        let mut all = Reasons::new();
        origins.iter().flatten().for_each(|&assertion| all.insert(assertion));
        graph.hold_because(all);
        Ok(graph)
    }
}

struct Builder<'p> {
    terms: &'p Terms,
    /// By place of the assertion: the number that edges and formulas name it by; `None` where they hold
    /// whatever is asserted.
    origins: &'p [Option<usize>],
    graph: StringGraph,
    vertex_of_variable: HashMap<usize, Option<Vertex>>,
    /// The values of the largest terms without variables.
    ground: HashMap<TermId, Ground>,
    /// By place in the arena: whether a variable is in it.
    varies: Vec<bool>,
    strings: HashMap<TermId, StringVertex>,
    sums: HashMap<TermId, Sum>,
    formulas: HashMap<TermId, Result<IntFormula, Refusal>>,
    /// Boolean terms that a condition of an `ite` is made of.
    conditions: HashSet<TermId>,
    /// Applications of `str.to_code` to a character that is asserted to be inside its string.
    inside: HashMap<TermId, Reasons>,
    /// Applications of `str.at` that only those use.
    absorbed: HashSet<TermId>,
}

/// A Boolean term, whether it holds, and the assertion that says so, if it does not hold anyway.
type Literal = (TermId, bool, Option<usize>);

/// Because of this assertion.
fn because(assertion: Option<usize>) -> Reasons {
    assertion.map(Reasons::of).unwrap_or_default()
}

impl Builder<'_> {
    fn build(&mut self, assertions: &[TermId]) -> Result<(), Refusal> {
        self.find_ground(assertions);
        let literals = self.flatten(assertions)?;
        let roots: Vec<TermId> = literals.iter().map(|(id, ..)| *id).collect();
        let cone = self.terms.cone(&roots);
        self.find_conditions(&cone);
        self.find_inside(&literals, &cone);
        for &id in &cone {
            if !self.varies[id.index()] || self.absorbed.contains(&id) {
                continue;
            }
            match self.terms.sort(id) {
                Sort::String => {
                    let vertex = self.make_string(id)?;
                    self.strings.insert(id, vertex);
                }
                Sort::Int => {
                    let sum = self.make_sum(id)?;
                    self.sums.insert(id, sum);
                }
                Sort::Bool => {
                    let formula = self.make_formula(id);
                    self.formulas.insert(id, formula);
                }
                Sort::RegLan => {}
            }
        }
        literals.into_iter().try_for_each(|literal| self.assert_literal(literal))
    }

    /// Evaluates the largest terms without variables.
    fn find_ground(&mut self, assertions: &[TermId]) {
        let cone = self.terms.cone(assertions);
        self.varies = vec![false; self.terms.len()];
        let mut roots: Vec<TermId> = Vec::new();
        for &id in &cone {
            let arguments = self.terms.arguments(id);
            self.varies[id.index()] = matches!(self.terms.get(id), Term::Var(_))
                || arguments.iter().any(|a| self.varies[a.index()]);
            if self.varies[id.index()] {
                roots.extend(arguments.iter().filter(|a| !self.varies[a.index()]));
            }
        }
        roots.extend(assertions.iter().filter(|a| !self.varies[a.index()]));
        roots.sort_unstable();
        roots.dedup();
        let mut evaluator = Evaluator::new(self.terms, &roots, self.graph.alphabet());
        // Without variables nothing is loaded, so only single roots can fail.
        let ran = evaluator.run(&Assignment::new());
        for (i, &root) in roots.iter().enumerate() {
            let refuse = |error: Failure| {
                Ground::Failed(Refusal(match error {
                    Failure::DivisionByZero => "division by zero".to_owned(),
                    Failure::LanguageEquality => "= of regular languages".to_owned(),
                    other => other.to_string(),
                }))
            };
            let value = match (&ran, self.terms.sort(root)) {
                (Err(error), _) => refuse(error.clone()),
                (Ok(()), Sort::RegLan) => match evaluator.language(i) {
                    Ok(language) => Ground::Language(language.unwrap_or_else(|| Arc::new(Regex::Empty))),
                    Err(error) => refuse(error),
                },
                (Ok(()), _) => match evaluator.value(i) {
                    Ok(Some(value)) => Ground::Value(value),
                    Ok(None) => Ground::Failed(Refusal::new("a regular language as a value")),
                    Err(error) => refuse(error),
                },
            };
            self.ground.insert(root, value);
        }
    }

    /// The truth value of a Boolean term without variables.
    fn truth(&self, id: TermId) -> Result<Option<bool>, Refusal> {
        match self.ground.get(&id) {
            None => Ok(None),
            Some(Ground::Value(Value::Bool(b))) => Ok(Some(*b)),
            Some(Ground::Failed(refusal)) => Err(refusal.clone()),
            Some(_) => Err(Refusal::new("a term of another sort as a condition")),
        }
    }

    /// The literals whose conjunction the assertions are.
    fn flatten(&mut self, assertions: &[TermId]) -> Result<Vec<Literal>, Refusal> {
        let mut literals = Vec::new();
        let mut seen = HashSet::new();
        let mut todo: Vec<Literal> =
            assertions.iter().zip(self.origins).rev().map(|(&a, &origin)| (a, true, origin)).collect();
        while let Some((id, positive, source)) = todo.pop() {
            if !seen.insert((id, positive)) {
                continue;
            }
            if let Some(truth) = self.truth(id)? {
                if truth != positive {
                    self.refute(source);
                }
                continue;
            }
            let arguments = self.terms.arguments(id);
            // What the literal says as a conjunction or as a disjunction of others.
            let (parts, all): (Vec<(TermId, bool)>, bool) = match self.terms.get(id) {
                Term::App(Op::Core(CoreOp::Not), _) => (vec![(arguments[0], !positive)], true),
                Term::App(Op::Core(CoreOp::And), _) => {
                    (arguments.iter().map(|&a| (a, positive)).collect(), positive)
                }
                Term::App(Op::Core(CoreOp::Or), _) => {
                    (arguments.iter().map(|&a| (a, positive)).collect(), !positive)
                }
                Term::App(Op::Core(CoreOp::Implies), _) => {
                    let last = arguments.len() - 1;
                    let part = |(i, &a): (usize, &TermId)| (a, (i == last) == positive);
                    (arguments.iter().enumerate().map(part).collect(), !positive)
                }
                Term::App(Op::Core(CoreOp::Eq), _)
                    if arguments.len() == 2 && self.terms.sort(arguments[0]) == Sort::Bool =>
                {
                    match (self.truth(arguments[0])?, self.truth(arguments[1])?) {
                        (Some(truth), _) => (vec![(arguments[1], truth == positive)], true),
                        (_, Some(truth)) => (vec![(arguments[0], truth == positive)], true),
                        _ => (vec![(id, positive)], true),
                    }
                }
                Term::App(Op::Core(CoreOp::Ite), _) => match self.truth(arguments[0])? {
                    Some(truth) => (vec![(arguments[if truth { 1 } else { 2 }], positive)], true),
                    None => (vec![(id, positive)], true),
                },
                _ => (vec![(id, positive)], true),
            };
            if parts == [(id, positive)] {
                literals.push((id, positive, source));
            } else if all {
                todo.extend(parts.into_iter().rev().map(|(part, wanted)| (part, wanted, source)));
            } else {
                let mut open = Vec::new();
                let mut holds = false;
                for (part, wanted) in parts {
                    match self.truth(part)? {
                        Some(truth) => holds |= truth == wanted,
                        None => open.push((part, wanted)),
                    }
                }
                match open.as_slice() {
                    _ if holds => {}
                    [] => self.refute(source),
                    [(part, wanted)] => todo.push((*part, *wanted, source)),
                    _ => literals.push((id, positive, source)),
                }
            }
        }
        Ok(literals)
    }

    /// The assertion is false.
    fn refute(&mut self, assertion: Option<usize>) {
        self.graph.hold_because(because(assertion));
        self.graph.add_formula(IntFormula::Bool(false));
        self.graph.hold_because(Reasons::new());
    }

    /// Marks what the conditions of `ite`s are made of.
    fn find_conditions(&mut self, cone: &[TermId]) {
        let mut todo: Vec<TermId> = Vec::new();
        for &id in cone {
            if let Term::App(Op::Core(CoreOp::Ite), arguments) = self.terms.get(id) {
                todo.push(arguments[0]);
            }
        }
        while let Some(id) = todo.pop() {
            if self.conditions.insert(id) {
                let parts = self.terms.arguments(id).iter().copied();
                todo.extend(parts.filter(|&a| self.terms.sort(a) == Sort::Bool));
            }
        }
    }

    /// Finds the characters that are asserted to be inside their strings, as Java's `charAt` is read.
    fn find_inside(&mut self, literals: &[Literal], cone: &[TermId]) {
        let mut not_negative = HashMap::new();
        let mut below_length = HashMap::new();
        for &(id, positive, source) in literals {
            let Term::App(op @ Op::Arith(ArithOp::Le | ArithOp::Lt | ArithOp::Ge | ArithOp::Gt), arguments) =
                self.terms.get(id)
            else {
                continue;
            };
            if !positive {
                continue;
            }
            for pair in arguments.windows(2) {
                let (low, high) = if matches!(op, Op::Arith(ArithOp::Le | ArithOp::Lt)) {
                    (pair[0], pair[1])
                } else {
                    (pair[1], pair[0])
                };
                if self.number(low).is_some_and(|n| !n.is_negative()) {
                    not_negative.entry(high).or_insert(source);
                }
                if let (Op::Arith(ArithOp::Lt | ArithOp::Gt), Term::App(Op::Str(StrOp::Len), s)) =
                    (op, self.terms.get(high))
                {
                    below_length.entry((low, s[0])).or_insert(source);
                }
            }
        }
        let mut other_uses = HashSet::new();
        for &id in cone {
            let arguments = self.terms.arguments(id);
            if let Term::App(Op::Str(StrOp::ToCode), _) = self.terms.get(id)
                && let Term::App(Op::Str(StrOp::At), at) = self.terms.get(arguments[0])
                && let Some(&below) = below_length.get(&(at[1], at[0]))
                && let low = not_negative.get(&at[1])
                && (low.is_some() || self.number(at[1]).is_some_and(|n| !n.is_negative()))
            {
                let mut sources = because(below);
                low.into_iter().flatten().for_each(|&low| sources.insert(low));
                self.inside.insert(id, sources);
                self.absorbed.insert(arguments[0]);
            } else {
                other_uses.extend(arguments.iter().copied());
            }
        }
        self.absorbed.retain(|at| !other_uses.contains(at));
    }

    fn number(&self, id: TermId) -> Option<&Int> {
        match self.ground.get(&id) {
            Some(Ground::Value(Value::Int(i))) => Some(i),
            _ => None,
        }
    }

    /// The vertex of a string term whose arguments are made.
    fn string(&mut self, id: TermId) -> Result<StringVertex, Refusal> {
        match self.ground.get(&id) {
            Some(Ground::Value(Value::String(word))) => Ok(self.graph.constant(word.clone())),
            Some(Ground::Failed(refusal)) => Err(refusal.clone()),
            _ => self.strings.get(&id).copied().ok_or_else(|| Refusal::new("a string term out of order")),
        }
    }

    /// The sum of an integer term whose arguments are made.
    fn sum(&self, id: TermId) -> Result<Sum, Refusal> {
        match self.ground.get(&id) {
            Some(Ground::Value(Value::Int(i))) => Ok(Sum::from(i.clone())),
            Some(Ground::Failed(refusal)) => Err(refusal.clone()),
            _ => self.sums.get(&id).cloned().ok_or_else(|| Refusal::new("an integer term out of order")),
        }
    }

    fn int(&mut self, id: TermId) -> Result<IntVertex, Refusal> {
        let sum = self.sum(id)?;
        Ok(self.graph.int_of(&sum))
    }

    fn formula(&self, id: TermId) -> Result<IntFormula, Refusal> {
        if let Some(truth) = self.truth(id)? {
            return Ok(IntFormula::Bool(truth));
        }
        self.formulas.get(&id).cloned().unwrap_or_else(|| Err(Refusal::new("a Boolean term out of order")))
    }

    fn language(&self, op: Op, id: TermId) -> Result<Arc<Regex>, Refusal> {
        match self.ground.get(&id) {
            Some(Ground::Language(regex)) => Ok(Arc::clone(regex)),
            Some(Ground::Failed(refusal)) => Err(refusal.clone()),
            _ => Err(Refusal(format!("{} with a regular language that depends on a variable", op.name()))),
        }
    }

    fn length(&mut self, vertex: StringVertex) -> Sum {
        let length = self.graph.length(vertex);
        self.graph.sum_of(length)
    }

    fn concat(&mut self, a: StringVertex, b: StringVertex) -> StringVertex {
        let r = self.graph.auxiliary();
        self.graph.add_edge(Edge::positive(Relation::Concat { a, b, r }));
        r
    }

    /// Many vertices one after the other, put together in halves. From the left, the words on the way, which
    /// are all kept where they are constants, would need quadratic space: a gigabyte for 2,000 words of 120
    /// characters.
    fn halves(&mut self, parts: &[StringVertex]) -> StringVertex {
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

    fn make_string(&mut self, id: TermId) -> Result<StringVertex, Refusal> {
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
    fn relation(&mut self, op: Op, arguments: &[TermId]) -> Result<Option<Relation>, Refusal> {
        Relation::of_application(op, &mut Application { builder: self, op, left: arguments.iter() })
    }

    /// `ite(c, x, y)` is the part of `x y` that starts at 0 and has `|x|` characters if `c`, else starts at
    /// `|x|` and has `|y|`.
    fn choice_of_strings(&mut self, arguments: &[TermId]) -> Result<StringVertex, Refusal> {
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

    fn make_sum(&mut self, id: TermId) -> Result<Sum, Refusal> {
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
                    match (product.value(), factor.value()) {
                        (_, Some(value)) => Ok(product.times(value)),
                        (Some(value), _) => Ok(factor.times(value)),
                        _ => Err(Refusal::new("* of two terms that are not constant")),
                    }
                });
            }
            Op::Arith(ArithOp::Div | ArithOp::Mod) => {
                let mut sum = self.sum(a[0])?;
                for &b in &a[1..] {
                    let divisor = self.sum(b)?;
                    let Some(divisor) = divisor.value().filter(|d| **d != Int::ZERO) else {
                        return Err(Refusal(format!("{} by a term that is not a constant", op.name())));
                    };
                    let quotient =
                        self.graph.defined_int(IntDefinition::Quotient(sum.clone(), divisor.clone()));
                    let quotient = Sum::from(quotient);
                    sum = if op == Op::Arith(ArithOp::Div) {
                        quotient
                    } else {
                        sum.sub(&quotient.times(divisor))
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
    fn function(&mut self, relation: Relation) -> Result<Sum, Refusal> {
        let result = relation.result();
        let name = relation.full_name();
        self.graph.add_edge(Edge::positive(relation));
        match result {
            Some(Vertex::Int(i)) => Ok(Sum::from(i)),
            _ => Err(Refusal::new(name)),
        }
    }

    fn choice(&mut self, condition: IntFormula, yes: Sum, no: Sum) -> Sum {
        match condition {
            IntFormula::Bool(true) => yes,
            IntFormula::Bool(false) => no,
            _ if yes == no => yes,
            condition => Sum::from(self.graph.defined_int(IntDefinition::Choice(condition, yes, no))),
        }
    }

    /// The formula itself, or the truth of a 0-1 vertex that is defined by it.
    fn named(&mut self, formula: IntFormula) -> IntFormula {
        let one = Sum::from(1_i64);
        self.choice(formula, one.clone(), Sum::from(0_i64)).eq(&one)
    }

    fn make_formula(&mut self, id: TermId) -> Result<IntFormula, Refusal> {
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
    fn emptiness(&self, sides: &[TermId]) -> Option<TermId> {
        let is_empty = |id: &TermId| matches!(self.ground.get(id), Some(Ground::Value(Value::String(word))) if word.is_empty());
        match sides {
            [x, y] if is_empty(x) => Some(*y),
            [x, y] if is_empty(y) => Some(*x),
            _ => None,
        }
    }

    fn all_formulas(&self, ids: &[TermId]) -> Result<Vec<IntFormula>, Refusal> {
        ids.iter().map(|&id| self.formula(id)).collect()
    }

    /// Formulas that are small enough to be repeated.
    fn repeatable(&mut self, ids: &[TermId]) -> Result<Vec<IntFormula>, Refusal> {
        let formulas = self.all_formulas(ids)?;
        let small = |this: &mut Self, f: IntFormula| if f.size() > MAX_REPEATED { this.named(f) } else { f };
        Ok(formulas.into_iter().map(|f| small(self, f)).collect())
    }

    /// A predicate over strings as an equation of integers, by an edge for a function: `t` occurs in `s` when
    /// its first index is not -1, is a prefix when that index is 0, a suffix when its last index is
    /// `|s|-|t|`; words are equal when they are equally long and one is a prefix of the other; the order is
    /// the sign of `compareTo`.
    fn reify(&mut self, op: Op, a: &[TermId]) -> Result<IntFormula, Refusal> {
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

    fn first_index(&mut self, s: TermId, t: TermId) -> Result<Sum, Refusal> {
        let (s, t) = (self.string(s)?, self.string(t)?);
        let (from, i) = (self.graph.constant_int(0_i64), self.graph.result_int());
        self.function(Relation::IndexOf { s, t, from, i })
    }

    fn assert_literal(&mut self, (id, positive, source): Literal) -> Result<(), Refusal> {
        self.graph.hold_because(because(source));
        let asserted = self.assert_alone(id, positive);
        self.graph.hold_because(Reasons::new());
        asserted
    }

    fn assert_alone(&mut self, id: TermId, positive: bool) -> Result<(), Refusal> {
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
    fn assert_chain(&mut self, op: Op, a: &[TermId], positive: bool) -> Result<(), Refusal> {
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

    fn assert_formula(&mut self, id: TermId, positive: bool) -> Result<(), Refusal> {
        let formula = self.formula(id)?;
        self.graph.add_formula(if positive { formula } else { formula.negate() });
        Ok(())
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

/// Both or neither.
fn same(x: &IntFormula, y: &IntFormula) -> IntFormula {
    IntFormula::and([x.implies(y.clone()), y.implies(x.clone())])
}

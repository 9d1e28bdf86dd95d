//! The forms in which an operation is applied, made from its row: what a strategy can be asked to do with it.
//!
//! In a form each argument is a variable or a literal, in every combination; an argument that is a truth
//! value is a variable or a comparison of strings, and one that is a language is finite or has a loop. An
//! operation with any number of arguments has two. A form that is a constant, for all its arguments are
//! literals, stands only where there is no other. The table of what strategies do with operations and the
//! tests that hold it are made from the same forms.

use std::sync::Arc;

use crate::op::{CoreOp, Op, ReOp, Shape, StrOp};
use crate::problem::Problem;
use crate::sort::Sort;
use crate::term::{Term, TermId, Terms, VarId};

/// The integers that stand for a literal, the first that the operation takes.
const INTEGERS: [i64; 2] = [1, 2];
/// The strings that stand for a literal, the first that the operation takes.
const STRINGS: [&str; 3] = ["a", "HALF_UP", "12.50"];

/// One application of an operation.
#[derive(Clone, Debug)]
pub struct Form {
    /// Where it lives.
    pub terms: Terms,
    /// The application.
    pub application: TermId,
    /// The variables in it.
    pub variables: Vec<VarId>,
}

/// What an argument may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Argument {
    Variable(Sort),
    Literal(Sort),
    /// An equation of a string variable with a literal.
    Comparison,
    /// The language of one word.
    Finite,
    /// One that has a loop.
    Loop,
}

impl Form {
    /// Every form of an operation.
    pub fn of(op: Op) -> Vec<Self> {
        // Indices that leave something to do.
        let mut index = 1;
        let op = op.with_indices(|| {
            index += 1;
            index
        });
        let all: Vec<Vec<Argument>> = sorts(op).into_iter().flat_map(combinations).collect();
        let constant = |arguments: &[Argument]| {
            let literals = arguments.iter().all(|a| matches!(a, Argument::Literal(_)));
            literals && op.result() != Some(Sort::RegLan)
        };
        let (constants, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|form| constant(form));
        let made = |forms: Vec<Vec<Argument>>| -> Vec<Self> {
            forms.iter().filter_map(|arguments| Self::new(op, arguments)).collect()
        };
        match made(others) {
            none if none.is_empty() => made(constants),
            forms => forms,
        }
    }

    /// `None` where the operation takes no literal of ours at a place where it wants one.
    fn new(op: Op, arguments: &[Argument]) -> Option<Self> {
        let mut terms = Terms::new();
        let mut variables = Vec::new();
        // The choices for each argument.
        let choices: Vec<Vec<TermId>> = arguments
            .iter()
            .map(|&argument| argument.terms(&mut terms, &mut variables))
            .collect::<Option<_>>()?;
        let application = tuples(&choices).into_iter().find_map(|tuple| terms.app(op, &tuple).ok())?;
        Some(Self { terms, application, variables })
    }

    /// The problems that say something of the application: that it has a value, which a variable stands for;
    /// that it is true, and for a predicate that it is not; that a word is in the language, and that it is
    /// not.
    pub fn problems(&self) -> Vec<Problem> {
        let mut terms = self.terms.clone();
        let mut variables = self.variables.clone();
        let claim = match terms.sort(self.application) {
            Sort::Bool => Some(self.application),
            sort @ (Sort::Int | Sort::String) => {
                let result = terms.variable("result", sort);
                variables.push(result);
                let result = terms.var(result);
                terms.app(CoreOp::Eq, &[self.application, result]).ok()
            }
            Sort::RegLan => {
                let word = terms.variable("word", Sort::String);
                variables.push(word);
                let word = terms.var(word);
                terms.app(StrOp::InRe, &[word, self.application]).ok()
            }
        };
        let mut claims: Vec<TermId> = claim.into_iter().collect();
        if self.may_be_negated() {
            claims.extend(claim.and_then(|claim| terms.app(CoreOp::Not, &[claim]).ok()));
        }
        let terms = Arc::new(terms);
        let problem = |claim| Problem {
            terms: Arc::clone(&terms),
            variables: variables.clone(),
            assertions: vec![claim],
        };
        claims.into_iter().map(problem).collect()
    }

    /// Whether its negation is about the operation too: so for a predicate and for a language. That of a
    /// connective is about another one, and that of an equation of results is one.
    pub fn may_be_negated(&self) -> bool {
        let connective = matches!(self.terms.get(self.application), Term::App(Op::Core(_), _));
        matches!(self.terms.sort(self.application), Sort::Bool | Sort::RegLan) && !connective
    }
}

/// The sorts of arguments that it may have.
fn sorts(op: Op) -> Vec<Vec<Sort>> {
    let values = [Sort::String, Sort::Int, Sort::Bool];
    match op.shape() {
        Shape::Fixed(sorts) => vec![sorts.to_vec()],
        Shape::AtLeast(least, sorts) => (least..=sorts.len()).map(|count| sorts[..count].to_vec()).collect(),
        Shape::Many(sort) | Shape::Chain(sort) => vec![vec![sort; 2]],
        Shape::Equality => values.map(|sort| vec![sort; 2]).to_vec(),
        Shape::Choice => values.map(|sort| vec![Sort::Bool, sort, sort]).to_vec(),
    }
}

/// What arguments of these sorts may be.
fn combinations(sorts: Vec<Sort>) -> Vec<Vec<Argument>> {
    let choices: Vec<Vec<Argument>> = sorts
        .into_iter()
        .map(|sort| match sort {
            Sort::Int | Sort::String => vec![Argument::Variable(sort), Argument::Literal(sort)],
            Sort::Bool => vec![Argument::Variable(sort), Argument::Comparison],
            Sort::RegLan => vec![Argument::Finite, Argument::Loop],
        })
        .collect();
    tuples(&choices)
}

/// One of each, in every combination, those of the first ones before others.
fn tuples<T: Copy>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
    choices.iter().fold(vec![Vec::new()], |tuples, choices| {
        let longer =
            |tuple: &Vec<T>| choices.iter().map(|&c| [&tuple[..], &[c]].concat()).collect::<Vec<_>>();
        tuples.iter().flat_map(longer).collect()
    })
}

impl Argument {
    /// The terms that it may be, with its variable added to `variables`.
    fn terms(self, terms: &mut Terms, variables: &mut Vec<VarId>) -> Option<Vec<TermId>> {
        let mut variable = |terms: &mut Terms, sort| {
            let variable = terms.variable(format!("v{}", variables.len()), sort);
            variables.push(variable);
            terms.var(variable)
        };
        Some(match self {
            Self::Variable(sort) => vec![variable(terms, sort)],
            Self::Literal(Sort::Int) => INTEGERS.map(|number| terms.int(number)).to_vec(),
            Self::Literal(Sort::String) => STRINGS.map(|word| terms.string(word)).to_vec(),
            Self::Literal(Sort::Bool | Sort::RegLan) => return None,
            Self::Comparison => {
                let sides = [variable(terms, Sort::String), terms.string("a")];
                vec![terms.app(CoreOp::Eq, &sides).ok()?]
            }
            Self::Finite | Self::Loop => {
                let word = terms.string("a");
                let finite = terms.app(ReOp::ToRe, &[word]).ok()?;
                vec![if self == Self::Finite { finite } else { terms.app(ReOp::Star, &[finite]).ok()? }]
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_form() {
        for op in Op::all() {
            let forms = Form::of(op);
            assert!(!forms.is_empty(), "{}", op.name());
            for form in &forms {
                let Term::App(made, _) = form.terms.get(form.application) else {
                    unreachable!("{}", op.name())
                };
                assert_eq!(made.name(), op.name());
                let claims = if form.may_be_negated() { 2 } else { 1 };
                assert_eq!(form.problems().len(), claims, "{}", op.name());
            }
        }
    }

    #[test]
    fn arguments_that_may_be_left_out_are_left_out_in_some_forms() {
        let counts = |op: Op| {
            let forms = Form::of(op);
            let mut counts: Vec<usize> =
                forms.iter().map(|form| form.terms.arguments(form.application).len()).collect();
            counts.dedup();
            counts
        };
        assert_eq!(counts(Op::Java(crate::op::JavaOp::IndexOf)), [2, 3]);
        assert_eq!(counts(Op::Str(StrOp::IndexOf)), [3]);
        // Two scales and a rounding mode are literals in each form.
        assert_eq!(Form::of(Op::Java(crate::op::JavaOp::SetScale)).len(), 1);
    }
}

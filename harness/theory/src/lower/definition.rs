//! How an operation is expressed in SMT-LIB's functions.

use harness_model::Alphabet;

use super::primitive::Primitive;
use crate::op::Op;
use crate::sort::Sort;
use crate::term::{TermId, Terms, VarId};

/// How an operation is expressed in functions that are nearer to SMT-LIB.
#[derive(Clone, Copy, Debug)]
pub enum Definition {
    /// By a term over its arguments. It may hold Java's operations that are primitive, with all their
    /// arguments.
    Term(fn(&mut Maker<'_>, &[TermId]) -> TermId),
    /// It is a primitive, which is described by constraints: see [`Primitive::describe`].
    Constraints(Primitive),
}

/// Makes the terms of a definition.
#[derive(Debug)]
pub struct Maker<'t> {
    /// Where they are made.
    pub terms: &'t mut Terms,
    /// Of the strings. It decides what a code above U+FFFF stands for.
    pub alphabet: Alphabet,
}

impl Maker<'_> {
    /// `op` applied to `arguments`.
    #[expect(clippy::expect_used, reason = "a definition of the wrong sort is a defect")]
    pub fn app(&mut self, op: impl Into<Op>, arguments: &[TermId]) -> TermId {
        self.terms.app(op, arguments).expect("the terms of a definition are well-sorted")
    }
}

/// Makes the terms of a definition by constraints.
#[derive(Debug)]
pub struct FreshMaker<'t> {
    /// Makes terms without fresh variables.
    pub maker: Maker<'t>,
    /// The fresh variables.
    pub variables: Vec<VarId>,
    /// What holds of them.
    pub constraints: Vec<TermId>,
}

impl<'t> FreshMaker<'t> {
    /// Makes terms in this arena, of strings over `alphabet`.
    pub const fn new(terms: &'t mut Terms, alphabet: Alphabet) -> Self {
        Self { maker: Maker { terms, alphabet }, variables: Vec::new(), constraints: Vec::new() }
    }

    /// `op` applied to `arguments`.
    pub fn app(&mut self, op: impl Into<Op>, arguments: &[TermId]) -> TermId {
        self.maker.app(op, arguments)
    }

    /// A fresh variable, named `java!N`.
    pub fn fresh(&mut self, sort: Sort) -> TermId {
        let terms = &mut *self.maker.terms;
        let mut number = terms.variables().len();
        let name = loop {
            let name = format!("java!{number}");
            if terms.variables().iter().all(|variable| variable.name != name) {
                break name;
            }
            number += 1;
        };
        let variable = terms.variable(name, sort);
        self.variables.push(variable);
        terms.var(variable)
    }
}

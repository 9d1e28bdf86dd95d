//! `forall`: what an assertion says of everything; `exists`: what it says of something.

use std::rc::Rc;

use harness_theory::Sort;
use harness_theory::op::{CoreOp, Op};
use harness_theory::term::{Term, VarId};

use super::{Frame, Head, Meaning, Scope, TermReader};
use crate::ReadError;
use crate::functions::{Function, Kind as FunctionKind, Macro, Quantified, Typed};
use crate::lex::Kind;
use crate::sorts::{Foreign, ScriptSort, SortNames};

const FORALL: &str = "'forall' is supported as a whole assertion, over one variable of an infinite sort that \
                      arrays are read at or functions are applied to";

impl<'a> TermReader<'_, 'a> {
    /// Begins `(forall ((x SORT)) BODY)`.
    pub(super) fn open_quantifier(&mut self, at: usize, stack: &mut Vec<Frame<'a>>) -> Result<(), ReadError> {
        let tokens = self.tokens;
        let parts: Vec<usize> = tokens.elements(at).skip(1).collect();
        let &[list, body] = parts.as_slice() else {
            return Err(tokens.error(at, "'forall' takes variables and one body"));
        };
        let variables: Vec<usize> = tokens.elements(list).collect();
        if let Some(&other) = variables.iter().find(|&&variable| tokens.kind(variable) != Kind::Open) {
            return Err(tokens.error(other, "a variable is a name and a sort, in parentheses"));
        }
        let &[one] = variables.as_slice() else {
            let message = "'forall' takes variables in parentheses; several in one are not supported";
            return Err(tokens.unsupported(list, message));
        };
        let parts: Vec<usize> = tokens.elements(one).collect();
        let &[name_at, sort_at] = parts.as_slice() else {
            return Err(tokens.error(one, "a variable is a name and a sort, in parentheses"));
        };
        let (name, sort) = (tokens.text(name_at)?, self.sort(sort_at)?);
        let variable = self.terms.variable(name, SortNames::in_problem(sort));
        let term = self.terms.var(variable);
        if ["true", "false"].contains(&name) {
            return Err(tokens.error(name_at, format!("'{name}' may not be a variable")));
        }
        self.scope.bind(name, Meaning::Term(Typed { term, sort }));
        self.scope.bound.push(variable);
        let whole = self.asserting && stack.iter().all(|frame| matches!(frame, Frame::Bang { .. }));
        stack.push(Frame::Quantifier { at, whole, name, variable, sort });
        self.descend(body, stack)
    }

    /// Begins `(exists ((x SORT) …) BODY)`: where it is asserted, under nothing but `and`, `or` and `let`, its
    /// variables are constants that the script does not name. Elsewhere it would be what is said of everything.
    pub(super) fn open_exists(&mut self, at: usize, stack: &mut Vec<Frame<'a>>) -> Result<(), ReadError> {
        let tokens = self.tokens;
        let parts: Vec<usize> = tokens.elements(at).skip(1).collect();
        let &[list, body] = parts.as_slice() else {
            return Err(tokens.error(at, "'exists' takes variables and one body"));
        };
        let asserted = |frame: &Frame<'_>| match frame {
            Frame::Bang { .. } | Frame::Body { .. } | Frame::Exists { .. } => true,
            Frame::App { head: Head::Op(spelling), .. } => {
                matches!(spelling.op, Op::Core(CoreOp::And | CoreOp::Or))
            }
            Frame::App { .. } | Frame::Let { .. } | Frame::Done(_) | Frame::Quantifier { .. } => false,
        };
        if !self.asserting || !stack.iter().all(asserted) {
            let message = "'exists' is supported in an assertion, under nothing but 'and', 'or' and 'let'";
            return Err(tokens.unsupported(at, message));
        }
        let variables: Vec<usize> = tokens.elements(list).collect();
        if tokens.kind(list) != Kind::Open || variables.is_empty() {
            return Err(
                tokens.error(list, "'exists' takes variables, each a name and a sort, in parentheses")
            );
        }
        let mut named = Vec::with_capacity(variables.len());
        for variable in variables {
            let parts: Vec<usize> = tokens.elements(variable).collect();
            let (Kind::Open, &[name_at, sort_at]) = (tokens.kind(variable), parts.as_slice()) else {
                return Err(tokens.error(variable, "a variable is a name and a sort, in parentheses"));
            };
            let (name, result) = (tokens.text(name_at)?, self.sort(sort_at)?);
            if ["true", "false"].contains(&name) {
                return Err(tokens.error(name_at, format!("'{name}' may not be a variable")));
            }
            let function = Function {
                name: name.to_owned(),
                parameters: Vec::new(),
                result,
                kind: FunctionKind::Declared,
            };
            let Scope { sorts, functions, .. } = &mut *self.scope;
            let function = functions.declare(function);
            named.push((name, functions.apply(tokens, self.terms, sorts, function, &[], variable)));
        }
        let names = named.iter().map(|(name, _)| *name).collect();
        for (name, constant) in named {
            self.scope.bind(name, Meaning::Term(constant));
            if let Term::Var(variable) = *self.terms.get(constant.term) {
                self.scope.bound.push(variable);
            }
        }
        self.existential = true;
        stack.push(Frame::Exists { names });
        self.descend(body, stack)
    }

    /// `forall` whose body is read. It says something where it is all that an assertion says and its variable
    /// is only what arrays are read at, or functions are applied to: then what it says of the places that the
    /// script mentions, and of one more, is all that it says.
    pub(super) fn quantifier(
        &mut self,
        at: usize,
        whole: bool,
        variable: VarId,
        sort: ScriptSort,
        body: Typed,
    ) -> Result<Typed, ReadError> {
        let bool = ScriptSort::Plain(Sort::Bool);
        if body.sort != bool {
            let found = self.scope.sorts.name(body.sort);
            return Err(self
                .tokens
                .error(at, format!("the body of 'forall' must be of sort Bool, not {found}")));
        }
        let infinite = match sort {
            ScriptSort::Plain(sort) => matches!(sort, Sort::Int | Sort::String),
            ScriptSort::Foreign(place) => match self.scope.sorts.get(place) {
                Foreign::Declared(..) => true,
                Foreign::Array { .. }
                | Foreign::BitVec(_)
                | Foreign::Float { .. }
                | Foreign::RoundingMode
                | Foreign::Hole(_) => false,
            },
        };
        let cone = self.scope.functions.cone(self.terms, &[body.term]);
        let definition = Macro { parameters: vec![variable], sorts: vec![sort], body, cone };
        let places = self.scope.functions.places(self.terms, &definition);
        match places {
            Some(places) if whole && infinite => {
                self.quantified = Some(Quantified { definition: Rc::new(definition), places, at });
                Ok(Typed { term: self.terms.bool(true), sort: bool })
            }
            Some(_) | None => Ok(self.missing_quantifier(at)),
        }
    }

    /// A quantifier that says nothing here.
    pub(super) fn missing_quantifier(&mut self, at: usize) -> Typed {
        let Scope { sorts, functions, .. } = &mut *self.scope;
        let function = functions.missing("forall", FORALL, Vec::new(), Sort::Bool.into());
        functions.apply(self.tokens, self.terms, sorts, function, &[], at)
    }
}

//! Models in and out, in the form that SMT solvers print them.
//!
//! In: `(model …)` or a plain list of `(define-fun x () Sort value)`, or what `get-value` prints, `((x value) …)`, of which
//! pairs of a variable and a value count; what stands before it (a verdict, say) skipped. A value may be any ground term: it is evaluated. A value that cannot be evaluated, or that needs a construct that is not
//! supported, makes the model unvalidated, not wrong. Definitions of names that the problem does not have are ignored;
//! variables without a definition may have any value.

use std::fmt::Write;

use harness_model::Alphabet;
use harness_model::eval::{Assignment, EvalError, Evaluator, Value};
use harness_model::sort::Sort;
use harness_model::term::{Term, Terms, VarId};

use crate::dialect::Strings;
use crate::lex::{Kind, Tokens};
use crate::print;
use crate::script::Problem;
use crate::terms::{Scope, TermReader};
use crate::{ErrorKind, ReadError};

/// What a model says of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelVerdict {
    /// Every assertion is true.
    Holds,
    /// This assertion (from 0) is false.
    Fails(usize),
    /// This assertion (from 0) is false where the variable, which the model gives no value, has the default of its sort. It
    /// need not be the value that was meant.
    Open(usize, VarId),
    /// It cannot be told, and why.
    Unvalidated(String),
}

/// Reads a model of `problem`. `Err` when the text is not a model; `Ok(Err(why))` when a value cannot be understood.
pub fn read(
    text: &[u8],
    problem: &Problem,
    alphabet: Alphabet,
) -> Result<Result<Assignment, String>, ReadError> {
    let tokens = Tokens::read(text, false)?;
    let mut definitions = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        collect(&tokens, at, &mut definitions)?;
        at = tokens.after(at);
    }
    let mut assignment = Assignment::new();
    for definition in definitions {
        let parts: Vec<usize> = tokens.elements(definition).collect();
        let (name_at, value_at) = match parts.as_slice() {
            [_, name_at, parameters, _, value_at] => {
                if tokens.elements(*parameters).next().is_some() {
                    continue;
                }
                (name_at, value_at)
            }
            [name_at, value_at] => (name_at, value_at),
            _ => return Err(tokens.error(definition, "a definition is (define-fun name () Sort value)")),
        };
        let name = tokens.text(*name_at)?;
        let Some(variable) = variable(problem, name) else { continue };
        let mut terms = Terms::new();
        let mut scope = Scope::default();
        let strings = Strings::Unicode;
        let mut reader = TermReader {
            tokens: &tokens,
            strings,
            terms: &mut terms,
            scope: &mut scope,
            named: Vec::new(),
            conditions: Vec::new(),
        };
        let term = match reader.term(*value_at) {
            Ok(term) => term,
            Err(error) if error.kind == ErrorKind::Unsupported || tokens.kind(*value_at) == Kind::Open => {
                return Ok(Err(format!("the value of '{name}' cannot be evaluated: {error}")));
            }
            Err(error) => return Err(error),
        };
        let wanted = problem.terms.variables()[variable.index()].sort;
        if terms.sort(term) != wanted {
            let found = terms.sort(term);
            return Err(tokens
                .error(*value_at, format!("the value of '{name}' must be of sort {wanted}, not {found}")));
        }
        if wanted == Sort::RegLan {
            return Ok(Err(format!("'{name}' is of sort RegLan, which is not evaluated")));
        }
        let mut evaluator = Evaluator::new(&terms, &[term], alphabet);
        match evaluator.run(&Assignment::new()).and_then(|()| evaluator.value(0)) {
            Ok(Some(value)) => assignment.insert(variable, value),
            Ok(None) => return Ok(Err(format!("the value of '{name}' is not a literal"))),
            Err(error) => return Ok(Err(format!("the value of '{name}' cannot be evaluated: {error}"))),
        };
    }
    Ok(Ok(assignment))
}

fn variable(problem: &Problem, name: &str) -> Option<VarId> {
    problem.variables.iter().copied().find(|v| problem.terms.variables()[v.index()].name == name)
}

/// Adds the definitions in the list at `at`, in `(model …)` or in plain parentheses, and values in the latter.
fn collect(tokens: &Tokens<'_>, at: usize, definitions: &mut Vec<usize>) -> Result<(), ReadError> {
    match (tokens.kind(at), tokens.kind(at + 1), tokens.bytes(at + 1)) {
        (Kind::Open, Kind::Symbol, b"define-fun") => definitions.push(at),
        (Kind::Open, Kind::Symbol, b"error") => {
            return Err(tokens.error(at, "this is an error message, not a model"));
        }
        (Kind::Open, Kind::Symbol, b"model") | (Kind::Open, Kind::Open | Kind::Close, _) => {
            for element in tokens.elements(at) {
                if tokens.kind(element) != Kind::Open {
                    continue;
                }
                let of_variable = tokens.kind(element + 1) == Kind::Symbol;
                if tokens.bytes(element + 1) == b"define-fun"
                    || of_variable && tokens.elements(element).count() == 2
                {
                    definitions.push(element);
                }
            }
        }
        // A verdict before the model, or another definition that does not concern strings.
        _ => {}
    }
    Ok(())
}

/// Evaluates every assertion of `problem` under `assignment`. One that is false whatever the variables without a value are is
/// looked for first.
pub fn check(problem: &Problem, assignment: &Assignment, alphabet: Alphabet) -> ModelVerdict {
    let mut evaluator = Evaluator::new(&problem.terms, &problem.assertions, alphabet);
    if let Err(error) = evaluator.run(assignment) {
        return match error {
            EvalError::Foreign { .. } | EvalError::Sort { .. } => {
                ModelVerdict::Unvalidated(error.to_string())
            }
            other => ModelVerdict::Unvalidated(other.to_string()),
        };
    }
    let (mut unknown, mut open) = (None, None);
    for assertion in 0..problem.assertions.len() {
        match evaluator.bool(assertion) {
            Ok(true) => {}
            Ok(false) => match unassigned(problem, assertion, assignment) {
                None => return ModelVerdict::Fails(assertion),
                Some(variable) => open = open.or(Some(ModelVerdict::Open(assertion, variable))),
            },
            Err(error) => unknown = Some(error.to_string()),
        }
    }
    open.unwrap_or_else(|| unknown.map_or(ModelVerdict::Holds, ModelVerdict::Unvalidated))
}

/// A variable of an assertion that has no value.
fn unassigned(problem: &Problem, assertion: usize, assignment: &Assignment) -> Option<VarId> {
    if problem.variables.iter().all(|variable| assignment.contains_key(variable)) {
        return None;
    }
    let cone = problem.terms.cone(&problem.assertions[assertion..=assertion]);
    cone.iter().find_map(|&id| match problem.terms.get(id) {
        Term::Var(variable) if !assignment.contains_key(variable) => Some(*variable),
        _ => None,
    })
}

/// A model as text, one definition a line, every variable of the problem that has a value.
pub fn text(problem: &Problem, assignment: &Assignment) -> String {
    let mut out = String::from("(\n");
    for &v in &problem.variables {
        let variable = &problem.terms.variables()[v.index()];
        let value = assignment.get(&v).cloned().or_else(|| Value::default_of(variable.sort));
        if let Some(value) = value {
            let (name, value) = (print::symbol(&variable.name), print::value(&value));
            let _ = writeln!(out, "  (define-fun {name} () {} {value})", variable.sort);
        }
    }
    out.push_str(")\n");
    out
}

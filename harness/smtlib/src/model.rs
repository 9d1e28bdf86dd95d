//! Models in and out, in the form that SMT solvers print them.
//!
//! In: `(model …)` or a plain list of `(define-fun x () Sort value)`, or what `get-value` prints, `((x value)
//! …)`, of which pairs of a variable and a value count; what stands before it (a verdict, say) skipped. A
//! value may be any ground term; one that needs a construct that is not supported makes the model
//! unvalidated, not wrong. Definitions of names that the problem does not have are ignored; variables without
//! a definition may have any value.

use std::fmt::Write;

use harness_model::Alphabet;
use harness_theory::{Assignment, ModelTerms, Problem, Sort, Value, VarId};

use crate::dialect::Strings;
use crate::lex::{Kind, Tokens};
use crate::print;
use crate::sorts::ScriptSort;
use crate::terms::{Scope, TermReader};
use crate::{ErrorKind, ReadError};

/// Reads a model of `problem`, whose strings are over `alphabet`. `Err` when the text is not a model, or
/// gives a variable two different values; `Ok(Err(why))` when a value cannot be understood.
pub fn read(
    text: &[u8],
    problem: &Problem,
    alphabet: Alphabet,
) -> Result<Result<ModelTerms, String>, ReadError> {
    let tokens = Tokens::read(text, false)?;
    // A value with a character that the alphabet does not have is read, so that it can be found wrong.
    let alphabet = if alphabet == Alphabet::Utf16 { alphabet } else { Alphabet::Unicode };
    let mut definitions = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        collect(&tokens, at, &mut definitions)?;
        at = tokens.after(at);
    }
    let mut model = ModelTerms::default();
    // Functions with parameters that it defines.
    let mut tables: Vec<&str> = Vec::new();
    for definition in definitions {
        let parts: Vec<usize> = tokens.elements(definition).collect();
        let (name_at, sort_at, value_at) = match parts.as_slice() {
            [_, name_at, parameters, sort_at, value_at] => {
                if tokens.elements(*parameters).next().is_some() {
                    tables.push(tokens.text(*name_at)?);
                    continue;
                }
                (name_at, Some(*sort_at), value_at)
            }
            [name_at, value_at] => (name_at, None, value_at),
            _ => return Err(tokens.error(definition, "a definition is (define-fun name () Sort value)")),
        };
        let name = tokens.text(*name_at)?;
        let Some(variable) = variable(problem, name) else { continue };
        // An element of a sort of the script's own stands for itself, in whatever way a solver writes it.
        if let Some(sort_at) = sort_at.filter(|&at| !is_sort_of_problems(tokens.bytes(at))) {
            let sort = String::from_utf8_lossy(tokens.bytes(sort_at));
            let sort = if tokens.kind(sort_at) == Kind::Open { "a sort with arguments".into() } else { sort };
            return Ok(Err(format!("the value of '{name}' cannot be evaluated: it is of {sort}")));
        }
        let mut scope = Scope::default();
        let strings = Strings::Unicode;
        let mut reader = TermReader {
            tokens: &tokens,
            strings,
            alphabet,
            terms: &mut model.terms,
            scope: &mut scope,
            named: Vec::new(),
            asserting: false,
            quantified: None,
            existential: false,
        };
        let term = match reader.term(*value_at) {
            Ok(term) => term,
            Err(error) if error.kind == ErrorKind::Unsupported || tokens.kind(*value_at) == Kind::Open => {
                return Ok(Err(format!("the value of '{name}' cannot be evaluated: {error}")));
            }
            Err(error) => return Err(error),
        };
        let wanted = problem.terms.variables()[variable.index()].sort;
        let (found, term) = (term.sort, term.term);
        if found != ScriptSort::Plain(wanted) {
            let found = scope.sorts.name(found);
            return Err(tokens
                .error(*value_at, format!("the value of '{name}' must be of sort {wanted}, not {found}")));
        }
        if wanted == Sort::RegLan {
            return Ok(Err(format!("'{name}' is of sort RegLan, which is not evaluated")));
        }
        // The same value again is what `get-value` prints after a model.
        match model.values.iter().find(|&&(other, _)| other == variable) {
            Some(&(_, known)) if known != term => {
                let message = format!("the model gives '{name}' two values");
                return Err(tokens.error(*name_at, message));
            }
            Some(_) => {}
            None => model.values.push((variable, term)),
        }
    }
    // The problem has constants for applications, which a table may decide.
    for &v in &problem.variables {
        let constant = &problem.terms.variables()[v.index()].name;
        let function = constant.rsplit_once('!').map(|(function, _)| function);
        if let Some(function) = function.filter(|function| tables.contains(function))
            && model.values.iter().all(|&(known, _)| known != v)
        {
            return Ok(Err(format!("the table of '{function}' is not evaluated")));
        }
    }
    Ok(Ok(model))
}

fn is_sort_of_problems(name: &[u8]) -> bool {
    [Sort::Bool, Sort::Int, Sort::String, Sort::RegLan].iter().any(|sort| sort.name().as_bytes() == name)
}

fn variable(problem: &Problem, name: &str) -> Option<VarId> {
    problem.variables.iter().copied().find(|v| problem.terms.variables()[v.index()].name == name)
}

/// Adds the definitions in the list at `at`, in `(model …)` or in plain parentheses, and values in the
/// latter.
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

//! Operations on regular expressions as problems: a product is a word in both languages, a difference one in
//! the left and not in the right.

use std::sync::Arc;

use backends_api::{BackendError, Probe};
use backends_input::Expressions;
use harness_model::{Alphabet, Char, CharSet, OperationKind, Operations, Regex};
use harness_smtlib::print;
use harness_theory::term::{TermId, Terms};
use harness_theory::{CoreOp, Problem, ReOp, Sort, SortError, StrOp};

use crate::confine;

/// The logic of such a problem: strings, and no integers but the counts of loops.
const LOGIC: &str = "QF_S";

/// The operation with this number as a script for any solver: `sat` when its language has a word, the value
/// of `word`. `None` where there is no such operation.
///
/// # Errors
///
/// When an expression cannot be read.
pub fn script(asked: &Operations, number: usize, alphabet: Alphabet) -> Result<Option<String>, BackendError> {
    let read = Expressions::read(alphabet, asked, &Probe::new())?;
    let Some(operation) = read.operations().get(number) else { return Ok(None) };
    let regexes = [operation.left, operation.right].map(|place| &read.regexes()[place]);
    let problem = problem(operation.kind, regexes, alphabet);
    let problem = problem.map_err(|why| BackendError::Internal(why.to_string()))?;
    Ok(Some(print::problem(&problem, LOGIC, None)))
}

/// The problem that has a model when the operation's language has a word: the value of its only variable,
/// `word`.
///
/// # Errors
///
/// When a term has a sort that it may not have, which is a defect.
pub fn problem(
    kind: OperationKind,
    [left, right]: [&Regex; 2],
    alphabet: Alphabet,
) -> Result<Problem, SortError> {
    let mut terms = Terms::new();
    let variable = terms.variable("word", Sort::String);
    let word = terms.var(variable);
    let mut assertions = Vec::new();
    if alphabet.max() != Char::MAX {
        assertions.push(confine::over(&mut terms, word, alphabet)?);
    }
    let mut member = |regex| {
        let language = language(&mut terms, regex, alphabet)?;
        terms.app(StrOp::InRe, &[word, language])
    };
    let (in_left, in_right) = (member(left)?, member(right)?);
    assertions.push(in_left);
    assertions.push(match kind {
        OperationKind::Product => in_right,
        OperationKind::Difference => terms.app(CoreOp::Not, &[in_right])?,
    });
    Ok(Problem { terms: Arc::new(terms), variables: vec![variable], assertions })
}

/// The language of `regex` for words over `alphabet`. Recursion is as deep as the expression, which its
/// reader limits.
fn language(terms: &mut Terms, regex: &Regex, alphabet: Alphabet) -> Result<TermId, SortError> {
    match regex {
        Regex::Empty => terms.app(ReOp::None, &[]),
        Regex::Epsilon => epsilon(terms),
        Regex::Set(set) => characters(terms, set, alphabet),
        Regex::Concat(parts) => {
            let parts = all(terms, parts, alphabet)?;
            let nothing = if parts.is_empty() { epsilon(terms)? } else { parts[0] };
            joined(terms, ReOp::Concat, &parts, nothing)
        }
        Regex::Union(parts) => {
            let parts = all(terms, parts, alphabet)?;
            union(terms, &parts)
        }
        Regex::Inter(parts) => {
            let parts = all(terms, parts, alphabet)?;
            let everything = terms.app(ReOp::All, &[])?;
            joined(terms, ReOp::Inter, &parts, everything)
        }
        Regex::Complement(inner) => {
            let inner = language(terms, inner, alphabet)?;
            terms.app(ReOp::Comp, &[inner])
        }
        Regex::Repeat { inner, min, max } => {
            let inner = language(terms, inner, alphabet)?;
            match (*min, *max) {
                (0, None) => terms.app(ReOp::Star, &[inner]),
                (1, None) => terms.app(ReOp::Plus, &[inner]),
                (0, Some(1)) => terms.app(ReOp::Opt, &[inner]),
                (min, Some(max)) => terms.app(ReOp::Loop(min, max), &[inner]),
                (min, None) => {
                    let first = terms.app(ReOp::Power(min), &[inner])?;
                    let rest = terms.app(ReOp::Star, &[inner])?;
                    terms.app(ReOp::Concat, &[first, rest])
                }
            }
        }
    }
}

fn all(terms: &mut Terms, parts: &[Regex], alphabet: Alphabet) -> Result<Vec<TermId>, SortError> {
    parts.iter().map(|part| language(terms, part, alphabet)).collect()
}

fn epsilon(terms: &mut Terms) -> Result<TermId, SortError> {
    let empty = terms.string(Vec::new());
    terms.app(ReOp::ToRe, &[empty])
}

/// `op` of the parts; `nothing` where there are none.
fn joined(terms: &mut Terms, op: ReOp, parts: &[TermId], nothing: TermId) -> Result<TermId, SortError> {
    match parts {
        [] => Ok(nothing),
        [part] => Ok(*part),
        parts => terms.app(op, parts),
    }
}

fn union(terms: &mut Terms, parts: &[TermId]) -> Result<TermId, SortError> {
    let nothing = terms.app(ReOp::None, &[])?;
    joined(terms, ReOp::Union, parts, nothing)
}

/// One character of `set`.
fn characters(terms: &mut Terms, set: &CharSet, alphabet: Alphabet) -> Result<TermId, SortError> {
    let set = set.cut_to(alphabet);
    let mut ranges = Vec::new();
    for &(low, high) in set.ranges() {
        let (low, high) = (terms.string(vec![Char(low)]), terms.string(vec![Char(high)]));
        ranges.push(terms.app(ReOp::Range, &[low, high])?);
    }
    union(terms, &ranges)
}

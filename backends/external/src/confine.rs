//! Problems over smaller alphabets as problems of SMT-LIB, whose strings are over `unicode`; and what solvers
//! do not read, written out.
//!
//! `str.<` and `str.<=` of more than two strings, which the standard has, are said of each two neighbours.
//!
//! Every string variable of the problem is a word over the alphabet; `re.allchar` and `re.all` range over it;
//! `str.from_code` of a code beyond it is empty. Complement needs nothing: a string that is built from such
//! variables has no other characters. Literals stay what they are, so that one with foreign characters equals
//! no variable, as in the evaluator. Variables that describe the value of an operation are not restricted,
//! since a value may have the characters of a literal.

use std::sync::Arc;

use harness_model::{Alphabet, Char};
use harness_theory::term::{Term, TermId, Terms, VarId};
use harness_theory::{ArithOp, CoreOp, Op, Problem, ReOp, Sort, SortError, StrOp};
use rustc_hash::FxHashMap;

/// The problem in SMT-LIB's own alphabet; variables that are not among `own` are not restricted. Cost: linear
/// in the terms.
///
/// # Errors
///
/// When a term is of another sort than it was, which is a defect.
pub fn confine(problem: Problem, own: &[VarId], alphabet: Alphabet) -> Result<Problem, SortError> {
    let whole = alphabet.max() == Char::MAX;
    if whole && !problem.terms.cone(&problem.assertions).iter().any(|&id| is_long_chain(&problem.terms, id)) {
        return Ok(problem);
    }
    let mut terms = (*problem.terms).clone();
    let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
    for id in problem.terms.cone(&problem.assertions) {
        let changed = match problem.terms.get(id) {
            Term::App(op, arguments) => {
                let arguments: Vec<TermId> = arguments.iter().map(|argument| new[argument]).collect();
                application(&mut terms, *op, &arguments, alphabet)?
            }
            Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::String(_) => id,
        };
        new.insert(id, changed);
    }
    let mut assertions = Vec::new();
    for &variable in own.iter().filter(|_| !whole) {
        if terms.variables()[variable.index()].sort == Sort::String {
            let word = terms.var(variable);
            assertions.push(over(&mut terms, word, alphabet)?);
        }
    }
    assertions.extend(problem.assertions.iter().map(|assertion| new[assertion]));
    Ok(Problem { terms: Arc::new(terms), variables: problem.variables, assertions })
}

/// Whether it compares more than two strings at once.
fn is_long_chain(terms: &Terms, id: TermId) -> bool {
    match terms.get(id) {
        Term::App(op, arguments) => {
            [Op::Str(StrOp::Lt), Op::Str(StrOp::Le)].contains(op) && arguments.len() > 2
        }
        Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::String(_) => false,
    }
}

/// That `word` is over the alphabet.
pub fn over(terms: &mut Terms, word: TermId, alphabet: Alphabet) -> Result<TermId, SortError> {
    let all = all(terms, alphabet)?;
    terms.app(StrOp::InRe, &[word, all])
}

fn character(terms: &mut Terms, alphabet: Alphabet) -> Result<TermId, SortError> {
    let (low, high) = (word(terms, Char(0)), word(terms, alphabet.max()));
    terms.app(ReOp::Range, &[low, high])
}

fn all(terms: &mut Terms, alphabet: Alphabet) -> Result<TermId, SortError> {
    let character = character(terms, alphabet)?;
    terms.app(ReOp::Star, &[character])
}

fn word(terms: &mut Terms, character: Char) -> TermId {
    terms.string(vec![character])
}

fn application(
    terms: &mut Terms,
    op: Op,
    arguments: &[TermId],
    alphabet: Alphabet,
) -> Result<TermId, SortError> {
    let whole = alphabet.max() == Char::MAX;
    match (op, arguments) {
        (Op::Str(StrOp::Lt | StrOp::Le), [_, _, _, ..]) => {
            let mut links = Vec::new();
            for pair in arguments.windows(2) {
                links.push(terms.app(op, pair)?);
            }
            terms.app(CoreOp::And, &links)
        }
        (Op::Re(ReOp::AllChar), _) if !whole => character(terms, alphabet),
        (Op::Re(ReOp::All), _) if !whole => all(terms, alphabet),
        (Op::Str(StrOp::FromCode), [code]) if !whole => {
            let (most, nothing) = (terms.int(i64::from(alphabet.max().0)), terms.string(Vec::new()));
            let inside = terms.app(ArithOp::Le, &[*code, most])?;
            let made = terms.app(op, arguments)?;
            terms.app(CoreOp::Ite, &[inside, made, nothing])
        }
        (Op::Core(_) | Op::Arith(_) | Op::Str(_) | Op::Re(_) | Op::Java(_), _) => terms.app(op, arguments),
    }
}

//! Regular expressions as terms of Z3's theory of sequences.

use backends_api::{BackendError, Budget};
use harness_model::{Alphabet, Char, CharSet, Regex};
use z3::ast::Dynamic;

use crate::encode::{literal, range, repeat};
use crate::raw::{self, Function, Refusal};

/// The language of `regex` over `alphabet`, for words that are over `alphabet`. Recursion is as deep as the
/// expression, which its reader limits.
pub(crate) fn language(regex: &Regex, alphabet: Alphabet, budget: &Budget) -> Result<Dynamic, BackendError> {
    budget.tick()?;
    Ok(match regex {
        Regex::Empty => raw::language(false)?,
        Regex::Epsilon => epsilon()?,
        Regex::Set(set) => characters(set, alphabet)?,
        Regex::Concat(parts) => match all(parts, alphabet, budget)?.as_slice() {
            [] => epsilon()?,
            [part] => part.clone(),
            parts => raw::apply(Function::RE_CONCAT, &parts.iter().collect::<Vec<_>>())?,
        },
        Regex::Union(parts) => union(&all(parts, alphabet, budget)?)?,
        Regex::Inter(parts) => match all(parts, alphabet, budget)?.as_slice() {
            [] => raw::language(true)?,
            [part] => part.clone(),
            parts => raw::apply(Function::RE_INTER, &parts.iter().collect::<Vec<_>>())?,
        },
        Regex::Complement(inner) => raw::apply(Function::RE_COMP, &[&language(inner, alphabet, budget)?])?,
        Regex::Repeat { inner, min, max } => {
            let inner = language(inner, alphabet, budget)?;
            match (*min, *max) {
                (0, None) => raw::apply(Function::RE_STAR, &[&inner])?,
                (1, None) => raw::apply(Function::RE_PLUS, &[&inner])?,
                (0, Some(1)) => raw::apply(Function::RE_OPT, &[&inner])?,
                (min, max) => repeat(&inner, min, max)?,
            }
        }
    })
}

fn all(parts: &[Regex], alphabet: Alphabet, budget: &Budget) -> Result<Vec<Dynamic>, BackendError> {
    parts.iter().map(|part| language(part, alphabet, budget)).collect()
}

fn epsilon() -> Result<Dynamic, Refusal> {
    raw::apply(Function::TO_RE, &[&literal(&[])?])
}

fn union(parts: &[Dynamic]) -> Result<Dynamic, Refusal> {
    match parts {
        [] => raw::language(false),
        [part] => Ok(part.clone()),
        parts => raw::apply(Function::RE_UNION, &parts.iter().collect::<Vec<_>>()),
    }
}

/// One character of `set`.
fn characters(set: &CharSet, alphabet: Alphabet) -> Result<Dynamic, Refusal> {
    let set = set.cut_to(alphabet);
    let ranges: Vec<Dynamic> =
        set.ranges().iter().map(|&(low, high)| range(Char(low), Char(high))).collect::<Result<_, _>>()?;
    union(&ranges)
}

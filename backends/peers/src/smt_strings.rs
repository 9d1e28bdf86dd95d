//! The crate `aws-smt-strings`: extended regular expressions over the characters of SMT-LIB, and their
//! derivatives.
//!
//! Everything it needs is in its own terms, complement and intersection included; complements are cut to the
//! task's alphabet, for its own goes to 2FFFF. `get_string` explores derivatives breadth first and gives a
//! shortest word.
//!
//! Two things to know when its figures are read. Equal terms are one term there, so `A` minus `A` is the
//! empty language as soon as it is written down, and is not searched. And its terms are never freed: a
//! process that asks many questions grows.

use aws_smt_strings::character_sets::CharSet as LibrarySet;
use aws_smt_strings::loop_ranges::LoopRange;
use aws_smt_strings::regular_expressions::{ReManager, RegLan};
use backends_api::{BackendError, Budget, Probe};
use backends_input::Expressions;
use harness_model::{Alphabet, Answer, Char, CharSet, OperationKind, Outcome, Regex, SmtString};

use crate::peer::Limits;

/// With `inter`, `diff` and `get_string`.
pub fn answer(
    asked: &Expressions,
    _: &Limits,
    budget: &Budget,
    probe: &Probe,
) -> Result<Outcome, BackendError> {
    let mut manager = ReManager::new();
    let terms: Vec<RegLan> = probe.phase("build", || {
        asked.regexes().iter().map(|regex| term(&mut manager, regex, asked.alphabet())).collect()
    });
    let mut answers = Vec::with_capacity(asked.operations().len());
    for operation in asked.operations() {
        budget.tick()?;
        budget.look()?;
        let (left, right) = (terms[operation.left], terms[operation.right]);
        let word = probe.phase(operation.kind.name(), || {
            let result = match operation.kind {
                OperationKind::Product => manager.inter(left, right),
                OperationKind::Difference => manager.diff(left, right),
            };
            manager.get_string(result)
        });
        answers.push(word.map_or_else(Answer::empty, |word| {
            Answer::word(word.iter().map(|&c| Char(c)).collect::<SmtString>())
        }));
    }
    Ok(Outcome { answers })
}

fn set(manager: &mut ReManager, set: &CharSet) -> RegLan {
    let ranges: Vec<RegLan> =
        set.ranges().iter().map(|&(low, high)| manager.char_set(LibrarySet::range(low, high))).collect();
    manager.union_list(ranges)
}

fn term(manager: &mut ReManager, regex: &Regex, alphabet: Alphabet) -> RegLan {
    match regex {
        Regex::Empty => manager.empty(),
        Regex::Epsilon => manager.epsilon(),
        Regex::Set(chars) => set(manager, chars),
        Regex::Concat(parts) => {
            let parts: Vec<RegLan> = parts.iter().map(|p| term(manager, p, alphabet)).collect();
            manager.concat_list(parts)
        }
        Regex::Union(parts) => {
            let parts: Vec<RegLan> = parts.iter().map(|p| term(manager, p, alphabet)).collect();
            manager.union_list(parts)
        }
        Regex::Inter(parts) => {
            let mut parts: Vec<RegLan> = parts.iter().map(|p| term(manager, p, alphabet)).collect();
            parts.push(everything(manager, alphabet));
            manager.inter_list(parts)
        }
        Regex::Complement(inner) => {
            let inner = term(manager, inner, alphabet);
            let all = everything(manager, alphabet);
            manager.diff(all, inner)
        }
        Regex::Repeat { inner, min, max } => {
            let inner = term(manager, inner, alphabet);
            match max {
                None => manager.mk_loop(inner, LoopRange::infinite(*min)),
                Some(max) => manager.smt_loop(inner, *min, *max),
            }
        }
    }
}

fn everything(manager: &mut ReManager, alphabet: Alphabet) -> RegLan {
    let any = set(manager, &CharSet::full(alphabet));
    manager.star(any)
}

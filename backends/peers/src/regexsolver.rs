//! The crate `regexsolver`: automata without epsilon moves, whose labels are sets of spans of characters.
//!
//! Expressions are handed over as its own `RegularExpression`, without text in between; complement and
//! intersection, which that type has not, by its operations on automata. Its characters are scalar values,
//! see [`crate::scalar`].
//!
//! Expressions are simplified first, as its own parser does, which makes it several times as fast.
//!
//! Lazily: `has_intersection` stops at the first accepting pair, but tells only that there is one. For
//! differences both sides are determinised, and the right one complemented, once for the whole question. Its
//! `subset` would do that anew each time, and answers for equal automata without a search. Eagerly:
//! `intersection` builds the whole automaton; a shortest word is read off it by us, through its public moves,
//! since `generate_strings` would determinise it first and take thirty times as long for the products of the
//! study.

use std::collections::VecDeque;

use backends_api::{BackendError, Budget, Probe, Stop};
use backends_input::Expressions;
use harness_model::{Alphabet, Answer, CharSet, OperationKind, Outcome, Regex, SmtString, Verdict};
use regexsolver::CharRange;
use regexsolver::error::EngineError;
use regexsolver::execution_profile::ExecutionProfileBuilder;
use regexsolver::fast_automaton::FastAutomaton;
use regexsolver::fast_automaton::condition::Condition;
use regexsolver::regex::RegularExpression;
use regexsolver::regex_charclass::{AnyRange, Char};
use rustc_hash::FxHashMap;

use crate::peer::Limits;
use crate::scalar;

/// With `has_intersection`: verdicts without witnesses.
pub fn answer_lazily(
    asked: &Expressions,
    limits: &Limits,
    budget: &Budget,
    probe: &Probe,
) -> Result<Outcome, BackendError> {
    answer(asked, limits, budget, probe, |left, right| {
        Ok(if left.has_intersection(right)? {
            let reason =
                Some("regexsolver decides lazily whether there is a word, but gives none".to_owned());
            Answer { reason, ..Answer::of(Verdict::Nonempty) }
        } else {
            Answer::empty()
        })
    })
}

/// With `intersection`, and a shortest word of it.
pub fn answer_eagerly(
    asked: &Expressions,
    limits: &Limits,
    budget: &Budget,
    probe: &Probe,
) -> Result<Outcome, BackendError> {
    answer(asked, limits, budget, probe, |left, right| {
        Ok(shortest_word(&left.intersection(right)?)?.map_or_else(Answer::empty, Answer::word))
    })
}

/// Breadth first over the moves of a finished automaton.
fn shortest_word(automaton: &FastAutomaton) -> Result<Option<SmtString>, EngineError> {
    let start = automaton.start_state();
    let mut reached_by: FxHashMap<usize, Option<(usize, Condition)>> = FxHashMap::default();
    reached_by.insert(start, None);
    let mut queue = VecDeque::from([start]);
    while let Some(mut state) = queue.pop_front() {
        if automaton.is_accepted(state) {
            let mut word = Vec::new();
            while let Some(Some((before, label))) = reached_by.get(&state) {
                let set = label.to_range(automaton.spanning_set())?;
                word.extend(set.0.first().map(|c| scalar::code_point(c.to_char())));
                state = *before;
            }
            word.reverse();
            return Ok(Some(word.into()));
        }
        for (label, &target) in automaton.transitions_from(state).filter(|(label, _)| !label.is_empty()) {
            reached_by.entry(target).or_insert_with(|| {
                queue.push_back(target);
                Some((state, label.clone()))
            });
        }
    }
    Ok(None)
}

fn answer(
    asked: &Expressions,
    limits: &Limits,
    budget: &Budget,
    probe: &Probe,
    intersect: impl Fn(&FastAutomaton, &FastAutomaton) -> Result<Answer, EngineError>,
) -> Result<Outcome, BackendError> {
    let profile = ExecutionProfileBuilder::new().max_number_of_states(limits.states).build();
    profile.run(|| {
        let automata = probe
            .phase("build", || {
                asked.regexes().iter().map(|r| automaton(r, asked.alphabet())).collect::<Result<Vec<_>, _>>()
            })
            .map_err(|error| refusal(error, limits))?;
        let mut determinised: Vec<Option<FastAutomaton>> = automata.iter().map(|_| None).collect();
        let mut complements = determinised.clone();
        let mut answers = Vec::with_capacity(asked.operations().len());
        for operation in asked.operations() {
            budget.tick()?;
            budget.look()?;
            let (left, right) = (operation.left, operation.right);
            let answer = probe.phase(operation.kind.name(), || match operation.kind {
                OperationKind::Product => intersect(&automata[left], &automata[right]),
                OperationKind::Difference => {
                    for side in [left, right] {
                        if determinised[side].is_none() {
                            determinised[side] = Some(automata[side].determinize()?.into_owned());
                        }
                    }
                    if complements[right].is_none() {
                        complements[right] = determinised[right].as_ref().map(complement).transpose()?;
                    }
                    let right = complements[right].as_ref().unwrap_or(&automata[right]);
                    intersect(determinised[left].as_ref().unwrap_or(&automata[left]), right)
                }
            });
            answers.push(answer.map_err(|error| refusal(error, limits))?);
        }
        let states = |a: &FastAutomaton| a.number_of_states() as u64;
        probe.count("positions", automata.iter().map(states).sum());
        probe.count("subsets", complements.iter().flatten().map(states).sum());
        Ok(Outcome { answers })
    })
}

/// Every word, scalar values outside of the alphabet included: what it is intersected with has none.
fn complement(automaton: &FastAutomaton) -> Result<FastAutomaton, EngineError> {
    let mut complement = automaton.determinize()?.into_owned();
    complement.complement()?;
    Ok(complement)
}

fn refusal(error: EngineError, limits: &Limits) -> BackendError {
    match error {
        EngineError::AutomatonHasTooManyStates => BackendError::Stopped(Stop::Size {
            what: "an automaton of regexsolver",
            limit: limits.states as u64,
            unit: "states",
        }),
        EngineError::RegexTooDeeplyNested(depth) => {
            BackendError::Unsupported(format!("regexsolver takes expressions nested up to {depth} deep"))
        }
        other => BackendError::Internal(format!("regexsolver: {other}")),
    }
}

fn char_range(set: &CharSet) -> CharRange {
    let ranges: Vec<AnyRange<Char>> =
        scalar::ranges(set).map(|(low, high)| AnyRange::new(Char::new(low), Char::new(high))).collect();
    CharRange::new_from_ranges(&ranges)
}

fn automaton(regex: &Regex, alphabet: Alphabet) -> Result<FastAutomaton, EngineError> {
    if let Some(expression) = expression(regex) {
        return expression.simplify().to_automaton();
    }
    let all = |parts: &[Regex]| parts.iter().map(|p| automaton(p, alphabet)).collect::<Result<Vec<_>, _>>();
    let everything = || FastAutomaton::new_from_range(&char_range(&CharSet::full(alphabet))).repeat(0, None);
    match regex {
        Regex::Concat(parts) => FastAutomaton::concat_all(&all(parts)?),
        Regex::Union(parts) => FastAutomaton::union_all(&all(parts)?),
        Regex::Inter(parts) => {
            let mut parts = all(parts)?;
            parts.push(everything()?);
            FastAutomaton::intersection_all(&parts)
        }
        Regex::Complement(inner) => everything()?.intersection(&complement(&automaton(inner, alphabet)?)?),
        Regex::Repeat { max: Some(max), min, .. } if max < min => Ok(FastAutomaton::new_empty()),
        Regex::Repeat { inner, min, max } => automaton(inner, alphabet)?.repeat(*min, *max),
        // These have an expression.
        Regex::Empty | Regex::Epsilon | Regex::Set(_) => Ok(FastAutomaton::new_empty()),
    }
}

/// The library's own expression, which has neither complement nor intersection.
fn expression(regex: &Regex) -> Option<RegularExpression> {
    Some(match regex {
        Regex::Empty => RegularExpression::new_empty(),
        Regex::Epsilon => RegularExpression::new_empty_string(),
        Regex::Set(set) => RegularExpression::Character(char_range(set)),
        Regex::Concat(parts) => {
            RegularExpression::Concat(parts.iter().map(expression).collect::<Option<_>>()?)
        }
        Regex::Union(parts) => {
            RegularExpression::Alternation(parts.iter().map(expression).collect::<Option<_>>()?)
        }
        Regex::Repeat { max: Some(max), min, .. } if max < min => RegularExpression::new_empty(),
        Regex::Repeat { inner, min, max } => {
            RegularExpression::Repetition(Box::new(expression(inner)?), *min, *max)
        }
        Regex::Inter(_) | Regex::Complement(_) => return None,
    })
}

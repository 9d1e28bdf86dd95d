//! Automata as array constraints.
//!
//! [`encode`] says of an array that its word is in a language. A union of chains of characters and
//! well-formed loops is said exactly: where each part starts is a sum, for a loop takes its length times the
//! number of its iterations; and one quantified constraint for each loop says what each iteration reads. Any
//! other automaton is unrolled: the state after each character is an integer, up to a greatest length, and
//! longer words are excluded; [`Encoding::Unrolled`] says so, unless no word of the language is longer.
//!
//! [`facts`] says less of a language, but always something true: its lengths, and what stands at fixed places
//! from either end.
//!
//! Source: Li and Ghosh, PASS, section 4, "From Automaton to P-Array". There the paths of unrolled loops are
//! a disjunction; integers for states say the same in size length times moves instead of one disjunct for
//! each path.

use backends_algebra::BooleanAlgebra;
use backends_algebra::ranges::Ranges;
use backends_api::Stop;
use backends_automata::StateId;
use backends_graph::{StringVertex, Sum};
use backends_parray::{ArrayProblem, Body, Formula, Term};
use harness_model::CharSet;
use harness_model::int::Int;

use crate::language::{Automaton, IntervalContext};
use crate::loops::{Chain, Part, shape};

/// What a language that is unrolled up to a length restricts a problem to.
pub const UNROLLED: &str = "the limit of unrolled loops";

/// How a language was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Exactly.
    Exact,
    /// Words of more than this many characters are excluded: what is refuted need not be so.
    Unrolled(i64),
}

/// Words that are unrolled are at most this much longer than the shortest one, or in all so long.
pub const MAX_UNROLLED: i64 = 48;

/// A language of which the longest word is no longer is unrolled whole.
const MAX_WHOLE: i64 = 128;

/// Characters that each end of a word is described by.
const MAX_KNOWN: i64 = 8;

/// Says that the word of `array` is in the language of one of `candidates`, which all are the same language;
/// the first whose loops are well-formed is used. `longest`: no word that matters is longer.
pub fn encode(
    context: &IntervalContext,
    problem: &mut ArrayProblem,
    array: StringVertex,
    candidates: &[&Automaton],
    longest: Option<i64>,
) -> Result<Encoding, Stop> {
    for automaton in candidates {
        if let Some(chains) = shape(context, automaton)? {
            say_chains(problem, array, &chains);
            return Ok(Encoding::Exact);
        }
    }
    match candidates.first() {
        Some(automaton) => unrolled(context, problem, array, automaton, longest),
        None => Ok(Encoding::Exact),
    }
}

/// Says by unrolling that the word of `array` is in the language, and notes it as a restriction where longer
/// words are excluded. `longest`: no word that matters is longer. An error leaves nothing said.
pub fn unrolled(
    context: &IntervalContext,
    problem: &mut ArrayProblem,
    array: StringVertex,
    automaton: &Automaton,
    longest: Option<i64>,
) -> Result<Encoding, Stop> {
    let Some((least, greatest)) = context.lengths(automaton)? else {
        problem.require(Formula::Bool(false));
        return Ok(Encoding::Exact);
    };
    let whole = match (greatest, longest) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    let limit = whole.filter(|&whole| whole <= MAX_WHOLE).unwrap_or(MAX_UNROLLED.max(least + 16));
    let steps = unroll(context, problem, array, automaton, limit)?;
    steps.into_iter().for_each(|step| problem.require(step));
    if whole.is_some_and(|whole| whole <= limit) {
        return Ok(Encoding::Exact);
    }
    problem.restrict(UNROLLED);
    Ok(Encoding::Unrolled(limit))
}

/// The set as characters; `None` if it has all that words are made of.
fn characters(problem: &ArrayProblem, set: &Ranges) -> Option<CharSet> {
    let set = CharSet::from_ranges(set.as_slice().iter().copied());
    (!problem.characters().difference(&set).is_empty()).then_some(set)
}

/// The formula that the character at `index` is of the set.
fn within(problem: &ArrayProblem, array: StringVertex, index: &Sum, set: &Ranges) -> Formula {
    match characters(problem, set) {
        None => Formula::Bool(true),
        Some(set) => problem.at(array, index).within(&set),
    }
}

fn number(n: usize) -> Sum {
    Sum::from(n)
}

/// The word is of one of the chains: which one, an integer says.
pub fn say_chains(problem: &mut ArrayProblem, array: StringVertex, chains: &[Chain]) {
    if chains.is_empty() {
        problem.require(Formula::Bool(false));
        return;
    }
    if let [only] = chains {
        say_chain(problem, array, only, &Formula::Bool(true));
        return;
    }
    let which = Term::from(Sum::from(problem.fresh()));
    problem.require(Term::from(0).le(&which));
    problem.require(which.lt(&Term::from(number(chains.len()))));
    for (place, chain) in chains.iter().enumerate() {
        let guard = which.eq(&Term::from(number(place)));
        say_chain(problem, array, chain, &guard);
    }
}

/// Under `guard` the word is of the chain.
fn say_chain(problem: &mut ArrayProblem, array: StringVertex, chain: &Chain, guard: &Formula) {
    let length = problem.length(array).clone();
    let fixed: usize =
        chain.iter().map(|part| if let Part::Chars(chars) = part { chars.len() } else { 0 }).sum();
    let loops = chain.iter().filter(|part| matches!(part, Part::Loop(_))).count();
    let mut at = Sum::from(0_i64);
    for part in chain {
        match part {
            Part::Chars(chars) => {
                for set in chars {
                    let here = within(problem, array, &at, set);
                    problem.require(guard.implies(here));
                    at = at.add(&number(1));
                }
            }
            Part::Loop(alternatives) => {
                let width = alternatives.first().map_or(1, Vec::len);
                // The only loop takes what is left.
                let taken = if loops == 1 && width == 1 {
                    length.sub(&number(fixed))
                } else {
                    problem.natural().times(&Int::from(width))
                };
                say_loop(problem, array, &at, &taken, alternatives, guard);
                at = at.add(&taken);
            }
        }
    }
    if loops == 1 && at == length {
        problem.require(guard.implies(number(fixed).le(&length).widen()));
    } else {
        problem.require(guard.implies(at.eq(&length).widen()));
    }
}

/// Under `guard`, what stands from `start` on, `taken` characters, are iterations of the alternatives.
fn say_loop(
    problem: &mut ArrayProblem,
    array: StringVertex,
    start: &Sum,
    taken: &Sum,
    alternatives: &[Vec<Ranges>],
    guard: &Formula,
) {
    let width = alternatives.first().map_or(1, Vec::len);
    if width == 1 {
        let sets: Vec<Ranges> = alternatives.iter().filter_map(|row| row.first().cloned()).collect();
        problem.for_all(guard.clone(), start.clone(), start.add(taken), |problem, n| {
            Body::Plain(Formula::or(sets.iter().map(|set| within(problem, array, n, set))))
        });
        return;
    }
    // `taken` is a multiple of the width by construction.
    let Some(iterations) = divided(taken, width) else { return };
    problem.for_all(guard.clone(), Sum::from(0_i64), iterations, |problem, n| {
        let first = start.add(&n.times(&Int::from(width)));
        Body::Plain(Formula::or(alternatives.iter().map(|row| {
            let cells =
                row.iter().enumerate().map(|(k, set)| within(problem, array, &first.add(&number(k)), set));
            Formula::and(cells.collect::<Vec<_>>())
        })))
    });
}

/// The sum divided by `by`, which divides all its factors.
fn divided(sum: &Sum, by: usize) -> Option<Sum> {
    let by = Int::from(by);
    let mut quotient = Sum::from(sum.constant().div(&by)?);
    for (vertex, factor) in sum.terms() {
        quotient = quotient.plus(&Sum::from(*vertex), &factor.div(&by)?);
    }
    Some(quotient)
}

/// Words of up to `limit` characters: after each character there is a state. What says so is given back and
/// not yet required: were the limit said and then the rest given up, words would be excluded that nothing
/// tells of.
fn unroll(
    context: &IntervalContext,
    problem: &mut ArrayProblem,
    array: StringVertex,
    automaton: &Automaton,
    limit: i64,
) -> Result<Vec<Formula>, Stop> {
    let length = problem.length(array).clone();
    // Said first, for it bounds the solver's indices.
    let mut said: Vec<Formula> = vec![length.le(&Sum::from(limit)).widen()];
    let mut layer = vec![automaton.initial()];
    let mut state = Term::from(i64::from(automaton.initial().0));
    for place in 0..=limit {
        let here = Sum::from(place);
        let ends =
            layer.iter().filter(|&&q| automaton.is_final(q)).map(|q| state.eq(&Term::from(i64::from(q.0))));
        let ends = Formula::or(ends.collect::<Vec<_>>());
        said.push(length.eq(&here).widen::<Term>().implies(ends));
        let next = Term::from(Sum::from(problem.fresh()));
        let mut following: Vec<StateId> = Vec::new();
        let mut steps = Vec::new();
        for &q in &layer {
            let is = state.eq(&Term::from(i64::from(q.0)));
            for m in automaton.moves_from(q) {
                context.budget.tick()?;
                let reads = within(problem, array, &here, automaton.label(m.label));
                let goes = next.eq(&Term::from(i64::from(m.target.0)));
                steps.push(Formula::and([is.clone(), reads, goes]));
                following.push(m.target);
            }
        }
        if place == limit || following.is_empty() {
            said.push(length.le(&here).widen());
            break;
        }
        said.push(here.lt(&length).widen::<Term>().implies(Formula::or(steps)));
        following.sort_unstable();
        following.dedup();
        layer = following;
        state = next;
    }
    Ok(said)
}

/// What every word of the language has: a length out of a set, and characters near both ends. `automaton` is
/// trim. How many facts were told.
pub fn facts(
    context: &IntervalContext,
    problem: &mut ArrayProblem,
    array: StringVertex,
    automaton: &Automaton,
) -> Result<u64, Stop> {
    let mut told = say_lengths(context, problem, array, automaton)?;
    let Some((least, _)) = context.lengths(automaton)? else { return Ok(told) };
    let length = problem.length(array).clone();
    for place in 0..least.min(MAX_KNOWN) {
        let set = context.characters(automaton, place, Some(place))?;
        let here = within(problem, array, &Sum::from(place), &set);
        told += u64::from(here != Formula::Bool(true));
        problem.require(here);
    }
    for (back, set) in endings(context, automaton, least.min(MAX_KNOWN))?.iter().enumerate() {
        let index = length.sub(&number(back + 1));
        let here = within(problem, array, &index, set);
        told += u64::from(here != Formula::Bool(true));
        problem.require(here);
    }
    Ok(told)
}

/// The characters that words may have at each of the last `count` places, the last place first.
fn endings(context: &IntervalContext, automaton: &Automaton, count: i64) -> Result<Vec<Ranges>, Stop> {
    let mut layer: Vec<StateId> = automaton.state_ids().filter(|&q| automaton.is_final(q)).collect();
    let mut sets = Vec::new();
    for _ in 0..count {
        let mut set = context.algebra().empty();
        let mut before = Vec::new();
        for q in automaton.state_ids() {
            for m in automaton.moves_from(q) {
                context.budget.tick()?;
                if layer.contains(&m.target) {
                    set = context.algebra().union(&set, automaton.label(m.label))?;
                    before.push(q);
                }
            }
        }
        before.sort_unstable();
        before.dedup();
        layer = before;
        sets.push(set);
    }
    Ok(sets)
}

/// The lengths of the words of a language: some single ones, then, from a first length on, those with some
/// remainders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// Lengths below `from`.
    pub single: Vec<i64>,
    /// Where they begin to repeat.
    pub from: i64,
    /// After how many they repeat; not zero.
    pub period: i64,
    /// Which of the `period` lengths from `from` on.
    pub repeated: Vec<i64>,
}

/// More different sets of states than this are not looked at.
const MAX_LAYERS: usize = 256;

impl Lengths {
    /// Of a trim automaton. `None` when the lengths repeat too late.
    pub fn of(context: &IntervalContext, automaton: &Automaton) -> Result<Option<Self>, Stop> {
        let mut layers: Vec<Vec<StateId>> = Vec::new();
        let mut layer = vec![automaton.initial()];
        while layers.len() < MAX_LAYERS {
            if let Some(from) = layers.iter().position(|old| *old == layer) {
                let at = |place: usize| i64::try_from(place).unwrap_or(i64::MAX);
                let ends = |place: &usize| layers[*place].iter().any(|&q| automaton.is_final(q));
                return Ok(Some(Self {
                    single: (0..from).filter(ends).map(at).collect(),
                    from: at(from),
                    period: at(layers.len() - from),
                    repeated: (from..layers.len()).filter(ends).map(at).collect(),
                }));
            }
            let mut next: Vec<StateId> = Vec::new();
            for &q in &layer {
                for m in automaton.moves_from(q) {
                    context.budget.tick()?;
                    next.push(m.target);
                }
            }
            next.sort_unstable();
            next.dedup();
            layers.push(std::mem::replace(&mut layer, next));
        }
        Ok(None)
    }

    /// Whether some word has that length.
    pub fn has(&self, length: i64) -> bool {
        if length < self.from {
            return self.single.contains(&length);
        }
        self.repeated.contains(&((length - self.from) % self.period + self.from))
    }
}

/// The length of the word is one of the language's.
fn say_lengths(
    context: &IntervalContext,
    problem: &mut ArrayProblem,
    array: StringVertex,
    automaton: &Automaton,
) -> Result<u64, Stop> {
    let length = Term::from(problem.length(array).clone());
    let Some((least, greatest)) = context.lengths(automaton)? else {
        problem.require(Formula::Bool(false));
        return Ok(1);
    };
    let mut told = 0;
    if least > 0 {
        problem.require(Term::from(least).le(&length));
        told += 1;
    }
    if let Some(greatest) = greatest {
        problem.require(length.le(&Term::from(greatest)));
        told += 1;
    }
    let Some(lengths) = Lengths::of(context, automaton)? else { return Ok(told) };
    let highest = greatest.unwrap_or(lengths.from + lengths.period);
    if (least..=highest).all(|n| lengths.has(n)) {
        return Ok(told);
    }
    let mut ways: Vec<Formula> = lengths.single.iter().map(|&n| length.eq(&Term::from(n))).collect();
    if !lengths.repeated.is_empty() {
        let times = Term::from(problem.natural()).times(&Int::from(lengths.period));
        ways.extend(lengths.repeated.iter().map(|&n| length.eq(&times.add(&Term::from(n)))));
    }
    problem.require(Formula::or(ways));
    Ok(told + 1)
}

//! Union, concatenation, quotients, images: the operations on whole languages that string constraints need.
//!
//! A quotient says what may stand before or after: the prefixes of a language are its right quotient by every
//! word, its suffixes the left one. Results may be nondeterministic; none is trimmed or minimised.

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use rustc_hash::FxHashSet;

use crate::builder::SfaBuilder;
use crate::epsilon::eliminate;
use crate::sfa::{Sfa, StateId};

/// Gives for a set of characters those that they become.
pub type Image<'i, A> =
    dyn FnMut(&A, &<A as BooleanAlgebra>::Set) -> Result<<A as BooleanAlgebra>::Set, Stop> + 'i;

/// Adds the states and moves of `automaton`; the number that its states were moved by.
fn copy<A: BooleanAlgebra>(
    builder: &mut SfaBuilder<A::Set>,
    automaton: &Sfa<A::Set>,
    with_finals: bool,
    budget: &Budget,
) -> Result<u32, Stop> {
    let offset = u32::try_from(builder.states()).unwrap_or(u32::MAX);
    for state in automaton.state_ids() {
        builder.add_state(with_finals && automaton.is_final(state))?;
    }
    for state in automaton.state_ids() {
        for m in automaton.moves_from(state) {
            budget.tick()?;
            let label = automaton.label(m.label).clone();
            builder.add_move(StateId(state.0 + offset), label, StateId(m.target.0 + offset))?;
        }
    }
    Ok(offset)
}

/// A word of `a`, then a word of `b`.
pub fn concat<A: BooleanAlgebra>(
    algebra: &A,
    a: &Sfa<A::Set>,
    b: &Sfa<A::Set>,
    budget: &Budget,
) -> Result<Sfa<A::Set>, Stop> {
    let mut builder = SfaBuilder::new();
    copy::<A>(&mut builder, a, false, budget)?;
    let offset = copy::<A>(&mut builder, b, true, budget)?;
    for state in a.state_ids().filter(|&q| a.is_final(q)) {
        builder.add_epsilon(state, StateId(b.initial().0 + offset))?;
    }
    eliminate(algebra, &builder.freeze_with_epsilons(a.initial()), budget)
}

/// The words in either.
pub fn union<A: BooleanAlgebra>(
    algebra: &A,
    a: &Sfa<A::Set>,
    b: &Sfa<A::Set>,
    budget: &Budget,
) -> Result<Sfa<A::Set>, Stop> {
    let mut builder = SfaBuilder::new();
    let initial = builder.add_state(false)?;
    for part in [a, b] {
        let offset = copy::<A>(&mut builder, part, true, budget)?;
        builder.add_epsilon(initial, StateId(part.initial().0 + offset))?;
    }
    eliminate(algebra, &builder.freeze_with_epsilons(initial), budget)
}

/// What stands before a word of `b` in a word of `a`: `{ u | uv ∈ a, v ∈ b }`. One look at each pair of
/// states.
pub fn right_quotient<A: BooleanAlgebra>(
    algebra: &A,
    a: &Sfa<A::Set>,
    b: &Sfa<A::Set>,
    budget: &Budget,
) -> Result<Sfa<A::Set>, Stop> {
    let starts: Vec<(StateId, StateId)> = a.state_ids().map(|q| (q, b.initial())).collect();
    let (pairs, back) = pairs(algebra, a, b, &starts, budget)?;
    // Backwards from the pairs in which both words may end.
    let width = b.states();
    let place = |(p, q): (StateId, StateId)| p.index() * width + q.index();
    let mut good: FxHashSet<usize> = FxHashSet::default();
    let mut waiting: Vec<usize> =
        pairs.iter().filter(|(p, q)| a.is_final(*p) && b.is_final(*q)).map(|&pair| place(pair)).collect();
    good.extend(&waiting);
    let mut sources: rustc_hash::FxHashMap<usize, Vec<usize>> = rustc_hash::FxHashMap::default();
    for (from, to) in back {
        sources.entry(place(to)).or_default().push(place(from));
    }
    while let Some(pair) = waiting.pop() {
        for &source in sources.get(&pair).into_iter().flatten() {
            budget.tick()?;
            if good.insert(source) {
                waiting.push(source);
            }
        }
    }
    let mut builder = SfaBuilder::new();
    copy::<A>(&mut builder, a, false, budget)?;
    for start in starts {
        builder.set_final(start.0, good.contains(&place(start)));
    }
    Ok(builder.freeze(a.initial()))
}

/// What stands after a word of `b` in a word of `a`: `{ v | uv ∈ a, u ∈ b }`. One look at each pair of
/// states.
pub fn left_quotient<A: BooleanAlgebra>(
    algebra: &A,
    a: &Sfa<A::Set>,
    b: &Sfa<A::Set>,
    budget: &Budget,
) -> Result<Sfa<A::Set>, Stop> {
    let (pairs, _) = pairs(algebra, a, b, &[(a.initial(), b.initial())], budget)?;
    let mut builder = SfaBuilder::new();
    copy::<A>(&mut builder, a, true, budget)?;
    let initial = builder.add_state(false)?;
    let mut entered = FxHashSet::default();
    for (p, q) in pairs {
        if b.is_final(q) && entered.insert(p) {
            builder.add_epsilon(initial, p)?;
        }
    }
    eliminate(algebra, &builder.freeze_with_epsilons(initial), budget)
}

type Pair = (StateId, StateId);
/// From one pair to the next.
type Step = (Pair, Pair);

/// The pairs of states that can be reached from `starts` with one word read on both sides, and the steps
/// between them.
fn pairs<A: BooleanAlgebra>(
    algebra: &A,
    a: &Sfa<A::Set>,
    b: &Sfa<A::Set>,
    starts: &[Pair],
    budget: &Budget,
) -> Result<(Vec<Pair>, Vec<Step>), Stop> {
    let mut found: Vec<Pair> = Vec::new();
    let mut seen: FxHashSet<Pair> = FxHashSet::default();
    for &start in starts {
        if seen.insert(start) {
            found.push(start);
        }
    }
    let mut steps = Vec::new();
    let mut at = 0;
    while let Some(&(p, q)) = found.get(at) {
        at += 1;
        for m in a.moves_from(p) {
            for n in b.moves_from(q) {
                budget.tick()?;
                let common = algebra.intersection(a.label(m.label), b.label(n.label))?;
                if algebra.is_empty(&common)? {
                    continue;
                }
                let next = (m.target, n.target);
                steps.push(((p, q), next));
                if seen.insert(next) {
                    found.push(next);
                }
            }
        }
    }
    Ok((found, steps))
}

/// Each word with every label replaced by its image, which must respect unions.
pub fn map_labels<A: BooleanAlgebra>(
    algebra: &A,
    automaton: &Sfa<A::Set>,
    image: &mut Image<'_, A>,
    budget: &Budget,
) -> Result<Sfa<A::Set>, Stop> {
    let mut builder = SfaBuilder::new();
    for state in automaton.state_ids() {
        builder.add_state(automaton.is_final(state))?;
    }
    for state in automaton.state_ids() {
        for m in automaton.moves_from(state) {
            budget.tick()?;
            let label = image(algebra, automaton.label(m.label))?;
            if !algebra.is_empty(&label)? {
                builder.add_move(state, label, m.target)?;
            }
        }
    }
    Ok(builder.freeze(automaton.initial()))
}

#[cfg(test)]
mod tests {
    use backends_algebra::RangeAlgebra;
    use harness_model::{Alphabet, Char, CharSet, Regex, SmtString};

    use super::*;
    use crate::construct::construct;
    use crate::witness::accepts;

    fn words(letters: &[u32], length: usize) -> Vec<SmtString> {
        let mut all: Vec<Vec<Char>> = vec![Vec::new()];
        let mut start = 0;
        for _ in 0..length {
            let end = all.len();
            for i in start..end {
                for &letter in letters {
                    let mut longer = all[i].clone();
                    longer.push(Char(letter));
                    all.push(longer);
                }
            }
            start = end;
        }
        all.into_iter().map(SmtString::from).collect()
    }

    fn letter(c: u32) -> Regex {
        Regex::set(CharSet::single(Char(c)))
    }

    /// Languages over `a` and `b`, some finite, some not, one empty.
    fn languages() -> Vec<Regex> {
        let (a, b) = (letter(0x61), letter(0x62));
        vec![
            Regex::Epsilon,
            Regex::Empty,
            Regex::concat([a.clone(), b.clone()]),
            a.clone().star(),
            Regex::concat([Regex::union([a.clone(), b.clone()]).star(), b.clone()]),
            Regex::concat([a.clone(), b.clone()]).star(),
            Regex::union([Regex::concat([a.clone(), a]), b.repeat(1, None)]),
        ]
    }

    #[test]
    fn definitions() {
        let algebra = RangeAlgebra::new(Alphabet::Ascii);
        let budget = Budget::unlimited();
        let make =
            |r: &Regex| eliminate(&algebra, &construct(&algebra, r, &budget).unwrap(), &budget).unwrap();
        let all = words(&[0x61, 0x62], 7);
        let few: Vec<SmtString> = all.iter().filter(|w| w.len() <= 4).cloned().collect();
        for r in &languages() {
            for t in &languages() {
                let (a, b) = (make(r), make(t));
                let either = union(&algebra, &a, &b, &budget).unwrap();
                let both = concat(&algebra, &a, &b, &budget).unwrap();
                let before = right_quotient(&algebra, &a, &b, &budget).unwrap();
                let after = left_quotient(&algebra, &a, &b, &budget).unwrap();
                let has = |x: &Sfa<_>, w: &SmtString| accepts(&algebra, x, w, &budget).unwrap();
                let joined = |u: &SmtString, v: &SmtString| -> SmtString {
                    u.chars().iter().chain(v.chars()).copied().collect()
                };
                for w in &few {
                    assert_eq!(has(&either, w), has(&a, w) || has(&b, w));
                    let splits = (0..=w.len()).any(|i| {
                        let (u, v) = w.chars().split_at(i);
                        has(&a, &SmtString::from(u.to_vec())) && has(&b, &SmtString::from(v.to_vec()))
                    });
                    assert_eq!(has(&both, w), splits, "{r:?} {t:?} {w:?}");
                    // What completes a word of four letters here has at most three.
                    let completes = |swap: bool| {
                        all.iter().filter(|v| v.len() <= 3).any(|v| {
                            let whole = if swap { joined(v, w) } else { joined(w, v) };
                            has(&b, v) && has(&a, &whole)
                        })
                    };
                    assert_eq!(has(&before, w), completes(false), "{r:?} / {t:?} {w:?}");
                    assert_eq!(has(&after, w), completes(true), "{t:?} \\ {r:?} {w:?}");
                }
            }
        }
    }
}

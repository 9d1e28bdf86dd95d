//! Expressions of automata: states are taken away one after the other, and the words that led through them
//! become expressions on the moves that are left.
//!
//! The expression may be exponentially larger than the automaton, so there are limits on its size, written
//! out, and on its depth, for everything that walks an expression recurses.

use std::collections::{BTreeMap, BTreeSet};

use harness_model::Regex;

use crate::automaton::Automaton;

/// The largest expression that is made, in nodes.
const NODES: u64 = 400_000;

/// How deep it may be.
const DEPTH: u32 = 250;

/// The expression would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an automaton of {states} states has no expression of at most {NODES} nodes, nested at most {DEPTH} deep"
)]
pub struct TooLarge {
    /// Of the automaton.
    pub states: usize,
}

/// An expression with its size.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) regex: Regex,
    nodes: u64,
    depth: u32,
}

impl Measured {
    pub(crate) fn leaf(regex: Regex) -> Self {
        Self { regex, nodes: 1, depth: 1 }
    }

    /// An expression that was made elsewhere.
    ///
    /// # Errors
    ///
    /// When it is too large.
    pub(crate) fn of(regex: Regex) -> Result<Self, String> {
        let mut nodes = 0u64;
        let mut deepest = 0u32;
        let mut todo = vec![(&regex, 1u32)];
        while let Some((part, depth)) = todo.pop() {
            nodes += 1;
            deepest = deepest.max(depth);
            if nodes > NODES || deepest > DEPTH {
                return Err(format!(
                    "an expression has more than {NODES} nodes, or is nested more than {DEPTH} deep"
                ));
            }
            match part {
                Regex::Empty | Regex::Epsilon | Regex::Set(_) => {}
                Regex::Concat(parts) | Regex::Union(parts) | Regex::Inter(parts) => {
                    todo.extend(parts.iter().map(|part| (part, depth + 1)));
                }
                Regex::Complement(inner) | Regex::Repeat { inner, .. } => todo.push((inner, depth + 1)),
            }
        }
        Ok(Self { regex, nodes, depth: deepest })
    }

    /// Any of these.
    pub(crate) fn union(parts: &[Self]) -> Self {
        match parts {
            [only] => only.clone(),
            _ => Self::over(Regex::union(parts.iter().map(|part| part.regex.clone())), parts),
        }
    }

    fn over<'a>(regex: Regex, parts: impl IntoIterator<Item = &'a Self>) -> Self {
        let (nodes, depth) = parts.into_iter().fold((1u64, 0), |(nodes, depth), part| {
            (nodes.saturating_add(part.nodes), depth.max(part.depth))
        });
        Self { regex, nodes, depth: depth + 1 }
    }

    /// Depth counts the concatenations that are not merged into this one.
    pub(crate) fn then(&self, next: &Self) -> Self {
        if self.regex == Regex::Epsilon {
            return next.clone();
        }
        if next.regex == Regex::Epsilon {
            return self.clone();
        }
        let parts = |one: &Self| {
            if let Regex::Concat(parts) = &one.regex { parts.to_vec() } else { vec![one.regex.clone()] }
        };
        let mut all = parts(self);
        all.extend(parts(next));
        let inside =
            |one: &Self| if matches!(one.regex, Regex::Concat(_)) { one.depth } else { one.depth + 1 };
        Self {
            regex: Regex::Concat(all.into()),
            nodes: self.nodes.saturating_add(next.nodes).saturating_add(1),
            depth: inside(self).max(inside(next)),
        }
    }

    pub(crate) fn or(&self, other: &Self) -> Self {
        if self.regex == other.regex {
            return self.clone();
        }
        if let (Regex::Set(a), Regex::Set(b)) = (&self.regex, &other.regex) {
            return Self::leaf(Regex::set(a.union(b)));
        }
        if let Regex::Union(parts) = &self.regex {
            return Self {
                regex: Regex::union(parts.iter().cloned().chain([other.regex.clone()])),
                nodes: self.nodes.saturating_add(other.nodes),
                depth: self.depth.max(other.depth + 1),
            };
        }
        Self::over(Regex::union([self.regex.clone(), other.regex.clone()]), [self, other])
    }

    pub(crate) fn star(&self) -> Self {
        if self.regex == Regex::Epsilon {
            return self.clone();
        }
        Self::over(self.regex.clone().star(), [self])
    }

    pub(crate) fn fits(&self) -> bool {
        self.nodes <= NODES && self.depth <= DEPTH
    }
}

/// The moves between states, by where they come from, and the other way round.
#[derive(Default)]
struct Edges {
    out: BTreeMap<usize, BTreeMap<usize, Measured>>,
    into: BTreeMap<usize, BTreeSet<usize>>,
}

impl Edges {
    fn add(&mut self, from: usize, what: Measured, to: usize) {
        let row = self.out.entry(from).or_default();
        let joined = match row.get(&to) {
            Some(known) => known.or(&what),
            None => what,
        };
        row.insert(to, joined);
        self.into.entry(to).or_default().insert(from);
    }

    /// How many moves taking `state` away would make.
    fn price(&self, state: usize) -> usize {
        let out = self.out.get(&state).map_or(0, |row| row.len());
        let into = self.into.get(&state).map_or(0, |row| row.len());
        out * into
    }

    /// Takes a state away; false when something becomes too large.
    fn remove(&mut self, state: usize) -> bool {
        let mut out = self.out.remove(&state).unwrap_or_default();
        let mut into = self.into.remove(&state).unwrap_or_default();
        let around = out.remove(&state);
        into.remove(&state);
        for &to in out.keys() {
            if let Some(row) = self.into.get_mut(&to) {
                row.remove(&state);
            }
        }
        let around = around.map(|step| step.star());
        for from in into {
            let Some(head) = self.out.get_mut(&from).and_then(|row| row.remove(&state)) else { continue };
            let head = around.as_ref().map_or_else(|| head.clone(), |around| head.then(around));
            for (&to, tail) in &out {
                let joined = head.then(tail);
                if !joined.fits() {
                    return false;
                }
                self.add(from, joined, to);
            }
        }
        true
    }
}

/// An expression with the words of `automaton`.
///
/// # Errors
///
/// When it would be too large.
pub fn regex(automaton: &Automaton) -> Result<Regex, TooLarge> {
    let useful = useful(automaton);
    let steps = automaton.moves.iter().filter(|step| useful[step.from] && useful[step.to]);
    let steps = steps.filter_map(|step| match &step.reads {
        None => Some((step.from, Measured::leaf(Regex::Epsilon), step.to)),
        Some(set) if set.is_empty() => None,
        Some(set) => Some((step.from, Measured::leaf(Regex::set(set.clone())), step.to)),
    });
    if !useful[automaton.start] {
        return Ok(Regex::Empty);
    }
    let made = between(steps, automaton.states, automaton.start, automaton.end)?;
    Ok(made.map_or(Regex::Empty, |made| made.regex))
}

/// The words on the ways from one state to another one, where a step reads a word of its expression; `None`
/// where there is no way. States are below `states`.
pub(crate) fn between(
    steps: impl IntoIterator<Item = (usize, Measured, usize)>,
    states: usize,
    start: usize,
    end: usize,
) -> Result<Option<Measured>, TooLarge> {
    let (first, last) = (states, states + 1);
    let mut edges = Edges::default();
    edges.add(first, Measured::leaf(Regex::Epsilon), start);
    edges.add(end, Measured::leaf(Regex::Epsilon), last);
    for (from, what, to) in steps {
        edges.add(from, what, to);
    }
    let mut queue: BTreeSet<(usize, usize)> = (0..states).map(|state| (edges.price(state), state)).collect();
    // Prices are looked at again when a state comes to its turn: one that has become dearer waits.
    while let Some((price, state)) = queue.pop_first() {
        let now = edges.price(state);
        if now > price && queue.first().is_some_and(|&(other, _)| other < now) {
            queue.insert((now, state));
            continue;
        }
        if !edges.remove(state) {
            return Err(TooLarge { states });
        }
    }
    match edges.out.remove(&first).and_then(|mut row| row.remove(&last)) {
        Some(whole) if !whole.fits() => Err(TooLarge { states }),
        whole => Ok(whole),
    }
}

/// The states on a way from the start to the end.
fn useful(automaton: &Automaton) -> Vec<bool> {
    let reach = |begin: usize, ends: fn(&crate::automaton::Move) -> (usize, usize)| {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); automaton.states];
        for step in &automaton.moves {
            let (from, to) = ends(step);
            next[from].push(to);
        }
        let mut reached = vec![false; automaton.states];
        reached[begin] = true;
        let mut todo = vec![begin];
        while let Some(state) = todo.pop() {
            for &to in &next[state] {
                if !std::mem::replace(&mut reached[to], true) {
                    todo.push(to);
                }
            }
        }
        reached
    };
    let forward = reach(automaton.start, |step| (step.from, step.to));
    let back = reach(automaton.end, |step| (step.to, step.from));
    forward.into_iter().zip(back).map(|(one, other)| one && other).collect()
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, reason = "small numbers")]
mod tests {
    use harness_check::matcher::matches;
    use harness_model::{CharSet, SmtString};

    use super::*;
    use crate::automaton::Move;

    /// Every automaton of three states and five moves of a small pseudo-random sequence, on all words up to
    /// five characters.
    #[test]
    fn words_are_kept() {
        let mut seed = 7u64;
        let mut draw = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let words: Vec<SmtString> = (0..=5u32)
            .flat_map(|length| {
                (0..1u32 << length).map(move |bits| {
                    SmtString::from(
                        (0..length)
                            .map(|i| if bits >> i & 1 == 1 { 'b' } else { 'a' })
                            .collect::<String>()
                            .as_str(),
                    )
                })
            })
            .collect();
        let mut both = [0, 0];
        for _ in 0..300 {
            let moves = (0..5)
                .map(|_| Move {
                    from: draw(3) as usize,
                    reads: match draw(4) {
                        0 => None,
                        1 => Some(CharSet::from_ranges([(97, 98)])),
                        c => Some(CharSet::from_ranges([(95 + c as u32, 95 + c as u32)])),
                    },
                    to: draw(3) as usize,
                })
                .collect();
            let automaton = Automaton { states: 3, start: draw(3) as usize, end: draw(3) as usize, moves };
            let regex = regex(&automaton).unwrap();
            for word in &words {
                let accepted = automaton.accepts(word);
                both[usize::from(accepted)] += 1;
                assert_eq!(matches(&regex, word), accepted, "{automaton:?} {word}");
            }
        }
        assert!(both[0] > 1000 && both[1] > 1000, "{both:?}");
    }

    #[test]
    fn a_long_chain_stays_flat_and_a_dense_automaton_is_refused() {
        let letter = || Some(CharSet::from_ranges([(97, 97)]));
        let chain = Automaton {
            states: 2001,
            start: 0,
            end: 2000,
            moves: (0..2000).map(|from| Move { from, reads: letter(), to: from + 1 }).collect(),
        };
        assert!(matches!(regex(&chain), Ok(Regex::Concat(parts)) if parts.len() == 2000));
        let all = |n: usize| (0..n).flat_map(move |from| (0..n).map(move |to| (from, to)));
        let dense = Automaton {
            states: 30,
            start: 0,
            end: 29,
            moves: all(30)
                .map(|(from, to)| Move {
                    from,
                    reads: Some(CharSet::single(harness_model::Char((from * 30 + to) as u32))),
                    to,
                })
                .collect(),
        };
        assert_eq!(regex(&dense), Err(TooLarge { states: 30 }));
    }
}

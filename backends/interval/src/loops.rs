//! Automata as sequences of characters and loops.
//!
//! A loop is *well-formed* if all ways around it have the same length and meet in one state, its header: then
//! what it reads is so many iterations of a fixed number of characters, each iteration one of a few
//! alternatives. An automaton all of whose loops are well-formed is a union of [`Chain`]s. The other ones are
//! told by [`shape`] giving `None`.
//!
//! The paper asks that a loop has no embedded loop and that all ways between a fork and the next join have
//! the same length. That is the same thing for a loop with one entry. Which automaton of a language is looked
//! at matters: of `* abc *` the deterministic one has embedded loops, that of the expression has none.
//!
//! Source: Li and Ghosh, PASS, section 4, "From Automaton to P-Array".

use backends_algebra::BooleanAlgebra;
use backends_algebra::ranges::Ranges;
use backends_api::Stop;
use backends_automata::StateId;

use crate::language::{Automaton, IntervalContext};

/// A piece of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// One character after the other.
    Chars(Vec<Ranges>),
    /// Any number of iterations of one of these, all of the same length, which is not zero.
    Loop(Vec<Vec<Ranges>>),
}

/// Words that are one part after the other.
pub type Chain = Vec<Part>;

/// More chains, or alternatives of one loop, than this are not told apart.
pub const MAX_CHAINS: usize = 48;

/// Characters and loops of all chains together, at most.
const MAX_PARTS: usize = 4_000;

/// The automaton as a union of chains; `None` if a loop is not well-formed, or there are too many chains.
/// `automaton` is trim.
pub fn shape(context: &IntervalContext, automaton: &Automaton) -> Result<Option<Vec<Chain>>, Stop> {
    let Some(walk) = Walk::new(context, automaton)? else { return Ok(None) };
    let mut chains = Vec::new();
    let mut steps = 0;
    if !walk.follow(automaton.initial(), Vec::new(), false, &mut chains, &mut steps)? {
        return Ok(None);
    }
    merge(context, &mut chains)?;
    Ok((chains.len() <= MAX_CHAINS).then_some(chains))
}

struct Walk<'a> {
    context: &'a IntervalContext,
    automaton: &'a Automaton,
    /// The merged moves of each state: one for each target.
    moves: Vec<Vec<(Ranges, StateId)>>,
    /// By state: its loop.
    loop_of: Vec<Option<usize>>,
    loops: Vec<Header>,
}

struct Header {
    state: StateId,
    alternatives: Vec<Vec<Ranges>>,
}

impl<'a> Walk<'a> {
    /// Finds the loops; `None` if one is not well-formed.
    fn new(context: &'a IntervalContext, automaton: &'a Automaton) -> Result<Option<Self>, Stop> {
        let mut moves = Vec::with_capacity(automaton.states());
        for state in automaton.state_ids() {
            let mut merged: Vec<(Ranges, StateId)> = Vec::new();
            for m in automaton.moves_from(state) {
                context.budget.tick()?;
                let label = automaton.label(m.label);
                match merged.iter_mut().find(|(_, target)| *target == m.target) {
                    Some((all, _)) => *all = context.algebra().union(all, label)?,
                    None => merged.push((label.clone(), m.target)),
                }
            }
            moves.push(merged);
        }
        let mut this =
            Self { context, automaton, moves, loop_of: vec![None; automaton.states()], loops: Vec::new() };
        for members in this.components()? {
            let mut header = None;
            for &candidate in &members {
                if this.is_header(candidate, &members)? {
                    header = Some(candidate);
                    break;
                }
            }
            let Some(state) = header else { return Ok(None) };
            let place = this.loops.len();
            members.iter().for_each(|q| this.loop_of[q.index()] = Some(place));
            let mut alternatives = Vec::new();
            if !this.around(state, state, &members, &[], &mut alternatives)? {
                return Ok(None);
            }
            merge_rows(context, &mut alternatives)?;
            this.loops.push(Header { state, alternatives });
        }
        Ok(Some(this))
    }

    /// The strongly connected components that have a move inside.
    fn components(&self) -> Result<Vec<Vec<StateId>>, Stop> {
        let states = self.automaton.states();
        let mut reach: Vec<Vec<bool>> = Vec::with_capacity(states);
        for start in self.automaton.state_ids() {
            let mut seen = vec![false; states];
            let mut waiting = vec![start];
            while let Some(q) = waiting.pop() {
                for (_, target) in &self.moves[q.index()] {
                    self.context.budget.tick()?;
                    if !std::mem::replace(&mut seen[target.index()], true) {
                        waiting.push(*target);
                    }
                }
            }
            reach.push(seen);
        }
        let mut done = vec![false; states];
        let mut components = Vec::new();
        for p in self.automaton.state_ids() {
            if !reach[p.index()][p.index()] || done[p.index()] {
                continue;
            }
            let members: Vec<StateId> = self
                .automaton
                .state_ids()
                .filter(|q| reach[p.index()][q.index()] && reach[q.index()][p.index()])
                .collect();
            members.iter().for_each(|q| done[q.index()] = true);
            components.push(members);
        }
        Ok(components)
    }

    /// Whether every state of the component is a fixed number of steps behind this one, and all ways back are
    /// equally long.
    fn is_header(&self, header: StateId, members: &[StateId]) -> Result<bool, Stop> {
        let mut distance: Vec<Option<usize>> = vec![None; self.automaton.states()];
        distance[header.index()] = Some(0);
        let mut length = None;
        let mut waiting = vec![header];
        while let Some(p) = waiting.pop() {
            let Some(at) = distance[p.index()] else { continue };
            // A state that is further away than there are states is on a loop without the header.
            if at > members.len() {
                return Ok(false);
            }
            for (_, target) in self.moves[p.index()].iter().filter(|(_, q)| members.contains(q)) {
                self.context.budget.tick()?;
                if *target == header {
                    if *length.get_or_insert(at + 1) != at + 1 {
                        return Ok(false);
                    }
                } else if let Some(known) = distance[target.index()] {
                    if known != at + 1 {
                        return Ok(false);
                    }
                } else {
                    distance[target.index()] = Some(at + 1);
                    waiting.push(*target);
                }
            }
        }
        Ok(true)
    }

    /// All ways from `at` to the header; whether they are few.
    fn around(
        &self,
        header: StateId,
        at: StateId,
        members: &[StateId],
        read: &[Ranges],
        found: &mut Vec<Vec<Ranges>>,
    ) -> Result<bool, Stop> {
        for (label, target) in self.moves[at.index()].iter().filter(|(_, q)| members.contains(q)) {
            self.context.budget.tick()?;
            let mut longer = read.to_vec();
            longer.push(label.clone());
            if *target == header {
                found.push(longer);
                if found.len() > 2 * MAX_CHAINS {
                    return Ok(false);
                }
            } else if !self.around(header, *target, members, &longer, found)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All chains from `at` to an end; whether they are few. `looped`: the loop that `at` is in was gone
    /// around already.
    fn follow(
        &self,
        at: StateId,
        mut chain: Chain,
        looped: bool,
        found: &mut Vec<Chain>,
        steps: &mut usize,
    ) -> Result<bool, Stop> {
        *steps += chain.len() + 1;
        if *steps > MAX_PARTS {
            return Ok(false);
        }
        let here = self.loop_of[at.index()].map(|place| (place, &self.loops[place]));
        if let Some((_, header)) = here.filter(|(_, header)| header.state == at && !looped) {
            chain.push(Part::Loop(header.alternatives.clone()));
        }
        let inside = looped || here.is_some_and(|(_, header)| header.state == at);
        if self.automaton.is_final(at) {
            found.push(chain.clone());
            if found.len() > 4 * MAX_CHAINS {
                return Ok(false);
            }
        }
        for (label, target) in &self.moves[at.index()] {
            self.context.budget.tick()?;
            let same = here.is_some() && self.loop_of[target.index()] == here.map(|(place, _)| place);
            let back = same && here.is_some_and(|(_, header)| header.state == *target);
            // Another iteration is in the loop already.
            if back && inside {
                continue;
            }
            let mut longer = chain.clone();
            match longer.last_mut() {
                Some(Part::Chars(chars)) => chars.push(label.clone()),
                _ => longer.push(Part::Chars(vec![label.clone()])),
            }
            if !self.follow(*target, longer, same && inside, found, steps)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Joins rows that differ in one column only, as long as there are any.
fn merge_rows(context: &IntervalContext, rows: &mut Vec<Vec<Ranges>>) -> Result<(), Stop> {
    let mut at = 0;
    while at < rows.len() {
        let mut merged = false;
        for other in at + 1..rows.len() {
            context.budget.tick()?;
            if rows[at].len() != rows[other].len() {
                continue;
            }
            let mut differ = (0..rows[at].len()).filter(|&k| rows[at][k] != rows[other][k]);
            let (first, more) = (differ.next(), differ.next());
            if more.is_some() {
                continue;
            }
            let gone = rows.remove(other);
            if let Some(k) = first {
                rows[at][k] = context.algebra().union(&rows[at][k], &gone[k])?;
            }
            merged = true;
            break;
        }
        // What has grown may fit earlier rows now.
        at = if merged { 0 } else { at + 1 };
    }
    Ok(())
}

/// Joins chains that differ in one character only.
fn merge(context: &IntervalContext, chains: &mut Vec<Chain>) -> Result<(), Stop> {
    let mut at = 0;
    while at < chains.len() {
        let mut merged = false;
        for other in at + 1..chains.len() {
            context.budget.tick()?;
            let Some(joined) = join(context, &chains[at], &chains[other])? else { continue };
            chains[at] = joined;
            chains.remove(other);
            merged = true;
            break;
        }
        at = if merged { 0 } else { at + 1 };
    }
    Ok(())
}

/// The union of two chains as one, if they differ in one character at most.
fn join(context: &IntervalContext, a: &Chain, b: &Chain) -> Result<Option<Chain>, Stop> {
    if a.len() != b.len() {
        return Ok(None);
    }
    let mut joined = a.clone();
    let mut differences = 0;
    for (mine, theirs) in joined.iter_mut().zip(b) {
        match (mine, theirs) {
            (mine, theirs) if *mine == *theirs => {}
            (Part::Chars(mine), Part::Chars(theirs)) if mine.len() == theirs.len() => {
                for (m, t) in mine.iter_mut().zip(theirs).filter(|(m, t)| m != t) {
                    differences += 1;
                    *m = context.algebra().union(m, t)?;
                }
            }
            _ => return Ok(None),
        }
    }
    Ok((differences <= 1).then_some(joined))
}

#[cfg(test)]
mod tests {
    use backends_api::Budget;
    use harness_model::{Alphabet, Char, Regex};

    use super::*;
    use crate::testkit::{all_words, letter};

    /// Whether the chain reads the word from its start: by trying every number of iterations.
    fn reads(context: &IntervalContext, chain: &[Part], word: &[Char]) -> bool {
        let row = |row: &[Ranges], word: &[Char]| {
            row.len() <= word.len()
                && row.iter().zip(word).all(|(set, &c)| context.algebra().contains(set, c).unwrap())
        };
        match chain {
            [] => word.is_empty(),
            [Part::Chars(chars), rest @ ..] => row(chars, word) && reads(context, rest, &word[chars.len()..]),
            [Part::Loop(alternatives), rest @ ..] => {
                let length = alternatives[0].len();
                reads(context, rest, word)
                    || (alternatives.iter().any(|a| row(a, word)) && reads(context, chain, &word[length..]))
            }
        }
    }

    fn expressions() -> Vec<(Regex, bool)> {
        let (a, b, c) = (letter('a'), letter('b'), letter('c'));
        let ab = || Regex::concat([a.clone(), b.clone()]);
        vec![
            (Regex::Epsilon, true),
            (Regex::concat([a.clone().repeat(1, None), b.clone().star()]), true),
            (ab().star(), true),
            (Regex::concat([c.clone(), ab().star(), c.clone()]), true),
            (Regex::union([ab(), Regex::concat([c.clone(), a.clone()])]).star(), true),
            (Regex::union([ab(), c.clone()]).star(), false),
            (Regex::concat([a.clone().star(), b.clone()]).star(), false),
            (Regex::concat([ab().star(), a.clone(), c.clone().star()]), true),
            (Regex::union([a.clone(), ab(), Regex::concat([b.clone(), c.star()])]), true),
        ]
    }

    #[test]
    fn chains_have_the_words_of_the_automaton() {
        let context = IntervalContext::new(Alphabet::Ascii, u64::MAX);
        let all = all_words(6);
        for (regex, well_formed) in expressions() {
            let raw = backends_automata::trim(&context.regex(&regex).unwrap(), &Budget::unlimited()).unwrap();
            for automaton in [raw.clone(), context.minimise(&raw).unwrap()] {
                let Some(chains) = shape(&context, &automaton).unwrap() else {
                    assert!(!well_formed, "{regex:?}");
                    continue;
                };
                assert!(well_formed, "{regex:?}: {chains:?}");
                for word in &all {
                    let expected =
                        backends_automata::accepts(context.algebra(), &automaton, word, &context.budget)
                            .unwrap();
                    let found = chains.iter().any(|chain| reads(&context, chain, word.chars()));
                    assert_eq!(found, expected, "{regex:?} {word}: {chains:?}");
                }
            }
        }
    }

    #[test]
    fn what_the_deterministic_automaton_hides_the_expression_shows() {
        let context = IntervalContext::new(Alphabet::Ascii, u64::MAX);
        let any = context.letter().star();
        let regex = Regex::concat([any.clone(), letter('a'), letter('b'), any]);
        let raw = backends_automata::trim(&context.regex(&regex).unwrap(), &Budget::unlimited()).unwrap();
        assert_eq!(shape(&context, &context.minimise(&raw).unwrap()).unwrap(), None);
        assert!(shape(&context, &raw).unwrap().is_some_and(|chains| chains.len() == 1));
    }
}

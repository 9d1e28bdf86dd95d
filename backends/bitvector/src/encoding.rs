//! Edges of a string graph as formulas over bit-vectors, once every length and every integer is fixed.
//!
//! Source: the study's table 3.2, right-hand column. Differences, each because the table's formula does not
//! describe the operation:
//!
//! - `contains`: `t` may start at any position up to and including |s| - |t|; the table stops one short.
//! - `indexOf`, `lastIndexOf`: that `t` occurs at none of the other positions is a conjunction; the table has
//!   a disjunction. The search starts at the edge's own `from`, and there is a case for -1, which the table
//!   leaves out.
//! - `trim`: the same bound as for `contains`; the characters cut off are those up to U+0020 (in the table,
//!   the blank only); the result may be empty, and then all of `s` is cut off.
//! - `concat`: the lengths must add up; the table leaves that to the integer constraints.
//! - `substring` is `str.substr`: total, shorter at the end, empty outside.
//!
//! Operations that the table does not have follow the same pattern. Where an operation scans its argument
//! (`replaceAll`), the scan's position is a state with a Boolean term; every such scan is deterministic, so
//! the formula describes exactly one run and is equivalent to the operation. Membership in a language runs
//! the automaton of [`Derivatives`] over the positions, through its states as Boolean terms.

#![deny(clippy::wildcard_enum_match_arm, reason = "a new relation must not be taken for another")]

use std::collections::BTreeMap;
use std::sync::Arc;

use backends_api::{BackendError, Budget};
use backends_fold::{Limits, matches};
use backends_graph::{Edge, IntAssignment, IntVertex, Relation, StringGraph, StringVertex};
use harness_model::int::Int;
use harness_model::{Char, Regex};

use crate::derivatives::Derivatives;
use crate::operations::{character, digits, inside, places};
use crate::solver::BitVectorTerms;
use crate::words::{BoolTerm, Formulas, Truth, Word};

/// Encodes the edges of one graph under one guess.
pub(crate) struct Encoder<'a, T: BitVectorTerms> {
    pub(crate) formulas: Formulas<'a, T>,
    pub(crate) graph: &'a StringGraph,
    pub(crate) guess: IntAssignment<'a>,
    /// By vertex; of the guessed lengths.
    pub(crate) words: &'a [Word<T::Bits>],
    pub(crate) languages: &'a mut Derivatives,
    pub(crate) budget: &'a Budget,
}

/// A formula, or why there is none.
type Encoded<T> = Result<Truth<T>, BackendError>;

/// The ends that a match may have, each with the condition under which it has that end.
type Ends<T> = Vec<(usize, Truth<T>)>;

impl<'a, T: BitVectorTerms> Encoder<'a, T> {
    fn word(&self, vertex: StringVertex) -> &'a Word<T::Bits> {
        &self.words[vertex.index()]
    }

    fn len(&self, vertex: StringVertex) -> usize {
        self.word(vertex).len()
    }

    fn int(&self, vertex: IntVertex) -> &'a Int {
        self.guess.int(vertex)
    }

    /// The encoding of `edge`.
    pub(crate) fn edge(&mut self, edge: &Edge) -> Encoded<T> {
        let holds = self.relation(&edge.relation)?;
        Ok(if edge.positive { holds } else { self.formulas.not(&holds) })
    }

    fn relation(&mut self, relation: &Relation) -> Encoded<T> {
        self.budget.tick()?;
        let f = self.formulas;
        let w = |vertex: &StringVertex| self.word(*vertex);
        Ok(match relation {
            Relation::Equal { a, b } => f.equal(w(a), w(b)),
            Relation::StartsWith { s, t } => f.stands_at(w(s), w(t), 0),
            Relation::EndsWith { s, t } => match self.len(*s).checked_sub(self.len(*t)) {
                Some(at) => f.stands_at(w(s), w(t), at),
                None => BoolTerm::FALSE,
            },
            Relation::Contains { s, t } => f.any(places(w(s), w(t)).map(|at| f.stands_at(w(s), w(t), at))),
            Relation::Less { s, t } => f.is_before(w(s), w(t), self.len(*s) < self.len(*t)),
            Relation::LessEqual { s, t } => f.is_before(w(s), w(t), self.len(*s) <= self.len(*t)),
            Relation::InRe { s, regex } => {
                let (word, regex) = (w(s), Arc::clone(regex));
                self.membership(word, &regex)?
            }
            Relation::IsDigit { s } => match (self.len(*s), w(s).letter(0)) {
                (1, Some(letter)) => f.is_in(&letter, &digits()),
                _ => BoolTerm::FALSE,
            },
            Relation::Concat { a, b, r } => {
                f.spliced(w(r), &[(w(a), 0, self.len(*a)), (w(b), 0, self.len(*b))])
            }
            Relation::CharAt { s, i, c } => match inside(self.int(*i), self.len(*s)) {
                Some(at) => f.code_is(w(s).letter(at), self.int(*c)),
                None => BoolTerm::FALSE,
            },
            Relation::At { s, i, r } => match inside(self.int(*i), self.len(*s)) {
                Some(at) => f.spliced(w(r), &[(w(s), at, 1)]),
                None => BoolTerm::Known(self.len(*r) == 0),
            },
            Relation::Substr { s, from, count, r } => {
                let (length, count) = (self.len(*s), self.int(*count));
                match inside(self.int(*from), length) {
                    Some(at) if *count > Int::ZERO => {
                        let left = length - at;
                        let count = count.position(left).unwrap_or(left);
                        f.spliced(w(r), &[(w(s), at, count)])
                    }
                    _ => BoolTerm::Known(self.len(*r) == 0),
                }
            }
            Relation::IndexOf { s, t, from, i } => {
                let from = self.int(*from).position(self.len(*s));
                let places: Vec<usize> =
                    from.map_or_else(Vec::new, |from| places(w(s), w(t)).filter(|&p| p >= from).collect());
                f.first_place(w(s), w(t), &places, self.int(*i))
            }
            Relation::LastIndexOf { s, t, from, i } => {
                let from = self.int(*from);
                let reached = |p: &usize| Int::from(*p) <= *from;
                let places: Vec<usize> = places(w(s), w(t)).filter(reached).rev().collect();
                f.first_place(w(s), w(t), &places, self.int(*i))
            }
            Relation::Trim { s, r } => f.trimmed(w(s), w(r)),
            Relation::Replace { s, t, by, r } => f.replaced(w(s), w(t), w(by), w(r)),
            Relation::ReplaceAll { s, t, by, r } => {
                let (s, t) = (w(s), w(t));
                let none = t.len() == 0;
                let (by, r) = (w(by), w(r));
                self.scanned(s, by, r, |at| {
                    let here = if none { BoolTerm::FALSE } else { f.stands_at(s, t, at) };
                    vec![(at + t.len(), here)]
                })?
            }
            Relation::ReplaceRe { s, regex, by, r } => {
                let (s, by, r, regex) = (w(s), w(by), w(r), Arc::clone(regex));
                self.replaced_match(s, &regex, by, r)?
            }
            Relation::ReplaceReAll { s, regex, by, r } => {
                let (s, by, r, regex) = (w(s), w(by), w(r), Arc::clone(regex));
                let mut matches = Vec::new();
                for at in 0..s.len() {
                    matches.push(self.shortest(s, at, &regex, 1)?);
                }
                self.scanned(s, by, r, |at| matches.get(at).cloned().unwrap_or_default())?
            }
            Relation::ToLower { s, r } => f.mapped(w(s), w(r), b'A', 0x20),
            Relation::ToUpper { s, r } => f.mapped(w(s), w(r), b'a', -0x20),
            Relation::ToCode { s, c } => match self.len(*s) {
                1 => f.code_is(w(s).letter(0), self.int(*c)),
                _ => BoolTerm::Known(*self.int(*c) == Int::MINUS_ONE),
            },
            Relation::FromCode { c, r } => match character(self.int(*c), self.graph.alphabet()) {
                Some(character) => f.spells(w(r), &[character]),
                None => BoolTerm::Known(self.len(*r) == 0),
            },
            Relation::ToInt { s, i } => f.writes(w(s), self.int(*i)),
            Relation::FromInt { i, r } => {
                let value = self.int(*i);
                let text = if value.is_negative() { String::new() } else { value.to_string() };
                f.spells(w(r), &text.bytes().map(Char::from).collect::<Vec<_>>())
            }
            Relation::CompareTo { s, t, i } => f.compared(w(s), w(t), self.int(*i)),
        })
    }

    /// That `word` is in the language of `regex`.
    fn membership(&mut self, word: &Word<T::Bits>, regex: &Regex) -> Encoded<T> {
        // A word that takes too many steps here is encoded like any other.
        if let Word::Known(word) = word
            && let Ok(inside) = matches(regex, word.chars(), Limits::default().steps)
        {
            return Ok(BoolTerm::Known(inside));
        }
        Ok(self.matches_from(word, 0, regex)?.pop().unwrap_or(BoolTerm::FALSE))
    }

    /// For each end from `start` on: that the part from `start` to there is in the language.
    fn matches_from(
        &mut self,
        word: &Word<T::Bits>,
        start: usize,
        regex: &Regex,
    ) -> Result<Vec<Truth<T>>, BackendError> {
        let f = self.formulas;
        let first = self.languages.state(regex, self.budget)?;
        let mut here: BTreeMap<u32, Truth<T>> = BTreeMap::from([(first, BoolTerm::TRUE)]);
        let mut accepted = Vec::with_capacity(word.len() + 1 - start);
        for at in start..=word.len() {
            let nullable = here.iter().filter(|(state, _)| self.languages.accepts(**state));
            accepted.push(f.any(nullable.map(|(_, reached)| reached.clone())));
            let Some(letter) = word.letter(at) else { break };
            let mut next: BTreeMap<u32, Vec<Truth<T>>> = BTreeMap::new();
            for (state, reached) in here {
                for (set, target) in self.languages.moves(state, self.budget)?.iter() {
                    self.budget.tick()?;
                    let moved = f.and(reached.clone(), f.is_in(&letter, set));
                    if !moved.is_false() {
                        next.entry(*target).or_default().push(moved);
                    }
                }
            }
            here = next.into_iter().map(|(state, ways)| (state, f.any(ways))).collect();
        }
        Ok(accepted)
    }

    /// The shortest match at `start` of at least `least` characters: each end it may have, with when it has
    /// that.
    fn shortest(
        &mut self,
        word: &Word<T::Bits>,
        start: usize,
        regex: &Regex,
        least: usize,
    ) -> Result<Ends<T>, BackendError> {
        let f = self.formulas;
        let accepted = self.matches_from(word, start, regex)?;
        let mut ways = Vec::new();
        let mut none = BoolTerm::TRUE;
        for (length, here) in accepted.into_iter().enumerate().skip(least) {
            let first = f.and(none.clone(), here.clone());
            if !first.is_false() {
                ways.push((start + length, first));
            }
            none = f.and(none, f.not(&here));
        }
        Ok(ways)
    }

    /// `r` is `s` with the leftmost of its shortest matches replaced by `by`.
    fn replaced_match(
        &mut self,
        s: &Word<T::Bits>,
        regex: &Regex,
        by: &Word<T::Bits>,
        r: &Word<T::Bits>,
    ) -> Encoded<T> {
        let f = self.formulas;
        let mut none = BoolTerm::TRUE;
        let mut cases = Vec::new();
        for start in 0..=s.len() {
            let ways = self.shortest(s, start, regex, 0)?;
            for (end, here) in &ways {
                let parts = [(s, 0, start), (by, 0, by.len()), (s, *end, s.len() - end)];
                let first = f.and(none.clone(), here.clone());
                cases.push(f.implies(&first, f.spliced(r, &parts)));
            }
            let nowhere = f.all(ways.iter().map(|(_, here)| f.not(here)));
            none = f.and(none, nowhere);
        }
        cases.push(f.implies(&none, f.equal(s, r)));
        Ok(f.all(cases))
    }

    /// `r` is what a scan of `s` from the left writes: at each position, where one of the matches that `ends`
    /// gives is (at most one is), `by`, and on from the match's end; else the character there.
    fn scanned(
        &self,
        s: &Word<T::Bits>,
        by: &Word<T::Bits>,
        r: &Word<T::Bits>,
        ends: impl Fn(usize) -> Ends<T>,
    ) -> Encoded<T> {
        let f = self.formulas;
        let mut cases = Vec::new();
        // Where the scan is in `s` and in `r`, with when it comes there. Matches are not empty, so positions
        // only grow.
        let mut here: BTreeMap<usize, BTreeMap<usize, Vec<Truth<T>>>> = BTreeMap::new();
        here.entry(0).or_default().insert(0, vec![BoolTerm::TRUE]);
        while let Some((read, places)) = here.pop_first() {
            let matches = if read < s.len() { ends(read) } else { Vec::new() };
            let nowhere = f.all(matches.iter().map(|(_, here)| f.not(here)));
            for (written, ways) in places {
                self.budget.tick()?;
                let reached = f.any(ways);
                if reached.is_false() {
                    continue;
                }
                if read == s.len() {
                    cases.push(f.implies(&reached, BoolTerm::Known(written == r.len())));
                    continue;
                }
                let mut go = |to: usize, wrote: usize, when: Truth<T>| {
                    here.entry(to).or_default().entry(wrote).or_default().push(when);
                };
                for (end, matched) in &matches {
                    let when = f.and(reached.clone(), matched.clone());
                    if when.is_false() {
                        continue;
                    }
                    cases.push(f.implies(&when, f.same(by, 0, r, written, by.len())));
                    go(*end, written + by.len(), when);
                }
                let when = f.and(reached, nowhere.clone());
                if !when.is_false() {
                    cases.push(f.implies(&when, f.same(s, read, r, written, 1)));
                    go(read + 1, written + 1, when);
                }
            }
        }
        Ok(f.all(cases))
    }
}

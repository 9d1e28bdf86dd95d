//! What an edge of a string graph says of bit-vectors, once every length and every integer is fixed.
//!
//! Source: the study's table 3.2, right-hand column. Differences, each because the table's formula is not the operation:
//!
//! - `contains`: the places where `t` may stand go up to and including |s| - |t|; the table stops one short.
//! - `indexOf`, `lastIndexOf`: that `t` stands at none of the other places is a conjunction; the table has a disjunction. The search
//!   starts at the edge's own `from`, and there is a case for -1, which the table leaves out.
//! - `trim`: the same bound as for `contains`; what is cut off are characters up to U+0020 (the table's blank), a result may be
//!   empty, and then all of `s` is cut off.
//! - `concat`: the lengths must add up; the table takes that from the integer constraints.
//! - `substring` is `str.substr`: total, shorter at the end, empty outside.
//!
//! Operations that the table does not have follow the same pattern. Where an operation scans its argument (`replaceAll`), the scan's
//! position is a state with a Boolean term; every such scan is deterministic, so exactly one run is described and both
//! directions of the equivalence hold. Membership in a language runs the automaton of [`Derivatives`] over the positions,
//! through its states as Boolean terms.

use std::collections::BTreeMap;
use std::sync::Arc;

use backends_api::{BackendError, Budget};
use backends_fold::{Limits, matches};
use backends_graph::{Edge, Guess, IntVertex, Relation, StringGraph, StringVertex};
use harness_model::int::Int;
use harness_model::{Alphabet, Char, CharSet, Regex};

use crate::derivatives::Derivatives;
use crate::words::{Fact, Letter, Word, before, differ_by, is_char, is_in, is_moved, same, stands_at};

/// Translates the edges of one graph under one guess.
pub(crate) struct Recipes<'a> {
    pub(crate) graph: &'a StringGraph,
    pub(crate) guess: Guess<'a>,
    /// By vertex; of the guessed lengths.
    pub(crate) words: &'a [Word],
    pub(crate) languages: &'a mut Derivatives,
    pub(crate) budget: &'a Budget,
}

type Said = Result<Fact, BackendError>;

impl<'a> Recipes<'a> {
    fn word(&self, vertex: StringVertex) -> &'a Word {
        &self.words[vertex.index()]
    }

    fn len(&self, vertex: StringVertex) -> usize {
        self.word(vertex).len()
    }

    fn int(&self, vertex: IntVertex) -> &'a Int {
        self.guess.int(vertex)
    }

    /// What `edge` says.
    pub(crate) fn edge(&mut self, edge: &Edge) -> Said {
        let fact = self.relation(&edge.relation)?;
        Ok(if edge.positive { fact } else { fact.not() })
    }

    fn relation(&mut self, relation: &Relation) -> Said {
        self.budget.tick()?;
        let w = |vertex: &StringVertex| self.word(*vertex);
        Ok(match relation {
            Relation::Equal { a, b } => equal(w(a), w(b)),
            Relation::StartsWith { s, t } => stands_at(w(s), w(t), 0),
            Relation::EndsWith { s, t } => match self.len(*s).checked_sub(self.len(*t)) {
                Some(at) => stands_at(w(s), w(t), at),
                None => Fact::NO,
            },
            Relation::Contains { s, t } => Fact::any(places(w(s), w(t)).map(|at| stands_at(w(s), w(t), at))),
            Relation::Less { s, t } => is_before(w(s), w(t), self.len(*s) < self.len(*t)),
            Relation::LessEqual { s, t } => is_before(w(s), w(t), self.len(*s) <= self.len(*t)),
            Relation::InRe { s, regex } => {
                let (word, regex) = (w(s), Arc::clone(regex));
                self.membership(word, &regex)?
            }
            Relation::IsDigit { s } => match (self.len(*s), w(s).letter(0)) {
                (1, Some(letter)) => is_in(&letter, &digits()),
                _ => Fact::NO,
            },
            Relation::Concat { a, b, r } => {
                spliced(w(r), &[(w(a), 0, self.len(*a)), (w(b), 0, self.len(*b))])
            }
            Relation::CharAt { s, i, c } => match inside(self.int(*i), self.len(*s)) {
                Some(at) => code_is(w(s).letter(at), self.int(*c)),
                None => Fact::NO,
            },
            Relation::At { s, i, r } => match inside(self.int(*i), self.len(*s)) {
                Some(at) => spliced(w(r), &[(w(s), at, 1)]),
                None => Fact::Known(self.len(*r) == 0),
            },
            Relation::Substr { s, from, count, r } => {
                let (length, count) = (self.len(*s), self.int(*count));
                match inside(self.int(*from), length) {
                    Some(at) if *count > Int::ZERO => {
                        let left = length - at;
                        let count = count.position(left).unwrap_or(left);
                        spliced(w(r), &[(w(s), at, count)])
                    }
                    _ => Fact::Known(self.len(*r) == 0),
                }
            }
            Relation::IndexOf { s, t, from, i } => {
                let from = self.int(*from).position(self.len(*s));
                let places: Vec<usize> =
                    from.map_or_else(Vec::new, |from| places(w(s), w(t)).filter(|&p| p >= from).collect());
                first_place(w(s), w(t), &places, self.int(*i))
            }
            Relation::LastIndexOf { s, t, from, i } => {
                let from = self.int(*from);
                let reached = |p: &usize| Int::from(*p) <= *from;
                let places: Vec<usize> = places(w(s), w(t)).filter(reached).rev().collect();
                first_place(w(s), w(t), &places, self.int(*i))
            }
            Relation::Trim { s, r } => trimmed(w(s), w(r)),
            Relation::Replace { s, t, by, r } => replaced(w(s), w(t), w(by), w(r)),
            Relation::ReplaceAll { s, t, by, r } => {
                let (s, t) = (w(s), w(t));
                let none = t.len() == 0;
                let (by, r) = (w(by), w(r));
                self.scanned(s, by, r, |at| {
                    let here = if none { Fact::NO } else { stands_at(s, t, at) };
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
            Relation::ToLower { s, r } => mapped(w(s), w(r), b'A', 0x20),
            Relation::ToUpper { s, r } => mapped(w(s), w(r), b'a', -0x20),
            Relation::ToCode { s, c } => match self.len(*s) {
                1 => code_is(w(s).letter(0), self.int(*c)),
                _ => Fact::Known(*self.int(*c) == Int::MINUS_ONE),
            },
            Relation::FromCode { c, r } => match character(self.int(*c), self.graph.alphabet()) {
                Some(character) => spells(w(r), &[character]),
                None => Fact::Known(self.len(*r) == 0),
            },
            Relation::ToInt { s, i } => number(w(s), self.int(*i)),
            Relation::FromInt { i, r } => {
                let value = self.int(*i);
                let text = if value.is_negative() { String::new() } else { value.to_string() };
                spells(w(r), &text.bytes().map(Char::from).collect::<Vec<_>>())
            }
            Relation::CompareTo { s, t, i } => compared(w(s), w(t), self.int(*i)),
        })
    }

    /// That `word` is in the language of `regex`.
    fn membership(&mut self, word: &Word, regex: &Regex) -> Said {
        // A word that takes too many steps here is encoded like any other.
        if let Word::Known(word) = word
            && let Ok(inside) = matches(regex, word.chars(), Limits::default().steps)
        {
            return Ok(Fact::Known(inside));
        }
        Ok(self.matches_from(word, 0, regex)?.pop().unwrap_or(Fact::NO))
    }

    /// For each end from `start` on: that the part from `start` to there is in the language.
    fn matches_from(&mut self, word: &Word, start: usize, regex: &Regex) -> Result<Vec<Fact>, BackendError> {
        let first = self.languages.state(regex, self.budget)?;
        let mut here: BTreeMap<u32, Fact> = BTreeMap::from([(first, Fact::YES)]);
        let mut accepted = Vec::with_capacity(word.len() + 1 - start);
        for at in start..=word.len() {
            let nullable = here.iter().filter(|(state, _)| self.languages.accepts(**state));
            accepted.push(Fact::any(nullable.map(|(_, reached)| reached.clone())));
            let Some(letter) = word.letter(at) else { break };
            let mut next: BTreeMap<u32, Vec<Fact>> = BTreeMap::new();
            for (state, reached) in here {
                for (set, target) in self.languages.moves(state, self.budget)?.iter() {
                    self.budget.tick()?;
                    let moved = reached.clone().and(is_in(&letter, set));
                    if !moved.is_no() {
                        next.entry(*target).or_default().push(moved);
                    }
                }
            }
            here = next.into_iter().map(|(state, ways)| (state, Fact::any(ways))).collect();
        }
        Ok(accepted)
    }

    /// The shortest match at `start` of at least `least` characters: each end it may have, with when it has that.
    fn shortest(
        &mut self,
        word: &Word,
        start: usize,
        regex: &Regex,
        least: usize,
    ) -> Result<Vec<(usize, Fact)>, BackendError> {
        let accepted = self.matches_from(word, start, regex)?;
        let mut ways = Vec::new();
        let mut none = Fact::YES;
        for (length, fact) in accepted.into_iter().enumerate().skip(least) {
            let first = none.clone().and(fact.clone());
            if !first.is_no() {
                ways.push((start + length, first));
            }
            none = none.and(fact.not());
        }
        Ok(ways)
    }

    /// `r` is `s` with the leftmost of its shortest matches replaced by `by`.
    fn replaced_match(&mut self, s: &Word, regex: &Regex, by: &Word, r: &Word) -> Said {
        let mut none = Fact::YES;
        let mut facts = Vec::new();
        for start in 0..=s.len() {
            let ways = self.shortest(s, start, regex, 0)?;
            for (end, here) in &ways {
                let parts = [(s, 0, start), (by, 0, by.len()), (s, *end, s.len() - end)];
                facts.push(none.clone().and(here.clone()).implies(spliced(r, &parts)));
            }
            let nowhere = Fact::all(ways.iter().map(|(_, here)| here.not()));
            none = none.and(nowhere);
        }
        facts.push(none.implies(equal(s, r)));
        Ok(Fact::all(facts))
    }

    /// `r` is what a scan of `s` from the left writes: at each position, where one of `matches` holds (at most one does), `by`,
    /// and on from the match's end; else the character there.
    fn scanned(&self, s: &Word, by: &Word, r: &Word, matches: impl Fn(usize) -> Vec<(usize, Fact)>) -> Said {
        let mut facts = Vec::new();
        // Where the scan is in `s` and in `r`, with when it comes there. Matches are not empty, so positions only grow.
        let mut here: BTreeMap<usize, BTreeMap<usize, Vec<Fact>>> = BTreeMap::new();
        here.entry(0).or_default().insert(0, vec![Fact::YES]);
        while let Some((read, places)) = here.pop_first() {
            let matches = if read < s.len() { matches(read) } else { Vec::new() };
            let nowhere = Fact::all(matches.iter().map(|(_, fact)| fact.not()));
            for (written, ways) in places {
                self.budget.tick()?;
                let reached = Fact::any(ways);
                if reached.is_no() {
                    continue;
                }
                if read == s.len() {
                    facts.push(reached.implies(Fact::Known(written == r.len())));
                    continue;
                }
                let mut go = |to: usize, wrote: usize, when: Fact| {
                    here.entry(to).or_default().entry(wrote).or_default().push(when);
                };
                for (end, fact) in &matches {
                    let when = reached.clone().and(fact.clone());
                    if when.is_no() {
                        continue;
                    }
                    facts.push(when.implies(same(by, 0, r, written, by.len())));
                    go(*end, written + by.len(), when);
                }
                let when = reached.and(nowhere.clone());
                if !when.is_no() {
                    facts.push(when.implies(same(s, read, r, written, 1)));
                    go(read + 1, written + 1, when);
                }
            }
        }
        Ok(Fact::all(facts))
    }
}

fn digits() -> CharSet {
    CharSet::range(Char(0x30), Char(0x39))
}

/// The characters that Java's `trim` cuts off.
fn blanks() -> CharSet {
    CharSet::range(Char(0), Char(0x20))
}

/// As a position of a character.
fn inside(position: &Int, length: usize) -> Option<usize> {
    position.position(length).filter(|&p| p < length)
}

fn character(code: &Int, alphabet: Alphabet) -> Option<Char> {
    u32::try_from(code.small()?).ok().map(Char).filter(|&c| alphabet.contains(c))
}

/// Where `t` may stand in `s`.
fn places(s: &Word, t: &Word) -> std::ops::Range<usize> {
    s.len().checked_sub(t.len()).map_or(0..0, |last| 0..last + 1)
}

fn equal(a: &Word, b: &Word) -> Fact {
    if a.len() == b.len() { same(a, 0, b, 0, a.len()) } else { Fact::NO }
}

fn spells(word: &Word, chars: &[Char]) -> Fact {
    if word.len() != chars.len() {
        return Fact::NO;
    }
    Fact::all(word.letters().zip(chars).map(|(letter, &c)| is_char(&letter, c)))
}

fn code_is(letter: Option<Letter>, code: &Int) -> Fact {
    let code = code.small().and_then(|c| u32::try_from(c).ok()).map(Char);
    match (letter, code) {
        (Some(letter), Some(code)) => is_char(&letter, code),
        _ => Fact::NO,
    }
}

/// `s` is before `t`, or what they have in common is the same and `tie`.
fn is_before(s: &Word, t: &Word, tie: bool) -> Fact {
    let common = s.len().min(t.len());
    let equal = same(s, 0, t, 0, common).and(Fact::Known(tie));
    Fact::any([before(s, t, common), equal])
}

/// `r` is the parts (word, start, count) one after the other.
fn spliced(r: &Word, parts: &[(&Word, usize, usize)]) -> Fact {
    if r.len() != parts.iter().map(|(_, _, count)| count).sum::<usize>() {
        return Fact::NO;
    }
    let mut at = 0;
    Fact::all(parts.iter().map(|&(word, start, count)| {
        let fact = same(word, start, r, at, count);
        at += count;
        fact
    }))
}

/// `i` is the first of `places` where `t` stands in `s`, or -1 when it stands at none of them.
fn first_place(s: &Word, t: &Word, places: &[usize], i: &Int) -> Fact {
    let absent = |places: &[usize]| Fact::all(places.iter().map(|&p| stands_at(s, t, p).not()));
    if *i == Int::MINUS_ONE {
        return absent(places);
    }
    match places.iter().position(|&p| Int::from(p) == *i) {
        Some(at) => stands_at(s, t, places[at]).and(absent(&places[..at])),
        None => Fact::NO,
    }
}

fn trimmed(s: &Word, r: &Word) -> Fact {
    let blank = |at: usize| s.letter(at).map_or(Fact::NO, |letter| is_in(&letter, &blanks()));
    let (Some(first), Some(last)) = (r.letter(0), r.letter(r.len().wrapping_sub(1))) else {
        return Fact::all((0..s.len()).map(blank));
    };
    let whole = Fact::any(places(s, r).map(|at| {
        let cut = (0..at).chain(at + r.len()..s.len()).map(blank);
        Fact::all(cut.chain([stands_at(s, r, at)]))
    }));
    Fact::all([is_in(&first, &blanks()).not(), is_in(&last, &blanks()).not(), whole])
}

fn replaced(s: &Word, t: &Word, by: &Word, r: &Word) -> Fact {
    let mut none = Fact::YES;
    let mut facts = Vec::new();
    for at in places(s, t) {
        let here = stands_at(s, t, at);
        let after = at + t.len();
        let parts = [(s, 0, at), (by, 0, by.len()), (s, after, s.len() - after)];
        facts.push(none.clone().and(here.clone()).implies(spliced(r, &parts)));
        none = none.and(here.not());
    }
    facts.push(none.implies(equal(s, r)));
    Fact::all(facts)
}

/// `r` is `s` with the 26 letters from `first` on moved by `distance`.
fn mapped(s: &Word, r: &Word, first: u8, distance: i32) -> Fact {
    if s.len() != r.len() {
        return Fact::NO;
    }
    let letters = CharSet::range(Char::from(first), Char::from(first + 25));
    Fact::all(s.letters().zip(r.letters()).map(|(from, to)| is_moved(&from, &letters, distance, &to)))
}

/// `i` is the number that `s` writes, -1 when it writes none.
fn number(s: &Word, i: &Int) -> Fact {
    if *i == Int::MINUS_ONE {
        let other = s.letters().map(|letter| is_in(&letter, &digits()).not());
        return if s.len() == 0 { Fact::YES } else { Fact::any(other) };
    }
    let text = i.to_string();
    match s.len().checked_sub(text.len()) {
        Some(zeros) if !i.is_negative() => {
            let padded = std::iter::repeat_n(b'0', zeros).chain(text.bytes());
            spells(s, &padded.map(Char::from).collect::<Vec<_>>())
        }
        _ => Fact::NO,
    }
}

/// `i` is Java's `compareTo` of `s` and `t`.
fn compared(s: &Word, t: &Word, i: &Int) -> Fact {
    let common = s.len().min(t.len());
    let lengths = Int::from(s.len()).sub(&Int::from(t.len()));
    let tie = same(s, 0, t, 0, common).and(Fact::Known(lengths == *i));
    let mut ways = vec![tie];
    if let Some(difference) = i.small().filter(|&i| i != 0) {
        for (at, (a, b)) in s.letters().zip(t.letters()).enumerate() {
            ways.push(same(s, 0, t, 0, at).and(differ_by(&a, &b, difference)));
        }
    }
    Fact::any(ways)
}

//! Membership by derivatives.
//!
//! The derivative of a language by a character is what may follow that character. A word is in a language
//! when the empty word is in the language that is left after all of its characters. Expressions are kept in
//! one arena, equal ones once, and each derivative is computed once, so that a long word over few characters
//! costs little more than one look-up a character.
//!
//! Invariants: children come before the nodes that use them; a node is what its constructor makes of it, with
//! the laws applied that keep derivatives finite in number: unions and intersections are flat, sorted and
//! without duplicates, concatenations lean to the right, and repeats of one expression that a union has in
//! the same place are one repeat. Nothing recurses, however deep the expression is.
//!
//! Source: Brzozowski, *Derivatives of Regular Expressions*, JACM 11(4), 1964; the laws as in Owens, Reppy
//! and Turon, *Regular-expression derivatives re-examined*, JFP 19(2), 2009; repeats of one expression as
//! intervals of counts.

use harness_model::{Char, CharSet, Regex};
use rustc_hash::FxHashMap;

use crate::failure::{Failure, Limit};

/// A node of the arena.
type Id = u32;

const EMPTY: Id = 0;
const EPSILON: Id = 1;
/// Every word: the complement of [`EMPTY`].
const ALL: Id = 2;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Empty,
    Epsilon,
    /// One character, of this set.
    Set(u32),
    /// A first part, which is no concatenation, and the rest.
    Concat(Id, Id),
    Union(Box<[Id]>),
    Inter(Box<[Id]>),
    Complement(Id),
    Repeat {
        inner: Id,
        min: u32,
        max: Option<u32>,
    },
}

/// A repeat with what stands before and behind it in a concatenation: what members of a union must share to
/// be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Around {
    before: Option<Id>,
    inner: Id,
    behind: Option<Id>,
}

/// Expressions and their derivatives.
#[derive(Debug)]
pub(crate) struct Derivatives {
    nodes: Vec<Node>,
    /// By node: whether the empty word is in it.
    nullable: Vec<bool>,
    ids: FxHashMap<Node, Id>,
    sets: Vec<CharSet>,
    set_ids: FxHashMap<CharSet, u32>,
    known: FxHashMap<(Id, Char), Id>,
    /// Steps that may still be taken; a step is about a node that is made.
    left: u64,
}

impl Derivatives {
    /// No expressions yet, and this many steps for all that follows.
    pub(crate) fn new(steps: u64) -> Self {
        let mut this = Self {
            nodes: Vec::new(),
            nullable: Vec::new(),
            ids: FxHashMap::default(),
            sets: Vec::new(),
            set_ids: FxHashMap::default(),
            known: FxHashMap::default(),
            left: steps,
        };
        this.intern(Node::Empty, false);
        this.intern(Node::Epsilon, true);
        this.intern(Node::Complement(EMPTY), true);
        this
    }

    fn step(&mut self, count: usize) -> Result<(), Failure> {
        self.left = self.left.checked_sub(count as u64).ok_or(Failure::Limit(Limit::Steps))?;
        Ok(())
    }

    /// Whether `word` is in the language of `root`.
    pub(crate) fn accepts(&mut self, root: Id, word: &[Char]) -> Result<bool, Failure> {
        let mut node = root;
        for &c in word {
            node = self.derivative(node, c)?;
            if node == EMPTY {
                return Ok(false);
            }
        }
        Ok(self.is_nullable(node))
    }

    /// The end of the shortest match of `root` that starts where `word` does.
    pub(crate) fn shortest_match(&mut self, root: Id, word: &[Char]) -> Result<Option<usize>, Failure> {
        let mut node = root;
        for (i, &c) in word.iter().enumerate() {
            if self.is_nullable(node) {
                return Ok(Some(i));
            }
            if node == EMPTY {
                return Ok(None);
            }
            node = self.derivative(node, c)?;
        }
        Ok(self.is_nullable(node).then_some(word.len()))
    }

    /// For each position of `word`, its end included: whether a match of the expression starts there whose
    /// mirror image `mirrored` is.
    pub(crate) fn starts(&mut self, mirrored: Id, word: &[Char]) -> Result<Vec<bool>, Failure> {
        let mut node = self.concat(ALL, mirrored)?;
        let mut starts = vec![false; word.len() + 1];
        starts[word.len()] = self.is_nullable(node);
        for (i, &c) in word.iter().enumerate().rev() {
            node = self.derivative(node, c)?;
            starts[i] = self.is_nullable(node);
        }
        Ok(starts)
    }

    /// The words of `id` that are not empty.
    pub(crate) fn without_empty_word(&mut self, id: Id) -> Result<Id, Failure> {
        let nonempty = self.complement(EPSILON);
        self.inter([id, nonempty].into())
    }

    fn is_nullable(&self, id: Id) -> bool {
        self.nullable[id as usize]
    }

    /// The node of an expression; of its mirror image, with every word read backwards, if `mirrored`.
    #[expect(clippy::expect_used, reason = "each part is pushed before the expression is made of it")]
    pub(crate) fn of_regex(&mut self, regex: &Regex, mirrored: bool) -> Result<Id, Failure> {
        enum Todo<'r> {
            Visit(&'r Regex),
            Make(&'r Regex),
        }
        let mut todo = vec![Todo::Visit(regex)];
        let mut done: Vec<Id> = Vec::new();
        while let Some(next) = todo.pop() {
            self.step(1)?;
            let regex = match next {
                Todo::Visit(regex) => {
                    todo.push(Todo::Make(regex));
                    match regex {
                        Regex::Concat(parts) | Regex::Union(parts) | Regex::Inter(parts) => {
                            todo.extend(parts.iter().map(Todo::Visit));
                        }
                        Regex::Complement(inner) | Regex::Repeat { inner, .. } => {
                            todo.push(Todo::Visit(inner));
                        }
                        Regex::Empty | Regex::Epsilon | Regex::Set(_) => {}
                    }
                    continue;
                }
                Todo::Make(regex) => regex,
            };
            let mut one = || done.pop().expect("the part of an expression is made before it");
            let made = match regex {
                Regex::Empty => EMPTY,
                Regex::Epsilon => EPSILON,
                Regex::Set(set) => self.set(set),
                Regex::Complement(_) => {
                    let inner = one();
                    self.complement(inner)
                }
                Regex::Repeat { min, max, .. } => {
                    let inner = one();
                    self.repeat(inner, *min, *max)
                }
                Regex::Concat(parts) => {
                    // The parts were visited from the last to the first, so the last lies undermost.
                    let mut parts = done.split_off(done.len() - parts.len());
                    if mirrored {
                        parts.reverse();
                    }
                    let mut all = EPSILON;
                    for part in parts {
                        all = self.concat(part, all)?;
                    }
                    all
                }
                Regex::Union(parts) => {
                    let parts = done.split_off(done.len() - parts.len());
                    self.union(parts)?
                }
                Regex::Inter(parts) => {
                    let parts = done.split_off(done.len() - parts.len());
                    self.inter(parts)?
                }
            };
            done.push(made);
        }
        Ok(done.pop().expect("the whole expression is made last"))
    }

    /// The language of what may follow `character` in the language of `root`.
    fn derivative(&mut self, root: Id, character: Char) -> Result<Id, Failure> {
        if let Some(&known) = self.known.get(&(root, character)) {
            return Ok(known);
        }
        let mut todo = vec![root];
        let mut missing: Vec<Id> = Vec::new();
        while let Some(&id) = todo.last() {
            if self.known.contains_key(&(id, character)) {
                todo.pop();
                continue;
            }
            missing
                .extend(self.needed(id).iter().filter(|part| !self.known.contains_key(&(**part, character))));
            self.step(1 + missing.len())?;
            if missing.is_empty() {
                let made = self.derive(id, character)?;
                self.known.insert((id, character), made);
                todo.pop();
            } else {
                todo.append(&mut missing);
            }
        }
        Ok(self.known[&(root, character)])
    }

    /// The nodes whose derivatives that of `id` is made of.
    fn needed(&self, id: Id) -> Box<[Id]> {
        match &self.nodes[id as usize] {
            Node::Empty | Node::Epsilon | Node::Set(_) => Box::new([]),
            Node::Concat(first, rest) if self.is_nullable(*first) => Box::new([*first, *rest]),
            Node::Concat(first, _) => Box::new([*first]),
            Node::Union(parts) | Node::Inter(parts) => parts.clone(),
            Node::Complement(inner) | Node::Repeat { inner, .. } => Box::new([*inner]),
        }
    }

    fn derive(&mut self, id: Id, character: Char) -> Result<Id, Failure> {
        let node = self.nodes[id as usize].clone();
        match node {
            Node::Empty | Node::Epsilon => Ok(EMPTY),
            Node::Set(set) => Ok(if self.sets[set as usize].contains(character) { EPSILON } else { EMPTY }),
            Node::Concat(first, rest) => {
                let of_first = self.known[&(first, character)];
                let through = self.concat(of_first, rest)?;
                if self.is_nullable(first) {
                    let past = self.known[&(rest, character)];
                    self.union(vec![through, past])
                } else {
                    Ok(through)
                }
            }
            Node::Union(parts) => {
                let parts = parts.iter().map(|part| self.known[&(*part, character)]).collect();
                self.union(parts)
            }
            Node::Inter(parts) => {
                let parts = parts.iter().map(|part| self.known[&(*part, character)]).collect();
                self.inter(parts)
            }
            Node::Complement(inner) => {
                let inner = self.known[&(inner, character)];
                Ok(self.complement(inner))
            }
            // Where the empty word is in `inner`, `min` is zero: rounds can be empty instead of left out.
            Node::Repeat { inner, min, max } => {
                let rest = self.repeat(inner, min.saturating_sub(1), max.map(|max| max - 1));
                let of_inner = self.known[&(inner, character)];
                self.concat(of_inner, rest)
            }
        }
    }

    #[expect(clippy::expect_used, reason = "the limit on steps is far below 2^32")]
    fn intern(&mut self, node: Node, nullable: bool) -> Id {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = Id::try_from(self.nodes.len()).expect("fewer than 2^32 expressions");
        self.ids.insert(node.clone(), id);
        self.nodes.push(node);
        self.nullable.push(nullable);
        id
    }

    #[expect(clippy::expect_used, reason = "the limit on steps is far below 2^32")]
    fn set(&mut self, set: &CharSet) -> Id {
        if set.is_empty() {
            return EMPTY;
        }
        let place = match self.set_ids.get(set) {
            Some(&place) => place,
            None => {
                let place = u32::try_from(self.sets.len()).expect("fewer than 2^32 sets");
                self.sets.push(set.clone());
                self.set_ids.insert(set.clone(), place);
                place
            }
        };
        self.intern(Node::Set(place), false)
    }

    fn complement(&mut self, id: Id) -> Id {
        match self.nodes[id as usize] {
            Node::Complement(inner) => inner,
            _ => {
                let nullable = !self.is_nullable(id);
                self.intern(Node::Complement(id), nullable)
            }
        }
    }

    fn repeat(&mut self, inner: Id, min: u32, max: Option<u32>) -> Id {
        let min = if self.is_nullable(inner) && max.is_none_or(|max| min <= max) { 0 } else { min };
        match (min, max) {
            (min, Some(max)) if max < min => EMPTY,
            (_, Some(0)) => EPSILON,
            (1, Some(1)) => inner,
            _ if inner == EPSILON || inner == EMPTY && min == 0 => EPSILON,
            _ if inner == EMPTY => EMPTY,
            _ if inner == ALL => ALL,
            _ => self.intern(Node::Repeat { inner, min, max }, min == 0),
        }
    }

    fn concat(&mut self, first: Id, rest: Id) -> Result<Id, Failure> {
        if first == EMPTY || rest == EMPTY {
            return Ok(EMPTY);
        }
        // Lean to the right: the parts of `first` one by one, before `rest`.
        let mut parts = Vec::new();
        let mut last = first;
        while let Node::Concat(part, more) = self.nodes[last as usize] {
            parts.push(part);
            last = more;
        }
        parts.push(last);
        self.step(parts.len())?;
        let mut all = rest;
        for part in parts.into_iter().rev() {
            all = match (part, all) {
                (EPSILON, all) => all,
                (part, EPSILON) => part,
                (ALL, ALL) => ALL,
                (part, all) => {
                    let nullable = self.is_nullable(part) && self.is_nullable(all);
                    self.intern(Node::Concat(part, all), nullable)
                }
            };
        }
        Ok(all)
    }

    fn union(&mut self, parts: Vec<Id>) -> Result<Id, Failure> {
        let mut all = Vec::with_capacity(parts.len());
        for part in parts {
            match &self.nodes[part as usize] {
                Node::Union(inner) => all.extend_from_slice(inner),
                Node::Empty => {}
                _ => all.push(part),
            }
        }
        self.step(all.len())?;
        self.join_repeats(&mut all, true);
        self.join_repeats(&mut all, false);
        all.sort_unstable();
        all.dedup();
        if all.contains(&ALL) {
            return Ok(ALL);
        }
        if all.iter().any(|&part| part != EPSILON && self.is_nullable(part)) {
            all.retain(|&part| part != EPSILON);
        }
        Ok(match all.as_slice() {
            [] => EMPTY,
            [one] => *one,
            _ => {
                let nullable = all.iter().any(|&part| self.is_nullable(part));
                self.intern(Node::Union(all.into()), nullable)
            }
        })
    }

    fn inter(&mut self, parts: Vec<Id>) -> Result<Id, Failure> {
        let mut all = Vec::with_capacity(parts.len());
        for part in parts {
            match &self.nodes[part as usize] {
                Node::Inter(inner) => all.extend_from_slice(inner),
                _ if part == ALL => {}
                _ => all.push(part),
            }
        }
        self.step(all.len())?;
        all.sort_unstable();
        all.dedup();
        if all.contains(&EMPTY) {
            return Ok(EMPTY);
        }
        Ok(match all.as_slice() {
            [] => ALL,
            [one] => *one,
            _ => {
                let nullable = all.iter().all(|&part| self.is_nullable(part));
                self.intern(Node::Inter(all.into()), nullable)
            }
        })
    }

    /// Makes one repeat of members of a union that repeat one expression in the same place, where their
    /// counts overlap or follow each other: `a{1,3} | a{2,5}` is `a{1,5}`. Without this, counters would be
    /// counted out one by one. `after_first` looks for repeats behind a first part, else for repeats that
    /// come first.
    fn join_repeats(&mut self, members: &mut Vec<Id>, after_first: bool) {
        if members.len() < 2 {
            return;
        }
        let mut repeats: Vec<(Around, u32, Option<u32>)> = Vec::new();
        members.retain(|&member| match self.repeat_in(member, after_first) {
            Some(repeat) => {
                repeats.push(repeat);
                false
            }
            None => true,
        });
        repeats.sort_unstable();
        let mut joined: Vec<(Around, u32, Option<u32>)> = Vec::new();
        for (around, min, max) in repeats {
            match joined.last_mut() {
                Some((last, _, most))
                    if *last == around && most.is_none_or(|most| min <= most.saturating_add(1)) =>
                {
                    *most = most.zip(max).map(|(a, b)| a.max(b));
                }
                _ => joined.push((around, min, max)),
            }
        }
        for (Around { before, inner, behind }, min, max) in joined {
            let mut member = self.repeat(inner, min, max);
            if let Some(behind) = behind {
                member = self.pair(member, behind);
            }
            if let Some(before) = before {
                member = self.pair(before, member);
            }
            members.push(member);
        }
    }

    /// `first` and `rest`, of which neither is empty and `first` is no concatenation.
    fn pair(&mut self, first: Id, rest: Id) -> Id {
        let nullable = self.is_nullable(first) && self.is_nullable(rest);
        self.intern(Node::Concat(first, rest), nullable)
    }

    /// The repeat at the front of `member`, or behind its first part.
    fn repeat_in(&self, member: Id, after_first: bool) -> Option<(Around, u32, Option<u32>)> {
        let (before, member) = match self.nodes[member as usize] {
            Node::Concat(first, rest) if after_first => (Some(first), rest),
            _ if after_first => return None,
            _ => (None, member),
        };
        let (repeat, behind) = match self.nodes[member as usize] {
            Node::Concat(first, rest) => (first, Some(rest)),
            _ => (member, None),
        };
        match self.nodes[repeat as usize] {
            Node::Repeat { inner, min, max } => Some((Around { before, inner, behind }, min, max)),
            _ => None,
        }
    }
}

/// Whether `word`, as a whole, is in the language of `regex`.
///
/// # Errors
///
/// [`Limit::Steps`] where that takes more than `steps`, each of them about an expression that is made.
///
/// ```
/// use backends_fold::{Limits, matches};
/// use harness_model::{Regex, SmtString};
///
/// let ab = Regex::literal(&SmtString::from("ab")).star();
/// let holds = |word: &str| matches(&ab, SmtString::from(word).chars(), Limits::default().steps);
/// assert_eq!(holds("abab"), Ok(true));
/// assert_eq!(holds("aba"), Ok(false));
/// ```
pub fn matches(regex: &Regex, word: &[Char], steps: u64) -> Result<bool, Failure> {
    let mut derivatives = Derivatives::new(steps);
    let root = derivatives.of_regex(regex, false)?;
    derivatives.accepts(root, word)
}

#[cfg(test)]
mod tests {
    use harness_model::SmtString;

    use super::*;

    const STEPS: u64 = 1 << 22;

    fn lit(text: &str) -> Regex {
        Regex::literal(&SmtString::from(text))
    }

    fn holds(regex: &Regex, word: &str) -> bool {
        matches(regex, SmtString::from(word).chars(), STEPS).unwrap()
    }

    #[test]
    fn large_counts_cost_no_more_than_the_word() {
        let a = lit("a");
        let nested = Regex::union([a.clone(), lit("aa")]).repeat(1, Some(1000)).repeat(1, Some(1000));
        assert!(holds(&nested, &"a".repeat(200)));
        assert!(!holds(&nested, &format!("{}b", "a".repeat(200))));
        assert!(holds(&a.clone().repeat(1, Some(50_000)), &"a".repeat(50_000)));
        assert!(!holds(&a.clone().repeat(u32::MAX, None), "a"));
        assert!(holds(&Regex::Epsilon.repeat(u32::MAX, Some(u32::MAX)), ""));
        assert!(!holds(&a.clone().repeat(3, Some(2)), ""));
        let maybe = Regex::union([Regex::Epsilon, a]);
        assert!(holds(&maybe.repeat(1_000_000, None), "aaa"));
    }

    #[test]
    fn a_repeat_of_words_of_several_lengths() {
        let two_or_five = Regex::union([lit("aa"), lit("aaaaa")]);
        for n in 0..40 {
            let exactly_four = (0..=4).any(|fives| 5 * fives + 2 * (4 - fives) == n);
            assert_eq!(holds(&two_or_five.clone().repeat(4, Some(4)), &"a".repeat(n)), exactly_four, "{n}");
        }
    }

    #[test]
    fn deep_expressions_do_not_overflow_and_large_ones_stop() {
        let mut deep = lit("a");
        for _ in 0..4000 {
            deep = Regex::Complement(Regex::concat([deep, lit("b")]).into());
        }
        // What counts is that there is an answer.
        let _ = holds(&deep, "ab");
        let mut shared = lit("a");
        for _ in 0..60 {
            shared = Regex::concat([shared.clone(), shared]);
        }
        assert_eq!(matches(&shared, &[], STEPS), Err(Failure::Limit(Limit::Steps)));
    }

    #[test]
    fn a_long_word_is_read_in_linear_time() {
        let any = Regex::set(CharSet::full(harness_model::Alphabet::Ascii)).star();
        let regex = Regex::concat([any.clone(), lit("xyz"), any]);
        assert!(holds(&regex, &format!("{}xyz{}", "xy".repeat(200_000), "z".repeat(1000))));
    }
}

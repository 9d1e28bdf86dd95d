//! The trusted comparison of languages: is every word of one expression a word of another?
//!
//! This is what a judge needs where a witness is not a word but a language: an assignment of languages to
//! variables is right when one language is included in another.
//!
//! Derivatives (Brzozowski 1964; Owens, Reppy and Turon 2009): the words of `r` that begin with `c` are `c`
//! followed by the words of the derivative of `r` by `c`. The search starts from the pair of the two
//! expressions and takes the derivatives of both sides by one character of each class that neither side tells
//! apart. A pair whose left side has the empty word and whose right side has not refutes the inclusion; when
//! no new pair is left, it holds. Expressions are kept in a normal form, in which unions and intersections
//! are sets, so that there are only finitely many derivatives. Each alternative of a union on the left is a
//! pair of its own: the left side need not be deterministic.
//!
//! The search is breadth first, so a word that refutes an inclusion is a shortest one. It shares no code with
//! [`crate::matcher`], nor with the automata of any backend.
//!
//! Cost: exponential in the size of the expressions at worst. A limit on the steps makes it give up. The
//! recursion is as deep as the expressions are nested; the readers of expressions limit that depth.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use harness_model::{Alphabet, Char, CharSet, Regex, SmtString};

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inclusion {
    /// It holds.
    Holds,
    /// It does not hold, as this word shows; there is no shorter one.
    Fails(SmtString),
    /// It would take more than the limit of steps to find out.
    Undecided,
}

/// Whether every word over `alphabet` in `left` is in `right`. A word that refutes it is in `left` and not in
/// `right`.
///
/// It takes at most `limit` steps. A step is an expression that is made, or a range of characters that is
/// looked at: at most about a microsecond. What is made is kept until the end, so the limit bounds the memory
/// too.
pub fn inclusion(left: &Regex, right: &Regex, alphabet: Alphabet, limit: u64) -> Inclusion {
    let mut terms = Terms::new(alphabet, limit);
    match compare(&mut terms, left, right) {
        Ok(None) => Inclusion::Holds,
        Ok(Some(word)) => Inclusion::Fails(word),
        Err(OutOfSteps) => Inclusion::Undecided,
    }
}

/// Whether `left` and `right` have the same words over `alphabet`. A word that refutes it is in one of them.
/// It takes at most twice `limit` steps: see [`inclusion`].
pub fn equivalence(left: &Regex, right: &Regex, alphabet: Alphabet, limit: u64) -> Inclusion {
    let (there, back) = (inclusion(left, right, alphabet, limit), inclusion(right, left, alphabet, limit));
    match (there, back) {
        (Inclusion::Fails(one), Inclusion::Fails(other)) => {
            Inclusion::Fails(if other.len() < one.len() { other } else { one })
        }
        // Without the other direction nobody knows whether there is a shorter word.
        (Inclusion::Undecided, _) | (_, Inclusion::Undecided) => Inclusion::Undecided,
        (Inclusion::Holds, other) | (other, Inclusion::Holds) => other,
    }
}

/// The limit of steps was met.
struct OutOfSteps;

/// A pair that was reached: by which character, from the pair at which place.
struct Visit {
    left: Id,
    right: Id,
    from: Option<(usize, Char)>,
}

/// A shortest word of `left` that is not in `right`.
fn compare(terms: &mut Terms, left: &Regex, right: &Regex) -> Result<Option<SmtString>, OutOfSteps> {
    let (left, right) = (terms.read(left)?, terms.read(right)?);
    let mut visits: Vec<Visit> = Vec::new();
    let mut met: HashSet<(Id, Id)> = HashSet::new();
    let mut reach = |terms: &Terms, visits: &mut Vec<Visit>, left: Id, right: Id, from| {
        for left in terms.alternatives(left) {
            if !terms.is_included(left, right) && met.insert((left, right)) {
                visits.push(Visit { left, right, from });
            }
        }
    };
    reach(terms, &mut visits, left, right, None);
    let mut next = 0;
    while let Some(&Visit { left, right, .. }) = visits.get(next) {
        if terms.entry(left).nullable && !terms.entry(right).nullable {
            return Ok(Some(word_to(&visits, next)));
        }
        for c in terms.representatives(left, right)? {
            let (after_left, after_right) = (terms.derivative(left, c)?, terms.derivative(right, c)?);
            reach(terms, &mut visits, after_left, after_right, Some((next, c)));
        }
        next += 1;
    }
    Ok(None)
}

/// The word that leads to the pair at `place`.
fn word_to(visits: &[Visit], mut place: usize) -> SmtString {
    let mut word = Vec::new();
    while let Some((before, c)) = visits[place].from {
        word.push(c);
        place = before;
    }
    word.into_iter().rev().collect()
}

/// An expression in normal form; equal numbers are equal expressions.
type Id = u32;

/// A set of characters of an expression, by number.
type SetId = u32;

/// What an expression is made of.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Node {
    Epsilon,
    /// Not empty.
    Set(SetId),
    /// The first part is no concatenation and has other words than the empty one; nor is the second part
    /// `Epsilon`.
    Concat(Id, Id),
    /// Two or more, ascending, none a union; at most one of them a set.
    Union(Rc<[Id]>),
    /// Two or more, ascending, none an intersection; at most one of them a set.
    Inter(Rc<[Id]>),
    Complement(Id),
    /// The words are at least `min` and at most `max` of the inner one; `min` is 0 where that has the empty
    /// word.
    Repeat(Id, u32, Option<u32>),
}

/// An expression and what is known of it.
struct Entry {
    node: Node,
    /// Whether it has the empty word.
    nullable: bool,
    /// The sets that decide what its derivative by a character is, ascending.
    first: Rc<[SetId]>,
}

/// The empty language: a union of nothing.
const NOTHING: Id = 0;
/// The empty word.
const EPSILON: Id = 1;
/// All words: the complement of nothing.
const ALL: Id = 2;

/// Expressions in normal form, each kept once.
struct Terms {
    alphabet: Alphabet,
    entries: Vec<Entry>,
    ids: HashMap<Node, Id>,
    sets: Vec<CharSet>,
    set_ids: HashMap<CharSet, SetId>,
    derivatives: HashMap<(Id, Char), Id>,
    /// Steps that are left.
    left: u64,
}

impl Terms {
    fn new(alphabet: Alphabet, limit: u64) -> Self {
        let mut terms = Self {
            alphabet,
            entries: Vec::new(),
            ids: HashMap::new(),
            sets: Vec::new(),
            set_ids: HashMap::new(),
            derivatives: HashMap::new(),
            left: limit,
        };
        for (node, nullable) in
            [(Node::Union([].into()), false), (Node::Epsilon, true), (Node::Complement(NOTHING), true)]
        {
            terms.insert(Entry { node, nullable, first: [].into() });
        }
        terms
    }

    fn insert(&mut self, entry: Entry) -> Id {
        #[expect(clippy::expect_used, reason = "the limit of steps comes long before")]
        let id = Id::try_from(self.entries.len()).expect("fewer than 2^32 expressions");
        self.ids.insert(entry.node.clone(), id);
        self.entries.push(entry);
        id
    }

    fn entry(&self, id: Id) -> &Entry {
        &self.entries[id as usize]
    }

    fn step(&mut self, count: usize) -> Result<(), OutOfSteps> {
        self.left = self.left.checked_sub(count as u64).ok_or(OutOfSteps)?;
        Ok(())
    }

    /// The expression with this node, which is in normal form.
    fn intern(&mut self, node: Node) -> Result<Id, OutOfSteps> {
        if let Some(&id) = self.ids.get(&node) {
            return Ok(id);
        }
        let (nullable, first) = match &node {
            Node::Epsilon => (true, Vec::new()),
            Node::Set(set) => (false, vec![*set]),
            Node::Concat(head, tail) => {
                let (head, tail) = (self.entry(*head), self.entry(*tail));
                let mut first = head.first.to_vec();
                if head.nullable {
                    first.extend(tail.first.iter());
                }
                (head.nullable && tail.nullable, first)
            }
            Node::Union(parts) => {
                (parts.iter().any(|&part| self.entry(part).nullable), self.first_of_all(parts))
            }
            Node::Inter(parts) => {
                (parts.iter().all(|&part| self.entry(part).nullable), self.first_of_all(parts))
            }
            Node::Complement(inner) => (!self.entry(*inner).nullable, self.entry(*inner).first.to_vec()),
            Node::Repeat(inner, min, _) => {
                (*min == 0 || self.entry(*inner).nullable, self.entry(*inner).first.to_vec())
            }
        };
        let mut first = first;
        first.sort_unstable();
        first.dedup();
        self.step(1 + first.len())?;
        Ok(self.insert(Entry { node, nullable, first: first.into() }))
    }

    fn first_of_all(&self, parts: &[Id]) -> Vec<SetId> {
        parts.iter().flat_map(|&part| self.entry(part).first.iter().copied()).collect()
    }

    /// The normal form of an expression.
    fn read(&mut self, regex: &Regex) -> Result<Id, OutOfSteps> {
        match regex {
            Regex::Empty => Ok(NOTHING),
            Regex::Epsilon => Ok(EPSILON),
            Regex::Set(set) => self.set(set.cut_to(self.alphabet)),
            Regex::Concat(parts) => {
                let parts = self.read_all(parts)?;
                parts.into_iter().rev().try_fold(EPSILON, |tail, head| self.concat(head, tail))
            }
            Regex::Union(parts) => {
                let parts = self.read_all(parts)?;
                self.union(parts)
            }
            Regex::Inter(parts) => {
                let parts = self.read_all(parts)?;
                self.intersection(parts)
            }
            Regex::Complement(inner) => {
                let inner = self.read(inner)?;
                self.complement(inner)
            }
            Regex::Repeat { inner, min, max } => {
                let inner = self.read(inner)?;
                self.repeat(inner, *min, *max)
            }
        }
    }

    fn read_all(&mut self, parts: &[Regex]) -> Result<Vec<Id>, OutOfSteps> {
        parts.iter().map(|part| self.read(part)).collect()
    }

    fn set(&mut self, set: CharSet) -> Result<Id, OutOfSteps> {
        if set.is_empty() {
            return Ok(NOTHING);
        }
        self.step(set.ranges().len())?;
        let id = match self.set_ids.get(&set) {
            Some(&id) => id,
            None => {
                #[expect(clippy::expect_used, reason = "the limit of steps comes long before")]
                let id = SetId::try_from(self.sets.len()).expect("fewer than 2^32 sets");
                self.sets.push(set.clone());
                self.set_ids.insert(set, id);
                id
            }
        };
        self.intern(Node::Set(id))
    }

    fn concat(&mut self, head: Id, tail: Id) -> Result<Id, OutOfSteps> {
        if head == NOTHING || tail == NOTHING {
            return Ok(NOTHING);
        }
        // The parts of the head, without recursion: it may be long.
        let (mut parts, mut rest) = (Vec::new(), head);
        while let Node::Concat(first, others) = self.entry(rest).node {
            parts.push(first);
            rest = others;
        }
        parts.push(rest);
        self.step(parts.len())?;
        let mut whole = tail;
        for part in parts.into_iter().rev() {
            whole = match (part, whole) {
                (EPSILON, other) | (other, EPSILON) => other,
                (part, whole) => self.intern(Node::Concat(part, whole))?,
            };
        }
        Ok(whole)
    }

    fn union(&mut self, parts: Vec<Id>) -> Result<Id, OutOfSteps> {
        let flat = self.flatten(parts, |node| if let Node::Union(parts) = node { Some(parts) } else { None });
        let mut parts = self.merge_sets(flat, CharSet::union)?;
        if parts.contains(&ALL) {
            return Ok(ALL);
        }
        if parts.iter().any(|&part| part != EPSILON && self.entry(part).nullable) {
            parts.retain(|&part| part != EPSILON);
        }
        match parts.as_slice() {
            [one] => Ok(*one),
            many => self.intern(Node::Union(many.into())),
        }
    }

    fn intersection(&mut self, parts: Vec<Id>) -> Result<Id, OutOfSteps> {
        let flat = self.flatten(parts, |node| if let Node::Inter(parts) = node { Some(parts) } else { None });
        let mut parts = self.merge_sets(flat, CharSet::intersection)?;
        if parts.contains(&NOTHING) {
            return Ok(NOTHING);
        }
        parts.retain(|&part| part != ALL);
        match parts.as_slice() {
            [] => Ok(ALL),
            [one] => Ok(*one),
            many => self.intern(Node::Inter(many.into())),
        }
    }

    /// The parts and, of those that are of the same kind, their parts.
    fn flatten(&self, parts: Vec<Id>, inside: impl Fn(&Node) -> Option<&Rc<[Id]>>) -> Vec<Id> {
        let flat = parts.into_iter().flat_map(|part| match inside(&self.entry(part).node) {
            Some(parts) => parts.to_vec(),
            None => vec![part],
        });
        flat.collect()
    }

    /// The parts, ascending, each once, and all sets among them made one.
    fn merge_sets(
        &mut self,
        parts: Vec<Id>,
        merge: impl Fn(&CharSet, &CharSet) -> CharSet,
    ) -> Result<Vec<Id>, OutOfSteps> {
        self.step(parts.len())?;
        let mut merged: Option<CharSet> = None;
        let mut others = Vec::with_capacity(parts.len());
        for part in parts {
            if let Node::Set(set) = self.entry(part).node {
                let set = &self.sets[set as usize];
                merged = Some(merged.map_or_else(|| set.clone(), |before| merge(&before, set)));
            } else {
                others.push(part);
            }
        }
        if let Some(set) = merged {
            others.push(self.set(set)?);
        }
        others.sort_unstable();
        others.dedup();
        Ok(others)
    }

    fn complement(&mut self, inner: Id) -> Result<Id, OutOfSteps> {
        match self.entry(inner).node {
            Node::Complement(inner) => Ok(inner),
            _ => self.intern(Node::Complement(inner)),
        }
    }

    fn repeat(&mut self, inner: Id, min: u32, max: Option<u32>) -> Result<Id, OutOfSteps> {
        if max.is_some_and(|max| max < min) {
            return Ok(NOTHING);
        }
        let min = if self.entry(inner).nullable { 0 } else { min };
        match (inner, min, max) {
            (_, _, Some(0)) | (EPSILON, _, _) | (NOTHING, 0, _) => Ok(EPSILON),
            (NOTHING, _, _) => Ok(NOTHING),
            (inner, 1, Some(1)) => Ok(inner),
            (inner, 0, Some(1)) if self.entry(inner).nullable => Ok(inner),
            (inner, 0, None) => match &self.entry(inner).node {
                Node::Set(set) if self.sets[*set as usize] == CharSet::full(self.alphabet) => Ok(ALL),
                Node::Complement(NOTHING) | Node::Repeat(_, 0, None) => Ok(inner),
                _ => self.intern(Node::Repeat(inner, 0, None)),
            },
            (inner, min, max) => self.intern(Node::Repeat(inner, min, max)),
        }
    }

    /// The words after `c` of the words that begin with it.
    fn derivative(&mut self, id: Id, c: Char) -> Result<Id, OutOfSteps> {
        if let Some(&known) = self.derivatives.get(&(id, c)) {
            return Ok(known);
        }
        self.step(1)?;
        let derivative = match self.entry(id).node.clone() {
            Node::Epsilon => NOTHING,
            Node::Set(set) if self.sets[set as usize].contains(c) => EPSILON,
            Node::Set(_) => NOTHING,
            Node::Concat(..) => {
                // Without recursion over the parts: they may be many that have the empty word.
                let (mut alternatives, mut rest) = (Vec::new(), id);
                loop {
                    let Node::Concat(head, tail) = self.entry(rest).node else {
                        alternatives.push(self.derivative(rest, c)?);
                        break;
                    };
                    let after = self.derivative(head, c)?;
                    alternatives.push(self.concat(after, tail)?);
                    if !self.entry(head).nullable {
                        break;
                    }
                    rest = tail;
                }
                self.union(alternatives)?
            }
            Node::Union(parts) => {
                let parts = parts.iter().map(|&part| self.derivative(part, c)).collect::<Result<_, _>>()?;
                self.union(parts)?
            }
            Node::Inter(parts) => {
                let parts = parts.iter().map(|&part| self.derivative(part, c)).collect::<Result<_, _>>()?;
                self.intersection(parts)?
            }
            Node::Complement(inner) => {
                let inner = self.derivative(inner, c)?;
                self.complement(inner)?
            }
            // Also where the inner expression has the empty word: rounds that read nothing may be left out.
            Node::Repeat(inner, min, max) => {
                let after = self.derivative(inner, c)?;
                let others = self.repeat(inner, min.saturating_sub(1), max.map(|max| max - 1))?;
                self.concat(after, others)?
            }
        };
        self.derivatives.insert((id, c), derivative);
        Ok(derivative)
    }

    /// The parts of a union, or the expression itself.
    fn alternatives(&self, id: Id) -> Vec<Id> {
        match &self.entry(id).node {
            Node::Union(parts) => parts.to_vec(),
            _ => vec![id],
        }
    }

    /// Whether the inclusion can be seen without derivatives.
    fn is_included(&self, left: Id, right: Id) -> bool {
        left == right
            || right == ALL
            || matches!(&self.entry(right).node, Node::Union(parts) if parts.contains(&left))
    }

    /// A character of each class of those that have the same derivatives of both sides.
    fn representatives(&mut self, left: Id, right: Id) -> Result<Vec<Char>, OutOfSteps> {
        let mut numbers = [&*self.entry(left).first, &*self.entry(right).first].concat();
        numbers.sort_unstable();
        numbers.dedup();
        let sets: Vec<&CharSet> = numbers.iter().map(|&set| &self.sets[set as usize]).collect();
        // Where a range begins, or the characters after one do: between two of these places all sets stay the
        // same.
        let mut places = vec![0];
        for (low, high) in sets.iter().flat_map(|set| set.ranges()) {
            places.extend([*low, high + 1]);
        }
        places.sort_unstable();
        places.dedup();
        places.retain(|&place| place <= self.alphabet.max().0);
        let mut met = HashSet::new();
        let representatives = places.iter().map(|&place| Char(place)).filter(|&c| {
            let inside: Vec<bool> = sets.iter().map(|set| set.contains(c)).collect();
            met.insert(inside)
        });
        let representatives = representatives.collect();
        let looked_at = places.len().saturating_mul(sets.len().max(1));
        self.step(looked_at)?;
        Ok(representatives)
    }
}

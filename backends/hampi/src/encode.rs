//! Languages unrolled to formulas about the characters of a word whose length is fixed.
//!
//! A subproblem is a node, a place of the word and a length; its formula says exactly that the part of the
//! word there is in the node's language. A part that is cut somewhere is a disjunction over the places where
//! it can be cut. Each subproblem has one formula, so there are as many as nodes, places and lengths, and a
//! formula is a graph and not a tree. What lengths or constant characters decide becomes no formula at all.
//!
//! Source: Kiezun, Ganesh, Guo, Hooimeijer, Ernst, *HAMPI: A Solver for String Constraints*, section 3: the
//! splits, and that equal subproblems are shared. Ours: the pruning by lengths and constants, complements
//! and intersections, and that no call is nested.

use backends_api::{Budget, Stop};
use backends_bitvector::BitVectorTerms;
use harness_model::{Alphabet, Char, CharSet};
use rustc_hash::FxHashMap;

use crate::language::{Languages, Node, NodeId};

/// The most subproblems of a constraint.
const SUBPROBLEMS: usize = 4_000_000;

/// A character of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// It is known.
    Letter(Char),
    /// It is the variable's character at this place.
    Place(usize),
}

/// A formula, or its value.
#[derive(Clone, Debug)]
pub enum Formula<B> {
    /// It does not hold.
    False,
    /// It holds.
    True,
    /// It depends.
    Is(B),
}

/// A node, where its words begin, and how long they are.
type Key = (NodeId, u32, u32);

/// Makes formulas over the characters of the variable.
pub struct Encoder<'e, T: BitVectorTerms> {
    terms: &'e T,
    languages: &'e mut Languages,
    alphabet: Alphabet,
    /// The variable's characters.
    letters: Vec<T::Bits>,
    members: FxHashMap<(NodeId, usize), Formula<T::Bool>>,
    budget: &'e Budget,
    /// How many subproblems there were.
    pub subproblems: u64,
}

/// A subproblem whose formula is made.
struct Frame<B> {
    key: Key,
    /// Any of these conjunctions.
    ways: Vec<Vec<Key>>,
    negated: bool,
    way: usize,
    part: usize,
    parts: Vec<B>,
    found: Vec<B>,
    is_sure: bool,
}

impl<'e, T: BitVectorTerms> Encoder<'e, T> {
    /// Of a variable of `length` characters.
    pub fn new(
        terms: &'e T,
        languages: &'e mut Languages,
        alphabet: Alphabet,
        length: usize,
        budget: &'e Budget,
    ) -> Self {
        let letters =
            (0..length).map(|place| terms.variable(&format!("c{place}"), alphabet.bits())).collect();
        Self { terms, languages, alphabet, letters, members: FxHashMap::default(), budget, subproblems: 0 }
    }

    /// The variable's characters.
    pub fn letters(&self) -> &[T::Bits] {
        &self.letters
    }

    /// That all characters are of the alphabet, where bits could be more.
    pub fn legal(&self) -> Vec<T::Bool> {
        if self.alphabet.size().is_power_of_two() {
            return Vec::new();
        }
        let (bits, most) = (self.alphabet.bits(), u64::from(self.alphabet.max().0));
        let most = self.terms.number(most, bits);
        self.letters.iter().map(|letter| self.terms.at_most(letter, &most)).collect()
    }

    /// That two words of cells are the same.
    pub fn same(&self, one: &[Cell], other: &[Cell]) -> Formula<T::Bool> {
        if one.len() != other.len() {
            return Formula::False;
        }
        let mut parts = Vec::new();
        for (a, b) in one.iter().zip(other) {
            match (a, b) {
                (Cell::Letter(a), Cell::Letter(b)) if a == b => {}
                (Cell::Letter(_), Cell::Letter(_)) => return Formula::False,
                (Cell::Place(a), Cell::Place(b)) if a == b => {}
                (Cell::Place(a), Cell::Place(b)) => {
                    parts.push(self.terms.equal(&self.letters[*a], &self.letters[*b]));
                }
                (Cell::Letter(c), Cell::Place(place)) | (Cell::Place(place), Cell::Letter(c)) => {
                    if !self.alphabet.contains(*c) {
                        return Formula::False;
                    }
                    let c = self.terms.number(u64::from(c.0), self.alphabet.bits());
                    parts.push(self.terms.equal(&self.letters[*place], &c));
                }
            }
        }
        self.and(parts)
    }

    /// The opposite.
    pub fn not(&self, formula: Formula<T::Bool>) -> Formula<T::Bool> {
        match formula {
            Formula::False => Formula::True,
            Formula::True => Formula::False,
            Formula::Is(formula) => Formula::Is(self.terms.not(&formula)),
        }
    }

    fn and(&self, mut parts: Vec<T::Bool>) -> Formula<T::Bool> {
        match parts.len() {
            0 => Formula::True,
            1 => Formula::Is(parts.remove(0)),
            _ => Formula::Is(self.terms.and(&parts)),
        }
    }

    fn or(&self, mut parts: Vec<T::Bool>) -> Formula<T::Bool> {
        match parts.len() {
            0 => Formula::False,
            1 => Formula::Is(parts.remove(0)),
            _ => Formula::Is(self.terms.or(&parts)),
        }
    }

    /// That the word of these cells is in the language of a node.
    ///
    /// # Errors
    ///
    /// When there are too many subproblems, or the budget is used up.
    pub fn unroll(&mut self, root: NodeId, cells: &[Cell]) -> Result<Formula<T::Bool>, Stop> {
        let mut memo: FxHashMap<Key, Formula<T::Bool>> = FxHashMap::default();
        let length = u32::try_from(cells.len()).unwrap_or(u32::MAX);
        let root = (root, 0, length);
        if let Some(known) = self.known(root, cells, &memo) {
            return Ok(known);
        }
        let mut stack = vec![self.frame(root)];
        loop {
            self.budget.tick()?;
            let Some(frame) = stack.last_mut() else { return Ok(Formula::False) };
            let Some(way) = frame.ways.get(frame.way) else {
                let Some(frame) = stack.pop() else { return Ok(Formula::False) };
                let any = if frame.is_sure { Formula::True } else { self.or(frame.found) };
                let formula = if frame.negated { self.not(any) } else { any };
                self.subproblems += 1;
                if memo.len() >= SUBPROBLEMS {
                    return Err(Stop::Size {
                        what: "unrolling a constraint",
                        limit: SUBPROBLEMS as u64,
                        unit: "subproblems",
                    });
                }
                if stack.is_empty() {
                    return Ok(formula);
                }
                memo.insert(frame.key, formula);
                continue;
            };
            if frame.part == 0
                && way.len() > 1
                && way
                    .iter()
                    .any(|&key| self.is_impossible(key) || matches!(memo.get(&key), Some(Formula::False)))
            {
                frame.way += 1;
                continue;
            }
            match way.get(frame.part).copied() {
                None => {
                    let parts = std::mem::take(&mut frame.parts);
                    frame.part = 0;
                    frame.way += 1;
                    match self.and(parts) {
                        Formula::True => {
                            frame.is_sure = true;
                            frame.way = frame.ways.len();
                        }
                        Formula::False => {}
                        Formula::Is(formula) => frame.found.push(formula),
                    }
                }
                Some(key) => match self.known(key, cells, &memo) {
                    Some(Formula::False) => {
                        frame.parts.clear();
                        frame.part = 0;
                        frame.way += 1;
                    }
                    Some(Formula::True) => frame.part += 1,
                    Some(Formula::Is(formula)) => {
                        frame.parts.push(formula);
                        frame.part += 1;
                    }
                    None => stack.push(self.frame(key)),
                },
            }
        }
    }

    /// Whether no word of the node is so long.
    fn is_impossible(&self, (node, _, length): Key) -> bool {
        let (low, high) = self.languages.bounds(node);
        length < low || length > high
    }

    /// What is known of a subproblem without looking further.
    fn known(
        &mut self,
        key: Key,
        cells: &[Cell],
        memo: &FxHashMap<Key, Formula<T::Bool>>,
    ) -> Option<Formula<T::Bool>> {
        let (node, start, length) = key;
        if self.is_impossible(key) {
            return Some(Formula::False);
        }
        let value = |holds| Some(if holds { Formula::True } else { Formula::False });
        match self.languages.node(node) {
            Node::Nothing => return Some(Formula::False),
            Node::Empty => return value(length == 0),
            Node::Set(_) => return Some(self.member(node, cells[start as usize])),
            Node::Symbol(grammar, symbol) => {
                let rules = &self.languages.rules[*grammar as usize];
                let has = rules.lengths[*symbol as usize].get(length as usize).copied().unwrap_or(false);
                if !has || length == 0 {
                    return value(has);
                }
            }
            Node::State(machine, state) => {
                if length == 0 {
                    return value(self.languages.machines[*machine as usize].ends[*state as usize]);
                }
            }
            Node::Repeat(_, min, _) => {
                if length == 0 && *min == 0 {
                    return Some(Formula::True);
                }
            }
            Node::Then(..) | Node::Or(_) | Node::And(_) | Node::Not(_) | Node::Long(..) | Node::Own(..) => {}
        }
        memo.get(&key).cloned()
    }

    fn frame(&mut self, key: Key) -> Frame<T::Bool> {
        let negated = matches!(self.languages.node(key.0), Node::Not(_));
        let ways = self.ways(key);
        Frame { key, ways, negated, way: 0, part: 0, parts: Vec::new(), found: Vec::new(), is_sure: false }
    }

    /// The conjunctions of smaller subproblems of which one has to hold.
    fn ways(&mut self, (node, start, length): Key) -> Vec<Vec<Key>> {
        match self.languages.node(node).clone() {
            // Known without a frame.
            Node::Nothing | Node::Empty | Node::Set(_) => Vec::new(),
            Node::Then(first, second) => self.cuts(first, second, start, length, 0),
            Node::Or(parts) => parts.iter().map(|&part| vec![(part, start, length)]).collect(),
            Node::And(parts) => vec![parts.iter().map(|&part| (part, start, length)).collect()],
            Node::Not(inner) | Node::Long(inner, _) => vec![vec![(inner, start, length)]],
            Node::Repeat(inner, min, max) => {
                if matches!(self.languages.node(inner), Node::Set(_)) {
                    // The bounds of lengths say whether there are enough.
                    return vec![(start..start + length).map(|place| (inner, place, 1)).collect()];
                }
                let rest = self.languages.repeat(inner, min.saturating_sub(1), max.map(|max| max - 1));
                self.cuts(inner, rest, start, length, u32::from(min == 0))
            }
            Node::Symbol(grammar, symbol) => {
                let becomes = self.languages.rules[grammar as usize].normal.becomes(symbol as usize).to_vec();
                let own = |other: usize| Node::Own(grammar, u32::try_from(other).unwrap_or(u32::MAX));
                becomes
                    .into_iter()
                    .map(|other| vec![(self.languages.add(own(other)), start, length)])
                    .collect()
            }
            Node::Own(grammar, symbol) => self.own(grammar, symbol as usize, start, length),
            Node::State(machine, state) => {
                let moves = &self.languages.machines[machine as usize].moves[state as usize];
                moves.iter().map(|&(set, to)| vec![(set, start, 1), (to, start + 1, length - 1)]).collect()
            }
        }
    }

    /// Two parts after each other, the first of at least so many characters.
    fn cuts(&self, first: NodeId, second: NodeId, start: u32, length: u32, least: u32) -> Vec<Vec<Key>> {
        let ((low, high), (least_rest, most_rest)) =
            (self.languages.bounds(first), self.languages.bounds(second));
        let from = low.max(least).max(length.saturating_sub(most_rest));
        let Some(to) = length.checked_sub(least_rest).map(|most| most.min(high)) else { return Vec::new() };
        (from..=to).map(|cut| vec![(first, start, cut), (second, start + cut, length - cut)]).collect()
    }

    fn own(&mut self, grammar: u32, symbol: usize, start: u32, length: u32) -> Vec<Vec<Key>> {
        let rules = &self.languages.rules[grammar as usize];
        let mut ways = Vec::new();
        if let Some(set) = rules.sets[symbol].filter(|_| length == 1) {
            ways.push(vec![(set, start, 1)]);
        }
        for (first, second) in rules.normal.pairs(symbol).to_vec() {
            let number = |symbol: usize| u32::try_from(symbol).unwrap_or(u32::MAX);
            let [one, two] =
                [first, second].map(|part| self.languages.add(Node::Symbol(grammar, number(part))));
            let lengths = &self.languages.rules[grammar as usize].lengths;
            for cut in 1..length {
                if lengths[first][cut as usize] && lengths[second][(length - cut) as usize] {
                    ways.push(vec![(one, start, cut), (two, start + cut, length - cut)]);
                }
            }
        }
        ways
    }

    /// That a character is in the set of a node.
    fn member(&mut self, node: NodeId, cell: Cell) -> Formula<T::Bool> {
        let Node::Set(set) = self.languages.node(node) else { return Formula::False };
        let place = match cell {
            Cell::Letter(c) if set.contains(c) => return Formula::True,
            Cell::Letter(_) => return Formula::False,
            Cell::Place(place) => place,
        };
        if let Some(known) = self.members.get(&(node, place)) {
            return known.clone();
        }
        let set = set.cut_to(self.alphabet);
        let others = set.complement(self.alphabet);
        let formula = if others.is_empty() {
            Formula::True
        } else if set.is_empty() {
            Formula::False
        } else if others.ranges().len() < set.ranges().len() {
            self.not(self.ranges(&others, place))
        } else {
            self.ranges(&set, place)
        };
        self.members.insert((node, place), formula.clone());
        formula
    }

    fn ranges(&self, set: &CharSet, place: usize) -> Formula<T::Bool> {
        let (terms, bits) = (self.terms, self.alphabet.bits());
        let letter = &self.letters[place];
        let most = self.alphabet.max().0;
        let number = |c: u32| terms.number(u64::from(c), bits);
        let one = |&(low, high): &(u32, u32)| match (low, high) {
            (low, high) if low == high => terms.equal(letter, &number(low)),
            (0, high) => terms.at_most(letter, &number(high)),
            (low, high) if high == most => terms.at_least(letter, &number(low)),
            (low, high) => {
                terms.and(&[terms.at_least(letter, &number(low)), terms.at_most(letter, &number(high))])
            }
        };
        self.or(set.ranges().iter().map(one).collect())
    }
}

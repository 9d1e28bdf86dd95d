//! Deterministic automata of regular expressions, whose states are made when they are needed.
//!
//! A state is a regular expression up to the usual laws of union and intersection; its moves are its
//! derivatives by the classes of characters that it distinguishes. Every operator of [`Regex`] has
//! derivatives, complement and intersection included, so nothing is determinised afterwards.
//!
//! Source: Owens, Reppy and Turon, *Regular-expression derivatives re-examined*, sections 3.1 and 4.1; the
//! classes are computed by one sweep over the ends of ranges instead of pairwise intersections.
//!
//! Invariants: equal nodes are one state; a node's parts are states made before it; the moves of a state are
//! disjoint and leave out only characters that lead to the empty language.

use std::rc::Rc;
use std::sync::Arc;

use backends_api::{BackendError, Budget, Stop};
use harness_model::{Alphabet, Char, CharSet, Regex};
use rustc_hash::FxHashMap;

/// A state of one [`Derivatives`].
pub(crate) type State = u32;

/// The moves of a state: disjoint sets of characters, each with the state that it leads to.
pub(crate) type Moves = Rc<[(CharSet, State)]>;

/// The maximum number of states.
const MOST_STATES: u64 = 1 << 17;

/// The maximum depth of the chain of nodes that a derivative descends.
const DEEPEST: u32 = 4000;

const EMPTY: State = 0;
const EPSILON: State = 1;
const ALL: State = 2;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    /// One character; never an empty set, except for the state of the empty language.
    Set(Arc<CharSet>),
    Epsilon,
    /// One after the other.
    Pair(State, State),
    /// At least two, sorted.
    Or(Box<[State]>),
    /// At least two, sorted.
    And(Box<[State]>),
    Not(State),
    Repeat(State, u32, Option<u32>),
}

/// An arena of states.
#[derive(Debug)]
pub(crate) struct Derivatives {
    alphabet: Alphabet,
    nodes: Vec<Node>,
    nullable: Vec<bool>,
    /// How deep the derivative of the state recurses.
    depth: Vec<u32>,
    moves: Vec<Option<Moves>>,
    ids: FxHashMap<Node, State>,
}

impl Derivatives {
    /// Over the characters of `alphabet`.
    pub(crate) fn new(alphabet: Alphabet) -> Self {
        let mut this = Self {
            alphabet,
            nodes: Vec::new(),
            nullable: Vec::new(),
            depth: Vec::new(),
            moves: Vec::new(),
            ids: FxHashMap::default(),
        };
        this.intern(Node::Set(Arc::default()));
        this.intern(Node::Epsilon);
        this.intern(Node::Not(EMPTY));
        this
    }

    /// Whether the empty word is in the state's language.
    pub(crate) fn accepts(&self, state: State) -> bool {
        self.nullable[state as usize]
    }

    fn intern(&mut self, node: Node) -> State {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let accepts = |state: &State| self.nullable[*state as usize];
        let nullable = match &node {
            Node::Set(_) => false,
            Node::Epsilon => true,
            Node::Pair(a, b) => accepts(a) && accepts(b),
            Node::Or(parts) => parts.iter().any(accepts),
            Node::And(parts) => parts.iter().all(accepts),
            Node::Not(inner) => !accepts(inner),
            Node::Repeat(inner, min, _) => *min == 0 || accepts(inner),
        };
        let deep = |state: &State| self.depth[*state as usize];
        let below = match &node {
            Node::Set(_) | Node::Epsilon => 0,
            Node::Pair(a, b) if accepts(a) => deep(a).max(deep(b)),
            Node::Pair(a, _) | Node::Not(a) | Node::Repeat(a, ..) => deep(a),
            Node::Or(parts) | Node::And(parts) => parts.iter().map(deep).max().unwrap_or(0),
        };
        let id = State::try_from(self.nodes.len()).unwrap_or(State::MAX);
        self.nodes.push(node.clone());
        self.nullable.push(nullable);
        self.depth.push(below + 1);
        self.moves.push(None);
        self.ids.insert(node, id);
        id
    }

    fn set(&mut self, set: &CharSet) -> State {
        self.intern(Node::Set(Arc::new(set.cut_to(self.alphabet))))
    }

    fn pair(&mut self, a: State, b: State) -> State {
        match (a, b) {
            (EMPTY, _) | (_, EMPTY) => EMPTY,
            (EPSILON, other) | (other, EPSILON) => other,
            _ => self.intern(Node::Pair(a, b)),
        }
    }

    /// The union (`or`) or the intersection of the parts.
    fn join(&mut self, parts: impl IntoIterator<Item = State>, or: bool) -> State {
        let (unit, zero) = if or { (EMPTY, ALL) } else { (ALL, EMPTY) };
        let mut all: Vec<State> = Vec::new();
        let mut sets: Option<CharSet> = None;
        for part in parts {
            let inner: &[State] = match &self.nodes[part as usize] {
                Node::Or(inner) if or => inner,
                Node::And(inner) if !or => inner,
                _ => &[part],
            };
            for &state in inner {
                if state == zero {
                    return zero;
                }
                match &self.nodes[state as usize] {
                    _ if state == unit => {}
                    Node::Set(set) => {
                        sets = Some(match sets {
                            None => (**set).clone(),
                            Some(known) if or => known.union(set),
                            Some(known) => known.intersection(set),
                        });
                    }
                    _ => all.push(state),
                }
            }
        }
        match sets {
            Some(set) if set.is_empty() && !or => return EMPTY,
            Some(set) if set.is_empty() => {}
            Some(set) => all.push(self.set(&set)),
            None => {}
        }
        all.sort_unstable();
        all.dedup();
        match all.as_slice() {
            [] => unit,
            [one] => *one,
            _ if or => self.intern(Node::Or(all.into())),
            _ => self.intern(Node::And(all.into())),
        }
    }

    fn not(&mut self, inner: State) -> State {
        match self.nodes[inner as usize] {
            Node::Not(twice) => twice,
            _ => self.intern(Node::Not(inner)),
        }
    }

    fn repeat(&mut self, inner: State, min: u32, max: Option<u32>) -> State {
        match (inner, min, max) {
            (_, min, Some(max)) if min > max => EMPTY,
            (_, _, Some(0)) | (EPSILON, ..) | (EMPTY, 0, _) => EPSILON,
            (EMPTY, ..) => EMPTY,
            (_, 1, Some(1)) => inner,
            _ => self.intern(Node::Repeat(inner, min, max)),
        }
    }

    /// The state of `regex`. The recursion is as deep as the expression; an expression that is too deep for
    /// derivatives is refused.
    pub(crate) fn state(&mut self, regex: &Regex, budget: &Budget) -> Result<State, BackendError> {
        self.state_at(regex, 0, budget)
    }

    fn state_at(&mut self, regex: &Regex, depth: u32, budget: &Budget) -> Result<State, BackendError> {
        budget.tick()?;
        if depth > DEEPEST {
            return Err(too_deep());
        }
        let all = |this: &mut Self, parts: &[Regex]| {
            parts.iter().map(|part| this.state_at(part, depth + 1, budget)).collect::<Result<Vec<_>, _>>()
        };
        Ok(match regex {
            Regex::Empty => EMPTY,
            Regex::Epsilon => EPSILON,
            Regex::Set(set) => self.set(set),
            Regex::Concat(parts) => {
                let states = all(self, parts)?;
                states.iter().rev().fold(EPSILON, |rest, &state| self.pair(state, rest))
            }
            Regex::Union(parts) => {
                let states = all(self, parts)?;
                self.join(states, true)
            }
            Regex::Inter(parts) => {
                let states = all(self, parts)?;
                self.join(states, false)
            }
            Regex::Complement(inner) => {
                let inner = self.state_at(inner, depth + 1, budget)?;
                self.not(inner)
            }
            Regex::Repeat { inner, min, max } => {
                let inner = self.state_at(inner, depth + 1, budget)?;
                self.repeat(inner, *min, *max)
            }
        })
    }

    /// Adds the sets by which the state distinguishes the next character.
    fn distinguished(&self, state: State, sets: &mut Vec<Arc<CharSet>>) {
        match &self.nodes[state as usize] {
            Node::Set(set) => sets.push(Arc::clone(set)),
            Node::Epsilon => {}
            Node::Pair(a, b) => {
                self.distinguished(*a, sets);
                if self.accepts(*a) {
                    self.distinguished(*b, sets);
                }
            }
            Node::Or(parts) | Node::And(parts) => parts.iter().for_each(|&p| self.distinguished(p, sets)),
            Node::Not(inner) | Node::Repeat(inner, ..) => self.distinguished(*inner, sets),
        }
    }

    /// The state after character `c`.
    fn after(&mut self, state: State, c: Char) -> State {
        match self.nodes[state as usize].clone() {
            Node::Set(set) => {
                if set.contains(c) {
                    EPSILON
                } else {
                    EMPTY
                }
            }
            Node::Epsilon => EMPTY,
            Node::Pair(a, b) => {
                let first = self.after(a, c);
                let first = self.pair(first, b);
                if !self.accepts(a) {
                    return first;
                }
                let second = self.after(b, c);
                self.join([first, second], true)
            }
            Node::Or(parts) => {
                let parts: Vec<State> = parts.iter().map(|&p| self.after(p, c)).collect();
                self.join(parts, true)
            }
            Node::And(parts) => {
                let parts: Vec<State> = parts.iter().map(|&p| self.after(p, c)).collect();
                self.join(parts, false)
            }
            Node::Not(inner) => {
                let inner = self.after(inner, c);
                self.not(inner)
            }
            // Right for a nullable inner part too: then the first copy to take a character may be taken to be
            // the first.
            Node::Repeat(inner, min, max) => {
                let first = self.after(inner, c);
                let rest = self.repeat(inner, min.saturating_sub(1), max.map(|max| max - 1));
                self.pair(first, rest)
            }
        }
    }

    /// The moves of a state; computed once.
    pub(crate) fn moves(&mut self, state: State, budget: &Budget) -> Result<Moves, BackendError> {
        if let Some(known) = &self.moves[state as usize] {
            return Ok(Rc::clone(known));
        }
        budget.tick()?;
        if self.depth[state as usize] > DEEPEST {
            return Err(too_deep());
        }
        if self.nodes.len() as u64 > MOST_STATES {
            let what = "the automaton of a regular expression";
            return Err(Stop::Size { what, limit: MOST_STATES, unit: "states" }.into());
        }
        let mut sets = Vec::new();
        self.distinguished(state, &mut sets);
        let mut by_target: Vec<(State, Vec<(u32, u32)>)> = Vec::new();
        for class in classes(&sets, self.alphabet) {
            let Some(&(first, _)) = class.first() else { continue };
            let target = self.after(state, Char(first));
            if target == EMPTY {
                continue;
            }
            match by_target.iter_mut().find(|(known, _)| *known == target) {
                Some((_, ranges)) => ranges.extend(class),
                None => by_target.push((target, class)),
            }
        }
        let moves: Moves =
            by_target.into_iter().map(|(target, ranges)| (CharSet::from_ranges(ranges), target)).collect();
        self.moves[state as usize] = Some(Rc::clone(&moves));
        Ok(moves)
    }
}

fn too_deep() -> BackendError {
    let what = "the nesting of a regular expression";
    Stop::Size { what, limit: u64::from(DEEPEST), unit: "levels" }.into()
}

/// The classes of characters that `sets` distinguish, as ranges. One sweep over the ends of ranges.
fn classes(sets: &[Arc<CharSet>], alphabet: Alphabet) -> Vec<Vec<(u32, u32)>> {
    // Where each set begins or ends.
    let mut ends: Vec<(u32, usize)> = Vec::new();
    let distinct: std::collections::BTreeSet<&CharSet> = sets.iter().map(|s| &**s).collect();
    for (i, set) in distinct.iter().enumerate() {
        for &(low, high) in set.ranges() {
            ends.push((low, i));
            ends.push((high.saturating_add(1), i));
        }
    }
    ends.sort_unstable();
    let mut inside = vec![false; distinct.len()];
    let mut classes: FxHashMap<Vec<bool>, usize> = FxHashMap::default();
    let mut out: Vec<Vec<(u32, u32)>> = Vec::new();
    let (mut from, mut at) = (0, 0);
    while from <= alphabet.max().0 {
        while let Some(&(_, set)) = ends.get(at).filter(|(end, _)| *end == from) {
            inside[set] = !inside[set];
            at += 1;
        }
        let next = ends.get(at).map_or(alphabet.size(), |(end, _)| (*end).min(alphabet.size()));
        let class = *classes.entry(inside.clone()).or_insert_with(|| {
            out.push(Vec::new());
            out.len() - 1
        });
        out[class].push((from, next - 1));
        from = next;
    }
    out
}

#[cfg(test)]
mod tests {
    use harness_check::matcher;
    use proptest::prelude::*;

    use super::*;

    fn regexes() -> impl Strategy<Value = Regex> {
        let set = prop::collection::vec((0_u32..4, 0_u32..4), 0..3)
            .prop_map(|r| Regex::set(CharSet::from_ranges(r.into_iter().map(|(a, b)| (97 + a, 97 + b)))));
        let leaf = prop_oneof![4 => set, 1 => Just(Regex::Epsilon), 1 => Just(Regex::Empty)];
        leaf.prop_recursive(4, 20, 3, |inner| {
            let parts = prop::collection::vec(inner.clone(), 0..4);
            prop_oneof![
                parts.clone().prop_map(Regex::concat),
                parts.clone().prop_map(Regex::union),
                parts.prop_map(|p| Regex::Inter(p.into())),
                inner.clone().prop_map(|r| Regex::Complement(Arc::new(r))),
                (inner, 0_u32..4, prop::option::of(0_u32..5)).prop_map(|(r, min, max)| r.repeat(min, max)),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn agrees_with_the_matcher(regex in regexes(), word in prop::collection::vec(96_u32..102, 0..7)) {
            let budget = Budget::unlimited();
            let mut states = Derivatives::new(Alphabet::Ascii);
            let mut state = states.state(&regex, &budget).unwrap();
            for &c in &word {
                let moves = states.moves(state, &budget).unwrap();
                let mut fits = moves.iter().filter(|(set, _)| set.contains(Char(c)));
                state = fits.next().map_or(EMPTY, |(_, to)| *to);
                prop_assert!(fits.next().is_none(), "two moves for one character");
            }
            let word = word.into_iter().map(Char).collect();
            prop_assert_eq!(states.accepts(state), matcher::matches(&regex, &word));
        }
    }

    #[test]
    fn counted_repetition_stays_small() {
        let budget = Budget::unlimited();
        let mut states = Derivatives::new(Alphabet::Unicode);
        let word = Regex::set(CharSet::range(Char(97), Char(122)));
        let regex = word.repeat(1, Some(63)).repeat(1, Some(1_000_000));
        let mut state = states.state(&regex, &budget).unwrap();
        for _ in 0..30 {
            let moves = states.moves(state, &budget).unwrap();
            assert_eq!(moves.len(), 1);
            state = moves[0].1;
        }
        assert!(states.accepts(state) && states.nodes.len() < 2000, "{}", states.nodes.len());
    }
}

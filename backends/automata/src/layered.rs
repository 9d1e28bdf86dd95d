//! Layered automata: languages of words of one length, as deterministic automata whose states are shared.
//!
//! Where the length of every word is fixed, an automaton has no cycles: each state has one distance from the
//! end. So a smallest deterministic automaton can be built from the end on, and a state be found again by its
//! moves. A language is one [`Node`] of a [`Layers`] store; equal languages are the same node where the
//! algebra is canonical. The operations are those of decision diagrams with sets of characters on the edges.
//!
//! Source: the automata of fixed length that Redelinghuys, *Symbolic String Execution*, section 3.6.1, works
//! on are these; the sharing is Bryant's, *Graph-based algorithms for Boolean function manipulation* (1986).
//!
//! Invariants: [`Node::EMPTY`] has no word, of whatever length; [`Node::EPSILON`] has the empty word only;
//! every other node has moves, whose labels are not empty and pairwise disjoint and whose targets are
//! distinct, not empty and of one length. Operations recurse as deep as words are long, on a stack that grows
//! ([`deep`]); words are no longer than [`MAX_LENGTH`].
//!
//! - here: the store and how nodes are made; `boolean`: union, intersection, difference; `shape`:
//!   concatenation and parts
//! - `restrict`: with an automaton of any kind; `infix`: with a part in a language, within a limit; `words`:
//!   counting, first words, characters of labels in order

mod boolean;
mod infix;
mod restrict;
mod shape;
mod words;

use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use harness_model::{Char, CharSet};
use rustc_hash::FxHashMap;

use crate::builder::{Labels, index};
use crate::sfa::LabelId;

pub use words::Spread;

/// The greatest length of a word.
pub const MAX_LENGTH: usize = 1 << 16;

/// So much stack is left for whatever does not recurse.
const STACK_LEFT: usize = 128 << 10;
/// The stack grows by so much.
const STACK_MORE: usize = 4 << 20;

/// A step of a recursion that is as deep as words are long: the stack grows where it would end.
pub fn deep<R>(step: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(STACK_LEFT, STACK_MORE, step)
}

/// A language of words of one length: an index into the [`Layers`] that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);

impl Node {
    /// No word.
    pub const EMPTY: Self = Self(0);
    /// The empty word.
    pub const EPSILON: Self = Self(1);

    /// Whether there is no word in it.
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
}

/// A move of a node: the characters that it reads, and where it leads.
pub type LayerMove = (LabelId, Node);

/// Names an operation whose results are remembered.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Memo {
    Intersection,
    Union,
    Difference,
    Concat,
    Prefix,
    Suffix,
}

/// All nodes over one algebra. Memory grows with every operation; see [`Layers::forget`].
pub struct Layers<A: BooleanAlgebra> {
    algebra: A,
    labels: Labels<A::Set>,
    lengths: Vec<u32>,
    moves: Vec<Rc<[LayerMove]>>,
    numbers: FxHashMap<Rc<[LayerMove]>, Node>,
    /// Every word of length `n`, by `n`.
    full: Vec<Node>,
    memo: FxHashMap<(Memo, u32, u32), Node>,
    /// The characters of labels, by label.
    spreads: FxHashMap<LabelId, Rc<Spread>>,
    counts: FxHashMap<Node, u64>,
}

impl<A: BooleanAlgebra> Layers<A> {
    /// No nodes but the two that are always there.
    pub fn new(algebra: A) -> Self {
        let none: Rc<[LayerMove]> = Rc::from([]);
        Self {
            algebra,
            labels: Labels::default(),
            lengths: vec![0, 0],
            moves: vec![Rc::clone(&none), none],
            numbers: FxHashMap::default(),
            full: vec![Node::EPSILON],
            memo: FxHashMap::default(),
            spreads: FxHashMap::default(),
            counts: FxHashMap::default(),
        }
    }

    /// The algebra of the labels.
    pub const fn algebra(&self) -> &A {
        &self.algebra
    }

    /// How many nodes there are: the states of all languages together.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there is none but the two that are always there.
    pub fn is_empty(&self) -> bool {
        self.len() <= 2
    }

    /// Forgets every node. Those that the caller has still are void.
    pub fn forget(&mut self) {
        let none: Rc<[LayerMove]> = Rc::from([]);
        self.labels = Labels::default();
        self.lengths = vec![0, 0];
        self.moves = vec![Rc::clone(&none), none];
        self.numbers.clear();
        self.full = vec![Node::EPSILON];
        self.memo.clear();
        self.spreads.clear();
        self.counts.clear();
    }

    /// The length of the words; 0 for the empty language too.
    pub fn length(&self, node: Node) -> usize {
        self.lengths[node.0 as usize] as usize
    }

    /// The moves that leave `node`.
    pub fn moves(&self, node: Node) -> Rc<[LayerMove]> {
        Rc::clone(&self.moves[node.0 as usize])
    }

    /// The set of characters of a label.
    pub fn label(&self, label: LabelId) -> &A::Set {
        self.labels.get(label)
    }

    /// The node with these moves. Labels are not empty and pairwise disjoint; targets of one length. Moves to
    /// the empty language are dropped, moves to one target joined.
    pub fn node(&mut self, mut parts: Vec<(A::Set, Node)>) -> Result<Node, Stop> {
        parts.retain(|(_, target)| !target.is_empty());
        parts.sort_by_key(|(_, target)| *target);
        let mut joined: Vec<(A::Set, Node)> = Vec::with_capacity(parts.len());
        for (label, target) in parts {
            match joined.last_mut() {
                Some((before, same)) if *same == target => *before = self.algebra.union(before, &label)?,
                _ => joined.push((label, target)),
            }
        }
        let moves: Vec<LayerMove> =
            joined.into_iter().map(|(label, target)| (self.labels.intern(label), target)).collect();
        self.intern(moves)
    }

    /// The node with these moves, which are as the invariant says and ascend by target.
    fn intern(&mut self, moves: Vec<LayerMove>) -> Result<Node, Stop> {
        let Some(&(_, first)) = moves.first() else { return Ok(Node::EMPTY) };
        if let Some(&known) = self.numbers.get(moves.as_slice()) {
            return Ok(known);
        }
        let length = self.length(first) + 1;
        if length > MAX_LENGTH {
            return Err(Stop::Size { what: "a word", limit: MAX_LENGTH as u64, unit: "characters" });
        }
        let node = Node(index("languages of fixed length", self.lengths.len(), "states")?);
        let moves: Rc<[LayerMove]> = moves.into();
        self.lengths.push(u32::try_from(length).unwrap_or(u32::MAX));
        self.moves.push(Rc::clone(&moves));
        self.numbers.insert(moves, node);
        Ok(node)
    }

    /// The union of nodes that have one move each: parts whose labels may overlap. Targets are of one length.
    pub fn join(&mut self, parts: Vec<(A::Set, Node)>, budget: &Budget) -> Result<Node, Stop> {
        let mut all = Node::EMPTY;
        for (label, target) in parts {
            if !self.algebra.is_empty(&label)? {
                let one = self.node(vec![(label, target)])?;
                all = self.union(all, one, budget)?;
            }
        }
        Ok(all)
    }

    /// Every word of `length` characters.
    pub fn all_words(&mut self, length: usize) -> Result<Node, Stop> {
        while self.full.len() <= length {
            let Some(&last) = self.full.last() else { break };
            let all = self.algebra.full();
            let next = self.node(vec![(all, last)])?;
            self.full.push(next);
        }
        Ok(self.full[length])
    }

    /// Whether it has every word of its length. Exact where the algebra is canonical, else it may miss some.
    pub fn is_full(&self, node: Node) -> bool {
        self.full.get(self.length(node)) == Some(&node)
    }

    /// Every word of `length` characters of `set`.
    pub fn power(&mut self, set: &A::Set, length: usize) -> Result<Node, Stop> {
        if length > 0 && self.algebra.is_empty(set)? {
            return Ok(Node::EMPTY);
        }
        let mut node = Node::EPSILON;
        for _ in 0..length {
            node = self.node(vec![(set.clone(), node)])?;
        }
        Ok(node)
    }

    /// This word alone; empty if a character is not in the alphabet.
    pub fn word(&mut self, word: &[Char]) -> Result<Node, Stop> {
        let mut node = Node::EPSILON;
        for &c in word.iter().rev() {
            let single = self.single(c)?;
            if self.algebra.is_empty(&single)? {
                return Ok(Node::EMPTY);
            }
            node = self.node(vec![(single, node)])?;
        }
        Ok(node)
    }

    /// The set of one character.
    pub fn single(&self, c: Char) -> Result<A::Set, Stop> {
        self.algebra.of_ranges(&[(c.0, c.0)])
    }

    /// The set in the algebra.
    pub fn set(&self, set: &CharSet) -> Result<A::Set, Stop> {
        self.algebra.of_ranges(set.ranges())
    }
}

impl<A: BooleanAlgebra> std::fmt::Debug for Layers<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Layers({} nodes over {})", self.len(), A::NAME)
    }
}

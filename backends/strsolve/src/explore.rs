//! The product of the automata at all occurrences of one variable, from given states on: the states that some
//! word leads to, one after the other, each with a word that does.
//!
//! That is `advance` of figure 4.3. What was found stays, so that whoever asks again gets the same ones
//! without work.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use harness_model::SmtString;
use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::acceptor::{ANY, Acceptor};

/// In which order states are taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// One from which the fewest characters are needed to the end of every constraint that ends with this
    /// variable; of these the one found last.
    Guided,
    /// The one found last, as published.
    DepthFirst,
    /// The one found first: words are as short as can be.
    BreadthFirst,
}

impl Order {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Guided, Self::DepthFirst, Self::BreadthFirst];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Guided => "guided",
            Self::DepthFirst => "depth-first",
            Self::BreadthFirst => "breadth-first",
        }
    }
}

/// How a product is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// The order.
    pub order: Order,
    /// Whether states are passed over from which the constraints that end here need different numbers of
    /// characters.
    pub lengths: bool,
}

/// An automaton at an occurrence of the variable.
pub struct Part<A: BooleanAlgebra> {
    /// Of the constraint.
    pub acceptor: Rc<Acceptor<A>>,
    /// Whether the constraint ends here.
    pub is_last: bool,
}

/// A product that is explored as far as it was asked for.
///
/// Its states lie one after the other in one array, and the moves of a state are made in buffers that stay: a
/// product of long words has tens of thousands of states, and an allocation for each would be most of the work.
pub struct Exploration<A: BooleanAlgebra> {
    parts: Rc<[Part<A>]>,
    manner: Manner,
    found: Found<A::Set>,
    waiting: Waiting,
    together: Together<A::Set>,
    next: Together<A::Set>,
}

/// The states of a product that were found, by number.
struct Found<S> {
    /// States of the parts in a state of the product.
    width: usize,
    states: Vec<u32>,
    /// From which state each was found, and by which characters.
    steps: Vec<Option<(u32, S)>>,
    numbers: HashTable<u32>,
}

/// Moves of the first parts together: for each the characters, and where they lead, part after part.
struct Together<S> {
    characters: Vec<S>,
    targets: Vec<u32>,
}

impl<S> Default for Together<S> {
    fn default() -> Self {
        Self { characters: Vec::new(), targets: Vec::new() }
    }
}

impl<S> Together<S> {
    fn clear(&mut self) {
        self.characters.clear();
        self.targets.clear();
    }
}

impl<S> Found<S> {
    fn get(&self, number: u32) -> &[u32] {
        states_of(&self.states, self.width, number)
    }

    fn is_known(&self, states: &[u32]) -> bool {
        self.numbers.find(hash(states), |&number| self.get(number) == states).is_some()
    }

    /// The number of a state that is not known yet.
    fn add(&mut self, states: &[u32], step: Option<(u32, S)>) -> u32 {
        let number = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        self.states.extend_from_slice(states);
        self.steps.push(step);
        let Self { width, states: all, numbers, .. } = self;
        numbers.insert_unique(hash(states), number, |&one| hash(states_of(all, *width, one)));
        number
    }
}

fn states_of(states: &[u32], width: usize, number: u32) -> &[u32] {
    &states[number as usize * width..][..width]
}

fn hash(states: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    states.hash(&mut hasher);
    hasher.finish()
}

/// A word, and the states on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The word.
    pub word: SmtString,
    /// For each part: its state before each character, and after the last one.
    pub states: Vec<Vec<u32>>,
}

enum Waiting {
    /// Characters that are needed, and the number.
    Heap(BinaryHeap<(Reverse<u32>, u32)>),
    Stack(Vec<u32>),
    Queue(VecDeque<u32>),
}

impl Waiting {
    fn push(&mut self, needed: u32, number: u32) {
        match self {
            Self::Heap(heap) => heap.push((Reverse(needed), number)),
            Self::Stack(stack) => stack.push(number),
            Self::Queue(queue) => queue.push_back(number),
        }
    }

    fn pop(&mut self) -> Option<u32> {
        match self {
            Self::Heap(heap) => heap.pop().map(|(_, number)| number),
            Self::Stack(stack) => stack.pop(),
            Self::Queue(queue) => queue.pop_front(),
        }
    }
}

impl<A: BooleanAlgebra> Exploration<A> {
    /// From these states, one for each part.
    pub fn new(parts: Rc<[Part<A>]>, starts: &[u32], manner: Manner) -> Self {
        let waiting = match manner.order {
            Order::Guided => Waiting::Heap(BinaryHeap::new()),
            Order::DepthFirst => Waiting::Stack(Vec::new()),
            Order::BreadthFirst => Waiting::Queue(VecDeque::new()),
        };
        let width = parts.len();
        let found = Found { width, states: Vec::new(), steps: Vec::new(), numbers: HashTable::new() };
        let (together, next) = (Together::default(), Together::default());
        let mut made = Self { parts, manner, found, waiting, together, next };
        made.find(starts, || None);
        made
    }

    /// How many states were found so far.
    pub fn len(&self) -> usize {
        self.found.steps.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.found.steps.is_empty()
    }

    /// The state of the product with this number, as far as there are so many; more of the product is
    /// searched for it.
    pub fn get(&mut self, number: usize, algebra: &A, budget: &Budget) -> Result<Option<&[u32]>, Stop> {
        while self.len() <= number {
            let Some(next) = self.waiting.pop() else { return Ok(None) };
            self.expand(next, algebra, budget)?;
        }
        let width = self.found.width;
        Ok(self.found.states.get(number * width..(number + 1) * width))
    }

    fn find(&mut self, states: &[u32], step: impl FnOnce() -> Option<(u32, A::Set)>) {
        if self.found.is_known(states) {
            return;
        }
        // What every constraint that ends here needs, and can have.
        let (mut least, mut most) = (0, ANY);
        for (part, &state) in self.parts.iter().zip(states).filter(|(part, _)| part.is_last) {
            let (low, high) = part.acceptor.lengths(state);
            least = least.max(low);
            most = most.min(high);
        }
        if self.manner.lengths && least > most {
            return;
        }
        let number = self.found.add(states, step());
        self.waiting.push(least, number);
    }

    fn expand(&mut self, number: u32, algebra: &A, budget: &Budget) -> Result<(), Stop> {
        let (mut together, mut next) = (std::mem::take(&mut self.together), std::mem::take(&mut self.next));
        together.clear();
        together.characters.push(algebra.full());
        for (place, part) in self.parts.iter().enumerate() {
            let state = self.found.get(number)[place];
            next.clear();
            for (row, characters) in together.characters.iter().enumerate() {
                let to = states_of(&together.targets, place, u32::try_from(row).unwrap_or(u32::MAX));
                part.acceptor.each_move(state, algebra, budget, |label, target| {
                    let both =
                        if place == 0 { label.clone() } else { algebra.intersection(characters, label)? };
                    if place == 0 || !algebra.is_empty(&both)? {
                        next.characters.push(both);
                        next.targets.extend_from_slice(to);
                        next.targets.push(target);
                    }
                    Ok(())
                })?;
            }
            std::mem::swap(&mut together, &mut next);
        }
        for (to, characters) in
            together.targets.chunks_exact(self.found.width.max(1)).zip(&together.characters)
        {
            self.find(to, || Some((number, characters.clone())));
        }
        (self.together, self.next) = (together, next);
        Ok(())
    }

    /// A word that leads to the state with this number, which was found. Linear in its length.
    pub fn trace(&self, number: usize, algebra: &A) -> Result<Trace, Stop> {
        let mut chars = Vec::new();
        let mut states: Vec<Vec<u32>> = vec![Vec::new(); self.parts.len()];
        let mut here = number;
        loop {
            let row = &self.found.states[here * self.parts.len()..][..self.parts.len()];
            states.iter_mut().zip(row).for_each(|(run, &state)| run.push(state));
            let Some((from, characters)) = &self.found.steps[here] else { break };
            chars.extend(algebra.pick(characters)?);
            here = *from as usize;
        }
        chars.reverse();
        states.iter_mut().for_each(|run| run.reverse());
        Ok(Trace { word: SmtString::from(chars), states })
    }
}

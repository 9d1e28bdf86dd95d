//! The product of the automata at all occurrences of one variable, from given states on: the states that some
//! word leads to, one after the other, each with a word that does.
//!
//! That is `advance` of figure 4.3. What was found stays, so that whoever asks again gets the same ones
//! without work.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use harness_model::SmtString;
use rustc_hash::FxHashMap;

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
pub struct Exploration<A: BooleanAlgebra> {
    parts: Rc<[Part<A>]>,
    manner: Manner,
    numbers: FxHashMap<Box<[u32]>, u32>,
    found: Vec<Found<A::Set>>,
    waiting: Waiting,
}

/// A state of the product.
struct Found<S> {
    states: Box<[u32]>,
    /// From which state it was found, and by which characters.
    step: Option<(u32, S)>,
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
        let mut made = Self { parts, manner, numbers: FxHashMap::default(), found: Vec::new(), waiting };
        made.find(starts.into(), None);
        made
    }

    /// How many states were found so far.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The state of the product with this number, as far as there are so many; more of the product is
    /// searched for it.
    pub fn get(&mut self, number: usize, algebra: &A, budget: &Budget) -> Result<Option<&[u32]>, Stop> {
        while self.found.len() <= number {
            let Some(next) = self.waiting.pop() else { return Ok(None) };
            self.expand(next, algebra, budget)?;
        }
        Ok(self.found.get(number).map(|found| &*found.states))
    }

    fn find(&mut self, states: Box<[u32]>, step: Option<(u32, A::Set)>) {
        if self.numbers.contains_key(&states) {
            return;
        }
        // What every constraint that ends here needs, and can have.
        let (mut least, mut most) = (0, ANY);
        for (part, &state) in self.parts.iter().zip(&states).filter(|(part, _)| part.is_last) {
            let (low, high) = part.acceptor.lengths(state);
            least = least.max(low);
            most = most.min(high);
        }
        if self.manner.lengths && least > most {
            return;
        }
        let number = u32::try_from(self.found.len()).unwrap_or(u32::MAX);
        self.numbers.insert(states.clone(), number);
        self.found.push(Found { states, step });
        self.waiting.push(least, number);
    }

    fn expand(&mut self, number: u32, algebra: &A, budget: &Budget) -> Result<(), Stop> {
        let states = self.found[number as usize].states.clone();
        // Moves of the parts so far, together: characters, and where they lead.
        let mut together: Vec<(A::Set, Vec<u32>)> = vec![(algebra.full(), Vec::with_capacity(states.len()))];
        for (place, (part, &state)) in self.parts.iter().zip(&states).enumerate() {
            let moves = part.acceptor.moves(state, algebra, budget)?;
            let mut next = Vec::with_capacity(together.len().max(moves.len()));
            for (characters, to) in &together {
                for (label, target) in moves.iter() {
                    budget.tick()?;
                    let both =
                        if place == 0 { label.clone() } else { algebra.intersection(characters, label)? };
                    if place == 0 || !algebra.is_empty(&both)? {
                        let mut to = to.clone();
                        to.push(*target);
                        next.push((both, to));
                    }
                }
            }
            together = next;
        }
        for (characters, to) in together {
            self.find(to.into(), Some((number, characters)));
        }
        Ok(())
    }

    /// A word that leads to the state with this number, which was found. Linear in its length.
    pub fn trace(&self, number: usize, algebra: &A) -> Result<Trace, Stop> {
        let mut chars = Vec::new();
        let mut states: Vec<Vec<u32>> = vec![Vec::new(); self.parts.len()];
        let mut here = number;
        loop {
            let found = &self.found[here];
            states.iter_mut().zip(&found.states).for_each(|(run, &state)| run.push(state));
            let Some((from, characters)) = &found.step else { break };
            chars.extend(algebra.pick(characters)?);
            here = *from as usize;
        }
        chars.reverse();
        states.iter_mut().for_each(|run| run.reverse());
        Ok(Trace { word: SmtString::from(chars), states })
    }
}

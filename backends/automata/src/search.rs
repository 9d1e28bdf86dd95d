//! What all searches through a product share: the order in which states are taken up, and the states found so
//! far.
//!
//! The study searches depth first with a stack (figures 3.5 and 3.6): of the states found last, the last one
//! is taken up first. Breadth first is an option; it finds shortest words, and shows what the order is worth.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use harness_model::SmtString;
use rustc_hash::FxHashMap;

use crate::builder::index;

/// In which order states are taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Order {
    /// A stack, as published.
    #[default]
    DepthFirst,
    /// A queue: the first word found is a shortest one.
    BreadthFirst,
}

impl Order {
    /// Both.
    pub const ALL: [Self; 2] = [Self::DepthFirst, Self::BreadthFirst];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DepthFirst => "depth-first",
            Self::BreadthFirst => "breadth-first",
        }
    }
}

/// How a lazy search goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Search {
    /// The order in which states are taken up.
    pub order: Order,
    /// Whether nothing is done twice. The figures intersect the labels of every pair of moves, for they build
    /// the moves, and compute the minterms of a set of states each time it turns up in a pair. A search for a
    /// word need not: `once` passes over pairs of moves that lead to a state found before, and keeps what
    /// minterms of a set of states lead to, at the price of the memory for them.
    pub once: bool,
}

impl From<Order> for Search {
    /// The published search in that order.
    fn from(order: Order) -> Self {
        Self { order, once: false }
    }
}

/// States of the product by number, each a pair of states, with the pairs still to be taken up.
#[derive(Debug)]
pub(crate) struct Frontier {
    order: Order,
    waiting: VecDeque<u32>,
    numbers: FxHashMap<u64, u32>,
    pairs: Vec<(u32, u32)>,
}

impl Frontier {
    pub fn new(order: Order) -> Self {
        Self { order, waiting: VecDeque::new(), numbers: FxHashMap::default(), pairs: Vec::new() }
    }

    /// The number of `pair`, and whether it is new. A new one waits to be taken up.
    #[inline]
    pub fn find(&mut self, pair: (u32, u32)) -> Result<(u32, bool), Stop> {
        let next = self.pairs.len();
        match self.numbers.entry(key(pair)) {
            Entry::Occupied(known) => Ok((*known.get(), false)),
            Entry::Vacant(place) => {
                let number = index("a product", next, "states")?;
                place.insert(number);
                self.pairs.push(pair);
                self.waiting.push_back(number);
                Ok((number, true))
            }
        }
    }

    /// Whether `pair` was found before.
    #[inline]
    pub fn knows(&self, pair: (u32, u32)) -> bool {
        self.numbers.contains_key(&key(pair))
    }

    /// The next state to take up, with its pair.
    #[inline]
    pub fn take(&mut self) -> Option<(u32, (u32, u32))> {
        let number = match self.order {
            Order::DepthFirst => self.waiting.pop_back(),
            Order::BreadthFirst => self.waiting.pop_front(),
        }?;
        Some((number, self.pairs[number as usize]))
    }

    /// How many states were found.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }
}

/// A pair as one number.
#[inline]
fn key(pair: (u32, u32)) -> u64 {
    u64::from(pair.0) << 32 | u64::from(pair.1)
}

/// A word with one character of each label. `None` if a label has none, which searches rule out.
pub(crate) fn word_of<A: BooleanAlgebra>(
    algebra: &A,
    labels: impl IntoIterator<Item = Result<A::Set, Stop>>,
) -> Result<Option<SmtString>, Stop> {
    let mut chars = Vec::new();
    for label in labels {
        match algebra.pick(&label?)? {
            Some(c) => chars.push(c),
            None => return Ok(None),
        }
    }
    Ok(Some(SmtString::from(chars)))
}

//! Words of a language: how many there are, the only one, the least and the greatest.
//!
//! An algebra has no order of characters. What needs one asks for a [`Spread`]: the characters of a label in
//! order, found with the algebra's own operations by halving, so that each representation pays what it costs
//! there.

use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use harness_model::{Char, SmtString};

use super::{Layers, Node, deep};
use crate::sfa::LabelId;

/// The characters of a set: inclusive ranges, ascending, at least one character missing between any two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread(Vec<(u32, u32)>);

impl Spread {
    /// Of a set; two set operations a bit of a character and range.
    pub fn of<A: BooleanAlgebra>(algebra: &A, set: &A::Set, budget: &Budget) -> Result<Self, Stop> {
        let max = algebra.alphabet().max().0;
        let mut ranges = Vec::new();
        // Most labels are full or one character.
        if *set == algebra.full() {
            return Ok(Self(vec![(0, max)]));
        }
        if let Some(c) = algebra.pick(set)?
            && *set == algebra.of_ranges(&[(c.0, c.0)])?
        {
            return Ok(Self(vec![(c.0, c.0)]));
        }
        let mut rest = set.clone();
        while let Some(low) = least(algebra, &rest, budget)? {
            let from_low = algebra.of_ranges(&[(low, max)])?;
            let missing = algebra.difference(&from_low, &rest)?;
            match least(algebra, &missing, budget)? {
                None => {
                    ranges.push((low, max));
                    break;
                }
                Some(end) => {
                    ranges.push((low, end - 1));
                    rest = algebra.intersection(&rest, &algebra.of_ranges(&[(end, max)])?)?;
                }
            }
        }
        Ok(Self(ranges))
    }

    /// The ranges.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// How many characters.
    pub fn len(&self) -> u64 {
        self.0.iter().map(|(low, high)| u64::from(high - low) + 1).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first one.
    pub fn least(&self) -> Option<Char> {
        self.0.first().map(|&(low, _)| Char(low))
    }

    /// The last one.
    pub fn greatest(&self) -> Option<Char> {
        self.0.last().map(|&(_, high)| Char(high))
    }

    /// The only one, if there is just one.
    pub fn only(&self) -> Option<Char> {
        match self.0.as_slice() {
            [(low, high)] if low == high => Some(Char(*low)),
            _ => None,
        }
    }
}

/// The least character of a set, by halving.
fn least<A: BooleanAlgebra>(algebra: &A, set: &A::Set, budget: &Budget) -> Result<Option<u32>, Stop> {
    if algebra.is_empty(set)? {
        return Ok(None);
    }
    let (mut low, mut high) = (0, algebra.alphabet().max().0);
    while low < high {
        budget.tick()?;
        let middle = low + (high - low) / 2;
        let lower = algebra.intersection(set, &algebra.of_ranges(&[(low, middle)])?)?;
        if algebra.is_empty(&lower)? {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(Some(low))
}

impl<A: BooleanAlgebra> Layers<A> {
    /// The characters of a label in order. Remembered.
    pub fn spread(&mut self, label: LabelId, budget: &Budget) -> Result<Rc<Spread>, Stop> {
        if let Some(known) = self.spreads.get(&label) {
            return Ok(Rc::clone(known));
        }
        let spread = Rc::new(Spread::of(&self.algebra, self.label(label), budget)?);
        self.spreads.insert(label, Rc::clone(&spread));
        Ok(spread)
    }

    /// How many words there are; `u64::MAX` stands for that many or more.
    pub fn count(&mut self, a: Node, budget: &Budget) -> Result<u64, Stop> {
        if a.is_empty() {
            return Ok(0);
        }
        if a == Node::EPSILON {
            return Ok(1);
        }
        if let Some(&known) = self.counts.get(&a) {
            return Ok(known);
        }
        let mut count = 0_u64;
        for &(label, target) in self.moves(a).iter() {
            let characters = self.spread(label, budget)?.len();
            count = count.saturating_add(characters.saturating_mul(deep(|| self.count(target, budget))?));
        }
        self.counts.insert(a, count);
        Ok(count)
    }

    /// The only word, if there is just one.
    pub fn only_word(&mut self, a: Node, budget: &Budget) -> Result<Option<SmtString>, Stop> {
        let mut word = Vec::with_capacity(self.length(a));
        let mut at = a;
        while at != Node::EPSILON {
            let &[(label, target)] = &*self.moves(at) else { return Ok(None) };
            let Some(c) = self.spread(label, budget)?.only() else { return Ok(None) };
            word.push(c);
            at = target;
        }
        Ok(Some(SmtString::from(word)))
    }

    /// The least word in lexicographic order; `None` of the empty language.
    pub fn least_word(&mut self, a: Node, budget: &Budget) -> Result<Option<SmtString>, Stop> {
        self.extreme_word(a, false, budget)
    }

    /// The greatest word in lexicographic order; `None` of the empty language.
    pub fn greatest_word(&mut self, a: Node, budget: &Budget) -> Result<Option<SmtString>, Stop> {
        self.extreme_word(a, true, budget)
    }

    fn extreme_word(&mut self, a: Node, greatest: bool, budget: &Budget) -> Result<Option<SmtString>, Stop> {
        let mut word = Vec::with_capacity(self.length(a));
        let mut at = a;
        while at != Node::EPSILON {
            let mut best: Option<(Char, Node)> = None;
            for &(label, target) in self.moves(at).iter() {
                let spread = self.spread(label, budget)?;
                let c = if greatest { spread.greatest() } else { spread.least() };
                if let Some(c) = c
                    && best.is_none_or(|(b, _)| if greatest { c > b } else { c < b })
                {
                    best = Some((c, target));
                }
            }
            let Some((c, target)) = best else { return Ok(None) };
            word.push(c);
            at = target;
        }
        Ok(Some(SmtString::from(word)))
    }

    /// Whether the word is in the language.
    pub fn contains(&self, a: Node, word: &[Char]) -> Result<bool, Stop> {
        Ok(self.derivative(a, word)? == Node::EPSILON)
    }

    /// What may follow `word` in the language; empty when nothing does.
    pub fn derivative(&self, a: Node, word: &[Char]) -> Result<Node, Stop> {
        let mut at = a;
        'word: for &c in word {
            for &(label, target) in self.moves(at).iter() {
                if self.algebra.contains(self.label(label), c)? {
                    at = target;
                    continue 'word;
                }
            }
            return Ok(Node::EMPTY);
        }
        Ok(at)
    }
}

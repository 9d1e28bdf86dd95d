//! Languages as a lattice: what the engine asks of a representation.
//!
//! Every operation is exact, and goes down: what it gives is part of the language that it was given. A
//! representation may refuse to keep a language that has become too large ([`LanguageLattice::keep`]); the
//! vertex then keeps the language that it had.

use std::borrow::Borrow;
use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use backends_automata::{AutomataContext, Layers, Node, Sfa, trim};

/// A representation of languages of words.
pub trait LanguageLattice {
    /// A language as rules make it.
    type Value;

    /// A language as the engine keeps it: cheap to clone.
    type Language: Clone + Borrow<Self::Value>;

    /// The words of `old` that are in `by`; `None` if these are all of them.
    fn intersection(&mut self, old: &Self::Value, by: &Self::Value) -> Result<Option<Self::Value>, Stop>;

    /// The words of `old` that are not in `what`; `None` if these are all of them.
    fn difference(&mut self, old: &Self::Value, what: &Self::Value) -> Result<Option<Self::Value>, Stop>;

    /// Whether `new`, a part of `old`, has fewer words.
    fn is_smaller(&mut self, new: &Self::Value, old: &Self::Value) -> Result<bool, Stop>;

    /// Whether there is no word.
    fn is_empty(&mut self, language: &Self::Value) -> Result<bool, Stop>;

    /// The language in the form that is kept; `None` if it is too large to be kept.
    fn keep(&mut self, language: &Self::Value) -> Result<Option<Self::Language>, Stop>;
}

/// Words of every length: automata, minimal, up to a number of states. Operations spend the context's budget.
#[derive(Debug)]
pub struct SfaLattice<A> {
    /// What makes and combines automata.
    pub context: AutomataContext<A>,
    /// States of the largest automaton that is kept.
    pub states: usize,
}

impl<A: BooleanAlgebra> LanguageLattice for SfaLattice<A> {
    type Value = Sfa<A::Set>;

    type Language = Rc<Sfa<A::Set>>;

    fn intersection(&mut self, old: &Self::Value, by: &Self::Value) -> Result<Option<Self::Value>, Stop> {
        intersection(&self.context, old, by)
    }

    fn difference(&mut self, old: &Self::Value, what: &Self::Value) -> Result<Option<Self::Value>, Stop> {
        difference(&self.context, old, what)
    }

    fn is_smaller(&mut self, new: &Self::Value, old: &Self::Value) -> Result<bool, Stop> {
        Ok(!self.context.is_subset(old, new)?)
    }

    fn is_empty(&mut self, language: &Self::Value) -> Result<bool, Stop> {
        self.context.is_empty(language)
    }

    fn keep(&mut self, language: &Self::Value) -> Result<Option<Self::Language>, Stop> {
        match self.context.minimise(language) {
            Ok(minimal) if minimal.states() <= self.states => return Ok(Some(Rc::new(minimal))),
            Ok(_) | Err(Stop::Steps(_) | Stop::Size { .. }) => {}
            Err(stop) => return Err(stop),
        }
        // Where a deterministic automaton would be too large, the one that is there may not be: its lengths, and
        // whether it has words at all, are read off it as well.
        let plain = trim(language, &Budget::unlimited())?;
        Ok((plain.states() <= self.states).then(|| Rc::new(plain)))
    }
}

/// [`LanguageLattice::intersection`] on automata, for every lattice that is made of them.
pub fn intersection<A: BooleanAlgebra>(
    context: &AutomataContext<A>,
    old: &Sfa<A::Set>,
    by: &Sfa<A::Set>,
) -> Result<Option<Sfa<A::Set>>, Stop> {
    if context.is_subset(old, by)? {
        return Ok(None);
    }
    context.intersection(old, by).map(Some)
}

/// [`LanguageLattice::difference`] on automata, for every lattice that is made of them.
pub fn difference<A: BooleanAlgebra>(
    context: &AutomataContext<A>,
    old: &Sfa<A::Set>,
    what: &Sfa<A::Set>,
) -> Result<Option<Sfa<A::Set>>, Stop> {
    if context.is_disjoint(old, what)? {
        return Ok(None);
    }
    context.difference(old, what).map(Some)
}

/// Words of one length for each vertex: nodes of layered automata, which are minimal as they are made.
#[derive(Debug)]
pub struct LayerLattice<'a, A: BooleanAlgebra> {
    /// All nodes.
    pub layers: Layers<A>,
    /// Of the whole run.
    pub budget: &'a Budget,
}

impl<A: BooleanAlgebra> LanguageLattice for LayerLattice<'_, A> {
    type Value = Node;

    type Language = Node;

    fn intersection(&mut self, old: &Node, by: &Node) -> Result<Option<Node>, Stop> {
        let new = self.layers.intersection(*old, *by, self.budget)?;
        Ok(self.is_smaller(&new, old)?.then_some(new))
    }

    fn difference(&mut self, old: &Node, what: &Node) -> Result<Option<Node>, Stop> {
        let new = self.layers.difference(*old, *what, self.budget)?;
        Ok(self.is_smaller(&new, old)?.then_some(new))
    }

    fn is_smaller(&mut self, new: &Node, old: &Node) -> Result<bool, Stop> {
        Ok(new != old && (A::CANONICAL || !self.layers.is_subset(*old, *new, self.budget)?))
    }

    fn is_empty(&mut self, language: &Node) -> Result<bool, Stop> {
        Ok(language.is_empty())
    }

    fn keep(&mut self, language: &Node) -> Result<Option<Node>, Stop> {
        Ok(Some(*language))
    }
}

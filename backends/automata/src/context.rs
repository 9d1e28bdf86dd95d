//! Languages over one alphabet, made and combined within an allowance of steps.
//!
//! An [`AutomataContext`] holds what every operation on automata needs besides its operands: the algebra of
//! the labels and a budget. The budget is renewed for each rule ([`AutomataContext::refill`]), so that one
//! large product cannot stall the rest of a propagation.

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use harness_model::{Alphabet, CharSet, Regex, SmtString};

use crate::construct::construct;
use crate::epsilon::eliminate;
use crate::rational::{self, Image};
use crate::sfa::Sfa;

/// Makes and combines automata over one algebra.
#[derive(Debug)]
pub struct AutomataContext<A> {
    algebra: A,
    /// The steps that are left for the present rule.
    pub budget: Budget,
}

/// A language of the context's algebra.
type Language<A> = Sfa<<A as BooleanAlgebra>::Set>;

impl<A: BooleanAlgebra> AutomataContext<A> {
    /// With `steps` for all that is made until [`Self::refill`].
    pub fn new(algebra: A, steps: u64) -> Self {
        Self { algebra, budget: Budget::with_steps(steps) }
    }

    /// A fresh allowance of steps.
    pub fn refill(&mut self, steps: u64) {
        self.budget = Budget::with_steps(steps);
    }

    /// The algebra of the labels.
    pub const fn algebra(&self) -> &A {
        &self.algebra
    }

    /// The alphabet.
    pub fn alphabet(&self) -> Alphabet {
        self.algebra.alphabet()
    }

    /// The words of an expression.
    pub fn regex(&self, regex: &Regex) -> Result<Language<A>, Stop> {
        eliminate(&self.algebra, &construct(&self.algebra, regex, &self.budget)?, &self.budget)
    }

    /// One word.
    pub fn word(&self, word: &SmtString) -> Result<Language<A>, Stop> {
        self.regex(&Regex::literal(word))
    }

    /// The language of the empty word alone.
    pub fn only_empty_word(&self) -> Result<Language<A>, Stop> {
        self.regex(&Regex::Epsilon)
    }

    /// One character of the alphabet, as an expression.
    pub fn letter(&self) -> Regex {
        Regex::set(CharSet::full(self.alphabet()))
    }

    /// Every word: Σ*.
    pub fn all_words(&self) -> Result<Language<A>, Stop> {
        self.regex(&self.letter().star())
    }

    /// Every word but the empty one: Σ+.
    pub fn nonempty_words(&self) -> Result<Language<A>, Stop> {
        self.regex(&self.letter().repeat(1, None))
    }

    /// A word of `a`, then one of `b`.
    pub fn concat(&self, a: &Language<A>, b: &Language<A>) -> Result<Language<A>, Stop> {
        rational::concat(&self.algebra, a, b, &self.budget)
    }

    /// A word of each part, one after the other.
    pub fn concat_all<'a>(
        &self,
        parts: impl IntoIterator<Item = &'a Language<A>>,
    ) -> Result<Language<A>, Stop>
    where
        A::Set: 'a,
    {
        let mut parts = parts.into_iter();
        let Some(first) = parts.next() else { return self.only_empty_word() };
        parts.try_fold(first.clone(), |all, part| self.concat(&all, part))
    }

    /// The words in either.
    pub fn union(&self, a: &Language<A>, b: &Language<A>) -> Result<Language<A>, Stop> {
        a.union(b, &self.algebra, &self.budget)
    }

    /// The words in both.
    pub fn intersection(&self, a: &Language<A>, b: &Language<A>) -> Result<Language<A>, Stop> {
        a.intersection(b, &self.algebra, &self.budget)
    }

    /// The words of `a` that are not in `b`.
    pub fn difference(&self, a: &Language<A>, b: &Language<A>) -> Result<Language<A>, Stop> {
        a.difference(b, &self.algebra, &self.budget)
    }

    /// What stands before a word of `b` in a word of `a`.
    pub fn right_quotient(&self, a: &Language<A>, b: &Language<A>) -> Result<Language<A>, Stop> {
        rational::right_quotient(&self.algebra, a, b, &self.budget)
    }

    /// What stands after a word of `b` in a word of `a`.
    pub fn left_quotient(&self, a: &Language<A>, b: &Language<A>) -> Result<Language<A>, Stop> {
        rational::left_quotient(&self.algebra, a, b, &self.budget)
    }

    /// The prefixes of the words of `a`: the quotient by every word.
    pub fn prefixes(&self, a: &Language<A>) -> Result<Language<A>, Stop> {
        self.right_quotient(a, &self.all_words()?)
    }

    /// The suffixes of the words of `a`.
    pub fn suffixes(&self, a: &Language<A>) -> Result<Language<A>, Stop> {
        self.left_quotient(a, &self.all_words()?)
    }

    /// Each label replaced by its image.
    pub fn map_labels(&self, a: &Language<A>, image: &mut Image<'_, A>) -> Result<Language<A>, Stop> {
        rational::map_labels(&self.algebra, a, image, &self.budget)
    }

    /// Whether there is no word.
    pub fn is_empty(&self, a: &Language<A>) -> Result<bool, Stop> {
        a.is_empty(&self.budget)
    }

    /// Whether the two have no word in common.
    pub fn is_disjoint(&self, a: &Language<A>, b: &Language<A>) -> Result<bool, Stop> {
        a.is_disjoint(b, &self.algebra, &self.budget)
    }

    /// Whether every word of `a` is in `b`.
    pub fn is_subset(&self, a: &Language<A>, b: &Language<A>) -> Result<bool, Stop> {
        a.is_subset(b, &self.algebra, &self.budget)
    }

    /// The smallest deterministic automaton of the language, without states that lead nowhere.
    pub fn minimise(&self, a: &Language<A>) -> Result<Language<A>, Stop> {
        a.minimise(&self.algebra, &self.budget)
    }
}

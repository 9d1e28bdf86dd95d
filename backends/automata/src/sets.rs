//! The algebra of sets on automata: what rules that narrow languages say of them, in the words of the
//! textbooks.
//!
//! Each method runs one of this crate's constructions with the method of [`MintermMethod::Refinement`] and
//! without a tally; whoever measures a construction calls it by its own name. Results may be nondeterministic
//! and may have states that lead nowhere; [`Sfa::minimise`] makes the smallest automaton of the language.

use backends_algebra::{BooleanAlgebra, MintermMethod};
use backends_api::{Budget, Stop};
use harness_model::SmtString;

use crate::rational;
use crate::sfa::Sfa;
use crate::tally::Tally;
use crate::{determinize, difference, difference_witness, intersection, minimize, trim, witness};

const METHOD: MintermMethod = MintermMethod::Refinement;

impl<S> Sfa<S> {
    /// The words in both.
    pub fn intersection<A: BooleanAlgebra<Set = S>>(
        &self,
        other: &Self,
        algebra: &A,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        intersection(algebra, self, other, budget, &mut Tally::default())
    }

    /// The words in either.
    pub fn union<A: BooleanAlgebra<Set = S>>(
        &self,
        other: &Self,
        algebra: &A,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        rational::union(algebra, self, other, budget)
    }

    /// The words of this language that are not in `other`.
    pub fn difference<A: BooleanAlgebra<Set = S>>(
        &self,
        other: &Self,
        algebra: &A,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        difference(algebra, self, other, METHOD, budget, &mut Tally::default())
    }

    /// The words over the alphabet that are not in this language.
    pub fn complement<A: BooleanAlgebra<Set = S>>(&self, algebra: &A, budget: &Budget) -> Result<Self, Stop> {
        determinize::complement(algebra, self, METHOD, budget, &mut Tally::default())
    }

    /// Whether every word of this language is in `other`.
    pub fn is_subset<A: BooleanAlgebra<Set = S>>(
        &self,
        other: &Self,
        algebra: &A,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let (search, tally) = (Default::default(), &mut Tally::default());
        Ok(difference_witness(algebra, self, other, METHOD, search, budget, tally)?.is_none())
    }

    /// Whether no word is in both. Builds the whole product, so that the cost does not depend on the order of
    /// a search.
    pub fn is_disjoint<A: BooleanAlgebra<Set = S>>(
        &self,
        other: &Self,
        algebra: &A,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        self.intersection(other, algebra, budget)?.is_empty(budget)
    }

    /// Whether there is no word.
    pub fn is_empty(&self, budget: &Budget) -> Result<bool, Stop> {
        witness::is_empty(self, budget)
    }

    /// A shortest word, if there is a word.
    pub fn shortest_word<A: BooleanAlgebra<Set = S>>(
        &self,
        algebra: &A,
        budget: &Budget,
    ) -> Result<Option<SmtString>, Stop> {
        witness::shortest_word(algebra, self, budget)
    }

    /// Whether the word is in the language.
    pub fn accepts<A: BooleanAlgebra<Set = S>>(
        &self,
        word: &SmtString,
        algebra: &A,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        witness::accepts(algebra, self, word, budget)
    }

    /// The smallest deterministic automaton of the language, without states that lead nowhere.
    pub fn minimise<A: BooleanAlgebra<Set = S>>(&self, algebra: &A, budget: &Budget) -> Result<Self, Stop>
    where
        S: Clone + Eq + std::hash::Hash,
    {
        let small = minimize(algebra, self, METHOD, budget, &mut Tally::default())?;
        trim(&small, budget)
    }
}

#[cfg(test)]
mod tests {
    use backends_algebra::RangeAlgebra;
    use harness_model::{Alphabet, CharSet, Regex};

    use super::*;
    use crate::AutomataContext;

    /// Every operation, on all words of up to three letters out of two.
    #[test]
    fn sets_of_words_obey_their_names() {
        let context = AutomataContext::new(RangeAlgebra::new(Alphabet::Ascii), u64::MAX);
        let letter = |c: u32| Regex::set(CharSet::from_ranges([(c, c)]));
        let (a, b) = (letter(0x61), letter(0x62));
        let regexes = [
            Regex::Empty,
            Regex::Epsilon,
            Regex::concat([a.clone(), b.clone()]),
            Regex::concat([a.clone().star(), b.clone()]),
            Regex::union([a.clone(), b]).star(),
            a.repeat(1, Some(2)),
        ];
        let mut words = vec![SmtString::empty()];
        for length in 1..=3 {
            for bits in 0..1_u32 << length {
                let text: String = (0..length).map(|i| if bits >> i & 1 == 0 { 'a' } else { 'b' }).collect();
                words.push(SmtString::from(text.as_str()));
            }
        }
        let (algebra, budget) = (context.algebra(), &context.budget);
        let has = |x: &Sfa<_>, word: &SmtString| x.accepts(word, algebra, budget).unwrap();
        for left in regexes.iter().map(|r| context.regex(r).unwrap()) {
            let not = left.complement(algebra, budget).unwrap();
            let small = left.minimise(algebra, budget).unwrap();
            assert!(words.iter().all(|w| has(&not, w) != has(&left, w) && has(&small, w) == has(&left, w)));
            let least = left.shortest_word(algebra, budget).unwrap();
            assert_eq!(least.is_none(), left.is_empty(budget).unwrap());
            assert!(least.is_none_or(|w| has(&left, &w)));
            for right in regexes.iter().map(|r| context.regex(r).unwrap()) {
                let both = left.intersection(&right, algebra, budget).unwrap();
                let either = left.union(&right, algebra, budget).unwrap();
                let only = left.difference(&right, algebra, budget).unwrap();
                for w in &words {
                    let (l, r) = (has(&left, w), has(&right, w));
                    assert_eq!(
                        (has(&both, w), has(&either, w), has(&only, w)),
                        (l && r, l || r, l && !r),
                        "{w}"
                    );
                }
                assert_eq!(
                    left.is_disjoint(&right, algebra, budget).unwrap(),
                    both.is_empty(budget).unwrap()
                );
                assert_eq!(left.is_subset(&right, algebra, budget).unwrap(), only.is_empty(budget).unwrap());
            }
        }
    }
}

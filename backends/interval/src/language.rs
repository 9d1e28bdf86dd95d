//! Interval automata and the operations on them that rules need.
//!
//! An interval automaton is a [`Sfa`] whose labels are ranges of characters ([`Ranges`]). A
//! [`IntervalContext`] makes them; each operation ticks its budget, which the caller makes fresh for each
//! rule, so that one large product cannot stall the rest.
//!
//! Source: Li and Ghosh, *PASS: String Solving with Parameterized Array and Interval Automaton*, section 4,
//! where the operations are those of dk.brics.automaton; `first` and `second` are the two quotients here.

use std::borrow::Borrow;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use backends_algebra::ranges::Ranges;
use backends_algebra::{BooleanAlgebra, RangeAlgebra};
use backends_api::Stop;
use backends_automata::{AutomataContext, Sfa, SfaBuilder, StateId, trim};
use backends_propagate::lengths::lengths;
use backends_propagate::{LanguageLattice, lattice};
use harness_model::{Alphabet, Char, CharSet, Regex, SmtString};

/// An automaton whose moves read intervals of characters.
pub type Automaton = Sfa<Ranges>;

/// A language that several vertices may share.
pub type Language = Rc<Automaton>;

/// A language and the lengths of its words.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The language, which is not empty; a minimal automaton.
    pub automaton: Language,
    /// The length of the shortest words and, where words have a greatest length, that.
    pub lengths: (i64, Option<i64>),
}

impl Borrow<Automaton> for Measured {
    fn borrow(&self) -> &Automaton {
        &self.automaton
    }
}

/// Interval automata as a lattice: minimal, up to a number of states, and measured.
#[derive(Debug)]
pub struct IntervalLattice {
    /// What makes and combines automata.
    pub context: IntervalContext,
    /// States of the largest automaton that is kept.
    pub states: usize,
}

impl LanguageLattice for IntervalLattice {
    type Value = Automaton;

    type Language = Measured;

    fn intersection(&mut self, old: &Automaton, by: &Automaton) -> Result<Option<Automaton>, Stop> {
        lattice::intersection(&self.context, old, by)
    }

    fn difference(&mut self, old: &Automaton, what: &Automaton) -> Result<Option<Automaton>, Stop> {
        lattice::difference(&self.context, old, what)
    }

    fn is_smaller(&mut self, new: &Automaton, old: &Automaton) -> Result<bool, Stop> {
        Ok(!self.context.is_subset(old, new)?)
    }

    fn is_empty(&mut self, language: &Automaton) -> Result<bool, Stop> {
        self.context.is_empty(language)
    }

    fn keep(&mut self, language: &Automaton) -> Result<Option<Measured>, Stop> {
        let automaton = self.context.minimise(language)?;
        if automaton.states() > self.states {
            return Ok(None);
        }
        let lengths = self.context.lengths(&automaton)?;
        Ok(lengths.map(|lengths| Measured { automaton: Rc::new(automaton), lengths }))
    }
}

/// Longest padding of known length that is built; a longer one is taken for *at least this long*, which has
/// more words.
pub const MAX_PADDING: u32 = 128;

/// Makes and combines interval automata over one alphabet: an [`AutomataContext`], to which it lends its
/// operations, and what only ranges of characters allow.
#[derive(Debug)]
pub struct IntervalContext(AutomataContext<RangeAlgebra>);

impl Deref for IntervalContext {
    type Target = AutomataContext<RangeAlgebra>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for IntervalContext {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl IntervalContext {
    /// Over `alphabet`, with `steps` for all that is made until [`AutomataContext::refill`].
    pub fn new(alphabet: Alphabet, steps: u64) -> Self {
        Self(AutomataContext::new(RangeAlgebra::new(alphabet), steps))
    }

    /// One character with a code from `low` to `high`, both cut to the alphabet; empty when nothing is left.
    pub fn codes(&self, low: i64, high: i64) -> Result<Automaton, Stop> {
        self.regex(&Regex::set(codes(self.alphabet(), low, high)))
    }

    /// Every word of a length from `low` to `high` (no `high`: or more). Bounds beyond [`MAX_PADDING`] are
    /// dropped, which adds words.
    pub fn words_of_length(&self, low: i64, high: Option<i64>) -> Result<Automaton, Stop> {
        if high.is_some_and(|high| high < low.max(0)) {
            return self.regex(&Regex::Empty);
        }
        let clip = |n: i64| u32::try_from(n.max(0)).unwrap_or(u32::MAX);
        let high = high.map(clip).filter(|&high| high <= MAX_PADDING);
        self.regex(&self.letter().repeat(clip(low).min(MAX_PADDING), high))
    }

    /// Parts of words of `a` that start from `low` to `high` characters inside.
    pub fn parts(&self, a: &Automaton, low: i64, high: Option<i64>) -> Result<Automaton, Stop> {
        let after = self.left_quotient(a, &self.words_of_length(low, high)?)?;
        self.prefixes(&after)
    }

    /// The only word, if there is one word and no more. `a` is minimal.
    pub fn only_word(&self, a: &Automaton) -> Option<SmtString> {
        let mut word = Vec::new();
        let mut state = a.initial();
        // A minimal automaton of one word is a line.
        while let [only] = a.moves_from(state) {
            let &[(low, high)] = a.label(only.label).as_slice() else { return None };
            if low != high || a.is_final(state) || word.len() > a.states() {
                return None;
            }
            word.push(Char(low));
            state = only.target;
        }
        (a.moves_from(state).is_empty() && a.is_final(state)).then(|| SmtString::from(word))
    }

    /// The length of a shortest word and, where words have a greatest length, that; `None` for the empty
    /// language. `a` is trim.
    pub fn lengths(&self, a: &Automaton) -> Result<Option<(i64, Option<i64>)>, Stop> {
        let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let lengths = lengths(a, &self.budget)?;
        Ok(lengths.map(|(least, greatest)| (number(least), greatest.map(number))))
    }

    /// The characters that words of `a` may have at a position from `low` to `high`; positions beyond
    /// [`MAX_PADDING`] count as any later one. `a` is trim.
    pub fn characters(&self, a: &Automaton, low: i64, high: Option<i64>) -> Result<Ranges, Stop> {
        let after = self.left_quotient(a, &self.words_of_length(low, high)?)?;
        let after = trim(&after, &self.budget)?;
        let mut set = self.algebra().empty();
        for m in after.moves_from(after.initial()) {
            set = self.algebra().union(&set, after.label(m.label))?;
        }
        Ok(set)
    }

    /// The first position at which a word of `a` may have one of these characters. `a` is trim.
    pub fn first_place(&self, a: &Automaton, set: &CharSet) -> Result<Option<i64>, Stop> {
        let set = self.algebra().of_ranges(set.ranges())?;
        let mut layer = vec![a.initial()];
        // What can be reached at all is reached in fewer steps than there are states.
        for at in 0..=a.states() {
            let mut next: Vec<StateId> = Vec::new();
            for &state in &layer {
                for m in a.moves_from(state) {
                    self.budget.tick()?;
                    let common = self.algebra().intersection(a.label(m.label), &set)?;
                    if !self.algebra().is_empty(&common)? {
                        return Ok(i64::try_from(at).ok());
                    }
                    next.push(m.target);
                }
            }
            next.sort_unstable();
            next.dedup();
            layer = next;
        }
        Ok(None)
    }

    /// Every word with a word of `a` before it in lexicographic order or, if not `after`, behind it; equal
    /// words too where `or_equal`. Exact. `a` is trim: what was read so far is followed along `a`, and the
    /// first difference settles the rest.
    pub fn beside(&self, a: &Automaton, after: bool, or_equal: bool) -> Result<Automaton, Stop> {
        let max = self.alphabet().max().0;
        let mut builder = SfaBuilder::new();
        for state in a.state_ids() {
            let more = !a.moves_from(state).is_empty();
            // A word that ends here is behind by its length where some word of `a` goes on.
            builder.add_state((or_equal && a.is_final(state)) || (!after && more))?;
        }
        let all = builder.add_state(true)?;
        builder.add_move(all, self.algebra().full(), all)?;
        for state in a.state_ids() {
            if after && a.is_final(state) {
                builder.add_move(state, self.algebra().full(), all)?;
            }
            for m in a.moves_from(state) {
                self.budget.tick()?;
                let label = a.label(m.label);
                builder.add_move(state, label.clone(), m.target)?;
                let (Some(&(least, _)), Some(&(_, greatest))) =
                    (label.as_slice().first(), label.as_slice().last())
                else {
                    continue;
                };
                let range = match after {
                    true if least < max => (least + 1, max),
                    false if greatest > 0 => (0, greatest - 1),
                    _ => continue,
                };
                builder.add_move(state, self.algebra().of_ranges(&[range])?, all)?;
            }
        }
        Ok(builder.freeze(a.initial()))
    }
}

/// The characters of the alphabet with a code from `low` to `high`.
pub fn codes(alphabet: Alphabet, low: i64, high: i64) -> CharSet {
    let low = u32::try_from(low.max(0)).unwrap_or(u32::MAX);
    let high = u32::try_from(high.max(-1).saturating_add(1)).unwrap_or(u32::MAX);
    match high.checked_sub(1).map(|high| high.min(alphabet.max().0)) {
        Some(high) if low <= high => CharSet::range(Char(low), Char(high)),
        _ => CharSet::from_ranges([]),
    }
}

#[cfg(test)]
mod tests {
    use backends_api::Budget;

    use super::*;
    use crate::testkit::{all_words, letter};

    fn has(context: &IntervalContext, a: &Automaton, word: &SmtString) -> bool {
        backends_automata::accepts(context.algebra(), a, word, &Budget::unlimited()).unwrap()
    }

    fn context() -> IntervalContext {
        IntervalContext::new(Alphabet::Ascii, 10_000_000)
    }

    fn languages() -> Vec<Regex> {
        let (a, b) = (letter('a'), letter('b'));
        vec![
            Regex::Epsilon,
            Regex::concat([b.clone(), a.clone()]),
            Regex::union([Regex::concat([b.clone(), b.clone()]), a.clone()]),
            Regex::concat([a.clone().star(), b.clone()]),
            Regex::concat([b.clone(), Regex::union([a.clone(), b]).star()]),
            Regex::concat([a, letter('c')]).repeat(0, Some(2)),
        ]
    }

    /// Words of up to four letters decide for words of up to three, for each language has its bounds within
    /// them or reads letters that are compared at the second place at most.
    #[test]
    fn what_is_before_or_after_a_language() {
        let context = context();
        let all = all_words(5);
        for regex in languages() {
            let a = context.minimise(&context.regex(&regex).unwrap()).unwrap();
            let inside: Vec<&SmtString> = all.iter().filter(|w| has(&context, &a, w)).collect();
            for after in [false, true] {
                for or_equal in [false, true] {
                    let beside = context.beside(&a, after, or_equal).unwrap();
                    for word in all.iter().filter(|w| w.len() <= 3) {
                        let expected = inside.iter().any(|v| {
                            let (first, second) = if after { (*v, word) } else { (word, *v) };
                            first.chars() < second.chars() || (or_equal && first == second)
                        });
                        assert_eq!(
                            has(&context, &beside, word),
                            expected,
                            "{regex:?} {after} {or_equal} {word}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn lengths_and_only_words() {
        let context = context();
        let minimal = |regex: &Regex| context.minimise(&context.regex(regex).unwrap()).unwrap();
        let found: Vec<_> = languages().iter().map(|r| context.lengths(&minimal(r)).unwrap()).collect();
        let expected = [(0, Some(0)), (2, Some(2)), (1, Some(2)), (1, None), (1, None), (0, Some(4))];
        assert_eq!(found, expected.map(Some));
        assert_eq!(context.lengths(&minimal(&Regex::Empty)).unwrap(), None);
        let only: Vec<_> = languages().iter().map(|r| context.only_word(&minimal(r))).collect();
        let expected = [Some(SmtString::empty()), Some(SmtString::from("ba")), None, None, None, None];
        assert_eq!(only, expected);
        assert_eq!(context.only_word(&minimal(&Regex::Empty)), None);
    }

    #[test]
    fn codes_outside_the_alphabet_are_no_characters() {
        assert_eq!(codes(Alphabet::Ascii, -5, 3).len(), 4);
        assert_eq!(codes(Alphabet::Ascii, 120, i64::MAX).len(), 8);
        assert!(codes(Alphabet::Ascii, 128, 200).is_empty() && codes(Alphabet::Ascii, -9, -1).is_empty());
        assert!(codes(Alphabet::Ascii, 5, i64::MIN).is_empty());
    }
}

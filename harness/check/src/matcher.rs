//! The trusted membership test: is this word in the language of this expression?
//!
//! Written from the definition of each operator alone; shares no code and no idea with the automata that it
//! checks. For a set of positions of the word where a match may start it computes the set of positions where
//! it may end. Position sets are the only state, so counted repetition costs nothing extra: `r{1000000}` ends
//! as soon as the sets stop changing, at most one round for each position of the word.
//!
//! Cost: for a word of n characters and a term of m nodes, O(m n^2 / 64) without complement and intersection,
//! which take each start by itself and add a factor n. [`matches_within`] gives up beyond a number of steps.
//! The recursion is as deep as the term; the readers of patterns and the evaluator of problems limit that
//! depth.

use std::cell::Cell;

use harness_model::alphabet::Char;
use harness_model::regex::Regex;
use harness_model::string::SmtString;

/// A set of positions `0..=n`. Not of a library: what judges others has no code in common with them, and
/// `fixedbitset` takes from 0.97 to 1.04 of the time, which is noise.
#[derive(Clone, PartialEq, Eq)]
struct Positions(Vec<u64>);

impl Positions {
    fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn one(count: usize, position: usize) -> Self {
        let mut set = Self::none(count);
        set.insert(position);
        set
    }

    fn insert(&mut self, position: usize) {
        self.0[position / 64] |= 1 << (position % 64);
    }

    fn contains(&self, position: usize) -> bool {
        self.0[position / 64] >> (position % 64) & 1 == 1
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    fn size(&self) -> u64 {
        self.0.iter().map(|w| u64::from(w.count_ones())).sum()
    }

    fn add(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }

    fn keep(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= b;
        }
    }

    /// Those below `count`, ascending. Costs a step for each 64 positions and one for each that is in it.
    fn iter(&self, count: usize) -> impl Iterator<Item = usize> + '_ {
        let bits = self.0.iter().enumerate().flat_map(|(number, &bits)| {
            std::iter::successors((bits != 0).then_some(bits), |&bits| {
                Some(bits & (bits - 1)).filter(|&b| b != 0)
            })
            .map(move |bits| number * 64 + bits.trailing_zeros() as usize)
        });
        bits.take_while(move |&p| p < count)
    }
}

/// Whether `word`, as a whole, is in the language of `regex`.
pub fn matches(regex: &Regex, word: &SmtString) -> bool {
    Matcher::new(word.chars()).matches(regex)
}

/// As [`matches()`], but `None` when that takes more than `steps`, a step being an operation on 64 positions
/// (about a nanosecond).
pub fn matches_within(regex: &Regex, word: &SmtString, steps: u64) -> Option<bool> {
    let matcher = Matcher::within(word.chars(), steps);
    let found = matcher.matches(regex);
    (!matcher.gave_up()).then_some(found)
}

/// Matches expressions against parts of one word.
pub struct Matcher<'a> {
    word: &'a [Char],
    /// Number of positions: one more than characters.
    count: usize,
    /// Steps that may still be taken.
    left: Cell<u64>,
    /// Whether there were too few. Nothing that is found then counts.
    gave_up: Cell<bool>,
}

impl<'a> Matcher<'a> {
    /// For this word.
    pub const fn new(word: &'a [Char]) -> Self {
        Self { word, count: word.len() + 1, left: Cell::new(u64::MAX), gave_up: Cell::new(false) }
    }

    /// For this word, in at most so many steps: see [`Self::gave_up`].
    pub const fn within(word: &'a [Char], steps: u64) -> Self {
        Self { left: Cell::new(steps), ..Self::new(word) }
    }

    /// Whether there were too few steps. Nothing that was found then counts.
    pub const fn gave_up(&self) -> bool {
        self.gave_up.get()
    }

    /// The steps that are left.
    pub const fn left(&self) -> u64 {
        self.left.get()
    }

    /// Whether the whole word is in the language of `regex`.
    pub fn matches(&self, regex: &Regex) -> bool {
        self.ends(regex, &Positions::one(self.count, 0)).contains(self.word.len())
    }

    /// The positions, ascending, at which a match that starts at `start` may end.
    pub fn ends_from(&self, regex: &Regex, start: usize) -> impl Iterator<Item = usize> + use<> {
        let (ends, count) = (self.ends(regex, &Positions::one(self.count, start)), self.count);
        (start..count).filter(move |&p| ends.contains(p))
    }

    /// Where a match of `regex` that starts in `starts` may end.
    fn ends(&self, regex: &Regex, starts: &Positions) -> Positions {
        if starts.is_empty() {
            return starts.clone();
        }
        // The sets of positions that this call makes, and the positions that a set of characters looks at.
        let steps = starts.0.len() as u64 + if let Regex::Set(_) = regex { starts.size() } else { 0 };
        match self.left.get().checked_sub(steps) {
            Some(left) => self.left.set(left),
            None => self.gave_up.set(true),
        }
        if self.gave_up.get() {
            // No positions: every loop ends.
            return Positions::none(self.count);
        }
        match regex {
            Regex::Empty => Positions::none(self.count),
            Regex::Epsilon => starts.clone(),
            Regex::Set(set) => {
                let mut ends = Positions::none(self.count);
                for p in starts.iter(self.word.len()).filter(|&p| set.contains(self.word[p])) {
                    ends.insert(p + 1);
                }
                ends
            }
            Regex::Concat(parts) => parts.iter().fold(starts.clone(), |from, part| self.ends(part, &from)),
            Regex::Union(parts) => parts.iter().fold(Positions::none(self.count), |mut ends, part| {
                ends.add(&self.ends(part, starts));
                ends
            }),
            Regex::Inter(parts) => self.for_each_start(starts, |from| {
                let mut ends = self.suffixes(from);
                for part in parts.iter() {
                    ends.keep(&self.ends(part, &Positions::one(self.count, from)));
                }
                ends
            }),
            Regex::Complement(inner) => self.for_each_start(starts, |from| {
                let inside = self.ends(inner, &Positions::one(self.count, from));
                let mut ends = Positions::none(self.count);
                for p in (from..self.count).filter(|&p| !inside.contains(p)) {
                    ends.insert(p);
                }
                ends
            }),
            Regex::Repeat { inner, min, max } => self.repeat(inner, *min, *max, starts),
        }
    }

    fn repeat(&self, inner: &Regex, min: u32, max: Option<u32>, starts: &Positions) -> Positions {
        let mut current = starts.clone();
        let mut rounds = 0;
        // The required rounds. Either every match of `inner` is longer than nothing and the sets run empty,
        // or `inner` has the empty word and the sets only grow: in both cases they are stable within `count`
        // rounds.
        while rounds < min {
            let next = self.ends(inner, &current);
            rounds += 1;
            if next == current {
                rounds = min;
            }
            current = next;
        }
        let mut all =
            if max.is_some_and(|max| max < min) { Positions::none(self.count) } else { current.clone() };
        let mut frontier = current;
        while !frontier.is_empty() && max.is_none_or(|max| rounds < max) {
            let next = self.ends(inner, &frontier);
            rounds += 1;
            let before = all.clone();
            all.add(&next);
            if all == before {
                break;
            }
            frontier = next;
        }
        all
    }

    /// All positions from `from` on.
    fn suffixes(&self, from: usize) -> Positions {
        let mut ends = Positions::none(self.count);
        for p in from..self.count {
            ends.insert(p);
        }
        ends
    }

    fn for_each_start(&self, starts: &Positions, ends_of: impl Fn(usize) -> Positions) -> Positions {
        let mut ends = Positions::none(self.count);
        for from in starts.iter(self.count) {
            if self.gave_up.get() {
                break;
            }
            ends.add(&ends_of(from));
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness_model::charset::CharSet;

    fn chars(text: &str) -> Regex {
        Regex::set(CharSet::from_ranges(text.chars().map(|c| (u32::from(c), u32::from(c)))))
    }

    fn lit(text: &str) -> Regex {
        Regex::literal(&SmtString::from(text))
    }

    fn check(regex: &Regex, inside: &[&str], outside: &[&str]) {
        for word in inside {
            assert!(matches(regex, &SmtString::from(*word)), "{word:?} must be in {regex:?}");
        }
        for word in outside {
            assert!(!matches(regex, &SmtString::from(*word)), "{word:?} must not be in {regex:?}");
        }
    }

    #[test]
    fn basics() {
        check(&Regex::Empty, &[], &["", "a"]);
        check(&Regex::Epsilon, &[""], &["a"]);
        check(&Regex::set(CharSet::empty()), &[], &["", "a"]);
        check(&Regex::concat([]), &[""], &["a"]);
        check(&Regex::union([]), &[], &["", "a"]);
        check(&Regex::Inter([].into()), &["", "a"], &[]);
        check(&lit("abc"), &["abc"], &["", "ab", "abcd"]);
        check(&Regex::union([lit("a"), lit("ab")]), &["a", "ab"], &["", "b", "aab"]);
    }

    #[test]
    fn repeats() {
        let ab = lit("ab");
        check(&ab.clone().repeat(2, Some(3)), &["abab", "ababab"], &["", "ab", "abababab", "aba"]);
        check(&ab.clone().repeat(0, Some(0)), &[""], &["ab"]);
        check(&ab.clone().repeat(3, Some(2)), &[], &["", "ab", "abab", "ababab"]);
        check(&ab.star(), &["", "ab", "abab"], &["a", "aba"]);
        let maybe = Regex::union([Regex::Epsilon, lit("g")]);
        check(&maybe.repeat(1_000_000, None), &["", "g", "ggggg"], &["h"]);
        check(&lit("u").repeat(u32::MAX, None), &[], &["", "u"]);
        check(&Regex::Epsilon.repeat(u32::MAX, Some(u32::MAX)), &[""], &["u"]);
        check(&lit("u").repeat(1000, Some(1000)).repeat(1000, Some(1000)), &[], &["", "u"]);
    }

    #[test]
    fn a_repeat_of_words_of_several_lengths_does_not_stop_early() {
        // After two rounds no new end appears although later rounds bring one.
        let two_or_five = Regex::union([lit("aa"), lit("aaaaa")]);
        for n in 0..40 {
            let word = "a".repeat(n);
            let expected = (0..=n / 5).any(|fives| (n - 5 * fives).is_multiple_of(2));
            assert_eq!(
                matches(&two_or_five.clone().star(), &SmtString::from(word.as_str())),
                expected,
                "{n}"
            );
            let exactly_four = (0..=4).any(|fives| 5 * fives + 2 * (4 - fives) == n);
            assert_eq!(
                matches(&two_or_five.clone().repeat(4, Some(4)), &SmtString::from(word.as_str())),
                exactly_four
            );
        }
    }

    #[test]
    fn too_few_steps_give_no_answer_and_enough_the_right_one() {
        let words = Regex::union([lit("aa"), lit("b")]);
        let no_bb =
            Regex::Complement(Regex::concat([chars("ab").star(), lit("bb"), chars("ab").star()]).into());
        for regex in
            [words.clone().repeat(100, None), no_bb, Regex::Inter([words.star(), chars("ab").star()].into())]
        {
            for word in ["aab".repeat(70), "ab".repeat(70), String::new()] {
                let word = SmtString::from(word.as_str());
                let right = matches(&regex, &word);
                assert_eq!(matches_within(&regex, &word, 0), None);
                // Once it is enough it stays enough, and what is answered is always right.
                let answers: Vec<_> = (0..24).map(|k| matches_within(&regex, &word, 1 << k)).collect();
                let enough = answers.iter().position(Option::is_some).unwrap();
                assert!(answers[enough..].iter().all(|&answer| answer == Some(right)), "{answers:?}");
            }
        }
    }

    #[test]
    fn positions_are_listed_in_order() {
        let mut set = Positions::none(300);
        let inside = [0, 1, 63, 64, 127, 128, 200, 299];
        inside.iter().for_each(|&p| set.insert(p));
        assert_eq!(set.iter(300).collect::<Vec<_>>(), inside);
        assert_eq!(set.iter(128).collect::<Vec<_>>(), inside[..5]);
        assert_eq!((set.size(), Positions::none(5).iter(5).count()), (8, 0));
    }

    #[test]
    fn booleans() {
        let contains_a = Regex::concat([chars("ab").star(), lit("a"), chars("ab").star()]);
        check(&Regex::Complement(contains_a.clone().into()), &["", "b", "bb", "c"], &["a", "ba", "bab"]);
        let ends_b = Regex::concat([chars("ab").star(), lit("b")]);
        check(&Regex::Inter([contains_a, ends_b].into()), &["ab", "aab", "bab"], &["", "b", "a", "ba"]);
        let no_aa =
            Regex::Complement(Regex::concat([chars("ab").star(), lit("aa"), chars("ab").star()]).into());
        check(&Regex::concat([no_aa, lit("c")]), &["c", "abac"], &["aac", "", "aabc"]);
    }
}

//! The words of an interval automaton one after the other, shortest first.
//!
//! A beginning is followed only where it can still become a word of the length that is looked for, so that no
//! search is lost in letters from which the rest of the word cannot be reached in time.
//!
//! Invariant: the automaton is minimal and so deterministic: no word is found twice.

use backends_algebra::ranges::Ranges;
use backends_api::{Budget, Stop};
use backends_automata::StateId;
use backends_propagate::lengths::lengths;
use harness_model::{Char, SmtString};

use crate::language::Automaton;

/// Which words of a language are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// So many.
    pub limit: usize,
    /// Characters that are tried for one move, its least and greatest among them.
    pub breadth: usize,
    /// Characters by which a word may be longer than a shortest one.
    pub longer: usize,
}

/// Cells of the largest table of states that can still become a word: 64 MiB.
const MAX_CELLS: usize = 1 << 26;

/// The words of `a` that are wanted, shortest first, those of one length in the order of moves; and whether
/// the language has no others. Takes time and memory for the states times the greatest length that is looked
/// at; in a language for which that is too much, only words of a part of these lengths are found.
pub fn words(a: &Automaton, wanted: Wanted, budget: &Budget) -> Result<(Vec<SmtString>, bool), Stop> {
    let Some((least, greatest)) = lengths(a, budget)? else { return Ok((Vec::new(), true)) };
    let longest = least.saturating_add(wanted.longer).min(greatest.unwrap_or(usize::MAX));
    let longest = longest.min(MAX_CELLS / a.states().max(1));
    let mut search =
        Search { a, wanted, reach: Reach::new(a, longest, budget)?, found: Vec::new(), all: true };
    search.all = greatest.is_some_and(|greatest| greatest <= longest);
    for length in least..=longest {
        if !search.of_length(length, budget)? {
            return Ok((search.found, false));
        }
    }
    Ok((search.found, search.all))
}

/// From which states a word of exactly so many characters leads to a final one.
struct Reach(Vec<Vec<bool>>);

impl Reach {
    /// Up to `longest` characters.
    fn new(a: &Automaton, longest: usize, budget: &Budget) -> Result<Self, Stop> {
        let mut rows = vec![a.state_ids().map(|state| a.is_final(state)).collect::<Vec<bool>>()];
        for length in 0..longest {
            let mut row = Vec::with_capacity(a.states());
            for state in a.state_ids() {
                budget.tick()?;
                row.push(a.moves_from(state).iter().any(|m| rows[length][m.target.index()]));
            }
            rows.push(row);
        }
        Ok(Self(rows))
    }

    fn has(&self, state: StateId, length: usize) -> bool {
        self.0.get(length).is_some_and(|row| row[state.index()])
    }
}

struct Search<'s> {
    a: &'s Automaton,
    wanted: Wanted,
    reach: Reach,
    found: Vec<SmtString>,
    all: bool,
}

impl Search<'_> {
    /// Finds words of exactly this length; whether more words are wanted after them.
    fn of_length(&mut self, length: usize, budget: &Budget) -> Result<bool, Stop> {
        if !self.reach.has(self.a.initial(), length) {
            return Ok(true);
        }
        let mut word = Vec::with_capacity(length);
        // For each beginning of the word the steps that may follow it.
        let mut open = vec![self.steps(self.a.initial(), length).into_iter()];
        while let Some(steps) = open.last_mut() {
            budget.tick()?;
            if word.len() == length {
                if self.found.len() == self.wanted.limit {
                    return Ok(false);
                }
                self.found.push(SmtString::from(word.clone()));
            }
            match steps.next() {
                Some((c, target)) => {
                    word.push(c);
                    open.push(self.steps(target, length - word.len()).into_iter());
                }
                None => {
                    open.pop();
                    word.pop();
                }
            }
        }
        Ok(true)
    }

    /// The characters that may come next in a word with `left` more characters, and where they lead.
    fn steps(&mut self, state: StateId, left: usize) -> Vec<(Char, StateId)> {
        let mut steps = Vec::new();
        let Some(after) = left.checked_sub(1) else { return steps };
        for m in self.a.moves_from(state) {
            if self.reach.has(m.target, after) {
                let (chars, whole) = members(self.a.label(m.label), self.wanted.breadth);
                self.all &= whole;
                steps.extend(chars.into_iter().map(|c| (c, m.target)));
            }
        }
        steps
    }
}

/// Up to `count` characters of the set, spread over its ranges: letters and digits before others; whether
/// these are all.
fn members(set: &Ranges, count: usize) -> (Vec<Char>, bool) {
    let size: u64 = set.as_slice().iter().map(|(low, high)| u64::from(high - low) + 1).sum();
    if size <= count as u64 {
        let all = set.as_slice().iter().flat_map(|&(low, high)| (low..=high).map(Char)).collect();
        return (all, true);
    }
    let mut chars: Vec<Char> = Vec::new();
    let has = |c: u32| set.as_slice().iter().any(|&(low, high)| low <= c && c <= high);
    let ends = set.as_slice().iter().flat_map(|&(low, high)| [low, high]);
    let liked = [0x61, 0x30, 0x31, 0x41, 0x62, 0x7A, 0x39, 0x20];
    for c in liked.into_iter().filter(|&c| has(c)).chain(ends) {
        if chars.len() < count && !chars.contains(&Char(c)) {
            chars.push(Char(c));
        }
    }
    (chars, false)
}

#[cfg(test)]
mod tests {
    use harness_model::{Alphabet, CharSet, Regex};

    use super::*;
    use crate::language::IntervalContext;
    use crate::testkit::{all_words, letter};

    fn context() -> IntervalContext {
        IntervalContext::new(Alphabet::Ascii, 10_000_000)
    }

    fn text(word: &str) -> Regex {
        Regex::concat(word.chars().map(letter))
    }

    fn few(regex: &Regex, wanted: Wanted) -> (Vec<SmtString>, bool) {
        let context = context();
        let a = context.minimise(&context.regex(regex).unwrap()).unwrap();
        words(&a, wanted, &Budget::unlimited()).unwrap()
    }

    /// By length, then by characters.
    fn sorted(mut words: Vec<SmtString>) -> Vec<SmtString> {
        words.sort_by_key(|word| (word.len(), word.chars().to_vec()));
        words
    }

    #[test]
    fn finds_all_words_of_the_lengths() {
        let (a, b, c) = (letter('a'), letter('b'), letter('c'));
        let languages = [
            Regex::Epsilon,
            text("ba"),
            Regex::union([text("bb"), a.clone()]),
            Regex::concat([a.clone().star(), b.clone()]),
            Regex::concat([b.clone(), Regex::union([a.clone(), b.clone()]).star()]),
            Regex::concat([a.clone(), c.clone()]).repeat(0, Some(2)),
            Regex::concat([Regex::concat([a, b]).repeat(2, Some(2)).star(), c]),
        ];
        let context = context();
        for regex in languages {
            let m = context.minimise(&context.regex(&regex).unwrap()).unwrap();
            let (least, greatest) = lengths(&m, &Budget::unlimited()).unwrap().unwrap();
            let longest = 6_usize.min(greatest.unwrap_or(6));
            let wanted = Wanted { limit: 5000, breadth: 8, longer: 6 - least };
            let expected: Vec<SmtString> = all_words(longest)
                .into_iter()
                .filter(|w| {
                    backends_automata::accepts(context.algebra(), &m, w, &Budget::unlimited()).unwrap()
                })
                .collect();
            let (found, all) = words(&m, wanted, &Budget::unlimited()).unwrap();
            assert!(found.is_sorted_by_key(SmtString::len), "{regex:?}");
            assert_eq!((sorted(found.clone()), all), (expected, greatest.is_some()), "{regex:?}");
            let wanted = Wanted { limit: found.len() - 1, ..wanted };
            let fewer = words(&m, wanted, &Budget::unlimited()).unwrap();
            assert_eq!(fewer, (found[..found.len() - 1].to_vec(), false), "{regex:?}");
        }
    }

    /// Two long parts in any surroundings: most beginnings of the right length lead nowhere.
    #[test]
    fn finds_shortest_words_that_few_beginnings_lead_to() {
        let any = Regex::set(CharSet::range(Char(0), Char(127))).star();
        let contains = |part: &str| Regex::concat([any.clone(), text(part), any.clone()]);
        let both = Regex::Inter([contains("abcdefghijklmnopX"), contains("abcdefghijklmnopY")].into());
        let (found, all) = few(&both, Wanted { limit: 2, breadth: 4, longer: 24 });
        let expected =
            ["abcdefghijklmnopXabcdefghijklmnopY", "abcdefghijklmnopYabcdefghijklmnopX"].map(SmtString::from);
        assert_eq!((sorted(found), all), (expected.to_vec(), false));
    }

    #[test]
    fn says_what_it_leaves_out() {
        let any = Regex::set(CharSet::range(Char(0), Char(127)));
        let (found, all) = few(&any, Wanted { limit: 1000, breadth: 4, longer: 4 });
        assert_eq!((found.len(), all), (4, false));
        let (found, all) = few(&any, Wanted { limit: 1000, breadth: 128, longer: 4 });
        assert_eq!((found.len(), all), (128, true));
        let (found, all) = few(&Regex::Empty, Wanted { limit: 9, breadth: 9, longer: 9 });
        assert_eq!((found.len(), all), (0, true));
    }
}

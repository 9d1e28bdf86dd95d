//! What a regular expression says about the words of its language: their lengths and their characters.
//!
//! Both are bounds from above: every word is inside, but not every length or character need occur.

use harness_model::{Alphabet, CharSet, Regex};

use crate::interval::Interval;

/// Deeper expressions say nothing, so that no stack overflows.
const MAX_DEPTH: u32 = 500;

/// Lengths and characters of words.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) length: Interval,
    pub(crate) characters: CharSet,
}

impl Words {
    fn any(alphabet: Alphabet) -> Self {
        Self { length: Interval::NATURAL, characters: CharSet::full(alphabet) }
    }

    fn none() -> Self {
        Self { length: Interval::NONE, characters: CharSet::empty() }
    }

    /// The words of `regex` over `alphabet`. Linear in the expression.
    pub(crate) fn of(regex: &Regex, alphabet: Alphabet) -> Self {
        of(regex, alphabet, MAX_DEPTH)
    }
}

fn of(regex: &Regex, alphabet: Alphabet, depth: u32) -> Words {
    let Some(depth) = depth.checked_sub(1) else { return Words::any(alphabet) };
    match regex {
        Regex::Empty => Words::none(),
        Regex::Epsilon => Words { length: Interval::single(0), characters: CharSet::empty() },
        Regex::Set(set) => {
            let characters = set.cut_to(alphabet);
            let length = if characters.is_empty() { Interval::NONE } else { Interval::single(1) };
            Words { length, characters }
        }
        Regex::Concat(parts) => {
            let mut all = Words { length: Interval::single(0), characters: CharSet::empty() };
            for part in parts.iter() {
                let words = of(part, alphabet, depth);
                if words.length.is_empty() {
                    return Words::none();
                }
                all.length = all.length.add(words.length);
                all.characters = all.characters.union(&words.characters);
            }
            all
        }
        Regex::Union(parts) => {
            parts.iter().map(|p| of(p, alphabet, depth)).fold(Words::none(), |all, words| Words {
                length: all.length.hull(words.length),
                characters: all.characters.union(&words.characters),
            })
        }
        Regex::Inter(parts) => {
            parts.iter().map(|p| of(p, alphabet, depth)).fold(Words::any(alphabet), |all, words| Words {
                length: all.length.intersect(words.length),
                characters: all.characters.intersection(&words.characters),
            })
        }
        Regex::Complement(_) => Words::any(alphabet),
        Regex::Repeat { min, max, .. } if max.is_some_and(|max| max < *min) => Words::none(),
        Regex::Repeat { inner, min, max } => {
            let words = of(inner, alphabet, depth);
            if words.length.is_empty() || *max == Some(0) {
                let length = if *min == 0 { Interval::single(0) } else { Interval::NONE };
                return Words { length, characters: CharSet::empty() };
            }
            let times = Interval { low: Some(i64::from(*min)), high: max.map(i64::from) };
            // Lengths and counts are natural numbers, so ends multiply each for itself.
            let product = |a: Option<i64>, b: Option<i64>| match (a, b) {
                (Some(0), _) | (_, Some(0)) => Some(0),
                (a, b) => a?.checked_mul(b?),
            };
            let low = product(words.length.low, times.low).or(Some(0));
            Words {
                length: Interval { low, high: product(words.length.high, times.high) },
                characters: words.characters,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use harness_check::matcher;
    use harness_model::{Char, SmtString};
    use proptest::prelude::*;

    use super::*;

    fn expressions() -> impl Strategy<Value = Regex> {
        let set = |low: u32, high: u32| Regex::set(CharSet::range(Char(low), Char(high)));
        let leaf = prop_oneof![
            Just(Regex::Empty),
            Just(Regex::Epsilon),
            (0x61_u32..0x64, 0x61_u32..0x64).prop_map(move |(a, b)| set(a, b)),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Regex::concat),
                prop::collection::vec(inner.clone(), 0..3).prop_map(Regex::union),
                prop::collection::vec(inner.clone(), 0..3).prop_map(|p| Regex::Inter(p.into())),
                inner.clone().prop_map(|r| Regex::Complement(r.into())),
                (inner, 0_u32..3, prop::option::of(0_u32..3)).prop_map(|(r, min, max)| r.repeat(min, max)),
            ]
        })
    }

    proptest! {
        #[test]
        fn no_word_is_outside(regex in expressions(), words in prop::collection::vec("[a-c]{0,4}", 40)) {
            let bound = Words::of(&regex, Alphabet::Ascii);
            for word in words {
                let text = SmtString::from(word.as_str());
                if matcher::matches(&regex, &text) {
                    let length = i64::try_from(text.len()).unwrap();
                    prop_assert!(!bound.length.intersect(Interval::single(length)).is_empty());
                    prop_assert!(text.chars().iter().all(|&c| bound.characters.contains(c)));
                }
            }
        }
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = (0..100_000).fold(Regex::Epsilon, |r, _| r.star());
        assert_eq!(Words::of(&deep, Alphabet::Ascii).length, Interval::NATURAL);
        // Dropping it level by level would recurse.
        std::mem::forget(deep);
    }
}

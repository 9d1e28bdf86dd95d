//! Symbol classes: the coarsest partition of the alphabet that every set of the expressions is a union of.
//!
//! One sweep over the boundaries of all ranges, with a bit for each distinct set that says whether the
//! current characters are inside of it; characters with equal bits are one class. The ten expressions of the
//! representation study have 16 or 17 classes, whatever the alphabet.
//!
//! Invariants: classes are numbered from 0 in the order of their least character, are never empty, and cover
//! the alphabet.

use std::sync::Arc;

use backends_api::{Budget, Stop};
use harness_model::{Alphabet, Char, CharSet, Regex};
use rustc_hash::FxHashMap;

/// The distinct sets of some expressions, numbered in the order in which they are met.
#[derive(Debug, Default)]
pub struct SetTable<'a> {
    sets: Vec<&'a CharSet>,
    by_address: FxHashMap<usize, u32>,
    by_content: FxHashMap<(usize, u32, u32), Vec<u32>>,
}

impl<'a> SetTable<'a> {
    /// No sets yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the sets of `regex`. Linear in the term; a set that is equal to an earlier one shares its number.
    pub fn add(&mut self, regex: &'a Regex) {
        match regex {
            Regex::Empty | Regex::Epsilon => {}
            Regex::Set(set) => self.add_set(set),
            Regex::Concat(parts) | Regex::Union(parts) | Regex::Inter(parts) => {
                for part in parts.iter() {
                    self.add(part);
                }
            }
            Regex::Complement(inner) | Regex::Repeat { inner, .. } => self.add(inner),
        }
    }

    fn add_set(&mut self, set: &'a Arc<CharSet>) {
        let address = Arc::as_ptr(set).addr();
        if self.by_address.contains_key(&address) {
            return;
        }
        let ranges = set.ranges();
        let key = (
            ranges.len(),
            ranges.first().map_or(0, |r| r.0),
            ranges.get(ranges.len() / 2).map_or(0, |r| r.1),
        );
        let same_key = self.by_content.entry(key).or_default();
        let number = match same_key.iter().find(|&&n| self.sets[n as usize] == &**set) {
            Some(&number) => number,
            None => {
                let number = index(self.sets.len());
                self.sets.push(set);
                same_key.push(number);
                number
            }
        };
        self.by_address.insert(address, number);
    }

    /// The number of a set that was added.
    pub fn number(&self, set: &Arc<CharSet>) -> Option<u32> {
        self.by_address.get(&Arc::as_ptr(set).addr()).copied()
    }

    /// How many distinct sets.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }
}

/// The classes of a [`SetTable`], and each of its sets as a bit mask over them.
#[derive(Debug)]
pub struct Partition {
    /// Words of 64 bits in a mask.
    words: usize,
    /// A member of each class.
    representatives: Vec<Char>,
    /// `words` words for each set.
    masks: Vec<u64>,
}

impl Partition {
    /// The classes that `table` tells apart in `alphabet`.
    ///
    /// For r ranges in k sets and c classes: O(r log k) comparisons, and a look-up of k/64 words for each
    /// boundary.
    pub fn new(table: &SetTable<'_>, alphabet: Alphabet, budget: &Budget) -> Result<Self, Stop> {
        let max = alphabet.max().0;
        let mut events: Vec<u64> =
            Vec::with_capacity(table.sets.iter().map(|s| s.ranges().len() * 2).sum::<usize>() + 1);
        for (number, set) in table.sets.iter().enumerate() {
            for &(low, high) in set.ranges().iter().take_while(|(low, _)| *low <= max) {
                events.push(u64::from(low) << 32 | number as u64);
                if high < max {
                    events.push(u64::from(high + 1) << 32 | number as u64);
                }
            }
        }
        // The sets are sorted runs; the standard stable sort merges runs.
        events.sort();

        let signature_words = table.len().div_ceil(64).max(1);
        let mut sweep = Sweep::new(signature_words);
        let (mut start, mut next) = (0u32, 0);
        loop {
            budget.tick()?;
            while let Some(&event) = events.get(next).filter(|&&e| high_half(e) == start) {
                let number = (event & 0xFFFF_FFFF) as usize;
                sweep.inside[number / 64] ^= 1 << (number % 64);
                next += 1;
            }
            let Some(&event) = events.get(next) else {
                sweep.interval(start, max);
                break;
            };
            let boundary = high_half(event);
            sweep.interval(start, boundary - 1);
            start = boundary;
        }
        Ok(sweep.finish(table.len()))
    }

    /// How many classes.
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// Never: an alphabet has at least one class.
    pub fn is_empty(&self) -> bool {
        self.representatives.is_empty()
    }

    /// How many words a mask over classes takes.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The classes of set `number`.
    pub fn mask(&self, number: u32) -> &[u64] {
        &self.masks[number as usize * self.words..][..self.words]
    }

    /// A member of `class`: a printable ASCII character where there is one, else the least.
    pub fn representative(&self, class: u32) -> Char {
        self.representatives[class as usize]
    }
}

/// The state of the sweep.
struct Sweep {
    /// A bit for each set: whether the current characters are in it. Words of bits rather than a library's
    /// set, for they are the keys of a table and are kept one after the other.
    inside: Vec<u64>,
    class_of: FxHashMap<Box<[u64]>, u32>,
    /// `inside` of each class, one after the other.
    signatures: Vec<u64>,
    representatives: Vec<Char>,
}

impl Sweep {
    fn new(words: usize) -> Self {
        Self {
            inside: vec![0; words],
            class_of: FxHashMap::default(),
            signatures: Vec::new(),
            representatives: Vec::new(),
        }
    }

    /// The characters from `low` to `high` are inside the same sets.
    fn interval(&mut self, low: u32, high: u32) {
        let printable = low.max(u32::from(b'!'));
        let candidate = Char(if printable <= high && printable <= u32::from(b'~') { printable } else { low });
        if let Some(&class) = self.class_of.get(&self.inside[..]) {
            let best = &mut self.representatives[class as usize];
            if is_printable(candidate) && !is_printable(*best) {
                *best = candidate;
            }
        } else {
            self.class_of.insert(self.inside.as_slice().into(), index(self.representatives.len()));
            self.signatures.extend_from_slice(&self.inside);
            self.representatives.push(candidate);
        }
    }

    fn finish(self, sets: usize) -> Partition {
        let words = self.representatives.len().div_ceil(64);
        let mut masks = vec![0u64; words * sets];
        for (class, signature) in self.signatures.chunks_exact(self.inside.len()).enumerate() {
            for number in ones(signature) {
                masks[number as usize * words + class / 64] |= 1 << (class % 64);
            }
        }
        Partition { words, representatives: self.representatives, masks }
    }
}

fn is_printable(c: Char) -> bool {
    (u32::from(b'!')..=u32::from(b'~')).contains(&c.0)
}

fn high_half(event: u64) -> u32 {
    u32::try_from(event >> 32).unwrap_or(u32::MAX)
}

/// The positions of the bits that are set, ascending.
pub(crate) fn ones(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    words.iter().zip((0u32..).step_by(64)).flat_map(|(&word, base)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some(base + bit)
        })
    })
}

/// An index as the 32 bits in which states and sets are stored.
#[inline]
pub(crate) fn index(n: usize) -> u32 {
    debug_assert!(u32::try_from(n).is_ok());
    #[expect(
        clippy::cast_possible_truncation,
        reason = "what is built is limited to far fewer than 2^32 items"
    )]
    let n = n as u32;
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regex_of(sets: &[&[(u32, u32)]]) -> Regex {
        Regex::union(sets.iter().map(|s| Regex::set(CharSet::from_ranges(s.iter().copied()))))
    }

    fn partition(regex: &Regex, alphabet: Alphabet) -> (Partition, usize) {
        let mut table = SetTable::new();
        table.add(regex);
        (Partition::new(&table, alphabet, &Budget::unlimited()).unwrap(), table.len())
    }

    #[test]
    fn no_sets_make_one_class() {
        for alphabet in Alphabet::ALL {
            let (partition, sets) = partition(&Regex::Epsilon, alphabet);
            assert_eq!((partition.len(), sets), (1, 0));
        }
    }

    #[test]
    fn equal_sets_are_one() {
        let (partition, sets) =
            partition(&regex_of(&[&[(97, 99)], &[(98, 98)], &[(97, 99)]]), Alphabet::Ascii);
        assert_eq!((partition.len(), sets), (3, 2));
    }

    #[test]
    fn every_set_is_the_union_of_its_classes() {
        // More than 64 sets and more than 64 classes, ranges at both ends of the alphabet, and some beyond
        // it.
        let sets: Vec<Vec<(u32, u32)>> = (0..150u32)
            .map(|i| vec![(i, i + i % 7), (200 + 3 * i, 210 + 3 * i), (65_530, 65_535 + i)])
            .chain([vec![(0, 0x2_FFFF)], vec![], vec![(70_000, 70_001)]])
            .collect();
        let regex = regex_of(&sets.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let mut table = SetTable::new();
        table.add(&regex);
        for alphabet in Alphabet::ALL {
            let partition = Partition::new(&table, alphabet, &Budget::unlimited()).unwrap();
            for (number, set) in table.sets.iter().enumerate() {
                let mask = partition.mask(index(number));
                let inside: Vec<u32> = ones(mask).collect();
                assert_eq!(inside.is_empty(), set.cut_to(alphabet).is_empty());
                for class in 0..index(partition.len()) {
                    assert_eq!(inside.contains(&class), set.contains(partition.representative(class)));
                    assert!(alphabet.contains(partition.representative(class)));
                }
            }
        }
    }

    #[test]
    fn representatives_are_printable_where_they_can_be() {
        let (partition, _) = partition(&regex_of(&[&[(0, 70)]]), Alphabet::Unicode);
        assert_eq!(partition.representative(0), Char(u32::from(b'!')));
        assert_eq!(partition.representative(1), Char(71));
    }

    #[test]
    fn budgets_are_kept() {
        let regex = regex_of(&[&[(1, 2), (5, 6), (9, 10)]]);
        let mut table = SetTable::new();
        table.add(&regex);
        let stop = Partition::new(&table, Alphabet::Ascii, &Budget::with_steps(3)).unwrap_err();
        assert_eq!(stop, Stop::Steps(3));
    }
}

//! Automata without epsilon moves in which all moves into a state carry the same label.
//!
//! That is what position automata are: a state is a position of the expression, its label the set written
//! there. State 0 is initial and has no label of its own; nothing moves into it.
//!
//! Invariants: the targets of a state are distinct and descend. So a depth-first search leaves a loop before
//! it goes round again, for later positions have higher numbers. `shortest` and `longest` are the lengths of
//! the shortest and of the longest word that leads from a state to acceptance; `shortest` is [`NEVER`] where
//! none does.

use backends_api::{Budget, Stop};

use crate::partition::index;

/// A length that no word has: there is no word, or no longest one.
pub const NEVER: u32 = u32::MAX;

/// The label number of the initial state, which has none.
pub const NO_LABEL: u32 = u32::MAX;

/// Distinct labels: sets of classes as bit masks, numbered.
#[derive(Clone, Debug)]
pub struct Labels {
    words: usize,
    masks: Vec<u64>,
}

impl Labels {
    /// None yet; each will take `words` words.
    pub fn new(words: usize) -> Self {
        Self { words, masks: Vec::new() }
    }

    /// Adds a mask and gives its number.
    pub fn push(&mut self, mask: &[u64]) -> u32 {
        let number = index(self.len());
        self.masks.extend_from_slice(mask);
        number
    }

    /// The classes of label `number`.
    #[inline]
    pub fn mask(&self, number: u32) -> &[u64] {
        &self.masks[number as usize * self.words..][..self.words]
    }

    /// All masks in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u64]> {
        self.masks.chunks_exact(self.words.max(1))
    }

    /// How many labels.
    pub fn len(&self) -> usize {
        self.masks.len() / self.words.max(1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.masks.is_empty()
    }

    /// The words of a mask.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The least class that is in label `a` of `self` and in label `b` of `other`.
    #[inline]
    pub fn common(&self, a: u32, other: &Self, b: u32) -> Option<u32> {
        if self.words == 1 {
            let both = self.masks[a as usize] & other.masks[b as usize];
            return (both != 0).then(|| both.trailing_zeros());
        }
        let (a, b) = (self.mask(a), other.mask(b));
        (a.iter().zip(b).zip((0u32..).step_by(64)))
            .find_map(|((x, y), base)| (x & y != 0).then(|| base + (x & y).trailing_zeros()))
    }
}

/// A frozen automaton.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The distinct labels.
    pub labels: Labels,
    /// The number of each state's label.
    label: Vec<u32>,
    /// Where the targets of a state start in `targets`; one more than there are states.
    starts: Vec<u32>,
    targets: Vec<u32>,
    shortest: Vec<u32>,
    longest: Vec<u32>,
}

impl Automaton {
    /// Freezes states and moves. `label[s]` is the label of state `s`; `moves` are pairs of source and
    /// target, each as often as one likes; `accepting` lists states. Linear but for sorting the targets of
    /// each state.
    pub fn new(
        labels: Labels,
        label: Vec<u32>,
        moves: &[(u32, u32)],
        accepting: &[u32],
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let states = label.len();
        let mut starts = vec![0u32; states + 2];
        for &(source, _) in moves {
            starts[source as usize + 2] += 1;
        }
        for s in 2..starts.len() {
            starts[s] += starts[s - 1];
        }
        let mut targets = vec![0u32; moves.len()];
        for &(source, target) in moves {
            let slot = &mut starts[source as usize + 1];
            targets[*slot as usize] = target;
            *slot += 1;
        }
        starts.truncate(states + 1);
        // Descending and distinct, moved together in place.
        let mut kept = 0;
        let mut row_start = 0;
        for s in 0..states {
            budget.tick()?;
            let row_end = starts[s + 1] as usize;
            targets[row_start..row_end].sort_unstable_by(|a, b| b.cmp(a));
            let first = kept;
            for i in row_start..row_end {
                if kept == first || targets[kept - 1] != targets[i] {
                    targets[kept] = targets[i];
                    kept += 1;
                }
            }
            starts[s + 1] = index(kept);
            row_start = row_end;
        }
        targets.truncate(kept);
        let mut automaton =
            Self { labels, label, starts, targets, shortest: vec![NEVER; states], longest: vec![0; states] };
        automaton.measure(accepting, budget)?;
        Ok(automaton)
    }

    /// Fills `shortest` and `longest` by relaxing until nothing changes. One round over descending states
    /// suffices for position automata, in which only loops lead back; others take as many as loops are nested
    /// in their numbering.
    fn measure(&mut self, accepting: &[u32], budget: &Budget) -> Result<(), Stop> {
        for &s in accepting {
            self.shortest[s as usize] = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for s in (0..self.states()).rev() {
                budget.tick()?;
                let best = self.targets(s).iter().map(|&t| self.shortest[t as usize]).min();
                let through = best.unwrap_or(NEVER).saturating_add(1);
                if through < self.shortest[s as usize] {
                    self.shortest[s as usize] = through;
                    changed = true;
                }
            }
        }
        // A live state from which a live state with no greater number is reached may be on a cycle; taking it
        // for one only loses precision, and for position automata it is exact.
        let mut changed = true;
        while changed {
            changed = false;
            for s in (0..self.states()).rev().filter(|&s| self.shortest[s as usize] != NEVER) {
                budget.tick()?;
                let mut longest = 0;
                for &t in self.targets(s).iter().filter(|&&t| self.shortest[t as usize] != NEVER) {
                    let through = if t <= s { NEVER } else { self.longest[t as usize].saturating_add(1) };
                    longest = longest.max(through);
                }
                if longest > self.longest[s as usize] {
                    self.longest[s as usize] = longest;
                    changed = true;
                }
            }
        }
        Ok(())
    }

    /// How many states, the initial one included.
    pub fn states(&self) -> u32 {
        index(self.label.len())
    }

    /// How many moves.
    pub fn moves(&self) -> usize {
        self.targets.len()
    }

    /// The number of the label of the moves into `state`.
    #[inline]
    pub fn label(&self, state: u32) -> u32 {
        self.label[state as usize]
    }

    /// Where `state` leads, descending.
    #[inline]
    pub fn targets(&self, state: u32) -> &[u32] {
        &self.targets[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize]
    }

    /// The range of `state`'s targets in [`Self::target`].
    #[inline]
    pub fn row(&self, state: u32) -> (u32, u32) {
        (self.starts[state as usize], self.starts[state as usize + 1])
    }

    /// The target at a place in a row.
    #[inline]
    pub fn target(&self, at: u32) -> u32 {
        self.targets[at as usize]
    }

    /// Whether a word may end here.
    #[inline]
    pub fn is_accepting(&self, state: u32) -> bool {
        self.shortest[state as usize] == 0
    }

    /// The length of a shortest word from here to acceptance, or [`NEVER`].
    #[inline]
    pub fn shortest(&self, state: u32) -> u32 {
        self.shortest[state as usize]
    }

    /// At least the length of a longest word from here to acceptance; [`NEVER`] where there is no longest. 0
    /// where there is no word.
    #[inline]
    pub fn longest(&self, state: u32) -> u32 {
        self.longest[state as usize]
    }

    /// Appends the least class of each label on a shortest way from `state` to acceptance. Nothing is
    /// appended where there is no way.
    pub fn finish(&self, mut state: u32, classes: &mut Vec<u32>) {
        while self.shortest(state) != 0 {
            let step = self.targets(state).iter().find(|&&t| self.shortest(t) < self.shortest(state));
            let Some(&target) = step else { return };
            classes.extend(crate::partition::ones(self.labels.mask(self.label(target))).next());
            state = target;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn automaton(states: u32, moves: &[(u32, u32)], accepting: &[u32]) -> Automaton {
        let mut labels = Labels::new(1);
        labels.push(&[0b10]);
        let label = (0..states).map(|s| if s == 0 { NO_LABEL } else { 0 }).collect();
        Automaton::new(labels, label, moves, accepting, &Budget::unlimited()).unwrap()
    }

    #[test]
    fn targets_descend_and_are_distinct() {
        let a = automaton(4, &[(0, 1), (2, 3), (0, 3), (0, 1), (0, 2), (3, 3), (2, 3)], &[3]);
        assert_eq!(a.targets(0), [3, 2, 1]);
        assert_eq!(a.targets(1), []);
        assert_eq!(a.targets(2), [3]);
        assert_eq!(a.targets(3), [3]);
        assert_eq!(a.moves(), 5);
    }

    #[test]
    fn lengths() {
        // 0 -> 1 -> 2 -> 3, 1 -> 1, and 4 is a dead end.
        let a = automaton(5, &[(0, 1), (1, 2), (2, 3), (1, 1), (2, 4)], &[3]);
        assert_eq!((0..5).map(|s| a.shortest(s)).collect::<Vec<_>>(), [3, 2, 1, 0, NEVER]);
        assert_eq!((0..5).map(|s| a.longest(s)).collect::<Vec<_>>(), [NEVER, NEVER, 1, 0, 0]);
        let mut word = Vec::new();
        a.finish(0, &mut word);
        assert_eq!(word, [1, 1, 1]);
    }

    #[test]
    fn lengths_against_the_numbering() {
        let a = automaton(4, &[(0, 3), (3, 2), (2, 1)], &[1]);
        assert_eq!((0..4).map(|s| a.shortest(s)).collect::<Vec<_>>(), [3, 0, 1, 2]);
    }

    #[test]
    fn common_class_of_wide_masks() {
        let mut a = Labels::new(2);
        a.push(&[1, 0b1100]);
        let mut b = Labels::new(2);
        b.push(&[2, 0b1000]);
        b.push(&[2, 0b10]);
        assert_eq!(a.common(0, &b, 0), Some(67));
        assert_eq!(a.common(0, &b, 1), None);
    }
}

//! Position automata of expressions, after Glushkov (1961) and McNaughton and Yamada (1960), with one change:
//! counted repetition `r{n,m}` is n copies of `r` followed by nested options, `(r(r(r)?)?)?`, in which only
//! the last position of a copy leads to the next one. Independent options `r?r?r?` would let every copy lead
//! to every later one, and square the number of moves.
//!
//! First and last positions are linked lists in one arena that are joined in constant time, so building costs
//! what the moves cost. The number of positions is known before anything is built, and a term that needs too
//! many is refused.

use std::sync::Arc;

use backends_api::{Budget, Stop};
use harness_model::{CharSet, Regex};
use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Labels, NO_LABEL};
use crate::boolean;
use crate::partition::{Partition, SetTable, index};

/// More positions than this are refused.
pub const POSITION_LIMIT: u64 = 1 << 18;
/// More moves than this are refused.
pub const MOVE_LIMIT: usize = 1 << 24;

/// The position automaton of `regex`, whose sets are all in `table`.
pub fn build(
    regex: &Regex,
    table: &SetTable<'_>,
    partition: &Partition,
    budget: &Budget,
) -> Result<Automaton, Stop> {
    if positions(regex) > POSITION_LIMIT {
        return Err(too_many_positions());
    }
    let mut builder = Builder {
        table,
        partition,
        budget,
        labels: Labels::new(partition.words()),
        label_of_set: vec![NO_LABEL; table.len()],
        label_of_mask: FxHashMap::default(),
        label: vec![NO_LABEL],
        moves: Vec::new(),
        cells: Vec::new(),
    };
    let whole = builder.fragment(regex)?;
    let initial = builder.list(0);
    builder.connect(initial, whole.first)?;
    let mut accepting: Vec<u32> = builder.iter(whole.last).collect();
    if whole.nullable {
        accepting.push(0);
    }
    Automaton::new(builder.labels, builder.label, &builder.moves, &accepting, budget)
}

/// The refusal of an expression with too many positions.
pub(crate) const fn too_many_positions() -> Stop {
    Stop::Size { what: "the position automaton", limit: POSITION_LIMIT, unit: "positions" }
}

/// How many positions `regex` unrolls to, those of complements and intersections not counted.
fn positions(regex: &Regex) -> u64 {
    match regex {
        Regex::Empty | Regex::Epsilon | Regex::Complement(_) | Regex::Inter(_) => 0,
        Regex::Set(_) => 1,
        Regex::Concat(parts) | Regex::Union(parts) => {
            parts.iter().fold(0u64, |sum, part| sum.saturating_add(positions(part)))
        }
        Regex::Repeat { inner, min, max } => {
            positions(inner).saturating_mul(u64::from(max.unwrap_or((*min).max(1))))
        }
    }
}

/// The set that `regex` is nothing but.
#[allow(clippy::wildcard_enum_match_arm, reason = "recognises a single set")]
fn as_set(regex: &Regex) -> Option<&Arc<CharSet>> {
    match regex {
        Regex::Set(set) => Some(set),
        Regex::Concat(parts) | Regex::Union(parts) if parts.len() == 1 => parts.first().and_then(as_set),
        _ => None,
    }
}

/// A list of positions in the arena of cells; empty without a head.
#[derive(Clone, Copy, Default)]
struct List {
    /// First and last cell.
    ends: Option<(u32, u32)>,
}

/// What is known of a part of the expression: Glushkov's three attributes.
#[derive(Clone, Copy, Default)]
struct Fragment {
    /// Where a word may start.
    first: List,
    /// Where a word may end.
    last: List,
    /// Whether the empty word is in it.
    nullable: bool,
}

struct Builder<'a> {
    table: &'a SetTable<'a>,
    partition: &'a Partition,
    budget: &'a Budget,
    labels: Labels,
    /// Number in `labels` of each set of the table, once it occurred.
    label_of_set: Vec<u32>,
    label_of_mask: FxHashMap<Box<[u64]>, u32>,
    /// The label of each position; position 0 is the start.
    label: Vec<u32>,
    moves: Vec<(u32, u32)>,
    /// Position and next cell.
    cells: Vec<(u32, u32)>,
}

impl Builder<'_> {
    fn list(&mut self, position: u32) -> List {
        let cell = index(self.cells.len());
        self.cells.push((position, u32::MAX));
        List { ends: Some((cell, cell)) }
    }

    /// One list after the other. Both must not be joined again, but parts of them may still be walked.
    fn join(&mut self, a: List, b: List) -> List {
        match (a.ends, b.ends) {
            (None, _) => b,
            (_, None) => a,
            (Some((head, tail)), Some((next, end))) => {
                self.cells[tail as usize].1 = next;
                List { ends: Some((head, end)) }
            }
        }
    }

    fn iter(&self, list: List) -> impl Iterator<Item = u32> + '_ {
        let mut at = list.ends;
        std::iter::from_fn(move || {
            let (cell, end) = at?;
            let (position, next) = self.cells[cell as usize];
            at = (cell != end).then_some((next, end));
            Some(position)
        })
    }

    /// A move from every position of `last` to every one of `first`.
    fn connect(&mut self, last: List, first: List) -> Result<(), Stop> {
        let (mut from, Some((first_head, first_end))) = (last.ends, first.ends) else { return Ok(()) };
        while let Some((cell, end)) = from {
            self.budget.tick()?;
            let (source, next) = self.cells[cell as usize];
            let mut to = first_head;
            loop {
                let (target, after) = self.cells[to as usize];
                self.moves.push((source, target));
                if to == first_end {
                    break;
                }
                to = after;
            }
            if self.moves.len() > MOVE_LIMIT {
                let limit = MOVE_LIMIT as u64;
                return Err(Stop::Size { what: "the position automaton", limit, unit: "moves" });
            }
            from = (cell != end).then_some((next, end));
        }
        Ok(())
    }

    fn fragment(&mut self, regex: &Regex) -> Result<Fragment, Stop> {
        match regex {
            Regex::Empty => Ok(Fragment::default()),
            Regex::Epsilon => Ok(Fragment { nullable: true, ..Fragment::default() }),
            Regex::Set(set) => match self.table.number(set) {
                Some(number) => self.position_of_set(number),
                // Every set is in the table; one that is not would denote nothing.
                None => Ok(Fragment::default()),
            },
            Regex::Concat(parts) => {
                let mut whole = Fragment { nullable: true, ..Fragment::default() };
                for part in parts.iter() {
                    let part = self.fragment(part)?;
                    whole = self.concat(whole, part)?;
                }
                Ok(whole)
            }
            Regex::Union(parts) => self.union(parts),
            Regex::Repeat { inner, min, max } => self.repeat(inner, *min, *max),
            Regex::Inter(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| build(part, self.table, self.partition, self.budget))
                    .collect::<Result<Vec<_>, _>>()?;
                let whole = match parts.split_first() {
                    None => boolean::everything(self.partition, self.budget)?,
                    Some((first, rest)) => rest
                        .iter()
                        .try_fold(first.clone(), |a, b| boolean::intersection(&a, b, self.budget))?,
                };
                self.embed(&whole)
            }
            Regex::Complement(inner) => {
                let inner = build(inner, self.table, self.partition, self.budget)?;
                self.embed(&boolean::complement(&inner, self.partition, self.budget)?)
            }
        }
    }

    fn position_of_set(&mut self, set: u32) -> Result<Fragment, Stop> {
        let mask = self.partition.mask(set);
        if self.label_of_set[set as usize] == NO_LABEL && mask.iter().any(|&w| w != 0) {
            self.label_of_set[set as usize] = self.label_of_mask(mask);
        }
        self.position(self.label_of_set[set as usize])
    }

    /// A position with a label, or nothing where there is none.
    fn position(&mut self, label: u32) -> Result<Fragment, Stop> {
        if label == NO_LABEL {
            return Ok(Fragment::default());
        }
        let position = self.add_position(label)?;
        Ok(Fragment { first: self.list(position), last: self.list(position), nullable: false })
    }

    fn label_of_mask(&mut self, mask: &[u64]) -> u32 {
        if let Some(&label) = self.label_of_mask.get(mask) {
            return label;
        }
        let label = self.labels.push(mask);
        self.label_of_mask.insert(mask.into(), label);
        label
    }

    /// The sets among the parts become one position: `(\w|-|xy)` has three, not four.
    fn union(&mut self, parts: &[Regex]) -> Result<Fragment, Stop> {
        let mut whole = Fragment::default();
        let mut sets = parts.iter().filter_map(|part| self.table.number(as_set(part)?));
        match (sets.next(), sets.next()) {
            (Some(only), None) => whole = self.position_of_set(only)?,
            (Some(first), Some(second)) => {
                let mut mask = self.partition.mask(first).to_vec();
                for set in std::iter::once(second).chain(sets) {
                    for (word, more) in mask.iter_mut().zip(self.partition.mask(set)) {
                        *word |= more;
                    }
                }
                if mask.iter().any(|&w| w != 0) {
                    let label = self.label_of_mask(&mask);
                    whole = self.position(label)?;
                }
            }
            (None, _) => {}
        }
        for part in parts.iter().filter(|part| as_set(part).is_none()) {
            let part = self.fragment(part)?;
            whole.first = self.join(whole.first, part.first);
            whole.last = self.join(whole.last, part.last);
            whole.nullable |= part.nullable;
        }
        Ok(whole)
    }

    fn add_position(&mut self, label: u32) -> Result<u32, Stop> {
        self.budget.tick()?;
        if self.label.len() as u64 > POSITION_LIMIT {
            return Err(too_many_positions());
        }
        let position = index(self.label.len());
        self.label.push(label);
        Ok(position)
    }

    fn concat(&mut self, a: Fragment, b: Fragment) -> Result<Fragment, Stop> {
        self.connect(a.last, b.first)?;
        Ok(Fragment {
            first: if a.nullable { self.join(a.first, b.first) } else { a.first },
            last: if b.nullable { self.join(a.last, b.last) } else { b.last },
            nullable: a.nullable && b.nullable,
        })
    }

    fn repeat(&mut self, inner: &Regex, min: u32, max: Option<u32>) -> Result<Fragment, Stop> {
        if max.is_some_and(|max| max < min) {
            return Ok(Fragment::default());
        }
        if max == Some(0) {
            return Ok(Fragment { nullable: true, ..Fragment::default() });
        }
        let mut copy = self.fragment(inner)?;
        let nullable = copy.nullable || min == 0;
        if copy.first.ends.is_none() || max == Some(1) {
            // Without positions the language is empty or the empty word, and repeating changes nothing else.
            return Ok(Fragment { nullable, ..copy });
        }
        // r{n,m} is r{0,m} when r has the empty word, and then the copies may do without it.
        let required = if copy.nullable { 0 } else { min };
        copy.nullable = false;
        let Some(max) = max else {
            let mut whole = Fragment { nullable: true, ..Fragment::default() };
            for _ in 1..required {
                whole = self.concat(whole, copy)?;
                copy = self.fragment(inner)?;
            }
            self.connect(copy.last, copy.first)?;
            copy.nullable = required == 0;
            return self.concat(whole, copy);
        };
        let mut whole = Fragment { nullable: true, ..Fragment::default() };
        let mut options = Fragment::default();
        let mut previous = List::default();
        for round in 0..max {
            if round > 0 {
                copy = self.fragment(inner)?;
                copy.nullable = false;
            }
            if round < required {
                whole = self.concat(whole, copy)?;
                continue;
            }
            if round == required {
                options.first = copy.first;
                options.nullable = true;
            } else {
                self.connect(previous, copy.first)?;
            }
            previous = copy.last;
            options.last = self.join(options.last, copy.last);
        }
        if max > required { self.concat(whole, options) } else { Ok(whole) }
    }

    /// A finished automaton as a part of this one.
    fn embed(&mut self, part: &Automaton) -> Result<Fragment, Stop> {
        let labels: Vec<u32> = part.labels.iter().map(|mask| self.label_of_mask(mask)).collect();
        let base = index(self.label.len()) - 1;
        let mut whole = Fragment { nullable: part.is_accepting(0), ..Fragment::default() };
        for state in 1..part.states() {
            let position = self.add_position(labels[part.label(state) as usize])?;
            if part.is_accepting(state) {
                let one = self.list(position);
                whole.last = self.join(whole.last, one);
            }
            self.moves.extend(part.targets(state).iter().map(|&target| (position, target + base)));
        }
        for &state in part.targets(0).iter().rev() {
            let one = self.list(state + base);
            whole.first = self.join(whole.first, one);
        }
        Ok(whole)
    }
}

#[cfg(test)]
mod tests {
    use harness_model::{Alphabet, Char, CharSet};

    use super::*;

    fn letter(c: u8) -> Regex {
        Regex::set(CharSet::single(Char::from(c)))
    }

    fn automaton(regex: &Regex) -> Result<Automaton, Stop> {
        let budget = Budget::unlimited();
        let mut table = SetTable::new();
        table.add(regex);
        let partition = Partition::new(&table, Alphabet::Ascii, &budget)?;
        build(regex, &table, &partition, &budget)
    }

    fn size(regex: &Regex) -> (u32, usize) {
        let a = automaton(regex).unwrap();
        (a.states(), a.moves())
    }

    #[test]
    fn counted_repetition_is_linear() {
        assert_eq!(size(&letter(b'u').repeat(1, Some(100))), (101, 100));
        assert_eq!(size(&letter(b'u').repeat(0, Some(100))), (101, 100));
        assert_eq!(size(&letter(b'u').repeat(50, None)), (51, 51));
        let maybe = letter(b'u').repeat(0, Some(1));
        assert_eq!(size(&maybe.clone().repeat(1000, Some(1000))), (1001, 1000));
        assert_eq!(size(&maybe.repeat(7, None)), (2, 2));
        let (states, moves) = size(&letter(b'w').repeat(1, Some(63)).repeat(1, Some(25)));
        assert_eq!(states, 63 * 25 + 1);
        assert!(moves < 2 * states as usize, "{moves} moves");
    }

    #[test]
    fn a_union_of_sets_is_one_position() {
        let xy = Regex::concat([letter(b'x'), letter(b'y')]);
        assert_eq!(
            size(&Regex::union([letter(b'u'), xy, letter(b'v'), Regex::set(CharSet::empty())])),
            (4, 3)
        );
        let wrapped = Regex::union([Regex::concat([letter(b'u')]), letter(b'v')]);
        assert_eq!(size(&wrapped.repeat(1, None)), (2, 2));
    }

    #[test]
    fn repetition_of_nothing_is_instant() {
        let mut nothing = Regex::Epsilon;
        for _ in 0..20 {
            nothing = nothing.repeat(1_000_000, Some(u32::MAX));
        }
        assert_eq!(size(&nothing), (1, 0));
        assert_eq!(size(&Regex::Empty.repeat(0, Some(u32::MAX))), (1, 0));
    }

    #[test]
    fn what_would_explode_is_refused() {
        let huge = letter(b'u').repeat(1000, Some(1000)).repeat(1000, Some(1000));
        assert_eq!(automaton(&huge).unwrap_err(), too_many_positions());
        let mut tower = letter(b'u');
        for _ in 0..30 {
            tower = tower.repeat(u32::MAX, Some(u32::MAX));
        }
        assert_eq!(automaton(&tower).unwrap_err(), too_many_positions());
        // Linear in positions but quadratic in moves: u?u?u?...
        let options = Regex::concat(std::iter::repeat_n(letter(b'u').repeat(0, Some(1)), 10_000));
        let limit = MOVE_LIMIT as u64;
        assert_eq!(
            automaton(&options).unwrap_err(),
            Stop::Size { what: "the position automaton", limit, unit: "moves" }
        );
    }
}

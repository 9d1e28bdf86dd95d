//! Determinisation one set of states at a time, as differences and complements need it.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, figure 3.6, lines 11 to 18: the moves
//! that leave a set of states, the minterms of their labels, and for each minterm the set of states that it
//! leads to. Equal labels enter the computation of minterms once, unless the way of computing them says that
//! each move's label does for itself: the minterms are the same, for the combinations with both of two equal
//! sets differ in nothing.

use std::rc::Rc;

use backends_algebra::{BooleanAlgebra, EqualSets, MintermWay};
use backends_api::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::builder::index;
use crate::sfa::{Sfa, StateId};
use crate::tally::Tally;

/// The sets of states of one automaton that were met so far, by number.
#[derive(Debug)]
pub(crate) struct Subsets<'a, A: BooleanAlgebra> {
    algebra: &'a A,
    automaton: &'a Sfa<A::Set>,
    way: MintermWay,
    numbers: FxHashMap<Box<[u32]>, u32>,
    /// Members, ascending, of all sets one after the other.
    members: Vec<u32>,
    /// The members of set `k` are `members[ends[k - 1]..ends[k]]`.
    ends: Vec<usize>,
    finals: Vec<bool>,
    /// Where each minterm of a set leads, if that is to be kept and was computed.
    kept: Option<Vec<Option<Row<A>>>>,
    scratch: Scratch,
}

/// Where each minterm of the labels of a set of states leads, in the order of the minterms.
pub(crate) type Row<A> = Rc<[(<A as BooleanAlgebra>::Set, u32)]>;

/// Buffers that are used for one set of states after the other.
#[derive(Debug, Default)]
struct Scratch {
    /// For each label: where in `groups` it is, last, if the current set has it.
    places: Vec<u32>,
    /// The labels of the current set's moves, equal ones merged or not, with the targets of each.
    groups: Vec<(u32, Vec<u32>)>,
    spare: Vec<Vec<u32>>,
    /// Whether a state is in `targets`.
    marked: Vec<bool>,
    targets: Vec<u32>,
}

/// No label is here.
const NONE: u32 = u32::MAX;

impl<'a, A: BooleanAlgebra> Subsets<'a, A> {
    /// `keep`: whether the minterms of a set are computed once and kept, or anew each time they are asked
    /// for.
    pub fn new(algebra: &'a A, automaton: &'a Sfa<A::Set>, way: MintermWay, keep: bool) -> Self {
        Self {
            algebra,
            automaton,
            way,
            numbers: FxHashMap::default(),
            members: Vec::new(),
            ends: Vec::new(),
            finals: Vec::new(),
            kept: keep.then(Vec::new),
            scratch: Scratch {
                places: vec![NONE; automaton.labels().len()],
                marked: vec![false; automaton.states()],
                ..Scratch::default()
            },
        }
    }

    /// The number of the set that has only the initial state.
    pub fn initial(&mut self) -> Result<u32, Stop> {
        self.scratch.targets.clear();
        self.scratch.targets.push(self.automaton.initial().0);
        self.find_targets()
    }

    /// How many sets were met.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the set has a final state.
    pub fn is_final(&self, set: u32) -> bool {
        self.finals[set as usize]
    }

    /// The number of the set in `scratch.targets`, which is ascending.
    fn find_targets(&mut self) -> Result<u32, Stop> {
        let targets = self.scratch.targets.as_slice();
        if let Some(&known) = self.numbers.get(targets) {
            return Ok(known);
        }
        let number = index("a determinised automaton", self.ends.len(), "states")?;
        self.numbers.insert(targets.into(), number);
        self.members.extend_from_slice(targets);
        self.ends.push(self.members.len());
        self.finals.push(targets.iter().any(|&state| self.automaton.is_final(StateId(state))));
        Ok(number)
    }

    /// Where each minterm of the labels of `set` leads.
    pub fn moves(&mut self, set: u32, budget: &Budget, tally: &mut Tally) -> Result<Row<A>, Stop> {
        let set = set as usize;
        let known = self.kept.as_ref().and_then(|rows| rows.get(set).cloned().flatten());
        if let Some(row) = known {
            return Ok(row);
        }
        let row: Row<A> = self.compute(set, budget, tally)?.into();
        if let Some(rows) = &mut self.kept {
            rows.resize(self.ends.len().max(rows.len()), None);
            rows[set] = Some(Rc::clone(&row));
        }
        Ok(row)
    }

    fn compute(
        &mut self,
        set: usize,
        budget: &Budget,
        tally: &mut Tally,
    ) -> Result<Vec<(A::Set, u32)>, Stop> {
        let from = if set == 0 { 0 } else { self.ends[set - 1] };
        let scratch = &mut self.scratch;
        for &state in &self.members[from..self.ends[set]] {
            for m in self.automaton.moves_from(StateId(state)) {
                let place = &mut scratch.places[m.label.index()];
                if *place == NONE || self.way.equal_sets == EqualSets::Separate {
                    *place = u32::try_from(scratch.groups.len()).unwrap_or(NONE);
                    scratch.groups.push((m.label.0, scratch.spare.pop().unwrap_or_default()));
                }
                scratch.groups[*place as usize].1.push(m.target.0);
            }
        }
        let labels: Vec<A::Set> = scratch
            .groups
            .iter()
            .map(|&(label, _)| self.automaton.labels()[label as usize].clone())
            .collect();
        let minterms = self.algebra.minterms(&labels, self.way, budget)?;
        tally.minterms += minterms.len() as u64;

        let mut moves = Vec::with_capacity(minterms.len());
        for (inside, characters) in minterms {
            budget.tick()?;
            let scratch = &mut self.scratch;
            scratch.targets.clear();
            for group in inside {
                for &target in &scratch.groups[group].1 {
                    if !std::mem::replace(&mut scratch.marked[target as usize], true) {
                        scratch.targets.push(target);
                    }
                }
            }
            scratch.targets.sort_unstable();
            for &target in &scratch.targets {
                scratch.marked[target as usize] = false;
            }
            moves.push((characters, self.find_targets()?));
        }
        let scratch = &mut self.scratch;
        for (label, mut targets) in scratch.groups.drain(..) {
            scratch.places[label as usize] = NONE;
            targets.clear();
            scratch.spare.push(targets);
        }
        Ok(moves)
    }
}

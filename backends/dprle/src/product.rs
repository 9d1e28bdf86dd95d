//! A concatenation intersected with a language, and cut up again: figure 2.2 for any number of pieces.
//!
//! The automata of the pieces stand one after the other, joined by moves that read nothing: the seams. Of the
//! product with the language each state is a state of a piece and one of the language. Wherever a seam is
//! crossed, the language is in some state; a choice of such a state for each seam cuts the product into
//! languages of the pieces, all combinations of whose words are in the language.

use std::collections::BTreeSet;
use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_automata::{SfaBuilder, StateId, trim};
use rustc_hash::FxHashMap;

use crate::machine::{Lang, Tools};

/// Where a piece ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// In this state of the language.
    At(u32),
    /// The last piece: where the language ends.
    Final,
}

/// The words of a piece between two states of the language, where there are any.
type Slice<A> = Option<Rc<Lang<A>>>;

/// A state of the product: number of the piece, its state, that of the language.
type Triple = (u32, u32, u32);

/// The product of a concatenation with a language.
pub struct Product<A: BooleanAlgebra> {
    numbers: FxHashMap<Triple, u32>,
    states: Vec<Triple>,
    /// The moves that read, within a piece.
    moves: Vec<Vec<(A::Set, u32)>>,
    pieces: Vec<Rc<Lang<A>>>,
    right: Rc<Lang<A>>,
    /// For each seam the states of the language in which a word of the product crosses it.
    seams: Vec<Vec<u32>>,
    slices: FxHashMap<(usize, u32, End), Slice<A>>,
}

impl<A: BooleanAlgebra> Product<A> {
    /// Of `pieces`, at least one, with `right`: every state that can be reached.
    pub fn new(pieces: Vec<Rc<Lang<A>>>, right: &Rc<Lang<A>>, tools: &Tools<'_, A>) -> Result<Self, Stop> {
        let mut product = Self {
            numbers: FxHashMap::default(),
            states: Vec::new(),
            moves: Vec::new(),
            pieces,
            right: Rc::clone(right),
            seams: Vec::new(),
            slices: FxHashMap::default(),
        };
        product.state((0, product.pieces[0].initial().0, right.initial().0), tools)?;
        let mut next = 0;
        while let Some(&(piece, state, in_right)) = product.states.get(next) {
            let automaton = Rc::clone(&product.pieces[piece as usize]);
            for own in automaton.moves_from(StateId(state)) {
                for other in right.moves_from(StateId(in_right)) {
                    tools.budget.tick()?;
                    let label =
                        tools.algebra.intersection(automaton.label(own.label), right.label(other.label))?;
                    if !tools.algebra.is_empty(&label)? {
                        let to = product.state((piece, own.target.0, other.target.0), tools)?;
                        product.moves[next].push((label, to));
                    }
                }
            }
            if let Some(seam) = product.across(next)
                && automaton.is_final(StateId(state))
            {
                product.state(seam, tools)?;
            }
            next += 1;
        }
        let moves: usize = product.moves.iter().map(Vec::len).sum();
        let mut tally = tools.tally.borrow_mut();
        tally.states += product.states.len() as u64;
        tally.moves += moves as u64;
        drop(tally);
        product.find_seams(tools)?;
        Ok(product)
    }

    fn state(&mut self, triple: Triple, tools: &Tools<'_, A>) -> Result<u32, Stop> {
        tools.budget.tick()?;
        if let Some(&known) = self.numbers.get(&triple) {
            return Ok(known);
        }
        let limit = u32::MAX;
        let what = Stop::Size { what: "a product", limit: limit.into(), unit: "states" };
        let number = u32::try_from(self.states.len()).map_err(|_| what)?;
        self.numbers.insert(triple, number);
        self.states.push(triple);
        self.moves.push(Vec::new());
        Ok(number)
    }

    /// The state beyond the seam, where a piece follows.
    fn across(&self, state: usize) -> Option<Triple> {
        let (piece, _, in_right) = self.states[state];
        let next = self.pieces.get(piece as usize + 1)?;
        Some((piece + 1, next.initial().0, in_right))
    }

    fn is_piece_final(&self, state: usize) -> bool {
        let (piece, own, _) = self.states[state];
        self.pieces[piece as usize].is_final(StateId(own))
    }

    /// Which states of the language a word that the product accepts is in at each seam.
    fn find_seams(&mut self, tools: &Tools<'_, A>) -> Result<(), Stop> {
        let count = self.states.len();
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut todo: Vec<u32> = Vec::new();
        for (state, moves) in self.moves.iter().enumerate() {
            let number = u32::try_from(state).unwrap_or(u32::MAX);
            for (_, to) in moves {
                sources[*to as usize].push(number);
            }
            let (_, _, in_right) = self.states[state];
            if !self.is_piece_final(state) {
                continue;
            }
            match self.across(state) {
                Some(seam) => {
                    if let Some(&to) = self.numbers.get(&seam) {
                        sources[to as usize].push(number);
                    }
                }
                None if self.right.is_final(StateId(in_right)) => todo.push(number),
                None => {}
            }
        }
        let mut live = vec![false; count];
        todo.iter().for_each(|&state| live[state as usize] = true);
        while let Some(state) = todo.pop() {
            for &source in &sources[state as usize] {
                tools.budget.tick()?;
                if !std::mem::replace(&mut live[source as usize], true) {
                    todo.push(source);
                }
            }
        }
        let mut seams: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); self.pieces.len() - 1];
        for state in (0..count).filter(|&state| live[state] && self.is_piece_final(state)) {
            if let Some(seam) = self.across(state)
                && self.numbers.get(&seam).is_some_and(|&to| live[to as usize])
            {
                seams[self.states[state].0 as usize].insert(seam.2);
            }
        }
        self.seams = seams.into_iter().map(|seam| seam.into_iter().collect()).collect();
        Ok(())
    }

    /// How many pieces.
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Where the language begins.
    pub fn start(&self) -> u32 {
        self.right.initial().0
    }

    /// Where a piece may end.
    pub fn ends(&self, piece: usize) -> Vec<End> {
        match self.seams.get(piece) {
            Some(seam) => seam.iter().copied().map(End::At).collect(),
            None => vec![End::Final],
        }
    }

    /// The words of a piece that lead the language from one state to another one; `None` where there are
    /// none.
    pub fn slice(
        &mut self,
        piece: usize,
        from: u32,
        to: End,
        tools: &Tools<'_, A>,
    ) -> Result<Slice<A>, Stop> {
        let key = (piece, from, to);
        if let Some(known) = self.slices.get(&key) {
            return Ok(known.clone());
        }
        let made = self.cut(piece, from, to, tools)?.map(Rc::new);
        self.slices.insert(key, made.clone());
        Ok(made)
    }

    fn cut(&self, piece: usize, from: u32, to: End, tools: &Tools<'_, A>) -> Result<Option<Lang<A>>, Stop> {
        let number = u32::try_from(piece).unwrap_or(u32::MAX);
        let first = (number, self.pieces[piece].initial().0, from);
        let Some(&first) = self.numbers.get(&first) else { return Ok(None) };
        let ends = |state: u32| {
            let (_, _, in_right) = self.states[state as usize];
            self.is_piece_final(state as usize)
                && match to {
                    End::At(end) => in_right == end,
                    End::Final => self.right.is_final(StateId(in_right)),
                }
        };
        let mut builder = SfaBuilder::new();
        let mut names: FxHashMap<u32, StateId> = FxHashMap::default();
        names.insert(first, builder.add_state(ends(first))?);
        let mut todo = vec![first];
        let mut some = ends(first);
        while let Some(state) = todo.pop() {
            let own = names[&state];
            for (label, next) in &self.moves[state as usize] {
                tools.budget.tick()?;
                let known = names.get(next).copied();
                let target = match known {
                    Some(known) => known,
                    None => {
                        let made = builder.add_state(ends(*next))?;
                        some |= ends(*next);
                        names.insert(*next, made);
                        todo.push(*next);
                        made
                    }
                };
                builder.add_move(own, label.clone(), target)?;
            }
        }
        if !some {
            return Ok(None);
        }
        let cut = builder.freeze(names[&first]);
        Ok(Some(if tools.minimise { tools.smallest(&cut)? } else { trim(&cut, tools.budget)? }))
    }
}

//! From an expression to an automaton with epsilon moves, by the construction of the study.
//!
//! The textbook construction puts epsilon moves everywhere. The study's, which the published sizes
//! (Hooimeijer, *Decision Procedures for String Constraints*, figure 3.7) pin down to the last move, avoids
//! them where states can be merged instead:
//!
//! - one set, or a counter around one set (`[ab]{2,5}`, `\w+`): a chain, no epsilon moves;
//! - concatenation: when the left part ends in a single final state that no move leaves, that state and the
//!   right part's initial state become one; else an epsilon move goes from each final state to it;
//! - union: one initial state for all when no move leads into any of theirs, else a new one with an epsilon
//!   move to each; one final state for all when each has a single one that no move leaves; moves that become
//!   parallel are joined;
//! - option: the initial state becomes final when no move leads into it, else a new initial state that is
//!   final gets an epsilon move to it;
//! - star: initial and final state become one when the first has no moves in and the only final one has none
//!   out; else the initial state becomes final as for an option, each other final state gets an epsilon move
//!   to the old one, and cycles of epsilon moves collapse;
//! - plus and `{m,}`: m copies and the star of one more;
//! - `{m,n}` around more than one set: n copies, one after the other, where from the second and the (m+1)-th
//!   on each is an option. Each copy is made of the copy before *after* that was made an option, and made one
//!   again: so the k-th optional copy carries k - 1 new initial states, and a counter around a group is
//!   quadratic. That is where the 4573 states and 8852 epsilon moves of A6 come from.
//!
//! Where that construction would be wrong, ours differs and says so: making a state final that moves lead
//! into accepts too much, so that `{0,n}` gets a new initial state there.
//!
//! Intersection and complement, which the study's expressions do not have, go through products and
//! determinisation.

use std::sync::Arc;

use backends_algebra::{BooleanAlgebra, MintermMethod};
use backends_api::{Budget, Stop};
use harness_model::{CharSet, Regex};
use rustc_hash::FxHashMap;

use crate::arena::{Fragment, FragmentArena};
use crate::determinize::complement;
use crate::epsilon::eliminate;
use crate::intersection::intersection;
use crate::sfa::{EpsilonSfa, LabelId, Sfa};
use crate::size;
use crate::tally::Tally;

/// The automaton of `regex` over the alphabet of `algebra`. Refuses before it builds what would have more
/// than [`size::MAX_STATES`] states. Time and memory linear in the size of the result, complements apart.
/// Recursion only into complements and intersections.
pub fn construct<A: BooleanAlgebra>(
    algebra: &A,
    regex: &Regex,
    budget: &Budget,
) -> Result<EpsilonSfa<A::Set>, Stop> {
    size::check(regex)?;
    let mut builder =
        Construction { algebra, budget, arena: FragmentArena::new(), sets: FxHashMap::default() };
    let piece = builder.piece(regex)?;
    let fragment = builder.whole(piece)?;
    builder.arena.freeze(&fragment)
}

/// The automaton of an expression, or one of two languages that need none.
enum Piece {
    Empty,
    Epsilon,
    Automaton(Fragment),
}

/// A step of the walk over a term.
enum Step<'r> {
    /// Build the term.
    Enter(&'r Regex),
    /// Its parts are the pieces from that place on: join them.
    Leave(&'r Regex, usize),
}

struct Construction<'a, A: BooleanAlgebra> {
    algebra: &'a A,
    budget: &'a Budget,
    arena: FragmentArena<A::Set>,
    /// Labels of sets seen before; `None` for a set without characters in this alphabet.
    sets: FxHashMap<Arc<CharSet>, Option<LabelId>>,
}

impl<A: BooleanAlgebra> Construction<'_, A> {
    /// Walks the term with a stack of its own: a part is built before what it is a part of, from left to
    /// right.
    fn piece(&mut self, regex: &Regex) -> Result<Piece, Stop> {
        let mut todo = vec![Step::Enter(regex)];
        let mut done: Vec<Piece> = Vec::new();
        while let Some(step) = todo.pop() {
            self.budget.tick()?;
            match step {
                Step::Enter(term) => match self.leaf(term)? {
                    Some(piece) => done.push(piece),
                    None => {
                        let before = done.len();
                        todo.push(Step::Leave(term, before));
                        match term {
                            Regex::Concat(parts) | Regex::Union(parts) => {
                                todo.extend(parts.iter().rev().map(Step::Enter));
                            }
                            Regex::Repeat { inner, .. } => todo.push(Step::Enter(inner)),
                            Regex::Empty
                            | Regex::Epsilon
                            | Regex::Set(_)
                            | Regex::Inter(_)
                            | Regex::Complement(_) => {}
                        }
                    }
                },
                Step::Leave(term, before) => {
                    let parts = done.split_off(before);
                    done.push(self.join(term, parts)?);
                }
            }
        }
        Ok(done.pop().unwrap_or(Piece::Empty))
    }

    /// The piece of a term that needs none of its parts built by the same walk; `None` for the others.
    fn leaf(&mut self, term: &Regex) -> Result<Option<Piece>, Stop> {
        let piece = match term {
            Regex::Empty => Piece::Empty,
            Regex::Epsilon => Piece::Epsilon,
            Regex::Set(set) => self.counted_set(set, 1, Some(1))?,
            Regex::Inter(parts) => self.intersection(parts)?,
            Regex::Complement(inner) => self.complement(inner)?,
            Regex::Repeat { inner, min, max } => match (&**inner, max) {
                (_, Some(max)) if max < min => Piece::Empty,
                (_, Some(0)) => Piece::Epsilon,
                (Regex::Set(set), _) => self.counted_set(set, *min, *max)?,
                (
                    Regex::Empty
                    | Regex::Epsilon
                    | Regex::Concat(_)
                    | Regex::Union(_)
                    | Regex::Inter(_)
                    | Regex::Complement(_)
                    | Regex::Repeat { .. },
                    _,
                ) => return Ok(None),
            },
            Regex::Concat(_) | Regex::Union(_) => return Ok(None),
        };
        Ok(Some(piece))
    }

    /// The piece of a term whose parts are built.
    fn join(&mut self, term: &Regex, parts: Vec<Piece>) -> Result<Piece, Stop> {
        let (mut has_empty_language, mut has_empty_word) = (false, false);
        let mut automata = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Piece::Empty => has_empty_language = true,
                Piece::Epsilon => has_empty_word = true,
                Piece::Automaton(fragment) => automata.push(fragment),
            }
        }
        match term {
            Regex::Union(_) => self.union(automata, has_empty_word),
            Regex::Repeat { min, max, .. } => match automata.pop() {
                Some(fragment) => self.counted(fragment, *min, *max).map(Piece::Automaton),
                None if has_empty_language && *min > 0 => Ok(Piece::Empty),
                None => Ok(Piece::Epsilon),
            },
            Regex::Concat(_) if has_empty_language => Ok(Piece::Empty),
            Regex::Concat(_) => Ok(self.concat(automata).map_or(Piece::Epsilon, Piece::Automaton)),
            Regex::Empty | Regex::Epsilon | Regex::Set(_) | Regex::Inter(_) | Regex::Complement(_) => {
                unreachable!("`leaf` makes the piece of {term:?}")
            }
        }
    }

    /// A piece as a fragment.
    fn whole(&mut self, piece: Piece) -> Result<Fragment, Stop> {
        match piece {
            Piece::Automaton(fragment) => Ok(fragment),
            Piece::Empty => {
                Ok(Fragment { initial: self.arena.state()?, finals: Vec::new(), moves: Vec::new() })
            }
            Piece::Epsilon => {
                let initial = self.arena.state()?;
                Ok(Fragment { initial, finals: vec![initial], moves: Vec::new() })
            }
        }
    }

    /// The label of a set; `None` if it has no character here.
    fn label(&mut self, set: &Arc<CharSet>) -> Result<Option<LabelId>, Stop> {
        if let Some(&known) = self.sets.get(set) {
            return Ok(known);
        }
        let label = self.algebra.of_ranges(set.ranges())?;
        let label = if self.algebra.is_empty(&label)? { None } else { Some(self.arena.labels.intern(label)) };
        self.sets.insert(Arc::clone(set), label);
        Ok(label)
    }

    /// `set{min,max}` as a chain; `max` is not 0 and not below `min`.
    fn counted_set(&mut self, set: &Arc<CharSet>, min: u32, max: Option<u32>) -> Result<Piece, Stop> {
        let Some(label) = self.label(set)? else {
            return Ok(if min == 0 { Piece::Epsilon } else { Piece::Empty });
        };
        let (mut fragment, mut states) = self.arena.chain(label, max.unwrap_or(min))?;
        fragment.finals = states.split_off(min as usize);
        if max.is_none() {
            let last = fragment.finals[0];
            self.arena.add_move(&mut fragment, last, Some(label), last);
        }
        Ok(Piece::Automaton(fragment))
    }

    fn concat(&mut self, parts: Vec<Fragment>) -> Option<Fragment> {
        let mut parts = parts.into_iter();
        let first = parts.next()?;
        Some(parts.fold(first, |left, right| self.append(left, right)))
    }

    fn append(&mut self, mut left: Fragment, right: Fragment) -> Fragment {
        if let Some(sink) = self.arena.single_sink(&left) {
            self.arena.merge(sink, right.initial);
        } else {
            for state in std::mem::take(&mut left.finals) {
                self.arena.add_move(&mut left, state, None, right.initial);
            }
        }
        left.finals = right.finals;
        left.moves.extend(right.moves);
        left
    }

    fn union(&mut self, parts: Vec<Fragment>, mut has_empty_word: bool) -> Result<Piece, Stop> {
        for part in &parts {
            has_empty_word |= self.arena.initial_is_final(part);
        }
        let mut parts = self.without_epsilons(parts);
        if parts.len() < 2 {
            return Ok(match (parts.pop(), has_empty_word) {
                (None, false) => Piece::Empty,
                (None, true) => Piece::Epsilon,
                (Some(only), false) => Piece::Automaton(only),
                (Some(only), true) => Piece::Automaton(self.option(only)?),
            });
        }
        let start = self.arena.state()?;
        let mut union = Fragment { initial: start, finals: Vec::new(), moves: Vec::new() };
        if has_empty_word {
            union.finals.push(start);
        }
        let sinks: Option<Vec<u32>> = parts.iter().map(|part| self.arena.single_sink(part)).collect();
        let sources_only = parts.iter().all(|part| self.arena.starts_at_source(part));
        if let Some(sinks) = sinks {
            for &sink in &sinks[1..] {
                self.arena.merge(sink, sinks[0]);
            }
        }
        for part in parts {
            if sources_only {
                self.arena.merge(part.initial, start);
            } else {
                self.arena.add_move(&mut union, start, None, part.initial);
            }
            union.finals.extend(part.finals);
            union.moves.extend(part.moves);
        }
        self.normalise(&mut union)?;
        Ok(Piece::Automaton(union))
    }

    /// The parts without those that have the empty word alone, in one state: a union that merged their
    /// initial state with the others' and their final state with the others' would close a loop.
    fn without_epsilons(&mut self, mut parts: Vec<Fragment>) -> Vec<Fragment> {
        parts.retain(|part| {
            let sink = self.arena.single_sink(part);
            sink != Some(self.arena.find(part.initial))
        });
        parts
    }

    fn normalise(&mut self, fragment: &mut Fragment) -> Result<(), Stop> {
        let algebra = self.algebra;
        self.arena.normalise(fragment, self.budget, |a, b| algebra.union(a, b))
    }

    /// `fragment` or the empty word.
    fn option(&mut self, mut fragment: Fragment) -> Result<Fragment, Stop> {
        if self.arena.initial_is_final(&fragment) {
            return Ok(fragment);
        }
        if self.arena.starts_at_source(&fragment) {
            fragment.finals.push(fragment.initial);
            return Ok(fragment);
        }
        self.with_new_start(fragment)
    }

    /// A new initial state that is final, with an epsilon move to the old one.
    fn with_new_start(&mut self, mut fragment: Fragment) -> Result<Fragment, Stop> {
        let start = self.arena.state()?;
        let old = fragment.initial;
        self.arena.add_move(&mut fragment, start, None, old);
        fragment.initial = start;
        fragment.finals.push(start);
        Ok(fragment)
    }

    fn star(&mut self, mut fragment: Fragment) -> Result<Fragment, Stop> {
        if self.is_star(&fragment) {
            return Ok(fragment);
        }
        if self.arena.starts_at_source(&fragment)
            && let Some(sink) = self.arena.single_sink(&fragment)
        {
            self.arena.merge(fragment.initial, sink);
            fragment.initial = sink;
            return Ok(fragment);
        }
        let old = self.arena.find(fragment.initial);
        fragment = self.option(fragment)?;
        let start = self.arena.find(fragment.initial);
        for i in 0..fragment.finals.len() {
            let state = self.arena.find(fragment.finals[i]);
            if state != start && state != old {
                self.arena.add_move(&mut fragment, state, None, old);
            }
        }
        self.arena.merge_epsilon_cycles(&fragment, self.budget)?;
        self.normalise(&mut fragment)?;
        Ok(fragment)
    }

    /// Whether the initial state is final and each other final state has an epsilon move to it: repeating
    /// changes nothing then.
    fn is_star(&mut self, fragment: &Fragment) -> bool {
        if !self.arena.initial_is_final(fragment) {
            return false;
        }
        let initial = self.arena.find(fragment.initial);
        let mut others: Vec<u32> = fragment.finals.iter().map(|&f| self.arena.find(f)).collect();
        others.retain(|&f| f != initial);
        if others.is_empty() {
            return true;
        }
        others.sort_unstable();
        for &(from, reads, to) in &fragment.moves {
            if reads.is_none() && self.arena.find(to) == initial {
                let from = self.arena.find(from);
                if let Ok(at) = others.binary_search(&from) {
                    others.remove(at);
                }
            }
        }
        others.is_empty()
    }

    /// `fragment{min,max}`; `max` is not 0 and not below `min`.
    fn counted(&mut self, fragment: Fragment, min: u32, max: Option<u32>) -> Result<Fragment, Stop> {
        match (min, max) {
            (0, None) => self.star(fragment),
            (0, Some(1)) => self.option(fragment),
            (1, Some(1)) => Ok(fragment),
            (_, None) => self.at_least(fragment, min),
            (_, Some(max)) => self.between(fragment, min, max),
        }
    }

    fn at_least(&mut self, fragment: Fragment, min: u32) -> Result<Fragment, Stop> {
        if self.arena.initial_is_final(&fragment) {
            return self.star(fragment);
        }
        let mut last = self.arena.copy(&fragment, self.budget)?;
        last = self.star(last)?;
        let mut whole = None;
        for _ in 1..min {
            let copy = self.arena.copy(&fragment, self.budget)?;
            whole = Some(self.append_to(whole, copy));
        }
        let whole = self.append_to(whole, fragment);
        Ok(self.append(whole, last))
    }

    fn append_to(&mut self, left: Option<Fragment>, right: Fragment) -> Fragment {
        match left {
            None => right,
            Some(left) => self.append(left, right),
        }
    }

    /// The quadratic one. Copies are appended as soon as the next one is copied from them: appending changes
    /// what a fragment ends in, but a fragment that was appended is not copied again.
    fn between(&mut self, fragment: Fragment, min: u32, max: u32) -> Result<Fragment, Stop> {
        let mut whole = None;
        let mut current = fragment;
        for done in 1..max {
            let mut next = self.arena.copy(&current, self.budget)?;
            if done >= min {
                let simple = self.arena.starts_at_source(&next) && !self.arena.initial_is_final(&next);
                next = if simple { self.option(next)? } else { self.with_new_start(next)? };
            }
            whole = Some(self.append_to(whole, current));
            current = next;
        }
        let whole = self.append_to(whole, current);
        if min == 0 { self.option(whole) } else { Ok(whole) }
    }

    /// The automaton of a part, without epsilon moves, for the operations that need it so.
    fn separate(&mut self, regex: &Regex) -> Result<Sfa<A::Set>, Stop> {
        eliminate(self.algebra, &construct(self.algebra, regex, self.budget)?, self.budget)
    }

    fn complement(&mut self, inner: &Regex) -> Result<Piece, Stop> {
        let inner = self.separate(inner)?;
        let tally = &mut Tally::default();
        let complement = complement(self.algebra, &inner, MintermMethod::Refinement, self.budget, tally)?;
        Ok(Piece::Automaton(self.arena.import(&complement)?))
    }

    fn intersection(&mut self, parts: &[Regex]) -> Result<Piece, Stop> {
        let Some((first, rest)) = parts.split_first() else {
            return self.complement(&Regex::Empty);
        };
        let tally = &mut Tally::default();
        let mut all = self.separate(first)?;
        for part in rest {
            let part = self.separate(part)?;
            all = intersection(self.algebra, &all, &part, self.budget, tally)?;
        }
        Ok(Piece::Automaton(self.arena.import(&all)?))
    }
}

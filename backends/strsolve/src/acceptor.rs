//! What accepts the words of a constraint: an automaton, or the complement of one, of which only those sets
//! of states are made that the search asks for.
//!
//! States are numbers; the moves of a state are always the same.

use std::cell::RefCell;
use std::rc::Rc;

use backends_algebra::{BooleanAlgebra, MintermMethod};
use backends_api::{Budget, Stop};
use backends_automata::{Sfa, SfaBuilder, StateId, construct, eliminate, trim};
use harness_model::Char;
#[cfg(test)]
use harness_model::SmtString;
use harness_systems::{Automaton, Language, Relation};
use rustc_hash::FxHashMap;

/// The moves of a set of states.
type Moves<A> = Rc<[(<A as BooleanAlgebra>::Set, u32)]>;

/// Accepts the words of a constraint.
pub enum Acceptor<A: BooleanAlgebra> {
    /// Words of the language.
    Inside(Inside<A>),
    /// All other words.
    Outside(Box<Outside<A>>),
}

/// An automaton without states that lead nowhere.
pub struct Inside<A: BooleanAlgebra> {
    automaton: Sfa<A::Set>,
    /// For each state the least and the greatest number of characters to an end.
    lengths: Vec<(u32, u32)>,
}

/// The complement of an automaton: sets of its states by number, as far as they were met. Its moves are
/// total.
pub struct Outside<A: BooleanAlgebra> {
    automaton: Rc<Sfa<A::Set>>,
    sets: RefCell<Sets<A>>,
}

struct Sets<A: BooleanAlgebra> {
    numbers: FxHashMap<Rc<[u32]>, u32>,
    members: Vec<Rc<[u32]>>,
    moves: Vec<Option<Moves<A>>>,
}

/// No greatest length.
pub const ANY: u32 = u32::MAX;

impl<A: BooleanAlgebra> Acceptor<A> {
    /// Of a language and what a word has to do with it.
    pub fn new(language: &Language, relation: Relation, algebra: &A, budget: &Budget) -> Result<Self, Stop> {
        let automaton = match language {
            Language::Regex(regex) => eliminate(algebra, &construct(algebra, regex, budget)?, budget)?,
            Language::Automaton(automaton) => of_automaton(automaton, algebra, budget)?,
        };
        let automaton = trim(&automaton, budget)?;
        Ok(match relation {
            Relation::In => Self::Inside(Inside::new(automaton, budget)?),
            Relation::NotIn => Self::outside(Rc::new(automaton)),
        })
    }

    fn outside(automaton: Rc<Sfa<A::Set>>) -> Self {
        let first: Rc<[u32]> = [automaton.initial().0].into();
        let sets = Sets {
            numbers: [(Rc::clone(&first), 0)].into_iter().collect(),
            members: vec![first],
            moves: vec![None],
        };
        Self::Outside(Box::new(Outside { automaton, sets: RefCell::new(sets) }))
    }

    /// The same, and of a complement no set of states was met yet.
    pub fn fresh(this: &Rc<Self>) -> Rc<Self> {
        match &**this {
            Self::Inside(_) => Rc::clone(this),
            Self::Outside(outside) => Rc::new(Self::outside(Rc::clone(&outside.automaton))),
        }
    }

    /// Where words begin.
    pub fn initial(&self) -> u32 {
        match self {
            Self::Inside(inside) => inside.automaton.initial().0,
            Self::Outside(_) => 0,
        }
    }

    /// Whether words may end in a state.
    pub fn is_final(&self, state: u32) -> bool {
        match self {
            Self::Inside(inside) => inside.automaton.is_final(StateId(state)),
            Self::Outside(outside) => {
                let sets = outside.sets.borrow();
                !sets.members[state as usize].iter().any(|&one| outside.automaton.is_final(StateId(one)))
            }
        }
    }

    /// Calls `take` with the label and the target of each move of a state.
    pub fn each_move(
        &self,
        state: u32,
        algebra: &A,
        budget: &Budget,
        mut take: impl FnMut(&A::Set, u32) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        match self {
            Self::Inside(inside) => {
                for step in inside.automaton.moves_from(StateId(state)) {
                    budget.tick()?;
                    take(inside.automaton.label(step.label), step.target.0)?;
                }
            }
            Self::Outside(outside) => {
                for (label, target) in outside.moves(state, algebra, budget)?.iter() {
                    budget.tick()?;
                    take(label, *target)?;
                }
            }
        }
        Ok(())
    }

    /// The least and the greatest number of characters from a state to an end, as far as they are known.
    pub fn lengths(&self, state: u32) -> (u32, u32) {
        match self {
            Self::Inside(inside) => inside.lengths[state as usize],
            Self::Outside(_) => (0, ANY),
        }
    }

    /// Whether there is no word at all.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Inside(inside) => inside.lengths[inside.automaton.initial().index()] == NEVER,
            Self::Outside(_) => false,
        }
    }

    /// Every state: for a guess where a word may begin. Of a complement they are all made now.
    pub fn states(&self, algebra: &A, budget: &Budget) -> Result<Vec<u32>, Stop> {
        match self {
            Self::Inside(inside) => Ok((0..inside.automaton.states()).map(number).collect()),
            Self::Outside(outside) => {
                let mut next = 0;
                while next < outside.sets.borrow().members.len() {
                    outside.moves(number(next), algebra, budget)?;
                    next += 1;
                }
                Ok((0..next).map(number).collect())
            }
        }
    }

    /// How many sets of states a complement has so far.
    pub fn subsets(&self) -> usize {
        match self {
            Self::Inside(_) => 0,
            Self::Outside(outside) => outside.sets.borrow().members.len(),
        }
    }

    /// Whether a character leads from one state to another one.
    pub fn leads(&self, state: u32, c: Char, next: u32, algebra: &A, budget: &Budget) -> Result<bool, Stop> {
        let mut leads = false;
        self.each_move(state, algebra, budget, |label, to| {
            leads = leads || to == next && algebra.contains(label, c)?;
            Ok(())
        })?;
        Ok(leads)
    }

    /// Whether a word leads from the beginning to an end.
    #[cfg(test)]
    pub fn accepts(&self, word: &SmtString, algebra: &A, budget: &Budget) -> Result<bool, Stop> {
        let mut now = vec![self.initial()];
        for &c in word.chars() {
            let mut next = Vec::new();
            for state in now {
                self.each_move(state, algebra, budget, |label, to| {
                    if algebra.contains(label, c)? {
                        next.push(to);
                    }
                    Ok(())
                })?;
            }
            next.sort_unstable();
            next.dedup();
            now = next;
        }
        Ok(now.into_iter().any(|state| self.is_final(state)))
    }
}

fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// No end can be reached: of the initial state of an automaton without words, the only such state.
const NEVER: (u32, u32) = (ANY, 0);

impl<A: BooleanAlgebra> Inside<A> {
    fn new(automaton: Sfa<A::Set>, budget: &Budget) -> Result<Self, Stop> {
        let lengths = lengths(&automaton, budget)?;
        Ok(Self { automaton, lengths })
    }
}

/// For each state of a trim automaton the least and the greatest number of characters to an end. Linear.
fn lengths<S>(automaton: &Sfa<S>, budget: &Budget) -> Result<Vec<(u32, u32)>, Stop> {
    let count = automaton.states();
    let mut sources: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut open: Vec<u32> = vec![0; count];
    for state in automaton.state_ids() {
        for step in automaton.moves_from(state) {
            budget.tick()?;
            sources[step.target.index()].push(state.0);
            open[state.index()] += 1;
        }
    }
    let mut lengths = vec![NEVER; count];
    // The least: breadth first from the ends, against the moves.
    let mut queue: Vec<u32> =
        automaton.state_ids().filter(|&state| automaton.is_final(state)).map(|state| state.0).collect();
    queue.iter().for_each(|&state| lengths[state as usize].0 = 0);
    let mut next = 0;
    while let Some(&state) = queue.get(next) {
        next += 1;
        for &source in &sources[state as usize] {
            budget.tick()?;
            if lengths[source as usize].0 == ANY {
                lengths[source as usize].0 = lengths[state as usize].0 + 1;
                queue.push(source);
            }
        }
    }
    // The greatest: of states all of whose successors have one. A state that is never done can go round.
    let mut done = vec![false; count];
    let mut ready: Vec<u32> =
        automaton.state_ids().filter(|state| open[state.index()] == 0).map(|state| state.0).collect();
    while let Some(state) = ready.pop() {
        done[state as usize] = true;
        for &source in &sources[state as usize] {
            let longer = lengths[state as usize].1.saturating_add(1);
            let known = &mut lengths[source as usize].1;
            *known = longer.max(*known);
            open[source as usize] -= 1;
            if open[source as usize] == 0 {
                ready.push(source);
            }
        }
    }
    for (state, length) in lengths.iter_mut().enumerate() {
        if !done[state] {
            length.1 = ANY;
        }
    }
    Ok(lengths)
}

impl<A: BooleanAlgebra> Outside<A> {
    fn moves(&self, set: u32, algebra: &A, budget: &Budget) -> Result<Moves<A>, Stop> {
        let place = set as usize;
        if let Some(known) = &self.sets.borrow().moves[place] {
            return Ok(Rc::clone(known));
        }
        let members = Rc::clone(&self.sets.borrow().members[place]);
        // Targets by label; equal labels once.
        let mut labels: Vec<A::Set> = Vec::new();
        let mut targets: Vec<Vec<u32>> = Vec::new();
        let mut places: FxHashMap<u32, usize> = FxHashMap::default();
        for &member in members.iter() {
            for step in self.automaton.moves_from(StateId(member)) {
                budget.tick()?;
                let at = *places.entry(step.label.0).or_insert_with(|| {
                    labels.push(self.automaton.label(step.label).clone());
                    targets.push(Vec::new());
                    labels.len() - 1
                });
                targets[at].push(step.target.0);
            }
        }
        let minterms = algebra.minterms(&labels, MintermMethod::Refinement.into(), budget)?;
        let mut moves = Vec::with_capacity(minterms.len());
        let mut sets = self.sets.borrow_mut();
        for (inside, characters) in minterms {
            budget.tick()?;
            let mut next: Vec<u32> =
                inside.iter().flat_map(|&label| targets[label].iter().copied()).collect();
            next.sort_unstable();
            next.dedup();
            let next: Rc<[u32]> = next.into();
            let known = sets.numbers.get(&next).copied();
            let to = match known {
                Some(known) => known,
                None => {
                    let made = number(sets.members.len());
                    sets.numbers.insert(Rc::clone(&next), made);
                    sets.members.push(next);
                    sets.moves.push(None);
                    made
                }
            };
            moves.push((characters, to));
        }
        let moves: Moves<A> = moves.into();
        sets.moves[place] = Some(Rc::clone(&moves));
        Ok(moves)
    }
}

fn of_automaton<A: BooleanAlgebra>(
    automaton: &Automaton,
    algebra: &A,
    budget: &Budget,
) -> Result<Sfa<A::Set>, Stop> {
    let mut builder = SfaBuilder::new();
    let mut states: Vec<StateId> = Vec::with_capacity(automaton.states);
    for state in 0..automaton.states {
        states.push(builder.add_state(state == automaton.end)?);
    }
    for step in &automaton.moves {
        budget.tick()?;
        let (from, to) = (states[step.from], states[step.to]);
        match &step.reads {
            None => builder.add_epsilon(from, to)?,
            Some(set) => {
                let label = algebra.of_ranges(set.ranges())?;
                if !algebra.is_empty(&label)? {
                    builder.add_move(from, label, to)?;
                }
            }
        }
    }
    eliminate(algebra, &builder.freeze_with_epsilons(states[automaton.start]), budget)
}

#[cfg(test)]
mod tests {
    use backends_algebra::RangeAlgebra;
    use harness_model::{Alphabet, CharSet, Regex};

    use super::*;

    fn letter(c: char) -> Regex {
        Regex::set(CharSet::single(Char(u32::from(c))))
    }

    fn acceptor(regex: Regex, relation: Relation, algebra: &RangeAlgebra) -> Acceptor<RangeAlgebra> {
        Acceptor::new(&Language::Regex(regex), relation, algebra, &Budget::unlimited()).unwrap()
    }

    #[test]
    fn lengths_are_those_of_the_words() {
        let algebra = RangeAlgebra::new(Alphabet::Ascii);
        let regex = Regex::concat([letter('a').repeat(1, Some(3)), letter('b')]);
        let inside = acceptor(regex, Relation::In, &algebra);
        assert_eq!(inside.lengths(inside.initial()), (2, 4));
        let round = acceptor(Regex::concat([letter('a').star(), letter('b')]), Relation::In, &algebra);
        assert_eq!(round.lengths(round.initial()), (1, ANY));
        let none = acceptor(Regex::concat([letter('a'), Regex::Empty]), Relation::In, &algebra);
        assert!(none.is_empty() && !inside.is_empty() && !round.is_empty());
    }

    #[test]
    fn a_complement_has_all_other_words() {
        let algebra = RangeAlgebra::new(Alphabet::Ascii);
        let regex = Regex::union([letter('a'), Regex::concat([letter('a'), letter('b')])]).star();
        let [inside, outside] =
            [Relation::In, Relation::NotIn].map(|relation| acceptor(regex.clone(), relation, &algebra));
        let budget = Budget::unlimited();
        for word in ["", "a", "b", "ab", "ba", "aab", "abb", "abab", "c"] {
            let word = SmtString::from(word);
            let accepted = inside.accepts(&word, &algebra, &budget).unwrap();
            assert_eq!(outside.accepts(&word, &algebra, &budget), Ok(!accepted), "{word}");
        }
        assert_eq!(outside.states(&algebra, &budget).unwrap().len(), outside.subsets());
    }
}

//! The words of bounded length of a grammar as an automaton without cycles.
//!
//! For each symbol and length there is an automaton of the words of that length, made of those of shorter
//! words by union and concatenation. Each is deterministic and as small as can be: a state is the language
//! of what is left, words of one length, and there is one state for each language. So the automaton is small
//! wherever the words have a small one, however many derivations there are; an expression of the same words
//! ([`crate::bound`]) may be exponentially larger when it is written out. Some languages, such as that of
//! palindromes, have large automata only: there are limits.

use harness_model::CharSet;
use rustc_hash::FxHashMap;

use crate::bound::needed;
use crate::normal::NormalForm;

/// The longest words.
pub const LONGEST: usize = 127;

/// The most states of all automata that are made.
pub const STATES: usize = 200_000;

/// The most unions and concatenations of states.
const STEPS: usize = 4_000_000;

/// Words from a start to an end; a move reads one of some characters, or nothing where there are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acyclic {
    /// How many states.
    pub states: usize,
    /// Where words begin.
    pub start: usize,
    /// Where words end.
    pub end: usize,
    /// From, what is read, to. Only the start has moves that read nothing, where words have several lengths.
    pub moves: Vec<(usize, Option<CharSet>, usize)>,
}

/// There is no automaton within the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// Words of this length are asked for.
    #[error(
        "words of up to {0} characters are asked for, and at most {LONGEST} are supported: use a smaller bound"
    )]
    Length(usize),
    /// The words have too little in common.
    #[error(
        "an automaton of the words of up to {0} characters would need more than {STATES} states: use a smaller bound"
    )]
    States(usize),
}

/// The words from `shortest` to `longest` characters that the start symbol derives.
///
/// # Errors
///
/// When there are too many states, or words are too long.
pub fn automaton(normal: &NormalForm, shortest: usize, longest: usize) -> Result<Acyclic, TooLarge> {
    if longest > LONGEST {
        return Err(TooLarge::Length(longest));
    }
    let mut layers = Layers { longest, ..Layers::default() };
    let end = layers.add(Vec::new())?;
    let lengths = normal.lengths(longest);
    let needed = needed(normal, &lengths, shortest, longest);
    // By length and symbol, the automaton of its words.
    let mut made: Vec<Vec<Option<State>>> = vec![vec![None; normal.len()]; longest + 1];
    for length in 1..=longest {
        let mut own: Vec<Option<State>> = vec![None; normal.len()];
        for symbol in (0..normal.len()).filter(|&symbol| needed[length][symbol].own) {
            let mut words: Option<State> = None;
            if length == 1 && !normal.characters(symbol).is_empty() {
                let set = CharSet::from_ranges(normal.characters(symbol).iter().map(|c| (c.0, c.0)));
                words = Some(layers.add(vec![(set, end)])?);
            }
            for &(first, second) in normal.pairs(symbol) {
                for cut in 1..length {
                    if let (Some(one), Some(two)) = (made[cut][first], made[length - cut][second]) {
                        let both = layers.concat(one, two)?;
                        words = layers.either(words, Some(both))?;
                    }
                }
            }
            own[symbol] = words;
        }
        for symbol in (0..normal.len()).filter(|&symbol| needed[length][symbol].whole) {
            let mut words = None;
            for &other in normal.becomes(symbol) {
                words = layers.either(words, own[other])?;
            }
            made[length][symbol] = words;
        }
    }
    let mut roots: Vec<State> = (shortest.max(1)..=longest).filter_map(|length| made[length][0]).collect();
    if shortest == 0 && normal.has_empty(0) {
        roots.push(end);
    }
    Ok(layers.reached(&roots, end))
}

type State = u32;

/// Automata of words of one length each. Equal languages are one state, as moves are kept in one form: to
/// each target one set, by target.
#[derive(Default)]
struct Layers {
    moves: Vec<Vec<(CharSet, State)>>,
    numbers: FxHashMap<Vec<(CharSet, State)>, State>,
    unions: FxHashMap<(State, State), State>,
    concats: FxHashMap<(State, State), State>,
    longest: usize,
    steps: usize,
}

impl Layers {
    /// The state with these moves, whose sets are disjoint.
    fn add(&mut self, moves: Vec<(CharSet, State)>) -> Result<State, TooLarge> {
        let mut joined: Vec<(CharSet, State)> = Vec::with_capacity(moves.len());
        for (set, to) in moves {
            match joined.iter_mut().find(|(_, known)| *known == to) {
                Some((known, _)) => *known = known.union(&set),
                None => joined.push((set, to)),
            }
        }
        joined.sort_unstable_by_key(|(_, to)| *to);
        if let Some(&known) = self.numbers.get(&joined) {
            return Ok(known);
        }
        if self.moves.len() >= STATES {
            return Err(TooLarge::States(self.longest));
        }
        let number = State::try_from(self.moves.len()).unwrap_or(State::MAX);
        self.moves.push(joined.clone());
        self.numbers.insert(joined, number);
        Ok(number)
    }

    fn step(&mut self) -> Result<(), TooLarge> {
        self.steps += 1;
        if self.steps > STEPS { Err(TooLarge::States(self.longest)) } else { Ok(()) }
    }

    fn either(&mut self, one: Option<State>, other: Option<State>) -> Result<Option<State>, TooLarge> {
        match (one, other) {
            (Some(one), Some(other)) => self.union(one, other).map(Some),
            (one, other) => Ok(one.or(other)),
        }
    }

    /// Words of either, of one length. Calls are nested as deep as words are long.
    fn union(&mut self, one: State, other: State) -> Result<State, TooLarge> {
        if one == other {
            return Ok(one);
        }
        let key = (one.min(other), one.max(other));
        if let Some(&known) = self.unions.get(&key) {
            return Ok(known);
        }
        self.step()?;
        let (left, right) = (self.moves[one as usize].clone(), self.moves[other as usize].clone());
        let mut moves = Vec::new();
        for (set, to) in &left {
            let mut rest = set.clone();
            for (other_set, other_to) in &right {
                let both = set.intersection(other_set);
                if !both.is_empty() {
                    rest = rest.difference(other_set);
                    moves.push((both, self.union(*to, *other_to)?));
                }
            }
            if !rest.is_empty() {
                moves.push((rest, *to));
            }
        }
        for (set, to) in &right {
            let rest = left.iter().fold(set.clone(), |rest, (own, _)| rest.difference(own));
            if !rest.is_empty() {
                moves.push((rest, *to));
            }
        }
        let made = self.add(moves)?;
        self.unions.insert(key, made);
        Ok(made)
    }

    /// A word of the first and then one of the second.
    fn concat(&mut self, first: State, second: State) -> Result<State, TooLarge> {
        if self.moves[first as usize].is_empty() {
            return Ok(second);
        }
        if let Some(&known) = self.concats.get(&(first, second)) {
            return Ok(known);
        }
        self.step()?;
        let mut moves = Vec::new();
        for (set, to) in self.moves[first as usize].clone() {
            moves.push((set, self.concat(to, second)?));
        }
        let made = self.add(moves)?;
        self.concats.insert((first, second), made);
        Ok(made)
    }

    /// The states that are reached from any of these, and a start before them where it is not one.
    fn reached(&self, roots: &[State], end: State) -> Acyclic {
        let mut numbers: FxHashMap<State, usize> = FxHashMap::default();
        let mut order = vec![end];
        numbers.insert(end, 0);
        let mut done = 0;
        for &root in roots {
            let next = order.len();
            if *numbers.entry(root).or_insert(next) == next {
                order.push(root);
            }
        }
        let mut moves = Vec::new();
        while let Some(&state) = order.get(done) {
            for (set, to) in &self.moves[state as usize] {
                let next = order.len();
                let number = *numbers.entry(*to).or_insert(next);
                if number == next {
                    order.push(*to);
                }
                moves.push((done, Some(set.clone()), number));
            }
            done += 1;
        }
        let start = match roots {
            &[only] if only != end => numbers[&only],
            _ => {
                let start = order.len();
                order.push(end);
                moves.extend(roots.iter().map(|root| (start, None, numbers[root])));
                start
            }
        };
        Acyclic { states: order.len(), start, end: 0, moves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn of(text: &str, shortest: usize, longest: usize) -> Acyclic {
        automaton(&NormalForm::of(&read(text).unwrap()), shortest, longest).unwrap()
    }

    #[test]
    fn states_with_the_same_words_are_one() {
        // As many as there are places and depths: 1, 1, 2, 2, 3, 2, 2, 1, 1.
        let balanced = of("S : \"(\" S \")\" S ; : ;", 8, 8);
        assert_eq!(balanced.states, 15, "{balanced:?}");
        // S → S S has as many derivations as there are trees; all words are aⁿ.
        let chain = of("S : S S ; : \"a\" ;", 30, 30);
        assert_eq!((chain.states, chain.moves.len()), (31, 30));
        // Several lengths have one more state, for the start.
        assert_eq!(of("S : S S ; : \"a\" ;", 3, 30).states, 32);
    }

    #[test]
    fn there_may_be_no_word() {
        let none = of("S : S \"a\" ;", 0, 9);
        assert!(none.moves.is_empty() && none.start != none.end);
        let only = of("S : ;", 0, 0);
        assert_eq!(only.moves, [(only.start, None, only.end)]);
        assert!(of("S : ;", 1, 3).moves.is_empty());
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let normal = NormalForm::of(&read("S : \"a\" S \"a\" ; : \"b\" S \"b\" ; : ;").unwrap());
        assert_eq!(automaton(&normal, 0, 500), Err(TooLarge::Length(500)));
        assert_eq!(automaton(&normal, 60, 60), Err(TooLarge::States(60)));
    }
}

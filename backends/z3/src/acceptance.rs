//! Acceptance predicates of automata, unrolled as far as Z3 asks.
//!
//! For each state `q` and place `i` of the word there is an atom. Where it is true, what is left of the word
//! from `i` on leads from `q` to an end, or, of an automaton whose words are excluded, does not. What that
//! takes is its definition, one place at a time:
//!
//! `in(q, i) ⟹ (end(i) ∧ final(q)) ∨ (¬end(i) ∧ ⋁ φ(c(i)) ∧ in(q′, i + 1))`
//!
//! `out(q, i) ⟹ (end(i) ∧ ¬final(q)) ∨ (¬end(i) ∧ ⋀ (φ(c(i)) ⟹ out(q′, i + 1)))`
//!
//! where `end(i)` says that the word has no character at `i`. An atom's definition is asserted when a model
//! makes the atom true and the word goes on there; until then the atom is open. So what is refuted is refuted
//! for words of every length, and a model in which no open atom matters is a word.
//!
//! Source: Veanes, de Halleux, Tillmann, *Rex: Symbolic Regular Expression Explorer*, section 3, where Z3
//! unfolds the axioms of these predicates over lists of characters as its search asserts their atoms. Ours:
//! the list is its places, a search is a check of Z3, after which the atoms that its model asserts are
//! unfolded, some places deep at once, and words are tried up to a length that is doubled.

use backends_algebra::RangeAlgebra;
use backends_api::{Budget, Stop};
use backends_automata::{Sfa, StateId};
use backends_bitvector::{BitVectorAnswer, BitVectorSolver, BitVectorTerms};
use harness_model::{Alphabet, Char, SmtString};
use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::{Ast, BV, Bool};

use crate::bitvectors::{FixedWidthSolver, Terms as BitVectors};
use crate::term::Terms;

/// The sets of an automaton's moves.
type Set = <RangeAlgebra as backends_algebra::BooleanAlgebra>::Set;

/// An automaton whose words the value has to be among, or must not be among.
pub(crate) struct Predicate {
    pub(crate) automaton: Sfa<Set>,
    pub(crate) negated: bool,
}

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A word.
    Word(SmtString),
    /// There is none, of any length.
    Nothing,
    /// None was found within the depth.
    Beyond,
    /// Z3 gave up.
    Unknown(String),
}

/// How much was unrolled.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// Atoms.
    pub(crate) predicates: u64,
    /// Checks of Z3.
    pub(crate) checks: u64,
    /// The length up to which words were tried.
    pub(crate) depth: u64,
}

/// An atom: automaton, state, and place of the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Atom {
    automaton: usize,
    state: u32,
    place: usize,
}

/// How many places deep an atom is unfolded at once, where that is possible: each check of Z3 costs something,
/// and so does each definition that was not needed.
const AT_ONCE: usize = 8;

/// The shortest length up to which words are tried, if no automaton needs a longer one.
const SHORTEST: usize = 4;

/// An unrolling in Z3's current context.
pub(crate) struct Unrolling<'u> {
    predicates: &'u [Predicate],
    terms: Terms,
    bits: &'u BitVectors,
    alphabet: Alphabet,
    solver: FixedWidthSolver,
    /// That the word has no character at a place.
    ends: Vec<Bool>,
    letters: Vec<BV>,
    /// Terms over the one variable of sets, by automaton and label.
    labels: FxHashMap<(usize, u32), Bool>,
    /// What labels say of letters, by automaton, label and place.
    guards: FxHashMap<(usize, u32, usize), Bool>,
    atoms: FxHashMap<Atom, Bool>,
    /// Those without a definition, in the order in which they were made.
    open: Vec<Atom>,
    budget: &'u Budget,
    pub(crate) work: Work,
}

impl<'u> Unrolling<'u> {
    /// That all predicates hold of the whole word.
    pub(crate) fn new(
        predicates: &'u [Predicate],
        alphabet: Alphabet,
        bits: &'u BitVectors,
        budget: &'u Budget,
    ) -> Self {
        let mut this = Self {
            predicates,
            terms: Terms::new(alphabet),
            bits,
            alphabet,
            solver: bits.solver(),
            ends: vec![bits.bool_variable("end0")],
            letters: Vec::new(),
            labels: FxHashMap::default(),
            guards: FxHashMap::default(),
            atoms: FxHashMap::default(),
            open: Vec::new(),
            budget,
            work: Work::default(),
        };
        for (automaton, predicate) in predicates.iter().enumerate() {
            let first = this.atom(Atom { automaton, state: predicate.automaton.initial().0, place: 0 });
            this.solver.assert(&first);
        }
        this
    }

    /// One more place.
    fn lengthen(&mut self) {
        let place = self.letters.len();
        let letter = BV::new_const(format!("c{place}"), self.alphabet.bits());
        if let Some(legal) = self.terms.alphabet() {
            self.solver.assert(&legal.substitute(&[(&self.terms.chi, &letter)]));
        }
        let next = self.bits.bool_variable(&format!("end{}", place + 1));
        self.solver.assert(&self.ends[place].implies(&next));
        self.letters.push(letter);
        self.ends.push(next);
    }

    /// The term of an atom. A new one is open, but known where the word ends.
    fn atom(&mut self, atom: Atom) -> Bool {
        if let Some(known) = self.atoms.get(&atom) {
            return known.clone();
        }
        let Atom { automaton, state, place } = atom;
        let term = self.bits.bool_variable(&format!("acc{automaton}.{state}.{place}"));
        let Predicate { automaton: states, negated } = &self.predicates[automaton];
        if states.is_final(StateId(state)) == *negated {
            self.solver.assert(&Bool::or(&[self.ends[place].not(), term.not()]));
        }
        self.atoms.insert(atom, term.clone());
        self.open.push(atom);
        self.work.predicates += 1;
        term
    }

    /// That a letter is in the set of a label.
    fn guard(&mut self, automaton: usize, label: u32, place: usize, set: &Set) -> Result<Bool, Stop> {
        if let Some(known) = self.guards.get(&(automaton, label, place)) {
            return Ok(known.clone());
        }
        let over = match self.labels.get(&(automaton, label)) {
            Some(known) => known.clone(),
            None => {
                let made = self.terms.of_ranges(set.as_slice())?;
                self.labels.insert((automaton, label), made.clone());
                made
            }
        };
        let guard = over.substitute(&[(&self.terms.chi, &self.letters[place])]);
        self.guards.insert((automaton, label, place), guard.clone());
        Ok(guard)
    }

    /// Asserts the definition of an atom; the atoms in it.
    fn unfold(&mut self, atom: Atom) -> Result<Vec<Atom>, Stop> {
        let Atom { automaton, state, place } = atom;
        while self.letters.len() <= place {
            self.lengthen();
        }
        let predicates = self.predicates;
        let Predicate { automaton: states, negated } = &predicates[automaton];
        let mut ways = Vec::new();
        let mut inner = Vec::new();
        for step in states.moves_from(StateId(state)) {
            self.budget.tick()?;
            let guard = self.guard(automaton, step.label.0, place, states.label(step.label))?;
            let next = Atom { automaton, state: step.target.0, place: place + 1 };
            let after = self.atom(next);
            ways.push(if *negated { guard.implies(&after) } else { Bool::and(&[guard, after]) });
            inner.push(next);
        }
        let all = if *negated { Bool::and(&ways) } else { Bool::or(&ways) };
        let term = self.atom(atom);
        self.solver.assert(&Bool::or(&[term.not(), self.ends[place].clone(), all]));
        Ok(inner)
    }

    /// Unfolds the open atoms that Z3's model asserts where its word goes on, and what they lead to; whether
    /// there were any.
    fn unfold_asserted(&mut self, most: usize) -> Result<bool, Stop> {
        let open = std::mem::take(&mut self.open);
        let mut asserted = Vec::new();
        for atom in open {
            self.budget.tick()?;
            // A place that was not made yet is one where no atom can be asked about.
            let goes_on = !self.is_true(&self.ends[atom.place].clone());
            let term = self.atoms.get(&atom).cloned();
            if goes_on && term.is_some_and(|term| self.is_true(&term)) {
                asserted.push(atom);
            } else {
                self.open.push(atom);
            }
        }
        let any = !asserted.is_empty();
        let mut now = asserted;
        for depth in 0..AT_ONCE {
            let mut next = Vec::new();
            for atom in now {
                next.extend(self.unfold(atom)?);
            }
            next.retain(|atom| atom.place < most);
            if depth + 1 == AT_ONCE || next.is_empty() {
                break;
            }
            let mut new: FxHashSet<Atom> = next.into_iter().collect();
            let mut taken = Vec::new();
            self.open.retain(|atom| {
                let is_next = new.remove(atom);
                if is_next {
                    taken.push(*atom);
                }
                !is_next
            });
            now = taken;
        }
        Ok(any)
    }

    /// What Z3's model says of a Boolean term.
    fn is_true(&mut self, term: &Bool) -> bool {
        // Booleans are read as bit-vectors of one bit.
        self.solver.value(&term.ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1))) == Some(1)
    }

    /// The length of a shortest word that is in every automaton of which the word has to be.
    fn shortest(&self) -> Result<usize, Stop> {
        let mut shortest = 0;
        for predicate in self.predicates.iter().filter(|predicate| !predicate.negated) {
            let automaton = &predicate.automaton;
            let mut seen = vec![false; automaton.states()];
            let mut now = vec![automaton.initial()];
            seen[automaton.initial().index()] = true;
            let mut length = 0;
            while !now.is_empty() && !now.iter().any(|&state| automaton.is_final(state)) {
                let mut next = Vec::new();
                for state in now {
                    for step in automaton.moves_from(state) {
                        self.budget.tick()?;
                        if !std::mem::replace(&mut seen[step.target.index()], true) {
                            next.push(step.target);
                        }
                    }
                }
                now = next;
                length += 1;
            }
            shortest = shortest.max(length);
        }
        Ok(shortest)
    }

    /// A word of up to `most` characters; the length up to which one is tried is doubled.
    pub(crate) fn search(&mut self, most: usize) -> Result<Found, Stop> {
        let mut length = self.shortest()?.max(SHORTEST).min(most);
        loop {
            while self.letters.len() < length {
                self.lengthen();
            }
            let assumed = [self.ends[length].clone()];
            self.work.depth = length as u64;
            self.work.checks += 1;
            match self.solver.check(&assumed, self.budget) {
                BitVectorAnswer::Sat => {
                    if !self.unfold_asserted(length)? {
                        return self.word().map(Found::Word);
                    }
                }
                BitVectorAnswer::Unknown(why) => {
                    self.budget.look()?;
                    return Ok(Found::Unknown(why));
                }
                BitVectorAnswer::Unsat if self.solver.core(&assumed).is_empty() => return Ok(Found::Nothing),
                BitVectorAnswer::Unsat if length >= most => return Ok(Found::Beyond),
                BitVectorAnswer::Unsat => length = (2 * length).min(most),
            }
        }
    }

    fn word(&mut self) -> Result<SmtString, Stop> {
        let mut word = Vec::new();
        for place in 0..self.letters.len() {
            if self.is_true(&self.ends[place].clone()) {
                break;
            }
            let code = self.solver.value(&self.letters[place]).and_then(|code| u32::try_from(code).ok());
            word.push(Char(code.ok_or(Stop::Solver("Z3 has no model"))?));
        }
        Ok(SmtString::from(word))
    }
}

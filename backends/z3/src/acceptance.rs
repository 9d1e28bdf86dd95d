//! Acceptance predicates of automata, unrolled as far as Z3 asks.
//!
//! For each state `q` and place `i` of the word there is a predicate: what is left of the word from `i` on
//! leads from `q` to an end. It is the recursive definition of acceptance, one place at a time:
//!
//! `acc(q, i) ⟺ (end(i) ∧ final(q)) ∨ (¬end(i) ∧ ⋁ φ(c(i)) ∧ acc(q′, i + 1))`
//!
//! where `end(i)` says that the word has no character at `i`. The definition of a predicate is asserted when
//! the word may be so long; until then it is open, so what is refuted without the assumption that the word
//! has ended by then is refuted for words of every length.
//!
//! Source: Veanes, de Halleux, Tillmann, *Rex: Symbolic Regular Expression Explorer*, section 3, where Z3
//! unfolds the axioms of these predicates over lists of characters. Ours: the list is its places, and the
//! depth up to which Z3 is given definitions is doubled.

use backends_algebra::RangeAlgebra;
use backends_api::{Budget, Stop};
use backends_automata::{Sfa, StateId};
use backends_bitvector::{BitVectorAnswer, BitVectorSolver, BitVectorTerms};
use harness_model::{Alphabet, Char, SmtString};
use rustc_hash::FxHashMap;
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
    /// Predicates.
    pub(crate) predicates: u64,
    /// Checks of Z3.
    pub(crate) checks: u64,
    /// Places.
    pub(crate) depth: u64,
}

/// A predicate, by automaton and state, at a place.
type Key = (usize, u32);

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
    /// The predicates at the last place, whose definitions are open.
    open: Vec<(Key, Bool)>,
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
        let mut solver = bits.solver();
        let mut open = Vec::new();
        let end = bits.bool_variable("end0");
        for (number, predicate) in predicates.iter().enumerate() {
            let state = predicate.automaton.initial().0;
            let holds = bits.bool_variable(&format!("acc{number}.{state}.0"));
            solver.assert(&if predicate.negated { holds.not() } else { holds.clone() });
            open.push(((number, state), holds));
        }
        let work = Work { predicates: open.len() as u64, ..Work::default() };
        let terms = Terms::new(alphabet);
        let mut this = Self {
            predicates,
            terms,
            bits,
            alphabet,
            solver,
            ends: vec![end],
            letters: Vec::new(),
            labels: FxHashMap::default(),
            open,
            budget,
            work,
        };
        this.close();
        this
    }

    /// Where the word ends at the last place, the open predicates are known.
    fn close(&mut self) {
        let Some(end) = self.ends.last().cloned() else { return };
        for ((number, state), holds) in &self.open {
            let is_final = self.predicates[*number].automaton.is_final(StateId(*state));
            let known = if is_final { holds.clone() } else { holds.not() };
            self.solver.assert(&end.implies(&known));
        }
    }

    /// One more place: the definitions of the open predicates.
    fn deepen(&mut self) -> Result<(), Stop> {
        let place = self.letters.len();
        let letter = BV::new_const(format!("c{place}"), self.alphabet.bits());
        if let Some(legal) = self.terms.alphabet() {
            self.solver.assert(&legal.substitute(&[(&self.terms.chi, &letter)]));
        }
        let (end, next_end) =
            (self.ends[place].clone(), self.bits.bool_variable(&format!("end{}", place + 1)));
        self.solver.assert(&end.implies(&next_end));
        let mut next: Vec<(Key, Bool)> = Vec::new();
        let mut known: FxHashMap<Key, Bool> = FxHashMap::default();
        for ((number, state), holds) in std::mem::take(&mut self.open) {
            let automaton = &self.predicates[number].automaton;
            let mut ways = Vec::new();
            for step in automaton.moves_from(StateId(state)) {
                self.budget.tick()?;
                let label = match self.labels.get(&(number, step.label.0)) {
                    Some(label) => label.clone(),
                    None => {
                        let label = self.terms.of_ranges(automaton.label(step.label).as_slice())?;
                        self.labels.insert((number, step.label.0), label.clone());
                        label
                    }
                };
                let key = (number, step.target.0);
                let after = known.entry(key).or_insert_with(|| {
                    let name = format!("acc{number}.{}.{}", key.1, place + 1);
                    let after = self.bits.bool_variable(&name);
                    next.push((key, after.clone()));
                    after
                });
                ways.push(Bool::and(&[label.substitute(&[(&self.terms.chi, &letter)]), after.clone()]));
            }
            let any = Bool::or(&ways);
            self.solver.assert(&Bool::or(&[end.clone(), holds.iff(&any)]));
        }
        self.work.predicates += next.len() as u64;
        self.open = next;
        self.letters.push(letter);
        self.ends.push(next_end);
        self.close();
        Ok(())
    }

    /// A word of up to `most` characters; depths are doubled.
    pub(crate) fn search(&mut self, most: usize) -> Result<Found, Stop> {
        let mut depth = 4.min(most);
        loop {
            while self.letters.len() < depth && !self.open.is_empty() {
                self.deepen()?;
            }
            self.work.depth = self.letters.len() as u64;
            // Where nothing is open, every word is told about.
            let assumed: Vec<Bool> = if self.open.is_empty() {
                Vec::new()
            } else {
                self.ends.last().cloned().into_iter().collect()
            };
            self.work.checks += 1;
            match self.solver.check(&assumed, self.budget) {
                BitVectorAnswer::Sat => return self.word().map(Found::Word),
                BitVectorAnswer::Unknown(why) => {
                    self.budget.look()?;
                    return Ok(Found::Unknown(why));
                }
                BitVectorAnswer::Unsat if self.solver.core(&assumed).is_empty() => return Ok(Found::Nothing),
                BitVectorAnswer::Unsat if depth >= most => return Ok(Found::Beyond),
                BitVectorAnswer::Unsat => depth = (2 * depth).min(most),
            }
        }
    }

    fn word(&mut self) -> Result<SmtString, Stop> {
        let mut word = Vec::new();
        for place in 0..self.letters.len() {
            // Booleans are read as bit-vectors of one bit.
            let one = self.ends[place].ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1));
            if self.solver.value(&one) == Some(1) {
                break;
            }
            let code = self.solver.value(&self.letters[place]).and_then(|code| u32::try_from(code).ok());
            word.push(Char(code.ok_or(Stop::Solver("Z3 has no model"))?));
        }
        Ok(SmtString::from(word))
    }
}

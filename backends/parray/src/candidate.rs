//! Candidates: words and integers read from a model of the array solver, and whether they satisfy the graph.
//!
//! A model says nothing reliable of indices at which no constraint was instantiated. There a candidate has a
//! filler, and a few fillers are tried: the evaluator is cheap. A candidate is never an answer before the
//! evaluator accepted it for the original graph.

use std::collections::HashMap;

use backends_api::BackendError;
use backends_graph::solver::IntValues;
use backends_graph::{IntVertex, StringVertex, Values};
use harness_model::int::Int;
use harness_model::{Char, SmtString};

use crate::index_set::IndexSets;
use crate::problem::{ArrayKind, ArrayProblem};
use crate::solver::ArraySolver;

/// No candidate has a longer word.
pub const MAX_WORD: i64 = 1 << 16;

/// Judges words and integers of array constraints: the model that they stand for, if it is one.
pub type Accept<'a> = dyn FnMut(&[SmtString], &IntValues) -> Result<Option<Values>, BackendError> + 'a;

/// What a model says.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// By vertex.
    ints: Vec<Int>,
    /// By array: its length and what is known of its characters.
    arrays: Vec<(i64, HashMap<i64, Int>)>,
    /// Whether the model gives cells codes of no character. Each such code inside a word has become a
    /// character of its own that nothing else in the candidate is, as long as there are such.
    pub(crate) foreign: bool,
}

impl Candidate {
    /// Reads the model of `solver`, with integers up to `ints`. With index sets, only their indices are read;
    /// else all up to the length. `Err` names a word that is too long.
    pub(crate) fn read(
        problem: &ArrayProblem,
        solver: &mut dyn ArraySolver,
        ints: usize,
        sets: Option<&IndexSets>,
    ) -> Result<Self, String> {
        let ints: Vec<Int> = (0..ints).map(|i| solver.int(&IntVertex::at(i).into())).collect();
        let value = |v: IntVertex| ints.get(v.index()).cloned().unwrap_or(Int::ZERO);
        let (mut arrays, mut foreign) = (Vec::new(), false);
        for (i, kind) in problem.arrays().iter().enumerate() {
            let array = StringVertex::at(i);
            let length = problem.length(array).eval(value);
            let Some(length) = length.small().filter(|length| *length <= MAX_WORD) else {
                return Err(format!("a candidate has a word of {length} characters, more than {MAX_WORD}"));
            };
            let mut known = HashMap::new();
            match (kind, sets) {
                (ArrayKind::Constant(_), _) => {}
                (ArrayKind::Word, Some(sets)) => {
                    for index in sets.of(array) {
                        let at = index.eval(value);
                        if let Some(place) = at.small().filter(|place| (0..length).contains(place)) {
                            known.entry(place).or_insert_with(|| solver.code(array, &at));
                        } else if !foreign {
                            foreign = character(problem, &solver.code(array, &at)).is_none();
                        }
                    }
                }
                (ArrayKind::Word, None) => {
                    for place in 0..=length {
                        known.insert(place, solver.code(array, &Int::from(place)));
                    }
                }
            }
            arrays.push((length, known));
        }
        let mut this = Self { ints, arrays, foreign };
        this.naturalise(problem);
        Ok(this)
    }

    /// Gives codes of no character characters of their own; nothing is known of a cell for which there is
    /// none left.
    fn naturalise(&mut self, problem: &ArrayProblem) {
        let words = |i: usize| matches!(problem.arrays().get(i), Some(ArrayKind::Word));
        let codes =
            self.arrays.iter().enumerate().filter(|(i, _)| words(*i)).flat_map(|(_, (_, k))| k.values());
        let mut strangers: Vec<Int> = Vec::new();
        let mut taken: Vec<Char> = Vec::new();
        for code in codes {
            match character(problem, code) {
                Some(c) => taken.push(c),
                None => strangers.push(code.clone()),
            }
        }
        if strangers.is_empty() {
            return;
        }
        self.foreign = true;
        strangers.sort_unstable();
        strangers.dedup();
        taken.extend(constants(problem));
        taken.sort_unstable();
        taken.dedup();
        let free = problem.characters().ranges().iter().flat_map(|&(low, high)| low..=high).map(Char);
        let free = preferred(problem).chain(free).filter(|c| taken.binary_search(c).is_err());
        let mut given: Vec<Char> = Vec::new();
        for c in free {
            if given.len() == strangers.len() {
                break;
            }
            if !given.contains(&c) {
                given.push(c);
            }
        }
        let becomes: HashMap<Int, Char> = strangers.into_iter().zip(given).collect();
        for (_, (_, known)) in self.arrays.iter_mut().enumerate().filter(|(i, _)| words(*i)) {
            known.retain(|_, code| match becomes.get(code) {
                Some(c) => {
                    *code = Int::from(c.0);
                    true
                }
                None => character(problem, code).is_some(),
            });
        }
    }

    pub(crate) fn int(&self, vertex: IntVertex) -> Int {
        self.ints.get(vertex.index()).cloned().unwrap_or(Int::ZERO)
    }

    /// The code of an array at an index, with the filler where nothing is known, and -1 outside.
    pub(crate) fn code(&self, problem: &ArrayProblem, filler: Char, array: StringVertex, index: &Int) -> Int {
        let (length, known) = &self.arrays[array.index()];
        let Some(place) = index.small() else { return Int::MINUS_ONE };
        if let Some(word) = problem.word(array) {
            let c = usize::try_from(place).ok().and_then(|p| word.chars().get(p));
            return c.map_or(Int::MINUS_ONE, |c| Int::from(c.0));
        }
        match known.get(&place) {
            Some(code) => code.clone(),
            None if (0..*length).contains(&place) => Int::from(filler.0),
            None => Int::MINUS_ONE,
        }
    }

    /// The words of the graph's arrays.
    fn words(&self, problem: &ArrayProblem, filler: Char) -> Vec<SmtString> {
        let arrays = self.arrays.iter().enumerate();
        arrays
            .map(|(i, (length, known))| match problem.word(StringVertex::at(i)) {
                Some(word) => word.clone(),
                None => (0..*length)
                    .map(|p| known.get(&p).and_then(|code| character(problem, code)).unwrap_or(filler))
                    .collect(),
            })
            .collect()
    }

    /// The first model that is accepted, over all fillers.
    pub(crate) fn accepted(
        &self,
        problem: &ArrayProblem,
        fillers: &[Char],
        accept: &mut Accept<'_>,
    ) -> Result<Option<Values>, BackendError> {
        let values = IntValues::new(self.ints.clone());
        let mut last = None;
        for &filler in fillers {
            let words = self.words(problem, filler);
            if last.as_ref() == Some(&words) {
                continue;
            }
            if let Some(model) = accept(&words, &values)? {
                return Ok(Some(model));
            }
            last = Some(words);
        }
        Ok(None)
    }
}

/// The character with this code, if words may have it.
pub(crate) fn character(problem: &ArrayProblem, code: &Int) -> Option<Char> {
    let c = Char(u32::try_from(code.small()?).ok()?);
    problem.characters().contains(c).then_some(c)
}

/// The characters of the constants.
fn constants(problem: &ArrayProblem) -> impl Iterator<Item = Char> {
    let words = problem.arrays().iter().filter_map(|kind| match kind {
        ArrayKind::Constant(word) => Some(word.chars()),
        ArrayKind::Word => None,
    });
    words.flatten().copied()
}

/// The letters that words may have.
fn preferred(problem: &ArrayProblem) -> impl Iterator<Item = Char> {
    let letters = (b'a'..=b'z').chain(b'A'..=b'Z').map(Char::from);
    letters.filter(|c| problem.characters().contains(*c))
}

/// Characters for places of which nothing is known: one that no constant has, then a digit, the digit that
/// may stand in front of any number, a blank, and one that a constant has, as far as words may have them.
/// Never empty.
pub(crate) fn fillers(problem: &ArrayProblem) -> Vec<Char> {
    let all = problem.characters();
    let used: Vec<Char> = constants(problem).collect();
    let starts = all.ranges().iter().map(|&(low, _)| Char(low));
    let fresh = preferred(problem).chain(starts).find(|c| all.contains(*c) && !used.contains(c));
    let known = used.iter().copied().find(|c| all.contains(*c));
    let others = [b'1', b'0', b' '].map(Char::from).into_iter().filter(|c| all.contains(*c));
    let mut list: Vec<Char> = fresh.into_iter().chain(others).chain(known).collect();
    list.dedup();
    if list.is_empty() {
        list.extend(all.ranges().first().map(|&(low, _)| Char(low)));
    }
    if list.is_empty() {
        list.push(Char(0));
    }
    list
}

//! The pure automaton method: values are refined, then concrete words are tried, each refined further, until
//! all vertices have one value and the evaluator finds it right.
//!
//! Words are taken from the automata shortest first, few at first and then more ([`SearchLimits`]). A set of
//! values that was enumerated whole, each refuted by refinement, has no solution; otherwise an exhausted
//! search says nothing.
//!
//! Source: Li and Ghosh, PASS, sections 2 ("the enumeration of concrete string values") and 5 ("pure
//! automaton", which there follows Ghosh et al., *JST*).

use backends_api::{Budget, Stop};
use backends_graph::{IntKind, IntVertex, StringVertex};
use harness_model::SmtString;
use harness_model::int::Int;

use crate::refine::{Refiner, State};
use crate::words::{Wanted, words};

/// How far a search goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Values that are tried for one vertex, in one attempt after the other.
    pub widths: Vec<usize>,
    /// Values that are tried in all.
    pub candidates: u64,
    /// Characters by which a word may be longer than the shortest one of its language.
    pub longer: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { widths: vec![2, 6, 20, 64], candidates: 20_000, longer: 24 }
    }
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchResult {
    /// A solution, which was accepted.
    Yes,
    /// There is none: everything was tried.
    No,
    /// So many values were tried.
    Exhausted(u64),
}

/// Searches from the refiner's state, which is a fixed point; `accept` judges a word for each string vertex
/// and a number for each integer.
pub fn search(
    refiner: &mut Refiner<'_>,
    limits: &SearchLimits,
    budget: &Budget,
    accept: &mut dyn FnMut(&[SmtString], &[Int]) -> bool,
) -> Result<(SearchResult, u64), Stop> {
    let start = refiner.state();
    let mut tried = 0;
    for &width in &limits.widths {
        refiner.restart(start.clone());
        let mut search = Search { limits, width, budget, accept, tried, complete: true };
        let found = search.go(refiner)?;
        tried = search.tried;
        if found {
            return Ok((SearchResult::Yes, tried));
        }
        if search.complete {
            return Ok((SearchResult::No, tried));
        }
        if tried >= limits.candidates {
            break;
        }
    }
    Ok((SearchResult::Exhausted(tried), tried))
}

struct Search<'s> {
    limits: &'s SearchLimits,
    width: usize,
    budget: &'s Budget,
    accept: &'s mut dyn FnMut(&[SmtString], &[Int]) -> bool,
    tried: u64,
    /// Nothing was left out so far.
    complete: bool,
}

/// A vertex to choose a value for.
enum Open {
    Word(StringVertex),
    Number(IntVertex),
}

impl Search<'_> {
    /// Whether a solution was found below the refiner's state.
    fn go(&mut self, refiner: &mut Refiner<'_>) -> Result<bool, Stop> {
        self.budget.look()?;
        let Some(open) = choose(refiner) else { return Ok(self.judge(refiner)) };
        let here: State = refiner.state();
        match open {
            Open::Word(vertex) => {
                let language = refiner.language(vertex);
                let wanted =
                    Wanted { limit: self.width, breadth: self.width.max(4), longer: self.limits.longer };
                let (words, all) = words(&language, wanted, self.budget)?;
                self.complete &= all;
                for word in words {
                    if !self.may_try() {
                        return Ok(false);
                    }
                    refiner.restart(here.clone());
                    if let Err(stop) = refiner.choose(vertex, &word) {
                        self.left_out(stop)?;
                        continue;
                    }
                    if !refiner.settle()? && self.go(refiner)? {
                        return Ok(true);
                    }
                }
            }
            Open::Number(vertex) => {
                for value in self.numbers(refiner, vertex) {
                    if !self.may_try() {
                        return Ok(false);
                    }
                    refiner.restart(here.clone());
                    refiner.choose_int(vertex, value);
                    if !refiner.settle()? && self.go(refiner)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn may_try(&mut self) -> bool {
        let may = self.tried < self.limits.candidates;
        self.tried += u64::from(may);
        self.complete &= may;
        may
    }

    /// A word that is too long to refine with is left out.
    fn left_out(&mut self, stop: Stop) -> Result<(), Stop> {
        match stop {
            Stop::Steps(_) | Stop::Size { .. } => {
                self.complete = false;
                Ok(())
            }
            stop => Err(stop),
        }
    }

    /// Numbers of the vertex' interval, from its ends and around zero.
    fn numbers(&mut self, refiner: &Refiner<'_>, vertex: IntVertex) -> Vec<i64> {
        let interval = refiner.int(vertex);
        let half = i64::try_from(self.width).unwrap_or(i64::MAX);
        let up = |from: i64| (0..half).map(move |n| from.saturating_add(n));
        let down = |from: i64| (0..half).map(move |n| from.saturating_sub(n));
        let mut all: Vec<i64> = match (interval.low, interval.high) {
            (Some(low), Some(high)) => up(low).zip(down(high)).flat_map(|(a, b)| [a, b]).collect(),
            (Some(low), None) => up(low).collect(),
            (None, Some(high)) => down(high).collect(),
            (None, None) => up(0).zip(down(-1)).flat_map(|(a, b)| [a, b]).collect(),
        };
        all.retain(|&n| interval.has(n));
        let mut seen = std::collections::HashSet::new();
        all.retain(|&n| seen.insert(n));
        let size =
            interval.low.zip(interval.high).and_then(|(low, high)| high.checked_sub(low)?.checked_add(1));
        self.complete &= size.is_some_and(|size| usize::try_from(size).is_ok_and(|size| size <= all.len()));
        all
    }

    /// Every vertex has one value: whether it is a solution. One that is refused is no other's fault: nothing
    /// is left out.
    fn judge(&mut self, refiner: &Refiner<'_>) -> bool {
        let graph = refiner.graph;
        let words: Vec<SmtString> =
            graph.string_vertices().map(|v| refiner.only(v).unwrap_or_default()).collect();
        let numbers: Vec<Int> = graph
            .int_vertices()
            .map(|i| match graph.number(i) {
                Some(number) => number.clone(),
                None => Int::from(refiner.int(i).only().unwrap_or(0)),
            })
            .collect();
        (self.accept)(&words, &numbers)
    }
}

/// The next vertex: the string with the fewest words by rough measure, variables before results; then
/// integers.
fn choose(refiner: &Refiner<'_>) -> Option<Open> {
    let graph = refiner.graph;
    let open = graph.string_vertices().filter(|&v| graph.word(v).is_none() && refiner.only(v).is_none());
    let best = open.min_by_key(|&v| {
        let (least, greatest) = refiner.lengths(v);
        let auxiliary = matches!(graph.string(v), backends_graph::StringKind::Auxiliary);
        (auxiliary, greatest.is_none(), greatest.unwrap_or(i64::MAX), least, refiner.language(v).states())
    });
    if let Some(vertex) = best {
        return Some(Open::Word(vertex));
    }
    let open = graph.int_vertices().filter(|&i| graph.number(i).is_none() && refiner.int(i).only().is_none());
    // Declared numbers first: the rest follows from them.
    open.min_by_key(|&i| {
        let interval = refiner.int(i);
        let declared = matches!(graph.int(i), IntKind::Declared(_) | IntKind::Truth(_));
        let size = interval.low.zip(interval.high).map_or(i64::MAX, |(low, high)| high.saturating_sub(low));
        (!declared, size)
    })
    .map(Open::Number)
}

//! Parameterised arrays with automata: what automata refute is refuted; else array constraints are solved
//! with what automata know.
//!
//! Expressions reach the array constraints as automata, refined by all that is known of their vertex; of
//! other vertices the lengths and some characters are told. Edges that another edge says already are left
//! out. And where the array solver says nothing of a character, the automaton does: a candidate that the
//! evaluator refuses is offered again with each word of a known language replaced by the nearest one of its
//! length ("we can use the automata to refine the parray model for locating a solution fast", section 1).
//!
//! Source: Li and Ghosh, PASS, sections 2 (the overview) and 4.

use backends_algebra::BooleanAlgebra;
use backends_api::{BackendError, Budget, Probe, Stop, Taken};
use backends_automata::{StateId, trim};
use backends_graph::interchange::Solution;
use backends_graph::strategy::GraphSolver;
use backends_graph::{Edge, IntegerSolvers, Relation, Restoration, StringGraph, StringVertex, Sum};
use backends_parray::{ArrayProblem, ArraySolvers, Arrays, Term, encode, faithful};
use harness_model::{Char, SmtString};

use crate::analysis::{Analysis, analyse};
use crate::language::{Automaton, IntervalContext, Language};
use crate::loops::{Chain, shape};
use crate::refine::{Limits, Refiner};
use crate::relations::Relations;
use crate::strategy::{Preprocessing, simplified};
use crate::to_arrays::{Encoding, facts, say_chains, unrolled};

/// Steps for all automata of the encoding together.
const STEPS: u64 = 20_000_000;

/// No longer words of candidates are brought nearer to a language.
const MAX_REPAIRED: usize = 512;

/// Arrays and automata.
#[derive(Clone, Debug)]
pub struct ArraysWithAutomata<A, I> {
    /// What solves array constraints, and how.
    pub arrays: Arrays<A, I>,
    /// Of refinement.
    pub limits: Limits,
    /// Before refinement.
    pub preprocessing: Preprocessing,
}

impl<A: ArraySolvers, I: IntegerSolvers> GraphSolver for ArraysWithAutomata<A, I> {
    /// Phases: `preprocess`, `refine`, `encode`, `arrays`; counters: those of [`analyse`] and of
    /// [`Arrays::decide`], `consumed` (edges), `well_formed` and `unrolled` (languages said in array
    /// constraints), `facts` (told beside), `repaired` (candidates).
    fn solve(&self, graph: &StringGraph, budget: &Budget, probe: &Probe) -> Result<Solution, BackendError> {
        probe.count("edges", graph.edges().len() as u64);
        let prepared = match simplified(graph, self.preprocessing, budget, probe)? {
            Ok(prepared) => prepared,
            Err(refuted) => return Ok(Solution::Unsat(refuted.core)),
        };
        let analysis = probe.phase("refine", || analyse(&prepared, self.limits, budget, probe))?;
        if analysis.refuted {
            return Ok(Solution::Unsat(analysis.core()));
        }
        let mut known = Known::new(&analysis.refiner);
        let problem = probe.phase("encode", || known.encoded(&analysis, budget, probe))?;
        let restoration = Restoration::new(graph, &prepared.simplified);
        let mut repaired = 0;
        let solution = self.arrays.decide(
            &problem,
            &mut |words, ints| {
                let number = |vertex| ints.get(vertex).clone();
                if let Some(model) = restoration.model(words, &number)? {
                    return Ok(Some(model));
                }
                let Some(nearer) = known.nearest(words)? else { return Ok(None) };
                let model = restoration.model(&nearer, &number)?;
                repaired += u64::from(model.is_some());
                Ok(model)
            },
            budget,
            probe,
        );
        probe.count("repaired", repaired);
        solution
    }

    fn takes(&self, graph: &StringGraph, budget: &Budget) -> Result<Taken, BackendError> {
        let probe = Probe::new();
        let Ok(prepared) = simplified(graph, self.preprocessing, budget, &probe)? else {
            return Ok(Taken::Exactly);
        };
        let analysis = analyse(&prepared, self.limits, budget, &probe)?;
        if analysis.refuted {
            return Ok(Taken::Exactly);
        }
        Ok(faithful(&Known::new(&analysis.refiner).encoded(&analysis, budget, &probe)?))
    }
}

/// What the automata of a graph know, for its array constraints.
struct Known<'r, 'g> {
    refiner: &'r Refiner<'g>,
    context: IntervalContext,
    /// By string vertex: the expressions that only the automata say.
    said_by: Vec<Vec<usize>>,
}

impl<'r, 'g> Known<'r, 'g> {
    fn new(refiner: &'r Refiner<'g>) -> Self {
        let context = IntervalContext::new(refiner.graph.alphabet(), STEPS);
        Self { refiner, context, said_by: vec![Vec::new(); refiner.graph.strings().len()] }
    }

    /// The array constraints of the analysed graph, with what the automata know of it.
    fn encoded(
        &mut self,
        analysis: &Analysis<'_>,
        budget: &Budget,
        probe: &Probe,
    ) -> Result<ArrayProblem, BackendError> {
        let graph = self.refiner.graph;
        let mut problem = ArrayProblem::new(graph);
        let consumed = Relations::consumed(graph);
        probe.count("consumed", consumed.len() as u64);
        // In which order edges are said is the encoding's business. No edge is in a graph twice.
        let mut hook = |problem: &mut ArrayProblem, edge: &Edge| {
            let Some(place) = graph.edges().iter().position(|other| other == edge) else {
                return Ok(false);
            };
            Ok(consumed.iter().any(|id| id.index() == place) || self.edge(problem, edge, place))
        };
        encode(graph, &mut problem, &mut hook, budget)?;
        self.say(&mut problem, probe)?;
        analysis.numbers.iter().for_each(|formula| problem.require(formula.widen()));
        Ok(problem)
    }

    /// Whether the edge, at this place of the graph, is left to the automata.
    #[allow(clippy::wildcard_enum_match_arm, reason = "all others are encoded by `encode`, which lists them")]
    fn edge(&mut self, problem: &mut ArrayProblem, edge: &Edge, place: usize) -> bool {
        match edge.relation {
            Relation::InRe { s, .. } => {
                if self.refiner.is_absorbed(place) {
                    self.said_by[s.index()].push(place);
                } else {
                    problem.weaken("an expression whose automaton is too large");
                }
                true
            }
            // Automata know something of the result; the evaluator has the last word.
            Relation::ReplaceRe { .. } | Relation::ReplaceReAll { .. } => {
                problem.weaken(edge.relation.full_name());
                true
            }
            Relation::ReplaceAll { t, by, .. } => {
                let one = |v| self.refiner.graph.word(v).is_some_and(|w| w.len() == 1);
                let sayable =
                    self.refiner.graph.word(t).is_some_and(SmtString::is_empty) || (one(t) && one(by));
                if !sayable {
                    problem.weaken(edge.relation.full_name());
                }
                !sayable
            }
            _ => false,
        }
    }

    /// Says the languages: of vertices with expressions wholly, of others some facts; and the bounds of
    /// integers.
    fn say(&self, problem: &mut ArrayProblem, probe: &Probe) -> Result<(), BackendError> {
        let graph = self.refiner.graph;
        let (mut well_formed, mut loops, mut told) = (0, 0, 0);
        for s in graph.string_vertices().filter(|&s| graph.word(s).is_none()) {
            let said = match self.said_by[s.index()].as_slice() {
                [] => Ok(None),
                places => self.say_language(problem, s, places).map(Some),
            };
            match said {
                Ok(Some(Encoding::Exact)) => well_formed += 1,
                Ok(Some(Encoding::Unrolled(_))) => loops += 1,
                Ok(None) => {}
                Err(Stop::Steps(_) | Stop::Size { .. }) => {
                    problem.weaken("an expression whose automaton is too large");
                }
                Err(stop) => return Err(stop.into()),
            }
            match facts(&self.context, problem, s, &self.refiner.language(s)) {
                Ok(facts) => told += facts,
                Err(Stop::Steps(_) | Stop::Size { .. }) => {}
                Err(stop) => return Err(stop.into()),
            }
        }
        for i in graph.int_vertices().filter(|&i| graph.number(i).is_none()) {
            let bounds = self.refiner.int(i);
            let value = Term::from(Sum::from(i));
            if let Some(low) = bounds.low {
                problem.require(Term::from(low).le(&value));
            }
            if let Some(high) = bounds.high {
                problem.require(value.le(&Term::from(high)));
            }
        }
        for edge in graph.edges() {
            // However large a number, its numeral is not longer than the number itself and one.
            if let (Relation::FromInt { i, r }, true) = (&edge.relation, edge.positive) {
                let (i, length) = (graph.sum_of(*i), problem.length(*r).clone());
                let short = length.le(&i.add(&Sum::from(1_i64)));
                problem.require(i.lt(&Sum::from(0_i64)).negate().implies(short).widen());
                told += 1;
            }
        }
        probe.count("well_formed", well_formed);
        probe.count("unrolled", loops);
        probe.count("facts", told);
        Ok(())
    }

    /// The word of `s` is in its refined language, as far as the edges at `places` ask for it: by the chains
    /// of the refined automaton, else by those of each expression, else unrolled.
    fn say_language(
        &self,
        problem: &mut ArrayProblem,
        s: StringVertex,
        places: &[usize],
    ) -> Result<Encoding, Stop> {
        let refined = self.refiner.language(s);
        if let Some(chains) = shape(&self.context, &refined)? {
            say_chains(problem, s, &chains);
            return Ok(Encoding::Exact);
        }
        let mut all: Vec<Vec<Chain>> = Vec::new();
        for &place in places {
            match self.chains_of(place)? {
                Some(chains) => all.push(chains),
                None => return unrolled(&self.context, problem, s, &refined, self.refiner.lengths(s).1),
            }
        }
        all.iter().for_each(|chains| say_chains(problem, s, chains));
        Ok(Encoding::Exact)
    }

    /// The chains of one expression, from the automaton that is made of it or from the smallest deterministic
    /// one.
    fn chains_of(&self, place: usize) -> Result<Option<Vec<Chain>>, Stop> {
        let Some(Edge { relation: Relation::InRe { regex, .. }, positive }) = self.refiner.edge(place) else {
            return Ok(None);
        };
        let mut automaton = trim(&self.context.regex(regex)?, &self.context.budget)?;
        if *positive {
            if let Some(chains) = shape(&self.context, &automaton)? {
                return Ok(Some(chains));
            }
        } else {
            automaton = self.context.difference(&self.context.all_words()?, &automaton)?;
        }
        shape(&self.context, &self.context.minimise(&automaton)?)
    }

    /// The words with each one that is not in its language replaced by the nearest one of the same length.
    /// `None` if none is replaced.
    fn nearest(&self, words: &[SmtString]) -> Result<Option<Vec<SmtString>>, Stop> {
        let mut nearer: Option<Vec<SmtString>> = None;
        for s in self.refiner.graph.string_vertices() {
            let Some(word) = words.get(s.index()).filter(|w| w.len() <= MAX_REPAIRED) else { continue };
            let language: Language = self.refiner.language(s);
            if let Some(other) = nearest(&self.context, &language, word.chars())?
                && other != *word
            {
                nearer.get_or_insert_with(|| words.to_vec())[s.index()] = other;
            }
        }
        Ok(nearer)
    }
}

/// The word of the language of the same length that differs in the fewest places; `None` if it has no word of
/// that length. Cost: length times moves.
fn nearest(
    context: &IntervalContext,
    automaton: &Automaton,
    word: &[Char],
) -> Result<Option<SmtString>, Stop> {
    // By state: the fewest differences to get there, and from where by which character, for each place.
    let mut cost: Vec<Option<usize>> = vec![None; automaton.states()];
    cost[automaton.initial().index()] = Some(0);
    let mut steps: Vec<Vec<Option<(StateId, Char)>>> = Vec::with_capacity(word.len());
    for &c in word {
        let mut next: Vec<Option<usize>> = vec![None; automaton.states()];
        let mut step = vec![None; automaton.states()];
        for q in automaton.state_ids() {
            let Some(so_far) = cost[q.index()] else { continue };
            for m in automaton.moves_from(q) {
                let label = automaton.label(m.label);
                let reads = if context.algebra().contains(label, c)? {
                    Some(c)
                } else {
                    context.algebra().pick(label)?
                };
                let Some(reads) = reads else { continue };
                let there = so_far + usize::from(reads != c);
                if next[m.target.index()].is_none_or(|old| there < old) {
                    next[m.target.index()] = Some(there);
                    step[m.target.index()] = Some((q, reads));
                }
            }
        }
        cost = next;
        steps.push(step);
    }
    let ends = automaton.state_ids().filter(|&q| automaton.is_final(q));
    let Some((_, mut state)) = ends.filter_map(|q| Some((cost[q.index()]?, q))).min() else {
        return Ok(None);
    };
    let mut found = Vec::with_capacity(word.len());
    for step in steps.iter().rev() {
        let Some((from, c)) = step[state.index()] else { return Ok(None) };
        found.push(c);
        state = from;
    }
    found.reverse();
    Ok(Some(SmtString::from(found)))
}

#[cfg(test)]
mod tests {
    use harness_model::{Alphabet, CharSet, Regex};

    use super::*;

    #[test]
    fn the_nearest_word_of_a_language() {
        let context = IntervalContext::new(Alphabet::Ascii, u64::MAX);
        let digit = Regex::set(CharSet::range(Char(0x30), Char(0x39)));
        let date =
            Regex::concat([digit.clone().repeat(2, Some(2)), Regex::literal(&"-".into()), digit.star()]);
        let automaton = context.minimise(&context.regex(&date).unwrap()).unwrap();
        let near = |word: &str| nearest(&context, &automaton, SmtString::from(word).chars()).unwrap();
        assert_eq!(near("12-7"), Some("12-7".into()));
        assert_eq!(near("1a-7a9"), Some("10-709".into()));
        assert_eq!(near("aaa"), Some("00-".into()));
        assert_eq!(near("1"), None);
    }
}

//! The search for words of guessed lengths: encodes the edges, hands them to a solver of bit-vectors as the
//! mode says, and reads words off its model, or edges off its refutation.

use backends_api::{BackendError, Budget, Probe, Stop};
use backends_graph::{
    EdgeId, FixedAnswer, FixedSolver, IntAssignment, Refutation, StringGraph, StringKind, StringVertex,
};
use harness_model::{Char, CharSet, SmtString};

use crate::derivatives::Derivatives;
use crate::encoding::Encoder;
use crate::solver::{BitVectorAnswer, BitVectorSession, BitVectorSolver, BitVectorTerms};
use crate::strategy::{Mode, Refusals};
use crate::words::{BoolTerm, Formulas, Truth, Word};

/// Solves one graph under one assignment of lengths and integers after the other.
pub(crate) struct Search<'a, S> {
    mode: Mode,
    graph: &'a StringGraph,
    order: &'a [EdgeId],
    budget: &'a Budget,
    /// Bits of a character: enough for the alphabet and for every constant.
    width: u32,
    /// Whether a constant has characters that the alphabet does not have.
    foreign: bool,
    languages: Derivatives,
    session: S,
}

impl<'a, S> Search<'a, S> {
    /// For the graph, the edges of which are taken in this order.
    pub(crate) fn new(
        mode: Mode,
        graph: &'a StringGraph,
        order: &'a [EdgeId],
        budget: &'a Budget,
        session: S,
    ) -> Self {
        let constants = || graph.string_vertices().filter_map(|v| graph.word(v));
        let largest = constants().flat_map(|w| w.chars()).map(|c| c.0).max().unwrap_or(0);
        let alphabet = graph.alphabet();
        Self {
            mode,
            graph,
            order,
            budget,
            width: (32 - largest.max(alphabet.max().0).leading_zeros()).max(1),
            foreign: largest > alphabet.max().0,
            languages: Derivatives::new(alphabet),
            session,
        }
    }

    /// A word of the guessed length for each vertex.
    fn words<T: BitVectorTerms>(&self, f: Formulas<'_, T>, guess: &IntAssignment<'_>) -> Vec<Word<T::Bits>> {
        let vertices = self.graph.string_vertices();
        vertices
            .map(|vertex| match self.graph.word(vertex) {
                Some(word) => Word::Known(word.clone()),
                None => f.variable(&format!("s{}", vertex.index()), guess.length(vertex), self.width),
            })
            .collect()
    }

    /// That the vertex has the graph's characters only.
    ///
    /// A result may have characters of a constant that the alphabet does not have; the encoding of its edge
    /// determines them, so then only declared variables are restricted.
    fn restriction<T: BitVectorTerms>(
        &self,
        f: Formulas<'_, T>,
        vertex: StringVertex,
        word: &Word<T::Bits>,
    ) -> Truth<T> {
        let declared = matches!(self.graph.string(vertex), StringKind::Declared(_));
        if matches!(word, Word::Known(_)) || (self.foreign && !declared) {
            return BoolTerm::TRUE;
        }
        let last = Char(u32::MAX >> (32 - self.width));
        let characters: &CharSet = self.graph.characters();
        // The bits of `unicode` reach further than its characters, so even the whole alphabet is a
        // restriction there.
        if *characters == CharSet::range(Char(0), last) {
            return BoolTerm::TRUE;
        }
        f.all(word.letters().map(|letter| f.is_in(&letter, characters)))
    }

    fn search<T: BitVectorTerms>(
        &mut self,
        terms: &T,
        guess: &IntAssignment<'_>,
        probe: &Probe,
    ) -> Result<FixedAnswer, BackendError> {
        let f = Formulas { terms };
        let words = self.words(f, guess);
        let encodings = probe.phase("translate", || self.encode(f, guess, &words))?;
        probe.count("edges_translated", encodings.len() as u64);
        let by_itself = encodings.iter().find(|(_, encoding)| encoding.is_false());
        let as_published = self.mode == Mode::EdgeByEdge(Refusals::Taken);
        if let Some((edge, _)) = by_itself.filter(|_| !as_published) {
            probe.count("refuted_by_lengths", 1);
            return Ok(FixedAnswer::Unsat(Refutation::touching(self.graph, [*edge])));
        }
        let mut solver = terms.solver();
        for (vertex, word) in self.graph.string_vertices().zip(&words) {
            match self.restriction(f, vertex, word) {
                BoolTerm::Known(true) => {}
                BoolTerm::Known(false) => {
                    // No character at all is allowed, and the vertex has some: its length alone is wrong.
                    let ints = self.graph.length_of(vertex).into_iter().collect();
                    return Ok(FixedAnswer::Unsat(Refutation { ints, ..Refutation::default() }));
                }
                BoolTerm::Open(formula) => solver.assert(&formula),
            }
        }
        let open = encodings.iter().filter_map(|(edge, encoding)| match encoding {
            BoolTerm::Open(formula) => Some((*edge, formula.clone())),
            BoolTerm::Known(_) => None,
        });
        let open: Vec<(EdgeId, T::Bool)> = open.collect();
        let failure = match self.mode {
            Mode::EdgeByEdge(Refusals::Taken) => self.as_published::<T>(&mut solver, &encodings, probe)?,
            Mode::EdgeByEdge(Refusals::Connected) => self.one_by_one(&mut solver, &open, probe)?,
            Mode::All => self.at_once(&mut solver, &open, probe)?,
            Mode::Core => self.with_core(terms, &mut solver, &open, probe)?,
        };
        Ok(failure.unwrap_or_else(|| model(&mut solver, &words)))
    }

    fn encode<T: BitVectorTerms>(
        &mut self,
        formulas: Formulas<'_, T>,
        guess: &IntAssignment<'_>,
        words: &[Word<T::Bits>],
    ) -> Result<Vec<(EdgeId, Truth<T>)>, BackendError> {
        let (graph, budget) = (self.graph, self.budget);
        let mut encoder =
            Encoder { formulas, graph, guess: *guess, words, languages: &mut self.languages, budget };
        self.order.iter().map(|&id| Ok((id, encoder.edge(graph.edge(id))?))).collect()
    }

    fn check<V: BitVectorSolver>(
        &self,
        solver: &mut V,
        assumptions: &[V::Bool],
        probe: &Probe,
    ) -> Result<BitVectorAnswer, Stop> {
        self.budget.look()?;
        probe.count("solver_calls", 1);
        let answer = probe.phase("check", || solver.check(assumptions, self.budget));
        if matches!(answer, BitVectorAnswer::Unknown(_)) {
            self.budget.look()?;
        }
        Ok(answer)
    }

    /// Figure 3.15. `None` if the solver has a model of all edges, as with the other modes.
    fn one_by_one<V: BitVectorSolver>(
        &self,
        solver: &mut V,
        edges: &[(EdgeId, V::Bool)],
        probe: &Probe,
    ) -> Result<Option<FixedAnswer>, Stop> {
        if edges.is_empty() {
            return self.at_once(solver, &[], probe);
        }
        for (i, (_, encoding)) in edges.iter().enumerate() {
            solver.push();
            solver.assert(encoding);
            match self.check(solver, &[], probe)? {
                BitVectorAnswer::Sat => {}
                BitVectorAnswer::Unsat => {
                    let before = edges[..i].iter().map(|(id, _)| *id);
                    let refutation = Refutation::connected(self.graph, &[edges[i].0], before);
                    return Ok(Some(FixedAnswer::Unsat(refutation)));
                }
                BitVectorAnswer::Unknown(why) => return Ok(Some(FixedAnswer::Unknown(why))),
            }
        }
        Ok(None)
    }

    /// Figure 3.15 with the integers of all edges so far refused: an edge that lengths and integers make true
    /// needs no check, one that they make false refutes like any other.
    fn as_published<T: BitVectorTerms>(
        &self,
        solver: &mut T::Solver,
        edges: &[(EdgeId, Truth<T>)],
        probe: &Probe,
    ) -> Result<Option<FixedAnswer>, Stop> {
        let mut has_checked = false;
        for (i, (_, encoding)) in edges.iter().enumerate() {
            let fits = match encoding {
                BoolTerm::Known(fits) => *fits,
                BoolTerm::Open(formula) => {
                    solver.push();
                    solver.assert(formula);
                    has_checked = true;
                    match self.check(solver, &[], probe)? {
                        BitVectorAnswer::Sat => true,
                        BitVectorAnswer::Unsat => false,
                        BitVectorAnswer::Unknown(why) => return Ok(Some(FixedAnswer::Unknown(why))),
                    }
                }
            };
            if !fits {
                let before = edges[..i].iter().map(|(id, _)| *id);
                return Ok(Some(FixedAnswer::Unsat(Refutation::taken(self.graph, &[edges[i].0], before))));
            }
        }
        if has_checked { Ok(None) } else { self.at_once(solver, &[], probe) }
    }

    fn at_once<V: BitVectorSolver>(
        &self,
        solver: &mut V,
        edges: &[(EdgeId, V::Bool)],
        probe: &Probe,
    ) -> Result<Option<FixedAnswer>, Stop> {
        edges.iter().for_each(|(_, encoding)| solver.assert(encoding));
        Ok(match self.check(solver, &[], probe)? {
            BitVectorAnswer::Sat => None,
            BitVectorAnswer::Unsat => Some(self.refuted(edges.iter().map(|(id, _)| *id).collect())),
            BitVectorAnswer::Unknown(why) => Some(FixedAnswer::Unknown(why)),
        })
    }

    fn with_core<T: BitVectorTerms>(
        &self,
        terms: &T,
        solver: &mut T::Solver,
        edges: &[(EdgeId, T::Bool)],
        probe: &Probe,
    ) -> Result<Option<FixedAnswer>, Stop> {
        let mut core: Vec<(EdgeId, T::Bool)> = Vec::with_capacity(edges.len());
        for (id, encoding) in edges {
            let literal = terms.bool_variable(&format!("e{}", id.index()));
            solver.assert(&terms.implies(&literal, encoding));
            core.push((*id, literal));
        }
        let literals = |core: &[(EdgeId, T::Bool)]| core.iter().map(|(_, l)| l.clone()).collect::<Vec<_>>();
        let assumptions = literals(&core);
        match self.check(solver, &assumptions, probe)? {
            BitVectorAnswer::Sat => return Ok(None),
            BitVectorAnswer::Unknown(why) => return Ok(Some(FixedAnswer::Unknown(why))),
            BitVectorAnswer::Unsat => keep(&mut core, &solver.core(&assumptions)),
        }
        // Leave out one after the other; what is still unsat without it does not need it.
        let mut at = 0;
        while at < core.len() && core.len() > 1 {
            let mut less = core.clone();
            less.remove(at);
            let assumptions = literals(&less);
            match self.check(solver, &assumptions, probe)? {
                BitVectorAnswer::Unsat => {
                    keep(&mut less, &solver.core(&assumptions));
                    // Those before `at` are known to be needed, so they are all still there.
                    core = less;
                }
                BitVectorAnswer::Sat | BitVectorAnswer::Unknown(_) => at += 1,
            }
        }
        probe.count("core_edges", core.len() as u64);
        Ok(Some(self.refuted(core.into_iter().map(|(id, _)| id).collect())))
    }

    fn refuted(&self, edges: Vec<EdgeId>) -> FixedAnswer {
        FixedAnswer::Unsat(Refutation::touching(self.graph, edges))
    }
}

/// The answer with the solver's model.
fn model<V: BitVectorSolver>(solver: &mut V, words: &[Word<V::Bits>]) -> FixedAnswer {
    match values(solver, words) {
        Some(words) => FixedAnswer::Sat(words),
        None => {
            FixedAnswer::Unknown("the solver found a model but gave no value for a bit-vector".to_owned())
        }
    }
}

/// The words in the solver's model.
fn values<V: BitVectorSolver>(solver: &mut V, words: &[Word<V::Bits>]) -> Option<Vec<SmtString>> {
    let mut value = |bits| u32::try_from(solver.value(bits)?).ok().map(Char);
    words
        .iter()
        .map(|word| match word {
            Word::Known(word) => Some(word.clone()),
            Word::Open { letters, .. } => letters.iter().map(&mut value).collect(),
        })
        .collect()
}

/// Reduces `core` to the entries at `used`, in increasing order, which the last refutation used.
fn keep<L>(core: &mut Vec<(EdgeId, L)>, used: &[usize]) {
    // An empty core would say that nothing needs to be ruled out; the restriction of characters alone has
    // solutions, so there is none, but a wrong one would be a wrong verdict.
    if used.is_empty() {
        return;
    }
    let mut index = 0;
    core.retain(|_| {
        index += 1;
        used.binary_search(&(index - 1)).is_ok()
    });
}

impl<S: BitVectorSession> FixedSolver for Search<'_, S> {
    fn solve(&mut self, guess: &IntAssignment<'_>, probe: &Probe) -> Result<FixedAnswer, BackendError> {
        let session = self.session.clone();
        session.enter(|terms| self.search(terms, guess, probe))
    }
}

//! String graphs by bit-vectors: one for each string vertex, its length fixed by the guess, and Z3's bit-vector solver.
//!
//! Source: the study's figure 3.15 and table 3.2 (the module `recipes` lists what is corrected). Every recipe says exactly what its
//! edge says, so `unsat` is shown for the guess; lengths are the interchange's to choose. Three ways to hand the edges
//! over:
//!
//! - [`Mode::EdgeByEdge`], strategy `graph-bitvector`: figure 3.15. Each edge is pushed and checked, so that the first edge
//!   that does not fit is known. The guess is refuted by the edges so far that hang together with that one by string
//!   vertices other than constants: the rest has a solution of its own.
//! - [`Mode::All`], `graph-bitvector-all`: the alternative that section 3.6.2 names. One check of all edges; a refutation
//!   names them all.
//! - [`Mode::Core`], `graph-bitvector-core`, not in the study: all edges as assumptions, and a refutation names a minimal set of
//!   them that does not fit, so that the integers learn more from each failure.
//!
//! In every mode an edge that the lengths and integers alone make false refutes the guess by itself, before Z3 is asked.

use std::collections::HashSet;

use backends_api::{BackendError, Budget, Probe, Stop, StrategyInfo};
use backends_graph::{
    EdgeId, FixedAnswer, FixedSolver, FixedSolvers, GraphStrategy, Guess, Options, Refutation, StringGraph,
    StringKind, StringVertex,
};
use harness_model::{Char, CharSet, SmtString};
use z3::ast::{BV, Bool};
use z3::{Model, Params, SatResult, Solver};

use crate::context::OwnContext;
use crate::derivatives::Derivatives;
use crate::integers::Z3Integers;
use crate::recipes::Recipes;
use crate::session;
use crate::words::{Fact, Word, is_in};

/// How the edges are handed to the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// One after the other, with a check after each.
    #[default]
    EdgeByEdge,
    /// All at once.
    All,
    /// All at once as assumptions, with a minimal core of those that fail.
    Core,
}

impl Mode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::EdgeByEdge, Self::All, Self::Core];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EdgeByEdge => "edge-by-edge",
            Self::All => "all",
            Self::Core => "core",
        }
    }

    const fn summary(self) -> &'static str {
        match self {
            Self::EdgeByEdge => "string graph, Z3 bit-vectors, edge by edge with a check after each",
            Self::All => "string graph, Z3 bit-vectors, one check of all edges",
            Self::Core => "string graph, Z3 bit-vectors, all edges with a minimal core of those that fail",
        }
    }
}

/// The strategy of this mode with these options, under the name that its family gives it.
pub fn strategy(name: String, mode: Mode, options: Options) -> GraphStrategy<BitVectors, Z3Integers> {
    let info = StrategyInfo {
        name,
        backend: "graph-bitvector",
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: mode.summary().to_owned() + &options.summary(),
        source: "the string-graph study, figure 3.15 and table 3.2",
    };
    GraphStrategy::new(info, options, BitVectors { mode }, Z3Integers)
}

/// Makes solvers on Z3's bit-vectors.
#[derive(Clone, Copy, Debug, Default)]
pub struct BitVectors {
    /// How edges are handed over.
    pub mode: Mode,
}

impl FixedSolvers for BitVectors {
    fn solver<'a>(
        &'a self,
        graph: &'a StringGraph,
        order: &'a [EdgeId],
        budget: &'a Budget,
    ) -> Result<Box<dyn FixedSolver + 'a>, BackendError> {
        Ok(Box::new(BitVectorSolver::new(self.mode, graph, order, budget)))
    }
}

struct BitVectorSolver<'a> {
    mode: Mode,
    graph: &'a StringGraph,
    order: &'a [EdgeId],
    budget: &'a Budget,
    /// Bits of a character: enough for the alphabet and for every constant.
    width: u32,
    /// Whether a constant has characters that the alphabet does not have.
    foreign: bool,
    languages: Derivatives,
    context: OwnContext,
}

/// What a check said.
enum Seen {
    Sat,
    Unsat,
    Unknown(String),
}

impl<'a> BitVectorSolver<'a> {
    fn new(mode: Mode, graph: &'a StringGraph, order: &'a [EdgeId], budget: &'a Budget) -> Self {
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
            context: OwnContext::shared(),
        }
    }

    /// A word of the guessed length for each vertex.
    fn words(&self, guess: &Guess<'_>) -> Vec<Word> {
        let vertices = self.graph.string_vertices();
        vertices
            .map(|vertex| match self.graph.word(vertex) {
                Some(word) => Word::Known(word.clone()),
                None => Word::variable(&format!("s{}", vertex.index()), guess.length(vertex), self.width),
            })
            .collect()
    }

    /// That the vertex has the graph's characters only.
    ///
    /// A result may have characters of a constant that the alphabet does not have; its edge says which, so then only declared
    /// variables are restricted.
    fn restriction(&self, vertex: StringVertex, word: &Word) -> Fact {
        let declared = matches!(self.graph.string(vertex), StringKind::Declared(_));
        if matches!(word, Word::Known(_)) || (self.foreign && !declared) {
            return Fact::YES;
        }
        let last = Char(u32::MAX >> (32 - self.width));
        let characters: &CharSet = self.graph.characters();
        // The bits of `unicode` reach further than its characters, so even the whole alphabet is a restriction there.
        if *characters == CharSet::range(Char(0), last) {
            return Fact::YES;
        }
        Fact::all(word.letters().map(|letter| is_in(&letter, characters)))
    }

    fn search(&mut self, guess: &Guess<'_>, probe: &Probe) -> Result<FixedAnswer, BackendError> {
        let words = self.words(guess);
        let facts = probe.phase("translate", || self.translate(guess, &words))?;
        probe.count("edges_translated", facts.len() as u64);
        if let Some((edge, _)) = facts.iter().find(|(_, fact)| fact.is_no()) {
            probe.count("refuted_by_lengths", 1);
            return Ok(FixedAnswer::Unsat(Refutation::touching(self.graph, [*edge])));
        }
        let solver = new_solver(self.budget);
        for (vertex, word) in self.graph.string_vertices().zip(&words) {
            match self.restriction(vertex, word) {
                Fact::Known(true) => {}
                Fact::Known(false) => {
                    // No character at all is allowed, and the vertex has some: its length alone is wrong.
                    let ints = self.graph.length_of(vertex).into_iter().collect();
                    return Ok(FixedAnswer::Unsat(Refutation { ints, ..Refutation::default() }));
                }
                Fact::Open(term) => solver.assert(term),
            }
        }
        let open = facts.into_iter().filter_map(|(edge, fact)| match fact {
            Fact::Open(term) => Some((edge, term)),
            Fact::Known(_) => None,
        });
        let open: Vec<(EdgeId, Bool)> = open.collect();
        let seen = match self.mode {
            Mode::EdgeByEdge => self.one_by_one(&solver, &open, probe)?,
            Mode::All => self.at_once(&solver, &open, probe)?,
            Mode::Core => self.with_core(&solver, &open, probe)?,
        };
        Ok(match seen {
            Ok(model) => match self.values(&model, &words) {
                Some(words) => FixedAnswer::Sat(words),
                None => FixedAnswer::Unknown("Z3 gave no value for a bit-vector".to_owned()),
            },
            Err(answer) => answer,
        })
    }

    fn translate(&mut self, guess: &Guess<'_>, words: &[Word]) -> Result<Vec<(EdgeId, Fact)>, BackendError> {
        let (graph, budget) = (self.graph, self.budget);
        let mut recipes = Recipes { graph, guess: *guess, words, languages: &mut self.languages, budget };
        self.order.iter().map(|&id| Ok((id, recipes.edge(graph.edge(id))?))).collect()
    }

    fn check(&self, solver: &Solver, assumptions: &[Bool], probe: &Probe) -> Result<Seen, Stop> {
        self.budget.look()?;
        probe.count("solver_calls", 1);
        let result = probe.phase("check", || match assumptions {
            [] => solver.check(),
            some => solver.check_assumptions(some),
        });
        Ok(match result {
            SatResult::Unsat => Seen::Unsat,
            SatResult::Sat => Seen::Sat,
            SatResult::Unknown => {
                self.budget.look()?;
                let reason = solver.get_reason_unknown();
                Seen::Unknown(format!("Z3: {}", reason.unwrap_or_else(|| "no reason".to_owned())))
            }
        })
    }

    /// Figure 3.15.
    fn one_by_one(
        &self,
        solver: &Solver,
        edges: &[(EdgeId, Bool)],
        probe: &Probe,
    ) -> Result<Result<Model, FixedAnswer>, Stop> {
        if edges.is_empty() {
            return self.at_once(solver, &[], probe);
        }
        for (i, (_, fact)) in edges.iter().enumerate() {
            solver.push();
            solver.assert(fact);
            match self.check(solver, &[], probe)? {
                Seen::Sat => {}
                Seen::Unsat => return Ok(Err(self.refuted(self.connected(&edges[..=i])))),
                Seen::Unknown(why) => return Ok(Err(FixedAnswer::Unknown(why))),
            }
        }
        Ok(model_of(solver))
    }

    fn at_once(
        &self,
        solver: &Solver,
        edges: &[(EdgeId, Bool)],
        probe: &Probe,
    ) -> Result<Result<Model, FixedAnswer>, Stop> {
        edges.iter().for_each(|(_, fact)| solver.assert(fact));
        Ok(match self.check(solver, &[], probe)? {
            Seen::Sat => model_of(solver),
            Seen::Unsat => Err(self.refuted(edges.iter().map(|(id, _)| *id).collect())),
            Seen::Unknown(why) => Err(FixedAnswer::Unknown(why)),
        })
    }

    fn with_core(
        &self,
        solver: &Solver,
        edges: &[(EdgeId, Bool)],
        probe: &Probe,
    ) -> Result<Result<Model, FixedAnswer>, Stop> {
        let literal = |id: EdgeId| Bool::new_const(format!("e{}", id.index()));
        let assumptions = |ids: &[EdgeId]| ids.iter().map(|&id| literal(id)).collect::<Vec<_>>();
        for (id, fact) in edges {
            solver.assert(literal(*id).implies(fact));
        }
        let mut core: Vec<EdgeId> = edges.iter().map(|(id, _)| *id).collect();
        match self.check(solver, &assumptions(&core), probe)? {
            Seen::Sat => return Ok(model_of(solver)),
            Seen::Unknown(why) => return Ok(Err(FixedAnswer::Unknown(why))),
            Seen::Unsat => keep(&mut core, solver, &literal),
        }
        // Leave out one after the other; what is still unsat without it does not need it.
        let mut at = 0;
        while at < core.len() && core.len() > 1 {
            let mut less = core.clone();
            less.remove(at);
            match self.check(solver, &assumptions(&less), probe)? {
                Seen::Unsat => {
                    keep(&mut less, solver, &literal);
                    // Those before `at` are known to be needed, so they are all still there.
                    core = less;
                }
                Seen::Sat | Seen::Unknown(_) => at += 1,
            }
        }
        probe.count("core_edges", core.len() as u64);
        Ok(Err(self.refuted(core)))
    }

    fn refuted(&self, edges: Vec<EdgeId>) -> FixedAnswer {
        FixedAnswer::Unsat(Refutation::touching(self.graph, edges))
    }

    /// The edges that hang together with the last one.
    fn connected(&self, edges: &[(EdgeId, Bool)]) -> Vec<EdgeId> {
        let variables =
            |id: EdgeId| self.graph.edge(id).relation.strings().filter(|&s| self.graph.word(s).is_none());
        let Some((last, _)) = edges.last() else { return Vec::new() };
        let mut inside = vec![*last];
        let mut touched: HashSet<StringVertex> = variables(*last).collect();
        let mut rest: Vec<EdgeId> = edges.iter().rev().skip(1).map(|(id, _)| *id).collect();
        loop {
            let (near, far): (Vec<EdgeId>, Vec<EdgeId>) =
                rest.into_iter().partition(|&id| variables(id).any(|s| touched.contains(&s)));
            if near.is_empty() {
                return inside;
            }
            touched.extend(near.iter().flat_map(|&id| variables(id)));
            inside.extend(near);
            rest = far;
        }
    }

    /// The words in a model.
    fn values(&self, model: &Model, words: &[Word]) -> Option<Vec<SmtString>> {
        words
            .iter()
            .map(|word| match word {
                Word::Known(word) => Some(word.clone()),
                Word::Open { letters, .. } => letters.iter().map(|bv| value(model, bv)).collect(),
            })
            .collect()
    }
}

/// The model of the last check, which said sat. Asked for once a guess, not after each edge: it costs as much as a check.
fn model_of(solver: &Solver) -> Result<Model, FixedAnswer> {
    solver.get_model().ok_or_else(|| FixedAnswer::Unknown("Z3 says sat but has no model".to_owned()))
}

/// Reduces `core` to those of it that the last refutation used.
fn keep(core: &mut Vec<EdgeId>, solver: &Solver, literal: &impl Fn(EdgeId) -> Bool) {
    let used: HashSet<Bool> = solver.get_unsat_core().into_iter().collect();
    // An empty core would say that nothing needs to be ruled out; the restriction of characters alone has solutions, so
    // there is none, but a wrong one would be a wrong verdict.
    if core.iter().any(|&id| used.contains(&literal(id))) {
        core.retain(|&id| used.contains(&literal(id)));
    }
}

fn value(model: &Model, bv: &BV) -> Option<Char> {
    let code = model.eval(bv, true)?.as_u64()?;
    u32::try_from(code).ok().map(Char)
}

fn new_solver(budget: &Budget) -> Solver {
    let solver = Solver::new_for_logic("QF_BV").unwrap_or_default();
    let mut params = Params::new();
    params.set_bool("ctrl_c", false);
    if let Some(milliseconds) = session::milliseconds(budget) {
        params.set_u32("timeout", milliseconds);
    }
    solver.set_params(&params);
    solver
}

impl FixedSolver for BitVectorSolver<'_> {
    fn solve(&mut self, guess: &Guess<'_>, probe: &Probe) -> Result<FixedAnswer, BackendError> {
        let context = self.context.clone();
        context.inside(|| self.search(guess, probe))
    }
}

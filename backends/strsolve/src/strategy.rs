//! The strategy: a word for each variable of a system, or of a script whose assertions are memberships.
//!
//! Reading and the automata of the languages are preparation (phases `parse`, `build`); determinisation of
//! those that words have to be outside of belongs to the search. Phases of solving: `search`, `validate`.
//! Counters: `states`, the states of products that were found; `backtracks`, `guesses`, `advances`,
//! `remembered` and `subsets`.

use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::{BackendError, Budget, Op, Probe, Run, Stop, Strategy, StrategyInfo, Treatment};
use backends_input::{read_systems, unsupported};
use harness_model::{
    Alphabet, Answer, Outcome, Question, QuestionKind, SmtString, SolutionKind, SystemFormat, SystemSource,
    Verdict, Witness,
};
use harness_systems::{Language, Piece, Relation, System, smtlib};

use crate::acceptor::Acceptor;
use crate::explore::{Manner, Order};
use crate::graph::{FollowGraph, Pick};
use crate::search::{Search, Work};

/// What may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrSolveOptions {
    /// How products are searched.
    pub manner: Manner,
    /// Which variable is next.
    pub pick: Pick,
}

/// Lazy search over algebras of type `A`.
pub struct StrSolve<A> {
    name: String,
    make: fn(Alphabet) -> A,
    options: StrSolveOptions,
}

impl<A> StrSolve<A> {
    /// A strategy of this name. `make` makes a fresh algebra for each question.
    pub const fn new(name: String, make: fn(Alphabet) -> A, options: StrSolveOptions) -> Self {
        Self { name, make, options }
    }
}

impl<A: BooleanAlgebra + 'static> Strategy for StrSolve<A> {
    fn info(&self) -> StrategyInfo {
        let order = match self.options.manner.order {
            Order::Guided => "towards the nearest ends",
            Order::DepthFirst => "depth first",
            Order::BreadthFirst => "breadth first",
        };
        StrategyInfo {
            name: self.name.clone(),
            backend: "strsolve",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: format!("systems by a lazy search with backtracking over {}, {order}", A::NAME),
            source: "Hooimeijer, Decision Procedures for String Constraints, chapter 4",
        }
    }

    /// What a script may have is memberships: `smtlib::of_problem` says which.
    fn operation(&self, _: Op) -> Option<Treatment> {
        None
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let document = match &question.kind {
            QuestionKind::System(source) => match source.solution {
                SolutionKind::Words => read_systems(source, question.alphabet, probe)?,
                SolutionKind::First | SolutionKind::All => {
                    let what = "languages as the solution of a system";
                    return Err(BackendError::Unsupported(what.to_owned()));
                }
            },
            QuestionKind::Script(script) => {
                let source = SystemSource {
                    text: script.text.clone(),
                    format: SystemFormat::Smtlib,
                    queries: script.queries,
                    solution: SolutionKind::Words,
                };
                read_systems(&source, question.alphabet, probe)?
            }
            QuestionKind::Operations(_) => return Err(unsupported(question)),
        };
        A::start(probe);
        let algebra = (self.make)(question.alphabet);
        let mut systems = Vec::with_capacity(document.queries.len());
        for query in document.queries {
            let system = query.system.map_err(BackendError::Unsupported)?;
            systems.push(probe.phase("build", || Ready::new(system, &algebra, budget))?);
        }
        Ok(Box::new(StrSolveRun { algebra, systems, options: self.options, budget }))
    }
}

/// A system with the automata of its languages.
struct Ready<A: BooleanAlgebra> {
    system: System,
    graph: FollowGraph,
    /// One for each path of the graph.
    acceptors: Vec<Rc<Acceptor<A>>>,
}

impl<A: BooleanAlgebra> Ready<A> {
    fn new(system: System, algebra: &A, budget: &Budget) -> Result<Self, Stop> {
        let (mut paths, mut acceptors) = (Vec::new(), Vec::new());
        let mut nodes = system.variables.len();
        let acceptor =
            |language: &Language, relation| Acceptor::new(language, relation, algebra, budget).map(Rc::new);
        for constraint in &system.constraints {
            let mut path = Vec::with_capacity(constraint.pieces.len());
            for piece in &constraint.pieces {
                path.push(match piece {
                    Piece::Variable(variable) => variable.0,
                    Piece::Word(word) => {
                        paths.push(vec![nodes]);
                        acceptors.push(acceptor(&Language::word(word), Relation::In)?);
                        nodes += 1;
                        nodes - 1
                    }
                });
            }
            paths.push(path);
            acceptors.push(acceptor(&constraint.language, constraint.relation)?);
        }
        Ok(Self { graph: FollowGraph::new(nodes, paths), system, acceptors })
    }
}

struct StrSolveRun<'a, A: BooleanAlgebra> {
    algebra: A,
    systems: Vec<Ready<A>>,
    options: StrSolveOptions,
    budget: &'a Budget,
}

impl<A: BooleanAlgebra> Run for StrSolveRun<'_, A> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        self.algebra.forget();
        let before = self.algebra.counters();
        let mut answers = Vec::with_capacity(self.systems.len());
        for (place, system) in self.systems.iter().enumerate() {
            let answer = match self.answer(system, probe) {
                Ok(answer) => answer,
                Err(error) => error.into_answer()?,
            };
            probe.answered(place, &answer);
            answers.push(answer);
        }
        for (name, value) in self.algebra.counters() {
            if name.ends_with("_nodes") {
                probe.peak(name, value);
            } else {
                let earlier = before.iter().find(|(known, _)| *known == name).map_or(0, |&(_, value)| value);
                probe.count(name, value.saturating_sub(earlier));
            }
        }
        Ok(Outcome { answers })
    }
}

impl<A: BooleanAlgebra> StrSolveRun<'_, A> {
    fn answer(&self, ready: &Ready<A>, probe: &Probe) -> Result<Answer, BackendError> {
        let Ready { system, graph, acceptors } = ready;
        let acceptors: Vec<Rc<Acceptor<A>>> = acceptors.iter().map(Acceptor::fresh).collect();
        let (found, work) = probe.phase("search", || self.search(graph, &acceptors))?;
        probe.count("states", work.visited);
        probe.count("backtracks", work.backtracks);
        probe.count("guesses", work.guesses);
        probe.count("advances", work.advances);
        probe.count("remembered", work.remembered);
        probe.count("subsets", acceptors.iter().map(|acceptor| acceptor.subsets() as u64).sum());
        let Some(mut words) = found else { return Ok(Answer::of(Verdict::Unsat)) };
        probe.phase("validate", || self.validate(graph, &acceptors, &words))?;
        words.truncate(system.variables.len());
        Ok(Answer::proved(Verdict::Sat, Witness::Model(smtlib::model(system, &words))))
    }

    /// Words for all nodes, and what was done.
    fn search(
        &self,
        graph: &FollowGraph,
        acceptors: &[Rc<Acceptor<A>>],
    ) -> Result<(Option<Vec<SmtString>>, Work), BackendError> {
        // A constraint of no pieces is about the empty word; one without words refutes the system at once.
        let closed = |(path, acceptor): (&Vec<usize>, &Rc<Acceptor<A>>)| {
            acceptor.is_empty() || path.is_empty() && !acceptor.is_final(acceptor.initial())
        };
        if graph.paths.iter().zip(acceptors).any(closed) {
            return Ok((None, Work::default()));
        }
        let mut search = Search::new(graph, acceptors, self.options.manner, &self.algebra, self.budget);
        let mut words = vec![SmtString::empty(); graph.occurrences.len()];
        for group in graph.order(self.options.pick) {
            let Some(found) = search.run(&group)? else { return Ok((None, search.work)) };
            for (node, word) in group.into_iter().zip(found) {
                words[node] = word;
            }
        }
        Ok((Some(words), search.work))
    }

    /// That the words satisfy every constraint, whatever the search says.
    fn validate(
        &self,
        graph: &FollowGraph,
        acceptors: &[Rc<Acceptor<A>>],
        words: &[SmtString],
    ) -> Result<(), BackendError> {
        for (path, acceptor) in graph.paths.iter().zip(acceptors) {
            let whole: SmtString = path.iter().flat_map(|&node| words[node].chars()).copied().collect();
            if !acceptor.accepts(&whole, &self.algebra, self.budget)? {
                return Err(BackendError::Internal("the words found are no solution".to_owned()));
            }
        }
        Ok(())
    }
}

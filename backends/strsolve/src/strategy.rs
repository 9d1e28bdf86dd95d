//! The strategy: a word for each variable of a system, or of a script whose atoms are memberships; or a
//! word of several grammars, which are bounded to a system of one variable (phase `bound`, of solving).
//!
//! Reading and the automata of the languages are preparation (phases `parse`, `build`); determinisation of
//! those that words have to be outside of belongs to the search. Phases of solving: `search`, `validate`.
//! Counters: `states`, the states of products that were found; `backtracks`, `guesses`, `advances`,
//! `remembered` and `subsets`.

use backends_algebra::BooleanAlgebra;
use backends_api::{BackendError, Budget, Op, Probe, Run, Strategy, StrategyInfo, Treatment};
use backends_input::{Grammars, read_grammars, read_script, read_systems, unsupported};
use harness_model::{
    Alphabet, Answer, Outcome, Question, QuestionKind, SolutionKind, SystemSource, Verdict, Witness,
};
use harness_systems::{System, smtlib};
use harness_theory::{Position, Problem};

use crate::boolean;
use crate::explore::{Manner, Order};
use crate::graph::Pick;
use crate::solver::{Ready, Solver};

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

    /// The atoms of a script have to be memberships: `smtlib::of_problem` says which.
    fn operation(&self, _: Op) -> Option<Treatment> {
        None
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let alphabet = question.alphabet;
        let asked = match &question.kind {
            QuestionKind::System(source) => of_systems(source, alphabet, probe)?,
            QuestionKind::Script(source) => {
                let script = read_script(source, alphabet, |_| false, probe)?;
                script.queries.into_iter().map(|query| of_problem(query.problem, alphabet)).collect()
            }
            QuestionKind::Grammars(source) => {
                vec![Asked::Grammars(read_grammars(source, alphabet, probe)?)]
            }
            QuestionKind::Operations(_) => return Err(unsupported(question)),
        };
        A::start(probe);
        let algebra = (self.make)(alphabet);
        let mut queries = Vec::with_capacity(asked.len());
        for asked in asked {
            queries.push(match asked {
                Asked::System(system) => {
                    Asked::System(probe.phase("build", || Ready::new(system, &algebra, budget))?)
                }
                Asked::Problem(problem) => Asked::Problem(problem),
                Asked::Grammars(grammars) => Asked::Grammars(grammars),
            });
        }
        Ok(Box::new(StrSolveRun { algebra, alphabet, queries, options: self.options, budget }))
    }
}

/// A query.
enum Asked<S> {
    System(S),
    /// A problem with Boolean structure.
    Problem(Problem),
    /// Grammars. They are bounded to a system each time that they are solved: that is a part of the work.
    Grammars(Grammars),
}

fn of_systems(
    source: &SystemSource,
    alphabet: Alphabet,
    probe: &Probe,
) -> Result<Vec<Asked<System>>, BackendError> {
    match source.solution {
        SolutionKind::Words => {}
        SolutionKind::First | SolutionKind::All => {
            return Err(BackendError::Unsupported("languages as the solution of a system".to_owned()));
        }
    }
    let queries = read_systems(source, alphabet, probe)?.queries;
    let systems = queries.into_iter().map(|query| query.system.map(Asked::System));
    systems.collect::<Result<_, _>>().map_err(BackendError::Unsupported)
}

fn of_problem(problem: Problem, alphabet: Alphabet) -> Asked<System> {
    // Where an assertion is written is only for messages, which nobody sees.
    match smtlib::of_problem(&problem, alphabet, &|_| Position::at(&[], 0)) {
        Ok(system) => Asked::System(system),
        Err(_) => Asked::Problem(problem),
    }
}

struct StrSolveRun<'a, A: BooleanAlgebra> {
    algebra: A,
    alphabet: Alphabet,
    queries: Vec<Asked<Ready<A>>>,
    options: StrSolveOptions,
    budget: &'a Budget,
}

impl<A: BooleanAlgebra> Run for StrSolveRun<'_, A> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        self.algebra.forget();
        let before = self.algebra.counters();
        let mut answers = Vec::with_capacity(self.queries.len());
        for (place, asked) in self.queries.iter().enumerate() {
            let answer = match self.answer(asked, probe) {
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
    fn answer(&self, asked: &Asked<Ready<A>>, probe: &Probe) -> Result<Answer, BackendError> {
        let solver = Solver { algebra: &self.algebra, options: self.options, budget: self.budget };
        let ready = match asked {
            Asked::System(ready) => ready,
            Asked::Problem(problem) => return boolean::answer(&solver, problem, self.alphabet, probe),
            Asked::Grammars(grammars) => {
                let system = grammars.bounded(probe)?;
                let ready = probe.phase("build", || Ready::new(system, &self.algebra, self.budget))?;
                let word = solver.words(&ready, probe)?.and_then(|mut words| words.pop());
                return Ok(word.map_or_else(Answer::empty, Answer::word));
            }
        };
        let Some(words) = solver.words(ready, probe)? else { return Ok(Answer::of(Verdict::Unsat)) };
        Ok(Answer::proved(Verdict::Sat, Witness::Model(smtlib::model(&ready.system, &words))))
    }
}

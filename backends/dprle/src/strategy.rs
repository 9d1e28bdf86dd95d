//! The strategy: from a question to assignments of languages, or to words of the first one.
//!
//! Reading the system and making its automata is preparation. Phases: `parse`, `build`; `reduce`, `gci`,
//! `maximise`, `witness`. Counters: `states` and `moves` of all products, `groups`, `candidates` (ways to cut
//! a piece that were tried) and `solutions`.

use backends_algebra::BooleanAlgebra;
use backends_api::{BackendError, Budget, Op, Probe, Run, Stop, Strategy, StrategyInfo, Treatment};
use backends_automata::{accepts, shortest_word};
use backends_input::systems_of;
use harness_model::{
    Alphabet, Answer, Languages, Outcome, Question, SmtString, SolutionKind, Verdict, Witness,
};
use harness_systems::{System, smtlib};

use crate::group::Assignment;
use crate::machine::{Machine, Tools};
use crate::maximise::{has_squares, largest, maximise};
use crate::solve::{Wanted, solve};
use crate::text::Classes;

/// What may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DprleOptions {
    /// Whether each automaton on the way is minimised.
    pub minimise: bool,
    /// Whether languages that are asked for are made as large as they can be.
    pub maximise: bool,
}

/// Systems by automata over algebras of type `A`.
pub struct Dprle<A> {
    name: String,
    make: fn(Alphabet) -> A,
    options: DprleOptions,
}

impl<A> Dprle<A> {
    /// A strategy of this name. `make` makes a fresh algebra for each question.
    pub const fn new(name: String, make: fn(Alphabet) -> A, options: DprleOptions) -> Self {
        Self { name, make, options }
    }
}

impl<A: BooleanAlgebra + 'static> Strategy for Dprle<A> {
    fn info(&self) -> StrategyInfo {
        let minimised = if self.options.minimise { ", each automaton minimised" } else { "" };
        let published =
            if self.options.maximise { "" } else { "; as published, languages need not be the largest" };
        StrategyInfo {
            name: self.name.clone(),
            backend: "dprle",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: format!(
                "systems by whole automata over {}: all disjunctive solutions{minimised}{published}",
                A::NAME
            ),
            source: "Hooimeijer, Decision Procedures for String Constraints, chapter 2",
        }
    }

    /// It takes systems, whose languages are expressions or automata, and no operation of a script.
    fn operation(&self, _: Op) -> Option<Treatment> {
        None
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let document = systems_of(question, probe)?;
        let solution = question.as_system().map(|source| source.solution).unwrap_or_default();
        A::start(probe);
        let algebra = (self.make)(question.alphabet);
        let mut systems = Vec::with_capacity(document.queries.len());
        for query in document.queries {
            let system = query.system.map_err(BackendError::Unsupported)?;
            let tools = Tools::new(&algebra, budget, false);
            let machine = probe.phase("build", || Machine::new(&system, &tools))?;
            if solution != SolutionKind::Words && self.options.maximise && has_squares(&machine) {
                let what = "largest languages where a concatenation has a variable twice";
                return Err(BackendError::Unsupported(what.to_owned()));
            }
            systems.push((system, machine));
        }
        Ok(Box::new(DprleRun {
            algebra,
            systems,
            solution,
            options: self.options,
            alphabet: question.alphabet,
            budget,
        }))
    }
}

struct DprleRun<'a, A: BooleanAlgebra> {
    algebra: A,
    systems: Vec<(System, Machine<A>)>,
    solution: SolutionKind,
    options: DprleOptions,
    alphabet: Alphabet,
    budget: &'a Budget,
}

impl<A: BooleanAlgebra> Run for DprleRun<'_, A> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        self.algebra.forget();
        let before = self.algebra.counters();
        let tools = Tools::new(&self.algebra, self.budget, self.options.minimise);
        let mut answers = Vec::with_capacity(self.systems.len());
        for (place, (system, machine)) in self.systems.iter().enumerate() {
            let answer = match self.answer(system, machine, &tools, probe) {
                Ok(answer) => answer,
                Err(error) => error.into_answer()?,
            };
            probe.answered(place, &answer);
            answers.push(answer);
        }
        let tally = *tools.tally.borrow();
        probe.count("states", tally.states);
        probe.count("moves", tally.moves);
        probe.count("subsets", tally.subsets);
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

impl<A: BooleanAlgebra> DprleRun<'_, A> {
    fn answer(
        &self,
        system: &System,
        machine: &Machine<A>,
        tools: &Tools<'_, A>,
        probe: &Probe,
    ) -> Result<Answer, BackendError> {
        let wanted = match self.solution {
            SolutionKind::Words | SolutionKind::First => Wanted::One,
            SolutionKind::All => Wanted::All,
        };
        let mut found = solve(machine, wanted, tools, probe)?;
        if found.is_empty() {
            return Ok(Answer::of(Verdict::Unsat));
        }
        match self.solution {
            SolutionKind::Words => {
                let words = probe.phase("witness", || self.words(machine, &found[0], tools))?;
                let model = smtlib::model(system, &words);
                return Ok(Answer::proved(Verdict::Sat, Witness::Model(model)));
            }
            SolutionKind::First | SolutionKind::All if self.options.maximise => {
                found = probe.phase("maximise", || {
                    let grown: Result<Vec<_>, Stop> =
                        found.into_iter().map(|one| maximise(machine, one, tools)).collect();
                    largest(machine.variables, grown?, tools)
                })?;
            }
            SolutionKind::First | SolutionKind::All => {}
        }
        probe.count("solutions", found.len() as u64);
        let classes = Classes::of(system, self.alphabet);
        let texts = |one: &Assignment<A>| {
            let named = system.variables.iter().zip(one);
            named.map(|(name, language)| Ok((name.clone(), classes.text(&self.algebra, language)?))).collect()
        };
        let all: Result<Vec<Languages>, Stop> = probe.phase("witness", || found.iter().map(texts).collect());
        Ok(Answer::proved(Verdict::Sat, Witness::Languages(all?)))
    }

    /// A shortest word of each variable's language. All combinations of words are solutions; that these are
    /// one is looked at all the same.
    fn words(
        &self,
        machine: &Machine<A>,
        assignment: &Assignment<A>,
        tools: &Tools<'_, A>,
    ) -> Result<Vec<SmtString>, BackendError> {
        let mut words = Vec::with_capacity(assignment.len());
        for language in assignment {
            let word = shortest_word(tools.algebra, language, tools.budget)?;
            words.push(word.ok_or_else(|| BackendError::Internal("a language without words".to_owned()))?);
        }
        for inclusion in &machine.inclusions {
            let whole: SmtString =
                inclusion.nodes.iter().flat_map(|&node| words[node].chars()).copied().collect();
            if !accepts(tools.algebra, &inclusion.right, &whole, tools.budget)? {
                return Err(BackendError::Internal("the words found are no solution".to_owned()));
            }
        }
        words.truncate(machine.variables);
        Ok(words)
    }
}

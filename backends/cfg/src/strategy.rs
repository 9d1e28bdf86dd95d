//! The strategy: words of each length in turn.
//!
//! Reading is preparation (phase `parse`). Phases of solving: `encode`, the normal forms and the clauses;
//! `solving`, the SAT solver (`solve` is what the worker calls the whole); `validate`. Counters: `variables`,
//! `literals`, `checks`.

use backends_api::{BackendError, Budget, Op, Probe, Run, Strategy, StrategyInfo, Treatment};
use backends_input::{Grammars, grammars_of};
use harness_grammar::NormalForm;
use harness_model::{Answer, Outcome, Question, SmtString};

use crate::invariants::Invariants;
use crate::parse::derives;

/// Bounded problems of grammars on a SAT solver.
pub struct Cfg {
    name: String,
    step: usize,
}

impl Cfg {
    /// A strategy of this name, which asks for so many lengths at once.
    pub const fn new(name: String, step: usize) -> Self {
        Self { name, step }
    }
}

impl Strategy for Cfg {
    fn info(&self) -> StrategyInfo {
        StrategyInfo {
            name: self.name.clone(),
            backend: "cfg",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary:
                "words of several context-free grammars, one length after the other, as clauses on batsat"
                    .to_owned(),
            source: "Axelsson, Heljanko, Lange, Analyzing Context-Free Grammars Using an Incremental SAT Solver",
        }
    }

    fn operation(&self, _: Op) -> Option<Treatment> {
        None
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let asked = grammars_of(question, probe)?;
        Ok(Box::new(CfgRun { asked, step: self.step.max(1), budget }))
    }
}

struct CfgRun<'a> {
    asked: Grammars,
    step: usize,
    budget: &'a Budget,
}

impl Run for CfgRun<'_> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        let answer = self.answer(probe).or_else(BackendError::into_answer)?;
        probe.answered(0, &answer);
        Ok(Outcome { answers: vec![answer] })
    }
}

impl CfgRun<'_> {
    fn answer(&self, probe: &Probe) -> Result<Answer, BackendError> {
        let Grammars { grammars, shortest, longest } = &self.asked;
        let normals: Vec<NormalForm> =
            probe.phase("encode", || grammars.iter().map(|(_, grammar)| NormalForm::of(grammar)).collect());
        let mut invariants = probe.phase("encode", || Invariants::new(&normals, *longest));
        let found = self.search(*shortest, *longest, &mut invariants, probe);
        probe.count("variables", invariants.variables());
        probe.count("literals", invariants.literals);
        let Some(word) = found? else { return Ok(Answer::empty()) };
        let is_in = probe.phase("validate", || {
            normals.iter().try_fold(true, |all, normal| Ok(all && derives(normal, &word, self.budget)?))
        });
        match is_in {
            Ok(true) => Ok(Answer::word(word)),
            Ok(false) => Err(BackendError::Internal("a grammar does not derive the word found".to_owned())),
            Err(stop) => Err(BackendError::Stopped(stop)),
        }
    }

    fn search(
        &self,
        shortest: usize,
        longest: usize,
        invariants: &mut Invariants<'_>,
        probe: &Probe,
    ) -> Result<Option<SmtString>, BackendError> {
        let mut next = shortest;
        while next <= longest {
            self.budget.look()?;
            let last = longest.min(next + self.step - 1);
            let possible: Vec<usize> =
                (next..=last).filter(|&length| invariants.is_possible(length)).collect();
            next = last + 1;
            if possible.first() == Some(&0) {
                return Ok(Some(SmtString::empty()));
            }
            if possible.is_empty() {
                continue;
            }
            let wholes = probe.phase("encode", || {
                let whole = |&length: &usize| Ok((length, invariants.whole(length, self.budget)?));
                possible.iter().map(whole).collect::<Result<Vec<_>, BackendError>>()
            })?;
            probe.count("checks", 1);
            let found = probe.phase("solving", || invariants.word(&wholes, self.budget))?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

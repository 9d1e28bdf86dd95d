//! The strategy: one length after the other, unrolled and handed to a solver of bit-vectors. Of several
//! grammars each is unrolled as it is (phase `bound`, of solving, makes their tables).
//!
//! Reading is preparation (phase `parse`), as is the graph of languages (`build`). Phases of solving are
//! those of the study's figures 4.6 and 4.7: `encode`, the unrolling and the assertions; `solving`, the
//! solver's checks (`solve` is what the worker calls the whole); `other`, all else but `validate`, the check
//! of the answer. Counters: `lengths`, those for which anything was unrolled; `checks`; `subproblems`.

use std::time::{Duration, Instant};

use backends_api::{BackendError, Budget, Op, Probe, Run, Strategy, StrategyInfo, Treatment};
use backends_bitvector::{
    BitVectorAnswer, BitVectorSession, BitVectorSolver, BitVectorSolvers, BitVectorTerms,
};
use backends_input::{Grammars, read_grammars, read_systems, unsupported};
use harness_model::{
    Alphabet, Answer, Char, Outcome, Question, QuestionKind, SmtString, SolutionKind, Verdict, Witness,
};
use harness_systems::hampi::Part;
use harness_systems::smtlib;

use crate::encode::{Cell, Encoder, Formula};
use crate::language::Languages;
use crate::question::{Claim, Ready, Tried};

/// Hampi on a solver of bit-vectors.
pub struct Hampi<B> {
    name: String,
    bitvectors: B,
    tried: Tried,
}

impl<B> Hampi<B> {
    /// A strategy of this name, which tries these lengths where a question sets no bound.
    pub const fn new(name: String, bitvectors: B, tried: Tried) -> Self {
        Self { name, bitvectors, tried }
    }
}

impl<B: BitVectorSolvers> Strategy for Hampi<B> {
    fn info(&self) -> StrategyInfo {
        StrategyInfo {
            name: self.name.clone(),
            backend: "hampi",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: format!(
                "systems of one variable, one length after the other, as bit-vectors on {}",
                self.bitvectors.name()
            ),
            source: "Kiezun, Ganesh, Guo, Hooimeijer, Ernst, HAMPI: A Solver for String Constraints",
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
        let document = match &question.kind {
            QuestionKind::System(source) => match source.solution {
                SolutionKind::Words => read_systems(source, question.alphabet, probe)?,
                SolutionKind::First | SolutionKind::All => {
                    let what = "languages as the solution of a system";
                    return Err(BackendError::Unsupported(what.to_owned()));
                }
            },
            QuestionKind::Grammars(source) => {
                return Ok(Box::new(HampiRun {
                    bitvectors: &self.bitvectors,
                    ready: Vec::new(),
                    grammars: Some(read_grammars(source, question.alphabet, probe)?),
                    alphabet: question.alphabet,
                    budget,
                }));
            }
            QuestionKind::Operations(_) | QuestionKind::Script(_) => return Err(unsupported(question)),
        };
        let ready = probe.phase("build", || Ready::all(&document, question.alphabet, &self.tried))?;
        Ok(Box::new(HampiRun {
            bitvectors: &self.bitvectors,
            ready,
            grammars: None,
            alphabet: question.alphabet,
            budget,
        }))
    }
}

struct HampiRun<'a, B> {
    bitvectors: &'a B,
    ready: Vec<Ready>,
    /// Which are made ready each time that they are solved: that is a part of the work.
    grammars: Option<Grammars>,
    alphabet: Alphabet,
    budget: &'a Budget,
}

impl<B: BitVectorSolvers> Run for HampiRun<'_, B> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        self.bitvectors.start(probe);
        let mut answers = Vec::with_capacity(self.ready.len());
        if let Some(grammars) = &self.grammars {
            let answer = self.word(grammars, probe).or_else(BackendError::into_answer)?;
            probe.answered(0, &answer);
            answers.push(answer);
        }
        for (place, ready) in self.ready.iter().enumerate() {
            let answer = self.system(ready, probe).or_else(BackendError::into_answer)?;
            probe.answered(place, &answer);
            answers.push(answer);
        }
        Ok(Outcome { answers })
    }
}

impl<B: BitVectorSolvers> HampiRun<'_, B> {
    /// A word of all grammars.
    fn word(&self, grammars: &Grammars, probe: &Probe) -> Result<Answer, BackendError> {
        let ready = probe.phase("bound", || Ready::of_grammars(grammars))?;
        Ok(match self.search(&ready, probe)? {
            Found::Value(word) => Answer::word(word),
            Found::Nothing => Answer::empty(),
            Found::Unknown(why) => Answer::unknown(why),
        })
    }

    /// Words for the variables of a system.
    fn system(&self, ready: &Ready, probe: &Probe) -> Result<Answer, BackendError> {
        Ok(match self.search(ready, probe)? {
            Found::Value(value) => {
                let model = smtlib::model(&ready.system, &ready.words(&value));
                Answer::proved(Verdict::Sat, Witness::Model(model))
            }
            Found::Unknown(why) => Answer::unknown(why),
            Found::Nothing if ready.is_whole => Answer::of(Verdict::Unsat),
            Found::Nothing => {
                let (least, most) = (ready.lengths.start(), ready.lengths.end());
                let reason = format!("no value of {least} to {most} characters");
                Answer { reason: Some(reason), ..Answer::of(Verdict::UnsatWithinBound) }
            }
        })
    }

    /// All lengths, with what is neither encoding nor solving as a phase.
    fn search(&self, ready: &Ready, probe: &Probe) -> Result<Found, BackendError> {
        let named = || -> Duration {
            ["encode", "solving", "validate"].into_iter().map(|phase| probe.time_of(phase)).sum()
        };
        let (begun, before) = (Instant::now(), named());
        let mut search = Search {
            ready,
            // Unrolling adds nodes, which another run must not find.
            languages: ready.languages.clone(),
            alphabet: self.alphabet,
            budget: self.budget,
            probe,
        };
        let found = self.bitvectors.session().enter(|terms| search.all(terms));
        let own = named().saturating_sub(before);
        probe.add_time("other", begun.elapsed().saturating_sub(own));
        found
    }
}

struct Search<'s> {
    ready: &'s Ready,
    languages: Languages,
    alphabet: Alphabet,
    budget: &'s Budget,
    probe: &'s Probe,
}

impl Search<'_> {
    /// One length after the other.
    fn all<T: BitVectorTerms>(&mut self, terms: &T) -> Result<Found, BackendError> {
        let mut gave_up = None;
        for length in self.ready.lengths.clone() {
            self.budget.look()?;
            match self.length(terms, length as usize)? {
                Found::Nothing => {}
                Found::Unknown(why) => gave_up = Some(format!("{why} (for length {length})")),
                Found::Value(value) => {
                    self.probe.phase("validate", || self.validate(terms, &value))?;
                    return Ok(Found::Value(value));
                }
            }
        }
        Ok(gave_up.map_or(Found::Nothing, Found::Unknown))
    }

    fn length<T: BitVectorTerms>(&mut self, terms: &T, length: usize) -> Result<Found, BackendError> {
        let claims = &self.ready.claims;
        let mut encoder = Encoder::new(terms, &mut self.languages, self.alphabet, length, self.budget);
        let asserted = self.probe.phase("encode", || {
            let Some(mut formulas) = formulas(&mut encoder, claims, |parts| Ready::cells(parts, length))?
            else {
                return Ok(None);
            };
            formulas.extend(encoder.legal());
            let mut solver = terms.solver();
            formulas.iter().for_each(|formula| solver.assert(formula));
            Ok::<_, BackendError>(Some(solver))
        });
        self.probe.count("subproblems", encoder.subproblems);
        self.probe.count("lengths", 1);
        let Some(mut solver) = asserted? else { return Ok(Found::Nothing) };
        self.probe.count("checks", 1);
        match self.probe.phase("solving", || solver.check(&[], self.budget)) {
            BitVectorAnswer::Unsat => Ok(Found::Nothing),
            BitVectorAnswer::Unknown(why) => {
                self.budget.look()?;
                Ok(Found::Unknown(why))
            }
            BitVectorAnswer::Sat => {
                let mut value = Vec::with_capacity(length);
                for letter in encoder.letters() {
                    let code = solver.value(letter).and_then(|code| u32::try_from(code).ok());
                    let lost = || BackendError::Internal("the solver has no model".to_owned());
                    value.push(Char(code.ok_or_else(lost)?));
                }
                Ok(Found::Value(SmtString::from(value)))
            }
        }
    }

    /// That the value is a solution, whatever the solver says: everything is unrolled for its characters.
    fn validate<T: BitVectorTerms>(&mut self, terms: &T, value: &SmtString) -> Result<(), BackendError> {
        let claims = &self.ready.claims;
        let mut encoder = Encoder::new(terms, &mut self.languages, self.alphabet, 0, self.budget);
        let letters = |parts: &[Part]| {
            let cells = Ready::cells(parts, value.len())?;
            let letter = |cell| match cell {
                Cell::Place(place) => Cell::Letter(value.chars()[place]),
                Cell::Letter(_) => cell,
            };
            Some(cells.into_iter().map(letter).collect())
        };
        match formulas(&mut encoder, claims, letters)? {
            Some(left) if left.is_empty() => Ok(()),
            Some(_) | None => Err(BackendError::Internal("the word found is no solution".to_owned())),
        }
    }
}

enum Found {
    Nothing,
    Value(SmtString),
    Unknown(String),
}

/// What has to hold; `None` where something cannot.
fn formulas<T: BitVectorTerms>(
    encoder: &mut Encoder<'_, T>,
    claims: &[(Vec<Part>, bool, Claim)],
    cells: impl Fn(&[Part]) -> Option<Vec<Cell>>,
) -> Result<Option<Vec<T::Bool>>, BackendError> {
    let mut formulas = Vec::with_capacity(claims.len());
    for (parts, negated, claim) in claims {
        let Some(own) = cells(parts) else { return Ok(None) };
        let formula = match claim {
            Claim::In(node) => encoder.unroll(*node, &own)?,
            Claim::Same(other) => {
                let Some(other) = cells(other) else { return Ok(None) };
                encoder.same(&own, &other)
            }
        };
        match if *negated { encoder.not(formula) } else { formula } {
            Formula::True => {}
            Formula::False => return Ok(None),
            Formula::Is(formula) => formulas.push(formula),
        }
    }
    Ok(Some(formulas))
}

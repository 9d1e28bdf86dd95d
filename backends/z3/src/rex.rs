//! The family `rex`: a word in some automata and not in others, by acceptance predicates that Z3 is given
//! as far as it needs them.
//!
//! It takes operations on expressions, and systems of one variable whose constraints are about that variable
//! alone. Reading and the automata are preparation (phases `parse`, `build`); phases of solving: `unroll`,
//! which has Z3's checks among its work, and `validate`. Counters: `predicates`, `checks`; `depth`, a peak.

use backends_algebra::{BooleanAlgebra, RangeAlgebra};
use backends_api::{
    BackendError, Budget, Family, FamilySpec, Op, OptionSpec, Options, Probe, Run, Stop, Strategy,
    StrategyInfo, Treatment,
};
use backends_automata::{construct, eliminate, trim};
use backends_bitvector::{BitVectorSession, BitVectorSolvers};
use backends_input::{Expressions, expressions, read_systems, unsupported};
use harness_model::{
    Alphabet, Answer, OperationKind, Outcome, Question, QuestionKind, Regex, SmtString, SolutionKind,
    Verdict, Witness,
};
use harness_systems::{Piece, Relation, System, smtlib};

use crate::acceptance::{Found, Predicate, Unrolling};
use crate::bitvectors::Z3BitVectors;

/// How far words are looked for.
const DEPTH: u32 = 256;

/// Acceptance predicates in Z3.
pub struct RexFamily {
    spec: FamilySpec,
}

impl RexFamily {
    /// The family.
    pub fn new() -> Self {
        let options = vec![OptionSpec::integer(
            "depth",
            DEPTH,
            1,
            100_000,
            "the longest word that is looked for; without one, and without a proof, the answer is unknown",
        )];
        let summary = "automata as acceptance predicates that Z3 unrolls";
        Self { spec: FamilySpec::new("rex", summary, options).preset("rex", &[]) }
    }
}

impl Default for RexFamily {
    fn default() -> Self {
        Self::new()
    }
}

impl Family for RexFamily {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        Box::new(Rex { name: self.spec.name(options), depth: options.number("depth") })
    }
}

struct Rex {
    name: String,
    depth: usize,
}

impl Strategy for Rex {
    fn info(&self) -> StrategyInfo {
        StrategyInfo {
            name: self.name.clone(),
            backend: "z3",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: "expressions and systems of one variable by acceptance predicates of automata in Z3"
                .to_owned(),
            source: "Veanes, de Halleux, Tillmann, Rex: Symbolic Regular Expression Explorer",
        }
    }

    fn operation(&self, op: Op) -> Option<Treatment> {
        // Refutations that need words of every length are not found.
        expressions::treatment(op).map(|_| Treatment::Weakened)
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let alphabet = question.alphabet;
        let algebra = RangeAlgebra::new(alphabet);
        let build = |parts: &[(&Regex, bool)]| -> Result<Vec<Predicate>, BackendError> {
            let one = |&(regex, negated): &(&Regex, bool)| {
                Ok(Predicate {
                    automaton: trim(
                        &eliminate(&algebra, &construct(&algebra, regex, budget)?, budget)?,
                        budget,
                    )?,
                    negated,
                })
            };
            parts.iter().map(one).collect::<Result<_, Stop>>().map_err(BackendError::Stopped)
        };
        let mut asked = Vec::new();
        match &question.kind {
            QuestionKind::Operations(operations) => {
                let read = Expressions::read(alphabet, operations, probe)?;
                for operation in read.operations() {
                    let [left, right] = [operation.left, operation.right].map(|place| &read.regexes()[place]);
                    let parts = [(left, false), (right, operation.kind == OperationKind::Difference)];
                    asked.push(Asked { predicates: probe.phase("build", || build(&parts))?, system: None });
                }
            }
            QuestionKind::System(source) => {
                if source.solution != SolutionKind::Words {
                    let what = "languages as the solution of a system";
                    return Err(BackendError::Unsupported(what.to_owned()));
                }
                for query in read_systems(source, alphabet, probe)?.queries {
                    let system = query.system.map_err(BackendError::Unsupported)?;
                    let predicates = probe.phase("build", || of_system(&system, &build))?;
                    asked.push(Asked { predicates, system: Some(system) });
                }
            }
            QuestionKind::Script(_) | QuestionKind::Grammars(_) => return Err(unsupported(question)),
        }
        Ok(Box::new(RexRun { asked, alphabet, algebra, depth: self.depth, budget }))
    }
}

/// Makes predicates of expressions, each with whether its words are excluded.
type Build<'b> = dyn Fn(&[(&Regex, bool)]) -> Result<Vec<Predicate>, BackendError> + 'b;

/// The predicates of a system of one variable.
fn of_system(system: &System, build: &Build<'_>) -> Result<Vec<Predicate>, BackendError> {
    if let [first, second, ..] = system.variables.as_slice() {
        return Err(BackendError::Unsupported(format!(
            "a system of {} variables ('{first}' and '{second}' among them): Rex has one",
            system.variables.len()
        )));
    }
    let mut predicates = Vec::with_capacity(system.constraints.len());
    for constraint in &system.constraints {
        if !matches!(constraint.pieces.as_slice(), [Piece::Variable(_)]) {
            let line = constraint.position.line;
            return Err(BackendError::Unsupported(format!("the concatenation of line {line}: Rex has none")));
        }
        let regex =
            constraint.language.regex().map_err(|error| BackendError::Unsupported(error.to_string()))?;
        predicates.extend(build(&[(&regex, constraint.relation == Relation::NotIn)])?);
    }
    Ok(predicates)
}

/// A question made ready.
struct Asked {
    predicates: Vec<Predicate>,
    /// If it is one.
    system: Option<System>,
}

struct RexRun<'a> {
    asked: Vec<Asked>,
    alphabet: Alphabet,
    algebra: RangeAlgebra,
    depth: usize,
    budget: &'a Budget,
}

impl Run for RexRun<'_> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        Z3BitVectors.start(probe);
        let mut answers = Vec::with_capacity(self.asked.len());
        for (place, asked) in self.asked.iter().enumerate() {
            let answer = self.answer(asked, probe).or_else(BackendError::into_answer)?;
            probe.answered(place, &answer);
            answers.push(answer);
        }
        Ok(Outcome { answers })
    }
}

impl RexRun<'_> {
    fn answer(&self, asked: &Asked, probe: &Probe) -> Result<Answer, BackendError> {
        let found = Z3BitVectors.session().enter(|bits| {
            probe.phase("unroll", || {
                let mut unrolling = Unrolling::new(&asked.predicates, self.alphabet, bits, self.budget);
                let found = unrolling.search(self.depth);
                probe.count("predicates", unrolling.work.predicates);
                probe.count("checks", unrolling.work.checks);
                probe.peak("depth", unrolling.work.depth);
                found
            })
        })?;
        Ok(match (found, &asked.system) {
            (Found::Word(word), system) => {
                if !probe.phase("validate", || self.accepts(&asked.predicates, &word))? {
                    return Err(BackendError::Internal("the word found is no solution".to_owned()));
                }
                match system {
                    None => Answer::word(word),
                    Some(system) => {
                        let words = vec![word; system.variables.len()];
                        Answer::proved(Verdict::Sat, Witness::Model(smtlib::model(system, &words)))
                    }
                }
            }
            (Found::Nothing, None) => Answer::empty(),
            (Found::Nothing, Some(_)) => Answer::of(Verdict::Unsat),
            (Found::Beyond, _) => Answer::unknown(format!(
                "no word of up to {} characters, and no proof that there is no longer one",
                self.depth
            )),
            (Found::Unknown(why), _) => Answer::unknown(why),
        })
    }

    /// Whether a word is as all predicates say, by the automata.
    fn accepts(&self, predicates: &[Predicate], word: &SmtString) -> Result<bool, Stop> {
        for Predicate { automaton, negated } in predicates {
            let mut now = vec![automaton.initial()];
            for &c in word.chars() {
                let mut next = Vec::new();
                for state in now {
                    for step in automaton.moves_from(state) {
                        self.budget.tick()?;
                        if self.algebra.contains(automaton.label(step.label), c)? {
                            next.push(step.target);
                        }
                    }
                }
                next.sort_unstable();
                next.dedup();
                now = next;
            }
            if now.into_iter().any(|state| automaton.is_final(state)) == *negated {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

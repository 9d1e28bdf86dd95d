//! The strategy `brute-force` and its bounds.

use backends_api::{BackendError, Budget, Probe, Run, Strategy, StrategyInfo, Taken, Treatment};
use backends_input::script_of;
use harness_check::eval::EvalError;
use harness_check::model::ModelVerdict;
use harness_model::{Alphabet, Answer, Outcome, Question, Verdict, Witness};
use harness_smtlib::model;
use harness_theory::Assignment;
use harness_theory::Op;
use harness_theory::lower::{Definition, unfold};
use harness_theory::{Problem, Script};

use crate::characters::characters;
use crate::domain::{Named, Outline};
use crate::plan::{Plan, components};
use crate::problem::{Parts, members};
use crate::ranges::{languages, ranges};
use crate::search::{SearchResult, search};

/// How far to try where a problem sets no limit of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The longest word.
    pub length: u32,
    /// The least integer.
    pub low: i64,
    /// The greatest integer.
    pub high: i64,
    /// The most values of one variable; a problem that needs more is `unknown`.
    pub values: u64,
}

impl Bounds {
    /// Words of up to four characters, integers from -2 to 6.
    pub const DEFAULT: Self = Self { length: 4, low: -2, high: 6, values: 300_000 };
}

impl Default for Bounds {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Tries assignments, short words first, with the trusted evaluator as the judge of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BruteForce {
    name: String,
    bounds: Bounds,
}

impl BruteForce {
    /// With these bounds.
    pub fn new(bounds: Bounds) -> Self {
        Self::named("brute-force".to_owned(), bounds)
    }

    /// With these bounds, under the name that its family gives it.
    pub(crate) const fn named(name: String, bounds: Bounds) -> Self {
        Self { name, bounds }
    }
}

impl Default for BruteForce {
    fn default() -> Self {
        Self::new(Bounds::DEFAULT)
    }
}

/// Java's operations that are searched as they stand: those that have no short term in SMT-LIB's functions.
pub(crate) const fn native(op: Op) -> bool {
    match op {
        Op::Java(java) => matches!(java.definition(), Definition::Constraints(_)),
        Op::Core(_) | Op::Arith(_) | Op::Str(_) | Op::Re(_) => true,
    }
}

impl Strategy for BruteForce {
    fn info(&self) -> StrategyInfo {
        let Bounds { length, low, high, .. } = self.bounds;
        StrategyInfo {
            name: self.name.clone(),
            backend: "bounded",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: format!(
                "every assignment of words of up to {length} characters and integers from {low} to {high}, each \
                 evaluated; the reference of differential runs"
            ),
            source: "none: enumeration over the SMT-LIB theory of strings, as the evaluator has it",
        }
    }

    /// Within its bounds the evaluator decides whatever can be tried.
    fn operation(&self, op: Op) -> Option<Treatment> {
        let take = |problem: &Problem| {
            let unfolded = unfold(problem, Alphabet::Ascii, native);
            match Parts::of(unfolded.as_ref().unwrap_or(problem), Alphabet::Ascii) {
                Ok(_) => Taken::Exactly,
                Err(_) => Taken::NotAtAll,
            }
        };
        Some(Treatment::of(op, !native(op), take))
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let script = script_of(question, native, probe)?;
        Ok(Box::new(BruteForceRun { bounds: self.bounds, script, alphabet: question.alphabet, budget }))
    }
}

struct BruteForceRun<'a> {
    bounds: Bounds,
    script: Script,
    alphabet: Alphabet,
    budget: &'a Budget,
}

impl Run for BruteForceRun<'_> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        let answers = self.script.queries.iter().enumerate().map(|(place, query)| {
            let answer = self.decide(&query.problem, probe).or_else(BackendError::into_answer);
            answer.inspect(|answer| probe.answered(place, answer))
        });
        Ok(Outcome { answers: answers.collect::<Result<_, _>>()? })
    }
}

impl BruteForceRun<'_> {
    fn decide(&self, problem: &Problem, probe: &Probe) -> Result<Answer, BackendError> {
        let parts = Parts::of(problem, self.alphabet)?;
        let languages = languages(&parts);
        let (ranges, characters) = (ranges(&parts, &languages), characters(&parts, &languages));
        let named = Named::of(&parts);
        let outline = |p: usize| Outline::new(parts.sort(p), ranges[p], &characters[p], &named, &self.bounds);
        let outlines: Vec<Outline> = (0..parts.variables.len()).map(outline).collect();

        let mut plans: Vec<Plan> = components(&parts)
            .into_iter()
            .map(|(set, conjuncts)| Plan::new(&parts, set, &conjuncts, &outlines))
            .collect();
        // A small component may settle the problem before a large one is searched, or given up.
        plans.sort_by_key(|plan| {
            let counts =
                members(plan.base).map(|p| outlines[p].count.map_or(64, |count| count.max(1).ilog2()));
            counts.sum::<u32>()
        });
        let filters = |place: usize| {
            parts.conjuncts.iter().copied().filter(|&c| parts.set(c) == 1 << place).collect::<Vec<_>>()
        };
        let mut whole = Assignment::new();
        let mut bounded = false;
        let mut doubts: Option<EvalError> = None;
        for plan in &plans {
            if let Some(large) = members(plan.base).find(|&p| outlines[p].count.is_none()) {
                let reason = outlines[large].excess(parts.name(large), &self.bounds);
                return Ok(Answer::unknown(reason));
            }
            match search(&parts, plan, &outlines, filters, self.budget, probe)? {
                SearchResult::Model(assignment) => whole.extend(assignment),
                SearchResult::Nothing { complete: true, doubt: None } => {
                    return Ok(Answer::of(Verdict::Unsat));
                }
                SearchResult::Nothing { doubt: None, .. } => bounded = true,
                SearchResult::Nothing { doubt: Some(doubt), .. } => doubts = Some(doubt),
            }
        }
        if bounded {
            let Bounds { length, low, high, .. } = self.bounds;
            let reason = format!(
                "where the problem sets no narrower limit, only words of up to {length} characters and integers from \
                 {low} to {high} or next to a literal were tried"
            );
            return Ok(Answer { reason: Some(reason), ..Answer::of(Verdict::UnsatWithinBound) });
        }
        if let Some(doubt) = doubts {
            return Ok(Answer::unknown(doubt.to_string()));
        }
        match harness_check::model::check(problem, &whole, self.alphabet) {
            ModelVerdict::Holds => {}
            ModelVerdict::Unvalidated(why) => return Ok(Answer::unknown(why)),
            other => {
                return Err(BackendError::Internal(format!(
                    "a model was found that does not hold: {other:?}"
                )));
            }
        }
        Ok(Answer::proved(Verdict::Sat, Witness::Model(model::text(problem, &whole))))
    }
}

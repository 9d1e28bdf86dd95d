//! The strategy `z3`: the whole question given to Z3's own theory of sequences, in process.
//!
//! The reference that every other strategy is held against. Of a script, each query is a question by itself,
//! in a context by itself. Java's operations are lowered first ([`harness_theory::lower`]). Of operations on
//! expressions, a product is a string in both languages, a difference one in the left and not in the right.
//!
//! No verdict `sat` leaves without a model under which our own meanings make every assertion true. Z3 has its
//! own reading of some functions (`str.replace_re`, for one) and models that leave open what the standard
//! leaves open (division by zero): then the answer is `unknown`, and the counter `bad_models` says how often.
//! `unsat` is taken as Z3 says it.
//!
//! Phases: `parse`, `lower`, `start_z3`, `encode`, `check` (Z3 itself), `validate`. Counters: `terms`,
//! `string_variables`, `bad_models`, `z3_rlimit` (Z3's own measure of work, the same on every machine).

use backends_api::{BackendError, Budget, Probe, Run, Strategy, StrategyInfo, Taken, Treatment};
use backends_fold::{Failure, Limits, OwnCheck, check, matches};
use backends_input::{Expressions, script_of};
use harness_model::{
    Alphabet, Answer, OperationKind, Outcome, Question, QuestionKind, Regex, Verdict, Witness,
};
use harness_smtlib::model;
use harness_theory::sort::Sort;
use harness_theory::term::Term;
use harness_theory::{Assignment, Value};
use harness_theory::{Op, Problem, lower};
use z3::ast::Bool;
use z3::{Solver, StatisticsValue};

use crate::context::{self, OwnContext};
use crate::raw::{self, Function, Refusal};
use crate::session::{self, CheckResult};
use crate::{encode, languages};

/// Z3's theory of sequences as a strategy, named `z3`.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeStrategy;

impl Strategy for NativeStrategy {
    fn info(&self) -> StrategyInfo {
        StrategyInfo {
            name: "z3".to_owned(),
            backend: "z3",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: "the whole problem in Z3's own theory of strings".to_owned(),
            source: "Z3, theory of sequences and regular expressions",
        }
    }

    fn operation(&self, op: Op) -> Option<Treatment> {
        let take = |problem: &Problem| {
            if has_own_reading(&lower::lower(problem, Alphabet::Ascii, |_| false)) {
                Taken::Roughly
            } else {
                Taken::Exactly
            }
        };
        Some(Treatment::of(op, op.is_java(), take))
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let alphabet = question.alphabet;
        Ok(match &question.kind {
            QuestionKind::Script(_) | QuestionKind::System(_) => {
                let script = script_of(question, |_| false, probe)?;
                let queries = probe.phase("lower", || {
                    script
                        .queries
                        .into_iter()
                        .map(|query| PreparedQuery::new(query.problem, alphabet))
                        .collect()
                });
                Box::new(ScriptRun { queries, alphabet, budget })
            }
            QuestionKind::Grammars(_) => return Err(backends_input::unsupported(question)),
            QuestionKind::Operations(asked) => {
                Box::new(OperationsRun { asked: Expressions::read(alphabet, asked, probe)?, budget })
            }
        })
    }
}

/// A problem as asked and as Z3 gets it.
struct PreparedQuery {
    problem: Problem,
    /// Without Java's operations, where there are any.
    lowered: Option<Problem>,
}

impl PreparedQuery {
    fn new(problem: Problem, alphabet: Alphabet) -> Self {
        let lowered = lower::has_other_than(&problem, |_| false)
            .then(|| lower::with_fresh_variables(&problem, alphabet, |_| false));
        Self { problem, lowered }
    }
}

struct ScriptRun<'a> {
    queries: Vec<PreparedQuery>,
    alphabet: Alphabet,
    budget: &'a Budget,
}

impl Run for ScriptRun<'_> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        let mut answers = Vec::with_capacity(self.queries.len());
        for (place, PreparedQuery { problem, lowered }) in self.queries.iter().enumerate() {
            let given = lowered.as_ref().unwrap_or(problem);
            let own = problem.terms.variables().len();
            let answer = match ask(given, own, self.alphabet, self.budget, probe)? {
                SolverResult::Unsat if has_own_reading(given) => Answer::unknown(
                    "Z3 says unsat, but str.replace_re and str.replace_re_all may mean something else to it"
                        .to_owned(),
                ),
                SolverResult::Unsat => Answer::of(Verdict::Unsat),
                SolverResult::Unknown(reason) => Answer::unknown(reason),
                SolverResult::Model(assignment) => {
                    probe.phase("validate", || match check(problem, &assignment, self.alphabet) {
                        OwnCheck::Holds => {
                            Answer::proved(Verdict::Sat, Witness::Model(model::text(problem, &assignment)))
                        }
                        OwnCheck::Fails(assertion) => {
                            probe.count("bad_models", 1);
                            Answer::unknown(format!(
                                "Z3 says sat, but assertion {assertion} is false in its model"
                            ))
                        }
                        OwnCheck::Unknown(why) => {
                            probe.count("bad_models", 1);
                            Answer::unknown(format!("Z3 says sat, but its model cannot be checked: {why}"))
                        }
                    })
                }
            };
            probe.answered(place, &answer);
            answers.push(answer);
        }
        Ok(Outcome { answers })
    }
}

/// Whether a function is in the problem that may mean something else to Z3 than to the standard.
fn has_own_reading(problem: &Problem) -> bool {
    problem.terms.cone(&problem.assertions).iter().any(|&id| match problem.terms.get(id) {
        Term::App(op, _) => encode::has_own_reading(*op),
        Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::String(_) => false,
    })
}

/// What Z3 says of a problem; the model is not checked yet.
#[derive(Debug)]
pub enum SolverResult {
    /// A model, of all variables that the assertions mention.
    Model(Assignment),
    /// There is none.
    Unsat,
    /// It gave up, and why.
    Unknown(String),
}

/// Asks Z3 whether `problem` has a model over `alphabet`, in a context of its own. Nothing is lowered and the
/// model is not checked: strategies and tests do that. Java's operations and variables of sort `RegLan` are
/// unsupported.
pub fn solve(
    problem: &Problem,
    alphabet: Alphabet,
    budget: &Budget,
    probe: &Probe,
) -> Result<SolverResult, BackendError> {
    ask(problem, problem.terms.variables().len(), alphabet, budget, probe)
}

/// As [`solve`], when the variables from `computed` on are helpers of a lowering.
fn ask(
    problem: &Problem,
    computed: usize,
    alphabet: Alphabet,
    budget: &Budget,
    probe: &Probe,
) -> Result<SolverResult, BackendError> {
    context::start(probe);
    OwnContext::new().inside(|| {
        let (solver, encoding) = probe.phase("encode", || {
            let encoding = encode::encode(&problem.terms, &problem.assertions, computed, alphabet, budget)?;
            let solver = session::solver(None);
            encoding.side.iter().for_each(|fact| solver.assert(fact));
            for &assertion in &problem.assertions {
                budget.tick()?;
                solver.assert(encoding.bool(assertion)?);
            }
            probe.count("terms", encoding.len() as u64);
            Ok::<_, BackendError>((solver, encoding))
        })?;
        let sort_of =
            |variable: harness_theory::term::VarId| problem.terms.variables()[variable.index()].sort;
        let strings = encoding.variables.iter().filter(|(v, _)| sort_of(*v) == Sort::String).count();
        probe.count("string_variables", strings as u64);
        let checked = probe.phase("check", || session::check(&solver, budget));
        count_work(&solver, probe);
        Ok(match checked? {
            CheckResult::Unsat => SolverResult::Unsat,
            CheckResult::Unknown(reason) => SolverResult::Unknown(format!("Z3: {reason}")),
            CheckResult::Sat(model) => {
                let mut assignment = Assignment::new();
                for (variable, constant) in &encoding.variables {
                    match session::value(&model, constant, sort_of(*variable)) {
                        Some(value) => assignment.insert(*variable, value),
                        None => {
                            return Ok(SolverResult::Unknown("Z3 says sat, but gives no values".to_owned()));
                        }
                    };
                }
                SolverResult::Model(assignment)
            }
        })
    })
}

/// Z3's measure of its own work.
fn count_work(solver: &Solver, probe: &Probe) {
    if let Some(StatisticsValue::UInt(work)) = solver.get_statistics().value("rlimit count") {
        probe.count("z3_rlimit", u64::from(work));
    }
}

struct OperationsRun<'a> {
    asked: Expressions,
    budget: &'a Budget,
}

impl Run for OperationsRun<'_> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        let answers = self.asked.operations().iter().map(|operation| {
            let (left, right) =
                (&self.asked.regexes()[operation.left], &self.asked.regexes()[operation.right]);
            self.word(operation.kind, left, right, probe)
        });
        Ok(Outcome { answers: answers.collect::<Result<_, _>>()? })
    }
}

impl OperationsRun<'_> {
    fn word(
        &self,
        kind: OperationKind,
        left: &Regex,
        right: &Regex,
        probe: &Probe,
    ) -> Result<Answer, BackendError> {
        let (alphabet, budget) = (self.asked.alphabet(), self.budget);
        context::start(probe);
        OwnContext::new().inside(|| {
            let word = raw::constant(0, &z3::Sort::string());
            let solver = session::solver(None);
            probe.phase("encode", || {
                encode::over(alphabet, &word)?.iter().for_each(|fact| solver.assert(fact));
                solver.assert(&is_in(&word, left, alphabet, budget)?);
                let right = is_in(&word, right, alphabet, budget)?;
                solver.assert(&if kind == OperationKind::Product { right } else { right.not() });
                Ok::<_, BackendError>(())
            })?;
            let checked = probe.phase("check", || session::check(&solver, budget));
            count_work(&solver, probe);
            let model = match checked? {
                CheckResult::Unsat => return Ok(Answer::empty()),
                CheckResult::Unknown(reason) => return Ok(Answer::unknown(format!("Z3: {reason}"))),
                CheckResult::Sat(model) => model,
            };
            let Some(Value::String(found)) = session::value(&model, &word, Sort::String) else {
                return Ok(Answer::unknown("Z3 says sat, but gives no word".to_owned()));
            };
            let right_one = probe.phase("validate", || {
                let is_in = |regex| matches(regex, found.chars(), Limits::default().steps);
                Ok::<_, Failure>(
                    found.foreign_to(alphabet).is_none()
                        && is_in(left)?
                        && is_in(right)? == (kind == OperationKind::Product),
                )
            });
            let wrong = match right_one {
                Ok(true) => return Ok(Answer::word(found)),
                Ok(false) => format!("its word {found:?} is not in the language"),
                Err(why) => format!("its word {found:?} cannot be checked: {why}"),
            };
            probe.count("bad_models", 1);
            Ok(Answer::unknown(format!("Z3 says sat, but {wrong}")))
        })
    }
}

/// That `word` is in the language.
fn is_in(
    word: &z3::ast::Dynamic,
    regex: &Regex,
    alphabet: Alphabet,
    budget: &Budget,
) -> Result<Bool, BackendError> {
    let language = languages::language(regex, alphabet, budget)?;
    let member = raw::apply(Function::IN_RE, &[word, &language])?.as_bool();
    Ok(member.ok_or_else(|| Refusal("membership is no truth value".to_owned()))?)
}

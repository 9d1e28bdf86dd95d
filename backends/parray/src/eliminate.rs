//! Quantifier elimination over index sets: algorithm 1, algorithm 2, and algorithm 2 guided by candidates.
//!
//! `unsat` comes from unquantified constraints that follow from the quantified ones, `sat` from the
//! evaluator. A fixed point at which a candidate still fails is `unknown`: the paper's theorem promises that
//! the constraints are then equisatisfiable for bounded strings, but the solver's model need not be the
//! solution.
//!
//! Source: PASS, section 3.1. The guidance is ours: it is what model-based instantiation does, with the
//! constants of the failed candidate as indices.

use std::time::{Duration, Instant};

use backends_api::{BackendError, Budget, Probe, Stop};
use backends_graph::{Solution, StringVertex, Sum, Values};
use harness_model::Char;
use harness_model::int::Int;
use harness_theory::Value;

use crate::candidate::{Accept, Candidate, MAX_WORD, fillers};
use crate::formula::{Formula, each_cell};
use crate::instantiate::Ground;
use crate::options::{Method, Options};
use crate::problem::{ArrayKind, ArrayProblem};
use crate::solver::{ArrayAnswer, ArraySolver, ArraySolvers};

/// A guided round takes so many failing indices of each constraint.
const GUIDED: usize = 24;

/// When a candidate with words that are longer than this together fails, one with shorter words is asked for.
const SHORT: i64 = 24;
/// When a candidate has a word that is too long, or a model words that nobody could read, one with at most so
/// many characters in all words is asked for.
const LESS_LONG: i64 = 1 << 12;

/// How long a model is made shorter for people to read it.
const SHORTENING: Duration = Duration::from_millis(100);

/// Solves by instantiation. Counters: `rounds`, `index_set_size` (of all arrays together, at the end),
/// `instantiations`, `solver_calls`, `candidates`.
pub(crate) fn eliminate(
    problem: &ArrayProblem,
    options: &Options,
    solvers: &dyn ArraySolvers,
    accept: &mut Accept<'_>,
    budget: &Budget,
    probe: &Probe,
) -> Result<Solution, BackendError> {
    let solver = solvers.solver(false)?;
    let mut work = Work {
        problem,
        options,
        ground: Ground::new(problem, solver),
        fillers: fillers(problem),
        short: short(problem),
        budget,
        probe,
    };
    let solution = match options.method {
        Method::Basic => work.basic(accept),
        _ => work.iterative(accept),
    };
    probe.count("index_set_size", work.ground.sets.len() as u64);
    probe.count("instantiations", work.ground.instances);
    solution
}

struct Work<'a> {
    problem: &'a ArrayProblem,
    options: &'a Options,
    ground: Ground<'a>,
    fillers: Vec<Char>,
    /// How long short words are together, at first.
    short: i64,
    budget: &'a Budget,
    probe: &'a Probe,
}

/// What became of a candidate.
enum Judged {
    Accepted(Values),
    Failed(Candidate),
    TooLong(String),
}

impl Work<'_> {
    /// Algorithm 1.
    fn basic(&mut self, accept: &mut Accept<'_>) -> Result<Solution, BackendError> {
        let mut instances = self.ground.start();
        instances.extend(self.ground.next());
        let mut rounds = 0;
        while !instances.is_empty() {
            rounds += 1;
            self.probe.count("rounds", 1);
            if let Some(limit) = self.limit(rounds) {
                return Ok(Solution::Unknown(limit));
            }
            for instance in instances {
                self.budget.tick()?;
                if instance.assumption != Formula::Bool(true) {
                    self.ground.solver.push();
                    self.ground.solver.assert(&instance.assumption);
                    let answer = self.check();
                    self.ground.solver.pop();
                    if answer? == ArrayAnswer::Unsat {
                        continue;
                    }
                }
                self.ground.add(&instance.assumption.implies(instance.conclusion));
            }
            instances = self.ground.next();
        }
        loop {
            match self.check()? {
                ArrayAnswer::Unsat => return Ok(Solution::Unsat(None)),
                ArrayAnswer::Unknown(why) => return Ok(Solution::Unknown(why)),
                ArrayAnswer::Sat => {}
            }
            match self.judge(accept)? {
                Judged::Accepted(model) => return Ok(Solution::Sat(model)),
                Judged::TooLong(why) => return Ok(Solution::Unknown(why)),
                Judged::Failed(candidate) if candidate.foreign && self.ground.bound_all() => {}
                Judged::Failed(_) => return Ok(Solution::Unknown(self.fixed_point())),
            }
        }
    }

    /// Algorithm 2.
    fn iterative(&mut self, accept: &mut Accept<'_>) -> Result<Solution, BackendError> {
        let mut instances = self.ground.start();
        instances.extend(self.ground.next());
        let mut rounds = 0;
        loop {
            rounds += 1;
            self.probe.count("rounds", 1);
            if let Some(limit) = self.limit(rounds) {
                return Ok(Solution::Unknown(limit));
            }
            for instance in instances {
                self.budget.tick()?;
                self.ground.add(&instance.assumption.implies(instance.conclusion));
            }
            match self.check()? {
                ArrayAnswer::Unsat => return Ok(Solution::Unsat(None)),
                ArrayAnswer::Unknown(why) => return Ok(Solution::Unknown(why)),
                ArrayAnswer::Sat => {}
            }
            let failed = match self.judge(accept)? {
                Judged::Accepted(model) => return Ok(Solution::Sat(model)),
                Judged::TooLong(why) => return Ok(Solution::Unknown(why)),
                Judged::Failed(candidate) => candidate,
            };
            // It may have failed for its characters alone.
            if failed.foreign && self.ground.bound_all() {
                instances = Vec::new();
                continue;
            }
            instances = self.ground.next();
            if self.options.method == Method::Guided {
                for (number, n) in self.failing(&failed) {
                    instances.extend(self.ground.instance(number, &Sum::from(n)));
                }
            }
            if instances.is_empty() {
                return Ok(Solution::Unknown(self.fixed_point()));
            }
        }
    }

    fn limit(&self, rounds: u32) -> Option<String> {
        if rounds > self.options.rounds {
            return Some(format!("the limit of {} rounds", self.options.rounds));
        }
        let most = self.options.indices;
        (self.ground.sets.len() > most).then(|| format!("the limit of {most} indices in index sets"))
    }

    fn fixed_point(&self) -> String {
        failed(self.problem, "no index is left to instantiate, and the candidate is no solution")
    }

    fn check(&mut self) -> Result<ArrayAnswer, Stop> {
        self.probe.count("solver_calls", 1);
        self.ground.solver.check(self.budget)
    }

    /// After a check that found a model: has its candidate judged; one that holds is made short where that is
    /// asked for.
    fn judge(&mut self, accept: &mut Accept<'_>) -> Result<Judged, BackendError> {
        match self.judge_any(accept)? {
            Judged::Accepted(model) if self.options.short_models => {
                Ok(Judged::Accepted(self.short_model(model, accept)))
            }
            judged => Ok(judged),
        }
    }

    /// The shortest model that halving the length of all words finds in the time that there is.
    fn short_model(&mut self, model: Values, accept: &mut Accept<'_>) -> Values {
        let total = total_length(self.problem);
        let mut halving = Halving::new(model, self.short);
        while let Some(bound) = halving.next() {
            // A model there is already, whatever stops the search for a shorter one.
            let found = match self.shorter(&total, bound, accept) {
                Ok(Some(Judged::Accepted(shorter))) => Some(shorter),
                Ok(Some(Judged::Failed(_) | Judged::TooLong(_)) | None) | Err(_) => None,
            };
            halving.found(bound, found);
        }
        halving.best
    }

    /// After a check that found a model: has its candidate judged, and if that fails and has long words, one
    /// with shorter words.
    ///
    /// Nothing keeps words short in the first check, so they may be longer than a candidate's can be. Then
    /// words that are just short enough are asked for first: they are easier to find than short ones.
    fn judge_any(&mut self, accept: &mut Accept<'_>) -> Result<Judged, BackendError> {
        let total = total_length(self.problem);
        let long = self.ground.solver.int(&total);
        let mut judged = self.judge_model(accept)?;
        if let Judged::Accepted(model) = judged {
            // A model it is, whatever stops the search for a shorter one.
            if Int::from(LESS_LONG) < long
                && let Ok(Some(shorter @ Judged::Accepted(_))) = self.shorter(&total, LESS_LONG, accept)
            {
                return Ok(shorter);
            }
            return Ok(Judged::Accepted(model));
        }
        if matches!(judged, Judged::TooLong(_))
            && let Some(shorter) = self.shorter(&total, LESS_LONG, accept)?
        {
            judged = shorter;
        }
        // Where something was said too weakly, a short candidate may fail for that.
        let weak = !self.problem.exact().is_empty();
        let mut bound = self.short;
        while !matches!(judged, Judged::Accepted(_))
            && (Int::from(bound) < long || weak && bound == self.short)
            && bound < MAX_WORD
        {
            if let Some(shorter) = self.shorter(&total, bound, accept)? {
                return Ok(shorter);
            }
            bound *= 4;
        }
        Ok(judged)
    }

    /// The judgement on a candidate whose words have at most `bound` characters together, if one is found
    /// without much effort: one of which everything was said exactly, if there is one.
    fn shorter(
        &mut self,
        total: &Sum,
        bound: i64,
        accept: &mut Accept<'_>,
    ) -> Result<Option<Judged>, BackendError> {
        let short: Formula = total.le(&Sum::from(bound)).widen();
        let exact = Formula::and(self.problem.exact().iter().cloned().chain([short.clone()]));
        let exact = Some(exact).filter(|_| !self.problem.exact().is_empty());
        for wanted in exact.into_iter().chain([short]) {
            self.ground.solver.push();
            self.ground.solver.assert(&wanted);
            self.probe.count("solver_calls", 1);
            let found = self.ground.solver.check_briefly(self.budget)? == ArrayAnswer::Sat;
            let judged = if found { Some(self.judge_model(accept)?) } else { None };
            self.ground.solver.pop();
            if found {
                return Ok(judged);
            }
        }
        Ok(None)
    }

    /// Reads a candidate from the present model and has it judged.
    fn judge_model(&mut self, accept: &mut Accept<'_>) -> Result<Judged, BackendError> {
        self.probe.count("candidates", 1);
        let ground = &mut self.ground;
        let read = Candidate::read(self.problem, &mut *ground.solver, ground.ints, Some(&ground.sets));
        let candidate = match read {
            Ok(candidate) => candidate,
            Err(why) => return Ok(Judged::TooLong(why)),
        };
        Ok(match candidate.accepted(self.problem, &self.fillers, accept)? {
            Some(model) => Judged::Accepted(model),
            None => Judged::Failed(candidate),
        })
    }

    /// The constraints that the candidate violates, and indices at which it does.
    fn failing(&self, candidate: &Candidate) -> Vec<(usize, Int)> {
        let Some(&filler) = self.fillers.first() else { return Vec::new() };
        let value = |v| candidate.int(v);
        let code = |array, index: &Int| candidate.code(self.problem, filler, array, index);
        let mut all = Vec::new();
        for (number, forall) in self.problem.foralls().iter().enumerate() {
            let wrong = forall.violations(GUIDED, MAX_WORD, &value, &code).unwrap_or_default();
            all.extend(wrong.into_iter().map(|n| (number, n)));
        }
        all
    }
}

/// A model, and between which lengths of all its words together a shorter one may be.
struct Halving {
    best: Values,
    /// None is shorter, as far as is known.
    least: i64,
    /// The best one is no longer, as far as can be told from the values of variables.
    most: i64,
    /// What to try before halves, since little is easier to find than half of much.
    first: Option<i64>,
    started: Instant,
}

impl Halving {
    fn new(best: Values, first: i64) -> Self {
        Self { least: 0, most: length(&best), best, first: Some(first), started: Instant::now() }
    }

    /// The bound to try next; `None` when the shortest is found, or the time is over.
    fn next(&mut self) -> Option<i64> {
        if self.least >= self.most || self.started.elapsed() >= SHORTENING {
            return None;
        }
        let half = self.least + (self.most - self.least) / 2;
        Some(self.first.take().map_or(half, |first| first.min(half)))
    }

    /// What was found below `bound`.
    fn found(&mut self, bound: i64, model: Option<Values>) {
        match model {
            Some(model) => {
                self.most = bound;
                self.best = model;
            }
            None => self.least = bound + 1,
        }
    }
}

/// Twice the lengths of a model's words: room for those that are no variables of the problem.
fn length(model: &Values) -> i64 {
    let lengths = model.iter().flatten().map(|value| match value {
        Value::String(word) => i64::try_from(word.len()).unwrap_or(MAX_WORD),
        Value::Int(_) | Value::Bool(_) => 0,
    });
    lengths.fold(0, i64::saturating_add).saturating_mul(2)
}

/// Room for each constant once, and a little more.
fn short(problem: &ArrayProblem) -> i64 {
    let constants = problem.arrays().iter().map(|kind| match kind {
        ArrayKind::Constant(word) => i64::try_from(word.len()).unwrap_or(MAX_WORD),
        ArrayKind::Word => 0,
    });
    SHORT.saturating_add(constants.fold(0, i64::saturating_add))
}

/// The lengths of the graph's words together.
pub(crate) fn total_length(problem: &ArrayProblem) -> Sum {
    let arrays = problem.arrays().iter().enumerate();
    arrays
        .filter(|(_, kind)| **kind == ArrayKind::Word)
        .fold(Sum::default(), |sum, (i, _)| sum.add(problem.length(StringVertex::at(i))))
}

/// Solves with the quantifiers left to the solver. Counters: `solver_calls`, `candidates`.
pub(crate) fn quantified(
    problem: &ArrayProblem,
    options: &Options,
    solvers: &dyn ArraySolvers,
    accept: &mut Accept<'_>,
    budget: &Budget,
    probe: &Probe,
) -> Result<Solution, BackendError> {
    let mut solver = solvers.solver(true)?;
    tell_all(problem, &mut *solver);
    for forall in problem.foralls() {
        solver.assert_forall(forall);
    }
    let (fillers, total) = (fillers(problem), total_length(problem));
    let mut bound = short(problem);
    probe.count("solver_calls", 1);
    let mut answer = solver.check(budget)?;
    let (mut why, mut opened) = (String::new(), false);
    loop {
        match answer {
            // Refuted without a bound only: the bounded checks below are not asked for a refutation.
            ArrayAnswer::Unsat if why.is_empty() => return Ok(Solution::Unsat(None)),
            ArrayAnswer::Unknown(reason) if why.is_empty() => return Ok(Solution::Unknown(reason)),
            ArrayAnswer::Unsat | ArrayAnswer::Unknown(_) => {}
            ArrayAnswer::Sat => {
                probe.count("candidates", 1);
                let long = Int::from(LESS_LONG) < solver.int(&total);
                why = match Candidate::read(problem, &mut *solver, problem.ints(), None) {
                    Err(why) => why,
                    Ok(candidate) => match candidate.accepted(problem, &fillers, accept)? {
                        Some(model) if long => {
                            // A model it is, whatever stops the search for a shorter one.
                            probe.count("solver_calls", 1);
                            solver.assert(&total.le(&Sum::from(LESS_LONG)).widen());
                            let shorter = solver.check_briefly(budget) == Ok(ArrayAnswer::Sat);
                            let shorter =
                                shorter.then(|| Candidate::read(problem, &mut *solver, problem.ints(), None));
                            let shorter = shorter.and_then(Result::ok);
                            let shorter = shorter.map(|shorter| shorter.accepted(problem, &fillers, accept));
                            return Ok(Solution::Sat(
                                shorter.and_then(Result::ok).flatten().unwrap_or(model),
                            ));
                        }
                        Some(model) => {
                            let mut halving = Halving::new(model, short(problem));
                            while let Some(bound) = halving.next().filter(|_| options.short_models) {
                                solver.push();
                                solver.assert(&total.le(&Sum::from(bound)).widen());
                                let found = solver.check_briefly(budget) == Ok(ArrayAnswer::Sat);
                                let found = found
                                    .then(|| Candidate::read(problem, &mut *solver, problem.ints(), None));
                                let found = found.and_then(Result::ok);
                                let found =
                                    found.and_then(|one| one.accepted(problem, &fillers, accept).ok());
                                solver.pop();
                                halving.found(bound, found.flatten());
                            }
                            return Ok(Solution::Sat(halving.best));
                        }
                        None => failed(problem, "the solver's model is no solution"),
                    },
                };
            }
        }
        if std::mem::take(&mut opened) {
            solver.pop();
        }
        // A model with shorter words.
        if bound >= MAX_WORD {
            return Ok(Solution::Unknown(why));
        }
        probe.count("solver_calls", 1);
        solver.push();
        solver.assert(&total.le(&Sum::from(bound)).widen());
        answer = solver.check_briefly(budget)?;
        opened = true;
        bound *= 4;
    }
}

/// Why no candidate fits: what was said too weakly, or else this.
pub(crate) fn failed(problem: &ArrayProblem, otherwise: &str) -> String {
    match problem.weakened() {
        [] => otherwise.to_owned(),
        what => format!("no candidate is a solution; the arrays say too little of {}", what.join(" and ")),
    }
}

/// Tells a solver for quantifiers what is said without them, the characters of constants, and that words are
/// made of characters.
fn tell_all(problem: &ArrayProblem, solver: &mut dyn ArraySolver) {
    for formula in problem.ground() {
        solver.assert(formula);
        each_cell(formula, &mut |cell| solver.assert(&problem.character(cell.array, &cell.index)));
    }
    let mut next = problem.ints();
    for (i, kind) in problem.arrays().iter().enumerate() {
        let array = StringVertex::at(i);
        for fact in problem.facts(array) {
            solver.assert(&fact);
        }
        if *kind == ArrayKind::Word {
            let variable = backends_graph::IntVertex::at(next);
            next += 1;
            let body = crate::formula::Body::Plain(problem.character(array, &Sum::from(variable)));
            let (guard, low, high) = (Formula::Bool(true), Sum::default(), problem.length(array).clone());
            solver.assert_forall(&crate::formula::Forall { variable, guard, low, high, body });
        }
    }
}

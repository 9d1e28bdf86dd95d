//! Concrete lengths first: the method of bit-vector string solvers, on the same encodings.
//!
//! What the constraints say of lengths alone is solved, small lengths first; under these lengths every
//! quantified constraint is written out, and solved; if that fails, the lengths are ruled out and the next
//! are tried. `unsat` when no lengths are left. Nothing is learned from a failure but that these lengths are
//! wrong: that is the weakness which PASS is about, and the counter `length_trials` shows it.
//!
//! Source: PASS, section 2, "Bit-vector based model".

use backends_api::{BackendError, Budget, Probe};
use backends_graph::{IntAnswer, IntFormula, IntVertex, IntegerSolvers, Solution, StringVertex, Sum};
use harness_model::int::Int;

use crate::candidate::{Accept, Candidate, MAX_WORD, fillers};
use crate::eliminate::failed;
use crate::formula::{Body, Cell, Forall, Formula, each_cell, substitute};
use crate::options::Options;
use crate::problem::{ArrayKind, ArrayProblem};
use crate::solver::{ArrayAnswer, ArraySolver, ArraySolvers};

/// Solves by trying lengths. Counters: `length_trials`, `solver_calls`, `candidates`, `instantiations`.
pub(crate) fn concrete(
    problem: &ArrayProblem,
    options: &Options,
    solvers: &dyn ArraySolvers,
    integers: &dyn IntegerSolvers,
    accept: &mut Accept<'_>,
    budget: &Budget,
    probe: &Probe,
) -> Result<Solution, BackendError> {
    let mut lengths: Vec<IntVertex> = Vec::new();
    for (i, kind) in problem.arrays().iter().enumerate() {
        if !matches!(kind, ArrayKind::Constant(_)) {
            let here = problem.length(StringVertex::at(i)).terms().iter().map(|(v, _)| *v);
            lengths.extend(here);
        }
    }
    lengths.sort_unstable();
    lengths.dedup();
    let mut guesses = integers.solver()?;
    for i in 0..problem.ints() {
        guesses.declare(IntVertex::at(i));
    }
    for formula in problem.ground() {
        guesses.assert(&without_cells(formula));
    }
    let mut solver = solvers.solver(false)?;
    for formula in problem.ground() {
        tell(problem, &mut *solver, formula);
    }
    for i in 0..problem.arrays().len() {
        problem.facts(StringVertex::at(i)).iter().for_each(|fact| solver.assert(fact));
    }
    let fillers = fillers(problem);
    for _ in 0..options.trials {
        budget.look()?;
        probe.count("solver_calls", 1);
        let values = match guesses.solve(&lengths, budget)? {
            IntAnswer::Sat(values) => values,
            IntAnswer::Unsat => return Ok(Solution::Unsat(None)),
            IntAnswer::Unknown(why) => return Ok(Solution::Unknown(why)),
        };
        probe.count("length_trials", 1);
        let value = |v: IntVertex| values.get(v).clone();
        let arrays = (0..problem.arrays().len()).map(StringVertex::at);
        let longest = arrays.map(|a| problem.length(a).eval(value)).max().unwrap_or(Int::ZERO);
        let Some(longest) = longest.small().filter(|longest| *longest <= MAX_WORD) else {
            return Ok(Solution::Unknown(format!(
                "a word would have {longest} characters, more than {MAX_WORD}"
            )));
        };
        let at_length = |v: IntVertex| {
            if lengths.binary_search(&v).is_ok() { values.get(v).clone().into() } else { Sum::from(v) }
        };
        solver.push();
        for &length in &lengths {
            solver.assert(&Sum::from(length).eq(&at_length(length)).widen());
        }
        for forall in problem.foralls() {
            for n in 0..=longest {
                budget.tick()?;
                let instance = written(problem, forall, n, longest, &at_length);
                if instance != Formula::Bool(true) {
                    probe.count("instantiations", 1);
                    tell(problem, &mut *solver, &instance);
                }
            }
        }
        probe.count("solver_calls", 1);
        let answer = solver.check(budget)?;
        let found = match answer {
            ArrayAnswer::Unsat => None,
            ArrayAnswer::Unknown(why) => return Ok(Solution::Unknown(why)),
            ArrayAnswer::Sat => {
                probe.count("candidates", 1);
                match Candidate::read(problem, &mut *solver, problem.ints(), None) {
                    Ok(candidate) => Some(candidate),
                    Err(why) => return Ok(Solution::Unknown(why)),
                }
            }
        };
        solver.pop();
        if let Some(candidate) = found {
            return Ok(match candidate.accepted(problem, &fillers, accept)? {
                Some(model) => Solution::Sat(model),
                None => Solution::Unknown(failed(problem, "the solver's model is no solution")),
            });
        }
        guesses
            .assert(&IntFormula::or(lengths.iter().map(|&v| Sum::from(v).ne(&values.get(v).clone().into()))));
    }
    Ok(Solution::Unknown(format!("the limit of {} guesses of lengths", options.trials)))
}

/// Asserts a formula, and that the words' cells in it are characters.
fn tell(problem: &ArrayProblem, solver: &mut dyn ArraySolver, formula: &Formula) {
    solver.assert(formula);
    each_cell(formula, &mut |cell| {
        let character = problem.character(cell.array, &cell.index);
        if character != Formula::Bool(true) {
            solver.assert(&character);
        }
    });
}

/// What the formula says of integers alone: weaker, for a comparison of characters may be true.
fn without_cells(formula: &Formula) -> IntFormula {
    match formula {
        Formula::Bool(b) => IntFormula::Bool(*b),
        Formula::Atom(term, comparison) if term.cells().is_empty() => {
            IntFormula::atom(term.sum().clone(), *comparison)
        }
        Formula::Atom(..) => IntFormula::Bool(true),
        Formula::And(parts) => IntFormula::and(parts.iter().map(without_cells)),
        Formula::Or(parts) => IntFormula::or(parts.iter().map(without_cells)),
    }
}

/// The constraint for `n`, when no word is longer than `longest` and the lengths are known.
fn written(
    problem: &ArrayProblem,
    forall: &Forall,
    n: i64,
    longest: i64,
    at_length: &impl Fn(IntVertex) -> Sum,
) -> Formula {
    let known = |cell: &Cell| problem.known(cell);
    let put = |v: IntVertex| if v == forall.variable { Sum::from(n) } else { at_length(v) };
    let assumption = substitute(&forall.assumption(), &put, &known);
    if assumption == Formula::Bool(false) {
        return Formula::Bool(true);
    }
    let conclusion = match &forall.body {
        Body::Plain(formula) => substitute(formula, &put, &known),
        Body::Exists { variable, low, high, body, .. } => Formula::or((0..=longest).map(|k| {
            let put = |v: IntVertex| if v == *variable { Sum::from(k) } else { put(v) };
            let k = Sum::from(k);
            let inside =
                Formula::and([low.substitute(put).le(&k).widen(), k.lt(&high.substitute(put)).widen()]);
            if inside == Formula::Bool(false) {
                return inside;
            }
            Formula::and([inside, substitute(body, &put, &known)])
        })),
    };
    assumption.implies(conclusion)
}

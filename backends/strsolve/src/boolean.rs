//! Scripts whose assertions have Boolean structure over memberships: the loop that all strategies share
//! ([`backends_boolean::solve`]) proposes conjunctions, each of which is a system.

use std::collections::HashMap;

use backends_algebra::BooleanAlgebra;
use backends_api::{BackendError, Budget, Probe};
use backends_boolean::{Conjunctions, Decision, Unknowns};
use backends_fold::{OwnCheck, check};
use harness_model::{Alphabet, Answer, Verdict, Witness};
use harness_smtlib::model;
use harness_systems::smtlib;
use harness_theory::{Position, Problem, Value};

use crate::solver::{Ready, Solver};

/// Conjunctions as systems.
struct Systems<'s, A> {
    solver: &'s Solver<'s, A>,
    alphabet: Alphabet,
}

impl<A: BooleanAlgebra> Conjunctions for Systems<'_, A> {
    fn decide(
        &mut self,
        problem: &Problem,
        budget: &Budget,
        probe: &Probe,
    ) -> Result<Decision, BackendError> {
        let nowhere = |_| Position::at(&[], 0);
        let system =
            smtlib::of_problem(problem, self.alphabet, &nowhere).map_err(BackendError::Unsupported)?;
        let solver = Solver { budget, ..*self.solver };
        let ready = probe.phase("build", || Ready::new(system, solver.algebra, budget))?;
        let Some(words) = solver.words(&ready, probe)? else { return Ok(Decision::Unsat(None)) };
        // Variables of a system are those of its problem, in their order.
        let values = problem.variables.iter().copied().zip(words.into_iter().map(Value::String));
        Ok(Decision::Sat(values.collect::<HashMap<_, _>>()))
    }
}

/// The answer to a problem that is no system itself. Phases: `boolean`, and for each conjunction `build`,
/// `search`, `validate`.
///
/// # Errors
///
/// [`BackendError::Unsupported`] with what is no membership.
pub(crate) fn answer<A: BooleanAlgebra>(
    solver: &Solver<'_, A>,
    problem: &Problem,
    alphabet: Alphabet,
    probe: &Probe,
) -> Result<Answer, BackendError> {
    let mut systems = Systems { solver, alphabet };
    let decision =
        backends_boolean::solve(problem, alphabet, Unknowns::GoOn, &mut systems, solver.budget, probe)?;
    Ok(match decision {
        Decision::Unsat(_) => Answer::of(Verdict::Unsat),
        Decision::UnsatWithinBound => Answer::of(Verdict::UnsatWithinBound),
        Decision::Unknown(why) => Answer::unknown(why),
        Decision::Sat(values) => match probe.phase("validate", || check(problem, &values, alphabet)) {
            OwnCheck::Holds => Answer::proved(Verdict::Sat, Witness::Model(model::text(problem, &values))),
            OwnCheck::Fails(assertion) => {
                let what = format!("the model does not satisfy assertion {assertion} of the problem");
                return Err(BackendError::Internal(what));
            }
            OwnCheck::Unknown(why) => Answer::unknown(why),
        },
    })
}

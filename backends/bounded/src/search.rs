//! Trying: depth first within a component, longer words only after all shorter ones.
//!
//! A branch that fails tells which of the tried variables its failure depends on; a variable that is not
//! among them is not given another value, for it would fail again (conflict-directed backjumping, Prosser
//! 1993).

use backends_api::{BackendError, Budget, Probe};
use harness_check::eval::{EvalError, Evaluator};
use harness_theory::term::{TermId, VarId};
use harness_theory::{Assignment, Value};

use crate::domain::{Domain, Outline};
use crate::plan::Plan;
use crate::problem::{Parts, Set, members};

/// What became of a component.
#[derive(Debug)]
pub(crate) enum SearchResult {
    /// Values for its variables.
    Model(Assignment),
    /// None among the values tried. With a doubt, some could not be evaluated.
    Nothing { complete: bool, doubt: Option<EvalError> },
}

struct Stage<'p> {
    evaluator: Evaluator<'p>,
    checks: usize,
    computed: Vec<VarId>,
    /// For each check and each computed variable, the tried variables that it depends on.
    supports: Vec<Set>,
}

/// How a branch ended.
enum End {
    Found,
    /// It fails whatever the values of the other variables are.
    Failed(Set),
}

/// A failure that may depend on everything.
const ANY: Set = Set::MAX;

struct Level<'p> {
    /// The variable that is tried, its set, and its values.
    tried: Option<(VarId, Set, Domain)>,
    stages: Vec<Stage<'p>>,
}

struct Search<'p> {
    levels: Vec<Level<'p>>,
    assignment: Assignment,
    budget: &'p Budget,
    doubt: Option<EvalError>,
    tried: u64,
    /// The greatest length of a word in the present pass.
    longest: usize,
    /// The last level that tries words, if any does.
    last_words: usize,
}

/// Searches one component. `filters` gives the conjuncts that are about one variable alone.
pub(crate) fn search(
    parts: &Parts<'_>,
    plan: &Plan,
    outlines: &[Outline],
    filters: impl Fn(usize) -> Vec<TermId>,
    budget: &Budget,
    probe: &Probe,
) -> Result<SearchResult, BackendError> {
    let mut doubt = None;
    let mut levels = Vec::with_capacity(plan.levels.len());
    let mut longest = 0;
    let mut last_words = 0;
    for (depth, level) in plan.levels.iter().enumerate() {
        let tried = match level.tried {
            None => None,
            Some(place) => {
                let variable = parts.variables[place];
                let domain = outlines[place].fill(variable, &filters(place), parts, budget, &mut doubt)?;
                probe.count("values", u64::try_from(domain.values.len()).unwrap_or(u64::MAX));
                if let Some(ends) = &domain.ends {
                    longest = longest.max(ends.len().saturating_sub(1));
                    last_words = depth;
                }
                Some((variable, 1 << place, domain))
            }
        };
        let stages = level.stages.iter().map(|stage| {
            let terms: Vec<TermId> =
                stage.checks.iter().copied().chain(stage.computed.iter().map(|(_, term)| *term)).collect();
            Stage {
                evaluator: Evaluator::new(parts.terms, &terms, parts.alphabet),
                checks: stage.checks.len(),
                computed: stage.computed.iter().map(|(place, _)| parts.variables[*place]).collect(),
                supports: stage.supports.clone(),
            }
        });
        levels.push(Level { tried, stages: stages.collect() });
    }
    let complete = members(plan.base).all(|place| outlines[place].complete);
    let mut search =
        Search { levels, assignment: Assignment::new(), budget, doubt, tried: 0, longest: 0, last_words };
    let mut found = false;
    for pass in 0..=longest {
        search.longest = pass;
        // A pass is about the words that the one before did not reach.
        found = matches!(search.level(0, pass == 0 || last_words == 0)?, End::Found);
        if found || last_words == 0 {
            break;
        }
    }
    probe.count("assignments", search.tried);
    Ok(if found {
        SearchResult::Model(search.assignment)
    } else {
        SearchResult::Nothing { complete, doubt: search.doubt }
    })
}

impl Search<'_> {
    /// Tries the values of the level at `depth` under the present assignment. `fresh`: a word of the pass's
    /// length is already in it. Recursion is as deep as there are variables.
    fn level(&mut self, depth: usize, fresh: bool) -> Result<End, BackendError> {
        if depth == self.levels.len() {
            return Ok(if fresh { End::Found } else { End::Failed(ANY) });
        }
        let Some((variable, own, domain)) = &self.levels[depth].tried else {
            return match self.follow(depth)? {
                Some(conflict) => Ok(End::Failed(conflict)),
                None => self.level(depth + 1, fresh),
            };
        };
        let (variable, own) = (*variable, *own);
        let up_to = |length: usize| match &domain.ends {
            Some(ends) => ends.get(length).or(ends.last()).copied().unwrap_or(0),
            None => domain.values.len(),
        };
        let end = up_to(self.longest);
        // From here on words are new to this pass.
        let new = if domain.ends.is_some() && self.longest > 0 { up_to(self.longest - 1) } else { 0 };
        let must_be_new = !fresh && depth == self.last_words;
        let is_words = domain.ends.is_some();
        // What is not tried because other words are too short depends on those.
        let mut conflict = if must_be_new { ANY } else { 0 };
        for index in (if must_be_new { new } else { 0 })..end {
            self.budget.tick()?;
            self.tried += 1;
            let Some((.., domain)) = &self.levels[depth].tried else { break };
            let value: Value = domain.values[index].clone();
            self.assignment.insert(variable, value);
            let fresh = fresh || (is_words && index >= new);
            match self.follow(depth)? {
                Some(failed) => conflict |= failed,
                None => match self.level(depth + 1, fresh)? {
                    End::Found => return Ok(End::Found),
                    End::Failed(failed) if failed & own == 0 => return Ok(End::Failed(failed)),
                    End::Failed(failed) => conflict |= failed,
                },
            }
        }
        Ok(End::Failed(conflict & !own))
    }

    /// Computes what follows from the values up to `depth`; if that is not true, the variables on which that
    /// depends.
    fn follow(&mut self, depth: usize) -> Result<Option<Set>, BackendError> {
        for stage in &mut self.levels[depth].stages {
            match stage.evaluator.run(&self.assignment) {
                Ok(()) => {}
                // A computed word with a character that the alphabet does not have is no value of a variable.
                Err(EvalError::Foreign { .. }) => return Ok(Some(ANY)),
                Err(error) => return Err(BackendError::Internal(error.to_string())),
            }
            for check in 0..stage.checks {
                match stage.evaluator.bool(check) {
                    Ok(true) => {}
                    Ok(false) => return Ok(Some(stage.supports[check])),
                    Err(error) => {
                        self.doubt.get_or_insert(error);
                        return Ok(Some(stage.supports[check]));
                    }
                }
            }
            for (i, &variable) in stage.computed.iter().enumerate() {
                let place = stage.checks + i;
                match stage.evaluator.value(place) {
                    Ok(Some(value)) => {
                        self.assignment.insert(variable, value);
                    }
                    Ok(None) => return Err(BackendError::Internal("a language is no value".into())),
                    Err(error) => {
                        self.doubt.get_or_insert(error);
                        return Ok(Some(stage.supports[place]));
                    }
                }
            }
        }
        Ok(None)
    }
}

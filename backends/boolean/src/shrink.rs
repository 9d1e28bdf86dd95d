//! Smaller refutations: literals are left out, many at once first, and the strategy is asked again.
//!
//! What is learnt from a refutation excludes more the fewer literals it has; but to ask costs. So a
//! refutation is asked about a bounded number of times, and all these questions together take no longer than
//! the strategy's other answers did, and a little.

use std::time::{Duration, Instant};

use backends_api::{BackendError, Budget};

use crate::search::{Known, Search};
use crate::skeleton::Literal;

/// The most questions about one refutation that the strategy did not explain.
const MOST_TRIALS: usize = 24;
/// The most about one that it did.
const MOST_TRIALS_EXPLAINED: usize = 8;
/// A refutation that the strategy explained by at most so many literals is small.
const FEW: usize = 3;
/// What may be spent where nothing took any time yet.
const AT_LEAST: Duration = Duration::from_millis(100);

/// The time that the strategy took.
#[derive(Debug, Default)]
pub(crate) struct Effort {
    total: Duration,
    trials: Duration,
}

impl Effort {
    /// Runs `work` and counts its time.
    pub(crate) fn timed<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.total += start.elapsed();
        result
    }

    /// How long may be spent on trials yet.
    fn left(&self) -> Duration {
        (self.total.saturating_sub(self.trials) + AT_LEAST).saturating_sub(self.trials)
    }
}

impl Search<'_> {
    /// Some of these literals that are refuted too, given how many literals the strategy was asked about.
    pub(crate) fn shrink(
        &mut self,
        mut core: Vec<Literal>,
        asked: usize,
    ) -> Result<Vec<Literal>, BackendError> {
        let explained = core.len() < asked;
        let mut trials = if explained { MOST_TRIALS_EXPLAINED } else { MOST_TRIALS };
        if core.len() < 2 || explained && core.len() <= FEW {
            return Ok(core);
        }
        let mut size = core.len().div_ceil(2);
        // The literals from here on are not needless yet.
        let mut from = 0;
        loop {
            if from >= core.len() {
                if size == 1 {
                    return Ok(core);
                }
                size = size.div_ceil(2).min(core.len().div_ceil(2)).max(1);
                from = 0;
            }
            let left = self.budget.remaining().map_or(self.effort.left(), |r| r.min(self.effort.left()));
            if trials == 0 || left.is_zero() || core.len() < 2 {
                return Ok(core);
            }
            trials -= 1;
            let to = (from + size).min(core.len());
            let rest: Vec<Literal> = [&core[..from], &core[to..]].concat();
            let budget = self.budget.part(left);
            let refuted = self.refuted(&rest, &budget)?;
            self.budget.go_on_after(&budget);
            match refuted {
                Some(smaller) => {
                    // What stood before stays before.
                    from = core[..from].iter().filter(|literal| smaller.contains(literal)).count();
                    core = smaller;
                }
                None => from = to,
            }
        }
    }

    /// Those of the literals that the strategy refutes, if it does so in time.
    fn refuted(
        &mut self,
        literals: &[Literal],
        budget: &Budget,
    ) -> Result<Option<Vec<Literal>>, BackendError> {
        let start = Instant::now();
        let mut found = None;
        for part in self.parts(literals) {
            let said = match self.known.get(&part) {
                Some(known) => Ok(known.clone()),
                None => {
                    self.probe.count("boolean_trials", 1);
                    self.ask(&part, budget)
                }
            };
            match said {
                Ok(Known::Unsat(core)) => {
                    self.known.insert(part, Known::Unsat(core.clone()));
                    found = Some(core);
                    break;
                }
                Ok(known @ Known::Sat(_)) => {
                    self.known.insert(part, known);
                }
                Ok(Known::UnsatWithinBound | Known::Unknown(_) | Known::Refused(_)) => {}
                // The time of the trial is over; the caller sees whether all is.
                Err(BackendError::Stopped(_)) => break,
                Err(error) => return Err(error),
            }
        }
        self.effort.trials += start.elapsed();
        Ok(found)
    }
}

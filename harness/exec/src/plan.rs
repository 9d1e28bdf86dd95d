//! What is run, and in which order.
//!
//! The order is drawn from the run's seed alone: for every repeat the tasks are shuffled, and within each
//! task the strategies. So the strategies of one task run near one another in time, never all of one and then
//! all of the next, and a drift of the machine (heat, a neighbour) falls on all of them alike. The order does
//! not depend on what an earlier run has done: a resumed run does what is left, in the order it would have
//! had.

use std::collections::HashSet;
use std::sync::Arc;

use harness_model::calibration::CalibrationKind;
use harness_model::limits::Sampling;
use harness_model::record::RunKey;
use harness_model::{Limits, Question, Task};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// One record to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Identifies it in the run.
    pub key: RunKey,
    /// The canonical name of the strategy, by which a worker is asked for it.
    pub strategy: Arc<str>,
    /// The task's family.
    pub family: String,
    /// What the strategy is given; shared between the jobs of a task.
    pub question: Arc<Question>,
    /// What it may use.
    pub limits: Limits,
    /// Whether to repeat it warm.
    pub sampling: Option<Sampling>,
    /// By which program it is made.
    pub build: Build,
}

impl Job {
    /// What it measures of the machine, where it is no record of the plan.
    pub fn calibration(&self) -> Option<CalibrationKind> {
        CalibrationKind::of_request(&self.strategy)
    }
}

/// Which program makes a record, where two are run against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Build {
    /// The one that is looked at.
    #[default]
    This,
    /// The one that it is compared with.
    Other,
}

/// What all jobs of a plan have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanSpec {
    /// Records for each task and strategy; 0 makes an empty plan.
    pub repeats: u32,
    /// Decides the order.
    pub seed: u64,
    /// Of every record.
    pub limits: Limits,
    /// Of every record.
    pub sampling: Option<Sampling>,
}

/// A strategy of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedStrategy {
    /// The name in records.
    pub name: String,
    /// The name by which a worker is asked for it.
    pub canonical: Arc<str>,
}

/// Under its canonical name.
impl From<&str> for PlannedStrategy {
    fn from(name: &str) -> Self {
        Self { name: name.to_owned(), canonical: name.into() }
    }
}

/// Every strategy on every task, `repeats` times, in the order that the seed decides.
///
/// The same arguments give the same order on every machine. Names are taken as they are: that ids and names
/// are unique is for the caller to see to.
pub fn plan(tasks: &[Task], strategies: &[PlannedStrategy], spec: &PlanSpec) -> Vec<Job> {
    let questions: Vec<Arc<Question>> = tasks.iter().map(|task| Arc::new(task.question.clone())).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(spec.seed);
    let mut task_order: Vec<usize> = (0..tasks.len()).collect();
    let mut strategy_order: Vec<usize> = (0..strategies.len()).collect();
    let mut jobs = Vec::new();
    for repeat in 0..spec.repeats {
        shuffle(&mut task_order, &mut rng);
        for &t in &task_order {
            shuffle(&mut strategy_order, &mut rng);
            for &s in &strategy_order {
                let strategy = &strategies[s];
                let key = RunKey { task: tasks[t].id.clone(), strategy: strategy.name.clone(), repeat };
                jobs.push(Job {
                    key,
                    strategy: Arc::clone(&strategy.canonical),
                    family: tasks[t].family.clone(),
                    question: Arc::clone(&questions[t]),
                    limits: spec.limits,
                    sampling: spec.sampling,
                    build: Build::This,
                });
            }
        }
    }
    jobs
}

/// Each job twice, once for each build, side by side in the list (with several workers at once, each on its
/// core), in an order that is drawn anew for each pair: so that neither has the quieter moments, nor the
/// caches that the other has warmed, more often.
pub fn interleaved(jobs: Vec<Job>, seed: u64) -> Vec<Job> {
    // Another stream than that of the order of jobs.
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(1);
    let mut both = Vec::with_capacity(2 * jobs.len());
    for job in jobs {
        let other = Job { build: Build::Other, ..job.clone() };
        let this = Job { build: Build::This, ..job };
        both.extend(if below(2, &mut rng) == 0 { [this, other] } else { [other, this] });
    }
    both
}

/// The jobs of a plan that have no record yet, in the plan's order.
pub fn remaining(jobs: Vec<Job>, done: &HashSet<RunKey>) -> Vec<Job> {
    jobs.into_iter().filter(|job| !done.contains(&job.key)).collect()
}

/// Fisher and Yates, written out: the order must not change when a library changes how it draws.
fn shuffle(items: &mut [usize], rng: &mut ChaCha8Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last as u64 + 1, rng));
    }
}

/// A number below `bound`, which is not 0: the high word of a product. The bias is below `bound / 2^64`.
fn below(bound: u64, rng: &mut ChaCha8Rng) -> usize {
    let wide = u128::from(rng.next_u64()) * u128::from(bound);
    usize::try_from(wide >> 64).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use harness_model::Alphabet;
    use proptest::prelude::*;

    use super::*;

    fn task(id: &str) -> Task {
        let question = Question::of_operations(Alphabet::Ascii, Vec::new(), Vec::new());
        Task { parameters: Default::default(), id: id.into(), family: "f".into(), question, expected: None }
    }

    fn spec(repeats: u32, seed: u64) -> PlanSpec {
        let second = Duration::from_secs(1);
        PlanSpec {
            repeats,
            seed,
            limits: Limits { wall: second, cpu: second, memory: 1 << 30 },
            sampling: None,
        }
    }

    fn names(count: usize, prefix: &str) -> Vec<String> {
        (0..count).map(|n| format!("{prefix}{n}")).collect()
    }

    fn made(tasks: usize, strategies: usize, repeats: u32, seed: u64) -> Vec<Job> {
        let tasks: Vec<Task> = names(tasks, "t").iter().map(|id| task(id)).collect();
        let strategies: Vec<PlannedStrategy> =
            names(strategies, "s").iter().map(|name| name.as_str().into()).collect();
        plan(&tasks, &strategies, &spec(repeats, seed))
    }

    #[test]
    fn the_order_is_fixed_for_ever() {
        // Records of a run that was started by an older build are resumed by a newer one.
        let order: Vec<String> =
            made(3, 2, 1, 1).iter().map(|job| format!("{}{}", job.key.task, job.key.strategy)).collect();
        assert_eq!(order, ["t2s0", "t2s1", "t0s1", "t0s0", "t1s0", "t1s1"]);
    }

    #[test]
    fn seeds_differ() {
        assert_ne!(made(20, 3, 1, 1), made(20, 3, 1, 2));
    }

    #[test]
    fn every_permutation_of_three_is_drawn() {
        let orders: HashSet<Vec<String>> =
            (0..200).map(|seed| made(3, 1, 1, seed).into_iter().map(|job| job.key.task).collect()).collect();
        assert_eq!(orders.len(), 6);
    }

    #[test]
    fn either_build_is_first_about_as_often() {
        let both = interleaved(made(100, 2, 5, 3), 3);
        let first = both.iter().step_by(2).filter(|job| job.build == Build::This).count();
        assert!((400..600).contains(&first), "{first} of 1000");
    }

    proptest! {
        #[test]
        fn interleaved_and_complete(tasks in 0_usize..8, strategies in 0_usize..5, repeats in 0_u32..4, seed: u64) {
            let jobs = made(tasks, strategies, repeats, seed);
            prop_assert_eq!(&jobs, &made(tasks, strategies, repeats, seed));
            let keys: HashSet<RunKey> = jobs.iter().map(|job| job.key.clone()).collect();
            prop_assert_eq!(keys.len(), jobs.len());
            prop_assert_eq!(jobs.len(), tasks * strategies * repeats as usize);
            // The strategies of a task follow one another without a gap.
            for block in jobs.chunks(strategies.max(1)) {
                prop_assert!(block.iter().all(|job| job.key.task == block[0].key.task));
                prop_assert!(block.iter().all(|job| job.key.repeat == block[0].key.repeat));
            }
        }

        #[test]
        fn builds_alternate_in_pairs(seed: u64) {
            let jobs = made(5, 3, 2, seed);
            let both = interleaved(jobs.clone(), seed);
            for (job, pair) in jobs.iter().zip(both.chunks(2)) {
                prop_assert!(pair[0].key == job.key && pair[1].key == job.key);
                prop_assert!(pair[0].build != pair[1].build);
            }
            prop_assert_eq!(both.len(), 2 * jobs.len());
        }

        #[test]
        fn what_is_left_keeps_its_order(seed: u64, done in proptest::collection::vec(any::<bool>(), 24)) {
            let jobs = made(4, 3, 2, seed);
            let finished: HashSet<RunKey> =
                jobs.iter().zip(&done).filter(|(_, done)| **done).map(|(job, _)| job.key.clone()).collect();
            let left = remaining(jobs.clone(), &finished);
            let expected: Vec<Job> =
                jobs.into_iter().zip(done).filter(|(_, done)| !done).map(|(job, _)| job).collect();
            prop_assert_eq!(left, expected);
        }
    }
}

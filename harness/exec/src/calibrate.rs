//! What is measured of the machine in between records: children that do nothing, and a fixed piece of work.
//!
//! Both are jobs like others, in the list of a plan but no part of it: their records are for
//! `calibration.jsonl`. An empty record tells what each record costs before and after its own work (fork,
//! page faults, end of the process). The kernel tells how fast the machine is: two runs at different times
//! can be told apart from two programs that differ. It must stay as it is: a change of it is a change of all
//! machines.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use harness_model::calibration::{Calibration, CalibrationKind};
use harness_model::record::{Record, RunKey, Termination};
use harness_model::{Alphabet, Limits, Question};

use crate::plan::{Build, Job};

/// One measurement of each kind after so many records, on average.
const EVERY: usize = 10;

/// The fewest and the most measurements of a kind in a run.
const PLACES: (usize, usize) = (25, 400);

/// Of a measurement.
const LIMITS: Limits =
    Limits { wall: Duration::from_secs(10), cpu: Duration::from_secs(10), memory: 1 << 30 };

/// The jobs with measurements of the machine evenly between them: for each build that has jobs. None where
/// there are no jobs.
pub fn calibrated(jobs: Vec<Job>) -> Vec<Job> {
    if jobs.is_empty() {
        return jobs;
    }
    let builds: Vec<Build> = [Build::This, Build::Other]
        .into_iter()
        .filter(|build| jobs.iter().any(|job| job.build == *build))
        .collect();
    let places = (jobs.len() / EVERY).clamp(PLACES.0, PLACES.1);
    let question = Arc::new(Question::of_operations(Alphabet::Ascii, Vec::new(), Vec::new()));
    let measurement = |kind: CalibrationKind, build, number: usize| Job {
        key: RunKey {
            task: String::new(),
            strategy: kind.request().to_owned(),
            repeat: u32::try_from(number).unwrap_or(u32::MAX),
        },
        strategy: kind.request().into(),
        family: String::new(),
        question: Arc::clone(&question),
        limits: LIMITS,
        sampling: None,
        build,
    };
    let count = jobs.len();
    let mut all = Vec::with_capacity(count + places * builds.len() * 2);
    let mut made = 0;
    for (index, job) in jobs.into_iter().enumerate() {
        // As many places up to this record as is its part of the list.
        while made * count < (index + 1) * places {
            for kind in CalibrationKind::ALL {
                // The sides take turns in going first.
                let order: Vec<Build> =
                    if made % 2 == 0 { builds.clone() } else { builds.iter().rev().copied().collect() };
                all.extend(order.into_iter().map(|build| measurement(kind, build, made)));
            }
            made += 1;
        }
        all.push(job);
    }
    all
}

/// What a record of such a job measured, if it is one and went well.
pub fn measured(job: &Job, record: &Record) -> Option<Calibration> {
    let kind = job.calibration()?;
    let usage = record.usage.filter(|_| record.termination == Termination::Answered)?;
    Some(Calibration {
        kind,
        cpu_ns: usage.cpu_ns,
        wall_ns: usage.wall_ns,
        started_unix_s: record.started_unix_s,
        core: record.core,
    })
}

/// The fixed piece of work, of a few milliseconds: steps of arithmetic, branches that cannot be foretold, and
/// places in fresh memory, as solvers have them.
pub fn kernel() {
    const WORDS: usize = 1 << 16;
    const STEPS: u32 = 600_000;
    let mut memory = vec![0_u64; WORDS];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut sum = 0_u64;
    for _ in 0..STEPS {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let place = usize::try_from(state >> 48).unwrap_or(0) % WORDS;
        if state & 5 == 0 {
            memory[place] = memory[place].wrapping_add(state);
        } else {
            sum = sum.wrapping_add(memory[place] ^ state);
        }
    }
    black_box((memory, sum));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::interleaved;

    fn jobs(count: u32) -> Vec<Job> {
        let question = Arc::new(Question::of_operations(Alphabet::Ascii, Vec::new(), Vec::new()));
        let job = |n| Job {
            key: RunKey { task: format!("t{n}"), strategy: "s".into(), repeat: 0 },
            strategy: "s".into(),
            family: "f".into(),
            question: Arc::clone(&question),
            limits: LIMITS,
            sampling: None,
            build: Build::This,
        };
        (0..count).map(job).collect()
    }

    #[test]
    fn measurements_are_spread_and_leave_the_plan_as_it_is() {
        for count in [1, 7, 25, 100, 1000] {
            let all = calibrated(jobs(count));
            let plan: Vec<Job> = all.iter().filter(|job| job.calibration().is_none()).cloned().collect();
            assert_eq!(plan, jobs(count));
            let of = |kind| all.iter().filter(|job| job.calibration() == Some(kind)).count();
            let wanted = if count == 1000 { 100 } else { 25 };
            assert_eq!(CalibrationKind::ALL.map(of), [wanted, wanted], "{count}");
            // As many in the first half as in the second, or nearly.
            let half = all.iter().position(|job| job.key.task == format!("t{}", count / 2)).unwrap();
            let first = all[..half].iter().filter(|job| job.calibration().is_some()).count();
            assert!(count < 25 || first.abs_diff(wanted) <= 4, "{count}: {first}");
        }
        assert!(calibrated(Vec::new()).is_empty());
    }

    #[test]
    fn both_builds_are_measured_alike() {
        let all = calibrated(interleaved(jobs(30), 1));
        let of = |build| all.iter().filter(|j| j.build == build && j.calibration().is_some()).count();
        assert_eq!((of(Build::This), of(Build::Other)), (50, 50));
        let first: Vec<Build> =
            all.iter().filter(|job| job.calibration().is_some()).step_by(2).map(|job| job.build).collect();
        assert_eq!(first.iter().filter(|build| **build == Build::Other).count(), 24);
    }
}

//! Series over runs: which runs and tasks they are made from, and their points.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of tests are small"
)]

mod support;

use harness_history::{Head, Rule, Series, Times, trend};
use harness_model::calibration::Pace;
use harness_model::rules::Metric;
use harness_model::run::RunInfo;
use harness_model::{Status, Verdict};
use support::{STRATEGIES, info, record, tasks};

/// A run of six tasks: `ms(task, strategy)` milliseconds, or not solved.
fn run(number: i64, info: RunInfo, ms: impl Fn(usize, &str) -> Option<u64>) -> Times {
    let tasks = tasks(6);
    let mut judged = Vec::new();
    for (i, task) in tasks.iter().enumerate() {
        for strategy in STRATEGIES {
            let status =
                if ms(i, strategy).is_some() { Status::Answered(Verdict::Empty) } else { Status::Timeout };
            judged.push((record(task, strategy, ms(i, strategy).unwrap_or(60_000)), status));
        }
    }
    let head = Head {
        number,
        commit: Some(format!("c{number}")),
        info,
        records: 12,
        damaged: 0,
        pace: Pace::default(),
    };
    Times::new(head, judged.iter().map(|(record, status)| (record, *status)), Metric::Cpu)
}

fn of(runs: &[Times], strategy: &str, family: Option<&str>) -> Series {
    let mut found = trend(runs, Some(strategy), family, &Rule::default(), false);
    assert_eq!(found.len(), 1);
    found.remove(0)
}

#[test]
fn a_point_is_the_geometric_mean_over_tasks_that_all_runs_solved() {
    let tasks = tasks(6);
    // The first run loses the task 0, which takes an hour and would spoil the second one's mean.
    let runs = [
        run(1, info(&tasks, 0), |task, _| (task > 0).then_some(2)),
        run(2, info(&tasks, 1), |task, _| Some(if task == 0 { 3_600_000 } else { 2 << (task % 2) })),
    ];
    let series = of(&runs, "slow", None);
    assert_eq!((series.common, series.any), (5, 6));
    let most = series.takes_most.as_ref().unwrap();
    assert_eq!((most.run, most.tasks), (1, 1));
    assert_eq!(series.points.iter().map(|point| point.solved).collect::<Vec<_>>(), [5, 6]);
    assert!((series.points[0].seconds - 0.002).abs() < 1e-12);
    // Tasks 1, 3 and 5 take 4 ms, 2 and 4 take 2 ms.
    assert!((series.points[1].seconds - 0.002 * 2_f64.powf(0.6)).abs() < 1e-12);
    let odd = of(&runs, "slow", Some("odd"));
    assert!((odd.points[1].seconds - 0.004).abs() < 1e-12);
    assert_eq!(trend(&runs, Some("none"), None, &Rule::default(), false), []);
    assert_eq!(trend(&runs, None, Some("none"), &Rule::default(), false), []);
}

#[test]
fn runs_that_may_not_be_compared_are_in_series_of_their_own() {
    let tasks = tasks(6);
    let with = |day, change: fn(&mut RunInfo)| {
        let mut info = info(&tasks, day);
        change(&mut info);
        info
    };
    let runs = [
        run(4, with(3, |info| info.machine.cpu = "Another processor".into()), |_, _| Some(1)),
        run(2, with(1, |info| info.machine.kernel = "7.0".into()), |_, _| Some(1)),
        run(1, with(0, |_| ()), |_, _| Some(1)),
        run(3, with(2, |info| info.fingerprint = "other".into()), |_, _| Some(1)),
        run(5, with(4, |info| info.workers = 1), |_, _| Some(1)),
    ];
    let found = trend(&runs, Some("fast"), None, &Rule::default(), false);
    let mut numbers: Vec<Vec<i64>> =
        found.iter().map(|series| series.points.iter().map(|point| point.run).collect()).collect();
    numbers.sort();
    // In the order in which they began, whatever order they came in; another kernel is reported, not kept
    // apart.
    assert_eq!(numbers, [vec![1, 2], vec![3], vec![4], vec![5]]);
}

#[test]
fn a_run_that_solved_next_to_nothing_is_left_out_and_named() {
    let tasks = tasks(6);
    let runs: Vec<Times> = (0..5_i64)
        .map(|day| {
            let began = info(&tasks, u32::try_from(day).unwrap());
            run(day + 1, began, move |task, strategy| {
                (day != 2 || strategy == "fast" || task == 0).then_some(1)
            })
        })
        .collect();
    let slow = of(&runs, "slow", None);
    assert_eq!((slow.common, slow.points.len()), (6, 4));
    assert_eq!(slow.left_out.len(), 1);
    assert_eq!(slow.left_out[0].commit.as_deref(), Some("c3"));
    assert!(slow.left_out[0].why.contains("solved 1 task,"), "{:?}", slow.left_out);
    // It takes no task away from the others.
    assert_eq!((slow.any, slow.takes_most), (6, None));
    assert_eq!(of(&runs, "fast", None).points.len(), 5);
}

#[test]
fn of_a_long_series_the_part_that_is_looked_at_is_told() {
    let tasks = tasks(6);
    let runs: Vec<Times> =
        (0..403).map(|day| run(i64::from(day) + 1, info(&tasks, day), |_, _| Some(5))).collect();
    assert_eq!((of(&runs, "fast", None).from, of(&runs[..400], "fast", None).from), (3, 0));
}

#[test]
fn a_strategy_that_takes_a_step_is_told_from_one_that_does_not() {
    let tasks = tasks(6);
    let runs: Vec<Times> = (0..24_u32)
        .map(|day| {
            run(i64::from(day) + 1, info(&tasks, day), move |task, strategy| {
                // A per cent of noise that repeats after seven days.
                let noise = u64::from(day * 5 % 7);
                let base = if strategy == "slow" && day >= 14 { 1400 } else { 1000 };
                Some((base + 2 * noise) * (task as u64 + 1))
            })
        })
        .collect();
    let slow = of(&runs, "slow", None);
    assert_eq!(slow.steps.len(), 1, "{:?}", slow.steps);
    assert_eq!(slow.steps[0].at, 14);
    assert!((slow.steps[0].ratio() - 1.4).abs() < 0.02);
    assert_eq!(of(&runs, "fast", None).steps, []);
}

/// Twelve runs of nine strategies: the machine makes a hump, one strategy takes a step of 20 % at the eighth
/// run.
fn hump(kernel: impl Fn(u32) -> Option<u64>, all_slower_from: u32) -> Vec<Times> {
    let tasks = tasks(4);
    let names: Vec<String> = (0..9).map(|n| format!("s{n}")).collect();
    let machine = [100, 101, 103, 106, 112, 118, 121, 120, 119, 121, 120, 118_u64];
    (0..12_u32)
        .map(|day| {
            let mut judged = Vec::new();
            for (t, task) in (0..).zip(&tasks) {
                for (s, name) in (0..).zip(&names) {
                    // Up to a per cent of noise, another one in each cell.
                    let noise = (u64::from(day) * 7 + t * 5 + s * 11) % 11;
                    let own = if s == 4 && day >= 7 { 120 } else { 100 };
                    let all = if day >= all_slower_from { 130 } else { 100 };
                    let us = (1000 + noise) * (t + 1) * machine[day as usize] * own * all / 1_000_000;
                    let mut made = record(task, name, 1);
                    made.usage =
                        made.usage.map(|usage| harness_model::record::Usage { cpu_ns: us * 1000, ..usage });
                    judged.push((made, Status::Answered(Verdict::Empty)));
                }
            }
            let pace = Pace { empty_ns: None, kernel_ns: kernel(day) };
            let number = i64::from(day) + 1;
            let head = Head { number, commit: None, info: info(&tasks, day), records: 36, damaged: 0, pace };
            Times::new(head, judged.iter().map(|(record, status)| (record, *status)), Metric::Cpu)
        })
        .collect()
}

#[test]
fn what_the_machine_does_is_no_step_and_hides_none() {
    let machine = [100, 101, 103, 106, 112, 118, 121, 120, 119, 121, 120, 118_u64];
    let measured = |day: u32| Some(machine[day as usize] * 30_000);
    for runs in [hump(|_| None, 99), hump(measured, 99)] {
        let found = trend(&runs, None, None, &Rule::default(), false);
        for series in &found {
            let steps: Vec<usize> = series.steps.iter().map(|step| step.at).collect();
            assert_eq!(steps, if series.strategy == "s4" { vec![7] } else { vec![] }, "{}", series.strategy);
        }
        let step = &found[4].steps[0];
        assert!((step.ratio() - 1.2).abs() < 0.03, "{step:?}");
        // As it was measured, the machine is a step of every strategy, and not where the change is.
        let raw = trend(&runs, Some("s0"), None, &Rule::default(), true);
        assert!(raw[0].steps.len() == 1 && raw[0].points[6].machine == 1.0, "{:?}", raw[0].steps);
        // A family alone is rid of the same.
        let even = trend(&runs, Some("s4"), Some("even"), &Rule::default(), false);
        assert_eq!(even[0].steps.iter().map(|step| step.at).collect::<Vec<_>>(), [7]);
    }
}

#[test]
fn all_strategies_slower_at_once_is_a_step_where_the_machine_took_none() {
    let machine = [100, 101, 103, 106, 112, 118, 121, 120, 119, 121, 120, 118_u64];
    let runs = hump(|day| Some(machine[day as usize] * 30_000), 6);
    let found = trend(&runs, Some("s0"), None, &Rule::default(), false);
    assert_eq!(found[0].steps.iter().map(|step| step.at).collect::<Vec<_>>(), [6]);
    assert!((found[0].steps[0].ratio() - 1.3).abs() < 0.04, "{:?}", found[0].steps);
}

/// Runs of the metric `own`: `empty(day)` is what an empty record took in microseconds, and so much more a
/// record of the four tasks takes.
fn own(days: u32, empty: impl Fn(u32) -> Option<u64>, us: impl Fn(u32, u64) -> u64) -> Vec<Times> {
    let tasks = tasks(4);
    (0..days)
        .map(|day| {
            let mut judged = Vec::new();
            for (t, task) in (0..).zip(&tasks) {
                let mut made = record(task, "fast", 1);
                if let Some(usage) = &mut made.usage {
                    usage.cpu_ns = (2_000 + us(day, t)) * 1000;
                }
                judged.push((made, Status::Answered(Verdict::Empty)));
            }
            let pace = Pace { empty_ns: empty(day).map(|us| us * 1000), kernel_ns: None };
            let number = i64::from(day) + 1;
            let head = Head { number, commit: None, info: info(&tasks, day), records: 4, damaged: 0, pace };
            Times::new(head, judged.iter().map(|(record, status)| (record, *status)), Metric::Own)
        })
        .collect()
}

#[test]
fn an_empty_record_is_taken_off_all_runs_or_none() {
    let us = |day: u32, _| 3_000 + u64::from(day % 3);
    let all = own(24, |_| Some(2_000), us);
    let series = of(&all, "fast", None);
    assert!((series.points[0].seconds - 0.003).abs() < 1e-9, "{:?}", series.points[0]);
    assert_eq!((series.unmeasured.as_slice(), series.steps.len()), (&[][..], 0));
    // The first twelve are of a file of an older build.
    let some = own(24, |day| (day >= 12).then_some(2_000), us);
    let series = of(&some, "fast", None);
    assert_eq!(series.steps, [], "nothing has changed");
    assert!((series.points[0].seconds - 0.005).abs() < 1e-9, "{:?}", series.points[0]);
    assert_eq!(series.unmeasured, (1..=12).collect::<Vec<i64>>());
}

#[test]
fn what_no_run_can_tell_from_nothing_is_left_out_and_the_rest_has_a_floor() {
    // An empty record takes 2 ms, so 0.4 ms are noise. Task 0 is never above, task 1 from the day 12 on.
    let us = |day: u32, task| match task {
        0 => 1 + u64::from(day) % 5 * 80,
        1 => {
            if day < 12 {
                1 + u64::from(day) % 5 * 80
            } else {
                800
            }
        }
        _ => 3_000,
    };
    let series = of(&own(24, |_| Some(2_000), us), "fast", None);
    assert_eq!((series.common, series.too_short, series.any), (3, 1, 4));
    assert_eq!(series.takes_most, None);
    let mean = |task_1: f64| (task_1 * 0.003 * 0.003_f64).cbrt();
    for (day, point) in series.points.iter().enumerate() {
        let expected = mean(if day < 12 { 0.000_4 } else { 0.000_8 });
        assert!((point.seconds - expected).abs() < 1e-9, "{day}: {point:?}");
    }
    assert_eq!(series.steps.iter().map(|step| step.at).collect::<Vec<_>>(), [12]);
    // Where all of them are too short, there is no series.
    assert_eq!(trend(&own(3, |_| Some(2_000), |_, _| 100), None, None, &Rule::default(), false), []);
}

#[test]
fn one_witness_is_heard_for_all_runs() {
    let machine = [100, 101, 103, 106, 112, 118, 121, 120, 119, 121, 120, 118_u64];
    // The fixed piece of work sees half of what the machine does: at the top the two are more than a tenth
    // apart, before that less. Whichever is heard, what it leaves is as smooth as the machine.
    for share in [2.0, 4.0] {
        let kernel = |day: u32| {
            let own = 1.0 + (machine[day as usize] as f64 / 100.0 - 1.0) / share;
            Some((own * 3e6) as u64)
        };
        let runs = hump(kernel, 99);
        let found = trend(&runs, Some("s0"), None, &Rule::default(), false);
        let points = &found[0].points;
        let factors: Vec<f64> = points.iter().map(|point| point.machine).collect();
        let by = |witness: &dyn Fn(u32) -> f64| {
            let ratios: Vec<f64> = (0..12).zip(&factors).map(|(day, factor)| factor / witness(day)).collect();
            let (least, most) =
                ratios.iter().fold((f64::MAX, 0.0_f64), |(a, b), ratio| (a.min(*ratio), b.max(*ratio)));
            most / least < 1.02
        };
        let strategies = |day: u32| machine[day as usize] as f64;
        let kernel = |day: u32| kernel(day).unwrap() as f64;
        assert!(by(&strategies) || by(&kernel), "{share}: {factors:?}");
    }
}

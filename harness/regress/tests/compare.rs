//! Whole comparisons of made-up runs: what is found, what is not, and what comes of it.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use harness_model::calibration::Pace;
use harness_model::record::{PhaseTime, Record, RecordVersion, RunKey, Termination, Usage};
use harness_model::run::Machine;
use harness_model::{Alphabet, Answer, SmtString, Status, Verdict};
use harness_regress::{
    Comparison, CounterRule, Decision, Faults, Metric, Observations, Rules, Setting, Side, Standing,
    StatusKind, compare,
};
use proptest::prelude::*;

/// A record of `strategy` on `task` that took `cpu_ns` of processor time.
fn record(task: &str, strategy: &str, repeat: u32, cpu_ns: u64) -> Record {
    Record {
        version: RecordVersion::CURRENT,
        key: RunKey { task: task.into(), strategy: strategy.into(), repeat },
        family: task.split('/').next().unwrap().into(),
        alphabet: Alphabet::Ascii,
        termination: Termination::Answered,
        answers: vec![Answer::empty()],
        usage: Some(Usage { wall_ns: cpu_ns, cpu_ns, peak_rss_bytes: 1 }),
        method: "wait4".into(),
        phases: [("solve".into(), PhaseTime { cold_ns: cpu_ns / 2, warm: None })].into(),
        counters: [("states".into(), 10), ("lookups".into(), 100)].into(),
        stderr: String::new(),
        started_unix_s: 0.0,
        core: None,
    }
}

/// What the judge makes of a record in these tests: what it says.
fn add(run: &mut Observations, record: &Record) {
    let status = match &record.termination {
        Termination::Answered => Status::Answered(record.answers[0].verdict),
        Termination::Timeout(_) => Status::Timeout,
        Termination::Error(_) => Status::Wrong,
        _ => Status::Crash,
    };
    run.add(record, status, "as the judge says");
}

/// Some percent of noise, drawn from the place: the same for the same arguments.
fn noise(seed: u64, percent: u64) -> f64 {
    let mut x = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
    x = (x ^ (x >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^= x >> 29;
    let unit = f64::from(u32::try_from(x >> 40).unwrap()) / f64::from(1_u32 << 24);
    1.0 + (unit - 0.5) * 2.0 * f64::from(u32::try_from(percent).unwrap()) / 100.0
}

/// A run of two strategies on ten tasks in each of two families, 7 repeats, with 5 % of noise; strategy `b`
/// is slower by `factor`.
fn run(seed: u64, factor: f64) -> Observations {
    let mut run = Observations::new(Metric::Cpu);
    for (t, family) in (0..20_u64).zip(["f", "g"].iter().cycle()) {
        for (s, strategy) in [(0, "a"), (1, "b")] {
            for repeat in 0..7_u32 {
                let key = (seed * 1000 + t) * 100 + s * 10 + u64::from(repeat);
                let slower = if strategy == "b" { factor } else { 1.0 };
                let base = f64::from(u32::try_from(t + 1).unwrap()) * 1e6;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "small and positive"
                )]
                let cpu = (base * slower * noise(key, 5)) as u64;
                add(&mut run, &record(&format!("{family}/{t}"), strategy, repeat, cpu));
            }
        }
    }
    run
}

fn side(label: &str) -> Side {
    Side {
        label: label.into(),
        commit: None,
        machine: Machine::default(),
        started_unix_s: 0.0,
        records: 0,
        planned: 0,
        // An empty record that takes nothing.
        pace: Pace { empty_ns: Some(0), kernel_ns: None },
    }
}

fn setting(rules: Rules) -> Setting<'static> {
    Setting {
        name: "test".into(),
        baseline: side("before"),
        current: side("now"),
        strategies: vec!["b".into(), "a".into()],
        rules,
        seed: 1,
        interleaved: true,
        times_decide: true,
        take_drift_out: false,
        disagreement: false,
        invalid_model: false,
        faults: Faults::default(),
        complete: true,
        ignored: &|name| name == "lookups",
        notes: Vec::new(),
    }
}

fn compared(before: &Observations, after: &Observations) -> Comparison {
    compare(before, after, setting(Rules::default()))
}

#[test]
fn the_same_again_is_fine() {
    for seed in 1..20 {
        let found = compared(&run(0, 1.0), &run(seed, 1.0));
        assert_eq!(found.decision, Decision::Fine);
        assert!(found.suspects().is_empty());
        assert_eq!(found.groups.len(), 6);
        assert!(found.groups.iter().all(|group| group.standing == Standing::Same));
        assert!(found.counters.is_empty() && found.statuses.is_empty());
    }
}

#[test]
fn a_slower_strategy_is_found_and_told_from_the_other() {
    let mut found = compared(&run(0, 1.0), &run(1, 1.2));
    assert_eq!(found.decision, Decision::Regression);
    // In the order of the configuration, the row over all families first.
    let rows: Vec<(&str, Option<&str>, Standing)> =
        found.groups.iter().map(|g| (&*g.strategy, g.family.as_deref(), g.standing)).collect();
    let (slower, same) = (Standing::Slower, Standing::Same);
    assert_eq!(
        rows,
        [
            ("b", None, slower),
            ("b", Some("f"), slower),
            ("b", Some("g"), slower),
            ("a", None, same),
            ("a", Some("f"), same),
            ("a", Some("g"), same)
        ]
    );
    let group = &found.groups[0];
    let (low, high) = group.interval.unwrap();
    assert!(low < 1.2 && 1.2 < high && high - low < 0.1, "{low} {high}");
    assert!((group.after_ns / group.before_ns - 1.2).abs() < 0.03);
    assert_eq!((group.tasks, group.solved_before, group.solved_after), (20, 20, 20));
    let suspects = found.suspects();
    assert_eq!(suspects.len(), 20);
    assert!(suspects.iter().all(|(_, strategy)| &**strategy == "b"));

    // Run again, it is there once and once it is not.
    found.confirm(&compared(&run(2, 1.0), &run(3, 1.2)));
    assert_eq!(found.decision, Decision::Regression);
    found.confirm(&compared(&run(4, 1.0), &run(5, 1.0)));
    assert_eq!(found.decision, Decision::Fine);
    assert!(found.groups.iter().all(|group| group.standing != Standing::Slower));
    assert_eq!(found.groups[0].standing, Standing::Unconfirmed);
}

#[test]
fn times_that_do_not_decide_are_shown() {
    let setting = Setting { times_decide: false, ..setting(Rules::default()) };
    let found = compare(&run(0, 1.0), &run(1, 1.5), setting);
    assert_eq!((found.decision, found.groups[0].standing), (Decision::Fine, Standing::Slower));
    assert!(found.suspects().is_empty());
}

#[test]
fn faster_is_no_regression() {
    let found = compared(&run(0, 1.2), &run(1, 1.0));
    assert_eq!((found.decision, found.groups[0].standing), (Decision::Fine, Standing::Faster));
}

#[test]
fn a_single_slow_task_is_found_by_ranks() {
    let (before, mut after) = (run(0, 1.0), Observations::new(Metric::Cpu));
    for task in 0..20_u64 {
        for strategy in ["a", "b"] {
            for repeat in 0..7 {
                let family = if task % 2 == 0 { "f" } else { "g" };
                let slow = if (task, strategy) == (7, "a") { 2 } else { 1 };
                let base = (task + 1) * 1_000_000 * slow + u64::from(repeat) * 1000;
                add(&mut after, &record(&format!("{family}/{task}"), strategy, repeat, base));
            }
        }
    }
    let found = compared(&before, &after);
    let slower: Vec<_> = found.slower_tasks().map(|row| (&*row.task, &*row.strategy)).collect();
    assert_eq!(slower, [("g/7", "a")]);
    assert_eq!(found.decision, Decision::Regression);
    let first = &found.tasks[0];
    // Twice 1 of the 3432 ways in which 7 of 14 can be the larger ones, times 40 tests.
    assert!((first.p.unwrap() - 40.0 * 2.0 / 3432.0).abs() < 1e-9, "{:?}", first.p);
}

#[test]
fn too_few_repeats_are_told() {
    let run = |factor: u64| {
        let mut run = Observations::new(Metric::Cpu);
        for task in 0..30 {
            add(&mut run, &record(&format!("f/{task}"), "a", 0, factor * 1_000_000));
        }
        run
    };
    let found = compared(&run(1), &run(9));
    assert!(found.tasks.iter().all(|row| row.p.is_none() && row.standing == Standing::Same));
    assert!(found.notes[0].contains("it takes 7 repeats"), "{:?}", found.notes);
    // The group is judged all the same.
    assert_eq!(found.groups[0].standing, Standing::Slower);
}

#[test]
fn zero_is_not_comparable_and_never_a_ratio() {
    let of = |cpu| {
        let mut run = Observations::new(Metric::Cpu);
        for repeat in 0..3 {
            add(&mut run, &record("f/0", "a", repeat, cpu));
        }
        run
    };
    let found = compared(&of(0), &of(0));
    let group = &found.groups[0];
    assert_eq!((group.standing, group.ratio, group.below_resolution), (Standing::NotComparable, None, 1));
    assert_eq!(found.tasks[0].standing, Standing::NotComparable);
    assert_eq!(found.tasks[0].after_ns, Some(0.0));
    assert_eq!(found.decision, Decision::Fine);
    let json = serde_json::to_string(&found).unwrap();
    assert!(!json.contains("NaN") && !json.contains("inf"));
    assert_eq!(serde_json::from_str::<Comparison>(&json).unwrap(), found);
    // Zero on one side stands as the shortest time that the clock can tell.
    let grown = &compared(&of(0), &of(5_000_000)).groups[0];
    assert_eq!((grown.standing, grown.below_resolution), (Standing::Slower, 0));
    assert!(grown.ratio.is_some_and(|ratio| (ratio - 5000.0).abs() < 1e-6), "{:?}", grown.ratio);
}

#[test]
fn drift_is_taken_out_where_there_are_strategies_enough() {
    let make = |seed: u64, factor: fn(&str) -> u64| {
        let mut run = Observations::new(Metric::Cpu);
        for task in 0..10_u64 {
            for strategy in ["a", "b", "c", "d", "e"] {
                for repeat in 0..3 {
                    let cpu = 1_000_000 + (seed * 7 + task * 3 + u64::from(repeat)) % 10 * 1000;
                    add(
                        &mut run,
                        &record(&format!("f/{task}"), strategy, repeat, cpu * factor(strategy) / 100),
                    );
                }
            }
        }
        run
    };
    let before = make(1, |_| 100);
    // The machine is slower by 30 %, and c by a quarter more.
    let after = make(2, |strategy| if strategy == "c" { 163 } else { 130 });
    let found = compare(&before, &after, Setting { take_drift_out: true, ..setting(Rules::default()) });
    assert!((found.drift.unwrap() - 1.3).abs() < 0.01, "{:?}", found.drift);
    let slower: Vec<&str> = found.slower_groups().iter().map(|group| &*group.strategy).collect();
    assert_eq!(slower, ["c", "c"]);
    assert!(
        found.notes.iter().any(|note| note.contains("everything is 30 % slower at once")),
        "{:?}",
        found.notes
    );
    // Two runs that were made at the same time have no drift.
    let found = compared(&before, &after);
    assert_eq!(found.slower_groups().len(), 10);
}

/// By strategies of which most are faster, none becomes slower.
#[test]
fn only_what_slows_all_strategies_is_taken_out() {
    let make = |factor: fn(&str) -> u64| {
        let mut run = Observations::new(Metric::Cpu);
        for task in 0..10_u64 {
            for strategy in ["a", "b", "c", "d", "e"] {
                for repeat in 0..3 {
                    let cpu =
                        (1_000_000 + (task * 3 + u64::from(repeat)) % 10 * 1000) * factor(strategy) / 100;
                    add(&mut run, &record(&format!("f/{task}"), strategy, repeat, cpu));
                }
            }
        }
        run
    };
    let after = make(|strategy| if strategy == "e" { 100 } else { 80 });
    let alone = Setting { take_drift_out: true, ..setting(Rules::default()) };
    let found = compare(&make(|_| 100), &after, alone);
    assert_eq!((found.decision, found.drift), (Decision::Fine, Some(1.0)));
    let of = |strategy: &str| found.groups.iter().find(|group| &*group.strategy == strategy).unwrap();
    assert_eq!((of("e").standing, of("a").standing), (Standing::Same, Standing::Faster));
    assert!(found.notes.iter().any(|note| note.contains("most strategies are faster at once")));
}

/// Nine strategies on twelve tasks, three repeats, with 8 % of noise, on a machine that takes `machine` times
/// as long; the fifth strategy takes `change` times as long by itself.
fn study(seed: u64, machine: f64, change: f64, metric: Metric, empty: u64) -> Observations {
    let mut run = Observations::new(metric);
    for task in 0..12_u64 {
        for strategy in 0..9_u64 {
            for repeat in 0..3_u32 {
                let key = ((seed * 100 + task) * 100 + strategy) * 10 + u64::from(repeat);
                let own = if strategy == 4 { change } else { 1.0 };
                let base = 1e6 * f64::from(u32::try_from(task + 1).unwrap());
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "small and positive"
                )]
                let cpu = (base * own * machine * noise(key, 8)) as u64 + empty;
                add(&mut run, &record(&format!("f/{task}"), &format!("s{strategy}"), repeat, cpu));
            }
        }
    }
    run
}

/// Both runs measured the machine, which now takes so many times as long.
fn measured(machine: f64) -> Setting<'static> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
    let pace = |factor: f64| Pace { empty_ns: Some(300_000), kernel_ns: Some((3e6 * factor) as u64) };
    Setting {
        baseline: Side { pace: pace(1.0), ..side("before") },
        current: Side { pace: pace(machine), ..side("now") },
        take_drift_out: true,
        interleaved: false,
        ..setting(Rules { metric: Metric::Cpu, ..Rules::default() })
    }
}

#[test]
fn one_strategy_of_nine_is_found_on_a_faster_and_a_slower_machine() {
    for machine in [0.85, 1.0, 1.15] {
        for seed in 0..15 {
            let before = study(2 * seed, 1.0, 1.0, Metric::Cpu, 0);
            let after = study(2 * seed + 1, machine, 1.2, Metric::Cpu, 0);
            // The fixed piece of work does not follow the strategies to the per cent.
            let found = compare(&before, &after, measured(machine * 0.96));
            let slower: Vec<&str> = found.slower_groups().iter().map(|group| &*group.strategy).collect();
            assert_eq!(slower, ["s4", "s4"], "{machine} {seed}: {:?}", found.drift);
            assert!(
                (found.drift.unwrap() / machine - 1.0).abs() < 0.03,
                "{machine} {seed}: {:?}",
                found.drift
            );
            if seed % 5 == 0 {
                // Nothing differs but the machine.
                let same = study(2 * seed + 1, machine, 1.0, Metric::Cpu, 0);
                assert_eq!(compare(&before, &same, measured(machine)).decision, Decision::Fine);
            }
        }
    }
}

/// What could not be told from an empty record, and takes long now, is slower: it is not left out.
#[test]
fn work_that_was_too_short_to_tell_is_found_when_it_grows() {
    let study = |b_ns: u64| {
        let mut run = Observations::new(Metric::Own);
        for task in 0..20_u64 {
            for repeat in 0..7 {
                let own = noise(task * 10 + u64::from(repeat), 5);
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    clippy::cast_precision_loss,
                    reason = "small and positive"
                )]
                let cpu = |ns: u64| 5_000_000 + (ns as f64 * own) as u64;
                add(&mut run, &record(&format!("f/{task}"), "a", repeat, cpu(50_000_000)));
                add(&mut run, &record(&format!("f/{task}"), "b", repeat, cpu(b_ns)));
            }
        }
        run
    };
    let pace = Pace { empty_ns: Some(5_000_000), kernel_ns: None };
    let with = || Setting {
        baseline: Side { pace, ..side("before") },
        current: Side { pace, ..side("now") },
        ..setting(Rules { metric: Metric::Own, ..Rules::default() })
    };
    let (short, long) = (study(100_000), study(100_000_000));
    assert_eq!(compare(&short, &long, with()).decision, Decision::Regression);
    assert_eq!(compare(&long, &short, with()).decision, Decision::Fine);
    assert_eq!(compare(&short, &short, with()).decision, Decision::Fine);
}

#[test]
fn what_an_empty_record_takes_is_taken_off() {
    // Work of 1 to 12 ms on one side, beside 20 ms that each record takes: 20 % of the work are 4 % of it.
    let rules = |metric| Rules { metric, ..Rules::default() };
    let pace = |ns| Pace { empty_ns: Some(ns), kernel_ns: None };
    let (before, after) =
        (study(1, 1.0, 1.0, Metric::Own, 5_000_000), study(2, 1.0, 1.2, Metric::Own, 6_000_000));
    let with = |metric| Setting {
        baseline: Side { pace: pace(5_000_000), ..side("before") },
        current: Side { pace: pace(6_000_000), ..side("now") },
        interleaved: false,
        ..setting(rules(metric))
    };
    let ratio = |found: &Comparison, strategy: &str| {
        found
            .groups
            .iter()
            .find(|group| &*group.strategy == strategy && group.family.is_none())
            .unwrap()
            .ratio
            .unwrap()
    };
    let own = compare(&before, &after, with(Metric::Own));
    assert!(
        (ratio(&own, "s4") - 1.2).abs() < 0.05 && (ratio(&own, "s0") - 1.0).abs() < 0.05,
        "{:?}",
        own.groups
    );
    // 1 ms is no more than a fifth of an empty record: it is not told from nothing.
    assert_eq!((own.groups[0].tasks, own.groups[0].below_resolution), (11, 1));
    let all = compare(&before, &after, with(Metric::Cpu));
    assert!(ratio(&all, "s0") > 1.05, "{:?}", all.groups);
    assert_eq!(all.groups[0].tasks, 12);
    // Of runs at the same time the same is taken off: where both measured something wrong, what is equal is
    // equal.
    let same = Setting { interleaved: true, ..with(Metric::Own) };
    let again = study(2, 1.0, 1.0, Metric::Own, 5_000_000);
    let found = compare(&before, &again, same);
    assert!((ratio(&found, "s0") - 1.0).abs() < 0.05, "{:?}", found.groups);
    // One side has no empty records: nothing is taken off either, and that is told.
    let one = Setting { baseline: Side { pace: Pace::default(), ..side("before") }, ..with(Metric::Own) };
    let found = compare(&before, &after, one);
    assert!((ratio(&found, "s0") - ratio(&all, "s0")).abs() < 1e-9);
    assert!(found.notes[0].contains("has no empty records"), "{:?}", found.notes);
}

/// One task, three repeats, the last one changed.
fn changed(change: impl Fn(&mut Record)) -> Observations {
    let mut run = Observations::new(Metric::Cpu);
    for repeat in 0..3 {
        let mut record = record("f/0", "a", repeat, 1_000_000);
        change(&mut record);
        add(&mut run, &record);
    }
    run
}

#[test]
fn what_became_of_a_task() {
    let as_before = changed(|_| ());
    let late = |r: &mut Record| r.termination = Termination::Timeout(harness_model::record::TimeLimit::Cpu);
    let lost = compared(&as_before, &changed(late));
    assert_eq!((lost.statuses[0].kind, lost.decision), (StatusKind::Lost, Decision::Regression));
    assert_eq!((lost.groups[0].solved_before, lost.groups[0].solved_after), (1, 0));
    assert_eq!(lost.suspects().len(), 1);
    // One repeat of three near the limit is no loss.
    let once = compared(
        &as_before,
        &changed(|r| {
            if r.key.repeat == 2 {
                late(r);
            }
        }),
    );
    assert_eq!(once.decision, Decision::Fine);
    let gained = compared(&changed(late), &as_before);
    assert_eq!((gained.statuses[0].kind, gained.decision), (StatusKind::Gained, Decision::Fine));
    // Solved when run again: noise.
    let mut unconfirmed = lost;
    unconfirmed.confirm(&compared(&as_before, &as_before));
    assert_eq!(
        (unconfirmed.statuses[0].kind, unconfirmed.decision),
        (StatusKind::Unconfirmed, Decision::Fine)
    );
}

#[test]
fn wrong_counts_more_than_slow() {
    let as_before = changed(|_| ());
    // One wrong repeat is wrong.
    let wrong = changed(|r| {
        if r.key.repeat == 1 {
            r.termination = Termination::Error("x".into());
        }
    });
    let found = compared(&as_before, &wrong);
    assert_eq!((found.statuses[0].kind, found.decision), (StatusKind::Wrong, Decision::Wrong));
    assert_eq!(found.statuses[0].detail, "as the judge says");
    // Two builds that contradict each other: at least one is wrong.
    let other = changed(|r| r.answers = vec![Answer::word(SmtString::from("w"))]);
    let found = compared(&as_before, &other);
    assert_eq!((found.statuses[0].kind, found.decision.exit_status()), (StatusKind::Wrong, 10));
    assert_eq!(found.statuses[0].detail, "the baseline says empty, the current run nonempty");
    // A bounded verdict contradicts nothing.
    let verdict = |verdict| changed(move |r| r.answers = vec![Answer::of(verdict)]);
    let found = compared(&verdict(Verdict::UnsatWithinBound), &verdict(Verdict::Sat));
    assert_eq!((found.statuses[0].kind, found.decision), (StatusKind::Other, Decision::Fine));
    // Wrong before and wrong now is still wrong.
    assert_eq!(compared(&wrong, &wrong).decision, Decision::Wrong);
}

#[test]
fn a_contradiction_inside_a_batch_is_seen() {
    let word = || Answer::word(SmtString::from("w"));
    let before = changed(|r| r.answers = vec![word(), Answer::empty()]);
    let after = changed(|r| r.answers = vec![word(), word()]);
    let found = compared(&before, &after);
    assert_eq!(found.statuses[0].detail, "the baseline says empty of operation 2, the current run nonempty");
}

#[test]
fn counters_are_compared_exactly() {
    let states = |by: u64| changed(move |r| _ = r.counters.insert("states".into(), 10 + by));
    let with = |counters, before: &Observations, after: &Observations| {
        compare(before, after, setting(Rules { counters, ..Rules::default() }))
    };
    for (rule, more, less) in [
        (CounterRule::Exact, Decision::Regression, Decision::Regression),
        (CounterRule::Growth, Decision::Regression, Decision::Fine),
        (CounterRule::Show, Decision::Fine, Decision::Fine),
    ] {
        let (few, many) = (states(0), states(1));
        let found = with(rule, &few, &many);
        assert_eq!((found.decision, found.counters.len()), (more, 1), "{rule:?}");
        assert_eq!((found.counters[0].before, found.counters[0].after), (Some(10), Some(11)));
        assert_eq!(with(rule, &many, &few).decision, less, "{rule:?}");
    }
    // Ignored by name.
    let looked = changed(|r| _ = r.counters.insert("lookups".into(), 7));
    assert!(with(CounterRule::Exact, &states(0), &looked).counters.is_empty());
    // One that differed between repeats before holds nothing to account: it is named with a task, and not
    // compared.
    let unsteady =
        |from: u64| changed(move |r| _ = r.counters.insert("states".into(), from + u64::from(r.key.repeat)));
    for (before, after) in [(unsteady(0), unsteady(50)), (unsteady(0), states(0))] {
        let found = with(CounterRule::Exact, &before, &after);
        assert_eq!((found.decision, found.counters.len()), (Decision::Fine, 0));
        let [named] = found.unsteady.as_slice() else { panic!("{:?}", found.unsteady) };
        assert_eq!((&*named.strategy, &*named.counter, &*named.task, named.tasks), ("a", "states", "f/0", 1));
    }
    // One that differs between repeats now and did not before has changed, and grew when even the least value
    // is larger.
    for (rule, from, decision) in [
        (CounterRule::Exact, 10, Decision::Regression),
        (CounterRule::Exact, 5, Decision::Regression),
        (CounterRule::Growth, 11, Decision::Regression),
        (CounterRule::Growth, 10, Decision::Fine),
        (CounterRule::Show, 11, Decision::Fine),
    ] {
        let found = with(rule, &states(0), &unsteady(from));
        assert_eq!((found.decision, found.unsteady.len()), (decision, 0), "{rule:?} {from}");
        let [change] = found.counters.as_slice() else { panic!("{:?}", found.counters) };
        assert_eq!((change.before, change.after, change.unsteady), (Some(10), Some(from), true));
        assert_eq!(change.values("-"), ("10".to_owned(), format!("{from} or more")));
    }
    // One that is not reported any more.
    let gone = changed(|r| _ = r.counters.remove("states"));
    let found = with(CounterRule::Exact, &states(0), &gone);
    assert_eq!((found.counters[0].before, found.counters[0].after), (Some(10), None));
    assert_eq!(with(CounterRule::Growth, &gone, &states(0)).decision, Decision::Fine);
}

#[test]
fn what_is_on_one_side_only_is_told() {
    let mut after = run(1, 1.0);
    add(&mut after, &record("f/new", "z", 0, 1_000_000));
    let found = compared(&run(0, 1.0), &after);
    assert_eq!(
        found.notes,
        [
            "1 task is only in the current run, such as f/new: not compared",
            "1 strategy is only in the current run, such as z: not compared"
        ]
    );
    assert_eq!(found.decision, Decision::Fine);
}

/// A record that the baseline does not have is judged all the same.
#[test]
fn a_wrong_record_without_a_partner_counts() {
    let decide = |disagreement, invalid_model| {
        let setting = Setting { disagreement, invalid_model, ..setting(Rules::default()) };
        compare(&run(0, 1.0), &run(1, 1.0), setting).decision
    };
    assert_eq!((decide(true, true), decide(true, false)), (Decision::Wrong, Decision::Wrong));
    assert_eq!((decide(false, true), decide(false, false)), (Decision::InvalidModel, Decision::Fine));
}

/// That nothing is worse means nothing where nothing was compared.
#[test]
fn nothing_compared_is_not_fine() {
    let late = |r: &mut Record| r.termination = Termination::Timeout(harness_model::record::TimeLimit::Cpu);
    let lists = |times_decide| Setting { times_decide, ..setting(Rules::default()) };
    let renamed = changed(|r| r.key.task = "g/1".into());
    let untimed = changed(|r| r.usage = None);
    let why = |before: &Observations, after: &Observations, times_decide| {
        let found = compare(before, after, lists(times_decide));
        let expected = if found.nothing_compared().is_some() { Decision::Incomplete } else { Decision::Fine };
        assert_eq!(found.decision, expected);
        found.nothing_compared()
    };
    let same = changed(|_| ());
    for decide in [true, false] {
        assert_eq!(why(&same, &same, decide), None);
        assert!(why(&same, &renamed, decide).is_some_and(|why| why.contains("in both runs")));
        assert!(why(&changed(late), &changed(late), decide).is_some_and(|why| why.contains("was solved")));
        // Gains are reported.
        assert_eq!(why(&changed(late), &same, decide), None);
    }
    assert!(why(&same, &untimed, true).is_some_and(|why| why.contains("has a time")));
    assert_eq!(why(&same, &untimed, false), None, "verdicts and counters were");
}

#[test]
fn a_strategy_below_the_resolution_is_told() {
    let zero = changed(|r| r.usage = Some(Usage { wall_ns: 1, cpu_ns: 0, peak_rss_bytes: 1 }));
    let found = compared(&zero, &zero);
    assert_eq!(found.decision, Decision::Fine);
    let [note] = found.notes.as_slice() else { panic!("{:?}", found.notes) };
    assert!(note.starts_with("a: no time can be told") && note.contains("(1 task)"), "{note}");
    let sums = (found.groups[0].before_ns, found.groups[0].after_ns);
    assert!(sums.0.is_sign_positive() && sums.1.is_sign_positive(), "{sums:?}");
}

#[test]
fn what_is_not_solved_in_all_repeats_any_more_is_told() {
    let once = changed(|r| {
        if r.key.repeat == 2 {
            r.termination = Termination::Timeout(harness_model::record::TimeLimit::Cpu);
        }
    });
    let note = "1 task is solved in most repeats but not in all any more, such as f/0 by a: timeout in 1 of 3 repeats";
    assert_eq!(compared(&changed(|_| ()), &once).notes.first().map(String::as_str), Some(note));
    assert!(!compared(&once, &once).notes.iter().any(|other| other == note), "it was so before");
}

/// What there is no room for is counted all the same, where it is.
#[test]
fn counters_beyond_the_list_are_counted_by_family() {
    let make = |by: u64| {
        let mut run = Observations::new(Metric::Cpu);
        for task in 0..12_000 {
            let mut record = record(&format!("f/{task:05}"), "a", 0, 1_000_000);
            record.counters.insert("states".into(), 10 + by);
            add(&mut run, &record);
        }
        for strategy in ["a", "b"] {
            let mut record = record("g/0", strategy, 0, 1_000_000);
            record.counters.insert("states".into(), 10 + by);
            add(&mut run, &record);
        }
        run
    };
    let found = compare(
        &make(0),
        &make(1),
        Setting { strategies: vec!["a".into(), "b".into()], ..setting(Rules::default()) },
    );
    assert_eq!(found.counters_differ, (12_002, 12_002));
    let counts: Vec<_> =
        found.counter_counts.iter().map(|c| (&*c.strategy, &*c.family, c.differ, c.count)).collect();
    assert_eq!(counts, [("a", "f", 12_000, 12_000), ("a", "g", 1, 1), ("b", "g", 1, 1)]);
    assert_eq!(found.counters.len(), 10_002);
    assert!(found.counters.iter().any(|change| &*change.strategy == "b"), "an example of each");
}

#[test]
fn faults_of_rounds_are_kept_once_and_ten_of_a_kind() {
    let with = |lines: std::ops::Range<u32>| {
        let contradictions = lines.map(|n| format!("line {n}")).collect();
        let faults = Faults { contradictions, invalid_models: vec![] };
        compare(&run(0, 1.0), &run(1, 1.0), Setting { faults, ..setting(Rules::default()) })
    };
    let mut found = with(0..2);
    found.confirm(&with(1..30));
    assert_eq!(found.faults.contradictions.len(), 10);
    assert_eq!(found.faults.contradictions[..3], ["line 0", "line 1", "line 2"]);
}

#[test]
fn an_incomplete_run_is_not_fine() {
    let setting = Setting { complete: false, ..setting(Rules::default()) };
    assert_eq!(compare(&run(0, 1.0), &run(1, 1.0), setting).decision, Decision::Incomplete);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    /// The order in which records were made changes nothing, and neither does the side that a ratio is taken
    /// from.
    #[test]
    fn the_order_of_records_and_of_sides(seed in 0_u64..1000, factor in 0.5_f64..2.0, rotate in 0_usize..60) {
        let mut records = Vec::new();
        for task in 0..10_u64 {
            for repeat in 0..6_u32 {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
                let cpu = (1e6 * factor * noise(seed * 100 + task * 10 + u64::from(repeat), 10)) as u64;
                records.push(record(&format!("f/{task}"), "a", repeat, cpu));
            }
        }
        let of = |records: &[Record]| {
            let mut run = Observations::new(Metric::Cpu);
            records.iter().for_each(|r| add(&mut run, r));
            run
        };
        let before = of(&records);
        records.rotate_left(rotate);
        let rotated = of(&records);
        let other = {
            let mut run = Observations::new(Metric::Cpu);
            for record in records.iter().map(|r| record(&r.key.task, "a", r.key.repeat, 1_000_000)) {
                add(&mut run, &record);
            }
            run
        };
        prop_assert_eq!(compared(&before, &other), compared(&rotated, &other));
        let (there, back) = (compared(&before, &other), compared(&other, &before));
        prop_assert!((there.groups[0].ratio.unwrap() * back.groups[0].ratio.unwrap() - 1.0).abs() < 1e-9);
    }
}

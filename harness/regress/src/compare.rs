//! The comparison itself: a pure function of two runs and the rules.

use std::collections::BTreeMap;
use std::sync::Arc;

use harness_model::calibration::Pace;
use harness_model::rules::{CounterRule, Metric, Rules};
use harness_model::{Status, Verdict};
use harness_stats::{holm, least_p, mann_whitney, median};
use rayon::prelude::*;

use crate::comparison::{
    Comparison, CounterChange, CounterCount, Decision, Extent, Faults, Group, MOST_COUNTERS, Side, Standing,
    StatusChange, StatusKind, TaskRow, Unsteady,
};
use crate::drift::Drift;
use crate::interval::{self, Times};
use crate::observations::{Counter, Observations, Seen};

/// What else a comparison depends on.
pub struct Setting<'a> {
    /// Of the study.
    pub name: String,
    /// What is compared with.
    pub baseline: Side,
    /// What is looked at.
    pub current: Side,
    /// The strategies in the order of the configuration; others follow by name.
    pub strategies: Vec<String>,
    /// What counts.
    pub rules: Rules,
    /// From which resamples are drawn.
    pub seed: u64,
    /// Whether both runs were made at the same time.
    pub interleaved: bool,
    /// Whether times decide.
    pub times_decide: bool,
    /// Whether what slows all strategies alike, or speeds them up, is taken out of the ratios, where there
    /// are at least [`LEAST_FOR_DRIFT`](crate::LEAST_FOR_DRIFT) strategies or both runs have measured the
    /// machine.
    pub take_drift_out: bool,
    /// Whether two strategies of the current run contradict each other.
    pub disagreement: bool,
    /// Whether a model of the current run does not satisfy its problem.
    pub invalid_model: bool,
    /// Which.
    pub faults: Faults,
    /// Whether no record is missing.
    pub complete: bool,
    /// Counters that may differ.
    pub ignored: &'a (dyn Fn(&str) -> bool + Sync),
    /// What is known beside.
    pub notes: Vec<String>,
}

/// A strategy on a task, on both sides.
struct Pair<'a> {
    strategy: Arc<str>,
    family: Arc<str>,
    task: Arc<str>,
    before: &'a Seen,
    after: &'a Seen,
    /// Where both sides have times above the clock's resolution.
    times: Option<Times>,
    /// Whether both have times, but not above it.
    below: bool,
    /// Whether it was solved: before, now.
    solved: (bool, bool),
    /// Places of the task and of the strategy among all names.
    rank: (u32, u32),
}

/// Compares `after` with `before`. Only what is on both sides is compared; the rest is counted in the notes.
///
/// Linear in the number of records but for sorting, apart from intervals and rank tests: on two cores about 3
/// s for twice half a million records. The same input gives the same value.
pub fn compare(before: &Observations, after: &Observations, setting: Setting<'_>) -> Comparison {
    let rules = &setting.rules;
    let mut notes = setting.notes;
    let paces = (&setting.baseline.pace, &setting.current.pace);
    let clock = Clock::of(rules.metric, paces, setting.interleaved, &mut notes);
    let pairs = pairs(before, after, &setting.strategies, clock);
    notes.extend(one_sided(before, after));

    let mut groups = groups(&pairs, rules, setting.seed);
    let drift = if setting.take_drift_out {
        let kernel = |side: &Side| side.pace.kernel_ns;
        let found =
            Drift::of(&ratios(&groups), kernel(&setting.baseline), kernel(&setting.current), rules.ratio);
        notes.extend(found.note(rules.ratio).filter(|_| setting.times_decide));
        found.taken
    } else {
        None
    };
    if let Some(drift) = drift {
        for group in &mut groups {
            group.ratio = group.ratio.map(|ratio| ratio / drift);
            group.interval = group.interval.map(|(low, high)| (low / drift, high / drift));
        }
    }
    for group in &mut groups {
        group.standing = group_standing(group, rules);
    }
    let alone = groups.iter().filter(|group| group.ratio.is_some() && group.interval.is_none()).count();
    if alone > 0 {
        notes.push(format!(
            "{} a single time on each side, which tells nothing of noise: not judged; give more 'repeats'",
            counted(alone as u64, "group has", "groups have")
        ));
    }
    notes.extend(below_resolution(&groups));
    notes.extend(now_and_then(&pairs));
    let tasks = task_rows(&pairs, rules, drift.unwrap_or(1.0), clock, &mut notes);
    let statuses = pairs.iter().filter_map(status_change).collect();
    let counters = counters(&pairs, before, after, rules, setting.ignored);
    let mut comparison = Comparison {
        name: setting.name,
        baseline: setting.baseline,
        current: setting.current,
        rules: setting.rules,
        interleaved: setting.interleaved,
        times_decide: setting.times_decide,
        drift,
        groups,
        tasks,
        statuses,
        counters: counters.kept,
        counters_differ: (counters.differ, counters.count),
        counter_counts: counters.by_name,
        unsteady: counters.unsteady,
        extent: Extent {
            pairs: pairs.len() as u64,
            solved: pairs.iter().filter(|pair| pair.solved == (true, true)).count() as u64,
            timed: pairs.iter().filter(|pair| pair.times.is_some() || pair.below).count() as u64,
        },
        disagreement: setting.disagreement,
        invalid_model: setting.invalid_model,
        faults: setting.faults,
        complete: setting.complete,
        notes,
        decision: Decision::Fine,
    };
    comparison.decide();
    comparison
}

/// How times are read from what was measured.
#[derive(Clone, Copy)]
struct Clock {
    /// What is taken off each time, before and now, in nanoseconds.
    off: (u64, u64),
    /// What a time has to be above, to be told from nothing.
    least: u64,
}

impl Clock {
    /// Of a metric, with what both sides have measured of the machine. The kernel gives processor time in
    /// microseconds; reading the monotonic clock takes some tens of nanoseconds. What is left of a record
    /// when an empty one is taken off has the noise of both, which is some tenths of an empty one.
    ///
    /// Where both sides ran at the same time, the same is taken off both: so an error of what an empty record
    /// took makes no difference between them. At different times, each machine has its own.
    fn of(
        metric: Metric,
        (before, after): (&Pace, &Pace),
        interleaved: bool,
        notes: &mut Vec<String>,
    ) -> Self {
        match metric {
            Metric::Solve => Self { off: (0, 0), least: 100 },
            Metric::Cpu => Self { off: (0, 0), least: 1_000 },
            Metric::Own => match before.empty_ns.zip(after.empty_ns) {
                Some((then, now)) => {
                    let off =
                        if interleaved { (then.midpoint(now), then.midpoint(now)) } else { (then, now) };
                    Self { off, least: (off.0.max(off.1) / 5).max(1_000) }
                }
                None => {
                    notes.push(
                        "one of the runs has no empty records: times are with what each record takes before and after its own work"
                            .to_owned(),
                    );
                    Self { off: (0, 0), least: 1_000 }
                }
            },
        }
    }

    /// The times of one side without `off`, ascending.
    fn read(times: &[u64], off: u64) -> Vec<u64> {
        let mut times: Vec<u64> = times.iter().map(|time| time.saturating_sub(off)).collect();
        times.sort_unstable();
        times
    }
}

/// What both sides have, by strategy in the order of the configuration, then family, then task.
fn pairs<'a>(
    before: &'a Observations,
    after: &'a Observations,
    order: &[String],
    clock: Clock,
) -> Vec<Pair<'a>> {
    let tasks: Vec<Option<u32>> = after.tasks.iter().map(|(_, name)| before.tasks.find(name)).collect();
    let strategies: Vec<Option<u32>> =
        after.strategies.iter().map(|(_, name)| before.strategies.find(name)).collect();
    // Numbers are compared instead of names: there may be half a million pairs.
    let (task_ranks, family_ranks, strategy_ranks) =
        (after.tasks.ranks(), after.families.ranks(), after.strategies.ranks());
    let places: Vec<usize> = after
        .strategies
        .iter()
        .map(|(_, name)| order.iter().position(|known| **known == **name).unwrap_or(order.len()))
        .collect();
    let mut keyed: Vec<((usize, u32, u32, u32), Pair<'a>)> = after
        .all()
        .par_iter()
        .filter_map(|&((task, strategy), ref now)| {
            let (t, s) = (task as usize, strategy as usize);
            let old = (tasks.get(t).copied()??, strategies.get(s).copied()??);
            let then = before.seen(old)?;
            let family = after.family_of.get(t).copied().unwrap_or(0);
            let solved = (then.is_solved(), now.is_solved());
            let (times, below) = if solved == (true, true) { times(then, now, clock) } else { (None, false) };
            let rank = (*task_ranks.get(t)?, *strategy_ranks.get(s)?);
            let pair = Pair {
                strategy: after.strategies.name(strategy),
                family: after.families.name(family),
                task: after.tasks.name(task),
                before: then,
                after: now,
                times,
                below,
                solved,
                rank,
            };
            Some(((*places.get(s)?, rank.1, *family_ranks.get(family as usize)?, rank.0), pair))
        })
        .collect();
    keyed.par_sort_unstable_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, pair)| pair).collect()
}

/// The times of both sides, which were both solved, ascending, where one of the middle ones is above what can
/// be told; else whether there are some that are not. Shorter ones among them stand as the shortest that can
/// be told, so that no resample has a ratio that is none.
fn times(before: &Seen, after: &Seen, clock: Clock) -> (Option<Times>, bool) {
    if before.times.is_empty() || after.times.is_empty() {
        return (None, false);
    }
    let (then, now) = (Clock::read(&before.times, clock.off.0), Clock::read(&after.times, clock.off.1));
    // The lower one of two in the middle.
    let short = |times: &[u64]| times.get((times.len() - 1) / 2).is_none_or(|&middle| middle <= clock.least);
    // Of one alone, what was too short to tell has become long, or the reverse: that is never left out.
    if short(&then) && short(&now) {
        return (None, true);
    }
    #[expect(clippy::cast_precision_loss, reason = "2^53 ns are 104 days")]
    let floats = |times: Vec<u64>| times.into_iter().map(|ns| ns.max(clock.least) as f64).collect();
    (Some(Times { before: floats(then), after: floats(now) }), false)
}

/// What only one side has.
fn one_sided(before: &Observations, after: &Observations) -> Vec<String> {
    let mut notes = Vec::new();
    let mut tell = |what: (&str, &str), a: &crate::observations::Names, b: &crate::observations::Names| {
        for (side, names, others) in [("current run", a, b), ("baseline", b, a)] {
            let only: Vec<&Arc<str>> =
                names.iter().filter(|(_, name)| others.find(name).is_none()).map(|(_, name)| name).collect();
            if let Some(first) = only.first() {
                notes.push(format!(
                    "{} only in the {side}, such as {first}: not compared",
                    counted(only.len() as u64, what.0, what.1)
                ));
            }
        }
    };
    tell(("task is", "tasks are"), &after.tasks, &before.tasks);
    tell(("strategy is", "strategies are"), &after.strategies, &before.strategies);
    notes
}

/// The strategies that solved something on both sides, but in no time that the clock can tell.
fn below_resolution(groups: &[Group]) -> impl Iterator<Item = String> + '_ {
    let of_none = |group: &&Group| group.family.is_none() && group.tasks == 0 && group.below_resolution > 0;
    groups.iter().filter(of_none).map(|group| {
        format!(
            "{}: no time can be told from that of an empty record, or from the clock's resolution ({}): its times are not judged",
            group.strategy,
            counted(group.below_resolution, "task", "tasks")
        )
    })
}

/// Tasks that are solved in most repeats, though not in all, and were in all of them before.
fn now_and_then(pairs: &[Pair<'_>]) -> Option<String> {
    let mut found = pairs.iter().filter(|pair| {
        pair.solved == (true, true) && pair.before.unsolved().0 == 0 && pair.after.unsolved().0 > 0
    });
    let first = found.next()?;
    let (unsolved, repeats) = first.after.unsolved();
    Some(format!(
        "{} solved in most repeats but not in all any more, such as {} by {}: {} in {unsolved} of {repeats} repeats",
        counted(1 + found.count() as u64, "task is", "tasks are"),
        first.task,
        first.strategy,
        first.after.most_unsolved().map_or("not solved", |status| status.name()),
    ))
}

/// A number with its noun.
fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A row a strategy, followed by one for each of its families.
fn groups(pairs: &[Pair<'_>], rules: &Rules, seed: u64) -> Vec<Group> {
    let mut slices: Vec<(Option<Arc<str>>, &[Pair<'_>])> = Vec::new();
    for of_strategy in pairs.chunk_by(|a, b| a.strategy == b.strategy) {
        slices.push((None, of_strategy));
        for of_family in of_strategy.chunk_by(|a, b| a.family == b.family) {
            slices.push((of_family.first().map(|pair| Arc::clone(&pair.family)), of_family));
        }
    }
    slices
        .into_par_iter()
        .enumerate()
        .map(|(number, (family, pairs))| group(family, pairs, rules, seed.wrapping_add(number as u64)))
        .collect()
}

fn group(family: Option<Arc<str>>, pairs: &[Pair<'_>], rules: &Rules, seed: u64) -> Group {
    let times: Vec<&Times> = pairs.iter().filter_map(|pair| pair.times.as_ref()).collect();
    // From 0: the sum of no numbers is -0.
    let sum =
        |side: fn(&Times) -> &[f64]| times.iter().fold(0.0, |sum, times| sum + interval::middle(side(times)));
    let solved = |side: fn(&Pair<'_>) -> bool| pairs.iter().filter(|pair| side(pair)).count() as u64;
    Group {
        strategy: pairs.first().map_or_else(|| "".into(), |pair| Arc::clone(&pair.strategy)),
        family,
        tasks: times.len() as u64,
        below_resolution: solved(|pair| pair.below),
        solved_before: solved(|pair| pair.solved.0),
        solved_after: solved(|pair| pair.solved.1),
        before_ns: sum(|times| &times.before),
        after_ns: sum(|times| &times.after),
        ratio: interval::ratio(&times),
        interval: interval::interval(&times, 1.0 - rules.alpha, seed),
        standing: Standing::NotComparable,
    }
}

/// The ratios of the strategies over all their families.
fn ratios(groups: &[Group]) -> Vec<f64> {
    groups.iter().filter(|group| group.family.is_none()).filter_map(|group| group.ratio).collect()
}

fn group_standing(group: &Group, rules: &Rules) -> Standing {
    let Some(ratio) = group.ratio else { return Standing::NotComparable };
    match group.interval {
        Some((low, _)) if ratio >= rules.ratio && low > 1.0 => Standing::Slower,
        Some((_, high)) if ratio <= 1.0 / rules.ratio && high < 1.0 => Standing::Faster,
        _ => Standing::Same,
    }
}

/// A row a pair, in the order of [`Comparison::tasks`].
fn task_rows(
    pairs: &[Pair<'_>],
    rules: &Rules,
    drift: f64,
    clock: Clock,
    notes: &mut Vec<String>,
) -> Vec<TaskRow> {
    let paired = pairs.iter().filter(|pair| pair.times.is_some()).count();
    let least = |times: &Times| least_p(times.before.len(), times.after.len()).unwrap_or(1.0);
    let level = rules.alpha / harness_stats::sample::count(paired.max(1));
    let raw: Vec<Option<f64>> = pairs
        .par_iter()
        .map(|pair| {
            let times = pair.times.as_ref().filter(|times| least(times) <= level)?;
            let after: Vec<f64> = times.after.iter().map(|time| time / drift).collect();
            mann_whitney(&times.before, &after)
        })
        .collect();
    let tested: Vec<f64> = raw.iter().flatten().copied().collect();
    if tested.is_empty() && paired > 0 {
        let enough = (1..100).find(|&n| least_p(n, n).is_some_and(|p| p <= level)).unwrap_or(100);
        notes.push(format!(
            "no single task is tested: among {paired} tasks and strategies it takes {enough} repeats on each side to tell one from \
             noise; groups are judged all the same"
        ));
    }
    let mut corrected = holm(&tested).into_iter();
    let mut rows: Vec<((u32, u32), TaskRow)> = pairs
        .iter()
        .zip(raw)
        .map(|(pair, raw)| {
            (pair.rank, task_row(pair, raw.and_then(|_| corrected.next()), rules, drift, clock))
        })
        .collect();
    let key = |row: &TaskRow| match row.standing {
        Standing::Slower => -row.ratio.unwrap_or(0.0),
        _ => 0.0,
    };
    rows.par_sort_unstable_by(|(a, left), (b, right)| {
        key(left).total_cmp(&key(right)).then_with(|| a.cmp(b))
    });
    rows.into_iter().map(|(_, row)| row).collect()
}

fn task_row(pair: &Pair<'_>, p: Option<f64>, rules: &Rules, drift: f64, clock: Clock) -> TaskRow {
    let middle = |seen: &Seen, off| {
        #[expect(clippy::cast_precision_loss, reason = "2^53 ns are 104 days")]
        let times: Vec<f64> = Clock::read(&seen.times, off).into_iter().map(|ns| ns as f64).collect();
        median(&times)
    };
    let ratio = pair.times.as_ref().map(|times| times.log_ratio().exp() / drift);
    let sure = p.is_some_and(|p| p <= rules.alpha);
    let standing = match ratio {
        None => Standing::NotComparable,
        Some(ratio) if sure && ratio >= rules.task_ratio => Standing::Slower,
        Some(ratio) if sure && ratio <= 1.0 / rules.task_ratio => Standing::Faster,
        Some(_) => Standing::Same,
    };
    let samples = |seen: &Seen| u32::try_from(seen.times.len()).unwrap_or(u32::MAX);
    TaskRow {
        task: Arc::clone(&pair.task),
        family: Arc::clone(&pair.family),
        strategy: Arc::clone(&pair.strategy),
        before_ns: middle(pair.before, clock.off.0),
        after_ns: middle(pair.after, clock.off.1),
        samples: (samples(pair.before), samples(pair.after)),
        ratio,
        p,
        standing,
    }
}

/// What became of a task, where that is another thing than before, or wrong.
fn status_change(pair: &Pair<'_>) -> Option<StatusChange> {
    let (before, after) = (pair.before.status()?, pair.after.status()?);
    let (was, is) = pair.solved;
    let contradiction =
        if was && is { contradiction(pair.before.verdicts.all(), pair.after.verdicts.all()) } else { None };
    let kind = match after {
        Status::Wrong => StatusKind::Wrong,
        Status::InvalidModel => StatusKind::InvalidModel,
        _ if contradiction.is_some() => StatusKind::Wrong,
        _ if was && !is => StatusKind::Lost,
        _ if !was && is => StatusKind::Gained,
        _ if before != after => StatusKind::Other,
        _ => return None,
    };
    Some(StatusChange {
        task: Arc::clone(&pair.task),
        family: Arc::clone(&pair.family),
        strategy: Arc::clone(&pair.strategy),
        before,
        after,
        kind,
        detail: contradiction.unwrap_or_else(|| pair.after.detail.to_string()),
    })
}

/// Where two builds cannot both be right. `unsat-within-bound` contradicts nothing.
fn contradiction(before: &[Verdict], after: &[Verdict]) -> Option<String> {
    let negative = |verdict: Verdict| verdict.is_negative() && verdict != Verdict::UnsatWithinBound;
    let contrary =
        |a: Verdict, b: Verdict| (a.is_positive() && negative(b)) || (negative(a) && b.is_positive());
    let place = before.iter().zip(after).position(|(a, b)| contrary(*a, *b))?;
    let (a, b) = (before[place], after[place]);
    let which = if before.len() > 1 { format!(" of operation {}", place + 1) } else { String::new() };
    Some(format!("the baseline says {a}{which}, the current run {b}"))
}

/// What counters differ, and how many do.
#[derive(Default)]
struct Counters {
    kept: Vec<CounterChange>,
    /// How many of the kept ones do not count.
    spare: usize,
    differ: u64,
    count: u64,
    by_name: Vec<CounterCount>,
    unsteady: Vec<Unsteady>,
}

/// What is known of a counter of a strategy in a family.
#[derive(Default)]
struct Tally<'a> {
    differ: u64,
    count: u64,
    /// Tasks of which it cannot be told, and the first of them.
    unsteady: u64,
    first: Option<&'a Arc<str>>,
}

/// Counters of what was solved on both sides.
fn counters(
    pairs: &[Pair<'_>],
    before: &Observations,
    after: &Observations,
    rules: &Rules,
    ignored: &(dyn Fn(&str) -> bool + Sync),
) -> Counters {
    let mut found = Counters::default();
    // Names of this side's counters with the number on the other one, ignored ones left out.
    let ours: Vec<Option<(Arc<str>, Option<u32>)>> = after
        .counters
        .iter()
        .map(|(_, name)| (!ignored(name)).then(|| (Arc::clone(name), before.counters.find(name))))
        .collect();
    let theirs: Vec<Option<Arc<str>>> =
        before.counters.iter().map(|(_, name)| (!ignored(name)).then(|| Arc::clone(name))).collect();
    // Pairs are in the order of strategies and families.
    for group in pairs.chunk_by(|a, b| a.strategy == b.strategy && a.family == b.family) {
        let mut tallies: BTreeMap<Arc<str>, Tally<'_>> = BTreeMap::new();
        for pair in group.iter().filter(|pair| pair.solved == (true, true)) {
            let then = |name: u32| pair.before.counters.iter().find(|counter| counter.name == name);
            let mut met = Vec::with_capacity(pair.before.counters.len());
            for counter in &pair.after.counters {
                let Some((name, old)) = ours.get(counter.name as usize).and_then(Option::as_ref) else {
                    continue;
                };
                met.extend(*old);
                let old = old.and_then(then).copied();
                found.note(pair, name, old, Some(*counter), rules.counters, &mut tallies);
            }
            for counter in &pair.before.counters {
                let Some(name) = theirs.get(counter.name as usize).and_then(Option::as_ref) else { continue };
                if !met.contains(&counter.name) {
                    found.note(pair, name, Some(*counter), None, rules.counters, &mut tallies);
                }
            }
        }
        if let Some(pair) = group.first() {
            found.close(pair, tallies);
        }
    }
    found.kept.sort_by(|a, b| {
        let key = |c: &CounterChange| (!c.counts, Arc::clone(&c.strategy), Arc::clone(&c.counter));
        key(a).cmp(&key(b)).then_with(|| a.task.cmp(&b.task))
    });
    found
}

impl Counters {
    /// Takes note of a counter where it differs; `None`: not reported.
    fn note<'a>(
        &mut self,
        pair: &'a Pair<'_>,
        name: &Arc<str>,
        before: Option<Counter>,
        after: Option<Counter>,
        rule: CounterRule,
        tallies: &mut BTreeMap<Arc<str>, Tally<'a>>,
    ) {
        // What jittered before holds nothing to account.
        let jittered = before.is_some_and(|counter| !counter.steady);
        let unsteady = after.is_some_and(|counter| !counter.steady);
        let (before, after) = (before.map(|counter| counter.least), after.map(|counter| counter.least));
        if !jittered && !unsteady && before == after {
            return;
        }
        let tally = match tallies.get_mut(name) {
            Some(tally) => tally,
            None => tallies.entry(Arc::clone(name)).or_default(),
        };
        if jittered {
            tally.unsteady += 1;
            tally.first.get_or_insert(&pair.task);
            return;
        }
        let counts = match rule {
            CounterRule::Exact => true,
            CounterRule::Growth => matches!((before, after), (Some(before), Some(after)) if after > before),
            CounterRule::Show => false,
        };
        // There is an example of everything that differs, whatever else there is room for.
        let example = if counts { tally.count == 0 } else { tally.differ == 0 };
        tally.differ += 1;
        tally.count += u64::from(counts);
        self.differ += 1;
        self.count += u64::from(counts);
        // One that counts is never left out for one that does not.
        if self.kept.len() >= MOST_COUNTERS && !example {
            if !counts || self.spare == 0 {
                return;
            }
            let Some(place) = self.kept.iter().position(|kept| !kept.counts) else { return };
            self.kept.swap_remove(place);
            self.spare -= 1;
        }
        self.spare += usize::from(!counts);
        self.kept.push(CounterChange {
            task: Arc::clone(&pair.task),
            family: Arc::clone(&pair.family),
            strategy: Arc::clone(&pair.strategy),
            counter: Arc::clone(name),
            before,
            after,
            unsteady,
            counts,
        });
    }

    /// Keeps the numbers of a strategy in a family, that of `pair`.
    fn close(&mut self, pair: &Pair<'_>, tallies: BTreeMap<Arc<str>, Tally<'_>>) {
        for (counter, tally) in tallies {
            let (strategy, family) = (Arc::clone(&pair.strategy), Arc::clone(&pair.family));
            if let Some(first) = tally.first {
                self.unsteady.push(Unsteady {
                    strategy: Arc::clone(&strategy),
                    family: Arc::clone(&family),
                    counter: Arc::clone(&counter),
                    tasks: tally.unsteady,
                    task: Arc::clone(first),
                });
            }
            if tally.differ > 0 {
                let (differ, count) = (tally.differ, tally.count);
                self.by_name.push(CounterCount { strategy, family, counter, differ, count });
            }
        }
    }
}

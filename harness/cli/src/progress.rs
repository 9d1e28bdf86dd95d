//! How far a run is: a bar on a terminal, a line now and then elsewhere, both on standard error.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use harness_exec::scheduler::{self, Observer};
use harness_model::record::Record;
use harness_model::run::RunInfo;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reports::format::counted;

use crate::out;

/// How often a line is written where there is no terminal.
const EVERY: Duration = Duration::from_secs(10);

/// How long something must be running to be worth a mention.
const LONG: Duration = Duration::from_secs(1);

/// Shows how far a run is.
pub struct Progress {
    shown: Shown,
    before: usize,
    planned: u64,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    Lines { next: Instant },
}

impl Progress {
    /// For a run of which `before` records are there already.
    pub fn new(run: &RunInfo, before: usize, quiet: bool) -> Self {
        let shown = if quiet {
            Shown::Nothing
        } else if io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(run.planned), ProgressDrawTarget::stderr());
            // A template without colours; a broken one would only look worse.
            if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len}{msg}") {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.set_position(before as u64);
            Shown::Bar(bar)
        } else {
            let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
            out::tell(format_args!(
                "{}: {}, {}, {}, {}",
                run.name,
                counted(number(run.planned), "record", "records"),
                counted(number(run.tasks), "task", "tasks"),
                counted(run.strategies.len(), "strategy", "strategies"),
                counted(number(u64::from(run.workers)), "worker", "workers")
            ));
            Shown::Lines { next: Instant::now() + EVERY }
        };
        Self { shown, before, planned: run.planned }
    }

    /// Takes the bar away.
    pub fn finish(&mut self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
        self.shown = Shown::Nothing;
    }

    fn show(&mut self, progress: &scheduler::Progress) {
        let done = self.before + progress.done;
        match &mut self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                bar.set_position(done as u64);
                bar.set_message(describe(progress));
            }
            Shown::Lines { next } => {
                let now = Instant::now();
                if now >= *next {
                    *next = now + EVERY;
                    out::tell(format_args!("{done}/{}{}", self.planned, describe(progress)));
                }
            }
        }
    }
}

impl Observer for Progress {
    fn finished(&mut self, progress: &scheduler::Progress, _: &Record) {
        self.show(progress);
    }

    fn tick(&mut self, progress: &scheduler::Progress) {
        self.show(progress);
    }
}

/// How long the rest takes, and what takes long.
fn describe(progress: &scheduler::Progress) -> String {
    let mut text = String::new();
    if let Some(eta) = progress.eta() {
        text.push_str(&format!(", about {} left", rough(eta)));
    }
    let long = progress.running.values().filter(|running| running.since.elapsed() >= LONG);
    if let Some(running) = long.min_by_key(|running| running.since) {
        let (key, time) = (&running.key, rough(running.since.elapsed()));
        text.push_str(&format!("; {} on {} since {time}", key.strategy, key.task));
    }
    text
}

/// A time as people say it.
fn rough(time: Duration) -> String {
    match time.as_secs() {
        s @ 0..=119 => format!("{s} s"),
        s @ 120..=7199 => format!("{} min", s.div_ceil(60)),
        s => format!("{} h {} min", s / 3600, s % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_people_say_them() {
        let cases = [(0, "0 s"), (119, "119 s"), (120, "2 min"), (121, "3 min"), (7260, "2 h 1 min")];
        for (seconds, text) in cases {
            assert_eq!(rough(Duration::from_secs(seconds)), text);
        }
    }
}

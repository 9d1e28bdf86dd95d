//! What runs took, as comments of SMT-LIB below their answers.

use std::fmt::Write as _;

use harness_model::record::Record;
use reports::format;

use crate::exit::Exit;
use crate::out;
use crate::solve::asked::Told;

/// What is said of a run: usage, then phases and counters in their own order.
pub fn of(record: &Record) -> String {
    let mut text = String::new();
    if let Some(usage) = record.usage {
        let _ = writeln!(
            text,
            "; wall {}, cpu {}, peak memory {}",
            time(usage.wall_ns),
            time(usage.cpu_ns),
            format::bytes(usage.peak_rss_bytes)
        );
    }
    let phases = record.phases.iter().map(|(name, phase)| (name, time(phase.shown_ns())));
    let counters = record.counters.iter().map(|(name, count)| (name, count.to_string()));
    let rows: Vec<Vec<String>> = phases
        .map(|(name, shown)| ["phase", name.as_str(), shown.as_str()].map(str::to_owned).to_vec())
        .chain(
            counters
                .map(|(name, shown)| ["count", name.as_str(), shown.as_str()].map(str::to_owned).to_vec()),
        )
        .collect();
    text + &comment(&out::table(&rows))
}

fn time(nanoseconds: u64) -> String {
    format::duration(nanoseconds as f64 / 1e9)
}

fn comment(text: &str) -> String {
    text.lines().map(|line| format!("; {line}\n")).collect()
}

/// The sums of one strategy over files.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    sat: usize,
    unsat: usize,
    unknown: usize,
    failed: usize,
    cpu_ns: u64,
    peak: u64,
}

impl Sum {
    /// Adds a run.
    pub fn add(&mut self, told: &Told, record: &Record) {
        for verdict in &told.verdicts {
            match verdict {
                Some(true) => self.sat += 1,
                Some(false) => self.unsat += 1,
                None => self.unknown += 1,
            }
        }
        self.failed += usize::from(told.exit != Exit::Fine);
        if let Some(usage) = record.usage {
            self.cpu_ns += usage.cpu_ns;
            self.peak = self.peak.max(usage.peak_rss_bytes);
        }
    }
}

/// A table of the sums of all strategies.
pub fn sums<'a>(rows: impl Iterator<Item = (&'a str, &'a Sum)>) -> String {
    let head = ["strategy", "sat", "unsat", "unknown", "failed", "cpu", "peak memory"];
    let mut table = vec![head.map(str::to_owned).to_vec()];
    for (name, sum) in rows {
        table.push(vec![
            name.to_owned(),
            sum.sat.to_string(),
            sum.unsat.to_string(),
            sum.unknown.to_string(),
            sum.failed.to_string(),
            time(sum.cpu_ns),
            format::bytes(sum.peak),
        ]);
    }
    comment(&out::table(&table))
}

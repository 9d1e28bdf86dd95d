//! Experiment 2: what Hampi's time is made of, for one fixed length after the other (figures 4.6 and 4.7).
//!
//! A strategy is Hampi with a least length that is its greatest one. Encoding and solving are its phases of
//! these names; all else but the start of Z3 is other. The claims are tested with the SAT solver as the
//! engine: Hampi's own solver, STP, gives each bit to one. Z3's bit-vectors are shown beside it.

use crate::analysis::Analysis;
use crate::claim::measure::{Pairs, Side, Value};
use crate::claim::{Claim, Expected, Finding, Unit};
use crate::dataset::{Dataset, Row};
use crate::layout::{Layout, Part};
use crate::output::ReportError;
use crate::plot::Plot;
use crate::plot::shares::{Bar, Shares};
use crate::strategy::option;
use crate::table::{Cell, Column, Table};

/// The family of the tasks.
const FAMILY: &str = "systems/li2009/difference";

/// Experiment 2.
#[derive(Debug)]
pub struct Experiment2;

impl Layout for Experiment2 {
    fn name(&self) -> &'static str {
        "experiment-2"
    }

    fn about(&self) -> &'static str {
        "What Hampi's time is made of, by length, as figures 4.6 and 4.7 of the study"
    }

    fn families(&self) -> Vec<&'static str> {
        vec![FAMILY]
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        let lengths = lengths(analysis.dataset);
        let bars: Vec<Bar> = lengths
            .iter()
            .map(|length| Bar { label: length.label(), parts: length.means().to_vec() })
            .collect();
        let shares = Shares {
            title: self.about(),
            subtitle: "the mean over all tasks that were answered",
            y_label: "length",
            names: &["encoding", "solving", "other"],
            bars: &bars,
        };
        let alt = "For each length, the shares of encoding, solving and other work in the time".to_owned();
        let plot = Plot::new(self.name(), alt, (shares.svg(), shares.csv()))?;
        Ok(vec![Part::Table(table(&lengths)), Part::Plot(plot)])
    }

    fn claims(&self, analysis: &Analysis<'_>) -> Result<Vec<Finding>, ReportError> {
        let dataset = analysis.dataset;
        let mut lengths = lengths(dataset);
        lengths.retain(|length| length.engine == PUBLISHED);
        let [tenth, grows] = CLAIMS;
        let solving = lengths.iter().map(|length| length.side(dataset, 1));
        let all = Side::together("Hampi, all lengths", solving);
        let small = all.share(|value| matches!(value, Value::Number(share) if share < 0.1));
        let ends = (lengths.iter().min_by_key(|length| length.bound), lengths.iter().max_by_key(|l| l.bound));
        let grown = match ends {
            (Some(short), Some(long)) if short.bound < long.bound => {
                let [long, short] = [long, short].map(|length| length.side(dataset, 0));
                Pairs::new(&long, &short, dataset.run.seed).and_then(|pairs| pairs.medians())
            }
            _ => Err("the run has no two lengths".to_owned()),
        };
        Ok(vec![tenth.judge(small), grows.judge(grown)])
    }
}

const PLACE: &str = "Hooimeijer, section 4.2.2, figure 4.6";

const CLAIMS: [Claim; 2] = [
    Claim {
        id: "solving-is-little",
        place: PLACE,
        says: "solving typically accounts for less than 10 % of the time",
        measure: "the share of runs (task and length) in which solving by a SAT solver takes less than a tenth of the time",
        unit: Unit::Share,
        expected: Expected::Above(0.5),
        published: None,
        reason: None,
    },
    Claim {
        id: "encoding-grows",
        place: PLACE,
        says: "encoding is the most prominent part, and the more so the greater the length",
        measure: "the median share of encoding in the time, the greatest length : the least",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: None,
        reason: None,
    },
];

/// The engine that is like the published one.
const PUBLISHED: &str = "sat";

/// Hampi with one length.
struct Length {
    bound: u64,
    engine: String,
    strategy: String,
    /// Of each record that was answered: encoding, solving, other, in seconds.
    times: Vec<[f64; 3]>,
}

impl Length {
    fn label(&self) -> String {
        if self.engine == PUBLISHED {
            self.bound.to_string()
        } else {
            format!("{} {}", self.bound, self.engine)
        }
    }

    fn means(&self) -> [f64; 3] {
        let count = crate::stats::sample::count(self.times.len().max(1));
        [0, 1, 2].map(|part| self.times.iter().map(|times| times[part]).sum::<f64>() / count)
    }

    /// The share of a part, by task.
    fn side(&self, dataset: &Dataset, part: usize) -> Side {
        let share = |row: &Row| {
            let times = parts(dataset, row)?;
            let whole: f64 = times.iter().sum();
            (whole > 0.0).then(|| times[part] / whole)
        };
        Side::of(dataset, &self.strategy, |row| row.record.family == FAMILY, "without phases", share)
    }
}

/// Encoding, solving and other work of a record.
fn parts(dataset: &Dataset, row: &Row) -> Option<[f64; 3]> {
    let whole = dataset.own_s(row)?;
    let [encode, solving] = ["encode", "solving"].map(|phase| row.phase_s(phase).unwrap_or(0.0));
    row.phase_s("other")?;
    Some([encode, solving, (whole - encode - solving).max(0.0)])
}

/// The lengths of a run, the least first; those of other engines than the published one after these.
fn lengths(dataset: &Dataset) -> Vec<Length> {
    let mut lengths: Vec<Length> = dataset
        .run
        .strategies
        .iter()
        .filter(|row| row.family == "hampi")
        .filter_map(|row| {
            let [least, most] =
                ["min-length", "max-length"].map(|name| option(row, name)?.parse::<u64>().ok());
            let bound = most.filter(|_| least == most)?;
            let own = dataset.rows().iter().filter(|other| {
                other.strategy() == row.name && other.record.family == FAMILY && other.status().is_solved()
            });
            let times = own.filter_map(|row| parts(dataset, row)).collect();
            let engine = option(row, "engine").unwrap_or_default().to_owned();
            Some(Length { bound, engine, strategy: row.name.clone(), times })
        })
        .collect();
    lengths.sort_by_key(|length| (length.engine != PUBLISHED, length.bound));
    lengths
}

/// For each length the mean times of the parts, and their shares.
fn table(lengths: &[Length]) -> Table {
    let mut table = Table::new(
        "experiment-2",
        0,
        vec![
            Column::number("length", "length"),
            Column::text("engine", "engine"),
            Column::number("runs", "runs"),
            Column::number("encoding_s", "encoding"),
            Column::number("solving_s", "solving"),
            Column::number("other_s", "other"),
            Column::number("solving_share", "solving, share"),
        ],
    );
    for length in lengths {
        let means = length.means();
        let whole: f64 = means.iter().sum();
        let mut row = vec![
            Cell::text(length.bound.to_string()),
            Cell::text(length.engine.as_str()),
            Cell::count(length.times.len()),
        ];
        row.extend(means.map(|mean| Cell::seconds((!length.times.is_empty()).then_some(mean))));
        let share = (whole > 0.0).then(|| means[1] / whole);
        row.push(share.map_or_else(Cell::absent, |share| {
            Cell::pair(format!("{:.1} %", 100.0 * share), share.to_string())
        }));
        table.push(row);
    }
    table.note("Means over the tasks that were answered; the start of Z3 is left out.");
    table
}

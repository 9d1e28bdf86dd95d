//! Table 4.2: random string graphs, by automata and by bit-vectors; what became of them; and those on which the two differ
//! most.

use std::collections::{BTreeMap, BTreeSet};

use corpora::published::{self, Approach, GraphGroup, PublishedError, Statistic};
use harness_model::Status;

use super::graphs::{Run, strategies, truths};
use crate::dataset::Dataset;
use crate::format;
use crate::stats;
use crate::table::{Cell, Column, Table};

/// The family whose tasks are random graphs begins so.
const FAMILY: &str = "random-graphs/";

/// Words at the end of a family's name, and how many edges they mean.
const SIZES: [(&str, u64); 4] = [("five", 5), ("-5", 5), ("ten", 10), ("-10", 10)];

/// From which ratio of string times on the study calls a graph an outlier (section 4.3).
const OUTLIER: f64 = 100.0;

/// So many outliers are shown; all are in the file.
const SHOWN: usize = 60;

/// The measured values of one graph, in the order of the published columns.
type Values = [f64; 6];

/// Which part of the table a graph is in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group<'a> {
    /// As the study has them: unsatisfiable after satisfiable ones, by number of edges.
    Study {
        unsat: bool,
        edges: u64,
    },
    /// Other graphs.
    Family {
        family: &'a str,
        unsat: bool,
    },
    All,
}

impl Group<'_> {
    fn title(&self) -> String {
        let result = |unsat| if unsat { "unsat" } else { "sat" };
        match self {
            Self::Study { unsat, edges } => format!("{edges} edges, {}", result(*unsat)),
            Self::Family { family, unsat } => format!("{family}, {}", result(*unsat)),
            Self::All => "all".to_owned(),
        }
    }
}

impl From<GraphGroup> for Group<'_> {
    fn from(group: GraphGroup) -> Self {
        Self::Study { unsat: !group.sat, edges: group.edges }
    }
}

/// The group of a graph of `family`.
fn group(family: &str, sat: bool) -> Group<'_> {
    match SIZES.iter().find(|(end, _)| family.ends_with(end)) {
        Some((_, edges)) => Group::Study { unsat: !sat, edges: *edges },
        None => Group::Family { family, unsat: !sat },
    }
}

/// The runs on random graphs.
fn runs(dataset: &Dataset) -> Vec<Run<'_>> {
    Run::all(dataset).filter(|run| run.row.record.family.starts_with(FAMILY)).collect()
}

/// Averages, medians and extremes, published above measured.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table_4_2(dataset: &Dataset) -> Result<Table, PublishedError> {
    let columns = vec![
        Column::text("group", "group"),
        Column::text("statistic", "statistic"),
        Column::text("approach", "approach"),
        Column::text("source", "source"),
        Column::number("graphs", "graphs"),
        Column::number("edges", "edges"),
        Column::number("edges_preprocessed", "edges after preprocessing"),
        Column::number("interchanges", "interchanges"),
        Column::number("string_ms", "string, ms"),
        Column::number("integer_ms", "integer, ms"),
        Column::number("integer_constraints", "integer constraints"),
        Column::number("time_outs", "time-outs"),
    ];
    let mut table = Table::new("table-4.2", 1, columns);
    let published = published::table_4_2()?;
    let (measured, time_outs) = measured(dataset);
    let groups: BTreeSet<Group<'_>> = published
        .iter()
        .map(|row| row.group.map_or(Group::All, Into::into))
        .chain(measured.keys().map(|(group, _)| group.clone()))
        .collect();
    for group in &groups {
        for (name, statistic, of) in statistics() {
            for approach in Approach::ALL {
                for row in published.iter().filter(|row| {
                    row.approach == approach
                        && Some(row.statistic) == statistic
                        && row.group.map_or(Group::All, Into::into) == *group
                }) {
                    let mut cells = head(group, name, approach, "published");
                    cells.push(Cell::absent());
                    let shown = |value: f64| Cell::text(value.to_string());
                    cells.extend(row.values.iter().map(|value| value.map_or_else(Cell::absent, shown)));
                    cells.push(row.time_outs.map_or_else(Cell::absent, |n| Cell::text(n.to_string())));
                    table.push(cells);
                }
                for (_, strategy) in strategies(dataset).into_iter().filter(|(a, _)| *a == approach) {
                    let Some(values) = measured.get(&(group.clone(), strategy)) else { continue };
                    let mut cells = head(group, name, approach, strategy);
                    cells.push(Cell::count(values.len()));
                    for column in 0..6 {
                        let column: Vec<f64> = values.iter().map(|v| v[column]).collect();
                        cells.push(number(of(&column)));
                    }
                    let late = time_outs.get(&(group.clone(), strategy)).copied().unwrap_or(0);
                    cells.push(if name == "average" { Cell::count(late) } else { Cell::absent() });
                    table.push(cells);
                }
            }
        }
    }
    table.note(
        "As in the study, only graphs that preprocessing did not refute and whose integer constraints have a solution, so \
         that the string solver was asked at least once. Each strategy's rows are over the graphs that it solved itself. \
         Unsat takes in what is unsatisfiable within the bound of 30 characters: the study makes no difference.",
    );
    table.note(
        "Measured edges take in one for the characters of each variable, and what a script says beside the operations that \
         were drawn; the study counts these only.",
    );
    table.note(
        "Interchanges: how often the integer solver was asked; where the graph is unsatisfiable the last time it had no \
         answer. Time-outs are counted in the group that another strategy's verdict tells; what no strategy solved is \
         under \"all\" only.",
    );
    table.note(format!(
        "Limit for a graph: published, 120 s; measured, {}. Machine: published, an Intel Core 2 Duo at 2.00 GHz; measured, \
         {}. The published smallest and largest values are not legible and left out.",
        format::chosen(dataset.run.limits.time()),
        if dataset.run.machine.cpu.is_empty() { "an unknown processor" } else { &dataset.run.machine.cpu }
    ));
    Ok(table)
}

/// A name, the published statistic of that name, and how it is computed.
type Computed = (&'static str, Option<Statistic>, fn(&[f64]) -> Option<f64>);

/// The rows of a group.
fn statistics() -> [Computed; 4] {
    [
        ("average", Some(Statistic::Average), stats::sample::mean),
        ("median", Some(Statistic::Median), stats::median),
        ("min", None, |values| stats::sample::quantile(values, 0.0)),
        ("max", None, |values| stats::sample::quantile(values, 1.0)),
    ]
}

fn head(group: &Group<'_>, statistic: &str, approach: Approach, source: &str) -> Vec<Cell> {
    [&group.title(), statistic, approach.name(), source].map(Cell::text).to_vec()
}

fn number(value: Option<f64>) -> Cell {
    value.map_or_else(Cell::absent, |value| {
        let shown = if value.fract() == 0.0 { value.to_string() } else { format::significant(value) };
        Cell::pair(shown, value.to_string())
    })
}

type ByGroup<'a, T> = BTreeMap<(Group<'a>, &'a str), T>;

/// The values of the graphs that count, and the number of time-outs, by group and strategy.
fn measured(dataset: &Dataset) -> (ByGroup<'_, Vec<Values>>, ByGroup<'_, usize>) {
    let truths = truths(dataset);
    let mut values: ByGroup<'_, Vec<Values>> = BTreeMap::new();
    let mut time_outs: ByGroup<'_, usize> = BTreeMap::new();
    for run in runs(dataset) {
        let (family, strategy) = (run.row.record.family.as_str(), run.row.strategy());
        match run.is_sat() {
            Some(sat) if run.has_guess() => {
                for group in [group(family, sat), Group::All] {
                    values.entry((group, strategy)).or_default().push(values_of(&run));
                }
            }
            None if run.row.status() == Status::Timeout => {
                let known = truths.get(run.row.task()).map(|&sat| group(family, sat));
                for group in known.into_iter().chain([Group::All]) {
                    *time_outs.entry((group, strategy)).or_default() += 1;
                }
            }
            _ => {}
        }
    }
    (values, time_outs)
}

fn values_of(run: &Run<'_>) -> Values {
    #[expect(clippy::cast_precision_loss, reason = "counters are far below 2^53")]
    let counter = |name| run.counter(name) as f64;
    [
        counter("edges"),
        counter("edges_preprocessed"),
        counter("interchanges"),
        run.phase_ms("string"),
        run.phase_ms("integer"),
        counter("integer_constraints"),
    ]
}

/// A name in the published file, a title, and which runs it counts.
type Counted = (&'static str, &'static str, fn(&Run<'_>) -> bool);

const FATES: [Counted; 9] = [
    ("graphs", "graphs", |_| true),
    ("refuted_by_preprocessing", "refuted by preprocessing", |run| {
        run.is_sat().is_some() && run.is_refuted()
    }),
    ("passed_preprocessing", "passed preprocessing", |run| !(run.is_sat().is_some() && run.is_refuted())),
    ("sat", "sat", |run| run.is_sat() == Some(true)),
    ("unsat", "unsat after preprocessing", |run| run.is_sat() == Some(false) && !run.is_refuted()),
    ("unsat_without_string_solver", "of these, by the integer constraints alone", |run| {
        run.is_sat() == Some(false) && !run.is_refuted() && !run.has_guess()
    }),
    ("unsat_within_bound", "of these, within the bound only", |run| {
        run.row.status() == Status::Answered(harness_model::Verdict::UnsatWithinBound) && !run.is_refuted()
    }),
    ("time_outs", "time-outs", |run| run.row.status() == Status::Timeout),
    ("others", "not solved otherwise", |run| run.is_sat().is_none() && run.row.status() != Status::Timeout),
];

/// What became of the graphs, by strategy.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn fates(dataset: &Dataset) -> Result<Table, PublishedError> {
    let published: BTreeMap<String, f64> = published::table_4_2_graphs()?.into_iter().collect();
    let strategies = strategies(dataset);
    let mut columns = vec![Column::text("quantity", "graphs"), Column::number("published", "published")];
    columns.extend(strategies.iter().map(|(_, name)| Column::number(name, name)));
    let mut table = Table::new("table-4.2-graphs", 0, columns);
    let runs = runs(dataset);
    for (name, title, counts) in FATES {
        let known = published.get(name).map_or_else(Cell::absent, |n| Cell::text(n.to_string()));
        let mut cells = vec![Cell::pair(title, name), known];
        cells.extend(strategies.iter().map(|(_, strategy)| {
            Cell::count(runs.iter().filter(|run| run.row.strategy() == *strategy && counts(run)).count())
        }));
        table.push(cells);
    }
    table.note(
        "The study counts 339 time-outs of the two approaches together. Not solved otherwise: unknown, out of memory, \
         unsupported, or wrong.",
    );
    Ok(table)
}

/// A graph that both strategies of a pair have a record of.
struct Both<'a> {
    task: &'a str,
    automata: Run<'a>,
    bit_vectors: Run<'a>,
}

impl Both<'_> {
    /// The larger string time over the smaller one; `None` unless the string solvers of both were asked.
    fn ratio(&self) -> Option<f64> {
        let ms = |run: &Run<'_>| {
            (run.is_sat().is_some() && run.has_guess()).then(|| run.phase_ms("string")).filter(|ms| *ms > 0.0)
        };
        let (a, b) = (ms(&self.automata)?, ms(&self.bit_vectors)?);
        Some((a / b).max(b / a))
    }

    fn is_outlier(&self) -> bool {
        self.ratio().is_some_and(|ratio| ratio >= OUTLIER)
    }

    /// Whether just one of the two ran out of time.
    fn is_half_lost(&self) -> bool {
        let late = |run: &Run<'_>| run.row.status() == Status::Timeout;
        let solved = |run: &Run<'_>| run.is_sat().is_some();
        late(&self.automata) && solved(&self.bit_vectors) || solved(&self.automata) && late(&self.bit_vectors)
    }
}

/// Strategies of the two approaches that differ in nothing else: each automata strategy with the bit-vector strategy of the
/// same rules and edge order.
pub fn pairs(dataset: &Dataset) -> Vec<(String, String)> {
    let names = strategies(dataset);
    let of = |wanted| names.iter().filter(move |(a, _)| *a == wanted).map(|(_, name)| *name);
    let mut pairs = Vec::new();
    for automata in of(Approach::Automata) {
        // `graph-automata-ALGEBRA-REST`
        let rest = automata.splitn(4, '-').nth(3);
        let twin =
            rest.map_or_else(|| "graph-bitvector".to_owned(), |rest| format!("graph-bitvector-{rest}"));
        if of(Approach::BitVectors).any(|name| name == twin) {
            pairs.push((automata.to_owned(), twin));
        }
    }
    pairs
}

/// The ids of the graphs whose string times differ 100-fold, and of those that only one of the two solved in time; worst
/// first.
pub fn outlying_tasks(dataset: &Dataset) -> Vec<String> {
    let mut ids = Vec::new();
    for (automata, bit_vectors) in pairs(dataset) {
        for both in outlying(dataset, &automata, &bit_vectors) {
            if !ids.iter().any(|id| id == both.task) {
                ids.push(both.task.to_owned());
            }
        }
    }
    ids
}

fn both<'a>(dataset: &'a Dataset, automata: &str, bit_vectors: &str) -> Vec<Both<'a>> {
    let runs = runs(dataset);
    let first_of = |strategy: &str| -> BTreeMap<&'a str, Run<'a>> {
        runs.iter()
            .filter(|run| run.row.strategy() == strategy && run.row.record.key.repeat == 0)
            .map(|run| (run.row.task(), *run))
            .collect()
    };
    let mut others = first_of(bit_vectors);
    first_of(automata)
        .into_iter()
        .filter_map(|(task, automata)| Some(Both { task, automata, bit_vectors: others.remove(task)? }))
        .collect()
}

/// What only one solved in time first, then by falling ratio.
fn outlying<'a>(dataset: &'a Dataset, automata: &str, bit_vectors: &str) -> Vec<Both<'a>> {
    let mut found = both(dataset, automata, bit_vectors);
    found.retain(|both| both.is_outlier() || both.is_half_lost());
    found.sort_by(|a, b| {
        let key = |both: &Both<'_>| both.ratio().unwrap_or(f64::INFINITY);
        key(b).total_cmp(&key(a)).then(a.task.cmp(b.task))
    });
    found
}

/// The graphs on which the two approaches differ most.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn outliers(dataset: &Dataset) -> Result<Table, PublishedError> {
    let published: BTreeMap<String, f64> = published::table_4_2_graphs()?.into_iter().collect();
    let columns = || {
        vec![
            Column::text("pair", "pair"),
            Column::text("task", "graph"),
            Column::text("verdict", "verdict"),
            Column::number("automata_string_ms", "automata, ms"),
            Column::number("bit_vectors_string_ms", "bit-vectors, ms"),
            Column::number("times", "times"),
            Column::text("faster", "faster"),
            Column::number("automata_interchanges", "interchanges, automata"),
            Column::number("bit_vectors_interchanges", "interchanges, bit-vectors"),
        ]
    };
    let mut table = Table::new("table-4.2-outliers", 1, columns());
    let mut long = Table::new("table-4.2-outliers", 0, columns());
    for (automata, bit_vectors) in pairs(dataset) {
        let pair = format!("{automata} and {bit_vectors}");
        let found = outlying(dataset, &automata, &bit_vectors);
        for (place, one) in found.iter().enumerate() {
            let cells = outlier_row(&pair, one);
            long.push(cells.clone());
            if place < SHOWN {
                table.push(cells);
            }
        }
        let all = both(dataset, &automata, &bit_vectors);
        let counted: Vec<&Both<'_>> = all.iter().filter(|both| both.ratio().is_some()).collect();
        let ordinary: Vec<&&Both<'_>> = counted.iter().filter(|both| !both.is_outlier()).collect();
        let mean = |of: fn(&Both<'_>) -> f64| {
            let times: Vec<f64> = ordinary.iter().map(|both| of(both)).collect();
            stats::sample::mean(&times)
                .map_or_else(|| "none".to_owned(), |ms| format!("{} ms", format::significant(ms)))
        };
        table.note(format!(
            "{pair}: {} of {} graphs on which both string solvers were asked; without them the string time is {} on average \
             by automata and {} by bit-vectors. Beside them {} of which one of the two ran out of time.",
            format::counted(counted.len() - ordinary.len(), "outlier", "outliers"),
            counted.len(),
            mean(|both| both.automata.phase_ms("string")),
            mean(|both| both.bit_vectors.phase_ms("string")),
            format::counted(found.len() - (counted.len() - ordinary.len()), "graph", "graphs"),
        ));
        if found.len() > SHOWN {
            table.note(format!(
                "{pair}: the first {SHOWN} of {} are shown; all are in the file.",
                found.len()
            ));
        }
    }
    let published = |name: &str| published.get(name).copied().unwrap_or(f64::NAN);
    table.note(format!(
        "An outlier: the times of the string solvers differ {OUTLIER}-fold or more. Published: {} outliers, without which the \
         averages are {} ms by automata and {} ms by bit-vectors.",
        published("outliers"),
        published("string_ms_without_outliers_automata"),
        published("string_ms_without_outliers_bit_vectors"),
    ));
    table.programs_get(long);
    Ok(table)
}

fn outlier_row(pair: &str, both: &Both<'_>) -> Vec<Cell> {
    let ms = |run: &Run<'_>| match run.is_sat() {
        Some(_) => number(Some(run.phase_ms("string"))),
        None => Cell::text(run.row.status().name()),
    };
    let time = |run: &Run<'_>| run.is_sat().map_or(f64::INFINITY, |_| run.phase_ms("string"));
    let verdict = [&both.automata, &both.bit_vectors].into_iter().find(|run| run.is_sat().is_some());
    let faster = if time(&both.automata) < time(&both.bit_vectors) {
        Approach::Automata
    } else {
        Approach::BitVectors
    };
    let interchanges = |run: &Run<'_>| {
        if run.is_sat().is_some() {
            Cell::text(run.counter("interchanges").to_string())
        } else {
            Cell::absent()
        }
    };
    vec![
        Cell::text(pair),
        Cell::text(both.task),
        verdict.map_or_else(Cell::absent, |run| Cell::text(run.row.status().name())),
        ms(&both.automata),
        ms(&both.bit_vectors),
        number(both.ratio()),
        Cell::text(faster.name()),
        interchanges(&both.automata),
        interchanges(&both.bit_vectors),
    ]
}

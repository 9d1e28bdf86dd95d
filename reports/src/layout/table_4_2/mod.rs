//! Table 4.2: random string graphs, by automata and by bit-vectors.
//!
//! - [`fates`]: what became of the graphs
//! - `findings`: what the study found, tested
//! - [`interchanges`]: a histogram of how often the integer solver was asked
//! - [`outliers`]: the graphs on which the two approaches differ most

pub mod fates;
mod findings;
pub mod interchanges;
pub mod outliers;

use std::collections::{BTreeMap, BTreeSet};

use harness_model::Status;

use super::graphs::{Approach, Run, first_pair, strategies, truths};
use super::{Layout, Part, processor};
use crate::analysis::Analysis;
use crate::claim::Finding;
use crate::dataset::Dataset;
use crate::format;
use crate::output::ReportError;
use crate::published::{PublishedError, published};
use crate::stats;
use crate::table::{Cell, Column, Table};

/// The family whose tasks are random graphs begins so.
const FAMILY: &str = "random-graphs/";

/// Words at the end of a family's name, and how many edges they mean.
const SIZES: [(&str, u64); 4] = [("five", 5), ("-5", 5), ("ten", 10), ("-10", 10)];

/// The place of the number of edges among the values.
const EDGES: usize = 0;

/// Table 4.2.
#[derive(Debug)]
pub struct Table42;

impl Layout for Table42 {
    fn name(&self) -> &'static str {
        "table-4.2"
    }

    fn about(&self) -> &'static str {
        "Random string graphs, as table 4.2"
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        let dataset = analysis.dataset;
        Ok(vec![
            Part::Table(fates::table(dataset)?),
            Part::Table(table(dataset)?),
            Part::Plot(interchanges::plot(dataset)?),
            Part::Heading("Graphs on which the two approaches differ most".to_owned()),
            Part::Table(outliers::table(dataset)?),
            Part::Drawings,
        ])
    }

    fn claims(&self, analysis: &Analysis<'_>) -> Result<Vec<Finding>, ReportError> {
        findings::findings(analysis.dataset)
    }

    fn singled_out(&self, dataset: &Dataset) -> Vec<String> {
        outliers::tasks(dataset)
    }
}

/// Of many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Statistic {
    /// The mean.
    Average,
    /// The middle one.
    Median,
}

/// Which of the random graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GraphGroup {
    /// How many edges were asked for.
    pub edges: u64,
    /// Whether they are satisfiable.
    pub sat: bool,
}

/// A row of table 4.2: one statistic of one group of random graphs by one approach.
#[derive(Clone, Debug, PartialEq)]
pub struct Graphs {
    /// By which approach.
    pub approach: Approach,
    /// `None`: all of them.
    pub group: Option<GraphGroup>,
    /// What the values are.
    pub statistic: Statistic,
    /// Edges, edges after preprocessing, interchanges, milliseconds in the string solver and in the integer
    /// solver, integer constraints; `None` where the table is not legible.
    pub values: [Option<f64>; 6],
    /// How many graphs of the group ran out of time, where the study says so.
    pub time_outs: Option<u64>,
}

/// The published rows.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figures() -> Result<Vec<Graphs>, PublishedError> {
    let columns = [
        "approach",
        "edges",
        "result",
        "statistic",
        "mean_edges",
        "edges_preprocessed",
        "interchanges",
        "string_ms",
        "integer_ms",
        "integer_constraints",
        "time_outs",
    ];
    published!("table-4.2.csv").rows(&columns, |row| {
        let mut values = [None; 6];
        for (i, value) in values.iter_mut().enumerate() {
            *value = row.number_or_none(4 + i)?;
        }
        let edges = row.number_or_none(1)?;
        let sat = row.one_of(2, &[("", None), ("sat", Some(true)), ("unsat", Some(false))])?;
        Ok(Graphs {
            approach: row.one_of(0, &Approach::names())?,
            group: match (edges, sat) {
                (None, None) => None,
                (Some(edges), Some(sat)) => Some(GraphGroup { edges, sat }),
                _ => return Err("expected both edges and a result, or neither; found one".to_owned()),
            },
            statistic: row.one_of(3, &[("average", Statistic::Average), ("median", Statistic::Median)])?,
            values,
            time_outs: row.number_or_none(10)?,
        })
    })
}

/// What the text around the table says of the graphs: names and values, in order.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn totals() -> Result<BTreeMap<String, f64>, PublishedError> {
    let rows = published!("table-4.2-graphs.csv")
        .rows(&["quantity", "value"], |row| Ok((row.text(0).to_owned(), row.number(1)?)))?;
    Ok(rows.into_iter().collect())
}

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
pub fn table(dataset: &Dataset) -> Result<Table, PublishedError> {
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
    let published = figures()?;
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
                        let of_column: Vec<f64> = values.iter().map(|v| v[column]).collect();
                        cells.push(match number(of(&of_column)) {
                            // Other things are counted here, see the notes.
                            Cell { exact, .. } if column == EDGES => Cell::pair("–", exact),
                            cell => cell,
                        });
                    }
                    let late = time_outs.get(&(group.clone(), strategy)).copied().unwrap_or(0);
                    cells.push(if name == "average" { Cell::count(late) } else { Cell::absent() });
                    table.push(cells);
                }
            }
            if statistic.is_some() {
                ratio_rows(&mut table, dataset, group, (name, statistic, of), &published, &measured);
            }
        }
        if !measured.keys().any(|(own, _)| own == group) {
            table.push(
                [group.title().as_str(), "", "", "not measured: no such graph"].map(Cell::text).to_vec(),
            );
        }
    }
    table.note(
        "As in the study, only graphs that preprocessing did not refute and whose integer constraints have a solution, so \
         that the string solver was asked at least once. Each strategy's rows are over the graphs that it solved itself. \
         Unsat takes in what is unsatisfiable within the bound of 30 characters: the study makes no difference.",
    );
    table.note(
        "Measured edges do not compare and are in the file only: read from a script, they take in one for the characters of each \
         variable and what it says beside the operations that were drawn; the study counts these only. Those after preprocessing have the \
         same excess. So rows \"automata : bit-vectors\" have \
         ratios of all but edges; measured ones are of two strategies with the same rules, edge order and bound, \
         with the study's own automata where the run has them. The start of Z3 is in neither time.",
    );
    table.note(
        "Interchanges: how often the integer solver was asked; where the graph is unsatisfiable the last time it had no \
         answer. Time-outs are counted in the group that another strategy's verdict tells; what no strategy solved is \
         under \"all\" only.",
    );
    table.note(
        "Why automata are so much faster here, by experiment: of the first 340 graphs of the sample 127 have a string solver asked, \
         no trim and answers of both; their automata operations by graph-automata-ranges-published were made once more with dk.brics.automaton 1.11 \
         on Java 17, where they changed the same languages. They took 713 ms of processor time (median 1.8 ms) in a first pass, 346 ms (1.1 ms) \
         when all was compiled; here the median is 0.19 ms. Bit-vectors took at least 423 ms (median 2.2 ms) more than automata. So brics' automata \
         over these bit-vectors is 0.8 to 1.7, no large difference either way, as the study found; and in the median \
         automata are faster, as there.",
    );
    table.note(format!(
        "Limit for a graph: published, 120 s; measured, {}. Machine: published, an Intel Core 2 Duo at 2.00 GHz; measured, \
         {}. The published smallest and largest values are legible in part only and left out.",
        format::chosen(dataset.run.limits.time()),
        processor(dataset)
    ));
    Ok(table)
}

/// Rows of ratios, automata over bit-vectors, of one statistic of one group: published, then measured.
fn ratio_rows(
    table: &mut Table,
    dataset: &Dataset,
    group: &Group<'_>,
    (name, statistic, of): Computed,
    published: &[Graphs],
    measured: &ByGroup<'_, Vec<Values>>,
) {
    let row = |source: &str, [over, under]: [[Option<f64>; 6]; 2]| {
        let title = group.title();
        let mut cells = [title.as_str(), name, "automata : bit-vectors", source].map(Cell::text).to_vec();
        cells.extend([Cell::absent(), Cell::absent(), Cell::absent()]);
        cells.extend(over.into_iter().zip(under).skip(2).map(|(over, under)| {
            let both = over.zip(under).filter(|(over, under)| *over > 0.0 && *under > 0.0);
            Cell::ratio(both.map(|(over, under)| over / under))
        }));
        cells
    };
    let of_approach = |approach| {
        let is_it = |row: &&Graphs| {
            row.approach == approach
                && Some(row.statistic) == statistic
                && row.group.map_or(Group::All, Into::into) == *group
        };
        published.iter().find(is_it).map(|row| row.values)
    };
    if let [Some(over), Some(under)] = Approach::ALL.map(of_approach) {
        table.push(row("published", [over, under]));
    }
    let Ok((automata, bit_vectors)) = first_pair(dataset) else { return };
    let of_strategy = |strategy: &str| {
        let values = measured.iter().find(|((own, name), _)| own == group && *name == strategy)?.1;
        let column = |column: usize| of(&values.iter().map(|v| v[column]).collect::<Vec<_>>());
        Some([0, 1, 2, 3, 4, 5].map(column))
    };
    if let (Some(over), Some(under)) = (of_strategy(&automata), of_strategy(&bit_vectors)) {
        table.push(row(&format!("{automata} : {bit_vectors}"), [over, under]));
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_graphs_add_up() {
        let graphs = figures().unwrap();
        assert_eq!(graphs.len(), 20);
        assert_eq!(graphs.iter().flat_map(|row| row.values).filter(Option::is_none).count(), 3);
        let totals = totals().unwrap();
        assert_eq!(totals["refuted_by_preprocessing"] + totals["passed_preprocessing"], totals["graphs"]);
        // The study's numbers leave 172 graphs of those that passed, about half of the 339 time-outs of both
        // approaches.
        assert_eq!(totals["passed_preprocessing"] - totals["sat"] - totals["unsat"], 172.0);
    }
}

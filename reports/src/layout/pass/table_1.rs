//! PASS's table 1: path conditions of five small programs.

use harness_model::Status;

use super::{METHODS, method, side, strategies};
use crate::analysis::Analysis;
use crate::claim::measure::{Pairs, Side, Value};
use crate::claim::{Claim, Expected, Finding, Measured, Unit};
use crate::dataset::{Dataset, Row};
use crate::format;
use crate::layout::{Layout, Part, processor};
use crate::output::ReportError;
use crate::overview::total;
use crate::published::{PublishedError, published};
use crate::strategy::Kind;
use crate::table::{Cell, Column, Table};

/// The paper's programs and the families of their conditions.
const PROGRAMS: [(&str, &str); 5] = [
    ("easychair", "pass/easychair"),
    ("easychair*", "pass/easychair-star"),
    ("lastIndexOf", "pass/last-index-of"),
    ("example (a)", "pass/example-a"),
    ("example (b)", "pass/example-b"),
];

/// What counts as a trial of lengths: one of the concrete-length method, an exchange of values between
/// integers and strings, an iteration.
const TRIALS: [&str; 3] = ["length_trials", "interchanges", "iterations"];

/// PASS's table 1.
#[derive(Debug)]
pub struct PassTable1;

impl Layout for PassTable1 {
    fn name(&self) -> &'static str {
        "pass-table-1"
    }

    fn about(&self) -> &'static str {
        "Path conditions of small programs, as PASS's table 1"
    }

    fn families(&self) -> Vec<&'static str> {
        PROGRAMS.iter().map(|(_, family)| *family).collect()
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        Ok(vec![Part::Table(table(analysis.dataset)?)])
    }

    fn claims(&self, analysis: &Analysis<'_>) -> Result<Vec<Finding>, ReportError> {
        let dataset = analysis.dataset;
        let seed = dataset.run.seed;
        let figures = figures()?;
        let published = |over: &str, under: &str, programs: &[&str]| {
            let total = |method: &str| -> f64 {
                let rows = figures.iter().filter(|row| row.method == method);
                rows.filter(|row| programs.contains(&row.program.as_str())).map(|row| row.total_s).sum()
            };
            let factor = total(over) / total(under);
            Some((factor, factor))
        };
        let all = PROGRAMS.map(|(program, _)| program);
        let own = |method: &str, programs: &[&str]| together(dataset, method, programs);
        let totals = |over: &str, under: &str, programs: &[&str]| {
            Pairs::new(&own(over, programs), &own(under, programs), seed)?.totals()
        };
        let is_solved = |value| matches!(value, Value::Number(_));
        let [elimination, example_a, eliminated, pure, automaton, automata, trials] = CLAIMS;
        Ok(vec![
            Claim { published: published(PARRAY, QELIM, &all), ..elimination }
                .judge(totals(PARRAY, QELIM, &all)),
            Claim { published: published(PARRAY, QELIM, &["example (a)"]), ..example_a }.judge(totals(
                PARRAY,
                QELIM,
                &["example (a)"],
            )),
            eliminated.judge(own(QELIM, &all).share(is_solved).map(Measured::as_fact)),
            pure.judge(own(PARRAY, &all).share(is_solved).map(Measured::as_fact)),
            Claim { published: published(AUTOMATA, QELIM, &["lastIndexOf"]), ..automaton }.judge(totals(
                AUTOMATA,
                QELIM,
                &["lastIndexOf"],
            )),
            automata.judge(own(AUTOMATA, &["lastIndexOf"]).share(is_solved).map(Measured::as_fact)),
            trials.judge(
                without_trials(dataset).share(|value| value == Value::Number(0.0)).map(Measured::as_fact),
            ),
        ])
    }
}

const PLACE: &str = "Li and Ghosh, section 5, table 1";

/// Methods as the paper calls them.
const PARRAY: &str = "parray";
const QELIM: &str = "parray+qelim";
const AUTOMATA: &str = "automaton";

/// What the paper found; published figures are put in where they are read.
const CLAIMS: [Claim; 7] = [
    Claim {
        id: "qelim-over-parray",
        place: PLACE,
        says: "quantifier elimination takes less time than the solver's own handling of quantifiers",
        measure: "the total time, parray : parray+qelim, of the conditions of all five programs",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: None,
        reason: None,
    },
    Claim {
        id: "example-a",
        place: PLACE,
        says: "on example (a) quantifier elimination takes less time than the solver's own handling of quantifiers",
        measure: "the total time, parray : parray+qelim, of the conditions of example (a)",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: None,
        reason: None,
    },
    Claim {
        id: "qelim-solves-all",
        place: PLACE,
        says: "parrays with quantifier elimination solve every condition",
        measure: "the share of conditions solved by parray+qelim",
        unit: Unit::Share,
        expected: Expected::Within(1.0, 1.0),
        published: Some((1.0, 1.0)),
        reason: None,
    },
    Claim {
        id: "parray-solves-all",
        place: PLACE,
        says: "parrays without it solve every condition too",
        measure: "the share of conditions solved by parray",
        unit: Unit::Share,
        expected: Expected::Within(1.0, 1.0),
        published: Some((1.0, 1.0)),
        reason: Some(
            "on two conditions of lastIndexOf the model of Z3, in Yices' place, has a word of more than a million characters, where a candidate \
             may have 65,536, and asked for shorter words it gives up; on one of example (b) it runs out of time",
        ),
    },
    Claim {
        id: "automata-slower",
        place: PLACE,
        says: "automata take longer than parrays on lastIndexOf",
        measure: "the total time, automaton : parray+qelim, of the conditions of lastIndexOf",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: None,
        reason: Some(
            "it rests on the three conditions that both solve: in two the first word of the automaton is a solution, and one is refuted by its \
             first round",
        ),
    },
    Claim {
        id: "automata-solve-last-index-of",
        place: PLACE,
        says: "automata alone solve every condition of lastIndexOf",
        measure: "the share of conditions of lastIndexOf solved by automata alone",
        unit: Unit::Share,
        expected: Expected::Within(1.0, 1.0),
        published: Some((1.0, 1.0)),
        reason: Some(
            "of three that are open one is unsatisfiable, which automata that do not relate places cannot refute, and two ask for four and \
             five words with a common beginning of 31 characters: none of the first 4,096 words of their automaton fits, where 64 are \
             usual, and with 20,000 they take longer than a minute",
        ),
    },
    Claim {
        id: "no-length-trials",
        place: PLACE,
        says: "parrays need no trials of lengths",
        measure: "the share of conditions that parray+qelim solves without fixing a length",
        unit: Unit::Share,
        expected: Expected::Within(1.0, 1.0),
        published: Some((1.0, 1.0)),
        reason: None,
    },
];

/// The program whose regular expressions the paper's parrays leave to an automaton (its section 4).
const WITH_AUTOMATON: &str = "example (b)";

/// The kind of strategy that follows a method on a program. On example (b) the paper's parrays have an
/// automaton for the regular expression, so their row there is the one of the strategies that have one too.
fn kind(program: &str, method: &str) -> Option<Kind> {
    let method = match (program, method) {
        (WITH_AUTOMATON, PARRAY) => "parray+automaton",
        (WITH_AUTOMATON, QELIM) => "parray+automaton+qelim",
        (_, method) => method,
    };
    METHODS.iter().find(|(name, _)| *name == method).map(|(_, kind)| *kind)
}

/// The paper's name for what a strategy does on a program.
fn method_on(dataset: &Dataset, program: &str, strategy: &str) -> &'static str {
    let row = dataset.strategy(strategy);
    let is_of =
        |method: &&str| kind(program, method).is_some_and(|kind| row.is_some_and(|row| kind.has(row)));
    match [PARRAY, QELIM].into_iter().find(is_of) {
        Some(method) => method,
        // The plain parrays are none of the paper's methods on example (b).
        None if program == WITH_AUTOMATON && [PARRAY, QELIM].contains(&method(dataset, strategy)) => "",
        None => method(dataset, strategy),
    }
}

/// A method on the conditions of several programs.
fn together(dataset: &Dataset, method: &str, programs: &[&str]) -> Side {
    let of = |(program, family): &(&str, &str)| {
        let side = side(dataset, kind(program, method)?, |row| row.record.family == *family);
        Some(side)
    };
    let sides: Vec<Side> =
        PROGRAMS.iter().filter(|(program, _)| programs.contains(program)).filter_map(of).collect();
    let mut names: Vec<&str> =
        sides.iter().map(|side| side.name.as_str()).filter(|name| !name.is_empty()).collect();
    names.dedup();
    let name = names.join(" and ");
    Side { name, values: sides.into_iter().flat_map(|side| side.values).collect() }
}

/// How often lengths were fixed by parrays with elimination.
fn without_trials(dataset: &Dataset) -> Side {
    #[expect(clippy::cast_precision_loss, reason = "counters are far below 2^53")]
    let trials = |row: &Row| row.record.counters.get("length_trials").map(|trials| *trials as f64);
    let name = METHODS[1].1.all(dataset).next().unwrap_or_default();
    let is_here = |row: &Row| PROGRAMS.iter().any(|(_, family)| row.record.family == *family);
    let mut side = Side::of(dataset, name, is_here, "without the counter", trials);
    // What is not solved tried none either, but that is not what the claim is about.
    side.values.retain(|_, value| matches!(value, Value::Number(_)));
    side
}

/// A row of PASS's table 1: one program by one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// As the paper calls it.
    pub program: String,
    /// `parray`, `parray+qelim` or `automaton`.
    pub method: String,
    /// How many path conditions.
    pub path_conditions: u64,
    /// Seconds for all of them.
    pub total_s: f64,
}

/// The published rows.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figures() -> Result<Vec<Conditions>, PublishedError> {
    published!("pass-table-1.csv").rows(&["program", "method", "path_conditions", "total_s"], |row| {
        Ok(Conditions {
            program: row.text(0).to_owned(),
            method: row.text(1).to_owned(),
            path_conditions: row.number(2)?,
            total_s: row.number(3)?,
        })
    })
}

/// The first of `names` that is a counter of the row.
fn counter(row: &Row, names: &[&str]) -> Option<u64> {
    names.iter().find_map(|name| row.record.counters.get(name).copied())
}

/// The sum of a counter over rows; nothing when none has it.
fn summed(rows: &[&Row], names: &[&str]) -> Cell {
    let found: Vec<u64> = rows.iter().filter_map(|row| counter(row, names)).collect();
    if found.is_empty() { Cell::absent() } else { Cell::text(found.iter().sum::<u64>().to_string()) }
}

/// A row of ratios: a method over parrays with elimination.
fn ratio_row(program: &str, over: &str, source: &str, ratio: Option<f64>) -> Vec<Cell> {
    let mut cells = [program, &format!("{over} : {QELIM}"), source].map(Cell::text).to_vec();
    cells.extend([Cell::absent(), Cell::absent(), Cell::absent(), Cell::ratio(ratio)]);
    cells
}

/// Table 1: published rows above measured ones, for each program.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table(dataset: &Dataset) -> Result<Table, PublishedError> {
    let columns = vec![
        Column::text("program", "program"),
        Column::text("method", "method"),
        Column::text("source", "source"),
        Column::number("path_conditions", "path conditions"),
        Column::number("solved", "solved"),
        Column::number("unsupported", "unsupported"),
        Column::number("total_s", "total"),
        Column::number("slowest_s", "slowest"),
        Column::number("length_trials", "length trials"),
        Column::number("rounds", "rounds"),
        Column::number("instantiations", "instantiations"),
        Column::number("solver_calls", "solver calls"),
    ];
    let mut table = Table::new("pass-table-1", 1, columns);
    let published = figures()?;
    for (program, family) in PROGRAMS {
        for row in published.iter().filter(|row| row.program == program) {
            table.push(vec![
                Cell::text(program),
                Cell::text(&row.method),
                Cell::text("published"),
                Cell::text(row.path_conditions.to_string()),
                Cell::text(row.path_conditions.to_string()),
                Cell::absent(),
                Cell::seconds(Some(row.total_s)),
            ]);
        }
        let total_of = |method: &str| {
            published.iter().find(|row| row.program == program && row.method == method).map(|row| row.total_s)
        };
        for over in [PARRAY, AUTOMATA] {
            if let Some((one, other)) = total_of(over).zip(total_of(QELIM)) {
                table.push(ratio_row(program, over, "published", Some(one / other)));
            }
        }
        if !dataset.tasks().any(|task| task.family == family) {
            table.push([program, "", "not measured: not in this run"].map(Cell::text).to_vec());
        }
        for strategy in strategies(dataset) {
            let rows: Vec<&Row> = dataset
                .rows()
                .iter()
                .filter(|row| row.strategy() == strategy && row.record.family == family)
                .collect();
            if rows.is_empty() {
                continue;
            }
            let times: Vec<f64> = rows.iter().filter_map(|row| dataset.own_s(row)).collect();
            table.push(vec![
                Cell::text(program),
                Cell::text(method_on(dataset, program, strategy)),
                Cell::text(strategy),
                Cell::count(rows.len()),
                Cell::count(rows.iter().filter(|row| row.status().is_solved()).count()),
                Cell::count(rows.iter().filter(|row| row.status() == Status::Unsupported).count()),
                Cell::seconds(total(&times)),
                Cell::seconds(times.iter().copied().reduce(f64::max)),
                summed(&rows, &TRIALS),
                summed(&rows, &["rounds"]),
                summed(&rows, &["instantiations"]),
                summed(&rows, &["solver_calls"]),
            ]);
        }
        for over in [PARRAY, AUTOMATA] {
            let sides = [over, QELIM].map(|method| together(dataset, method, &[program]));
            let [one, other] = &sides;
            if let Ok(measured) = Pairs::new(one, other, dataset.run.seed).and_then(|pairs| pairs.totals()) {
                table.push(ratio_row(program, over, &measured.compared, Some(measured.value)));
            }
        }
    }
    table.note(
        "Easychair*, lastIndexOf and the encoding of all programs are ours: the paper prints the programs of its examples (a) \
         and (b) only. Path 5 of example (a) is unsatisfiable here, where substring is defined as in Java.",
    );
    table.note(
        "Length trials: how often lengths or other integers were fixed to values, and words looked for under them: \
         trials of the concrete-length method, exchanges of string graphs, iterations of hybrid solving. A dash: the strategy \
         does not say. Counters are sums over all conditions, up to the limit for one that met a limit. Times are over the solved ones, of \
         the phase solve without the start of Z3.",
    );
    table.note(
        "Unsupported: conditions with an operation that the strategy does not have. The conditions of example (b) have regular \
         expressions, which the plain parrays leave to the automata: where the numbers solved differ, so do the conditions that \
         a total is over. On example (b) the paper's parrays have an automaton for the regular expression (its section 4), so \
         the rows \"parray\" there are those of the strategies with both.",
    );
    table.note(
        "Rows \"… : parray+qelim\" have ratios of totals; measured ones are over the conditions that both solved.",
    );
    table.note(format!(
        "Machine: published, an Intel Core 2 Duo at 2.40 GHz, Java and Yices; measured, {}, with Z3 in Yices' place. Limit \
         here: {}. Unsatisfiable within a bound counts as solved, as the paper counts.",
        processor(dataset),
        format::chosen(dataset.run.limits.time())
    ));
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_those_of_the_paper() {
        let table = figures().unwrap();
        assert_eq!(table.len(), 11);
        let elimination = table.iter().filter(|row| row.method == "parray+qelim");
        assert_eq!(elimination.map(|row| row.path_conditions).sum::<u64>(), 9 + 9 + 6 + 7 + 6);
    }
}

//! Table 4.1: path conditions of programs, by automata and by bit-vectors.

use std::collections::{BTreeMap, BTreeSet};

use super::graphs::{Approach, Fate, Part, Run, approach, first_pair, strategies};
use super::{Layout, processor};
use crate::analysis::Analysis;
use crate::claim::measure::{Pairs, Side};
use crate::claim::{Claim, Expected, Finding, Unit};
use crate::dataset::{Dataset, Row};
use crate::format;
use crate::output::ReportError;
use crate::published::{PublishedError, published};
use crate::strategy::option;
use crate::table::{Cell, Column, Table};

/// Names of the study's programs and the families of their path conditions.
const PROGRAMS: [(&str, &str); 2] = [("WU_FTPD", "programs/wu-ftpd"), ("EasyChair", "programs/easychair")];

/// Table 4.1.
#[derive(Debug)]
pub struct Table41;

impl Layout for Table41 {
    fn name(&self) -> &'static str {
        "table-4.1"
    }

    fn about(&self) -> &'static str {
        "Path conditions of programs, as table 4.1"
    }

    fn families(&self) -> Vec<&'static str> {
        PROGRAMS.iter().map(|(_, family)| *family).collect()
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<super::Part>, ReportError> {
        Ok(vec![super::Part::Table(table(analysis.dataset)?)])
    }

    fn claims(&self, analysis: &Analysis<'_>) -> Result<Vec<Finding>, ReportError> {
        let dataset = analysis.dataset;
        let figures = figures()?;
        let published = |program: &str| {
            let ms = |approach| {
                let row =
                    figures.iter().find(|row| (row.program.as_str(), row.approach) == (program, approach));
                row.map(|row| row.string_ms)
            };
            let factor = ms(Approach::Automata)? / ms(Approach::BitVectors)?;
            Some((factor, factor))
        };
        let pairs = |family: &str, number: &dyn Fn(&Row) -> Option<f64>| {
            let (automata, bit_vectors) = first_pair(dataset)?;
            let side = |strategy: &str| {
                Side::of(dataset, strategy, |row| is_single(dataset, row, family), NO_PHASE, number)
            };
            Pairs::new(&side(&automata), &side(&bit_vectors), dataset.run.seed)
        };
        let string = |row: &Row| Run::of(dataset, row).map(|run| run.phase_ms("string"));
        let mut findings = Vec::new();
        for (id, program, says) in FASTER {
            let claim = Claim {
                id,
                place: PLACE,
                says,
                measure: "the total string time, automata : bit-vectors, of the path conditions asked one by one",
                unit: Unit::Times,
                expected: Expected::Above(1.0),
                published: published(program),
                reason: Some(
                    "the study's automata are brics' in Java, where the same operations take 24 to 85 times as long: \
                     see below the table",
                ),
            };
            let family = PROGRAMS.iter().find(|(name, _)| *name == program);
            let measured = match family {
                Some((_, family)) => pairs(family, &string).and_then(|pairs| pairs.totals()),
                None => Err("the program was not published".to_owned()),
            };
            findings.push(claim.judge(measured));
        }
        let time_outs = Claim {
            id: "time-outs",
            place: PLACE,
            says: "bit-vectors run out of time on fewer path conditions of WU_FTPD than automata",
            measure: "the share of path conditions solved, bit-vectors less automata, asked one by one",
            unit: Unit::Points,
            expected: Expected::Above(0.0),
            published: None,
            reason: None,
        };
        let solved = pairs(PROGRAMS[0].1, &|_| Some(1.0)).and_then(|pairs| pairs.second_solves_more());
        findings.push(time_outs.judge(solved));
        Ok(findings)
    }
}

const PLACE: &str = "Redelinghuys, section 4.1, table 4.1";

/// What a row without the number is left out as.
const NO_PHASE: &str = "without a string phase";

/// Bit-vectors over automata, by program.
const FASTER: [(&str, &str, &str); 3] = [
    ("wu-ftpd", "WU_FTPD", "bit-vectors are faster than automata on WU_FTPD"),
    ("easychair", "EasyChair", "bit-vectors are faster than automata on EasyChair"),
    ("mystery", "Mystery", "bit-vectors are faster than automata on Mystery"),
];

/// Whether a row is about one path condition of `family` by itself.
fn is_single(dataset: &Dataset, row: &Row, family: &str) -> bool {
    row.record.family == family && Run::of(dataset, row).is_some_and(|run| run.asked == 1)
}

/// A row of table 4.1: one program by one approach.
#[derive(Clone, Debug, PartialEq)]
pub struct Paths {
    /// As the study calls it.
    pub program: String,
    /// By which approach.
    pub approach: Approach,
    /// Milliseconds in the string solver, in total.
    pub string_ms: f64,
    /// Milliseconds in the integer solver, in total.
    pub integer_ms: f64,
    /// How often the string solver refused the integers that it was given.
    pub iterations: u64,
    /// How many path conditions these figures are of.
    pub path_conditions: u64,
    /// How many path conditions preprocessing refuted.
    pub preprocessed: u64,
    /// How many ran out of time.
    pub time_outs: u64,
}

/// The published rows.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figures() -> Result<Vec<Paths>, PublishedError> {
    let columns = [
        "program",
        "approach",
        "string_ms",
        "integer_ms",
        "iterations",
        "path_conditions",
        "preprocessed",
        "time_outs",
    ];
    published!("table-4.1.csv").rows(&columns, |row| {
        Ok(Paths {
            program: row.text(0).to_owned(),
            approach: row.one_of(1, &Approach::names())?,
            string_ms: row.number(2)?,
            integer_ms: row.number(3)?,
            iterations: row.number(4)?,
            path_conditions: row.number(5)?,
            preprocessed: row.number(6)?,
            time_outs: row.number(7)?,
        })
    })
}

/// Published rows above measured ones, for each program.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table(dataset: &Dataset) -> Result<Table, PublishedError> {
    let columns = vec![
        Column::text("program", "program"),
        Column::text("approach", "approach"),
        Column::text("source", "source"),
        Column::text("asked", "path conditions are asked"),
        Column::number("string_ms", "string, ms"),
        Column::number("integer_ms", "integer, ms"),
        Column::number("iterations", "iterations"),
        Column::number("path_conditions", "path conditions"),
        Column::number("preprocessed", "preprocessed"),
        Column::number("time_outs", "time-outs"),
        Column::number("unsatisfiable", "unsatisfiable"),
        Column::number("taken_for_unsatisfiable", "as the study counts"),
        Column::number("others", "not solved otherwise").optional(),
    ];
    let mut table = Table::new("table-4.1", 1, columns);
    let published = figures()?;
    let programs: BTreeSet<&str> = published.iter().map(|row| row.program.as_str()).collect();
    let known = PROGRAMS.map(|(name, _)| name);
    for program in known.into_iter().chain(programs.into_iter().filter(|p| !known.contains(p))) {
        for approach in Approach::ALL {
            for row in published.iter().filter(|row| row.program == program && row.approach == approach) {
                table.push(published_row(row));
            }
        }
        let of = |approach| published.iter().find(|row| row.program == program && row.approach == approach);
        if let [Some(automata), Some(bit_vectors)] = Approach::ALL.map(of) {
            table.push(published_ratio(automata, bit_vectors));
        }
        match PROGRAMS.iter().find(|(name, _)| *name == program) {
            Some((_, family)) if dataset.tasks().any(|task| task.family == *family) => {
                measured_rows(dataset, program, family, &mut table);
            }
            Some(_) => table.push([program, "", "not measured: not in this run"].map(Cell::text).to_vec()),
            None => table.push([program, "", "not measured: not published"].map(Cell::text).to_vec()),
        }
    }
    table.note(
        "String and integer: total milliseconds in the two solvers; the start of Z3, which both approaches need, is in neither. Iterations: how often the string solver refused the \
         integers that it was given. These, and the number of path conditions, are over the path conditions on which no \
         strategy of the two approaches ran out of time; a dash: on each of them some strategy did. Preprocessed: refuted by \
         preprocessing alone. Unsatisfiable: shown to be, also within a bound; as the study counts: with the time-outs, which it takes \
         for unsatisfiable. Here they are not: a path that is taken for infeasible is lost to the execution.",
    );
    table.note(
        "The study asks for path conditions one after the other, as symbolic execution comes to them. Here that is one \
         script with many check-sats (\"together\"), which branches where the program does and not at index faults, as the study; the \
         complete paths, index faults among them, are asked for \"one by one\" too. A path condition that meets the limit for one is one \
         time-out, and the next one is asked; so is a script that meets the limit of its record, whatever it had answered.",
    );
    table.note(format!(
        "Limit: published, 3 s for a path condition; measured, {}. Machine: published, an Intel Core 2 Duo at 2.00 GHz; measured, {}.",
        limits(dataset),
        processor(dataset)
    ));
    table.note(
        "Why automata are faster here, by experiment: the automata operations of graph-automata-ranges-published on the trees of WU_FTPD and \
         EasyChair with index faults (1,397 and 1,596, which changed the same languages) were made once more with dk.brics.automaton 1.11 on Java 17, and each \
         changed language compared with the one before, as figure 3.12 needs. They took 144 and 290 ms of processor time in a \
         first pass, 40 and 102 ms when all was compiled, and with a fresh JVM for each path alone 289 and 414 ms; more than half of it \
         is comparing languages. Here they took 1.7 and 3.7 ms: equal languages of one length are one node. Bit-vectors took 106 and \
         91 ms on the same trees (the least of 15 records of each), of which 30 and 23 ms were checks and 1 ms translation. So brics' automata, \
         uncompiled, over these bit-vectors is 1.4 and 3.2 (published 1.6 and 4.4), compiled 0.4 and 1.1. The study's \
         iterations come of its rules: with those of its text (rules: thesis) the script with many check-sats of EasyChair takes 27 (published 21), \
         with the proved ones 2, automata and bit-vectors alike. Not explained: that the study needed none on WU_FTPD, where its rules take 23 \
         here; of its 80 rules for pairs of operations it prints five.",
    );
    table.note(
        "Rows \"automata : bit-vectors\" have ratios; measured ones are of two strategies with the same rules, edge order and bound, \
         with the study's own automata where the run has them. Mystery is not measured: its source was not published.",
    );
    Ok(table)
}

/// The limits of the run, in words: those for a path condition, and the one for a record.
fn limits(dataset: &Dataset) -> String {
    let rows = dataset.run.strategies.iter().filter(|row| approach(row).is_some());
    let each: BTreeSet<&str> = rows.filter_map(|row| option(row, "check-limit")).collect();
    let each: Vec<String> = each
        .into_iter()
        .map(|limit| if limit == "none" { "no limit".to_owned() } else { limit.to_owned() })
        .collect();
    let record = format::chosen(dataset.run.limits.time());
    if each.is_empty() || each == ["no limit"] {
        format!("{record} for a script, whatever it asks")
    } else {
        format!("{} for a path condition and {record} for a script", each.join(" or "))
    }
}

fn published_row(row: &Paths) -> Vec<Cell> {
    vec![
        Cell::text(&row.program),
        Cell::text(row.approach.name()),
        Cell::text("published"),
        Cell::text("one after the other"),
        Cell::text(row.string_ms.to_string()),
        Cell::text(row.integer_ms.to_string()),
        Cell::text(row.iterations.to_string()),
        Cell::text(row.path_conditions.to_string()),
        Cell::text(row.preprocessed.to_string()),
        Cell::text(row.time_outs.to_string()),
    ]
}

/// What the rows of ratios are of.
const RATIO: &str = "automata : bit-vectors";

fn published_ratio(automata: &Paths, bit_vectors: &Paths) -> Vec<Cell> {
    let ratio = |of: fn(&Paths) -> f64| {
        let (one, other) = (of(automata), of(bit_vectors));
        Cell::ratio((one > 0.0 && other > 0.0).then(|| one / other))
    };
    vec![
        Cell::text(&automata.program),
        Cell::text(RATIO),
        Cell::text("published"),
        Cell::text("one after the other"),
        ratio(|row| row.string_ms),
        ratio(|row| row.integer_ms),
    ]
}

/// Sums over the path conditions of scripts of one kind.
#[derive(Default)]
struct Sums {
    string_ms: f64,
    integer_ms: f64,
    iterations: u64,
    path_conditions: u64,
    preprocessed: u64,
    time_outs: usize,
    unsatisfiable: u64,
    others: usize,
}

fn measured_rows(dataset: &Dataset, program: &str, family: &str, table: &mut Table) {
    let runs: Vec<(Run<'_>, Vec<Part>)> = Run::all(dataset)
        .filter(|run| run.row.record.family == family)
        .map(|run| {
            let parts = run.parts();
            (run, parts)
        })
        .collect();
    let late: BTreeSet<(&str, Option<usize>)> = runs
        .iter()
        .flat_map(|(run, parts)| parts.iter().map(|part| (run.row.task(), part)))
        .filter(|(_, part)| part.fate == Fate::Late)
        .map(|(task, part)| (task, part.place))
        .collect();
    // A whole script shares what any of its path conditions lost.
    let is_kept = |task: &str, place: Option<usize>| {
        let same = |other: &Option<usize>| place.is_none() || other.is_none() || *other == place;
        !late.iter().any(|(other, lost)| *other == task && same(lost))
    };
    // By strategy, and whether the script has several path conditions.
    let mut sums: BTreeMap<(&str, bool), Sums> = BTreeMap::new();
    for (run, parts) in &runs {
        let sum = sums.entry((run.row.strategy(), run.asked > 1)).or_default();
        for part in parts {
            match part.fate {
                Fate::Late => sum.time_outs += 1,
                Fate::Other => sum.others += 1,
                Fate::Solved(is_sat) => {
                    sum.preprocessed += part.refuted;
                    sum.unsatisfiable += if is_sat { 0 } else { part.asked };
                    if is_kept(run.row.task(), part.place) {
                        sum.string_ms += part.string_ms;
                        sum.integer_ms += part.integer_ms;
                        sum.iterations += part.refusals;
                        sum.path_conditions += part.asked;
                    }
                }
            }
        }
    }
    for (approach, strategy) in strategies(dataset) {
        for (many, asked) in [(true, "together"), (false, "one by one")] {
            let Some(sum) = sums.get(&(strategy, many)) else { continue };
            // Nothing is left where some strategy ran out of time on each path condition.
            let is_left = sum.path_conditions > 0;
            let ms = |ms: f64| {
                if is_left { Cell::pair(format::significant(ms), ms.to_string()) } else { Cell::absent() }
            };
            let count = |n: u64| if is_left { Cell::text(n.to_string()) } else { Cell::absent() };
            table.push(vec![
                Cell::text(program),
                Cell::text(approach.name()),
                Cell::text(strategy),
                Cell::text(asked),
                ms(sum.string_ms),
                ms(sum.integer_ms),
                count(sum.iterations),
                count(sum.path_conditions),
                Cell::text(sum.preprocessed.to_string()),
                Cell::count(sum.time_outs),
                Cell::text(sum.unsatisfiable.to_string()),
                Cell::text((sum.unsatisfiable + sum.time_outs as u64).to_string()),
                Cell::count(sum.others),
            ]);
        }
    }
    let Ok((automata, bit_vectors)) = first_pair(dataset) else { return };
    for (many, asked) in [(true, "together"), (false, "one by one")] {
        let of = |strategy: &str| sums.iter().find(|(key, _)| **key == (strategy, many)).map(|(_, sum)| sum);
        let (Some(one), Some(other)) = (of(&automata), of(&bit_vectors)) else { continue };
        let ratio = |one: f64, other: f64| Cell::ratio((one > 0.0 && other > 0.0).then(|| one / other));
        table.push(vec![
            Cell::text(program),
            Cell::text(RATIO),
            Cell::text(format!("{automata} : {bit_vectors}")),
            Cell::text(asked),
            ratio(one.string_ms, other.string_ms),
            ratio(one.integer_ms, other.integer_ms),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_path_conditions_add_up() {
        let paths = figures().unwrap();
        assert_eq!(paths.len(), 6);
        assert!(paths.chunks(3).all(|rows| rows.iter().map(|r| r.path_conditions).sum::<u64>() == 6170));
    }
}

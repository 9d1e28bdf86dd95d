//! Figure 3.9: sorted times, a curve for each representation and alphabet, over all its runs.

use std::collections::{BTreeMap, BTreeSet};

use harness_model::Alphabet;

use super::representation::{BDD, Label, place, study_pairs};
use super::{Layout, Part, figure_3_8};
use crate::analysis::Analysis;
use crate::attempt::Attempt;
use crate::claim::measure::{Side, Value, of_attempt};
use crate::claim::{Claim, Expected, Finding, Unit};
use crate::format::{self, counted};
use crate::output::ReportError;
use crate::plot::curves::{Chart, Height, curves};
use crate::plot::{Plot, left_out, limit_shown};
use crate::published::PublishedError;
use crate::stats::sample;

/// What each representation did on each test case: a pair in an alphabet and mode.
fn cases(analysis: &Analysis<'_>) -> BTreeMap<String, Vec<(usize, Value)>> {
    let mut cases: BTreeMap<String, Vec<(usize, Value)>> = BTreeMap::new();
    for (attempt, _) in study_pairs(analysis) {
        if let (Label::Study(representation), mode) = place(analysis.dataset, attempt.strategy) {
            let case = format!("{} {}", attempt.task, mode.name());
            cases.entry(case).or_default().push((representation, of_attempt(&attempt)));
        }
    }
    cases
}

/// What BDDs did.
fn of_bdd(values: &[(usize, Value)]) -> Option<Value> {
    values.iter().find(|(representation, _)| *representation == BDD).map(|(_, value)| *value)
}

/// 1 where BDDs were fastest, 0 where another one was; nothing without BDDs or without another one, or where
/// none solved it.
fn is_first(values: &[(usize, Value)]) -> Option<Value> {
    let time = |value: Value| match value {
        Value::Number(time) => Some(time),
        Value::Lost(_) | Value::Unfit(_) => None,
    };
    let bdd = of_bdd(values).filter(|value| !matches!(value, Value::Unfit(_)))?;
    let others = values.iter().filter(|(representation, _)| *representation != BDD);
    let fit: Vec<Value> =
        others.map(|(_, value)| *value).filter(|value| !matches!(value, Value::Unfit(_))).collect();
    let best = fit.iter().copied().filter_map(time).reduce(f64::min);
    let first = match (time(bdd), best) {
        (None, None) => return None,
        (Some(own), Some(other)) => own < other,
        (Some(_), None) => !fit.is_empty(),
        (None, Some(_)) => false,
    };
    (!fit.is_empty()).then_some(Value::Number(f64::from(first)))
}

/// How many test cases the study solved by BDDs, and of how many, in the two alphabets and modes.
fn bdd_cells() -> Result<(f64, f64), PublishedError> {
    let cells = figure_3_8::figures()?;
    let solved: u64 = cells.iter().filter(|cell| cell.representation == "bdd").map(|cell| cell.solved).sum();
    Ok((sample::count(usize::try_from(solved).unwrap_or(usize::MAX)), 4.0 * (55.0 + 100.0)))
}

/// Figure 3.9.
#[derive(Debug)]
pub struct Figure39;

impl Layout for Figure39 {
    fn name(&self) -> &'static str {
        "figure-3.9"
    }

    fn about(&self) -> &'static str {
        "Sorted times by representation, as figure 3.9"
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        let dataset = analysis.dataset;
        let here: Vec<(Attempt<'_>, Label)> = study_pairs(analysis)
            .map(|(attempt, _)| {
                let label = place(dataset, attempt.strategy).0;
                (attempt, label)
            })
            .filter(|(_, label)| matches!(label, Label::Study(_) | Label::Own(_)))
            .collect();
        let looks: BTreeSet<(&Label, Alphabet)> =
            here.iter().map(|(attempt, label)| (label, attempt.alphabet)).collect();
        let index = |key: (&Label, Alphabet)| looks.iter().position(|look| *look == key).unwrap_or(0);
        let all =
            curves(here.iter().map(|(a, label)| (label.shown(a.alphabet), index((label, a.alphabet)), a)));
        let here: Vec<&Attempt<'_>> = here.iter().map(|(attempt, _)| attempt).collect();
        let limit_label = format!("limit {}", format::chosen(dataset.run.limits.time()));
        let chart = Chart {
            title: self.about(),
            subtitle: &format!(
                "product and difference, eager and lazy; solve without the search for a witness; {}",
                left_out(&here)
            ),
            x_label: "tasks, sorted by time for each representation",
            y_label: "time of the task",
            height: Height::Each,
            limit: limit_shown(dataset, &here).map(|value| (value, limit_label.as_str())),
            curves: &all,
        };
        let alt = format!(
            "Sorted times of {} over all runs",
            counted(all.len(), "representation and alphabet", "representations and alphabets")
        );
        Ok(vec![Part::Plot(Plot::new(self.name(), alt, (chart.svg(), chart.csv()))?)])
    }

    fn claims(&self, analysis: &Analysis<'_>) -> Result<Vec<Finding>, ReportError> {
        let place = "Hooimeijer, section 3.3, figure 3.9";
        let fastest = Claim {
            id: "bdd-fastest",
            place,
            says: "in general BDDs are the fastest representation",
            measure: "the share of test cases (pair, alphabet, mode) with several representations on which BDDs take the least time",
            unit: Unit::Share,
            expected: Expected::Above(0.5),
            published: None,
            reason: None,
        };
        let (solved, all) = bdd_cells()?;
        let few = Claim {
            id: "bdd-fails-on-few",
            place,
            says: "BDDs fail to terminate on a small number of test cases only",
            measure: "the share of test cases that BDDs do not solve within the limits, of which a tenth is small",
            unit: Unit::Share,
            expected: Expected::Within(0.0, 0.1),
            published: Some((1.0 - solved / all, 1.0 - solved / all)),
            reason: None,
        };
        let cases = cases(analysis);
        let bdd = |name: &str, of: fn(&[(usize, Value)]) -> Option<Value>| Side {
            name: name.to_owned(),
            values: cases.iter().filter_map(|(case, values)| Some((case.clone(), of(values)?))).collect(),
        };
        Ok(vec![
            fastest.judge(bdd("BDD against the others", is_first).share(|value| value == Value::Number(1.0))),
            few.judge(bdd("BDD", of_bdd).share(|value| matches!(value, Value::Lost(_)))),
        ])
    }
}

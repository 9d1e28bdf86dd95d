//! Figure 3.9: sorted times, a curve for each representation and alphabet, over all its runs.

use std::collections::BTreeSet;

use harness_model::Alphabet;

use super::representation::{Label, place, study_pairs};
use super::{Layout, Part};
use crate::analysis::Analysis;
use crate::attempt::Attempt;
use crate::format::{self, counted};
use crate::output::ReportError;
use crate::plot::curves::{Chart, Height, curves};
use crate::plot::{Plot, left_out, limit_shown};

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
        let here: Vec<(&Attempt<'_>, Label)> = study_pairs(analysis)
            .map(|(attempt, _)| (attempt, place(dataset, attempt.strategy).0))
            .filter(|(_, label)| matches!(label, Label::Study(_)))
            .collect();
        let looks: BTreeSet<(&Label, Alphabet)> =
            here.iter().map(|(attempt, label)| (label, attempt.alphabet)).collect();
        let index = |key: (&Label, Alphabet)| looks.iter().position(|look| *look == key).unwrap_or(0);
        let all =
            curves(here.iter().map(|(a, label)| (label.shown(a.alphabet), index((label, a.alphabet)), *a)));
        let here: Vec<&Attempt<'_>> = here.into_iter().map(|(attempt, _)| attempt).collect();
        let limit_label = format!("limit {}", format::chosen(dataset.run.limits.time()));
        let chart = Chart {
            title: self.about(),
            subtitle: &format!("product and difference, eager and lazy; phase solve; {}", left_out(&here)),
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
}

//! A histogram of the interchanges of random graphs: those solved on which the string solver was asked.

use super::super::graphs::{Run, strategies};
use crate::dataset::Dataset;
use crate::output::ReportError;
use crate::plot::Plot;
use crate::plot::histogram::{Histogram, Series};

/// Its name.
pub const NAME: &str = "table-4.2-interchanges";

/// The histogram, a series for each strategy on string graphs.
///
/// # Errors
///
/// When the drawing fails: a defect.
pub fn plot(dataset: &Dataset) -> Result<Plot, ReportError> {
    let order = dataset.strategies();
    let mut series: Vec<Series> = strategies(dataset)
        .into_iter()
        .map(|(_, name)| Series {
            label: name.to_owned(),
            counts: Vec::new(),
            index: order.iter().position(|other| *other == name).unwrap_or(0),
        })
        .collect();
    for run in Run::all(dataset).filter(|run| run.is_sat().is_some() && run.has_guess()) {
        if let Some(series) = series.iter_mut().find(|series| series.label == run.row.strategy()) {
            series.counts.push(run.counter("interchanges"));
        }
    }
    let histogram = Histogram {
        title: "Interchanges between integer solver and string solver",
        subtitle: "graphs solved on which the string solver was asked at least once",
        x_label: "interchanges",
        y_label: "graphs",
        series: &series,
    };
    let alt = "Histogram of the interchanges that each strategy needed".to_owned();
    Plot::new(NAME, alt, (histogram.svg(), histogram.csv()))
}

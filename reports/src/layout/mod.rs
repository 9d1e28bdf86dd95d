//! Layouts: tables and figures of papers, published figures beside measured ones, which a config asks for by
//! name.
//!
//! A new one is a file here with a type that implements [`Layout`], and its line in [`ALL`] (with the `mod`
//! line that Rust asks for). Its published figures are a file in `corpora/published/`, and the study behind
//! it is a config in `configs/paper/`. Configs, help and reports know layouts through [`ALL`] alone.
//!
//! A layout also states what its paper found as [claims](crate::claim), which are tested on every run that
//! asks for it.
//!
//! - the study of representations: [`figure_3_7`], [`figure_3_8`], [`figure_3_9`], [`figure_3_10`]; with
//!   [`representation`], which row of the study a strategy is in, and [`times`], what 3.8 and 3.10 share
//! - the study of string graphs: [`table_4_1`], [`table_4_2`]; with [`graphs`], what a record of such a
//!   strategy says
//! - the study of systems of regular constraints: [`systems`]
//! - [`pass`]: PASS's table 1, figure 4 and comparison; [`jst`]: JST's tables 4 and 5
//!
//! Two tables are made of every run that has something for them, without being asked for: [`extremes`] (the
//! study's figures 4.1 and 4.2, a layout too) and [`nodes`] (each node of a path tree).

pub mod extremes;
pub mod figure_3_10;
pub mod figure_3_7;
pub mod figure_3_8;
pub mod figure_3_9;
pub mod graphs;
pub mod jst;
pub mod nodes;
pub mod pass;
pub mod representation;
pub mod systems;
pub mod table_4_1;
pub mod table_4_2;
pub mod times;

use crate::analysis::Analysis;
use crate::claim::Finding;
use crate::dataset::Dataset;
use crate::output::ReportError;
use crate::plot::Plot;
use crate::table::Table;

/// A table or figure of a paper.
pub trait Layout: Sync {
    /// Its name in configs; files of its tables and plots begin with it.
    fn name(&self) -> &'static str;

    /// What it shows, as a title.
    fn about(&self) -> &'static str;

    /// The families of tasks that it shows. Empty when it shows any family, or says itself what is missing.
    fn families(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Makes it of a run.
    ///
    /// # Errors
    ///
    /// When its published figures are damaged, or a plot cannot be drawn: defects.
    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError>;

    /// What the paper found, tested on the run, in the paper's order.
    ///
    /// # Errors
    ///
    /// When its published figures are damaged: a defect.
    fn claims(&self, analysis: &Analysis<'_>) -> Result<Vec<Finding>, ReportError>;

    /// The tasks that it singles out, most notable first: their pictures are shown, where the dataset has
    /// them.
    fn singled_out(&self, _dataset: &Dataset) -> Vec<String> {
        Vec::new()
    }
}

/// A piece of a layout.
#[derive(Clone, Debug)]
pub enum Part {
    /// The title of what follows; the layout's own title stands before its first part.
    Heading(String),
    /// A table.
    Table(Table),
    /// A plot.
    Plot(Plot),
    /// The pictures of the tasks that it singles out.
    Drawings,
}

/// Every layout, in the order in which they are listed.
pub static ALL: [&dyn Layout; 17] = [
    &systems::figure_2_11::Figure211,
    &figure_3_7::Figure37,
    &figure_3_8::Figure38,
    &figure_3_9::Figure39,
    &figure_3_10::Figure310,
    &systems::experiment_1::Experiment1,
    &systems::experiment_2::Experiment2,
    &systems::experiment_3::Experiment3,
    &systems::experiment_4::Experiment4,
    &table_4_1::Table41,
    &table_4_2::Table42,
    &extremes::Extremes,
    &pass::table_1::PassTable1,
    &pass::figure_4::PassFigure4,
    &pass::comparison::PassComparison,
    &jst::table_4::JstTable4,
    &jst::table_5::JstTable5,
];

/// The layout of that name.
pub fn find(name: &str) -> Option<&'static dyn Layout> {
    ALL.into_iter().find(|layout| layout.name() == name)
}

/// The layouts that a run asks for and this build has, in the run's order.
pub fn of_run(dataset: &Dataset) -> impl Iterator<Item = &'static dyn Layout> {
    dataset.run.report.layouts.iter().filter_map(|name| find(name))
}

/// The layouts that a run asks for and this build does not have.
pub fn unknown(dataset: &Dataset) -> impl Iterator<Item = &str> {
    dataset.run.report.layouts.iter().map(String::as_str).filter(|name| find(name).is_none())
}

/// The tasks that the reports of a run single out, so that pictures of them are worth making.
///
/// `most`: from each layout, no more than this.
pub fn singled_out(dataset: &Dataset, most: usize) -> Vec<String> {
    let mut tasks = extremes::tasks(dataset);
    let others = |layout: &&dyn Layout| layout.name() != extremes::NAME;
    tasks.extend(
        of_run(dataset).filter(others).flat_map(|layout| layout.singled_out(dataset).into_iter().take(most)),
    );
    tasks
}

/// A layout made of a run.
pub(crate) struct Section {
    pub(crate) layout: &'static dyn Layout,
    pub(crate) parts: Vec<Part>,
    pub(crate) findings: Vec<Finding>,
}

impl Section {
    /// Its plots, in order.
    pub(crate) fn plots(&self) -> impl Iterator<Item = &Plot> {
        self.parts.iter().filter_map(|part| match part {
            Part::Plot(plot) => Some(plot),
            Part::Heading(_) | Part::Table(_) | Part::Drawings => None,
        })
    }
}

/// Makes the layouts that a run asks for.
///
/// # Errors
///
/// As [`Layout::build`].
pub(crate) fn sections(analysis: &Analysis<'_>) -> Result<Vec<Section>, ReportError> {
    let build = |layout: &'static dyn Layout| {
        Ok(Section { layout, parts: layout.build(analysis)?, findings: layout.claims(analysis)? })
    };
    of_run(analysis.dataset).map(build).collect()
}

/// The machine's processor, for notes.
fn processor(dataset: &Dataset) -> &str {
    if dataset.run.machine.cpu.is_empty() { "an unknown processor" } else { &dataset.run.machine.cpu }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_distinct_and_have_a_title() {
        assert_eq!(ALL.iter().map(|layout| layout.name()).collect::<BTreeSet<_>>().len(), ALL.len());
        assert!(ALL.iter().all(|layout| layout.about().len() > 20));
        assert_eq!(find("table-4.2").map(Layout::name), Some("table-4.2"));
        assert!(find("table-4.20").is_none());
    }
}

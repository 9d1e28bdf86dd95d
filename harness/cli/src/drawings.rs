//! Pictures of the tasks that a report singles out: reports know no string graph, so they are drawn here.

use backends::picture::{self, Format};
use harness_model::Task;
use harness_model::run::Layout;
use reports::layout::{extremes, random};
use reports::{Dataset, Drawing};

/// At most so many outliers are drawn.
const MOST: usize = 12;

/// Draws the graphs that the reports of `dataset` list: the worst outliers of table 4.2 and the study's two extremes.
pub fn of(dataset: &Dataset) -> Vec<Drawing> {
    let mut tasks = extremes::tasks(dataset);
    if dataset.run.report.layouts.contains(&Layout::Table42) {
        tasks.extend(random::outlying_tasks(dataset).into_iter().take(MOST));
    }
    tasks.into_iter().filter_map(|id| drawing(dataset.task(&id)?)).collect()
}

/// The graph of a task's first query; `None` when it is none.
fn drawing(task: &Task) -> Option<Drawing> {
    let script = harness_smtlib::read(task.question.as_script()?.text.as_bytes()).ok()?;
    let problem = &script.queries.first()?.problem;
    let svg = picture::string_graph(problem, task.question.alphabet, Format::Svg).ok()?;
    Some(Drawing { task: task.id.clone(), svg })
}

//! Pictures of the tasks that a report singles out: reports know no string graph, so they are drawn here.

use backends::picture::{self, Format};
use harness_model::Task;
use reports::{Dataset, Drawing, layout};

/// The most pictures for one layout.
const MOST: usize = 12;

/// Draws the graphs that the reports of `dataset` single out, such as the worst outliers of table 4.2.
pub fn of(dataset: &Dataset) -> Vec<Drawing> {
    let tasks = layout::singled_out(dataset, MOST);
    tasks.into_iter().filter_map(|id| drawing(dataset.task(&id)?)).collect()
}

/// The graph of a task's first query; `None` when it is none.
fn drawing(task: &Task) -> Option<Drawing> {
    let script =
        harness_smtlib::read_in(task.question.as_script()?.text.as_bytes(), task.question.alphabet).ok()?;
    let problem = &script.queries.first()?.problem;
    let svg = picture::string_graph(problem, task.question.alphabet, Format::Svg).ok()?;
    Some(Drawing { task: task.id.clone(), svg })
}

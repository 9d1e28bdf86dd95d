//! What a record claimed, whatever became of it: formats of other tools judge wrong answers themselves.

use harness_model::{Alphabet, Question, Verdict};
use reports::{Dataset, Row};

/// The verdict of the record's answers taken together, as its status has it where it is right; `None` without
/// an answer to every part of the question.
pub(crate) fn claimed(dataset: &Dataset, row: &Row) -> Option<Verdict> {
    // A task that the run does not have is no question of ours; one answer then stands for itself.
    let nothing = Question::of_script(Alphabet::Unicode, "", row.record.answers.len());
    let question = dataset.task(row.task()).map_or(&nothing, |task| &task.question);
    let answers = &row.record.answers;
    if answers.is_empty() || answers.len() < question.asked() {
        return None;
    }
    let verdicts = question.kind.verdicts().iter().copied();
    verdicts.into_iter().find(|verdict| answers.iter().any(|answer| answer.verdict == *verdict))
}

//! The corpus `systems/li2009`: the operations on the ten expressions of the representation study as systems
//! of one variable, which is in both languages, or in the first and not in the second.
//!
//! The second experiment on these expressions (Hooimeijer, *Decision Procedures for String Constraints*,
//! section 4.2.1) asks for the differences. The answers are those of the corpus of expressions.

use std::sync::Arc;

use harness_model::{
    Alphabet, Expected, OperationKind, Question, RegexSource, SolutionKind, SystemFormat, SystemSource, Task,
    Verdict,
};
use harness_systems::{Constraint, Language, Piece, Relation, System, VariableId, smtlib};

use crate::error::CorpusError;
use crate::pairs::all_pairs;
use crate::{Options, study};

/// Name of the corpus.
pub(crate) const NAME: &str = "systems/li2009";

/// The tasks that `options` ask for: one for each operation, whatever they say of batches and variants.
pub(crate) fn load(options: &Options) -> Result<Vec<Task>, CorpusError> {
    let regexes = study::chosen(study::expressions()?, options)?;
    let answers = study::answers()?;
    let mut tasks = Vec::new();
    for &alphabet in &options.alphabets {
        let languages =
            regexes.iter().map(|source| language(source, alphabet)).collect::<Result<Vec<_>, _>>()?;
        for operation in all_pairs(regexes.len(), &options.operations) {
            let [left, right] = [operation.left, operation.right].map(|place| regexes[place].name.as_str());
            let relation = match operation.kind {
                OperationKind::Product => Relation::In,
                OperationKind::Difference => Relation::NotIn,
            };
            let constraint = |language: &Arc<Language>, relation| Constraint {
                pieces: vec![Piece::Variable(VariableId(0))],
                relation,
                language: Arc::clone(language),
                position: harness_theory::Position { line: 1, column: 1 },
            };
            let system = System {
                variables: vec!["v".to_owned()],
                constraints: vec![
                    constraint(&languages[operation.left], Relation::In),
                    constraint(&languages[operation.right], relation),
                ],
                definitions: Vec::new(),
            };
            let text = smtlib::script([&system], alphabet).map_err(|what| damaged(left, what))?;
            let known = answers.get(&(operation.kind, left.to_owned(), right.to_owned()));
            let verdict =
                known.and_then(|known| known.verdicts.get(&alphabet)).map(|verdict| match verdict {
                    Verdict::Empty => Verdict::Unsat,
                    Verdict::Nonempty => Verdict::Sat,
                    other
                    @ (Verdict::Sat | Verdict::Unsat | Verdict::UnsatWithinBound | Verdict::Unknown) => {
                        *other
                    }
                });
            let source = SystemSource {
                text,
                format: SystemFormat::Smtlib,
                queries: 1,
                solution: SolutionKind::Words,
            };
            tasks.push(Task {
                parameters: Default::default(),
                id: format!("{NAME}/{alphabet}/{}/{left}-{right}", operation.kind),
                family: format!("{NAME}/{}", operation.kind),
                question: Question::of_system(alphabet, source),
                expected: verdict
                    .map(|verdict| Expected { verdicts: vec![verdict], source: study::SOURCE.to_owned() }),
            });
        }
    }
    if tasks.is_empty() {
        let why = "no alphabet, no operation or no expression is chosen";
        return Err(CorpusError::Empty { place: format!("corpus {NAME}"), why });
    }
    Ok(tasks)
}

fn language(source: &RegexSource, alphabet: Alphabet) -> Result<Arc<Language>, CorpusError> {
    let regex = harness_regex::parse(&source.pattern, source.dialect, alphabet);
    let regex = regex.map_err(|error| damaged(&source.name, error.to_string()))?;
    Ok(Arc::new(Language::Regex(regex)))
}

fn damaged(name: &str, what: String) -> CorpusError {
    CorpusError::File { file: format!("{NAME}, {name}").into(), what }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_systems_with_the_known_answers() {
        let options = Options {
            alphabets: vec![Alphabet::Latin1],
            operations: vec![OperationKind::Difference],
            ..Options::default()
        };
        let tasks = load(&options).unwrap();
        assert_eq!(tasks.len(), 100);
        let unsat = |task: &&Task| task.expected.as_ref().unwrap().verdicts == [Verdict::Unsat];
        let refuted: Vec<&str> = tasks.iter().filter(unsat).map(|task| task.id.as_str()).collect();
        assert!(
            (0..10)
                .all(|i| refuted.contains(&format!("systems/li2009/latin1/difference/A{i}-A{i}").as_str()))
        );
        for task in &tasks {
            let source = task.question.as_system().unwrap();
            let read = harness_systems::document::read_source(source, Alphabet::Latin1).unwrap();
            assert_eq!(read.queries[0].system.as_ref().unwrap().constraints.len(), 2, "{}", task.id);
        }
    }
}

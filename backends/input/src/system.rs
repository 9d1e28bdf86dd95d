//! Systems of regular constraints, as they are and as SMT-LIB scripts.

use std::borrow::Cow;

use backends_api::{BackendError, Probe};
use harness_model::{Alphabet, Question, QuestionKind, ScriptSource, SolutionKind, SystemSource};
use harness_systems::document::read_source;
use harness_systems::{Document, ErrorKind, System, smtlib};

use crate::unsupported;

/// The systems that a question asks about; a question of another kind is unsupported.
pub fn systems_of(question: &Question, probe: &Probe) -> Result<Document, BackendError> {
    let source = question.as_system().ok_or_else(|| unsupported(question))?;
    read_systems(source, question.alphabet, probe)
}

/// Reads systems whose strings are over `alphabet`. A text that is not legal is the input's fault.
pub fn read_systems(
    source: &SystemSource,
    alphabet: Alphabet,
    probe: &Probe,
) -> Result<Document, BackendError> {
    probe.phase("parse", || read_source(source, alphabet)).map_err(|error| match error.kind {
        ErrorKind::Illegal => BackendError::Input(error.to_string()),
        ErrorKind::Unsupported => BackendError::Unsupported(error.to_string()),
    })
}

/// The script that a question consists of; of systems, for which words are wanted, the script that asks the
/// same. Its variables have the names that they have in the system. What asks for languages is unsupported,
/// as are questions of other kinds.
pub fn script_source<'q>(
    question: &'q Question,
    probe: &Probe,
) -> Result<Cow<'q, ScriptSource>, BackendError> {
    match &question.kind {
        QuestionKind::Script(source) => Ok(Cow::Borrowed(source)),
        QuestionKind::System(source) => as_script(source, question.alphabet, probe).map(Cow::Owned),
        QuestionKind::Operations(_) | QuestionKind::Grammars(_) => Err(unsupported(question)),
    }
}

/// Systems as a script with as many `check-sat`s.
pub fn as_script(
    source: &SystemSource,
    alphabet: Alphabet,
    probe: &Probe,
) -> Result<ScriptSource, BackendError> {
    match source.solution {
        SolutionKind::Words => {}
        SolutionKind::First | SolutionKind::All => {
            return Err(BackendError::Unsupported("languages as the solution of a system".to_owned()));
        }
    }
    let document = read_systems(source, alphabet, probe)?;
    let queries = document.queries.len();
    let systems: Vec<&System> = document
        .queries
        .iter()
        .map(|query| query.system.as_ref().map_err(|why| BackendError::Unsupported(why.clone())))
        .collect::<Result<_, _>>()?;
    let text =
        probe.phase("print", || smtlib::script(systems, alphabet)).map_err(BackendError::Unsupported)?;
    Ok(ScriptSource { text, queries })
}

#[cfg(test)]
mod tests {
    use harness_model::SystemFormat;

    use super::*;

    fn question(text: &str, solution: SolutionKind) -> Question {
        let (text, format) = (text.to_owned(), SystemFormat::Dprle);
        Question::of_system(Alphabet::Latin1, SystemSource { text, format, queries: 2, solution })
    }

    #[test]
    fn each_time_that_a_solution_is_asked_for_is_a_query() {
        let text = "a < [ s: q f: q d: q -> q on { 'a' } ]; solve(); a . b < a; solve_all();";
        let question = question(text, SolutionKind::Words);
        let script = script_source(&question, &Probe::new());
        let script = script.map(Cow::into_owned);
        assert_eq!(script.as_ref().map(|script| script.queries), Ok(2));
        let read = crate::read_script(&script.unwrap(), Alphabet::Latin1, |_| false, &Probe::new()).unwrap();
        let counts: Vec<_> =
            read.queries.iter().map(|q| (q.problem.variables.len(), q.problem.assertions.len())).collect();
        assert_eq!(counts, [(1, 1), (2, 2)]);
    }

    #[test]
    fn languages_and_faults_are_told_apart() {
        let all = question("solve();", SolutionKind::All);
        let languages = script_source(&all, &Probe::new());
        assert!(matches!(languages, Err(BackendError::Unsupported(_))));
        let fault = systems_of(&question("solve(;", SolutionKind::All), &Probe::new());
        assert!(matches!(fault, Err(BackendError::Input(_))));
        let other = systems_of(&Question::of_script(Alphabet::Ascii, "", 0), &Probe::new());
        assert_eq!(other.err(), Some(BackendError::Unsupported("string constraints".to_owned())));
    }
}

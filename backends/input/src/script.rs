//! SMT-LIB scripts of string constraints.

use backends_api::{BackendError, Probe};
use harness_model::{Alphabet, Question, ScriptSource};
use harness_smtlib::{ErrorKind, ReadError};
use harness_theory::{Op, Script, lower};

use crate::script_source;

/// The script that a question consists of, or that asks the same, as [`read_script`] gives it; a question of
/// another kind is unsupported.
pub fn script_of(question: &Question, native: fn(Op) -> bool, probe: &Probe) -> Result<Script, BackendError> {
    let source = script_source(question, probe)?;
    read_script(&source, question.alphabet, native, probe)
}

/// Reads a script whose strings are over `alphabet`. One that is illegal is the input's fault; one that is
/// legal but not understood is unsupported.
///
/// Java's operations that the strategy does not do natively are written out, but for those whose definition
/// needs fresh variables; the conditions under which operations are defined become assertions
/// ([`lower::unfold_script`]).
pub fn read_script(
    source: &ScriptSource,
    alphabet: Alphabet,
    native: fn(Op) -> bool,
    probe: &Probe,
) -> Result<Script, BackendError> {
    let read = || {
        let script = harness_smtlib::read_in(source.text.as_bytes(), alphabet)?;
        Ok(lower::unfold_script(script, alphabet, native))
    };
    probe.phase("parse", read).map_err(|error: ReadError| match error.kind {
        ErrorKind::Illegal => BackendError::Input(error.to_string()),
        ErrorKind::Unsupported => BackendError::Unsupported(error.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use harness_model::{Operation, OperationKind};

    use super::*;

    fn read(question: &Question) -> Result<usize, BackendError> {
        script_of(question, |_| false, &Probe::new()).map(|script| script.queries.len())
    }

    #[test]
    fn a_script_is_read_with_all_its_queries() {
        assert_eq!(read(&Question::of_script(Alphabet::Ascii, "(check-sat)(check-sat)", 2)), Ok(2));
    }

    #[test]
    fn what_is_illegal_is_told_from_what_is_not_understood() {
        let illegal = read(&Question::of_script(Alphabet::Ascii, "(assert 1)", 1));
        assert!(matches!(illegal, Err(BackendError::Input(_))), "{illegal:?}");
        let unknown = read(&Question::of_script(Alphabet::Ascii, "(declare-const x Real)", 1));
        assert!(matches!(unknown, Err(BackendError::Unsupported(_))), "{unknown:?}");
    }

    #[test]
    fn operations_are_refused_by_name() {
        let operation = Operation { kind: OperationKind::Difference, left: 0, right: 0 };
        let refused = |operations| read(&Question::of_operations(Alphabet::Ascii, Vec::new(), operations));
        let name = |name: &str| Err(BackendError::Unsupported(name.to_owned()));
        assert_eq!(refused(vec![operation]), name("difference of regular expressions"));
        assert_eq!(refused(Vec::new()), name("operations on regular expressions"));
    }
}

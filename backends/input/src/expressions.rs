//! Regular expressions and the operations on them.

use backends_api::{BackendError, Probe, Treatment};
use harness_model::{Alphabet, Dialect, Operation, OperationKind, Operations, Question, Regex, RegexSource};
use harness_theory::{Op, ReOp};

use crate::unsupported;

/// Expressions that were read, with the operations on them.
///
/// Both operands of every operation exist.
#[derive(Clone, Debug)]
pub struct Expressions<'a> {
    alphabet: Alphabet,
    regexes: Vec<Regex>,
    operations: &'a [Operation],
}

/// The expressions and operations that a question consists of; a question of another kind is unsupported.
pub fn expressions_of<'a>(question: &'a Question, probe: &Probe) -> Result<Expressions<'a>, BackendError> {
    let asked = question.as_operations().ok_or_else(|| unsupported(question))?;
    Expressions::read(question.alphabet, asked, probe)
}

impl<'a> Expressions<'a> {
    /// Reads all expressions, those that no operation names among them.
    pub fn read(alphabet: Alphabet, asked: &'a Operations, probe: &Probe) -> Result<Self, BackendError> {
        let regexes = probe.phase("parse", || {
            let sources = asked.regexes.iter().map(|source| {
                harness_regex::parse(&source.pattern, source.dialect, alphabet).map_err(|error| {
                    BackendError::Input(format!("expression '{}' ({}): {error}", source.name, source.dialect))
                })
            });
            sources.collect::<Result<_, _>>()
        })?;
        Self::new(alphabet, regexes, &asked.operations)
    }

    /// Operations on `regexes`.
    ///
    /// # Errors
    ///
    /// When an operation names an expression that is not there.
    pub fn new(
        alphabet: Alphabet,
        regexes: Vec<Regex>,
        operations: &'a [Operation],
    ) -> Result<Self, BackendError> {
        for (place, Operation { kind, left, right }) in operations.iter().enumerate() {
            if let Some(missing) = [left, right].into_iter().find(|&&operand| operand >= regexes.len()) {
                return Err(BackendError::Input(format!(
                    "operation {place}, a {kind}: expected the index of an expression, below {}, found {missing}",
                    regexes.len()
                )));
            }
        }
        Ok(Self { alphabet, regexes, operations })
    }

    /// The characters that the expressions are over.
    pub const fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    /// The expressions.
    pub fn regexes(&self) -> &[Regex] {
        &self.regexes
    }

    /// What to do with them, in order.
    pub const fn operations(&self) -> &'a [Operation] {
        self.operations
    }
}

/// What a strategy for expressions does with an operation of languages: it solves what the text of an
/// expression, or an operation on expressions, can say.
pub fn treatment(op: Op) -> Option<Treatment> {
    sample(op).map(|_| Treatment::Native)
}

/// A question with this operation of languages in it; `None` where none can have it. It asks for two
/// languages, of which the second is empty, and the first is not, unless `op` is the empty language.
pub fn sample(op: Op) -> Option<Question> {
    let Op::Re(op) = op else { return None };
    // An expression, and one that has all its words.
    let pattern = match op {
        ReOp::ToRe => "a",
        ReOp::None => "[a&&b]",
        ReOp::All => "(?s).*",
        ReOp::AllChar => "(?s).",
        ReOp::Concat => "ab",
        ReOp::Union => "a|bc",
        ReOp::Star => "(ab)*",
        ReOp::Plus => "(ab)+",
        ReOp::Opt => "(ab)?",
        ReOp::Range => "[a-c]",
        ReOp::Power(_) => "(ab){2}",
        ReOp::Loop(..) => "(ab){1,2}",
        // The operations on expressions themselves; a complement is what a difference takes away.
        ReOp::Inter => "[ab]",
        ReOp::Diff => "[a-c]",
        ReOp::Comp => return None,
    };
    let source = |name: &str, pattern: &str| RegexSource {
        name: name.to_owned(),
        pattern: pattern.to_owned(),
        dialect: Dialect::Java,
    };
    let regexes = vec![source("A", pattern), source("B", "(?s).*"), source("C", "[bc]"), source("D", "d")];
    let of = |kind, left, right| Operation { kind, left, right };
    let (product, difference) = (OperationKind::Product, OperationKind::Difference);
    let operations = match op {
        ReOp::Inter => vec![of(product, 0, 2), of(product, 0, 3)],
        ReOp::Diff => vec![of(difference, 0, 2), of(difference, 2, 0)],
        ReOp::ToRe
        | ReOp::None
        | ReOp::All
        | ReOp::AllChar
        | ReOp::Concat
        | ReOp::Union
        | ReOp::Star
        | ReOp::Comp
        | ReOp::Plus
        | ReOp::Opt
        | ReOp::Range
        | ReOp::Power(_)
        | ReOp::Loop(..) => vec![of(product, 0, 1), of(difference, 0, 1)],
    };
    Some(Question::of_operations(Alphabet::Ascii, regexes, operations))
}

#[cfg(test)]
mod tests {
    use harness_model::CharSet;

    use super::*;

    fn source(pattern: &str) -> RegexSource {
        RegexSource { name: "A0".to_owned(), pattern: pattern.to_owned(), dialect: Dialect::Java }
    }

    fn input<T: std::fmt::Debug>(result: Result<T, BackendError>) -> String {
        match result {
            Err(BackendError::Input(what)) => what,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn expressions_are_read_over_the_alphabet() {
        let operations = vec![Operation { kind: OperationKind::Product, left: 0, right: 1 }];
        let question =
            Question::of_operations(Alphabet::Latin1, vec![source("a"), source("b")], operations.clone());
        let probe = Probe::new();
        let read = expressions_of(&question, &probe).unwrap();
        assert_eq!((read.alphabet(), read.operations()), (Alphabet::Latin1, operations.as_slice()));
        assert_eq!(read.regexes()[1], Regex::set(CharSet::single(b'b'.into())));
        assert!(probe.into_parts().0.contains_key("parse"));
    }

    #[test]
    fn an_expression_that_cannot_be_read_is_named_with_its_dialect() {
        let question = Question::of_operations(Alphabet::Ascii, vec![source("(a")], Vec::new());
        let what = input(expressions_of(&question, &Probe::new()));
        assert!(what.starts_with("expression 'A0' (java): "), "{what}");
    }

    #[test]
    fn an_operand_that_is_not_there_is_named() {
        let operations = [Operation { kind: OperationKind::Difference, left: 0, right: 2 }];
        let what = input(Expressions::new(Alphabet::Ascii, vec![Regex::Epsilon; 2], &operations));
        let expected = "operation 0, a difference: expected the index of an expression, below 2, found 2";
        assert_eq!(what, expected);
    }

    #[test]
    fn scripts_are_refused_by_name() {
        let question = Question::of_script(Alphabet::Ascii, "", 0);
        let refused = expressions_of(&question, &Probe::new());
        assert_eq!(refused.err(), Some(BackendError::Unsupported("string constraints".to_owned())));
    }
}

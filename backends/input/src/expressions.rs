//! Regular expressions and the operations on them.
//!
//! A system of one variable that has to be in one language, and in another one or not in it, asks for a word
//! of a product or a difference, so strategies for operations answer it, too.

use std::rc::Rc;

use backends_api::{BackendError, Probe, Run, Treatment};
use harness_model::{
    Alphabet, Answer, Dialect, Operation, OperationKind, Operations, Outcome, Question, QuestionKind, Regex,
    RegexSource, SolutionKind, SystemSource, Verdict, Witness,
};
use harness_systems::{Piece, Relation, System, smtlib};
use harness_theory::{Op, ReOp};

use crate::{read_systems, unsupported};

/// Expressions that were read, with the operations on them.
///
/// Both operands of every operation exist.
#[derive(Clone, Debug)]
pub struct Expressions {
    alphabet: Alphabet,
    regexes: Vec<Regex>,
    operations: Rc<[Operation]>,
    systems: Systems,
}

/// The systems that operations come from, one for each; none where a question asks for operations itself.
#[derive(Clone, Debug, Default)]
pub struct Systems(Rc<[System]>);

/// The expressions and operations that a question consists of, or that its systems come to; a question of
/// another kind is unsupported.
pub fn expressions_of(question: &Question, probe: &Probe) -> Result<Expressions, BackendError> {
    match &question.kind {
        QuestionKind::Operations(asked) => Expressions::read(question.alphabet, asked, probe),
        QuestionKind::System(source) if source.solution == SolutionKind::Words => {
            Expressions::of_systems(source, question.alphabet, probe)
        }
        QuestionKind::System(_) => {
            Err(BackendError::Unsupported("languages as the solution of a system".to_owned()))
        }
        QuestionKind::Script(_) | QuestionKind::Grammars(_) => Err(unsupported(question)),
    }
}

/// The operation that a system comes to, and its operands.
fn operation_of(system: &System) -> Result<(OperationKind, [Regex; 2]), BackendError> {
    let refused = |what: &str| BackendError::Unsupported(format!("{what}: operations have two expressions"));
    if system.variables.len() != 1 {
        return Err(refused("a system of several variables, or of none"));
    }
    let [one, other] = system.constraints.as_slice() else {
        return Err(refused("a system of another number of constraints than two"));
    };
    if [one, other].iter().any(|constraint| !matches!(constraint.pieces.as_slice(), [Piece::Variable(_)])) {
        return Err(refused("a concatenation"));
    }
    let (kind, one, other) = match (one.relation, other.relation) {
        (Relation::In, Relation::In) => (OperationKind::Product, one, other),
        (Relation::In, Relation::NotIn) => (OperationKind::Difference, one, other),
        (Relation::NotIn, Relation::In) => (OperationKind::Difference, other, one),
        (Relation::NotIn, Relation::NotIn) => return Err(refused("two languages that are excluded")),
    };
    let regex = |language: &harness_systems::Language| {
        let regex = language.regex().map_err(|error| BackendError::Unsupported(error.to_string()))?;
        Ok::<_, BackendError>(regex.into_owned())
    };
    Ok((kind, [regex(&one.language)?, regex(&other.language)?]))
}

impl Expressions {
    /// Reads all expressions, those that no operation names among them.
    pub fn read(alphabet: Alphabet, asked: &Operations, probe: &Probe) -> Result<Self, BackendError> {
        let regexes = probe.phase("parse", || {
            let sources = asked.regexes.iter().map(|source| {
                harness_regex::read(source, alphabet).map_err(|error| {
                    BackendError::Input(format!("expression '{}' ({}): {error}", source.name, source.dialect))
                })
            });
            sources.collect::<Result<_, _>>()
        })?;
        Self::new(alphabet, regexes, asked.operations.as_slice())
    }

    /// Operations on `regexes`.
    ///
    /// # Errors
    ///
    /// When an operation names an expression that is not there.
    pub fn new(
        alphabet: Alphabet,
        regexes: Vec<Regex>,
        operations: impl Into<Rc<[Operation]>>,
    ) -> Result<Self, BackendError> {
        let operations = operations.into();
        for (place, Operation { kind, left, right }) in operations.iter().enumerate() {
            if let Some(missing) = [left, right].into_iter().find(|&&operand| operand >= regexes.len()) {
                return Err(BackendError::Input(format!(
                    "operation {place}, a {kind}: expected the index of an expression, below {}, found {missing}",
                    regexes.len()
                )));
            }
        }
        Ok(Self { alphabet, regexes, operations, systems: Systems::default() })
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
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Operations that ask what systems ask, one for each query.
    ///
    /// # Errors
    ///
    /// When a system is no operation of two expressions.
    fn of_systems(source: &SystemSource, alphabet: Alphabet, probe: &Probe) -> Result<Self, BackendError> {
        let queries = read_systems(source, alphabet, probe)?.queries;
        let (mut regexes, mut operations) = (Vec::new(), Vec::with_capacity(queries.len()));
        let mut systems = Vec::with_capacity(queries.len());
        for query in queries {
            let system = query.system.map_err(BackendError::Unsupported)?;
            let (kind, operands) = operation_of(&system)?;
            operations.push(Operation { kind, left: regexes.len(), right: regexes.len() + 1 });
            regexes.extend(operands);
            systems.push(system);
        }
        let read = Self::new(alphabet, regexes, operations)?;
        Ok(Self { systems: Systems(systems.into()), ..read })
    }

    /// The systems that the operations come from. Cheap.
    pub fn systems(&self) -> Systems {
        self.systems.clone()
    }
}

impl Systems {
    /// Whether the question asks for operations itself.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What answers the question that operations come from, given what answers the operations.
    pub fn answered_by<'r>(self, run: Box<dyn Run + 'r>) -> Box<dyn Run + 'r> {
        if self.is_empty() { run } else { Box::new(ForSystems { run, systems: self.0 }) }
    }
}

/// Answers systems by a run that answers their operations.
struct ForSystems<'r> {
    run: Box<dyn Run + 'r>,
    systems: Rc<[System]>,
}

impl Run for ForSystems<'_> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        let Outcome { answers } = self.run.run(probe)?;
        Ok(Outcome { answers: answers.into_iter().zip(&*self.systems).map(of_system).collect() })
    }
}

/// The answer about a system, of the one about its operation.
fn of_system((answer, system): (Answer, &System)) -> Answer {
    let witness = match &answer.witness {
        Some(Witness::Word(word)) => Some(Witness::Model(smtlib::model(system, std::slice::from_ref(word)))),
        Some(Witness::Model(_) | Witness::Languages(_)) | None => None,
    };
    let verdict = match answer.verdict {
        Verdict::Nonempty => Verdict::Sat,
        Verdict::Empty => Verdict::Unsat,
        Verdict::Sat | Verdict::Unsat | Verdict::UnsatWithinBound | Verdict::Unknown => answer.verdict,
    };
    Answer { verdict, witness, ..answer }
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
        find: false,
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
        RegexSource {
            find: false,
            name: "A0".to_owned(),
            pattern: pattern.to_owned(),
            dialect: Dialect::Java,
        }
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
        let what = input(Expressions::new(Alphabet::Ascii, vec![Regex::Epsilon; 2], operations));
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

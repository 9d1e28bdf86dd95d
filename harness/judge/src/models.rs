//! Whether a model is what it claims to be: the trusted evaluator decides.

use harness_check::model::ModelVerdict;
use harness_check::{EvalError, Evaluator};
use harness_model::Alphabet;
use harness_smtlib::excerpt::excerpt;
use harness_smtlib::{ReadError, model, print};
use harness_theory::{Assignment, Position, Query, TermId, Value, lower};

/// Longer assertions are cut in messages.
const SHOWN: usize = 80;

/// What the trusted evaluator makes of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelCheck {
    /// Every assertion is true. What the model leaves out may have any value.
    Holds(Assignment),
    /// It does not satisfy the problem; which assertion, or which value is none of the alphabet.
    Fails(String),
    /// It leaves out a variable, and does not satisfy the problem where that has the default of its sort. Of
    /// a strategy's model, which has to be whole, this is a failure; of what a solver printed nothing is
    /// known.
    Open(String),
    /// It cannot be told: no model, a value that cannot be evaluated, a term that has no fixed value.
    Unvalidated(String),
}

/// The values of `model`, in the form that SMT solvers print. `Ok(Err(why))` when a value cannot be
/// evaluated.
///
/// # Errors
///
/// When the text is not a model of the query.
pub fn read_model(
    query: &Query,
    model: &str,
    alphabet: Alphabet,
) -> Result<Result<Assignment, String>, ReadError> {
    let read = model::read(model.as_bytes(), &query.problem, alphabet)?;
    Ok(read.and_then(|model| harness_check::model::evaluate(&model, &query.problem, alphabet)))
}

/// Evaluates `model`, in the form that SMT solvers print, on a query of the script `text`.
///
/// A value that has a character outside of `alphabet` fails: it is no string there. Cost: linear in the model
/// and in the terms of the query, but for what the functions in it cost themselves.
pub fn check_model(text: &str, query: &Query, model: &str, alphabet: Alphabet) -> ModelCheck {
    let assignment = match read_model(query, model, alphabet) {
        Ok(Ok(assignment)) => assignment,
        Ok(Err(why)) => return ModelCheck::Unvalidated(why),
        Err(error) => return ModelCheck::Unvalidated(format!("the model cannot be read: {error}")),
    };
    let terms = &query.problem.terms;
    for variable in &query.problem.variables {
        if let Some(Value::String(word)) = assignment.get(variable)
            && let Some(foreign) = word.foreign_to(alphabet)
        {
            let name = &terms.variables()[variable.index()].name;
            return ModelCheck::Fails(format!(
                "the model's value of '{name}' contains U+{:04X}, which is not in {alphabet}",
                foreign.0
            ));
        }
    }
    match harness_check::model::check(&query.problem, &assignment, alphabet) {
        ModelVerdict::Holds => ModelCheck::Holds(assignment),
        ModelVerdict::Fails(number) => ModelCheck::Fails(format!(
            "the model makes {}",
            falsified(text, query, number, &assignment, alphabet)
        )),
        ModelVerdict::Open(number, variable) => ModelCheck::Open(format!(
            "the model has no value for '{}', and its default makes {}",
            terms.variables()[variable.index()].name,
            falsified(text, query, number, &assignment, alphabet)
        )),
        ModelVerdict::Unvalidated(why) => ModelCheck::Unvalidated(why),
    }
}

/// For each of these assertions of a query, the conditions under which the operations in it are defined, and
/// whether they hold. Cost: linear in the terms of the query and in what is given.
pub fn definedness_of(
    query: &Query,
    assertions: &[TermId],
    assignment: &Assignment,
    alphabet: Alphabet,
) -> Vec<Vec<(String, Result<bool, EvalError>)>> {
    let mut terms = (*query.problem.terms).clone();
    let conditions: Vec<Vec<TermId>> =
        assertions.iter().map(|&assertion| lower::definedness(&mut terms, assertion, alphabet)).collect();
    let roots = conditions.concat();
    let mut evaluator = Evaluator::new(&terms, &roots, alphabet);
    let ran = evaluator.run(assignment);
    let mut holds = (0..roots.len()).map(|place| ran.clone().and_then(|()| evaluator.bool(place)));
    let shown = |(&id, holds): (&TermId, _)| (print::term(&terms, id), holds);
    // The left side ends first, so none of the right side is lost.
    conditions.iter().map(|some| some.iter().zip(holds.by_ref()).map(shown).collect()).collect()
}

/// Which assertion is false: what follows "it makes".
fn falsified(
    text: &str,
    query: &Query,
    number: usize,
    assignment: &Assignment,
    alphabet: Alphabet,
) -> String {
    let Some(&offset) = query.assertion_offsets.get(number) else {
        return format!("assertion number {} false", number + 1);
    };
    let line = Position::at(text.as_bytes(), offset).line;
    let assertion = excerpt(text.as_bytes(), offset, SHOWN);
    let this = &query.problem.assertions[number..=number];
    let conditions = definedness_of(query, this, assignment, alphabet).concat();
    if let Some((condition, _)) = conditions.iter().find(|(_, holds)| *holds == Ok(false)) {
        format!(
            "{} false, on which the assertion of line {line} is defined: {assertion}",
            excerpt(condition.as_bytes(), 0, SHOWN)
        )
    } else {
        format!("the assertion of line {line} false: {assertion}")
    }
}

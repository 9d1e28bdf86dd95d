//! Whether a model is what it claims to be: the trusted evaluator decides.

use harness_check::model::ModelVerdict;
use harness_check::{EvalError, Evaluator};
use harness_model::Alphabet;
use harness_smtlib::excerpt::excerpt;
use harness_smtlib::ground::substitute;
use harness_smtlib::{ReadError, model, print};
use harness_theory::{Assignment, Position, Query, ScriptDialect, TermId, Value, lower};

/// Longer assertions are cut in messages.
const SHOWN: usize = 80;

/// What the trusted evaluator makes of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelCheck {
    /// Every assertion is true. What the model leaves out may have any value. No values where it is in the
    /// script's own terms.
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
        Ok(Err(why)) => {
            return match ground(text, query, model, alphabet) {
                Some(Ok((ground, assignment))) => check_ground(text, query, &ground, &assignment, alphabet),
                Some(Err(error)) => {
                    ModelCheck::Unvalidated(format!("{why}; as a part of the script: {error}"))
                }
                None => ModelCheck::Unvalidated(why),
            };
        }
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

/// The query of the script `text` in which each declaration is the definition that `model` gives, with the
/// values of elements of declared sorts: for models with tables of functions, which are no models of the
/// problem. Its assertions are those of `query`, in order, as far as they stand in the script. `None` where
/// the model defines nothing of the script, or the script is in an old dialect.
///
/// # Errors
///
/// Why what has become of the script cannot be read.
pub fn ground(
    text: &str,
    query: &Query,
    model: &str,
    alphabet: Alphabet,
) -> Option<Result<(Query, Assignment), String>> {
    let original = harness_smtlib::read_in(text.as_bytes(), alphabet).ok()?;
    let place = original.queries.iter().position(|other| other.position == query.position)?;
    if original.dialect == ScriptDialect::Old {
        return None;
    }
    let ground = match substitute(text, model) {
        Ok(ground) => ground?,
        Err(error) => return Some(Err(format!("the model cannot be read: {error}"))),
    };
    let query = match harness_smtlib::read_in(ground.text.as_bytes(), alphabet) {
        // Of the values only the message is told: the places are those of a text that nobody has written.
        Err(error) => return Some(Err(error.message)),
        Ok(mut script) if place < script.queries.len() => script.queries.swap_remove(place),
        Ok(_) => return Some(Err("the model changes the queries of the script".to_owned())),
    };
    let named = |name: &String| {
        let variables = query.problem.terms.variables();
        query.problem.variables.iter().copied().find(|v| variables[v.index()].name == *name)
    };
    let elements = ground.elements.iter().filter_map(named).zip(0_i64..);
    let assignment = elements.map(|(element, number)| (element, Value::Int(number.into()))).collect();
    Some(Ok((query, assignment)))
}

/// Evaluates a query whose declarations are definitions; messages are about `query`, of which it was made.
fn check_ground(
    text: &str,
    query: &Query,
    ground: &Query,
    assignment: &Assignment,
    alphabet: Alphabet,
) -> ModelCheck {
    let which = |number: usize| match query.assertion_offsets.get(number) {
        Some(&offset) => {
            let line = Position::at(text.as_bytes(), offset).line;
            format!("the assertion of line {line} false: {}", excerpt(text.as_bytes(), offset, SHOWN))
        }
        None => format!("assertion number {} false", number + 1),
    };
    match harness_check::model::check(&ground.problem, assignment, alphabet) {
        ModelVerdict::Holds => ModelCheck::Holds(Assignment::new()),
        ModelVerdict::Fails(number) => ModelCheck::Fails(format!("the model makes {}", which(number))),
        ModelVerdict::Open(number, variable) => ModelCheck::Open(format!(
            "the model has no value for '{}', and its default makes {}",
            ground.problem.terms.variables()[variable.index()].name,
            which(number)
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

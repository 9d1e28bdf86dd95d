//! What SMT solvers print: the responses of SMT-LIB 2.7, section 3.9, as text with a line feed at the end.

use harness_check::eval::{EvalError, Evaluator};
use harness_model::Alphabet;
use harness_model::record::{Record, Termination, TimeLimit};
use harness_smtlib::{model, print, tables};
use harness_theory::{Assignment, Query, Value};

/// Why the answer is `unknown`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A time limit struck.
    Timeout(TimeLimit),
    /// The memory limit struck.
    Memout,
    /// The strategy cannot do this; the operation's name.
    Unsupported(String),
    /// It failed.
    Failed(String),
    /// It could not tell, in its own words.
    Gave(String),
}

/// `(error "…")`.
pub fn error(message: &str) -> String {
    format!("(error {})\n", literal(message))
}

/// `unknown`, and why.
pub fn unknown(reason: &Reason) -> String {
    let reason = match reason {
        Reason::Timeout(TimeLimit::Wall) => "timeout".to_owned(),
        Reason::Timeout(TimeLimit::Cpu) => "(timeout \"CPU limit\")".to_owned(),
        Reason::Memout => "memout".to_owned(),
        Reason::Unsupported(what) => format!("(unsupported {})", literal(what)),
        Reason::Failed(what) => format!("(failed {})", literal(what)),
        Reason::Gave(why) => literal(why),
    };
    format!("unknown\n(:reason-unknown {reason})\n")
}

/// `unknown` of a strategy that has exhausted its bound: for all that it knows there may be a model beyond.
pub fn unsat_within_bound(reason: Option<&str>) -> String {
    let why = reason.map(|why| format!(": {}", one_line(why))).unwrap_or_default();
    format!("unknown\n; unsat within bound{why}\n(:reason-unknown incomplete)\n")
}

/// The values of the terms that `get-value` commands after the query name; nothing when there are none.
pub fn values(query: &Query, assignment: &Assignment, alphabet: Alphabet) -> String {
    if query.get_value.is_empty() {
        return String::new();
    }
    let roots: Vec<_> = query.get_value.iter().map(|(_, term)| *term).collect();
    let mut evaluator = Evaluator::new(&query.problem.terms, &roots, alphabet);
    let pairs = evaluator.run(assignment).and_then(|()| {
        let pair = |(i, (text, _)): (usize, &(String, _))| {
            let value = evaluator.value(i)?.map_or_else(|| "re.unknown".to_owned(), |v| print::value(&v));
            Ok(format!("({text} {value})"))
        };
        query.get_value.iter().enumerate().map(pair).collect::<Result<Vec<_>, EvalError>>()
    });
    match pairs {
        Ok(pairs) => format!("({})\n", pairs.join("\n ")),
        Err(why) => error(&format!("get-value: {why}")),
    }
}

/// The model, where the script asks for it or the user does; in the terms of the script.
pub fn model(query: &Query, assignment: &Assignment, always: bool, alphabet: Alphabet) -> String {
    if !always && !query.get_model {
        return String::new();
    }
    let applications = &query.origins.applications;
    if applications.is_empty() && query.origins.sorts.is_empty() {
        return model::text(&query.problem, assignment);
    }
    let roots: Vec<_> = applications.iter().flat_map(|a| &a.arguments).copied().collect();
    let mut evaluator = Evaluator::new(&query.problem.terms, &roots, alphabet);
    let ran = evaluator.run(assignment);
    let mut place = 0..;
    let mut value = || -> Result<Value, EvalError> {
        ran.clone()?;
        evaluator.value(place.next().unwrap_or_default())?.ok_or(EvalError::LanguageEquality)
    };
    let arguments: Result<Vec<Vec<Value>>, EvalError> =
        applications.iter().map(|a| a.arguments.iter().map(|_| value()).collect()).collect();
    match arguments {
        Ok(arguments) => tables::text(query, assignment, &arguments),
        Err(why) => error(&format!("get-model: {why}")),
    }
}

/// What `get-model` and `get-value` get when there is no model.
pub fn no_model(query: &Query, answer: &str) -> String {
    if query.get_model || !query.get_value.is_empty() {
        error(&format!("there is no model: the answer is {answer}"))
    } else {
        String::new()
    }
}

/// Why a run gave no answers; `None` when it did.
pub fn reason(record: &Record) -> Option<Reason> {
    Some(match &record.termination {
        Termination::Answered => return None,
        Termination::Timeout(limit) => Reason::Timeout(*limit),
        Termination::Memout => Reason::Memout,
        Termination::Unsupported(what) => Reason::Unsupported(what.clone()),
        Termination::Error(what) => Reason::Failed(what.clone()),
        Termination::Signal(number) => Reason::Failed(format!("ended by signal {number}")),
        Termination::Exit(code) => Reason::Failed(format!("ended with exit code {code}")),
    })
}

/// A text for people as a string literal on one line. Nothing is escaped but quotes, so that it reads as it
/// was written.
fn literal(text: &str) -> String {
    format!("\"{}\"", one_line(text).replace('"', "\"\""))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_smt_lib() {
        assert_eq!(
            error("line 1 column 2: 'a\"b'\nis bad"),
            "(error \"line 1 column 2: 'a\"\"b' is bad\")\n"
        );
        assert_eq!(
            unknown(&Reason::Unsupported("str.replace_re".into())),
            "unknown\n(:reason-unknown (unsupported \"str.replace_re\"))\n"
        );
        assert_eq!(unknown(&Reason::Timeout(TimeLimit::Wall)), "unknown\n(:reason-unknown timeout)\n");
        assert_eq!(
            unsat_within_bound(Some("length 3")),
            "unknown\n; unsat within bound: length 3\n(:reason-unknown incomplete)\n"
        );
    }
}

//! `harness check FILE MODEL`
//!
//! No solver has a part in it: the trusted evaluator decides. MODEL is a model alone, or all that a solver printed: then its
//! answers belong to the script's `check-sat` commands in order.

use std::fmt::Write as _;

use anyhow::{Context as _, bail};
use harness_judge::{ModelCheck, check_model};
use harness_model::Alphabet;
use harness_model::eval::Evaluator;
use harness_smtlib::excerpt::excerpt;
use harness_smtlib::lex::{Kind, Tokens};
use harness_smtlib::{Query, model};

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::{out, problem};

/// Longer assertions are cut.
const SHOWN: usize = 100;

/// One answer in what a solver printed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    /// `sat`, `unsat`, `unknown` or another word; `None` when a model stands alone.
    verdict: Option<String>,
    /// All that follows up to the next answer.
    model: String,
}

/// Evaluates the models in a file against a problem.
pub fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let file = match problem::read(&args.file)? {
        Ok(file) => file,
        Err(exit) => return Ok(exit),
    };
    let queries = &file.script.queries;
    let name = args.model.display();
    let answers = problem::bytes(&args.model)?;
    let answers = said(&answers).with_context(|| format!("{name}: this is no model"))?;
    let chosen: Vec<(&Query, &Said)> = match (args.query, answers.as_slice()) {
        (_, []) => bail!("{name}: there is no model"),
        (Some(number), [one]) => {
            let index = usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1);
            let Some(query) = queries.get(index) else {
                bail!(
                    "{}: there is no check-sat number {number}, only {}",
                    args.file.display(),
                    queries.len()
                );
            };
            vec![(query, one)]
        }
        (Some(_), many) => bail!("{name}: --query is for one answer, and here are {}", many.len()),
        (None, all) if all.len() == queries.len() => queries.iter().zip(all).collect(),
        (None, all) => bail!(
            "{name}: {} for the {} of {}: say with --query N to which one it belongs",
            count(all.len(), "answer"),
            count(queries.len(), "check-sat"),
            args.file.display()
        ),
    };
    let mut exit = Exit::Fine;
    for (query, said) in chosen {
        if queries.len() > 1 {
            out::print(format_args!("check-sat of line {}\n", query.position.line))?;
        }
        match said.verdict.as_deref() {
            None | Some("sat") => exit = worse(exit, check(&file.text, query, &said.model, args.alphabet)?),
            Some(other) => out::print(format_args!("no model: the answer is {other}\n"))?,
        }
    }
    Ok(exit)
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// A model that is false is worse than one of which nothing is known.
const fn worse(a: Exit, b: Exit) -> Exit {
    match (a, b) {
        (Exit::InvalidModel, _) | (_, Exit::Fine) => a,
        _ => b,
    }
}

/// Prints what the evaluator makes of one model: the verdict, then each assertion.
fn check(text: &str, query: &Query, model: &str, alphabet: Alphabet) -> anyhow::Result<Exit> {
    let checked = check_model(text, query, model, alphabet);
    let (mut report, exit) = match &checked {
        ModelCheck::Holds(_) => ("holds\n".to_owned(), Exit::Fine),
        ModelCheck::Fails(why) => (format!("fails: {why}\n"), Exit::InvalidModel),
        ModelCheck::Unvalidated(why) => (format!("unvalidated: {why}\n"), Exit::Incomplete),
    };
    if let Ok(Ok(assignment)) = model::read(model.as_bytes(), &query.problem, alphabet) {
        let assertions = &query.problem.assertions;
        let mut evaluator = Evaluator::new(&query.problem.terms, assertions, alphabet);
        let ran = evaluator.run(&assignment);
        let ends: Vec<usize> =
            text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at).collect();
        for (i, &offset) in (0..assertions.len()).zip(&query.assertion_offsets) {
            let shown = excerpt(text.as_bytes(), offset, SHOWN);
            let line = ends.partition_point(|&end| end < offset) + 1;
            let _ = match ran.clone().and_then(|()| evaluator.bool(i)) {
                Ok(true) => writeln!(report, "  true   line {line}: {shown}"),
                Ok(false) => writeln!(report, "  FALSE  line {line}: {shown}"),
                Err(why) => writeln!(report, "  ?      line {line}: {shown} ({why})"),
            };
        }
    }
    out::print(report)?;
    Ok(exit)
}

/// Cuts what a solver printed into answers.
fn said(bytes: &[u8]) -> anyhow::Result<Vec<Said>> {
    let tokens = Tokens::read(bytes, false)?;
    let mut all: Vec<Said> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let after = tokens.after(at);
        if tokens.kind(at) == Kind::Symbol {
            all.push(Said { verdict: Some(tokens.text(at)?.to_owned()), model: String::new() });
        } else {
            let text = String::from_utf8_lossy(&bytes[tokens.offset(at)..tokens.offset(after)]).into_owned();
            match all.last_mut() {
                Some(last) => last.model.push_str(&text),
                None => all.push(Said { verdict: None, model: text }),
            }
        }
        at = after;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_cut_apart() {
        let model = |text: &str| text.to_owned();
        let all = said(b"sat\n((define-fun x () String \"sat\"))\nunsat\nsat\n(model)\n(z)").unwrap();
        assert_eq!(
            all,
            [
                Said { verdict: Some("sat".into()), model: model("((define-fun x () String \"sat\"))\n") },
                Said { verdict: Some("unsat".into()), model: String::new() },
                Said { verdict: Some("sat".into()), model: model("(model)\n(z)") },
            ]
        );
        assert_eq!(said(b"((a b))").unwrap()[0].verdict, None);
        assert!(said(b"(").is_err());
    }
}

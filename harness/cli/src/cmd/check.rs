//! `harness check FILE MODEL`
//!
//! No solver has a part in it: the trusted evaluator decides. MODEL is a model alone, or all that a solver
//! printed: then its answers belong to the script's `check-sat` commands in order.

use std::fmt::Write as _;

use anyhow::{Context as _, bail};
use harness_check::eval::{EvalError, Evaluator};
use harness_judge::{ModelCheck, check_model, definedness_of, ground, read_model};
use harness_model::{Alphabet, Verdict};
use harness_smtlib::excerpt::excerpt;
use harness_smtlib::reply::{self, Said};
use harness_theory::{Position, Query};
use reports::format::counted;

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::out;
use crate::problem::{self, Text, Unsupported};

/// Longer assertions are cut.
const SHOWN: usize = 100;

/// Evaluates the models in a file against a problem.
pub fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let text = Text { alphabet: args.alphabet, utf8: args.utf8 };
    let file = match problem::read(&args.file, text, Unsupported::Unknown(Exit::Incomplete))? {
        Ok(file) => file,
        Err(exit) => return Ok(exit),
    };
    let queries = &file.script.queries;
    let name = args.model.display();
    let answers = problem::bytes(&args.model)?;
    let mut answers = reply::read(&answers).with_context(|| format!("{name}: this is no model"))?;
    // What a solver complained of before it answered is no answer.
    if answers.len() > 1 && answers[0].verdict.is_none() && answers[0].text.trim_start().starts_with("(error")
    {
        let complaint = answers.remove(0);
        out::tell(format_args!("note: {name}: before the answers: {}", out::line(complaint.text.trim())));
    }
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
            counted(all.len(), "answer", "answers"),
            counted(queries.len(), "check-sat", "check-sats"),
            args.file.display()
        ),
    };
    let mut exit = Exit::Fine;
    for (query, said) in chosen {
        if queries.len() > 1 {
            out::print(format_args!("check-sat of line {}\n", query.position.line))?;
        }
        match said.verdict {
            None | Some(Verdict::Sat) => {
                exit = worse(exit, check(&file.text, query, &said.text, args.alphabet)?);
            }
            Some(other) => out::print(format_args!("no model: the answer is {other}\n"))?,
        }
    }
    Ok(exit)
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
        ModelCheck::Open(why) | ModelCheck::Unvalidated(why) => {
            (format!("unvalidated: {why}\n"), Exit::Incomplete)
        }
    };
    let found = match read_model(query, model, alphabet) {
        Ok(Ok(assignment)) => Some((query.clone(), assignment)),
        Ok(Err(_)) => ground(text, query, model, alphabet).and_then(Result::ok),
        Err(_) => None,
    };
    let written = query.assertion_offsets.clone();
    if let Some((query, assignment)) = found {
        let query = &query;
        let assertions = &query.problem.assertions;
        let mut evaluator = Evaluator::new(&query.problem.terms, assertions, alphabet);
        let ran = evaluator.run(&assignment);
        let definedness = definedness_of(query, assertions, &assignment, alphabet);
        let (mut from, mut place) = (0, Position { line: 1, column: 1 });
        for ((i, &offset), conditions) in written.iter().enumerate().zip(definedness) {
            place = match text.as_bytes().get(from..offset) {
                Some(between) => place.after(between),
                None => Position::at(text.as_bytes(), offset),
            };
            from = offset;
            let line = place.line;
            let mut show = |holds: Result<bool, EvalError>, shown: String| {
                let _ = match holds {
                    Ok(true) => writeln!(report, "  true   line {line}: {shown}"),
                    Ok(false) => writeln!(report, "  FALSE  line {line}: {shown}"),
                    Err(why) => writeln!(report, "  ?      line {line}: {shown} ({why})"),
                };
            };
            for (condition, holds) in conditions {
                let condition = excerpt(condition.as_bytes(), 0, SHOWN);
                show(holds, format!("{condition}, on which what follows is defined"));
            }
            show(ran.clone().and_then(|()| evaluator.bool(i)), excerpt(text.as_bytes(), offset, SHOWN));
        }
    }
    out::print(report)?;
    Ok(exit)
}

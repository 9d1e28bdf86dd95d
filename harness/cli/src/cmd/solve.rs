//! `harness solve FILE --strategy NAME`
//!
//! No `sat` is printed before the trusted evaluator has found every assertion true under the model.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

use anyhow::bail;
use harness_config::names;
use harness_exec::{Execution, Executor as _, Job, ProcessExecutor, WorkerCommand, executor};
use harness_judge::{ModelCheck, check_model};
use harness_model::record::{Record, RunKey};
use harness_model::{Alphabet, Answer, Limits, Question, Verdict, Witness};
use harness_theory::Query;

use crate::args::SolveArgs;
use crate::cmd::system;
use crate::exit::{Exit, Unfinished};
use crate::problem::{self, Unsupported};
use crate::reply::{self, Reason};
use crate::{interrupt, inventory, out};

/// Answers every `check-sat` of a file by one strategy, in a worker process under limits.
pub fn run(args: &SolveArgs) -> anyhow::Result<Exit> {
    let vocabulary = inventory::vocabulary();
    let Some(strategy) = vocabulary.resolve(&args.strategy) else {
        let hint = names::hint(&args.strategy, vocabulary.listed());
        bail!("there is no strategy '{}'{hint}", args.strategy);
    };
    if let Some(format) = system::format_of(args) {
        return system::run(args, &strategy.canonical, format);
    }
    let alphabet = alphabet(args);
    let file = match problem::read(&args.file, alphabet, Unsupported::Unknown(Exit::Fine))? {
        Ok(file) => file,
        Err(exit) => return Ok(exit),
    };
    if file.script.queries.is_empty() {
        out::tell(format_args!("{}: there is no check-sat, so that nothing is asked", args.file.display()));
        return Ok(Exit::Fine);
    }
    let question = Question::of_script(alphabet, file.text.clone(), file.script.queries.len());
    let record = record(args, &strategy.canonical, question)?;
    let (queries, answers) = (&file.script.queries, &record.answers);
    let stopped = reply::reason(&record);
    // All the answers of a run that was stopped all the same came too late.
    let given = if stopped.is_some() && answers.len() >= queries.len() { 0 } else { answers.len() };
    let mut exit = Exit::Fine;
    for (query, answer) in queries.iter().zip(&answers[..given]) {
        if !answer_one(args, &file.text, query, answer)? {
            exit = Exit::InvalidModel;
        }
    }
    let Some(reason) = stopped else { return Ok(exit) };
    for query in &queries[given..] {
        out::print(reply::unknown(&reason) + &reply::no_model(query, "unknown"))?;
    }
    let failed = matches!(reason, Reason::Failed(_));
    if failed && !record.stderr.is_empty() {
        out::tell(record.stderr.trim_end());
    }
    Ok(if failed && exit == Exit::Fine { Exit::Incomplete } else { exit })
}

/// The characters of a script's strings.
fn alphabet(args: &SolveArgs) -> Alphabet {
    args.alphabet.unwrap_or(Alphabet::Unicode)
}

/// The record of the run.
pub fn record(args: &SolveArgs, canonical: &str, question: Question) -> anyhow::Result<Record> {
    let task = args.file.display().to_string();
    let job = Job {
        key: RunKey { task, strategy: args.strategy.clone(), repeat: 0 },
        strategy: canonical.into(),
        family: "solve".to_owned(),
        question: Arc::new(question),
        limits: Limits { wall: args.timeout, cpu: args.timeout, memory: args.memory },
        sampling: None,
        build: Default::default(),
    };
    let stop = interrupt::stop_flag()?;
    let started = SystemTime::now();
    let mut worker = ProcessExecutor::new(WorkerCommand::this_program(), None);
    match worker.execute(&job, &|| stop.load(Ordering::Relaxed)) {
        Execution::Done(reply) => Ok(executor::record(&job, reply, worker.core(), started)),
        Execution::Stopped => Err(anyhow::Error::new(Unfinished("stopped".to_owned()))),
        Execution::Broken(why) => Err(anyhow::Error::new(Unfinished(why))),
    }
}

/// Prints the answer to one query; `false` when its model is none.
fn answer_one(args: &SolveArgs, text: &str, query: &Query, answer: &Answer) -> anyhow::Result<bool> {
    let mut fine = true;
    let unknown = |reason| reply::unknown(&reason) + &reply::no_model(query, "unknown");
    let reply = match answer.verdict {
        Verdict::Unsat => "unsat\n".to_owned() + &reply::no_model(query, "unsat"),
        Verdict::UnsatWithinBound => {
            reply::unsat_within_bound(answer.reason.as_deref()) + &reply::no_model(query, "unknown")
        }
        Verdict::Unknown => {
            unknown(Reason::Gave(answer.reason.clone().unwrap_or_else(|| "no reason given".to_owned())))
        }
        Verdict::Sat => match checked(args, text, query, answer) {
            ModelCheck::Holds(assignment) => {
                "sat\n".to_owned()
                    + &reply::model(query, &assignment, args.model, alphabet(args))
                    + &reply::values(query, &assignment, alphabet(args))
            }
            ModelCheck::Fails(why) | ModelCheck::Open(why) => {
                fine = false;
                out::tell(format_args!(
                    "error: {}: {} said sat of the check-sat of line {}, but {why}",
                    args.file.display(),
                    args.strategy,
                    query.position.line
                ));
                unknown(Reason::Failed(format!("said sat, but {why}")))
            }
            ModelCheck::Unvalidated(why) => unknown(Reason::Gave(format!("said sat, not confirmed: {why}"))),
        },
        Verdict::Empty | Verdict::Nonempty => unknown(Reason::Failed(format!(
            "answered '{}', which is no verdict of a problem",
            answer.verdict
        ))),
    };
    if let Some(status) = query.status
        && [Verdict::Sat, Verdict::Unsat].contains(&answer.verdict)
        && status != answer.verdict
    {
        out::tell(format_args!(
            "note: the :status line of the check-sat of line {} says {status}, {} says {}",
            query.position.line, args.strategy, answer.verdict
        ));
    }
    out::print(reply)?;
    Ok(fine)
}

fn checked(args: &SolveArgs, text: &str, query: &Query, answer: &Answer) -> ModelCheck {
    match answer.witness.as_ref().and_then(Witness::model) {
        Some(model) => check_model(text, query, model, alphabet(args)),
        None => {
            ModelCheck::Unvalidated(answer.reason.clone().unwrap_or_else(|| "there is no model".to_owned()))
        }
    }
}

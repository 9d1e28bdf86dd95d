//! `harness solve FILE… --strategy NAME…`
//!
//! Files are answered one after the other, each by all strategies, in one worker process under limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use anyhow::bail;
use harness_config::{Contender, Vocabulary, names};
use harness_exec::{Execution, Executor as _, Job, ProcessExecutor, WorkerCommand, executor};
use harness_model::Limits;
use harness_model::record::{Record, RunKey};

use crate::args::SolveArgs;
use crate::exit::{Exit, Unfinished};
use crate::solve::asked::{Asked, Told};
use crate::solve::inputs::{self, Input};
use crate::solve::stats::{self, Sum};
use crate::{interrupt, inventory, out};

/// Answers all that the files ask by each strategy.
pub fn run(args: &SolveArgs) -> anyhow::Result<Exit> {
    let vocabulary = inventory::vocabulary();
    let strategies = strategies(args, &vocabulary)?;
    let inputs = inputs::of(args)?;
    let mut session = Session {
        args,
        // Each answer is named where there are several.
        named: inputs.len() > 1 || strategies.len() > 1,
        sums: vec![Sum::default(); strategies.len()],
        strategies,
        vocabulary,
        worker: ProcessExecutor::new(WorkerCommand::this_program(), None),
        stop: interrupt::stop_flag()?,
    };
    let mut exit = Exit::Fine;
    for (number, input) in inputs.iter().enumerate() {
        match session.file(input) {
            Ok(found) => exit = exit.and(found),
            // What is wrong with one of several files is no reason to leave out the others.
            Err(error) if inputs.len() > 1 && !error.is::<Unfinished>() => {
                out::tell(format_args!("error: {}", out::message(&out::causes(&error))));
                exit = exit.and(Exit::Input);
            }
            Err(error) => return Err(error),
        }
        if args.stats && session.named && number + 1 == inputs.len() {
            let names = session.strategies.iter().map(|strategy| strategy.name.as_str());
            out::print(stats::sums(names.zip(&session.sums)))?;
        }
    }
    Ok(exit)
}

/// The canonical name of a strategy that makes models short for people, where it has an option for that.
fn short_models(vocabulary: &Vocabulary, strategy: &Contender) -> String {
    const OPTION: &str = "short-models";
    let family = vocabulary.families.iter().find(|family| family.id == strategy.family);
    let short = family.and_then(|family| {
        family.options.iter().find(|option| option.name == OPTION)?;
        let options = family.read_name(&strategy.canonical)?.with(&family.options, &[(OPTION, "true")]);
        Some(family.name(&options))
    });
    short.unwrap_or_else(|| strategy.canonical.clone())
}

/// The strategies that are named, in that order, each once.
fn strategies(args: &SolveArgs, vocabulary: &Vocabulary) -> anyhow::Result<Vec<Contender>> {
    let mut strategies: Vec<Contender> = Vec::new();
    for name in &args.strategies {
        for found in resolved(vocabulary, name)? {
            if strategies.iter().all(|known| known.canonical != found.canonical) {
                strategies.push(found);
            }
        }
    }
    Ok(strategies)
}

fn resolved(vocabulary: &Vocabulary, name: &str) -> anyhow::Result<Vec<Contender>> {
    if let Some(mut found) = vocabulary.resolve(name) {
        name.clone_into(&mut found.name);
        return Ok(vec![found]);
    }
    let fits = vocabulary.listed().filter(|listed| names::is_pattern(name) && names::matches(name, listed));
    let found: Vec<Contender> = fits.filter_map(|listed| vocabulary.resolve(listed)).collect();
    if found.is_empty() {
        bail!("there is no strategy '{name}'{}", names::hint(name, vocabulary.listed()));
    }
    Ok(found)
}

struct Session<'a> {
    args: &'a SolveArgs,
    named: bool,
    strategies: Vec<Contender>,
    vocabulary: Vocabulary,
    sums: Vec<Sum>,
    worker: ProcessExecutor,
    stop: Arc<AtomicBool>,
}

impl Session<'_> {
    /// Answers one file.
    fn file(&mut self, input: &Input) -> anyhow::Result<Exit> {
        let name = out::line(&input.name());
        let asked = match Asked::read(self.args, input)? {
            Ok(asked) => asked,
            Err(exit) => return Ok(exit),
        };
        if let Some(why) = asked.nothing() {
            out::tell(format_args!("{name}: {why}"));
            return Ok(Exit::Fine);
        }
        let mut exit = Exit::Fine;
        let mut all: Vec<Told> = Vec::new();
        for number in 0..self.strategies.len() {
            let strategy = self.strategies[number].name.clone();
            let canonical = if self.args.model || asked.wants_models() {
                short_models(&self.vocabulary, &self.strategies[number])
            } else {
                self.strategies[number].canonical.clone()
            };
            if self.named {
                out::print(format_args!("; {name}: {strategy}\n"))?;
            }
            let record = self.record(&asked, (&strategy, &canonical))?;
            let told = asked.tell(self.args, &strategy, &record)?;
            if self.args.stats {
                out::print(stats::of(&record))?;
            }
            self.sums[number].add(&told, &record);
            exit = exit.and(told.exit);
            all.push(told);
        }
        Ok(exit.and(self.compared(&asked, &all)))
    }

    /// Tells where strategies contradict each other.
    fn compared(&self, asked: &Asked, all: &[Told]) -> Exit {
        let mut exit = Exit::Fine;
        for number in 0..asked.question.asked() {
            let says = |verdict: bool| -> Vec<&str> {
                let pairs = self.strategies.iter().zip(all);
                let fits = pairs.filter(|(_, told)| told.verdicts[number] == Some(verdict));
                fits.map(|(strategy, _)| strategy.name.as_str()).collect()
            };
            let (sat, unsat) = (says(true), says(false));
            if sat.is_empty() || unsat.is_empty() {
                continue;
            }
            exit = Exit::Wrong;
            out::tell(format_args!(
                "error: {}: of {} {}, and the solution is checked; {}, which is wrong",
                asked.name,
                asked.place(number),
                who(&sat, "sat"),
                who(&unsat, "unsat")
            ));
        }
        exit
    }

    /// The record of a run.
    fn record(&mut self, asked: &Asked, (name, canonical): (&str, &str)) -> anyhow::Result<Record> {
        let job = Job {
            key: RunKey { task: asked.name.clone(), strategy: name.to_owned(), repeat: 0 },
            strategy: canonical.into(),
            family: "solve".to_owned(),
            question: Arc::clone(&asked.question),
            limits: Limits { wall: self.args.timeout, cpu: self.args.timeout, memory: self.args.memory },
            sampling: None,
            build: Default::default(),
        };
        let started = SystemTime::now();
        match self.worker.execute(&job, &|| self.stop.load(Ordering::Relaxed)) {
            Execution::Done(reply) => Ok(executor::record(&job, reply, self.worker.core(), started)),
            Execution::Stopped => Err(anyhow::Error::new(Unfinished("stopped".to_owned()))),
            Execution::Broken(why) => Err(anyhow::Error::new(Unfinished(why))),
        }
    }
}

/// `z3 and hybrid say sat`.
fn who(names: &[&str], verdict: &str) -> String {
    match names {
        [one] => format!("{one} says {verdict}"),
        [first @ .., last] => format!("{} and {last} say {verdict}", first.join(", ")),
        [] => String::new(),
    }
}

//! The commands, one file each.

mod check;
pub mod compare;
mod completions;
mod doctor;
mod draw;
mod export;
pub mod fetch;
mod generate;
mod history;
mod list;
mod lower;
mod merge;
pub mod regress;
mod report;
mod reproduce;
mod rerun;
mod shrink;
mod solve;
mod status;
mod submit;
pub mod system;
mod task;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use clap_complete::CompleteEnv;

use crate::args::{Cli, Command, TaskCommand};
use crate::problem::Text;
use crate::{exit, interrupt, out};

/// Reads the command line and does what it says.
pub fn main() -> ExitCode {
    // A shell that completes a line is answered, and the process ends; else nothing is done.
    CompleteEnv::with_factory(Cli::command).var(completions::ASKED).complete();
    interrupt::hear_of_full_files();
    let done = match Cli::parse().command {
        // Served from the main thread of a process that has no other one yet, since it forks.
        #[cfg(not(feature = "planted"))]
        Command::Worker {} => {
            let registry = backends::registry();
            return harness_exec::worker::serve(move |name| Some(registry.resolve(name)?.build()));
        }
        #[cfg(feature = "planted")]
        Command::Worker { plant } => {
            let registry = backends::registry();
            return harness_exec::worker::serve(move |name| {
                let strategy = registry.resolve(name)?.build();
                Some(match &plant {
                    Some((slow, percent)) => harness_exec::plant::slowed(strategy, slow, *percent),
                    None => strategy,
                })
            });
        }
        Command::Compare { config, run } => compare::run(&config, &run),
        Command::Reproduce { name, run } => reproduce::run(&name, &run),
        Command::Solve(args) => solve::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Draw(args) => draw::run(&args),
        Command::Fetch(args) => fetch::run(&args),
        Command::Lower { file, alphabet, utf8 } => lower::run(&file, Text { alphabet, utf8 }),
        Command::Report(args) => report::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Submit(args) => submit::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Rerun(args) => rerun::run(&args),
        Command::Shrink(args) => shrink::run(&args),
        Command::Regress(args) => regress::run(&args),
        Command::History(args) => history::run(&args),
        Command::Generate { config, out } => generate::run(&config, &out),
        Command::List { what, names } => list::run(what, &names),
        Command::Doctor => doctor::run(),
        Command::Task(TaskCommand::Show(args)) => task::show(&args),
        Command::Completions { shell } => completions::run(shell),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => {
            out::tell(format_args!("error: {}", out::message(&out::causes(&error))));
            exit::of_error(&error)
        }
    }
}

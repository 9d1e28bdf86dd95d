//! A file as a question, read once for all strategies.

use std::path::Path;
use std::sync::Arc;

use harness_model::record::Record;
use harness_model::{Alphabet, Answer, Question};

use crate::args::SolveArgs;
use crate::cmd::system::SystemFile;
use crate::exit::Exit;
use crate::out;
use crate::problem::{self, ProblemFile, Text, Unsupported};
use crate::reply::{self, Reason};
use crate::solve::grammar::GrammarFile;
use crate::solve::inputs::{Input, Kind};
use crate::solve::{Said, script};

/// A file, with what is needed to check and print answers.
pub struct Asked {
    /// Of the file, in messages.
    pub name: String,
    /// What strategies are given.
    pub question: Arc<Question>,
    file: File,
}

enum File {
    Script(Box<ProblemFile>),
    System(SystemFile),
    Grammar(GrammarFile),
}

/// What a strategy said of a file.
pub struct Told {
    /// Of each thing that the file asks: whether there is a solution, where that is certain.
    pub verdicts: Vec<Option<bool>>,
    /// What that means for the command.
    pub exit: Exit,
}

impl Asked {
    /// Reads a file. What is not legal, or not supported, is printed as SMT solvers do, and gives the exit
    /// status.
    ///
    /// # Errors
    ///
    /// When it cannot be read at all.
    pub fn read(args: &SolveArgs, input: &Input) -> anyhow::Result<Result<Self, Exit>> {
        let path: &Path = &input.path;
        let (question, file) = match input.kind {
            Kind::Script => {
                let alphabet = args.alphabet.unwrap_or(Alphabet::Unicode);
                match problem::read(
                    path,
                    Text { alphabet, utf8: args.utf8 },
                    Unsupported::Unknown(Exit::Fine),
                )? {
                    Ok(file) => {
                        script::note_unanswered(&input.name(), &file.text);
                        let queries = file.script.queries.len();
                        let question = Question::of_script(alphabet, file.text.clone(), queries);
                        (question, File::Script(Box::new(file)))
                    }
                    Err(exit) => return Ok(Err(exit)),
                }
            }
            Kind::System(format) => match SystemFile::read(args, path, format)? {
                Ok(file) => (file.question(), File::System(file)),
                Err(exit) => return Ok(Err(exit)),
            },
            Kind::Grammar => match GrammarFile::read(args, path)? {
                Ok(file) => (file.question(), File::Grammar(file)),
                Err(exit) => return Ok(Err(exit)),
            },
        };
        Ok(Ok(Self { name: input.name(), question: Arc::new(question), file }))
    }

    /// Why the file asks nothing, if so.
    pub fn nothing(&self) -> Option<&'static str> {
        match &self.file {
            _ if self.question.asked() > 0 => None,
            File::Script(_) => Some("no check-sat: nothing to solve"),
            File::System(_) | File::Grammar(_) => {
                Some("no statement asks for a solution (solve): nothing to solve")
            }
        }
    }

    /// The place of each thing that the file asks, in messages.
    pub fn place(&self, number: usize) -> String {
        match &self.file {
            File::Script(file) => match file.script.queries.get(number) {
                Some(query) => format!("the check-sat of line {}", query.position.line),
                None => format!("check-sat number {}", number + 1),
            },
            File::System(file) => file.place(number),
            File::Grammar(_) => "the grammar".to_owned(),
        }
    }

    /// Whether the file itself asks for models or values.
    pub fn wants_models(&self) -> bool {
        match &self.file {
            File::Script(file) => {
                file.script.queries.iter().any(|query| query.get_model || !query.get_value.is_empty())
            }
            // A solution is always printed.
            File::System(_) | File::Grammar(_) => true,
        }
    }

    /// Prints what `strategy` answered in `record`.
    ///
    /// # Errors
    ///
    /// When standard output cannot be written to.
    pub fn tell(&self, args: &SolveArgs, strategy: &str, record: &Record) -> anyhow::Result<Told> {
        let asked = self.question.asked();
        let stopped = reply::reason(record);
        // All the answers of a run that was stopped all the same came too late.
        let late = stopped.is_some() && record.answers.len() >= asked;
        let given = if late { 0 } else { record.answers.len().min(asked) };
        let mut told = Told { verdicts: vec![None; asked], exit: Exit::Fine };
        for (number, said) in self.answers(args, strategy, &record.answers[..given]).into_iter().enumerate() {
            if let Some(why) = &said.refuted {
                told.exit = Exit::InvalidModel;
                let place = self.place(number);
                out::tell(format_args!("error: {}: {strategy} said sat of {place}, but {why}", self.name));
            }
            if let Some(note) = &said.note {
                out::tell(format_args!("note: {note}"));
            }
            out::print(said.text)?;
            told.verdicts[number] = said.verdict;
        }
        let Some(reason) = stopped else { return Ok(told) };
        for number in given..asked {
            out::print(self.unanswered(number, &reason))?;
        }
        let failed = matches!(reason, Reason::Failed(_));
        if failed && !record.stderr.is_empty() {
            out::tell(record.stderr.trim_end());
        }
        if failed && told.exit == Exit::Fine {
            told.exit = Exit::Incomplete;
        }
        Ok(told)
    }

    fn answers(&self, args: &SolveArgs, strategy: &str, given: &[Answer]) -> Vec<Said> {
        let alphabet = self.question.alphabet;
        match &self.file {
            File::Script(file) => {
                let pairs = file.script.queries.iter().zip(given);
                pairs
                    .map(|(query, answer)| script::said(args, strategy, file, query, answer, alphabet))
                    .collect()
            }
            File::System(file) => file.answers(given),
            File::Grammar(file) => file.answers(given),
        }
    }

    fn unanswered(&self, number: usize, reason: &Reason) -> String {
        let query = match &self.file {
            File::Script(file) => file.script.queries.get(number),
            File::System(_) | File::Grammar(_) => None,
        };
        reply::unknown(reason) + &query.map_or_else(String::new, |query| reply::no_model(query, "unknown"))
    }
}

//! Grammars: whether there is a word of bounded length, and which.

use std::path::Path;

use harness_judge::{Checked, check_grammars};
use harness_model::{Alphabet, Answer, GrammarSource, GrammarsSource, Question, Verdict, Witness};
use harness_smtlib::print;

use crate::args::SolveArgs;
use crate::exit::Exit;
use crate::reply::{self, Reason};
use crate::solve::Said;
use crate::{out, problem};

/// A grammar in the format of CFG Analyzer, and the lengths that are asked for.
pub struct GrammarFile {
    source: GrammarsSource,
    alphabet: Alphabet,
}

impl GrammarFile {
    /// Reads a file. One that is no grammar is told, and gives the exit status.
    pub fn read(args: &SolveArgs, path: &Path) -> anyhow::Result<Result<Self, Exit>> {
        let alphabet = args.alphabet.unwrap_or(Alphabet::Latin1);
        let text = match String::from_utf8(problem::bytes(path)?) {
            Ok(text) => text,
            Err(error) => error.into_bytes().into_iter().map(char::from).collect(),
        };
        let read = match harness_grammar::read(&text) {
            Ok(read) => read,
            Err(error) => {
                out::print(reply::error(&format!("{}: {error}", problem::name(path))))?;
                return Ok(Err(Exit::Input));
            }
        };
        if let Some(c) = read.foreign_to(alphabet) {
            let why = format!(
                "{}: the grammar has U+{:04X}, which is not in {alphabet}: name another --alphabet",
                problem::name(path),
                c.0
            );
            out::print(reply::error(&why))?;
            return Ok(Err(Exit::Input));
        }
        let grammar = GrammarSource { name: "grammar".to_owned(), text };
        let source = GrammarsSource { grammars: vec![grammar], shortest: 0, longest: args.longest };
        Ok(Ok(Self { source, alphabet }))
    }

    /// What strategies are given.
    pub fn question(&self) -> Question {
        Question::of_grammars(self.alphabet, self.source.clone())
    }

    /// The answers.
    pub fn answers(&self, given: &[Answer]) -> Vec<Said> {
        given.iter().map(|answer| self.answer(answer)).collect()
    }

    fn answer(&self, answer: &Answer) -> Said {
        let unknown = |reason| Said::new(reply::unknown(&reason), None);
        let reason = || answer.reason.clone().unwrap_or_else(|| "no reason given".to_owned());
        match answer.verdict {
            Verdict::Empty => Said::new("unsat\n".to_owned(), Some(false)),
            Verdict::Nonempty => match check_grammars(&self.source, self.alphabet, answer) {
                Some(Checked::Proof) => {
                    let word = answer.witness.as_ref().and_then(Witness::word).map(print::string);
                    let word = word.unwrap_or_default();
                    Said::new(format!("sat\n(\n  (define-fun word () String {word})\n)\n"), Some(true))
                }
                Some(Checked::Refuted(why)) => {
                    let said = format!("said sat, but {why}");
                    Said { refuted: Some(why), ..unknown(Reason::Failed(said)) }
                }
                Some(Checked::Unchecked(why)) => {
                    unknown(Reason::Gave(format!("said sat, not confirmed: {why}")))
                }
                None => unknown(Reason::Gave(format!("said sat, not confirmed: {}", reason()))),
            },
            Verdict::Unknown => unknown(Reason::Gave(reason())),
            Verdict::Sat | Verdict::Unsat | Verdict::UnsatWithinBound => unknown(Reason::Failed(format!(
                "answered '{}', which is no verdict about a grammar",
                answer.verdict
            ))),
        }
    }
}

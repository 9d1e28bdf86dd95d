//! `harness solve FILE.dprle --strategy NAME`: systems of regular constraints.
//!
//! What is printed is `sat` with a solution, `unsat` or `unknown`, each time that the file asks for a
//! solution: words as SMT solvers print models, languages as inclusions that DPRLE reads. No `sat` is printed
//! before the judge has found that the solution is one.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use harness_check::inclusion::{Inclusion, inclusion};
use harness_judge::{Checked, check_systems, words_of};
use harness_model::{
    Alphabet, Answer, Languages, Question, Regex, SmtString, SolutionKind, SystemFormat, SystemSource,
    Verdict, Witness,
};
use harness_smtlib::print;
use harness_systems::document::{Document, Query, RequestKind};
use harness_systems::{ErrorKind, Language, System, document, dprle};

use crate::args::SolveArgs;
use crate::exit::Exit;
use crate::reply::{self, Reason};
use crate::solve::Said;
use crate::{out, problem};

/// Steps of one comparison of languages that a file asks for.
const COMPARE: u64 = 2_000_000;

/// Systems of regular constraints, read.
pub struct SystemFile {
    document: Document,
    source: SystemSource,
    alphabet: Alphabet,
}

impl SystemFile {
    /// Reads a file. What is not legal, or not supported, is told, and gives the exit status.
    pub fn read(args: &SolveArgs, path: &Path, format: SystemFormat) -> anyhow::Result<Result<Self, Exit>> {
        let alphabet = args.alphabet.unwrap_or(match format {
            SystemFormat::Dprle | SystemFormat::Hampi => Alphabet::Latin1,
            SystemFormat::Smtlib => Alphabet::Unicode,
        });
        let text = match String::from_utf8(problem::bytes(path)?) {
            Ok(text) => text,
            Err(error) => error.into_bytes().into_iter().map(char::from).collect(),
        };
        let name = problem::name(path);
        let document = match document::read(&text, format, alphabet) {
            Ok(document) => document,
            Err(error) if error.kind == ErrorKind::Unsupported => {
                out::print(reply::unknown(&Reason::Unsupported(error.to_string())))?;
                return Ok(Err(Exit::Fine));
            }
            Err(error) => {
                out::print(reply::error(&format!("{name}: {error}")))?;
                return Ok(Err(Exit::Input));
            }
        };
        for note in &document.notes {
            out::tell(format_args!("note: {name}: {note}"));
        }
        let source = SystemSource {
            text,
            format,
            queries: document.queries.len(),
            solution: args.solution.unwrap_or(SolutionKind::Words),
        };
        Ok(Ok(Self { document, source, alphabet }))
    }

    /// What strategies are given.
    pub fn question(&self) -> Question {
        Question::of_system(self.alphabet, self.source.clone())
    }

    /// The place of a system in the file.
    pub fn place(&self, number: usize) -> String {
        match self.document.queries.get(number) {
            Some(query) => format!("the system of line {}", query.position.line),
            None => format!("system number {}", number + 1),
        }
    }

    /// The answers, the first ones of those that are asked for.
    pub fn answers(&self, given: &[Answer]) -> Vec<Said> {
        let checks = check_systems(&self.source, self.alphabet, given);
        let pairs = self.document.queries.iter().zip(given).zip(checks);
        pairs
            .map(|((query, answer), checked)| match one(self.alphabet, query, answer, checked) {
                Ok(text) => {
                    let certain = match answer.verdict {
                        Verdict::Sat => text.starts_with("sat\n").then_some(true),
                        Verdict::Unsat => Some(false),
                        Verdict::UnsatWithinBound | Verdict::Unknown | Verdict::Empty | Verdict::Nonempty => {
                            None
                        }
                    };
                    Said::new(text, certain)
                }
                Err(why) => Said {
                    refuted: Some(why.clone()),
                    ..Said::new(reply::unknown(&Reason::Failed(format!("said sat, but {why}"))), None)
                },
            })
            .collect()
    }
}

/// The answer as text.
///
/// # Errors
///
/// When its solution is none: why.
fn one(
    alphabet: Alphabet,
    query: &Query,
    answer: &Answer,
    checked: Option<Checked>,
) -> Result<String, String> {
    let gave = |why: String| reply::unknown(&Reason::Gave(why));
    let reason = || answer.reason.clone().unwrap_or_else(|| "no reason given".to_owned());
    Ok(match answer.verdict {
        Verdict::Unsat => "unsat\n".to_owned(),
        Verdict::UnsatWithinBound => reply::unsat_within_bound(answer.reason.as_deref()),
        Verdict::Unknown => gave(reason()),
        Verdict::Empty | Verdict::Nonempty => reply::unknown(&Reason::Failed(format!(
            "answered '{}', which is no verdict of a system",
            answer.verdict
        ))),
        Verdict::Sat => match checked {
            Some(Checked::Proof) => "sat\n".to_owned() + &solution(query, answer, alphabet),
            Some(Checked::Refuted(why)) => return Err(why),
            Some(Checked::Unchecked(why)) => gave(format!("said sat, not confirmed: {why}")),
            None => gave(format!("said sat, not confirmed: {}", reason())),
        },
    })
}

/// A solution that was checked, and what the file asks about it.
fn solution(query: &Query, answer: &Answer, alphabet: Alphabet) -> String {
    let Ok(system) = &query.system else { return String::new() };
    match &answer.witness {
        Some(Witness::Model(model)) => {
            let Ok(values) = words_of(system, model, alphabet) else { return String::new() };
            let mut out = String::from("(\n");
            let mut row = |name: &str, value: &SmtString| {
                let _ = writeln!(
                    out,
                    "  (define-fun {} () String {})",
                    print::symbol(name),
                    print::string(value)
                );
            };
            system.variables.iter().zip(&values).for_each(|(name, value)| row(name, value));
            for definition in &system.definitions {
                row(&definition.name, &System::word(&definition.pieces, &values));
            }
            out.push_str(")\n");
            out
        }
        Some(Witness::Languages(all)) => {
            let mut out = String::new();
            for (number, one) in all.iter().enumerate() {
                let _ = writeln!(out, "# {} of {}", number + 1, all.len());
                for name in &system.variables {
                    if let Some(text) = one.get(name) {
                        let _ = writeln!(out, "{name} < {text};");
                    }
                }
            }
            out + &requests(query, system, all, alphabet)
        }
        Some(Witness::Word(_)) | None => String::new(),
    }
}

/// What a file asks about languages, as comments; of the first assignment, or that which it selects.
fn requests(query: &Query, system: &System, all: &[Languages], alphabet: Alphabet) -> String {
    let mut out = String::new();
    let mut selected = all.first();
    for request in &query.requests {
        let languages = |name: &str| {
            let pieces = match system.definitions.iter().find(|definition| definition.name == name) {
                Some(definition) => definition.pieces.clone(),
                None => {
                    let place = system.variables.iter().position(|variable| variable == name)?;
                    vec![harness_systems::Piece::Variable(harness_systems::VariableId(place))]
                }
            };
            let part = |piece: &harness_systems::Piece| match piece {
                harness_systems::Piece::Word(word) => Some(Regex::literal(word)),
                harness_systems::Piece::Variable(variable) => {
                    let text = selected?.get(&system.variables[variable.0])?;
                    let automaton = dprle::read_automaton(text, alphabet).ok()?;
                    Some(Language::Automaton(automaton).regex().ok()?.into_owned())
                }
            };
            Some(Regex::concat(pieces.iter().map(part).collect::<Option<Vec<_>>>()?))
        };
        let compare = |a: &str, b: &str| match (languages(a), languages(b)) {
            (Some(a), Some(b)) => inclusion(&a, &b, alphabet, COMPARE),
            _ => Inclusion::Undecided,
        };
        let said = |found: Inclusion| match found {
            Inclusion::Holds => "yes".to_owned(),
            Inclusion::Fails(word) => format!("no, because of {}", print::string(&word)),
            Inclusion::Undecided => "unknown".to_owned(),
        };
        match &request.kind {
            RequestKind::Included(a, b) => {
                let _ = writeln!(out, "# {a} ?< {b}: {}", said(compare(a, b)));
            }
            RequestKind::Equal(a, b) => {
                let found = match compare(a, b) {
                    Inclusion::Holds => compare(b, a),
                    other @ (Inclusion::Fails(_) | Inclusion::Undecided) => other,
                };
                let _ = writeln!(out, "# {a} ?= {b}: {}", said(found));
            }
            RequestKind::Select(number) => match number.checked_sub(1).and_then(|place| all.get(place)) {
                Some(one) => selected = Some(one),
                None => {
                    let _ = writeln!(out, "# select({number}): there are {} solutions", all.len());
                }
            },
            // All languages stand above, with all their words.
            RequestKind::Show(_) | RequestKind::Words(..) => {}
        }
    }
    out
}

/// The text of a file of systems as scripts.
pub fn as_script(path: &Path, format: SystemFormat, alphabet: Alphabet) -> anyhow::Result<String> {
    let bytes = problem::bytes(path)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let document = document::read(&text, format, alphabet)
        .map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    let systems: Vec<&System> = document
        .queries
        .iter()
        .map(|query| query.system.as_ref().map_err(|why| anyhow::anyhow!("{}: {why}", path.display())))
        .collect::<Result<_, _>>()?;
    let script = harness_systems::smtlib::script(systems, alphabet);
    script.map_err(anyhow::Error::msg).with_context(|| path.display().to_string())
}

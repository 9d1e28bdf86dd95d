//! `harness solve FILE.dprle --strategy NAME`: systems of regular constraints.
//!
//! What is printed is `sat` with a solution, `unsat` or `unknown`, each time that the file asks for a
//! solution: words as SMT solvers print models, languages as inclusions that DPRLE reads. No `sat` is printed
//! before the judge has found that the solution is one.

use std::fmt::Write as _;

use anyhow::Context as _;
use harness_check::inclusion::{Inclusion, inclusion};
use harness_judge::{Checked, check_systems, words_of};
use harness_model::{
    Alphabet, Answer, Languages, Question, Regex, SmtString, SolutionKind, SystemFormat, SystemSource,
    Verdict, Witness,
};
use harness_smtlib::print;
use harness_systems::document::{Query, RequestKind};
use harness_systems::{ErrorKind, Language, System, document, dprle};

use crate::args::SolveArgs;
use crate::cmd::solve;
use crate::exit::Exit;
use crate::reply::{self, Reason};
use crate::{out, problem};

/// Steps of one comparison of languages that a file asks for.
const COMPARE: u64 = 2_000_000;

/// The format of a file, where it is no script.
pub fn format_of(args: &SolveArgs) -> Option<SystemFormat> {
    let by_ending = || match SystemFormat::of_ending(args.file.extension()?.to_str()?)? {
        SystemFormat::Smtlib => args.solution.map(|_| SystemFormat::Smtlib),
        other @ (SystemFormat::Dprle | SystemFormat::Hampi) => Some(other),
    };
    args.format.or_else(by_ending)
}

/// Answers each time that a file asks for a solution, by one strategy, in a worker process under limits.
pub fn run(args: &SolveArgs, canonical: &str, format: SystemFormat) -> anyhow::Result<Exit> {
    let alphabet = args.alphabet.unwrap_or(match format {
        SystemFormat::Dprle | SystemFormat::Hampi => Alphabet::Latin1,
        SystemFormat::Smtlib => Alphabet::Unicode,
    });
    let bytes = problem::bytes(&args.file)?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => error.into_bytes().into_iter().map(char::from).collect(),
    };
    let document = match document::read(&text, format, alphabet) {
        Ok(document) => document,
        Err(error) if error.kind == ErrorKind::Unsupported => {
            out::print(reply::unknown(&Reason::Unsupported(error.to_string())))?;
            return Ok(Exit::Fine);
        }
        Err(error) => {
            out::print(reply::error(&error.to_string()))?;
            return Ok(Exit::Input);
        }
    };
    for note in &document.notes {
        out::tell(format_args!("note: {}: {note}", args.file.display()));
    }
    if document.queries.is_empty() {
        out::tell(format_args!(
            "{}: the file has no statement that asks for a solution (solve)",
            args.file.display()
        ));
        return Ok(Exit::Fine);
    }
    let source = SystemSource {
        text,
        format,
        queries: document.queries.len(),
        solution: args.solution.unwrap_or(SolutionKind::Words),
    };
    let question = Question::of_system(alphabet, source.clone());
    let record = solve::record(args, canonical, question)?;
    let stopped = reply::reason(&record);
    let late = stopped.is_some() && record.answers.len() >= document.queries.len();
    let given = if late { &[][..] } else { record.answers.as_slice() };
    let mut exit = Exit::Fine;
    let checks = check_systems(&source, alphabet, given);
    for ((query, answer), checked) in document.queries.iter().zip(given).zip(checks) {
        let printed = one(alphabet, query, answer, checked);
        if let Err(why) = &printed {
            exit = Exit::InvalidModel;
            let line = query.position.line;
            out::tell(format_args!(
                "error: {}: {} said sat of the system of line {line}, but {why}",
                args.file.display(),
                args.strategy
            ));
        }
        out::print(
            printed.unwrap_or_else(|why| reply::unknown(&Reason::Failed(format!("said sat, but {why}")))),
        )?;
    }
    let Some(reason) = stopped else { return Ok(exit) };
    for _ in given.len()..document.queries.len() {
        out::print(reply::unknown(&reason))?;
    }
    let failed = matches!(reason, Reason::Failed(_));
    if failed && !record.stderr.is_empty() {
        out::tell(record.stderr.trim_end());
    }
    Ok(if failed && exit == Exit::Fine { Exit::Incomplete } else { exit })
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
pub fn as_script(path: &std::path::Path, format: SystemFormat, alphabet: Alphabet) -> anyhow::Result<String> {
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

//! Answers to the queries of a script.

use harness_judge::{ModelCheck, check_model};
use harness_model::{Alphabet, Answer, Verdict, Witness};
use harness_smtlib::lex::{Kind, Tokens};
use harness_theory::Query;

use crate::args::SolveArgs;
use crate::out;
use crate::problem::ProblemFile;
use crate::reply::{self, Reason};
use crate::solve::Said;

/// Commands that a solver responds to, and that are passed over here.
const UNANSWERED: [&str; 8] = [
    "echo",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
];

/// Tells which commands of a script get no answer, each once.
pub fn note_unanswered(name: &str, text: &str) {
    let Ok(tokens) = Tokens::read(text.as_bytes(), false) else { return };
    let mut found: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let head = if tokens.kind(at) == Kind::Open { tokens.bytes(at + 1) } else { &[] };
        found.extend(UNANSWERED.iter().filter(|known| known.as_bytes() == head));
        at = tokens.after(at);
    }
    found.sort_unstable();
    found.dedup();
    if !found.is_empty() {
        out::tell(format_args!("note: {name}: not answered here: {}", found.join(", ")));
    }
}

/// The answer of `strategy` to one query.
pub fn said(
    args: &SolveArgs,
    strategy: &str,
    file: &ProblemFile,
    query: &Query,
    answer: &Answer,
    alphabet: Alphabet,
) -> Said {
    let unknown = |reason| Said::new(reply::unknown(&reason) + &reply::no_model(query, "unknown"), None);
    let mut said = match answer.verdict {
        Verdict::Unsat => Said::new("unsat\n".to_owned() + &reply::no_model(query, "unsat"), Some(false)),
        Verdict::UnsatWithinBound => Said::new(
            reply::unsat_within_bound(answer.reason.as_deref()) + &reply::no_model(query, "unknown"),
            None,
        ),
        Verdict::Unknown => {
            unknown(Reason::Gave(answer.reason.clone().unwrap_or_else(|| "no reason given".to_owned())))
        }
        Verdict::Sat => match checked(&file.text, query, answer, alphabet) {
            ModelCheck::Holds(assignment) => Said::new(
                "sat\n".to_owned()
                    + &reply::model(query, &assignment, args.model, alphabet)
                    + &reply::values(query, &assignment, alphabet),
                Some(true),
            ),
            ModelCheck::Fails(why) | ModelCheck::Open(why) => {
                Said { refuted: Some(why.clone()), ..unknown(Reason::Failed(format!("said sat, but {why}"))) }
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
        said.note = Some(format!(
            "the :status line of the check-sat of line {} says {status}, {strategy} says {}",
            query.position.line, answer.verdict
        ));
    }
    said
}

fn checked(text: &str, query: &Query, answer: &Answer, alphabet: Alphabet) -> ModelCheck {
    match answer.witness.as_ref().and_then(Witness::model) {
        Some(model) => check_model(text, query, model, alphabet),
        None => {
            ModelCheck::Unvalidated(answer.reason.clone().unwrap_or_else(|| "there is no model".to_owned()))
        }
    }
}

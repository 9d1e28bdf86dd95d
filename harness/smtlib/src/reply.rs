//! What an SMT solver printed, cut into its answers.
//!
//! An answer is exactly `sat`, `unsat` or `unknown`, white space aside; anything else that is no list is an
//! error and never a default verdict. What follows an answer belongs to it: a model, values, or error
//! messages and `unsupported`, which are kept and change no answer, for a command such as `get-model` may
//! fail after `unsat` and `unknown`.

use harness_model::Verdict;

use crate::ReadError;
use crate::lex::{Kind, Tokens};

/// One answer and what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The answer; `None` when something stands before the first one, a model alone for instance.
    pub verdict: Option<Verdict>,
    /// Models and values, as they were printed.
    pub text: String,
    /// What `(error …)` messages say, as they were printed.
    pub errors: Vec<String>,
}

impl Said {
    const fn new(verdict: Option<Verdict>) -> Self {
        Self { verdict, text: String::new(), errors: Vec::new() }
    }
}

/// Cuts `output` into answers. `success`, which solvers print for commands if asked, is passed over.
///
/// # Errors
///
/// When it is no sequence of SMT-LIB's tokens, or a word in it is no answer.
pub fn read(output: &[u8]) -> Result<Vec<Said>, ReadError> {
    let tokens = Tokens::read(output, false)?;
    let mut all: Vec<Said> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let after = tokens.after(at);
        match (tokens.kind(at), tokens.bytes(at)) {
            (Kind::Symbol, b"success") => {}
            // A command after the answer, for instance one that asks for a model, is unknown to the solver.
            (Kind::Symbol, b"unsupported") if all.last().is_some_and(|last| last.verdict.is_some()) => {
                if let Some(last) = all.last_mut() {
                    last.errors.push("unsupported".to_owned());
                }
            }
            (Kind::Symbol, word) => {
                let verdict = match word {
                    b"sat" => Verdict::Sat,
                    b"unsat" => Verdict::Unsat,
                    b"unknown" => Verdict::Unknown,
                    _ => {
                        let word = String::from_utf8_lossy(word);
                        let message = format!("expected sat, unsat or unknown, found '{word}'");
                        return Err(tokens.error(at, message));
                    }
                };
                all.push(Said::new(Some(verdict)));
            }
            _ => {
                if all.is_empty() {
                    all.push(Said::new(None));
                }
                let text = String::from_utf8_lossy(&output[tokens.offset(at)..tokens.offset(after)]);
                let failed = tokens.kind(at) == Kind::Open
                    && tokens.get(at + 1).is_some()
                    && tokens.bytes(at + 1) == b"error";
                if let Some(last) = all.last_mut() {
                    if failed && last.verdict.is_some() {
                        last.errors.push(text.trim().to_owned());
                    } else {
                        last.text.push_str(&text);
                    }
                }
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
        let said = |verdict, text: &str| Said { text: text.into(), ..Said::new(verdict) };
        let all = read(b"sat\n((define-fun x () String \"sat\"))\nunsat\nsat\n(model)\n(z)").unwrap();
        let expected = [
            said(Some(Verdict::Sat), "((define-fun x () String \"sat\"))\n"),
            said(Some(Verdict::Unsat), ""),
            said(Some(Verdict::Sat), "(model)\n(z)"),
        ];
        assert_eq!(all, expected);
        assert_eq!(read(b"((a b))").unwrap(), [said(None, "((a b))")]);
        assert_eq!(read(b"(error \"no\")").unwrap(), [said(None, "(error \"no\")")]);
        assert!(read(b"(").is_err());
        let unsupported = Said { errors: vec!["unsupported".into()], ..said(Some(Verdict::Sat), "") };
        assert_eq!(read(b"sat\nunsupported\n").unwrap(), [unsupported]);
        assert!(read(b"unsupported\nsat\n").is_err());
        assert_eq!(read(b"success\nsat\n").unwrap(), [said(Some(Verdict::Sat), "")]);
        assert_eq!(read(b"").unwrap(), []);
    }

    #[test]
    fn a_word_that_is_no_answer_says_where() {
        let error = read(b"sat\ntimeout\n").unwrap_err();
        assert_eq!(error.to_string(), "line 2 column 1: expected sat, unsat or unknown, found 'timeout'");
    }
}

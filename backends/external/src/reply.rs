//! What a program printed, as the answer to one `check-sat`.
//!
//! It is read as SMT-LIB, never searched for words. A verdict counts only if it is the first thing that is
//! said: one after an error is the answer to another script, for solvers leave out what they do not
//! understand and go on. What comes after the verdict is its model, which is not looked into here.

use harness_model::{Answer, Verdict, Witness};
use harness_smtlib::lex::{Kind, Tokens};
use harness_smtlib::reply;

/// So many characters of what a program printed are in a message.
const SHOWN: usize = 400;

/// What a program says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Its answer.
    Answer(Answer),
    /// It cannot do this; in its words.
    Unsupported(String),
    /// It failed, or what it says is no answer; the reason.
    Failed(String),
    /// Nothing at all.
    Nothing,
}

/// Reads all that a program printed; `asked` says whether it was asked for a model.
pub fn read(output: &[u8], asked: bool) -> Reply {
    // Z3's word for a limit that it was told.
    if output.trim_ascii() == b"timeout" {
        return Reply::Answer(Answer::unknown("the program says timeout".to_owned()));
    }
    if let Ok(tokens) = Tokens::read(output, false)
        && !tokens.is_empty()
        && (tokens.kind(0), tokens.bytes(0)) == (Kind::Symbol, b"unsupported")
    {
        return Reply::Unsupported("a command of the script, says the program".to_owned());
    }
    let said = match reply::read(output) {
        Ok(said) => said,
        Err(error) => {
            return Reply::Failed(format!(
                "what the program printed is no answer: {}",
                shown(&error.to_string())
            ));
        }
    };
    let Some((first, rest)) = said.split_first() else { return Reply::Nothing };
    if !rest.is_empty() && first.verdict.is_some() {
        return Reply::Failed(format!("the program gave {} answers to one check-sat", said.len()));
    }
    let Some(verdict) = first.verdict else { return before_the_answer(&first.text) };
    let answer = Answer::of(verdict);
    Reply::Answer(match verdict {
        Verdict::Sat => match first.text.trim() {
            "" => Answer { reason: Some(no_model(&first.errors, asked)), ..answer },
            model => Answer { witness: Some(Witness::Model(model.to_owned())), ..answer },
        },
        Verdict::Unknown => Answer::unknown("the program says unknown".to_owned()),
        Verdict::Unsat | Verdict::UnsatWithinBound | Verdict::Empty | Verdict::Nonempty => answer,
    })
}

fn no_model(errors: &[String], asked: bool) -> String {
    match errors {
        _ if !asked => "the program was not asked for a model".to_owned(),
        [] => "the program gave no model".to_owned(),
        [first, ..] => format!("the program gave no model: {}", shown(first)),
    }
}

/// What stands where a verdict should.
fn before_the_answer(text: &str) -> Reply {
    let is_error = Tokens::read(text.as_bytes(), false).is_ok_and(|tokens| {
        tokens.len() > 1
            && tokens.kind(0) == Kind::Open
            && tokens.kind(1) == Kind::Symbol
            && tokens.bytes(1) == b"error"
    });
    if is_error {
        Reply::Failed(format!("the program reports an error: {}", shown(text)))
    } else {
        Reply::Failed(format!("the program says something else before it answers: {}", shown(text)))
    }
}

/// The beginning of a text, in one line.
fn shown(text: &str) -> String {
    let mut line = String::new();
    for (count, c) in
        text.split_whitespace().flat_map(|word| [" ", word]).flat_map(str::chars).skip(1).enumerate()
    {
        if count == SHOWN {
            line.push('…');
            break;
        }
        line.push(c);
    }
    line
}

/// Listens to a program that has more to say after its verdict, and may never come to it.
#[derive(Debug, Default)]
pub struct Early {
    /// Where the first line begins that is not known yet.
    line: usize,
    /// So far, no end of that line is there.
    looked: usize,
    /// The first line with something in it was heard.
    known: bool,
}

impl Early {
    /// The verdict, if that is the first line that is not `success`, and whole; given once. `output` is all
    /// that was printed so far: what was looked at before is not looked at again.
    pub fn hear(&mut self, output: &[u8]) -> Option<Verdict> {
        while !self.known {
            let Some(end) = output.get(self.looked..)?.iter().position(|&byte| byte == b'\n') else {
                self.looked = output.len();
                return None;
            };
            let end = self.looked + end;
            let line = output.get(self.line..end)?.trim_ascii();
            (self.line, self.looked) = (end + 1, end + 1);
            if line.is_empty() || line == b"success" {
                continue;
            }
            self.known = true;
            return match line {
                b"sat" => Some(Verdict::Sat),
                b"unsat" => Some(Verdict::Unsat),
                b"unknown" => Some(Verdict::Unknown),
                _ => None,
            };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(output: &str) -> String {
        match read(output.as_bytes(), true) {
            Reply::Failed(why) => why,
            other => panic!("{output}: {other:?}"),
        }
    }

    #[test]
    fn answers() {
        let answer = |output: &str| match read(output.as_bytes(), true) {
            Reply::Answer(answer) => answer,
            other => panic!("{output}: {other:?}"),
        };
        assert_eq!(answer("success\nunsat\n"), Answer::of(Verdict::Unsat));
        assert_eq!(answer("unsat\n(error \"no model\")\n"), Answer::of(Verdict::Unsat));
        let model = "(\n(define-fun x () String \"sat\")\n)";
        assert_eq!(
            answer(&format!("sat\n{model}\n")),
            Answer::proved(Verdict::Sat, Witness::Model(model.to_owned()))
        );
        assert_eq!(answer("unknown\n(model)").verdict, Verdict::Unknown);
        assert_eq!(answer("timeout\n").verdict, Verdict::Unknown);
        let without = answer("sat\n(error \"line 1\n no\")");
        assert_eq!((without.verdict, without.witness), (Verdict::Sat, None));
        assert_eq!(without.reason.unwrap(), "the program gave no model: (error \"line 1 no\")");
        assert_eq!(answer("sat\nunsupported\n").reason.unwrap(), "the program gave no model: unsupported");
        assert_eq!(answer("sat").reason.unwrap(), "the program gave no model");
    }

    #[test]
    fn what_is_no_answer() {
        assert_eq!(read(b" \n; nothing\n", true), Reply::Nothing);
        assert!(matches!(read(b"unsupported\nsat\n", true), Reply::Unsupported(_)));
        let error = "(error \"line 3: unknown constant sat\")\nsat\n(model)";
        assert!(failed(error).contains("reports an error: (error \"line 3: unknown constant sat\")"));
        assert!(failed("sat\nunsat\n").contains("2 answers"));
        assert!(failed("(model)\nsat\n").contains("something else before"));
        assert!(failed("saturday\n").contains("found 'saturday'"));
        assert!(failed("sat\n(define-fun x").contains("no answer"));
        let long = failed(&"x".repeat(1 << 20));
        assert!(long.contains("no answer") && long.chars().count() < SHOWN + 100, "{}", long.len());
    }

    #[test]
    fn an_early_verdict_is_a_whole_line_and_is_told_once() {
        let mut early = Early::default();
        assert_eq!(early.hear(b"success\n\nsat\n((x \"never ended"), Some(Verdict::Sat));
        assert_eq!(early.hear(b"success\n\nsat\n((x \"never ended\nunsat\n"), None);
        for none in [&b"sat"[..], b"", b"(error \"\")\nsat\n", b"saturday\n", b"sat unsat\n"] {
            assert_eq!(Early::default().hear(none), None);
        }
        // Byte by byte it is the same.
        let all = b"success\n \n  unsat \n(model)\n";
        let mut early = Early::default();
        let heard: Vec<_> = (0..=all.len()).filter_map(|n| Some((n, early.hear(&all[..n])?))).collect();
        assert_eq!(heard, [(19, Verdict::Unsat)]);
    }

    #[test]
    fn what_was_heard_is_not_looked_at_again() {
        let mut early = Early::default();
        assert_eq!(early.hear(&[b'x'; 1000]), None);
        // As nobody prints it: a second look at the beginning would find a verdict.
        let mut other = b"sat\n".to_vec();
        other.resize(1000, b'x');
        assert_eq!(early.hear(&other), None);
        other.push(b'\n');
        assert_eq!((early.hear(&other), early.known), (None, true));
    }
}

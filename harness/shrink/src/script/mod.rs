//! Ways to make a script smaller, each a list of changes of its text.
//!
//! - [`commands`]: commands, levels, declarations
//! - [`terms`]: terms by smaller ones, operands, `let` and definitions
//! - [`constants`]: strings, numbers, ranges of characters
//! - [`names`]: variables by one another, names by shorter ones
//!
//! A change need not be legal: [`checked`] is asked before a candidate runs. It should be mostly.

pub mod commands;
pub mod constants;
pub mod names;
pub mod terms;

use harness_model::{Alphabet, Question};
use harness_smtlib::{print, tree};

use crate::outline::{Outline, tidy};

/// The logic of a script that names none: strings and linear integers.
const LOGIC: &str = "QF_SLIA";

/// The question that a script's text asks; `None` when the text is not legal, asks nothing, or has what the
/// alphabet lacks.
pub fn checked(text: &str, alphabet: Alphabet) -> Option<Question> {
    let text = tidy(text)?;
    let script = harness_smtlib::read_in(text.as_bytes(), alphabet).ok()?;
    tree::read(text.as_bytes()).ok()?;
    let queries = script.queries.len();
    (queries > 0).then(|| Question::of_script(alphabet, text, queries))
}

/// Each query of a script as a script of its own, with its number, in today's SMT-LIB: every `let`,
/// definition and name of a term is written out, except that a term that is used more than once has a name.
/// They are made as they are asked for, since together they may be much longer than the script.
pub fn single_queries(text: &str, alphabet: Alphabet) -> impl Iterator<Item = (usize, Question)> + use<> {
    let script = harness_smtlib::read_in(text.as_bytes(), alphabet).ok();
    let (queries, logic) = script.map_or_else(Default::default, |script| (script.queries, script.logic));
    let logic = logic.unwrap_or_else(|| LOGIC.to_owned());
    let one = move |(number, query): (usize, harness_theory::Query)| {
        Some((number, checked(&print::problem(&query.problem, &logic, None), alphabet)?))
    };
    queries.into_iter().enumerate().filter_map(one)
}

/// How simple a text of one length is: names count most, then digits other than 0 and letters other than `a`
/// in literals.
pub fn plainness(text: &str) -> u64 {
    use harness_smtlib::lex::Kind;
    let Some(outline) = Outline::of(text) else { return u64::MAX };
    let tokens = &outline.tokens;
    let cost = |at: usize| match tokens.kind(at) {
        Kind::String => tokens.bytes(at).iter().map(|&b| u64::from(b != b'a')).sum(),
        Kind::Numeral => tokens.bytes(at).iter().map(|&b| u64::from(b.saturating_sub(b'0'))).sum(),
        Kind::Symbol => 10,
        Kind::Open | Kind::Close | Kind::Keyword | Kind::Decimal | Kind::Hexadecimal | Kind::Binary => 0,
    };
    (0..tokens.len()).map(cost).sum()
}

#[cfg(test)]
pub(crate) mod testkit {
    use super::*;
    use crate::edit::Edit;

    /// What the changes make of a text, tidied; only what is legal, in order, each once.
    pub fn made(text: &str, edits: impl Fn(&Outline<'_>) -> Vec<Edit>) -> Vec<String> {
        let outline = Outline::of(text).unwrap();
        let mut made: Vec<String> = Vec::new();
        for edit in edits(&outline) {
            let Some(question) = edit.apply(text).and_then(|text| checked(&text, Alphabet::Unicode)) else {
                continue;
            };
            let text = question.as_script().unwrap().text.trim_end().replace('\n', "");
            if !made.contains(&text) {
                made.push(text);
            }
        }
        made
    }

    /// Fails where one of these was not made.
    #[track_caller]
    pub fn assert_has(made: &[String], wanted: &[&str]) {
        for text in wanted {
            assert!(made.contains(&(*text).to_owned()), "{text}: {made:?}");
        }
    }

    /// What the changes make of an assertion over `x` and `y` (strings), `n` (integer) and `p` (truth value):
    /// what is asserted instead.
    pub fn asserted(term: &str, edits: impl Fn(&Outline<'_>) -> Vec<Edit>) -> Vec<String> {
        let head =
            "(declare-const x String)(declare-const y String)(declare-const n Int)(declare-const p Bool)";
        let made = made(&format!("{head}(assert {term})(check-sat)"), edits);
        let term = |text: &String| {
            text.strip_prefix(head)
                .and_then(|t| t.strip_prefix("(assert "))
                .and_then(|t| t.strip_suffix(")(check-sat)"))
                .map(str::to_owned)
        };
        made.iter().filter_map(term).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_taken_apart_and_written_out() {
        let text = "(set-logic QF_S)(declare-const x String)(push 1)(assert (let ((a \"b\")) (= x a)))(check-sat)(pop 1)\
                    (assert (! (= x \"c\") :named g))(check-sat)(get-model)";
        let single: Vec<(usize, Question)> = single_queries(text, Alphabet::Ascii).collect();
        let texts: Vec<&str> = single.iter().map(|(_, q)| q.as_script().unwrap().text.as_str()).collect();
        let of = |c: char| {
            format!("(set-logic QF_S)\n(declare-const x String)\n(assert (= x \"{c}\"))\n(check-sat)\n")
        };
        assert_eq!(texts, [of('b'), of('c')]);
    }

    #[test]
    fn only_legal_scripts_are_tried() {
        assert_eq!(checked("(assert x)(check-sat)", Alphabet::Ascii), None);
        assert_eq!(checked("(assert true)", Alphabet::Ascii), None);
        let foreign = "(declare-const x String)(assert (= x \"\\u{e9}\"))(check-sat)";
        assert_eq!(checked(foreign, Alphabet::Ascii), None);
        assert!(checked(foreign, Alphabet::Latin1).is_some());
    }
}

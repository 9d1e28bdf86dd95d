//! Scripts for solvers from before SMT-LIB 2.6, and their models.
//!
//! Both are translated token by token, from what is printed for today's solvers and to what is read of them.
//! The old dialect has other names, the escapes of C in strings, characters up to U+00FF, and loops whose
//! numbers are arguments. What it lacks is refused by name.

use std::collections::BTreeMap;

use harness_model::SmtString;
use harness_smtlib::dialect::Strings;
use harness_smtlib::lex::{Kind, Tokens};
use harness_smtlib::{literal, print};

/// What is named otherwise.
const NAMES: [(&str, &str); 7] = [
    ("str.to_re", "str.to.re"),
    ("re.none", "re.nostr"),
    ("re.all", "(re.* re.allchar)"),
    ("str.in_re", "str.in.re"),
    ("str.to_int", "str.to.int"),
    ("str.from_int", "int.to.str"),
    ("str.replace_all", "str.replaceall"),
];

/// What is not there.
const MISSING: [&str; 9] = [
    "re.comp",
    "re.diff",
    "str.replace_re",
    "str.replace_re_all",
    "str.is_digit",
    "str.to_code",
    "str.from_code",
    "str.<",
    "str.<=",
];

/// The last character.
pub(crate) const LAST: u32 = 0xFF;

/// Text that is made of tokens, with blanks where they are needed.
#[derive(Default)]
struct Text(String);

impl Text {
    fn push(&mut self, token: &str) {
        let tight = self.0.is_empty() || self.0.ends_with(['(', '\n']) || token == ")";
        if !tight {
            self.0.push(' ');
        }
        self.0.push_str(token);
    }
}

/// A script of today in the old dialect.
///
/// # Errors
///
/// When it has what that dialect lacks: what.
pub fn script(text: &str) -> Result<String, String> {
    let tokens = Tokens::read(text.as_bytes(), false).map_err(|error| error.to_string())?;
    let mut out = Text("(set-info :smt-lib-version 2.5)\n".to_owned());
    // What stands before some closing parentheses.
    let mut last: BTreeMap<usize, String> = BTreeMap::new();
    let mut depth = 0_usize;
    let mut at = 0;
    while at < tokens.len() {
        if let Some((numbers, end)) = looped(&tokens, at) {
            out.push("(");
            out.push("re.loop");
            last.insert(tokens.after(at) - 1, numbers);
            (at, depth) = (end, depth + 1);
            continue;
        }
        match tokens.kind(at) {
            Kind::Open => {
                out.push("(");
                depth += 1;
            }
            Kind::Close => {
                if let Some(numbers) = last.remove(&at) {
                    out.push(&numbers);
                }
                out.push(")");
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    out.0.push('\n');
                }
            }
            Kind::Symbol => {
                let name = String::from_utf8_lossy(tokens.bytes(at));
                if MISSING.contains(&&*name) {
                    return Err(format!("{name} is not in SMT-LIB before 2.6"));
                }
                match NAMES.iter().find(|(today, _)| *today == name) {
                    Some((_, old)) => out.push(old),
                    None => out.push(&print::symbol(&name)),
                }
            }
            Kind::String => out.push(&old_string(&literal::value(tokens.bytes(at), Strings::Unicode)?)?),
            Kind::Keyword | Kind::Numeral | Kind::Decimal | Kind::Hexadecimal | Kind::Binary => {
                out.push(&String::from_utf8_lossy(tokens.bytes(at)));
            }
        }
        at += 1;
    }
    Ok(out.0)
}

/// The numbers of an application `((_ re.loop M N) R)` or `((_ re.^ N) R)` that begins at `at`, and where `R`
/// is.
fn looped(tokens: &Tokens<'_>, at: usize) -> Option<(String, usize)> {
    let head = at + 1;
    if tokens.kind(at) != Kind::Open || tokens.get(head)?.kind != Kind::Open || tokens.bytes(head + 1) != b"_"
    {
        return None;
    }
    let parts: Vec<usize> = tokens.elements(head).collect();
    let number = |place: &usize| String::from_utf8_lossy(tokens.bytes(*place)).into_owned();
    let numbers = match (parts.get(1).map(|name| tokens.bytes(*name))?, parts.get(2..)?) {
        (b"re.^", [times]) => [number(times), number(times)],
        (b"re.loop", [least, most]) => [number(least), number(most)],
        _ => return None,
    };
    Some((numbers.join(" "), tokens.after(head)))
}

/// A literal with the escapes of C.
fn old_string(value: &SmtString) -> Result<String, String> {
    let mut text = String::from("\"");
    for c in value.chars() {
        match char::from_u32(c.0) {
            Some('"') => text.push_str("\"\""),
            Some('\\') => text.push_str("\\\\"),
            Some(plain @ ' '..='~') => text.push(plain),
            _ if c.0 <= LAST => text.push_str(&format!("\\x{:02x}", c.0)),
            _ => return Err(format!("the character U+{:04X} is not in SMT-LIB before 2.6", c.0)),
        }
    }
    text.push('"');
    Ok(text)
}

/// A model whose strings have the escapes of C, as one of today.
///
/// # Errors
///
/// When it is no sequence of tokens.
pub fn model(text: &str) -> Result<String, String> {
    let tokens = Tokens::read(text.as_bytes(), true).map_err(|error| error.to_string())?;
    let mut out = Text::default();
    for at in 0..tokens.len() {
        match tokens.kind(at) {
            Kind::String => out.push(&print::string(&literal::value(tokens.bytes(at), Strings::CLike)?)),
            Kind::Symbol => out.push(&print::symbol(&String::from_utf8_lossy(tokens.bytes(at)))),
            Kind::Open
            | Kind::Close
            | Kind::Keyword
            | Kind::Numeral
            | Kind::Decimal
            | Kind::Hexadecimal
            | Kind::Binary => out.push(&String::from_utf8_lossy(tokens.bytes(at))),
        }
    }
    Ok(out.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> String {
        let problem = harness_smtlib::read(text.as_bytes()).unwrap().queries.remove(0).problem;
        print::problem(&problem, "QF_S", None)
    }

    /// The old text of a script is read as the same problem.
    #[test]
    fn old_scripts_are_read_back() {
        let today = printed(
            r#"(declare-const |a b| String)(declare-const n Int)
            (assert (str.in_re |a b| (re.++ (str.to_re "a\u{22}\u{5c}\u{0}\u{ff}~") re.all ((_ re.^ 3) re.allchar))))
            (assert (or (str.in_re |a b| ((_ re.loop 1 2) ((_ re.^ 4) (re.* re.none)))) (= (str.to_int |a b|) n)))
            (assert (= (str.replace_all |a b| "b" "") (str.replace |a b| (str.from_int n) "c")))(check-sat)"#,
        );
        let old = script(&today).unwrap();
        for part in [
            "2.5",
            "str.in.re",
            "str.to.re",
            "str.to.int",
            "int.to.str",
            "str.replaceall",
            "re.nostr",
            "\\xff",
        ] {
            assert!(old.contains(part), "{part}: {old}");
        }
        assert!(!old.contains("_re") && !old.contains("(_"), "{old}");
        // All words and powers are written out in other operations.
        let spelled = today.replace("re.all ", "(re.* re.allchar) ").replace("_ re.^ 3", "_ re.loop 3 3");
        assert_eq!(printed(&old), printed(&spelled.replace("_ re.^ 4", "_ re.loop 4 4")));
    }

    #[test]
    fn what_old_solvers_do_not_have_is_refused() {
        for (term, name) in [
            ("(str.is_digit s)", "str.is_digit"),
            ("(str.in_re s (re.comp re.none))", "re.comp"),
            ("(= s \"\\u{100}\")", "the character U+0100"),
        ] {
            let today = printed(&format!("(declare-const s String)(assert {term})(check-sat)"));
            assert!(script(&today).unwrap_err().starts_with(name));
        }
    }

    #[test]
    fn models_are_translated() {
        let old = r#"(model (define-fun |a b| () String "\x41\\u{41}\t""") (define-fun n () Int (- 3)))"#;
        let today =
            r#"(model (define-fun |a b| () String "A\u{5c}u{41}\u{9}""") (define-fun n () Int (- 3)))"#;
        assert_eq!(model(old).as_deref(), Ok(today));
        assert!(model("(").is_err());
    }
}

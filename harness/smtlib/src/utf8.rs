//! Scripts whose string literals hold characters as UTF-8, as many solvers take them and many generators
//! print them. SMT-LIB has printable ASCII there and escapes for all else: a script is rewritten with these,
//! so that every reader and every strategy sees a legal one.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::dialect::{self, Strings};
use crate::lex::{Kind, Tokens};

/// The same script with escapes in place of the characters outside ASCII in its string literals. Lines stay
/// where they are, columns behind such a character do not. In a script of an older dialect, whose escapes end
/// at U+00FF, characters above that stay, and so does all of a text that is no sequence of tokens: the reader
/// tells what is wrong there. Linear in the text.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let Some((tokens, strings)) = tokens(text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len() + 16);
    let mut copied = 0;
    for index in (0..tokens.len()).filter(|&index| tokens.kind(index) == Kind::String) {
        let literal = tokens.bytes(index);
        if literal.is_ascii() {
            continue;
        }
        // The quote comes before the bytes of the literal.
        let start = tokens.offset(index) + 1;
        let end = start + literal.len();
        let (Some(before), Some(literal)) = (text.get(copied..start), text.get(start..end)) else {
            return Cow::Borrowed(text);
        };
        out.push_str(before);
        for c in literal.chars() {
            let code = u32::from(c);
            match strings {
                _ if c.is_ascii() => out.push(c),
                Strings::Unicode => {
                    let _ = write!(out, "\\u{{{code:x}}}");
                }
                Strings::CLike if code <= 0xFF => {
                    let _ = write!(out, "\\x{code:02x}");
                }
                Strings::CLike => out.push(c),
            }
        }
        copied = end;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// The tokens of a script, and how its literals are read.
fn tokens(text: &[u8]) -> Option<(Tokens<'_>, Strings)> {
    let strings = |tokens: &Tokens<'_>| dialect::strings(dialect::of(tokens));
    let old = || Tokens::read(text, true).ok().map(|tokens| (tokens, Strings::CLike));
    match Tokens::read(text, false) {
        Ok(tokens) if strings(&tokens) == Strings::Unicode => Some((tokens, Strings::Unicode)),
        Ok(_) => old(),
        Err(_) => old().filter(|(tokens, _)| strings(tokens) == Strings::CLike),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_literals_change() {
        let script = "; \u{e9}\n(declare-const |\u{e9}| String)\n(assert (= |\u{e9}| \"a\u{e9}\"\"\u{1F600}b\")) (check-sat)";
        let expected = "; \u{e9}\n(declare-const |\u{e9}| String)\n(assert (= |\u{e9}| \"a\\u{e9}\"\"\\u{1f600}b\")) (check-sat)";
        assert_eq!(escaped(script), expected);
        // What is legal already is not touched.
        for same in ["(assert (= s \"\\u{e9}\"))", "; \u{e9}", "(assert \"\u{e9}", ""] {
            assert_eq!(escaped(same), same);
        }
        // Older scripts have the escapes of C, and quotes behind backslashes.
        let old = "(assert (str.in.re s (str.to.re \"\\\"\u{e9}\u{20ac}\")))";
        assert_eq!(escaped(old), "(assert (str.in.re s (str.to.re \"\\\"\\xe9\u{20ac}\")))");
    }

    /// A literal has the characters that were written, whatever stands before it.
    #[test]
    fn values_are_what_was_written() {
        let characters = ['a', '"', '\u{e9}', '\u{20ac}', '\u{1F600}', '\u{2FFFF}', ' '];
        for number in 0..characters.len().pow(3) {
            let at = |place: u32| characters[number / characters.len().pow(place) % characters.len()];
            let word: String = (0..3).map(at).collect();
            let literal =
                |written: String| format!("(declare-const s String)(assert (= s \"{written}\"))(check-sat)");
            let script = literal(word.replace('"', "\"\""));
            let legal = escaped(&script);
            assert!(legal.is_ascii());
            let escapes = word.chars().map(|c| format!("\\u{{{:x}}}", u32::from(c))).collect();
            let text = |script: &str| {
                let script = crate::read(script.as_bytes()).unwrap();
                crate::print::problem(&script.queries[0].problem, "ALL", None)
            };
            assert_eq!(text(&legal), text(&literal(escapes)), "{word}");
        }
    }
}

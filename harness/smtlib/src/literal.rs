//! String literals.
//!
//! SMT-LIB 2.6 and later: printable ASCII, a doubled quote for one, and the escapes `\u{X}` and `\uXXXX`;
//! every other backslash stands for itself. Older solvers had the escapes of C instead: `\n \t \r \a \b \f \v
//! \e \\ \" \' \xHH`, and one to three octal digits.

use harness_model::{Char, SmtString};

use crate::dialect::Strings;

/// The value of a literal from the text between its outer quotes, or what is wrong with it.
pub fn value(raw: &[u8], strings: Strings) -> Result<SmtString, String> {
    if let Some(&bad) = raw.iter().find(|&&b| !(0x20..=0x7E).contains(&b)) {
        return Err(match bad {
            b'\n' | b'\r' => "a line break in a string literal: write \\u{a}".to_owned(),
            0x80.. => "a character outside printable ASCII in a string literal: write \\u{...}".to_owned(),
            _ => format!("the control character {bad:#04x} in a string literal: write \\u{{{bad:x}}}"),
        });
    }
    let text: String = String::from_utf8_lossy(raw).replace("\"\"", "\"");
    match strings {
        Strings::Unicode => {
            SmtString::unescape(&text).map_err(|c| format!("{c:?} is no character of SMT-LIB"))
        }
        Strings::CLike => Ok(c_like(text.as_bytes())),
    }
}

fn c_like(text: &[u8]) -> SmtString {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte != b'\\' {
            out.push(Char::from(byte));
            continue;
        }
        let digits = |from: usize, most: usize, radix: u32| {
            let rest = text.get(from..).unwrap_or(&[]);
            let count = rest.iter().take(most).take_while(|&&b| char::from(b).is_digit(radix)).count();
            let value = rest[..count]
                .iter()
                .filter_map(|&b| char::from(b).to_digit(radix))
                .fold(0, |v, d| v * radix + d);
            (count, value)
        };
        let simple = match text.get(at) {
            Some(b'n') => Some(0x0A),
            Some(b't') => Some(0x09),
            Some(b'r') => Some(0x0D),
            Some(b'a') => Some(0x07),
            Some(b'b') => Some(0x08),
            Some(b'f') => Some(0x0C),
            Some(b'v') => Some(0x0B),
            Some(b'e') => Some(0x1B),
            Some(&c @ (b'\\' | b'"' | b'\'')) => Some(u32::from(c)),
            _ => None,
        };
        let (used, value) = match (simple, text.get(at)) {
            (Some(value), _) => (1, value),
            (None, Some(b'x')) => match digits(at + 1, 2, 16) {
                (2, value) => (3, value),
                _ => (0, u32::from(b'\\')),
            },
            (None, Some(b'0'..=b'7')) => digits(at, 3, 8),
            // An escape that is none stands for itself.
            _ => (0, u32::from(b'\\')),
        };
        out.push(Char(value));
        at += used;
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_in_two_dialects() {
        let text = br#"\x41\t\u{41}"#;
        assert_eq!(value(text, Strings::Unicode).unwrap(), SmtString::from(r"\x41\tA"));
        assert_eq!(value(text, Strings::CLike).unwrap(), SmtString::from("A\t\\u{41}"));
    }

    #[test]
    fn quotes_and_odd_characters() {
        assert_eq!(value(br#"a""b"#, Strings::Unicode).unwrap(), SmtString::from("a\"b"));
        assert!(value("é".as_bytes(), Strings::Unicode).unwrap_err().contains("printable ASCII"));
        assert!(value(b"a\nb", Strings::Unicode).unwrap_err().contains("line break"));
        assert!(value(b"a\tb", Strings::Unicode).unwrap_err().contains("0x09"));
    }

    #[test]
    fn old_escapes() {
        assert_eq!(value(br#"\101\0\\\"\q\xZ"#, Strings::CLike).unwrap(), SmtString::from("A\0\\\"\\q\\xZ"));
    }
}

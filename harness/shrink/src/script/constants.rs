//! Literals made smaller: strings halved, shortened and made plain, numbers towards 0.

use std::ops::Range;

use harness_model::{Char, SmtString};
use harness_smtlib::dialect::Strings;
use harness_smtlib::lex::Kind;
use harness_smtlib::{literal, print};
use harness_theory::ScriptDialect;

use crate::edit::{Edit, halves};
use crate::outline::Outline;

/// The commands whose literals count.
const COMMANDS: [&str; 4] = ["assert", "define-fun", "define-const", "check-sat-assuming"];

/// The literals of a kind in commands that assert something: token and range.
fn literals(outline: &Outline<'_>, kind: Kind) -> Vec<usize> {
    let mut found = Vec::new();
    for command in outline.commands.iter().filter(|command| COMMANDS.contains(&command.name.as_str())) {
        found.extend(
            (command.at..outline.tokens.after(command.at)).filter(|&at| outline.tokens.kind(at) == kind),
        );
    }
    found
}

/// Each string shortened, then each of its characters made an `a`. In scripts from before SMT-LIB 2.6, which
/// spell characters in other ways, strings stay as they are.
pub fn strings(outline: &Outline<'_>) -> Vec<Edit> {
    if outline.dialect == ScriptDialect::Old {
        return Vec::new();
    }
    let mut edits = Vec::new();
    for at in literals(outline, Kind::String) {
        let Ok(value) = literal::value(outline.tokens.bytes(at), Strings::Unicode) else { continue };
        let range = outline.range(at);
        let by = |chars: Vec<Char>| Edit::replace(range.clone(), print::string(&SmtString::from(chars)));
        edits.extend(shorter(value.chars()).into_iter().map(by));
        edits.extend(plainer(value.chars()).into_iter().map(by));
    }
    edits
}

/// Without one half, without a quarter and so on.
fn shorter(chars: &[Char]) -> Vec<Vec<Char>> {
    let mut all = Vec::new();
    for size in halves(chars.len()) {
        for start in (0..chars.len()).step_by(size) {
            let end = (start + size).min(chars.len());
            all.push([&chars[..start], &chars[end..]].concat());
        }
    }
    all
}

/// All characters an `a`, then one after the other.
fn plainer(chars: &[Char]) -> Vec<Vec<Char>> {
    let plain = Char::from(b'a');
    let odd: Vec<usize> = (0..chars.len()).filter(|&i| chars[i] != plain).collect();
    let mut all = Vec::new();
    if odd.len() > 1 {
        all.push(vec![plain; chars.len()]);
    }
    for place in odd {
        let mut one = chars.to_vec();
        one[place] = plain;
        all.push(one);
    }
    all
}

/// Each number made 0, 1, half of it, one less; counts of loops too.
pub fn numbers(outline: &Outline<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for at in literals(outline, Kind::Numeral) {
        let range = outline.range(at);
        edits.extend(towards_zero(outline.source(at)).into_iter().map(|by| Edit::replace(range.clone(), by)));
    }
    edits
}

/// Smaller numbers than a numeral, the smallest first.
pub fn towards_zero(numeral: &str) -> Vec<String> {
    let Ok(value) = numeral.parse::<u128>() else {
        // Too long to count with: fewer digits.
        return ["0", "1", &numeral[..numeral.len() / 2]].map(str::to_owned).to_vec();
    };
    let mut smaller: Vec<u128> = [0, 1, 2, value / 2, value.saturating_sub(1)].to_vec();
    smaller.retain(|&number| number < value);
    smaller.sort_unstable();
    smaller.dedup();
    smaller.into_iter().map(|number| number.to_string()).collect()
}

/// The numerals of a piece of text that is none of SMT-LIB.
pub fn numerals(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        if !byte.is_ascii_digit() {
            continue;
        }
        match found.last_mut() {
            Some(last) if last.end == at => last.end = at + 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::testkit::asserted;
    use super::*;

    #[test]
    fn strings_are_halved_and_made_plain() {
        let made = asserted("(= x \"b\\u{e9}\"\"d\")", strings);
        for wanted in
            ["\"\"\"d\"", "\"b\\u{e9}\"", "\"b\\u{e9}d\"", "\"aaaa\"", "\"a\\u{e9}\"\"d\"", "\"ba\"\"d\""]
        {
            assert!(made.contains(&format!("(= x {wanted})")), "{wanted}: {made:?}");
        }
        assert_eq!(asserted("(= x \"a\")", strings), ["(= x \"\")"]);
        assert_eq!(asserted("(= x \"\")", strings), [""; 0]);
    }

    #[test]
    fn numbers_go_towards_zero() {
        assert_eq!(towards_zero("100"), ["0", "1", "2", "50", "99"]);
        assert_eq!(towards_zero("1"), ["0"]);
        assert_eq!(towards_zero("0"), [""; 0]);
        let long = "9".repeat(100);
        assert!(towards_zero(&long).contains(&"9".repeat(50)));
        let made = asserted("(str.in_re x ((_ re.loop 2 4) re.allchar))", numbers);
        for wanted in ["(_ re.loop 0 4)", "(_ re.loop 2 3)"] {
            assert!(made.iter().any(|text| text.contains(wanted)), "{wanted}: {made:?}");
        }
    }

    #[test]
    fn numerals_are_found() {
        assert_eq!(numerals("{12,3}a4"), [1..3, 4..5, 7..8]);
    }
}

//! Grammars as text: what [`crate::read()`] reads.

use std::fmt::Write;

use crate::grammar::{Grammar, Symbol};

/// The text of a grammar, with the rules in their order. [`crate::read()`] gives the same grammar again, if
/// every non-terminal has a rule and is named first in the order of its number.
pub fn text(grammar: &Grammar) -> String {
    let mut out = String::new();
    let mut before = None;
    for rule in grammar.rules() {
        let name = &grammar.names()[rule.left];
        if before == Some(rule.left) {
            out.push_str(&" ".repeat(name.chars().count()));
        } else {
            out.push_str(name);
        }
        before = Some(rule.left);
        out.push_str(" :");
        for symbol in &rule.right {
            match symbol {
                Symbol::Nonterminal(number) => {
                    let _ = write!(out, " {}", grammar.names()[*number]);
                }
                // Within a literal of SMT-LIB a quote is doubled, here it is an escape.
                Symbol::Terminal(word) => {
                    let _ = write!(out, " \"{}\"", word.to_string().replace('"', "\\u{22}"));
                }
            }
        }
        out.push_str(" ;\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::read;

    #[test]
    fn what_is_written_is_read_again() {
        let source = "S : A \"\\u{22}x\\u{5c}\" ;\n  : ;\nA : \"\" S ;\n  : \"\u{e9}\" ;\nS : A A ;\n";
        let grammar = read(source).unwrap();
        let written = super::text(&grammar);
        assert_eq!(read(&written).unwrap(), grammar, "{written}");
        assert_eq!(written.lines().nth(1), Some("  : ;"));
    }
}

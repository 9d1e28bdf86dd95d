//! Whether a word is in the language of a grammar: the judge's own way, which no strategy uses.
//!
//! It takes the rules as they are written. A span of the word is derived by a non-terminal if a rule of it
//! covers the span by spans that are derived already; that is repeated until nothing is added. Spans are only
//! added for a rule, so each is derived; and a derivation of least height is found by induction on that
//! height.

use harness_model::SmtString;

use crate::grammar::{Grammar, Symbol};

/// Whether `word` is in the language; `None` when that would take more than `effort` steps.
pub fn contains(grammar: &Grammar, word: &SmtString, effort: u64) -> Option<bool> {
    let characters = word.chars();
    let places = characters.len() + 1;
    let size = places.checked_mul(places).and_then(|spans| spans.checked_mul(grammar.names().len()));
    let mut left = effort.checked_sub(u64::try_from(size?).ok()?)?;
    // By non-terminal and start, the ends of the spans that are derived.
    let mut derived = vec![vec![vec![false; places]; places]; grammar.names().len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for rule in grammar.rules() {
            for start in 0..places {
                let mut ends = vec![false; places];
                ends[start] = true;
                for symbol in &rule.right {
                    let mut next = vec![false; places];
                    for from in (0..places).filter(|&place| ends[place]) {
                        left = left.checked_sub(u64::try_from(places).ok()?)?;
                        match symbol {
                            Symbol::Terminal(text) => {
                                if characters[from..].starts_with(text.chars()) {
                                    next[from + text.len()] = true;
                                }
                            }
                            Symbol::Nonterminal(number) => {
                                for (to, derived) in derived[*number][from].iter().enumerate() {
                                    next[to] |= derived;
                                }
                            }
                        }
                    }
                    ends = next;
                }
                left = left.checked_sub(1)?;
                for to in (0..places).filter(|&place| ends[place]) {
                    changed |= !std::mem::replace(&mut derived[rule.left][start][to], true);
                }
            }
        }
    }
    Some(derived[0][0][places - 1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn is_in(grammar: &str, word: &str) -> bool {
        contains(&read(grammar).unwrap(), &SmtString::unescape(word).unwrap(), 1_000_000).unwrap()
    }

    #[test]
    fn balanced_words() {
        let balanced = "S : \"(\" S \")\" S ; : ;";
        for (word, expected) in [("", true), ("()", true), ("(()())()", true), ("(", false), (")(", false)] {
            assert_eq!(is_in(balanced, word), expected, "{word}");
        }
    }

    #[test]
    fn empty_words_and_cycles() {
        // A derives itself; B derives only the empty word; C derives nothing.
        let grammar = "S : A B ; : C ; A : A ; : B A ; : \"a\" ; B : ; C : C \"c\" ;";
        for (word, expected) in [("a", true), ("", false), ("aa", false), ("c", false)] {
            assert_eq!(is_in(grammar, word), expected, "{word}");
        }
    }

    #[test]
    fn terminals_may_have_several_characters_and_none() {
        let grammar = "S : \"ab\" S ; : \"\" ;";
        for (word, expected) in [("", true), ("ab", true), ("abab", true), ("aba", false)] {
            assert_eq!(is_in(grammar, word), expected, "{word}");
        }
    }

    #[test]
    fn effort_is_bounded() {
        let grammar = read("S : S S ; : \"a\" ;").unwrap();
        let word = SmtString::unescape("aaaaaaaa").unwrap();
        assert_eq!(contains(&grammar, &word, 10), None);
        assert_eq!(contains(&grammar, &word, 100_000), Some(true));
    }
}

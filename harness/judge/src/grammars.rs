//! The judge of questions about context-free grammars: a witness is a word, which has to have as many
//! characters as are asked for and to be in every grammar, by the judge's own test of membership.
//!
//! A verdict that there is none has no proof; it is compared with those of other strategies, and a word that
//! one of them gives refutes it.

use std::collections::HashMap;

use harness_grammar::{Grammar, contains, read};
use harness_model::{Alphabet, Answer, GrammarsSource, SmtString, Verdict, Witness};

use crate::kind::{Checked, KindJudge, Nouns};
use crate::text;

/// Steps of one test of membership.
const EFFORT: u64 = 500_000_000;

/// Grammars, and the words that were checked.
pub struct GrammarsJudge<'a> {
    asked: &'a GrammarsSource,
    alphabet: Alphabet,
    /// By name; or why one is none.
    grammars: Result<Vec<(&'a str, Grammar)>, String>,
    checks: HashMap<&'a SmtString, Checked>,
}

/// Checks the witness of an answer; `None` when there is no word.
pub fn check_grammars(asked: &GrammarsSource, alphabet: Alphabet, answer: &Answer) -> Option<Checked> {
    GrammarsJudge::new(asked, alphabet).check(0, answer)
}

impl<'a> GrammarsJudge<'a> {
    /// Reads the grammars.
    pub fn new(asked: &'a GrammarsSource, alphabet: Alphabet) -> Self {
        let one = |grammar: &'a harness_model::GrammarSource| {
            let read = read(&grammar.text).map_err(|error| format!("{}: {error}", grammar.name))?;
            match read.foreign_to(alphabet) {
                Some(c) => Err(format!("{} has U+{:04X}, which is not in {alphabet}", grammar.name, c.0)),
                None => Ok((grammar.name.as_str(), read)),
            }
        };
        let grammars = asked.grammars.iter().map(one).collect();
        Self { asked, alphabet, grammars, checks: HashMap::new() }
    }

    fn word(&self, word: &SmtString) -> Checked {
        let shown = text::word(word);
        if let Some(c) = word.foreign_to(self.alphabet) {
            let alphabet = self.alphabet;
            return Checked::Refuted(format!(
                "the witness {shown} contains U+{:04X}, which is not in {alphabet}",
                c.0
            ));
        }
        let GrammarsSource { shortest, longest, .. } = self.asked;
        if !(u64::from(*shortest)..=u64::from(*longest)).contains(&(word.len() as u64)) {
            return Checked::Refuted(format!(
                "the witness {shown} has {} characters, and {shortest} to {longest} are asked for",
                word.len()
            ));
        }
        let grammars = match &self.grammars {
            Ok(grammars) => grammars,
            Err(why) => {
                return Checked::Unchecked(format!("the witness {shown} is not checked: {why}"));
            }
        };
        for (name, grammar) in grammars {
            match contains(grammar, word, EFFORT) {
                Some(true) => {}
                Some(false) => {
                    return Checked::Refuted(format!("{name} does not derive the witness {shown}"));
                }
                None => {
                    return Checked::Unchecked(format!(
                        "the witness {shown} is not checked in {name}: that would take too long"
                    ));
                }
            }
        }
        Checked::Proof
    }
}

impl<'a> KindJudge<'a> for GrammarsJudge<'a> {
    fn check(&mut self, _: usize, answer: &'a Answer) -> Option<Checked> {
        let word = answer.witness.as_ref().and_then(Witness::word)?;
        if let Some(known) = self.checks.get(word) {
            return Some(known.clone());
        }
        let checked = self.word(word);
        self.checks.insert(word, checked.clone());
        Some(checked)
    }

    fn illegal(&self) -> Option<String> {
        let why = self.grammars.as_ref().err()?;
        Some(format!("a grammar is not legal, so that no verdict counts: {why}"))
    }

    fn leaves_open(&self, verdict: Verdict) -> bool {
        verdict == Verdict::Unknown
    }

    /// Grammars state no verdict.
    fn contradictions(&self, _: &[Option<Verdict>]) -> Vec<String> {
        Vec::new()
    }

    fn describe(&self, _: usize) -> String {
        let names: Vec<&str> = self.asked.grammars.iter().map(|grammar| grammar.name.as_str()).collect();
        format!("the words of {}", names.join(" and "))
    }

    fn nouns(&self) -> Nouns {
        Nouns { parts: "questions", subject: "a question about grammars" }
    }
}

#[cfg(test)]
mod tests {
    use harness_model::GrammarSource;

    use super::*;

    fn check(word: &str, grammars: &[&str]) -> Option<Checked> {
        let named = |(number, text): (usize, &&str)| GrammarSource {
            name: format!("G{number}"),
            text: (*text).to_owned(),
        };
        let grammars = grammars.iter().enumerate().map(named).collect();
        let asked = GrammarsSource { grammars, shortest: 2, longest: 6 };
        let answer = Answer::word(SmtString::from(word));
        GrammarsJudge::new(&asked, Alphabet::Ascii).check(0, &answer)
    }

    #[test]
    fn words_are_in_all_grammars_and_within_bounds() {
        let (balanced, even) = ("S : \"a\" S \"b\" ; : ;", "S : L L S ; : ; L : \"a\" ; : \"b\" ; : \"c\" ;");
        assert_eq!(check("aabb", &[balanced, even]), Some(Checked::Proof));
        let why = |word: &str| match check(word, &[balanced, even]) {
            Some(Checked::Refuted(why)) => why,
            other => format!("{other:?}"),
        };
        assert!(why("abab").contains("G0 does not derive"), "{}", why("abab"));
        assert!(why("").contains("0 characters, and 2 to 6"));
        assert!(why("aaaabbbb").contains("8 characters"));
        assert!(why("a\u{e9}").contains("U+00E9"));
        assert!(matches!(check("ab", &["S : "]), Some(Checked::Unchecked(_))));
        let asked = GrammarsSource {
            grammars: vec![GrammarSource { name: "G".into(), text: "S".into() }],
            shortest: 0,
            longest: 1,
        };
        assert!(
            GrammarsJudge::new(&asked, Alphabet::Ascii)
                .illegal()
                .is_some_and(|why| why.contains("G: line 1"))
        );
    }
}

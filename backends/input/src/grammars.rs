//! Questions about context-free grammars: as grammars, and bounded to a system of one variable for those that
//! know regular languages alone.

use std::sync::Arc;

use backends_api::{BackendError, Probe, Stop};
use harness_grammar::automaton::{STATES, TooLarge, automaton};
use harness_grammar::{Grammar, NormalForm, read};
use harness_model::{Alphabet, GrammarsSource, Question};
use harness_systems::{Automaton, Constraint, Language, Piece, Relation, System};
use harness_theory::Position;

use crate::unsupported;

/// What is asked: a word that all of these derive, of lengths within bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammars {
    /// The grammars, by name.
    pub grammars: Vec<(String, Grammar)>,
    /// The least number of characters.
    pub shortest: usize,
    /// The greatest number of characters.
    pub longest: usize,
}

/// The grammars that a question asks about; a question of another kind is unsupported.
pub fn grammars_of(question: &Question, probe: &Probe) -> Result<Grammars, BackendError> {
    let source = question.as_grammars().ok_or_else(|| unsupported(question))?;
    read_grammars(source, question.alphabet, probe)
}

/// Reads grammars whose characters are of `alphabet`. A text that is not legal is the input's fault.
pub fn read_grammars(
    source: &GrammarsSource,
    alphabet: Alphabet,
    probe: &Probe,
) -> Result<Grammars, BackendError> {
    let mut grammars = Vec::with_capacity(source.grammars.len());
    for grammar in &source.grammars {
        let name = &grammar.name;
        let read = probe.phase("parse", || read(&grammar.text));
        let read = read.map_err(|error| BackendError::Input(format!("the grammar '{name}': {error}")))?;
        if let Some(c) = read.foreign_to(alphabet) {
            let why = format!("the grammar '{name}' has U+{:04X}, which is not in {alphabet}", c.0);
            return Err(BackendError::Input(why));
        }
        grammars.push((name.clone(), read));
    }
    Ok(Grammars { grammars, shortest: source.shortest as usize, longest: source.longest as usize })
}

impl Grammars {
    /// The name of the variable of [`Grammars::bounded`].
    pub const WORD: &'static str = "word";

    /// A system of one variable, which is in the words of bounded length of each grammar (phase `bound`).
    ///
    /// # Errors
    ///
    /// When words are too long, or a grammar has words in too many forms.
    pub fn bounded(&self, probe: &Probe) -> Result<System, BackendError> {
        probe.phase("bound", || {
            let mut system = System::default();
            let variable = system.variable(Self::WORD);
            for (name, grammar) in &self.grammars {
                let made = automaton(&NormalForm::of(grammar), self.shortest, self.longest);
                let made = made.map_err(|error| match error {
                    TooLarge::Length(_) => BackendError::Unsupported(format!(
                        "the grammar '{name}' as a regular language: {error}"
                    )),
                    TooLarge::States(_) => BackendError::Stopped(Stop::Size {
                        what: "a grammar as a regular language",
                        limit: STATES as u64,
                        unit: "states",
                    }),
                })?;
                probe.count("bounded_states", made.states as u64);
                let moves = made.moves.into_iter();
                let moves =
                    moves.map(|(from, reads, to)| harness_systems::automaton::Move { from, reads, to });
                let automaton = Automaton {
                    states: made.states,
                    start: made.start,
                    end: made.end,
                    moves: moves.collect(),
                };
                system.constraints.push(Constraint {
                    pieces: vec![Piece::Variable(variable)],
                    relation: Relation::In,
                    language: Arc::new(Language::Automaton(automaton)),
                    position: Position { line: 1, column: 1 },
                });
            }
            Ok(system)
        })
    }
}

#[cfg(test)]
mod tests {
    use harness_model::{GrammarSource, SmtString};

    use super::*;

    fn question(texts: &[&str], longest: u32) -> Question {
        let named = |(number, text): (usize, &&str)| GrammarSource {
            name: format!("G{number}"),
            text: (*text).to_owned(),
        };
        let grammars = texts.iter().enumerate().map(named).collect();
        Question::of_grammars(Alphabet::Ascii, GrammarsSource { grammars, shortest: 1, longest })
    }

    #[test]
    fn grammars_become_a_system_of_one_variable() {
        let question = question(&["S : \"a\" S \"b\" ; : ;", "S : \"a\" S ; : \"b\" S ; : ;"], 6);
        let system = grammars_of(&question, &Probe::new()).unwrap().bounded(&Probe::new()).unwrap();
        let holds = |word: &str| {
            system.constraints.iter().all(|constraint| match &*constraint.language {
                Language::Automaton(automaton) => automaton.accepts(&SmtString::from(word)),
                Language::Regex(_) => false,
            })
        };
        assert!(holds("ab") && holds("aaabbb"));
        assert!(!holds("") && !holds("aaaabbbb") && !holds("abab"));
    }

    #[test]
    fn faults_name_the_grammar() {
        let fault = |text: &str| grammars_of(&question(&["S : ;", text], 3), &Probe::new()).unwrap_err();
        assert_eq!(
            fault("S : "),
            BackendError::Input(
                "the grammar 'G1': line 1, column 5: expected a symbol, or ';' after the alternative, found the end of \
                 the text"
                    .to_owned()
            )
        );
        assert!(fault("S : \"\u{e9}\" ;").to_string().contains("U+00E9, which is not in ascii"));
        let long = grammars_of(&question(&["S : \"a\" S \"a\" ; : ;"], 900), &Probe::new()).unwrap();
        let said = long.bounded(&Probe::new()).unwrap_err().to_string();
        assert!(said.contains("G0") && said.contains("at most 127"), "{said}");
        let other = grammars_of(&Question::of_script(Alphabet::Ascii, "", 0), &Probe::new());
        assert_eq!(other.err(), Some(BackendError::Unsupported("string constraints".to_owned())));
    }
}

//! What is in a task's question, as far as people look for tasks by it: its kind, its operations, its size.
//!
//! A script is looked through word by word, not understood: one that no strategy can read has operations too.

use std::collections::BTreeSet;

use harness_model::{Question, QuestionKind, SystemFormat};
use harness_smtlib::lex::{Kind, Tokens};
use harness_smtlib::names;

/// What is in a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// `script`, `operations` or `system`.
    pub kind: &'static str,
    /// How many answers it asks for.
    pub asked: usize,
    /// Bytes of the text, or of all expressions.
    pub size: usize,
    /// The logic that a script sets.
    pub logic: Option<String>,
    /// The operations, each once, in order: on strings, languages and Java's by their names in SMT-LIB 2.7,
    /// and `product` and `difference`. Those of every script (equality, Boolean structure, sums) are not
    /// among them.
    pub operations: Vec<&'static str>,
}

/// Looks through a question. Linear in its size.
pub fn contents(question: &Question) -> Contents {
    match &question.kind {
        QuestionKind::Operations(asked) => {
            let operations: BTreeSet<&str> =
                asked.operations.iter().map(|operation| operation.kind.name()).collect();
            Contents {
                kind: "operations",
                asked: asked.operations.len(),
                size: asked.regexes.iter().map(|regex| regex.pattern.len()).sum(),
                logic: None,
                operations: operations.into_iter().collect(),
            }
        }
        QuestionKind::Script(script) => {
            let (logic, operations) = words(script.text.as_bytes());
            Contents { kind: "script", asked: script.queries, size: script.text.len(), logic, operations }
        }
        QuestionKind::Grammars(asked) => Contents {
            kind: "grammars",
            asked: 1,
            size: asked.grammars.iter().map(|grammar| grammar.text.len()).sum(),
            logic: None,
            operations: Vec::new(),
        },
        QuestionKind::System(system) => {
            let (logic, operations) = match system.format {
                SystemFormat::Smtlib => words(system.text.as_bytes()),
                SystemFormat::Dprle | SystemFormat::Hampi => (None, Vec::new()),
            };
            Contents { kind: "system", asked: system.queries, size: system.text.len(), logic, operations }
        }
    }
}

/// The logic and the operations of a script; none of one whose words cannot be told apart.
fn words(text: &[u8]) -> (Option<String>, Vec<&'static str>) {
    // Before SMT-LIB 2.5 a backslash could stand before a quote.
    let Ok(tokens) = Tokens::read(text, false).or_else(|_| Tokens::read(text, true)) else {
        return (None, Vec::new());
    };
    let mut logic = None;
    let mut operations = BTreeSet::new();
    for index in (0..tokens.len()).filter(|&index| tokens.kind(index) == Kind::Symbol) {
        let Ok(word) = tokens.text(index) else { continue };
        if word == "set-logic" && logic.is_none() {
            logic = tokens.text(index + 1).ok().map(str::to_owned);
        }
        if let Some(spelling) = names::spelled(word) {
            operations.insert(spelling.op.name());
        }
    }
    // Those of the core and of arithmetic have no name space.
    operations.retain(|name| name.contains('.'));
    (logic, operations.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use harness_model::Alphabet;

    use super::*;

    fn of(script: &str) -> Contents {
        contents(&Question::of_script(Alphabet::Unicode, script, 1))
    }

    #[test]
    fn operations_by_their_names_of_today() {
        let found = of(
            "(set-logic QF_S) ; str.rev\n(assert (= \"str.at\" (str.++ x (int.to.str (str.len |str.<|)))))",
        );
        assert_eq!(found.operations, ["str.++", "str.<", "str.from_int", "str.len"]);
        assert_eq!(found.logic.as_deref(), Some("QF_S"));
    }

    #[test]
    fn what_is_no_script_has_nothing() {
        let broken = of("(assert (str.len \"x)");
        assert!(broken.operations.is_empty() && broken.logic.is_none());
        assert_eq!((broken.kind, broken.size), ("script", 20));
    }
}

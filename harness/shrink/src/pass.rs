//! The passes: what is tried on a question, in which order, and which of two questions is the smaller one.

use harness_model::{Alphabet, Operations, Question, QuestionKind};

use crate::edit::Edit;
use crate::outline::Outline;
use crate::pattern;
use crate::script::{self, commands, constants, names, terms};

/// A change of a question.
#[derive(Clone, Debug)]
pub enum Change {
    /// Of a script's text.
    Script(Edit),
    /// Of the pattern of the expression with this number.
    Pattern(usize, Edit),
    /// Another alphabet.
    Alphabet(Alphabet),
    /// Only these of the operations, and only the expressions that they need.
    Operations(Vec<usize>),
}

impl Change {
    /// What it makes of a question; `None` where that is no legal question.
    pub fn apply(&self, question: &Question) -> Option<Question> {
        match (self, &question.kind) {
            (Self::Script(edit), QuestionKind::Script(script)) => {
                script::checked(&edit.apply(&script.text)?, question.alphabet)
            }
            (Self::Pattern(number, edit), QuestionKind::Operations(asked)) => {
                let mut asked = asked.clone();
                let regex = asked.regexes.get_mut(*number)?;
                regex.pattern = edit.apply(&regex.pattern)?;
                legal(asked, question.alphabet)
            }
            (Self::Alphabet(alphabet), QuestionKind::Script(script)) => {
                script::checked(&script.text, *alphabet)
            }
            (Self::Alphabet(alphabet), QuestionKind::Operations(asked)) => legal(asked.clone(), *alphabet),
            (Self::Operations(kept), QuestionKind::Operations(asked)) => only(asked, kept, question.alphabet),
            // No change is made of systems and grammars.
            (_, QuestionKind::System(_) | QuestionKind::Grammars(_))
            | (Self::Script(_), QuestionKind::Operations(_))
            | (Self::Pattern(..) | Self::Operations(_), QuestionKind::Script(_)) => None,
        }
    }

    /// About how many bytes it saves.
    pub fn saves(&self) -> usize {
        match self {
            Self::Script(edit) | Self::Pattern(_, edit) => edit.saves(),
            Self::Alphabet(_) | Self::Operations(_) => 0,
        }
    }
}

fn legal(asked: Operations, alphabet: Alphabet) -> Option<Question> {
    let legal = asked.regexes.iter().all(|regex| harness_regex::read(regex, alphabet).is_ok());
    let kind = QuestionKind::Operations(asked);
    legal.then_some(Question { alphabet, kind })
}

/// Some of the operations with their expressions.
pub fn only(asked: &Operations, kept: &[usize], alphabet: Alphabet) -> Option<Question> {
    let mut operations: Vec<_> =
        kept.iter().map(|&i| asked.operations.get(i).copied()).collect::<Option<_>>()?;
    let mut places: Vec<usize> = Vec::new();
    let mut place = |regex: usize| {
        places.iter().position(|&known| known == regex).unwrap_or_else(|| {
            places.push(regex);
            places.len() - 1
        })
    };
    for operation in &mut operations {
        (operation.left, operation.right) = (place(operation.left), place(operation.right));
    }
    let regexes = places.iter().map(|&i| asked.regexes.get(i).cloned()).collect::<Option<_>>()?;
    (!operations.is_empty()).then(|| Question::of_operations(alphabet, regexes, operations))
}

/// How large a question is. Shorter texts are smaller, then fewer answers, then what is plainer: expressions
/// in a smaller alphabet, scripts in the one of SMT-LIB, in which they mean the same to every solver; last of
/// all literals. What is accepted is always smaller than before, so a search ends.
pub fn size(question: &Question) -> (usize, usize, u32, u64) {
    let last = question.alphabet.max().0;
    match &question.kind {
        QuestionKind::Script(script) => {
            let short_of = Alphabet::Unicode.max().0.saturating_sub(last);
            (script.text.len(), script.queries, short_of, script::plainness(&script.text))
        }
        QuestionKind::System(system) => (system.text.len(), system.queries, last, 0),
        QuestionKind::Grammars(_) => (length(question), 1, last, 0),
        QuestionKind::Operations(asked) => {
            let patterns = || asked.regexes.iter().map(|regex| regex.pattern.as_str());
            let length = patterns().map(str::len).sum();
            (length, asked.operations.len(), last, patterns().map(pattern::plainness).sum())
        }
    }
}

/// How long the text of a question is, in bytes: what people are told.
pub fn length(question: &Question) -> usize {
    match &question.kind {
        QuestionKind::Script(script) => script.text.len(),
        QuestionKind::System(system) => system.text.len(),
        QuestionKind::Grammars(asked) => asked.grammars.iter().map(|grammar| grammar.text.len()).sum(),
        QuestionKind::Operations(asked) => asked.regexes.iter().map(|regex| regex.pattern.len()).sum(),
    }
}

/// Whether a question is smaller than another one of the size `than`.
pub fn is_smaller(question: &Question, than: (usize, usize, u32, u64)) -> bool {
    // Mostly the length decides.
    match length(question).cmp(&than.0) {
        std::cmp::Ordering::Less => true,
        std::cmp::Ordering::Greater => false,
        std::cmp::Ordering::Equal => size(question) < than,
    }
}

/// A pass: lists of changes, from coarse to fine.
#[derive(Clone, Copy)]
pub struct Pass {
    /// For people.
    pub name: &'static str,
    /// From coarse to fine; one list of changes for each.
    pub grains: fn(&Question) -> Vec<usize>,
    /// What is tried.
    pub changes: fn(&Question, usize) -> Vec<Change>,
}

/// All passes, in the order in which they are made.
pub const PASSES: &[Pass] = &[
    Pass { name: "alphabet", grains: once, changes: alphabets },
    Pass { name: "operations", grains: operation_grains, changes: operations },
    Pass { name: "levels", grains: once, changes: |q, _| scripts(q, commands::levels) },
    Pass {
        name: "commands",
        grains: |q| grains(q, commands::grains, |_| Vec::new()),
        changes: |q, grain| scripts(q, |o| commands::left_out(o, grain)),
    },
    Pass { name: "declarations", grains: once, changes: |q, _| scripts(q, commands::unused) },
    Pass {
        name: "operands",
        grains: |q| grains(q, terms::operand_grains, |_| Vec::new()),
        changes: |q, grain| scripts(q, |o| terms::fewer_operands(o, grain)),
    },
    Pass { name: "terms", grains: once, changes: |q, _| scripts(q, terms::smaller) },
    Pass { name: "definitions", grains: once, changes: |q, _| scripts(q, terms::written_out) },
    Pass { name: "expressions", grains: once, changes: |q, _| scripts(q, terms::plainer_expressions) },
    Pass { name: "unused", grains: once, changes: |q, _| scripts(q, commands::unused) },
    Pass { name: "variables", grains: once, changes: |q, _| scripts(q, names::merged) },
    Pass { name: "strings", grains: once, changes: |q, _| scripts(q, constants::strings) },
    Pass { name: "numbers", grains: once, changes: |q, _| scripts(q, constants::numbers) },
    Pass { name: "names", grains: once, changes: |q, _| scripts(q, names::shorter) },
    Pass {
        name: "pieces",
        grains: |q| grains(q, |_| Vec::new(), pattern::grains),
        changes: |q, grain| patterns(q, |text| pattern::left_out(text, grain)),
    },
    Pass { name: "groups", grains: once, changes: |q, _| patterns(q, pattern::simpler) },
    Pass { name: "classes", grains: once, changes: |q, _| patterns(q, pattern::smaller_classes) },
];

fn once(_: &Question) -> Vec<usize> {
    vec![0]
}

fn grains(
    question: &Question,
    of_script: fn(&Outline<'_>) -> Vec<usize>,
    of_pattern: fn(&str) -> Vec<usize>,
) -> Vec<usize> {
    match &question.kind {
        QuestionKind::Script(script) => Outline::of(&script.text).map_or_else(Vec::new, |o| of_script(&o)),
        QuestionKind::System(_) | QuestionKind::Grammars(_) => Vec::new(),
        QuestionKind::Operations(asked) => {
            let mut all: Vec<usize> =
                asked.regexes.iter().flat_map(|regex| of_pattern(&regex.pattern)).collect();
            all.sort_unstable_by_key(|&size| std::cmp::Reverse(size));
            all.dedup();
            all
        }
    }
}

fn scripts(question: &Question, edits: impl Fn(&Outline<'_>) -> Vec<Edit>) -> Vec<Change> {
    let outline = question.as_script().and_then(|script| Outline::of(&script.text));
    outline.map_or_else(Vec::new, |outline| edits(&outline).into_iter().map(Change::Script).collect())
}

fn patterns(question: &Question, edits: impl Fn(&str) -> Vec<Edit>) -> Vec<Change> {
    let Some(asked) = question.as_operations() else { return Vec::new() };
    let of_one = |(number, regex): (usize, &harness_model::RegexSource)| {
        edits(&regex.pattern).into_iter().map(move |edit| Change::Pattern(number, edit)).collect::<Vec<_>>()
    };
    asked.regexes.iter().enumerate().flat_map(of_one).collect()
}

fn alphabets(question: &Question, _: usize) -> Vec<Change> {
    let plainer: Vec<Alphabet> = match question.kind {
        QuestionKind::Script(_) => vec![Alphabet::Unicode],
        QuestionKind::System(_) | QuestionKind::Grammars(_) => Vec::new(),
        QuestionKind::Operations(_) => Alphabet::ALL.to_vec(),
    };
    let now = size(question).2;
    let differs = |alphabet: &Alphabet| size(&Question { alphabet: *alphabet, ..question.clone() }).2 < now;
    plainer.into_iter().filter(differs).map(Change::Alphabet).collect()
}

fn operation_grains(question: &Question) -> Vec<usize> {
    question.as_operations().map_or_else(Vec::new, |asked| crate::edit::halves(asked.operations.len()))
}

fn operations(question: &Question, size: usize) -> Vec<Change> {
    let Some(asked) = question.as_operations().filter(|asked| asked.operations.len() > 1) else {
        return Vec::new();
    };
    let all: Vec<usize> = (0..asked.operations.len()).collect();
    let without = |piece: &[usize]| all.iter().copied().filter(|i| !piece.contains(i)).collect();
    all.chunks(size.max(1)).map(|piece| Change::Operations(without(piece))).collect()
}

#[cfg(test)]
mod tests {
    use harness_model::{Dialect, Operation, OperationKind, RegexSource};

    use super::*;

    fn pair() -> Question {
        let regex = |name: &str, pattern: &str| RegexSource {
            find: false,
            name: name.to_owned(),
            pattern: pattern.to_owned(),
            dialect: Dialect::Java,
        };
        let operation = |kind, left, right| Operation { kind, left, right };
        Question::of_operations(
            Alphabet::Utf16,
            vec![regex("A", "a+"), regex("B", "é"), regex("C", "c")],
            vec![operation(OperationKind::Product, 0, 1), operation(OperationKind::Difference, 2, 1)],
        )
    }

    #[test]
    fn operations_go_with_their_expressions() {
        let made = Change::Operations(vec![1]).apply(&pair()).unwrap();
        let asked = made.as_operations().unwrap();
        let names: Vec<&str> = asked.regexes.iter().map(|regex| regex.name.as_str()).collect();
        assert_eq!(names, ["C", "B"]);
        assert_eq!(asked.operations, [Operation { kind: OperationKind::Difference, left: 0, right: 1 }]);
        assert_eq!(Change::Operations(Vec::new()).apply(&pair()), None);
        assert!(size(&made) < size(&pair()));
        assert_eq!(operations(&pair(), 1).len(), 2);
    }

    #[test]
    fn a_change_makes_legal_questions_only() {
        let question = pair();
        assert!(Change::Pattern(0, Edit::replace(0..1, "(")).apply(&question).is_none());
        assert!(Change::Pattern(0, Edit::replace(1..2, "")).apply(&question).is_some());
        assert!(Change::Script(Edit::default()).apply(&question).is_none());
        assert_eq!(alphabets(&question, 0).len(), 2);
    }

    #[test]
    fn plainer_is_smaller() {
        let script = |text: &str| script::checked(text, Alphabet::Ascii).unwrap();
        let of = |literal: &str| {
            size(&script(&format!("(declare-const x String)(assert (= x \"{literal}\"))(check-sat)")))
        };
        assert!(of("a") < of("b"));
        assert!(of("b") < of("aa"));
    }
}

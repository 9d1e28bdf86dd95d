//! The judge of operations on expressions: a witness is a word, which the trusted matcher finds in the
//! language or not.

use harness_model::{Alphabet, Answer, Operation, Operations, SmtString, Verdict, Witness};

use crate::kind::{Checked, KindJudge, Nouns};
use crate::membership::{Check, Membership};
use crate::text;

/// Looks up the checks that were made of all words at once.
pub struct OperationsJudge<'a> {
    /// The task's number.
    task: usize,
    asked: &'a Operations,
    alphabet: Alphabet,
    membership: &'a Membership<'a>,
}

impl<'a> OperationsJudge<'a> {
    /// For task number `task`, which asks for `asked`.
    pub const fn new(
        task: usize,
        asked: &'a Operations,
        alphabet: Alphabet,
        membership: &'a Membership<'a>,
    ) -> Self {
        Self { task, asked, alphabet, membership }
    }

    /// Why a word is no proof.
    fn failure(&self, number: usize, check: Check, witness: &SmtString) -> Option<String> {
        let name = |side: fn(&Operation) -> usize| {
            let operation = self.asked.operations.get(number);
            let regex = operation.and_then(|operation| self.asked.regexes.get(side(operation)));
            regex.map_or("an unknown expression", |regex| regex.name.as_str())
        };
        let shown = text::word(witness);
        Some(match check {
            Check::Inside => return None,
            Check::Foreign(c) => {
                format!("the witness {shown} contains U+{:04X}, which is not in {}", c.0, self.alphabet)
            }
            Check::NotInLeft => format!("the witness {shown} is not in {}", name(|o| o.left)),
            Check::NotInRight => format!("the witness {shown} is not in {}", name(|o| o.right)),
            Check::InRight => format!("the witness {shown} is in {}", name(|o| o.right)),
            Check::TooLong => {
                format!(
                    "the witness of {} characters is not checked: that would take too long",
                    witness.len()
                )
            }
            Check::Unreadable => {
                format!("the witness {shown} is not checked: an expression cannot be read")
            }
        })
    }
}

impl<'a> KindJudge<'a> for OperationsJudge<'a> {
    fn check(&mut self, number: usize, answer: &'a Answer) -> Option<Checked> {
        let word = answer.witness.as_ref().and_then(Witness::word)?;
        let check = self.membership.look_up(self.task, self.asked, number, word);
        Some(match self.failure(number, check, word) {
            None => Checked::Proof,
            Some(why) if check.refutes() => Checked::Refuted(why),
            Some(why) => Checked::Unchecked(why),
        })
    }

    /// An expression that cannot be read is said in a note, and leaves the verdicts as they are.
    fn illegal(&self) -> Option<String> {
        None
    }

    fn leaves_open(&self, _: Verdict) -> bool {
        false
    }

    /// An operation states no verdict.
    fn contradictions(&self, _: &[Option<Verdict>]) -> Vec<String> {
        Vec::new()
    }

    fn describe(&self, number: usize) -> String {
        let Some(operation) = self.asked.operations.get(number) else { return format!("operation {number}") };
        let name = |index| self.asked.name_of(index);
        format!("{}({}, {})", operation.kind, name(operation.left), name(operation.right))
    }

    fn nouns(&self) -> Nouns {
        Nouns { parts: "operations", subject: "an operation" }
    }
}

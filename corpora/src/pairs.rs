//! Tasks out of pairs of expressions: one each, or all of them in one question.

use harness_model::{Alphabet, Expected, Operation, OperationKind, Question, RegexSource, Task, Verdict};

/// How operations are put into tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Batch {
    /// Each operation is a task.
    #[default]
    Single,
    /// All operations of a kind are one task, so that a strategy can share work between them.
    PerKind,
    /// All operations are one task.
    Whole,
}

impl From<bool> for Batch {
    /// `true`: [`Batch::PerKind`].
    fn from(batch: bool) -> Self {
        if batch { Self::PerKind } else { Self::Single }
    }
}

/// Expressions and what to do with them, in one alphabet.
pub(crate) struct Pairs<'a> {
    /// The path that ids and families begin with, such as `regexes/li2009`.
    pub(crate) path: &'a str,
    pub(crate) alphabet: Alphabet,
    /// Names are unique.
    pub(crate) regexes: Vec<RegexSource>,
    /// Indices into `regexes`.
    pub(crate) operations: Vec<Operation>,
    pub(crate) batch: Batch,
}

impl Pairs<'_> {
    /// The tasks. `expected` knows the answer to an operation, by names; `source` says on whose word.
    pub(crate) fn tasks(
        self,
        expected: impl Fn(OperationKind, &str, &str) -> Option<Verdict>,
        source: &str,
    ) -> Vec<Task> {
        let verdict = |operation: &Operation| {
            let name = |index: usize| self.regexes[index].name.as_str();
            expected(operation.kind, name(operation.left), name(operation.right))
        };
        let known = |operations: &[Operation]| {
            let verdicts: Option<Vec<Verdict>> = operations.iter().map(verdict).collect();
            verdicts.map(|verdicts| Expected { verdicts, source: source.to_owned() })
        };
        match self.batch {
            Batch::Single => self.operations.iter().map(|o| self.single(*o, known(&[*o]))).collect(),
            Batch::PerKind => [OperationKind::Product, OperationKind::Difference]
                .into_iter()
                .map(|kind| {
                    let own: Vec<Operation> =
                        self.operations.iter().copied().filter(|o| o.kind == kind).collect();
                    (kind, own)
                })
                .filter(|(_, operations)| !operations.is_empty())
                .map(|(kind, operations)| {
                    let expected = known(&operations);
                    self.whole(&format!("{kind}s"), operations, expected)
                })
                .collect(),
            Batch::Whole if self.operations.is_empty() => Vec::new(),
            Batch::Whole => vec![self.whole("all", self.operations.clone(), known(&self.operations))],
        }
    }

    /// A task of one operation, which holds the one or two expressions that it is about.
    fn single(&self, operation: Operation, expected: Option<Expected>) -> Task {
        let Operation { kind, left, right } = operation;
        let mut regexes = vec![self.regexes[left].clone()];
        if left != right {
            regexes.push(self.regexes[right].clone());
        }
        let own = Operation { kind, left: 0, right: usize::from(left != right) };
        let names = format!("{}-{}", self.regexes[left].name, self.regexes[right].name);
        Task {
            parameters: Default::default(),
            id: format!("{}/{}/{kind}/{names}", self.path, self.alphabet),
            family: format!("{}/{kind}", self.path),
            question: Question::of_operations(self.alphabet, regexes, vec![own]),
            expected,
        }
    }

    fn whole(&self, name: &str, operations: Vec<Operation>, expected: Option<Expected>) -> Task {
        Task {
            parameters: Default::default(),
            id: format!("{}/{}/{name}", self.path, self.alphabet),
            family: format!("{}/{name}", self.path),
            question: Question::of_operations(self.alphabet, self.regexes.clone(), operations),
            expected,
        }
    }
}

/// All pairs of `count` expressions: unordered ones, each with itself too, for a product; ordered ones for a
/// difference.
pub(crate) fn all_pairs(count: usize, kinds: &[OperationKind]) -> Vec<Operation> {
    let mut operations = Vec::new();
    for &kind in kinds {
        for left in 0..count {
            let from = if kind == OperationKind::Product { left } else { 0 };
            operations.extend((from..count).map(|right| Operation { kind, left, right }));
        }
    }
    operations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_pairs() {
        assert_eq!(all_pairs(10, &[OperationKind::Product]).len(), 55);
        assert_eq!(all_pairs(10, &[OperationKind::Difference]).len(), 100);
        assert_eq!(all_pairs(0, &[OperationKind::Difference]).len(), 0);
    }
}

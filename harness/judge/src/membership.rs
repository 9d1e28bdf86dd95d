//! Whether witnesses are what they claim to be. Each distinct expression is read once, and each distinct pair
//! of an operation and a word is matched once, all in parallel, before anything is judged; what is judged
//! then only looks up.

use std::collections::HashMap;

use harness_check::matcher;
use harness_model::record::Record;
use harness_model::{
    Alphabet, Char, Dialect, OperationKind, Operations, Regex, RegexSource, SmtString, Task,
};
use rayon::prelude::*;

/// A check that takes more steps of the matcher is given up: some two seconds.
pub const MOST_STEPS: u64 = 1 << 31;

/// What a check of a witness says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// It is in the language: a proof.
    Inside,
    /// It contains a character that is not in the alphabet.
    Foreign(Char),
    /// It is not in the left operand.
    NotInLeft,
    /// It is not in the right operand of a product.
    NotInRight,
    /// It is in the right operand of a difference.
    InRight,
    /// It would take more than [`MOST_STEPS`].
    TooLong,
    /// One of the expressions cannot be read, or the operation names one that does not exist.
    Unreadable,
}

impl Check {
    /// Whether the word is certainly not in the language.
    pub const fn refutes(self) -> bool {
        matches!(self, Self::Foreign(_) | Self::NotInLeft | Self::NotInRight | Self::InRight)
    }
}

/// What makes two expressions the same: text, dialect, alphabet.
type SourceKey<'a> = (&'a str, Dialect, bool, Alphabet);

/// What makes two checks the same: operation, left and right expression, word. The alphabet is in the
/// expressions.
type CheckKey<'a> = (OperationKind, usize, usize, &'a SmtString);

/// An expression, and the first place where it is met.
struct Source<'a> {
    source: &'a RegexSource,
    alphabet: Alphabet,
    task: usize,
}

/// All checks of a set of records.
pub struct Membership<'a> {
    sources: Vec<Source<'a>>,
    read: Vec<Result<Regex, String>>,
    /// By task, the numbers of the sources that its expressions are; only for tasks that have witnesses.
    of_task: HashMap<usize, Vec<usize>>,
    checks: HashMap<CheckKey<'a>, Check>,
}

impl<'a> Membership<'a> {
    /// Checks every witness in `records`; `runs` has the numbers of the records of each task.
    pub fn of(
        tasks: &'a [Task],
        runs: &[Vec<usize>],
        records: &'a [Record],
        read: impl Fn(&RegexSource, Alphabet) -> Result<Regex, String> + Sync,
    ) -> Self {
        let mut sources = Vec::new();
        let mut numbers: HashMap<SourceKey<'a>, usize> = HashMap::new();
        let mut of_task = HashMap::new();
        let mut keys: Vec<(CheckKey<'a>, Alphabet)> = Vec::new();
        let mut met: HashMap<CheckKey<'a>, ()> = HashMap::new();
        for (number, (task, runs)) in tasks.iter().zip(runs).enumerate() {
            let question = &task.question;
            let Some(asked) = question.as_operations() else { continue };
            let words = runs.iter().flat_map(|&run| {
                records[run]
                    .answers
                    .iter()
                    .zip(&asked.operations)
                    .filter_map(|(a, o)| Some((o, a.witness.as_ref()?.word()?)))
            });
            for (operation, word) in words {
                let ids: &Vec<usize> = of_task.entry(number).or_insert_with(|| {
                    let mut number_of = |source: &'a RegexSource| {
                        let key = (source.pattern.as_str(), source.dialect, source.find, question.alphabet);
                        *numbers.entry(key).or_insert_with(|| {
                            sources.push(Source { source, alphabet: question.alphabet, task: number });
                            sources.len() - 1
                        })
                    };
                    asked.regexes.iter().map(&mut number_of).collect()
                });
                if let (Some(&left), Some(&right)) = (ids.get(operation.left), ids.get(operation.right)) {
                    let key = (operation.kind, left, right, word);
                    if met.insert(key, ()).is_none() {
                        keys.push((key, question.alphabet));
                    }
                }
            }
        }
        let read: Vec<_> = sources.par_iter().map(|s| read(s.source, s.alphabet)).collect();
        let checks = keys.par_iter().map(|&(key, alphabet)| (key, check(key, alphabet, &read))).collect();
        Self { sources, read, of_task, checks }
    }

    /// The check of a word that answers operation number `operation` of task number `task`, which asks for
    /// `asked`.
    pub fn look_up(&self, task: usize, asked: &Operations, operation: usize, word: &SmtString) -> Check {
        let found = (|| {
            let operation = asked.operations.get(operation)?;
            let ids = self.of_task.get(&task)?;
            let key = (operation.kind, *ids.get(operation.left)?, *ids.get(operation.right)?, word);
            self.checks.get(&key).copied()
        })();
        found.unwrap_or(Check::Unreadable)
    }

    /// A sentence for each expression that cannot be read.
    pub fn notes(&self, tasks: &[Task]) -> Vec<String> {
        self.sources
            .iter()
            .zip(&self.read)
            .filter_map(|(source, read)| {
                let why = read.as_ref().err()?;
                Some(format!(
                    "the judge cannot read the expression {} of {} ({}), {why}; witnesses that need it are not checked",
                    source.source.name, tasks[source.task].id, source.source.dialect
                ))
            })
            .collect()
    }
}

fn check(
    (kind, left, right, word): CheckKey<'_>,
    alphabet: Alphabet,
    read: &[Result<Regex, String>],
) -> Check {
    if let Some(foreign) = word.foreign_to(alphabet) {
        return Check::Foreign(foreign);
    }
    let (Ok(left), Ok(right)) = (&read[left], &read[right]) else { return Check::Unreadable };
    match matcher::matches_within(left, word, MOST_STEPS) {
        None => return Check::TooLong,
        Some(false) => return Check::NotInLeft,
        Some(true) => {}
    }
    match (kind, matcher::matches_within(right, word, MOST_STEPS)) {
        (_, None) => Check::TooLong,
        (OperationKind::Product, Some(true)) | (OperationKind::Difference, Some(false)) => Check::Inside,
        (OperationKind::Product, Some(false)) => Check::NotInRight,
        (OperationKind::Difference, Some(true)) => Check::InRight,
    }
}

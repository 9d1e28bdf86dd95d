//! The judge: what is right. A pure function of tasks and records, computed whenever records are read and
//! never stored, so that judgements get better when the corpus does.
//!
//! What counts as proof, in this order:
//!
//! 1. a witness that a strategy gave and that holds: a word that the trusted matcher finds in the language,
//!    or a model under which the trusted evaluator finds every assertion true. It beats any number of
//!    contrary verdicts and the corpus itself, and counts even when the run that gave it was too late;
//! 2. the verdict that the corpus expects, unless its only source is the `:status` line of the script itself.
//!
//! `unsat-within-bound` claims nothing beyond its bound: it contradicts nothing and nothing contradicts it,
//! but a note says how often the problem has a model all the same.
//!
//! A majority proves nothing: where strategies differ and neither of the two is there, a [`Disagreement`] is
//! reported without a settlement and everybody's status stays.
//!
//! - [`judge()`]: the function; [`Verdicts`]: what it gives; [`Severity`]: what that means for an exit status
//! - `kind`: what the judge has to know of a kind of question, and what a new kind takes. `operations`:
//!   operations on expressions, by `membership`, which reads each expression once and checks each distinct
//!   word once; `script`: scripts, each read once and each distinct model checked once, by [`check_model`];
//!   `system`: systems of regular constraints, whose solutions are words or languages; `hampi`: what its
//!   files ask of grammars; `grammars`: grammars whose words are asked for
//! - `evidence`: what is known of one operation or query
//! - `status`: what became of one run
//! - `text`: the wording of details
//!
//! Depends on `harness-check`, on the vocabulary and on the readers of expressions, scripts and systems
//! alone, never on a backend: it checks them.

mod evidence;
mod grammars;
mod hampi;
mod kind;
mod membership;
mod models;
mod operations;
mod script;
mod status;
mod system;
mod text;

use std::collections::{BTreeMap, HashMap};

use harness_model::judgement::{Disagreement, Judgement};
use harness_model::record::Record;
use harness_model::{Alphabet, Regex, RegexSource, Status, Task, Verdict};
use rayon::prelude::*;

use crate::evidence::{Evidence, Truth};
use crate::membership::Membership;

pub use crate::grammars::check_grammars;
pub use crate::kind::Checked;
pub use crate::models::{ModelCheck, check_model, definedness_of, ground, read_model};
pub use crate::system::{check_system, check_systems, words_of};

/// What the judge found.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Verdicts {
    /// One for each record, in the records' order.
    pub judgements: Vec<Judgement>,
    /// Operations on which those that answered, or the corpus, differ; in the tasks' order. Each wrong
    /// verdict is in one of them. What the corpus expects is the voice named [`EXPECTED`].
    pub disagreements: Vec<Disagreement>,
    /// What a reader should know besides: verdicts that nothing confirms, expressions that cannot be read,
    /// mistakes in tasks. One sentence each.
    pub notes: Vec<String>,
    /// A sentence for each strategy whose verdicts no other strategy supports, and nothing else. Of a part of a
    /// run they say little: the others may be in another part.
    pub alone: Vec<String>,
}

/// The name under which the corpus speaks in [`Disagreement::said`].
pub const EXPECTED: &str = "expected";

/// How bad a run's verdicts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing contradicts anything.
    Fine,
    /// A witness does not satisfy its question.
    InvalidModel,
    /// A verdict is wrong, or two voices disagree.
    Wrong,
}

impl Severity {
    /// The exit status of a command that judges: 0, 11 or 10.
    pub const fn exit_status(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::InvalidModel => 11,
            Self::Wrong => 10,
        }
    }
}

impl Verdicts {
    /// The worst of it.
    pub fn severity(&self) -> Severity {
        let has = |status| self.judgements.iter().any(|j| j.status == status);
        if !self.disagreements.is_empty() || has(Status::Wrong) {
            Severity::Wrong
        } else if has(Status::InvalidModel) {
            Severity::InvalidModel
        } else {
            Severity::Fine
        }
    }
}

/// Judges `records`, which may be of several strategies and repeats, in any order, on `tasks`.
///
/// Uses all cores (rayon's global pool). Linear in the records; each expression is read once an alphabet and
/// each distinct witness of an operation is matched once.
pub fn judge(tasks: &[Task], records: &[Record]) -> Verdicts {
    judge_with(tasks, records, |source, alphabet| {
        harness_regex::read(source, alphabet).map_err(|error| error.to_string())
    })
}

/// [`judge()`] with another reader of expressions; `read` gives the language of a pattern over an alphabet,
/// or why it cannot.
pub fn judge_with(
    tasks: &[Task],
    records: &[Record],
    read: impl Fn(&RegexSource, Alphabet) -> Result<Regex, String> + Sync,
) -> Verdicts {
    let mut notes = Vec::new();
    let mut by_id: HashMap<&str, usize> = HashMap::with_capacity(tasks.len());
    for (index, task) in tasks.iter().enumerate() {
        if by_id.insert(&task.id, index).is_some_and(|first| tasks[first] != *task) {
            notes.push(format!("there are two different tasks named {}; the last one stands", task.id));
        }
    }
    let mut runs: Vec<Vec<usize>> = vec![Vec::new(); tasks.len()];
    let mut judgements: Vec<Option<Judgement>> = vec![None; records.len()];
    for (index, record) in records.iter().enumerate() {
        match by_id.get(record.key.task.as_str()) {
            Some(&task) => runs[task].push(index),
            None => judgements[index] = Some(status::without_task(record)),
        }
    }
    let membership = Membership::of(tasks, &runs, records, read);
    let judged: Vec<TaskResult> = (0..tasks.len())
        .into_par_iter()
        .filter(|&task| !runs[task].is_empty())
        .map(|task| judge_task(task, &tasks[task], &runs[task], records, &membership))
        .collect();

    let mut verdicts = Verdicts::default();
    let mut unconfirmed = Unconfirmed::default();
    notes.extend(membership.notes(tasks));
    for result in judged {
        for (index, judgement) in result.judgements {
            judgements[index] = Some(judgement);
        }
        verdicts.disagreements.extend(result.disagreements);
        notes.extend(result.notes);
        unconfirmed.add(&result.unconfirmed);
    }
    notes.extend(unconfirmed.notes());
    verdicts.notes = notes;
    verdicts.alone = unconfirmed.alone().collect();
    verdicts.judgements = judgements
        .into_iter()
        .zip(records)
        .map(|(j, r)| j.unwrap_or_else(|| status::without_task(r)))
        .collect();
    verdicts
}

/// What comes out of one task.
struct TaskResult {
    judgements: Vec<(usize, Judgement)>,
    disagreements: Vec<Disagreement>,
    notes: Vec<String>,
    unconfirmed: Unconfirmed,
}

fn judge_task<'a>(
    number: usize,
    task: &'a Task,
    runs: &[usize],
    records: &'a [Record],
    membership: &'a Membership<'a>,
) -> TaskResult {
    let mut notes = Vec::new();
    let mut judge = kind::judge_of(number, task, membership);
    let runs: Vec<status::Judged<'_>> =
        runs.iter().map(|&index| status::Judged::of(index, task, &records[index], &mut *judge)).collect();
    let expected = evidence::expected(task, &*judge, &mut notes);
    let evidence: Vec<Evidence<'_>> =
        (0..task.question.asked()).map(|i| Evidence::gather(task, i, expected[i], &runs)).collect();
    let mut unconfirmed = Unconfirmed::default();
    for (i, known) in evidence.iter().enumerate() {
        for run in &runs {
            match (known.truth(), run.claim(i).filter(|_| !run.is_void(i))) {
                (None, Some(verdict)) => {
                    let supporters = known
                        .voices()
                        .filter(|(who, said)| *said == verdict && *who != run.strategy())
                        .count();
                    unconfirmed.count(run.strategy(), verdict, supporters > 0);
                }
                (Some(Truth::Witness { .. }), None) if run.is_bounded(i) => {
                    unconfirmed.bounded(run.strategy());
                }
                _ => {}
            }
        }
    }
    TaskResult {
        judgements: runs
            .iter()
            .map(|run| (run.index(), run.judge(task, &*judge, &expected, &evidence)))
            .collect(),
        disagreements: evidence.iter().filter_map(|known| known.disagreement(task)).collect(),
        notes,
        unconfirmed,
    }
}

/// Verdicts that neither a checked witness nor the corpus confirms, counted by strategy.
#[derive(Default)]
struct Unconfirmed {
    /// By strategy and verdict: how many others say as well, and how many stand alone.
    counts: BTreeMap<(String, &'static str), (u64, u64)>,
    /// By strategy: how often it said `unsat-within-bound` of what has a model.
    bounded: BTreeMap<String, u64>,
}

/// `once`, or `3 times`.
fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

impl Unconfirmed {
    fn bounded(&mut self, strategy: &str) {
        *self.bounded.entry(strategy.to_owned()).or_default() += 1;
    }

    fn count(&mut self, strategy: &str, verdict: Verdict, supported: bool) {
        let (with_others, alone) = self.counts.entry((strategy.to_owned(), verdict.name())).or_default();
        *(if supported { with_others } else { alone }) += 1;
    }

    fn add(&mut self, other: &Self) {
        for (key, (with_others, alone)) in &other.counts {
            let sum = self.counts.entry(key.clone()).or_default();
            sum.0 += with_others;
            sum.1 += alone;
        }
        for (strategy, count) in &other.bounded {
            *self.bounded.entry(strategy.clone()).or_default() += count;
        }
    }

    /// One line for each strategy that stands alone somewhere.
    fn alone(&self) -> impl Iterator<Item = String> + '_ {
        let alone = self.counts.iter().filter(|(_, (_, alone))| *alone > 0);
        alone.map(|((strategy, verdict), (_, alone))| {
            format!(
                "{strategy}: '{verdict}' {} with no checked witness, no expected verdict and no other strategy to \
                 support it",
                times(*alone)
            )
        })
    }

    /// One line for what strategies confirm each other in, and one for each bound that is too small.
    fn notes(&self) -> impl Iterator<Item = String> + '_ {
        let mut agreed: BTreeMap<&str, u64> = BTreeMap::new();
        for ((_, verdict), (with_others, _)) in &self.counts {
            *agreed.entry(verdict).or_default() += with_others;
        }
        let agreed = agreed.into_iter().filter(|(_, count)| *count > 0).map(|(verdict, count)| {
            format!(
                "{} '{verdict}' was said with no checked witness and no expected verdict, and at least one other strategy said \
                 the same",
                times(count)
            )
        });
        agreed.chain(self.bounded.iter().map(|(strategy, count)| {
            format!(
                "{strategy}: {} a model, which is beyond its bound",
                if *count == 1 {
                    "1 verdict 'unsat-within-bound' is of a problem that has".to_owned()
                } else {
                    format!("{count} verdicts 'unsat-within-bound' are of problems that have")
                }
            )
        }))
    }
}

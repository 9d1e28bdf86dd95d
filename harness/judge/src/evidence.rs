//! What is known of one operation or query of a task: who says what, and what settles it.

use harness_model::judgement::Disagreement;
use harness_model::{Task, Verdict, Witness};

use crate::EXPECTED;
use crate::kind::KindJudge;
use crate::status::Judged;
use crate::text;

/// What is certain about an operation, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth<'a> {
    /// Not empty, or satisfiable: a checked witness shows it.
    Witness {
        /// The word or the model.
        witness: &'a Witness,
        /// Who gave it first.
        strategy: &'a str,
    },
    /// What the corpus says.
    Expected(Verdict),
}

impl Truth<'_> {
    /// The right verdict.
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::Witness { witness, .. } => witness.proves(),
            Self::Expected(verdict) => verdict,
        }
    }
}

/// Everything known of one operation.
pub struct Evidence<'a> {
    operation: usize,
    truth: Option<Truth<'a>>,
    expected: Option<Verdict>,
    /// Who says what, each pair once: verdicts in time and, marked so, late proofs.
    voices: Vec<(&'a str, Verdict, bool)>,
}

impl<'a> Evidence<'a> {
    /// Gathers what `runs` say of operation number `operation`.
    pub fn gather(task: &Task, operation: usize, expected: Option<Verdict>, runs: &[Judged<'a>]) -> Self {
        debug_assert!(operation < task.question.asked());
        // What the script or its folder says is a voice and no proof.
        let settles = task.expected.as_ref().is_some_and(|expected| !expected.is_claim());
        let truth = runs
            .iter()
            .find_map(|run| Some(Truth::Witness { witness: run.proof(operation)?, strategy: run.strategy() }))
            .or(expected.filter(|_| settles).map(Truth::Expected));
        let mut voices = Vec::new();
        for run in runs {
            // A verdict whose own witness fails is void; it is a voice only where it is certainly wrong.
            let void = run.is_void(operation) && truth.is_none_or(|t| !t.verdict().is_negative());
            let voice = match run.claim(operation) {
                Some(verdict) if !void => (run.strategy(), verdict, false),
                None => match run.proof(operation) {
                    Some(witness) => (run.strategy(), witness.proves(), true),
                    None => continue,
                },
                Some(_) => continue,
            };
            if !voices.contains(&voice) {
                voices.push(voice);
            }
        }
        Self { operation, truth, expected, voices }
    }

    /// What is certain, if anything is.
    pub fn truth(&self) -> Option<Truth<'a>> {
        self.truth
    }

    /// Whether a checked witness refutes the corpus.
    pub fn refutes_the_corpus(&self) -> bool {
        self.expected.is_some_and(Verdict::is_negative) && matches!(self.truth, Some(Truth::Witness { .. }))
    }

    /// The strategies that answered in time, with what they said.
    pub fn voices(&self) -> impl Iterator<Item = (&'a str, Verdict)> + '_ {
        self.voices.iter().map(|&(strategy, verdict, _)| (strategy, verdict))
    }

    /// The disagreement, where two voices differ, the corpus being one.
    pub fn disagreement(&self, task: &Task) -> Option<Disagreement> {
        let mut said: Vec<(String, Verdict)> = self
            .voices
            .iter()
            .map(|&(strategy, verdict, late)| {
                (if late { format!("{strategy} (too late)") } else { strategy.to_owned() }, verdict)
            })
            .collect();
        said.extend(self.expected.map(|verdict| (EXPECTED.to_owned(), verdict)));
        let (_, first) = said.first()?;
        if said.iter().all(|(_, verdict)| verdict == first) {
            return None;
        }
        let source = task.expected.as_ref().map_or("", |e| e.source.as_str());
        let settled = self.truth.map(|truth| match truth {
            Truth::Witness { witness, strategy } if self.refutes_the_corpus() => format!(
                "{}, checked; '{}' is wrong, which {} expects ({source})",
                text::proof(witness, strategy),
                self.expected.map_or("", Verdict::name),
                task.id
            ),
            Truth::Witness { witness, strategy } => format!("{}, checked", text::proof(witness, strategy)),
            Truth::Expected(verdict) => format!("'{verdict}' is expected ({source})"),
        });
        Some(Disagreement { task: task.id.clone(), operation: self.operation, said, settled })
    }
}

/// What the corpus expects of each part of the question, where it says something that can be compared; what
/// is wrong with it goes to `notes`.
pub fn expected(task: &Task, judge: &dyn KindJudge<'_>, notes: &mut Vec<String>) -> Vec<Option<Verdict>> {
    let count = task.question.asked();
    let Some(expected) = &task.expected else { return vec![None; count] };
    if expected.verdicts.len() != count {
        notes.push(format!(
            "{} expects {} verdicts of {count} {} ({}): they are not used",
            task.id,
            expected.verdicts.len(),
            judge.nouns().parts,
            expected.source
        ));
        return vec![None; count];
    }
    let possible = task.question.kind.verdicts();
    let known: Vec<Option<Verdict>> = expected
        .verdicts
        .iter()
        .map(|&verdict| {
            let fits = verdict.is_definite() && possible.contains(&verdict);
            if !fits && !judge.leaves_open(verdict) {
                notes.push(format!(
                    "{} expects '{verdict}' ({}), which is no verdict of {}: it is not used",
                    task.id,
                    expected.source,
                    judge.nouns().subject
                ));
            }
            fits.then_some(verdict)
        })
        .collect();
    let contradictions = judge.contradictions(&known).into_iter();
    notes.extend(contradictions.map(|clause| format!("{}: {clause} ({})", task.id, expected.source)));
    known
}

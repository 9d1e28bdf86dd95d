//! The judge of scripts: a witness is a model, under which the trusted evaluator finds every assertion true
//! or not.

use std::collections::HashMap;

use harness_model::{Alphabet, Answer, ScriptSource, Verdict, Witness};
use harness_smtlib::{ErrorKind, ReadError};
use harness_theory::{Query, Script};

use crate::kind::{Checked, KindJudge, Nouns};
use crate::models::{ModelCheck, check_model};

/// A script and the checks of its models.
pub struct ScriptJudge<'a> {
    text: &'a str,
    alphabet: Alphabet,
    script: Result<Script, ReadError>,
    /// By query and model.
    checks: HashMap<(usize, &'a str), Checked>,
}

impl<'a> ScriptJudge<'a> {
    /// Reads the script.
    pub fn new(source: &'a ScriptSource, alphabet: Alphabet) -> Self {
        let text = source.text.as_str();
        Self {
            text,
            alphabet,
            script: harness_smtlib::read_in(text.as_bytes(), alphabet),
            checks: HashMap::new(),
        }
    }

    /// Its queries, where it can be read.
    fn queries(&self) -> &[Query] {
        self.script.as_ref().map(|script| script.queries.as_slice()).unwrap_or_default()
    }

    fn evaluate(&self, number: usize, model: &str) -> Checked {
        let script = match &self.script {
            Ok(script) => script,
            Err(error) => {
                return Checked::Unchecked(format!(
                    "the model is not checked, for the judge cannot read the script: {error}"
                ));
            }
        };
        let Some(query) = script.queries.get(number) else {
            return Checked::Unchecked(format!("the script has no check-sat number {}", number + 1));
        };
        match check_model(self.text, query, model, self.alphabet) {
            ModelCheck::Holds(_) => Checked::Proof,
            ModelCheck::Fails(why) | ModelCheck::Open(why) => Checked::Refuted(why),
            ModelCheck::Unvalidated(why) => Checked::Unchecked(format!("the model is not validated: {why}")),
        }
    }
}

impl<'a> KindJudge<'a> for ScriptJudge<'a> {
    fn check(&mut self, number: usize, answer: &'a Answer) -> Option<Checked> {
        let model = answer.witness.as_ref().and_then(Witness::model)?;
        if let Some(known) = self.checks.get(&(number, model)) {
            return Some(known.clone());
        }
        let checked = self.evaluate(number, model);
        self.checks.insert((number, model), checked.clone());
        Some(checked)
    }

    fn illegal(&self) -> Option<String> {
        let error = self.script.as_ref().err().filter(|error| error.kind == ErrorKind::Illegal)?;
        Some(format!("the script is not legal, so that no verdict counts: {error}"))
    }

    /// `unknown` says that nothing is known of this query.
    fn leaves_open(&self, verdict: Verdict) -> bool {
        verdict == Verdict::Unknown
    }

    /// The script's own `:status` lines.
    fn contradictions(&self, expected: &[Option<Verdict>]) -> Vec<String> {
        let stated = self.queries().iter().zip(expected).filter_map(|(query, &expected)| {
            let (stated, expected) = (query.status?, expected?);
            (stated != expected).then(|| {
                format!(
                    "the :status line before line {} says '{stated}', but '{expected}' is expected",
                    query.position.line
                )
            })
        });
        stated.collect()
    }

    fn describe(&self, number: usize) -> String {
        match self.queries().get(number) {
            Some(query) => format!("the check-sat of line {}", query.position.line),
            None => format!("check-sat number {}", number + 1),
        }
    }

    fn nouns(&self) -> Nouns {
        Nouns { parts: "check-sats", subject: "a problem" }
    }
}

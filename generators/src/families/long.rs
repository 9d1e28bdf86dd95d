//! Two expressions whose deterministic automata have some 2^n states, and whose product still has a short way
//! to a word.
//!
//! From the dissertation of the study of representations (Hooimeijer, *Decision Procedures for String
//! Constraints*, section 4.2.3, experiment 3, which has them from Rex): an eager algorithm pays for the whole
//! product, a lazy one that goes depth first finds a word after about n steps.

use harness_model::{Alphabet, Expected, Operation, OperationKind, Question, Task, Verdict};

use super::{sizes, source};
use crate::error::GeneratorError;
use crate::params::Params;
use crate::{Family, GeneratorInfo, ParamInfo};

/// `[a-c]*a[a-c]{n+1}` and `[a-c]*b[a-c]{n}`.
pub struct Long;

/// Counts above 2^31 - 1 are illegal in every dialect.
const LARGEST: u32 = 2_147_483_646;

impl Family for Long {
    fn info(&self) -> GeneratorInfo {
        GeneratorInfo {
            name: "long",
            summary: "product of [a-c]*a[a-c]{n+1} and [a-c]*b[a-c]{n}: a shortest word has n + 2 characters",
            scripts: false,
            params: &[ParamInfo {
                name: "n",
                summary: "a number or a list of them; 10, 100 and 1000 by default",
            }],
        }
    }

    fn tasks(
        &self,
        params: &Params<'_>,
        _: u64,
        alphabets: &[Alphabet],
    ) -> Result<Vec<Task>, GeneratorError> {
        let counts = params.ints("n", &[10, 100, 1000], 1, LARGEST)?;
        let task = |alphabet: Alphabet, n: u32| Task {
            parameters: sizes([("n", n)]),
            id: format!("long/{alphabet}/n{n}"),
            family: "long".into(),
            question: Question::of_operations(
                alphabet,
                vec![
                    source("a", format!("[a-c]*a[a-c]{{{}}}", n + 1)),
                    source("b", format!("[a-c]*b[a-c]{{{n}}}")),
                ],
                vec![Operation { kind: OperationKind::Product, left: 0, right: 1 }],
            ),
            expected: Some(Expected {
                verdicts: vec![Verdict::Nonempty],
                source: format!(
                    "by construction: 'ab' and any {n} letters of a to c are a word of both; the left one has no word \
                     shorter than {}",
                    n + 2
                ),
            }),
        };
        Ok(alphabets.iter().flat_map(|&alphabet| counts.iter().map(move |&n| task(alphabet, n))).collect())
    }
}

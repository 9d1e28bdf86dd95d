//! A count in a count against the one count that it amounts to.
//!
//! `(x{1,m}){1,n}` is `x{1,mn}`: k rounds give every length from k to km, and as k+1 is at most km+1, these
//! stretches leave no gap from 1 to mn. Automata that unroll counters are of size mn on both sides, but with
//! far more moves on the left.

use harness_model::{Alphabet, Expected, Operation, OperationKind, Question, Task, Verdict};

use super::{sizes, source};
use crate::error::GeneratorError;
use crate::params::Params;
use crate::{Family, GeneratorInfo, ParamInfo};

/// `([ab]{1,m}){1,n}` and `[ab]{1,mn}`.
pub struct NestedCounters;

/// Of either count; their product is a legal count too.
const LARGEST: u32 = 40_000;

impl Family for NestedCounters {
    fn info(&self) -> GeneratorInfo {
        GeneratorInfo {
            name: "nested-counters",
            summary: "differences between ([ab]{1,m}){1,n} and [ab]{1,mn} (empty both ways), and [ab]{1,mn-1} (not)",
            scripts: false,
            params: &[
                ParamInfo { name: "m", summary: "the inner count, a number or a list; 2 and 5 by default" },
                ParamInfo { name: "n", summary: "the outer count, a number or a list; 5 and 25 by default" },
            ],
        }
    }

    fn tasks(
        &self,
        params: &Params<'_>,
        _: u64,
        alphabets: &[Alphabet],
    ) -> Result<Vec<Task>, GeneratorError> {
        let inner = params.ints("m", &[2, 5], 1, LARGEST)?;
        let outer = params.ints("n", &[5, 25], 1, LARGEST)?;
        let mut tasks = Vec::new();
        for &alphabet in alphabets {
            for &m in &inner {
                for &n in &outer {
                    tasks.extend(three(alphabet, m, n));
                }
            }
        }
        Ok(tasks)
    }
}

/// Nested minus flat, flat minus nested, and nested minus what is one round too short.
fn three(alphabet: Alphabet, m: u32, n: u32) -> Vec<Task> {
    let all = m * n;
    let nested = || source("nested", format!("([ab]{{1,{m}}}){{1,{n}}}"));
    let flat = || source("flat", format!("[ab]{{1,{all}}}"));
    let task = |name: &str, left, right, verdict, why: String| Task {
        parameters: sizes([("m", m), ("n", n)]),
        id: format!("nested-counters/{alphabet}/m{m}-n{n}/{name}"),
        family: format!("nested-counters/{name}"),
        question: Question::of_operations(
            alphabet,
            vec![left, right],
            vec![Operation { kind: OperationKind::Difference, left: 0, right: 1 }],
        ),
        expected: Some(Expected { verdicts: vec![verdict], source: why }),
    };
    let same = || format!("by construction: both are the words over a and b of 1 to {all} letters");
    let mut tasks = vec![
        task("nested-flat", nested(), flat(), Verdict::Empty, same()),
        task("flat-nested", flat(), nested(), Verdict::Empty, same()),
    ];
    if all > 1 {
        let short = source("short", format!("[ab]{{1,{}}}", all - 1));
        let why = format!("by construction: exactly the words over a and b of {all} letters are left");
        tasks.push(task("nested-short", nested(), short, Verdict::Nonempty, why));
    }
    tasks
}

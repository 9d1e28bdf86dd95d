//! Two readings of the standard against each other: the trusted evaluator and Z3's simplifier, on random
//! terms without variables. Each function of the theories is at the root of its own share of the terms.
//!
//! Where Z3's simplifier gives no literal, its solver is asked whether the term may differ from the
//! evaluator's value; `unknown` then says nothing and is counted. Known: Z3 5.4 evaluates neither
//! `str.replace_re` nor `str.replace_re_all`, and its solver gives up on them too.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use std::collections::BTreeMap;

use backends_api::Budget;
use harness_check::eval::Evaluator;
use harness_model::{Alphabet, Char, SmtString};
use harness_theory::op::{Op, ReOp, Shape, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::{TermId, Terms};
use harness_theory::{Assignment, Value};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use z3::SatResult;
use z3::ast::{Ast, Dynamic};

use crate::encode::{self, encode};
use crate::raw::{self, Function};
use crate::session;

/// Builds a term from a list of numbers: each choice takes the next one, and zeros give the simplest term, so
/// that shorter lists and smaller numbers are simpler terms.
pub(crate) struct Builder<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) choices: std::slice::Iter<'a, u16>,
    pub(crate) alphabet: Alphabet,
    /// Variables that may stand for leaves.
    pub(crate) leaves: Vec<TermId>,
    /// Whether Java's operations are among the functions.
    pub(crate) java: bool,
}

impl Builder<'_> {
    fn choose(&mut self, among: usize) -> usize {
        usize::from(self.choices.next().copied().unwrap_or(0)) % among.max(1)
    }

    fn character(&mut self) -> Char {
        // Digits, letters, a sign, a blank, and the ends of every alphabet.
        const CODES: [u32; 14] =
            [0x61, 0x62, 0x30, 0x31, 0x41, 0x39, 0x20, 0x2D, 0, 0x7F, 0xFF, 0x4E2D, 0xFFFF, 0x2_FFFF];
        let all: Vec<u32> = CODES.into_iter().filter(|&c| c <= self.alphabet.max().0).collect();
        Char(all[self.choose(all.len())])
    }

    fn leaf(&mut self, sort: Sort) -> TermId {
        let known: Vec<TermId> =
            self.leaves.iter().copied().filter(|&l| self.terms.sort(l) == sort).collect();
        if !known.is_empty() && self.choose(3) > 0 {
            return known[self.choose(known.len())];
        }
        match sort {
            Sort::Bool => {
                let value = self.choose(2) == 1;
                self.terms.bool(value)
            }
            Sort::Int => {
                const NUMBERS: [i64; 16] =
                    [0, 1, 2, 3, -1, -2, 5, 7, 10, 48, 97, 127, 128, 196_607, 196_608, 1 << 40];
                let value = NUMBERS[self.choose(NUMBERS.len())];
                self.terms.int(value)
            }
            Sort::String => {
                let length = self.choose(5);
                let word: SmtString = (0..length).map(|_| self.character()).collect();
                self.terms.string(word)
            }
            Sort::RegLan => {
                let op = [Op::Re(ReOp::None), Op::Re(ReOp::All), Op::Re(ReOp::AllChar)][self.choose(3)];
                self.terms.app(op, &[]).unwrap()
            }
        }
    }

    pub(crate) fn term(&mut self, sort: Sort, depth: u32) -> TermId {
        if depth == 0 || self.choose(4) == 0 {
            return self.leaf(sort);
        }
        let makes = |op: &Op| op.result().is_none_or(|made| made == sort);
        let ops: Vec<Op> = Op::all().filter(makes).filter(|op| self.java || !op.is_java()).collect();
        let op = ops[self.choose(ops.len())];
        self.application(op, sort, depth)
    }

    /// `op` applied to random arguments; `sort` is that of the result, for the functions that have any.
    pub(crate) fn application(&mut self, op: Op, sort: Sort, depth: u32) -> TermId {
        let below = depth.saturating_sub(1);
        let op = op.with_indices(|| u32::try_from(self.choose(4)).unwrap());
        let sorts: Vec<Sort> = match op.shape() {
            Shape::Fixed(sorts) | Shape::AtLeast(_, sorts) => sorts.to_vec(),
            Shape::Many(sort) | Shape::Chain(sort) => vec![sort; 2 + self.choose(2)],
            Shape::Equality => {
                let sort = [Sort::String, Sort::Int, Sort::Bool][self.choose(3)];
                vec![sort; 2 + self.choose(2)]
            }
            Shape::Choice => vec![Sort::Bool, sort, sort],
        };
        let arguments: Vec<TermId> = sorts.into_iter().map(|sort| self.term(sort, below)).collect();
        self.terms.app(op, &arguments).unwrap()
    }
}

/// Compares the two on one term; what became of it.
fn compare(op: Op, choices: &[u16]) -> Result<&'static str, TestCaseError> {
    let alphabet = Alphabet::ALL[usize::from(choices.first().copied().unwrap_or(0)) % 4];
    let mut terms = Terms::new();
    let mut builder =
        Builder { terms: &mut terms, choices: choices.iter(), alphabet, leaves: Vec::new(), java: false };
    builder.choose(1);
    let sort = op.result().unwrap_or(Sort::String);
    let mut term = builder.application(op, sort, 3);
    if sort == Sort::RegLan {
        let word = builder.term(Sort::String, 1);
        term = builder.terms.app(Op::Str(StrOp::InRe), &[word, term]).unwrap();
    }
    let mut evaluator = Evaluator::new(&terms, &[term], alphabet);
    evaluator.run(&Assignment::new()).unwrap();
    let Ok(Some(value)) = evaluator.value(0) else { return Ok("open in the standard") };
    let encoding = encode(&terms, &[term], 0, alphabet, &Budget::unlimited()).unwrap();
    let theirs = encoding.term(term).unwrap();
    match session::literal(&theirs.simplify(), terms.sort(term)) {
        Some(found) => {
            prop_assert_eq!(&found, &value, "{}", theirs);
            Ok("same literal")
        }
        None => {
            let ours = match &value {
                Value::Bool(value) => Dynamic::from_ast(&z3::ast::Bool::from_bool(*value)),
                Value::Int(value) => Dynamic::from_ast(&value.to_string().parse::<z3::ast::Int>().unwrap()),
                Value::String(value) => encode::literal(value.chars()).unwrap(),
            };
            let equal = raw::apply(Function::EQ, &[&theirs, &ours]).unwrap().as_bool().unwrap();
            let solver = session::solver(None);
            let mut params = z3::Params::new();
            params.set_u32("rlimit", 30_000);
            solver.set_params(&params);
            solver.assert(equal.not());
            match solver.check() {
                SatResult::Unsat => Ok("same by solving"),
                SatResult::Unknown => Ok("not told"),
                SatResult::Sat => {
                    prop_assert!(false, "{} may differ from {:?}", theirs, value);
                    Ok("differs")
                }
            }
        }
    }
}

#[test]
fn the_evaluator_and_the_simplifier_agree() {
    let mut told: BTreeMap<&str, BTreeMap<&str, u32>> = BTreeMap::new();
    for op in Op::all().filter(|op| !op.is_java()) {
        let mut runner =
            TestRunner::new(Config { cases: 150, failure_persistence: None, ..Config::default() });
        let outcomes = std::cell::RefCell::new(BTreeMap::new());
        let choices = prop::collection::vec(any::<u16>(), 0..60);
        let result = runner.run(&choices, |choices| {
            let outcome = compare(op, &choices)?;
            *outcomes.borrow_mut().entry(outcome).or_insert(0) += 1;
            Ok(())
        });
        if let Err(error) = result {
            panic!("{}: {error}", op.name());
        }
        told.insert(op.name(), outcomes.into_inner());
    }
    for (op, outcomes) in &told {
        println!("{op}: {outcomes:?}");
        let all: u32 = outcomes.iter().filter(|(o, _)| **o != "open in the standard").map(|(_, n)| n).sum();
        let compared =
            outcomes.get("same literal").unwrap_or(&0) + outcomes.get("same by solving").unwrap_or(&0);
        // Half of the terms must have been compared, but for the functions that Z3 does not evaluate: when
        // that changes, so should the words above.
        assert_eq!(compared * 2 > all, !op.starts_with("str.replace_re"), "{op}: {outcomes:?}");
    }
}

//! Java's operations and what they are lowered to mean the same: the evaluator, which has the operations
//! themselves, against Z3, which is given the lowered problem only.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use std::sync::Arc;

use backends_api::{Budget, Probe};
use backends_z3::native::{SolverResult, solve};
use harness_check::eval::{EvalError, Evaluator};
use harness_check::model::ModelVerdict;
use harness_model::{Alphabet, Char, SmtString};
use harness_theory::lower::{has_other_than, lower};
use harness_theory::op::{CoreOp, JavaOp, Op, ReOp, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::{TermId, Terms, VarId};
use harness_theory::{Assignment, Value};
use harness_theory::{Problem, Shape};
use proptest::prelude::*;

/// Small and capital letters, their neighbours, blanks and the first character that is none.
const LETTERS: [u32; 8] = [0x61, 0x62, 0x41, 0x20, 0x09, 0x21, 0x5A, 0x7A];

fn words(most: usize) -> impl Strategy<Value = SmtString> {
    let letter = prop::sample::select(LETTERS.to_vec()).prop_map(Char);
    prop::collection::vec(letter, 0..=most).prop_map(SmtString::from)
}

fn problem(terms: Terms, variables: Vec<VarId>, assertions: Vec<TermId>) -> Problem {
    Problem { terms: Arc::new(terms), variables, assertions }
}

/// `op` applied to these strings and this integer, each as often as it takes one, and to `true`; `None` where
/// they are not the literals that it wants.
fn application(terms: &mut Terms, op: JavaOp, s: TermId, t: TermId, from: TermId) -> Option<TermId> {
    let sorts: Vec<Sort> = match op.shape() {
        Shape::Fixed(sorts) | Shape::AtLeast(_, sorts) => sorts.to_vec(),
        Shape::Many(sort) | Shape::Chain(sort) => vec![sort; 2],
        Shape::Equality | Shape::Choice => panic!("no operation of Java has this shape"),
    };
    let mut strings = [s, t, t].into_iter();
    let yes = terms.bool(true);
    let argument = |sort: Sort| match sort {
        Sort::String => strings.next().unwrap(),
        Sort::Int => from,
        Sort::Bool => yes,
        Sort::RegLan => panic!("no operation of Java takes a language"),
    };
    let arguments: Vec<TermId> = sorts.into_iter().map(argument).collect();
    terms.app(op, &arguments).ok()
}

/// Z3 on the lowered problem: whether it has a model. `None` when it gives up.
fn solvable(problem: &Problem) -> Result<Option<bool>, TestCaseError> {
    let lowered = lower(problem, Alphabet::Ascii, |_| false);
    prop_assert!(!has_other_than(&lowered, |_| false));
    // Far more than it takes on a busy machine.
    let budget = Budget::with_time(std::time::Duration::from_secs(120));
    match solve(&lowered, Alphabet::Ascii, &budget, &Probe::new()) {
        Ok(SolverResult::Unsat) => Ok(Some(false)),
        Ok(SolverResult::Model(assignment)) => {
            // The values of the old variables are a model of the problem as it was written.
            prop_assert_eq!(
                harness_check::model::check(&lowered, &assignment, Alphabet::Ascii),
                ModelVerdict::Holds
            );
            prop_assert_eq!(
                harness_check::model::check(problem, &assignment, Alphabet::Ascii),
                ModelVerdict::Holds
            );
            Ok(Some(true))
        }
        Ok(SolverResult::Unknown(_)) | Err(_) => Ok(None),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// The lowered result can be what the operation gives, and nothing else.
    #[test]
    fn fixed_arguments_give_one_value(
        op in prop::sample::select(JavaOp::ALL.to_vec()),
        s in words(5),
        t in words(3),
        from in -2_i64..7,
    ) {
        let mut terms = Terms::new();
        let (s, t, from) = (terms.string(s), terms.string(t), terms.int(from));
        let Some(made) = application(&mut terms, op, s, t, from) else { return Ok(()) };
        let value = {
            let mut evaluator = Evaluator::new(&terms, &[made], Alphabet::Ascii);
            evaluator.run(&Assignment::new()).unwrap();
            evaluator.value(0)
        };
        let Ok(Some(value)) = value else {
            prop_assert_eq!(value, Err(EvalError::Undefined));
            let itself = terms.app(CoreOp::Eq, &[made, made]).unwrap();
            prop_assert_ne!(solvable(&problem(terms, Vec::new(), vec![itself]))?, Some(true));
            return Ok(());
        };
        let value = match value {
            Value::Int(value) => terms.int(value),
            Value::String(value) => terms.string(value),
            Value::Bool(value) => terms.bool(value),
        };
        let equal = terms.app(Op::Core(CoreOp::Eq), &[made, value]).unwrap();
        let other = terms.app(Op::Core(CoreOp::Not), &[equal]).unwrap();
        prop_assert_eq!(solvable(&problem(terms.clone(), Vec::new(), vec![equal]))?, Some(true));
        prop_assert_ne!(solvable(&problem(terms, Vec::new(), vec![other]))?, Some(true));
    }
}

/// Every word of up to two letters.
fn short_words() -> Vec<SmtString> {
    let one = LETTERS.map(|c| vec![Char(c)]);
    let two = LETTERS.iter().flat_map(|&a| LETTERS.map(|b| vec![Char(a), Char(b)]));
    std::iter::once(Vec::new()).chain(one).chain(two).map(SmtString::from).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// With variables: satisfiable exactly when some words of up to two letters do it.
    #[test]
    fn variables_are_found_when_there_are_some(
        op in prop::sample::select(JavaOp::ALL.to_vec()),
        value in (words(2), -3_i64..4),
        from in -1_i64..3,
        fixed in words(2),
        positive in any::<bool>(),
    ) {
        let mut terms = Terms::new();
        let variable = terms.variable("x", Sort::String);
        let x = terms.var(variable);
        // x is one or more letters of the list, at most two.
        let letters: Vec<TermId> = LETTERS.map(|c| {
            let letter = terms.string(vec![Char(c)]);
            terms.app(Op::Re(ReOp::ToRe), &[letter]).unwrap()
        }).to_vec();
        let letter = terms.app(Op::Re(ReOp::Union), &letters).unwrap();
        let most = terms.app(Op::Re(ReOp::Loop(0, 2)), &[letter]).unwrap();
        let short = terms.app(Op::Str(StrOp::InRe), &[x, most]).unwrap();
        let (fixed, from) = (terms.string(fixed), terms.int(from));
        let Some(made) = application(&mut terms, op, x, fixed, from) else { return Ok(()) };
        let value = match terms.sort(made) {
            Sort::Int => terms.int(value.1),
            Sort::Bool => terms.bool(value.1 > 0),
            Sort::String | Sort::RegLan => terms.string(value.0),
        };
        let mut claim = terms.app(Op::Core(CoreOp::Eq), &[made, value]).unwrap();
        if !positive {
            claim = terms.app(Op::Core(CoreOp::Not), &[claim]).unwrap();
        }
        let problem = problem(terms, vec![variable], vec![short, claim]);
        let mut evaluator = Evaluator::new(&problem.terms, &problem.assertions, Alphabet::Ascii);
        let exists = short_words().into_iter().any(|word| {
            evaluator.all_true(&Assignment::from([(variable, Value::String(word))])).unwrap()
        });
        if let Some(found) = solvable(&problem)? {
            prop_assert_eq!(found, exists);
        }
    }
}

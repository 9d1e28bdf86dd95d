//! Values that would fit nowhere: the trusted evaluator says so, in little memory and time.

use harness_check::eval::{EvalError, Evaluator, Limit, MAX_NESTING};
use harness_model::Alphabet;
use harness_theory::Assignment;
use harness_theory::op::{ArithOp, CoreOp, Op, ReOp, StrOp};
use harness_theory::term::{TermId, Terms};

/// A term of a few kilobytes whose value would not fit anywhere is no value, and harms nothing.
#[test]
fn what_is_beyond_all_bounds_is_not_evaluated() {
    let evaluate = |make: &dyn Fn(&mut Terms) -> TermId| {
        let mut terms = Terms::new();
        let root = make(&mut terms);
        let mut evaluator = Evaluator::new(&terms, &[root], Alphabet::Unicode);
        evaluator.run(&Assignment::new()).and_then(|()| evaluator.value(0).map(|_| ()))
    };
    let twice = |op: Op| {
        move |terms: &mut Terms| {
            let first = if op == Op::Arith(ArithOp::Mul) { terms.int(3_i64) } else { terms.string("a") };
            (0..60).fold(first, |term, _| terms.app(op, &[term, term]).unwrap())
        }
    };
    assert_eq!(evaluate(&twice(Op::Str(StrOp::Concat))), Err(EvalError::Limit(Limit::Characters)));
    assert_eq!(evaluate(&twice(Op::Arith(ArithOp::Mul))), Err(EvalError::Limit(Limit::Bits)));
    let replaced = |terms: &mut Terms| {
        let a = terms.string("a");
        let mut word = terms.string("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
        for _ in 0..12 {
            word = terms.app(Op::Str(StrOp::ReplaceAll), &[word, a, word]).unwrap();
        }
        word
    };
    assert_eq!(evaluate(&replaced), Err(EvalError::Limit(Limit::Characters)));
    // Where it does not matter, it does not matter.
    let aside = |terms: &mut Terms| {
        let word = twice(Op::Str(StrOp::Concat))(terms);
        let a = terms.string("a");
        let (equal, truth) = (terms.app(Op::Core(CoreOp::Eq), &[word, a]).unwrap(), terms.bool(true));
        terms.app(Op::Core(CoreOp::Or), &[equal, truth]).unwrap()
    };
    assert_eq!(evaluate(&aside), Ok(()));
}

/// On the stack of a thread, which is smaller than the main one's.
#[test]
fn regular_expressions_are_evaluated_as_deep_as_they_may_be() {
    let holds = |op: Op, levels: u32| {
        let mut terms = Terms::new();
        let a = terms.string("a");
        let mut re = terms.app(Op::Re(ReOp::ToRe), &[a]).unwrap();
        for _ in 0..levels {
            re = match op {
                Op::Re(ReOp::Union | ReOp::Diff) => {
                    let other = terms.app(Op::Re(ReOp::None), &[]).unwrap();
                    terms.app(op, &[re, other]).unwrap()
                }
                _ => terms.app(op, &[re]).unwrap(),
            };
        }
        let inside = terms.app(Op::Str(StrOp::InRe), &[a, re]).unwrap();
        let mut evaluator = Evaluator::new(&terms, &[inside], Alphabet::Unicode);
        evaluator.run(&Assignment::new()).and_then(|()| evaluator.bool(0))
    };
    for op in [
        Op::Re(ReOp::Star),
        Op::Re(ReOp::Comp),
        Op::Re(ReOp::Opt),
        Op::Re(ReOp::Union),
        Op::Re(ReOp::Power(1)),
    ] {
        assert_eq!(holds(op, MAX_NESTING - 2), Ok(true), "{op:?}");
        assert_eq!(holds(op, 100_000), Err(EvalError::Limit(Limit::Nesting)), "{op:?}");
    }
    assert_eq!(holds(Op::Re(ReOp::Diff), MAX_NESTING / 2 - 2), Ok(true));
}

//! Values that would fit nowhere: the trusted evaluator says so, in little memory and time.

use harness_model::Alphabet;
use harness_model::eval::{Assignment, EvalError, Evaluator, Limit, MAX_NESTING};
use harness_model::op::Op;
use harness_model::term::{TermId, Terms};

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
            let first = if op == Op::Mul { terms.int(3_i64) } else { terms.string("a") };
            (0..60).fold(first, |term, _| terms.app(op, &[term, term]).unwrap())
        }
    };
    assert_eq!(evaluate(&twice(Op::StrConcat)), Err(EvalError::Limit(Limit::Characters)));
    assert_eq!(evaluate(&twice(Op::Mul)), Err(EvalError::Limit(Limit::Bits)));
    let replaced = |terms: &mut Terms| {
        let a = terms.string("a");
        let mut word = terms.string("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
        for _ in 0..12 {
            word = terms.app(Op::StrReplaceAll, &[word, a, word]).unwrap();
        }
        word
    };
    assert_eq!(evaluate(&replaced), Err(EvalError::Limit(Limit::Characters)));
    // Where it does not matter, it does not matter.
    let aside = |terms: &mut Terms| {
        let word = twice(Op::StrConcat)(terms);
        let a = terms.string("a");
        let (equal, truth) = (terms.app(Op::Eq, &[word, a]).unwrap(), terms.bool(true));
        terms.app(Op::Or, &[equal, truth]).unwrap()
    };
    assert_eq!(evaluate(&aside), Ok(()));
}

/// On the stack of a thread, which is smaller than the main one's.
#[test]
fn regular_expressions_are_evaluated_as_deep_as_they_may_be() {
    let holds = |op: Op, levels: u32| {
        let mut terms = Terms::new();
        let a = terms.string("a");
        let mut re = terms.app(Op::StrToRe, &[a]).unwrap();
        for _ in 0..levels {
            re = match op {
                Op::ReUnion | Op::ReDiff => {
                    let other = terms.app(Op::ReNone, &[]).unwrap();
                    terms.app(op, &[re, other]).unwrap()
                }
                _ => terms.app(op, &[re]).unwrap(),
            };
        }
        let inside = terms.app(Op::StrInRe, &[a, re]).unwrap();
        let mut evaluator = Evaluator::new(&terms, &[inside], Alphabet::Unicode);
        evaluator.run(&Assignment::new()).and_then(|()| evaluator.bool(0))
    };
    for op in [Op::ReStar, Op::ReComp, Op::ReOpt, Op::ReUnion, Op::RePower(1)] {
        assert_eq!(holds(op, MAX_NESTING - 2), Ok(true), "{op:?}");
        assert_eq!(holds(op, 100_000), Err(EvalError::Limit(Limit::Nesting)), "{op:?}");
    }
    assert_eq!(holds(Op::ReDiff, MAX_NESTING / 2 - 2), Ok(true));
}

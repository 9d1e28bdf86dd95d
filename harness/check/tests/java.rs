//! Every operation of Java: its meaning in the trusted evaluator against its definition in SMT-LIB's
//! functions.

#![expect(clippy::unwrap_used, reason = "a test")]

use harness_check::eval::{EvalError, Evaluator};
use harness_model::{Alphabet, Char, SmtString};
use harness_theory::lower::Definition;
use harness_theory::lower::Maker;
use harness_theory::{Assignment, CoreOp, JavaOp, Op, Shape, Sort, TermId, Terms, Value};

/// Values of a sort that show the edges of the operations.
fn values(terms: &mut Terms, sort: Sort) -> Vec<TermId> {
    match sort {
        Sort::Int => {
            [-12, -1, 0, 1, 2, 5, 25, 97, 99, 128, 0x1_F600, 12_345].map(|i: i64| terms.int(i)).to_vec()
        }
        Sort::String => {
            let words = [
                "",
                "a",
                "Ab",
                "aba",
                "-12",
                "+7",
                "x-1",
                "2147483648",
                " a ",
                "12.50",
                "HALF_UP",
                "UNNECESSARY",
            ];
            let mut all: Vec<TermId> = words.map(|word| terms.string(word)).to_vec();
            all.push(terms.string(SmtString::from(vec![Char(0xE9)])));
            all.push(terms.string(SmtString::from(vec![Char(0xD83D), Char(0xDE00), Char(0xDE00)])));
            all
        }
        Sort::Bool => [true, false].map(|value| terms.bool(value)).to_vec(),
        Sort::RegLan => Vec::new(),
    }
}

/// Every application of the operation to these values that is a term.
fn applications(terms: &mut Terms, op: JavaOp) -> Vec<TermId> {
    let shapes: Vec<Vec<Sort>> = match op.shape() {
        Shape::Fixed(sorts) => vec![sorts.to_vec()],
        Shape::AtLeast(least, sorts) => (least..=sorts.len()).map(|n| sorts[..n].to_vec()).collect(),
        Shape::Many(sort) | Shape::Chain(sort) => vec![vec![sort; 2], vec![sort; 3]],
        Shape::Equality | Shape::Choice => Vec::new(),
    };
    let mut all = Vec::new();
    for sorts in shapes {
        let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
        for sort in sorts {
            let values = values(terms, sort);
            let longer = |tuple: Vec<TermId>| {
                values.iter().map(move |v| [tuple.as_slice(), &[*v]].concat()).collect::<Vec<_>>()
            };
            tuples = tuples.into_iter().flat_map(longer).collect();
        }
        // Of many, some from all over: the step shares no factor with the number of values of a sort.
        let most = 20_000;
        let coprime = |step: &usize| [2, 3, 7].iter().all(|count| !step.is_multiple_of(*count));
        let step = (tuples.len().div_ceil(most)..).find(coprime).unwrap_or(1);
        all.extend(tuples.iter().step_by(step).filter_map(|tuple| terms.app(op, tuple).ok()));
    }
    all
}

fn value(terms: &Terms, term: TermId, alphabet: Alphabet) -> Result<Option<Value>, EvalError> {
    let mut evaluator = Evaluator::new(terms, &[term], alphabet);
    evaluator.run(&Assignment::new()).and_then(|()| evaluator.value(0))
}

#[test]
fn operations_mean_what_their_definitions_say() {
    for &op in JavaOp::ALL {
        let mut terms = Terms::new();
        let (mut defined, mut undefined, mut conditioned) = (0, 0, false);
        for application in applications(&mut terms, op) {
            let arguments = terms.arguments(application).to_vec();
            for alphabet in [Alphabet::Ascii, Alphabet::Utf16, Alphabet::Unicode] {
                let mut m = Maker { terms: &mut terms, alphabet };
                let conditions = op.definedness(&mut m, &arguments);
                conditioned |= !conditions.is_empty();
                let condition = match conditions.as_slice() {
                    [] => m.terms.bool(true),
                    [one] => *one,
                    many => m.app(CoreOp::And, many),
                };
                let definition = match op.definition() {
                    Definition::Term(make) => Some(make(&mut m, &arguments)),
                    Definition::Constraints(_) => None,
                };
                let meaning = value(&terms, application, alphabet);
                let shown = format!(
                    "{} of {:?}",
                    op.name(),
                    arguments.iter().map(|&a| terms.get(a)).collect::<Vec<_>>()
                );
                match value(&terms, condition, alphabet).unwrap() {
                    Some(Value::Bool(true)) => {
                        defined += 1;
                        assert!(meaning.is_ok(), "{shown}: {meaning:?}");
                        if let Some(definition) = definition {
                            assert_eq!(meaning, value(&terms, definition, alphabet), "{shown}");
                        }
                    }
                    _ => {
                        undefined += 1;
                        assert_eq!(meaning, Err(EvalError::Undefined), "{shown}");
                    }
                }
            }
        }
        assert!(defined > 0, "{}", op.name());
        // Where there are conditions, the list of values has some that they exclude.
        assert_eq!(undefined > 0, conditioned, "{}", op.name());
    }
}

#[test]
fn what_is_undefined_makes_its_assertion_false() {
    let mut terms = Terms::new();
    let (s, nine) = (terms.string("abc"), terms.int(9_i64));
    let code = terms.app(JavaOp::CharAt, &[s, nine]).unwrap();
    let equal = terms.app(CoreOp::Eq, &[code, nine]).unwrap();
    let different = terms.app(CoreOp::Not, &[equal]).unwrap();
    let yes = terms.bool(true);
    let either = terms.app(CoreOp::Or, &[yes, equal]).unwrap();
    for assertion in [equal, different, either] {
        let mut evaluator = Evaluator::new(&terms, &[assertion], Alphabet::Ascii);
        assert_eq!(evaluator.all_true(&Assignment::new()), Ok(false));
    }
    assert!(Op::from(JavaOp::CharAt).is_java());
}

fn text(word: &str) -> Value {
    Value::String(SmtString::from(word))
}

/// What the judge says of the operation on these values.
fn of(op: JavaOp, arguments: &[Value]) -> Result<Option<Value>, EvalError> {
    of_in(Alphabet::Unicode, op, arguments)
}

fn of_in(alphabet: Alphabet, op: JavaOp, arguments: &[Value]) -> Result<Option<Value>, EvalError> {
    let mut terms = Terms::new();
    let arguments: Vec<TermId> = arguments
        .iter()
        .map(|argument| match argument {
            Value::Bool(b) => terms.bool(*b),
            Value::Int(i) => terms.int(i.clone()),
            Value::String(word) => terms.string(word.clone()),
        })
        .collect();
    let applied = terms.app(op, &arguments).unwrap();
    value(&terms, applied, alphabet)
}

#[test]
fn trim_leaves_what_javas_does() {
    // Words, and what Java's own method returns.
    let cases = [("\0a\u{e}", "a"), ("\u{1b} a b\u{1c}", "a b"), ("\u{2003}a\u{a0}", "\u{2003}a\u{a0}")];
    for (word, trimmed) in cases {
        assert_eq!(of(JavaOp::Trim, &[text(word)]), Ok(Some(text(trimmed))), "{word:?}");
    }
}

#[test]
fn strip_leaves_what_javas_does() {
    // Words, and what Java's own method returns.
    let cases = [
        ("", ""),
        (" ", ""),
        (" a ", "a"),
        ("\t\u{1f}a b\u{3000}", "a b"),
        ("\u{2003}a\u{1680}\u{200a}\u{2028}\u{205f}", "a"),
        ("\u{a0}a\u{a0}", "\u{a0}a\u{a0}"),
        ("\u{2007}a\u{202f}", "\u{2007}a\u{202f}"),
        ("\0a\u{e}", "\0a\u{e}"),
        ("\u{1b}a\u{1c}", "\u{1b}a"),
    ];
    for (word, stripped) in cases {
        assert_eq!(of(JavaOp::Strip, &[text(word)]), Ok(Some(text(stripped))), "{word:?}");
    }
}

#[test]
fn repeat_makes_what_javas_does() {
    for (word, count, repeated) in
        [("", 3, ""), ("a", 0, ""), ("ab", 1, "ab"), ("ab", 2, "abab"), ("ab", 5, "ababababab")]
    {
        let count = Value::Int(i64::from(count).into());
        assert_eq!(of(JavaOp::Repeat, &[text(word), count]), Ok(Some(text(repeated))), "{word:?}");
    }
    // Java throws for the first, also for the empty word.
    let mut terms = Terms::new();
    let (word, one) = (terms.string(""), terms.int(1_i64));
    let minus_one = terms.int(-1_i64);
    let opposite = terms.app(harness_theory::ArithOp::Neg, &[one]).unwrap();
    let many = terms.int(1001_i64);
    for count in [minus_one, opposite, many] {
        assert!(terms.app(JavaOp::Repeat, &[word, count]).is_err());
    }
}

#[test]
fn code_points_are_javas() {
    // Words, and what Java's own method returns for each position.
    let cases: [(&[u32], &[i64]); 6] = [
        (&[0x61, 0x62], &[97, 98]),
        (&[0xD83D, 0xDE00], &[128_512, 56_832]),
        (&[0xDE00, 0xD83D], &[56_832, 55_357]),
        (&[0xD83D, 0x61], &[55_357, 97]),
        (&[0xDBFF, 0xDFFF], &[1_114_111, 57_343]),
        (&[0xD83D, 0xD83D, 0xDE00], &[55_357, 128_512, 56_832]),
    ];
    let at = |word: &[u32], i: usize| {
        let word = SmtString::from(word.iter().copied().map(Char).collect::<Vec<_>>());
        of(JavaOp::CodePointAt, &[Value::String(word), Value::Int(i.into())])
    };
    for (word, codes) in cases {
        for (i, &code) in codes.iter().enumerate() {
            assert_eq!(at(word, i), Ok(Some(Value::Int(code.into()))), "{word:?} {i}");
        }
        assert_eq!(at(word, word.len()), Err(EvalError::Undefined), "{word:?}");
    }
}

/// A word of UTF-16, a code, and what Java's `indexOf` and `lastIndexOf` of that code return: without a
/// start, and from the starts -1, 0, 1, 2, 3 and 9.
type Row = (&'static [u32], i64, i64, i64, [(i64, i64); 6]);

#[test]
fn codes_are_found_where_java_finds_them() {
    #[rustfmt::skip]
    let rows: &[Row] = &[
        (&[0xD83D], 0xD83D, 0, 0, [(0, -1), (0, 0), (-1, 0), (-1, 0), (-1, 0), (-1, 0)]),
        (&[0xDE00], 0xDE00, 0, 0, [(0, -1), (0, 0), (-1, 0), (-1, 0), (-1, 0), (-1, 0)]),
        (&[0xD83D, 0xDE00], 0x1F600, 0, 0, [(0, -1), (0, 0), (-1, 0), (-1, 0), (-1, 0), (-1, 0)]),
        (&[0xD83D, 0xDE00], 0xD83D, 0, 0, [(0, -1), (0, 0), (-1, 0), (-1, 0), (-1, 0), (-1, 0)]),
        (&[0xD83D, 0xDE00], 0xDE00, 1, 1, [(1, -1), (1, -1), (1, 1), (-1, 1), (-1, 1), (-1, 1)]),
        (&[0xDE00, 0xD83D], 0xD83D, 1, 1, [(1, -1), (1, -1), (1, 1), (-1, 1), (-1, 1), (-1, 1)]),
        (&[0xDE00, 0xD83D], 0xDE00, 0, 0, [(0, -1), (0, 0), (-1, 0), (-1, 0), (-1, 0), (-1, 0)]),
        (&[0x0061, 0xD83D, 0xDE00], 0x1F600, 1, 1, [(1, -1), (1, -1), (1, 1), (-1, 1), (-1, 1), (-1, 1)]),
        (&[0x0061, 0xD83D, 0xDE00], 0xD83D, 1, 1, [(1, -1), (1, -1), (1, 1), (-1, 1), (-1, 1), (-1, 1)]),
        (&[0x0061, 0xD83D, 0xDE00], 0xDE00, 2, 2, [(2, -1), (2, -1), (2, -1), (2, 2), (-1, 2), (-1, 2)]),
        (&[0x0061, 0xD83D, 0xDE00], 0x61, 0, 0, [(0, -1), (0, 0), (-1, 0), (-1, 0), (-1, 0), (-1, 0)]),
        (&[0xD83D, 0xDE00, 0x0061, 0xD83D, 0xDE00], 0x1F600, 0, 3, [(0, -1), (0, 0), (3, 0), (3, 0), (3, 3), (-1, 3)]),
        (&[0xD83D, 0xDE00, 0x0061, 0xD83D, 0xDE00], 0xD83D, 0, 3, [(0, -1), (0, 0), (3, 0), (3, 0), (3, 3), (-1, 3)]),
        (&[0xD83D, 0xDE00, 0x0061, 0xD83D, 0xDE00], 0xDE00, 1, 4, [(1, -1), (1, -1), (1, 1), (4, 1), (4, 1), (-1, 4)]),
        (&[0xD83D, 0xDE00, 0x0061, 0xD83D, 0xDE00], 0x61, 2, 2, [(2, -1), (2, -1), (2, -1), (2, 2), (-1, 2), (-1, 2)]),
        (&[0xD83D, 0xD83D, 0xDE00], 0x1F600, 1, 1, [(1, -1), (1, -1), (1, 1), (-1, 1), (-1, 1), (-1, 1)]),
        (&[0xD83D, 0xD83D, 0xDE00], 0xD83D, 0, 1, [(0, -1), (0, 0), (1, 1), (-1, 1), (-1, 1), (-1, 1)]),
        (&[0xD83D, 0xD83D, 0xDE00], 0xDE00, 2, 2, [(2, -1), (2, -1), (2, -1), (2, 2), (-1, 2), (-1, 2)]),
        (&[0xD83D, 0xDE00, 0xDE00], 0x1F600, 0, 0, [(0, -1), (0, 0), (-1, 0), (-1, 0), (-1, 0), (-1, 0)]),
        (&[0xD83D, 0xDE00, 0xDE00], 0xD83D, 0, 0, [(0, -1), (0, 0), (-1, 0), (-1, 0), (-1, 0), (-1, 0)]),
        (&[0xD83D, 0xDE00, 0xDE00], 0xDE00, 1, 2, [(1, -1), (1, -1), (1, 1), (2, 2), (-1, 2), (-1, 2)]),
        (&[0xD83D, 0xD83D, 0xDE00, 0xDE00], 0x1F600, 1, 1, [(1, -1), (1, -1), (1, 1), (-1, 1), (-1, 1), (-1, 1)]),
        (&[0xD83D, 0xD83D, 0xDE00, 0xDE00], 0xD83D, 0, 1, [(0, -1), (0, 0), (1, 1), (-1, 1), (-1, 1), (-1, 1)]),
        (&[0xD83D, 0xD83D, 0xDE00, 0xDE00], 0xDE00, 2, 3, [(2, -1), (2, -1), (2, -1), (2, 2), (3, 3), (-1, 3)]),
        (&[0xD800, 0xDC00], 0x10000, 0, 0, [(0, -1), (0, 0), (-1, 0), (-1, 0), (-1, 0), (-1, 0)]),
        (&[0xDBFF, 0xDFFF, 0xD800, 0xDC00], 0x10000, 2, 2, [(2, -1), (2, -1), (2, -1), (2, 2), (-1, 2), (-1, 2)]),
        (&[0xDBFF, 0xDFFF, 0xD800, 0xDC00], 0x10FFFF, 0, 0, [(0, -1), (0, 0), (-1, 0), (-1, 0), (-1, 0), (-1, 0)]),
        (&[0xD83D], 0x1F600, -1, -1, [(-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1)]),
        (&[0xD83D], 0x10000, -1, -1, [(-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1)]),
        (&[0xD83D], 0x10FFFF, -1, -1, [(-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1)]),
        (&[0xDE00, 0xD83D], 0x1F600, -1, -1, [(-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1)]),
        (&[0x0061, 0xD83D, 0xDE00], 0x10000, -1, -1, [(-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1)]),
        (&[0x0061, 0xD83D, 0xDE00], 0x10FFFF, -1, -1, [(-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1)]),
        (&[0x0061, 0xD83D, 0xDE00], 0x110000, -1, -1, [(-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1)]),
        (&[0x0061, 0xD83D, 0xDE00], -0x1, -1, -1, [(-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1), (-1, -1)]),
    ];
    let int = |i: i64| Value::Int(i.into());
    for &(word, code, first, last, from) in rows {
        let s = Value::String(SmtString::from(word.iter().copied().map(Char).collect::<Vec<_>>()));
        let found = |alphabet, op, start: Option<i64>| {
            let all = [Some(s.clone()), Some(int(code)), start.map(int)];
            of_in(alphabet, op, &all.into_iter().flatten().collect::<Vec<_>>()).unwrap()
        };
        let shown = format!("{word:X?} {code:X}");
        assert_eq!(found(Alphabet::Utf16, JavaOp::IndexOfChar, None), Some(int(first)), "{shown}");
        assert_eq!(found(Alphabet::Utf16, JavaOp::LastIndexOfChar, None), Some(int(last)), "{shown}");
        for (start, (first, last)) in [-1, 0, 1, 2, 3, 9].into_iter().zip(from) {
            let shown = format!("{shown} from {start}");
            assert_eq!(found(Alphabet::Utf16, JavaOp::IndexOfChar, Some(start)), Some(int(first)), "{shown}");
            assert_eq!(
                found(Alphabet::Utf16, JavaOp::LastIndexOfChar, Some(start)),
                Some(int(last)),
                "{shown}"
            );
        }
        // Elsewhere such a code is one character, or none.
        if code > 0xFFFF {
            assert_eq!(found(Alphabet::Unicode, JavaOp::IndexOfChar, None), Some(int(-1)), "{shown}");
            assert_eq!(found(Alphabet::Unicode, JavaOp::LastIndexOfChar, Some(3)), Some(int(-1)), "{shown}");
        }
    }
}

#[test]
fn regions_match_as_javas_do() {
    // s, from, t, other and length, and what Java's own method returns, also when it ignores case.
    let cases = [
        ("abcde", 1, "xbcx", 1, 2, true, true),
        ("abcde", 1, "xbCx", 1, 2, false, true),
        ("abcde", -1, "x", 0, 0, false, false),
        ("abcde", 0, "x", -1, 0, false, false),
        ("abcde", 5, "x", 1, 0, true, true),
        ("abcde", 6, "x", 1, 0, false, false),
        ("abcde", 6, "x", 2, -1, true, true),
        ("abcde", 7, "x", 1, -1, false, false),
        ("abcde", 6, "x", 3, -1, false, false),
        ("abc", 2, "abc", 2, 2, false, false),
        ("a", 0, "b", 0, i64::from(i32::MIN), true, true),
        ("", 0, "", 0, 1, false, false),
    ];
    let int = |i: i64| Value::Int(i.into());
    for (s, from, t, other, length, exactly, ignoring) in cases {
        let mut arguments = vec![text(s), int(from), text(t), int(other), int(length)];
        assert_eq!(of(JavaOp::RegionMatches, &arguments), Ok(Some(Value::Bool(exactly))), "{s} {from} {t}");
        for (ignores, right) in [(false, exactly), (true, ignoring)] {
            arguments.truncate(5);
            arguments.push(Value::Bool(ignores));
            assert_eq!(of(JavaOp::RegionMatches, &arguments), Ok(Some(Value::Bool(right))), "{s} {from} {t}");
        }
    }
    let beyond = [text("\u{212a}"), int(0), text("k"), int(0), int(1), Value::Bool(true)];
    assert_eq!(of(JavaOp::RegionMatches, &beyond), Err(EvalError::Undefined));
}

//! Every family of strategies for scripts answers questions about every operation of Java: natively, or
//! because the operation is lowered. The questions are made from the table of operations, so that a new row
//! is asked about too.

#![cfg(feature = "z3")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::time::Duration;

use backends_api::{BackendError, Budget, Probe};
use harness_check::eval::Evaluator;
use harness_model::{Alphabet, Question, Verdict};
use harness_smtlib::print;
use harness_theory::{Assignment, CoreOp, JavaOp, Shape, Sort, TermId, Terms, Value};

/// One strategy of each family for scripts, and the other ways in which one of them solves a graph.
const STRATEGIES: &[&str] = &[
    "graph-automata-ranges",
    "graph-automata-free-ranges",
    "graph-bitvector",
    "parray-qelim",
    "automata-only",
    "parray+automata",
    "hybrid",
    "z3",
    "brute-force",
];

/// What the first argument of an operation may be. Brute force tries no number beyond these.
const WORDS: [&str; 4] = ["", " aB", "b-1", "12"];
const NUMBERS: [i64; 4] = [-2, 0, 3, 5];

/// An operation applied to each of those and to literals, and its values, where it has some.
struct Applied {
    values: Vec<Option<Value>>,
    literals: Vec<TermId>,
}

impl Applied {
    fn distinct(&self) -> Vec<&Value> {
        let mut distinct = Vec::new();
        for value in self.values.iter().flatten() {
            if !distinct.contains(&value) {
                distinct.push(value);
            }
        }
        distinct
    }
}

/// Literals of a sort.
fn literals(terms: &mut Terms, sort: Sort) -> Vec<TermId> {
    match sort {
        Sort::Int => [97, 1, 0, 2].map(|i: i64| terms.int(i)).to_vec(),
        Sort::String => ["b", " ", "1", "B-", "HALF_UP"].map(|word| terms.string(word)).to_vec(),
        Sort::Bool => [true, false].map(|value| terms.bool(value)).to_vec(),
        Sort::RegLan => panic!("no operation of Java takes a language"),
    }
}

/// The operation with so many arguments: each choice of literals for the arguments after the first.
fn applications(terms: &mut Terms, op: JavaOp, sorts: &[Sort]) -> Vec<Applied> {
    let firsts: Vec<TermId> = match sorts[0] {
        Sort::Int => NUMBERS.map(|i| terms.int(i)).to_vec(),
        Sort::String => WORDS.map(|word| terms.string(word)).to_vec(),
        Sort::Bool | Sort::RegLan => panic!("{} takes neither a string nor an integer first", op.name()),
    };
    let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
    for &sort in &sorts[1..] {
        let next = literals(terms, sort);
        let longer =
            |tuple: &Vec<TermId>| next.iter().map(|&l| [tuple.as_slice(), &[l]].concat()).collect::<Vec<_>>();
        tuples = tuples.iter().flat_map(longer).collect();
    }
    let mut value = |first: TermId, literals: &[TermId]| {
        let made = terms.app(op, &[&[first], literals].concat()).ok()?;
        let mut evaluator = Evaluator::new(terms, &[made], Alphabet::Ascii);
        evaluator.run(&Assignment::new()).unwrap();
        evaluator.value(0).ok()?
    };
    let applied = |literals: Vec<TermId>| Applied {
        values: firsts.iter().map(|&first| value(first, &literals)).collect(),
        literals,
    };
    tuples.into_iter().map(applied).collect()
}

/// A value of the same sort that is none of these; `None` where these are all.
fn other(values: &[&Value]) -> Option<Value> {
    let others: Vec<Value> = match values[0] {
        Value::Bool(_) => vec![Value::Bool(true), Value::Bool(false)],
        Value::Int(_) => (0..=4_i64).map(|i| Value::Int(i.into())).collect(),
        Value::String(_) => ["x", "b", "a b"].map(|word| Value::String(word.into())).to_vec(),
    };
    others.into_iter().find(|other| !values.contains(&other))
}

/// A script that asks whether the operation has this value for one of the first arguments at these places.
fn script(
    terms: &mut Terms,
    op: JavaOp,
    sort: Sort,
    literals: &[TermId],
    value: &Value,
    places: &[usize],
) -> String {
    let variable = terms.variable("x", sort);
    let x = terms.var(variable);
    // Where the first argument must be a literal, it is the last one of these.
    let made = terms.app(op, &[&[x], literals].concat()).unwrap_or_else(|_| {
        let last = terms.string(WORDS[places[places.len() - 1]]);
        terms.app(op, &[&[last], literals].concat()).unwrap()
    });
    let claim = match value {
        Value::Bool(true) => made,
        Value::Bool(false) => terms.app(CoreOp::Not, &[made]).unwrap(),
        Value::Int(i) => {
            let value = terms.int(i.clone());
            terms.app(CoreOp::Eq, &[made, value]).unwrap()
        }
        Value::String(word) => {
            let value = terms.string(word.clone());
            terms.app(CoreOp::Eq, &[made, value]).unwrap()
        }
    };
    let choices = match sort {
        Sort::String => {
            let words: String = places.iter().map(|&i| format!(" (str.to_re \"{}\")", WORDS[i])).collect();
            format!("(str.in_re x (re.union{words} re.none))")
        }
        Sort::Int | Sort::Bool | Sort::RegLan => {
            let numbers: String =
                places.iter().map(|&i| format!(" (= x {})", print::int(&NUMBERS[i].into()))).collect();
            format!("(and (<= (- 2) x 5) (or{numbers} false))")
        }
    };
    format!("(declare-const x {sort})(assert {choices})(assert {})(check-sat)", print::term(terms, claim))
}

/// Questions about one operation, each with the right answer.
fn questions(op: JavaOp) -> Vec<(String, Verdict)> {
    let shapes: Vec<Vec<Sort>> = match op.shape() {
        Shape::Fixed(sorts) => vec![sorts.to_vec()],
        Shape::AtLeast(least, sorts) => (least..=sorts.len()).map(|n| sorts[..n].to_vec()).collect(),
        Shape::Many(sort) | Shape::Chain(sort) => vec![vec![sort; 2]],
        Shape::Equality | Shape::Choice => Vec::new(),
    };
    let mut all = Vec::new();
    for sorts in shapes {
        let mut terms = Terms::new();
        let applied = applications(&mut terms, op, &sorts);
        let mut add = |applied: &Applied, value: &Value, places: &[usize], verdict| {
            all.push((script(&mut terms, op, sorts[0], &applied.literals, value, places), verdict));
        };
        // What depends most on the first argument tells most.
        let Some(best) = applied.iter().max_by_key(|applied| applied.distinct().len()) else { continue };
        let distinct = best.distinct();
        for &value in distinct.iter().take(2) {
            let last = best.values.iter().rposition(|v| v.as_ref() == Some(value)).unwrap();
            add(best, value, &(0..=last).collect::<Vec<_>>(), Verdict::Sat);
        }
        // A value that only the other first arguments have, or none.
        let without = |value: &Value| -> Vec<usize> {
            let last = best.values.iter().rposition(|v| v.as_ref().is_some_and(|v| v != value));
            (0..last.map_or(0, |last| last + 1)).filter(|&i| best.values[i].as_ref() != Some(value)).collect()
        };
        let never = other(&distinct).map(|value| (value, vec![0, 1, 2, 3]));
        let others = distinct.iter().map(|&value| (value.clone(), without(value)));
        for (value, places) in others.filter(|(_, places)| !places.is_empty()).take(1).chain(never) {
            add(best, &value, &places, Verdict::Unsat);
        }
    }
    all
}

/// What a strategy says of a script, on a thread that has not touched Z3.
fn ask(name: &'static str, script: String, seconds: u64) -> Result<Verdict, BackendError> {
    ask_in(Alphabet::Ascii, name, script, seconds)
}

fn ask_in(
    alphabet: Alphabet,
    name: &'static str,
    script: String,
    seconds: u64,
) -> Result<Verdict, BackendError> {
    let work = move || {
        let question = Question::of_script(alphabet, script, 1);
        let (budget, probe) = (Budget::with_time(Duration::from_secs(seconds)), Probe::new());
        let strategy = backends::registry().resolve(name).unwrap().build();
        let outcome = strategy.prepare(&question, &budget, &probe)?.run(&probe)?;
        Ok(outcome.answers[0].verdict)
    };
    std::thread::spawn(work).join().unwrap()
}

/// What some families refuse by its name: in parameterised arrays, without automata beside them, replacement
/// and the languages that describe what is stripped.
fn is_open(op: JavaOp, refused: &str) -> bool {
    let known = [(JavaOp::Replace, "replaceAll (str.replace_all)"), (JavaOp::Strip, "inRe (str.in_re)")];
    known.contains(&(op, refused))
}

#[test]
fn every_family_answers_questions_about_every_operation() {
    for &op in JavaOp::ALL {
        let questions = questions(op);
        for verdict in [Verdict::Sat, Verdict::Unsat] {
            assert!(questions.iter().any(|(_, right)| *right == verdict), "{}: {questions:?}", op.name());
        }
        for name in STRATEGIES {
            let (mut answered, mut refusals) = (0, 0);
            for (script, right) in &questions {
                // Far more than it takes on a busy machine, until something was answered.
                let seconds = if answered == 0 { 60 } else { 2 };
                match ask(name, script.clone(), seconds) {
                    // What is given up claims nothing, nor does what is said within bounds beyond them.
                    Ok(Verdict::Unknown | Verdict::UnsatWithinBound) | Err(BackendError::Stopped(_)) => {}
                    Ok(verdict) => {
                        assert_eq!(verdict, *right, "{name}: {script}");
                        answered += 1;
                    }
                    Err(BackendError::Unsupported(refused)) if is_open(op, &refused) => refusals += 1,
                    Err(error) => panic!("{name}: {error}: {script}"),
                }
            }
            let asked = questions.len() - refusals;
            assert!(
                asked == 0 || answered > 0,
                "{name}: {}: {answered} of {asked}: {questions:?}",
                op.name()
            );
        }
    }
}

/// Questions in UTF-16 whose answers are those of Java 17: a code above U+FFFF is found as its two
/// surrogates.
#[test]
fn codes_of_two_units_are_found_by_every_family() {
    let pair = "\\u{d83d}\\u{de00}";
    let questions = [
        (format!("(= i (java.indexOfChar (str.++ \"a\" s) 128512))(= s \"{pair}\")(= i 1)"), Verdict::Sat),
        (
            format!("(= i (java.indexOfChar (str.++ \"a\" s) 128512))(= s \"{pair}\")(not (= i 1))"),
            Verdict::Unsat,
        ),
        (
            format!("(= i (java.lastIndexOfChar (str.++ s \"{pair}\") 128512 1))(= s \"{pair}b\")(= i 0)"),
            Verdict::Sat,
        ),
        (
            format!("(= i (java.lastIndexOfChar (str.++ s \"{pair}\") 128512 1))(= s \"{pair}b\")(= i 3)"),
            Verdict::Unsat,
        ),
        // The code is not a literal.
        (format!("(= 1 (java.indexOfChar \"a{pair}\" i))(<= 65536 i 1114111)"), Verdict::Sat),
        (format!("(= 1 (java.indexOfChar \"a{pair}\" i))(<= 65536 i 128511)"), Verdict::Unsat),
        (
            format!("(= i 128512)(= 2 (java.lastIndexOfChar (str.++ s \"a{pair}\") i))(= (str.len s) 1)"),
            Verdict::Sat,
        ),
        (format!("(= i 128512)(= (java.lastIndexOfChar s i 4) (- 1))(= s \"a{pair}\")"), Verdict::Unsat),
        // One surrogate is found wherever it stands.
        (format!("(= 2 (java.indexOfChar \"a{pair}\" 56832))(= i 0)"), Verdict::Sat),
    ];
    for name in STRATEGIES {
        let mut answered = 0;
        for (claims, right) in &questions {
            let script =
                format!("(declare-const s String)(declare-const i Int)(assert (and {claims}))(check-sat)");
            match ask_in(Alphabet::Utf16, name, script.clone(), if answered == 0 { 60 } else { 5 }) {
                Ok(Verdict::Unknown | Verdict::UnsatWithinBound)
                | Err(BackendError::Stopped(_) | BackendError::Unsupported(_)) => {}
                Ok(verdict) => {
                    assert_eq!(verdict, *right, "{name}: {script}");
                    answered += 1;
                }
                Err(error) => panic!("{name}: {error}: {script}"),
            }
        }
        assert!(answered >= 4, "{name}: {answered} of {}", questions.len());
    }
}

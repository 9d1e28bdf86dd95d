//! The strategy `z3` on the scripts of `harness-smtlib`: never a wrong verdict, and every `sat` with a model
//! that the evaluator accepts.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use backends_api::{BackendError, Budget, Probe, Strategy};
use backends_bitvector::{Mode, Refusals, strategy};
use backends_graph::Options;
use backends_z3::{NativeStrategy, Z3BitVectors, Z3Integers};
use harness_check::ModelVerdict;
use harness_model::{Alphabet, Answer, Question, Verdict, Witness};
use harness_smtlib::model;

/// The strategy `graph-bitvector` in this mode, on Z3.
fn on_bitvectors(mode: Mode) -> impl Strategy {
    strategy::strategy(mode.name().to_owned(), mode, Options::default(), Z3BitVectors, Z3Integers::default())
}

fn question(text: String, alphabet: Alphabet) -> Question {
    let queries = harness_smtlib::read(text.as_bytes()).map_or(0, |script| script.queries.len());
    Question::of_script(alphabet, text, queries)
}

fn ask(text: &str, alphabet: Alphabet, time: Duration) -> Result<Vec<Answer>, BackendError> {
    ask_by(&NativeStrategy, text, alphabet, time)
}

fn ask_by(
    strategy: &dyn Strategy,
    text: &str,
    alphabet: Alphabet,
    time: Duration,
) -> Result<Vec<Answer>, BackendError> {
    let question = question(text.to_owned(), alphabet);
    let (budget, probe) = (Budget::with_time(time), Probe::new());
    let answers = strategy.prepare(&question, &budget, &probe)?.run(&probe)?.answers;
    assert_eq!(answers.len(), question.asked());
    for (answer, query) in answers.iter().zip(harness_smtlib::read(text.as_bytes()).unwrap().queries) {
        assert_eq!(answer.verdict == Verdict::Unknown, answer.reason.is_some());
        if answer.verdict == Verdict::Sat {
            let Some(Witness::Model(text)) = &answer.witness else { panic!("no model: {answer:?}") };
            let model = model::read(text.as_bytes(), &query.problem, Alphabet::Unicode).unwrap().unwrap();
            let assignment = harness_check::model::evaluate(&model, &query.problem, alphabet).unwrap();
            assert_eq!(
                harness_check::model::check(&query.problem, &assignment, alphabet),
                ModelVerdict::Holds
            );
        }
    }
    Ok(answers)
}

/// Solved only with more memory than a test may use; `harness` has limits for that.
const HUNGRY: [&str; 1] = ["097-big-power.smt2"];

/// The verdicts of a line of the table: `file,verdict,...` or `file,"verdict, verdict",...`.
fn expected(line: &str) -> (&str, Vec<&str>) {
    let (file, rest) = line.split_once(',').unwrap();
    let verdicts = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').unwrap().0,
        None => rest.split_once(',').unwrap().0,
    };
    (file, verdicts.split(", ").collect())
}

/// How many of the scripts the strategy solves in a second each. Panics when a verdict is wrong or the
/// strategy fails.
fn solved(strategy: &dyn Strategy) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../harness/smtlib/tests/cases");
    let table = fs::read_to_string(folder.join("expected.csv")).unwrap();
    let (mut solved, mut wrong) = (0, Vec::new());
    for (file, expected) in table.lines().skip(1).map(expected) {
        let Ok(text) = String::from_utf8(fs::read(folder.join(file)).unwrap()) else { continue };
        if HUNGRY.contains(&file) {
            continue;
        }
        match ask_by(strategy, &text, Alphabet::Unicode, Duration::from_secs(1)) {
            Ok(answers) => {
                let said: Vec<&str> = answers.iter().map(|a| a.verdict.name()).collect();
                println!("{file}: {said:?}, {expected:?}");
                let differs = |(said, right): (&&str, &&str)| {
                    [("sat", "unsat"), ("unsat", "sat")].contains(&(*said, *right))
                };
                if said.iter().zip(&expected).any(differs) {
                    wrong.push(format!("{file}: {said:?}, not {expected:?}"));
                }
                solved += usize::from(said == expected);
            }
            Err(BackendError::Internal(error)) => wrong.push(format!("{file}: {error}")),
            Err(error) => println!("{file}: {error}, {expected:?}"),
        }
    }
    println!("{}: {solved} solved", strategy.info().name);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    solved
}

#[test]
fn scripts_with_known_answers() {
    let solved = solved(&NativeStrategy);
    assert!(solved >= 40, "{solved}");
}

#[test]
fn scripts_with_known_answers_as_graphs() {
    for mode in Mode::all(Refusals::default()) {
        let solved = solved(&on_bitvectors(mode));
        assert!(solved >= 20, "{solved}");
    }
}

fn verdict(text: &str, alphabet: Alphabet) -> Verdict {
    ask(text, alphabet, Duration::from_secs(5)).unwrap()[0].verdict
}

#[test]
fn the_alphabet_can_decide() {
    let cases = [
        // A character beyond the alphabet is no value.
        ("(declare-const x String) (assert (= (str.to_code x) 200)) (check-sat)", [false, true, true, true]),
        (
            "(declare-const x String) (assert (= (str.to_code x) 65535)) (check-sat)",
            [false, false, true, true],
        ),
        // What is left of all characters.
        (
            "(declare-const x String) (assert (str.in_re x (re.inter re.allchar \
             (re.comp (re.range \"\\u{0}\" \"\\u{7f}\"))))) (check-sat)",
            [false, true, true, true],
        ),
        ("(assert (= (str.from_code 255) \"\")) (check-sat)", [true, false, false, false]),
        ("(assert (= (str.len (str.from_code 196607)) 1)) (check-sat)", [false, false, false, true]),
    ];
    for (text, sat) in cases {
        let said = Alphabet::ALL.map(|alphabet| verdict(text, alphabet) == Verdict::Sat);
        assert_eq!(said, sat, "{text}");
    }
}

#[test]
fn what_it_cannot_do_has_a_name() {
    let ask = |text: &str| ask(text, Alphabet::Unicode, Duration::from_secs(5)).unwrap_err();
    assert_eq!(
        ask("(declare-const r RegLan) (assert (str.in_re \"k\" (re.* r))) (check-sat)"),
        BackendError::Unsupported("a variable of sort RegLan".to_owned())
    );
    assert!(matches!(ask("(assert (= 1 \"a\")) (check-sat)"), BackendError::Input(_)));
}

#[test]
fn a_model_that_cannot_be_checked_is_no_model() {
    // Division by zero is open, so Z3 finds a model for it that nothing can confirm.
    let answers = ask(
        "(declare-const n Int) (assert (= (div n 0) 7)) (check-sat)",
        Alphabet::Unicode,
        Duration::from_secs(5),
    );
    let answer = &answers.unwrap()[0];
    assert_eq!(answer.verdict, Verdict::Unknown);
    assert!(answer.reason.as_ref().unwrap().contains("division by zero"), "{answer:?}");
}

#[test]
fn operations_on_expressions() {
    use harness_check::matcher;
    use harness_model::{Dialect, Operation, OperationKind, RegexSource};
    let source = |pattern: &str| RegexSource {
        find: false,
        name: pattern.to_owned(),
        pattern: pattern.to_owned(),
        dialect: Dialect::Dotnet,
    };
    let regexes = vec![source("^[ab]{2,4}c?$"), source("^a+b+c$"), source("^[ab]*c?$")];
    let operation = |kind, left, right| Operation { kind, left, right };
    let operations = vec![
        operation(OperationKind::Product, 0, 1),
        operation(OperationKind::Difference, 0, 2),
        operation(OperationKind::Difference, 1, 0),
    ];
    for alphabet in Alphabet::ALL {
        let (regexes, operations) = (regexes.clone(), operations.clone());
        let question = Question::of_operations(alphabet, regexes, operations);
        let (budget, probe) = (Budget::with_time(Duration::from_secs(20)), Probe::new());
        let answers =
            NativeStrategy.prepare(&question, &budget, &probe).unwrap().run(&probe).unwrap().answers;
        let verdicts: Vec<Verdict> = answers.iter().map(|a| a.verdict).collect();
        assert_eq!(verdicts, [Verdict::Nonempty, Verdict::Empty, Verdict::Nonempty]);
        let regex = |i: usize| {
            harness_regex::parse(
                &question.as_operations().unwrap().regexes[i].pattern,
                Dialect::Dotnet,
                alphabet,
            )
            .unwrap()
        };
        let word = |i: usize| match &answers[i].witness {
            Some(Witness::Word(word)) => word.clone(),
            other => panic!("{other:?}"),
        };
        assert!(matcher::matches(&regex(0), &word(0)) && matcher::matches(&regex(1), &word(0)));
        assert!(matcher::matches(&regex(1), &word(2)) && !matcher::matches(&regex(0), &word(2)));
    }
}

/// Of what each way of handing over edges cannot do for its size, the answer names the limit.
#[test]
fn limits_of_bit_vectors_are_unknown_and_named() {
    let declared = "(declare-const s String)(declare-const t String)";
    // Each suffix of the literal is a state.
    let literal = "a".repeat(140_000);
    let many = format!("(re.++ (re.* (str.to_re \"b\")) (re.opt (str.to_re \"{literal}\")))");
    let many = format!("{declared}(assert (str.in_re s {many}))(assert (>= (str.len s) 1))(check-sat)");
    // Each star of a union is deeper than the one in it.
    let deep = format!(
        "{}(str.to_re \"a\"){}",
        "(re.* (re.union (str.to_re \"b\") ".repeat(2200),
        "))".repeat(2200)
    );
    let deep = format!("{declared}(assert (str.in_re s {deep}))(assert (>= (str.len s) 1))(check-sat)");
    let long = format!("{declared}(assert (>= (str.len s) 2000000))(assert (not (= s t)))(check-sat)");
    for mode in Mode::all(Refusals::default()) {
        let strategy = on_bitvectors(mode);
        for (script, limit) in [
            (&many, "the automaton of a regular expression would need more than 131072 states"),
            (&deep, "the nesting of a regular expression would need more than 4000 levels"),
            (&long, "'s' would have 2000000 characters, more than 1048576"),
        ] {
            let answers = ask_by(&strategy, script, Alphabet::Ascii, Duration::from_secs(60)).unwrap();
            assert_eq!(answers[0].verdict, Verdict::Unknown, "{limit}");
            assert_eq!(answers[0].reason.as_deref(), Some(limit));
        }
    }
}

/// A literal with a character that the alphabet does not have is refused with its place, whatever is done
/// with it; in an alphabet that has it, the answers are right.
#[test]
fn literals_are_over_the_alphabet() {
    let declared = "(declare-const s String)(declare-const n Int)";
    for (assertion, expected) in [
        ("(= (java.trim \" a\\u{c0} \") \"a\\u{c0}\")", Verdict::Sat),
        ("(= (str.len (java.trim (str.++ s \"\\u{c0} \"))) 2)", Verdict::Sat),
        ("(and (= (java.trim (str.++ \"\\u{c0}\" s)) s) (= (str.len s) 1))", Verdict::Unsat),
        ("(= (java.compareTo \"a\\u{c0}b\" \"a\\u{c0}\") 1)", Verdict::Sat),
        ("(= (java.lastIndexOf \"\\u{c0}\\u{c0}\" \"\\u{c0}\") 1)", Verdict::Sat),
        ("(= (java.trim s) \"\\u{c0}\")", Verdict::Sat),
    ] {
        let script = format!("{declared}(assert {assertion})(check-sat)");
        let bits =
            Mode::all(Refusals::default()).map(|mode| Box::new(on_bitvectors(mode)) as Box<dyn Strategy>);
        let strategies = bits.into_iter().chain([Box::new(NativeStrategy) as Box<dyn Strategy>]);
        for strategy in strategies {
            let ask = |alphabet| ask_by(&*strategy, &script, alphabet, Duration::from_secs(20));
            assert_eq!(ask(Alphabet::Latin1).unwrap()[0].verdict, expected, "{assertion}");
            let Err(BackendError::Unsupported(refused)) = ask(Alphabet::Ascii) else {
                panic!("{assertion} was not refused")
            };
            let place = refused.starts_with("line 1 column ");
            assert!(place && refused.contains("the literal has U+00C0, which is not in the alphabet ascii"));
        }
    }
}

//! Scripts with one known trap each: what must be refused is refused, what must be read is read, and the
//! verdicts that evaluation alone can settle come out right.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::Path;

use harness_check::model::ModelVerdict;
use harness_model::{Alphabet, SmtString};
use harness_smtlib::{ReadError, model, print, read};
use harness_theory::{Assignment, Problem, Value, VarId, lower};

fn case(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name)).unwrap()
}

/// Name and right answers of every case. The third column, the reason, is for people.
fn cases() -> Vec<(String, String)> {
    let text = String::from_utf8(case("expected.csv")).unwrap();
    let mut rows = Vec::new();
    for line in text.lines().skip(1) {
        let (name, rest) = line.split_once(',').unwrap();
        let right = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap().0,
            None => rest.split_once(',').unwrap().0,
        };
        rows.push((name.to_owned(), right.to_owned()));
    }
    rows
}

#[test]
fn every_case_is_read_or_refused_as_it_must_be() {
    // Two cases leave a choice: old names are read as what they are now, a raw line break is refused; and a
    // count given as an argument, which must be refused or translated, is translated.
    let cases = cases();
    assert!(cases.len() > 60);
    for (name, right) in cases {
        match (name.as_str(), read(&case(&name))) {
            ("080-loop-old-argument-form.smt2" | "081-old-operator-names.smt2", Ok(_)) => {}
            (_, Ok(script)) => {
                assert!(!right.starts_with("error"), "{name} must be refused");
                assert_eq!(script.queries.len(), right.split(", ").count(), "{name}");
            }
            (_, Err(error)) => assert!(right.starts_with("error"), "{name}: {error}"),
        }
    }
}

#[test]
fn what_is_printed_means_the_same() {
    for (name, _) in cases() {
        let Ok(script) = read(&case(&name)) else { continue };
        for query in &script.queries {
            let text = print::problem(&query.problem, "ALL", None);
            let again = read(text.as_bytes()).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
            let second = &again.queries[0].problem;
            assert_eq!(print::problem(second, "ALL", None), text, "{name}");
            for assignment in assignments(&query.problem) {
                let names = renamed(&query.problem, second, &assignment);
                let (a, b) = (
                    harness_check::model::check(&query.problem, &assignment, Alphabet::Unicode),
                    harness_check::model::check(second, &names, Alphabet::Unicode),
                );
                assert_eq!(a, b, "{name} under {assignment:?}");
            }
        }
    }
}

/// The same values for the variables of the same names.
fn renamed(from: &Problem, to: &Problem, assignment: &Assignment) -> Assignment {
    from.variables
        .iter()
        .zip(&to.variables)
        .filter_map(|(f, t)| Some((*t, assignment.get(f)?.clone())))
        .collect()
}

/// A few assignments that differ in every variable.
fn assignments(problem: &Problem) -> Vec<Assignment> {
    let words = ["", "a", "ab", "KM", "o", "fooo", "-7", "12"];
    let value = |v: VarId, round: usize| {
        let sort = problem.terms.variables()[v.index()].sort;
        Value::default_of(sort).map(|default| match default {
            Value::Bool(_) => Value::Bool((round + v.index()).is_multiple_of(2)),
            Value::Int(_) => Value::Int((i64::try_from(round * 3 + v.index()).unwrap() - 4).into()),
            Value::String(_) => Value::String(words[(round + v.index()) % words.len()].into()),
        })
    };
    (0..12)
        .map(|round| problem.variables.iter().filter_map(|&v| Some((v, value(v, round)?))).collect())
        .collect()
}

fn only_query(text: &str) -> Problem {
    read(text.as_bytes()).unwrap().queries.remove(0).problem
}

fn error(text: &str) -> String {
    read(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn errors_name_line_and_column() {
    assert_eq!(
        error("(declare-const s String)\n(assert (= s 1))"),
        "line 2 column 9: argument 2 of '=' must be of sort String, not Int"
    );
    assert_eq!(error("(assert x)"), "line 1 column 9: 'x' is not declared");
    assert_eq!(
        error("(assert (str.len \"a\"))"),
        "line 1 column 9: a term of sort Bool must stand here, not Int"
    );
    assert_eq!(error("(pop)"), "line 1 column 1: 'pop' without a 'push' before it");
    assert_eq!(error("(check)"), "line 1 column 2: 'check' is not a command");
    assert_eq!(
        error("(declare-fun f (Int) Int)"),
        "line 1 column 17: uninterpreted functions are not supported"
    );
    assert_eq!(error("(assert (let ((a true) (a false)) a))"), "line 1 column 35: 'let' binds 'a' twice");
    assert_eq!(
        error("(define-fun f ((x Int)) Int \"a\")"),
        "line 1 column 29: the body of 'f' must be of sort Int, not String"
    );
    assert_eq!(
        error("(define-fun f ((x Int)) Int x) (assert (f true))"),
        "line 1 column 40: argument 1 must be of sort Int, not Bool"
    );
    assert_eq!(error("(assert true"), "line 1 column 1: '(' is never closed");
}

#[test]
fn a_let_whose_body_fails_leaves_no_name_behind() {
    // The error ends the script; what matters is that it is reported for the right thing.
    assert_eq!(error("(assert (let ((a true)) (= a b)))"), "line 1 column 30: 'b' is not declared");
}

#[test]
fn deep_nesting_and_long_literals() {
    let depth = 100_000;
    let text = format!(
        "(declare-const s String)(assert (= s {}\"a\"{}))(check-sat)",
        "(str.++ \"b\" ".repeat(depth),
        ")".repeat(depth)
    );
    let problem = only_query(&text);
    let long: SmtString = format!("{}a", "b".repeat(depth)).as_str().into();
    let assignment: Assignment = [(problem.variables[0], Value::String(long))].into();
    assert_eq!(harness_check::model::check(&problem, &assignment, Alphabet::Ascii), ModelVerdict::Holds);
    assert!(read(print::problem(&problem, "QF_S", None).as_bytes()).is_ok());

    let lets = format!("(assert {}true{})(check-sat)", "(let ((x true)) ".repeat(depth), ")".repeat(depth));
    assert_eq!(only_query(&lets).assertions.len(), 1);
    let literal = format!("(assert (= 1000000 (str.len \"{}\")))(check-sat)", "x".repeat(1_000_000));
    let problem = only_query(&literal);
    assert_eq!(
        harness_check::model::check(&problem, &Assignment::new(), Alphabet::Ascii),
        ModelVerdict::Holds
    );
}

#[test]
fn models_are_read_evaluated_and_completed() {
    let problem = only_query(
        "(declare-const out String)(declare-const n Int)(declare-const idle String)
         (assert (= out (str.replace_re_all \"foog\" (str.to_re \"o\") \"-\")))(assert (< n 0))(check-sat)",
    );
    let values = |text: &str| {
        let model = model::read(text.as_bytes(), &problem)?;
        Ok::<_, ReadError>(
            model.and_then(|model| harness_check::model::evaluate(&model, &problem, Alphabet::Unicode)),
        )
    };
    let verdict = |text: &str| match values(text) {
        Ok(Ok(assignment)) => harness_check::model::check(&problem, &assignment, Alphabet::Unicode),
        Ok(Err(why)) => ModelVerdict::Unvalidated(why),
        Err(error) => panic!("{error}"),
    };
    let term = "(str.replace_re_all \"foog\" (str.to_re \"o\") \"-\")";
    let model = format!("sat\n(model (define-fun out () String {term}) (define-fun n () Int (- 1)))");
    assert_eq!(verdict(&model), ModelVerdict::Holds);
    assert_eq!(
        verdict("((define-fun out () String \"f--g\") (define-fun n () Int 0))"),
        ModelVerdict::Fails(1)
    );
    assert_eq!(
        verdict("((define-fun out () String \"foog\") (define-fun n () Int (- 5)))"),
        ModelVerdict::Fails(0)
    );
    let witness = "((define-fun out () String (witness ((w String)) (= (str.len w) 70000))))";
    assert!(matches!(verdict(witness), ModelVerdict::Unvalidated(_)));
    // What get-value prints.
    assert_eq!(verdict("sat\n((out \"f--g\")\n (n (- 1)))"), ModelVerdict::Holds);
    assert_eq!(verdict("sat\n((n 3) ((str.len out) 4))((out \"f--g\"))"), ModelVerdict::Fails(1));
    let round = model::text(&problem, &[(problem.variables[0], Value::String("f--g".into()))].into());
    assert_eq!(verdict(&round), ModelVerdict::Fails(1));
    // A value that is not there need not be the default.
    assert_eq!(verdict("((define-fun out () String \"f--g\"))"), ModelVerdict::Open(1, problem.variables[1]));
    assert_eq!(verdict("((define-fun out () String \"\"))"), ModelVerdict::Fails(0));
}

#[test]
fn a_value_that_is_asked_for_demands_nothing() {
    let script = read(
        b"(declare-const s String)(assert (= (java.charAt s 0) 97))(check-sat)
          (get-value ((java.charAt s 9)))(assert (= s \"a\"))(check-sat)",
    )
    .unwrap();
    let [first, second] = script.queries.as_slice() else { panic!() };
    assert_eq!((first.problem.assertions.len(), second.problem.assertions.len()), (1, 2));
    // Two conditions and the assertion; then one more assertion, and nothing of position 9.
    let counts: Vec<usize> = lower::unfold_script(script, |_| false)
        .queries
        .iter()
        .map(|query| {
            assert_eq!(query.assertion_offsets.len(), query.problem.assertions.len());
            query.problem.assertions.len()
        })
        .collect();
    assert_eq!(counts, [3, 4]);
}

#[test]
fn operations_of_java_are_kept_and_printed() {
    let terms = [
        "(java.charAt s i)",
        "(java.compareTo s \"b\")",
        "(java.setScale i 3 2 \"HALF_UP\")",
        "(java.indexOf s \"b\")",
        "(java.indexOf s \"b\" i)",
        "(java.parseInt (java.trim s))",
    ];
    for term in terms {
        let text = format!("(declare-const s String)(declare-const i Int)(assert (= i {term}))(check-sat)");
        let printed = print::problem(&only_query(&text), "ALL", None);
        assert!(printed.contains(term), "{printed}");
    }
}

#[test]
fn old_scripts_have_the_escapes_of_their_time() {
    let old = only_query(
        "(declare-const s String)(assert (= s \"\\x41\\\"\"))(assert (str.in.re s re.nostr))(check-sat)",
    );
    let text = print::problem(&old, "ALL", None);
    assert!(text.contains("\"A\"\"\"") && text.contains("str.in_re"), "{text}");
    let new = only_query("(declare-const s String)(assert (= s \"\\x41\"))(check-sat)");
    assert!(print::problem(&new, "ALL", None).contains("\\u{5c}x41"));
}

#[test]
fn pop_and_reset_undo() {
    let script = read(
        b"(push)(declare-const a Int)(assert (> a 0))(check-sat)(pop)(declare-const a String)(assert (= a \"\"))(check-sat)
          (reset)(declare-const a Bool)(check-sat-assuming (a (not a)))",
    )
    .unwrap();
    let counts: Vec<_> =
        script.queries.iter().map(|q| (q.problem.variables.len(), q.problem.assertions.len())).collect();
    assert_eq!(counts, [(1, 1), (1, 1), (1, 2)]);
}

#[test]
fn decimals_and_rounding_are_read_and_refused_with_their_place() {
    let good = r#"(declare-const u Int)
(assert (= (java.setScale u 3 2 "HALF_UP") (java.decimal "1.26" 2)))
(assert (= (java.round u 3) 1))(assert (= (java.floor u 3) 1))(assert (= (java.ceil u 3) 2))
(assert (= (java.setScale u 3 2 "UNNECESSARY") 0))(assert (= (java.divide u 2) (java.floorDiv u 2)))
(check-sat)"#;
    let script = read(good.as_bytes()).unwrap();
    let problem = &script.queries[0].problem;
    assert_eq!(problem.assertions.len(), 6);
    // UNNECESSARY adds when it is defined.
    let unfolded = lower::unfold(problem, |_| false).unwrap();
    assert_eq!(unfolded.assertions.len(), 7);
    let cases = [
        (
            r#"(java.decimal "0.125" 2)"#,
            "line 2 column 12: 'java.decimal': the decimal 0.125 does not fit: it has 3 places",
        ),
        (r#"(java.decimal "1,5" 2)"#, "line 2 column 12: 'java.decimal': '1,5' is no decimal"),
        (
            r#"(java.setScale u 3 2 "HALF")"#,
            "line 2 column 12: 'java.setScale': 'HALF' is no rounding mode; there are UP",
        ),
        (
            r#"(java.setScale u u 2 "UP")"#,
            "line 2 column 12: 'java.setScale': a scale must be a numeral from 0 to 100",
        ),
        (
            r#"(java.setScale u 3 2 u)"#,
            "line 2 column 12: argument 4 of 'java.setScale' must be of sort String, not Int",
        ),
        (r#"(java.round u)"#, "line 2 column 12: 'java.round' takes 2 arguments, not 1"),
        (
            r#"(java.round "a" 1)"#,
            "line 2 column 12: argument 1 of 'java.round' must be of sort Int, not String",
        ),
    ];
    for (term, wanted) in cases {
        let text = format!("(declare-const u Int)\n(assert (= {term} 0))\n(check-sat)");
        let error = read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(wanted), "{term}: {error}");
    }
}

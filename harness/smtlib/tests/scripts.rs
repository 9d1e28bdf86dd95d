//! Scripts with one known trap each: what must be refused is refused, what must be read is read, and the
//! verdicts that evaluation alone can settle come out right.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::Path;

use harness_check::model::ModelVerdict;
use harness_model::{Alphabet, SmtString};
use harness_smtlib::{ReadError, model, print, read};
use harness_theory::{Assignment, Problem, Sort, Value, VarId, lower};

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
        error("(declare-fun f (RegLan) Int)"),
        "line 1 column 17: a function of languages without a definition is not supported"
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
        let model = model::read(text.as_bytes(), &problem, Alphabet::Unicode)?;
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
fn empty_conjunctions_and_disjunctions_are_read() {
    let script = read(b"(assert (and))(assert (not (or)))(assert (and (or (and))))(check-sat)").unwrap();
    let problem = &script.queries[0].problem;
    let shown: Vec<String> = problem.assertions.iter().map(|&id| print::term(&problem.terms, id)).collect();
    assert_eq!(shown, ["true", "(not false)", "true"]);
    for wrong in ["(xor)", "(=>)", "(not)", "(=)"] {
        let error = read(format!("(assert {wrong})(check-sat)").as_bytes()).unwrap_err();
        assert!(error.to_string().contains("an application needs arguments"), "{wrong}: {error}");
    }
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
    let counts: Vec<usize> = lower::unfold_script(script, Alphabet::Unicode, |_| false)
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
    let unfolded = lower::unfold(problem, Alphabet::Unicode, |_| false).unwrap();
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

/// What `text` asks in an alphabet, or why it is refused.
fn read_over(alphabet: Alphabet, text: &str) -> Result<harness_theory::Script, ReadError> {
    harness_smtlib::read_in(text.as_bytes(), alphabet)
}

/// Whether the only query holds for every variable's default value.
fn holds(alphabet: Alphabet, text: &str) -> bool {
    let problem = read_over(alphabet, text).unwrap().queries.remove(0).problem;
    harness_check::model::check(&problem, &Assignment::new(), alphabet) == ModelVerdict::Holds
}

#[test]
fn a_character_of_two_units_is_two_characters_in_utf16() {
    for literal in ["\\u{1F600}", "\\u{1f600}", "\\u{D83D}\\u{DE00}", "\\uD83D\\uDE00"] {
        let text = |length: u32| format!("(assert (= (str.len \"{literal}\") {length}))(check-sat)");
        assert!(holds(Alphabet::Utf16, &text(2)), "{literal}");
        let units = if literal.contains("DE00") { 2 } else { 1 };
        assert!(holds(Alphabet::Unicode, &text(units)), "{literal}");
    }
    // Java's "\u{1F600}x".indexOf("x") is 2, and so it is below operations of the script's own dialects.
    assert!(holds(Alphabet::Utf16, "(assert (= (java.indexOf \"\\u{1F600}x\" \"x\") 2))(check-sat)"));
    assert!(holds(
        Alphabet::Utf16,
        "(assert (str.in_re \"a\\u{1F600}\" (re.++ (str.to_re \"a\") (re.* (str.to_re \"\\u{1F600}\")))))(check-sat)"
    ));
    assert!(holds(Alphabet::Utf16, "(assert (= (str.to_code (str.at \"\\u{1F600}\" 1)) 56832))(check-sat)"));
}

#[test]
fn what_is_not_in_the_alphabet_is_refused_with_its_place_and_name() {
    for (alphabet, text, message) in [
        (
            Alphabet::Ascii,
            "(assert\n (= \"\\u{e9}\" \"\"))",
            "line 2 column 5: the literal has U+00E9, which is not in the alphabet ascii; choose a larger one",
        ),
        (
            Alphabet::Latin1,
            "(assert (str.in_re \"\" (str.to_re \"a\\u{100}\")))",
            "line 1 column 34: the literal has U+0100, which is not in the alphabet latin1; choose a larger one",
        ),
        (
            Alphabet::Latin1,
            "(assert (= \"\" (_ char #x1F600)))",
            "line 1 column 23: U+1F600 is no character of the alphabet latin1",
        ),
        (
            Alphabet::Utf16,
            "(assert (= \"\" (_ char #x1F600)))",
            "line 1 column 23: U+1F600 is no character of the alphabet utf16",
        ),
        (
            Alphabet::Utf16,
            "(assert (str.in_re \"\" (re.range \"a\" \"\\u{1F600}\")))",
            "line 1 column 23: a range ends at one character, and U+1F600 is two in the alphabet utf16; choose unicode",
        ),
    ] {
        let error = read_over(alphabet, text).unwrap_err();
        assert_eq!(error.kind, harness_smtlib::ErrorKind::Unsupported);
        assert_eq!(error.to_string(), message);
    }
    assert!(
        read_over(Alphabet::Unicode, "(assert (str.in_re \"\" (re.range \"a\" \"\\u{1F600}\")))").is_ok()
    );
}

#[test]
fn a_qualified_name_is_the_name() {
    let unsat = "(declare-const w String)(declare-fun n () Int)
        (assert (str.in_re w (as re.allchar RegLan)))
        (assert (= (as n Int) (str.len (as w String))))
        (assert (> n 1))(check-sat)";
    let plain = unsat.replace("(as re.allchar RegLan)", "re.allchar");
    let plain = plain.replace("(as n Int)", "n").replace("(as w String)", "w");
    let printed = |text: &str| print::problem(&only_query(text), "QF_SLIA", None);
    assert_eq!(printed(unsat), printed(&plain));
    for (qualified, plain) in [
        ("(= ((as str.len Int) \"a\") 1)", "(= (str.len \"a\") 1)"),
        ("((as = Bool) 1 1)", "(= 1 1)"),
        (
            "(str.in_re \"\" ((as (_ re.loop 1 2) RegLan) re.all))",
            "(str.in_re \"\" ((_ re.loop 1 2) re.all))",
        ),
        ("(as true Bool)", "true"),
        ("(= (as (_ char #x41) String) \"A\")", "(= (_ char #x41) \"A\")"),
        ("(= ((as f Int) 1) 2)", "(= (f 1) 2)"),
    ] {
        let script = |term: &str| format!("(define-fun f ((x Int)) Int (+ x 1))(assert {term})(check-sat)");
        assert_eq!(printed(&script(qualified)), printed(&script(plain)), "{qualified}");
    }
    for (term, message) in [
        ("(as 1 Int)", "a name must stand here"),
        ("(as x)", "'as' takes a name and a sort"),
        ("(= 1 (as \"a\" Int))", "a name must stand here"),
        ("(= 1 ((as str.len String) \"a\"))", "'as' names the sort String, but the term is of sort Int"),
        ("(as z Bool)", "'z' is not declared"),
        ("(as true Int)", "'as' names the sort Int, but the term is of sort Bool"),
    ] {
        let found = error(&format!("(assert {term})"));
        assert!(found.ends_with(message), "{term}: {found}");
    }
}

#[test]
fn sorts_have_names() {
    let sat = "(define-sort Text () String)(define-sort Same (X) X)(define-sort Second (X Y) Y)
        (declare-sort Unused 0)(declare-sort Pair 2)
        (declare-const w Text)(declare-const v (Same Text))(declare-const n (Second (Same Text) (Same Int)))
        (define-sort Language () (RegEx String))(define-fun l () Language re.all)
        (assert (= w (str.++ v \"k\")))(assert (= n (str.len w)))(assert (str.in_re w l))(check-sat)";
    let sorts: Vec<Sort> =
        only_query(sat).variables.iter().map(|v| only_query(sat).terms.variables()[v.index()].sort).collect();
    assert_eq!(sorts, [Sort::String, Sort::String, Sort::Int]);
    // A name lives as long as its level.
    assert!(
        read(b"(push)(define-sort T () Int)(pop)(define-sort T () Bool)(declare-const b T)(assert b)")
            .is_ok()
    );
    for (script, message) in [
        ("(define-sort T () Real)", "the sort 'Real' is not supported"),
        ("(define-sort T (X) X)(declare-const x T)", "the sort 'T' takes 1 arguments, found 0"),
        ("(define-sort T (X) X)(declare-const x (T Int Int))", "the sort 'T' takes 1 arguments, found 2"),
        ("(define-sort T (X) Int)(declare-const x (T Nothing))", "'Nothing' is not a sort"),
        ("(define-sort T () T)", "'T' is not a sort"),
        ("(define-sort Int () Bool)", "'Int' is a sort of the theory and may not be declared"),
        ("(define-sort T () Int)(declare-sort T 0)", "the sort 'T' is declared already"),
        ("(push)(define-sort T () Int)(pop)(declare-const x T)", "'T' is not a sort"),
        ("(define-sort T (X X) X)", "two parameters are called 'X'"),
        ("(define-sort T)", "'define-sort' takes 3 arguments, found 1"),
    ] {
        let found = error(script);
        assert!(found.ends_with(message), "{script}: {found}");
    }
    // Nothing recurses, and nothing doubles.
    let mut deep = String::from("(define-sort S (X) X)(declare-const x ");
    deep.push_str(&"(S ".repeat(200_000));
    deep.push_str("Int");
    deep.push_str(&")".repeat(200_001));
    assert!(read(deep.as_bytes()).is_ok());
    let mut doubling = String::from("(define-sort S0 (X) X)");
    for i in 1..200 {
        doubling.push_str(&format!("(define-sort S{i} (X) (S{} (S{} X)))", i - 1, i - 1));
    }
    assert!(read(format!("{doubling}(declare-const x (S199 Int))").as_bytes()).is_ok());
}

#[test]
fn a_comment_ends_with_its_line_however_that_ends() {
    for end in ["\n", "\r", "\r\n"] {
        let text = format!("; no word{end}(assert false){end}(check-sat)({end}");
        assert_eq!(only_query(&text.replace("(check-sat)(", "(check-sat)")).assertions.len(), 1, "{end:?}");
        assert_eq!(error(&text), "line 3 column 12: '(' is never closed", "{end:?}");
    }
}

#[test]
fn a_model_gives_a_variable_one_value() {
    let problem = only_query("(declare-const s String)(check-sat)");
    let twice = b"((define-fun s () String \"a\")\n(define-fun s () String \"b\"))";
    let same = b"((define-fun s () String \"a\"))((s \"a\"))";
    assert_eq!(model::read(same, &problem, Alphabet::Unicode).unwrap().unwrap().values.len(), 1);
    let error = model::read(twice, &problem, Alphabet::Unicode).unwrap_err();
    assert_eq!(error.to_string(), "line 2 column 13: the model gives 's' two values");
}

//! Every strategy for string constraints on problems that some of them once called unsatisfiable.

#![cfg(feature = "z3")]
use std::time::Duration;

use backends_api::{BackendError, Budget, Probe, Resolved, Strategy};
use harness_model::{Alphabet, Outcome, Question, Verdict};

/// Satisfiable ones over ASCII.
const SATISFIABLE: &[&str] = &[
    // Literals with characters that the alphabet does not have, in results.
    "(declare-const s String)(assert (= (str.len (java.trim (str.++ s \"\\u{c0} \"))) 2))",
    "(declare-const s String)(assert (= (str.len (java.strip (str.++ s \"\\u{c0} \"))) 2))",
    "(declare-const s String)(assert (= s \"a\"))(assert (= (str.len (str.++ s \"\\u{c0}\")) 2))",
    "(declare-const s String)(declare-const c Int)(assert (= c (java.charAt (str.++ s \"\\u{c0}\") 0)))(assert (= (str.len s) 0))",
    "(declare-const s String)(declare-const c Int)(assert (= c (java.charAt (str.++ s \"\\u{c0}\") 0)))(assert (<= 128 c))",
    "(declare-const i Int)(assert (= 233 (java.charAt \"\\u{e9}\" i)))",
    "(declare-const x String)(assert (= (str.++ x \"\\u{e9}\") \"\\u{e9}\"))",
    "(declare-const x String)(assert (= (str.to_code (str.++ x \"\\u{e9}\")) 233))",
    // A number beyond what bounds of numbers reach: s is 2000000000000000000.
    "(declare-const s String)(declare-const n Int)
     (assert (str.in_re s (re.++ (re.opt (re.union (str.to_re \"+\") (str.to_re \"-\"))) (re.+ (re.range \"0\" \"9\")))))
     (assert (= n (ite (str.prefixof \"-\" s) (- (str.to_int (str.substr s 1 (- (str.len s) 1))))
       (ite (str.prefixof \"+\" s) (str.to_int (str.substr s 1 (- (str.len s) 1))) (str.to_int s)))))
     (assert (>= n 1152921504606846977))(assert (str.prefixof \"2\" s))",
    // The least number of 64 bits has no opposite among them.
    "(declare-const x Int)(declare-const s String)(assert (>= x (- 9223372036854775808)))(assert (= (str.len s) 1))",
];

fn ask(strategy: &dyn Strategy, script: &str, time: Duration) -> Result<Outcome, BackendError> {
    let text = format!("{script}(check-sat)");
    let question = Question::of_script(Alphabet::Ascii, text, 1);
    let (budget, probe) = (Budget::with_time(time), Probe::new());
    strategy.prepare(&question, &budget, &probe)?.run(&probe)
}

#[test]
fn nobody_says_unsat_of_what_is_satisfiable() {
    let mut answered = 0;
    for strategy in backends::registry().listed().iter().map(Resolved::build) {
        let name = strategy.info().name;
        if name.starts_with("test-") {
            continue; // They misbehave on purpose.
        }
        for script in SATISFIABLE {
            match ask(strategy.as_ref(), script, Duration::from_millis(400)) {
                Ok(outcome) => {
                    // What is said within bounds that are named claims nothing beyond them.
                    assert_ne!(outcome.answers[0].verdict, Verdict::Unsat, "{name}: {script}");
                    answered += usize::from(outcome.answers[0].verdict == Verdict::Sat);
                }
                Err(BackendError::Internal(defect)) => panic!("{name}: {defect}: {script}"),
                Err(_) => {}
            }
        }
    }
    assert!(answered >= 20, "{answered}");
}

/// One node that is too large does not take the others' answers away.
#[test]
fn a_node_that_is_too_large_is_unknown() {
    let text = "(set-info :path-tree t)(declare-const s String)(push 1)(assert (= s \"a\"))(check-sat)(pop 1)(push 1)
        (assert (str.in_re s (re.opt ((_ re.^ 2000) ((_ re.^ 2000) (re.range \"a\" \"b\"))))))(check-sat)(pop 1)";
    let question = Question::of_script(Alphabet::Ascii, text, 2);
    for name in ["hybrid", "hybrid-full", "graph-automata-ranges"] {
        let strategy = backends::registry().resolve(name).unwrap().build();
        let (budget, probe) = (Budget::unlimited(), Probe::new());
        let outcome = strategy.prepare(&question, &budget, &probe).unwrap().run(&probe).unwrap();
        let verdicts: Vec<Verdict> = outcome.answers.iter().map(|a| a.verdict).collect();
        assert_eq!(verdicts, [Verdict::Sat, Verdict::Unknown], "{name}");
        assert!(outcome.answers[1].reason.is_some(), "{name}");
    }
}

/// A character that is replaced everywhere is gone: languages of words of any length show it, where no guess
/// of a length ends.
#[test]
fn what_is_replaced_everywhere_is_gone() {
    let chain = ('A'..='Z').fold("s".to_owned(), |inner, c| {
        format!("(str.replace_all {inner} \"{c}\" \"{}\")", c.to_ascii_lowercase())
    });
    let cases = [
        ("(str.suffixof \"A\" (str.replace_all s \"A\" \"a\"))".to_owned(), Verdict::Unsat),
        ("(str.suffixof \"a\" (str.replace_all s \"A\" \"a\"))".to_owned(), Verdict::Sat),
        ("(str.contains (str.replace_all s \"A\" \"\") \"bA\")".to_owned(), Verdict::Unsat),
        ("(str.contains (str.replace_all s \"A\" \"xy\") \"bA\")".to_owned(), Verdict::Unsat),
        ("(str.contains (str.replace_all s \"A\" \"A\") \"bA\")".to_owned(), Verdict::Sat),
        ("(str.prefixof \"bA\" (str.replace_all s \"A\" \"AA\"))".to_owned(), Verdict::Sat),
        ("(and (str.in_re s (re.+ (str.to_re \"A\"))) (str.contains (str.replace_all s \"A\" \"b\") \"bab\"))".to_owned(), Verdict::Unsat),
        ("(and (= (str.replace_all s \"A\" \"b\") \"cbc\") (not (str.contains s \"A\")) (not (= s \"cbc\")))".to_owned(), Verdict::Unsat),
        (format!("(str.suffixof \".JAR\" {chain})"), Verdict::Unsat),
        (format!("(and (str.suffixof \".jar\" {chain}) (str.prefixof \"X\" s))"), Verdict::Sat),
        (format!("(= {chain} \"Mm\")"), Verdict::Unsat),
        // Under a number that stands for a truth value.
        (format!("(not (= (ite (str.suffixof \".JAR\" {chain}) 1 0) 0))"), Verdict::Unsat),
        (format!("(= 0 (ite (str.suffixof \".JAR\" {chain}) 1 0))"), Verdict::Sat),
        ("(ite (str.suffixof \"A\" (str.replace_all s \"A\" \"a\")) true false)".to_owned(), Verdict::Unsat),
        ("(not (ite (str.suffixof \"A\" (str.replace_all s \"A\" \"a\")) false true))".to_owned(), Verdict::Unsat),
        ("(= \"b\" (ite (= s \"c\") \"a\" \"a\"))".to_owned(), Verdict::Unsat),
        ("(not (= 1 (ite (= s \"c\") 1 1)))".to_owned(), Verdict::Unsat),
        ("(= 1 (ite (= s \"c\") 1 1))".to_owned(), Verdict::Sat),
    ];
    for (asserted, verdict) in cases {
        let script = format!("(declare-const s String)(assert {asserted})");
        let strategy = backends::registry().resolve("graph-automata-free-ranges").unwrap().build();
        // Far more than it takes on a busy machine.
        let outcome = ask(strategy.as_ref(), &script, Duration::from_secs(60)).unwrap();
        assert_eq!(outcome.answers[0].verdict, verdict, "{script}");
    }
}

//! What the judge makes of answers to scripts of string constraints.

mod common;

use common::{answered, ended, expecting, model, says, script, unknown};
use harness_judge::{ModelCheck, Severity, Verdicts, check_model, judge};
use harness_model::record::{Record, Termination, TimeLimit};
use harness_model::{Alphabet, Answer, Expected, Status, Task, Verdict};
use proptest::prelude::*;

const PREFIX: &str =
    "(declare-const s String)\n(assert (str.prefixof \"a\" s))\n(assert\n  (= (str.len s) 2))\n(check-sat)\n";

fn one(task: &Task, records: &[Record]) -> Verdicts {
    judge(std::slice::from_ref(task), records)
}

fn statuses(verdicts: &Verdicts) -> Vec<Status> {
    verdicts.judgements.iter().map(|j| j.status).collect()
}

fn value(text: &str) -> String {
    format!("((define-fun s () String \"{text}\"))")
}

#[test]
fn a_model_that_holds_is_a_proof() {
    let task = script("t", PREFIX, 1);
    let honest = answered(&task, "honest", vec![model(&value("ab"))]);
    let liar = answered(&task, "liar", vec![says(Verdict::Unsat)]);
    let found = one(&task, &[honest.clone(), liar.clone()]);
    assert_eq!(statuses(&found), [Status::Answered(Verdict::Sat), Status::Wrong]);
    let detail = &found.judgements[1].detail;
    assert!(
        detail.starts_with("said unsat, but the model ((define-fun s () String \"ab\")) of honest"),
        "{detail}"
    );
    assert_eq!(found.judgements[0].witness.as_deref(), Some("((define-fun s () String \"ab\"))"));
    assert_eq!(found.disagreements.len(), 1);
    assert_eq!(found.severity(), Severity::Wrong);

    // It beats any number of contrary verdicts and the corpus.
    let task = expecting(task, &[Verdict::Unsat]);
    let mut records = vec![liar.clone(), liar.clone(), liar, honest];
    records[1].key.strategy = "second liar".into();
    let found = one(&task, &records);
    assert_eq!(statuses(&found)[3], Status::Answered(Verdict::Sat));
    let settled = found.disagreements[0].settled.as_deref().unwrap();
    assert!(settled.contains("'unsat' is wrong, which t expects (a corpus)"), "{settled}");
}

#[test]
fn a_model_that_fails_names_the_assertion() {
    let task = script("t", PREFIX, 1);
    let record = answered(&task, "bad", vec![model(&value("ba"))]);
    let late = ended(&task, "late", Termination::Timeout(TimeLimit::Wall), vec![]);
    let found = one(&task, &[record, late]);
    assert_eq!(statuses(&found), [Status::InvalidModel, Status::Timeout]);
    assert_eq!(
        found.judgements[0].detail,
        "the model makes the assertion of line 2 false: (str.prefixof \"a\" s)"
    );
    assert!(found.disagreements.is_empty(), "a bad model proves nothing");
    assert_eq!(found.severity(), Severity::InvalidModel);

    let long = answered(&task, "bad", vec![model(&value("abc"))]);
    let found = one(&task, &[long]);
    assert_eq!(
        found.judgements[0].detail,
        "the model makes the assertion of line 4 false: (= (str.len s) 2)"
    );

    // Where the answer is known to be unsat, it is wrong besides.
    let task = expecting(
        script("t", "(declare-const s String)(assert (= (str.len s) (- 1)))(check-sat)", 1),
        &[Verdict::Unsat],
    );
    let found = one(&task, &[answered(&task, "bad", vec![model(&value("ba"))])]);
    assert_eq!(statuses(&found), [Status::Wrong]);
}

#[test]
fn a_late_model_counts_as_proof() {
    let task = script("t", PREFIX, 1);
    let late = ended(&task, "late", Termination::Timeout(TimeLimit::Wall), vec![model(&value("ab"))]);
    let liar = answered(&task, "liar", vec![says(Verdict::Unsat)]);
    let found = one(&task, &[late, liar]);
    assert_eq!(statuses(&found), [Status::Timeout, Status::Wrong]);
    assert_eq!(found.disagreements[0].said[0], ("late (too late)".to_owned(), Verdict::Sat));
}

#[test]
fn answers_before_a_limit_are_held_against_the_others() {
    let second = "(assert (str.prefixof \"b\" s))\n(check-sat)\n";
    let task = script("t", &format!("{PREFIX}{second}{second}"), 3);
    let stopped = |answers| ended(&task, "stopped", Termination::Timeout(TimeLimit::Cpu), answers);
    let fine = stopped(vec![model(&value("ab")), says(Verdict::Unsat)]);
    let found = one(&task, &[fine]);
    assert_eq!(statuses(&found), [Status::Timeout]);
    let detail = &found.judgements[0].detail;
    assert!(detail.ends_with("; 2 of 3 answered before: 1 sat, 1 unsat"), "{detail}");
    assert_eq!((found.disagreements.len(), found.severity()), (0, Severity::Fine));

    // A refutation that a model of another strategy refutes.
    let wrong = stopped(vec![says(Verdict::Unsat), says(Verdict::Unsat)]);
    let honest =
        answered(&task, "honest", vec![model(&value("ab")), says(Verdict::Unsat), says(Verdict::Unsat)]);
    let found = one(&task, &[wrong, honest]);
    assert_eq!(statuses(&found), [Status::Wrong, Status::Answered(Verdict::Sat)]);
    let detail = &found.judgements[0].detail;
    assert!(detail.starts_with("1 unsat, 1 wrong; first") && detail.contains("CPU limit"), "{detail}");
    assert_eq!(found.disagreements.len(), 1);

    let invalid = stopped(vec![model(&value("ba"))]);
    assert_eq!(statuses(&one(&task, &[invalid])), [Status::InvalidModel]);

    // All answers, and too late: they claim nothing.
    let late = stopped(vec![says(Verdict::Unsat); 3]);
    let honest = answered(&task, "honest", vec![model(&value("ab")), unknown(), unknown()]);
    let found = one(&task, &[late, honest]);
    assert_eq!(statuses(&found), [Status::Timeout, Status::Answered(Verdict::Sat)]);
    assert!(found.judgements[0].detail.ends_with("late verdicts 3 unsat, not counted"));
}

#[test]
fn values_in_every_form() {
    let text = "(declare-const out String)(declare-const s String)(declare-const idle Int)(declare-const t String)\n\
                (assert (= out \"f--g\"))(assert (= (str.len t) 2))(assert (= (str.to_code (str.at t 1)) 0))(check-sat)";
    let script_of = || harness_smtlib::read(text.as_bytes()).unwrap().queries.remove(0);
    let check = |model: &str| check_model(text, &script_of(), model, Alphabet::Unicode);
    let out = "(define-fun out () String (str.replace_re_all \"foog\" (str.to_re \"o\") \"-\"))";
    let t = "(define-fun t () String \"\\\\u{0}\")";
    assert!(
        matches!(check(&format!("(model {out} {t})")), ModelCheck::Holds(_)),
        "what is missing may be anything"
    );
    assert!(matches!(check(&format!("sat\n({out}\n{t})")), ModelCheck::Holds(_)));
    let witness = "(define-fun s () String (witness ((w String)) (= (str.len w) 70000)))";
    assert!(matches!(check(&format!("({out} {witness} {t})")), ModelCheck::Unvalidated(_)));
    assert!(matches!(check("(error \"no model\")"), ModelCheck::Unvalidated(_)));
    let ascii = |model: &str| check_model(text, &script_of(), model, Alphabet::Ascii);
    let foreign = ascii(&format!("({out} {t} (define-fun s () String \"\\u{{e9}}\"))"));
    assert_eq!(
        foreign,
        ModelCheck::Fails("the model's value of 's' contains U+00E9, which is not in ascii".into())
    );
}

/// Models of the script itself: tables, elements of declared sorts and bit-vectors, as Z3 and cvc5 write
/// them.
#[test]
fn models_in_the_terms_of_the_script() {
    let text = "(define-fun two () Int 2)(declare-const n Int)(declare-sort Obj 0)(declare-fun f (String) String)\n\
                (declare-fun g (Obj Int) Obj)(declare-const o Obj)(declare-const p Obj)(declare-const b (_ BitVec 8))\n\
                (assert (= (f (f \"a\")) (f \"zz\")))\n(assert (= (f \"a\") \"x\"))\n(assert (not (= (g o 1) (g p n))))\n\
                (assert (= (bvand b #x0f) #x05))\n(assert (= n two))(check-sat)";
    let query = harness_smtlib::read(text.as_bytes()).unwrap().queries.remove(0);
    let check = |model: &str| check_model(text, &query, model, Alphabet::Unicode);
    let z3 = "(\n;; universe\n(declare-fun Obj!val!0 () Obj)\n(declare-fun Obj!val!1 () Obj)\n\
              (forall ((x Obj)) (or (= x Obj!val!0) (= x Obj!val!1)))\n(define-fun n () Int 2)\n\
              (define-fun b () (_ BitVec 8) #x15)(define-fun o () Obj Obj!val!0)(define-fun p () Obj Obj!val!1)\n\
              (define-fun k!0 ((x String)) Bool (= x (seq.unit (_ Char 97))))\n\
              (define-fun f ((x!0 String)) String (ite (k!0 x!0) \"x\" \"\"))\n\
              (define-fun g ((x!0 Obj) (x!1 Int)) Obj (ite (and (= x!0 Obj!val!0) (= x!1 1)) Obj!val!0 Obj!val!1)))";
    assert!(matches!(check(z3), ModelCheck::Holds(_)), "{:?}", check(z3));
    let cvc5 = "sat\n(\n; rep: (as @Obj_0 Obj)\n(define-fun f ((_arg_1 String)) String (ite (= \"a\" _arg_1) \"x\" \"\"))\n\
                (define-fun g ((_arg_1 Obj) (_arg_2 Int)) Obj (ite (= (as @Obj_1 Obj) _arg_1) (as @Obj_1 Obj) (as @Obj_0 Obj)))\n\
                (define-fun o () Obj (as @Obj_1 Obj))(define-fun p () Obj (as @Obj_0 Obj))(define-fun n () Int 2)\n\
                (define-fun b () (_ BitVec 8) #b00000101))";
    assert!(matches!(check(cvc5), ModelCheck::Holds(_)), "{:?}", check(cvc5));
    for (wrong, why) in [
        (cvc5.replace("\"x\"", "\"y\""), "line 4 false: (= (f \"a\") \"x\")"),
        (cvc5.replace("b00000101", "b00000111"), "line 6 false"),
        (cvc5.replace("() Obj (as @Obj_0 Obj)", "() Obj (as @Obj_1 Obj)"), "line 5 false"),
        (z3.replace("() Int 2", "() Int 3"), "line 7 false"),
    ] {
        assert!(
            matches!(check(&wrong), ModelCheck::Fails(found) if found.contains(why)),
            "{:?}",
            check(&wrong)
        );
    }
    // What the model leaves out may be anything, and what cannot be read is no proof of anything.
    let less = cvc5.replace("(define-fun o ", "(define-fun other ");
    assert!(matches!(check(&less), ModelCheck::Open(_) | ModelCheck::Holds(_)), "{:?}", check(&less));
    let strange = z3.replace("(k!0 x!0)", "(seq.nth x!0 0)");
    assert!(matches!(check(&strange), ModelCheck::Unvalidated(_)), "{:?}", check(&strange));
}

#[test]
fn what_cannot_be_validated_is_unconfirmed() {
    let task = script("t", PREFIX, 1);
    let odd = "((define-fun s () String (witness ((w String)) (= (str.len w) 2))))";
    let found = one(
        &task,
        &[answered(&task, "odd", vec![model(odd)]), answered(&task, "terse", vec![says(Verdict::Sat)])],
    );
    // A model that cannot be evaluated proves nothing; that there is none is said, and left to the reader.
    assert_eq!(statuses(&found), [Verdict::Unknown, Verdict::Sat].map(Status::Answered));
    assert!(
        found.judgements[0].detail.contains("nothing confirms: the model is not validated: "),
        "{}",
        found.judgements[0].detail
    );
    assert_eq!(found.judgements[1].detail, "no witness: no reason given");
    assert_eq!(found.notes.len(), 1, "{:?}", found.notes);
    assert_eq!(found.severity(), Severity::Fine);
}

#[test]
fn a_bound_contradicts_nothing() {
    let task = expecting(script("t", PREFIX, 1), &[Verdict::Sat]);
    let bounded = answered(&task, "bounded", vec![says(Verdict::UnsatWithinBound)]);
    let honest = answered(&task, "honest", vec![model(&value("ab"))]);
    let found = one(&task, &[bounded.clone(), honest]);
    assert_eq!(
        statuses(&found),
        [Status::Answered(Verdict::UnsatWithinBound), Status::Answered(Verdict::Sat)]
    );
    assert!(found.disagreements.is_empty());
    assert_eq!(found.notes.len(), 1);
    assert!(
        found.notes[0]
            .starts_with("bounded: 1 verdict 'unsat-within-bound' is of a problem that has a model")
    );
    assert_eq!(found.severity(), Severity::Fine);
    assert!(one(&task, &[bounded]).notes.is_empty());

    let task = expecting(task, &[Verdict::Unsat]);
    let bounded = answered(&task, "bounded", vec![says(Verdict::UnsatWithinBound)]);
    let unsat = answered(&task, "unsat", vec![says(Verdict::Unsat)]);
    let found = one(&task, &[bounded, unsat]);
    assert_eq!(found.severity(), Severity::Fine);
    assert!(found.notes.is_empty());
}

#[test]
fn a_status_line_is_a_voice_and_no_proof() {
    let mut task =
        script("t", "(set-info :status sat)(declare-const s String)(assert (< (str.len s) 0))(check-sat)", 1);
    let claim = |verdict| Expected { verdicts: vec![verdict], source: "set-info :status in t.smt2".into() };
    task.expected = Some(claim(Verdict::Sat));
    let records =
        [answered(&task, "a", vec![says(Verdict::Unsat)]), answered(&task, "b", vec![says(Verdict::Unsat)])];
    let found = one(&task, &records);
    assert_eq!(statuses(&found), [Status::Answered(Verdict::Unsat); 2], "nobody is wrong by such a line");
    assert_eq!(found.disagreements.len(), 1);
    assert_eq!(found.disagreements[0].settled, None);
    assert_eq!(found.severity(), Severity::Wrong);

    // A corpus that knows better than the file says so.
    let task = expecting(task, &[Verdict::Unsat]);
    let found = one(&task, &records);
    assert_eq!(found.severity(), Severity::Fine);
    assert_eq!(
        found.notes,
        ["t: the :status line before line 1 says 'sat', but 'unsat' is expected (a corpus)"]
    );

    // A model against such a line.
    let mut task = script("t", PREFIX, 1);
    task.expected = Some(claim(Verdict::Unsat));
    let found = one(&task, &[answered(&task, "a", vec![model(&value("ab"))])]);
    assert_eq!(statuses(&found), [Status::Answered(Verdict::Sat)]);
    assert!(found.disagreements[0].settled.as_deref().unwrap().contains("is wrong, which"));
}

#[test]
fn several_queries() {
    let text = "(declare-const s String)(push)(assert (= s \"a\"))(check-sat)(pop)\n(assert (= s \"b\"))\n(check-sat)\n(check-sat)";
    let task = script("t", text, 3);
    let run = |name: &str, answers: Vec<Answer>| answered(&task, name, answers);
    let found = one(
        &task,
        &[
            run("good", vec![model(&value("a")), model(&value("b")), model(&value("b"))]),
            run("late", vec![model(&value("a")), unknown(), says(Verdict::UnsatWithinBound)]),
            run("bad", vec![model(&value("a")), says(Verdict::Unsat), model(&value("a"))]),
            run("short", vec![model(&value("a"))]),
            run("odd", vec![says(Verdict::Empty), unknown(), unknown()]),
        ],
    );
    let sat = Status::Answered(Verdict::Sat);
    assert_eq!(statuses(&found), [sat, sat, Status::Wrong, Status::Error, Status::Error]);
    let detail = |i: usize| found.judgements[i].detail.as_str();
    assert_eq!(detail(0), "3 sat");
    assert_eq!(detail(1), "1 sat, 1 unknown, 1 unsat-within-bound");
    assert!(
        detail(2).starts_with("1 invalid-model, 1 sat, 1 wrong; first the check-sat of line 3: said unsat"),
        "{}",
        detail(2)
    );
    assert_eq!(detail(3), "incomplete: answered 1 of 3 check-sats");
    assert_eq!(detail(4), "answered 'empty' to the check-sat of line 1, which is no verdict of a problem");
    assert_eq!(found.judgements[0].witness.as_deref(), Some("3"));
}

#[test]
fn no_verdict_counts_on_an_illegal_script() {
    let task = script("t", "(declare-const s String)\n(assert (= s 1))(check-sat)", 1);
    let found = one(&task, &[answered(&task, "a", vec![says(Verdict::Unsat)])]);
    assert_eq!(statuses(&found), [Status::Error]);
    assert!(found.judgements[0].detail.contains("line 2 column 9"), "{}", found.judgements[0].detail);
}

/// Whether a conjunct holds for two words and a number.
type Holds = fn(&str, &str, usize) -> bool;

/// A small conjunction about two strings over `a` and `b`, and whether a pair of words satisfies it.
fn conjunct() -> impl Strategy<Value = (String, Holds, usize)> {
    let kinds: [(&str, Holds); 6] = [
        ("(= (str.len s) N)", |s, _, n| s.len() == n),
        ("(> (str.len t) N)", |_, t, n| t.len() > n),
        ("(str.prefixof s t)", |s, t, _| t.starts_with(s)),
        ("(not (str.contains t s))", |s, t, _| !t.contains(s)),
        ("(= (str.++ s t) (str.++ t s))", |s, t, _| format!("{s}{t}") == format!("{t}{s}")),
        ("(str.in_re s (re.+ (str.to_re \"ab\")))", |s, _, _| {
            !s.is_empty() && s.replace("ab", "").is_empty() && s.len() % 2 == 0
        }),
    ];
    (prop::sample::select(kinds.to_vec()), 0..4_usize)
        .prop_map(|((text, holds), n)| (text.replace('N', &n.to_string()), holds, n))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_flipped_verdict_with_a_known_model_is_always_flagged(
        conjuncts in prop::collection::vec(conjunct(), 1..4),
        s in "[ab]{0,4}",
        t in "[ab]{0,4}",
        expects in any::<bool>(),
        turn in 0..2_usize,
    ) {
        let assertions: String = conjuncts.iter().map(|(text, ..)| format!("(assert {text})\n")).collect();
        let text = format!("(declare-const s String)\n(declare-const t String)\n{assertions}(check-sat)\n");
        let task = script("t", &text, 1);
        let task = if expects { expecting(task, &[Verdict::Sat]) } else { task };
        let holds = conjuncts.iter().all(|(_, holds, n)| holds(&s, &t, *n));
        let claim = model(&format!("((define-fun s () String \"{s}\")(define-fun t () String \"{t}\"))"));
        let mut records = vec![
            answered(&task, "claims", vec![claim]),
            answered(&task, "flips", vec![says(Verdict::Unsat)]),
        ];
        records.rotate_left(turn);
        let found = one(&task, &records);
        let status = |name: &str| {
            let at = records.iter().position(|r| r.key.strategy == name).unwrap();
            found.judgements[at].status
        };
        if holds {
            prop_assert_eq!(status("claims"), Status::Answered(Verdict::Sat));
            prop_assert_eq!(status("flips"), Status::Wrong);
            prop_assert_eq!(found.severity(), Severity::Wrong);
        } else {
            prop_assert_eq!(status("claims"), Status::InvalidModel);
            let flipped = if expects { Status::Wrong } else { Status::Answered(Verdict::Unsat) };
            prop_assert_eq!(status("flips"), flipped);
        }
    }
}

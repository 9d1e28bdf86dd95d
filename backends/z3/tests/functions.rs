//! Problems without functions, arrays and bit-vectors are equisatisfiable with the scripts that have them: Z3
//! on the text of a script, against Z3 on the problem that the script is read into.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use std::cell::Cell;
use std::time::Duration;

use backends_api::{Budget, Probe};
use backends_z3::native::{SolverResult, solve};
use harness_model::Alphabet;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use z3::{Params, SatResult, Solver};

const DECLARATIONS: &str = "(declare-sort U 0)(declare-fun name (U) String)(declare-fun mark (U Int) Bool)
    (declare-fun next (U) U)(declare-fun length ((Array Int String)) Int)(declare-fun count (String) Int)(declare-fun of (Int) U)
    (declare-const u U)(declare-const v U)(declare-const s String)(declare-const t String)
    (declare-const m Int)(declare-const n Int)(declare-const p Bool)
    (declare-const a (Array Int String))(declare-const b (Array Int String))(declare-const c (Array Int U))
    (declare-const x (_ BitVec 3))(declare-const y (_ BitVec 3))
    (define-fun same ((l U) (r U)) Bool (and (= (name l) (name r)) (= (count (name l)) m)))\n";

/// Makes terms of one sort each, from numbers.
struct Draw<'n> {
    numbers: std::slice::Iter<'n, u8>,
}

impl Draw<'_> {
    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.numbers.next().copied().unwrap_or(0)) % bound
    }

    fn element(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 2 } else { 6 }) {
            0 => "u".to_owned(),
            1 => "v".to_owned(),
            2 => format!("(next {})", self.element(depth - 1)),
            3 => format!("(of {})", self.int(depth - 1)),
            4 => format!("(select c {})", self.int(depth - 1)),
            _ => format!("(ite p {} {})", self.element(depth - 1), self.element(depth - 1)),
        }
    }

    fn array(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 2 } else { 5 }) {
            0 => "a".to_owned(),
            1 => "b".to_owned(),
            2 => format!("(ite p {} {})", self.array(depth - 1), self.array(depth - 1)),
            _ => {
                let (before, place) = (self.array(depth - 1), ["m", "n", "1"][self.below(3)]);
                format!("(store {before} {place} {})", ["s", "\"ab\"", "(select b n)"][self.below(3)])
            }
        }
    }

    fn string(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 4 } else { 7 }) {
            0 => "s".to_owned(),
            1 => "t".to_owned(),
            2 => "\"ab\"".to_owned(),
            3 => "\"\"".to_owned(),
            4 => format!("(name {})", self.element(depth - 1)),
            5 => format!("(select {} {})", self.array(2), self.int(depth - 1)),
            _ => format!("(str.++ {} \"b\")", self.string(depth - 1)),
        }
    }

    fn int(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 4 } else { 7 }) {
            0 => "m".to_owned(),
            1 => "n".to_owned(),
            2 => "1".to_owned(),
            3 => "(- 1)".to_owned(),
            4 => format!("(count {})", self.string(depth - 1)),
            5 => format!("(str.len {})", self.string(depth - 1)),
            _ => format!("(bv2nat {})", self.bits(depth - 1)),
        }
    }

    fn bits(&mut self, depth: usize) -> String {
        let function =
            ["bvand", "bvor", "bvxor", "bvadd", "bvsub", "bvmul", "bvudiv", "bvshl", "bvlshr", "bvashr"];
        match self.below(if depth == 0 { 3 } else { 5 }) {
            0 => "x".to_owned(),
            1 => "y".to_owned(),
            2 => "#b101".to_owned(),
            3 => format!("((_ int2bv 3) {})", self.int(depth - 1)),
            _ => {
                let function = function[self.below(function.len())];
                format!("({function} {} {})", self.bits(depth - 1), self.bits(depth - 1))
            }
        }
    }

    fn formula(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 9 } else { 12 }) {
            0 => format!("(= {} {})", self.element(1), self.element(2)),
            1 => format!("(= {} {})", self.string(1), self.string(2)),
            2 => format!("(<= {} {})", self.int(1), self.int(2)),
            3 => format!("(= {} {})", self.int(1), self.int(2)),
            4 => format!("(mark {} {})", self.element(1), self.int(1)),
            5 => format!("(same {} {})", self.element(1), self.element(1)),
            6 => format!("(= {} {})", self.bits(1), self.bits(2)),
            7 => format!("(bvslt {} {})", self.bits(1), self.bits(1)),
            8 => format!("(= {} {})", self.array(1), self.array(2)),
            9 => format!("(or {} {})", self.formula(depth - 1), self.formula(depth - 1)),
            10 => format!("(= (length {}) {})", self.array(1), self.int(1)),
            _ => format!("(not {})", self.formula(depth - 1)),
        }
    }
}

/// What Z3 says of the text.
fn said_of_text(text: &str) -> Option<bool> {
    let solver = Solver::new();
    let mut parameters = Params::new();
    parameters.set_u32("timeout", 2_000);
    solver.set_params(&parameters);
    solver.from_string(text);
    match solver.check() {
        SatResult::Sat => Some(true),
        SatResult::Unsat => Some(false),
        SatResult::Unknown => None,
    }
}

/// What Z3 says of the problem that the text is read into, within a time.
fn said_of_problem(text: &str, time: Duration) -> Option<bool> {
    let problem = harness_smtlib::read(text.as_bytes()).unwrap_or_else(|e| panic!("{text}\n{e}"));
    let problem = &problem.queries[0].problem;
    let budget = Budget::with_time(time);
    match solve(problem, Alphabet::Unicode, &budget, &Probe::new()) {
        Ok(SolverResult::Unsat) => Some(false),
        Ok(SolverResult::Model(assignment)) => {
            let verdict = harness_check::model::check(problem, &assignment, Alphabet::Unicode);
            assert_eq!(verdict, harness_check::model::ModelVerdict::Holds, "{text}");
            Some(true)
        }
        Ok(SolverResult::Unknown(_)) | Err(_) => None,
    }
}

#[test]
fn z3_says_the_same_of_a_script_and_of_what_it_is_read_into() {
    let decided = [Cell::new(0), Cell::new(0)];
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let ran = runner.run(&prop::collection::vec(any::<u8>(), 4..120), |numbers| {
        let mut draw = Draw { numbers: numbers.iter() };
        let mut text = DECLARATIONS.to_owned();
        while !draw.numbers.as_slice().is_empty() {
            match draw.below(6) {
                0 => text.push_str(&format!(
                    "(assert (or {} (exists ((n Int) (u U)) (and {} {}))))\n",
                    draw.formula(1),
                    draw.formula(1),
                    draw.formula(1)
                )),
                _ => text.push_str(&format!("(assert {})\n", draw.formula(2))),
            }
        }
        text.push_str("(check-sat)\n");
        if let (Some(of_text), Some(of_problem)) =
            (said_of_text(&text), said_of_problem(&text, Duration::from_secs(2)))
        {
            prop_assert_eq!(of_text, of_problem, "{}", text);
            decided[usize::from(of_text)].update(|count| count + 1);
        }
        Ok(())
    });
    ran.unwrap_or_else(|failure| panic!("{failure}"));
    // Both answers, often enough to mean something.
    let decided = decided.map(|count| count.get());
    assert!(decided.iter().all(|&count| count >= 40), "{decided:?}");
}

/// A store that nothing but one read mentions.
#[test]
fn what_is_read_of_a_store_is_what_was_stored() {
    let declared = "(declare-const a (Array Int String))(declare-const s (Array String Int))
        (declare-const m (Array Int (Array Int String)))(declare-const c (Array Int String))
        (declare-const i Int)(declare-const x String)(declare-const p Bool)(declare-fun f (Int) (Array Int String))
        (define-fun put ((k Int)) (Array Int String) (store a k \"v\"))";
    for (asserted, verdict) in [
        ("(= (select (store a 1 \"v\") 1) \"w\")", false),
        ("(= (select (store a 1 \"v\") 2) \"w\")", true),
        ("(not (= (select (store a i x) i) x))", false),
        ("(= (select (store a i \"v\") (str.len x)) \"w\")", true),
        ("(not (= (select (store s x 3) x) 3))", false),
        ("(not (= (select (store (store a 1 \"v\") 2 \"w\") 1) \"v\"))", false),
        ("(not (= (select (ite p (store a 1 \"v\") (store c 1 \"v\")) 1) \"v\"))", false),
        ("(not (= (select (put 3) 3) \"v\"))", false),
        ("(exists ((k Int)) (and (= k 3) (= (select (store a k \"q\") 3) \"r\")))", false),
        ("(forall ((k Int)) (= (select (store a 1 \"v\") k) \"w\"))", false),
        ("(not (= (select (select (store m 0 c) 0) 1) (select c 1)))", false),
        ("(not (= (select (store m 0 c) 0) c))", false),
        ("(not (= (select (store (select m 0) 1 \"v\") 1) \"v\"))", false),
        ("(not (= (select (store (f 3) 2 \"v\") 2) \"v\"))", false),
    ] {
        let text = format!("{declared}(assert {asserted})(check-sat)");
        assert_eq!(said_of_text(&text), Some(verdict), "{text}");
        assert_eq!(said_of_problem(&text, Duration::from_secs(5)), Some(verdict), "{text}");
    }
}

/// What holds of everything, where Z3 decides it: by refutation, or because it is told no more.
#[test]
fn what_is_said_of_every_place_is_refuted_where_z3_refutes_it() {
    let declared =
        "(declare-const a (Array Int String))(declare-const b (Array Int String))(declare-const n Int)
        (declare-fun f (Int) Int)(declare-sort U 0)(declare-fun g (U) Int)(declare-const u U)";
    for (asserted, verdict) in [
        ("(assert (forall ((i Int)) (= (select a i) \"x\")))(assert (= (select a n) \"y\"))", false),
        ("(assert (forall ((i Int)) (= (select a i) \"x\")))(assert (= (select b n) \"y\"))", true),
        ("(assert (forall ((i Int)) (and (< (f i) 3) (> (f i) 2))))", false),
        ("(assert (forall ((i U)) (> (g i) 2)))(assert (< (g u) 3))", false),
        ("(assert (forall ((i U)) (> (g i) 2)))(assert (< (g u) 4))", true),
        (
            "(assert (forall ((i Int)) (= (select a i) (select b i))))(assert (not (= (select a n) (select b n))))",
            false,
        ),
        ("(assert (forall ((i Int)) (= (select a i) (select b i))))(assert (not (= a b)))", false),
        (
            "(assert (forall ((i Int)) (= (select a i) \"x\")))(assert (forall ((i Int)) (= (select b i) \"x\")))
             (assert (not (= a b)))",
            false,
        ),
        (
            "(assert (forall ((i Int)) (or (= (select a i) \"x\") (= (select a i) \"y\"))))
             (assert (= n 3))(assert (= (select a (+ n 1)) (str.++ (select a 4) \"x\")))",
            false,
        ),
        // Arrays that nothing tells apart are one argument, and one element.
        (
            "(assert (forall ((i Int)) (= (select a i) (select b i))))(declare-fun h ((Array Int String)) Int)
             (assert (not (= (h a) (h b))))",
            false,
        ),
        (
            "(assert (forall ((i Int)) (= (select a i) (select b i))))
             (declare-const c (Array (Array Int String) Int))(assert (< (select c a) (select c b)))",
            false,
        ),
        (
            "(declare-const c (Array Int (Array Int String)))(declare-const d (Array Int (Array Int String)))
             (assert (forall ((i Int)) (= (select c i) a)))(assert (forall ((i Int)) (= (select d i) b)))
             (assert (forall ((i Int)) (= (select a i) (select b i))))(assert (not (= c d)))",
            false,
        ),
    ] {
        let text = format!("{declared}{asserted}(check-sat)");
        // Far more than it takes on a busy machine.
        assert_eq!(said_of_problem(&text, Duration::from_secs(120)), Some(verdict), "{text}");
        assert!(said_of_text(&text).is_none_or(|said| said == verdict), "{text}");
    }
}

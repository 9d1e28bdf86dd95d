//! Functions without a definition, arrays, bit-vectors, floating-point numbers and recursive definitions,
//! read into problems that have none of them.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::collections::BTreeMap;

use harness_check::Evaluator;
use harness_model::Alphabet;
use harness_model::int::Int;
use harness_smtlib::read;
use harness_theory::{Assignment, Problem, Value};

fn only_query(text: &str) -> Problem {
    read(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}")).queries.remove(0).problem
}

fn error(text: &str) -> String {
    read(text.as_bytes()).unwrap_err().to_string()
}

fn names(problem: &Problem) -> Vec<&str> {
    problem.variables.iter().map(|v| problem.terms.variables()[v.index()].name.as_str()).collect()
}

/// Whether the assertions hold where variables have these values, by name; others have values of default.
fn holds(problem: &Problem, values: &[(&str, Value)]) -> bool {
    let values: BTreeMap<&str, &Value> = values.iter().map(|(name, value)| (*name, value)).collect();
    let assignment: Assignment = problem
        .variables
        .iter()
        .filter_map(|&v| {
            Some((v, (*values.get(problem.terms.variables()[v.index()].name.as_str())?).clone()))
        })
        .collect();
    let mut evaluator = Evaluator::new(&problem.terms, &problem.assertions, Alphabet::Unicode);
    evaluator.all_true(&assignment).unwrap()
}

fn int(value: i64) -> Value {
    Value::Int(Int::from(value))
}

fn string(value: &str) -> Value {
    Value::String(value.into())
}

#[test]
fn an_application_is_a_constant_and_equal_arguments_give_equal_results() {
    let problem = only_query(
        "(declare-sort U 0)(declare-fun f (U Int) String)(declare-fun g (String) Bool)
         (declare-const a U)(declare-const b U)
         (assert (= (f a 1) \"x\"))(assert (not (= (f b 1) \"x\")))(assert (= (f b 2) \"y\"))
         (assert (g (f a 1)))(check-sat)",
    );
    assert_eq!(names(&problem), ["a", "b", "f!1", "f!2", "f!3", "g!4"]);
    let model = |b| {
        let values =
            [("a", int(0)), ("b", int(b)), ("f!1", string("x")), ("f!2", string("z")), ("f!3", string("y"))];
        holds(&problem, &[&values[..], &[("g!4", Value::Bool(true))]].concat())
    };
    assert!(model(1));
    assert!(!model(0), "the arguments are equal and the results are not");
    // The arguments 1 and 2 are never equal: four assertions and one congruence.
    assert_eq!(problem.assertions.len(), 5);
}

#[test]
fn only_what_assertions_reach_is_there() {
    let problem = only_query(
        "(declare-fun f (Int) Int)(declare-const n Int)(define-const unused Int (f (f (f n))))
         (assert (> (f n) 2))(check-sat)",
    );
    assert_eq!(names(&problem), ["n", "f!1"]);
    assert_eq!(problem.assertions.len(), 1);
}

#[test]
fn a_macro_applies_functions_to_its_arguments() {
    let problem = only_query(
        "(declare-fun f (Int) Int)(define-fun twice ((n Int)) Int (f (f n)))(declare-const n Int)
         (assert (= (twice n) 3))(assert (= (twice 4) 5))(check-sat)",
    );
    let chain = |inner: i64, outer: i64| {
        let own = [("n", int(4)), ("f!3", int(7)), ("f!4", int(3))];
        holds(&problem, &[&own[..], &[("f!5", int(inner)), ("f!6", int(outer))]].concat())
    };
    assert_eq!(names(&problem), ["n", "f!3", "f!4", "f!5", "f!6"]);
    assert!(!chain(8, 5) && !chain(7, 5), "n is 4, so both are the same");
}

#[test]
fn names_of_constants_are_free_ones() {
    let problem =
        only_query("(declare-fun f (Int) Int)(assert (= (f 1) 2))(declare-const f!1 Int)(check-sat)");
    assert_eq!(names(&problem), ["f!1", "f!2"]);
}

#[test]
fn levels_end_functions_and_their_applications() {
    let text = "(declare-fun f (Int) Int)(push)(assert (= (f 1) 2))(check-sat)(pop)
                (push)(declare-fun g (Int) Int)(assert (= (f 2) (g 1)))(check-sat)(pop)
                (declare-fun g (Int) Bool)(assert (g 1))(check-sat)";
    let queries = read(text.as_bytes()).unwrap().queries;
    let names: Vec<Vec<&str>> = queries.iter().map(|query| names(&query.problem)).collect();
    assert_eq!(names, [vec!["f!1"], vec!["f!2", "g!3"], vec!["g!4"]]);
}

#[test]
fn sorts_are_checked() {
    let declared = "(declare-sort U 0)(declare-sort V 0)(declare-const u U)(declare-const v V)
        (declare-fun f (U) V)(declare-const a (Array Int U))(declare-const b (_ BitVec 8))(declare-const d Float64)";
    for (term, message) in [
        ("(= u v)", "argument 2 of '=' must be of sort U, not V"),
        ("(= u 1)", "argument 2 of '=' must be of sort U, not Int"),
        ("(= 1 u)", "argument 2 of '=' must be of sort Int, not U"),
        ("(< u 1)", "argument 1 of '<' must not be of sort U"),
        ("u", "a term of sort Bool must stand here, not U"),
        ("(= (f v) v)", "argument 1 must be of sort U, not V"),
        ("(= (f u u) v)", "this function takes 1 arguments, not 2"),
        ("(= f v)", "'f' takes arguments"),
        ("(= (ite true u v) u)", "argument 3 of 'ite' must be of sort U, not V"),
        ("(= (select a u) u)", "argument 2 of 'select' must be of sort Int, not of sort U"),
        ("(= (select u 1) u)", "argument 1 of 'select' must be an array, not of sort U"),
        ("(= a u)", "argument 2 of '=' must be of sort (Array Int U), not U"),
        ("(= b #x123)", "argument 2 of '=' must be of sort (_ BitVec 8), not (_ BitVec 12)"),
        ("(bvult b #x1)", "argument 2 of 'bvult' must be of 8 bits, as the first, not of sort (_ BitVec 4)"),
        ("(= b 3)", "argument 2 of '=' must be of sort (_ BitVec 8), not Int"),
        ("(fp.lt d b)", "argument 2 of 'fp.lt' must be a floating-point number, not of sort (_ BitVec 8)"),
        ("(= ((_ extract 8 0) b) b)", "'extract' cannot have these indices for 8 bits"),
        (
            "(= d ((_ to_fp 11 53) \"a\" d))",
            "argument 1 of 'to_fp' must be a rounding mode, not of sort String",
        ),
        ("(= d (fp.add 0 d d))", "argument 1 of 'fp.add' must be a rounding mode, not of sort Int"),
        (
            "(= d ((_ to_fp_unsigned 11 53) RNE d))",
            "argument 2 of 'to_fp_unsigned' must be a bit-vector, not of sort (_ FloatingPoint 11 53)",
        ),
        ("(forall (x Int) true)", "a variable is a name and a sort, in parentheses"),
        (
            "(= 1 (^ 2 (str.len \"a\")))",
            "'^' is supported between numbers that are written out, up to the exponent 4096",
        ),
        ("(= ((_ int2bv 4) b) b)", "argument 1 of 'int2bv' must be an integer, not of sort (_ BitVec 8)"),
    ] {
        let found = error(&format!("{declared}(assert {term})(check-sat)"));
        assert!(found.ends_with(message), "{term}: {found}");
    }
    // The same sort by two names, and sorts with arguments.
    let text = "(declare-sort P 2)(define-sort Q (X) (P X Int))(declare-const p (P Bool Int))
        (declare-const q (Q Bool))(assert (= p q))(define-sort A (X) (Array Int (Array Int X)))
        (declare-const a (A (Q String)))(assert (= (select a 1) (select a 2)))(check-sat)";
    only_query(text);
}

#[test]
fn what_is_missing_is_refused_where_it_matters() {
    let declared = "(declare-fun f (Float64) Int)(declare-const x Float64)(declare-const y Float64)
        (define-const q Float64 (fp.div RNE x y))(define-fun-rec odd ((n Int)) Bool (ite (= n 0) false (not (odd (- n 1)))))";
    // One application of `f`: whatever the quotient is, it may have any value.
    assert_eq!(names(&only_query(&format!("{declared}(assert (> (f q) 3))(check-sat)"))), ["x", "y", "f!3"]);
    for (asserted, message) in [
        ("(fp.lt q x)", "'fp.div' is not supported"),
        ("(> (f q) (f x))", "'fp.div' is not supported"),
        (
            "(odd 3)",
            "the recursive function 'odd' is not supported: it neither strips characters from one end of a string \
             nor maps each character",
        ),
        ("(forall ((n Int)) (> n 3))", "that arrays are read at or functions are applied to"),
        ("(not (forall ((z Float64)) (= (f z) 3)))", "that arrays are read at or functions are applied to"),
    ] {
        let found = error(&format!("{declared}(assert {asserted})(check-sat)"));
        assert!(found.ends_with(message), "{asserted}: {found}");
    }
}

#[test]
fn what_holds_everywhere_holds_at_every_place_that_is_mentioned_and_at_one_more() {
    let problem = only_query(
        "(declare-const a (Array Int String))(declare-const b (Array Int String))(declare-const n Int)
         (assert (forall ((i Int)) (= (select a i) (select b i))))
         (assert (= (select a 1) \"x\"))(assert (= (select b n) \"y\"))(check-sat)",
    );
    // Both arrays at 1, at n, where they differ if they do, and at another place.
    assert_eq!(names(&problem).iter().filter(|name| name.starts_with("select!")).count(), 8);
    let arrays = only_query(
        "(declare-const a (Array Int String))(declare-const b (Array Int String))
         (assert (forall ((i Int)) (= (select a i) \"x\")))(assert (forall ((i Int)) (= (select b i) \"x\")))
         (assert (not (= a b)))(check-sat)",
    );
    // Two arrays that differ, differ somewhere.
    assert!(names(&arrays).iter().any(|name| name.starts_with("difference!")));
}

/// A generator of numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ (self.0 >> 29)
    }
}

#[test]
fn bit_vectors_are_as_the_machine_has_them() {
    let mut numbers = Numbers(1);
    let signed = |x: u64, bits: u32| ((x << (64 - bits)) as i64) >> (64 - bits);
    for round in 0..400 {
        let bits = [1, 4, 7, 8, 16, 32, 64][round % 7];
        let mask = u64::MAX >> (64 - bits);
        let (a, b) = (numbers.next() & mask, numbers.next() & mask);
        // Small shifts, equal numbers and zeros are as likely as others.
        let b = [b, (b % (u64::from(bits) + 2)) & mask, a, 0][round % 4];
        let shift = u32::try_from(b.min(64)).unwrap();
        let (sa, sb) = (signed(a, bits), signed(b, bits));
        let bool = u64::from;
        let expected = [
            ("(bvand X Y)", a & b),
            ("(bvor X Y)", a | b),
            ("(bvxor X Y)", a ^ b),
            ("(bvnand X Y)", !(a & b) & mask),
            ("(bvnor X Y)", !(a | b) & mask),
            ("(bvxnor X Y)", !(a ^ b) & mask),
            ("(bvnot X)", !a & mask),
            ("(bvneg X)", a.wrapping_neg() & mask),
            ("(bvadd X Y)", a.wrapping_add(b) & mask),
            ("(bvsub X Y)", a.wrapping_sub(b) & mask),
            ("(bvmul X Y)", a.wrapping_mul(b) & mask),
            ("(bvudiv X Y)", a.checked_div(b).unwrap_or(mask)),
            ("(bvurem X Y)", a.checked_rem(b).unwrap_or(a)),
            ("(bvshl X Y)", a.checked_shl(shift).filter(|_| shift < bits).unwrap_or(0) & mask),
            ("(bvlshr X Y)", a.checked_shr(shift).filter(|_| shift < bits).unwrap_or(0)),
            ("(bvashr X Y)", (sa >> shift.min(bits - 1).min(63)) as u64 & mask),
            ("(ite (bvult X Y) #b1 #b0)", bool(a < b)),
            ("(ite (bvuge X Y) #b1 #b0)", bool(a >= b)),
            ("(ite (bvslt X Y) #b1 #b0)", bool(sa < sb)),
            ("(ite (bvsge X Y) #b1 #b0)", bool(sa >= sb)),
            ("(bvcomp X Y)", bool(a == b)),
            ("((_ rotate_left 1) X)", ((a << 1) | (a >> (bits - 1))) & mask),
            ("((_ rotate_right 1) X)", ((a >> 1) | (a << (bits - 1))) & mask),
            ("((_ extract 0 0) X)", a & 1),
        ];
        for (term, expected) in expected {
            let assertion = format!("(assert (= (bv2nat {term}) {expected}))(check-sat)");
            // Written out, and as values of variables.
            let (x, y) = (format!("(_ bv{a} {bits})"), format!("(_ bv{b} {bits})"));
            let literals = assertion.replace('X', &x).replace('Y', &y);
            assert!(holds(&only_query(&literals), &[]), "{literals}");
            let assertion = assertion.replace('X', "x").replace('Y', "y");
            let declared = format!("(declare-const x (_ BitVec {bits}))(declare-const y (_ BitVec {bits}))");
            let problem = only_query(&format!("{declared}{assertion}"));
            let value = |x: u64| Value::Int(x.to_string().parse().unwrap());
            assert!(
                holds(&problem, &[("x", value(a)), ("y", value(b))]),
                "{term} of {a} and {b} in {bits} bits"
            );
        }
        let wide = format!(
            "(declare-const n Int)(assert (= n {sa}))(assert (= (sbv_to_int ((_ int2bv {bits}) n)) {}))
             (assert (= (bv2nat (concat ((_ int2bv {bits}) n) #b10)) (+ 2 (* 4 {a}))))
             (assert (= (bv2nat ((_ sign_extend 3) ((_ int2bv {bits}) n))) (mod n (^ 2 {}))))(check-sat)",
            sa,
            bits + 3
        );
        let wide = wide.replace(
            &format!(" {sa})"),
            &format!(" {})", if sa < 0 { format!("(- {})", sa.unsigned_abs()) } else { sa.to_string() }),
        );
        assert!(holds(&only_query(&wide), &[("n", int(sa))]), "{wide}");
    }
}

#[test]
fn floating_point_numbers_are_compared_as_the_machine_does() {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE,
        1e-310,
        1024.0,
    ];
    for &a in &special {
        for &b in &special {
            let truth = [
                ("(fp.lt X Y)", a < b),
                ("(fp.leq X Y)", a <= b),
                ("(fp.gt X Y)", a > b),
                ("(fp.geq X Y)", a >= b),
                ("(fp.eq X Y)", a == b),
                ("(= X Y)", a.to_bits() == b.to_bits()),
                ("(fp.isNaN X)", a.is_nan()),
                ("(fp.isInfinite X)", a.is_infinite()),
                ("(fp.isZero X)", a == 0.0),
                ("(fp.isNormal X)", a.is_normal()),
                ("(fp.isSubnormal X)", a.is_subnormal()),
                ("(fp.isNegative X)", !a.is_nan() && a.is_sign_negative()),
                ("(fp.isPositive X)", !a.is_nan() && a.is_sign_positive()),
                ("(fp.eq (fp.abs X) (fp.abs Y))", a.abs() == b.abs()),
                ("(fp.lt (fp.neg X) Y)", -a < b),
            ];
            let literal = |x: f64| format!("((_ to_fp 11 53) #x{:016x})", x.to_bits());
            let declared = "(declare-const x Float64)(declare-const y Float64)";
            for (term, truth) in truth {
                let term = if truth { term.to_owned() } else { format!("(not {term})") };
                let named = term.replace('X', "x").replace('Y', "y");
                let problem = only_query(&format!("{declared}(assert {named})(check-sat)"));
                let value = |x: f64| Value::Int(x.to_bits().to_string().parse().unwrap());
                assert!(holds(&problem, &[("x", value(a)), ("y", value(b))]), "{term} of {a} and {b}");
                let written = term.replace('X', &literal(a)).replace('Y', &literal(b));
                assert!(holds(&only_query(&format!("(assert {written})(check-sat)")), &[]), "{written}");
            }
            for (name, result) in [("fp.add", a + b), ("fp.sub", a - b), ("fp.mul", a * b), ("fp.div", a / b)]
            {
                let result = if result.is_nan() { "(_ NaN 11 53)".to_owned() } else { literal(result) };
                let term = format!("(= ({name} RNE {} {}) {result})", literal(a), literal(b));
                assert!(holds(&only_query(&format!("(assert {term})(check-sat)")), &[]), "{term}");
            }
        }
    }
    // An encoding of NaN that is not the usual one is the same NaN; a variable has no other.
    let nan = "(= ((_ to_fp 11 53) #xfff8000000000001) (_ NaN 11 53))";
    assert!(holds(&only_query(&format!("(assert {nan})(check-sat)")), &[]));
    let problem = only_query("(declare-const x Float32)(assert (not (fp.isNaN x)))(check-sat)");
    assert!(!holds(&problem, &[("x", int(0x7F80_0001))]) && holds(&problem, &[("x", int(0x7F80_0000))]));
}

#[test]
fn arrays_with_finitely_many_places_are_refused() {
    for index in ["Bool", "(_ BitVec 1)", "Float32", "RoundingMode"] {
        for text in [
            format!("(declare-const a (Array {index} Int))"),
            format!("(define-sort A (X) (Array X Int))(declare-const a (A {index}))"),
            format!("(declare-fun f ((Array {index} Int)) Int)"),
        ] {
            let found = error(&text);
            assert!(
                found.contains("are not supported: the index must be of a sort with infinitely many values"),
                "{found}"
            );
        }
    }
}

#[test]
fn nothing_is_said_of_every_argument_of_a_strip() {
    let definition = "(define-fun-rec l ((s String)) String
        (ite (= s \"\") \"\" (ite (= (str.at s 0) \"a\") (l (str.substr s 1 (- (str.len s) 1))) s)))";
    for body in ["(= (l x) \"b\")", "(not (= (l x) \"b\"))", "(= (str.len (l x)) 1)"] {
        let found = error(&format!("{definition}(assert (forall ((x String)) {body}))(check-sat)"));
        assert!(found.contains("'forall' is supported as"), "{found}");
    }
}

#[test]
fn names_are_of_closed_terms_and_of_no_quantifier() {
    let bound =
        "(declare-const x Int)(define-fun m ((x Int)) Bool (! (> x 5) :named q))(assert q)(check-sat)";
    assert!(error(bound).ends_with("the term named 'q' has a variable that is bound around it"));
    let inside = "(declare-fun f (Int) Bool)(assert (forall ((x Int)) (! (f x) :named q)))(check-sat)";
    assert!(error(inside).ends_with("the term named 'q' has a variable that is bound around it"));
    let named =
        "(declare-fun f (Int) Bool)(assert (! (forall ((x Int)) (f x)) :named q))(assert (not (f 3)))";
    // `true`, not f(3), f of 3 and of another number, and that equal ones give equal results.
    assert_eq!(only_query(&format!("{named}(check-sat)")).assertions.len(), 5);
    let later = error(&format!("{named}(reset-assertions)(assert (not q))(check-sat)"));
    assert!(later.contains("'forall' is supported as"), "{later}");
}

#[test]
fn odd_recursions_end() {
    let nots = |n: usize| format!("{}(= s \"\"){}", "(not ".repeat(n), ")".repeat(n));
    let strip = |empty: &str, condition: &str| {
        format!(
            "(define-fun-rec g ((s String)) String (ite {empty} \"\" (ite {condition} (g (str.substr s 1 (- (str.len s) 1))) s)))
             (declare-const r String)(assert (= r (g r)))(check-sat)"
        )
    };
    only_query(&strip(&nots(200_000), "(= (str.at s 0) \"a\")"));
    let mut shared = String::from("(let ((q0 (= (str.at s 0) \"a\"))) ");
    for i in 1..60 {
        shared.push_str(&format!("(let ((q{i} (or q{} (and q{} true)))) ", i - 1, i - 1));
    }
    shared.push_str("q59");
    shared.push_str(&")".repeat(60));
    only_query(&strip("(= s \"\")", &shared));
    let mut growing = String::from("(declare-fun f (Int Int) Int)(define-fun m0 ((a Int)) Int (f a a))");
    for i in 1..40 {
        growing.push_str(&format!("(define-fun m{i} ((a Int)) Int (m{0} (f (m{0} a) a)))", i - 1));
    }
    growing.push_str("(declare-const x Int)(assert (> (m39 x) 0))(check-sat)");
    assert!(error(&growing).contains("applications are not supported"));
}

#[test]
fn too_many_applications_are_refused() {
    let mut text = String::from("(declare-fun f (Int) Int)(declare-const n Int)");
    for i in 0..1_000 {
        text.push_str(&format!("(assert (> (f (+ n {i})) 0))"));
    }
    text.push_str("(check-sat)");
    let found = error(&text);
    assert!(
        found.ends_with("so many applications of 'f' are not supported: 200000 pairs at most"),
        "{found}"
    );
}

#[test]
fn a_model_with_tables_is_not_evaluated_and_one_of_constants_is() {
    let problem = only_query(
        "(declare-sort U 0)(declare-fun f (U) Int)(declare-const u U)(assert (= (f u) 3))(check-sat)",
    );
    let read =
        |text: &str| harness_smtlib::model::read(text.as_bytes(), &problem, Alphabet::Unicode).unwrap();
    let constants = read("((define-fun u () Int 0)(define-fun f!1 () Int 3))").unwrap();
    assert_eq!(constants.values.len(), 2);
    for (text, message) in [
        (
            "((declare-fun U!val!0 () U)(define-fun u () U U!val!0))",
            "the value of 'u' cannot be evaluated: it is of U",
        ),
        ("((define-fun f ((x U)) Int 3))", "the table of 'f' is not evaluated"),
    ] {
        assert_eq!(read(text).unwrap_err(), message);
    }
}

#[test]
fn what_solvers_add_to_strings() {
    for (term, value) in [
        ("(str.update \"abcde\" 1 \"XY\")", "aXYde"),
        ("(str.update \"abcde\" 4 \"XY\")", "abcdX"),
        ("(str.update \"abcde\" 5 \"XY\")", "abcde"),
        ("(str.update \"abcde\" (- 1) \"XY\")", "abcde"),
        ("(str.update \"\" 0 \"XY\")", ""),
        ("(str.to_lower \"aBZ[@z\")", "abz[@z"),
        ("(str.to_upper \"aBz{`Z\")", "ABZ{`Z"),
    ] {
        let problem = only_query(&format!("(declare-const r String)(assert (= r {term}))(check-sat)"));
        assert!(holds(&problem, &[("r", string(value))]), "{term}");
        assert!(!holds(&problem, &[("r", string("other"))]), "{term}");
    }
    let found = error("(declare-const s String)(assert (= s (str.rev s)))(check-sat)");
    assert!(found.ends_with("'str.rev' is not supported"), "{found}");
}

#[test]
fn recursive_definitions_are_recognised_by_their_shape() {
    let definitions = r#"(define-fun blank ((c String)) Bool (< (str.to_code c) 33))
        (define-fun-rec front ((s String)) String
            (ite (= s "") "" (ite (blank (str.substr s 0 1)) (front (str.substr s 1 (- (str.len s) 1))) s)))
        (define-fun-rec back ((s String)) String
            (ite (= 0 (str.len s)) "" (ite (blank (str.at s (- (str.len s) 1))) (back (str.substr s 0 (- (str.len s) 1))) s)))
        (define-fun-rec lower ((s String)) String
            (ite (not (= s "")) (str.++ (ite (and (<= 65 (str.to_code (str.at s 0)) 90)) (str.from_code (+ 32 (str.to_code (str.at s 0)))) (str.at s 0))
                 (lower (str.substr s 1 (str.len s)))) ""))
        (define-fun-rec vowels ((s String)) String
            (ite (= s "") s (ite (or (= (str.at s 0) "a") (= (str.at s 0) "e")) (vowels (str.substr s 1 (- (str.len s) 1))) s)))
        (define-fun-rec end ((s String)) String
            (ite (and (> (str.len s) 0) (<= (str.to_code (str.at s (- (str.len s) 1))) 32)) (end (str.substr s 0 (- (str.len s) 1))) s))
        (define-fun-rec start ((s String)) String
            (ite (or (= s "") (not (str.< (str.at s 0) "!"))) s (start (str.substr s 1 (- (str.len s) 1)))))
        (define-fun-rec small ((s String)) String
            (ite (= s "") "" (str.++ (let ((c (str.at s 0))) (ite (and (str.<= "A" c) (str.<= c "Z")) (str.from_code (+ (str.to_code c) 32)) c))
                 (small (str.substr s 1 (- (str.len s) 1))))))
        (declare-const s String)(declare-const r String)"#;
    let vowels = |s: &str| s.trim_start_matches(['a', 'e']).to_owned();
    let blanks = |s: &str| s.len() - s.trim_start_matches(|c| c < '!').len();
    for s in ["", " ", "  x ", "x", "Ab Cd ", "ae\t", "\u{1}a\n", "AZ", "[@Z"] {
        let problem = only_query(&format!("{definitions}(assert (= r (front s)))(check-sat)"));
        let right = s.trim_start_matches(|c| c < '!');
        let taken = s[..blanks(s)].to_owned();
        let values = |r: &str, taken: &str| {
            let all =
                [("s", string(s)), ("r", string(r)), ("front!1", string(r)), ("front!2", string(taken))];
            // The constants of the definition itself have smaller numbers.
            let constants: Vec<&str> = names(&problem).into_iter().skip(2).collect();
            assert_eq!(constants.len(), 2, "{constants:?}");
            let named = [(constants[0], string(r)), (constants[1], string(taken))];
            holds(&problem, &[&all[..2], &named[..]].concat())
        };
        assert!(values(right, &taken), "{s:?}");
        if !s.is_empty() {
            assert!(!values("", s) || right.is_empty(), "{s:?}");
            assert!(!values(s, "") || right == s, "{s:?}");
        }
        for lower in ["lower", "small"] {
            let lower = only_query(&format!("{definitions}(assert (= r ({lower} s)))(check-sat)"));
            assert!(holds(&lower, &[("s", string(s)), ("r", string(&s.to_ascii_lowercase()))]), "{s:?}");
        }
        for back in ["back", "end"] {
            let back = only_query(&format!("{definitions}(assert (= r ({back} s)))(check-sat)"));
            let constants: Vec<&str> = names(&back).into_iter().skip(2).collect();
            let right = s.trim_end_matches(|c| c < '!');
            let all = [("s", string(s)), ("r", string(right))];
            let named = [(constants[0], string(right)), (constants[1], string(&s[right.len()..]))];
            assert!(holds(&back, &[&all[..], &named[..]].concat()), "{s:?}");
        }
        let start = only_query(&format!("{definitions}(assert (= r (start s)))(check-sat)"));
        let constants: Vec<&str> = names(&start).into_iter().skip(2).collect();
        let all = [("s", string(s)), ("r", string(right))];
        let named = [(constants[0], string(right)), (constants[1], string(&taken))];
        assert!(holds(&start, &[&all[..], &named[..]].concat()), "{s:?}");
        let problem = only_query(&format!("{definitions}(assert (= r (vowels s)))(check-sat)"));
        let constants: Vec<&str> = names(&problem).into_iter().skip(2).collect();
        let right = vowels(s);
        let all = [("s", string(s)), ("r", string(&right))];
        let named = [(constants[0], string(&right)), (constants[1], string(&s[..s.len() - right.len()]))];
        assert!(holds(&problem, &[&all[..], &named[..]].concat()), "{s:?}");
    }
    // What is not recursive after all is a definition.
    let problem = only_query("(define-fun-rec f ((n Int)) Int (+ n 1))(assert (= (f 1) 2))(check-sat)");
    assert!(holds(&problem, &[]));
}

//! What a program is asked, held against the trusted evaluator: over a smaller alphabet, and of regular
//! expressions.

#![expect(clippy::panic, reason = "a test")]

use backends_external::{confine, expressions};
use harness_check::matcher::matches;
use harness_check::model::{ModelVerdict, check};
use harness_model::{Alphabet, Char, CharSet, OperationKind, Regex, SmtString};
use harness_theory::{Assignment, Problem, Value};

fn holds(problem: &Problem, alphabet: Alphabet, values: &[Value]) -> bool {
    let assignment: Assignment = problem.variables.iter().copied().zip(values.iter().cloned()).collect();
    match check(problem, &assignment, alphabet) {
        ModelVerdict::Holds => true,
        ModelVerdict::Fails(_) | ModelVerdict::Open(..) => false,
        ModelVerdict::Unvalidated(why) => panic!("{why}"),
    }
}

/// A confined problem means over `unicode` what the problem means over its alphabet.
#[test]
fn a_smaller_alphabet_is_told() {
    let words = ["", "a", "\u{7f}", "\u{80}", "\u{ff}", "\u{100}", "a\u{20000}", "ab\u{e9}"];
    let codes = [-1_i64, 0, 97, 127, 128, 255, 256, 0xFFFF, 0x10000, 0x2_FFFF, 0x3_0000];
    let mut seen = [0, 0];
    for assertion in [
        "(= s (str.from_code n))",
        "(= (str.len (str.from_code n)) (str.len s))",
        "(str.in_re s re.allchar)",
        "(str.in_re s (re.++ re.all (str.to_re (str.from_code n))))",
        "(str.in_re s (re.comp (re.++ re.allchar re.all)))",
        "(not (str.in_re (str.++ s (str.from_code n)) re.all))",
        "(str.< (str.from_code n) s \"b\" \"c\")",
        "(not (str.<= s \"a\" (str.from_code n)))",
        "(= (str.replace_re_all s re.allchar (str.from_code n)) s)",
    ] {
        let script = format!("(declare-const s String)(declare-const n Int)(assert {assertion})(check-sat)");
        for alphabet in Alphabet::ALL {
            let Ok(mut script) = harness_smtlib::read_in(script.as_bytes(), alphabet) else { continue };
            let problem = script.queries.remove(0).problem;
            let own = problem.variables.clone();
            let confined = confine::confine(problem.clone(), &own, alphabet).unwrap();
            for (word, code) in words.iter().flat_map(|word| codes.map(|code| (*word, code))) {
                let word = SmtString::from(word);
                let values = [Value::String(word.clone()), Value::Int(code.into())];
                let meant = word.foreign_to(alphabet).is_none() && holds(&problem, alphabet, &values);
                let told = holds(&confined, Alphabet::Unicode, &values);
                assert_eq!(told, meant, "{assertion} in {alphabet}: {word:?} {code}");
                seen[usize::from(meant)] += 1;
            }
        }
    }
    assert!(seen[0] > 500 && seen[1] > 300, "{seen:?}");
}

/// Solvers compare two strings at a time.
#[test]
fn chains_are_written_out() {
    let script = "(declare-const s String)(assert (str.< \"a\" s \"c\"))(check-sat)";
    let problem = harness_smtlib::read(script.as_bytes()).unwrap().queries.remove(0).problem;
    for alphabet in Alphabet::ALL {
        let confined = confine::confine(problem.clone(), &problem.variables, alphabet).unwrap();
        let text = harness_smtlib::print::problem(&confined, "QF_S", None);
        assert!(text.contains("(and (str.< \"a\" s) (str.< s \"c\"))"), "{text}");
    }
}

#[test]
fn operations_are_about_words() {
    let set = |low: u32, high: u32| Regex::set(CharSet::range(Char(low), Char(high)));
    let (a, b, any) = (set(97, 97), set(98, 99), set(0, 0x2_FFFF));
    let ab = Regex::concat([a.clone(), b.clone()]);
    let regexes = [
        Regex::Empty,
        Regex::Epsilon,
        a.clone(),
        Regex::set(CharSet::empty()),
        any.clone().star(),
        Regex::concat([]),
        Regex::union([]),
        Regex::Inter([].into()),
        Regex::union([a.clone(), ab.clone(), Regex::Epsilon]),
        Regex::Inter([any, b].into()),
        Regex::Complement(ab.clone().into()),
        ab.clone().repeat(1, None),
        ab.clone().repeat(0, Some(1)),
        ab.clone().repeat(2, None),
        ab.clone().repeat(1, Some(2)),
        ab.repeat(2, Some(1)),
        a.repeat(0, Some(0)),
        set(100, 0x1_0000),
    ];
    let words = ["", "a", "b", "ab", "abac", "abacab", "e", "\u{80}", "\u{ffff}", "\u{20000}"];
    let mut seen = [0, 0];
    for alphabet in Alphabet::ALL {
        for (left, right) in regexes.iter().flat_map(|left| regexes.iter().map(move |right| (left, right))) {
            for kind in [OperationKind::Product, OperationKind::Difference] {
                let problem = expressions::problem(kind, [left, right], alphabet).unwrap();
                for word in words {
                    let word = SmtString::from(word);
                    let in_both = matches(left, &word)
                        && matches(right, &word) == (kind == OperationKind::Product)
                        && word.foreign_to(alphabet).is_none();
                    let told = holds(&problem, Alphabet::Unicode, &[Value::String(word.clone())]);
                    assert_eq!(told, in_both, "{kind} of {left:?} and {right:?} in {alphabet}: {word:?}");
                    seen[usize::from(in_both)] += 1;
                }
            }
        }
    }
    assert!(seen[0] > 1000 && seen[1] > 1000, "{seen:?}");
}

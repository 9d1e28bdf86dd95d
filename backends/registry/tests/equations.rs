//! Word equations and replacements within languages: what is refuted without a guess has no solution.

#![cfg(feature = "z3")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::time::Duration;

use backends_api::{BackendError, Budget, Probe, Strategy};
use backends_graph::testkit::Draw;
use harness_model::{Alphabet, Question, Verdict};

const DECLARATIONS: &str = "(declare-const x String)(declare-const y String)(declare-const z String)";

/// What `brute-force` may try: as small as the problems say.
const BOUNDS: &str = "(assert (<= (str.len x) 3))(assert (<= (str.len y) 3))(assert (<= (str.len z) 2))\
    (assert (str.in_re (str.++ x y z) (re.* (re.range \"a\" \"b\"))))";

const LANGUAGES: [&str; 6] = [
    "(re.* (str.to_re \"ab\"))",
    "(re.++ (str.to_re \"a\") (re.* (re.range \"a\" \"b\")))",
    "(re.++ (str.to_re \"b\") (re.* (re.range \"a\" \"b\")))",
    "(re.++ (re.* re.allchar) (str.to_re \"b\"))",
    "(re.+ (str.to_re \"a\"))",
    "((_ re.loop 1 2) (re.range \"a\" \"b\"))",
];

fn word(draw: &mut Draw) -> String {
    ["x", "y", "z", "x", "y", "z", "\"a\"", "\"b\""][draw.below(8)].to_owned()
}

fn row(draw: &mut Draw) -> String {
    let parts: Vec<String> = (0..2 + draw.below(3)).map(|_| word(draw)).collect();
    format!("(str.++ {})", parts.join(" "))
}

/// A word that `str.replace` gives.
fn replaced(draw: &mut Draw) -> String {
    let (s, t) =
        (["x", "y", "\"ab\"", "\"a\""][draw.below(4)], ["\"a\"", "\"ab\"", "z", "\"b\""][draw.below(4)]);
    format!("(str.replace {s} {t} {})", word(draw))
}

fn literal(draw: &mut Draw) -> String {
    let atom = match draw.below(8) {
        0 | 1 => format!("(= {} {})", row(draw), row(draw)),
        2 => {
            let (n, a) = (2 + draw.below(2), ["x", "y"][draw.below(2)]);
            let b = ["y", "z"][draw.below(2)];
            let all = format!("{a} {b} ").repeat(n);
            format!("(= (str.++ {all}) (str.++ {}{}))", format!("{a} ").repeat(n), format!("{b} ").repeat(n))
        }
        3 => format!("(= {} {})", replaced(draw), replaced(draw)),
        4 => format!("(str.suffixof {} {})", word(draw), replaced(draw)),
        5 => format!("(str.contains {} {})", replaced(draw), word(draw)),
        6 => format!("(str.prefixof {} {})", word(draw), replaced(draw)),
        _ => format!("(str.< {} {})", word(draw), word(draw)),
    };
    if draw.below(3) == 0 { format!("(not {atom})") } else { atom }
}

fn verdict(strategy: &dyn Strategy, text: &str, time: Duration) -> Option<Verdict> {
    let question = Question::of_script(Alphabet::Ascii, text.to_owned(), 1);
    let (budget, probe) = (Budget::with_time(time), Probe::new());
    match strategy.prepare(&question, &budget, &probe).unwrap().run(&probe) {
        Ok(outcome) => outcome.answers.into_iter().next().map(|answer| answer.verdict),
        Err(BackendError::Stopped(_) | BackendError::Unsupported(_)) => None,
        Err(error) => panic!("{}: {error}: {text}", strategy.info().name),
    }
}

/// With bounds on lengths brute force knows the answer; without them, what is refuted has no small solution.
#[test]
fn equations_and_replacements_are_as_brute_force_finds_them() {
    let registry = backends::registry();
    let ours = registry.resolve("graph-automata-free-ranges").unwrap().build();
    let brute = registry.resolve("brute-force").unwrap().build();
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..500_u64 {
        let mut draw = Draw::new(seed.wrapping_mul(0x9E37_79B9).wrapping_add(23));
        let mut assertions: Vec<String> = (0..1 + draw.below(2)).map(|_| literal(&mut draw)).collect();
        for variable in ["x", "y", "z"] {
            if draw.below(3) > 0 {
                assertions.push(format!("(str.in_re {variable} {})", LANGUAGES[draw.below(LANGUAGES.len())]));
            }
        }
        let assertions: String = assertions.iter().map(|a| format!("(assert {a})")).collect();
        let bounded = format!("{DECLARATIONS}{assertions}{BOUNDS}(check-sat)");
        let Some(known) = verdict(brute.as_ref(), &bounded, Duration::from_secs(2)) else { continue };
        for text in [format!("{DECLARATIONS}{assertions}(check-sat)"), bounded] {
            let found = verdict(ours.as_ref(), &text, Duration::from_millis(500));
            match found {
                Some(Verdict::Sat) => sat += 1,
                Some(Verdict::Unsat) => {
                    unsat += 1;
                    assert_ne!(known, Verdict::Sat, "{text}");
                }
                _ => {}
            }
        }
    }
    assert!(sat > 300 && unsat > 150, "{sat} {unsat}");
}

/// What no guess up to a thousand characters decides.
#[test]
fn long_words_are_put_together() {
    let registry = backends::registry();
    let ours = registry.resolve("graph-automata-free-ranges").unwrap().build();
    for (assertions, right) in [
        ("(assert (= (str.++ \"ab\" x) (str.++ x \"ba\")))(assert (> (str.len x) 5000))", Verdict::Sat),
        ("(assert (= (str.++ \"ab\" x) (str.++ x \"ab\")))(assert (= (str.len x) 5001))", Verdict::Unsat),
        (
            "(assert (= (str.++ x y) (str.++ y x \"\")))(assert (> (str.len x) (+ (str.len y) 3000)))\
          (assert (str.prefixof \"ab\" y))",
            Verdict::Sat,
        ),
        (
            "(assert (str.in_re x ((_ re.^ 5000) (str.to_re \"a\"))))(assert (not (= x y)))\
          (assert (= (str.len y) 5000))",
            Verdict::Sat,
        ),
        (
            "(assert (str.in_re x ((_ re.^ 5000) (str.to_re \"a\"))))(assert (not (str.suffixof \"aa\" x)))",
            Verdict::Unsat,
        ),
    ] {
        let text = format!("{DECLARATIONS}{assertions}(check-sat)");
        assert_eq!(verdict(ours.as_ref(), &text, Duration::from_secs(60)), Some(right), "{text}");
    }
}

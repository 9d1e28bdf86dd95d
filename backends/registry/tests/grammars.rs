//! Context-free grammars: every strategy that takes them, as a kind of question and in HAMPI's files, against
//! all short words and the judge.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::fmt::Write as _;

use backends_api::{BackendError, Budget, Probe};
use harness_grammar::{Grammar, contains, read};
use harness_judge::{Checked, check_grammars, check_system};
use harness_model::{
    Alphabet, Answer, Char, GrammarSource, GrammarsSource, Question, SmtString, SolutionKind, SystemFormat,
    SystemSource, Verdict,
};
use proptest::prelude::*;

/// Those that take grammars as they are, or bound them.
fn own() -> Vec<&'static str> {
    let mut names = vec!["cfg", "cfg-step-3", "hampi-sat", "strsolve", "strsolve-bdd"];
    if cfg!(feature = "z3") {
        names.push("hampi");
    }
    names
}

/// Those that take HAMPI's files.
fn of_files() -> Vec<&'static str> {
    let mut names = vec!["hampi-sat", "strsolve", "dprle", "dprle-minimise"];
    if cfg!(feature = "z3") {
        names.push("hampi");
    }
    names
}

fn ask(name: &str, question: &Question) -> Result<Answer, BackendError> {
    let registry = backends::registry();
    let strategy = registry.resolve(name).unwrap_or_else(|| panic!("{name}")).build();
    let (budget, probe) = (Budget::with_steps(20_000_000), Probe::new());
    let mut run = strategy.prepare(question, &budget, &probe)?;
    Ok(run.run(&probe)?.answers.remove(0))
}

fn source(grammars: &[String], shortest: u32, longest: u32) -> GrammarsSource {
    let named =
        |(number, text): (usize, &String)| GrammarSource { name: format!("G{number}"), text: text.clone() };
    GrammarsSource { grammars: grammars.iter().enumerate().map(named).collect(), shortest, longest }
}

/// All words over two letters within bounds.
fn words(shortest: u32, longest: u32) -> impl Iterator<Item = SmtString> {
    (shortest..=longest).flat_map(|length| {
        (0..1_u32 << length).map(move |bits| {
            (0..length).map(|place| Char::from(if bits >> place & 1 == 0 { b'a' } else { b'b' })).collect()
        })
    })
}

fn is_in_all(grammars: &[Grammar], word: &SmtString) -> bool {
    grammars.iter().all(|grammar| contains(grammar, word, u64::MAX).unwrap())
}

/// Symbols of an alternative: a letter, two, or a non-terminal.
fn alternative() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0usize..7, 0..4)
}

/// The text of a grammar of up to three non-terminals.
fn grammar() -> impl Strategy<Value = String> {
    let rules = proptest::collection::vec(proptest::collection::vec(alternative(), 1..4), 1..4);
    rules.prop_map(|rules| {
        let mut text = String::new();
        for (number, alternatives) in rules.iter().enumerate() {
            let _ = write!(text, "N{number}");
            for alternative in alternatives {
                text.push_str(" :");
                for &symbol in alternative {
                    match symbol {
                        0 | 1 => text.push_str(" \"a\""),
                        2 => text.push_str(" \"b\""),
                        3 => text.push_str(" \"ab\""),
                        other => {
                            let _ = write!(text, " N{}", other % rules.len());
                        }
                    }
                }
                text.push_str(" ;\n");
            }
        }
        text
    })
}

/// A grammar in HAMPI's words, its non-terminals with a prefix.
fn as_hampi(grammar: &Grammar, prefix: &str) -> String {
    let mut text = String::new();
    for (number, name) in grammar.names().iter().enumerate() {
        let alternatives: Vec<String> = grammar
            .rules()
            .iter()
            .filter(|rule| rule.left == number)
            .map(|rule| {
                let symbol = |symbol: &harness_grammar::Symbol| match symbol {
                    harness_grammar::Symbol::Terminal(word) => format!("\"{word}\""),
                    harness_grammar::Symbol::Nonterminal(other) => {
                        format!("{prefix}{}", grammar.names()[*other])
                    }
                };
                rule.right.iter().map(symbol).collect::<Vec<_>>().join(" ")
            })
            .collect();
        let _ = writeln!(text, "cfg {prefix}{name} := {};", alternatives.join(" | "));
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn words_of_two_grammars(first in grammar(), second in grammar(), shortest in 0u32..3, more in 0u32..5) {
        let texts = [first, second];
        let read: Vec<Grammar> = texts.iter().map(|text| read(text).unwrap()).collect();
        let longest = shortest + more;
        let some = words(shortest, longest).any(|word| is_in_all(&read, &word));
        let source = source(&texts, shortest, longest);
        for name in own() {
            let answer = ask(name, &Question::of_grammars(Alphabet::Ascii, source.clone())).unwrap();
            let expected = if some { Verdict::Nonempty } else { Verdict::Empty };
            prop_assert_eq!(answer.verdict, expected, "{} {:?}", name, texts);
            if some {
                let checked = check_grammars(&source, Alphabet::Ascii, &answer);
                prop_assert_eq!(checked, Some(Checked::Proof), "{} {:?}", name, answer);
            }
        }
    }

    #[test]
    fn grammars_in_files_of_hampi(first in grammar(), second in grammar(), low in 0u32..4, more in 0u32..3, not in any::<bool>()) {
        let grammars = [read(&first).unwrap(), read(&second).unwrap()];
        let high = low + more;
        let form = |bare: bool| if bare { "assert v in A_N0;" } else { "reg r := concat(star(\"a\"), A_N0); assert v in r;" };
        for bare in [true, false] {
            let text = format!(
                "var v : {low}..{high};\n{}{}{}\nassert v {}in B_N0;",
                as_hampi(&grammars[0], "A_"),
                as_hampi(&grammars[1], "B_"),
                form(bare),
                if not { "not " } else { "" }
            );
            let some = words(low, high).any(|word| {
                let mut rests = (0..=word.len()).filter(|&from| {
                    (from == 0 || !bare) && word.chars()[..from].iter().all(|&c| c == Char::from(b'a'))
                });
                let left = rests.any(|from| {
                    let rest = SmtString::from(word.chars()[from..].to_vec());
                    contains(&grammars[0], &rest, u64::MAX).unwrap()
                });
                left && contains(&grammars[1], &word, u64::MAX).unwrap() != not
            });
            let source = SystemSource { text, format: SystemFormat::Hampi, queries: 1, solution: SolutionKind::Words };
            for name in of_files() {
                let answer = match ask(name, &Question::of_system(Alphabet::Latin1, source.clone())) {
                    Err(BackendError::Unsupported(why)) => {
                        // An expression of what a grammar derives is too large, which is no fault here.
                        prop_assert!(why.contains("expression"), "{} {}", name, why);
                        continue;
                    }
                    other => other.unwrap(),
                };
                let expected = if some { Verdict::Sat } else { Verdict::Unsat };
                prop_assert_eq!(answer.verdict, expected, "{} {}", name, source.text);
                if some {
                    let checked = check_system(&source, Alphabet::Latin1, 0, &answer);
                    prop_assert_eq!(checked, Some(Checked::Proof), "{} {:?}", name, answer);
                }
            }
        }
    }
}

#[test]
fn edges_get_their_verdicts() {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let (yes, no) = (Verdict::Nonempty, Verdict::Empty);
    for (grammars, shortest, longest, expected) in [
        // Without a terminal: the empty word, or nothing.
        (texts(&["S : S S ; : ;"]), 0, 0, yes),
        (texts(&["S : S S ; : ;"]), 1, 9, no),
        (texts(&["S : S S ;"]), 0, 9, no),
        // One grammar alone, and one with itself.
        (texts(&["S : \"a\" S \"b\" ; : ;"]), 7, 8, yes),
        (texts(&["S : \"a\" S \"b\" ; : ;"]), 7, 7, no),
        (texts(&["S : \"a\" S \"a\" ; : \"b\" ;", "S : \"a\" S \"a\" ; : \"b\" ;"]), 9, 9, yes),
        // No letter in common.
        (texts(&["S : \"a\" S ; : \"a\" ;", "S : \"b\" S ; : \"b\" ;"]), 0, 9, no),
        // aⁿbⁿcᵐ and aᵐbⁿcⁿ: three equal parts.
        (
            texts(&[
                "S : A C ; A : \"a\" A \"b\" ; : \"ab\" ; C : \"c\" C ; : \"c\" ;",
                "S : A C ; C : \"b\" C \"c\" ; : \"bc\" ; A : \"a\" A ; : \"a\" ;",
            ]),
            10,
            12,
            yes,
        ),
        (
            texts(&[
                "S : A C ; A : \"a\" A \"b\" ; : \"ab\" ; C : \"c\" C ; : \"c\" ;",
                "S : A C ; C : \"b\" C \"c\" ; : \"bc\" ; A : \"a\" A ; : \"a\" ;",
            ]),
            10,
            11,
            no,
        ),
        // An empty range of lengths.
        (texts(&["S : \"a\" S ; : ;"]), 4, 3, no),
    ] {
        let source = source(&grammars, shortest, longest);
        for name in own() {
            let question = Question::of_grammars(Alphabet::Ascii, source.clone());
            let answer = ask(name, &question).unwrap();
            assert_eq!(answer.verdict, expected, "{name} {grammars:?} {shortest}..{longest}");
            if expected == yes {
                assert_eq!(check_grammars(&source, Alphabet::Ascii, &answer), Some(Checked::Proof), "{name}");
            }
        }
    }
}

#[test]
fn what_is_no_grammar_or_too_long_is_refused() {
    for name in own() {
        let ask = |text: &str, longest: u32| {
            let source = source(&[text.to_owned()], 0, longest);
            ask(name, &Question::of_grammars(Alphabet::Ascii, source)).unwrap_err()
        };
        let fault = ask("S : \"a\" ;\nT \"b\" ;", 3);
        assert!(
            matches!(&fault, BackendError::Input(why) if why.contains("G0") && why.contains("line 2")),
            "{fault}"
        );
        assert!(matches!(ask("S : \"\u{e9}\" ;", 3), BackendError::Input(_)));
        if !name.starts_with("cfg") {
            let fault = ask("S : \"a\" S \"a\" ; : \"b\" ;", 5_000);
            assert!(
                matches!(&fault, BackendError::Unsupported(why) if why.contains("5000")),
                "{name}: {fault}"
            );
        }
    }
    // Other strategies refuse the kind by its name.
    let question = Question::of_grammars(Alphabet::Ascii, source(&["S : ;".to_owned()], 0, 1));
    for name in ["dprle", "brute-force", "classes-lazy", "automata-only"] {
        assert_eq!(
            ask(name, &question),
            Err(BackendError::Unsupported("words of several grammars".to_owned())),
            "{name}"
        );
    }
}

#[test]
fn hampi_refuses_several_variables_and_bounds_its_refutations() {
    let system = |text: &str| SystemSource {
        text: text.to_owned(),
        format: SystemFormat::Smtlib,
        queries: 1,
        solution: SolutionKind::Words,
    };
    let ask = |name: &str, text: &str| ask(name, &Question::of_system(Alphabet::Ascii, system(text)));
    for name in of_files().into_iter().filter(|name| name.starts_with("hampi")) {
        let two = "(declare-const x String)(declare-const y String)
            (assert (str.in_re (str.++ x y) (re.* (str.to_re \"a\"))))(check-sat)";
        let refused = ask(name, two).unwrap_err();
        assert!(
            matches!(&refused, BackendError::Unsupported(why) if why.contains("several variables")),
            "{refused}"
        );
        let in_two = |one: &str, other: &str| {
            format!(
                "(declare-const x String)(assert (str.in_re x {one}))(assert (str.in_re x {other}))(check-sat)"
            )
        };
        let (even, odd) =
            ("(re.* (str.to_re \"aa\"))", "(re.++ (str.to_re \"a\") (re.* (str.to_re \"aa\")))");
        let answer = ask(name, &in_two(even, odd)).unwrap();
        assert_eq!(answer.verdict, Verdict::UnsatWithinBound, "{name}");
        assert!(answer.reason.unwrap().contains("0 to 15 characters"));
        // A language that is finite bounds all.
        let answer = ask(name, &in_two("((_ re.loop 3 7) (str.to_re \"aa\"))", odd)).unwrap();
        assert_eq!(answer.verdict, Verdict::Unsat, "{name}");
        let far = in_two("((_ re.loop 16 17) (str.to_re \"b\"))", "(re.* re.allchar)");
        assert_eq!(ask(name, &far).unwrap().verdict, Verdict::UnsatWithinBound);
        let longer = format!("{name}-max-length-16");
        assert_eq!(ask(&longer, &far).unwrap().verdict, Verdict::Sat, "{longer}");
    }
}

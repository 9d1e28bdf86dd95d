//! Acceptance predicates against another strategy: what one finds, the other one finds, and a refutation
//! is one.

#![cfg(feature = "z3")]
#![expect(clippy::panic, reason = "a test")]

use backends_api::{BackendError, Budget, Probe};
use harness_check::matcher::matches;
use harness_model::{
    Alphabet, Answer, Dialect, Operation, OperationKind, Question, RegexSource, SolutionKind, SystemFormat,
    SystemSource, Verdict, Witness,
};
use proptest::prelude::*;

fn ask(name: &str, question: &Question) -> Result<Answer, BackendError> {
    let registry = backends::registry();
    let strategy = registry.resolve(name).unwrap_or_else(|| panic!("{name}")).build();
    let (budget, probe) = (Budget::with_steps(20_000_000), Probe::new());
    let mut run = strategy.prepare(question, &budget, &probe)?;
    Ok(run.run(&probe)?.answers.remove(0))
}

fn question(alphabet: Alphabet, kind: OperationKind, patterns: [&str; 2]) -> Question {
    let source = |pattern: &str| RegexSource {
        find: false,
        name: pattern.to_owned(),
        pattern: pattern.to_owned(),
        dialect: Dialect::Dotnet,
    };
    let operation = Operation { kind, left: 0, right: 1 };
    Question::of_operations(alphabet, patterns.map(source).into(), vec![operation])
}

/// Short expressions over two letters and what is neither.
fn pattern() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![Just("a"), Just("b"), Just("[^a]"), Just("[ab]"), Just("."), Just("a{2}")];
    leaf.prop_map(str::to_owned).prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}{b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(?:{a}|{b})")),
            inner.clone().prop_map(|a| format!("(?:{a})*")),
            inner.prop_map(|a| format!("(?:{a}){{1,2}}")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn operations_get_the_verdict_of_automata(
        one in pattern(),
        other in pattern(),
        is_difference in any::<bool>(),
        wide in any::<bool>(),
    ) {
        let kind = if is_difference { OperationKind::Difference } else { OperationKind::Product };
        let alphabet = if wide { Alphabet::Unicode } else { Alphabet::Ascii };
        let question = question(alphabet, kind, [&one, &other]);
        let expected = ask("classes-lazy", &question).unwrap().verdict;
        let answer = ask("rex-depth-32", &question).unwrap();
        match answer.verdict {
            // A refutation of words of every length needs luck; a short word does not.
            Verdict::Unknown => prop_assert_eq!(expected, Verdict::Empty),
            verdict => prop_assert_eq!(verdict, expected),
        }
        if let Some(Witness::Word(word)) = &answer.witness {
            let read = |text: &str| harness_regex::parse(text, Dialect::Dotnet, alphabet).unwrap();
            prop_assert!(matches(&read(&one), word) && matches(&read(&other), word) != is_difference);
        }
    }
}

#[test]
fn refutations_hold_for_every_length_or_are_none() {
    let verdict = |kind, patterns| ask("rex", &question(Alphabet::Ascii, kind, patterns)).unwrap().verdict;
    // No word begins with both letters, however long it is; all words of one language are finite.
    assert_eq!(verdict(OperationKind::Product, ["a.*", "b.*"]), Verdict::Empty);
    assert_eq!(verdict(OperationKind::Product, ["a{3,9}", "b*a"]), Verdict::Empty);
    assert_eq!(verdict(OperationKind::Difference, ["a{2,5}", "a*"]), Verdict::Empty);
    // By parity alone, which no finite unrolling shows.
    let answer = ask("rex", &question(Alphabet::Ascii, OperationKind::Product, ["(aa)*", "a(aa)*"])).unwrap();
    assert_eq!(answer.verdict, Verdict::Unknown);
    assert!(answer.reason.unwrap().contains("256 characters"));
    // Far, but within the depth.
    assert_eq!(verdict(OperationKind::Product, ["a{100}b*", "(a|b){120}"]), Verdict::Nonempty);
}

#[test]
fn systems_of_one_variable_are_taken() {
    let system = |text: &str| {
        let text = text.to_owned();
        let source =
            SystemSource { text, format: SystemFormat::Smtlib, queries: 1, solution: SolutionKind::Words };
        ask("rex", &Question::of_system(Alphabet::Ascii, source))
    };
    let a = "(declare-const x String)(assert (str.in_re x (re.+ (str.to_re \"ab\"))))";
    let sat = system(&format!("{a}(assert (not (str.in_re x (str.to_re \"ab\"))))(check-sat)")).unwrap();
    assert_eq!(sat.verdict, Verdict::Sat);
    assert!(matches!(&sat.witness, Some(Witness::Model(model)) if model.contains("abab")), "{sat:?}");
    let unsat = system(&format!("{a}(assert (str.in_re x (re.* (str.to_re \"b\"))))(check-sat)")).unwrap();
    assert_eq!(unsat.verdict, Verdict::Unsat);
    for refused in [
        format!("{a}(declare-const y String)(assert (str.in_re y (str.to_re \"a\")))(check-sat)"),
        "(declare-const x String)(assert (str.in_re (str.++ x x) (str.to_re \"aa\")))(check-sat)".to_owned(),
    ] {
        assert!(matches!(system(&refused), Err(BackendError::Unsupported(why)) if why.contains("Rex")));
    }
}

//! Questions about the ten expressions of the study, with the right answers, and answers checked.

#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use backends_algebra::{Algebras, StudyAlgebras};
use backends_api::{BackendError, Budget, Family as _, Probe, Strategy};
use backends_sfa::SfaFamily;
use harness_check::matcher;
use harness_model::{
    Alphabet, Answer, Dialect, Operation, OperationKind, Question, Regex, RegexSource, Verdict, Witness,
};

/// The patterns of the ten expressions.
pub fn study() -> Vec<String> {
    corpora::study::expressions().unwrap().into_iter().map(|source| source.pattern).collect()
}

/// The length of a shortest word of an operation on two of the ten, if there is a word.
pub fn shortest(operation: Operation) -> Option<usize> {
    let name = |i: usize| format!("A{i}");
    let known = &corpora::study::answers().unwrap();
    known[&(operation.kind, name(operation.left), name(operation.right))].shortest
}

/// The 55 products of unordered pairs and the 100 differences of ordered ones.
pub fn operations() -> Vec<Operation> {
    let kinds = [OperationKind::Product, OperationKind::Difference];
    let all = kinds.into_iter().flat_map(|kind| {
        (0..10).flat_map(move |left| (0..10).map(move |right| Operation { kind, left, right }))
    });
    all.filter(|o| o.kind == OperationKind::Difference || o.left <= o.right).collect()
}

/// A question about these patterns.
pub fn question(alphabet: Alphabet, patterns: &[String], operations: Vec<Operation>) -> Question {
    let source = |(i, pattern): (usize, &String)| RegexSource {
        find: false,
        name: format!("A{i}"),
        pattern: pattern.clone(),
        dialect: Dialect::Dotnet,
    };
    Question::of_operations(alphabet, patterns.iter().enumerate().map(source).collect(), operations)
}

/// The algebras that need no other library.
pub const ALGEBRAS: (Algebras, StudyAlgebras) = (Algebras, StudyAlgebras);

/// All strategies that are listed.
pub fn strategies() -> Vec<Box<dyn Strategy>> {
    SfaFamily::new(ALGEBRAS).listed()
}

/// A strategy by name.
pub fn strategy(name: &str) -> Box<dyn Strategy> {
    SfaFamily::new(ALGEBRAS).named(name).unwrap()
}

/// Answers and counters.
pub fn answer(strategy: &dyn Strategy, question: &Question) -> (Vec<Answer>, impl Fn(&str) -> u64 + use<>) {
    let (budget, probe) = (Budget::unlimited(), Probe::new());
    let answers = {
        let mut run = strategy.prepare(question, &budget, &probe).unwrap();
        run.run(&probe).unwrap().answers
    };
    let counters = probe.into_parts().1;
    (answers, move |name: &str| counters[name])
}

/// Equal labels kept apart are exponential, so such a strategy has this many steps; the others have all they
/// want.
const FEW: u64 = 200_000;

/// Answers, where the strategy has them within its steps.
pub fn answers_soon(strategy: &dyn Strategy, question: &Question) -> Option<Vec<Answer>> {
    let name = strategy.info().name;
    let budget = if name.ends_with("-separate") { Budget::with_steps(FEW) } else { Budget::unlimited() };
    let mut run = strategy.prepare(question, &budget, &Probe::new()).unwrap();
    match run.run(&Probe::new()) {
        Ok(outcome) => Some(outcome.answers),
        Err(BackendError::Stopped(_)) => None,
        Err(error) => panic!("{name}: {error}"),
    }
}

/// Fails unless each answer agrees with the length of a shortest word of its operation (`None` for an empty
/// language), and each word is in the language.
pub fn check(question: &Question, answers: &[Answer], shortest: impl Fn(Operation) -> Option<usize>) {
    let asked = question.as_operations().unwrap();
    let regexes: Vec<Regex> = asked
        .regexes
        .iter()
        .map(|r| harness_regex::parse(&r.pattern, r.dialect, question.alphabet).unwrap())
        .collect();
    assert_eq!(answers.len(), asked.operations.len());
    for (operation, answer) in asked.operations.iter().zip(answers) {
        let Some(length) = shortest(*operation) else {
            assert_eq!(*answer, Answer::empty(), "{operation:?}");
            continue;
        };
        assert_eq!(answer.verdict, Verdict::Nonempty, "{operation:?}");
        let Some(Witness::Word(word)) = &answer.witness else { panic!("{operation:?} without a word") };
        let right = matcher::matches(&regexes[operation.right], word);
        assert!(matcher::matches(&regexes[operation.left], word), "{operation:?}: {word:?}");
        assert_eq!(right, operation.kind == OperationKind::Product, "{operation:?}: {word:?}");
        assert!(word.len() >= length, "{operation:?}: {word:?}");
    }
}

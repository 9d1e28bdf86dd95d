//! Questions about the ten expressions of the study, with the right answers, and answers checked.

#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use backends_api::{Budget, Probe, Strategy};
use harness_model::{
    Alphabet, Answer, Dialect, Operation, OperationKind, Question, Regex, RegexSource, Verdict, Witness,
    matcher,
};

/// The ten expressions.
pub const STUDY: [&str; 10] = [
    r"\w+((\-|\+|\.)\w+)*@\w+((\-|\.)\w+)*\.\w+((\-|\.)\w+)*((,|;)\s*\w+((\-|\+|\.)\w+)*@\w+((\-|\.)\w+)*\.\w+((\-|\.)\w+)*)*",
    r"\$?(\d{1,3},?(\d{3},?)*\d{3}(\.\d{0,2})?|\d{1,3}(\.\d{0,2})?|\.(\d{1,2})?)",
    r"([A-Z]{2}|[a-z]{2} \d{2} [A-Z]{1,2}|[a-z]{1,2} \d{1,4})?([A-Z]{3}|[a-z]{3} \d{1,4})?",
    r"([A-Z]|[a-z]|[0-9])(((\.|\-)?([A-Z]|[a-z]|[0-9])+)*)@(([A-Z]|[a-z]|[0-9])+)(((\.|\-)?([A-Z]|[a-z]|[0-9])+)*)\. (([A-Z]|[a-z])([A-Z]|[a-z])+)",
    r"(\w|\-)+@((\w|\-)+\.)+(\w|\-)+",
    r"(\+|\-)?([0-9]*\.?[0-9]+|[0-9]+\.?[0-9]*)((e|E)(\+|\-)?[0-9]+)?",
    r"((\w|\d|\-|\.)+)@{1}(((\w|\d|\-){1,67})|((\w|\d|\-)+\.(\w|\d|\-){1,67}))\.((([a-z]|[A-Z]|\d){2,4})(\.([a-z]|A|Z|\d){2})?)",
    r"((([A-Z]|[a-z]|[0-9])+[ ]+)|(([A-Z]|[a-z]|[0-9])+\-+)|(([A-Z]|[a-z]|[0-9])+\.+)|(([A-Z]|[a-z]|[0-9])+\++))*([A-Z]|[a-z]|[0-9])+@((\w+\-+)|(\w+\.))*\w{1,63}\.([A-Z]|[a-z]){2,6}",
    r"((([A-Z]|[a-z]|[0-9]|\-|\.)+)@(([A-Z]|[a-z]|[0-9]|\-|\.)+)\.(([A-Z]|[a-z]){2,5}){1,25})+(((([A-Z]|[a-z]|[0-9]|\-|\.)+)@(([A-Z]|[a-z]|[0-9]|\-|\.)+)\.(([A-Z]|[a-z]){2,5}){1,25})+)*",
    r"((\w+((\-|\+|\.)\w+)*@\w+((\-|\.)\w+)*\.\w+((\-|\.)\w+)*)\s*[,]{0,1}\s*)+",
];

/// Shortest words of the products of the study, row with column; `.` where there is none. Agreed by seven public
/// libraries and solvers, as are [`DIFFERENCES`].
const PRODUCTS: [&str; 10] = [
    "5 . . . 5 . 6 6 6 5",
    ". 1 . . . 1 . . . .",
    ". . 0 . . . . . . .",
    ". . . 7 . . . . . .",
    "5 . . . 5 . 6 6 6 5",
    ". 1 . . . 1 . . . .",
    "6 . . . 6 . 6 6 6 6",
    "6 . . . 6 . 6 6 6 6",
    "6 . . . 6 . 6 6 6 6",
    "5 . . . 5 . 6 6 6 5",
];

/// Shortest words of the differences of the study, row minus column.
const DIFFERENCES: [&str; 10] = [
    ". 5 5 5 7 5 5 5 5 11",
    "1 . 1 1 1 1 1 1 1 1",
    "0 0 . 0 0 0 0 0 0 0",
    "7 7 7 . 7 7 7 7 7 7",
    "5 5 5 5 . 5 5 5 5 5",
    "1 2 1 1 1 . 1 1 1 1",
    "6 6 6 6 6 6 . 6 6 6",
    "8 6 6 6 8 6 8 . 6 8",
    "6 6 6 6 6 6 6 6 . 6",
    "6 5 5 5 6 5 5 5 5 .",
];

/// The length of a shortest word of an operation on two of the ten, if there is a word.
pub fn shortest(operation: Operation) -> Option<usize> {
    let table = match operation.kind {
        OperationKind::Product => PRODUCTS,
        OperationKind::Difference => DIFFERENCES,
    };
    table[operation.left].split(' ').nth(operation.right).unwrap().parse().ok()
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
pub fn question(alphabet: Alphabet, patterns: &[&str], operations: Vec<Operation>) -> Question {
    let source = |(i, pattern): (usize, &&str)| RegexSource {
        name: format!("A{i}"),
        pattern: (*pattern).to_owned(),
        dialect: Dialect::Dotnet,
    };
    Question { alphabet, regexes: patterns.iter().enumerate().map(source).collect(), operations }
}

/// A strategy by name.
pub fn strategy(name: &str) -> Box<dyn Strategy> {
    backends_sfa::strategies().into_iter().find(|s| s.info().name == name).unwrap()
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

/// Fails unless each answer agrees with the length of a shortest word of its operation (`None` for an empty language),
/// and each word is in the language.
pub fn check(question: &Question, answers: &[Answer], shortest: impl Fn(Operation) -> Option<usize>) {
    let regexes: Vec<Regex> = question
        .regexes
        .iter()
        .map(|r| harness_regex::parse(&r.pattern, r.dialect, question.alphabet).unwrap())
        .collect();
    assert_eq!(answers.len(), question.operations.len());
    for (operation, answer) in question.operations.iter().zip(answers) {
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

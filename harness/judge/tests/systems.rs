//! Solutions of systems of regular constraints: words, and languages that cannot be larger.

mod common;

use common::{answered, model, says};
use harness_judge::judge;
use harness_model::{
    Alphabet, Answer, Languages, Question, SolutionKind, Status, SystemFormat, SystemSource, Task, Verdict,
    Witness,
};

/// Example 2.3 of the text: `v1` in x(yy)+, `v2` in (yy)*z, and both together one of two words.
const TWO: &str = "
    v1 < [ s: a f: d d: a -> b on {'x'} b -> c on {'y'} c -> d on {'y'} d -> b on epsilon ];
    v2 < [ s: a f: c d: a -> b on {'y'} b -> a on {'y'} a -> c on {'z'} ];
    v1 . v2 < [ s: a f: e d: a -> b on {'x'} b -> c on {'y'} c -> d on {'y'} d -> e on {'z'}
                             d -> f on {'y'} f -> g on {'y'} g -> e on {'z'} ];
    solve();";

fn task(text: &str, solution: SolutionKind) -> Task {
    let source = SystemSource { text: text.into(), format: SystemFormat::Dprle, queries: 1, solution };
    Task {
        parameters: Default::default(),
        id: "t".into(),
        family: "t".into(),
        question: Question::of_system(Alphabet::Latin1, source),
        expected: None,
    }
}

/// An automaton with these words.
fn words(words: &[&str]) -> String {
    let mut text = "[ s: a f: z d:".to_owned();
    for (number, word) in words.iter().enumerate() {
        let state = |place: usize| if place == 0 { "a".to_owned() } else { format!("q{number}_{place}") };
        for (place, c) in word.chars().enumerate() {
            text += &format!(" {} -> {} on {{ '{c}' }}", state(place), state(place + 1));
        }
        text += &format!(" {} -> z on epsilon", state(word.len()));
    }
    text + " ]"
}

fn assignment(v1: &[&str], v2: &[&str]) -> Languages {
    [("v1".to_owned(), words(v1)), ("v2".to_owned(), words(v2))].into()
}

fn languages(all: Vec<Languages>) -> Answer {
    Answer::proved(Verdict::Sat, Witness::Languages(all))
}

fn judged(task: &Task, answer: Answer) -> (Status, String) {
    let found = judge(std::slice::from_ref(task), &[answered(task, "one", vec![answer])]);
    (found.judgements[0].status, found.judgements[0].detail.clone())
}

fn first() -> Languages {
    assignment(&["xyy"], &["z", "yyz"])
}

fn second() -> Languages {
    assignment(&["xyy", "xyyyy"], &["z"])
}

#[test]
fn words_are_checked_by_the_constraints() {
    let task = task(TWO, SolutionKind::Words);
    let values = |v1: &str, v2: &str| {
        model(&format!("((define-fun v1 () String \"{v1}\") (define-fun v2 () String \"{v2}\"))"))
    };
    assert_eq!(judged(&task, values("xyy", "yyz")).0, Status::Answered(Verdict::Sat));
    let (status, why) = judged(&task, values("xyyyy", "yyz"));
    assert_eq!(status, Status::InvalidModel);
    assert!(why.contains("\"xyyyyyyz\" is not in the language of line 4"), "{why}");
    let (status, why) = judged(&task, model("((define-fun v1 () String \"xyy\"))"));
    assert!(status == Status::InvalidModel && why.contains("no value for 'v2'"), "{status} {why}");
    // Languages are a solution in words too, and they need not be maximal then.
    assert_eq!(
        judged(&task, languages(vec![assignment(&["xyy"], &["z"])])).0,
        Status::Answered(Verdict::Sat)
    );
}

#[test]
fn the_published_assignments_are_all() {
    let task = task(TWO, SolutionKind::All);
    assert_eq!(
        judged(&task, languages(vec![first(), second()])),
        (Status::Answered(Verdict::Sat), String::new())
    );
    for (all, part) in [
        (vec![first()], "no assignment has the solution v1 = \"xyyyy\", v2 = \"z\""),
        (vec![second()], "no assignment has the solution v1 = \"xyy\", v2 = \"yyz\""),
        (vec![first(), assignment(&["xyyyy"], &["z"])], "'v1' is not maximal: it could have \"xyy\""),
        (vec![first(), assignment(&["xyy", "xyyyy"], &["z", "yyz"])], "has \"xyyyyyyz\", which is not in"),
        (vec![assignment(&["xyy"], &["z", "yyz", "x"])], "has \"x\", which is not in the language of line 3"),
        (vec![assignment(&[], &["z"])], "the language of 'v1' has no word"),
        (vec![[("v1".to_owned(), words(&["xyy"]))].into()], "no language for 'v2'"),
        (vec![[("v1".to_owned(), "[ s: ]".to_owned())].into()], "the language of 'v1' cannot be read"),
        (vec![], "no assignment in it"),
    ] {
        let (status, why) = judged(&task, languages(all));
        assert!(status == Status::InvalidModel && why.contains(part), "{status} {why}, expected {part}");
    }
}

#[test]
fn one_assignment_is_enough_where_one_is_asked_for() {
    let task = task(TWO, SolutionKind::First);
    assert_eq!(judged(&task, languages(vec![second()])).0, Status::Answered(Verdict::Sat));
    // A model proves nothing of languages.
    let (status, why) =
        judged(&task, model("((define-fun v1 () String \"xyy\") (define-fun v2 () String \"z\"))"));
    assert_eq!(status, Status::Answered(Verdict::Unknown), "{why}");
}

#[test]
fn a_solution_refutes_those_who_find_none() {
    let task = task(TWO, SolutionKind::First);
    let records = [
        answered(&task, "one", vec![languages(vec![first()])]),
        answered(&task, "two", vec![says(Verdict::Unsat)]),
    ];
    let found = judge(std::slice::from_ref(&task), &records);
    let statuses: Vec<Status> = found.judgements.iter().map(|judgement| judgement.status).collect();
    assert_eq!(statuses, [Status::Answered(Verdict::Sat), Status::Wrong]);
    assert!(
        found.judgements[1].detail.contains("an assignment of languages of one"),
        "{:?}",
        found.judgements
    );
}

/// Grammars of HAMPI's files: as a system within bounds, and where that would be too large.
#[test]
fn words_of_grammars_are_tested_by_the_grammar() {
    let file = |length: u32, more: &str| {
        let text = format!(
            "var v : {length}; cfg S := \"a\" S \"a\" | \"b\" S \"b\" | \"c\"; reg r := fix(S, {length}); assert v in r; {more}"
        );
        let source =
            SystemSource { text, format: SystemFormat::Hampi, queries: 1, solution: SolutionKind::Words };
        let question = Question::of_system(Alphabet::Latin1, source);
        Task { parameters: Default::default(), id: "t".into(), family: "t".into(), question, expected: None }
    };
    let said = |task: &Task, word: &str| judged(task, model(&format!("((define-fun v () String {word:?}))")));
    for (length, half) in [(5, "ab"), (61, "abaab".repeat(6).as_str())] {
        let back: String = half.chars().rev().collect();
        let task = file(length, &format!("assert v contains \"{half}c\"; assert v not equals \"c\";"));
        assert_eq!(said(&task, &format!("{half}c{back}")).0, Status::Answered(Verdict::Sat), "{length}");
        let (status, detail) = said(&task, &format!("{half}c{half}"));
        assert_eq!(status, Status::InvalidModel, "{detail}");
        let (status, detail) = said(&task, &format!("{back}c{half}"));
        assert_eq!(status, Status::InvalidModel, "{detail}");
        assert_eq!(said(&task, "c").0, Status::InvalidModel);
    }
}

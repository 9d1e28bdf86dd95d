//! Every library gives the known verdicts on the ten expressions of the representation study, with witnesses
//! that the trusted matcher accepts, and on expressions that only some of them can take.

use backends_api::{BackendError, Budget, Probe, Strategy};
use backends_input::Expressions;
use backends_peers::peer::{Limits, PEERS, PeerStrategy};
use corpora::{Batch, Options};
use harness_check::matcher::matches;
use harness_model::{Alphabet, Char, CharSet, Operation, OperationKind, Regex, SmtString, Verdict, Witness};

#[test]
fn verdicts_and_witnesses_in_ascii() {
    let options = Options { batch: Batch::PerKind, ..Options::default() };
    for task in corpora::load("regexes/li2009", &options).unwrap() {
        let question = &task.question;
        let terms: Vec<Regex> = (question.as_operations().unwrap().regexes.iter())
            .map(|r| harness_regex::parse(&r.pattern, r.dialect, question.alphabet).unwrap())
            .collect();
        let expected = &task.expected.as_ref().unwrap().verdicts;
        for peer in PEERS {
            let budget = Budget::unlimited();
            let probe = Probe::new();
            let strategy = PeerStrategy { name: peer.name.to_owned(), peer, limits: Limits::default() };
            let outcome = strategy.prepare(question, &budget, &probe).unwrap().run(&probe).unwrap();
            assert_eq!(outcome.answers.len(), question.as_operations().unwrap().operations.len());
            for ((operation, answer), expected) in
                question.as_operations().unwrap().operations.iter().zip(outcome.answers).zip(expected)
            {
                let what = format!("{} {operation:?}", peer.name);
                assert_eq!(answer.verdict, *expected, "{what}");
                match answer.witness {
                    Some(Witness::Word(word)) => {
                        assert!(matches(&terms[operation.left], &word), "{what}: {word}");
                        let in_right = matches(&terms[operation.right], &word);
                        assert_eq!(in_right, operation.kind == OperationKind::Product, "{what}: {word}");
                    }
                    Some(Witness::Model(_) | Witness::Languages(_)) => {
                        panic!("{what}: no word but something else")
                    }
                    None => assert_eq!(
                        answer.verdict == Verdict::Nonempty,
                        answer.reason.is_some(),
                        "{what}: no witness, no reason"
                    ),
                }
            }
        }
    }
}

fn answer(
    peer: usize,
    left: &Regex,
    kind: OperationKind,
    right: &Regex,
) -> Result<Option<SmtString>, BackendError> {
    let operations = [Operation { kind, left: 0, right: 1 }];
    let asked = Expressions::new(Alphabet::Unicode, vec![left.clone(), right.clone()], operations)?;
    let outcome = (PEERS[peer].answer)(&asked, &Limits::default(), &Budget::unlimited(), &Probe::new())?;
    Ok(match outcome.answers.into_iter().next() {
        Some(answer) => match (answer.verdict, answer.witness) {
            (Verdict::Empty, _) => None,
            (_, Some(Witness::Word(word))) => Some(word),
            // A verdict without a witness: any word will do for the tests below.
            _ => Some(SmtString::empty()),
        },
        None => None,
    })
}

#[test]
fn surrogates_and_the_last_character() {
    let around = Regex::set(CharSet::range(Char(0xD7FF), Char(0xE000)));
    let without = Regex::set(CharSet::from_ranges([(0xD7FF, 0xD9FF), (0xDA01, 0xE000)]));
    let end = Regex::set(CharSet::range(Char(0x1_0000), Char(0x2_FFFF)));
    let almost = Regex::set(CharSet::range(Char(0x1_0000), Char(0x2_FFFE)));
    for (number, peer) in PEERS.iter().enumerate() {
        for (left, right, only) in [(&around, &without, 0xDA00), (&end, &almost, 0x2_FFFF)] {
            let word = answer(number, left, OperationKind::Difference, right).unwrap().unwrap();
            if peer.name != "peer-regexsolver" {
                assert_eq!(word.chars(), [Char(only)], "{}", peer.name);
            }
            assert_eq!(answer(number, right, OperationKind::Difference, left).unwrap(), None);
        }
    }
}

#[test]
fn complement_and_intersection_where_a_library_has_them() {
    let letter = |c: char| Regex::set(CharSet::single(Char(u32::from(c))));
    let not_u = Regex::Complement(letter('u').into());
    let both = Regex::Inter([not_u.clone(), Regex::union([letter('u'), letter('v')])].into());
    for (number, peer) in PEERS.iter().enumerate() {
        let left = answer(number, &not_u, OperationKind::Product, &letter('u'));
        let right = answer(number, &both, OperationKind::Product, &letter('v'));
        if peer.name.starts_with("peer-regex-automata") {
            assert!(matches!(left, Err(BackendError::Unsupported(what)) if what.contains("complement")));
            assert!(matches!(right, Err(BackendError::Unsupported(what)) if what.contains("intersection")));
            continue;
        }
        assert_eq!(left, Ok(None), "{}", peer.name);
        assert!(right.unwrap().is_some(), "{}", peer.name);
        // What is not u is still within the alphabet: one more character than it has would be no word.
        let all = Regex::set(CharSet::full(Alphabet::Unicode)).star();
        assert_eq!(answer(number, &not_u, OperationKind::Difference, &all), Ok(None), "{}", peer.name);
    }
}

#[test]
fn odd_repetitions() {
    let letter = Regex::set(CharSet::single(Char(u32::from('u'))));
    let nothing = letter.clone().repeat(3, Some(2));
    let empty_word = Regex::concat([]);
    for (number, peer) in PEERS.iter().enumerate() {
        for (left, right, is_empty) in [
            (nothing.clone(), letter.clone().star(), true),
            (Regex::union([]), letter.clone().star(), true),
            (empty_word.clone(), letter.clone().repeat(0, Some(0)), false),
            (letter.clone().repeat(2, Some(4)), letter.clone().repeat(4, None), false),
            (letter.clone().repeat(2, Some(3)), letter.clone().repeat(4, None), true),
        ] {
            let word = answer(number, &left, OperationKind::Product, &right).unwrap();
            assert_eq!(word.is_none(), is_empty, "{} {left:?} {right:?}", peer.name);
        }
    }
}

#[test]
fn limits_stop_a_library() {
    let letter = |c: char| Regex::set(CharSet::single(Char(u32::from(c))));
    let loops = Regex::concat([Regex::union([letter('u'), letter('v')]).star(), letter('u')]);
    let left = Regex::concat([loops, Regex::union([letter('u'), letter('v')]).repeat(12, Some(12))]);
    let operations = [Operation { kind: OperationKind::Difference, left: 0, right: 1 }];
    let stopped = |name: &str, limits: &Limits| {
        let peer = PEERS.iter().find(|peer| peer.name == name).unwrap();
        let asked = Expressions::new(Alphabet::Ascii, vec![left.clone(), left.clone()], operations).unwrap();
        let outcome = (peer.answer)(&asked, limits, &Budget::unlimited(), &Probe::new());
        match outcome {
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        }
    };
    let usual = Limits::default();
    for (name, limits, part) in [
        ("peer-regexsolver", Limits { states: 100, ..usual }, "100 states"),
        ("peer-regexsolver-eager", Limits { states: 100, ..usual }, "100 states"),
        ("peer-regex-automata", Limits { pairs: 100, ..usual }, "100 pairs"),
        ("peer-regex-automata-lazy", Limits { pairs: 100, ..usual }, "100 pairs"),
        ("peer-regex-automata-lazy", Limits { memory: 1, ..usual }, "1 MiB"),
    ] {
        let what = stopped(name, &limits);
        assert!(what.as_ref().is_some_and(|what| what.contains(part)), "{name}: {what:?}");
        assert_eq!(stopped(name, &usual), None, "{name}");
    }
}

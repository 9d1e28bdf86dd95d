//! The corpus `regexes/li2009`: its tasks, and that its variants are what they claim to be.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeSet;

use backends_algebra::{MintermMethod, RangeAlgebra};
use backends_api::Budget;
use backends_automata::search::Order;
use backends_automata::tally::Tally;
use backends_automata::{construct, difference_witness, eliminate, intersection_witness};
use corpora::{Batch, CorpusError, Options, study};
use harness_check::matcher;
use harness_model::{Alphabet, Char, OperationKind, Regex, RegexSource, SmtString, Verdict};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn options() -> Options {
    Options { alphabets: Alphabet::ALL.to_vec(), ..Options::default() }
}

fn read(source: &RegexSource, alphabet: Alphabet) -> Regex {
    harness_regex::parse(&source.pattern, source.dialect, alphabet).unwrap()
}

#[test]
fn the_data_is_whole() {
    let names: Vec<String> = study::expressions().unwrap().into_iter().map(|r| r.name).collect();
    assert_eq!(names, (0..10).map(|n| format!("A{n}")).collect::<Vec<_>>());
    let variants: Vec<String> = study::variants().unwrap().into_iter().map(|r| r.name).collect();
    assert_eq!(variants, (0..10).map(|n| format!("A{n}v")).collect::<Vec<_>>());
    let answers = study::answers().unwrap();
    assert_eq!(answers.len(), 155);
    for ((kind, left, right), answer) in &answers {
        assert!(names.contains(left) && names.contains(right));
        for verdict in answer.verdicts.values() {
            assert_eq!(*verdict == Verdict::Nonempty, answer.shortest.is_some());
            if kind == &OperationKind::Difference {
                assert_eq!(*verdict == Verdict::Empty, left == right);
            }
        }
    }
}

#[test]
fn every_expression_is_read_in_every_alphabet() {
    for source in study::expressions().unwrap().iter().chain(&study::variants().unwrap()) {
        for alphabet in Alphabet::ALL {
            let regex = read(source, alphabet);
            assert!(!matcher::matches(&regex, &SmtString::from("\u{7f}")), "{}", source.name);
        }
    }
}

#[test]
fn tasks_one_by_one() {
    let tasks = corpora::load("regexes/li2009", &options()).unwrap();
    assert_eq!(tasks.len(), 4 * 155);
    let ids: BTreeSet<&str> = tasks.iter().map(|t| t.id.as_str()).collect();
    assert_eq!(ids.len(), tasks.len());
    let task = tasks.iter().find(|t| t.id == "regexes/li2009/utf16/difference/A3-A4").unwrap();
    assert_eq!(task.family, "regexes/li2009/difference");
    assert_eq!(task.question.alphabet, Alphabet::Utf16);
    let names: Vec<&str> =
        task.question.as_operations().unwrap().regexes.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names, ["A3", "A4"]);
    let diagonal = tasks.iter().find(|t| t.id == "regexes/li2009/ascii/product/A7-A7").unwrap();
    assert_eq!(
        (
            diagonal.question.as_operations().unwrap().regexes.len(),
            diagonal.question.as_operations().unwrap().operations[0].right
        ),
        (1, 0)
    );
    let empty = tasks.iter().filter(|t| t.expected.as_ref().unwrap().verdicts == [Verdict::Empty]);
    assert_eq!(empty.count(), 4 * 39);
}

#[test]
fn tasks_in_batches() {
    let load = |batch| corpora::load("regexes/li2009", &Options { batch, ..Options::default() }).unwrap();
    let kinds = load(Batch::PerKind);
    let ids: Vec<&str> = kinds.iter().map(|t| t.id.as_str()).collect();
    assert_eq!(ids, ["regexes/li2009/ascii/products", "regexes/li2009/ascii/differences"]);
    let counts: Vec<usize> =
        kinds.iter().map(|t| t.question.as_operations().unwrap().operations.len()).collect();
    assert_eq!(counts, [55, 100]);
    assert_eq!(kinds[0].expected.as_ref().unwrap().verdicts.len(), 55);
    let whole = load(Batch::Whole);
    assert_eq!((whole.len(), whole[0].id.as_str()), (1, "regexes/li2009/ascii/all"));
    assert_eq!(whole[0].question.as_operations().unwrap().operations.len(), 155);
    assert_eq!(whole[0].question.as_operations().unwrap().regexes.len(), 10);
}

#[test]
fn choosing_and_mistakes() {
    let with = |include: &[&str], exclude: &[&str]| Options {
        include: include.iter().map(|&n| n.into()).collect(),
        exclude: exclude.iter().map(|&n| n.into()).collect(),
        ..Options::default()
    };
    let load = |options: &Options| corpora::load("regexes/li2009", options);
    assert_eq!(load(&with(&["A1", "A5"], &[])).unwrap().len(), 3 + 4);
    assert_eq!(load(&with(&[], &["A6", "A8"])).unwrap().len(), 36 + 64);
    let error = load(&with(&["A11"], &[])).unwrap_err().to_string();
    assert_eq!(error, "corpus regexes/li2009 has no expression 'A11': did you mean 'A1'?");
    assert!(matches!(load(&with(&["A1"], &["A1"])), Err(CorpusError::Empty { .. })));
    let none = Options { alphabets: Vec::new(), ..Options::default() };
    assert!(load(&none).unwrap_err().to_string().contains("no alphabet"));
    let error = corpora::load("regexes/li2008", &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "there is no corpus 'regexes/li2008': did you mean 'regexes/li2009'?");
}

#[test]
fn tasks_on_variants() {
    let load = |batch| {
        let options = Options { variants: true, batch, ..Options::default() };
        corpora::load("regexes/li2009", &options).unwrap()
    };
    let tasks = load(Batch::Single);
    assert_eq!(tasks.len(), 10 + 20);
    let task = tasks.iter().find(|t| t.id == "regexes/li2009-variants/ascii/difference/A8-A8v").unwrap();
    assert_eq!(task.expected.as_ref().unwrap().verdicts, [Verdict::Empty]);
    assert_eq!(task.family, "regexes/li2009-variants/difference");
    let back = tasks.iter().find(|t| t.id == "regexes/li2009-variants/ascii/difference/A8v-A8").unwrap();
    assert_eq!(back.question.as_operations().unwrap().regexes[0].name, "A8v");
    let product = tasks.iter().find(|t| t.id == "regexes/li2009-variants/ascii/product/A8-A8v").unwrap();
    assert_eq!(product.expected.as_ref().unwrap().verdicts, [Verdict::Nonempty]);
    let batches = load(Batch::PerKind);
    assert_eq!(
        batches.iter().map(|t| t.question.as_operations().unwrap().operations.len()).collect::<Vec<_>>(),
        [10, 20]
    );
    assert_eq!(batches[0].question.as_operations().unwrap().regexes.len(), 20);
}

/// Exactly: neither language has a word that the other lacks, in any alphabet that tells their classes apart.
#[test]
fn variants_are_the_same_languages_by_automata() {
    for alphabet in [Alphabet::Ascii, Alphabet::Utf16] {
        let algebra = RangeAlgebra::new(alphabet);
        let budget = Budget::unlimited();
        let build = |source: &RegexSource| {
            eliminate(&algebra, &construct(&algebra, &read(source, alphabet), &budget).unwrap(), &budget)
                .unwrap()
        };
        for (a, v) in study::expressions().unwrap().iter().zip(&study::variants().unwrap()) {
            let (a_sfa, v_sfa) = (build(a), build(v));
            for (left, right) in [(&a_sfa, &v_sfa), (&v_sfa, &a_sfa)] {
                let word = difference_witness(
                    &algebra,
                    left,
                    right,
                    MintermMethod::Refinement,
                    Order::DepthFirst.into(),
                    &budget,
                    &mut Tally::default(),
                );
                assert_eq!(word.unwrap(), None, "{} and {}", a.name, v.name);
            }
        }
    }
}

/// The verdicts of `expected.csv` on products, and the lengths of shortest witnesses.
#[test]
fn products_are_as_expected_by_automata() {
    let alphabet = Alphabet::Ascii;
    let algebra = RangeAlgebra::new(alphabet);
    let budget = Budget::unlimited();
    let sources = study::expressions().unwrap();
    let automata: Vec<_> = sources
        .iter()
        .map(|s| {
            eliminate(&algebra, &construct(&algebra, &read(s, alphabet), &budget).unwrap(), &budget).unwrap()
        })
        .collect();
    for ((kind, left, right), answer) in study::answers().unwrap() {
        if kind != OperationKind::Product {
            continue;
        }
        let at = |name: &str| sources.iter().position(|s| s.name == name).unwrap();
        let (l, r) = (at(&left), at(&right));
        let word = intersection_witness(
            &algebra,
            &automata[l],
            &automata[r],
            Order::BreadthFirst.into(),
            &budget,
            &mut Tally::default(),
        )
        .unwrap();
        assert_eq!(word.as_ref().map(SmtString::len), answer.shortest, "{left} {right}");
        if let Some(word) = word {
            assert!(matcher::matches(&read(&sources[l], alphabet), &word));
            assert!(matcher::matches(&read(&sources[r], alphabet), &word));
        }
    }
}

/// Independently of all automata: original and variant agree on words of either, whole and damaged.
#[test]
fn variants_agree_with_originals_on_sampled_words() {
    for alphabet in [Alphabet::Ascii, Alphabet::Unicode] {
        for (a, v) in study::expressions().unwrap().iter().zip(&study::variants().unwrap()) {
            let (original, variant) = (read(a, alphabet), read(v, alphabet));
            let mut rng = ChaCha8Rng::seed_from_u64(2009);
            let mut inside = 0;
            for _ in 0..150 {
                for source in [&original, &variant] {
                    let mut word = Vec::new();
                    sample(source, &mut rng, &mut word);
                    for damaged in [false, true] {
                        if damaged {
                            damage(&mut word, &mut rng);
                        }
                        let word = SmtString::from(word.clone());
                        let expected = matcher::matches(&original, &word);
                        assert!(damaged || expected, "{} lacks its own {word:?}", a.name);
                        assert_eq!(matcher::matches(&variant, &word), expected, "{} on {word:?}", v.name);
                        inside += u32::from(expected);
                    }
                }
            }
            assert!((300..600).contains(&inside), "{}: {inside}", a.name);
        }
    }
}

fn below(rng: &mut ChaCha8Rng, limit: usize) -> usize {
    rng.next_u32() as usize % limit
}

/// A word of `regex`, short.
fn sample(regex: &Regex, rng: &mut ChaCha8Rng, word: &mut Vec<Char>) {
    match regex {
        Regex::Set(set) => {
            let ranges = set.ranges();
            // Half of them from the first few ranges, which are ASCII.
            let few = if rng.next_u32().is_multiple_of(2) { ranges.len().min(3) } else { ranges.len() };
            let (low, high) = ranges[below(rng, few)];
            word.push(Char(low + rng.next_u32() % (high - low + 1)));
        }
        Regex::Concat(parts) => parts.iter().for_each(|p| sample(p, rng, word)),
        Regex::Union(parts) => sample(&parts[below(rng, parts.len())], rng, word),
        Regex::Repeat { inner, min, max } => {
            let more = max.map_or(3, |max| (max - min).min(3));
            for _ in 0..min + rng.next_u32() % (more + 1) {
                sample(inner, rng, word);
            }
        }
        Regex::Epsilon => {}
        other => panic!("the study has no {other:?}"),
    }
}

/// Leaves one character out, doubles one, or replaces one.
fn damage(word: &mut Vec<Char>, rng: &mut ChaCha8Rng) {
    if word.is_empty() {
        word.push(Char::from(b'.'));
        return;
    }
    let at = below(rng, word.len());
    match rng.next_u32() % 3 {
        0 => {
            word.remove(at);
        }
        1 => word.insert(at, word[at]),
        _ => word[at] = Char::from(b"@. ,-+$aZ0_"[below(rng, 11)]),
    }
}

//! Random context-free grammars, in the style of the exercises that CFG Analyzer was published with: a
//! handful of non-terminals, short alternatives, two or three letters.

use std::fmt::Write as _;

use harness_grammar::{NormalForm, contains, read};
use harness_model::{
    Alphabet, Char, Expected, GrammarSource, GrammarsSource, Question, SmtString, Task, Verdict,
};

use super::sizes;
use crate::error::GeneratorError;
use crate::params::Params;
use crate::random::Random;
use crate::{Family, GeneratorInfo, ParamInfo};

/// How often a grammar is drawn again that has no word of a length that is asked for.
const TRIES: u64 = 2_000;

/// The most words that are looked at for an expected verdict.
const WORDS: u64 = 1_000;

/// Names of non-terminals; the first is the start symbol.
const NAMES: [&str; 8] = ["S", "A", "B", "C", "D", "E", "F", "G"];

/// Pairs of random grammars, and whether they have a word of a length in common (Hooimeijer, *Decision
/// Procedures for String Constraints*, section 4.2.4, where pairs are drawn from a published set).
pub struct RandomGrammars;

impl Family for RandomGrammars {
    fn info(&self) -> GeneratorInfo {
        GeneratorInfo {
            name: "random-grammars",
            summary: "pairs of context-free grammars, each with words of the lengths that are asked for: is one in both?",
            scripts: false,
            params: &[
                ParamInfo { name: "pairs", summary: "how many; 85 by default" },
                ParamInfo { name: "lengths", summary: "a length or a list of them; 5, 10 and 12 by default" },
                ParamInfo {
                    name: "exact",
                    summary: "whether words have these lengths, and not up to these; true by default",
                },
                ParamInfo { name: "letters", summary: "the number of letters, up to 26; 2 by default" },
                ParamInfo { name: "nonterminals", summary: "at most so many in each, up to 8; 4 by default" },
                ParamInfo {
                    name: "alternatives",
                    summary: "at most so many of each non-terminal; 3 by default",
                },
                ParamInfo { name: "symbols", summary: "at most so many in each alternative; 4 by default" },
            ],
        }
    }

    fn tasks(
        &self,
        params: &Params<'_>,
        seed: u64,
        alphabets: &[Alphabet],
    ) -> Result<Vec<Task>, GeneratorError> {
        let pairs = params.int("pairs", 85, 1, 100_000)?;
        let lengths = params.ints("lengths", &[5, 10, 12], 0, 100)?;
        let exact = params.flag("exact", true)?;
        let shape = Shape {
            letters: params.int("letters", 2, 1, 26)?,
            nonterminals: params.int("nonterminals", 4, 1, 8)?,
            alternatives: params.int("alternatives", 3, 1, 20)?,
            symbols: params.int("symbols", 4, 1, 20)?,
        };
        let mut tasks = Vec::new();
        for number in 0..pairs {
            let [first, second] = [0, 1].map(|side| {
                let tries = 0..TRIES;
                let stream = |again: u64| (u64::from(number) * 2 + side) * TRIES + again;
                tries.map(|again| grammar(&mut Random::new(seed, stream(again)), shape)).find(|text| {
                    read(text).is_ok_and(|grammar| {
                        let normal = NormalForm::of(&grammar);
                        let longest = lengths.iter().max().copied().unwrap_or(0) as usize;
                        let has = &normal.lengths(longest)[0];
                        lengths.iter().all(|&length| {
                            if exact { has[length as usize] } else { has[..=length as usize].contains(&true) }
                        })
                    })
                })
            });
            let (Some(first), Some(second)) = (first, second) else {
                return Err(params.bad("lengths", "no grammar of this shape has words of all these lengths"));
            };
            for &alphabet in alphabets {
                for &length in &lengths {
                    let named = |name: &str, text: &String| GrammarSource {
                        name: format!("{name}{number}"),
                        text: text.clone(),
                    };
                    let asked = GrammarsSource {
                        grammars: vec![named("left", &first), named("right", &second)],
                        shortest: if exact { length } else { 0 },
                        longest: length,
                    };
                    tasks.push(Task {
                        parameters: sizes([("length", length)]),
                        id: format!("random-grammars/{alphabet}/s{seed}/{number}/len{length}"),
                        family: "random-grammars".to_owned(),
                        expected: expected(&asked, shape.letters),
                        question: Question::of_grammars(alphabet, asked),
                    });
                }
            }
        }
        Ok(tasks)
    }
}

/// How large grammars are.
#[derive(Clone, Copy)]
struct Shape {
    letters: u32,
    nonterminals: u32,
    alternatives: u32,
    symbols: u32,
}

/// Alternatives that are short are as frequent as long ones; a symbol is a letter with an even chance.
fn grammar(random: &mut Random, shape: Shape) -> String {
    let count = 1 + random.below(shape.nonterminals);
    let mut text = String::new();
    for name in NAMES.iter().take(count as usize) {
        text.push_str(name);
        for _ in 0..1 + random.below(shape.alternatives) {
            text.push_str(" :");
            for _ in 0..random.below(shape.symbols + 1) {
                if random.below(2) == 0 {
                    let letter = (b'a'..=b'z').nth(random.below(shape.letters) as usize).unwrap_or(b'a');
                    let _ = write!(text, " \"{}\"", char::from(letter));
                } else {
                    let _ = write!(text, " {}", NAMES[random.below(count) as usize]);
                }
            }
            text.push_str(" ;\n");
        }
    }
    text
}

/// The verdict by trying every word, where these are few.
fn expected(asked: &GrammarsSource, letters: u32) -> Option<Expected> {
    let of_length = |length: u32| u64::from(letters).checked_pow(length);
    let all =
        (asked.shortest..=asked.longest).try_fold(0u64, |sum, length| sum.checked_add(of_length(length)?))?;
    if all > WORDS {
        return None;
    }
    let grammars: Vec<_> =
        asked.grammars.iter().map(|grammar| read(&grammar.text).ok()).collect::<Option<_>>()?;
    let word = |length: u32, mut number: u64| -> SmtString {
        let mut word = Vec::new();
        for _ in 0..length {
            let letter = u32::try_from(number % u64::from(letters)).unwrap_or(0);
            word.push(Char(u32::from(b'a') + letter));
            number /= u64::from(letters);
        }
        SmtString::from(word)
    };
    let mut found = false;
    for length in asked.shortest..=asked.longest {
        for number in 0..of_length(length)? {
            let word = word(length, number);
            let mut inside = true;
            for grammar in &grammars {
                inside = inside && contains(grammar, &word, u64::MAX)?;
            }
            found |= inside;
        }
    }
    let verdict = if found { Verdict::Nonempty } else { Verdict::Empty };
    let source = format!("by trying all {all} words of these lengths over {letters} letters");
    Some(Expected { verdicts: vec![verdict], source })
}

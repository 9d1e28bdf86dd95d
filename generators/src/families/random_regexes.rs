//! Pairs of random expressions, for agreement between strategies: no answer is known beforehand.
//!
//! An expression of size k has k leaves, each a letter or a class of two. An operator is drawn by weight at
//! every node: a concatenation or a union splits the leaves at a random place, a repetition keeps them. What
//! is written uses only syntax that means the same in every dialect.

use harness_model::{Alphabet, Char, Operation, OperationKind, Question, Task};

use super::source;
use crate::error::GeneratorError;
use crate::params::Params;
use crate::random::Random;
use crate::{Family, GeneratorInfo, ParamInfo};

/// Random pairs.
pub struct RandomRegexes;

/// Recursion is at most twice as deep as there are leaves.
const LARGEST: u32 = 200;

const OPERATIONS: [&str; 2] = ["product", "difference"];

/// How expressions are drawn.
struct Shape {
    letters: Vec<char>,
    /// Concatenation, union, repetition.
    weights: [u32; 3],
    /// The greatest count; 0: only `*`, `+` and `?`.
    counts: u32,
}

impl Family for RandomRegexes {
    fn info(&self) -> GeneratorInfo {
        GeneratorInfo {
            name: "random-regexes",
            summary: "products and differences of pairs of random expressions",
            scripts: false,
            params: &[
                ParamInfo { name: "pairs", summary: "how many pairs; 20 by default" },
                ParamInfo { name: "size", summary: "letters in each expression; 12 by default" },
                ParamInfo { name: "letters", summary: "the letters that are drawn from; abc by default" },
                ParamInfo { name: "operations", summary: "product, difference or both; both by default" },
                ParamInfo { name: "concat", summary: "weight of concatenation; 5 by default" },
                ParamInfo { name: "union", summary: "weight of union; 3 by default" },
                ParamInfo { name: "repeat", summary: "weight of repetition; 2 by default" },
                ParamInfo { name: "counts", summary: "the greatest count {m,n}; 0, for none, by default" },
            ],
        }
    }

    fn tasks(
        &self,
        params: &Params<'_>,
        seed: u64,
        alphabets: &[Alphabet],
    ) -> Result<Vec<Task>, GeneratorError> {
        let pairs = params.int("pairs", 20, 1, 100_000)?;
        let size = params.int("size", 12, 1, LARGEST)?;
        let weight = |name, default| params.int(name, default, 0, 1000);
        let shape = Shape {
            letters: params.text("letters", "abc")?.chars().collect(),
            weights: [weight("concat", 5)?, weight("union", 3)?, weight("repeat", 2)?],
            counts: params.int("counts", 0, 0, 1000)?,
        };
        if shape.weights[..2] == [0, 0] {
            return Err(params.bad("concat", "the weights of concatenation and union cannot both be 0"));
        }
        if shape.letters.is_empty() {
            return Err(params.bad("letters", "at least one letter is wanted"));
        }
        let foreign = |alphabet: Alphabet| {
            shape.letters.iter().find(|&&c| !alphabet.contains(Char(u32::from(c)))).map(|c| (c, alphabet))
        };
        if let Some((c, alphabet)) = alphabets.iter().find_map(|&a| foreign(a)) {
            return Err(params.bad("letters", format!("{c:?} is not in the alphabet {alphabet}")));
        }
        let kinds: Vec<OperationKind> = params
            .choice("operations", &OPERATIONS)?
            .into_iter()
            .map(
                |name| if name == OPERATIONS[0] { OperationKind::Product } else { OperationKind::Difference },
            )
            .collect();

        let mut tasks = Vec::new();
        for &alphabet in alphabets {
            for pair in 0..pairs {
                let mut random = Random::new(seed, u64::from(pair));
                let [left, right] = ["left", "right"].map(|name| source(name, shape.draw(size, &mut random)));
                tasks.extend(kinds.iter().map(|&kind| Task {
                    parameters: Default::default(),
                    id: format!("random-regexes/{alphabet}/seed{seed}/{pair}/{kind}"),
                    family: format!("random-regexes/{kind}"),
                    question: Question::of_operations(
                        alphabet,
                        vec![left.clone(), right.clone()],
                        vec![Operation { kind, left: 0, right: 1 }],
                    ),
                    expected: None,
                }));
            }
        }
        Ok(tasks)
    }
}

impl Shape {
    fn draw(&self, leaves: u32, random: &mut Random) -> String {
        let mut out = String::new();
        self.write(leaves, true, random, &mut out);
        out
    }

    /// Writes an expression of `leaves` leaves that a quantifier may follow; `repeat` says whether it may be
    /// a repetition itself.
    fn write(&self, leaves: u32, repeat: bool, random: &mut Random, out: &mut String) {
        let [concat, union, repetition] = self.weights;
        let repetition = if repeat { repetition } else { 0 };
        if leaves == 1 {
            // As often as among the operators, but never without end.
            if repetition > 0 && random.weighted(&[concat + union, repetition]) == 1 {
                self.write(1, false, random, out);
                self.quantify(random, out);
            } else {
                self.leaf(random, out);
            }
            return;
        }
        out.push_str("(?:");
        match random.weighted(&[concat, union, repetition]) {
            2 => {
                self.write(leaves, false, random, out);
                self.quantify(random, out);
            }
            operator => {
                let left = 1 + random.below(leaves - 1);
                self.write(left, true, random, out);
                if operator == 1 {
                    out.push('|');
                }
                self.write(leaves - left, true, random, out);
            }
        }
        out.push(')');
    }

    fn quantify(&self, random: &mut Random, out: &mut String) {
        match random.below(if self.counts > 0 { 4 } else { 3 }) {
            0 => out.push('*'),
            1 => out.push('+'),
            2 => out.push('?'),
            _ => {
                let high = 1 + random.below(self.counts);
                let low = random.below(high + 1);
                out.push_str(&format!("{{{low},{high}}}"));
            }
        }
    }

    fn leaf(&self, random: &mut Random, out: &mut String) {
        let mut letter = || {
            let index = random.below(u32::try_from(self.letters.len()).unwrap_or(u32::MAX));
            self.letters[index as usize]
        };
        let (first, second, pair) = (letter(), letter(), letter());
        // A class of two for one leaf in so many as there are letters.
        if first == pair && first != second {
            out.push('[');
            literal(first, out);
            literal(second, out);
            out.push(']');
        } else {
            literal(first, out);
        }
    }
}

/// A letter as every dialect reads it, inside brackets too.
fn literal(c: char, out: &mut String) {
    if c.is_ascii_graphic() && !c.is_ascii_alphanumeric() && c != '_' {
        out.push('\\');
    }
    out.push(c);
}

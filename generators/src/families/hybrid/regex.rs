//! Drawing regular expressions of a few operators over the characters of a problem, as terms of SMT-LIB.

use harness_model::Char;

use super::literal;
use crate::random::Random;

/// An expression of at most `depth` operators above each other.
pub(super) fn draw(random: &mut Random, characters: &[Char], depth: u32) -> String {
    if depth == 0 || random.below(4) == 0 {
        return leaf(random, characters);
    }
    let part = |random: &mut Random| draw(random, characters, depth - 1);
    match random.below(9) {
        0..=2 => format!("(re.++ {} {})", part(random), part(random)),
        3 | 4 => format!("(re.union {} {})", part(random), part(random)),
        5 => format!("(re.* {})", part(random)),
        6 => format!("(re.+ {})", part(random)),
        7 => format!("(re.opt {})", part(random)),
        _ => {
            let low = random.below(3);
            let high = low + random.below(3);
            format!("((_ re.loop {low} {high}) {})", part(random))
        }
    }
}

/// A word of one or two characters, a range of neighbours, or any character.
fn leaf(random: &mut Random, characters: &[Char]) -> String {
    let count = u32::try_from(characters.len()).unwrap_or(u32::MAX);
    let pick = |random: &mut Random| characters[random.below(count) as usize];
    match random.below(6) {
        0 => "re.allchar".to_owned(),
        1 | 2 => {
            let (a, b) = (pick(random), pick(random));
            let one = |c: Char| literal(&vec![c].into());
            format!("(re.range {} {})", one(a.min(b)), one(a.max(b)))
        }
        n => {
            let length = 1 + usize::from(n == 5);
            let word = (0..length).map(|_| pick(random)).collect();
            format!("(str.to_re {})", literal(&word))
        }
    }
}

//! Regular languages that need no quantifier: finitely many shapes, a shape being one set of characters for each place.

use harness_model::{Alphabet, CharSet, Regex};

/// No more shapes than this.
pub const MOST_SHAPES: usize = 64;
/// No more places than this in all shapes together.
pub const MOST_PLACES: usize = 512;

/// The shapes whose union is the language; `None` when there are too many, or infinitely many, or when it is not
/// apparent. Cost: bounded by the two constants, and the size of the expression.
pub fn shapes(regex: &Regex, alphabet: Alphabet) -> Option<Vec<Vec<CharSet>>> {
    let found = match regex {
        Regex::Empty => Vec::new(),
        Regex::Epsilon => vec![Vec::new()],
        Regex::Set(set) => {
            let set = set.cut_to(alphabet);
            if set.is_empty() { Vec::new() } else { vec![vec![set]] }
        }
        Regex::Concat(parts) => {
            let mut all = vec![Vec::new()];
            for part in parts.iter() {
                all = product(&all, &shapes(part, alphabet)?)?;
            }
            all
        }
        Regex::Union(parts) => {
            let mut all = Vec::new();
            for part in parts.iter() {
                for shape in shapes(part, alphabet)? {
                    if !all.contains(&shape) {
                        all.push(shape);
                    }
                }
            }
            all
        }
        Regex::Repeat { inner, min, max } => {
            let inner = shapes(inner, alphabet)?;
            let empty_only = inner.iter().all(Vec::is_empty);
            let max = match max {
                Some(max) if empty_only => (*max).min(1),
                Some(max) => *max,
                None if empty_only => (*min).max(1),
                None => return None,
            };
            let min = if empty_only { (*min).min(1) } else { *min };
            let (mut power, mut all) = (vec![Vec::new()], Vec::new());
            for count in 0..=max {
                if count >= min {
                    for shape in &power {
                        if !all.contains(shape) {
                            all.push(shape.clone());
                        }
                    }
                }
                if count < max {
                    power = product(&power, &inner)?;
                }
            }
            all
        }
        Regex::Inter(_) | Regex::Complement(_) => return None,
    };
    small(found)
}

fn small(shapes: Vec<Vec<CharSet>>) -> Option<Vec<Vec<CharSet>>> {
    let places: usize = shapes.iter().map(Vec::len).sum();
    (shapes.len() <= MOST_SHAPES && places <= MOST_PLACES).then_some(shapes)
}

fn product(left: &[Vec<CharSet>], right: &[Vec<CharSet>]) -> Option<Vec<Vec<CharSet>>> {
    if left.len() * right.len() > MOST_SHAPES {
        return None;
    }
    let mut all: Vec<Vec<CharSet>> = Vec::new();
    for first in left {
        for second in right {
            let shape: Vec<CharSet> = first.iter().chain(second).cloned().collect();
            if !all.contains(&shape) {
                all.push(shape);
            }
        }
    }
    small(all)
}

#[cfg(test)]
mod tests {
    use harness_model::{Char, SmtString};

    use super::*;

    fn of(regex: &Regex) -> Option<Vec<usize>> {
        shapes(regex, Alphabet::Ascii).map(|shapes| shapes.iter().map(Vec::len).collect())
    }

    #[test]
    fn finite_ones() {
        let digit = Regex::set(CharSet::from_ranges([(48, 57)]));
        let word = Regex::literal(&SmtString::from("ab"));
        assert_eq!(of(&Regex::concat([word.clone(), digit.clone()])), Some(vec![3]));
        assert_eq!(of(&digit.clone().repeat(1, Some(3))), Some(vec![1, 2, 3]));
        assert_eq!(of(&Regex::union([word.clone(), word, Regex::Epsilon])), Some(vec![2, 0]));
        assert_eq!(of(&Regex::Epsilon.star()), Some(vec![0]));
        assert_eq!(of(&digit.clone().repeat(3, Some(2))), Some(vec![]));
        let foreign = Regex::set(CharSet::single(Char(0x1000)));
        assert_eq!(of(&Regex::concat([digit.clone(), foreign])), Some(vec![]));
        assert_eq!(of(&digit.clone().star()), None);
        assert_eq!(of(&digit.repeat(0, Some(1_000_000))), None);
    }
}

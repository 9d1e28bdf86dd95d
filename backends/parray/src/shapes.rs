//! Regular languages that are simple: finitely many shapes, a shape being one set of characters for each
//! place; and the languages in which Java's operations are defined.

use harness_model::{Alphabet, CharSet, Regex};

/// No more shapes than this.
pub const MOST_SHAPES: usize = 64;
/// No more places than this in all shapes together.
pub const MOST_PLACES: usize = 512;

/// The shapes whose union is the language; `None` when there are too many, or infinitely many, or when it is
/// not apparent. Cost: bounded by the two constants, and the size of the expression.
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
        Regex::Repeat { min, max: Some(max), .. } if max < min => Vec::new(),
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

/// A language of finitely many shapes followed by any number of characters of one set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tailed {
    /// The shapes.
    pub starts: Vec<Vec<CharSet>>,
    /// The set of what follows.
    pub tail: CharSet,
}

/// The languages in which Java's operations are defined, if this is such a one: `parseInt` takes a sign and
/// digits, case mapping (for which only ASCII is modelled) takes characters up to U+007F. Cost: as for
/// [`shapes`].
pub fn domain(regex: &Regex, alphabet: Alphabet) -> Option<Tailed> {
    let (starts, last) = match regex {
        Regex::Concat(parts) => {
            let (last, starts) = parts.split_last()?;
            (Regex::concat(starts.iter().cloned()), last)
        }
        Regex::Empty
        | Regex::Epsilon
        | Regex::Set(_)
        | Regex::Union(_)
        | Regex::Inter(_)
        | Regex::Complement(_)
        | Regex::Repeat { .. } => (Regex::Epsilon, regex),
    };
    let before = shapes(&starts, alphabet)?;
    match last {
        Regex::Concat(_) => {
            let Tailed { starts, tail } = domain(last, alphabet)?;
            Some(Tailed { starts: product(&before, &starts)?, tail })
        }
        Regex::Repeat { inner, min, max: None } => {
            let inside = shapes(inner, alphabet)?;
            let digits = CharSet::from_ranges([(48, 57)]);
            let tail = [digits, CharSet::full(Alphabet::Ascii)]
                .into_iter()
                .find(|set| inside == [vec![set.clone()]])?;
            let least =
                shapes(&Regex::Repeat { inner: inner.clone(), min: *min, max: Some(*min) }, alphabet)?;
            Some(Tailed { starts: product(&before, &least)?, tail })
        }
        Regex::Repeat { max: Some(_), .. }
        | Regex::Empty
        | Regex::Epsilon
        | Regex::Set(_)
        | Regex::Union(_)
        | Regex::Inter(_)
        | Regex::Complement(_) => None,
    }
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
        let lengths = |regex: &Regex| {
            domain(regex, Alphabet::Ascii).map(|all| all.starts.iter().map(Vec::len).collect::<Vec<_>>())
        };
        let sign = Regex::set(CharSet::single(Char::from(b'-'))).repeat(0, Some(1));
        assert_eq!(lengths(&Regex::concat([sign.clone(), digit.clone().repeat(1, None)])), Some(vec![1, 2]));
        assert_eq!(lengths(&digit.clone().star()), Some(vec![0]));
        assert_eq!(lengths(&Regex::concat([sign.clone().star(), digit.clone().star()])), None);
        assert_eq!(lengths(&Regex::concat([digit.clone().star(), sign])), None);
        assert_eq!(of(&digit.repeat(0, Some(1_000_000))), None);
    }
}

//! The words of bounded length of a grammar as a regular expression: finitely many, so the language is
//! regular.
//!
//! The expression is a union over lengths; that of a symbol and a length is a union of characters and of
//! pairs at each place where the word can be cut. Expressions of the same symbol and length are one in
//! memory, so it has as many nodes as the table of a parser; written out as a tree it may be exponentially
//! larger. [`Bounded::tree`] says how large.

use harness_model::{CharSet, Regex};

use crate::normal::NormalForm;

/// Words of bounded length as an expression.
#[derive(Clone, Debug)]
pub struct Bounded {
    /// The expression; [`Regex::Empty`] if there is no word.
    pub regex: Regex,
    /// How many nodes its tree has, where it is not too many to say.
    pub tree: Option<u64>,
}

/// The words from `shortest` to `longest` characters that the start symbol derives.
pub fn bounded(normal: &NormalForm, shortest: usize, longest: usize) -> Bounded {
    let lengths = normal.lengths(longest);
    let needed = needed(normal, &lengths, shortest, longest);
    let none = Bounded { regex: Regex::Empty, tree: Some(1) };
    let mut made: Vec<Vec<Bounded>> = vec![vec![none; normal.len()]; longest + 1];
    for length in 1..=longest {
        let own: Vec<Vec<Bounded>> = (0..normal.len())
            .map(|symbol| {
                if needed[length][symbol].own {
                    own(normal, &made, &lengths, symbol, length)
                } else {
                    Vec::new()
                }
            })
            .collect();
        for symbol in (0..normal.len()).filter(|&symbol| needed[length][symbol].whole) {
            let parts = normal.becomes(symbol).iter().flat_map(|&other| own[other].iter().cloned());
            made[length][symbol] = union(parts.collect());
        }
    }
    let mut parts = Vec::new();
    for length in shortest..=longest {
        if length == 0 && normal.has_empty(0) {
            parts.push(Bounded { regex: Regex::Epsilon, tree: Some(1) });
        } else if length > 0 && lengths[0][length] {
            parts.push(made[length][0].clone());
        }
    }
    union(parts)
}

/// The alternatives that a symbol itself has for a length.
fn own(
    normal: &NormalForm,
    made: &[Vec<Bounded>],
    lengths: &[Vec<bool>],
    symbol: usize,
    length: usize,
) -> Vec<Bounded> {
    let mut parts = Vec::new();
    if length == 1 && !normal.characters(symbol).is_empty() {
        let set = CharSet::from_ranges(normal.characters(symbol).iter().map(|c| (c.0, c.0)));
        parts.push(Bounded { regex: Regex::set(set), tree: Some(1) });
    }
    for &(first, second) in normal.pairs(symbol) {
        for part in 1..length {
            if lengths[first][part] && lengths[second][length - part] {
                parts.push(concat(&made[part][first], &made[length - part][second]));
            }
        }
    }
    parts
}

/// Whether the words of a symbol and a length are needed.
#[derive(Clone, Copy, Default)]
pub(crate) struct Need {
    /// All that the symbol becomes.
    pub(crate) whole: bool,
    /// Its own alternatives.
    pub(crate) own: bool,
}

/// By length and symbol, what the words of these lengths need.
pub(crate) fn needed(
    normal: &NormalForm,
    lengths: &[Vec<bool>],
    shortest: usize,
    longest: usize,
) -> Vec<Vec<Need>> {
    let mut needed = vec![vec![Need::default(); normal.len()]; longest + 1];
    for length in shortest.max(1)..=longest {
        needed[length][0].whole = lengths[0][length];
    }
    for length in (1..=longest).rev() {
        for symbol in 0..normal.len() {
            if needed[length][symbol].whole {
                for &other in normal.becomes(symbol) {
                    needed[length][other].own = true;
                }
            }
        }
        for symbol in 0..normal.len() {
            if !needed[length][symbol].own {
                continue;
            }
            for &(first, second) in normal.pairs(symbol) {
                for part in 1..length {
                    if lengths[first][part] && lengths[second][length - part] {
                        needed[part][first].whole = true;
                        needed[length - part][second].whole = true;
                    }
                }
            }
        }
    }
    needed
}

fn concat(first: &Bounded, second: &Bounded) -> Bounded {
    let tree = first.tree.zip(second.tree).and_then(|(a, b)| a.checked_add(b)?.checked_add(1));
    Bounded { regex: Regex::concat([first.regex.clone(), second.regex.clone()]), tree }
}

fn union(mut parts: Vec<Bounded>) -> Bounded {
    match parts.len() {
        0 => Bounded { regex: Regex::Empty, tree: Some(1) },
        1 => parts.remove(0),
        _ => {
            let tree = parts.iter().try_fold(1_u64, |sum, part| sum.checked_add(part.tree?));
            Bounded { regex: Regex::union(parts.into_iter().map(|part| part.regex)), tree }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn bounded_of(text: &str, shortest: usize, longest: usize) -> Bounded {
        bounded(&NormalForm::of(&read(text).unwrap()), shortest, longest)
    }

    #[test]
    fn nothing_and_the_empty_word() {
        assert_eq!(bounded_of("S : S \"a\" ;", 0, 5).regex, Regex::Empty);
        assert_eq!(bounded_of("S : S \"a\" ; : ;", 0, 0).regex, Regex::Epsilon);
        assert_eq!(bounded_of("S : \"a\" \"b\" ;", 3, 9).regex, Regex::Empty);
    }

    #[test]
    fn trees_grow_where_the_nodes_do_not() {
        let tree = |length| bounded_of("S : S S ; : \"a\" ;", length, length).tree;
        // The Catalan numbers count the trees.
        assert_eq!([tree(1), tree(2), tree(3)], [Some(1), Some(3), Some(11)]);
        assert_eq!(tree(64), None);
    }
}

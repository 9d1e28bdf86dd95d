//! Equations of words: rule `word_equation`.
//!
//! A word that is put together in two ways is an equation of two rows of characters and words that are not
//! known.
//!
//! - Where as many characters stand before one place on the left as before one on the right, whatever the
//!   lengths are, both sides are cut there: what is between two cuts is equal.
//! - A character stands as often on one side as on the other. So what is left of it when words that stand on
//!   both sides are taken away must have room: `x·aa·y = y·ba·x` has no solution, nor has `x = a·x`.
//!
//! - Two words that are put together of the same row are the same word.
//!
//! Lengths are compared as sums, in which lengths that a formula says to be equal are one.
//!
//! Source: ours; counting is Parikh's theorem in its simplest form. A solver that guesses lengths refutes one
//! guess after the other, without end where the words have no bound.

use std::collections::HashMap;

use backends_api::{Budget, Stop};
use harness_model::{Char, SmtString};

use super::ends::Lengths;
use super::{RuleName, Work};
use crate::edge::{Relation, StringVertex};
use crate::linear::Sum;
use crate::reasons::Reasons;
use crate::rules::Counts;

const NAME: RuleName = "rule_word_equation";

/// Longer rows are left alone.
const MOST_ITEMS: usize = 600;

/// Rows with more items together are not compared with each other.
const MOST_COMPARED: usize = 100_000;

/// A character, or a word that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Item {
    Char(Char),
    Word(StringVertex),
}

/// Words, and the two parts and the edge of each way in which they are put together.
pub(super) type Joined = HashMap<StringVertex, Vec<(StringVertex, StringVertex, usize)>>;

/// What a part of an equation comes to.
enum Outcome {
    Never,
    /// These are equal.
    Same(StringVertex, StringVertex),
    /// This is that word.
    Is(StringVertex, SmtString),
}

/// A word put together: a row, and the edges that say so.
pub(super) type Row = (Vec<Item>, Vec<usize>);

/// Rule `word_equation`.
pub(super) fn merge(
    work: &mut Work,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<(), RuleName>, Stop> {
    let parts = joined(work);
    let mut wholes: Vec<StringVertex> = parts.keys().copied().collect();
    wholes.sort_unstable();
    for &(a, b, _) in parts.values().flatten() {
        work.graph.length(a);
        work.graph.length(b);
    }
    work.grow();
    if let Err(()) = same_rows(work, &parts, &wholes, counts, budget)? {
        return Ok(Err(NAME));
    }
    let lengths = Lengths::of(work);
    for whole in wholes {
        let ways = &parts[&whole];
        let is_constant = work.graph.word(whole).is_some();
        if ways.len() + usize::from(is_constant) < 2 {
            continue;
        }
        let mut rows: Vec<Row> = Vec::new();
        if is_constant {
            rows.extend(row(work, &parts, &[whole], Vec::new()));
        }
        for &(a, b, edge) in ways {
            budget.tick()?;
            rows.extend(row(work, &parts, &[a, b], vec![edge]));
        }
        let Some((first, others)) = rows.split_first() else { continue };
        for other in others {
            budget.tick()?;
            let mut because = Reasons::new();
            for &edge in first.1.iter().chain(&other.1) {
                because.extend(&work.edge(&work.edges[edge]).from);
            }
            let mut sides = (first.0.clone(), other.0.clone());
            for backwards in [false, true] {
                if backwards {
                    sides.0.reverse();
                    sides.1.reverse();
                }
                let (outcomes, by_length) = compare(work, &lengths, &sides.0, &sides.1, backwards);
                for outcome in outcomes {
                    work.present = because.clone();
                    if by_length {
                        work.present.extend(&lengths.because(work));
                    }
                    let done = match outcome {
                        Outcome::Never => Err(()),
                        Outcome::Same(a, b) if work.string(a) == work.string(b) => continue,
                        Outcome::Same(a, b) => work.unite_strings(a, b),
                        Outcome::Is(a, word) => {
                            let constant = work.constant(word);
                            work.unite_strings(a, constant)
                        }
                    };
                    counts.add(NAME);
                    if done.is_err() {
                        return Ok(Err(NAME));
                    }
                }
            }
        }
    }
    Ok(Ok(()))
}

/// Makes words one that are put together of the same row; a row of one word is that word.
fn same_rows(
    work: &mut Work,
    parts: &Joined,
    wholes: &[StringVertex],
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<(), ()>, Stop> {
    let mut known: HashMap<Vec<Item>, (StringVertex, Vec<usize>)> = HashMap::new();
    let mut left = MOST_COMPARED;
    for &whole in wholes {
        budget.tick()?;
        let Some(&(a, b, edge)) = parts[&whole].first() else { continue };
        let Some((items, edges)) = row(work, parts, &[a, b], vec![edge]) else { continue };
        match left.checked_sub(items.len()) {
            Some(rest) => left = rest,
            None => break,
        }
        let (other, others) = match (items.as_slice(), known.get(&items)) {
            (&[Item::Word(word)], _) => (word, Vec::new()),
            (_, Some((other, edges))) => (*other, edges.clone()),
            (_, None) => {
                known.insert(items, (whole, edges));
                continue;
            }
        };
        if work.string(other) == work.string(whole) {
            continue;
        }
        let mut because = Reasons::new();
        for edge in edges.into_iter().chain(others) {
            because.extend(&work.edge(&work.edges[edge]).from);
        }
        work.present = because;
        counts.add(NAME);
        if work.unite_strings(other, whole).is_err() {
            return Ok(Err(()));
        }
    }
    Ok(Ok(()))
}

/// By word: how it is put together, with the edges that say so.
pub(super) fn joined(work: &Work) -> Joined {
    let mut parts = Joined::new();
    for (place, edge) in work.edges.iter().enumerate().filter(|(_, edge)| edge.value.positive) {
        if let Relation::Concat { a, b, r } = work.relation(&edge.value.relation) {
            parts.entry(r).or_default().push((a, b, place));
        }
    }
    parts
}

/// The words in a row, taken apart as far as they are put together of others; `None` if it is too long.
pub(super) fn row(work: &Work, parts: &Joined, words: &[StringVertex], mut edges: Vec<usize>) -> Option<Row> {
    let mut waiting: Vec<StringVertex> = words.iter().rev().copied().collect();
    let mut items = Vec::new();
    let mut steps = 0;
    while let Some(word) = waiting.pop() {
        steps += 1;
        if items.len() + waiting.len() > MOST_ITEMS || steps > 4 * MOST_ITEMS {
            return None;
        }
        if let Some(known) = work.graph.word(word) {
            items.extend(known.chars().iter().copied().map(Item::Char));
        } else if let Some(&(a, b, edge)) = parts.get(&word).and_then(|ways| ways.first()) {
            // A word that is a part of itself ends at the limit of steps.
            if !edges.contains(&edge) {
                edges.push(edge);
            }
            waiting.extend([b, a]);
        } else {
            items.push(Item::Word(word));
        }
    }
    (items.len() <= MOST_ITEMS).then_some((items, edges))
}

/// What an equation says of its parts, and whether equal lengths have a part in it. `backwards`: the rows are
/// written from their ends.
fn compare(
    work: &Work,
    lengths: &Lengths,
    left: &[Item],
    right: &[Item],
    backwards: bool,
) -> (Vec<Outcome>, bool) {
    let mut by_length = false;
    // As far as lengths have vertices.
    let mut places = |items: &[Item]| -> Vec<Sum> {
        let mut before = Sum::from(0_i64);
        let mut all = vec![before.clone()];
        for item in items {
            let (length, merged) = match item {
                Item::Char(_) => (Sum::from(1_i64), false),
                Item::Word(word) => match lengths.sum(work, *word) {
                    Some(known) => known,
                    None => break,
                },
            };
            by_length |= merged;
            before = before.add(&length);
            all.push(before.clone());
        }
        all
    };
    let (left_places, right_places) = (places(left), places(right));
    let of_place: HashMap<&Sum, usize> =
        right_places.iter().enumerate().map(|(place, sum)| (sum, place)).collect();
    let mut outcomes = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (place, sum) in left_places.iter().enumerate().skip(1) {
        let Some(&other) = of_place.get(sum).filter(|&&other| other > j) else { continue };
        outcomes.extend(part(&left[i..place], &right[j..other], backwards));
        (i, j) = (place, other);
    }
    outcomes.extend(part(&left[i..], &right[j..], backwards));
    (outcomes, by_length)
}

/// What it says that two rows are equal.
fn part(mut left: &[Item], mut right: &[Item], backwards: bool) -> Vec<Outcome> {
    for _ in 0..2 {
        // First the beginning, then the end.
        loop {
            match (left, right) {
                ([Item::Char(a), ..], [Item::Char(b), ..]) if a != b => return vec![Outcome::Never],
                ([a, rest @ ..], [b, other @ ..]) if a == b => (left, right) = (rest, other),
                _ => break,
            }
        }
        loop {
            match (left, right) {
                ([.., Item::Char(a)], [.., Item::Char(b)]) if a != b => return vec![Outcome::Never],
                ([rest @ .., a], [other @ .., b]) if a == b => (left, right) = (rest, other),
                _ => break,
            }
        }
    }
    let word = |items: &[Item]| -> Option<SmtString> {
        let chars = items.iter().map(|item| match item {
            Item::Char(c) => Some(*c),
            Item::Word(_) => None,
        });
        let mut chars: Vec<Char> = chars.collect::<Option<_>>()?;
        if backwards {
            chars.reverse();
        }
        Some(SmtString::from(chars))
    };
    match (left, right) {
        ([], []) => return Vec::new(),
        ([Item::Word(a)], [Item::Word(b)]) => return vec![Outcome::Same(*a, *b)],
        ([Item::Word(a)], other) | (other, [Item::Word(a)]) => {
            if let Some(word) = word(other) {
                return vec![Outcome::Is(*a, word)];
            }
        }
        _ => {}
    }
    count(left, right)
}

/// What it says that each character stands as often in the one row as in the other.
fn count(left: &[Item], right: &[Item]) -> Vec<Outcome> {
    let mut characters: HashMap<Char, i64> = HashMap::new();
    let mut words: HashMap<StringVertex, i64> = HashMap::new();
    for (items, sign) in [(left, 1), (right, -1)] {
        for item in items {
            match item {
                Item::Char(c) => *characters.entry(*c).or_default() += sign,
                Item::Word(word) => *words.entry(*word).or_default() += sign,
            }
        }
    }
    // Words that are left over on one side bring characters there.
    let open = |sign: i64| words.values().any(|&n| n * sign > 0);
    let (open_left, open_right) = (open(1), open(-1));
    let missing = |sign: i64| characters.values().any(|&n| n * sign > 0);
    let (more_left, more_right) = (missing(1), missing(-1));
    if (more_left && !open_right) || (more_right && !open_left) {
        return vec![Outcome::Never];
    }
    // With no character to bring, the words that are left over are empty.
    if open_left != open_right && !more_left && !more_right {
        let mut empty: Vec<StringVertex> =
            words.iter().filter(|(_, n)| **n != 0).map(|(word, _)| *word).collect();
        empty.sort_unstable();
        return empty.into_iter().map(|word| Outcome::Is(word, SmtString::default())).collect();
    }
    Vec::new()
}

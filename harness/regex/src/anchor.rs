//! Assertions resolved into a plain term.
//!
//! Nearly all assertions stand where they say nothing (`^` at the start of a whole match, `$` at its end) and
//! are dropped without touching the shape of the rest. What remains is resolved in three steps:
//!
//! 1. alternatives and small counts that hold an assertion are multiplied out, which leaves sequences of
//!    terms and assertions (an assertion in an unbounded repetition is refused);
//! 2. for each term that can be empty both cases are taken, so that every position is known to have the edge
//!    of the word or a term without the empty word on either side;
//! 3. each position takes one of its conditions, and the terms beside it are cut to the words that begin or
//!    end as the condition says.
//!
//! The union over all choices is exact. Their number is limited, as step 1 and 2 can multiply.

use harness_model::{Alphabet, Char, CharSet, Regex};

use crate::context::{self, Classes, State, Walks};
use crate::error::ParseError;
use crate::look::{Condition, Look};
use crate::node::{self, Node};
use crate::quantifier::sequence;
use crate::split::{self, End};

/// How many sequences, cases of a sequence, or choices of conditions there may be.
const CHOICES: usize = 4096;

/// How often a repetition that holds an assertion may be multiplied out.
const ROUNDS: u32 = 64;

/// The words that match `node` as a whole, or, when `search` says so, those some part of which does.
pub(crate) fn resolve(node: Node, search: bool, alphabet: Alphabet) -> Result<Regex, ParseError> {
    let any = || Node::Plain(Regex::set(CharSet::full(alphabet)).star());
    let node = if search { Node::Concat(vec![any(), node, any()]) } else { node };
    let node = match node {
        plain @ Node::Plain(_) => plain,
        // Flat, for the sake of step 1 and of what is plain after all.
        other => trim(rebuilt(other), true, true, alphabet),
    };
    match node {
        Node::Plain(term) => Ok(term),
        node => {
            let mut found = Found { words: Vec::new(), tried: 0, classes: None };
            for sequence in sequences(&node)? {
                solve(&sequence, alphabet, &mut found)?;
            }
            found.words.dedup();
            Ok(node::union(found.words))
        }
    }
}

fn rebuilt(node: Node) -> Node {
    match node {
        Node::Concat(parts) => Node::concat(parts),
        other => other,
    }
}

fn is_epsilon(node: &Node) -> bool {
    matches!(node, Node::Plain(Regex::Epsilon))
}

/// Drops assertions that always hold because the word is known to begin (`start`) or end (`end`) there.
fn trim(node: Node, start: bool, end: bool, alphabet: Alphabet) -> Node {
    if !start && !end {
        return node;
    }
    match node {
        Node::Look(look, at) => {
            let holds = (start && look.holds_at_start(alphabet)) || (end && look.holds_at_end(alphabet));
            if holds { Node::Plain(Regex::Epsilon) } else { Node::Look(look, at) }
        }
        Node::Concat(mut parts) => {
            if start {
                trim_while(parts.iter_mut(), |part| trim(part, true, false, alphabet));
            }
            if end {
                trim_while(parts.iter_mut().rev(), |part| trim(part, false, true, alphabet));
            }
            parts.retain(|part| !is_epsilon(part));
            sequence(parts, end)
        }
        Node::Union(parts) => {
            Node::union(parts.into_iter().map(|part| trim(part, start, end, alphabet)).collect())
        }
        Node::Repeat { inner, min, max: Some(1), at } => {
            trim(*inner, start, end, alphabet).repeat(min, Some(1), at)
        }
        other => other,
    }
}

/// Trims parts up to the first one that does not vanish.
fn trim_while<'a>(parts: impl Iterator<Item = &'a mut Node>, trim: impl Fn(Node) -> Node) {
    for part in parts {
        let taken = std::mem::replace(part, Node::Plain(Regex::Epsilon));
        *part = trim(taken);
        if !is_epsilon(part) {
            break;
        }
    }
}

/// The terms of all choices so far, and how many choices were tried.
struct Found {
    words: Vec<Regex>,
    tried: usize,
    /// Made when they are asked for first.
    classes: Option<Classes>,
}

impl Found {
    /// Counts one more choice.
    fn count(&mut self) -> Result<(), ParseError> {
        self.tried += 1;
        if self.tried > CHOICES { Err(too_many()) } else { Ok(()) }
    }

    fn add(&mut self, words: Regex) -> Result<(), ParseError> {
        if self.words.len() >= CHOICES {
            return Err(too_many());
        }
        self.words.push(words);
        Ok(())
    }
}

/// A piece of a sequence.
#[derive(Clone, Debug)]
enum Item {
    Term(Regex),
    Look(Look),
}

fn too_many() -> ParseError {
    ParseError::limit(0, format!("its assertions can be met in more than the limit of {CHOICES} ways"))
}

/// Step 1.
fn sequences(node: &Node) -> Result<Vec<Vec<Item>>, ParseError> {
    match node {
        Node::Plain(term) => Ok(vec![vec![Item::Term(term.clone())]]),
        Node::Look(look, _) => Ok(vec![vec![Item::Look(look.clone())]]),
        Node::Atomic(_, at) => Err(ParseError::unsupported(
            *at,
            "a possessive quantifier or atomic group that can change what matches is not modelled; \
             leave the '+' or the '>' away if it is for speed only",
        )),
        Node::Concat(parts) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                all = product(&all, &sequences(part)?)?;
            }
            Ok(all)
        }
        Node::Union(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(sequences(part)?);
                if all.len() > CHOICES {
                    return Err(too_many());
                }
            }
            Ok(all)
        }
        Node::Repeat { inner, min, max, at } => {
            let inner = sequences(inner)?;
            let only_looks = inner.iter().flatten().all(|item| match item {
                Item::Look(_) => true,
                Item::Term(term) => matches!(term, Regex::Epsilon),
            });
            // Holding twice is holding once.
            let (min, max) = if only_looks { ((*min).min(1), Some(1)) } else { (*min, *max) };
            let Some(max) = max else {
                return Err(ParseError::unsupported(
                    *at,
                    "an assertion inside an unbounded repetition is not modelled",
                ));
            };
            if max > ROUNDS {
                return Err(ParseError::limit(
                    *at,
                    format!("an assertion is inside a count above the limit of {ROUNDS}"),
                ));
            }
            let mut all = Vec::new();
            let mut rounds = vec![Vec::new()];
            for round in 0..=max {
                if round >= min {
                    all.extend(rounds.iter().cloned());
                }
                if round < max {
                    rounds = product(&rounds, &inner)?;
                }
                if all.len() > CHOICES {
                    return Err(too_many());
                }
            }
            Ok(all)
        }
    }
}

fn product(left: &[Vec<Item>], right: &[Vec<Item>]) -> Result<Vec<Vec<Item>>, ParseError> {
    let count = left.len().checked_mul(right.len()).filter(|&n| n <= CHOICES).ok_or_else(too_many)?;
    let mut all = Vec::with_capacity(count);
    for l in left {
        all.extend(right.iter().map(|r| l.iter().chain(r).cloned().collect()));
    }
    Ok(all)
}

/// Steps 2 and 3: adds the terms whose union is the language of `sequence`.
fn solve(sequence: &[Item], alphabet: Alphabet, found: &mut Found) -> Result<(), ParseError> {
    // Terms with a position before, between and after them; a position without assertion takes everything.
    let mut terms: Vec<Regex> = Vec::new();
    let mut positions: Vec<Vec<Condition>> = vec![vec![Condition::any(alphabet)]];
    let mut open: Vec<Regex> = Vec::new();
    for item in sequence {
        match item {
            Item::Term(term) => open.push(term.clone()),
            Item::Look(look) => {
                close(&mut open, &mut terms, &mut positions, alphabet);
                if let Some(last) = positions.last_mut() {
                    *last = both(last, look.conditions());
                }
            }
        }
    }
    close(&mut open, &mut terms, &mut positions, alphabet);

    let nullable: Vec<usize> = (0..terms.len()).filter(|&i| split::nullable(&terms[i])).collect();
    if nullable.len() > 12 {
        return Err(too_many());
    }
    for case in 0..1_usize << nullable.len() {
        let is_empty =
            |i: usize| nullable.iter().position(|&n| n == i).is_some_and(|bit| case >> bit & 1 == 1);
        let mut kept: Vec<&Regex> = Vec::new();
        let mut at: Vec<Vec<Condition>> = vec![positions[0].clone()];
        for (i, term) in terms.iter().enumerate() {
            if is_empty(i) {
                if let Some(last) = at.last_mut() {
                    *last = both(last, &positions[i + 1]);
                }
            } else {
                kept.push(term);
                at.push(positions[i + 1].clone());
            }
        }
        choose(&kept, &mut at, alphabet, found)?;
    }
    Ok(())
}

/// Ends the term that is open, if there is one, with a position that takes everything.
fn close(
    open: &mut Vec<Regex>,
    terms: &mut Vec<Regex>,
    positions: &mut Vec<Vec<Condition>>,
    alphabet: Alphabet,
) {
    let term = node::concat(std::mem::take(open));
    if !matches!(term, Regex::Epsilon) {
        terms.push(term);
        positions.push(vec![Condition::any(alphabet)]);
    }
}

fn both(a: &[Condition], b: &[Condition]) -> Vec<Condition> {
    a.iter().flat_map(|a| b.iter().filter_map(move |b| a.and(b))).collect()
}

/// Step 3: `terms`, none of them taken to be empty, with the conditions `at` before, between and after them.
fn choose(
    terms: &[&Regex],
    at: &mut [Vec<Condition>],
    alphabet: Alphabet,
    found: &mut Found,
) -> Result<(), ParseError> {
    let last = at.len() - 1;
    let begins: Vec<CharSet> = terms.iter().map(|term| split::at(term, End::First)).collect();
    let ends: Vec<CharSet> = terms.iter().map(|term| split::at(term, End::Last)).collect();
    let meets = |a: &CharSet, b: &CharSet| !a.intersection(b).is_empty();
    for (i, conditions) in at.iter_mut().enumerate() {
        // What the terms on either side cannot meet is no choice.
        conditions.retain(|c| {
            let left = if i == 0 { c.left.edge } else { meets(&c.left.chars, &ends[i - 1]) };
            let right = if i == last { c.right.edge } else { meets(&c.right.chars, &begins[i]) };
            let rest = i < last || c.rest.as_ref().is_none_or(Vec::is_empty);
            left && right && rest
        });
    }
    let count = at.iter().try_fold(1usize, |product, c| product.checked_mul(c.len()));
    let count = count.filter(|&n| n <= CHOICES).ok_or_else(too_many)?;
    if count == 0 {
        return Ok(());
    }
    let walks = match at.iter().rposition(|conditions| conditions.iter().any(|c| c.before.is_some())) {
        Some(asked) => {
            let classes = found.classes.get_or_insert_with(|| Classes::new(alphabet));
            terms[..asked].iter().map(|term| context::walks(term, classes)).collect::<Result<_, _>>()?
        }
        None => Vec::new(),
    };
    for mut choice in 0..count {
        let chosen: Vec<&Condition> = at
            .iter()
            .map(|conditions| {
                let one = &conditions[choice % conditions.len()];
                choice /= conditions.len();
                one
            })
            .collect();
        found.count()?;
        let choice = Choice { terms, chosen: &chosen, alphabet, walks: &walks };
        choice.extend(0, State::Outside, &mut Vec::with_capacity(terms.len()), found)?;
    }
    Ok(())
}

/// One choice of conditions.
struct Choice<'a> {
    terms: &'a [&'a Regex],
    chosen: &'a [&'a Condition],
    alphabet: Alphabet,
    /// Of the terms before the last position at which some choice asks about the text before it.
    walks: &'a [Walks],
}

impl Choice<'_> {
    /// Adds the words that begin with `parts`, the terms before position `i`, after which the text is in
    /// `state`.
    fn extend(
        &self,
        i: usize,
        state: State,
        parts: &mut Vec<Regex>,
        found: &mut Found,
    ) -> Result<(), ParseError> {
        if let Some(rest) = &self.chosen[i].rest {
            if remainder(&self.terms[i..], &self.chosen[i..], rest) {
                let rest = rest.iter().map(|&c| Regex::set(CharSet::single(c)));
                found.add(node::concat(parts.iter().cloned().chain(rest)))?;
            }
            return Ok(());
        }
        let Some(term) = self.terms.get(i) else {
            return found.add(node::concat(parts.iter().cloned()));
        };
        let asked_later = self.chosen[i + 1..].iter().any(|c| c.before.is_some());
        if !asked_later {
            return self.with_part(i, (*term).clone(), state, parts, found);
        }
        // The states are choices too.
        found.count()?;
        for next in State::ALL {
            if self.chosen[i + 1].before.is_none_or(|wanted| wanted == next) {
                self.with_part(i, self.walks[i][state as usize][next as usize].clone(), next, parts, found)?;
            }
        }
        Ok(())
    }

    /// As [`Self::extend`], with `part` in place of the term after position `i`.
    fn with_part(
        &self,
        i: usize,
        mut part: Regex,
        state: State,
        parts: &mut Vec<Regex>,
        found: &mut Found,
    ) -> Result<(), ParseError> {
        let full = CharSet::full(self.alphabet);
        if self.chosen[i].right.chars != full {
            part = split::with(&part, End::First, &self.chosen[i].right.chars);
        }
        // Where the word ends, what is before the position is still a character.
        if self.chosen[i + 1].left.chars != full {
            part = split::with(&part, End::Last, &self.chosen[i + 1].left.chars);
        }
        if split::nullable(&part) {
            part = split::with(&part, End::First, &full);
        }
        if matches!(part, Regex::Empty) {
            return Ok(());
        }
        parts.push(part);
        let done = self.extend(i + 1, state, parts, found);
        parts.pop();
        done
    }
}

/// Whether `terms`, none of them empty, can be exactly `rest` between the conditions `chosen`.
fn remainder(terms: &[&Regex], chosen: &[&Condition], rest: &[Char]) -> bool {
    let Some((first, others)) = terms.split_first() else { return rest.is_empty() };
    (1..=rest.len()).any(|cut| {
        let (own, after) = rest.split_at(cut);
        let fits = chosen[0].right.chars.contains(own[0])
            && chosen[1].left.chars.contains(own[cut - 1])
            // What a rest is made of ends lines, so no word goes on behind it.
            && chosen[1].before.is_none_or(|wanted| wanted == State::Outside)
            && chosen[1].rest.as_ref().is_none_or(|wanted| wanted == after)
            && split::contains(first, own);
        fits && remainder(others, &chosen[1..], after)
    })
}

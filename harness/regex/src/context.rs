//! What Java's word boundary looks at beyond the character before a position: a combining mark counts as part
//! of a word if a letter or digit stands before it, with nothing but marks between.
//!
//! So three states of the text before a position matter, and [`walks`] gives the words of a term that lead
//! from one to another. Java looks at UTF-16 units on its way back, so a letter above FFFF carries no marks,
//! and a mark up there is none once it is passed.

use harness_model::{Alphabet, CharSet, Regex};

use crate::error::ParseError;
use crate::node;
use crate::split;
use crate::unicode;

/// How many rounds of a counted repetition that can hold marks are written out.
const ROUNDS: u32 = 4;

/// The states of the text before a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// No part of a word.
    Outside,
    /// Part of a word that carries no marks: an underscore, or a letter above FFFF.
    Bare,
    /// A letter or digit, and marks behind it if there are any.
    Based,
}

impl State {
    pub(crate) const ALL: [Self; 3] = [Self::Outside, Self::Bare, Self::Based];
}

/// The characters that the states are about, cut to an alphabet.
#[derive(Debug)]
pub(crate) struct Classes {
    /// Letters and digits that carry marks.
    pub(crate) base: CharSet,
    /// Parts of words that carry none.
    pub(crate) bare: CharSet,
    /// Marks, as seen when they have been passed.
    pub(crate) marks: CharSet,
    /// Marks, as seen when they come next.
    pub(crate) marks_ahead: CharSet,
    /// Everything else, as seen when it has been passed.
    pub(crate) others: CharSet,
}

impl Classes {
    pub(crate) fn new(alphabet: Alphabet) -> Self {
        let plane = CharSet::from_ranges([(0, 0xFFFF)]);
        let letters = unicode::properties(&["L", "Nd"], alphabet);
        let underscore = CharSet::from_ranges([(0x5F, 0x5F)]);
        let base = letters.intersection(&plane);
        let bare = letters.difference(&plane).union(&underscore);
        let marks_ahead = unicode::properties(&["Mn"], alphabet);
        let marks = marks_ahead.intersection(&plane);
        let others = base.union(&bare).union(&marks).complement(alphabet);
        Self { base, bare, marks, marks_ahead, others }
    }

    /// The letters, digits and underscores.
    pub(crate) fn word(&self) -> CharSet {
        self.base.union(&self.bare)
    }

    /// The characters that lead from one state to another.
    fn between(&self, from: State, to: State) -> CharSet {
        match (from, to) {
            (State::Based, State::Based) => self.base.union(&self.marks),
            (_, State::Based) => self.base.clone(),
            (_, State::Bare) => self.bare.clone(),
            (State::Based, State::Outside) => self.others.clone(),
            (_, State::Outside) => self.others.union(&self.marks),
        }
    }
}

/// For each state before, and each after, the words that lead from one to the other.
pub(crate) type Walks = [[Regex; 3]; 3];

fn build(entry: impl Fn(usize, usize) -> Regex) -> Walks {
    std::array::from_fn(|from| std::array::from_fn(|to| entry(from, to)))
}

/// The walks of `term`.
pub(crate) fn walks(term: &Regex, classes: &Classes) -> Result<Walks, ParseError> {
    Ok(match term {
        Regex::Empty => build(|_, _| Regex::Empty),
        Regex::Epsilon => identity(),
        Regex::Set(set) => build(|from, to| {
            let set = set.intersection(&classes.between(State::ALL[from], State::ALL[to]));
            if set.is_empty() { Regex::Empty } else { Regex::set(set) }
        }),
        Regex::Concat(parts) => {
            let mut all = identity();
            for part in parts.iter() {
                all = product(&all, &walks(part, classes)?);
            }
            all
        }
        Regex::Union(parts) => {
            let mut all = build(|_, _| Regex::Empty);
            for part in parts.iter() {
                all = sum(&all, &walks(part, classes)?);
            }
            all
        }
        Regex::Repeat { inner, min, max } => repeat(inner, *min, *max, classes)?,
        // No pattern writes them.
        Regex::Inter(_) | Regex::Complement(_) => return Err(too_much()),
    })
}

fn too_much() -> ParseError {
    ParseError::unsupported(
        0,
        format!(
            "a word boundary of Java behind a counted repetition that can hold combining marks is modelled up to \
             the count {ROUNDS} only; leave the marks out of its class, or use the alphabet latin1 or ascii"
        ),
    )
}

fn repeat(inner: &Regex, min: u32, max: Option<u32>, classes: &Classes) -> Result<Walks, ParseError> {
    if max.is_some_and(|max| max < min) {
        return Ok(build(|_, _| Regex::Empty));
    }
    if max == Some(0) {
        return Ok(identity());
    }
    let once = walks(inner, classes)?;
    let forgets = !split::nullable(inner) && once[0] == once[1] && once[1] == once[2];
    if forgets {
        // The last round alone decides.
        let before = inner.clone().repeat(min.max(1) - 1, max.map(|max| max - 1));
        return Ok(build(|from, to| {
            let some = then(&before, &once[from][to]);
            if min == 0 && from == to { either(&Regex::Epsilon, &some) } else { some }
        }));
    }
    if max.unwrap_or(min) > ROUNDS {
        return Err(too_much());
    }
    let mut power = identity();
    for _ in 0..min {
        power = product(&power, &once);
    }
    let Some(max) = max else { return Ok(product(&power, &star(once))) };
    let mut all = power.clone();
    for _ in min..max {
        power = product(&power, &once);
        all = sum(&all, &power);
    }
    Ok(all)
}

fn star(mut paths: Walks) -> Walks {
    for through in 0..3 {
        let once = &paths[through][through];
        let round =
            if matches!(once, Regex::Empty | Regex::Epsilon) { Regex::Epsilon } else { once.clone().star() };
        paths = build(|from, to| {
            let detour = then(&then(&paths[from][through], &round), &paths[through][to]);
            either(&paths[from][to], &detour)
        });
    }
    sum(&identity(), &paths)
}

fn identity() -> Walks {
    build(|from, to| if from == to { Regex::Epsilon } else { Regex::Empty })
}

fn sum(a: &Walks, b: &Walks) -> Walks {
    build(|from, to| either(&a[from][to], &b[from][to]))
}

fn product(a: &Walks, b: &Walks) -> Walks {
    build(|from, to| {
        let through = (0..3).map(|through| then(&a[from][through], &b[through][to]));
        through.fold(Regex::Empty, |sum, path| either(&sum, &path))
    })
}

fn either(a: &Regex, b: &Regex) -> Regex {
    if matches!(a, Regex::Empty) || a == b {
        return b.clone();
    }
    if matches!(b, Regex::Empty) {
        return a.clone();
    }
    node::union([a.clone(), b.clone()])
}

fn then(a: &Regex, b: &Regex) -> Regex {
    if matches!(a, Regex::Empty) || matches!(b, Regex::Empty) {
        return Regex::Empty;
    }
    node::concat([a.clone(), b.clone()])
}

//! Assertions: conditions on a position of a word that consume nothing.
//!
//! Every assertion that is modelled is a disjunction of [`Condition`]s, each of which looks at most at the
//! character before the position, the character after it, and whether the rest of the word is one given word.
//! Java's word boundary alone looks further back (`context`).
//! `$` in .NET is "the rest is empty, or the rest is a line feed", for instance; a word boundary is "a word
//! character before and none after, or the other way round".

use std::sync::Arc;

use harness_model::{Alphabet, Char, CharSet};

use crate::context::{Classes, State};

/// What may be on one side of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    /// Nothing: the word begins or ends here.
    pub(crate) edge: bool,
    /// One of these characters.
    pub(crate) chars: CharSet,
}

impl Side {
    /// Anything.
    pub(crate) fn any(alphabet: Alphabet) -> Self {
        Self { edge: true, chars: CharSet::full(alphabet) }
    }

    /// The edge of the word only.
    pub(crate) const fn edge() -> Self {
        Self { edge: true, chars: CharSet::empty() }
    }

    /// Some character, one of `chars`.
    pub(crate) const fn chars(chars: CharSet) -> Self {
        Self { edge: false, chars }
    }

    /// The edge of the word or one of `chars`.
    pub(crate) const fn edge_or(chars: CharSet) -> Self {
        Self { edge: true, chars }
    }

    /// What both allow.
    pub(crate) fn and(&self, other: &Self) -> Self {
        Self { edge: self.edge && other.edge, chars: self.chars.intersection(&other.chars) }
    }

    /// Whether it allows nothing at all.
    pub(crate) fn is_impossible(&self) -> bool {
        !self.edge && self.chars.is_empty()
    }

    fn is_any(&self, alphabet: Alphabet) -> bool {
        self.edge && self.chars == CharSet::full(alphabet)
    }
}

/// What must hold at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    /// Before it.
    pub(crate) left: Side,
    /// After it.
    pub(crate) right: Side,
    /// The rest of the word is exactly this.
    pub(crate) rest: Option<Vec<Char>>,
    /// The text before it is in this state, if that matters beyond its last character.
    pub(crate) before: Option<State>,
}

impl Condition {
    /// Nothing.
    pub(crate) fn any(alphabet: Alphabet) -> Self {
        Self { left: Side::any(alphabet), right: Side::any(alphabet), rest: None, before: None }
    }

    const fn new(left: Side, right: Side) -> Self {
        Self { left, right, rest: None, before: None }
    }

    /// Both; `None` if no position can satisfy both.
    pub(crate) fn and(&self, other: &Self) -> Option<Self> {
        let rest = match (&self.rest, &other.rest) {
            (Some(a), Some(b)) if a != b => return None,
            (Some(rest), _) | (None, Some(rest)) => Some(rest.clone()),
            (None, None) => None,
        };
        let before = match (self.before, other.before) {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => a.or(b),
        };
        let both =
            Self { left: self.left.and(&other.left), right: self.right.and(&other.right), rest, before };
        (!both.left.is_impossible() && !both.right.is_impossible()).then_some(both)
    }
}

/// An assertion: one of its conditions must hold.
#[derive(Clone, Debug)]
pub(crate) struct Look(Arc<[Condition]>);

impl Look {
    fn of(conditions: impl IntoIterator<Item = Condition>) -> Self {
        Self(conditions.into_iter().collect())
    }

    /// The conditions of which one must hold.
    pub(crate) fn conditions(&self) -> &[Condition] {
        &self.0
    }

    /// The word begins here.
    pub(crate) fn text_start(alphabet: Alphabet) -> Self {
        Self::of([Condition::new(Side::edge(), Side::any(alphabet))])
    }

    /// The word ends here.
    pub(crate) fn text_end(alphabet: Alphabet) -> Self {
        Self::of([Condition::new(Side::any(alphabet), Side::edge())])
    }

    /// The word ends here, or does after one final line feed.
    pub(crate) fn text_end_or_final_newline(alphabet: Alphabet) -> Self {
        let mut feed = Condition::any(alphabet);
        feed.rest = Some(vec![Char(0x0A)]);
        Self::of([Condition::new(Side::any(alphabet), Side::edge()), feed])
    }

    /// Java: the word ends here, or does after one final line terminator; not inside a `\r\n`.
    pub(crate) fn text_end_or_final_terminator(alphabet: Alphabet) -> Self {
        let any = Side::any(alphabet);
        let mut conditions = vec![Condition::new(any.clone(), Side::edge())];
        let not_return = Side::edge_or(CharSet::single(Char(0x0D)).complement(alphabet));
        conditions.push(Condition {
            left: not_return,
            right: any.clone(),
            rest: Some(vec![Char(0x0A)]),
            before: None,
        });
        for rest in [&[0x0D][..], &[0x85], &[0x2028], &[0x2029], &[0x0D, 0x0A]] {
            if rest.iter().all(|&c| alphabet.contains(Char(c))) {
                let rest = Some(rest.iter().copied().map(Char).collect());
                conditions.push(Condition { left: any.clone(), right: any.clone(), rest, before: None });
            }
        }
        Self::of(conditions)
    }

    /// A line begins here: the word does, or one of `terminators` stands before. `at_end` says whether that
    /// also counts where the word ends.
    pub(crate) fn line_start(terminators: &CharSet, at_end: LineStartAtEnd, alphabet: Alphabet) -> Self {
        let inside = Side::chars(CharSet::full(alphabet));
        let any = Side::any(alphabet);
        let breaks = terminators.cut_to(alphabet);
        Self::of(match at_end {
            LineStartAtEnd::Always => vec![Condition::new(Side::edge_or(breaks), any)],
            LineStartAtEnd::OfEmptyWord => {
                vec![Condition::new(Side::edge(), any), Condition::new(Side::chars(breaks), inside)]
            }
            LineStartAtEnd::Never => vec![Condition::new(Side::edge_or(breaks), inside)],
        })
    }

    /// A line ends here: the word does, or a line feed follows.
    pub(crate) fn line_end_at_newline(alphabet: Alphabet) -> Self {
        let feed = CharSet::single(Char(0x0A));
        Self::of([Condition::new(Side::any(alphabet), Side::edge_or(feed))])
    }

    /// Java and the CRLF mode of Rust: the word ends here, or one of `terminators` follows; not inside a
    /// `\r\n`.
    pub(crate) fn line_end_outside_crlf(terminators: &CharSet, alphabet: Alphabet) -> Self {
        let feed = CharSet::single(Char(0x0A));
        let not_return = CharSet::single(Char(0x0D)).complement(alphabet);
        let others = terminators.difference(&feed).cut_to(alphabet);
        Self::of([
            Condition::new(Side::any(alphabet), Side::edge_or(others)),
            Condition::new(Side::edge_or(not_return), Side::chars(feed)),
        ])
    }

    /// Java and the CRLF mode of Rust: as [`Self::line_start`], but not inside a `\r\n`.
    pub(crate) fn line_start_outside_crlf(
        terminators: &CharSet,
        at_end: LineStartAtEnd,
        alphabet: Alphabet,
    ) -> Self {
        let returns = CharSet::single(Char(0x0D));
        let others = terminators.difference(&returns);
        let mut conditions = Self::line_start(&others, at_end, alphabet).0.to_vec();
        let not_feed = CharSet::single(Char(0x0A)).complement(alphabet);
        let right = match at_end {
            LineStartAtEnd::Always => Side::edge_or(not_feed),
            _ => Side::chars(not_feed),
        };
        conditions.push(Condition::new(Side::chars(returns), right));
        Self::of(conditions)
    }

    /// Exactly one side has a character of `word`.
    pub(crate) fn word_boundary(word: &CharSet, alphabet: Alphabet) -> Self {
        let (is, not) = Self::word_sides(word, alphabet);
        Self::of([Condition::new(is.clone(), not.clone()), Condition::new(not, is)])
    }

    /// Both sides have a character of `word`, or none has.
    pub(crate) fn no_word_boundary(word: &CharSet, alphabet: Alphabet) -> Self {
        let (is, not) = Self::word_sides(word, alphabet);
        Self::of([Condition::new(is.clone(), is), Condition::new(not.clone(), not)])
    }

    /// Java's `\b`, or its `\B` when `boundary` is false.
    pub(crate) fn java_word_boundary(boundary: bool, alphabet: Alphabet) -> Self {
        let classes = Classes::new(alphabet);
        let word = classes.word();
        let word_or_mark = word.union(&classes.marks_ahead);
        // For each state of the text before: the characters that leave it there by themselves, and what may
        // come next without being part of the same word, or of none.
        let states = [
            (State::Outside, Side::edge_or(classes.others.clone()), false, &word),
            (State::Bare, Side::chars(classes.bare.clone()), true, &word),
            (State::Based, Side::chars(classes.base.clone()), true, &word_or_mark),
        ];
        let mut conditions = Vec::new();
        for (state, left, inside, words) in states {
            // Inside of a word an edge is where no further part of it comes next; outside, where one does.
            let right = if inside == boundary {
                Side::edge_or(words.complement(alphabet))
            } else {
                Side::chars(words.clone())
            };
            conditions.push(Condition::new(left, right.clone()));
            if state != State::Bare && !classes.marks.is_empty() {
                let marks = Side::chars(classes.marks.clone());
                conditions.push(Condition { before: Some(state), ..Condition::new(marks, right) });
            }
        }
        conditions.retain(|c| !c.left.is_impossible() && !c.right.is_impossible());
        Self::of(conditions)
    }

    /// Each side as asked: with a character of `word`, without one, or either.
    pub(crate) fn word_edge(
        word: &CharSet,
        left: Option<bool>,
        right: Option<bool>,
        alphabet: Alphabet,
    ) -> Self {
        let (is, not) = Self::word_sides(word, alphabet);
        let side = |wanted: Option<bool>| match wanted {
            Some(true) => is.clone(),
            Some(false) => not.clone(),
            None => Side::any(alphabet),
        };
        Self::of([Condition::new(side(left), side(right))])
    }

    fn word_sides(word: &CharSet, alphabet: Alphabet) -> (Side, Side) {
        let word = word.cut_to(alphabet);
        let others = word.complement(alphabet);
        (Side::chars(word), Side::edge_or(others))
    }

    /// Whether it holds wherever the word begins.
    pub(crate) fn holds_at_start(&self, alphabet: Alphabet) -> bool {
        self.0.iter().any(|c| c.left.edge && c.right.is_any(alphabet) && c.rest.is_none())
    }

    /// Whether it holds wherever the word ends.
    pub(crate) fn holds_at_end(&self, alphabet: Alphabet) -> bool {
        self.0.iter().any(|c| c.right.edge && c.left.is_any(alphabet) && c.rest.is_none())
    }
}

/// Whether a line begins at the end of a word that ends in a line terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineStartAtEnd {
    /// .NET and Rust: yes.
    Always,
    /// PCRE2: no, but one does in the empty word.
    OfEmptyWord,
    /// Java: no line begins where the word ends.
    Never,
}

//! Hyperedges: one operation each, with the vertices that it relates.
//!
//! A predicate has a polarity: a negative edge says that the predicate is false. A function is the relation between its
//! arguments and its result, and always positive. All functions are total, so a function's edge may be added to any
//! graph without changing whether it is satisfiable, as long as its result is a vertex of its own.
//! [`Relation::CharAt`] is the one partial function: it says that the index is inside.
//!
//! Source: the study's section 3.4.1, whose operations are given SMT-LIB's total meaning here.

use std::fmt;
use std::sync::Arc;

use harness_model::Regex;

/// A string vertex of one graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StringVertex(pub(crate) u32);

/// An integer vertex of one graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntVertex(pub(crate) u32);

/// An edge of one graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub(crate) u32);

macro_rules! index {
    ($($id:ident),*) => {$(
        impl $id {
            /// Its place in the graph's list.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The one at this place.
            pub fn at(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }
        }
    )*};
}

index!(StringVertex, IntVertex, EdgeId);

/// A vertex of either sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vertex {
    /// A string.
    String(StringVertex),
    /// An integer.
    Int(IntVertex),
}

/// What an edge says of its vertices. Fields are in the order of the operation's arguments, the result last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are the arguments that the comment of each relation names")]
pub enum Relation {
    /// `a` and `b` are the same word.
    Equal { a: StringVertex, b: StringVertex },
    /// `t` is a prefix of `s`.
    StartsWith { s: StringVertex, t: StringVertex },
    /// `t` is a suffix of `s`.
    EndsWith { s: StringVertex, t: StringVertex },
    /// `t` occurs in `s`.
    Contains { s: StringVertex, t: StringVertex },
    /// `s` is before `t` in lexicographic order.
    Less { s: StringVertex, t: StringVertex },
    /// `s` is before `t` or equal to it.
    LessEqual { s: StringVertex, t: StringVertex },
    /// `s` is in the language.
    InRe { s: StringVertex, regex: Arc<Regex> },
    /// `s` is one character from `0` to `9`.
    IsDigit { s: StringVertex },
    /// `r` is `a` followed by `b`.
    Concat { a: StringVertex, b: StringVertex, r: StringVertex },
    /// `0 <= i < |s|`, and `c` is the code of the character of `s` at position `i`: Java's `charAt`.
    CharAt { s: StringVertex, i: IntVertex, c: IntVertex },
    /// `r` is the character of `s` at position `i`, empty outside.
    At { s: StringVertex, i: IntVertex, r: StringVertex },
    /// `r` is up to `count` characters of `s` from position `from` on, empty where `str.substr` is.
    Substr { s: StringVertex, from: IntVertex, count: IntVertex, r: StringVertex },
    /// `i` is the first position from `from` on at which `t` occurs in `s`; -1 as for `str.indexof`.
    IndexOf { s: StringVertex, t: StringVertex, from: IntVertex, i: IntVertex },
    /// `i` is the last position up to `from` at which `t` occurs in `s`; -1 when there is none.
    LastIndexOf { s: StringVertex, t: StringVertex, from: IntVertex, i: IntVertex },
    /// `r` is `s` without the characters up to U+0020 at both ends.
    Trim { s: StringVertex, r: StringVertex },
    /// `r` is `s` with the first occurrence of `t` replaced by `by`.
    Replace { s: StringVertex, t: StringVertex, by: StringVertex, r: StringVertex },
    /// `r` is `s` with every occurrence of a non-empty `t` replaced by `by`.
    ReplaceAll { s: StringVertex, t: StringVertex, by: StringVertex, r: StringVertex },
    /// `r` is `s` with the shortest leftmost match replaced by `by`.
    ReplaceRe { s: StringVertex, regex: Arc<Regex>, by: StringVertex, r: StringVertex },
    /// `r` is `s` with every shortest leftmost non-empty match replaced by `by`.
    ReplaceReAll { s: StringVertex, regex: Arc<Regex>, by: StringVertex, r: StringVertex },
    /// `r` is `s` with the capital letters of ASCII made small.
    ToLower { s: StringVertex, r: StringVertex },
    /// `r` is `s` with the small letters of ASCII made capital.
    ToUpper { s: StringVertex, r: StringVertex },
    /// `c` is the code of the one character of `s`; -1 when it has not just one.
    ToCode { s: StringVertex, c: IntVertex },
    /// `r` is the one character of code `c`; empty when `c` is no character of the alphabet.
    FromCode { c: IntVertex, r: StringVertex },
    /// `i` is the number that the digits of `s` write; -1 when `s` is not just digits or empty.
    ToInt { s: StringVertex, i: IntVertex },
    /// `r` are the digits of `i`; empty when `i` is negative.
    FromInt { i: IntVertex, r: StringVertex },
    /// `i` is the difference of the first characters that differ, else of the lengths: Java's `compareTo`.
    CompareTo { s: StringVertex, t: StringVertex, i: IntVertex },
}

/// An operation on vertices.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// What it says.
    pub relation: Relation,
    /// Whether it holds or, for predicates only, does not.
    pub positive: bool,
}

use Vertex::{Int as I, String as S};

impl Relation {
    /// Its vertices in the order of the operation's arguments, the result last.
    pub fn vertices(&self) -> impl Iterator<Item = Vertex> + use<> {
        let list: [Option<Vertex>; 4] = match *self {
            Self::Equal { a, b } => [Some(S(a)), Some(S(b)), None, None],
            Self::StartsWith { s, t }
            | Self::EndsWith { s, t }
            | Self::Contains { s, t }
            | Self::Less { s, t }
            | Self::LessEqual { s, t } => [Some(S(s)), Some(S(t)), None, None],
            Self::InRe { s, .. } | Self::IsDigit { s } => [Some(S(s)), None, None, None],
            Self::Concat { a, b, r } => [Some(S(a)), Some(S(b)), Some(S(r)), None],
            Self::CharAt { s, i, c } => [Some(S(s)), Some(I(i)), Some(I(c)), None],
            Self::At { s, i, r } => [Some(S(s)), Some(I(i)), Some(S(r)), None],
            Self::Substr { s, from, count, r } => [Some(S(s)), Some(I(from)), Some(I(count)), Some(S(r))],
            Self::IndexOf { s, t, from, i } | Self::LastIndexOf { s, t, from, i } => {
                [Some(S(s)), Some(S(t)), Some(I(from)), Some(I(i))]
            }
            Self::Trim { s, r } | Self::ToLower { s, r } | Self::ToUpper { s, r } => {
                [Some(S(s)), Some(S(r)), None, None]
            }
            Self::Replace { s, t, by, r } | Self::ReplaceAll { s, t, by, r } => {
                [Some(S(s)), Some(S(t)), Some(S(by)), Some(S(r))]
            }
            Self::ReplaceRe { s, by, r, .. } | Self::ReplaceReAll { s, by, r, .. } => {
                [Some(S(s)), Some(S(by)), Some(S(r)), None]
            }
            Self::ToCode { s, c } => [Some(S(s)), Some(I(c)), None, None],
            Self::FromCode { c, r } => [Some(I(c)), Some(S(r)), None, None],
            Self::ToInt { s, i } => [Some(S(s)), Some(I(i)), None, None],
            Self::FromInt { i, r } => [Some(I(i)), Some(S(r)), None, None],
            Self::CompareTo { s, t, i } => [Some(S(s)), Some(S(t)), Some(I(i)), None],
        };
        list.into_iter().flatten()
    }

    /// Its string vertices, in order.
    pub fn strings(&self) -> impl Iterator<Item = StringVertex> + use<> {
        self.vertices().filter_map(|v| match v {
            S(s) => Some(s),
            I(_) => None,
        })
    }

    /// Its integer vertices, in order. Lengths of its string vertices are not among them.
    pub fn ints(&self) -> impl Iterator<Item = IntVertex> + use<> {
        self.vertices().filter_map(|v| match v {
            S(_) => None,
            I(i) => Some(i),
        })
    }

    /// Whether it is a predicate, which may be negative.
    pub const fn is_predicate(&self) -> bool {
        matches!(
            self,
            Self::Equal { .. }
                | Self::StartsWith { .. }
                | Self::EndsWith { .. }
                | Self::Contains { .. }
                | Self::Less { .. }
                | Self::LessEqual { .. }
                | Self::InRe { .. }
                | Self::IsDigit { .. }
        )
    }

    /// The vertex that a function determines; `None` for a predicate.
    pub fn result(&self) -> Option<Vertex> {
        if self.is_predicate() { None } else { self.vertices().last() }
    }

    /// The same relation of other vertices.
    #[must_use]
    pub fn map(
        &self,
        string: impl Fn(StringVertex) -> StringVertex,
        int: impl Fn(IntVertex) -> IntVertex,
    ) -> Self {
        let mut new = self.clone();
        match &mut new {
            Self::Equal { a, b } => [a, b].into_iter().for_each(|v| *v = string(*v)),
            Self::StartsWith { s, t }
            | Self::EndsWith { s, t }
            | Self::Contains { s, t }
            | Self::Less { s, t }
            | Self::LessEqual { s, t } => [s, t].into_iter().for_each(|v| *v = string(*v)),
            Self::InRe { s, .. } | Self::IsDigit { s } => *s = string(*s),
            Self::Concat { a, b, r } => [a, b, r].into_iter().for_each(|v| *v = string(*v)),
            Self::CharAt { s, i, c } => (*s, *i, *c) = (string(*s), int(*i), int(*c)),
            Self::At { s, i, r } => (*s, *i, *r) = (string(*s), int(*i), string(*r)),
            Self::Substr { s, from, count, r } => {
                (*s, *from, *count, *r) = (string(*s), int(*from), int(*count), string(*r));
            }
            Self::IndexOf { s, t, from, i } | Self::LastIndexOf { s, t, from, i } => {
                (*s, *t, *from, *i) = (string(*s), string(*t), int(*from), int(*i));
            }
            Self::Trim { s, r } | Self::ToLower { s, r } | Self::ToUpper { s, r } => {
                (*s, *r) = (string(*s), string(*r));
            }
            Self::Replace { s, t, by, r } | Self::ReplaceAll { s, t, by, r } => {
                [s, t, by, r].into_iter().for_each(|v| *v = string(*v));
            }
            Self::ReplaceRe { s, by, r, .. } | Self::ReplaceReAll { s, by, r, .. } => {
                [s, by, r].into_iter().for_each(|v| *v = string(*v));
            }
            Self::ToCode { s, c } => (*s, *c) = (string(*s), int(*c)),
            Self::FromCode { c, r } => (*c, *r) = (int(*c), string(*r)),
            Self::ToInt { s, i } => (*s, *i) = (string(*s), int(*i)),
            Self::FromInt { i, r } => (*i, *r) = (int(*i), string(*r)),
            Self::CompareTo { s, t, i } => (*s, *t, *i) = (string(*s), string(*t), int(*i)),
        }
        new
    }

    /// Its name, as in the study where it has one there.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Equal { .. } => "equal",
            Self::StartsWith { .. } => "startsWith",
            Self::EndsWith { .. } => "endsWith",
            Self::Contains { .. } => "contains",
            Self::Less { .. } => "less",
            Self::LessEqual { .. } => "lessEqual",
            Self::InRe { .. } => "inRe",
            Self::IsDigit { .. } => "isDigit",
            Self::Concat { .. } => "concat",
            Self::CharAt { .. } => "charAt",
            Self::At { .. } => "at",
            Self::Substr { .. } => "substr",
            Self::IndexOf { .. } => "indexOf",
            Self::LastIndexOf { .. } => "lastIndexOf",
            Self::Trim { .. } => "trim",
            Self::Replace { .. } => "replace",
            Self::ReplaceAll { .. } => "replaceAll",
            Self::ReplaceRe { .. } => "replaceRe",
            Self::ReplaceReAll { .. } => "replaceReAll",
            Self::ToLower { .. } => "toLower",
            Self::ToUpper { .. } => "toUpper",
            Self::ToCode { .. } => "toCode",
            Self::FromCode { .. } => "fromCode",
            Self::ToInt { .. } => "toInt",
            Self::FromInt { .. } => "fromInt",
            Self::CompareTo { .. } => "compareTo",
        }
    }

    /// Its name, and in brackets what a script calls it: for messages, such as `inRe (str.in_re)`.
    pub const fn full_name(&self) -> &'static str {
        match self {
            Self::Equal { .. } => "equal (=)",
            Self::StartsWith { .. } => "startsWith (str.prefixof)",
            Self::EndsWith { .. } => "endsWith (str.suffixof)",
            Self::Contains { .. } => "contains (str.contains)",
            Self::Less { .. } => "less (str.<)",
            Self::LessEqual { .. } => "lessEqual (str.<=)",
            Self::InRe { .. } => "inRe (str.in_re)",
            Self::IsDigit { .. } => "isDigit (str.is_digit)",
            Self::Concat { .. } => "concat (str.++)",
            Self::CharAt { .. } => "charAt (java.charAt)",
            Self::At { .. } => "at (str.at)",
            Self::Substr { .. } => "substr (str.substr)",
            Self::IndexOf { .. } => "indexOf (str.indexof)",
            Self::LastIndexOf { .. } => "lastIndexOf (java.lastIndexOf)",
            Self::Trim { .. } => "trim (java.trim)",
            Self::Replace { .. } => "replace (str.replace)",
            Self::ReplaceAll { .. } => "replaceAll (str.replace_all)",
            Self::ReplaceRe { .. } => "replaceRe (str.replace_re)",
            Self::ReplaceReAll { .. } => "replaceReAll (str.replace_re_all)",
            Self::ToLower { .. } => "toLower (java.toLowerCase)",
            Self::ToUpper { .. } => "toUpper (java.toUpperCase)",
            Self::ToCode { .. } => "toCode (str.to_code)",
            Self::FromCode { .. } => "fromCode (str.from_code)",
            Self::ToInt { .. } => "toInt (str.to_int)",
            Self::FromInt { .. } => "fromInt (str.from_int)",
            Self::CompareTo { .. } => "compareTo (java.compareTo)",
        }
    }
}

impl Edge {
    /// The predicate or function holds.
    pub const fn positive(relation: Relation) -> Self {
        Self { relation, positive: true }
    }

    /// The predicate does not hold. For a function there is no such edge: the caller passes predicates only.
    pub const fn negative(relation: Relation) -> Self {
        Self { relation, positive: false }
    }
}

impl fmt::Display for Edge {
    /// Such as `!contains`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.positive { "" } else { "!" }, self.relation.name())
    }
}

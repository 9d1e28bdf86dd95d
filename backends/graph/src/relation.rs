//! The relations of string graphs: one row of one table each.
//!
//! A row names the slots of a relation with their types, its name in the study, the function of the theory
//! that it stands for with the arguments in that function's order, and how expensive it is to satisfy. The
//! enum [`Relation`], the functions over it and the ways to a term and back are all made from the rows, so
//! that a new relation is one row and the compiler names each solver that has to say what it does with it.
//!
//! A relation with a result (`=> r`) is a function, one without is a predicate.

use std::sync::Arc;

use harness_model::Regex;
use harness_theory::op::{CoreOp, JavaOp, Op, StrOp};

use crate::edge::{IntVertex, StringVertex, Vertex};

/// An argument of the function that a relation stands for.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'r> {
    /// The word of a string vertex.
    String(StringVertex),
    /// The number of an integer vertex.
    Int(IntVertex),
    /// A regular language.
    Language(&'r Arc<Regex>),
}

/// Where the arguments of an application come from, one after the other, when a relation is made of it.
pub(crate) trait Arguments {
    /// Why there is no vertex or language.
    type Error;

    /// The vertex of the next argument, which is a string.
    fn next_string(&mut self) -> Result<StringVertex, Self::Error>;

    /// The vertex of the next argument, which is an integer.
    fn next_int(&mut self) -> Result<IntVertex, Self::Error>;

    /// The next argument, which is a regular language.
    fn next_language(&mut self) -> Result<Arc<Regex>, Self::Error>;

    /// A new vertex for the result, a string.
    fn string_result(&mut self) -> StringVertex;

    /// A new vertex for the result, an integer.
    fn int_result(&mut self) -> IntVertex;
}

/// What stands at one place of a relation.
trait Slot: Sized {
    /// The vertex, unless it is a language.
    fn vertex(&self) -> Option<Vertex>;

    /// The same as an argument of a function.
    fn argument(&self) -> Argument<'_>;

    /// The slot with its vertex replaced.
    fn map(
        &self,
        string: &impl Fn(StringVertex) -> StringVertex,
        int: &impl Fn(IntVertex) -> IntVertex,
    ) -> Self;

    /// The slot of the next argument.
    fn next<A: Arguments>(arguments: &mut A) -> Result<Self, A::Error>;
}

/// A slot that a function can determine.
trait ResultSlot: Slot {
    /// A new vertex.
    fn new(arguments: &mut impl Arguments) -> Self;
}

impl Slot for StringVertex {
    fn vertex(&self) -> Option<Vertex> {
        Some(Vertex::String(*self))
    }

    fn argument(&self) -> Argument<'_> {
        Argument::String(*self)
    }

    fn map(&self, string: &impl Fn(Self) -> Self, _: &impl Fn(IntVertex) -> IntVertex) -> Self {
        string(*self)
    }

    fn next<A: Arguments>(arguments: &mut A) -> Result<Self, A::Error> {
        arguments.next_string()
    }
}

impl ResultSlot for StringVertex {
    fn new(arguments: &mut impl Arguments) -> Self {
        arguments.string_result()
    }
}

impl Slot for IntVertex {
    fn vertex(&self) -> Option<Vertex> {
        Some(Vertex::Int(*self))
    }

    fn argument(&self) -> Argument<'_> {
        Argument::Int(*self)
    }

    fn map(&self, _: &impl Fn(StringVertex) -> StringVertex, int: &impl Fn(Self) -> Self) -> Self {
        int(*self)
    }

    fn next<A: Arguments>(arguments: &mut A) -> Result<Self, A::Error> {
        arguments.next_int()
    }
}

impl ResultSlot for IntVertex {
    fn new(arguments: &mut impl Arguments) -> Self {
        arguments.int_result()
    }
}

impl Slot for Arc<Regex> {
    fn vertex(&self) -> Option<Vertex> {
        None
    }

    fn argument(&self) -> Argument<'_> {
        Argument::Language(self)
    }

    fn map(&self, _: &impl Fn(StringVertex) -> StringVertex, _: &impl Fn(IntVertex) -> IntVertex) -> Self {
        Self::clone(self)
    }

    fn next<A: Arguments>(arguments: &mut A) -> Result<Self, A::Error> {
        arguments.next_language()
    }
}

/// The vertices of slots, followed by nothing.
fn vertices<const N: usize>(slots: [Option<Vertex>; N]) -> [Option<Vertex>; 4] {
    const { assert!(N <= 4) };
    std::array::from_fn(|i| slots.get(i).copied().flatten())
}

/// The arguments, followed by nothing.
fn arguments<const N: usize>(slots: [Argument<'_>; N]) -> [Option<Argument<'_>>; 3] {
    const { assert!(N <= 3) };
    std::array::from_fn(|i| slots.get(i).copied())
}

/// What a script calls the function of a row.
const fn in_scripts(op: Option<Op>) -> &'static str {
    match op {
        Some(op) => op.name(),
        None => "java.charAt",
    }
}

/// `name (other)`, which has `N` bytes.
const fn in_brackets<const N: usize>(name: &str, other: &str) -> [u8; N] {
    let (name, other) = (name.as_bytes(), other.as_bytes());
    let mut text = [b' '; N];
    text[name.len() + 1] = b'(';
    text[N - 1] = b')';
    let mut i = 0;
    while i < name.len() {
        text[i] = name[i];
        i += 1;
    }
    i = 0;
    while i < other.len() {
        text[name.len() + 2 + i] = other[i];
        i += 1;
    }
    text
}

macro_rules! relations {
    ($(
        $(#[$doc:meta])*
        $variant:ident { $($field:ident: $slot:ty),* $(=> $result:ident: $sort:ty)? },
        $name:literal, $op:expr, ($($argument:ident),*), $cost:literal;
    )*) => {
        /// What an edge says of its vertices. The result of a function is its last field.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the fields are the arguments that the comment of each relation names")]
        pub enum Relation {
            $( $(#[$doc])* $variant { $($field: $slot,)* $($result: $sort,)? }, )*
        }

        impl Relation {
            /// Its vertices in the order of its fields, the result last.
            pub fn vertices(&self) -> impl Iterator<Item = Vertex> + use<> {
                let all = match self {
                    $( Self::$variant { $($field,)* $($result,)? } =>
                        vertices([$($field.vertex(),)* $($result.vertex(),)?]), )*
                };
                all.into_iter().flatten()
            }

            /// Whether it is a predicate, which may be negative.
            pub const fn is_predicate(&self) -> bool {
                match self {
                    $( Self::$variant { .. } => {
                        const RESULTS: &[&str] = &[$(stringify!($result))?];
                        RESULTS.is_empty()
                    } )*
                }
            }

            /// The same relation of other vertices.
            #[must_use]
            pub fn map(
                &self,
                string: impl Fn(StringVertex) -> StringVertex,
                int: impl Fn(IntVertex) -> IntVertex,
            ) -> Self {
                match self {
                    $( Self::$variant { $($field,)* $($result,)? } => Self::$variant {
                        $($field: $field.map(&string, &int),)* $($result: $result.map(&string, &int),)?
                    }, )*
                }
            }

            /// Its name, as in the study where it has one there.
            pub const fn name(&self) -> &'static str {
                match self {
                    $( Self::$variant { .. } => $name, )*
                }
            }

            /// Its name, and in brackets what a script calls it: for messages, such as `inRe (str.in_re)`.
            pub const fn full_name(&self) -> &'static str {
                match self {
                    $( Self::$variant { .. } => {
                        const SCRIPT: &str = in_scripts($op);
                        const BYTES: [u8; $name.len() + SCRIPT.len() + 3] = in_brackets($name, SCRIPT);
                        const { match str::from_utf8(&BYTES) {
                            Ok(text) => text,
                            Err(_) => panic!("two names in UTF-8 are text"),
                        } }
                    } )*
                }
            }

            /// The function that it stands for; `None` for [`Relation::CharAt`], which is a term with
            /// conditions.
            pub const fn op(&self) -> Option<Op> {
                match self {
                    $( Self::$variant { .. } => $op, )*
                }
            }

            /// The arguments of the function that it stands for, in that function's order.
            pub fn arguments(&self) -> impl Iterator<Item = Argument<'_>> {
                let all = match self {
                    $(
                        #[allow(unused_variables, reason = "the result is no argument")]
                        Self::$variant { $($field,)* $($result,)? } =>
                            arguments([$($argument.argument(),)*]),
                    )*
                };
                all.into_iter().flatten()
            }

            /// How many ways there are to satisfy it once lengths are fixed: a rank from 0 to 6.
            pub const fn cost(&self) -> u32 {
                match self {
                    $( Self::$variant { .. } => $cost, )*
                }
            }

            /// Whether a relation stands for applications of this function.
            pub fn stands_for(op: Op) -> bool {
                [$($op),*].contains(&Some(op))
            }

            /// The relation between the arguments of an application of `op` and its result, a new vertex for
            /// a function. `None` for a function that no relation stands for.
            pub(crate) fn of_application<A: Arguments>(
                op: Op,
                arguments: &mut A,
            ) -> Result<Option<Self>, A::Error> {
                $(
                    if $op == Some(op) {
                        $( let $argument = Slot::next(arguments)?; )*
                        $( let $result = ResultSlot::new(arguments); )?
                        return Ok(Some(Self::$variant { $($field,)* $($result,)? }));
                    }
                )*
                Ok(None)
            }
        }
    };
}

use {IntVertex as Int, StringVertex as Str};

relations! {
    /// `a` and `b` are the same word.
    Equal { a: Str, b: Str }, "equal", Some(Op::Core(CoreOp::Eq)), (a, b), 1;
    /// `t` is a prefix of `s`.
    StartsWith { s: Str, t: Str }, "startsWith", Some(Op::Str(StrOp::PrefixOf)), (t, s), 1;
    /// `t` is a suffix of `s`.
    EndsWith { s: Str, t: Str }, "endsWith", Some(Op::Str(StrOp::SuffixOf)), (t, s), 1;
    /// `t` occurs in `s`.
    Contains { s: Str, t: Str }, "contains", Some(Op::Str(StrOp::Contains)), (s, t), 4;
    /// `s` is before `t` in lexicographic order.
    Less { s: Str, t: Str }, "less", Some(Op::Str(StrOp::Lt)), (s, t), 5;
    /// `s` is before `t` or equal to it.
    LessEqual { s: Str, t: Str }, "lessEqual", Some(Op::Str(StrOp::Le)), (s, t), 5;
    /// `s` is in the language.
    InRe { s: Str, regex: Arc<Regex> }, "inRe", Some(Op::Str(StrOp::InRe)), (s, regex), 2;
    /// `s` is one character from `0` to `9`.
    IsDigit { s: Str }, "isDigit", Some(Op::Str(StrOp::IsDigit)), (s), 0;
    /// `r` is `a` followed by `b`.
    Concat { a: Str, b: Str => r: Str }, "concat", Some(Op::Str(StrOp::Concat)), (a, b), 1;
    /// `0 <= i < |s|`, and `c` is the code of the character of `s` at position `i`: Java's `charAt`.
    CharAt { s: Str, i: Int => c: Int }, "charAt", None, (s, i), 0;
    /// `r` is the character of `s` at position `i`, empty outside.
    At { s: Str, i: Int => r: Str }, "at", Some(Op::Str(StrOp::At)), (s, i), 1;
    /// `r` is up to `count` characters of `s` from position `from` on, empty where `str.substr` is.
    Substr { s: Str, from: Int, count: Int => r: Str }, "substr", Some(Op::Str(StrOp::Substr)), (s, from, count), 1;
    /// `i` is the first position from `from` on at which `t` occurs in `s`; -1 as for `str.indexof`.
    IndexOf { s: Str, t: Str, from: Int => i: Int }, "indexOf", Some(Op::Str(StrOp::IndexOf)), (s, t, from), 4;
    /// `i` is the last position up to `from` at which `t` occurs in `s`; -1 when there is none.
    LastIndexOf { s: Str, t: Str, from: Int => i: Int },
        "lastIndexOf", Some(Op::Java(JavaOp::LastIndexOf)), (s, t, from), 4;
    /// `r` is `s` without the characters up to U+0020 at both ends.
    Trim { s: Str => r: Str }, "trim", Some(Op::Java(JavaOp::Trim)), (s), 3;
    /// `r` is `s` with the first occurrence of `t` replaced by `by`.
    Replace { s: Str, t: Str, by: Str => r: Str }, "replace", Some(Op::Str(StrOp::Replace)), (s, t, by), 6;
    /// `r` is `s` with every occurrence of a non-empty `t` replaced by `by`.
    ReplaceAll { s: Str, t: Str, by: Str => r: Str }, "replaceAll", Some(Op::Str(StrOp::ReplaceAll)), (s, t, by), 6;
    /// `r` is `s` with the shortest leftmost match replaced by `by`.
    ReplaceRe { s: Str, regex: Arc<Regex>, by: Str => r: Str },
        "replaceRe", Some(Op::Str(StrOp::ReplaceRe)), (s, regex, by), 6;
    /// `r` is `s` with every shortest leftmost non-empty match replaced by `by`.
    ReplaceReAll { s: Str, regex: Arc<Regex>, by: Str => r: Str },
        "replaceReAll", Some(Op::Str(StrOp::ReplaceReAll)), (s, regex, by), 6;
    /// `r` is `s` with the capital letters of ASCII made small.
    ToLower { s: Str => r: Str }, "toLower", Some(Op::Java(JavaOp::ToLowerCase)), (s), 2;
    /// `r` is `s` with the small letters of ASCII made capital.
    ToUpper { s: Str => r: Str }, "toUpper", Some(Op::Java(JavaOp::ToUpperCase)), (s), 2;
    /// `c` is the code of the one character of `s`; -1 when it has not just one.
    ToCode { s: Str => c: Int }, "toCode", Some(Op::Str(StrOp::ToCode)), (s), 0;
    /// `r` is the one character of code `c`; empty when `c` is no character of the alphabet.
    FromCode { c: Int => r: Str }, "fromCode", Some(Op::Str(StrOp::FromCode)), (c), 0;
    /// `i` is the number that the digits of `s` write; -1 when `s` is not just digits or empty.
    ToInt { s: Str => i: Int }, "toInt", Some(Op::Str(StrOp::ToInt)), (s), 3;
    /// `r` are the digits of `i`; empty when `i` is negative.
    FromInt { i: Int => r: Str }, "fromInt", Some(Op::Str(StrOp::FromInt)), (i), 3;
    /// `i` is the difference of the first characters that differ, else of the lengths: Java's `compareTo`.
    CompareTo { s: Str, t: Str => i: Int }, "compareTo", Some(Op::Java(JavaOp::CompareTo)), (s, t), 5;
}

impl Relation {
    /// Its string vertices, in order.
    pub fn strings(&self) -> impl Iterator<Item = StringVertex> + use<> {
        self.vertices().filter_map(|v| match v {
            Vertex::String(s) => Some(s),
            Vertex::Int(_) => None,
        })
    }

    /// Its integer vertices, in order. Lengths of its string vertices are not among them.
    pub fn ints(&self) -> impl Iterator<Item = IntVertex> + use<> {
        self.vertices().filter_map(|v| match v {
            Vertex::String(_) => None,
            Vertex::Int(i) => Some(i),
        })
    }

    /// The regular language that is one of its arguments; `None` for a relation of words and numbers alone.
    pub fn language(&self) -> Option<&Arc<Regex>> {
        self.arguments().find_map(|argument| match argument {
            Argument::Language(regex) => Some(regex),
            Argument::String(_) | Argument::Int(_) => None,
        })
    }

    /// The vertex that a function determines; `None` for a predicate.
    pub fn result(&self) -> Option<Vertex> {
        if self.is_predicate() { None } else { self.vertices().last() }
    }
}

//! The functions of the theories: the core, integers, Unicode strings of SMT-LIB 2.7, and five of Java's that have no
//! short form in SMT-LIB.

use crate::sort::Sort;

/// A function symbol, indices included. Constants and variables are terms of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each is the SMT-LIB function of the same name, which `name` gives")]
pub enum Op {
    Not,
    And,
    Or,
    Xor,
    Implies,
    Eq,
    Distinct,
    Ite,
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Abs,
    Le,
    Lt,
    Ge,
    Gt,
    StrConcat,
    StrLen,
    StrLt,
    StrLe,
    StrAt,
    StrSubstr,
    StrPrefixOf,
    StrSuffixOf,
    StrContains,
    StrIndexOf,
    StrReplace,
    StrReplaceAll,
    StrReplaceRe,
    StrReplaceReAll,
    StrIsDigit,
    StrToCode,
    StrFromCode,
    StrToInt,
    StrFromInt,
    StrInRe,
    StrToRe,
    ReNone,
    ReAll,
    ReAllChar,
    ReConcat,
    ReUnion,
    ReInter,
    ReStar,
    ReComp,
    ReDiff,
    RePlus,
    ReOpt,
    ReRange,
    /// Java's `s.lastIndexOf(t, from)`: the largest position of `t` in `s` that is at most `from`; -1 when there is none.
    JavaLastIndexOf,
    /// Java's `s.trim()`: without the characters up to U+0020 at both ends.
    JavaTrim,
    /// Java's `s.toLowerCase()`, on the letters of ASCII.
    JavaToLower,
    /// Java's `s.toUpperCase()`, on the letters of ASCII.
    JavaToUpper,
    /// Java's `s.compareTo(t)`: the difference of the first characters that differ, else of the lengths.
    JavaCompareTo,
    /// `(_ re.^ n)`
    RePower(u32),
    /// `(_ re.loop n m)`
    ReLoop(u32, u32),
}

/// How many arguments a function takes, and how more than two are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Exactly these.
    Fixed(&'static [Sort]),
    /// Two or more of one sort, grouped from the left (`:left-assoc`) or, for `=>`, from the right.
    Many(Sort),
    /// Two or more of one sort: every neighbouring pair is related (`:chainable`).
    Chain(Sort),
    /// Two or more of any one sort, chainable or pairwise.
    Equality,
    /// A condition and two of any one sort.
    Choice,
}

impl Op {
    /// Every function without an index.
    pub const PLAIN: [Self; 59] = [
        Self::Not,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Implies,
        Self::Eq,
        Self::Distinct,
        Self::Ite,
        Self::Neg,
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::Mod,
        Self::Abs,
        Self::Le,
        Self::Lt,
        Self::Ge,
        Self::Gt,
        Self::StrConcat,
        Self::StrLen,
        Self::StrLt,
        Self::StrLe,
        Self::StrAt,
        Self::StrSubstr,
        Self::StrPrefixOf,
        Self::StrSuffixOf,
        Self::StrContains,
        Self::StrIndexOf,
        Self::StrReplace,
        Self::StrReplaceAll,
        Self::StrReplaceRe,
        Self::StrReplaceReAll,
        Self::StrIsDigit,
        Self::StrToCode,
        Self::StrFromCode,
        Self::StrToInt,
        Self::StrFromInt,
        Self::StrInRe,
        Self::StrToRe,
        Self::ReNone,
        Self::ReAll,
        Self::ReAllChar,
        Self::ReConcat,
        Self::ReUnion,
        Self::ReInter,
        Self::ReStar,
        Self::ReComp,
        Self::ReDiff,
        Self::RePlus,
        Self::ReOpt,
        Self::ReRange,
        Self::JavaLastIndexOf,
        Self::JavaTrim,
        Self::JavaToLower,
        Self::JavaToUpper,
        Self::JavaCompareTo,
        Self::RePower(0),
        Self::ReLoop(0, 0),
    ];

    /// SMT-LIB's name, without indices.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Not => "not",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::Implies => "=>",
            Self::Eq => "=",
            Self::Distinct => "distinct",
            Self::Ite => "ite",
            Self::Neg | Self::Sub => "-",
            Self::Add => "+",
            Self::Mul => "*",
            Self::Div => "div",
            Self::Mod => "mod",
            Self::Abs => "abs",
            Self::Le => "<=",
            Self::Lt => "<",
            Self::Ge => ">=",
            Self::Gt => ">",
            Self::StrConcat => "str.++",
            Self::StrLen => "str.len",
            Self::StrLt => "str.<",
            Self::StrLe => "str.<=",
            Self::StrAt => "str.at",
            Self::StrSubstr => "str.substr",
            Self::StrPrefixOf => "str.prefixof",
            Self::StrSuffixOf => "str.suffixof",
            Self::StrContains => "str.contains",
            Self::StrIndexOf => "str.indexof",
            Self::StrReplace => "str.replace",
            Self::StrReplaceAll => "str.replace_all",
            Self::StrReplaceRe => "str.replace_re",
            Self::StrReplaceReAll => "str.replace_re_all",
            Self::StrIsDigit => "str.is_digit",
            Self::StrToCode => "str.to_code",
            Self::StrFromCode => "str.from_code",
            Self::StrToInt => "str.to_int",
            Self::StrFromInt => "str.from_int",
            Self::StrInRe => "str.in_re",
            Self::StrToRe => "str.to_re",
            Self::ReNone => "re.none",
            Self::ReAll => "re.all",
            Self::ReAllChar => "re.allchar",
            Self::ReConcat => "re.++",
            Self::ReUnion => "re.union",
            Self::ReInter => "re.inter",
            Self::ReStar => "re.*",
            Self::ReComp => "re.comp",
            Self::ReDiff => "re.diff",
            Self::RePlus => "re.+",
            Self::ReOpt => "re.opt",
            Self::ReRange => "re.range",
            Self::JavaLastIndexOf => "java.lastIndexOf",
            Self::JavaTrim => "java.trim",
            Self::JavaToLower => "java.toLowerCase",
            Self::JavaToUpper => "java.toUpperCase",
            Self::JavaCompareTo => "java.compareTo",
            Self::RePower(_) => "re.^",
            Self::ReLoop(..) => "re.loop",
        }
    }

    /// Whether it is one of Java's that SMT-LIB does not have: read under the `java.` name space, lowered for other solvers.
    pub const fn is_java(self) -> bool {
        matches!(
            self,
            Self::JavaLastIndexOf
                | Self::JavaTrim
                | Self::JavaToLower
                | Self::JavaToUpper
                | Self::JavaCompareTo
        )
    }

    /// What it takes.
    pub const fn shape(self) -> Shape {
        use Sort::{Bool, Int, RegLan, String};
        match self {
            Self::Not => Shape::Fixed(&[Bool]),
            Self::And | Self::Or | Self::Xor | Self::Implies => Shape::Many(Bool),
            Self::Eq | Self::Distinct => Shape::Equality,
            Self::Ite => Shape::Choice,
            Self::Neg | Self::Abs => Shape::Fixed(&[Int]),
            Self::Add | Self::Sub | Self::Mul | Self::Div => Shape::Many(Int),
            Self::Mod => Shape::Fixed(&[Int, Int]),
            Self::Le | Self::Lt | Self::Ge | Self::Gt => Shape::Chain(Int),
            Self::StrConcat => Shape::Many(String),
            Self::StrLen | Self::StrIsDigit | Self::StrToCode | Self::StrToInt | Self::StrToRe => {
                Shape::Fixed(&[String])
            }
            Self::StrLt | Self::StrLe => Shape::Chain(String),
            Self::StrAt => Shape::Fixed(&[String, Int]),
            Self::StrSubstr => Shape::Fixed(&[String, Int, Int]),
            Self::StrPrefixOf | Self::StrSuffixOf | Self::StrContains => Shape::Fixed(&[String, String]),
            Self::StrIndexOf => Shape::Fixed(&[String, String, Int]),
            Self::JavaLastIndexOf => Shape::Fixed(&[String, String, Int]),
            Self::JavaTrim | Self::JavaToLower | Self::JavaToUpper => Shape::Fixed(&[String]),
            Self::JavaCompareTo => Shape::Fixed(&[String, String]),
            Self::StrReplace | Self::StrReplaceAll => Shape::Fixed(&[String, String, String]),
            Self::StrReplaceRe | Self::StrReplaceReAll => Shape::Fixed(&[String, RegLan, String]),
            Self::StrFromCode | Self::StrFromInt => Shape::Fixed(&[Int]),
            Self::StrInRe => Shape::Fixed(&[String, RegLan]),
            Self::ReNone | Self::ReAll | Self::ReAllChar => Shape::Fixed(&[]),
            Self::ReConcat | Self::ReUnion | Self::ReInter | Self::ReDiff => Shape::Many(RegLan),
            Self::ReStar
            | Self::ReComp
            | Self::RePlus
            | Self::ReOpt
            | Self::RePower(_)
            | Self::ReLoop(..) => Shape::Fixed(&[RegLan]),
            Self::ReRange => Shape::Fixed(&[String, String]),
        }
    }

    /// The sort of its result; `None` for `ite`, whose branches decide.
    pub const fn result(self) -> Option<Sort> {
        Some(match self {
            Self::Ite => return None,
            Self::Not
            | Self::And
            | Self::Or
            | Self::Xor
            | Self::Implies
            | Self::Eq
            | Self::Distinct
            | Self::Le
            | Self::Lt
            | Self::Ge
            | Self::Gt
            | Self::StrLt
            | Self::StrLe
            | Self::StrPrefixOf
            | Self::StrSuffixOf
            | Self::StrContains
            | Self::StrIsDigit
            | Self::StrInRe => Sort::Bool,
            Self::Neg
            | Self::Add
            | Self::Sub
            | Self::Mul
            | Self::Div
            | Self::Mod
            | Self::Abs
            | Self::StrLen
            | Self::StrIndexOf
            | Self::StrToCode
            | Self::StrToInt
            | Self::JavaLastIndexOf
            | Self::JavaCompareTo => Sort::Int,
            Self::StrConcat
            | Self::StrAt
            | Self::StrSubstr
            | Self::StrReplace
            | Self::StrReplaceAll
            | Self::StrReplaceRe
            | Self::StrReplaceReAll
            | Self::StrFromCode
            | Self::StrFromInt
            | Self::JavaTrim
            | Self::JavaToLower
            | Self::JavaToUpper => Sort::String,
            Self::StrToRe
            | Self::ReNone
            | Self::ReAll
            | Self::ReAllChar
            | Self::ReConcat
            | Self::ReUnion
            | Self::ReInter
            | Self::ReStar
            | Self::ReComp
            | Self::ReDiff
            | Self::RePlus
            | Self::ReOpt
            | Self::ReRange
            | Self::RePower(_)
            | Self::ReLoop(..) => Sort::RegLan,
        })
    }
}

//! Java's string operations under the `java.` name space.
//!
//! A path condition of a Java program holds on the paths on which nothing is thrown: where an operation may throw, its
//! definedness is a constraint of the path, added beside the assertion that uses the operation, whatever `not` or `or` stands
//! around it. Most operations are short SMT-LIB terms and become those at once; five stay as they are
//! ([`Op::is_java`]) until [`crate::lower`] writes them out for other solvers.
//!
//! Where Java's meaning depends on more than ASCII (case mapping), the definedness restricts the string to ASCII.

use harness_model::op::Op;
use harness_model::term::{SortError, TermId, Terms};
use harness_model::{Char, SmtString};

/// Every name, for messages.
pub const NAMES: &str = "charAt codePointAt compareTo concat contains endsWith equals equalsIgnoreCase indexOf indexOfChar \
isEmpty lastIndexOf lastIndexOfChar length parseInt replace replaceChar startsWith substring toLowerCase toUpperCase trim valueOf";

/// An operation of `java.lang.String` (or `Integer.parseInt`, `String.valueOf`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the Java method of the same name")]
pub enum Method {
    CharAt,
    CompareTo,
    Concat,
    Contains,
    EndsWith,
    Equals,
    EqualsIgnoreCase,
    IndexOf,
    IndexOfChar,
    IsEmpty,
    LastIndexOf,
    LastIndexOfChar,
    Length,
    ParseInt,
    Replace,
    ReplaceChar,
    StartsWith,
    Substring,
    ToLowerCase,
    ToUpperCase,
    Trim,
    ValueOf,
}

impl Method {
    /// The method of this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "charAt" | "codePointAt" => Self::CharAt,
            "compareTo" => Self::CompareTo,
            "concat" => Self::Concat,
            "contains" => Self::Contains,
            "endsWith" => Self::EndsWith,
            "equals" => Self::Equals,
            "equalsIgnoreCase" => Self::EqualsIgnoreCase,
            "indexOf" => Self::IndexOf,
            "indexOfChar" => Self::IndexOfChar,
            "isEmpty" => Self::IsEmpty,
            "lastIndexOf" => Self::LastIndexOf,
            "lastIndexOfChar" => Self::LastIndexOfChar,
            "length" => Self::Length,
            "parseInt" => Self::ParseInt,
            "replace" => Self::Replace,
            "replaceChar" => Self::ReplaceChar,
            "startsWith" => Self::StartsWith,
            "substring" => Self::Substring,
            "toLowerCase" => Self::ToLowerCase,
            "toUpperCase" => Self::ToUpperCase,
            "trim" => Self::Trim,
            "valueOf" => Self::ValueOf,
            _ => return None,
        })
    }
}

/// Makes terms with less noise.
struct Maker<'t> {
    terms: &'t mut Terms,
}

type Made = Result<TermId, SortError>;

impl Maker<'_> {
    fn app(&mut self, op: Op, arguments: &[TermId]) -> Made {
        self.terms.app(op, arguments)
    }

    fn int(&mut self, value: i64) -> TermId {
        self.terms.int(value)
    }

    fn len(&mut self, s: TermId) -> Made {
        self.app(Op::StrLen, &[s])
    }

    /// `from` cut to be at least 0.
    fn at_least_zero(&mut self, from: TermId) -> Made {
        let zero = self.int(0);
        let negative = self.app(Op::Lt, &[from, zero])?;
        self.app(Op::Ite, &[negative, zero, from])
    }

    /// Java's `s.indexOf(t, from)`.
    fn index_of(&mut self, s: TermId, t: TermId, from: TermId) -> Made {
        let start = self.at_least_zero(from)?;
        let found = self.app(Op::StrIndexOf, &[s, t, start])?;
        // The empty string is found at the end when the start is beyond it; SMT-LIB says -1 there.
        let (length, empty) = (self.len(s)?, self.terms.string(SmtString::empty()));
        let is_empty = self.app(Op::Eq, &[t, empty])?;
        let beyond = self.app(Op::Gt, &[start, length])?;
        let both = self.app(Op::And, &[is_empty, beyond])?;
        self.app(Op::Ite, &[both, length, found])
    }

    /// The one-character string of a code, or for a code that is no character a string that cannot be found: the caller
    /// tests `is_char` first.
    fn char_string(&mut self, code: TermId) -> Result<(TermId, TermId), SortError> {
        let s = self.app(Op::StrFromCode, &[code])?;
        let (length, one) = (self.len(s)?, self.int(1));
        Ok((s, self.app(Op::Eq, &[length, one])?))
    }

    fn ascii(&mut self, s: TermId) -> Made {
        let (low, high) = (self.terms.string(vec![Char(0)]), self.terms.string(vec![Char(0x7F)]));
        let range = self.app(Op::ReRange, &[low, high])?;
        let all = self.app(Op::ReStar, &[range])?;
        self.app(Op::StrInRe, &[s, all])
    }
}

/// Makes the term of `method` applied to `arguments` and adds to `conditions` when it is defined.
pub fn build(
    method: Method,
    terms: &mut Terms,
    arguments: &[TermId],
    conditions: &mut Vec<TermId>,
) -> Result<TermId, String> {
    make(method, &mut Maker { terms }, arguments, conditions).map_err(|refusal| match refusal {
        Refusal::Sort(sort) => format!("in this Java operation: {sort}"),
        Refusal::Count => format!("this Java operation does not take {} arguments", arguments.len()),
    })
}

/// Why there is no term.
enum Refusal {
    Count,
    Sort(SortError),
}

impl From<SortError> for Refusal {
    fn from(error: SortError) -> Self {
        Self::Sort(error)
    }
}

fn make(
    method: Method,
    m: &mut Maker<'_>,
    arguments: &[TermId],
    conditions: &mut Vec<TermId>,
) -> Result<TermId, Refusal> {
    let zero = m.int(0);
    let made = match (method, arguments) {
        (Method::CharAt, &[s, i]) => {
            let length = m.len(s)?;
            conditions.push(m.app(Op::Le, &[zero, i])?);
            conditions.push(m.app(Op::Lt, &[i, length])?);
            let character = m.app(Op::StrAt, &[s, i])?;
            m.app(Op::StrToCode, &[character])
        }
        (Method::CompareTo, &[s, t]) => m.app(Op::JavaCompareTo, &[s, t]),
        (Method::Concat, &[_, _, ..]) => m.app(Op::StrConcat, arguments),
        (Method::Contains, &[s, t]) => m.app(Op::StrContains, &[s, t]),
        (Method::EndsWith, &[s, t]) => m.app(Op::StrSuffixOf, &[t, s]),
        (Method::Equals, &[s, t]) => m.app(Op::Eq, &[s, t]),
        (Method::EqualsIgnoreCase, &[s, t]) => {
            conditions.push(m.ascii(s)?);
            conditions.push(m.ascii(t)?);
            let (s, t) = (m.app(Op::JavaToLower, &[s])?, m.app(Op::JavaToLower, &[t])?);
            m.app(Op::Eq, &[s, t])
        }
        (Method::IndexOf, &[s, t]) => m.app(Op::StrIndexOf, &[s, t, zero]),
        (Method::IndexOf, &[s, t, from]) => m.index_of(s, t, from),
        (Method::IndexOfChar | Method::LastIndexOfChar, &[s, code, ref from @ ..]) if from.len() < 2 => {
            let (t, is_char) = m.char_string(code)?;
            let found = match (method, from) {
                (Method::IndexOfChar, []) => m.app(Op::StrIndexOf, &[s, t, zero])?,
                (Method::IndexOfChar, _) => m.index_of(s, t, from[0])?,
                (_, []) => {
                    let length = m.len(s)?;
                    m.app(Op::JavaLastIndexOf, &[s, t, length])?
                }
                _ => m.app(Op::JavaLastIndexOf, &[s, t, from[0]])?,
            };
            let none = m.int(-1);
            m.app(Op::Ite, &[is_char, found, none])
        }
        (Method::IsEmpty, &[s]) => {
            let empty = m.terms.string(SmtString::empty());
            m.app(Op::Eq, &[s, empty])
        }
        (Method::LastIndexOf, &[s, t]) => {
            let length = m.len(s)?;
            m.app(Op::JavaLastIndexOf, &[s, t, length])
        }
        (Method::LastIndexOf, &[s, t, from]) => m.app(Op::JavaLastIndexOf, &[s, t, from]),
        (Method::Length, &[s]) => m.app(Op::StrLen, &[s]),
        (Method::ParseInt, &[s]) => parse_int(m, s, conditions),
        (Method::Replace, &[s, t, by]) => {
            // Java puts `by` around every character for an empty `t`; SMT-LIB has nothing short for that.
            let empty = m.terms.string(SmtString::empty());
            let is_empty = m.app(Op::Eq, &[t, empty])?;
            conditions.push(m.app(Op::Not, &[is_empty])?);
            m.app(Op::StrReplaceAll, &[s, t, by])
        }
        (Method::ReplaceChar, &[s, old, new]) => {
            let (old, old_is_char) = m.char_string(old)?;
            let (new, new_is_char) = m.char_string(new)?;
            conditions.extend([old_is_char, new_is_char]);
            m.app(Op::StrReplaceAll, &[s, old, new])
        }
        (Method::StartsWith, &[s, t]) => m.app(Op::StrPrefixOf, &[t, s]),
        (Method::StartsWith, &[s, t, from]) => {
            let (length, wanted) = (m.len(s)?, m.len(t)?);
            let inside = m.app(Op::Le, &[zero, from, length])?;
            let part = m.app(Op::StrSubstr, &[s, from, wanted])?;
            let equal = m.app(Op::Eq, &[part, t])?;
            m.app(Op::And, &[inside, equal])
        }
        (Method::Substring, &[s, from]) => {
            let length = m.len(s)?;
            conditions.push(m.app(Op::Le, &[zero, from, length])?);
            let count = m.app(Op::Sub, &[length, from])?;
            m.app(Op::StrSubstr, &[s, from, count])
        }
        (Method::Substring, &[s, from, to]) => {
            let length = m.len(s)?;
            conditions.push(m.app(Op::Le, &[zero, from, to, length])?);
            let count = m.app(Op::Sub, &[to, from])?;
            m.app(Op::StrSubstr, &[s, from, count])
        }
        (Method::ToLowerCase | Method::ToUpperCase, &[s]) => {
            conditions.push(m.ascii(s)?);
            m.app(if method == Method::ToLowerCase { Op::JavaToLower } else { Op::JavaToUpper }, &[s])
        }
        (Method::Trim, &[s]) => m.app(Op::JavaTrim, &[s]),
        (Method::ValueOf, &[i]) => {
            let (minus, opposite) = (m.terms.string("-"), m.app(Op::Neg, &[i])?);
            let digits = m.app(Op::StrFromInt, &[opposite])?;
            let (negative, text) = (m.app(Op::StrConcat, &[minus, digits])?, m.app(Op::StrFromInt, &[i])?);
            let below = m.app(Op::Lt, &[i, zero])?;
            m.app(Op::Ite, &[below, negative, text])
        }
        _ => return Err(Refusal::Count),
    };
    Ok(made?)
}

/// `Integer.parseInt(s)`: an optional sign and digits of ASCII, in the range of `int`. (Java also takes other digits of Unicode;
/// the definedness leaves them out.)
fn parse_int(m: &mut Maker<'_>, s: TermId, conditions: &mut Vec<TermId>) -> Made {
    let one = m.int(1);
    let (nine, zero_digit) = (m.terms.string("9"), m.terms.string("0"));
    let digit = m.app(Op::ReRange, &[zero_digit, nine])?;
    let digits = m.app(Op::RePlus, &[digit])?;
    let (plus, minus) = (m.terms.string("+"), m.terms.string("-"));
    let (plus_re, minus_re) = (m.app(Op::StrToRe, &[plus])?, m.app(Op::StrToRe, &[minus])?);
    let sign = m.app(Op::ReUnion, &[plus_re, minus_re])?;
    let sign = m.app(Op::ReOpt, &[sign])?;
    let format = m.app(Op::ReConcat, &[sign, digits])?;
    conditions.push(m.app(Op::StrInRe, &[s, format])?);
    let length = m.len(s)?;
    let rest_length = m.app(Op::Sub, &[length, one])?;
    let rest = m.app(Op::StrSubstr, &[s, one, rest_length])?;
    let (whole, rest) = (m.app(Op::StrToInt, &[s])?, m.app(Op::StrToInt, &[rest])?);
    let opposite = m.app(Op::Neg, &[rest])?;
    let (is_plus, is_minus) = (m.app(Op::StrPrefixOf, &[plus, s])?, m.app(Op::StrPrefixOf, &[minus, s])?);
    let unsigned = m.app(Op::Ite, &[is_plus, rest, whole])?;
    let value = m.app(Op::Ite, &[is_minus, opposite, unsigned])?;
    let (least, most) = (m.int(i64::from(i32::MIN)), m.int(i64::from(i32::MAX)));
    conditions.push(m.app(Op::Le, &[least, value, most])?);
    Ok(value)
}

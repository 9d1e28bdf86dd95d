//! Java's string operations under the `java.` name space.
//!
//! A path condition of a Java program holds on the paths on which nothing is thrown: where an operation may throw, its
//! definedness is a constraint of the path, added beside the assertion that uses the operation, whatever `not` or `or` stands
//! around it. Most operations are short SMT-LIB terms and become those at once; five stay as they are
//! ([`Op::is_java`]) until [`crate::lower`] writes them out for other solvers.
//!
//! Where Java's meaning depends on more than ASCII (case mapping), the definedness restricts the string to ASCII.
//!
//! Numbers are mathematical integers, and decimals such of a known scale ([`crate::rounding`]): nothing overflows. Scales and ways of
//! rounding are literals: `(java.setScale u 3 2 "HALF_UP")`, `(java.round u 1)`, `(java.decimal "12.50" 2)`.

use harness_model::int::Int;
use harness_model::{Char, SmtString};
use harness_theory::op::{ArithOp, CoreOp, JavaOp, Op, ReOp, StrOp};
use harness_theory::term::{SortError, Term, TermId, Terms};

use crate::rounding::{self, MAX_SCALE, RoundingMode};

/// Every name, for messages.
pub const NAMES: &str = "ceil charAt codePointAt compareTo concat contains decimal divide endsWith equals equalsIgnoreCase floor \
floorDiv floorMod indexOf indexOfChar isEmpty lastIndexOf lastIndexOfChar length parseInt remainder replace replaceChar round \
setScale startsWith substring toLowerCase toUpperCase trim valueOf";

/// An operation of `java.lang.String`, `Math` or `BigDecimal` (or `Integer.parseInt`, `String.valueOf`). `Divide` and `Remainder` are the
/// operators `/` and `%`, `Decimal` is the constructor of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the Java method of the same name")]
pub enum Method {
    Ceil,
    CharAt,
    CompareTo,
    Concat,
    Contains,
    Decimal,
    Divide,
    EndsWith,
    Equals,
    EqualsIgnoreCase,
    Floor,
    FloorDiv,
    FloorMod,
    IndexOf,
    IndexOfChar,
    IsEmpty,
    LastIndexOf,
    LastIndexOfChar,
    Length,
    ParseInt,
    Remainder,
    Replace,
    ReplaceChar,
    Round,
    SetScale,
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
            "ceil" => Self::Ceil,
            "charAt" | "codePointAt" => Self::CharAt,
            "compareTo" => Self::CompareTo,
            "concat" => Self::Concat,
            "contains" => Self::Contains,
            "decimal" => Self::Decimal,
            "divide" => Self::Divide,
            "endsWith" => Self::EndsWith,
            "equals" => Self::Equals,
            "equalsIgnoreCase" => Self::EqualsIgnoreCase,
            "floor" => Self::Floor,
            "floorDiv" => Self::FloorDiv,
            "floorMod" => Self::FloorMod,
            "indexOf" => Self::IndexOf,
            "indexOfChar" => Self::IndexOfChar,
            "isEmpty" => Self::IsEmpty,
            "lastIndexOf" => Self::LastIndexOf,
            "lastIndexOfChar" => Self::LastIndexOfChar,
            "length" => Self::Length,
            "parseInt" => Self::ParseInt,
            "remainder" => Self::Remainder,
            "replace" => Self::Replace,
            "replaceChar" => Self::ReplaceChar,
            "round" => Self::Round,
            "setScale" => Self::SetScale,
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
        self.app(Op::Str(StrOp::Len), &[s])
    }

    /// `from` cut to be at least 0.
    fn at_least_zero(&mut self, from: TermId) -> Made {
        let zero = self.int(0);
        let negative = self.app(Op::Arith(ArithOp::Lt), &[from, zero])?;
        self.app(Op::Core(CoreOp::Ite), &[negative, zero, from])
    }

    /// Java's `s.indexOf(t, from)`.
    fn index_of(&mut self, s: TermId, t: TermId, from: TermId) -> Made {
        let start = self.at_least_zero(from)?;
        let found = self.app(Op::Str(StrOp::IndexOf), &[s, t, start])?;
        // The empty string is found at the end when the start is beyond it; SMT-LIB says -1 there.
        let (length, empty) = (self.len(s)?, self.terms.string(SmtString::empty()));
        let is_empty = self.app(Op::Core(CoreOp::Eq), &[t, empty])?;
        let beyond = self.app(Op::Arith(ArithOp::Gt), &[start, length])?;
        let both = self.app(Op::Core(CoreOp::And), &[is_empty, beyond])?;
        self.app(Op::Core(CoreOp::Ite), &[both, length, found])
    }

    /// The one-character string of a code, or for a code that is no character a string that cannot be found: the caller
    /// tests `is_char` first.
    fn char_string(&mut self, code: TermId) -> Result<(TermId, TermId), SortError> {
        let s = self.app(Op::Str(StrOp::FromCode), &[code])?;
        let (length, one) = (self.len(s)?, self.int(1));
        Ok((s, self.app(Op::Core(CoreOp::Eq), &[length, one])?))
    }

    fn ascii(&mut self, s: TermId) -> Made {
        let (low, high) = (self.terms.string(vec![Char(0)]), self.terms.string(vec![Char(0x7F)]));
        let range = self.app(Op::Re(ReOp::Range), &[low, high])?;
        let all = self.app(Op::Re(ReOp::Star), &[range])?;
        self.app(Op::Str(StrOp::InRe), &[s, all])
    }
}

/// Makes the term of `method` applied to `arguments` and adds to `conditions` when it is defined. Else says why not, in
/// words that follow the operation's name and a colon.
pub fn build(
    method: Method,
    terms: &mut Terms,
    arguments: &[TermId],
    conditions: &mut Vec<TermId>,
) -> Result<TermId, String> {
    make(method, &mut Maker { terms }, arguments, conditions).map_err(|refusal| match refusal {
        Refusal::Sort(sort) => format!("in what it stands for: {sort}"),
        Refusal::Count => match arguments.len() {
            1 => "it does not take 1 argument".to_owned(),
            n => format!("it does not take {n} arguments"),
        },
        Refusal::Literal(message) => message,
    })
}

/// Why there is no term.
enum Refusal {
    Count,
    Sort(SortError),
    /// An argument that must be a literal of a certain kind.
    Literal(String),
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
        (Method::Ceil, &[u, from]) => Ok(round(m, u, from, RoundingMode::Ceiling)?),
        (Method::Floor, &[u, from]) => Ok(round(m, u, from, RoundingMode::Floor)?),
        (Method::Round, &[u, from]) => Ok(round(m, u, from, RoundingMode::HalfCeiling)?),
        (Method::SetScale, &[u, from, to, mode]) => {
            let mode = text(m, mode, "the way of rounding")?.parse().map_err(Refusal::Literal)?;
            let (from, to) = (scale(m, from)?, scale(m, to)?);
            let rounded = rounding::rescale(m.terms, u, from, to, mode)?;
            conditions.extend(rounded.defined);
            Ok(rounded.term)
        }
        (Method::Decimal, &[literal, places]) => {
            let (literal, places) = (text(m, literal, "the decimal")?, scale(m, places)?);
            let value = rounding::decimal(&literal, places).map_err(Refusal::Literal)?;
            Ok(m.terms.int(value))
        }
        (Method::Divide | Method::Remainder | Method::FloorDiv | Method::FloorMod, &[a, b]) => {
            divide(m, method, a, b, conditions)
        }
        (Method::CharAt, &[s, i]) => {
            let length = m.len(s)?;
            conditions.push(m.app(Op::Arith(ArithOp::Le), &[zero, i])?);
            conditions.push(m.app(Op::Arith(ArithOp::Lt), &[i, length])?);
            let character = m.app(Op::Str(StrOp::At), &[s, i])?;
            m.app(Op::Str(StrOp::ToCode), &[character])
        }
        (Method::CompareTo, &[s, t]) => m.app(Op::Java(JavaOp::CompareTo), &[s, t]),
        (Method::Concat, &[_, _, ..]) => m.app(Op::Str(StrOp::Concat), arguments),
        (Method::Contains, &[s, t]) => m.app(Op::Str(StrOp::Contains), &[s, t]),
        (Method::EndsWith, &[s, t]) => m.app(Op::Str(StrOp::SuffixOf), &[t, s]),
        (Method::Equals, &[s, t]) => m.app(Op::Core(CoreOp::Eq), &[s, t]),
        (Method::EqualsIgnoreCase, &[s, t]) => {
            conditions.push(m.ascii(s)?);
            conditions.push(m.ascii(t)?);
            let (s, t) =
                (m.app(Op::Java(JavaOp::ToLowerCase), &[s])?, m.app(Op::Java(JavaOp::ToLowerCase), &[t])?);
            m.app(Op::Core(CoreOp::Eq), &[s, t])
        }
        (Method::IndexOf, &[s, t]) => m.app(Op::Str(StrOp::IndexOf), &[s, t, zero]),
        (Method::IndexOf, &[s, t, from]) => m.index_of(s, t, from),
        (Method::IndexOfChar | Method::LastIndexOfChar, &[s, code, ref from @ ..]) if from.len() < 2 => {
            let (t, is_char) = m.char_string(code)?;
            let found = match (method, from) {
                (Method::IndexOfChar, []) => m.app(Op::Str(StrOp::IndexOf), &[s, t, zero])?,
                (Method::IndexOfChar, _) => m.index_of(s, t, from[0])?,
                (_, []) => {
                    let length = m.len(s)?;
                    m.app(Op::Java(JavaOp::LastIndexOf), &[s, t, length])?
                }
                _ => m.app(Op::Java(JavaOp::LastIndexOf), &[s, t, from[0]])?,
            };
            let none = m.int(-1);
            m.app(Op::Core(CoreOp::Ite), &[is_char, found, none])
        }
        (Method::IsEmpty, &[s]) => {
            let empty = m.terms.string(SmtString::empty());
            m.app(Op::Core(CoreOp::Eq), &[s, empty])
        }
        (Method::LastIndexOf, &[s, t]) => {
            let length = m.len(s)?;
            m.app(Op::Java(JavaOp::LastIndexOf), &[s, t, length])
        }
        (Method::LastIndexOf, &[s, t, from]) => m.app(Op::Java(JavaOp::LastIndexOf), &[s, t, from]),
        (Method::Length, &[s]) => m.app(Op::Str(StrOp::Len), &[s]),
        (Method::ParseInt, &[s]) => parse_int(m, s, conditions),
        (Method::Replace, &[s, t, by]) => {
            // Java puts `by` around every character for an empty `t`; SMT-LIB has nothing short for that.
            let empty = m.terms.string(SmtString::empty());
            let is_empty = m.app(Op::Core(CoreOp::Eq), &[t, empty])?;
            conditions.push(m.app(Op::Core(CoreOp::Not), &[is_empty])?);
            m.app(Op::Str(StrOp::ReplaceAll), &[s, t, by])
        }
        (Method::ReplaceChar, &[s, old, new]) => {
            let (old, old_is_char) = m.char_string(old)?;
            let (new, new_is_char) = m.char_string(new)?;
            conditions.extend([old_is_char, new_is_char]);
            m.app(Op::Str(StrOp::ReplaceAll), &[s, old, new])
        }
        (Method::StartsWith, &[s, t]) => m.app(Op::Str(StrOp::PrefixOf), &[t, s]),
        (Method::StartsWith, &[s, t, from]) => {
            let (length, wanted) = (m.len(s)?, m.len(t)?);
            let inside = m.app(Op::Arith(ArithOp::Le), &[zero, from, length])?;
            let part = m.app(Op::Str(StrOp::Substr), &[s, from, wanted])?;
            let equal = m.app(Op::Core(CoreOp::Eq), &[part, t])?;
            m.app(Op::Core(CoreOp::And), &[inside, equal])
        }
        (Method::Substring, &[s, from]) => {
            let length = m.len(s)?;
            conditions.push(m.app(Op::Arith(ArithOp::Le), &[zero, from, length])?);
            let count = m.app(Op::Arith(ArithOp::Sub), &[length, from])?;
            m.app(Op::Str(StrOp::Substr), &[s, from, count])
        }
        (Method::Substring, &[s, from, to]) => {
            let length = m.len(s)?;
            conditions.push(m.app(Op::Arith(ArithOp::Le), &[zero, from, to, length])?);
            let count = m.app(Op::Arith(ArithOp::Sub), &[to, from])?;
            m.app(Op::Str(StrOp::Substr), &[s, from, count])
        }
        (Method::ToLowerCase | Method::ToUpperCase, &[s]) => {
            conditions.push(m.ascii(s)?);
            m.app(
                if method == Method::ToLowerCase {
                    Op::Java(JavaOp::ToLowerCase)
                } else {
                    Op::Java(JavaOp::ToUpperCase)
                },
                &[s],
            )
        }
        (Method::Trim, &[s]) => m.app(Op::Java(JavaOp::Trim), &[s]),
        (Method::ValueOf, &[i]) => {
            let (minus, opposite) = (m.terms.string("-"), m.app(Op::Arith(ArithOp::Neg), &[i])?);
            let digits = m.app(Op::Str(StrOp::FromInt), &[opposite])?;
            let (negative, text) =
                (m.app(Op::Str(StrOp::Concat), &[minus, digits])?, m.app(Op::Str(StrOp::FromInt), &[i])?);
            let below = m.app(Op::Arith(ArithOp::Lt), &[i, zero])?;
            m.app(Op::Core(CoreOp::Ite), &[below, negative, text])
        }
        _ => return Err(Refusal::Count),
    };
    Ok(made?)
}

/// An argument that is a string literal.
fn text(m: &Maker<'_>, argument: TermId, what: &str) -> Result<String, Refusal> {
    match m.terms.get(argument) {
        Term::String(word) => Ok(word.to_string()),
        _ => Err(Refusal::Literal(format!("{what} must be a string literal"))),
    }
}

/// An argument that is a scale.
fn scale(m: &Maker<'_>, argument: TermId) -> Result<u32, Refusal> {
    let value = match m.terms.get(argument) {
        Term::Int(i) => i.small().and_then(|v| u32::try_from(v).ok()).filter(|v| *v <= MAX_SCALE),
        _ => None,
    };
    value.ok_or_else(|| Refusal::Literal(format!("a scale must be a numeral from 0 to {MAX_SCALE}")))
}

/// A decimal rounded to an integer.
fn round(m: &mut Maker<'_>, u: TermId, from: TermId, mode: RoundingMode) -> Result<TermId, Refusal> {
    let from = scale(m, from)?;
    Ok(rounding::rescale(m.terms, u, from, 0, mode)?.term)
}

/// Java's divisions, defined where the divisor is not zero: `/` and `%` round towards zero, `floorDiv` and `floorMod` down.
/// SMT-LIB's `div` leaves a remainder that is not negative: it rounds towards zero for a dividend that is not negative, and
/// down for a positive divisor.
fn divide(m: &mut Maker<'_>, method: Method, a: TermId, b: TermId, conditions: &mut Vec<TermId>) -> Made {
    let zero = m.int(0);
    let known = match m.terms.get(b) {
        Term::Int(i) if *i != Int::ZERO => Some(i.is_negative()),
        _ => None,
    };
    if known.is_none() {
        let is_zero = m.app(Op::Core(CoreOp::Eq), &[b, zero])?;
        conditions.push(m.app(Op::Core(CoreOp::Not), &[is_zero])?);
    }
    let opposite = m.app(Op::Arith(ArithOp::Neg), &[a])?;
    match method {
        Method::Divide | Method::Remainder => {
            let op = if method == Method::Divide { Op::Arith(ArithOp::Div) } else { Op::Arith(ArithOp::Mod) };
            let (straight, mirrored) = (m.app(op, &[a, b])?, m.app(op, &[opposite, b])?);
            let mirrored = m.app(Op::Arith(ArithOp::Neg), &[mirrored])?;
            let positive = m.app(Op::Arith(ArithOp::Le), &[zero, a])?;
            m.app(Op::Core(CoreOp::Ite), &[positive, straight, mirrored])
        }
        _ => {
            let op =
                if method == Method::FloorDiv { Op::Arith(ArithOp::Div) } else { Op::Arith(ArithOp::Mod) };
            let straight = m.app(op, &[a, b])?;
            if known == Some(false) {
                return Ok(straight);
            }
            // a / b is (-a) / (-b), whose divisor is positive when b is negative.
            let divisor = m.app(Op::Arith(ArithOp::Neg), &[b])?;
            let divisor = match (known, m.terms.get(b).clone()) {
                (Some(_), Term::Int(i)) => m.terms.int(i.neg()),
                _ => divisor,
            };
            let mut mirrored = m.app(op, &[opposite, divisor])?;
            if method == Method::FloorMod {
                mirrored = m.app(Op::Arith(ArithOp::Neg), &[mirrored])?;
            }
            if known == Some(true) {
                return Ok(mirrored);
            }
            let positive = m.app(Op::Arith(ArithOp::Lt), &[zero, b])?;
            m.app(Op::Core(CoreOp::Ite), &[positive, straight, mirrored])
        }
    }
}

/// `Integer.parseInt(s)`: an optional sign and digits of ASCII, in the range of `int`. (Java also takes other digits of Unicode;
/// the definedness leaves them out.)
fn parse_int(m: &mut Maker<'_>, s: TermId, conditions: &mut Vec<TermId>) -> Made {
    let one = m.int(1);
    let (nine, zero_digit) = (m.terms.string("9"), m.terms.string("0"));
    let digit = m.app(Op::Re(ReOp::Range), &[zero_digit, nine])?;
    let digits = m.app(Op::Re(ReOp::Plus), &[digit])?;
    let (plus, minus) = (m.terms.string("+"), m.terms.string("-"));
    let (plus_re, minus_re) = (m.app(Op::Re(ReOp::ToRe), &[plus])?, m.app(Op::Re(ReOp::ToRe), &[minus])?);
    let sign = m.app(Op::Re(ReOp::Union), &[plus_re, minus_re])?;
    let sign = m.app(Op::Re(ReOp::Opt), &[sign])?;
    let format = m.app(Op::Re(ReOp::Concat), &[sign, digits])?;
    conditions.push(m.app(Op::Str(StrOp::InRe), &[s, format])?);
    let length = m.len(s)?;
    let rest_length = m.app(Op::Arith(ArithOp::Sub), &[length, one])?;
    let rest = m.app(Op::Str(StrOp::Substr), &[s, one, rest_length])?;
    let (whole, rest) = (m.app(Op::Str(StrOp::ToInt), &[s])?, m.app(Op::Str(StrOp::ToInt), &[rest])?);
    let opposite = m.app(Op::Arith(ArithOp::Neg), &[rest])?;
    let (is_plus, is_minus) =
        (m.app(Op::Str(StrOp::PrefixOf), &[plus, s])?, m.app(Op::Str(StrOp::PrefixOf), &[minus, s])?);
    let unsigned = m.app(Op::Core(CoreOp::Ite), &[is_plus, rest, whole])?;
    let value = m.app(Op::Core(CoreOp::Ite), &[is_minus, opposite, unsigned])?;
    let (least, most) = (m.int(i64::from(i32::MIN)), m.int(i64::from(i32::MAX)));
    conditions.push(m.app(Op::Arith(ArithOp::Le), &[least, value, most])?);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness_check::eval::Evaluator;
    use harness_model::Alphabet;
    use harness_theory::sort::Sort;
    use harness_theory::{Assignment, Value};

    #[test]
    fn divisions_are_javas() {
        type Exact = fn(i64, i64) -> i64;
        let floor = |a: i64, b: i64| a / b - i64::from(a % b != 0 && (a < 0) != (b < 0));
        let cases: [(Method, Exact); 4] = [
            (Method::Divide, |a, b| a / b),
            (Method::Remainder, |a, b| a % b),
            (Method::FloorDiv, floor),
            (Method::FloorMod, |a, b| (a % b + b) % b),
        ];
        for (method, exact) in cases {
            for b in (-7_i64..=7).filter(|b| *b != 0) {
                for literal in [false, true] {
                    let mut terms = Terms::new();
                    let (x, y) = (terms.variable("x", Sort::Int), terms.variable("y", Sort::Int));
                    let a = terms.var(x);
                    let divisor = if literal { terms.int(b) } else { terms.var(y) };
                    let mut conditions = Vec::new();
                    let term = build(method, &mut terms, &[a, divisor], &mut conditions).unwrap();
                    assert_eq!(conditions.is_empty(), literal);
                    let mut roots = conditions.clone();
                    roots.push(term);
                    let mut evaluator = Evaluator::new(&terms, &roots, Alphabet::Ascii);
                    for value in -23_i64..=23 {
                        let int = |v: i64| Value::Int(Int::from(v));
                        let assignment: Assignment = [(x, int(value)), (y, int(b))].into();
                        evaluator.run(&assignment).unwrap();
                        let found = evaluator.value(roots.len() - 1).unwrap();
                        assert_eq!(found, Some(int(exact(value, b))), "{method:?} {value} {b} {literal}");
                    }
                }
            }
        }
    }
}

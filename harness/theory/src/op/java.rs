//! Java's operations: of `java.lang.String`, `Integer`, `Math` and `BigDecimal`.
//!
//! A path condition of a Java program holds on the paths on which nothing is thrown. So an operation that
//! throws for some arguments is undefined there, and an assertion with an undefined operation in it does not
//! hold, whatever `not` or `or` stands around it. A row of the table says, beside names and sorts, when an
//! operation is defined and how SMT-LIB's functions express it ([`Definition`]); [`crate::lower`] uses both.
//!
//! Where Java's meaning depends on more than ASCII (case mapping), an operation is undefined outside of
//! ASCII.
//!
//! Numbers are mathematical integers, and decimals are integers of a known scale ([`crate::rounding`]):
//! nothing overflows. Scales and rounding modes are literals: `(java.setScale u 3 2 "HALF_UP")`, `(java.round
//! u 1)`, `(java.decimal "12.50" 2)`.

use super::table::operations;
use crate::lower::definition::{Definition, Maker};
use crate::lower::{Case, Primitive, defined, text};
use crate::rounding::{self, MAX_SCALE, RoundingMode};
use crate::term::{Term, TermId, Terms};

/// Makes Java's operations from their table. A row is that of a function, and then when the operation is
/// defined and what it is in SMT-LIB's functions.
macro_rules! java_operations {
    ($(
        $(#[$doc:meta])*
        $op:ident $name:literal : $shape:expr => $result:ident, $defined:expr, $definition:expr
        $(, literals $literals:expr)?;
    )+) => {
        operations! {
            /// An operation of Java.
            JavaOp in Java {
                $(
                    $(#[$doc])*
                    $op $name : $shape => Some($result);
                )+
            }
        }

        impl JavaOp {
            /// When it is defined: the conditions on its arguments, as terms that `m` makes.
            pub fn definedness(self, m: &mut Maker<'_>, arguments: &[TermId]) -> Vec<TermId> {
                let conditions: fn(&mut Maker<'_>, &[TermId]) -> Vec<TermId> = match self {
                    $(Self::$op => $defined,)+
                };
                conditions(m, arguments)
            }

            /// What it is in SMT-LIB's functions, where it is defined.
            pub const fn definition(self) -> Definition {
                match self {
                    $(Self::$op => $definition,)+
                }
            }

            /// Checks the arguments that must be literals, once their sorts are right.
            ///
            /// # Errors
            ///
            /// Which argument is no literal of the right kind, in words.
            pub fn check_literals(self, terms: &Terms, arguments: &[TermId]) -> Result<(), String> {
                match self {
                    $(Self::$op => java_operations!(@literals terms, arguments $(, $literals)?),)+
                }
            }
        }
    };
    (@literals $terms:ident, $arguments:ident) => { Ok(()) };
    (@literals $terms:ident, $arguments:ident, $check:expr) => { $check($terms, $arguments) };
}

/// For an operation that is defined everywhere.
fn always(_: &mut Maker<'_>, _: &[TermId]) -> Vec<TermId> {
    Vec::new()
}

use Definition::{Constraints, Term as AsTerm};

java_operations! {
    /// `Math.ceil` of a decimal: its unscaled value and scale.
    Ceil "java.ceil": Fixed(&[Int, Int]) => Int, always, AsTerm(text::ceil), literals scale_of_second;
    /// `s.charAt(i)`: the code of the character.
    CharAt "java.charAt": Fixed(&[String, Int]) => Int, defined::char_at, AsTerm(text::char_at);
    /// `s.codePointAt(i)`: the code of the character, or of what it and the next one make as surrogates.
    CodePointAt "java.codePointAt": Fixed(&[String, Int]) => Int, defined::char_at, AsTerm(text::code_point_at);
    /// `s.compareTo(t)`: the difference of the first characters that differ, else of the lengths.
    CompareTo "java.compareTo": Fixed(&[String, String]) => Int, always, Constraints(Primitive::CompareTo);
    /// `s.concat(t)`.
    Concat "java.concat": Many(String) => String, always, AsTerm(text::concat);
    /// `s.contains(t)`.
    Contains "java.contains": Fixed(&[String, String]) => Bool, always, AsTerm(text::contains);
    /// `new BigDecimal(text)` at a scale: its unscaled value. Both are literals.
    Decimal "java.decimal": Fixed(&[String, Int]) => Int, always, AsTerm(text::decimal), literals decimal;
    /// `a / b`, rounded towards zero.
    Divide "java.divide": Fixed(&[Int, Int]) => Int, defined::divisor, AsTerm(text::divide);
    /// `s.endsWith(t)`.
    EndsWith "java.endsWith": Fixed(&[String, String]) => Bool, always, AsTerm(text::ends_with);
    /// `s.equals(t)`.
    Equals "java.equals": Fixed(&[String, String]) => Bool, always, AsTerm(text::equals);
    /// `s.equalsIgnoreCase(t)`, of words of ASCII.
    EqualsIgnoreCase "java.equalsIgnoreCase":
        Fixed(&[String, String]) => Bool, defined::ascii, AsTerm(text::equals_ignore_case);
    /// `Math.floor` of a decimal: its unscaled value and scale.
    Floor "java.floor": Fixed(&[Int, Int]) => Int, always, AsTerm(text::floor), literals scale_of_second;
    /// `Math.floorDiv(a, b)`.
    FloorDiv "java.floorDiv": Fixed(&[Int, Int]) => Int, defined::divisor, AsTerm(text::floor_div);
    /// `Math.floorMod(a, b)`.
    FloorMod "java.floorMod": Fixed(&[Int, Int]) => Int, defined::divisor, AsTerm(text::floor_mod);
    /// `s.indexOf(t)` or `s.indexOf(t, from)`: the first position, or -1.
    IndexOf "java.indexOf": AtLeast(2, &[String, String, Int]) => Int, always, AsTerm(text::index_of);
    /// `s.indexOf(code)` or `s.indexOf(code, from)`: the first position of a character, or -1.
    IndexOfChar "java.indexOfChar": AtLeast(2, &[String, Int, Int]) => Int, always, AsTerm(text::index_of_char);
    /// `s.isEmpty()`.
    IsEmpty "java.isEmpty": Fixed(&[String]) => Bool, always, AsTerm(text::is_empty);
    /// `s.lastIndexOf(t)` or `s.lastIndexOf(t, from)`: the largest position of `t` in `s` that is at most
    /// `from`; -1 when there is none.
    LastIndexOf "java.lastIndexOf": AtLeast(2, &[String, String, Int]) => Int, always, Constraints(Primitive::LastIndexOf);
    /// `s.lastIndexOf(code)` or `s.lastIndexOf(code, from)`: the last position of a character, or -1.
    LastIndexOfChar "java.lastIndexOfChar":
        AtLeast(2, &[String, Int, Int]) => Int, always, AsTerm(text::last_index_of_char);
    /// `s.length()`.
    Length "java.length": Fixed(&[String]) => Int, always, AsTerm(text::length);
    /// `Integer.parseInt(s)`: an optional sign and digits of ASCII, in the range of `int`. (Java also takes
    /// other digits of Unicode; here it is undefined for them.)
    ParseInt "java.parseInt": Fixed(&[String]) => Int, defined::parse_int, AsTerm(text::parse_int);
    /// `s.regionMatches(from, t, other, length)`, and with whether case is ignored, a literal, as the last
    /// argument: then both words are of ASCII.
    RegionMatches "java.regionMatches":
        AtLeast(5, &[String, Int, String, Int, Int, Bool]) => Bool, defined::region, AsTerm(text::region_matches), literals truth_of_sixth;
    /// `a % b`, with the sign of `a`.
    Remainder "java.remainder": Fixed(&[Int, Int]) => Int, defined::divisor, AsTerm(text::remainder);
    /// `s.repeat(n)`, where n is a literal from 0 to 1000; any other n is an error of the script.
    Repeat "java.repeat": Fixed(&[String, Int]) => String, always, AsTerm(text::repeat), literals count_of_second;
    /// `s.replace(t, by)`: every occurrence of a non-empty `t`. (For an empty one Java puts `by` around every
    /// character; here it is undefined, for SMT-LIB has nothing short for that.)
    Replace "java.replace": Fixed(&[String, String, String]) => String, defined::not_empty, AsTerm(text::replace);
    /// `s.replace(old, new)` of characters, given by their codes.
    ReplaceChar "java.replaceChar":
        Fixed(&[String, Int, Int]) => String, defined::characters, AsTerm(text::replace_char);
    /// `Math.round` of a decimal: its unscaled value and scale.
    Round "java.round": Fixed(&[Int, Int]) => Int, always, AsTerm(text::round), literals scale_of_second;
    /// `u.setScale(to, mode)` of a decimal: its unscaled value and scale, the new scale, and the name of a
    /// `RoundingMode`.
    SetScale "java.setScale": Fixed(&[Int, Int, Int, String]) => Int, defined::set_scale, AsTerm(text::set_scale), literals scales_and_mode;
    /// `s.startsWith(t)` or `s.startsWith(t, from)`.
    StartsWith "java.startsWith": AtLeast(2, &[String, String, Int]) => Bool, always, AsTerm(text::starts_with);
    /// `s.strip()`: without the characters at both ends for which `Character.isWhitespace` holds.
    Strip "java.strip": Fixed(&[String]) => String, always, Constraints(Primitive::Trim(WHITESPACE));
    /// `s.substring(from)` or `s.substring(from, to)`.
    Substring "java.substring": AtLeast(2, &[String, Int, Int]) => String, defined::part, AsTerm(text::substring);
    /// `s.toLowerCase()` of a word of ASCII.
    ToLowerCase "java.toLowerCase": Fixed(&[String]) => String, defined::ascii, Constraints(Primitive::Letters(Case::Lower));
    /// `s.toUpperCase()` of a word of ASCII.
    ToUpperCase "java.toUpperCase": Fixed(&[String]) => String, defined::ascii, Constraints(Primitive::Letters(Case::Upper));
    /// `s.trim()`: without the characters up to U+0020 at both ends.
    Trim "java.trim": Fixed(&[String]) => String, always, Constraints(Primitive::Trim(&[(0, 0x20)]));
    /// `String.valueOf(i)` of an integer.
    ValueOf "java.valueOf": Fixed(&[Int]) => String, always, AsTerm(text::value_of);
}

/// The characters for which `Character.isWhitespace` holds.
const WHITESPACE: &[(u32, u32)] = &[
    (0x09, 0x0D),
    (0x1C, 0x20),
    (0x1680, 0x1680),
    (0x2000, 0x2006),
    (0x2008, 0x200A),
    (0x2028, 0x2029),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
];

/// For rounding to an integer: a scale.
fn scale_of_second(terms: &Terms, arguments: &[TermId]) -> Result<(), String> {
    scale(terms, arguments[1]).map(drop)
}

/// For `repeat`: how often.
fn count_of_second(terms: &Terms, arguments: &[TermId]) -> Result<(), String> {
    count(terms, arguments[1]).map(drop)
}

/// For `regionMatches`: whether case is ignored, where that is said.
fn truth_of_sixth(terms: &Terms, arguments: &[TermId]) -> Result<(), String> {
    match arguments.get(5).map(|argument| terms.get(*argument)) {
        None | Some(Term::Bool(_)) => Ok(()),
        Some(Term::Var(_) | Term::Int(_) | Term::String(_) | Term::App(..)) => {
            Err("whether case is ignored must be true or false".to_owned())
        }
    }
}

/// For `setScale`: two scales and a rounding mode.
fn scales_and_mode(terms: &Terms, arguments: &[TermId]) -> Result<(), String> {
    mode(terms, arguments[3])?;
    scale(terms, arguments[1])?;
    scale(terms, arguments[2]).map(drop)
}

/// For `decimal`: its text and its scale.
fn decimal(terms: &Terms, arguments: &[TermId]) -> Result<(), String> {
    let literal = string(terms, arguments[0], "the decimal")?;
    rounding::decimal(&literal, scale(terms, arguments[1])?).map(drop)
}

/// An argument that is the name of a rounding mode.
pub(crate) fn mode(terms: &Terms, argument: TermId) -> Result<RoundingMode, String> {
    string(terms, argument, "the rounding mode")?.parse()
}

/// An argument that is a string literal.
pub(crate) fn string(terms: &Terms, argument: TermId, what: &str) -> Result<String, String> {
    match terms.get(argument) {
        Term::String(word) => Ok(word.to_string()),
        Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::App(..) => {
            Err(format!("{what} must be a string literal"))
        }
    }
}

/// An argument that is a scale.
pub(crate) fn scale(terms: &Terms, argument: TermId) -> Result<u32, String> {
    numeral(terms, argument, MAX_SCALE)
        .ok_or_else(|| format!("a scale must be a numeral from 0 to {MAX_SCALE}"))
}

/// So often a word is repeated at most.
const MAX_COUNT: u32 = 1000;

/// An argument that is how often a word is repeated.
pub(crate) fn count(terms: &Terms, argument: TermId) -> Result<u32, String> {
    numeral(terms, argument, MAX_COUNT).ok_or_else(|| {
        format!("the count must be a numeral from 0 to {MAX_COUNT}; put longer ones together by java.concat")
    })
}

/// A numeral up to `most`.
fn numeral(terms: &Terms, argument: TermId, most: u32) -> Option<u32> {
    match terms.get(argument) {
        Term::Int(i) => i.small().and_then(|v| u32::try_from(v).ok()).filter(|v| *v <= most),
        Term::Var(_) | Term::Bool(_) | Term::String(_) | Term::App(..) => None,
    }
}

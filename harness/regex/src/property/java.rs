//! Properties of Java 17: categories, scripts, blocks, binary properties, POSIX names, and the methods of
//! `java.lang.Character`.
//!
//! Letter case counts in the names of categories, of methods and of POSIX classes in ASCII. It does not count
//! in binary properties, scripts, blocks, and POSIX classes by Unicode (behind `Is`, or under flag `U`).
//! `\p{Is...}` is a binary property, else what `\p{...}` is, else a script.

use harness_model::{Alphabet, CharSet};

use super::CASED;
use crate::error::ParseError;
use crate::parser::Parser;
use crate::{blocks, scripts, unicode};

/// What a name that Java knows comes to.
enum Found {
    Set(CharSet),
    /// The method of `java.lang.Character` that is not modelled.
    Method,
}

impl Parser {
    pub(super) fn java_property(&self, at: usize, name: &str) -> Result<CharSet, ParseError> {
        let fold = self.flags.ignore_case;
        let block = |name: &str| blocks::java(name).map(|range| Found::Set(CharSet::from_ranges([range])));
        let found = if let Some((key, value)) = name.split_once('=') {
            match key.to_ascii_lowercase().as_str() {
                "sc" | "script" => scripts::java(value).map(Found::Set),
                "gc" | "general_category" => named(value, fold),
                "blk" | "block" => block(value),
                _ => None,
            }
        } else if let Some(rest) = name.strip_prefix("In") {
            block(rest)
        } else if let Some(rest) = name.strip_prefix("Is") {
            let binary = binary(&rest.to_ascii_uppercase(), fold).map(Found::Set);
            binary.or_else(|| named(rest, fold)).or_else(|| scripts::java(rest).map(Found::Set))
        } else {
            let posix =
                if self.flags.unicode_classes { posix(&name.to_ascii_uppercase(), fold) } else { None };
            posix.map(Found::Set).or_else(|| named(name, fold))
        };
        match found {
            Some(Found::Set(set)) => Ok(set),
            Some(Found::Method) => Err(self
                .unsupported(at, format!("Java's property '{name}' is not modelled; write its characters"))),
            None => Err(self.no_property(at, name)),
        }
    }
}

fn union(names: &[&str]) -> CharSet {
    unicode::properties(names, Alphabet::Unicode)
}

fn category(name: &str) -> CharSet {
    unicode::category(name, Alphabet::Unicode).unwrap_or_default()
}

fn ranges<const N: usize>(ranges: [(u32, u32); N]) -> CharSet {
    CharSet::from_ranges(ranges)
}

/// Letters that have a case, by property.
fn cased() -> CharSet {
    union(&["Lowercase", "Uppercase", "Lt"])
}

/// A binary property or a POSIX name by Unicode, in upper case.
fn binary(name: &str, fold: bool) -> Option<CharSet> {
    Some(match name {
        "ALPHABETIC" => union(&["Alphabetic"]),
        "ASSIGNED" => category("Cn").complement(Alphabet::Unicode),
        "CONTROL" => union(&["Cc"]),
        "HEXDIGIT" | "HEX_DIGIT" => hexadecimal(),
        "IDEOGRAPHIC" => union(&["Ideographic"]),
        "JOINCONTROL" | "JOIN_CONTROL" => union(&["Join_Control"]),
        "LETTER" => union(&["L"]),
        "LOWERCASE" | "UPPERCASE" | "TITLECASE" if fold => cased(),
        "LOWERCASE" => union(&["Lowercase"]),
        "UPPERCASE" => union(&["Uppercase"]),
        "TITLECASE" => union(&["Lt"]),
        "NONCHARACTERCODEPOINT" | "NONCHARACTER_CODE_POINT" => union(&["Noncharacter_Code_Point"]),
        "PUNCTUATION" => union(&["P"]),
        "WHITESPACE" | "WHITE_SPACE" => union(&["White_Space"]),
        "WORD" => unicode::word(Alphabet::Unicode),
        _ => return posix(name, fold),
    })
}

/// A POSIX name by Unicode, in upper case.
fn posix(name: &str, fold: bool) -> Option<CharSet> {
    let graphic =
        || union(&["Z", "Cc"]).union(&category("Cs")).union(&category("Cn")).complement(Alphabet::Unicode);
    let blank = || union(&["Zs"]).union(&ranges([(0x09, 0x09)]));
    Some(match name {
        "ALPHA" => union(&["Alphabetic"]),
        "LOWER" | "UPPER" if fold => cased(),
        "LOWER" => union(&["Lowercase"]),
        "UPPER" => union(&["Uppercase"]),
        "SPACE" => union(&["White_Space"]),
        "PUNCT" => union(&["P"]),
        "XDIGIT" => hexadecimal(),
        "ALNUM" => union(&["Alphabetic", "Nd"]),
        "CNTRL" => union(&["Cc"]),
        "DIGIT" => union(&["Nd"]),
        "BLANK" => blank(),
        "GRAPH" => graphic(),
        "PRINT" => graphic().union(&blank()).difference(&union(&["Cc"])),
        _ => return None,
    })
}

/// Java counts all decimal digits among the hexadecimal ones.
fn hexadecimal() -> CharSet {
    union(&["Nd", "Hex_Digit"])
}

/// A category, a POSIX name in ASCII, or a method, as written.
fn named(name: &str, fold: bool) -> Option<Found> {
    if name == "LC" || (fold && CASED.contains(&name)) {
        return Some(Found::Set(union(&CASED)));
    }
    if let Some(set) = unicode::category(name, Alphabet::Unicode) {
        return Some(Found::Set(set));
    }
    if let Some(method) = name.strip_prefix("java") {
        return self::method(method, fold);
    }
    Some(Found::Set(match name {
        "LD" => union(&["L", "Nd"]),
        "L1" => ranges([(0, 0xFF)]),
        "all" => CharSet::full(Alphabet::Unicode),
        "ASCII" => ranges([(0, 0x7F)]),
        "Lower" | "Upper" if fold => unicode::posix("alpha")?,
        "Alnum" | "Alpha" | "Blank" | "Cntrl" | "Digit" | "Graph" | "Lower" | "Print" | "Punct" | "Space"
        | "Upper" | "XDigit" => unicode::posix(&name.to_ascii_lowercase())?,
        _ => return None,
    }))
}

/// `java.lang.Character.is` and `name`.
fn method(name: &str, fold: bool) -> Option<Found> {
    let ignorable = || union(&["Cf"]).union(&ranges([(0, 0x08), (0x0E, 0x1B), (0x7F, 0x9F)]));
    Some(Found::Set(match name {
        "LowerCase" | "UpperCase" | "TitleCase" if fold => cased(),
        "LowerCase" => union(&["Lowercase"]),
        "UpperCase" => union(&["Uppercase"]),
        "TitleCase" => union(&["Lt"]),
        "Alphabetic" => union(&["Alphabetic"]),
        "Ideographic" => union(&["Ideographic"]),
        "Digit" => union(&["Nd"]),
        "Defined" => category("Cn").complement(Alphabet::Unicode),
        "Letter" => union(&["L"]),
        "LetterOrDigit" => union(&["L", "Nd"]),
        "JavaIdentifierStart" => union(&["L", "Nl", "Sc", "Pc"]),
        "JavaIdentifierPart" => union(&["L", "Nl", "Sc", "Pc", "Nd", "Mc", "Mn"]).union(&ignorable()),
        "IdentifierIgnorable" => ignorable(),
        "SpaceChar" => union(&["Z"]),
        "Whitespace" => union(&["Z"])
            .difference(&ranges([(0xA0, 0xA0), (0x2007, 0x2007), (0x202F, 0x202F)]))
            .union(&ranges([(0x09, 0x0D), (0x1C, 0x1F)])),
        "ISOControl" => ranges([(0, 0x1F), (0x7F, 0x9F)]),
        "Mirrored" => union(&["Bidi_Mirrored"]),
        "UnicodeIdentifierStart" | "UnicodeIdentifierPart" => return Some(Found::Method),
        _ => return None,
    }))
}

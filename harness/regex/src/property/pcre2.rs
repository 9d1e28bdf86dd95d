//! Properties of PCRE2 10.42: categories, scripts, binary properties, and a few of its own. Letter case,
//! white space, hyphens and underscores do not count in names. Ignoring case changes none of them.

use harness_model::CharSet;

use super::CASED;
use crate::error::ParseError;
use crate::parser::Parser;
use crate::{scripts, unicode};

/// The binary properties, with their abbreviations.
const BINARY: &[(&str, &[&str])] = &[
    ("alphabetic", &["alpha"]),
    ("ascii", &[]),
    ("asciihexdigit", &["ahex"]),
    ("bidicontrol", &["bidic"]),
    ("bidimirrored", &["bidim"]),
    ("cased", &[]),
    ("caseignorable", &["ci"]),
    ("changeswhencasefolded", &["cwcf"]),
    ("changeswhencasemapped", &["cwcm"]),
    ("changeswhenlowercased", &["cwl"]),
    ("changeswhentitlecased", &["cwt"]),
    ("changeswhenuppercased", &["cwu"]),
    ("dash", &[]),
    ("defaultignorablecodepoint", &["di"]),
    ("deprecated", &["dep"]),
    ("diacritic", &["dia"]),
    ("emoji", &[]),
    ("emojicomponent", &["ecomp"]),
    ("emojimodifier", &["emod"]),
    ("emojimodifierbase", &["ebase"]),
    ("emojipresentation", &["epres"]),
    ("extendedpictographic", &["extpict"]),
    ("extender", &["ext"]),
    ("graphemebase", &["grbase"]),
    ("graphemeextend", &["grext"]),
    ("graphemelink", &["grlink"]),
    ("hexdigit", &["hex"]),
    ("idcontinue", &["idc"]),
    ("ideographic", &["ideo"]),
    ("idsbinaryoperator", &["idsb"]),
    ("idstart", &["ids"]),
    ("idstrinaryoperator", &["idst"]),
    ("joincontrol", &["joinc"]),
    ("logicalorderexception", &["loe"]),
    ("lowercase", &["lower"]),
    ("math", &[]),
    ("noncharactercodepoint", &["nchar"]),
    ("patternsyntax", &["patsyn"]),
    ("patternwhitespace", &["patws"]),
    ("prependedconcatenationmark", &["pcm"]),
    ("quotationmark", &["qmark"]),
    ("radical", &[]),
    ("regionalindicator", &["ri"]),
    ("sentenceterminal", &["sterm"]),
    ("softdotted", &["sd"]),
    ("terminalpunctuation", &["term"]),
    ("unifiedideograph", &["uideo"]),
    ("uppercase", &["upper"]),
    ("variationselector", &["vs"]),
    ("whitespace", &["space", "wspace"]),
    ("xidcontinue", &["xidc"]),
    ("xidstart", &["xids"]),
];

/// The values of `Bidi_Class`.
const DIRECTIONS: [&str; 23] = [
    "al", "an", "b", "bn", "cs", "en", "es", "et", "fsi", "l", "lre", "lri", "lro", "nsm", "on", "pdf",
    "pdi", "r", "rle", "rli", "rlo", "s", "ws",
];

impl Parser {
    pub(super) fn pcre2_property(&self, at: usize, name: &str) -> Result<CharSet, ParseError> {
        let counts = |c: &char| !matches!(c, '_' | '-' | ' ' | '\t'..='\r');
        let loose: String = name.chars().filter(counts).map(|c| c.to_ascii_lowercase()).collect();
        let union = |names: &[&str]| Ok(unicode::properties(names, self.alphabet));
        let direction = |value: &str| {
            if DIRECTIONS.contains(&value) {
                self.unsupported(at, "classes of direction are not modelled")
            } else {
                self.no_property(at, name)
            }
        };
        match loose.as_str() {
            "any" => return Ok(CharSet::full(self.alphabet)),
            "l&" | "lc" => return union(&CASED),
            "xan" => return union(&["L", "N"]),
            "xwd" => return Ok(union(&["L", "N"])?.union(&CharSet::from_ranges([(0x5F, 0x5F)]))),
            "xsp" | "xps" => {
                let blank = unicode::horizontal_space(self.alphabet);
                return Ok(union(&["Z"])?.union(&blank).union(&unicode::vertical_space(self.alphabet)));
            }
            // Version 10.42 has those with a mirror image in its tables, which is less than the property.
            "bidimirrored" | "bidim" => {
                return Err(self.unsupported(at, format!("the property '{name}' is not modelled")));
            }
            // What a universal character name can be in C.
            "xuc" => {
                return Ok(CharSet::from_ranges([
                    (0x24, 0x24),
                    (0x40, 0x40),
                    (0x60, 0x60),
                    (0xA0, 0xD7FF),
                    (0xE000, 0x10_FFFF),
                ]));
            }
            "ascii" => return Ok(CharSet::from_ranges([(0, 0x7F)])),
            _ => {}
        }
        if let Some((key, value)) = loose.split_once([':', '=']) {
            return match key {
                "sc" | "script" => scripts::pcre2(value, "sc").ok_or_else(|| self.no_property(at, name)),
                "scx" | "scriptextensions" => {
                    scripts::pcre2(value, "scx").ok_or_else(|| self.no_property(at, name))
                }
                "bc" | "bidiclass" => Err(direction(value)),
                _ => Err(self.no_property(at, name)),
            };
        }
        if let Some(category) = unicode::CATEGORIES.iter().find(|c| c.eq_ignore_ascii_case(&loose)) {
            return unicode::category(category, self.alphabet).ok_or_else(|| self.no_property(at, name));
        }
        if let Some((long, _)) =
            BINARY.iter().find(|(long, short)| *long == loose || short.contains(&loose.as_str()))
        {
            return unicode::property(long)
                .ok_or_else(|| self.unsupported(at, format!("the property '{name}' is not modelled")));
        }
        // A bare name of a script means its extensions.
        scripts::pcre2(&loose, "scx").ok_or_else(|| direction(loose.strip_prefix("bidi").unwrap_or_default()))
    }
}

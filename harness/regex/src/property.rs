//! `\p{...}` as each dialect names and means it.

use harness_model::{CharSet, Dialect};

use crate::error::ParseError;
use crate::parser::Parser;
use crate::unicode;

/// The categories of letters that have a case.
const CASED: [&str; 3] = ["Lu", "Ll", "Lt"];

impl Parser {
    /// Reads what follows `\p` or `\P` and gives its characters, cut to the alphabet.
    pub(crate) fn property(&mut self, at: usize, negated: bool) -> Result<CharSet, ParseError> {
        let (name, inverted) = self.property_name(at)?;
        let set = match self.dialect {
            Dialect::Dotnet => self.dotnet_property(at, &name)?,
            Dialect::Java => self.java_property(at, &name)?,
            Dialect::Pcre2 | Dialect::Rust => self.pcre2_property(at, &name)?,
        };
        let set = set.cut_to(self.alphabet);
        Ok(if negated == inverted { set } else { set.complement(self.alphabet) })
    }

    /// The name, and whether a `^` before it turns it round.
    fn property_name(&mut self, at: usize) -> Result<(String, bool), ParseError> {
        if !self.cursor.eat("{") {
            if self.dialect == Dialect::Dotnet {
                return Err(self.syntax(at, "\\p wants a name in braces"));
            }
            let letter = self.cursor.take_while(1, |c| c.is_ascii_alphabetic());
            if letter.is_empty() {
                return Err(self.syntax(at, "\\p wants a letter or a name in braces"));
            }
            return Ok((letter, false));
        }
        let inverted = self.dialect == Dialect::Pcre2 && self.cursor.eat("^");
        let name = self.cursor.take_while(usize::MAX, |c| c != '}');
        if name.is_empty() || !self.cursor.eat("}") {
            return Err(self.syntax(at, "the name of the property is not closed: a '}' is missing"));
        }
        Ok((name, inverted))
    }

    fn no_property(&self, at: usize, name: &str) -> ParseError {
        self.syntax(
            at,
            format!("'{name}' is no property of {}; general categories such as Lu are", self.dialect),
        )
    }

    fn dotnet_property(&self, at: usize, name: &str) -> Result<CharSet, ParseError> {
        if let Some(set) = unicode::category(name, self.alphabet) {
            if self.flags.ignore_case && CASED.contains(&name) {
                return Err(self.unsupported(
                    at,
                    "a category of cased letters under flag i differs between versions of .NET; write it without i",
                ));
            }
            return Ok(set);
        }
        if name.starts_with("Is") {
            return Err(self.unsupported(at, "named blocks are not modelled; write the block as a range"));
        }
        Err(self.no_property(at, name))
    }

    fn java_property(&self, at: usize, name: &str) -> Result<CharSet, ParseError> {
        if let Some((key, value)) = name.split_once('=') {
            return match key.to_ascii_lowercase().as_str() {
                "sc" | "script" => {
                    unicode::property(&format!("sc={value}")).ok_or_else(|| self.no_property(at, name))
                }
                "gc" | "general_category" => self.java_category(at, value),
                "blk" | "block" => {
                    Err(self.unsupported(at, "named blocks are not modelled; write the block as a range"))
                }
                _ => Err(self.no_property(at, name)),
            };
        }
        if name.starts_with("In") {
            return Err(self.unsupported(at, "named blocks are not modelled; write the block as a range"));
        }
        if name.starts_with("java") {
            return Err(self.unsupported(at, "the methods of java.lang.Character are not modelled"));
        }
        if let Some(rest) = name.strip_prefix("Is") {
            let cased = matches!(rest.to_ascii_lowercase().as_str(), "uppercase" | "lowercase" | "titlecase");
            if cased && self.flags.ignore_case {
                return Ok(unicode::properties(&["Uppercase", "Lowercase", "Lt"], self.alphabet));
            }
            if let Some(set) = java_binary(rest) {
                return Ok(set);
            }
            if unicode::category(rest, self.alphabet).is_some() {
                return self.java_category(at, rest);
            }
            return unicode::property(&format!("sc={rest}")).ok_or_else(|| self.no_property(at, name));
        }
        if self.flags.unicode_classes && unicode::posix(&name.to_ascii_lowercase()).is_some() {
            return Err(
                self.unsupported(at, "POSIX names under flag U are not modelled; write the Unicode property")
            );
        }
        match name {
            "all" => return Ok(CharSet::full(self.alphabet)),
            "ASCII" => return Ok(CharSet::from_ranges([(0, 0x7F)])),
            "L1" => return Ok(CharSet::from_ranges([(0, 0xFF)])),
            "Lower" | "Upper" if self.flags.ignore_case => {
                return unicode::posix("alpha").ok_or_else(|| self.no_property(at, name));
            }
            "Alnum" | "Alpha" | "Blank" | "Cntrl" | "Digit" | "Graph" | "Lower" | "Print" | "Punct"
            | "Space" | "Upper" | "XDigit" => {
                return unicode::posix(&name.to_ascii_lowercase()).ok_or_else(|| self.no_property(at, name));
            }
            _ => {}
        }
        self.java_category(at, name)
    }

    fn java_category(&self, at: usize, name: &str) -> Result<CharSet, ParseError> {
        if name == "LC" || (self.flags.ignore_case && CASED.contains(&name)) {
            return Ok(unicode::properties(&CASED, self.alphabet));
        }
        if name == "LD" {
            return Ok(unicode::properties(&["L", "Nd"], self.alphabet));
        }
        unicode::category(name, self.alphabet).ok_or_else(|| self.no_property(at, name))
    }

    fn pcre2_property(&self, at: usize, name: &str) -> Result<CharSet, ParseError> {
        // Letter case, blanks, hyphens and underscores do not count in names.
        let loose: String =
            name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).map(|c| c.to_ascii_lowercase()).collect();
        let union = |names: &[&str]| Ok(unicode::properties(names, self.alphabet));
        match loose.as_str() {
            "any" => return Ok(CharSet::full(self.alphabet)),
            "l&" | "lc" => return union(&CASED),
            "xan" => return union(&["L", "N"]),
            "xwd" => {
                return Ok(unicode::properties(&["L", "N"], self.alphabet)
                    .union(&CharSet::from_ranges([(0x5F, 0x5F)])));
            }
            "xsp" | "xps" => {
                let controls = CharSet::from_ranges([(0x09, 0x0D), (0x85, 0x85)]);
                return Ok(unicode::properties(&["Z"], self.alphabet).union(&controls));
            }
            "xuc" => return Err(self.unsupported(at, "the property Xuc is not modelled")),
            _ => {}
        }
        if let Some(category) = unicode::CATEGORIES.iter().find(|c| c.to_ascii_lowercase() == loose) {
            return unicode::category(category, self.alphabet).ok_or_else(|| self.no_property(at, name));
        }
        if let Some((key, value)) = loose.split_once([':', '=']) {
            return match key {
                "sc" | "script" => unicode::property(&format!("sc={value}")),
                "scx" | "scriptextensions" => unicode::property(&format!("scx={value}")),
                "bidiclass" | "bc" => {
                    return Err(self.unsupported(at, "classes of direction are not modelled"));
                }
                _ => None,
            }
            .ok_or_else(|| self.no_property(at, name));
        }
        // A bare name of a script means its extensions.
        unicode::property(&format!("scx={loose}"))
            .or_else(|| java_binary(&loose))
            .ok_or_else(|| self.no_property(at, name))
    }
}

/// The binary property `name`, in any case.
fn java_binary(name: &str) -> Option<CharSet> {
    let known = match name.to_ascii_lowercase().replace('_', "").as_str() {
        "alphabetic" => "Alphabetic",
        "ideographic" => "Ideographic",
        "lowercase" => "Lowercase",
        "uppercase" => "Uppercase",
        "titlecase" => "Lt",
        "whitespace" => "White_Space",
        "control" => "Cc",
        "punctuation" => "P",
        "hexdigit" => "Hex_Digit",
        "joincontrol" => "Join_Control",
        "letter" => "L",
        "digit" => "Nd",
        "emoji" => "Emoji",
        _ => return None,
    };
    unicode::property(known)
}

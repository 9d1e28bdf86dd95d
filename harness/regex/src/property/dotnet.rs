//! Properties of .NET: general categories by their short names, and named blocks. Case counts in both.

use harness_model::CharSet;

use super::CASED;
use crate::error::ParseError;
use crate::parser::Parser;
use crate::{blocks, unicode};

impl Parser {
    pub(super) fn dotnet_property(&self, at: usize, name: &str) -> Result<CharSet, ParseError> {
        if let Some(set) = unicode::category(name, self.alphabet) {
            if self.flags.ignore_case && CASED.contains(&name) {
                return Err(self.unsupported(
                    at,
                    "a category of cased letters under flag i differs between versions of .NET; write it without i",
                ));
            }
            return Ok(set);
        }
        if let Some(block) = name.strip_prefix("Is").and_then(blocks::dotnet) {
            return Ok(CharSet::from_ranges([block]));
        }
        if matches!(name, "_xmlC" | "_xmlD" | "_xmlI" | "_xmlW") {
            return Err(self.unsupported(at, "the classes of XML are not modelled"));
        }
        Err(self.no_property(at, name))
    }
}

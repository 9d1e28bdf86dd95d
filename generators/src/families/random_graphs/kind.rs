//! The kinds of edges: the 22 of the published random tester, and its named sets of them.

/// What an edge says. In the order of the published tester, whose numbers its sets are given by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each is Java's method of that name; `name` has the names")]
pub enum Kind {
    CharAt,
    Concat,
    Contains,
    EndsWith,
    Equals,
    IndexOf,
    IndexOfFrom,
    IndexOfChar,
    IndexOfCharFrom,
    LastIndexOf,
    LastIndexOfFrom,
    LastIndexOfChar,
    LastIndexOfCharFrom,
    NotContains,
    NotEndsWith,
    NotEquals,
    NotStartsWith,
    ReplaceChar,
    StartsWith,
    Substring,
    SubstringTo,
    Trim,
}

/// What an integer of an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A position that the operation is given.
    Index,
    /// A position that it finds, or -1.
    Found,
    /// The code of a character.
    Code,
}

use Role::{Code, Found, Index};

impl Kind {
    /// All of them.
    pub const ALL: [Self; 22] = [
        Self::CharAt,
        Self::Concat,
        Self::Contains,
        Self::EndsWith,
        Self::Equals,
        Self::IndexOf,
        Self::IndexOfFrom,
        Self::IndexOfChar,
        Self::IndexOfCharFrom,
        Self::LastIndexOf,
        Self::LastIndexOfFrom,
        Self::LastIndexOfChar,
        Self::LastIndexOfCharFrom,
        Self::NotContains,
        Self::NotEndsWith,
        Self::NotEquals,
        Self::NotStartsWith,
        Self::ReplaceChar,
        Self::StartsWith,
        Self::Substring,
        Self::SubstringTo,
        Self::Trim,
    ];

    /// The name in parameters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CharAt => "charAt",
            Self::Concat => "concat",
            Self::Contains => "contains",
            Self::EndsWith => "endsWith",
            Self::Equals => "equals",
            Self::IndexOf => "indexOf",
            Self::IndexOfFrom => "indexOfFrom",
            Self::IndexOfChar => "indexOfChar",
            Self::IndexOfCharFrom => "indexOfCharFrom",
            Self::LastIndexOf => "lastIndexOf",
            Self::LastIndexOfFrom => "lastIndexOfFrom",
            Self::LastIndexOfChar => "lastIndexOfChar",
            Self::LastIndexOfCharFrom => "lastIndexOfCharFrom",
            Self::NotContains => "notContains",
            Self::NotEndsWith => "notEndsWith",
            Self::NotEquals => "notEquals",
            Self::NotStartsWith => "notStartsWith",
            Self::ReplaceChar => "replaceChar",
            Self::StartsWith => "startsWith",
            Self::Substring => "substring",
            Self::SubstringTo => "substringTo",
            Self::Trim => "trim",
        }
    }

    /// How many strings it relates; the result of a function is the last one.
    pub const fn strings(self) -> usize {
        match self {
            Self::Concat => 3,
            Self::CharAt
            | Self::IndexOfChar
            | Self::IndexOfCharFrom
            | Self::LastIndexOfChar
            | Self::LastIndexOfCharFrom => 1,
            _ => 2,
        }
    }

    /// Its integers in the order of the method's arguments, the result last.
    pub const fn ints(self) -> &'static [Role] {
        match self {
            Self::CharAt => &[Index, Code],
            Self::IndexOf | Self::LastIndexOf => &[Found],
            Self::IndexOfFrom | Self::LastIndexOfFrom => &[Index, Found],
            Self::IndexOfChar | Self::LastIndexOfChar => &[Code, Found],
            Self::IndexOfCharFrom | Self::LastIndexOfCharFrom => &[Code, Index, Found],
            Self::ReplaceChar => &[Code, Code],
            Self::Substring => &[Index],
            Self::SubstringTo => &[Index, Index],
            _ => &[],
        }
    }

    /// Whether it says that something does not hold.
    pub const fn is_negative(self) -> bool {
        matches!(self, Self::NotContains | Self::NotEndsWith | Self::NotEquals | Self::NotStartsWith)
    }
}

/// A weight for each kind, in the order of [`Kind::ALL`].
pub type Weights = [u32; Kind::ALL.len()];

/// The named sets: the four of the published tester, and that of the study's section 4.2.
pub const SETS: [&str; 5] = ["default", "default-2", "good", "small", "thesis-4.2"];

/// The weights of a named set: 1 for each kind that is in it.
pub fn named_set(name: &str) -> Option<Weights> {
    let without = |numbers: &[usize]| {
        let mut weights = [1; Kind::ALL.len()];
        numbers.iter().for_each(|&n| weights[n] = 0);
        weights
    };
    let only = |kinds: &[Kind]| Kind::ALL.map(|k| u32::from(kinds.contains(&k)));
    Some(match name {
        "default" => without(&[17]),
        "default-2" => without(&[9, 10, 17]),
        "good" => without(&[6, 8, 9, 10, 11, 12, 17]),
        "small" => only(&[
            Kind::Contains,
            Kind::EndsWith,
            Kind::Equals,
            Kind::NotContains,
            Kind::NotEndsWith,
            Kind::NotEquals,
            Kind::NotStartsWith,
            Kind::StartsWith,
        ]),
        "thesis-4.2" => only(&[
            Kind::CharAt,
            Kind::Concat,
            Kind::Contains,
            Kind::EndsWith,
            Kind::Equals,
            Kind::IndexOf,
            Kind::NotContains,
            Kind::NotEndsWith,
            Kind::NotEquals,
            Kind::NotStartsWith,
            Kind::StartsWith,
            Kind::Substring,
            Kind::Trim,
        ]),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_the_sizes_of_the_published_ones() {
        let sizes = SETS.map(|s| named_set(s).unwrap().iter().sum::<u32>());
        assert_eq!(sizes, [21, 19, 15, 8, 13]);
        assert_eq!(named_set("best"), None);
    }

    #[test]
    fn names_are_unique() {
        let names: std::collections::BTreeSet<_> = Kind::ALL.iter().map(|k| k.name()).collect();
        assert_eq!(names.len(), 22);
    }
}

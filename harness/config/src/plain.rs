//! Numbers and truth values as a file writes them.
//!
//! The YAML reader takes any scalar for a number whose text is one, so also `"3"`, which is a text. A
//! [`Plain`] is what the reader finds when it is asked for anything; what it should be is checked afterwards,
//! where its place is known.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;

/// What stands where a number or a truth value should.
#[derive(Clone, Debug)]
pub(crate) enum Plain {
    Truth(bool),
    Whole(i128),
    Fraction(f64),
    Text(String),
    /// A key without a value.
    Nothing,
    List,
    Keys,
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(value) => write!(f, "'{value}'"),
            Self::Whole(value) => write!(f, "'{value}'"),
            Self::Fraction(value) => write!(f, "'{value:?}'"),
            Self::Text(text) => write!(f, "the text {text:?}"),
            Self::Nothing => f.write_str("nothing"),
            Self::List => f.write_str("a list"),
            Self::Keys => f.write_str("keys with values"),
        }
    }
}

/// What a [`Plain`] should be.
pub(crate) trait Scalar: Sized {
    /// In words, for messages.
    const EXPECTED: &'static str;

    /// The value, if it is one of this type.
    fn of(plain: &Plain) -> Option<Self>;
}

/// Whole numbers from 0 to the greatest one of the type.
macro_rules! whole {
    ($type:ty, $expected:literal) => {
        impl Scalar for $type {
            const EXPECTED: &'static str = $expected;

            fn of(plain: &Plain) -> Option<Self> {
                match plain {
                    Plain::Whole(number) => (*number).try_into().ok(),
                    Plain::Truth(_)
                    | Plain::Fraction(_)
                    | Plain::Text(_)
                    | Plain::Nothing
                    | Plain::List
                    | Plain::Keys => None,
                }
            }
        }
    };
}

whole!(u32, "a whole number from 0 to 4294967295");
whole!(u64, "a whole number from 0 to 18446744073709551615");

impl Scalar for f64 {
    const EXPECTED: &'static str = "a number";

    fn of(plain: &Plain) -> Option<Self> {
        match plain {
            // The nearest double, as of a number with a fraction.
            Plain::Whole(number) => number.to_string().parse().ok(),
            Plain::Fraction(number) => Some(*number),
            Plain::Truth(_) | Plain::Text(_) | Plain::Nothing | Plain::List | Plain::Keys => None,
        }
    }
}

impl Scalar for bool {
    const EXPECTED: &'static str = "true or false";

    fn of(plain: &Plain) -> Option<Self> {
        match plain {
            Plain::Truth(value) => Some(*value),
            Plain::Whole(_)
            | Plain::Fraction(_)
            | Plain::Text(_)
            | Plain::Nothing
            | Plain::List
            | Plain::Keys => None,
        }
    }
}

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PlainVisitor)
    }
}

struct PlainVisitor;

impl<'de> Visitor<'de> for PlainVisitor {
    type Value = Plain;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, true or false")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Plain, E> {
        Ok(Plain::Truth(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Plain, E> {
        Ok(Plain::Whole(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Plain, E> {
        Ok(Plain::Whole(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Plain, E> {
        Ok(Plain::Fraction(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Plain, E> {
        Ok(Plain::Text(value.to_owned()))
    }

    fn visit_none<E: Error>(self) -> Result<Plain, E> {
        Ok(Plain::Nothing)
    }

    fn visit_unit<E: Error>(self) -> Result<Plain, E> {
        Ok(Plain::Nothing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Plain, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Plain::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Plain, A::Error> {
        while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Plain::Keys)
    }
}

/// For a key that may be left out: one that is there says something, if only that its value is missing.
pub(crate) fn said<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Spanned<Plain>>, D::Error> {
    Spanned::deserialize(deserializer).map(Some)
}

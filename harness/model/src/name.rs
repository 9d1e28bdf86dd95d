//! Names that many records share, each text kept once.
//!
//! Half a million records name some hundred phases and counters, a few dozen families and ways to measure. As
//! texts of their own these names would take more memory than everything that was measured.

use std::borrow::Borrow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A text that others of the same content may share. Equality, order and hash are those of the text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Arc<str>);

/// A thread remembers so many names; when there are more, it begins anew. Names stay right, and those from
/// before and after are no longer shared.
const MOST_KNOWN: usize = 1 << 17;

thread_local! {
    static KNOWN: RefCell<HashSet<Arc<str>>> = RefCell::default();
}

impl Name {
    /// The name of this text, shared with those that this thread has made before.
    pub fn new(text: &str) -> Self {
        KNOWN.with_borrow_mut(|known| {
            if let Some(name) = known.get(text) {
                return Self(Arc::clone(name));
            }
            if known.len() >= MOST_KNOWN {
                known.clear();
            }
            let name: Arc<str> = text.into();
            known.insert(Arc::clone(&name));
            Self(name)
        })
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Name {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        Self::new(&text)
    }
}

impl From<&String> for Name {
    fn from(text: &String) -> Self {
        Self::new(text)
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.as_str().to_owned()
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<String> for Name {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<Name> for String {
    fn eq(&self, other: &Name) -> bool {
        self == other.as_str()
    }
}

impl PartialEq<Name> for str {
    fn eq(&self, other: &Name) -> bool {
        self == other.as_str()
    }
}

impl PartialEq<Name> for &str {
    fn eq(&self, other: &Name) -> bool {
        *self == other.as_str()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E>(self, text: &str) -> Result<Name, E> {
                Ok(Name::new(text))
            }
        }
        from.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shared_and_compare_as_texts() {
        let (a, b) = (Name::new("solve"), Name::new("solve"));
        assert!(Arc::ptr_eq(&a.0, &b.0));
        assert_eq!(a, "solve");
        assert!(Name::new("b") > Name::new("a"));
        assert_eq!(format!("{a:?} {a:>6}"), "\"solve\"  solve");
        // From escapes, as an owned text too.
        assert_eq!(serde_json::from_str::<Name>(r#""a\nb""#).unwrap(), "a\nb");
        assert_eq!(serde_json::to_string(&a).unwrap(), "\"solve\"");
        let other = std::thread::spawn(|| Name::new("solve")).join().unwrap();
        assert_eq!(a, other);
    }

    #[test]
    fn more_names_than_are_remembered_stay_right() {
        let names: Vec<Name> = (0..MOST_KNOWN + 10).map(|n| Name::new(&n.to_string())).collect();
        assert!(names.iter().enumerate().all(|(n, name)| *name == n.to_string()));
    }
}

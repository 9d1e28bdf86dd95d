//! Small maps by name, as sorted lists: a record has a few phases and counters, and there are half a million
//! records. A map of the standard library has room for eleven entries in each.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Index;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::name::Name;

/// A map by name with few entries, ascending by name, each name once. As a map in JSON.
#[derive(Clone, PartialEq, Eq)]
pub struct Named<T>(Vec<(Name, T)>);

impl<T> Named<T> {
    /// One without entries.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// How many entries there are.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.as_str().cmp(name))
    }

    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.place(name).ok().map(|place| &self.0[place].1)
    }

    /// The value of this name, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.place(name).ok().map(|place| &mut self.0[place].1)
    }

    /// Whether there is a value of this name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    /// Sets the value of a name; gives the one that it had. Linear in the number of entries.
    pub fn insert(&mut self, name: String, value: T) -> Option<T> {
        let name = Name::from(name);
        match self.place(&name) {
            Ok(place) => Some(std::mem::replace(&mut self.0[place].1, value)),
            Err(place) => {
                self.0.insert(place, (name, value));
                None
            }
        }
    }

    /// Takes a name away; gives the value that it had.
    pub fn remove(&mut self, name: &str) -> Option<T> {
        self.place(name).ok().map(|place| self.0.remove(place).1)
    }

    /// The entries, ascending by name.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &T)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// The names, ascending.
    pub fn keys(&self) -> impl Iterator<Item = &Name> {
        self.0.iter().map(|(name, _)| name)
    }

    /// The values, ascending by name.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, value)| value)
    }
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for Named<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<T> Index<&str> for Named<T> {
    type Output = T;

    /// # Panics
    ///
    /// When there is no value of this name, as maps do.
    #[expect(clippy::panic, reason = "what an index is for")]
    fn index(&self, name: &str) -> &T {
        match self.get(name) {
            Some(value) => value,
            None => panic!("there is no '{name}'"),
        }
    }
}

impl<T, N: Into<Name>> FromIterator<(N, T)> for Named<T> {
    /// Of several values of one name, the last one stays.
    fn from_iter<I: IntoIterator<Item = (N, T)>>(entries: I) -> Self {
        let mut list: Vec<(Name, T)> =
            entries.into_iter().map(|(name, value)| (name.into(), value)).collect();
        if !list.is_sorted_by(|a, b| a.0 < b.0) {
            list.sort_by(|a, b| a.0.cmp(&b.0));
            // The first one of equals is kept, and takes the value of the later one.
            list.dedup_by(|later, first| {
                let same = later.0 == first.0;
                if same {
                    std::mem::swap(&mut later.1, &mut first.1);
                }
                same
            });
        }
        list.shrink_to_fit();
        Self(list)
    }
}

impl<T, const N: usize> From<[(String, T); N]> for Named<T> {
    fn from(entries: [(String, T); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<T> From<BTreeMap<String, T>> for Named<T> {
    fn from(map: BTreeMap<String, T>) -> Self {
        map.into_iter().collect()
    }
}

impl<'a, T> IntoIterator for &'a Named<T> {
    type Item = (&'a Name, &'a T);
    type IntoIter = std::iter::Map<std::slice::Iter<'a, (Name, T)>, fn(&(Name, T)) -> (&Name, &T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(name, value)| (name, value))
    }
}

impl<T> IntoIterator for Named<T> {
    type Item = (Name, T);
    type IntoIter = std::vec::IntoIter<(Name, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.len()))?;
        for (name, value) in self {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Entries<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Named<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named<T>, A::Error> {
                let mut list: Vec<(Name, T)> = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    list.push(entry);
                }
                Ok(list.into_iter().collect())
            }
        }
        from.deserialize_map(Entries(std::marker::PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Held against the map of the standard library, on all sequences of few names.
    #[test]
    fn a_map_as_others() {
        for code in 0..3_u32.pow(6) {
            let entries: Vec<(String, u32)> =
                (0..6).map(|n| (["a", "b", "c"][(code / 3_u32.pow(n) % 3) as usize].to_owned(), n)).collect();
            let expected: BTreeMap<String, u32> = entries.iter().cloned().collect();
            let list: Named<u32> = entries.iter().cloned().collect();
            let mut inserted = Named::new();
            for (name, value) in entries {
                inserted.insert(name, value);
            }
            assert_eq!((&list, list.len()), (&inserted, expected.len()));
            assert!(
                list.iter()
                    .map(|(name, value)| (name.as_str(), *value))
                    .eq(expected.iter().map(|(n, v)| (n.as_str(), *v)))
            );
            for name in ["a", "b", "c", "d"] {
                assert_eq!(list.get(name), expected.get(name));
                assert_eq!(list.contains_key(name), expected.contains_key(name));
            }
            let text = serde_json::to_string(&expected).unwrap();
            assert_eq!(serde_json::to_string(&list).unwrap(), text);
            assert_eq!(serde_json::from_str::<Named<u32>>(&text).unwrap(), list);
        }
        // As of a map, the last value of a name counts, and the order in a file does not.
        let read: Named<u32> = serde_json::from_str(r#"{"b":1,"a":2,"b":3}"#).unwrap();
        assert_eq!(read, [("a".to_owned(), 2), ("b".to_owned(), 3)].into());
    }
}

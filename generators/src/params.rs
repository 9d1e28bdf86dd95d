//! Parameters of a family: values of a configuration, checked as they are taken.

use std::collections::BTreeMap;

use crate::error::{GeneratorError, hint};
use crate::{GeneratorInfo, ParamInfo};

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamValue {
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// `true` or `false`.
    Bool(bool),
    /// Text.
    Text(String),
    /// Several.
    List(Vec<ParamValue>),
}

impl ParamValue {
    /// What it is, for messages.
    fn describe(&self) -> String {
        match self {
            Self::Int(value) => format!("{value}"),
            Self::Float(value) => format!("{value}"),
            Self::Bool(value) => format!("{value}"),
            Self::Text(value) => format!("'{value}'"),
            Self::List(_) => "a list".to_owned(),
        }
    }
}

/// The parameters given to a family, all of names that it has.
pub(crate) struct Params<'a> {
    generator: &'static str,
    known: &'static [ParamInfo],
    values: &'a BTreeMap<String, ParamValue>,
}

impl<'a> Params<'a> {
    pub(crate) fn new(
        info: &GeneratorInfo,
        values: &'a BTreeMap<String, ParamValue>,
    ) -> Result<Self, GeneratorError> {
        for name in values.keys() {
            if !info.params.iter().any(|p| p.name == name) {
                return Err(GeneratorError::UnknownParam {
                    generator: info.name,
                    name: name.clone(),
                    hint: hint(name, info.params.iter().map(|p| p.name)),
                });
            }
        }
        Ok(Self { generator: info.name, known: info.params, values })
    }

    pub(crate) fn bad(&self, name: &'static str, what: impl Into<String>) -> GeneratorError {
        GeneratorError::BadParam { generator: self.generator, name, what: what.into() }
    }

    fn get(&self, name: &'static str) -> Option<&'a ParamValue> {
        debug_assert!(self.known.iter().any(|p| p.name == name), "{name} is not declared");
        self.values.get(name)
    }

    fn number(
        &self,
        name: &'static str,
        value: &ParamValue,
        low: u32,
        high: u32,
    ) -> Result<u32, GeneratorError> {
        match value {
            ParamValue::Int(value) => u32::try_from(*value).ok().filter(|v| (low..=high).contains(v)),
            _ => None,
        }
        .ok_or_else(|| {
            self.bad(name, format!("a whole number from {low} to {high} is wanted, not {}", value.describe()))
        })
    }

    /// One whole number within bounds.
    pub(crate) fn int(
        &self,
        name: &'static str,
        default: u32,
        low: u32,
        high: u32,
    ) -> Result<u32, GeneratorError> {
        self.get(name).map_or(Ok(default), |value| self.number(name, value, low, high))
    }

    /// One whole number or a list of them, each within bounds, none twice.
    pub(crate) fn ints(
        &self,
        name: &'static str,
        default: &[u32],
        low: u32,
        high: u32,
    ) -> Result<Vec<u32>, GeneratorError> {
        let values = match self.get(name) {
            None => return Ok(default.to_vec()),
            Some(ParamValue::List(values)) => values.as_slice(),
            Some(value) => std::slice::from_ref(value),
        };
        let mut numbers = Vec::with_capacity(values.len());
        for value in values {
            let number = self.number(name, value, low, high)?;
            if numbers.contains(&number) {
                return Err(self.bad(name, format!("{number} is there twice")));
            }
            numbers.push(number);
        }
        Ok(numbers)
    }

    /// One text.
    pub(crate) fn text(&self, name: &'static str, default: &'static str) -> Result<&'a str, GeneratorError> {
        match self.get(name) {
            None => Ok(default),
            Some(ParamValue::Text(text)) => Ok(text),
            Some(other) => Err(self.bad(name, format!("text is wanted, not {}", other.describe()))),
        }
    }

    /// One text that may be part of a task's name.
    pub(crate) fn name_part(
        &self,
        name: &'static str,
        default: &'static str,
    ) -> Result<&'a str, GeneratorError> {
        let text = self.text(name, default)?;
        if text.is_empty() || !text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
            return Err(self.bad(name, "letters, digits, '-', '_' and '.' are wanted"));
        }
        Ok(text)
    }

    /// `true` or `false`.
    pub(crate) fn flag(&self, name: &'static str, default: bool) -> Result<bool, GeneratorError> {
        match self.get(name) {
            None => Ok(default),
            Some(ParamValue::Bool(value)) => Ok(*value),
            Some(other) => Err(self.bad(name, format!("true or false is wanted, not {}", other.describe()))),
        }
    }

    /// One text or a list of them.
    pub(crate) fn texts(
        &self,
        name: &'static str,
        default: &[&'static str],
    ) -> Result<Vec<&'a str>, GeneratorError> {
        let values = match self.get(name) {
            None => return Ok(default.to_vec()),
            Some(ParamValue::List(values)) => values.as_slice(),
            Some(value) => std::slice::from_ref(value),
        };
        let text = |value: &'a ParamValue| match value {
            ParamValue::Text(text) => Ok(text.as_str()),
            other => Err(self.bad(name, format!("text is wanted, not {}", other.describe()))),
        };
        values.iter().map(text).collect()
    }

    /// One text or a list of them, each one of `known`; all of `known` by default.
    pub(crate) fn choice(
        &self,
        name: &'static str,
        known: &[&'static str],
    ) -> Result<Vec<&'static str>, GeneratorError> {
        let values = match self.get(name) {
            None => return Ok(known.to_vec()),
            Some(ParamValue::List(values)) => values.as_slice(),
            Some(value) => std::slice::from_ref(value),
        };
        let mut chosen = Vec::with_capacity(values.len());
        for value in values {
            let found = match value {
                ParamValue::Text(text) => known.iter().find(|k| *k == text),
                _ => None,
            };
            let found = found.ok_or_else(|| {
                self.bad(name, format!("{} is not one of {}", value.describe(), known.join(", ")))
            })?;
            if chosen.contains(found) {
                return Err(self.bad(name, format!("'{found}' is there twice")));
            }
            chosen.push(*found);
        }
        Ok(chosen)
    }
}

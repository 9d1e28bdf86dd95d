//! The file as it is written: nothing checked but the shape.
//!
//! Every leaf carries its place. Externally tagged enums only, for with any other an error would point at the
//! enclosing entry instead of the leaf.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;

use crate::config::Param;
use crate::plain::{Plain, said};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireConfig {
    // The three that must be there are options, so that their absence is told with the start of the file as
    // its place.
    pub name: Option<Spanned<String>>,
    #[serde(default, deserialize_with = "said")]
    pub seed: Option<Spanned<Plain>>,
    #[serde(default, deserialize_with = "said")]
    pub workers: Option<Spanned<Plain>>,
    pub limits: Option<WireLimits>,
    #[serde(default, deserialize_with = "said")]
    pub repeats: Option<Spanned<Plain>>,
    pub sampling: Option<WireSampling>,
    pub alphabets: Option<Spanned<Vec<Spanned<String>>>>,
    pub tasks: Option<Spanned<Vec<Spanned<WireTasks>>>>,
    pub strategies: Option<Spanned<Vec<Spanned<WireStrategy>>>>,
    #[serde(default)]
    pub leave_out: Vec<WireLeaveOut>,
    pub on_bad_task: Option<WireOnBadTask>,
    pub report: Option<WireReport>,
    pub regress: Option<WireRegress>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireLimits {
    pub wall: Option<Spanned<String>>,
    pub cpu: Option<Spanned<String>>,
    pub memory: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireSampling {
    pub total: Spanned<String>,
    pub max_samples: Spanned<Plain>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WireTasks {
    Corpus(WireCorpus),
    Regexes(WireRegexes),
    Scripts(WireScripts),
    Systems(WireSystems),
    Grammars(WireGrammars),
    Fetched(WireFetched),
    Generator(WireGenerator),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireCorpus {
    pub name: Spanned<String>,
    pub alphabets: Option<Spanned<Vec<Spanned<String>>>>,
    pub operations: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    pub include: Vec<Spanned<String>>,
    #[serde(default)]
    pub exclude: Vec<Spanned<String>>,
    #[serde(default, deserialize_with = "said")]
    pub batch: Option<Spanned<Plain>>,
    #[serde(default, deserialize_with = "said")]
    pub variants: Option<Spanned<Plain>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireRegexes {
    pub file: Spanned<String>,
    pub dialect: Option<Spanned<String>>,
    #[serde(default, deserialize_with = "said")]
    pub find: Option<Spanned<Plain>>,
    pub alphabets: Option<Spanned<Vec<Spanned<String>>>>,
    pub operations: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    pub include: Vec<Spanned<String>>,
    #[serde(default)]
    pub exclude: Vec<Spanned<String>>,
    #[serde(default, deserialize_with = "said")]
    pub batch: Option<Spanned<Plain>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireScripts {
    pub files: Spanned<Vec<Spanned<String>>>,
    pub alphabets: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    pub exclude: Vec<Spanned<String>>,
    pub expected: Option<Spanned<String>>,
    #[serde(default, rename = "where")]
    pub conditions: Vec<Spanned<String>>,
    pub sample: Option<WireSample>,
    #[serde(default, deserialize_with = "said")]
    pub utf8: Option<Spanned<Plain>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireSystems {
    pub files: Spanned<Vec<Spanned<String>>>,
    pub format: Option<Spanned<String>>,
    pub solution: Option<Spanned<String>>,
    pub alphabets: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    pub exclude: Vec<Spanned<String>>,
    pub expected: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireGrammars {
    pub files: Spanned<Vec<Spanned<String>>>,
    pub longest: Spanned<Plain>,
    #[serde(default, deserialize_with = "said")]
    pub shortest: Option<Spanned<Plain>>,
    pub pairs: Option<Spanned<String>>,
    pub sample: Option<WireSample>,
    pub alphabets: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    pub exclude: Vec<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireFetched {
    pub name: Spanned<String>,
    pub alphabets: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    pub exclude: Vec<Spanned<String>>,
    #[serde(default, rename = "where")]
    pub conditions: Vec<Spanned<String>>,
    pub sample: Option<WireSample>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireSample {
    pub count: Spanned<Plain>,
    #[serde(default, deserialize_with = "said")]
    pub seed: Option<Spanned<Plain>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireGenerator {
    pub name: Spanned<String>,
    pub alphabets: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    pub params: BTreeMap<String, WireParam>,
    #[serde(default, deserialize_with = "said")]
    pub seed: Option<Spanned<Plain>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireLeaveOut {
    pub strategies: Spanned<Vec<Spanned<String>>>,
    pub alphabets: Spanned<Vec<Spanned<String>>>,
    pub because: Spanned<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WireOnBadTask {
    Stop,
    Skip,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireReport {
    #[serde(default)]
    pub layouts: Vec<Spanned<String>>,
    #[serde(default)]
    pub scatter: Vec<Spanned<Vec<Spanned<String>>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireRegress {
    pub metric: Option<Spanned<String>>,
    #[serde(default, deserialize_with = "said")]
    pub ratio: Option<Spanned<Plain>>,
    #[serde(default, deserialize_with = "said")]
    pub task_ratio: Option<Spanned<Plain>>,
    #[serde(default, deserialize_with = "said")]
    pub alpha: Option<Spanned<Plain>>,
    #[serde(default, deserialize_with = "said")]
    pub confirm: Option<Spanned<Plain>>,
    pub counters: Option<Spanned<String>>,
    #[serde(default)]
    pub ignore: Vec<Spanned<String>>,
}

/// A strategy: a name or a pattern, or a family with options.
#[derive(Debug)]
pub(crate) enum WireStrategy {
    Name(String),
    Family(WireFamily),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireFamily {
    pub family: Spanned<String>,
    #[serde(rename = "as")]
    pub name: Option<Spanned<String>>,
    #[serde(default)]
    pub options: WireOptions,
}

impl<'de> Deserialize<'de> for WireStrategy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrategyVisitor)
    }
}

struct StrategyVisitor;

impl<'de> Visitor<'de> for StrategyVisitor {
    type Value = WireStrategy;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a strategy's name, or {family: ..., options: {...}}")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<WireStrategy, E> {
        Ok(WireStrategy::Name(value.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WireStrategy, A::Error> {
        WireFamily::deserialize(MapAccessDeserializer::new(map)).map(WireStrategy::Family)
    }
}

/// Options by name, in the order of the file, each with its place.
#[derive(Debug, Default)]
pub(crate) struct WireOptions(pub Vec<(Spanned<String>, Spanned<WireParam>)>);

impl<'de> Deserialize<'de> for WireOptions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OptionsVisitor)
    }
}

struct OptionsVisitor;

impl<'de> Visitor<'de> for OptionsVisitor {
    type Value = WireOptions;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("options with values, such as {mode: lazy}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WireOptions, A::Error> {
        let mut all = Vec::new();
        while let Some(entry) = map.next_entry()? {
            all.push(entry);
        }
        Ok(WireOptions(all))
    }
}

/// A parameter, whose type only its generator knows.
#[derive(Debug)]
pub(crate) struct WireParam(pub Param);

impl<'de> Deserialize<'de> for WireParam {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ParamVisitor)
    }
}

struct ParamVisitor;

impl<'de> Visitor<'de> for ParamVisitor {
    type Value = WireParam;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text, true, false, or a list of these")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<WireParam, E> {
        Ok(WireParam(Param::Bool(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<WireParam, E> {
        Ok(WireParam(Param::Int(value)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<WireParam, E> {
        match i64::try_from(value) {
            Ok(value) => Ok(WireParam(Param::Int(value))),
            Err(_) => Err(E::custom(format_args!("{value} is too large for a parameter"))),
        }
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<WireParam, E> {
        Ok(WireParam(Param::Float(value)))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<WireParam, E> {
        Ok(WireParam(Param::Text(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<WireParam, A::Error> {
        let mut list = Vec::new();
        while let Some(WireParam(item)) = items.next_element()? {
            if matches!(item, Param::List(_)) {
                return Err(A::Error::custom("a list inside a list"));
            }
            list.push(item);
        }
        Ok(WireParam(Param::List(list)))
    }
}

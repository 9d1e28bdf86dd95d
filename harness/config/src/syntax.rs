//! From text to the wire types, and the words for what goes wrong on the way.

use serde_saphyr::{Error, Location};

use crate::error::{Diagnostic, Position};
use crate::names;
use crate::wire::WireConfig;

/// Reads the shape of a configuration.
pub(crate) fn read(text: &str) -> Result<WireConfig, Diagnostic> {
    let options = serde_saphyr::options! { with_snippet: false };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| diagnostic(&error))
}

/// A place of the YAML reader as ours; it calls an unknown place 0:0.
pub(crate) fn position(location: Location) -> Option<Position> {
    (location.line() > 0).then(|| Position { line: location.line(), column: location.column() })
}

fn diagnostic(error: &Error) -> Diagnostic {
    let error = error.without_snippet();
    let message = match error {
        Error::SerdeUnknownField { field, expected, .. } => {
            format!("unknown key '{field}'{}", names::hint(field, expected.iter().copied()))
        }
        Error::SerdeUnknownVariant { variant, expected, .. } => {
            format!("'{variant}' is not expected here{}", names::hint(variant, expected.iter().copied()))
        }
        Error::SerdeMissingField { field, .. } => format!("the key '{field}' is missing"),
        Error::DuplicateMappingKey { key: Some(key), .. } => format!("the key '{key}' is there twice"),
        Error::DuplicateMappingKey { key: None, .. } => "a key is there twice".to_owned(),
        Error::InvalidScalar { ty, .. } => format!("expected {}", type_name(ty)),
        Error::SerdeInvalidType { unexpected, expected, .. }
        | Error::SerdeInvalidValue { unexpected, expected, .. } => {
            format!("expected {}, found {}", type_name(expected), type_name(unexpected))
        }
        Error::NullIntoString { .. } => "a value is missing".to_owned(),
        Error::Eof { .. } => "the file is empty or ends too early".to_owned(),
        other => one_line(&plain(other)),
    };
    Diagnostic { at: error.location().and_then(position), message }
}

/// The reader's names of types in words.
fn type_name(ty: &str) -> &str {
    match ty {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0 on",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "string scalar" => "a text",
        "bool" | "boolean" => "true or false",
        "a sequence" | "sequence" | "sequence start" => "a list",
        "map" | "mapping" | "mapping start" | "a map" => "keys with values",
        "struct WireConfig" => "the keys of a configuration",
        "struct WireLimits" => "keys with values, such as {wall: 10s, memory: 1GiB}",
        "struct WireSampling" => "keys with values, such as {total: 50ms, max_samples: 20}",
        "struct WireCorpus"
        | "struct WireRegexes"
        | "struct WireScripts"
        | "struct WireSystems"
        | "struct WireGrammars"
        | "struct WireGenerator"
        | "struct WireFamily"
        | "struct WireLeaveOut"
        | "struct WireReport" => "keys with values",
        "struct WireRegress" => "keys with values, such as {ratio: 1.10, confirm: 2}",
        "enum WireTasks" => "corpus, regexes, scripts, systems, grammars, fetched or generator",
        "enum WireOnBadTask" => "stop or skip",
        other => other,
    }
}

/// The reader's own message without the place, which we write ourselves.
fn plain(error: &Error) -> String {
    if let Error::Unexpected { expected, .. } = error {
        return format!("expected {}", type_name(expected));
    }
    let text = error.render_with_formatter(&serde_saphyr::UserMessageFormatter);
    let text = match text.find(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    };
    // The reader's words for the entries of 'tasks'.
    if text.contains("externally tagged enum") {
        return "expected a kind of tasks and what it has, such as 'corpus: {name: …}'".to_owned();
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

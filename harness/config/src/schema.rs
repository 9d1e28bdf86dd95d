//! The JSON schema of a configuration, for editors: keys, types, names of this build, and a line on each.
//!
//! An editor with a YAML language server completes and checks a configuration that begins with
//! `# yaml-language-server: $schema=…/configs/schema.json`. The schema accepts every configuration that the
//! reader accepts; the reader checks more (ranges that depend on each other, patterns that match nothing,
//! files). A test holds the keys here against those of the wire types.

use backends_api::{FamilySpec, Kind, OptionSpec, Value as OptionValue};
use harness_model::{Alphabet, Dialect, OperationKind, SolutionKind, SystemFormat};
use serde_json::{Map, Value, json};

use crate::config::Pairs;
use crate::vocabulary::Vocabulary;

/// The schema of configurations with the names of `vocabulary`.
pub fn schema(vocabulary: &Vocabulary) -> Value {
    let mut schema = object(
        "A study: tasks, strategies, limits, reports. Every key is explained in configs/README.md.",
        &["name", "tasks", "strategies"],
        [
            ("name", text("Of the study, in reports.")),
            ("seed", count("All that is drawn is drawn from it. Default: 1.")),
            ("workers", count("Worker processes at a time, at most one a core. Default: all cores.")),
            ("limits", limits()),
            ("repeats", count("Records for each task and strategy. Default: 1.")),
            ("sampling", sampling()),
            ("alphabets", alphabets()),
            ("tasks", list("Where the tasks come from.", tasks(vocabulary))),
            ("strategies", list("What is compared.", strategy(vocabulary))),
            ("leave_out", list("Cells of the grid that are not run.", leave_out(vocabulary))),
            (
                "on_bad_task",
                choice("What a task that cannot be read does to the run. Default: stop.", &["stop", "skip"]),
            ),
            ("report", report(vocabulary)),
            ("regress", regress()),
        ],
    );
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("A configuration of harness");
    schema
}

fn limits() -> Value {
    object(
        "Of each record.",
        &[],
        [
            ("wall", text("By the clock, such as 10s. Default: 60s.")),
            ("cpu", text("Processor time, such as 10s. Default: as wall.")),
            ("memory", text("Such as 512MiB. Default: 2GiB.")),
        ],
    )
}

fn sampling() -> Value {
    object(
        "Repeats short records in a warm process; tables show the median.",
        &["total", "max_samples"],
        [
            ("total", text("Until the samples took this time together, such as 10ms.")),
            ("max_samples", count("At most this many samples.")),
        ],
    )
}

fn tasks(vocabulary: &Vocabulary) -> Value {
    let names = |what: &str| list(what, string());
    let operations = || {
        list(
            "Default: both.",
            choice("An operation.", &[OperationKind::Product.name(), OperationKind::Difference.name()]),
        )
    };
    let include = || names("Only these, by name.");
    let exclude = || names("All but these, by name.");
    let flag = |what: &str| json!({ "type": "boolean", "description": what });
    let conditions =
        || names("Conditions such as has(str.replace_all), not has(str.to_int) or terms <= 100.");
    let sample = || {
        object(
            "So many of the scripts that are left.",
            &["count"],
            [("count", count("How many.")), ("seed", count("Decides which. Default: that of the study."))],
        )
    };
    let corpus = object(
        "A curated corpus.",
        &["name"],
        [
            ("name", known("Of the corpus.", vocabulary.corpora.iter().map(String::as_str))),
            ("alphabets", alphabets()),
            ("operations", operations()),
            ("include", include()),
            ("exclude", exclude()),
            ("batch", flag("Makes all operations of a kind one task, whose work a strategy may share.")),
            ("variants", flag("Adds each expression against itself written differently.")),
        ],
    );
    let dialects = choice("Whose syntax. Default: dotnet.", &Dialect::ALL.map(Dialect::name));
    let regexes = object(
        "Your own expressions, one a line.",
        &["file"],
        [
            ("file", text("Relative to the configuration.")),
            ("dialect", dialects),
            (
                "find",
                flag(
                    "Takes an expression for the words that a match is in, and not for those that match as a whole.",
                ),
            ),
            ("alphabets", alphabets()),
            ("operations", operations()),
            ("include", include()),
            ("exclude", exclude()),
            ("batch", flag("Makes all operations of a kind one task, whose work a strategy may share.")),
        ],
    );
    let scripts = object(
        "Your own SMT-LIB files.",
        &["files"],
        [
            ("files", names("Paths or globs, relative to the configuration.")),
            ("alphabets", alphabets()),
            (
                "exclude",
                names("Paths, folders or globs as in files, and names of files and folders at any depth."),
            ),
            ("expected", text("A CSV file with columns file and status, relative to the configuration.")),
            (
                "utf8",
                flag("Reads characters in literals of strings as UTF-8, which SMT-LIB has as escapes alone."),
            ),
            ("where", conditions()),
            ("sample", sample()),
        ],
    );
    let systems = object(
        "Your own systems of regular constraints.",
        &["files"],
        [
            ("files", names("Paths or globs, relative to the configuration; no folders.")),
            (
                "format",
                choice(
                    "What they are written in. Default: what their endings say, .dprle, .hmp or .smt2.",
                    &SystemFormat::ALL.map(SystemFormat::name),
                ),
            ),
            (
                "solution",
                choice(
                    "A word for each variable, a largest language for each, or all such assignments. Default: words.",
                    &SolutionKind::ALL.map(SolutionKind::name),
                ),
            ),
            ("alphabets", alphabets()),
            (
                "exclude",
                names("Paths, folders or globs as in files, and names of files and folders at any depth."),
            ),
            ("expected", text("A CSV file with columns file and status, relative to the configuration.")),
        ],
    );
    let grammars = object(
        "Your own context-free grammars, in the format of CFG Analyzer: do they have a word in common?",
        &["files", "longest"],
        [
            ("files", names("Paths or globs, relative to the configuration; no folders.")),
            ("longest", count("The greatest number of characters of a word.")),
            ("shortest", count("The least number of characters of a word. Default: 0.")),
            (
                "pairs",
                choice(
                    "Each two grammars, the first and the second file and so on, or each grammar alone. Default: all.",
                    &Pairs::ALL.map(Pairs::name),
                ),
            ),
            ("sample", sample()),
            ("alphabets", alphabets()),
            (
                "exclude",
                names("Paths, folders or globs as in files, and names of files and folders at any depth."),
            ),
        ],
    );
    let fetched = object(
        "A public corpus that 'harness fetch' has brought.",
        &["name"],
        [
            ("name", known("Of the recipe.", vocabulary.recipes.iter().map(String::as_str))),
            ("alphabets", alphabets()),
            (
                "exclude",
                names("Paths, folders or globs in the corpus, and names of files and folders at any depth."),
            ),
            ("where", conditions()),
            ("sample", sample()),
        ],
    );
    let generator = object(
        "A generated family.",
        &["name"],
        [
            ("name", known("Of the generator.", vocabulary.generators.iter().map(String::as_str))),
            ("alphabets", alphabets()),
            (
                "params",
                json!({ "type": "object", "description": "Parameters by name; see configs/README.md." }),
            ),
            ("seed", count("Default: that of the study.")),
        ],
    );
    let one = |key, entry| object("", &[key], [(key, entry)]);
    json!({ "oneOf": [
        one("corpus", corpus), one("regexes", regexes), one("scripts", scripts), one("systems", systems),
        one("grammars", grammars), one("fetched", fetched),
        one("generator", generator),
    ] })
}

fn strategy(vocabulary: &Vocabulary) -> Value {
    let families = vocabulary.families.iter().map(family);
    let mut all = vec![known("A strategy, or a pattern with '*'.", vocabulary.listed())];
    all.extend(families);
    json!({ "anyOf": all })
}

fn family(family: &FamilySpec) -> Value {
    let options: Map<String, Value> =
        family.options.iter().map(|spec| (spec.name.to_owned(), option(spec))).collect();
    let options = json!({ "type": "object", "additionalProperties": false, "properties": options });
    let mut schema = object(
        family.summary,
        &["family"],
        [("as", text("The name in records and tables. Default: the canonical name.")), ("options", options)],
    );
    schema["properties"]["family"] = json!({ "const": family.id });
    schema
}

fn option(spec: &OptionSpec) -> Value {
    let mut schema = match &spec.kind {
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Integer { low, high, word: None } => {
            json!({ "type": "integer", "minimum": low, "maximum": high })
        }
        Kind::Integer { low, high, word: Some(word) } => {
            json!({ "anyOf": [{ "type": "integer", "minimum": low, "maximum": high }, { "const": word }] })
        }
        Kind::Numbers { high, .. } => json!({ "anyOf": [
            { "type": "integer", "minimum": 1, "maximum": high },
            { "type": "string", "pattern": "^[0-9]+(,[0-9]+)*$" },
        ] }),
        Kind::Time => json!({ "type": "string", "pattern": "^(none|[0-9]+(ms|s|m|h))$" }),
        Kind::Choice(names) => json!({ "enum": names }),
        Kind::Text => string(),
        Kind::Command => json!({ "anyOf": [
            { "type": "array", "items": { "type": ["string", "integer"] } },
            { "type": "string" },
        ] }),
    };
    let paper = spec.paper.map(|value| format!(" In the paper: {value}.")).unwrap_or_default();
    let default = Some(spec.default.to_string()).filter(|text| !text.is_empty());
    let default = default.map(|text| format!(" Default: {text}.")).unwrap_or_default();
    schema["description"] = json!(format!("{}.{default}{paper}", spec.meaning));
    schema["default"] = match &spec.default {
        OptionValue::Flag(value) => json!(value),
        OptionValue::Integer(value) => json!(value),
        OptionValue::Numbers(_) | OptionValue::Time(_) | OptionValue::Command(_) => {
            json!(spec.default.to_string())
        }
        OptionValue::Word(value) => json!(value),
        OptionValue::Text(value) => json!(value),
    };
    schema
}

fn leave_out(vocabulary: &Vocabulary) -> Value {
    object(
        "Strategies that are not run in some alphabets.",
        &["strategies", "alphabets", "because"],
        [
            ("strategies", list("", known("A strategy, or a pattern with '*'.", vocabulary.listed()))),
            ("alphabets", alphabets()),
            ("because", text("The reason, which reports print.")),
        ],
    )
}

fn report(vocabulary: &Vocabulary) -> Value {
    let pair = json!({ "type": "array", "items": string(), "minItems": 2, "maxItems": 2 });
    let layout = choice("A layout.", &vocabulary.layouts.iter().map(String::as_str).collect::<Vec<_>>());
    object(
        "Tables and plots beside the usual ones.",
        &[],
        [
            ("layouts", list("Tables in the layout of a paper.", layout)),
            ("scatter", list("Pairs of strategies to draw against each other.", pair)),
        ],
    )
}

fn regress() -> Value {
    let number = |what: &str| json!({ "type": "number", "description": what });
    object(
        "What 'harness regress' calls a regression.",
        &[],
        [
            ("metric", choice("Default: own.", &["own", "cpu", "solve"])),
            ("ratio", number("Of a strategy's times. Default: 1.10.")),
            ("task_ratio", number("Of the times of a single task. Default: 1.5.")),
            ("alpha", number("Intervals have confidence 1 - alpha. Default: 0.05.")),
            ("confirm", count("How often suspects are run again. Default: 2.")),
            (
                "counters",
                choice("Which differences of counters fail. Default: growth.", &["exact", "growth", "show"]),
            ),
            ("ignore", list("Counters that may differ, with '*'.", string())),
        ],
    )
}

fn alphabets() -> Value {
    list("Each task is asked in each of them.", choice("An alphabet.", &Alphabet::ALL.map(Alphabet::name)))
}

fn string() -> Value {
    json!({ "type": "string" })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn count(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": description })
}

fn choice(description: &str, names: &[&str]) -> Value {
    json!({ "enum": names, "description": description })
}

/// A text for which an editor proposes `names`.
fn known<'a>(description: &str, names: impl Iterator<Item = &'a str>) -> Value {
    json!({ "anyOf": [{ "enum": names.collect::<Vec<_>>() }, { "type": "string" }], "description": description })
}

fn list(description: &str, items: impl Into<Value>) -> Value {
    json!({ "type": "array", "items": items.into(), "description": description })
}

fn object<const N: usize>(description: &str, required: &[&str], keys: [(&str, Value); N]) -> Value {
    let properties: Map<String, Value> =
        keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    json!({
        "type": "object",
        "description": description,
        "additionalProperties": false,
        "required": required,
        "properties": properties,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde::de::DeserializeOwned;

    use super::*;
    use crate::wire;

    /// The keys that the reader of a wire type names when it meets one that it does not know.
    fn keys_of<T: DeserializeOwned + std::fmt::Debug>() -> BTreeSet<String> {
        let error = serde_saphyr::from_str::<T>("no-such-key: 1").unwrap_err().to_string();
        let (_, expected) = error.split_once(", expected ").unwrap_or_else(|| panic!("{error}"));
        let line = expected.lines().next().unwrap_or_default();
        line.trim_start_matches("one of ").split(", ").map(str::to_owned).collect()
    }

    fn keys(schema: &Value) -> BTreeSet<String> {
        schema["properties"].as_object().unwrap().keys().cloned().collect()
    }

    #[test]
    fn the_keys_are_those_that_the_reader_knows() {
        let schema = schema(&Vocabulary {
            families: vec![FamilySpec::new("f", "A family", vec![])],
            ..Vocabulary::default()
        });
        let part = |key: &str| &schema["properties"][key];
        assert_eq!(keys(&schema), keys_of::<wire::WireConfig>());
        assert_eq!(keys(part("limits")), keys_of::<wire::WireLimits>());
        assert_eq!(keys(part("sampling")), keys_of::<wire::WireSampling>());
        assert_eq!(keys(part("report")), keys_of::<wire::WireReport>());
        assert_eq!(keys(part("regress")), keys_of::<wire::WireRegress>());
        assert_eq!(keys(&part("leave_out")["items"]), keys_of::<wire::WireLeaveOut>());
        assert_eq!(keys(&part("strategies")["items"]["anyOf"][1]), keys_of::<wire::WireFamily>());
        let entries = part("tasks")["items"]["oneOf"].as_array().unwrap();
        let entry = |key: &str| &entries.iter().find(|e| e["required"][0] == key).unwrap()["properties"][key];
        assert_eq!(keys(entry("corpus")), keys_of::<wire::WireCorpus>());
        assert_eq!(keys(entry("regexes")), keys_of::<wire::WireRegexes>());
        assert_eq!(keys(entry("scripts")), keys_of::<wire::WireScripts>());
        assert_eq!(keys(&entry("scripts")["properties"]["sample"]), keys_of::<wire::WireSample>());
        assert_eq!(keys(entry("systems")), keys_of::<wire::WireSystems>());
        assert_eq!(keys(entry("grammars")), keys_of::<wire::WireGrammars>());
        assert_eq!(keys(entry("fetched")), keys_of::<wire::WireFetched>());
        assert_eq!(keys(entry("generator")), keys_of::<wire::WireGenerator>());
        assert_eq!(entries.len(), keys_of::<wire::WireTasks>().len());
    }
}

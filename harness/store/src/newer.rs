//! Records of a newer minor version, which may hold alternatives that this build does not know: a way to end,
//! a verdict, a kind of witness.
//!
//! Such a record is kept and shown, with the unknown part said to be unknown; it never counts as solved. In
//! records of a version that this build knows, an unknown alternative is damage.

use harness_model::record::{Record, RecordVersion, Termination};
use harness_model::{Verdict, Witness};
use serde::Deserialize;
use serde_json::{Value, json};

/// The record in `bytes`, of the newer version `version`, with what this build does not know replaced; `None`
/// when it is unreadable for another reason.
pub(crate) fn read(bytes: &[u8], version: RecordVersion) -> Option<Record> {
    let mut record: Value = serde_json::from_slice(bytes).ok()?;
    let unknown = |what: &str, value: &Value| {
        format!("{what} '{}' of format {version} is not known to this build: update harness", name(value))
    };
    let termination = record.get_mut("termination")?;
    if Termination::deserialize(&*termination).is_err() {
        *termination = json!({ "error": unknown("the way to end", termination) });
    }
    for answer in record.get_mut("answers")?.as_array_mut()? {
        let verdict = answer.get("verdict")?;
        let mut reason = Verdict::deserialize(verdict).is_err().then(|| unknown("the verdict", verdict));
        if let Some(witness) = answer.get("witness")
            && Option::<Witness>::deserialize(witness).is_err()
        {
            reason.get_or_insert_with(|| unknown("the kind of witness", witness));
            answer["witness"] = Value::Null;
        }
        if let Some(reason) = reason {
            answer["verdict"] = json!(Verdict::Unknown);
            answer["reason"] = json!(reason);
        }
    }
    Record::deserialize(record).ok()
}

/// The name of an alternative: the text itself, or the key of its one field.
fn name(value: &Value) -> &str {
    let key = || value.as_object().and_then(|fields| fields.keys().next()).map(String::as_str);
    value.as_str().or_else(key).unwrap_or("of no name")
}

//! Which records of a run are meant: conditions such as `status=crash`, all of which have to hold.

use std::str::FromStr;

use harness_config::names;
use harness_model::Status;
use harness_model::record::Record;

/// What a condition looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Status,
    Strategy,
    Task,
    Family,
    Alphabet,
    Repeat,
}

impl Field {
    const ALL: [(&'static str, Self); 6] = [
        ("status", Self::Status),
        ("strategy", Self::Strategy),
        ("task", Self::Task),
        ("family", Self::Family),
        ("alphabet", Self::Alphabet),
        ("repeat", Self::Repeat),
    ];
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    field: Field,
    /// With `*` for any letters.
    pattern: String,
    /// Whether it has to be so, or must not.
    equal: bool,
}

/// The names of all statuses.
fn statuses() -> impl Iterator<Item = &'static str> + Clone {
    Status::ALL.into_iter().map(Status::name)
}

/// The status with this name.
///
/// # Errors
///
/// When there is none, with the nearest name.
pub fn status(name: &str) -> Result<Status, String> {
    let found = Status::ALL.into_iter().find(|status| status.name() == name.trim());
    found.ok_or_else(|| format!("there is no status '{name}'{}", names::hint(name, statuses())))
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, pattern) =
            text.split_once('=').ok_or_else(|| format!("'{text}': FIELD=VALUE or FIELD!=VALUE is wanted"))?;
        let (name, equal) = name.strip_suffix('!').map_or((name, true), |name| (name, false));
        let known = || Field::ALL.iter().map(|(name, _)| *name);
        let Some((_, field)) = Field::ALL.iter().find(|(known, _)| *known == name.trim()) else {
            return Err(format!("there is no field '{name}'{}", names::hint(name, known())));
        };
        let pattern = pattern.trim().to_owned();
        if pattern.is_empty() {
            return Err(format!("'{text}': the value is missing"));
        }
        if *field == Field::Status && !statuses().any(|status| names::matches(&pattern, status)) {
            return Err(format!("there is no status '{pattern}'{}", names::hint(&pattern, statuses())));
        }
        Ok(Self { field: *field, pattern, equal })
    }
}

impl Choice {
    /// Whether it holds of a record that the judge gave this status.
    pub fn holds(&self, record: &Record, status: Status) -> bool {
        let repeat;
        let value = match self.field {
            Field::Status => status.name(),
            Field::Strategy => &record.key.strategy,
            Field::Task => &record.key.task,
            Field::Family => &record.family,
            Field::Alphabet => record.alphabet.name(),
            Field::Repeat => {
                repeat = record.key.repeat.to_string();
                &repeat
            }
        };
        names::matches(&self.pattern, value) == self.equal
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = Field::ALL.iter().find(|(_, field)| *field == self.field).map_or("", |(name, _)| name);
        write!(f, "{name}{}{}", if self.equal { "=" } else { "!=" }, self.pattern)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_and_printed() {
        for text in ["status=crash", "strategy!=sfa-*", "task=a/b=c", "repeat=0"] {
            assert_eq!(text.parse::<Choice>().unwrap().to_string(), text);
        }
        for (text, why) in [
            ("status", "is wanted"),
            ("statu=crash", "did you mean 'status'?"),
            ("task=", "is missing"),
            ("status=crsh", "did you mean 'crash'?"),
        ] {
            let error = text.parse::<Choice>().unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}

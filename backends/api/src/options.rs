//! Options of strategy families: what can be chosen, as data.
//!
//! An [`OptionSpec`] says of one option its name, the values it takes, the default, what it means, and the
//! value in the paper where the paper has one. [`Options`] are a value for every option of a family, each
//! checked against its spec. Every value has one text, which configurations, names of strategies and
//! `run.json` use.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// Which values an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// A whole number of an inclusive range, or the word beside it if there is one (`none`).
    Integer {
        /// The least.
        low: i64,
        /// The greatest.
        high: i64,
        /// A value that is no number.
        word: Option<&'static str>,
    },
    /// Up to `most` whole numbers from 1 to `high`, at least one, separated by commas.
    Numbers {
        /// The greatest.
        high: i64,
        /// How many.
        most: usize,
    },
    /// A time of at least a millisecond and at most a day, as a whole number of milliseconds (`ms`), seconds
    /// (`s`), minutes (`m`) or hours (`h`); or `none`.
    Time,
    /// One of several names.
    Choice(Vec<&'static str>),
    /// Any text.
    Text,
    /// A program and its arguments, or nothing. As text they are quoted as in a shell.
    Command,
}

/// The word beside times and bounds.
const NONE: &str = "none";

/// Units of times and how many milliseconds they have.
const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];

/// The longest time that an option takes, in milliseconds.
const DAY: u64 = 86_400_000;

/// Reads a time of [`Kind::Time`].
fn time(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let milliseconds = number.parse::<u64>().ok()?.checked_mul(*factor)?;
    (1..=DAY).contains(&milliseconds).then(|| Duration::from_millis(milliseconds))
}

/// Writes a time of whole milliseconds as options have it: in the largest unit in which it is whole.
pub fn time_text(time: Duration) -> String {
    let milliseconds = time.as_millis();
    let whole = |(_, factor): &&(&str, u64)| milliseconds.is_multiple_of(u128::from(*factor));
    let (unit, factor) = UNITS.iter().rev().find(whole).unwrap_or(&UNITS[0]);
    format!("{}{unit}", milliseconds / u128::from(*factor))
}

impl Kind {
    /// The value with this text.
    ///
    /// # Errors
    ///
    /// When it is no value of this kind: what is expected.
    pub fn parse(&self, text: &str) -> Result<Value, String> {
        let value = match self {
            Self::Flag => text.parse().ok().map(Value::Flag),
            Self::Integer { word: Some(word), .. } if text == *word => Some(Value::Word(word)),
            Self::Integer { low, high, .. } => {
                text.parse().ok().filter(|number| (low..=high).contains(&number)).map(Value::Integer)
            }
            Self::Numbers { high, most } => {
                let number = |part: &str| part.parse().ok().filter(|number| (1..=*high).contains(number));
                let numbers: Option<Vec<i64>> = text.split(',').map(number).collect();
                numbers.filter(|numbers| numbers.len() <= *most).map(Value::Numbers)
            }
            Self::Time if text == NONE => Some(Value::Word(NONE)),
            Self::Time => time(text).map(Value::Time),
            Self::Choice(names) => names.iter().find(|name| **name == text).map(|name| Value::Word(name)),
            Self::Text => Some(Value::Text(text.to_owned())),
            Self::Command => shlex::split(text).filter(|words| sayable(words)).map(Value::Command),
        };
        value.ok_or_else(|| format!("expected {self}, found '{text}'"))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("true or false"),
            Self::Integer { low, high, word: None } => write!(f, "a whole number from {low} to {high}"),
            Self::Integer { low, high, word: Some(word) } => {
                write!(f, "{word} or a whole number from {low} to {high}")
            }
            Self::Numbers { high, most } => {
                write!(f, "up to {most} whole numbers from 1 to {high}, separated by commas")
            }
            Self::Time => write!(f, "{NONE} or a time from 1ms to 24h, such as 3s or 250ms"),
            Self::Choice(names) => match names.as_slice() {
                [most @ .., last] if !most.is_empty() => write!(f, "{} or {last}", most.join(", ")),
                all => f.write_str(&all.concat()),
            },
            Self::Text => f.write_str("a text"),
            Self::Command => {
                f.write_str("a program and its arguments, as a list of words or quoted as in a shell")
            }
        }
    }
}

/// Whether words can be given to a program: the system ends each at a null character.
fn sayable(words: &[String]) -> bool {
    words.iter().all(|word| !word.contains('\0'))
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of [`Kind::Flag`].
    Flag(bool),
    /// Of [`Kind::Integer`].
    Integer(i64),
    /// Of [`Kind::Numbers`].
    Numbers(Vec<i64>),
    /// Of [`Kind::Time`].
    Time(Duration),
    /// Of [`Kind::Choice`], or the word of [`Kind::Integer`] or of [`Kind::Time`].
    Word(&'static str),
    /// Of [`Kind::Text`].
    Text(String),
    /// Of [`Kind::Command`].
    Command(Vec<String>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Numbers(values) => {
                let texts: Vec<String> = values.iter().map(i64::to_string).collect();
                f.write_str(&texts.join(","))
            }
            Self::Time(time) => f.write_str(&time_text(*time)),
            Self::Word(value) => f.write_str(value),
            Self::Text(value) => f.write_str(value),
            Self::Command(words) => {
                for (place, word) in words.iter().enumerate() {
                    let gap = if place == 0 { "" } else { " " };
                    // A word with a null character, which no value has, stands as it is.
                    let word = shlex::try_quote(word).unwrap_or(word.into());
                    write!(f, "{gap}{word}")?;
                }
                Ok(())
            }
        }
    }
}

/// An option of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Lower-case words joined by `-`.
    pub name: &'static str,
    /// Which values it takes.
    pub kind: Kind,
    /// The value where nothing is said.
    pub default: Value,
    /// What it decides; one line.
    pub meaning: &'static str,
    /// The value in the paper, as text; absent where the paper has none.
    pub paper: Option<&'static str>,
}

impl OptionSpec {
    /// An option that is true or false.
    pub fn flag(name: &'static str, default: bool, meaning: &'static str) -> Self {
        Self { name, kind: Kind::Flag, default: Value::Flag(default), meaning, paper: None }
    }

    /// An option with whole numbers from `low` to `high` as values.
    ///
    /// # Panics
    ///
    /// When the default is outside the range.
    #[expect(clippy::expect_used, reason = "a spec of the program's own is wrong: a defect")]
    pub fn integer(
        name: &'static str,
        default: impl TryInto<i64>,
        low: i64,
        high: i64,
        meaning: &'static str,
    ) -> Self {
        let kind = Kind::Integer { low, high, word: None };
        let default = default.try_into().ok().filter(|number| (low..=high).contains(number));
        let default = Value::Integer(default.expect("the default is within the range"));
        Self { name, kind, default, meaning, paper: None }
    }

    /// An option with whole numbers from 1 to `high` as values, or `none`, its default.
    pub fn bound(name: &'static str, high: i64, meaning: &'static str) -> Self {
        let kind = Kind::Integer { low: 1, high, word: Some(NONE) };
        Self { name, kind, default: Value::Word(NONE), meaning, paper: None }
    }

    /// An option with a time as its value, or `none`, its default.
    pub fn time(name: &'static str, meaning: &'static str) -> Self {
        Self { name, kind: Kind::Time, default: Value::Word(NONE), meaning, paper: None }
    }

    /// An option with up to `most` whole numbers from 1 to `high` as its value; the default is a text.
    pub fn numbers(name: &'static str, default: &str, high: i64, most: usize, meaning: &'static str) -> Self {
        let kind = Kind::Numbers { high, most };
        Self { name, kind, default: Value::Numbers(Vec::new()), meaning, paper: None }.by_default(default)
    }

    /// An option with names as values; the first is the default.
    pub fn choice(
        name: &'static str,
        choices: impl IntoIterator<Item = &'static str>,
        meaning: &'static str,
    ) -> Self {
        let choices: Vec<&'static str> = choices.into_iter().collect();
        let default = Value::Word(choices.first().copied().unwrap_or_default());
        Self { name, kind: Kind::Choice(choices), default, meaning, paper: None }
    }

    /// An option with any text as its value.
    pub fn text(name: &'static str, default: &str, meaning: &'static str) -> Self {
        Self { name, kind: Kind::Text, default: Value::Text(default.to_owned()), meaning, paper: None }
    }

    /// An option with a program and its arguments as its value; none by default.
    pub const fn command(name: &'static str, meaning: &'static str) -> Self {
        Self { name, kind: Kind::Command, default: Value::Command(Vec::new()), meaning, paper: None }
    }

    /// The same with another default, given as text.
    #[must_use]
    pub fn by_default(mut self, text: &str) -> Self {
        self.default = self.known(text);
        self
    }

    /// The same, and the paper has this value.
    #[must_use]
    pub fn paper(mut self, text: &'static str) -> Self {
        self.known(text);
        self.paper = Some(text);
        self
    }

    /// The value with this text, which the program itself gave.
    #[expect(clippy::expect_used, reason = "a spec or a preset of the program's own is wrong: a defect")]
    fn known(&self, text: &str) -> Value {
        self.kind.parse(text).expect("specs and presets give values of the option's kind")
    }
}

/// A value for every option of a family, in the order of its specs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options(Vec<(&'static str, Value)>);

impl Options {
    /// The default of every option.
    pub fn defaults(specs: &[OptionSpec]) -> Self {
        Self(specs.iter().map(|spec| (spec.name, spec.default.clone())).collect())
    }

    /// The same with some options changed; names and values are the program's own.
    #[expect(clippy::expect_used, reason = "a preset of the program's own is wrong: a defect")]
    #[must_use]
    pub fn with(mut self, specs: &[OptionSpec], changes: &[(&str, &str)]) -> Self {
        for (name, text) in changes {
            let spec = specs.iter().find(|spec| spec.name == *name).expect("presets name known options");
            self.set(spec, spec.known(text));
        }
        self
    }

    /// Sets the option of that spec to a value of its kind.
    pub fn set(&mut self, spec: &OptionSpec, value: Value) {
        if let Some(slot) = self.0.iter_mut().find(|(name, _)| *name == spec.name) {
            slot.1 = value;
        }
    }

    /// Names and values, in the order of the specs.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }

    /// Names and texts of values.
    pub fn texts(&self) -> BTreeMap<String, String> {
        self.iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect()
    }

    /// The value of the option.
    ///
    /// # Panics
    ///
    /// When the family has no such option.
    #[expect(clippy::expect_used, reason = "a family asks for its own options only")]
    pub fn get(&self, name: &str) -> &Value {
        &self.0.iter().find(|(known, _)| *known == name).expect("a family asks for its own options").1
    }

    /// The value of a flag.
    ///
    /// # Panics
    ///
    /// When the option is no flag.
    pub fn flag(&self, name: &str) -> bool {
        match self.get(name) {
            Value::Flag(value) => *value,
            other => unreachable!("'{name}' is a flag, and has the value {other}"),
        }
    }

    /// The text of a text.
    ///
    /// # Panics
    ///
    /// When the option is no text.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Value::Text(value) => value,
            other => unreachable!("'{name}' is a text, and has the value {other}"),
        }
    }

    /// The program and the arguments of a command; empty where there is none.
    ///
    /// # Panics
    ///
    /// When the option is no command.
    pub fn command(&self, name: &str) -> &[String] {
        match self.get(name) {
            Value::Command(words) => words,
            other => unreachable!("'{name}' is a command, and has the value {other}"),
        }
    }

    /// The value of an integer that fits into `T`; `None` for the word beside the numbers.
    ///
    /// # Panics
    ///
    /// When the option is no integer, or its range does not fit into `T`.
    #[expect(clippy::expect_used, reason = "the range of the spec is within that of the type")]
    pub fn number_or_none<T: TryFrom<i64>>(&self, name: &str) -> Option<T> {
        match self.get(name) {
            Value::Integer(value) => Some(T::try_from(*value).ok().expect("the range of the option fits")),
            Value::Word(_) => None,
            other => unreachable!("'{name}' is a number, and has the value {other}"),
        }
    }

    /// The value of an integer without a word beside it.
    ///
    /// # Panics
    ///
    /// As [`Options::number_or_none`].
    #[expect(clippy::expect_used, reason = "the option has no word beside its numbers")]
    pub fn number<T: TryFrom<i64>>(&self, name: &str) -> T {
        self.number_or_none(name).expect("the option is a number")
    }

    /// The numbers of a list.
    ///
    /// # Panics
    ///
    /// When the option is no list of numbers, or its range does not fit into `T`.
    #[expect(clippy::expect_used, reason = "the range of the spec is within that of the type")]
    pub fn numbers<T: TryFrom<i64>>(&self, name: &str) -> Vec<T> {
        match self.get(name) {
            Value::Numbers(values) => {
                let fit = |&value: &i64| T::try_from(value).ok().expect("the range of the option fits");
                values.iter().map(fit).collect()
            }
            other => unreachable!("'{name}' is a list of numbers, and has the value {other}"),
        }
    }

    /// The value of a time; `None` for `none`.
    ///
    /// # Panics
    ///
    /// When the option is no time.
    pub fn time_or_none(&self, name: &str) -> Option<Duration> {
        match self.get(name) {
            Value::Time(time) => Some(*time),
            Value::Word(_) => None,
            other => unreachable!("'{name}' is a time, and has the value {other}"),
        }
    }

    /// The value of a choice.
    ///
    /// # Panics
    ///
    /// When the option is no choice.
    pub fn word(&self, name: &str) -> &'static str {
        match self.get(name) {
            Value::Word(value) => value,
            other => unreachable!("'{name}' is a choice, and has the value {other}"),
        }
    }

    /// The value of a choice, as the one of `all` that has this name.
    ///
    /// # Panics
    ///
    /// When none has it.
    #[expect(clippy::expect_used, reason = "the choices are the names of these values")]
    pub fn one_of<T: Copy>(&self, name: &str, all: &[T], name_of: impl Fn(T) -> &'static str) -> T {
        let word = self.word(name);
        all.iter().copied().find(|value| name_of(*value) == word).expect("every choice is a name of a value")
    }

    /// Whether the option has the default of its spec among `specs`.
    pub fn is_default(&self, specs: &[OptionSpec], name: &str) -> bool {
        specs.iter().any(|spec| spec.name == name && spec.default == *self.get(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_parse_their_values_and_say_what_they_expect() {
        let number = OptionSpec::integer("n", 3, -2, 9, "").kind;
        assert_eq!(number.parse("-2"), Ok(Value::Integer(-2)));
        assert_eq!(number.parse("10").unwrap_err(), "expected a whole number from -2 to 9, found '10'");
        let bound = OptionSpec::bound("max", 40, "").kind;
        assert_eq!(bound.parse("none"), Ok(Value::Word("none")));
        assert_eq!(bound.parse("0").unwrap_err(), "expected none or a whole number from 1 to 40, found '0'");
        let choice = OptionSpec::choice("c", ["eager", "lazy", "both"], "").kind;
        assert_eq!(choice.parse("lazy"), Ok(Value::Word("lazy")));
        assert_eq!(choice.parse("x").unwrap_err(), "expected eager, lazy or both, found 'x'");
        let numbers = OptionSpec::numbers("l", "2,6", 64, 3, "");
        assert_eq!(numbers.default, Value::Numbers(vec![2, 6]));
        assert_eq!(numbers.kind.parse("64"), Ok(Value::Numbers(vec![64])));
        for wrong in ["", "2,", "0", "65", "1,2,3,4", "2, 6"] {
            let expected = "expected up to 3 whole numbers from 1 to 64, separated by commas";
            assert_eq!(numbers.kind.parse(wrong).unwrap_err(), format!("{expected}, found '{wrong}'"));
        }
        for (text, milliseconds) in [("250ms", 250), ("3s", 3000), ("2m", 120_000), ("24h", 86_400_000)] {
            let value = Kind::Time.parse(text).unwrap();
            assert_eq!(value, Value::Time(Duration::from_millis(milliseconds)));
            assert_eq!(value.to_string(), text);
        }
        assert_eq!(Kind::Time.parse("3000ms").unwrap().to_string(), "3s");
        assert_eq!(Kind::Time.parse("none"), Ok(Value::Word("none")));
        for wrong in ["", "3", "s", "0s", "-1s", "1.5s", "3 s", "25h", "99999999999999999999s", "3sec"] {
            let expected = "expected none or a time from 1ms to 24h, such as 3s or 250ms";
            assert_eq!(Kind::Time.parse(wrong).unwrap_err(), format!("{expected}, found '{wrong}'"));
        }
        assert_eq!(Kind::Flag.parse("yes").unwrap_err(), "expected true or false, found 'yes'");
        assert_eq!(Kind::Text.parse("yes"), Ok(Value::Text("yes".into())));
    }

    #[test]
    fn commands_are_quoted_as_in_a_shell() {
        let words = |words: &[&str]| Value::Command(words.iter().map(|&word| word.to_owned()).collect());
        assert_eq!(Kind::Command.parse(""), Ok(words(&[])));
        assert_eq!(Kind::Command.parse(" a  'b c' \"d'e\" "), Ok(words(&["a", "b c", "d'e"])));
        for command in
            [words(&["z3", "-T:{wall_s}"]), words(&["/a b/c", "", "it's", "#", "\n", "[a,b]", "é"])]
        {
            assert_eq!(Kind::Command.parse(&command.to_string()), Ok(command.clone()), "{command}");
        }
        for wrong in ["a 'b", "a \0"] {
            assert!(
                Kind::Command.parse(wrong).unwrap_err().starts_with("expected a program and its arguments")
            );
        }
    }

    #[test]
    fn options_hold_a_value_for_every_spec() {
        let specs = [
            OptionSpec::flag("once", false, ""),
            OptionSpec::integer("length", 4, 0, 9, ""),
            OptionSpec::bound("max", 9, ""),
            OptionSpec::time("limit", ""),
        ];
        let options = Options::defaults(&specs).with(&specs, &[("length", "7"), ("limit", "60s")]);
        assert_eq!(options.number::<u32>("length"), 7);
        assert_eq!(options.number_or_none::<u32>("max"), None);
        assert!(!options.flag("once") && options.is_default(&specs, "once"));
        assert!(!options.is_default(&specs, "length"));
        assert_eq!(options.time_or_none("limit"), Some(Duration::from_secs(60)));
        assert_eq!(Options::defaults(&specs).time_or_none("limit"), None);
        assert_eq!((&*options.texts()["max"], &*options.texts()["limit"]), ("none", "1m"));
    }
}

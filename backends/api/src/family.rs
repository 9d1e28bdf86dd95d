//! Families of strategies: one backend, and the options that its strategies differ in.
//!
//! A [`FamilySpec`] describes a family as data: its options and the sets of options that are listed under a
//! name of their own (presets). The canonical name of a set of options is the name of the preset that it
//! differs from in the fewest options (the first one of several), followed by `-OPTION-VALUE` for each of
//! these options in the order of the specs. So a preset has its own name, and [`Registry::resolve`] reads
//! each name back. A family without presets lists nothing, and its names begin with its id in place of that
//! of a preset with all defaults. A worker is asked for a strategy by its canonical name.

use std::borrow::Cow;

use crate::options::{OptionSpec, Options, Value};
use crate::strategy::Strategy;

/// A set of options with a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Lower-case words joined by `-`, methods that work together by `+`.
    pub name: String,
    /// All of them.
    pub options: Options,
}

/// Options that exclude each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The option to change.
    pub option: &'static str,
    /// Why it cannot be as it is; what may follow "the option 'x': ".
    pub why: String,
}

/// A family as data.
#[derive(Clone, Debug)]
pub struct FamilySpec {
    /// Names it in configurations.
    pub id: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Its options.
    pub options: Vec<OptionSpec>,
    /// The sets of options that are listed, in the order of the list.
    pub presets: Vec<Preset>,
    /// Refuses options that exclude each other, or that change nothing beside the others.
    check: fn(&Self, &Options) -> Result<(), Conflict>,
}

impl FamilySpec {
    /// A family without presets, in which all options go together.
    pub const fn new(id: &'static str, summary: &'static str, options: Vec<OptionSpec>) -> Self {
        Self { id, summary, options, presets: Vec::new(), check: |_, _| Ok(()) }
    }

    /// The same with one more preset: the defaults with these changes.
    #[must_use]
    pub fn preset(mut self, name: impl Into<String>, changes: &[(&str, &str)]) -> Self {
        let options = Options::defaults(&self.options).with(&self.options, changes);
        self.presets.push(Preset { name: name.into(), options });
        self
    }

    /// The same, with options that exclude each other.
    #[must_use]
    pub const fn check(mut self, check: fn(&Self, &Options) -> Result<(), Conflict>) -> Self {
        self.check = check;
        self
    }

    /// Refuses options that exclude each other.
    ///
    /// # Errors
    ///
    /// When they do.
    pub fn allows(&self, options: &Options) -> Result<(), Conflict> {
        (self.check)(self, options)
    }

    /// For [`FamilySpec::check`]: refuses the first of the options `names` that is not as by default, which
    /// `needs` something else.
    ///
    /// # Errors
    ///
    /// When there is one.
    pub fn all_default(
        &self,
        options: &Options,
        names: &[&'static str],
        needs: &str,
    ) -> Result<(), Conflict> {
        match names.iter().find(|name| !options.is_default(&self.options, name)) {
            Some(option) => Err(Conflict { option, why: format!("it changes nothing without {needs}") }),
            None => Ok(()),
        }
    }

    /// What names begin with: the presets, or the id for all defaults.
    fn bases(&self) -> Cow<'_, [Preset]> {
        if self.presets.is_empty() {
            let options = Options::defaults(&self.options);
            return Cow::Owned(vec![Preset { name: self.id.to_owned(), options }]);
        }
        Cow::Borrowed(&self.presets)
    }

    /// The canonical name.
    pub fn name(&self, options: &Options) -> String {
        let differs = |preset: &&Preset| {
            options.iter().filter(|(name, value)| preset.options.get(name) != *value).count()
        };
        let bases = self.bases();
        let Some(preset) = bases.iter().min_by_key(differs) else { return self.id.to_owned() };
        let mut text = preset.name.clone();
        for (name, value) in options.iter().filter(|(name, value)| preset.options.get(name) != *value) {
            text.push('-');
            text.push_str(name);
            text.push('-');
            text.push_str(&in_name(value));
        }
        text
    }

    /// The options with this canonical name.
    pub fn read_name(&self, name: &str) -> Option<Options> {
        self.bases().iter().find_map(|preset| {
            let mut rest = name.strip_prefix(preset.name.as_str())?;
            let mut options = preset.options.clone();
            for spec in &self.options {
                let Some(text) = rest.strip_prefix('-').and_then(|rest| rest.strip_prefix(spec.name)) else {
                    continue;
                };
                let (value, after) = read_value(spec, text.strip_prefix('-')?)?;
                options.set(spec, value);
                rest = after;
            }
            (rest.is_empty() && self.name(&options) == name && self.allows(&options).is_ok())
                .then_some(options)
        })
    }
}

/// A value as part of a name: lower-case letters, digits, `-` inside a word of the program's, `+` between the
/// numbers of a list, and in a text or command `+` before two hexadecimal digits of a byte for all else.
fn in_name(value: &Value) -> String {
    match value {
        Value::Integer(number) if *number < 0 => format!("minus-{}", number.unsigned_abs()),
        Value::Text(_) | Value::Command(_) => value
            .to_string()
            .bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'0'..=b'9' => char::from(byte).to_string(),
                other => format!("+{other:02x}"),
            })
            .collect(),
        Value::Numbers(_) => value.to_string().replace(',', "+"),
        Value::Flag(_) | Value::Integer(_) | Value::Time(_) | Value::Word(_) => value.to_string(),
    }
}

/// The value at the beginning of `text`, and what comes after it.
fn read_value<'t>(spec: &OptionSpec, text: &'t str) -> Option<(Value, &'t str)> {
    // A value of several words ends where the longest one that fits does.
    let ends = text.match_indices('-').map(|(end, _)| end).chain([text.len()]);
    let mut fitting = ends.filter_map(|end| {
        let value = value_of_name(spec, text.get(..end)?)?;
        Some((value, text.get(end..)?))
    });
    fitting.next_back()
}

fn value_of_name(spec: &OptionSpec, text: &str) -> Option<Value> {
    let plain = match (&spec.default, text.strip_prefix("minus-")) {
        (Value::Text(_) | Value::Command(_), _) => {
            let mut bytes = Vec::new();
            let mut parts = text.split('+');
            bytes.extend(parts.next()?.bytes());
            for part in parts {
                bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
                bytes.extend(part.get(2..)?.bytes());
            }
            String::from_utf8(bytes).ok()?
        }
        (Value::Numbers(_), _) => text.replace('+', ","),
        (_, Some(digits)) => format!("-{digits}"),
        (_, None) => text.to_owned(),
    };
    let value = spec.kind.parse(&plain).ok()?;
    (in_name(&value) == text).then_some(value)
}

/// A family of strategies, the home of all that is known of them before they run. Each crate of backends
/// exports its own; a family that needs a solver or an algebra of another crate is given it.
pub trait Family: Send + Sync {
    /// What it is.
    fn spec(&self) -> &FamilySpec;

    /// The strategy with these options, which are of this family and [allowed](FamilySpec::allows). Its name
    /// is the canonical one. Cheap: nothing is initialised, no solver is touched.
    fn build(&self, options: &Options) -> Box<dyn Strategy>;

    /// The strategies that have names of their own.
    fn listed(&self) -> Vec<Box<dyn Strategy>> {
        self.spec().presets.iter().map(|preset| self.build(&preset.options)).collect()
    }

    /// The strategy with this canonical name.
    fn named(&self, name: &str) -> Option<Box<dyn Strategy>> {
        Some(self.build(&self.spec().read_name(name)?))
    }
}

/// A strategy that a name means.
#[derive(Clone)]
pub struct Resolved<'r> {
    /// Its family.
    pub family: &'r dyn Family,
    /// All of its options.
    pub options: Options,
}

impl Resolved<'_> {
    /// The canonical name.
    pub fn name(&self) -> String {
        self.family.spec().name(&self.options)
    }

    /// The strategy.
    pub fn build(&self) -> Box<dyn Strategy> {
        self.family.build(&self.options)
    }
}

/// Families in the order in which they are listed.
pub struct Registry {
    families: Vec<Box<dyn Family>>,
}

impl Registry {
    /// Of these families, whose ids and presets have distinct names.
    pub const fn new(families: Vec<Box<dyn Family>>) -> Self {
        Self { families }
    }

    /// All families.
    pub fn families(&self) -> impl Iterator<Item = &dyn Family> {
        self.families.iter().map(|family| &**family)
    }

    /// The family with this id.
    pub fn family(&self, id: &str) -> Option<&dyn Family> {
        self.families().find(|family| family.spec().id == id)
    }

    /// The strategies that have names of their own, in the order of the list.
    pub fn listed(&self) -> Vec<Resolved<'_>> {
        let presets = |family| -> Vec<Resolved<'_>> {
            let family: &dyn Family = family;
            let all = family.spec().presets.iter();
            all.map(|preset| Resolved { family, options: preset.options.clone() }).collect()
        };
        self.families().flat_map(presets).collect()
    }

    /// The strategy with this canonical name.
    pub fn resolve(&self, name: &str) -> Option<Resolved<'_>> {
        self.families().find_map(|family| Some(Resolved { family, options: family.spec().read_name(name)? }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> FamilySpec {
        let options = vec![
            OptionSpec::choice("mode", ["eager", "lazy", "lazy-late"], ""),
            OptionSpec::integer("low", -2, -9, 9, ""),
            OptionSpec::flag("once", false, ""),
            OptionSpec::text("path", "", ""),
            OptionSpec::time("limit", ""),
        ];
        FamilySpec::new("f", "", options)
            .preset("f", &[])
            .preset("f-lazy", &[("mode", "lazy")])
            .preset("f-lazy-once", &[("mode", "lazy"), ("once", "true")])
    }

    /// The name of the defaults with these changes, which is read back.
    fn name_of(spec: &FamilySpec, changes: &[(&str, &str)]) -> String {
        let options = Options::defaults(&spec.options).with(&spec.options, changes);
        let name = spec.name(&options);
        assert_eq!(spec.read_name(&name), Some(options), "{name}");
        name
    }

    #[test]
    fn names_are_those_of_presets_and_what_differs() {
        let spec = spec();
        let name = |changes: &[(&str, &str)]| name_of(&spec, changes);
        assert_eq!(name(&[]), "f");
        assert_eq!(name(&[("mode", "lazy"), ("once", "true")]), "f-lazy-once");
        assert_eq!(name(&[("once", "true")]), "f-once-true");
        assert_eq!(name(&[("low", "-7")]), "f-low-minus-7");
        assert_eq!(name(&[("mode", "lazy-late"), ("once", "true")]), "f-lazy-once-mode-lazy-late");
        assert_eq!(name(&[("mode", "lazy"), ("limit", "3000ms")]), "f-lazy-limit-3s");
        assert_eq!(name(&[("path", "/a B-é+"), ("low", "3")]), "f-low-3-path-+2fa+20+42+2d+c3+a9+2b");
    }

    #[test]
    fn names_of_a_family_without_presets_begin_with_its_id() {
        let spec = FamilySpec::new(
            "f",
            "",
            vec![OptionSpec::command("run", ""), OptionSpec::flag("once", false, "")],
        );
        let name = |changes: &[(&str, &str)]| name_of(&spec, changes);
        assert_eq!(name(&[]), "f");
        assert_eq!(name(&[("run", "z3 -T:9"), ("once", "true")]), "f-run-z3+20+2d+54+3a9-once-true");
        assert_eq!(name(&[("run", "''")]), "f-run-+27+27");
    }

    #[test]
    fn only_canonical_names_are_read() {
        for wrong in [
            "f-",
            "g",
            "f-mode-lazy",
            "f-low-07",
            "f-low--7",
            "f-once",
            "f-once-true-low-3",
            "f-low-99",
            "f-x-1",
            "f-limit-3000ms",
        ] {
            assert_eq!(spec().read_name(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn options_that_exclude_each_other_have_no_name() {
        let spec = spec().check(|spec, options| match options.word("mode") {
            "eager" => spec.all_default(options, &["once"], "'mode: lazy'"),
            _ => Ok(()),
        });
        let options = Options::defaults(&spec.options).with(&spec.options, &[("once", "true")]);
        let conflict = Conflict { option: "once", why: "it changes nothing without 'mode: lazy'".into() };
        assert_eq!(spec.allows(&options), Err(conflict));
        assert_eq!(spec.read_name("f-once-true"), None);
        assert!(spec.read_name("f-lazy-once").is_some());
    }
}

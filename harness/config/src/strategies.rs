//! From names, patterns and families with options to the strategies of a study.

use std::path::{Component, Path, PathBuf};

use backends_api::{FamilySpec, Kind, OptionSpec, Options, Value};
use serde_saphyr::Spanned;

use crate::check::{Checker, Names};
use crate::config::{Contender, LeaveOut, Param};
use crate::names;
use crate::wire::{WireFamily, WireLeaveOut, WireOptions, WireParam, WireStrategy};

impl Checker<'_> {
    /// The strategies of the file, in its order.
    pub(crate) fn strategies(&mut self, list: &Spanned<Vec<Spanned<WireStrategy>>>) -> Vec<Contender> {
        if list.value.is_empty() {
            self.report(list, "there are no strategies: the list needs at least one name or pattern");
        }
        let mut all: Vec<Contender> = Vec::new();
        let mut named: Vec<&str> = Vec::new();
        for item in &list.value {
            match &item.value {
                WireStrategy::Name(name) if named.contains(&name.as_str()) => {
                    self.report(item, format!("the strategy '{name}' is there twice"));
                }
                WireStrategy::Name(name) => {
                    named.push(name);
                    // Patterns may overlap each other and plain names: each strategy is taken once, where it
                    // comes first.
                    for contender in self.by_name(item, name) {
                        if !all.contains(&contender) {
                            self.add(&mut all, contender, item);
                        }
                    }
                }
                WireStrategy::Family(family) => {
                    if let Some(contender) = self.by_family(family) {
                        match &family.name {
                            Some(name) => self.add(&mut all, contender, name),
                            None => self.add(&mut all, contender, item),
                        }
                    }
                }
            }
        }
        all
    }

    /// Adds a strategy whose name no other has.
    fn add<T>(&mut self, all: &mut Vec<Contender>, contender: Contender, at: &Spanned<T>) {
        if all.iter().any(|other| other.name == contender.name) {
            self.report(at, format!("the strategy '{}' is there twice", contender.name));
        } else {
            all.push(contender);
        }
    }

    /// The strategies that a name or pattern means; a problem when there are none.
    fn by_name<T>(&mut self, item: &Spanned<T>, name: &str) -> Vec<Contender> {
        let vocabulary = self.vocabulary;
        let listed = vocabulary.listed().filter(|listed| names::matches(name, listed));
        let mut found: Vec<Contender> = listed.filter_map(|listed| vocabulary.resolve(listed)).collect();
        if found.is_empty() {
            found.extend(vocabulary.resolve(name));
        }
        if found.is_empty() {
            self.no_strategy(item, name);
        }
        found
    }

    /// Says that there is no such strategy, and what to do.
    fn no_strategy<T>(&mut self, item: &Spanned<T>, name: &str) {
        let message = match (self.elsewhere(name), names::nearest(name, self.vocabulary.listed())) {
            (Some(why), _) => format!("the strategy '{name}' is not in this build: {why}"),
            (None, _) if names::is_pattern(name) => {
                format!("no strategy matches '{name}': 'harness list strategies' shows what there is")
            }
            (None, Some(near)) => format!("there is no strategy '{name}': did you mean '{near}'?"),
            (None, None) => {
                format!("there is no strategy '{name}': 'harness list strategies' shows what there is")
            }
        };
        self.report(item, message);
    }

    /// Why a strategy or family of that name is not in this build, if another build has it.
    fn elsewhere(&self, name: &str) -> Option<&str> {
        let unavailable = self.vocabulary.unavailable.iter();
        let mut fits =
            unavailable.filter(|u| names::matches(&u.pattern, name) || names::matches(name, &u.pattern));
        fits.next().map(|u| u.why.as_str())
    }

    /// The strategy of a family with options; a problem when there is none.
    fn by_family(&mut self, wire: &WireFamily) -> Option<Contender> {
        let vocabulary = self.vocabulary;
        let id = wire.family.value.as_str();
        let Some(family) = vocabulary.families.iter().find(|family| family.id == id) else {
            let message = match self.elsewhere(id) {
                Some(why) => format!("the family '{id}' is not in this build: {why}"),
                None => {
                    let hint = names::hint(id, vocabulary.families.iter().map(|family| family.id));
                    format!("there is no family of strategies '{id}'{hint}")
                }
            };
            self.report(&wire.family, message);
            return None;
        };
        let before = self.diagnostics.len();
        let options = self.options(family, &wire.options);
        if self.diagnostics.len() == before
            && let Err(conflict) = family.allows(&options)
        {
            let message = format!("the option '{}': {}", conflict.option, conflict.why);
            match wire.options.0.iter().find(|(name, _)| name.value == conflict.option) {
                Some((_, value)) => self.report(value, message),
                None => self.report(&wire.family, message),
            }
        }
        let contender = Contender::new(wire.name.as_ref().map(|n| n.value.clone()), family, &options);
        if let Some(name) = &wire.name {
            self.own_name(name, &contender);
        }
        (self.diagnostics.len() == before).then_some(contender)
    }

    /// A name that the file gives: good for files, and not that of another strategy.
    fn own_name(&mut self, name: &Spanned<String>, contender: &Contender) {
        let ok = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-+._".contains(c);
        if name.value.is_empty() || !name.value.chars().all(ok) {
            let message = format!(
                "the name '{}' should be made of lower-case letters, digits, '-', '+', '.' and '_'",
                name.value
            );
            self.report(name, message);
        } else if self
            .vocabulary
            .resolve(&name.value)
            .is_some_and(|other| other.canonical != contender.canonical)
        {
            self.report(name, format!("'{}' is the name of another strategy", name.value));
        }
    }

    /// The options of a family with what the file says of them.
    fn options(&mut self, family: &FamilySpec, wire: &WireOptions) -> Options {
        let mut options = Options::defaults(&family.options);
        for (place, (name, value)) in wire.0.iter().enumerate() {
            let Some(spec) = family.options.iter().find(|spec| spec.name == name.value) else {
                let hint = names::hint(&name.value, family.options.iter().map(|spec| spec.name));
                let message = match family.options.as_slice() {
                    [] => format!("the family '{}' has no options", family.id),
                    _ => format!("the family '{}' has no option '{}'{hint}", family.id, name.value),
                };
                self.report(name, message);
                continue;
            };
            if wire.0[..place].iter().any(|(earlier, _)| earlier.value == name.value) {
                self.report(name, format!("the option '{}' is there twice", name.value));
                continue;
            }
            let text = text(&value.value);
            let read = match (&spec.kind, &value.value.0) {
                (Kind::Command, Param::List(words)) => self.words(value, spec, words),
                _ => Some(spec.kind.parse(&text)),
            };
            let Some(read) = read else { continue };
            match read {
                // What a word may stand for, a text may; a number or a truth value has no quotation marks.
                Ok(Value::Integer(_) | Value::Flag(_)) if matches!(value.value.0, Param::Text(_)) => {
                    let message = format!(
                        "the option '{}': expected {}, found the text \"{text}\"",
                        spec.name, spec.kind
                    );
                    self.report(value, message);
                }
                Ok(Value::Command(words)) => options.set(spec, Value::Command(self.beside_config(words))),
                Ok(value) => options.set(spec, value),
                Err(expected) => {
                    let near = match &spec.kind {
                        Kind::Choice(choices) => names::nearest(&text, choices.iter().copied()),
                        Kind::Flag
                        | Kind::Integer { .. }
                        | Kind::Numbers { .. }
                        | Kind::Time
                        | Kind::Text
                        | Kind::Command => None,
                    };
                    let hint = near.map_or_else(String::new, |near| format!(": did you mean '{near}'?"));
                    self.report(value, format!("the option '{}': {expected}{hint}", spec.name));
                }
            }
        }
        options
    }

    /// The words of a command that is written as a list; `None` when one of them is no word, which is
    /// reported.
    fn words(
        &mut self,
        at: &Spanned<WireParam>,
        spec: &OptionSpec,
        words: &[Param],
    ) -> Option<Result<Value, String>> {
        let mut all = Vec::new();
        for word in words {
            match word {
                Param::Text(word) if !word.contains('\0') => all.push(word.clone()),
                // How a number was written is not known any more: 0x10, 007 and 1e3 would be other words.
                Param::Text(_) | Param::Int(_) | Param::Float(_) | Param::Bool(_) | Param::List(_) => {
                    let found = text(&WireParam(word.clone()));
                    let message = format!(
                        "the option '{}': expected {}, found '{found}' in the list: a word that is or looks like another \
                         thing, such as a number, needs quotation marks",
                        spec.name, spec.kind
                    );
                    self.report(at, message);
                    return None;
                }
            }
        }
        Some(Ok(Value::Command(all)))
    }

    /// A command as it is started from the working directory: a program that is given with a folder is looked
    /// for from the folder of the file on. However that folder is written, it is the same command, so that
    /// plans are the same.
    fn beside_config(&self, mut words: Vec<String>) -> Vec<String> {
        if let Some(program) = words.first_mut()
            && program.contains('/')
            && let Some(path) = from_here(&self.base.join(&*program), Path::new(&*program)).to_str()
        {
            *program = path.to_owned();
            // Without a folder it would be looked for elsewhere.
            if !program.contains('/') {
                program.insert_str(0, "./");
            }
        }
        words
    }

    /// A cell of the grid that is not run; `among` are the strategies of the file, if these are known.
    pub(crate) fn leave_out(&mut self, wire: &WireLeaveOut, among: Option<&[String]>) -> LeaveOut {
        let before = self.diagnostics.len();
        let mut strategies = self.names_among(&wire.strategies, among);
        if let Some(among) = among
            && self.diagnostics.len() == before
        {
            strategies.retain(|name| among.contains(name));
            if strategies.is_empty() && !wire.strategies.value.is_empty() {
                self.report(&wire.strategies, "none of these is among the strategies of this file");
            }
        }
        let alphabets = self.alphabets(&wire.alphabets);
        if wire.because.value.trim().is_empty() {
            self.report(&wire.because, "say why: the reason is printed with the results");
        }
        LeaveOut { strategies, alphabets, because: wire.because.value.trim().to_owned() }
    }

    /// The names that names and patterns mean: of the strategies of the file, or else of those that are
    /// listed.
    fn names_among(&mut self, list: &Names, among: Option<&[String]>) -> Vec<String> {
        if list.value.is_empty() {
            self.report(list, "there are no strategies: the list needs at least one name or pattern");
        }
        let mut all: Vec<String> = Vec::new();
        for (place, item) in list.value.iter().enumerate() {
            if list.value[..place].iter().any(|earlier| earlier.value == item.value) {
                self.report(item, format!("the strategy '{}' is there twice", item.value));
                continue;
            }
            let of_file = among.unwrap_or_default().iter().filter(|name| names::matches(&item.value, name));
            let mut found: Vec<String> = of_file.cloned().collect();
            if found.is_empty() {
                found = self.by_name(item, &item.value).into_iter().map(|contender| contender.name).collect();
            }
            for name in found {
                if !all.contains(&name) {
                    all.push(name);
                }
            }
        }
        all
    }
}

/// The path `whole` of what is `written` in a file, as one from the working directory on; one that is written
/// from the root on stays that.
fn from_here(whole: &Path, written: &Path) -> PathBuf {
    let here = std::env::current_dir();
    let (Ok(here), Ok(whole), true) = (here, std::path::absolute(whole), written.is_relative()) else {
        return whole.to_owned();
    };
    // A `..` behind a link leads to where the link leads, so the folder is resolved first.
    let folder = whole.parent().and_then(|folder| folder.canonicalize().ok());
    let (Some(folder), Some(name), Ok(real)) = (folder, whole.file_name(), here.canonicalize()) else {
        return relative(&whole, &here);
    };
    relative(&folder.join(name), &real)
}

/// The path `whole` from the folder `here` on, both from the root on.
fn relative(whole: &Path, here: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in whole.components() {
        match (part, parts.last()) {
            (Component::ParentDir, Some(Component::Normal(_))) => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    let common = parts.iter().zip(here.components()).take_while(|(a, b)| **a == *b).count();
    let up = here.components().skip(common).map(|_| Component::ParentDir);
    up.chain(parts.iter().skip(common).copied()).collect()
}

/// The value of an option as text.
fn text(value: &WireParam) -> String {
    fn of(value: &Param) -> String {
        match value {
            Param::Int(value) => value.to_string(),
            // With its point, so that no whole number comes of it.
            Param::Float(value) => format!("{value:?}"),
            Param::Bool(value) => value.to_string(),
            Param::Text(value) => value.clone(),
            Param::List(values) => format!("[{}]", values.iter().map(of).collect::<Vec<_>>().join(", ")),
        }
    }
    of(&value.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_the_same_however_it_is_written() {
        let here = Path::new("/work/study");
        for (whole, expected) in [
            ("/work/study/solvers/./a", "solvers/a"),
            ("/work/study/configs/../solvers/a", "solvers/a"),
            ("/work/study/a", "a"),
            ("/work/tools/a", "../tools/a"),
            ("/opt/a", "../../opt/a"),
        ] {
            assert_eq!(relative(Path::new(whole), here), Path::new(expected), "{whole}");
        }
        let other = here.join("other/c");
        for (whole, written, expected) in [
            (
                Path::new("../tools/a"),
                "tools/a",
                from_here(&std::env::current_dir().unwrap().join("../tools/a"), "a".as_ref()),
            ),
            (&other, "/usr/bin/c", other.clone()),
        ] {
            assert_eq!(from_here(whole, Path::new(written)), expected);
        }
    }

    #[test]
    fn what_is_above_a_folder_that_is_a_link_is_above_what_it_leads_to() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["real/configs", "real/bin", "bin"] {
            std::fs::create_dir_all(at(name)).unwrap();
        }
        for name in ["real/bin/s", "bin/s"] {
            std::fs::write(at(name), "").unwrap();
        }
        std::os::unix::fs::symlink("real/configs", at("configs")).unwrap();
        let found = from_here(&at("configs/../bin/s"), "../bin/s".as_ref());
        let meant = std::fs::canonicalize(at("real/bin/s")).unwrap();
        assert_eq!(std::fs::canonicalize(found).unwrap(), meant);
    }
}

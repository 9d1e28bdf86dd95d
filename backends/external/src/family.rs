//! The family `external`: how a program is started, given a script and asked for a model, as options.
//!
//! It has no presets, so that it lists no strategy: which programs there are is for configurations to say.

use backends_api::{Conflict, Family, FamilySpec, OptionSpec, Options, Strategy};

use crate::command;
use crate::script::{Dialect, Models};
use crate::strategy::{External, Given};

/// Programs that solve SMT-LIB scripts.
pub struct ExternalFamily {
    spec: FamilySpec,
}

impl ExternalFamily {
    /// The family.
    pub fn new() -> Self {
        let options = vec![
            OptionSpec::command(
                "command",
                "the program and its arguments, of which {file} stands for the script, and {wall_s}, {wall_ms}, \
                 {cpu_s}, {cpu_ms}, {memory_mib} for the limits of a record",
            ),
            OptionSpec::command(
                "version",
                "what prints the version, the first line of which is kept with the run; without it, the program \
                 with --version",
            ),
            OptionSpec::choice(
                "script",
                Given::ALL.map(Given::name),
                "how the program is given the script: as the file {file}, which is the last argument where no \
                 argument says so, or on its standard input",
            ),
            OptionSpec::choice(
                "dialect",
                Dialect::ALL.map(Dialect::name),
                "in what the script is written; 2.5 has str.in.re, the escapes of C, and 256 characters",
            ),
            OptionSpec::text(
                "logic",
                "",
                "the logic that is set; without it, that of the script, or else QF_SLIA",
            ),
            OptionSpec::choice(
                "models",
                Models::ALL.map(Models::name),
                "how the program is asked for a model: by get-model, by get-value of all variables, or not at all",
            ),
            OptionSpec::flag("exit", true, "whether the script ends with (exit)"),
        ];
        let summary = "a program of its own that solves SMT-LIB scripts: a run of it for each check-sat";
        Self { spec: FamilySpec::new("external", summary, options).check(check) }
    }
}

impl Default for ExternalFamily {
    fn default() -> Self {
        Self::new()
    }
}

/// Refuses commands that start nothing, or that say what nothing stands for.
fn check(_: &FamilySpec, options: &Options) -> Result<(), Conflict> {
    let refuse = |option, why: String| Err(Conflict { option, why });
    let words = options.command("command");
    let Some(program) = words.first().filter(|program| !program.is_empty()) else {
        let why = "it names no program: a list such as [cvc5, --strings-exp] is wanted";
        return refuse("command", why.to_owned());
    };
    if program.contains('{') {
        return refuse("command", "the program itself has no placeholders, only its arguments do".to_owned());
    }
    for word in words {
        if let Some(unknown) = command::unknown_placeholder(word) {
            let known = command::PLACEHOLDERS.join(", ");
            return refuse("command", format!("nothing is known to stand for {unknown}: there are {known}"));
        }
    }
    let by_file = words.iter().any(|word| word.contains(command::FILE));
    if by_file && options.one_of("script", &Given::ALL, Given::name) == Given::Input {
        let why = format!("there is no {} where the script is given on standard input", command::FILE);
        return refuse("command", why);
    }
    if options.command("version").first().is_some_and(String::is_empty) {
        return refuse(
            "version",
            "it names no program: a list such as [cvc5, --version] is wanted".to_owned(),
        );
    }
    Ok(())
}

impl Family for ExternalFamily {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        Box::new(External {
            name: self.spec.name(options),
            command: options.command("command").to_vec(),
            version: options.command("version").to_vec(),
            given: options.one_of("script", &Given::ALL, Given::name),
            dialect: options.one_of("dialect", &Dialect::ALL, Dialect::name),
            logic: options.text("logic").to_owned(),
            models: options.one_of("models", &Models::ALL, Models::name),
            exit: options.flag("exit"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conflict(changes: &[(&str, &str)]) -> Option<Conflict> {
        let family = ExternalFamily::new();
        let options = Options::defaults(&family.spec.options).with(&family.spec.options, changes);
        family.spec.allows(&options).err()
    }

    /// A worker is asked for a program by its name alone.
    #[test]
    fn every_set_of_options_has_a_name_that_is_read_back() {
        let family = ExternalFamily::new();
        let specs = &family.spec.options;
        for changes in [
            &[("command", "z3")] as &[_],
            &[("command", "/opt/a\\ b/z3 -T:{wall_s} 'it''s' --x=\"y z\""), ("version", "z3 -v")],
            &[("command", "cvc5 é"), ("script", "stdin"), ("logic", "ALL-1"), ("models", "none")],
            &[("command", "s3"), ("dialect", "smtlib-2-5"), ("models", "get-value"), ("exit", "false")],
        ] {
            let options = Options::defaults(specs).with(specs, changes);
            let name = family.spec.name(&options);
            assert!(name.starts_with("external-command-"), "{name}");
            assert_eq!(family.build(&options).info().name, name);
            assert_eq!(family.spec.read_name(&name), Some(options), "{name}");
        }
    }

    #[test]
    fn commands_that_cannot_be_meant_are_refused() {
        assert_eq!(conflict(&[("command", "z3 -T:{wall_s} {file}")]), None);
        assert_eq!(conflict(&[("command", "sh -c 'f() { x; }; f {a} {{file}}'")]).unwrap().option, "command");
        for (changes, option, part) in [
            (&[] as &[_], "command", "it names no program"),
            (&[("command", "''")], "command", "it names no program"),
            (&[("command", "{file}")], "command", "the program itself"),
            (&[("command", "z3 {wall_h}")], "command", "stand for {wall_h}: there are {file}, {wall_s}, "),
            (&[("command", "z3 {file}"), ("script", "stdin")], "command", "there is no {file}"),
            (&[("command", "z3"), ("version", "''")], "version", "it names no program"),
        ] {
            let found = conflict(changes).unwrap();
            assert_eq!(found.option, option);
            assert!(found.why.contains(part), "{}", found.why);
        }
    }
}

//! What a program is given: a script with one `check-sat`.

use std::fmt::Write as _;

use harness_smtlib::print;
use harness_theory::Problem;

use crate::old;

/// Strings and linear integers: the logic of a script that names none.
const LOGIC: &str = "QF_SLIA";

/// How a program is asked for a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Models {
    /// By `get-model`.
    GetModel,
    /// By `get-value` of all variables.
    GetValue,
    /// Not at all.
    None,
}

impl Models {
    /// All of them; the first is the default.
    pub const ALL: [Self; 3] = [Self::GetModel, Self::GetValue, Self::None];

    /// The name in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::GetModel => "get-model",
            Self::GetValue => "get-value",
            Self::None => "none",
        }
    }
}

/// The dialect of scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// SMT-LIB 2.6 and later.
    Current,
    /// Before 2.6: `str.in.re`, the escapes of C, characters up to U+00FF.
    Old,
}

impl Dialect {
    /// Both; the first is the default.
    pub const ALL: [Self; 2] = [Self::Current, Self::Old];

    /// The name in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Current => "smtlib-2-7",
            Self::Old => "smtlib-2-5",
        }
    }
}

/// The script that asks for `problem`, whose first `own` variables are of interest. `set` is the logic to be
/// set, if it is not empty; else it is `named`, the one that the task's script names.
///
/// # Errors
///
/// When the dialect lacks something that the problem has: what.
pub fn text(
    problem: &Problem,
    own: usize,
    (set, named): (&str, Option<&str>),
    dialect: Dialect,
    models: Models,
    exit: bool,
) -> Result<String, String> {
    let logic = if set.is_empty() { named.unwrap_or(LOGIC) } else { set };
    let mut text = match models {
        Models::None => String::new(),
        Models::GetModel | Models::GetValue => "(set-option :produce-models true)\n".to_owned(),
    };
    text.push_str(&print::problem(problem, logic, None));
    let variables = &problem.variables[..own.min(problem.variables.len())];
    match models {
        Models::GetModel => text.push_str("(get-model)\n"),
        Models::GetValue if !variables.is_empty() => {
            let names = variables.iter().map(|v| print::symbol(&problem.terms.variables()[v.index()].name));
            let _ = writeln!(text, "(get-value ({}))", names.collect::<Vec<_>>().join(" "));
        }
        Models::GetValue | Models::None => {}
    }
    if exit {
        text.push_str("(exit)\n");
    }
    match dialect {
        Dialect::Current => Ok(text),
        Dialect::Old => old::script(&text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_was_asked_for() {
        let script = b"(set-logic QF_S)(declare-const |a b| String)(declare-const n Int)\
            (assert (= (str.len |a b|) n))(check-sat)";
        let problem = harness_smtlib::read(script).unwrap().queries.remove(0).problem;
        let of = |set, models, exit| {
            text(&problem, 1, (set, Some("QF_S")), Dialect::Current, models, exit).unwrap()
        };
        let body = "(declare-const |a b| String)\n(declare-const n Int)\n(assert (= (str.len |a b|) n))\n(check-sat)\n";
        let option = "(set-option :produce-models true)\n";
        assert_eq!(
            of("", Models::GetModel, true),
            format!("{option}(set-logic QF_S)\n{body}(get-model)\n(exit)\n")
        );
        assert_eq!(
            of("ALL", Models::GetValue, false),
            format!("{option}(set-logic ALL)\n{body}(get-value (|a b|))\n")
        );
        assert_eq!(of("", Models::None, false), format!("(set-logic QF_S)\n{body}"));
        let unnamed = |dialect| text(&problem, 1, ("", None), dialect, Models::None, false).unwrap();
        assert!(unnamed(Dialect::Current).starts_with("(set-logic QF_SLIA)\n"));
        assert!(unnamed(Dialect::Old).starts_with("(set-info :smt-lib-version 2.5)\n(set-logic QF_SLIA)\n"));
    }
}

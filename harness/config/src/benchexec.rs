//! Task files of BenchExec, of which the script and the expected verdict are used.
//!
//! The format lets a file have keys of any other program, so unknown ones are passed over.

use serde::Deserialize;

use crate::config::Param;
use crate::plain::Plain;
use crate::wire::WireParam;

/// What a task file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchExecTask {
    /// `input_files`, relative to the file.
    pub inputs: Vec<String>,
    /// The first `expected_verdict` of its properties: whether the script is satisfiable.
    pub expected: Option<bool>,
}

#[derive(Deserialize)]
struct WireTask {
    input_files: WireParam,
    #[serde(default)]
    properties: Vec<WireProperty>,
}

#[derive(Deserialize)]
struct WireProperty {
    expected_verdict: Option<Plain>,
}

/// Reads the text of a task file.
///
/// # Errors
///
/// When it is none; where and why.
pub fn read(text: &str) -> Result<BenchExecTask, String> {
    let wire: WireTask = serde_saphyr::from_str(text).map_err(|error| {
        let message = error.to_string();
        format!("this is no task file of BenchExec: {}", message.lines().next().unwrap_or_default())
    })?;
    let text_of = |value: &Param| match value {
        Param::Text(name) if !name.is_empty() => Ok(name.clone()),
        Param::Text(_) | Param::Int(_) | Param::Float(_) | Param::Bool(_) | Param::List(_) => {
            Err("'input_files' has to be the name of a file, or a list of names".to_owned())
        }
    };
    let inputs = match &wire.input_files.0 {
        Param::List(names) => names.iter().map(text_of).collect::<Result<_, _>>()?,
        name @ (Param::Text(_) | Param::Int(_) | Param::Float(_) | Param::Bool(_)) => vec![text_of(name)?],
    };
    let expected = match wire.properties.iter().find_map(|property| property.expected_verdict.as_ref()) {
        None => None,
        Some(Plain::Truth(satisfiable)) => Some(*satisfiable),
        Some(Plain::Text(word)) if word == "sat" => Some(true),
        Some(Plain::Text(word)) if word == "unsat" => Some(false),
        Some(
            other @ (Plain::Text(_)
            | Plain::Whole(_)
            | Plain::Fraction(_)
            | Plain::Nothing
            | Plain::List
            | Plain::Keys),
        ) => {
            return Err(format!("'expected_verdict' is true or sat, or false or unsat, found {other}"));
        }
    };
    Ok(BenchExecTask { inputs, expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_or_their_fault_is_told() {
        let task = |inputs: &[&str], expected| {
            Ok(BenchExecTask { inputs: inputs.iter().map(|&i| i.to_owned()).collect(), expected })
        };
        let head = "format_version: '2.0'\n";
        let property = "properties:\n  - property_file: p.prp\n    expected_verdict:";
        for (text, expected) in [
            ("input_files: a.smt2\n".to_owned(), task(&["a.smt2"], None)),
            (
                format!("input_files: ['a.smt2', b.smt2]\n{property} true\n"),
                task(&["a.smt2", "b.smt2"], Some(true)),
            ),
            (
                format!("input_files: a.smt2\n{property} unsat\noptions: {{language: SMT}}\n"),
                task(&["a.smt2"], Some(false)),
            ),
        ] {
            assert_eq!(read(&format!("{head}{text}")), expected, "{text}");
        }
        for (text, part) in [
            ("properties: []", "no task file of BenchExec: "),
            ("input_files: 3", "'input_files' has to be the name"),
            ("input_files: []\nproperties: [{expected_verdict: maybe}]", "'expected_verdict' is true or sat"),
            ("input_files: [", "no task file of BenchExec: "),
        ] {
            let why = read(text).unwrap_err();
            assert!(why.contains(part), "{why}");
        }
    }
}

//! `harness lower FILE [--alphabet A] [--utf8]`

use std::path::Path;

use harness_model::SystemFormat;
use harness_smtlib::print;
use harness_theory::lower;

use crate::cmd::system;
use crate::exit::Exit;
use crate::out;
use crate::problem::{self, Text, Unsupported};

/// Strings and linear integers; what a script that names no logic is printed with.
const LOGIC: &str = "QF_SLIA";

/// Prints the script that systems of regular constraints are; or the script without Java's operations, which
/// are written out for strings over `alphabet`: each `check-sat` by itself with all that is asserted there,
/// `reset` between them.
pub fn run(path: &Path, text: Text) -> anyhow::Result<Exit> {
    let alphabet = text.alphabet;
    let ending = path.extension().and_then(|ending| ending.to_str()).and_then(SystemFormat::of_ending);
    if let Some(format @ (SystemFormat::Dprle | SystemFormat::Hampi)) = ending {
        out::print(system::as_script(path, format, alphabet)?)?;
        return Ok(Exit::Fine);
    }
    let file = match problem::read(path, text, Unsupported::Error)? {
        Ok(file) => file,
        Err(exit) => return Ok(exit),
    };
    let script = lower::unfold_script(file.script, alphabet, |_| false);
    let logic = script.logic.as_deref().unwrap_or(LOGIC);
    for (i, query) in script.queries.iter().enumerate() {
        if i > 0 {
            out::print("(reset)\n")?;
        }
        let java = lower::has_other_than(&query.problem, |_| false);
        let lowered = java.then(|| lower::with_fresh_variables(&query.problem, alphabet, |_| false));
        out::print(print::problem(lowered.as_ref().unwrap_or(&query.problem), logic, query.status))?;
        if query.get_model {
            out::print("(get-model)\n")?;
        }
    }
    Ok(Exit::Fine)
}

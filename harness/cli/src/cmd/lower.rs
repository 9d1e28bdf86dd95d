//! `harness lower FILE`

use std::path::Path;

use harness_smtlib::print;
use harness_theory::lower;

use crate::exit::Exit;
use crate::{out, problem};

/// Strings and linear integers; what a script that names no logic is printed with.
const LOGIC: &str = "QF_SLIA";

/// Prints the script without Java's operations: each `check-sat` by itself with all that is asserted there,
/// `reset` between them.
pub fn run(path: &Path) -> anyhow::Result<Exit> {
    let file = match problem::read(path)? {
        Ok(file) => file,
        Err(exit) => return Ok(exit),
    };
    let logic = file.script.logic.as_deref().unwrap_or(LOGIC);
    for (i, query) in file.script.queries.iter().enumerate() {
        if i > 0 {
            out::print("(reset)\n")?;
        }
        let problem = lower::lower(&query.problem, |op| !op.is_java());
        out::print(print::problem(&problem, logic, query.status))?;
        if query.get_model {
            out::print("(get-model)\n")?;
        }
    }
    Ok(Exit::Fine)
}

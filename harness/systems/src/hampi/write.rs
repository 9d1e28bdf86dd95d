//! Systems of one variable as HAMPI's files.

use std::fmt::Write as _;

use harness_model::{Alphabet, Char, CharSet, Regex, SmtString};

use crate::system::{Piece, Relation, System};

/// The longest file that is written, in bytes.
const LONGEST: usize = 16 << 20;

/// A file that asks for a value of the only variable of `system`, of `low` to `high` characters.
///
/// HAMPI repeats by `star` alone, so other repetitions are written out.
///
/// # Errors
///
/// When there is another number of variables, an expression has an intersection or a complement inside, an
/// automaton has no short expression, or the file would be too long.
pub fn write(system: &System, (low, high): (u32, u32), alphabet: Alphabet) -> Result<String, String> {
    let [variable] = system.variables.as_slice() else {
        return Err(format!(
            "HAMPI has exactly one variable, and this system has {}",
            system.variables.len()
        ));
    };
    let name = identifier(variable);
    let mut out = match low == high {
        true => format!("var {name} : {low};\n"),
        false => format!("var {name} : {low} .. {high};\n"),
    };
    for (number, constraint) in system.constraints.iter().enumerate() {
        let mut parts = Vec::new();
        for piece in &constraint.pieces {
            parts.push(match piece {
                Piece::Variable(_) => name.clone(),
                Piece::Word(word) => text(word)?,
            });
        }
        let value = match parts.as_slice() {
            [] => "\"\"".to_owned(),
            [only] => only.clone(),
            _ => format!("concat({})", parts.join(", ")),
        };
        let regex = constraint.language.regex().map_err(|error| error.to_string())?;
        let mut expression = String::new();
        expression_of(&regex, alphabet, &mut expression)?;
        let not = match constraint.relation {
            Relation::In => "",
            Relation::NotIn => "not ",
        };
        let _ = writeln!(out, "val value{number} := {value};\nreg language{number} := {expression};");
        let _ = writeln!(out, "assert value{number} {not}in language{number};");
        if out.len() > LONGEST {
            return Err(format!("the file would have more than {LONGEST} bytes"));
        }
    }
    Ok(out)
}

fn identifier(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let digits = name.chars().all(|c| c.is_ascii_digit());
    if plain && !digits && !["star", "or", "concat", "fix"].contains(&name) {
        name.to_owned()
    } else {
        format!("`{}`", name.replace('`', "'"))
    }
}

/// A word: what double quotes can hold, and codes for the rest.
fn text(word: &SmtString) -> Result<String, String> {
    let plain = |c: &Char| (0x20..0x7f).contains(&c.0);
    if word.chars().iter().all(plain) {
        let escaped =
            word.chars().iter().filter_map(|c| char::from_u32(c.0)).fold(String::new(), |mut all, c| {
                if matches!(c, '"' | '\\') {
                    all.push('\\');
                }
                all.push(c);
                all
            });
        return Ok(format!("\"{escaped}\""));
    }
    let codes = word.chars().iter().map(|c| code(c.0)).collect::<Result<Vec<_>, _>>()?;
    Ok(if let [only] = codes.as_slice() { only.clone() } else { format!("concat({})", codes.join(", ")) })
}

fn code(c: u32) -> Result<String, String> {
    if c > 255 {
        Err(format!("HAMPI has bytes only, and U+{c:04X} is none"))
    } else {
        Ok(format!("\\{c:03}"))
    }
}

enum Task<'r> {
    Regex(&'r Regex),
    Text(&'static str),
}

/// What writes a call, in reverse: what is last is done first.
fn joined<'r>(head: &'static str, parts: impl IntoIterator<Item = &'r Regex>) -> Vec<Task<'r>> {
    let mut tasks = vec![Task::Text(head)];
    for (place, part) in parts.into_iter().enumerate() {
        if place > 0 {
            tasks.push(Task::Text(", "));
        }
        tasks.push(Task::Regex(part));
    }
    tasks.push(Task::Text(")"));
    tasks.reverse();
    tasks
}

fn expression_of(regex: &Regex, alphabet: Alphabet, out: &mut String) -> Result<(), String> {
    let mut todo = vec![Task::Regex(regex)];
    while let Some(task) = todo.pop() {
        if out.len() > LONGEST || todo.len() > LONGEST {
            return Err(format!("the file would have more than {LONGEST} bytes"));
        }
        match task {
            Task::Text(text) => out.push_str(text),
            Task::Regex(regex) => match regex {
                Regex::Empty => return Err("HAMPI has no expression without words".to_owned()),
                Regex::Epsilon => out.push_str("\"\""),
                Regex::Set(set) => set_of(&set.cut_to(alphabet), out)?,
                Regex::Concat(parts) | Regex::Union(parts) if parts.len() == 1 => {
                    todo.push(Task::Regex(&parts[0]));
                }
                Regex::Concat(parts) if parts.is_empty() => out.push_str("\"\""),
                Regex::Union(parts) if parts.is_empty() => {
                    return Err("HAMPI has no expression without words".to_owned());
                }
                Regex::Concat(parts) => todo.extend(joined("concat(", parts.iter())),
                Regex::Union(parts) => todo.extend(joined("or(", parts.iter())),
                Regex::Repeat { inner, min: 0, max: None } => todo.extend(joined("star(", [&**inner])),
                Regex::Repeat { inner, min, max } => {
                    let most = max.unwrap_or(*min) as usize;
                    if most > LONGEST || max.is_some_and(|max| max < *min) {
                        return Err("HAMPI has no such repetition".to_owned());
                    }
                    let mut tasks = vec![Task::Text("concat(\"\"")];
                    for _ in 0..*min {
                        tasks.extend([Task::Text(", "), Task::Regex(inner)]);
                    }
                    for _ in *min as usize..most {
                        tasks.extend([Task::Text(", or(\"\", "), Task::Regex(inner), Task::Text(")")]);
                    }
                    if max.is_none() {
                        tasks.extend([Task::Text(", star("), Task::Regex(inner), Task::Text(")")]);
                    }
                    tasks.push(Task::Text(")"));
                    todo.extend(tasks.into_iter().rev());
                }
                Regex::Inter(_) | Regex::Complement(_) => {
                    return Err(
                        "HAMPI has no intersection and no complement inside of an expression".to_owned()
                    );
                }
            },
        }
    }
    Ok(())
}

fn set_of(set: &CharSet, out: &mut String) -> Result<(), String> {
    let mut ranges = Vec::new();
    for &(low, high) in set.ranges() {
        ranges.push(if low == high { code(low)? } else { format!("[{}-{}]", code(low)?, code(high)?) });
    }
    match ranges.as_slice() {
        [] => return Err("HAMPI has no expression without words".to_owned()),
        [only] => out.push_str(only),
        _ => {
            let _ = write!(out, "or({})", ranges.join(", "));
        }
    }
    Ok(())
}

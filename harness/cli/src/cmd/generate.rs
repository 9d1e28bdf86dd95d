//! `harness generate CONFIG --out DIR`

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};
use harness_model::Task;

use crate::exit::Exit;
use crate::study::Study;
use crate::{cmd, out};

/// Writes the tasks of the study at `path` into `dir`.
pub fn run(path: &Path, dir: &Path) -> anyhow::Result<Exit> {
    let config = cmd::compare::read(path)?;
    let study = Study::of(&config)?;
    for line in &study.bad {
        out::tell(format_args!("left out: {line}"));
    }
    fs::create_dir_all(dir).with_context(|| format!("{}: cannot make the directory", dir.display()))?;
    let mut lines = String::new();
    let mut table = String::from("id\tfamily\talphabet\toperation\tleft\tright\texpected\n");
    for task in &study.tasks {
        lines.push_str(&serde_json::to_string(task)?);
        lines.push('\n');
        rows(&mut table, task);
    }
    put(&dir.join("tasks.jsonl"), &lines)?;
    put(&dir.join("tasks.tsv"), &table)?;
    let families: String =
        study.families().iter().map(|(family, number)| format!("{number:>8}  {family}\n")).collect();
    out::print(format_args!(
        "{families}{:>8}  tasks in {}: tasks.jsonl, tasks.tsv\n",
        study.tasks.len(),
        dir.display()
    ))?;
    Ok(Exit::Fine)
}

/// A row for every operation of the task.
fn rows(table: &mut String, task: &Task) {
    for (i, operation) in task.question.operations.iter().enumerate() {
        let pattern = |index: usize| task.question.regexes.get(index).map_or("", |r| r.pattern.as_str());
        let expected = task.expected.as_ref().and_then(|e| e.verdicts.get(i)).map_or("", |v| v.name());
        let cells = [
            &task.id,
            &task.family,
            task.question.alphabet.name(),
            operation.kind.name(),
            pattern(operation.left),
            pattern(operation.right),
            expected,
        ];
        let _ = writeln!(table, "{}", cells.map(escape).join("\t"));
    }
}

/// A tab or a line end inside a cell would break the row.
fn escape(cell: &str) -> String {
    cell.replace('\\', r"\\").replace('\t', r"\t").replace('\n', r"\n").replace('\r', r"\r")
}

/// Writes a file that is not there, or that is there with the same content; the same study gives the same bytes.
fn put(path: &Path, content: &str) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|there| there == content.as_bytes()) {
        return Ok(());
    }
    if path.exists() {
        bail!("{}: there are other tasks here already: choose another --out, or delete it", path.display());
    }
    fs::write(path, content).with_context(|| format!("{}: cannot write", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_stays_a_cell() {
        assert_eq!(escape("a\tb\\d\n"), r"a\tb\\d\n");
    }

    #[test]
    fn other_content_is_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tasks.tsv");
        put(&path, "a").unwrap();
        put(&path, "a").unwrap();
        assert!(put(&path, "b").unwrap_err().to_string().contains("choose another --out"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "a");
    }
}

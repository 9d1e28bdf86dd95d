//! `harness generate CONFIG --out DIR`

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, bail};
use harness_model::{Operations, QuestionKind, Task};

use crate::exit::Exit;
use crate::study::Study;
use crate::{cmd, out};

/// Writes the tasks of the study at `path` into `dir`: all of them into two lists, and each problem into a
/// file of its own.
pub fn run(path: &Path, dir: &Path) -> anyhow::Result<Exit> {
    let config = cmd::compare::read(path)?;
    let study = Study::of(&config)?;
    for line in &study.bad {
        out::tell(format_args!("left out: {line}"));
    }
    fs::create_dir_all(dir).with_context(|| format!("{}: cannot make the directory", dir.display()))?;
    let mut lines = String::new();
    let mut table = String::from("id\tfamily\talphabet\toperation\tleft\tright\texpected\n");
    let mut scripts = Scripts::new(dir);
    for task in &study.tasks {
        lines.push_str(&serde_json::to_string(task)?);
        lines.push('\n');
        match &task.question.kind {
            QuestionKind::Script(script) => {
                let file = scripts.put(&task.id, "smt2", &script.text)?;
                row(&mut table, task, "script", [&file, ""], &expected_of_all(task));
            }
            QuestionKind::System(system) => {
                let file = scripts.put(&task.id, system.format.ending(), &system.text)?;
                row(&mut table, task, "system", [&file, ""], &expected_of_all(task));
            }
            QuestionKind::Grammars(asked) => {
                let mut files = Vec::with_capacity(asked.grammars.len());
                for (number, grammar) in asked.grammars.iter().enumerate() {
                    files.push(scripts.put(&format!("{}-{}", task.id, number + 1), "cfg", &grammar.text)?);
                }
                let what = format!("grammars {}..{}", asked.shortest, asked.longest);
                let rest = files.get(1..).unwrap_or_default().join(" ");
                let first = files.first().map_or("", String::as_str);
                row(&mut table, task, &what, [first, &rest], &expected_of_all(task));
            }
            QuestionKind::Operations(asked) => rows(&mut table, task, asked),
        }
    }
    put(&dir.join("tasks.jsonl"), &lines)?;
    put(&dir.join("tasks.tsv"), &table)?;
    let families: String =
        study.families().iter().map(|(family, number)| format!("{number:>8}  {family}\n")).collect();
    let and = match scripts.written {
        0 => String::new(),
        1 => ", 1 problem".to_owned(),
        many => format!(", {many} problems"),
    };
    out::print(format_args!(
        "{families}{:>8}  {} in {}: tasks.jsonl, tasks.tsv{and}\n",
        study.tasks.len(),
        if study.tasks.len() == 1 { "task" } else { "tasks" },
        dir.display()
    ))?;
    Ok(Exit::Fine)
}

/// Scripts and systems as files, each under its task's id.
struct Scripts<'a> {
    dir: &'a Path,
    /// Folders that are there.
    made: HashSet<PathBuf>,
    written: usize,
}

impl<'a> Scripts<'a> {
    fn new(dir: &'a Path) -> Self {
        Self { dir, made: HashSet::new(), written: 0 }
    }

    /// Writes a script and gives its place below the directory.
    fn put(&mut self, id: &str, ending: &str, text: &str) -> anyhow::Result<String> {
        let file = format!("{id}.{ending}");
        let path = Path::new(&file);
        if !path.components().all(|part| matches!(part, Component::Normal(_))) {
            bail!("the task '{id}' cannot be a file of that name");
        }
        let path = self.dir.join(path);
        if let Some(folder) = path.parent().filter(|folder| !self.made.contains(*folder)) {
            fs::create_dir_all(folder)
                .with_context(|| format!("{}: cannot make the directory", folder.display()))?;
            self.made.insert(folder.to_owned());
        }
        put(&path, text)?;
        self.written += 1;
        Ok(file)
    }
}

/// The verdicts of a script's queries, where they are known.
fn expected_of_all(task: &Task) -> String {
    let verdicts = task.expected.as_ref().map(|e| e.verdicts.as_slice()).unwrap_or_default();
    verdicts.iter().map(|verdict| verdict.name()).collect::<Vec<_>>().join(" ")
}

/// A row for every operation of the task.
fn rows(table: &mut String, task: &Task, asked: &Operations) {
    for (i, operation) in asked.operations.iter().enumerate() {
        let pattern = |index: usize| asked.regexes.get(index).map_or("", |r| r.pattern.as_str());
        let expected = task.expected.as_ref().and_then(|e| e.verdicts.get(i)).map_or("", |v| v.name());
        let operands = [pattern(operation.left), pattern(operation.right)];
        row(table, task, operation.kind.name(), operands, expected);
    }
}

fn row(table: &mut String, task: &Task, what: &str, [left, right]: [&str; 2], expected: &str) {
    let cells = [&task.id, &task.family, task.question.alphabet.name(), what, left, right, expected];
    let _ = writeln!(table, "{}", cells.map(escape).join("\t"));
}

/// A tab or a line end inside a cell would break the row.
fn escape(cell: &str) -> String {
    cell.replace('\\', r"\\").replace('\t', r"\t").replace('\n', r"\n").replace('\r', r"\r")
}

/// Writes a file that is not there, or that is there with the same content; the same study gives the same
/// bytes.
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

//! What files beside scripts say of them: a table of statuses, and BenchExec's task files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use harness_model::{Expected, Verdict};

use crate::error::CorpusError;

/// Statuses by script, from a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    by_script: BTreeMap<PathBuf, Expected>,
    /// Where the table is.
    table: PathBuf,
    /// The rows about files that are not there: the line, and the name.
    astray: Vec<(u32, String)>,
}

impl Claims {
    /// Reads a CSV file with a header, of which the columns `file`, relative to the table, and `status`
    /// count: `sat`, `unsat` or `unknown`, one for each `check-sat`, with blanks between. Other columns are
    /// passed over.
    ///
    /// # Errors
    ///
    /// When it cannot be read, a line says something else, or a file is there twice.
    pub fn read(table: &Path) -> Result<Self, CorpusError> {
        let wrong = |what: String| CorpusError::File { file: table.to_owned(), what };
        let bytes = harness_files::read(table, harness_files::LISTED)
            .map_err(|error| wrong(format!("the table cannot be read: {error}")))?;
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes.as_slice());
        let header = reader.headers().map_err(|error| wrong(error.to_string()))?.clone();
        let column = |name: &str| {
            header.iter().position(|column| column == name).ok_or_else(|| {
                let columns: Vec<&str> = header.iter().collect();
                wrong(format!("there is no column '{name}': the first line names {}", columns.join(", ")))
            })
        };
        let (file, status) = (column("file")?, column("status")?);
        let folder = table.parent().unwrap_or(Path::new(""));
        let (mut by_script, mut astray) = (BTreeMap::new(), Vec::new());
        for row in reader.records() {
            let row = row.map_err(|error| wrong(error.to_string()))?;
            let number = row.position().map_or(0, |position| usize::try_from(position.line()).unwrap_or(0));
            let line = |what: String| CorpusError::Line { file: table.to_owned(), line: number, what };
            let [name, statuses] = [file, status].map(|column| row.get(column).unwrap_or_default());
            if name.is_empty() {
                return Err(line("the name of the file is empty".to_owned()));
            }
            let verdicts = statuses.split_whitespace().map(verdict).collect::<Option<Vec<_>>>();
            let Some(verdicts) = verdicts.filter(|verdicts| !verdicts.is_empty()) else {
                return Err(line(format!(
                    "a status is sat, unsat or unknown, one for each check-sat with blanks between, found '{statuses}'"
                )));
            };
            let source = format!("line {number} of {}", table.display());
            let expected = Expected { verdicts, source };
            let path = folder.join(name);
            if path.symlink_metadata().is_err() {
                astray.push((u32::try_from(number).unwrap_or(u32::MAX), name.to_owned()));
            }
            if by_script.insert(place(&path), expected).is_some() {
                return Err(line(format!("the file '{name}' is there twice")));
            }
        }
        Ok(Self { by_script, table: table.to_owned(), astray })
    }

    /// The file of the table.
    pub fn table(&self) -> &Path {
        &self.table
    }

    /// The rows about files that are not there: the line, and the name.
    pub fn astray(&self) -> &[(u32, String)] {
        &self.astray
    }

    /// What the table says of a script.
    pub fn of(&self, script: &Path) -> Option<&Expected> {
        self.by_script.get(&place(script))
    }
}

/// One path for all that lead to a file.
pub fn place(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn verdict(word: &str) -> Option<Verdict> {
    match word {
        "sat" => Some(Verdict::Sat),
        "unsat" => Some(Verdict::Unsat),
        "unknown" => Some(Verdict::Unknown),
        _ => None,
    }
}

/// What a task file of BenchExec says, as far as it is used here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFile {
    /// The files that are to be solved, relative to the task file.
    pub inputs: Vec<String>,
    /// The verdict that is expected.
    pub verdict: Option<Verdict>,
}

impl TaskFile {
    /// Whether a file is one by its name.
    pub fn is_one(path: &Path) -> bool {
        path.extension().is_some_and(|ending| ending == "yml" || ending == "yaml")
    }

    /// The one script of the task file at `path`: where it is, and how that is written.
    ///
    /// # Errors
    ///
    /// When it names none or several.
    pub fn script(&self, path: &Path) -> Result<(PathBuf, &str), String> {
        match self.inputs.as_slice() {
            [script] => Ok((path.parent().unwrap_or(Path::new("")).join(script), script)),
            inputs => Err(format!("a task has one script, but 'input_files' names {}", inputs.len())),
        }
    }

    /// What it expects, of the one `check-sat` of its script.
    pub fn expected(&self, path: &Path) -> Option<Expected> {
        let source = format!("expected_verdict in {}", path.display());
        self.verdict.map(|verdict| Expected { verdicts: vec![verdict], source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_or_its_fault_told_with_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("table.csv");
        let read = |text: &str| {
            fs::write(&table, text).unwrap();
            Claims::read(&table)
        };
        let claims = read("status,file,why\nsat,a.smt2,x\nunsat unknown, b/c.smt2 ,\"y,z\"\n").unwrap();
        let of = |name: &str| claims.of(&folder.path().join(name)).map(|e| e.verdicts.clone());
        assert_eq!(of("a.smt2"), Some(vec![Verdict::Sat]));
        assert_eq!(of("b/c.smt2"), Some(vec![Verdict::Unsat, Verdict::Unknown]));
        assert_eq!(of("c.smt2"), None);
        for (text, part) in [
            ("file\na\n", "there is no column 'status': the first line names file"),
            ("file,status\na,sat\nb,maybe\n", "table.csv:3: a status is sat, unsat or unknown"),
            ("file,status\na,\n", "table.csv:2: a status is"),
            ("file,status\n,sat\n", "table.csv:2: the name of the file is empty"),
            ("file,status\na,sat\na,unsat\n", "table.csv:3: the file 'a' is there twice"),
            ("file,status\na,sat,x\n", "table.csv"),
        ] {
            let why = read(text).unwrap_err().to_string();
            assert!(why.contains(part), "{why}");
        }
        assert!(
            Claims::read(&folder.path().join("none.csv")).unwrap_err().to_string().contains("cannot be read")
        );
    }

    #[test]
    fn a_task_file_has_one_script() {
        let file = |inputs: &[&str]| TaskFile {
            inputs: inputs.iter().map(|&input| input.to_owned()).collect(),
            verdict: Some(Verdict::Sat),
        };
        let path = Path::new("t/x.yml");
        assert_eq!(file(&["../a.smt2"]).script(path), Ok((PathBuf::from("t/../a.smt2"), "../a.smt2")));
        assert!(file(&["a", "b"]).script(path).unwrap_err().contains("names 2"));
        assert!(TaskFile::is_one(path) && !TaskFile::is_one(Path::new("x.smt2")));
        assert_eq!(file(&[]).expected(path).unwrap().source, "expected_verdict in t/x.yml");
    }
}

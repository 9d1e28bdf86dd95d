//! What strategies of this crate make of folders of scripts: how many are read, supported, solved, and
//! whether any verdict is wrong.
//!
//! `cargo run --release -p backends-z3 --example scripts -- [--strategy NAME] [--seconds N] [--table FILE]
//! FOLDER...`
//!
//! Every `.smt2` file below the folders is given to the strategy in a process of its own, which is killed one
//! second after the limit. The right verdict is that of a table beside the scripts (`expected.csv`: file,
//! verdict) or the `:status` of the script, or a column `expected` of the file named by `--table`, with paths
//! relative to it. One line a file, then the counts; the exit status is 10 when a verdict is wrong.
#![expect(clippy::print_stdout, reason = "it is a program")]

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use backends_api::{BackendError, Budget, Probe, Registry, Strategy};
use backends_bitvector::BitVectorFamily;
use backends_parray::ParrayFamily;
use backends_z3::{NativeFamily, Z3Arrays, Z3BitVectors, Z3Integers};
use harness_model::{Alphabet, Question};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (mut strategy, mut seconds, mut folders, mut tables) = ("z3".to_owned(), 10, Vec::new(), Vec::new());
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} without a value"));
        match argument.as_str() {
            "--strategy" => strategy = value()?,
            "--seconds" => seconds = value()?.parse()?,
            "--table" => tables.push(PathBuf::from(value()?)),
            "--one" => return one(&strategy, &value()?),
            _ => folders.push(PathBuf::from(argument)),
        }
    }
    let mut expected = HashMap::new();
    for folder in &folders {
        let beside = folder.join("expected.csv");
        if beside.is_file() {
            read_table(&beside, &mut expected)?;
        }
    }
    for table in &tables {
        read_table(table, &mut expected)?;
    }
    let mut files = Vec::new();
    for folder in &folders {
        scripts_below(folder, &mut files)?;
    }
    files.sort();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut wrong = false;
    for file in &files {
        let start = Instant::now();
        let said = child(file, &strategy, Duration::from_secs(seconds))?;
        let right = fs::canonicalize(file)
            .ok()
            .and_then(|path| expected.get(&path).cloned())
            .or_else(|| status(file));
        let right = right.unwrap_or_default();
        let kind = judge(&said, &right);
        wrong |= kind == "wrong";
        *counts.entry(kind).or_default() += 1;
        let time = start.elapsed().as_secs_f64();
        println!("{kind:12} {time:7.3} s  {}  {said}  ({right})", file.display());
    }
    println!("{} files: {counts:?}", files.len());
    Ok(ExitCode::from(if wrong { 10 } else { 0 }))
}

fn scripts_below(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            scripts_below(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "smt2") {
            files.push(path);
        }
    }
    Ok(())
}

/// Adds the verdicts of a table with a header whose first column is a path and one of whose columns is
/// `expected` or `right`.
fn read_table(table: &Path, expected: &mut HashMap<PathBuf, String>) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(table)?;
    let mut lines = text.lines();
    let header = fields(lines.next().unwrap_or_default());
    let column = header.iter().position(|name| name == "expected" || name == "right");
    let column = column.ok_or(format!("{} has no column 'expected' or 'right'", table.display()))?;
    let folder = table.parent().unwrap_or(Path::new("."));
    for line in lines {
        let fields = fields(line);
        if let (Some(file), Some(verdict)) = (fields.first(), fields.get(column))
            && let Ok(path) = fs::canonicalize(folder.join(file))
        {
            expected.insert(path, verdict.clone());
        }
    }
    Ok(())
}

/// The fields of a line of comma-separated values; quotes may hold commas.
fn fields(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            _ => out.last_mut().into_iter().for_each(|field| field.push(c)),
        }
    }
    out
}

/// The verdicts that the script itself claims.
fn status(file: &Path) -> Option<String> {
    let script = harness_smtlib::read(&fs::read(file).ok()?).ok()?;
    let verdicts: Vec<&str> =
        script.queries.iter().map(|q| q.status.map_or("unknown", |v| v.name())).collect();
    Some(verdicts.join(", "))
}

/// Runs this program on one file, and kills it when it is late.
fn child(file: &Path, strategy: &str, limit: Duration) -> Result<String, Box<dyn Error>> {
    let mut child = Command::new(env::current_exe()?)
        .args(["--strategy", strategy, "--seconds", &limit.as_secs().to_string(), "--one"])
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let start = Instant::now();
    while start.elapsed() < limit + Duration::from_secs(1) {
        if let Some(status) = child.try_wait()? {
            let text = io::read_to_string(child.stdout.take().ok_or("no output")?)?;
            return Ok(if status.success() { text.trim().to_owned() } else { format!("crash: {status}") });
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.kill()?;
    child.wait()?;
    Ok("timeout".to_owned())
}

/// Answers one file: the verdicts, or what stands against it.
fn one(name: &str, file: &str) -> Result<ExitCode, Box<dyn Error>> {
    let seconds = env::args().skip_while(|a| a != "--seconds").nth(1).ok_or("no limit")?.parse()?;
    let registry = Registry::new(vec![
        Box::new(NativeFamily::new()),
        Box::new(BitVectorFamily::new(Z3BitVectors, Z3Integers::default())),
        Box::new(ParrayFamily::new(Z3Arrays, Z3Integers::default())),
    ]);
    let strategy = registry.resolve(name).ok_or(format!("no strategy '{name}'"))?.build();
    match answer(&*strategy, &fs::read(file)?, Duration::from_secs(seconds)) {
        Ok(text) => println!("{text}"),
        Err(BackendError::Unsupported(what)) => println!("unsupported: {what}"),
        Err(BackendError::Stopped(_)) => println!("timeout"),
        Err(BackendError::Input(what)) => println!("refused: {what}"),
        Err(error @ (BackendError::Internal(_) | BackendError::Program(_) | BackendError::Ended(_))) => {
            println!("error: {error}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn answer(strategy: &dyn Strategy, text: &[u8], limit: Duration) -> Result<String, BackendError> {
    let text = String::from_utf8_lossy(text).into_owned();
    let question = Question::of_script(Alphabet::Unicode, text, 0);
    let (budget, probe) = (Budget::with_time(limit), Probe::new());
    let outcome = strategy.prepare(&question, &budget, &probe)?.run(&probe)?;
    let said: Vec<String> = outcome
        .answers
        .iter()
        .map(|a| match &a.reason {
            Some(why) => format!("{} [{}]", a.verdict, why.replace(',', ";")),
            None => a.verdict.to_string(),
        })
        .collect();
    Ok(said.join(", "))
}

/// What became of a file.
fn judge(said: &str, right: &str) -> &'static str {
    for (start, kind) in [
        ("unsupported", "unsupported"),
        ("refused", "refused"),
        ("timeout", "timeout"),
        ("error", "error"),
        ("crash", "crash"),
    ] {
        if said.starts_with(start) {
            return kind;
        }
    }
    let said: Vec<&str> = said.split(", ").collect();
    let right: Vec<&str> = right.split(", ").collect();
    let word = |answer: &str| answer.split(' ').next().unwrap_or_default().to_owned();
    let definite = |verdict: &str| ["sat", "unsat", "unsat-within-bound"].contains(&verdict);
    let disagrees = |(said, right): (&&str, &&str)| {
        matches!(
            (word(said).as_str(), *right),
            ("unsat-within-bound", "sat") | ("sat", "unsat") | ("unsat", "sat")
        )
    };
    if said.iter().zip(&right).any(disagrees) {
        return "wrong";
    }
    if said.iter().any(|s| !definite(&word(s))) { "unknown" } else { "solved" }
}

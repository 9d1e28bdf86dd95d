//! What shrinking found, written, and the commands that repeat it.
//!
//! A script is written as it was run. A pair of expressions is written as three files: a configuration, which
//! 'harness compare' runs, the expressions beside it, and the same question as a script for any solver.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use harness_config::units;
use harness_model::{Alphabet, Limits, Operations, Question, QuestionKind};
use harness_shrink::{Contender, Interest};

use crate::args::shrink::ShrinkArgs;
use crate::cmd::compare;
use crate::out;
use crate::study::Study;

/// What was found, and with whom.
pub struct Result<'a> {
    /// The question.
    pub question: &'a Question,
    /// What it shows.
    pub interest: &'a Interest,
    /// The strategies that show it, in the interest's order.
    pub contenders: Vec<&'a Contender>,
    /// Of each run.
    pub limits: Limits,
}

/// Writes the question to the file that `args` name, or to standard output, and tells the commands that
/// repeat it.
///
/// # Errors
///
/// When it cannot be written.
pub fn write(result: &Result<'_>, args: &ShrinkArgs) -> anyhow::Result<()> {
    match &result.question.kind {
        QuestionKind::Script(script) => {
            match &args.out {
                Some(path) => save(path, &script.text)?,
                None => out::print(&script.text)?,
            }
            let file = args.out.clone().unwrap_or_else(|| PathBuf::from("FILE"));
            out::tell(format_args!("repeat: {}", look(result, args, &file, None)));
            for contender in &result.contenders {
                out::tell(format_args!("alone:  {}", solve(result, contender, &file)));
            }
            Ok(())
        }
        QuestionKind::Operations(asked) => pair(result, asked, args),
    }
}

fn save(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("{}: cannot be written", path.display()))
}

/// The command that runs the strategies on the result and says what they show.
fn look(result: &Result<'_>, args: &ShrinkArgs, file: &Path, task: Option<&str>) -> String {
    let mut command = vec!["harness".to_owned(), "shrink".to_owned(), file.display().to_string()];
    let mut option = |name: &str, value: String| command.extend([name.to_owned(), value]);
    match task {
        Some(id) => option("--task", id.to_owned()),
        None => limits(result, &mut option),
    }
    match (&result.interest.outlier, result.contenders.as_slice()) {
        (Some(outlier), [slow, fast]) => {
            option("--ratio", outlier.ratio.to_string());
            option("--slow", slow.canonical.to_string());
            option("--fast", fast.canonical.to_string());
            option("--measure", outlier.measure.name().to_owned());
            if let Some(least) = &args.least {
                option("--least", least.clone());
            }
        }
        _ => {
            for contender in &result.contenders {
                option("--strategy", contender.canonical.to_string());
            }
        }
    }
    command.push("--look".to_owned());
    quoted(&command)
}

/// The command that runs one strategy on the result.
fn solve(result: &Result<'_>, contender: &Contender, file: &Path) -> String {
    let mut command = vec!["harness".to_owned(), "solve".to_owned(), file.display().to_string()];
    let mut option = |name: &str, value: String| command.extend([name.to_owned(), value]);
    option("--strategy", contender.canonical.to_string());
    limits(result, &mut option);
    quoted(&command)
}

fn limits(result: &Result<'_>, option: &mut impl FnMut(&str, String)) {
    if result.question.alphabet != Alphabet::Unicode {
        option("--alphabet", result.question.alphabet.name().to_owned());
    }
    option("--timeout", units::show_duration(result.limits.time()));
    option("--memory", units::show_size(result.limits.memory));
}

/// Words as a shell takes them.
fn quoted(words: &[String]) -> String {
    let words = words
        .iter()
        .map(|word| shlex::try_quote(word).map_or_else(|_| word.clone(), |word| word.into_owned()));
    words.collect::<Vec<_>>().join(" ")
}

/// Writes a pair of expressions.
fn pair(result: &Result<'_>, asked: &Operations, args: &ShrinkArgs) -> anyhow::Result<()> {
    let lines = expressions(asked)?;
    let Some(path) = &args.out else {
        out::print(lines)?;
        for (i, _) in asked.operations.iter().enumerate() {
            let what = result.question.kind.describe(i).unwrap_or_default();
            let (dialects, alphabet) = (dialects(asked), result.question.alphabet);
            out::tell(format_args!("asked: {what}, in {alphabet}, as expressions of {dialects}"));
        }
        out::tell("repeat: with --out FILE.yaml a configuration is written that 'harness compare' runs");
        return Ok(());
    };
    let beside = path.with_extension("txt");
    if beside == *path || path.extension().is_some_and(|end| end == "smt2") {
        bail!(
            "{}: the name of the configuration must end in .yaml, for its expressions are in files that end in .txt and .smt2",
            path.display()
        );
    }
    save(&beside, &lines)?;
    save(path, &configuration(result, asked, &beside)?)?;
    let script = path.with_extension("smt2");
    if let ([_], Ok(Some(text))) =
        (asked.operations.as_slice(), backends::operation_as_script(result.question, 0))
    {
        save(&script, &text)?;
        out::tell(format_args!("as SMT-LIB: {}, satisfiable when the language has a word", script.display()));
    }
    let config = compare::read(path)?;
    let id = Study::of(&config)?
        .tasks
        .into_iter()
        .find(|task| task.question == *result.question)
        .map(|task| task.id);
    out::tell(format_args!("repeat: {}", look(result, args, path, id.as_deref())));
    let compare = ["harness", "compare", &path.display().to_string(), "--out", "DIR"].map(str::to_owned);
    out::tell(format_args!("all:    {}", quoted(&compare)));
    Ok(())
}

/// A line for each expression.
fn expressions(asked: &Operations) -> anyhow::Result<String> {
    let mut text = String::new();
    for regex in &asked.regexes {
        if regex.pattern.contains(['\n', '\r']) || regex.pattern.trim() != regex.pattern {
            bail!(
                "the expression {:?} is no line of a file: it has a line break, or a blank at an end",
                regex.pattern
            );
        }
        let _ = writeln!(text, "{}\t{}", regex.name, regex.pattern);
    }
    Ok(text)
}

fn dialects(asked: &Operations) -> String {
    let mut all: Vec<&str> = asked.regexes.iter().map(|regex| regex.dialect.name()).collect();
    all.dedup();
    all.join(" and ")
}

/// A configuration with nothing but this question.
fn configuration(result: &Result<'_>, asked: &Operations, beside: &Path) -> anyhow::Result<String> {
    let dialects = dialects(asked);
    if dialects.contains(' ') {
        bail!(
            "the expressions are of two dialects ({dialects}), which no configuration has in one task; leave out --out to see them"
        );
    }
    let word = |text: &str| serde_json::to_string(text).context("a name cannot be written");
    let file = beside.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut kinds: Vec<&str> = asked.operations.iter().map(|operation| operation.kind.name()).collect();
    kinds.dedup();
    let Limits { wall, cpu, memory } = result.limits;
    let mut text = format!(
        "# Made smaller by 'harness shrink'.\nname: {}\nlimits: {{wall: {}, cpu: {}, memory: {}}}\nalphabets: [{}]\ntasks:\n  - regexes: \
         {{file: {}, dialect: {dialects}, operations: [{}]}}\nstrategies:\n",
        word(beside.file_stem().map_or("pair".into(), |stem| stem.to_string_lossy()).as_ref())?,
        units::show_duration(wall),
        units::show_duration(cpu),
        units::show_size(memory),
        result.question.alphabet,
        word(&file)?,
        kinds.join(", "),
    );
    for contender in &result.contenders {
        let _ = writeln!(text, "  - {}", word(&contender.canonical)?);
    }
    Ok(text)
}

//! What shrinking found, written, and the commands that repeat it.
//!
//! A script is written as it was run. A pair of expressions is written as three files: a configuration, which
//! 'harness compare' runs, the expressions beside it, and the same question as a script for any solver. What
//! cannot be written is printed, for it may have taken long to find.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use harness_config::units;
use harness_model::{
    Alphabet, Limits, Operations, Question, QuestionKind, RegexSource, ScriptSource, SystemSource,
};
use harness_shrink::{Contender, Interest, Kind};

use super::output::{MARK, Pair, save};
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
/// When it cannot be written; what was found goes to standard output then.
pub fn write(result: &Result<'_>, args: &ShrinkArgs) -> anyhow::Result<()> {
    match &result.question.kind {
        QuestionKind::Script(ScriptSource { text, .. }) | QuestionKind::System(SystemSource { text, .. }) => {
            let saved = args.out.as_ref().map(|path| save(&[(path.as_path(), text.as_str())]));
            if !matches!(saved, Some(Ok(()))) {
                out::print(text)?;
            }
            saved.transpose()?;
            let file = args.out.clone().unwrap_or_else(|| PathBuf::from("FILE"));
            out::tell(format_args!("repeat: {}", look(result, args, &file, None)));
            for contender in &result.contenders {
                out::tell(format_args!("alone:  {}", solve(result, contender, &file)));
            }
            Ok(())
        }
        // Nothing makes grammars smaller, so what was given is the result.
        QuestionKind::Grammars(asked) => {
            for grammar in &asked.grammars {
                out::print(format_args!("/* {} */\n{}\n", grammar.name, grammar.text.trim_end()))?;
            }
            Ok(())
        }
        QuestionKind::Operations(asked) => {
            let Some(path) = &args.out else {
                show(result, asked)?;
                out::tell(
                    "repeat: with --out FILE.yaml a configuration is written that 'harness compare' runs",
                );
                return Ok(());
            };
            let written = pair(result, asked, args, path);
            if written.is_err() {
                show(result, asked)?;
            }
            written
        }
    }
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
                let name = &contender.canonical;
                match args.conditions.iter().find(|(asked, _)| *asked == contender.name) {
                    Some((_, status)) if result.interest.kind == Kind::Asked => {
                        option("--while", format!("{name}={}", status.name()));
                    }
                    _ => option("--strategy", name.to_string()),
                }
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

/// Prints expressions and what is asked of them.
fn show(result: &Result<'_>, asked: &Operations) -> anyhow::Result<()> {
    let line = |RegexSource { name, pattern, .. }: &RegexSource| {
        if is_line(pattern) { format!("{name}\t{pattern}\n") } else { format!("{name}\t{pattern:?}\n") }
    };
    out::print(asked.regexes.iter().map(line).collect::<String>())?;
    let mut dialects: Vec<&str> = asked.regexes.iter().map(|regex| regex.dialect.name()).collect();
    dialects.dedup();
    let find = if asked.regexes.iter().any(|regex| regex.find) { ", found in words" } else { "" };
    for (i, _) in asked.operations.iter().enumerate() {
        let what = result.question.kind.describe(i).unwrap_or_default();
        out::tell(format_args!(
            "asked: {what}, in {}, as expressions of {}{find}",
            result.question.alphabet,
            dialects.join(" and ")
        ));
    }
    Ok(())
}

/// Writes a pair of expressions.
fn pair(result: &Result<'_>, asked: &Operations, args: &ShrinkArgs, path: &Path) -> anyhow::Result<()> {
    let files = Pair::of(path);
    let (expressions, configuration) = (expressions(asked)?, configuration(result, asked, &files)?);
    let script = match (asked.operations.as_slice(), backends::operation_as_script(result.question, 0)) {
        ([_], Ok(Some(text))) => Some(format!("; {MARK}\n{text}")),
        _ => None,
    };
    let mut texts = vec![(files.expressions.as_path(), expressions.as_str()), (path, configuration.as_str())];
    texts.extend(script.iter().map(|text| (files.script.as_path(), text.as_str())));
    save(&texts)?;
    let shown = files.script.display();
    if script.is_some() {
        out::tell(format_args!("as SMT-LIB: {shown}, satisfiable when the language has a word"));
    } else if files.script.exists() {
        // Of an earlier result.
        fs::remove_file(&files.script).with_context(|| format!("{shown}: cannot be removed"))?;
    }
    let config = compare::read(path)?;
    let tasks = Study::of(&config)?.tasks;
    match tasks.into_iter().find(|task| task.question == *result.question) {
        Some(task) => out::tell(format_args!("repeat: {}", look(result, args, path, Some(&task.id)))),
        None => out::tell(format_args!(
            "note: no task of {} asks exactly these operations; choose one with --task",
            path.display()
        )),
    }
    let compare = ["harness", "compare", &path.display().to_string(), "--out", "DIR"].map(str::to_owned);
    out::tell(format_args!("all:    {}", quoted(&compare)));
    Ok(())
}

/// Whether a file of expressions can have this as one.
fn is_line(pattern: &str) -> bool {
    !pattern.contains('\n') && !pattern.ends_with('\r')
}

/// A line for each expression.
fn expressions(asked: &Operations) -> anyhow::Result<String> {
    let mut text = format!("# {MARK}\n");
    for regex in &asked.regexes {
        if !is_line(&regex.pattern) {
            bail!(
                "the expression {:?} has a line break, which a file of expressions cannot hold; it is the result",
                regex.pattern
            );
        }
        let _ = writeln!(text, "{}\t{}", regex.name, regex.pattern);
    }
    Ok(text)
}

/// The dialect of all expressions.
///
/// # Errors
///
/// When they are of several.
pub fn dialect(asked: &Operations) -> anyhow::Result<&'static str> {
    let mut names = asked.regexes.iter().map(|regex| regex.dialect.name());
    let first = names.next().unwrap_or_default();
    match names.find(|name| *name != first) {
        None => Ok(first),
        Some(other) => bail!(
            "the expressions are of two dialects ({first} and {other}), which no configuration has in one task; leave out --out to see them"
        ),
    }
}

/// A name that a study can have, out of any.
fn study_name(stem: &str) -> String {
    let plain = |c: char| match c.to_ascii_lowercase() {
        c if c.is_ascii_lowercase() || c.is_ascii_digit() || "-._".contains(c) => c,
        _ => '-',
    };
    let name: String = stem.chars().map(plain).collect();
    if name.contains(|c: char| c.is_ascii_alphanumeric()) { name } else { "pair".to_owned() }
}

/// A configuration with nothing but this question.
fn configuration(result: &Result<'_>, asked: &Operations, files: &Pair) -> anyhow::Result<String> {
    let word = |text: &str| serde_json::to_string(text).context("a name cannot be written");
    let name = |path: Option<&std::ffi::OsStr>| path.unwrap_or_default().to_string_lossy().into_owned();
    let mut kinds: Vec<&str> = Vec::new();
    for operation in &asked.operations {
        if !kinds.contains(&operation.kind.name()) {
            kinds.push(operation.kind.name());
        }
    }
    let find = match asked.regexes.iter().filter(|regex| regex.find).count() {
        0 => "",
        all if all == asked.regexes.len() => ", find: true",
        _ => bail!(
            "some of the expressions are found in words and some match as a whole, which no configuration has in one task; leave out \
             --out to see them"
        ),
    };
    let batch = if asked.operations.len() > 1 { ", batch: true" } else { "" };
    let Limits { wall, cpu, memory } = result.limits;
    let mut text = format!(
        "# {MARK}\nname: {}\nlimits: {{wall: {}, cpu: {}, memory: {}}}\nalphabets: [{}]\ntasks:\n  - regexes: {{file: {}, dialect: {}{find}, \
         operations: [{}]{batch}}}\nstrategies:\n",
        word(&study_name(&name(files.config.file_stem())))?,
        units::show_duration(wall),
        units::show_duration(cpu),
        units::show_size(memory),
        result.question.alphabet,
        word(&name(files.expressions.file_name()))?,
        dialect(asked)?,
        kinds.join(", "),
    );
    for contender in &result.contenders {
        let _ = writeln!(text, "  - {}", word(&contender.canonical)?);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use harness_model::{Dialect, Operation, OperationKind};

    use super::*;

    #[test]
    fn several_operations_are_one_task() {
        let regex = |name: &str| RegexSource {
            find: false,
            name: name.to_owned(),
            pattern: " ".to_owned(),
            dialect: Dialect::Java,
        };
        let operation = |kind, right| Operation { kind, left: 0, right };
        let operations = vec![
            operation(OperationKind::Product, 0),
            operation(OperationKind::Difference, 1),
            operation(OperationKind::Product, 1),
        ];
        let question = Question::of_operations(Alphabet::Ascii, vec![regex("A"), regex("B")], operations);
        let asked = question.as_operations().unwrap();
        assert_eq!(expressions(asked).unwrap(), format!("# {MARK}\nA\t \nB\t \n"));
        let second = std::time::Duration::from_secs(1);
        let result = Result {
            question: &question,
            interest: &Interest { kind: Kind::Crash, wants: Vec::new(), outlier: None },
            contenders: Vec::new(),
            limits: Limits { wall: second, cpu: second, memory: 1 << 30 },
        };
        let text = configuration(&result, asked, &Pair::of(Path::new("dir/A b.yaml"))).unwrap();
        let task = "{file: \"A b.txt\", dialect: java, operations: [product, difference], batch: true}";
        assert!(text.contains(task) && text.contains("\nname: \"a-b\"\n"), "{text}");
    }

    #[test]
    fn studies_get_names_that_they_can_have() {
        for (stem, name) in
            [("pair-1.b_c", "pair-1.b_c"), ("My Pair", "my-pair"), ("étude", "-tude"), ("é", "pair")]
        {
            assert_eq!(study_name(stem), name);
        }
    }
}

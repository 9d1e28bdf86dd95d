//! The wording of details: short, one line, with the names that tables use.

use harness_model::record::{Record, Termination, TimeLimit};
use harness_model::{Answer, Languages, SmtString, Verdict, Witness};

/// Longer words are cut in messages.
const SHOWN: usize = 80;

/// A word in quotes, cut when it is long.
pub fn word(word: &SmtString) -> String {
    if word.len() <= SHOWN {
        return format!("\"{word}\"");
    }
    let head: SmtString = word.chars().iter().copied().take(SHOWN).collect();
    format!("\"{head}…\" ({} characters)", word.len())
}

/// A model on one line.
pub fn model(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// What a witness shows, and whose it is.
pub fn proof(witness: &Witness, strategy: &str) -> String {
    match witness {
        Witness::Word(found) => format!("{} of {strategy} is in the language", word(found)),
        Witness::Model(text) => {
            let text = model(text);
            let shown: String = text.chars().take(SHOWN).collect();
            let cut = if shown.len() < text.len() { "…" } else { "" };
            format!("the model {shown}{cut} of {strategy} satisfies the problem")
        }
        Witness::Languages(all) => {
            format!("{} of {strategy} satisfies the system", languages(all))
        }
    }
}

/// What a witness shows, and whose it is, after the verdict that it refutes.
pub fn ground(witness: &Witness, strategy: &str) -> String {
    match witness {
        Witness::Word(found) => format!("{} is in it (witness of {strategy}, checked)", word(found)),
        Witness::Model(_) | Witness::Languages(_) => format!("{}, checked", proof(witness, strategy)),
    }
}

/// A witness in the column `witness` of a table.
pub fn shown(witness: &Witness) -> String {
    match witness {
        Witness::Word(word) => word.to_string(),
        Witness::Model(text) => model(text),
        Witness::Languages(all) => languages(all),
    }
}

/// How many assignments of languages there are.
fn languages(all: &[Languages]) -> String {
    match all.len() {
        1 => "an assignment of languages".to_owned(),
        many => format!("{many} assignments of languages"),
    }
}

/// Verdicts counted, such as `29 empty, 26 nonempty`.
pub fn counted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    counts.sort_unstable();
    counts.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

/// Why a run gave no answer that counts.
pub fn termination(record: &Record) -> String {
    let after = |which: fn(&harness_model::record::Usage) -> u64| {
        record.usage.map_or_else(String::new, |u| format!(", after {}", seconds(which(&u))))
    };
    match &record.termination {
        Termination::Answered => String::new(),
        Termination::Timeout(TimeLimit::Wall) => format!("wall limit{}", after(|u| u.wall_ns)),
        Termination::Timeout(TimeLimit::Cpu) => format!("CPU limit{}", after(|u| u.cpu_ns)),
        Termination::Memout => {
            let peak = record.usage.map(|u| format!(", peak {} MiB", u.peak_rss_bytes >> 20));
            format!("memory limit{}", peak.unwrap_or_default())
        }
        Termination::Signal(number) => with_stderr(signal(*number), record),
        Termination::Exit(code) => with_stderr(format!("exit code {code} without an answer"), record),
        Termination::Error(what) | Termination::Unsupported(what) => what.clone(),
    }
}

/// Answers of a run that was stopped: those before that, or all `asked`, which came too late to count.
pub fn not_counted(answers: &[Answer], asked: Option<usize>) -> String {
    match answers {
        [] => String::new(),
        some if asked.is_some_and(|asked| some.len() < asked) => format!(
            "; {} of {} answered before: {}",
            some.len(),
            asked.unwrap_or_default(),
            counted(some.iter().map(|a| Verdict::name(a.verdict)))
        ),
        [one] => format!("; late verdict {}, not counted", one.verdict),
        many => {
            format!("; late verdicts {}, not counted", counted(many.iter().map(|a| Verdict::name(a.verdict))))
        }
    }
}

/// Seconds with three digits, more where they would be zero.
fn seconds(ns: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "only for display, with few digits")]
    let seconds = ns as f64 / 1e9;
    if ns == 0 || ns >= 1_000_000 { format!("{seconds:.3} s") } else { format!("{seconds:.9} s") }
}

/// With the last line that the worker wrote to standard error, if any.
fn with_stderr(what: String, record: &Record) -> String {
    match record.stderr.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => format!("{what}: {}", line.trim()),
        None => what,
    }
}

/// A signal by its name on Linux.
fn signal(number: i32) -> String {
    let name = match number {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => return "SIGKILL from outside: no limit of the harness had struck".to_owned(),
        10 => "SIGUSR1",
        11 => "SIGSEGV",
        12 => "SIGUSR2",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        31 => "SIGSYS",
        other => return format!("signal {other}"),
    };
    name.to_owned()
}

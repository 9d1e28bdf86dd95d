//! What the program of a page works on: the records in columns, and lists of the texts that they refer to.
//!
//! Records are in the order of the dataset, by task, strategy and repeat. Measurements are rounded to what 32
//! bits hold, seven digits; exact ones are in `results.csv`. Long texts are cut or left out, and the page
//! says of each where the whole is.

use std::collections::{BTreeMap, HashMap};

use harness_model::{Question, QuestionKind, RegexSource, Status, Verdict};
use serde_json::{Value, json};

use super::block::{Block, Column};
use crate::dataset::{Dataset, seconds};
use crate::question::contents;
use crate::results::{Measured, measured_of};

/// A longer script, or longer expressions together, are not in the page.
const LONGEST_QUESTION: usize = 16 << 10;
/// All questions together; the first ones are in the page.
const ALL_QUESTIONS: usize = 12 << 20;
/// A longer witness, detail or message is cut.
const LONGEST_TEXT: usize = 4 << 10;
/// All texts of records together.
const ALL_TEXTS: usize = 16 << 20;
/// Phases and counters, in values of all records together.
const MOST_MEASURED: usize = 6_000_000;

/// The statuses by their numbers in the page.
const STATUSES: [Status; 13] = Status::ALL;

/// The data of a run: the head, and the blocks that it names.
pub(super) struct Data {
    pub(super) head: Value,
    pub(super) blocks: Vec<Block>,
}

/// The data of `dataset`, and of `other` beside it.
pub(super) fn data(dataset: &Dataset, other: Option<&Dataset>) -> Data {
    let mut texts = Texts::default();
    let index = Index::of(dataset);
    let (tasks, questions) = tasks(dataset, &index);
    let mut columns = columns(dataset, &index);
    let mut witnesses = Vec::with_capacity(dataset.rows().len());
    let mut details = Vec::with_capacity(dataset.rows().len());
    let mut messages = Vec::with_capacity(dataset.rows().len());
    for row in dataset.rows() {
        witnesses.push(texts.place(row.judgement.witness.as_deref().unwrap_or_default()));
        details.push(texts.place(&row.judgement.detail));
        messages.push(texts.place(&row.record.stderr));
    }
    let phase = |name: &str| -> Vec<f32> {
        let shown = |row: &crate::Row| {
            row.record.phases.get(name).map_or(f32::NAN, |time| short(seconds(time.shown_ns())))
        };
        dataset.rows().iter().map(shown).collect()
    };
    columns.push(("prepare".to_owned(), Column::F32(phase("prepare"))));
    columns.push(("witness".to_owned(), Column::U32(witnesses)));
    columns.push(("detail".to_owned(), Column::U32(details)));
    columns.push(("stderr".to_owned(), Column::U32(messages)));
    let (measured, more) = measured_columns(dataset);
    let mut left_out = texts.left_out();
    left_out.extend(questions.left_out);
    left_out.extend(more);
    let mut blocks = vec![
        Block::of_json("tasks", &tasks),
        Block::of_columns("records", &columns),
        Block::of_json("questions", &questions.list.into()),
        Block::of_json("texts", &texts.list.into()),
        Block::of_columns("measured", &measured),
    ];
    let mut against = Value::Null;
    if let Some(other) = other {
        let (head, block) = self::against(&index, other);
        blocks.push(block);
        against = head;
    }
    let run = &dataset.run;
    let head = json!({
        "name": run.name,
        "records": dataset.rows().len(),
        "planned": run.planned,
        "repeats": run.repeats,
        "limit": run.limits.time().as_secs_f64(),
        "seed": run.seed % (1 << 32),
        "started": crate::format::utc(run.started_unix_s),
        "statuses": STATUSES.iter().map(|status| json!([status.name(), kind(*status)])).collect::<Vec<_>>(),
        "strategies": dataset.strategies().iter().map(|name| strategy(dataset, name)).collect::<Vec<_>>(),
        "families": index.families,
        "operations": index.operations,
        "leftOut": left_out,
        "drawings": dataset.drawings.iter().map(|drawing| json!([drawing.task, drawing.svg])).collect::<Vec<_>>(),
        "against": against,
    });
    Data { head, blocks }
}

/// What a status means for counts and times.
fn kind(status: Status) -> &'static str {
    match status {
        Status::Answered(Verdict::UnsatWithinBound) => "bound",
        Status::Answered(Verdict::Unknown) | Status::Unsupported => "none",
        Status::Answered(Verdict::Sat | Verdict::Unsat | Verdict::Empty | Verdict::Nonempty) => "solved",
        Status::Timeout | Status::Memout | Status::Crash | Status::Error => "failed",
        Status::Wrong | Status::InvalidModel => "wrong",
    }
}

fn strategy(dataset: &Dataset, name: &str) -> Value {
    let row = dataset.strategy(name);
    let options = row.map(|row| {
        row.options.iter().map(|(option, value)| format!("{option}={value}")).collect::<Vec<_>>().join(" ")
    });
    json!({
        "name": name,
        "summary": row.map(|row| &row.summary),
        "version": row.map(|row| &row.version),
        "options": options,
    })
}

/// The numbers by which columns name tasks, strategies, families and operations.
struct Index<'a> {
    tasks: HashMap<&'a str, u32>,
    strategies: HashMap<&'a str, u32>,
    /// Of all tasks that have a record, and of all others of the run.
    ids: Vec<&'a str>,
    families: Vec<&'a str>,
    operations: Vec<&'static str>,
}

fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

impl<'a> Index<'a> {
    fn of(dataset: &'a Dataset) -> Self {
        let mut ids: Vec<&str> = dataset.tasks().map(|task| task.id.as_str()).collect();
        let mut others: Vec<&str> = dataset.rows().iter().map(crate::dataset::Row::task).collect();
        others.dedup();
        ids.extend(others);
        ids.sort_unstable();
        ids.dedup();
        let mut families: Vec<&str> = dataset.tasks().map(|task| task.family.as_str()).collect();
        families.extend(dataset.rows().iter().map(|row| row.record.family.as_str()));
        families.sort_unstable();
        families.dedup();
        let mut operations: Vec<&'static str> =
            dataset.tasks().flat_map(|task| contents(&task.question).operations).collect();
        operations.sort_unstable();
        operations.dedup();
        let strategies = dataset.strategies().into_iter().enumerate();
        Self {
            tasks: ids.iter().enumerate().map(|(place, id)| (*id, number(place))).collect(),
            strategies: strategies.map(|(place, name)| (name, number(place))).collect(),
            ids,
            families,
            operations,
        }
    }
}

/// The questions that are in the page.
struct Questions {
    list: Vec<Value>,
    left_out: Option<String>,
}

/// The tasks in columns of JSON, and their questions.
fn tasks(dataset: &Dataset, index: &Index<'_>) -> (Value, Questions) {
    let of_family = |family: &str| index.families.binary_search(&family).ok();
    let (mut families, mut alphabets, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut asked, mut expected, mut operations) = (Vec::new(), Vec::new(), Vec::new());
    let mut list = Vec::with_capacity(index.ids.len());
    let (mut total, mut left) = (0, 0);
    for id in &index.ids {
        let Some(task) = dataset.task(id) else {
            // A record names it, and the run does not have it.
            let row = dataset.rows().iter().find(|row| row.task() == *id);
            families.push(row.and_then(|row| of_family(&row.record.family)));
            alphabets.push(row.map_or("", |row| row.record.alphabet.name()));
            sizes.push(0);
            asked.push(0);
            expected.push(Value::Null);
            operations.push(Vec::new());
            list.push(Value::Null);
            continue;
        };
        let contents = contents(&task.question);
        families.push(of_family(&task.family));
        alphabets.push(task.question.alphabet.name());
        sizes.push(contents.size);
        asked.push(contents.asked);
        expected.push(task.expected.as_ref().map_or(Value::Null, |expected| {
            let verdicts: Vec<&str> =
                expected.verdicts.iter().take(20).map(|verdict| verdict.name()).collect();
            json!([verdicts.join(" "), cut(&expected.source)])
        }));
        operations.push(
            contents.operations.iter().filter_map(|name| index.operations.binary_search(name).ok()).collect(),
        );
        if contents.size <= LONGEST_QUESTION && total + contents.size <= ALL_QUESTIONS {
            total += contents.size;
            list.push(question(&task.question));
        } else {
            left += 1;
            list.push(Value::Null);
        }
    }
    let left_out = (left > 0).then(|| {
        format!("{left} long questions are not in this page: they are in tasks.jsonl, and 'harness task show' prints them")
    });
    let value = json!({
        "ids": index.ids,
        "families": families,
        "alphabets": alphabets,
        "sizes": sizes,
        "asked": asked,
        "expected": expected,
        "operations": operations,
    });
    (value, Questions { list, left_out })
}

/// A script, a system and grammars are a text; operations are their expressions and what is asked of them.
fn question(question: &Question) -> Value {
    match &question.kind {
        QuestionKind::Script(script) => json!(script.text),
        QuestionKind::System(system) => json!(system.text),
        QuestionKind::Grammars(asked) => {
            let texts: Vec<String> = asked
                .grammars
                .iter()
                .map(|grammar| format!("/* {} */\n{}", grammar.name, grammar.text.trim_end()))
                .collect();
            json!(texts.join("\n\n"))
        }
        QuestionKind::Operations(asked) => {
            let regexes: Vec<Value> = asked
                .regexes
                .iter()
                .map(|regex| json!([regex.name, regex.pattern, dialect(regex)]))
                .collect();
            let asked: Vec<String> = (0..asked.operations.len().min(200))
                .filter_map(|place| question.kind.describe(place))
                .collect();
            json!({ "regexes": regexes, "asked": asked })
        }
    }
}

/// Numbers of seven digits.
#[expect(clippy::cast_possible_truncation, reason = "that is what it is for: seven digits are shown at most")]
fn short(value: f64) -> f32 {
    value as f32
}

#[expect(clippy::cast_precision_loss, reason = "counters above 2^53 are shown with sixteen digits")]
fn wide(value: u64) -> f64 {
    value as f64
}

/// What every comparison needs of the records whose task and strategy are in the index.
fn columns(dataset: &Dataset, index: &Index<'_>) -> Vec<(String, Column)> {
    let rows: Vec<_> = dataset
        .rows()
        .iter()
        .filter_map(|row| Some((row, *index.tasks.get(row.task())?, *index.strategies.get(row.strategy())?)))
        .collect();
    let status = |status: Status| STATUSES.iter().position(|known| *known == status).unwrap_or(0);
    let usage = |value: fn(&harness_model::record::Usage) -> f64| {
        Column::F32(
            rows.iter()
                .map(|(row, ..)| row.record.usage.as_ref().map_or(f32::NAN, |u| short(value(u))))
                .collect(),
        )
    };
    let solve = |row: &crate::Row| {
        row.record.phases.get("solve").map_or(f32::NAN, |time| short(seconds(time.shown_ns())))
    };
    vec![
        ("task".to_owned(), Column::Rising(rows.iter().map(|(_, task, _)| *task).collect())),
        ("strategy".to_owned(), Column::U32(rows.iter().map(|(_, _, strategy)| *strategy).collect())),
        ("repeat".to_owned(), Column::U32(rows.iter().map(|(row, ..)| row.record.key.repeat).collect())),
        (
            "status".to_owned(),
            Column::U8(
                rows.iter().map(|(row, ..)| u8::try_from(status(row.status())).unwrap_or(0)).collect(),
            ),
        ),
        ("solve".to_owned(), Column::F32(rows.iter().map(|(row, ..)| solve(row)).collect())),
        ("cpu".to_owned(), usage(|usage| seconds(usage.cpu_ns))),
        ("wall".to_owned(), usage(|usage| seconds(usage.wall_ns))),
        ("memory".to_owned(), usage(|usage| wide(usage.peak_rss_bytes))),
    ]
}

/// Another run beside this one: its records on the same tasks by the same strategies.
fn against(index: &Index<'_>, other: &Dataset) -> (Value, Block) {
    let rows = other.rows().iter();
    let foreign = rows
        .filter(|row| !index.tasks.contains_key(row.task()) || !index.strategies.contains_key(row.strategy()))
        .count();
    let head = json!({
        "name": other.run.name,
        "records": other.rows().len(),
        "started": crate::format::utc(other.run.started_unix_s),
        "commit": other.run.versions.get("commit"),
        "foreign": foreign,
    });
    (head, Block::of_columns("against", &columns(other, index)))
}

/// Phases and counters: for each name the records that have it, and their values.
fn measured_columns(dataset: &Dataset) -> (Vec<(String, Column)>, Option<String>) {
    let mut names: BTreeMap<String, (Vec<u32>, Vec<f64>)> = BTreeMap::new();
    for column in measured_of(dataset) {
        let (mut places, mut values) = (Vec::new(), Vec::new());
        for (place, row) in dataset.rows().iter().enumerate() {
            if let Some(value) = column.of(&row.record) {
                places.push(number(place));
                values.push(match value {
                    Measured::Time(ns) => seconds(ns),
                    Measured::Count(count) => wide(count),
                });
            }
        }
        names.insert(column.name(), (places, values));
    }
    // What few records have says most about these few.
    let mut sizes: Vec<(usize, &String)> =
        names.iter().map(|(name, (places, _))| (places.len(), name)).collect();
    sizes.sort_unstable();
    let mut total = 0;
    let left: Vec<String> = sizes
        .into_iter()
        .filter(|(size, _)| {
            total += size;
            total > MOST_MEASURED
        })
        .map(|(_, name)| name.clone())
        .collect();
    names.retain(|name, _| !left.contains(name));
    let columns = names.into_iter().flat_map(|(name, (places, values))| {
        // Times have more digits than anyone sees; counters are exact.
        let values = if name.starts_with("phase.") {
            Column::F32(values.into_iter().map(short).collect())
        } else {
            Column::F64(values)
        };
        [(format!("{name} at"), Column::Rising(places)), (name, values)]
    });
    let told = (!left.is_empty()).then(|| {
        format!("for their size these columns of results.csv are not in this page: {}", left.join(", "))
    });
    (columns.collect(), told)
}

/// Texts of records, each once.
struct Texts {
    list: Vec<String>,
    places: HashMap<String, u32>,
    total: usize,
    left: usize,
}

impl Default for Texts {
    fn default() -> Self {
        // The first one stands for none.
        Self { list: vec![String::new()], places: HashMap::new(), total: 0, left: 0 }
    }
}

impl Texts {
    /// The place of a text in the list; 0 of an empty one.
    fn place(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        let text = cut(text);
        if let Some(&place) = self.places.get(&text) {
            return place;
        }
        if self.total + text.len() > ALL_TEXTS {
            self.left += 1;
            return self.place_of_left_out();
        }
        self.total += text.len();
        self.add(text)
    }

    fn add(&mut self, text: String) -> u32 {
        let place = number(self.list.len());
        self.list.push(text.clone());
        self.places.insert(text, place);
        place
    }

    fn place_of_left_out(&mut self) -> u32 {
        const NOT_HERE: &str = "(not in this page for its size: see results.csv)";
        match self.places.get(NOT_HERE) {
            Some(&place) => place,
            None => self.add(NOT_HERE.to_owned()),
        }
    }

    fn left_out(&self) -> Vec<String> {
        let told = format!(
            "{} witnesses and details are not in this page for their size: they are in results.csv",
            self.left
        );
        if self.left > 0 { vec![told] } else { Vec::new() }
    }
}

/// The beginning of a text that is too long.
fn cut(text: &str) -> String {
    if text.len() <= LONGEST_TEXT {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(LONGEST_TEXT);
    format!("{}… ({} bytes more, in results.csv)", &text[..end], text.len() - end)
}

/// Whose expression it is, and whether a match is meant anywhere in a word.
fn dialect(regex: &RegexSource) -> String {
    let find = if regex.find { ", found in words" } else { "" };
    format!("{}{find}", regex.dialect.name())
}

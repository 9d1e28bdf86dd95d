//! The corpus `regexes/li2009`: the ten expressions of the representation study, the same ones written
//! differently, and the right answers. The data and its origin are in `corpora/regexes/li2009/`; it is part
//! of the program.

use std::collections::BTreeMap;
use std::path::PathBuf;

use harness_model::{Alphabet, Dialect, Operation, OperationKind, RegexSource, Task, Verdict};

use crate::Options;
use crate::error::{CorpusError, hint};
use crate::pairs::{Pairs, all_pairs};

/// Name of the corpus.
pub(crate) const NAME: &str = "regexes/li2009";

/// The path of tasks that compare an expression with its variant.
const VARIANTS: &str = "regexes/li2009-variants";

const PATTERNS_FILE: &str = "corpora/regexes/li2009/patterns.tsv";
const VARIANTS_FILE: &str = "corpora/regexes/li2009/variants.tsv";
const EXPECTED_FILE: &str = "corpora/regexes/li2009/expected.csv";

const PATTERNS_TEXT: &str = include_str!("../regexes/li2009/patterns.tsv");
const VARIANTS_TEXT: &str = include_str!("../regexes/li2009/variants.tsv");
const EXPECTED_TEXT: &str = include_str!("../regexes/li2009/expected.csv");

/// On whose word the answers are.
pub(crate) const SOURCE: &str = "corpora/regexes/li2009/expected.csv";
/// Why the answers to variants are known.
const VARIANT_SOURCE: &str = "corpora/regexes/li2009/variants.tsv: the same language written differently";

/// What is appended to a name for its variant.
const SUFFIX: char = 'v';

/// The ten expressions, `A0` to `A9`.
///
/// # Errors
/// When the data is damaged.
pub fn expressions() -> Result<Vec<RegexSource>, CorpusError> {
    table(PATTERNS_TEXT, PATTERNS_FILE)
}

/// The same languages, written differently: `A0v` to `A9v`.
///
/// # Errors
/// When the data is damaged.
pub fn variants() -> Result<Vec<RegexSource>, CorpusError> {
    table(VARIANTS_TEXT, VARIANTS_FILE)
}

/// The right answer to one operation, in every alphabet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownAnswer {
    /// By alphabet.
    pub verdicts: BTreeMap<Alphabet, Verdict>,
    /// How many characters a shortest witness has, if there is one.
    pub shortest: Option<usize>,
}

/// The right answers: by kind, left and right name.
///
/// # Errors
/// When the data is damaged.
pub fn answers() -> Result<BTreeMap<(OperationKind, String, String), KnownAnswer>, CorpusError> {
    let mut answers = BTreeMap::new();
    let mut reader = csv::Reader::from_reader(EXPECTED_TEXT.as_bytes());
    for record in reader.records() {
        let record = record.map_err(|error| {
            let line = error.position().map_or(1, |p| usize::try_from(p.line()).unwrap_or(usize::MAX));
            damaged(EXPECTED_FILE, line, error.to_string())
        })?;
        let line = record.position().map_or(1, |p| usize::try_from(p.line()).unwrap_or(usize::MAX));
        let (key, answer) = known_answer(&record).map_err(|what| damaged(EXPECTED_FILE, line, what))?;
        if answers.insert(key, answer).is_some() {
            return Err(damaged(EXPECTED_FILE, line, "this operation is there twice".into()));
        }
    }
    Ok(answers)
}

fn known_answer(
    record: &csv::StringRecord,
) -> Result<((OperationKind, String, String), KnownAnswer), String> {
    let [kind, left, right, ascii, latin1, utf16, unicode, shortest] =
        record.iter().collect::<Vec<_>>().try_into().map_err(|_| "eight columns are wanted".to_owned())?;
    let kind = match kind {
        "product" => OperationKind::Product,
        "difference" => OperationKind::Difference,
        other => return Err(format!("'{other}' is no operation")),
    };
    let verdict = |text: &str| match text {
        "empty" => Ok(Verdict::Empty),
        "nonempty" => Ok(Verdict::Nonempty),
        other => Err(format!("'{other}' is no verdict")),
    };
    let mut verdicts = BTreeMap::new();
    for (alphabet, text) in Alphabet::ALL.into_iter().zip([ascii, latin1, utf16, unicode]) {
        verdicts.insert(alphabet, verdict(text)?);
    }
    let shortest = match shortest {
        "" => None,
        number => Some(number.parse().map_err(|_| format!("'{number}' is no length"))?),
    };
    Ok(((kind, left.to_owned(), right.to_owned()), KnownAnswer { verdicts, shortest }))
}

fn damaged(file: &str, line: usize, what: String) -> CorpusError {
    CorpusError::Line { file: PathBuf::from(file), line, what }
}

/// Reads `name<TAB>pattern` lines under a header.
fn table(text: &str, file: &str) -> Result<Vec<RegexSource>, CorpusError> {
    text.lines()
        .enumerate()
        .skip(1)
        .map(|(index, line)| {
            let (name, pattern) = line
                .split_once('\t')
                .ok_or_else(|| damaged(file, index + 1, "a name, a tab and a pattern are wanted".into()))?;
            Ok(RegexSource {
                find: false,
                name: name.into(),
                pattern: pattern.into(),
                dialect: Dialect::DotnetStudy,
            })
        })
        .collect()
}

/// The tasks that `options` ask for.
pub(crate) fn load(options: &Options) -> Result<Vec<Task>, CorpusError> {
    let regexes = chosen(expressions()?, options)?;
    let answers = answers()?;
    let verdict = |alphabet: Alphabet, kind: OperationKind, left: &str, right: &str| {
        let key = (kind, left.trim_end_matches(SUFFIX).to_owned(), right.trim_end_matches(SUFFIX).to_owned());
        answers.get(&key).and_then(|a| a.verdicts.get(&alphabet)).copied()
    };
    let (path, source, regexes, operations) = if options.variants {
        let others = variants()?;
        let count = regexes.len();
        let mut both = regexes;
        for index in 0..count {
            let name = format!("{}{SUFFIX}", both[index].name);
            let other = others.iter().find(|o| o.name == name);
            both.push(
                other
                    .cloned()
                    .ok_or_else(|| damaged(VARIANTS_FILE, 1, format!("there is no variant '{name}'")))?,
            );
        }
        (VARIANTS, VARIANT_SOURCE, both, variant_pairs(count, &options.operations))
    } else {
        let operations = all_pairs(regexes.len(), &options.operations);
        (NAME, SOURCE, regexes, operations)
    };
    let mut tasks = Vec::new();
    for &alphabet in &options.alphabets {
        let pairs = Pairs {
            path,
            alphabet,
            regexes: regexes.clone(),
            operations: operations.clone(),
            batch: options.batch,
        };
        tasks.extend(pairs.tasks(|kind, left, right| verdict(alphabet, kind, left, right), source));
    }
    if tasks.is_empty() {
        let why = match (options.alphabets.is_empty(), options.operations.is_empty()) {
            (true, _) => "no alphabet is chosen",
            (_, true) => "no operation is chosen",
            _ => "every expression is excluded",
        };
        return Err(CorpusError::Empty { place: format!("corpus {NAME}"), why });
    }
    Ok(tasks)
}

/// Each expression, at `i`, with its variant, at `count + i`: the product once, the difference both ways.
fn variant_pairs(count: usize, kinds: &[OperationKind]) -> Vec<Operation> {
    let mut operations = Vec::new();
    for &kind in kinds {
        for left in 0..count {
            operations.push(Operation { kind, left, right: count + left });
            if kind == OperationKind::Difference {
                operations.push(Operation { kind, left: count + left, right: left });
            }
        }
    }
    operations
}

pub(crate) fn chosen(all: Vec<RegexSource>, options: &Options) -> Result<Vec<RegexSource>, CorpusError> {
    for name in options.include.iter().chain(&options.exclude) {
        if !all.iter().any(|r| r.name == *name) {
            return Err(CorpusError::UnknownRegex {
                place: format!("corpus {NAME}"),
                name: name.clone(),
                hint: hint(name, all.iter().map(|r| r.name.as_str())),
            });
        }
    }
    Ok(all.into_iter().filter(|r| options.keeps(&r.name)).collect())
}

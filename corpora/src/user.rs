//! A user's own file of expressions.
//!
//! One a line: a pattern, or a name, a tab and a pattern. Blank lines are skipped, and so are lines that
//! begin with `#`. A pattern that itself begins with `#` is written with a name before it, or as `[#]`; a tab
//! in a pattern is `\t`, and a pattern of blanks alone is `[ ]`. A line without a name is called `line7`
//! after its number. Names are letters, digits, `_` and `.`, as they become parts of the names of tasks.
//! A pattern stands for the words that it matches as a whole, or, where the user says so, for those that a
//! match is in. UTF-8; a byte order mark and Windows line ends do no harm.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use harness_model::{Alphabet, Dialect, RegexSource, Task};
use harness_regex::ParseError;

use crate::Options;
use crate::error::{CorpusError, hint};
use crate::pairs::{Pairs, all_pairs};

/// A file's expressions, not yet read as expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserRegexes {
    /// The file.
    pub file: PathBuf,
    /// In the file's order, names unique.
    pub regexes: Vec<UserRegex>,
}

/// One line of such a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserRegex {
    /// Given or `line7`.
    pub name: String,
    /// As written.
    pub pattern: String,
    /// From 1.
    pub line: usize,
    /// Where in its line the pattern begins, in characters from 1.
    pub column: usize,
}

/// An expression that cannot be used: which, where and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRegex {
    /// The file.
    pub file: PathBuf,
    /// From 1.
    pub line: usize,
    /// Of the fault itself, in characters from 1.
    pub column: usize,
    /// Its name.
    pub name: String,
    /// As whose it was read.
    pub dialect: Dialect,
    /// Over what it was read.
    pub alphabet: Alphabet,
    /// Why.
    pub error: ParseError,
}

impl fmt::Display for BadRegex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, name, dialect, error, .. } = self;
        write!(f, "{}:{line}:{column}: expression '{name}' ({dialect}): {}", file.display(), error.message)
    }
}

impl std::error::Error for BadRegex {}

/// Larger files are refused unread.
const LARGEST_FILE: u64 = 16 << 20;

/// Pairs grow with the square: so many expressions make 375,250 tasks in each alphabet.
const MOST_EXPRESSIONS: usize = 500;

impl UserRegexes {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read, is not UTF-8, has a name twice or one that cannot be, or has no expression.
    pub fn read(path: &Path) -> Result<Self, CorpusError> {
        let refuse = |what: String| CorpusError::File { file: path.to_owned(), what };
        let unreadable = |error| refuse(format!("the file of expressions cannot be read: {error}"));
        let found = std::fs::metadata(path).map_err(unreadable)?;
        if !found.is_file() || found.len() > LARGEST_FILE {
            return Err(refuse(format!(
                "this is not a file of at most {} MiB, as a file of expressions must be",
                LARGEST_FILE >> 20
            )));
        }
        let limit = harness_files::Limit { bytes: LARGEST_FILE, pipe: false };
        let bytes = harness_files::read(path, limit).map_err(unreadable)?;
        Self::parse(path, &bytes)
    }

    /// Reads the contents of the file at `path`.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, CorpusError> {
        let at = |line: usize, what: String| CorpusError::Line { file: path.to_owned(), line, what };
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&b| b == b'\n').count();
            at(line, "this is not UTF-8; save the file as UTF-8".into())
        })?;
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let mut regexes: Vec<UserRegex> = Vec::new();
        let mut lines: BTreeMap<String, usize> = BTreeMap::new();
        for (index, raw) in text.split('\n').enumerate() {
            let line = index + 1;
            let content = raw.strip_suffix('\r').unwrap_or(raw);
            if content.trim().is_empty() || content.starts_with('#') {
                continue;
            }
            let (name, pattern) = match content.split_once('\t') {
                Some((name, pattern)) => (name.to_owned(), pattern),
                None => (format!("line{line}"), content),
            };
            if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.') {
                return Err(at(
                    line,
                    format!(
                        "'{name}' before the tab is no name: letters, digits, '_' and '.' make one (a tab in a pattern \
                         is \\t)"
                    ),
                ));
            }
            if let Some(first) = lines.insert(name.clone(), line) {
                return Err(at(line, format!("the name '{name}' is taken by line {first}")));
            }
            let column = 1 + content.chars().count() - pattern.chars().count();
            regexes.push(UserRegex { name, pattern: pattern.to_owned(), line, column });
        }
        if regexes.is_empty() {
            return Err(CorpusError::File {
                file: path.to_owned(),
                what: "there is no expression in it: write one a line".into(),
            });
        }
        if regexes.len() > MOST_EXPRESSIONS {
            return Err(CorpusError::File {
                file: path.to_owned(),
                what: format!(
                    "there are {} expressions in it, more than {MOST_EXPRESSIONS}: every pair becomes a task; put fewer into a file",
                    regexes.len()
                ),
            });
        }
        Ok(Self { file: path.to_owned(), regexes })
    }

    /// Reads every expression over every alphabet: those that are fine everywhere, and what is wrong with the
    /// others (the first fault of each). Costs one reading of each expression for each alphabet.
    pub fn check(
        &self,
        dialect: Dialect,
        find: bool,
        alphabets: &[Alphabet],
    ) -> (Vec<&UserRegex>, Vec<BadRegex>) {
        let mut good = Vec::new();
        let mut bad = Vec::new();
        for regex in &self.regexes {
            let fault = alphabets.iter().find_map(|&alphabet| {
                let read = if find { harness_regex::parse_search } else { harness_regex::parse };
                let error = read(&regex.pattern, dialect, alphabet).err()?;
                Some((alphabet, error))
            });
            match fault {
                None => good.push(regex),
                Some((alphabet, error)) => bad.push(BadRegex {
                    file: self.file.clone(),
                    line: regex.line,
                    column: regex.column + error.offset,
                    name: regex.name.clone(),
                    dialect,
                    alphabet,
                    error,
                }),
            }
        }
        (good, bad)
    }

    /// The path of its tasks: `user/` and the file's name without its ending.
    pub fn path(&self) -> String {
        let stem = self.file.file_stem().map_or_else(|| "regexes".into(), |s| s.to_string_lossy());
        let clean: String =
            stem.chars().map(|c| if c.is_alphanumeric() || "_.-".contains(c) { c } else { '_' }).collect();
        format!("user/{clean}")
    }

    /// The tasks on all pairs of the expressions that can be used, and what is wrong with the others, which
    /// are left out; where `find` is said, each stands for the words that a match is in. No answer is expected.
    /// [`Options::variants`] does not apply.
    ///
    /// # Errors
    /// When an expression that is to be included or excluded is not in the file, or nothing is left.
    pub fn tasks(
        &self,
        dialect: Dialect,
        find: bool,
        options: &Options,
    ) -> Result<(Vec<Task>, Vec<BadRegex>), CorpusError> {
        for name in options.include.iter().chain(&options.exclude) {
            if !self.regexes.iter().any(|r| r.name == *name) {
                return Err(CorpusError::UnknownRegex {
                    place: self.file.display().to_string(),
                    name: name.clone(),
                    hint: hint(name, self.regexes.iter().map(|r| r.name.as_str())),
                });
            }
        }
        let (good, bad) = self.check(dialect, find, &options.alphabets);
        let regexes: Vec<RegexSource> = good
            .into_iter()
            .filter(|r| options.keeps(&r.name))
            .map(|r| RegexSource { find, name: r.name.clone(), pattern: r.pattern.clone(), dialect })
            .collect();
        let bad: Vec<BadRegex> = bad.into_iter().filter(|b| options.keeps(&b.name)).collect();
        let path = self.path();
        let operations = all_pairs(regexes.len(), &options.operations);
        let mut tasks = Vec::new();
        for &alphabet in &options.alphabets {
            let pairs = Pairs {
                path: &path,
                alphabet,
                regexes: regexes.clone(),
                operations: operations.clone(),
                batch: options.batch,
            };
            tasks.extend(pairs.tasks(|_, _, _| None, ""));
        }
        // With faults to tell of, the caller decides what an empty set of tasks means.
        if tasks.is_empty() && bad.is_empty() {
            let why = match (options.alphabets.is_empty(), options.operations.is_empty()) {
                (true, _) => "no alphabet is chosen",
                (_, true) => "no operation is chosen",
                _ => "every expression is excluded",
            };
            return Err(CorpusError::Empty { place: self.file.display().to_string(), why });
        }
        Ok((tasks, bad))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<UserRegexes, CorpusError> {
        UserRegexes::parse(Path::new("dir/my regexes.txt"), text.as_bytes())
    }

    #[test]
    fn lines_names_comments_and_line_ends() {
        let file = parse("\u{FEFF}# a comment\r\n\r\nab*\r\nhash\t#x\n  \n[ ]").unwrap();
        let found: Vec<_> =
            file.regexes.iter().map(|r| (r.name.as_str(), r.pattern.as_str(), r.line, r.column)).collect();
        assert_eq!(found, [("line3", "ab*", 3, 1), ("hash", "#x", 4, 6), ("line6", "[ ]", 6, 1)]);
        assert_eq!(file.path(), "user/my_regexes");
    }

    #[test]
    fn faults_have_their_line() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(message("a\tx\nb\ty\na\tz"), "dir/my regexes.txt:3: the name 'a' is taken by line 1");
        assert!(message("x-y\tab").starts_with("dir/my regexes.txt:1: 'x-y' before the tab is no name"));
        assert!(message("# nothing\n").contains("write one a line"));
        let error = UserRegexes::parse(Path::new("f"), b"a\nb\n\xFF").unwrap_err();
        assert!(error.to_string().starts_with("f:3: this is not UTF-8"));
        assert!(UserRegexes::read(Path::new("no such file")).is_err());
    }

    #[test]
    fn bad_expressions_are_told_and_left_out() {
        let file = parse("a\nbad\tx(\\1)\nb").unwrap();
        let (tasks, bad) = file.tasks(Dialect::Dotnet, false, &Options::default()).unwrap();
        assert_eq!(tasks.len(), 3 + 4);
        assert_eq!(tasks[1].id, "user/my_regexes/ascii/product/line1-line3");
        assert!(tasks.iter().all(|t| t.expected.is_none()));
        assert_eq!(bad.len(), 1);
        assert!(
            bad[0].to_string().starts_with("dir/my regexes.txt:2:7: expression 'bad' (dotnet): "),
            "{}",
            bad[0]
        );
    }

    #[test]
    fn choosing_by_name() {
        let file = parse("a\tx\nb\ty\nc\tz").unwrap();
        let only = |include: &[&str], exclude: &[&str]| Options {
            include: include.iter().map(|&n| n.into()).collect(),
            exclude: exclude.iter().map(|&n| n.into()).collect(),
            ..Options::default()
        };
        assert_eq!(file.tasks(Dialect::Java, false, &only(&["a", "c"], &[])).unwrap().0.len(), 3 + 4);
        assert_eq!(file.tasks(Dialect::Java, false, &only(&[], &["b"])).unwrap().0.len(), 3 + 4);
        let error = file.tasks(Dialect::Java, false, &only(&["d"], &[])).unwrap_err();
        assert!(error.to_string().contains("no expression 'd'"));
        assert!(file.tasks(Dialect::Java, false, &only(&["a"], &["a"])).is_err());
    }
}

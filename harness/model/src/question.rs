//! What is asked. A backend is given a [`Question`] and nothing else of a task, so it cannot know which
//! answer is expected.
//!
//! The kinds of question are a closed sum, [`QuestionKind`]. Code that does something for one kind of
//! question matches on it without a catch-all arm, so a new kind is a compile error in every place that has
//! to know it: see "Adding things" in ARCHITECTURE.md.
//!
//! In JSON a question is one flat object, as the first version of the format has it: `alphabet`, `regexes`,
//! `operations` and, for a script, `script`, when the two lists are empty. A new kind adds a key of its own
//! and leaves out the two lists: an earlier build then refuses the question instead of reading it as one that
//! asks nothing.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

use crate::alphabet::Alphabet;
use crate::verdict::Verdict;

/// What a backend is given: something to decide, over an alphabet.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "ReadQuestion")]
pub struct Question {
    /// The characters that strings are made of.
    pub alphabet: Alphabet,
    /// What is to be decided.
    pub kind: QuestionKind,
}

/// The kinds of question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// Operations on regular expressions, each followed by a test for emptiness.
    Operations(Operations),
    /// An SMT-LIB script of string constraints.
    Script(ScriptSource),
    /// Systems of regular constraints over string variables.
    System(SystemSource),
    /// Context-free grammars, and whether a word of bounded length is in all of them.
    Grammars(GrammarsSource),
}

/// Regular expressions, and operations on pairs of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operations {
    /// The expressions that the operations name, as text: reading it is part of every strategy's work.
    pub regexes: Vec<RegexSource>,
    /// What to do with them, in order. Mostly one; a batch of several lets a strategy share work between
    /// them.
    pub operations: Vec<Operation>,
}

impl Question {
    /// Operations on expressions.
    pub const fn of_operations(
        alphabet: Alphabet,
        regexes: Vec<RegexSource>,
        operations: Vec<Operation>,
    ) -> Self {
        Self { alphabet, kind: QuestionKind::Operations(Operations { regexes, operations }) }
    }

    /// A script with `queries` commands `check-sat`.
    pub fn of_script(alphabet: Alphabet, text: impl Into<String>, queries: usize) -> Self {
        Self { alphabet, kind: QuestionKind::Script(ScriptSource { text: text.into(), queries }) }
    }

    /// Systems of regular constraints.
    pub const fn of_system(alphabet: Alphabet, system: SystemSource) -> Self {
        Self { alphabet, kind: QuestionKind::System(system) }
    }

    /// Context-free grammars.
    pub const fn of_grammars(alphabet: Alphabet, grammars: GrammarsSource) -> Self {
        Self { alphabet, kind: QuestionKind::Grammars(grammars) }
    }

    /// How many answers it asks for.
    pub const fn asked(&self) -> usize {
        self.kind.asked()
    }

    /// The operations, for what is about operations alone.
    pub const fn as_operations(&self) -> Option<&Operations> {
        match &self.kind {
            QuestionKind::Operations(operations) => Some(operations),
            QuestionKind::Script(_) | QuestionKind::System(_) | QuestionKind::Grammars(_) => None,
        }
    }

    /// The script, for what is about scripts alone.
    pub const fn as_script(&self) -> Option<&ScriptSource> {
        match &self.kind {
            QuestionKind::Script(script) => Some(script),
            QuestionKind::Operations(_) | QuestionKind::System(_) | QuestionKind::Grammars(_) => None,
        }
    }

    /// The systems, for what is about them alone.
    pub const fn as_system(&self) -> Option<&SystemSource> {
        match &self.kind {
            QuestionKind::System(system) => Some(system),
            QuestionKind::Operations(_) | QuestionKind::Script(_) | QuestionKind::Grammars(_) => None,
        }
    }

    /// The grammars, for what is about them alone.
    pub const fn as_grammars(&self) -> Option<&GrammarsSource> {
        match &self.kind {
            QuestionKind::Grammars(grammars) => Some(grammars),
            QuestionKind::Operations(_) | QuestionKind::Script(_) | QuestionKind::System(_) => None,
        }
    }
}

impl QuestionKind {
    /// How many answers it asks for: one for each operation, each `check-sat` of the script, or each time
    /// that a system is to be solved; one about grammars.
    pub const fn asked(&self) -> usize {
        match self {
            Self::Operations(asked) => asked.operations.len(),
            Self::Script(script) => script.queries,
            Self::System(system) => system.queries,
            Self::Grammars(_) => 1,
        }
    }

    /// The verdicts that an answer can have. The verdict on a question that asks for several answers is the
    /// first of these that one of the answers has; the last one stands when there are no answers.
    pub const fn verdicts(&self) -> &'static [Verdict] {
        match self {
            // A bound on lengths is a part of what is asked of grammars.
            Self::Operations(_) | Self::Grammars(_) => &[Verdict::Nonempty, Verdict::Unknown, Verdict::Empty],
            Self::Script(_) | Self::System(_) => {
                &[Verdict::Sat, Verdict::Unknown, Verdict::UnsatWithinBound, Verdict::Unsat]
            }
        }
    }

    /// Which part of it answer number `index` is about: `difference of A0 and A1`, or `check-sat number 3`;
    /// `None` for an operation that is not there.
    pub fn describe(&self, index: usize) -> Option<String> {
        match self {
            Self::Operations(asked) => asked.describe(index),
            Self::Script(_) => Some(format!("check-sat number {}", index + 1)),
            Self::System(_) => Some(format!("system number {}", index + 1)),
            Self::Grammars(asked) => Some(asked.describe()),
        }
    }

    /// What it is called in messages: what a strategy that cannot do it names.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Operations(_) => "operations on regular expressions",
            Self::Script(_) => "string constraints",
            Self::System(_) => "systems of regular constraints",
            Self::Grammars(_) => "words of several grammars",
        }
    }
}

impl Operations {
    /// The operation at `index` with the names of its expressions: `difference of A0 and A1`.
    fn describe(&self, index: usize) -> Option<String> {
        let Operation { kind, left, right } = self.operations.get(index)?;
        Some(format!("{kind} of {} and {}", self.name_of(*left), self.name_of(*right)))
    }

    /// The name of an expression; its number, where there is none of that number.
    pub fn name_of(&self, regex: usize) -> String {
        self.regexes.get(regex).map_or_else(|| format!("#{regex}"), |source| source.name.clone())
    }
}

/// An SMT-LIB script as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ScriptSource {
    /// The text.
    pub text: String,
    /// How many `check-sat` commands it has.
    pub queries: usize,
}

/// Systems of regular constraints as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SystemSource {
    /// The text.
    pub text: String,
    /// Whose language it is written in.
    pub format: SystemFormat,
    /// How often it asks for a solution: once, but for texts that change what they ask.
    pub queries: usize,
    /// What a solution is.
    #[serde(default)]
    pub solution: SolutionKind,
}

/// The languages in which systems of regular constraints are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SystemFormat {
    /// DPRLE's: automata, inclusions, commands.
    Dprle,
    /// HAMPI's: one variable of bounded length, expressions, grammars.
    Hampi,
    /// SMT-LIB, with memberships as its assertions.
    Smtlib,
}

impl SystemFormat {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Dprle, Self::Hampi, Self::Smtlib];

    /// The name used in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dprle => "dprle",
            Self::Hampi => "hampi",
            Self::Smtlib => "smtlib",
        }
    }

    /// The ending of its files.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Dprle => "dprle",
            Self::Hampi => "hmp",
            Self::Smtlib => "smt2",
        }
    }

    /// The format of files with this ending.
    pub fn of_ending(ending: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.ending() == ending)
    }
}

impl fmt::Display for SystemFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is asked of a system of regular constraints. The verdict is the same for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SolutionKind {
    /// A word for each variable.
    #[default]
    Words,
    /// A language for each variable, none of which can be larger.
    First,
    /// So many of these that each solution in words is within one of them.
    All,
}

impl SolutionKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Words, Self::First, Self::All];

    /// The name used in configs and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::First => "first",
            Self::All => "all",
        }
    }
}

impl fmt::Display for SolutionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SolutionKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| format!("no kind of solution '{name}': there are words, first and all"))
    }
}

/// Whether there is a word, of lengths within bounds, that each of some context-free grammars derives.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GrammarsSource {
    /// The grammars; with one it is whether that has such a word.
    pub grammars: Vec<GrammarSource>,
    /// The least number of characters.
    #[serde(default)]
    pub shortest: u32,
    /// The greatest number of characters.
    pub longest: u32,
}

/// A context-free grammar as text, in the format of CFG Analyzer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GrammarSource {
    /// Its name in tables.
    pub name: String,
    /// The text.
    pub text: String,
}

impl GrammarsSource {
    /// The most characters that may be asked for, at either end.
    pub const LONGEST: u32 = 1_000;

    /// What is asked in words: `words of G and H with 0 to 5 characters`.
    fn describe(&self) -> String {
        let names: Vec<&str> = self.grammars.iter().map(|grammar| grammar.name.as_str()).collect();
        format!("words of {} with {} to {} characters", names.join(" and "), self.shortest, self.longest)
    }
}

/// A regular expression as text. It denotes the words that match as a whole, or where `find` is set those
/// that a match is in.
///
/// In JSON the text is `pattern`, or `find`: an earlier build, which knows `pattern` alone, refuses the other
/// one instead of taking it for what it is not.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "WrittenRegex", into = "WrittenRegex")]
pub struct RegexSource {
    /// Its name in tables.
    pub name: String,
    /// The text.
    pub pattern: String,
    /// Whose syntax and classes.
    pub dialect: Dialect,
    /// Whether a match may be anywhere in a word. Assertions look at the whole word all the same: `^a` has
    /// the words that begin with an `a`.
    pub find: bool,
}

/// A [`RegexSource`] in JSON.
#[derive(Serialize, Deserialize)]
struct WrittenRegex {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pattern: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    find: Option<String>,
    dialect: Dialect,
}

impl From<RegexSource> for WrittenRegex {
    fn from(source: RegexSource) -> Self {
        let RegexSource { name, pattern, dialect, find } = source;
        let (pattern, find) = if find { (None, Some(pattern)) } else { (Some(pattern), None) };
        Self { name, pattern, find, dialect }
    }
}

impl TryFrom<WrittenRegex> for RegexSource {
    type Error = &'static str;

    fn try_from(written: WrittenRegex) -> Result<Self, Self::Error> {
        let WrittenRegex { name, pattern, find, dialect } = written;
        let (pattern, find) = match (pattern, find) {
            (Some(pattern), None) => (pattern, false),
            (None, Some(pattern)) => (pattern, true),
            (None, None) => return Err("an expression has no 'pattern'"),
            (Some(_), Some(_)) => return Err("an expression has both 'pattern' and 'find'"),
        };
        Ok(Self { name, pattern, dialect, find })
    }
}

/// Whose regular expressions: syntax, classes and quirks differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// .NET's `System.Text.RegularExpressions`
    #[default]
    Dotnet,
    /// The same with the `\w` of the representation study, which leaves out the marks (category Mn): for the
    /// corpus of that study alone.
    #[serde(rename = "dotnet-study")]
    DotnetStudy,
    /// `java.util.regex`
    Java,
    /// PCRE2, UTF mode without Unicode properties for `\w` and the like
    Pcre2,
    /// The Rust crate `regex`
    Rust,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Dotnet, Self::DotnetStudy, Self::Java, Self::Pcre2, Self::Rust];

    /// The name used in configs and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dotnet => "dotnet",
            Self::DotnetStudy => "dotnet-study",
            Self::Java => "java",
            Self::Pcre2 => "pcre2",
            Self::Rust => "rust",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|d| d.name() == name).ok_or_else(|| {
            format!("no dialect '{name}': there are dotnet, dotnet-study, java, pcre2 and rust")
        })
    }
}

/// An operation on two of the question's expressions, followed by a test for emptiness with a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Operation {
    /// Which.
    pub kind: OperationKind,
    /// Index into [`Operations::regexes`].
    pub left: usize,
    /// Index into [`Operations::regexes`].
    pub right: usize,
}

/// The two operations of the representation study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OperationKind {
    /// The words in both languages.
    Product,
    /// The words of the left language that are not in the right one.
    Difference,
}

impl OperationKind {
    /// The name used in configs and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Product => "product",
            Self::Difference => "difference",
        }
    }
}

impl fmt::Display for OperationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A question as it is read.
#[derive(Deserialize)]
struct ReadQuestion {
    alphabet: Alphabet,
    regexes: Option<Vec<RegexSource>>,
    operations: Option<Vec<Operation>>,
    script: Option<ScriptSource>,
    system: Option<SystemSource>,
    grammars: Option<GrammarsSource>,
}

impl TryFrom<ReadQuestion> for Question {
    type Error = String;

    fn try_from(read: ReadQuestion) -> Result<Self, String> {
        let ReadQuestion { alphabet, regexes, operations, script, system, grammars } = read;
        if let Some(grammars) = grammars {
            if regexes.is_some() || operations.is_some() || script.is_some() || system.is_some() {
                return Err("a question that has 'grammars' has nothing else, found more".to_owned());
            }
            if grammars.grammars.is_empty() || grammars.longest > GrammarsSource::LONGEST {
                return Err(format!(
                    "a question about grammars has at least one, and lengths up to {}",
                    GrammarsSource::LONGEST
                ));
            }
            return Ok(Self::of_grammars(alphabet, grammars));
        }
        let kind = match (script, system, regexes, operations) {
            (None, None, Some(regexes), Some(operations)) => {
                QuestionKind::Operations(Operations { regexes, operations })
            }
            (Some(script), None, regexes, operations)
                if regexes.as_ref().is_none_or(Vec::is_empty)
                    && operations.as_ref().is_none_or(Vec::is_empty) =>
            {
                QuestionKind::Script(script)
            }
            (None, Some(system), None, None) => QuestionKind::System(system),
            (Some(_), None, _, _) => {
                return Err("a question has either 'operations' or a 'script', found both".to_owned());
            }
            (_, Some(_), _, _) => {
                return Err("a question that has a 'system' has nothing else, found more".to_owned());
            }
            (None, None, _, _) => {
                return Err(
                    "a question has 'regexes' with 'operations', a 'script', a 'system', or 'grammars', found neither; a \
                     newer build may have written it"
                        .to_owned(),
                );
            }
        };
        Ok(Self { alphabet, kind })
    }
}

/// A question as it is written.
#[derive(Serialize)]
struct WrittenQuestion<'a> {
    alphabet: Alphabet,
    /// Empty for a script; only a kind that is newer than these two leaves them out.
    #[serde(skip_serializing_if = "Option::is_none")]
    regexes: Option<&'a [RegexSource]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operations: Option<&'a [Operation]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<&'a ScriptSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<&'a SystemSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grammars: Option<&'a GrammarsSource>,
}

impl Serialize for Question {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let alphabet = self.alphabet;
        let nothing = WrittenQuestion {
            alphabet,
            regexes: None,
            operations: None,
            script: None,
            system: None,
            grammars: None,
        };
        let written = match &self.kind {
            QuestionKind::Operations(Operations { regexes, operations }) => {
                WrittenQuestion { regexes: Some(regexes), operations: Some(operations), ..nothing }
            }
            QuestionKind::Script(script) => {
                WrittenQuestion { regexes: Some(&[]), operations: Some(&[]), script: Some(script), ..nothing }
            }
            QuestionKind::System(system) => WrittenQuestion { system: Some(system), ..nothing },
            QuestionKind::Grammars(grammars) => WrittenQuestion { grammars: Some(grammars), ..nothing },
        };
        written.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Question, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    /// Byte for byte what earlier builds write and read: a runner and a worker of different builds work
    /// together.
    #[test]
    fn both_kinds_keep_their_first_form() {
        let operations = r#"{"alphabet":"ascii","regexes":[{"name":"A","pattern":"\\w+","dialect":"dotnet"}],"operations":[{"kind":"difference","left":0,"right":0}]}"#;
        let regex =
            RegexSource { find: false, name: "A".into(), pattern: r"\w+".into(), dialect: Dialect::Dotnet };
        let operation = Operation { kind: OperationKind::Difference, left: 0, right: 0 };
        let question = Question::of_operations(Alphabet::Ascii, vec![regex], vec![operation]);
        assert_eq!(serde_json::to_string(&question).unwrap(), operations);
        assert_eq!(read(operations), Ok(question));

        let found = operations.replace("pattern", "find");
        let regex =
            RegexSource { name: "A".into(), pattern: r"\w+".into(), dialect: Dialect::Dotnet, find: true };
        let question = Question::of_operations(Alphabet::Ascii, vec![regex], vec![operation]);
        assert_eq!(serde_json::to_string(&question).unwrap(), found);
        assert_eq!(read(&found), Ok(question));
        assert!(read(&operations.replace("pattern", "patern")).is_err());

        let script = r#"{"alphabet":"unicode","regexes":[],"operations":[],"script":{"text":"(check-sat)","queries":1}}"#;
        let question = Question::of_script(Alphabet::Unicode, "(check-sat)", 1);
        assert_eq!(serde_json::to_string(&question).unwrap(), script);
        assert_eq!(read(script), Ok(question));

        let nothing = r#"{"alphabet":"utf16","regexes":[],"operations":[]}"#;
        let question = Question::of_operations(Alphabet::Utf16, Vec::new(), Vec::new());
        assert_eq!(serde_json::to_string(&question).unwrap(), nothing);
        assert_eq!(read(nothing), Ok(question));
    }

    #[test]
    fn a_system_leaves_out_the_lists() {
        let system = |solution| SystemSource {
            text: "solve();".into(),
            format: SystemFormat::Dprle,
            queries: 1,
            solution,
        };
        let text = r#"{"alphabet":"latin1","system":{"text":"solve();","format":"dprle","queries":1,"solution":"all"}}"#;
        let question = Question::of_system(Alphabet::Latin1, system(SolutionKind::All));
        assert_eq!(serde_json::to_string(&question).unwrap(), text);
        assert_eq!(read(text), Ok(question));
        let short = r#"{"alphabet":"latin1","system":{"text":"solve();","format":"dprle","queries":1}}"#;
        assert_eq!(read(short), Ok(Question::of_system(Alphabet::Latin1, system(SolutionKind::Words))));
        let more = r#"{"alphabet":"latin1","regexes":[],"system":{"text":"","format":"hampi","queries":1}}"#;
        assert!(read(more).unwrap_err().contains("nothing else"));
    }

    #[test]
    fn grammars_leave_out_everything_else() {
        let text = r#"{"alphabet":"ascii","grammars":{"grammars":[{"name":"G","text":"S : ;"}],"shortest":0,"longest":5}}"#;
        let grammars = vec![GrammarSource { name: "G".into(), text: "S : ;".into() }];
        let source = GrammarsSource { grammars, shortest: 0, longest: 5 };
        let question = Question::of_grammars(Alphabet::Ascii, source);
        assert_eq!(serde_json::to_string(&question).unwrap(), text);
        assert_eq!(read(text), Ok(question.clone()));
        assert_eq!(read(&text.replace("\"shortest\":0,", "")), Ok(question.clone()));
        assert_eq!(question.kind.describe(0).unwrap(), "words of G with 0 to 5 characters");
        let more = text.replace("\"grammars\":{", "\"regexes\":[],\"grammars\":{");
        assert!(read(&more).unwrap_err().contains("nothing else"));
        let none = r#"{"alphabet":"ascii","grammars":{"grammars":[],"longest":5}}"#;
        assert!(read(none).unwrap_err().contains("at least one"));
        assert!(read(&text.replace("\"longest\":5", "\"longest\":4000")).unwrap_err().contains("up to 1000"));
    }

    #[test]
    fn a_script_needs_no_empty_lists() {
        let question = Question::of_script(Alphabet::Ascii, "", 0);
        assert_eq!(read(r#"{"alphabet":"ascii","script":{"text":"","queries":0}}"#), Ok(question));
    }

    #[test]
    fn two_kinds_at_once_and_none_are_refused() {
        let both = r#"{"alphabet":"ascii","regexes":[],"operations":[{"kind":"product","left":0,"right":0}],"script":{"text":"","queries":0}}"#;
        assert!(read(both).unwrap_err().contains("found both"));
        for neither in [r#"{"alphabet":"ascii","grammar":{}}"#, r#"{"alphabet":"ascii","operations":[]}"#] {
            assert!(read(neither).unwrap_err().contains("found neither"), "{neither}");
        }
    }
}

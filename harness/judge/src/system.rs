//! The judge of systems of regular constraints. A witness is a word for each variable, whose concatenations
//! the trusted matcher finds in the languages or not; or assignments of languages, for which the trusted
//! comparison of languages tells the same. That no language of an assignment can be larger, and that the
//! assignments leave no solution out, is looked for among short words: what is found refutes a witness, and
//! finding nothing does not weaken it.

use std::collections::HashMap;
use std::fmt::Write as _;

use harness_check::inclusion::{Inclusion, inclusion};
use harness_check::matcher::matches_within;
use harness_model::{
    Alphabet, Answer, Char, Languages, Regex, SmtString, SolutionKind, SystemSource, Verdict, Witness,
};
use harness_smtlib::print::symbol;
use harness_systems::document::{Query, read_source};
use harness_systems::hampi::{File, Segments};
use harness_systems::{
    Constraint, Document, ErrorKind, Language, Piece, ReadError, Relation, System, VariableId, dprle,
};
use harness_theory::Value;

use crate::hampi::{self, Scope};
use crate::kind::{Checked, KindJudge, Nouns};
use crate::models::read_model;
use crate::text;

/// Steps of the matcher for one word.
const MATCH: u64 = 100_000_000;

/// Steps of one comparison of languages.
const COMPARE: u64 = 2_000_000;

/// Steps of one comparison that looks whether a language may have one more word.
const EXTEND: u64 = 20_000;

/// How many short words are looked at, of which a variable's own constraints leave some; how many of these
/// for each variable; and how many ways to give all variables one.
const CANDIDATES: usize = 6_000;
const WORDS: usize = 200;
const TUPLES: usize = 5_000;

/// Systems and the checks of their witnesses.
pub struct SystemJudge<'a> {
    alphabet: Alphabet,
    solution: SolutionKind,
    document: Result<Document, ReadError>,
    /// Of models, by system.
    checks: HashMap<(usize, &'a str), Checked>,
}

/// Checks the witness of an answer to system number `number`; `None` when there is none of the form that is
/// asked for.
pub fn check_system(
    source: &SystemSource,
    alphabet: Alphabet,
    number: usize,
    answer: &Answer,
) -> Option<Checked> {
    SystemJudge::new(source, alphabet).check(number, answer)
}

/// As [`check_system`] of each answer, by its place; the systems are read once.
pub fn check_systems(source: &SystemSource, alphabet: Alphabet, answers: &[Answer]) -> Vec<Option<Checked>> {
    let mut judge = SystemJudge::new(source, alphabet);
    answers.iter().enumerate().map(|(number, answer)| judge.check(number, answer)).collect()
}

/// Why a witness is no proof.
enum Fault {
    Wrong(String),
    Unchecked(String),
}

impl<'a> SystemJudge<'a> {
    /// Reads the systems.
    pub fn new(source: &SystemSource, alphabet: Alphabet) -> Self {
        let document = read_source(source, alphabet);
        Self { alphabet, solution: source.solution, document, checks: HashMap::new() }
    }

    fn query(&self, number: usize) -> Option<&Query> {
        self.document.as_ref().ok()?.queries.get(number)
    }

    /// HAMPI's file, where the document is one.
    fn file(&self) -> Option<&File> {
        self.document.as_ref().ok()?.hampi.as_deref()
    }

    /// A model against HAMPI's file as it is, for which there is no system.
    fn whole_file(&self, file: &File, model: &str) -> Checked {
        let check = || {
            let segments = Segments::of(file).map_err(Fault::Unchecked)?;
            let mut names = System::default();
            for (name, ..) in &segments.pieces {
                names.variable(name);
            }
            in_file(file, &check_words(&names, model, self.alphabet)?, Scope::All)
        };
        checked(check())
    }

    fn verdict(&self, number: usize, check: impl FnOnce(&System) -> Result<(), Fault>) -> Checked {
        let system = match (&self.document, self.query(number)) {
            (Err(error), _) => Err(format!("the judge cannot read the system: {error}")),
            (Ok(_), None) => Err(format!("there is no system number {}", number + 1)),
            (Ok(_), Some(query)) => query.system.as_ref().map_err(Clone::clone),
        };
        checked(system.map_err(Fault::Unchecked).and_then(check))
    }
}

fn checked(found: Result<(), Fault>) -> Checked {
    match found {
        Ok(()) => Checked::Proof,
        Err(Fault::Wrong(why)) => Checked::Refuted(why),
        Err(Fault::Unchecked(why)) => Checked::Unchecked(format!("the solution is not checked: {why}")),
    }
}

/// That words are as HAMPI's file says, whose variable is all variables of its system together.
fn in_file(file: &File, words: &[SmtString], scope: Scope) -> Result<(), Fault> {
    let value: SmtString = words.iter().flat_map(|word| word.chars()).copied().collect();
    hampi::check(file, &value, scope).map_err(|why| match why {
        Some(why) => Fault::Wrong(why),
        None => Fault::Unchecked("testing membership in a grammar would take too long".to_owned()),
    })
}

impl<'a> KindJudge<'a> for SystemJudge<'a> {
    /// Words answer what asks for words; languages answer everything.
    fn check(&mut self, number: usize, answer: &'a Answer) -> Option<Checked> {
        match (answer.witness.as_ref()?, self.solution) {
            (Witness::Model(model), SolutionKind::Words) => {
                if let Some(known) = self.checks.get(&(number, model.as_str())) {
                    return Some(known.clone());
                }
                let has_system = self.query(number).is_some_and(|query| query.system.is_ok());
                let checked = match self.file() {
                    Some(file) if !has_system => self.whole_file(file, model),
                    file => self.verdict(number, |system| {
                        let words = check_words(system, model, self.alphabet)?;
                        file.map_or(Ok(()), |file| in_file(file, &words, Scope::Irregular))
                    }),
                };
                self.checks.insert((number, model), checked.clone());
                Some(checked)
            }
            (Witness::Languages(all), solution) => {
                Some(self.verdict(number, |system| check_languages(system, all, solution, self.alphabet)))
            }
            (Witness::Model(_), SolutionKind::First | SolutionKind::All) => {
                let why = "the solution is not checked: it is in words, and languages are asked for";
                Some(Checked::Unchecked(why.to_owned()))
            }
            (Witness::Word(_), _) => None,
        }
    }

    fn illegal(&self) -> Option<String> {
        let error = self.document.as_ref().err().filter(|error| error.kind == ErrorKind::Illegal)?;
        Some(format!("the system is not legal, so that no verdict counts: {error}"))
    }

    fn leaves_open(&self, verdict: Verdict) -> bool {
        verdict == Verdict::Unknown
    }

    /// A system states no verdict.
    fn contradictions(&self, _: &[Option<Verdict>]) -> Vec<String> {
        Vec::new()
    }

    fn describe(&self, number: usize) -> String {
        match self.query(number) {
            Some(query) => format!("the system of line {}", query.position.line),
            None => format!("system number {}", number + 1),
        }
    }

    fn nouns(&self) -> Nouns {
        Nouns { parts: "systems", subject: "a system" }
    }
}

/// The constraint in messages.
fn place(constraint: &Constraint) -> String {
    let word = match constraint.relation {
        Relation::In => "in",
        Relation::NotIn => "outside of",
    };
    format!("{word} the language of line {}", constraint.position.line)
}

fn member(constraint: &Constraint, word: &SmtString) -> Option<bool> {
    let inside = match &*constraint.language {
        Language::Regex(regex) => matches_within(regex, word, MATCH)?,
        Language::Automaton(automaton) => automaton.accepts(word),
    };
    Some(inside == (constraint.relation == Relation::In))
}

/// The values of the variables in a model that SMT solvers print.
///
/// # Errors
///
/// When it is none, or has no value for a variable: whether that is certain.
pub fn words_of(
    system: &System,
    model: &str,
    alphabet: Alphabet,
) -> Result<Vec<SmtString>, Result<String, String>> {
    let unchecked = |why: String| Err(Err(why));
    let mut script = String::new();
    for name in &system.variables {
        let _ = writeln!(script, "(declare-const {} String)", symbol(name));
    }
    script.push_str("(check-sat)");
    let script = match harness_smtlib::read_in(script.as_bytes(), alphabet) {
        Ok(script) => script,
        Err(error) => return unchecked(format!("the names of its variables cannot be written: {error}")),
    };
    let Some(query) = script.queries.first() else { return unchecked("no query".to_owned()) };
    let values = match read_model(query, model, alphabet) {
        Ok(Ok(values)) => values,
        Ok(Err(why)) => return unchecked(why),
        Err(error) => return unchecked(format!("the model cannot be read: {error}")),
    };
    let mut words = Vec::with_capacity(system.variables.len());
    for (variable, name) in query.problem.variables.iter().zip(&system.variables) {
        let Some(Value::String(word)) = values.get(variable) else {
            return Err(Ok(format!("the model has no value for '{name}'")));
        };
        if let Some(foreign) = word.foreign_to(alphabet) {
            return Err(Ok(format!(
                "the model's value of '{name}' contains U+{:04X}, which is not in {alphabet}",
                foreign.0
            )));
        }
        words.push(word.clone());
    }
    Ok(words)
}

fn check_words(system: &System, model: &str, alphabet: Alphabet) -> Result<Vec<SmtString>, Fault> {
    let words = words_of(system, model, alphabet).map_err(|fault| match fault {
        Ok(why) => Fault::Wrong(why),
        Err(why) => Fault::Unchecked(why),
    })?;
    for constraint in &system.constraints {
        let word = System::word(&constraint.pieces, &words);
        match member(constraint, &word) {
            Some(true) => {}
            Some(false) => {
                return Err(Fault::Wrong(format!("{} is not {}", text::word(&word), place(constraint))));
            }
            None => return Err(Fault::Unchecked("the matcher would take too long".to_owned())),
        }
    }
    Ok(words)
}

/// An assignment as expressions, with a shortest word of each language.
struct Assignment {
    languages: Vec<Regex>,
    words: Vec<SmtString>,
}

/// A constraint with its language as an expression; where the words have to be outside, of all others.
struct Bound<'s> {
    constraint: &'s Constraint,
    right: Regex,
}

fn check_languages(
    system: &System,
    all: &[Languages],
    solution: SolutionKind,
    alphabet: Alphabet,
) -> Result<(), Fault> {
    if all.is_empty() {
        return Err(Fault::Wrong("there is no assignment in it".to_owned()));
    }
    let mut bounds = Vec::with_capacity(system.constraints.len());
    for constraint in &system.constraints {
        let regex = constraint.language.regex().map_err(|error| Fault::Unchecked(error.to_string()))?;
        let right = match constraint.relation {
            Relation::In => regex.into_owned(),
            Relation::NotIn => Regex::Complement(regex.into_owned().into()),
        };
        bounds.push(Bound { constraint, right });
    }
    let mut read = Vec::with_capacity(all.len());
    for languages in all {
        read.push(assignment(system, languages, &bounds, alphabet)?);
    }
    match solution {
        SolutionKind::Words => Ok(()),
        SolutionKind::First | SolutionKind::All => {
            let words = short_words(system, &bounds);
            for one in &read {
                cannot_grow(system, one, &bounds, &words, alphabet)?;
            }
            match solution {
                SolutionKind::All => leaves_nothing_out(system, &read, &words),
                SolutionKind::Words | SolutionKind::First => Ok(()),
            }
        }
    }
}

/// Reads an assignment and checks that it satisfies the system with languages that are not empty.
fn assignment(
    system: &System,
    languages: &Languages,
    bounds: &[Bound<'_>],
    alphabet: Alphabet,
) -> Result<Assignment, Fault> {
    let mut read = Assignment { languages: Vec::new(), words: Vec::new() };
    for name in &system.variables {
        let Some(text) = languages.get(name) else {
            return Err(Fault::Wrong(format!("an assignment has no language for '{name}'")));
        };
        let automaton = dprle::read_automaton(text, alphabet)
            .map_err(|error| Fault::Wrong(format!("the language of '{name}' cannot be read: {error}")))?;
        let regex = Language::Automaton(automaton).regex().map(|regex| regex.into_owned());
        let regex = regex.map_err(|error| Fault::Unchecked(format!("the language of '{name}': {error}")))?;
        match inclusion(&regex, &Regex::Empty, alphabet, COMPARE) {
            Inclusion::Fails(word) => read.words.push(word),
            Inclusion::Holds => return Err(Fault::Wrong(format!("the language of '{name}' has no word"))),
            Inclusion::Undecided => {
                return Err(Fault::Unchecked(format!("the language of '{name}' is too large")));
            }
        }
        read.languages.push(regex);
    }
    for bound in bounds {
        let left = concatenation(&bound.constraint.pieces, &read.languages);
        match inclusion(&left, &bound.right, alphabet, COMPARE) {
            Inclusion::Holds => {}
            Inclusion::Fails(word) => {
                let shown = text::word(&word);
                return Err(Fault::Wrong(format!(
                    "an assignment has {shown}, which is not {}",
                    place(bound.constraint)
                )));
            }
            Inclusion::Undecided => {
                return Err(Fault::Unchecked("comparing the languages would take too long".to_owned()));
            }
        }
    }
    Ok(read)
}

fn concatenation(pieces: &[Piece], languages: &[Regex]) -> Regex {
    Regex::concat(pieces.iter().map(|piece| match piece {
        Piece::Variable(variable) => languages[variable.0].clone(),
        Piece::Word(word) => Regex::literal(word),
    }))
}

/// Short words over a few characters that the languages tell apart: for each variable those that the
/// constraints on it alone allow.
fn short_words(system: &System, bounds: &[Bound<'_>]) -> Vec<Vec<SmtString>> {
    let mut letters: Vec<Char> = Vec::new();
    let mut todo: Vec<&Regex> = bounds.iter().map(|bound| &bound.right).collect();
    while let Some(regex) = todo.pop() {
        match regex {
            Regex::Empty | Regex::Epsilon => {}
            Regex::Set(set) => {
                let firsts = set.ranges().iter().map(|&(low, _)| Char(low));
                firsts.for_each(|c| {
                    if letters.len() < 4 && !letters.contains(&c) {
                        letters.push(c);
                    }
                });
            }
            Regex::Concat(parts) | Regex::Union(parts) | Regex::Inter(parts) => {
                todo.extend(parts.iter().rev());
            }
            Regex::Complement(inner) | Regex::Repeat { inner, .. } => todo.push(inner),
        }
    }
    let mut words = vec![Vec::new()];
    let mut next = 0;
    let most = CANDIDATES / system.variables.len().clamp(1, CANDIDATES / 10);
    while next < words.len() && words.len() < most {
        for &letter in &letters {
            let mut longer: Vec<Char> = words[next].clone();
            longer.push(letter);
            words.push(longer);
        }
        next += 1;
    }
    let words: Vec<SmtString> = words.into_iter().map(SmtString::from).collect();
    let of_variable = |place: usize| {
        let own = [Piece::Variable(VariableId(place))];
        let about: Vec<&Constraint> = bounds
            .iter()
            .map(|bound| bound.constraint)
            .filter(|constraint| constraint.pieces == own)
            .collect();
        let allowed =
            |word: &&SmtString| about.iter().all(|constraint| member(constraint, word) == Some(true));
        words.iter().filter(allowed).take(WORDS).cloned().collect()
    };
    (0..system.variables.len()).map(of_variable).collect()
}

/// Whether no language of an assignment may have one of these words as well.
fn cannot_grow(
    system: &System,
    assignment: &Assignment,
    bounds: &[Bound<'_>],
    words: &[Vec<SmtString>],
    alphabet: Alphabet,
) -> Result<(), Fault> {
    for (place, name) in system.variables.iter().enumerate() {
        let variable = VariableId(place);
        let about: Vec<&Bound<'_>> =
            bounds.iter().filter(|bound| bound.constraint.variables().any(|v| v == variable)).collect();
        for word in &words[place] {
            if matches_within(&assignment.languages[place], word, MATCH) != Some(false) {
                continue;
            }
            // Most words fail with a single word for each other variable already.
            let mut values = assignment.words.clone();
            values[place] = word.clone();
            let may = |bound: &&Bound<'_>| {
                member(bound.constraint, &System::word(&bound.constraint.pieces, &values)) == Some(true)
            };
            if !about.iter().all(may) {
                continue;
            }
            let mut languages = assignment.languages.clone();
            languages[place] = Regex::union([languages[place].clone(), Regex::literal(word)]);
            let fits = |bound: &&Bound<'_>| {
                let left = concatenation(&bound.constraint.pieces, &languages);
                inclusion(&left, &bound.right, alphabet, EXTEND) == Inclusion::Holds
            };
            if about.iter().all(fits) {
                let shown = text::word(word);
                return Err(Fault::Wrong(format!(
                    "the language of '{name}' is not maximal: it could have {shown}"
                )));
            }
        }
    }
    Ok(())
}

/// Whether each solution in these words is within an assignment.
fn leaves_nothing_out(system: &System, all: &[Assignment], words: &[Vec<SmtString>]) -> Result<(), Fault> {
    let tuples = |each: usize| {
        words
            .iter()
            .try_fold(1usize, |product, some| product.checked_mul(some.len().min(each)))
            .unwrap_or(usize::MAX)
    };
    let each = (1..=WORDS).rev().find(|&each| tuples(each) <= TUPLES);
    let Some(each) = each.filter(|_| words.iter().all(|some| !some.is_empty())) else { return Ok(()) };
    let mut digits = vec![0usize; system.variables.len()];
    loop {
        let values: Vec<SmtString> =
            digits.iter().zip(words).map(|(&digit, some)| some[digit].clone()).collect();
        let solves = system
            .constraints
            .iter()
            .all(|constraint| member(constraint, &System::word(&constraint.pieces, &values)) == Some(true));
        let inside = |one: &Assignment| {
            let mut pairs = one.languages.iter().zip(&values);
            pairs.all(|(language, word)| matches_within(language, word, MATCH) != Some(false))
        };
        if solves && !all.iter().any(inside) {
            let shown: Vec<String> = system
                .variables
                .iter()
                .zip(&values)
                .map(|(name, word)| format!("{name} = {}", text::word(word)))
                .collect();
            return Err(Fault::Wrong(format!("no assignment has the solution {}", shown.join(", "))));
        }
        // The next choice, as numbers are counted up.
        let more = |place: &usize| digits[*place] + 1 < words[*place].len().min(each);
        let Some(place) = (0..digits.len()).find(more) else { return Ok(()) };
        digits[place] += 1;
        digits[..place].fill(0);
    }
}

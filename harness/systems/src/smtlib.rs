//! Systems as problems of SMT-LIB, and problems whose assertions are memberships as systems.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use harness_model::{Alphabet, Char, CharSet, Regex, SmtString};
use harness_smtlib::print;
use harness_theory::term::{Term, TermId, Terms};
use harness_theory::{CoreOp, Op, Position, Problem, ReOp, Sort, SortError, StrOp};

use crate::ReadError;
use crate::document::{Document, Query};
use crate::eliminate::Measured;
use crate::language::Language;
use crate::system::{Constraint, Piece, Relation, System, VariableId};

/// The logic of systems: strings, and no integers but the counts of loops.
const LOGIC: &str = "QF_S";

/// Reads a script; each `check-sat` asks for a solution of the system that its assertions are.
///
/// # Errors
///
/// When it is no script. Assertions that are no memberships are no error: then the query has no system.
pub fn read(text: &str, alphabet: Alphabet) -> Result<Document, ReadError> {
    let script = harness_smtlib::read_in(text.as_bytes(), alphabet)?;
    let queries = script.queries.into_iter().map(|query| {
        let place = |number: usize| {
            query
                .assertion_offsets
                .get(number)
                .map_or(query.position, |&at| Position::at(text.as_bytes(), at))
        };
        Query {
            system: of_problem(&query.problem, alphabet, &place),
            position: query.position,
            requests: Vec::new(),
        }
    });
    Ok(Document { queries: queries.collect(), notes: Vec::new(), hampi: None })
}

/// A script of systems, one `check-sat` for each.
///
/// # Errors
///
/// When a language has no short expression.
pub fn script<'s>(
    systems: impl IntoIterator<Item = &'s System>,
    alphabet: Alphabet,
) -> Result<String, String> {
    let mut out = format!("(set-logic {LOGIC})\n");
    for system in systems {
        let problem = problem(system, alphabet)?;
        let text = print::problem(&problem, LOGIC, None);
        let body = text.split_once('\n').map_or("", |(_, body)| body);
        let _ = write!(out, "(push 1)\n{body}(pop 1)\n");
    }
    Ok(out)
}

/// The problem that a system is: the variables with their names, and one assertion for each constraint.
///
/// # Errors
///
/// When a language has no short expression.
pub fn problem(system: &System, alphabet: Alphabet) -> Result<Problem, String> {
    let mut terms = Terms::new();
    let defect = |error: SortError| error.to_string();
    let variables: Vec<_> =
        system.variables.iter().map(|name| terms.variable(name.as_str(), Sort::String)).collect();
    let mut assertions = Vec::new();
    for constraint in &system.constraints {
        let regex = constraint.language.regex().map_err(|error| error.to_string())?;
        let language = language(&mut terms, &regex, alphabet).map_err(defect)?;
        let mut pieces = Vec::new();
        for piece in &constraint.pieces {
            pieces.push(match piece {
                Piece::Variable(VariableId(place)) => terms.var(variables[*place]),
                Piece::Word(word) => terms.string(word.clone()),
            });
        }
        let word = match pieces.as_slice() {
            [] => terms.string(SmtString::empty()),
            [only] => *only,
            several => terms.app(StrOp::Concat, several).map_err(defect)?,
        };
        let inside = terms.app(StrOp::InRe, &[word, language]).map_err(defect)?;
        assertions.push(match constraint.relation {
            Relation::In => inside,
            Relation::NotIn => terms.app(CoreOp::Not, &[inside]).map_err(defect)?,
        });
    }
    Ok(Problem { terms: Arc::new(terms), variables, assertions })
}

/// The values of a system's variables as SMT solvers print models.
pub fn model(system: &System, values: &[SmtString]) -> String {
    let mut out = String::from("(\n");
    for (name, value) in system.variables.iter().zip(values) {
        let (name, value) = (print::symbol(name), print::string(value));
        let _ = writeln!(out, "  (define-fun {name} () String {value})");
    }
    out.push_str(")\n");
    out
}

/// The term of an expression. Its parts are made before it, on a stack.
fn language(terms: &mut Terms, regex: &Regex, alphabet: Alphabet) -> Result<TermId, SortError> {
    enum Task<'r> {
        Visit(&'r Regex),
        Make(&'r Regex),
    }
    let mut todo = vec![Task::Visit(regex)];
    let mut done: Vec<TermId> = Vec::new();
    while let Some(task) = todo.pop() {
        match task {
            Task::Visit(regex) => {
                todo.push(Task::Make(regex));
                match regex {
                    Regex::Empty | Regex::Epsilon | Regex::Set(_) => {}
                    Regex::Concat(parts) | Regex::Union(parts) | Regex::Inter(parts) => {
                        todo.extend(parts.iter().rev().map(Task::Visit));
                    }
                    Regex::Complement(inner) | Regex::Repeat { inner, .. } => todo.push(Task::Visit(inner)),
                }
            }
            Task::Make(regex) => {
                let parts = match regex {
                    Regex::Empty | Regex::Epsilon | Regex::Set(_) => 0,
                    Regex::Concat(parts) | Regex::Union(parts) | Regex::Inter(parts) => parts.len(),
                    Regex::Complement(_) | Regex::Repeat { .. } => 1,
                };
                let parts = done.split_off(done.len() - parts);
                let made = node(terms, regex, &parts, alphabet)?;
                done.push(made);
            }
        }
    }
    match done.pop() {
        Some(whole) => Ok(whole),
        None => terms.app(ReOp::None, &[]),
    }
}

fn node(terms: &mut Terms, regex: &Regex, parts: &[TermId], alphabet: Alphabet) -> Result<TermId, SortError> {
    let joined = |terms: &mut Terms, op: ReOp, nothing: Result<TermId, SortError>| match parts {
        [] => nothing,
        [only] => Ok(*only),
        several => terms.app(op, several),
    };
    match regex {
        Regex::Empty => terms.app(ReOp::None, &[]),
        Regex::Epsilon => epsilon(terms),
        Regex::Set(set) => {
            let set = set.cut_to(alphabet);
            let mut ranges = Vec::new();
            for &(low, high) in set.ranges() {
                let (low, high) = (terms.string(vec![Char(low)]), terms.string(vec![Char(high)]));
                ranges.push(terms.app(ReOp::Range, &[low, high])?);
            }
            match ranges.as_slice() {
                [] => terms.app(ReOp::None, &[]),
                [only] => Ok(*only),
                several => terms.app(ReOp::Union, several),
            }
        }
        Regex::Concat(_) => {
            let nothing = epsilon(terms);
            joined(terms, ReOp::Concat, nothing)
        }
        Regex::Union(_) => {
            let nothing = terms.app(ReOp::None, &[]);
            joined(terms, ReOp::Union, nothing)
        }
        Regex::Inter(_) => {
            let everything = terms.app(ReOp::All, &[]);
            joined(terms, ReOp::Inter, everything)
        }
        Regex::Complement(_) => terms.app(ReOp::Comp, parts),
        Regex::Repeat { min, max, .. } => match (*min, *max) {
            (0, None) => terms.app(ReOp::Star, parts),
            (1, None) => terms.app(ReOp::Plus, parts),
            (0, Some(1)) => terms.app(ReOp::Opt, parts),
            (min, Some(max)) => terms.app(ReOp::Loop(min, max), parts),
            (min, None) => {
                let first = terms.app(ReOp::Power(min), parts)?;
                let rest = terms.app(ReOp::Star, parts)?;
                terms.app(ReOp::Concat, &[first, rest])
            }
        },
    }
}

fn epsilon(terms: &mut Terms) -> Result<TermId, SortError> {
    let empty = terms.string(SmtString::empty());
    terms.app(ReOp::ToRe, &[empty])
}

/// The system that a problem is: its assertions are conjunctions of memberships of concatenations of
/// variables and words in constant languages, negated or not, and equations of a concatenation with a word.
/// `place` tells where an assertion is written.
///
/// # Errors
///
/// What the first assertion of another form is, for messages.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "what is no part of a membership is refused, whatever it is"
)]
pub fn of_problem(
    problem: &Problem,
    alphabet: Alphabet,
    place: &dyn Fn(usize) -> Position,
) -> Result<System, String> {
    let terms = &*problem.terms;
    let mut system = System::default();
    let mut places = HashMap::new();
    for &variable in &problem.variables {
        let declared = &terms.variables()[variable.index()];
        if declared.sort != Sort::String {
            return Err(format!(
                "'{}' is of sort {}, and systems have strings alone",
                declared.name, declared.sort
            ));
        }
        places.insert(variable, VariableId(system.variables.len()));
        system.variables.push(declared.name.clone());
    }
    let mut languages = Languages { terms, alphabet, made: HashMap::new() };
    for (number, &assertion) in problem.assertions.iter().enumerate() {
        let mut todo = vec![(assertion, true)];
        while let Some((id, positive)) = todo.pop() {
            let other = || format!("'{}' is no membership in a constant language", short(terms, id));
            let (op, arguments) = match terms.get(id) {
                Term::Bool(value) if *value == positive => continue,
                Term::Bool(_) => (None, &[][..]),
                Term::App(op, arguments) => (Some(*op), &**arguments),
                Term::Var(_) | Term::Int(_) | Term::String(_) => return Err(other()),
            };
            let (word, language) = match (op, arguments) {
                (None, _) => (Vec::new(), Arc::new(Language::Regex(Regex::Empty))),
                (Some(Op::Core(CoreOp::Not)), &[inner]) => {
                    todo.push((inner, !positive));
                    continue;
                }
                (Some(Op::Core(CoreOp::And)), parts) if positive => {
                    todo.extend(parts.iter().rev().map(|&part| (part, true)));
                    continue;
                }
                (Some(Op::Core(CoreOp::Or)), parts) if !positive => {
                    todo.extend(parts.iter().rev().map(|&part| (part, false)));
                    continue;
                }
                (Some(Op::Str(StrOp::InRe)), &[word, language]) => {
                    let Some(pieces) = pieces(terms, word, &places) else { return Err(other()) };
                    (pieces, languages.of(language).map_err(|why| format!("{}: {why}", other()))?)
                }
                (Some(Op::Core(CoreOp::Eq)), &[a, b]) if terms.sort(a) == Sort::String => {
                    let (Some(a), Some(b)) = (pieces(terms, a, &places), pieces(terms, b, &places)) else {
                        return Err(other());
                    };
                    let constant = |all: &[Piece]| {
                        all.iter()
                            .all(|piece| matches!(piece, Piece::Word(_)))
                            .then(|| System::word(all, &[]))
                    };
                    let (pieces, word) = match (constant(&a), constant(&b)) {
                        (_, Some(word)) => (a, word),
                        (Some(word), None) => (b, word),
                        (None, None) => return Err(other()),
                    };
                    (pieces, Arc::new(Language::word(&word)))
                }
                _ => return Err(other()),
            };
            let relation = if positive || op.is_none() { Relation::In } else { Relation::NotIn };
            system.constraints.push(Constraint { pieces: word, relation, language, position: place(number) });
        }
    }
    Ok(system)
}

/// A term for messages; one that is large is not written out.
fn short(terms: &Terms, id: TermId) -> String {
    let small = terms.cone(&[id]).len() < 50;
    let text = if small { print::term(terms, id) } else { String::new() };
    match text.char_indices().nth(80) {
        None if small => text,
        Some((end, _)) => format!("{}…", &text[..end]),
        None => "a large term".to_owned(),
    }
}

/// The pieces of a term that is a concatenation of variables and words.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "what is no part of a membership is refused, whatever it is"
)]
fn pieces(
    terms: &Terms,
    id: TermId,
    places: &HashMap<harness_theory::VarId, VariableId>,
) -> Option<Vec<Piece>> {
    /// The most pieces of one concatenation: terms share parts.
    const PIECES: usize = 100_000;
    let mut todo = vec![id];
    let mut all = Vec::new();
    while let Some(id) = todo.pop() {
        match terms.get(id) {
            Term::Var(variable) => all.push(Piece::Variable(*places.get(variable)?)),
            Term::String(word) if word.is_empty() => {}
            Term::String(word) => all.push(Piece::Word(word.clone())),
            Term::App(Op::Str(StrOp::Concat), arguments) => todo.extend(arguments.iter().rev()),
            Term::App(..) | Term::Bool(_) | Term::Int(_) => return None,
        }
        if all.len() + todo.len() > PIECES {
            return None;
        }
    }
    Some(all)
}

/// The expressions of terms that are languages.
struct Languages<'t> {
    terms: &'t Terms,
    alphabet: Alphabet,
    made: HashMap<TermId, Arc<Language>>,
}

impl Languages<'_> {
    fn of(&mut self, root: TermId) -> Result<Arc<Language>, String> {
        if let Some(known) = self.made.get(&root) {
            return Ok(Arc::clone(known));
        }
        let mut made: HashMap<TermId, Regex> = HashMap::new();
        // Arguments come first.
        for id in self.terms.cone(&[root]) {
            if self.terms.sort(id) != Sort::RegLan {
                continue;
            }
            let Term::App(Op::Re(op), arguments) = self.terms.get(id) else {
                return Err("the language is not constant".to_owned());
            };
            let regex = self.node(*op, arguments, &made)?;
            made.insert(id, regex);
        }
        let whole = made.remove(&root).ok_or_else(|| "the language is not constant".to_owned())?;
        let whole = Arc::new(Language::Regex(Measured::of(whole)?.regex));
        self.made.insert(root, Arc::clone(&whole));
        Ok(whole)
    }

    fn node(&self, op: ReOp, arguments: &[TermId], made: &HashMap<TermId, Regex>) -> Result<Regex, String> {
        let constant = |place: usize| match arguments.get(place).map(|&id| self.terms.get(id)) {
            Some(Term::String(word)) => Ok(word.clone()),
            Some(Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::App(..)) | None => {
                Err("the language is not constant".to_owned())
            }
        };
        let parts = || {
            let part =
                |id: &TermId| made.get(id).cloned().ok_or_else(|| "the language is not constant".to_owned());
            arguments.iter().map(part).collect::<Result<Vec<Regex>, String>>()
        };
        let first = || {
            parts().and_then(|parts| parts.into_iter().next().ok_or_else(|| "nothing to repeat".to_owned()))
        };
        let letter = || Regex::set(CharSet::full(self.alphabet));
        Ok(match op {
            ReOp::ToRe => {
                let word = constant(0)?;
                if word.is_empty() { Regex::Epsilon } else { Regex::literal(&word) }
            }
            ReOp::None => Regex::Empty,
            ReOp::All => letter().star(),
            ReOp::AllChar => letter(),
            ReOp::Concat => Regex::concat(parts()?),
            ReOp::Union => Regex::union(parts()?),
            ReOp::Inter => Regex::Inter(parts()?.into()),
            ReOp::Star => first()?.star(),
            ReOp::Plus => first()?.repeat(1, None),
            ReOp::Opt => first()?.repeat(0, Some(1)),
            ReOp::Power(count) => first()?.repeat(count, Some(count)),
            ReOp::Loop(min, max) => first()?.repeat(min, Some(max)),
            ReOp::Comp => Regex::Complement(Arc::new(first()?)),
            // From the left: all but those of any later one.
            ReOp::Diff => {
                let mut parts = parts()?.into_iter();
                let first = parts.next().unwrap_or(Regex::Empty);
                let others = parts.map(|part| Regex::Complement(Arc::new(part)));
                Regex::Inter(std::iter::once(first).chain(others).collect())
            }
            ReOp::Range => match (constant(0)?.chars(), constant(1)?.chars()) {
                (&[low], &[high]) if low <= high => Regex::set(CharSet::range(low, high)),
                _ => Regex::Empty,
            },
        })
    }
}

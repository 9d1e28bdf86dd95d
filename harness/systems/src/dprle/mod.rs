//! DPRLE's files: inclusions of concatenations in languages, and commands.
//!
//! A name on the right of an inclusion stands for a constant language, as the grammar of figure 2.1 has it:
//! for the words that its own inclusions allow, each of which is then demanded of the left side. A name
//! without any stands for all words.

mod automata;
mod statements;
mod write;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use harness_model::Alphabet;
use harness_theory::Position;

use crate::document::{Document, Query, Request, RequestKind};
use crate::language::Language;
use crate::lex::illegal;
use crate::system::{Constraint, Definition, Piece, Relation, System, VariableId};
use crate::{ErrorKind, ReadError};

pub use automata::read_automaton;
pub use statements::{Call, Right, Statement, statements};
pub use write::write;

/// The most constraints that names on the right may stand for.
const CONSTRAINTS: usize = 1_000_000;

/// Reads a file whose strings are over `alphabet`.
///
/// # Errors
///
/// When it is not legal.
pub fn read(text: &str, alphabet: Alphabet) -> Result<Document, ReadError> {
    let mut machine = Machine::default();
    for (statement, position) in statements(text, alphabet)? {
        match statement {
            Statement::Subset(left, right) => machine.facts.push(Fact::Subset { left, right, position }),
            Statement::Name(name, parts) => machine.facts.push(Fact::Name { name, parts, position }),
            Statement::Ask(kind) => machine.ask(Request { position, kind }),
            Statement::Call(call) => machine.call(call, position)?,
        }
    }
    Ok(machine.document)
}

/// What holds at some point of a file.
#[derive(Clone)]
enum Fact {
    Subset { left: Vec<String>, right: Right, position: Position },
    Name { name: String, parts: Vec<String>, position: Position },
}

/// The state of a file that is read: what holds, and what was put aside.
#[derive(Default)]
struct Machine {
    facts: Vec<Fact>,
    /// How many facts there were at each `push`.
    pushed: Vec<usize>,
    document: Document,
}

impl Machine {
    fn note(&mut self, position: Position, message: impl Into<String>) {
        self.document.notes.push(illegal(position, message));
    }

    fn ask(&mut self, request: Request) {
        match self.document.queries.last_mut() {
            Some(query) => query.requests.push(request),
            None => self.note(request.position, "expected a 'solve()' before a question about its solution"),
        }
    }

    fn call(&mut self, call: Call, position: Position) -> Result<(), ReadError> {
        match call {
            Call::Solve => {
                let system = Ok(system(&self.facts)?);
                self.document.queries.push(Query { system, position, requests: Vec::new() });
            }
            Call::Push => self.pushed.push(self.facts.len()),
            Call::Pop => match self.pushed.pop() {
                Some(length) => self.facts.truncate(length),
                None => self.note(position, "'pop' without a 'push' before it"),
            },
            Call::Reset => {
                self.facts.clear();
                self.pushed.clear();
            }
            Call::Show(names) => self.ask(Request { position, kind: RequestKind::Show(names) }),
            Call::Words(count, names) => {
                self.ask(Request { position, kind: RequestKind::Words(count, names) });
            }
            Call::Select(number) => self.ask(Request { position, kind: RequestKind::Select(number) }),
            Call::Unknown(name) => {
                let known = "solve, solve_all, push, pop, reset, select, show and strings";
                self.note(position, format!("there is no command '{name}': there are {known}"));
            }
        }
        Ok(())
    }
}

/// The system of what holds.
fn system(facts: &[Fact]) -> Result<System, ReadError> {
    let mut names = Names::of(facts)?;
    // Of a name alone on the left: the right sides.
    let mut bounds: HashMap<&str, Vec<&Right>> = HashMap::new();
    for fact in facts {
        if let Fact::Subset { left, right, .. } = fact
            && let [only] = left.as_slice()
            && !names.aliases.contains_key(only.as_str())
        {
            bounds.entry(only).or_default().push(right);
        }
    }
    for fact in facts {
        let Fact::Subset { left, right, position } = fact else { continue };
        let pieces = names.pieces(left);
        let mut met: HashSet<&str> = HashSet::new();
        let mut todo = vec![right];
        while let Some(right) = todo.pop() {
            match right {
                Right::Language(relation, automaton) => {
                    names.system.constraints.push(Constraint {
                        pieces: pieces.clone(),
                        relation: *relation,
                        language: Arc::clone(automaton),
                        position: *position,
                    });
                    if names.system.constraints.len() > CONSTRAINTS {
                        let message =
                            format!("the names on the right stand for more than {CONSTRAINTS} constraints");
                        return Err(ReadError { position: *position, kind: ErrorKind::Unsupported, message });
                    }
                }
                Right::Name(name) => {
                    names.variable(name);
                    if names.aliases.contains_key(name) {
                        let message =
                            format!("expected a language on the right, found the concatenation '{name}'");
                        return Err(illegal(*position, message));
                    }
                    if met.insert(name) {
                        // In the order in which they are written.
                        todo.extend(bounds.get(name.as_str()).into_iter().flatten().copied().rev());
                    }
                }
            }
        }
    }
    Ok(names.system)
}

/// The names of a system, and what they stand for.
struct Names {
    system: System,
    places: HashMap<String, VariableId>,
    aliases: HashMap<String, Vec<String>>,
}

impl Names {
    fn of(facts: &[Fact]) -> Result<Self, ReadError> {
        let mut names = Self { system: System::default(), places: HashMap::new(), aliases: HashMap::new() };
        for fact in facts {
            if let Fact::Name { name, parts, position } = fact {
                if names.aliases.contains_key(name) {
                    return Err(illegal(*position, format!("'{name}' has a meaning already")));
                }
                // What a name stands for is written out, so that no name can stand for itself.
                let flat = names.flat(parts);
                if flat.iter().any(|part| part == name) {
                    return Err(illegal(*position, format!("'{name}' would stand for a part of itself")));
                }
                if flat.len() > statements::PIECES {
                    let message = format!("'{name}' would stand for more than {} names", statements::PIECES);
                    return Err(ReadError { position: *position, kind: ErrorKind::Unsupported, message });
                }
                if names.aliases.values().any(|others| others.contains(name)) {
                    return Err(illegal(*position, format!("'{name}' was used before it got this meaning")));
                }
                names.aliases.insert(name.clone(), flat);
            }
        }
        for fact in facts {
            match fact {
                Fact::Subset { left, .. } => {
                    names.pieces(left);
                }
                Fact::Name { name, parts, .. } => {
                    let pieces = names.pieces(parts);
                    names.system.definitions.push(Definition { name: name.clone(), pieces });
                }
            }
        }
        Ok(names)
    }

    fn flat(&self, parts: &[String]) -> Vec<String> {
        let one = |part: &String| self.aliases.get(part).cloned().unwrap_or_else(|| vec![part.clone()]);
        parts.iter().flat_map(one).collect()
    }

    fn pieces(&mut self, parts: &[String]) -> Vec<Piece> {
        self.flat(parts).iter().filter_map(|part| self.variable(part)).map(Piece::Variable).collect()
    }

    /// The variable of a name that is no alias.
    fn variable(&mut self, name: &str) -> Option<VariableId> {
        if self.aliases.contains_key(name) {
            return None;
        }
        if let Some(&known) = self.places.get(name) {
            return Some(known);
        }
        let place = VariableId(self.system.variables.len());
        self.system.variables.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        Some(place)
    }
}

/// What an automaton on the right is.
pub(crate) fn language(automaton: crate::Automaton) -> Arc<Language> {
    Arc::new(Language::Automaton(automaton))
}

/// The relation of a right side.
pub(crate) const fn relation(negated: bool) -> Relation {
    if negated { Relation::NotIn } else { Relation::In }
}

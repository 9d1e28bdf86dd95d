//! Systems as DPRLE's files.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use harness_model::{Alphabet, CharSet, Regex, SolutionKind};

use crate::automaton::{Automaton, Move};
use crate::language::Language;
use crate::system::{Piece, Relation, System};

/// The largest automaton that is made of an expression, in moves.
const MOVES: usize = 1_000_000;

/// A file that asks for a solution of `system`.
///
/// Variables keep their names where DPRLE can have them; a word in a concatenation becomes a name that stands
/// for it alone.
///
/// # Errors
///
/// When the file would be too large, or a language has an intersection or a complement inside.
pub fn write(system: &System, solution: SolutionKind, alphabet: Alphabet) -> Result<String, String> {
    let mut out = String::new();
    let mut taken: HashSet<String> = HashSet::new();
    let mut fresh = |wish: &str| {
        let clean: String = wish.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let clean =
            if clean.starts_with(|c: char| c.is_ascii_alphabetic()) { clean } else { format!("v{clean}") };
        let mut name = clean.clone();
        let mut number = 1;
        while is_keyword(&name) || !taken.insert(name.clone()) {
            number += 1;
            name = format!("{clean}_{number}");
        }
        name
    };
    let variables: Vec<String> = system.variables.iter().map(|name| fresh(name)).collect();
    let mut words: HashMap<&harness_model::SmtString, String> = HashMap::new();
    for constraint in &system.constraints {
        let mut left = Vec::new();
        for piece in &constraint.pieces {
            left.push(match piece {
                Piece::Variable(variable) => variables[variable.0].clone(),
                Piece::Word(word) => match words.get(word) {
                    Some(known) => known.clone(),
                    None => {
                        let name = fresh("word");
                        let automaton = of_regex(&Regex::literal(word))?;
                        let _ = writeln!(out, "{name} < {};", automaton.text(alphabet, true));
                        words.insert(word, name.clone());
                        name
                    }
                },
            });
        }
        if left.is_empty() {
            left.push(fresh("empty"));
            let _ = writeln!(out, "{} < [ s: q0 f: q0 d: ];", left[0]);
        }
        let automaton = match &*constraint.language {
            Language::Automaton(automaton) => automaton.clone(),
            Language::Regex(regex) => of_regex(regex)?,
        };
        let neg = match constraint.relation {
            Relation::In => "",
            Relation::NotIn => "neg ",
        };
        let _ = writeln!(out, "{} < {neg}{};", left.join(" . "), automaton.text(alphabet, true));
    }
    // A variable that nothing is said of has to be somewhere.
    let used: HashSet<usize> =
        system.constraints.iter().flat_map(|c| c.variables().map(|v| v.0).collect::<Vec<_>>()).collect();
    for (_, name) in variables.iter().enumerate().filter(|(place, _)| !used.contains(place)) {
        let _ = writeln!(out, "{name} < [ s: q0 f: q0 d: q0 -> q0 on any ];");
    }
    out.push_str(match solution {
        SolutionKind::Words | SolutionKind::First => "solve();\n",
        SolutionKind::All => "solve_all();\n",
    });
    Ok(out)
}

fn is_keyword(name: &str) -> bool {
    ["subset", "neg", "on", "any", "epsilon", "alias", "s", "f", "d"].contains(&name)
}

/// An automaton with the words of an expression, by the construction of Thompson: two states and moves that
/// read nothing for each operator.
///
/// # Errors
///
/// When it would be too large, or the expression has an intersection or a complement.
pub fn of_regex(regex: &Regex) -> Result<Automaton, String> {
    enum Task<'r> {
        Make(&'r Regex, usize, usize),
        Set(CharSet, usize, usize),
    }
    let mut automaton = Automaton { states: 2, start: 0, end: 1, moves: Vec::new() };
    let mut todo = vec![Task::Make(regex, 0, 1)];
    let nothing = |automaton: &mut Automaton, from, to| automaton.moves.push(Move { from, reads: None, to });
    while let Some(task) = todo.pop() {
        if automaton.moves.len() > MOVES || todo.len() > MOVES || automaton.states > MOVES {
            return Err(format!("an automaton for this expression would need more than {MOVES} moves"));
        }
        let state = |automaton: &mut Automaton| {
            automaton.states += 1;
            automaton.states - 1
        };
        match task {
            Task::Set(set, from, to) => automaton.moves.push(Move { from, reads: Some(set), to }),
            Task::Make(regex, from, to) => match regex {
                Regex::Empty => {}
                Regex::Epsilon => nothing(&mut automaton, from, to),
                Regex::Set(set) => todo.push(Task::Set((**set).clone(), from, to)),
                Regex::Concat(parts) => {
                    let mut here = from;
                    for (place, part) in parts.iter().enumerate() {
                        let next = if place + 1 == parts.len() { to } else { state(&mut automaton) };
                        todo.push(Task::Make(part, here, next));
                        here = next;
                    }
                    if parts.is_empty() {
                        nothing(&mut automaton, from, to);
                    }
                }
                Regex::Union(parts) => {
                    for part in parts.iter() {
                        let (first, last) = (state(&mut automaton), state(&mut automaton));
                        nothing(&mut automaton, from, first);
                        nothing(&mut automaton, last, to);
                        todo.push(Task::Make(part, first, last));
                    }
                }
                Regex::Repeat { inner, min, max } => {
                    if max.is_some_and(|max| max < *min) {
                        continue;
                    }
                    if max.unwrap_or(*min) as usize > MOVES {
                        return Err(format!("expected at most {MOVES} repetitions"));
                    }
                    let mut here = from;
                    for _ in 0..*min {
                        let next = state(&mut automaton);
                        todo.push(Task::Make(inner, here, next));
                        here = next;
                    }
                    // Each round has states of its own, so that none is entered from outside.
                    match max {
                        Some(max) => {
                            for _ in *min..*max {
                                let (first, next) = (state(&mut automaton), state(&mut automaton));
                                nothing(&mut automaton, here, to);
                                nothing(&mut automaton, here, first);
                                todo.push(Task::Make(inner, first, next));
                                here = next;
                            }
                            nothing(&mut automaton, here, to);
                        }
                        None => {
                            let (first, last) = (state(&mut automaton), state(&mut automaton));
                            nothing(&mut automaton, here, first);
                            nothing(&mut automaton, first, last);
                            nothing(&mut automaton, last, first);
                            nothing(&mut automaton, last, to);
                            // A round is between states that nothing else enters.
                            let (inside, outside) = (state(&mut automaton), state(&mut automaton));
                            nothing(&mut automaton, first, inside);
                            nothing(&mut automaton, outside, last);
                            todo.push(Task::Make(inner, inside, outside));
                        }
                    }
                }
                Regex::Inter(_) | Regex::Complement(_) => {
                    return Err(
                        "DPRLE has no intersection and no complement inside of an automaton".to_owned()
                    );
                }
            },
        }
    }
    Ok(automaton)
}

#[cfg(test)]
mod tests {
    use harness_check::matcher::matches;
    use harness_model::SmtString;

    use super::*;

    #[test]
    fn automata_of_expressions_have_their_words() {
        let a = || Regex::set(CharSet::from_ranges([(97, 97)]));
        let b = || Regex::set(CharSet::from_ranges([(98, 98)]));
        let all = [
            Regex::Empty,
            Regex::Epsilon,
            Regex::concat([a(), b()]),
            Regex::union([a(), Regex::concat([b(), b()])]).star(),
            a().star().star(),
            Regex::concat([a().star(), b().star()]).repeat(2, Some(3)),
            a().repeat(2, None),
            a().repeat(0, Some(2)),
            a().repeat(3, Some(2)),
            Regex::concat([Regex::union([Regex::Epsilon, a()]), b().repeat(1, Some(1))]),
        ];
        for regex in all {
            let automaton = of_regex(&regex).unwrap();
            for length in 0..6u32 {
                for bits in 0..1u32 << length {
                    let word: String =
                        (0..length).map(|i| if bits >> i & 1 == 1 { 'b' } else { 'a' }).collect();
                    let word = SmtString::from(word.as_str());
                    assert_eq!(automaton.accepts(&word), matches(&regex, &word), "{regex:?} {word}");
                }
            }
        }
    }
}

//! Parts of a word that begins with known characters: rule `substring_of_row`.
//!
//! Of `s = w·b` with a constant `w`, what stands between two places in `w` is known, and what stands from such
//! a place to the end is the rest of `w` and then `b`. How many characters are asked for may be a sum of
//! lengths: as soon as it is never less than what is left, whatever the lengths are, it is all that is left. So
//! is a part of a constant, of as many characters as there are or more.
//!
//! Source: ours. A solver that guesses lengths tries them all, for `b` may be as long as it likes.

use backends_api::{Budget, Stop};
use harness_model::SmtString;
use harness_model::int::Int;

use super::words::joined;
use super::{RuleName, Sourced, Work};
use crate::edge::{Edge, IntVertex, Relation, StringVertex};
use crate::graph::{IntDefinition, IntKind};
use crate::linear::Sum;
use crate::reasons::Reasons;
use crate::rules::Counts;

const NAME: RuleName = "rule_substring_of_row";

/// What a part comes to.
enum Part {
    Is(SmtString),
    /// This word, and then that one.
    Rest(SmtString, StringVertex),
}

/// Rule `substring_of_row`.
pub(super) fn merge(
    work: &mut Work,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<(), RuleName>, Stop> {
    // By word: a constant that it begins with, what follows it, and the edge that says so.
    let mut starts = Vec::new();
    for (&whole, ways) in &joined(work) {
        let start = ways.iter().find_map(|&(a, b, edge)| Some((work.graph.word(a)?.clone(), b, edge)));
        starts.extend(start.map(|start| (whole, start)));
    }
    for (_, (_, b, _)) in &starts {
        work.graph.length(*b);
    }
    work.grow();
    starts.sort_unstable_by_key(|(whole, _)| *whole);
    // What is a word, or another one, is no part any more: that follows from what stays.
    let mut done: Vec<usize> = Vec::new();
    let mut refuted = false;
    for place in 0..work.edges.len() {
        budget.tick()?;
        let edge = work.edge(&work.edges[place]);
        let Relation::Substr { s, from, count, r } = edge.value.relation else { continue };
        if !edge.value.positive {
            continue;
        }
        let start = starts.binary_search_by_key(&s, |(whole, _)| *whole).ok().map(|at| starts[at].1.clone());
        let word = work.graph.word(s).cloned();
        let (known, rest, mut because) = match (word, start) {
            (Some(word), _) => (word, None, Reasons::new()),
            (None, Some((word, rest, other))) => (word, Some(rest), work.edge(&work.edges[other]).from),
            (None, None) => continue,
        };
        let Some(part) = part(work, &starts, (s, &known, rest), from, count, &mut because) else { continue };
        because.extend(&edge.from);
        counts.add(NAME);
        work.present = because.clone();
        work.changed = true;
        let united = match part {
            Part::Is(word) => {
                let constant = work.constant(word);
                work.unite_strings(r, constant)
            }
            Part::Rest(word, rest) if word.is_empty() => work.unite_strings(r, rest),
            Part::Rest(word, rest) => {
                let a = work.constant(word);
                let relation = Relation::Concat { a, b: rest, r };
                work.edges[place] = Sourced { value: Edge { relation, positive: true }, from: because };
                continue;
            }
        };
        if united.is_err() {
            refuted = true;
            break;
        }
        done.push(place);
    }
    if refuted {
        return Ok(Err(NAME));
    }
    let mut place = 0;
    work.edges.retain(|_| {
        place += 1;
        !done.contains(&(place - 1))
    });
    Ok(Ok(()))
}

/// What the part of `s` is, which is `known` and then, unless it is all, `rest`.
fn part(
    work: &Work,
    starts: &[(StringVertex, (SmtString, StringVertex, usize))],
    (s, known, rest): (StringVertex, &SmtString, Option<StringVertex>),
    from: IntVertex,
    count: IntVertex,
    because: &mut Reasons,
) -> Option<Part> {
    let from = expanded(work, from, because).value()?.small()?;
    let from = usize::try_from(from).ok().filter(|&from| from <= known.len())?;
    let count = expanded(work, count, because);
    let after = SmtString::from(known.chars()[from..].to_vec());
    if let Some(number) = count.value().and_then(Int::small).and_then(|n| usize::try_from(n).ok())
        && from + number <= known.len()
    {
        return Some(Part::Is(SmtString::from(known.chars()[from..from + number].to_vec())));
    }
    let length = match rest {
        None => Sum::from(known.len()),
        Some(_) => Sum::from(work.graph.length_of(s)?),
    };
    let left = work.sum(&length).sub(&Sum::from(from));
    let spare = count.sub(&left);
    if least(work, starts, &spare, because)? < Int::ZERO {
        return None;
    }
    Some(match rest {
        None => Part::Is(after),
        Some(rest) => Part::Rest(after, rest),
    })
}

/// A number that the sum of lengths is never below; `None` where there is none. What it depends on is added to
/// `because`.
fn least(
    work: &Work,
    starts: &[(StringVertex, (SmtString, StringVertex, usize))],
    sum: &Sum,
    because: &mut Reasons,
) -> Option<Int> {
    let mut all = sum.constant().clone();
    for (vertex, factor) in sum.terms() {
        let IntKind::Length(word) = *work.graph.int(*vertex) else { return None };
        if factor.is_negative() {
            return None;
        }
        let word = work.string(word);
        if let Ok(at) = starts.binary_search_by_key(&word, |(whole, _)| *whole) {
            let (start, _, edge) = &starts[at].1;
            because.extend(&work.edge(&work.edges[*edge]).from);
            all = all.add(&factor.mul(&Int::from(start.len())));
        }
    }
    Some(all)
}

/// What the vertex is, as a sum where it is defined as one. What that depends on is added to `because`.
fn expanded(work: &Work, vertex: IntVertex, because: &mut Reasons) -> Sum {
    let vertex = work.int(vertex);
    let defined = work.graph.definitions().iter().find_map(|(other, definition)| match definition {
        IntDefinition::Sum(sum) if work.int(*other) == vertex => Some((*other, definition, sum)),
        IntDefinition::Sum(_)
        | IntDefinition::Choice(..)
        | IntDefinition::Quotient(..)
        | IntDefinition::Product(..)
        | IntDefinition::Ratio(..) => None,
    });
    match defined {
        Some((other, definition, sum)) => {
            because.extend(&work.definition_sources(other, definition));
            work.sum(sum)
        }
        None => work.sum(&work.graph.sum_of(vertex)),
    }
}

#[cfg(test)]
mod tests {
    use harness_model::Alphabet;
    use harness_theory::Value;

    use super::*;
    use crate::edge::Vertex;
    use crate::evaluate::GraphEvaluator;
    use crate::graph::StringGraph;
    use crate::simplify::simplify_with_ends;

    /// A part of `"ab"·t`, or of a constant: no solution is lost, and what became constant is that constant.
    #[test]
    fn parts_of_a_word_with_a_known_beginning_are_what_they_were() {
        let mut words = vec![String::new()];
        for _ in 0..3 {
            words.extend(words.clone().iter().flat_map(|word| [format!("{word}a"), format!("{word}b")]));
            words.sort();
            words.dedup();
        }
        let (mut applied, mut solved, mut refuted) = (0, 0, 0);
        for whole in ["s", "\"abba\"", "(str.++ \"ab\" t)"] {
            for from in -1..4 {
                for count in [
                    "0",
                    "1",
                    "2",
                    "9",
                    "(str.len s)",
                    "(- (str.len s) 1)",
                    "(+ 1 (str.len t))",
                    "(- 3 (str.len t))",
                ] {
                    for more in ["true", "(not (= u t))", "(= u \"ba\")", "(= u (str.++ \"b\" t))"] {
                        let from = if from < 0 { format!("(- {})", -from) } else { from.to_string() };
                        let script = format!(
                            "(declare-const s String)(declare-const t String)(declare-const u String)
                            (assert (= s (str.++ \"ab\" t)))(assert (= u (str.substr {whole} {from} {count})))
                            (assert {more})(check-sat)"
                        );
                        let read = harness_smtlib::read(script.as_bytes()).unwrap();
                        let problem = &read.queries[0].problem;
                        let graph = StringGraph::of_problem(problem, Alphabet::Ascii).unwrap();
                        let mut counts = Counts::default();
                        let simplified =
                            simplify_with_ends(&graph, &mut counts, &Budget::unlimited()).unwrap();
                        applied += counts.get(NAME);
                        refuted += u32::from(simplified.is_err());
                        let mut evaluator = GraphEvaluator::new(problem, Alphabet::Ascii);
                        for t in words.iter().filter(|t| t.len() < 3) {
                            for u in &words {
                                let model = [format!("ab{t}"), t.clone(), u.clone()];
                                let values = model.clone().map(|word| Value::String(word.as_str().into()));
                                if evaluator.holds(&values) != Ok(true) {
                                    continue;
                                }
                                solved += 1;
                                let Ok(simplified) = &simplified else { panic!("{model:?}: {script}") };
                                for (place, word) in model.iter().enumerate() {
                                    if let Some(Vertex::String(vertex)) = graph.declarations()[place].vertex
                                        && let Some(now) = simplified.strings[vertex.index()]
                                        && let Some(constant) = simplified.graph.word(now)
                                    {
                                        assert_eq!(*constant, SmtString::from(word.as_str()), "{script}");
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        assert!(applied > 60 && solved > 500 && refuted > 20, "{applied} {solved} {refuted}");
    }
}

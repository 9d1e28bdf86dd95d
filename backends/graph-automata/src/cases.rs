//! Replacements by cases, without a guess: what no case allows is refuted.
//!
//! `str.replace` puts in once, at the first occurrence, or nothing. So either `s` does not contain `t`, and the
//! result is `s`; or `s = u·t·v`, where `t` does not occur in `u` and all but the last character of `t`, and
//! the result is `u·by·v`. All replacements of one `t` in one `s` share these cases and these words, as do a
//! test whether it is there and an index of it. Where `s` is a short constant, the cases are its parts, each
//! of which `t` may be, and that it is none of them.
//!
//! Each case is simplified, and languages of every length and equations of words are asked to refute it. This
//! finds no solution, so the search for one goes on as if nothing had been looked at.

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use backends_automata::AutomataContext;
use backends_graph::rules::Counts;
use backends_graph::simplify::simplify_with_ends;
use backends_graph::{Edge, Relation, StringGraph, StringVertex, Sum};
use harness_model::int::Int;
use harness_model::{Char, SmtString};

use crate::equations::{self, Said};
use crate::free::Free;
use crate::limits::FreeLimits;

/// Larger graphs are left alone.
const MOST_EDGES: usize = 80;
/// So many cases are looked at.
const MOST_CASES: usize = 64;
/// Constants with more characters are not taken apart.
const MOST_CHARACTERS: usize = 4;
/// Steps for equations of words in one case.
const EQUATION_STEPS: u64 = 200_000;

/// Whether every case of the replacements in `graph` is refuted, by its edges alone. Cost: a propagation for
/// each case.
///
/// # Errors
///
/// The end of the time.
pub(crate) fn refuted<A: BooleanAlgebra>(
    graph: &StringGraph,
    algebra: &A,
    limits: FreeLimits,
    budget: &Budget,
) -> Result<bool, Stop> {
    if graph.edges().len() > MOST_EDGES {
        return Ok(false);
    }
    let Some(mut waiting) = split(&graph.without_formulas()) else { return Ok(false) };
    let mut looked_at = 0;
    while let Some(case) = waiting.pop() {
        budget.look()?;
        looked_at += 1;
        if looked_at > MOST_CASES {
            return Ok(false);
        }
        let mut counts = Counts::default();
        let Ok(simplified) = simplify_with_ends(&case, &mut counts, budget)? else { continue };
        let case = simplified.graph;
        match is_refuted(&case, algebra, limits, budget) {
            Ok(true) => continue,
            Ok(false) | Err(Stop::Steps(_) | Stop::Size { .. }) => {}
            Err(stop) => return Err(stop),
        }
        match split(&case) {
            Some(cases) => waiting.extend(cases),
            None => return Ok(false),
        }
    }
    Ok(true)
}

fn is_refuted<A: BooleanAlgebra>(
    case: &StringGraph,
    algebra: &A,
    limits: FreeLimits,
    budget: &Budget,
) -> Result<bool, Stop> {
    let mut free = Free::new(case, algebra, limits, budget, None)?;
    if free.settle(None)?.is_some() {
        return Ok(true);
    }
    let context = AutomataContext::new(algebra, EQUATION_STEPS);
    let state = &free.engine.state;
    let said = equations::look_at(case, &context, &state.languages, &state.reasons, budget)?;
    Ok(matches!(said, Said::Refuted(_)))
}

/// The cases of the first replacement that has few of them; each has the solutions of the graph in which it
/// holds, and every solution is one of a case.
fn split(graph: &StringGraph) -> Option<Vec<StringGraph>> {
    graph.edges().iter().filter(|edge| edge.positive).find_map(|edge| match edge.relation {
        Relation::Replace { s, t, .. } => match (graph.word(s), graph.word(t)) {
            (_, Some(word)) if !word.is_empty() => Some(by_occurrence(graph, s, t)),
            (Some(word), _) if word.len() <= MOST_CHARACTERS => Some(by_part(graph, s, t)),
            _ => None,
        },
        Relation::Equal { .. }
        | Relation::StartsWith { .. }
        | Relation::EndsWith { .. }
        | Relation::Contains { .. }
        | Relation::InRe { .. }
        | Relation::IsDigit { .. }
        | Relation::Concat { .. }
        | Relation::CharAt { .. }
        | Relation::At { .. }
        | Relation::Substr { .. }
        | Relation::IndexOf { .. }
        | Relation::LastIndexOf { .. }
        | Relation::Trim { .. }
        | Relation::ToLower { .. }
        | Relation::ToUpper { .. }
        | Relation::ReplaceAll { .. }
        | Relation::ReplaceRe { .. }
        | Relation::ReplaceReAll { .. }
        | Relation::ToCode { .. }
        | Relation::FromCode { .. }
        | Relation::ToInt { .. }
        | Relation::FromInt { .. }
        | Relation::Less { .. }
        | Relation::LessEqual { .. }
        | Relation::CompareTo { .. } => None,
    })
}

/// `t` does not occur in `s`.
fn without(graph: &StringGraph, s: StringVertex, t: StringVertex) -> StringGraph {
    let mut case = graph.clone();
    case.add_edge(Edge::negative(Relation::Contains { s, t }));
    for place in 0..graph.edges().len() {
        if let Relation::Replace { s: whole, t: part, r, .. } = graph.edges()[place].relation
            && (whole, part) == (s, t)
            && graph.edges()[place].positive
        {
            case.replace_relation(place, Relation::Equal { a: r, b: s });
        }
    }
    case.add_lengths();
    case
}

/// `t`, a constant that is not empty, occurs in `s` or not.
fn by_occurrence(graph: &StringGraph, s: StringVertex, t: StringVertex) -> Vec<StringGraph> {
    let mut case = graph.clone();
    let (before, after) = (case.auxiliary(), case.auxiliary());
    let joined = |case: &mut StringGraph, a, b| {
        let r = case.auxiliary();
        case.add_edge(Edge::positive(Relation::Concat { a, b, r }));
        r
    };
    let with = joined(&mut case, before, t);
    case.add_edge(Edge::positive(Relation::Concat { a: with, b: after, r: s }));
    let begun: Vec<Char> = graph.word(t).map(|word| word.chars().to_vec()).unwrap_or_default();
    let begun = SmtString::from(begun[..begun.len().saturating_sub(1)].to_vec());
    let free = if begun.is_empty() {
        before
    } else {
        let begun = case.constant(begun);
        joined(&mut case, before, begun)
    };
    case.add_edge(Edge::negative(Relation::Contains { s: free, t }));
    let start = case.length(before);
    for place in 0..graph.edges().len() {
        if !graph.edges()[place].positive {
            continue;
        }
        let relation = &graph.edges()[place].relation;
        if let Relation::Replace { s: whole, t: part, by, r } = *relation
            && (whole, part) == (s, t)
        {
            let front = joined(&mut case, before, by);
            case.replace_relation(place, Relation::Concat { a: front, b: after, r });
        } else if let Relation::IndexOf { s: whole, t: part, from, i } = *relation
            && (whole, part) == (s, t)
            && graph.number(from) == Some(&Int::ZERO)
        {
            let is_start = Sum::from(start).eq(&graph.sum_of(i));
            case.add_formula(is_start);
        }
    }
    case.add_lengths();
    vec![case, without(graph, s, t)]
}

/// `s` is a short constant: `t` is one of its parts or none of them.
fn by_part(graph: &StringGraph, s: StringVertex, t: StringVertex) -> Vec<StringGraph> {
    let word: Vec<Char> = graph.word(s).map(|word| word.chars().to_vec()).unwrap_or_default();
    let mut parts = vec![SmtString::default()];
    for start in 0..word.len() {
        parts.extend((start + 1..=word.len()).map(|end| SmtString::from(word[start..end].to_vec())));
    }
    parts.sort_unstable();
    parts.dedup();
    let equal = |part: SmtString| {
        let mut case = graph.clone();
        let part = case.constant(part);
        case.add_edge(Edge::positive(Relation::Equal { a: t, b: part }));
        case.add_lengths();
        case
    };
    let mut cases: Vec<StringGraph> = parts.into_iter().map(equal).collect();
    cases.push(without(graph, s, t));
    cases
}

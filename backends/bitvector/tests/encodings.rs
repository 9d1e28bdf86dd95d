//! The encoding of every edge against enumeration: for random graphs and guesses, words are found exactly
//! when there are some, and what a refutation names has no solution.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "helpers of tests")]

use std::sync::Arc;

use backends_api::{Budget, Probe};
use backends_bitvector::{BitVectors, Mode, Refusals};
use backends_graph::evaluate::GraphEvaluator;
use backends_graph::{
    Edge, EdgeId, FixedAnswer, FixedSolvers, IntAssignment, IntValues, IntVertex, Relation, StringGraph,
    StringVertex,
};
use backends_z3::Z3BitVectors;
use harness_model::int::Int;
use harness_model::{Alphabet, Char, CharSet, Regex, SmtString};
use harness_theory::Value;
use proptest::prelude::*;

/// What variables may be made of: a digit, a blank, a capital and two small letters.
const LETTERS: [u32; 5] = [0x31, 0x20, 0x41, 0x61, 0x62];
const STRINGS: usize = 3;
const INTS: usize = 3;

#[derive(Clone, Debug)]
struct Case {
    /// Of constants that edges may name after the variables.
    constants: Vec<SmtString>,
    edges: Vec<Edge>,
    lengths: Vec<usize>,
    ints: Vec<i64>,
}

/// The graph with those of the edges that `keep` keeps.
fn graph(case: &Case, keep: impl Fn(usize) -> bool) -> StringGraph {
    let mut graph = StringGraph::new(Alphabet::Ascii);
    graph.restrict_characters(&CharSet::from_ranges(LETTERS.map(|c| (c, c))));
    let mut strings: Vec<StringVertex> =
        (0..STRINGS).map(|i| graph.declare_string(format!("s{i}"))).collect();
    let ints: Vec<IntVertex> = (0..INTS).map(|i| graph.declare_int(format!("i{i}"))).collect();
    strings.extend(case.constants.iter().map(|w| graph.constant(w.clone())));
    for (_, edge) in case.edges.iter().enumerate().filter(|(i, _)| keep(*i)) {
        let relation = edge.relation.map(|s| strings[s.index() % strings.len()], |i| ints[i.index()]);
        graph.add_edge(Edge { relation, positive: edge.positive });
    }
    graph.add_lengths();
    graph
}

fn words_of(length: usize) -> Vec<SmtString> {
    (0..LETTERS.len().pow(u32::try_from(length).unwrap()))
        .map(|mut n| {
            let mut next = || {
                let c = Char(LETTERS[n % LETTERS.len()]);
                n /= LETTERS.len();
                c
            };
            (0..length).map(|_| next()).collect()
        })
        .collect()
}

/// Whether some words of the lengths satisfy the graph.
fn has_solution(graph: &StringGraph, case: &Case) -> bool {
    let problem = graph.to_problem();
    let mut evaluator = GraphEvaluator::new(&problem, Alphabet::Ascii);
    let ints: Vec<Value> = case.ints.iter().map(|&i| Value::Int(Int::from(i))).collect();
    let all: Vec<Vec<SmtString>> = case.lengths.iter().map(|&l| words_of(l)).collect();
    for a in &all[0] {
        for b in &all[1] {
            for c in &all[2] {
                let mut values: Vec<Value> = [a, b, c].map(|w| Value::String(w.clone())).into();
                values.extend(ints.iter().cloned());
                if evaluator.holds(&values).unwrap() {
                    return true;
                }
            }
        }
    }
    false
}

fn regexes() -> impl Strategy<Value = Regex> {
    let leaf = prop::sample::subsequence(LETTERS.to_vec(), 0..4)
        .prop_map(|letters| Regex::set(CharSet::from_ranges(letters.into_iter().map(|c| (c, c)))));
    leaf.prop_recursive(3, 8, 3, |inner| {
        let parts = prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            parts.clone().prop_map(Regex::concat),
            parts.prop_map(Regex::union),
            inner.clone().prop_map(|r| Regex::Complement(Arc::new(r))),
            (inner, 0_u32..3, prop::option::of(0_u32..3)).prop_map(|(r, min, max)| r.repeat(min, max)),
        ]
    })
}

fn edges() -> impl Strategy<Value = Edge> {
    let s = || (0..STRINGS + 2).prop_map(StringVertex::at);
    let i = || (0..INTS).prop_map(IntVertex::at);
    let re = || regexes().prop_map(Arc::new);
    let binary = |make: fn(StringVertex, StringVertex) -> Relation| {
        (s(), s()).prop_map(move |(a, b)| make(a, b)).boxed()
    };
    let predicates = prop_oneof![
        binary(|a, b| Relation::Equal { a, b }),
        binary(|s, t| Relation::StartsWith { s, t }),
        binary(|s, t| Relation::EndsWith { s, t }),
        binary(|s, t| Relation::Contains { s, t }),
        binary(|s, t| Relation::Less { s, t }),
        binary(|s, t| Relation::LessEqual { s, t }),
        (s(), re()).prop_map(|(s, regex)| Relation::InRe { s, regex }),
        s().prop_map(|s| Relation::IsDigit { s }),
    ];
    let functions = prop_oneof![
        (s(), s(), s()).prop_map(|(a, b, r)| Relation::Concat { a, b, r }),
        (s(), i(), i()).prop_map(|(s, i, c)| Relation::CharAt { s, i, c }),
        (s(), i(), s()).prop_map(|(s, i, r)| Relation::At { s, i, r }),
        (s(), i(), i(), s()).prop_map(|(s, from, count, r)| Relation::Substr { s, from, count, r }),
        (s(), s(), i(), i()).prop_map(|(s, t, from, i)| Relation::IndexOf { s, t, from, i }),
        (s(), s(), i(), i()).prop_map(|(s, t, from, i)| Relation::LastIndexOf { s, t, from, i }),
        binary(|s, r| Relation::Trim { s, r }),
        (s(), s(), s(), s()).prop_map(|(s, t, by, r)| Relation::Replace { s, t, by, r }),
        (s(), s(), s(), s()).prop_map(|(s, t, by, r)| Relation::ReplaceAll { s, t, by, r }),
        (s(), re(), s(), s()).prop_map(|(s, regex, by, r)| Relation::ReplaceRe { s, regex, by, r }),
        (s(), re(), s(), s()).prop_map(|(s, regex, by, r)| Relation::ReplaceReAll { s, regex, by, r }),
        binary(|s, r| Relation::ToLower { s, r }),
        binary(|s, r| Relation::ToUpper { s, r }),
        (s(), i()).prop_map(|(s, c)| Relation::ToCode { s, c }),
        (i(), s()).prop_map(|(c, r)| Relation::FromCode { c, r }),
        (s(), i()).prop_map(|(s, i)| Relation::ToInt { s, i }),
        (i(), s()).prop_map(|(i, r)| Relation::FromInt { i, r }),
        (s(), s(), i()).prop_map(|(s, t, i)| Relation::CompareTo { s, t, i }),
    ];
    prop_oneof![
        (predicates, any::<bool>()).prop_map(|(relation, positive)| Edge { relation, positive }),
        functions.prop_map(Edge::positive),
    ]
}

fn cases() -> impl Strategy<Value = Case> {
    // Beside the letters, one character that no variable has.
    let letter = prop_oneof![8 => prop::sample::select(LETTERS.to_vec()), 1 => Just(0x7A_u32)].prop_map(Char);
    let word = prop::collection::vec(letter, 0..4).prop_map(SmtString::from);
    let int = prop_oneof![4 => -2_i64..4, 1 => prop::sample::select(LETTERS.map(i64::from).to_vec()), 1 => -40_i64..40];
    (
        prop::collection::vec(word, 2..=2),
        prop::collection::vec(edges(), 1..4),
        prop::collection::vec(0_usize..3, STRINGS..=STRINGS),
        prop::collection::vec(int, INTS..=INTS),
    )
        .prop_map(|(constants, edges, lengths, ints)| Case { constants, edges, lengths, ints })
}

fn values_of(graph: &StringGraph, case: &Case) -> IntValues {
    let mut values = IntValues::default();
    for (vertex, &int) in graph.int_vertices().zip(&case.ints) {
        values.set(vertex, Int::from(int));
    }
    for (vertex, &length) in graph.string_vertices().zip(&case.lengths) {
        values.set(graph.length_of(vertex).unwrap(), Int::from(length));
    }
    values
}

fn check(case: &Case, mode: Mode) -> Result<(), TestCaseError> {
    let graph = graph(case, |_| true);
    let values = values_of(&graph, case);
    let guess = IntAssignment::new(&graph, &values);
    let order: Vec<EdgeId> = graph.edge_ids().collect();
    let (budget, probe) = (Budget::unlimited(), Probe::new());
    let strings = BitVectors { mode, bitvectors: Z3BitVectors };
    let mut solver = strings.solver(&graph, &order, &budget).unwrap();
    match solver.solve(&guess, &probe).unwrap() {
        FixedAnswer::Sat(words) => {
            let problem = graph.to_problem();
            let mut evaluator = GraphEvaluator::new(&problem, Alphabet::Ascii);
            let mut model: Vec<Value> =
                words.iter().take(STRINGS).map(|w| Value::String(w.clone())).collect();
            for (word, &length) in words.iter().zip(&case.lengths) {
                prop_assert_eq!(word.len(), length);
                prop_assert!(word.chars().iter().all(|&c| graph.characters().contains(c)), "{:?}", word);
            }
            model.extend(case.ints.iter().map(|&i| Value::Int(Int::from(i))));
            prop_assert_eq!(evaluator.holds(&model), Ok(true), "{:?} does not hold", model);
        }
        FixedAnswer::Unsat(refutation) => {
            // The edges named have no solution, so the graph has none. Edges that became one are kept
            // together.
            let named: Vec<&Edge> = refutation.edges.iter().map(|&id| graph.edge(id)).collect();
            let same = |i: usize| {
                let alone = self::graph(case, |j| j == i);
                alone.edges().iter().all(|e| named.contains(&e))
            };
            prop_assert!(
                !has_solution(&self::graph(case, same), case),
                "the edges {:?} have a solution",
                named
            );
        }
        FixedAnswer::Unknown(why) => prop_assert!(false, "{}", why),
    }
    Ok(())
}

#[test]
fn the_bits_reach_further_than_the_alphabet() {
    // No character is after the last one; in `unicode` there are bit-vectors that are.
    for alphabet in Alphabet::ALL {
        for mode in Mode::all(Refusals::Connected).into_iter().chain([Mode::EdgeByEdge(Refusals::Taken)]) {
            let mut graph = StringGraph::new(alphabet);
            let (s, t) = (graph.constant(vec![alphabet.max()]), graph.declare_string("t"));
            graph.add_edge(Edge::positive(Relation::Less { s, t }));
            graph.add_lengths();
            let mut values = IntValues::default();
            values.set(graph.length_of(t).unwrap(), Int::from(1_i64));
            let order: Vec<EdgeId> = graph.edge_ids().collect();
            let (budget, probe) = (Budget::unlimited(), Probe::new());
            let strings = BitVectors { mode, bitvectors: Z3BitVectors };
            let mut solver = strings.solver(&graph, &order, &budget).unwrap();
            let answer = solver.solve(&IntAssignment::new(&graph, &values), &probe).unwrap();
            assert!(matches!(answer, FixedAnswer::Unsat(_)), "{alphabet} {mode:?} {answer:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn edge_by_edge(case in cases()) {
        check(&case, Mode::EdgeByEdge(Refusals::Connected))?;
    }

    #[test]
    fn edge_by_edge_as_published(case in cases()) {
        check(&case, Mode::EdgeByEdge(Refusals::Taken))?;
    }

    #[test]
    fn all_at_once(case in cases()) {
        check(&case, Mode::All)?;
    }

    #[test]
    fn with_cores(case in cases()) {
        check(&case, Mode::Core)?;
    }
}

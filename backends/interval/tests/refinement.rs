//! Refinement against all assignments of small random graphs: no word and no number of a solution is ever
//! lost.

#![expect(clippy::unwrap_used, reason = "tests")]

use backends_api::Budget;
use backends_graph::testkit::Draw;
use backends_graph::testkit::random::{KINDS, complete, each_assignment, random_graph_of};
use backends_graph::{Edge, Relation, StringGraph};
use backends_interval::refine::{Limits, Refiner};
use harness_model::{Alphabet, CharSet, Regex, SmtString};

/// Refines and compares. Whether the graph was refuted, and how many automata got smaller.
fn try_out(graph: &StringGraph, length: usize, what: &str) -> (bool, u64) {
    let mut graph = graph.clone();
    graph.add_lengths();
    let budget = Budget::unlimited();
    let mut refiner = Refiner::new(&graph, &[], Limits::default(), &budget).unwrap();
    let refuted = refiner.settle().unwrap();
    let describe = || graph.edges().iter().map(|e| graph.edge_text(e)).collect::<Vec<_>>().join(", ");
    let algebra = backends_algebra::RangeAlgebra::new(graph.alphabet());
    each_assignment(&graph, length, &mut |values, holds| {
        if !holds {
            return;
        }
        assert!(!refuted, "{what}: {values:?} solves {}", describe());
        let Some((words, numbers)) = complete(&graph, values) else { return };
        for v in graph.string_vertices() {
            let word = &words[v.index()];
            let kept = backends_automata::accepts(&algebra, &refiner.language(v), word, &budget).unwrap();
            assert!(
                kept,
                "{what}: {} = {word:?} is lost, {values:?} in {}",
                graph.string_name(v),
                describe()
            );
        }
        for i in graph.int_vertices() {
            if let Some(number) = numbers[i.index()].small() {
                let kept = refiner.int(i).has(number);
                let bounds = refiner.int(i);
                let name = graph.int_name(i);
                assert!(kept, "{what}: {name} = {number} outside {bounds:?}, {values:?} in {}", describe());
            }
        }
    });
    (refuted, refiner.tally.refinements)
}

#[test]
fn each_kind_of_edge_keeps_every_solution() {
    for kind in 0..KINDS {
        let mut narrowed = 0;
        for seed in 0..30 {
            let mut draw = Draw::new(seed * 31 + kind as u64);
            let graph = random_graph_of(&mut draw, 1 + usize::from(seed % 3 == 0), &[kind]);
            narrowed += try_out(&graph, 3, &format!("kind {kind}, seed {seed}")).1;
        }
        assert!(narrowed > 2, "kind {kind} narrowed {narrowed}");
    }
}

#[test]
fn edges_of_all_kinds_together_keep_every_solution() {
    let kinds: Vec<usize> = (0..KINDS).collect();
    let mut refuted = 0;
    for seed in 0..250 {
        let mut draw = Draw::new(7_000_000 + seed);
        let edges = 2 + draw.below(4);
        let graph = random_graph_of(&mut draw, edges, &kinds);
        refuted += usize::from(try_out(&graph, 3, &format!("seed {seed}")).0);
    }
    assert!(refuted > 30, "{refuted}");
}

/// On all words of up to three letters, from every place and up to every place.
#[test]
fn the_first_place_and_the_last_place_of_a_word() {
    let mut said = 0;
    for from in -1_i64..=2 {
        for whole in [true, false] {
            let mut g = StringGraph::new(Alphabet::Ascii);
            g.restrict_characters(&CharSet::from_ranges([(0x61, 0x62)]));
            let (s, t) = (g.declare_string("s"), g.declare_string("t"));
            let (i, j) = (g.result_int(), g.result_int());
            let from = g.constant_int(from);
            let up_to = if whole { g.length(s) } else { from };
            g.add_edge(Edge::positive(Relation::IndexOf { s, t, from, i }));
            g.add_edge(Edge::positive(Relation::LastIndexOf { s, t, from: up_to, i: j }));
            g.add_lengths();
            let budget = Budget::unlimited();
            let refiner = Refiner::new(&g, &[], Limits::default(), &budget).unwrap();
            let formulas = backends_interval::relations::places(&refiner);
            said += formulas.len();
            each_assignment(&g, 3, &mut |values, _| {
                let (_, numbers) = complete(&g, values).unwrap();
                for (formula, _) in &formulas {
                    assert!(formula.eval(&|v| numbers[v.index()].clone()), "{}", g.formula_text(formula));
                }
            });
        }
    }
    assert_eq!(said, 5);
}

fn refine(graph: &mut StringGraph) -> (bool, Vec<Option<SmtString>>) {
    graph.add_lengths();
    let budget = Budget::unlimited();
    let mut refiner = Refiner::new(graph, &[], Limits::default(), &budget).unwrap();
    let refuted = refiner.settle().unwrap();
    let only = graph.string_vertices().map(|v| refiner.only(v)).collect();
    (refuted, only)
}

/// The paper takes only the word "abc" from `s`; then `xabcx` would be left.
#[test]
fn what_must_not_be_contained_takes_every_word_around_it() {
    let mut g = StringGraph::new(Alphabet::Ascii);
    let (s, t, r) = (g.declare_string("s"), g.constant("abc"), g.constant("xabcx"));
    g.add_edge(Edge::negative(Relation::Contains { s, t }));
    g.add_edge(Edge::positive(Relation::Equal { a: s, b: r }));
    assert!(refine(&mut g).0);
}

#[test]
fn a_cycle_of_concatenations_ends() {
    // x = y "a", y = x "a": every word gets longer; only the limit ends it, and nothing wrong is said of
    // lengths alone.
    let mut g = StringGraph::new(Alphabet::Ascii);
    let (x, y, a) = (g.declare_string("x"), g.declare_string("y"), g.constant("a"));
    g.add_edge(Edge::positive(Relation::Concat { a: y, b: a, r: x }));
    g.add_edge(Edge::positive(Relation::Concat { a: x, b: a, r: y }));
    g.add_lengths();
    let budget = Budget::unlimited();
    let limits = Limits { rounds: 5, ..Limits::default() };
    let mut refiner = Refiner::new(&g, &[], limits, &budget).unwrap();
    assert!(!refiner.settle().unwrap());
    assert!(refiner.lengths(x).0 >= 2);
}

#[test]
fn an_expression_is_absorbed_unless_it_is_too_large() {
    let mut g = StringGraph::new(Alphabet::Ascii);
    let s = g.declare_string("s");
    let digits = Regex::set(CharSet::range(harness_model::Char(0x30), harness_model::Char(0x39)));
    g.add_edge(Edge::positive(Relation::InRe { s, regex: digits.repeat(3, Some(30)).into() }));
    g.add_lengths();
    let budget = Budget::unlimited();
    let mut whole = Refiner::new(&g, &[], Limits::default(), &budget).unwrap();
    whole.settle().unwrap();
    assert!(whole.is_absorbed(0));
    assert_eq!(whole.lengths(s), (3, Some(30)));
    let tight = Limits { states: 10, ..Limits::default() };
    let mut part = Refiner::new(&g, &[], tight, &budget).unwrap();
    part.settle().unwrap();
    assert!(!part.is_absorbed(0) && part.left_out() > 0);
}

//! The strategies against brute force, on random graphs over three letters.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use backends_api::{BackendError, Budget, Probe};
use backends_graph::interchange::Solution;
use backends_graph::strategy::GraphSolver;
use backends_graph::testkit::random::{KINDS, random_graph_of};
use backends_graph::testkit::{Draw, brute_force};
use backends_graph::{Edge, GraphEvaluator, Relation, StringGraph, Sum};
use backends_interval::refine::Limits;
use backends_interval::{ArraysWithAutomata, AutomataOnly, Preprocessing};
use backends_parray::{Arrays, Method, Options};
use backends_z3::{Z3Arrays, Z3Integers};
use harness_model::{Alphabet, Char, CharSet, Regex, SmtString};
use harness_theory::{Assignment, Value};

/// Whether the values satisfy the graph, by the evaluator.
fn right(graph: &StringGraph, values: &[Option<Value>]) -> bool {
    let problem = graph.to_problem();
    let mut assignment = Assignment::new();
    for (variable, value) in problem.variables.iter().zip(values) {
        assignment.insert(*variable, value.clone().unwrap());
    }
    GraphEvaluator::new(&problem, graph.alphabet()).all_true(&assignment).unwrap()
}

fn describe(graph: &StringGraph) -> String {
    let edges = graph.edges().iter().map(|e| graph.edge_text(e));
    edges.chain(graph.formulas().iter().map(|f| graph.formula_text(f))).collect::<Vec<_>>().join(", ")
}

/// Draws graphs; how many were solved and found unsatisfiable.
fn compare(solver: &dyn GraphSolver, seeds: std::ops::Range<u64>) -> (usize, usize) {
    let kinds: Vec<usize> = (0..KINDS).collect();
    let (mut sat, mut unsat) = (0, 0);
    for seed in seeds {
        let mut draw = Draw::new(seed);
        let edges = 1 + draw.below(4);
        let graph = random_graph_of(&mut draw, edges, &kinds);
        let budget = Budget::with_time(std::time::Duration::from_secs(1));
        match solver.solve(&graph, &budget, &Probe::new()) {
            Ok(Solution::Sat(values)) => {
                assert!(right(&graph, &values), "seed {seed}: {}", describe(&graph));
                sat += 1;
            }
            Ok(Solution::Unsat(_)) => {
                assert!(!brute_force(&graph, 3), "seed {seed}: {}", describe(&graph));
                unsat += 1;
            }
            Ok(Solution::Unknown(why)) => assert!(!why.is_empty()),
            Err(BackendError::Stopped(_)) => {}
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    (sat, unsat)
}

#[test]
fn automata_alone_agree_with_brute_force() {
    let (sat, unsat) = compare(&AutomataOnly::default(), 0..250);
    assert!(sat > 100 && unsat > 50, "{sat} {unsat}");
    let plain = AutomataOnly { preprocessing: Preprocessing::Plain, ..AutomataOnly::default() };
    let (sat, unsat) = compare(&plain, 0..250);
    assert!(sat > 80 && unsat > 25, "without rules: {sat} {unsat}");
}

fn arrays(method: Method) -> ArraysWithAutomata<Z3Arrays, Z3Integers> {
    let arrays = Arrays { options: Options::new(method), arrays: Z3Arrays, integers: Z3Integers::default() };
    ArraysWithAutomata { arrays, limits: Limits::default(), preprocessing: Preprocessing::Rules }
}

#[test]
fn arrays_and_automata_agree_with_brute_force() {
    for (method, seeds) in [(Method::Iterative, 0..60), (Method::Guided, 1_000..1_060)] {
        let (sat, unsat) = compare(&arrays(method), seeds);
        assert!(sat > 20 && unsat > 8, "{method:?}: {sat} {unsat}");
    }
    let plain = ArraysWithAutomata { preprocessing: Preprocessing::Plain, ..arrays(Method::Iterative) };
    let (sat, unsat) = compare(&plain, 0..60);
    assert!(sat > 20 && unsat > 4, "without rules: {sat} {unsat}");
}

#[test]
fn quantifiers_left_to_the_solver_agree_with_brute_force() {
    let (sat, unsat) = compare(&arrays(Method::Mbqi), 2_000..2_012);
    assert!(sat + unsat > 3, "{sat} {unsat}");
}

fn solve(solver: &dyn GraphSolver, graph: &StringGraph) -> Solution {
    solver.solve(graph, &Budget::unlimited(), &Probe::new()).unwrap()
}

/// The paper's path condition 3 in section 2: s1 + s2 + s3 = "aaaa", s1 >= s2 >= s3.
#[test]
fn concrete_words_are_found_after_some_trials() {
    let mut g = StringGraph::new(Alphabet::Ascii);
    let s: Vec<_> = (1..=3).map(|i| g.declare_string(format!("s{i}"))).collect();
    let (all, two) = (g.constant("aaaa"), g.auxiliary());
    g.add_edge(Edge::positive(Relation::Concat { a: s[0], b: s[1], r: two }));
    g.add_edge(Edge::positive(Relation::Concat { a: two, b: s[2], r: all }));
    g.add_edge(Edge::positive(Relation::LessEqual { s: s[1], t: s[0] }));
    g.add_edge(Edge::positive(Relation::LessEqual { s: s[2], t: s[1] }));
    let Solution::Sat(values) = solve(&AutomataOnly::default(), &g) else { panic!("no solution") };
    assert!(right(&g, &values));
}

/// Last places of two words with a long common beginning, as the conditions on `lastIndexOf`: of all
/// beginnings of the length that a solution needs, nearly none can be completed.
#[test]
fn words_that_few_beginnings_lead_to_are_found() {
    let mut g = StringGraph::new(Alphabet::Ascii);
    let s = g.declare_string("s");
    let length = g.length(s);
    for t in ["0123456789abcdefghijV", "0123456789abcdefghijW"] {
        let (t, i) = (g.constant(t), g.result_int());
        g.add_edge(Edge::positive(Relation::LastIndexOf { s, t, from: length, i }));
        g.add_formula(Sum::from(0_i64).le(&Sum::from(i)));
    }
    let Solution::Sat(values) = solve(&AutomataOnly::default(), &g) else { panic!("no solution") };
    assert!(right(&g, &values));
}

/// No two automata of fixed values fit, and no enumeration ends.
#[test]
fn an_endless_search_is_unknown() {
    let mut g = StringGraph::new(Alphabet::Ascii);
    let (x, a, b) = (g.declare_string("x"), g.constant("aabb"), g.constant("abab"));
    let (left, right) = (g.auxiliary(), g.auxiliary());
    // x aabb = abab x has no solution, for no rotation of the one is the other, which automata do not see.
    g.add_edge(Edge::positive(Relation::Concat { a: x, b: a, r: left }));
    g.add_edge(Edge::positive(Relation::Concat { a: b, b: x, r: right }));
    g.add_edge(Edge::positive(Relation::Equal { a: left, b: right }));
    match solve(&AutomataOnly::default(), &g) {
        Solution::Unknown(why) => {
            assert!(why.contains("no solution among") && why.contains("the limit"), "{why}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_cycle_of_comparisons_is_refuted_by_relations() {
    let mut g = StringGraph::new(Alphabet::Ascii);
    let s: Vec<_> = (1..=3).map(|i| g.declare_string(format!("s{i}"))).collect();
    g.add_edge(Edge::positive(Relation::Less { s: s[1], t: s[0] }));
    g.add_edge(Edge::positive(Relation::LessEqual { s: s[2], t: s[1] }));
    g.add_edge(Edge::positive(Relation::LessEqual { s: s[0], t: s[2] }));
    let probe = Probe::new();
    // The rules of string graphs would refute it before.
    let strategy = AutomataOnly { preprocessing: Preprocessing::Plain, ..AutomataOnly::default() };
    let solution = strategy.solve(&g, &Budget::unlimited(), &probe).unwrap();
    let (_, counters) = probe.into_parts();
    assert!(matches!(solution, Solution::Unsat(_)));
    assert_eq!(counters.get("refuted_by_relations"), Some(&1), "{counters:?}");
}

/// Two words of letters with a blank between them have nothing to trim: that the result is the same word, no
/// automaton says.
#[test]
fn what_is_not_changed_is_equal() {
    let mut g = StringGraph::new(Alphabet::Ascii);
    let (s, t) = (g.declare_string("s"), g.declare_string("t"));
    let letters = Regex::set(CharSet::range(Char(97), Char(122))).repeat(1, None);
    let words = Regex::concat([letters.clone(), Regex::literal(&" ".into()), letters]);
    g.add_edge(Edge::positive(Relation::InRe { s, regex: words.into() }));
    g.add_edge(Edge::positive(Relation::Trim { s, r: t }));
    g.add_edge(Edge::negative(Relation::Equal { a: s, b: t }));
    assert!(matches!(solve(&AutomataOnly::default(), &g), Solution::Unsat(_)));
}

#[test]
fn a_character_outside_the_alphabet_is_refused() {
    let mut g = StringGraph::new(Alphabet::Ascii);
    let (s, t) = (g.declare_string("s"), g.constant(SmtString::from("\u{e4}")));
    g.add_edge(Edge::positive(Relation::Contains { s, t }));
    assert!(AutomataOnly::default().solve(&g, &Budget::unlimited(), &Probe::new()).is_err());
}

/// A loop whose iterations have two lengths is unrolled; what is refuted up to the limit is not refuted.
#[test]
fn an_unrolled_loop_never_claims_unsat() {
    let letters = |text: &str| Regex::literal(&text.into());
    let loops = Regex::union([letters("ab"), letters("c")]).star();
    let long = Regex::concat([letters("ab"), loops]);
    for (least, expected) in [(10_i64, true), (200, false)] {
        let mut g = StringGraph::new(Alphabet::Ascii);
        let s = g.declare_string("s");
        let length = g.length(s);
        g.add_edge(Edge::positive(Relation::InRe { s, regex: long.clone().into() }));
        // Odd and long: automata see no reason against it.
        let n = g.declare_int("n");
        let (length, n) = (Sum::from(length), Sum::from(n));
        g.add_formula(length.eq(&n.add(&n).add(&Sum::from(1_i64))));
        g.add_formula(Sum::from(least).le(&n));
        match solve(&arrays(Method::Guided), &g) {
            Solution::Sat(values) if expected => assert!(right(&g, &values)),
            Solution::Unknown(why) if !expected => assert!(why.contains("unrolled"), "{why}"),
            other => panic!("{least}: {other:?}"),
        }
    }
}

/// The encoding takes edges in an order of its own; each language must still reach its own vertex, and each
/// consumed edge be the right one.
#[test]
fn languages_reach_their_vertices_whatever_the_order_of_edges() {
    let letters = |text: &str| Regex::literal(&text.into());
    for method in [Method::Iterative, Method::Guided] {
        for absent in [false, true] {
            let mut g = StringGraph::new(Alphabet::Ascii);
            let s: Vec<_> = (0..3).map(|i| g.declare_string(format!("s{i}"))).collect();
            let i = g.declare_int("i");
            // A number first: it is said last.
            g.add_edge(Edge::positive(Relation::ToInt { s: s[0], i }));
            g.add_formula(Sum::from(5_i64).le(&Sum::from(i)));
            let loops = Regex::union([letters("ab"), letters("c")]).star();
            let loops = Regex::concat([letters("c"), loops]);
            let regex = Regex::concat([letters("x"), letters("yz").star()]);
            g.add_edge(Edge::positive(Relation::InRe { s: s[1], regex: loops.into() }));
            g.add_edge(Edge::positive(Relation::InRe { s: s[2], regex: regex.into() }));
            let t = g.constant("xyz");
            g.add_edge(Edge::positive(Relation::Contains { s: s[2], t }));
            g.add_edge(Edge::positive(Relation::StartsWith { s: s[2], t }));
            let (one, two) = (Sum::from(g.length(s[1])), Sum::from(g.length(s[2])));
            g.add_formula(Sum::from(4_i64).le(&one));
            if absent {
                // A word of the third language has an odd length.
                g.add_formula(two.eq(&Sum::from(4_i64)));
            }
            let probe = Probe::new();
            let solution = arrays(method).solve(&g, &Budget::unlimited(), &probe).unwrap();
            let (_, counters) = probe.into_parts();
            let count = |name: &str| counters.get(name).copied().unwrap_or(0);
            match solution {
                Solution::Sat(values) if !absent => {
                    assert!(right(&g, &values));
                    let counts = ["unrolled", "well_formed", "consumed"].map(count);
                    assert_eq!(counts, [1, 1, 1], "{counters:?}");
                }
                Solution::Unsat(_) if absent => {}
                other => panic!("{method:?} {absent}: {other:?}"),
            }
        }
    }
}

/// The numeral of a place before the end of itself: there is none, also beyond the digits that are said one
/// by one.
#[test]
fn no_numeral_is_longer_than_its_number() {
    let mut g = StringGraph::new(Alphabet::Ascii);
    let (i, s) = (g.declare_int("i"), g.declare_string("s"));
    g.add_edge(Edge::positive(Relation::FromInt { i, r: s }));
    let (length, sum) = (Sum::from(g.length(s)), Sum::from(i));
    g.add_formula(Sum::from(0_i64).le(&sum));
    g.add_formula(sum.add(&Sum::from(2_i64)).le(&length));
    assert!(matches!(solve(&arrays(Method::Iterative), &g), Solution::Unsat(_)));
}

/// "-" then digits, a comma, three digits: the paper's example (b), whose third path asks for a number above
/// 100 + i.
#[test]
fn the_motivating_example() {
    let set = |low: u32, high: u32| Regex::set(CharSet::range(Char(low), Char(high)));
    let format = Regex::concat([
        set(0, 127),
        set(48, 57).repeat(1, None),
        set(44, 44),
        set(48, 57).repeat(3, Some(3)),
    ]);
    for (positive, method) in [(false, Method::Iterative), (true, Method::Iterative), (true, Method::Guided)]
    {
        let mut g = StringGraph::new(Alphabet::Ascii);
        let (s, minus, comma) = (g.declare_string("s"), g.constant("-"), g.constant(","));
        let (i, x, zero) = (g.result_int(), g.result_int(), g.constant_int(0_i64));
        g.add_edge(Edge::positive(Relation::StartsWith { s, t: minus }));
        g.add_edge(Edge { relation: Relation::InRe { s, regex: format.clone().into() }, positive });
        let length = g.length(s);
        g.add_edge(Edge::positive(Relation::LastIndexOf { s, t: comma, from: length, i }));
        let from = g.int_of(&Sum::from(i).add(&Sum::from(1_i64)));
        let count = g.int_of(&Sum::from(length).sub(&Sum::from(from)));
        let rest = g.auxiliary();
        g.add_edge(Edge::positive(Relation::Substr { s, from, count, r: rest }));
        g.add_edge(Edge::positive(Relation::ToInt { s: rest, i: x }));
        g.add_formula(Sum::from(zero).le(&Sum::from(i)));
        g.add_formula(Sum::from(i).add(&Sum::from(100_i64)).lt(&Sum::from(x)));
        match solve(&arrays(method), &g) {
            Solution::Sat(values) => assert!(right(&g, &values)),
            other => panic!("{method:?} {positive}: {other:?}"),
        }
    }
}

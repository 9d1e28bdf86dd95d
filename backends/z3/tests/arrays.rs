//! Array constraints on Z3: each method on random graphs against brute force, and the study's own examples.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::time::Duration;

use backends_api::{BackendError, Budget, Family as _, Probe};
use backends_graph::testkit::random::{Draw, KINDS, brute_force, random_graph_of};
use backends_graph::{Edge, GraphSolver, Relation, Solution, StringGraph, Sum};
use backends_parray::{Arrays, Method, Options, ParrayFamily};
use backends_z3::{Z3Arrays, Z3Integers};
use harness_model::{Alphabet, CharSet, Question, Verdict};
use harness_theory::Value;

fn text(graph: &StringGraph) -> String {
    let edges = graph.edges().iter().map(|e| graph.edge_text(e));
    let formulas = graph.formulas().iter().map(|f| graph.formula_text(f));
    edges.chain(formulas).collect::<Vec<_>>().join("\n")
}

fn solve(graph: &StringGraph, options: Options, probe: &Probe) -> Result<Solution, BackendError> {
    // Neither the solver's own instantiation nor its integers need come to an end.
    let limit = if options.method == Method::Iterative { 2_000 } else { 500 };
    let budget = Budget::with_time(Duration::from_millis(limit));
    Arrays { options, arrays: Z3Arrays, integers: Z3Integers::default() }.solve(graph, &budget, probe)
}

/// How many graphs are sat, unsat, open and unsupported. `GRAPHS` in the environment asks for another number
/// of them.
fn on_random_graphs(method: Method, seeds: u64) -> [u32; 4] {
    // No regular expressions and few replacements: what is refused shows nothing.
    let kinds: Vec<usize> = (0..KINDS).filter(|kind| ![6, 16, 17, 18].contains(kind)).collect();
    let seeds = std::env::var("GRAPHS").ok().and_then(|n| n.parse().ok()).unwrap_or(seeds);
    let mut counts = [0; 4];
    for seed in 0..seeds {
        let mut draw = Draw::new(seed.wrapping_mul(7_919) + 1);
        let edges = 1 + draw.below(4);
        let graph = random_graph_of(&mut draw, edges, &kinds);
        let options =
            Options { rounds: 12, indices: 400, trials: 40, simplify: seed % 4 != 3, ..Options::new(method) };
        match solve(&graph, options, &Probe::new()) {
            Ok(Solution::Sat(_)) => counts[0] += 1,
            Ok(Solution::Unsat(_)) => {
                counts[1] += 1;
                assert!(
                    !brute_force(&graph, 3),
                    "{method:?}, seed {seed}, has a solution:\n{}",
                    text(&graph)
                );
            }
            Ok(Solution::UnsatWithinBound) => panic!("seed {seed}: nothing here has a bound"),
            Ok(Solution::Unknown(_)) | Err(BackendError::Stopped(_)) => counts[2] += 1,
            Err(BackendError::Unsupported(_)) => counts[3] += 1,
            Err(error) => panic!("seed {seed}: {error}\n{}", text(&graph)),
        }
    }
    counts
}

#[test]
fn algorithm_1_agrees_with_brute_force() {
    let [sat, unsat, ..] = on_random_graphs(Method::Basic, 120);
    assert!(sat > 30 && unsat > 20, "{sat} {unsat}");
}

#[test]
fn algorithm_2_agrees_with_brute_force() {
    let [sat, unsat, open, _] = on_random_graphs(Method::Iterative, 300);
    assert!(sat > 90 && unsat > 70 && open < 60, "{sat} {unsat} {open}");
}

#[test]
fn guided_instances_agree_with_brute_force() {
    let [sat, unsat, open, _] = on_random_graphs(Method::Guided, 300);
    assert!(sat > 100 && unsat > 70 && open < 40, "{sat} {unsat} {open}");
}

#[test]
fn concrete_lengths_agree_with_brute_force() {
    let [sat, unsat, ..] = on_random_graphs(Method::Concrete, 150);
    assert!(sat > 60 && unsat > 10, "{sat} {unsat}");
}

#[test]
fn quantifiers_left_to_the_solver_agree_with_brute_force() {
    let [sat, unsat, ..] = on_random_graphs(Method::Mbqi, 60);
    assert!(sat > 15 && unsat > 10, "{sat} {unsat}");
}

/// A model with words that nobody could read is followed by an attempt at a shorter one, where there need not
/// be any.
#[test]
fn words_that_must_be_long_are_found() {
    let script = format!("{WORDS}(assert (< 5000 (str.len s1)))(assert (str.prefixof \"ab\" s1))(check-sat)");
    for method in [Method::Basic, Method::Iterative, Method::Guided, Method::Mbqi] {
        let script = harness_smtlib::read(script.as_bytes()).unwrap();
        let graph = StringGraph::of_problem(&script.queries[0].problem, Alphabet::Ascii).unwrap();
        let solution = solve(&graph, Options::new(method), &Probe::new());
        assert!(matches!(solution, Ok(Solution::Sat(_))), "{method:?}: {solution:?}");
    }
}

/// Where nothing keeps words short, Z3 takes long ones.
#[test]
fn models_can_be_read() {
    let script = format!(
        "{WORDS}(assert (= s2 (java.trim s1)))(assert (not (= s1 s2)))(assert (str.prefixof \"sku-\" s2))(check-sat)"
    );
    for method in [Method::Basic, Method::Iterative, Method::Guided, Method::Mbqi] {
        let script = harness_smtlib::read(script.as_bytes()).unwrap();
        let graph = StringGraph::of_problem(&script.queries[0].problem, Alphabet::Ascii).unwrap();
        match solve(&graph, Options::new(method), &Probe::new()) {
            Ok(Solution::Sat(values)) => {
                let lengths = values.iter().flatten().map(|value| match value {
                    Value::String(word) => word.len(),
                    _ => 0,
                });
                assert!(lengths.sum::<usize>() <= 4096, "{method:?}");
            }
            other => panic!("{method:?}: {other:?}"),
        }
    }
}

/// PASS, section 3.1: Yices did not solve this one.
#[test]
fn a_word_twice_is_aa() {
    for method in Method::ALL {
        let mut graph = StringGraph::new(Alphabet::Ascii);
        let (s, r) = (graph.declare_string("s"), graph.constant("aa"));
        graph.add_edge(Edge::positive(Relation::Concat { a: s, b: s, r }));
        let probe = Probe::new();
        let solution = solve(&graph, Options::new(method), &probe);
        assert!(matches!(solution, Ok(Solution::Sat(_))), "{method:?}: {solution:?}");
        let (_, counters) = probe.into_parts();
        assert_eq!(counters["length_trials"] > 0, method == Method::Concrete);
    }
}

fn verdict(method: Method, script: &str) -> (Verdict, Option<String>) {
    let strategy = ParrayFamily::new(Z3Arrays, Z3Integers::default())
        .named(&format!("parray-{}", method.name()))
        .unwrap();
    let question = Question::of_script(Alphabet::Unicode, script.to_owned(), 1);
    let (budget, probe) = (Budget::unlimited(), Probe::new());
    let mut run = strategy.prepare(&question, &budget, &probe).unwrap();
    let outcome = run.run(&probe).unwrap();
    (outcome.answers[0].verdict, outcome.answers[0].reason.clone())
}

const WORDS: &str = "(declare-const s1 String)(declare-const s2 String)(declare-const s3 String)";

#[test]
fn path_conditions_of_section_2() {
    let first = format!(
        "{WORDS}(assert (str.prefixof \"a1\" s1))(assert (str.contains s2 \"12\"))
        (assert (str.suffixof \"cd\" (str.++ s1 s2)))(check-sat)"
    );
    let third = format!(
        "{WORDS}(assert (= (str.++ s1 s2 s3) \"aaaa\"))(assert (str.<= s2 s1))(assert (str.<= s3 s2))(check-sat)"
    );
    for method in [Method::Basic, Method::Iterative, Method::Guided] {
        for script in [&first, &third] {
            assert_eq!(verdict(method, script).0, Verdict::Sat, "{method:?} {script}");
        }
    }
}

/// PC4 has no solution whatever the lengths, and no length is enumerated to see it.
#[test]
fn the_twelve_that_is_and_is_not_there() {
    let script = format!(
        "{WORDS}(declare-const i Int)(assert (str.prefixof \"a1\" s1))(assert (not (str.contains s2 \"12\")))
        (assert (str.<= (java.toLowerCase s2) s1))
        (assert (= 12 (java.parseInt (java.substring s2 i (+ i 2)))))(check-sat)"
    );
    for method in [Method::Basic, Method::Iterative, Method::Guided] {
        assert_eq!(verdict(method, &script).0, Verdict::Unsat, "{method:?}");
    }
}

/// Codes that are only equal to characters or not have no bounds at first: that must neither lose a solution
/// nor a refutation.
#[test]
fn there_are_no_characters_but_those_of_the_alphabet() {
    for method in [Method::Basic, Method::Iterative, Method::Guided] {
        for (others, expected) in [("ab", true), ("abc", false)] {
            // s is one character and none of the others; t is that twice.
            let mut graph = StringGraph::new(Alphabet::Ascii);
            graph.restrict_characters(&CharSet::from_ranges([(u32::from('a'), u32::from('c'))]));
            let (s, t) = (graph.declare_string("s"), graph.declare_string("t"));
            graph.add_edge(Edge::positive(Relation::Concat { a: s, b: s, r: t }));
            for other in others.chars() {
                let t = graph.constant(other.to_string().as_str());
                graph.add_edge(Edge::negative(Relation::Contains { s, t }));
            }
            let length = graph.length(s);
            graph.add_formula(Sum::from(length).eq(&Sum::from(1_i64)));
            let options = Options { simplify: false, ..Options::new(method) };
            match solve(&graph, options, &Probe::new()).unwrap() {
                Solution::Sat(values) if expected => {
                    assert_eq!(values[0], Some(Value::String("c".into())), "{method:?}");
                }
                Solution::Unsat(_) if !expected => {}
                other => panic!("{method:?} {others}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_limit_is_named() {
    let script = format!("{WORDS}(assert (= (str.++ s1 \"a\") (str.++ \"b\" s1)))(check-sat)");
    for method in [Method::Iterative, Method::Guided] {
        let options = Options { rounds: 3, ..Options::new(method) };
        let script = harness_smtlib::read(script.as_bytes()).unwrap();
        let graph = StringGraph::of_problem(&script.queries[0].problem, Alphabet::Ascii).unwrap();
        match solve(&graph, options, &Probe::new()) {
            Ok(Solution::Unknown(why)) => assert!(why.contains("limit of 3 rounds"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}

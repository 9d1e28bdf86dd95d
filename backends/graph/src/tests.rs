//! Graphs, rules and the interchange against brute force.

use backends_api::{Budget, Probe};
use harness_model::eval::Value;

use crate::evaluate::GraphEvaluator;
use crate::graph::StringGraph;
use crate::interchange::{Solution, prepare, solve};
use crate::options::{EdgeOrder, Options};
use crate::rules::Counts;
use crate::testkit::random::{KINDS, complete, each_assignment, random_graph, random_graph_of};
use crate::testkit::{Draw, EnumeratedIntegers, EnumeratedWords, brute_force};

fn text(graph: &StringGraph) -> String {
    let edges: Vec<String> = graph.edges().iter().map(|e| graph.edge_text(e)).collect();
    let formulas: Vec<String> = graph.formulas().iter().map(ToString::to_string).collect();
    let ints: Vec<String> =
        graph.int_vertices().map(|i| format!("i{}={}", i.index(), graph.int_name(i))).collect();
    let chars = graph.characters().ranges();
    format!(
        "{}\n{}\n{}\n{:?}\n{chars:?}",
        edges.join("\n"),
        formulas.join("\n"),
        ints.join(" "),
        graph.definitions()
    )
}

#[test]
fn to_a_problem_and_back_without_loss() {
    for seed in 0..800 {
        let mut draw = Draw::new(seed);
        let edges = 1 + draw.below(5);
        let graph = random_graph(&mut draw, edges);
        let problem = graph.to_problem();
        let again = StringGraph::of_problem(&problem, graph.alphabet()).unwrap();
        assert_eq!(
            problem.variables.len(),
            graph.declarations().len(),
            "fresh variables in {}",
            text(&graph)
        );
        let second = again.to_problem();
        let mut evaluator = GraphEvaluator::new(&second, graph.alphabet());
        each_assignment(&graph, 2, &mut |values, holds| {
            assert_eq!(evaluator.holds(values), Ok(holds), "seed {seed} {values:?}\n{}", text(&graph));
        });
    }
}

/// Every solution of a random graph satisfies what the sound rules derive, and no graph with a solution is refuted.
#[test]
fn sound_rules_hold_in_every_solution() {
    let mut applied = Counts::default();
    let mut solutions = 0;
    // Every kind, then the kinds that pair rules are about.
    let about_index = [1, 2, 3, 9, 9, 11, 12, 12, 13, 13];
    for seed in 0..2500 {
        let mut draw = Draw::new(seed);
        let edges = 1 + draw.below(3);
        let all: Vec<usize> = (0..KINDS).collect();
        let kinds = if seed % 3 == 0 { &all[..] } else { &about_index[..] };
        let graph = random_graph_of(&mut draw, edges, kinds);
        let prepared = prepare(&graph, &Options::default(), &mut applied, &Budget::unlimited()).unwrap();
        each_assignment(&graph, 3, &mut |values, holds| {
            if !holds {
                return;
            }
            solutions += 1;
            let prepared = match &prepared {
                Ok(prepared) => prepared,
                Err(rule) => {
                    panic!("{rule} refutes seed {seed}, which {values:?} satisfies:\n{}", text(&graph))
                }
            };
            if solutions % 7 != 0 {
                return;
            }
            let Some((words, numbers)) = complete(&graph, values) else { return };
            let new = &prepared.simplified;
            // The values of the new graph's vertices, read from the old ones through the same map.
            let mut new_numbers = vec![None; new.graph.ints().len()];
            for s in graph.string_vertices() {
                if let Some(n) = new.strings[s.index()]
                    && let Some(length) = new.graph.length_of(n)
                {
                    new_numbers[length.index()] = Some(words[s.index()].len().into());
                }
            }
            for i in graph.int_vertices() {
                if let Some(n) = new.ints[i.index()].as_ref().and_then(crate::Sum::vertex) {
                    new_numbers[n.index()] = Some(numbers[i.index()].clone());
                }
            }
            for (vertex, definition) in new.graph.definitions() {
                let value = definition.eval(&|v: crate::IntVertex| {
                    new_numbers[v.index()]
                        .clone()
                        .or_else(|| new.graph.number(v).cloned())
                        .unwrap_or(0_i64.into())
                });
                new_numbers[vertex.index()].get_or_insert(value);
            }
            let number = |v: crate::IntVertex| {
                let known = new_numbers[v.index()].clone().or_else(|| new.graph.number(v).cloned());
                known.unwrap_or_else(|| panic!("no value for {} in seed {seed}", new.graph.int_name(v)))
            };
            for formula in
                prepared.derived.iter().chain(new.graph.formulas()).chain(&new.graph.definition_formulas())
            {
                assert!(
                    formula.eval(&number),
                    "seed {seed}: {formula} is false for {values:?} of\n{}\nsimplified to\n{}",
                    text(&graph),
                    text(&new.graph)
                );
            }
        });
    }
    for rule in crate::rules::single::RULES
        .iter()
        .map(|r| r.name)
        .chain(crate::rules::pairs::RULES.iter().map(|r| r.name))
    {
        assert!(applied.get(rule) > 0, "{rule} was never applied");
    }
    assert!(solutions > 5_000, "{solutions}");
}

fn run(graph: &StringGraph, options: &Options) -> Solution {
    solve(graph, options, &EnumeratedIntegers, &EnumeratedWords, &Budget::with_steps(400_000), &Probe::new())
        .unwrap_or_else(|error| match error {
            backends_api::BackendError::Stopped(_) => Solution::Unknown("steps".to_owned()),
            other => panic!("{other} for\n{}", text(graph)),
        })
}

#[test]
fn the_interchange_agrees_with_brute_force() {
    let (mut sat, mut unsat, mut open) = (0, 0, 0);
    for seed in 0..400_u64 {
        let mut draw = Draw::new(seed.wrapping_mul(77_777));
        let edges = 1 + draw.below(4);
        let graph = random_graph(&mut draw, edges);
        let order = [EdgeOrder::AsGiven, EdgeOrder::PositiveFirst, EdgeOrder::CheapestFirst][draw.below(3)];
        let options = Options { order, max_length: Some(3), ..Options::default() };
        let wanted = brute_force(&graph, 3);
        match run(&graph, &options) {
            Solution::Sat(values) => {
                // Auxiliary words are bounded here and not there, so a solution is always found there too.
                let short = |v: &Option<Value>| !matches!(v, Some(Value::String(s)) if s.len() > 3);
                assert!(!values.iter().all(short) || wanted, "seed {seed}: {values:?} for\n{}", text(&graph));
                sat += 1;
            }
            Solution::Unsat => {
                assert!(!brute_force(&graph, 4), "seed {seed}\n{}", text(&graph));
                unsat += 1;
            }
            Solution::UnsatWithinBound => {
                // A solution must need an auxiliary word of more than three letters.
                each_assignment(&graph, 3, &mut |values, holds| {
                    if holds && let Some((words, _)) = complete(&graph, values) {
                        assert!(
                            words.iter().any(|w| w.len() > 3),
                            "seed {seed} {values:?}\n{}",
                            text(&graph)
                        );
                    }
                });
                unsat += 1;
            }
            Solution::Unknown(_) => open += 1,
        }
    }
    assert!(sat > 100 && unsat > 50 && open < 50, "{sat} {unsat} {open}");
}

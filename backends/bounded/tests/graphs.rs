//! Brute force on random string graphs, against loops over the graphs' own meaning: neither the reader nor
//! the evaluator nor anything of this crate is on the other side.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use backends_api::{Budget, Probe, Strategy};
use backends_bounded::BruteForce;
use generators::ParamValue;
use generators::families::random_graphs::graph::Graph;
use generators::families::random_graphs::graphs;
use generators::families::random_graphs::meaning::Values;
use harness_model::{Alphabet, Question, Verdict};

const LETTERS: [u32; 3] = [32, 97, 98];

/// Words of up to two letters.
fn words() -> Vec<Vec<u32>> {
    let one = LETTERS.iter().map(|&a| vec![a]);
    let two = LETTERS.iter().flat_map(|&a| LETTERS.map(|b| vec![a, b]));
    std::iter::once(Vec::new()).chain(one).chain(two).collect()
}

fn naive(graph: &Graph) -> bool {
    let words = words();
    let ranges: Vec<Vec<i64>> = graph.ints.iter().map(|v| (v.low..=v.high).collect()).collect();
    let mut sizes = vec![words.len(); graph.strings];
    sizes.extend(ranges.iter().map(Vec::len));
    let mut at = vec![0; sizes.len()];
    loop {
        let (strings, ints) = at.split_at(graph.strings);
        let values = Values {
            strings: strings.iter().map(|&i| words[i].clone()).collect(),
            ints: ints.iter().zip(&ranges).map(|(&i, range)| range[i]).collect(),
        };
        if graph.holds(&values, Alphabet::Ascii.max().0) {
            return true;
        }
        let Some(place) = (0..at.len()).rev().find(|&p| at[p] + 1 < sizes[p]) else { return false };
        at[place] += 1;
        at[place + 1..].fill(0);
    }
}

fn brute_force(graph: &Graph) -> Verdict {
    let question = Question::of_script(Alphabet::Ascii, graph.script(), 1);
    let (strategy, budget, probe) = (BruteForce::default(), Budget::unlimited(), Probe::new());
    let mut run = strategy.prepare(&question, &budget, &probe).unwrap();
    run.run(&probe).unwrap().answers[0].verdict
}

#[test]
fn every_kind_of_edge_is_decided_as_its_meaning_says() {
    let set = |name: &str, value| (name.to_owned(), value);
    let params = [
        set("count", ParamValue::Int(600)),
        set("edges", ParamValue::List([1, 2, 3, 4, 6].map(ParamValue::Int).into())),
        set("kinds", ParamValue::Text("default".into())),
        set("characters", ParamValue::Text(" ab".into())),
        set("min_length", ParamValue::Int(0)),
        set("max_length", ParamValue::Int(2)),
        set("constant_min_length", ParamValue::Int(0)),
        set("constant_max_length", ParamValue::Int(2)),
        set("int_variables", ParamValue::Int(1)),
    ];
    let mut seen = [0; 2];
    for graph in graphs(&params.into(), 3, Alphabet::Ascii).unwrap() {
        let expected = if naive(&graph) { Verdict::Sat } else { Verdict::Unsat };
        assert_eq!(brute_force(&graph), expected, "{}", graph.script());
        seen[usize::from(expected == Verdict::Sat)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

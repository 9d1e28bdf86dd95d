//! Evaluations of a graph of ten edges: the target is a million a second and core.

use std::hint::black_box;

use backends_graph::evaluate::GraphEvaluator;
use backends_graph::{Edge, Relation, StringGraph, Sum};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use harness_model::int::Int;
use harness_model::{Alphabet, SmtString};
use harness_theory::Value;

/// Ten edges over two strings and an integer, of the kinds that the study's random graphs have.
fn ten_edges() -> StringGraph {
    let mut g = StringGraph::new(Alphabet::Ascii);
    let (x, y, n) = (g.declare_string("x"), g.declare_string("y"), g.declare_int("n"));
    let (http, slash, dot) = (g.constant("http://"), g.constant("/"), g.constant("."));
    let zero = g.constant_int(0_i64);
    g.add_edge(Edge::positive(Relation::StartsWith { s: x, t: http }));
    g.add_edge(Edge::positive(Relation::EndsWith { s: x, t: y }));
    g.add_edge(Edge::positive(Relation::Contains { s: x, t: dot }));
    g.add_edge(Edge::negative(Relation::Contains { s: y, t: slash }));
    g.add_edge(Edge::negative(Relation::Equal { a: x, b: y }));
    let (i, r, z, w, c) = (g.result_int(), g.auxiliary(), g.auxiliary(), g.auxiliary(), g.result_int());
    g.add_edge(Edge::positive(Relation::IndexOf { s: x, t: dot, from: zero, i }));
    let five = g.constant_int(5_i64);
    g.add_edge(Edge::positive(Relation::Substr { s: x, from: n, count: five, r }));
    g.add_edge(Edge::positive(Relation::Concat { a: y, b: r, r: z }));
    g.add_edge(Edge::positive(Relation::Trim { s: z, r: w }));
    g.add_edge(Edge::positive(Relation::CharAt { s: w, i: zero, c }));
    let limit = g.length(z);
    g.add_formula(Sum::from(i).le(&Sum::from(limit).add(&Sum::from(20_i64))));
    g.add_formula(Sum::from(64_i64).le(&Sum::from(c)));
    g
}

fn evaluator(criterion: &mut Criterion) {
    let graph = ten_edges();
    assert_eq!(graph.edges().len(), 10);
    let problem = graph.to_problem();
    let mut evaluator = GraphEvaluator::new(&problem, Alphabet::Ascii);
    let text = |t: &str| Value::String(SmtString::from(t));
    let assignments: Vec<[Value; 3]> =
        [("http://www.example.org", "org", 4), ("http://a.b", "b", 0), ("none", "x", 2)]
            .into_iter()
            .map(|(x, y, n)| [text(x), text(y), Value::Int(Int::from(i64::from(n)))])
            .collect();
    assert_eq!(evaluator.holds(&assignments[0]), Ok(true));
    assert_eq!(evaluator.holds(&assignments[2]), Ok(false));
    let mut group = criterion.benchmark_group("evaluator");
    group.throughput(Throughput::Elements(assignments.len() as u64));
    group.bench_function("ten_edges", |bencher| {
        bencher.iter(|| {
            for assignment in &assignments {
                black_box(evaluator.holds(black_box(assignment)).is_ok());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, evaluator);
criterion_main!(benches);

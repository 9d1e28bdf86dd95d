//! Class computation, construction, single products and differences, and whole batches, on the ten
//! expressions of the representation study and on its long family.

#![expect(clippy::unwrap_used, reason = "a bench")]

use std::hint::black_box;
use std::time::Duration;

use backends_api::{Budget, Probe, Strategy};
use backends_classes::strategy::classes;
use backends_classes::subset::SubsetAutomaton;
use backends_classes::{Classes, difference, glushkov, intersection, search};
use corpora::{Batch, Options};
use criterion::{Criterion, criterion_group, criterion_main};
use harness_model::{Alphabet, Dialect, Operation, OperationKind, Question, Regex, RegexSource};

fn terms(sources: &[RegexSource], alphabet: Alphabet) -> Vec<Regex> {
    sources.iter().map(|r| harness_regex::parse(&r.pattern, r.dialect, alphabet).unwrap()).collect()
}

fn parts(c: &mut Criterion) {
    let budget = Budget::unlimited();
    let sources = corpora::study::expressions().unwrap();
    for alphabet in Alphabet::ALL {
        let terms = terms(&sources, alphabet);
        c.bench_function(&format!("classes/{alphabet}"), |bencher| {
            bencher.iter(|| black_box(classes(&terms, alphabet, &budget).is_ok()));
        });
    }
    let terms = terms(&sources, Alphabet::Ascii);
    let (table, partition) = classes(&terms, Alphabet::Ascii, &budget).unwrap();
    for name in [0, 6, 8] {
        c.bench_function(&format!("build/A{name}"), |bencher| {
            bencher.iter(|| glushkov::build(&terms[name], &table, &partition, &budget).unwrap().states());
        });
    }
    let automata: Vec<_> =
        terms.iter().map(|t| glushkov::build(t, &table, &partition, &budget).unwrap()).collect();
    for (left, right) in [(0, 9), (6, 8), (8, 8)] {
        let (a, b) = (&automata[left], &automata[right]);
        for (label, order) in [("dfs", search::Order::DepthFirst), ("bfs", search::Order::BreadthFirst)] {
            c.bench_function(&format!("product/A{left}-A{right}/{label}"), |bencher| {
                bencher.iter(|| {
                    let mut effort = search::Effort::default();
                    intersection::intersection(a, b, order, &budget, &mut effort).unwrap()
                });
            });
            for (antichain, suffix) in [(false, ""), (true, "-antichain")] {
                c.bench_function(&format!("difference/A{left}-A{right}/{label}{suffix}"), |bencher| {
                    bencher.iter(|| {
                        let mut effort = search::Effort::default();
                        let mut right = SubsetAutomaton::new(b, partition.len());
                        difference::difference(a, &mut right, order, antichain, &budget, &mut effort).unwrap()
                    });
                });
            }
        }
    }
}

fn whole(c: &mut Criterion, label: &str, strategy: Classes, question: &Question) {
    let budget = Budget::unlimited();
    c.bench_function(label, |bencher| {
        bencher.iter(|| {
            let probe = Probe::new();
            let mut run = strategy.prepare(question, &budget, &probe).unwrap();
            run.run(&probe).unwrap()
        });
    });
}

fn batches(c: &mut Criterion) {
    let options = Options { alphabets: Alphabet::ALL.to_vec(), batch: Batch::PerKind, ..Options::default() };
    for task in corpora::load("regexes/li2009", &options).unwrap() {
        for strategy in Classes::ALL {
            let kind =
                task.question.as_operations().unwrap().operations.first().map_or("none", |o| o.kind.name());
            let label = format!("batch/{kind}/{}/{}", task.question.alphabet, strategy.info().name);
            whole(c, &label, strategy, &task.question);
        }
    }
}

fn long(c: &mut Criterion) {
    let source = |pattern: &str| RegexSource {
        find: false,
        name: "long".to_owned(),
        pattern: pattern.to_owned(),
        dialect: Dialect::default(),
    };
    let question = Question::of_operations(
        Alphabet::Ascii,
        vec![source("[a-c]*a[a-c]{1001}"), source("[a-c]*b[a-c]{1000}")],
        vec![Operation { kind: OperationKind::Product, left: 0, right: 1 }],
    );
    whole(c, "long/1000", Classes::LAZY, &question);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500));
    targets = parts, batches, long
}
criterion_main!(benches);

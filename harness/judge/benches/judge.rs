//! What judging costs: 100,000 records of ten strategies on ten thousand tasks.

#[path = "../tests/common/mod.rs"]
mod common;

use std::collections::HashSet;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use harness_judge::judge;
use harness_model::record::Record;
use harness_model::{Status, Task};

const EMAIL: &str = r"^\w+([-+.']\w+)*@\w+([-.]\w+)*\.\w+([-.]\w+)*$";

/// Ten records a task, each of an own witness when `distinct`, else of one and the same.
fn run(distinct: bool) -> (Vec<Task>, Vec<Record>) {
    let tasks: Vec<Task> = (0..10_000)
        .map(|i| common::difference(&format!("t/{i}"), EMAIL, &format!("[a-z]{{{}}}@.*", i % 100 + 50)))
        .collect();
    let word = |task: usize, strategy: usize| {
        let name = if distinct { format!("a{task}.{strategy}") } else { "anna".to_owned() };
        format!("{name}@example.org")
    };
    let records = (0..10).flat_map(|strategy| {
        let word = &word;
        tasks.iter().enumerate().map(move |(i, task)| {
            common::answered(task, &format!("s{strategy}"), vec![common::word(&word(i, strategy))])
        })
    });
    let records = records.collect();
    (tasks, records)
}

fn judging(c: &mut Criterion) {
    let mut group = c.benchmark_group("judge 100,000 records");
    group.sample_size(10).throughput(Throughput::Elements(100_000));
    for (name, distinct) in [("one witness a task", false), ("all witnesses distinct", true)] {
        let (tasks, records) = run(distinct);
        let statuses: HashSet<Status> = judge(&tasks, &records).judgements.iter().map(|j| j.status).collect();
        assert!(statuses.iter().all(|s| s.is_solved()), "{statuses:?}");
        group.bench_function(name, |b| b.iter(|| judge(&tasks, &records)));
    }
    group.finish();
}

criterion_group!(benches, judging);
criterion_main!(benches);

//! What the log costs: appending a record, and reading many.

#![expect(clippy::unwrap_used, reason = "a bench")]

#[path = "../tests/common/mod.rs"]
mod common;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use harness_model::record::Record;
use harness_store::{RECORDS_FILE, RunDir, RunReader};

/// A record as large as those of real runs: ten phases and counters, a witness.
fn record(number: usize) -> Record {
    let mut record = common::record(number % 40);
    record.key.task = format!("regexes/li2009/ascii/product/A{number}-A{number}");
    for i in 0..8_u64 {
        record.phases.insert(format!("phase_{i}"), record.phases["solve"]);
        record.counters.insert(format!("counter_{i}"), 1000 * i);
    }
    record
}

fn log(c: &mut Criterion) {
    let tasks = common::tasks(1);
    let root = tempfile::tempdir().unwrap();
    let mut next = 0;
    let mut run =
        RunDir::create_or_resume(root.path().join("append"), &common::info(&tasks), &tasks).unwrap();
    c.bench_function("append a record", |b| {
        b.iter_batched(
            || {
                next += 1;
                record(next)
            },
            |record| run.append(&record).unwrap(),
            BatchSize::SmallInput,
        );
    });

    let path = root.path().join("read");
    drop(RunDir::create_or_resume(&path, &common::info(&tasks), &tasks).unwrap());
    let lines: String = (0..50_000).map(|i| serde_json::to_string(&record(i)).unwrap() + "\n").collect();
    std::fs::write(path.join(RECORDS_FILE), &lines).unwrap();
    let reader = RunReader::open(&path).unwrap();
    let mut group = c.benchmark_group("50,000 records");
    group.sample_size(10).throughput(Throughput::Bytes(lines.len() as u64));
    group.bench_function("stream", |b| {
        b.iter(|| reader.records().unwrap().filter(|r| r.as_ref().unwrap().is_ok()).count());
    });
    group.bench_function("load", |b| b.iter(|| reader.load().unwrap().records.len()));
    group.bench_function("resume", |b| {
        b.iter(|| RunDir::create_or_resume(&path, &common::info(&tasks), &tasks).unwrap().done().len());
    });
    group.finish();
}

criterion_group!(benches, log);
criterion_main!(benches);

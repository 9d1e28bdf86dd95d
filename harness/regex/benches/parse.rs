//! Reading the ten expressions of the representation study, in each alphabet: part of every strategy's time.

#![expect(clippy::unwrap_used, reason = "a bench")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use harness_model::{Alphabet, Dialect};

fn patterns() -> Vec<&'static str> {
    let table = include_str!("../../../corpora/regexes/li2009/patterns.tsv");
    table.lines().skip(1).map(|line| line.split_once('\t').unwrap().1).collect()
}

fn ten(c: &mut Criterion) {
    let patterns = patterns();
    for alphabet in Alphabet::ALL {
        c.bench_function(&format!("parse/li2009/{alphabet}"), |b| {
            b.iter(|| {
                for pattern in &patterns {
                    black_box(harness_regex::parse(pattern, Dialect::Dotnet, alphabet).unwrap());
                }
            });
        });
    }
}

criterion_group!(benches, ten);
criterion_main!(benches);

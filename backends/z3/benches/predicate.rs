//! The predicates of the study, measured exactly as the representations in `backends-algebra` are.

#[path = "../../algebra/benches/study/mod.rs"]
mod study;

use std::time::Duration;

use backends_z3::PredicateAlgebra;
use criterion::{Criterion, criterion_group, criterion_main};

fn predicate(c: &mut Criterion) {
    study::operations(c, PredicateAlgebra::new);
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2)).sample_size(10);
    targets = predicate
}
criterion_main!(benches);

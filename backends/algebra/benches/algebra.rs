//! Union, intersection, complement, emptiness and minterms of every representation, in every alphabet, on the
//! classes of the study; and our decision diagrams beside those of biodivine-lib-bdd, which memoises within
//! one operation only.

mod study;

use std::hint::black_box;
use std::time::Duration;

use backends_algebra::{BddAlgebra, HashSetAlgebra, PairAlgebra, RangeAlgebra};
use biodivine_lib_bdd::{Bdd, BddPartialValuation, BddVariableSet};
use criterion::{Criterion, criterion_group, criterion_main};
use harness_model::{Alphabet, CharSet};

fn ours(c: &mut Criterion) {
    study::operations(c, RangeAlgebra::new);
    study::operations(c, BddAlgebra::new);
    study::operations(c, HashSetAlgebra::new);
    study::operations(c, PairAlgebra::new);
}

/// The diagram of a set: the union of blocks of characters that share a prefix of their bits.
fn peer_diagram(variables: &BddVariableSet, bits: u32, set: &CharSet) -> Bdd {
    let order = variables.variables();
    let mut prefixes = Vec::new();
    for &(low, high) in set.ranges() {
        let mut next = u64::from(low);
        let end = u64::from(high) + 1;
        while next < end {
            let mut free = next.trailing_zeros().min(bits);
            while next + (1 << free) > end {
                free -= 1;
            }
            let decided = (free..bits).map(|bit| (order[(bits - 1 - bit) as usize], next >> bit & 1 == 1));
            prefixes.push(BddPartialValuation::from_values(&decided.collect::<Vec<_>>()));
            next += 1 << free;
        }
    }
    variables.mk_dnf(&prefixes)
}

fn peer(c: &mut Criterion) {
    for alphabet in Alphabet::ALL {
        let bits = alphabet.bits();
        let variables = BddVariableSet::new_anonymous(u16::try_from(bits).unwrap_or(0));
        let sets: Vec<Bdd> =
            study::classes(alphabet).iter().map(|set| peer_diagram(&variables, bits, set)).collect();
        let pairs = || sets.iter().flat_map(|a| sets.iter().map(move |b| (a, b)));
        let label = |operation: &str| format!("{operation}/{alphabet}/biodivine-lib-bdd");
        c.bench_function(&label("union"), |bencher| {
            bencher.iter(|| pairs().for_each(|(a, b)| drop(black_box(a.or(b)))));
        });
        c.bench_function(&label("intersection"), |bencher| {
            bencher.iter(|| pairs().for_each(|(a, b)| drop(black_box(a.and(b)))));
        });
        c.bench_function(&label("complement"), |bencher| {
            bencher.iter(|| sets.iter().for_each(|a| drop(black_box(a.not()))));
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1)).sample_size(20);
    targets = ours, peer
}
criterion_main!(benches);

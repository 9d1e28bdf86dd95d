//! Products and differences of the study's automata by representation, eager and lazy. What is measured is
//! one operation without reading and building, as in the study; end-to-end times are the harness's business.
//!
//! `cargo bench -p backends-sfa`, or with the start of a name: `cargo bench -p backends-sfa -- difference`.

#![allow(clippy::expect_used, reason = "a bench that cannot run says so")]
#![allow(missing_docs, reason = "the macros of criterion make items without any")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::time::Duration;

use backends_api::{Budget, Probe};
use common::{question, strategy, study};
use criterion::{Criterion, criterion_group, criterion_main};
use harness_model::{Alphabet, Operation, OperationKind, Question};

/// Easy pairs, then pairs with the large automata A6 and A8: empty and nonempty ones.
const PAIRS: [(usize, usize); 5] = [(0, 1), (0, 9), (4, 7), (3, 6), (6, 8)];

/// One group of measurements: every representation that can do the question in sensible time.
fn representations(c: &mut Criterion, group: &str, question: &Question, variants: &[&str]) {
    let mut group = c.benchmark_group(group);
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    let narrow = question.alphabet.bits() <= 8;
    let algebras = if narrow { &["bdd", "ranges", "hashset", "pairs"][..] } else { &["bdd", "ranges"] };
    for algebra in algebras {
        for variant in variants {
            let strategy = strategy(&format!("sfa-{algebra}-{variant}"));
            let budget = Budget::unlimited();
            let mut run = strategy.prepare(question, &budget, &Probe::new()).expect("the question is sound");
            group.bench_function(strategy.info().name, |b| {
                b.iter(|| black_box(run.run(&Probe::new()).expect("no budget")));
            });
        }
    }
    group.finish();
}

fn pairs(c: &mut Criterion) {
    for alphabet in [Alphabet::Ascii, Alphabet::Utf16] {
        for kind in [OperationKind::Product, OperationKind::Difference] {
            for (left, right) in PAIRS {
                let name = format!("{kind}/{alphabet}/A{left}-A{right}");
                let question = question(alphabet, &study(), vec![Operation { kind, left, right }]);
                let options = ["eager", "lazy", "lazy-refine", "lazy-once"];
                // The whole product of A6 and A8 has millions of moves.
                let options = if (left, right) == (6, 8) { &options[1..] } else { &options[..] };
                representations(c, &name, &question, options);
            }
        }
    }
}

fn long_family(c: &mut Criterion) {
    for n in [10, 100, 1000] {
        let patterns = [format!("[a-c]*a[a-c]{{{}}}", n + 1), format!("[a-c]*b[a-c]{{{n}}}")];
        let operation = Operation { kind: OperationKind::Product, left: 0, right: 1 };
        let question = question(Alphabet::Ascii, &patterns, vec![operation]);
        let depth_first = ["lazy"];
        let both = ["lazy", "lazy-bfs"];
        // Breadth first explores n * n states.
        representations(c, &format!("long/{n}"), &question, if n < 1000 { &both } else { &depth_first });
    }
}

criterion_group!(benches, pairs, long_family);
criterion_main!(benches);

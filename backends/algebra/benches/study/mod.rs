//! What the benches of every algebra measure, so that their figures stand side by side.
//!
//! Classes are those that the ten expressions of the study are made of, with the ranges that `regex-syntax`
//! gives them. A label reads `operation/alphabet/representation`.

use std::hint::black_box;

use backends_algebra::{BooleanAlgebra, MintermMethod};
use backends_api::Budget;
use criterion::Criterion;
use harness_model::{Alphabet, CharSet};
use regex_syntax::hir::{Class, HirKind};

/// The classes: a letter of each kind, digits, white space, hexadecimal digits, and a negation.
const CLASSES: [&str; 8] = [r"\w", r"\d", r"\s", "[A-Z]", "[a-z]", "[0-9A-Fa-f]", r"[^@\s]", "[-.+'%]"];

/// The ranges of [`CLASSES`] in an alphabet.
#[expect(clippy::panic, reason = "a bench of a class that does not parse measures nothing")]
pub fn classes(alphabet: Alphabet) -> Vec<CharSet> {
    let class = |pattern: &&str| match regex_syntax::parse(pattern).map(|hir| hir.into_kind()) {
        Ok(HirKind::Class(Class::Unicode(class))) => {
            let ranges = class.iter().map(|range| (u32::from(range.start()), u32::from(range.end())));
            CharSet::from_ranges(ranges).cut_to(alphabet)
        }
        other => panic!("{pattern} is no class: {other:?}"),
    };
    CLASSES.iter().map(class).collect()
}

/// The operations on all classes, and on all pairs of them. Nothing memoised survives from one pass to the
/// next.
pub fn operations<A: BooleanAlgebra>(c: &mut Criterion, new: impl Fn(Alphabet) -> A) {
    for alphabet in Alphabet::ALL {
        let algebra = new(alphabet);
        let models = classes(alphabet);
        let sets: Vec<A::Set> = models.iter().flat_map(|model| algebra.of_ranges(model.ranges())).collect();
        assert_eq!(sets.len(), models.len(), "every class can be built");
        let pairs = || sets.iter().flat_map(|a| sets.iter().map(move |b| (a, b)));
        let label = |operation: &str| format!("{operation}/{alphabet}/{}", A::NAME);

        c.bench_function(&label("build"), |bencher| {
            bencher.iter(|| {
                algebra.forget();
                models.iter().for_each(|model| drop(black_box(algebra.of_ranges(model.ranges()))));
            });
        });
        c.bench_function(&label("union"), |bencher| {
            bencher.iter(|| {
                algebra.forget();
                pairs().for_each(|(a, b)| drop(black_box(algebra.union(a, b))));
            });
        });
        c.bench_function(&label("intersection"), |bencher| {
            bencher.iter(|| {
                algebra.forget();
                pairs().for_each(|(a, b)| drop(black_box(algebra.intersection(a, b))));
            });
        });
        c.bench_function(&label("complement"), |bencher| {
            bencher.iter(|| {
                algebra.forget();
                sets.iter().for_each(|a| drop(black_box(algebra.complement(a))));
            });
        });
        c.bench_function(&label("disjoint"), |bencher| {
            bencher.iter(|| {
                algebra.forget();
                pairs().for_each(|(a, b)| {
                    let _ = black_box(algebra.intersection(a, b).and_then(|both| algebra.is_empty(&both)));
                });
            });
        });
        for (name, method) in
            [("minterms-rank", MintermMethod::RankOrder), ("minterms-refine", MintermMethod::Refinement)]
        {
            c.bench_function(&label(name), |bencher| {
                bencher.iter(|| {
                    algebra.forget();
                    drop(black_box(algebra.minterms(&sets, method.into(), &Budget::unlimited())));
                });
            });
        }
    }
}

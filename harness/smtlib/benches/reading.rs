//! Reading scripts of 10 MB: the target is less than a second for each.
//!
//! Each input is large in another way: an ordinary script with many constraints, many check-sats, one that is
//! nested deeply or widely, one long literal, one with many escapes, one of expressions, one of definitions
//! that use each other.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use harness_smtlib::read;

/// Bytes of each input, at least.
const SIZE: usize = 10_000_000;

/// `start`, then what `part` writes for 0, 1, 2, … until it is large enough, then `end`.
fn repeated(start: &str, part: impl Fn(&mut String, usize), end: &str) -> String {
    let mut text = String::with_capacity(SIZE + SIZE / 8);
    text.push_str(start);
    for i in 0.. {
        if text.len() >= SIZE {
            break;
        }
        part(&mut text, i);
    }
    text.push_str(end);
    text
}

/// Hundred variables of either sort.
fn declarations() -> String {
    (0..100).map(|i| format!("(declare-const s{i} String)\n(declare-fun n{i} () Int)\n")).collect()
}

fn ordinary() -> String {
    let part = |text: &mut String, i: usize| {
        let (a, b) = (i % 100, (i * 7 + 3) % 100);
        let _ = match i % 5 {
            0 => {
                writeln!(text, "(assert (= s{a} (str.++ s{b} \"key{i}=\" (str.substr s{a} {} n{b}))))", i % 9)
            }
            1 => writeln!(text, "(assert (<= n{a} (+ (str.len s{b}) (str.indexof s{a} \"{i}\" n{b}))))"),
            2 => writeln!(
                text,
                "(assert (not (and (str.contains s{a} \"/{i}\") (str.prefixof \"http\" s{b})))) ; {i}"
            ),
            3 => writeln!(
                text,
                "(assert (str.in_re s{a} (re.+ (re.union (re.range \"a\" \"z\") (str.to_re \"{i}\")))))"
            ),
            _ => {
                writeln!(text, "(assert (let ((x (str.at s{a} n{b}))) (or (= x \"{}\") (= x s{b}))))", i % 10)
            }
        };
    };
    repeated(&declarations(), part, "(check-sat)\n")
}

fn many_queries() -> String {
    let part = |text: &mut String, i: usize| {
        let (a, b) = (i % 10, (i * 7 + 3) % 10);
        let _ = writeln!(text, "(push 1)\n(assert (= s{a} (str.++ s{b} \"{i}\")))\n(check-sat)\n(pop 1)");
    };
    // Each query has its own list of variables, so few of them.
    let declared: String = (0..10).map(|i| format!("(declare-const s{i} String)\n")).collect();
    repeated(&declared, part, "")
}

fn deep() -> String {
    let (open, close) = ("(str.++ s ", ")");
    let depth = SIZE / (open.len() + close.len());
    let (open, close) = (open.repeat(depth), close.repeat(depth));
    format!("(declare-const s String)(assert (= s {open}s{close}))(check-sat)")
}

fn wide() -> String {
    let part = |text: &mut String, i: usize| {
        let _ = write!(text, " (= (str.len s{}) {i})", i % 100);
    };
    repeated(&format!("{}(assert (or", declarations()), part, "))(check-sat)")
}

fn long_literal() -> String {
    let part = |text: &mut String, i: usize| {
        let _ = write!(text, "{i} ");
    };
    repeated("(declare-const s String)(assert (= s \"", part, "\"))(check-sat)")
}

fn escapes() -> String {
    let part = |text: &mut String, i: usize| {
        let _ = write!(text, "\\u{{{:x}}}\"\"", i % 0x2_0000);
    };
    repeated("(declare-const s String)(assert (= s \"", part, "\"))(check-sat)")
}

fn expressions() -> String {
    let part = |text: &mut String, i: usize| {
        let _ = write!(
            text,
            "\n(re.++ (re.* (re.range \"a\" \"z\")) ((_ re.loop 1 {}) (str.to_re \"{i}\")) (re.opt re.allchar))",
            i % 7 + 1
        );
    };
    repeated("(declare-const s String)(assert (str.in_re s (re.union", part, ")))(check-sat)")
}

fn definitions() -> String {
    let part = |text: &mut String, i: usize| {
        let before = i.saturating_sub(1);
        let _ = writeln!(text, "(define-fun f{i} ((x String)) String (str.++ x \"{i}\"))");
        let _ =
            writeln!(text, "(define-const d{i} String (f{i} s))\n(assert (= d{i} (f{before} d{before})))");
    };
    repeated("(declare-const s String)\n", part, "(check-sat)\n")
}

fn reading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("reading");
    group.sample_size(10);
    for (name, text) in [
        ("ordinary", ordinary()),
        ("many-queries", many_queries()),
        ("deep", deep()),
        ("wide", wide()),
        ("long-literal", long_literal()),
        ("escapes", escapes()),
        ("expressions", expressions()),
        ("definitions", definitions()),
    ] {
        let script = read(text.as_bytes());
        assert!(script.is_ok(), "{name}: {:?}", script.err());
        drop(script);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| black_box(read(black_box(text.as_bytes())))));
    }
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);

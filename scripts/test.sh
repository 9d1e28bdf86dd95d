#!/usr/bin/env bash
# The whole check, set-up included: format, dependencies, lints as errors (without Z3 too), all tests, documentation as
# errors, and a short end-to-end run whose output is inspected. Needs what scripts/setup.sh needs. The first run takes
# about 20 minutes on two cores.
#
# Not in it, for it builds nearly everything again: the tests without Z3, whose strategies are then unavailable and say so:
# cargo test --package backends --package harness --no-default-features
# Nor what needs more than a Rust: scripts/slurm-test.sh (shards on a real SLURM) and scripts/bundle.sh --check.
#
# With CI=true a missing rustfmt or clippy is an error; otherwise the step is skipped and a line says so.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$*"; }
skip() {
    if [ "${CI:-}" = true ]; then
        printf 'missing: %s\n' "$1" >&2
        exit 1
    fi
    printf 'skipped: %s is not installed (%s)\n' "$1" "$2"
}

step "set-up"
scripts/setup.sh --checks
PATH=$PWD/.tools/bin:$PATH

step "format"
if cargo fmt --version >/dev/null 2>&1; then
    cargo fmt --all --check
else
    skip rustfmt "rustup component add rustfmt"
fi

step "dependencies: licences, sources, bans, and none unused"
# Advisories need a copy of the RustSec database from outside the registries: run 'cargo deny check advisories' by hand.
cargo deny --log-level error check --hide-inclusion-graph bans licenses sources
cargo shear

step "lints"
if cargo clippy --version >/dev/null 2>&1; then
    cargo clippy --locked --quiet --workspace --all-targets --all-features -- -D warnings
else
    skip clippy "rustup component add clippy"
fi

# Most tests keep one core busy, so what has to be checked besides is checked beside them. Nothing is built there that
# would take the place of the program that they run.
step "tests; documentation; lints without Z3"
said=$(mktemp)
trap 'rm -f "$said"' EXIT
cargo test --locked --quiet --workspace --all-features > >(tee "$said") 2>&1 &
tests=$!
trap 'pkill -P "$tests" 2>/dev/null || true; kill "$tests" 2>/dev/null || true; rm -f "$said"' EXIT
# Until the first test runs, cargo keeps the target folder to itself.
until grep -q '^running ' "$said" || ! kill -0 "$tests" 2>/dev/null; do sleep 1; done
grep -q '^running ' "$said" || wait "$tests"
RUSTDOCFLAGS="-D warnings" cargo doc --locked --quiet --workspace --no-deps --all-features
cargo clippy --version >/dev/null 2>&1 && \
    cargo clippy --locked --quiet --package backends --package harness --no-default-features --all-targets -- -D warnings
wait "$tests"

step "end-to-end run"
out=$(mktemp -d)
trap 'rm -rf "$out" "$said"' EXIT
cargo run --locked --quiet --all-features -- compare configs/ci.yaml --out "$out/run" --no-progress
cargo run --locked --quiet --all-features -- compare configs/ci-strings.yaml --out "$out/strings" --no-progress
for file in records.jsonl run.json results.csv summary.md; do
    [ -s "$out/run/$file" ] || { printf 'end-to-end run: %s is missing\n' "$file" >&2; exit 1; }
done
head -n 1 "$out/run/results.csv" | grep -q '^task,family,alphabet,strategy,repeat,status,expected,wall_s,cpu_s,peak_rss_kib,witness,detail' \
    || { printf 'end-to-end run: the first columns of results.csv are not the promised ones\n' >&2; exit 1; }

step "against the committed baseline"
# Verdicts and counters must be those of configs/baseline/ci; times are another machine's, so they are shown and decide
# nothing. After a change that is meant to change them: scripts/baseline.sh
cargo run --locked --quiet --all-features -- regress "$out/run" --baseline configs/baseline/ci \
    --allow machine,kernel,workers,profile
printf '\nall checks passed\n'

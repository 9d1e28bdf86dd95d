#!/usr/bin/env bash
# The whole check, set-up included: format, lints as errors, all tests, documentation as errors, and a short
# end-to-end run whose output is looked at. Needs what scripts/setup.sh needs. About 15 minutes on two cores at first.
#
# With CI=true a missing rustfmt or clippy is an error; else it is skipped with a line that says so.
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
scripts/setup.sh

step "format"
if cargo fmt --version >/dev/null 2>&1; then
    cargo fmt --all --check
else
    skip rustfmt "rustup component add rustfmt"
fi

step "lints"
if cargo clippy --version >/dev/null 2>&1; then
    cargo clippy --locked --quiet --workspace --all-targets --all-features -- -D warnings
else
    skip clippy "rustup component add clippy"
fi

step "tests"
cargo test --locked --quiet --workspace --all-features

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --locked --quiet --workspace --no-deps --all-features

step "end-to-end run"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
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

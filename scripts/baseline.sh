#!/bin/sh
# Makes the baseline anew that scripts/test.sh holds counters and verdicts to: after a change that is meant to change
# them. Look at what `git diff --stat` and `harness regress` say of it before it is committed.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo run --release --locked --quiet -- compare configs/ci.yaml --out "$work/run" --no-progress
mkdir -p configs/baseline/ci
for file in run.json tasks.jsonl records.jsonl; do
    cp "$work/run/$file" "configs/baseline/ci/$file"
done
printf 'configs/baseline/ci is new: look at git diff, then commit it\n'

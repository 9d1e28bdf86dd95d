#!/usr/bin/env bash
# Runs a study of 2,000 records on a real SLURM of one node (scripts/slurm-node.sh) as four shards: one shard's run is
# killed in the middle, another one's job is cancelled; the same command submits these two again, and the merged run must
# have the very verdicts of one run without SLURM. Takes some two minutes. As root.
#
#   scripts/slurm-test.sh [--harness PROGRAM]        without it: target/release/harness, or else target/debug/harness
#
# Status 77: SLURM is not installed.
set -euo pipefail
cd "$(dirname "$0")/.."
say() { printf '\n== %s\n' "$*"; }
die() { printf 'slurm-test: %s\n' "$*" >&2; exit 1; }

if [ "${1:-}" != --inside ]; then
    harness=target/release/harness
    [ -x "$harness" ] || harness=target/debug/harness
    if [ "${1:-}" = --harness ] && [ $# = 2 ]; then harness=$2; elif [ $# -gt 0 ]; then
        printf 'usage: scripts/slurm-test.sh [--harness PROGRAM]\n' >&2
        exit 2
    fi
    [ -x "$harness" ] || die "there is no program $harness: cargo build makes it"
    exec scripts/slurm-node.sh scripts/slurm-test.sh --inside "$(realpath "$harness")"
fi

harness=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/study.yaml" <<'YAML'
# 100 pairs of expressions x 4 strategies x 5 repeats.
name: shards
limits: {wall: 10s, memory: 512MiB}
sampling: {total: 10ms, max_samples: 100000}
workers: 1
repeats: 5
alphabets: [ascii]
tasks:
  - corpus: {name: regexes/li2009, exclude: [A6, A8]}
strategies: [sfa-ranges-eager, sfa-ranges-lazy, sfa-bdd-lazy, classes-lazy]
YAML
out=$work/out

# Waits until the shard $1 has $2 records.
until_records() {
    for _ in $(seq 1200); do
        if [ "$(cat "$out/shards/$1/records.jsonl" 2>/dev/null | wc -l)" -ge "$2" ]; then return; fi
        sleep 0.05
    done
    "$harness" status "$out" || true
    die "shard $1 does not get on"
}
until_empty() {
    for _ in $(seq 1200); do
        if [ -z "$(squeue --noheader)" ]; then return; fi
        sleep 0.25
    done
    squeue
    die "the queue does not get empty"
}
# The numbers of the shards that are $1.
shards_that_are() {
    { "$harness" status "$out" --json || true; } | tr -d ' \n' \
        | grep -o "\"shard\":[0-9]*,\"state\":\"$1\"" | grep -o '[0-9]*' | tr '\n' ' '
}
submit() { "$harness" submit --engine slurm "$work/study.yaml" --out "$out" --shards 4 --time 30; }

say "submitted"
submit
head -n 25 "$out/job.sh"

say "shard 2: its run is killed; shard 3: its job is cancelled; both in the middle"
until_records 2 100
for process in /proc/[0-9]*; do
    # The run itself, by its arguments: its job writes down how it ended.
    if { tr '\0' ' ' <"$process/cmdline"; } 2>/dev/null | grep -q "^$harness compare .* --out $out/shards/2 "; then
        kill -KILL "${process#/proc/}"
    fi
done
until_records 3 100
job=$(squeue --noheader --array --format=%i | grep '_3$')
scancel "$job"
"$harness" status "$out" || true
until_empty

say "what is left of them"
"$harness" status "$out" && die "two shards are incomplete, and the status is 0"
killed=$(shards_that_are killed)
[ "$killed" = "2 3 " ] || die "shards 2 and 3 are killed, and 'harness status' says '$killed'"
for shard in 2 3; do
    made=$(wc -l <"$out/shards/$shard/records.jsonl")
    [ "$made" -ge 100 ] && [ "$made" -lt 450 ] || die "shard $shard was stopped at $made records, which shows nothing"
    if grep -q '"signal"' "$out/shards/$shard/records.jsonl"; then die "a record of shard $shard is of the kill"; fi
done

say "submitted again"
submit
until_empty
"$harness" status "$out"
[ "$(shards_that_are complete)" = "1 2 3 4 " ] || die "not all shards are complete"

say "one run"
"$harness" compare "$work/study.yaml" --out "$work/one" --no-progress >"$work/said"
# Task, family, alphabet, strategy, repeat, status, expected verdict.
verdicts() { tail -n +2 "$1/results.csv" | cut -d , -f 1-7 | sort; }
verdicts "$work/one" >"$work/one.txt"
verdicts "$out/merged" >"$work/merged.txt"
printf '%s records; by status:\n' "$(wc -l <"$work/merged.txt")"
cut -d , -f 6 "$work/merged.txt" | sort | uniq -c
[ "$(wc -l <"$work/merged.txt")" = 2000 ] || die "2,000 records were planned"
cmp "$work/one.txt" "$work/merged.txt" || die "the verdicts of the shards are not those of one run"
say "the shards have the verdicts of one run"

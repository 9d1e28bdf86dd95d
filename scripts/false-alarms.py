#!/usr/bin/env python3
"""How often `harness regress` cries wolf, and how often it sees one.

Compares a build with itself again and again, then with one of its strategies made slower on purpose, and counts what is
found. Needs a build with the feature `planted`:

    cargo build --release --features planted
    scripts/false-alarms.py --rounds 100

With `--how against`, the other build is a second file with the same bytes, in turns: a copy, one that was written in small
pieces as a linker does, one that was evicted from the page cache and read back, one that was evicted and is read from the
disk as it runs, and a link to the program itself. Such files lie in memory in different ways, which shows in short
records. They are made beside the program, where it finds its libraries, and removed again.

A false alarm is exit status 20 where nothing differs. The noise of the machine is shown as the spread of the ratios of
the strategies that were not made slower, and as the load while it ran. Each comparison has another seed, so that its
order is another one.
"""
import argparse
import collections
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(root, "target/release/harness"))
    parser.add_argument("--config", default=os.path.join(root, "configs/ci.yaml"))
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--strategy", default="sfa-bdd-eager", help="which one is made slower")
    parser.add_argument("--how", choices=["against", "baseline"], default="against",
                        help="both builds at once, or an earlier run of the build that is not slower")
    parser.add_argument("--files", nargs="*", choices=list(FILES), default=list(FILES), help="how the second file is made")
    parser.add_argument("--swap", action="store_true", help="the second file is the build that is looked at")
    parser.add_argument("--percent", type=int, nargs="*", default=[0, 20, 5], help="0: nothing differs")
    args = parser.parse_args()
    with open(args.config, encoding="utf-8") as file:
        config = file.read()
    if not re.search(r"^seed: \d+$", config, flags=re.M):
        sys.exit(f"{args.config}: needs a line 'seed: N'")
    for percent in args.percent:
        experiment(args, config, percent)


def copied(program, file):
    shutil.copy(program, file)


def written(program, file):
    """In small pieces, as a linker writes."""
    with open(program, "rb") as source, open(file, "wb", buffering=0) as target:
        while piece := source.read(4096):
            target.write(piece)
    os.chmod(file, 0o755)


def evicted(program, file):
    """Thrown out of the page cache, to be read from the disk when it is run."""
    copied(program, file)
    handle = os.open(file, os.O_RDONLY)
    os.fsync(handle)
    os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(handle)


def read_back(program, file):
    """Thrown out of the page cache, and read from the first byte to the last."""
    evicted(program, file)
    with open(file, "rb") as source:
        while source.read(1 << 20):
            pass


FILES = {"copied": copied, "written": written, "evicted": evicted, "read-back": read_back, "linked": os.link}


def experiment(args, config, percent):
    found = suspected = failed = 0
    found_by = collections.Counter()
    ratios, planted = [], []
    start, loads = time.monotonic(), []
    with tempfile.TemporaryDirectory() as scratch:
        path, result = os.path.join(scratch, "config.yaml"), os.path.join(scratch, "result.json")
        for number in range(args.rounds):
            with open(path, "w", encoding="utf-8") as file:
                file.write(re.sub(r"^seed: \d+$", f"seed: {number + 1}", config, flags=re.M))
            way = args.files[number % len(args.files)] if args.how == "against" else "the program"
            second = f"{args.program}.{os.getpid()}"
            command = [args.program, "regress", path, "--json", result, "--no-progress"]
            if args.how == "against":
                FILES[way](args.program, second)
                command += ["--against", second]
                if args.swap:
                    command[0], command[-1] = command[-1], command[0]
            else:
                before = os.path.join(scratch, f"before-{number}")
                compare = [args.program, "compare", path, "--out", before, "--no-progress"]
                subprocess.run(compare, check=True, stdout=subprocess.DEVNULL)
                command += ["--baseline", before]
            if percent:
                command += ["--plant", f"{args.strategy}={percent}"]
            try:
                run = subprocess.run(command, capture_output=True, text=True)
            finally:
                if args.how == "against":
                    os.unlink(second)
            loads.append(os.getloadavg()[0])
            if run.returncode not in (0, 20):
                failed += 1
                print(run.stdout, run.stderr, file=sys.stderr)
                continue
            with open(result, encoding="utf-8") as file:
                groups = json.load(file)["groups"]
            slower = {group["strategy"] for group in groups if group["standing"] == "slower"}
            suspected += "suspected: " in run.stderr
            hit = args.strategy in slower if percent else run.returncode == 20
            found += hit
            found_by[way] += hit
            for group in groups:
                if group["family"] is None and group["ratio"]:
                    (planted if percent and group["strategy"] == args.strategy else ratios).append(group["ratio"])
    took = time.monotonic() - start
    what = f"{args.strategy} slower by {percent} %: found" if percent else "nothing differs: false alarms"
    print(f"{what} in {found} of {args.rounds}; suspected at first in {suspected}; failed {failed}")
    if found and args.how == "against":
        print(f"  by file: {', '.join(f'{way} {times}' for way, times in found_by.items())}")
    print(f"  ratios where nothing differs: {spread(ratios)}")
    if planted:
        print(f"  ratios of {args.strategy}: {spread(planted)}")
    print(f"  {took:.0f} s, {took / args.rounds:.1f} s each; load {statistics.mean(loads):.1f} on {os.cpu_count()} cores")
    sys.stdout.flush()


def spread(ratios):
    if len(ratios) < 2:
        return "too few"
    logs = [math.log(ratio) for ratio in ratios]
    mean, deviation = math.exp(statistics.mean(logs)), statistics.stdev(logs)
    return f"geometric mean {mean:.3f}, deviation {100 * deviation:.1f} %, from {min(ratios):.3f} to {max(ratios):.3f}"


main()

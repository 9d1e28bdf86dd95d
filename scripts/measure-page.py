#!/usr/bin/env python3
"""Measures the page of a large run: how long `harness report` takes and what it needs, how large the page is, how long it
takes to open in headless Chromium, and how long a filter takes.

    scripts/measure-page.py --harness target/release/harness [--records 500000] [--keep DIR]

The run is made up from a seed: 20 strategies on scripts, with statuses, phases and counters as real runs have them. Needs
chromium; without it only the report is measured. Figures are of this machine; run it while nothing else runs.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

STRATEGIES = 20
FILTERS = 20


def make(directory, records):
    """Writes a run of `records` records."""
    draw = random.Random(1)
    tasks = max(1, records // STRATEGIES)
    names = [f"strategy-{n:02}" for n in range(STRATEGIES)]
    version = {"major": 1, "minor": 2}
    limit = {"secs": 60, "nanos": 0}
    rows = [
        {"name": name, "backend": "made-up", "version": "1", "summary": "a made-up strategy", "family": "made-up",
         "options": {}, "canonical": name}
        for name in names
    ]
    head = {
        "version": version, "name": "large", "config": "", "fingerprint": "0" * 64, "tasks_digest": None, "seed": 1,
        "workers": 2, "limits": {"wall": limit, "cpu": limit, "memory": 1 << 30}, "sampling": None, "repeats": 1,
        "planned": tasks * STRATEGIES, "tasks": tasks, "strategies": rows, "skipped": [], "left_out": [], "overrides": {},
        "machine": {"cpu": "made up", "cores": 2, "memory_bytes": 1 << 33, "kernel": "none", "os": "none"},
        "versions": {"harness": "0"}, "started_unix_s": 1e9, "report": {"layouts": [], "scatter": []},
    }
    with open(os.path.join(directory, "run.json"), "w", encoding="utf-8") as file:
        json.dump(head, file)
    operations = ["str.++", "str.len", "str.replace", "str.substr", "str.in_re", "str.indexof", "str.to_int"]
    dumps = json.JSONEncoder(separators=(",", ":")).encode
    with open(os.path.join(directory, "tasks.jsonl"), "w", encoding="utf-8") as task_file, open(
        os.path.join(directory, "records.jsonl"), "w", encoding="utf-8"
    ) as record_file:
        for n in range(tasks):
            family = f"suite-{n % 40:02}/part"
            task = f"{family}/script-{n:06}.smt2"
            used = draw.sample(operations, 3)
            lines = [f"; {operation} {draw.random()}" for operation in used]
            text = "(set-logic QF_SLIA)\n(declare-const x String)\n" + "\n".join(lines) + (
                f"\n(assert (= ({used[0]} x) ({used[1]} x)))\n(assert (distinct x \"{draw.random()}\"))\n(check-sat)\n")
            question = {"alphabet": "unicode", "regexes": [], "operations": [], "script": {"text": text, "queries": 1}}
            task_file.write(dumps({"id": task, "family": family, "question": question, "expected": None}) + "\n")
            base = 10 ** draw.uniform(-4, 0.5)
            for place, name in enumerate(names):
                seconds = base * (1 + place) * 10 ** draw.uniform(0, 1)
                is_late = seconds > 60
                wall = int(min(seconds, 60) * 1e9) + 2_000_000
                solve = int(seconds * 1e9)
                record_file.write(dumps({
                    "version": version, "task": task, "strategy": name, "repeat": 0, "family": family,
                    "alphabet": "unicode", "termination": {"timeout": "wall"} if is_late else "answered",
                    "answers": [] if is_late else [{"verdict": "unsat"}],
                    "usage": {"wall_ns": wall, "cpu_ns": int(wall * 0.98), "peak_rss_bytes": 5_000_000 + solve // 100},
                    "method": "made up",
                    "phases": {} if is_late else {"prepare": {"cold_ns": 400_000}, "solve": {"cold_ns": solve},
                                                  "encode": {"cold_ns": solve // 3}},
                    "counters": {"states": int(base * 1e5), "solver_calls": 1 + n % 7},
                    "started_unix_s": 1e9, "core": 0,
                }) + "\n")


def report(harness, directory):
    """Runs `harness report`; gives seconds and the largest memory in bytes."""
    began = time.monotonic()
    process = subprocess.Popen([harness, "report", directory], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    took = time.monotonic() - began
    if os.waitstatus_to_exitcode(status) not in (0, 30):
        sys.exit(f"{harness} report {directory} failed")
    return took, usage.ru_maxrss * 1024


class Browser:
    """Chromium without a window, driven over a pipe: messages in JSON, each with a zero byte behind it."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp()
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--remote-debugging-pipe", "--window-size=1280,900", f"--user-data-dir={self.profile}"]
        shell = f'exec "$0" "$@" 3<&{to_read} 4>&{from_write}'
        self.process = subprocess.Popen(["sh", "-c", shell, *command], pass_fds=(to_read, from_write),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.to = os.fdopen(to_write, "wb", 0)
        self.answers = os.fdopen(from_read, "rb")
        self.rest = b""
        self.number = 0
        self.session = None

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.to.write(json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                chunk = self.answers.read1(1 << 16)
                if not chunk:
                    sys.exit("the browser has ended")
                self.rest += chunk
            answer, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(answer)
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            sys.exit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def open(self, path):
        """Opens a page; gives the seconds until its records are there."""
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        began = time.monotonic()
        self.call("Page.navigate", url=f"file://{os.path.abspath(path)}")
        while self.value("document.documentElement?.dataset.state") != "ready":
            time.sleep(0.02)
        return time.monotonic() - began

    def end(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


FILTER = """new Promise((done) => {
  const began = performance.now();
  addEventListener('popstate', () => requestAnimationFrame(() => setTimeout(() => done(performance.now() - began))), { once: true });
  location.hash = %s;
})"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harness", required=True, help="the program that makes the report")
    parser.add_argument("--records", type=int, default=500_000)
    parser.add_argument("--keep", metavar="DIR", help="where the run is made and kept; a temporary directory without it")
    arguments = parser.parse_args()
    directory = arguments.keep or tempfile.mkdtemp()
    os.makedirs(directory, exist_ok=True)
    try:
        make(directory, arguments.records)
        took, memory = report(arguments.harness, directory)
        page = os.path.join(directory, "index.html")
        print(f"records: {arguments.records}")
        print(f"report: {took:.1f} s, {memory / 2**20:.0f} MiB")
        print(f"page: {os.path.getsize(page) / 1e6:.1f} MB", flush=True)
        program = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
        if program is None:
            print("there is no chromium here: the page is not opened ('scripts/setup.sh --checks' installs it)")
            return
        browser = Browser(program)
        try:
            opened = [browser.open(page) for _ in range(3)]
            print(f"opened: {statistics.median(opened):.2f} s (median of {len(opened)})")
            times = []
            for n in range(FILTERS):
                choice = [f"family=suite-{n:02}%2Fpart", f"strategy=strategy-{n:02}", f"op=str.len&min={n * 10}", f"text=script-00{n % 10}"]
                times.append(browser.value(FILTER % json.dumps("#" + choice[n % 4])))
            print(f"filter: {statistics.median(times):.0f} ms (median of {FILTERS}, at most {max(times):.0f} ms)")
        finally:
            browser.end()
    finally:
        if not arguments.keep:
            shutil.rmtree(directory)


if __name__ == "__main__":
    main()

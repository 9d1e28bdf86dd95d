#!/usr/bin/env bash
# Makes an archive of the program that runs on another Debian 12 or later, without the source tree, Rust or Python: the
# program, Z3's shared library, the configurations, the licences of all that is linked, and a short README. Corpora and
# published figures are part of the program. Jobs on a cluster use it ('harness submit').
#
#   scripts/bundle.sh [--out FILE.tar.gz] [--profile release|dist|dev] [--features LIST] [--check]
#
# Without --out: target/bundle/harness-VERSION-COMMIT-MACHINE.tar.gz. --check unpacks it into an empty folder and runs it
# there with an empty environment: a script that needs Z3, and configs/quick.yaml.
set -euo pipefail
cd "$(dirname "$0")/.."
say() { printf 'bundle: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
usage() { die "usage: scripts/bundle.sh [--out FILE.tar.gz] [--profile release|dist|dev] [--features LIST] [--check]"; }

profile=release features="" out="" check=no
while [ $# -gt 0 ]; do
    case "$1" in
        --out|--profile|--features)
            [ $# -ge 2 ] || usage
            case "$1" in --out) out=$2 ;; --profile) profile=$2 ;; --features) features=$2 ;; esac
            shift 2 ;;
        --check) check=yes; shift ;;
        *) usage ;;
    esac
done
case "$profile" in
    dev) folder=debug ;;
    release|dist) folder=$profile ;;
    *) usage ;;
esac

scripts/setup.sh
say "building the program (profile $profile)"
# Asks harness/cli/build.rs for a run path relative to the program, instead of the one to this source tree.
HARNESS_BUNDLE=1 cargo build --locked --quiet --package harness --bin harness --profile "$profile" \
    ${features:+--features "$features"}
program=${CARGO_TARGET_DIR:-target}/$folder/harness
[ -x "$program" ] || die "there is no $program: set CARGO_TARGET_DIR to the folder that cargo builds into"

version=$("$program" --version | cut -d ' ' -f 2)
commit=$(git rev-parse --short=12 HEAD 2>/dev/null || printf 'unknown')
name=harness-$version-$commit-$(uname -m)
out=${out:-target/bundle/$name.tar.gz}
mkdir -p "$(dirname "$out")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/$name
mkdir -p "$stage/bin" "$stage/lib" "$stage/licences/crates"

cp "$program" "$stage/bin/harness"
for library in .z3/lib/libz3.so.*; do
    [ -e "$library" ] || die "there is no library in .z3/lib: run scripts/setup.sh"
    cp "$library" "$stage/lib/"
done
# Without the records of another machine that CI compares with.
tar -c --exclude=baseline configs | tar -x -C "$stage"
cp LICENSE LICENSE-APACHE LICENSE-MIT "$stage/licences/"

say "collecting licences"
cargo tree --locked --package harness ${features:+--features "$features"} --edges normal --prefix none \
    --format '{p}|{l}' | sort -u >"$work/crates"
cargo metadata --locked --format-version 1 --filter-platform "$(rustc -vV | sed -n 's/^host: //p')" >"$work/metadata"
python3 - "$work/crates" "$work/metadata" "$stage/licences" <<'PY'
import json, os, shutil, sys
crates, metadata, target = sys.argv[1:]
with open(metadata, encoding="utf-8") as file:
    packages = {(p["name"], p["version"]): p for p in json.load(file)["packages"]}
lines = []
with open(crates, encoding="utf-8") as file:
    for line in file:
        package, licence = line.rstrip("\n").replace(" (*)", "").split("|")
        name, version = package.split()[:2]
        found = packages[name, version.removeprefix("v")]
        if found["source"] is None:
            continue
        lines.append(f"{name} {found['version']}: {licence or 'see its files'}\n")
        folder = os.path.dirname(found["manifest_path"])
        for entry in sorted(os.listdir(folder)):
            path = os.path.join(folder, entry)
            words = ("LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE")
            if entry.upper().startswith(words) and os.path.isfile(path):
                to = os.path.join(target, "crates", f"{name}-{found['version']}")
                os.makedirs(to, exist_ok=True)
                shutil.copyfile(path, os.path.join(to, entry))
with open(os.path.join(target, "crates.txt"), "w", encoding="utf-8") as file:
    file.writelines(sorted(set(lines)))
PY
cat >"$stage/licences/z3.txt" <<'TEXT'
lib/libz3.so.*: Z3, from the PyPI wheel z3-solver (https://github.com/Z3Prover/z3)

Copyright (c) Microsoft Corporation. All rights reserved.

MIT License

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED *AS IS*, WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
TEXT

# The newest version of the C library that either file asks for: what the other machine has to have.
glibc=$(cat "$stage"/bin/harness "$stage"/lib/* | grep -ao 'GLIBC_2\.[0-9]*' | sort -uV | tail -n 1)
cat >"$stage/README.txt" <<TEXT
harness $version, commit $commit, for $(uname -s) on $(uname -m) with glibc ${glibc#GLIBC_} or later (Debian 12 has 2.36)

bin/harness compares strategies for solving string constraints. It needs nothing else from here but lib/, which it finds
by its place beside bin/, and the system's C and C++ libraries (Debian: libc6, libstdc++6).

  bin/harness doctor                                       what works on this machine
  bin/harness compare configs/quick.yaml --out out/quick   a first comparison, under two minutes
  bin/harness submit --engine slurm CONFIG --out DIR       a study as jobs on a cluster: unpack this where all nodes see it
  bin/harness COMMAND --help                               options and examples

configs/README.md describes the configurations. Solvers that are programs (configs/solvers.yaml) and Java's libraries are
not in this archive; 'harness doctor' names those that it finds in PATH.
licences/ has the licences of the program and of all that is linked into it.
TEXT

# The same files give the same bytes.
epoch=$(git log -1 --format=%ct 2>/dev/null || printf '0')
tar -C "$work" -c --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX,go-w --mtime="@$epoch" "$name" \
    | gzip -n9 >"$out.part"
mv "$out.part" "$out"
say "$out: $(du -h "$out" | cut -f 1), needs $glibc"
printf '%s\n' "$out"

[ "$check" = yes ] || exit 0
say "checking it in an empty folder"
place=$work/elsewhere
mkdir "$place"
tar -C "$place" -xzf "$out"
cd "$place/$name"
bare() { env -i PATH=/usr/bin:/bin HOME="$place" "$@"; }
found=$(bare LD_TRACE_LOADED_OBJECTS=1 bin/harness | sed -n 's/.*libz3[^ ]* => \([^ ]*\).*/\1/p')
[ "$(realpath "${found:-/nowhere}")" = "$(realpath lib/libz3.so.*)" ] \
    || die "the program takes Z3 from '${found:-nowhere}', and not from the archive"
printf '(declare-const x String)\n(assert (= (str.++ x "b") "ab"))\n(check-sat)\n' >"$place/a.smt2"
answer=$(bare bin/harness solve "$place/a.smt2" --strategy z3)
[ "$answer" = sat ] || die "z3 says '$answer' where 'sat' is right"
bare bin/harness compare configs/quick.yaml --out "$place/quick" --no-progress >"$work/said" || {
    cat "$work/said" >&2
    die "configs/quick.yaml failed"
}
grep '^quick: ' "$work/said" >&2
say "it runs"

